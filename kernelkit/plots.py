"""How the course draws: one palette, one font size, and functions ``plot_…(…, ax) -> ax``.

Everything is drawn on an Axes that is passed in: no ``pyplot``, no ``show``.
"""

import io
from pathlib import Path

import numpy as np
from matplotlib import rc_context
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager

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


for font in sorted((Path(__file__).parent / "fonts").glob("*.ttf")):  # the letters of the panels, as in the page
    fontManager.addfont(font)


def sign_colours(values):
    """Orange where a value is ≥ 0, blue where it is negative."""
    return [ORANGE if v >= 0 else BLUE for v in values]


def plot_classes(X, y, ax, **style):
    """Points of two classes (y = ±1): blue circles and orange squares."""
    for label, colour in ((-1, BLUE), (+1, ORANGE)):
        inside = y == label
        look = {"s": 34, "edgecolor": "white", "linewidth": 0.7, "zorder": 3} | style
        ax.scatter(X[inside, 0], X[inside, 1], marker=MARKERS[label], color=colour, **look)
    return ax


def contour_lines(x, y, H, levels):
    """The level lines of H (len(y), len(x)) as one list of (k, 2) paths per level, for a LineCollection."""
    from contourpy import contour_generator

    generator = contour_generator(x, y, H)
    return [[np.asarray(line) for line in generator.lines(level)] for level in levels]


class Sheet(Figure):
    """A figure that shows itself in a notebook, with its sentence as the alternative text."""

    def __init__(self, sentence, width=7.2, height=3.6):
        super().__init__(figsize=(width, height), dpi=DPI, layout="constrained")
        FigureCanvasAgg(self)
        self.sentence = sentence

    def subplots(self, *args, **kwargs):
        """Axes in the style of the course."""
        with rc_context(STYLE):
            return super().subplots(*args, **kwargs)

    def _repr_mimebundle_(self, **kwargs):
        out = io.BytesIO()
        with rc_context(STYLE):
            self.savefig(out, format="png", metadata={"Software": None}, pil_kwargs={"optimize": True})
        return {"image/png": out.getvalue(), "text/plain": self.sentence}, {"image/png": {"alt": self.sentence}}
