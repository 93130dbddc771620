"""Theorems about choosing: scikit-learn's folds and results, every cell by brute force, and errors that add up."""

import warnings
from functools import wraps

import numpy as np
import pytest
from scipy.spatial.distance import pdist
from sklearn.kernel_ridge import KernelRidge as SklearnKernelRidge
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    LeaveOneOut,
    StratifiedKFold,
    cross_val_score,
    learning_curve as sklearn_learning_curve,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from kernelkit import (
    FromFeatures,
    Gaussian,
    KernelLogistic,
    KernelRidge,
    KernelSVM,
    Laplace,
    Linear,
    Monomials,
    Polynomial,
    Precomputed,
    PrimalRidge,
    datasets,
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
SIGMAS, LAMS, PRICES = [0.2, 0.5, 1.5], [0.01, 0.1, 1.0, 10.0], [0.1, 1.0, 10.0, 1000.0]


@pytest.fixture(scope="module")
def curve():
    return datasets.sine(41, noise=0.3)


@pytest.fixture(scope="module")
def classes():
    X, y = datasets.mixture(61)
    order = np.random.default_rng(0).permutation(61)
    return X[order], y[order]


def same(ours, theirs):
    assert len(ours) == len(theirs)
    for mine, other in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(mine[0], other[0])
        np.testing.assert_array_equal(mine[1], other[1])


@pytest.mark.parametrize("folds", [2, 5, 7])
@pytest.mark.parametrize("seed", [None, 0, 3])
def test_folds_are_scikit_learn_s(folds, seed, cloud):
    X, y = cloud(41, 2), np.random.default_rng(1).choice(["b", "a", "c"], 41, p=[0.5, 0.3, 0.2])
    shuffle = {"shuffle": seed is not None, "random_state": seed}
    same(splits(y, folds, seed), list(KFold(folds, **shuffle).split(X)))
    same(splits(y, folds, seed, stratified=True), list(StratifiedKFold(folds, **shuffle).split(X, y)))
    same(splits(y, "leave-one-out"), list(LeaveOneOut().split(X)))
    same(splits(y, 41, stratified=True), list(LeaveOneOut().split(X)))
    same(splits(y, KFold(3).split(X)), list(KFold(3).split(X)))


@pytest.mark.parametrize("seed", [None, 5])
def test_cross_validation_is_scikit_learn_s(seed, curve, classes):
    shuffle = {"shuffle": seed is not None, "random_state": seed}
    for model in (KernelRidge(Gaussian(0.5), 0.1), PrimalRidge(Monomials(3), 0.1), KernelRidge(center=True)):
        theirs = -cross_val_score(model, *curve, cv=KFold(4, **shuffle), scoring="neg_mean_squared_error")
        np.testing.assert_allclose(cross_validate(model, *curve, 4, seed), theirs, rtol=1e-9)
    scaled = make_pipeline(StandardScaler(), SVC())
    for model in (KernelSVM(Gaussian(0.7)), KernelLogistic(Gaussian(0.7)), SVC(), scaled):
        theirs = 1 - cross_val_score(model, *classes, cv=StratifiedKFold(4, **shuffle))
        np.testing.assert_allclose(cross_validate(model, *classes, 4, seed), theirs, atol=1e-12)


def brute(model, X, y, pairs, settings):
    """The errors, one fit at a time on the points themselves."""
    errors = []
    for train, test in pairs:
        h = model.set_params(**settings).fit(X[train], y[train]).predict(X[test])
        errors.append(np.mean(h != y[test]) if hasattr(model, "classes_") else np.mean((h - y[test]) ** 2))
    return errors


def every_cell_is_brute_force(model, X, y, folds, seed, rtol, **values):
    before = repr(model)
    found = grid(model, X, y, folds, seed, **values)
    pairs = splits(y, folds, seed, stratified=hasattr(model, "class_weight"))
    names, lists = list(values), list(values.values())
    assert found.values == values and found.errors.shape == (*map(len, lists), len(pairs))
    for place in np.ndindex(*map(len, lists)):
        settings = {name: part[i] for name, part, i in zip(names, lists, place, strict=True)}
        expected = brute(type(model)(**model.get_params(deep=False)), X, y, pairs, settings)
        np.testing.assert_allclose(found.errors[place], expected, rtol=rtol, atol=1e-12)
    assert repr(model) == before and not hasattr(model, "a_")
    return found


@pytest.mark.parametrize(("folds", "seed"), [(5, None), (5, 0), ("leave-one-out", None), (41, 1)])
def test_grid_of_ridge_is_brute_force(folds, seed, curve):
    every_cell_is_brute_force(KernelRidge(), *curve, folds, seed, 1e-7, kernel__sigma=SIGMAS, lam=LAMS)
    every_cell_is_brute_force(KernelRidge(), *curve, folds, seed, 1e-7, lam=LAMS, kernel=[Laplace(1.0), Linear() + 1])


def test_grid_of_what_has_no_closed_form_is_brute_force(curve):
    every_cell_is_brute_force(KernelRidge(), *curve, 41, None, 1e-7, center=[False, True], lam=[0.1, 1.0])
    every_cell_is_brute_force(KernelRidge(), *curve, "leave-one-out", None, 1e-7, kernel__sigma=SIGMAS)
    every_cell_is_brute_force(KernelRidge(center=True), *curve, "leave-one-out", None, 1e-7, lam=LAMS)
    every_cell_is_brute_force(PrimalRidge(), *curve, 5, 0, 1e-7, feature_map__degree=[1, 3], lam=LAMS)


@pytest.mark.parametrize("seed", [None, 0])
def test_grid_of_a_machine_warm_along_its_price_is_brute_force(seed, classes):
    every_cell_is_brute_force(KernelSVM(tol=1e-6), *classes, 5, seed, 0, kernel__sigma=SIGMAS, C=PRICES)
    kernels = [Polynomial(2), Linear()]
    every_cell_is_brute_force(KernelSVM(tol=1e-6), *classes, 5, seed, 0, C=PRICES[::-1], kernel=kernels)
    every_cell_is_brute_force(KernelSVM(class_weight="balanced", tol=1e-6), *classes, 5, seed, 0, C=PRICES)
    every_cell_is_brute_force(KernelLogistic(), *classes, 5, seed, 0, kernel__sigma=SIGMAS, lam=[0.1, 1.0])


def test_warm_starts_spare_steps(classes, monkeypatch):
    X, y = datasets.mixture(150)
    steps, cold = [], 0
    fit = KernelSVM.fit

    @wraps(fit)
    def counted(self, *args, **kwargs):
        fit(self, *args, **kwargs)
        steps.append(self.n_iter_)
        return self

    for C in (prices := np.geomspace(0.01, 100, 8)):
        for train, _ in splits(y, 3, None, stratified=True):
            cold += KernelSVM(Gaussian(1.0), C).fit(X[train], y[train]).n_iter_
    monkeypatch.setattr(KernelSVM, "fit", counted)
    grid(KernelSVM(Gaussian(1.0)), X, y, 3, C=prices)
    assert len(steps) == 24 and sum(steps) < 0.8 * cold


def test_grid_search_of_scikit_learn_finds_the_same(curve, classes):
    X, y = curve
    theirs = GridSearchCV(
        SklearnKernelRidge(kernel="rbf"), {"alpha": LAMS, "gamma": [1 / (2 * s**2) for s in SIGMAS]}, cv=5,
        scoring="neg_mean_squared_error",
    ).fit(X, y)  # fmt: skip
    found = grid(KernelRidge(), X, y, 5, lam=LAMS, kernel__sigma=SIGMAS)
    np.testing.assert_allclose(-theirs.cv_results_["mean_test_score"].reshape(4, 3), found.mean, rtol=1e-8)
    best = theirs.best_params_
    assert found.best == {"lam": best["alpha"], "kernel__sigma": pytest.approx(1 / np.sqrt(2 * best["gamma"]))}
    assert KernelRidge().set_params(**found.best).kernel == Gaussian(found.best["kernel__sigma"])


def test_the_ends_of_a_map_do_not_warn_and_an_overflow_names_the_kernel():
    X, y = datasets.mixture(200)
    assert grid(KernelSVM(), X, y, 3, kernel__sigma=[1e-6, 1e6], C=[1.0, 10.0]).mean.shape == (2, 2)
    grid(KernelRidge(), X, 1.0 * y, "leave-one-out", kernel__sigma=[1e-6, 1e6], lam=[0.1, 1.0])
    with pytest.raises(ValueError, match=r"^k overflows: scale the inputs\. Polynomial\(3\) gives numbers beyond"):
        grid(KernelSVM(Polynomial(2)), 1e60 * X, y, 3, kernel__degree=[3])


def test_tables_and_lists_are_cut_as_they_must(classes):
    X, y = classes
    direct = grid(KernelSVM(Gaussian(0.7)), X, y, 5, C=[1.0, 10.0]).errors
    table = grid(KernelSVM(Precomputed()), Gaussian(0.7)(X), y, 5, C=[1.0, 10.0]).errors
    np.testing.assert_array_equal(table, direct)
    ridge = KernelRidge(Precomputed(), 0.5)
    np.testing.assert_allclose(
        cross_validate(ridge, Gaussian(0.7)(X), 1.0 * y, "leave-one-out"),
        cross_validate(KernelRidge(Gaussian(0.7), 0.5), X, 1.0 * y, "leave-one-out"), rtol=1e-9,
    )  # fmt: skip
    np.testing.assert_array_equal(grid(SVC(C=1), X.tolist(), y, 5).errors, cross_validate(SVC(C=1), X, y, 5))


@pytest.mark.parametrize("folds", [5, "leave-one-out"])
def test_rows_of_targets_and_lists_of_objects(folds, curve):
    X, y = curve
    both = grid(KernelRidge(Gaussian(0.5)), X, np.column_stack([y, y**2]), folds, lam=LAMS).errors
    one, other = (grid(KernelRidge(Gaussian(0.5)), X, t, folds, lam=LAMS).errors for t in (y[:, None], y**2))
    np.testing.assert_allclose(both, (one + other) / 2, rtol=1e-9)
    words = ["ab" * (i % 3) + "c" * (i % 5) for i in range(41)]
    counts = np.array([[w.count(c) for c in "abc"] for w in words], float)
    k = FromFeatures(lambda W: np.array([[w.count(c) for c in "abc"] for w in W], float))
    for found, expected in (
        (grid(KernelRidge(k), words, y, folds, lam=LAMS), grid(KernelRidge(Linear()), counts, y, folds, lam=LAMS)),
        (nested(KernelRidge(k), words, y, 3, lam=LAMS), nested(KernelRidge(Linear()), counts, y, 3, lam=LAMS)),
    ):
        np.testing.assert_allclose(found.errors, expected.errors, rtol=1e-6)


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


def test_median_distance_is_the_median_of_all_pairs(cloud):
    X = cloud(40, 3)
    assert median_distance(X) == np.median(pdist(X)) == pytest.approx(2.3, abs=0.3)
    assert median_distance(5 * X) == pytest.approx(5 * median_distance(X))


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
    assert found.bias2 == np.mean((found.mean - found.truth) ** 2)


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


# ---- bad input --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda X, y: cross_validate(KernelRidge(), X, y, 1), "folds must be a whole number ≥ 2, got 1."),
        (lambda X, y: cross_validate(KernelRidge(), X, y, 99),
         "folds must be a whole number from 2 to the number of points, 41, got 99."),
        (lambda X, y: cross_validate(KernelRidge(), X, y, "loo"), "folds must be a whole number ≥ 2, got 'loo'."),
        (lambda X, y: cross_validate(KernelRidge(), X, y, 2.5),
         "folds must be a whole number, 'leave-one-out' or pairs (train, test), got 2.5."),
        (lambda X, y: cross_validate(KernelRidge(), X, y, [([0, 1], [99])]),
         "Each train and test of folds must hold indices of the 41 points, from 0 to 40."),
        (lambda X, y: cross_validate(KernelRidge(), X, y[:5]),
         "y must hold one target, or one row of targets, for each of the 41 points, got shape (5,)."),
        (lambda X, y: cross_validate(KernelRidge(), X, y, random_state=-1),
         "random_state must be a whole number ≥ 0, got -1."),
        (lambda X, y: cross_validate(KernelSVM(), X, np.arange(41) // 4, 7),
         "folds must be at most 4, the size of the largest class, got 7."),
        (lambda X, y: grid(KernelRidge(), X, y, lam=1.0), "lam must be a list of values to try, got 1.0."),
        (lambda X, y: grid(KernelRidge(), X, y, lam=[]), "lam must be a list of values to try, got []."),
        (lambda X, y: learning_curve(KernelRidge(), X, y, [5, 40], 4),
         "sizes must be at most 30, the points of a training fold, got 40."),
        (lambda X, y: learning_curve(KernelRidge(), X, y, [0, 4], 4), "sizes must be a whole number ≥ 1, got 0."),
        (lambda X, y: median_distance([[1.0]]), "The distances of one point to others need 2 points or more, got 1."),
        (lambda X, y: bias_variance(KernelRidge(), X, truth), None),
        (lambda X, y: bias_variance(KernelRidge(), draw, 3), "truth must be a function (n, d) → (n,), got 3."),
        (lambda X, y: bias_variance(KernelRidge(), draw, truth, 0), "repeats must be a whole number ≥ 1, got 0."),
    ],
)  # fmt: skip
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
