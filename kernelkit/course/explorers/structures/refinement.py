"""Notebook 15. Two graphs whose vertices tell their neighbours who they are, round after round."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection, PolyCollection

from kernelkit import WeisfeilerLehman
from kernelkit.course.explorers.data.some_graphs import LETTERS, MOST, counts, layout, read_graph, refine
from kernelkit.course.explorers.drawing.groups import LOOKS
from kernelkit.course.explorers.drawing.parts_of_objects import cut
from kernelkit.course.panel.controls import Question, Slider, Text
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import bracketed, short
from kernelkit.course.plots import GREY, INK

LAST = 4  # rounds
ROWS = 12  # of colours
HUES = [colour for colour, _ in LOOKS] + ["#4A4E9E", "#0B7A75", "#8A1C1C", "#6A5A8C", "#3D3D3D"]
LETTER = {"ha": "center", "va": "center", "color": "white", "weight": "bold", "animated": True}
LABELS = ("", "C", "N", "O")  # through which a click takes a vertex

# everything is placed in pixels
DISC, NEWS, ASIDE = 11, 5, 4  # radii of a vertex and of what it is told, and how far right of its edge that keeps
BOX = (300, 182)  # of a graph
TABLE = (376, 380)  # of the colours
TOP, GROUND, SUMS = 324, 58, (36, 13)  # the first row, what the squares of all pairs stand on, and two lines of sums
PITCH, SQUARE = 30, 24  # from one row to the next, and the side of a square, at most
MIDDLE, LONGEST = 222, 56  # between the two histograms, and of a bar


def compute(x, z, step):
    try:
        graphs = [read_graph(text) for text in (x, z)]
    except ValueError as error:
        return SimpleNamespace(trouble=str(error), graphs=[], rows=[])
    rounds = refine(graphs, LAST)
    r = int(step + 1e-9)
    names = _inherited(rounds)
    tables = [counts(colours, len(meanings)) for colours, meanings in rounds]
    told = next((number for number, table in enumerate(tables) if (table[0] != table[1]).any()), None)
    return SimpleNamespace(
        trouble="",
        graphs=graphs,
        round=r,
        part=step - r,
        colours=_named(rounds, names, r),
        before=_named(rounds, names, r - 1) if r else None,
        rows=_rows(rounds, names, tables, r),
        told=told,
        apart=told is not None and told <= r,
        products=[float(table[0] @ table[1]) for table in tables[: r + 1]],
    )


def _inherited(rounds):
    """The number by which each colour of each round is shown: the first one that a colour becomes keeps its number."""
    names = [list(range(len(rounds[0][1])))]
    for _, meanings in rounds[1:]:
        free, found = len(names[-1]), []
        for own, _ in meanings:
            kept = names[-1][own]
            found.append(free if kept in found else kept)
            free += found[-1] == free
        names.append(found)
    return names


def _named(rounds, names, r):
    return [[names[r][c] for c in own] for own in rounds[r][0]]


def _rows(rounds, names, tables, r):
    """Of each colour, by its letter: (the number it is shown by, what it is made of, how often it is in x and in z)."""
    rows = []
    for c, meaning in enumerate(rounds[r][1]):
        if r:
            own, around = meaning
            meaning = names[r - 1][own], sorted(names[r - 1][i] for i in around)
        rows.append((names[r][c], meaning, *map(int, tables[r][:, c])))
    return sorted(rows, key=lambda row: row[0])


def places(graph):
    """Where the vertices are in their box, as large as it allows: (n, 2)."""
    P = layout(graph)
    room = np.array(BOX) / 2 - (24, 22)
    return np.array(BOX) / 2 + P * (room / np.maximum(np.abs(P).max(axis=0), 1e-9)).clip(max=128).min()


def news(graph, part):
    """Where what is told is on its way: (2·edges, 2) places and who told each; at part 1 it has arrived."""
    P = places(graph)
    ways = [(i, j) for edge in graph.edges for i, j in (edge, edge[::-1])]
    if not ways:
        return np.zeros((0, 2)), []
    begin, end = (P[list(ends)] for ends in zip(*ways, strict=True))
    along = end - begin
    length = np.linalg.norm(along, axis=1, keepdims=True)
    margin = np.minimum((DISC + NEWS + 1) / length, 0.5)
    right = along[:, ::-1] * (1, -1) / length
    return begin + (margin + (1 - 2 * margin) * part) * along + ASIDE * right, [teller for teller, _ in ways]


def _letter(c):
    return LETTERS[c] if c < len(LETTERS) else "?"


def _lettered(c, r):
    """The letter with its round, because a colour that is split leaves its letter to one of its parts."""
    return _letter(c) + "₀₁₂₃₄"[r]


def _hue(c):
    return HUES[c] if c < len(HUES) else GREY


def _area(radius):
    return (2 * radius * 0.72) ** 2


def build(figure):
    parts = {}
    for side, bottom in (("x", 194), ("z", 4)):
        ax = figure.add_axes((4 / 700, bottom / 380, BOX[0] / 700, BOX[1] / 380), xlim=(0, BOX[0]), ylim=(0, BOX[1]))
        ax.set(xticks=[], yticks=[])
        ax.spines[:].set_visible(True)
        ax.spines[:].set_color("#CCCCCC")
        ax.text(9, BOX[1] - 14, f"${side}$", size=15, va="center", color=INK)
        parts |= {side: ax, f"graph {side}": _build_graph(ax)}
    table = figure.add_axes((316 / 700, 0, TABLE[0] / 700, 1), xlim=(0, TABLE[0]), ylim=(0, TABLE[1]))
    table.set_axis_off()
    for x, word, side in ((0, "now = before + neighbours'", "left"), (376, "product", "right")):
        table.text(x, 346, word, ha=side, va="center", color=GREY)
    for shift, word, side in ((-8, "in x", "right"), (8, "in z", "left")):
        table.text(MIDDLE + shift, 346, word, ha=side, va="center", color=GREY)
    look = {"animated": True, "va": "center", "color": INK}
    return parts | {
        "table": table,
        "title": table.text(0, 368, "", **look),
        "discs": table.scatter([], [], zorder=3, linewidths=0, animated=True),
        "letters": [table.text(0, 0, "", zorder=4, **LETTER) for _ in range(2 * ROWS)],
        "texts": [table.text(30, 0, "", **look) for _ in range(ROWS)],
        "bars": table.add_collection(PolyCollection([], edgecolor="white", linewidth=1, zorder=2, animated=True)),
        "pairs": table.add_collection(PolyCollection([], edgecolor="white", linewidth=0.8, zorder=2, animated=True)),
        "axis": table.add_collection(LineCollection([], colors=INK, linewidths=1, zorder=3, animated=True)),
        "products": [table.text(376, 0, "", ha="right", **look) for _ in range(ROWS)],
        "sums": [table.text(376, y, "", ha="right", **look) for y in SUMS],
    }


def _build_graph(ax):
    look = {"animated": True}
    return {
        "links": ax.add_collection(LineCollection([], colors="#B0B0B0", linewidths=1.6, zorder=1, **look)),
        "news": ax.scatter([], [], s=_area(NEWS), edgecolors="white", linewidths=0.8, zorder=2, **look),
        "discs": ax.scatter([], [], s=_area(DISC), linewidths=0, zorder=3, **look),
        "letters": [ax.text(0, 0, "", zorder=4, **LETTER) for _ in range(MOST)],
    }


def draw(parts, state):
    for side, number in (("x", 0), ("z", 1)):
        _draw_graph(parts[f"graph {side}"], state, number)
    _draw_table(parts, state)
    if state.trouble:
        said, sums = "not yet: see below", ("", "")
    else:
        said = f"on the way to round {state.round + 1}" if state.part > 0.01 else f"round {state.round}"
        sums = f"this round: {_pairs(state)}", f"$k(x, z)$ = {_sum(state.products)}"
    parts["title"].set_text(said)
    for text, words in zip(parts["sums"], sums, strict=True):
        text.set_text(words)


def _draw_graph(parts, state, number):
    """Vertices in their colours, and what they are told by their neighbours, on its way or, at a round, arrived."""
    graph = state.graphs[number] if state.graphs else None
    P = places(graph) if graph else np.zeros((0, 2))
    own = state.colours[number] if graph else []
    parts["links"].set_segments([P[[i, j]] for i, j in graph.edges] if graph else [])
    parts["discs"].set_offsets(P)
    parts["discs"].set_facecolor([_hue(c) for c in own])
    for i, letter in enumerate(parts["letters"]):
        letter.set_text(_letter(own[i]) if i < len(own) else "")
        if i < len(own):
            letter.set_position(P[i])
    moving = graph and state.part > 0.01
    told = (own if moving else state.before and state.before[number]) if graph else None
    where, tellers = news(graph, state.part if moving else 1.0) if told else (np.zeros((0, 2)), [])
    parts["news"].set_offsets(where)
    parts["news"].set_facecolor([_hue(told[i]) for i in tellers])


def _pitch(state):
    """From one row of the table to the next."""
    return min(PITCH, (TOP - GROUND) / max(min(len(state.rows), ROWS) - 0.4, 1))


def _shown(state):
    return state.rows if len(state.rows) <= ROWS else state.rows[: ROWS - 1]


def _draw_table(parts, state):
    shown, pitch = _shown(state), _pitch(state)
    unit = min(20, LONGEST / max((max(a, b) for *_, a, b in shown), default=1))
    discs, bars = [], []
    for text in (*parts["letters"], *parts["texts"], *parts["products"]):
        text.set_text("")
    for i, (c, meaning, a, b) in enumerate(shown):
        y = TOP - i * pitch
        discs.append((11, y, DISC, c))
        _put(parts["letters"][2 * i], (11, y), _lettered(c, state.round))
        if isinstance(meaning, str):
            _put(parts["texts"][i], (30, y), "no label" if meaning == "•" else f"label {meaning}")
        else:
            own, around = meaning
            _put(parts["texts"][i], (26, y), "=")
            discs.append((49, y, DISC, own))
            _put(parts["letters"][2 * i + 1], (49, y), _lettered(own, state.round - 1))
            step = min(2 * NEWS + 2, 76 / max(len(around), 1))
            discs += [(69 + j * step, y, NEWS, neighbour) for j, neighbour in enumerate(around)]
        high = 0.32 * pitch
        bars += [(MIDDLE + sign * j * unit, sign * unit, y, high, c) for sign, n in ((-1, a), (1, b)) for j in range(n)]
        _put(parts["products"][i], (376, y), f"{a} · {b} = {a * b}")
    if len(shown) < len(state.rows):
        rest = state.rows[len(shown) :]
        adds = sum(a * b for *_, a, b in rest)
        _put(parts["texts"][-1], (30, TOP - len(shown) * pitch), f"and {len(rest)} more")
        _put(parts["products"][-1], (376, TOP - len(shown) * pitch), str(adds))
    parts["discs"].set_offsets([(x, y) for x, y, *_ in discs] or np.zeros((0, 2)))
    parts["discs"].set_sizes([_area(radius) for *_, radius, _ in discs])
    parts["discs"].set_facecolor([_hue(c) for *_, c in discs])
    parts["bars"].set_verts([[(x, y - h), (x + u, y - h), (x + u, y + h), (x, y + h)] for x, u, y, h, _ in bars])
    parts["bars"].set_facecolor([_hue(c) for *_, c in bars])
    ends = TOP + pitch / 2, TOP - (len(shown) - 0.5) * pitch
    parts["axis"].set_segments([[(MIDDLE, y) for y in ends]] if shown else [])
    squares = list(_squares(state, ends[1] - 10 - GROUND))
    parts["pairs"].set_verts([corners for corners, _ in squares])
    parts["pairs"].set_facecolor([_hue(c) for _, c in squares])


def _squares(state, high):
    """A square for each pair of vertices with the same colour, a block for each colour, as high as there is room."""
    blocks = [(c, a, b) for c, _, a, b in state.rows if a * b]
    if not blocks:
        return
    wide = sum(a for _, a, _ in blocks) + 0.5 * (len(blocks) - 1)
    side = min(SQUARE, high / max(b for *_, b in blocks), TABLE[0] / wide)
    if side < NEWS:
        return
    left = 0.0
    for c, a, b in blocks:
        for i, j in np.ndindex(a, b):
            x, y = left + i * side, GROUND + j * side
            yield [(x, y), (x + side, y), (x + side, y + side), (x, y + side)], c
        left += (a + 0.5) * side


def _put(text, place, words):
    text.set(position=place, text=words)


def _pairs(state):
    """The sum of the products, in words."""
    pairs = int(state.products[-1])
    return "1 pair of one colour" if pairs == 1 else f"{pairs} pairs of one colour"


def _sum(products):
    return " + ".join(map(short, products)) + (f" = {short(sum(products))}" if len(products) > 1 else "")


def message(state):
    return f"Not yet: {state.trouble}" if state.trouble else ""


def readout(state):
    return {
        "round": state.round if state.graphs else None,
        "colours": len(state.rows) if state.graphs else None,
        "pairs of one colour": short(state.products[-1]) if state.graphs else None,
        "k(x, z)": short(sum(state.products)) if state.graphs else None,
        "graphs told apart": {True: f"since round {state.told}", False: "no"}[state.apart] if state.graphs else None,
    }


def code(x, z, step):
    try:
        x, z = (
            f"({bracketed(map(repr, graph.adjacency.tolist()))}, {''.join(graph.labels)!r})"
            for graph in map(read_graph, (x, z))
        )
    except ValueError as error:
        return f"print({str(error)!r})"
    k = WeisfeilerLehman(int(step + 1e-9))
    return f"from kernelkit import *\n\nx = {x}\nz = {z}\nk = {k!r}\nprint(k(x), k(x, z), k(z))"


def _vertex_at(graph, x, y):
    """The number of the nearest vertex, and how far away it is."""
    gaps = np.hypot(*(places(graph) - (x, y)).T)
    return int(gaps.argmin()), gaps.min()


def _tell(side):
    """The vertex that is nearest to the pointer, its colour, and the one before."""

    def told(state, x, y):
        if state.trouble:
            return "no graph yet"
        number = "xz".index(side)
        i, _ = _vertex_at(state.graphs[number], x, y)
        was = f", was {_letter(state.before[number][i])}" if state.before else ""
        return f"vertex {state.graphs[number].names[i]}: colour {_letter(state.colours[number][i])}{was}"

    return told


def _tell_row(state, x, y):
    """What the colour of a row is made of."""
    i = round((TOP - y) / _pitch(state)) if state.rows else 0
    if not 0 <= i < len(_shown(state)):
        return "" if state.trouble else f"the products add up to {short(state.products[-1])}"
    c, meaning, *_ = _shown(state)[i]
    if isinstance(meaning, str):
        return f"{_letter(c)}: {'no label' if meaning == '•' else f'label {meaning}'}"
    return cut(f"{_letter(c)}: was {_letter(meaning[0])}, among {' '.join(map(_letter, meaning[1])) or 'nobody'}", 40)


def _relabel(side):
    """A click on a vertex gives it the next label."""

    def values(state, x, y):
        if state.trouble:
            return {}
        graph = state.graphs["xz".index(side)]
        i, gap = _vertex_at(graph, x, y)
        return {side: graph.relabelled(i, LABELS).text()} if gap <= 1.5 * DISC else {}

    return values


TRIED = ("C1-C2-O1", "1", "1-1", "what?", "1-2-3-4-5-6-7-8-9-10", "1-2-3-4-5-6-7-8-9-10-11", "1-2 1-3 1-4 1-5")
RINGS = {"x": "1-2-3-4-5-6-1", "z": "1-2-3-1 4-5-6-4"}
refinement = Explorer(
    title="Vertices tell their neighbours who they are",
    controls=(
        Text("x", "x", "1-2-3-4-5", TRIED),
        Text("z", "z", "1-2-3-4 2-5", TRIED),
        Slider("step", "round", 1.0, 0.0, float(LAST), 0.2),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    message=message,
    shows="On the left the graphs x, above, and z, below; the colour and letter of a vertex say what it knows, and "
    "small dots next to it are what its neighbours tell it. On the right a row for each colour: what it is made of, "
    "bars for how often it occurs in x and in z, and their product. Below, a square for each pair of vertices with "
    "the same colour.",
    code=code,
    tell={"x": _tell("x"), "z": _tell("z"), "table": _tell_row},
    click={"x": _relabel("x"), "z": _relabel("z")},
    motion=True,
    film=("step",),
    scenes={
        "On the way to round 2": {"step": 1.6},
        "One ring, two rings": RINGS | {"step": float(LAST)},
        "A path and a star": {"x": "1-2-3-4", "z": "1-2 1-3 1-4", "step": 1.0},
        "Two trees": {"x": "1-2-3-4-5-6 3-7", "z": "1-2-3-4-5-6 2-7", "step": 2.0},
        "Other neighbours": {"x": "C1-C2-C3 C1-N C1-O", "z": "C1-C2-C3 C1-N C3-O", "step": 1.0},
    },
    question=Question(
        "One graph is a ring of six vertices, and the other consists of two rings of three. No vertex has a label, so "
        "all vertices begin with the colour a. After how many rounds do the colours tell the two graphs apart?",
        ("after one", "after three", "never"),
        2,
        "In both graphs every vertex has two neighbours that look like itself. So in each round all vertices are told "
        "the same, and there is never any news.",
        scene="One ring, two rings",
    ),
)
