"""Notebook 13. Drill for gold: a map whose truth is hidden, holes to click, and six strategies to play against."""

import re
from functools import lru_cache
from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, Kriging
from kernelkit.explorers.shared.gold import HOLES, MAPS, NOISE, PLACES, SIDE, SIGMA, races, truth_of
from kernelkit.explorers.shared.shades import as_bytes
from kernelkit.panel.controls import Choice, NoQuestion, Slider, Text
from kernelkit.panel.explorer import Explorer
from kernelkit.panel.numbers import fixed
from kernelkit.panel.parts import apart, reframed
from kernelkit.plots import GREEN, GREY, INK, PURPLE
from kernelkit.study.drilling import STRATEGIES, drill as race, expected_improvement, upper_confidence_bound

RACED, TRIED = ("random", *STRATEGIES[:3]), 10  # on this machine: strategies, and maps
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWX"
GROUNDS = {"drawn by a kernel": "drawn", "real ground": "real"}
VIEWS = {"uncertainty": "uncertainty", "upper confidence": "upper", "expected gain": "gain", "the truth": "truth"}
NAMES = {
    "uncertainty": "the standard\ndeviation",
    "upper": "mean + 2 times\nthe deviation",
    "gain": "expected\nimprovement",
    "truth": "the truth",
}
RIVALS = {"none": "none"} | {s: s for s in STRATEGIES} | {"all, mean of 50 maps": "all"}
SHORT = dict(zip(STRATEGIES, ("uncertainty", "upper conf.", "exp. gain", "Thompson", "random", "grid"), strict=True))
LOOKS = dict(
    zip(STRATEGIES, ((PURPLE, "-"), (GREEN, "--"), (GREEN, "-"), (PURPLE, "--"), (GREY, ":"), (GREY, "-")), strict=True)
)
DARK, FOG = np.array([0.0, 0.27, 0.2]), np.array([0.93, 0.93, 0.93])
PALE, VIOLET = np.array([1.0, 0.98, 0.75]), np.array([0.36, 0.12, 0.45])


def name_of(place):
    """The place of that number as on a chessboard: A1 is below on the left."""
    return f"{LETTERS[place % SIDE]}{place // SIDE + 1}"


def read_holes(text):
    """The places of a text such as "C7 K12", each once and HOLES at most; and the words that are none."""
    places, strange = [], []
    for word in re.split(r"[\s,;]+", text.strip()):
        found = re.fullmatch(r"([A-Xa-x])0*([1-9]|1\d|2[0-4])", word)
        if found:
            places.append(LETTERS.index(found[1].upper()) + SIDE * (int(found[2]) - 1))
        elif word:
            strange.append(word)
    return list(dict.fromkeys(places))[:HOLES], strange


@lru_cache(maxsize=256)
def ground_at(places, values, sigma):
    """The mean and the standard deviation at every place, after these holes."""
    if not places:
        return np.zeros(len(PLACES)), np.ones(len(PLACES))
    model = Kriging(Gaussian(sigma), NOISE).fit(PLACES[list(places)], np.array(values))
    return model.predict(PLACES, return_std=True)


def measure(ground, number, holes, sigma, view, rival):
    """Race four strategies on ten maps with the panel's σ, map by map."""
    found, model = {s: [] for s in RACED}, Kriging(Gaussian(sigma), NOISE)
    for i in range(1, TRIED + 1):
        for strategy, regrets in found.items():
            regrets.append(race(model, PLACES, truth_of(ground, i), strategy, HOLES, i).regret)
        yield i / TRIED, {s: np.mean(regrets, axis=0) for s, regrets in found.items()}


def compute(ground, number, holes, sigma, view, rival, measured=None):
    truth, (places, strange) = truth_of(ground, number), read_holes(holes)
    values = truth[places]
    mean, std = ground_at(tuple(places), tuple(values.tolist()), sigma)
    best = values.max() if places else 0.0
    shown = {
        "uncertainty": lambda: std,
        "upper": lambda: upper_confidence_bound(mean, std),
        "truth": lambda: truth,
        "gain": lambda: expected_improvement(mean, std, best),
    }[view]()
    wanted = np.where(np.isin(np.arange(len(PLACES)), places), -np.inf, shown)
    return SimpleNamespace(
        places=places,
        strange=strange,
        values=values,
        mean=mean,
        std=std,
        sigma=sigma,
        view=view,
        shown=shown,
        next=int(wanted.argmax()),
        rival="measured" if measured else rival,
        curves=measured or _curves(ground, number, rival),
        regret=truth.max() - np.maximum.accumulate(values) if places else np.empty(0),
    )


def _curves(ground, number, rival):
    """{strategy: regret (HOLES,)}: of one on this map, or of all, the mean over all maps."""
    if rival == "none":
        return {}
    runs = races()[ground]
    return {s: r.mean(axis=0) for s, r in runs.items()} if rival == "all" else {rival: runs[rival][number - 1]}


