"""Theorems about choosing: scikit-learn's folds and results, every cell by brute force, and errors that add up."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist
from sklearn.base import is_classifier
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


# ---- folds --------------------------------------------------------------------------------------


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
    y = np.array([0, 1, 1, 1, 1, 0, 1, 1])  # six folds for the six points of the larger class; no warning of ours
    with pytest.warns(UserWarning, match="The least populated class"):
        theirs = list(StratifiedKFold(6).split(y, y))
    same(splits(y, 6, stratified=True), theirs)


# ---- grids --------------------------------------------------------------------------------------


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


@pytest.mark.parametrize(
    ("model", "folds", "seed", "values"),
    [
        (KernelRidge(), 5, 0, {"kernel__sigma": SIGMAS, "lam": LAMS}),
        (KernelRidge(), "leave-one-out", None, {"kernel__sigma": SIGMAS, "lam": LAMS}),
        (KernelRidge(), 5, None, {"lam": LAMS, "kernel": [Laplace(1.0), Linear() + 1]}),
        (KernelRidge(), 41, 1, {"lam": LAMS, "kernel": [Laplace(1.0), Linear() + 1]}),
        (KernelRidge(), "leave-one-out", None, {"kernel__sigma": SIGMAS}),
        (KernelRidge(), 41, None, {"center": [False, True], "lam": [0.1, 1.0]}),  # without a closed form
        (KernelRidge(center=True), "leave-one-out", None, {"lam": LAMS}),
        (PrimalRidge(), 5, 0, {"feature_map__degree": [1, 3], "lam": LAMS}),
        (KernelSVM(tol=1e-6), 5, 0, {"kernel__sigma": SIGMAS, "C": PRICES}),  # each starts where the one before ended
        (KernelSVM(Gaussian(0.2), tol=1e-6), 5, None, {"C": [1.0, np.inf, 2.0]}),
        (KernelSVM(tol=1e-6), 5, None, {"C": PRICES[::-1], "kernel": [Polynomial(2), Linear()]}),
        (KernelLogistic(), 5, 0, {"kernel__sigma": SIGMAS, "lam": [0.1, 1.0]}),
    ],
    ids=str,
)
def test_every_cell_of_a_grid_is_brute_force(model, folds, seed, values, curve, classes):
    X, y = classes if is_classifier(model) else curve
    before = repr(model)
    found = grid(model, X, y, folds, seed, **values)
    pairs = splits(y, folds, seed, stratified=is_classifier(model))
    shape = [len(tried) for tried in values.values()]
    assert found.values == values and found.errors.shape == (*shape, len(pairs))
    for place in np.ndindex(*shape):
        settings = {name: tried[i] for (name, tried), i in zip(values.items(), place, strict=True)}
        expected = brute(type(model)(**model.get_params(deep=False)), X, y, pairs, settings)
        rtol = 0 if is_classifier(model) else 1e-7
        np.testing.assert_allclose(found.errors[place], expected, rtol=rtol, atol=1e-12)
    assert repr(model) == before and not hasattr(model, "a_")


def test_the_closed_form_is_for_exactly_one_point_left_out(curve):
    X, y = curve
    n, rest = np.arange(41), np.delete(np.arange(41), 3)
    odd = [(n, [3]), (n[:40], [3]), (np.append(rest, 0), [3]), (rest[::-1], [3])]  # the last one leaves it out
    found = grid(KernelRidge(Gaussian(0.5)), X, y, odd, lam=LAMS).errors
    for place, lam in enumerate(LAMS):
        expected = brute(KernelRidge(Gaussian(0.5)), X, y, [(t, np.array(s)) for t, s in odd], {"lam": lam})
        np.testing.assert_allclose(found[place], expected, rtol=1e-7)


class Counting(KernelSVM):
    """It notes how many steps each of its fits took."""

    steps = []  # noqa: RUF012

    def fit(self, X, y, *, start=None):
        super().fit(X, y, start=start)
        Counting.steps.append(self.n_iter_)
        return self


def test_warm_starts_spare_steps():
    X, y = datasets.mixture(150)
    prices, pairs = np.geomspace(0.01, 100, 8), splits(y, 3, stratified=True)
    cold = [KernelSVM(Gaussian(1.0), C).fit(X[train], y[train]).n_iter_ for C in prices for train, _ in pairs]
    grid(Counting(Gaussian(1.0)), X, y, 3, C=prices)
    assert len(Counting.steps) == len(cold) == 24 and sum(Counting.steps) < 0.8 * sum(cold)


def test_the_best_is_the_first_of_equals_though_their_means_are_rounded_apart():
    errors = np.array([[0.4, 0.2, 0.3], [0.1, 0.2, 0.3], [0.3, 0.2, 0.1]])
    found = Grid({"C": [1, 2, 3]}, errors)
    assert found.mean[1] > found.mean[2] and found.best == {"C": 2}
    assert Grid({"C": [1, 2], "lam": [3, 4]}, np.array([[[1.0], [0.0]], [[0.0], [0.0]]])).best == {"C": 1, "lam": 4}


def test_the_ends_of_a_map_do_not_warn():
    X, y = datasets.mixture(200)
    assert grid(KernelSVM(), X, y, 3, kernel__sigma=[1e-6, 1e6], C=[1.0, 10.0]).mean.shape == (2, 2)
    grid(KernelRidge(), X, 1.0 * y, "leave-one-out", kernel__sigma=[1e-6, 1e6], lam=[0.1, 1.0])


# ---- data of other kinds ------------------------------------------------------------------------


def test_tables_and_lists_are_cut_as_they_must(curve, classes):
    X, y = classes
    direct = grid(KernelSVM(Gaussian(0.7)), X, y, 5, C=[1.0, 10.0]).errors
    table = grid(KernelSVM(Precomputed()), Gaussian(0.7)(X), y, 5, C=[1.0, 10.0]).errors
    np.testing.assert_array_equal(table, direct)
    np.testing.assert_array_equal(grid(SVC(C=1), X.tolist(), y, 5).errors, cross_validate(SVC(C=1), X, y, 5))
    X, y = curve
    for search, folds in ((grid, "leave-one-out"), (nested, 3)):
        table = search(KernelRidge(Precomputed()), Gaussian(0.7)(X), y, folds, lam=LAMS).errors
        direct, listed = (search(KernelRidge(Gaussian(0.7)), points, y, folds, lam=LAMS) for points in (X, X.tolist()))
        np.testing.assert_allclose(table, direct.errors, rtol=1e-9)
        np.testing.assert_array_equal(listed.errors, direct.errors)


@pytest.mark.parametrize("folds", [5, "leave-one-out"])
def test_rows_of_targets(folds, curve):
    X, y = curve
    both = grid(KernelRidge(Gaussian(0.5)), X, np.column_stack([y, y**2]), folds, lam=LAMS).errors
    one, other = (grid(KernelRidge(Gaussian(0.5)), X, t, folds, lam=LAMS).errors for t in (y[:, None], y**2))
    np.testing.assert_allclose(both, (one + other) / 2, rtol=1e-9)


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


def test_far_points_have_their_neighbours_in_every_fold():
    X, y = datasets.blobs(60)
    near, far = (cross_validate(KernelNeighbors(Linear(), 3), X + place, y, random_state=0) for place in (0, 1.7e9))
    np.testing.assert_array_equal(near, far)


@pytest.mark.parametrize("unit", [1e-310, 1e-200, 1, 5, 1e200, 1e307])
def test_the_median_distance_is_that_of_all_pairs_in_any_unit(unit, cloud):
    X = cloud(31, 2)
    assert median_distance(unit * X) == pytest.approx(unit * np.median(pdist(X)), rel=1e-9, abs=0)


# ---- samples ------------------------------------------------------------------------------------


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
    samples = map(draw, range(30))
    assert found.noise == pytest.approx(np.mean([(y - truth(X)) ** 2 for X, y in samples]), rel=1e-12)
    given = bias_variance(model, draw, truth, 2, points=found.points[:9])
    np.testing.assert_allclose(given.fits, found.fits[:2, :9], rtol=1e-12)


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


def test_grid_and_nested_are_scikit_learn_s_search_and_the_search_inside_cross_validation(cloud):
    X, y = cloud(30, 2), cloud(30, seed=5)  # noise: every outer fold makes another choice
    values = {"kernel__sigma": SIGMAS, "lam": LAMS}
    search = GridSearchCV(KernelRidge(), values, cv=4, scoring="neg_mean_squared_error")
    theirs = -cross_val_score(search, X, y, cv=KFold(3), scoring="neg_mean_squared_error")
    found = nested(KernelRidge(), X, y, 3, 4, **values)
    np.testing.assert_allclose(found.errors, theirs, rtol=1e-8)
    assert len({tuple(best.values()) for best in found.chosen}) > 1 and set(found.chosen[0]) == set(values)
    once = grid(KernelRidge(), X, y, 4, **values)
    np.testing.assert_allclose(once.mean.ravel(), -search.fit(X, y).cv_results_["mean_test_score"], rtol=1e-8)
    assert once.best == search.best_params_


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
