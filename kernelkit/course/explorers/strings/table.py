"""Notebook 14. The table of the dynamic program, and the words that two words share, whose amounts add up to k."""

from itertools import combinations, pairwise
from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection

from kernelkit import Subsequences
from kernelkit.course.panel.controls import Question, Slider, Switch, Text
from kernelkit.course.panel.explorer import Explorer
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


def _texts(ax, n, **look):
    return [ax.text(0, 0, "", animated=True, parse_math=False, **look) for _ in range(n)]


def build(figure):
    table = figure.add_axes((0.01, 0.012, 0.47, 0.91), anchor="N")
    words = figure.add_axes((0.51, 0.70, 0.48, 0.28), xlim=(-0.75, LONGEST), ylim=(-0.55, 1.6))
    bars = figure.add_axes((0.60, 0.015, 0.39, 0.60), xlim=(0, 1), ylim=(BARS + 0.6, -0.9))
    for ax in (table, words, bars):
        ax.set_axis_off()
    look = {"animated": True}
    middle, left = {"ha": "center", "va": "center"}, {"ha": "right", "va": "center"}
    return {
        "table": table,
        "words": words,
        "bars": bars,
        "image": table.imshow(np.zeros((1, 1)), cmap="Greens", vmin=0, vmax=1, interpolation="nearest", **look),
        "grid": table.add_collection(LineCollection([], colors="#C4C4C4", linewidths=0.8, zorder=2, **look)),
        "path": table.plot([], [], "-", color=PURPLE, lw=1.6, alpha=0.45, zorder=3, **look)[0],
        "frames": table.add_collection(
            PolyCollection([], facecolors="none", edgecolors=PURPLE, linewidths=2.4, zorder=4, **look)
        ),
        "letters": _texts(table, 2 * LONGEST, size=14, family="monospace", **middle),
        "numbers": _texts(table, 36, zorder=5, **middle),
        "tiles": words.add_collection(PolyCollection([], facecolors="#E9DCF1", edgecolors=PURPLE, **look)),
        "links": words.add_collection(LineCollection([], colors=PURPLE, linewidths=1.6, **look)),
        "spelled": _texts(words, 2 * LONGEST, size=17, family="monospace", **middle),
        "rods": bars.add_collection(PolyCollection([], **look)),
        "names": _texts(bars, BARS, family="monospace", **left) + _texts(bars, 1, **left),
        "amounts": _texts(bars, BARS + 1, va="center"),
        "end": bars.plot([], [], "--", color=INK, lw=1.2, **look)[0],
        "total": bars.text(1, -0.62, "", ha="right", va="bottom", **look),
        "title": figure.axes[0].text(
            0, 1.015, "table M: what words ending here add", transform=table.transAxes, va="bottom"
        ),
    }


def draw(parts, state):
    _draw_table(parts, state)
    _draw_words(parts, state)
    _draw_bars(parts, state)


def _put(texts, things):
    """Each of (x, y, words) in a text, and the others empty."""
    for text in texts[len(things) :]:
        text.set_text("")
    for text, (x, y, words) in zip(texts, things, strict=False):
        text.set(position=(x, y), text=words)


def shown(u):
    return u.replace(" ", "␣")


def fitting(number, letters):
    """A number in at most so many letters, with one, two or three digits; nothing where one digit is too long."""
    return next((text for digits in (3, 2, 1) if len(text := short(number, digits)) <= letters), "")


