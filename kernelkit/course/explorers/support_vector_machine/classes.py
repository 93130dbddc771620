"""Notebook 07. Three classes: one model for each."""

from functools import cache
from types import SimpleNamespace

import numpy as np
from matplotlib.colors import to_rgb

from kernelkit import Gaussian, KernelSVM, Linear, OneVsRest, datasets
from kernelkit.course.explorers.drawing.boundary import decision_on_grid, grid, value_at
from kernelkit.course.explorers.drawing.machines import TOL
from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Contours, Dots, Field, Line, Text
from kernelkit.course.panel.numbers import percent, read_off
from kernelkit.course.panel.stretched import mixed
from kernelkit.course.plots import BLUE, GREEN, GREY, ORANGE

KINDS = ("setosa", "versicolor", "virginica")
LOOKS = ((BLUE, "o", "-"), (ORANGE, "s", "--"), (GREEN, "^", ":"))
DYES = 1 - np.array([to_rgb(colour) for colour in (BLUE, ORANGE, GREEN, GREY)])  # what each takes from white
PETAL = (-1.9, -1.9), (2.3, 2.3)
LENGTHS, WIDTHS = grid(*PETAL, 100)
SAYS = {
    "winner": "black: beyond it another\nclass has the largest h",
    "claims": "white: nobody says yes\ngrey: more than one does",
}
TOPS = 12, 90, 168  # pixels from above, where what is said of a class begins
HELD = 101  # pixels from the left, where a number of flowers ends
FLAT = 1e-3  # an h that varies less over the whole picture is constant, up to the tolerance it was solved to


def compute(kernel, C, sigma, show):
    X, y = datasets.iris()
    X = X[:, 2:]
    machines = OneVsRest(KernelSVM(_kernel(kernel, sigma), C, tol=TOL)).fit(X, y)
    H = np.array([decision_on_grid(m, LENGTHS, WIDTHS) for m in machines.models_])
    claims = (H > 0).sum(axis=0)
    h = machines.decision_function(X).round(4)  # as the margins of two machines meet in an iris: equal is equal
    signs = np.where(y[:, None] == np.arange(3), 1, -1)
    # two irises may coincide and share a weight in any way: counted is what does not depend on it
    return SimpleNamespace(
        X=X,
        y=y,
        H=H,
        wrong=int(np.sum(h.argmax(axis=1) != y)),
        inside=np.sum(signs * h < 1 + FLAT, axis=0),
        none=float(np.mean(claims == 0)),
        several=float(np.mean(claims > 1)),
    )


def _kernel(kernel, sigma):
    return Gaussian(sigma) if kernel == "gaussian" else Linear()


def picture(s):
    (left, low), (right, high) = PETAL
    ticks = -1, 0, 1, 2
    plane = Axes(
        "",
        Axis("petal length (scaled)", left, right, ticks),
        Axis("petal width (scaled)", low, high, ticks),
        Field(np.moveaxis(1 - 0.36 * (_ink(s) @ DYES), -1, 0), mixed),
        *_edges(s),
        *(Contours(LENGTHS, WIDTHS, s.H[i], color=c, width=2.0, style=style) for i, (c, _, style) in enumerate(LOOKS)),
        *(Dots(*s.X[s.y == i].T, c, marker=marker, rim=0.6) for i, (c, marker, _) in enumerate(LOOKS)),
        name="axes",
        place=(0.08, 0.135, 0.56, 0.845),
    )
    beside = Axes(
        "",
        Axis("", 0, 231, ()),
        Axis("", 321, 0, ()),
        *(mark for i in range(3) for mark in _legend(i)),
        Text(0, 256, SAYS[s.show], up="top", spacing=1.35),
        *(mark for i in range(3) for mark in _held(s, i)),
        place=(0.67, 0.135, 0.33, 0.845),
        bare=True,
    )
    return [[plane, beside]]


def _edges(s):
    """For each class the line around where it has the largest h."""
    if s.show != "winner":
        return [None] * 3
    wins = s.H - np.array([np.delete(s.H, c, axis=0).max(axis=0) for c in range(3)])
    return [Contours(LENGTHS, WIDTHS, ahead) for ahead in wins]


