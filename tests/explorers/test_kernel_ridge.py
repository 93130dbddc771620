"""The explorers of notebook 03 say what scikit-learn and the textbook formulas say."""

import re
from importlib import import_module

import numpy as np
import pytest
from panels import said_by as sentence, state_of as state
from sklearn.kernel_ridge import KernelRidge as SklearnKernelRidge
from sklearn.linear_model import Ridge

from kernelkit import datasets
from kernelkit.explorers.kernel_ridge import agreement, centring, recovery, singular, times
from kernelkit.explorers.kernel_ridge.centring import FRAME
from kernelkit.explorers.kernel_ridge.recovery import PLACES
from kernelkit.explorers.shared import measured
from kernelkit.explorers.shared.count_lines import amount
from kernelkit.explorers.shared.ridge_curves import GRID
from kernelkit.panel.numbers import duration, short

# ---- agreement ------------------------------------------------------------------------------

SETTINGS = [("cubic", 3, 20, 0.1), ("sine", 8, 5, 0.001), ("step", 1, 80, 100.0), ("sine", 7, 60, 0.01)]


@pytest.mark.parametrize("data, degree, n, lam", SETTINGS)
def test_three_curves_are_scikit_learns_kernel_ridge(data, degree, n, lam):
    s = state(agreement, data=data, degree=degree, n=n, lam=lam)
    X, y = getattr(datasets, data)(n)
    oracle = SklearnKernelRidge(kernel="poly", degree=degree, gamma=1, coef0=1, alpha=lam).fit(X / 3, y)
    for curve in s.curves:
        np.testing.assert_allclose(curve, oracle.predict(GRID[:, None]), rtol=0, atol=1e-7)
    error = np.sqrt(np.mean((oracle.predict(X / 3) - y) ** 2))
    assert f"miss the points by {error:.2f} (root" in agreement.describe(s)


@pytest.mark.parametrize("data, degree, n, lam", SETTINGS)
def test_recovered_weights_are_the_primal_weights(data, degree, n, lam):
    s = state(agreement, data=data, degree=degree, n=n, lam=lam)
    np.testing.assert_allclose(s.recovered, s.w, atol=1e-7 * np.abs(s.w).max())
    assert len(s.w) == degree + 1
    assert f"solves {degree + 1} equations, the dual and kernel forms {n}" in agreement.describe(s)


@pytest.mark.parametrize("data", ["cubic", "sine", "step"])
def test_no_point_is_outside_the_axes(data):
    canvas = agreement.canvas()
    for n in range(5, 81, 5):
        canvas.frame(state(agreement, data=data, n=n))
        x, y = canvas.parts["dots"].get_data()
        ax = canvas.parts["ax"]
        assert np.abs(x).max() < ax.get_xlim()[1] and np.abs(y).max() < ax.get_ylim()[1] and len(x) == n


def test_a_pointer_over_a_weight_hears_its_feature_with_the_constant():
    s = state(agreement)
    assert agreement.tell["bars"](s, 2.2, 0.0) == f"weight of √3·x²: {short(s.w[2])}, twice"


def test_squares_are_as_large_as_the_systems():
    canvas = agreement.canvas()
    canvas.frame(state(agreement, degree=3, n=20))
    primal, dual = (square.get_width() for square in canvas.parts["squares"])
    assert dual / primal == pytest.approx(20 / 4)


def test_more_points_give_no_other_kind_of_curve():
    s = state(agreement, **agreement.scenes["Many points"])
    for curve in s.curves:
        cubic = np.polynomial.Polynomial.fit(GRID, curve, 3)(GRID)
        np.testing.assert_allclose(curve, cubic, atol=1e-9)


# ---- running times --------------------------------------------------------------------------


def test_counts_are_the_table_of_lecture_a():
    n, d, D = 1600, 10, 1001
    s = state(times, degree=4, d=d)
    assert s.size == (n, d, D)
    assert s.counts["primal"][-1] == D**3 / 3 + D**2 * n
    assert s.counts["dual"][-1] == n**3 / 3 + n**2 * D
    assert s.counts["kernel"][-1] == n**3 / 3 + n**2 * d
    s = state(times, degree=4, d=d, task="test")
    assert [y[-1] for y in s.counts.values()] == [D, n * D, n * d]


