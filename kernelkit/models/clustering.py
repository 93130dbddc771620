"""Groups of points by their distances in feature space (lecture E): around means, where they are dense, as a tree.

None of the three ever writes down a Φ(x): ‖Φ(x) − Φ(z)‖² and the distance to a mean come from k alone.
"""

import numpy as np

from kernelkit.arrays import TIED, first_largest
from kernelkit.checks import CLEARLY, check_array, check_number, check_whole, generator, not_a_kernel
from kernelkit.kernels import Gaussian
from kernelkit.models.distances import ROUNDING, ByDistance, has_differences, rounding_of_differences, rounding_of_sums
from kernelkit.models.estimator import KernelForm, Step
from kernelkit.models.reading import warn_unfinished
from kernelkit.models.unsupervised import Grouping, at_most_the_points

METHODS = ("single", "complete", "average", "ward")


class KernelKMeans(ByDistance, KernelForm, Grouping):
    """k-means in feature space: every point to the nearest mean, every mean from its points, again (lecture E).

        minimise Σ_i ‖Φ(X_i) − μ_c(i)‖²,   μ_c = Σ_i a_ic Φ(X_i)   with a_ic = 1/n_c for the n_c points of group c
        ‖Φ(x) − μ_c‖² = k(x, x) − 2 Σ_i a_ic k(X_i, x) + a_cᵀKa_c

    kernel : k.  n_clusters : groups.  n_init : starts, of which the best is kept.  max_iter : steps of each at most; a
    warning says if they were too few.
    random_state : of the starts, points far from each other (k-means++); None always takes the same.
    A group that has lost its points gets the one farthest from its mean. Points with the same Φ are always of one
    group, so where fewer than n_clusters Φ's differ there are only so many groups, and a warning.

    Learned: ``labels_`` (n,); ``inertia_``, the minimum; ``a_`` (n, groups); ``squares_`` ‖μ_c‖² (groups,),
    from the origin that ``ByDistance`` chooses; ``n_iter_``.  Time O(n² n_clusters) a step.
    scikit-learn: KMeans on explicit features.

    >>> model = KernelKMeans(Gaussian(1.0)).fit([[0.0], [0.5], [5.0], [5.5]])
    >>> (model.labels_ == model.labels_[0]).tolist(), (model.predict([[1.0]]) == model.labels_[0]).tolist()
    ([True, True, False, False], [True])
    """

    def __init__(self, kernel=Gaussian(1.0), n_clusters=2, n_init=10, max_iter=300, random_state=None):
        self.kernel = kernel
        self.n_clusters = n_clusters
        self.n_init = n_init
        self.max_iter = max_iter
        self.random_state = random_state

    def _read_with_starts(self, X, y, start):
        """The data, K, and the first means: indices of points, (starts, groups)."""
        for name in "n_clusters", "n_init", "max_iter":
            check_whole(getattr(self, name), name, at_least=1)
        rng = np.random.default_rng(0) if self.random_state is None else generator(self.random_state)
        data = self._read_data(X, y)
        at_most_the_points(self.n_clusters, "n_clusters", len(data.X))
        if start is not None:
            start = check_start(start, self.n_clusters, len(data.X))
        K = self._gram(data.X)
        first = spread(K, self.n_clusters, rng)
        if len(first) < self.n_clusters:
            warn_unfinished(
                f"KernelKMeans finds {len(first)} groups and not n_clusters = {self.n_clusters}, because only "
                f"{len(first)} of the points have different Φ; lower n_clusters."
            )
            return data, K, [first]
        if start is not None:
            return data, K, [start]
        return data, K, [first, *(spread(K, self.n_clusters, rng) for _ in range(self.n_init - 1))]

    def steps(self, X, y=None, *, start=None):
        """One start: a ``Step`` for each assignment; moved are the points with a new group, iterate the labels (n,).

        X : n points, (n, d) or a list.  start : n_clusters indices of points, the first means; None spreads them.
        The cost is the inertia: the sum of the squared distances to the means that the labels were chosen by.
        """
        _, K, starts = self._read_with_starts(X, y, start)
        return self._lloyd(K, starts[0])

    def _lloyd(self, K, start):
        """Lloyd's algorithm from one start: a ``Step`` for each assignment, until no point moves."""
        labels = None
        for turn in range(1, self.max_iter + 1):
            a = unit_rows(start, len(K)) if labels is None else mean_weights(labels, len(start))
            new, inertia = assigned(K, a)
            moved = np.arange(len(K)) if labels is None else np.flatnonzero(new != labels)
            yield Step(moved, new, inertia, turn)
            if len(moved) == 0:
                return
            labels = new

    def _last_step(self, K, start):
        for step in self._lloyd(K, start):
            last = step
        return last

    def fit(self, X, y=None, *, start=None):
        """Take the best of n_init starts.  X : n points, (n, d) or a list.  start : as in ``steps``.  Returns self."""
        data, K, starts = self._read_with_starts(X, y, start)
        ends = [self._last_step(K, first) for first in starts]
        best = ends[first_largest(np.array([-end.cost for end in ends]))]
        a = mean_weights(best.iterate, len(starts[0]))
        self.labels_ = best.iterate
        self.n_iter_ = best.turn
        self.inertia_ = float(distances_to_means(K, a)[np.arange(len(K)), self.labels_].sum())
        self.squares_ = np.sum(a * (K @ a), axis=0)
        self.a_ = a
        self._remember(data)
        if len(best.moved):
            warn_unfinished(
                f"KernelKMeans stopped after {best.turn} steps, while {len(best.moved)} points changed their group; "
                "raise max_iter."
            )
        return self

    def predict(self, Z):
        """The group whose mean is nearest, of each of the m points Z: (m,)."""
        h = self._outputs(Z)
        return (self.squares_ - 2 * h).argmin(axis=1)


