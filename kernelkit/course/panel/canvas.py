"""The canvas that shows pictures of marks, see ``marks``: a figure that is drawn once, and in which then little moves.

What is drawn once and kept is the background: all axes without what moves, and of each the lowest marks that have
never changed. It is drawn anew when limits, ticks or labels differ, or when one of these marks changes after all. The
last few backgrounds are kept, for whoever goes one step back.
"""

from dataclasses import replace
from functools import cached_property, lru_cache

import numpy as np
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.markers import MarkerStyle

from kernelkit.course.panel.layout import settle
from kernelkit.course.panel.lettering import LetteringCanvas
from kernelkit.course.panel.marks import said
from kernelkit.course.panel.parts import key
from kernelkit.course.panel.sketch import Drawn
from kernelkit.course.plots import DPI, INK, drawing

KEPT = 8  # backgrounds of one figure, of 1 MB each at the usual size
PLAIN = "M-6,0 A6,6 0 1 1 6,0 A6,6 0 1 1 -6,0 Z", "white", INK, 2.0  # a path of SVG, its fill, stroke and width
NO_MARKER = ("None", "none", None, "", " ", ",")


class Shown:
    """Axes of Matplotlib, and what they show.

    marks : those that are there now, None where there is none.  artists, drawn : who draws them, and the mark that
    each of these looks like.  still : so many of the lowest have never changed.  named : whether the title never has.
    limits : (x, y) as wide as the way needs them, where they are ``steady``.  fixed : what is drawn once, as it is now.
    """

    def __init__(self, ax, axes):
        self.ax, self.how, self.fixed, self.limits, self.zeros = ax, "words", None, [None, None], {}
        self.marks, self.artists, self.drawn, self.still, self.named = [], [], [], 0, True
        self.steady = axes.x.steady or axes.y.steady
        self._frame(self._fixed(axes), axes, room=True)
        self.fixed = None
        self.title = ax.set_title(said(axes.title), pad=axes.look.pad, animated=True)

    def _fixed(self, axes):
        """What is drawn once of these axes: both of them, how they look, and their labels with a piece of each mark."""
        x, y = (
            axis if wide is None else replace(axis, low=wide.low, high=wide.high, ticks=wide.ticks, names=wide.names)
            for axis, wide in zip((axes.x, axes.y), self.limits, strict=True)
        )
        return x, y, axes.look, axes.labels

    def _frame(self, fixed, axes, room=False):
        """Change what differs of what is drawn once; with room for the longest names, before axes get places."""
        old, self.fixed = self.fixed or (None,) * 4, fixed
        (*both, look, labels), anew = fixed, False
        for which, axis, was in zip("xy", both, old[:2], strict=True):
            anew |= axis.apply(self.ax, which, was, room)
            if was is None or axis.zero != was.zero:
                self._rule(which, axis.zero)
        look.apply(self.ax, old[2], anew)
        self.ax.apply_aspect()  # which drawing does, but a background that was kept is not drawn
        if (look, labels) != old[2:]:
            self._label(axes)

    def _rule(self, which, zero):
        """A thin line where this axis is 0, or none."""
        if which in self.zeros:
            self.zeros.pop(which).remove()
        if zero:
            line = {"x": self.ax.axvline, "y": self.ax.axhline}[which]
            self.zeros[which] = line(0, color=INK if zero is True else zero, linewidth=0.8)

    def _label(self, axes):
        """The labels of marks above the axes."""
        if self.ax.get_legend():
            self.ax.get_legend().remove()
        if axes.labelled:
            pieces = {mark.label: _shown_alone(mark, self.ax) for mark in axes.labelled}
            key(self.ax, pieces, colours=[mark.hue for mark in axes.labelled], **axes.look.row)

    def hold(self, axes):
        """Make its steady axes as wide as these need them, too, with the ticks of the widest."""
        for i, axis in enumerate((axes.x, axes.y)):
            if axis.steady:
                was = self.limits[i] or axis
                low, high = min(axis.low, was.low), max(axis.high, was.high)
                self.limits[i] = replace(axis if (low, high) == (axis.low, axis.high) else was, low=low, high=high)

    def show(self, axes):
        """Move what differs."""
        first = not self.artists
        if (fixed := self._fixed(axes)) != self.fixed:
            self._frame(fixed, axes)
        for held in (self.marks, self.artists, self.drawn):
            held += [None] * (len(axes.marks) - len(held))
        marks = axes.marks + [None] * (len(self.marks) - len(axes.marks))
        moved = [i for i, mark in enumerate(marks) if self._move(i, mark)]
        title = said(axes.title, self.how)
        if title != self.title.get_text():
            self.title.set_text(title)
            self.named = False
        self.still = len(marks) if first else min([self.still, *moved])

    def _move(self, i, mark):
        """Show this mark; whether anything has changed."""
        was, looks, artist = self.marks[i], self.drawn[i], self.artists[i]
        if mark is was is looks:
            return False
        self.marks[i] = mark
        if mark is None:
            if was is not None:
                artist.set_visible(False)
            return was is not None
        news = mark.news(looks) if type(mark) is type(looks) else None
        if news == [] and was is not None:
            return False
        if news is None or not set(news) <= {*mark.moves}:
            if artist is not None:
                artist.remove()
            artist = self.artists[i] = mark.make(self.ax)
            if artist.axes is None:
                self.ax.add_artist(artist)
            artist.set_animated(True)
        artist.set_visible(True)
        mark.show(artist, self.how)
        self.drawn[i] = mark
        return True

    def store(self, how):
        """From now on words are said so, see ``Live``; and what is drawn already is drawn anew."""
        self.how, self.drawn = how, [None] * len(self.drawn)

    def draw(self, renderer, still, hidden=()):
        """Draw what is still, or the rest; but nothing by a name that is hidden."""
        part = slice(None, self.still) if still else slice(self.still, None)
        for mark, artist in zip(self.marks[part], self.artists[part], strict=True):
            if artist is not None and artist.get_visible() and not (mark.name and mark.name in hidden):
                artist.draw(renderer)
        if self.named == still:
            self.title.draw(renderer)

    def told(self, x, y):
        """What the uppermost mark that knows the place says of it."""
        return next(filter(None, (mark.told(x, y) for mark in reversed(self.marks) if mark is not None)), "")


