"""Notebook 09: the theorems behind its panels."""

import re
from itertools import pairwise

import numpy as np
import pytest
from misprints import misprints
from panels import axes_of, drag, marks_of, number, readout_of, state_of as state
from scipy.interpolate import CubicSpline

from kernelkit import KernelRidge
from kernelkit.course.explorers.valid_kernels import algebra, break_it, four_views, spectra
from kernelkit.course.explorers.valid_kernels.algebra import DRAWS, FINE, GRID
from kernelkit.course.explorers.valid_kernels.break_it import CANDIDATES, OWN, find
from kernelkit.course.explorers.valid_kernels.four_views import kernel
from kernelkit.course.explorers.valid_kernels.spectra import W

SMALLEST = "smallest vᵀKv of a unit vector v"

# ---- kernel algebra --------------------------------------------------------------------------------


def test_drawn_functions_have_the_covariance_of_the_kernel():
    """K^½K^½ = K: drawn from a standard normal ξ, K^½ξ has covariance K."""
    found = state(algebra, joined="first", first="bumps", sigma1=1.0)
    root = found.functions @ np.linalg.pinv(DRAWS)  # on the span of the five draws K^½ itself
    gram = np.exp(-((GRID[:, None] - GRID) ** 2) / 2)
    assert np.allclose(root @ DRAWS, found.functions)
    assert np.allclose(DRAWS.T @ gram @ DRAWS, found.functions.T @ found.functions)


def test_a_product_with_a_line_likes_nothing_at_zero():
    middle = len(GRID) // 2
    assert np.abs(state(algebra, joined="·").functions[middle]).max() < 1e-6
    assert np.abs(state(algebra, joined="+").functions[middle]).max() > 0.1


def test_functions_are_silent_at_the_dotted_places():
    values = state(algebra, "Bumps with silent places")
    places = [line.x for line in marks_of(algebra, values, "silent")]
    assert len(places) == 2
    assert np.abs(CubicSpline(GRID, values.functions)(places)).max() < 1e-3 * values.tallest
    assert not marks_of(algebra, state(algebra), "silent")


@pytest.mark.parametrize(
    ("values", "D", "rank"),
    [
        ({"joined": "first", "first": "line"}, 1, 1),
        ({"second": "constant", "more": "squared"}, 3, 3),
        ({"first": "polynomial", "second": "line"}, 4, 3),  # x twice
        ({"first": "polynomial", "second": "polynomial", "joined": "·"}, 9, 5),
        ({"joined": "first", "more": "+ 1"}, 2, 2),
    ],
)
def test_the_rank_of_k_is_the_number_of_different_features(values, D, rank):
    found = state(algebra, **values)
    assert (found.D, found.rank) == (D, rank) and len(found.names) == D


def test_features_that_are_too_small_to_be_seen_are_counted_all_the_same():
    """x¹² … x¹: thirteen different ones, and K of sixty-one points shows eleven."""
    cubes = {"first": "polynomial", "p1": 3, "joined": "·", "second": "polynomial", "p2": 3, "more": "squared"}
    found = state(algebra, **cubes)
    assert (found.different, found.rank) == (13, 11)


def test_a_constant_kernel_has_one_eigenvalue_also_of_infinitely_many_features():
    found = state(algebra, first="constant", joined="first", more="exp")
    assert found.D is None and found.rank == 1


def test_infinitely_many_features_have_no_names():
    found = state(algebra)
    assert found.D is None and found.names == () and "infinitely many" in algebra.readout(found)["features"]


def test_exp_of_a_large_kernel_is_scaled_until_it_can_be_drawn():
    values = {"first": "polynomial", "p1": 3, "second": "polynomial", "p2": 3, "joined": "·", "more": "exp"}
    found = state(algebra, **values)
    assert np.isfinite(found.functions).all() and "/2000)" in found.formula


@pytest.mark.parametrize(("a", "rank"), [(-1.0, 1), (-0.9, 2), (0.0, 2), (0.3, 2), (1.0, 1)])
def test_a_stretched_product_has_as_many_features_as_a_has_rank(a, rank):
    """xᵀAz over the plane, for z at the mark, by hand; A = (1 a; a 1) has the eigenvalues 1 ± a."""
    found = state(algebra, inputs=2, joined="first", first="A", a1=a, z=((0.5, -1.5),))
    x1, x2 = np.meshgrid(FINE, FINE)
    k = x1 * (0.5 - 1.5 * a) + x2 * (0.5 * a - 1.5)
    assert np.allclose(found.shown, k / np.abs(k).max(), atol=1e-12)
    assert (found.D, found.rank, found.different) == (rank, rank, rank)
    large, small = max(1 + a, 1 - a), min(1 + a, 1 - a)
    assert found.kappa[1] == pytest.approx(small / large, abs=1e-12), "the grid is the same in both directions"


