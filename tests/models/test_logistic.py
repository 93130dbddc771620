"""Theorems about logistic regression: w_t = Φ(X)ᵀa_t at every step, three solvers, one solution."""

import sys
import warnings
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from models.logistic_pair import BOTH, K2, PHI, iterates, objective, pair, proba
from sklearn.datasets import make_blobs
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

import kernelkit
from kernelkit import Gaussian, KernelLogistic, Linear, Monomials, Polynomial, PrimalLogistic, datasets
from kernelkit.features import Identity
from kernelkit.models.logistic import LogLoss, log_loss, sigmoid

PACKAGE = Path(kernelkit.__file__).parent  # and not a part of its path: a clone may be called kernelkit, too
pytestmark = [  # SciPy from 1.16 on warns of an option that scikit-learn 1.6 gives it
    pytest.mark.filterwarnings("error"),
    pytest.mark.filterwarnings("ignore:.*iprint"),
]


def one_column(**settings):
    return PrimalLogistic(Identity(), **settings), KernelLogistic(Linear(), **settings)


# ---- primal and dual run side by side -------------------------------------------------------------


@pytest.mark.parametrize("start", [0, 1], ids=["from 0", "from the span"])
@pytest.mark.parametrize("lam", [0, 0.5])
@pytest.mark.parametrize(
    "settings",
    [
        {"solver": "gd"},
        {"solver": "gd", "step": 0.003},
        {"solver": "sgd", "step": 0.1},
        {"solver": "sgd", "random_state": 3},
        {"solver": "sgd", "step": 0.02, "random_state": 0},
    ],
    ids=str,
)
def test_every_iterate_of_w_is_that_of_a(settings, lam, start, moons, cloud):
    X, y = moons
    settings = settings | {"lam": lam, "max_iter": 200 if settings["solver"] == "gd" else 5}
    if settings["solver"] == "sgd" and "step" not in settings:
        settings["step"] = 1 / (K2.diag(X).max() / 4 + lam / 40)  # the default; the two sides round it differently
    a_0 = start * cloud(40, scale=0.1)
    primal, kernel = pair(**settings)
    ws, as_ = iterates(primal, X, y, PHI(X).T @ a_0), iterates(kernel, X, y, a_0)
    assert len(ws) == len(as_) == 201
    np.testing.assert_array_equal(as_[0], a_0)
    for w, a in zip(ws, as_, strict=True):
        np.testing.assert_allclose(w, PHI(X).T @ a, atol=1e-10 * max(1, np.abs(w).max()))
    assert np.abs(ws[-1] - ws[0]).max() > 0.1


def test_default_steps_walk_together_too(moons):
    X, y = moons
    for settings in ({"solver": "gd"}, {"solver": "sgd", "max_iter": 3}):
        for w, a in zip(*(iterates(model, X, y) for model in pair(**settings)), strict=True):
            np.testing.assert_allclose(w, PHI(X).T @ a, atol=1e-9)


def test_default_steps_are_as_long_in_both_forms():
    X, y = np.array([[0.1], [1.0], [-3.0]]), [1, 0, 1]
    for settings in ({"solver": "gd"}, {"solver": "sgd"}):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # 3 turns are too few to converge
            primal, kernel = (model.fit(X, y) for model in one_column(max_iter=3, **settings))
        np.testing.assert_allclose(primal.w_, X.T @ kernel.a_, rtol=1e-9)


def test_start_outside_the_span_is_never_forgotten(cloud):
    X, y, phi = cloud(4, 3), np.array([0, 1, 1, 0]), Monomials(1)
    wide = np.column_stack([X, X[:, 0]])  # one input twice,
    outside = np.array([0, 1.0, 0, 0, -1.0])  # so that their difference is orthogonal to every Φ(X_i)
    assert not (phi(wide) @ outside).any()
    for solver in ("gd", "sgd"):
        model = PrimalLogistic(phi, lam=0, solver=solver, max_iter=20)
        for plain, moved in zip(iterates(model, wide, y), iterates(model, wide, y, outside), strict=True):
            np.testing.assert_allclose(moved, plain + outside, atol=1e-12)  # w_t = Φᵀa_t + u for ever


