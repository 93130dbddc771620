"""The explorers of notebook 03 find what scikit-learn and the textbook formulas find."""

import re
from importlib import import_module
from math import comb

import numpy as np
import pytest
from panels import axes_of, marks_of, number, readout_of, state_of as state
from sklearn.kernel_ridge import KernelRidge as SklearnKernelRidge
from sklearn.linear_model import Ridge

from kernelkit import datasets
from kernelkit.course.explorers.data import measured
from kernelkit.course.explorers.drawing.count_lines import amount
from kernelkit.course.explorers.drawing.ridge_curves import GRID
from kernelkit.course.explorers.kernel_ridge import agreement, centring, recovery, singular, times
from kernelkit.course.explorers.kernel_ridge.centring import FRAME
from kernelkit.course.explorers.kernel_ridge.recovery import PLACES
from kernelkit.course.panel.numbers import duration, fixed, short

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
    assert number(agreement.readout(s)["distance from the points"]) == pytest.approx(error, abs=0.0051)


@pytest.mark.parametrize("data, degree, n, lam", SETTINGS)
def test_recovered_weights_are_the_primal_weights(data, degree, n, lam):
    s = state(agreement, data=data, degree=degree, n=n, lam=lam)
    np.testing.assert_allclose(s.recovered, s.w, atol=1e-7 * np.abs(s.w).max())
    read = agreement.readout(s)
    assert read["equations, primal form"] == len(s.w) == degree + 1 and read["equations, dual and kernel forms"] == n
    assert read["curves and weights differ by"] == "less than 0.000001"


@pytest.mark.parametrize("data", ["cubic", "sine", "step"])
def test_no_point_is_outside_the_axes(data):
    for n in range(5, 81, 5):
        s = state(agreement, data=data, n=n)
        (points,), ax = marks_of(agreement, s, "points"), axes_of(agreement, s)["ax"]
        assert np.abs(points.x).max() < ax.x.high and np.abs(points.y).max() < ax.y.high and len(points.x) == n


def test_a_pointer_over_a_weight_hears_its_feature_with_the_constant():
    s = state(agreement)
    assert agreement.tell["bars"](s, 2.2, 0.0) == f"weight of √3·x²: {short(s.w[2])}, twice"


def test_squares_are_as_large_as_the_systems():
    (squares,) = marks_of(agreement, state(agreement, degree=3, n=20), "squares")
    (primal, high), (dual, higher) = (box[2:] for box in squares.boxes)
    assert primal == high and dual == higher and dual / primal == pytest.approx(20 / 4)


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
    s = state(times, **values)
    assert ", ".join(f"{form} {slope:.1f}" for form, slope in s.slopes.items()) == slopes


@pytest.mark.parametrize("task", ["train", "test"])
@pytest.mark.parametrize("grow", ["n", "D"])
@pytest.mark.parametrize("degree", [2, 3, 4])
def test_the_multiplications_of_each_form_are_read_off(grow, task, degree):
    """In training a Cholesky decomposition of D or of n equations, in a test the inner products that are needed."""
    read = readout_of(times, grow=grow, task=task, degree=degree)
    n, d, D = map(int, read["n, d, D"].split(", "))
    assert D == comb(d + degree, degree)
    train = {"primal": D**3 / 3 + D**2 * n, "dual": n**3 / 3 + n**2 * D, "kernel": n**3 / 3 + n**2 * d}
    for form, count in (train if task == "train" else {"primal": D, "dual": n * D, "kernel": n * d}).items():
        assert number(read[f"{form} multiplications"]) == pytest.approx(count, rel=0.051)


def test_only_the_primal_form_suffers_from_many_features():
    slopes = state(times, grow="D").slopes
    assert slopes["primal"] > 2 and 0.8 < slopes["dual"] <= 1 and slopes["kernel"] < 0.2