def test_a_kernel_of_squares_cannot_tell_x_from_its_mirror_image():
    found = state(algebra, joined="first", first="bumps", more="k(f, f)")
    assert np.allclose(found.functions, found.functions[::-1], atol=1e-6)
    assert np.allclose(found.shown, np.exp(-((GRID[:, None] ** 2 - GRID**2) ** 2) / 0.5))


def test_a_factor_changes_the_size_of_the_functions_and_nothing_else():
    once, thrice = state(algebra), state(algebra, more="c k", times=3.0)
    assert np.allclose(thrice.functions, np.sqrt(3) * once.functions, atol=1e-6)
    assert np.allclose(thrice.kappa, once.kappa) and np.allclose(thrice.shown, once.shown)


def test_the_mark_can_be_dragged_only_where_it_is_shown():
    panel = algebra()
    assert not panel.picture.marks
    panel.set(inputs=2)
    x, y = panel.picture.marks["places"][0]
    wanted = panel.canvas.to_data("gram", x - 0.08, y)
    drag(panel, id=1, x0=x, y0=y, x=x - 0.08, y=y, done=True)
    assert panel.state.z[0] == pytest.approx(wanted) and wanted == pytest.approx([-0.1, 0.5], abs=0.02)


# ---- one fit, four views ---------------------------------------------------------------------------


@pytest.mark.parametrize("family", ["gaussian", "polynomial", "linear"])
def test_the_parts_of_the_eigenvectors_add_up_to_ridge(family):
    whole = state(four_views, family=family)
    parts = [state(four_views, family=family, chosen=i).part for i in range(1, 11)]
    model = KernelRidge(kernel(family, 3, 0.8), 0.1).fit(whole.X[:, None], whole.y)
    grid = np.linspace(-3, 3, 121)[:, None]
    assert np.allclose(np.sum(parts, axis=0), whole.h)
    assert np.allclose(whole.h, model.predict(grid))


def test_the_effective_dimension_is_the_trace_of_the_smoother():
    """Σ κ/(κ + λ) = trace K(K + λI)⁻¹, between 0 and the rank; it falls with λ."""
    sums = [state(four_views, lam=lam).kept.sum() for lam in (1e-4, 0.01, 1.0, 10.0)]
    assert all(a > b for a, b in pairwise(sums)) and sums[0] < 10
    found = state(four_views, lam=1.0)
    K = np.exp(-((found.X[:, None] - found.X) ** 2) / (2 * 0.8**2))
    assert np.isclose(found.kept.sum(), np.trace(K @ np.linalg.inv(K + np.eye(10))))


def test_a_cubic_kernel_has_four_directions():
    found = state(four_views, family="polynomial", chosen=5)
    assert np.sum(found.kappa > 0) == 4 and np.abs(found.part).max() == 0
    assert four_views.readout(found)["chosen eigenvalue"] == "0" and found.turns is None


def test_large_lambda_keeps_the_broad_shapes():
    """κ/(κ + λ) falls with κ, and a larger λ takes more from the small ones."""
    small, large = state(four_views, lam=0.1).kept, state(four_views, lam=10.0).kept
    assert (np.diff(small) <= 0).all() and (np.diff(large / small) <= 1e-12).all()


def test_narrow_bumps_keep_every_direction():
    """What the question asks."""
    narrow = state(four_views, **four_views.scenes[four_views.question.scene])
    assert round(state(four_views).kept.sum(), 1) == 6.3 and 9 < narrow.kept.sum() < 10 / 1.1


def test_eigenvectors_turn_more_often_the_smaller_their_eigenvalue():
    assert [state(four_views, chosen=i).turns for i in (1, 2, 3)] == [0, 1, 2]


def test_a_click_on_a_bar_chooses_its_eigenvector():
    panel = four_views()
    place = panel.canvas.to_pixels("spectrum", [(4.0, 0.5)])[0] / (700, 380)
    drag(panel, id=1, x0=place[0], y0=place[1], x=place[0], y=place[1], done=True)
    assert panel.values["chosen"] == 4


def test_a_function_of_any_size_is_shown():
    panel = break_it()
    panel.set(candidate="your own", own="-1e13*abs(x - z)")
    assert panel.state.refuted and not panel.error.value
    assert axes_of(break_it, panel.state)["terms"].y.high >= 1e13


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("family", ["gaussian", "polynomial", "linear"])
def test_ten_points_in_one_place_are_shown(family):
    found = state(four_views, family=family, points=((0.0, 1.0),) * 10, lam=1e-4, chosen=10)
    assert np.isfinite(found.K).all() and np.isfinite(found.h).all()
    assert found.kappa[-1] == 0


