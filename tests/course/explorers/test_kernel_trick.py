"""The numbers of notebook 02's explorers, computed another way."""

from itertools import combinations_with_replacement
from math import comb

import numpy as np
import pytest
from panels import axes_of, files, marks_of, number, readout_of, state_of
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Ridge

from kernelkit import Polynomial, datasets
from kernelkit.course.explorers.data.measured import committed
from kernelkit.course.explorers.kernel_trick import clock, identity, weights
from kernelkit.course.explorers.kernel_trick.clock import multiplications
from kernelkit.course.panel.marks import Boxes, Dots
from kernelkit.course.panel.numbers import thousands
from kernelkit.course.plots import GREEN

clock_module = files("kernel_trick")["clock"]


@pytest.mark.parametrize("which", ["merged", "ordered"])
@pytest.mark.parametrize(("degree", "offset"), [(1, 0.0), (2, 1.0), (3, 0.25), (4, 2.0)])
def test_identity_reads_off_the_value_of_the_polynomial(which, degree, offset):
    values = {"degree": degree, "offset": offset, "which": which}
    (x1, x2), (z1, z2) = identity.start()["points"]
    wanted, read = (x1 * z1 + x2 * z2 + offset) ** degree, readout_of(identity, **values)
    assert read["their sum"] == read["k(x, z)"] == f"{wanted:.4f}"
    D = comb(2 + degree, degree) if offset else degree + 1
    assert number(read["products φᵢ(x)φᵢ(z)"]) == (D if which == "merged" else (2 + (offset > 0)) ** degree)


def test_the_sum_of_the_cut_gaussian_may_be_too_large():
    """For a negative t = xᵀz/σ² the terms change their signs: after t²/2 the sum is above the kernel."""
    values = {"family": "gaussian", "degree": 2, "sigma": 1.0, "points": ((1.0, 0.0), (-1.0, 0.0))}
    cut, whole = np.exp(-1) * (1 - 1 + 1 / 2), np.exp(-2)
    assert number(readout_of(identity, **values)["k(x, z) minus the sum"]) == pytest.approx(whole - cut, abs=1e-4)


def test_identity_reads_off_what_the_cut_gaussian_misses():
    values = {"family": "gaussian", "degree": 3, "sigma": 0.8}
    (x1, x2), (z1, z2) = identity.start()["points"]
    whole = np.exp(-((x1 - z1) ** 2 + (x2 - z2) ** 2) / (2 * 0.8**2))
    t = (x1 * z1 + x2 * z2) / 0.8**2
    cut = np.exp(-(x1**2 + x2**2 + z1**2 + z2**2) / (2 * 0.8**2)) * (1 + t + t**2 / 2 + t**3 / 6)
    read = readout_of(identity, **values)
    assert (read["their sum"], read["k(x, z)"]) == (f"{cut:.4f}", f"{whole:.4f}")
    assert read["k(x, z) minus the sum"] == f"{round(whole, 4) - round(cut, 4):.4f}"


@pytest.mark.parametrize("family", ["polynomial", "gaussian"])
def test_the_written_numbers_of_the_identity_differ_by_what_is_written(family):
    rng = np.random.default_rng(0)
    for _ in range(100):
        points = tuple(map(tuple, np.round(rng.uniform(-2, 2, (2, 2)) / 0.025) * 0.025))
        read = readout_of(identity, points=points, degree=int(rng.integers(1, 4)), family=family)
        total, value, off = (number(read[label]) for label in ("their sum", "k(x, z)", "k(x, z) minus the sum"))
        assert off == pytest.approx(value - total, abs=1e-9) and (family == "gaussian" or off == 0)


