"""A Gram matrix in place of the points: every kernel model gives the same with ``Precomputed()`` as with the kernel."""

import inspect

import numpy as np
import pytest
from every_model import ESTIMATORS
from sklearn.base import is_classifier
from sklearn.kernel_ridge import KernelRidge as SklearnKernelRidge
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.svm import SVC
from sklearn.utils import get_tags

import kernelkit
from kernelkit import (
    Conjugate,
    Gaussian,
    KernelKMeans,
    KernelLogistic,
    KernelMachine,
    KernelMultiSVM,
    KernelNeighbors,
    KernelOneClass,
    KernelPCA,
    KernelRidge,
    KernelSoftmax,
    KernelSVM,
    KernelSVR,
    Kriging,
    Landmarks,
    Linear,
    Normalized,
    OneVsRest,
    Periodic,
    Precomputed,
    Pullback,
    datasets,
)
from kernelkit.kernels import InverseLength
from kernelkit.models import svm
from kernelkit.models.representer import losses

k = Gaussian(0.8)
MODELS = [
    Model
    for Model in (getattr(kernelkit, name) for name in kernelkit.__all__)
    if hasattr(Model, "score") and "kernel" in inspect.signature(Model).parameters
]
ALL = pytest.mark.parametrize("Model", MODELS, ids=lambda Model: Model.__name__)
KERNEL_MODELS = [Model for Model in ESTIMATORS if "kernel" in inspect.signature(Model).parameters]
EVERY = pytest.mark.parametrize("Model", KERNEL_MODELS, ids=lambda Model: Model.__name__)


def build(Model, kernel):
    """The model, solved so far that rounding is all that can differ."""
    return Model(kernel=kernel, **({"tol": 1e-8} if "tol" in inspect.signature(Model).parameters else {}))


def data_for(model):
    X, y = datasets.moons(60, noise=0.2)
    return (X, y, X[::2] + 0.1) if is_classifier(model) else (X, X[:, 0] + np.sin(3 * X[:, 1]), X[::2] + 0.1)


def outputs(model, Z):
    return model.decision_function(Z) if is_classifier(model) else model.predict(Z)


@ALL
def test_every_kernel_model_takes_a_gram_matrix(Model):
    X, y, Z = data_for(Model())
    by_kernel, by_table = build(Model, k).fit(X, y), build(Model, Precomputed()).fit(k(X), y)
    np.testing.assert_allclose(outputs(by_table, k(Z, X)), outputs(by_kernel, Z), rtol=1e-6, atol=1e-9)
    if hasattr(by_kernel, "a_"):
        np.testing.assert_allclose(by_table.a_, by_kernel.a_, rtol=1e-6, atol=1e-9)
    assert by_table.score(k(X), y) == pytest.approx(by_kernel.score(X, y), rel=1e-9)
    assert by_table.n_features_in_ == len(X)


@ALL
def test_the_rules_work_on_a_gram_matrix(Model):
    X, y, Z = data_for(Model())
    by_kernel, by_table = (build(Model, 3 * kernel**2 + 0.5) for kernel in (k, Precomputed()))
    by_kernel.fit(X, y), by_table.fit(k(X), y)
    np.testing.assert_allclose(outputs(by_table, k(Z, X)), outputs(by_kernel, Z), rtol=1e-6, atol=1e-9)


@ALL
def test_cross_validation_cuts_the_rows_and_the_columns(Model):
    X, y, _ = data_for(Model())
    folds = KFold(3, shuffle=True, random_state=0)
    for rule in (lambda kernel: kernel, lambda kernel: 2 * kernel + 1):
        by_kernel = cross_val_score(build(Model, rule(k)), X, y, cv=folds)
        by_table = cross_val_score(build(Model, rule(Precomputed())), k(X), y, cv=folds, error_score="raise")
        np.testing.assert_allclose(by_table, by_kernel, rtol=1e-6)


@ALL
def test_a_model_is_pairwise_as_its_kernel_is(Model):
    for kernel, pairwise in ((k, False), (Precomputed(), True), (1 + 2 * Precomputed(), True), (k + 1, False)):
        assert get_tags(Model(kernel=kernel)).input_tags.pairwise is pairwise
    assert get_tags(make_pipeline(FunctionTransformer(), Model(kernel=k))).input_tags.pairwise is False