@cache
def _legend(i):
    """What a class and the line of its model look like."""
    top, (colour, marker, style) = TOPS[i], LOOKS[i]
    return [
        Dots(17, top, colour, marker=marker, size=9, rim=0.6),
        Text(46, top, KINDS[i], colour, weight="bold", up="center"),
        Line([0, 34], top + 21, colour, style=style),
        Text(46, top + 21, "its h = 0", up="center"),
    ]


def _held(s, i):
    """How many flowers are in the margin of a model, and of one that is constant what it says."""
    place = TOPS[i] + 42
    if _is_flat(s.H[i]):
        return [Text(88, place, ": always no", up="center"), Text(89, place, "w = 0", side="right", up="center")]
    number = f"{s.inside[i]} of {len(s.y)}"
    return [
        Text(HELD + 5, place, "in or on its margin", up="center"),
        Text(HELD, place, number, side="right", up="center"),
    ]


def _ink(state):
    """How much of blue, orange, green and grey each place gets (w, l, 4): the more, the farther ahead its winner is."""
    ahead, second = state.H.max(axis=0), np.sort(state.H, axis=0)[1]
    rival = second if state.show == "winner" else np.maximum(second, 0)
    first = np.arange(3) == state.H.argmax(axis=0)[..., None]
    lead = np.sqrt(np.clip(ahead - rival, 0, 1))[..., None] * first
    both = np.sqrt(np.clip(second, 0, 1)) * (state.show == "claims")
    return np.concatenate([lead, both[..., None]], axis=-1)


def readout(state):
    return {
        "training irises wrong": f"{state.wrong} of {len(state.y)}",
        "no model says yes": f"in {percent(state.none)} of the picture",
        "more than one says yes": f"in {percent(state.several)}",
    }


def _is_flat(H):
    return np.ptp(H) < FLAT


def _tell(state, x, y):
    values = [read_off(value_at(LENGTHS, WIDTHS, H, (x, y))) for H in state.H]
    return f"h = {values[0]}, {values[1]}, {values[2]}"


def code(kernel, C, sigma, show):
    return (
        "from kernelkit import Gaussian, KernelSVM, Linear, OneVsRest, datasets\n\n"
        "X, y = datasets.iris()\nX = X[:, 2:]  # petal length and width\n"
        f"machines = OneVsRest(KernelSVM({_kernel(kernel, sigma)!r}, C={C:g}, tol={TOL:g})).fit(X, y)\n"
        "h = machines.decision_function(X).round(4)\nprint((h.argmax(axis=1) != y).sum(), 'of', len(y), 'wrong')"
    )


classes = panel(
    compute,
    picture,
    readout,
    code,
    Choice("kernel", "kernel", "gaussian", {"Gaussian": "gaussian", "linear": "linear"}),
    Slider("C", "price C", 1.0, 0.1, 100.0, 0.1, log=True),
    Slider("sigma", "width σ", 1.0, 0.1, 3.0, 0.05, when=lambda v: v["kernel"] == "gaussian"),
    Choice("show", "colours show", "claims", {"who says yes": "claims", "the largest h": "winner"}),
    title="Three classes: one model for each",
    shows="The plane of petal length and petal width with the irises of three species, blue dots, orange squares and "
    "green triangles; the line in a species' colour is where its model has h = 0. A place has the colour of the "
    "model that says yes there, or, if that is chosen, of the largest h. Next to it is how many irises each "
    "model has in or on its margin.",
    film=("sigma",),
    scenes={
        "The largest h": {"show": "winner"},
        "Linear kernel, who says yes": {"kernel": "linear"},
        "Linear kernel, the largest h": {"kernel": "linear", "show": "winner"},
        "A small σ": {"sigma": 0.1},
    },
    question=Question(
        "In 31\u00a0% of the picture no model says yes. The width σ falls from 1 to 0.1. In how much of the picture "
        "does no model say yes then?",
        ("in less", "in about as much", "in far more"),
        2,
        "A few σ away from all flowers every bump is nearly 0, and each h is its offset b alone. All three b are "
        "negative, so no model says yes there. In all, no model says yes in 79\u00a0% of the picture.",
        "A small σ",
    ),
    tell={"axes": _tell},
    motion=True,
)
