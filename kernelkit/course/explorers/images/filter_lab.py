"""Notebook 16. A picture, a filter, its response, and the one sum behind each pixel of it; of colours, three sums."""

from functools import lru_cache
from types import SimpleNamespace

import numpy as np
from matplotlib.patches import Rectangle

from kernelkit.course.explorers.drawing.pictures import (
    PICTURES,
    SIDE,
    channel,
    coloured,
    grey,
    put,
    show,
    signed,
    small,
)
from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import fixed, short, typed
from kernelkit.course.panel.parts import reframed
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
LETTERS = {"w": "w", "over": "w", "patch": "x", "products": "w · x"}
WIDTH, HEIGHT = 700, 360  # of the card, in pixels
PLACES = {  # left, bottom and side, in pixels
    "picture": (6, 123, 214),
    "response": (480, 123, 214),
    "filter": (243, 123, 214),
    "patch": (6, 6, 92),
    "over": (122, 6, 92),
    "products": (238, 6, 92),
}


def place(name, layer, colour):
    """Left, bottom and side of these axes, in pixels: of a filter with one layer, or of one with three."""
    if not colour or name not in BELOW:
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
        row=row,
        column=column,
        patch=patch,
        over=over,
        products=patch * over,
        value=z[row - 1, column - 1],
        by_other_rule=np.sum(patch * other, axis=(0, 1)),
        rule=rule,
        colour=kind in COLOUR,
        shown=shown if kind in BALANCED else "bright",
        whole=float(w.sum(axis=(0, 1)).mean()),
    )


def layer_of(numbers, layer):
    """A layer of what may have three; what has one is that layer."""
    return numbers[..., layer] if numbers.ndim == 3 else numbers


def build(figure):
    cells = [(name, layer) for layer in range(3) for name in PLACES if layer == 0 or name in BELOW]
    parts = {key(*cell): figure.add_axes(in_figure(*place(*cell, False))) for cell in cells}
    parts["cells"] = cells
    parts["images"] = {cell: show(parts[key(*cell)]) for cell in cells}
    parts["picture"].set_title("the picture $x$: click it", pad=4)
    parts["response"].set_title("the response $z$", pad=4)
    look = {"animated": True, "zorder": 3}
    parts["box"] = parts["picture"].add_patch(Rectangle((0, 0), 1, 1, fill=False, ec=GREEN, lw=2, **look))
    parts["ring"] = parts["response"].plot([], [], "s", mfc="none", mec=GREEN, mew=2, ms=9, **look)[0]
    parts["first"] = {  # marks the corner with the first weight
        (name, layer): ax.plot([], [], "o", color=INK, mec="white", ms=7, transform=ax.transAxes, **look)[0]
        for name, layer in cells
        if name in ("filter", "over")
        for ax in (parts[key(name, layer)],)
    }
    page = figure.add_axes((0, 0, 1, 1), xlim=(0, WIDTH), ylim=(0, HEIGHT), zorder=-1)
    page.axis("off")
    middle = {"ha": "center", "va": "center", "color": INK, "animated": True}
    parts["signs"] = [page.text(0, 0, "", size=15, **middle) for _ in range(6)]
    parts["sums"] = [page.text(0, 0, "", size=13, **middle) for _ in CHANNELS]
    parts["words"] = page.text(0, 52, "", va="center", size=13, color=INK, linespacing=1.5, animated=True)
    parts["swatch"] = page.add_patch(Rectangle((480, 22), 60, 60, ec=GREEN, lw=2, animated=True))
    return parts


def key(name, layer):
    return f"{name} {layer}" if layer else name


def in_figure(left, bottom, side):
    return left / WIDTH, bottom / HEIGHT, side / WIDTH, side / HEIGHT


