"""The pictures of a panel for pages where nothing computes, drawn beforehand.

A film is what one panel shows there: a picture for its start, for each scene and each button, and for each position of
its tracks, which are the sliders that its explorer names (``film``) and, of some panels, the steps of a run. The
pictures and the words come from the explorer's own ``compute``, ``draw``, ``readout`` and ``code``.

``shots_of`` says which pictures there are, ``shoot`` draws them into a folder, and ``shoot_all`` does so for many
panels at once and leaves out what is there already.
"""

import hashlib
import importlib
import json
import os
import shutil
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from math import log10
from pathlib import Path

import kernelkit

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

RATIO, QUALITY = 1.5, 45  # pixels of a picture for each one on the page; of WebP, from 0 to 100
FEW, MANY = 17, 31  # positions of a slider: so many, evenly spread, where it has more than MANY
RUN = 21  # pictures of a motion that a panel plays
GAME = "upper confidence bound"  # the strategy whose game the gold rush shows hole by hole
EMPTY = "Empty sheet"  # a button for those who can paint
PACKAGE = Path(kernelkit.__file__).parent


@dataclass(frozen=True)
class Shot:
    """One picture: the values of all controls, how much of a motion is over, and the places that were visited."""

    values: dict
    played: float = 1.0
    visited: tuple = ()
    hidden: bool = False  # what a sketch is asked about

    def same(self, other):
        return (self.values, self.played, self.hidden) == (other.values, other.played, other.hidden)


@dataclass(frozen=True)
class Track:
    """A slider through some of the shots.

    name : of its control, "" for the steps of a run.  texts : what each position is called.  shots : their numbers.
    plays : whether it also runs by itself.
    """

    name: str
    label: str
    texts: list
    shots: list
    plays: bool = False


@dataclass
class Film:
    """All shots of a panel, the first of them as it begins, and what leads to them.

    scenes, acts : {name: number of the shot}.
    covered : the number of the shot that is shown until a sketch was seen, None if that hides nothing.
    """

    explorer: object
    first: dict
    shots: list = field(default_factory=list)
    scenes: dict = field(default_factory=dict)
    acts: dict = field(default_factory=dict)
    tracks: list = field(default_factory=list)
    covered: int | None = None

    def add(self, values, **more):
        """The number of this shot, which is a new one unless it is there already."""
        shot = Shot(values, **{"visited": _places(self, values)} | more)
        for number, other in enumerate(self.shots):
            if other.same(shot):
                return number
        self.shots.append(shot)
        return len(self.shots) - 1


# ---- which pictures there are ------------------------------------------------------------------------------------


def shots_of(explorer, **start):
    """The film of a panel that starts with these values."""
    first = explorer.start() | start
    film = Film(explorer, first)
    film.add(first)
    film.tracks = [_slider(film, name) for name in explorer.film]
    film.scenes = {name: film.add(first | scene) for name, scene in explorer.scenes.items()}
    if explorer.play:
        film.tracks.insert(0, _motion(film))
    if explorer.title == "Gold rush":
        film.tracks.append(_game(film))
    else:
        acts = {name: act for name, act in explorer.act.items() if name != EMPTY}
        film.acts = {name: film.add(first | act(**first)) for name, act in acts.items()}
    if getattr(explorer.question, "hides", ()):
        film.covered = film.add(first, hidden=True)
    return film


def _slider(film, name):
    """One control alone, from the start."""
    from kernelkit.course.panel.controls import Choice, Stepper

    control = _control(film.explorer, name)
    steps = isinstance(control, Stepper)
    if steps:
        positions = _steps(film, control)
    elif isinstance(control, Choice):
        positions = sorted(control.ends())
    else:
        positions = positions_of(control, _passed(film, control))
    begin = positions.index(min(film.first[name], positions[-1]))  # a stepper may start beyond the end of its run
    numbers = []
    for i, value in enumerate(positions):
        values = film.first | {name: value}
        passed = positions[min(i, begin) : max(i, begin) + 1]  # where a learner came by on the way from the start
        numbers.append(film.add(values, visited=_places(film, *(film.first | {name: value} for value in passed))))
    texts = [said(control, value) for value in positions]
    return Track(name, control.label, texts, numbers, plays=steps)


def _control(explorer, name):
    return next(control for control in explorer.controls if control.name == name)


