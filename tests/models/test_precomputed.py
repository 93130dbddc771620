"""A Gram matrix in place of the points: every kernel model gives the same with ``Precomputed()`` as with the kernel."""

import inspect

import numpy as np
import pytest
from every_model import WITH_A_KERNEL, asking, each
from sklearn.base import is_classifier
from sklearn.model_selection import cross_val_score
from sklearn.utils import get_tags

from kernelkit import (
    Conjugate,
    Gaussian,
    KernelKMeans,
    KernelLogistic,
    KernelMachine,
    KernelMultiSVM,
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
EVERY = each(WITH_A_KERNEL)


def build(Model, kernel, **parameters):
    """The model, solved so far that rounding is all that can differ."""
    known = inspect.signature(Model).parameters
    return Model(kernel, **{name: value for name, value in ({"tol": 1e-8} | parameters).items() if name in known})


@each([Model for Model in WITH_A_KERNEL if hasattr(Model, "score")])
def test_cross_validation_cuts_the_rows_and_the_columns(Model):
    X, y = datasets.moons(60, noise=0.2)
    y = y if is_classifier(Model()) else X[:, 0] + np.sin(3 * X[:, 1])
    by_kernel, by_table = (build(Model, 2 * kernel + 1) for kernel in (k, Precomputed()))
    expected = cross_val_score(by_kernel, X, y, cv=3)
    np.testing.assert_allclose(cross_val_score(by_table, k(X), y, cv=3, error_score="raise"), expected, rtol=1e-6)


@EVERY
def test_a_model_is_pairwise_as_its_kernel_is(Model):
    for kernel, pairwise in ((k, False), (Precomputed(), True), (1 + 2 * Precomputed(), True), (k + 1, False)):
        assert get_tags(Model(kernel=kernel)).input_tags.pairwise is pairwise


def test_one_against_the_rest_takes_a_gram_matrix():
    X, y = datasets.moons(60, noise=0.2)
    y = np.where(X[:, 0] > 1, 2, y)
    by_kernel, by_table = (OneVsRest(KernelSVM(kernel, tol=1e-8)) for kernel in (k, Precomputed()))
    np.testing.assert_array_equal(by_table.fit(k(X), y).predict(k(X)), by_kernel.fit(X, y).predict(X))
    assert get_tags(by_table).input_tags.pairwise is True and get_tags(by_kernel).input_tags.pairwise is False


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
@pytest.mark.filterwarnings(
    "ignore:The matrix of 60 equations is singular|KernelPerceptron still made mistakes|KernelKMeans finds 1 groups"
)
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


def among_positive_ones(cloud):
    """A centred matrix with the eigenvalues 3, 2, 1, 1, 1, −0.1 and, of (1, …, 1), 0."""
    U = np.linalg.qr(np.column_stack([np.ones(7), cloud(7, 6)]))[0]
    return U * [0, 3, 2, 1, 1, 1, -0.1] @ U.T


def test_leave_one_out_landmarks_and_groups_meet_it_too(cloud):
    K = unit_matrix_with_noise(cloud)
    three = np.array([[1.0, 0.9, 0.9], [0.9, 1.0, -0.9], [0.9, -0.9, 1.0]])
    for call in (
        lambda: KernelRidge(Precomputed()).leave_one_out(K, np.ones(60), [1.0]),
        lambda: Landmarks(Precomputed(), K)(K),
        lambda: KernelKMeans(Precomputed(), 1).fit(three),
        lambda: KernelPCA(Precomputed(), 2).fit(np.kron(three, np.ones((20, 20)))),
        lambda: KernelPCA(Precomputed(), 2).fit(among_positive_ones(cloud)),  # the sum of what is left is positive
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
MEASURING = {"neighbors", "posterior", "sample", "deviation"}  # these alone need k(z, z), of any kernel


def len_of(X):
    return np.full(len(X), 1.5)


def of_new_points(model):
    """Every method of a model that takes new points Z, called on them."""
    for name, arguments in asking(type(model)):
        if arguments[0] == "Z":
            seed = {"random_state": 0} if "random_state" in arguments else {}
            yield name, lambda fitted, Z, name=name, seed=seed: getattr(fitted, name)(Z, **seed)
        if "return_std" in arguments:
            yield "deviation", lambda fitted, Z, name=name: getattr(fitted, name)(Z, return_std=True)


def both_fitted(Model, rule):
    """The model fitted to points with a kernel, and to their table: what they have learned is the same."""
    y = np.sin(HERE[:, 0]) > 0 if is_classifier(Model()) else np.sin(HERE[:, 0])
    by_kernel, by_table = (build(Model, rule(kernel), n_neighbors=2) for kernel in (AROUND, Precomputed()))
    by_kernel.fit(HERE, y), by_table.fit(AROUND(HERE), y)
    for name in ("a_", "squares_", "scores_"):
        if hasattr(by_kernel, name):
            np.testing.assert_allclose(getattr(by_table, name), getattr(by_kernel, name), rtol=1e-6, atol=1e-6)
    return by_kernel, by_table


@EVERY
@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_a_table_gives_what_its_points_give_and_rows_of_new_points_are_taken_for_no_gram_matrix(Model, rule):
    rows = AROUND(THERE, HERE)
    np.testing.assert_allclose(rows, rows.T, atol=1e-15)
    by_kernel, by_table = both_fitted(Model, rule)
    for name, call in of_new_points(by_kernel):
        if name in MEASURING:
            with pytest.raises(ValueError, match=FAR):
                call(by_table, rows)
        else:
            np.testing.assert_allclose(call(by_table, rows), call(by_kernel, THERE), rtol=1e-6, atol=1e-6, err_msg=name)


@EVERY
def test_a_normalized_table_is_learned_from_and_its_new_rows_are_refused(Model):
    by_kernel, by_table = both_fitted(Model, Normalized)
    if hasattr(by_kernel, "labels_"):
        assert by_table.labels_.tolist() == by_kernel.labels_.tolist()
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


def test_a_table_of_many_points_needs_no_rows_on_demand(monkeypatch):
    X, y = datasets.moons(60, noise=0.2)
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
RIDGE = KernelRidge(Precomputed())
REFUSED = {
    "rows without columns": (lambda: RIDGE.fit(K[:3], [1, 2, 3]), "square and symmetric.*(3, 4)"),
    "not symmetric": (lambda: RIDGE.fit(np.triu(K), [0, 1, 0, 1]), "K − Kᵀ. up to"),
    "points": (lambda: RIDGE.fit([[1.0, 2.0], [3.0, 4.0]], [0, 1]), "square and symmetric"),
    "one row": (lambda: RIDGE.fit(K[0], [1]), "Reshape your data"),
    "NaN": (lambda: RIDGE.fit(K * np.nan, [1, 2, 3, 4]), "X must hold finite numbers"),
    "centring": (lambda: KernelRidge(Precomputed(), center=True).fit(K, [1, 2, 3, 4]), "center=True needs vectors"),
    "new points against others": (lambda: RIDGE.fit(K, [1, 2, 3, 4]).predict(K[:, :3]), "3 features.*expecting 4"),
    "a part of the training points": (lambda: Precomputed()(K[:2], K[1:]), "Gram matrix .n, n. of all.*(3, 4)"),
    "k(z, z) of a new point": (lambda: Precomputed().squared_distance(K[:2], K), FAR),
    "features": (lambda: (1 + Precomputed()).feature_map(), "Precomputed.. has no known finite features"),
}


@pytest.mark.parametrize(("call", "sentence"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_gram_matrix_is_refused(call, sentence):
    with pytest.raises((ValueError, TypeError), match=sentence):
        call()
