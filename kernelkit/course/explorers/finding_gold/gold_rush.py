"""Notebook 13. Gold rush: a map in fog, twenty holes to drill, and a ghost that drills as often as you do."""

import re
from functools import lru_cache
from math import ceil, floor
from types import SimpleNamespace

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.path import Path

from kernelkit import Gaussian
from kernelkit.arrays import first_largest
from kernelkit.course.explorers.data.gold import HOLES, MAPS, PLACES, SIDE, T, model_of, races, truth_of
from kernelkit.course.explorers.drawing.shades import whole_frame
from kernelkit.course.panel.controls import Choice, NoQuestion, Slider, Text
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import fixed, short
from kernelkit.course.panel.parts import Bars, reframed
from kernelkit.course.panel.stretched import Stretched, opaque
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE, TEXT
from kernelkit.models.kriging import root
from kernelkit.study.drilling import STRATEGIES, drill, expected_improvement

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWX"
NAMES = {"hills": "drawn", "smooth": "smooth", "real": "real"}
GHOSTS = tuple(s for s in STRATEGIES if s != "Thompson")  # whose draws take longer than a frame may
BEST = "expected improvement"
MAP = 22  # where the panel begins: no scene gives it away
SEEN = 46  # the map of the scenes; on both, whoever is greedy stays on a small hill
HIDDEN = 19  # the real map with a narrow peak in a corner, which the ghost never looks at
CLIMBED = (  # the holes of the upper confidence bound on it
    f"real map {HIDDEN}: D15 D3 L5 A7 A24 C24 E24 C23 B24 D24 B23 F24 A23 A22 D23 A1 E11 X24 G1 G3"
)
LOW = -2.5  # the lowest ground that the bars and the colours tell apart
RAMP = LinearSegmentedColormap.from_list(
    "rock to gold",
    [(0, "#1E2B33"), (0.35, "#3F4A40"), (0.6, "#7D6433"), (0.8, "#D39A16"), (0.93, "#FFCF33"), (1, "#FFF1A8")],
)
COLOURS = RAMP(np.linspace(0, 1, 256))[:, :3].astype(np.float32)
FOG = np.array([0.985, 1.0, 1.02], np.float32)
YOURS, GHOSTLY, GOLD = "#BFDDD3", "#DCCBE4", "#E2A91B"
STRIP = -0.72, -0.6  # where the colours are, beside the bars
FINE = np.linspace(0, 1, 2 * SIDE + 1)  # where the picture asks for the ground, its edges among them


# ---- the game ---------------------------------------------------------------------------------


def name_of(place):
    """The place of that number as on a chessboard: A1 is below on the left."""
    return f"{LETTERS[place % SIDE]}{place // SIDE + 1}"


def title_of(ground, number):
    """What a map is called: map 7, smooth map 7."""
    return f"map {number}" if ground == "drawn" else f"{ground} map {number}"


def read_holes(text, ground, number):
    """The places of a text such as "C7 K12", each once and HOLES at most; and the words that are none.

    A text such as "map 7: C7 K12" says nothing of any other map.
    """
    title, colon, words = text.rpartition(":")
    if colon and re.fullmatch(r"((smooth|real) )?map \d+", title.strip()):
        words = words if title.strip() == title_of(ground, number) else ""
    elif colon:
        return [], [title.strip()]
    places, strange = [], []
    for word in re.split(r"[\s,;]+", words.strip()):
        found = re.fullmatch(r"([A-Xa-x])0*([1-9]|1\d|2[0-4])", word)
        if found:
            places.append(LETTERS.index(found[1].upper()) + SIDE * (int(found[2]) - 1))
        elif word:
            strange.append(word)
    return list(dict.fromkeys(places))[:HOLES], strange


def written(title, places):
    """The text of these holes, which names its map."""
    return f"{title}: {' '.join(map(name_of, places))}" if len(places) else ""


