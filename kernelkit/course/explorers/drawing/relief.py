"""A surface over a square, as a block that is seen from the side, and a plane of glass that cuts it at height 0.

The view is parallel, so every column of pixels shows one cut through the block. In it each pixel shows the first place,
from the front to the back, that appears as high as the pixel or higher; all columns are searched at once.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from matplotlib.colors import to_rgb
from scipy.ndimage import binary_erosion

from kernelkit.course.panel.marks import Dots, Line
from kernelkit.course.panel.stretched import opaque
from kernelkit.course.plots import BLUE, DPI, ORANGE

SAMPLES = 200  # of a cut, from the front to the back
LIGHT = np.array([-0.6, -0.15, 0.8])  # from the left and from above
SHADOW = 0.7  # of its colour is left to a place that the light does not reach
INK = 0.85  # of its colour the surface has at height ±1
GLASS, MIST = np.array([0.8, 0.88, 0.86]), 0.4  # the plane, a little green, and how much it hides of what is below it
RIM = np.array([0.55, 0.62, 0.6])  # the edge of the plane
WALLS = np.array([[0.86, 0.86, 0.88], [0.76, 0.76, 0.79]])  # of the block, left and right of its front edge
MARGIN = 0.06  # of the block's side, by which the plane is larger
TONES, LIGHTS = 256, 64  # different heights and brightnesses
BELOW = -1e6  # pixels: where the block is not, nothing is seen


def _palette():
    """The colours, as numbers of four bytes, of all (whether seen through the glass, height, brightness)."""
    height = np.linspace(-1, 1, TONES)[:, None]
    ink = np.where(height > 0, height * (1 - np.array(to_rgb(ORANGE))), -height * (1 - np.array(to_rgb(BLUE))))
    bright = SHADOW + (1 - SHADOW) * np.linspace(0, 1, LIGHTS)[:, None]
    bare = (1 - INK * ink)[:, None] * bright
    return _bytes(np.stack([bare, bare + MIST * (GLASS - bare)]))


def _bytes(colours):
    return opaque(colours).view(np.uint32)[..., 0]


PALETTE = _palette()
WALL, MISTY_WALL = _bytes(WALLS), _bytes(WALLS + MIST * (GLASS - WALLS))
SKY = np.array([0, _bytes(1 + MIST * (GLASS - 1))], np.uint32)  # transparent, but for the glass


class View:
    """How the block over [−reach, reach]² is seen, in a picture whose size (width, height) is in pixels.

    unit, high : pixels of a length of 1 to the side, and of a height of 1 seen from the side.  low : the height of the
    block's ground.  middle : where the middle of the square appears.  turn, tilt : of the view, in degrees, 0 to 90.
    fine : pixels of the screen for one of the picture.
    """

    def __init__(self, reach, size, unit, high, low, middle, turn=28.0, tilt=42.0, fine=1.0):
        self.asked = reach, size, unit, high, low, middle, turn, tilt
        self.reach, self.middle, self.low, self.fine = reach, np.asarray(middle, np.float32), low, fine
        self.turned = np.array([np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))])
        self.across, self.back, self.up = unit, unit * np.sin(np.deg2rad(tilt)), high * np.cos(np.deg2rad(tilt))
        self.tall = high / unit
        self.shape = tuple(round(fine * side) for side in reversed(size))
        self._cut()

    def _cut(self):
        """Where the cuts are, and where the plane is."""
        rows, columns = ((np.arange(n, dtype=np.float32) + 0.5) / self.fine for n in self.shape)
        side, self.level = (columns - self.middle[0]) / self.across, rows[:, None] - self.middle[1]
        self.near, self.far = self._ends(side, self.reach)
        self.step = (self.far - self.near) / (SAMPLES - 1)
        self.depth = self.near + self.step * np.arange(SAMPLES, dtype=np.float32)[:, None]
        self.places = self._places(side, self.depth)
        self.crossing = self.level / self.back  # how far back a pixel meets the plane, and whether it does
        near, far = self._ends(side, self.reach * (1 + MARGIN))
        self.glass = (near <= self.crossing) & (self.crossing <= far)
        inner = binary_erosion(self.glass, np.ones((3, 3)), iterations=round(self.fine))
        self.rim = self.glass & ~inner
        self.right = (side > self.reach * (self.turned @ [1, -1])).astype(int)  # of the front edge

    def _ends(self, side, reach):
        """Where the cut so far to the side enters a square, and where it leaves it; nowhere if that is the same."""
        c, s = self.turned
        near = np.maximum((side * c - reach) / s, (-reach - side * s) / c)
        far = np.minimum((side * c + reach) / s, (reach - side * s) / c)
        return near, np.maximum(near, far)

    def _places(self, side, depth):
        """(x, y) of what appears so far to the side and lies so far back."""
        c, s = self.turned
        return side * c - depth * s, side * s + depth * c

    def project(self, places, heights=0.0):
        """Where points of the plane at these heights appear, in pixels (n, 2)."""
        side, depth = self.side_and_depth(places)
        return self.middle + np.column_stack([self.across * side, self.back * depth + self.up * heights])

    def side_and_depth(self, places):
        """How far to the side and how far back points of the plane are."""
        c, s = self.turned
        return places @ [c, s], places @ [-s, c]


@lru_cache(maxsize=3)
def _on_screen(view, fine):
    """The same view on another screen."""
    return View(*view.asked, fine)


class Surface:
    """A surface with the heights H, on a square grid (n, n) with one row a y, that is seen in a view."""

    def __init__(self, view, H):
        self.view, self.H, self.screens = view, H, {}

    def on(self, fine):
        """What a screen shows of it that has so many pixels for one of the picture."""
        if fine not in self.screens:
            self.screens[fine] = Seen(_on_screen(self.view, fine), self.H)
        return self.screens[fine]

    def paint(self, fine):
        """Its colours on this screen, see the mark ``Pixels``."""
        return self.on(fine).pixels


class Seen:
    """What a view shows of a surface.  hit : how far back each pixel meets the block, inf where it does not."""

    def __init__(self, view, H):
        self.view = view
        height, bright = self._sampled(H.astype(np.float32))
        up = np.where(view.step > 0, view.back * view.depth + view.up * height, BELOW)
        first, column = self._first(up), np.arange(view.shape[1])
        here, before = np.minimum(first, SAMPLES - 1), np.clip(first - 1, 0, SAMPLES - 2)
        low, high = up[before, column], up[here, column]
        part = np.where(first > 0, np.clip((view.level - low) / np.maximum(high - low, 1e-3), 0, 1), 0)
        depth = view.near + view.step * (before + part)
        self.z = (view.level - view.back * depth) / view.up
        self.empty = (first == SAMPLES) | (self.z < view.low)
        self.wall = (first == 0) & ~self.empty
        self.hit = np.where(self.empty, np.inf, depth)
        self.bright = bright[before, column] * (1 - part) + bright[here, column] * part

    def _sampled(self, H):
        """The heights, and how bright the surface is, at all samples of the cuts; between places of the grid linear."""
        view, last = self.view, len(H) - 1
        slopes = np.gradient(H, 2 * view.reach / last / view.tall)
        steep = np.sqrt(1 + slopes[0] ** 2 + slopes[1] ** 2)
        bright = (LIGHT[2] - LIGHT[0] * slopes[1] - LIGHT[1] * slopes[0]) / steep / np.linalg.norm(LIGHT)
        x, y = (np.clip((place + view.reach) * last / (2 * view.reach), 0, last - 1e-3) for place in view.places)
        column, row = x.astype(int), y.astype(int)
        right, above, corner = x - column, y - row, row * (last + 1) + column
        for field in (H, bright):
            a, b, c, d = (field.ravel().take(corner + beyond) for beyond in (0, 1, last + 1, last + 2))
            yield (a * (1 - right) + b * right) * (1 - above) + (c * (1 - right) + d * right) * above

    def _first(self, up):
        """The first sample of its column that appears as high as a pixel; SAMPLES if there is none."""
        rows, columns = self.view.shape
        highest = self.view.fine * (np.maximum.accumulate(up, axis=0) + self.view.middle[1]) - 0.5
        reached = np.clip(np.ceil(highest), 0, rows).astype(int)  # the lowest row that a sample does not reach
        lower = np.bincount((reached * columns + np.arange(columns)).ravel(), minlength=(rows + 1) * columns)
        return lower.reshape(rows + 1, columns)[:-1].cumsum(axis=0)

    def sees(self, places, heights=0.0):
        """Which of these points are not hidden behind the surface, if they lie on it."""
        view = self.view
        pixels = np.nan_to_num(view.fine * view.project(places, heights))
        column, row = np.clip(pixels, 0, np.array(view.shape)[::-1] - 1).astype(int).T
        return view.side_and_depth(places)[1] < self.hit[row, column] + 0.06 * view.reach

    @cached_property
    def pixels(self):
        """Its colours, RGBA bytes (height, width, 4), the first row is the lowest."""
        view, wall, empty = self.view, self.wall, self.empty
        misty = (view.glass & (view.crossing < self.hit - 1e-3)).astype(int)
        tone = np.clip((self.z + 1) * (TONES / 2), 0, TONES - 1).astype(int)
        light = np.clip(self.bright * LIGHTS, 0, LIGHTS - 1).astype(int)
        colours = PALETTE.ravel().take((misty * TONES + tone) * LIGHTS + light)
        side = np.broadcast_to(view.right, view.shape)[wall]
        colours[wall] = np.where(misty[wall], MISTY_WALL[side], WALL[side])
        colours[empty] = SKY[misty[empty]]
        colours[view.rim & (misty == 1)] = _bytes(RIM)
        return colours.view(np.uint8).reshape(*view.shape, 4)


@dataclass(frozen=True, eq=False, kw_only=True)
class _On:
    """Its x and y are places of the plane, and it is drawn where they lie on a surface that does not hide them."""

    surface: Surface
    heights: np.ndarray | float = 0.0

    def show(self, artist, how="words"):
        super().show(artist, how)
        seen, places = self.surface.on(artist.axes.figure.dpi / DPI), np.column_stack([self.x, self.y])
        there = seen.sees(places, self.heights)[:, None]
        artist.set_data(*np.where(there, seen.view.project(places, self.heights), np.nan).T)


@dataclass(frozen=True, eq=False)
class LineOn(_On, Line):
    """A line on a surface."""

    moves = (*Line.moves, "surface", "heights")


@dataclass(frozen=True, eq=False)
class DotsOn(_On, Dots):
    """Dots on a surface."""

    moves = (*Dots.moves, "surface", "heights")
