"""Notebook 16. A picture, a filter, its response, and the one sum behind each pixel of it; of colours, three sums."""

from functools import cache, lru_cache
from types import SimpleNamespace

import numpy as np

from kernelkit.course.explorers.drawing.pictures import PICTURES, SIDE, channel, coloured, filled, grey, signed, small
from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Boxes, Dots, Image, Live, Text
from kernelkit.course.panel.numbers import fixed, short, typed
from kernelkit.course.plots import GREEN, INK
from kernelkit.images import filters
from kernelkit.images.filters import convolve, correlate, layers

FILTERS = {
    "average": "average",
    "Gaussian": "gaussian",
    "dot (LoG)": "dot",
    "sharpen": "sharpen",
    "emboss": "emboss",
    "slope": "slope",
    "sum of a row": "integral",
    "edge (sine Gabor)": "sine",
    "bar (cosine Gabor)": "cosine",
    "corner": "corner",
    "colours blurred": "blurred",
    "green blurred more": "green",
    "blue sharpened": "blue",
    "edges in colour": "edges",
}
SIZED = ("average", "integral")
OF_SIGMA = ("gaussian", "dot", "slope", "sine", "cosine", "blurred", "green", "edges")
OF_ANGLE = ("slope", "sine", "cosine", "edges")
GABOR = ("sine", "cosine", "edges")
BALANCED = ("dot", "emboss", "slope", "sine", "cosine", "corner", "edges")  # these add up to 0
COLOUR = ("blurred", "green", "blue", "edges")  # filters of three layers
CHANNELS = ("red", "green", "blue")
RULES = {"convolution": convolve, "correlation": correlate}
SHOWN = {"grey is 0": "signed", "black is 0": "cut", "size only, |z|": "size"}
BELOW = ("filter", "patch", "over", "products")  # what a filter of three layers has three of
LETTERS = {"filter": "w", "over": "w", "patch": "x", "products": "w · x"}
WIDTH, HEIGHT = 700, 360  # of the card, in pixels
ROWS = (304, 196, 88)  # the middles of the three rows, in pixels
ABOVE = 4 * 100 / 72  # from a square to its title
PLACES = {  # left, bottom and side, in pixels
    "filter": (243, 123, 214),
    "patch": (6, 6, 92),
    "over": (122, 6, 92),
    "products": (238, 6, 92),
}


def place(name, layer, colour):
    """Left, bottom and side of this square, in pixels: of a filter with one layer, or of one with three."""
    if not colour:
        return PLACES[name]
    if name == "filter":
        return 6 + 73 * layer, 6, 68
    return 231 + 86 * (BELOW.index(name) - 1), 271 - 108 * layer, 66


def made_of(kind, size, sigma, angle, wavelength):
    """The functions of ``filters``, with their numbers, that make the layers of a filter: one, or three."""
    sine, cosine = ("gabor", (sigma, angle, wavelength, "sine")), ("gabor", (sigma, angle, wavelength, "cosine"))
    blur, wider = ("gaussian", (sigma,)), ("gaussian", (round(3 * sigma, 1),))
    as_it_is = ("sharpen", (0,))
    return {
        "average": [("average", (size,))],
        "integral": [("integral", (size,))],
        "gaussian": [blur],
        "dot": [("laplacian_of_gaussian", (sigma,))],
        "sharpen": [("sharpen", (2.0,))],
        "emboss": [("emboss", ())],
        "slope": [("derivative", (angle, sigma))],
        "sine": [sine],
        "cosine": [cosine],
        "corner": [("corner", ())],
        "blurred": [blur] * 3,
        "green": [blur, wider, blur],
        "blue": [as_it_is, as_it_is, ("sharpen", (3.0,))],
        "edges": [sine] * 3,
    }[kind]


def filter_of(*what):
    """The filter that the controls say, (a, b) or (a, b, 3)."""
    made = [getattr(filters, function)(*numbers) for function, numbers in made_of(*what)]
    return layers(*made) if len(made) == 3 else made[0]


