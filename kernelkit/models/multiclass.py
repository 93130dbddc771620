"""More than two classes: one binary model for each class (lecture E); ``KernelSoftmax`` takes them all at once."""

import copy

import numpy as np

from kernelkit.models.estimator import Classifier
from kernelkit.models.svm import KernelSVM


class OneVsRest(Classifier):
    """One binary classifier for each class against all others; the largest h wins.

    estimator : a classifier of kernelkit, None for ``KernelSVM()``; each class gets a copy of it.
    Learned: ``models_``, one for each of ``classes_``; with two classes a single one.
    """

    _multi_class = True

    def __init__(self, estimator=None):
        self.estimator = estimator

    def _binary(self):
        return KernelSVM() if self.estimator is None else self.estimator

    def _reader(self):
        return self._binary()._reader()

    def _pairwise(self):
        return self._binary()._pairwise()

    def fit(self, X, y):
        if not (isinstance(self._binary(), Classifier) and hasattr(self._binary(), "decision_function")):
            raise TypeError(f"estimator must be a classifier of kernelkit, got {self.estimator!r}.")
        data = self._read_data(X, y)
        ones = [1] if len(data.classes) == 2 else range(len(data.classes))
        self.models_ = [copy.deepcopy(self._binary()).fit(data.X, np.where(data.y == c, 1, -1)) for c in ones]
        return self._remember(data)

    def decision_function(self, Z):
        """h of each class, one column a class; with two classes one number a point."""
        Z = self._read_new(Z)
        h = np.column_stack([model.decision_function(Z) for model in self.models_])
        return h[:, 0] if len(self.models_) == 1 else h
