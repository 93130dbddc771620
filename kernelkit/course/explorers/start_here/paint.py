"""Notebook 00. Points of two colours that are sprayed, and the surface above them that separates the colours."""

from types import SimpleNamespace

import numpy as np
from scipy.ndimage import maximum_filter

from kernelkit import Gaussian, KernelRidge
from kernelkit.course.explorers.drawing.boundary import decision_on_grid, grid, pale, shade, value_at
from kernelkit.course.explorers.drawing.relief import DotsOn, LineOn, Surface, View
from kernelkit.course.explorers.drawing.shades import whole_frame
from kernelkit.course.panel.controls import NoQuestion, Samples, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Dots, Field, Line, Live, Pixels, Text
from kernelkit.course.panel.numbers import bracketed, percent, read_off, typed
from kernelkit.course.panel.stretched import scale
from kernelkit.course.plots import BLUE, INK, MARKERS, ORANGE, contour_lines

COLOURS = {-1: BLUE, +1: ORANGE}
REACH, LAM = 3.0, 0.3
X1, X2 = grid((-REACH, -REACH), (REACH, REACH), 101)
SILENT = 0.05  # |h| that is almost 0
FAINT = 1e-6  # |h| below which there is no boundary to draw
TALL = 1.25  # a surface that is higher is drawn lower as a whole
RISEN, FLIES = 0.6, 0.55  # the part of the time after which the surface has risen, and that after which the cut flies
PLANE, SPACE = (12, 18, 320, 320), (332, 0, 368, 350)  # left, low, width and height of what is seen, in pixels
VIEW = View(REACH, SPACE[2:], unit=42.5, high=62, low=-TALL, middle=(190, 176))
PAINT = scale(BLUE, ORANGE, 0.45)


def spirals():
    """Two spirals, one of each colour, that wind around each other."""
    along = np.sqrt(np.linspace(0.01, 1, 75))
    angle, radius = 2.6 * np.pi * along, 0.2 + 2.45 * along
    arm = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return _sprayed(np.vstack([arm, -arm]), np.repeat([1, -1], 75))


def heart():
    """A heart in orange on a ground of blue."""
    return _coloured(lambda x, y: (x**2 + (y + 0.3) ** 2 - 2.2) ** 3 < 1.5 * x**2 * (y + 0.3) ** 3)


def yin_and_yang():
    """A round picture whose halves each hold a dot of the other colour."""

    def orange(x, y):
        high, low = np.hypot(x, y - 1.2), np.hypot(x, y + 1.2)
        return ((x > 0) & (low > 1.2) | (high < 1.2)) & (high > 0.45) | (low < 0.45)

    return _coloured(orange, lambda x, y: np.hypot(x, y) < 2.6)


def chessboard():
    """Fields of one colour and the other."""
    return _coloured(lambda x, y: (np.floor(x / 1.5) + np.floor(y / 1.5)) % 2 == 0)


def _coloured(orange, inside=lambda x, y: x < REACH, side=18):
    """Points all over the plane, where it is inside, with their colour."""
    x, y = 0.93 * np.array(np.meshgrid(*2 * [np.linspace(-REACH, REACH, side)])).reshape(2, -1)
    kept = inside(x, y)
    return _sprayed(np.column_stack([x, y])[kept], np.where(orange(x, y), 1, -1)[kept])


def _sprayed(places, labels):
    """Points as a spray would leave them, a little scattered, as the control has them."""
    places = places + np.random.default_rng(0).normal(scale=0.07, size=places.shape)
    return tuple((*map(float, place), int(label)) for place, label in zip(places.round(2), labels, strict=True))


def compute(points, sigma, played=1.0):
    data = np.reshape(points, (-1, 3))
    X, y = data[:, :2], data[:, 2]
    H, h = np.zeros((len(X2), len(X1))), np.zeros(len(y))
    if len(y):
        model = KernelRidge(Gaussian(sigma), lam=LAM).fit(X, y)
        H, h = decision_on_grid(model, X1, X2), model.predict(X)
    return SimpleNamespace(
        X=X,
        y=y,
        H=H,
        h=h,
        cut=_joined(contour_lines(X1, X2, _heard(H), [0.0])[0]),
        wrong=h * y <= 1e-9,  # h is 0, but for rounding, where points of both colours are at one place
        silent=float((np.abs(H) < SILENT).mean()),
        risen=_smooth(played / RISEN),
        fallen=_smooth((played - FLIES) / (1 - FLIES)),
    )


def _heard(H):
    """H, but for where it falls silent: what its sign is there, no bump decides."""
    return np.where(maximum_filter(np.abs(H), 3) > FAINT, H, np.nan)


def _joined(lines):
    """Lines as one, with gaps in between: (n, 2)."""
    gap = np.full((1, 2), np.nan)
    return np.vstack([gap, *(part for line in lines for part in (line, gap))])


def _smooth(part):
    """From 0 to 1, slowly at both ends."""
    part = min(max(part, 0.0), 1.0)
    return part * part * (3 - 2 * part)


def picture(s):
    """The plane comes last, because on its way into it the cut lies over the surface."""
    return [[_surface(s), _plane(s)]]


def _place(left, low, width, height):
    return left / 700, low / 380, width / 700, height / 380