def test_a_time_is_kept_for_each_form_of_every_setting():
    for setting in import_module(times.measure.__module__).SETTINGS:
        s = state(times, **setting)
        assert all(list(at) == list(s.x)[-len(at) :] for at, _ in s.seconds.values())
        assert s.seconds.keys() == s.counts.keys()


def test_measuring_goes_on_to_the_end_and_is_shown():
    values = times.start() | {"grow": "D", "degree": 2, "n": 50}
    steps = list(times.measure(**values))
    fractions = [fraction for fraction, _ in steps]
    assert fractions == sorted(fractions) and fractions[-1] == 1
    s = times.compute(**values, measured=steps[-1][1])
    assert all(", measured" in note for note in s.notes)
    for form, (at, seconds) in s.seconds.items():
        assert form in s.counts and list(at) == list(s.x)[-len(at) :] and len(at) > 4 and min(seconds) > 0
    times.canvas().frame(times.compute(**values, measured=steps[0][1]))


def test_lines_go_through_the_markers_of_a_machine_that_keeps_its_pace():
    """One axis for both: a line is the count, over the multiplications in a second that the title names."""
    counts = state(times).counts
    took = {form: (list(state(times).x), list(y / 1e8)) for form, y in counts.items()}
    s = times.compute(**times.start(), measured=took)
    for line, markers in zip(marks_of(times, s, "lines"), marks_of(times, s, "markers"), strict=True):
        np.testing.assert_allclose((line.x, line.y), (markers.x, markers.y))
    title, source = (text.words for text in times.picture(s)[0][0].marks)
    assert "10⁸ multiplications a second, near the last markers" in title and "this machine" in source


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
    said = int(number(recovery.readout(s)["counted: w pays from t ="]))
    stay, build = ([t * n * d, price * (n * s.D + t * s.D)] for t in (said, said - 1))
    assert stay[0] > stay[1] and build[0] <= build[1]
    (line,) = marks_of(recovery, s, "count")
    assert np.interp(np.log(s.even), np.log(line.x), line.y) == pytest.approx(1, rel=0.001), "it changes halves there"


def test_fewer_points_move_the_crossing_to_the_right_though_building_is_cheaper():
    many, few = state(recovery), state(recovery, **recovery.scenes[recovery.question.scene])
    assert few.n == many.n / 10 and few.rule == many.rule < many.even < few.even
    assert int(many.even) + 1 == 12 and "at 12 test points" in recovery.question.prompt


def test_break_even_at_twice_the_rule_is_twice_the_rule():
    s = state(recovery, **recovery.scenes["n = t = 2D/d"])
    assert s.n == s.even == 2 * s.D / s.d


@pytest.mark.parametrize("scene", ["Degree 4, 20 points", "n below D/d"])
def test_recovering_never_pays_below_the_rule(scene):
    s = state(recovery, **recovery.scenes[scene])
    assert s.n <= s.rule and s.even == np.inf and np.all(s.counted < 1) and np.all(s.gains < 1)
    assert recovery.readout(s)["counted: w pays from t ="] is None is recovery.readout(s)["measured: from t ≈"]


@pytest.mark.parametrize("n", [10, 20, 35, 70, 100, 200, 400, 800])
@pytest.mark.parametrize(("d", "degree"), [(1, 2), (5, 3), (10, 2), (10, 4)])
def test_it_is_read_off_when_the_dots_change_halves(n, d, degree):
    """The kept times, read without the panel: w pays from the first dot that no slower one follows."""
    row = measured.everything()["kernel_ridge.recovery"]["rows"][f"d={d} degree={degree} n={n}"]
    (tests, stay), (_, build) = row["stay with k"], row["build w once"]
    s = state(recovery, n=n, d=d, degree=degree)
    slower = [t for t, a, b in zip(tests, stay, build, strict=True) if a <= b]
    faster = [t for t in tests if t > max(slower, default=0)]
    if not faster:
        assert s.measured_even == np.inf and recovery.readout(s)["measured: from t ≈"] is None
        return
    assert max(slower, default=0) <= s.measured_even <= faster[0]
    assert number(recovery.readout(s)["measured: from t ≈"]) == pytest.approx(s.measured_even, rel=0.051)
    (above,), (below,) = (marks_of(recovery, s, name) for name in ("faster", "slower"))
    assert list(above.x)[-len(faster) :] == faster and np.all(above.y > 1) and np.all(below.y <= 1)


