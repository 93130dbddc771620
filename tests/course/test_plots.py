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
    """And the learner's own figure has that style."""
    assert sum(ALL[name] != rcParamsDefault[name] for name in ALL) > 0.8 * len(ALL)
    plain = shown()
    request.getfixturevalue("hostile")
    assert shown() == plain
    figure = Figure()
    assert figure.get_facecolor() == (0, 0, 0, 1) and figure.subplots().get_facecolor() == (0, 0, 0, 1)


def test_a_sheet_looks_the_same_once_pyplot_tells_ipython_how_to_show_figures():
    sheet, ipython = plots.Sheet("S.", 3.0, 2.0), SimpleNamespace(display_formatter=DisplayFormatter())
    sheet.subplots().plot([0, 1], [1, 0])
    before = ipython.display_formatter.format(sheet)
    select_figure_formats(ipython, {"png"})
    assert ipython.display_formatter.format(sheet) == before == sheet._repr_mimebundle_()


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


def test_a_sheet_may_have_equal_axes_and_a_twin():
    ax = plots.Sheet("S.").subplots()
    ax.plot([0, 1], [0, 3])
    ax.axis("equal")
    ax.twinx().plot([0, 1], [0, 30])
    ax.figure.canvas.draw()


@pytest.mark.parametrize("labels", [(-1, 1), (0, 1), (False, True), (1, 2), ("cat", "dog")], ids=str)
@pytest.mark.parametrize("kind", [list, np.array, lambda y: np.array(y)[:, None]], ids=["list", "array", "column"])
def test_every_point_is_drawn_in_the_colour_of_its_class_whatever_the_labels(labels, kind):
    X, y = datasets.half_planes(12)
    blue, orange = plots.plot_classes(X, kind([labels[int(t > 0)] for t in y]), Figure().subplots()).collections
    assert np.array_equal(blue.get_offsets(), X[y < 0]) and np.array_equal(orange.get_offsets(), X[y > 0])


ALONE = [(-1, None), (0, None), (False, None), (True, None), (1, [-1, 1]), (1, [1, 2]), (2, [1, 2]), ("b", ["b", "a"])]


@pytest.mark.parametrize(("label", "classes"), ALONE)
def test_one_label_alone_has_the_colour_that_it_has_next_to_the_other(label, classes):
    ax = plots.plot_classes(np.eye(2), [label, label], Figure().subplots(), classes)
    (seen,) = {to_hex(c).upper() for part in ax.collections if len(part.get_offsets()) for c in part.get_facecolor()}
    assert seen == (plots.ORANGE if label == max(classes or [label, True]) else plots.BLUE)


A_POINT_OF_THE_PLANE = r"^(X must hold finite numbers|plot_classes draws a point of the plane)"
REFUSED = [
    *(([label, label], np.eye(2), None, "sees one label") for label in (1, 2, 8, "no")),
    ([1, 2, np.nan], np.eye(3)[:, :2], None, "1 of 3 are missing"),
    ([1, 2, 3], np.eye(3)[:, :2], None, "draws two classes"),
    ([1, 2, 3], np.eye(3)[:, :2], [1, 2], r"got the labels \[1, 2, 3\] for classes=\[1, 2\]"),
    *(
        ([-1, 1], X, None, A_POINT_OF_THE_PLANE)
        for X in ([[0, 1], [2, np.nan]], [[0], [1]], [[0, 1, 2], [1, 2, 3]], [[0, 1]])
    ),
    (Series([-1, 1], index=["a", "b"]), DataFrame(np.eye(2), index=["b", "a"]), None, "same names in different orders"),
]


@pytest.mark.parametrize(("y", "X", "classes", "says"), REFUSED)
def test_labels_and_points_that_are_not_two_classes_of_the_plane_are_refused(y, X, classes, says):
    with pytest.raises(ValueError, match=says):
        plots.plot_classes(X, y, Figure().subplots(), classes)


def test_the_shadow_reads_its_landmarks_and_its_point_as_the_kernel_does():
    C, k = DataFrame({"a": [0.0], "b": [1.0]}), Gaussian(1.0)
    with pytest.raises(ValueError, match="in one order"):
        plots.plot_shadow(k, C, Series({"b": 1.0, "a": 0.0}), Figure().subplots())
    with pytest.raises(ValueError, match="one landmark or two, got 3"):
        plots.plot_shadow(k, np.eye(3), np.ones(3), Figure().subplots())


BARE = {
    "routes": lambda ax: plots.plot_routes(Polynomial(2), np.eye(4)[:, :2], ax),
    "shadow": lambda ax: plots.plot_shadow(Gaussian(1.0), np.zeros((1, 1)), np.ones((1, 1)), ax),
}


@pytest.mark.parametrize("draw", BARE.values(), ids=BARE)
def test_a_picture_without_axes_is_white_on_a_dark_figure_and_so_are_words_that_leave_it(draw):
    with rc_context(style.library["dark_background"]):
        ax = draw(Figure(figsize=(4, 3)).subplots())
        FigureCanvasAgg(ax.figure).draw()
    pixels = np.asarray(ax.figure.canvas.buffer_rgba())[::-1]  # from below
    left, bottom, right, top = ax.bbox.extents.astype(int)
    assert (pixels[bottom + 2 : top - 2, left + 2 : right - 2, :3].min(axis=2) > 200).mean() > 0.5
    for text in (text for text in ax.texts if text.get_text()):
        box = text.get_window_extent()
        part = pixels[max(int(box.y0), 0) : int(box.y1), max(int(box.x0), 0) : int(box.x1), :3]
        assert part.max(axis=(0, 2)).min() > 200, f"{text.get_text()!r} has no light ground"
