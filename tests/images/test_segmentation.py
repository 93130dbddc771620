"""Features of pixels and the classifier on them: each by its definition, and all of them by the fits that are kept."""

import time

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from kernelkit import Gaussian, Monomials
from kernelkit.course.explorers.data import fit_tumours, hospital
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

BRIGHT = GROUPS[:1]
BOTH = (*GROUPS[:2], "alignment", "symmetry")


@pytest.fixture(scope="module")
def learned():
    """Twelve patients to learn from, as pixels with all 46 features, and their tumours."""
    return hospital.scans_of(hospital.LEARNED)


# ---- the fits that are kept ---------------------------------------------------------------------


@pytest.mark.parametrize("count", [12, 4])
def test_the_fits_are_of_these_features_of_these_pixels(count, learned):
    """Their mean and spread change with any number in a patient, in the template and in a feature."""
    X, y = some_pixels(*learned) if count == 12 else some_pixels(*(part[:4] for part in learned), count=100)
    kept, row = hospital.fits(), list(hospital.PIXELS).index(count)
    np.testing.assert_allclose(X.mean(axis=0), kept["mean"][row], rtol=1e-6)
    np.testing.assert_allclose(X.std(axis=0), kept["spread"][row], rtol=1e-6)
    assert len(X) == len(y) == count * hospital.PIXELS[count] and set(y) == {-1, 1}


@pytest.mark.parametrize(
    ("groups", "settings"),
    [(BOTH, {}), (BRIGHT, {"degree": 3, "lam": 0.01}), (GROUPS, {"lam": 100.0})],
    ids=["as given", "a curve in brightness", "more penalty"],
)
def test_fitting_gives_the_weights_and_the_dice_that_are_kept(groups, settings, learned):
    live = Segmenter(groups, **settings).fit(*learned)
    setting = groups, settings.get("degree", 1), settings.get("lam", 1.0), 12
    w = hospital.fitted(*setting).w_
    np.testing.assert_allclose(live.w_, w, atol=0.01 * np.abs(w).max())
    others = hospital.scans_of(hospital.OTHERS[:3])
    np.testing.assert_allclose(live.score(*others), hospital.dice_of(*setting)[1][:3], atol=0.005)


def test_as_much_of_a_healthy_pair_is_taken_for_tumour_as_is_kept():
    assert fit_tumours.taken("pair") == pytest.approx(hospital.taken()["pair"], abs=0.004)


def test_a_patient_is_segmented_in_half_a_second_and_in_no_time_from_kept_features(learned):
    model, template = Segmenter(BOTH).fit(*learned), hospital.template()
    start = time.process_time()
    for seed in hospital.OTHERS[:3]:
        scan = pixel_features(hospital.patient_of(seed).channels, BOTH, template)
        model.probability(scan)
    middle = time.process_time()
    model.probability(scan)
    assert (middle - start) / 3 < 0.5 and time.process_time() - middle < 0.1


# ---- where a head lies --------------------------------------------------------------------------


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


def test_the_mask_is_the_head():
    for p in map(hospital.patient_of, range(4)):
        assert dice(head_mask(p.channels), p.tissue > 0) > 0.97


def test_the_template_of_one_patient_is_this_patient():
    p = hospital.patient_of(0)
    mask = head_mask(p.channels)
    found = Template.of([p]).at(*find_pose(mask).to_head(*np.nonzero(mask)))
    for x, true in zip(found, (*BRIGHTNESS[:, p.tissue[mask]], p.tissue[mask] == GREY), strict=True):
        assert np.corrcoef(x, true)[0, 1] > 0.75


def test_the_probability_of_brain_is_1_inside_and_0_on_the_scalp():
    p = hospital.patient_of(hospital.OTHERS[0])
    places = find_pose(head_mask(p.channels)).to_head(*np.indices(p.tissue.shape))
    brain = hospital.template().pictures_at(*places)[-1]
    assert 0 <= brain.min() < brain.max() <= 1
    assert brain[p.tissue == WHITE].mean() > 0.99
    assert brain[np.isin(p.tissue, (OUTSIDE, SCALP))].mean() < 0.01


# ---- features -----------------------------------------------------------------------------------


def test_features_have_names_and_are_what_they_say(learned):
    p, scan = hospital.patient_of(0), learned[0][0]
    mask, X, names, groups = scan
    assert X.shape == (mask.sum(), 46) and len(set(names)) == 46 and names[:4] == list(CHANNELS)
    assert [groups.count(group) for group in GROUPS] == [4, 24, 2, 8, 8]
    np.testing.assert_array_equal(scan.of(BRIGHT), X[:, :4])
    column = dict(zip(names, X.T, strict=True))
    np.testing.assert_array_equal(column["FLAIR"], p.channels[3][mask])
    np.testing.assert_allclose(column["T2, mean of σ = 2"], convolve(p.channels[2], gaussian(2))[mask], atol=1e-12)
    np.testing.assert_allclose(column["distance"], np.hypot(column["u"], column["v"]))
    np.testing.assert_array_equal(np.round(column["row"] * 128), np.nonzero(mask)[0])
    joined = pixel_features(p.channels, BRIGHT).joined(pixel_features(p.channels, ("symmetry",)))
    np.testing.assert_array_equal(joined.X, scan.of((*BRIGHT, "symmetry")))
    assert joined.names[:4] == list(CHANNELS) and joined.groups == ["intensities"] * 4 + ["symmetry"] * 8


