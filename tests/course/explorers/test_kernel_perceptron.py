"""What notebook 06's explorers say, against plain loops and scikit-learn."""

import numpy as np
import pytest
from panels import marks_of, number, readout_of, state_of
from sklearn.datasets import load_digits
from sklearn.linear_model import Perceptron
from sklearn.metrics.pairwise import polynomial_kernel, rbf_kernel

from kernelkit import Monomials, datasets
from kernelkit.course.explorers.kernel_perceptron import digits_pair, stepper, two_runs


def mixed(X, y):
    order = np.random.default_rng(0).permutation(len(y))
    return X[order], y[order]


def loop(K, y, rate=lambda t: 1.0, passes=100, seed=None):
    """The coefficients after each mistake, its point and its pass, by the book."""
    a, A, points, numbers = np.zeros(len(y)), [np.zeros(len(y))], [], []
    rng = np.random.default_rng(seed)
    for p in range(1, passes + 1):
        for i in range(len(y)) if seed is None else rng.integers(len(y), size=len(y)):
            if y[i] * sum(a[j] * K[j, i] for j in np.flatnonzero(a)) <= 0:
                a[i] += rate(len(points)) * y[i]
                A.append(a.copy())
                points.append(i)
                numbers.append(p)
        if all(y * (K @ a) > 0):
            break
    return np.array(A), points, numbers


STEPS = [
    ("rings", "polynomial", 2, 3, None),
    ("moons", "polynomial", 3, 12, None),
    ("crossing", "gaussian", 0.5, 5, None),
    ("moons", "gaussian", 0.7, 4, 3),
    ("half planes", "line", 1, 6, 0),
    ("16 points", "line", 1, 40, None),
]


@pytest.mark.parametrize(("data", "family", "size", "step", "seed"), STEPS)
def test_stepper_says_what_a_plain_loop_finds(data, family, size, step, seed):
    X, y = mixed(
        *{
            "rings": lambda: datasets.rings(40),
            "moons": lambda: datasets.moons(40),
            "16 points": datasets.sixteen,
            "crossing": lambda: datasets.crossing(40),
            "half planes": lambda: datasets.half_planes(40, noise=0.0),
        }[data]()
    )
    gaussian = family == "gaussian"
    K = rbf_kernel(X, gamma=1 / (2 * size**2)) if gaussian else polynomial_kernel(X, degree=size, gamma=1, coef0=1)
    A, points, numbers = loop(K, y, seed=seed)
    order = {"order": "cyclic"} if seed is None else {"order": "random", "seed": seed}
    chosen = {"sigma": size} if gaussian else {"degree": max(size, 2)}
    read = readout_of(stepper, data=data, family=family, step=step, **chosen, **order)
    i, a = points[step - 1], A[step]
    assert (read["mistake at point"], read["in pass"]) == (str(i + 1), str(numbers[step - 1]))
    assert number(read["y·h before the repair"]) == pytest.approx(y[i] * (K[i] @ A[step - 1]), abs=0.00051)
    assert read["points with a mistake so far"] == f"{len(set(points[:step]))} of {len(y)}"
    right, was_right = y * (K @ a) > 0, y * (K @ A[step - 1]) > 0
    assert read["points wrong now"] == f"{np.sum(~right)}, {np.sum(was_right & ~right)} of them newly"


def test_stepper_before_the_first_mistake_has_no_model():
    state = stepper.compute(**stepper.start() | {"step": 0})
    assert not state.a.any() and not state.H.any() and state.wrong == 40
    assert "mistake at point" not in readout_of(stepper, step=0)


def test_stepper_stops_where_the_run_ends():
    X, y = mixed(*datasets.rings(40))
    mistakes = len(loop(polynomial_kernel(X, degree=2, gamma=1, coef0=1), y)[1])
    rings = stepper.start() | {"data": "rings", "family": "polynomial", "degree": 2}
    at_the_end = [stepper.compute(**rings | {"step": step}) for step in (mistakes, mistakes + 1, 40)]
    assert [state.step for state in at_the_end] == [mistakes] * 3
    assert at_the_end[0].wrong == 0 < stepper.compute(**rings | {"step": mistakes - 1}).wrong


def crosses(state, name):
    (mark,) = marks_of(stepper, state, name)
    return {*zip(mark.x, mark.y, strict=True)}


