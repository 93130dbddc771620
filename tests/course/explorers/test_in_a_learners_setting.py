"""Sentences of panels in settings that a learner may choose: what they say there is computed once more."""

import re

import numpy as np
import pytest
from panels import explorers, said_by, state_of
from sklearn.decomposition import PCA
from sklearn.linear_model import Ridge
from sklearn.metrics.pairwise import rbf_kernel

from kernelkit.course.explorers.start_here.paint import LAM
from kernelkit.course.panel.numbers import fixed

PANELS = explorers()


def numbers_in(said, pattern):
    """The numbers that a sentence says."""
    return [float(number.replace("−", "-")) for number in re.search(pattern, said).groups()]


@pytest.mark.parametrize("number", range(1, 31))
@pytest.mark.parametrize("strategy", ["upper confidence bound", "largest uncertainty"])
def test_the_holes_of_a_game_promise_the_best_place_or_mislead(number, strategy):
    """A promise: what the model expects there, and two standard deviations, are above what was found."""
    from kernelkit.course.explorers.finding_gold.gold_rush import ghost_of, written

    gold = PANELS["finding_gold.gold_rush"]
    title = state_of(gold, ground="real", number=number, holes="").title
    holes = written(title, ghost_of("real", number, strategy).places)
    values = {"ground": "real", "number": number, "holes": holes}
    state, said = state_of(gold, **values), said_by(gold, **values)
    best, found = int(state.truth.argmax()), state.values.max()
    mean, std = state.mean[best], state.std[best]
    assert state.over
    if best in state.places:
        assert "You drilled the richest place" in said
    elif std > 0.5:
        assert "your deviation is still" in said and ("no hole of yours" in said) is bool(std > 0.95)
    else:
        assert f"{fixed(mean)} ± {fixed(2 * std)}" in said
        assert ("misled you" in said) is bool(mean + 2 * std <= found)


@pytest.mark.parametrize("seed", range(10))
def test_two_runs_of_sixteen_points_part_only_at_a_tie(seed):
    """Where the runs in w and in a differ, the point lies on the boundary of the line before, up to rounding."""
    two = PANELS["kernel_perceptron.two_runs"]
    values = {"data": "16 points", "degree": 1, "order": "random", "seed": seed}
    state, said = state_of(two, **values), said_by(two, **values)
    if state.in_w == state.in_a:
        assert "the same points in the same order" in said and "rounding" not in said
        return
    from kernelkit import Monomials
    from kernelkit.course.explorers.data.perceptron_runs import mixed_data

    X, y = mixed_data("16 points")
    at = next(t for t, (i, j) in enumerate(zip(state.in_w, state.in_a, strict=False)) if i != j)
    h = y * (Monomials(1)(X) @ state.W[at])
    assert np.abs(h[[state.in_w[at], state.in_a[at]]]).min() < 1e-12
    assert f"the same up to number {at}." in said and "rounding decides" in said


@pytest.mark.parametrize(
    ("cloud", "lam", "words"),
    [
        ((3.0, 3.0), 1.0, "the line comes near the cloud only with the slope"),
        ((3.0, 3.0), 100.0, "the mean of the cloud, even with the slope"),
        ((0.0, 3.0), 100.0, "where a slope has no effect"),
        ((0.01, 3.0), 1.0, "where a slope has little effect"),
    ],
)
def test_where_a_line_with_a_penalised_bias_passes_is_said_as_it_is(cloud, lam, words):
    """At the mean of the cloud, where the line is by scikit-learn's ridge with a column of ones."""
    centring = PANELS["kernel_ridge.centring"]
    values = {"cloud": (cloud,), "lam": lam, "degree": 1}
    state, said = state_of(centring, **values), said_by(centring, **values)
    x = np.asarray(state.X).ravel()
    line = Ridge(lam, fit_intercept=False).fit(np.column_stack([x, np.ones(len(x))]), state.y).coef_
    missed = line @ [x.mean(), 1] - state.y.mean()
    assert words in said
    if "passes" in said:
        (told,) = numbers_in(said, r"passes ([\d.]+) ")
        assert told == pytest.approx(abs(missed), abs=0.006) and ("below" in said) is bool(missed < 0)
    else:
        assert abs(missed) <= 0.3


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"machines": 2, "n": 200, "D": 20, "deal": "random", "lost": 1}, "rows are left for 20 weights"),
        ({"machines": 8, "n": 20_000, "deal": "random", "lost": 3}, "the others have rows from everywhere"),
        ({"machines": 2, "n": 20_000, "D": 6, "deal": "random", "lost": 1}, "the other one has rows from everywhere"),
    ],
)
def test_why_a_lost_machine_is_missed(values, words):
    totals = PANELS["scaling_up.totals"]
    state, said = state_of(totals, **values), said_by(totals, **values)
    assert words in said and (state.missed > 0.2) is ("weights" in words)


