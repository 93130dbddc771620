"""Where to drill next: six strategies, the race between them on a map whose truth is known, and the variogram.

Four strategies look at a model of the ground: they score every place from the mean and the standard deviation that a
``Kriging`` predicts there, and the next hole goes where the score is largest, of equal scores to the first place. Two
are plans made before the first hole.
"""

from math import pi, sqrt
from typing import NamedTuple

import numpy as np

from kernelkit.arrays import first_largest, pair_distances, unit_of
from kernelkit.checks import check_array, check_whole, generator, read_points
from kernelkit.models.chunks import unfitted
from kernelkit.models.kriging import Kriging
from kernelkit.models.reading import check_same_rows

LOOKING = "largest uncertainty", "upper confidence bound", "expected improvement", "Thompson"
PLANNED = "random", "regular grid"
STRATEGIES = LOOKING + PLANNED
BETA = 2.0  # how many standard deviations the upper confidence bound lies above the mean


# ---- scores: where the next hole is worth most --------------------------------------------------


def upper_confidence_bound(mean, std, beta=BETA):
    """mean + β·std, (m,): how rich the ground may well be."""
    return mean + beta * std


def expected_improvement(mean, std, best):
    """E max(0, f − best) for f ~ N(mean, std²), (m,): with u = (mean − best)/std it is std (u P(t ≤ u) + φ(u)).

    t is N(0, 1), and φ its density.  Where std is 0 it is max(0, mean − best).
    """
    from scipy.special import ndtr

    sure = std <= 0
    u = (mean - best) / np.where(sure, 1, std)
    return np.where(sure, np.maximum(mean - best, 0), std * (u * ndtr(u) + np.exp(-(u**2) / 2) / sqrt(2 * pi)))


def scores(strategy, model, Z, best, random_state=None):
    """How much a strategy wants a hole at each of the m places Z: (m,).

    strategy : one of ``LOOKING``.  model : a fitted ``Kriging``.  best : the richest hole so far.
    random_state : a seed or a generator, for "Thompson", which draws one function from the posterior.
    """
    if strategy not in LOOKING:
        raise ValueError(f"Unknown strategy {strategy!r}: those that look at a model are {', '.join(LOOKING)}.")
    if strategy == "Thompson":
        return model.sample(Z, random_state=random_state)[0]
    mean, std = model.predict(Z, return_std=True)
    if strategy == "largest uncertainty":
        return std
    if strategy == "upper confidence bound":
        return upper_confidence_bound(mean, std)
    return expected_improvement(mean, std, best)


# ---- the race -----------------------------------------------------------------------------------


class Holes(NamedTuple):
    """What was drilled: the numbers of the places in their order, what was found there, and the regret after each.

    places : (holes,).  values : (holes,).  regret : (holes,), the richest place less the richest hole so far.
    """

    places: np.ndarray
    values: np.ndarray
    regret: np.ndarray


def drill(model, Z, truth, strategy, holes=20, random_state=0, tune_every=0):
    """Drill a map hole by hole: ``Holes``.

    model : a ``Kriging``, which stays as it is.  Z : the m places of the map, (m, d).  truth : what is there, (m,).
    strategy : one of ``STRATEGIES``; the regular grid needs d = 2.  random_state : a seed, a generator, or None; it
    draws the first hole, which is the same for all that look.
    tune_every : after so many holes the kernel's numbers are tuned to what was found; 0 is never.
    """
    Z, _ = read_points(Z, "Z")
    truth = check_array(truth, "truth")
    holes = check_whole(holes, "holes", at_least=1)
    rng = generator(random_state) or np.random.default_rng()
    tune_every = check_whole(tune_every, "tune_every")
    if strategy not in STRATEGIES:
        raise ValueError(f"Unknown strategy {strategy!r}: there are {', '.join(STRATEGIES)}.")
    if strategy in LOOKING and not isinstance(model, Kriging):
        raise TypeError(f"model must be a Kriging, which knows how sure it is, got {model!r}.")
    if truth.shape != (len(Z),) or holes > len(Z):
        raise ValueError(f"{len(Z)} places need a truth of that length and at most as many holes, got {truth.shape}.")
    if strategy in PLANNED:
        places = plan(strategy, Z, holes, rng)
    else:
        places = _search(model, Z, truth, strategy, holes, rng, tune_every)
    values = truth[places]
    return Holes(places, values, truth.max() - np.maximum.accumulate(values))