@pytest.mark.parametrize("values", [{}, {"n": 20}, {"n": 800, "d": 10, "degree": 2}])
def test_at_the_price_that_is_told_the_line_goes_through_the_middle_of_the_dots(values):
    told = state(recovery, **values)
    s = state(recovery, **values, price=told.times_the_count)
    line = np.exp(np.interp(np.log(s.tests), np.log(PLACES), np.log(s.counted)))
    assert np.mean(np.log(s.gains / line)) == pytest.approx(0, abs=1e-3)
    assert number(recovery.readout(told)["a feature took as long as"]) == pytest.approx(told.times_the_count, rel=0.051)


def test_a_click_takes_the_line_through_the_place():
    s = state(recovery)
    for t, gain in zip(s.tests, s.gains, strict=True):
        moved = state(recovery, **recovery.click["ax"](s, t, gain))
        assert np.interp(np.log(t), np.log(PLACES), moved.counted) == pytest.approx(gain, rel=0.05), "to half a product"
    assert recovery.click["ax"](s, 100, 1e4) == {"price": 1.0}


def test_a_pointer_hears_a_dot_or_else_the_line():
    s = state(recovery)
    assert recovery.tell["ax"](s, 10, 1) == f"t = 10: measured k {short(1 / s.gains[0], 2)}× as fast"
    assert recovery.tell["ax"](s, 3, 1) == f"t = 3: counted k {short((200 * 56 + 3 * 56) / 3000, 2)}× as fast"


def test_a_price_keeps_what_was_measured_here_and_another_n_forgets_it():
    panel = recovery(n=10)
    panel.measuring.run()
    found = panel.measured
    assert panel.state.whose == "this machine" and "a feature took as long as" in panel.words.replace("\u00a0", " ")
    panel.set(price=5.0)
    assert panel.measured is found and panel.state.whose == "this machine"
    panel.set(n=20)
    assert panel.measured is None and panel.state.whose != "this machine"


def test_while_it_is_measured_each_dot_is_shown_and_nothing_is_concluded():
    values = recovery.start() | {"n": 10}
    for i, (fraction, found) in enumerate(recovery.measure(**values), 1):
        s = recovery.compute(**values, measured=found)
        assert len(s.tests) == len(s.gains) == i and s.measured == (fraction == 1)
        assert (recovery.readout(s)["a feature took as long as"] is None) == (fraction < 1)
        recovery.canvas().frame(s)


def test_markers_at_one_place_are_seen_one_inside_the_other():
    markers = marks_of(times, state(times), "markers")
    sizes = [mark.size for mark in markers]
    assert sizes == sorted(sizes, reverse=True) and len(set(sizes)) == 3
    assert all(mark.color == "none" for mark in markers)
    assert state(times).footer == "slopes: from 400 to 1600"


# ---- singular K -----------------------------------------------------------------------------


@pytest.mark.parametrize("n, degree", [(12, 3), (20, 1), (4, 3), (3, 6), (7, 6)])
def test_rank_of_k(n, degree):
    X, _ = datasets.cubic(n)
    K = (1 + X @ X.T / 9) ** degree
    assert readout_of(singular, n=n, degree=degree)["rank of K"] == f"{np.linalg.matrix_rank(K)} of {n}"


