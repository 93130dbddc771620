"""The weights of a polynomial model as bars next to its picture."""

import numpy as np

from kernelkit.course.panel.marks import Axes, Axis, Bars, signed
from kernelkit.course.panel.parts import standard
from kernelkit.latex import plain


def weights(w, names, longest, width):
    """Axes with a lying bar for each weight, and room for the names of the features up to the longest one."""
    rows, names = np.arange(len(w)), tuple(map(plain, names))
    return Axes(
        "weights $w$",
        signed("", standard(np.abs(w).max())),
        Axis("", len(w) - 0.4, -0.6, rows, names, room=longest),
        Bars(rows, w, lying=True, names=names, tell="w of {name} = {y}"),
        name="weights",
        width=width,
    )