def test_the_72_features_are_what_they_say():
    p = hospital.patient_of(0)
    scan = pixel_features(p.channels, (*GROUPS, *MORE), hospital.template())
    assert [scan.groups.count(group) for group in BANK] == [24, 24, 12, 12] and scan.of(BANK).shape[1] == 72
    column = dict(zip(scan.names, scan.X.T, strict=True))
    for wave, name in (("sine", "edges"), ("cosine", "bars")):
        z = max_abs([convolve(p.channels[2], gabor(2.0, 30 * i, wave=wave, stretch=2.0)) for i in range(6)])
        np.testing.assert_allclose(column[f"T2, {name} of σ = 2"], z[scan.mask], atol=1e-9)
    of_two_and_four = [i % 3 > 0 for i in range(12)]
    np.testing.assert_array_equal(scan.of(["symmetry"]), scan.of(["sides"])[:, of_two_and_four])
    places = find_pose(scan.mask).to_head(*np.indices(scan.mask.shape))
    t1, _, t2, _, grey, brain = hospital.template().pictures_at(*places)
    pictures = {"template's T1": t1, "template's T2": t2, "prior of grey matter": grey, "prior of brain": brain}
    for name, x in pictures.items():
        for sigma in (1, 2, 4):
            blurred = convolve(x, gaussian(sigma))[scan.mask]
            np.testing.assert_allclose(column[f"{name}, mean of σ = {sigma}"], blurred, atol=1e-12)


def test_on_a_mirrored_head_the_sides_do_not_differ():
    half = patient(1).channels[:, :, :64]
    scan = pixel_features(np.concatenate([half, half[:, :, ::-1]], axis=2), ("symmetry",))
    assert len(scan.names) == 8
    np.testing.assert_allclose(scan.X, 0, atol=1e-9)


# ---- the classifier -----------------------------------------------------------------------------


@pytest.mark.parametrize("settings", [{"degree": 2}, {"kernel": Gaussian(1.0), "landmarks": 20}], ids=["curve", "k"])
def test_a_segmenter_is_logistic_regression_on_features_in_standard_units_up_to_five(settings, learned):
    scans, tumours = (part[:3] for part in learned)
    scans = [scan._replace(X=np.where(np.arange(46) == 2, 0.5, scan.X)) for scan in scans]  # T2 says nothing
    model = Segmenter(BRIGHT, lam=0.5, pixels=100, **settings).fit(scans, tumours)
    X, y = some_pixels(scans, tumours, BRIGHT, 100)
    mean, spread = X.mean(axis=0), X.std(axis=0) + np.eye(4)[2]
    features = lambda X: model.feature_map_(np.clip((X - mean) / spread, -5, 5))  # noqa: E731
    theirs = LogisticRegression(C=2, fit_intercept=False, tol=1e-10, solver="newton-cholesky").fit(features(X), y)
    assert len(model.w_) == (20 if "kernel" in settings else 15)
    for scan in (scans[0], scans[0]._replace(X=4 * scans[0].X)):
        p = np.zeros(scan.mask.shape)
        p[scan.mask] = theirs.predict_proba(features(scan.of(BRIGHT)))[:, 1]
        np.testing.assert_allclose(model.probability(scan), p, atol=1e-3)


@pytest.mark.parametrize("degree", [1, 6])  # 4 features, and 84
def test_the_weights_are_those_of_logistic_regression(degree):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((60, 3))
    y = np.where(X[:, 0] + rng.standard_normal(60) > 0, 1, -1)
    Phi = Monomials(degree)(X / 2)
    theirs = LogisticRegression(C=0.5, fit_intercept=False, tol=1e-10, solver="newton-cholesky").fit(Phi, y)
    np.testing.assert_allclose(logistic_weights(Phi, y, 2.0, tol=1e-9), theirs.coef_[0], atol=1e-5)


def test_without_a_seed_other_pixels_are_drawn(learned):
    scans, tumours = (part[:2] for part in learned)
    (one, y), (other, _) = (some_pixels(scans, tumours, BRIGHT, 50, None) for _ in range(2))
    assert one.shape == other.shape == (100, 4) and len(y) == 100 and (one != other).any()
    assert np.isfinite(Segmenter(BRIGHT, pixels=50, random_state=None).fit(scans, tumours).w_).all()


def test_dice_of_sets():
    a, b = np.array([1, 1, 0, 0], bool), np.array([0, 1, 1, 0], bool)
    assert dice(a, b) == 0.5 and dice(a, a) == 1 and dice(a, ~a) == 0 and dice(a & ~a, b & ~b) == 1
    assert dice(a.tolist(), a.astype(int)) == 1 and dice([], []) == 1