def test_scikit_learn_s_models_with_the_same_gram_matrix_agree(cloud):
    X, y, Z = cloud(50, 2), cloud(50), cloud(20, 2, seed=1)
    K, K_new = k(X), k(Z, X)
    theirs = SklearnKernelRidge(alpha=0.3, kernel="precomputed").fit(K, y).predict(K_new)
    np.testing.assert_allclose(KernelRidge(Precomputed(), lam=0.3).fit(K, y).predict(K_new), theirs, rtol=1e-9)

    ours, theirs = KernelSVM(Precomputed(), C=2.0, tol=1e-8).fit(K, y > 0), SVC(C=2.0, kernel="precomputed", tol=1e-8)
    theirs.fit(K, y > 0)
    assert 0 < len(ours.support_) < 50  # some columns carry nothing
    np.testing.assert_array_equal(ours.support_, np.sort(theirs.support_))
    np.testing.assert_allclose(ours.decision_function(K_new), theirs.decision_function(K_new), atol=1e-6)

    search, peer = (
        GridSearchCV(model, grid, cv=KFold(5), scoring="neg_mean_squared_error").fit(K, y)
        for model, grid in (
            (KernelRidge(Precomputed()), {"lam": [0.01, 1.0, 100.0]}),
            (SklearnKernelRidge(kernel="precomputed"), {"alpha": [0.01, 1.0, 100.0]}),
        )
    )
    np.testing.assert_allclose(search.cv_results_["mean_test_score"], peer.cv_results_["mean_test_score"], rtol=1e-9)


def test_one_against_the_rest_takes_a_gram_matrix():
    X, y = datasets.moons(60, noise=0.2)
    y = np.where(X[:, 0] > 1, 2, y)
    by_kernel, by_table = (OneVsRest(KernelSVM(kernel, tol=1e-8)) for kernel in (k, Precomputed()))
    np.testing.assert_array_equal(by_table.fit(k(X), y).predict(k(X)), by_kernel.fit(X, y).predict(X))
    assert get_tags(by_table).input_tags.pairwise is True and get_tags(by_kernel).input_tags.pairwise is False
    np.testing.assert_allclose(cross_val_score(by_table, k(X), y, cv=3), cross_val_score(by_kernel, X, y, cv=3))


@pytest.mark.parametrize("loss", ["absolute", "hinge", "logistic", "maximum"])
def test_every_loss_takes_a_gram_matrix(loss):
    model = KernelMachine(k, loss=loss)
    X, y, Z = data_for(model)
    table = KernelMachine(Precomputed(), loss=loss).fit(k(X), y)
    np.testing.assert_allclose(outputs(table, k(Z, X)), outputs(model.fit(X, y), Z), rtol=1e-5, atol=1e-5)


# ---- a table that is not a kernel ------------------------------------------------------------------


def table_of(numbers):
    return (numbers + numbers.T) / 2


def targets(model):
    y = np.sin(np.arange(60.0))
    return y > 0 if is_classifier(model) else y


@EVERY
@pytest.mark.filterwarnings("ignore:KernelPerceptron still made mistakes")
def test_distances_are_not_a_kernel(Model, cloud):
    D = np.sqrt(Linear().squared_distance(cloud(60, 2)))
    for table in (D, -D, -(D**2) / 2, table_of(cloud(60, 60)), -np.eye(60)):
        model = Model(kernel=1 + Precomputed())
        with pytest.raises(ValueError, match=r"^k is not a kernel on these points: .*distances D is not one either"):
            model.fit(table, targets(model))
    model.fit(np.exp(-(D**2) / 2), targets(model))


@EVERY
@pytest.mark.filterwarnings("ignore:The matrix of 60 equations is singular|KernelPerceptron still made mistakes")
def test_rounding_makes_no_kernel_a_false_one(Model, cloud):
    X = cloud(60, 3)
    values, U = np.linalg.eigh(Gaussian(3.0)(X))
    below = np.where(values < 1e-9, -1e-12 * values[-1], values)
    for table in (X @ X.T, (U * below) @ U.T, np.float32(Gaussian(3.0)(X)).astype(float), np.ones((60, 60))):
        model = Model(kernel=Precomputed())
        model.fit(table_of(table), targets(model))


def unit_matrix_with_noise(cloud):
    """k(x, x) = 1 and |k(x, z)| ≤ 1, with eigenvalues from −1.6 to 3.7: no two points show that it is not a kernel."""
    noise = table_of(cloud(60, 60))
    noise /= np.abs(noise).max()
    np.fill_diagonal(noise, 1.0)
    return noise


MEETING = [
    KernelRidge(Precomputed(), 0.1),
    KernelRidge(Precomputed(), 0.0),
    Kriging(Precomputed(), 0.1),
    Kriging(Precomputed(), 0.0),
    KernelLogistic(Precomputed(), 1e-3),
    KernelLogistic(Precomputed(), 1e-13),
    KernelSoftmax(Precomputed(), 0.1),
    KernelSVM(Precomputed()),
    KernelSVR(Precomputed()),
    KernelOneClass(Precomputed()),
    KernelMultiSVM(Precomputed()),
    KernelPCA(Precomputed(), 30),
    *(KernelMachine(Precomputed(), loss, lam=0.1) for loss in losses()),
]
NEGATIVE = "k is not a kernel on these points: its Gram matrix has a negative eigenvalue"


