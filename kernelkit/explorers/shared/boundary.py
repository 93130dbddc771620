"""A decision boundary over a plane: sides that fade, the line h = 0, dashed margins at ±1, points, support vectors."""

import numpy as np
from matplotlib.collections import LineCollection

from kernelkit import Gaussian
from kernelkit.arrays import gaussian
from kernelkit.explorers.shared.stretched import Stretched, scale
from kernelkit.panel.parts import plane_points
from kernelkit.plots import BLUE, INK, MARKERS, ORANGE, PURPLE, contour_lines

INK_OF_SIDES = 0.36  # how much of its colour a side has where it is sure
FAR = 0.15  # the part of it that is left far from all points
REACH = 0.08  # how far a point vouches for its surroundings, as a part of the plane's width
NOTHING = 1e-9  # |h| that is 0 but for rounding


def grid(low, high, steps=100):
    """The coordinates of a square grid over [low, high]²: two vectors."""
    return np.linspace(low[0], high[0], steps), np.linspace(low[1], high[1], steps)


def decision_on_grid(model, x, y):
    """h at every (x_i, y_j), as a matrix with one row a y; for the Gaussian kernel, which factorises, in no time."""
    kernel, b = getattr(model, "kernel", None), getattr(model, "b_", 0.0)
    if not isinstance(kernel, Gaussian):
        return model.decision_function(plane_points(x, y)).reshape(len(y), len(x))
    centres, a = model.X_[model.a_ != 0], model.a_[model.a_ != 0]
    if len(a) == 0:
        return np.full((len(y), len(x)), b)
    return _bumps(centres, a, x, y, kernel.sigma) + b


def _bumps(centres, a, x, y, sigma):
    """Σ a_i exp(−‖z − X_i‖²/2σ²) at every z of the grid: the exponential of a sum is a product."""
    return (gaussian(y[:, None], centres[:, 1:], sigma) * a) @ gaussian(x[:, None], centres[:, :1], sigma).T


def _cells(x, y, points):
    """The rows and columns of the grid that are nearest to these points."""
    return [
        np.clip(np.rint((p - line[0]) / (line[1] - line[0])).astype(int), 0, len(line) - 1)
        for p, line in ((points[:, 1], y), (points[:, 0], x))
    ]


def value_at(x, y, H, place):
    """H at the place (x, y) of the plane, or at the nearest cell of the grid: what a pointer tells."""
    row, column = _cells(x, y, np.array([place], float))
    return float(H[row[0], column[0]])


# ---- how sure a place may look ----------------------------------------------------------------


def nearness(x, y, points):
    """1 among the points, falling to FAR where there are none, over the grid (len(y), len(x))."""
    around = _bumps(points, np.ones(len(points)), x, y, REACH * (x[-1] - x[0])) if len(points) else 0.0
    return FAR + (1 - FAR) * around / (around + 0.25)


def strength(x, y, H, points):
    """√|h|, as a part of what is usual at the points, up to 1: the ink grows fast, but from nothing."""
    usual = np.median(np.abs(H[*_cells(x, y, points)])) if len(points) else 1.0
    return np.sqrt(np.minimum(np.abs(H) / max(usual, NOTHING), 1.0))


def certainty(x, y, H, points):
    """From −1 to 1, with the sign of h: 0 where h is, and almost 0 where no point is near."""
    return np.sign(H) * strength(x, y, H, points) * nearness(x, y, points)


# ---- the picture ------------------------------------------------------------------------------


def build(ax, low, high, reference=PURPLE):
    """Everything that moves, on axes whose limits it sets; reference colours a second boundary, Bayes' as a rule."""
    ax.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))
    parts = {
        "axes": ax,
        "regions": Stretched(ax, scale(BLUE, ORANGE, INK_OF_SIDES)),
        "boundary": _lines(ax, color=INK, linewidth=2.2),
        "margins": _lines(ax, color=INK, linewidth=1.3, linestyle="--"),
        "reference": _lines(ax, color=reference, linewidth=1.8, linestyle="--"),
        "rings": _marks(ax, "o", 3, color="none", mec=INK, mew=1.2, ms=11),
        "filled": _marks(ax, "o", 5, color=INK, ms=4),
        "own rings": _marks(ax, "o", 3, color="none", mec=INK, mew=1.2, ms=16),
        "own": {},
    }
    for label, colour in ((-1, BLUE), (1, ORANGE)):
        parts[label] = _marks(ax, MARKERS[label], 4, color=colour, mec="white", mew=0.7, ms=7)
        parts["own"][label] = _marks(ax, MARKERS[label], 4.5, color=colour, mec=INK, mew=1.8, ms=10)
    return parts


def _lines(ax, **look):
    return ax.add_collection(LineCollection([], animated=True, zorder=2, **look))


def _marks(ax, marker, zorder, **look):
    return ax.plot([], [], marker, animated=True, zorder=zorder, **look)[0]


def draw(parts, x, y, H, points, labels, *, margins=True, support=(), on_margin=(), own=(), reference=None):
    """Show h over the grid and the points.

    support, on_margin, own : indices of the points with a ring, with a dot, and of the learner's own, which have a
    dark outline.  reference : a matrix like H.
    """
    parts["regions"].show(certainty(x, y, H, points))
    minus, zero, plus = contour_lines(x, y, H, (-1.0, 0.0, 1.0))
    parts["boundary"].set_segments(zero)
    parts["margins"].set_segments(minus + plus if margins else [])
    parts["reference"].set_visible(reference is not None)
    if reference is not None:
        parts["reference"].set_segments(contour_lines(x, y, reference, (0.0,))[0])
    ours, ringed, dotted = (np.isin(np.arange(len(points)), chosen) for chosen in (own, support, on_margin))
    shown = {"rings": ringed & ~ours, "own rings": ringed & ours, "filled": dotted}
    for name, chosen in shown.items():
        _put(parts[name], points[chosen])
    for label in (-1, 1):
        _put(parts[label], points[(labels == label) & ~ours])
        _put(parts["own"][label], points[(labels == label) & ours])


def _put(marks, points):
    """Marks at these points; where there are none, nothing is drawn, which costs nothing."""
    marks.set_data(*points.T)
    marks.set_visible(len(points) > 0)
