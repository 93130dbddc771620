"""What a relief shows at each pixel, against a ray that is followed through the block."""

import numpy as np
import pytest
from scipy.interpolate import RegularGridInterpolator

from kernelkit.course.explorers.drawing.relief import MARGIN, PALETTE, SKY, WALL, Surface, View

SIDE = np.linspace(-3, 3, 81)
FINE = 4000  # steps of a ray


def view(fine=1.0, turn=28.0, tilt=42.0):
    return View(3.0, (368, 350), 42.5, 62, -1.25, (190, 176), turn, tilt, fine)


def surface(H):
    return Surface(view(), H).on(1.0)


def hills(seed):
    """A smooth surface between −1 and 1."""
    rng = np.random.default_rng(seed)
    x, y = np.meshgrid(SIDE, SIDE)
    waves = [rng.normal() * np.sin(rng.uniform(0.5, 2) * (x * a + y * b) + c) for a, b, c in rng.normal(size=(6, 3))]
    return np.tanh(sum(waves) / 2)


def followed(shown, H, column, row):
    """How far back a ray first meets the block, by small steps; inf if it never does."""
    turn, tilt = np.deg2rad([28.0, 42.0])
    side = (column + 0.5 - 190) / 42.5
    depth = np.linspace(-4.3, 4.3, FINE)
    x, y = side * np.cos(turn) - depth * np.sin(turn), side * np.sin(turn) + depth * np.cos(turn)
    height = (row + 0.5 - 176 - 42.5 * np.sin(tilt) * depth) / (62 * np.cos(tilt))
    surface = RegularGridInterpolator((SIDE, SIDE), H, bounds_error=False)(np.column_stack([y, x]))
    met = (np.maximum(np.abs(x), np.abs(y)) <= 3) & (height <= surface) & (height >= -1.25)
    return depth[met.argmax()] if met.any() else np.inf


@pytest.mark.parametrize("seed", range(3))
def test_a_pixel_shows_what_its_ray_meets_first(seed):
    H = hills(seed)
    shown = surface(H)
    places = np.random.default_rng(seed).integers((0, 0), (368, 350), (300, 2)).tolist()
    wanted = np.array([followed(shown, H, column, row) for column, row in places])
    found = np.array([shown.hit[row, column] for column, row in places])
    same = (wanted == found) | (np.abs(np.minimum(wanted, 99) - np.minimum(found, 99)) < 0.06)
    assert same.mean() > 0.98, "all but pixels on an outline, which a sample of the cut may miss"
    assert np.isfinite(wanted).mean() > 0.3


def test_height_goes_up_and_depth_goes_back_in_a_parallel_view():
    origin, up, right, back = view(turn=30.0, tilt=45.0).project(
        np.array([[0, 0], [0, 0], [1, 0], [0, 1]]), np.array([0, 1, 0, 0])
    )
    assert origin == pytest.approx((190, 176)) and up - origin == pytest.approx((0, 62 * np.sqrt(0.5)))
    assert right - origin == pytest.approx((42.5 * np.sqrt(0.75), -42.5 * 0.5 * np.sqrt(0.5)))
    assert back - origin == pytest.approx((42.5 * 0.5, 42.5 * np.sqrt(0.75 * 0.5)))


def test_of_a_hill_the_far_side_is_hidden_and_of_a_plain_nothing_is():
    x, y = np.meshgrid(SIDE, SIDE)
    behind, before = np.array([[-0.4, 0.9]]), np.array([[0.4, -0.9]])
    assert view().project(behind)[0, 1] > view().project(before)[0, 1]
    shown = surface(0 * x)
    assert shown.sees(behind) and shown.sees(before)
    hill = 1.2 * np.exp(-(x**2 + y**2) / 0.5)
    shown = surface(hill)
    at = 1.2 * np.exp(-(0.4**2 + 0.9**2) / 0.5)
    assert not shown.sees(behind, at) and shown.sees(before, at)
    assert not shown.sees(np.array([[np.nan, np.nan]]))


def test_what_is_below_the_glass_is_seen_through_it_and_what_is_above_is_not():
    for height in (-0.8, 0.8):
        shown = surface(np.full((81, 81), height))
        x, y = shown.view.project(np.zeros((1, 2)), height)[0].astype(int)
        pixel = shown.pixels[y, x].view(np.uint32)[0]
        tone = slice(*(round(128 * (1 + height)) + np.array([-1, 2])))
        assert np.isin(pixel, PALETTE[int(height < 0), tone]) and not np.isin(pixel, PALETTE[int(height > 0), tone])


def test_the_glass_is_a_little_larger_than_the_block_and_beyond_it_is_nothing():
    shown = surface(np.full((81, 81), -1.0))
    for share, colour in ((1 + MARGIN / 2, SKY[1]), (1 + 2 * MARGIN, SKY[0])):
        x, y = shown.view.project(share * np.array([[-3.0, 3.0]]))[0].astype(int)
        assert shown.pixels[y, x].view(np.uint32)[0] == colour


def test_the_two_walls_meet_below_the_nearest_corner():
    shown = surface(np.zeros((81, 81)))
    x, y = shown.view.project(np.array([[3.0, -3.0]]), -0.7)[0].astype(int)
    wall = shown.pixels[y].view(np.uint32)[:, 0]
    assert {*wall[x - 3 : x - 1]} == {WALL[0]} and {*wall[x + 2 : x + 4]} == {WALL[1]}


def test_a_dense_screen_shows_the_same_in_more_pixels():
    shown = Surface(view(), hills(0))
    coarse, fine = shown.paint(1.0), shown.paint(2.0)
    assert coarse.shape == (350, 368, 4) and fine.shape == (700, 736, 4)
    gaps = np.abs(fine[::2, ::2].astype(int) - coarse)
    assert np.median(gaps) <= 3 and (gaps.max(axis=2) > 30).mean() < 0.03
