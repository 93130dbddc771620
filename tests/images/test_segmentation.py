"""Theorems about features of pixels: what each adds to the segmentation of patients never seen."""

import time

import numpy as np
import pytest

from kernelkit import Gaussian, Monomials, PrimalLogistic
from kernelkit.course.explorers.data.hospital import taken as committed
from kernelkit.images.filters import convolve, gabor, gaussian, max_abs
from kernelkit.images.phantom import BRIGHTNESS, CHANNELS, GREY, OUTSIDE, SCALP, WHITE, patient
from kernelkit.images.segmentation import (
    BANK,
    GROUPS,
    MORE,
    Pose,
    Segmenter,
    Template,
    dice,
    find_pose,
    head_mask,
    logistic_weights,
    pixel_features,
    some_pixels,
)
from kernelkit.study.terms import columns, forward

BRIGHT, NEAR = GROUPS[:1], GROUPS[:2]
PLACED, BOTH = (*NEAR, "alignment"), (*NEAR, "alignment", "symmetry")


class Hospital:
    """Twelve patients to learn from and ten others."""

    def __init__(self, *look_alikes, groups=GROUPS):
        seeds = [*range(12), *range(100, 110)]
        self.patients = [patient(seed, look_alikes=look_alikes) for seed in seeds]
        self.template = Template.of(self.patients[:12])
        self.scans = [pixel_features(p.channels, groups, self.template) for p in self.patients]
        self.tumours = [p.tumour for p in self.patients]

    def fitted(self, groups, **settings):
        return Segmenter(groups, **settings).fit(self.scans[:12], self.tumours[:12])

    def dice(self, groups, part=slice(12, None), **settings):
        return self.fitted(groups, **settings).score(self.scans[part], self.tumours[part]).mean()


@pytest.fixture(scope="module")
def hospital():
    return Hospital("midline", "pair")


@pytest.fixture(scope="module")
def patients(hospital):
    return hospital.patients


@pytest.fixture(scope="module")
def wide():
    """The same patients with all features that there are."""
    return Hospital("midline", "pair", groups=(*GROUPS, *MORE))


@pytest.fixture(scope="module")
def found(hospital):
    """The mean Dice on the patients not learned from, for some groups of features."""
    return {groups: hospital.dice(groups) for groups in (BRIGHT, NEAR, (*NEAR, "coordinates"), PLACED, BOTH)}


# ---- the figures ------------------------------------------------------------------------------


def test_the_neighbourhood_adds_to_brightness_and_a_curve_in_brightness_does_not(found, hospital):
    assert 0.45 < found[BRIGHT] < 0.62
    assert found[NEAR] > found[BRIGHT] + 0.10 and found[NEAR] > 0.70
    curved = hospital.dice(BRIGHT, degree=3)
    assert 0 < curved - found[BRIGHT] < 0.08


def test_places_help_when_heads_are_aligned_and_not_before(found):
    assert found[PLACED] > found[NEAR] + 0.08 and found[PLACED] > 0.85
    assert found[*NEAR, "coordinates"] < found[NEAR] + 0.04


def test_the_other_side_adds_some_more_and_all_products_a_little(found, hospital):
    assert found[BOTH] > found[PLACED] + 0.01 and found[BOTH] > 0.90
    assert hospital.dice(BOTH, degree=2, lam=30.0, pixels=300) > found[BOTH] + 0.01


def test_more_features_beat_a_finer_classifier(found, hospital):
    finer = hospital.dice(BRIGHT, kernel=Gaussian(1.0), landmarks=200)
    assert finer < found[NEAR] - 0.10  # a line through neighbourhoods against any curve through brightness
    assert abs(hospital.dice(BOTH, kernel=Gaussian(6.0), landmarks=300) - found[BOTH]) < 0.03  # there it adds nothing


def test_a_blurred_template_helps_gabor_maxima_hardly_and_the_72_features_find_no_more_than_the_44(wide, found):
    assert wide.dice((*NEAR, "atlas")) > found[NEAR] + 0.08
    assert wide.dice((*NEAR, "gabor")) < found[NEAR] + 0.03
    for group in ("atlas", "gabor"):
        assert wide.dice((*BOTH, group)) < found[BOTH] + 0.01
    assert wide.dice(BANK) < found[BOTH]
    assert wide.dice(BANK, slice(12)) > wide.dice(BOTH, slice(12))  # but those learned from are fitted better


