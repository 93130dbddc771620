"""Who is near to whom in feature space (lecture E): neighbours that vote, and points that have none.

All they need is ‖Φ(x) − Φ(z)‖² = k(x, x) − 2k(x, z) + k(z, z).
"""

import numpy as np

from kernelkit.checks import check_not_rows, check_whole
from kernelkit.kernels import Gaussian
from kernelkit.models.distances import (
    ByDistance,
    has_differences,
    of_differences,
    rounding_of_differences,
    rounding_of_sums,
    warn_if_lost,
)
from kernelkit.models.estimator import Classifier
from kernelkit.models.grams import finite_diag, finite_gram, warn_if_alone
from kernelkit.models.unsupervised import Grouping, at_most_the_points

FAR = 1.5  # a point this many times farther from its neighbours than they from theirs counts as an outlier


class KernelNeighbors(ByDistance, Classifier):
    """k-nearest neighbours by the distance in feature space: the most frequent label among them (lecture E).

    kernel : k.  n_neighbors : how many vote; of equal distances the smaller index is nearer, of equal votes the smaller
    label wins.  Learned: nothing but the points, ``X_`` and ``y_``.  A test point costs O(n d).
    scikit-learn: KNeighborsClassifier on explicit features.

    >>> model = KernelNeighbors(Gaussian(1.0), n_neighbors=3).fit([[0.0], [1.0], [2.0], [8.0], [9.0]], list("aabbb"))
    >>> model.predict([[0.4], [6.0]]).tolist()
    ['a', 'b']
    """

    _multi_class = True

    def __init__(self, kernel=Gaussian(1.0), n_neighbors=5):
        self.kernel = kernel
        self.n_neighbors = n_neighbors

    def fit(self, X, y):
        """Keep the points.  X : n points, (n, d) or a list.  y : (n,) labels.  Returns self."""
        check_whole(self.n_neighbors, "n_neighbors", at_least=1)
        data = self._read_data(X, y)
        at_most_the_points(self.n_neighbors, "n_neighbors", len(data.X))
        if self._pairwise():  # a table is there already, and a row of it does not hold its k(x, x)
            squares = self._gram(data.X).diagonal().copy()
        else:
            squares = self._squares(data.X)
            self._look_at_some(data.X, squares)
        self.squares_ = squares
        self.y_ = data.y
        return self._remember(data)

    def _look_at_some(self, X, squares):
        """Warn as ``_gram`` does, of which only some rows are computed for it."""

        def rows(some):
            return finite_gram(self.kernel, X[some], X)

        warn_if_alone(lambda i: rows(slice(i, i + 1))[0], squares, self.kernel, X)
        if not has_differences(self.kernel, X):
            warn_if_lost(rows, squares, self.kernel, X)

    def _squares(self, Z):
        """k(z, z) of each point: (m,)."""
        return finite_diag(self.kernel, Z)

    def _nearest(self, Z):
        """‖Φ(z) − Φ(X_i)‖² of the nearest X_i, without k(z, z) if made of K, and their indices: (m, n_neighbors)."""
        if has_differences(self.kernel, Z):
            self._squares(Z)
            D = of_differences(self.kernel, Z, self.X_)
            return nearest(D, self.n_neighbors, rounding_of_differences(self.squares_))
        D = self._gram(Z, self.X_)
        D *= -2
        D += self.squares_
        return nearest(D, self.n_neighbors, rounding_of_sums(self.squares_))

    def neighbors(self, Z):
        """‖Φ(z) − Φ(X_i)‖ of the nearest X_i, the nearest first, and their indices: both (m, n_neighbors)."""
        Z = self._read_new(Z)
        check_not_rows(self.kernel)
        D, order = self._nearest(Z)
        if not has_differences(self.kernel, Z):
            D += self._squares(Z)[:, None]
        return np.sqrt(np.maximum(D, 0)), order

    def predict_proba(self, Z):
        """The fraction of the neighbours with each label, for each of the m points Z: (m, classes)."""
        _, order = self._nearest(self._read_new(Z))
        return np.column_stack([(self.y_[order] == c).mean(axis=1) for c in range(len(self.classes_))])

    def decision_function(self, Z):
        """Of two classes the fraction of ``classes_[1]`` less that of the other, (m,); of more ``predict_proba``."""
        p = self.predict_proba(Z)
        return p[:, 1] - p[:, 0] if p.shape[1] == 2 else p


