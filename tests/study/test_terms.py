"""Theorems about choosing terms one by one, and about weights that are exactly 0."""

import warnings
from itertools import combinations_with_replacement

import numpy as np
import pytest
from pandas import DataFrame
from sklearn.linear_model import Lasso

from kernelkit.study.terms import allowed, columns, forward, lasso, lasso_steps, shrink


def data(n=60, d=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    return X, 2 * X[:, 0] - X[:, 2] + 3 * X[:, 0] * X[:, 2] + 0.1 * rng.standard_normal(n)


def all_terms(d, degree):
    return [term for p in range(degree + 1) for term in combinations_with_replacement(range(d), p)]


# ---- terms, one by one --------------------------------------------------------------------------


def test_columns_are_products():
    X = np.array([[2.0, 3.0], [5.0, 7.0]])
    np.testing.assert_array_equal(columns(X, [(), (1,), (0, 1), (0, 0, 1)]), [[1, 3, 6, 12], [1, 7, 35, 175]])


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_a_term_waits_for_its_parts_with_one_factor_less(degree):
    rng = np.random.default_rng(0)
    for share in (0, 0.3, 0.6, 0.9, 0.9, 1):
        chosen = [(), *(term for term in all_terms(3, degree)[1:] if rng.random() < share)]
        parts = lambda term: {term[:i] + term[i + 1 :] for i in range(len(term))}  # noqa: E731
        expected = [term for term in all_terms(3, degree) if term not in chosen and parts(term) <= {*chosen}]
        assert allowed(chosen, 3, degree) == expected


def fitted(X, y, terms):
    """The weights of least squares."""
    return np.linalg.lstsq(columns(X, terms), y, rcond=None)[0]


def loss(X, y, terms, w):
    return np.mean((y - columns(X, terms) @ w) ** 2)


def test_each_term_is_the_best_of_those_allowed_with_the_weights_of_least_squares():
    (X, y), (Z, targets) = data(), data(45, seed=1)
    units, before = [0.1, 1, 10, 3], [()]  # the units of a column do not matter
    X, Z = X * units, Z * units
    for choice in forward(X, y, most=6, held_out=(Z, targets)):
        candidates = allowed(before, 4)
        losses = [loss(X, y, [*before, t], fitted(X, y, [*before, t])) for t in candidates]
        assert choice.term == candidates[int(np.argmin(losses))] and choice.tried == len(candidates)
        before = [*before, choice.term]
        assert choice.terms == tuple(before) and choice.loss == pytest.approx(min(losses), rel=1e-9)
        np.testing.assert_allclose(choice.w, fitted(X, y, before), rtol=1e-6, atol=1e-9)
        assert choice.held_out == pytest.approx(loss(Z, targets, before, choice.w), rel=1e-9)
    assert len(before) == 7 and len(list(forward(X, y))) == 12


@pytest.mark.parametrize("unit", [1e-17, 1e-9, 1e8, 1e12])
def test_the_unit_of_the_points_changes_no_choice_and_no_loss(unit):
    X, _ = data(200)
    y = 1 + X[:, 0] + X[:, 1] ** 2
    plain, scaled = list(forward(X, y, most=3)), list(forward(unit * X, y, most=3))
    assert [c.term for c in scaled] == [c.term for c in plain] and plain[-1].loss < 1e-20
    np.testing.assert_allclose([c.loss for c in scaled], [c.loss for c in plain], rtol=1e-9, atol=1e-20)
    powers = np.array([len(term) for term in plain[-1].terms])
    np.testing.assert_allclose(scaled[-1].w * unit**powers, plain[-1].w, atol=1e-12)


def test_it_ends_when_nothing_is_left_to_gain():
    X = np.random.default_rng(0).standard_normal((20, 2))
    assert [c.term for c in forward(X, X[:, 1], most=9)] == [(1,)]
    twice = np.column_stack([X[:, 0], X[:, 0]])  # the second column is the first
    assert [c.term for c in forward(twice, X[:, 1], most=9, degree=1)] in ([(0,)], [(1,)])
    assert list(forward(X, np.ones(20))) == []
    assert len(list(forward(X, np.arange(20.0), most=9, degree=1))) == 2  # there are no more terms


@pytest.mark.parametrize("seed", range(12))
def test_a_column_is_not_chosen_beside_itself_in_other_units(seed):
    """Without the second projection its rounding looks like a direction of its own."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((60, 4))
    X[:, 1] = X[:, 0] + 10.0**-seed * rng.standard_normal(60)
    X[:, 3] = 1e3 * X[:, 2] + 1e6
    y = X[:, 0] - X[:, 2] + 1e-6 * X[:, 1] * X[:, 3] + 0.1 * rng.standard_normal(60)
    for choice in forward(X, y, 12):
        assert not {(2,), (3,)} <= {*choice.terms}


def test_of_terms_that_are_worth_the_same_the_first_is_chosen():
    X = np.array(np.meshgrid([-2.0, 0.0, 2.0], [-2.0, 0.0, 2.0], [-2.0, 0.0, 2.0])).reshape(3, -1).T
    for seed in range(6):
        moved = X * (1 + 1e-12 * np.random.default_rng(seed).uniform(-1, 1, X.shape))
        assert [choice.term for choice in forward(moved, X.sum(axis=1), 3, degree=1)] == [(0,), (1,), (2,)]


# ---- L1 -----------------------------------------------------------------------------------------


def test_shrink_is_the_minimum():
    u = np.linspace(-4, 4, 8001)
    for t in (-3.0, -0.5, 0.0, 0.7, 2.0):
        best = u[np.argmin((u - t) ** 2 / 2 + 0.8 * np.abs(u))]
        assert shrink(t, 0.8) == pytest.approx(best, abs=1e-3)


@pytest.mark.parametrize("lam", [0.5, 1.0, 5.0, 40.0])
def test_lasso_is_scikit_learns(lam):
    X, y = data()
    Phi = columns(X, all_terms(4, 2)[1:])
    Phi[:, 1] = 0  # which gets no weight
    theirs = Lasso(alpha=lam / len(y), fit_intercept=False, tol=1e-12, max_iter=100_000).fit(Phi, y).coef_
    np.testing.assert_allclose(lasso(Phi, y, lam, tol=1e-12), theirs, atol=1e-8)
    if lam == 1:  # the penalty that is not given
        np.testing.assert_array_equal(lasso(Phi, y), lasso(Phi, y, lam))


def test_weights_are_exactly_0_more_of_them_with_more_penalty():
    X, y = data()
    largest = np.abs(X.T @ y).max()
    zeros = [int(np.sum(lasso(X, y, lam) == 0)) for lam in (0.01, 0.3 * largest, 0.999 * largest, largest)]
    assert zeros[0] == 0 and zeros[2] == 3 and zeros[3] == 4 and sorted(zeros) == zeros


def test_every_pass_goes_down_and_a_warm_start_is_quicker():
    X, y = data()
    steps = lasso_steps(X, y, 3.0)
    values = [np.sum((y - X @ w) ** 2) / 2 + 3 * np.abs(w).sum() for w, _ in zip(steps, range(8), strict=False)]
    assert (np.diff(values) <= 1e-10).all() and values[0] == pytest.approx(y @ y / 2)
    w = lasso(X, y, 3.0)
    np.testing.assert_allclose(lasso(X, y, 3.0, start=w, max_iter=1), w, atol=1e-6)


@pytest.mark.parametrize("lam", [0, 1.0])
@pytest.mark.parametrize("offset", [0, 3, 1000])
def test_the_lasso_warns_where_it_ends_far_from_the_minimum(offset, lam):
    x = np.linspace(-2, 2, 60)
    y = np.sign(x)
    Phi = np.vander(x + offset, 3)
    objective = lambda w: np.sum((y - Phi @ w) ** 2) / 2 + lam * np.abs(w).sum()  # noqa: E731
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        w = lasso(Phi, y, lam)
    assert bool(caught) == (offset > 3)
    assert caught or objective(w) <= objective(np.linalg.lstsq(Phi, y, rcond=None)[0]) * (1 + 1e-3)


@pytest.mark.parametrize("unit", [2.0**-40, 2.0**40])
def test_the_end_of_the_lasso_knows_no_units(unit):
    X, y = data()
    np.testing.assert_array_equal(lasso(X, unit * y, 3.0 * unit, tol=1e-3), unit * lasso(X, y, 3.0, tol=1e-3))


def test_a_table_and_its_column_are_read_as_numbers():
    X, y = data()
    table = DataFrame(X, columns=list("abcd")).assign(y=y)
    columns_of_x = table[list("abcd")]
    np.testing.assert_allclose(lasso(columns_of_x, table["y"], 0.5), lasso(X, y, 0.5), rtol=1e-12)
    one, other = (next(forward(A, t, held_out=(A, t))) for A, t in ((columns_of_x, table["y"]), (X, y)))
    assert one.held_out == pytest.approx(other.held_out, rel=1e-12)
