"""Notebook 18. Totals that add: the rows on one machine or on many, what each sends, and the fit of their sum."""

from functools import cache, lru_cache
from types import SimpleNamespace

import numpy as np
from matplotlib.colors import to_rgb

from kernelkit import Totals
from kernelkit.course.explorers.drawing.groups import LOOKS, MORE, grouped
from kernelkit.course.panel.controls import Choice, Question, Slider, Stepper, Switch
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Boxes, Image, Line, Paths, Text
from kernelkit.course.panel.numbers import fixed, read_off, thousands
from kernelkit.course.plots import INK
from kernelkit.features import Centres

GRID = np.linspace(-3, 3, 241)
MACHINES, CHUNKS, ROWS, SHOWN = 8, 8, 20_000, 300  # at most; the last is of the rows that are drawn
LAM = 1.0
HUES = [colour for colour, _ in (*LOOKS, MORE)]
HIGH = 330.0  # of the column of rows: the left picture is measured in pixels
LEFT, TREE, SUM, END = 56.0, 118.0, 168.0, 262.0  # where matrices, tree and sum begin, and where the sum ends
BEND = 12.0  # from one round of the tree to the next
GAP, THIN = 3.0, 5.0  # from a matrix ΦᵀΦ to the column Φᵀy next to it, and how wide that is
LOST = "#B5B5B5"
MEAN = "#00A0C8"  # stands out on the white card and on the black curve


@lru_cache(maxsize=1)
def rows():
    """All rows that there are, in the order in which they come."""
    rng = np.random.default_rng(0)
    X = rng.uniform(-3, 3, (ROWS, 1))
    return X, np.sin(2 * X[:, 0]) + 0.3 * rng.standard_normal(ROWS)


def bumps(D):
    """D Gaussian bumps next to each other."""
    centres = np.linspace(-3, 3, D)
    return Centres(centres[:, None], float(centres[1] - centres[0]))


@lru_cache(maxsize=32)
def dealt(n, machines, by_place):
    """Of each of the first n rows its machine and its chunk there: by the places of the rows, or like cards."""
    sorted_rows = np.array_split(np.argsort(rows()[0][:n, 0], kind="stable"), machines)
    owner, chunk = np.empty(n, int), np.empty(n, int)
    for i in range(machines):
        part = np.sort(sorted_rows[i]) if by_place else np.arange(i, n, machines)
        owner[part] = i
        for j, piece in enumerate(np.array_split(part, CHUNKS)):
            chunk[piece] = j
    return owner, chunk


@lru_cache(maxsize=32)
def shown(n):
    """Those of the first n rows that are drawn: as far as they can, the same for every n."""
    mixed = np.random.default_rng(1).permutation(ROWS)
    return mixed[mixed < n][:SHOWN]


@lru_cache(maxsize=64)
def totals_of(n, D, machines, by_place):
    """Of each machine the totals before its first chunk and after each."""
    (X, y), (owner, chunk), phi = rows(), dealt(n, machines, by_place), bumps(D)
    nothing, found = Totals(np.zeros((D, D)), np.zeros(D), 0.0, 0), []
    for i in range(machines):
        places = [np.flatnonzero((owner == i) & (chunk == j)) for j in range(CHUNKS)]
        pieces = [Totals.of(phi, X[at], y[at]) for at in places]
        found.append([sum(pieces[:j], nothing) for j in range(CHUNKS + 1)])
    return found


def in_pairs(totals):
    """The totals, the sums of two of them, the sums of two of those, and so on to the one sum of all."""
    found = [list(totals)]
    while len(found[-1]) > 1:
        last = found[-1]
        found.append([sum(last[i : i + 2]) for i in range(0, len(last), 2)])
    return found


def compute(machines, n, D, deal, chunk, lost, own):
    n, by_place = round(n), deal == "place"
    chosen, lost = lost, lost if 1 < machines >= lost else 0
    after = totals_of(n, D, machines, by_place)
    each = [totals[chunk] for totals in after]
    left = [total for i, total in enumerate(each) if i + 1 != lost]
    total, Phi = in_pairs(left)[-1][0], bumps(D)(GRID[:, None])
    curve = Phi @ total.solve(LAM)
    mean = Phi @ np.mean([one.solve(LAM) for one in left], axis=0)
    (X, y), some = rows(), shown(n)
    owner, piece = (array[some] for array in dealt(n, machines, by_place))
    read = piece < chunk
    return SimpleNamespace(
        chosen=chosen,
        lost=lost,
        each=each,
        total=total,
        most=sum(totals[-1] for totals in after),
        points=np.column_stack([X[some, 0], y[some]])[read],
        owner=np.where(owner + 1 == lost, -1, owner)[read],
        curve=curve,
        mean=mean,
        off=float(np.abs(mean - curve).max()),
        missed=float(np.abs(Phi @ sum(each).solve(LAM) - curve).max()),
        numbers=D * D + D,
        sent=(len(left) - 1) * (D * D + D),
    )


