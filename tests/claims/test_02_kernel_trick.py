"""Numbers that notebook 02 says and no cell prints, each computed once."""

from itertools import product
from math import comb, exp

import numpy as np
import pytest
from panels import state_of

from kernelkit import Exp, KernelRidge, Linear, Monomials, OrderedMonomials, Polynomial, PrimalRidge
from kernelkit.course import plots
from kernelkit.course.explorers.kernel_trick import identity, weights
from kernelkit.features import Function

# ---- which features ------------------------------------------------------------------------------------


def test_products_of_features_that_the_text_adds_up():
    """For 3 and 2 they make 49, the panel's first six bars make 9, and k₁ = 5 and k₂ = 6 make 11 and 30."""
    phi = Polynomial(2).feature_map()
    np.testing.assert_allclose(sorted(phi([3.0]) * phi([2.0])), [1, 12, 36])
    bars = phi([1, 0.5]) * phi([1.25, 1.5])
    np.testing.assert_allclose(sorted(bars), [0.5625, 1, 1.5, 1.5625, 1.875, 2.5])
    assert identity.start()["points"] == ((1.0, 0.5), (1.25, 1.5)) and bars.sum() == pytest.approx(9)
    (a, b), (c, d) = np.array([[2, 3], [1, 1]]), np.array([[1, 4], [2, 1]])
    assert (a @ b, c @ d, np.append(a, c) @ np.append(b, d), np.kron(a, c) @ np.kron(b, d)) == (5, 6, 11, 30)


def test_five_products_of_the_power_series_and_fifteen_of_the_panel_fall_short():
    products = Exp(Linear()).feature_map(4)([1.5]) * Exp(Linear()).feature_map(4)([0.8])
    np.testing.assert_allclose(products, [1, 1.2, 0.72, 0.288, 0.0864])
    assert round(products.sum(), 4) == 3.2944 and round(exp(1.2), 4) == 3.3201
    cut = state_of(identity, "Cut Gaussian")
    assert len(cut.terms) == 15 and cut.terms.sum() < cut.value - 0.01


def test_the_arrows_and_the_distance_of_the_text():
    x, near, far = np.array([[1, 0], [0.8, 0.6], [0, 1]])
    assert (x @ near, x @ far, x @ [5, 5]) == (0.8, 0, 5)
    assert [np.sum((x - z) ** 2) for z in (near, far)] == pytest.approx([0.4, 2])
    assert Polynomial(2).squared_distance([1.0, 2.0], [3.0, 0.5]) == 36 - 2 * 25 + 10.25**2 == 91.0625


def test_most_graphs_have_no_kernel_that_600_characters_describe():
    assert comb(100, 2) == 4950 and 256**600 == 2**4800 < 2**4950 // 10**40


def test_the_minimum_is_an_inner_product_of_steps():
    def reached(x):
        return 0.5 * (np.arange(0, 5, 0.25) < x)

    for x, z in product(np.arange(0, 5.1, 0.25), repeat=2):
        assert reached(x) @ reached(z) == pytest.approx(min(x, z))
    assert np.count_nonzero(reached(1.5)) == 6


def test_the_square_of_xz_minus_1_has_no_features():
    x = np.array([[0.6, 0.8], [-0.6, -0.8]])
    K = (x @ x.T - 1) ** 2
    np.testing.assert_allclose(K, [[0, 4], [4, 0]], atol=1e-12)
    assert np.linalg.eigvalsh(K)[0] == pytest.approx(-4)


def test_both_routes_of_the_picture_end_at_the_same_numbers():
    X = np.array([[0.9, 0.1], [0.8, 0.4], [0.5, 0.5], [0.2, 0.7], [0.1, 1.0]])
    ax = plots.Sheet("").subplots()
    plots.plot_routes(Polynomial(2), X, ax)
    points, features, gram = (np.asarray(mesh.get_array())[::-1] for mesh in ax.collections)
    assert (points.shape, features.shape, gram.shape) == ((5, 2), (5, 6), (5, 5))
    np.testing.assert_allclose(points, X)
    np.testing.assert_allclose(features @ features.T, gram)


# ---- weights under a penalty -----------------------------------------------------------------------------


def test_one_point_has_other_weights_with_each_map_and_one_prediction_with_each_kernel():
    """x = (1, 1) with the target 5 and λ = 1, predicted at (2, 1); without the root it is another kernel."""
    x, y, z = np.array([[1.0, 1.0]]), np.array([5.0]), np.array([[2.0, 1.0]])
    plain = Function(lambda X: np.column_stack([X[:, 0] ** 2, X[:, 0] * X[:, 1], X[:, 1] ** 2]))
    fits = [PrimalRidge(phi, 1.0).fit(x, y) for phi in (OrderedMonomials(2), Monomials(2, offset=0), plain)]
    for fit, w in zip(fits, ([1, 1, 1, 1], [1, np.sqrt(2), 1], [1.25, 1.25, 1.25]), strict=True):
        np.testing.assert_allclose(fit.w_, w)
    dual = KernelRidge(Polynomial(2, offset=0), 1.0).fit(x, y)
    assert [float(fit.predict(z)[0]) for fit in (*fits, dual)] == pytest.approx([9, 9, 8.75, 9])


def test_the_constants_matter_when_there_is_a_penalty_and_they_differ():
    def apart(p, lam):
        state = state_of(weights, data="sine", p=p, lam=lam)
        return np.abs(state.weighted - state.plain).max()

    assert apart(5, 1e-6) < 0.001 and round(apart(5, 1.0), 3) == 0.361
    assert max(apart(1, lam) for lam in (1e-6, 1.0, 100.0)) < 1e-6


# ---- four and a half million features ------------------------------------------------------------------------


def test_a_fit_multiplies_twice_as_often_as_there_are_features_at_degree_4_and_a_tenth_as_often_at_degree_5():
    """Half of K, then K + λI = LLᵀ, of which half is enough, then one equation with each triangle."""
    n, d, D4, D5 = 300, 100, Polynomial(4).dim(100), Polynomial(5).dim(100)
    rows = np.arange(n)
    triangles = sum((n - j) * j + (n - j - 1) for j in rows) + 2 * sum(j + 1 for j in rows)
    four, five = (n * (n + 1) // 2 * (d + p - 1) + triangles for p in (4, 5))
    assert round(four / 1e6, 1) == round(five / 1e6, 1) == 9.3 and 2 * D4 < four < 2.1 * D4 and five < D5 / 10
    assert D5 == 96_560_646 and n**2 == 90_000 and 36.5e6 < 8 * D4 < 37e6 and 0.004 * D4 > 18_000  # metres
