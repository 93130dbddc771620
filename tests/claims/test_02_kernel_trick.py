"""What notebook 02 teaches, as theorems: about the code of its own cells, and about what it stands for."""

from itertools import combinations, combinations_with_replacement, permutations, product
from math import comb, exp, factorial, prod

import numpy as np
import pytest
from counted import Counted, products_of
from notebook_cells import defined_by, space_of

from kernelkit import (
    Exp,
    KernelRidge,
    Linear,
    Monomials,
    Normalized,
    OrderedMonomials,
    Polynomial,
    PrimalRidge,
)
from kernelkit.course.explorers.kernel_trick import identity, weights
from kernelkit.features import Function

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


def test_the_first_bars_and_the_first_weights_of_the_text():
    """One input: 1 + 12 + 36 = 49. The panel's first points: six bars that add up to 9. And √12 from six orders."""
    phi, Phi = Polynomial(2).feature_map(), [np.array([1, np.sqrt(2) * v, v**2]) for v in (3, 2)]
    np.testing.assert_allclose(Phi[0] * Phi[1], [1, 12, 36])
    bars = phi([1, 0.5]) * phi([1.25, 1.5])
    np.testing.assert_allclose(bars, [1, 2.5, 1.5, 1.5625, 1.875, 0.5625])
    assert identity.start()["points"] == ((1.0, 0.5), (1.25, 1.5)) and bars.sum() == pytest.approx(9)
    orders = len({*permutations(["x1", "x2", "offset"])})
    assert space_of(NOTEBOOK, "cell-17")["weight"]((1, 1), 3, 2.0) == pytest.approx(np.sqrt(orders * 2))


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
    k1, k2 = Linear(), Polynomial(1)
    x, z = np.random.default_rng(5).standard_normal((2, 2))
    products = [np.kron(k1.feature_map()(v), k2.feature_map()(v)) for v in (x, z)]
    assert products[0] @ products[1] == pytest.approx(k1(x, z) * k2(x, z))
    np.testing.assert_allclose(products[0], (k1 * k2).feature_map()(x))
    both = 2 * Linear() + Polynomial(2)
    np.testing.assert_allclose(both.feature_map()(x), np.concatenate([np.sqrt(2) * x, Polynomial(2).feature_map()(x)]))
    assert both.feature_map()(x) @ both.feature_map()(z) == pytest.approx(2 * x @ z + (x @ z + 1) ** 2)


def test_features_of_a_sum_lie_side_by_side_and_those_of_a_product_are_all_products():
    """The two patients of the text: k1 = 5 and k2 = 6."""
    (a, b), (c, d) = np.array([[2, 3], [1, 1]]), np.array([[1, 4], [2, 1]])
    assert (a @ b, c @ d) == (5, 6)
    assert np.concatenate([a, c]) @ np.concatenate([b, d]) == 11 and np.kron(a, c) @ np.kron(b, d) == 30


@pytest.mark.parametrize(("x", "z"), [(1.5, 0.8), (-1.2, 0.9), (0.0, 2.0)])
def test_a_power_series_with_positive_coefficients_has_a_feature_for_each_power(x, z):
    assert Exp(Linear()).feature_map(30)([x]) @ Exp(Linear()).feature_map(30)([z]) == pytest.approx(np.exp(x * z))
    powers = [x**j / np.sqrt(factorial(j)) for j in range(7)]
    np.testing.assert_allclose(Exp(Linear()).feature_map(6)([x]), powers)


def test_the_five_products_of_the_text_and_the_features_that_the_panel_adds_up():
    products = Exp(Linear()).feature_map(4)([1.5]) * Exp(Linear()).feature_map(4)([0.8])
    np.testing.assert_allclose(products, [1, 1.2, 0.72, 0.288, 0.0864])
    assert round(products.sum(), 4) == 3.2944 and round(exp(1.2), 4) == 3.3201
    cut = identity.compute(**identity.start() | identity.scenes["Cut Gaussian"])
    assert len(cut.terms) == 15 and cut.terms.sum() < cut.value - 0.01, "short of the dashed line"


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