def test_more_pixels_of_the_same_patients_add_little(hospital, found):
    assert hospital.dice(BOTH, pixels=100) < found[BOTH] - 0.01
    assert hospital.dice(BOTH, pixels=2000) < found[BOTH] + 0.01


def test_all_products_overfit_a_few_patients(hospital):
    few, others = ((hospital.scans[part], hospital.tumours[part]) for part in (slice(4), slice(12, 17)))
    line, curve, held = (
        Segmenter(BOTH, degree=degree, lam=lam, pixels=100).fit(*few).score(*others)
        for degree, lam in ((1, 1.0), (2, 1e-3), (2, 30.0))
    )
    assert curve.mean() < line.mean() - 0.02  # 1035 weights for 400 pixels
    assert held.mean() > curve.mean() + 0.01  # and λ holds them


def test_twelve_terms_are_enough(hospital):
    X, y = some_pixels(hospital.scans[:12], hospital.tumours[:12], BOTH)
    mean, spread = X.mean(axis=0), X.std(axis=0)
    choices = list(forward((X - mean) / spread, y, most=12))
    last = choices[-1].terms
    w = logistic_weights(columns((X - mean) / spread, last), y, 1.0)
    others = zip(hospital.scans[12:], hospital.tumours[12:], strict=True)
    found = [dice(columns((p.of(BOTH) - mean) / spread, last) @ w > 0, t[p.mask]) for p, t in others]
    assert len(last) == 13 and np.mean(found) > 0.88
    assert sum(c.tried for c in choices) < 700  # of 1034 terms at every step without the hierarchy


@pytest.mark.parametrize(
    ("alike", "helped", "not_helped"), [("midline", "alignment", None), ("pair", "symmetry", "alignment")]
)
def test_each_structure_that_looks_alike_calls_for_its_own_feature(alike, helped, not_helped):
    hospital = Hospital(alike, groups=BOTH)

    def taken(groups):
        """The part of the healthy structure that is taken for tumour."""
        model, rest = hospital.fitted(groups), zip(hospital.scans[12:], hospital.patients[12:], strict=True)
        return np.mean([np.mean(model.probability(scan)[p.look_alike] > 0.5) for scan, p in rest])

    found = {groups: taken(groups) for groups in (NEAR, PLACED, (*NEAR, "symmetry"), BOTH)}
    assert found[(*NEAR, helped)] < 0.75 * found[NEAR]
    if not_helped:
        assert found[(*NEAR, not_helped)] > 0.9 * found[NEAR]
    named = {", ".join(groups[1:]): part for groups, part in found.items()}
    assert committed()[alike] == pytest.approx(named, abs=0.004)


def test_a_patient_is_segmented_in_half_a_second_and_in_no_time_from_kept_features(hospital):
    model, start = hospital.fitted(BOTH), time.process_time()
    for p in hospital.patients[12:15]:
        scan = pixel_features(p.channels, BOTH, hospital.template)
        model.probability(scan)
    middle = time.process_time()
    model.probability(scan)
    assert (middle - start) / 3 < 0.5 and time.process_time() - middle < 0.1


# ---- where a head lies ------------------------------------------------------------------------


def test_to_the_head_and_back():
    pose, rng = Pose(60.0, 70.0, 0.3, 50.0), np.random.default_rng(0)
    places = rng.uniform(0, 128, (2, 20))
    np.testing.assert_allclose(pose.to_picture(*pose.to_head(*places)), places, atol=1e-12)
    np.testing.assert_allclose(pose.to_head(60.0, 70.0), (0, 0))
    np.testing.assert_allclose(Pose(60.0, 70.0, np.pi / 2, 50.0).to_picture(0.0, 1.0), (60, 20), atol=1e-12)


@pytest.mark.parametrize("angle", [-0.6, 0.0, 0.25, 1.2])
def test_the_pose_of_an_ellipse_is_found(angle):
    true = Pose(61.0, 66.0, angle, 45.0)
    u, v = true.to_head(*np.mgrid[:128, :128])
    pose = find_pose(np.hypot(u / 0.8, v) <= 1)
    np.testing.assert_allclose([pose.row, pose.column, pose.unit], [61, 66, 45], atol=0.1)
    assert pose.angle == pytest.approx(angle, abs=0.01)


def test_the_mask_is_the_head(patients):
    for p in patients[:4]:
        assert dice(head_mask(p.channels), p.tissue > 0) > 0.97


