"""The numbers of notebook 04's explorers, computed another way."""

from fractions import Fraction
from math import exp, factorial

import numpy as np
import pytest
from panels import axes_of, drag, marks_of, number, readout_of, state_of
from scipy.stats import poisson
from sklearn.metrics.pairwise import rbf_kernel

from kernelkit.course.explorers import gaussian_kernel as explore
from kernelkit.course.explorers.drawing.signed_bumps import MARKS, sign_of
from kernelkit.course.explorers.gaussian_kernel.series import terms_needed

# ---- series and limit ------------------------------------------------------------------------


@pytest.mark.parametrize("terms", [1, 7])
def test_series_at_the_origin_is_its_first_term(terms):
    state = state_of(explore.series, x=0.0, terms=terms)
    assert state.sum_at_x == 1.0 and state.needed == 1


@pytest.mark.parametrize(("x", "sigma", "terms"), [(1.5, 1.0, 3), (0.3, 1.0, 1), (3.0, 0.5, 30), (2.0, 1.5, 7)])
def test_series_at_x_is_a_sum_of_poisson_probabilities(x, sigma, terms):
    state, read = (of(explore.series, x=x, sigma=sigma, terms=terms) for of in (state_of, readout_of))
    assert number(read["missing at z = x"]) == pytest.approx(poisson.sf(terms - 1, (x / sigma) ** 2), abs=6e-7)
    z = 0.8  # and away from x, against the series written out
    t = x * z / sigma**2
    damping = exp(-(x**2 + z**2) / (2 * sigma**2))
    cut = damping * sum(t**j / factorial(j) for j in range(terms))
    assert np.interp(z, np.linspace(-4, 4, 201), state.cut) == pytest.approx(cut, abs=1e-6)


@pytest.mark.parametrize("ratio", [0.0, 0.3, 1.0, 2.5, 4.0, 6.0])
def test_terms_needed_is_a_poisson_quantile(ratio):
    assert terms_needed(ratio) == (poisson.ppf(0.999, ratio**2) + 1 if ratio else 1)


@pytest.mark.parametrize(
    ("x", "sigma", "terms"),
    [(2.85, 0.75, 28), (1.8, 2.75, 4), (0.2, 0.95, 2), (2.45, 0.5, 41), (2.0, 1.5, 7), (1.2, 1.0, 6)],
)
def test_what_is_missing_is_written_below_0_001_just_where_it_is(x, sigma, terms):
    missing, read = poisson.sf(terms - 1, (x / sigma) ** 2), readout_of(explore.series, x=x, sigma=sigma, terms=terms)
    enough = read["terms for less than 0.001"]
    assert (number(read["missing at z = x"]) < 0.001) == (missing < 0.001) == (number(enough) <= terms)
    (text,) = marks_of(explore.series, state_of(explore.series, x=x, sigma=sigma, terms=terms), "missing")
    told = number(text.words.removeprefix("missing: "))
    assert (told < 0.001) == (missing < 0.001) and abs(told - missing) < 5.1e-5


def test_series_bound_holds_everywhere():
    for terms in (1, 4, 12, 40):
        state = state_of(explore.series, x=2.2, sigma=0.7, terms=terms)
        assert (np.abs(state.cut - state.k) <= state.bound + 1e-12).all()
        read = readout_of(explore.series, x=2.2, sigma=0.7, terms=terms)
        assert number(read["bound for it"]) >= number(read["missing at z = x"])


def test_the_terms_that_are_needed_are_the_first_that_are_enough():
    enough = [1 - state_of(explore.series, x=2.0, sigma=0.7, terms=terms).sum_at_x < 0.001 for terms in range(1, 40)]
    assert enough.index(True) + 1 == state_of(explore.series, x=2.0, sigma=0.7, terms=1).needed
    assert all(enough[enough.index(True) :])