# ---- the picture ----------------------------------------------------------------------------------


def picture(s):
    flow, fit, costs = _flow(s), _fit(s), _costs(s)
    return [[flow, fit], [flow, costs]]


def _flow(s):
    """Each machine has a block of the column of rows, its matrix and a leaf of the tree that ends at the sum."""
    step = HIGH / s.machines
    middles = (np.arange(s.machines) + 0.5) * step
    side = min(step - 5, TREE - LEFT - 4 - GAP - THIN)
    alive = [i for i in range(s.machines) if i + 1 != s.lost]
    branches = [*_stubs(middles, alive), *_tree(middles[alive], LEFT + side + GAP + THIN)]
    below = (HIGH + END - SUM) / 2  # the matrix of the sum
    flow = Axes(
        "",
        Axis("", 0, END + GAP + THIN + 1, ()),
        Axis("", HIGH, -22, ()),
        *_headings(),
        _blocks(s, middles, step),
        Paths(branches, width=1.2),
        Text((SUM + END) / 2, below + 6, f"{s.D} × {s.D} + {s.D}", side="center", up="top"),
        *_products(s, s.total, SUM, HIGH - below, END - SUM, INK, "sum"),
        name="flow",
        width=9,
        equal=True,
        bare=True,
    )
    for i, middle in enumerate(middles):
        total, hue = (s.each[i], HUES[i]) if i in alive else (None, LOST)
        flow += _products(s, total, LEFT, middle - side / 2, side, hue, "machine")
    return flow


@cache
def _headings():
    places = (0, "rows"), (LEFT, "ΦᵀΦ and Φᵀy"), (SUM, "their sum")
    return [Text(x, -8, words, up="bottom") for x, words in places]


def _blocks(s, middles, step):
    """The rows of each machine, pale, and over them those that it has read."""
    boxes, colours = [], []
    for i, middle in enumerate(middles):
        hue, high = LOST if i + 1 == s.lost else HUES[i], step - 4
        boxes += [(0, middle - high / 2, 34, part) for part in (high, high * s.chunk / CHUNKS)]
        colours += [_light(hue), _light(hue) if i + 1 == s.lost else hue]
    return Boxes(boxes, colours)


def _products(s, total, left, top, side, hue, name):
    """ΦᵀΦ and |Φᵀy| as parts of their largest entries of all rows; the root shows small ones, too."""
    beside = left + side + GAP
    frames = Boxes([(left, top, side, side), (beside, top, THIN, side)], "none", edge=hue, rim=1.4)
    if not total:
        return None, None, frames
    gram, moment = total.gram / s.most.gram.max(), np.abs(total.moment)[:, None] / np.abs(s.most.moment).max()
    return (
        Image(_inked(gram, hue), (left, left + side, top, top + side), name=f"{name}: matrix"),
        Image(_inked(moment, hue), (beside, beside + THIN, top, top + side), name=f"{name}: column"),
        frames,
    )


def _inked(shares, hue):
    """From white to the hue."""
    return 1 - np.sqrt(np.minimum(shares, 1))[..., None] * (1 - np.array(to_rgb(hue)))


def _fit(s):
    return Axes(
        "",
        Axis(f"points: at most {SHOWN} of the rows", -3.1, 3.1, (-2, 0, 2)),
        Axis("", -1.9, 1.9, (-1, 0, 1)),
        *grouped(s.points, s.owner, 5.0),
        Line(GRID, s.curve, width=3.4, label="fit of the sum"),
        Line(GRID, s.mean, MEAN, width=2.2, style="--", label="mean of own fits") if s.own else None,
        name="fit",
        width=13,
        height=3,
        dress=_near,
    )


def _near(ax):
    ax.xaxis.labelpad = 1


def _costs(s):
    """The work of each machine, and what is sent, as parts of what one machine would do and of Φ itself."""
    stay = s.total.n * s.D
    shares = 1 / s.machines, min(s.sent / stay, 1) if stay else 0
    part = "all products" if s.machines == 1 else f"1/{s.machines} of all products"
    size = f"{thousands(s.total.n)} × {s.D}"
    return Axes(
        "",
        Axis("", 0, 1, ()),
        Axis("", 4, 0, ()),
        Boxes([(0, 1, 1, 0.55), (0, 3, 1, 0.55)], "#E4E4E4"),
        Boxes([(0, y, share, 0.55) for y, share in zip((1, 3), shares, strict=True)], INK),
        Text(0, 0.9, f"work of each machine: {part}", up="bottom"),
        Text(0, 2.9, f"sent: {thousands(s.sent)} numbers; Φ itself: {size} = {thousands(stay)}", up="bottom"),
        width=13,
        bare=True,
    )


def _light(hue):
    return tuple(1 - 0.25 * (1 - part) for part in to_rgb(hue))


def _stubs(middles, alive):
    """From the rows of each machine to its matrix."""
    return [((34, middles[i]), (LEFT, middles[i])) for i in alive]


