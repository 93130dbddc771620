"""The contract every model keeps: scikit-learn's, without importing scikit-learn.

``__init__`` only stores, ``fit`` returns self, what is learned ends in ``_``. ``get_params`` and
``set_params`` reach into kernels: ``kernel__sigma`` replaces the frozen kernel by one with that sigma.
"""

import dataclasses
import inspect
import sys
import warnings

import numpy as np

from kernelkit.checks import check_array


class Estimator:
    """Parameters, input checks and tags; subclasses write ``fit`` and ``predict``."""

    _takes_points = "kernel"  # the parameter that reads the input: a kernel or a feature map

    @classmethod
    def _names(cls):
        return [name for name in inspect.signature(cls.__init__).parameters if name != "self"]

    def get_params(self, deep=True):
        """The constructor's arguments, and with deep also the fields of kernels, as kernel__sigma."""
        params = {name: getattr(self, name) for name in self._names()}
        if deep:
            for name in list(params):
                params |= _fields(name, params[name])
        return params

    def set_params(self, **params):
        """Set parameters by name, whole kernels before their parts; kernel__sigma=2 gives the model a new kernel."""
        for path, value in sorted(params.items(), key=lambda item: item[0].count("__")):
            name, *rest = path.split("__")
            if name not in self._names():
                raise ValueError(
                    f"Invalid parameter {name!r} for estimator {self!r}. Valid parameters are: {self._names()!r}."
                )
            setattr(self, name, _replaced(getattr(self, name), rest, value, path) if rest else value)
        return self

    def __repr__(self):
        parameters = inspect.signature(type(self).__init__).parameters
        changed = [f"{n}={getattr(self, n)!r}" for n in self._names() if getattr(self, n) != parameters[n].default]
        return f"{type(self).__name__}({', '.join(changed)})"

    def __sklearn_tags__(self):
        from sklearn.utils import InputTags, Tags, TargetTags

        return Tags(estimator_type=None, target_tags=TargetTags(required=True), input_tags=InputTags())

    # ---- checks at the door of fit and predict ----------------------------------------------

    def _read(self, X):
        """X as a collection of points, in the form the kernel or the feature map reads."""
        X, one = self._reader().read(X, "X")
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

    def _must_be_fitted(self):
        if not hasattr(self, "X_"):
            raise _not_fitted(f"This {type(self).__name__} is not fitted yet; call fit(X, y) first.")

    def _read_new(self, X):
        """X for a fitted model: the same kind of points as in fit."""
        self._must_be_fitted()
        X = self._read(X)
        if isinstance(X, np.ndarray) and X.shape[1] != self.n_features_in_:
            raise ValueError(
                f"X has {X.shape[1]} features, but {type(self).__name__} is expecting {self.n_features_in_} "
                "features as input."
            )
        return X

    def _remember(self, X):
        self.X_ = X
        if isinstance(X, np.ndarray):
            self.n_features_in_ = X.shape[1]


class Regressor(Estimator):
    """A model with numbers to predict; ``score`` is R²."""

    _estimator_type = "regressor"

    def __sklearn_tags__(self):
        from sklearn.utils import RegressorTags

        tags = super().__sklearn_tags__()
        tags.estimator_type, tags.regressor_tags = "regressor", RegressorTags()
        tags.target_tags.multi_output = True
        return tags

    def _read_targets(self, y, n):
        if y is None:
            raise ValueError(f"requires y to be passed, but the target y is None: call fit(X, y) with {n} targets.")
        y = check_array(y, "y")
        if y.ndim not in (1, 2) or len(y) != n or y.size == 0:
            raise ValueError(
                f"y must hold one target, or one row of targets, for each of the {n} points, got shape {y.shape}."
            )
        return y

    def score(self, X, y):
        """R² = 1 − Σ(y − h)²/Σ(y − ȳ)², the mean over the outputs."""
        h = self.predict(X)
        y = self._read_targets(y, len(h))
        unexplained, total = ((y - h) ** 2).sum(axis=0), ((y - y.mean(axis=0)) ** 2).sum(axis=0)
        perfect = np.where(unexplained == 0, 1.0, 0.0)
        return float(np.mean(np.where(total > 0, 1 - unexplained / np.where(total > 0, total, 1), perfect)))


class DataConversionWarning(UserWarning):
    """A column of labels was given where a plain list was expected."""


