"""Every model of the package, with data that it can learn."""

from sklearn.base import is_classifier

import kernelkit
from kernelkit import datasets

ESTIMATORS = [c for c in (getattr(kernelkit, name) for name in kernelkit.__all__) if hasattr(c, "fit")]


def data_for(Model):
    return datasets.rings(60) if is_classifier(Model()) else datasets.sine(60)
