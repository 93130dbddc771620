"""Trees, as the panel of all structures shows them; see ``flat_objects`` for what such a class says."""

import re
from collections import defaultdict
from itertools import product
from math import prod

import numpy as np

from kernelkit import Subtrees
from kernelkit.course.explorers.drawing.parts_of_objects import NODES, Drawing, Term, width

MANY = 3000  # fragments of one tree


class Trees:
    """Brackets such as (S (NP she) (VP ran)); a feature for each fragment."""

    what = "fragments that grow in both"

    def read(self, text):
        tree = read_tree(text)
        if _how_many(tree) > MANY:
            raise ValueError("This tree has too many fragments to show: take some branches away.")
        return tree

    def kernel(self, decay):
        return Subtrees(decay)

    def object(self, x, _):
        return x

    def terms(self, x, z, decay):
        mine, others = (_grown(tree) for tree in (x, z))
        found = []
        for shape in mine:
            if shape in others:
                a, b = mine[shape], others[shape]
                value = decay ** _size(shape) * len(a) * len(b)
                found.append(Term(_text(shape), value, frozenset().union(*a), frozenset().union(*b)))
        return sorted(found, key=lambda term: (-term.value, len(term.name)))

    def drawn(self, x):
        nodes = _numbered(x)
        across, depth = _across(nodes, 0, 0.0, 1.0), max(d for _, d, _ in nodes)
        places = tuple((across[i], 0.9 - 0.8 * d / depth) for i, (_, d, _) in enumerate(nodes))
        links = tuple((i, child) for i, (_, _, children) in enumerate(nodes) for child in children)
        return Drawing(places, tuple(label for label, _, _ in nodes), links)

    def clicked(self, own, other, node, place):
        """A click changes nothing: a tree is typed."""
        return own, other

    def text(self, x):
        return f"({x[0]} {' '.join(child if isinstance(child, str) else self.text(child) for child in x[1:])})"


def read_tree(text):
    """Nested tuples of a line in brackets, with at most 9 words; raises ValueError in one sentence."""
    tokens = re.findall(r"[()]|[^\s()]+", text)
    for token in tokens:
        if not re.fullmatch(r"[()]|[^\W_]{1,9}", token):
            raise ValueError(f"“{token[:12]}” is not a label: write letters and digits, at most 9 of them.")
    if not tokens or tokens[0] != "(":
        raise ValueError("A tree begins with a bracket, as in (S (NP she) (VP ran)).")
    tree, rest = _branch(tokens, 0)
    if rest < len(tokens):
        raise ValueError("There is something behind the last bracket: one tree, please.")
    nodes = _numbered(tree)
    if sum(not children for _, _, children in nodes) > 8 or max(depth for _, depth, _ in nodes) > 5:
        raise ValueError("This tree is too large to draw here: at most 8 words, and 5 branches above one.")
    if len(nodes) > NODES or _wide(nodes, 0) > 1:
        raise ValueError("This tree is too wide to draw here: take shorter words, or fewer of them.")
    return tree


def _branch(tokens, at):
    """The tree that begins at a bracket, and where it ends."""
    at, children = at + 1, []
    if at >= len(tokens) or tokens[at] in "()":
        raise ValueError("Behind each bracket that opens stands a label, as in (NP she).")
    label, at = tokens[at], at + 1
    while at < len(tokens) and tokens[at] != ")":
        child, at = _branch(tokens, at) if tokens[at] == "(" else (tokens[at], at + 1)
        children.append(child)
    if at >= len(tokens):
        raise ValueError("A bracket is not closed.")
    if not children:
        raise ValueError(f"({label}) has no children: write {label} alone, or a word behind it.")
    return (label, *children), at + 1


def _numbered(tree, depth=0, nodes=None):
    """(label, depth, numbers of the children) of each node, from the root, each branch in one piece."""
    nodes = [] if nodes is None else nodes
    label, *children = (tree,) if isinstance(tree, str) else tree
    nodes.append(None)
    here, own = len(nodes) - 1, []
    for child in children:
        own.append(len(nodes))
        _numbered(child, depth + 1, nodes)
    nodes[here] = label, depth, tuple(own)
    return nodes


def _wide(nodes, i):
    """How much room a node needs for its label, or for all that hangs on it."""
    label, _, children = nodes[i]
    return max(width(label), sum(_wide(nodes, child) for child in children))


def _across(nodes, i, left, right):
    """{node: its place from left to right} of a node and all that hangs on it, none over another."""
    label, _, children = nodes[i]
    spare = right - left - sum(_wide(nodes, child) for child in children)
    found, at = {}, left
    for child in children:
        end = at + _wide(nodes, child) + spare / len(children)
        found |= _across(nodes, child, at, end)
        at = end
    middle = np.mean([found[child] for child in children] or [(left + right) / 2])
    return found | {i: float(np.clip(middle, left + width(label) / 2, right - width(label) / 2))}


def _grown(tree):
    """{fragment: [the nodes of the tree it covers, for each time it grows there]}."""
    nodes, found = _numbered(tree), defaultdict(list)
    for i, (_, _, children) in enumerate(nodes):
        if children:
            for shape, covered in _fragments(nodes, i):
                found[shape].append(covered)
    return found


def _fragments(nodes, i):
    """Every fragment that grows from a node, with the nodes it covers: of each child its label alone, or more."""
    label, _, children = nodes[i]
    choices = [[(nodes[c][0], frozenset([c])), *(_fragments(nodes, c) if nodes[c][2] else ())] for c in children]
    for choice in product(*choices):
        yield (label, *(shape for shape, _ in choice)), frozenset([i]).union(*(covered for _, covered in choice))


def _how_many(tree):
    """The number of all fragments of a tree."""
    return sum(_from(node) for node in _inner(tree))


def _inner(tree):
    if isinstance(tree, tuple):
        yield tree
        for child in tree[1:]:
            yield from _inner(child)


def _from(tree):
    return prod(1 + _from(child) for child in tree[1:]) if isinstance(tree, tuple) else 0


def _size(shape):
    """The number of nodes of a fragment that have their children."""
    return 0 if isinstance(shape, str) else 1 + sum(map(_size, shape[1:]))


def _text(shape):
    return shape if isinstance(shape, str) else f"{shape[0]}({', '.join(map(_text, shape[1:]))})"
