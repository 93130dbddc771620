"""Notebook 15. Two baskets, and the sets of ingredients that are in both."""

from itertools import combinations
from types import SimpleNamespace

import numpy as np
from matplotlib.collections import PolyCollection
from matplotlib.patches import FancyBboxPatch

from kernelkit import Jaccard, Overlap, Subsets
from kernelkit.course.explorers.drawing.object_pictures import PALE, SAME
from kernelkit.course.panel.controls import Choice, Items, Question
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import short
from kernelkit.course.panel.parts import reframed
from kernelkit.course.plots import GREEN, GREY, INK

LOOKS = {  # of each ingredient a colour and a marker, which mean no class, and a size at which all look equally large
    "rice": ("#A08D62", "o", 0.95),
    "saffron": ("#B5261E", "*", 1.3),
    "lemon": ("#D9A404", "D", 0.78),
    "garlic": ("#8E76B5", "^", 1.0),
    "oil": ("#5D7A1F", "p", 1.1),
    "honey": ("#7A3E10", "h", 1.05),
}
NAMES = tuple(LOOKS)
SHELF, A, BOTH, B = PLACES = ("shelf", "A", "both", "B")

# the left half of the picture, in pixels from its lower left corner
WIDE, HIGH = 330, 380
SHELF_FLOOR = 300  # of the shelf above the baskets
EDGES = {A: (8, 84, 214, 276), B: (116, 70, 322, 262)}  # left, below, right, above: neither hides in the other
COLUMNS = {A: 26, BOTH: 134, B: 232}  # where the marks of what lies there stand
TOP, ROW = 246, 29  # of the first ingredient in a basket, and from one to the next

ROOM = (344, 266)  # of the sets in both
RAISED = str.maketrans("0123456", "⁰¹²³⁴⁵⁶")
TALLEST, WIDEST, MARK = 54, 84, 24  # of one set, and of an ingredient in it


