"""What a picture is made of: rows and columns of ``Axes``, each with two ``Axis``, a title and marks.

    def picture(s):
        curve = Axes("h", Axis("$x$", -1, 1), Axis("", -4, 4), Line(GRID, s.h), Dots(s.X, s.y, GREY), name="curve")
        bars = Axes("dual weights", Axis("", 0, s.n + 1), signed("", s.limit), Bars(s.rows, s.a))
        return [[curve, bars]]

A mark says what is there, in the units of its axes; nothing says how it gets there. Later marks lie over earlier ones.
``canvas`` shows a picture, and the next one by moving what differs. It compares each mark with the one at the same
place of the list before; so a mark that is not there now is None, and those after it keep their places. The lowest
marks, up to the first that ever changes, are drawn once: what never changes goes first, and from a function with
``cache`` it is not even compared.

What stands before the semicolon may be given by place, and all the rest by name:

=========== =============================== ==============================================================
Line        x, y, color;                    width, style, marker, size, edge, alpha, cap, clip
Dots        x, y, color;                    marker, size, edge, rim (width of the edge), alpha, clip
Discs       places, color, size;            marker, edge, rim, clip: each disc may have its own colour and size
Segments    begin, end, color;              width
Paths       paths, color;                   width, style, alpha: broken lines, in one colour or each in its own
Contours    x, y, H, levels, color;         width, style
Bars        places, values, color;          base, lying, width, edge, rim, hatch, names
Fill        x, y, color;                    alpha, low
Boxes       boxes, color;                   edge, rim, join (of the corners)
Polygons    corners, color;                 edge, rim, alpha
Field       fields, paint                   over the whole of the axes
Image       pixels, extent;                 smooth
Pixels      paint                           over the whole of the axes: what no other mark can draw
HLine       y, color;                       width, style
VLine       x, color;                       width, style
HSpan       low, high, color;               alpha: a strip beside a part of the y-axis
VSpan       left, right, color;             alpha: a strip above a part of the x-axis
Text        x, y, words, color;             side, up, size, weight, family, turn, spacing, box, halo, of
each of all                                 name, label (of one colour), tell (Line, Bars), see ``Mark``
Axes        title, x, y, marks one by one;  name, place, width, height, frame, bare, grid, equal, pad, dress;
                                            columns, left, spacing, length: of the labels of marks
Axis        label, low, high, ticks, names  log, room, most, zero, steady; ``powers_of_ten`` and ``signed`` make some
=========== =============================== ==============================================================

``width`` of a line, ``rim``, ``size`` and ``halo`` are in points; ``width`` of bars is in the units of their axis. A
rim has the colour ``edge``, "face" for that of the mark itself. One number of x or y stands for all.
"""

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from math import ceil, floor, log10
from typing import ClassVar

import numpy as np
from matplotlib.collections import LineCollection, PathCollection, PolyCollection
from matplotlib.image import AxesImage
from matplotlib.lines import Line2D
from matplotlib.markers import MarkerStyle
from matplotlib.patches import Rectangle
from matplotlib.patheffects import withStroke
from matplotlib.text import Text as Words
from matplotlib.transforms import IdentityTransform

from kernelkit.course.panel.numbers import listed, read_off, short
from kernelkit.course.panel.stretched import Enlarged, Painted, Stretched, opaque
from kernelkit.course.plots import INK, TEXT, contour_lines, sign_colours

# ---- words ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Live:
    """A title or a text that speaks of the pointer.

    stored : what stands there in the picture that a notebook stores.  still : on a page where nothing can be moved.
    """

    words: str
    stored: str = ""
    still: str = ""


def said(words, how="words"):
    """A title or a text as it stands in a live picture, or in one of the others that ``Live`` names."""
    return getattr(words, how) if isinstance(words, Live) else words