def picture_of(name, kind):
    return coloured(name) if kind in COLOUR else small(name)


@lru_cache(maxsize=64)
def response(picture, rule, kind, *numbers):
    return RULES[rule](picture_of(picture, kind), filter_of(kind, *numbers))


def compute(picture, kind, size, sigma, angle, wavelength, rule, shown, row, column):
    x, w = picture_of(picture, kind), filter_of(kind, size, sigma, angle, wavelength)
    z = response(picture, rule, kind, size, sigma, angle, wavelength)
    a, b = w.shape[:2]
    outside = [(a // 2, a // 2), (b // 2, b // 2), (0, 0)][: x.ndim]
    patch = np.pad(x, outside, mode="symmetric")[row - 1 : row - 1 + a, column - 1 : column - 1 + b]
    turned = w[::-1, ::-1]
    over, other = (turned, w) if rule == "convolution" else (w, turned)
    return SimpleNamespace(
        x=x,
        w=w,
        z=z,
        patch=patch,
        over=over,
        products=patch * over,
        value=z[row - 1, column - 1],
        by_other_rule=np.sum(patch * other, axis=(0, 1)),
        colour=kind in COLOUR,
        shown=shown if kind in BALANCED else "bright",
        whole=float(w.sum(axis=(0, 1)).mean()),
    )


def layer_of(numbers, layer):
    """A layer of what may have three; what has one is that layer."""
    return numbers[..., layer] if numbers.ndim == 3 else numbers


def picture(s):
    x, row, (a, b) = s.column - 1, s.row - 1, s.w.shape[:2]
    click, shown = "the picture $x$: click it", pixels_of(s.z, s.shown, s.whole)
    given = filled(
        Live(click, click, "the picture $x$"),
        grey(s.x),
        Boxes([(x - 0.5 - b // 2, row - 0.5 - a // 2, b, a)], "none", edge=GREEN, rim=2),
        name="picture",
        place=in_figure(6, 123, 214),
    )
    response = filled(
        "the response $z$",
        shown,
        Dots(x, row, "none", marker="s", size=9, edge=GREEN, rim=2),
        name="response",
        place=in_figure(480, 123, 214),
    )
    card = Axes("", Axis("", 0, WIDTH, ()), Axis("", 0, HEIGHT, ()), name="card", place=(0, 0, 1, 1), bare=True)
    card += _frames(s.colour, s.rule)
    for name, layer in squares(s.colour):
        left, bottom, side = place(name, layer, s.colour)
        card += Image(_pixels(s, name, layer), (left, left + side, bottom + side, bottom))
        if name in ("filter", "over"):  # a dot marks the corner with the first weight
            near, far = 0.1 * side, 0.9 * side
            right, up = (far, near) if name == "over" and s.rule == "convolution" else (near, far)
            card += Dots(left + right, bottom + up, rim=1.0)
    card += _sums(s, shown[row, x] / 255) if s.colour else _sum(s)
    return [[card, given, response]]


def in_figure(left, bottom, side):
    return left / WIDTH, bottom / HEIGHT, side / WIDTH, side / HEIGHT


@cache
def squares(colour):
    """What is below the two pictures, or for colours, in three rows, also between them: (name, layer) of each."""
    return [(name, layer) for layer in range(3 if colour else 1) for name in BELOW]


def numbers_in(state, name, layer):
    return layer_of(state.w if name == "filter" else getattr(state, name), layer)


def _pixels(s, name, layer):
    if name != "patch":
        return signed(numbers_in(s, name, layer))
    return channel(s.patch[..., layer], layer) if s.colour else grey(s.patch)


@cache
def _frames(colour, rule):
    """A line around each square, its title, and the signs between them."""
    where = {square: place(*square, colour) for square in squares(colour)}
    boxes = [(left, bottom, side, side) for left, bottom, side in where.values()]
    signs = [(x, y, sign) for y in ROWS for x, sign in ((307, "×"), (393, "="))]
    return [
        Boxes(boxes, "none", edge="#999999", rim=0.8),
        *(
            Text(left, bottom + side + ABOVE, title_of(*square, colour, rule))
            for square, (left, bottom, side) in where.items()
        ),
        *(_middle(*sign) for sign in (signs if colour else ((110, 52, "×"), (226, 52, "="), (346, 63, "Σ")))),
    ]


def _middle(x, y, words, size=15):
    return Text(x, y, words, INK, side="center", up="center", size=size)


def _sum(s):
    """What the products add up to."""
    words = f"= {fixed(s.value, 3)}\nthe response in the green square"
    return Text(362, 52, words, INK, up="center", size=13, spacing=1.5)


def _sums(s, colour):
    """What the products of each layer add up to, and the colour that these sums are."""
    sums = zip(ROWS, CHANNELS, s.value, strict=True)
    return [
        *(_middle(350, y - 47, f"Σ: {name} {fixed(value, 3)}", size=13) for y, name, value in sums),
        Text(552, 52, "the three sums\nare this colour", INK, up="center", size=13, spacing=1.5),
        Boxes([(480, 22, 60, 60)], tuple(colour), edge=GREEN, rim=2),
    ]


def title_of(name, layer, colour, rule):
    if name == "filter":
        return f"$w$ {CHANNELS[layer]}" if colour else "the filter $w$"
    if layer:
        return ""
    turned = "$w$, turned" if rule == "convolution" else "$w$, as it is"
    return {"patch": "patch" if colour else "the patch", "over": turned, "products": "products"}[name]


def pixels_of(z, shown, whole):
    """The response as a picture: the largest size of 99 % of it is full."""
    most = np.quantile(np.abs(z), 0.99)
    if shown == "bright":
        return grey(z, 0, whole)
    return {"signed": grey(z, -most, most), "cut": grey(z, 0, most), "size": grey(np.abs(z), 0, most)}[shown]


def readout(state):
    return {
        "weights": " × ".join(map(str, state.w.shape)),
        "their sum": _each(state.w.sum(axis=(0, 1)), 2),
        "z in the square": _each(state.value, 3),
        "by the other rule": _each(state.by_other_rule, 3),
        "z over the picture": f"{fixed(state.z.min())} to {fixed(state.z.max())}",
    }


def _each(numbers, decimals):
    """A number, or one for each colour."""
    return ", ".join(fixed(number, decimals) for number in np.atleast_1d(numbers))


def _pixel(x, y):
    return {"row": int(np.clip(round(y), 0, SIDE - 1)) + 1, "column": int(np.clip(round(x), 0, SIDE - 1)) + 1}


def _choose(state, x, y):
    return _pixel(x, y)


def _tell(name):
    def tell(state, x, y):
        at = _pixel(x, y)
        i = at["row"] - 1, at["column"] - 1
        if state.colour:
            return ", ".join(f"{c} {fixed(v, 2)}" for c, v in zip(CHANNELS, getattr(state, name)[i], strict=True))
        return f"row {at['row']}, column {at['column']}: x = {fixed(state.x[i], 2)}, z = {fixed(state.z[i], 2)}"

    return tell


def _tell_square(state, x, y):
    """The number under the pointer in one of the squares."""
    for name, layer in squares(state.colour):
        left, bottom, side = place(name, layer, state.colour)
        if left <= x < left + side and bottom < y <= bottom + side:
            numbers = numbers_in(state, name, layer)
            (rows, columns), right, down = numbers.shape, (x - left) / side, (bottom + side - y) / side
            return f"{LETTERS[name]} = {short(round(float(numbers[int(rows * down), int(columns * right)]), 4))}"
    return ""


def code(picture, kind, size, sigma, angle, wavelength, rule, shown, row, column):
    made = made_of(kind, size, sigma, angle, wavelength)
    calls = [
        f"{function}({', '.join(repr(v) if isinstance(v, str | int) else typed(v) for v in numbers)})"
        for function, numbers in made
    ]
    w = f"layers({', '.join(calls)})" if len(made) == 3 else calls[0]
    names = sorted({rule_name(rule), *(["layers"] if len(made) == 3 else []), *(function for function, _ in made)})
    source = "coloured" if kind in COLOUR else "small"
    return (
        f"from kernelkit.course.explorers.drawing.pictures import {source}\n"
        f"from kernelkit.images.filters import {', '.join(names)}\n\n"
        f"x = {source}({picture!r})\n"
        f"w = {w}\n"
        f"z = {rule_name(rule)}(x, w)\n"
        f"print(w.shape, z[{row - 1}, {column - 1}], z.min(), z.max())"
    )


def rule_name(rule):
    return RULES[rule].__name__


filter_lab = panel(
    compute,
    picture,
    readout,
    code,
    Choice("picture", "picture", "temple", PICTURES),
    Choice("kind", "filter", "gaussian", FILTERS),
    Slider("size", "size", 5, 1, 15, 2, when=lambda v: v["kind"] in SIZED),
    Slider("sigma", "width σ", 2.0, 0.5, 4.0, 0.1, when=lambda v: v["kind"] in OF_SIGMA),
    Slider("angle", "angle", 90, 0, 180, 5, when=lambda v: v["kind"] in OF_ANGLE),
    Slider("wavelength", "wavelength", 8.0, 3.0, 24.0, 0.5, when=lambda v: v["kind"] in GABOR),
    Choice("rule", "rule", "convolution", tuple(RULES)),
    Choice("shown", "display", "signed", SHOWN, when=lambda v: v["kind"] in BALANCED, more=True),
    Slider("row", "row", 64, 1, SIDE, 1, more=True),
    Slider("column", "column", 44, 1, SIDE, 1, more=True),
    title="Filter lab",
    shows="On the left the picture x with a green square around the patch of a pixel, on the right the response z "
    "with that pixel in a small square. The filter w is orange where its weights are positive and blue where they "
    "are negative. A row, or for colours three rows, shows the patch, the filter as it lies on it, and their "
    "products, whose sum is z there; a black dot marks the corner with the first weight.",
    size=(WIDTH / 100, HEIGHT / 100),
    film=("sigma",),
    scenes={
        "Wave at 0°": {"picture": "shapes", "kind": "sine", "angle": 0, "row": 40, "column": 59},
        "Wave at 90°": {"picture": "shapes", "kind": "sine", "angle": 90, "row": 40, "column": 59},
        "Wave at 135°": {
            "picture": "shapes",
            "kind": "cosine",
            "angle": 135,
            "wavelength": 5.5,
            "sigma": 2.0,
            "row": 94,
            "column": 38,
        },
        "Dark dots": {"picture": "shapes", "kind": "dot", "sigma": 2.5, "row": 95, "column": 97},
        "Half is lost": {"kind": "dot", "shown": "cut"},
        "Emboss": {"kind": "emboss"},
        "Corner, correlated": {
            "picture": "shapes",
            "kind": "corner",
            "rule": "correlation",
            "row": 25,
            "column": 81,
        },
        "Corner, convolved": {"picture": "shapes", "kind": "corner", "row": 57, "column": 113},
        "Colours blurred": {"picture": "flower", "kind": "blurred", "row": 26, "column": 50},
        "Green blurred more": {"picture": "flower", "kind": "green", "row": 26, "column": 50},
        "Blue sharpened": {"picture": "flower", "kind": "blue", "row": 26, "column": 50},
        "Edges in colour": {"picture": "flower", "kind": "edges", "angle": 0, "row": 26, "column": 50},
    },
    question=Question(
        "The filter “corner” looks like the upper left corner of something light. It is convolved with a picture of a "
        "light square. Where is the response z largest?",
        ("at the upper left corner of the square", "at its lower right corner", "at all four corners alike"),
        1,
        "A convolution turns the filter by 180° before it lays it on the picture, and the turned filter looks like a "
        "lower right corner. Correlation does not turn the filter, so it would find the upper left corner.",
        scene="Corner, convolved",
    ),
    tell={"picture": _tell("x"), "response": _tell("z"), "card": _tell_square},
    click={"picture": _choose, "response": _choose},
)