@pytest.mark.parametrize("random_state", [None, 1])
def test_outputs_are_kept_up_to_date(random_state, moons):
    X, y = moons
    K = K2(X)
    start, *records = KernelLogistic(K2, 0.3, "sgd", max_iter=20, random_state=random_state).steps(X, y)
    before = start.iterate
    for step in records:  # the loss that a step saw is that of q = Ka
        q = K @ before
        assert step.cost == pytest.approx(np.logaddexp(0, -y[step.moved] * q[step.moved]), rel=1e-9, abs=1e-10)
        before = step.iterate


def test_steps_are_the_formulas_of_the_lecture(moons):
    X, y = moons
    Phi, t, lam, step = PHI(X), (y + 1) / 2, 0.7, 0.01
    w = np.zeros(6)
    for record in islice(PrimalLogistic(PHI, lam, "gd", step).steps(X, y), 30):
        np.testing.assert_allclose(record.iterate, w, atol=1e-12)
        w = w + step * (sum((t[i] - 1 / (1 + np.exp(-Phi[i] @ w))) * Phi[i] for i in range(40)) - lam * w)
    w = np.zeros(6)
    for n_steps, record in enumerate(islice(PrimalLogistic(PHI, lam, "sgd", step).steps(X, y), 81)):
        np.testing.assert_allclose(record.iterate, w, atol=1e-12)
        i, rate = n_steps % 40, step / (1 + step * lam / 40 * n_steps)
        w = w + rate * ((t[i] - 1 / (1 + np.exp(-Phi[i] @ w))) * Phi[i] - lam / 40 * w)


@BOTH
@pytest.mark.parametrize("solver", ["gd", "sgd"])
def test_steps_refuse_at_the_call_and_not_at_the_first_step(make, solver, moons):
    X, y = moons
    with pytest.raises(ValueError, match="lam must be a finite number ≥ 0"):
        make(lam=-1.0, solver=solver).steps(X, y)
    with pytest.raises(ValueError, match="start must hold"):
        make(solver=solver).steps(X, y, start=[1.0])


@BOTH
def test_same_seed_same_walk_and_iterates_are_copies(make, moons):
    X, y = moons
    walks = [[step.iterate for step in make(solver="sgd", max_iter=2, random_state=s).steps(X, y)] for s in (5, 5, 6)]
    one, two, other = walks
    np.testing.assert_array_equal(one, two)
    assert not np.array_equal(one, other)
    assert len({id(v) for v in one}) == len(one) and not np.shares_memory(one[0], one[1])


# ---- the optimum ----------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize("lam", [0, 0.01, 1.0, 100.0])
def test_gradient_descent_never_climbs(make, lam, moons):
    X, y = moons
    model = make(lam=lam, solver="gd", max_iter=300)
    K, Phi = K2(X), PHI(X)
    values = [
        objective(Phi @ v, y, lam, v @ v) if len(v) == 6 else objective(K @ v, y, lam, v @ K @ v)
        for v in iterates(model, X, y)
    ]
    assert (np.diff(values) <= 1e-12 * values[0]).all() and values[-1] < values[0]


@pytest.mark.parametrize("lam", [0.1, 1.0, 30.0])
def test_solvers_agree(lam, moons):
    X, y = moons
    newton = KernelLogistic(K2, lam, tol=1e-10).fit(X, y)
    assert newton.converged_ and newton.n_iter_ < 20
    np.testing.assert_allclose(newton.a_, ((y + 1) / 2 - proba(newton, X)) / lam, atol=1e-8)  # λa = y − s(Ka)
    for model in pair(lam=lam, solver="gd", tol=1e-9, max_iter=100_000):
        np.testing.assert_allclose(proba(model.fit(X, y), X), proba(newton, X), atol=1e-6)
    np.testing.assert_allclose(newton.primal_weights(PHI), PHI(X).T @ newton.a_)


@pytest.mark.parametrize("random_state", [None, 0])
def test_stochastic_descent_comes_near(random_state, moons):
    X, y = moons
    newton = KernelLogistic(K2, 5.0).fit(X, y)
    for model in pair(lam=5.0, solver="sgd", max_iter=400, random_state=random_state, tol=1e-12):
        with pytest.warns(UserWarning, match="stopped after max_iter = 400"):
            np.testing.assert_allclose(proba(model.fit(X, y), X), proba(newton, X), atol=0.02)