# ---- marks ------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, kw_only=True)
class Mark:
    """What is there.

    name : under which a sketch can hide it, and a test find it.
    label : stands above its axes in its colour, in place of a title.
    tell : what a pointer above or below it is told of what it has there: "h({x}) = {y}".
    moves : the fields that ``show`` gives to an artist; where others differ, the artist is made anew.
    each : the fields that have one for each thing that is drawn, or one for all.  tells : the names in ``tell``.
    """

    name: str = ""
    label: str = ""
    tell: str = ""
    moves: ClassVar = ()
    each: ClassVar = ()
    tells: ClassVar = ()

    def __post_init__(self):
        """A mark has copies of its arrays: one that is changed in place would be taken for the one that is shown."""
        for name, value in list(vars(self).items()):
            if isinstance(value, MANY):
                object.__setattr__(self, name, _kept(value))
        self.check()
        kind = type(self).__name__
        if self.label and not self.hue:
            raise ValueError(f"A label has the one colour of its mark, and {kind} has none for {self.label!r}.")
        try:
            if self.tell:
                self.tell.format(**dict.fromkeys(self.tells, ""))
        except (LookupError, ValueError, AttributeError):
            known = listed([f"{{{name}}}" for name in self.tells]) if self.tells else "nothing"
            raise ValueError(f"{kind} tells {known} of a place, got {self.tell!r}.") from None

    def check(self):
        """Refuse fields that do not fit together."""
        kind = type(self).__name__
        edge = getattr(self, "edge", None)
        if getattr(self, "rim", 1) == 0 and edge is not None and not (isinstance(edge, str) and edge == "none"):
            raise ValueError(f"{kind} with the edge {edge!r} needs a rim, the width of this edge.")
        counts = {name: _count(value) for name, value in self.counted().items()}
        if len({*counts.values()} - {None}) > 1:
            found = listed([f"{count} of {name}" for name, count in counts.items() if count is not None])
            raise ValueError(f"{kind} takes as many of one as of the other, got {found}.")

    def counted(self):
        """{field: what it has for each thing that is drawn}."""
        return {name: getattr(self, name) for name in self.each}

    @property
    def hue(self):
        """The one colour of the mark, "" where it has none."""
        color = getattr(self, "color", "")
        if color == "none":
            return getattr(self, "edge", "")
        return color if _is_colour(color) else ""

    @property
    def looks(self):
        """What an artist is made with."""
        return type(self), tuple(str(value) for name, value in vars(self).items() if name not in self.moves)

    def make(self, ax):
        """An artist of these axes that looks like this mark."""
        raise NotImplementedError

    def show(self, artist, how="words"):
        """Move it to where the mark says.  how : the words are said, see ``Live``."""
        raise NotImplementedError

    def at(self, x, y):
        """What the mark has at a place of its axes, {"x": …, "y": …} and more; None where that is nothing."""
        return None

    def news(self, old):
        """The names of the fields that say something else than those of an old mark of this kind."""
        was = vars(old)
        return [name for name, value in vars(self).items() if value is not was[name] and not _same(value, was[name])]

    def told(self, x, y):
        """What a pointer at this place is told, "" for nothing."""
        found = self.at(x, y) if self.tell else None
        return self.tell.format(**{name: _written(value) for name, value in found.items()}) if found else ""


MANY = np.ndarray, list, tuple


def _kept(value):
    """A copy that nobody else can change; of a tuple or a list, of all that is in it."""
    if isinstance(value, np.ndarray):
        value = value.copy()
        value.flags.writeable = False
        return value
    return type(value)([_kept(one) if isinstance(one, MANY) else one for one in value])


def _count(value):
    """How many these are, None for one that is for all."""
    many = isinstance(value, np.ndarray | list | tuple | range) and getattr(value, "ndim", 1) and not _is_colour(value)
    return len(value) if many else None


def _is_colour(value):
    """Whether this is one colour: its name, or a tuple of red, green and blue."""
    return isinstance(value, str) or (isinstance(value, tuple) and [*map(np.ndim, value)] in ([0] * 3, [0] * 4))


def _written(value):
    return read_off(value) if isinstance(value, float) else value