def test_limit_gap_is_e_squared_minus_its_polynomial():
    for p in (1, 2, 7, 100):
        gap = max(exp(2) - (1 + 2 / p) ** p, abs(exp(-2) - (1 - 2 / p) ** p))
        assert readout_of(explore.limit, p=p)["gap to eᵗ for |t| ≤ 2"] == f"{gap:.3f}"


def test_limit_reads_off_where_the_bump_is_farthest_from_the_gaussian():
    for p, x in ((1, 1.0), (10, 1.0), (10, 0.0), (100, 1.0), (100, 3.0)):
        read = readout_of(explore.limit, p=p, x=x)
        t = np.linspace(-4, 4, 801) * x
        away = np.abs((1 + t / p) ** p - np.exp(t)) * np.exp(-(x**2 + np.linspace(-4, 4, 801) ** 2) / 2)
        assert number(read["gap to the Gaussian"]) == pytest.approx(away.max(), abs=0.002)
        assert number(read["there |t| = |xz|/σ²"]) == pytest.approx(abs(t[away.argmax()]), rel=0.06)


def test_doubling_the_degree_halves_the_gap():
    gap = [state_of(explore.limit, p=p).gap for p in (25, 50, 100)]
    assert gap[0] / gap[1] == pytest.approx(2, rel=0.1) and gap[1] / gap[2] == pytest.approx(2, rel=0.05)


def test_far_out_a_larger_power_is_not_enough():
    """What the question of the panel asks."""
    near, far = (state_of(explore.limit, scene) for scene in (None, explore.limit.question.scene))
    assert far.p == 10 * near.p and far.x == 3 * near.x and far.gap_bump > 3 * near.gap_bump


def test_limit_bump_is_the_damped_power():
    state = state_of(explore.limit, p=3, x=1.5, sigma=0.8)
    z = np.linspace(-4, 4, 201)
    bump = np.exp(-(1.5**2 + z**2) / (2 * 0.8**2)) * (1 + 1.5 * z / (3 * 0.8**2)) ** 3
    np.testing.assert_allclose(state.bump, bump, atol=1e-12)


# ---- which partial sums are kernels ----------------------------------------------------------


@pytest.mark.parametrize("degree", [1, 2, 3, 6])
def test_two_far_points_refute_every_partial_sum(degree):
    state, read = (of(explore.signs, degree=degree, spread=2.0, count=2) for of in (state_of, readout_of))
    entry = sum((-8.0) ** j / factorial(j) for j in range(degree + 1))  # r = 4: r²/2 = 8
    np.testing.assert_allclose(state.in_r2, sorted([1 - abs(entry), 1 + abs(entry)]))
    assert number(read["smallest eigenvalue, sum in r²"]) == pytest.approx(1 - abs(entry), rel=6e-4)


@pytest.mark.parametrize("spread", [0.2, 0.5, 2.0])
def test_three_points_refute_the_linear_cut_however_close(spread):
    assert state_of(explore.signs, degree=1, spread=spread, count=3).in_r2.min() < 0


@pytest.mark.parametrize("spread", [0.2, 0.9, 1.0, 1.05, 2.0])
def test_two_points_refute_the_linear_cut_beyond_two_sigma(spread):
    assert (state_of(explore.signs, degree=1, spread=spread, count=2).in_r2.min() < 0) == (2 * spread > 2)


@pytest.mark.parametrize(("degree", "count"), [(1, 3), (2, 2), (5, 4), (7, 9)])
def test_curves_of_the_smallest_eigenvalue(degree, count):
    state = state_of(explore.signs, degree=degree, count=count)
    for reach, split, in_r2 in zip(np.linspace(0.05, 2, 79), *state.lowest, strict=True):
        X = np.linspace(-reach, reach, count)
        r2 = (X[:, None] - X) ** 2
        K = sum((-r2 / 2) ** j / factorial(j) for j in range(degree + 1))
        assert in_r2 == pytest.approx(np.linalg.eigvalsh(K)[0], abs=2e-9 + 1e-12 * np.abs(K).max())
        assert split >= 0


