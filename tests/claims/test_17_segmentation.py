"""Notebook 17 writes its algorithms in cells and says that kernelkit finds the same poses, terms and weights."""

from itertools import combinations, combinations_with_replacement, product
from math import comb

import numpy as np
import pytest
from counted import Counted, products_of
from matplotlib.colors import to_rgb
from notebook_cells import FOLDER, cells as cells_of, defined_by, space_of

from kernelkit import Gaussian, Monomials
from kernelkit.course.explorers.data import hospital
from kernelkit.images.filters import convolve, gaussian
from kernelkit.images.phantom import BRIGHTNESS, CHANNELS, TISSUES, patient
from kernelkit.images.segmentation import Segmenter, Template, find_pose, head_mask, pixel_features, some_pixels
from kernelkit.study.terms import allowed, forward, lasso

NOTEBOOK = FOLDER / "17-segmentation.ipynb"


def source(name):
    (found,) = [cell.source for cell in cells_of(NOTEBOOK, "code") if cell.id == name]
    return found


@pytest.fixture(scope="module")
def cells():
    return defined_by("17-segmentation.ipynb", "c02", "c04", "c06", "c24", "c44", "c60")


@pytest.fixture(scope="module")
def pixels(cells):
    """44 features of 4800 pixels, scaled, and what they are: +1 in the tumour."""
    groups = ["intensities", "neighbourhood", "alignment", "symmetry"]
    X, y = some_pixels(cells["scans"][:12], cells["tumours"][:12], groups)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


@pytest.mark.parametrize("seed", [0, 1, 2, 103])
def test_the_long_axis_of_the_head_is_the_pose(seed, cells):
    mask = head_mask(patient(seed).channels)
    found = find_pose(mask)
    np.testing.assert_allclose(cells["pose"](mask), (found.row, found.column, found.angle, found.unit), rtol=1e-9)


def test_terms_chosen_one_by_one_are_those_of_forward(cells, pixels):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((50, 8))
    for Z, y in (pixels, (X - X.mean(axis=0), np.sign(X @ rng.standard_normal(8)))):
        assert cells["choose_terms"](Z, y, 6) == [step.term[0] for step in forward(Z, y, 6, degree=1)]


def test_coordinate_descent_is_lasso(cells, pixels):
    Z, y = pixels
    w = cells["coordinate_descent"](Z, y - y.mean(), 300)
    np.testing.assert_allclose(lasso(Z, y - y.mean(), 300, tol=1e-6), w, atol=1e-4)
    assert np.count_nonzero(w) == 6


# ---- what the text says of its tables ------------------------------------------------------------


@pytest.fixture(scope="module")
def near(cells):
    """Dice with one kind of coordinates next to the neighbourhood, learned from so many patients."""
    space = space_of("17-segmentation.ipynb", "place")

    def dice(name, count, pixels):
        placed = [space["with_place"](scan, space["places"][name]) for scan in space["scans"]]
        model = Segmenter(["intensities", "neighbourhood", "place"], pixels=pixels)
        model.fit(placed[:count], space["tumours"][:count])
        return model.score(placed[12:], space["tumours"][12:]).mean()

    return {
        (name, count): dice(name, count, pixels) for name in space["places"] for count, pixels in ((12, 400), (4, 100))
    }


def test_a_linear_model_needs_the_distance_and_squares_need_many_patients(near):
    none, pair, head, squares = "no coordinates", "u and v", "distance, in the head", "99 squares"
    assert near[pair, 12] < near[none, 12] + 0.02 and near[pair, 4] < near[none, 4] - 0.03
    assert near[head, 12] > near["distance, in the picture", 12] + 0.02 > near[none, 12] + 0.07
    assert near[squares, 12] > near[head, 12] + 0.01 and near[squares, 4] < near[head, 4] - 0.04


def test_the_first_three_terms_come_from_three_groups(cells, pixels):
    scan = cells["scans"][0]
    groups = [group for group in scan.groups if group != "coordinates"]
    found = [groups[j] for j in cells["choose_terms"](*pixels, 3)]
    assert found == ["symmetry", "neighbourhood", "alignment"]


def test_the_two_columns_of_the_text_lower_the_loss_as_it_says():
    Z, y = np.array([[1, 4], [1, 0], [0, 0], [0, 0]], float), np.array([1.0, 1, -1, -1])
    losses = [4 * next(forward(Z[:, [j]], y, most=1, degree=1)).loss for j in (0, 1)]
    np.testing.assert_allclose(losses, [0, 4 - 16 / 12], atol=1e-12)
    assert next(forward(Z, y, most=1, degree=1)).term == (0,)


