"""Feature maps of what is not a vector: how much of each part of a small given world is in it."""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb
from numbers import Integral, Number

import numpy as np

from kernelkit import latex
from kernelkit.arrays import shared, squared_distance
from kernelkit.checks import check_columns, check_one_order, check_rows, check_width, names_of, read_points, short
from kernelkit.features.base import FeatureMap, Unary
from kernelkit.objects import check_probabilities, frozen, in_order, read_bags, read_objects, sorted_repr


@dataclass(frozen=True, repr=False)
class Parts(FeatureMap):
    """Φ_u(x) = how much of the part u is in the object x, for each u of a given world.

    of : what knows the objects, a kernel: it reads them, gives the features of one that are not 0 as a dictionary
    {u: how much} by ``parts(x, elements)``, and writes one in LaTeX by ``named(u, elements)``.
    world : the parts u, each once.  elements : what objects are made of, such as letters, where the world is all that
    can be made of them. Other parts are not counted: Φ(x)ᵀΦ(z) is exact if those of x or of z all are in the world.
    """

    of: object
    world: tuple
    elements: tuple | None = None

    def __post_init__(self):
        object.__setattr__(self, "world", tuple(dict.fromkeys(self.world)))

    def __repr__(self):
        elements = "" if self.elements is None else f", {sorted_repr(self.elements)}"
        return f"Parts({self.of!r}, {sorted_repr(self.world)}{elements})"

    @property
    def points(self):
        return self.of.points

    def read(self, X, name="X"):
        return self.of.read(X, name)

    @cached_property
    def _columns(self):
        return {u: j for j, u in enumerate(self.world)}

    def matrix(self, X):
        self._check_memory(len(X), self.dim())
        Phi = np.zeros((len(X), len(self.world)))
        for row, x in zip(Phi, X, strict=True):
            for u, amount in self.of.parts(x, self.elements).items():
                if u in self._columns:
                    row[self._columns[u]] = amount
        return Phi

    def dim(self, d=1):
        return len(self.world)

    def names_from(self, symbols):
        return [self.of.named(u, self.elements) for u in self.world]

    def error(self, X, Z):
        """What the parts outside the world would add; zero where one of the two has none."""
        there = {u for x in [*X, *Z] for u in self.of.parts(x, self.elements)}
        outside = Parts(self.of, tuple(there - self._columns.keys()), self.elements)
        return np.abs(outside.matrix(X) @ outside.matrix(Z).T)

    def latex(self, x):
        return rf"\big(|{x}|_u\big)_{{u = 1 \dots {len(self.world)}}}"


@dataclass(frozen=True, repr=False)
class Mean(Unary):
    """The mean of Φ over a bag of points: where a distribution lies in feature space, estimated from a sample."""

    phi: FeatureMap

    @property
    def points(self):
        return f"bags of {self.phi.points}"

    def read(self, X, name="X"):
        return read_bags(self.phi, X, name, self.points)

    def matrix(self, X):
        means = (self.phi.checked_matrix(bag).mean(axis=0) for bag in X)
        first = next(means)
        self._check_memory(len(X), len(first))
        return np.array([first, *means])

    def names_from(self, symbols):
        return [rf"\overline{{{name}}}" for name in self.phi.names_from(symbols)]

    def error(self, X, Z):
        return np.array([[self.phi.error(x, z).mean() for z in Z] for x in X])

    def latex(self, x):
        return rf"\frac{{1}}{{|{x}|}} \sum_{{a \in {x}}} {self.phi.latex('a')}"


