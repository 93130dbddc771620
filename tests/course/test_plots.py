"""How the course draws: by its own style, whatever the learner has set, and without a trace in what is set."""

import threading
from types import SimpleNamespace

import numpy as np
import pytest
from IPython.core.formatters import DisplayFormatter
from IPython.core.pylabtools import select_figure_formats
from matplotlib import rc_context, rcParams, rcParamsDefault, style
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from pandas import DataFrame, Series

from kernelkit import Gaussian, Polynomial, datasets
from kernelkit.course import plots
from kernelkit.course.panel.canvas import Canvas
from kernelkit.course.panel.marks import Axes


def another(name, value):
    """Another value that Matplotlib allows for this setting, or its own where we know of none."""
    words = ["s", "right", "top", "bottom", "bold", "italic", "serif", "stix", "--", "red", "round", "both"]
    numbers = [value / 2, 2 * value + 1] if isinstance(value, int | float) else []
    values = [not value] if isinstance(value, bool) else numbers or words
    for other in values:
        try:
            if rcParams.validate[name](other) != value:
                return other
        except (ValueError, RuntimeError):
            pass
    return value


LEFT = "backend", "interactive", "font."  # of these Matplotlib takes words that it cannot draw with
ALL = {name: another(name, value) for name, value in rcParamsDefault.items() if not name.startswith(LEFT)}
HOSTILE = ALL | style.library["dark_background"] | {"font.size": 23, "savefig.dpi": 37}


@pytest.fixture
def hostile():
    """A learner's setting, in which nothing is changed at the end."""
    with rc_context(HOSTILE):
        before = dict(rcParams)
        yield
        assert dict(rcParams) == before


def shown():
    """The picture of a figure as cells of the notebooks draw them, each way once."""
    sheet = plots.Sheet("S.", 6.0, 4.0)
    (ax, image), (routes, shadow) = sheet.subplots(2, 2, sharex="row")
    ax.plot([0, 1], [1, 0], label="a line")
    ax.text(0.2, 0.5, "$x_1$ and words")
    ax.annotate("here", (0.5, 0.5), (0.6, 0.8))
    ax.axhline(0.5)
    ax.fill_between([0, 1], [0, 0.2])
    ax.legend()
    ax.set(title="title", xlabel="$x$")
    ax.set_ylabel("$y$")
    sheet.figure.colorbar(image.imshow(np.eye(3)), label="height")
    sheet.figure.suptitle("of all")
    image.contour(np.arange(9.0).reshape(3, 3))
    image.set_xticks([0, 1], ["0", "1"])
    image.set_yticks([])
    X, y = datasets.half_planes(12)
    plots.plot_classes(X, y, image)
    plots.plot_routes(Polynomial(2), X[:4], routes)
    plots.plot_shadow(Polynomial(2), X[:1], X[1:2], shadow)
    return sheet._repr_mimebundle_()[0]["image/png"]


def test_a_figure_of_a_notebook_looks_the_same_whatever_style_the_learner_has_set(request):
    plain = shown()
    request.getfixturevalue("hostile")
    assert shown() == plain


def test_most_settings_are_changed_in_the_learners_style():
    assert sum(ALL[name] != rcParamsDefault[name] for name in ALL) > 0.8 * len(ALL)
    assert ALL["xaxis.labellocation"] == "right" and ALL["yaxis.labellocation"] == "top"


def test_a_sheet_looks_the_same_once_pyplot_tells_ipython_how_to_show_figures():
    sheet, ipython = plots.Sheet("S.", 3.0, 2.0), SimpleNamespace(display_formatter=DisplayFormatter())
    sheet.subplots().plot([0, 1], [1, 0])
    before = ipython.display_formatter.format(sheet)
    select_figure_formats(ipython, {"png"})
    assert ipython.display_formatter.format(sheet) == before == sheet._repr_mimebundle_()


def test_the_learners_own_figure_keeps_the_learners_style(hostile):
    plots.Sheet("S.").subplots()
    figure = Figure()
    assert figure.get_facecolor() == (0, 0, 0, 1) and figure.subplots().get_facecolor() == (0, 0, 0, 1)


def test_what_fails_on_the_way_leaves_the_learners_style(hostile):
    def fails(state):
        if state:
            raise ValueError("no")
        return [[Axes()]]

    canvas = Canvas(fails, lambda: False, (2, 2))
    with pytest.raises(ValueError, match="no"):
        canvas.frame(True)
    with pytest.raises(ValueError, match="recognized"):
        plots.Sheet("S.").subplots().plot([0], [0], "?")


def test_two_panels_that_are_drawn_in_two_threads_leave_the_learners_style(hostile):
    """The second begins while the first draws, and ends after it, if it may."""
    begun, over = threading.Event(), threading.Event()

    def first(drawn):
        if drawn:
            second.start()
            begun.wait(0.2)
        return [[Axes()]]

    def other(drawn):
        if drawn:
            begun.set()
            over.wait(0.2)
        return [[Axes()]]

    one, two = (Canvas(picture, lambda: False, (2, 2)) for picture in (first, other))
    second = threading.Thread(target=two.frame, args=(True,))
    one.frame(True)
    over.set()
    second.join()


