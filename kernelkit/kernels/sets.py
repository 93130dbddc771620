"""Kernels of how much two things share: histograms and fuzzy sets, and finite sets."""

from dataclasses import dataclass
from itertools import combinations
from math import comb, sqrt

import numpy as np

from kernelkit import features as phi, latex
from kernelkit.arrays import in_blocks, shared
from kernelkit.checks import check_many
from kernelkit.kernels.base import Kernel
from kernelkit.latex import POWER, SUM, spelled
from kernelkit.objects import (
    SETS,
    check_elements,
    check_made_of,
    check_told_apart,
    check_world,
    read_histograms,
    read_objects,
)


@dataclass(frozen=True, repr=False)
class Intersection(Kernel):
    """k(x, z) = Σ_j min(x_j, z_j) for x, z ≥ 0: what two histograms or two fuzzy sets share.

    On a line, d = 1, it is the covariance of Brownian motion. Raises ValueError for a negative coordinate.
    ``feature_map(over=levels)`` has one step for each level and coordinate; it is exact for points on the levels,
    and ``remainder`` tells what is missing between them.

    >>> Intersection()([3, 0, 2], [1, 5, 2])
    3.0
    """

    latex_binds = SUM

    def read(self, X, name="X"):
        return read_histograms(X, name, "Intersection()")

    def gram(self, X, Z):
        def rows(block, first):
            K = np.zeros((len(X[block]), len(Z) - first))
            both = np.empty_like(K)
            for x, z in zip(X[block].T, Z[first:].T, strict=True):
                K += np.minimum.outer(x, z, out=both)
            return K

        return in_blocks(rows, np.empty((len(X), len(Z))), Z is X)

    def diagonal(self, X):
        return X.sum(axis=1)

    def feature_map(self, degree=None, over=None):
        return phi.Steps(check_world(over, self, "[1, 2, 3]"))

    def latex(self, x, z):
        return rf"\sum_j \min({latex.indexed(x, 'j')}, {latex.indexed(z, 'j')})"


class Sets(Kernel):
    """A kernel of finite sets: one point is a set {1, 2}, a collection a list of sets.

    Each writes ``parts``, the features of one set that are not 0, ``all_parts``, which there are over a world, and
    ``how_many`` these are for n elements.
    """

    points = "sets"

    def read(self, X, name="X"):
        return read_objects(X, name, "a set", "{1, 2}", read_set)

    def feature_map(self, degree=None, over=None):
        elements = check_told_apart(check_elements(over, self, "{1, 2, 3}"), "The elements of over")
        check_many(self.how_many(len(elements)))
        return phi.Parts(self, tuple(self.all_parts(elements)), elements)


def read_set(x, name):
    """A set whose elements can be told apart; None for what is none."""
    return check_told_apart(x, f"The elements of {name}") if isinstance(x, SETS) else None


@dataclass(frozen=True, repr=False)
class Overlap(Sets):
    """k(A, B) = |A ∩ B|, the number of common elements, with one feature [e ∈ A] for each element e.

    >>> Overlap()({"egg", "milk", "salt"}, {"milk", "salt"})
    2.0
    """

    def gram(self, X, Z):
        members = [dict.fromkeys(x, 1) for x in X]
        return shared(members, members if Z is X else [dict.fromkeys(z, 1) for z in Z])

    def diagonal(self, X):
        return np.array([len(x) for x in X], float)

    def parts(self, x, over):
        return dict.fromkeys(check_made_of(x, over), 1)

    def all_parts(self, over):
        return over

    def how_many(self, n):
        return n

    def named(self, e, over):
        return rf"[{spelled(e)} \in x]"

    def latex(self, x, z):
        return rf"|{x} \cap {z}|"


@dataclass(frozen=True, repr=False)
class Subsets(Sets):
    """k(A, B) = 2^|A ∩ B|, the number of common subsets, with one feature [S ⊆ A] for each set S of elements.

    >>> Subsets()({1, 2, 3}, {2, 3})
    4.0

    With more than 1023 common elements the number is too large: ValueError. ``Normalized`` takes any sets.
    """

    latex_binds = POWER

    def gram(self, X, Z):
        return _power_of_2(Overlap().gram(X, Z))

    def diagonal(self, X):
        return _power_of_2(Overlap().diagonal(X))

    def normalized_gram(self, X, Z):
        return np.exp2(Overlap().gram(X, Z) - np.add.outer(*Overlap().diagonals(X, Z)) / 2)

    def parts(self, x, over):
        return dict.fromkeys(_subsets(check_made_of(x, over)), 1)

    def all_parts(self, over):
        return _subsets(over)

    def how_many(self, n):
        return 2**n

    def named(self, S, over):
        return rf"[{_braces(S)} \subseteq x]"

    def latex(self, x, z):
        return rf"2^{{|{x} \cap {z}|}}"


def _power_of_2(common):
    """2^common; ValueError where that is beyond all numbers."""
    most = int(common.max(initial=0))
    if most > 1023:
        raise ValueError(f"2^{most} is too large a number: Subsets() takes sets with at most 1023 common elements.")
    return np.exp2(common)


@dataclass(frozen=True, repr=False)
class Jaccard(Sets):
    """k(A, B) = |A ∩ B|/|A ∪ B|, the fraction of all elements that is common; 1 for two empty sets.

    It is a kernel because it is a probability: of all elements in a random order, the first that is in A is the first
    that is in B with probability |A ∩ B|/|A ∪ B|. So there is a feature [e ∈ A, no element of P is] for each e and each
    set P of elements that may stand before it, with the root of the probability that exactly these do as its weight.

    >>> Jaccard()({1, 2, 3}, {2, 3, 4})
    0.5
    """

    def gram(self, X, Z):
        K = Overlap().gram(X, Z)
        union = np.add.outer(Overlap().diagonal(X), Overlap().diagonal(Z)) - K
        return np.where(union > 0, K / np.maximum(union, 1), 1.0)

    def diagonal(self, X):
        return np.ones(len(X))

    def parts(self, x, over):
        before = list(_subsets(e for e in over if e not in check_made_of(x, over)))
        return {(e, P): sqrt(_probability(P, over)) for e in x for P in before} or {_EMPTY: 1}

    def all_parts(self, over):
        return [_EMPTY, *((e, P) for e in over for P in _subsets(o for o in over if o != e))]

    def how_many(self, n):
        return 1 + n * 2**n // 2

    def named(self, part, over):
        if part == _EMPTY:
            return r"[x = \{\}]"
        e, P = part
        weight = latex.root(_probability(P, over))
        return latex.times(weight, rf"[{spelled(e)} \in x,\, x \cap {_braces(P)} = \{{\}}]")

    def latex(self, x, z):
        return rf"\frac{{|{x} \cap {z}|}}{{|{x} \cup {z}|}}"


_EMPTY = (None, None)  # Jaccard's feature of the empty set


def _probability(P, over):
    """That in a random order of all elements exactly those of P stand before a given other one: |P|! (n−1−|P|)!/n!"""
    return 1 / (len(over) * comb(len(over) - 1, len(P)))


def _subsets(elements):
    """Every subset of the elements, as a frozen set."""
    elements = tuple(elements)
    return (frozenset(S) for size in range(len(elements) + 1) for S in combinations(elements, size))


def _braces(S):
    return r"\{" + ", ".join(sorted(map(spelled, S))) + r"\}"