@pytest.mark.parametrize(
    "values, slopes",
    [
        ({"task": "test"}, "primal 0.0, dual 1.0, kernel 1.0"),
        ({"d": 2, "degree": 2}, "primal 1.0, dual 3.0, kernel 3.0"),
    ],
)
def test_predicted_slopes(values, slopes):
    assert f"mean slopes in n: {slopes}." in sentence(times, **values)


def test_only_the_primal_form_suffers_from_many_features():
    slopes = state(times, grow="D").slopes
    assert slopes["primal"] > 2 and 0.8 < slopes["dual"] <= 1 and slopes["kernel"] < 0.2


def test_no_time_is_told_before_it_was_measured_on_this_machine():
    """The picture shows what was measured elsewhere; the sentence says only what holds everywhere."""
    for setting in import_module(times.measure.__module__).SETTINGS:
        s = state(times, **setting)
        assert "easured" not in times.describe(s)
        assert all(list(at) == list(s.x)[-len(at) :] for at, _ in s.seconds.values())
        assert s.seconds.keys() == s.counts.keys()


def test_measuring_goes_on_to_the_end_and_is_told():
    values = times.start() | {"grow": "D", "degree": 2, "n": 50}
    steps = list(times.measure(**values))
    fractions = [fraction for fraction, _ in steps]
    assert fractions == sorted(fractions) and fractions[-1] == 1
    s = times.compute(**values, measured=steps[-1][1])
    assert "Measured" in times.describe(s)
    for form, (at, seconds) in s.seconds.items():
        assert form in s.counts and list(at) == list(s.x)[-len(at) :] and len(at) > 4 and min(seconds) > 0
    times.canvas().frame(times.compute(**values, measured=steps[0][1]))


def test_lines_go_through_the_markers_of_a_machine_that_keeps_its_pace():
    """One axis for both: a line is the count, over the multiplications in a second that the title names."""
    counts = state(times).counts
    took = {form: (list(state(times).x), list(y / 1e8)) for form, y in counts.items()}
    canvas = times.canvas()
    canvas.frame(times.compute(**times.start(), measured=took))
    for line, mark in zip(canvas.parts["lines"], canvas.parts["marks"], strict=True):
        np.testing.assert_allclose(line.get_data(), mark.get_data())
    assert "10⁸ multiplications a second, to fit the last markers" in canvas.parts["title"].get_text()
    assert "this machine" in canvas.parts["source"].get_text()


def test_a_pointer_over_a_line_hears_its_count_and_its_time():
    s = state(times)
    for form, y in s.counts.items():
        said = times.tell["ax"](s, s.x[2] * 1.1, y[2] / s.rate)
        assert said == f"{form} at 200: {duration(s.seconds[form][1][2])}"
        s.seconds, count = {}, amount(y[2])
        assert times.tell["ax"](s, s.x[2], y[2] / s.rate) == f"{form} at 200: {count} ×"
        s = state(times)


def test_more_features_show_what_the_counts_say():
    steepest = state(times, **times.scenes["More features"]).slopes
    assert max(steepest, key=steepest.get) == "primal"


# ---- recovering w ---------------------------------------------------------------------------


@pytest.mark.parametrize("n, d, degree, price", [(100, 5, 3, 1.0), (800, 2, 4, 1.0), (70, 6, 4, 1.0), (200, 5, 3, 9.0)])
def test_both_ways_cost_the_same_at_the_break_even(n, d, degree, price):
    s = state(recovery, n=n, d=d, degree=degree, price=price)
    assert s.even * n * d == pytest.approx(price * (n * s.D + s.even * s.D))
    assert 1 / n + 1 / s.even == pytest.approx(d / (price * s.D))
    said = int(re.search(r"w pays from (\d+) test points on\.", recovery.describe(s))[1])
    stay, build = ([t * n * d, price * (n * s.D + t * s.D)] for t in (said, said - 1))
    assert stay[0] > stay[1] and build[0] <= build[1]
    canvas = recovery.canvas()
    canvas.frame(s)
    line = np.interp(np.log(s.even), np.log(PLACES), canvas.parts["count"].get_ydata())
    assert line == pytest.approx(1, rel=0.001), "the line changes halves there"


