"""What the panels and the text of notebook 16 say is true on their data."""

import sys

import numpy as np
import pytest
from panels import axes_of, number, readout_of
from scipy.signal import convolve2d, correlate2d

from kernelkit import Gaussian, KernelSVM, Linear, Polynomial, datasets
from kernelkit.course.explorers import images as explore
from kernelkit.course.explorers.drawing.pictures import SIDE, coloured, small
from kernelkit.images import filters as f
from kernelkit.images.descriptors import descriptors, keypoints, matches
from kernelkit.images.filters import bank_responses, change_when_turned, convolve, correlate, filter_bank, turned

LAB = sys.modules["kernelkit.course.explorers.images.filter_lab"]
ORIENTATIONS = sys.modules["kernelkit.course.explorers.images.orientations"]
BANK = sys.modules["kernelkit.course.explorers.images.bank"]


def state(explorer, **values):
    return explorer.compute(**explorer.start() | values)


def scene(explorer, name):
    return state(explorer, **explorer.scenes[name])


def response_of(found):
    """The pixels of the response as the filter lab shows it."""
    return axes_of(explore.filter_lab, found)["response"].marks[0].pixels


# ---- the filter lab ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", LAB.FILTERS.values())
@pytest.mark.parametrize(("rule", "theirs"), [("convolution", convolve2d), ("correlation", correlate2d)])
@pytest.mark.parametrize(("row", "column"), [(1, 1), (64, 30), (128, 128)])
def test_the_products_add_up_to_what_scipy_answers_there(kind, rule, theirs, row, column):
    found = state(explore.filter_lab, kind=kind, rule=rule, row=row, column=column)
    np.testing.assert_allclose(found.products.sum(axis=(0, 1)), found.value, atol=1e-12)
    for layer in range(3 if found.colour else 1):
        x, w = LAB.layer_of(found.x, layer), LAB.layer_of(found.w, layer)
        z = theirs(x, w, "same", "symm")
        np.testing.assert_allclose(LAB.layer_of(found.z, layer), z, atol=1e-12)


def test_filters_that_are_called_balanced_add_up_to_0_in_each_layer():
    for kind in LAB.FILTERS.values():
        w = state(explore.filter_lab, kind=kind).w
        assert (np.abs(w.sum(axis=(0, 1))).max() < 1e-12) == (kind in LAB.BALANCED)


@pytest.mark.parametrize("kind", LAB.FILTERS.values())
def test_the_rules_agree_just_where_a_half_turn_leaves_the_filter_as_it_is(kind):
    one, other = (state(explore.filter_lab, kind=kind, rule=rule, angle=35) for rule in LAB.RULES)
    assert np.allclose(one.w, one.w[::-1, ::-1], atol=1e-12) == np.allclose(one.z, other.z, atol=1e-9)
    np.testing.assert_allclose(one.by_other_rule, other.value, atol=1e-12)
    read, turned = (readout_of(explore.filter_lab, kind=kind, rule=rule, angle=35) for rule in LAB.RULES)
    assert read["by the other rule"] == turned["z in the square"]


@pytest.mark.parametrize("kind", [kind for kind in LAB.BALANCED if kind not in LAB.COLOUR])
def test_the_displays_say_the_sign_cut_it_off_or_leave_it_out(kind):
    """grey: a response of 0 is the middle grey, less is darker, more is lighter. black: less than 0 is 0. size: |z|."""
    pixels = {}
    for shown in LAB.SHOWN.values():
        found = state(explore.filter_lab, kind=kind, shown=shown)
        pixels[shown] = response_of(found)[..., 0].astype(float)
    part = np.clip(found.z / np.sort(np.abs(found.z).ravel())[int(0.99 * (found.z.size - 1))], -1, 1)
    for shown, wanted in (("signed", (1 + part) / 2), ("cut", np.maximum(part, 0)), ("size", np.abs(part))):
        np.testing.assert_allclose(pixels[shown], 255 * wanted, atol=2, err_msg=shown)
    assert part.min() < -0.5 and part.max() > 0.5


