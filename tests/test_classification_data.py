"""Every classifier on data that were not meant for it: a right model or one sentence."""

import copy
import warnings

import numpy as np
import pytest
from sklearn.base import is_classifier

import kernelkit
from kernelkit import Gaussian, KernelMachine, KernelNeighbors, KernelSVM, datasets

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
def test_what_cannot_be_learned_is_refused_in_words(model, moons):
    X, y = moons
    for points, labels, words in (
        (X, np.ones(30), "Two classes are needed, but y holds only one class"),
        (X, ["a"] * 30, "Two classes are needed, but y holds only one class"),
        (X, np.zeros(30, bool), "Two classes are needed, but y holds only one class"),
        (X[:1], [1], "Two classes are needed"),
        (X, y + 0.5, "continuous"),
        (X, np.where(y > 0, np.nan, y), "NaN"),
        (X, None, "y is None"),
        (X, y[:-1], "one label for each of the 30 points"),
        (np.where(X > 1, np.inf, X), y, "infinity"),
        (X[:, 0], y, "Reshape your data"),
        (X[:0], y, "no point"),
    ):
        with pytest.raises(ValueError, match=words):
            copy.deepcopy(model).fit(points, labels)
    fitted = trained(model, X, y)
    for points, words in ((np.ones((4, 3)), "X has 3 features, but .* is expecting 2"), (X[0], "Reshape your data")):
        with pytest.raises(ValueError, match=words):
            fitted.predict(points)


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
def test_equal_points_get_one_label(model):
    X, y = np.ones((10, 2)), np.array([0] * 7 + [1] * 3)
    h = trained(model, X, y).decision_function(X)
    assert np.ptp(h) <= 1e-9 * np.abs(h).max()
    if type(model).__name__ not in ("KernelPerceptron", "PrimalPerceptron"):  # who end with the last mistake
        assert trained(model, X, y).predict(X).tolist() == [0] * 10


@EVERY
def test_any_two_labels_do(model, moons):
    X, y = moons
    plain = trained(model, X, y)
    positive = (y > 0).astype(int)
    for labels in ([0, 1], [3, 7], [-5, 2.0], [False, True], ["cat", "dog"], ["10", "9"]):
        labels = np.array(labels)
        other = trained(model, X, labels[positive])
        np.testing.assert_array_equal(other.classes_, labels)
        np.testing.assert_array_equal(other.predict(X), labels[(plain.predict(X) > 0).astype(int)])
        assert other.score(X, labels[positive]) == plain.score(X, y)
    objects = np.array(["no", "yes"], dtype=object)[positive]
    np.testing.assert_array_equal(trained(model, X, objects).predict(X) == "yes", plain.predict(X) > 0)


@EVERY
def test_one_against_a_thousand_and_one_against_one(model, cloud):
    few = {"max_iter": 3} if type(model).__name__ == "KernelSoftmax" else {}
    X, y = np.vstack([cloud(1000, 2), [[5.0, 5.0]]]), np.append(np.zeros(1000, int), 1)
    assert trained(model, X, y, **few).score(X, y) >= 1000 / 1001
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
@pytest.mark.parametrize("scale", [1e-6, 1e-3, 1e3, 1e6])
def test_any_width_and_any_unit_of_x_are_taken(model, scale, moons):
    X, y = moons
    if scale in (1e-6, 1e6):
        assert trained(model, scale * X, y).score(scale * X, y) >= 0.5
    if "kernel" in model.get_params(deep=False):
        score = trained(model, X, y, kernel=Gaussian(scale)).score(X, y)
        if scale < 0.01:
            assert score == 1.0  # every point on its own
        elif "Perceptron" not in repr(model):
            assert score >= 0.5