@dataclass(frozen=True, repr=False)
class Orders(FeatureMap):
    """sign(x_i − x_j) for each pair i < j of items: which of the two a ranking x puts first.  D = d(d−1)/2.

    >>> Orders()([2, 1, 3]).tolist()
    [1.0, -1.0, -1.0]
    """

    points = "permutations"

    def read(self, X, name="X"):
        """Vectors of ranks (n, d), each 1 … d once or 0 … d − 1 once, and whether X was one of them."""
        X, one = read_points(X, name)
        if X.shape[1] < 2:
            raise ValueError(f"A permutation must rank at least 2 items, got {X.shape[1]} in {name}.")
        expected = X.min(axis=1, keepdims=True) + np.arange(X.shape[1])
        wrong = np.flatnonzero((np.sort(X, axis=1) != expected).any(axis=1) | ~np.isin(X.min(axis=1), (0, 1)))
        if len(wrong):
            row = short(X[wrong[0]].tolist())
            ranks = X.shape[1]
            raise ValueError(f"A permutation must hold each of the ranks 1 … {ranks} once, got {row} in {name}.")
        return X, one

    def matrix(self, X):
        i, j = np.triu_indices(X.shape[1], 1)
        return np.sign(X[:, i] - X[:, j])

    def dim(self, d):
        return comb(d, 2)

    def names_from(self, symbols):
        return [rf"\mathrm{{sign}}({s} - {t})" for s, t in combinations(symbols, 2)]

    def latex(self, x):
        return rf"\big(\mathrm{{sign}}({latex.indexed(x, 'i')} - {latex.indexed(x, 'j')})\big)_{{i < j}}"


@dataclass(frozen=True, repr=False)
class MixtureScore(FeatureMap):
    """∇ log p(x) of a Gaussian mixture in the logits of its weights: for each component, responsibility minus weight.

    weights (c,), means (c, d), sigma > 0, the deviation of each component in each direction.
    """

    weights: tuple
    means: tuple
    sigma: float = 1.0

    def __post_init__(self):
        check_one_order([*names_of(self.weights)[:1], *names_of(self.means)[:1]], "The components")
        object.__setattr__(self, "weights", tuple(check_probabilities(self.weights, "weights").tolist()))
        object.__setattr__(self, "means", check_rows(self.means, "means"))
        object.__setattr__(self, "sigma", check_width(self.sigma, "sigma"))
        if len(self.weights) != len(self.means):
            raise ValueError(f"means must hold one row for each of the {len(self.weights)} weights, got {self.means}.")

    def matrix(self, X):
        weights = np.array(self.weights)
        squares = squared_distance(X, check_columns(np.array(self.means), "means", X))
        squares[:, weights == 0] = np.inf  # such a component takes part nowhere
        squares -= squares.min(axis=1, keepdims=True)  # how much farther than the nearest, which changes no ratio
        with np.errstate(over="ignore"):
            near = weights * np.exp(-squares / self.sigma / self.sigma / 2)
        return near / near.sum(axis=1, keepdims=True) - weights  # P(component | x) − P(component)

    def dim(self, d):
        return len(self.weights)

    def names_from(self, symbols):
        x = latex.vector(symbols)
        return [f"P({c} | {x}) - {weight:g}" for c, weight in enumerate(self.weights, 1)]

    def latex(self, x):
        return rf"\nabla \log p({x})"


@dataclass(frozen=True, repr=False)
class MarkovScore(FeatureMap):
    """∇ log p(x) of a Markov chain in the logits of its start and transitions: counts minus expected counts.

    start (s,), transitions (s, s), rows with the sum 1. A point is a sequence of states 0 … s − 1, of any length.
    D = s + s²: [x_1 = i] − P(i), then N_ij − N_i P(j | i) for the number N_ij of steps from i to j.
    """

    start: tuple
    transitions: tuple
    points = "sequences"

    def __post_init__(self):
        check_one_order([*names_of(self.start), *names_of(self.transitions)], "The states")
        start = check_probabilities(self.start, "start")
        transitions = check_probabilities(self.transitions, "transitions", ndim=2)
        if transitions.shape != 2 * start.shape:
            raise ValueError(f"transitions must have shape {2 * start.shape}, got {transitions.shape}.")
        object.__setattr__(self, "start", tuple(start.tolist()))
        object.__setattr__(self, "transitions", check_rows(transitions, "transitions"))

    def read(self, X, name="X"):
        return read_objects(X, name, "a sequence of states", "[0, 1, 1]", self._read_one)

    def _read_one(self, x, name):
        states = in_order(x) or ()
        if not any(isinstance(state, Number) for state in states):
            return None
        if not all(isinstance(state, Integral) and 0 <= state < len(self.start) for state in states):
            raise ValueError(f"{name} must hold states, whole numbers 0 … {len(self.start) - 1}, got {short(x)}.")
        return tuple(map(int, states))

    def matrix(self, X):
        s = len(self.start)
        P = np.array(self.transitions)
        Phi = np.empty((len(X), s + s * s))
        for row, x in zip(Phi, X, strict=True):
            N = np.zeros((s, s))
            np.add.at(N, (x[:-1], x[1:]), 1)
            row[:s] = np.eye(s)[x[0]] - self.start
            row[s:] = (N - N.sum(axis=1, keepdims=True) * P).ravel()
        return Phi

    def dim(self, d=1):
        return len(self.start) * (1 + len(self.start))

    def names_from(self, symbols):
        first = [f"[x_1 = {i}] - {p:g}" for i, p in enumerate(self.start)]
        steps = [f"N_{{{i}{j}}} - {p:g}\\,N_{i}" for i, row in enumerate(self.transitions) for j, p in enumerate(row)]
        return first + steps

    def latex(self, x):
        return rf"\nabla \log p({x})"


