"""Laws of every model that walks: its records are copies, a seed fixes the way, and too short a walk is told."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

from kernelkit import (
    Gaussian,
    KernelLogistic,
    KernelMultiSVM,
    KernelPerceptron,
    KernelSoftmax,
    KernelSVM,
    Polynomial,
    PrimalLogistic,
    PrimalPerceptron,
    PrimalSVM,
    datasets,
)

pytestmark = pytest.mark.filterwarnings("error")


WALKS = {
    "gd in w": (PrimalLogistic(max_iter=9), {"lam": -1.0}),
    "sgd in w": (PrimalLogistic(solver="sgd", max_iter=2, random_state=5), {"lam": -1.0}),
    "newton": (KernelLogistic(max_iter=5), {"lam": -1.0}),
    "gd": (KernelLogistic(solver="gd", max_iter=9), {"lam": -1.0}),
    "sgd": (KernelLogistic(solver="sgd", max_iter=2, random_state=5), {"lam": -1.0}),
    "perceptron in w": (PrimalPerceptron(random_state=1), {"rate": 0}),
    "perceptron": (KernelPerceptron(random_state=1), {"rate": 0}),
    "svm in w": (PrimalSVM(passes=2), {"lam": 0}),
    "svm": (KernelSVM(), {"C": 0}),
    "multi svm": (KernelMultiSVM(), {"C": 0}),
}


@pytest.mark.parametrize("model", [model for model, _ in WALKS.values()], ids=WALKS)
def test_records_are_copies_and_a_seed_fixes_the_way(model):
    data = datasets.moons(40)
    kept = list(model.steps(*data))
    assert kept[0].moved is None and kept[0].turn == 0 and len(kept) > 3
    for record, again in zip(kept, model.steps(*data), strict=True):
        np.testing.assert_array_equal(again.iterate, record.iterate)
        assert (again.moved, again.cost, again.turn) == (record.moved, record.cost, record.turn)
        again.iterate[:] = 7  # the walk keeps its own
    np.testing.assert_array_equal(np.array(kept), [record.iterate for record in kept])


@pytest.mark.parametrize(("model", "bad"), WALKS.values(), ids=repr)
def test_steps_refuse_at_the_call_and_not_at_the_first_step(model, bad):
    with pytest.raises(ValueError, match=f"{next(iter(bad))} must be a"):
        clone(model).set_params(**bad).steps(*datasets.moons(40))


@pytest.mark.parametrize("most", [1, 2, 5])
@pytest.mark.parametrize(
    "model",
    [
        *(PrimalLogistic(solver=solver, tol=1e-15) for solver in ("gd", "sgd")),
        *(KernelLogistic(lam=1e-3, solver=solver, tol=1e-15) for solver in ("newton", "gd", "sgd")),
        KernelSoftmax(Gaussian(1.0), 1e-3, tol=1e-15),
        *(PrimalPerceptron(random_state=seed) for seed in (None, 0)),
        *(KernelPerceptron(Polynomial(2), random_state=seed) for seed in (None, 0)),
    ],
    ids=repr,
)
def test_a_walk_has_so_many_turns_at_most_and_says_when_they_were_too_few(model, most):
    limit, turns = ("max_iter", "n_iter_") if hasattr(model, "max_iter") else ("max_passes", "n_passes_")
    model = clone(model).set_params(**{limit: most})
    with pytest.warns(ConvergenceWarning, match=f"^{type(model).__name__} st.* after {limit} = {most}") as caught:
        model.fit(*datasets.mixture(60))
    assert caught[0].filename == __file__  # the learner's line
    assert getattr(model, turns) == most and not model.converged_
