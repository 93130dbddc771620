"""Where no point resembles another there is nothing to learn: one sentence says so, and only there."""

import tracemalloc
import warnings
from string import ascii_letters

import numpy as np
import pytest
from sklearn.datasets import load_digits

import kernelkit
from kernelkit import FromFeatures, Gaussian, KernelRidge, KernelSVM, Linear, Precomputed, datasets
from kernelkit.models import svm
from kernelkit.models.grams import _median_distance, warn_if_alone

SENTENCE = r"^K is almost I: for Gaussian\(1\.0\) hardly any [^\n]*; Gaussian\(4\d\) has the median distance [^\n]*\.$"
MODELS = [c for c in (getattr(kernelkit, name) for name in kernelkit.__all__) if hasattr(c, "fit")]
KERNEL_MODELS = pytest.mark.parametrize(
    "Model", [c for c in MODELS if "kernel" in c().get_params(deep=False)], ids=lambda c: c.__name__
)


@pytest.fixture(scope="module")
def digits(frozen):
    X, y = load_digits(return_X_y=True)
    return frozen(X[:200]), frozen(y[:200] == 3)


def sentences(model, *data):
    """The warnings of a fit that speak of K."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model.fit(*data)
    return [w for w in caught if "almost I" in str(w.message)]


@KERNEL_MODELS
def test_raw_digits_are_too_far_apart_for_the_default(Model, digits):
    with pytest.warns(UserWarning, match=SENTENCE):
        [said] = sentences(Model(), *digits)
        warnings.warn_explicit(said.message, said.category, said.filename, said.lineno)
    assert said.filename == __file__
    assert not sentences(Model(Gaussian(48.0)), *digits)


def test_only_a_fit_says_so(digits):
    with pytest.warns(UserWarning, match=SENTENCE):
        model = KernelRidge().fit(*digits)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.predict(digits[0])  # though its K is the same


@pytest.mark.parametrize("k", [2 * Gaussian(1.0), Gaussian(1.0) ** 2, Gaussian(0.5) + Gaussian(1.0)], ids=repr)
def test_every_kernel_that_forgets_far_points_is_told(k, digits):
    assert len(sentences(KernelRidge(k), *digits)) == 1
    assert not sentences(KernelRidge(k + 0.01 * Linear()), *digits)


def test_rows_on_demand_are_looked_at_too(digits, monkeypatch):
    monkeypatch.setattr(svm, "WHOLE", 10)
    assert len(sentences(KernelSVM(), *digits)) == 1
    assert not sentences(KernelSVM(Gaussian(48.0)), *digits)
    touched = []
    row = lambda i: touched.append(i) or np.eye(200)[i]  # noqa: E731
    with pytest.warns(UserWarning, match="almost I"):
        warn_if_alone(row, np.ones(200), Gaussian(1.0), digits[0])
    assert len(touched) == 30 and touched[0] == 0 and {*np.diff(touched)} == {6, 7}  # spread over all


def test_company_has_no_sign_and_four_with_it_are_enough():
    for company in (3, 4):
        K = np.eye(60)
        K[range(0, 2 * company, 2), 59] = -0.5  # as far as it goes, an angle has no sign
        touched = []
        row = lambda i: touched.append(i) or K[i]  # noqa: E731, B023
        if company == 3:
            with pytest.warns(UserWarning, match="almost I"):
                warn_if_alone(row, np.ones(60), Precomputed(), K)
        else:
            warn_if_alone(row, np.ones(60), Precomputed(), K)
        assert touched == list(range(0, 60 if company == 3 else 8, 2))


def test_faint_company_is_no_trouble_where_numpy_is_strict():
    X = np.r_[np.linspace(0, 0.9, 20), 30 + np.linspace(0, 0.9, 20)][:, None]  # k is 1e-200 between the groups
    with np.errstate(all="raise"):
        assert not sentences(KernelRidge(), X, np.sin(X[:, 0]))


@pytest.mark.parametrize("size", [1e-200, 1.0, 1e200])
def test_the_size_of_the_numbers_does_not_matter(size, digits):
    assert len(sentences(KernelRidge(Precomputed(), 0.1 * size), size * np.eye(200), digits[1])) == 1
    assert not sentences(KernelRidge(Precomputed(), 0.1 * size), size * (np.eye(200) + 0.1), digits[1])


def test_nine_in_ten_make_the_rule(digits):
    X, y = digits[0], np.arange(30.0)
    pairs = lambda m: np.concatenate([X[: 30 - m], X[:m] + 0.1])  # noqa: E731 so many points have a twin
    assert len(sentences(KernelRidge(), pairs(1), y)) == 1
    assert not sentences(KernelRidge(), pairs(2), y)


@pytest.mark.parametrize(("apart", "told"), [(3.6, False), (3.8, True)])
def test_a_neighbour_counts_up_to_37_tenths_of_sigma(apart, told):
    """There k is a thousandth."""
    assert bool(sentences(KernelRidge(), apart * np.arange(40.0)[:, None], np.arange(40.0))) is told


def test_the_advice_for_many_points_is_found_from_some():
    X = np.random.default_rng(0).uniform(0, 1, (30_000, 1))
    tracemalloc.start()
    sigma = _median_distance(X)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert sigma == pytest.approx(1 - np.sqrt(0.5), rel=0.1)  # the median of |x − z|
    assert peak < 5e6


def test_a_few_points_are_no_wonder(digits):
    X, y = digits
    assert not sentences(KernelRidge(), X[:29], y[:29]) and len(sentences(KernelRidge(), X[:30], y[:30])) == 1


def test_the_sentence_names_no_sigma_where_there_are_no_vectors(digits):
    words, y = [letter * 5 for letter in "abcdefghijklmnopqrstuvwxyzABCDEFGH"], np.arange(34.0)
    letters = FromFeatures(lambda words: [[word.count(first) for first in ascii_letters] for word in words])
    [said] = sentences(KernelRidge(letters), words, y)
    assert str(said.message).endswith("little is learned; take a kernel that finds more of them alike.")
    assert not sentences(KernelRidge(letters), [word + "a" for word in words], y)
    K = Gaussian(1.0)(digits[0])
    [said] = sentences(KernelRidge(Precomputed()), K, digits[1])
    assert str(said.message).endswith("; take a kernel that finds more of them alike.")


@KERNEL_MODELS
@pytest.mark.parametrize("sigma", [0.05, 0.3, 1.0])
def test_the_data_of_the_course_are_near_enough(sigma, Model):
    for make in (datasets.moons, datasets.rings, datasets.mixture):
        assert not sentences(Model(Gaussian(sigma)), *make(60))
