"""At least one example of every kernel, its formula written out, and points to try it on: a new kernel adds a line."""

import math
from itertools import combinations, pairwise, product

import numpy as np

from kernelkit.features import Circle, Monomials, Orders
from kernelkit.kernels import (
    Alignments,
    Bhattacharyya,
    ChainProduct,
    Conjugate,
    Constant,
    Exp,
    FisherMarkov,
    FisherMixture,
    FromFeatures,
    Gaussian,
    Intersection,
    Jaccard,
    Kendall,
    Laplace,
    Linear,
    Mallows,
    Matern,
    MeanMap,
    MixtureProduct,
    Normalized,
    Overlap,
    Periodic,
    Polynomial,
    Precomputed,
    Pullback,
    Quadratic,
    RationalQuadratic,
    Subsequences,
    Subsets,
    Substrings,
    Subtrees,
    Walks,
    WeisfeilerLehman,
)


def sines(X):
    return np.sin(X @ np.ones((np.shape(X)[-1], 2)) * [1.0, 2.0])


def first(X):
    return np.asarray(X)[..., 0]


# ---- by the definition: slow, and in no words of the package ------------------------------------


def gaussian(x, z, sigma):
    return math.exp(-(math.dist(x, z) ** 2) / (2 * sigma**2))


def one_norm(x, z):
    return sum(abs(x - z))


def squared_sines(x, z):
    return sum(np.sin(np.pi * (x - z) / 2.5) ** 2)


def matern_five_halves(r):
    return (1 + 5**0.5 * r + 5 * r**2 / 3) * math.exp(-(5**0.5) * r)


def gradient(f, logits):
    """∇f by a tiny step in the imaginary direction: no difference, so no digit is lost."""
    return np.array([np.imag(f(logits + 1e-30j * e)) for e in np.eye(len(logits))]) / 1e-30


def mixture_score(x):
    """∇ log p(x) in the logits of the weights 0.3 and 0.7 of N((0, 0, 0), 0.8² I) and N((1, 1, 0), 0.8² I)."""
    p = [gaussian(x, mean, 0.8) for mean in ((0, 0, 0), (1, 1, 0))]
    return gradient(lambda logits: np.log(np.exp(logits) @ p / np.exp(logits).sum()), np.log([0.3, 0.7]))


def log_written(logits, x, s=2):
    """log p(x) of a chain of s states whose start and transitions have these logits."""
    start, T = logits[:s], logits[s:].reshape(s, s)
    value = start[x[0]] - np.log(np.exp(start).sum())
    return value + sum(T[i, j] - np.log(np.exp(T[i]).sum()) for i, j in pairwise(x))


def chain_score(x, start, T):
    return gradient(lambda logits: log_written(logits, x), np.log([*start, *np.ravel(T)]))


def written(chain, u):
    """p(u): the sum over every path of states that writes u."""
    start, T = chain[:2]
    E = chain[2] if len(chain) == 3 else np.eye(len(start))
    paths = product(range(len(start)), repeat=len(u))
    steps = ((path, math.prod(T[i][j] for i, j in pairwise(path))) for path in paths)
    return sum(start[path[0]] * p * math.prod(E[i][v] for i, v in zip(path, u, strict=True)) for path, p in steps)


def readings(x, length):
    """Every choice of so many places in x: the word that is read there, and its span."""
    return [("".join(x[j] for j in i), i[-1] - i[0] + 1) for i in combinations(range(len(x)), length)]


def subsequences(x, z, length, decay):
    return sum(decay ** (a + b) for u, a in readings(x, length) for v, b in readings(z, length) if u == v)


def substrings(x, z, length):
    return sum(a == b == length for u, a in readings(x, length) for v, b in readings(z, length) if u == v)


def nodes(tree):
    """The nodes that have children."""
    inner = isinstance(tree, tuple) and len(tree) > 1
    return [tree, *(node for child in tree[1:] for node in nodes(child))] if inner else []


def production(tree):
    return [tree[0], *(child if isinstance(child, str) else child[0] for child in tree[1:])]


def common_fragments(a, b, decay):
    """C(a, b) of Collins and Duffy, as it stands there."""
    if len(a) == 1 or production(a) != production(b):
        return 0.0
    pairs = zip(a[1:], b[1:], strict=True)
    inner = ((c, d) for c, d in pairs if isinstance(c, tuple) and isinstance(d, tuple))
    return decay * math.prod(1 + common_fragments(c, d, decay) for c, d in inner)