@pytest.mark.parametrize("lam", [1e-6, 0.01, 1.0])
def test_dual_weights_are_residuals_over_lam(lam):
    s = state(singular, lam=lam)
    X, y = datasets.cubic(12, 0.3)
    features = np.vander(X[:, 0] / 3, 4) * np.sqrt([1, 3, 3, 1])
    h = Ridge(alpha=lam, fit_intercept=False).fit(features, y).predict(features)
    np.testing.assert_allclose(s.a, (y - h) / lam, rtol=1e-4, atol=1e-4 * np.abs(s.a).max())
    read = singular.readout(s)
    assert number(read["largest miss"]) == pytest.approx(np.abs(y - h).max(), abs=0.0051)
    assert number(read["largest |aᵢ|"]) == pytest.approx(np.abs(y - h).max() / lam, rel=0.006)


def test_dual_weights_blow_up_only_where_residuals_remain():
    grows = [state(singular, lam=lam).largest for lam in (1e-2, 1e-4, 1e-6)]
    assert grows[1] > 50 * grows[0] and grows[2] > 50 * grows[1]
    for lam, largest in ((1e-2, "35.3"), (1e-6, r"326$\,$000")):
        assert axes_of(singular, state(singular, lam=lam))["weights"].title.endswith(f"the largest {largest}")
    for stays in ({"noise": 0.0}, {"n": 4}):
        a = [state(singular, lam=lam, **stays).largest for lam in (1e-6, 1e-8)]
        assert a[1] == pytest.approx(a[0], rel=0.1)


def test_stems_are_the_residuals_and_bars_the_dual_weights_from_left_to_right():
    s = state(singular)
    (stems,), (bars,) = marks_of(singular, s, "stems"), marks_of(singular, s, "bars")
    np.testing.assert_allclose(stems.begin[1], np.interp(stems.begin[0], GRID, s.h), atol=0.01)
    assert (stems.begin[0] == stems.end[0]).all() and (stems.end[1] == s.y).all()
    np.testing.assert_allclose(bars.values, s.a)
    assert np.all(np.diff(s.X) > 0), "from left to right"
    np.testing.assert_allclose(s.r / s.lam, s.a, atol=1e-9)


def test_a_shift_moves_the_dual_weights_and_no_prediction():
    here, there = (state(singular, lam=0.01, shift=shift) for shift in (0.0, 10.0))
    assert np.abs(here.a - there.a).max() > 1
    np.testing.assert_allclose(here.h, there.h, atol=1e-8)
    assert not np.allclose(there.a, there.r / there.lam)
    few, moved = (state(singular, n=4, shift=shift) for shift in (0.0, 10.0))
    assert (few.a == moved.a).all(), "K can be inverted"


# ---- the bias -------------------------------------------------------------------------------

CLOUDS = [((1.5, 3.0),), ((-3.0, 2.5),), ((0.0, 1.0),), ((3.0, 0.0),)]


def bias(s, centre, degree):
    """The penalised bias from n/(n + λ) (ȳ − F̄w), with w from an ordinary solve."""
    x, y = (s.X, s.y) if centre == "nothing" else (s.X - s.X.mean(), s.y - s.y.mean())
    F = np.column_stack([np.sqrt(c) * x**p for p, c in enumerate([1, *{1: [1], 2: [2, 1], 3: [3, 3, 1]}[degree]])][1:])
    F = F - F.mean(axis=0) if centre == "features" else F
    A = np.column_stack([F, np.ones(len(F))])
    w = Ridge(alpha=s.lam, fit_intercept=False, tol=1e-12).fit(A, y).coef_[:-1]
    return len(y) / (len(y) + s.lam) * (y.mean() - F.mean(axis=0) @ w)


@pytest.mark.parametrize("cloud", CLOUDS)
@pytest.mark.parametrize("degree", [1, 2, 3])
@pytest.mark.parametrize("lam", [0.1, 10.0])
def test_biases(cloud, degree, lam):
    for centre in ("nothing", "data", "features"):
        s = state(centring, cloud=cloud, centre=centre, degree=degree, lam=lam)
        assert s.biases["penalised"] == pytest.approx(bias(s, centre, degree), abs=1e-8)


