"""Level lines of a field over a plane, as marks."""

from kernelkit.course.panel.marks import Contours

FLAT = 1e-9  # a field that varies less has no level lines, which would show its rounding


def level_lines(x, y, H, levels=(0.0,), **look):
    """Where H has these values; nowhere if it is flat."""
    return Contours(x, y, H, levels, **look) if H.max() - H.min() > FLAT else None