def fragments(x, z, decay):
    return sum(common_fragments(a, b, decay) for a in nodes(x) for b in nodes(z))


def ways(n, m):
    """Every way from (0, 0) to (n − 1, m − 1) by steps (1, 0), (0, 1), (1, 1), as lists of pairs."""
    if n == 1 and m == 1:
        return [[(0, 0)]]
    ends = [(a, b) for a, b in ((n - 1, m), (n, m - 1), (n - 1, m - 1)) if a > 0 and b > 0]
    return [[*way, (n - 1, m - 1)] for a, b in ends for way in ways(a, b)]


def aligned(x, z, k):
    k_0 = [[k(a, b) / (2 - k(a, b)) for b in z] for a in x]
    return sum(math.prod(k_0[i][j] for i, j in way) for way in ways(len(x), len(z)))


def discordant(x, z):
    return sum((x[i] - x[j]) * (z[i] - z[j]) < 0 for i, j in combinations(range(len(x)), 2))


def heard(graph, rounds):
    """Of each vertex in each round, the nested tuples of all that it has heard of: (itself, the sorted ones around)."""
    A, labels = np.array(graph[0]), graph[1]
    now = [(label,) for label in labels]
    seen = list(now)
    for _ in range(rounds):
        now = [(now[i], tuple(sorted(now[j] for j in np.flatnonzero(A[i])))) for i in range(len(now))]
        seen += now
    return seen


def common_walks(x, z, decay):
    """Σ γ^m · (the walks of m steps in both at once): V_ij weighs those that start at the vertices i and j."""
    A, B = (np.reshape(adjacency, 2 * [len(labels)]) for adjacency, labels in (x, z))
    alike = np.reshape([float(a == b) for a in x[1] for b in z[1]], (len(A), len(B)))
    V, total = alike, 0.0
    for _ in range(99):
        total += V.sum()
        V = decay * alike * (A @ V @ B.T)
    return total


STEP = 0.25  # so close that for densities as wide as these the sum over the plane is the integral, to 13 digits
PLANE = np.stack(np.meshgrid(*2 * [np.arange(-24, 24, STEP)]), axis=-1).reshape(-1, 2)


def density(mean, C):
    d = PLANE - mean
    return np.exp(-np.sum(d @ np.linalg.inv(C) * d, axis=1) / 2) / (2 * np.pi * np.sqrt(np.linalg.det(C)))


def mixed(weights, means, sigma):
    return sum(w * density(mean, sigma**2 * np.eye(2)) for w, mean in zip(weights, means, strict=True))


A = ((2.0, 1.0, 0.0), (1.0, 2.0, 0.0), (0.0, 0.0, 0.0))  # singular
COIN = [0.5, 0.5], [[0.5, 0.5], [0.25, 0.75]]

