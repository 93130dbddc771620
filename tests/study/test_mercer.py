"""Mercer's theorem: what the matrix gives is what the integral equation has, in closed form for two Gaussians."""

import numpy as np
import pytest

from kernelkit import Gaussian, Laplace, Linear
from kernelkit.study.mercer import eigenfunctions, hermite, quadrature

pytestmark = pytest.mark.filterwarnings("error")
CASES = pytest.mark.parametrize(("sigma", "spread"), [(1.0, 1.0), (0.5, 1.0), (2.0, 0.7)])


@CASES
def test_quadrature_integrates_polynomials(sigma, spread):
    X, w = quadrature(10, spread)
    for power, moment in ((0, 1), (1, 0), (2, spread**2), (4, 3 * spread**4)):
        assert w @ X[:, 0] ** power == pytest.approx(moment, abs=1e-12)


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
    np.testing.assert_allclose(found[1:] / found[:-1], values[1:] / values[:-1], rtol=0.01)
    middle = np.abs(X[:, 0]) < 3 * spread
    np.testing.assert_allclose(functions[middle], phi[middle], atol=0.01 * np.abs(phi[middle]).max())
    x = np.linspace(-2 * spread, 2 * spread, 31)[:, None]  # between the nodes too
    _, between = eigenfunctions(Gaussian(sigma), X, w, x=x, like=phi)
    exact = hermite(x, sigma, spread)[1]
    np.testing.assert_allclose(between, exact, atol=0.01 * np.abs(exact).max())


def test_random_points_get_there_like_one_over_the_root():
    exact, _ = hermite([0.0], 1.0)
    mean = [
        np.mean(
            [
                np.abs(eigenfunctions(Gaussian(1.0), np.random.default_rng(s).standard_normal((n, 1)))[0][0] - exact[0])
                for s in range(30)
            ]
        )
        for n in (30, 480)
    ]
    assert 2.5 < mean[0] / mean[1] < 6.5  # √16 = 4


def test_a_quadrature_of_many_nodes_is_one_too():
    X, w = quadrature(500)
    assert w @ X[:, 0] ** 4 == pytest.approx(3, abs=1e-9)


def test_one_function_is_the_first_of_five():
    x = np.linspace(-2, 2, 9)
    (one, phi), (five, functions) = hermite(x, 0.7, count=1), hermite(x, 0.7)
    assert phi.shape == (9, 1) and functions.shape == (9, 5)
    np.testing.assert_array_equal(phi[:, 0], functions[:, 0])
    assert one[0] == five[0]


def test_more_nodes_than_anyone_needs_are_refused_at_once():
    with pytest.raises(ValueError, match=r"^n must be at most 10,000 nodes, got 1,000,000,000: "):
        quadrature(10**9)
    assert quadrature(10_000)[1][0] == 0  # the last weights are 0 long before


def test_eigenvalues_that_are_rounding_have_no_function():
    values, phi = eigenfunctions(Linear(), [[1.0], [2.0], [3.0]], count=3)
    assert values.shape == (1,) and phi.shape == (3, 1)
    X, w = quadrature(60)
    values, phi = eigenfunctions(Gaussian(1.0), X, w, count=60)
    assert 20 < len(values) < 40
    np.testing.assert_allclose((phi.T * w) @ phi, np.eye(len(values)), atol=1e-2)


def test_computed_functions_are_orthonormal_under_the_points(cloud):
    X = cloud(50, 2)
    values, phi = eigenfunctions(Laplace(1.0), X, count=6)
    np.testing.assert_allclose(phi.T @ phi / 50, np.eye(6), atol=1e-10)
    assert (np.diff(values) < 0).all()


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: hermite([0.0], 1e-200), r"spread/sigma must be between 1e-150 and 1e\+150, got 1e\+200\."),
        (lambda: hermite([0.0], 1.0, 5e-324), r"spread/sigma must be between 1e-150 and 1e\+150, got 4"),
        (lambda: hermite([0.0], 1.0, count=10**9), r"1,000,000,000 functions at 1 points are 8\.0 GB, more than"),
        (lambda: eigenfunctions(Linear(), [[1e200], [2e200]]), r"k overflows: scale the inputs"),
    ],
    ids=["narrow", "spread", "functions", "points"],
)
def test_what_would_overflow_or_not_fit_is_refused_in_one_sentence(call, sentence):
    with pytest.raises(ValueError, match=f"^{sentence}"):
        call()


def test_bad_input_is_refused_in_one_sentence():
    with pytest.raises(ValueError, match=r"^weights must hold 3 numbers ≥ 0, one for each point, got shape \(2,\)\.$"):
        eigenfunctions(Gaussian(1.0), [[0.0], [1.0], [2.0]], [1, 1])
    with pytest.raises(ValueError, match="X and Z must have the same number of features, got 1 and 2"):
        eigenfunctions(Gaussian(1.0), [[0.0], [1.0]], x=[[0.0, 1.0]])
    with pytest.raises(ValueError, match=r"like must hold 2 functions at the 2 points, \(2, 2\), got \(2, 1\)"):
        eigenfunctions(Gaussian(1.0), [[0.0], [1.0]], like=[[1.0], [1.0]])
    with pytest.raises(TypeError, match="k must be a kernel, got 3"):
        eigenfunctions(3, [[0.0], [1.0]])
    with pytest.raises(ValueError, match=r"^sigma must be a finite number > 0, got 0\.$"):
        hermite([0.0], 0)
    for call in (lambda: hermite([0.0], 1.0, -1), lambda: quadrature(3, -1)):
        with pytest.raises(ValueError, match=r"^spread must be a finite number > 0, got -1\.$"):
            call()