def check_start(start, n_clusters, n):
    """Indices of the points that are the first means."""
    start = check_array(start, "start")
    if start.shape != (n_clusters,) or not np.isin(start, np.arange(n)).all() or len({*start}) < n_clusters:
        raise ValueError(f"start must hold n_clusters = {n_clusters} different indices of the {n} points, got {start}.")
    return start.astype(int)


def spread(K, n_clusters, rng):
    """k-means++: each first mean is a point, drawn with a probability ∝ its squared distance to those before it.

    They are fewer than n_clusters where no other point differs from them.
    """
    chosen = [int(rng.integers(len(K)))]
    squares = K.diagonal()
    near = np.full(len(K), np.inf)
    while len(chosen) < n_clusters:
        both = squares + squares[chosen[-1]]
        D = both - 2 * K[chosen[-1]]
        near = np.minimum(near, np.where(D > ROUNDING * both, D, 0))
        if not near.any():
            break
        chosen.append(int(rng.choice(len(K), p=near / near.sum())))
    return np.array(chosen)


def unit_rows(indices, n):
    """a (n, groups) of means that are one point each."""
    return np.eye(n)[:, indices]


def mean_weights(labels, n_clusters):
    """a_ic = 1/n_c where point i is of group c, else 0: (n, n_clusters)."""
    member = labels[:, None] == np.arange(n_clusters)
    return member / member.sum(axis=0)


def distances_to_means(K, a):
    """‖Φ(X_i) − μ_c‖² = K_ii − 2(Ka)_ic + a_cᵀKa_c: (n, groups)."""
    Ka = K @ a
    both = np.add.outer(K.diagonal(), np.sum(a * Ka, axis=0))
    D = both - 2 * Ka
    if D.min() < -CLEARLY * np.abs(both).max():
        raise not_a_kernel()
    return np.where(D > ROUNDING * both, D, 0)


def assigned(K, a):
    """The nearest mean of each point, (n,), of equally near ones the first, and the sum of the squared distances."""
    D = distances_to_means(K, a)
    own = D.min(axis=1)  # the distance to the own mean
    labels = (D <= (1 + TIED) * own[:, None]).argmax(axis=1)
    inertia = float(own.sum())
    for empty in np.setdiff1d(np.arange(a.shape[1]), labels):
        alone = np.bincount(labels, minlength=a.shape[1])[labels] == 1
        far = np.where(alone, -1, own).argmax()
        labels[far] = empty
        own[far] = -1
    return labels, inertia


