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
from kernelkit.course.panel.controls import Choice, NoQuestion, Slider, Text
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Bars, Dots, Field, Image, Live, Text as Words
from kernelkit.course.panel.numbers import fixed, short
from kernelkit.course.panel.stretched import opaque
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
CALL = "click where you want to drill"
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


HEM = _ghost()  # not again for each picture, because a mark that has another marker is made anew


def picture(s):
    top = 0.5 * ceil(2 * max(s.best, 0) + 0.5)
    found = np.array([*(v.max() if len(v) else 0 for v in (s.values, s.ghost_values)), s.best])
    words, colour = _headline(s)
    steps = (np.arange(HOLES) + 0.5) / HOLES * 0.78 - 0.39
    ground = Axes(
        "",
        Axis("", -0.5, SIDE - 0.5, range(0, SIDE, 4), LETTERS[::4]),
        Axis("", -0.5, SIDE - 0.5, range(3, SIDE, 4), map(str, range(4, SIDE + 1, 4))),
        Field(_land(s), _paint, name="land"),
        _ghosts(*_at(s.ghost_places), size=10, rim=1.1, clip=False),
        _diamonds(*_at(s.places), size=8, rim=1.0, clip=False, name="holes"),
        _ring([s.truth.argmax()] if s.fog < 0.5 else [], marker="*", size=34, rim=2.0, name="star"),
        _ring([] if s.over else [s.target], size=16, rim=1.4),
        None if s.places else Words(11.5, 16.5, Live(CALL, CALL), side="center", size="large"),
        name="map",
        place=(0.038, 0.068, 0.492, 0.912),
        frame=True,
        dress=_plain,
    )
    ticks = range(ceil(LOW), floor(top) + 1)
    race = Axes(
        "",
        Axis("each mark is a hole, each bar the richest", STRIP[0], 2.5, range(3), ("you", "ghost", "the best")),
        Axis("gold, 0: average", LOW - 0.1, top + 0.15, ticks, map(short, ticks), zero=True),
        Image(COLOURS[:, None], (*STRIP, LOW, s.best), smooth=True),
        Bars(range(3), found, [YOURS, GHOSTLY, GOLD], width=0.84),
        _diamonds(steps[: len(s.values)], np.maximum(s.values, LOW), size=5, rim=0.5),
        _ghosts(1 + steps[: len(s.ghost_values)], np.maximum(s.ghost_values, LOW), size=6.5, rim=0.8),
        *(
            Words(x, max(value, 0) + 0.12, fixed(value) if s.places or x == 2 else "", side="center", up="bottom")
            for x, value in enumerate(found)
        ),
        name="race",
        place=(0.60, 0.155, 0.385, 0.745),
        dress=_race,
    )
    race += Words(STRIP[0], top + 0.15 + 0.06 * (top + 0.25 - LOW), words, colour, size="large", name="headline")
    return [[ground, race]]


def _land(s):
    """The fields of the map: the share of gold, its light, the fog and the clouds in it."""
    height = _fine(s.mean + (1 - s.fog) * (s.truth - s.mean))
    up, right = np.gradient(height, FINE, FINE)
    share = np.clip((height - LOW) / (s.best - LOW), 0, 1)
    return share, np.clip(1 + 0.022 * (up - right), 0.72, 1.25), np.clip(s.fog * _fine(s.std**2), 0, 1), _clouds()


def _at(places):
    places = np.array(places, int)
    return places % SIDE, places // SIDE


def _ring(places, **look):
    """A hole there is seen in it."""
    return Dots(*_at(places), "none", edge=INK, clip=False, **look)


def _diamonds(x, y, **look):
    return Dots(x, y, GREEN, marker="D", **look)


def _ghosts(x, y, **look):
    return Dots(x, y, "white", marker=HEM, edge=PURPLE, **look)


def _plain(ax):
    ax.spines[:].set_color("#999999")
    ax.tick_params(length=0, pad=3)


def _race(ax):
    ax.spines[["left", "bottom"]].set_visible(False)
    ax.yaxis.labelpad = 2
    ax.xaxis.labelpad = 4
    ax.xaxis.label.set_color(GREY)
    ax.tick_params(length=0, pad=4)
    ax.tick_params(axis="x", labelsize=TEXT, labelcolor=INK)


def _headline(s):
    """What stands above the bars, and its colour."""
    left = HOLES - len(s.places)
    if left:
        return f"{left} hole{'s' if left > 1 else ''} left", INK
    lead = s.values.max() - s.ghost_values.max()
    if lead == 0:
        return f"a draw: you in {s.values.argmax() + 1} holes, ghost in {s.ghost_values.argmax() + 1}", INK
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
        f"ghost's mean regret over {MAPS} maps": fixed(state.regret),
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


gold_rush = panel(
    compute,
    picture,
    readout,
    code,
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
    title="Gold rush",
    message=message,
    shows="On the left a map of 24 by 24 places, with columns A to X and rows 1 to 24: the ground from grey to gold "
    "under a fog that is thick where nothing is known, your holes as green diamonds and those of the ghost as small "
    "ghosts. On the right three bars for the richest hole of yours, that of the ghost and the best place of all, with "
    "a mark for each hole.",
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
