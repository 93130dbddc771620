"""The pictures and sentences of notebook 00, against scikit-learn."""

import re

import numpy as np
import pytest
from scipy.interpolate import RegularGridInterpolator
from sklearn.kernel_ridge import KernelRidge

from kernelkit.course.explorers.start_here.bumps import GRID, START, bumps
from kernelkit.course.explorers.start_here.paint import FAINT, LAM, X1, X2, paint


@pytest.mark.parametrize("sigma", [0.1, 0.5, 2.0])
def test_bumps_says_what_scikit_learn_finds(sigma):
    data = np.array(START)
    model = KernelRidge(alpha=1e-3, kernel="rbf", gamma=1 / (2 * sigma**2)).fit(data[:, :1], data[:, 1])
    ups, downs = (model.dual_coef_ > 0.03).sum(), (model.dual_coef_ < -0.03).sum()
    miss = np.abs(model.predict(data[:, :1]) - data[:, 1]).max()
    said = bumps.describe(bumps.compute(START, sigma))
    flat = np.flatnonzero(np.abs(model.dual_coef_) < 0.03) + 1  # the points stand from left to right
    ways = (
        f"{ups} up and {downs} down"
        if len(flat) == 0
        else f"{ups} up, {downs} down and 1 almost flat (point {flat[0]})"
    )
    told = float(re.search(r"misses the points by at most ([\d.]+)\. ", said)[1])
    assert f"5 bumps, {ways}, add up" in said and miss <= told < miss + 0.001
    largest = model.dual_coef_[np.abs(model.dual_coef_).argmax()]
    assert f"largest bump is {abs(largest):.1f} {'high' if largest > 0 else 'deep'}" in said
    assert ("it leaves the picture" in said) == (np.abs(model.dual_coef_).max() > 3.05)


def test_the_curve_is_the_sum_of_the_bumps():
    state = bumps.compute(START, 0.7)
    centres = np.array(START)[:, 0]
    each = state.a * np.exp(-((GRID[:, None] - centres) ** 2) / (2 * 0.7**2))
    assert np.allclose(state.bumps, each) and np.allclose(state.h, each.sum(axis=1))


def test_a_height_of_zero_is_neither_up_nor_down():
    """On a straight line through the middle point its bump has no height, whatever the processor rounds it to."""
    said = bumps.describe(bumps.compute(**bumps.start() | bumps.scenes["Points on a line"]))
    assert "2 up, 2 down and 1 almost flat (point 3)" in said


def test_ways_that_no_bump_goes_are_not_counted():
    points = tuple((x, -1.0) for x, _ in START)
    assert "5 bumps, 5 down, add up" in bumps.describe(bumps.compute(points, 0.1))


def test_a_miss_that_is_hardly_there_is_less_than_a_thousandth():
    points = tuple((x, y / 4) for x, y in START)
    said = bumps.describe(bumps.compute(points, 0.1))
    assert "misses the points by less than 0.001." in said and "at most" not in said


def test_heights_stand_from_the_left_and_are_told():
    moved = ((2.8, 1.0), *START[1:])
    state = bumps.compute(moved, 0.3)
    assert state.heights == pytest.approx(state.a[[1, 2, 3, 4, 0]])
    assert bumps.tell["heights"](state, 4.2, 0.0) == f"point 5: a bump of height {state.a[0]:.2f}"
    assert bumps.tell["axes"](state, 2.8, 0.0).startswith("h(2.8) = ")


# ---- paint, and it separates ---------------------------------------------------------------------


def painted(**values):
    return paint.compute(**paint.start() | values)


@pytest.mark.parametrize("scene", [None, *paint.scenes])
def test_the_surface_is_the_kernel_ridge_of_scikit_learn_and_so_is_who_is_wrong(scene):
    state = painted(**paint.scenes.get(scene, {}))
    model = KernelRidge(alpha=LAM, kernel="rbf", gamma=1 / (2 * state.sigma**2)).fit(state.X, state.y)
    plane = np.column_stack([axis.ravel() for axis in np.meshgrid(X1, X2)])
    assert state.H.ravel() == pytest.approx(model.predict(plane), abs=1e-9)
    wrong = int((np.sign(model.predict(state.X)) != state.y).sum())
    said = paint.describe(state)
    assert state.wrong.sum() == wrong and f"sum of {len(state.y)} bumps" in said
    assert ("on the wrong side" in said) == (wrong > 0) and f"so {wrong} point" in said + ("so 0 point" * (wrong == 0))


@pytest.mark.parametrize("scene", paint.scenes)
def test_rings_are_around_the_points_whose_ground_has_the_other_sign(scene):
    """The sign is read off the painted field at the point, not from the model."""
    canvas, state = paint.canvas(), painted(**paint.scenes[scene])
    canvas.frame(state)
    ground = RegularGridInterpolator((X2, X1), state.H)(state.X[:, ::-1])
    sure = np.abs(ground) > 0.02
    ringed = (state.X[:, None] == canvas.parts["rings"].get_xydata()).all(axis=2).any(axis=1)
    assert ringed[sure].tolist() == (ground * state.y < 0)[sure].tolist() and ringed.sum() == state.wrong.sum()
    canvas.frame(painted(**paint.scenes[scene], played=0.5))
    assert not len(canvas.parts["rings"].get_xydata()), "no rings before there is a boundary"