def wrong_points(values):
    """The places that sign(h) gets wrong, with scikit-learn's kernels; h = 0 counts as wrong."""
    shown = stepper.compute(**values)
    X, y, size = shown.X, shown.y, {"line": 1}.get(values["family"], values["degree"])
    gaussian = values["family"] == "gaussian"
    K = rbf_kernel(X, gamma=1 / (2 * values["sigma"] ** 2)) if gaussian else polynomial_kernel(X, None, size, 1, 1)
    return {tuple(place) for place in X[y * (K @ shown.a) <= 0]}


@pytest.mark.parametrize("scene", [{}, *stepper.scenes.values(), {"family": "gaussian"}, {"data": "crossing"}])
def test_each_wrong_point_has_a_cross_which_is_bold_where_it_was_right_before(scene):
    values = stepper.start() | scene
    shown = stepper.compute(**values)
    thin, bold = (crosses(shown, name) for name in ("wrong", "spoiled"))
    now, before = wrong_points(values), wrong_points(values | {"step": max(shown.step - 1, 0)})
    assert bold == now - before
    assert thin == (now & before if shown.step else set()), "before the first mistake h = 0, and no cross hides a class"


def test_one_more_mistake_spoils_what_was_right_and_the_first_picture_hides_it():
    start = stepper.compute(**stepper.start())
    assert len(start.spoiled) == 0 and start.wrong == 3
    more = stepper.compute(**stepper.start() | stepper.scenes["One repair more"])
    assert len(more.spoiled) == 12 and more.wrong == 12
    assert crosses(more, "spoiled") == {tuple(place) for place in more.X[more.spoiled]}


def test_stepper_draws_the_h_of_the_counts():
    state = stepper.compute(**stepper.start() | {"data": "moons", "family": "gaussian", "sigma": 0.5, "step": 6})
    X, _ = mixed(*datasets.moons(40))
    at = np.array([[state.x_grid[7], state.y_grid[40]]])
    assert state.H[40, 7] == pytest.approx((rbf_kernel(at, X, gamma=2.0) @ state.a).item())


@pytest.mark.parametrize("degree", [3, 4])
def test_both_runs_end_in_the_weights_of_scikit_learn(degree):
    X, y = mixed(*datasets.moons(40))
    state = two_runs.compute(**two_runs.start() | {"degree": degree})
    passes = loop(polynomial_kernel(X, degree=degree, gamma=1, coef0=1), y)[2][-1] + 1
    theirs = Perceptron(shuffle=False, fit_intercept=False, tol=None, max_iter=passes).fit(Monomials(degree)(X), y)
    assert np.allclose(state.W[-1], theirs.coef_[0]) and np.allclose(state.from_a[-1], theirs.coef_[0])
    assert state.in_w == state.in_a and state.over and state.gap < 1e-9
    (dots,), (bars,) = (marks_of(two_runs, state, name) for name in ("dots", "bars"))
    np.testing.assert_allclose(dots.y, theirs.coef_[0])
    np.testing.assert_allclose(bars.values, theirs.coef_[0])


@pytest.mark.parametrize(
    ("rate", "eta"),
    [
        ("η = 0.1", lambda t: 0.1),
        ("η = 1/√(t+1)", lambda t: 1 / np.sqrt(t + 1)),
        ("η = 1/(t+1)", lambda t: 1 / (t + 1)),
    ],
)
def test_two_runs_says_where_a_rate_parts_from_rate_one(rate, eta):
    X, y = mixed(*datasets.moons(40))
    K = polynomial_kernel(X, degree=3, gamma=1, coef0=1)
    steady, other = loop(K, y)[1], loop(K, y, eta, passes=200)[1]
    state = state_of(two_runs, rate=rate)
    if rate == "η = 0.1":
        np.testing.assert_allclose(10 * state.W[-1], state.steady_w)
        assert steady == other and state.parting is None
    else:
        parting = next(t for t, (p, q) in enumerate(zip(steady, other, strict=False), 1) if p != q)
        assert state.parting == parting and eta(1) < eta(0)


def test_a_falling_rate_may_leave_the_list_as_it_is():
    falling = [
        two_runs.compute(**two_runs.start() | {"data": data, "degree": degree, "rate": rate})
        for data in ("half planes", "rings", "crossing")
        for degree in (1, 2, 3)
        for rate in ("η = 1/√(t+1)", "η = 1/(t+1)")
    ]
    same = [s.in_w == s.steady for s in falling]
    assert any(same) and not all(same)
    assert same == [s.parting is None for s in falling]