def _same(a, b):
    """Whether two fields say the same; arrays do where all their numbers do."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.array_equal(a, b)
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(map(_same, a, b))
    return a == b


@dataclass(frozen=True, eq=False)
class Line(Mark):
    """A line through the points (x, y), with a marker at each if it has one.  size, edge : of the markers."""

    x: np.ndarray
    y: np.ndarray
    color: str = INK
    _: KW_ONLY
    width: float = 2.0
    style: str | tuple = "-"
    marker: str = "none"
    size: float = 6.0
    edge: str | None = None
    alpha: float = 1.0
    cap: str = "projecting"
    clip: bool = True
    moves = "x", "y", "color"
    each = tells = "x", "y"

    def make(self, ax):
        look = {"linewidth": self.width, "linestyle": self.style, "alpha": self.alpha, "clip_on": self.clip}
        return Line2D([], [], marker=self.marker, ms=self.size, mec=self.edge, solid_capstyle=self.cap, **look)

    def show(self, artist, how="words"):
        artist.set_data(*_together(self.x, self.y))
        artist.set_color(self.color)

    def at(self, x, y):
        xs, ys = _together(self.x, self.y)
        inside = len(xs) > 0 and xs[0] <= x <= xs[-1]
        return {"x": float(x), "y": float(np.interp(x, xs, ys))} if inside else None


@dataclass(frozen=True, eq=False)
class Dots(Mark):
    """A marker at each of the points (x, y), all of one look; its edge is white, or of a cross its own colour."""

    x: np.ndarray
    y: np.ndarray
    color: str = INK
    _: KW_ONLY
    marker: object = "o"
    size: float = 7.0
    edge: str | None = None
    rim: float = 0.7
    alpha: float = 1.0
    clip: bool = True
    moves = each = "x", "y"

    def make(self, ax):
        edge = self.edge or (self.color if self.marker in ("x", "+", "_", "|") else "white")
        look = {"color": self.color, "mec": edge, "mew": self.rim, "ms": self.size, "alpha": self.alpha}
        return Line2D([], [], linestyle="", marker=self.marker, clip_on=self.clip, **look)

    def show(self, artist, how="words"):
        x, y = _together(self.x, self.y)
        artist.set_data(x, y)
        artist.set_visible(len(x) > 0)  # nothing is drawn, which costs nothing


def _together(x, y):
    """As many of x as of y, where one number stands for all."""
    return (x, y) if np.ndim(x) and np.ndim(y) else np.broadcast_arrays(np.atleast_1d(x), y)


@dataclass(frozen=True, eq=False)
class Discs(Mark):
    """A marker at each place; all of one colour, edge and size, or each of its own.  places : (n, 2).

    A point that is drawn by discs alone is a white ring while it is dragged.
    """

    places: np.ndarray
    color: str | list
    size: float | list
    _: KW_ONLY
    marker: str = "o"
    edge: str | list = "none"
    rim: float = 0.0
    clip: bool = True
    moves = each = "places", "color", "size", "edge"

    def make(self, ax):
        style = MarkerStyle(self.marker)
        path = style.get_path().transformed(style.get_transform())
        made = PathCollection([path], linewidths=self.rim, clip_on=self.clip, offset_transform=ax.transData)
        made.set_transform(IdentityTransform())
        return made

    def show(self, artist, how="words"):
        artist.set_offsets(np.reshape(self.places, (-1, 2)))
        artist.set_sizes(np.atleast_1d(self.size) ** 2, artist.axes.figure.dpi)
        artist.set_facecolor(self.color)
        artist.set_edgecolor(self.edge)
        artist.set_visible(len(self.places) > 0)


@dataclass(frozen=True, eq=False)
class Segments(Mark):
    """A straight line from each begin = (x, y) to its end = (x, y), in one colour or each in its own."""

    begin: tuple
    end: tuple
    color: str | list = INK
    _: KW_ONLY
    width: float = 1.0
    moves = "begin", "end", "color"

    def counted(self):
        (x0, y0), (x1, y1) = self.begin, self.end
        return {"begin[0]": x0, "begin[1]": y0, "end[0]": x1, "end[1]": y1, "color": self.color}

    def make(self, ax):
        return LineCollection([], linewidths=self.width)

    def show(self, artist, how="words"):
        x0, y0, x1, y1 = np.broadcast_arrays(*self.begin, *self.end)
        artist.set_segments(np.stack([x0, y0, x1, y1], axis=-1).reshape(-1, 2, 2))
        artist.set_color(self.color)


@dataclass(frozen=True, eq=False)
class Paths(Mark):
    """Broken lines, each through its points (n, 2); in one colour, or each in its own."""

    paths: list
    color: str | list = INK
    _: KW_ONLY
    width: float = 1.0
    style: str | tuple = "-"
    alpha: float = 1.0
    moves = each = "paths", "color"

    def make(self, ax):
        return LineCollection([], linewidths=self.width, linestyles=self.style, alpha=self.alpha)

    def show(self, artist, how="words"):
        artist.set_segments(self.paths)
        artist.set_color(self.color)


@dataclass(frozen=True, eq=False)
class Contours(Mark):
    """Where H (len(y), len(x)) has these values.  width, style : of all lines, or a tuple with one for each level."""

    x: np.ndarray
    y: np.ndarray
    H: np.ndarray
    levels: tuple = (0.0,)
    color: str = INK
    _: KW_ONLY
    width: float | tuple = 2.2
    style: str | tuple = "-"
    moves = "x", "y", "H"

    def check(self):
        wanted, found = (len(self.y), len(self.x)), np.shape(self.H)
        if found != wanted:
            raise ValueError(f"Contours has a row of H for each y and a column for each x, {wanted}, got {found}.")
        for name in ("width", "style"):
            looks = getattr(self, name)
            if isinstance(looks, tuple) and len(looks) != len(self.levels):
                raise ValueError(f"Contours has {len(self.levels)} levels, and its {name} says {len(looks)}.")

    def make(self, ax):
        return LineCollection([], color=self.color)

    def show(self, artist, how="words"):
        levels = contour_lines(self.x, self.y, self.H, self.levels)
        counts = [len(paths) for paths in levels]
        artist.set_segments([path for paths in levels for path in paths])
        for put, looks in ((artist.set_linestyle, self.style), (artist.set_linewidth, self.width)):
            if isinstance(looks, tuple):
                looks = [look for look, count in zip(looks, counts, strict=True) for _ in range(count)] or looks[0]
            put(looks)


@dataclass(frozen=True, eq=False)
class Bars(Mark):
    """A bar for each value at its place, from base on; orange where the value is ≥ 0, blue where it is negative.

    color : of all bars, or a list with one for each, in place of that.  names : of the bars, for ``tell``.
    """

    places: np.ndarray
    values: np.ndarray
    color: str | list | None = None
    _: KW_ONLY
    base: float | np.ndarray = 0.0
    lying: bool = False
    width: float = 0.76
    edge: str = "none"
    rim: float = 0.0
    hatch: str | None = None
    names: tuple | None = None
    moves = each = "places", "values", "color", "base", "names"
    tells = "i", "name", "y"

    def make(self, ax):
        return PolyCollection([], linewidth=self.rim, edgecolor=self.edge, hatch=self.hatch)

    def show(self, artist, how="words"):
        places, values, base = np.broadcast_arrays(*map(np.atleast_1d, (self.places, self.values, self.base)))
        sides = places - self.width / 2, places + self.width / 2
        corners = [(sides[i], base + values * end) for i, end in ((0, 0), (0, 1), (1, 1), (1, 0))]
        corners = np.stack([np.stack(corner, axis=-1) for corner in corners], axis=1)
        artist.set_verts(corners[..., ::-1] if self.lying else corners)
        artist.set_facecolor(sign_colours(values) if self.color is None else self.color)

    def at(self, x, y):
        places, values = np.atleast_1d(self.places), np.atleast_1d(self.values)
        along = y if self.lying else x
        i = int(np.abs(places - along).argmin()) if len(places) else 0
        if not len(places) or abs(places[i] - along) > 0.5:
            return None
        return {"i": i + 1, "name": self.names[i] if self.names else "", "y": float(values[i])}


@dataclass(frozen=True, eq=False)
class Fill(Mark):
    """The area between the curve (x, y) and a height, or another curve (x, low)."""

    x: np.ndarray
    y: np.ndarray
    color: str = INK
    _: KW_ONLY
    alpha: float = 0.16
    low: float | np.ndarray = 0.0
    moves = "x", "y", "color", "low"
    each = "x", "y", "low"

    def make(self, ax):
        return PolyCollection([], linewidth=0, alpha=self.alpha)

    def show(self, artist, how="words"):
        x, low = np.asarray(self.x), np.asarray(self.low)
        x, low = (x[::-1], low[::-1]) if low.ndim else (x[[-1, 0]] if len(x) else x, low)
        below = np.stack(np.broadcast_arrays(x, low), axis=-1)
        artist.set_verts([np.concatenate([np.stack([self.x, self.y], axis=-1), below])])
        artist.set_facecolor(self.color)


@dataclass(frozen=True, eq=False)
class Boxes(Mark):
    """Rectangles, all of one colour or each of its own.  boxes : (left, bottom, width, height) of each, (n, 4)."""

    boxes: list
    color: str | list
    _: KW_ONLY
    edge: str = "none"
    rim: float = 0.0
    join: str = "round"
    moves = each = "boxes", "color"

    def make(self, ax):
        return PolyCollection([], linewidth=self.rim, edgecolor=self.edge, joinstyle=self.join)

    def show(self, artist, how="words"):
        x, y, w, h = np.reshape(self.boxes, (-1, 4)).T
        artist.set_verts(np.stack([x, y, x + w, y, x + w, y + h, x, y + h], axis=-1).reshape(-1, 4, 2))
        artist.set_facecolor(self.color)


@dataclass(frozen=True, eq=False)
class Polygons(Mark):
    """Areas, all of one colour or each of its own.  corners : (n, 2) of each."""

    corners: list
    color: str | list
    _: KW_ONLY
    edge: str = "none"
    rim: float = 0.0
    alpha: float = 1.0
    moves = each = "corners", "color"

    def make(self, ax):
        return PolyCollection([], linewidth=self.rim, edgecolor=self.edge, alpha=self.alpha)

    def show(self, artist, how="words"):
        artist.set_verts(self.corners)
        artist.set_facecolor(self.color)


@dataclass(frozen=True, eq=False)
class Field(Mark):
    """A field (n, m), or several, over the whole of the axes.

    paint(field, …) : its colours, see ``Stretched``; the same function in every state.
    """

    fields: np.ndarray | tuple
    paint: Callable
    moves = ("fields",)

    @property
    def several(self):
        """The fields, also where there is one."""
        one = isinstance(self.fields, np.ndarray) and self.fields.ndim < 3
        return (self.fields,) if one else self.fields

    def check(self):
        if found := [np.shape(field) for field in self.several if np.ndim(field) != 2]:
            raise ValueError(f"Field takes fields of rows and columns, got the shape {found[0]}.")

    def make(self, ax):
        return Stretched(ax, self.paint)

    def show(self, artist, how="words"):
        artist.show(*self.several)


@dataclass(frozen=True, eq=False)
class Image(Mark):
    """Pixels (n, m, 3) in [0, 1], or bytes, from left to right and from low to high.

    extent : (left, right, low, high).  Each pixel is a sharp box; smooth : as Matplotlib enlarges it, in more time.
    """

    pixels: np.ndarray
    extent: tuple
    _: KW_ONLY
    smooth: bool = False
    moves = "pixels", "extent"

    def check(self):
        if np.ndim(self.pixels) != 3 or np.shape(self.pixels)[2] != 3:
            raise ValueError(f"Image takes pixels (rows, columns, 3), got the shape {np.shape(self.pixels)}.")

    def make(self, ax):
        return ax.add_artist(AxesImage(ax, origin="lower", extent=self.extent)) if self.smooth else Enlarged(ax)

    def show(self, artist, how="words"):
        if not self.smooth:
            artist.show(self.pixels, self.extent)
            return
        artist.set_data(opaque(self.pixels))
        if tuple(artist.get_extent()) != tuple(self.extent):
            artist.set_extent(self.extent)


@dataclass(frozen=True, eq=False)
class Pixels(Mark):
    """What no other mark can draw.  paint(fine) : the pixels of the screen in the axes, see ``Painted``."""

    paint: Callable
    moves = ("paint",)

    def make(self, ax):
        return Painted(ax)

    def show(self, artist, how="words"):
        artist.paint = self.paint


@dataclass(frozen=True, eq=False)
class HLine(Mark):
    """A line at the height y, from one side of the axes to the other."""

    y: float
    color: str = INK
    _: KW_ONLY
    width: float = 0.8
    style: str = "-"
    moves = ("y",)

    def make(self, ax):
        across = ax.get_yaxis_transform(which="grid")
        look = {"color": self.color, "linewidth": self.width, "linestyle": self.style}
        return Line2D([0, 1], [0, 0], transform=across, **look)

    def show(self, artist, how="words"):
        artist.set_ydata([self.y] * 2)


@dataclass(frozen=True, eq=False)
class VLine(Mark):
    """A line at the place x, from the bottom of the axes to the top."""

    x: float
    color: str = INK
    _: KW_ONLY
    width: float = 0.8
    style: str = "-"
    moves = ("x",)

    def make(self, ax):
        up = ax.get_xaxis_transform(which="grid")
        look = {"color": self.color, "linewidth": self.width, "linestyle": self.style}
        return Line2D([0, 0], [0, 1], transform=up, **look)

    def show(self, artist, how="words"):
        artist.set_xdata([self.x] * 2)


@dataclass(frozen=True, eq=False)
class HSpan(Mark):
    """The strip between two heights, from one side of the axes to the other."""

    low: float
    high: float
    color: str = INK
    _: KW_ONLY
    alpha: float = 0.08
    moves = "low", "high"

    def make(self, ax):
        across = ax.get_yaxis_transform(which="grid")
        return Rectangle((0, 0), 1, 1, transform=across, color=self.color, alpha=self.alpha, linewidth=0)

    def show(self, artist, how="words"):
        artist.set(y=self.low, height=self.high - self.low)


@dataclass(frozen=True, eq=False)
class VSpan(Mark):
    """The strip between two places, from the bottom of the axes to the top."""

    left: float
    right: float
    color: str = INK
    _: KW_ONLY
    alpha: float = 0.08
    moves = "left", "right"

    def make(self, ax):
        up = ax.get_xaxis_transform(which="grid")
        return Rectangle((0, 0), 1, 1, transform=up, color=self.color, alpha=self.alpha, linewidth=0)

    def show(self, artist, how="words"):
        artist.set(x=self.left, width=self.right - self.left)


@dataclass(frozen=True, eq=False)
class Text(Mark):
    """Words at a place.

    side : which part of the words is there, so at "left" they begin, and at "right" they end there.
    up : the same for their height, so at "bottom" they stand above the place, and at "top" they hang below it.
    family : of the letters, such as "monospace".
    turn : in degrees.  spacing : from one line to the next, in letters, if not as usual.
    box : of the ground behind them, as Matplotlib's ``bbox``.  halo : how wide, in points, they are edged with white.
    of : what x and y are parts of, "axes" or "figure"; "data": they are places of the axes.
    """

    x: float
    y: float
    words: str | Live
    color: str = "black"
    _: KW_ONLY
    side: str = "left"
    up: str = "baseline"
    size: float | str = TEXT
    weight: str = "normal"
    family: str | None = None
    turn: float = 0.0
    spacing: float | None = None
    box: dict | None = None
    halo: float = 0.0
    of: str = "data"
    moves = "x", "y", "words", "color", "side", "up"

    def make(self, ax):
        place = {"data": ax.transData, "axes": ax.transAxes, "figure": ax.figure.transFigure}[self.of]
        look = {"size": self.size, "weight": self.weight, "family": self.family, "linespacing": self.spacing}
        look |= {"rotation": self.turn, "bbox": self.box, "clip_on": False}
        if self.halo:
            look["path_effects"] = [withStroke(linewidth=self.halo, foreground="white")]
        return Words(transform=place, **look)

    def show(self, artist, how="words"):
        artist.set_position((self.x, self.y))
        artist.set_text(said(self.words, how))
        artist.set_color(self.color)
        artist.set_ha(self.side)
        artist.set_va(self.up)


# ---- axes -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Axis:
    """From low to high.

    ticks, names : as they are; None leaves them to Matplotlib, which makes ``most`` at most.
    room : the longest name that a tick will have, where names change.
    zero : a thin line where it is 0, below all marks; True, or its colour.
    steady : on the way to a scene it does not jump, but is as wide as the whole way needs it.
    """

    label: str = ""
    low: float = 0.0
    high: float = 1.0
    ticks: tuple | None = None
    names: tuple | None = None
    log: bool = False
    room: str = ""
    most: int | None = None
    zero: bool | str = False
    steady: bool = False

    def __post_init__(self):
        for name in ("ticks", "names"):
            if getattr(self, name) is not None:
                object.__setattr__(self, name, tuple(getattr(self, name)))

    @property
    def kind(self):
        """The scale, who makes its ticks, and what it is called."""
        return self.log, self.ticks is None, self.most, self.label

    @property
    def named(self):
        """Its ticks and their names."""
        return self.ticks, self.names

    def apply(self, ax, which, was=None, room=False):
        """Give Matplotlib's axes this axis, which had another before; with room for the longest names.

        Gives whether it is of another kind now.
        """
        anew = was is None or self.kind != was.kind
        axis = getattr(ax, f"{which}axis")
        if anew:
            ax.set(**{f"{which}scale": "log" if self.log else "linear", f"{which}label": self.label})  # and own ticks
        if anew or (self.low, self.high) != (was.low, was.high):
            ax.set(**{f"{which}lim": (self.low, self.high)})
        if self.ticks is not None and (anew or self.named != was.named):
            axis.set_ticks(self.ticks, [self.room] * len(self.ticks) if room and self.room else self.names)
            axis.minorticks_off()
        if self.ticks is None and self.most is not None and anew:
            axis.get_major_locator().set_params(**{"numticks" if self.log else "nbins": self.most})
        return anew


NO_AXIS = Axis(ticks=())


def powers_of_ten(label, low, high, name=short, most=7):
    """A logarithmic axis with ticks at powers of ten and nowhere else; of more than ``most`` every second, third …"""
    first, last = ceil(log10(low) - 1e-9), floor(log10(high) + 1e-9)
    step = ceil((last - first + 1) / most)
    ticks = [10.0**power for power in range(first, last + 1) if power % step == 0]
    return Axis(label, low, high, ticks, map(name, ticks), log=True)


def signed(label, limit, words=short, room="−0.005"):
    """An axis of values from −limit to limit, with a line at 0 and three ticks that ``words`` names."""
    ticks = -limit, 0, limit
    return Axis(label, -1.05 * limit, 1.05 * limit, ticks, map(words, ticks), room=room, zero=True)


class Axes:
    """A title, two axes, and marks; ``axes += marks`` lays some over them.

    name : by which a control, a question or a click means these axes.
    place : (left, bottom, width, height) as parts of the picture; None: where rows and columns put it.
    width, height : of its column and row against others; of axes that fill several rows the others say how high.
    frame : a line on all four sides.  bare : no lines and no ticks.  grid : pale lines at the ticks.
    equal : a unit is as long on both axes.
    columns : so many labels of marks stand in a row.  left, spacing, length : see ``parts.key``, for a long row.
    pad : of the title, in points, the same in every state.
    dress(ax) : what else is to be done to Matplotlib's axes; a function of the file, the same in every state.
    """

    def __init__(self, title="", x=NO_AXIS, y=NO_AXIS, *marks, name="", place=None, width=1, height=1, **look):
        self.title, self.marks, self.name, self.place = title, [], name, place
        self.width, self.height, self.x, self.y, self.look = width, height, x, y, Look(**look)
        self += marks

    def __iadd__(self, marks):
        self.marks += marks if isinstance(marks, list | tuple) else [marks]
        if self.title and self.labelled:
            labels = listed([repr(mark.label) for mark in self.labelled])
            raise ValueError(f"Labels stand where the title would, so leave out the title {self.title!r} or {labels}.")
        return self

    @property
    def labelled(self):
        """The marks with a label."""
        return [mark for mark in self.marks if mark is not None and mark.label]

    @property
    def labels(self):
        """What the labels of marks are made from."""
        return tuple((mark.hue, mark.looks) for mark in self.labelled)


@dataclass(frozen=True)
class Look:
    """How axes look, see ``Axes``."""

    frame: bool = False
    bare: bool = False
    grid: bool = False
    equal: bool = False
    columns: int = 4
    left: float = 0.0
    spacing: float = 1.3
    length: float = 1.7
    pad: float = 6.0
    dress: Callable | None = None

    @property
    def row(self):
        """How the labels of marks stand."""
        return {name: getattr(self, name) for name in ("columns", "left", "spacing", "length")}

    def apply(self, ax, was=None, anew=True):
        """Make Matplotlib's axes look like this, which looked otherwise before; anew : they have a new kind of axis."""
        if self != was:
            ax.spines[["top", "right"]].set_visible(self.frame)
            ax.axis("off" if self.bare else "on")
            ax.grid(visible=self.grid, **({"alpha": 0.3} if self.grid else {}))
            ax.set_aspect("equal" if self.equal else "auto")
        if self.dress and (anew or self != was):
            self.dress(ax)