@pytest.mark.parametrize("degree", range(8))
def test_the_right_split_is_never_negative(degree):
    for count in (2, 5, 9):
        assert state_of(explore.signs, degree=degree, spread=2.0, count=count).split.min() >= 0


@pytest.mark.parametrize(
    ("degree", "spread", "count", "negative"),
    [
        (4, 0.2, 6, True),
        (4, 0.2, 9, True),
        (3, 0.2, 5, True),
        (4, 0.2, 5, False),
        (3, 0.2, 4, False),
        (5, 0.3, 6, False),
    ],
)
def test_an_eigenvalue_below_0_that_no_rounding_makes_is_seen(degree, spread, count, negative):
    """In fractions, without any rounding: as many eigenvalues are below −2·10⁻¹¹ as pivots of K + 2·10⁻¹¹·I below 0."""
    X = [Fraction(round(100 * spread), 100) * (2 * Fraction(i, count - 1) - 1) for i in range(count)]
    K = [[sum((-((x - z) ** 2) / 2) ** j / factorial(j) for j in range(degree + 1)) for z in X] for x in X]
    pivots = []
    for i in range(count):
        K[i][i] += Fraction(2, 10**11) * negative
    for i, row in enumerate(K):
        pivots.append(row[i])
        for other in K[i + 1 :]:
            other[:] = [b - other[i] / row[i] * a for a, b in zip(row, other, strict=True)]
    assert (min(pivots) < 0) is negative
    read = readout_of(explore.signs, degree=degree, spread=spread, count=count)
    assert (number(read["smallest eigenvalue, sum in r²"]) < 0) is negative


# ---- sums of bumps ---------------------------------------------------------------------------


@pytest.mark.parametrize(("sigma", "z"), [(0.5, 0.0), (0.1, -2.5), (3.0, 1.7), (0.85, 0.0)])
def test_combination_reads_off_h(sigma, z):
    read = readout_of(explore.combination, sigma=sigma, z=z)
    votes = [a * exp(-((x - z) ** 2) / (2 * sigma**2)) for x, a in explore.combination.start()["points"]]
    assert number(read["h(z)"]) == pytest.approx(sum(votes), abs=0.0051)
    assert [number(v) for v in read["the four bumps at z"].split(", ")] == pytest.approx(votes, abs=0.0051)
    near = sum(abs(x - z) <= 3 * sigma for x, _ in explore.combination.start()["points"])
    assert read["centres within 3σ of z"] == f"{near} of 4"


def test_centres_beyond_3_sigma_hardly_count():
    heard = set()
    for sigma in (0.1, 0.3, 0.5, 0.9, 1.2, 3.0):
        for z in np.arange(-4, 4.1, 0.5):
            state = state_of(explore.combination, sigma=sigma, z=float(z))
            far = np.abs(state.X[:, 0] - z) > 3 * sigma + 1e-9
            assert np.abs(state.votes[far]).sum() < 0.09 and (far == ~state.near).all(), "next to nothing"
            heard.add(int(far.sum()))
    assert heard == {0, 1, 2, 3, 4}


def test_bumps_without_weight_add_0():
    flat = tuple((x, 0.0) for x in (-2.5, -0.9, 0.9, 2.6))
    read = readout_of(explore.combination, points=flat)
    assert read["h(z)"] == "0.00" and read["the four bumps at z"] == "0.00, 0.00, 0.00, 0.00"


def test_a_weight_that_is_turned_over_changes_h_within_three_sigma():
    scene = explore.combination.scenes["X₃ turned over"]
    change = state_of(explore.combination, **scene).h - state_of(explore.combination).h
    near = np.abs(np.linspace(-4, 4, 241) - 0.9) <= 3 * 0.5
    assert np.abs(change[~near]).max() < 0.012 * 3.2 < 0.9 * 3.2 < np.abs(change[near]).max()