def test_the_corner_is_found_where_it_looks_like_the_filter_and_turned_by_convolution():
    """The light square has rows 24 to 56 and columns 80 to 112; each is compared with all of its pixels."""
    for name, place in (("Corner, correlated", (24, 80)), ("Corner, convolved", (56, 112))):
        shown = scene(explore.filter_lab, name)
        z = shown.z[15:66, 71:122]
        assert np.unravel_index(z.argmax(), z.shape) == (place[0] - 15, place[1] - 71)
        assert (shown.row - 1, shown.column - 1) == place and shown.value == pytest.approx(0.25, abs=1e-3)
    assert explore.filter_lab.question.scene == "Corner, convolved" and explore.filter_lab.start()["kind"] != "corner"


def test_each_colour_filter_does_what_is_said_of_it():
    blurred, green, blue, edges = (
        state(explore.filter_lab, picture="shapes", kind=kind) for kind in ("blurred", "green", "blue", "edges")
    )
    x = coloured("shapes")
    np.testing.assert_allclose(green.z[..., [0, 2]], blurred.z[..., [0, 2]], atol=1e-12)
    lost = (blurred.z - green.z)[..., 1]
    assert lost[40, 84] > 0.05 > -0.05 > lost[40, 76]  # inside the light square, and outside
    np.testing.assert_allclose(blue.z[..., :2], x[..., :2], atol=1e-12)
    assert np.abs(blue.z - x)[..., 2].max() > 0.5
    np.testing.assert_allclose(edges.z[5:11, 60:68], 0, atol=1e-12)


@pytest.mark.parametrize("picture", LAB.PICTURES.values())
def test_the_mean_of_the_colours_is_the_grey_picture(picture):
    x = coloured(picture)
    assert x.shape == (SIDE, SIDE, 3) and 0 <= x.min() and x.max() <= 1
    if picture != "shapes":  # of which only the tinted parts are darker
        np.testing.assert_allclose(x.mean(axis=2), small(picture), atol=1e-12)


def test_a_wave_to_the_right_finds_the_edges_on_the_left_and_on_the_right():
    z = np.abs(scene(explore.filter_lab, "Wave at 0°").z)
    right, left, top, bottom = z[40, 57:61].max(), z[40, 16:20].max(), z[18:22, 38].max(), z[58:62, 38].max()
    assert min(right, left) > 20 * max(top, bottom)
    z = np.abs(scene(explore.filter_lab, "Wave at 90°").z)
    assert min(z[18:22, 38].max(), z[58:62, 38].max()) > 20 * z[40, 57:61].max()


def test_a_slanted_wave_answers_to_the_stripes_alone():
    z = np.abs(scene(explore.filter_lab, "Wave at 135°").z)
    stripes = z[86:103, 30:47].max()
    assert stripes > 3 * max(z[18:62, 16:62].max(), z[20:60, 76:117].max())


def test_dark_dots_answer_with_plus():
    z = scene(explore.filter_lab, "Dark dots").z
    assert z[94, 96] > 0.15 and z[94, 96] == z[88:101, 90:103].max()


def test_a_click_chooses_the_pixel_under_it():
    choose = explore.filter_lab.click["picture"]
    assert choose(None, 43.2, 62.9) == {"row": 64, "column": 44}
    assert choose(None, -0.5, 127.5) == {"row": SIDE, "column": 1}


# ---- the bank ------------------------------------------------------------------------------------


def test_the_panel_measures_what_the_package_measures():
    found = state(explore.bank, angle=30)
    np.testing.assert_allclose(found.changes, change_when_turned(BANK.picture_of("temple"), 30, filter_bank()))


