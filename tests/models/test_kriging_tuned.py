"""Kriging, tuned: the evidence is climbed to its top, as high as scikit-learn climbs."""

import warnings

import numpy as np
import pytest
from sklearn.datasets import load_diabetes
from sklearn.gaussian_process import GaussianProcessRegressor, kernels as theirs

from kernelkit import Exp, Gaussian, Kriging, Linear, Matern, Polynomial, Subsequences, datasets
from kernelkit.models.kriging import BOUNDS, bounds

RBF, WHITE, FACTOR = theirs.RBF, theirs.WhiteKernel, theirs.ConstantKernel


def six():
    rng = np.random.default_rng(0)
    for name in "sine", "step", "cubic":
        yield name, *getattr(datasets, name)(40)
    X, y = load_diabetes(return_X_y=True)
    yield "diabetes", 20 * X[:100], (y[:100] - y[:100].mean()) / y[:100].std()
    yield "noise alone", rng.standard_normal((40, 2)), rng.standard_normal(40)
    X = rng.uniform(-2, 2, (60, 2))
    yield "plane", X, 3 * np.sin(2 * X[:, 0]) * X[:, 1] + 0.3 * rng.standard_normal(60)


@pytest.mark.filterwarnings("ignore:.*close to the specified")
@pytest.mark.parametrize(("X", "y"), [pytest.param(X, y, id=name) for name, X, y in six()])
def test_tuned_reaches_scikit_learn_s_optimum(X, y):
    model = Kriging(1.0 * Gaussian(1.0), 0.1)
    ours = model.tuned(X, y)
    peer = FACTOR(1.0) * RBF(1.0, (1e-5, 1e5)) + WHITE(0.1)
    peer = GaussianProcessRegressor(peer, alpha=0, n_restarts_optimizer=4, random_state=0).fit(X, y)
    assert ours.log_marginal_likelihood_ >= peer.log_marginal_likelihood_value_ - 0.1
    assert model.kernel == 1.0 * Gaussian(1.0) and not hasattr(model, "a_")  # the model that was asked stays as it is


@pytest.mark.filterwarnings("ignore:.*close to the specified")
def test_one_climb_alone_would_end_lower():
    """From a width far beyond the data scikit-learn's one climb calls everything noise."""
    X, y = datasets.cubic(40)
    ours = Kriging(1.0 * Gaussian(1000.0), 0.1).tuned(X, y)
    peer = FACTOR(1.0) * RBF(1000.0, (1e-5, 1e5)) + WHITE(0.1)
    peer = GaussianProcessRegressor(peer, alpha=0, n_restarts_optimizer=0).fit(X, y)
    assert ours.log_marginal_likelihood_ > peer.log_marginal_likelihood_value_ + 45


@pytest.mark.filterwarnings("ignore:The evidence says nothing of")
def test_whole_numbers_zeros_and_what_is_fixed_stay():
    X, y = datasets.sine(25)
    tuned = Kriging(Polynomial(3, 0.5) + Matern(1.0, 2.5), 0.1).tuned(X, y)
    assert tuned.kernel.left.degree == 3 and tuned.kernel.right.nu == 2.5
    assert tuned.kernel.left.offset != 0.5 and tuned.kernel.right.sigma != 1.0 and tuned.noise != 0.1
    fixed = Kriging(Gaussian(1.0), 0.1).tuned(X, y, fixed=["noise"])
    assert fixed.noise == 0.1 and fixed.kernel.sigma != 1.0
    assert Kriging(Gaussian(1.0), 0).tuned(X[::3], y[::3]).noise == 0
    assert Kriging().tuned(X, y, fixed=["kernel__sigma", "noise"]).get_params() == Kriging().get_params()
    for fixed in (["sigma"], "noise"):
        with pytest.raises(ValueError, match=r"^fixed names no parameters of Kriging\(\): '\w+'[^\n]*\.$"):
            Kriging().tuned(X, y, fixed=fixed)


@pytest.mark.parametrize("decay", [0.5, 0.9, 0.999])
def test_a_number_that_has_an_end_is_tuned_up_to_it(decay):
    words, y = ["ab", "abb", "ba", "aab", "bbbb", "abab"], np.array([0.0, 1.0, 2.0, 1.0, 3.0, 0.5])
    model = Kriging(Subsequences(2, decay) + 1.0, noise=0.1)
    tuned = model.tuned(words, y)
    assert 0 < tuned.kernel.left.decay <= 1
    assert tuned.log_marginal_likelihood_ >= model.fit(words, y).log_marginal_likelihood_