FORMULAS = [
    (Linear(), lambda x, z: x @ z),
    (Constant(2.5), lambda x, z: 2.5),
    (Polynomial(3), lambda x, z: (x @ z + 1) ** 3),
    (Polynomial(3, 0), lambda x, z: (x @ z) ** 3),
    (Polynomial(5, 0.5), lambda x, z: (x @ z + 0.5) ** 5),
    (Polynomial(0), lambda x, z: 1.0),
    (Quadratic(A), lambda x, z: x @ np.array(A) @ z),
    (Gaussian(0.7), lambda x, z: gaussian(x, z, 0.7)),
    (Laplace(0.7), lambda x, z: math.exp(-one_norm(x, z) / 0.7)),
    (Matern(0.7, 0.5), lambda x, z: math.exp(-math.dist(x, z) / 0.7)),
    (Matern(2), lambda x, z: (1 + 3**0.5 * math.dist(x, z) / 2) * math.exp(-(3**0.5) * math.dist(x, z) / 2)),
    (Matern(0.7, 2.5), lambda x, z: matern_five_halves(math.dist(x, z) / 0.7)),
    (RationalQuadratic(0.7, 0.3), lambda x, z: (1 + math.dist(x, z) ** 2 / (2 * 0.3 * 0.7**2)) ** -0.3),
    (Periodic(1.5, 2.5), lambda x, z: math.exp(-2 * squared_sines(x, z) / 1.5**2)),
    (Intersection(), lambda x, z: sum(np.minimum(x, z))),
    (Normalized(Linear()), lambda x, z: x @ z / (np.linalg.norm(x) * np.linalg.norm(z))),
    (Normalized(Polynomial(2)), lambda x, z: (x @ z + 1) ** 2 / ((x @ x + 1) * (z @ z + 1))),
    (Normalized(Intersection()), lambda x, z: sum(np.minimum(x, z)) / math.sqrt(sum(x) * sum(z))),
    (Exp(Linear()), lambda x, z: math.exp(x @ z)),
    (3 * Linear(), lambda x, z: 3 * (x @ z)),
    (Linear() * 3, lambda x, z: 3 * (x @ z)),
    (Linear() + 2, lambda x, z: x @ z + 2),
    (2 + Linear(), lambda x, z: x @ z + 2),
    (Linear() + Gaussian(1), lambda x, z: x @ z + gaussian(x, z, 1)),
    (Linear() * Gaussian(1), lambda x, z: x @ z * gaussian(x, z, 1)),
    (Linear() ** 3, lambda x, z: (x @ z) ** 3),
    (3 * Linear() ** 2 + 2 * Linear() + 1, lambda x, z: 3 * (x @ z) ** 2 + 2 * (x @ z) + 1),
    (Conjugate(first, Linear()), lambda x, z: x[0] * (x @ z) * z[0]),
    (Pullback(Linear(), sines), lambda x, z: sines(x) @ sines(z)),
    (Pullback(Linear(), Circle(2.0)), lambda x, z: sum(np.cos(np.pi * (x - z)))),
    (FromFeatures(sines), lambda x, z: sines(x) @ sines(z)),
    (FromFeatures(Monomials(2)), lambda x, z: (x @ z + 1) ** 2),
    (FisherMixture([0.3, 0.7], [[0, 0, 0], [1, 1, 0]], 0.8), lambda x, z: mixture_score(x) @ mixture_score(z)),
    (0 * Linear(), lambda x, z: 0.0),
    (Constant(0) + Linear(), lambda x, z: x @ z),
    (Overlap(), lambda a, b: len(a & b)),
    (Jaccard(), lambda a, b: len(a & b) / len(a | b) if a | b else 1),
    (Subsets(), lambda a, b: 2 ** len(a & b)),
    (Substrings(2), lambda x, z: substrings(x, z, 2)),
    (Subsequences(2, 0.5), lambda x, z: subsequences(x, z, 2, 0.5)),
    (Subtrees(0.5), lambda x, z: fragments(x, z, 0.5)),
    (Alignments(Gaussian(1.5)), lambda x, z: aligned(x, z, lambda a, b: gaussian(a, b, 1.5))),
    (ChainProduct(3), lambda p, q: sum(written(p, u) * written(q, u) for u in product((0, 1), repeat=3))),
    (FisherMarkov(*COIN), lambda x, z: chain_score(x, *COIN) @ chain_score(z, *COIN)),
    (Kendall(), lambda x, z: 1 - 2 * discordant(x, z) / math.comb(len(x), 2)),
    (Mallows(0.5), lambda x, z: math.exp(-0.5 * discordant(x, z))),
    (FromFeatures(Orders()), lambda x, z: math.comb(len(x), 2) - 2 * discordant(x, z)),
    (WeisfeilerLehman(2), lambda x, z: sum(a == b for a in heard(x, 2) for b in heard(z, 2))),
    (Walks(0.1), lambda x, z: common_walks(x, z, 0.1)),
    (MeanMap(Gaussian(1.0)), lambda x, z: np.mean([gaussian(a, b, 1) for a in x for b in z])),
    (MeanMap(Linear()), lambda x, z: np.mean(x, axis=0) @ np.mean(z, axis=0)),
    (Bhattacharyya(), lambda p, q: STEP**2 * np.sqrt(density(*p)) @ np.sqrt(density(*q))),
    (MixtureProduct(), lambda p, q: STEP**2 * mixed(*p) @ mixed(*q)),
]
EXAMPLES = [*(k for k, _ in FORMULAS), Precomputed()]  # a table of numbers has no formula

# ---- points -------------------------------------------------------------------------------------

GRID = np.linspace(0.25, 4, 16)  # the world of a kernel that asks for levels

