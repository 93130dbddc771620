"""Notebook 14. Sentences in two languages as a map, and a sentence of your own on it."""

import unicodedata
from functools import lru_cache
from types import SimpleNamespace

import numpy as np
from matplotlib.collections import PolyCollection

from kernelkit import KernelPCA, Precomputed, Subsequences, Substrings, datasets
from kernelkit.course.explorers.data.letters import each_hidden, letters_in_units, machine, shade
from kernelkit.course.explorers.data.meeting import Middles
from kernelkit.course.explorers.drawing.shades import build_points, draw_points, whole_frame
from kernelkit.course.panel.controls import Choice, Question, Slider, Text
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import fixed, short
from kernelkit.course.panel.parts import GROUND
from kernelkit.course.plots import BLUE, INK, ORANGE

LETTERS = " abcdefghijklmnopqrstuvwxyz"
EACH = 60  # sentences of each language
LONGEST, FOLDS, C, NEAREST = 60, 5, 1.0, 4
LANGUAGES = {-1: "English", 1: "French"}
COLOURS = {-1: BLUE, 1: ORANGE}
KINDS = {"substrings": "substrings", "with gaps": "subsequences"}
TEXTS = {"as it was written": 0.0, "with stray letters": 0.3}
TRIED = ("", "le chat", "Où est la clé de l'église ?", "ab" * 50, "$x_1$")


def cleaned(text):
    """What is left of a typed text: the letters a … z without accents, and single spaces; at most LONGEST."""
    plain = unicodedata.normalize("NFKD", text.lower().replace("œ", "oe").replace("æ", "ae"))
    plain = "".join(c if c in LETTERS else "" if unicodedata.combining(c) else " " for c in plain)
    return " ".join(plain.split())[:LONGEST].strip()


@lru_cache(maxsize=2)
def sample(stray):
    """EACH sentences of each language."""
    X, y = datasets.languages(stray)
    chosen = np.concatenate([np.flatnonzero(y == c)[:EACH] for c in (-1, 1)])
    return [X[i] for i in chosen], y[chosen]


def kernel(kind, length, decay):
    return Subsequences(length, decay) if kind == "subsequences" else Substrings(length)


@lru_cache(maxsize=20)  # each decay of the slider once, for both texts
def _learned(stray, kind, length, decay):
    """The Gram matrix of all sentences, the map, the machine and its cross-validated mistakes."""
    X, y = sample(stray)
    middles = Middles.of(X, length, decay if kind == "subsequences" else None, LETTERS)
    K = middles.gram(middles)
    size = np.sqrt(K.diagonal())
    K /= np.outer(size, size)
    pca, svm = KernelPCA(Precomputed(), 2).fit(K), machine(K, y, C)
    turn = np.where(y @ pca.a_ < 0, -1, 1)  # French to the right and up
    return SimpleNamespace(
        X=X,
        y=y,
        size=size,
        K=K,
        pca=pca,
        turn=turn,
        Y=pca.a_ * turn * pca.eigenvalues_,
        w=middles.weights(svm.a_ / size),
        b=svm.b_,
        wrong=_wrong(K, y),
    )


def _wrong(K, y):
    """Who is taken for the other language by a machine that was trained on the other four fifths."""
    fold, wrong = np.arange(len(y)) % FOLDS, np.zeros(len(y), bool)
    for test in (fold == number for number in range(FOLDS)):
        model = machine(K[np.ix_(~test, ~test)], y[~test], C)
        wrong[test] = model.predict(K[np.ix_(test, ~test)]) != y[test]
    return wrong


def compute(stray, kind, length, decay, sentence):
    learned, z = _learned(stray, kind, length, decay), cleaned(sentence)
    k, gaps = kernel(kind, length, decay), decay if kind == "subsequences" else None
    size = np.sqrt(k(z, z)) or np.inf
    k_z = k([z], learned.X)[0] / learned.size / size
    f = Middles.of(each_hidden(z), length, gaps, LETTERS).outputs(learned.w) / size
    order = np.argsort(-k_z.round(12), kind="stable")[:NEAREST]
    place = learned.pca.transform(k_z[None])[0] * learned.turn
    h = float(f[0] + learned.b)
    return SimpleNamespace(
        learned=learned,
        z=z,
        place=place,
        nearest=order,
        k=k_z[order],
        h=h,
        answer=1 if h > 0 else -1,
        votes=(f[0] - f[1:]) / length,
        found=bool(k_z.any()),
        k_z=k_z,
    )


