"""Notebook 10. A support vector machine to tune by its validation error; the test stays hidden."""

from functools import lru_cache
from types import SimpleNamespace

from kernelkit import Gaussian, datasets
from kernelkit.course.explorers.data.mixture import ACROSS, HIGH, LOW, UP, N, sample, wrong
from kernelkit.course.explorers.drawing.boundary import decision_on_grid, points, sides
from kernelkit.course.explorers.drawing.machines import TOL, machine, tell_h
from kernelkit.course.panel.controls import Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Line, Text
from kernelkit.course.panel.numbers import percent, short, typed
from kernelkit.course.plots import GREY, PURPLE

HELD_OUT, HELD_OUT_STATE = 600, 41


@lru_cache(maxsize=1)
def held_out():
    """The points to choose by."""
    return datasets.mixture(HELD_OUT, random_state=HELD_OUT_STATE)


def compute(sigma, C, before=None):
    (X, y), (V, v) = sample("mixture"), held_out()
    model = machine(Gaussian(sigma), C, X, y, None if before is None else before.a)
    errors = [wrong(model.decision_function(Z), t) for Z, t in ((X, y), (V, v))]
    return SimpleNamespace(X=X, y=y, a=model.a_, errors=errors, H=decision_on_grid(model, ACROSS, UP))


ROWS = (2.1, "training error", GREY), (1.0, f"validation error, {HELD_OUT} points", PURPLE)


def picture(s):
    plane = Axes(
        f"{N} training points; dashed: margins",
        Axis("", LOW[0], HIGH[0], ()),
        Axis("", LOW[1], HIGH[1], ()),
        *sides(ACROSS, UP, s.H, s.X),
        *points(s.X, s.y),
        name="axes",
        place=(0.02, 0.03, 0.53, 0.88),
    )
    errors = Axes(
        "",
        Axis("", 0, 0.5, (0, 0.25, 0.5), ("0", "25\u00a0%", "50\u00a0%")),
        Axis("", -0.3, 3.2, ()),
        Text(0, 0.1, "test error: hidden, see the text below", GREY),
        *(Text(0, y + 0.38, name) for y, name, _ in ROWS),
        *map(_bar, ROWS, s.errors),
        *map(_number, ROWS, s.errors),
        place=(0.60, 0.16, 0.355, 0.72),
        dress=_without_left,
    )
    return [[plane, errors]]


def _bar(row, error):
    y, _, colour = row
    return Line([0, min(error, 0.5)], y, colour, width=18, cap="butt")


def _number(row, error):
    return Text(0.5, row[0] + 0.38, percent(error), side="right")


def _without_left(ax):
    ax.spines["left"].set_visible(False)


def readout(state):
    train, held = map(percent, state.errors)
    return {
        "σ": short(state.sigma, 2),
        "C": short(state.C),
        "training error": f"{train} of {N} points",
        "validation error": f"{held} of {HELD_OUT} points",
    }


def code(sigma, C):
    return f"""from kernelkit import Gaussian, KernelSVM, datasets

X, y = datasets.mixture({N})
V, v = datasets.mixture({HELD_OUT}, random_state={HELD_OUT_STATE})
svm = KernelSVM(Gaussian({typed(sigma)}), C={typed(C)}, tol={TOL:g}).fit(X, y)
print('training error', 1 - svm.score(X, y), ' validation error', 1 - svm.score(V, v))"""


hidden_test = panel(
    compute,
    picture,
    readout,
    code,
    Slider("sigma", "width σ", 0.1, 10**-1.3, 10.0, 0.05, log=True),
    Slider("C", "price C", 1000.0, 0.01, 1000.0, 0.1, log=True),
    title="A model to tune, and a hidden test",
    shows="On the left the plane with the training points of two classes, blue dots and orange squares. The colour of "
    "the plane is h: blue below 0, orange above. The solid line is h = 0, and the dashed lines are h = ±1. On the "
    "right are two bars, the training error in grey and the validation error in violet.",
    film=("sigma", "C"),
    scenes={"Five times wider": {"sigma": 0.501187}, "Very wide": {"sigma": 10.0}, "A softer price": {"C": 1.0}},
    question=Question(
        "σ grows from 0.1 to 10, and the training error grows from 0 to 30\u00a0%. "
        "What does the validation error do, which is 36\u00a0% now?",
        ("it rises, too", "it falls below 30\u00a0%", "it stays near 36\u00a0%"),
        1,
        "With so large a σ the model cannot draw an island around each point, because its boundary bends little. So it "
        "is wrong on new points about as often as on the training points. The training error of 0 said nothing, "
        "because the narrow model had memorised its points.",
        scene="Very wide",
    ),
    tell={"axes": lambda state, x, y: tell_h(ACROSS, UP, state.H, (x, y))},
    motion=True,
    warm=True,
)