@pytest.mark.parametrize("lam", [0.01, 1.0, 100.0])
@pytest.mark.parametrize("k", [Polynomial(2), Linear(), Polynomial(3, 0.5)], ids=repr)
def test_probabilities_equal_scikit_learn_s(k, lam, cloud):
    (X, y), Z = datasets.mixture(80), cloud(30, 2)
    phi = k.feature_map()
    peer = LogisticRegression(C=1 / lam, fit_intercept=False, tol=1e-10, max_iter=20_000).fit(phi(X), y)
    ours = KernelLogistic(k, lam, tol=1e-9).fit(X, y)
    np.testing.assert_allclose(proba(ours, Z), peer.predict_proba(phi(Z))[:, 1], atol=1e-4)
    assert ours.score(X, y) == peer.score(phi(X), y)


def test_gaussian_kernel_equals_scikit_learn_on_the_root_of_the_gram_matrix():
    X, y = datasets.mixture(80)
    values, vectors = np.linalg.eigh(Gaussian(0.5)(X))
    root = vectors * np.sqrt(np.maximum(values, 0))  # K = root rootᵀ: features of the training points
    peer = LogisticRegression(C=10.0, fit_intercept=False, tol=1e-10, max_iter=20_000).fit(root, y)
    ours = KernelLogistic(Gaussian(0.5), 0.1, tol=1e-9).fit(X, y)
    np.testing.assert_allclose(proba(ours, X), peer.predict_proba(root)[:, 1], atol=1e-4)


@BOTH
def test_without_lambda_gradient_descent_still_works(make):
    X, y = datasets.mixture(60)
    model = make(lam=0, solver="gd", max_iter=100_000, tol=1e-7).fit(X, y)
    peer = LogisticRegression(C=np.inf, fit_intercept=False, tol=1e-10, max_iter=20_000).fit(PHI(X), y)
    np.testing.assert_allclose(proba(model, X), peer.predict_proba(PHI(X))[:, 1], atol=1e-3)


@BOTH
def test_stopping_is_announced_only_if_it_came_too_early(make, moons):
    X, y = moons
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        done = make(solver="gd", tol=1e-3).fit(X, y)
    assert done.converged_ and done.n_iter_ < done.max_iter
    with pytest.warns(UserWarning, match=r"stopped after max_iter = 7 before the outputs settled") as caught:
        early = make(solver="gd", max_iter=7).fit(X, y)
    assert not early.converged_ and early.n_iter_ == 7 and caught[0].filename == __file__
    *_, last = early.steps(X, y)
    np.testing.assert_array_equal(last.iterate, early.w_ if hasattr(early, "w_") else early.a_)


@BOTH
def test_going_round_in_circles_is_not_arriving(make, moons):
    X, y = moons
    with pytest.warns(UserWarning, match="goes round in circles"):
        assert not make(lam=0, solver="sgd").fit(X, y).converged_
    assert make(lam=20.0, solver="sgd").fit(X, y).converged_


@BOTH
@pytest.mark.parametrize("lam", [0, 0.1, 1.0])
@pytest.mark.parametrize("offset, step", [(0, None), (0, 1e-9), (1, None), (37, None), (100, None), (1000, None)])
def test_who_says_that_it_converged_is_near_the_minimum(make, lam, offset, step):
    """Far from 0 one direction of Φ lets steps be so short that nothing moves in the others."""
    x = offset + np.linspace(-2, 2, 60)[:, None]
    y = np.where(np.arange(60) % 7, np.sign(x[:, 0] - offset), 1)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        model = make(lam=lam, solver="gd", step=step).fit(x, y)
    far = offset > 1 or step is not None
    assert model.converged_ == (not far) == (not caught)

    def value(model):
        f = model.decision_function(x)
        square = model.w_ @ model.w_ if hasattr(model, "w_") else model.a_ @ f
        return objective(f, y, lam, square)

    if model.converged_:
        assert value(model) <= value(KernelLogistic(K2, lam or 1e-9).fit(x, y)) * (1 + 1e-3)


# ---- how the code reads ---------------------------------------------------------------------------


