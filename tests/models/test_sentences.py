"""What is refused is refused in one sentence that says what came, and the shape of y changes no score."""

import numpy as np
import pytest
from every_model import ESTIMATORS, data_for
from sklearn.base import is_classifier
from sklearn.exceptions import NotFittedError

from kernelkit import (
    DualRidge,
    Intersection,
    KernelLogistic,
    KernelMachine,
    KernelMultiSVM,
    KernelOneClass,
    KernelPerceptron,
    KernelRidge,
    KernelSoftmax,
    KernelSVM,
    KernelSVR,
    Kriging,
    Linear,
    Monomials,
    PrimalLogistic,
    PrimalPerceptron,
    PrimalRidge,
    PrimalSVM,
    datasets,
)
from kernelkit.models.reading import DataConversionWarning

MODELS = [c for c in ESTIMATORS if hasattr(c, "score") and hasattr(c, "predict")]
EVERY = pytest.mark.parametrize("Model", MODELS, ids=lambda c: c.__name__)
CLASSIFIERS = pytest.mark.parametrize("Model", [c for c in MODELS if is_classifier(c())], ids=lambda c: c.__name__)
REGRESSORS = pytest.mark.parametrize("Model", [c for c in MODELS if not is_classifier(c())], ids=lambda c: c.__name__)
RIDGES = [PrimalRidge(Monomials(3)), DualRidge(Monomials(3)), KernelRidge()]


def one_sentence(error, text):
    """What raises this text, all of it and without another line."""
    return pytest.raises(error, match=rf"^{text}[^\n]*\.$")


# ---- what is centred ------------------------------------------------------------------------------


@pytest.mark.parametrize("Model", [KernelRidge, Kriging])
def test_a_kernel_of_points_above_0_is_told_when_they_are_centred(Model):
    """Less their mean they are negative, and min(x, z) is no kernel there."""
    model = Model(Intersection(), center=True)
    text = r"Intersection\(\) needs points with all coordinates ≥ 0, but X minus its mean \(center=True\) holds -0\.5: "
    with one_sentence(ValueError, text):
        model.fit([[0.0], [1.0]], [0.0, 1.0])
    with one_sentence(ValueError, text.replace(r"-0\.5", "-1")):
        model.fit([[1.0], [1.0]], [0.0, 1.0]).predict([[0.0]])


# ---- score ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [*RIDGES, KernelMachine()], ids=repr)
def test_score_reads_its_targets_as_fit_does(model):
    X, y = datasets.sine(60)
    two, name = np.column_stack([y, -y]), type(model).__name__
    expected = model.fit(X, y).score(X, y)
    assert expected > 0.3 and model.score(X, y[:, None]) == model.score(X, y.tolist()) == expected
    with one_sentence(ValueError, r"y must hold one target, .* for each of the 60 points, got shape \(59,\)"):
        model.score(X, y[1:])
    with one_sentence(ValueError, f"y has 2 outputs, but {name} was fitted to 1"):
        model.score(X, two)
    if model in RIDGES:
        model.fit(X, y[:, None])
        assert model.score(X, y) == model.score(X, y[:, None]) == pytest.approx(expected, rel=1e-12)
        assert model.fit(X, two).score(X, two) > 0.3
        with one_sentence(ValueError, f"y has 1 outputs, but {name} was fitted to 2"):
            model.score(X, y)


def test_a_column_of_labels_is_a_list_with_a_warning():
    X, y = datasets.moons(60)
    svm = KernelSVM().fit(X, y)
    with pytest.warns(DataConversionWarning, match="A column-vector y was passed"):
        assert svm.score(X, y[:, None]) == svm.score(X, y) > 0.9


@pytest.mark.parametrize("as_text", [False, True])
@pytest.mark.filterwarnings("ignore:PrimalPerceptron still made mistakes")
@CLASSIFIERS
def test_labels_of_another_kind_than_in_fit_have_no_score(Model, as_text):
    X, y = datasets.moons(40)
    y = y.astype(int)
    given, asked = (y.astype(str), y) if as_text else (y, y.astype(str))
    with one_sentence(ValueError, "y must hold labels of the kind of fit, such as "):
        Model().fit(X, given).score(X, asked)


@pytest.mark.filterwarnings("ignore:PrimalPerceptron still made mistakes")
@CLASSIFIERS
def test_labels_that_fit_did_not_see_are_said_to_count_as_wrong(Model):
    X, y = datasets.moons(40)
    model = Model().fit(X, y)
    with pytest.warns(UserWarning, match="labels that fit did not see, False, and each of them counts as wrong"):
        model.score(X, y > 0)


# ---- labels and targets ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("y", "sentence"),
    [
        ([None, 1] * 5, "y must hold labels, but input y contains NaN: 5 of 10 are missing"),
        (["a", 1] * 5, "Unknown label type: labels are all whole numbers or all texts, got 'a', 1, 'a', 1, …"),
        ([0, 1j] * 5, "Complex data not supported: y must hold labels, got dtype complex128"),
        ([[0], [1, 2]] * 5, "y must hold one label for each point, got rows of different lengths"),
        ([0, np.nan] * 5, "y must hold labels, but input y contains NaN or infinity"),
    ],
    ids=["None", "text and number", "complex", "ragged", "NaN"],
)
@CLASSIFIERS
def test_what_is_no_label_is_told(Model, y, sentence):
    X = np.arange(20.0).reshape(10, 2)
    with one_sentence(ValueError, sentence):
        Model().fit(X, y)
    if Model().get_params(deep=False).keys() >= {"kernel"}:
        with one_sentence(ValueError, sentence):
            Model().fit(X, [0, 1] * 5).score(X, y)