@pytest.mark.parametrize("model", MEETING, ids=repr)
def test_a_negative_eigenvalue_has_one_sentence(model, cloud):
    with pytest.raises(ValueError, match=NEGATIVE):
        model.fit(unit_matrix_with_noise(cloud), targets(model))


def test_leave_one_out_landmarks_and_groups_meet_it_too(cloud):
    K = unit_matrix_with_noise(cloud)
    three = np.array([[1.0, 0.9, 0.9], [0.9, 1.0, -0.9], [0.9, -0.9, 1.0]])
    for call in (
        lambda: KernelRidge(Precomputed()).leave_one_out(K, np.ones(60), [1.0]),
        lambda: Landmarks(Precomputed(), K)(K),
        lambda: KernelKMeans(Precomputed(), 1).fit(three),
        lambda: KernelPCA(Precomputed(), 2).fit(np.kron(three, np.ones((20, 20)))),
    ):
        with pytest.raises(ValueError, match=NEGATIVE):
            call()


# ---- new points ---------------------------------------------------------------------------------

AROUND = Periodic(1.0, period=12)  # of X = 0 … 5 and Z = 6 … 11 its k(Z, X) looks like a Gram matrix, and is none
HERE, THERE = np.arange(6.0)[:, None], np.arange(6.0, 12.0)[:, None]
FAR = "k\\(z, z\\) of new points is needed"
RULES = {
    "k": lambda kernel: kernel,
    "2k + 1": lambda kernel: 2 * kernel + 1,
    "k² k": lambda kernel: kernel**2 * kernel,
    "conjugate": lambda kernel: Conjugate(len_of, kernel),
}
FEW = {"n_neighbors": 2, "tol": 1e-8}
MEASURING = {"neighbors", "posterior", "sample", "deviation"}  # these alone need k(z, z), of any kernel


def len_of(X):
    return np.full(len(X), 1.5)


def of_new_points(model):
    """Every method of a model that takes new points Z, called on them."""
    for name in dir(type(model)):
        if name.startswith("_") or not callable(getattr(type(model), name)):
            continue
        parameters = list(inspect.signature(getattr(type(model), name)).parameters)
        if parameters[1:2] == ["Z"]:
            seed = {"random_state": 0} if "random_state" in parameters else {}
            yield name, lambda fitted, Z, name=name, seed=seed: getattr(fitted, name)(Z, **seed)
        if "return_std" in parameters:
            yield "deviation", lambda fitted, Z, name=name: getattr(fitted, name)(Z, return_std=True)


def both_fitted(Model, rule, X):
    """The model fitted to points with a kernel, and to their table."""
    few = {name: value for name, value in FEW.items() if name in inspect.signature(Model).parameters}
    y = np.sin(X[:, 0]) > 0 if is_classifier(Model()) else np.sin(X[:, 0])
    return Model(rule(AROUND), **few).fit(X, y), Model(rule(Precomputed()), **few).fit(AROUND(X), y)


@EVERY
@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_rows_of_new_points_are_taken_for_no_gram_matrix(Model, rule):
    rows = AROUND(THERE, HERE)
    np.testing.assert_allclose(rows, rows.T, atol=1e-15)
    by_kernel, by_table = both_fitted(Model, rule, HERE)
    for name, call in of_new_points(by_kernel):
        if name in MEASURING:
            with pytest.raises(ValueError, match=FAR):
                call(by_table, rows)
        else:
            np.testing.assert_allclose(call(by_table, rows), call(by_kernel, THERE), rtol=1e-6, atol=1e-6, err_msg=name)


@EVERY
def test_a_normalized_table_is_learned_from_and_its_new_rows_are_refused(Model):
    by_kernel, by_table = both_fitted(Model, Normalized, HERE)
    for learned in ("a_", "labels_", "squares_", "scores_"):
        if hasattr(by_kernel, learned):
            ours, theirs = getattr(by_table, learned), getattr(by_kernel, learned)
            np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-6)
    for _, call in of_new_points(by_kernel):
        with pytest.raises(ValueError, match=FAR):
            call(by_table, AROUND(THERE, HERE))


@pytest.mark.parametrize("size", [1, 6])
def test_no_rule_takes_rows_of_new_points_for_a_gram_matrix(size):
    X, Z = HERE[:size], HERE[:size] + 0.5
    rows = (AROUND(Z, X) + AROUND(Z, X).T) / 2
    for rule in RULES.values():
        k = rule(Precomputed())
        for ask in (k.squared_distance, Normalized(k), Landmarks(k, AROUND(X)).error):
            with pytest.raises(ValueError, match=FAR):
                ask(rows, AROUND(X))
    for rule in (InverseLength, lambda k: Pullback(k, len_of), lambda k: Normalized(k).derivation):
        with pytest.raises(ValueError, match=FAR):
            rule(2 * Precomputed())