@pytest.mark.filterwarnings("ignore:The evidence says nothing of")
@pytest.mark.parametrize("kernel", [1e8 * Gaussian(1.0), 1e-8 * Gaussian(1.0), 1.0 * Gaussian(1e7)], ids=str)
def test_tuned_is_never_worse_than_the_model_that_was_asked(kernel):
    X = np.linspace(0, 6, 20)[:, None]
    y = np.sqrt(kernel.c) * np.sin(X[:, 0])
    model = Kriging(kernel, kernel.c * 1e-4)
    asked, tuned = model.fit(X, y).log_marginal_likelihood_, model.tuned(X, y).log_marginal_likelihood_
    assert tuned > asked + 1 and np.isfinite(tuned)


def test_the_evidence_of_a_scaled_function_is_tuned_to_the_scaled_kernel():
    """From c·k, s²·noise and s·y the numbers are those from k, noise and y, far beyond 1e5 too."""
    X, y = datasets.sine(25)
    one = Kriging(1.0 * Gaussian(1.0), 0.1).tuned(X, y)
    large = Kriging(1e8 * Gaussian(1.0), 1e7).tuned(X, 1e4 * y)
    assert large.kernel.c == pytest.approx(1e8 * one.kernel.c, rel=0.02)
    assert large.noise == pytest.approx(1e8 * one.noise, rel=0.02)
    assert large.kernel.k.sigma == pytest.approx(one.kernel.k.sigma, rel=0.01)


@pytest.mark.filterwarnings("ignore:The evidence says nothing of")
@pytest.mark.parametrize("unit", [0.01, 1.0, 1e4, 1e8])  # at 0.01 the evidence is > 0
def test_no_setting_of_a_grid_is_better_where_many_settings_are_singular(unit):
    """Without noise K of a wide Gaussian is singular, and the climb has to end before it is."""
    X, y = (part[::3] for part in datasets.sine(25))
    y = unit * y
    model = Kriging(1.0 * Gaussian(0.5), noise=0)
    tuned = model.tuned(X, y)
    best, refused = -np.inf, 0
    for c in np.logspace(-5, 5, 11):
        for sigma in np.logspace(-2, 2, 33):
            try:
                best = max(best, Kriging(c * Gaussian(sigma), noise=0).fit(X, y).log_marginal_likelihood_)
            except ValueError:
                refused += 1
    assert refused > 60
    assert tuned.log_marginal_likelihood_ > best - 0.01 * abs(best)


@pytest.mark.filterwarnings("error")
def test_settings_that_overflow_are_passed_over_in_silence():
    X = np.linspace(0, 6, 20)[:, None]
    tuned = Kriging(Exp(1.0 * Linear())).tuned(X, np.sin(X[:, 0]))
    assert np.isfinite(tuned.log_marginal_likelihood_) and tuned.kernel != Kriging(Exp(1.0 * Linear())).kernel


def test_a_number_is_looked_for_within_the_bounds_unless_its_own_value_is_outside():
    smallest, largest = np.log(BOUNDS)
    width = largest - smallest
    own = np.array([smallest, 0.0, largest])
    np.testing.assert_array_equal(bounds(own), [[smallest] * 3, [largest] * 3])  # also at the very ends
    bottom, top = bounds(np.array([smallest - 2, largest + 2]))
    np.testing.assert_allclose(bottom, [2 * smallest - 2, smallest])
    np.testing.assert_allclose(top, [largest, 2 * largest + 2])
    assert (top - bottom > width).all()


@pytest.mark.parametrize(("unit", "scale", "named"), [(1, 1, ""), (1e7, 1, "kernel__k__sigma"), (1, 1e9, "kernel__c")])
def test_a_number_of_which_the_evidence_says_nothing_is_named(unit, scale, named):
    """At most 1e5 metres reach no neighbour if the points are 5000 km apart, and at most 1e5 is small for y = 1e9."""
    X = np.linspace(-3, 3, 12)[:, None]
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        Kriging(1.0 * Gaussian(1.0), noise=0.01).tuned(unit * X, scale * np.sin(X[:, 0]), fixed=["noise"])
    assert named in " ".join(str(w.message) for w in said) and bool(said) == bool(named)
