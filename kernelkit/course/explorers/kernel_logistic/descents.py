"""Notebook 05. Two descents: steps in w, steps in a."""

from types import SimpleNamespace

import numpy as np

from kernelkit import Polynomial
from kernelkit.course.explorers.drawing.field import level_lines
from kernelkit.course.explorers.drawing.shades import class_points, plane, probability_shades, value_at
from kernelkit.course.explorers.drawing.two_descents import GX, GY, HIGH, LAST, LOW, from_zero, planes, run
from kernelkit.course.panel.controls import Choice, Points, Question, Slider, Stepper
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Dots, Field, Line, Polygons, Text, VLine
from kernelkit.course.panel.numbers import bracketed, fixed, short
from kernelkit.course.plots import INK, PURPLE
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
        in_w=in_w,
        in_a=in_a,
        ring=ring,
        at_ring=(float(of_w[0]), float(of_a[0])),
        seam=np.abs(of_w - of_a)[1:],
    )


ABOVE = 1.0275  # where a title stands, in the axes


def picture(s):
    return [[_plane(s), _distance(s)]]


def _plane(s):
    """Left of the wiper the model in w, right of it the one in a; the wiper is as thick as the two differ."""
    r, (x, y), half = s.r, s.ring, SWELL * s.seam
    seam = np.column_stack([np.r_[x - half, (x + half)[::-1]], np.r_[ALONG, ALONG[::-1]]])
    words = "thick where they differ" if s.seam.max() > SEEN else "thin: they agree here"
    return plane(
        "← steps in $w$",
        GX,
        GY,
        Text(1, ABOVE, "steps in $a$ →", side="right", of="axes"),
        Field((s.in_w, s.in_a, np.broadcast_to(GX - x, (len(GY), len(GX)))), _shades),
        level_lines(*_side(x, s.in_w, left=True), width=2.0),
        level_lines(*_side(x, s.in_a, left=False), width=2.0),
        Polygons([seam], PURPLE, name="seam"),
        VLine(x, width=1.4, name="wiper"),
        *class_points(r.X, r.y, 8),
        *(Dots(x, y, "none", size=17, edge=c, rim=w, clip=False) for c, w in (("white", 5), (INK, 2))),
        *(Dots(x + 0.095 * side, y, marker=m, size=8, rim=1.0) for m, side in (("<", -1), (">", 1))),
        Text(0.5, ABOVE, words, PURPLE, side="center", of="axes", name="seam name"),
        name="plane",
        width=7,
    )


def _shades(w, a, side):
    return probability_shades(np.where(side < 0, w, a))


def _side(x, H, left):
    """The grid left of x, or right of it, with x as its edge, and h there."""
    i = np.searchsorted(GX, x)
    part = (x - GX[i - 1]) / (GX[i] - GX[i - 1])
    at_x = (1 - part) * H[:, i - 1] + part * H[:, i]
    if left:
        return np.r_[GX[:i], x], GY, np.column_stack([H[:, :i], at_x])
    return np.r_[x, GX[i:]], GY, np.column_stack([at_x, H[:, i:]])


def _distance(s):
    """How far w and Φᵀa are from each other at each step, pale where that is still to come."""
    steps, apart = np.arange(LAST + 1), s.r.apart
    return Axes(
        r"$\|w_t - \Phi^\top a_t\|$",
        Axis("step $t$", -0.04 * LAST, 1.02 * LAST, (0, LAST // 2, LAST)),
        from_zero(max(0.9, apart.max())),
        Line(steps, apart, PURPLE, width=2.4, alpha=0.3, clip=False, name="coming"),
        Line(steps[: s.t + 1], apart[: s.t + 1], PURPLE, width=2.4, clip=False),
        Dots(s.t, apart[s.t], PURPLE, edge=PURPLE, rim=1.0, clip=False),
        name="apart",
        width=2,
        dress=_purple_title,
    )


def _purple_title(ax):
    ax.set_title(ax.get_title("left"), color=PURPLE)


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

descents = panel(
    compute,
    picture,
    readout,
    code,
    Stepper("t", "step t", LAST, 20),
    WIPER,
    Choice("start", "start", "outside", STARTS),
    Slider("n", "points n", 8, 6, 30, 2),
    Slider("degree", "degree p", 4, 1, 5, 1),
    Slider("lam", "λ", 0.01, 1e-3, 1.0, 0.25, log=True),
    title="Two descents: steps in w, steps in a",
    shows="On the left the plane with the points of two classes, blue dots and orange squares, and a vertical line, "
    "the wiper, with a ring. Left of it the colours are the probabilities of the model in w, right of it those "
    "of the model in a, and black lines are where they are ½. The wiper is as thick as the two differ. On the "
    "right is the distance of w and Φᵀa at each step.",
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
