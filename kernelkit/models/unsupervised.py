"""Models that need no y: new coordinates for points, or groups and outliers among them."""

import sys

import numpy as np

from kernelkit.features import Monomials
from kernelkit.models.estimator import Estimator
from kernelkit.models.reading import check_feature_names


class Unsupervised(Estimator):
    """A model that needs no y."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = False
        return tags

    def _read_targets(self, y, n):
        return None, None


class Transformer(Unsupervised):
    """A model that gives points new coordinates; subclasses write ``fit`` and ``transform``, which need no y.

    They also name the coordinates, in ``get_feature_names_out``, and end ``transform`` with ``_contained``.
    """

    _sklearn_auto_wrap_output_keys = frozenset({"transform"})  # with this scikit-learn knows that set_output has effect

    def __sklearn_tags__(self):
        from sklearn.utils import TransformerTags

        tags = super().__sklearn_tags__()
        tags.transformer_tags = TransformerTags()
        return tags

    def fit_transform(self, X, y=None):
        """fit(X, y), then transform(X): (n, d) → (n, D)."""
        return self.fit(X, y).transform(X)

    def set_output(self, *, transform=None):
        """What ``transform`` gives: "default", an array, or a table of "pandas" or "polars"; None changes nothing."""
        from sklearn.base import TransformerMixin

        return TransformerMixin.set_output(self, transform=transform)

    def _contained(self, coordinates, X):
        """The coordinates (n, D) of X in what ``set_output`` asks for, which without scikit-learn is an array."""
        if "sklearn" not in sys.modules:
            return coordinates
        from sklearn.utils._set_output import _wrap_data_with_container

        return _wrap_data_with_container("transform", coordinates, X, self)


class Features(Transformer):
    """Φ as a step of a scikit-learn ``Pipeline``: (n, d) → (n, D).

    feature_map : Φ, such as Monomials(2), Landmarks(k, C), or k.feature_map().  Nothing is learned but d.

    >>> Features(Monomials(2)).fit_transform([[3.0], [4.0]]).round(3).tolist()
    [[1.0, 4.243, 9.0], [1.0, 5.657, 16.0]]
    >>> Features(Monomials(2)).fit([[3.0]]).get_feature_names_out(["age"]).tolist()
    ['1', '\\\\sqrt{2}\\\\,age', '(age)^2']
    """

    _reader_name = "feature_map"

    def __init__(self, feature_map=Monomials(2)):
        self.feature_map = feature_map

    def fit(self, X, y=None):
        """Read the points X, (n, d) or a list, and see that Φ takes them.  y is not used.  Returns self."""
        data = self._read_data(X, y)
        self._features(data.X[:1])
        return self._remember(data)

    def transform(self, X):
        """Φ(X): (n, d) → (n, D)."""
        return self._contained(self._features(self._read_new(X)), X)

    def get_feature_names_out(self, input_features=None):
        """The D features in LaTeX, in the names of the columns that fit saw, in input_features (d,), or in x_1, …"""
        self._must_be_fitted()
        if not hasattr(self, "n_features_in_"):
            raise ValueError("The features have names where the points are vectors; these are a list of other things.")
        known = getattr(self, "feature_names_in_", None)
        if input_features is None and known is None:
            return np.array(self.feature_map.names(self.n_features_in_), dtype=object)
        names = known if input_features is None else np.asarray(input_features, dtype=object)
        if known is not None:
            check_feature_names(names.tolist(), known.tolist())
        elif len(names) != self.n_features_in_:
            raise ValueError(f"input_features must hold {self.n_features_in_} names, got {len(names)}.")
        return np.array(self.feature_map.names_from(list(names)), dtype=object)


class Grouping(Unsupervised):
    """A model with a label for each of the points it was fitted to: groups 0, 1, …, or outliers −1 among the others."""

    _estimator_type = "clusterer"

    def fit_predict(self, X, y=None):
        """fit(X), then ``labels_``: (n,) whole numbers."""
        return self.fit(X).labels_


def at_most_the_points(value, name, n):
    """A count of points or groups, refused if the n points are fewer."""
    if value > n:
        raise ValueError(f"{name} must be at most the number of points, got {name} = {value} with n_samples = {n}.")
