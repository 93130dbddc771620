"""Notebook 15. A kernel for each structure: what two objects share, feature by feature."""

from types import SimpleNamespace

import numpy as np

from kernelkit import Normalized
from kernelkit.course.explorers.drawing.branched_objects import Trees
from kernelkit.course.explorers.drawing.flat_objects import Bags, Chains, Histograms, Rankings
from kernelkit.course.explorers.drawing.object_pictures import node_at, object_marks
from kernelkit.course.explorers.drawing.parts_of_objects import NOTHING, Term, cut
from kernelkit.course.explorers.drawing.shades import whole_frame
from kernelkit.course.panel.controls import Choice, Question, Slider, Text
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import NO_AXIS, Axes, Axis, Bars, Text as Words, VLine
from kernelkit.course.panel.numbers import read_off, short
from kernelkit.course.panel.parts import standard
from kernelkit.course.plots import BLUE, GREEN, GREY, INK, ORANGE, PURPLE

ROWS = 11  # of bars
UPPER_RIGHT = {"side": "right", "up": "center", "of": "figure"}
KINDS = {
    "histograms": Histograms(),
    "bags": Bags(),
    "trees": Trees(),
    "rankings": Rankings(),
    "chains": Chains(),
}
SETTINGS = {"trees": "decay"}  # the control that a kernel has


def compute(kind, shown, **values):
    structure, setting = KINDS[kind], values.get(SETTINGS.get(kind))
    state = SimpleNamespace(
        x=None,
        z=None,
        drawings=(NOTHING, NOTHING),
        terms=[],
        k=0.0,
        cosine=0.0,
        chosen=None,
        name="",
        drawn=False,
        trouble="",
        parts=([], []),
        own=(0, 0),
        both=0,
        what=structure.what,
    )
    try:
        state.x, state.z = x, z = [structure.read(values[f"{kind}_{side}"]) for side in "xz"]
        objects = structure.object(x, z), structure.object(z, x)
    except ValueError as error:
        state.trouble = str(error)
        return state
    kernel, found = structure.kernel(setting), structure.terms(x, z, setting)
    state.drawn = True
    state.drawings = structure.drawn(x), structure.drawn(z)
    state.k, state.cosine = kernel(*objects), Normalized(kernel)(*objects)
    state.own, state.both = tuple(_entries(structure.terms(v, v, setting)) for v in (x, z)), _entries(found)
    state.terms = _rows(found)
    state.chosen = min(shown, len(state.terms)) - 1 if shown and state.terms else None
    lit = state.terms
    if state.chosen is not None:
        lit, state.name = [state.terms[state.chosen]], cut(state.terms[state.chosen].name, 60)
    lit = [term for term in lit if term.value > 0 or state.chosen is not None]
    state.parts = tuple([getattr(term, side) for term in lit] for side in ("in_x", "in_z"))
    return state


def _entries(terms):
    """How many entries of Φ have a product that is not 0."""
    return sum(term.entries for term in terms if term.value != 0)


def _rows(terms):
    """As many as there is room for; the last one holds the rest."""
    if len(terms) <= ROWS:
        return terms
    rest = terms[ROWS - 1 :]
    ends = (frozenset().union(*(getattr(term, side) for term in rest)) for side in ("in_x", "in_z"))
    return [*terms[: ROWS - 1], Term(f"{len(rest)} more", sum(term.value for term in rest), *ends)]


def picture(s):
    objects = (_object(s, side, i, low) for side, i, low in (("x", 0, 0.525), ("z", 1, 0.025)))
    return [[*objects, _sum(s)]]


def _object(s, side, number, low):
    return Axes(
        "",
        NO_AXIS,
        NO_AXIS,
        Words(0.012, 0.97, f"${side}$", INK, up="top", size=15),
        *object_marks(s.drawings[number], s.parts[number]),
        name=side,
        place=(0.015, low, 0.435, 0.445),
        dress=whole_frame,
    )


def _sum(s):
    """A strip for each feature that begins where the one above it ends, and a line where the last one has to end."""
    values = np.array([term.value for term in s.terms])
    ends = np.cumsum(values)
    low, high = _limits(ends, s.k)
    margin, rows, ticks = 0.03 * (high - low), max(7, len(ends)), sorted({low, 0.0, high})
    names = low - margin - 0.06 * (high - low + 2 * margin)
    return Axes(
        "",
        Axis("running sum", low - margin, high + margin, ticks, map(short, ticks), zero=True),
        Axis("", rows - 0.4, -0.6, ()),
        Words(0.985, 0.91, s.what, GREY, **UPPER_RIGHT),
        None if s.trouble else Words(0.985, 0.965, f"$k(x, z)$ = {short(s.k, 4)}", **UPPER_RIGHT),
        Bars(range(len(ends)), values, _hues(s), base=ends - values, lying=True, width=0.8, edge="white", rim=0.5),
        VLine(s.k, PURPLE, width=2, style="--"),
        *(
            Words(
                names,
                i,
                f"{cut(term.name, 19)}   {short(term.value, 2)}",
                PURPLE if i == s.chosen else INK,
                side="right",
                up="center",
            )
            for i, term in enumerate(s.terms)
        ),
        name="bars",
        place=(0.765, 0.12, 0.215, 0.755),
        dress=_dress,
    )


def _dress(ax):
    ax.xaxis.labelpad = 1
    ax.spines["left"].set_visible(False)  # there is a line at 0


def _hues(s):
    """Green for what is shared; where a pair may also be opposed, orange and blue for the sign."""
    signed = any(term.value < 0 for term in s.terms)
    hues = [(ORANGE if term.value > 0 else BLUE) if signed else GREEN for term in s.terms]
    return [PURPLE if i == s.chosen else hue for i, hue in enumerate(hues)]


