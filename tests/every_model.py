"""Every model of the package, with data that it can learn and what it answers."""

import inspect

import pytest
from sklearn.base import is_classifier

import kernelkit
from kernelkit import datasets

ESTIMATORS = [c for c in (getattr(kernelkit, name) for name in kernelkit.__all__) if hasattr(c, "fit")]
WITH_A_KERNEL = [Model for Model in ESTIMATORS if "kernel" in Model().get_params(deep=False)]
WITH_FEATURES = [Model for Model in ESTIMATORS if "feature_map" in Model().get_params(deep=False)]
PREDICTORS = [Model for Model in ESTIMATORS if hasattr(Model, "predict") and hasattr(Model, "score")]


def each(models):
    """A test for each of these models, with its name."""
    return pytest.mark.parametrize("Model", models, ids=lambda Model: Model.__name__)


def data_for(Model):
    return datasets.rings(60) if is_classifier(Model()) else datasets.sine(60)


def answers(model, X):
    """What a fitted model is for: predictions, new coordinates, densities, or labels of the points it was fitted to."""
    for method in ("predict", "transform", "log_density"):
        if hasattr(model, method):
            return getattr(model, method)(X)
    return model.labels_


def asking(Model):
    """The public methods of a model with the names of their arguments: ("predict", ["Z"]), …"""
    for name, method in inspect.getmembers(Model, inspect.isfunction):
        arguments = [*inspect.signature(method).parameters][1:]
        if arguments and not name.startswith("_"):
            yield name, arguments
