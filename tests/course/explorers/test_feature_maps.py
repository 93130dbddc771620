"""The explorers of notebook 01 find what independent calculations find."""

from itertools import combinations_with_replacement, product
from math import comb, prod, sqrt

import numpy as np
import pytest
from panels import axes_of, number, readout_of, state_of, told_of
from scipy.optimize import linprog
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures

from kernelkit import datasets
from kernelkit.course.explorers.feature_maps import fit, growth, lift, separate
from kernelkit.course.explorers.feature_maps.fit import CURVES
from kernelkit.course.panel.marks import Boxes
from kernelkit.course.panel.numbers import short, thousands
from kernelkit.features.base import MAX_BYTES

# ---- fit ------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", ["cubic", "sine", "step"])
@pytest.mark.parametrize("degree", [1, 3, 6])
def test_fit_is_the_least_squares_polynomial_when_the_penalty_is_negligible(data, degree):
    state = state_of(fit, data=data, degree=degree, n=25)
    X, y = getattr(datasets, data)(25, fit.start()["noise"])
    theirs = np.polynomial.Polynomial.fit(X[:, 0] / 3, y, degree)
    assert state.h == pytest.approx(theirs(np.linspace(-1, 1, 161)), abs=1e-3)
    error = sqrt(np.mean((theirs(X[:, 0] / 3) - y) ** 2))
    assert state.training == pytest.approx(error, abs=1e-5)


@pytest.mark.parametrize(
    ("data", "degree", "n", "noise"), [("cubic", 3, 20, 0.3), ("step", 6, 25, 0.3), ("sine", 5, 60, 0.0)]
)
def test_fit_reads_off_three_distances(data, degree, n, noise):
    values = {"data": data, "degree": degree, "n": n, "noise": noise}
    state, read = state_of(fit, **values), readout_of(fit, **values)
    clean, true = CURVES[data](n, 0.0)[1], CURVES[data](300, 0.0, random_state=1)
    model = make_pipeline(PolynomialFeatures(degree), Ridge(alpha=1e-9, fit_intercept=False)).fit(
        state.x[:, None], state.y
    )
    distances = {
        "distance from the points": model.predict(state.x[:, None]) - state.y,
        "distance from the true curve": model.predict(true[0] / 3) - true[1],
        "true curve from the points": clean - state.y,
    }
    for label, off in distances.items():
        assert number(read[label]) == pytest.approx(sqrt(np.mean(off**2)), abs=0.002)


def test_fit_shrinks_the_weighted_monomials_not_the_plain_ones():
    state = state_of(fit, degree=4, lam=1.0)
    X, y = datasets.cubic(20, 0.3)
    roots = np.sqrt([1, 4, 6, 4, 1])
    Phi = (X / 3) ** np.arange(5) * roots
    assert state.w == pytest.approx(Ridge(alpha=1.0, fit_intercept=False).fit(Phi, y).coef_)
    plain = Ridge(alpha=1.0, fit_intercept=False).fit(Phi / roots, y).coef_ / roots
    assert np.abs(state.w - plain).max() > 0.1


def test_the_error_on_the_points_never_grows_with_the_degree():
    errors = [state_of(fit, degree=p).training for p in range(1, 13)]
    assert (np.diff(errors) < 1e-4).all() and errors[-1] < errors[2] < errors[0]
    far = [state_of(fit, degree=p, n=13).truth for p in (3, 12)]
    assert far[1] > 2 * far[0]


def test_the_verdict_says_what_the_three_degrees_miss():
    near, far = ([getattr(state_of(fit, degree=p), name) for p in (1, 3, 12)] for name in ("training", "truth"))
    assert "points by {:.3f}, degree 3 by {:.3f} and degree 12 by {:.3f}.".format(*near) in fit.question.why
    assert "it is {:.3f} at degree 3 and {:.3f} at degree 12".format(*far[1:]) in fit.question.why