def test_fewer_points_move_the_crossing_to_the_right_though_building_is_cheaper():
    many, few = state(recovery), state(recovery, **recovery.scenes[recovery.question.scene])
    assert few.n == many.n / 10 and few.rule == many.rule < many.even < few.even
    assert int(many.even) + 1 == 12 and "at 12 test points" in recovery.question.prompt


def test_break_even_at_twice_the_rule_is_twice_the_rule():
    s = state(recovery, **recovery.scenes["n = t = 2D/d"])
    assert s.n == s.even == 2 * s.D / s.d


@pytest.mark.parametrize("scene", ["Degree 4", "n below D/d"])
def test_recovering_never_pays_below_the_rule(scene):
    s = state(recovery, **recovery.scenes[scene])
    assert s.n <= s.rule and s.even == np.inf and np.all(s.counted < 1) and np.all(s.gains < 1)
    assert "w never pays" in recovery.describe(s)


@pytest.mark.parametrize("n", [10, 20, 35, 70, 100, 200, 400, 800])
@pytest.mark.parametrize(("d", "degree"), [(1, 2), (5, 3), (10, 2), (10, 4)])
def test_the_sentence_says_when_the_dots_change_halves(n, d, degree):
    """The kept times, read without the panel: w pays from the first dot that no slower one follows."""
    row = measured.everything()["kernel_ridge.recovery"]["rows"][f"d={d} degree={degree} n={n}"]
    (tests, stay), (_, build) = row["stay with k"], row["build w once"]
    s = state(recovery, n=n, d=d, degree=degree)
    slower = [t for t, a, b in zip(tests, stay, build, strict=True) if a <= b]
    faster = [t for t in tests if t > max(slower, default=0)]
    if not faster:
        assert s.measured_even == np.inf and re.search("does not pay|never pays", recovery.describe(s))
        return
    assert max(slower, default=0) <= s.measured_even <= faster[0]
    canvas = recovery.canvas()
    canvas.frame(s)
    assert list(canvas.parts["faster"].get_xdata())[-len(faster) :] == faster
    assert np.all(canvas.parts["faster"].get_ydata() > 1) and np.all(canvas.parts["slower"].get_ydata() <= 1)


@pytest.mark.parametrize("values", [{}, {"n": 20}, {"n": 800, "d": 10, "degree": 2}])
def test_at_the_price_that_is_told_the_line_goes_through_the_middle_of_the_dots(values):
    told = state(recovery, **values)
    s = state(recovery, **values, price=told.times_the_count)
    line = np.exp(np.interp(np.log(s.tests), np.log(PLACES), np.log(s.counted)))
    assert np.mean(np.log(s.gains / line)) == pytest.approx(0, abs=1e-3)
    assert f"about {short(told.times_the_count, 2)} products" in recovery.describe(told)


def test_a_click_takes_the_line_through_the_place():
    s = state(recovery)
    for t, gain in zip(s.tests, s.gains, strict=True):
        moved = state(recovery, **recovery.click["ax"](s, t, gain))
        assert np.interp(np.log(t), np.log(PLACES), moved.counted) == pytest.approx(gain, rel=0.01)
    assert recovery.click["ax"](s, 100, 1e4) == {"price": 1.0}


def test_a_pointer_hears_a_dot_or_else_the_line():
    s = state(recovery)
    assert recovery.tell["ax"](s, 10, 1) == f"t = 10: measured k {short(1 / s.gains[0], 2)}× as fast"
    assert recovery.tell["ax"](s, 3, 1) == f"t = 3: counted k {short((200 * 56 + 3 * 56) / 3000, 2)}× as fast"