def _shown_alone(mark, ax):
    """An artist that looks like a mark, for the label above; it does even where the mark is empty."""
    artist = mark.make(ax)
    mark.show(artist)
    artist.set_visible(True)
    return artist


class Canvas:
    """A persistent figure that shows pictures: picture(state) → rows of ``Axes``, and one that fills several repeats.

    start() : the state for which the axes get their places, when they are needed first.
    asks : a ``Sketch`` that learners draw into it, or None.  named : names that axes must have.
    """

    @drawing()
    def __init__(self, picture, start, size, ratio=1.0, asks=None, named=()):
        self.picture, self.start, self.asks, self.named, self.backgrounds = picture, start, asks, named, {}
        self.sketch = None
        self.figure = Figure(figsize=[side + 1e-6 for side in size], dpi=DPI * ratio)
        self.canvas = LetteringCanvas(self.figure)

    @cached_property
    @drawing()
    def shown(self):
        """{name or number: what is shown in these axes}."""
        placed = self._placed(self.picture(self.start()))
        shown = {axes.name or i: Shown(ax, axes) for i, (axes, ax) in enumerate(placed)}
        wanted = (*self.named, self.asks.axes) if self.asks else self.named
        if unknown := [name for name in wanted if name not in shown]:
            known = [name for name in shown if isinstance(name, str)]
            raise ValueError(f"No axes of this picture are called {unknown[0]!r}; the names of its axes are {known}.")
        marks = {mark.name for axes, _ in placed for mark in axes.marks if mark is not None}
        if self.asks and (unknown := [name for name in self.asks.hides if name not in marks]):
            raise ValueError(f"The sketch hides {unknown[0]!r}, but at the start no mark of this picture is called so.")
        settle(self.figure)
        self.sketch = self.asks and Drawn(shown[self.asks.axes].ax, self.asks)
        return shown

    def _placed(self, rows):
        """(axes, Matplotlib's axes) of each of the axes, which stand once however many places they fill."""
        axes = _different(rows)
        if len({bool(one.place) for one in axes}) > 1:
            raise ValueError("Give a place to all axes of a picture, or to none: rows and columns place them then.")
        if axes[0].place:
            return [(one, self.figure.add_axes(one.place)) for one in axes]
        columns = [*zip(*rows, strict=True)]
        ratios = {"width_ratios": _sizes(columns, "width"), "height_ratios": _sizes(rows, "height")}
        made = self.figure.subplot_mosaic([[axes.index(one) for one in row] for row in rows], **ratios)
        return [(one, made[i]) for i, one in enumerate(axes)]

    @drawing()
    def hold(self, states):
        """Let steady axes be as wide as all these states need it, until ``let_go``."""
        if not any(shown.steady for shown in self.shown.values()):
            return
        for state in states:
            for shown, axes in zip(self.shown.values(), _different(self.picture(state)), strict=True):
                shown.hold(axes)

    def let_go(self):
        """Let each state have its own limits again."""
        for shown in self.shown.values():
            shown.limits = [None, None]

    @drawing()
    def move(self, state):
        """Let the artists show this state."""
        for shown, axes in zip(self.shown.values(), _different(self.picture(state)), strict=True):
            shown.show(axes)

    @drawing()
    def frame(self, state, drawn=None, hidden=()):
        """The pixels (height, width, 4) that show this state.

        drawn : the handles of a sketch, None for none.  hidden : names of marks that are left out.
        """
        self.move(state)
        self._restore((hidden, *((shown.fixed, shown.still, shown.named) for shown in self.shown.values())))
        renderer = self.canvas.get_renderer()
        for shown in self.shown.values():
            shown.draw(renderer, False, hidden)
        if self.sketch and drawn is not None:
            if drawn != self.sketch.handles:
                self.sketch.show(drawn)
            for line in self.sketch.lines:
                line.set_visible(True)
                line.draw(renderer)
        return np.asarray(self.canvas.buffer_rgba()).copy()

    def _restore(self, key):
        if key in self.backgrounds:
            self.canvas.restore_region(self.backgrounds[key])
            return
        self._draw_background()
        for shown in self.shown.values():
            shown.draw(self.canvas.get_renderer(), True, key[0])
        self.backgrounds[key] = self.canvas.copy_from_bbox(self.figure.bbox)
        if len(self.backgrounds) > KEPT:
            del self.backgrounds[next(iter(self.backgrounds))]

    def axes(self, name):
        """The axes of this name."""
        return self.shown[name].ax

    @property
    def telling(self):
        """Whether a mark says anything of a place."""
        return any(mark.tell for shown in self.shown.values() for mark in shown.marks if mark is not None)

    def told(self, x, y):
        """What a mark says of a place in the picture, as fractions from its upper left corner."""
        inside = (name for name in self.shown if self.is_inside(name, x, y))
        return next((self.shown[name].told(*self.to_data(name, x, y)) for name in inside), "")

    def store(self, state, how="stored"):
        """Show this state, and from now on tell nobody to do anything by hand.  how : see ``Live``."""
        for shown in self.shown.values():
            shown.store(how)
        self.move(state)

    def _draw_background(self):
        """Draw what does not move. Matplotlib before 3.11 would draw the animated images as well."""
        images = [image for ax in self.figure.axes for image in ax.images]
        moving = [image for image in images if image.get_animated() and image.get_visible()]
        for image in moving:
            image.set_visible(False)
        self.canvas.draw()
        for image in moving:
            image.set_visible(True)

    def looks(self, axes, places):
        """How each of these points is drawn: from the lowest of its markers to the uppermost, as paths of SVG.

        Each path is (d, fill, stroke, stroke-width).
        """
        lines = [line for line in self.axes(axes).lines if line.get_visible() and line.get_marker() not in NO_MARKER]
        looks = [()] * len(places)
        for line in sorted(lines, key=lambda line: line.get_zorder()):
            colours = _web(line.get_markerfacecolor()), _web(line.get_markeredgecolor())
            path = outline(line.get_marker(), line.get_markersize()), *colours, line.get_markeredgewidth() * DPI / 72
            drawn = {(float(x), float(y)) for x, y in zip(*line.get_data(), strict=True)}
            looks = [(*look, path) if place in drawn else look for look, place in zip(looks, places, strict=True)]
        return [look or (PLAIN,) for look in looks]

    def to_data(self, axes, x, y):
        """Data coordinates of a place in the picture, x and y as fractions from its upper left corner."""
        width, height = self.figure.bbox.size
        return self.axes(axes).transData.inverted().transform((x * width, (1 - y) * height))

    def is_inside(self, axes, x, y):
        """Whether a place in the picture, as fractions, lies in these axes."""
        width, height = self.figure.bbox.size
        return self.axes(axes).bbox.contains(x * width, (1 - y) * height)

    def to_pixels(self, axes, points):
        """Places of data points in the picture, in pixels of the shown size."""
        pixels = self.axes(axes).transData.transform(points) * DPI / self.figure.dpi
        return np.column_stack([pixels[:, 0], self.figure.bbox.height * DPI / self.figure.dpi - pixels[:, 1]])


@lru_cache
def outline(marker, size):
    """A marker of Matplotlib as a path of SVG around (0, 0), in pixels of the shown size."""
    style, scale = MarkerStyle(marker, "full"), size * DPI / 72
    path = style.get_path().transformed(style.get_transform().scale(scale, -scale))
    rings = path.to_polygons(closed_only=False)
    return " ".join("M" + " L".join(f"{x:.1f},{y:.1f}" for x, y in ring) for ring in rings)


def _web(colour):
    return "none" if isinstance(colour, str) and colour == "none" else to_hex(colour, keep_alpha=True)


def _different(rows):
    return list({id(axes): axes for row in rows for axes in row}.values())


def _sizes(lines, size):
    """How wide columns are, or how high rows: as those of their axes say that stand in the fewest others."""
    return [getattr(min(line, key=lambda one: sum(one in other for other in lines)), size) for line in lines]