@pytest.mark.parametrize("lam", [0.1, 100.0])
@pytest.mark.parametrize("n", [20, 120])
def test_dashed_lines_are_told_of_only_where_a_probability_reaches_90_percent(lam, n):
    boundaries = PANELS["kernel_logistic.boundaries"]
    values = {"data": "half_planes", "n": n, "lam": lam, "degree": 2, "sigma": 1.0}
    sure = max((1 / (1 + np.exp(-np.abs(H)))).max() for H in state_of(boundaries, **values).H) >= 0.9
    assert ("the dashed lines mark" in said_by(boundaries, **values)) is bool(sure)


def test_two_points_that_a_formula_treats_unequally_are_counted_from_1():
    said = said_by(PANELS["valid_kernels.break_it"], candidate="your own", own="x - z", n=2, space="line")
    assert "points 1 and 2" in said and "nothing to test" in said


@pytest.mark.parametrize("sigma", [0.2, 0.7, 1.5])
def test_no_centre_is_above_the_highest_place_of_the_surface(sigma):
    landscape = PANELS["gaussian_kernel.landscape"]
    points = ((-1.35, 1.15), (1.4, 1.2), (1.3, -1.2), (-1.2, -1.3))
    state, said = state_of(landscape, points=points, sigma=sigma), said_by(landscape, points=points, sigma=sigma)
    (highest,), (lowest,) = (
        numbers_in(said, r"highest at .*? with ([−\d.]+) and"),
        numbers_in(said, r"lowest at .*? with ([−\d.]+)\. At"),
    )
    assert highest >= round(state.at_centres.max(), 2) and lowest <= round(state.at_centres.min(), 2)


def test_the_first_step_of_products_takes_a_single_feature():
    """A product may come only once its factors are in, and the sentence says so."""
    selection = PANELS["segmentation.selection"]
    state, said = state_of(selection, degree=2, step=0), said_by(selection, degree=2, step=0)
    taken = set()
    for step in state.run:
        if len(step.term) == 2:
            assert {(i,) for i in step.term} <= taken
        taken.add(tuple(step.term))
    assert "once its factors are in" in said and "factors" not in said_by(selection, degree=1, step=0)


@pytest.mark.parametrize("second", [2, 3, 4])
def test_a_component_that_is_not_there_draws_a_line(second):
    components = PANELS["pca_and_density.components"]
    state, said = state_of(components, second=second), said_by(components, second=second)
    flat = np.allclose(state.along[:, 1], 0, atol=1e-9)
    assert flat is (second > PCA().fit(state.X).n_components_) and ("no component" in said) is flat


@pytest.mark.parametrize("noise", [0.0, 0.2])
@pytest.mark.parametrize("count", [16, 64, 199])
def test_without_noise_it_is_said_who_gives_the_picture_back(noise, count):
    denoising = PANELS["pca_and_density.denoising"]
    said = said_by(denoising, noise=noise, count=count, sigma=10.0)
    straight, curved = numbers_in(said, r"linear PCA leaves ([\d.]+) and .* leaves ([\d.]+),")
    assert ("both give the picture back" in said) is (noise == straight == curved == 0)
    assert ("although there was no noise" in said) is (noise == 0 and min(straight, curved) > 0)


