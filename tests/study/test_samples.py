"""Theorems about errors over many samples: they add up; and what choosing refuses."""

import warnings

import numpy as np
import pytest
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    StratifiedKFold,
    cross_val_score,
    learning_curve as sklearn_learning_curve,
)

from kernelkit import (
    Gaussian,
    KernelRidge,
    KernelSVM,
    Kriging,
    Monomials,
    Precomputed,
    PrimalRidge,
)
from kernelkit.study.folds import splits
from kernelkit.study.selection import (
    bias_variance,
    cross_validate,
    grid,
    learning_curve,
    median_distance,
    nested,
)

pytestmark = pytest.mark.filterwarnings("error")
SIGMAS, LAMS = [0.2, 0.5, 1.5], [0.01, 0.1, 1.0, 10.0]


# ---- samples ----------------------------------------------------------------------------------


def truth(X):
    return np.sin(2 * X[:, 0])


def draw(seed, n=25):
    rng = np.random.default_rng(seed)
    X = rng.uniform(-2, 2, (n, 1))
    return X, truth(X) + 0.4 * rng.standard_normal(n)


@pytest.mark.parametrize("model", [KernelRidge(Gaussian(0.5), 0.3), PrimalRidge(Monomials(5), 0.1)], ids=repr)
def test_bias_and_variance_are_the_distance_to_the_truth(model):
    found = bias_variance(model, draw, truth, repeats=30)
    np.testing.assert_array_equal(found.points, draw(30)[0])
    alone = type(model)(**model.get_params(deep=False)).fit(*draw(7))
    np.testing.assert_array_equal(found.fits[7], alone.predict(found.points))
    square = np.mean((found.fits - truth(found.points)) ** 2)
    assert found.bias2 + found.variance == pytest.approx(square, rel=1e-13)
    assert found.bias2 == np.mean((found.fits.mean(axis=0) - found.truth) ** 2)


@pytest.mark.parametrize("lam", [0.01, 1.0, 30.0])
def test_bias_variance_and_noise_are_the_error_on_fresh_targets(lam):
    points = np.linspace(-2, 2, 50)[:, None]
    found = bias_variance(KernelRidge(Gaussian(0.5), lam), draw, truth, 200, points)
    fresh = found.truth + 0.4 * np.random.default_rng(99).standard_normal((200, 50))
    errors = np.mean((found.fits - fresh) ** 2, axis=1)  # of each fit
    spread = np.hypot(errors.std(), 0.4**2 * np.sqrt(2 / 25)) / np.sqrt(200)  # the estimate of the noise has its own
    assert abs(errors.mean() - (found.bias2 + found.variance + found.noise)) < 4 * spread
    assert found.noise == pytest.approx(0.16, rel=0.1)


def test_more_penalty_trades_variance_for_bias():
    stiff, loose = (bias_variance(KernelRidge(Gaussian(0.4), lam), draw, truth, 60) for lam in (30.0, 0.01))
    assert stiff.bias2 > 5 * loose.bias2 and loose.variance > 2 * stiff.variance


@pytest.mark.parametrize("seed", [None, 2])
def test_learning_curves_are_scikit_learn_s(seed, curve, classes):
    shuffle = {"shuffle": seed is not None, "random_state": seed}
    sizes = [12, 20, 30]
    for model, data, cv, scoring, flip in (
        (KernelRidge(Gaussian(0.5), 0.1), curve, KFold(4, **shuffle), "neg_mean_squared_error", lambda s: -s),
        (KernelSVM(Gaussian(0.7)), classes, StratifiedKFold(4, **shuffle), "accuracy", lambda s: 1 - s),
    ):
        _, training, test = sklearn_learning_curve(model, *data, train_sizes=sizes, cv=cv, scoring=scoring, **shuffle)
        found = learning_curve(model, *data, sizes, 4, seed)
        assert found.sizes == sizes
        np.testing.assert_allclose(found.training, flip(training), rtol=1e-8, atol=1e-12)
        np.testing.assert_allclose(found.test, flip(test), rtol=1e-8, atol=1e-12)


def test_nested_is_scikit_learn_s_search_inside_cross_validation(cloud):
    X, y = cloud(30, 2), cloud(30, seed=5)  # noise: every outer fold makes another choice
    search = GridSearchCV(KernelRidge(), {"kernel__sigma": SIGMAS, "lam": LAMS}, cv=4, scoring="neg_mean_squared_error")
    theirs = -cross_val_score(search, X, y, cv=KFold(3), scoring="neg_mean_squared_error")
    found = nested(KernelRidge(), X, y, 3, 4, kernel__sigma=SIGMAS, lam=LAMS)
    np.testing.assert_allclose(found.errors, theirs, rtol=1e-8)
    assert len({tuple(best.values()) for best in found.chosen}) > 1 and set(found.chosen[0]) == {"kernel__sigma", "lam"}
    table = nested(KernelRidge(Precomputed()), Gaussian(0.5)(X), y, 3, 4, lam=LAMS)
    np.testing.assert_allclose(table.errors, nested(KernelRidge(Gaussian(0.5)), X, y, 3, 4, lam=LAMS).errors, rtol=1e-9)


def test_the_best_cell_is_too_good_on_noise():
    rng = np.random.default_rng(0)
    X, gains = rng.standard_normal((30, 2)), []
    for _ in range(12):
        y = rng.standard_normal(30)
        best = grid(KernelRidge(), X, y, 5, kernel__sigma=SIGMAS, lam=LAMS).mean.min()
        gains.append(nested(KernelRidge(), X, y, 5, kernel__sigma=SIGMAS, lam=LAMS).errors.mean() - best)
    assert np.mean(gains) > 0


