"""Notebook 17. Each pixel's probability of being tumour, from groups of features that are switched on and off."""

from functools import lru_cache
from math import comb
from types import SimpleNamespace

import numpy as np
from matplotlib.colors import to_rgb

from kernelkit.course.explorers.data.hospital import (
    LAMS,
    OTHERS,
    PIXELS,
    WIDTH,
    dice_of,
    fitted,
    fitted_degree,
    patient_of,
    scan_of,
)
from kernelkit.course.explorers.drawing.pictures import grey
from kernelkit.course.panel.controls import Choice, Question, Slider, Switch
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Contours, Dots, Image, Line, Text
from kernelkit.course.panel.numbers import fixed, percent, short, thousands
from kernelkit.course.plots import GREEN, GREY, ORANGE, PURPLE
from kernelkit.images.phantom import CHANNELS, TISSUES
from kernelkit.images.segmentation import GROUPS, dice

SIZE = 128
INSIDE = slice(2, 126)  # rows and columns that are shown: every head is in them
EDGES = INSIDE.start - 0.5, INSIDE.stop - 0.5
LABELS = ("T1", "T1c", "T2", "FLAIR")
PALEST, SHARE = 0.45, 0.85  # of the head under the colour, and of the colour where the probability is 1


@lru_cache(maxsize=256)
def probability(seed, groups, degree, lam, count):
    """P(tumour) of every pixel; without features it is the same for all."""
    if not groups:
        mask = scan_of(seed).mask
        return np.where(mask, np.mean(patient_of(seed).tumour[mask]), 0.0)
    return fitted(groups, degree, lam, count).probability(scan_of(seed))


def compute(patient, degree, lam, count, **switches):
    groups, seed = tuple(group for group in GROUPS if switches[group]), OTHERS[patient - 1]
    person, used = patient_of(seed), fitted_degree(groups, degree)
    p = probability(seed, groups, used, lam, count)
    learned, others = dice_of(groups, used, lam, count) if groups else (np.zeros(count), np.zeros(len(OTHERS)))
    return SimpleNamespace(
        person=person,
        p=p,
        here=dice(p > 0.5, person.tumour),
        learned=learned,
        others=others,
        alike=float(np.mean(p[person.look_alike] > 0.5)),
        features=sum(WIDTH[group] for group in groups),
        degree=used,
        asked=degree,
    )


def picture(s):
    return [[*(_channel(OTHERS[s.patient - 1], i) for i in range(len(LABELS))), _map(s), _strip(s)]]


def _head(title, pixels, *marks, **rest):
    """Axes that these pixels fill, and what lies over them."""
    image = Image(pixels[INSIDE, INSIDE], EDGES * 2)
    return Axes(title, Axis("", *EDGES, ()), Axis("", *EDGES[::-1], ()), image, *marks, bare=True, **rest)


@lru_cache(maxsize=4 * len(OTHERS))
def _channel(seed, i):
    label = Text(0.03, 0.96, LABELS[i], "white", up="top", of="axes")
    place = (0.004, 0.753 - 0.248 * i, 0.125, 0.243)
    return _head("", grey(patient_of(seed).channels[i]), label, name=f"channel {i}", place=place)


def _map(s):
    return _head(
        "orange: P(tumour)    line: the tumour",
        grey(_colours(s)),
        *_borders(OTHERS[s.patient - 1]),
        Text(0.985, 0.012, "dashed: healthy, looks the same", "white", side="right", of="axes"),
        name="map",
        place=(0.142, 0.012, 0.457, 0.888),
    )


@lru_cache(maxsize=len(OTHERS))
def _borders(seed):
    """Of the tumour, and of what is healthy and looks the same."""
    place, person = np.arange(SIZE), patient_of(seed)
    tumour, alike = person.tumour.astype(float), person.look_alike.astype(float)
    return (
        Contours(place, place, tumour, (0.5,), width=2.0),
        Contours(place, place, alike, (0.5,), width=1.4, style=((0, (2, 2)),)),
    )


def _strip(s):
    """Dice of each patient, and the means."""
    ax = Axes(
        "Dice of each patient",
        Axis("", -0.5, 1.5, (0, 1), ("learned from", "held out")),
        Axis("", 0, 1.02, (0, 0.2, 0.4, 0.6, 0.8, 1)),
        Text(1.49, 0.03, "ring: this one", PURPLE, side="right"),
        place=(0.68, 0.115, 0.31, 0.785),
    )
    both = ((0, s.learned, GREY), (1, s.others, GREEN))
    ax += [Dots(_beside(x, len(values)), values, color, size=6, rim=0, alpha=0.55) for x, values, color in both]
    ax += [Line([x - 0.38, x + 0.38], values.mean(), color, width=3) for x, values, color in both]
    ax += Dots(_beside(1, len(s.others))[s.patient - 1], s.here, "none", size=11, edge=PURPLE, rim=2)
    return ax


