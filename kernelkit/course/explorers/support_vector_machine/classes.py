"""Notebook 07. Three classes: one model for each."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb

from kernelkit import Gaussian, KernelSVM, Linear, OneVsRest, datasets
from kernelkit.course.explorers.drawing import boundary as plane
from kernelkit.course.explorers.drawing.machines import TOL
from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import percent, read_off
from kernelkit.course.panel.parts import reframed
from kernelkit.course.panel.stretched import Stretched, mixed
from kernelkit.course.plots import BLUE, GREEN, GREY, INK, ORANGE, contour_lines

KINDS = ("setosa", "versicolor", "virginica")
LOOKS = ((BLUE, "o", "-"), (ORANGE, "s", "--"), (GREEN, "^", ":"))
DYES = 1 - np.array([to_rgb(colour) for colour in (BLUE, ORANGE, GREEN, GREY)])  # what each takes from white
PETAL = (-1.9, -1.9), (2.3, 2.3)
LENGTHS, WIDTHS = plane.grid(*PETAL, 100)
SAYS = {
    "winner": "black: beyond it another\nclass has the largest h",
    "claims": "white: nobody says yes\ngrey: more than one does",
}
HELD = 101  # pixels from the left, where a number of flowers ends
FLAT = 1e-3  # an h that varies less over the whole picture is constant, up to the tolerance it was solved to


def compute(kernel, C, sigma, show):
    X, y = datasets.iris()
    X = X[:, 2:]
    machines = OneVsRest(KernelSVM(_kernel(kernel, sigma), C, tol=TOL)).fit(X, y)
    H = np.array([plane.decision_on_grid(m, LENGTHS, WIDTHS) for m in machines.models_])
    claims = (H > 0).sum(axis=0)
    h = machines.decision_function(X).round(4)  # as the margins of two machines meet in an iris: equal is equal
    signs = np.where(y[:, None] == np.arange(3), 1, -1)
    # two irises may coincide and share a weight in any way: counted is what does not depend on it
    return SimpleNamespace(
        X=X,
        y=y,
        H=H,
        show=show,
        wrong=int(np.sum(h.argmax(axis=1) != y)),
        inside=np.sum(signs * h < 1 + FLAT, axis=0),
        none=float(np.mean(claims == 0)),
        several=float(np.mean(claims > 1)),
    )


def _kernel(kernel, sigma):
    return Gaussian(sigma) if kernel == "gaussian" else Linear()


def build(figure):
    ax = figure.add_axes((0.08, 0.135, 0.56, 0.845), xlim=(PETAL[0][0], PETAL[1][0]), ylim=(PETAL[0][1], PETAL[1][1]))
    ax.set(xlabel="petal length (scaled)", ylabel="petal width (scaled)", xticks=[-1, 0, 1, 2], yticks=[-1, 0, 1, 2])
    look = {"animated": True, "zorder": 2}
    side = figure.add_axes((0.67, 0.135, 0.33, 0.845), xlim=(0, 231), ylim=(321, 0))
    side.axis("off")
    return {
        "axes": ax,
        "regions": Stretched(ax, mixed),
        "edges": ax.add_collection(LineCollection([], colors=INK, linewidths=2.2, **look)),
        "lines": [
            ax.add_collection(LineCollection([], colors=c, linewidths=2, linestyles=s, **look)) for c, _, s in LOOKS
        ],
        "dots": [
            ax.plot([], [], m, color=c, mec="white", mew=0.6, ms=7, animated=True, zorder=3)[0] for c, m, _ in LOOKS
        ],
        "notes": [_build_class(side, 12 + 78 * i, name, *LOOKS[i]) for i, name in enumerate(KINDS)],
        "says": side.text(0, 256, "", va="top", linespacing=1.35),
    }


def _build_class(side, top, name, colour, marker, line):
    side.plot([17], [top], marker, color=colour, mec="white", mew=0.6, ms=9)
    side.text(46, top, name, color=colour, weight="bold", va="center")
    side.plot([0, 34], [top + 21] * 2, line, color=colour, linewidth=2)
    side.text(46, top + 21, "its h = 0", va="center")
    held = side.text(HELD + 5, top + 42, "in or on its margin", va="center")
    return held, side.text(HELD, top + 42, "", va="center", ha="right", animated=True)


def draw(parts, state):
    parts["regions"].show(*np.moveaxis(1 - 0.36 * (_ink(state) @ DYES), -1, 0))
    wins = state.H - np.array([np.delete(state.H, c, axis=0).max(axis=0) for c in range(3)])
    edges = [contour_lines(LENGTHS, WIDTHS, ahead, (0.0,))[0] for ahead in wins] if state.show == "winner" else []
    parts["edges"].set_segments([line for lines in edges for line in lines])
    for c in range(3):
        parts["lines"][c].set_segments(contour_lines(LENGTHS, WIDTHS, state.H[c], (0.0,))[0])
        parts["dots"][c].set_data(*state.X[state.y == c].T)
        parts["notes"][c][1].set_text("w = 0" if _is_flat(state.H[c]) else f"{state.inside[c]} of {len(state.y)}")
    _draw_fixed(parts, state.show, tuple(map(_is_flat, state.H)))


def _draw_fixed(parts, show, flats):
    """The words that seldom change, and are part of the background."""
    if not reframed(parts["says"].axes, show, flats):
        return
    for (held, number), flat in zip(parts["notes"], flats, strict=True):
        held.set(text=": always no" if flat else "in or on its margin", x=88 if flat else HELD + 5)
        number.set_x(89 if flat else HELD)
    parts["says"].set_text(SAYS[show])


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
    values = [read_off(plane.value_at(LENGTHS, WIDTHS, H, (x, y))) for H in state.H]
    return f"h = {values[0]}, {values[1]}, {values[2]}"


def code(kernel, C, sigma, show):
    return (
        "from kernelkit import Gaussian, KernelSVM, Linear, OneVsRest, datasets\n\n"
        "X, y = datasets.iris()\nX = X[:, 2:]  # petal length and width\n"
        f"machines = OneVsRest(KernelSVM({_kernel(kernel, sigma)!r}, C={C:g}, tol={TOL:g})).fit(X, y)\n"
        "h = machines.decision_function(X).round(4)\nprint((h.argmax(axis=1) != y).sum(), 'of', len(y), 'wrong')"
    )


classes = Explorer(
    title="Three classes: one model for each",
    controls=(
        Choice("kernel", "kernel", "gaussian", {"Gaussian": "gaussian", "linear": "linear"}),
        Slider("C", "price C", 1.0, 0.1, 100.0, 0.1, log=True),
        Slider("sigma", "width σ", 1.0, 0.1, 3.0, 0.05, when=lambda v: v["kernel"] == "gaussian"),
        Choice("show", "colours show", "claims", {"who says yes": "claims", "the largest h": "winner"}),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="The plane of petal length and petal width with the irises of three species, blue dots, orange squares and "
    "green triangles; the line in a species' colour is where its model has h = 0. A place has the colour of the "
    "model that says yes there, or, if that is chosen, of the largest h. Next to it is how many irises each "
    "model has in or on its margin.",
    code=code,
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
