"""What a visited setting leaves in a picture of curves: a dot on each; and the words that invite to visit some."""

import numpy as np

from kernelkit.panel.parts import GROUND
from kernelkit.plots import GREY


def trail_along(name, *shown):
    """The trail of a panel (see ``Explorer``) along the control of this name.

    shown : the names of controls that only choose what is shown; every other one belongs to the setting.
    """
    return lambda values: (tuple(v for k, v in values.items() if k not in (name, *shown)), values[name])


class Trail:
    """The dots of visited places on some curves, {name: (colour, marker)}, and, before there are any, an invitation."""

    def __init__(self, ax, looks, invitation):
        look = {"ms": 5, "mec": "white", "mew": 0.6, "animated": True, "zorder": 3}
        self.dots = [ax.plot([], [], marker, color=colour, **look)[0] for colour, marker in looks.values()]
        ground = GROUND | {"alpha": 1}
        text = {"ha": "center", "va": "center", "color": GREY, "bbox": ground, "animated": True}
        self.invitation = ax.text(0.5, 0.92, invitation, transform=ax.transAxes, **text)

    def draw(self, places, values, whole):
        """A dot for each place on each curve, values (curves, places); whole : whether the curves themselves are shown.

        The present place is one of them, and has a larger mark; alone it leaves the picture as it began.
        """
        for dots, row in zip(self.dots, np.reshape(values, (len(self.dots), len(places))), strict=True):
            dots.set_data(places, row)
        self.invitation.set_visible(len(places) < 2 and not whole)
