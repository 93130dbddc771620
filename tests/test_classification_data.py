"""Theorems about the data of classification, and about every classifier on data that were not meant for it."""

import copy
import warnings

import numpy as np
import pytest
from scipy.stats import multivariate_normal
from sklearn.base import is_classifier
from sklearn.svm import SVC

import kernelkit
from kernelkit import Gaussian, KernelMachine, KernelNeighbors, KernelSVM, Linear, Polynomial, datasets

# ---- the mixture and its best rule -------------------------------------------------------------------


def densities(X):
    return [np.mean([multivariate_normal(m, np.eye(2) / 5).pdf(X) for m in means], axis=0) for means in datasets._MEANS]


def test_bayes_rule_is_the_log_ratio_of_the_densities(cloud):
    X = cloud(200, 2, scale=2.0)
    minus, plus = densities(X)
    np.testing.assert_allclose(datasets.mixture_bayes(X), np.log(plus / minus), rtol=1e-9, atol=1e-9)
    far = datasets.mixture_bayes(1e3 * X)
    assert np.isfinite(far).all()  # where both densities are 0 in doubles


def test_bayes_error_is_what_the_rule_gets_wrong():
    X, y = datasets.mixture(200_000, random_state=1)
    error = np.mean((datasets.mixture_bayes(X) > 0) != (y > 0))
    assert datasets.mixture_bayes_error() == pytest.approx(error, abs=4 * np.sqrt(error / 200_000))  # four deviations
    assert datasets.mixture_bayes_error(0.05) == pytest.approx(datasets.mixture_bayes_error(), rel=1e-4)
    minus, plus = densities(X)
    posterior = np.minimum(minus, plus) / (minus + plus)
    assert datasets.mixture_bayes_error() == pytest.approx(posterior.mean(), rel=0.01)


def test_no_rule_beats_the_bayes_rule():
    (X, y), (Z, labels) = datasets.mixture(400), datasets.mixture(20_000, random_state=9)
    best = datasets.mixture_bayes_error()
    for model in (KernelSVM(Gaussian(0.7)), SVC(gamma=0.5), KernelSVM(Linear())):
        assert 1 - model.fit(X, y).score(Z, labels) > best
    assert 1 - KernelSVM(Gaussian(0.7)).fit(X, y).score(Z, labels) < best + 0.04


def test_mixture_is_drawn_around_its_means():
    X, y = datasets.mixture(40_000, random_state=2)
    for c, label in enumerate((-1, 1)):
        mine, means = X[y == label], datasets._MEANS[c]
        assert len(mine) == 20_000
        np.testing.assert_allclose(mine.mean(axis=0), means.mean(axis=0), atol=0.04)
        np.testing.assert_allclose(np.cov(mine.T), np.eye(2) / 5 + np.cov(means.T, bias=True), atol=0.05)
    np.testing.assert_array_equal(datasets.mixture(50, 3)[0], datasets.mixture(50, 3)[0])


# ---- the other sets -----------------------------------------------------------------------------------


def test_sixteen_points_want_a_curve():
    X, y = datasets.sixteen()
    assert X.shape == (16, 2) and y.tolist() == [-1] * 8 + [1] * 8 and len(np.unique(X, axis=0)) == 16
    assert KernelSVM(Polynomial(3), np.inf).fit(X, y).score(X, y) == 1.0
    with pytest.raises(ValueError, match="not separable"):
        KernelSVM(Linear(), np.inf).fit(X, y)


def test_circles_have_their_radii():
    X, y = datasets.circles(400, noise=0)
    np.testing.assert_allclose(np.hypot(*X.T), np.where(y < 0, 0.7, 1.6))
    assert (y == 1).sum() == 200


def test_digits_are_pictures_of_two_digits():
    X, y = datasets.digits()
    assert X.shape == (357, 64) and X.min() == 0 and X.max() == 1 and (y == -1).sum() == 183
    Z, labels = datasets.digits(8, 3)
    np.testing.assert_array_equal(X, Z)
    np.testing.assert_array_equal(y, -labels)
    X, y = datasets.digits(0, 1)
    hole = X.reshape(-1, 8, 8)[:, 3:5, 3:5].mean(axis=(1, 2))
    assert hole[y == -1].max() < hole[y == 1].mean()  # a 0 is empty in the middle, a 1 is not