def test_wide_hills_fill_the_valley_of_their_neighbour():
    """What the question asks."""
    grid, (start, wide) = (
        np.linspace(-4, 4, 241),
        (state_of(explore.combination, scene) for scene in (None, explore.combination.question.scene)),
    )
    assert wide.z == -0.9 and wide.votes == pytest.approx([0.5, -1, 0.5, 0], abs=0.03), "what the explanation says"
    assert np.interp(-0.9, grid, start.h) == pytest.approx(-1, abs=0.02)
    assert np.interp(-0.9, grid, wide.h) == pytest.approx(0, abs=0.05) and wide.sigma == 1.2


def test_pointer_over_the_bumps_reads_h():
    state = state_of(explore.combination)
    h = sum(a * exp(-((x - 0.4) ** 2) / (2 * 0.5**2)) for x, a in explore.combination.start()["points"])
    (told,) = [mark.told for mark in axes_of(explore.combination, state)["axes"].marks if mark.tell]
    assert told(0.4, 9.0) == f"h(0.4) = {h:.3f}"
    plane = explore.landscape.compute(**explore.landscape.start() | {"a2": 0.0, "a3": 0.0, "a4": 0.0})
    h = exp(-(0.6**2 + 0.2**2) / (2 * 0.7**2))
    assert explore.landscape.tell["plane"](plane, -2.0, 1.3) == f"h(−2.00, 1.30) = {h:.3f}"


@pytest.mark.parametrize(("weight", "sign"), [(0.0, 0), (1e-17, 0), (-0.004, 0), (0.05, 1), (-0.05, -1)])
def test_a_weight_that_is_written_as_0_has_no_sign(weight, sign):
    assert sign_of(weight) == sign
    state = state_of(explore.landscape, a2=weight)
    for names in (["tips"], ["pins", "hidden"]):
        marks = [mark for name in names for mark in marks_of(explore.landscape, state, name)]
        counts = {marker: sum(len(mark.x) for mark in marks if mark.marker == marker) for marker in MARKS.values()}
        assert counts == {marker: [1, sign, 1, -1].count(s) for s, marker in MARKS.items()}


def test_a_centre_behind_a_hill_is_pale():
    """Two hills in one line of sight: the far centre is pale where the near hill is higher."""
    for near, hidden in ((1.0, 0), (1.5, 1)):
        state = state_of(explore.landscape, "Two hills", a1=near, turn=-90, tilt=5)
        seen, behind = (
            sum(len(mark.x) for mark in marks_of(explore.landscape, state, name) if mark.marker == MARKS[1])
            for name in ("pins", "hidden")
        )
        assert seen == 2 - hidden and behind == hidden


def test_landscape_reads_off_h_at_its_first_centre():
    values = explore.landscape.start() | {"sigma": 1.3, "a2": -0.4}
    state, read = (of(explore.landscape, sigma=1.3, a2=-0.4) for of in (state_of, readout_of))
    X, a = np.array(values["points"]), np.array([values[f"a{i}"] for i in range(1, 5)])
    at_centres = rbf_kernel(X, gamma=1 / (2 * 1.3**2)) @ a
    assert number(read["h at X₁"]) == pytest.approx(at_centres[0], abs=0.0051)
    assert number(read["of this from the others"]) == pytest.approx(at_centres[0] - 1, abs=0.0051)
    assert state.at_centres == pytest.approx(at_centres)
    assert at_centres.max() <= state.H.max() + 0.01


def extremes(read):
    """(x, y, h) of the highest and of the lowest place."""
    for label in ("highest", "lowest"):
        h, place = read[label].split(" at ")
        yield [*(number(part) for part in place.strip("()").split(", ")), number(h)]


