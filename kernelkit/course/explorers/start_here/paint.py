"""Notebook 00. Points of two colours that are sprayed, and the surface above them that separates the colours."""

from types import SimpleNamespace

import numpy as np
from scipy.ndimage import maximum_filter

from kernelkit import Gaussian, KernelRidge
from kernelkit.course.explorers.drawing.boundary import decision_on_grid, grid, pale, shade, value_at
from kernelkit.course.explorers.drawing.field import Field
from kernelkit.course.explorers.drawing.relief import Relief
from kernelkit.course.panel.controls import NoQuestion, Samples, Slider
from kernelkit.course.panel.explorer import Explorer
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
POSE = {"unit": 42.5, "high": 62, "low": -TALL, "middle": (190, 176)}  # of the block, in pixels


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
        sigma=sigma,
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


def build(figure):
    ax = figure.add_axes((12 / 700, 18 / 380, 320 / 700, 320 / 380))
    ax.set_title("from above: drag to paint", pad=7)
    space = figure.add_axes((332 / 700, 0, 368 / 700, 350 / 380), xlim=(0, 368), ylim=(0, 350))
    space.set_axis_off()
    figure.text(366 / 700, 346 / 380, "seen at an angle: $h$, and glass at height 0")
    return {
        "plane": ax,
        "field": Field(ax, X1, X2, scale(BLUE, ORANGE, 0.45), size=6),
        "boundary": ax.plot([], [], color=INK, linewidth=2.4, animated=True, zorder=6, clip_on=False)[0],
        "rings": ax.plot([], [], "o", ms=13, mfc="none", mec=INK, mew=1.6, animated=True, zorder=7)[0],
        "space": space,
        "relief": Relief(space, REACH, **POSE),
        "cut": space.plot([], [], color=INK, linewidth=2, animated=True, zorder=2)[0],
        "sunk": {label: _dots(space, MARKERS[label], pale(colour), 1) for label, colour in COLOURS.items()},
        "lifted": {label: _dots(space, MARKERS[label], colour, 3) for label, colour in COLOURS.items()},
    }


def _dots(ax, marker, colour, zorder):
    return ax.plot([], [], marker, color=colour, ms=4.6, mec="white", mew=0.5, animated=True, zorder=zorder)[0]


def draw(parts, state):
    field, relief = parts["field"], parts["relief"]
    field.show(state.fallen * shade(X1, X2, state.H, state.X))
    field.points(state.X, state.y)
    high = state.risen * min(1.0, TALL / max(np.abs(state.H).max(), TALL))
    relief.show(high * state.H)
    heights = high * state.h
    seen, places = relief.sees(state.X, heights), relief.project(state.X, heights)
    for label in COLOURS:
        for name, there in (("sunk", heights < 0), ("lifted", heights >= 0)):
            parts[name][label].set_data(*places[seen & there & (state.y == label)].T)
    _draw_cut(parts, state)


def _draw_cut(parts, state):
    """The cut where it is seen on the surface, and on its way from there into the plane."""
    start = parts["relief"].project(state.cut)
    parts["cut"].set_data(*np.where(parts["relief"].sees(state.cut)[:, None], start, np.nan).T)
    parts["cut"].set_visible(state.risen > 0)
    to_plane = parts["plane"].transData.inverted()
    from_side = to_plane.transform(parts["space"].transData.transform(start))
    parts["boundary"].set_data(*((1 - state.fallen) * from_side + state.fallen * state.cut).T)
    parts["boundary"].set_visible(state.fallen > 0)
    parts["rings"].set_data(*state.X[state.wrong & (state.fallen == 1)].T)


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


paint = Explorer(
    title="Paint, and it separates",
    controls=(
        Samples("points", "point", spirals(), (-REACH, -REACH), (REACH, REACH), "plane", most=400, spray=True),
        Slider("sigma", "width σ", 0.45, 0.15, 1.5, 0.05),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left a square with painted points, orange and blue, and the black boundary where h = 0; a point on "
    "the wrong side has a ring. On the right the surface h above the square, seen at an angle, with the points on it.",
    code=code,
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