def test_a_penalty_shrinks_the_weights():
    lengths = [np.linalg.norm(state_of(fit, degree=9, lam=lam).w) for lam in (1e-6, 1e-3, 1.0, 10.0)]
    assert lengths == sorted(lengths, reverse=True)


def test_fit_tells_the_curve_and_each_weight_under_the_pointer():
    state = state_of(fit, degree=3)
    model = np.polynomial.Polynomial.fit(state.x, state.y, 3)
    assert told_of(fit, state, "curve", 0.5, 2.0) == f"h(0.5) = {short(model(0.5), 3)}"
    assert told_of(fit, state, "weights", 0.0, 2.2) == f"w of √3·x² = {short(state.w[2])}"


# ---- separate -------------------------------------------------------------------------------


@pytest.mark.parametrize("data", ["interval", "half_planes", "rings", "crossing", "moons"])
@pytest.mark.parametrize("degree", [1, 2, 3, 4])
def test_separate_counts_the_errors_of_least_squares_on_the_labels(data, degree):
    state = state_of(separate, data=data, degree=degree, noise=0.1)
    X, y = getattr(datasets, data)(noise=0.1)
    theirs = make_pipeline(PolynomialFeatures(degree), Ridge(alpha=1e-8, fit_intercept=False)).fit(X, y).predict(X)
    certain = np.abs(theirs) > 1e-2  # a point on the boundary may go either way
    assert not (state.wrong[certain] != (np.sign(theirs) != y)[certain]).any()
    assert state.errors == state.wrong.sum()
    read = readout_of(separate, data=data, degree=degree, noise=0.1)
    assert read["training points wrong"] == f"{state.errors} of {len(y)}"
    Z, t = getattr(datasets, data)(n=1000, noise=0.1, random_state=1)
    assert number(read["new points wrong"]) == pytest.approx(np.mean(np.sign(state.h(Z)) != t), abs=1e-9)


@pytest.mark.parametrize("data, degree", [("half_planes", 1), ("interval", 2), ("rings", 2), ("moons", 3)])
def test_the_least_degree_that_separates(data, degree):
    errors = [state_of(separate, data=data, degree=p).errors for p in range(1, degree + 1)]
    assert errors[-1] == 0 and all(e > 0 for e in errors[:-1])


def test_rings_are_carried_by_the_squares():
    state = state_of(separate, degree=2)
    with_cubes = state_of(separate, separate.question.scene)
    squares, cubes = np.abs(with_cubes.w[[3, 5]]), np.abs(with_cubes.w[6:])
    assert len(cubes) == 4 and cubes.max() < squares.min() / 4, "what the question of the panel asks"
    w = dict(zip(state.names, state.w, strict=True))
    others = [abs(v) for name, v in w.items() if name not in ("1", "x_1^2", "x_2^2")]
    assert min(w["x_1^2"], w["x_2^2"]) > 5 * max(others)


@pytest.mark.parametrize("data, named", [("interval", "0.5"), ("rings", "0.5, −1")])
def test_separate_tells_h_under_the_pointer(data, named):
    state = state_of(separate, data=data, degree=2)
    X, y = getattr(datasets, data)(noise=0.05)
    theirs = make_pipeline(PolynomialFeatures(2), Ridge(alpha=1e-8, fit_intercept=False)).fit(X, y)
    told = separate.tell["plane"](state, 0.5, -1.0)
    head, value = told.split(" = ")
    assert head == f"h({named})"
    assert float(value.replace("−", "-")) == pytest.approx(theirs.predict([[0.5, -1.0][: X.shape[1]]])[0], abs=5e-3)


# ---- lift -----------------------------------------------------------------------------------


@pytest.mark.parametrize("plane", ["sum", "product"])
@pytest.mark.parametrize("level", [0.3, 1.1, 2.0])
def test_the_boundary_is_lifted_into_its_plane(plane, level):
    state = state_of(lift, amount=1.0, plane=plane, level=level)
    z1, z2, z3 = state.lifted_curve[~np.isnan(state.lifted_curve[:, 0])].T
    assert (z1 + z3 if plane == "sum" else z2) == pytest.approx(level)
    p1, p2, p3 = state.patch.T
    assert (p1 + p3 if plane == "sum" else p2) == pytest.approx(level)


