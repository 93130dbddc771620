"""Notebook 15. Two graphs whose vertices tell their neighbours who they are, round after round."""

from types import SimpleNamespace

import numpy as np

from kernelkit import WeisfeilerLehman
from kernelkit.course.explorers.data.some_graphs import LETTERS, counts, layout, read_graph, refine
from kernelkit.course.explorers.drawing.groups import LOOKS
from kernelkit.course.explorers.drawing.parts_of_objects import cut
from kernelkit.course.panel.controls import Question, Slider, Text
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Boxes, Discs, Segments, Text as Words
from kernelkit.course.panel.numbers import bracketed, short
from kernelkit.course.plots import DPI, GREY, INK

LAST = 4  # rounds
ROWS = 12  # of colours
HUES = [colour for colour, _ in LOOKS] + ["#4A4E9E", "#0B7A75", "#8A1C1C", "#6A5A8C", "#3D3D3D"]
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


def picture(s):
    return [[*(_graph(s, side, number) for number, side in enumerate("xz")), _table(s)]]


def _graph(s, side, number):
    """Vertices in their colours, and what they are told by their neighbours, on its way or, at a round, arrived."""
    graph = s.graphs[number] if s.graphs else None
    P = places(graph) if graph else np.zeros((0, 2))
    own = s.colours[number] if graph else []
    moving = graph and s.part > 0.01
    told = (own if moving else s.before and s.before[number]) if graph else None
    where, tellers = news(graph, s.part if moving else 1.0) if told else (np.zeros((0, 2)), [])
    ends = P[np.array(graph.edges, int).reshape(-1, 2)] if graph else np.zeros((0, 2, 2))
    return Axes(
        "",
        Axis("", 0, BOX[0], ()),
        Axis("", 0, BOX[1], ()),
        Words(9, BOX[1] - 14, f"${side}$", INK, up="center", size=15),
        Segments(ends[:, 0].T, ends[:, 1].T, "#B0B0B0", width=1.6),
        Discs(where, [_hue(told[i]) for i in tellers], _size(NEWS), edge="white", rim=0.8),
        Discs(P, [_hue(c) for c in own], _size(DISC)),
        *(_in_disc(*place, _letter(c)) for place, c in zip(P, own, strict=True)),
        name=side,
        place=(4 / 700, (194, 4)[number] / 380, BOX[0] / 700, BOX[1] / 380),
        frame=True,
        dress=_pale_frame,
    )


def _pale_frame(ax):
    ax.spines[:].set_color("#CCCCCC")


def _size(radius):
    """Of a disc, in points; its radius is in the pixels of the axes."""
    return 2 * radius * 72 / DPI


def _in_disc(x, y, letter):
    return Words(x, y, letter, "white", side="center", up="center", weight="bold")


def _pitch(s):
    """From one row of the table to the next."""
    return min(PITCH, (TOP - GROUND) / max(min(len(s.rows), ROWS) - 0.4, 1))


def _shown(s):
    return s.rows if len(s.rows) <= ROWS else s.rows[: ROWS - 1]


def _table(s):
    """What each colour is made of, how often it is in x and in z, and below them the pairs and their sums."""
    shown, pitch = _shown(s), _pitch(s)
    unit = min(20, LONGEST / max((max(a, b) for *_, a, b in shown), default=1))
    high, end = 0.32 * pitch, TOP - (len(shown) - 0.5) * pitch
    bars, discs, words = [], [], []
    for i, (c, meaning, a, b) in enumerate(shown):
        y = TOP - i * pitch
        made = _made_of(meaning, y, s.round)
        discs += [(11, y, DISC, c), *made[0]]
        words += [_in_disc(11, y, _lettered(c, s.round)), *made[1], _right(y, f"{a} · {b} = {a * b}")]
        bars += [(MIDDLE + sign * j * unit, sign * unit, y, high, c) for sign, n in ((-1, a), (1, b)) for j in range(n)]
    if rest := s.rows[len(shown) :]:
        y = TOP - len(shown) * pitch
        words += [_middle(30, y, f"and {len(rest)} more"), _right(y, f"{sum(a * b for *_, a, b in rest)}")]
    squares = list(_squares(s, end - 10 - GROUND))
    return Axes(
        "",
        Axis("", 0, TABLE[0], ()),
        Axis("", 0, TABLE[1], ()),
        *_headings(s),
        Boxes([(x, y - h, u, 2 * h) for x, u, y, h, _ in bars], [_hue(c) for *_, c in bars], edge="white", rim=1),
        Boxes([box for box, _ in squares], [_hue(c) for _, c in squares], rim=0.8, edge="white"),
        Segments(([MIDDLE], [TOP + pitch / 2]), ([MIDDLE], [end])) if shown else None,
        Discs(
            np.reshape([disc[:2] for disc in discs], (-1, 2)),
            [_hue(c) for *_, c in discs],
            [_size(d[2]) for d in discs],
        ),
        *words,
        name="table",
        place=(316 / 700, 0, TABLE[0] / 700, 1),
        bare=True,
    )


def _headings(s):
    if s.trouble:
        said, sums = "not yet: see below", ("", "")
    else:
        said = f"on the way to round {s.round + 1}" if s.part > 0.01 else f"round {s.round}"
        sums = f"this round: {_pairs(s)}", f"$k(x, z)$ = {_sum(s.products)}"
    return [
        Words(0, 346, "now = before + neighbours'", GREY, up="center"),
        Words(376, 346, "product", GREY, side="right", up="center"),
        Words(MIDDLE - 8, 346, "in x", GREY, side="right", up="center"),
        Words(MIDDLE + 8, 346, "in z", GREY, up="center"),
        _middle(0, 368, said),
        *(_right(y, words) for y, words in zip(SUMS, sums, strict=True)),
    ]


def _middle(x, y, words):
    return Words(x, y, words, INK, up="center")


def _right(y, words):
    return Words(376, y, words, INK, side="right", up="center")


def _made_of(meaning, y, r):
    """The discs and the words of what a colour is made of: a label, or its own colour and those of its neighbours."""
    if isinstance(meaning, str):
        return [], [_middle(30, y, "no label" if meaning == "•" else f"label {meaning}")]
    own, around = meaning
    step = min(2 * NEWS + 2, 76 / max(len(around), 1))
    discs = [(49, y, DISC, own), *((69 + j * step, y, NEWS, neighbour) for j, neighbour in enumerate(around))]
    return discs, [_middle(26, y, "="), _in_disc(49, y, _lettered(own, r - 1))]


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
            yield (x, y, side, side), c
        left += (a + 0.5) * side


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
refinement = panel(
    compute,
    picture,
    readout,
    code,
    Text("x", "x", "1-2-3-4-5", TRIED),
    Text("z", "z", "1-2-3-4 2-5", TRIED),
    Slider("step", "round", 1.0, 0.0, float(LAST), 0.2),
    title="Vertices tell their neighbours who they are",
    message=message,
    shows="On the left the graphs x, above, and z, below; the colour and letter of a vertex say what it knows, and "
    "small dots next to it are what its neighbours tell it. On the right a row for each colour: what it is made of, "
    "bars for how often it occurs in x and in z, and their product. Below, a square for each pair of vertices with "
    "the same colour.",
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