def build(figure):
    large = _board(figure.add_axes((0.038, 0.075, 0.488, 0.90)), 15)
    parts = {"map": large["board"], "mean": large["image"], "holes": large["dots"], "last": large["last"]}
    ax = figure.add_axes((0.575, 0.565, 0.222, 0.41))
    side = _board(ax, 6)
    ax.set(xticks=[], yticks=[])
    parts |= {"view": ax, "shown": side["image"], "where": side["dots"], "next": side["last"]}
    parts["next"].set(marker="x", mec="white", mew=2.5, ms=9, clip_on=False)
    figure.text(0.812, 0.715, "large map: dark\nis rich, pale is\npoor, grey is\nunknown", va="top", color=GREY)
    parts["name"] = figure.text(0.812, 0.95, "", va="top", linespacing=1.4)
    return parts | _build_curves(figure.add_axes((0.605, 0.125, 0.25, 0.385)))


def _board(ax, size):
    ends = (-0.5, SIDE - 0.5)
    ax.set(xlim=ends, ylim=ends)
    ax.set_xticks(range(0, SIDE, 4), LETTERS[::4])
    ax.set_yticks(range(3, SIDE, 4), range(4, SIDE + 1, 4))
    ax.tick_params(length=0, pad=3)
    ax.spines[:].set_visible(False)
    image = ax.imshow(
        np.zeros((SIDE, SIDE, 4), np.uint8),
        origin="lower",
        aspect="auto",
        interpolation="nearest",
        extent=(*ends, *ends),
        animated=True,
    )
    dots = ax.plot([], [], "o", color=INK, ms=size / 2, mec="white", mew=size / 12, animated=True, zorder=3)[0]
    last = ax.plot([], [], "o", color="none", mec=INK, mew=1.8, ms=size, animated=True, zorder=4)[0]
    return {"board": ax, "image": image, "dots": dots, "last": last}


def _build_curves(ax):
    ax.set(xlim=(0.5, HOLES + 0.5), ylim=(-0.05, 2.6), xticks=[1, 5, 10, 15, 20], yticks=[0, 1, 2])
    ax.set_xlabel("holes", labelpad=1)
    title = ax.text(0.98, 0.97, "", ha="right", va="top", transform=ax.transAxes, color=INK)
    look = {"linewidth": 1.8, "animated": True}
    lines = {s: ax.plot([], [], color=LOOKS[s][0], linestyle=LOOKS[s][1], **look)[0] for s in STRATEGIES}
    word = {"va": "center", "size": 11, "animated": True}
    names = {s: ax.text(HOLES + 1, 0, SHORT[s], color=LOOKS[s][0], **word) for s in STRATEGIES}
    yours = ax.plot([], [], "o-", color=INK, ms=4, linewidth=1.4, animated=True, zorder=4)[0]
    note = ax.text(10.5, 1.15, "choose a rival\nwhen you are done", color=GREY, ha="center", va="center")
    return {"race": ax, "title": title, "lines": lines, "names": names, "yours": yours, "note": note}


