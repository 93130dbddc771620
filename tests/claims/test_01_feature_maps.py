"""What notebook 01 says, proved anew, row by row of the topics in 00."""

import re
from itertools import combinations_with_replacement, product
from math import comb

import numpy as np
import pytest
from notebook_cells import defined_by, space_of
from scipy.optimize import linprog
from sklearn.preprocessing import PolynomialFeatures

from kernelkit import (
    Monomials,
    OrderedMonomials,
    PrimalRidge,
    datasets,
)
from kernelkit.course.explorers.feature_maps import growth, separate

NOTEBOOK = "01-feature-maps.ipynb"


def points(n, d, seed=0, reach=1.0):
    return reach * np.random.default_rng(seed).uniform(-1, 1, (n, d))


def separable(Phi, y):
    """Is there a w with y_i wᵀΦ(X_i) ≥ 1 for every i? A linear program."""
    A = -y[:, None] * Phi
    return linprog(np.zeros(A.shape[1]), A, -np.ones(len(A)), bounds=(None, None)).status == 0


# ---- 1.1, 1.5: polynomial features -----------------------------------------------------------


def test_the_design_matrix_of_four_numbers_has_their_powers_as_columns(capsys):
    x = np.array([[0.2], [-0.5], [1.0], [4.0]])
    space_of(NOTEBOOK, "powers")
    said = capsys.readouterr().out.translate(str.maketrans("[]", "  ")).split()[-12:]
    np.testing.assert_allclose(np.reshape(said, (4, 3)).astype(float), PolynomialFeatures(2).fit_transform(x))
    right = [[1, 0.2, 0.04], [1, -0.5, 0.25], [1, 1, 1], [1, 4, 16]]
    np.testing.assert_allclose(Monomials(2)(x) / Monomials(2)([1.0]), right)
    np.testing.assert_allclose(np.vander(x[:, 0], 3, increasing=True), right)


def test_a_model_linear_in_w_bends_in_x():
    X, _ = datasets.cubic(30)
    y = (X[:, 0] ** 3 - 4 * X[:, 0]) / 5
    curve, line = (PrimalRidge(Monomials(p), lam=1e-12).fit(X / 3, y) for p in (3, 1))
    np.testing.assert_allclose(curve.predict(X / 3), y, atol=1e-6)
    assert np.abs(line.predict(X / 3) - y).max() > 0.5
    w, v, Phi = curve.w_, np.arange(4.0), Monomials(3)(X / 3)
    np.testing.assert_allclose(Phi @ (w + 2 * v), Phi @ w + 2 * (Phi @ v))


@pytest.mark.parametrize(("d", "p", "D"), [(2, 2, 6), (4, 3, 35), (1, 5, 6), (3, 4, 35)])
def test_the_features_are_all_products_of_at_most_p_factors(d, p, D):
    X = points(12, d)
    mine = Monomials(p)(X) / Monomials(p)(np.ones(d))
    theirs = PolynomialFeatures(p).fit_transform(X)
    assert mine.shape == theirs.shape == (12, D)
    for column in theirs.T:
        assert np.isclose(mine.T, column).all(axis=1).sum() == 1


def test_the_35_features_of_four_inputs_are_of_seven_kinds():
    kinds = {}
    for exponents in product(range(4), repeat=4):
        if sum(exponents) <= 3:
            kind = tuple(sorted(e for e in exponents if e))
            kinds[kind] = kinds.get(kind, 0) + 1
    assert kinds == {(): 1, (1,): 4, (2,): 4, (1, 1): 6, (3,): 4, (1, 2): 12, (1, 1, 1): 4}


@pytest.mark.parametrize("p", [1, 2, 3, 5])
def test_weights_times_constants_are_the_weights_that_the_cell_finds_for_plain_powers(p):
    fit_curve = defined_by(NOTEBOOK, "powers", "cell-05")["fit_curve"]
    X, y = datasets.cubic(13, 0.3)
    products = PrimalRidge(Monomials(p), lam=0).fit(X / 3, y).w_ * Monomials(p)([1.0])
    np.testing.assert_allclose(products, fit_curve(X[:, 0] / 3, y, p), atol=1e-8)