def _limits(ends, k):
    """Round limits around 0, all sums and k, which seldom move."""
    low, high = min(0.0, ends.min(initial=0), k), max(0.0, ends.max(initial=0), k)
    low, high = -standard(-low) if low < -1e-9 else 0.0, standard(high) if high > 1e-9 else 0.0
    return (0.0, 1.0) if low == high else (low, high)


def message(state):
    return f"Not yet: {state.trouble}" if state.trouble else ""


def readout(state):
    mine, others = state.own
    return {
        "non-zero entries of Φ": f"{mine} for x, {others} for z, {state.both} for both" if state.drawn else None,
        "k(x, z)": short(state.k, 4) if state.drawn else None,
        "cosine": short(state.cosine, 2) if state.drawn else None,
        "chosen strip": f"{state.name} adds {short(state.terms[state.chosen].value)}" if state.name else None,
    }


def _tell_bar(state, x, y):
    i = round(y)
    if state.trouble:
        return "nothing to add up yet"
    if not 0 <= i < len(state.terms):
        return f"the sum is {read_off(state.k)}"
    return f"{cut(state.terms[i].name, 28)} adds {read_off(state.terms[i].value)}"


def _choose_bar(state, x, y):
    i = round(y)
    return {"shown": 0 if i == state.chosen else i + 1} if 0 <= i < len(state.terms) else {}


def _edit(side):
    """What a click into the picture of an object makes of the two texts."""

    def values(state, x, y):
        if state.trouble:
            return {}
        own, other = (state.x, state.z) if side == "x" else (state.z, state.x)
        structure, drawing = KINDS[state.kind], state.drawings["xz".index(side)]
        node = node_at(drawing, x, y)
        if node is None and state.kind not in ("histograms", "bags"):
            return {}
        new = structure.clicked(own, other, node, (x, y))
        new = new if side == "x" else new[::-1]
        return {f"{state.kind}_{s}": structure.text(v) for s, v in zip("xz", new, strict=True)}

    return values


def code(kind, shown, **values):
    structure, setting = KINDS[kind], values.get(SETTINGS.get(kind))
    try:
        x, z = (structure.read(values[f"{kind}_{side}"]) for side in "xz")
        x, z, kernel = structure.object(x, z), structure.object(z, x), structure.kernel(setting)
    except ValueError as error:
        return f"print({str(error)!r})"
    return f"from kernelkit import *\n\nk = {kernel!r}\nx = {x!r}\nz = {z!r}\nprint(k(x, z), Normalized(k)(x, z))"


STARTS = {
    "histograms": ("1 3 5 2 0 1", "0 2 3 5 1 2"),
    "bags": ("0.5 1 1.5 2", "-1 0 2 3"),
    "trees": (
        "(S (NP she) (VP (V saw) (NP (NP him) (PP there))))",
        "(S (NP she) (VP (VP (V saw) (NP him)) (PP there)))",
    ),
    "rankings": ("ape bee cat dog elk", "bee ape cat elk dog"),
    "chains": ("0.9 0.2", "0.8 0.4"),
}
TRIED = {
    "histograms": ("0", "7", "1.5", "6 6 6 6 6 6 6 6", "two"),
    "bags": ("", "-4 4", "9", "1 1 1 1 1 1 1 1 1 1 1 1"),
    "trees": ("she ran", "(S (NP she)", "(S (NP he) (VP ran))", "(S) x"),
    "rankings": ("ape", "ape ape", "elk dog cat bee ape"),
    "chains": ("1 0", "0.5", "2 0"),
}


def _texts(kind):
    """The two lines to type, where this structure is chosen."""
    return (
        Text(f"{kind}_{side}", side, start, TRIED[kind], when=lambda v: v["kind"] == kind)
        for side, start in zip("xz", STARTS[kind], strict=True)
    )


common_parts = panel(
    compute,
    picture,
    readout,
    code,
    Choice(
        "kind",
        "structure",
        "histograms",
        {
            "histograms": "histograms",
            "bags of numbers": "bags",
            "trees": "trees",
            "rankings": "rankings",
            "Markov chains": "chains",
        },
    ),
    *(text for kind in KINDS for text in _texts(kind)),
    Slider("decay", "decay γ", 0.5, 0.1, 1.0, 0.1, when=lambda v: v["kind"] == "trees"),
    Slider("shown", "chosen strip", 0, 0, ROWS, 1, more=True),
    title="A kernel for each structure",
    size=(7.0, 3.6),
    message=message,
    shows="On the left the two objects x and z, in which what they share is coloured. On the right a strip for each "
    "product of a feature of x and the same feature of z; it begins where the strip above it ends, and a dashed line "
    "marks their sum, k(x, z).",
    tell={"bars": _tell_bar},
    click={"x": _edit("x"), "z": _edit("z"), "bars": _choose_bar},
    scenes={
        "A taller bar": {"histograms_x": "1 3 5 6 0 1"},
        "Bags": {"kind": "bags"},
        "Trees": {"kind": "trees"},
        "Rankings": {"kind": "rankings"},
        "Chains": {"kind": "chains"},
    },
    question=Question(
        "Bar 4 has height 2 in x and 5 in z. In x it now grows from 2 to 6. By how much does k grow?",
        ("by 4", "by 3", "not at all"),
        1,
        "A level counts if both bars reach it. The bar of x gains the levels 3, 4, 5 and 6, but the bar of z ends at "
        "5, so the sixth level is in x alone.",
        scene="A taller bar",
    ),
)
