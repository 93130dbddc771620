"""Notebook 12. Components as functions over the plane, and the points along the first two."""

from functools import lru_cache
from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, KernelPCA, Linear, Polynomial, datasets
from kernelkit.course.explorers.drawing.field import level_lines
from kernelkit.course.explorers.drawing.shades import class_points, grey_frame, plane, value_at
from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Dots, Field
from kernelkit.course.panel.numbers import percent, read_off, typed
from kernelkit.course.panel.parts import plane_points
from kernelkit.course.panel.stretched import scale
from kernelkit.course.plots import BLUE, INK, ORANGE

N = 100
GRID = np.linspace(-2.5, 2.5, 45)
LEVELS = np.linspace(-0.9, 0.9, 7)  # of a component, whose largest value on the plane counts as 1
SHOWN = 4
ENOUGH = 0.9  # of the variance
DATA = {"two circles": "circles", "two moons": "moons", "disc and ring": "rings"}
KERNELS = {"linear": "linear", "polynomial, (xᵀz + 1)²": "polynomial", "Gaussian": "gaussian"}


@lru_cache(maxsize=3)
def points(data):
    return getattr(datasets, data)(N)


def kernel_of(kernel, sigma):
    return {"linear": Linear(), "polynomial": Polynomial(2), "gaussian": Gaussian(sigma)}[kernel]


def compute(data, kernel, sigma, second):
    X, y = points(data)
    model = KernelPCA(kernel_of(kernel, sigma), N).fit(X)
    F = model.transform(plane_points(GRID, GRID))[:, :SHOWN].T.reshape(SHOWN, len(GRID), len(GRID))
    shares, Y = model.eigenvalues_ / model.total_, model.a_ * model.eigenvalues_  # the coordinates of X
    return SimpleNamespace(
        X=X,
        y=y,
        F=F,
        along=Y[:, [0, second - 1]],
        shares=shares[:SHOWN],
        needed=int(np.searchsorted(np.cumsum(shares), ENOUGH - 1e-9)) + 1,
    )


PLANES = [f"plane {c + 1}" for c in range(SHOWN)]
PAINT = scale(BLUE, ORANGE, 0.5)


def picture(s):
    one, two, three, four = (_plane(s, c) for c in range(SHOWN))
    along = Axes(
        "the points, projected",
        Axis("along component 1", -1.12, 1.12, ()),
        Axis(f"along component {s.second}", -1.12, 1.12, ()),
        *class_points(s.along / np.maximum(np.abs(s.along).max(axis=0), 1e-9), s.y, 6.5),
        width=2,
        frame=True,
        dress=grey_frame,
    )
    return [[one, two, along], [three, four, along]]


def _plane(s, c):
    """Component c + 1 over the plane, as a part of its largest value there."""
    share, F = s.shares[c], s.F[c]
    there = share > 1e-9
    F = F / np.abs(F).max() if there else 0 * F
    return plane(
        f"{c + 1}: {percent(share, 0)} of variance" if there else f"{c + 1}: nothing left",
        GRID,
        GRID,
        Field(F, PAINT),
        level_lines(GRID, GRID, F, LEVELS, width=1.0),
        Dots(*s.X.T, INK, marker=".", size=3.5, edge=INK, rim=1.0),
        name=PLANES[c],
    )


def readout(state):
    return {
        f"components 1 and {state.second}": f"{percent(state.shares[[0, state.second - 1]].sum(), 0)} of the variance",
        f"first {SHOWN}": percent(state.shares.sum()),
        f"components for {percent(ENOUGH, 0)}": state.needed,
    }


def _tell(c):
    return lambda state, x, y: f"component {c + 1}: {read_off(value_at(GRID, GRID, state.F[c], x, y))}"


def code(data, kernel, sigma, second):
    return (
        "from kernelkit import Gaussian, KernelPCA, Linear, Polynomial, datasets\n\n"
        f"X, y = datasets.{data}({N})\n"
        f"model = KernelPCA({kernel_of(kernel, float(typed(sigma)))!r}, n_components={SHOWN})\n"
        f"Y = model.fit_transform(X)[:, [0, {second - 1}]]\n"
        "print((model.eigenvalues_ / model.total_).round(3))  # shares of the variance\n"
        "print(Y[:3].round(3), y[:3])"
    )


components = panel(
    compute,
    picture,
    readout,
    code,
    Choice("data", "data", "circles", DATA),
    Choice("kernel", "kernel", "linear", KERNELS),
    Slider("sigma", "width σ", 1.49624, 0.1, 10.0, 0.025, log=True, when=lambda v: v["kernel"] == "gaussian"),
    Slider("second", "vertical axis", 2, 2, SHOWN, 1),
    title="Components over the plane",
    shows="Four small pictures show the first four components as functions over the plane, orange above 0 and blue "
    "below, with level lines and the points as black dots. The large picture has the points by their coordinates, "
    "along component 1 to the right and along the chosen component upwards, blue dots and orange squares for the two "
    "classes.",
    film=("second",),
    scenes={
        "Gaussian": {"kernel": "gaussian", "sigma": 1.49624},
        "The circles apart": {"kernel": "gaussian", "sigma": 1.49624, "second": 3},
        "Narrow": {"kernel": "gaussian", "sigma": 0.199526},
        "Very wide": {"kernel": "gaussian", "sigma": 10.0},
        "Polynomial": {"kernel": "polynomial"},
        "Moons": {"data": "moons", "kernel": "gaussian", "sigma": 0.501187},
    },
    question=Question(
        "No component of the linear kernel tells the circles apart. Which one of a Gaussian kernel with σ = 1.5 does?",
        ("the first", "the second", "the third"),
        2,
        "The first two still tell left from right and top from bottom, as the components of the linear "
        "kernel do. The third tells inside from outside at 97 of the 100 points.",
        scene="The circles apart",
    ),
    tell={name: _tell(c) for c, name in enumerate(PLANES)},
)
