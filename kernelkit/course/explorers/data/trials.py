"""Holes in real ground: what eighty of them, and a kernel tuned to them, say of the rest.

``run_gold_races.py ground`` tunes the kernels and writes ``trials.json``.
"""

import json
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np

from kernelkit import Gaussian, Kriging, Matern, datasets

STEP, ROWS, COLUMNS = 8, 43, 51  # of the elevation model; so many places to the north and to the east
KERNELS = {"Matérn, ν = 1/2": "rough", "Gaussian": "gaussian"}
COUNTS, DRAWS, BAND = (20, 40, 80), 20, 1.96
TRIALS = Path(__file__).with_name("trials.json")


class Trial(NamedTuple):
    """What a model says of the ground: heights in metres at all places, and how true it was where there is no hole.

    holes : numbers of places.  mean, std : (places,), std of a new measurement.  coverage : the part of the rest inside
    mean ± 1.96 std.  width : the mean std in parts of the ground's.  ratio : the root mean squared error in parts of
    that of the nearest hole.
    """

    holes: np.ndarray
    mean: np.ndarray
    std: np.ndarray
    coverage: float
    width: float
    ratio: float


@lru_cache(maxsize=1)
def ground():
    return datasets.ground(STEP)


def holes_of(count, draw):
    """The places of so many holes, drawn at random; fewer holes are the first of more."""
    return np.random.default_rng(draw).permutation(ROWS * COLUMNS)[:count]


def measured(count, draw):
    """The holes' places (count, 2), their heights as numbers of mean 0 and deviation 1, and this mean and deviation."""
    X, y = ground()
    holes = holes_of(count, draw)
    centre, scale = y[holes].mean(), y[holes].std()
    return X[holes], (y[holes] - centre) / scale, centre, scale


def prior(kernel):
    """The model before it is tuned."""
    return Kriging(1.0 * (Matern(3.0, 0.5) if kernel == "rough" else Gaussian(3.0)), 0.1)


@lru_cache(maxsize=64)
def trial(kernel, count, draw, c, sigma, noise):
    (X, y), (places, heights, centre, scale) = ground(), measured(count, draw)
    model = prior(kernel).set_params(kernel__c=c, kernel__k__sigma=sigma, noise=noise).fit(places, heights)
    mean, std = model.predict(X, return_std=True)
    mean, std = centre + scale * mean, scale * np.sqrt(std**2 + noise)
    holes = holes_of(count, draw)
    rest = np.setdiff1d(np.arange(len(y)), holes)
    nearest = ((X[rest, None] - places) ** 2).sum(axis=-1).argmin(axis=1)
    error, naive = (mean - y)[rest], y[holes][nearest] - y[rest]
    ratio = np.sqrt(np.mean(error**2) / np.mean(naive**2))
    inside = np.abs(error) <= BAND * std[rest]
    return Trial(holes, mean, std, float(inside.mean()), float(std[rest].mean() / y.std()), float(ratio))


@lru_cache(maxsize=1)
def trials():
    """{"kernel count": one row for each draw: c, sigma, noise, coverage, width, ratio}."""
    return {name: np.array(rows) for name, rows in json.loads(TRIALS.read_text(encoding="utf-8")).items()}


def stored(kernel, count):
    """The rows of all draws, (DRAWS, 6)."""
    return trials()[f"{kernel} {count}"]
