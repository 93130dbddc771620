"""A mean of bumps is a density: it integrates to 1, equals scikit-learn's, and leaving one out is leaving one out."""

import tracemalloc
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, strategies as st
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.neighbors import KernelDensity as SklearnKernelDensity
from sklearn.utils import get_tags

from kernelkit import Gaussian, KernelDensity


def brute(Z, X, sigma):
    n, d = X.shape
    squares = ((Z[:, None] - X) ** 2).sum(axis=-1)
    return np.exp(-squares / (2 * sigma**2)).sum(axis=1) / n / (2 * np.pi * sigma**2) ** (d / 2)


@pytest.mark.parametrize("sigma", [0.5, 1.0, 3.0])
@pytest.mark.parametrize("d", [1, 2, 5, 20])
def test_it_is_scikit_learn_s(d, sigma, cloud):
    X, Z = cloud(80, d), cloud(30, d, seed=1)
    ours = KernelDensity(sigma).fit(X)
    theirs = SklearnKernelDensity(bandwidth=sigma).fit(X)
    np.testing.assert_allclose(ours.log_density(Z), theirs.score_samples(Z), rtol=1e-8)
    assert ours.score(Z) == pytest.approx(theirs.score(Z), rel=1e-8)


@pytest.mark.parametrize("sigma", [0.05, 0.3, 1.0])
def test_it_is_the_mean_of_the_bumps(sigma, cloud):
    X, Z = cloud(50, 2), cloud(40, 2, seed=1)
    np.testing.assert_allclose(np.exp(KernelDensity(sigma).fit(X).log_density(Z)), brute(Z, X, sigma), rtol=1e-9)
    k = Gaussian(sigma)  # (1/n) Σ k(z, X_i), but for the factor that makes the volume 1
    np.testing.assert_allclose(k(Z, X).mean(axis=1) / (2 * np.pi * sigma**2), brute(Z, X, sigma), rtol=1e-9)


@given(st.integers(0, 2**32 - 1), st.floats(0.2, 2.0), st.integers(1, 2))
def test_it_integrates_to_one(seed, sigma, d):
    X = np.random.default_rng(seed).uniform(-1, 1, (5, d))
    t = np.linspace(-1 - 7 * sigma, 1 + 7 * sigma, 60)
    Z = np.stack(np.meshgrid(*[t] * d), axis=-1).reshape(-1, d)
    total = np.exp(KernelDensity(sigma).fit(X).log_density(Z)).sum() * (t[1] - t[0]) ** d
    assert total == pytest.approx(1, abs=1e-6)


def test_far_away_the_logarithm_is_still_a_number(cloud):
    model = KernelDensity(1e-3).fit(cloud(10, 2))
    far = model.log_density([[1e3, 1e3], [1e200, 0.0]])
    assert np.isfinite(far).all() and far[1] < far[0] < -1e11
    nearest = ((np.array([1e3, 1e3]) - model.X_) ** 2).sum(axis=1).min()
    assert far[0] == pytest.approx(-nearest / 2e-6, rel=1e-6)


def test_many_points_go_in_blocks(monkeypatch, cloud):
    X, Z = cloud(50, 2), cloud(40, 2, seed=1)
    whole = KernelDensity(0.5).fit(X).log_density(Z)
    monkeypatch.setattr("kernelkit.models.density.BLOCK", 120)
    np.testing.assert_allclose(KernelDensity(0.5).fit(X).log_density(Z), whole, rtol=1e-12)


def test_many_points_are_asked_in_the_memory_of_a_few(cloud):
    model, Z = KernelDensity().fit(cloud(1000, 2)), cloud(20_000, 2)
    tracemalloc.start()
    model.log_density(Z)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 50e6  # all distances at once are 160e6


# ---- the width ------------------------------------------------------------------------------------


def test_leaving_one_out_is_leaving_one_out(cloud):
    X, sigmas = cloud(12, 2), [0.1, 0.5, 2.0]
    each = [
        [KernelDensity(s).fit(np.delete(X, i, axis=0)).log_density(X[i : i + 1])[0] for i in range(12)] for s in sigmas
    ]
    np.testing.assert_allclose(KernelDensity().leave_one_out(X, sigmas), each, rtol=1e-9)


def test_the_training_density_wants_no_width_but_leaving_one_out_does(cloud):
    X, sigmas = cloud(60, 1), np.geomspace(1e-3, 10, 30)
    own = [KernelDensity(s).fit(X).score(X) for s in sigmas]
    left = KernelDensity().leave_one_out(X, sigmas).sum(axis=1)
    assert np.argmax(own) == 0 and 0.1 < sigmas[np.argmax(left)] < 1


