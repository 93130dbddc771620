"""What a visited setting leaves in a picture: dots on its curves, and before there are any, words that invite to move.

``trail_along`` and ``trail_over`` say what belongs to a trail (see ``Explorer``); maps draw theirs in ``log_map``.
"""

import numpy as np

from kernelkit.course.panel.marks import Dots, Live, Text
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


def trail_marks(looks, places, values, name, whole):
    """The dots of visited places on some curves, {name: (colour, marker)}, and what has to move for there to be more.

    values : (curves, places).  whole : whether the curves themselves are shown.
    The present place is one of them, and has a larger mark; alone it leaves the picture as it began.
    """
    rows = np.reshape(values, (len(looks), len(places)))
    return [
        *(
            Dots(places, row, colour, marker=marker, size=6, rim=0.6, name="left")
            for (colour, marker), row in zip(looks.values(), rows, strict=True)
        ),
        invited(f"move ${name}$: each setting leaves its dots") if len(places) < 2 and not whole else None,
    ]


def invited(words):
    """The words in axes that are still empty."""
    look = {"side": "center", "up": "center", "box": GROUND | {"alpha": 1}, "of": "axes"}
    return Text(0.5, 0.92, Live(words, words), GREY, name="invitation", **look)
