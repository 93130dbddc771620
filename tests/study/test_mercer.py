"""Mercer's theorem: what the matrix gives is what the integral equation has, in closed form for two Gaussians."""

import numpy as np
import pytest

from kernelkit import Gaussian, Laplace, Linear
from kernelkit.study.mercer import eigenfunctions, hermite, quadrature

pytestmark = pytest.mark.filterwarnings("error")
CASES = pytest.mark.parametrize(("sigma", "spread"), [(1.0, 1.0), (0.5, 1.0), (2.0, 0.7)])


@pytest.mark.parametrize("spread", [1.0, 0.7])
@pytest.mark.parametrize("n", [10, 500, 10_000])
def test_quadrature_integrates_polynomials(n, spread):
    X, w = quadrature(n, spread)
    for power, moment in ((0, 1), (1, 0), (2, spread**2), (4, 3 * spread**4)):
        assert w @ X[:, 0] ** power == pytest.approx(moment, abs=1e-12 if n == 10 else 1e-9)
    assert n < 10_000 or w[0] == 0  # the weights at the ends are 0 long before


@CASES
def test_hermite_functions_solve_the_integral_equation(sigma, spread):
    X, w = quadrature(120, spread)
    values, phi = hermite(X, sigma, spread, 8)
    np.testing.assert_allclose((Gaussian(sigma)(X) * w) @ phi, values * phi, atol=1e-9 * np.abs(phi).max())
    np.testing.assert_allclose((phi.T * w) @ phi, np.eye(8), atol=1e-9)
    np.testing.assert_allclose(values[1:] / values[:-1], values[1] / values[0], rtol=1e-12)  # geometric
    many, psi = hermite(X[40:80], sigma, spread, 200)  # Σ κ_j φ_j(x) φ_j(z) is the kernel
    np.testing.assert_allclose((psi * many) @ psi.T, Gaussian(sigma)(X[40:80]), atol=1e-9)
    assert many.sum() == pytest.approx(1)  # ∫ k(x, x) p


def test_one_function_is_the_first_of_five():
    x = np.linspace(-2, 2, 9)
    (one, phi), (five, functions) = hermite(x, 0.7, count=1), hermite(x, 0.7)
    assert phi.shape == (9, 1) and functions.shape == (9, 5) and one[0] == five[0]
    np.testing.assert_array_equal(phi[:, 0], functions[:, 0])


@pytest.mark.parametrize("unit", [1e-200, 1e-150, 1e80, 1e150, 1e200])
def test_hermite_functions_know_no_units(unit):
    x = np.linspace(-2, 2, 9)
    for plain, scaled in zip(hermite(x, 0.5, 2.0), hermite(unit * x, unit * 0.5, unit * 2.0), strict=True):
        np.testing.assert_allclose(scaled, plain, rtol=1e-12)


@CASES
def test_quadrature_meets_the_first_five_to_one_percent(sigma, spread):
    X, w = quadrature(60, spread)
    values, phi = hermite(X, sigma, spread)
    found, functions = eigenfunctions(Gaussian(sigma), X, w, like=phi)
    np.testing.assert_allclose(found, values, rtol=0.01)
    middle = np.abs(X[:, 0]) < 3 * spread
    np.testing.assert_allclose(functions[middle], phi[middle], atol=0.01 * np.abs(phi[middle]).max())
    x = np.linspace(-2 * spread, 2 * spread, 31)[:, None]  # between the nodes too
    _, between = eigenfunctions(Gaussian(sigma), X, w, x=x, like=phi)
    exact = hermite(x, sigma, spread)[1]
    np.testing.assert_allclose(between, exact, atol=0.01 * np.abs(exact).max())


def test_eigenvalues_that_are_rounding_have_no_function():
    values, phi = eigenfunctions(Linear(), [[1.0], [2.0], [3.0]], count=3)
    assert values.shape == (1,) and phi.shape == (3, 1)
    X, w = quadrature(60)
    values, phi = eigenfunctions(Gaussian(1.0), X, w, count=60)
    assert 20 < len(values) < 40
    np.testing.assert_allclose((phi.T * w) @ phi, np.eye(len(values)), atol=1e-2)


def test_functions_of_points_are_orthonormal_under_them_with_the_eigenvalues_of_the_mean_of_k(cloud):
    X = cloud(50, 2)
    values, phi = eigenfunctions(Laplace(1.0), X, count=6)
    np.testing.assert_allclose(phi.T @ phi / 50, np.eye(6), atol=1e-10)
    np.testing.assert_allclose(values, np.linalg.eigvalsh(Laplace(1.0)(X) / 50)[:-7:-1], rtol=1e-10)