def test_lifted_points_lie_on_the_cone_and_flat_ones_on_the_floor():
    z1, z2, z3 = state_of(lift, amount=1.0).places.T
    assert z2**2 == pytest.approx(2 * z1 * z3)
    flat = state_of(lift, amount=0.0)
    assert flat.places[:, :2] == pytest.approx(flat.X) and (flat.places[:, 2] == 0).all()
    half = state_of(lift, amount=0.5).places
    assert half == pytest.approx((flat.places + np.column_stack([z1, z2, z3])) / 2)


@pytest.mark.parametrize("level", [0.3, 0.5, 1.1, 2.0])
def test_lift_counts_the_points_inside_and_outside_the_circle(level):
    state = state_of(lift, amount=1.0, level=level)
    inside = np.hypot(*state.X.T) < sqrt(level)
    right = int((inside == (state.y < 0)).sum())
    for amount in (0.0, 1.0):
        assert readout_of(lift, amount=amount, level=level)["points on the correct side"] == f"{right} of 60"


def test_the_scenes_separate_what_they_promise():
    for name in ("Ring, lifted", "Edge on", "Crossing"):
        assert not state_of(lift, **lift.scenes[name]).wrong.any()
    best = min(
        state_of(lift, amount=1.0, data="half_planes", plane=plane, level=level).wrong.sum()
        for plane, level in product(("sum", "product"), np.arange(0, 2.5, 0.1))
    )
    assert best > 15  # no plane helps: the squares forget the sign


def separable(Z, y):
    """Is there w, b with y (wᵀz + b) ≥ 1?"""
    A = -y[:, None] * np.column_stack([Z, np.ones(len(Z))])
    return linprog(np.zeros(A.shape[1]), A, -np.ones(len(Z)), bounds=(None, None)).status == 0


@pytest.mark.parametrize(("data", "flat", "lifted"), [("rings", 0, 1), ("crossing", 0, 1), ("half_planes", 1, 0)])
def test_the_lift_separates_rings_and_a_crossing_and_no_half_planes(data, flat, lifted):
    for amount, wanted in ((0.0, flat), (1.0, lifted)):
        state = state_of(lift, data=data, amount=amount)
        assert separable(state.places, state.y) == wanted


def test_no_plane_at_all_separates_the_lifted_half_planes():
    state = state_of(lift, amount=1.0, data="half_planes")
    assert separable(state.X, state.y) and not separable(state.places, state.y)
    assert separable(np.hstack([state.X, state.places]), state.y)


def test_the_ringed_points_are_of_both_classes_and_land_in_one_place():
    state = state_of(lift, lift.question.scene)
    (one, other), labels = state.X[state.pair], state.y[state.pair]
    assert set(labels) == {-1, 1} and np.linalg.norm(one - other) > 1 and one == pytest.approx(-other, abs=0.1)
    lifted = state.places[state.pair]
    assert np.linalg.norm(np.subtract(*lifted)) < 0.1 * np.linalg.norm(lifted[0])
    assert len(state_of(lift).pair) == 0, "rings have no such points"


@pytest.mark.parametrize("azimuth, elevation", [(-60, 30), (-150, 10), (0, 90)])
def test_near_points_are_those_on_the_side_of_the_viewer(azimuth, elevation):
    state = state_of(lift, amount=1.0, level=1.1, azimuth=azimuth, elevation=elevation)
    a, e = np.radians([azimuth, elevation])
    camera = 1000 * np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
    z = state.places
    sees = np.sign(camera[0] + camera[2] - 1.1)
    assert (state.near == (np.sign(z[:, 0] + z[:, 2] - 1.1) == sees)).all()


