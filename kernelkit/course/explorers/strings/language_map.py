"""Notebook 14. Sentences in two languages as a map, and a sentence of your own on it."""

import unicodedata
from functools import lru_cache
from types import SimpleNamespace

import numpy as np

from kernelkit import KernelPCA, Precomputed, Subsequences, Substrings, datasets
from kernelkit.course.explorers.data.letters import each_hidden, in_units, machine, voted
from kernelkit.course.explorers.data.meeting import Middles
from kernelkit.course.panel.controls import Choice, Question, Slider, Text
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Dots, Segments, Text as Words
from kernelkit.course.panel.numbers import fixed, short
from kernelkit.course.panel.parts import GROUND
from kernelkit.course.plots import BLUE, INK, MARKERS, ORANGE

LETTERS = " abcdefghijklmnopqrstuvwxyz"
EACH = 60  # sentences of each language
LONGEST, FOLDS, C, NEAREST = 60, 5, 1.0, 4
LANGUAGES = {-1: "English", 1: "French"}
COLOURS = {-1: BLUE, 1: ORANGE}
KINDS = {"substrings": "substrings", "with gaps": "subsequences"}
TEXTS = {"as it was written": 0.0, "with stray letters": 0.3}
UNITS = in_units(LONGEST, 13)
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


def frame(Y):
    """The corners of the map: all sentences and some room."""
    low, high = Y.min(axis=0), Y.max(axis=0)
    room = 0.09 * (high - low) + 1e-6
    return low - room, high + room + [0, 0.05 * (high - low)[1]]


def compute(stray, kind, length, decay, sentence):
    learned, z = _learned(stray, kind, length, decay), cleaned(sentence)
    k, gaps = kernel(kind, length, decay), decay if kind == "subsequences" else None
    size = np.sqrt(k(z, z)) or np.inf
    k_z = k([z], learned.X)[0] / learned.size / size
    f = Middles.of(each_hidden(z), length, gaps, LETTERS).outputs(learned.w) / size
    order = np.argsort(-k_z.round(12), kind="stable")[:NEAREST]
    place = learned.pca.transform(k_z[None])[0] * learned.turn
    low, high = frame(np.vstack([learned.Y, place]))
    h = float(f[0] + learned.b)
    return SimpleNamespace(
        learned=learned,
        z=z,
        place=place,
        low=low,
        high=high,
        nearest=order,
        k=k_z[order],
        h=h,
        answer=1 if h > 0 else -1,
        votes=(f[0] - f[1:]) / length,
        found=bool(k_z.any()),
        k_z=k_z,
    )


# ---- the picture ----------------------------------------------------------------------------------


def picture(s):
    return [[_own(s), _map(s), _nearest(s)]]


def _own(s):
    """The learner's sentence, and how its letters vote."""
    languages = zip((0.99, 0.87), COLOURS.items(), strict=True)
    return Axes(
        "",
        Axis("", 0, LONGEST, ()),
        Axis("", -0.55, 1.45, ()),
        Words(0, 0.98, "your sentence, and how its letters vote", up="center"),
        *(Words(x, 0.76, LANGUAGES[c], hue, side="right", up="center", of="axes") for x, (c, hue) in languages),
        *voted(s.z, s.votes, 0.5, 13),
        name="line",
        place=(0.015, 0.85, 0.975, 0.14),
        bare=True,
        dress=UNITS,
    )


def _map(s):
    """All sentences, and threads from the learner's to those that are nearest, in a frame from 0 to 1."""
    learned = s.learned
    Y, own = ((places - s.low) / (s.high - s.low) for places in (learned.Y, s.place))
    return Axes(
        "",
        Axis("", 0, 1, ()),
        Axis("", 0, 1, ()),
        Segments(own, Y[s.nearest].T, INK) if s.found else None,
        *(Dots(*Y[learned.y == c].T, COLOURS[c], marker=MARKERS[c], size=6) for c in COLOURS),
        Dots(*Y[learned.wrong].T, "none", size=12, edge=INK, rim=1.5, name="wrong"),
        Dots(*own, COLOURS[s.answer], marker="*", size=21, edge=INK, rim=1.4, name="own"),
        Words(0.02, 0.98, f"○ wrong: {learned.wrong.sum()}    ★ yours, in the model’s colour", up="top", box=GROUND),
        name="plane",
        place=(0.015, 0.02, 0.475, 0.80),
        frame=True,
        dress=_pale_frame,
    )


def _pale_frame(ax):
    ax.spines[:].set_color("#999999")


def _nearest(s):
    """The sentences with the largest cosine, each in two lines."""
    ax = Axes(
        "",
        Axis("", 0, 1, ()),
        Axis("", NEAREST - 0.35, -1.15, ()),
        Words(0, -0.9, "the sentences with the largest cosine (lines)", up="center"),
        place=(0.51, 0.02, 0.485, 0.80),
        bare=True,
    )
    for row, (i, k) in enumerate(zip(s.nearest, s.k, strict=True) if s.found else ()):
        first, second = halves(s.learned.X[i], 33)
        colour = COLOURS[s.learned.y[i]]
        ax += Words(0, row - 0.18, f"{fixed(k)}  {first}", colour, up="center")
        ax += Words(0, row + 0.2, f"          {second}", colour, up="center")
    return ax


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
    place, (low, high) = state.low + (state.high - state.low) * (x, y), frame(state.learned.Y)
    gaps = (((state.learned.Y - place) / (high - low)) ** 2).sum(axis=1)
    i = int(gaps.argmin())
    if gaps[i] > 0.003:
        return ""
    said = state.learned.X[i]
    return said if len(said) <= 38 else f"{said[:37]}…"


def _tell_letter(state, x, y):
    i = int(np.floor(x))
    return f"{state.z[i].replace(' ', '␣')} adds {short(state.votes[i], 2)}" if 0 <= i < len(state.z) else ""


language_map = panel(
    compute,
    picture,
    readout,
    code,
    Text("sentence", "sentence", "the dog sleeps under the table", TRIED, live=True),
    Choice("stray", "data", 0.0, TEXTS),
    Choice("kind", "kernel", "substrings", KINDS),
    Slider("length", "letters p", 3, 1, 4, 1),
    Slider("decay", "decay γ", 0.5, 0.1, 1.0, 0.1, when=lambda v: v["kind"] == "subsequences"),
    title="A map of sentences in two languages",
    shows="A map of 120 sentences: blue dots are English, orange squares French, a ring marks a sentence that was "
    "classified wrongly in cross-validation. A star is your sentence; the sentences with the largest cosine are "
    "joined to it by lines and listed on the right. At the top each letter of your sentence is on an orange tile "
    "where it votes for French, on a blue one for English.",
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