class Classifier(Estimator):
    """A model of two classes, any two labels; ``classes_[1]`` is the +1 of the formulas. ``score`` is accuracy."""

    _estimator_type = "classifier"
    _multi_class = False

    def __sklearn_tags__(self):
        from sklearn.utils import ClassifierTags

        tags = super().__sklearn_tags__()
        tags.estimator_type, tags.classifier_tags = "classifier", ClassifierTags(multi_class=self._multi_class)
        return tags

    def _read_labels(self, y, n):
        """The index of each label in ``classes_``, which is learned here."""
        y = _labels(y, n)
        self.classes_, index = np.unique(y, return_inverse=True)
        if len(self.classes_) < 2:
            raise ValueError(f"Two classes are needed, but y holds only one class: {_few(self.classes_)}.")
        if len(self.classes_) > 2 and not self._multi_class:
            raise ValueError(
                "Only binary classification is supported. The type of the target is multiclass: y holds the "
                f"{len(self.classes_)} classes {_few(self.classes_)}; OneVsRest({type(self).__name__}()) takes more."
            )
        return index

    def _read_signs(self, y, n):
        """y as −1 for ``classes_[0]`` and +1 for ``classes_[1]``."""
        return np.where(self._read_labels(y, n) == 1, 1.0, -1.0)

    def predict(self, Z):
        """The label of each point: ``classes_[1]`` where h(z) > 0."""
        h = self.decision_function(Z)
        return self.classes_[(h > 0).astype(int)]

    def score(self, X, y):
        """The fraction of points with the right label."""
        return float(np.mean(self.predict(X) == _labels(y, len(X))))


def flattened(y):
    """y, with a warning as a plain list if it came as a column."""
    if y.ndim != 2 or y.shape[1] != 1:
        return y
    warn("A column-vector y was passed when a 1d array was expected; y.ravel() is used.", DataConversionWarning)
    return y.ravel()


def _labels(y, n):
    if y is None:
        raise ValueError(f"requires y to be passed, but the target y is None: call fit(X, y) with {n} labels.")
    y = flattened(np.asarray(y))
    if y.ndim != 1 or len(y) != n:
        raise ValueError(f"y must hold one label for each of the {n} points, got shape {y.shape}.")
    if y.dtype.kind == "f":
        if not np.isfinite(y).all():
            raise ValueError("y must hold labels, but input y contains NaN or infinity.")
        if (y != np.round(y)).any():
            raise ValueError("Unknown label type: continuous. Labels are whole numbers or text, got numbers between.")
    return y


def _few(labels):
    shown = ", ".join(repr(label) for label in labels[:4].tolist())
    return shown + (", …" if len(labels) > 4 else "")


def _fields(prefix, value):
    """The fields of a frozen kernel or feature map, and of the parts it is made of; the parameters of a model."""
    if isinstance(value, Estimator):
        return {f"{prefix}__{name}": part for name, part in value.get_params().items()}
    if not dataclasses.is_dataclass(value):
        return {}
    params = {}
    for f in dataclasses.fields(value):
        name, part = f"{prefix}__{f.name}", getattr(value, f.name)
        params |= {name: part} | _fields(name, part)
    return params


def _replaced(value, path, new, whole_path):
    """A copy of a frozen value with one part, deep inside, replaced; a model inside a model is set in place."""
    if isinstance(value, Estimator):
        return value.set_params(**{"__".join(path): new})
    name, *rest = path
    names = [f.name for f in dataclasses.fields(value)] if dataclasses.is_dataclass(value) else []
    if name not in names:
        raise ValueError(f"Invalid parameter {whole_path!r}: {value!r} has no part {name!r}, only {names!r}.")
    return dataclasses.replace(value, **{name: _replaced(getattr(value, name), rest, new, whole_path) if rest else new})


def _not_fitted(message):
    """scikit-learn's NotFittedError where scikit-learn is loaded, else the ValueError it derives from."""
    if "sklearn" in sys.modules:
        from sklearn.exceptions import NotFittedError

        return NotFittedError(message)
    return ValueError(message)


def warn(message, category=UserWarning):
    """A warning that points at the learner's line, not into the package."""
    depth = 2
    while (frame := sys._getframe(depth - 1)) and frame.f_globals.get("__name__", "").startswith("kernelkit"):
        depth += 1
    warnings.warn(message, category, stacklevel=depth)
