"""A surface over a square, as a block that is seen from the side, and a plane of glass that cuts it at height 0.

The view is parallel, so every column of pixels shows one cut through the block. In it each pixel shows the first place,
from the front to the back, that appears as high as the pixel or higher; all columns are searched at once.
"""

import numpy as np
from matplotlib.artist import Artist
from matplotlib.colors import to_rgb
from scipy.ndimage import binary_erosion

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


class Relief(Artist):
    """The block over [−reach, reach]², in axes whose units are pixels.

    unit, high : pixels of a length of 1 to the side, and of a height of 1 seen from the side.  low : the height of the
    block's ground.  middle : where the middle of the square appears.  turn, tilt : of the view, in degrees, 0 to 90.
    """

    def __init__(self, ax, reach, unit, high, low, middle, turn=28.0, tilt=42.0):
        super().__init__()
        self.set(animated=True, zorder=0)
        ax.add_artist(self)
        self.reach, self.middle, self.low = reach, np.asarray(middle, np.float32), low
        self.turned = np.array([np.cos(np.deg2rad(turn)), np.sin(np.deg2rad(turn))])
        self.across, self.back, self.up = unit, unit * np.sin(np.deg2rad(tilt)), high * np.cos(np.deg2rad(tilt))
        self.tall = high / unit
        self.fine = ax.figure.dpi / DPI  # pixels of the screen for one of the picture
        self.shape = tuple(round(self.fine * abs(b - a)) for a, b in (ax.get_ylim(), ax.get_xlim()))
        self._cut()

    def _cut(self):
        """What does not depend on the surface: where the cuts are, and where the plane is."""
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
        side, depth = self._seen(places)
        return self.middle + np.column_stack([self.across * side, self.back * depth + self.up * heights])

    def _seen(self, places):
        c, s = self.turned
        return places @ [c, s], places @ [-s, c]

    def sees(self, places, heights=0.0):
        """Which of these points are not hidden behind the surface, if they lie on it."""
        pixels = np.nan_to_num(self.fine * self.project(places, heights))
        column, row = np.clip(pixels, 0, np.array(self.shape)[::-1] - 1).astype(int).T
        return self._seen(places)[1] < self.hit[row, column] + 0.06 * self.reach

    def show(self, H):
        """From now on the surface has these heights, on a square grid (n, n) with one row a y."""
        height, bright = self._sampled(H.astype(np.float32))
        up = np.where(self.step > 0, self.back * self.depth + self.up * height, BELOW)
        first, column = self._first(up), np.arange(self.shape[1])
        here, before = np.minimum(first, SAMPLES - 1), np.clip(first - 1, 0, SAMPLES - 2)
        low, high = up[before, column], up[here, column]
        part = np.where(first > 0, np.clip((self.level - low) / np.maximum(high - low, 1e-3), 0, 1), 0)
        depth = self.near + self.step * (before + part)
        z = (self.level - self.back * depth) / self.up
        empty = (first == SAMPLES) | (z < self.low)
        self.hit = np.where(empty, np.inf, depth)
        bright = bright[before, column] * (1 - part) + bright[here, column] * part
        self._paint(z, bright, (first == 0) & ~empty, empty)

    def _sampled(self, H):
        """The heights, and how bright the surface is, at all samples of the cuts; between places of the grid linear."""
        last = len(H) - 1
        slopes = np.gradient(H, 2 * self.reach / last / self.tall)
        steep = np.sqrt(1 + slopes[0] ** 2 + slopes[1] ** 2)
        bright = (LIGHT[2] - LIGHT[0] * slopes[1] - LIGHT[1] * slopes[0]) / steep / np.linalg.norm(LIGHT)
        x, y = (np.clip((place + self.reach) * last / (2 * self.reach), 0, last - 1e-3) for place in self.places)
        column, row = x.astype(int), y.astype(int)
        right, above, corner = x - column, y - row, row * (last + 1) + column
        for field in (H, bright):
            a, b, c, d = (field.ravel().take(corner + beyond) for beyond in (0, 1, last + 1, last + 2))
            yield (a * (1 - right) + b * right) * (1 - above) + (c * (1 - right) + d * right) * above

    def _first(self, up):
        """The first sample of its column that appears as high as a pixel; SAMPLES if there is none."""
        rows, columns = self.shape
        highest = self.fine * (np.maximum.accumulate(up, axis=0) + self.middle[1]) - 0.5
        reached = np.clip(np.ceil(highest), 0, rows).astype(int)  # the lowest row that a sample does not reach
        lower = np.bincount((reached * columns + np.arange(columns)).ravel(), minlength=(rows + 1) * columns)
        return lower.reshape(rows + 1, columns)[:-1].cumsum(axis=0)

    def _paint(self, z, bright, wall, empty):
        misty = (self.glass & (self.crossing < self.hit - 1e-3)).astype(int)
        tone = np.clip((z + 1) * (TONES / 2), 0, TONES - 1).astype(int)
        light = np.clip(bright * LIGHTS, 0, LIGHTS - 1).astype(int)
        colours = PALETTE.ravel().take((misty * TONES + tone) * LIGHTS + light)
        side = np.broadcast_to(self.right, self.shape)[wall]
        colours[wall] = np.where(misty[wall], MISTY_WALL[side], WALL[side])
        colours[empty] = SKY[misty[empty]]
        colours[self.rim & (misty == 1)] = _bytes(RIM)
        self.pixels = colours.view(np.uint8).reshape(*self.shape, 4)

    def draw(self, renderer):
        left, low = np.rint(self.axes.bbox.min).astype(int)
        renderer.draw_image(renderer.new_gc(), left, low, self.pixels)
