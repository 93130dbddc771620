"""One curve, noisy samples of it, and the picture of fits beside a picture of their errors."""

from functools import lru_cache

import numpy as np
from matplotlib.ticker import LogLocator

from kernelkit import datasets
from kernelkit.course.explorers.drawing.curves import CURVES, model
from kernelkit.course.panel.controls import Choice, Slider
from kernelkit.course.panel.marks import Axis, Dots, HLine, Line, Text, VLine
from kernelkit.course.panel.parts import GROUND
from kernelkit.course.plots import GREY, INK

SIGMAS = 10 ** np.linspace(-1.3, 1.0, 24)  # every second place of the slider of σ
TESTS, TEST_STATE = 200, 7777
MOST = {"sine": 0.9, "cubic": 1.2, "step": 1.5}  # the largest error that is drawn
DATA = Choice("data", "truth", "sine", CURVES, more=True)
SIGMA = Slider("sigma", "width σ", 0.501187, 10**-1.3, 10.0, 0.05, log=True)
NOISE = Slider("noise", "noise", 0.3, 0.1, 0.6, 0.05, more=True)


@lru_cache(maxsize=64)
def sample(data, n, noise, seed):
    """n noisy points of a curve: x (n,), y (n,)."""
    X, y = getattr(datasets, data)(n, noise, random_state=seed)
    return X[:, 0], y


def gaussian(x, z, sigma):
    """exp(−(x − z)²/2σ²) of all pairs along the last axes."""
    return np.exp(-((x[..., :, None] - z[..., None, :]) ** 2) / (2 * sigma**2))


def fitted(x, y, sigma, lam):
    """a of ridge regression with the Gaussian kernel."""
    return np.linalg.solve(gaussian(x, x, sigma) + lam * np.eye(len(x)), y)


# ---- what is in the picture --------------------------------------------------------------------

LEFT, RIGHT = (0.06, 0.13, 0.43, 0.78), (0.58, 0.13, 0.405, 0.78)  # places of the curve and of its errors


def fit(h=(), label=""):
    """The fit h over the grid."""
    return model(h, width=2.6, label=label)


def heights(data):
    """The axis of the fit to a curve."""
    limit = 3.7 if data == "cubic" else 2.2
    return Axis("", -limit, limit, range(-int(limit), int(limit) + 1))


def mean_squares(data):
    """The axis of the errors."""
    return Axis("mean squared error", -0.012 * MOST[data], MOST[data])


def error_key(looks):
    """The marks of the errors {name: (colour, marker)} with their names, for the key."""
    return [Dots([], [], colour, marker=marker, size=8, rim=1, label=name) for name, (colour, marker) in looks.items()]


def error_curves(looks, places, curves):
    """A line for each of the errors, curves (errors, places)."""
    return [Line(places, row, colour) for (colour, _), row in zip(looks.values(), curves, strict=True)]


def errors_here(looks, at, values, data):
    """A mark for each of the errors where we are."""
    pairs = zip(looks.values(), np.minimum(values, MOST[data]), strict=True)
    return [Dots(at, value, colour, marker=marker, size=8, rim=1) for (colour, marker), value in pairs]


def noise_and_here(noise, at):
    """The line of the noise, and a line where we are."""
    return [HLine(noise**2, INK, width=1.5, style=":"), VLine(at, GREY, width=1.0)]


def noise_name(x, y, noise, places, curves):
    """The name of the line of the noise, at the right end, or at the left one if the curves leave more room there.

    x, y : the axes.
    """
    scale = np.log if x.log else np.asarray
    first, last = scale([x.low, x.high])
    along, above = (scale(places) - first) / (last - first), noise**2 + 0.005 * y.high

    def room(begin, end):
        heights = [np.interp(np.linspace(begin, end, 9), along, row) for row in curves if len(row)]
        return np.abs(np.array(heights) - above - 0.03 * y.high).min(initial=1.0)

    at, side = (0.98, "right") if room(0.75, 0.98) >= room(0.02, 0.25) else (0.02, "left")
    height = (above - y.low) / (y.high - y.low)
    return Text(at, height, "noise²", side=side, up="bottom", box=GROUND, of="axes")


def small_ticks(ax):
    """Between the ticks of a logarithmic axis."""
    if ax.get_xscale() == "log":
        ax.xaxis.set_minor_locator(LogLocator(subs=range(2, 10)))