def spots(places):
    """Where each ingredient is drawn: in its basket from above, on the shelf in two rows."""
    counts, found = dict.fromkeys(PLACES, 0), []
    for place in places:
        i = counts[place]
        counts[place] += 1
        on_shelf = list(COLUMNS.values())[i % 3], 344 - 28 * (i // 3)
        found.append(on_shelf if place == SHELF else (COLUMNS[place], TOP - ROW * i))
    return tuple((float(x), float(y)) for x, y in found)


def place_at(x, y):
    """The place in which a point lies; beside the baskets that is the shelf."""
    in_a, in_b = (left <= x <= right and below <= y <= above for left, below, right, above in EDGES.values())
    return BOTH if in_a and in_b else A if in_a else B if in_b else SHELF


def compute(places, mark):
    sides = [{name for name, place in zip(NAMES, places, strict=True) if place in (side, BOTH)} for side in (A, B)]
    common = [name for name, place in zip(NAMES, places, strict=True) if place == BOTH]
    shared = [[set(S) for S in combinations(common, size)] for size in range(len(common) + 1)]
    return SimpleNamespace(
        places=places,
        sides=sides,
        common=common,
        union=len(set.union(*sides)),
        shared=shared,
        mark=mark,
        marked=sum(mark in S for column in shared for S in column),
        overlap=int(Overlap()(*sides)),
        subsets=int(Subsets()(*sides)),
        jaccard=Jaccard()(*sides),
    )


def tiles(shared):
    """The lower left corner of each set, column by column from below, their width and height, and of a mark in them."""
    across = ROOM[0] / len(shared)
    width = min(across - 6, WIDEST)
    height = min(TALLEST, (ROOM[1] - 20) / max(map(len, shared)))
    corners = [
        [((j + 0.5) * across - width / 2, i * height) for i in range(len(column))] for j, column in enumerate(shared)
    ]
    return corners, width, height, min(MARK, height - 3, (width - 4) / max(len(shared) - 1, 1))


def build(figure):
    plane = figure.add_axes((0, 0, WIDE / 700, 1), xlim=(0, WIDE), ylim=(0, HIGH))
    plane.set_axis_off()
    plane.text(10, 368, "shelf: drag an ingredient from here or click it", color=GREY, va="center")
    plane.plot([8, 322], [SHELF_FLOOR] * 2, color=GREY, lw=3, solid_capstyle="round", zorder=1)
    for side, (left, _, right, above) in EDGES.items():
        plane.add_patch(_basket(side, facecolor=PALE, zorder=1))
        plane.add_patch(_basket(side, facecolor="none", ec=INK, zorder=3))
        x = {A: left + 12, B: right - 12}[side]
        plane.text(x, above + 11, f"${side}$", size=15, ha="center", va="center", color=INK)
    both = plane.add_patch(_basket(B, facecolor=SAME, zorder=2))
    both.set_clip_path(_basket(A).get_path(), plane.transData)
    sets = figure.add_axes((0.5, 0.135, ROOM[0] / 700, ROOM[1] / HIGH), xlim=(0, ROOM[0]), ylim=(0, ROOM[1]), yticks=[])
    sets.spines["left"].set_visible(False)
    sets.set_xlabel("ingredients in the set", labelpad=1)
    look = {"animated": True, "va": "center"}
    return {
        "plane": plane,
        "sets": sets,
        "items": [
            plane.plot([], [], marker, color=colour, ms=15 * size, mec="white", mew=0.8, zorder=5, animated=True)[0]
            for colour, marker, size in LOOKS.values()
        ],
        "words": [plane.text(0, 0, name, color=INK, zorder=5, **look) for name in NAMES],
        "numbers": [plane.text(10, y, "", **look) for y in (51, 31, 11)],
        "tiles": sets.add_collection(PolyCollection([], edgecolor=GREEN, linewidth=0.7, zorder=2, animated=True)),
        "marks": [
            sets.scatter([], [], marker=marker, color=colour, linewidths=0, zorder=3, animated=True)
            for colour, marker, _ in LOOKS.values()
        ],
        "empty": sets.text(0, 0, "∅", ha="center", zorder=3, **look),
        "counts": [sets.text(0, 0, "", ha="center", color=GREY, **look) for _ in range(len(NAMES) + 1)],
        "sum": sets.text(0, 315, "", **look),
        "with": sets.text(0, 293, "", color=GREY, **look),
    }


def _basket(side, **look):
    left, below, right, above = EDGES[side]
    style = "round,pad=0,rounding_size=14"
    return FancyBboxPatch(
        (left, below), right - left, above - below, boxstyle=style, **{"ec": "none", "lw": 1.6} | look
    )


def draw(parts, state):
    for item, word, (x, y) in zip(parts["items"], parts["words"], spots(state.places), strict=True):
        item.set_data([x], [y])
        word.set_position((x + 14, y - 1))
    counts = list(map(len, state.shared))
    numbers = (
        f"Overlap: k = |A ∩ B| = {state.overlap}",
        f"Subsets: k = 2{str(state.overlap).translate(RAISED)} = {state.subsets}",
        f"Jaccard: k = |A ∩ B| / |A ∪ B| = {_fraction(state)}",
    )
    for text, number in zip(parts["numbers"], numbers, strict=True):
        text.set_text(number)
    parts["sum"].set_text(f"sets in both: {_sum(counts)}{state.subsets}")
    parts["with"].set_text(_with(state))
    _draw_sets(parts, state, counts)


def _sum(counts):
    """1 + 3 + 3 + 1 =, where that is a sum."""
    return f"{' + '.join(map(str, counts))} = " if len(counts) > 1 else ""


def _fraction(state):
    if not state.union:
        return "1"
    return f"{state.overlap}/{state.union} = {short(state.jaccard, 2)}"


def _with(state):
    return f"{state.marked} with {state.mark}, {state.subsets - state.marked} without" if state.mark else ""


def _draw_sets(parts, state, counts):
    corners, width, height, mark = tiles(state.shared)
    offsets = {name: [] for name in NAMES}
    for column, places in zip(state.shared, corners, strict=True):
        for S, (x, y) in zip(column, places, strict=True):
            names = [name for name in state.common if name in S]
            for i, name in enumerate(names):
                offsets[name].append((x + width / 2 + (i - (len(names) - 1) / 2) * mark, y + height / 2))
    for scatter, own, (*_, size) in zip(parts["marks"], offsets.values(), LOOKS.values(), strict=True):
        scatter.set_offsets(own or np.zeros((0, 2)))
        scatter.set_sizes([(0.58 * mark * size) ** 2])
    lower = [(x, y) for places in corners for x, y in places]
    gap = 0.06 * height
    parts["tiles"].set_verts(
        [[(x, y + gap), (x + width, y + gap), (x + width, y + height - gap), (x, y + height - gap)] for x, y in lower]
    )
    sets = [S for column in state.shared for S in column]
    parts["tiles"].set_facecolor([SAME if not state.mark or state.mark in S else "white" for S in sets])
    parts["empty"].set(position=(corners[0][0][0] + width / 2, height / 2), text="∅" if height > 18 else "")
    middles = [places[0][0] + width / 2 for places in corners]
    for i, text in enumerate(parts["counts"]):
        text.set_text(str(counts[i]) if i < len(counts) else "")
        if i < len(counts):
            text.set_position((middles[i], counts[i] * height + 10))
    if reframed(parts["sets"], len(counts)):
        parts["sets"].set_xticks(middles, [str(size) for size in range(len(counts))])


def readout(state):
    return {
        "common ingredients": f"{state.overlap} of {state.union}",
        "common sets": state.subsets,
        "Jaccard's number": short(state.jaccard, 2),
        "marked sets": f"{state.marked} of {state.subsets}" if state.mark else None,
    }


def code(places, mark):
    sides = [{name for name, place in zip(NAMES, places, strict=True) if place in (side, BOTH)} for side in (A, B)]
    a, b = (f"{{{', '.join(map(repr, sorted(side)))}}}" if side else "set()" for side in sides)
    return (
        "from kernelkit import Jaccard, Overlap, Subsets\n\n"
        f"A = {a}\nB = {b}\nfor k in (Overlap(), Subsets(), Jaccard()):\n    print(k, k(A, B))"
    )


def _item_at(state, x, y):
    """The number of the ingredient whose marker or word is there, None if there is none."""
    near = [i for i, (u, v) in enumerate(spots(state.places)) if -14 <= x - u <= 70 and abs(y - v) <= 14]
    return near[0] if near else None


def _tell_place(state, x, y):
    """What a place means; an ingredient, which is named already, says nothing in the way of its drag."""
    if _item_at(state, x, y) is not None:
        return ""
    return {SHELF: "in no basket", A: "only in A", B: "only in B", BOTH: "in both baskets"}[place_at(x, y)]


def _click_word(state, x, y):
    """A click on a word does what a click on its marker does."""
    i = _item_at(state, x, y)
    return {} if i is None else {"places": ITEMS.clicked({"places": state.places}, i)}


def _tell_set(state, x, y):
    corners, width, height, _ = tiles(state.shared)
    for column, places in zip(state.shared, corners, strict=True):
        for S, (left, bottom) in zip(column, places, strict=True):
            if left <= x <= left + width and bottom <= y <= bottom + height:
                return f"{{{', '.join(name for name in NAMES if name in S)}}}" if S else "the empty set"
    return f"{state.subsets} sets are in both"


START = (BOTH, BOTH, BOTH, A, B, SHELF)
ITEMS = Items("places", "ingredient", START, NAMES, PLACES, spots, place_at, (14, 14), (316, 366), "plane", more=True)
baskets = Explorer(
    title="Two baskets and the sets they share",
    controls=(
        ITEMS,
        Choice("mark", "mark sets with", "", {"(none)": "", **{name: name for name in NAMES}}),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left six ingredients lie on a shelf, in basket A, in basket B or in the green middle, where the "
    "baskets overlap; below are the values of three kernels. On the right is a tile for each set of common "
    "ingredients, in columns by the number of ingredients; a white tile lacks the marked ingredient.",
    code=code,
    tell={"plane": _tell_place, "sets": _tell_set},
    click={"plane": _click_word},
    scenes={
        "One more in B": {"places": (BOTH, BOTH, BOTH, A, B, B)},
        "One more in common": {"places": (BOTH, BOTH, BOTH, BOTH, B, SHELF)},
        "With saffron, without": {"mark": "saffron"},
        "Nothing in common": {"places": (A, A, A, B, B, B)},
        "The same recipe": {"places": (BOTH,) * 6},
    },
    question=Question(
        "A and B have three of five ingredients in common. Now honey is put into B, but not into A. What happens to "
        "the number of common sets, which is 8, and to Jaccard's number, which is 3/5?",
        ("both grow", "8 stays, Jaccard's number falls", "both fall"),
        1,
        "B has twice as many sets as before, but each new set holds honey, so none of the new sets is in A. Jaccard's "
        "number divides by the number of ingredients in A or B, which grows from 5 to 6, so it falls to 3/6.",
        scene="One more in B",
    ),
)
