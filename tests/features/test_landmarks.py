"""Theorems about landmarks: what they span is exact, the rest is a kernel, and repeated ones change nothing."""

from functools import partial

import numpy as np
import pytest
from pandas import DataFrame
from sklearn.kernel_approximation import Nystroem

from kernelkit import (
    Centres,
    Features,
    Gaussian,
    Intersection,
    KernelLogistic,
    KernelRidge,
    Landmarks,
    Laplace,
    Linear,
    Matern,
    Normalized,
    Polynomial,
    PrimalLogistic,
    PrimalRidge,
    Substrings,
    datasets,
    latex,
)

pytestmark = pytest.mark.filterwarnings("error")
WORDS = ["banana", "bandana", "anna", "nab", "cabana", "banana"]
KERNELS = [Gaussian(0.8), Laplace(1.0), Matern(1.0, 2.5), Polynomial(3), Linear(), 2 * Linear() + Gaussian(1.0)]
ALL = pytest.mark.parametrize("k", KERNELS, ids=repr)


@ALL
def test_all_points_as_landmarks_are_exact(k, cloud):
    X = cloud(30, 3)  # for Linear and Polynomial(3) K is singular
    phi = Landmarks(k, X)
    np.testing.assert_allclose(phi(X) @ phi(X).T, k(X), atol=1e-10 * np.abs(k(X)).max())
    assert phi.dim() == 30


@pytest.mark.parametrize("k", [Substrings(2), Normalized(Substrings(3)), Substrings(2) + 1], ids=repr)
def test_landmarks_are_objects_of_any_kind(k):
    phi = Landmarks(k, WORDS)
    np.testing.assert_allclose(phi(WORDS) @ phi(WORDS).T, k(WORDS), atol=1e-10 * k(WORDS).max())
    np.testing.assert_allclose(phi("banana"), phi(WORDS)[0])
    assert eval(repr(phi), {"Landmarks": Landmarks, **{f.__name__: f for f in (Substrings, Normalized)}}) == phi


@pytest.mark.parametrize(
    ("k", "theirs"),
    [
        (Gaussian(0.8), {"kernel": "rbf", "gamma": 1 / (2 * 0.8**2)}),
        (Laplace(2.0), {"kernel": "laplacian", "gamma": 0.5}),
        (Polynomial(3), {"kernel": "poly", "degree": 3, "gamma": 1, "coef0": 1}),
    ],
    ids=["Gaussian", "Laplace", "Polynomial"],
)
def test_they_are_scikit_learn_s_on_the_same_landmarks(k, theirs, cloud):
    X, Z = cloud(60, 4), cloud(20, 4, seed=1)
    peer = Nystroem(n_components=25, random_state=0, **theirs).fit(X)
    np.testing.assert_allclose(Landmarks(k, peer.components_)(Z), peer.transform(Z), atol=1e-8)


@ALL
def test_repeated_landmarks_change_nothing(k, cloud):
    C, X = cloud(10, 3), cloud(20, 3, seed=1)
    once, often = Landmarks(k, C)(X), Landmarks(k, np.vstack([C, C, C[:5]]))(X)
    np.testing.assert_allclose(often @ often.T, once @ once.T, atol=1e-8 * np.abs(k(X)).max())


@ALL
def test_what_is_left_is_a_kernel_and_the_remainder_bounds_it(k, cloud):
    C, X, Z = cloud(6, 3), cloud(20, 3, seed=1), cloud(15, 3, seed=2)
    phi = Landmarks(k, C)
    scale = k.diag(X).max()
    left = k(X) - phi(X) @ phi(X).T
    assert np.linalg.eigvalsh(left).min() > -1e-10 * scale
    assert (np.abs(k(X, Z) - phi(X) @ phi(Z).T) <= phi.remainder(X, Z) + 1e-10 * scale).all()
    assert phi.remainder(C, C).max() < 1e-10 * scale  # exact at the landmarks


def test_more_landmarks_leave_less(cloud):
    X, k = cloud(60, 2), Gaussian(0.7)
    left = [np.trace(k(X) - Landmarks(k, X[:m])(X) @ Landmarks(k, X[:m])(X).T) for m in (1, 5, 20, 60)]
    assert (np.diff(left) < 0).all() and abs(left[-1]) < 1e-9


@pytest.mark.parametrize("lam", [0.01, 1.0])
def test_ridge_on_all_points_as_landmarks_is_kernel_ridge(lam):
    X, y = datasets.sine(40)
    Z = np.linspace(-3, 3, 50)[:, None]
    few, exact = PrimalRidge(Landmarks(Gaussian(0.5), X), lam), KernelRidge(Gaussian(0.5), lam)
    np.testing.assert_allclose(few.fit(X, y).predict(Z), exact.fit(X, y).predict(Z), atol=1e-7)


def test_a_few_landmarks_classify_as_well_as_all_points():
    X, y = datasets.rings(200)
    few = PrimalLogistic(Landmarks(Gaussian(0.5), X[::10]), 0.1).fit(X, y)
    assert few.score(X, y) >= KernelLogistic(Gaussian(0.5), 0.1).fit(X, y).score(X, y) - 0.02


@pytest.mark.parametrize(
    ("make", "error", "sentence"),
    [
        (lambda: Landmarks(Gaussian, [[0.0]]), TypeError, "kernel must be a kernel, such as Gaussian"),
        (lambda: Landmarks(Polynomial(2).feature_map(), [[0.0]]), TypeError, "kernel must be a kernel"),
        (lambda: Landmarks(Gaussian(1.0), [1.0, 2.0]), ValueError, "C must be a collection of landmarks, got a single"),
        (lambda: Landmarks(Substrings(2), "banana"), ValueError, "C must be a collection of landmarks"),
        (lambda: Landmarks(Gaussian(1.0), [[0.0], [np.nan]]), ValueError, "C must hold finite numbers"),
        (lambda: Landmarks(Gaussian(1.0), []), ValueError, "minimum of 1 is required in C"),
        (lambda: Landmarks(Gaussian(1.0), [[0.0, 1.0]])([[1.0]]), ValueError, "C has 2 columns, but X has 1 features"),
        (lambda: Landmarks(Intersection(), [[-1.0]])([[1.0]]), ValueError, "≥ 0"),
    ],
    ids=range(8),
)
def test_bad_landmarks_meet_a_sentence(make, error, sentence):
    with pytest.raises(error, match=sentence):
        make()


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
        C = np.eye(d)
        for j, name in enumerate(Landmarks(k, C).names(d), 1):
            assert latex.summand(k.latex("c_i", "x")) in name and f"_{{{j}i}}" in name
