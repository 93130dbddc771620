"""Theorems about the perceptron: the same mistakes in w and in a, their number bounded, and an honest end."""

import warnings
from itertools import pairwise

import numpy as np
import pytest
from sklearn.linear_model import Perceptron as SklearnPerceptron

from kernelkit import (
    Gaussian,
    KernelMachine,
    KernelPerceptron,
    Linear,
    Monomials,
    Polynomial,
    PrimalPerceptron,
    datasets,
)

pytestmark = pytest.mark.filterwarnings("error")

ORDERS = pytest.mark.parametrize("random_state", [None, 0, 7], ids=["cyclic", "random", "random too"])
BOTH = pytest.mark.parametrize("Form", [PrimalPerceptron, KernelPerceptron])
K2, PHI = Polynomial(2), Polynomial(2).feature_map()


def pair(**settings):
    return PrimalPerceptron(PHI, **settings), KernelPerceptron(K2, **settings)


def form(Form, **settings):
    return Form(PHI if Form is PrimalPerceptron else K2, **settings)


def mistakes(model, X, y):
    """The points at which a was changed, in order."""
    return [step.moved for step in model.steps(X, y)][1:]


def iterates(model, X, y):
    """w or a at the start and after each mistake, one row each."""
    return np.array(list(model.steps(X, y)))


def quietly(fit, *data):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # not every walk here ends without mistakes
        return fit(*data)


@pytest.fixture(params=["rings", "moons", "crossing", "mixture"])
def classes(request, frozen):
    return [frozen(part) for part in getattr(datasets, request.param)(60)]


@ORDERS
def test_primal_and_kernel_make_the_same_mistakes_in_the_same_order(classes, random_state):
    X, y = classes
    primal, kernel = pair(random_state=random_state, max_passes=20)
    ws, as_ = iterates(primal, X, y), iterates(kernel, X, y)
    assert len(ws) == len(as_) > 3
    for w, a in zip(ws, as_, strict=True):
        np.testing.assert_allclose(w, PHI(X).T @ a, atol=1e-9 * max(1, np.abs(a).sum()))
    for i, w, after in zip(mistakes(kernel, X, y), ws, ws[1:], strict=False):
        assert y[i] * (w @ PHI(X[i])) <= 1e-9  # it was a mistake
        np.testing.assert_allclose(after - w, y[i] * PHI(X[i]), atol=1e-9)
    quietly(primal.fit, X, y), quietly(kernel.fit, X, y)
    np.testing.assert_array_equal(primal.counts_, kernel.counts_)
    np.testing.assert_array_equal(kernel.counts_, np.bincount(mistakes(kernel, X, y), minlength=60))
    np.testing.assert_array_equal(kernel.a_, kernel.counts_ * y)
    np.testing.assert_allclose(primal.w_, (kernel.counts_ * y) @ PHI(X), atol=1e-9)  # w = Σ counts_i y_i Φ(X_i)
    np.testing.assert_allclose(kernel.primal_weights(PHI), primal.w_, atol=1e-9)
    assert (primal.n_passes_, primal.converged_) == (kernel.n_passes_, kernel.converged_)


@ORDERS
@pytest.mark.parametrize(
    "make, k",
    [(datasets.rings, Polynomial(2)), (datasets.sixteen, Polynomial(3)), (datasets.moons, Gaussian(0.7))],
    ids=["rings", "sixteen", "moons"],
)
def test_mistakes_are_at_most_the_square_of_radius_over_margin(make, k, random_state):
    X, y = make()
    model = KernelPerceptron(k, random_state=random_state, max_passes=10_000).fit(X, y)
    assert model.converged_ and model.score(X, y) == 1.0
    svm = KernelMachine(k, "hinge", lam=1e-6).fit(X, y)  # no offset: a hyperplane through the origin
    gamma = (y * svm.decision_function(X)).min() / np.sqrt(svm.a_ @ k(X) @ svm.a_)
    assert gamma > 0 and model.counts_.sum() <= k.diag(X).max() / gamma**2  # R²/γ²


@ORDERS
def test_bound_is_sharp_enough_to_be_seen(random_state, cloud):
    theta = np.array([0.6, 0.8])
    X = cloud(200, 2)
    X = X[np.abs(X @ theta) > 0.1]
    y, gamma = np.sign(X @ theta), np.abs(X @ theta).min()
    for model in (PrimalPerceptron(Linear().feature_map()), KernelPerceptron(Linear())):
        model.set_params(random_state=random_state, max_passes=1000).fit(X, y)
        assert model.converged_ and 1 < model.counts_.sum() <= (np.linalg.norm(X, axis=1).max() / gamma) ** 2