def nearest(D, count, rounding):
    """The smallest numbers in each row of D (m, n), in order, and where they stand; of equal ones the first.

    rounding(values, i) : how far from its neighbours each of the values may be, those of the columns i, to be equal.
    """
    order = np.argpartition(D, count - 1, axis=1)[:, :count]
    values = np.take_along_axis(D, order, axis=1)
    last = (values + rounding(values, order)).max(axis=1, keepdims=True)
    near = (D <= last).sum(axis=1)
    tied = np.flatnonzero(near > count)
    everywhere = np.broadcast_to(np.arange(D.shape[1]), (len(tied), D.shape[1]))
    order[tied] = _in_order(D[tied], everywhere, rounding, near.max())[:, :count]
    order.sort(axis=1)
    values = np.take_along_axis(D, order, axis=1)
    inner = _in_order(values, order, rounding, count)
    return np.take_along_axis(values, inner, axis=1), np.take_along_axis(order, inner, axis=1)


def _in_order(D, columns, rounding, most):
    """Where the smallest numbers of each row of D stand, so many of them, in order, and of equal ones the first.

    columns : whose the numbers are, as ``rounding`` asks for them, of the shape of D.
    """
    order = np.argsort(D, axis=1, kind="stable")[:, :most]
    values = np.take_along_axis(D, order, axis=1)
    steps = np.diff(values, axis=1, prepend=-np.inf)
    own = np.take_along_axis(columns, order, axis=1)
    rank = np.cumsum(steps > rounding(values, own), axis=1)  # the same for equal ones
    return np.take_along_axis(order, np.lexsort((order, rank), axis=1), axis=1)


class KernelOutliers(ByDistance, Grouping):
    """Outliers by distance in feature space: how much farther a point is from its neighbours than they from theirs.

        score_i = r_i / mean of r_j over the neighbours j of i,   r_i = mean distance of i to its neighbours

    kernel : k.  n_neighbors : how many neighbours, without the point itself; fewer than there are points.
    Learned: ``scores_`` (n,), about 1 inside a cloud of whatever density; ``distances_`` (n,), the r_i; ``labels_``
    (n,), −1 where the score is above 1.5.  Time O(n²).

    >>> KernelOutliers(Gaussian(3.0), n_neighbors=2).fit_predict([[0.0], [0.1], [0.2], [0.3], [5.0]]).tolist()
    [1, 1, 1, 1, -1]
    """

    _estimator_type = "outlier_detector"
    _may_be_infinite = ("scores_",)  # ∞ beside copies

    def __init__(self, kernel=Gaussian(1.0), n_neighbors=5):
        self.kernel = kernel
        self.n_neighbors = n_neighbors

    def fit(self, X, y=None):
        """Compare.  X : n points, (n, d) or a list; y is not used.  Returns self."""
        check_whole(self.n_neighbors, "n_neighbors", at_least=1)
        data = self._read_data(X, y)
        at_most_the_points(self.n_neighbors + 1, "n_neighbors + 1", len(data.X))
        D, squares = self._squared_distances(data.X)
        np.fill_diagonal(D, np.inf)  # nobody is a neighbour of itself
        rounding = rounding_of_differences if has_differences(self.kernel, data.X) else rounding_of_sums
        D, order = nearest(D, self.n_neighbors, rounding(squares))
        r = np.sqrt(D).mean(axis=1)
        around = r[order].mean(axis=1)
        scores = np.divide(r, around, out=np.where(r > 0, np.inf, 1.0), where=around > 0)
        self.distances_ = r
        self.scores_ = scores
        self.labels_ = np.where(scores > FAR, -1, 1)
        return self._remember(data)
