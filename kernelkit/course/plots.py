"""How the course draws: one palette, one font size, and functions ``plot_…(…, ax) -> ax``.

Everything is drawn on an Axes that is passed in: no ``pyplot``, no ``show``.
"""

import io
import threading
from contextlib import contextmanager
from inspect import getmembers, isfunction
from pathlib import Path

import numpy as np
from matplotlib import rcParams, rcParamsDefault
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager

from kernelkit.checks import check_array, is_missing
from kernelkit.models.reading import check_same_rows

BLUE = "#0072B2"  # class −1, or a negative sign
ORANGE = "#D55E00"  # class +1, or a positive sign
GREEN = "#007A5E"
PURPLE = "#7B3294"
GREY = "#6E6E6E"
INK = "#222222"
MARKERS = {-1: "o", +1: "s"}  # never colour alone
DPI = 100  # pixels of a figure for each inch, as a panel or a notebook shows it
TEXT, TICKS = (pixels * 72 / DPI for pixels in (14, 12))  # heights in points, as Matplotlib wants them
STYLE = {
    "font.family": ["Arimo", "DejaVu Sans"],  # the second for the signs that the first does not have
    "font.size": TEXT,
    "axes.titlesize": TEXT,
    "axes.labelsize": TEXT,
    "xtick.labelsize": TICKS,
    "ytick.labelsize": TICKS,
    "xtick.labelcolor": GREY,
    "ytick.labelcolor": GREY,
    "legend.fontsize": TEXT,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlelocation": "left",
    "mathtext.fontset": "cm",
    "figure.facecolor": "white",
    "lines.linewidth": 2.0,
}
_DEFAULTS = {name: rcParamsDefault[name] for name in rcParamsDefault if name != "backend"}
_ALONE = threading.RLock()  # Matplotlib has one table of settings for all threads
_held = []  # the styles of the blocks that are entered now


for font in sorted((Path(__file__).parent / "fonts").glob("*.ttf")):  # the letters of the panels, as in the page
    fontManager.addfont(font)


@contextmanager
def drawing(style=STYLE):
    """Here Matplotlib draws by its own defaults and this style laid over them, whatever the learner has set.

    A block within another one changes nothing.
    """
    with _ALONE:
        news = {} if _held else {name: v for name, v in (_DEFAULTS | style).items() if rcParams[name] != v}
        learners = {name: rcParams[name] for name in news}  # rc_context keeps all 300, in three times the time
        _held.append(style)
        try:
            rcParams.update(news)
            yield
        finally:
            rcParams.update(learners)
            _held.pop()


def sign_colours(values):
    """Orange where a value is ≥ 0, blue where it is negative."""
    return [ORANGE if v >= 0 else BLUE for v in values]


def plot_classes(X, y, ax, classes=None, **style):
    """Points of two classes: blue circles, and orange squares for the larger of the two labels. y : length n.

    classes : both labels, where y has only one: a 1 alone is the larger of −1 and 1, but the smaller of 1 and 2.
    """
    check_same_rows(X, y)
    X, y = check_array(X, "X"), np.ravel(y)
    if X.shape != (len(y), 2):
        raise ValueError(
            f"plot_classes draws a point of the plane for each label: X must be ({len(y)}, 2), got {X.shape}."
        )
    if missing := sum(map(is_missing, y)):
        raise ValueError(f"plot_classes needs a label for each point, but {missing} of {len(y)} are missing.")
    labels = np.unique(y)
    two = np.unique(labels if classes is None else classes)
    if len(two) == 1 and two[0] in (-1, 0):  # of which the other can only be larger
        two = np.append(two, 1)
    elif len(two) == 1 and two.dtype == bool:
        two = np.array([False, True])
    if len(two) == 1:
        raise ValueError(
            f"plot_classes sees one label, {two.tolist()[0]!r}, which does not say which of two classes it is: give "
            "both, as classes=[−1, 1]."
        )
    if len(two) > 2 or not {*labels.tolist()} <= {*two.tolist()}:
        what = "" if classes is None else f" for classes={two.tolist()}"
        raise ValueError(f"plot_classes draws two classes, got the labels {labels.tolist()}{what}.")
    second = y == two[-1]
    for inside, sign, colour in ((~second, -1, BLUE), (second, +1, ORANGE)):
        look = {"s": 34, "edgecolor": "white", "linewidth": 0.7, "zorder": 3} | style
        ax.scatter(X[inside, 0], X[inside, 1], marker=MARKERS[sign], color=colour, **look)
    return ax


def plot_routes(k, X, ax):
    """Two ways from the points X to their Gram matrix K: through the features Φ, and by k alone. Dark is large."""
    X, _ = k.read(X)
    Phi, K = k.feature_map()(X), k(X)
    n, d, D = *X.shape, Phi.shape[1]
    phi_at, K_at = d + 6, d + D + 14  # the left edges of Φ and K, where an entry is 1 wide
    for M, left, bottom in ((X, 0, 0), (Phi, phi_at, n + 1), (K, K_at, 0)):
        height, width = M.shape
        edges = np.arange(left, left + width + 1), np.arange(bottom, bottom + height + 1)
        ax.pcolormesh(*edges, M[::-1], cmap="Greys", edgecolor="silver", linewidth=0.8)
    for start, end, colour in (
        ((d + 0.5, n - 0.5), (phi_at - 0.5, n * 1.5 + 1), INK),
        ((phi_at + D + 0.5, n * 1.5 + 1), (K_at - 0.5, n - 0.5), INK),
        ((d + 0.5, n / 2), (K_at - 0.5, n / 2), GREEN),
    ):
        ax.annotate("", end, start, arrowprops={"arrowstyle": "->", "color": colour, "lw": 1.5})
    with drawing():
        for x, y, words, side, colour in (
            (d / 2, -0.3, f"$X$: {n} points,\n{d} inputs each", "top", INK),
            (phi_at + D / 2, 2 * n + 1.3, f"$Φ$: {D} features of each point", "bottom", INK),
            (K_at + n / 2, -0.3, "$K$: one number\nfor each pair", "top", INK),
            (d + 1.6, n * 1.5 + 0.8, "build $Φ$", "center", INK),
            (K_at - 1, n * 1.5 + 0.8, r"multiply $ΦΦ^{\top}$", "center", INK),
            ((d + K_at) / 2, n / 2 - 0.4, "the kernel $k(x, z)$ of each pair", "top", GREEN),
        ):
            ground = {"facecolor": "white", "edgecolor": "none", "pad": 1}  # in a small figure words leave the axes
            ax.text(x, y, words, ha="center", va=side, color=colour, bbox=ground)
    ax.set(aspect="equal", xlim=(-2, K_at + n + 2), ylim=(-3.5, 2 * n + 3))
    _bare(ax)
    return ax