def test_a_price_keeps_what_was_measured_here_and_another_n_forgets_it():
    panel = recovery(n=10)
    panel.measuring.run()
    found = panel.measured
    assert panel.state.whose == "this machine" and "Measured" in panel.picture.alt
    panel.set(price=5.0)
    assert panel.measured is found and panel.state.whose == "this machine"
    panel.set(n=20)
    assert panel.measured is None and panel.state.whose != "this machine"


def test_while_it_is_measured_each_dot_is_shown_and_nothing_is_concluded():
    values = recovery.start() | {"n": 10}
    for i, (fraction, found) in enumerate(recovery.measure(**values), 1):
        s = recovery.compute(**values, measured=found)
        assert len(s.tests) == len(s.gains) == i and ("Measured" in recovery.describe(s)) == (fraction == 1)
        recovery.canvas().frame(s)


def test_markers_at_one_place_are_seen_one_inside_the_other():
    canvas = times.canvas()
    canvas.frame(state(times))
    sizes = [mark.get_markersize() for mark in canvas.parts["marks"]]
    assert sizes == sorted(sizes, reverse=True) and len(set(sizes)) == 3
    assert all(mark.get_markerfacecolor() == "none" for mark in canvas.parts["marks"])
    assert canvas.parts["footer"].get_text() == "slopes: from 400 to 1600"


# ---- singular K -----------------------------------------------------------------------------


@pytest.mark.parametrize("n, degree", [(12, 3), (20, 1), (4, 3), (3, 6), (7, 6)])
def test_rank_of_k(n, degree):
    X, _ = datasets.cubic(n)
    K = (1 + X @ X.T / 9) ** degree
    rank = np.linalg.matrix_rank(K)
    assert state(singular, n=n, degree=degree).rank == rank
    zeros = f"so {n - rank} eigenvalues are 0" if rank < n else "so K can be inverted"
    assert f"K has rank {rank}, {zeros}" in sentence(singular, n=n, degree=degree)


@pytest.mark.parametrize("lam", [1e-6, 0.01, 1.0])
def test_dual_weights_are_residuals_over_lam(lam):
    s = state(singular, lam=lam)
    X, y = datasets.cubic(12, 0.3)
    features = np.vander(X[:, 0] / 3, 4) * np.sqrt([1, 3, 3, 1])
    h = Ridge(alpha=lam, fit_intercept=False).fit(features, y).predict(features)
    np.testing.assert_allclose(s.a, (y - h) / lam, rtol=1e-4, atol=1e-4 * np.abs(s.a).max())
    assert f"misses a target by up to {np.abs(y - h).max():.2f}" in singular.describe(s)


def test_dual_weights_blow_up_only_where_residuals_remain():
    grows = [state(singular, lam=lam).largest for lam in (1e-2, 1e-4, 1e-6)]
    assert grows[1] > 50 * grows[0] and grows[2] > 50 * grows[1]
    canvas = singular.canvas()
    for lam, largest in ((1e-2, "35.3"), (1e-6, r"326$\,$000")):
        canvas.frame(state(singular, lam=lam))
        assert canvas.parts["largest"].get_text().endswith(f"the largest {largest}")
    for stays in ({"noise": 0.0}, {"n": 4}):
        a = [state(singular, lam=lam, **stays).largest for lam in (1e-6, 1e-8)]
        assert a[1] == pytest.approx(a[0], rel=0.1)


def test_stems_are_the_residuals_and_bars_the_dual_weights_from_left_to_right():
    s, canvas = state(singular), singular.canvas()
    canvas.frame(s)
    for (x, y), (_, h) in canvas.parts["stems"].get_segments():
        assert np.interp(x, GRID, s.h) == pytest.approx(h, abs=0.01)
        assert y in s.y
    heights = [path.vertices[1, 1] for path in canvas.parts["bars"].bars.get_paths()]
    np.testing.assert_allclose(heights, s.a)
    assert np.all(np.diff(s.X) > 0), "from left to right"
    np.testing.assert_allclose(s.r / s.lam, s.a, atol=1e-9)