@lru_cache(maxsize=256)
def known(ground, number, places):
    """The mean and the standard deviation at every place, after these holes."""
    if not places:
        return np.zeros(len(PLACES)), np.ones(len(PLACES))
    holes = list(places)
    return model_of(ground).fit(PLACES[holes], truth_of(ground, number)[holes]).predict(PLACES, return_std=True)


@lru_cache(maxsize=64)
def ghost_of(ground, number, strategy):
    """All holes of the ghost on this map: it begins where chance wants it, and never sees yours."""
    return drill(model_of(ground), PLACES, truth_of(ground, number), strategy, HOLES, number)


def played(strategy, holes, number=SEEN):
    """The text of a game: of a strategy, or of "greedy", who drills where the mean is largest."""
    if strategy != "greedy":
        run = drill(model_of("drawn"), PLACES, truth_of("drawn", number), strategy, HOLES, number + 1)
        return written(title_of("drawn", number), run.places[:holes].tolist())
    places = [int(ghost_of("drawn", number, BEST).places[0])]
    while len(places) < holes:
        mean = known("drawn", number, tuple(places))[0].copy()
        mean[places] = -np.inf
        places.append(int(first_largest(mean)))
    return written(title_of("drawn", number), places)


def compute(ground, number, holes, column, row, ghost, fog):
    places, strange = read_holes(holes, ground, number)
    truth, run = truth_of(ground, number), ghost_of(ground, number, ghost)
    mean, std = known(ground, number, tuple(places))
    n = len(places)
    over = n == HOLES
    return SimpleNamespace(
        title=title_of(ground, number),
        strange=strange,
        places=places,
        values=truth[places],
        ghost_places=run.places[:n],
        ghost_values=run.values[:n],
        first=int(run.places[0]),
        truth=truth,
        best=truth.max(),
        mean=mean,
        std=std,
        fog=fog if over else 1.0,
        over=over,
        ended=over and not strange,
        richest=name_of(places[int(truth[places].argmax())]) if places else "",
        thickest=name_of(int(first_largest(std))),
        regret=races()[ground][ghost][:, -1].mean(),
        target=(column - 1) + SIDE * (row - 1),
    )


# ---- the picture ------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _finer():
    """(FINE, SIDE): from the middles of the cells to the finer lines, along one side; a constant stays constant."""
    k = Gaussian(1.5 / SIDE)
    shares = np.linalg.solve(k(T[:, None]) + 1e-6 * np.eye(SIDE), k(T[:, None], FINE[:, None])).T
    return shares / shares.sum(axis=1, keepdims=True)


def _fine(field):
    return _finer() @ field.reshape(SIDE, SIDE) @ _finer().T


@lru_cache(maxsize=1)
def _clouds():
    """The brightness of the fog, from draws of a wide and of a narrow Gaussian kernel, like the hills themselves."""
    rng, roots = np.random.default_rng(5), [root(Gaussian(sigma)(FINE[:, None])) for sigma in (0.13, 0.05)]
    wide, narrow = (R @ rng.standard_normal((len(FINE),) * 2) @ R.T for R in roots)
    return np.clip(0.92 + 0.03 * wide + 0.015 * narrow, 0.83, 0.99)


def _paint(share, light, fog, cloud):
    """The ground in its colour and light, and over it fog: opaque RGBA bytes."""
    rgb = COLOURS.take((255 * share).astype(np.uint8), axis=0)
    rgb *= (light * (1 - fog))[..., None]
    rgb += (cloud * fog)[..., None] * FOG
    return opaque(np.clip(rgb, 0, 1, out=rgb))


def _ghost():
    """A ghost as a marker: a dome, a wavy hem and two eyes."""
    turn = np.linspace(0, np.pi, 13)
    hem = np.linspace(1, -1, 13)
    outline = [*zip(np.cos(turn), 0.2 + np.sin(turn), strict=True)]
    outline += [(-x, -0.95 + 0.22 * np.cos(3 * np.pi * x)) for x in hem]
    around = np.linspace(0, -2 * np.pi, 9)[:-1]
    eyes = [[*zip(x + 0.2 * np.cos(around), 0.3 + 0.26 * np.sin(around), strict=True)] for x in (-0.38, 0.38)]
    rings = [np.array([*ring, ring[0]]) for ring in (outline, *eyes)]
    codes = [[Path.MOVETO, *[Path.LINETO] * (len(ring) - 2), Path.CLOSEPOLY] for ring in rings]
    return Path(np.concatenate(rings), np.concatenate(codes))


