"""Notebook 15. Two baskets, and the sets of ingredients that are in both."""

from functools import cache
from itertools import chain, combinations
from types import SimpleNamespace

import numpy as np

from kernelkit import Jaccard, Overlap, Subsets
from kernelkit.course.explorers.drawing.object_pictures import PALE, SAME
from kernelkit.course.panel.controls import Choice, Items, Question
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Boxes, Discs, Dots, Line, Live, Polygons, Text
from kernelkit.course.panel.numbers import short
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
ROUND = 14  # how far from a corner a basket begins to bend
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
        sides=sides,
        common=common,
        union=len(set.union(*sides)),
        shared=shared,
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


def picture(s):
    return [[_baskets(s), _sets(s)]]


def _baskets(s):
    """The ingredients on the shelf and in the baskets, and below them three kernels."""
    where = spots(s.places)
    return Axes(
        "",
        Axis("", 0, WIDE, ()),
        Axis("", 0, HIGH, ()),
        *_fixed(),
        Text(10, 51, f"Overlap: k = |A ∩ B| = {s.overlap}", up="center"),
        Text(10, 31, f"Subsets: k = 2{str(s.overlap).translate(RAISED)} = {s.subsets}", up="center"),
        Text(10, 11, f"Jaccard: k = |A ∩ B| / |A ∪ B| = {_fraction(s)}", up="center"),
        *(
            Dots(x, y, colour, marker=marker, size=15 * size, rim=0.8)
            for (x, y), (colour, marker, size) in zip(where, LOOKS.values(), strict=True)
        ),
        *(Text(x + 14, y - 1, name, INK, up="center") for (x, y), name in zip(where, NAMES, strict=True)),
        name="plane",
        place=(0, 0, WIDE / 700, 1),
        bare=True,
    )


@cache
def _fixed():
    """The shelf and both baskets, in whose common part the upper left corner is B's and the lower right one A's."""
    (left_a, below_a, right_a, above_a), (left_b, _, right_b, above_b) = EDGES.values()
    baskets = [_rounded(*edges) for edges in EDGES.values()]
    return [
        Polygons(baskets, PALE),
        Polygons([_rounded(left_b, below_a, right_a, above_b, (0, ROUND, 0, ROUND))], SAME),
        Polygons(baskets, "none", edge=INK, rim=1.6),
        Line([8, 322], SHELF_FLOOR, GREY, width=3, cap="round"),
        Text(10, 368, Live("shelf: drag an ingredient from here or click it", "shelf", "shelf"), GREY, up="center"),
        Text(left_a + 12, above_a + 11, "$A$", INK, side="center", up="center", size=15),
        Text(right_b - 12, above_b + 11, "$B$", INK, side="center", up="center", size=15),
    ]


def _rounded(left, below, right, above, radii=(ROUND,) * 4):
    """A box with rounded corners, from the lower left one on, against the clock: (n, 2)."""
    C = np.array([(left, below), (right, below), (right, above), (left, above)], float)
    P, Q = (C + np.array(radii)[:, None] * np.sign(np.roll(C, turn, axis=0) - C) for turn in (1, -1))
    t = np.clip(np.linspace(-1 / 16, 17 / 16, 10), 0, 1)[:, None]  # as Matplotlib bends a corner
    return np.vstack([(1 - t) ** 2 * p + 2 * t * (1 - t) * c + t**2 * q for p, c, q in zip(P, C, Q, strict=True)])


def _sets(s):
    """A tile with its ingredients for each set in both, in columns by how many it has."""
    corners, width, height, mark = tiles(s.shared)
    counts, gap = list(map(len, s.shared)), 0.06 * height
    sets = [(S, x, y) for S, (x, y) in zip(chain(*s.shared), chain(*corners), strict=True)]
    middles = [places[0][0] + width / 2 for places in corners]
    return Axes(
        "",
        Axis("ingredients in the set", 0, ROOM[0], middles, map(str, range(len(counts)))),
        Axis("", 0, ROOM[1], ()),
        Boxes(
            [(x, y + gap, width, height - 2 * gap) for _, x, y in sets],
            [SAME if not s.mark or s.mark in S else "white" for S, *_ in sets],
            edge=GREEN,
            rim=0.7,
        ),
        *_ingredients(s, sets, width, height, mark),
        Text(corners[0][0][0] + width / 2, height / 2, "∅" if height > 18 else "", side="center", up="center"),
        Text(0, 315, f"sets in both: {_sum(counts)}{s.subsets}", up="center"),
        Text(0, 293, _with(s), GREY, up="center"),
        *(
            Text(x, count * height + 10, f"{count}", GREY, side="center", up="center")
            for x, count in zip(middles, counts, strict=True)
        ),
        name="sets",
        place=(0.5, 0.135, ROOM[0] / 700, ROOM[1] / HIGH),
        dress=_dress,
    )


def _dress(ax):
    ax.spines["left"].set_visible(False)
    ax.xaxis.labelpad = 1


def _ingredients(s, sets, width, height, mark):
    """The marks of each ingredient, side by side in the tiles of its sets."""
    places = {name: [] for name in NAMES}
    for S, x, y in sets:
        names = [name for name in s.common if name in S]
        for i, name in enumerate(names):
            places[name].append((x + width / 2 + (i - (len(names) - 1) / 2) * mark, y + height / 2))
    return [
        Discs(np.reshape(own, (-1, 2)), colour, 0.5803 * mark * size, marker=marker)
        for own, (colour, marker, size) in zip(places.values(), LOOKS.values(), strict=True)
    ]


def _sum(counts):
    """1 + 3 + 3 + 1 =, where that is a sum."""
    return f"{' + '.join(map(str, counts))} = " if len(counts) > 1 else ""


def _fraction(state):
    if not state.union:
        return "1"
    return f"{state.overlap}/{state.union} = {short(state.jaccard, 2)}"


def _with(state):
    return f"{state.marked} with {state.mark}, {state.subsets - state.marked} without" if state.mark else ""


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
baskets = panel(
    compute,
    picture,
    readout,
    code,
    ITEMS,
    Choice("mark", "mark sets with", "", {"(none)": "", **{name: name for name in NAMES}}),
    title="Two baskets and the sets they share",
    shows="On the left six ingredients lie on a shelf, in basket A, in basket B or in the green middle, where the "
    "baskets overlap; below are the values of three kernels. On the right is a tile for each set of common "
    "ingredients, in columns by the number of ingredients; a white tile lacks the marked ingredient.",
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
