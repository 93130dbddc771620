"""Notebook 14. The table of the dynamic program, and the words that two words share, whose amounts add up to k."""

from itertools import combinations, pairwise
from types import SimpleNamespace

import numpy as np
from matplotlib import colormaps

from kernelkit import Subsequences
from kernelkit.course.panel.controls import Question, Slider, Switch, Text
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Boxes, Image, Line, Paths, Text as Words
from kernelkit.course.panel.numbers import fixed, short
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE

LONGEST = 10  # letters of a word
BARS = 7  # words that have a bar of their own
TRIED = ("", "a", "mississippi", "Crème brûlée $x_1$", "abcdefghijklmnop", "dog", "aaaaaaaaaa")


def cleaned(text):
    """What is left of a typed text: letters and the spaces between them, at most LONGEST, in lower case."""
    letters = (c if c.isalpha() and ord(c) < 592 else " " for c in text.lower())
    return " ".join("".join(letters).split())[:LONGEST].strip()


def tables(x, z, length, decay):
    """M_q(i, j) for q = 1 … length: what the words of q letters add to k that end with x_i and with z_j."""
    match = np.equal.outer([ord(c) for c in x], [ord(c) for c in z])
    up, left = (_steps(len(word), decay) for word in (x, z))
    M = [decay**2 * match]
    for _ in range(length - 1):
        M.append(match * (up @ M[-1] @ left.T))  # Σ γ^(i − i' + j − j') M(i', j') over i' < i, j' < j
    return np.array(M)


def _steps(n, decay):
    """γ^(i − i') where i' < i, else 0: (n, n)."""
    steps = np.subtract.outer(np.arange(n), np.arange(n))
    return np.where(steps > 0, float(decay) ** np.maximum(steps, 0), 0)


def common(x, z, lengths, decay):
    """[(u, how much of u is in x, and in z), …] of the words u that both have, what adds most to k first."""
    found, span = [], {}
    for q in lengths:
        a, b = (Subsequences(q, decay).parts(word) for word in (x, z))
        found += [(u, a[u], b[u]) for u in a if u in b]
        least = [smallest_spans(word, q) for word in (x, z)]
        span |= {u: least[0][u] + least[1][u] for u in a if u in b}  # decides where amounts are equal, as for γ = 1
    return sorted(found, key=lambda word: (-float(f"{word[1] * word[2]:.9g}"), len(word[0]), span[word[0]], word[0]))


def smallest_spans(word, length):
    """{u: how many letters the tightest reading of u spans} for the words u of so many letters."""
    spans = {}
    for places in combinations(range(len(word)), length):
        u = "".join(word[i] for i in places)
        spans[u] = min(spans.get(u, len(word)), places[-1] - places[0] + 1)
    return spans


def tightest(word, u):
    """The places of the reading of u in a word that has the smallest span, the first of them."""
    readings = [i for i in combinations(range(len(word)), len(u)) if "".join(word[j] for j in i) == u]
    return min(readings, key=lambda i: i[-1] - i[0])


def compute(x, z, length, decay, shorter, word):
    x, z = cleaned(x), cleaned(z)
    lengths = range(1 if shorter else length, length + 1)
    k, xx, zz = (tables(a, b, length, decay)[lengths[0] - 1 :].sum(axis=0) for a, b in ((x, z), (x, x), (z, z)))
    words = common(x, z, lengths, decay)
    chosen = min(word, len(words), BARS) - 1
    size = np.sqrt(xx.sum() * zz.sum())
    return SimpleNamespace(
        x=x,
        z=z,
        M=k,
        k=float(k.sum()),
        words=words,
        chosen=chosen,
        cosine=float(k.sum() / size) if size > 0 else None,
        places=[tightest(w, words[chosen][0]) if words else () for w in (x, z)],
    )


# ---- the picture ----------------------------------------------------------------------------------


FRAME = 0.46  # half the side of the frame around an entry


def picture(s):
    return [[_table(s), _words(s), _bars(s)]]


def shown(u):
    return u.replace(" ", "␣")


def fitting(number, letters):
    """A number in at most so many letters, with one, two or three digits; nothing where one digit is too long."""
    return next((text for digits in (3, 2, 1) if len(text := short(number, digits)) <= letters), "")