@pytest.mark.parametrize("azimuth, elevation", [(-60, 30), (10, 0), (175, 90)])
def test_the_camera_looks_along_a_right_angled_frame(azimuth, elevation):
    camera = state_of(lift, azimuth=azimuth, elevation=elevation).camera
    assert camera @ camera.T == pytest.approx(np.eye(3))
    assert np.cross(camera[0], camera[1]) == pytest.approx(camera[2])  # right × up = towards the viewer
    assert camera[0, 2] == 0 and camera[1, 2] >= -1e-9  # nothing tilts: up stays up


def test_the_largest_circle_of_the_sheet_is_lifted_into_a_plane():
    flat, lifted = (state_of(lift, amount=amount).sheet[0] for amount in (0.0, 1.0))
    r2 = (flat[:, :2] ** 2).sum(axis=1)
    assert r2 == pytest.approx(1.8**2) and lifted[:, 0] + lifted[:, 2] == pytest.approx(r2)


def test_lift_tells_the_features_under_the_pointer():
    assert lift.tell["flat"](state_of(lift), 1.0, -2.0) == "Φ(x) = (1, −2.83, 4)"


# ---- growth ---------------------------------------------------------------------------------


def listed(count, d, p):
    if count == "ordered":
        return sum(1 for _ in product(range(d), repeat=p))
    degrees = range(p + 1) if count == "all" else [p]
    return sum(1 for m in degrees for _ in combinations_with_replacement(range(d), m))


@pytest.mark.parametrize("count", ["all", "exact", "ordered"])
@pytest.mark.parametrize("d, p", [(1, 3), (2, 2), (4, 3), (7, 4), (3, 6)])
def test_growth_counts_what_a_list_counts(count, d, p):
    state = state_of(growth, d=float(d), p=p, count=count)
    assert listed(count, d, p) == state.D
    assert state.bytes == np.zeros((1000, state.D)).nbytes
    assert readout_of(growth, d=float(d), p=p, count=count)["features D"].endswith(f" = {thousands(state.D)}")


def test_the_sliders_of_growth_show_whole_numbers():
    panel = growth()
    panel.go("4 inputs, degree 3")
    assert [panel.inputs[name].readout_format for name in ("d", "n")] == [".0f", ".0f"]


def test_growth_says_the_numbers_that_are_often_quoted():
    for scene, D in (
        ("100 inputs, degree 4", 4_598_126),
        ("10 000 inputs, in pairs", 100_000_000),
        ("4 inputs, degree 3", 35),
    ):
        assert readout_of(growth, scene)["features D"].endswith(f" = {thousands(D)}")


def test_the_panel_and_the_map_refuse_the_same_matrices():
    from kernelkit import Monomials

    for n, refused in ((100_000, False), (200_000, True)):
        assert state_of(growth, d=100.0, p=2, n=float(n)).fits is not refused
        X = np.broadcast_to(0.0, (n, 100))
        if refused:
            with pytest.raises(ValueError, match="more than"):
                Monomials(2)(X)
        else:
            Monomials(2)._check_memory(len(X), Monomials(2).dim(X.shape[1]))


@pytest.mark.parametrize(
    ("d", "n", "p", "count"),
    [
        (1034, 1000, 2, "all"),
        (1035, 1000, 2, "all"),
        (1000, 1000, 2, "all"),
        (1050, 1000, 2, "all"),
        (316, 100, 3, "all"),
        (14, 1000, 5, "ordered"),
        (100, 3162, 3, "exact"),
        (10, 10, 2, "all"),
    ],
)
def test_a_matrix_about_as_large_as_the_limit_fits_or_not(d, n, p, count):
    """Eight bytes for each number; the limit is four times two to the power of thirty."""
    D = {"all": comb(d + p, p), "exact": comb(d + p - 1, p), "ordered": d**p}[count]
    read, size = readout_of(growth, d=float(d), n=float(n), p=p, count=count), 8 * n * D
    assert number(read["memory for n points"]) == pytest.approx(size / 1e9, rel=0.0051)
    assert read["fits in 4.3 GB"] == ("yes" if size <= 4 * 2**30 else "no")


