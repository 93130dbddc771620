"""Ridge regression where λ is 0, or too small for the digits: the shortest solution, and what is refused."""

import warnings

import numpy as np
import pytest
from models.ridge_forms import close, three_forms

from kernelkit import DualRidge, Gaussian, KernelRidge, Linear, Monomials, Polynomial, PrimalRidge, Totals, datasets

pytestmark = pytest.mark.filterwarnings("error")


def warns_singular(rank):
    return pytest.warns(UserWarning, match=rf"singular \(rank {rank}\) and lam = .* minimum norm is given")


@pytest.mark.parametrize("outputs", [(), (2,)])
@pytest.mark.parametrize("which", [1, 2])
def test_without_lambda_singular_dual_gives_the_shortest_solution(which, outputs, cloud):
    X, y = cloud(20, 2), cloud(20, *outputs, seed=1)
    k = Polynomial(2)  # rank 6 < 20
    with warns_singular(6) as caught:
        model = three_forms(k, 0)[which].fit(X, y)
    assert caught[0].filename == __file__  # the warning points at the caller's line
    close(model.a_, np.linalg.pinv(k(X), rcond=1e-12) @ y, 1e-9)
    w = np.linalg.lstsq(k.feature_map()(X), y, rcond=None)[0]
    close(k.feature_map()(X).T @ model.a_, w, 1e-9)


def test_without_lambda_a_multiple_of_the_kernel_predicts_the_same(cloud):
    X, y, Z = cloud(20, 2), cloud(20, seed=1), cloud(50, 2, seed=2)
    with warns_singular(6):
        model, small, large = (KernelRidge(c * Polynomial(2), 0).fit(X, y) for c in (1, 1e-20, 1e20))
    close(small.predict(Z), model.predict(Z), 1e-8)
    close(large.predict(Z), model.predict(Z), 1e-8)


def test_without_lambda_singular_primal_gives_the_shortest_solution(cloud):
    X, y = cloud(5, 2), cloud(5, seed=1)  # 6 unknowns, 5 equations
    with warns_singular(5):
        model = PrimalRidge(Monomials(2), 0).fit(X, y)
    close(model.w_, np.linalg.lstsq(Monomials(2)(X), y, rcond=None)[0], 1e-9)
    close(model.predict(X), y, 1e-9)


@pytest.mark.parametrize("lam", [1e-9, 1e-11, 1e-13, 1e-14, 1e-16])
def test_a_small_lambda_adds_no_rounding_where_no_point_lies(lam, cloud):
    X, y, Z = cloud(8, 2), cloud(8, seed=1), cloud(50, 2, seed=2)  # 15 unknowns, 8 equations
    with warnings.catch_warnings(action="ignore"):  # that it is singular
        primal, w = PrimalRidge(Monomials(4), lam).fit(X, y), Totals.of(Monomials(4), X, y).solve(lam)
    close(primal.predict(Z), DualRidge(Monomials(4), lam).fit(X, y).predict(Z), 1e-4)
    close(primal.w_, w, 1e-12)


@pytest.mark.parametrize("Ridge", [PrimalRidge, DualRidge])
def test_a_small_lambda_shrinks_small_features_where_points_lie_in_all_directions(Ridge):
    model = Ridge(Monomials(1, offset=0), 1e-16).fit([[1.0, 0.0], [0.0, 1e-8]], [1.0, 1.0])  # Φ(x) = x
    close(model.predict([[1.0, 0.0], [0.0, 1e-8]]), np.array([1, 0.5]), 1e-12)  # κ/(κ + λ) of each


@pytest.mark.parametrize("degree", [2, 3])
def test_columns_of_very_different_sizes_keep_their_weights(degree):
    years = np.arange(1990.0, 2021.0)[:, None]
    y = 3 + 0.5 * (years[:, 0] - 2000)
    h = PrimalRidge(Monomials(degree), 1e-3).fit(years, y).predict(years)
    assert np.abs(h - y).max() < 0.5  # without their small columns they were a constant, off by 10


@pytest.mark.parametrize("Ridge", [PrimalRidge, DualRidge])
@pytest.mark.parametrize("lam", [0.0, 1.0])
def test_features_whose_products_overflow_are_refused(Ridge, lam, cloud):
    with pytest.raises(ValueError, match="overflow: scale the inputs"):
        Ridge(Monomials(2), lam).fit(1e100 * cloud(9, 2), cloud(9))


def test_without_lambda_copies_of_columns_share_their_weight():
    """2000 random cases, some nearly singular without the copies too: always the shortest of the best w."""
    rng, phi = np.random.default_rng(0), Monomials(1, offset=0)  # Φ(x) = x
    with warnings.catch_warnings(action="ignore"):
        for _ in range(2000):
            n, d = rng.integers(2, 9, 2)
            X = rng.standard_normal((n, d)) * 10.0 ** rng.uniform(-1, 1, d)
            X, y = X[:, rng.integers(d, size=d + 1)], rng.standard_normal(n)
            w = PrimalRidge(phi, 0).fit(X, y).w_
            shortest = np.linalg.lstsq(X, y, rcond=1e-7)[0]
            assert np.abs(w - shortest).max() <= 1e-5 * np.abs(shortest).max()


def test_without_lambda_regular_equations_are_solved_silently(cloud):
    X, y = datasets.cubic(20, noise=0)
    Z = np.linspace(-4, 4, 30)[:, None]
    close(PrimalRidge(Monomials(3), 0).fit(X, y).predict(Z), (Z[:, 0] ** 3 - 4 * Z[:, 0]) / 5, 1e-9)
    X, y = cloud(8, 2), cloud(8)
    close(KernelRidge(Gaussian(0.5), 0).fit(X, y).predict(X), y, 1e-12)
    a = KernelRidge(Linear(), 0).fit([[1, 0], [0, 1e-6]], [1, 1]).a_  # K = diag(1, 1e-12) is far from singular
    np.testing.assert_allclose(a, [1, 1e12], rtol=1e-12)


@pytest.mark.parametrize("lam", [0, 1e-30])
def test_lambda_that_is_lost_in_rounding_counts_as_zero(lam, frozen):
    X, y = frozen([[1.0, 2.0]] * 3 + [[2.0, 1.0]] * 3), frozen([1.0, 2.0, 3.0, 0.0, 0.0, 3.0])
    with warns_singular(2):
        model = KernelRidge(Linear(), lam).fit(X, y)
    close(model.predict(X), np.array([2, 2, 2, 1, 1, 1.0]), 1e-12)  # the mean of each group
    close(model.a_, np.linalg.pinv(X @ X.T) @ y, 1e-12)


def test_zero_kernel_predicts_zero(cloud):
    X = cloud(4, 2)
    with warns_singular(0):
        assert not KernelRidge(0 * Linear(), 0).fit(X, X[:, 0]).predict(X).any()
    assert not KernelRidge(0 * Linear(), 1).fit(X, X[:, 0]).predict(X).any()
