"""Notebook 16. A picture, a filter, its response, and the one sum behind each pixel of it."""

from functools import lru_cache
from types import SimpleNamespace

import numpy as np
from matplotlib.patches import Rectangle

from kernelkit.explorers.shared.pictures import PICTURES, SIDE, grey, put, show, signed, small
from kernelkit.images import filters
from kernelkit.images.filters import convolve
from kernelkit.panel.controls import Choice, NoQuestion, Slider
from kernelkit.panel.explorer import Explorer
from kernelkit.panel.numbers import fixed, short, typed
from kernelkit.plots import GREEN, INK

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
}
SIZED, OF_SIGMA = ("average", "integral"), ("gaussian", "dot", "slope", "sine", "cosine")
OF_ANGLE = ("slope", "sine", "cosine")
GABOR, BALANCED = ("sine", "cosine"), ("dot", "emboss", "slope", "sine", "cosine")  # these add up to 0
SHOWN = {"grey is 0": "signed", "black is 0": "cut", "size only, |z|": "size"}


def filter_of(kind, size, sigma, angle, wavelength):
    """The filter that the controls say, and how one writes it."""
    numbers = {
        "average": (size,),
        "integral": (size,),
        "gaussian": (sigma,),
        "dot": (sigma,),
        "sharpen": (2.0,),
        "emboss": (),
        "slope": (angle, sigma),
        "sine": (sigma, angle, wavelength, "sine"),
        "cosine": (sigma, angle, wavelength, "cosine"),
    }[kind]
    longer = {"dot": "laplacian_of_gaussian", "slope": "derivative", "sine": "gabor", "cosine": "gabor"}
    function = longer.get(kind, kind)
    written = ", ".join(repr(v) if isinstance(v, str | int) else typed(v) for v in numbers)
    return getattr(filters, function)(*numbers), f"{function}({written})", function


@lru_cache(maxsize=64)
def response(picture, kind, size, sigma, angle, wavelength):
    return convolve(small(picture), filter_of(kind, size, sigma, angle, wavelength)[0])