@pytest.mark.parametrize("d", [1.0, 100.0, 127.0, 10_000.0])
def test_degree_0_has_one_feature_and_degree_1_as_many_times_as_it_has(d):
    assert number(readout_of(growth, d=d, p=1)["times those of degree p − 1"]) == d + 1


def test_the_last_number_of_inputs_that_fits_is_marked():
    assert [state_of(growth, p=p).most for p in (2, 3, 4)] == [1034, 145, 57]


@pytest.mark.parametrize("d, p", [(1, 2), (4, 3), (100, 2), (100, 4), (1000, 3)])
def test_each_degree_multiplies_the_features_as_the_answer_says(d, p):
    """D(p) / D(p − 1) = (d + p) / p, which is why the corner shrinks."""
    D, before, _ = state_of(growth, d=float(d), p=p).nested
    assert p * D == (d + p) * before


def test_the_card_of_degree_2_is_the_corner_of_degree_3_and_a_square_of_degree_4():
    """The question of the panel, and what the text says of one degree more."""
    start, answer, more = state_of(growth), state_of(growth, growth.question.scene), state_of(growth, d=100.0, p=4)
    assert answer.nested[1] == start.D and answer.D / start.D == pytest.approx(103 / 3, rel=1e-12)
    assert growth.question.options[growth.question.answer] == f"about {answer.D / start.D:.0f}"
    assert more.nested[2] == start.D and more.D / start.D == pytest.approx(893, abs=0.5)
    assert more.unit == start.D and more.squares == 2


@pytest.mark.parametrize("count", ["all", "exact", "ordered"])
def test_all_squares_have_room_and_are_cards_of_a_lower_degree(count):
    for d, p in product(np.geomspace(1, 10_000, 40).round(), range(1, 7)):
        state = state_of(growth, d=float(d), p=p, count=count)
        if state.squares is None:
            assert state.unit == 1 and state.D <= 150**2
        else:
            assert 0 < state.squares < p and state.unit == state.features(int(d), state.squares) and state.pitch >= 3
            assert state.pitch * np.sqrt(state.D / state.unit) <= 300


def dots(state):
    """The middles of all dots on the card, group after group."""
    return [np.column_stack([mark.x, mark.y]) for mark in axes_of(growth, state)["dots"].marks[:3]]


@pytest.mark.parametrize("count", ["all", "exact", "ordered"])
@pytest.mark.parametrize("d, p", [(1, 1), (1, 6), (4, 3), (30, 2), (5, 5), (100, 2)])
def test_there_is_one_dot_for_each_feature_and_those_of_the_degree_before_are_a_corner(count, d, p):
    state = state_of(growth, d=float(d), p=p, count=count)
    newest, before, lower = dots(state)
    assert [len(newest) + len(before) + len(lower), len(before) + len(lower), len(lower)] == state.nested
    every = np.vstack([newest, before, lower])
    assert len({*map(tuple, every)}) == state.D and every.min() > 0 and every.max() < 300
    corner = np.vstack([before, lower])
    assert corner.max() <= newest.max(axis=1).min(initial=np.inf) + state.pitch, "the rest lies around the corner"


def listed_below(d, degree):
    """How many monomials there are up to a degree: those of d + 1 variables of this degree exactly."""
    return prod(range(d + 1, d + degree + 1)) // prod(range(1, degree + 1))


@pytest.mark.parametrize("d, p", [(100, 3), (100, 4), (10_000, 2), (10_000, 6)])
def test_squares_have_the_areas_of_the_numbers(d, p):
    state = state_of(growth, d=float(d), p=p)
    (squares,) = [mark for mark in axes_of(growth, state)["dots"].marks if isinstance(mark, Boxes)]
    areas = [width * height for _, _, width, height in squares.boxes]
    assert areas == pytest.approx([state.pitch**2 * number / state.unit for number in state.nested])
    assert 275 < np.sqrt(areas[0]) <= 300 and state.unit == listed_below(d, state.squares)