@pytest.mark.parametrize("picture", ["temple", "flower", "admiral", "shapes"])
def test_fifteen_degrees_change_more_than_thirty_and_ninety_change_nothing(picture):
    by15, by30, by90 = (state(explore.bank, picture=picture, angle=angle).median for angle in (15, 30, 90))
    assert by15 > 1.3 * by30 > 0 and by90 < 1e-10
    one, twelve = (state(explore.bank, picture=picture, angle=15, orientations=n).median for n in (1, 12))
    assert one > 2 * by15 and twelve < 0.7 * by15
    changes = state(explore.bank, picture=picture, angle=30).changes  # also where most of the picture is even
    assert changes.max() < 0.25 and changes.max() == max(changes[[2, 5]])  # of σ = 1


def test_without_signs_half_a_turn_changes_nothing():
    assert state(explore.bank, angle=180, orientations=1).median < 1e-10


def test_more_orientations_feel_a_turn_less():
    temple = datasets.picture("china", grey=True)[110:238, 220:348]
    felt = {
        n: [np.median(change_when_turned(temple, angle, filter_bank(n))[2:]) for angle in (15, 30, 45)]
        for n in (2, 6, 12)
    }
    assert min(felt[2]) > 0.2 and max(felt[12]) < 0.05
    assert felt[6][1] < 0.06 and all(0.08 < felt[6][i] < 0.16 for i in (0, 2))


def test_the_bank_is_blind_to_the_direction_of_stripes():
    i, k = np.mgrid[:80, :80]
    stripes = [np.sin(2 * np.pi * (k * np.cos(a) - i * np.sin(a)) / 8) for a in np.radians((0, 30, 60))]
    means = [np.abs(bank_responses(x)[:, 24:56, 24:56]).mean(axis=(1, 2)) for x in stripes]
    for other in means[1:]:
        np.testing.assert_allclose(other[3:], means[0][3:], rtol=0.1)


@pytest.mark.parametrize("picture", ["temple", "flower", "admiral", "shapes"])
def test_with_three_orientations_a_quarter_turn_changes_as_much_as_30_degrees(picture):
    """What the question of the panel says, and its scene shows; at the start nothing is turned."""
    by30, by60, by90 = (
        state(explore.bank, picture=picture, angle=angle, orientations=3).median for angle in (30, 60, 90)
    )
    assert abs(by90 - by30) < 0.15 * by30 and by90 > 5 * by60
    assert explore.bank.scenes[explore.bank.question.scene] == {"angle": 90, "orientations": 3}
    assert explore.bank.start()["angle"] == 0 and explore.bank.start()["orientations"] == 6


# ---- orientations --------------------------------------------------------------------------------


def test_most_votes_at_an_upright_edge_go_across_it_to_the_light():
    found = scene(explore.orientations, "An upright edge")
    assert abs((found.main + 180) % 360 - 180) < 2
    assert found.x[40, 78] < found.x[40, 82] and found.counts[17:20].max() < 0.05 * found.counts.max()


def test_turning_and_dimming_hardly_change_the_numbers_and_an_upright_window_feels_it():
    names = ("Turned by 40°", "Window upright", "Little light")
    turned40, upright, dim = (scene(explore.orientations, name) for name in names)
    assert turned40.distance < 0.25 and upright.distance > 0.7 and dim.distance < 1e-9


def test_a_click_finds_the_place_in_the_turned_picture():
    for angle in (0, 40, 90, 215):
        found = state(explore.orientations, row=50, column=80, angle=angle)
        row, column = found.place
        assert explore.orientations.click["picture"](found, column, row) == {"row": 50, "column": 80}


@pytest.mark.parametrize(("row", "column", "angle"), [(60, 68, 0), (60, 68, 45), (60, 68, 30), (40, 38, 45)])
def test_on_even_ground_nothing_is_drawn_and_no_direction_is_said(row, column, angle):
    """What turning leaves of the spline between pixels is no direction."""
    values = {"picture": "shapes", "row": row, "column": column, "sigma": 1.0, "angle": angle, "light": 0.2}
    found = state(explore.orientations, **values)
    assert readout_of(explore.orientations, **values) == {"main direction": "none"}
    assert not found.counts.any() and not found.cells.any() and found.window == 0


