"""The pictures and readouts of notebook 00, against scikit-learn."""

import numpy as np
import pytest
from panels import axes_of, marks_of, number, readout_of, state_of
from scipy.interpolate import RegularGridInterpolator
from sklearn.kernel_ridge import KernelRidge

from kernelkit.course.explorers.start_here.bumps import GRID, START, bumps
from kernelkit.course.explorers.start_here.paint import FAINT, LAM, VIEW, X1, X2, paint
from kernelkit.course.panel.numbers import read_off


@pytest.mark.parametrize("sigma", [0.1, 0.5, 1.5, 2.0])
def test_bumps_reads_off_what_scikit_learn_finds(sigma):
    data = np.array(START)
    model = KernelRidge(alpha=1e-3, kernel="rbf", gamma=1 / (2 * sigma**2)).fit(data[:, :1], data[:, 1])
    miss, read = np.abs(model.predict(data[:, :1]) - data[:, 1]).max(), readout_of(bumps, sigma=sigma)
    assert number(read["largest miss at a point"]) == pytest.approx(miss, abs=0.00051)
    largest = model.dual_coef_[np.abs(model.dual_coef_).argmax()]
    assert number(read["height of the largest bump"]) == pytest.approx(largest, abs=0.051)


def test_the_curve_is_the_sum_of_the_bumps():
    state = state_of(bumps, sigma=0.7)
    centres = np.array(START)[:, 0]
    each = state.a * np.exp(-((GRID[:, None] - centres) ** 2) / (2 * 0.7**2))
    assert np.allclose(state.bumps, each) and np.allclose(state.h, each.sum(axis=1))


def test_of_two_bumps_of_equal_height_the_one_that_goes_up_is_named_whatever_rounding_says():
    """On a straight line through the middle point the heights are those of a curve turned about it."""
    state = state_of(bumps, "Points on a line")
    assert state.a.max() == pytest.approx(-state.a.min(), abs=1e-9)
    assert number(readout_of(bumps, "Points on a line")["height of the largest bump"]) > 0


def test_a_miss_that_is_hardly_there_is_less_than_a_thousandth():
    points = tuple((x, y / 4) for x, y in START)
    assert readout_of(bumps, points=points, sigma=0.1)["largest miss at a point"] == "less than 0.001"


def test_heights_stand_from_the_left_and_are_told():
    state = state_of(bumps, points=((2.8, 1.0), *START[1:]), sigma=0.3)
    assert state.heights == pytest.approx(state.a[[1, 2, 3, 4, 0]])
    assert bumps.tell["heights"](state, 4.2, 0.0) == f"point 5: a bump of height {state.a[0]:.2f}"
    told = [mark.told(2.8, 0.0) for mark in axes_of(bumps, state)["axes"].marks]
    assert [words for words in told if words] == [f"h(2.8) = {read_off(np.interp(2.8, GRID, state.h))}"]


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
    assert state.wrong.sum() == wrong
    assert readout_of(paint, scene)["points on the wrong side"] == f"{wrong} of {len(state.y)}"


@pytest.mark.parametrize("scene", paint.scenes)
def test_rings_are_around_the_points_whose_ground_has_the_other_sign(scene):
    """The sign is read off the painted field at the point, not from the model."""
    state = painted(**paint.scenes[scene])
    ground = RegularGridInterpolator((X2, X1), state.H)(state.X[:, ::-1])
    sure = np.abs(ground) > 0.02
    ringed = (state.X[:, None] == ringed_in(state)).all(axis=2).any(axis=1)
    assert ringed[sure].tolist() == (ground * state.y < 0)[sure].tolist() and ringed.sum() == state.wrong.sum()
    assert not len(ringed_in(painted(**paint.scenes[scene], played=0.5))), "no rings before there is a boundary"


def ringed_in(state):
    """The places of the rings."""
    (rings,) = marks_of(paint, state, "rings")
    return np.column_stack([rings.x, rings.y])


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
    tallest, ways, state = [], [], painted()
    for played in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        (block,), boundary = (marks_of(paint, painted(played=played), name) for name in ("block", "boundary"))
        seen = block.paint.__self__.on(1.0)
        tallest.append((seen.view.level - seen.view.back * seen.hit)[np.isfinite(seen.hit)].max())
        ways.append(np.column_stack([boundary[0].x, boundary[0].y]) if boundary else None)
    assert tallest[0] == pytest.approx(0, abs=1) and tallest == sorted(tallest) and tallest[3] == tallest[5]
    assert ways[:3] == [None] * 3 and ways[5] == pytest.approx(state.cut, nan_ok=True)
    space, plane = (paint.canvas().axes(name).transData for name in ("space", "plane"))
    start = plane.inverted().transform(space.transform(VIEW.project(state.cut)))
    part = (ways[4] - start)[1] / (state.cut - start)[1]
    assert 0 < part[0] < 1 and part[0] == pytest.approx(part[1]), "straight from the one place to the other"


def test_an_empty_sheet_and_a_single_colour_have_no_boundary():
    empty = paint.act["Empty sheet"](**paint.start())
    for points in (empty["points"], ((0.0, 0.0, 1),)):
        assert not np.isfinite(painted(points=points).cut).any()
    assert not painted(**empty).H.any()
    orange = tuple(point for point in paint.start()["points"] if point[2] > 0)
    assert not any(np.isfinite(painted(points=orange, sigma=sigma).cut).any() for sigma in (0.15, 0.45, 1.5))


def test_a_narrow_bump_falls_silent_between_the_points_and_a_wide_one_cannot_bend():
    narrow, middle, wide = (painted(sigma=sigma) for sigma in (0.15, 0.45, 1.5))
    assert narrow.silent > middle.silent > wide.silent
    assert [state.wrong.any() for state in (narrow, middle, wide)] == [False, False, True]


@pytest.mark.parametrize("sigma", [0.1, 0.45, 2.0])
def test_no_width_separates_two_colours_at_one_place(sigma):
    """The bumps of the two points are equal, so h has one sign there."""
    state = painted(points=((0.0, 0.0, -1), (0.0, 0.0, 1), (1.0, 1.0, 1)), sigma=sigma)
    assert state.h[0] == state.h[1] and state.wrong[:2].any()


@pytest.mark.parametrize("name", ["start", "Heart", "Chessboard"])
@pytest.mark.parametrize("gone, more", [(0, 0), (0, 5), (7, 0), (7, 30), (60, 3), (10**3, 2)])
def test_the_code_of_a_sheet_holds_the_points_that_are_on_it(name, gone, more):
    drawing = (paint.scenes.get(name) or paint.start())["points"]
    mine = tuple((x, -x / 3, 1) for x in np.linspace(-2, 2, more).round(3).tolist())
    points = drawing[gone:] + mine
    held = eval(paint.code(points, 0.5).split("print(separated(")[1][:-2], {"np": np, "paint": paint})
    assert sorted(map(tuple, held.tolist())) == sorted((*map(float, p),) for p in np.round(points, 4))
