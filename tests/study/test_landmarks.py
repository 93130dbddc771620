"""Which points stand for all: what pivots leave, who is misled by outliers, and what is refused."""

import subprocess
import sys

import numpy as np
import pytest

from kernelkit import Gaussian, Landmarks, Laplace, Linear, Substrings, datasets
from kernelkit.study.landmarks import WAYS, choose, pivots, trace_error

pytestmark = pytest.mark.filterwarnings("error")


def unequal(n=400, seed=0):
    """One group with nearly all points, and nine far away that are small."""
    rng = np.random.default_rng(seed)
    small = [rng.standard_normal((max(2, n // 100), 2)) / 10 + 8 * np.array([i % 3, 1 + i // 3]) for i in range(9)]
    return np.vstack([rng.standard_normal((n - sum(map(len, small)), 2)) / 10, *small])


def error(k, X, m, by, seeds=20):
    return np.mean([trace_error(k, X, Landmarks(k, choose(k, X, m, by, seed))) for seed in range(seeds)])


@pytest.mark.parametrize("k", [Gaussian(0.7), Laplace(1.0), Linear() + 1], ids=repr)
def test_pivots_leave_the_diagonal_of_what_the_landmarks_leave(k, cloud):
    X = cloud(40, 2)
    greedy = pivots(k, X, 12)
    for t in range(1, len(greedy)):
        phi = Landmarks(k, X[greedy[:t]])
        left = k.diag(X) - np.square(phi(X)).sum(axis=1)
        assert left[greedy[t]] == pytest.approx(left.max(), abs=1e-9)  # each stands where most is left
    assert len({*greedy}) == len(greedy)


def test_random_pivots_are_drawn_in_proportion_to_what_is_left():
    X, k = np.array([[0.0], [0.5], [3.0]]), Gaussian(1.0)
    draws = [tuple(pivots(k, X, 2, np.random.default_rng(seed))) for seed in range(6000)]
    first = np.bincount([i for i, _ in draws], minlength=3) / len(draws)
    np.testing.assert_allclose(first, 1 / 3, atol=4 * np.sqrt(2 / 9 / len(draws)))
    second = np.bincount([j for i, j in draws if i == 0], minlength=3)
    left = 1 - k(X)[0] ** 2
    share = left[2] / left.sum()
    assert abs(second[2] / second.sum() - share) < 4 * np.sqrt(share * (1 - share) / second.sum())
    assert second[0] == 0


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


def test_of_no_kernel_nothing_is_left_out():
    assert trace_error(0 * Linear(), np.eye(3), Landmarks(Gaussian(1.0), np.eye(3))) == 0


@pytest.mark.parametrize(
    "X",
    [datasets.rings(300)[0], datasets.mixture(300)[0], np.random.default_rng(0).standard_normal((300, 5)) / 2],
    ids=["rings", "mixture", "normal"],
)
def test_random_pivots_are_as_good_as_random_points(X):
    k = Gaussian(0.7)
    assert error(k, X, 30, "pivots") <= 1.05 * error(k, X, 30, "random")


def test_where_groups_are_of_unequal_size_they_leave_less_than_half():
    k, X = Gaussian(1.0), unequal()
    assert error(k, X, 15, "pivots") <= 0.5 * error(k, X, 15, "random")


def test_greedy_pivots_are_misled_by_outliers():
    rng = np.random.default_rng(0)
    outliers = 20 * rng.standard_normal((30, 2)) + 50
    X, k = np.vstack([rng.standard_normal((470, 2)), outliers]), Gaussian(1.0)
    greedy = choose(k, X, 30, "greedy")
    assert np.mean(np.linalg.norm(greedy, axis=1) > 8) > 0.7  # most stand on outliers, 6 in 100 of the points
    assert error(k, X, 30, "greedy", 1) > 1.3 * error(k, X, 30, "pivots", 10)


@pytest.mark.parametrize("by", WAYS)
def test_choices_follow_their_seed_and_leave_the_points_alone(by, cloud):
    X, k = cloud(60, 3), Gaussian(1.0)
    C = choose(k, X, 8, by, random_state=3)
    assert C.shape == (8, 3) and not np.shares_memory(C, X)
    np.testing.assert_array_equal(C, choose(k, X, 8, by, random_state=3))
    assert by == "greedy" or (choose(k, X, 8, by, random_state=4) != C).any()
    if by != "k-means":
        assert {*map(tuple, C)} <= {*map(tuple, X)} and len({*map(tuple, C)}) == 8


def test_means_are_the_means_of_their_groups():
    X, _ = datasets.rings(100)
    C = choose(Gaussian(1.0), np.vstack([X, X + 100]), 2, "k-means", random_state=1)
    np.testing.assert_allclose(sorted(C[:, 0]), [X[:, 0].mean(), X[:, 0].mean() + 100], atol=1e-9)


def test_means_of_points_beyond_1e155_do_not_end_python():
    """SciPy's k-means ends in a segmentation fault there, so a Python of its own runs it."""
    lines = [
        "from kernelkit import Gaussian",
        "from kernelkit.study.landmarks import choose",
        "for unit in 1e155, 1e200, 8e307:",
        "    C = choose(Gaussian(1.0), [[0.0], [unit], [2 * unit]], 2, 'k-means')",
        "    print(*sorted((C[:, 0] / unit).round(9)))",
    ]
    run = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, check=False)
    assert run.returncode == 0 and run.stdout.split() == 3 * ["0.5", "2.0"]


@pytest.mark.parametrize("by", ["random", "pivots", "greedy"])
def test_objects_stand_for_objects(by):
    words = ["banana", "bandana", "anna", "nab", "cabana"]
    C = choose(Substrings(2), words, 3, by)
    assert len(C) == 3 and {*C} <= {*words}
    with pytest.raises(TypeError, match="by='k-means' needs vectors: other objects have no mean"):
        choose(Substrings(2), words, 3, "k-means")


def test_all_points_leave_nothing(cloud):
    X, k = cloud(40, 2), Gaussian(1.0)
    assert abs(trace_error(k, X, Landmarks(k, X))) < 1e-10
    assert trace_error(k, X, Landmarks(k, X[:1])) == pytest.approx(1 - np.mean(k(X)[0] ** 2), rel=1e-10)


@pytest.mark.parametrize(
    ("call", "kind", "sentence"),
    [
        (lambda: choose(Gaussian(1), [[0.0], [1.0]], 3), ValueError, "got m = 3 landmarks for 2 points"),
        (lambda: choose(Gaussian(1), [0.0, 1.0], 1), ValueError, "X must be a collection of points"),
        (lambda: choose(Gaussian(1), [[0.0], [1.0]], 0), ValueError, "m must be a whole number ≥ 1"),
        (lambda: choose(Gaussian(1), [[0.0], [1.0]], 1, "kmeans"), ValueError, "by must be one of 'random', 'k-means'"),
        (lambda: choose(Linear(), [[1e200], [2e200]], 1), ValueError, "k overflows: scale the inputs"),
        (lambda: choose("gauss", [[0.0], [1.0]], 1), TypeError, "kernel must be a kernel"),
    ],
    ids=range(6),
)
def test_bad_choices_meet_a_sentence(call, kind, sentence):
    with pytest.raises(kind, match=sentence):
        call()


def test_landmarks_of_symmetric_points_do_not_depend_on_the_rounding():
    X = np.array(np.meshgrid(range(5), range(5)), float).reshape(2, -1).T - 2
    chosen = [pivots(Gaussian(1.5), X * (1 + 1e-12 * cloud), X.shape[0] // 2) for cloud in shaken(X.shape)]
    assert chosen == chosen[:1] * len(chosen)


def shaken(shape):
    return [np.random.default_rng(seed).uniform(-1, 1, shape) for seed in range(6)]
