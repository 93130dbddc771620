"""Notebook 11. Who stands apart."""

from functools import lru_cache
from types import SimpleNamespace

import numpy as np
from matplotlib.colors import to_rgba

from kernelkit import Gaussian, KernelOneClass, KernelOutliers
from kernelkit.course.explorers.drawing.shades import whole_frame
from kernelkit.course.panel.controls import Choice, Points, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Contours, Discs, Dots, HLine, Text
from kernelkit.course.panel.numbers import short, typed
from kernelkit.course.panel.parts import GROUND, plane_points
from kernelkit.course.plots import GREEN, INK, PURPLE

LOW, HIGH = (-2.6, -2.2), (2.6, 2.2)
GUESTS = ((-0.92, 0.75), (2.2, 1.6), (0.75, 0.2))
NAMES = ("guest A", "guest B", "guest C")
DENSE, THIN = 24, 36  # points
N = DENSE + THIN + len(NAMES)
ENDLESS = 1000  # the score of a point beside neighbours at one place
FAR = 1.5  # a score above it is an outlier's
METHODS = {"r / r of the neighbours": "beside", "mean distance r": "distance", "one-class machine": "machine"}
SCORES = {
    "beside": "r / mean r of the neighbours",
    "distance": "r / median of all r",
    "machine": "ρ / f(x): 1 on the border",
}
PALE = to_rgba(PURPLE, 0.3), to_rgba(GREEN, 0.3)  # outside, and not


@lru_cache(maxsize=1)
def sample():
    """A dense cloud and a thin one, each as regular as the seeds of a sunflower."""
    return np.vstack([_disc((-1.5, 0.5), 0.3, DENSE), _disc((0.8, -0.4), 1.25, THIN)])


def _disc(centre, radius, n):
    i = np.arange(n)
    r, angle = radius * np.sqrt((i + 0.5) / n), i * np.pi * (3 - np.sqrt(5))
    return centre + r[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])


def scores_of(method, sigma, n_neighbors, nu, X):
    """A number for each point, the larger the farther out, and the model; outside: above FAR, or 1 for the machine."""
    if method == "machine":
        model = KernelOneClass(Gaussian(sigma), nu, tol=1e-6).fit(X)
        return model.offset_ / model.score_samples(X), model
    model = KernelOutliers(Gaussian(sigma), n_neighbors).fit(X)
    r = model.distances_
    return (model.scores_ if method == "beside" else r / np.median(r)), model


def compute(method, sigma, n_neighbors, nu, guests):
    X = np.vstack([sample(), guests])
    scores, model = scores_of(method, sigma, n_neighbors, nu, X)
    limit = 1.0 if method == "machine" else FAR
    x, y = np.linspace(LOW[0], HIGH[0], 70), np.linspace(LOW[1], HIGH[1], 60)
    H = None
    if method == "machine":
        H = (model.score_samples(plane_points(x, y)) / model.offset_ - 1).reshape(60, 70)
    return SimpleNamespace(
        X=X,
        scores=scores,
        outside=scores > limit,
        limit=limit,
        x=x,
        y=y,
        H=H,
        support=len(getattr(model, "support_", ())),
        largest=_score(scores.max()),
        guests=[_score(score) for score in scores[-3:]],
    )


def picture(s):
    sizes, colours = np.clip(s.scores, 0, 6), np.where(s.outside, PURPLE, GREEN)
    return [[_plane(s, sizes, colours), _sorted(s, sizes, colours)]]


def _plane(s, sizes, colours):
    """Each point with a disc whose area is its score."""
    guests = s.X[-3:]
    return Axes(
        "",
        Axis("", LOW[0], HIGH[0], ()),
        Axis("", LOW[1], HIGH[1], ()),
        None if s.H is None else Contours(s.x, s.y, s.H, width=2.0, name="border"),
        Discs(s.X, np.where(s.outside[:, None], *PALE), 12.65 * np.sqrt(sizes)),
        Discs(s.X, colours, 4, edge="face", rim=1),
        Dots(*guests.T, "none", size=12, edge=INK, rim=1.6),
        *(_letter(*place, name) for place, name in zip(_beside(guests), NAMES, strict=True)),
        Text(0, 1.02, "area: the score; purple: outside", up="bottom", of="axes"),
        name="plane",
        place=(0.02, 0.05, 0.545, 0.875),
        dress=whole_frame,
    )


def _beside(guests):
    """Where the letters stand: above their rings; where the guests are together, on the far side of each."""
    if np.ptp(guests, axis=0).max() >= 0.5:
        return guests + np.array([0, 0.14])
    away = guests - guests.mean(axis=0)
    return guests + 0.3 * away / np.linalg.norm(away, axis=1, keepdims=True).clip(1e-9) - np.array([0, 0.1])


