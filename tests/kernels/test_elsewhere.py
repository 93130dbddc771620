"""Kernels outside this package: every kernel is a function (n, d), (m, d) → (n, m) that scikit-learn takes as it is."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.cluster import SpectralClustering
from sklearn.decomposition import KernelPCA
from sklearn.kernel_approximation import Nystroem
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics.pairwise import pairwise_kernels
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.svm import SVC, SVR, OneClassSVM

from kernelkit import Gaussian, Linear, Polynomial, datasets

BOTH = pytest.mark.parametrize(
    ("k", "named"),
    [
        (Gaussian(0.5), {"kernel": "rbf", "gamma": 2.0}),
        (Polynomial(3), {"kernel": "poly", "gamma": 1.0, "coef0": 1.0, "degree": 3}),
        (Linear(), {"kernel": "linear"}),
    ],
    ids=lambda value: repr(value) if not isinstance(value, dict) else "",
)


@pytest.fixture
def data(cloud):
    return cloud(60, 2), cloud(60), cloud(20, 2, seed=1)


@BOTH
def test_support_vector_machines_take_a_kernel(k, named, data):
    X, y, Z = data
    for Model, target in ((SVC, y > 0), (SVR, y)):
        ours, theirs = Model(kernel=k, tol=1e-6).fit(X, target), Model(**named, tol=1e-6).fit(X, target)
        np.testing.assert_array_equal(ours.support_, theirs.support_)
        np.testing.assert_allclose(ours.predict(Z), theirs.predict(Z), atol=1e-4)
    ours, theirs = (OneClassSVM(nu=0.3, tol=1e-6, **kernel).fit(X) for kernel in ({"kernel": k}, named))
    np.testing.assert_allclose(ours.decision_function(Z), theirs.decision_function(Z), rtol=1e-4, atol=1e-4)


@BOTH
def test_kernel_ridge_and_kernel_pca_take_a_kernel(k, named, data):
    X, y, Z = data
    ours, theirs = (KernelRidge(alpha=0.1, **kernel).fit(X, y).predict(Z) for kernel in ({"kernel": k}, named))
    np.testing.assert_allclose(ours, theirs, rtol=1e-6)
    ours, theirs = (KernelPCA(2, **kernel).fit(X).transform(Z) for kernel in ({"kernel": k}, named))
    np.testing.assert_allclose(np.abs(ours), np.abs(theirs), rtol=1e-6, atol=1e-9)


@BOTH
def test_what_asks_for_a_function_of_two_points_gets_one(k, named, data):
    X, _, Z = data
    settings = {name: value for name, value in named.items() if name != "kernel"}
    np.testing.assert_allclose(pairwise_kernels(X, Z, metric=k), pairwise_kernels(X, Z, named["kernel"], **settings))
    ours, theirs = (Nystroem(n_components=20, random_state=0, **kernel).fit(X) for kernel in ({"kernel": k}, named))
    np.testing.assert_allclose(ours.transform(Z), theirs.transform(Z), rtol=1e-5, atol=1e-7)


def test_spectral_clustering_takes_a_kernel():
    X, y = datasets.rings(80)
    labels = SpectralClustering(2, affinity=Gaussian(0.2), random_state=0).fit(X).labels_
    np.testing.assert_array_equal(labels, SpectralClustering(2, gamma=12.5, random_state=0).fit(X).labels_)
    assert len({*labels.tolist()}) == 2 and len(y) == 80


def test_kernels_stand_in_grids_folds_and_copies():
    X, y = datasets.rings(80)
    model = SVC(kernel=Gaussian(1.0))
    assert clone(model).kernel == Gaussian(1.0)
    search = GridSearchCV(model, {"kernel": [Linear(), Gaussian(0.5)]}, cv=4).fit(X, y)
    assert search.best_params_ == {"kernel": Gaussian(0.5)}
    assert cross_val_score(SVC(kernel=Gaussian(0.5)), X, y, cv=4).mean() == search.best_score_
