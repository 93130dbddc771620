"""The contract every model keeps: scikit-learn's, without importing scikit-learn.

``__init__`` only stores, ``fit`` returns self, what is learned ends in ``_`` and is set last: a model is fitted when
its fit has finished, and an interrupted one leaves it as it was.

A model is made of what it predicts (``Regressor``, ``Classifier``, ``unsupervised``) and of what it learns:
``PrimalForm`` weights w of features, ``KernelForm`` weights a of training points.
"""

from dataclasses import dataclass

import numpy as np

from kernelkit.checks import ANYTHING, check_function
from kernelkit.kernels import Kernel
from kernelkit.models.grams import finite_features, finite_gram, warn_if_alone
from kernelkit.models.parameters import Parameters
from kernelkit.models.reading import (
    Data,
    check_column_names,
    class_weights,
    column_names,
    few,
    not_fitted,
    read_labels,
    read_numbers,
    read_weights,
)


@dataclass(frozen=True, eq=False, slots=True)
class Step:
    """One step of an iterative algorithm, as every ``steps`` yields it; the first record is the start.

    moved : what the step changed, the index i of a point or a pair (i, j); None at the start and where all move.
    iterate : the weights after it, w (D,) or a (n,), a copy; ``np.array(list(steps))`` stacks them.
    cost : the loss that the step answers: of the point i before the step, or the objective of all points after it.
    turn : the pass over the data, or the number of the step, that it belongs to, from 1; 0 at the start.
    """

    moved: object
    iterate: np.ndarray
    cost: float
    turn: int

    def __array__(self, dtype=None, copy=None):
        return np.array(self.iterate, dtype=dtype, copy=copy)


class Estimator(Parameters):
    """The door of ``fit`` and ``predict``, and tags; subclasses write ``fit`` and ``predict``."""

    _takes_points = "kernel"  # the parameter that reads the input: a kernel or a feature map

    def __sklearn_tags__(self):
        from sklearn.utils import InputTags, Tags, TargetTags

        inputs = InputTags(pairwise=self._pairwise())
        return Tags(estimator_type=None, target_tags=TargetTags(required=True), input_tags=inputs)

    def _pairwise(self):
        """Whether X is a Gram matrix, of which a fold takes rows and columns."""
        return getattr(getattr(self, self._takes_points), "pairwise", False)

    # ---- the door of fit and predict -----------------------------------------------------------

    def _read(self, X):
        """X as a collection of points, in the form the kernel or the feature map reads: (n, d), or a list."""
        if X is None:
            raise ValueError(f"{type(self).__name__} needs points X, an array (n, d) or a list of objects, got None.")
        X, one = self._reader().read(X, "X")
        if one and isinstance(X, list):
            points = {ANYTHING: "objects"}.get(self._reader().points, self._reader().points)
            raise ValueError(f"Expected a list of {points}, got a single point instead: write [x] for a list of one.")
        if one:
            raise ValueError(
                "Expected 2D array, got a single point instead. Reshape your data: X[:, None] for many points "
                "on a line, X[None, :] for one point."
            )
        return X

    def _reader(self):
        """The kernel or the feature map, refused if it is something else."""
        name, value = self._takes_points, getattr(self, self._takes_points)
        method, what = ("gram", "kernel, such as Gaussian(1.0)")
        if name == "feature_map":
            method, what = ("matrix", "feature map, such as Monomials(2)")
        if isinstance(value, type) or not hasattr(value, method):
            raise TypeError(f"{name} must be a {what}; got {value!r}.")
        return value

    def _read_data(self, X, y, sample_weight=None):
        """What fit is given, read; nothing is stored."""
        points = self._read(X)
        y, weights, classes = self._read_targets(y, sample_weight, len(points))
        return Data(points, y, weights, classes, column_names(X))

    def _remember(self, data):
        """The last act of fit, after what was learned is set: with ``X_`` the model counts as fitted.

        What was learned is refused if it is not finite, and then the model is not fitted. An infinity is right in an
        objective with C = ∞ or in the score of a point beside copies, but not in the weights.
        """
        learned = [name for name in vars(self) if name.endswith("_")]
        for name in learned:
            if name != "X_" and not is_finite(getattr(self, name), or_infinite=name not in ("w_", "a_", "b_")):
                for each in learned:
                    delattr(self, each)
                raise ValueError(
                    f"The result is not finite: {name} of {self!r} overflows. Scale the data, their weights or the "
                    "parameters, because one of them is too large or too small."
                )
        width = data.X.shape[1] if isinstance(data.X, np.ndarray) else None
        for name, value in ("n_features_in_", width), ("feature_names_in_", data.names), ("classes_", data.classes):
            if value is not None:
                setattr(self, name, value)
            elif name in vars(self):  # of an earlier fit
                delattr(self, name)
        self.X_ = own(data.X)  # the caller may change X afterwards
        return self

    def _must_be_fitted(self):
        if not hasattr(self, "X_"):
            raise not_fitted(f"This {type(self).__name__} is not fitted yet; call fit(X, y) first.")

    def _read_new(self, X):
        """X for a fitted model: the same kind of points as in fit."""
        self._must_be_fitted()
        check_column_names(column_names(X), getattr(self, "feature_names_in_", None), type(self).__name__)
        X = self._read(X)
        if isinstance(X, np.ndarray) and X.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {X.shape[1]} features, but {type(self).__name__} is expecting {self.n_features_in_} "
                "features as input."
            )
        return X

    # ---- Φ and K ------------------------------------------------------------------------------

    def _features(self, X):
        """Φ(X), (n, D), of points that were read before; refused if its products overflow."""
        with np.errstate(over="ignore", invalid="ignore"):
            Phi = self.feature_map(X)
        return finite_features(Phi, self.feature_map)

    def _gram(self, X, Z=None):
        """K_ij = k(X_i, Z_j), (n, m), of points that were read before; without Z the Gram matrix of X, (n, n).

        Every kernel model takes its K from here, in fit and in predict: a K that does not fit or overflows is refused,
        and a Gram matrix that is almost I warned of.
        """
        K = finite_gram(self.kernel, X, X if Z is None else Z)
        if Z is None:
            warn_if_alone(K.__getitem__, K.diagonal(), self.kernel, X)
        return K


