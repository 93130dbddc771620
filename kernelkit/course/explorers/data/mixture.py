"""The mixture of ten Gaussians a class, samples of it, and how well anybody could do."""

from functools import lru_cache

import numpy as np

from kernelkit import datasets
from kernelkit.course.explorers.drawing import boundary as plane
from kernelkit.course.panel.parts import plane_points

LOW, HIGH = (-2.4, -2.2), (3.8, 4.0)
ACROSS, UP = plane.grid(LOW, HIGH, 120)
N, TESTS, TEST_STATE = 200, 2000, 26


@lru_cache(maxsize=8)
def sample(data):
    """The points to learn from."""
    return getattr(datasets, data)(N)


@lru_cache(maxsize=8)
def fresh(data):
    """The points to test on."""
    return getattr(datasets, data)(TESTS, random_state=TEST_STATE)


@lru_cache(maxsize=1)
def bayes():
    """log p(x | +1)/p(x | −1) of the mixture over the grid, and the error of its sign on the test points."""
    X, y = fresh("mixture")
    over_grid = datasets.mixture_bayes(plane_points(ACROSS, UP)).reshape(len(UP), len(ACROSS))
    return over_grid, wrong(datasets.mixture_bayes(X), y)


def wrong(h, y):
    """The fraction of points on the wrong side of h = 0."""
    return float(np.mean((h > 0) != (y > 0)))