# ---- spectra ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("values", "is_kernel"),
    [
        *(({"p": p}, p <= 2) for p in (1.0, 1.25, 1.5, 1.75, 2.0, 2.25, 2.5, 3.0, 4.0)),
        *(({"p": p, "space": "plane"}, p <= 2) for p in (1.0, 2.0, 2.25, 4.0)),
        ({"function": "triangle, max(0, 1 − r)"}, True),
        ({"function": "triangle, max(0, 1 − r)", "space": "plane"}, False),
        ({"function": "box, 1 where r < 1"}, False),
        ({"function": "Epanechnikov, max(0, 1 − r²)"}, False),
        ({"function": "wave × bell"}, True),
        ({"function": "wave × bell", "space": "plane"}, False),
        ({"function": "Matérn, ν = 3/2", "space": "plane"}, True),
    ],
)
@pytest.mark.parametrize("sigma", [0.5, 1.0, 2.0])
def test_the_spectrum_tells_kernels_from_others(values, is_kernel, sigma):
    found = state(spectra, sigma=sigma, **values)
    assert found.refuted is not is_kernel


@pytest.mark.parametrize(
    ("function", "space"), [("triangle, max(0, 1 − r)", "plane"), ("Epanechnikov, max(0, 1 − r²)", "line")]
)
def test_stretching_does_not_change_how_deep_a_spectrum_goes(function, space):
    deepest = state(spectra, function=function, space=space, sigma=2.0).lowest
    for sigma in spectra.controls[2].start * np.linspace(0.5, 2, 31):
        found = state(spectra, function=function, space=space, sigma=sigma)
        assert found.lowest == pytest.approx(deepest, rel=0.02) or found.s[-1] == found.lowest, "at the end"


def test_the_spectrum_of_a_gaussian_is_a_gaussian():
    found = state(spectra, p=2.0, sigma=1.0)  # exp(−r²): ∫ cos(ωr) exp(−r²) dr ∝ exp(−ω²/4)
    assert np.allclose(found.s, np.exp(-(W**2) / 4), atol=1e-4)


# ---- break it --------------------------------------------------------------------------------------


@pytest.mark.parametrize("space", ["line", "plane"])
@pytest.mark.parametrize("candidate", [name for name in CANDIDATES if name != OWN])
def test_the_search_refutes_what_is_no_kernel_and_nothing_else(candidate, space):
    values = break_it.start() | {"candidate": candidate, "space": space}
    found = break_it.compute(**values | find(**values))
    assert found.refuted is not (candidate in ("exp(−‖x − z‖)", "(xᵀz + 1)²"))
    assert found.value == pytest.approx(found.v @ found.K @ found.v) and np.isclose(np.linalg.norm(found.v), 1)
    assert np.isclose(found.terms.sum(), found.value)


def test_three_in_a_row_refute_the_box():
    found = state(break_it, **break_it.scenes["Three in a row"])
    assert np.isclose(found.value, 1 - np.sqrt(2)) and found.refuted
    assert not state(break_it).refuted


@pytest.mark.parametrize(("own", "words"), [("x*z + 1)", "bracket"), ("x - z", "symmetric"), ("__import__('os')", "")])
def test_a_formula_that_is_none_is_said_in_words(own, words):
    found = state(break_it, candidate=OWN, own=own)
    assert words in break_it.message(found) and "nothing to test" in break_it.message(found)
    assert find(**break_it.start() | {"candidate": OWN, "own": own}) == {}


ODD = (
    "",
    " ",
    "x" * 10_000,
    "é",
    "😀",
    "\0",
    "$\\frac{$",
    "1/0",
    "1/(x-z)",
    "1/(x-z)+" * 24 + "1",
    "x[5]",
    "x**-5",
    "x**1000",
    "2x",
    "nan",
    "9**99*x*z",
    "((9**99)**99)*x*z",
    "exp(exp(exp(x*z + 9)))",
    "-10**(-60)",
    "max(x[0], z[0])",
    "xᵀz − 1",
    "‖x − z‖",
)


@pytest.mark.parametrize("space", ["line", "plane"])
@pytest.mark.parametrize("own", ODD, ids=[repr(text[:12]) for text in ODD])
def test_an_odd_formula_meets_one_short_sentence(own, space):
    for n in (1, 3, 6):
        values = {"candidate": OWN, "own": own, "space": space, "n": n}
        said = break_it.message(state(break_it, **values))
        assert len(said) <= 190 and "\n" not in said and not misprints(said)
        compile(break_it.code(**break_it.start() | values), "code", "exec")