@pytest.mark.parametrize("solver", ["newton", "gd"])
def test_once_k_is_known_a_fit_stays_within_three_files(solver, moons):
    """A reader who follows ``fit`` needs the model, what all models share, and Newton's method."""
    model = KernelLogistic(K2, 20.0, solver, max_iter=300, tol=1e-3)
    files = set()
    known = False

    def watch(frame, event, _):
        nonlocal known
        path = Path(frame.f_code.co_filename)
        if known and event == "call" and PACKAGE in path.parents:
            files.add(path.name)
        known = known or (event == "return" and frame.f_code.co_name == "_gram")

    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        model.fit(*moons)
    finally:
        sys.setprofile(before)
    assert "logistic.py" in files and len(files) <= 3, sorted(files)


# ---- outputs --------------------------------------------------------------------------------------


@BOTH
def test_probabilities_are_those_of_the_outputs(make, moons, cloud):
    X, y = moons
    model, Z = make(lam=0.5, solver="gd").fit(X, np.where(y > 0, "yes", "no")), cloud(30, 2)
    P, h = model.predict_proba(Z), model.decision_function(Z)
    assert P.shape == (30, 2) and P.min() >= 0
    np.testing.assert_allclose(P.sum(axis=1), 1, rtol=1e-15)
    np.testing.assert_allclose(np.log(P[:, 1] / P[:, 0]), h, atol=1e-9)
    np.testing.assert_array_equal(model.predict(Z), np.where(P[:, 1] > P[:, 0], "yes", "no"))


def test_sigmoid_and_loss_are_safe_far_out():
    f = np.array([-1e308, -1e4, -800.0, -1.0, 0.0, 1.0, 800.0, 1e4, 1e308])
    s = sigmoid(f)
    assert (s[:2] == 0).all() and (s[-2:] == 1).all() and s[4] == 0.5
    np.testing.assert_allclose(s + sigmoid(-f), 1)
    np.testing.assert_allclose(s[3], 1 / (1 + np.e), rtol=1e-15)
    assert log_loss(np.array([-1e4])) == 1e4 and log_loss(np.array([1e4])) == 0
    assert log_loss(np.array([50.0])) == pytest.approx(np.exp(-50.0), rel=1e-12)  # not rounded to log 1


@BOTH
def test_outputs_of_ten_thousand_are_safe(make, moons):
    X, y = moons
    model = make(lam=1e-3, solver="gd", max_iter=1).set_params(step=1.0)
    with pytest.warns(UserWarning, match="stopped"):
        model.fit(100 * X, y)
    assert np.abs(model.decision_function(100 * X)).max() > 1e4 and np.isfinite(model.predict_proba(100 * X)).all()


@BOTH
def test_a_fit_computes_no_cost_but_at_its_end(make, moons, monkeypatch):
    X, y = moons
    asked, total = [], LogLoss.total
    monkeypatch.setattr(LogLoss, "total", lambda self, f: asked.append(f) or total(self, f))
    model = make(solver="gd").fit(X, y)
    assert model.converged_ and len(asked) == 1
    np.testing.assert_allclose(asked[0], model.decision_function(X), rtol=1e-12)


# ---- outputs again --------------------------------------------------------------------------------


@BOTH
def test_log_probabilities_do_not_underflow(make, moons, cloud):
    X, y = moons
    model, Z = make(lam=0.5, solver="gd").fit(X, y), cloud(30, 2)
    np.testing.assert_allclose(model.predict_log_proba(Z), np.log(model.predict_proba(Z)), atol=1e-12)
    far = np.array([[1e5, 1e5], [-1e5, 1e5]])
    assert np.isfinite(model.predict_log_proba(far)).all() and model.predict_log_proba(far).min() < -1e4


def test_blobs_are_told_apart():
    X, y = make_blobs(300, random_state=0)
    X = StandardScaler().fit_transform(X)
    assert KernelLogistic().fit(X[y < 2], y[y < 2]).score(X[y < 2], y[y < 2]) > 0.83  # as scikit-learn's checks ask


def test_a_warning_is_scikit_learn_s(moons):
    from sklearn.exceptions import ConvergenceWarning

    with pytest.warns(ConvergenceWarning, match="stopped after max_iter = 1"):
        KernelLogistic(K2, max_iter=1).fit(*moons)