MINE = {"marker": "D", "color": GREEN, "mec": "white", "mew": 1.0}
ITS = {"marker": _ghost(), "color": "white", "mec": PURPLE, "mew": 1.1}


def build(figure):
    return _build_map(figure.add_axes((0.038, 0.068, 0.492, 0.912))) | _build_bars(
        figure.add_axes((0.60, 0.155, 0.385, 0.745))
    )


def _build_map(ax):
    whole_frame(ax)
    ax.set(xlim=(-0.5, SIDE - 0.5), ylim=(-0.5, SIDE - 0.5))
    ax.set_xticks(range(0, SIDE, 4), LETTERS[::4])
    ax.set_yticks(range(3, SIDE, 4), range(4, SIDE + 1, 4))
    ax.tick_params(length=0, pad=3)
    look = {"linestyle": "none", "animated": True, "clip_on": False}
    target = {"marker": "o", "color": "none", "mec": INK, "mew": 1.4, "ms": 16, "zorder": 6}
    star = {"marker": "*", "color": "none", "mec": INK, "mew": 2.0, "ms": 34, "zorder": 5}  # a hole there is seen in it
    return {
        "map": ax,
        "land": Stretched(ax, _paint),
        "ghost holes": ax.plot([], [], **ITS, ms=10, zorder=3, **look)[0],
        "holes": ax.plot([], [], **MINE, ms=8, zorder=4, **look)[0],
        "star": ax.plot([], [], **star, **look)[0],
        "target": ax.plot([], [], **target, **look)[0],
        "call": ax.text(11.5, 16.5, "click where you want to drill", ha="center", size="large", animated=True),
    }


def _build_bars(ax):
    bars = Bars(ax, width=0.84, zorder=1)
    ax.set(xlim=(STRIP[0], 2.5))
    ax.spines["left"].set_visible(False)
    ax.set_ylabel("gold, 0: average", labelpad=2)
    ax.set_xlabel("each mark is a hole, each bar the richest", color=GREY, labelpad=4)
    ax.set_xticks(range(3), ["you", "ghost", "the best"])
    ax.tick_params(length=0, pad=4)
    ax.tick_params(axis="x", labelsize=TEXT, labelcolor=INK)
    ax.spines["bottom"].set_visible(False)
    look = {"linestyle": "none", "animated": True, "zorder": 3, "ms": 5}
    word = {"ha": "center", "va": "bottom", "animated": True}
    return {
        "race": ax,
        "bars": bars,
        "ramp": ax.imshow(COLOURS[:, None], extent=(*STRIP, 0, 1), origin="lower", aspect="auto", animated=True),
        "finds": ax.plot([], [], **MINE | {"mew": 0.5}, **look)[0],
        "ghost finds": ax.plot([], [], **ITS | {"mew": 0.8}, **look | {"ms": 6.5})[0],
        "words": [ax.text(x, 0, "", **word) for x in range(3)],
        "headline": ax.text(0, 1.06, "", transform=ax.transAxes, size="large", animated=True),
    }


def draw(parts, state):
    _draw_map(parts, state)
    _draw_bars(parts, state)


def _draw_map(parts, state):
    height = _fine(state.mean + (1 - state.fog) * (state.truth - state.mean))
    share = np.clip((height - LOW) / (state.best - LOW), 0, 1)
    up, right = np.gradient(height, FINE, FINE)
    light = np.clip(1 + 0.022 * (up - right), 0.72, 1.25)
    fog = np.clip(state.fog * _fine(state.std**2), 0, 1)
    parts["land"].show(share, light, fog, _clouds())
    _put(parts["holes"], state.places)
    _put(parts["ghost holes"], state.ghost_places)
    _put(parts["star"], [state.truth.argmax()] if state.fog < 0.5 else [])
    _put(parts["target"], [] if state.over else [state.target])
    parts["call"].set_visible(not state.places)


