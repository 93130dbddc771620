"""Where no point resembles another there is nothing to learn: one sentence says so, and only there."""

import tracemalloc
import warnings
from string import ascii_letters

import numpy as np
import pytest
from every_model import ESTIMATORS
from sklearn.datasets import load_digits

from kernelkit import FromFeatures, Gaussian, KernelRidge, KernelSVM, Linear, Precomputed, datasets
from kernelkit.models import svm
from kernelkit.models.grams import _median_distance, warn_if_alone

SENTENCE = r"^K is almost I: for Gaussian\(1\.0\) hardly any [^\n]*; Gaussian\(4\d\) has the median distance [^\n]*\.$"
KERNEL_MODELS = pytest.mark.parametrize(
    "Model", [c for c in ESTIMATORS if "kernel" in c().get_params(deep=False)], ids=lambda c: c.__name__
)
DIGITS, NUMBERS = load_digits(return_X_y=True)
DIGITS, THREES = DIGITS[:200], NUMBERS[:200] == 3
DIGITS.setflags(write=False)


def sentences(model, *data):
    """The warnings of a fit that speak of K."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(*data)
    return [w for w in caught if "almost I" in str(w.message)]


@KERNEL_MODELS
def test_raw_digits_are_too_far_apart_for_the_default(Model):
    with pytest.warns(UserWarning, match=SENTENCE):
        [said] = sentences(Model(), DIGITS, THREES)
        warnings.warn_explicit(said.message, said.category, said.filename, said.lineno)
    assert said.filename == __file__
    assert not sentences(Model(Gaussian(48.0)), DIGITS, THREES)


@KERNEL_MODELS
def test_the_data_of_the_course_are_near_enough(Model):
    for make in (datasets.moons, datasets.rings, datasets.mixture):
        assert not sentences(Model(Gaussian(0.05)), *make(60))


def test_only_a_fit_says_so():
    with pytest.warns(UserWarning, match=SENTENCE):
        model = KernelRidge().fit(DIGITS, THREES)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.predict(DIGITS)  # though its K is the same


# ---- which of them --------------------------------------------------------------------------------


def with_twins(m):
    """30 points, among them m pairs of twins."""
    return np.concatenate([DIGITS[: 30 - m], DIGITS[:m] + 0.1])


K1, LINE, UNIT = Gaussian(1.0), np.arange(40.0)[:, None], np.eye(200)
EDGES = {
    "a multiple": (2 * K1, DIGITS, True),
    "a power": (K1**2, DIGITS, True),
    "a sum": (Gaussian(0.5) + K1, DIGITS, True),
    "a sum with one that sees far": (2 * K1 + 0.01 * Linear(), DIGITS, False),
    "29 points are no wonder": (K1, DIGITS[:29], False),
    "30 points": (K1, DIGITS[:30], True),
    "one pair of twins": (K1, with_twins(1), True),
    "two pairs of twins": (K1, with_twins(2), False),
    "near: 3.6 sigma": (K1, 3.6 * LINE, False),
    "far: 3.8 sigma": (K1, 3.8 * LINE, True),  # k is a thousandth at 3.7
    **{f"{size:g} I": (Precomputed(), size * UNIT, True) for size in (1e-200, 1.0, 1e200)},
    **{f"{size:g} (I + 0.1)": (Precomputed(), size * (UNIT + 0.1), False) for size in (1e-200, 1.0, 1e200)},
}


@pytest.mark.parametrize(("k", "X", "told"), EDGES.values(), ids=EDGES)
def test_nine_in_ten_without_company_make_the_rule(k, X, told):
    assert len(sentences(KernelRidge(k), X, np.arange(len(X)))) == told


def test_faint_company_is_no_trouble_where_numpy_is_strict():
    X = np.r_[np.linspace(0, 0.9, 20), 30 + np.linspace(0, 0.9, 20)][:, None]  # k is 1e-200 between the groups
    with np.errstate(all="raise"):
        assert not sentences(KernelRidge(), X, np.sin(X[:, 0]))


def test_rows_on_demand_are_looked_at_too(monkeypatch):
    monkeypatch.setattr(svm, "WHOLE", 10)
    assert len(sentences(KernelSVM(), DIGITS, THREES)) == 1
    assert not sentences(KernelSVM(Gaussian(48.0)), DIGITS, THREES)
    touched = []
    with pytest.warns(UserWarning, match="almost I"):
        warn_if_alone(lambda i: touched.append(i) or UNIT[i], np.ones(200), K1, DIGITS)
    assert len(touched) == 30 and touched[0] == 0 and {*np.diff(touched)} == {6, 7}  # spread over all


def test_company_has_no_sign_and_four_with_it_are_enough():
    for company in (3, 4):
        K = np.eye(60)
        K[range(0, 2 * company, 2), 59] = -0.5  # as far as it goes, an angle has no sign
        touched = []
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            warn_if_alone(lambda i: touched.append(i) or K[i], np.ones(60), Precomputed(), K)  # noqa: B023
        assert len(caught) == (company == 3)
        assert touched == list(range(0, 60 if company == 3 else 8, 2))


# ---- the advice -----------------------------------------------------------------------------------


def test_the_advice_for_many_points_is_found_from_some():
    X = np.random.default_rng(0).uniform(0, 1, (30_000, 1))
    tracemalloc.start()
    sigma = _median_distance(X)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sigma == pytest.approx(1 - np.sqrt(0.5), rel=0.1)  # the median of |x − z|
    assert peak < 5e6


def test_the_sentence_names_no_sigma_where_there_are_no_vectors():
    words = [letter * 5 for letter in ascii_letters[:34]]
    letters = FromFeatures(lambda words: [[word.count(first) for first in ascii_letters] for word in words])
    for k, X in ((letters, words), (Precomputed(), K1(DIGITS))):
        [said] = sentences(KernelRidge(k), X, np.arange(len(X)))
        assert str(said.message).endswith("; take a kernel that finds more of them alike.")
    assert not sentences(KernelRidge(letters), [word + "a" for word in words], np.arange(34.0))
