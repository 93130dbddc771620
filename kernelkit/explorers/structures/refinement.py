"""Notebook 15. Two graphs whose vertices tell their neighbours who they are, round after round."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection

from kernelkit import WeisfeilerLehman
from kernelkit.explorers.shared.groups import LOOKS
from kernelkit.explorers.shared.parts_of_objects import cut
from kernelkit.explorers.shared.shades import whole_frame
from kernelkit.explorers.shared.some_graphs import LETTERS, MOST, counts, layout, read_graph, refine
from kernelkit.panel.controls import NoQuestion, Stepper, Text
from kernelkit.panel.explorer import Explorer
from kernelkit.panel.numbers import short
from kernelkit.panel.parts import Table
from kernelkit.plots import GREY, INK

LAST = 4  # rounds
ROWS = 12  # of colours
LETTER = {"ha": "center", "color": "white", "weight": "bold", "zorder": 4}
HUES = [colour for colour, _ in LOOKS]


def compute(x, z, step):
    try:
        graphs = [read_graph(text) for text in (x, z)]
    except ValueError as error:
        return SimpleNamespace(trouble=str(error), graphs=[], step=step, rows=[], last_step=LAST)
    rounds = refine(graphs, LAST)
    tables = [counts(colours, len(meanings)) for colours, meanings in rounds]
    told = [r for r, table in enumerate(tables) if (table[0] != table[1]).any()]
    colours, meanings = rounds[step]
    return SimpleNamespace(
        trouble="",
        graphs=graphs,
        step=step,
        last_step=LAST,
        colours=colours,
        table=tables[step],
        rows=[_meaning(meaning) for meaning in meanings],
        told=told[0] if told else None,
        products=[float(table[0] @ table[1]) for table in tables[: step + 1]],
        finer=step > 0 and len(meanings) > len(rounds[step - 1][1]),
    )


def _letter(c):
    return LETTERS[c] if c < len(LETTERS) else "?"


def _meaning(meaning):
    """What a colour stands for: a label, or the colour before and those of the neighbours."""
    if isinstance(meaning, str):
        return "no label" if meaning == "•" else f"label {meaning}"
    own, around = meaning
    return f"{_letter(own)} beside {' '.join(map(_letter, around)) or 'nobody'}"


def build(figure):
    axes = figure.subplot_mosaic([["x", "table"], ["z", "table"]], width_ratios=(4, 5))
    parts = {}
    for side in "xz":
        whole_frame(axes[side])
        axes[side].set(xlim=(-1.45, 1.45), ylim=(-1.3, 1.3))
        axes[side].text(0.012, 0.97, f"${side}$", size=15, va="top", color=INK, transform=axes[side].transAxes)
        parts[f"graph {side}"] = _build_graph(axes[side])
    table = axes["table"]
    columns = {"colour": (0, "left"), "": (0.08, "left"), "in x · in z": (1, "right")}
    look = {"animated": True, "va": "center"}
    return (
        axes
        | parts
        | {
            "title": table.set_title("round 1", animated=True),
            "rows": Table(table, columns, ROWS + 2),
            "letters": [table.text(0.03, i, "", **LETTER, **look) for i in range(1, ROWS + 1)],
            "dots": table.scatter([], [], s=190, zorder=3, animated=True),
        }
    )


def _build_graph(ax):
    look = {"animated": True}
    return {
        "links": ax.add_collection(LineCollection([], colors=GREY, linewidths=1.6, zorder=2, **look)),
        "dots": ax.scatter([], [], s=300, zorder=3, **look),
        "letters": [ax.text(0, 0, "", va="center", **LETTER, **look) for _ in range(MOST)],
    }


def draw(parts, state):
    for side, number in (("x", 0), ("z", 1)):
        _draw_graph(parts[f"graph {side}"], state, number)
    if state.trouble:
        parts["title"].set_text("not yet: see below")
    else:
        named = f", by those of round {state.step - 1}" if state.step else ""
        parts["title"].set_text(f"round {state.step}: {_colours(state)}{named}")
    shown = len(state.rows) if len(state.rows) <= ROWS else ROWS - 1
    parts["dots"].set_offsets([(0.03, i) for i in range(1, shown + 1)] or np.zeros((0, 2)))
    parts["dots"].set_facecolor([_hue(i) for i in range(shown)])
    for i, letter in enumerate(parts["letters"]):
        letter.set_text(_letter(i) if i < shown else "")
    parts["rows"].show([] if state.trouble else _rows(state, shown))


def _rows(state, shown):
    """The colours that are shown, how many there is no room for, and below them the sums."""
    rows = [("", cut(state.rows[i], 24), f"{a} · {b} = {a * b}") for i, (a, b) in enumerate(state.table.T[:shown])]
    if shown < len(state.rows):
        rows.append(("", f"and {len(state.rows) - shown} more"))
    rows += [()] * (ROWS - len(rows))
    this_round = "", "", f"this round: {short(state.products[-1])}"
    return [*rows, this_round, ("", "", f"$k(x, z)$ = {_sum(state.products)}")]


def _draw_graph(parts, state, number):
    if not state.graphs:
        parts["links"].set_segments([])
        parts["dots"].set_offsets(np.zeros((0, 2)))
        for letter in parts["letters"]:
            letter.set_text("")
        return
    graph, own = state.graphs[number], state.colours[number]
    places = layout(graph)
    parts["links"].set_segments([places[[i, j]] for i, j in graph.edges])
    parts["dots"].set_offsets(places)
    parts["dots"].set_facecolor([_hue(c) for c in own])
    for i, letter in enumerate(parts["letters"]):
        letter.set_text(_letter(own[i]) if i < len(own) else "")
        if i < len(own):
            letter.set_position(places[i])


def _colours(state):
    return "one colour" if len(state.rows) == 1 else f"{len(state.rows)} colours"


def _hue(c):
    return HUES[c] if c < len(HUES) else GREY


def _sum(products):
    return " + ".join(map(short, products)) + (f" = {short(sum(products))}" if len(products) > 1 else "")


def describe(state):
    if state.trouble:
        return f"Not yet: {state.trouble}"
    start = f"Round {state.step}: {_colours(state)}, and k over the rounds so far is {short(sum(state.products))}. "
    if state.told is not None and state.told <= state.step:
        return f"{start}The graphs differ: {_reason(state)}."
    same = "So far both graphs have each colour equally often"
    if state.step and not state.finer:
        return f"{start}{same}, and no colour was split in this round: no later one can tell them apart either."
    return f"{start}{same}."


def _reason(state):
    """What tells the graphs apart."""
    n, m = (len(graph.names) for graph in state.graphs)
    if n != m:
        return f"they have {n} and {m} vertices"
    return f"{'already the labels' if state.told == 0 else f'the counts of round {state.told}'} tell them apart"


def code(x, z, step):
    try:
        x, z = ((graph.adjacency.tolist(), "".join(graph.labels)) for graph in map(read_graph, (x, z)))
    except ValueError as error:
        return f"print({str(error)!r})"
    k = WeisfeilerLehman(step)
    return f"from kernelkit import *\n\nx = {x!r}\nz = {z!r}\nk = {k!r}\nprint(k(x), k(x, z), k(z))"


def _tell(side):
    """The colour of the vertex under the pointer, and what it stands for."""

    def told(state, x, y):
        if state.trouble:
            return "no graph yet"
        i = "xz".index(side)
        gaps = np.hypot(*(layout(state.graphs[i]) - (x, y)).T)
        nearest = int(gaps.argmin())
        c = state.colours[i][nearest]
        return cut(f"{state.graphs[i].names[nearest]}: {_letter(c)} = {state.rows[c]}", 40)

    return told


TRIED = ("C1-C2-O1", "1", "1-1", "what?", "1-2-3-4-5-6-7-8-9-10-11", "1-2 1-3 1-4 1-5")
refinement = Explorer(
    title="Vertices tell their neighbours who they are",
    controls=(
        Text("x", "x", "1-2-3-4-5-6-1", TRIED),
        Text("z", "z", "1-2-3-1 4-5-6-4", TRIED),
        Stepper("step", "round", LAST),
    ),
    size=(7.0, 3.6),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    tell={"x": _tell("x"), "z": _tell("z")},
    film=("step",),
    scenes={
        "One ring, two rings": {"step": LAST},
        "A path and a star": {"x": "1-2-3-4", "z": "1-2 1-3 1-4", "step": 1},
        "Two trees": {"x": "1-2-3-4-5-6 3-7", "z": "1-2-3-4-5-6 2-7", "step": 2},
        "Same atoms, other neighbours": {"x": "C1-C2-C3 C1-N C1-O", "z": "C1-C2-C3 C1-N C3-O", "step": 1},
    },
    question=NoQuestion(because="the text just above asks it"),
)
