"""Each kernel against its formula written out, the Gaussian kernel, and the algebra of kernels."""

import copy
import dataclasses
import math
import pickle

import numpy as np
import pytest
from every_kernel import EXAMPLES, FORMULAS, A, first, sines, taken
from kernels.random_kernels import (
    EPS,
    NAMES,
    agree,
    assert_balanced,
    assert_typesets,
    scale,
)

import kernelkit
from kernelkit import kernels
from kernelkit.kernels import (
    Conjugate,
    Constant,
    Exp,
    FromFeatures,
    Gaussian,
    Linear,
    Polynomial,
    Power,
    Precomputed,
    Product,
    Pullback,
    Quadratic,
    Scaled,
    Sum,
)

pytestmark = pytest.mark.filterwarnings("error")


# ---- each kernel against its formula, written out ---------------------------------------------

ALL = pytest.mark.parametrize("k", [k for k, _ in FORMULAS], ids=repr)


@pytest.mark.parametrize(("k", "formula"), FORMULAS, ids=[repr(k) for k, _ in FORMULAS])
def test_kernel_is_its_formula(k, formula, cloud):
    X, Z = taken(k, cloud(7, 3)), taken(k, cloud(4, 3, seed=1))
    expected = np.array([[formula(x, z) for z in Z] for x in X])
    agree(k(X, Z), expected, scale(k, X, Z), 1e-13)
    agree(k.diag(X), [formula(x, x) for x in X], k.diag(X), 1e-13)


def written(base):
    """Every kernel class of the package, also one that is listed nowhere."""
    return {c for c in base.__subclasses__() if c.__module__.startswith("kernelkit.")}.union(
        *(written(c) for c in base.__subclasses__())
    )


def test_every_kernel_is_public_and_has_an_example():
    bases = {"Binary", "Graphs", "InnerProduct", "Permutations", "Sets", "Stationary", "Strings", "Unary"}
    every = {c.__name__ for c in written(kernels.Kernel)} - bases
    assert every == {type(k).__name__ for k in EXAMPLES}, (
        "tests/every_kernel.py needs one example of each, and kernels/__init__.py its name"
    )
    others = {"Bell", "Damped", "InverseLength", "Kernel"}
    assert every == {*kernels.__all__} - others, "kernels/__init__.py needs each name"
    assert every <= {*kernelkit.__all__}, "kernelkit/__init__.py needs each name"


@ALL
@pytest.mark.parametrize("order", ["C", "F", "reversed", "strided"])
def test_gram_is_exactly_symmetric_in_every_memory_layout(k, order, cloud):
    X = cloud(150, 3)  # more than two blocks of 64 rows
    X = {"C": X, "F": np.asfortranarray(X), "reversed": X[::-1, ::-1], "strided": cloud(300, 6)[::2, ::2]}[order]
    X = taken(k, X)
    K = k(X)
    np.testing.assert_array_equal(K, K.T)
    assert np.linalg.eigvalsh(K)[0] >= -1e-13 * np.trace(K)


@ALL
def test_gram_is_a_new_array(k, cloud):
    X = taken(k, cloud(5, 3))
    K = k(X)
    before = K.copy()
    K += 1
    np.testing.assert_array_equal(k(X), before)


@pytest.mark.parametrize("k", EXAMPLES, ids=repr)
def test_kernel_survives_copies_and_is_frozen(k):
    assert copy.deepcopy(k) == k and pickle.loads(pickle.dumps(k)) == k
    assert hash(copy.deepcopy(k)) == hash(k) and len({k, copy.deepcopy(k)}) == 1
    for name in [*(field.name for field in dataclasses.fields(k)), "new"]:
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(k, name, 1)


@pytest.mark.parametrize("k", EXAMPLES, ids=repr)
def test_formula_of_every_kernel_typesets(k):
    assert_balanced(k._repr_latex_())
    assert_typesets(k._repr_latex_())


def test_lists_numbers_and_arrays_are_read_alike():
    assert Linear()([1, 2], [3, 4]) == Linear()(np.array([1.0, 2.0]), (3, 4)) == 11.0
    assert Linear()(3, 4) == Linear()([3], [4]) == 12.0  # a number is a point of ℝ¹
    assert Linear()([1, 2, 3]) == 14.0  # a 1-D array is one point
    assert Linear()(np.arange(6, dtype=np.int8).reshape(3, 2)).dtype == np.float64
    assert Linear()(np.array([[True, False]]), [[1, 1]]).tolist() == [[1.0]]


# ---- the Gaussian kernel ----------------------------------------------------------------------


