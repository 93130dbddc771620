"""The kernel of ordered labelled trees: the fragments that two have in common."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import chain, product
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
        C = np.zeros((len(nodes), len(nodes)))
        alike = defaultdict(list)
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
        for fragment, size in _fragments(x):
            amounts[fragment] += self.decay ** (size / 2)
        return amounts

    def named(self, fragment, over):
        return rf"{self.decay:g}^{{{_size(fragment)}/2}}\,|x|_{{{spelled(_text(fragment))}}}"

    def latex(self, x, z):
        return rf"\sum_f {self.decay:g}^{{|f|}}\,|{x}|_f\,|{z}|_f"


def folded(tree, combine):
    """combine(label, values of the children) from the words up to the root: a recursion, for trees of any depth."""
    values = []
    for node in reversed(_from_the_root(tree)):
        label, *children = (node,) if isinstance(node, str) else node
        values.append(combine(label, [values.pop() for _ in children]))
    return values.pop()


def _from_the_root(tree):
    """All nodes and words of a tree, each before its children, which come from left to right."""
    order = []
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        order.append(node)
        if isinstance(node, tuple):
            waiting.extend(reversed(node[1:]))
    return order


def read_tree(tree, name):
    """A tree of which every label is a string, and a node without children a word; None for what is none."""
    if not _is_tree(tree):
        return None
    for node in _from_the_root(tree):
        if not isinstance(node, str) and not _is_tree(node):
            raise TypeError(
                f"{name} must be a tree whose labels are strings and whose children are trees or words, "
                f"but one child is {short(node)}."
            )
    read = folded(tree, lambda label, children: (str(label), *children) if children else str(label))
    return (read,) if isinstance(read, str) else read


def _is_tree(tree):
    return isinstance(tree, tuple) and len(tree) > 0 and isinstance(tree[0], str)


def _fragments(tree):
    """Every fragment of a tree with its size, those of the root first: of each child its label alone, or its own."""
    by_node = []

    def grow(label, children):
        """What a parent may have in this place: the label alone, of size 0, or a fragment that grows from the node."""
        if not children:
            return [(label, 0)]
        own = []
        for choice in product(*children):
            below, sizes = zip(*choice, strict=True)
            own.append(((label, *below), 1 + sum(sizes)))
        by_node.append(own)
        return [(label, 0), *own]

    folded(tree, grow)
    return chain.from_iterable(reversed(by_node))


def _how_many(tree):
    """The number of fragments of a tree."""
    by_node = []

    def grow(_, children):
        """The number of those that grow from a node; each child is its label alone, or one of its own."""
        by_node.append(prod(1 + own for own in children) if children else 0)
        return by_node[-1]

    folded(tree, grow)
    return sum(by_node)


def _size(fragment):
    """The number of nodes that have children."""
    return folded(fragment, lambda _, children: sum(children) + (len(children) > 0))


def _text(fragment):
    return folded(fragment, lambda label, children: f"{label}({', '.join(children)})" if children else label)


def _counts(trees, numbers):
    """Of each tree, {number of a node: how often it is there}; equal nodes, with all below them, have one number."""
    counts = []
    for tree in trees:
        found = []

        def count(label, children, found=found):
            found.append(numbers.setdefault((label, tuple(children)), len(numbers)))
            return found[-1]

        folded(tree, count)
        counts.append(Counter(found))
    return counts


def _matrix(counts, numbers):
    """The counts as a sparse matrix, (n, nodes)."""
    from scipy.sparse import csr_array

    columns = [a for count in counts for a in count]
    values = [float(v) for count in counts for v in count.values()]
    return csr_array((values, columns, np.cumsum([0, *map(len, counts)])), shape=(len(counts), len(numbers)))
