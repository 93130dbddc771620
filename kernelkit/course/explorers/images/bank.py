"""Notebook 16. Eight responses of the bank at once, while the picture turns."""

from functools import cache, lru_cache
from types import SimpleNamespace

import numpy as np

from kernelkit.course.explorers.drawing.pictures import PICTURES, filled, grey, small
from kernelkit.course.panel.controls import Choice, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Image, Text
from kernelkit.course.panel.numbers import fixed, percent
from kernelkit.course.plots import GREEN, GREY, INK
from kernelkit.images.filters import bank_responses, change, filter_bank, turned

SHOWN = 80  # pixels each way: with what the largest filter reaches beyond them 128, for which waves are fast
FIRST = {"shapes": 12, "temple": 24, "flower": 24, "admiral": 24}
OUTSIDE = np.hypot(*(np.mgrid[:SHOWN, :SHOWN] - (SHOWN - 1) / 2)) >= SHOWN / 2
GAPS = (16, 4)  # between the responses, in pixels of theirs
WIDE = 4 * SHOWN + 3 * GAPS[1], 2 * SHOWN + GAPS[0]  # all of them
UNIT = WIDE[0] / 465  # a pixel of the panel, in theirs
NAMES = ("blur", "dot", "edges 1", "edges 2", "edges 4", "bars 1", "bars 2", "bars 4")
LONG = (29, 26, 58, 58, 58, 47, 47, 47)  # pixels that each takes with its colon
ORDER = (0, 2, 3, 4, 1, 5, 6, 7)  # the places of the responses, row by row: alone, then fine to coarse


@lru_cache
def picture_of(name):
    first = FIRST[name]
    return small(name)[first : first + SHOWN, first : first + SHOWN]


@lru_cache
def bank_of(orientations):
    return filter_bank(orientations)


@lru_cache(maxsize=32)
def responses(picture, orientations):
    """Of the upright picture, (8, SHOWN, SHOWN)."""
    return sizes(bank_responses(picture_of(picture), bank_of(orientations)))


def sizes(z):
    """|z| for edges and bars, also of one orientation alone."""
    z[2:] = np.abs(z[2:])
    return z


@lru_cache(maxsize=64)
def compared(picture, angle, orientations):
    """The turned picture, its responses, and how much each differs from the upright one's, turned."""
    x, before = turned(picture_of(picture), angle), responses(picture, orientations)
    after = sizes(bank_responses(x, bank_of(orientations)))
    return x, after, change([turned(z, angle) for z in before], after)


def compute(picture, angle, orientations):
    x, after, changes = compared(picture, angle, orientations)
    most = np.quantile(np.abs(responses(picture, orientations)), 0.99, axis=(1, 2))
    gap = 180 // orientations  # between two filters, in degrees
    return SimpleNamespace(
        x=x,
        after=after,
        changes=changes,
        most=most,
        off=min(angle % gap, -angle % gap),
        names=[group.name for group in bank_of(orientations)],
        median=float(np.median(changes[2:])),
    )


def picture(s):
    place = (6 / 700, 40 / 300, 212 / 700, 212 / 300)
    whole = filled("the picture $x$", in_disc(grey(s.x)), place=place, bare=True)
    responses = Axes(
        "",
        Axis("", -0.5, WIDE[0] - 0.5, ()),
        Axis("", WIDE[1] - 0.5, -0.5, ()),
        *_names(),
        *_responses(s),
        *(_above(i, LONG[i] + 5, above_response(change), GREEN) for i, change in enumerate(s.changes)),
        name="responses",
        place=(230 / 700, 16 / 300, 465 / 700, 246.4 / 300),
        bare=True,
    )
    return [[whole, responses]]


