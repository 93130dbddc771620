"""What a visited setting leaves in a picture: dots on its curves, and before there are any, words that invite to move.

``trail_along`` and ``trail_over`` say what belongs to a trail (see ``Explorer``); maps draw theirs in ``log_map``.
"""

import numpy as np

from kernelkit.course.panel.parts import GROUND
from kernelkit.course.plots import GREY


def trail_along(name, *shown):
    """The trail along the control of this name.

    shown : the names of controls that only choose what is shown; every other one belongs to the setting.
    """
    return lambda values: (_others(values, name, *shown), values[name])


def trail_over(first, second, *shown):
    """The trail over the plane of two controls."""
    return lambda values: (_others(values, first, second, *shown), (values[first], values[second]))


def _others(values, *names):
    return tuple(value for name, value in values.items() if name not in names)


def invitation(ax, words):
    """The words in axes that are still empty."""
    look = {"ha": "center", "va": "center", "color": GREY, "animated": True}
    return ax.text(0.5, 0.92, words, transform=ax.transAxes, bbox=GROUND | {"alpha": 1}, **look)


class Trail:
    """The dots of visited places on some curves, {name: (colour, marker)}."""

    def __init__(self, ax, looks, name):
        look = {"ms": 6, "mec": "white", "mew": 0.6, "animated": True, "zorder": 3}
        self.dots = [ax.plot([], [], marker, color=colour, **look)[0] for colour, marker in looks.values()]
        self.invitation = invitation(ax, "")
        self.along(name)

    def along(self, name):
        """What has to move, for there to be dots."""
        self.invitation.set_text(f"move ${name}$: each setting leaves its dots")

    def draw(self, places, values, whole):
        """A dot for each place on each curve, values (curves, places); whole : whether the curves themselves are shown.

        The present place is one of them, and has a larger mark; alone it leaves the picture as it began.
        """
        for dots, row in zip(self.dots, np.reshape(values, (len(self.dots), len(places))), strict=True):
            dots.set_data(places, row)
        self.invitation.set_visible(len(places) < 2 and not whole)