@pytest.mark.parametrize("sigma", [0.4, 0.7, 1.8])
def test_the_plane_of_landscape_is_the_sum_of_hills_and_hollows(sigma):
    """Each weight counts with its own sign: at every place of the grid, at the top and at the bottom."""
    values = explore.landscape.start() | {"sigma": sigma, "a1": 1.0, "a2": -0.8, "a3": 0.9, "a4": -1.3}
    state, side = state_of(explore.landscape, sigma=sigma, a4=-1.3), np.linspace(-3, 3, 61)
    H = sum(
        values[f"a{i}"] * np.exp(-((side - c) ** 2 + (side[:, None] - up) ** 2) / (2 * sigma**2))
        for i, (c, up) in enumerate(values["points"], start=1)
    )
    assert H.min() < -0.5 and H.max() > 0.5
    np.testing.assert_allclose(state.H, H, atol=1e-12)
    for told, at in zip(
        extremes(readout_of(explore.landscape, sigma=sigma, a4=-1.3)), (H.argmax(), H.argmin()), strict=True
    ):
        row, column = np.unravel_index(at, H.shape)
        assert told == pytest.approx([side[column], side[row], H.flat[at]], abs=0.0051)


@pytest.mark.parametrize(("sigma", "at"), [(0.2, "centre"), (0.4, "centre"), (1.5, "grid")])
def test_the_highest_and_the_lowest_place_may_be_centres_between_the_places_of_the_grid(sigma, at):
    """All 61 · 61 places and the four centres, one after another."""
    points, a = ((-1.35, 1.15), (1.4, 1.2), (1.3, -1.2), (-1.25, -1.35)), (1.0, -0.8, 0.9, -1.0)
    places = [(x, y) for y in np.linspace(-3, 3, 61) for x in np.linspace(-3, 3, 61)] + list(points)
    h = rbf_kernel(places, points, gamma=1 / (2 * sigma**2)) @ a
    found = extremes(readout_of(explore.landscape, points=points, sigma=sigma))
    for told, i, centre in zip(found, (h.argmax(), h.argmin()), (0, 3), strict=True):
        assert (i == 61 * 61 + centre) == (at == "centre"), "the setting is what it is here for"
        assert told == pytest.approx([*places[i], h[i]], abs=0.0051)


def test_two_hills_merge_when_sigma_is_half_their_distance():
    scene = explore.landscape.scenes["Two wider hills"]
    for sigma, merged in ((1.3, False), (1.35, False), (1.45, True), (1.5, True)):
        H = state_of(explore.landscape, **scene | {"sigma": sigma}).H
        middle = H[30]  # along z2 = 0
        assert (middle[30] >= middle[29] and middle[30] >= middle[31]) == merged


def test_of_two_equal_hills_the_first_is_named_whatever_rounding_says():
    assert readout_of(explore.landscape, "Two hills")["highest"] == "1.00 at (−1.4, 0)"


def test_a_plane_without_weights_is_flat():
    read = readout_of(explore.landscape, a1=0.0, a2=0.0, a3=0.0, a4=0.0)
    assert [h for _, _, h in extremes(read)] == [0, 0] and read["h at X₁"] == "0.00"


def test_landscape_is_turned_where_no_centre_is_held():
    panel = explore.landscape()
    before = panel.values
    drag(panel, id=1, x0=0.75, y0=0.5, x=0.65, y=0.6)
    turned = panel.values
    assert turned["points"] == before["points"]
    assert (turned["turn"], turned["tilt"]) == (before["turn"] + 18, before["tilt"] + 9)
    x, y = panel.canvas.to_pixels("plane", before["points"])[0] / (700, 380)
    drag(panel, id=2, x0=x, y0=y, x=x + 0.1, y=y)
    assert panel.values["points"][0][0] > before["points"][0][0] + 1 and panel.values["turn"] == turned["turn"]


def test_an_arrow_marks_the_bars_that_are_longer_than_the_picture():
    for degree in (14, 20):
        state = state_of(explore.wiggle, degree=degree)
        texts, top = marks_of(explore.wiggle, state, "lengths"), axes_of(explore.wiggle, state)["paths"].y.high
        paths = state.true_path, state.polynomial.path, state.gaussian.path
        for text, path in zip(texts, paths, strict=True):
            assert ("↑" in text.words) == (path > top)