def test_perpendicular_points_end_at_one():
    (x1, x2), (z1, z2) = identity.start()["points"]
    (u1, u2), (v1, v2) = identity.scenes["Perpendicular"]["points"]
    assert (u1, u2) == (x1, x2) and u1 * v1 + u2 * v2 == 0
    assert np.hypot(v1, v2) == pytest.approx(np.hypot(z1, z2), rel=0.01), "z only turns"
    state = identity.compute(**identity.start() | identity.scenes["Perpendicular"])
    cosine = 1 / np.sqrt((1 + x1**2 + x2**2) ** 2 * (1 + v1**2 + v2**2) ** 2)
    assert state.said == ("xᵀz = 0.00", "k(x, z) = 1.00", f"cos of Φ(x), Φ(z) = {cosine:.2f}")


def test_a_sum_of_nothing_is_0_and_not_less():
    read = readout_of(identity, "Perpendicular", offset=0.0)  # rounding leaves −1e−16
    assert read["their sum"] == read["k(x, z)"] == read["k(x, z) minus the sum"] == "0.0000"


def test_the_points_of_each_scene_are_on_the_steps_of_their_sliders():
    points = identity.controls[0]
    for scene in identity.scenes.values():
        steps = (np.array(scene.get("points", points.start)) - points.low) / points.step
        assert steps == pytest.approx(steps.round(), abs=1e-6), "a browser rounds to a step, and shows another number"


def test_identity_tells_each_product():
    state = identity.compute(**identity.start())
    (told,) = [mark.told for mark in axes_of(identity, state)["bars"].marks if mark.tell]
    assert told(0.0, 1.4) == "√2·x₁: 2.5"  # 2 · 1 · 1.25
    assert told(0.0, 3.3) == "x₁²: 1.56"  # (1 · 1.25)²


def test_composed_kernels_have_their_value():
    (x1, x2), (z1, z2) = identity.start()["points"]
    t = x1 * z1 + x2 * z2
    for family, wanted in (("sum", 2 * t + (t + 1) ** 2), ("product", t * (t + 1) ** 2)):
        read = readout_of(identity, family=family)
        assert read["k(x, z)"] == read["their sum"] == f"{wanted:.4f}"


class Counted(float):
    products = 0

    def __mul__(self, other):
        Counted.products += 1
        return Counted(float(self) * float(other))


@pytest.mark.parametrize(("d", "p"), [(1, 1), (1, 4), (2, 2), (3, 3), (5, 2)])
def test_multiplications_are_those_of_a_run_that_counts(d, p):
    """Merged monomials built from their parents, weighted, and multiplied together, one counted product at a time."""

    def phi(x):
        x, built = [Counted(v) for v in x], {}
        for j in range(p + 1):
            for alpha in combinations_with_replacement(range(d), j):
                built[alpha] = Counted(1) if j == 0 else x[alpha[0]] if j == 1 else built[alpha[:-1]] * x[alpha[-1]]
        plain = {()} | {(i,) * p for i in range(d)}
        return [value if alpha in plain else Counted(1.5) * value for alpha, value in built.items()]

    Counted.products = 0
    a, b = phi(range(1, d + 1)), phi(range(2, d + 2))
    assert len([s * t for s, t in zip(a, b, strict=True)]) == comb(d + p, p)
    one, inner, kernel = multiplications(d, p)
    assert Counted.products == 2 * one + inner
    Counted.products, t = 0, Counted(0)
    for v, w in zip(range(1, d + 1), range(2, d + 2), strict=True):
        t = Counted(t + Counted(v) * Counted(w))
    value = t = Counted(t + 1)
    for _ in range(p - 1):
        value = value * t
    assert Counted.products == kernel
    assert value == Polynomial(p)([range(1, d + 1)], [range(2, d + 2)])[0, 0]


def in_card(state, name, kind):
    """The marks of this kind in a card, but for the ring."""
    return [mark for mark in axes_of(clock, state)[name].marks if isinstance(mark, kind) and mark.edge != GREEN]