def draw(parts, state):
    arrange(parts, state.colour, state.rule)
    pixels = {
        "picture": lambda layer: grey(state.x),
        "response": lambda layer: pixels_of(state.z, state.shown, state.whole),
        "filter": lambda layer: signed(layer_of(state.w, layer)),
        "patch": lambda layer: channel(state.patch[..., layer], layer) if state.colour else grey(state.patch),
        "over": lambda layer: signed(layer_of(state.over, layer)),
        "products": lambda layer: signed(layer_of(state.products, layer)),
    }
    for (name, layer), image in parts["images"].items():
        if image.get_visible():
            put(image, pixels[name](layer))
    a, b = state.w.shape[:2]
    parts["box"].set_bounds(state.column - 1.5 - b // 2, state.row - 1.5 - a // 2, b, a)
    parts["ring"].set_data([state.column - 1], [state.row - 1])
    for (name, layer), mark in parts["first"].items():
        turned = name == "over" and state.rule == "convolution"
        mark.set(data=([0.9], [0.1]) if turned else ([0.1], [0.9]), visible=state.colour or not layer)
    _draw_words(parts, state)


def arrange(parts, colour, rule):
    """One row of axes below the pictures, or, for three layers, three rows between them."""
    for name, layer in parts["cells"]:
        ax, image = parts[key(name, layer)], parts["images"][name, layer]
        if not reframed(ax, colour, rule):
            continue
        used = colour or not layer
        image.set_visible(used)
        ax.set_visible(used)
        ax.set_position(in_figure(*place(name, layer, colour)))
        if name in BELOW:
            ax.set_title(title_of(name, layer, colour, rule), pad=4)


def title_of(name, layer, colour, rule):
    if name == "filter":
        return f"$w$ {CHANNELS[layer]}" if colour else "the filter $w$"
    if layer:
        return ""
    turned = "$w$, turned" if rule == "convolution" else "$w$, as it is"
    return {"patch": "patch" if colour else "the patch", "over": turned, "products": "products"}[name]


def _draw_words(parts, state):
    """The signs between the squares, and what the products add up to."""
    rows = [304 - 108 * layer for layer in range(3)]
    signs = [(x, y, sign) for y in rows for x, sign in ((307, "×"), (393, "="))]
    if not state.colour:
        signs = [(110, 52, "×"), (226, 52, "="), (346, 63, "Σ"), *[(0, 0, "")] * 3]
    for text, (x, y, sign) in zip(parts["signs"], signs, strict=True):
        text.set(position=(x, y), text=sign)
    for text, name, y, value in zip(parts["sums"], CHANNELS, rows, np.broadcast_to(state.value, 3), strict=True):
        text.set(visible=state.colour, position=(350, y - 47), text=f"Σ: {name} {fixed(value, 3)}")
    parts["swatch"].set_visible(state.colour)
    if state.colour:
        pixels = parts["images"]["response", 0].get_array()
        parts["swatch"].set_facecolor(pixels[state.row - 1, state.column - 1] / 255)
        parts["words"].set(x=552, text="the three sums\nare this colour")
    else:
        parts["words"].set(x=362, text=f"= {fixed(state.value, 3)}\nthe response in the green square")


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


def _teller(name, layer):
    def tell(state, x, y):
        if layer and not state.colour:
            return ""
        numbers = layer_of(getattr(state, name), layer)
        i = [int(np.clip(round(v), 0, n - 1)) for v, n in zip((y, x), numbers.shape, strict=True)]
        return f"{LETTERS[name]} = {short(round(float(numbers[tuple(i)]), 4))}"

    return tell


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


filter_lab = Explorer(
    title="Filter lab",
    controls=(
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
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left the picture x with a green square around the patch of a pixel, on the right the response z "
    "with that pixel in a small square. The filter w is orange where its weights are positive and blue where they "
    "are negative. A row, or for colours three rows, shows the patch, the filter as it lies on it, and their "
    "products, whose sum is z there; a black dot marks the corner with the first weight.",
    code=code,
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
    tell={"picture": _tell("x"), "response": _tell("z")}
    | {key(name, layer): _teller("w" if name == "filter" else name, layer) for layer in range(3) for name in BELOW},
    click={"picture": _choose, "response": _choose},
)
