"""Numbers that notebook 17 says and no cell prints, each computed once."""

from itertools import combinations
from math import comb

import numpy as np
import pytest
from notebook_cells import defined_by

from kernelkit import Gaussian, Monomials
from kernelkit.images.phantom import BRIGHTNESS, CHANNELS, TISSUES, patient
from kernelkit.images.segmentation import Segmenter, pixel_features
from kernelkit.study.terms import allowed, forward, lasso

PEOPLE = [*range(12), *range(100, 110)]  # twelve to learn from, ten others


def found_in(channels, kernels=({},), **more):
    """Mean Dice on the ten patients held out, of models of the brightness in these channels alone."""
    people = [patient(seed, **more) for seed in PEOPLE]
    scans = [pixel_features(person.channels, ["intensities"]) for person in people]
    kept = ["kept" if name in channels else "left out" for name in CHANNELS]
    scans, tumours = [scan._replace(groups=kept) for scan in scans], [person.tumour for person in people]
    models = [Segmenter(["kept"], **settings).fit(scans[:12], tumours[:12]) for settings in kernels]
    return [model.score(scans[12:], tumours[12:]).mean() for model in models]


# ---- brightness ----------------------------------------------------------------------------------------


def test_one_channel_is_not_enough():
    of = {channel: dict(zip(TISSUES, row, strict=True)) for channel, row in zip(CHANNELS, BRIGHTNESS, strict=True)}
    flair, contrast = of["FLAIR"], of["T1 with contrast"]
    assert (flair["core"], flair["grey matter"], flair["white matter"]) == (0.72, 0.60, 0.47)
    assert (contrast["core"], contrast["white matter"], contrast["grey matter"]) == (0.86, 0.77, 0.52)
    assert found_in(["FLAIR"]) == pytest.approx([0.43], abs=0.005)
    a = np.array([of["T2"][name] for name in ("oedema", "core", "grey matter", "fluid")])
    np.testing.assert_allclose(a, [0.74, 0.72, 0.60, 0.95])
    assert ((a - 0.65) * (0.85 - a) > 0).tolist() == [True, True, False, False], "a square says between"


def test_without_look_alikes_a_plane_in_brightness_finds_far_more():
    kernels = {}, {"kernel": Gaussian(1.0), "landmarks": 200}
    assert found_in(CHANNELS, kernels, look_alikes=()) == pytest.approx([0.83, 0.85], abs=0.005)


# ---- small cases ---------------------------------------------------------------------------------------


def test_terms_are_counted_by_choosing_out_of_features_and_degree():
    sizes = ((4, 2, 15), (4, 3, 35), (46, 2, 1128))
    assert all(comb(count + degree, degree) == Monomials(degree).dim(count) == D for count, degree, D in sizes)
    assert [comb(44 + degree, degree) - 1 for degree in (2, 3, 4)] == [1034, 16_214, 194_579]
    assert comb(72 + 2, 2) - 1 == 2700
    assert [sum(range(count, count - 12, -1)) for count in (72, 2700)] == [798, 32_334], "models of a search"


def test_the_distance_from_the_middle_does_not_depend_on_the_angle():
    for degrees, place in ((16, (0.28, 0.96)), (0, (0, 1))):
        at = np.sin(np.radians(degrees)), np.cos(np.radians(degrees))
        np.testing.assert_allclose(at, place, atol=0.005)
        assert np.hypot(*at) == pytest.approx(1)


@pytest.mark.parametrize(("left", "share"), [(-0.1, 0.5), (0.1, 1.0)])
def test_a_tumour_on_the_midline_hides_from_symmetry(left, share):
    u = (np.arange(-500, 500) + 0.5) / 1000
    tumour = (left < u) & (u < left + 0.4)
    c = np.where(tumour, 0.8, 0.5)
    side = c - c[::-1]
    assert ((side[tumour] > 0.29).mean(), (side[tumour] == 0).mean()) == pytest.approx((share, 1 - share))