@pytest.mark.parametrize(("lam", "change"), [(1e-9, 0), (1.0, 0.1)])
def test_the_constants_change_a_fit_only_under_a_penalty(lam, change):
    X, y = datasets.moons()
    Phi = defined_by(NOTEBOOK, "cell-12")["monomials"](X, 3)
    plain = Phi @ np.linalg.solve(Phi.T @ Phi + lam * np.eye(10), Phi.T @ y)
    weighted = PrimalRidge(Monomials(3), lam).fit(X, y).predict(X)
    assert np.abs(weighted - plain).max() == pytest.approx(change, abs=0.02)


@pytest.mark.parametrize(("d", "p"), [(2, 2), (1, 4), (3, 3), (4, 3)])
def test_monomials_of_kernelkit_are_those_of_the_cell_times_constants(d, p):
    X, listed = points(12, d), defined_by(NOTEBOOK, "cell-12")["monomials"]
    np.testing.assert_allclose(Monomials(p)(X) / Monomials(p)(np.ones(d)), listed(X, p))


def test_nearest_to_the_points_is_not_nearest_to_the_true_curve():
    (X, y), (Z, truth) = datasets.cubic(13, 0.3), datasets.cubic(300, 0.0, random_state=1)
    near, far = [], []
    for p in range(1, 11):
        w = np.polynomial.Polynomial.fit(X[:, 0], y, p)
        near.append(np.mean((w(X[:, 0]) - y) ** 2))
        far.append(np.mean((w(Z[:, 0]) - truth) ** 2))
    assert (np.diff(near) <= 1e-9).all() and np.argmin(far) == 2 and far[9] > 100 * far[2]  # squares: ten times as far


def test_a_curve_that_follows_noise_has_large_weights():
    fit_curve = defined_by(NOTEBOOK, "powers", "cell-05")["fit_curve"]
    X, y = datasets.cubic(13, 0.3)
    largest = [np.abs(fit_curve(X[:, 0] / 3, y, p)).max() for p in (3, 10)]
    theirs = [np.abs(np.polynomial.polynomial.polyfit(X[:, 0] / 3, y, p)).max() for p in (3, 10)]
    assert largest == pytest.approx(theirs, rel=1e-3)
    assert largest == pytest.approx([5, 400], rel=0.05)


def test_the_stopping_distance_is_a_line_in_the_speed_and_its_square():
    x, y = np.array([3.0, 5, 10]), np.array([18.0, 40, 130])
    fit_curve = defined_by(NOTEBOOK, "powers", "cell-05")["fit_curve"]
    np.testing.assert_allclose(fit_curve(x, y, 2), [0, 3, 1], atol=1e-9)
    line = np.polynomial.Polynomial.fit(x[:2], y[:2], 1)
    np.testing.assert_allclose(line.deriv()(0), 11)
    np.testing.assert_allclose(y[2] - line(x[2]), 35)


def test_the_stopping_distance_of_two_inputs_is_made_of_two_of_the_six_monomials():
    monomials = defined_by(NOTEBOOK, "cell-12")["monomials"]
    X = points(9, 2, reach=10.0)
    np.testing.assert_allclose(monomials(X, 2) @ [0, 0, 0, 1, 3, 0], 3 * X[:, 0] * X[:, 1] + X[:, 0] ** 2)
    later = monomials(np.array([[3.0, 2], [10, 2]]), 2) - monomials(np.array([[3.0, 1], [10, 1]]), 2)
    np.testing.assert_allclose(later @ [0, 0, 0, 1, 3, 0], [9, 30])  # metres for one second more


def test_powers_of_single_inputs_cannot_make_a_product():
    corners, signs = np.array([[2.0, 3], [2, 5], [7, 3], [7, 5]]), [1, -1, -1, 1]
    alone = np.hstack([corners**q for q in range(6)])
    assert not (signs @ alone).any(), "each power cancels over the corners of a rectangle"
    assert signs @ corners.prod(axis=1) == 10