def test_v_of_three_in_a_row_is_the_one_that_the_explanation_writes():
    np.testing.assert_allclose(state(break_it, "Three in a row").v, np.array([1, -np.sqrt(2), 1]) / 2, atol=1e-9)


@pytest.mark.parametrize("n", [1, 3, 6])
def test_the_sum_has_a_mark_and_a_name_also_where_it_is_zero(n):
    shown = state(break_it, n=n)
    (mark,), axis = marks_of(break_it, shown, "sum"), axes_of(break_it, shown)["terms"].x
    assert mark.y == pytest.approx(shown.terms.sum())
    assert axis.names[-1] == "sum" and mark.x == max(axis.ticks) == axis.ticks[-1]


def test_a_value_below_zero_is_never_told_as_zero():
    read = readout_of(break_it, candidate=OWN, own="-10**(-60)", n=1)
    assert (read[SMALLEST], read["these points refute k"]) == ("−1·10⁻⁶⁰", "yes")


@pytest.mark.parametrize("own", ["1e8*x[0]*z[0]", "1e9*(dot(x, z) + 1)**3", "1e12*exp(-norm(x - z)**2/50)"])
def test_rounding_below_zero_is_told_as_zero(own):
    for n in range(2, 7):
        found = state(break_it, candidate=OWN, own=own, n=n)
        assert not found.refuted and "−" not in break_it.readout(found)[SMALLEST]


@pytest.mark.filterwarnings("error")
def test_the_name_of_an_odd_formula_is_drawn_as_it_is():
    panel = break_it()
    for own in ("$\\frac{$", "$x$", "\0", "x*z"):
        panel.set(candidate=OWN, own=own)
    (name,) = marks_of(break_it, panel.state, "name")
    assert name.words == "k(x, z) = x*z?"


def test_the_button_puts_the_points_where_the_search_found_them():
    panel = break_it()
    (button,) = panel.acts
    button.click()
    assert panel.values["n"] == 3 and panel.state.refuted


@pytest.mark.parametrize("own", ["(x - z)**2 < 0.0001", "exp(-30000*abs(x - z)**3)", "cos(50*(x - z)) - 0.01"])
def test_what_the_button_finds_close_together_still_refutes_in_the_panel(own):
    panel = break_it()
    panel.set(candidate=OWN, own=own)
    panel.acts[0].click()
    assert panel.state.refuted
    assert not any(str(x) == "-0.0" for point in panel.values["points"] for x in point)


@pytest.mark.parametrize(
    ("own", "n", "value"),
    [
        ("1e-9*x*z", 1, 1e-9),
        ("1e-10", 1, 1e-10),  # small, but no rounding is in it
        ("-1e-10", 2, -2e-10),
        ("1e-10", 2, 0),
        ("1e9*(dot(x, z) + 1)**3", 6, 0),  # its rounding may be above 0.000001
        ("0.001*exp(-norm(x - z))", 2, 0.001 * (1 - np.exp(-1.2))),
    ],
)
def test_a_small_value_is_told_and_a_0_with_rounding_is_0(own, n, value):
    """Of the numbers −1, 0.2, 1.1, …: K of rank 1 and of n points has the eigenvalue 0, and so on, by hand."""
    read = readout_of(break_it, candidate=OWN, own=own, n=n)
    assert number(read[SMALLEST]) == pytest.approx(value, rel=0.05, abs=1e-300)
    assert read["these points refute k"] == ("yes" if value < 0 else "no")


@pytest.mark.parametrize("n", [2, 3, 6])
@pytest.mark.parametrize("own", ["x - z", "(x - z)*max(0, abs(x - z) - 2)"])
def test_the_two_points_that_a_formula_treats_unequally_are_those_of_the_picture(own, n):
    """Counted from 1: f at the two places that the sentence names is what it says, if it says so."""
    values = {"candidate": OWN, "own": own, "n": n}
    x = np.array(break_it.start()["points"])[:n, 0]
    said = break_it.message(state(break_it, **values)).replace("−", "-")
    f = x[:, None] - x if own == "x - z" else (x[:, None] - x) * np.maximum(0, np.abs(x[:, None] - x) - 2)
    if not f.any():
        assert "symmetric" not in said
        return
    there, back, i, j = re.search(r"f\(x, z\) = (\S+) and f\(z, x\) = (\S+) for points (\d) and (\d)\.", said).groups()
    assert float(there) == pytest.approx(f[int(i) - 1, int(j) - 1]) == pytest.approx(-float(back))