class KernelDBSCAN(ByDistance, Grouping):
    """Groups where the points are dense in feature space (Ester et al. 1996).

    A core point has min_samples points, itself among them, within the distance eps. Core points within eps of each
    other are of one group; the others within eps of a core point are its border; the rest is noise.

    kernel : k.  eps : the distance in feature space, > 0 (a Gaussian's are below √2).  min_samples : ≥ 1.
    Learned: ``labels_`` (n,), −1 for noise, groups in the order of their first core points; ``core_`` (n,) booleans.
    Time and memory O(n²).  scikit-learn: DBSCAN on explicit features.

    >>> KernelDBSCAN(Gaussian(1.0), eps=0.5, min_samples=2).fit_predict([[0.0], [0.3], [9.0], [5.0], [5.2]]).tolist()
    [0, 0, -1, 1, 1]
    """

    def __init__(self, kernel=Gaussian(1.0), eps=0.5, min_samples=5):
        self.kernel = kernel
        self.eps = eps
        self.min_samples = min_samples

    def fit(self, X, y=None):
        """Grow the groups.  X : n points, (n, d) or a list; y is not used.  Returns self."""
        check_number(self.eps, "eps", above=0)
        check_whole(self.min_samples, "min_samples", at_least=1)
        data = self._read_data(X, y)
        D, squares = self._squared_distances(data.X)
        rounding = rounding_of_differences if has_differences(self.kernel, data.X) else rounding_of_sums
        square = self.eps * self.eps
        margin = rounding(squares)(square, slice(None))  # so that points exactly eps apart are near
        near = D <= square + np.maximum.outer(margin, margin)
        self.core_ = near.sum(axis=1) >= self.min_samples
        self.labels_ = grown(near, self.core_)
        return self._remember(data)


def grown(near, core):
    """Groups grown from core points, the first first: labels (n,), −1 for what none reaches.

    near : (n, n) booleans.  A border point that two groups reach goes to the earlier one.
    """
    labels = np.full(len(core), -1)
    groups = 0
    for i in np.flatnonzero(core):
        if labels[i] >= 0:
            continue
        front = np.array([i])
        while len(front):
            labels[front] = groups
            front = near[front[core[front]]].any(axis=0) & (labels < 0)
            front = np.flatnonzero(front)
        groups += 1
    return labels


class KernelLinkage(ByDistance, Grouping):
    """Hierarchical clustering in feature space: the two nearest groups merge, until one is left.

    kernel : k.  n_clusters : where to cut.  method : the distance of two groups, that of their nearest points
    ("single"), of their farthest ("complete"), the mean over all pairs ("average"), or what merging them adds to the
    inertia of k-means ("ward").  SciPy does the merging.

    Learned: ``merges_`` (n − 1, 4), SciPy's form: the two groups, their distance, the size of the new one (number
    n, n + 1, …); ``labels_`` (n,), numbered by their first points.  Time and memory O(n²).

    >>> model = KernelLinkage(Gaussian(3.0)).fit([[0.0], [0.5], [5.0], [5.5]])
    >>> model.labels_.tolist(), model.labels(3).tolist()
    ([0, 0, 1, 1], [0, 0, 1, 2])
    """

    def __init__(self, kernel=Gaussian(1.0), n_clusters=2, method="average"):
        self.kernel = kernel
        self.n_clusters = n_clusters
        self.method = method

    def fit(self, X, y=None):
        """Merge.  X : n points, (n, d) or a list; y is not used.  Returns self."""
        from scipy.cluster.hierarchy import linkage
        from scipy.spatial.distance import squareform

        check_whole(self.n_clusters, "n_clusters", at_least=1)
        if self.method not in METHODS:
            raise ValueError(f"method must be one of {', '.join(map(repr, METHODS))}, got {self.method!r}.")
        data = self._read_data(X, y)
        if len(data.X) < 2:
            raise ValueError("Merging needs 2 points or more, got n_samples = 1.")
        at_most_the_points(self.n_clusters, "n_clusters", len(data.X))
        D, _ = self._squared_distances(data.X)
        merges = linkage(np.sqrt(squareform(D, checks=False)), self.method)
        self.merges_ = merges
        self.labels_ = cut(merges, self.n_clusters)
        return self._remember(data)

    def labels(self, n_clusters):
        """The groups, (n,), if the tree is cut where n_clusters of them are left."""
        self._must_be_fitted()
        at_most_the_points(check_whole(n_clusters, "n_clusters", at_least=1), "n_clusters", len(self.labels_))
        return cut(self.merges_, n_clusters)


def cut(merges, n_clusters):
    """The groups left when all but n_clusters − 1 of the merges are done, numbered by their first points: (n,)."""
    n = len(merges) + 1
    groups = {i: [i] for i in range(n)}
    for new, (left, right) in enumerate(merges[: n - n_clusters, :2].astype(int), start=n):
        groups[new] = groups.pop(left) + groups.pop(right)
    labels = np.empty(n, dtype=int)
    for c, members in enumerate(sorted(groups.values(), key=min)):
        labels[members] = c
    return labels
