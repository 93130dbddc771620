"""The kernel of ordered labelled trees: the fragments that two have in common."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import product
from math import prod

import numpy as np

from kernelkit import features as phi
from kernelkit.checks import check_many, check_memory, short
from kernelkit.kernels.base import Kernel
from kernelkit.latex import SUM, spelled
from kernelkit.objects import check_decay, check_world, read_objects


@dataclass(frozen=True, repr=False)
class Subtrees(Kernel):
    """k(x, z) = Σ_f γ^|f| |x|_f |z|_f over all fragments f: how often f grows in x and in z (Collins and Duffy 2001).

    A tree is nested tuples, ("S", ("NP", "she"), ("VP", "ran")): a label and its children, which are trees or words.
    A fragment is a node with all its children, some of which have all of theirs, and so on; |f| is the number of nodes
    that have theirs.  decay : γ in (0, 1].  With C(a, b) for nodes a of x and b of z, in O(|x| |z|) for a pair:

        C(a, b) = γ Π_j (1 + C(a_j, b_j))  if label and labels of the children agree, else 0;   k = Σ_{a,b} C(a, b)

    ``feature_map(over=trees)`` has one feature for each fragment of these trees.

    >>> Subtrees(0.5)(("S", ("NP", "she"), ("VP", "ran")), ("S", ("NP", "she"), ("VP", "sat")))
    1.25
    """

    decay: float = 0.5
    points = "trees"
    latex_binds = SUM

    def __post_init__(self):
        object.__setattr__(self, "decay", check_decay(self.decay))

    def read(self, X, name="X"):
        return read_objects(X, name, "a tree (label, child, …)", '("S", ("NP", "she"), ("VP", "ran"))', read_tree)

    def gram(self, X, Z):
        one = Z is X
        numbers = {}
        A = _counts(X, numbers)
        B = A if one else _counts(Z, numbers)
        C = self._common(list(numbers))
        K = _matrix(A, numbers) @ C @ _matrix(B, numbers).T
        return (K + K.T) / 2 if one else K

    def _common(self, nodes):
        """C(a, b) of all nodes (label, numbers of the children), of which each comes after its children."""
        check_memory(len(nodes), len(nodes), f"C(a, b) of {len(nodes):,} different nodes is", "take fewer trees")
        C, alike = np.zeros((len(nodes), len(nodes))), defaultdict(list)
        for a, (label, children) in enumerate(nodes):
            if children:
                b = alike[label, tuple(nodes[child][0] for child in children)]
                b.append(a)
                others = np.array([nodes[i][1] for i in b])
                C[a, b] = C[b, a] = self.decay * np.prod(1 + C[np.array(children), others], axis=1)
        return C

    def feature_map(self, degree=None, over=None):
        trees = self.read(check_world(over, self, "[x, z]"), "over")[0]
        check_many(sum(map(_how_many, trees)))
        return phi.Parts(self, tuple(f for tree in trees for f in self.parts(tree)))

    def parts(self, x, over=None):
        """{f: √γ^|f| · how often f grows in x} for the fragments f of x, one by one."""
        check_many(_how_many(x), "A tree has {} fragments: too many to list")
        amounts = defaultdict(float)
        for node in _nodes(x):
            for fragment in _fragments(node):
                amounts[fragment] += self.decay ** (len(list(_nodes(fragment))) / 2)
        return amounts

    def named(self, fragment, over):
        return rf"{self.decay:g}^{{{len(list(_nodes(fragment)))}/2}}\,|x|_{{{spelled(_text(fragment))}}}"

    def latex(self, x, z):
        return rf"\sum_f {self.decay:g}^{{|f|}}\,|{x}|_f\,|{z}|_f"


def read_tree(tree, name):
    """A tree of which every label is a string, and a node without children a word; None for what is none."""
    if not isinstance(tree, tuple) or not tree or not isinstance(tree[0], str):
        return None
    label, *children = tree
    if not children:
        return (str(label),)
    return (str(label), *(_child(child, name) for child in children))


def _child(child, name):
    if isinstance(child, str):
        return str(child)
    tree = read_tree(child, name)
    if tree is None:
        raise TypeError(
            f"{name} must be a tree whose labels are strings and whose children are trees or words, "
            f"but one child is {short(child)}."
        )
    return tree if len(tree) > 1 else tree[0]


def _nodes(tree):
    """The nodes of a tree that have children."""
    if isinstance(tree, tuple) and len(tree) > 1:
        yield tree
        for child in tree[1:]:
            yield from _nodes(child)


def _fragments(node):
    """Every fragment that grows from a node: of each child its label alone, or a fragment that grows from it."""
    choices = [[_label(child), *(_fragments(child) if isinstance(child, tuple) else ())] for child in node[1:]]
    return ((node[0], *choice) for choice in product(*choices))


def _how_many(tree):
    """The number of fragments of a tree."""
    return sum(map(_from, _nodes(tree)))


def _from(tree):
    """The number of fragments that grow from its root."""
    return prod(1 + _from(child) for child in tree[1:]) if isinstance(tree, tuple) and len(tree) > 1 else 0


def _label(tree):
    return tree if isinstance(tree, str) else tree[0]


def _text(tree):
    return tree if isinstance(tree, str) else f"{tree[0]}({', '.join(map(_text, tree[1:]))})"


def _counts(trees, numbers):
    """Of each tree, {number of a node: how often it is there}; equal nodes, with all below them, have one number."""
    counts = []
    for tree in trees:
        counts.append(Counter())
        _number(tree, numbers, counts[-1])
    return counts


def _number(tree, numbers, count):
    label, *children = (tree,) if isinstance(tree, str) else tree
    below = tuple(_number(child, numbers, count) for child in children)
    number = numbers.setdefault((label, below), len(numbers))
    count[number] += 1
    return number


def _matrix(counts, numbers):
    """The counts as a sparse matrix, (n, nodes)."""
    from scipy.sparse import csr_array

    columns = [a for count in counts for a in count]
    values = [float(v) for count in counts for v in count.values()]
    return csr_array((values, columns, np.cumsum([0, *map(len, counts)])), shape=(len(counts), len(numbers)))