@pytest.mark.parametrize("make, shape", [(datasets.iris, (150, 4)), (datasets.breast_cancer, (569, 30))])
def test_real_data_are_scaled(make, shape):
    X, _ = make()
    assert X.shape == shape
    np.testing.assert_allclose(X.mean(axis=0), 0, atol=1e-12)
    np.testing.assert_allclose(X.std(axis=0), 1)


def test_classes_of_real_data_mean_what_they_say():
    assert np.bincount(datasets.iris()[1]).tolist() == [50, 50, 50]
    X, y = datasets.breast_cancer()
    assert (y == -1).sum() == 212 and X[y == -1, 0].mean() > X[y == 1, 0].mean()  # malignant ones are larger


# ---- hostile data: a right model or one sentence ---------------------------------------------------------

VARIANTS = {
    KernelMachine: [KernelMachine(loss=loss) for loss in ("hinge", "squared_hinge", "logistic")],
    KernelNeighbors: [KernelNeighbors(n_neighbors=1)],  # five cannot be had of two points
}
CLASSIFIERS = [
    model
    for Model in (getattr(kernelkit, name) for name in kernelkit.__all__)
    if hasattr(Model, "fit")
    for model in VARIANTS.get(Model) or [Model()]
    if is_classifier(model)
]
EVERY = pytest.mark.parametrize("model", CLASSIFIERS, ids=repr)


def trained(model, X, y, **settings):
    """A fitted copy with finite outputs; warnings that a search ended early are allowed, others are errors."""
    model = copy.deepcopy(model).set_params(**settings)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", "K is almost I")  # which is right, for some of these widths
        warnings.filterwarnings(
            "ignore", message=".*(stopped after|still made mistakes|stopped with a violation|moved no output)"
        )
        model.fit(X, y)
        assert np.isfinite(model.decision_function(X)).all()
        if hasattr(model, "predict_proba"):
            np.testing.assert_allclose(model.predict_proba(X).sum(axis=1), 1)
    return model


@pytest.fixture
def moons(frozen):
    return [frozen(part) for part in datasets.moons(30)]


def test_classifiers_are_found():
    names = {type(model).__name__ for model in CLASSIFIERS}
    assert names >= {"KernelSVM", "PrimalSVM", "KernelLogistic", "KernelPerceptron", "OneVsRest", "KernelSoftmax"}


@EVERY
def test_duplicates_with_both_labels_are_half_right(model, cloud):
    X, y = np.repeat(cloud(10, 2), 2, axis=0), np.tile([-1, 1], 10)
    h = trained(model, X, y).decision_function(X)
    np.testing.assert_allclose(h[::2], h[1::2], atol=1e-9)
    firm = np.repeat(np.abs(h[::2]) > 1e-9, 2)  # where h is 0, rounding alone gives it a sign
    assert not firm.any() or trained(model, X, y).score(X[firm], y[firm]) == 0.5
    if "Perceptron" in repr(model):  # which promises nothing here
        return
    X, y = datasets.moons(30)
    most = trained(model, np.vstack([X, X[:5]]), np.append(y, -y[:5]))  # 5 of 30 points in doubt
    assert most.score(X, y) > 0.6


@EVERY
def test_hard_margin_or_not_all_equal_points_get_one_label(model):
    X, y = np.ones((10, 2)), np.array([0] * 7 + [1] * 3)
    h = trained(model, X, y).decision_function(X)
    assert np.ptp(h) <= 1e-9 * np.abs(h).max()
    if type(model).__name__ not in ("KernelPerceptron", "PrimalPerceptron"):  # who end with the last mistake
        assert trained(model, X, y).predict(X).tolist() == [0] * 10