def is_finite(value, or_infinite=False):
    """Whether a number or an array of floats holds no NaN and no infinity, or only no NaN; others hold none."""
    if not isinstance(value, float) and getattr(value, "dtype", np.dtype(object)).kind != "f":
        return True
    return not np.isnan(value).any() if or_infinite else bool(np.isfinite(value).all())


def own(points):
    """A copy of points, (n, d) or a list, down to the collections and arrays that an object is made of."""
    if isinstance(points, (np.ndarray, set)):
        return points.copy()
    if isinstance(points, list):
        return [own(x) for x in points]
    if type(points) is dict:
        return {part: own(value) for part, value in points.items()}
    if type(points) is tuple and not _is_fixed(points):
        return tuple(own(part) for part in points)
    return points


def _is_fixed(value):
    """Whether value has a hash, so that it cannot change."""
    try:
        hash(value)
    except TypeError:
        return False
    return True


# ---- what a model learns ------------------------------------------------------------------------


class PrimalForm(Estimator):
    """Models that learn weights of features: ``w_``, and h(z) = wᵀΦ(z) + b."""

    _takes_points = "feature_map"
    b_ = 0.0  # for models without an offset

    def _design(self, X):
        """The matrix with h(X) = Φw."""
        return self._features(X)

    def _learn(self, w):
        self.w_ = w

    def _outputs(self, Z):
        """h(z) = wᵀΦ(z) + b for each of the m points Z: (m,), or (m, outputs)."""
        return self._features(self._read_new(Z)) @ self.w_ + self.b_


class KernelForm(Estimator):
    """Models that learn weights of training points: ``a_``, and h(z) = Σ_i a_i k(X_i, z) + b."""

    _takes_points = "kernel"
    b_ = 0.0  # for models without an offset

    def _design(self, X):
        """The matrix with h(X) = Ka."""
        return self._gram(X)

    def _learn(self, a):
        self.a_ = a

    def _carriers(self):
        """The training points X that carry the model, and their weights a: all of them, or the support vectors."""
        return self.X_, self.a_

    def _outputs(self, Z):
        """h(z) = Σ_i a_i k(X_i, z) + b for each of the m points Z: (m,), or (m, outputs)."""
        Z = self._read_new(Z)
        X, a = self._carriers()
        return self._gram(Z, X) @ a + self.b_

    def primal_weights(self, feature_map):
        """w = Φ(X)ᵀa, (D,) or (D, outputs), for a Φ that belongs to the kernel."""
        self._must_be_fitted()
        check_function(feature_map, "feature_map", "(n, d) → (n, D), or a feature map", but_no=Kernel)
        X, a = self._carriers()
        if not len(X):  # Φ of no points is refused; without a support vector all a_i are 0
            X, a = self.X_, self.a_
        return feature_map(X).T @ a


