"""Notebook 14. A motif with gaps in strings of four letters: which words the machine goes by, where it finds them."""

from functools import lru_cache
from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection

from kernelkit import datasets
from kernelkit.course.explorers.data.letters import amounts, letters_in_units, machine, shade, sizes, spelled, votes
from kernelkit.course.panel.controls import Choice, NoQuestion, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import fixed, percent, short
from kernelkit.course.plots import BLUE, INK, MARKERS, ORANGE, PURPLE

LETTERS = "acgt"
TRAINING, NEW, C = 80, 200, 1.0
BARS = 4  # words that speak most for each class
MOTIFS = {-1: "ctag", 1: "gatc"}
COLOURS = {-1: BLUE, 1: ORANGE}


@lru_cache(maxsize=16)
def _learned(gap, kind, length, decay):
    """The machine's w over all words, and what it says of new strings."""
    (X, y), (Z, t) = sample(gap)
    gaps = decay if kind == "subsequences" else None
    Phi, Phi_new = (amounts(strings, length, gaps, LETTERS) for strings in (X, Z))
    Phi, Phi_new = Phi / sizes(Phi), Phi_new / sizes(Phi_new)
    svm = machine(Phi @ Phi.T, y, C)
    w = Phi.T @ svm.a_
    training = float(np.mean((Phi @ w + svm.b_) * y <= 0))
    return SimpleNamespace(Z=Z, t=t, w=w, h=Phi_new @ w + svm.b_, training=training)


@lru_cache(maxsize=3)
def sample(gap):
    """Strings to learn from, and new ones."""
    return datasets.motifs(TRAINING, gap), datasets.motifs(NEW, gap, random_state=1)


def compute(gap, kind, length, decay, string):
    learned = _learned(gap, kind, length, decay)
    x = learned.Z[string - 1]
    order = np.argsort(-learned.w.round(9), kind="stable")
    top = [*order[:BARS], *order[-BARS:]]
    return SimpleNamespace(
        x=x,
        y=int(learned.t[string - 1]),
        h=learned.h,
        t=learned.t,
        number=string,
        words=[spelled(j, length, LETTERS) for j in top],
        weights=learned.w[top],
        training=learned.training,
        error=float(np.mean(learned.h * learned.t <= 0)),
        at=float(learned.h[string - 1]),
        votes=votes(x, learned.w, length, decay if kind == "subsequences" else None, LETTERS),
    )


def build(figure):
    line = figure.add_axes((0.015, 0.76, 0.97, 0.225), ylim=(-0.8, 1.95))
    bars = figure.add_axes((0.015, 0.02, 0.42, 0.60), xlim=(-1.4, 1.4), ylim=(2 * BARS - 0.4, -0.6))
    strip = figure.add_axes((0.50, 0.13, 0.485, 0.49), ylim=(-0.6, 1.6), yticks=[], xlim=(-2.6, 2.6))
    strip.spines["left"].set_visible(False)
    strip.set_xlabel(f"h of {NEW} new strings")
    for ax in (line, bars):
        ax.set_axis_off()
    strip.axvline(0, color=INK, lw=1.2)
    bars.text(-1.4, -0.75, "largest and smallest entries of w", va="bottom")
    look = {"animated": True}
    return {
        "line": line,
        "bars": bars,
        "strip": strip,
        "said": line.text(0, 1.5, "", va="center", **look),
        "tiles": line.add_collection(PolyCollection([], linewidths=0, **look)),
        "letters": letters_in_units(line, 40, 20),
        "axis": bars.plot([0, 0], [-0.5, 2 * BARS - 0.5], color=INK, lw=0.8)[0],
        "rods": bars.add_collection(LineCollection([], linewidths=15, **look)),
        "words": [bars.text(0, i, "", va="center", family="monospace", **look) for i in range(2 * BARS)],
        "values": [bars.text(0, i, "", va="center", **look) for i in range(2 * BARS)],
        "dots": {
            c: strip.plot([], [], MARKERS[c], color=COLOURS[c], ms=6, mec="white", mew=0.5, **look)[0] for c in COLOURS
        },
        "here": strip.plot([], [], "o", color="none", mec=PURPLE, mew=2.2, ms=14, **look)[0],
        "classes": [
            strip.text(-2.6, 0.5 + 0.95 * c, f"with {MOTIFS[c]}", color=colour, va="center")
            for c, colour in COLOURS.items()
        ],
    }


def draw(parts, state):
    _draw_string(parts, state)
    _draw_weights(parts, state)
    _draw_new(parts, state)