@pytest.mark.parametrize("labels", [(-1, 1), (0, 1), (False, True), (1, 2), ("cat", "dog")], ids=str)
@pytest.mark.parametrize("kind", [list, np.array, lambda y: np.array(y)[:, None]], ids=["list", "array", "column"])
def test_every_point_is_drawn_in_the_colour_of_its_class_whatever_the_labels(labels, kind):
    X, y = datasets.half_planes(12)
    ax = plots.Sheet("S.").subplots()
    blue, orange = plots.plot_classes(X, kind([labels[int(t > 0)] for t in y]), ax).collections
    assert np.array_equal(blue.get_offsets(), X[y < 0]) and np.array_equal(orange.get_offsets(), X[y > 0])


ALONE = [(-1, None), (0, None), (False, None), (True, None), (1, [-1, 1]), (1, [1, 2]), (2, [1, 2]), ("b", ["b", "a"])]


@pytest.mark.parametrize(("label", "classes"), ALONE)
def test_one_label_alone_has_the_colour_that_it_has_next_to_the_other(label, classes):
    ax = plots.plot_classes(np.eye(2), [label, label], Figure().subplots(), classes)
    (seen,) = {to_hex(c).upper() for part in ax.collections if len(part.get_offsets()) for c in part.get_facecolor()}
    assert seen == (plots.ORANGE if label == max(classes or [label, True]) else plots.BLUE)


@pytest.mark.parametrize("label", [1, 2, 8, "no"])
def test_one_label_that_does_not_say_its_class_is_refused(label):
    with pytest.raises(ValueError, match="sees one label"):
        plots.plot_classes(np.eye(2), [label, label], Figure().subplots())


def test_a_sheet_may_have_equal_axes_and_a_twin():
    ax = plots.Sheet("S.").subplots()
    ax.plot([0, 1], [0, 3])
    ax.axis("equal")
    ax.figure.canvas.draw()
    other = plots.Sheet("S.").subplots()
    other.twinx().plot([0, 1], [0, 30])
    other.figure.canvas.draw()


def test_missing_labels_are_refused():
    with pytest.raises(ValueError, match="1 of 3 are missing"):
        plots.plot_classes(np.eye(3)[:, :2], [1, 2, np.nan], plots.Sheet("S.").subplots())


BARE = {
    "routes": lambda ax: plots.plot_routes(Polynomial(2), np.eye(2), ax),
    "shadow": lambda ax: plots.plot_shadow(Gaussian(1.0), np.zeros((1, 1)), np.ones((1, 1)), ax),
}


@pytest.mark.parametrize("draw", BARE.values(), ids=BARE)
def test_a_picture_without_axes_is_white_on_a_dark_figure_too(draw):
    with rc_context(style.library["dark_background"]):
        ax = draw(Figure().subplots())
        FigureCanvasAgg(ax.figure).draw()
    left, bottom, right, top = ax.bbox.extents.astype(int)
    seen = np.asarray(ax.figure.canvas.buffer_rgba())[::-1][bottom + 2 : top - 2, left + 2 : right - 2]
    assert (seen[:, :, :3].min(axis=2) > 200).mean() > 0.5


@pytest.mark.parametrize("X", [[[0, 1], [2, np.nan]], [[0], [1]], [[0, 1, 2], [1, 2, 3]], [[0, 1]]])
def test_what_is_no_point_of_the_plane_for_each_label_is_refused(X):
    with pytest.raises(ValueError, match=r"^(X must hold finite numbers|plot_classes draws a point of the plane)"):
        plots.plot_classes(X, [-1, 1], plots.Sheet("S.").subplots())


def test_labels_in_another_order_than_the_points_are_refused():
    X = DataFrame(np.eye(2), index=["b", "a"])
    with pytest.raises(ValueError, match="same names in different orders"):
        plots.plot_classes(X, Series([-1, 1], index=["a", "b"]), plots.Sheet("S.").subplots())


def test_more_than_two_classes_are_refused():
    with pytest.raises(ValueError, match="draws two classes"):
        plots.plot_classes(np.eye(3)[:, :2], [1, 2, 3], plots.Sheet("S.").subplots())
    with pytest.raises(ValueError, match=r"got the labels \[1, 2, 3\] for classes=\[1, 2\]"):
        plots.plot_classes(np.eye(3)[:, :2], [1, 2, 3], plots.Sheet("S.").subplots(), classes=[1, 2])


def test_the_shadow_reads_its_landmarks_and_its_point_as_the_kernel_does():
    C, k = DataFrame({"a": [0.0], "b": [1.0]}), Gaussian(1.0)
    with pytest.raises(ValueError, match="in one order"):
        plots.plot_shadow(k, C, Series({"b": 1.0, "a": 0.0}), Figure().subplots())
    with pytest.raises(ValueError, match="one landmark or two, got 3"):
        plots.plot_shadow(k, np.eye(3), np.ones(3), Figure().subplots())


def test_words_that_leave_the_axes_can_be_read_on_a_black_figure():
    with rc_context(style.library["dark_background"]):
        figure = Figure(figsize=(4, 3))
        ax = figure.subplots()
        plots.plot_routes(Polynomial(2), np.eye(4)[:, :2], ax)
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
    pixels, high = np.asarray(canvas.buffer_rgba()), figure.bbox.height
    for text in (text for text in ax.texts if text.get_text()):
        box = text.get_window_extent()
        part = pixels[int(high - box.y1) : int(high - box.y0), max(int(box.x0), 0) : int(box.x1), :3]
        assert part.max(axis=(0, 2)).min() > 200, f"{text.get_text()!r} has no light ground"
