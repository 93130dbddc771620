"""What every model shares: scikit-learn's contract, kept without importing scikit-learn.

``__init__`` only stores, ``fit`` returns self, what is learned ends in ``_`` and is set last: a model is fitted when
its fit has finished. A fit that is refused or interrupted earlier leaves it as it was; one whose result ``_remember``
refuses leaves it not fitted.

A model is made of what it predicts (``Regressor``, ``Classifier``, ``unsupervised``) and of what it learns:
``PrimalForm`` weights w of features, ``KernelForm`` weights a of training points.
"""

from dataclasses import dataclass
from math import isinf, isnan

import numpy as np

from kernelkit.checks import check_function
from kernelkit.features.base import FeatureMap
from kernelkit.kernels import Kernel
from kernelkit.models.grams import finite_features, finite_gram, warn_if_alone
from kernelkit.models.parameters import Parameters
from kernelkit.models.reading import (
    Data,
    check_column_names,
    check_new_rows,
    check_same_rows,
    column_names,
    feature_names,
    few,
    not_fitted,
    read_collection,
    read_labels,
    read_numbers,
    warn,
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
    """What every ``fit`` and ``predict`` goes through; subclasses write the two. Of a kernel model they are in short

        def fit(self, X, y):
            data = self._read_data(X, y)    # the door: X and y as arrays, or a sentence that says what is wrong
            K = self._gram(data.X)          # K_ij = k(X_i, X_j)
            self.a_ = …                     # the formula of the lecture
            return self._remember(data)     # the end: what overflowed is refused, and the points are kept

        def predict(self, Z):
            Z = self._read_new(Z)           # the door of a fitted model
            return self._gram(Z, self.X_) @ self.a_

    A model of features asks for Φ = self._features(data.X) instead of K. What is to be predicted is read by
    ``_read_targets``, which ``Regressor``, ``Classifier`` and ``Unsupervised`` write.
    """

    kernel: Kernel  # a model has one of the two
    feature_map: FeatureMap
    _reader_name = "kernel"  # which of them it has
    _estimator_type = None  # what it is to scikit-learn, such as "classifier"
    _finite = ()  # names of what is learned and must be finite, such as "a_"
    _may_be_infinite = ()  # names of what is learned and is always a number, or ∞

    # ---- the door of fit -----------------------------------------------------------------------

    def _read_data(self, X, y):
        """What fit is given, as ``Data``; nothing is stored yet."""
        points = read_collection(self._reader(), X)
        check_same_rows(X, y)
        y, classes = self._read_targets(y, len(points))
        return Data(points, y, classes, column_names(X))

    def _reader(self):
        """What reads the points, the kernel or the feature map; refused if it is something else."""
        reader = getattr(self, self._reader_name)
        method, what = {
            "kernel": ("gram", "a kernel, such as Gaussian(1.0)"),
            "feature_map": ("matrix", "a feature map, such as Monomials(2)"),
        }[self._reader_name]
        if isinstance(reader, type) or not hasattr(reader, method):
            raise TypeError(f"{self._reader_name} must be {what}; got {reader!r}.")
        return reader

    # ---- Φ and K -------------------------------------------------------------------------------

    def _features(self, X):
        """Φ(X), (n, D), of points that were read before; refused if its products overflow."""
        with np.errstate(over="ignore", invalid="ignore"):
            Phi = self.feature_map(X)
        return finite_features(Phi, self.feature_map)

    def _gram(self, X, Z=None):
        """K_ij = k(X_i, Z_j), (n, m), of points that were read before; without Z the Gram matrix of X, (n, n).

        A K that does not fit into memory or overflows is refused, and a Gram matrix that is almost I is warned of.
        """
        K = finite_gram(self.kernel, X, X if Z is None else Z)
        if Z is None:
            warn_if_alone(K.__getitem__, K.diagonal(), self.kernel, X)
        return K

    # ---- the end of fit ------------------------------------------------------------------------

    def _remember(self, data):
        """The last act of fit, after what was learned is set; with ``X_`` the model counts as fitted.  Returns self."""
        for name in "X_", "n_features_in_", "feature_names_in_", "classes_", "_columns":
            vars(self).pop(name, None)  # of an earlier fit
        for name in (*self._finite, *self._may_be_infinite):
            if overflows(getattr(self, name), may_be_infinite=name in self._may_be_infinite):
                raise ValueError(
                    f"The result is not finite: {name} of {self!r} overflows. Scale the data or the parameters, "
                    "because one of them is too large or too small."
                )
        if isinstance(data.X, np.ndarray):
            self.n_features_in_ = data.X.shape[1]
        if data.names is not None:
            self._columns = data.names
            if feature_names(data.names) is not None:
                self.feature_names_in_ = data.names
        if data.classes is not None:
            self.classes_ = data.classes
        self.X_ = own(data.X)  # the caller may change X afterwards
        return self

    # ---- the door of predict -------------------------------------------------------------------

    def _read_new(self, X):
        """X for a fitted model: the same kind of points as in fit."""
        self._must_be_fitted()
        check_column_names(column_names(X), getattr(self, "_columns", None), type(self).__name__)
        if self._pairwise():
            check_new_rows(X, getattr(self, "_columns", None))
        X = read_collection(self._reader(), X)
        if isinstance(X, np.ndarray) and X.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {X.shape[1]} features, but {type(self).__name__} is expecting {self.n_features_in_} "
                "features as input."
            )
        return X

    def _must_be_fitted(self):
        if not hasattr(self, "X_"):
            raise not_fitted(f"This {type(self).__name__} is not fitted yet; call fit(X, y) first.")

    # ---- what scikit-learn asks -----------------------------------------------------------------

    def __sklearn_tags__(self):
        from sklearn.utils import InputTags, Tags, TargetTags

        inputs = InputTags(pairwise=self._pairwise())
        return Tags(estimator_type=self._estimator_type, target_tags=TargetTags(required=True), input_tags=inputs)

    def get_metadata_routing(self):
        """No more than X and y is to be routed here; yet the score of a Pipeline asks who knows a sample_weight."""
        from sklearn.utils.metadata_routing import MetadataRequest

        request = MetadataRequest(owner=type(self).__name__)
        request.score.add_request(param="sample_weight", alias=None)
        return request

    def _pairwise(self):
        """Whether X is a Gram matrix, of which a fold takes rows and columns."""
        return getattr(getattr(self, self._reader_name), "pairwise", False)


