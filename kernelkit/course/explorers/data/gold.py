"""Maps with gold in them: drawn by a kernel, or cut from real ground, and the races of six strategies on them.

``run_gold_races.py gold`` runs the races and writes ``races.json``.
"""

import json
from functools import lru_cache
from pathlib import Path

import numpy as np

from kernelkit import Gaussian, Kriging, Matern, datasets
from kernelkit.models.kriging import root

SIDE, MAPS, HOLES = 24, 50, 20
SIGMA, SMOOTH, NOISE = 0.15, 0.5, 1e-4  # of the maps that are drawn, in sides of the map, and of every measurement
T = (np.arange(SIDE) + 0.5) / SIDE  # the middles of the cells
PLACES = np.array(np.meshgrid(T, T)).reshape(2, -1).T
RACES = Path(__file__).with_name("races.json")
GROUNDS = {"drawn": Gaussian(SIGMA), "smooth": Gaussian(SMOOTH), "real": 1.0 * Matern(2 * SIGMA, 1.5)}


@lru_cache(maxsize=2)
def drawn(sigma):
    """All maps that the kernel of this width draws, (MAPS, SIDE²)."""
    return (root(Gaussian(sigma)(PLACES)) @ np.random.default_rng(0).standard_normal((SIDE**2, MAPS))).T


@lru_cache(maxsize=1)
def patches():
    """As many squares of 9 km cut from real ground, each less its mean and over its deviation, (MAPS, SIDE²)."""
    heights, rng = datasets.ground(4)[1].reshape(86, 101), np.random.default_rng(0)
    corners = zip(rng.integers(0, 86 - SIDE, MAPS), rng.integers(0, 101 - SIDE, MAPS), strict=True)
    cut = np.array([heights[i : i + SIDE, j : j + SIDE].ravel() for i, j in corners])
    return (cut - cut.mean(axis=1, keepdims=True)) / cut.std(axis=1, keepdims=True)


def truth_of(ground, number):
    """The map of that number, from 1: (SIDE²,)."""
    maps = patches() if ground == "real" else drawn(SMOOTH if ground == "smooth" else SIGMA)
    return maps[number - 1]


def model_of(ground):
    """What is expected of a ground: the truth where a kernel drew the maps, and a guess where the ground is real."""
    return Kriging(GROUNDS[ground], NOISE)


@lru_cache(maxsize=1)
def races():
    """{ground: {strategy: regret (MAPS, HOLES)}}."""
    stored = json.loads(RACES.read_text(encoding="utf-8"))
    return {ground: {s: np.array(r) for s, r in runs.items()} for ground, runs in stored.items()}
