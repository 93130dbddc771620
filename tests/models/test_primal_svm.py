"""Theorems about the support vector machine in w: its steps are the lecture's, and their mean is near the optimum."""

import numpy as np
import pytest
from models.svm_problems import data

from kernelkit import FromFeatures, KernelMachine, Monomials, PrimalSVM

pytestmark = pytest.mark.filterwarnings("error")


def test_primal_comes_within_a_few_per_cent_of_the_optimum():
    (X, y), phi, lam = data("mixture"), Monomials(2), 0.1
    exact = KernelMachine(FromFeatures(phi), "hinge", 2 * len(y) * lam).fit(X, y)  # n times the lecture's objective
    reached, best = (
        np.mean(np.maximum(0, 1 - y * (phi(X) @ w))) + lam * w @ w
        for w in (PrimalSVM(phi, lam).fit(X, y).w_, phi(X).T @ exact.a_)
    )
    assert best == pytest.approx(exact.objective_ / len(y), rel=1e-9)
    assert best * (1 - 1e-6) <= reached <= 1.03 * best


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