@pytest.mark.parametrize(("d", "p"), [(1, 1), (1, 6), (2, 3), (10, 2), (81, 2), (100, 1), (100, 2)])
def test_there_is_one_dot_for_each_multiplication_and_both_cards_have_one_scale(d, p):
    phi, kernel = (in_card(state_of(clock, d=d, p=p), card, Dots) for card in ("phi", "kernel"))
    one, inner, short = multiplications(d, p)
    assert [len(dots.x) for dots in phi] == [one, one, inner] and len(kernel[0].x) == short
    for groups, (width, height) in ((phi, clock_module.FIELD), (kernel, clock_module.CORNER)):
        places = np.hstack([(dots.x, dots.y) for dots in groups]).T
        assert len({*map(tuple, places)}) == len(places) and places.min() > 0
        assert (places.max(axis=0) < (width, height)).all()
    assert len({dots.size for dots in (*phi, *kernel)}) == 1


@pytest.mark.parametrize(("d", "p"), [(81, 3), (100, 4), (100, 6)])
def test_the_areas_of_both_cards_are_as_the_numbers(d, p):
    (phi,), (kernel,) = (in_card(state_of(clock, d=d, p=p), card, Boxes) for card in ("phi", "kernel"))
    one, inner, short = multiplications(d, p)
    areas = np.array([width * height for *_, width, height in (*phi.boxes, *kernel.boxes)])
    assert areas / areas[2] == pytest.approx(np.array([one, one, inner, short]) / inner)
    assert max(y + height for _, y, _, height in phi.boxes) <= clock_module.FIELD[1]


def test_81_inputs_are_the_numbers_that_the_text_and_the_question_say():
    start, answer = state_of(clock), state_of(clock, clock.question.scene)
    assert (start.total, start.kernel, answer.kernel) == (16_687, 82, 83)
    assert answer.total / start.total == pytest.approx(29, abs=0.5) and round(answer.D / start.D) == 28
    assert "nearly 30" in clock.question.options[2] and "28 times as many features" in clock.question.why
    said = clock.question.options[0]
    assert thousands(25_000) in said and round(1.5 * start.total, -3) == 25_000 and 1.5 * start.kernel == 123