def _put(dots, places):
    places = np.array(places, int)
    dots.set_data(places % SIDE, places // SIDE)


def _draw_bars(parts, state):
    ax, top = parts["race"], 0.5 * ceil(2 * max(state.best, 0) + 0.5)
    found = np.array([*(v.max() if len(v) else 0 for v in (state.values, state.ghost_values)), state.best])
    parts["bars"].show(range(3), found, [YOURS, GHOSTLY, GOLD])
    steps = (np.arange(HOLES) + 0.5) / HOLES * 0.78 - 0.39
    parts["finds"].set_data(steps[: len(state.values)], np.maximum(state.values, LOW))
    parts["ghost finds"].set_data(1 + steps[: len(state.values)], np.maximum(state.ghost_values, LOW))
    for text, value, shown in zip(parts["words"], found, [state.places, state.places, True], strict=True):
        text.set(text=fixed(value) if shown else "", y=max(value, 0) + 0.12)
    words, colour = _headline(state)
    parts["headline"].set(text=words, color=colour)
    parts["ramp"].set_extent((*STRIP, LOW, state.best))
    if reframed(ax, top):
        ticks = range(ceil(LOW), floor(top) + 1)
        ax.set(ylim=(LOW - 0.1, top + 0.15), yticks=ticks, yticklabels=map(short, ticks))


def _headline(state):
    """What stands above the bars, and its colour."""
    left = HOLES - len(state.places)
    if left:
        return f"{left} hole{'s' if left > 1 else ''} left", INK
    lead = state.values.max() - state.ghost_values.max()
    if lead == 0:
        return f"a draw: you in {state.values.argmax() + 1} holes, ghost in {state.ghost_values.argmax() + 1}", INK
    return (f"you win by {fixed(lead)}", GREEN) if lead > 0 else (f"the ghost wins by {fixed(-lead)}", PURPLE)


# ---- the words --------------------------------------------------------------------------------


def message(state):
    if not state.strange:
        return ""
    strange = state.strange[0][:20] or ":"
    return f"“{strange}” is not a place of this map. Places are A1 to X{SIDE}."


def readout(state):
    return {
        f"{state.title}: you found": f"{fixed(state.values.max())} at {state.richest}" if state.places else None,
        "ghost found": fixed(state.ghost_values.max()) if state.places else None,
        "best there is": fixed(state.best) if state.ended else None,
        "largest deviation": f"{fixed(state.std.max())} at {state.thickest}",
        f"ghost's mean regret over {MAPS} maps": fixed(state.regret) if state.ended else None,
    }


def code(ground, number, holes, column, row, ghost, fog):
    places = read_holes(holes, ground, number)[0]
    lines = ["from kernelkit import Gaussian, Kriging, Matern"]
    lines += ["from kernelkit.course.explorers.data.gold import PLACES, truth_of"]
    lines += ["from kernelkit.study.drilling import drill, expected_improvement", ""]
    lines += [f"truth = truth_of({ground!r}, {number})", f"model = {model_of(ground)!r}"]
    lines += [f"ghost = drill(model, PLACES, truth, {ghost!r}, {HOLES}, random_state={number})"]
    if places:
        lines += [f"# {written(title_of(ground, number), places)}", f"holes = {places}"]
        lines += ["model.fit(PLACES[holes], truth[holes])"]
        lines += ["mean, std = model.predict(PLACES, return_std=True)  # the fog is std**2"]
        lines += ["gain = expected_improvement(mean, std, best=truth[holes].max())"]
        lines += ["first = (gain >= gain.max() * (1 - 1e-9)).argmax()  # of equally good places"]
        lines += ["print('the ghost would drill', first, 'next')"]
        lines += [f"print('you found', truth[holes].max(), 'the ghost', ghost.values[:{len(places)}].max())"]
    return "\n".join([*lines, "print('the best there is', truth.max())"])


# ---- the moves --------------------------------------------------------------------------------


def _kept(state, places):
    """The game with these holes; with the last of them the fog lifts."""
    return {"holes": written(state.title, places), "fog": 0.0 if len(places) == HOLES else 1.0}


def _drilled(state, place):
    if state.over or place in state.places:
        return {}
    return _kept(state, [*state.places, place]) | {"column": place % SIDE + 1, "row": place // SIDE + 1}


def _place_at(x, y):
    return int(np.clip(round(x), 0, SIDE - 1)) + SIDE * int(np.clip(round(y), 0, SIDE - 1))


def _clicked(state, x, y):
    return _drilled(state, _place_at(x, y))


def _drill_here(**values):
    state = compute(**values)
    return _drilled(state, state.target)


def _ask_the_ghost(**values):
    """One more hole, where the gain that your holes make one expect is largest."""
    state = compute(**values)
    if not state.places:
        return _drilled(state, state.first)
    gain = expected_improvement(state.mean, state.std, state.values.max())
    gain[state.places] = -np.inf
    return _drilled(state, int(first_largest(gain)))


def _undo(**values):
    state = compute(**values)
    return _kept(state, state.places[:-1])


def _start_again(**values):
    return {"holes": "", "fog": 1.0}


def _tell(state, x, y):
    place = _place_at(x, y)
    if state.fog < 0.5:
        return f"{name_of(place)}: {fixed(state.truth[place])}"
    return f"{name_of(place)}: {fixed(state.mean[place])} ± {fixed(2 * state.std[place])}"


gold_rush = Explorer(
    title="Gold rush",
    controls=(
        Slider("number", "map no.", MAP, 1, MAPS, 1),
        Slider("column", "column, 1 is A", 12, 1, SIDE, 1),
        Slider("row", "row", 12, 1, SIDE, 1),
        Text(
            "holes",
            "holes",
            "",
            ("E5 S7 L15", "c3, K12;X24 A1", f"map {MAP}: E5", "Z9 E5 E5 E25"),
            more=True,
        ),
        Choice("ground", "ground", "drawn", NAMES),
        Choice("ghost", "the ghost", BEST, GHOSTS),
        Slider(
            "fog",
            "fog",
            1.0,
            0.0,
            1.0,
            0.05,
            when=lambda v: len(read_holes(v["holes"], v["ground"], v["number"])[0]) == HOLES,
            more=True,
        ),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    message=message,
    shows="On the left a map of 24 by 24 places, with columns A to X and rows 1 to 24: the ground from grey to gold "
    "under a fog that is thick where nothing is known, your holes as green diamonds and those of the ghost as small "
    "ghosts. On the right three bars for the richest hole of yours, that of the ghost and the best place of all, with "
    "a mark for each hole.",
    code=code,
    scenes={
        "Halfway": {"number": SEEN, "holes": played("upper confidence bound", 10)},
        "The fog is gone": {"number": SEEN, "holes": played("upper confidence bound", HOLES), "fog": 0.0},
        "A greedy game": {"number": SEEN, "holes": played("greedy", HOLES), "fog": 0.0},
        "Far apart": {"number": SEEN, "holes": played("regular grid", HOLES), "fog": 0.0},
        "The ghost fails": {"number": HIDDEN, "ground": "real", "holes": CLIMBED, "fog": 0.0},
        "Smooth ground": {"number": SEEN, "ground": "smooth", "holes": "A1 A24 X1 X24"},
    },
    act={"Drill here": _drill_here, "Undo": _undo, "Ask the ghost": _ask_the_ghost, "Start again": _start_again},
    question=NoQuestion(because="the game itself asks, hole by hole, and answers at once"),
    tell={"map": _tell},
    click={"map": _clicked},
    motion=True,
    eased=True,
)
