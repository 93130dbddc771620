"""Theorems about choosing: scikit-learn's folds and results, every cell by brute force, and errors that add up."""

from functools import wraps

import numpy as np
import pytest
from scipy.spatial.distance import pdist
from sklearn.base import is_classifier
from sklearn.kernel_ridge import KernelRidge as SklearnKernelRidge
from sklearn.model_selection import (
    GridSearchCV,
    KFold,
    LeaveOneOut,
    StratifiedKFold,
    cross_val_score,
)
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from kernelkit import (
    FromFeatures,
    Gaussian,
    KernelLogistic,
    KernelNeighbors,
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
from kernelkit.models.reading import DataConversionWarning
from kernelkit.study.folds import splits
from kernelkit.study.selection import (
    Grid,
    cross_validate,
    grid,
    median_distance,
    nested,
)

pytestmark = pytest.mark.filterwarnings("error")
SIGMAS, LAMS, PRICES = [0.2, 0.5, 1.5], [0.01, 0.1, 1.0, 10.0], [0.1, 1.0, 10.0, 1000.0]


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


def test_a_class_may_have_fewer_points_than_there_are_folds():
    y = np.array([0, 1, 1, 1, 1, 0, 1, 1])
    with pytest.warns(UserWarning, match="The least populated class"):
        theirs = list(StratifiedKFold(6).split(y, y))
    same(splits(y, 6, stratified=True), theirs)
    with pytest.raises(ValueError, match=r"^folds must be at most 6, the size of the largest class, got 7\.$"):
        splits(y, 7, stratified=True)


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
    pairs = splits(y, folds, seed, stratified=is_classifier(model))
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


def test_the_closed_form_is_for_exactly_one_point_left_out(curve):
    X, y = curve
    n, rest = np.arange(41), np.delete(np.arange(41), 3)
    odd = [(n, [3]), (n[:40], [3]), (np.append(rest, 0), [3]), (rest[::-1], [3])]  # the last one leaves it out
    found = grid(KernelRidge(Gaussian(0.5)), X, y, odd, lam=LAMS).errors
    for place, lam in enumerate(LAMS):
        expected = brute(KernelRidge(Gaussian(0.5)), X, y, [(t, np.array(s)) for t, s in odd], {"lam": lam})
        np.testing.assert_allclose(found[place], expected, rtol=1e-7)


@pytest.mark.parametrize("seed", [None, 0])
def test_grid_of_a_machine_warm_along_its_price_is_brute_force(seed, classes):
    every_cell_is_brute_force(KernelSVM(tol=1e-6), *classes, 5, seed, 0, kernel__sigma=SIGMAS, C=PRICES)
    every_cell_is_brute_force(KernelSVM(Gaussian(0.2), tol=1e-6), *classes, 5, seed, 0, C=[1.0, np.inf, 2.0])
    kernels = [Polynomial(2), Linear()]
    every_cell_is_brute_force(KernelSVM(tol=1e-6), *classes, 5, seed, 0, C=PRICES[::-1], kernel=kernels)
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
        SklearnKernelRidge(kernel="rbf"),
        {"alpha": LAMS, "gamma": [1 / (2 * s**2) for s in SIGMAS]},
        cv=5,
        scoring="neg_mean_squared_error",
    ).fit(X, y)
    found = grid(KernelRidge(), X, y, 5, lam=LAMS, kernel__sigma=SIGMAS)
    np.testing.assert_allclose(-theirs.cv_results_["mean_test_score"].reshape(4, 3), found.mean, rtol=1e-8)
    best = theirs.best_params_
    assert found.best == {"lam": best["alpha"], "kernel__sigma": pytest.approx(1 / np.sqrt(2 * best["gamma"]))}
    assert KernelRidge().set_params(**found.best).kernel == Gaussian(found.best["kernel__sigma"])


def test_the_best_is_the_first_of_equals_though_their_means_are_rounded_apart():
    errors = np.array([[0.4, 0.2, 0.3], [0.1, 0.2, 0.3], [0.3, 0.2, 0.1]])
    found = Grid({"C": [1, 2, 3]}, errors)
    assert found.mean[1] > found.mean[2] and found.best == {"C": 2}
    assert Grid({"C": [1, 2], "lam": [3, 4]}, np.array([[[1.0], [0.0]], [[0.0], [0.0]]])).best == {"C": 1, "lam": 4}


def test_the_ends_of_a_map_do_not_warn_and_an_overflow_names_the_kernel():
    X, y = datasets.mixture(200)
    assert grid(KernelSVM(), X, y, 3, kernel__sigma=[1e-6, 1e6], C=[1.0, 10.0]).mean.shape == (2, 2)
    grid(KernelRidge(), X, 1.0 * y, "leave-one-out", kernel__sigma=[1e-6, 1e6], lam=[0.1, 1.0])
    with pytest.raises(ValueError, match=r"^k overflows: scale the inputs\. Polynomial\(3\) gives numbers beyond"):
        grid(KernelSVM(Polynomial(2)), 1e60 * X, y, 3, kernel__degree=[3])
    with pytest.raises(ValueError, match=r"^k vanishes: scale the inputs\. No k\(x, x\) of these points"):
        grid(KernelSVM(Polynomial(2, 0)), 1e-80 * X, y, 3, C=[1.0])


