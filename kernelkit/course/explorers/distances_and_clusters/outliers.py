"""Notebook 11. Who stands apart."""

from functools import lru_cache
from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection

from kernelkit import Gaussian, KernelOneClass, KernelOutliers
from kernelkit.course.panel.controls import Choice, Points, Question, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import short, typed
from kernelkit.course.panel.parts import GROUND, plane_points, reframed
from kernelkit.course.plots import GREEN, INK, PURPLE, contour_lines

LOW, HIGH = (-2.6, -2.2), (2.6, 2.2)
GUESTS = ((-0.92, 0.75), (2.2, 1.6), (0.75, 0.2))
NAMES = ("guest A", "guest B", "guest C")
DENSE, THIN = 24, 36  # points
N = DENSE + THIN + len(NAMES)
ENDLESS = 1000  # the score of a point beside neighbours at one place
FAR = 1.5  # a score above it is an outlier's
METHODS = {"r / r of the neighbours": "beside", "mean distance r": "distance", "one-class machine": "machine"}


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
    H = np.zeros((60, 70))
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
        method=method,
        nu=nu,
        support=len(getattr(model, "support_", ())),
        largest=_score(scores.max()),
        guests=[_score(score) for score in scores[-3:]],
    )


def build(figure):
    plane = figure.add_axes((0.02, 0.05, 0.545, 0.875), xticks=[], yticks=[], xlim=(LOW[0], HIGH[0]))
    plane.set_ylim(LOW[1], HIGH[1])
    plane.spines[:].set(visible=True, color="#999999")
    right = figure.add_axes((0.655, 0.145, 0.33, 0.78), xlabel="points, sorted")
    right.set_xticks([])
    look = {"animated": True}
    letter = {"weight": "bold", "ha": "center", "va": "bottom", "zorder": 6, "bbox": GROUND, **look}
    return {
        "plane": plane,
        "right": right,
        "line": plane.add_collection(LineCollection([], colors=INK, zorder=2, **look)),
        "discs": plane.scatter([], [], zorder=3, alpha=0.3, linewidths=0, **look),
        "dots": plane.scatter([], [], s=16, zorder=4, **look),
        "names": [plane.text(0, 0, name[-1], **letter) for name in NAMES],
        "guests": plane.plot([], [], "o", color="none", mec=INK, mew=1.6, ms=12, zorder=5, **look)[0],
        "says": plane.text(0, 1.02, "area: the score; purple: outside", transform=plane.transAxes, va="bottom"),
        "sorted": right.scatter([], [], s=22, zorder=4, **look),
        "letters": [right.text(0, 0, name[-1], **letter) for name in NAMES],
        "limit": right.plot([], [], "--", color=INK, lw=1.4, **look)[0],
        "limit name": right.text(-1, 0, "", va="bottom", **look),
        "title": right.text(0, 1.02, "", va="bottom", transform=right.transAxes, **look),
    }


def draw(parts, state):
    ax, top = parts["right"], next((t for t in (2.2, 3.2, 4.2) if 1.1 * state.scores.max() < t), 6.2)
    if reframed(ax, top):
        ax.set(xlim=(-2, N + 1), ylim=(0, top), yticks=range(int(top) + 1))
    colours = np.where(state.outside, PURPLE, GREEN)
    shown = np.clip(state.scores, 0, 6)
    parts["discs"].set(offsets=state.X, sizes=160 * shown, facecolors=colours)
    parts["dots"].set(offsets=state.X, facecolors=colours)
    parts["guests"].set_data(*state.X[-3:].T)
    machine = state.method == "machine"
    parts["line"].set_segments(contour_lines(state.x, state.y, state.H, (0.0,))[0] if machine else [])
    order = np.argsort(state.scores, kind="stable")
    rank = np.argsort(order)
    parts["sorted"].set(offsets=np.column_stack([rank, shown]), facecolors=colours)
    guests = state.X[-3:]
    away = guests - guests.mean(axis=0)
    together = np.ptp(guests, axis=0).max() < 0.5  # then each letter stands on the far side of its ring
    beside = 0.3 * away / np.linalg.norm(away, axis=1, keepdims=True).clip(1e-9) - (0, 0.1)
    places = guests + (beside if together else (0, 0.14))
    for name, letter, place, i in zip(parts["names"], parts["letters"], places, rank[-3:], strict=True):
        name.set_position(place)
        letter.set_position((max(i - 2.5, 1.5), shown[order[i]] + 0.02 * top))
    parts["limit"].set_data([-2, N + 1], [state.limit] * 2)
    parts["limit name"].set(text=f"limit {state.limit:g}", y=state.limit + 0.015 * top)
    parts["title"].set_text(
        {"beside": "r / mean r of the neighbours", "distance": "r / median of all r"}.get(
            state.method, "ρ / f(x): 1 on the border"
        )
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


outliers = Explorer(
    title="Who stands apart",
    controls=(
        Choice("method", "score", "beside", METHODS),
        Slider("sigma", "width σ", 1.0, 0.2, 3.0, 0.1),
        Slider("n_neighbors", "neighbours", 5, 1, 30, 1, when=lambda v: v["method"] != "machine"),
        Slider("nu", "ν", 0.1, 0.02, 0.9, 0.02, when=lambda v: v["method"] == "machine"),
        Points("guests", "drag", GUESTS, LOW, HIGH, "plane", ("x₁", "x₂"), NAMES, more=True),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left the plane with a dense cloud, a thin cloud and three ringed guests A, B and C. The area of a "
    "disc is the score of its point: purple above the limit, that is outside, and green below. On the right the scores "
    "of all points, sorted, and a dashed line at the limit.",
    code=code,
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
