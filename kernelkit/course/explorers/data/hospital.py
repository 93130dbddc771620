"""The patients of notebook 17: twelve to learn from and ten others, and what was fitted to them once.

``fit_tumours.py`` fits, and writes ``tumours.npz``, ``terms.json``, ``penalties.json`` and
``alike.json``.
"""

import json
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement
from math import comb
from pathlib import Path
from typing import NamedTuple

import numpy as np

from kernelkit import Monomials
from kernelkit.images.phantom import patient
from kernelkit.images.segmentation import FARTHEST, GROUPS, Segmenter, Template, pixel_features, some_pixels
from kernelkit.study.terms import columns

LEARNED, OTHERS = tuple(range(12)), tuple(range(100, 110))  # seeds
PIXELS = {12: 400, 4: 100}  # of each patient, when so many are learned from
LAMS = (0.01, 1.0, 100.0)
WIDTH = {"intensities": 4, "neighbourhood": 24, "coordinates": 2, "alignment": 8, "symmetry": 8}  # features
MOST_CUBED = 500  # products of three are fitted where there are no more of them
STEPS = 30  # terms chosen one by one
LADDER = ("intensities", "neighbourhood", "alignment", "symmetry")
POOLS = tuple(LADDER[:n] for n in (1, 2, 3, 4))  # what terms may be chosen from
L1_STEPS = 0.9 ** np.arange(1, 61)  # λ of L1, in parts of the one that keeps no term
L2_LAMS = 10.0 ** np.arange(5, -3, -0.5)
FITS, TERMS, PENALTIES, ALIKE = map(
    Path(__file__).with_name, ("tumours.npz", "terms.json", "penalties.json", "alike.json")
)


# ---- patients -----------------------------------------------------------------------------------


@lru_cache(maxsize=len(LEARNED) + len(OTHERS))
def patient_of(seed):
    return patient(seed)


@lru_cache(maxsize=1)
def template():
    return Template.of([patient_of(seed) for seed in LEARNED])


@lru_cache(maxsize=len(LEARNED) + len(OTHERS))
def scan_of(seed):
    """All features of a patient's pixels."""
    return pixel_features(patient_of(seed).channels, GROUPS, template())


def scans_of(seeds):
    """Features and tumours of several."""
    return [scan_of(seed) for seed in seeds], [patient_of(seed).tumour for seed in seeds]


# ---- logistic regression on every choice of groups ----------------------------------------------


class Setting(NamedTuple):
    """What a fit depends on.  count : how many patients are learned from."""

    groups: tuple
    degree: int
    lam: float
    count: int

    def width(self):
        """How many features, and how many weights."""
        d = sum(WIDTH[group] for group in self.groups)
        return d, comb(d + self.degree, self.degree)

    def model(self):
        """Not fitted."""
        return Segmenter(self.groups, self.degree, self.lam, PIXELS[self.count])


def fitted_degree(groups, degree):
    """The degree itself, or 2 where there are too many products of three."""
    return 2 if degree == 3 and Setting(groups, 3, 1.0, 12).width()[1] > MOST_CUBED else degree


@lru_cache(maxsize=1)
def settings():
    """{setting: where its weights begin in the file}, in the file's order."""
    subsets = [groups for size in range(1, 6) for groups in combinations(GROUPS, size)]
    every = [
        Setting(groups, degree, lam, count)
        for groups in subsets
        for degree in (1, 2, 3)
        if fitted_degree(groups, degree) == degree
        for count in PIXELS
        for lam in LAMS
    ]
    sizes = [setting.width()[1] for setting in every]
    return dict(zip(every, np.cumsum([0, *sizes]).tolist(), strict=False))


@lru_cache(maxsize=1)
def fits():
    """What the file holds.  weights : of all settings.  dice : (settings, 22), of LEARNED and OTHERS.

    mean, spread : {count: (46,)} of all features.
    """
    with np.load(FITS) as file:
        return {name: file[name].astype(float) for name in file.files}


@lru_cache(maxsize=64)
def fitted(groups, degree, lam, count):
    """The ``Segmenter`` of these groups, learned from the first so many patients, as it was kept."""
    setting = Setting(tuple(groups), degree, lam, count)
    model, start, chosen = setting.model(), settings()[setting], columns_of(groups)
    model.feature_map_ = Monomials(degree)
    model.mean_, model.spread_ = (fits()[name][list(PIXELS).index(count), chosen] for name in ("mean", "spread"))
    model.w_ = fits()["weights"][start : start + setting.width()[1]]
    return model


