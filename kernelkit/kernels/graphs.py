"""Kernels of labelled graphs: the colours and the walks that two have in common."""

from collections import Counter
from dataclasses import dataclass

import numpy as np

from kernelkit import features as phi
from kernelkit.arrays import of_each_pair, shared
from kernelkit.checks import check_array, check_memory, check_number, check_whole, names_of, short
from kernelkit.features.objects import refined
from kernelkit.kernels.base import Kernel
from kernelkit.latex import PRODUCT, SUM
from kernelkit.objects import check_told_apart, check_world, in_order, read_objects


class Graphs(Kernel):
    """A kernel of labelled graphs: one point is a tuple (adjacency, labels), a collection a list of them.

    adjacency (n, n), numbers ≥ 0, 0 where there is no edge from the row to the column: an edge without a direction
    stands in it twice; labels n of any kind, a string for n letters, a dict {0: label, …, n − 1: label} in this
    order, or {name: label, …} for an adjacency that is a table with these names.
    """

    points = "graphs"

    def read(self, X, name="X"):
        return read_objects(X, name, "a graph (adjacency, labels)", "([[0, 1], [1, 0]], 'CO')", read_graph)


@dataclass(frozen=True, repr=False)
class WeisfeilerLehman(Graphs):
    """k(x, z) = Σ_c |x|_c |z|_c over all colours c: how many vertices of x and of z have it, in rounds 0 … rounds.

    In round 0 the colour of a vertex is its label; in each further round it becomes the colour and the colours of the
    neighbours, sorted (Shervashidze et al. 2011). Weights of edges do not matter.  rounds : whole, ≥ 0.
    ``feature_map(over=graphs)`` counts the colours that these graphs have.

    >>> path = [[0, 1, 0], [1, 0, 1], [0, 1, 0]]
    >>> WeisfeilerLehman(1)((path, "COC"), (path, "OCO"))
    4.0
    """

    rounds: int = 3
    latex_binds = SUM

    def __post_init__(self):
        object.__setattr__(self, "rounds", check_whole(self.rounds, "rounds"))

    def gram(self, X, Z):
        _, counts = refined(X if Z is X else [*X, *Z], self.rounds)
        return shared(counts, counts) if Z is X else shared(counts[: len(X)], counts[len(X) :])

    def diagonal(self, X):
        return np.array([sum(n**2 for n in count.values()) for count in refined(X, self.rounds)[1]], float)

    def feature_map(self, degree=None, over=None):
        return phi.Colours(self, tuple(self.read(check_world(over, self, "[x, z]"), "over")[0]))

    def latex(self, x, z):
        return rf"\sum_{{c}} |{x}|_c\,|{z}|_c"


@dataclass(frozen=True, repr=False)
class Walks(Graphs):
    """k(x, z) = Σ_m γ^m · (the number of walks of m steps in x and in z at once, with the same labels) = 1ᵀ(I − γA)⁻¹1.

    A is the adjacency of the product of the graphs, whose vertices are the pairs with the same label (Gärtner et al.
    2003). It is a kernel because its features are the walks of each sequence of labels, times √γ^m.
    decay : γ > 0. The sum is finite where γ times the product of the largest degrees is below 1; so a graph is refused
    whose largest degree Δ has γΔ² ≥ 1, and any two that are not may meet.  O((|x| |z|)³) for a pair.

    >>> edge = ([[0, 1], [1, 0]], "CO")
    >>> round(Walks(0.5)(edge), 4)  # 2(1 + γ + γ² + …)
    4.0
    """

    decay: float = 0.05
    latex_binds = PRODUCT

    def __post_init__(self):
        object.__setattr__(self, "decay", check_number(self.decay, "decay", above=0))

    def read(self, X, name="X"):
        graphs, one = super().read(X, name)
        for i, (A, _) in enumerate(graphs):
            degree = A.sum(axis=1).max(initial=0)
            if self.decay * degree**2 >= 1:
                raise ValueError(
                    f"{self!r} needs decay × (largest degree)² < 1, or walks without end are counted, but "
                    f"{name if one else f'{name}[{i}]'} has degree {degree:g}; a decay below {degree**-2:.4g} does."
                )
        return graphs, one

    def gram(self, X, Z):
        return of_each_pair(self._walks, X, Z)

    def _walks(self, x, z):
        (A, labels), (B, others) = x, z
        n = sum(count * Counter(others)[label] for label, count in Counter(labels).items())
        what = f"The walks of two graphs with {n:,} pairs of vertices of one label need"
        check_memory(4 * n, n, what, "take smaller graphs")  # A[i, i], B[j, j] and what is made of them
        same = [(i, j) for i, a in enumerate(labels) for j, b in enumerate(others) if a == b]
        i, j = np.array(same, int).reshape(-1, 2).T
        both = A[np.ix_(i, i)] * B[np.ix_(j, j)]
        return np.linalg.solve(np.eye(len(i)) - self.decay * both, np.ones(len(i))).sum()

    def latex(self, x, z):
        return rf"\mathbf{{1}}^\top (I - {self.decay:g}\,A_{{{x} \times {z}}})^{{-1}}\,\mathbf{{1}}"


def read_graph(graph, name):
    """(adjacency, labels) as an array and a tuple; None for what is no pair."""
    if not isinstance(graph, tuple) or len(graph) != 2:
        return None
    names = names_of(graph[0])
    if len({*names}) > 1:
        raise ValueError(f"The rows and columns of the adjacency of {name} must be in one order, got {short(names)}.")
    A = check_array(graph[0], f"The adjacency of {name}")
    A = A.reshape(0, 0) if A.size == 0 else A
    if A.ndim != 2 or A.shape[0] != A.shape[1]:
        raise ValueError(f"The adjacency of {name} must be a square matrix, got shape {A.shape}.")
    if A.min(initial=0) < 0:
        raise ValueError(f"The adjacency of {name} must hold numbers ≥ 0, got {A.min():.4g}.")
    return A, _read_labels(graph[1], names[0] if len(names) == 2 else range(len(A)), name)


def _read_labels(labels, vertices, name):
    """The labels of the vertices, given by their names, as a tuple: letters, by their order, or by vertex."""
    if hasattr(labels, "to_dict") and labels.ndim == 1:  # a column of a table, by its index
        labels = labels.to_dict()
    if isinstance(labels, dict):
        found = [labels[v] for v in vertices] if {*labels} == {*vertices} and len(labels) == len(vertices) else None
        if found and isinstance(vertices, range) and [*labels] != [*vertices]:
            raise ValueError(
                f"The labels of {name} name its vertices in the order {short([*labels])}, but its adjacency does not "
                "say whose its rows are; pass the labels as a list in the order of the rows, or the adjacency as a "
                "table whose rows and columns have these names."
            )
    else:
        found = list(labels) if isinstance(labels, str) else in_order(labels)
    if found is None or len(found) != len(vertices):
        first = repr(vertices[0]) if len(vertices) else 0
        raise ValueError(
            f"{name} must have a label for each of its {len(vertices)} vertices, as a list, a string or a dict "
            f"{{{first}: …}}, got {short(labels)}."
        )
    return tuple(check_told_apart(found, f"The labels of {name}"))