def draw(parts, state):
    share = np.clip((state.mean + 2.5) / 5, 0, 1)[:, None]
    fog = 0.85 * np.clip(state.std, 0, 1)[:, None] ** 2
    colour = (1 - fog) * (PALE + share * (DARK - PALE)) + fog * FOG
    parts["mean"].set_data(as_bytes(colour.reshape(SIDE, SIDE, 3)))
    places = np.array(state.places, int)
    for dots in (parts["holes"], parts["where"]):
        dots.set_data(places % SIDE, places // SIDE)
    parts["last"].set_data(places[-1:] % SIDE, places[-1:] // SIDE)
    _draw_view(parts, state)
    _draw_race(parts, state)


def _draw_view(parts, state):
    truth = state.view == "truth"
    low, high = {"truth": (-2.5, 2.5), "uncertainty": (0, 1)}.get(state.view, (state.shown.min(), state.shown.max()))
    share = np.clip((state.shown - low) / max(high - low, 1e-9), 0, 1)[:, None]
    colour = PALE + share * (DARK - PALE) if truth else 1 + share * (VIOLET - 1)
    parts["shown"].set_data(as_bytes(colour.reshape(SIDE, SIDE, 3)))
    parts["next"].set_data([state.next % SIDE], [state.next // SIDE])


def _draw_race(parts, state):
    drilled = state.rival != "none"
    for s, line in parts["lines"].items():
        line.set_data(np.arange(1, HOLES + 1), state.curves[s]) if s in state.curves else line.set_data([], [])
    parts["yours"].set_data(*((np.arange(1, len(state.places) + 1), state.regret) if drilled else ([], [])))
    ends = [curve[-1] for curve in state.curves.values()]
    heights = dict(zip(state.curves, apart(ends, 0.37, 2.5), strict=True)) if drilled else {}
    for strategy, text in parts["names"].items():
        text.set(visible=strategy in heights, y=heights.get(strategy, 0))
    count = {"all": f", {MAPS} maps", "measured": f", {TRIED} maps"}.get(state.rival, "")
    if reframed(parts["race"], state.view, drilled, count):
        parts["name"].set_text(NAMES[state.view] + ("" if state.view == "truth" else "\n\n×  largest"))
        parts["note"].set_visible(not drilled)
        parts["title"].set_text(f"regret{count}")


def describe(state):
    if state.strange:
        return f"“{state.strange[0][:20]}” is no place of this map: they run from A1 to X{SIDE}, with spaces between."
    said = f"{_found(state)}. The largest standard deviation on the map is {fixed(state.std.max())}."
    if state.view != "truth":
        said += f" Largest in the small map: {name_of(state.next)}."
    if state.rival in ("all", "measured"):
        best = min(state.curves, key=lambda s: state.curves[s][-1])
        which = f"{MAPS} maps" if state.rival == "all" else f"{TRIED} maps and with this σ"
        left = fixed(state.curves[best][-1])
        return f"{said} Over {which}, {best} has the least regret left after {HOLES} holes, {left}."
    return said + _against(state)


def _count(n):
    return f"{n} hole" + ("s" if n != 1 else "")


def _found(state):
    if not state.places:
        return "No hole yet"
    richest = state.places[int(state.values.argmax())]
    return f"{_count(len(state.places))}, the richest {name_of(richest)} with {fixed(state.values.max())}"


def _against(state):
    if state.rival == "none":
        return ""
    n = max(len(state.places), 1)
    yours = f", you {fixed(state.regret[-1])}" if state.places else ""
    return f" Regret after {_count(n)}: {state.rival} {fixed(state.curves[state.rival][n - 1])}{yours}."


def code(ground, number, holes, sigma, view, rival):
    lines = ["import numpy as np", "from kernelkit import Gaussian, Kriging"]
    lines += ["from kernelkit.explorers.shared.gold import PLACES, truth_of"]
    lines += ["from kernelkit.study.drilling import drill, expected_improvement", ""]
    lines += [f"truth = truth_of({ground!r}, {number})", f"model = Kriging(Gaussian({sigma:.4g}), noise={NOISE:g})"]
    places = read_holes(holes)[0]
    if places:
        lines += [f"holes = {places}", "model.fit(PLACES[holes], truth[holes])"]
        lines += ["mean, std = model.predict(PLACES, return_std=True)"]
        lines += ["gain = expected_improvement(mean, std, best=truth[holes].max())"]
        lines += ["print('next hole:', gain.argmax(), ' largest deviation:', std.max())"]
    strategy = rival if rival in STRATEGIES else "expected improvement"
    lines += [f"print(drill(model, PLACES, truth, {strategy!r}, {HOLES}, random_state={number}).regret)"]
    return "\n".join(lines)


def _clicked(state, x, y):
    """A click drills a hole, or takes one back."""
    place = int(np.clip(round(x), 0, SIDE - 1)) + SIDE * int(np.clip(round(y), 0, SIDE - 1))
    kept = [p for p in state.places if p != place]
    return {"holes": _text(kept if place in state.places else [*kept, place][:HOLES])}


def _text(places):
    return " ".join(map(name_of, places))


def _next(**values):
    """One more hole, where the small map is largest."""
    state = compute(**values)
    return {"holes": _text([*state.places, state.next][:HOLES])}


def _undo(**values):
    return {"holes": _text(read_holes(values["holes"])[0][:-1])}


def _tell(state, x, y):
    place = int(np.clip(round(x), 0, SIDE - 1)) + SIDE * int(np.clip(round(y), 0, SIDE - 1))
    return f"{name_of(place)}: {fixed(state.mean[place])} ± {fixed(2 * state.std[place])}"


drill = Explorer(
    title="Drill for gold",
    controls=(
        Choice("ground", "ground", "drawn", GROUNDS),
        Slider("number", "map no.", 25, 1, MAPS, 1),
        Text("holes", "holes", "E5 S7 L15", ("", "E5", "c3, K12;X24 A1", "Z9 E5", "E5 E5 E25", "gold")),
        Slider("sigma", "width σ", SIGMA, 0.05, 1.0, 0.01),
        Choice("view", "small map", "uncertainty", VIEWS),
        Choice("rival", "rival", "none", RIVALS),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    scenes={
        "Nine far apart": {"holes": "C3 L3 U3 C12 L12 U12 C21 L21 U21"},
        "Expected gain": {"view": "gain"},
        "A wide prior": {"sigma": 0.5},
        "All, 50 maps": {"rival": "all"},
        "Real ground": {"ground": "real", "rival": "all"},
    },
    measure=measure,
    act={"Drill at ×": _next, "Undo": _undo},
    question=NoQuestion(because="the text just above asks who finds most, and the numbers just below tell"),
    tell={"map": _tell},
    click={"map": _clicked},
)