def _passed(film, control):
    """The values at which a slider must be able to stand: at the start, and in the scenes that move nothing else."""
    scenes = [scene[control.name] for scene in film.explorer.scenes.values() if list(scene) == [control.name]]
    return [film.first[control.name], *scenes]


def positions_of(slider, passed=()):
    """The values of a slider that get a picture: all there are, or few that are evenly spread, and those passed."""
    low, high = slider.low, slider.high
    count = round(_steps_between(slider)) + 1
    last = (FEW if count > MANY else count) - 1
    parts = [i / last for i in range(last + 1)]
    ends = {slider.name: low}, {slider.name: high}
    if slider.whole:
        values = [low + slider.step * round(part * (high - low) / slider.step) for part in parts]
    else:
        values = [slider.nearest(slider.between(*ends, part)) for part in parts]
    return sorted({*values, *passed})


def _steps_between(slider):
    return (log10(slider.high / slider.low) if slider.log else slider.high - slider.low) / slider.step


def _steps(film, stepper):
    """The steps of an algorithm, all or evenly spread; none after its end."""
    last = min(stepper.last, getattr(_state(film.explorer, film.shots[0]), "last_step", stepper.last))
    apart = max(1, -(-last // (MANY - 1)))
    return sorted({*range(0, last, apart), last, min(film.first[stepper.name], last)})


def _places(film, *stops):
    """The places that were visited with these values; () where a panel remembers none."""
    trail = film.explorer.trail
    return tuple(dict.fromkeys(trail(values)[1] for values in stops)) if trail else ()


def _motion(film):
    """What a panel plays when it is first seen."""
    parts = [i / (RUN - 1) for i in range(RUN)]
    numbers = [film.add(film.first, played=part) for part in parts]
    return Track("", film.explorer.playing, [f"{100 * part:.0f} %" for part in parts], numbers, plays=True)


def _game(film):
    """A game of the gold rush, hole by hole; with the last of them the fog lifts."""
    from kernelkit.course.explorers.finding_gold.gold_rush import HOLES, played

    games = [{"holes": played(GAME, n) if n else "", "fog": 1.0} for n in range(HOLES + 1)]
    games[-1]["fog"] = 0.0
    numbers = [film.add(film.first | game) for game in games]
    return Track("", "holes drilled", [str(n) for n in range(HOLES + 1)], numbers, plays=True)


# ---- what is said of a value -------------------------------------------------------------------------------------


def said(control, value):
    """A value as its control shows it; "" where that is not a word or a number."""
    from kernelkit.course.panel.controls import Choice, Slider, Stepper, Switch, Text
    from kernelkit.course.panel.numbers import fixed, short

    if isinstance(control, Choice) and isinstance(control.options, dict):
        return next(str(label) for label, option in control.options.items() if option == value)
    if isinstance(control, Switch):
        return "yes" if value else "no"
    if isinstance(control, Slider):
        decimals = max(2, len(f"{control.step:.6f}".rstrip("0").partition(".")[2]))
        return short(value) if control.log else str(value) if control.whole else fixed(value, min(decimals, 4))
    return str(value) if isinstance(control, Choice | Stepper | Text) else ""


def settings(explorer, values, first):
    """What a picture shows that the first one does not, in words: “data rings, kernel linear, other points”."""
    changed = [c for c in explorer.controls if values[c.name] != first[c.name] and (c.when is None or c.when(values))]
    words = [f"{c.label} {text}" if (text := said(c, values[c.name])) else "other points" for c in changed]
    return ", ".join(words)


# ---- drawing them ------------------------------------------------------------------------------------------------


def _state(explorer, shot):
    return explorer.state(shot.values, played=shot.played, visited=shot.visited)


def shoot(room, panel, start, folder):
    """Draw the film of a panel: numbered pictures into the folder, and all that is said of them as a dictionary."""
    from PIL import Image

    explorer = explorer_of(room, panel)
    film, canvas = shots_of(explorer, **start), still(explorer)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    words = []
    named = {shot: scene for scene, shot in film.scenes.items()}
    for number, shot in enumerate(film.shots):
        state = _state(explorer, shot)
        pixels = canvas.frame(state, hidden=explorer.question.hides if shot.hidden else ())
        Image.fromarray(pixels[..., :3]).save(folder / f"{number}.webp", quality=QUALITY, method=2)
        words.append(
            {
                "say": explorer.words(state, named.get(number), shot.hidden),
                "set": settings(explorer, shot.values, film.first),
                "code": explorer.code(**shot.values),
                "at": [_place_on(track, number, film) for track in film.tracks],
            }
        )
    tracks = [vars(track) for track in film.tracks]
    return {"shots": words, "scenes": film.scenes, "acts": film.acts, "tracks": tracks, "covered": film.covered}


def still(explorer):
    """A figure whose texts ask nobody to drag or click what does not move on these pages."""
    canvas = explorer.canvas(RATIO)
    canvas.store(explorer.state(explorer.start()), "still")
    return canvas


def _place_on(track, number, film):
    """[position, text] of a track while this shot is shown: the nearest position, and the value of its control."""
    values = film.shots[number].values
    if number in track.shots:
        position = track.shots.index(number)
        return [position, track.texts[position]]
    if not track.name:
        return [len(track.shots) - 1 if film.explorer.play else 0, "–"]
    places = [film.shots[shot].values[track.name] for shot in track.shots]
    value = values[track.name]
    nearest = min(range(len(places)), key=lambda i: abs(places[i] - value))
    return [nearest, said(_control(film.explorer, track.name), value)]


def explorer_of(room, panel):
    """The explorer of this name in the folder of a notebook."""
    return getattr(importlib.import_module(f"kernelkit.course.explorers.{room}.{panel}"), panel)


# ---- only what changed -------------------------------------------------------------------------------------------


@cache
def _common():
    """A fingerprint of what every picture depends on: the package without its exercises and panels, and this file."""
    import matplotlib
    import numpy
    import PIL
    import scipy

    files = [path for path in PACKAGE.rglob("*") if path.suffix in (".py", ".npz", ".json", ".txt", ".ttf", ".csv")]
    shared = [path for path in files if _room(path) in ("", "data", "drawing")]
    digest = hashlib.sha256(repr([m.__version__ for m in (matplotlib, numpy, PIL, scipy)]).encode())
    for path in [*sorted(shared), Path(__file__)]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _room(path):
    """The notebook for which alone a file of the package is, "" for any other file."""
    course, room, *inside = *path.relative_to(PACKAGE).parts, ""
    if course != "course":
        return ""
    return room if room in ("exercises", "tools") else inside[0] if room == "explorers" and len(inside) > 2 else ""


def fingerprint(room, panel, start):
    """Changes when the pictures of a panel may change."""
    files = sorted(path for path in (PACKAGE / "course" / "explorers" / room).iterdir() if path.is_file())
    own = [path for path in files if path.stem == panel or path.suffix != ".py"]
    digest = hashlib.sha256(_common().encode() + repr(sorted(start.items())).encode())
    for path in own:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def shoot_all(panels, frames, notes, jobs=None):
    """The films of many panels, {(room, film): what is said}, and how many of them had to be drawn.

    panels : {(room, film): (name of the panel, values at its start)}.  frames : the folder of the pictures, which
    go to room/film.  notes : the folder of the words, from which the next run sees what it need not draw again.
    """
    notes.mkdir(parents=True, exist_ok=True)
    films, tasks = {}, []
    for (room, film), (panel, start) in panels.items():
        mark, note = fingerprint(room, panel, start), notes / f"{room}-{film}.json"
        kept = json.loads(note.read_text(encoding="utf-8")) if note.exists() else {}
        if kept.get("fingerprint") == mark and _all_there(frames / room / film, kept):
            films[room, film] = kept
        else:
            tasks.append((room, film, panel, start, mark, note))
    with ProcessPoolExecutor(jobs or os.cpu_count()) as pool:
        drawn = [pool.submit(shoot, room, panel, start, frames / room / film) for room, film, panel, start, *_ in tasks]
        rooms = list(dict.fromkeys(room for room, *_ in tasks))
        for (room, film, _, _, mark, note), future in zip(tasks, drawn, strict=True):
            print(f"drawing {room} {film}, notebook {rooms.index(room) + 1} of {len(rooms)}", flush=True)
            films[room, film] = {"fingerprint": mark} | future.result()
            note.write_text(json.dumps(films[room, film], ensure_ascii=False), encoding="utf-8")
    return films, len(tasks)


def _all_there(folder, film):
    return all((folder / f"{number}.webp").exists() for number in range(len(film["shots"])))