# ---- what a model learns ------------------------------------------------------------------------


class PrimalForm(Estimator):
    """Models that learn weights of features: ``w_``, and h(z) = wᵀΦ(z) + b."""

    _reader_name = "feature_map"
    _finite = "w_", "b_"
    b_ = 0.0  # for models without an offset

    def _outputs(self, Z):
        """h(z) = wᵀΦ(z) + b for each of the m points Z: (m,), or (m, outputs)."""
        return self._features(self._read_new(Z)) @ self.w_ + self.b_


class KernelForm(Estimator):
    """Models that learn weights of training points: ``a_``, and h(z) = Σ_i a_i k(X_i, z) + b."""

    _finite = "a_", "b_"
    b_ = 0.0  # for models without an offset

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

    def _read_targets(self, y, n):
        """y as numbers, and no classes."""
        return read_numbers(y, n), None

    def predict(self, Z):
        """h(z) of each of the m points Z: (m,), or (m, outputs)."""
        return self._outputs(Z)

    def score(self, X, y):
        """R² = 1 − Σ(y − h)²/Σ(y − ȳ)², the mean over the outputs; y is (n,), or (n, outputs).

        Where all y are the same, R² is 1 if h meets them, else 0.
        """
        check_same_rows(X, y)
        h = self.predict(X)
        h = h.reshape(len(h), -1)  # (n,) and (n, 1) mean the same
        y = read_numbers(y, len(h)).reshape(len(h), -1)
        if h.shape != y.shape:
            raise ValueError(f"y has {y.shape[1]} outputs, but {type(self).__name__} was fitted to {h.shape[1]}.")
        left = np.sum((y - h) ** 2, axis=0)
        total = np.sum((y - y.mean(axis=0)) ** 2, axis=0)
        R2 = np.where(left == 0, 1.0, 0.0)
        varies = total > 0
        R2[varies] = 1 - left[varies] / total[varies]
        return float(R2.mean())

    def __sklearn_tags__(self):
        from sklearn.utils import RegressorTags

        tags = super().__sklearn_tags__()
        tags.regressor_tags = RegressorTags()
        tags.target_tags.multi_output = True
        return tags


class Classifier(Estimator):
    """A model of two classes, any two labels; ``classes_[1]`` is the +1 of the formulas. ``score`` is accuracy."""

    _estimator_type = "classifier"
    _multi_class = False

    def _read_targets(self, y, n):
        """y as −1 for classes[0] and +1 for classes[1], or with more classes as their indices; and the classes."""
        classes, index = np.unique(read_labels(y, n), return_inverse=True)
        if len(classes) < 2:
            raise ValueError(f"Two classes are needed, but y holds only one class: {few(classes.tolist())}.")
        if self._multi_class:
            return index, classes
        if len(classes) > 2:
            raise ValueError(
                "Only binary classification is supported. The type of the target is multiclass: y holds the "
                f"{len(classes)} classes {few(classes.tolist())}; OneVsRest({type(self).__name__}()) takes more."
            )
        return np.where(index == 1, 1.0, -1.0), classes

    def decision_function(self, Z):
        """h(z) of each of the m points Z: (m,); with more than two classes (m, classes)."""
        return self._outputs(Z)

    def predict(self, Z):
        """The label of each of the m points Z, (m,): ``classes_[1]`` where h(z) > 0, of many the one of largest h."""
        h = self.decision_function(Z)
        return self.classes_[(h > 0).astype(int) if h.ndim == 1 else h.argmax(axis=1)]

    def score(self, X, y):
        """The fraction of the n points with the right label; y is (n,)."""
        check_same_rows(X, y)
        h = self.predict(X)
        y = read_labels(y, len(h))
        if (y.dtype.kind in "UO") != (h.dtype.kind in "UO"):
            raise ValueError(
                f"y must hold labels of the kind of fit, such as {few(self.classes_.tolist())}, got {few(y.tolist())}: "
                "a text and a number are never the same label."
            )
        if unseen := [label for label in np.unique(y).tolist() if label not in self.classes_]:
            warn(
                f"y holds labels that fit did not see, {few(unseen)}, and each of them counts as wrong: "
                f"{type(self).__name__} was fitted to {few(self.classes_.tolist())}."
            )
        return float(np.mean(h == y))

    def __sklearn_tags__(self):
        from sklearn.utils import ClassifierTags

        tags = super().__sklearn_tags__()
        tags.classifier_tags = ClassifierTags(multi_class=self._multi_class)
        return tags


# ---- what a fit leaves --------------------------------------------------------------------------


def overflows(numbers, may_be_infinite):
    """Whether a number, or one of an array, is NaN, or infinite where that is not allowed."""
    numbers = np.ravel(numbers, order="K")  # as they lie in memory
    total = np.vdot(numbers, numbers)  # NaN if one of them is, ∞ if one is or if their squares are
    return isnan(total) or (isinf(total) and not may_be_infinite and bool(np.isinf(numbers).any()))


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
