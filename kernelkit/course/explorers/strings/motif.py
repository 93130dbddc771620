"""Notebook 14. A motif with gaps in strings of four letters: which words the machine goes by, where it finds them."""

from functools import lru_cache
from types import SimpleNamespace

import numpy as np

from kernelkit import datasets
from kernelkit.course.explorers.data.letters import amounts, in_units, machine, sizes, spelled, voted, votes
from kernelkit.course.panel.controls import Choice, NoQuestion, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Dots, Line, Segments, Text, VLine
from kernelkit.course.panel.numbers import fixed, percent, short
from kernelkit.course.plots import BLUE, MARKERS, ORANGE, PURPLE

LETTERS = "acgt"
TRAINING, NEW, C = 80, 200, 1.0
BARS = 4  # words that speak most for each class
MOTIFS = {-1: "ctag", 1: "gatc"}
COLOURS = {-1: BLUE, 1: ORANGE}
MOST = 40  # letters that there is room for
UNITS = in_units(MOST, 20)


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
        words=[spelled(j, length, LETTERS) for j in top],
        weights=learned.w[top],
        training=learned.training,
        error=float(np.mean(learned.h * learned.t <= 0)),
        at=float(learned.h[string - 1]),
        votes=votes(x, learned.w, length, decay if kind == "subsequences" else None, LETTERS),
    )


def picture(s):
    return [[_string(s), _words(s), _new(s)]]


def _string(s):
    """The string at the top, and how its letters vote."""
    return Axes(
        "",
        Axis("", 0, MOST, ()),
        Axis("", -0.8, 1.95, ()),
        Text(0, 1.5, f"string {s.string}, {MOTIFS[s.y]} planted three times, and how its letters vote", up="center"),
        *voted(s.x, s.votes, 0.75, 20),
        name="line",
        place=(0.015, 0.76, 0.97, 0.225),
        bare=True,
        dress=UNITS,
    )


def _words(s):
    """Bars of the words that speak most for each class."""
    rows, ends = np.arange(2 * BARS), s.weights / (np.abs(s.weights).max() or 1.0)
    ax = Axes(
        "",
        Axis("", -1.4, 1.4, ()),
        Axis("", 2 * BARS - 0.4, -0.6, ()),
        Text(-1.4, -0.75, "largest and smallest entries of w", up="bottom"),
        Line(0, [-0.5, 2 * BARS - 0.5], width=0.8),
        Segments((0, rows), (ends, rows), [COLOURS[1 if v > 0 else -1] for v in s.weights], width=15),
        place=(0.015, 0.02, 0.42, 0.60),
        bare=True,
    )
    for row, word, v, end in zip(rows, s.words, s.weights, ends, strict=True):
        left, right, sign = ("right", "left", 1) if v > 0 else ("left", "right", -1)
        weight = "bold" if word in MOTIFS.values() else "normal"
        ax += Text(-0.06 * sign, row, word, side=left, up="center", weight=weight, family="monospace")
        ax += Text(end + 0.04 * sign, row, fixed(v, 1), side=right, up="center")
    return ax


def _new(s):
    """The new strings by their h, and a ring around the one at the top."""
    h, y = np.clip(s.h, -2.5, 2.5), rows(s.t)
    return Axes(
        "",
        Axis(f"h of {NEW} new strings", -2.6, 2.6),
        Axis("", -0.6, 1.6, ()),
        VLine(0, width=1.2),
        *(Text(-2.6, 0.5 + 0.95 * c, f"with {MOTIFS[c]}", COLOURS[c], up="center") for c in COLOURS),
        *(Dots(h[s.t == c], y[s.t == c], COLOURS[c], marker=MARKERS[c], size=6, rim=0.5) for c in COLOURS),
        Dots(h[s.string - 1], y[s.string - 1], "none", size=14, edge=PURPLE, rim=2.2),
        name="strip",
        place=(0.50, 0.13, 0.485, 0.49),
        dress=_no_left_spine,
    )


def _no_left_spine(ax):
    ax.spines["left"].set_visible(False)


def rows(t):
    """Where each string stands above its class: some way up and down, so that dots do not hide each other."""
    return np.where(t > 0, 1.0, 0.0) + 0.3 * ((np.arange(len(t)) * 0.618) % 1 - 0.5)


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


motif = panel(
    compute,
    picture,
    readout,
    code,
    Choice("kind", "kernel", "substrings", {"substrings": "substrings", "with gaps": "subsequences"}),
    Slider("length", "letters p", 4, 2, 5, 1),
    Slider("decay", "decay γ", 0.5, 0.1, 1.0, 0.1, when=lambda v: v["kind"] == "subsequences"),
    Slider("gap", "planted gaps up to", 2, 0, 2, 1),
    Slider("string", "string", 101, 1, NEW, 1, more=True),
    title="A motif with gaps",
    shows="At the top one new string, each letter on an orange tile where it votes for gatc's class and on a blue "
    "one for ctag's. On the lower left, bars for the words with the largest and the smallest entries of w. On the "
    "lower right, 200 new strings by their h, orange squares above with gatc and blue dots below with ctag; a ring "
    "marks the string at the top, and a line is at h = 0.",
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