def _in_middle(x, y, words, **look):
    return Words(x, y, words, side="center", up="center", **look)


def _table(s):
    """The table M, and frames where the letters of the chosen word meet."""
    n, m = s.M.shape
    side, top, places = max(n, m, 3), s.M.max(initial=0) or 1.0, list(zip(*s.places, strict=True))
    greens = colormaps["Greens"](0.6 * np.sqrt(s.M / top), bytes=True)[..., :3]
    lines = [[(0, i), (m, i)] for i in range(n + 1)] + [[(j, 0), (j, n)] for j in range(m + 1)]
    letters = [(-0.5, i + 0.5, c) for i, c in enumerate(s.x)] + [(j + 0.5, -0.5, c) for j, c in enumerate(s.z)]
    there = np.argwhere(s.M > 0) if side <= 6 else []
    numbers = [(j + 0.5, i + 0.5, fitting(s.M[i, j], 10 - side)) for i, j in there]
    return Axes(
        "",
        Axis("", -1, side + 0.05, ()),
        Axis("", side + 0.05, -1, ()),
        Words(0, 1.015, "table M: what words ending here add", up="bottom", of="axes"),
        Image(greens, (0, m, 0, n)) if s.M.size else None,
        Paths(lines, "#C4C4C4", width=0.8),
        Paths(_between([(j + 0.5, i + 0.5) for i, j in places]), PURPLE, width=1.6, alpha=0.45),
        Boxes([_box(j + 0.5, i + 0.5, FRAME) for i, j in places], "none", edge=PURPLE, rim=2.4),
        *(_in_middle(x, y, shown(c), size=14, family="monospace") for x, y, c in letters),
        *(_in_middle(*number, name="numbers") for number in numbers),
        name="table",
        place=(0.01, 0.012, 0.47, 0.91),
        bare=True,
        equal=True,
        dress=_at_the_top,
    )


def _at_the_top(ax):
    ax.set_anchor("N")


def _between(places):
    """The lines from each frame to the next, with gaps: in a frame there is a number."""
    steps = [
        (start, end, FRAME * (end - start) / np.abs(end - start).max()) for start, end in pairwise(np.array(places))
    ]
    return [(start + inside, end - inside) for start, end, inside in steps]


def _box(x, y, half, high=None):
    high = half if high is None else high
    return x - half, y - high, 2 * half, 2 * high


def _words(s):
    """The two words, the letters of the chosen one on tiles."""
    both = ((s.x, 1.0, s.places[0]), (s.z, 0.0, s.places[1]))
    tiles = [_box(i, y, 0.42, 0.38) for _, y, places in both for i in places]
    return Axes(
        "",
        Axis("", -0.75, LONGEST, ()),
        Axis("", -0.55, 1.6, ()),
        Boxes(tiles, "#E9DCF1", edge=PURPLE, rim=1),
        Paths([[(i, 0.6), (j, 0.4)] for i, j in zip(*s.places, strict=True)], PURPLE, width=1.6),
        *(_in_middle(i, y, shown(c), size=17, family="monospace") for x, y, _ in both for i, c in enumerate(x)),
        place=(0.51, 0.70, 0.48, 0.28),
        bare=True,
    )


def _bars(s):
    """Each bar begins where the one above ends: together they reach k."""
    rows = [(shown(u), a * b) for u, a, b in s.words[:BARS]]
    if rest := s.words[BARS:]:
        rows += [(f"{len(rest)} more", sum(a * b for _, a, b in rest))]
    spans = list(pairwise(np.cumsum([0.0, *(value for _, value in rows)]) / (s.k or 1.0)))
    hues = [PURPLE if row == s.chosen else GREEN if row < BARS else GREY for row in range(len(rows))]
    total = f"together k = {short(s.k)}" if rows else "nothing in common: k = 0"
    ax = Axes(
        "",
        Axis("", 0, 1, ()),
        Axis("", BARS + 0.6, -0.9, ()),
        Boxes([(a, row - 0.34, b - a, 0.68) for row, (a, b) in enumerate(spans)], hues),
        Line(1, [-0.5, len(rows) - 0.5], width=1.2, style="--") if rows else None,
        Words(1, -0.62, total, side="right", up="bottom"),
        name="bars",
        place=(0.60, 0.015, 0.39, 0.60),
        bare=True,
    )
    for row, ((name, value), (a, b)) in enumerate(zip(rows, spans, strict=True)):
        family = "monospace" if row < BARS else None
        ax += Words(-0.03, row, name, side="right", up="center", family=family, name="names")
        ax += _amount(row, short(value), a, b)
    return ax