def test_the_dots_tell_what_they_multiply():
    """For two inputs at degree 2: x₁², x₁x₂ and x₂², three weights √2, and six products."""
    state = state_of(clock, d=2)
    columns = clock_module.FIELD[0] // state.pitch
    middles = [((i % columns + 0.5) * state.pitch, (i // columns + 0.5) * state.pitch) for i in range(19)]
    told = [clock.tell["phi"](state, x, y) for x, y in middles]
    one = ["x₁²", "x₁x₂", "x₂²", "√2·x₁", "√2·x₂", "√2·x₁x₂"]
    assert told[:12] == [f"Φ(x): for {text}" for text in one] + [f"Φ(z): for {text}" for text in one]
    assert told[12] == "Φ(x)ᵀΦ(z): product 1 of 6" and told[17:] == ["Φ(x)ᵀΦ(z): product 6 of 6", ""]
    places = [(0.5, 0.5), (1.5, 0.5), (1.5, 1.5), (0.5, 1.5)]
    told = [clock.tell["kernel"](state, x * state.pitch, y * state.pitch) for x, y in places]
    assert told == ["x₁ · z₁", "x₂ · z₂", "for the power 2", ""]


def test_a_square_tells_what_its_multiplications_are_for():
    state = state_of(clock, "Degree 3")
    (squares,) = in_card(state, "phi", Boxes)
    told = [clock.tell["phi"](state, x + width / 2, y + height / 2) for x, y, width, height in squares.boxes]
    assert told == ["for Φ(x)", "for Φ(z)", "for Φ(x)ᵀΦ(z)"] and clock.tell["phi"](state, 200.0, 314.0) == ""
    assert "83" in clock.tell["kernel"](state, 12.0, 12.0)


@pytest.mark.parametrize(("d", "p"), [(1, 1), (3, 1), (1, 5), (4, 3), (20, 2)])
def test_each_multiplication_of_one_feature_vector_has_a_name(d, p):
    assert len(clock_module._products(d, p)) == multiplications(d, p)[0]


def test_clock_reads_off_the_number_of_features_of_the_headline():
    read = readout_of(clock, "d = 100, p = 4")
    assert read["features D"] == thousands(4_598_126) and read["multiplications by the kernel"] == "103"
    one, inner, kernel = multiplications(100, 4)
    assert read["multiplications through Φ"] == thousands(2 * one + inner)
    assert number(read["times as many through Φ"]) == pytest.approx((2 * one + inner) / kernel, rel=0.005)


@pytest.mark.parametrize("p", range(1, 7))
def test_clock_shows_kept_times_until_it_measures(p):
    d, explicit, kernel = np.array(committed("kernel_trick.clock", p=p)[0]).T
    assert [comb(int(v) + p, p) for v in d] == sorted(comb(int(v) + p, p) for v in d) and min(explicit / kernel) > 1
    state = state_of(clock, d=10, p=p)
    assert (
        state.timed[0] == 10 and not state.own and "on this machine, Φ and kernel" not in readout_of(clock, d=10, p=p)
    )
    mine = clock.compute(d=10, p=p, measured=np.array([[2, 0.1, 1e-5], [7, 0.5, 1e-5]]))
    assert clock.readout(mine)["on this machine, Φ and kernel"] == "500\u00a0ms, 10\u00a0µs"


def test_times_of_other_inputs_are_said_to_be_so_and_a_bar_that_cannot_be_seen_too():
    for scene, at in (("Degree 3", "at d = 81, p = 3"), ("d = 100, p = 4", "nearest: d = 30, p = 4")):
        (text,) = marks_of(clock, state_of(clock, scene), "at")
        assert text.words == at and marks_of(clock, state_of(clock, scene), "thin")
    assert not marks_of(clock, state_of(clock, "Ten inputs"), "thin")


def test_what_the_kernel_takes_for_one_input_is_the_call():
    for one, said in ((6e-6, True), (4e-6, False)):
        state = clock.compute(d=10, p=2, measured=np.array([[1, 1e-4, one], [10, 1e-3, 1e-5]]))
        assert bool(marks_of(clock, state, "call")) == said


def test_the_bars_are_as_long_as_the_times():
    state = state_of(clock)
    phi, kernel = (np.ptp(bar.x) for bar in marks_of(clock, state, "bars"))
    assert phi / kernel == pytest.approx(state.timed[1] / state.timed[2])


def test_the_clock_also_measures_the_inputs_that_are_shown():
    *_, (done, found) = clock.measure(d=8, p=6)
    assert done == 1 and 8 in found[:, 0] and (np.diff(found[:, 0]) > 0).all() and (found[:, 1:] > 0).all()


@pytest.mark.parametrize("lam", [1e-3, 1.0, 50.0])
@pytest.mark.parametrize("p", [1, 4, 7])
def test_weights_reads_off_how_far_the_curves_are_apart(p, lam):
    X, y = datasets.sine(30, 0.15, random_state=1)
    X, grid = X / 3, np.linspace(-1, 1, 161)[:, None]
    weighted = KernelRidge(alpha=lam, kernel="poly", degree=p, gamma=1, coef0=1).fit(X, y).predict(grid)
    plain = Ridge(alpha=lam, fit_intercept=False).fit(X ** np.arange(p + 1), y).predict(grid ** np.arange(p + 1))
    apart, read = np.abs(weighted - plain).max(), readout_of(weights, data="sine", p=p, lam=lam)
    assert number(read["largest difference of the fits"]) == pytest.approx(apart, abs=0.001)
    assert read["largest constant in Φ"] == f"√{comb(p, p // 2)} ≈ {np.sqrt(comb(p, p // 2)):.2f}"
    assert bool(marks_of(weights, state_of(weights, data="sine", p=p, lam=lam), "gap")) == (apart > 0.05)


def test_a_tiny_penalty_lets_the_constants_choose_nothing():
    assert readout_of(weights, "Almost no penalty")["largest difference of the fits"] == "less than 0.001"
    start = weights.compute(**weights.start())
    assert weights.tell["bars"](start, 2.2, 0.0) == "√10 ≈ 3.16"
    assert np.abs(start.weighted - start.plain).max() > 0.3, "the first picture shows two curves"
