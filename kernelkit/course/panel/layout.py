"""Where the axes of a picture are: rows and columns, with room around each for what it carries.

The canvas makes its axes with Matplotlib's own ``subplot_mosaic``, gives them the titles, ticks and labels of the first
picture, and calls ``settle``, which measures all of them and moves the axes, so that each has the room that it needs.

After that nothing moves any more, because a frame draws over a kept background. So an axis whose ticks change later is
measured with the widest of them, the ``room`` of its ``Axis``. Of what is animated only the titles are measured, and of
titles only how high they are.
"""

import warnings

from matplotlib.layout_engine import ConstrainedLayoutEngine

ROOM = {"w_pad": 0.08, "h_pad": 0.08, "wspace": 0.06, "hspace": 0.06}  # inches around axes; parts of the figure between


def settle(figure):
    """Give the axes of ``subplot_mosaic`` their final places; other axes stay where they are."""
    if not any(ax.get_subplotspec() for ax in figure.axes):
        return
    for ax in figure.axes:
        for artist in ax.get_children():
            artist.set_in_layout(artist.get_in_layout() and not artist.get_animated())
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message="constrained_layout not applied")
        try:
            ConstrainedLayoutEngine(**ROOM).execute(figure)
        except UserWarning as warning:
            width, height = figure.bbox.size
            raise ValueError(
                f"A picture of {width:.0f} × {height:.0f} pixels has no room for all its axes with their labels: take "
                "fewer rows or columns, or shorter labels."
            ) from warning