def test_a_width_too_small_for_any_float_has_no_density_left():
    left = KernelDensity().leave_one_out([[0.0], [1.0], [1e9]], [1e-160, 1.0])
    assert (left[0] == -np.inf).all() and np.isfinite(left[1]).all()


@pytest.mark.parametrize("unit", [1e-300, 1e-170, 1e151, 1e300])
def test_leaving_one_out_knows_no_units(unit, cloud):
    X, sigmas = cloud(12, 2), np.array([0.1, 0.5, 2.0])
    scaled = KernelDensity().leave_one_out(unit * X, unit * sigmas) + 2 * np.log(unit)
    np.testing.assert_allclose(scaled, KernelDensity().leave_one_out(X, sigmas), rtol=1e-9)


def test_twins_stay_when_one_of_them_is_left_out():
    left = KernelDensity().leave_one_out([[0.0], [0.0], [5.0]], [1e-3])
    assert left[0, 0] == left[0, 1] == pytest.approx(np.log(0.5 / np.sqrt(2 * np.pi) / 1e-3), rel=1e-12)


def test_cross_validation_chooses_a_width(cloud):
    X = cloud(80, 1)
    search = GridSearchCV(KernelDensity(), {"sigma": [0.01, 0.4, 10.0]}).fit(X)
    assert search.best_params_ == {"sigma": 0.4}
    np.testing.assert_allclose(
        cross_val_score(KernelDensity(0.5), X), cross_val_score(SklearnKernelDensity(bandwidth=0.5), X), rtol=1e-8
    )
    assert get_tags(KernelDensity()).estimator_type == "density_estimator"


# ---- what is refused ------------------------------------------------------------------------------

REFUSED = {
    "no width": (lambda: KernelDensity(0).fit([[0.0]]), ValueError, "sigma must be a finite number > 0, got 0"),
    "a text": (lambda: KernelDensity("scott").fit([[0.0]]), TypeError, "sigma must be a number > 0, got 'scott'"),
    "before fit": (lambda: KernelDensity().log_density([[0.0]]), NotFittedError, "This KernelDensity is not fitted"),
    "one point": (lambda: KernelDensity().fit([0.0, 1.0]), ValueError, "Reshape your data"),
    "no vectors": (lambda: KernelDensity().fit([["a"], ["b"]]), TypeError, "X must hold numbers"),
    "other width": (
        lambda: KernelDensity().fit([[0.0]]).log_density([[0.0, 1.0]]),
        ValueError,
        "X has 2 features, but KernelD",
    ),
    "nobody is left": (lambda: KernelDensity().leave_one_out([[0.0]], [1.0]), ValueError, "at least 2 points, got 1"),
    "no widths": (lambda: KernelDensity().leave_one_out([[0.0], [1.0]], []), ValueError, "sigmas must be a list of"),
    "widths": (
        lambda: KernelDensity().leave_one_out([[0.0], [1.0]], [1.0, 0.0]),
        ValueError,
        "sigmas must be a list of numb",
    ),
}


@pytest.mark.parametrize("unit", [1e-300, 1e-200, 1e-155, 1.0, 1e150, 1e300])
def test_widths_of_any_size_may_stand_beside_each_other(unit):
    x = [unit * i for i in (0.0, 1.0, 1.5, 3.0)]
    sigmas = [1e-307, 1e-200, 1e-100, 1.0, 1e200, 1e308, unit, 2 * unit]
    ours = KernelDensity().leave_one_out(np.array(x)[:, None], sigmas)
    for sigma, row in zip(sigmas, ours, strict=True):
        for i, log_p in enumerate(row):
            halves = sorted(((Decimal(x[i]) - Decimal(x[j])) / Decimal(sigma)) ** 2 / 2 for j in range(4) if j != i)
            bumps = sum((halves[0] - half).exp() for half in halves).ln() - halves[0]
            exact = float(bumps - Decimal(3).ln() - Decimal(2 * np.pi).ln() / 2 - Decimal(sigma).ln())
            exact = exact if exact > -5e299 else -np.inf  # farther than any float
            assert log_p == pytest.approx(exact, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(("call", "error", "sentence"), REFUSED.values(), ids=REFUSED)
def test_bad_input_is_told_in_one_sentence(call, error, sentence):
    with pytest.raises(error, match=sentence) as refused:
        call()
    assert "\n" not in str(refused.value)


def test_leaving_one_out_of_too_many_points_is_refused_before_it_starts():
    with pytest.raises(ValueError, match=r"^The Gram matrix of 100,000 points is "):
        KernelDensity().leave_one_out(np.zeros((100_000, 1)), [1.0])