@BOTH
@ORDERS
def test_inseparable_classes_end_with_a_warning(Form, random_state):
    X, y = datasets.mixture(60)
    with pytest.warns(UserWarning, match="still made mistakes after max_passes = 5: the classes are not") as caught:
        model = form(Form, max_passes=5, random_state=random_state).fit(X, y)
    assert not model.converged_ and model.n_passes_ == 5 and caught[0].filename == __file__


@BOTH
def test_converged_means_that_no_point_is_wrong(Form):
    X, y = datasets.rings(60)
    for random_state in (None, *range(5)):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            model = form(Form, random_state=random_state).fit(X, y)
        assert model.converged_ and model.n_passes_ < model.max_passes and (y * model.decision_function(X) > 0).all()


@BOTH
@ORDERS
def test_a_last_pass_that_leaves_no_point_wrong_has_converged(Form, random_state):
    X, y = datasets.rings(60)
    model = form(Form, random_state=random_state)
    *_, last = model.steps(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.set_params(max_passes=last.turn).fit(X, y)
    assert model.converged_ and model.n_passes_ == last.turn and (y * model.decision_function(X) > 0).all()


@BOTH
def test_a_pass_that_misses_the_wrong_point_is_no_end(Form):
    """Two points whose corrections undo each other: a random pass may draw only the one that is right just now."""
    X, y = np.array([[1.0, 0.2], [2.0, -0.2]]), np.array([1, -1])
    linear = form(Form).set_params(**{Form._reader_name: Linear() if Form is KernelPerceptron else Monomials(1, 0)})
    for random_state in range(10):
        model = linear.set_params(random_state=random_state).fit(X, y)
        assert model.converged_ and (y * model.decision_function(X) > 0).all()


@BOTH
def test_passes_that_run_out_have_converged_only_if_no_point_is_wrong(Form):
    X, y = np.array([[1.0, 0.2], [2.0, -0.2]]), np.array([1, -1])
    linear = form(Form).set_params(**{Form._reader_name: Linear() if Form is KernelPerceptron else Monomials(1, 0)})
    quiet = 0
    for random_state in range(40):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = linear.set_params(random_state=random_state, max_passes=3).fit(X, y)
        right = bool((y * model.decision_function(X) > 0).all())
        assert right or not model.converged_
        *_, last = linear.steps(X, y)
        quiet += not right and last.turn < 3  # the last pass drew no wrong point, but one there is
    assert quiet


@BOTH
def test_zero_is_a_mistake(Form):
    X, y = datasets.rings(20)
    assert form(Form).fit(X, y).counts_[0] >= 1  # w = 0 is wrong at the first visited point
    order = np.random.default_rng(5).integers(20, size=20)
    walk = iterates(form(Form, random_state=5), X, y)
    first = walk[1] if Form is PrimalPerceptron else PHI(X).T @ walk[1]
    np.testing.assert_allclose(first, y[order[0]] * PHI(X[order[0]]), rtol=1e-12)
    X, y = [[1.0, 0.0], [0.0, 1.0], [0.0, -1.0]], [1, 1, -1]
    linear = form(Form).set_params(**{Form._reader_name: Linear() if Form is KernelPerceptron else Monomials(1, 0)})
    np.testing.assert_array_equal(linear.fit(X, y).counts_, [1, 1, 0])  # w = (1, 0) gives 0 at the second point


@BOTH
def test_points_at_the_origin_can_never_be_right(Form):
    linear = form(Form).set_params(**{Form._reader_name: Linear() if Form is KernelPerceptron else Monomials(1, 0)})
    with pytest.warns(UserWarning, match="still made mistakes"):
        assert not linear.fit([[0.0], [1.0]], [0, 1]).converged_


@BOTH
@pytest.mark.parametrize("rate", [0.25, 2, 1e3])
def test_constant_rate_changes_no_mistake(Form, rate):
    X, y = datasets.moons(60)
    one, other = (quietly(form(Form, rate=r, max_passes=30).fit, X, y) for r in (1.0, rate))
    np.testing.assert_array_equal(one.counts_, other.counts_)
    weights = "w_" if Form is PrimalPerceptron else "a_"
    np.testing.assert_allclose(getattr(other, weights), rate * getattr(one, weights), rtol=1e-9, atol=1e-9 * rate)


@BOTH
@ORDERS
@pytest.mark.parametrize("rate", [1e-3, 1, 1e3])
def test_no_pass_is_made_once_all_points_are_right(Form, rate, random_state, monkeypatch):
    """Right is right, however small the outputs are."""
    begun = []
    passes = Form._passes

    def counted(model, n):
        for turn, order in passes(model, n):
            begun.append(turn)
            yield turn, order

    monkeypatch.setattr(Form, "_passes", counted)
    model = form(Form, rate=rate, random_state=random_state).fit(*datasets.rings(40))
    assert model.converged_ and len(begun) == model.n_passes_


@BOTH
def test_rate_is_a_function_of_the_mistakes_so_far(Form):
    X, y = datasets.rings(40)
    seen = []

    def rate(t):
        seen.append(t)
        return 1 / (1 + t)

    walk = iterates(form(Form, rate=rate), X, y)
    assert seen == list(range(len(walk) - 1)) and len(seen) > 3
    kernel_walk = iterates(form(KernelPerceptron, rate=rate), X, y)
    for t, (old, new) in enumerate(pairwise(kernel_walk)):
        assert np.abs(new - old).sum() == pytest.approx(1 / (1 + t))
    if Form is PrimalPerceptron:
        np.testing.assert_allclose(walk[-1], PHI(X).T @ kernel_walk[-1], atol=1e-9)


@pytest.mark.parametrize("eta", [1.0, 0.5])
@pytest.mark.parametrize("name", ["rings", "moons", "mixture"])
def test_equals_scikit_learn_s(name, eta):
    X, y = getattr(datasets, name)(60)
    peer = SklearnPerceptron(fit_intercept=False, shuffle=False, max_iter=15, tol=None, eta0=eta)
    peer, ours = quietly(peer.fit, PHI(X), y), quietly(PrimalPerceptron(PHI, eta, max_passes=15).fit, X, y)
    np.testing.assert_allclose(ours.w_, peer.coef_[0], atol=1e-9)


@BOTH
@ORDERS
def test_records_tell_the_walk(Form, random_state, classes):
    X, y = classes
    model, k = form(Form, random_state=random_state, max_passes=20), K2(X)
    first, *walk = model.steps(X, y)
    assert first.moved is None and first.turn == 0 and not first.iterate.any()
    a, rng = np.zeros(60), np.random.default_rng(random_state)
    orders = [rng.integers(60, size=60) if random_state is not None else np.arange(60) for _ in range(20)]
    visits = [(turn, i) for turn, order in enumerate(orders, 1) for i in order]
    for step in walk:
        while visits.pop(0) != (step.turn, step.moved):
            pass  # right there
        i = step.moved
        assert step.cost == pytest.approx(-y[i] * (k[i] @ a), abs=1e-9) and step.cost >= -1e-9
        a[i] += y[i]
        now = step.iterate if Form is KernelPerceptron else PHI(X) @ step.iterate
        np.testing.assert_allclose(now, a if Form is KernelPerceptron else k @ a, atol=1e-9 * max(1, np.abs(a).sum()))
    quietly(model.fit, X, y)
    assert model.n_passes_ == (walk[-1].turn + 1 if model.converged_ else 20)


@BOTH
def test_iterates_are_copies(Form):
    one, two, *_ = form(Form).steps(*datasets.rings(20))
    kept = two.iterate.copy()
    one.iterate[:] = 7
    np.testing.assert_array_equal(two.iterate, kept)
    walk = form(Form).steps(*datasets.rings(20))
    next(walk).iterate[:] = 7
    np.testing.assert_array_equal(next(walk).iterate, kept)  # the walk keeps its own


def test_counts_belong_to_one_fit():
    X, y = datasets.rings(30)
    model = KernelPerceptron(K2).fit(X, y)
    counts = model.counts_.copy()
    np.testing.assert_array_equal(model.fit(X, y).counts_, counts)
    assert counts.dtype.kind == "i" and model.fit(X[::2], y[::2]).counts_.shape == (15,)


@BOTH
@pytest.mark.parametrize(
    "setting, error, message",
    [
        ({"rate": 0}, ValueError, "rate must be a finite number > 0, got 0"),
        ({"rate": -1.0}, ValueError, "rate must be a finite number > 0"),
        ({"rate": "slow"}, TypeError, "rate must be a number > 0, got 'slow'"),
        ({"rate": lambda t: 1 - t}, ValueError, r"rate\(1\) must be a finite number > 0, got 0"),
        ({"max_passes": 0}, ValueError, "max_passes must be a whole number ≥ 1"),
    ],
)
def test_bad_settings_are_refused(Form, setting, error, message):
    with pytest.raises(error, match=message):
        form(Form, **setting).fit(*datasets.rings(20))


def test_kernel_and_features_are_not_confused():
    with pytest.raises(TypeError, match="kernel must be a kernel"):
        KernelPerceptron(PHI).fit(*datasets.rings(20))
    with pytest.raises(TypeError, match="feature_map must be a feature map"):
        PrimalPerceptron(Gaussian(1.0)).fit(*datasets.rings(20))