@pytest.mark.parametrize("count", ["all", "exact", "ordered"])
@pytest.mark.parametrize("p", [2, 3, 4, 5, 6])
def test_the_two_labels_on_a_line_of_the_card_do_not_meet(count, p):
    canvas = growth.canvas()
    for d in (1, 100, 390, 1800, 10_000):
        canvas.move(state_of(growth, d=float(d), p=p, count=count))
        shown = canvas.shown["dots"]
        labels = {mark.name: artist for mark, artist in zip(shown.marks, shown.artists, strict=True) if mark}
        if "lower" in labels:
            assert labels["corner"].get_window_extent().x1 < labels["lower"].get_window_extent().x0


@pytest.mark.parametrize("count, number", [("all", 20), ("exact", 10), ("ordered", 27)])
def test_a_dot_tells_which_feature_it_is(count, number):
    """Every feature once, and the corner holds those of lower degree, or those in which x₁ comes first."""
    state = state_of(growth, d=3.0, p=3, count=count)
    pitch, told = state.pitch, {}
    for column, row in product(range(6), repeat=2):
        told[column, row] = growth.tell["dots"](state, (column + 0.5) * pitch, (row + 0.5) * pitch)
    told = {place: text for place, text in told.items() if text}
    assert len({*told.values()}) == len(told) == number == state.D
    corner = [tuple(place) for group in dots(state)[1:] for place in (group / pitch).astype(int).tolist()]
    rest = [text for place, text in told.items() if place not in corner]
    if count == "all":
        degrees = [text.split(": ")[1].count("x") + sum("²³".find(c) + 1 for c in text) for text in rest]
        assert degrees == [3] * len(rest)
    else:
        assert all("x₁" in told[place] for place in corner)
        assert not any(text.split(": ")[1].split("·")[-1].startswith("x₁") for text in rest)


def test_squares_tell_the_degree_of_their_features():
    state = state_of(growth, "100 inputs, degree 4")
    assert growth.tell["dots"](state, 250.0, 3.0) == "features of degree 4"
    assert growth.tell["dots"](state, 40.0, 3.0) == "features of degree 3"
    assert growth.tell["dots"](state, 299.0, 299.0) == ""


def test_a_click_among_the_curves_chooses_the_inputs():
    state = state_of(growth)
    assert growth.click["axes"](state, 57.2, 1e4) == {"d": 56.2341}
    assert growth.click["axes"](state, 0.6, 1.0) == {"d": 1.0}


@pytest.mark.parametrize("count", ["all", "exact", "ordered"])
@pytest.mark.parametrize("p, n", [(1, 1_000_000), (2, 1000), (4, 1000), (6, 1_000_000), (6, 1)])
def test_the_line_down_from_the_limit_stands_at_the_last_d_that_fits(count, p, n):
    state = state_of(growth, p=p, n=float(n), count=count)
    assert 8 * n * state.features(state.most, p) <= MAX_BYTES < 8 * n * state.features(state.most + 1, p)


def test_growth_tells_d_and_features_under_the_pointer():
    state = state_of(growth, p=4)
    assert growth.tell["axes"](state, 100.3, 1.0) == f"d = 100, p = 4: D = {thousands(4_598_126)}"


def test_measuring_adds_one_time_for_each_size():
    values = growth.start() | {"count": "ordered"}
    steps = list(growth.measure(**values))
    state = growth.compute(**values, measured=steps[-1][1])
    assert [fraction for fraction, _ in steps][-1] == 1
    assert len(state.seconds) == len(state.cells) == len(steps) and min(state.seconds) > 0
    assert state.whose == "this machine" != state_of(growth).whose
    assert state.time == pytest.approx(1000 * 10_000 * steps[-1][1][-1] / state.cells[-1])
