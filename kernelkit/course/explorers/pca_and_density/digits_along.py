"""Notebook 12. Digits along two components, and what picture belongs to a place between them."""

from types import SimpleNamespace

import numpy as np

from kernelkit.course.explorers.data.some_digits import fitted, shuffled
from kernelkit.course.explorers.drawing.shades import whole_frame
from kernelkit.course.panel.controls import Choice, Points, Question, Slider
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import fixed, percent, typed
from kernelkit.course.panel.parts import reframed
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE

N, COUNT = 200, 4  # pictures, components
GROUPS = {"0, 1 and 6": (0, 1, 6), "3, 4 and 7": (3, 4, 7), "3, 5 and 8": (3, 5, 8)}
LOOKS = (PURPLE, GREEN, GREY)
PAIRS = {"1 and 2": (1, 2), "1 and 3": (1, 3), "3 and 4": (3, 4)}


def reach(Y):
    """The largest coordinate along each component; the plane of the panel is measured in it."""
    return np.abs(Y).max(axis=0)


def coordinates(model, Y, pair, place):
    """A place of the plane as a row of coordinates along all components, 0 but for two of them."""
    row = np.zeros((1, COUNT))
    row[0, [c - 1 for c in pair]] = np.array(place) * reach(Y)[[c - 1 for c in pair]]
    return row


def compute(digits, points, pair, sigma):
    X, y = shuffled()
    X, labels = X[np.isin(y, digits)][:N], y[np.isin(y, digits)][:N]
    model, chosen = fitted(digits, N, sigma, COUNT), [c - 1 for c in pair]
    Y, at = model.a_ * model.eigenvalues_, np.array(points[0])
    shown = Y[:, chosen] / reach(Y)[chosen]
    nearest = int(np.hypot(*(shown - at).T).argmin())
    back = model.inverse_transform(coordinates(model, Y, pair, at))
    gap = np.sqrt(((X - back) ** 2).sum(axis=1))
    return SimpleNamespace(
        at=at,
        shown=shown,
        labels=labels,
        digits=digits,
        pair=pair,
        back=back[0],
        seen=X[nearest],
        nearest=nearest,
        name=int(labels[nearest]),
        alike=int(labels[gap.argmin()]),
        gap=float(gap.min()),
        share=float(model.eigenvalues_[chosen].sum() / model.total_),
    )


def build(figure):
    ax = figure.add_axes((0.045, 0.075, 0.535, 0.83), xlim=(-1.15, 1.15), ylim=(-1.15, 1.15))
    whole_frame(ax)
    ax.set_title("200 digits along two components")
    parts = {"plane": ax, "places": {}}
    for i, colour in enumerate(LOOKS):
        parts["places"][i] = {d: _glyphs(ax, d, colour) for d in sorted({group[i] for group in GROUPS.values()})}
    parts["star"] = ax.plot([], [], "*", color=INK, mec="white", ms=18, zorder=5, animated=True)[0]
    parts["ring"] = ax.plot([], [], "o", color="none", mec=INK, mew=1.5, ms=15, zorder=4, animated=True)[0]
    for name, title, bottom in (("back", "★: the pre-image", 0.5), ("seen", "○: the nearest digit", 0.012)):
        picture = figure.add_axes((0.665, bottom, 0.225, 0.4145))
        whole_frame(picture)
        picture.set_title(title, pad=4)
        parts[name] = picture.imshow(np.zeros((8, 8)), cmap="gray_r", vmin=0, vmax=1, animated=True)
    return parts


def _glyphs(ax, digit, colour):
    return ax.plot([], [], linestyle="", marker=f"${digit}$", ms=7, color=colour, mew=0.3, animated=True)[0]


def draw(parts, state):
    for i, digit in enumerate(state.digits):
        for d, glyphs in parts["places"][i].items():
            glyphs.set_data(*(state.shown[state.labels == d].T if d == digit else ([], [])))
    parts["star"].set_data(*state.at[:, None])
    parts["ring"].set_data(*state.shown[state.nearest][:, None])
    parts["back"].set_data(state.back.reshape(8, 8))
    parts["seen"].set_data(state.seen.reshape(8, 8))
    if reframed(parts["plane"], state.pair):
        parts["plane"].set_xlabel(f"component {state.pair[0]}")
        parts["plane"].set_ylabel(f"component {state.pair[1]}")


def readout(state):
    return {
        "digit most similar to the pre-image": state.alike,
        "their distance": fixed(state.gap, 1),
        "digit nearest in the plane": state.name,
        "variance in the plane": percent(state.share, 0),
    }


def _a(digit):
    return f"an {digit}" if digit == 8 else f"a {digit}"


def _tell(state, x, y):
    gaps = np.hypot(*(state.shown - (x, y)).T)
    return _a(state.labels[gaps.argmin()]) if gaps.min() < 0.06 else ""


def code(digits, points, pair, sigma):
    return (
        "import numpy as np\nfrom kernelkit import Gaussian, KernelPCA\n"
        "from kernelkit.course.explorers.data.some_digits import shuffled\n\n"
        f"X, y = shuffled()\nX = X[np.isin(y, {list(digits)})][:{N}]\n"
        f"model = KernelPCA(Gaussian({typed(sigma)}), n_components={COUNT})\nY = model.fit_transform(X)\n"
        f"place = np.zeros({COUNT})\nplace[{[c - 1 for c in pair]}] = {typed(points[0])}\n"
        "picture = model.inverse_transform([place * np.abs(Y).max(axis=0)])[0]\n"
        "print(picture.reshape(8, 8).round(1))"
    )


digits_along = Explorer(
    title="Digits along two components",
    controls=(
        Choice("digits", "digits", (0, 1, 6), GROUPS),
        Points(
            "points",
            "move",
            ((0.7, -0.2),),
            (-1.1, -1.1),
            (1.1, 1.1),
            "plane",
            ("across", "up"),
            ("the star",),
            more=True,
        ),
        Choice("pair", "components", (1, 2), PAIRS),
        Slider("sigma", "width σ", 1.5, 0.5, 10.0, 0.1),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left a plane of two components, in which a small digit marks the place of each of 200 pictures, in "
    "one colour for each kind of digit. A star marks a place, and a ring the digit nearest to it. On the right the "
    "pre-image of the star, and below it that nearest digit.",
    code=code,
    film=("sigma",),
    scenes={
        "From 0 towards 6": {"points": ((0.25, 0.3),)},
        "A 1": {"points": ((-0.55, -0.55),)},
        "In the middle": {"points": ((0.0, 0.0),)},
        "Narrow, in the middle": {"points": ((0.0, 0.0),), "sigma": 0.8},
        "Wide, in the middle": {"points": ((0.0, 0.0),), "sigma": 10.0},
    },
    question=Question(
        "The star moves to the middle of the map, between the digits 0, 1 and 6, and σ is narrow. The pre-image is a "
        "weighted mean of digits. Of which digits?",
        ("digits of one kind", "digits of all three kinds alike", "no digits, it is noise"),
        0,
        "The pre-image is found step by step, and in each step only pictures near the present place have weight. So "
        "with a narrow σ it settles among digits of one kind. With a wide σ all pictures have weight, and the mean "
        "is grey.",
        scene="Narrow, in the middle",
    ),
    tell={"plane": _tell},
)