def test_no_direction_is_called_360():
    found = state(explore.orientations)
    found.main = 359.7
    assert explore.orientations.readout(found)["main direction"] == "0°"


def test_places_go_where_turning_takes_their_pixels():
    x = np.zeros((SIDE, SIDE))
    x[49, 79] = 1
    row, column = ORIENTATIONS.place_in(50, 80, 90)
    assert np.unravel_index(turned(x, 90).argmax(), x.shape) == (round(row), round(column))


# ---- what the text says --------------------------------------------------------------------------


def test_a_linear_machine_on_responses_is_one_on_pixels():
    w, rng = np.array([[0, 0, 0], [1, 0, -1], [0, 0, 0]]), np.random.default_rng(0)
    A = np.array([convolve(unit, w, "zero").ravel() for unit in np.eye(36).reshape(36, 6, 6)]).T
    x, v = rng.standard_normal((2, 36))
    assert v @ convolve(x.reshape(6, 6), w, "zero").ravel() == pytest.approx((A.T @ v) @ x)
    assert np.count_nonzero(A) == 60 and set(A[A != 0]) == {-1.0, 1.0}


def test_correlation_has_neither_law_of_a_product():
    rng = np.random.default_rng(0)
    x, v, w = rng.standard_normal((9, 9)), rng.standard_normal((3, 3)), rng.standard_normal((3, 3))
    np.testing.assert_allclose(convolve(convolve(x, w, "wrap"), v, "wrap"), convolve(x, convolve2d(v, w), "wrap"))
    one_way, other = correlate(correlate(x, w, "wrap"), v, "wrap"), correlate(x, correlate(v, w, "zero"), "wrap")
    assert np.abs(one_way - other).max() > 0.1
    np.testing.assert_allclose(convolve2d(v, w), convolve2d(w, v))
    assert np.abs(convolve2d(v, w[::-1, ::-1]) - convolve2d(w, v[::-1, ::-1])).max() > 0.1  # v ⋆ w and w ⋆ v


def test_the_response_moves_with_the_picture():
    x = np.random.default_rng(0).standard_normal((9, 9))
    w = f.gabor(1.0, 30, wave="sine")
    one_on = np.roll(x, 1, axis=1)
    np.testing.assert_allclose(convolve(one_on, w, "wrap"), np.roll(convolve(x, w, "wrap"), 1, axis=1), atol=1e-12)


def test_a_dot_answers_most_to_a_disc_of_its_own_size():
    i, k = np.mgrid[-40:41, -40:41]
    disc = 1.0 - (np.hypot(i, k) < 8.5)
    sigmas = np.arange(3.0, 11.0, 0.5)
    best = sigmas[np.argmax([convolve(disc, f.laplacian_of_gaussian(s))[40, 40] for s in sigmas])]
    assert abs(best - 8.5 / np.sqrt(2)) <= 0.5


def test_six_directions_see_every_edge_of_a_disc():
    disc = convolve(1.0 * (np.hypot(*(np.mgrid[:81, :81] - 40)) < 25), f.gaussian(1))
    around = np.radians(np.arange(0, 360, 5))
    at = np.round(40 - 25 * np.sin(around)).astype(int), np.round(40 + 25 * np.cos(around)).astype(int)
    part = []
    for n in (1, 2, 6):
        bank = [f.gabor(2.0, angle, wave="sine") for angle in 180 * np.arange(n) / n]
        z = f.max_abs([convolve(disc, w) for w in bank])[at]
        part.append(z.min() / z.max())
    assert part[0] < 0.1 < 0.5 < part[1] < 0.8 < part[2]