def _amount(row, words, a, b):
    """In the bar from a to b, or next to it where that is too short."""
    if b - a > 0.3:
        return _in_middle((a + b) / 2, row, words, color="white")
    x, side = (b + 0.02, "left") if b < 0.7 else (a - 0.02, "right")
    return Words(x, row, words, INK, side=side, up="center")


# ---- words ----------------------------------------------------------------------------------------


def readout(state):
    return {
        "shared words": len(state.words),
        "k": short(state.k),
        "normalised k": fixed(state.cosine, 3) if state.words else None,
        "chosen word": _added(*state.words[state.chosen]) if state.words else None,
    }


def _added(u, a, b):
    return f"{shown(u)} adds {short(a)} × {short(b)} = {short(a * b)}"


def code(x, z, length, decay, shorter, word):
    lengths = range(1 if shorter else length, length + 1)
    k = " + ".join(f"Subsequences({q}, {decay:g})" for q in lengths)
    return (
        f"from kernelkit import Normalized, Subsequences\n\nx, z = {cleaned(x)!r}, {cleaned(z)!r}\nk = {k}\n"
        "print('k', k(x, z), ' normalised', Normalized(k)(x, z))\n"
        f"of_x, of_z = (Subsequences({length}, {decay:g}).parts(word) for word in (x, z))\n"
        "print({u: of_x[u] * of_z[u] for u in of_x if u in of_z})"
    )


def _tell_table(state, x, y):
    i, j = int(np.floor(y)), int(np.floor(x))
    if not (0 <= i < len(state.x) and 0 <= j < len(state.z)):
        return ""
    return f"ends with {shown(state.x[i])} {i + 1}, {shown(state.z[j])} {j + 1}: {short(state.M[i, j])}"


def _tell_bar(state, x, y):
    row = round(y)
    if not 0 <= row < min(len(state.words), BARS):
        return ""
    u, a, b = state.words[row]
    return f"{shown(u)}: {short(a)} · {short(b)} = {short(a * b)}"


def _click_bar(state, x, y):
    row = round(y)
    return {"word": row + 1} if 0 <= row < min(len(state.words), BARS) else {}


table = panel(
    compute,
    picture,
    readout,
    code,
    Text("x", "word x", "cat", TRIED),
    Text("z", "word z", "cart", TRIED),
    Slider("length", "letters p", 2, 1, 4, 1),
    Switch("shorter", "and all shorter ones", False, when=lambda v: v["length"] > 1),
    Slider("decay", "decay γ", 0.5, 0.05, 1.0, 0.05),
    Slider("word", "chosen bar", 1, 1, BARS, 1, more=True),
    title="The words that two words share",
    shows="On the left the table M, with the letters of word x down the side and those of word z along the top; a "
    "larger entry is a darker green, and a frame marks where two letters of the chosen word meet. On the right the "
    "two words, and below them a bar for each shared word, which begins where the bar above it ends.",
    size=(7.0, 3.6),
    tell={"table": _tell_table, "bars": _tell_bar},
    click={"bars": _click_bar},
    film=("length", "decay"),
    scenes={
        "One to three": {"length": 3, "shorter": True},
        "Gaps are free": {"decay": 1.0},
        "Hardly any gap": {"decay": 0.05},
        "Two long words": {"x": "structures", "z": "restricted", "length": 3},
        "Anagrams": {"x": "listen", "z": "silent", "length": 1},
    },
    question=Question(
        "“structures” and “restricted” share 2 substrings of three letters. How many do they share when gaps are "
        "allowed?",
        ("still 2, because gaps tear the others apart", "about 5", "about 20"),
        2,
        "A word only needs its letters in the right order, so 22 words can be read in both. But each gap costs γ, so "
        "most of them add little, and str and res, the two that are substrings as well, make up most of k.",
        "Two long words",
    ),
)