def _tree(places, left):
    """The lines along which totals are added in pairs, from the matrices to the sum."""
    lines, x = [], TREE + 2
    lines += [((left, y), (x, y)) for y in places]
    while len(places) > 1:
        pairs = [places[i : i + 2] for i in range(0, len(places), 2)]
        lines += [((x, pair[0]), (x, pair[-1])) for pair in pairs]
        places = [float(np.mean(pair)) for pair in pairs]
        lines += [((x, y), (x + BEND, y)) for y in places]
        x += BEND
    return [*lines, ((x, places[0]), (x, HIGH / 2)), ((x, HIGH / 2), (SUM, HIGH / 2))]


def readout(state):
    return {
        "rows in the sum": thousands(state.total.n),
        "numbers in a total": state.numbers,
        "numbers sent": thousands(state.sent),
        "without it the curve moves by": fixed(state.missed) if state.lost else None,
        "mean of own fits off by": fixed(state.off) if state.own else None,
    }


def message(state):
    """Why nothing is lost, where a machine was chosen that cannot be."""
    if state.chosen == state.lost:
        return ""
    if state.machines == 1:
        return "A single machine is never lost, because nothing would be left."
    return f"With {state.machines} machines there is no machine {state.chosen}."


def _tell_fit(state, x, y):
    return f"f({read_off(x)}) = {read_off(np.interp(x, GRID, state.curve))}"


def _machine_at(state, y):
    return int(np.clip(y * state.machines / HIGH, 0, state.machines - 1)) + 1


def _tell_flow(state, x, y):
    if x > TREE:
        return f"the sum of {thousands(state.total.n)} rows" if x > SUM else ""
    number = _machine_at(state, y)
    return f"machine {number}: {thousands(state.each[number - 1].n)} rows"


def _click(state, x, y):
    """A click on a machine loses it, and a second one brings it back."""
    number = _machine_at(state, y)
    return {"lost": 0 if state.lost == number or state.machines == 1 else number} if x < TREE else {}


def code(machines, n, D, deal, chunk, lost, own):
    if not chunk:
        return "print('No row was read yet.')"
    return (
        "import numpy as np\nfrom kernelkit import Totals\n"
        "from kernelkit.course.explorers.scaling_up.totals import bumps, dealt, rows\n\n"
        f"(X, y), phi, n = rows(), bumps({D}), {round(n)}\n"
        f"owner, chunk = dealt(n, {machines}, by_place={deal == 'place'})\n"
        f"read = (chunk < {chunk}) & (owner + 1 != {lost if machines > 1 else 0})\n"
        f"parts = [np.flatnonzero(read & (owner == i)) for i in range({machines})]\n"
        "total = sum(Totals.of(phi, X[i], y[i]) for i in parts if len(i))\n"
        f"print(total.n, total.solve({LAM}).round(3))"
    )


totals = panel(
    compute,
    picture,
    readout,
    code,
    Slider("machines", "machines", 4, 1, MACHINES, 1),
    Slider("n", "rows n", 2000, 200, ROWS, 0.05, log=True, counts=True),
    Slider("D", "features D", 20, 6, 24, 1, more=True),
    Choice("deal", "rows dealt", "place", {"by place": "place", "at random": "random"}),
    Choice("lost", "lost", 0, {"no machine": 0} | {f"machine {i}": i for i in range(1, MACHINES + 1)}, more=True),
    Switch("own", "also the mean of their own fits", False, more=True),
    Stepper("chunk", "chunk", CHUNKS, CHUNKS),
    title="One machine or many: the totals add",
    message=message,
    shows="On the left a column of rows, cut into coloured blocks, one for each machine; next to each block its "
    "matrix ΦᵀΦ and its column Φᵀy, and a tree of lines leads to the large matrix and column of the sum. On the "
    "right the rows as points in the colours of their machines, with the black curve of the sum's fit. Below, two "
    "bars: the work of each machine, and the numbers sent as a part of those in Φ.",
    film=("machines",),
    scenes={
        "One machine": {"machines": 1},
        "Eight machines": {"machines": 8},
        "Mean of own fits": {"own": True},
        "Dealt at random": {"deal": "random", "own": True},
        "One is lost": {"lost": 2},
        "One is lost, at random": {"lost": 2, "deal": "random"},
        "After two chunks": {"chunk": 2},
    },
    question=Question(
        "Each of the four machines fits a curve to its own quarter of the rows. Now take the mean of their four "
        "weight vectors w instead of the sum of their totals. How does its curve look?",
        ("like the black one", "rougher, but as high", "about a quarter as high"),
        2,
        "Where a machine has no rows, its own curve is near 0, because λ wants a small w. So at each place three of "
        "the four say almost 0. A total knows how much its machine has seen where, but a w does not.",
        "Mean of own fits",
    ),
    tell={"fit": _tell_fit, "flow": _tell_flow},
    click={"flow": _click},
)