def test_the_deviation_at_one_training_point_is_not_guessed():
    model = Kriging(Precomputed(), noise=0.01).fit([[1.0]], [2.0])
    assert model.predict([[0.5]]) == pytest.approx([0.5 * 2 / 1.01])
    with pytest.raises(ValueError, match=FAR):
        model.predict([[0.5]], return_std=True)


def test_folds_of_a_table_give_what_folds_of_points_give():
    X, y, _ = data_for(KernelNeighbors())
    for model, grid in (
        (KernelNeighbors, {"n_neighbors": [1, 3, 9]}),
        (KernelSVM, {"C": [0.1, 1.0, 10.0]}),
    ):
        by_kernel, by_table = (
            GridSearchCV(model(kernel), grid, cv=4, error_score="raise") for kernel in (k, Precomputed())
        )
        by_kernel.fit(X, y), by_table.fit(k(X), y)
        np.testing.assert_allclose(
            by_table.cv_results_["mean_test_score"], by_kernel.cv_results_["mean_test_score"], rtol=1e-12
        )


def test_a_table_of_many_points_needs_no_rows_on_demand(monkeypatch):
    X, y, _ = data_for(KernelSVM())
    whole = KernelSVM(Normalized(Precomputed())).fit(3 * k(X), y)
    monkeypatch.setattr(svm, "WHOLE", 10)
    np.testing.assert_array_equal(KernelSVM(Normalized(Precomputed())).fit(3 * k(X), y).a_, whole.a_)
    np.testing.assert_allclose(KernelSVM(k).fit(X, y).a_, whole.a_, atol=1e-6)


def test_leave_one_out_and_distances_need_only_the_gram_matrix(cloud):
    X, y = cloud(30, 2), cloud(30)
    ours = KernelRidge(Precomputed()).leave_one_out(k(X), y, [0.1, 1.0])
    np.testing.assert_allclose(ours, KernelRidge(k).leave_one_out(X, y, [0.1, 1.0]), rtol=1e-6)
    np.testing.assert_allclose(Precomputed().squared_distance(k(X)), k.squared_distance(X), rtol=1e-12)
    np.testing.assert_array_equal(Precomputed()(k(X)), k(X))
    np.testing.assert_array_equal(Precomputed()(k(X)[:4], k(X)), k(X)[:4])


def test_a_matrix_with_rounding_is_made_symmetric(cloud):
    K = np.array(k(cloud(20, 2)))
    noisy = K + 1e-12 * cloud(20, 20)
    np.testing.assert_array_equal(Precomputed()(noisy), (noisy + noisy.T) / 2)
    np.testing.assert_array_equal(Precomputed().diag(noisy), noisy.diagonal())


K = k(np.arange(8.0).reshape(4, 2) / 4)
REFUSED = {
    "rows without columns": (lambda: KernelRidge(Precomputed()).fit(K[:3], [1, 2, 3]), "square and symmetric.*(3, 4)"),
    "not symmetric": (lambda: KernelSVM(Precomputed()).fit(np.triu(K), [0, 1, 0, 1]), "K − Kᵀ. up to"),
    "points": (lambda: KernelLogistic(Precomputed()).fit([[1.0, 2.0], [3.0, 4.0]], [0, 1]), "square and symmetric"),
    "new points against others": (
        lambda: KernelRidge(Precomputed()).fit(K, [1, 2, 3, 4]).predict(K[:, :3]),
        "3 features.*expecting 4 features",
    ),
    "a part of the training points": (lambda: Precomputed()(K[:2], K[1:]), "Gram matrix .n, n. of all.*(3, 4)"),
    "k(z, z) of a new point": (lambda: Precomputed().squared_distance(K[:2], K), FAR),
    "features": (lambda: (1 + Precomputed()).feature_map(), "Precomputed.. has no known finite features"),
    "one row": (lambda: KernelRidge(Precomputed()).fit(K[0], [1]), "Reshape your data"),
    "NaN": (lambda: KernelRidge(Precomputed()).fit(K * np.nan, [1, 2, 3, 4]), "X must hold finite numbers"),
}


@pytest.mark.parametrize(("call", "sentence"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_gram_matrix_is_refused(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def test_a_gram_matrix_has_no_mean_point():
    with pytest.raises(TypeError, match="center=True needs vectors"):
        KernelRidge(Precomputed(), center=True).fit(K, [1, 2, 3, 4])