PATH, TRIANGLE = [[0, 1, 0], [1, 0, 1], [0, 1, 0]], [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
SQUARE = [[0, 1, 0, 1], [1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 1, 0]]
SHE, HE = ("NP", "she"), ("NP", "he")
FAIR, SLOW = ([0.5, 0.5], [[0.5, 0.5], [0.5, 0.5]]), ([0.3, 0.7], [[0.9, 0.1], [0.2, 0.8]])
HIDDEN = ([1.0, 0.0, 0.0], [[0.1, 0.9, 0.0], [0.0, 0.5, 0.5], [1.0, 0.0, 0.0]], [[0.5, 0.5], [0.0, 1.0], [1.0, 0.0]])


def draws(*lengths, seed=0):
    return [np.random.default_rng(seed + n).standard_normal((n, 2)) for n in lengths]


COLLECTIONS = {  # by what a kernel takes: five objects, the last one empty where there is such a thing
    "sets": [{"a", "c"}, {"a", "r"}, {"t"}, frozenset("cat"), set()],
    "strings": ["cat", "cart", "tact", "attract", ""],
    "trees": [
        ("S", SHE, ("VP", "ran")),
        ("S", SHE, ("VP", "ran", ("PP", "to", HE))),
        ("S", HE, ("VP", "ran")),
        HE,
        ("S",),
    ],
    "series of vectors": draws(4, 3, 6, 1, 2),
    "chains": [FAIR, SLOW, HIDDEN, ([1.0, 0.0], [[0.0, 1.0], [1.0, 0.0]]), ([1.0], [[1.0]], [[0.2, 0.8]])],
    "sequences": [[0, 0, 0], [1, 1, 1, 1, 0], np.array([0, 1, 0, 1]), (0,), [1]],
    "permutations": np.array([[1, 2, 3, 4], [2, 1, 3, 4], [4, 3, 2, 1], [1, 3, 4, 2], [3, 4, 1, 2]]),
    "graphs": [(PATH, "COC"), (TRIANGLE, "COC"), (SQUARE, "CCOO"), (np.array(PATH), ["C", "C", "N"]), ([], "")],
    "bags of vectors": draws(4, 3, 6, 1, 2, seed=1),
    "Gaussians": [
        ([0, 0], [[1, 0], [0, 1]]),
        ([1, 0], [[2, 1], [1, 1]]),
        ([0, 3], [[0.1, 0], [0, 5]]),
        ([0, 0], [[9, 0], [0, 9]]),
        ([1, 1], [[1, 0.9], [0.9, 1]]),
    ],
    "mixtures": [
        ([1.0], [[0.0, 0.0]], 1.0),
        ([0.5, 0.5], [[0, 1], [2, 0]], 0.5),
        ([0.2, 0.8], [[0, 1], [2, 0]], 2.0),
        ([0.3, 0.3, 0.4], [[0, 1], [2, 0], [-1, -1]], 0.7),
        ([1.0], [[5.0, 5.0]], 0.5),
    ],
}
WORLDS = {  # over which the features are listed
    "sets": "acrt",
    "strings": "acrt",
    "trees": COLLECTIONS["trees"],
    "graphs": COLLECTIONS["graphs"],
    "chains": 2,
}
OBJECTS = [k for k in EXAMPLES if k.points in COLLECTIONS]
WITH_FEATURES = [k for k in OBJECTS if not isinstance(k, (Alignments, Bhattacharyya, MixtureProduct, Walks))]


def points(k, cloud):
    """Five points of the kind that k takes; vectors where it takes anything."""
    if k.points in COLLECTIONS:
        return COLLECTIONS[k.points]
    X = cloud(5, 3)
    return {"vectors": taken(k, X), "anything": X, "rows of a Gram matrix": X @ X.T}[k.points]


def width(k, X):
    """The dimension of the vectors in a collection as k reads it; any number where there are none."""
    return np.shape(X[0])[-1] if "vectors" in k.points or isinstance(X, np.ndarray) else 3


def world(k):
    """What ``feature_map`` of k needs to have finitely many features: a degree, and a world to list them over."""
    return {"degree": 2, "over": WORLDS.get(k.points, GRID)}


def taken(k, X):
    """The vectors X, or |X| for a kernel that takes no negative numbers."""
    try:
        return k.read(X)[0]
    except ValueError:
        return k.read(np.abs(X))[0]


def written_below(base):
    """Every class of the package that is made of this one, also one that is listed nowhere."""
    below = base.__subclasses__()
    return {c for c in below if c.__module__.startswith("kernelkit.")}.union(*map(written_below, below))