def test_a_negative_has_the_same_edges():
    x, bank = small("temple"), [f.gabor(2.0, angle, wave="sine") for angle in (0, 90)]
    ours, negative = (f.max_abs([convolve(p, w) for w in bank]) for p in (x, 1 - x))
    np.testing.assert_allclose(ours, negative, atol=1e-12)


def test_the_flower_is_redder_than_what_is_around_it():
    z = convolve(datasets.picture("flower"), f.gaussian(3)[:, :, None] * np.array([1, -1, 0])).sum(axis=2)
    assert z.max() > 0.3 and np.quantile(z, 0.1) < 0.1


def test_which_filters_are_separable():
    ranks = [
        np.linalg.matrix_rank(w, tol=1e-9)
        for w in (f.gaussian(3), f.laplacian_of_gaussian(3), f.gabor(2, 0), f.gabor(2, 30))
    ]
    assert ranks == [1, 2, 1, 3]


def test_features_tell_textures_apart_that_pixels_do_not():
    """Pixels and means of z are a coin, for every machine; means of |z| are not, and a curve beats a line."""
    full = filter_bank(6, (1.0, 2.0))
    single = [group._replace(filters=group.filters[:1]) for group in full]
    features = {
        "pixels": lambda X: X.reshape(len(X), -1),
        "z": lambda X: np.array([bank_responses(p, single).mean(axis=(1, 2)) for p in X]),
        "size": lambda X: np.array([np.abs(bank_responses(p, full)).mean(axis=(1, 2)) for p in X]),
    }
    X, y = datasets.textures(100)
    Z, truth = datasets.textures(100, test=True, random_state=1)
    right = {}
    for name, phi in features.items():
        A, B = phi(X), phi(Z)
        mean, spread = A.mean(0), A.std(0) + 1e-9
        A, B = (A - mean) / spread, (B - mean) / spread
        size = np.sqrt(A.shape[1])
        for k in (Linear() * (1 / size**2), Polynomial(2), Gaussian(size)):
            right[name, type(k).__name__] = KernelSVM(k).fit(A, y).score(B, truth)
    assert max(v for (name, _), v in right.items() if name != "size") < 0.6
    line, *curves = (v for (name, _), v in right.items() if name == "size")
    assert line > 0.6 and min(curves) > 0.75 and min(curves) > line + 0.08


@pytest.mark.parametrize("test", [False, True])
def test_in_the_means_of_sizes_the_temple_lies_on_both_sides_of_the_trees(test):
    """On each of edges and bars some of its patches are below nine in ten trees, and others above."""
    X, y = datasets.textures(100, test=test, random_state=int(test))
    bank = filter_bank(6, (1.0, 2.0))
    A = np.array([np.abs(bank_responses(p, bank)).mean(axis=(1, 2)) for p in X])
    temple, trees = A[y < 0], A[y > 0]
    low, high = np.quantile(trees, [0.1, 0.9], axis=0)
    assert (temple.std(axis=0) > 1.3 * trees.std(axis=0)).all()
    assert (temple < low)[:, 2:].mean(axis=0).min() > 0.15 and (temple > high)[:, 2:].mean(axis=0).min() > 0.05


def test_raw_patches_of_a_turned_picture_are_not_matched():
    view = datasets.picture("china", grey=True)[100:292, 150:342]
    other = turned(view, 30)
    raw, names = [], []
    for x in (view, other):
        points, wide = keypoints(x, count=80), np.pad(x, 8, mode="symmetric")
        raw.append(np.array([wide[int(i) : int(i) + 17, int(k) : int(k) + 17].ravel() for i, k, _ in points]))
        names.append(descriptors(x, points))
    assert len(matches(*raw)) == 0 and len(matches(*names)) > 30


