"""A decision boundary over a plane: sign regions, the line h = 0, dashed margins at ±1, points and support vectors."""

import numpy as np
from contourpy import contour_generator
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb
from matplotlib.patches import PathPatch
from matplotlib.path import Path

from kernelkit import Gaussian
from kernelkit.arrays import gaussian
from kernelkit.plots import BLUE, INK, MARKERS, ORANGE, PURPLE, contour_lines

LIGHT_BLUE, LIGHT_ORANGE = (0.75 + 0.25 * np.array(to_rgb(colour)) for colour in (BLUE, ORANGE))
NEITHER = (0.96, 0.96, 0.96)  # where h = 0 everywhere


def grid(low, high, steps=100):
    """The coordinates of a square grid over [low, high]²: two vectors."""
    return np.linspace(low[0], high[0], steps), np.linspace(low[1], high[1], steps)


def decision_on_grid(model, x, y):
    """h at every (x_i, y_j), as a matrix with one row a y; for the Gaussian kernel, which factorises, in no time."""
    kernel, b = getattr(model, "kernel", None), getattr(model, "b_", 0.0)
    if not isinstance(kernel, Gaussian):
        return model.decision_function(np.array(np.meshgrid(x, y)).reshape(2, -1).T).reshape(len(y), len(x))
    centres, a = model.X_[model.a_ != 0], model.a_[model.a_ != 0]
    if len(a) == 0:
        return np.full((len(y), len(x)), b)
    across = gaussian(x[:, None], centres[:, :1], kernel.sigma)
    along = gaussian(y[:, None], centres[:, 1:], kernel.sigma)
    return (along * a) @ across.T + b


def build(ax, low, high, reference=PURPLE):
    """Everything that moves, on axes whose limits it sets; reference colours a second boundary, Bayes' as a rule."""
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    ax.set_facecolor(LIGHT_BLUE)
    parts = {
        "regions": ax.add_patch(PathPatch(Path(np.empty((0, 2))), linewidth=0, animated=True, zorder=0)),
        "boundary": ax.add_collection(LineCollection([], colors=INK, linewidths=2.2, animated=True, zorder=2)),
        "margins": ax.add_collection(
            LineCollection([], colors=INK, linewidths=1.3, linestyles="--", animated=True, zorder=2)
        ),
        "reference": ax.add_collection(
            LineCollection([], colors=reference, linewidths=1.8, linestyles="--", animated=True, zorder=2)
        ),
        "rings": ax.plot([], [], "o", color="none", mec=INK, mew=1.2, ms=11, animated=True, zorder=3)[0],
        "filled": ax.plot([], [], "o", color=INK, ms=4, animated=True, zorder=5)[0],
    }  # fmt: skip
    for label, colour in ((-1, BLUE), (1, ORANGE)):
        parts[label] = ax.plot(
            [], [], MARKERS[label], color=colour, mec="white", mew=0.7, ms=7, animated=True, zorder=4
        )[0]
    return parts


def draw(parts, x, y, H, points, labels, *, margins=True, support=(), on_margin=(), reference=None):
    """Show h over the grid and the points; support and on_margin are indices, reference a matrix like H."""
    undecided = not H.any()
    parts["regions"].set_path(_above_zero(x, y, H + undecided))
    parts["regions"].set_facecolor(NEITHER if undecided else LIGHT_ORANGE)
    minus, zero, plus = contour_lines(x, y, H, (-1.0, 0.0, 1.0))
    parts["boundary"].set_segments(zero)
    parts["margins"].set_segments(minus + plus if margins else [])
    parts["reference"].set_segments([] if reference is None else contour_lines(x, y, reference, (0.0,))[0])
    for label in (-1, 1):
        parts[label].set_data(*points[labels == label].T)
    for name, chosen in (("rings", support), ("filled", on_margin)):
        parts[name].set_data(*points[np.asarray(chosen, int)].T)


def _above_zero(x, y, H):
    """The region h > 0 as one path, holes and all."""
    generator = contour_generator(x, y, H, fill_type="OuterCode")
    outlines, codes = generator.filled(0.0, max(float(H.max()), 0.0) + 1.0)
    if not outlines:
        return Path(np.empty((0, 2)))
    return Path(np.concatenate(outlines), np.concatenate(codes))
