"""Which points stand for all: what pivots leave, and the means of groups."""

import numpy as np
import pytest

from kernelkit import Gaussian, Landmarks, Laplace, Linear, Substrings, datasets
from kernelkit.study.landmarks import WAYS, choose, pivots, trace_error

pytestmark = pytest.mark.filterwarnings("error")


@pytest.mark.parametrize("k", [Gaussian(0.7), Laplace(1.0), Linear() + 1], ids=repr)
def test_pivots_leave_the_diagonal_of_what_the_landmarks_leave(k, cloud):
    X = cloud(40, 2)
    greedy = pivots(k, X, 12)
    for t in range(1, len(greedy)):
        phi = Landmarks(k, X[greedy[:t]])
        left = k.diag(X) - np.square(phi(X)).sum(axis=1)
        assert left[greedy[t]] == pytest.approx(left.max(), abs=1e-9)  # each stands where most is left
    assert len({*greedy}) == len(greedy)


class Dice:
    """It notes with which probabilities it is thrown, and always takes the last."""

    def __init__(self):
        self.thrown = []

    def choice(self, n, p):
        self.thrown.append(p)
        return np.flatnonzero(p)[-1]


def test_random_pivots_are_drawn_in_proportion_to_what_is_left(cloud):
    X, k, dice = cloud(9, 2), Gaussian(1.0), Dice()
    chosen = pivots(k, X, 4, dice)
    assert chosen == [8, 7, 6, 5]
    for t, p in enumerate(dice.thrown):
        left = 1 - np.square(Landmarks(k, X[chosen[:t]])(X)).sum(axis=1) if t else np.ones(9)
        np.testing.assert_allclose(p, left / left.sum(), atol=1e-9)


def test_they_stop_where_nothing_is_left(cloud):
    X = cloud(30, 2)
    assert len(pivots(Linear(), X, 10)) == 2
    assert len(choose(Gaussian(1.0), np.repeat(X[:5], 4, axis=0), 10)) == 5


@pytest.mark.parametrize("by", ["pivots", "greedy"])
@pytest.mark.parametrize("seed", range(5))
def test_copies_far_out_where_k_is_rounded_are_no_pivots_by_nan(by, seed):
    rng = np.random.default_rng(seed)
    X = 100 * rng.standard_normal((20, 3))[rng.integers(20, size=80)]
    assert abs(trace_error(Gaussian(0.1), X, Landmarks(Gaussian(0.1), choose(Gaussian(0.1), X, 80, by)))) < 1e-8


def test_landmarks_of_symmetric_points_do_not_depend_on_the_rounding():
    X = np.array(np.meshgrid(range(5), range(5)), float).reshape(2, -1).T - 2
    shaken = [X * (1 + 1e-12 * np.random.default_rng(seed).uniform(-1, 1, X.shape)) for seed in range(6)]
    chosen = [pivots(Gaussian(1.5), points, 12) for points in shaken]
    assert chosen == chosen[:1] * 6


def test_the_error_is_the_share_of_the_diagonal_that_is_left(cloud):
    X, k = cloud(40, 2), Gaussian(1.0)
    assert abs(trace_error(k, X, Landmarks(k, X))) < 1e-10
    assert trace_error(k, X, Landmarks(k, X[:1])) == pytest.approx(1 - np.mean(k(X)[0] ** 2), rel=1e-10)
    assert trace_error(0 * Linear(), np.eye(3), Landmarks(Gaussian(1.0), np.eye(3))) == 0  # there is nothing to leave


@pytest.mark.parametrize("by", WAYS)
def test_choices_follow_their_seed_and_leave_the_points_alone(by, cloud):
    X, k = cloud(60, 3), Gaussian(1.0)
    C = choose(k, X, 8, by, random_state=3)
    assert C.shape == (8, 3) and not np.shares_memory(C, X)
    np.testing.assert_array_equal(C, choose(k, X, 8, by, random_state=3))
    assert by == "greedy" or (choose(k, X, 8, by, random_state=4) != C).any()
    if by != "k-means":
        assert {*map(tuple, C)} <= {*map(tuple, X)} and len({*map(tuple, C)}) == 8
        words = ["banana", "bandana", "anna", "nab", "cabana"]  # objects stand for objects
        C = choose(Substrings(2), words, 3, by)
        assert len(C) == 3 and {*C} <= {*words}


def test_means_are_the_means_of_their_groups():
    X, _ = datasets.rings(100)
    C = choose(Gaussian(1.0), np.vstack([X, X + 100]), 2, "k-means", random_state=1)
    np.testing.assert_allclose(sorted(C[:, 0]), [X[:, 0].mean(), X[:, 0].mean() + 100], atol=1e-9)


@pytest.mark.parametrize("unit", [1e155, 1e200, 8e307])
def test_means_of_points_whose_squares_overflow_are_means_too(unit):
    """SciPy's k-means would read memory that is not its own, and end Python."""
    C = choose(Gaussian(1.0), [[0.0], [unit], [2 * unit]], 2, "k-means")
    np.testing.assert_allclose(sorted(C[:, 0] / unit), [0.5, 2.0], rtol=1e-9)
