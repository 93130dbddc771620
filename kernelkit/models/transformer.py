"""A feature map where scikit-learn wants a transformer."""

import numpy as np

from kernelkit.features import Monomials
from kernelkit.models.reading import check_column_names
from kernelkit.models.unsupervised import Transformer


class Features(Transformer):
    """Φ as a step of a scikit-learn ``Pipeline``: (n, d) → (n, D).

    feature_map : Φ, such as Monomials(2), Landmarks(k, C), or k.feature_map().  Nothing is learned but d.

    >>> Features(Monomials(2)).fit_transform([[3.0], [4.0]]).round(3).tolist()
    [[1.0, 4.243, 9.0], [1.0, 5.657, 16.0]]
    >>> Features(Monomials(2)).fit([[3.0]]).get_feature_names_out(["age"]).tolist()
    ['1', '\\\\sqrt{2}\\\\,age', '(age)^2']
    """

    _takes_points = "feature_map"

    def __init__(self, feature_map=Monomials(2)):
        self.feature_map = feature_map

    def fit(self, X, y=None):
        """Read the points X, (n, d) or a list, and see that Φ takes them.  y is not used.  Returns self."""
        data = self._read_data(X, y)
        self._features(data.X[:1])
        return self._remember(data)

    def transform(self, X):
        """Φ(X): (n, d) → (n, D)."""
        return self._features(self._read_new(X))

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
            check_column_names(names, known, "Features")
        elif len(names) != self.n_features_in_:
            raise ValueError(f"input_features must hold {self.n_features_in_} names, got {len(names)}.")
        return np.array(self.feature_map.names_from(list(names)), dtype=object)
