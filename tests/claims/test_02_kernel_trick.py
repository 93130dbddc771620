"""What notebook 02 teaches, as theorems: about the code of its own cells, and about what it stands for."""

from itertools import combinations, product
from math import comb, exp, factorial, prod

import numpy as np
import pytest
from counted import Counted, products_of
from notebook_cells import defined_by, space_of

from kernelkit import (
    KernelRidge,
    Linear,
    Monomials,
    Normalized,
    OrderedMonomials,
    Polynomial,
    PrimalRidge,
)

NOTEBOOK = "02-kernel-trick.ipynb"

# ---- 2.1 to 2.4: which features, and what they cost ----------------------------------------------


def test_the_six_features_of_the_cell_are_those_of_kernelkit_in_the_same_order():
    phi, Phi = defined_by(NOTEBOOK, "cell-04")["phi"], Polynomial(2).feature_map()
    for x in np.random.default_rng(0).standard_normal((5, 2)):
        np.testing.assert_allclose(phi(x), Phi(x))


@pytest.mark.parametrize(("d", "p"), [(2, 3), (3, 3), (4, 2), (2, 1)])
def test_ordered_and_merged_products_have_the_same_kernel(d, p):
    ordered = defined_by(NOTEBOOK, "cell-14")["ordered"]
    x, z = np.random.default_rng(1).standard_normal((2, d))
    kept, merged = OrderedMonomials(p), Monomials(p, offset=0)
    np.testing.assert_allclose(ordered(x, p), kept(x))
    for value in (ordered(x, p) @ ordered(z, p), merged(x) @ merged(z), Polynomial(p, offset=0)(x, z)):
        assert value == pytest.approx((x @ z) ** p)
    words = [tuple(sorted(word)) for word in product(range(d), repeat=p)]
    assert len(words) == kept.dim(d) and len({*words}) == merged.dim(d)


@pytest.mark.parametrize(("d", "p", "c"), [(1, 4, 2.0), (2, 3, 0.5), (3, 2, 3.0), (2, 5, 1.0)])
def test_weight_of_each_monomial_is_the_root_of_its_factor_in_the_expansion(d, p, c):
    space = space_of(NOTEBOOK, "cell-17")
    x, z = np.random.default_rng(0).standard_normal((2, d))
    ours = space["weighted"](x, p, c)
    assert len(ours) == comb(d + p, p)
    assert ours @ space["weighted"](z, p, c) == pytest.approx((x @ z + c) ** p)
    np.testing.assert_allclose(np.sort(ours), np.sort(Monomials(p, c)(x)))
    for alpha in product(range(p + 1), repeat=d):  # the factor of x^α z^α, from counting words with d + 1 letters
        if sum(alpha) <= p:
            words = factorial(p) / prod(map(factorial, (*alpha, p - sum(alpha))))
            assert space["weight"](alpha, p, c) ** 2 == pytest.approx(words * c ** (p - sum(alpha)))


def test_short_forms_take_fewer_operations_than_long_ones(capsys):
    space = space_of(NOTEBOOK, "series")
    number, tally = space["Counted"], space["Counted"].tally

    def counted(name, *numbers):
        tally.update({"·": 0, "+": 0})
        return float(space[name](*map(number, numbers))), (tally["·"], tally["+"])

    for x in (0.7, -2.0):
        assert counted("expanded", x) == (pytest.approx((x + 1) ** 9), (18, 9))
        assert counted("bracket", x) == (pytest.approx((x + 1) ** 9), (4, 1))
        assert counted("series", x) == (pytest.approx(exp(x), rel=1e-6), (30, 15))
    assert counted("explicit", 1, 2, 3, 0.5) == (16, (11, 2)) and counted("kernel", 1, 2, 3, 0.5) == (16, (3, 1))


def test_all_products_of_two_lists_of_features_belong_to_the_product_of_the_kernels():
    space = space_of(NOTEBOOK, "kronecker")
    all_products, k1, k2 = space["all_products"], space["k1"], space["k2"]
    x, z = np.random.default_rng(5).standard_normal((2, 2))
    assert all_products(x) @ all_products(z) == pytest.approx(k1(x, z) * k2(x, z))
    np.testing.assert_allclose(all_products(x), (k1 * k2).feature_map()(x))
    both = 2 * Linear() + Polynomial(2)
    np.testing.assert_allclose(both.feature_map()(x), np.concatenate([np.sqrt(2) * x, Polynomial(2).feature_map()(x)]))
    assert both.feature_map()(x) @ both.feature_map()(z) == pytest.approx(2 * x @ z + (x @ z + 1) ** 2)


# ---- 2.5: similarity -----------------------------------------------------------------------------


@pytest.mark.parametrize("k", [Linear(), Polynomial(2), Polynomial(3, 0.5)])
def test_of_points_of_one_length_the_nearest_has_the_largest_product(k):
    """In feature space, for features divided by their lengths; and not for features as they are."""
    X, Z = np.random.default_rng(1).standard_normal((2, 50, 3))
    Phi, new = k.feature_map()(X), k.feature_map()(Z)
    undivided = k(Z, X).argmax(axis=1) == k.squared_distance(Z, X).argmin(axis=1)
    pairs = ((new[:, None] - Phi) ** 2).sum(axis=2)
    np.testing.assert_allclose(k.squared_distance(Z, X), pairs, rtol=1e-9)
    np.testing.assert_allclose(pairs / 2, k.diag(Z)[:, None] / 2 - k(Z, X) + k.diag(X) / 2, rtol=1e-9)
    Phi, new = (F / np.linalg.norm(F, axis=1, keepdims=True) for F in (Phi, new))
    distances = ((new[:, None] - Phi) ** 2).sum(axis=2)
    cosine = k(Z, X) / np.sqrt(np.outer(k.diag(Z), k.diag(X)))
    np.testing.assert_allclose(Normalized(k)(Z, X), cosine)
    np.testing.assert_allclose(distances / 2, 1 - cosine, atol=1e-12)
    assert (cosine.argmax(axis=1) == distances.argmin(axis=1)).all() and not undivided.all()