def test_gaussian_keeps_its_digits_far_from_the_origin(cloud):
    X, Z = cloud(80, 2) + 1e6, cloud(30, 2, seed=1) + 1e6
    exact = np.exp(-((X[:, None] - Z[None]) ** 2).sum(axis=-1) / 2)
    np.testing.assert_allclose(Gaussian(1.0)(X, Z), exact, rtol=1e-12)


def test_gaussian_is_one_on_the_diagonal_and_at_most_one(cloud):
    X = np.vstack([cloud(100, 3), cloud(100, 3)])  # every point twice
    K = Gaussian(0.3)(X)
    assert (K.diagonal() == 1).all() and K.max() == 1 and K.min() >= 0
    np.testing.assert_allclose(K[:100, 100:].diagonal(), 1, rtol=1e-13)


@pytest.mark.parametrize("sigma", [1e-300, 1e-200, 1e-9, 1e-3])
def test_gaussian_is_the_identity_where_sigma_is_far_below_the_distances(sigma, cloud):
    X = cloud(70, 3)
    np.testing.assert_array_equal(Gaussian(sigma)(X), np.eye(70))
    K = Gaussian(sigma)(np.vstack([X, X]), X.copy())  # also where a point comes twice
    np.testing.assert_allclose(K, np.vstack([np.eye(70), np.eye(70)]), rtol=1e-8)
    np.testing.assert_array_equal(Gaussian(min(1.0, 1e250 * sigma))(1e250 * X), np.eye(70))


@pytest.mark.parametrize("size", [1e2, 1e4, 1e6, 1e8])
def test_gaussian_keeps_its_digits_where_groups_lie_far_apart(size, cloud):
    X = np.vstack([cloud(40, 2) - size, cloud(40, 2, seed=1) + size])
    exact = np.exp(-((X[:, None] - X[None]) ** 2).sum(axis=-1) / 2)
    K = Gaussian(1.0)(X)
    np.testing.assert_allclose(K, exact, rtol=1e-7)
    np.testing.assert_array_equal(K, K.T)
    np.testing.assert_allclose(Gaussian(1.0)(X, X.copy()), exact, rtol=1e-7)


@pytest.mark.parametrize("reach", [0.1, 1, 5, 20])
@pytest.mark.parametrize("k", [Gaussian(0.5), Gaussian(1.0), Gaussian(30.0)], ids=repr)
def test_gaussian_follows_from_the_rules(k, reach, cloud):
    X = cloud(40, 3)
    X = k.sigma * reach * X / np.linalg.norm(X, axis=1).max()  # |x|/σ up to reach
    # the exponents reach 2·reach², and exp turns their rounding into a relative one
    agree(k.derivation(X), k(X), scale(k, X), 8 * EPS * (1 + 2 * reach**2))
    assert eval(repr(k.derivation), NAMES.copy()) == k.derivation


@pytest.mark.parametrize("k", [Polynomial(0), Polynomial(3), Polynomial(4, 0), Polynomial(5, 0.3)], ids=repr)
@pytest.mark.parametrize("reach", [0.1, 1, 20])
def test_polynomial_follows_from_the_rules(k, reach, cloud):
    X = reach * cloud(40, 3)
    agree(k.derivation(X), k(X), scale(k, X), 1e-14)
    phi, derived = k.feature_map(), k.derivation.feature_map()
    assert derived.dim(3) == phi.dim(3)
    agree(derived(X) @ derived(X).T, k(X), scale(k, X), 1e-13)


# ---- the algebra ------------------------------------------------------------------------------

k1, k2 = Polynomial(2), Quadratic([[1, 0], [0, 0]]) + 1


def test_rules_count_features_and_simplify_nothing():
    d, D1, D2 = 2, k1.dim(2), k2.dim(2)
    assert (D1, D2) == (6, 2)
    assert (k1 + k2).dim(d) == D1 + D2
    assert (k1 * k2).dim(d) == D1 * D2
    assert (k1 * k1).dim(d) == D1**2
    assert (k1**2).dim(d) == D1 * (D1 + 1) // 2
    assert (k1**3).dim(d) == math.comb(D1 + 2, 3)
    assert (5 * k1).dim(d) == (0 * k1).dim(d) == D1
    assert (k1 + 0).dim(d) == D1 + 1
    assert (k1 * k1, k1**2) == (Product(k1, k1), Power(k1, 2))
    assert 2 * (3 * k1) == Scaled(2, Scaled(3, k1))


def test_declared_dimensions_of_the_table():
    d, m = 4, 6
    assert Linear().dim(d) == d
    assert Polynomial(3).dim(d) == math.comb(d + 3, 3)
    assert Polynomial(3, 0).dim(d) == math.comb(d + 2, 3)
    assert Gaussian(1).dim(d, degree=m) == Exp(Linear()).dim(d, degree=m) == math.comb(d + m, m)
    assert Quadratic(A).dim(3) == 2
    assert Quadratic([[0.0, 0.0], [0.0, 0.0]]).dim(2) == 1  # rank 0: one feature, which is 0
    assert Pullback(Polynomial(2, 0), sines).dim(7) == 3