@dataclass(frozen=True, repr=False)
class Colours(FeatureMap):
    """How many vertices of a graph have each of the colours that a few graphs have after 0 … rounds refinements.

    of : what reads graphs and has ``rounds``, a kernel.  graphs : as it reads them, (adjacency, labels). Other colours
    are not counted: Φ(x)ᵀΦ(z) is exact if x or z is one of these graphs.
    """

    of: object
    graphs: tuple
    points = "graphs"

    def __post_init__(self):
        object.__setattr__(self, "graphs", frozen(self.graphs))

    def __repr__(self):
        return f"Colours({self.of!r}, {self.graphs!r})"

    @cached_property
    def _graphs(self):
        return self.read(list(self.graphs), "graphs")[0]

    def read(self, X, name="X"):
        return self.of.read(X, name)

    def _counts(self, X):
        """The colours that there are, and of each further graph of X how many vertices have which."""
        counts = refined([*self._graphs, *X], self.of.rounds)[1]
        own = len(self.graphs)
        return sorted({c for count in counts[:own] for c in count}), counts[own:]

    def matrix(self, X):
        colours, counts = self._counts(X)
        return np.array([[count[c] for c in colours] for count in counts], float).reshape(len(X), len(colours))

    def dim(self, d=1):
        return len(self._counts([])[0])

    def names_from(self, symbols):
        definitions, _ = refined(self._graphs, self.of.rounds)
        return [rf"|x|_{{{latex.spelled(_name(c, definitions))}}}" for c in self._counts([])[0]]

    def error(self, X, Z):
        colours, counts = self._counts([*X, *Z])
        outside = [{c: count[c] for c in count if c not in {*colours}} for count in counts]
        return shared(outside[: len(X)], outside[len(X) :])

    def latex(self, x):
        return rf"\big(|{x}|_c\big)_{{c = 1 \dots {self.dim()}}}"


def refined(graphs, rounds):
    """What each colour stands for, and of each graph {colour: how many vertices have it in rounds 0 … rounds}.

    A colour of round 0 is a label; of the next round a colour and the sorted colours of the neighbours. Equal ones
    have the same number in all of the graphs.
    """
    numbers = {}
    counts = [Counter() for _ in graphs]
    neighbours = [[np.flatnonzero(row).tolist() for row in A] for A, _ in graphs]
    colours = [[numbers.setdefault((0, label), len(numbers)) for label in labels] for _, labels in graphs]
    for r in range(rounds + 1):
        if r > 0:
            told = [
                [(r, c, tuple(sorted(old[j] for j in near))) for c, near in zip(old, around, strict=True)]
                for old, around in zip(colours, neighbours, strict=True)
            ]
            colours = [[numbers.setdefault(meaning, len(numbers)) for meaning in graph] for graph in told]
        for count, graph in zip(counts, colours, strict=True):
            count.update(graph)
    return list(numbers), counts


def _name(colour, definitions):
    """C(HHO): a vertex that was C among neighbours that were H, H and O."""
    _, old, *around = definitions[colour]
    return f"{_name(old, definitions)}({''.join(_name(c, definitions) for c in around[0])})" if around else str(old)