# ---- 2.6: not every Φ has a fast kernel ----------------------------------------------------------


def test_all_pairs_have_a_short_form_and_each_graph_has_a_kernel_of_its_own():
    space = space_of(NOTEBOOK, "graph")
    long_way, short_form = space["long_way"], space["short_form"]
    x, z = np.random.default_rng(2).standard_normal((2, 7))
    every = list(combinations(range(7), 2))
    assert short_form(x, z) == pytest.approx(long_way(x, z, every))
    x, z = (np.array([Counted(value) for value in v], dtype=object) for v in (x, z))
    assert products_of(long_way, x, z, every) == 3 * 21 and products_of(short_form, x, z) == 2 * 7 + 1
    pairs, points = list(combinations(range(4), 2)), [np.eye(4)[i] + np.eye(4)[j] for i, j in combinations(range(4), 2)]
    graphs = [[pair for pair, there in zip(pairs, coins, strict=True) if there] for coins in product((0, 1), repeat=6)]
    values = {tuple(long_way(v, v, graph) if graph else 0.0 for v in points) for graph in graphs}
    assert len(values) == len(graphs) == 2**6


def test_most_graphs_have_no_kernel_that_600_characters_describe():
    assert comb(100, 2) == 4950 and 256**600 == 2**4800 < 2**4950 // 10**40


# ---- 2.7: copies, signs and sizes of features ----------------------------------------------------


def test_copies_share_a_weight_and_act_as_one_larger_feature():
    """Ordered products against merged ones: the same predictions, and w_merged = √m · w of each copy."""
    X, Z = np.random.default_rng(3).standard_normal((2, 20, 2))
    y = X[:, 0] * X[:, 1] + X[:, 0]
    kept, merged = (PrimalRidge(phi, 0.7).fit(X, y) for phi in (OrderedMonomials(2), Monomials(2, offset=0)))
    np.testing.assert_allclose(kept.predict(Z), merged.predict(Z))
    assert kept.w_[1] == pytest.approx(kept.w_[2]) and merged.w_[1] == pytest.approx(np.sqrt(2) * kept.w_[1])


def test_a_sign_changes_a_weight_and_no_prediction_and_a_size_changes_both():
    rng = np.random.default_rng(4)
    F, y = rng.standard_normal((12, 3)), rng.standard_normal(12)

    def fitted(scale):
        w = np.linalg.solve((F * scale).T @ (F * scale) + np.eye(3), (F * scale).T @ y)
        return w, F * scale @ w

    w, h = fitted(1.0)
    sign, size = fitted(np.array([-1, 1, 1])), fitted(np.array([0.5, 1, 1]))
    np.testing.assert_allclose(sign[0], w * [-1, 1, 1])
    np.testing.assert_allclose(sign[1], h)
    assert np.abs(size[1] - h).max() > 0.01


# ---- 2.8: four and a half million features -------------------------------------------------------


def test_the_headline_model_is_the_one_with_all_features_and_costs_less_than_their_number():
    space = space_of(NOTEBOOK, "headline")
    n, D, k = 300, Polynomial(4).dim(100), Polynomial(4)
    assert D == comb(104, 4) == 4_598_126
    assert n**2 < D / 50, "numbers in K"
    assert n * (n + 1) / 2 * (100 + 3) + n**3 / 6 < 2.1 * D < n * D / 100, "products, against those of Φ alone"
    X, y = space["X"], space["y"]
    linear, model = (KernelRidge(kernel, 1e-4).fit(X[:n], y[:n]) for kernel in (Polynomial(1), k))
    assert model.score(X[n:], y[n:]) > 0.99 > 0.7 > linear.score(X[n:], y[n:])
    few = X[:, :8]  # 495 features: few enough to write down
    primal = PrimalRidge(k.feature_map(), 1e-2).fit(few[:n], y[:n])
    np.testing.assert_allclose(KernelRidge(k, 1e-2).fit(few[:n], y[:n]).predict(few), primal.predict(few), atol=1e-6)


# ---- kernels that look like none -----------------------------------------------------------------


def test_the_minimum_is_an_inner_product_of_steps():
    reached = space_of(NOTEBOOK, "minimum")["reached"]
    for x, z in product(np.arange(0, 5.1, 0.25), repeat=2):
        assert reached(x) @ reached(z) == pytest.approx(min(x, z))


def test_the_square_of_xz_minus_1_has_no_features():
    """Φ(x) of length 0 at a unit vector, and yet k(x, −x) = 4: its Gram matrix has the eigenvalue −4."""
    x = np.array([[0.6, 0.8], [-0.6, -0.8]])
    K = (x @ x.T - 1) ** 2
    np.testing.assert_allclose(K, [[0, 4], [4, 0]], atol=1e-12)
    assert np.linalg.eigvalsh(K)[0] == pytest.approx(-4)
