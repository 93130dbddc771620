"""Notebook 07. A strip along σ."""

from types import SimpleNamespace

from kernelkit import Gaussian, KernelSVM
from kernelkit.explorers.shared import boundary as plane
from kernelkit.explorers.shared.mixture import ACROSS, HIGH, LOW, bayes, fresh, sample, wrong
from kernelkit.panel.controls import Choice, Question, Slider
from kernelkit.panel.explorer import Explorer
from kernelkit.panel.parts import short
from kernelkit.plots import GREEN, GREY, PURPLE

SIGMAS = (0.1, 0.3, 0.7, 2.0, 6.0)
EVERY = 2  # every second line of the grid is enough for a small picture


def compute(data, C):
    (X, y), (Z, t) = sample(data), fresh(data)
    x, up = ACROSS[::EVERY], plane.grid(LOW, HIGH, 120)[1][::EVERY]
    machines, a = [], None
    for sigma in SIGMAS:
        model = KernelSVM(Gaussian(sigma), C).fit(X, y, start=a)
        a = model.a_  # the next width starts from here
        machines.append(SimpleNamespace(
            sigma=sigma, H=plane.decision_on_grid(model, x, up), support=model.support_,
            train=wrong(model.decision_function(X), y), test=wrong(model.decision_function(Z), t),
        ))  # fmt: skip
    H, error = bayes() if data == "mixture" else (None, None)
    return SimpleNamespace(
        x=x, up=up, X=X, y=y, C=C, machines=machines, best=error, bayes=None if H is None else H[::EVERY, ::EVERY]
    )


def build(figure):
    planes = []
    for i, sigma in enumerate(SIGMAS):
        place = (0.012 + 0.332 * (i % 3), 0.53 - 0.485 * (i // 3), 0.305, 0.41)
        ax = figure.add_axes(place, xticks=[], yticks=[])
        ax.set_title(f"σ = {sigma:g}", size=11, pad=4)
        ax.spines[:].set_visible(False)
        parts = plane.build(ax, LOW, HIGH)
        for label in (-1, 1):
            parts[label].set(markersize=3.6, markeredgewidth=0.3)
        parts["boundary"].set_linewidth(1.8)
        planes.append(parts)
    ax = figure.add_axes((0.735, 0.125, 0.245, 0.33), xscale="log", xlim=(0.07, 9), ylim=(0, 0.47))
    ax.set(yticks=[0, 0.2, 0.4], yticklabels=["0", "20 %", "40 %"], xlabel="width σ")
    ax.set_xticks([0.1, 1], ["0.1", "1"])
    ax.minorticks_off()
    lines = {
        "train": ax.plot(SIGMAS, [0] * 5, "o-", color=GREY, ms=5, animated=True)[0],
        "test": ax.plot(SIGMAS, [0] * 5, "s-", color=GREEN, ms=5, animated=True)[0],
        "best": ax.axhline(0, color=PURPLE, linestyle="--", linewidth=1.6, animated=True),
    }
    ax.text(0.02, 1.03, "test", color=GREEN, transform=ax.transAxes, size=11)
    ax.text(0.28, 1.03, "training", color=GREY, transform=ax.transAxes, size=11)
    ax.text(0.76, 1.03, "Bayes", color=PURPLE, transform=ax.transAxes, size=11)
    return {"planes": planes, "lines": lines}


def draw(parts, state):
    for part, m in zip(parts["planes"], state.machines, strict=True):
        plane.draw(part, state.x, state.up, m.H, state.X, state.y, reference=state.bayes)
    for name in ("train", "test"):
        parts["lines"][name].set_ydata([getattr(m, name) for m in state.machines])
    parts["lines"]["best"].set_ydata([-1 if state.best is None else state.best] * 2)


def describe(state):
    train = ", ".join(f"{100 * m.train:.1f}" for m in state.machines)
    test = ", ".join(f"{100 * m.test:.1f}" for m in state.machines)
    lowest = min(state.machines, key=lambda m: m.test)
    end = "" if state.best is None else f" (Bayes: {100 * state.best:.1f} %)"
    return (
        f"C = {short(state.C)}, σ = {', '.join(f'{s:g}' for s in SIGMAS)}: training errors {train} %, test errors "
        f"{test} %. The lowest test error is at σ = {lowest.sigma:g}{end}."
    )


def code(data, C):
    return (
        "from kernelkit import Gaussian, KernelSVM, datasets\n\n"
        f"X, y = datasets.{data}(200)\n"
        f"for sigma in {SIGMAS}:\n"
        f"    svm = KernelSVM(Gaussian(sigma), C={C:g}).fit(X, y)\n"
        "    print(sigma, len(svm.support_), 1 - svm.score(X, y))"
    )


strip = Explorer(
    title="A strip along σ",
    controls=(
        Choice("data", "data", "mixture", {"ten-means mixture": "mixture", "moons": "moons", "circles": "circles"}),
        Slider("C", "price C", 1.0, 0.01, 100.0, 0.1, log=True),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    scenes={"C tiny": {"C": 0.01}, "C large": {"C": 100.0}, "Easy data": {"data": "moons"}},
    question=Question(
        "C grows from 1 to 100. Where does the lowest test error move?",
        ("to a narrower kernel", "nowhere", "to a wider kernel"),
        2,
        "A high price C bends the boundary around single points, a wide kernel straightens it: each makes up for "
        "the other, so σ and C must be chosen together.",
    ),
    size=(7.2, 4.8),
)