def test_the_arrows_and_the_distance_of_the_text():
    x, near, far = np.array([[1, 0], [0.8, 0.6], [0, 1]])
    assert (x @ near, x @ far, x @ [5, 5]) == (0.8, 0, 5)
    assert [np.sum((x - z) ** 2) for z in (near, far)] == pytest.approx([0.4, 2])
    assert Polynomial(2).squared_distance([1.0, 2.0], [3.0, 0.5]) == 36 - 2 * 25 + 10.25**2 == 91.0625


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


def test_one_point_has_other_weights_with_each_map_and_one_prediction_with_each_kernel():
    """x = (1, 1) with the target 5 and λ = 1, predicted at (2, 1); without the root it is another kernel."""
    x, y, z = np.array([[1.0, 1.0]]), np.array([5.0]), np.array([[2.0, 1.0]])
    plain = Function(lambda X: np.column_stack([X[:, 0] ** 2, X[:, 0] * X[:, 1], X[:, 1] ** 2]))
    fits = [PrimalRidge(phi, 1.0).fit(x, y) for phi in (OrderedMonomials(2), Monomials(2, offset=0), plain)]
    for fit, w in zip(fits, ([1, 1, 1, 1], [1, np.sqrt(2), 1], [1.25, 1.25, 1.25]), strict=True):
        np.testing.assert_allclose(fit.w_, w)
    dual = KernelRidge(Polynomial(2, offset=0), 1.0).fit(x, y)
    assert dual.a_ == pytest.approx(1)
    assert [float(fit.predict(z)[0]) for fit in (*fits, dual)] == pytest.approx([9, 9, 8.75, 9])


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


def test_the_constants_matter_when_there_is_a_penalty_and_they_differ():
    def apart(p, lam):
        state = weights.compute(data="sine", p=p, lam=lam)
        return np.abs(state.weighted - state.plain).max()

    assert apart(5, 1e-6) < 0.001 and round(apart(5, 1.0), 3) == 0.361
    assert max(apart(1, lam) for lam in (1e-6, 1.0, 100.0)) < 1e-6


# ---- 2.8: four and a half million features -------------------------------------------------------


def test_the_headline_model_is_the_one_with_all_features():
    space = space_of(NOTEBOOK, "headline")
    n, D, k = 300, Polynomial(4).dim(100), Polynomial(4)
    assert D == comb(104, 4) == 4_598_126 and Polynomial(5).dim(100) == comb(105, 5) == 96_560_646
    assert n**2 == 90_000 and 36.5e6 < 8 * D < 37e6, "bytes of w"
    assert 0.004 * D > 18_000, "metres that squares of four millimetres would be long"
    X, y = space["X"], space["y"]
    linear, model = (KernelRidge(kernel, 1e-4).fit(X[:n], y[:n]) for kernel in (Polynomial(1), k))
    assert model.score(X[n:], y[n:]) > 0.99 > 0.7 > linear.score(X[n:], y[n:])
    few = X[:, :8]  # 495 features: few enough to write down
    primal = PrimalRidge(k.feature_map(), 1e-2).fit(few[:n], y[:n])
    np.testing.assert_allclose(KernelRidge(k, 1e-2).fit(few[:n], y[:n]).predict(few), primal.predict(few), atol=1e-6)