def test_descriptors_find_their_place_again():
    view = datasets.picture("china", grey=True)[100:292, 150:342]
    points = keypoints(view, count=80)
    names = descriptors(view, points)
    others = keypoints(0.4 * view + 0.2, count=80)
    pairs = matches(names, descriptors(0.4 * view + 0.2, others))
    assert len(pairs) == 80 and (pairs[:, 0] == pairs[:, 1]).all()
    apart = np.linalg.norm(names[:, None] - names, axis=2)[np.triu_indices(80, 1)]
    assert 0.8 < np.median(apart) < 1.2  # unrelated places are about 1 apart


def test_turned_along_a_descriptor_hardly_changes_and_upright_it_does():
    turned, upright = (state(explore.orientations, angle=40, follow=follow) for follow in (True, False))
    assert turned.distance < 0.5 < upright.distance


@pytest.mark.parametrize(("shown", "level"), [("signed", 128), ("cut", 0), ("size", 0)])
def test_even_places_of_edges_in_colour_are_grey_where_grey_is_0_and_else_black(shown, level):
    found = state(explore.filter_lab, kind="edges", picture="shapes", shown=shown)
    pixels = response_of(found)[5:11, 60:68].astype(int)
    assert np.ptp(found.x[:18, 52:76], axis=(0, 1)).max() < 1e-9 and np.abs(pixels - level).max() <= 1


@pytest.mark.parametrize("size", [1, 3, 15])
@pytest.mark.parametrize("kind", LAB.FILTERS.values())
def test_the_sum_of_the_weights_is_what_scipy_makes_of_a_picture_of_ones(kind, size):
    w, read = state(explore.filter_lab, kind=kind, size=size).w, readout_of(explore.filter_lab, kind=kind, size=size)
    for layer, said in enumerate(read["their sum"].split(", ")):
        w_of_it = LAB.layer_of(w, layer)
        (z,) = convolve2d(np.ones(w_of_it.shape), w_of_it, "valid").ravel()
        assert number(said) == pytest.approx(z, abs=0.0051)


TURNS = [(0, 6), (180, 1), (180, 6), (90, 1), (90, 2), (90, 3), (90, 6), (30, 6), (15, 6), (60, 3), (30, 3), (45, 2)]
TURNS += [(15, 12), (30, 12), (5, 12), (10, 12), (20, 12)]


@pytest.mark.parametrize(("angle", "n"), TURNS)
def test_a_turn_changes_nothing_where_pixels_go_to_pixels_and_filters_to_filters(angle, n):
    """And how far it takes a filter from the nearest one."""
    found, directions = state(explore.bank, angle=angle, orientations=n), range(0, 180, 180 // n)
    off = min((sign * (angle - d)) % 180 for d in directions for sign in (1, -1))
    read = readout_of(explore.bank, angle=angle, orientations=n)
    assert number(read["a stripe misses the nearest filter by"]) == off
    assert number(read["median change of edges and bars"]) == pytest.approx(found.median, abs=0.0051)
    assert (off == 0 and angle % 90 == 0) is bool(found.changes.max() < 1e-9)
    if off == 0 and angle % 90:  # interpolation, which is felt by the finest stripes
        assert found.names[found.changes.argmax()].endswith("σ = 1")


@pytest.mark.parametrize(
    ("picture", "row", "column"), [("temple", 85, 37), ("temple", 43, 43), ("shapes", 91, 67), ("shapes", 31, 97)]
)
def test_the_share_of_the_votes_near_the_main_direction(picture, row, column):
    place = {"picture": picture, "row": row, "column": column}
    found = state(explore.orientations, **place)
    n = len(found.counts)
    near = np.cos(2 * np.pi * np.arange(n) / n - np.radians(found.main)) >= np.cos(np.radians(25)) - 1e-12
    share = found.counts[near].sum() / found.counts.sum()
    assert number(readout_of(explore.orientations, **place)["votes within 25° of it"]) == pytest.approx(
        share, abs=0.0051
    )
