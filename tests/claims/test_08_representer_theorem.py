"""What notebook 08 proves about descent without a penalty, as theorems, and its loops next to kernelkit's models."""

import numpy as np
import pytest
from notebook_cells import defined_by

from kernelkit import Gaussian, KernelSVR, datasets


@pytest.mark.parametrize("start", ["zero", "inside", "outside"])
def test_descent_keeps_what_lies_outside_the_span_and_moves_the_rest_to_the_shortest_solution(start):
    rng = np.random.default_rng(1)
    Phi, y = rng.standard_normal((3, 5)), rng.standard_normal(3)
    a = {"inside": rng.standard_normal(3)}.get(start, np.zeros(3))
    w0 = rng.standard_normal(5) if start == "outside" else Phi.T @ a
    project, w, rate = np.linalg.pinv(Phi) @ Phi, w0, 1 / np.linalg.norm(Phi, 2) ** 2
    for step in range(3000):
        w, a = w - rate * Phi.T @ (Phi @ w - y), a - rate * (Phi @ Phi.T @ a - y)
        if step % 100 in (0, 1):
            np.testing.assert_allclose(w - project @ w, w0 - project @ w0, atol=1e-9)
            assert start == "outside" or np.allclose(Phi.T @ a, w, rtol=0, atol=1e-9), "the same walk in a"
    np.testing.assert_allclose(w, np.linalg.pinv(Phi) @ y + w0 - project @ w0, atol=1e-6)


def test_the_tube_s_loop_reaches_support_vector_regression():
    X, y = datasets.sine(25, noise=0.2, random_state=2)
    a, b = defined_by("08-representer-theorem.ipynb", "tube-loop")["tube"](Gaussian(0.7)(X), y, 1.0, 0.3)
    model = KernelSVR(Gaussian(0.7), 1.0, 0.3, tol=1e-8).fit(X, y)
    f = Gaussian(0.7)(X) @ a + b
    value = np.maximum(0, np.abs(y - f) - 0.3).sum() + a @ Gaussian(0.7)(X) @ a / 2
    assert model.primal_objective_ * (1 - 1e-6) <= value <= 1.01 * model.primal_objective_
    np.testing.assert_allclose(f, model.predict(X), atol=0.02)