def test_the_two_columns_of_the_text_lower_the_loss_as_it_says():
    Z, y = np.array([[1, 4], [1, 0], [0, 0], [0, 0]], float), np.array([1.0, 1, -1, -1])
    losses = [4 * next(forward(Z[:, [j]], y, most=1, degree=1)).loss for j in (0, 1)]
    np.testing.assert_allclose(losses, [0, 4 - 16 / 12], atol=1e-12)
    assert next(forward(Z, y, most=1, degree=1)).term == (0,)


def test_l2_divides_l1_moves_and_selection_keeps():
    Phi, t = np.linalg.qr(np.random.default_rng(0).standard_normal((9, 4)))[0][:, :3], np.array([2, 0.6, -1.5])
    y = Phi @ t
    np.testing.assert_allclose(np.linalg.solve(Phi.T @ Phi + np.eye(3), Phi.T @ y), [1, 0.3, -0.75])
    np.testing.assert_allclose(lasso(Phi, y, 1, tol=1e-9), [1, 0, -0.5], atol=1e-8)
    losses = {two: np.linalg.norm(y - Phi[:, two] @ t[list(two)]) for two in combinations(range(3), 2)}
    assert min(losses, key=losses.get) == (0, 2)


# ---- the hierarchy of products ---------------------------------------------------------------------------

SUBSETS = [term for size in range(5) for term in combinations(range(4), size)]


def distinct(chosen):
    """The terms without squares that the rule lets in after these."""
    return [term for term in allowed(chosen, d=4, degree=4) if len({*term}) == len(term)]


def parts_of(term):
    return {term[:i] + term[i + 1 :] for i in range(len(term))}


def test_in_the_power_set_of_four_a_term_is_let_in_exactly_when_all_of_its_parts_are_there():
    """So the product of all four waits for fourteen others. Tried for a hundred sets of terms."""
    assert distinct([(), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2)]) == [(3,), (0, 1, 2)]
    assert len(SUBSETS) == 2**4 and distinct(SUBSETS[:-1]) == [(0, 1, 2, 3)]
    rng = np.random.default_rng(4)
    for _ in range(100):
        some = [(), *(term for term in SUBSETS[1:] if rng.random() < 0.6)]
        assert {*distinct(some)} == {term for term in SUBSETS if term not in some and parts_of(term) <= {*some}}


def test_a_group_holds_a_subset_and_its_descendants_and_without_it_the_rule_is_kept():
    """The group of 12 in the power set of four; whatever groups are 0, what is left has all its parts."""
    group = {term: {other for other in SUBSETS if {*term} <= {*other}} for term in SUBSETS}
    assert group[0, 1] == {(0, 1), (0, 1, 2), (0, 1, 3), (0, 1, 2, 3)}
    rng = np.random.default_rng(0)
    for _ in range(100):
        zero = [term for term in SUBSETS[1:] if rng.random() < 0.2]
        left = {*SUBSETS}.difference(*(group[term] for term in zero))
        assert all(parts_of(term) <= left for term in left)


# ---- the notebook's own algorithms -----------------------------------------------------------------------


def test_terms_chosen_one_by_one_and_coordinate_descent_are_those_of_kernelkit():
    rng, own = np.random.default_rng(0), defined_by("17-segmentation.ipynb", "c44", "c60")
    X = rng.standard_normal((50, 8))
    Z, y = X - X.mean(axis=0), np.sign(X @ rng.standard_normal(8))
    assert own["choose_terms"](Z, y, 6) == [step.term[0] for step in forward(Z, y, 6, degree=1)]
    w = own["coordinate_descent"](Z, y - y.mean(), 8.0)
    np.testing.assert_allclose(lasso(Z, y - y.mean(), 8.0, tol=1e-6), w, atol=1e-4)
    assert 0 < np.count_nonzero(w) < 8