def test_a_penalty_flattens_the_steep_line_through_two_near_points():
    fit_ridge = defined_by(NOTEBOOK, "powers", "cell-08")["fit_ridge"]
    x, y = np.array([0.5, 0.6]), np.array([0.0, 1.0])
    np.testing.assert_allclose(fit_ridge(x, y, 1, 0), [-5, 10])
    rows = np.vstack([np.column_stack([np.ones(2), x]), np.sqrt(0.1) * np.eye(2)])  # a penalty is two more points
    theirs = np.linalg.lstsq(rows, [*y, 0, 0], rcond=None)[0]
    np.testing.assert_allclose(fit_ridge(x, y, 1, 0.1), theirs)
    np.testing.assert_allclose(theirs.round(2), [0.18, 0.57])
    np.testing.assert_allclose((rows[:2] @ theirs).round(2), [0.46, 0.52])


# ---- 1.2: how many features ------------------------------------------------------------------


@pytest.mark.parametrize(("d", "m"), [(2, 2), (3, 2), (4, 3), (10, 2), (5, 5)])
def test_monomials_are_counted_by_stars_and_bars(d, m):
    def listed(degree):
        return sum(1 for _ in combinations_with_replacement(range(d), degree))

    assert listed(m) == comb(d + m - 1, m) == Monomials(m, offset=0).dim(d)
    assert sum(map(listed, range(m + 1))) == comb(d + m, m) == Monomials(m).dim(d)
    assert OrderedMonomials(m).dim(d) == d**m
    assert (comb(d + m - 1, d) == listed(m)) == (d == m)  # the common slip is right for d = m alone


def test_four_stars_and_two_bars_stand_in_fifteen_rows_one_for_each_monomial():
    rows = {row for row in product("*|", repeat=6) if row.count("|") == 2}
    exponents = {tuple(map(len, "".join(row).split("|")[1:])) for row in rows}
    assert len(rows) == len(exponents) == comb(6, 4) == Monomials(4).dim(2) == 15
    assert exponents == {(i, j) for i in range(5) for j in range(5 - i)}


def test_quintic_terms_are_most_of_the_features_to_degree_five():
    listed = sum(1 for _ in combinations_with_replacement(range(6), 5))
    assert listed == comb(10, 5) == Monomials(5, offset=0).dim(6)
    quintic, D = Monomials(5, offset=0).dim(100), Monomials(5).dim(100)
    assert (quintic, D) == (91_962_520, 96_560_646) and D - quintic == Monomials(4).dim(100)


def test_both_ten_and_thirteen_are_counts_of_three_inputs_to_degree_two():
    orders = [which for m in range(3) for which in product(range(3), repeat=m)]
    assert len(orders) == 13 and len({tuple(sorted(which)) for which in orders}) == 10


@pytest.mark.parametrize("p", [2, 3, 4])
def test_one_degree_and_twice_the_inputs_multiply_the_features_as_the_text_says(p):
    assert comb(100 + p, p) * p == (100 + p) * comb(99 + p, p - 1)
    assert comb(20_000 + p, p) / comb(10_000 + p, p) == pytest.approx(2**p, rel=2e-3)


def test_the_normal_equations_of_five_million_features_would_fill_169_terabytes():
    assert round(Monomials(4).dim(100) ** 2 * np.dtype(float).itemsize / 1e12) == 169


def test_the_numbers_that_are_quoted_and_what_they_would_fill():
    assert Monomials(4).dim(100) == 4_598_126 and OrderedMonomials(2).dim(10_000) == 10**8
    with pytest.raises(ValueError, match=r"D = 4,598,126 features here: for 1,000 points that is 36\.8 GB"):
        Monomials(4)(np.zeros((1000, 100)))


@pytest.mark.parametrize("p", [2, 3, 4])
def test_the_measured_time_of_the_features_grows_like_their_number(p):
    state = growth.compute(**growth.start() | {"p": p})
    assert len(state.seconds) >= 6 and state.whose
    slope = np.polyfit(np.log(state.cells), np.log(state.seconds), 1)[0]
    assert 0.7 < slope < 1.3


# ---- 1.3, 1.4: a change of basis -------------------------------------------------------------


def test_the_lift_turns_circles_into_planes_and_a_ring_becomes_separable():
    X, y = datasets.rings(60)
    Z = Monomials(2, offset=0)(X)
    np.testing.assert_allclose(Z, np.column_stack([X[:, 0] ** 2, np.sqrt(2) * X[:, 0] * X[:, 1], X[:, 1] ** 2]))
    np.testing.assert_allclose(Z[:, 0] + Z[:, 2], (X**2).sum(axis=1))
    np.testing.assert_allclose(Z[:, 1] ** 2, 2 * Z[:, 0] * Z[:, 2])
    np.testing.assert_allclose(Monomials(2, offset=0)(-X), Z)
    assert not separable(np.column_stack([np.ones(60), X]), y)
    assert separable(np.column_stack([np.ones(60), Z]), y) and (np.sign(Z[:, 0] + Z[:, 2] - 1) == y).all()


