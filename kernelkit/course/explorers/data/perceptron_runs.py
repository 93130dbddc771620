"""Data for the perceptron and its whole runs, in w and in a."""

from functools import lru_cache
from itertools import islice
from types import SimpleNamespace

import numpy as np

from kernelkit import datasets
from kernelkit.course.panel.controls import Choice, Slider

DATA = {
    "half planes": "half_planes(40, noise=0.0)",
    "rings": "rings(40)",
    "moons": "moons(40)",
    "crossing": "crossing(40)",
    "16 points": "sixteen()",
}
PASSES = 100


@lru_cache(maxsize=16)
def mixed_data(name):
    """The points in a mixed order: some data sets come class by class."""
    X, y = {
        "half planes": lambda: datasets.half_planes(40, noise=0.0),
        "rings": lambda: datasets.rings(40),
        "moons": lambda: datasets.moons(40),
        "crossing": lambda: datasets.crossing(40),
        "16 points": datasets.sixteen,
    }[name]()
    order = np.random.default_rng(0).permutation(len(y))
    return X[order], y[order]


def data_code(name):
    return (
        f"X, y = datasets.{DATA[name]}\norder = np.random.default_rng(0).permutation(len(y))\n"
        "X, y = X[order], y[order]\n"
    )


def run_of(model, design, X, y, most):
    """The iterates to mistake number most, the points and passes of the mistakes, and whether that is all of them.

    design : Φ(X) for a model in w, K for one in a.
    """
    walk = list(islice(model.steps(X, y), most + 2))
    steps = walk[: most + 1]
    right = y * (design @ steps[-1].iterate) > 0
    return SimpleNamespace(
        iterates=np.array(steps),
        points=[step.moved for step in steps[1:]],
        passes=[max(step.turn, 1) for step in steps],
        over=len(walk) == len(steps) and bool(right.all()),
    )


def seed_of(order, seed):
    """The random_state that visits the points in this order."""
    return None if order == "cyclic" else seed


ORDER = (
    Choice("order", "order", "cyclic", {"round and round": "cyclic", "uniformly at random": "random"}),
    Slider("seed", "random seed", 0, 0, 9, 1, when=lambda v: v["order"] == "random", more=True),
)
