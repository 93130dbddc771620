"""Theorems about choosing terms one by one, and about weights that are exactly 0."""

import warnings
from itertools import combinations_with_replacement

import numpy as np
import pytest
from pandas import DataFrame

from kernelkit.study.terms import allowed, columns, forward, lasso, lasso_steps, shrink


def data(n=60, d=4, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d))
    return X, 2 * X[:, 0] - X[:, 2] + 3 * X[:, 0] * X[:, 2] + 0.1 * rng.standard_normal(n)


def test_columns_held_out_in_another_order_are_refused():
    X, y = data()
    X = DataFrame(X, columns=list("abcd"))
    assert next(forward(X, y, held_out=(X, y))).held_out > 0
    with pytest.raises(ValueError, match="The columns of X and Z must be in one order"):
        next(forward(X, y, held_out=(X[list("dcba")], y)))


def test_columns_are_products():
    X = np.array([[2.0, 3.0], [5.0, 7.0]])
    np.testing.assert_array_equal(columns(X, [(), (1,), (0, 1), (0, 0, 1)]), [[1, 3, 6, 12], [1, 7, 35, 175]])


def test_a_product_waits_for_its_factors_and_a_triple_for_its_pairs():
    assert allowed([()], 3) == [(0,), (1,), (2,)]
    assert allowed([(), (0,), (1,), (2,)], 3, degree=1) == []
    pairs = [(), (0,), (1,), (2,), (0, 1), (0, 2)]
    assert (0, 1, 2) not in allowed(pairs, 3, degree=3)
    assert (0, 1, 2) in allowed([*pairs, (1, 2)], 3, degree=3)


def test_with_time_every_term_is_allowed():
    chosen = [()]
    while more := allowed(chosen, 3, degree=3):
        chosen += more
    assert sorted(chosen) == sorted(t for p in range(4) for t in combinations_with_replacement(range(3), p))


def test_each_term_is_the_best_of_those_allowed():
    X, y = data()
    X, before = X * [0.1, 1, 10, 3], [()]  # the units of a column do not matter
    for choice in forward(X, y, most=6):
        candidates = allowed(before, 4)
        losses = [_loss(X, y, [*before, term]) for term in candidates]
        assert choice.term == candidates[int(np.argmin(losses))] and choice.tried == len(candidates)
        assert choice.loss == pytest.approx(min(losses), rel=1e-9)
        before = [*before, choice.term]
        assert choice.terms == tuple(before)


def _loss(X, y, terms):
    Phi = columns(X, terms)
    return np.mean((y - Phi @ np.linalg.lstsq(Phi, y, rcond=None)[0]) ** 2)


def test_the_true_terms_come_first_with_their_weights():
    X, y = data(200)
    third = list(forward(X, y, most=3))[-1]
    assert set(third.terms) == {(), (0,), (2,), (0, 2)}
    weights = dict(zip(third.terms, third.w, strict=True))
    np.testing.assert_allclose([weights[t] for t in ((0,), (2,), (0, 2))], [2, -1, 3], atol=0.05)


def test_the_loss_falls_and_the_one_held_out_turns():
    X, y = data(30, 6)
    Z, targets = data(500, 6, seed=1)
    choices = list(forward(X, y, most=20, held_out=(Z, targets)))
    loss, held_out = ([getattr(c, name) for c in choices] for name in ("loss", "held_out"))
    assert (np.diff(loss) <= 1e-12).all()
    assert 2 <= np.argmin(held_out) <= 8 and held_out[-1] > 2 * min(held_out)


@pytest.mark.parametrize("times", [1, 3])
def test_points_held_out_that_are_the_training_points_have_their_loss(times):
    """However often each is held out, because a loss is a mean over points."""
    X, y = data(30)
    again = np.tile(X, (times, 1)), np.tile(y, times)
    for choice in forward(X, y, most=4, held_out=again):
        assert choice.held_out == pytest.approx(choice.loss, rel=1e-9)


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


def test_shrink_is_the_minimum():
    u = np.linspace(-4, 4, 8001)
    for t in (-3.0, -0.5, 0.0, 0.7, 2.0):
        best = u[np.argmin((u - t) ** 2 / 2 + 0.8 * np.abs(u))]
        assert shrink(t, 0.8) == pytest.approx(best, abs=1e-3)


