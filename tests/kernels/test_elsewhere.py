"""Kernels outside this package: every kernel is a function (n, d), (m, d) → (n, m) that scikit-learn takes as it is."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.model_selection import GridSearchCV
from sklearn.svm import SVC

from kernelkit import Gaussian, Linear, Polynomial, datasets


@pytest.mark.parametrize(
    ("k", "named"),
    [
        (Gaussian(0.5), {"kernel": "rbf", "gamma": 2.0}),
        (Polynomial(3), {"kernel": "poly", "gamma": 1.0, "coef0": 1.0, "degree": 3}),
    ],
    ids=["Gaussian", "Polynomial"],
)
def test_what_asks_for_a_matrix_and_what_asks_for_a_number_of_two_points_gets_it(k, named, cloud):
    X, y, Z = cloud(60, 2), cloud(60) > 0, cloud(20, 2, seed=1)
    np.testing.assert_array_equal(SVC(kernel=k, tol=1e-6).fit(X, y).support_, SVC(**named, tol=1e-6).fit(X, y).support_)
    of = {name: value for name, value in named.items() if name != "kernel"}
    np.testing.assert_allclose(pairwise_kernels(X, Z, metric=k), pairwise_kernels(X, Z, named["kernel"], **of))


def test_kernels_stand_in_grids_and_copies():
    X, y = datasets.rings(80)
    model = SVC(kernel=Gaussian(1.0))
    assert clone(model).kernel == Gaussian(1.0)
    search = GridSearchCV(model, {"kernel": [Linear(), Gaussian(0.5)]}, cv=4).fit(X, y)
    assert search.best_params_ == {"kernel": Gaussian(0.5)}