def corner(i):
    """Where response i begins among all of them: its row and its column."""
    n = ORDER.index(i)
    return (SHOWN + GAPS[0]) * (n // 4), (SHOWN + GAPS[1]) * (n % 4)


def _above(i, right, words, color):
    """Words above a response, so many pixels to the right of its left edge."""
    row, column = corner(i)
    return Text(column - 0.5 + UNIT * right, row - 3, words, color, size=11)


@cache
def _names():
    sizes = Text(corner(2)[1] - 0.5, -17, "edges and bars of σ = 1, 2 and 4", GREY, size=11)
    return [*(_above(i, 0, f"{name}:", INK) for i, name in enumerate(NAMES)), sizes]


def _responses(s):
    """All eight in two pictures, which are drawn in half the time of eight."""
    rows = np.full((2, SHOWN, WIDE[0], 3), 255, np.uint8)
    for i, (z, most) in enumerate(zip(s.after, s.most, strict=True)):
        row, column = corner(i)
        low = -most if i == 1 else 0  # only the dot answers with both signs
        rows[int(row > 0), :, column : column + SHOWN] = in_disc(grey(z, low, most))
    starts = (0, SHOWN + GAPS[0])
    edges = [(-0.5, WIDE[0] - 0.5, first - 0.5, first + SHOWN - 0.5) for first in starts]
    return [Image(pixels, extent) for pixels, extent in zip(rows, edges, strict=True)]


def above_response(changed):
    """A percentage that is short enough to stand above a response."""
    return f">{percent(0.99, 0)}" if changed > 0.995 else percent(changed, 0)


def in_disc(pixels):
    """White outside the disc that turning leaves inside."""
    pixels[OUTSIDE] = 255
    return pixels


def readout(state):
    return {
        "filters": 2 + 6 * state.orientations,
        "a stripe misses the nearest filter by": f"{state.off}°",
        "median change of edges and bars": percent(state.median, 0),
    }


def _tell(state, x, y):
    for i in range(8):
        row, column = (round(v) - first for v, first in zip((y, x), corner(i), strict=True))
        if 0 <= row < SHOWN and 0 <= column < SHOWN and not OUTSIDE[row, column]:
            return f"{state.names[i]}: z = {fixed(state.after[i][row, column], 3)}"
    return ""


code = """
from kernelkit.course.explorers.images.bank import picture_of
from kernelkit.images.filters import bank_responses, change_when_turned, filter_bank, turned

x, bank = picture_of({picture!r}), filter_bank({orientations})
z = bank_responses(turned(x, {angle}), bank)
print(z.shape, change_when_turned(x, {angle}, bank).round(3))
"""

bank = panel(
    compute,
    picture,
    readout,
    code,
    Choice("picture", "picture", "temple", PICTURES),
    Slider("angle", "turned by (degrees)", 0, 0, 180, 5),
    Choice("orientations", "orientations", 6, (1, 2, 3, 6, 12)),
    title="Many filters, eight answers",
    shows="On the left the picture, turned, in a disc. On the right its eight responses in two rows: blur and edges "
    "of σ = 1, 2 and 4, then dot and bars of the same σ; black is 0 and white is large, but for the dot, where grey "
    "is 0. The green number above a response is how much it differs from the old one, turned along.",
    size=(7.0, 3.0),
    film=("angle",),
    scenes={
        "By 15°": {"angle": 15},
        "By 30°": {"angle": 30},
        "By 90°": {"angle": 90},
        "One orientation": {"angle": 15, "orientations": 1},
        "Twelve orientations": {"angle": 15, "orientations": 12},
        "By 45°": {"angle": 45},
        "Three, by 90°": {"angle": 90, "orientations": 3},
    },
    question=Question(
        "Only three orientations are kept, at 0°, 60° and 120°. How much do the responses to edges and bars change "
        "when the picture is turned by 90°?",
        (
            "not at all, because every pixel goes to a pixel",
            "about as much as by a turn of 30°",
            "about as little as by a turn of 60°",
        ),
        1,
        "A stripe that lay along the filter at 0° is now at 90°, halfway between the filters at 60° and 120°, so it is "
        "30° off both. After a turn by 30° it is 30° off as well. Only turns by multiples of 60° take each filter to "
        "one of the three.",
        scene="Three, by 90°",
    ),
    tell={"responses": _tell},
)