def test_the_boundary_is_where_the_surface_is_cut():
    state = painted()
    cut = state.cut[np.isfinite(state.cut[:, 0])]
    h = RegularGridInterpolator((X2, X1), state.H)(cut[:, ::-1])
    assert len(cut) > 200 and np.abs(h).max() < 1e-6


def test_no_boundary_is_drawn_where_no_bump_is_heard():
    state = painted(sigma=0.15)
    far = np.hypot(*(state.cut[:, None] - state.X).transpose(2, 0, 1)).min(axis=1)
    assert np.nanmax(far) < 0.15 * np.sqrt(2 * np.log(len(state.y) / FAINT)) + np.hypot(0.06, 0.06)


def test_the_surface_rises_from_flat_and_then_its_cut_moves_over_to_the_plane():
    canvas, parts = paint.canvas(), None
    tallest, ways = [], []
    for played in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        state = painted(played=played)
        canvas.frame(state)
        parts = canvas.parts
        hit = parts["relief"].hit
        level = parts["relief"].level - parts["relief"].back * hit
        tallest.append(np.nanmax(np.where(np.isfinite(hit), level, np.nan)))
        ways.append(parts["boundary"].get_xydata() if parts["boundary"].get_visible() else None)
    assert tallest[0] == pytest.approx(0, abs=1) and tallest == sorted(tallest) and tallest[3] == tallest[5]
    assert ways[:3] == [None] * 3 and ways[5] == pytest.approx(state.cut, nan_ok=True)
    side = parts["space"].transData.transform(parts["relief"].project(state.cut))
    start = parts["plane"].transData.inverted().transform(side)
    part = (ways[4] - start)[1] / (state.cut - start)[1]
    assert 0 < part[0] < 1 and part[0] == pytest.approx(part[1]), "straight from the one place to the other"


def test_an_empty_sheet_and_a_single_colour_have_no_boundary():
    empty = paint.act["Empty sheet"](**paint.start())
    for points, words in ((empty["points"], "Nothing is painted"), (((0.0, 0.0, 1),), "no reason to change its sign")):
        state = painted(points=points)
        assert not np.isfinite(state.cut).any() and words in paint.describe(state)
    assert not painted(**empty).H.any()
    orange = tuple(point for point in paint.start()["points"] if point[2] > 0)
    assert not any(np.isfinite(painted(points=orange, sigma=sigma).cut).any() for sigma in (0.15, 0.45, 1.5))


def test_a_narrow_bump_falls_silent_between_the_points_and_a_wide_one_cannot_bend():
    narrow, middle, wide = (painted(sigma=sigma) for sigma in (0.15, 0.45, 1.5))
    assert narrow.silent > middle.silent > wide.silent
    assert [state.wrong.any() for state in (narrow, middle, wide)] == [False, False, True]
    assert f"{100 * narrow.silent:.0f}" in paint.describe(narrow) and "separates them all" in paint.describe(middle)


@pytest.mark.parametrize("sigma", [0.1, 0.45, 2.0])
def test_no_width_separates_two_colours_at_one_place(sigma):
    """The bumps of the two points are equal, so h has one sign there."""
    state = painted(points=((0.0, 0.0, -1), (0.0, 0.0, 1), (1.0, 1.0, 1)), sigma=sigma)
    assert state.h[0] == state.h[1] and state.wrong[:2].any()
    said = paint.describe(state)
    assert "no width can separate them" in said and "With bumps so wide" not in said
    beside = painted(points=((0.0, 0.0, -1), (0.3, 0.0, 1), (-0.3, 0.0, 1), (0.0, 0.3, 1)), sigma=2.0)
    assert beside.wrong.any() and "With bumps so wide" in paint.describe(beside)


def test_a_single_point_is_not_called_all_points():
    said = paint.describe(painted(points=((0.0, 0.0, -1),)))
    assert said.startswith("There is only one point, so h has no reason to change its sign.")


@pytest.mark.parametrize("name", ["start", "Heart", "Chessboard"])
@pytest.mark.parametrize("gone, more", [(0, 0), (0, 5), (7, 0), (7, 30), (60, 3), (10**3, 2)])
def test_the_code_of_a_sheet_holds_the_points_that_are_on_it(name, gone, more):
    drawing = (paint.scenes.get(name) or paint.start())["points"]
    mine = tuple((x, -x / 3, 1) for x in np.linspace(-2, 2, more).round(3).tolist())
    points = drawing[gone:] + mine
    held = eval(paint.code(points, 0.5).split("print(separated(")[1][:-2], {"np": np, "paint": paint})
    assert sorted(map(tuple, held.tolist())) == sorted((*map(float, p),) for p in np.round(points, 4))