def _surface(s):
    """The block with the points on it and the cut, where they are seen."""
    high = s.risen * min(1.0, TALL / max(np.abs(s.H).max(), TALL))
    surface, heights = Surface(VIEW, high * s.H), high * s.h

    def dots(those, label, colour):
        those, look = those & (s.y == label), {"marker": MARKERS[label], "size": 4.6, "rim": 0.5}
        return DotsOn(*s.X[those].T, colour, surface=surface, heights=heights[those], **look)

    return Axes(
        "",
        Axis("", 0, SPACE[2], ()),
        Axis("", 0, SPACE[3], ()),
        Text(34, 346, "seen at an angle: $h$, and glass at height 0"),
        Pixels(surface.paint, name="block"),
        *(dots(heights < 0, c, pale(COLOURS[c])) for c in COLOURS),
        LineOn(*s.cut.T, surface=surface) if s.risen > 0 else None,
        *(dots(heights >= 0, c, COLOURS[c]) for c in COLOURS),
        name="space",
        place=_place(*SPACE),
        bare=True,
    )


def _plane(s):
    """The points, and the boundary, which comes over from where the surface is cut."""
    side = PLANE[2] / (2 * REACH)
    start = (VIEW.project(s.cut) + np.subtract(SPACE, PLANE)[:2]) / side - REACH
    boundary = (1 - s.fallen) * start + s.fallen * s.cut
    return Axes(
        "",
        Axis("", -REACH, REACH, ()),
        Axis("", -REACH, REACH, ()),
        Text(0, 1 + 9.722 / PLANE[3], Live("from above: drag to paint", "from above", "from above"), of="axes"),
        Field(s.fallen * shade(X1, X2, s.H, s.X), PAINT),
        *(Dots(*s.X[s.y == c].T, COLOURS[c], marker=MARKERS[c], size=6) for c in COLOURS),
        Line(*boundary.T, width=2.4, clip=False, name="boundary") if s.fallen > 0 else None,
        Dots(*s.X[s.wrong & (s.fallen == 1)].T, "none", size=13, edge=INK, rim=1.6, name="rings"),
        name="plane",
        place=_place(*PLANE),
        dress=whole_frame,
    )


def readout(state):
    return {
        "σ": f"{state.sigma:.2f}",
        "points on the wrong side": f"{state.wrong.sum()} of {len(state.y)}",
        f"part of the square where |h| < {SILENT}": percent(state.silent, 0),
    }


def tell(state, x, y):
    return f"h = {read_off(value_at(X1, X2, state.H, (x, y)))}"


def code(points, sigma):
    if not points:
        return 'print("The sheet is empty: paint at least one point, and there is something to learn from.")'
    return (
        "import numpy as np\nfrom kernelkit import Gaussian, KernelRidge\n"
        "from kernelkit.course.explorers.start_here import paint\n\n"
        "def separated(points):\n    X, y = points[:, :2], points[:, 2]  # +1 is orange\n"
        f"    model = KernelRidge(Gaussian({sigma!r}), lam={LAM}).fit(X, y)\n"
        "    return np.sign(model.predict(X)) == y  # above 0 or below\n\n"
        f"print(separated({_in_code(points)}))"
    )


def _in_code(points):
    """The points of the sheet: those of the drawing that it began with by its name, and what was painted after that."""
    drawings = {"paint.start()": paint.start()} | {f"paint.scenes[{name!r}]": s for name, s in paint.scenes.items()}
    drawings = {name: values["points"] for name, values in drawings.items() if "points" in values}
    name, drawing = max(drawings.items(), key=lambda item: len(set(item[1]) & set(points)))
    gone = [str(i) for i, point in enumerate(drawing) if point not in points]
    mine = [point for point in points if point not in drawing]
    if len(gone) > len(drawing) / 2:
        return f"np.array({typed(points)})"
    kept = f'{name}["points"]'
    kept = f"np.delete({kept}, {bracketed(gone)}, axis=0)" if gone else f"np.array({kept})"
    return f"np.vstack([\n    {kept},\n    {typed(mine)},\n])" if mine else kept


paint = panel(
    compute,
    picture,
    readout,
    code,
    Samples("points", "point", spirals(), (-REACH, -REACH), (REACH, REACH), "plane", most=400, spray=True),
    Slider("sigma", "width σ", 0.45, 0.15, 1.5, 0.05),
    title="Paint, and it separates",
    shows="On the left a square with painted points, orange and blue, and the black boundary where h = 0; a point on "
    "the wrong side has a ring. On the right the surface h above the square, seen at an angle, with the points on it.",
    film=("sigma",),
    scenes={
        "Heart": {"points": heart(), "sigma": 0.35},
        "Yin and yang": {"points": yin_and_yang(), "sigma": 0.35},
        "Chessboard": {"points": chessboard(), "sigma": 0.5},
        "Spirals, too narrow": {"sigma": 0.15},
        "Spirals, too wide": {"sigma": 1.3},
    },
    question=NoQuestion(because="it is the first picture of the course, and asks only to be played with"),
    act={"Empty sheet": lambda **values: {"points": ()}},
    tell={"plane": tell},
    play=3.0,
    playing="Raise h",
)