def test_lasso_is_scikit_learns():
    from sklearn.linear_model import Lasso

    X, y = data()
    Phi = columns(X, [t for p in (1, 2) for t in combinations_with_replacement(range(4), p)])
    for lam in (0.5, 5.0, 40.0):
        w = lasso(Phi, y, lam, tol=1e-12)
        other = Lasso(alpha=lam / len(y), fit_intercept=False, tol=1e-12, max_iter=100_000).fit(Phi, y).coef_
        np.testing.assert_allclose(w, other, atol=1e-8)
        g = Phi.T @ (y - Phi @ w)  # at the minimum: λ sign(w_j), or at most λ where w_j is 0
        np.testing.assert_allclose(g[w != 0], lam * np.sign(w[w != 0]), atol=1e-6)
        assert (np.abs(g[w == 0]) <= lam + 1e-6).all()


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
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        w = lasso(Phi, y, lam)
    value = np.sum((y - Phi @ w) ** 2) / 2 + lam * np.abs(w).sum()
    line = np.linalg.lstsq(Phi, y, rcond=None)[0]
    reached = np.sum((y - Phi @ line) ** 2) / 2 + lam * np.abs(line).sum()  # by least squares
    assert bool(caught) == (offset > 3)
    assert caught or value <= reached * (1 + 1e-3)


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


def test_the_lasso_reads_a_table_and_its_column():
    X, y = data()
    table = DataFrame(X, columns=list("abcd"))
    np.testing.assert_allclose(lasso(table, table.assign(y=y)["y"], 0.5), lasso(X, y, 0.5), rtol=1e-12)


def test_the_penalty_of_the_lasso_is_1_by_default():
    X, y = data()
    np.testing.assert_array_equal(lasso(X, y), lasso(X, y, 1.0))


@pytest.mark.parametrize("unit", [2.0**-40, 2.0**40])
def test_the_end_of_the_lasso_knows_no_units(unit):
    X, y = data()
    np.testing.assert_array_equal(lasso(X, unit * y, 3.0 * unit, tol=1e-3), unit * lasso(X, y, 3.0, tol=1e-3))


def test_a_column_of_zeros_has_no_weight():
    X, y = data()
    X[:, 1] = 0
    assert lasso(X, y, 0.1)[1] == 0


@pytest.mark.parametrize(
    ("call", "what"),
    [
        (lambda X, y: lasso(1e200 * X, y), "Phi"),
        (lambda X, y: lasso(X, 1e200 * y), "y"),
        (lambda X, y: list(forward(1e200 * X, y)), "X"),
        (lambda X, y: list(forward(1e100 * X, y)), "the products of columns"),
    ],
    ids=["lasso", "lasso's targets", "forward", "products"],
)
def test_squares_beyond_any_float_are_refused(call, what):
    with pytest.raises(ValueError, match=rf"^The squares of {what} overflow: scale the inputs\.$"):
        call(*data())


def test_bad_input_meets_one_sentence():
    X, y = data()
    with pytest.raises(ValueError, match="most must be a whole number ≥ 1"):
        list(forward(X, y, most=0))
    with pytest.raises(ValueError, match="lam must be a finite number ≥ 0, got -1"):
        lasso(X, y, -1)
    with pytest.raises(ValueError, match="tol must be"):
        lasso(X, y, tol=0)
    with pytest.raises(ValueError, match=r"start must hold one weight for each of the 4 columns, got shape \(3,\)"):
        lasso(X, y, start=np.zeros(3))
    with pytest.raises(ValueError, match="X and Z must have the same number of features, got 4 and 3"):
        list(forward(X, y, held_out=(X[:, :3], y)))
    for call in (lambda: lasso(X, y[:-1]), lambda: list(forward(X, y[:, None]))):
        with pytest.raises(ValueError, match=r"one number for each row of (Phi|X), \(60,\)"):
            call()


def test_of_terms_that_are_worth_the_same_the_first_is_chosen():
    X = np.array(np.meshgrid([-2.0, 0.0, 2.0], [-2.0, 0.0, 2.0], [-2.0, 0.0, 2.0])).reshape(3, -1).T
    for seed in range(6):
        moved = X * (1 + 1e-12 * np.random.default_rng(seed).uniform(-1, 1, X.shape))
        assert [choice.term for choice in forward(moved, X.sum(axis=1), 3, degree=1)] == [(0,), (1,), (2,)]