def test_three_points_lifted_by_hand():
    Z = Monomials(2, offset=0)(np.array([[1.0, 0], [0.6, 0.8], [0.3, 0.4]]))
    np.testing.assert_allclose(Z[:2].round(2), [[1, 0, 0], [0.36, 0.68, 0.64]])
    np.testing.assert_allclose(Z[:, 0] + Z[:, 2], [1, 1, 0.25])
    away = [np.linalg.norm(z - [0.5, 0, 0.5], axis=1).round(2).tolist() for z in (Z[:2], Z[:2] / [1, np.sqrt(2), 1])]
    assert away == [[0.71, 0.71], [0.71, 0.52]]  # with √2 and without it


@pytest.mark.parametrize("r", [0.5, 1.0, 2.0])
def test_the_root_of_two_keeps_circles_round(r):
    angle = np.linspace(0, 6, 25)
    Z = Monomials(2, offset=0)(r * np.column_stack([np.cos(angle), np.sin(angle)]))
    middle = [r**2 / 2, 0, r**2 / 2]
    np.testing.assert_allclose(np.linalg.norm(Z - middle, axis=1), r**2 / np.sqrt(2))
    plain = Z / [1, np.sqrt(2), 1]
    assert np.ptp(np.linalg.norm(plain - middle, axis=1)) > 0.1 * r**2


LONG = [
    ("interval", 2, {"1", "x^2"}),
    ("rings", 2, {"1", "x_1^2", "x_2^2"}),
    ("crossing", 2, {"x_1x_2"}),
    ("moons", 3, {"x_1", "x_2", "x_1^3", "x_1x_2^2"}),
]


@pytest.mark.parametrize(("name", "degree", "long"), LONG)
def test_which_bars_are_long(name, degree, long):
    state = separate.compute(**separate.start() | {"data": name, "degree": degree})
    plain = [re.sub(r"\\sqrt\{\d+\}\\,", "", of) for of in state.names]
    sizes = dict(zip(plain, np.abs(state.w), strict=True))
    assert min(sizes[of] for of in long) > 2 * max(size for of, size in sizes.items() if of not in long)


def test_the_interval_without_a_training_error_is_wrong_in_the_gap_between_the_classes():
    state = separate.compute(**separate.start() | separate.scenes["An interval"])
    new, label = datasets.interval(n=1000, noise=separate.start()["noise"], random_state=1)
    wrong = np.sign(state.h(new)) != label
    assert state.errors == 0 and wrong.mean() == pytest.approx(1 / 8, abs=0.005)
    inner, outer = (np.abs(state.X[state.y == label]) for label in (1, -1))
    assert inner.max() < np.abs(new[wrong]).min() and np.abs(new[wrong]).max() < outer.min()


LEAST = [("half_planes", 1), ("interval", 2), ("rings", 2), ("crossing", 2)]


@pytest.mark.parametrize(("name", "least"), LEAST)
def test_the_least_degree_at_which_a_data_set_can_be_separated(name, least):
    X, y = getattr(datasets, name)()
    assert [separable(Monomials(p)(X), y) for p in range(1, least + 1)] == [False] * (least - 1) + [True]


def test_the_moons_need_cubes():
    X, y = datasets.moons(noise=0.05)
    assert [separable(Monomials(p)(X), y) for p in (1, 2, 3)] == [False, False, True]


@pytest.mark.parametrize("name", ["interval", "half_planes", "rings", "crossing", "moons"])
@pytest.mark.parametrize("p", [1, 2, 3])
def test_the_sign_of_ridge_predicts_the_classes_of_the_cell(name, p):
    classify = defined_by(NOTEBOOK, "cell-12", "cell-39")["classify"]
    X, y = getattr(datasets, name)()
    own, ridge = classify(X, y, X, p), PrimalRidge(Monomials(p), lam=1e-6).fit(X, y)
    np.testing.assert_array_equal(np.sign(ridge.predict(X)), own)