def test_the_power_zero_is_the_constant_one_whatever_the_kernel(cloud):
    X = cloud(4, 400)
    for k in (Linear(), Exp(Linear()), Gaussian(1.0), Precomputed()):
        phi = (k**0).feature_map()
        assert (k**0).dim(400) == 1 and phi.names(400) == ["1"]
        np.testing.assert_array_equal((k**0)(np.eye(4)), np.ones((4, 4)))
        np.testing.assert_array_equal(phi(X), np.ones((4, 1)))
        np.testing.assert_array_equal(phi.remainder(1e200 * X, X), np.zeros((4, 4)))


def test_sums_of_lists_and_numbers():
    assert 0 + k1 == k1
    assert sum([k1, k2]) == Sum(k1, k2)
    assert k1 + 2 == Sum(k1, Constant(2))
    assert 2 + k1 == Sum(Constant(2), k1)


@pytest.mark.parametrize("c", [2, 2.0, np.float64(2), np.int64(2), np.float32(2)], ids=lambda c: type(c).__name__)
def test_numpy_numbers_are_factors(c):
    assert c * k1 == k1 * c == Scaled(2, k1)
    assert repr(c * k1) in ("2 * Polynomial(2)", "2.0 * Polynomial(2)")
    assert c + k1 == Sum(Constant(2), k1)


def test_zero_is_allowed(cloud):
    X = cloud(4, 2)
    for k in (0 * k1, Constant(0), Polynomial(2, 0), k1 * 0):
        phi = k.feature_map()
        agree(phi(X) @ phi(X).T, k(X), scale(k, X), 1e-12)
    assert not (0 * k1)(X).any()


@pytest.mark.parametrize(
    ("k", "text"),
    [
        (3 * Linear() ** 2 + 2 * Linear() + 1, "3 * Linear()**2 + 2 * Linear() + 1"),
        ((Linear() + 1) * Linear(), "(Linear() + 1) * Linear()"),
        ((2 * Linear()) ** 2, "(2 * Linear())**2"),
        (Linear() + (Linear() + Linear()), "Linear() + (Linear() + Linear())"),
        (Linear() * (Linear() * Linear()), "Linear() * (Linear() * Linear())"),
        ((Linear() ** 2) ** 3, "(Linear()**2)**3"),
        (Quadratic(np.eye(2)), "Quadratic([[1.0, 0.0], [0.0, 1.0]])"),
        (np.float64(0.1) * Gaussian(np.float32(0.5)), "0.1 * Gaussian(0.5)"),
        (Conjugate(first, Linear()), "Conjugate(first, Linear())"),
    ],
)
def test_repr_reads_like_the_formula(k, text):
    assert repr(k) == text


@pytest.mark.parametrize(
    ("k", "formula"),
    [
        (Linear(), r"x^\top z"),
        (Polynomial(3), r"(x^\top z + 1)^{3}"),
        (Gaussian(1.0), r"\exp\left(-\frac{\|x - z\|^2}{2}\right)"),
        (Gaussian(0.5), r"\exp\left(-\frac{\|x - z\|^2}{2 \cdot 0.5^2}\right)"),
        ((Linear() + 1) ** 2, r"\left(x^\top z + 1\right)^{2}"),
        ((Linear() + 1) * Linear(), r"\left(x^\top z + 1\right) \cdot x^\top z"),
        (FromFeatures(sines) ** 2, r"\left(\Phi(x)^\top \Phi(z)\right)^{2}"),
        (2 * (3 * Linear()), r"2\cdot 3\,x^\top z"),
        (2 * Constant(3), r"2\cdot 3"),
        (3 * Linear() ** 2, r"3\,\left(x^\top z\right)^{2}"),
        (Pullback(Linear(), sines) ** 2, r"\left(\mathrm{sines}(x)^\top \mathrm{sines}(z)\right)^{2}"),
    ],
)
def test_formula_is_the_lecture_s(k, formula):
    assert k._repr_latex_() == f"$k(x, z) = {formula}$"


def test_singular_quadratic_has_as_many_features_as_its_rank(cloud):
    for rank in range(5):
        R = cloud(4, 4, seed=rank)[:, :rank]
        k = Quadratic(R @ R.T)
        assert k.dim(4) == max(rank, 1)
        X = cloud(9, 4)
        np.testing.assert_allclose(k(X), X @ R @ R.T @ X.T, atol=1e-12)
        assert np.linalg.eigvalsh(k(X))[0] >= -1e-13