# ---- what a model predicts ----------------------------------------------------------------------


class Regressor(Estimator):
    """A model with numbers to predict; ``score`` is R²."""

    _estimator_type = "regressor"

    def __sklearn_tags__(self):
        from sklearn.utils import RegressorTags

        tags = super().__sklearn_tags__()
        tags.estimator_type, tags.regressor_tags = "regressor", RegressorTags()
        tags.target_tags.multi_output = True
        return tags

    def _read_targets(self, y, sample_weight, n):
        """y as numbers, the weights of the points, and no classes."""
        return read_numbers(y, n), read_weights(sample_weight, n), None

    def predict(self, Z):
        """h(z) of each of the m points Z: (m,), or (m, outputs)."""
        return self._outputs(Z)

    def score(self, X, y):
        """R² = 1 − Σ(y − h)²/Σ(y − ȳ)², the mean over the outputs; y is (n,), or (n, outputs)."""
        h = self.predict(X)
        n = len(h)
        h, y = h.reshape(n, -1), read_numbers(y, n).reshape(n, -1)  # (n,) and (n, 1) mean the same
        if h.shape != y.shape:
            raise ValueError(f"y has {y.shape[1]} outputs, but {type(self).__name__} was fitted to {h.shape[1]}.")
        unexplained, total = ((y - h) ** 2).sum(axis=0), ((y - y.mean(axis=0)) ** 2).sum(axis=0)
        perfect = np.where(unexplained == 0, 1.0, 0.0)
        return float(np.mean(np.where(total > 0, 1 - unexplained / np.where(total > 0, total, 1), perfect)))


class Classifier(Estimator):
    """A model of two classes, any two labels; ``classes_[1]`` is the +1 of the formulas. ``score`` is accuracy."""

    _estimator_type = "classifier"
    _multi_class = False
    class_weight = None  # for models without this parameter
    _all_alike_far_away = False  # no offset: a point far from all others gets no class, however the classes weigh

    def __sklearn_tags__(self):
        from sklearn.utils import ClassifierTags

        tags = super().__sklearn_tags__()
        tags.estimator_type = "classifier"
        tags.classifier_tags = ClassifierTags(multi_class=self._multi_class, poor_score=self._all_alike_far_away)
        return tags

    def _read_targets(self, y, sample_weight, n):
        """y as −1 for classes[0] and +1 for classes[1], or with more classes as their indices; weights; the classes."""
        classes, index = np.unique(read_labels(y, n), return_inverse=True)
        weights = class_weights(self.class_weight, index, classes, read_weights(sample_weight, n))
        there = np.bincount(index, weights) > 0
        if there.sum() < 2:
            one = few(classes[there].tolist()) + ("" if there.all() else ", the others have weight 0")
            raise ValueError(f"Two classes are needed, but y holds only one class: {one}.")
        if len(classes) > 2 and not self._multi_class:
            raise ValueError(
                "Only binary classification is supported. The type of the target is multiclass: y holds the "
                f"{len(classes)} classes {few(classes.tolist())}; OneVsRest({type(self).__name__}()) takes more."
            )
        return index if self._multi_class else np.where(index == 1, 1.0, -1.0), weights, classes

    def decision_function(self, Z):
        """h(z) of each of the m points Z: (m,); with more than two classes (m, classes)."""
        return self._outputs(Z)

    def predict(self, Z):
        """The label of each of the m points Z, (m,): ``classes_[1]`` where h(z) > 0, of many the one of largest h."""
        h = self.decision_function(Z)
        return self.classes_[(h > 0).astype(int) if h.ndim == 1 else h.argmax(axis=1)]

    def score(self, X, y):
        """The fraction of the n points with the right label; y is (n,)."""
        h = self.predict(X)
        return float(np.mean(h == read_labels(y, len(h))))
