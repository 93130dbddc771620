"""Points of the plane by the group they were put into: a hue and a marker for each, none of which means a class."""

import numpy as np

from kernelkit.course.plots import GREEN, GREY, PURPLE

LOOKS = (
    (GREEN, "^"),
    (PURPLE, "D"),
    ("#9A6A00", "p"),
    ("#A3305E", "v"),
    ("#3B6E8F", "h"),
    ("#5D6B1F", "<"),
    ("#7A4B2A", ">"),
)
MORE = (GREY, "*")  # from the eighth group on
SIZES = {"D": 0.8, "*": 1.5}  # of a marker, where others have 1, so that all look equally large
NONE = ("#8A8A8A", "x")  # of no group: noise
OPEN = ("#8A8A8A", "o")  # of no group yet


def build_groups(ax, size=8.0, hollow=False):
    """The marks of each group, of all further ones, of the points of none, and of those that are not asked yet.

    hollow : white inside, with the hue of the group around it.
    """
    plain = {"mec": "white", "mew": 0.7}
    return [
        ax.plot(
            [],
            [],
            marker,
            color=colour,
            ms=size * SIZES.get(marker, 1.0),
            **({"mec": colour, "mew": 2.0, "mfc": "white"} if hollow or marker == "x" else plain),
            ls="none",
            animated=True,
            zorder=4,
        )[0]
        for colour, marker in (*LOOKS, MORE, NONE, OPEN)
    ]


def draw_groups(marks, X, labels):
    """Put the points (n, 2) where their labels 0, 1, …, −1 for none and −2 for none yet, want them."""
    place = np.where(labels < 0, len(LOOKS) - labels, np.minimum(labels, len(LOOKS)))
    for number, mark in enumerate(marks):
        mark.set_data(*X[place == number].T)
        mark.set_visible(bool((place == number).any()))