def test_in_the_power_set_of_four_the_product_of_all_waits_for_fourteen():
    three = [(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]
    distinct = [term for term in allowed(three, d=4, degree=4) if len(set(term)) == len(term)]
    assert distinct == [(3,), (0, 1, 2)]
    parts = [term for size in (1, 2, 3) for term in combinations(range(4), size)]
    assert len(parts) == 14 and (0, 1, 2, 3) in allowed([(), *parts], d=4, degree=4)
    for part in parts:
        others = [term for term in parts if term != part]
        assert (0, 1, 2, 3) not in allowed([(), *others], d=4, degree=4) or len(part) < 3


def test_the_plane_and_the_curve_both_get_all_training_pixels_of_four_patients_right():
    every = tuple(hospital.GROUPS)
    X, y = hospital.sample(hospital.LEARNED[:4], hospital.PIXELS[4])
    assert (y > 0).sum() == 34
    for degree, lam, weights in ((1, 1.0, 47), (2, 0.01, 1128)):
        model = hospital.fitted(every, degree, lam, 4)
        outputs = model.feature_map_((X - model.mean_) / model.spread_) @ model.w_
        assert (outputs * y > 0).all() and len(model.w_) == weights


def test_the_curve_has_24_times_the_terms_of_the_plane():
    """Terms are listed as products of at most two features; the cell asks for four times the seconds."""
    every, scan = tuple(hospital.GROUPS), hospital.scan_of(hospital.OTHERS[3])
    plane, curve = (hospital.fitted(every, degree, 1.0, 12) for degree in (1, 2))
    features = scan.of(every).shape[1]
    listed = [len([*combinations_with_replacement(range(features + 1), degree)]) for degree in (1, 2)]
    assert [len(plane.w_), len(curve.w_)] == listed == [47, 1128]


# ---- the small cases of the text -----------------------------------------------------------------


def found_in_channels(cells, names):
    """Mean Dice on the ten patients held out, for a plane in these channels alone."""
    kept = [CHANNELS.index(name) for name in names]
    few = [
        s._replace(groups=["kept" if j in kept else "left out" for j in range(len(s.groups))]) for s in cells["scans"]
    ]
    model = Segmenter(["kept"]).fit(few[:12], cells["tumours"][:12])
    return model.score(few[12:], cells["tumours"][12:]).mean()


def test_one_channel_is_not_enough(cells):
    brightness = {name: dict(zip(TISSUES, row, strict=True)) for name, row in zip(CHANNELS, BRIGHTNESS, strict=True)}
    flair, contrast = brightness["FLAIR"], brightness["T1 with contrast"]
    assert (flair["core"], flair["grey matter"], flair["white matter"]) == (0.72, 0.60, 0.47)
    assert (contrast["core"], contrast["white matter"], contrast["grey matter"]) == (0.86, 0.77, 0.52)
    dice = [found_in_channels(cells, names) for names in (["FLAIR"], CHANNELS)]
    np.testing.assert_allclose(dice, [0.43, 0.53], atol=0.005)


def test_a_square_says_between():
    t2 = dict(zip(TISSUES, BRIGHTNESS[CHANNELS.index("T2")], strict=True))
    a = np.array([t2[name] for name in ("oedema", "core", "grey matter", "fluid")])
    np.testing.assert_allclose(a, [0.74, 0.72, 0.60, 0.95])
    assert ((a - 0.65) * (0.85 - a) > 0).tolist() == [True, True, False, False]


def test_without_look_alikes_a_plane_in_brightness_finds_far_more(cells):
    people = [patient(seed, look_alikes=()) for seed in [*range(12), *range(100, 110)]]
    scans, tumours = [pixel_features(p.channels, ["intensities"]) for p in people], [p.tumour for p in people]
    found = [
        Segmenter(["intensities"], **more).fit(scans[:12], tumours[:12]).score(scans[12:], tumours[12:]).mean()
        for more in ({}, {"kernel": Gaussian(1.0), "landmarks": 200})
    ]
    np.testing.assert_allclose(found, [0.83, 0.85], atol=0.005)


@pytest.mark.parametrize(("count", "degree", "terms"), [(4, 2, 15), (4, 3, 35), (46, 2, 1128)])
def test_the_terms_are_counted_by_choosing_out_of_features_and_degree(count, degree, terms):
    assert Monomials(degree)(np.ones((1, count))).shape[1] == comb(count + degree, degree) == terms


def test_the_distance_from_the_middle_does_not_depend_on_the_angle():
    right, above = 0, 51
    for degrees, place in ((16, (0.28, 0.96)), (0, (0, 1))):
        cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        at = (right * cos + above * sin) / 51, (above * cos - right * sin) / 51
        np.testing.assert_allclose(at, place, atol=0.005)
        np.testing.assert_allclose(np.hypot(*at), 1)


@pytest.mark.parametrize(("left", "share"), [(-0.1, 0.5), (0.1, 1.0)])
def test_a_tumour_on_the_midline_hides_from_symmetry(left, share):
    u = (np.arange(-500, 500) + 0.5) / 1000
    tumour = (left < u) & (u < left + 0.4)
    c = np.where(tumour, 0.8, 0.5)
    side = c - c[::-1]
    assert np.isclose((side[tumour] > 0.29).mean(), share) and np.isclose((side[tumour] == 0).mean(), 1 - share)


def test_l2_divides_l1_moves_and_selection_keeps():
    Phi, t = np.linalg.qr(np.random.default_rng(0).standard_normal((9, 4)))[0][:, :3], np.array([2, 0.6, -1.5])
    y = Phi @ t
    np.testing.assert_allclose(np.linalg.solve(Phi.T @ Phi + np.eye(3), Phi.T @ y), [1, 0.3, -0.75])
    np.testing.assert_allclose(lasso(Phi, y, 1, tol=1e-9), [1, 0, -0.5], atol=1e-8)
    kept = [int(j) for j in np.argsort(-np.abs(t))[:2]]
    losses = {two: np.linalg.norm(y - Phi[:, two] @ t[list(two)]) for two in combinations(range(3), 2)}
    assert kept == [0, 2] and min(losses, key=losses.get) == (0, 2)


# ---- priors as features ----------------------------------------------------------------------------


def test_a_prior_is_the_share_of_patients_and_its_blur_is_a_feature_of_each_pixel(cells):
    people, p = cells["people"][:2], cells["people"][-1]
    both, single = Template.of(people), [Template.of([one]) for one in people]
    np.testing.assert_allclose(both.grey, (single[0].grey + single[1].grey) / 2, atol=1e-12)
    np.testing.assert_allclose(both.brain, (single[0].brain + single[1].brain) / 2, atol=1e-12)
    assert np.isin(single[0].brain.round(2), (0, 1)).mean() > 0.9, "but for what lies between two pixels"
    scan = pixel_features(p.channels, ["alignment", "atlas"], both)
    column = dict(zip(scan.names, scan.X.T, strict=True))
    *_, grey, brain = both.pictures_at(*find_pose(scan.mask).to_head(*np.indices(scan.mask.shape)))
    np.testing.assert_allclose(column["prior of grey matter"], grey[scan.mask], atol=1e-12)
    for sigma in (1, 2, 4):
        for name, picture in (("grey matter", grey), ("brain", brain)):
            blurred = convolve(picture, gaussian(sigma))[scan.mask]
            np.testing.assert_allclose(column[f"prior of {name}, mean of σ = {sigma}"], blurred, atol=1e-12)


# ---- what forward selection costs ------------------------------------------------------------------


def search(n, candidates, most):
    """Forward selection by ten of Newton's steps for each candidate: every entry of every ΦᵀΦ, number by number."""
    left = set(range(candidates))
    for k in range(most):
        for _ in left:
            Phi = [[Counted(1.0)] * n] * (k + 2)  # the constant, k chosen terms and the candidate
            for _ in range(10):
                for u, v in product(Phi, repeat=2):
                    sum((a * b for a, b in zip(u, v, strict=True)), Counted(0.0))
        left.pop()


@pytest.fixture(scope="module")
def multiplications():
    space = {}
    exec(source("cost-count").partition("\nprint(")[0], space)
    return space["multiplications"]


@pytest.mark.parametrize(("n", "candidates", "most"), [(3, 4, 3), (7, 5, 2), (2, 9, 4)])
def test_the_cell_counts_the_products_of_a_search(n, candidates, most, multiplications):
    assert multiplications(n, candidates, most) == products_of(search, n, candidates, most)


def test_a_search_in_eight_million_examples_is_slow(multiplications):
    terms = [term for size in (1, 2) for term in combinations_with_replacement(range(72), size)]
    assert len(terms) == 2700 and 200**3 == 8_000_000
    assert [sum(range(count, count - 12, -1)) for count in (72, 2700)] == [798, 32_334]
    hours = {(n, c): multiplications(n * 200**3, c) / 1e10 / 3600 for n in (1, 20) for c in (72, len(terms))}
    assert [round(hours[key], 1) for key in ((1, 72), (20, 72), (1, 2700), (20, 2700))] == [0.1, 2.3, 4.9, 97.9]
    assert multiplications(4800, 72) / 1e10 < 10, "our pixels take seconds"
    assert [round(8 * n * c / 1e9, 1) for n, c in ((200**3, 72), (20 * 200**3, 2700))] == [4.6, 3456.0]


# ---- the hierarchy of products ---------------------------------------------------------------------


def parts_of(term):
    return {term[:i] + term[i + 1 :] for i in range(len(term))}


@pytest.mark.parametrize(("factors", "by_size"), [(3, [1, 3, 3, 1]), (4, [1, 4, 6, 4, 1])])
def test_the_power_set_has_two_to_the_factors_terms_and_the_rule_lets_in_each_after_its_parts(factors, by_size):
    """Level by level, and a term is let in exactly when all of its parts are there: tried for every set of terms."""
    subsets = [term for size in range(factors + 1) for term in combinations(range(factors), size)]
    assert [sum(len(term) == size for term in subsets) for size in range(factors + 1)] == by_size
    assert len(subsets) == 2**factors
    chosen = [()]
    for size in range(1, factors + 1):
        found = {term for term in allowed(chosen, factors, factors) if len({*term}) == len(term)}
        assert found == {term for term in subsets if len(term) == size}
        chosen += sorted(found)
    rng = np.random.default_rng(factors)
    for _ in range(100):
        some = [(), *(term for term in subsets[1:] if rng.random() < 0.6)]
        found = {term for term in allowed(some, factors, factors) if len({*term}) == len(term)}
        assert found == {term for term in subsets if term not in some and parts_of(term) <= {*some}}


def test_the_picture_of_the_power_set_has_each_box_in_its_colour_and_each_line_to_a_part(cells):
    space = {"plots": cells["plots"]}
    exec(source("hierarchy-picture"), space)
    chosen, boxes, plots = {*space["chosen"]}, {}, space["plots"]
    for box in space["ax"].texts:
        digits = "" if box.get_text() == "constant" else box.get_text()
        boxes[tuple(int(digit) - 1 for digit in digits)] = box
    assert len(boxes) == 2**4
    for term, box in boxes.items():
        hue = plots.GREEN if term in chosen else plots.PURPLE if parts_of(term) <= chosen else plots.GREY
        assert box.get_bbox_patch().get_edgecolor()[:3] == to_rgb(hue), term
    at = {box.get_position(): term for term, box in boxes.items()}
    joined = [tuple(at[place] for place in zip(*line.get_data(), strict=True)) for line in space["ax"].lines]
    assert sorted(joined) == sorted((part, term) for term in boxes for part in parts_of(term))


def test_the_rule_tries_few_terms_however_many_factors_there_may_be(cells, pixels):
    Z, y = pixels
    tried = []
    for degree, every in ((2, 1034), (3, 16_214), (4, 194_579)):
        counted = sum(comb(44 + size - 1, size) for size in range(1, degree + 1))  # with powers, size by size
        assert counted == every
        steps, seen = list(forward(Z, y, 12, degree)), {()}
        for step in steps:
            assert parts_of(step.term) <= seen
            seen.add(step.term)
        tried.append(sum(step.tried for step in steps))
        assert tried[-1] < sum(every - k for k in range(12)) / 20
    assert tried == sorted(tried) and tried[-1] < 600 and len(step.term) == 4


def test_a_group_holds_a_subset_and_its_descendants_and_without_it_the_rule_is_kept():
    """The group of 12 in the power set of four; whatever groups are 0, what is left has all its parts."""
    subsets = [term for size in range(5) for term in combinations(range(4), size)]
    group = {term: {other for other in subsets if {*term} <= {*other}} for term in subsets}
    assert group[0, 1] == {(0, 1), (0, 1, 2), (0, 1, 3), (0, 1, 2, 3)}
    rng = np.random.default_rng(0)
    for _ in range(100):
        zero = [term for term in subsets[1:] if rng.random() < 0.2]
        left = set(subsets).difference(*(group[term] for term in zero))
        assert all(parts_of(term) <= left for term in left)
