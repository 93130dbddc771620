"""Notebook 07. The primal, one point at a time."""

from functools import lru_cache
from types import SimpleNamespace

import numpy as np

from kernelkit import KernelMachine, Monomials, Polynomial, PrimalSVM, datasets
from kernelkit.explorers.shared import boundary as plane
from kernelkit.panel.controls import Choice, Question, Slider, Stepper
from kernelkit.panel.explorer import Explorer
from kernelkit.panel.parts import short
from kernelkit.plots import GREEN, GREY, INK

N, PASSES, LAST = 60, 50, 40
LOW, HIGH = (-2.6, -2.6), (2.6, 2.6)
ACROSS, UP = plane.grid(LOW, HIGH, 80)
GRID = np.array(np.meshgrid(ACROSS, UP)).reshape(2, -1).T
AT = np.unique(np.round(np.geomspace(1, N * PASSES, LAST)).astype(int))  # the iterates that are looked at
EARLY = int(np.searchsorted(AT, 20))
DATA = {"crossing": "crossing", "rings": "rings", "moons": "moons"}


@lru_cache(maxsize=8)
def _data(data):
    return getattr(datasets, data)(N)


@lru_cache(maxsize=16)
def _features(degree):
    return Monomials(degree)(GRID)


def objective(W, Phi, y, lam):
    """(1/n) Σ max(0, 1 − y_i wᵀΦ(X_i)) + λ‖w‖² for each row w of W."""
    return np.maximum(0, 1 - y * (W @ Phi.T)).mean(axis=1) + lam * np.sum(W**2, axis=1)


@lru_cache(maxsize=16)
def run(data, degree, lam, order):
    """The iterates at AT, the means of the second halves, their objectives, and the optimum of the dual."""
    X, y = _data(data)
    phi = Monomials(degree)
    W = np.array(list(PrimalSVM(phi, lam, PASSES, order).steps(X, y)))
    sums = np.vstack([0 * W[:1], np.cumsum(W, axis=0)])
    last = W[AT]
    mean = (sums[AT + 1] - sums[AT // 2 + 1]) / (AT - AT // 2)[:, None]
    k = Polynomial(degree)
    a = KernelMachine(k, "hinge", lam=2 * N * lam).fit(X, y).a_
    best = 2 * lam * float(a @ y - a @ (k(X) @ a) / 2)  # the dual of C Σ hinge + ½‖w‖², times 2λ = 1/(nC)
    values = [objective(v, phi(X), y, lam) for v in (last, mean)]
    return SimpleNamespace(last=last, mean=mean, values=values, best=best, w=phi(X).T @ a)


def compute(data, degree, lam, order, step):
    X, y = _data(data)
    r = run(data, degree, lam, order)
    at = min(step, len(AT) - 1)
    H = [(_features(degree) @ w).reshape(len(UP), len(ACROSS)) for w in (r.mean[at], r.w)]
    return SimpleNamespace(X=X, y=y, at=at, t=int(AT[at]), values=r.values, best=r.best, H=H, lam=lam,
                           now=[float(v[at]) for v in r.values])  # fmt: skip


def build(figure):
    ax = figure.add_axes((0.01, 0.06, 0.45, 0.45 * 7.2 / 3.8), xticks=[], yticks=[])
    ax.spines[:].set_visible(False)
    ax.set_title("black: mean of the steps · green: dual", size=11, pad=4)
    curves = figure.add_axes((0.58, 0.16, 0.4, 0.68), xscale="log", yscale="log", xlim=(0.8, N * PASSES * 1.3))
    curves.set(xlabel="step $t$", ylim=(1e-4, 1e3))
    curves.set_yticks([1e-4, 1e-2, 1, 1e2], ["0.0001", "0.01", "1", "100"])
    curves.set_xticks([1, 10, 100, 1000], ["1", "10", "100", "1000"])
    curves.minorticks_off()
    curves.set_title("objective − best\ndotted: last step, solid: mean", size=11, loc="left", pad=4)
    look = {"animated": True, "zorder": 3}
    return {
        "plane": plane.build(ax, LOW, HIGH, reference=GREEN),
        "curves": [curves.plot([], [], s, color=c, **look)[0] for s, c in ((":", GREY), ("-", INK))],
        "marks": [curves.plot([], [], m, color=c, ms=7, **look)[0] for m, c in (("o", GREY), ("s", INK))],
    }


def draw(parts, state):
    plane.draw(parts["plane"], ACROSS, UP, state.H[0], state.X, state.y, reference=state.H[1])
    for curve, mark, values in zip(parts["curves"], parts["marks"], state.values, strict=True):
        above = np.clip(values - state.best, 1e-4, 1e3)
        curve.set_data(AT[: state.at + 1], above[: state.at + 1])
        mark.set_data([AT[state.at]], [above[state.at]])


def describe(state):
    last, mean = state.now
    steps = f"{state.t} step{'s' * (state.t > 1)}"
    return (
        f"λ = {short(state.lam)}, C = 1/(2nλ) = {short(1 / (2 * N * state.lam))}. After {steps} of one point each "
        f"the objective is {last:.4f} at the last w and {mean:.4f} at the mean; the dual's optimum is {state.best:.4f}."
    )


def code(data, degree, lam, order, step):
    return (
        "import numpy as np\nfrom kernelkit import *\nfrom kernelkit import datasets\n\n"
        f"X, y = datasets.{data}({N})\nPhi = Monomials({degree})(X)\n"
        f"W = np.array(list(PrimalSVM(Monomials({degree}), {lam:g}, {PASSES}, {order}).steps(X, y)))\n"
        f"t = {AT[min(step, len(AT) - 1)]}\n"
        "for w in (W[t], W[t // 2 + 1 : t + 1].mean(axis=0)):\n"
        f"    print(np.maximum(0, 1 - y * (Phi @ w)).mean() + {lam:g} * w @ w)\n"
        f"dual = KernelMachine(Polynomial({degree}), 'hinge', lam=2 * {N} * {lam:g}).fit(X, y)\n"
        "print(dual.objective_ / len(y))"
    )


primal_or_dual = Explorer(
    title="The primal, one point at a time",
    controls=(
        Stepper("step", "steps (longer)", len(AT) - 1, EARLY),
        Choice("data", "data", "crossing", DATA),
        Slider("degree", "degree p", 2, 1, 4, 1),
        Slider("lam", "λ", 0.01, 0.001, 1.0, 0.25, log=True),
        Slider("order", "another order", 0, 0, 9, 1),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    scenes={
        "100 steps": {"step": int(np.searchsorted(AT, 100))},
        "All steps": {"step": len(AT) - 1},
        "Strong penalty": {"step": len(AT) - 1, "lam": 1.0},
        "Degree 1": {"step": len(AT) - 1, "degree": 1},
    },
    question=Question(
        "Each step looks at one point only. Will it bring the objective over all 60 points down every time?",
        ("yes, every time", "no: it goes down, but up at times", "no: it does not come down at all"),
        1,
        "A step for one point can spoil others, and the last w (dotted) shows it. The mean of the second half (solid) "
        "forgets single points and goes down more evenly.",
    ),
    size=(7.2, 3.8),
)