def test_the_template_is_a_mean_head_and_grey_where_grey_matter_is(hospital):
    template = hospital.template
    assert template.channels.shape == (4, 96, 96) and 0 <= template.grey.min() < template.grey.max() <= 1
    p = hospital.patients[-1]
    mask = head_mask(p.channels)
    prior = template.at(*find_pose(mask).to_head(*np.nonzero(mask)))[-1]
    grey = p.tissue[mask] == GREY
    assert prior[grey].mean() > 2 * prior[~grey].mean()


def test_the_template_of_one_patient_is_this_patient(patients):
    p = patients[0]
    mask = head_mask(p.channels)
    found = Template.of([p]).at(*find_pose(mask).to_head(*np.nonzero(mask)))
    for x, true in zip(found, (*BRIGHTNESS[:, p.tissue[mask]], p.tissue[mask] == GREY), strict=True):
        assert np.corrcoef(x, true)[0, 1] > 0.75


# ---- features ---------------------------------------------------------------------------------


def test_features_have_names_and_are_what_they_say(hospital):
    p, (mask, X, names, groups) = hospital.patients[0], hospital.scans[0]
    assert X.shape == (mask.sum(), 46) and len(set(names)) == 46 and names[:4] == list(CHANNELS)
    assert [groups.count(group) for group in GROUPS] == [4, 24, 2, 8, 8]
    np.testing.assert_array_equal(hospital.scans[0].of(BRIGHT), X[:, :4])
    column = dict(zip(names, X.T, strict=True))
    np.testing.assert_array_equal(column["FLAIR"], p.channels[3][mask])
    np.testing.assert_allclose(column["T2, mean of σ = 2"], convolve(p.channels[2], gaussian(2))[mask], atol=1e-12)
    np.testing.assert_allclose(column["distance"], np.hypot(column["u"], column["v"]))
    np.testing.assert_array_equal(np.round(column["row"] * 128), np.nonzero(mask)[0])


def test_the_72_features_are_what_they_say(wide):
    p, scan = wide.patients[0], wide.scans[0]
    assert [scan.groups.count(group) for group in BANK] == [24, 24, 12, 12] and scan.of(BANK).shape[1] == 72
    column = dict(zip(scan.names, scan.X.T, strict=True))
    for wave, name in (("sine", "edges"), ("cosine", "bars")):
        z = max_abs([convolve(p.channels[2], gabor(2.0, 30 * i, wave=wave, stretch=2.0)) for i in range(6)])
        np.testing.assert_allclose(column[f"T2, {name} of σ = 2"], z[scan.mask], atol=1e-9)
    np.testing.assert_array_equal(
        scan.of(["symmetry"]), scan.of(["sides"])[:, [i % 3 > 0 for i in range(12)]]
    )  # σ = 2 and 4
    for name in ("template's T1", "prior of grey matter"):
        assert np.corrcoef(column[name], column[f"{name}, mean of σ = 1"])[0, 1] > 0.95


def test_the_probability_of_brain_is_1_inside_and_0_on_the_scalp(wide):
    p = wide.patients[-1]
    brain = wide.template.pictures_at(*find_pose(head_mask(p.channels)).to_head(*np.indices(p.tissue.shape)))[-1]
    assert 0 <= brain.min() < brain.max() <= 1
    assert brain[p.tissue == WHITE].mean() > 0.99
    assert brain[np.isin(p.tissue, (OUTSIDE, SCALP))].mean() < 0.01


def test_features_of_the_same_pixels_can_be_joined(hospital):
    p, scan = hospital.patients[0], hospital.scans[0]
    joined = pixel_features(p.channels, BRIGHT).joined(pixel_features(p.channels, ("symmetry",)))
    np.testing.assert_array_equal(joined.X, scan.of((*BRIGHT, "symmetry")))
    assert joined.names[:4] == list(CHANNELS) and joined.groups == ["intensities"] * 4 + ["symmetry"] * 8
    with pytest.raises(ValueError, match="different masks"):
        joined.joined(hospital.scans[1])


def test_on_a_mirrored_head_the_sides_do_not_differ():
    p = patient(1)
    half = p.channels[:, :, :64]
    x = np.concatenate([half, half[:, :, ::-1]], axis=2)
    scan = pixel_features(x, ("symmetry",))
    assert len(scan.names) == 8
    np.testing.assert_allclose(scan.X, 0, atol=1e-9)