def test_bias_after_centring_is_zero_for_linear_features_only():
    for settled in ({"centre": "data"}, {"centre": "features", "degree": 3}):
        s = state(centring, **settled, lam=10.0)
        assert abs(s.biases["penalised"]) < 1e-10 and s.gap < 1e-10
    s = state(centring, centre="data", degree=2)
    assert abs(s.biases["penalised"]) > 0.01


@pytest.mark.parametrize("centre", ["nothing", "data"])
def test_free_bias_is_scikit_learns_ridge(centre):
    s = state(centring, centre=centre, degree=2, lam=5.0)
    x0 = s.X.mean() if centre == "data" else 0.0

    def features(x):
        return np.column_stack([np.sqrt(2) * (x - x0), (x - x0) ** 2])

    oracle = Ridge(alpha=5.0).fit(features(s.X), s.y)
    np.testing.assert_allclose(s.curves["free"], oracle.predict(features(FRAME)), atol=1e-8)
    penalised = np.interp(s.X, FRAME, s.curves["penalised"])
    assert s.gap == pytest.approx(np.abs(penalised - oracle.predict(features(s.X))).max(), abs=0.01)


@pytest.mark.parametrize("centre", ["nothing", "data"])
@pytest.mark.parametrize("degree", [1, 3])
@pytest.mark.parametrize("cloud", CLOUDS)
def test_each_arrow_goes_from_the_origin_to_its_curve(centre, degree, cloud):
    s = state(centring, cloud=cloud, centre=centre, degree=degree, lam=10.0)
    x0, y0 = s.origin
    for name, b in s.biases.items():
        (shaft,), tips = marks_of(centring, s, f"shaft {name}"), marks_of(centring, s, f"tip {name}")
        assert np.interp(x0, FRAME, s.curves[name]) == pytest.approx(y0 + b, abs=0.01)
        assert shaft.y[0] == y0 and np.abs(np.subtract(shaft.x, x0)).max() < 0.1, "it stands just beside the origin"
        assert bool(tips) == (abs(b) > 0.3) and all(tip.y == pytest.approx(y0 + b) for tip in tips)


def moved_along(here, there, name):
    """Whether a curve moves with the cloud and nothing else happens to it."""
    dx, dy = np.subtract(there.mean, here.mean)
    inside = (FRAME + dx >= FRAME[0]) & (FRAME + dx <= FRAME[-1])
    moved = np.interp(FRAME[inside] + dx, FRAME, there.curves[name])
    return np.allclose(moved, here.curves[name][inside] + dy, atol=0.01)


@pytest.mark.parametrize("cloud", CLOUDS[1:])
@pytest.mark.parametrize("lam", [1.0, 10.0])
def test_a_line_moves_along_with_the_cloud_if_its_bias_is_free_or_all_is_centred(cloud, lam):
    here, there = state(centring, lam=lam), state(centring, lam=lam, cloud=cloud)
    assert moved_along(here, there, "free") and not moved_along(here, there, "penalised")
    for centre, degree in (("data", 1), ("data", 2), ("features", 3)):
        at = {"lam": lam, "centre": centre, "degree": degree}
        here, there = state(centring, **at), state(centring, **at, cloud=cloud)
        assert moved_along(here, there, "penalised") and moved_along(here, there, "free")


def test_pale_lines_are_where_the_cloud_began_and_centred_ones_have_only_moved():
    first = state(centring)
    for scene, centred in (("Far to the left", False), ("Far to the left, centred", True)):
        s = state(centring, **centring.scenes[scene])
        began = state(centring, **centring.scenes[scene] | {"cloud": first.cloud})
        _, *lines = marks_of(centring, s, "began")
        for (name, curve), line in zip(began.curves.items(), lines, strict=True):
            np.testing.assert_allclose(line.y, curve)
            assert moved_along(began, s, name) == (name == "free" or centred)
    assert not marks_of(centring, first, "began")