def compute(picture, kind, size, sigma, angle, wavelength, shown, row, column):
    x, w = small(picture), filter_of(kind, size, sigma, angle, wavelength)[0]
    z = response(picture, kind, size, sigma, angle, wavelength)
    (a, b), r, c = w.shape, row - 1, column - 1
    wide = np.pad(x, ((a // 2, (a - 1) // 2), (b // 2, (b - 1) // 2)), mode="symmetric")
    patch, over = wide[r : r + a, c : c + b], w[::-1, ::-1]
    return SimpleNamespace(
        x=x,
        w=w,
        z=z,
        row=row,
        column=column,
        patch=patch,
        over=over,
        products=patch * over,
        value=float(z[r, c]),
        name=next(n for n, k in FILTERS.items() if k == kind),
        shown=shown if kind in BALANCED else "bright",
        whole=float(w.sum()),
    )


def build(figure):
    def axes(left, bottom, width, height, title):
        return figure.add_axes((left / 700, bottom / 360, width / 700, height / 360)), title

    places = {
        "picture": axes(6, 123, 214, 214, "the picture $x$: click it"),
        "filter": axes(243, 123, 214, 214, "the filter $w$"),
        "response": axes(480, 123, 214, 214, "the response $z$"),
        "patch": axes(6, 6, 92, 92, "the patch"),
        "over": axes(122, 6, 92, 92, "$w$, turned"),
        "products": axes(238, 6, 92, 92, "products"),
    }
    parts = {name: ax for name, (ax, _) in places.items()}
    parts["images"] = {name: show(ax, title) for name, (ax, title) in places.items()}
    for x, sign in ((110, "×"), (226, "="), (346, "Σ")):
        figure.text(x / 700, 52 / 360, sign, size=15, ha="center", va="center", color=INK)
    look = {"animated": True, "zorder": 3}
    parts["box"] = parts["picture"].add_patch(Rectangle((0, 0), 1, 1, fill=False, ec=GREEN, lw=2, **look))
    parts["ring"] = parts["response"].plot([], [], "s", mfc="none", mec=GREEN, mew=2, ms=9, **look)[0]
    words = figure.add_axes((362 / 700, 6 / 360, 332 / 700, 92 / 360))
    words.axis("off")
    parts["words"] = words.text(0, 0.5, "", va="center", size=13, color=INK, linespacing=1.5, animated=True)
    return parts


def draw(parts, state):
    images, (a, b) = parts["images"], state.w.shape
    put(images["picture"], grey(state.x))
    put(images["filter"], signed(state.w, np.abs(state.w).max()))
    put(images["response"], pixels_of(state.z, state.shown, state.whole))
    put(images["patch"], grey(state.patch))
    put(images["over"], signed(state.over, np.abs(state.w).max()))
    put(images["products"], signed(state.products, np.abs(state.products).max()))
    parts["box"].set_bounds(state.column - 1.5 - b // 2, state.row - 1.5 - a // 2, b, a)
    parts["ring"].set_data([state.column - 1], [state.row - 1])
    parts["words"].set_text(f"= {fixed(state.value, 3)}\nthe response in the green square")


def pixels_of(z, shown, whole):
    """The response as a picture: the largest size of 99 % of it is full."""
    most = np.quantile(np.abs(z), 0.99)
    if shown == "bright":
        return grey(z, 0, whole)
    return {"signed": grey(z, -most, most), "cut": grey(z, 0, most), "size": grey(np.abs(z), 0, most)}[shown]


def describe(state):
    low, high = fixed(state.z.min(), 2), fixed(state.z.max(), 2)
    (a, b), total = state.w.shape, fixed(state.whole, 2)
    even = (
        "so where the picture is even it answers 0"
        if abs(state.whole) < 1e-9
        else (
            "so even places keep their brightness"
            if abs(state.whole - 1) < 1e-9
            else "so even places come out brighter"
        )
    )
    return (
        f"{state.name[0].upper()}{state.name[1:]}: {a} × {b} weights that add up to {total}, {even}. "
        f"In row {state.row}, column {state.column} patch times filter is {fixed(state.value, 3)}; "
        f"over the whole picture z goes from {low} to {high}."
    )


def _pixel(x, y):
    return {"row": int(np.clip(round(y), 0, SIDE - 1)) + 1, "column": int(np.clip(round(x), 0, SIDE - 1)) + 1}


def _choose(state, x, y):
    return _pixel(x, y)


def _tell(state, x, y):
    at = _pixel(x, y)
    i = at["row"] - 1, at["column"] - 1
    return f"row {at['row']}, column {at['column']}: x = {fixed(state.x[i], 2)}, z = {fixed(state.z[i], 2)}"


def _teller(name):
    def tell(state, x, y):
        numbers = getattr(state, name)
        i = [int(np.clip(round(v), 0, n - 1)) for v, n in zip((y, x), numbers.shape, strict=True)]
        return f"{'x' if name == 'patch' else 'w'} = {short(round(float(numbers[tuple(i)]), 4))}"

    return tell


def code(picture, kind, size, sigma, angle, wavelength, shown, row, column):
    _, written, function = filter_of(kind, size, sigma, angle, wavelength)
    return (
        "from kernelkit.explorers.shared.pictures import small\n"
        f"from kernelkit.images.filters import convolve, {function}\n\n"
        f"x, w = small({picture!r}), {written}\n"
        "z = convolve(x, w)\n"
        f"print(w.shape, z[{row - 1}, {column - 1}], z.min(), z.max())"
    )


filter_lab = Explorer(
    title="Filter lab",
    controls=(
        Choice("picture", "picture", "temple", PICTURES),
        Choice("kind", "filter", "gaussian", FILTERS),
        Slider("size", "size", 5, 1, 15, 1, when=lambda v: v["kind"] in SIZED),
        Slider("sigma", "width σ", 2.0, 0.5, 4.0, 0.1, when=lambda v: v["kind"] in OF_SIGMA),
        Slider("angle", "angle", 90, 0, 180, 5, when=lambda v: v["kind"] in OF_ANGLE),
        Slider("wavelength", "wavelength", 8.0, 3.0, 24.0, 0.5, when=lambda v: v["kind"] in GABOR),
        Choice("shown", "display", "signed", SHOWN, when=lambda v: v["kind"] in BALANCED),
        Slider("row", "row", 64, 1, SIDE, 1),
        Slider("column", "column", 44, 1, SIDE, 1),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    size=(7.0, 3.6),
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
    },
    question=NoQuestion(because="the text just above asks which edges the filter finds"),
    tell={
        "picture": _tell,
        "response": _tell,
        "filter": _teller("w"),
        "patch": _teller("patch"),
        "over": _teller("over"),
    },
    click={"picture": _choose, "response": _choose},
)