def test_twins_choose_the_narrowest_bump_there_is():
    """The bump of a twin grows without limit as σ goes to 0, so leave-one-out has no best σ."""
    density = PANELS["pca_and_density.density"]
    said = said_by(density, points=((1.0, 1.0),) * 12, without=True)
    assert "as small as it can be" in said and "another beside it" in said
    assert "as small as it can be" not in said_by(density, without=True)


def test_the_written_numbers_of_the_identity_agree_or_differ_by_what_is_said():
    identity, rng = PANELS["kernel_trick.identity"], np.random.default_rng(0)
    for _ in range(300):
        points = tuple(map(tuple, np.round(rng.uniform(-2, 2, (2, 2)) / 0.025) * 0.025))
        degree = int(rng.integers(1, 4))
        total, value = numbers_in(
            said_by(identity, points=points, degree=degree, family="polynomial"),
            r"add up to ([−\d.]+), and the kernel gives ([−\d.]+) ",
        )
        assert total == value
        said = said_by(identity, points=points, degree=degree, family="gaussian")
        total, value = numbers_in(said, r"add up to ([−\d.]+), .* gives ([−\d.]+),")
        if total == value:
            assert "does not show in four decimals" in said
        else:
            (off,) = numbers_in(said, r"so (?:the sum is still off by )?([\d.]+)(?: is still missing)?\.$")
            assert off == pytest.approx(abs(value - total), abs=1e-9) and ("missing" in said) is (value > total)


def test_an_eigenvalue_that_the_fit_keeps_is_not_called_0():
    """Ten points at the two ends: the fourth eigenvalue of degree 6 is 10 000 000 000 times smaller than the first."""
    views = PANELS["valid_kernels.four_views"]
    points = tuple(
        zip((2.96, 2.97, 2.94, 2.99, 3.0, 2.99, 2.99, 3.0, 2.99, -2.69), np.linspace(-1, 1, 10), strict=True)
    )
    values = {"family": "polynomial", "degree": 6, "lam": 1e-4, "points": points}
    state, said = state_of(views, **values, chosen=4), said_by(views, **values, chosen=4)
    X = np.sort([x for x, _ in points])
    kappa = (
        np.linalg.svd(np.stack([X**j for j in range(7)], 1) * np.sqrt([1, 6, 15, 20, 15, 6, 1]), compute_uv=False) ** 2
    )
    assert state.kappa[3] == pytest.approx(kappa[3], rel=1e-3) and kappa[3] < 1e-9 * kappa[0]
    assert "keeps more than half" in said and "rounding" not in said


@pytest.mark.parametrize(
    ("kind", "x", "z"),
    [("chains", "0.001 0.001", "0.999 0.999"), ("chains", "0.001 0.5", "0.999 0.5"), ("bags", "0.001 -0.001", "0.001")],
)
def test_no_more_entries_are_in_both_than_in_either(kind, x, z):
    common = PANELS["structures.common_parts"]
    said = said_by(common, kind=kind, **{f"{kind}_x": x, f"{kind}_z": z})
    own, its, both = numbers_in(said, r"(\d+) in Φ\(x\), (\d+) in Φ\(z\), (\d+) in both")
    assert both <= min(own, its)


def test_pairs_at_equal_times_are_no_reason_for_a_difference():
    alignment = PANELS["structures.alignment"]
    knots = [(0, 2.6), (0.25, 2.0), (0.5, 1.5), (0.75, 2.0), (1, 2.6)]
    knots += [(0, -2.6), (0.25, -1.9), (0.5, -1.6), (0.75, -1.9), (1, -2.6)]
    values = {"n": 8, "m": 8, "sigma": 0.15, "knots": tuple(knots)}
    state, said = state_of(alignment, **values), said_by(alignment, **values)
    assert np.trace(state.P) > 0.999 * state.P.sum()
    assert "nearly all pairs are at equal times" in said and "different times" not in said


