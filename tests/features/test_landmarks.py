"""Theorems about landmarks: what they span is exact, the rest is a kernel, and repeated ones change nothing."""

from functools import partial

import numpy as np
import pytest
from every_kernel import EXAMPLES, points
from pandas import DataFrame
from sklearn.kernel_approximation import Nystroem

from kernelkit import (
    Centres,
    Features,
    Gaussian,
    KernelRidge,
    Landmarks,
    Laplace,
    Linear,
    Matern,
    Polynomial,
    PrimalRidge,
    Subsets,
    datasets,
    latex,
)

pytestmark = pytest.mark.filterwarnings("error")
ALL = pytest.mark.parametrize(
    "k",
    [Gaussian(0.8), Laplace(1.0), Matern(1.0, 2.5), Polynomial(3), Linear(), 2 * Linear() + Gaussian(1.0)],
    ids=repr,
)


@pytest.mark.parametrize("k", [k for k in EXAMPLES if not k.pairwise], ids=repr)
def test_all_points_as_landmarks_are_exact_whatever_the_points(k, cloud):
    X, phi = points(k, cloud), Landmarks(k, points(k, cloud))
    np.testing.assert_allclose(phi(X) @ phi(X).T, k(X), atol=1e-10 * np.abs(k(X)).max())
    np.testing.assert_allclose(phi(X[0]), phi(X)[0], rtol=1e-12, atol=1e-12 * np.abs(phi(X)).max())
    assert phi.dim() == 5 and phi.points == k.points


def test_landmarks_that_are_equal_are_shown_alike():
    one, other = (Landmarks(Subsets(), [S, {1}]) for S in ({0, 8}, {8, 0}))  # which Python shows as they were filled
    assert one == other and repr(one) == repr(other)


@ALL
def test_what_is_left_is_a_kernel_that_the_remainder_bounds_and_repeated_landmarks_change_nothing(k, cloud):
    for C in (cloud(30, 3), cloud(6, 3)):  # for Linear and Polynomial(3) K of 30 points is singular
        X, Z, phi = cloud(20, 3, seed=1), cloud(15, 3, seed=2), Landmarks(k, C)
        size = max(k.diag(X).max(), k.diag(C).max())
        np.testing.assert_allclose(phi(C) @ phi(C).T, k(C), atol=1e-10 * size)
        left = k(X) - phi(X) @ phi(X).T
        assert np.linalg.eigvalsh(left).min() > -1e-10 * size
        assert (np.abs(k(X, Z) - phi(X) @ phi(Z).T) <= phi.remainder(X, Z) + 1e-10 * size).all()
        assert phi.remainder(C, C).max() < 1e-10 * size  # exact at the landmarks
        often = Landmarks(k, np.vstack([C, C, C[:5]]))(X)
        np.testing.assert_allclose(often @ often.T, phi(X) @ phi(X).T, atol=1e-8 * size)


@pytest.mark.parametrize(
    ("k", "theirs"),
    [
        (Gaussian(0.8), {"kernel": "rbf", "gamma": 1 / (2 * 0.8**2)}),
        (Polynomial(3), {"kernel": "poly", "degree": 3, "gamma": 1, "coef0": 1}),
    ],
    ids=["Gaussian", "Polynomial"],
)
def test_they_are_scikit_learn_s_on_the_same_landmarks(k, theirs, cloud):
    X, Z = cloud(60, 4), cloud(20, 4, seed=1)
    peer = Nystroem(n_components=25, random_state=0, **theirs).fit(X)
    np.testing.assert_allclose(Landmarks(k, peer.components_)(Z), peer.transform(Z), atol=1e-8)


def test_ridge_on_all_points_as_landmarks_is_kernel_ridge():
    X, y = datasets.sine(40)
    Z = np.linspace(-3, 3, 50)[:, None]
    few, exact = PrimalRidge(Landmarks(Gaussian(0.5), X), 0.01), KernelRidge(Gaussian(0.5), 0.01)
    np.testing.assert_allclose(few.fit(X, y).predict(Z), exact.fit(X, y).predict(Z), atol=1e-7)


@pytest.mark.parametrize("phi", [Centres, partial(Landmarks, Gaussian(1.0))], ids=["Centres", "Landmarks"])
def test_columns_in_another_order_than_those_of_the_points_of_a_map_are_refused(phi):
    C = DataFrame([[0.0, 1.0], [2.0, 3.0]], columns=["a", "b"])
    np.testing.assert_array_equal(phi(C)(C), phi(C.to_numpy())(C.to_numpy()))
    for turned in C[["b", "a"]], C[["b", "a"]].iloc[0]:
        with pytest.raises(ValueError, match="The columns of C and X must be in one order"):
            phi(C)(turned)
    with pytest.raises(ValueError, match="The columns of C and X must be in one order"):
        Features(phi(C)).fit(C[["b", "a"]])


@ALL
def test_the_names_hold_the_kernel_of_a_landmark_and_the_point(k):
    for d in (2, 3):  # several columns are one point x
        for j, name in enumerate(Landmarks(k, np.eye(d)).names(d), 1):
            assert latex.summand(k.latex("c_i", "x")) in name and f"_{{{j}i}}" in name