# ---- the picture ----------------------------------------------------------------------------------


def build(figure):
    line = figure.add_axes((0.015, 0.85, 0.975, 0.14), ylim=(-0.55, 1.45))
    plane = figure.add_axes((0.015, 0.02, 0.475, 0.80))
    near = figure.add_axes((0.51, 0.02, 0.485, 0.80), xlim=(0, 1), ylim=(NEAREST - 0.35, -1.15))
    for ax in (line, near):
        ax.set_axis_off()
    whole_frame(plane)
    look = {"animated": True}
    line.text(0, 0.98, "your sentence, and how its letters vote", va="center")
    spelled = letters_in_units(line, LONGEST, 13)
    for place, (c, colour) in zip((0.99, 0.87), COLOURS.items(), strict=True):
        line.text(place, 0.76, LANGUAGES[c], color=colour, va="center", ha="right", transform=line.transAxes)
    near.text(0, -0.9, "the sentences with the largest cosine (lines)", va="center")
    return {
        "line": line,
        "plane": plane,
        "near": near,
        "tiles": line.add_collection(PolyCollection([], linewidths=0, **look)),
        "letters": spelled,
        "points": build_points(plane, 6.0),
        "wrong": plane.plot([], [], "o", color="none", mec=INK, mew=1.5, ms=12, zorder=5, **look)[0],
        "threads": [plane.plot([], [], "-", color=INK, lw=1, zorder=3, **look)[0] for _ in range(NEAREST)],
        "own": plane.plot([], [], "*", mec=INK, mew=1.4, ms=21, zorder=6, **look)[0],
        "key": plane.text(0.02, 0.98, "", transform=plane.transAxes, va="top", zorder=7, bbox=GROUND, **look),
        "rows": [near.text(0, i - 0.18, "", va="center", **look) for i in range(NEAREST)],
        "under": [near.text(0, i + 0.2, "", va="center", **look) for i in range(NEAREST)],
    }


def frame(Y):
    """The corners of the map: all sentences and some room."""
    low, high = Y.min(axis=0), Y.max(axis=0)
    room = 0.09 * (high - low) + 1e-6
    return low - room, high + room + [0, 0.05 * (high - low)[1]]


def draw(parts, state):
    learned, ax = state.learned, parts["plane"]
    low, high = frame(np.vstack([learned.Y, state.place]))
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    draw_points(parts["points"], learned.Y, learned.y)
    parts["wrong"].set_data(*learned.Y[learned.wrong].T)
    parts["own"].set_data(*state.place[:, None])
    parts["own"].set_color(COLOURS[state.answer])
    parts["own"].set_markeredgecolor(INK)
    for thread, i in zip(parts["threads"], state.nearest, strict=True):
        thread.set_data(*zip(state.place, learned.Y[i], strict=True) if state.found else ((), ()))
    parts["key"].set_text(f"○ wrong: {learned.wrong.sum()}    ★ yours, in the model’s colour")
    _draw_sentences(parts, state)


def _draw_sentences(parts, state):
    learned = state.learned
    most = max(np.abs(state.votes).max(initial=0), 1e-9)
    parts["tiles"].set_verts([[(i, -0.5), (i + 1, -0.5), (i + 1, 0.5), (i, 0.5)] for i in range(len(state.z))])
    parts["tiles"].set_facecolor(shade(state.votes, most) if state.z else [])
    parts["letters"].set_text(state.z)
    for row, under, i, k in zip(parts["rows"], parts["under"], state.nearest, state.k, strict=True):
        first, second = halves(learned.X[i], 33)
        row.set(text=f"{fixed(k)}  {first}" if state.found else "", color=COLOURS[learned.y[i]])
        under.set(text=f"          {second}" if state.found else "", color=COLOURS[learned.y[i]])