@pytest.mark.parametrize(
    ("values", "small"),
    [
        ({}, False),
        ({"sigma": 0.3, "C": 0.501187, "points": ((1.0, 2.5, -1),)}, True),  # no line at all
        ({"sigma": 0.5, "C": 0.3, "points": ((-2.5, 2.9, 1),)}, True),  # some lines, and one ring without
        ({"sigma": 0.5, "C": 10.0}, True),  # a line that is hidden inside its ring
    ],
)
def test_a_ring_without_a_line_is_told_of(values, small):
    """Every dotted ring has h = ±1; where no line of the picture comes near it, the sentence says why."""
    three = PANELS["support_vector_machine.three_kernels"]
    assert ("too small to see" in said_by(three, **values)) is small
    assert "h is ±1 at every ring with a dot" in said_by(three, **values, level=0.5)


def test_a_gap_that_is_written_as_before_is_not_said_to_move():
    smo, seen = PANELS["support_vector_machine.smo"], set()
    for C in (0.398107, 1.0, 1.58489, 7.94328):
        for sigma in (0.5, 0.8, 1.5, 2.5):
            for step in range(1, 16):
                said = said_by(smo, data="sixteen", C=C, sigma=sigma, step=step)
                if moved := re.search(r"(?:shrinks|grows) from (\S+) to (\S+?)[.,](?: |$)", said):
                    assert moved[1] != moved[2], said
                if clipped := re.search(r"by (\S+)\. The best move would be (\S+),", said):
                    assert clipped[1] != clipped[2], said
                seen |= set(re.findall("hardly changes|shrinks|grows", said))
    assert seen == {"hardly changes", "shrinks", "grows"}


@pytest.mark.parametrize("d", [1.0, 100.0, 113.0, 127.0])
def test_degree_0_has_one_feature_and_degree_1_as_many_times_as_it_has(d):
    growth = PANELS["feature_maps.growth"]
    said = said_by(growth, d=d, p=1)
    D, times = numbers_in(said, r"= (\d+) features, (\d+) times as many as at degree 0")
    assert D == times == d + 1


@pytest.mark.parametrize("points", [((0.0, 0.0, 1), (0.05, 0.0, -1)), ((0.0, 0.0, 1), (2.0, 0.0, -1))])
def test_where_the_sign_means_little_h_is_almost_0(points):
    """Two tall bumps of opposite sign cancel each other, so it is h that is low there, and not the bumps."""
    paint = PANELS["start_here.paint"]
    state, said = state_of(paint, points=points, sigma=1.5), said_by(paint, points=points, sigma=1.5)
    near = points[1][0] == 0.05
    assert ("means little" in said) is near
    if near:
        (share,) = numbers_in(said, r"on (\d+)\s%")
        assert share == pytest.approx(100 * np.mean(np.abs(state.H) < 0.05), abs=1.5) and "h is almost 0" in said
        X = np.array([point[:2] for point in points])
        assert np.abs(np.linalg.solve(rbf_kernel(X, gamma=1 / 4.5) + LAM * np.eye(2), [1, -1])).min() > 0.5


def test_a_coincident_pair_does_not_explain_what_a_wide_bump_spoils():
    paint = PANELS["start_here.paint"]
    x = paint.start()["points"][0]
    values = {"sigma": 1.3, "points": (*paint.start()["points"], (x[0], x[1], -x[2]))}
    state, said = state_of(paint, **values), said_by(paint, **values)
    assert state.wrong.sum() > 1 and "near others the boundary cannot bend" in said
    assert "no width can separate them" in said_by(paint, **values | {"sigma": 0.45})


@pytest.mark.parametrize(
    ("first", "inputs", "different", "independent"),
    [("line", 1, 1, 1), ("polynomial", 1, 3, 3), ("line", 2, 4, 2), ("polynomial", 2, 8, 6)],
)
def test_dependent_features_give_eigenvalues_of_0(first, inputs, different, independent):
    """Counted by hand: with A next to xᵀz in two inputs, for example, there are four features of two directions."""
    algebra = PANELS["valid_kernels.algebra"]
    values = {"inputs": inputs, "first": first, "second": "A"}
    said = said_by(algebra, **values)
    assert said.endswith(f"K has {independent} eigenvalue{'s' * (independent > 1)} above 0.")
    assert (f"All are combinations of {independent} of them" in said) is (independent < different)
    assert (state_of(algebra, **values).kappa > 1e-13).sum() == independent