def fit_by_hand(X, y, p, lam):
    """Kernel ridge regression number by number: K + λI = LLᵀ, of which half is enough, then Lb = y and Lᵀa = b."""
    n, L, a = len(X), np.zeros((len(X), len(X)), dtype=object), list(y)
    for j, i in combinations_with_replacement(range(n), 2):
        entry = power = X[i] @ X[j] + Counted(1)
        for _ in range(p - 1):
            power = power * entry
        L[i, j] = power + Counted(lam * (i == j))
    for j in range(n):
        for i, m in product(range(j, n), range(j)):
            L[i, j] = L[i, j] - L[i, m] * L[j, m]
        L[j, j] = Counted(np.sqrt(float(L[j, j])))
        for i in range(j + 1, n):
            L[i, j] = L[i, j] * Counted(1 / L[j, j])
    for triangle, rows in ((L, range(n)), (L.T, range(n - 1, -1, -1))):
        done = []
        for i in rows:
            for m in done:
                a[i] = a[i] - triangle[i, m] * a[m]
            a[i] = a[i] * Counted(1 / L[i, i])
            done.append(i)
    return a


@pytest.mark.parametrize(("n", "d", "p"), [(1, 1, 1), (2, 3, 5), (9, 4, 4), (16, 7, 5)])
def test_the_cell_counts_the_multiplications_of_a_fit(n, d, p):
    """To n of them: the cell leaves out the n/3 that the lowest power contributes."""
    count = space_of(NOTEBOOK, "fit-count")["multiplications_of_fit"]
    X, y = np.random.default_rng(6).standard_normal((n, d)), np.arange(n) + 1.0
    numbers = [np.array([Counted(v) for v in A.flat], dtype=object).reshape(A.shape) for A in (X, y)]
    K = (X @ X.T + 1) ** p + 0.5 * np.eye(n)
    np.testing.assert_allclose(np.array(fit_by_hand(*numbers, p, 0.5), float), np.linalg.solve(K, y), rtol=1e-6)
    assert abs(products_of(fit_by_hand, *numbers, p, 0.5) - count(n, d, p)) <= n


def test_at_degree_5_the_fit_multiplies_less_often_than_there_are_features():
    """Not so at degree 4, where it takes about twice as many multiplications, and still far fewer than Φ alone."""
    count = space_of(NOTEBOOK, "fit-count")["multiplications_of_fit"]
    D = {p: Polynomial(p).dim(100) for p in (4, 5)}
    assert count(300, 100, 5) < D[5] / 10
    assert 2 * D[4] < count(300, 100, 4) < 2.1 * D[4] < 300 * D[4] / 100
    assert [round(count(300, 100, p) / 1e6, 1) for p in (4, 5)] == [9.3, 9.3]
    assert 0.9e-3 < count(300, 100, 4) / 1e10 < 1.1e-3, "seconds, at ten billion a second"


def test_both_routes_of_the_picture_end_at_the_same_numbers():
    X, fig = (space_of(NOTEBOOK, "routes")[name] for name in ("X", "fig"))
    seen = [np.asarray(mesh.get_array())[::-1] for mesh in fig.figure.axes[0].collections]
    assert [M.shape for M in seen] == [(5, 2), (5, 6), (5, 5)]
    np.testing.assert_allclose(seen[0], X)
    np.testing.assert_allclose(seen[1] @ seen[1].T, seen[2])


# ---- kernels that look like none -----------------------------------------------------------------


def test_the_minimum_is_an_inner_product_of_steps():
    def reached(x):
        return 0.5 * (np.arange(0, 5, 0.25) < x)

    for x, z in product(np.arange(0, 5.1, 0.25), repeat=2):
        assert reached(x) @ reached(z) == pytest.approx(min(x, z))
    assert np.count_nonzero(reached(1.5)) == 6


def test_the_square_of_xz_minus_1_has_no_features():
    """Φ(x) of length 0 at a unit vector, and yet k(x, −x) = 4: its Gram matrix has the eigenvalue −4."""
    x = np.array([[0.6, 0.8], [-0.6, -0.8]])
    K = (x @ x.T - 1) ** 2
    np.testing.assert_allclose(K, [[0, 4], [4, 0]], atol=1e-12)
    assert np.linalg.eigvalsh(K)[0] == pytest.approx(-4)
