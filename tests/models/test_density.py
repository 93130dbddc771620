"""A mean of bumps is a density: it equals scikit-learn's, and leaving one out is leaving one out."""

import tracemalloc
from decimal import Decimal

import numpy as np
import pytest
from sklearn.neighbors import KernelDensity as SklearnKernelDensity

from kernelkit import KernelDensity


@pytest.mark.parametrize("sigma", [0.05, 0.5, 1.0, 3.0])
@pytest.mark.parametrize("d", [1, 2, 5, 20])
def test_it_is_scikit_learn_s(d, sigma, cloud):
    X, Z = cloud(80, d), cloud(30, d, seed=1)
    ours = KernelDensity(sigma).fit(X)
    theirs = SklearnKernelDensity(bandwidth=sigma).fit(X)
    np.testing.assert_allclose(ours.log_density(Z), theirs.score_samples(Z), rtol=1e-8)
    assert ours.score(Z) == pytest.approx(theirs.score(Z), rel=1e-8)


def test_far_away_the_logarithm_is_still_a_number(cloud):
    model = KernelDensity(1e-3).fit(cloud(10, 2))
    far = model.log_density([[1e3, 1e3], [1e200, 0.0]])
    assert np.isfinite(far).all() and far[1] < far[0] < -1e11
    nearest = ((np.array([1e3, 1e3]) - model.X_) ** 2).sum(axis=1).min()
    assert far[0] == pytest.approx(-nearest / 2e-6, rel=1e-6)


def test_many_points_are_asked_in_the_memory_of_a_few_and_get_the_same_answers(cloud):
    model, Z = KernelDensity().fit(cloud(1000, 2)), cloud(20_000, 2)
    tracemalloc.start()
    asked = model.log_density(Z)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 50e6  # all distances at once are 160e6
    np.testing.assert_allclose(asked[::100], model.log_density(Z[::100]), rtol=1e-12)


# ---- the width ------------------------------------------------------------------------------------


def test_leaving_one_out_is_leaving_one_out(cloud):
    X, sigmas = cloud(12, 2), [0.1, 0.5, 2.0]
    each = [
        [KernelDensity(s).fit(np.delete(X, i, axis=0)).log_density(X[i : i + 1])[0] for i in range(12)] for s in sigmas
    ]
    np.testing.assert_allclose(KernelDensity().leave_one_out(X, sigmas), each, rtol=1e-9)


@pytest.mark.parametrize("unit", [1e-300, 1e-200, 1e-155, 1.0, 1e150, 1e300])
def test_widths_of_any_size_may_stand_beside_each_other(unit):
    x = [unit * i for i in (0.0, 1.0, 1.5, 3.0, 3.0)]  # twins stay when one of them is left out
    sigmas = [1e-307, 1e-200, 1e-100, 1.0, 1e200, 1e308, unit, 2 * unit]
    ours = KernelDensity().leave_one_out(np.array(x)[:, None], sigmas)
    for sigma, row in zip(sigmas, ours, strict=True):
        for i, log_p in enumerate(row):
            halves = sorted(((Decimal(x[i]) - Decimal(x[j])) / Decimal(sigma)) ** 2 / 2 for j in range(5) if j != i)
            bumps = sum((halves[0] - half).exp() for half in halves).ln() - halves[0]
            exact = float(bumps - Decimal(4).ln() - Decimal(2 * np.pi).ln() / 2 - Decimal(sigma).ln())
            exact = exact if exact > -5e299 else -np.inf  # farther than any float
            assert log_p == pytest.approx(exact, rel=1e-9, abs=1e-9)


# ---- what is refused ------------------------------------------------------------------------------

PLAIN = KernelDensity()
REFUSED = {
    "no width": (lambda: KernelDensity(0).fit([[0.0]]), ValueError, "sigma must be a finite number > 0, got 0"),
    "a text": (lambda: KernelDensity("scott").fit([[0.0]]), TypeError, "sigma must be a number > 0, got 'scott'"),
    "one point": (lambda: PLAIN.fit([0.0, 1.0]), ValueError, "Expected 2D array, .*Reshape your data"),
    "other width": (lambda: PLAIN.fit([[0.0]]).log_density([[0.0, 1.0]]), ValueError, "X has 2 features, but Kernel"),
    "nobody is left": (lambda: PLAIN.leave_one_out([[0.0]], [1.0]), ValueError, "leave_one_out .*2 points, got 1"),
    "no widths": (lambda: PLAIN.leave_one_out([[0.0], [1.0]], []), ValueError, "sigmas must be a list of"),
    "widths": (lambda: PLAIN.leave_one_out([[0.0], [1.0]], [1.0, 0.0]), ValueError, "sigmas must be a list of numb"),
    "many": (lambda: PLAIN.leave_one_out(np.zeros((10**5, 1)), [1.0]), ValueError, "The Gram matrix of 100,000 poin"),
}


@pytest.mark.parametrize(("call", "error", "sentence"), REFUSED.values(), ids=REFUSED)
def test_bad_input_is_told_in_one_sentence(call, error, sentence):
    with pytest.raises(error, match=rf"^{sentence}[^\n]*$"):
        call()