def test_tables_and_lists_are_cut_as_they_must(classes):
    X, y = classes
    direct = grid(KernelSVM(Gaussian(0.7)), X, y, 5, C=[1.0, 10.0]).errors
    table = grid(KernelSVM(Precomputed()), Gaussian(0.7)(X), y, 5, C=[1.0, 10.0]).errors
    np.testing.assert_array_equal(table, direct)
    ridge = KernelRidge(Precomputed(), 0.5)
    np.testing.assert_allclose(
        cross_validate(ridge, Gaussian(0.7)(X), 1.0 * y, "leave-one-out"),
        cross_validate(KernelRidge(Gaussian(0.7), 0.5), X, 1.0 * y, "leave-one-out"),
        rtol=1e-9,
    )
    np.testing.assert_array_equal(grid(SVC(C=1), X.tolist(), y, 5).errors, cross_validate(SVC(C=1), X, y, 5))


@pytest.mark.parametrize("folds", [5, "leave-one-out"])
def test_rows_of_targets(folds, curve):
    X, y = curve
    both = grid(KernelRidge(Gaussian(0.5)), X, np.column_stack([y, y**2]), folds, lam=LAMS).errors
    one, other = (grid(KernelRidge(Gaussian(0.5)), X, t, folds, lam=LAMS).errors for t in (y[:, None], y**2))
    np.testing.assert_allclose(both, (one + other) / 2, rtol=1e-9)


def test_a_list_of_points_is_their_array(curve):
    X, y = curve
    for search in (grid, nested):
        found, expected = (search(KernelRidge(), points, y, 3, lam=LAMS).errors for points in (X.tolist(), X))
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("folds", [5, "leave-one-out"])
def test_lists_of_objects_also_for_a_kernel_that_is_tried(folds, curve):
    y = curve[1]
    words = ["ab" * (i % 3) + "c" * (i % 5) for i in range(41)]
    counts = np.array([[w.count(c) for c in "abc"] for w in words], float)
    k = FromFeatures(lambda W: np.array([[w.count(c) for c in "abc"] for w in W], float))
    for found, expected in (
        (grid(KernelRidge(k), words, y, folds, lam=LAMS), grid(KernelRidge(Linear()), counts, y, folds, lam=LAMS)),
        (grid(KernelRidge(), words, y, folds, kernel=[k]), grid(KernelRidge(), counts, y, folds, kernel=[Linear()])),
        (nested(KernelRidge(k), words, y, 3, lam=LAMS), nested(KernelRidge(Linear()), counts, y, 3, lam=LAMS)),
    ):
        np.testing.assert_allclose(found.errors, expected.errors, rtol=1e-6)


@pytest.mark.parametrize("folds", [4, [(np.arange(20), np.arange(20, 40))]], ids=["4", "own pairs"])
@pytest.mark.parametrize("model", [KernelSVM(), SVC()], ids=["ours", "scikit-learn's"])
def test_a_column_of_labels_is_a_list_with_a_warning(model, folds, classes):
    """As for ``fit``, and of a regressor's targets in silence."""
    X, y = classes
    with pytest.warns(DataConversionWarning, match="A column-vector y was passed"):
        found = cross_validate(model, X, y[:, None], folds)
    np.testing.assert_array_equal(found, cross_validate(model, X, y, folds))
    with pytest.raises(ValueError, match="y must hold one label for each of the"):
        cross_validate(model, X, np.c_[y, y], folds)


@pytest.mark.parametrize("unit", [1e-310, 1e-200, 1e200, 1e307])
def test_median_distance_knows_no_units(unit, cloud):
    assert median_distance(unit * cloud(31, 2)) == pytest.approx(unit * median_distance(cloud(31, 2)), rel=1e-9)


def test_far_points_have_their_neighbours_in_every_fold():
    X, y = datasets.blobs(60)
    near, far = (cross_validate(KernelNeighbors(Linear(), 3), X + place, y, random_state=0) for place in (0, 1.7e9))
    np.testing.assert_array_equal(near, far)


def test_targets_whose_squares_overflow_are_refused(curve):
    X, y = curve
    with pytest.raises(ValueError, match=r"^y must hold numbers below 1e\+150, because the squares of larger"):
        cross_validate(KernelRidge(Gaussian(1.0)), X, 1e200 * y)


def test_median_distance_is_the_median_of_all_pairs(cloud):
    X = cloud(40, 3)
    assert median_distance(X) == np.median(pdist(X)) == pytest.approx(2.3, abs=0.3)
    assert median_distance(5 * X) == pytest.approx(5 * median_distance(X))