@pytest.mark.parametrize(
    ("y", "error", "sentence"),
    [
        ([1j] * 4, ValueError, "Complex data not supported: y must hold real numbers, got dtype complex128"),
        (["a"] * 4, TypeError, "y must hold numbers: an argument must be no string or date but a number, got"),
        (None, ValueError, r"requires y to be passed, but the target y is None: call fit\(X, y\) with 4 targets"),
        ([0, 1e-200, 0, 1e-160], ValueError, "y must hold numbers whose squares do not vanish, one above 1e-150"),
    ],
    ids=["complex", "text", "None", "tiny"],
)
@REGRESSORS
def test_what_is_no_target_is_told(Model, y, error, sentence):
    with one_sentence(error, sentence):
        Model().fit(np.arange(8.0).reshape(4, 2), y)


# ---- settings -------------------------------------------------------------------------------------

BAD = {
    "lam": [-0.1, np.inf],
    "C": [0, -np.inf, np.nan],
    "nu": [0],
    "epsilon": [-0.1],
    "rate": [0, -1.0],
    "step": [0, -1.0],
    "delta": [0],
    "tol": [0],
    "max_iter": [0, 1.5],
    "max_passes": [0],
    "passes": [0],
    "random_state": [-1, 0.5],
}
OUT_OF_BOUNDS = [
    (Model, {name: value})
    for Model in ESTIMATORS
    for name, values in BAD.items()
    for value in values
    if name in Model().get_params(deep=False)
]
NO_PRICE = [(KernelSVR, {"C": np.inf}), (KernelMultiSVM, {"C": np.inf})]
NO_PENALTY = [(PrimalSVM, {"lam": 0}), (KernelSoftmax, {"lam": 0}), (KernelMachine, {"lam": 0})]


@pytest.mark.parametrize(("Model", "setting"), [*OUT_OF_BOUNDS, *NO_PRICE, *NO_PENALTY])
def test_a_setting_out_of_its_bounds_is_told(Model, setting):
    [(name, value)] = setting.items()
    with one_sentence(ValueError, rf"{name} must be a [^\n]*, got {value}"):
        Model(**setting).fit(*data_for(Model))


@pytest.mark.parametrize(
    ("model", "sentence"),
    [
        (PrimalLogistic(solver="newton"), "solver must be one of 'gd', 'sgd', got 'newton'"),
        (KernelLogistic(solver="lbfgs"), "solver must be one of 'newton', 'gd', 'sgd', got 'lbfgs'"),
        (KernelLogistic(lam=0), "solver='newton' needs lam > 0, got lam = 0; use solver='gd'"),
        (PrimalLogistic(step=3.0), "step must be < 2/lam = 2, or gd runs away; got 3.0"),
        (KernelPerceptron(Linear(), rate=lambda t: 1 - t), r"rate\(1\) must be a finite number > 0, got 0"),
        (PrimalPerceptron(Monomials(1), rate=lambda t: 1 - t), r"rate\(1\) must be a finite number > 0, got 0"),
        (KernelOneClass(nu=1.5), "nu must be a fraction of the points, a number > 0 and ≤ 1, got 1.5"),
    ],
)
def test_settings_that_do_not_fit_together_are_told(model, sentence):
    X, y = datasets.mixture(60)
    with one_sentence(ValueError, sentence):
        model.fit(X, y)


def test_plain_steps_of_a_hard_margin_are_refused():
    with one_sentence(ValueError, "steps needs a finite C, got inf; a large C such as 1e6 shows the same"):
        KernelSVM(C=np.inf).steps(*datasets.moons(40))


# ---- points, and what was not fitted -------------------------------------------------------------


@EVERY
def test_what_is_no_point_is_told(Model):
    y = [0, 1, 0, 1]
    with one_sentence(TypeError, "X must hold numbers, got None"):
        Model().fit(None, y)
    for text in "text", ["a", "b", "c", "d"], [["a"], ["b"], ["c"], ["d"]]:
        with one_sentence(TypeError, "X must hold numbers: an argument must be no string or date but a number, got"):
            Model().fit(text, y)
    with one_sentence(ValueError, "Complex data not supported: X must hold real numbers, got dtype complex128"):
        Model().fit(np.eye(4) * 1j, y)


@EVERY
def test_what_was_not_fitted_says_so(Model):
    calls = [lambda m: m.predict([[1.0]]), lambda m: m.score([[1.0]], [1])]
    if Model is DualRidge:
        calls.append(lambda m: m.w_)
    if hasattr(Model, "primal_weights"):
        calls.append(lambda m: m.primal_weights(Monomials(1)))
    for call in calls:
        with one_sentence(NotFittedError, rf"This {Model.__name__} is not fitted yet; call fit\(X, y\) first"):
            call(Model())