def test_a_channel_that_says_nothing_changes_nothing(hospital):
    scans = [scan._replace(X=np.where(np.arange(46) == 2, 0.5, scan.X)) for scan in hospital.scans[:3]]
    model = Segmenter(BRIGHT).fit(scans, hospital.tumours[:3])
    assert np.isfinite(model.w_).all() and model.w_[3] == 0


def test_dice_of_sets():
    a, b = np.array([1, 1, 0, 0], bool), np.array([0, 1, 1, 0], bool)
    assert dice(a, b) == 0.5 and dice(a, a) == 1 and dice(a, ~a) == 0 and dice(a & ~a, b & ~b) == 1
    assert dice(a.tolist(), a.astype(int)) == 1 and dice([], []) == 1
    with pytest.raises(ValueError, match=r"^A set of pixels holds True and False, .* take p > 0\.5\.$"):
        dice([0.2, 0.9, 0.4, 0.1], a)
    for other in ([[True]], b[:3], b[:, None]):
        with pytest.raises(ValueError, match=r"^Two sets of the same pixels are compared, got the shapes \(4,\) "):
            dice(a, other)


@pytest.mark.parametrize("degree", [1, 6])  # 4 features, and 84
def test_the_weights_are_those_of_logistic_regression(degree):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 3))
    y = np.where(X[:, 0] + rng.standard_normal(60) > 0, 1, -1)
    X, phi = X / 2, Monomials(degree)
    model = PrimalLogistic(phi, lam=2.0, tol=1e-9, max_iter=100_000).fit(X, y)
    np.testing.assert_allclose(logistic_weights(phi(X), y, 2.0, tol=1e-9), model.w_, atol=1e-5)


def test_bad_input_meets_one_sentence(hospital):
    x = hospital.patients[0].channels
    with pytest.raises(ValueError, match=r"groups must be among intensities, .*, got 'colour'"):
        pixel_features(x, ("colour",))
    with pytest.raises(ValueError, match="'alignment' needs a template"):
        pixel_features(x, ("alignment",))
    with pytest.raises(ValueError, match="'atlas' needs a template"):
        pixel_features(x, ("atlas",))
    with pytest.raises(ValueError, match="lam must be"):
        hospital.fitted(BRIGHT, lam=0)
    with pytest.raises(ValueError, match="pixels must be"):
        hospital.fitted(BRIGHT, pixels=0)
    with pytest.raises(ValueError, match="no head in this picture"):
        find_pose(head_mask(np.zeros((4, 64, 64))))
    with pytest.raises(ValueError, match="there are none"):
        Template.of([])
    with pytest.raises(ValueError, match="got 2 scans and 1 tumours"):
        Segmenter(BRIGHT).fit(hospital.scans[:2], hospital.tumours[:1])
    with pytest.raises(ValueError, match="got 1 scans and 2 tumours"):
        hospital.fitted(BRIGHT).score(hospital.scans[:1], hospital.tumours[:2])
    with pytest.raises(ValueError, match=r"^Each tumour must be as large as its scan, got \(9, 128\) and \(128, 128\)"):
        Segmenter(BRIGHT).fit(hospital.scans[:1], [hospital.tumours[0][:9]])
    with pytest.raises(ValueError, match="A set of pixels holds True and False"):
        Segmenter(BRIGHT).fit(hospital.scans[:1], [hospital.patients[0].tissue])
    for channels in (x[:3], x[0]):
        with pytest.raises(ValueError, match=r"^channels must be four pictures, \(4, rows, columns\), got "):
            pixel_features(channels, BRIGHT)
    with pytest.raises(ValueError, match=r"^groups must be among intensities, .*, got none"):
        pixel_features(x, ())
    with pytest.raises(ValueError, match="no features of the group 'neighbourhood'"):
        pixel_features(x, BRIGHT).of(GROUPS)


def test_without_a_seed_other_pixels_are_drawn(hospital):
    scans, tumours = hospital.scans[:2], hospital.tumours[:2]
    (one, y), (other, _) = (some_pixels(scans, tumours, BRIGHT, 50, None) for _ in range(2))
    assert one.shape == other.shape == (100, 4) and len(y) == 100 and (one != other).any()
    assert np.isfinite(Segmenter(BRIGHT, pixels=50, random_state=None).fit(scans, tumours).w_).all()