def plot_shadow(k, C, x, ax):
    """Φ(x) and its shadow on the span of one or two landmarks C, (m, d), in a picture that keeps all inner products.

    The coordinates of the Φ's are the rows of the root of their Gram matrix: those of the landmarks lie in the span.
    The little that is added to its diagonal is not seen, and lets two of the Φ's be the same.
    """
    m = len(C)
    if m > 2:
        raise ValueError(f"C must hold one landmark or two, got {m}: three and Φ(x) do not fit into a picture.")
    across = np.reshape(k(C, x), (m, 1))
    K = np.block([[k(C), across], [across.T, k(x, x)]])
    corners = np.linalg.cholesky(K + 1e-12 * (K.trace() or 1) * np.eye(m + 1))
    shadow = np.append(corners[m, :m], 0)
    seen = np.eye(2) if m == 1 else np.array([[1, -0.12], [0.42, 0.34], [0, 1]])  # of three directions, on paper
    if m == 1:
        ax.plot(*np.outer([-0.15, 1.25], seen[0]).T, color=GREY, linewidth=1)
    else:
        sides = np.array([[-0.15, -0.25, 0], [1.15, -0.25, 0], [1.15, 1.2, 0], [-0.15, 1.2, 0]])
        ax.fill(*(sides @ seen).T, color=GREY, alpha=0.15)
    top, foot = corners[m] @ seen, shadow @ seen
    ends = [*corners[:m] @ seen, top, foot]
    names = [*(["$Φ(C)$"] if m == 1 else ["$Φ(C_1)$", "$Φ(C_2)$"]), "$Φ(x)$", "shadow"]
    places = [*((0, -8), (17, -2))[:m], (0, 4), (0, -8)]  # of the names next to the ends, in points
    with drawing():
        ax.plot(*zip(top, foot, strict=True), "--", color=ORANGE)
        ax.text(*(top + foot) / 2, "  what is left", va="center", color=ORANGE)
        for end, name, place, colour in zip(ends, names, places, [*m * [INK], BLUE, GREEN], strict=True):
            look = {"arrowstyle": "-|>", "color": colour, "lw": 2, "shrinkA": 0, "shrinkB": 0}
            ax.annotate("", end, (0, 0), arrowprops=look)
            side = "bottom" if place[1] > 0 else "top"
            ax.annotate(name, end, place, textcoords="offset points", ha="center", va=side, color=colour)
    ax.margins(0.05, 0.15)
    ax.set(aspect="equal")
    _bare(ax)
    return ax


def _bare(ax):
    """Axes without lines and ticks, on white whatever colour the learner's style gives to a figure."""
    ax.set(xticks=[], yticks=[], facecolor="white")
    ax.spines[:].set_visible(False)


def contour_lines(x, y, H, levels):
    """The level lines of H (len(y), len(x)) as one list of (k, 2) paths per level, for a LineCollection."""
    from contourpy import contour_generator

    generator = contour_generator(x, y, H)
    return [[np.asarray(line) for line in generator.lines(level)] for level in levels]


class Paper(Axes):
    """Axes on which a cell draws as Matplotlib does where nobody has set anything."""


class Page(Figure):
    """A figure of which the same is true."""


for _plain, _ours in ((Axes, Paper), (Figure, Page)):
    for _name, _method in getmembers(_plain, isfunction):
        if not _name.startswith("_") and _name != "get_data_ratio":  # axis("equal") asks whether Axes have their own
            setattr(_ours, _name, drawing({})(_method))


class Sheet:
    """A figure that shows itself in a notebook, with its sentence as the alternative text.

    It is not a Figure itself, because pyplot, once it is loaded, tells IPython how every Figure is to be shown.
    """

    @drawing()
    def __init__(self, sentence, width=7.2, height=3.6):
        self.figure = Page(figsize=(width, height), dpi=DPI, layout="constrained")
        FigureCanvasAgg(self.figure)
        self.sentence = sentence

    @drawing()
    def subplots(self, *args, **kwargs):
        """Axes in the style of the course."""
        return self.figure.subplots(*args, subplot_kw={"axes_class": Paper}, **kwargs)

    @drawing()
    def savefig(self, *args, **kwargs):
        """The picture as a file."""
        self.figure.savefig(*args, **kwargs)

    def _repr_mimebundle_(self, **kwargs):
        out = io.BytesIO()
        self.savefig(out, format="png", metadata={"Software": None})
        return {"image/png": out.getvalue(), "text/plain": self.sentence}, {"image/png": {"alt": self.sentence}}
