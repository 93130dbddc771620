"""Notebook 12. Digits along two components, and what picture belongs to a place between them."""

from types import SimpleNamespace

import numpy as np

from kernelkit.course.explorers.data.some_digits import fitted, shuffled
from kernelkit.course.explorers.drawing.shades import digit, grey_frame
from kernelkit.course.panel.controls import Choice, Points, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Dots
from kernelkit.course.panel.numbers import fixed, percent, typed
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
        back=back[0],
        seen=X[nearest],
        nearest=nearest,
        name=int(labels[nearest]),
        alike=int(labels[gap.argmin()]),
        gap=float(gap.min()),
        share=float(model.eigenvalues_[chosen].sum() / model.total_),
    )


def picture(s):
    across, up = s.pair
    map_of_digits = Axes(
        "200 digits along two components",
        Axis(f"component {across}", -1.15, 1.15, ()),
        Axis(f"component {up}", -1.15, 1.15, ()),
        *(_glyphs(s, d, colour) for d, colour in zip(s.digits, LOOKS, strict=True)),
        Dots(*s.shown[s.nearest][:, None], "none", size=15, edge=INK, rim=1.5),
        Dots(*s.at[:, None], marker="*", size=18, rim=1.0),
        name="plane",
        place=(0.045, 0.075, 0.535, 0.83),
        frame=True,
        dress=grey_frame,
    )
    back = digit("★: the pre-image", s.back, (0.665, 0.5, 0.225, 0.4145))
    return [[map_of_digits, back, digit("○: the nearest digit", s.seen, (0.665, 0.012, 0.225, 0.4145))]]


def _glyphs(s, d, colour):
    """A small d at the place of each picture of a d."""
    return Dots(*s.shown[s.labels == d].T, colour, marker=f"${d}$", edge=colour, rim=0.3)


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


digits_along = panel(
    compute,
    picture,
    readout,
    code,
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
    title="Digits along two components",
    shows="On the left a plane of two components, in which a small digit marks the place of each of 200 pictures, in "
    "one colour for each kind of digit. A star marks a place, and a ring the digit nearest to it. On the right the "
    "pre-image of the star, and below it that nearest digit.",
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
