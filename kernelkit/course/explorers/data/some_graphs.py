"""Small graphs from a line of text, such as "C1-C2-O": read, laid out in the plane, and refined."""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

MOST = 10  # vertices of one graph
LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True)
class Graph:
    """names : of the vertices, such as "C1", a letter in front being the label.  edges : pairs of numbers i < j."""

    names: tuple
    edges: tuple

    @property
    def labels(self):
        return tuple(name[0] if name[0].isalpha() else "•" for name in self.names)

    @property
    def adjacency(self):
        A = np.zeros((len(self.names), len(self.names)), int)
        for i, j in self.edges:
            A[i, j] = A[j, i] = 1
        return A

    def text(self):
        """A line that reads as this graph."""
        joined = {i for edge in self.edges for i in edge}
        alone = [name for i, name in enumerate(self.names) if i not in joined]
        return " ".join([*(f"{self.names[i]}-{self.names[j]}" for i, j in self.edges), *alone])

    def relabelled(self, vertex, labels):
        """The same graph with the next of these labels, letters or "" for none, at one vertex."""
        names = [*self.names]
        own = names[vertex][0] if names[vertex][0].isalpha() else ""
        label = labels[(labels.index(own) + 1) % len(labels)] if own in labels else labels[0]
        names[vertex] = next(name for name in (f"{label}{i}" for i in range(1, 99)) if name not in self.names)
        return Graph(tuple(names), self.edges)


@lru_cache(maxsize=512)
def read_graph(text):
    """The graph of a line of paths: C1-C2-O has two edges. Raises ValueError in one sentence."""
    numbers, edges = {}, set()
    for path in re.split(r"[\s,;]+", text.strip().replace("−", "-")):
        ends = [numbers.setdefault(_vertex(name), len(numbers)) for name in path.split("-")]
        for i, j in pairwise(ends):
            if i == j:
                raise ValueError(f"In {path} a vertex is its own neighbour: join two different ones.")
            edges.add((min(i, j), max(i, j)))
    if len(numbers) > MOST:
        raise ValueError(f"These are {len(numbers)} vertices; at most {MOST} are drawn here.")
    return Graph(tuple(numbers), tuple(sorted(edges)))


def _vertex(name):
    if not re.fullmatch(r"[A-Za-z]\d?\d?|\d\d?", name):
        said = f"“{name[:12]}” is not a vertex" if name else "There is no vertex"
        raise ValueError(f"{said}: write paths such as C1-C2-O, each vertex a letter, a number or both.")
    return name


@lru_cache(maxsize=512)
def layout(graph):
    """Places (n, 2) in [−1, 1] × [−.8, .8] of the vertices, whose distances are near to those along the edges."""
    D, n = _distances(graph), len(graph.names)
    angle = np.pi / 2 - 2 * np.pi * np.arange(n) / n
    P = D.max() / 2 * np.column_stack([np.cos(angle), np.sin(angle)])
    W = 1 / np.where(D > 0, D, np.inf) ** 2
    inverse = np.linalg.pinv(np.diag(W.sum(axis=1)) - W)
    for _ in range(60):  # each step lowers the sum of W times the squared differences to the wanted distances
        gaps = np.linalg.norm(P[:, None] - P[None], axis=2) + np.eye(n)
        B = W * D / np.maximum(gaps, 1e-9)
        P = inverse @ (B.sum(axis=1)[:, None] * P - B @ P)
    P = (P - P.mean(axis=0)) @ np.linalg.svd(P - P.mean(axis=0))[2].T  # the longest side lies
    P -= (P.max(axis=0) + P.min(axis=0)) / 2
    P /= max(np.abs(P / (1, 0.8)).max(), 1e-9)
    P.setflags(write=False)
    return P


def _distances(graph):
    """How many edges are between each two vertices; between parts that are not joined, one more than in any part."""
    n = len(graph.names)
    D = np.where(graph.adjacency > 0, 1.0, np.inf)
    np.fill_diagonal(D, 0)
    for i in range(n):
        D = np.minimum(D, D[:, i : i + 1] + D[i : i + 1])
    return np.where(np.isinf(D), D[np.isfinite(D)].max() + 1.5, D)


def refine(graphs, rounds):
    """Of each round 0 … rounds: the colours of the vertices of each graph, numbered, and what each colour stands for.

    In round 0 that is a label, then (the colour before, the sorted colours of the neighbours).
    """
    near = [[np.flatnonzero(row).tolist() for row in graph.adjacency] for graph in graphs]
    told, found = [list(graph.labels) for graph in graphs], []
    for _ in range(rounds + 1):
        meanings = {}
        colours = [[meanings.setdefault(meaning, len(meanings)) for meaning in own] for own in told]
        found.append((colours, list(meanings)))
        told = [
            [(own[i], tuple(sorted(own[j] for j in around))) for i, around in enumerate(neighbours)]
            for own, neighbours in zip(colours, near, strict=True)
        ]
    return found


def counts(colours, number):
    """How many vertices of each graph have each of so many colours: (graphs, number)."""
    return np.array([np.bincount(own, minlength=number) for own in colours])
