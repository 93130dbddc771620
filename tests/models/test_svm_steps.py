"""The ways to a support vector machine: warm starts, plain steps, points that count differently, the primal."""

import numpy as np
import pytest
from models.svm_problems import KERNELS, data, dual

from kernelkit import (
    Exp,
    FromFeatures,
    Gaussian,
    KernelMachine,
    KernelSVM,
    Linear,
    Monomials,
    PrimalSVM,
    datasets,
)
from kernelkit.models import svm

pytestmark = pytest.mark.filterwarnings("error")


# ---- warm starts, rows, plain steps -----------------------------------------------------------------


@pytest.mark.parametrize("sweep", ["C up", "C down", "sigma"])
def test_warm_start_ends_where_a_cold_one_does(sweep):
    X, y = data("mixture")
    Cs, sigmas = np.logspace(-2, 3, 8), np.linspace(0.3, 2.0, 8)
    path = {"C up": [(0.7, C) for C in Cs], "C down": [(0.7, C) for C in Cs[::-1]], "sigma": [(s, 5.0) for s in sigmas]}
    a, warm_steps, cold_steps = None, 0, 0
    for sigma, C in path[sweep]:
        model = KernelSVM(Gaussian(sigma), C, tol=1e-8)
        cold = KernelSVM(Gaussian(sigma), C, tol=1e-8).fit(X, y)
        before = None if a is None else a.copy()
        warm = model.fit(X, y, start=a)
        np.testing.assert_array_equal(a, before)  # the start is only read
        assert warm.dual_objective_ == pytest.approx(cold.dual_objective_, rel=1e-6)
        np.testing.assert_allclose(warm.decision_function(X), cold.decision_function(X), atol=1e-3)
        assert abs(warm.a_.sum()) <= 1e-10 * C and warm.multipliers_.min() >= 0 and warm.multipliers_.max() <= C
        a, warm_steps, cold_steps = warm.a_, warm_steps + warm.n_iter_, cold_steps + cold.n_iter_
    assert warm_steps < cold_steps


def test_start_may_be_anything_of_the_right_length(cloud):
    X, y = data("moons")
    cold = KernelSVM(Gaussian(0.7), 3.0, tol=1e-8).fit(X, y)
    for start in (cloud(120, scale=100.0), np.full(120, 7.0), y.tolist(), -cold.a_):
        warm = KernelSVM(Gaussian(0.7), 3.0, tol=1e-8).fit(X, y, start=start)
        assert warm.dual_objective_ == pytest.approx(cold.dual_objective_, rel=1e-6) and abs(warm.a_.sum()) < 1e-9
    hard = KernelSVM(Gaussian(0.7), np.inf, tol=1e-8)
    assert hard.fit(X, y, start=cold.a_).dual_objective_ == pytest.approx(hard.fit(X, y).dual_objective_, rel=1e-5)
    for wrong in (np.zeros(119), np.zeros((120, 1)), 0.0):
        with pytest.raises(ValueError, match="start must hold one dual weight for each of the 120 points, got shape"):
            KernelSVM().fit(X, y, start=wrong)
    with pytest.raises(ValueError, match="start must hold finite numbers"):
        KernelSVM().fit(X, y, start=np.full(120, np.nan))


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("C", [1.0, np.inf])
def test_rows_on_demand_give_the_same_model(kernel, C, monkeypatch):
    X, y = data("moons")
    y = np.where(X[:, 0] > 0.1, 1, -1)  # separable in any of the kernels
    k = KERNELS[kernel](2)
    whole = KernelSVM(k, C, tol=1e-8).fit(X, y)
    monkeypatch.setattr(svm, "WHOLE", 10)
    rows = KernelSVM(k, C, tol=1e-8).fit(X, y)
    lazy = rows._rows(X)
    np.testing.assert_allclose(lazy.block(range(120)), k(X), rtol=1e-12)
    np.testing.assert_allclose(lazy.diagonal, np.diag(k(X)), rtol=1e-12)
    assert rows.dual_objective_ == pytest.approx(whole.dual_objective_, rel=1e-6)
    np.testing.assert_allclose(rows.decision_function(X), whole.decision_function(X), rtol=1e-4, atol=1e-4)
    words = FromFeatures(lambda s: [[len(w), 1] for w in s])
    assert KernelSVM(words).fit(["a", "bb", "cccc", "ddddd"] * 3, [0, 0, 1, 1] * 3).predict(["eeeeee"]) == [1]


def test_rows_on_demand_are_refused_where_they_overflow(monkeypatch):
    monkeypatch.setattr(svm, "WHOLE", 2)
    far = [[-1.0], [1.0], [1e200]], [0, 1, 1]  # the last row is never asked for
    X, y = data("moons")
    for k, problem in (Exp(Linear()), (1e3 * X, y)), (Linear(), far):
        with pytest.raises(ValueError, match="k overflows: scale the inputs"):
            KernelSVM(k).fit(*problem)


@pytest.mark.parametrize("kernel", KERNELS)
def test_plain_steps_end_at_the_fitted_model(kernel):
    X, y = datasets.mixture(80)
    model = KernelSVM(KERNELS[kernel](2), 1.0, tol=1e-8).fit(X, y)
    *_, last = model.steps(X, y)
    a, K = last.iterate, model.kernel(X)
    assert last.violation <= 1e-8 and -last.cost == pytest.approx(dual(a, y, K), rel=1e-12)
    assert -last.cost == pytest.approx(model.dual_objective_, rel=1e-9)
    h = K @ a + svm.offset(a, last.r, np.minimum(y, 0), np.maximum(y, 0))
    np.testing.assert_allclose(h, model.decision_function(X), atol=1e-5)