def _letter(x, y, name):
    return Text(x, y, name[-1], side="center", up="bottom", weight="bold", box=GROUND)


def _sorted(s, sizes, colours):
    """The scores from the smallest to the largest, and their limit."""
    top = next((t for t in (2.2, 3.2, 4.2) if 1.1 * s.scores.max() < t), 6.2)
    rank = np.argsort(np.argsort(s.scores, kind="stable"))
    heights = sizes[-3:] + 0.02 * top
    return Axes(
        "",
        Axis("points, sorted", -2, N + 1, ()),
        Axis("", 0, top, range(int(top) + 1)),
        HLine(s.limit, width=1.4, style="--", name="limit"),
        Text(-1, s.limit + 0.015 * top, f"limit {s.limit:g}", up="bottom"),
        Text(0, 1.02, SCORES[s.method], up="bottom", of="axes"),
        Discs(np.column_stack([rank, sizes]), colours, 4.7, edge="face", rim=1),
        *(_letter(max(i - 2.5, 1.5), y, name) for i, y, name in zip(rank[-3:], heights, NAMES, strict=True)),
        place=(0.655, 0.145, 0.33, 0.78),
    )


def readout(state):
    return {
        "outside": f"{state.outside.sum()} of {N} points",
        "largest score": state.largest,
        "scores of A, B and C": ", ".join(state.guests),
        f"ν times {N}": short(state.nu * N) if state.support else None,
        "support vectors": f"{state.support} of {N}" if state.support else None,
    }


def _score(score):
    """A score, which has no limit where the neighbours of a point all lie at one place."""
    return short(score) if score < ENDLESS else f"more than {ENDLESS}"


def _who(i):
    if i >= DENSE + THIN:
        return NAMES[i - DENSE - THIN]
    return f"a point of the {'dense' if i < DENSE else 'thin'} cloud"


def code(method, sigma, n_neighbors, nu, guests):
    model = {
        "machine": f"KernelOneClass(Gaussian({sigma:g}), nu={nu:g}).fit(X)\n"
        "scores = model.offset_ / model.score_samples(X)",
        "beside": f"KernelOutliers(Gaussian({sigma:g}), {n_neighbors})\nscores = model.fit(X).scores_",
        "distance": f"KernelOutliers(Gaussian({sigma:g}), {n_neighbors})\nr = model.fit(X).distances_\n"
        "scores = r / np.median(r)",
    }[method]
    return (
        "import numpy as np\nfrom kernelkit import *\n"
        "from kernelkit.course.explorers.distances_and_clusters.outliers import sample\n\n"
        f"X = np.vstack([sample(), {typed(guests)}])\nmodel = {model}\nprint(scores[-3:].round(4))  # of the guests"
    )


def _tell(state, x, y):
    i = int(((state.X - (x, y)) ** 2).sum(axis=1).argmin())
    return f"{_who(i)}: {_score(state.scores[i])}"


outliers = panel(
    compute,
    picture,
    readout,
    code,
    Choice("method", "score", "beside", METHODS),
    Slider("sigma", "width σ", 1.0, 0.2, 3.0, 0.1),
    Slider("n_neighbors", "neighbours", 5, 1, 30, 1, when=lambda v: v["method"] != "machine"),
    Slider("nu", "ν", 0.1, 0.02, 0.9, 0.02, when=lambda v: v["method"] == "machine"),
    Points("guests", "drag", GUESTS, LOW, HIGH, "plane", ("x₁", "x₂"), NAMES, more=True),
    title="Who stands apart",
    shows="On the left the plane with a dense cloud, a thin cloud and three ringed guests A, B and C. The area of a "
    "disc is the score of its point: purple above the limit, that is outside, and green below. On the right the scores "
    "of all points, sorted, and a dashed line at the limit.",
    tell={"plane": _tell},
    film=("sigma",),
    scenes={
        "Mean distance": {"method": "distance"},
        "One-class machine": {"method": "machine"},
        "One-class machine, small σ": {"method": "machine", "sigma": 0.3},
        "One-class machine, ν = 0.5": {"method": "machine", "nu": 0.5},
        "Three together": {"guests": ((2.2, 1.6), (2.3, 1.7), (2.1, 1.75)), "n_neighbors": 2},
    },
    question=Question(
        "Guest A is next to the dense cloud. If only the mean distance r to its five neighbours counts, is A outside?",
        (
            "yes, its r is the largest of all",
            "yes, its r is as large as that of guest B",
            "no, other points have as large an r",
        ),
        2,
        "A single limit either misses A or makes outliers of the many points of the thin cloud that have a larger r. "
        "If r is divided by what is usual around the neighbours of A, then A stands out. That is the "
        "idea of the local outlier factor.",
        "Mean distance",
    ),
)