def _search(model, Z, truth, strategy, holes, rng, tune_every):
    """The places of a strategy that looks at what was found so far, in their order: (holes,)."""
    places = [int(rng.integers(len(Z)))]
    while len(places) < holes:
        X = Z[places]
        y = truth[places]
        if tune_every and len(places) % tune_every == 0:
            model = model.tuned(X, y, fixed=["noise"])
        else:
            model = unfitted(model).fit(X, y)
        score = scores(strategy, model, Z, y.max(), rng)
        score[places] = -np.inf
        places.append(int(first_largest(score)))
    return np.array(places)


def plan(strategy, Z, holes, rng):
    """The places of a strategy that does not look, in a random order: (holes,)."""
    if strategy == "random":
        return rng.permutation(len(Z))[:holes]
    if Z.shape[1] != 2:
        raise ValueError(f"A regular grid is laid over a map of two coordinates: Z must be (m, 2), got {Z.shape}.")
    rows = max(r for r in range(1, int(sqrt(holes)) + 1) if holes % r == 0)
    Z = Z / unit_of(Z)
    columns = holes // rows
    across = (np.arange(columns) + 0.5) / columns
    up = (np.arange(rows) + 0.5) / rows
    low = Z.min(axis=0)
    high = Z.max(axis=0)
    knots = low + (high - low) * np.array(np.meshgrid(across, up)).reshape(2, -1).T
    places = []
    for knot in knots:  # the nearest place of each knot that is not drilled yet
        squared_distances = ((Z - knot) ** 2).sum(axis=1)
        squared_distances[places] = np.inf
        places.append(int(first_largest(-squared_distances)))
    return rng.permutation(places)


# ---- the variogram ------------------------------------------------------------------------------


class Variogram(NamedTuple):
    """Half the mean squared difference of pairs at about the same distance: three arrays (bins,), NaN where no pair is.

    distance : the mean distance in each bin.  half_square : ½ mean (y_i − y_j)².  pairs : how many.
    """

    distance: np.ndarray
    half_square: np.ndarray
    pairs: np.ndarray


def variogram(X, y, edges):
    """γ(r) = ½ E(y(x) − y(z))² at ‖x − z‖ = r, from all pairs of points: ``Variogram``.

    X : (n, d).  y : (n,).  edges : (bins + 1,) distances, increasing.
    For y = f + e with f ~ N(0, k): γ(r) = k(0) − k(r) + noise, with the nugget γ(0+) = noise and the sill k(0) + noise.
    """
    check_same_rows(X, y)
    X, _ = read_points(X)
    y = check_array(y, "y")
    edges = check_array(edges, "edges")
    if y.shape != (len(X),):
        raise ValueError(f"y must hold one number for each of the {len(X)} points, got shape {y.shape}.")
    if edges.ndim != 1 or len(edges) < 2 or (np.diff(edges) <= 0).any():
        raise ValueError(f"edges must be two or more increasing distances, got {edges.tolist()}.")
    r = pair_distances(X)
    with np.errstate(over="ignore"):
        half_square = pair_distances(y[:, None]) ** 2 / 2
    if not np.isfinite(half_square).all():
        raise ValueError("The squared differences of y overflow: scale the values.")
    bins = len(edges) - 1
    bin_of = np.searchsorted(edges, r, side="right") - 1
    inside = (bin_of >= 0) & (bin_of < bins)
    bin_of = bin_of[inside]
    pairs = np.bincount(bin_of, minlength=bins)
    count = np.where(pairs > 0, pairs, np.nan)
    mean_r = np.bincount(bin_of, r[inside], bins) / count
    mean_half_square = np.bincount(bin_of, half_square[inside], bins) / count
    return Variogram(mean_r, mean_half_square, pairs)
