"""Models that need no y: new coordinates for points, or groups and outliers among them."""

from kernelkit.models.estimator import Estimator


class Unsupervised(Estimator):
    """A model that needs no y."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = False
        return tags

    def _read_targets(self, y, sample_weight, n):
        return None, None, None


class Transformer(Unsupervised):
    """A model that gives points new coordinates; subclasses write ``fit`` and ``transform``, which need no y."""

    def __sklearn_tags__(self):
        from sklearn.utils import TransformerTags

        tags = super().__sklearn_tags__()
        tags.transformer_tags = TransformerTags()
        return tags

    def fit_transform(self, X, y=None):
        """fit(X, y), then transform(X): (n, d) → (n, D)."""
        return self.fit(X, y).transform(X)


class Grouping(Unsupervised):
    """A model with a label for each of the points it was fitted to: groups 0, 1, …, or outliers −1 among the others."""

    _estimator_type = "clusterer"

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.estimator_type = self._estimator_type
        return tags

    def fit_predict(self, X, y=None):
        """fit(X), then ``labels_``: (n,) whole numbers."""
        return self.fit(X).labels_


def at_most_the_points(value, name, n):
    """A count of points or groups, refused if the n points are fewer."""
    if value > n:
        raise ValueError(f"{name} must be at most the number of points, got {name} = {value} with n_samples = {n}.")
