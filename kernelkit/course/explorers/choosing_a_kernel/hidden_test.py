"""Notebook 10. A support vector machine to tune by its validation error; the test stays hidden."""

from functools import lru_cache
from types import SimpleNamespace

from kernelkit import Gaussian, datasets
from kernelkit.course.explorers.data.mixture import ACROSS, HIGH, LOW, UP, N, sample, wrong
from kernelkit.course.explorers.drawing import boundary as plane
from kernelkit.course.explorers.drawing.machines import TOL, machine, tell_h
from kernelkit.course.panel.controls import Question, Slider
from kernelkit.course.panel.explorer import Explorer
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
    return SimpleNamespace(
        sigma=sigma, C=C, X=X, y=y, a=model.a_, errors=errors, H=plane.decision_on_grid(model, ACROSS, UP)
    )


def build(figure):
    ax = figure.add_axes((0.02, 0.03, 0.53, 0.88), xticks=[], yticks=[])
    ax.set_title(f"{N} training points; dashed: margins")
    parts = plane.build(ax, LOW, HIGH)
    bars = figure.add_axes((0.60, 0.16, 0.355, 0.72), xlim=(0, 0.5), ylim=(-0.3, 3.2), yticks=[])
    bars.set_xticks([0, 0.25, 0.5], ["0", "25\u00a0%", "50\u00a0%"])
    bars.spines["left"].set_visible(False)
    parts["bars"], parts["numbers"] = [], []
    for y, name, colour in ((2.1, "training error", GREY), (1.0, f"validation error, {HELD_OUT} points", PURPLE)):
        look = {"color": colour, "linewidth": 18, "solid_capstyle": "butt", "animated": True}
        parts["bars"].append(bars.plot([0, 0], [y, y], **look)[0])
        bars.text(0, y + 0.38, name)
        parts["numbers"].append(bars.text(0.5, y + 0.38, "", ha="right", animated=True))
    bars.text(0, 0.1, "test error: hidden, see the text below", color=GREY)
    return parts


def draw(parts, state):
    plane.draw(parts, ACROSS, UP, state.H, state.X, state.y)
    for bar, number, error in zip(parts["bars"], parts["numbers"], state.errors, strict=True):
        bar.set_xdata([0, min(error, 0.5)])
        number.set_text(percent(error))


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


hidden_test = Explorer(
    title="A model to tune, and a hidden test",
    controls=(
        Slider("sigma", "width σ", 0.1, 10**-1.3, 10.0, 0.05, log=True),
        Slider("C", "price C", 1000.0, 0.01, 1000.0, 0.1, log=True),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left the plane with the training points of two classes, blue dots and orange squares. The colour of "
    "the plane is h: blue below 0, orange above. The solid line is h = 0, and the dashed lines are h = ±1. On the "
    "right are two bars, the training error in grey and the validation error in violet.",
    code=code,
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