def _beside(x, n):
    """Places of n dots around x."""
    return x + np.linspace(-0.3, 0.3, n)


def _colours(state):
    """The head, pale, and over it orange as far as the probability goes."""
    head = PALEST + (1 - PALEST) * np.clip(state.person.channels[3], 0, 1)
    head[state.person.tissue == 0] *= 0.55
    share = SHARE * state.p[..., None]
    return (1 - share) * head[..., None] + share * np.array(to_rgb(ORANGE))


def message(state):
    few = state.degree < state.asked
    return "Degree 3 has too many weights: 2 is fitted." if few else ""


def readout(state):
    return {
        "Dice of this patient": fixed(state.here),
        "look-alikes called tumour": percent(state.alike, 0),
        "weights": f"{thousands(comb(state.features + state.degree, state.degree))} of degree {state.degree}",
        "mean Dice, held out": fixed(state.others.mean()),
        "mean Dice, learned from": fixed(state.learned.mean()),
    }


def _pixel(x, y):
    return tuple(int(np.clip(round(v), 0, SIZE - 1)) for v in (y, x))


def _tell(state, x, y):
    at = _pixel(x, y)
    return f"P(tumour) = {fixed(state.p[at])}, {TISSUES[state.person.tissue[at]]}"


def _tell_channel(i):
    return lambda state, x, y: f"{CHANNELS[i]}: {fixed(state.person.channels[i][_pixel(x, y)])}"


def code(patient, degree, lam, count, **switches):
    groups, seed = tuple(group for group in GROUPS if switches[group]), OTHERS[patient - 1]
    if not groups:
        return "print('Without features every pixel has the same probability.')"
    degree = fitted_degree(groups, degree)
    return (
        "from kernelkit.course.explorers.data.hospital import fitted, patient_of, scan_of\n"
        "from kernelkit.images.segmentation import dice\n\n"
        f"# what Segmenter({groups!r},\n#     degree={degree}, lam={lam}, pixels={PIXELS[count]}) learned from {count}"
        f" patients\nmodel = fitted({groups!r}, {degree}, {lam}, {count})\n"
        f"p = model.probability(scan_of({seed}))\nprint(dice(p > 0.5, patient_of({seed}).tumour))"
    )


def only(*groups, **others):
    """A scene: these groups and no others."""
    return {group: group in groups for group in GROUPS} | others


tumour = panel(
    compute,
    picture,
    readout,
    code,
    Slider("patient", "patient", 1, 1, len(OTHERS), 1),
    Switch("intensities", "intensities", True),
    Switch("neighbourhood", "neighbourhood", False),
    Switch("coordinates", "coordinates", False),
    Switch("alignment", "alignment", False),
    Switch("symmetry", "symmetry", False),
    Choice("degree", "degree", 1, {"1: a plane": 1, "2: products of two": 2, "3: products of three": 3}),
    Choice("lam", "penalty λ", 1.0, {short(lam): lam for lam in LAMS}, more=True),
    Choice("count", "learned from", 12, {"12 patients": 12, "4, few pixels": 4}, more=True),
    title="A tumour, pixel by pixel",
    shows="On the left the four channels of one head. The large picture is the same head, the more orange the larger "
    "the probability of tumour; a solid line is the border of the tumour, dashed lines are those of healthy "
    "look-alikes. On the right a dot for the Dice of each patient, grey for those learned from, green for those held "
    "out, with lines at the means and a ring around this patient.",
    film=("patient",),
    scenes={
        "Products of three": {"degree": 3},
        "Neighbourhood": only(*GROUPS[:2]),
        "Coordinates too": only(*GROUPS[:3]),
        "Aligned": only(*GROUPS[:2], "alignment"),
        "Both sides": only(*GROUPS[:2], *GROUPS[3:]),
        "All at once, four": only(*GROUPS, degree=2, count=4, lam=0.01),
    },
    question=Question(
        "Brightness alone calls 54\u00a0% of this patient's look-alikes tumour. How many remain with the "
        "neighbourhood?",
        ("hardly any: noise made the mistakes", "still many, some 40\u00a0%", "more than before"),
        1,
        "The neighbours have noise of their own, so a mean over them says more, and over ten patients Dice rises from "
        "0.53 to 0.77. The two small look-alikes go, because a mean around them reaches into the darker brain. But the "
        "large look-alike is as bright as a tumour all over, so about half of it stays.",
        scene="Neighbourhood",
    ),
    message=message,
    tell={"map": _tell} | {f"channel {i}": _tell_channel(i) for i in range(4)},
    size=(7.0, 3.6),
)