def test_progress_goes_to_one_in_steps(curve, classes):
    for call in (
        lambda tell: grid(KernelRidge(), *curve, 3, progress=tell, kernel__sigma=SIGMAS, lam=LAMS),
        lambda tell: grid(KernelRidge(), *curve, "leave-one-out", progress=tell, kernel__sigma=SIGMAS, lam=LAMS),
        lambda tell: learning_curve(KernelSVM(), *classes, [10, 20, 40], 3, progress=tell),
        lambda tell: nested(KernelRidge(), *curve, 3, progress=tell, lam=LAMS),
        lambda tell: bias_variance(KernelRidge(), draw, truth, 5, progress=tell),
    ):
        told = []
        call(told.append)
        assert told[-1] == 1 and (np.diff(told) > 0).all() and len(told) >= 3


# ---- bad input --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda X, y: cross_validate(KernelRidge(), X, y, 1), "folds must be a whole number ≥ 2, got 1."),
        (
            lambda X, y: cross_validate(KernelRidge(), X, y, 99),
            "folds must be a whole number from 2 to the number of points, 41, got 99.",
        ),
        (lambda X, y: cross_validate(KernelRidge(), X, y, "loo"), "folds must be a whole number ≥ 2, got 'loo'."),
        (
            lambda X, y: cross_validate(KernelRidge(), X, y, 2.5),
            "folds must be a whole number, 'leave-one-out' or pairs (train, test), got 2.5.",
        ),
        (
            lambda X, y: cross_validate(KernelRidge(), X, y, [([0, 1], [99])]),
            "Each train and test of folds must hold indices of the 41 points, from 0 to 40.",
        ),
        (
            lambda X, y: cross_validate(KernelRidge(), X, y[:5]),
            "y must hold one target, or one row of targets, for each of the 41 points, got shape (5,).",
        ),
        (
            lambda X, y: cross_validate(KernelRidge(), X, y, random_state=-1),
            "random_state must be a whole number ≥ 0, got -1.",
        ),
        (
            lambda X, y: cross_validate(KernelSVM(), X, np.arange(41) // 4, 7),
            "folds must be at most 4, the size of the largest class, got 7.",
        ),
        (lambda X, y: grid(KernelRidge(), X, y, lam=1.0), "lam must be a list of values to try, got 1.0."),
        (lambda X, y: grid(KernelRidge(), X, y, lam=[]), "lam must be a list of values to try, got []."),
        (
            lambda X, y: learning_curve(KernelRidge(), X, y, [5, 40], 4),
            "sizes must be at most 30, the points of a training fold, got 40.",
        ),
        (lambda X, y: learning_curve(KernelRidge(), X, y, [0, 4], 4), "sizes must be a whole number ≥ 1, got 0."),
        (lambda X, y: median_distance([[1.0]]), "The distances of one point to others need 2 points or more, got 1."),
        (lambda X, y: bias_variance(KernelRidge(), X, truth), None),
        (lambda X, y: bias_variance(KernelRidge(), 3, truth), "sample must be a function seed → X, y, got 3."),
        (
            lambda X, y: bias_variance(KernelRidge(), lambda seed: 3, truth),
            "sample must be a function seed → X, y, but sample(40) gives int.",
        ),
        (
            lambda X, y: bias_variance(Kriging(), lambda seed: (X, y[:, None]), truth),
            "sample must draw one target for each point, y of shape (41,), got (41, 1).",
        ),
        (
            lambda X, y: grid(KernelRidge(), X, y, "leave-one-out", lam=[None]),
            "lams must hold finite numbers, but input contains NaN or infinity.",
        ),
        (
            lambda X, y: grid(KernelRidge(), X, y, gamma=[1.0]),
            "Invalid parameter 'gamma' for estimator KernelRidge(). Valid parameters are: ['kernel', 'lam', 'center'].",
        ),
        (
            lambda X, y: cross_validate(KernelRidge(), X, y, [([[0], [1]], [[2]])]),
            "Each train and test of folds must hold indices of the 41 points, from 0 to 40.",
        ),
        (
            lambda X, y: bias_variance(KernelRidge(), draw, np.sin, points=X),
            "truth must map 41 points to an array of shape (41,), got (41, 1).",
        ),
        (
            lambda X, y: bias_variance(KernelSVM(), draw, truth),
            "model must be a regressor, because the labels of classes have no mean, got KernelSVM().",
        ),
        (
            lambda X, y: bias_variance(KernelRidge, draw, truth),
            "model must be a model such as KernelRidge(), got <class 'kernelkit.models.ridge.KernelRidge'>.",
        ),
        (lambda X, y: grid(None, X, y, lam=[1.0]), "model must be a model such as KernelRidge(), got None."),
        (
            lambda X, y: cross_validate(KernelRidge(), X, y, []),
            "folds must hold at least one pair (train, test), got none.",
        ),
        (lambda X, y: bias_variance(KernelRidge(), draw, 3), "truth must be a function (n, d) → (n,), got 3."),
        (lambda X, y: bias_variance(KernelRidge(), draw, truth, 0), "repeats must be a whole number ≥ 1, got 0."),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, sentence, curve):
    with pytest.raises((ValueError, TypeError)) as error:
        call(*curve)
    assert sentence is None or str(error.value) == sentence


def test_an_unknown_parameter_is_named(curve):
    with pytest.raises(ValueError, match=r"^Invalid parameter 'kernel__width'"):
        grid(KernelRidge(), *curve, kernel__width=[1.0])


def test_rare_classes_do_not_warn():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(splits(["a"] * 9 + ["b"], 3, stratified=True)) == 3