def _draw_string(parts, state):
    most = max(np.abs(state.votes).max(), 1e-9)
    parts["tiles"].set_verts([[(i, -0.75), (i + 1, -0.75), (i + 1, 0.75), (i, 0.75)] for i in range(len(state.x))])
    parts["tiles"].set_facecolor(shade(state.votes, most))
    parts["letters"].set_text(state.x)
    parts["said"].set_text(f"string {state.number}, {MOTIFS[state.y]} planted three times, and how its letters vote")


def _draw_weights(parts, state):
    top = np.abs(state.weights).max() or 1.0
    parts["rods"].set_segments([[(0, i), (v / top, i)] for i, v in enumerate(state.weights)])
    parts["rods"].set_color([COLOURS[1 if v > 0 else -1] for v in state.weights])
    for i, (word, v) in enumerate(zip(state.words, state.weights, strict=True)):
        side = 1 if v > 0 else -1
        whole = word in MOTIFS.values()
        parts["words"][i].set(
            text=word, x=-0.06 * side, ha="right" if v > 0 else "left", weight="bold" if whole else "normal"
        )
        parts["values"][i].set(text=fixed(v, 1), x=v / top + 0.04 * side, ha="left" if v > 0 else "right")


def rows(t):
    """Where each string stands above its class: some way up and down, so that dots do not hide each other."""
    return np.where(t > 0, 1.0, 0.0) + 0.3 * ((np.arange(len(t)) * 0.618) % 1 - 0.5)


def _draw_new(parts, state):
    h, y = np.clip(state.h, -2.5, 2.5), rows(state.t)
    for c, dots in parts["dots"].items():
        dots.set_data(h[state.t == c], y[state.t == c])
    parts["here"].set_data([h[state.number - 1]], [y[state.number - 1]])


def readout(state):
    return {
        "known strings wrong": f"{percent(state.training)} of {TRAINING}",
        "new strings wrong": f"{percent(state.error)} of {NEW}",
        "largest entry of w": state.words[0],
        "smallest": state.words[-1],
        "h of the ringed string": fixed(state.at, sign="+"),
    }


def code(gap, kind, length, decay, string):
    k = f"Subsequences({length}, {decay:g})" if kind == "subsequences" else f"Substrings({length})"
    return (
        "from kernelkit import KernelSVM, Normalized, Subsequences, Substrings, datasets\n\n"
        f"X, y = datasets.motifs({TRAINING}, gap={gap})\nZ, t = datasets.motifs({NEW}, gap={gap}, random_state=1)\n"
        f"svm = KernelSVM(Normalized({k}), C={C:g}).fit(X, y)\n"
        f"print('h', svm.decision_function([Z[{string - 1}]]), ' wrong side', 1 - svm.score(Z[::10], t[::10]))"
    )


def _tell_letter(state, x, y):
    i = int(np.floor(x))
    return f"{state.x[i]} adds {short(state.votes[i], 2)}" if 0 <= i < len(state.x) else ""


def _nearest(state, x, y):
    return int((((np.clip(state.h, -2.5, 2.5) - x) / 5) ** 2 + ((rows(state.t) - y) / 2) ** 2).argmin())


def _tell_new(state, x, y):
    i = _nearest(state, x, y)
    return f"string {i + 1}: h = {fixed(state.h[i])}"


motif = Explorer(
    title="A motif with gaps",
    controls=(
        Choice("kind", "kernel", "substrings", {"substrings": "substrings", "with gaps": "subsequences"}),
        Slider("length", "letters p", 4, 2, 5, 1),
        Slider("decay", "decay γ", 0.5, 0.1, 1.0, 0.1, when=lambda v: v["kind"] == "subsequences"),
        Slider("gap", "planted gaps up to", 2, 0, 2, 1),
        Slider("string", "string", 101, 1, NEW, 1, more=True),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="At the top one new string, each letter on an orange tile where it votes for gatc's class and on a blue "
    "one for ctag's. On the lower left, bars for the words with the largest and the smallest entries of w. On the "
    "lower right, 200 new strings by their h, orange squares above with gatc and blue dots below with ctag; a ring "
    "marks the string at the top, and a line is at h = 0.",
    code=code,
    size=(7.0, 3.6),
    tell={"line": _tell_letter, "strip": _tell_new},
    click={"strip": lambda state, x, y: {"string": _nearest(state, x, y) + 1}},
    film=("gap",),
    scenes={
        "Gaps allowed": {"kind": "subsequences"},
        "No gaps planted": {"gap": 0},
        "Only pairs": {"kind": "subsequences", "length": 2},
        "Gaps are free": {"kind": "subsequences", "decay": 1.0},
        "The other class": {"kind": "subsequences", "string": 1},
    },
    question=NoQuestion(
        because="the text just above asks what gaps do, and a motif that was planted with gaps makes the answer obvious"
    ),
)