def _draw_table(parts, state):
    n, m = state.M.shape
    side = max(n, m, 3)
    parts["table"].set(xlim=(-1, side + 0.05), ylim=(side + 0.05, -1))
    top = state.M.max(initial=0) or 1.0
    parts["image"].set(data=np.sqrt(state.M / top) * 0.6 if state.M.size else np.zeros((1, 1)), extent=(0, m, n, 0))
    parts["grid"].set_segments([[(0, i), (m, i)] for i in range(n + 1)] + [[(j, 0), (j, n)] for j in range(m + 1)])
    rows = [(-0.5, i + 0.5, shown(c)) for i, c in enumerate(state.x)]
    _put(parts["letters"], rows + [(j + 0.5, -0.5, shown(c)) for j, c in enumerate(state.z)])
    there = np.argwhere(state.M > 0) if side <= 6 else []
    _put(parts["numbers"], [(j + 0.5, i + 0.5, fitting(state.M[i, j], 10 - side)) for i, j in there])
    places = list(zip(*state.places, strict=True))
    parts["path"].set_data(*_between([(j + 0.5, i + 0.5) for i, j in places]).T)
    parts["frames"].set_verts([_tile(j + 0.5, i + 0.5, FRAME) for i, j in places])


def _between(places):
    """The lines from each frame to the next, one after the other with gaps: in a frame there is a number."""
    lines = [np.empty((0, 2))]
    for start, end in pairwise(np.array(places)):
        inside = FRAME * (end - start) / np.abs(end - start).max()
        lines += [start + inside, end - inside, (np.nan, np.nan)]
    return np.vstack(lines)


def _tile(x, y, half, high=None):
    high = half if high is None else high
    return [(x - half, y - high), (x + half, y - high), (x + half, y + high), (x - half, y + high)]


def _draw_words(parts, state):
    both = ((state.x, 1.0, state.places[0]), (state.z, 0.0, state.places[1]))
    _put(parts["spelled"], [(i, y, shown(c)) for word, y, _ in both for i, c in enumerate(word)])
    parts["tiles"].set_verts([_tile(i, y, 0.42, 0.38) for _, y, places in both for i in places])
    parts["links"].set_segments([[(i, 0.6), (j, 0.4)] for i, j in zip(*state.places, strict=True)])


def _draw_bars(parts, state):
    """Each bar begins where the one above ends: together they reach k."""
    named = [(shown(u), a * b) for u, a, b in state.words[:BARS]]
    rest = sum(a * b for _, a, b in state.words[BARS:])
    rows = named + ([(f"{len(state.words) - BARS} more", rest)] if len(state.words) > BARS else [])
    ends = np.cumsum([0.0, *(value for _, value in rows)]) / (state.k or 1.0)
    spans = list(pairwise(ends))
    parts["rods"].set_verts([_tile((a + b) / 2, row, (b - a) / 2, 0.34) for row, (a, b) in enumerate(spans)])
    parts["rods"].set_facecolor(
        [PURPLE if row == state.chosen else GREEN if row < BARS else GREY for row in range(len(rows))]
    )
    _put(parts["names"], [(-0.03, row, name) for row, (name, _) in enumerate(rows)])
    _put(parts["amounts"], [(0, row, short(value)) for row, (_, value) in enumerate(rows)])
    for text, (a, b) in zip(parts["amounts"], spans, strict=False):
        inside, right = b - a > 0.3, b < 0.7
        place, side = ((a + b) / 2, "center") if inside else (b + 0.02, "left") if right else (a - 0.02, "right")
        text.set(x=place, ha=side, color="white" if inside else INK)
    parts["end"].set_data([1, 1] if rows else [], [-0.5, len(rows) - 0.5] if rows else [])
    parts["total"].set_text(f"together k = {short(state.k)}" if rows else "nothing in common: k = 0")


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


table = Explorer(
    title="The words that two words share",
    controls=(
        Text("x", "word x", "cat", TRIED),
        Text("z", "word z", "cart", TRIED),
        Slider("length", "letters p", 2, 1, 4, 1),
        Switch("shorter", "and all shorter ones", False, when=lambda v: v["length"] > 1),
        Slider("decay", "decay γ", 0.5, 0.05, 1.0, 0.05),
        Slider("word", "chosen bar", 1, 1, BARS, 1, more=True),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left the table M, with the letters of word x down the side and those of word z along the top; a "
    "larger entry is a darker green, and a frame marks where two letters of the chosen word meet. On the right the "
    "two words, and below them a bar for each shared word, which begins where the bar above it ends.",
    code=code,
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
