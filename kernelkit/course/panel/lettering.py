"""A canvas that draws each piece of text once: Matplotlib renders it anew in every frame, glyph by glyph.

In a live picture half the time of a frame goes into words that were there before. Here what was rendered is kept, and
put where the text stands now; the same pixels, up to the rounding of one more blend.
"""

from functools import lru_cache
from math import ceil

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg

KEPT = 4000  # pieces of text, of some kilobytes each
SUBPIXEL = 64  # glyphs are placed in such parts of a pixel


@lru_cache
def _ruler(dpi):
    """A renderer that only measures."""
    return RendererAgg(1, 1, dpi)


@lru_cache(maxsize=KEPT)
def measured(s, prop, ismath, dpi):
    """A text's width, height and descent in pixels, for the canvases of all panels: a formula is read for it."""
    return _ruler(dpi).get_text_width_height_descent(s, prop, ismath)


@lru_cache(maxsize=KEPT)
def rendered(s, prop, angle, ismath, colour, dpi, right, up):
    """A text's pixels, and how far its start lies right of and above their lower left corner, in whole pixels.

    angle : 0 or 90.  colour : rgba, and the alpha that overrides its own, or None.  right, up : parts of a pixel.
    """
    w, h, below = measured(s, prop, ismath, dpi)
    room = ceil(prop.get_size_in_points() * dpi / 72)  # slanted letters lean over their edge
    before, under = (room, ceil(below) + room) if angle == 0 else (ceil(h - below) + room, room)
    width, height = (ceil(side) + 2 * room + 1 for side in ((w, h) if angle == 0 else (h, w)))
    scratch = RendererAgg(width, height, dpi)
    scratch.mathtext_parser = _ruler(dpi).mathtext_parser  # it remembers the formulas it has read
    gc = scratch.new_gc()
    gc.set_foreground(colour[0], isRGBA=True)
    gc.set_alpha(colour[1])
    RendererAgg.draw_text(
        scratch, gc, before + right / SUBPIXEL, height - under - up / SUBPIXEL, s, prop, angle, ismath
    )
    return np.ascontiguousarray(np.asarray(scratch.buffer_rgba())[::-1]), before, under


class Lettering(RendererAgg):
    """Agg, but for text, which is measured and rendered once."""

    def get_text_width_height_descent(self, s, prop, ismath):
        if ismath == "TeX":
            return super().get_text_width_height_descent(s, prop, ismath)
        return measured(s, prop.copy(), ismath, self.dpi)

    def draw_text(self, gc, x, y, s, prop, angle, ismath=False, mtext=None):
        if angle not in (0, 90) or ismath == "TeX":
            return super().draw_text(gc, x, y, s, prop, angle, ismath, mtext)
        places = [divmod(round(SUBPIXEL * place), SUBPIXEL) for place in (x, self.height - y)]
        (left, right), (bottom, up) = places
        colour = gc.get_rgb(), gc.get_alpha() if gc.get_forced_alpha() else None
        pixels, before, under = rendered(s, prop, angle, ismath, colour, self.dpi, right, up)
        opaque = self.new_gc()
        opaque.set_clip_rectangle(gc.get_clip_rectangle())
        self.draw_image(opaque, left - before, bottom - under, pixels)
        opaque.restore()


class LetteringCanvas(FigureCanvasAgg):
    """Agg's canvas, whose size never changes, with this renderer."""

    def get_renderer(self):
        if not hasattr(self, "renderer"):
            self.renderer = Lettering(*self.get_width_height(physical=True), self.figure.dpi)
        return self.renderer
