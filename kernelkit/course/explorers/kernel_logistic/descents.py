"""Notebook 05. Two descents: steps in w, steps in a."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.transforms import Bbox, TransformedBbox

from kernelkit import Polynomial
from kernelkit.course.explorers.drawing.field import FLAT, Field
from kernelkit.course.explorers.drawing.shades import probability_shades, value_at
from kernelkit.course.explorers.drawing.two_descents import (
    GX,
    GY,
    HIGH,
    LAST,
    LOW,
    frame_from_zero,
    planes,
    run,
)
from kernelkit.course.panel.controls import Choice, Points, Question, Slider, Stepper
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import bracketed, fixed, short
from kernelkit.course.plots import INK, PURPLE, contour_lines
from kernelkit.models.logistic import sigmoid

DATA = "mixture"
ALONG = np.linspace(LOW[1], HIGH[1], 93)  # where the two are compared on the wiper
SWELL = 0.14  # half of the width of the wiper where one says 0 and the other says 1
SEEN = 0.02  # of a difference of two probabilities: below this the wiper is no thicker than its line


def compute(t, wiper, start, n, degree, lam):
    r = run(DATA, n, degree, lam, start=start)
    in_w, in_a = planes(r, t, DATA, n, degree)
    ring = np.array(wiper[0])
    k, places = Polynomial(degree), np.vstack([ring, np.column_stack([np.full(len(ALONG), ring[0]), ALONG])])
    of_w, of_a = sigmoid(k.feature_map()(places) @ r.W[t]), sigmoid(k(places, r.X) @ r.A[t])
    return SimpleNamespace(
        r=r,
        t=t,
        in_w=in_w,
        in_a=in_a,
        ring=ring,
        at_ring=(float(of_w[0]), float(of_a[0])),
        seam=np.abs(of_w - of_a)[1:],
    )


def build(figure):
    axes = figure.subplot_mosaic([["plane", "apart"]], width_ratios=(7, 2))
    plane, right = axes["plane"], axes["apart"]
    field = Field(plane, GX, GY, lambda w, a, side: probability_shades(np.where(side < 0, w, a)), size=8)
    plane.set_title("← steps in $w$")
    plane.set_title("steps in $a$ →", loc="right")
    right.set_title(r"$\|w_t - \Phi^\top a_t\|$", color=PURPLE)
    right.set(xlim=(-0.04 * LAST, 1.02 * LAST), xticks=[0, LAST // 2, LAST], xlabel="step $t$")
    frame_from_zero(right, 1.5)
    moving = {"animated": True, "clip_on": False}
    return axes | {
        "field": field,
        "lines": [plane.add_collection(LineCollection([], colors=INK, animated=True, zorder=2)) for _ in "wa"],
        "seam": plane.add_collection(PolyCollection([], facecolor=PURPLE, linewidth=0, animated=True, zorder=3)),
        "wiper": plane.axvline(0, color=INK, linewidth=1.4, animated=True, zorder=3),
        "arrows": [plane.plot([], [], m, color=INK, mec="white", ms=8, animated=True, zorder=7)[0] for m in "<>"],
        "ring": [
            plane.plot([], [], "o", color="none", mec=c, mew=width, ms=17, zorder=6, **moving)[0]
            for c, width in (("white", 5), (INK, 2))
        ],
        "seam_name": plane.set_title("", loc="center", color=PURPLE, animated=True),
        "coming": right.plot([], [], color=PURPLE, alpha=0.3, linewidth=2.4, **moving)[0],
        "curve": right.plot([], [], color=PURPLE, linewidth=2.4, **moving)[0],
        "now": right.plot([], [], "o", color=PURPLE, ms=7, **moving)[0],
    }


def draw(parts, state):
    r, t, (x, y) = state.r, state.t, state.ring
    parts["field"].show(state.in_w, state.in_a, np.broadcast_to(GX - x, (len(GY), len(GX))))
    parts["field"].points(r.X, r.y)
    halves = ((LOW, (x, HIGH[1])), ((x, LOW[1]), HIGH))
    for line, H, corners in zip(parts["lines"], (state.in_w, state.in_a), halves, strict=True):
        line.set_segments(contour_lines(GX, GY, H, (0.0,))[0] if np.ptp(H) > FLAT else [])
        line.set_clip_box(TransformedBbox(Bbox(corners), parts["plane"].transData))
    half = SWELL * state.seam
    parts["seam"].set_verts([np.column_stack([np.r_[x - half, (x + half)[::-1]], np.r_[ALONG, ALONG[::-1]]])])
    parts["seam_name"].set_text("thick where they differ" if state.seam.max() > SEEN else "thin: they agree here")
    parts["wiper"].set_xdata([x, x])
    for ring in parts["ring"]:
        ring.set_data([x], [y])
    for arrow, side in zip(parts["arrows"], (-1, 1), strict=True):
        arrow.set_data([x + 0.095 * side], [y])
    parts["coming"].set_data(np.arange(len(r.apart)), r.apart)
    parts["curve"].set_data(np.arange(t + 1), r.apart[: t + 1])
    parts["now"].set_data([t], [r.apart[t]])
    frame_from_zero(parts["apart"], max(0.9, r.apart.max()))


def readout(state):
    in_w, in_a = state.at_ring
    return {
        "features D": state.r.D,
        "‖w − Φᵀa‖": fixed(state.r.apart[state.t], 4),
        "P(+1) at the ring, in w": f"{in_w:.2f}",
        "P(+1) at the ring, in a": f"{in_a:.2f}",
        "largest difference along the wiper": f"{state.seam.max():.2f}",
    }


def code(t, wiper, start, n, degree, lam):
    r = run(DATA, n, degree, lam, start=start)
    w0, a0 = (
        bracketed(str(round(float(v), 6)) for v in values) if start != "zero" else None for values in (r.W[0], r.A[0])
    )
    return (
        "from itertools import islice\nimport numpy as np\nfrom kernelkit import *\nfrom kernelkit import datasets\n\n"
        f"X, y = datasets.{DATA}({n})\nX = X - X.mean(axis=0)\nX = X / np.abs(X).max()\nk = Polynomial({degree})\n"
        f'same = {{"lam": {lam!r}, "solver": "gd", "step": {r.step:.6g}}}  # 1/L\n'
        f"primal, dual = PrimalLogistic(k.feature_map(), **same), KernelLogistic(k, **same)\n"
        f"w0 = {w0}\na0 = {a0}\n"
        f"w = next(islice(primal.steps(X, y, w0), {t}, None)).iterate\n"
        f"a = next(islice(dual.steps(X, y, a0), {t}, None)).iterate\n"
        "print(np.linalg.norm(w - k.feature_map()(X).T @ a))"
    )


def _tell_plane(state, x, y):
    w, a = (sigmoid(value_at(GX, GY, H, x, y)) for H in (state.in_w, state.in_a))
    return f"P(+1): {w:.2f} in w, {a:.2f} in a"


def _tell_distance(state, x, y):
    t = min(max(round(x), 0), state.t)
    return f"after {t} steps: {short(round(state.r.apart[t], 4))}"


def _wiped(state, x, y):
    """The wiper where somebody has clicked."""
    return {"wiper": (WIPER.inside((x, y)),)}


STARTS = {"w = 0, a = 0": "zero", "w = Φᵀa": "inside", "w outside, if possible": "outside"}
WIPER = Points(
    "wiper", "drag", ((-0.35, -0.8),), (-1.1, -1.1), (1.1, 1.1), "plane", ("across", "up"), ("the ring",), more=True
)

descents = Explorer(
    title="Two descents: steps in w, steps in a",
    controls=(
        Stepper("t", "step t", LAST, 20),
        WIPER,
        Choice("start", "start", "outside", STARTS),
        Slider("n", "points n", 8, 6, 30, 2),
        Slider("degree", "degree p", 4, 1, 5, 1),
        Slider("lam", "λ", 0.01, 1e-3, 1.0, 0.25, log=True),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left the plane with the points of two classes, blue dots and orange squares, and a vertical line, "
    "the wiper, with a ring. Left of it the colours are the probabilities of the model in w, right of it those "
    "of the model in a, and black lines are where they are ½. The wiper is as thick as the two differ. On the "
    "right is the distance of w and Φᵀa at each step.",
    code=code,
    tell={"plane": _tell_plane, "apart": _tell_distance},
    click={"plane": _wiped, "apart": lambda state, x, y: {"t": min(max(round(x), 0), LAST)}},
    motion=True,
    film=("t",),
    scenes={
        "Both from 0": {"start": "zero"},
        "Another place": {"wiper": ((-0.467, 0.134),)},
        "Out of reach": {"t": 100},
        "λ pulls it back": {"t": 100, "lam": 1.0},
        "No outside": {"degree": 2},
    },
    question=Question(
        "The model in w began at weights that no a can produce, so the two models are not the same. Where do they "
        "agree nevertheless, at this step and at every other?",
        ("nowhere", "at the training points", "everywhere"),
        1,
        "The part u of w that no Φᵀa has is orthogonal to the features of every training point, that is, Φu = 0. So it "
        "changes no output there, no step sees it, and the wiper is as thin as a line. Elsewhere uᵀΦ(z) counts, and "
        "the wiper swells.",
        "Another place",
    ),
)
