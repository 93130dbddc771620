"""Row 8.1 of the lectures, held by the code of notebook 08 itself: ten lines fit every loss, and the tube too."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from kernelkit import Gaussian, KernelMachine, KernelSVR, Polynomial, datasets
from kernelkit.models.representer import losses, total_loss

NOTEBOOK = Path(__file__).parents[1] / "notebooks" / "08-representer-theorem.ipynb"
REGRESSION = ("squared", "absolute", "huber", "maximum")


@cache
def written():
    """What the notebook's own cells define: its loop, its slopes, its tube."""
    names = {"np": np}
    for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "code" and source.startswith(("def descend", "def huber(", "def tube(")):
            exec(source, names)
    return names


def test_the_loop_is_ten_lines_and_knows_all_seven_losses():
    cells = json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"]
    (loop,) = ("".join(c["source"]) for c in cells if "".join(c["source"]).startswith("def descend"))
    assert len(loop.partition("\n\n")[0].splitlines()) <= 10
    assert set(written()["slopes"]) == set(losses())


@pytest.mark.parametrize("k", [Gaussian(0.7), Polynomial(2)], ids=repr)
@pytest.mark.parametrize("loss", losses())
def test_the_loop_reaches_the_minimum_of_every_loss(loss, k):
    """Σ loss + λ/2 ‖w‖² is λ-strongly convex in w: a value that is ε too high has ½λ‖w − w*‖² ≤ ε."""
    X, y = datasets.sine(25) if loss in REGRESSION else datasets.moons(40)
    K, lam = k(X / np.abs(X).max()), 1.0
    a = written()["descend"](K, y, written()["slopes"][loss], lam)
    model = KernelMachine(k, loss, lam, delta=0.3).fit(X / np.abs(X).max(), y)
    value = total_loss(loss, y, K @ a, 0.3) + lam / 2 * a @ K @ a
    assert model.objective_ * (1 - 1e-6) <= value <= model.objective_ * 1.003
    apart = np.sqrt(2 * (value - model.objective_ + 1e-6) / lam * K.diagonal().max())
    assert np.abs(K @ (a - model.a_)).max() <= apart + 1e-3


@pytest.mark.parametrize("C, epsilon", [(1.0, 0.3), (1.0, 0.0), (3.0, 0.1)])
def test_the_tube_s_loop_reaches_support_vector_regression(C, epsilon):
    X, y = datasets.sine(25, noise=0.2, random_state=2)
    K = Gaussian(0.7)(X)
    a, b = written()["tube"](K, y, C, epsilon)
    model = KernelSVR(Gaussian(0.7), C, epsilon, tol=1e-8).fit(X, y)
    f = K @ a + b
    value = C * np.maximum(0, np.abs(y - f) - epsilon).sum() + a @ K @ a / 2
    assert model.primal_objective_ * (1 - 1e-6) <= value <= 1.01 * model.primal_objective_
    np.testing.assert_allclose(f, model.predict(X), atol=0.02)