@pytest.mark.parametrize("C", [100.0, np.inf])
@pytest.mark.parametrize("most", [1, 2, 20, 110])
def test_max_iter_stops_with_a_warning(most, C):
    X, y = data("mixture")
    with pytest.warns(UserWarning, match=rf"stopped after {most} steps with a violation of .* > tol = 0.001") as caught:
        model = KernelSVM(Gaussian(0.2), C, max_iter=most).fit(X, y)
    assert caught[0].filename == __file__
    assert model.violation_ > 1e-3 and model.n_iter_ == most and model.duality_gap_ >= 0


def test_wide_tol_leaves_no_support():
    X, y = data("moons")
    model = KernelSVM(Gaussian(1.0), tol=3.0).fit(X, y)  # a = 0 violates by 2 only
    assert len(model.support_) == 0 and np.isfinite(model.decision_function(X)).all()


@pytest.mark.parametrize(
    "setting, error, message",
    [
        ({"C": 0}, ValueError, "C must be a finite number > 0, got 0"),
        ({"C": -np.inf}, ValueError, "C must be a finite number > 0"),
        ({"C": np.nan}, ValueError, "C must be a finite number > 0"),
        ({"C": "1"}, TypeError, "C must be a number > 0, got '1'"),
        ({"tol": 0}, ValueError, "tol must be a finite number > 0"),
        ({"max_iter": 0}, ValueError, "max_iter must be a whole number ≥ 1"),
        ({"kernel": "rbf"}, TypeError, "kernel must be a kernel, such as"),
    ],
)
def test_bad_settings_are_refused(setting, error, message):
    with pytest.raises(error, match=message):
        KernelSVM(**setting).fit(*data("moons"))


def test_steps_want_a_finite_price():
    with pytest.raises(ValueError, match="steps needs a finite C, got inf"):
        KernelSVM(C=np.inf).steps(*data("moons"))


def test_a_start_that_is_the_optimum_is_kept():
    X, y = data("mixture")
    model = KernelSVM(Gaussian(0.7), 2.0, tol=1e-8).fit(X, y)
    warm = KernelSVM(Gaussian(0.7), 2.0, tol=1e-6).fit(X, y, start=model.a_)
    assert warm.n_iter_ == 0


# ---- the primal ----------------------------------------------------------------------------------


def lecture_s_objective(w, Phi, y, lam):
    return np.mean(np.maximum(0, 1 - y * (Phi @ w))) + lam * w @ w


@pytest.mark.parametrize("name, lam, random_state", [("mixture", 0.1, 0), ("moons", 0.01, 0), ("moons", 0.1, None)])
def test_primal_comes_within_a_few_per_cent_of_the_optimum(name, lam, random_state):
    (X, y), phi = data(name), Monomials(2)
    if random_state is None:  # cyclic order wants classes that alternate
        order = np.argsort(np.tile(np.arange(len(y) // 2), 2), kind="stable")
        X, y = X[order], y[order]
    w = PrimalSVM(phi, lam, random_state=random_state).fit(X, y).w_
    # (1/n) Σ hinge + λ‖w‖² is Σ hinge + (2nλ)/2 ‖w‖², divided by n
    exact = KernelMachine(FromFeatures(phi), "hinge", 2 * len(y) * lam).fit(X, y)
    best = exact.objective_ / len(y)
    assert lecture_s_objective(phi(X).T @ exact.a_, phi(X), y, lam) == pytest.approx(best, rel=1e-9)
    assert best * (1 - 1e-6) <= lecture_s_objective(w, phi(X), y, lam) <= 1.03 * best


@pytest.mark.parametrize("random_state", [0, None])
def test_primal_steps_are_the_lecture_s(random_state):
    X, y = data("moons")
    phi, lam = Monomials(2), 0.03
    rng = np.random.default_rng(random_state)
    order = np.arange(len(y)) if random_state is None else rng.permutation(len(y))
    iterates = list(PrimalSVM(phi, lam, 1, random_state).steps(X, y))
    assert len(iterates) == 121 and not iterates[0].iterate.any() and iterates[0].moved is None
    w = np.zeros(6)
    for t in range(1, 51):
        i, eta = order[t - 1], 1 / (2 * lam * (t + 1))
        hinge = max(0, 1 - y[i] * w @ phi(X[i]))
        w = w * (1 - 2 * lam * eta) + eta * y[i] * phi(X[i]) * (hinge > 0)
        np.testing.assert_allclose(iterates[t].iterate, w, rtol=1e-12, atol=1e-12)
        assert iterates[t].moved == i and iterates[t].cost == pytest.approx(hinge, abs=1e-12) and iterates[t].turn == 1


def test_primal_averages_the_second_half():
    X, y = data("moons")
    model = PrimalSVM(lam=0.03, passes=3)
    iterates = list(model.steps(X, y))
    assert [step.turn for step in iterates] == [0] + 120 * [1] + 120 * [2] + 120 * [3]
    np.testing.assert_allclose(model.fit(X, y).w_, np.mean(iterates[181:], axis=0), rtol=1e-10)
    single = PrimalSVM(Monomials(1), passes=1).fit([[0.0], [1.0]], [0, 1])
    assert np.isfinite(single.w_).all()


@pytest.mark.parametrize("setting", [{"lam": 0}, {"lam": -1.0}, {"passes": 0}, {"lam": np.inf}])
def test_primal_refuses_bad_settings(setting):
    with pytest.raises(ValueError, match=f"{next(iter(setting))} must be a"):
        PrimalSVM(**setting).fit(*data("moons"))
