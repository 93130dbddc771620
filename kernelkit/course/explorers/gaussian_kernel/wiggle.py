"""Notebook 04. Polynomial against Gaussian kernel."""

from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, KernelRidge, Linear, datasets
from kernelkit.course.explorers.drawing.curves import CURVES, GRID, INSIDE, fits, heights, rms, tell_curve, true_curve
from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Segments, Text, VLine
from kernelkit.course.panel.numbers import typed
from kernelkit.course.plots import GREEN, GREY, PURPLE

TALLEST = 15  # of the bars


def scaled_polynomial(degree):
    """(xz/9 + 1)^p: the polynomial kernel of inputs scaled from [−3, 3] to [−1, 1]."""
    return (1 / 9 * Linear() + 1) ** degree


def _path(h):
    """How far a curve travels up and down between −3 and 3."""
    return float(np.abs(np.diff(h[INSIDE])).sum())


def compute(data, degree, sigma, n, noise, lam, sample):
    X, y = getattr(datasets, data)(n, noise, sample)
    truth, fits = true_curve(data), {}
    for name, k in (("polynomial", scaled_polynomial(degree)), ("gaussian", Gaussian(sigma))):
        model = KernelRidge(k, lam).fit(X, y)
        h = model.predict(GRID)
        fits[name] = SimpleNamespace(
            h=h,
            error=rms((h - truth)[INSIDE]),
            path=_path(h),
            left_out=rms(model.leave_one_out(X, y, [lam])),
        )
    return SimpleNamespace(X=X, y=y, truth=truth, true_path=_path(truth), **fits)


def picture(s):
    curves = Axes(
        "",
        Axis("$x$", -4, 4, (-4, -2, 0, 2, 4)),
        heights(s),
        VLine(-3, GREY, width=1.2, style=":"),
        VLine(3, GREY, width=1.2, style=":"),
        *fits(s, polynomial=s.polynomial.h, Gaussian=s.gaussian.h),
        name="axes",
        place=(0.055, 0.145, 0.62, 0.755),
    )
    lengths = np.array([s.true_path, s.polynomial.path, s.gaussian.path])
    tops = np.minimum(lengths, TALLEST)
    paths = Axes(
        "path: up and down in all, from\n−3 to 3, also beyond the edge",
        Axis("", -0.6, 2.6, range(3), ("truth", "poly", "Gauss")),
        Axis("", 0, 1.15 * TALLEST, (0, 5, 10, 15)),
        Segments((range(3), 0), (range(3), tops), [GREY, PURPLE, GREEN], width=26),
        *(_length(i, top, length) for i, (top, length) in enumerate(zip(tops, lengths, strict=True))),
        name="paths",
        place=(0.755, 0.145, 0.235, 0.71),
        dress=_further_left,
    )
    return [[curves, paths]]


def _length(i, top, length):
    """The length of a path, above its bar, which may end at the top of the picture."""
    words = f"{length:.1f} ↑" if length > TALLEST else f"{length:.1f}"
    return Text(i, top + 0.15, words, side="center", up="bottom", name="lengths")


def _further_left(ax):
    ax.set_title(ax.get_title("left"), x=-0.3)


def readout(state):
    one, other = state.polynomial, state.gaussian
    return {
        "polynomial from the true curve": f"{one.error:.3f}",
        "Gaussian from the true curve": f"{other.error:.3f}",
        "polynomial, leave-one-out error": f"{one.left_out:.3f}",
        "Gaussian, leave-one-out error": f"{other.left_out:.3f}",
    }


def tell(state, x, y):
    return tell_curve(x, poly=state.polynomial.h, Gaussian=state.gaussian.h)


def code(data, degree, sigma, n, noise, lam, sample):
    return (
        "import numpy as np\nfrom kernelkit import Gaussian, KernelRidge, Linear, datasets\n\n"
        f"X, y = datasets.{data}({n}, {typed(noise)}, {sample})\n"
        f"for k in ((1 / 9 * Linear() + 1) ** {degree}, Gaussian({typed(sigma)})):\n"
        f"    model = KernelRidge(k, lam={typed(lam)}).fit(X, y)\n"
        f"    left_out = model.leave_one_out(X, y, [{typed(lam)}])\n"
        "    print(k, model.predict([[0.5], [4.0]]), np.sqrt(np.mean(left_out**2)))"
    )


wiggle = panel(
    compute,
    picture,
    readout,
    code,
    Choice("data", "true curve", "sine", CURVES),
    Slider("degree", "degree p", 14, 1, 20, 1),
    Slider("sigma", "width σ", 0.8, 0.1, 3.0, 0.05),
    Slider("n", "points n", 25, 8, 60, 1, more=True),
    Slider("noise", "noise", 0.2, 0.0, 0.6, 0.05, more=True),
    Slider("lam", "λ", 0.01, 1e-4, 1.0, 0.1, log=True),
    Slider("sample", "new sample", 0, 0, 9, 1, more=True),
    title="Polynomial against Gaussian kernel",
    shows="On the left the data over x, the dotted true curve, the polynomial fit dashed in purple and the Gaussian "
    "fit in green. On the right three bars: how far each of the three curves travels up and down between −3 and 3. "
    "The distances from the true curve, between −3 and 3, and the leave-one-out errors are root mean squares.",
    tell={"axes": tell},
    motion=True,
    film=("degree", "sigma"),
    scenes={
        "Narrow bumps": {"sigma": 0.1},
        "σ too wide": {"sigma": 3.0},
        "Degree 4": {"degree": 4},
        "Degree 10": {"degree": 10},
        "A step": {"data": "step", "degree": 16, "lam": 0.001, "noise": 0.05, "sigma": 1.0},
        "A true cubic": {"data": "cubic", "degree": 3},
    },
    says={
        "σ too wide": "Leave-one-out prefers the polynomial, which is nearer to the true curve among the points. It "
        "cannot see the plunge beyond the last one.",
    },
    question=Question(
        "σ shrinks from 0.8 to 0.1. Does the Gaussian fit then oscillate less or more?",
        ("less, because a narrow bump is smaller", "as much as before, because the data decide", "more than before"),
        2,
        "Each clump of points now has a bump of its own. Between the clumps the green curve returns to 0, because σ is "
        "much smaller than the gaps in the data. Its path from −3 to 3 grows from 6.4 to 14.3, and the truth has 7.4.",
        scene="Narrow bumps",
    ),
)