def test_a_shift_moves_the_dual_weights_and_no_prediction():
    here, there = (state(singular, lam=0.01, shift=shift) for shift in (0.0, 10.0))
    assert np.abs(here.a - there.a).max() > 1
    np.testing.assert_allclose(here.h, there.h, atol=1e-8)
    assert "has changed no prediction" in singular.describe(there)
    assert state(singular, n=4, shift=10.0).moved == 0


# ---- the bias -------------------------------------------------------------------------------


def bias(s, centred_data, centred_features, lam):
    """The penalised bias from n/(n + λ) (ȳ − F̄w), with w from an ordinary solve."""
    x, y = (s.X - s.X.mean(), s.y - s.y.mean()) if centred_data else (s.X, s.y)
    F = np.column_stack(
        [np.sqrt(c) * x**p for p, c in enumerate([1, *{1: [1], 2: [2, 1], 3: [3, 3, 1]}[s.degree]])][1:]
    )
    F = F - F.mean(axis=0) if centred_features else F
    A = np.column_stack([F, np.ones(len(F))])
    w = Ridge(alpha=lam, fit_intercept=False, tol=1e-12).fit(A, y).coef_[:-1]
    return len(y) / (len(y) + lam) * (y.mean() - F.mean(axis=0) @ w)


@pytest.mark.parametrize("degree", [1, 2, 3])
@pytest.mark.parametrize("lam", [0.1, 10.0])
def test_biases(degree, lam):
    s = state(centring, degree=degree, lam=lam)
    assert s.biases["nothing"] == pytest.approx(bias(s, False, False, lam), abs=1e-8)
    assert s.biases["data"] == pytest.approx(bias(s, True, False, lam), abs=1e-8)
    assert s.biases["features"] == pytest.approx(0, abs=1e-10)


def test_bias_after_centring_is_zero_for_linear_features_only():
    assert "bias is exactly 0" in sentence(centring, centre="data")
    assert "bias is exactly 0" in sentence(centring, centre="features", degree=3)
    assert abs(state(centring, centre="data").biases["data"]) < 1e-12
    s = state(centring, centre="data", degree=2)
    assert abs(s.biases["data"]) > 0.01 and "exactly" not in centring.describe(s)


@pytest.mark.parametrize("centre", ["nothing", "data"])
def test_free_bias_is_scikit_learns_ridge(centre):
    s = state(centring, centre=centre, degree=2, lam=5.0)
    x0 = s.X.mean() if centre == "data" else 0.0

    def features(x):
        return np.column_stack([np.sqrt(2) * (x - x0), (x - x0) ** 2])

    oracle = Ridge(alpha=5.0).fit(features(s.X), s.y).predict(features(s.Z))
    np.testing.assert_allclose(s.free, oracle, atol=1e-8)
    assert f"by up to {np.abs(s.h - oracle).max():.3f}" in centring.describe(s)


@pytest.mark.parametrize("centre", ["nothing", "data"])
@pytest.mark.parametrize("degree", [1, 3])
def test_the_bias_is_the_height_of_the_curve_over_the_origin(centre, degree):
    s, canvas = state(centring, centre=centre, degree=degree, lam=10.0), centring.canvas()
    canvas.frame(s)
    x, y = canvas.parts["b"].get_data()
    assert y[1] - y[0] == pytest.approx(s.biases[centre]) and x[0] == s.origin[0]
    assert np.interp(x[0], s.Z if centre == "data" else FRAME, s.h if centre == "data" else s.beyond) == pytest.approx(
        y[1], abs=0.01
    )


def test_strong_lam_takes_the_uncentred_line_below_the_middle_of_the_data():
    s = state(centring, **centring.scenes["Strong λ, not centred"])
    middle = np.interp(s.X.mean(), s.Z, s.h)
    assert middle < s.y.mean() - 0.2 and np.interp(s.X.mean(), s.Z, s.free) == pytest.approx(s.y.mean(), abs=1e-3)


def test_penalising_a_bias_of_zero_costs_nothing():
    assert state(centring, centre="features", degree=3, lam=10.0).gap < 1e-10
    assert state(centring, centre="data", degree=1, lam=10.0).gap < 1e-10