def halves(sentence, most):
    """A sentence in two lines, its end left out where it is longer."""
    if len(sentence) <= most:
        return sentence, ""
    cut = sentence.rfind(" ", 0, most + 1)
    second = sentence[cut + 1 :]
    return sentence[:cut], second if len(second) <= most else f"{second[: most - 1]}…"


# ---- words ----------------------------------------------------------------------------------------


def readout(state):
    learned = state.learned
    return {
        "wrong in cross-validation": f"{learned.wrong.sum()} of {len(learned.y)} sentences",
        "the model calls yours": LANGUAGES[state.answer],
        "its h": fixed(state.h, sign="+"),
        "votes together": fixed(state.votes.sum(), sign="+"),
        "offset b": fixed(learned.b, sign="+"),
    }


def code(stray, kind, length, decay, sentence):
    return (
        "from kernelkit import *\nfrom kernelkit.course.explorers.strings.language_map import sample\n\n"
        f"X, y = sample({stray:g})\nk = Normalized({kernel(kind, length, decay)!r})\nK = k(X)\n"
        f"svm = KernelSVM(Precomputed(), C={C:g}).fit(K, y)\n"
        f"k_z = k([{cleaned(sentence)!r}], X)\nprint('h', svm.decision_function(k_z))\n"
        "print('on the map, up to signs', KernelPCA(Precomputed(), 2).fit(K).transform(k_z))\n"
        "print('nearest', [X[i] for i in (-k_z[0]).argsort()[:3]])"
    )


def _tell_plane(state, x, y):
    ax_low, ax_high = frame(state.learned.Y)
    gaps = (((state.learned.Y - (x, y)) / (ax_high - ax_low)) ** 2).sum(axis=1)
    i = int(gaps.argmin())
    if gaps[i] > 0.003:
        return ""
    said = state.learned.X[i]
    return said if len(said) <= 38 else f"{said[:37]}…"


def _tell_letter(state, x, y):
    i = int(np.floor(x))
    return f"{state.z[i].replace(' ', '␣')} adds {short(state.votes[i], 2)}" if 0 <= i < len(state.z) else ""


language_map = Explorer(
    title="A map of sentences in two languages",
    controls=(
        Text("sentence", "sentence", "the dog sleeps under the table", TRIED, live=True),
        Choice("stray", "data", 0.0, TEXTS),
        Choice("kind", "kernel", "substrings", KINDS),
        Slider("length", "letters p", 3, 1, 4, 1),
        Slider("decay", "decay γ", 0.5, 0.1, 1.0, 0.1, when=lambda v: v["kind"] == "subsequences"),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="A map of 120 sentences: blue dots are English, orange squares French, a ring marks a sentence that was "
    "classified wrongly in cross-validation. A star is your sentence; the sentences with the largest cosine are "
    "joined to it by lines and listed on the right. At the top each letter of your sentence is on an orange tile "
    "where it votes for French, on a blue one for English.",
    code=code,
    size=(7.0, 3.6),
    tell={"plane": _tell_plane, "line": _tell_letter},
    film=("length",),
    scenes={
        "Stray letters": {"stray": 0.3},
        "Stray letters, gaps": {"stray": 0.3, "kind": "subsequences"},
        "Clean, gaps": {"kind": "subsequences"},
        "Single letters": {"length": 1},
        "French": {"sentence": "le chien dort sous la table"},
        "Italian": {"sentence": "il cane dorme sotto il tavolo"},
    },
    question=Question(
        "“il cane dorme sotto il tavolo” is Italian, a language that the model has never seen. What does it answer?",
        ("neither, it knows no part of it", "clearly French, the closer relative", "one of the two, with h near 0"),
        2,
        "The model has only two answers, and the sign of h chooses between them. The sentence shares parts with both "
        "languages, such as il␣ with French and to␣ with English, so the votes partly cancel, and h is near 0.",
        "Italian",
    ),
)
