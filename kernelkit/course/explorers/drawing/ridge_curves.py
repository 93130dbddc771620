"""Bars of weights beside a curve, for the panels of kernel ridge regression."""

import numpy as np

GRID = np.linspace(-1, 1, 161)


def bars(positions, heights, width):
    """The corners of bars from 0."""
    return [
        [(x - width / 2, 0), (x - width / 2, h), (x + width / 2, h), (x + width / 2, 0)]
        for x, h in zip(positions, heights, strict=True)
    ]