@EVERY
def test_one_class_is_refused(model, moons):
    X, _ = moons
    for one in (np.ones(30), ["a"] * 30, np.zeros(30, bool)):
        with pytest.raises(ValueError, match="Two classes are needed, but y holds only one class"):
            copy.deepcopy(model).fit(X, one)
    with pytest.raises(ValueError, match="Two classes are needed"):
        copy.deepcopy(model).fit(X[:1], [1])


@EVERY
def test_any_two_labels_do(model, moons):
    X, y = moons
    plain = trained(model, X, y)
    for labels in ([0, 1], [3, 7], [-5, 2.0], [False, True], ["cat", "dog"], ["10", "9"]):
        labels = np.array(labels)
        other = trained(model, X, labels[(y > 0).astype(int)])
        np.testing.assert_array_equal(other.classes_, labels)
        np.testing.assert_array_equal(other.predict(X), labels[(plain.predict(X) > 0).astype(int)])
        assert other.score(X, labels[(y > 0).astype(int)]) == plain.score(X, y)
    objects = np.array(["no", "yes"], dtype=object)[(y > 0).astype(int)]
    np.testing.assert_array_equal(trained(model, X, objects).predict(X) == "yes", plain.predict(X) > 0)


@EVERY
def test_continuous_or_missing_labels_are_refused(model, moons):
    X, y = moons
    for labels, message in (
        (y + 0.5, "continuous"),
        (np.where(y > 0, np.nan, y), "NaN"),
        (None, "y is None"),
        (y[:-1], "one label for each of the 30 points"),
    ):
        with pytest.raises(ValueError, match=message):
            copy.deepcopy(model).fit(X, labels)


@EVERY
def test_one_against_a_thousand(model, cloud):
    if type(model).__name__ == "KernelSoftmax":
        model = copy.deepcopy(model).set_params(max_iter=3)
    X, y = np.vstack([cloud(1000, 2), [[5.0, 5.0]]]), np.append(np.zeros(1000, int), 1)
    assert trained(model, X, y).score(X, y) >= 1000 / 1001


@EVERY
def test_two_points_are_enough(model):
    X, y = np.array([[0.0, 1.0], [1.0, 0.0]]), ["b", "a"]
    assert trained(model, X, y).predict(X).tolist() == y
    assert trained(model, X[:, :1], y).predict(X[:, :1]).tolist() == y or "Primal" in repr(model)


@EVERY
@pytest.mark.parametrize("value", [1e-8, 1e-3, 1e3, 1e8])
def test_any_price_is_paid(model, value, moons):
    X, y = moons
    for name in ("C", "lam"):
        if name in model.get_params(deep=False):
            assert trained(model, X, y, **{name: value}).score(X, y) >= 0.7
    if repr(model) == "OneVsRest()":
        assert trained(model, X, y, estimator=KernelSVM(C=value)).score(X, y) >= 0.7


@EVERY
@pytest.mark.parametrize("sigma", [1e-6, 1e-3, 1e3, 1e6])
def test_any_width_is_fitted(model, sigma, moons):
    X, y = moons
    if "kernel" not in model.get_params(deep=False):
        return
    score = trained(model, X, y, kernel=Gaussian(sigma)).score(X, y)
    if sigma < 0.01:
        assert score == 1.0  # every point on its own
    elif "Perceptron" not in repr(model):
        assert score >= 0.5


@EVERY
@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_any_unit_of_x_is_taken(model, scale, moons):
    X, y = moons
    assert trained(model, scale * X, y).score(scale * X, y) >= 0.5


@EVERY
def test_bad_points_are_refused(model, moons):
    X, y = moons
    for wrong, message in (
        (np.where(X > 1, np.inf, X), "infinity"),
        (X[:, 0], "Reshape your data"),
        (X[:0], "no point"),
    ):
        with pytest.raises(ValueError, match=message):
            copy.deepcopy(model).fit(wrong, y)
    fitted = trained(model, X, y)
    with pytest.raises(ValueError, match=r"X has 3 features, but .* is expecting 2"):
        fitted.predict(np.ones((4, 3)))
    with pytest.raises(ValueError, match="Reshape your data"):
        fitted.predict(X[0])