def test_two_runs_goes_on_where_no_line_separates():
    state = state_of(two_runs, data="16 points", degree=1)
    assert len(state.in_w) == len(state.in_a) == 40 and not state.over


@pytest.mark.parametrize(
    ("pair", "family", "size", "n"),
    [
        ((3, 8), "gaussian", 2.0, 100),
        ((1, 7), "polynomial", 3, 60),
        ((4, 9), "linear", 0, 150),
        ((0, 6), "gaussian", 0.3, 80),
    ],
)
def test_digits_says_what_is_kept_and_what_is_wrong(pair, family, size, n):
    pictures, names = load_digits(return_X_y=True)
    chosen = np.isin(names, pair)
    X, y = mixed(pictures[chosen] / 16, np.where(names[chosen] == pair[0], -1, 1))
    K = {
        "gaussian": lambda: rbf_kernel(X, gamma=1 / (2 * size**2)),
        "linear": lambda: X @ X.T,
        "polynomial": lambda: polynomial_kernel(X, degree=size, gamma=1, coef0=1),
    }[family]()
    A, points, numbers = loop(K[:n, :n], y[:n])
    wrong = np.sum(y[n:] * (K[n:, :n] @ A[-1]) <= 0)
    part = {"gaussian": {"sigma": size}, "polynomial": {"degree": size}, "linear": {}}[family]
    state = digits_pair.compute(**digits_pair.start() | {"pair": pair, "family": family, "n": n} | part)
    m, kept = len(y) - n, set(points)
    assert set(state.kept) == kept
    assert digits_pair.readout(state) == {
        "training mistakes": f"{len(points)} in {numbers[-1] + 1} passes",
        "pictures kept": f"{len(kept)} of {n}",
        "most mistakes at one picture": max(points.count(i) for i in kept),
        "new pictures wrong": f"{wrong} of {m}",
        "test error": f"{100 * wrong / m:.1f}\u00a0%",
    }


def test_narrow_gaussian_nearly_always_follows_the_nearest_kept_picture():
    state = digits_pair.compute(**digits_pair.start() | {"sigma": 0.3})
    X, y, kept = state.X, state.y, state.kept
    nearest = kept[((X[state.n :, None] - X[kept]) ** 2).sum(axis=2).argmin(axis=1)]
    missed_by_the_nearest = set(np.flatnonzero(y[nearest] != y[state.n :]) + state.n)
    assert len(missed_by_the_nearest ^ set(state.missed)) <= 0.01 * state.tests


@pytest.mark.parametrize("values", [{}, {"sigma": 0.3}, {"family": "linear", "n": 30}, {"pair": (0, 6)}])
def test_each_missed_picture_stands_beside_the_kept_one_with_the_largest_wrong_term(values):
    state = digits_pair.compute(**digits_pair.start() | values)
    X, y = state.X, state.y
    width = values.get("sigma", 2.0)
    K = X @ X.T if values.get("family") == "linear" else rbf_kernel(X, gamma=1 / (2 * width**2))
    assert len(state.misled_by) == len(state.missed) and bool(len(state.missed)) == ("pair" not in values)
    for i, j in zip(state.missed, state.misled_by, strict=True):
        terms = -y[i] * state.counts * y[: state.n] * K[i, : state.n]
        assert terms[j] == pytest.approx(terms.max()) and y[j] != y[i] and state.counts[j] > 0


@pytest.mark.parametrize("seed", range(10))
def test_a_tenth_of_the_rate_changes_the_list_only_where_a_point_lies_on_the_boundary(seed):
    """Without rounding, w is a tenth of what it was, and no sign changes. Which seeds part may differ by processor."""
    values = two_runs.start() | {"data": "16 points", "degree": 1, "order": "random", "seed": seed}
    tenth, one = (two_runs.compute(**values | {"rate": rate}) for rate in ("η = 0.1", "η = 1"))
    if tenth.in_w != tenth.in_a or tenth.in_w == one.in_w:
        return
    at = next(t for t, (i, j) in enumerate(zip(tenth.in_w, one.in_w, strict=False)) if i != j)
    X, y = mixed(*datasets.sixteen())
    h = y * (Monomials(1)(X) @ one.W[at])
    assert np.abs(h[[tenth.in_w[at], one.in_w[at]]]).min() < 1e-12
    assert tenth.parting == at + 1