@pytest.mark.parametrize("lam", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("cloud", [*CLOUDS, ((3.0, 3.0),), ((-3.0, 0.0),)])
def test_no_arrow_goes_through_the_name_of_the_origin(cloud, lam):
    s = state(centring, cloud=cloud, lam=lam)
    (name,) = marks_of(centring, s, "origin")
    x, y = name.x, name.y
    assert abs(x) < FRAME[-1] - 1.2, "it is inside of the axes"
    for b in s.biases.values():
        assert (y - s.origin[1]) * b < 0 or abs(b) < 0.3


@pytest.mark.parametrize("cloud", CLOUDS)
def test_the_penalty_pulls_b_towards_0_and_above_the_origin_the_whole_line_with_it(cloud):
    s = state(centring, cloud=cloud, lam=10.0)
    assert 0 < s.biases["penalised"] / s.biases["free"] < 1
    above = state(centring, **centring.scenes["Above the origin"])
    n, lam = len(above.X), above.lam
    assert above.slopes["penalised"] == pytest.approx(above.slopes["free"], abs=1e-8)
    assert above.gap == pytest.approx(lam / (n + lam) * above.mean[1])


def test_a_line_that_is_pulled_up_passes_above_the_cloud():
    s = state(centring, cloud=((0.25, 0.0),), lam=19.95)
    assert s.biases["free"] < s.biases["penalised"] < 0
    assert np.interp(0.25, FRAME, s.curves["penalised"]) > np.mean(s.y)


def test_the_answer_reads_what_the_two_pictures_show():
    here, there = state(centring), state(centring, **centring.scenes[centring.question.scene])
    numbers = (there.biases["free"], there.biases["penalised"], here.slopes["penalised"], there.slopes["penalised"])
    assert re.findall(r"\d\.\d\d", centring.question.why) == [fixed(number) for number in numbers]
    assert moved_along(here, there, "free")


@pytest.mark.parametrize(("degree", "lam"), [(3, 0.01), (2, 0.01), (2, 10.0), (3, 1.0)])
def test_after_centring_the_data_both_biases_are_scikit_learns(degree, lam):
    """The free b is scikit-learn's intercept, the penalised one the weight of a column of ones."""
    s, read = (of(centring, centre="data", degree=degree, lam=lam) for of in (state, readout_of))
    x, y = s.X - s.X.mean(), s.y - s.y.mean()
    F = np.column_stack([np.sqrt(comb(degree, j)) * x**j for j in range(1, degree + 1)])
    free = Ridge(lam, solver="cholesky").fit(F, y)
    penalised = Ridge(lam, fit_intercept=False, solver="cholesky").fit(np.column_stack([F, np.ones(len(x))]), y)
    moved = np.abs(free.predict(F) - penalised.predict(np.column_stack([F, np.ones(len(x))]))).max()
    assert number(read["free b"]) == pytest.approx(free.intercept_, abs=0.00051)
    assert number(read["penalised b"]) == pytest.approx(penalised.coef_[-1], abs=0.00051)
    assert s.gap == pytest.approx(moved, abs=1e-8)
    assert number(read["largest difference at a point"]) == pytest.approx(moved, abs=0.001)
    assert "penalised and free slope" not in read


def test_the_slopes_of_lines_are_scikit_learns():
    s = state(centring, lam=10.0)
    ones = np.column_stack([s.X, np.ones(len(s.X))])
    slopes = Ridge(10.0, fit_intercept=False).fit(ones, s.y).coef_[0], Ridge(10.0).fit(s.X[:, None], s.y).coef_[0]
    assert readout_of(centring, lam=10.0)["penalised and free slope"] == "{:.2f}, {:.2f}".format(*slopes)