def columns_of(groups):
    """Which of all features are of these groups."""
    return np.repeat([group in groups for group in GROUPS], list(WIDTH.values()))


@cache
def dice_of(groups, degree, lam, count):
    """Dice on the patients learned from (count,), and on the others (10,)."""
    row = fits()["dice"][list(settings()).index(Setting(tuple(groups), degree, lam, count))]
    return row[:count], row[len(LEARNED) :]


# ---- terms chosen one by one --------------------------------------------------------------------


def sample(seeds, pixels):
    """Pixels of these patients with all their features, and y."""
    return some_pixels(*scans_of(seeds), GROUPS, pixels)


class Step(NamedTuple):
    """A term that was chosen, as columns of all features.  loss, held_out : mean squared residuals.  dice : others'."""

    term: tuple
    loss: float
    held_out: float
    dice: float
    tried: int


@lru_cache(maxsize=1)
def terms():
    """What the file holds.  names : of all features, short.  runs : {"pool degree count": rows of ``Step``}."""
    return json.loads(TERMS.read_text(encoding="utf-8"))


@cache
def run_of(pool, degree, count):
    """The steps of one selection; pool : how many groups of LADDER may be chosen from."""
    return [Step(tuple(term), *rest) for term, *rest in terms()["runs"][f"{pool} {degree} {count}"]]


SHORT = {
    "T1 with contrast": "T1c",
    ", mean of σ = ": " blur ",
    ", dot of σ = ": " dot ",
    ", side minus side of σ = ": " side ",
    "template's ": "mean head's ",
    "prior of grey matter": "grey prior",
    "distance": "radius",
}


def short_name(name):
    """FLAIR, mean of σ = 4 as "FLAIR blur 4"."""
    for long, brief in SHORT.items():
        name = name.replace(long, brief)
    return name


def written(term):
    """A term as people write it: "u²", "u × radius"."""
    names = terms()["names"]
    if len(term) == 2 and term[0] == term[1]:
        return f"{names[term[0]]}, squared"
    return " × ".join(names[i] for i in term)


# ---- penalties on all terms ---------------------------------------------------------------------


def every_term(degree):
    """All single features of the ladder and, of degree 2, all products of two, as columns of all features."""
    chosen = np.flatnonzero(columns_of(LADDER)).tolist()
    return [term for factors in range(1, degree + 1) for term in combinations_with_replacement(chosen, factors)]


def standard(degree, count):
    """Φ and y of the pixels learned from, Φ and y of the others': all terms in one scale, and the constant is done.

    So each column of Φ has mean 0 and spread 1 on the pixels learned from, and y has mean 0 there.
    """
    (X, y), (X_out, y_out) = sample(LEARNED[:count], PIXELS[count]), sample(OTHERS, PIXELS[12])
    mean, spread, terms = X.mean(axis=0), X.std(axis=0), every_term(degree)
    Phi, Phi_out = (columns(np.clip((A - mean) / spread, -FARTHEST, FARTHEST), terms) for A in (X, X_out))
    mean, spread = Phi.mean(axis=0), Phi.std(axis=0)
    return (Phi - mean) / spread, y - y.mean(), (Phi_out - mean) / spread, y_out - y.mean()


class Penalised(NamedTuple):
    """What L1 keeps at a λ.  held_out : mean squared residual.

    If not too many are kept: again : held_out if they are fitted again without a penalty.  terms : which.
    """

    lam: float
    held_out: float
    kept: int
    again: float
    terms: tuple


@cache
def penalised(degree, count):
    """The path of L1, from the largest λ, and of L2 the rows (λ, held-out loss)."""
    kept = json.loads(PENALTIES.read_text(encoding="utf-8"))[f"{degree} {count}"]
    l1 = [Penalised(*numbers, tuple(map(tuple, terms))) for *numbers, terms in kept["l1"]]
    return l1, np.array(kept["l2"])


@lru_cache(maxsize=1)
def taken():
    """{the healthy structure that there is: {groups beside intensities: the part of it taken for tumour}}."""
    return json.loads(ALIKE.read_text(encoding="utf-8"))
