"""Notebook 03: three forms of one model, and what happens when K is singular."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import PolyCollection

from kernelkit import DualRidge, KernelRidge, Polynomial, PrimalRidge, datasets
from kernelkit.explorers.base import Explorer
from kernelkit.explorers.controls import Choice, Question, Slider
from kernelkit.explorers.count_lines import standard
from kernelkit.explorers.ridge_bias import centring
from kernelkit.explorers.ridge_times import recovery, times
from kernelkit.plots import GREEN, GREY, INK, ORANGE, PURPLE

__all__ = ["agreement", "centring", "recovery", "singular", "times"]

GRID = np.linspace(-1, 1, 161)
POWERS = ("1", "x", "x²", "x³", "x⁴", "x⁵", "x⁶", "x⁷", "x⁸")


def _bars(positions, heights, width):
    """The corners of bars from 0."""
    return [
        [(x - width / 2, 0), (x - width / 2, h), (x + width / 2, h), (x + width / 2, 0)]
        for x, h in zip(positions, heights, strict=True)
    ]


def _sample(data, n):
    X, y = getattr(datasets, data)(n)
    return X / 3, y


# ---- primal, dual and kernel drawn over each other ------------------------------------------


def _agreement_compute(data, degree, n, lam):
    X, y = _sample(data, n)
    k = Polynomial(degree)
    phi = k.feature_map()
    models = [PrimalRidge(phi, lam), DualRidge(phi, lam), KernelRidge(k, lam)]
    curves = np.array([model.fit(X, y).predict(GRID[:, None]) for model in models])
    return SimpleNamespace(
        X=X[:, 0], y=y, curves=curves, gap=float(np.ptp(curves, axis=0).max()), lam=lam, n=n,
        w=models[0].w_, recovered=models[2].primal_weights(phi),
        error=float(np.sqrt(np.mean((models[2].predict(X) - y) ** 2))),
    )  # fmt: skip


def _agreement_build(figure):
    ax = figure.add_axes((0.075, 0.13, 0.47, 0.66), xlim=(-1.05, 1.05), ylim=(-2.1, 2.1), xlabel="$x$", ylabel="$y$")
    ax.set(xticks=[-1, 0, 1], yticks=[-2, -1, 0, 1, 2])
    dots = ax.plot([], [], "o", ms=5, color=GREY, animated=True)[0]
    looks = {"lw": 9, "alpha": 0.3}, {"lw": 4, "ls": "--"}, {"lw": 0, "marker": "D", "ms": 4.5, "markevery": 8}
    curves = [
        ax.plot([], [], color=c, animated=True, zorder=3 + i, **look)[0]
        for i, (c, look) in enumerate(zip((INK, PURPLE, GREEN), looks, strict=True))
    ]
    for x, words, colour in (
        (0.075, "primal (wide)", INK),
        (0.233, "dual (dashes)", PURPLE),
        (0.398, "kernel (diamonds)", GREEN),
    ):
        figure.text(x, 0.92, words, color=colour, size=11)
    gap = ax.text(0, 1.06, "", size=11, transform=ax.transAxes, animated=True)
    bars = figure.add_axes((0.65, 0.13, 0.335, 0.66), xlabel="feature (up to its √-weight)")
    bars.set(xlim=(-0.7, len(POWERS) - 0.3))
    bars.set_xticks(range(len(POWERS)), POWERS)
    bars.axhline(0, color=INK, lw=0.8)
    pairs = [
        bars.add_collection(PolyCollection([], facecolor=c, edgecolor=INK, hatch=h, lw=0.6, animated=True))
        for c, h in (("#BBBBBB", None), ("#9FD6C4", "////"))
    ]
    figure.text(0.65, 0.92, "weights: plain $w$ (primal),", size=11)
    figure.text(0.65, 0.845, r"hatched $\Phi^\top a$ (kernel)", color=GREEN, size=11)
    return {"ax": ax, "dots": dots, "curves": curves, "gap": gap, "bars": bars, "pairs": pairs}


def _agreement_draw(parts, state):
    parts["dots"].set_data(state.X, state.y)
    for line, curve in zip(parts["curves"], state.curves, strict=True):
        line.set_data(GRID, curve)
    places = np.arange(len(state.w))
    for pair, shift, heights in zip(parts["pairs"], (-0.2, 0.2), (state.w, state.recovered), strict=True):
        pair.set_verts(_bars(places + shift, heights, 0.4))
    limit = standard(1.05 * np.abs(state.w).max())
    parts["gap"].set_text(f"largest difference of the three: {state.gap:.0e}")
    if parts.get("fixed") != limit:
        parts["fixed"] = limit
        parts["bars"].set(ylim=(-limit, limit))
        parts["bars"].set_yticks([-limit, 0, limit], [f"{v:g}".replace("-", "−") for v in (-limit, 0, limit)])
    return limit


def _agreement_describe(state):
    apart = float(np.abs(state.w - state.recovered).max())
    text = f"The primal form solves {len(state.w)} equations, the dual and kernel forms {state.n}. "
    text += f"Their three curves differ by at most {state.gap:.6f}, w and Φᵀa by at most {apart:.6f}. "
    return text + f"With λ = {state.lam:.3g} all three miss the points by {state.error:.2f} (root mean square)."


def _agreement_code(data, degree, n, lam):
    return (
        "import numpy as np\nfrom kernelkit import *\nfrom kernelkit import datasets\n\n"
        f"X, y = datasets.{data}({n})\nX = X / 3  # into [−1, 1]\n"
        f"Z = np.linspace(-1, 1, {len(GRID)})[:, None]\nk = Polynomial({degree})\nphi, lam = k.feature_map(), {lam!r}\n"
        "models = PrimalRidge(phi, lam), DualRidge(phi, lam), KernelRidge(k, lam)\n"
        "curves = [model.fit(X, y).predict(Z) for model in models]\nprint(np.ptp(curves, axis=0).max())\n"
        "print(models[0].w_, models[2].primal_weights(phi))"
    )


agreement = Explorer(
    title="Primal, dual and kernel ridge: one model",
    controls=(
        Choice("data", "data", "cubic", {"cubic": "cubic", "sine": "sine", "step": "step"}),
        Slider("degree", "degree p", 3, 1, 8, 1),
        Slider("n", "points n", 20, 5, 80, 1),
        Slider("lam", "λ", 0.1, 1e-3, 100.0, 0.05, log=True),
    ),
    compute=_agreement_compute,
    build=_agreement_build,
    draw=_agreement_draw,
    describe=_agreement_describe,
    code=_agreement_code,
    scenes={
        "Straight line": {"degree": 1, "data": "step"},
        "More features than points": {"degree": 8, "n": 5},
        "Many points": {"n": 80, "data": "sine", "degree": 7, "lam": 0.01},
        "Strong λ": {"lam": 100.0},
    },
    question=Question(
        "Degree 3, and n goes from 20 to 80 points. The kernel form then has 80 weights, the primal form still 4. "
        "What happens to the kernel form's curve?",
        (
            "it can bend more often than the primal one",
            "it stays a cubic, the same as the primal one",
            "it passes through all points",
        ),
        1,
        "Each k(X_i, z) is a cubic in z, and a sum of cubics is a cubic, however many there are. All three forms have "
        "the same functions to choose from and the same objective.",
    ),
)  # fmt: skip


# ---- singular K -----------------------------------------------------------------------------

FLOOR = 1e-10  # eigenvalues below are drawn on this line


def _singular_compute(n, degree, noise, lam, shift):
    X, y = datasets.cubic(n, noise)
    X, k = X / 3, Polynomial(degree)
    K, D = k(X), k.feature_map().dim(1)
    model = KernelRidge(k, lam).fit(X, y)
    values, U = np.linalg.eigh(K)
    rank = min(n, D)  # the points are distinct, so no other rank is possible
    flat = U[:, : n - rank]  # Kv = 0 for every combination v of these
    a = model.a_ + shift * flat @ (flat.T @ (-1.0) ** np.arange(n))
    h = k(GRID[:, None], X) @ a
    return SimpleNamespace(
        X=X[:, 0], y=y, n=n, D=D, rank=rank, lam=lam, a=a, h=h, values=values[::-1],
        residual=float(np.abs(k(X) @ a - y).max()), largest=float(np.abs(a).max()),
        moved=float(np.abs(a - model.a_).max()),
    )  # fmt: skip


def _singular_build(figure):
    ax = figure.add_axes((0.075, 0.13, 0.4, 0.74), xlim=(-1.05, 1.05), ylim=(-4.2, 4.2), xlabel="$x$", ylabel="$y$")
    ax.set(xticks=[-1, 0, 1], yticks=[-4, -2, 0, 2, 4])
    ax.set_title("predictions")
    dots = ax.plot([], [], "o", ms=6, color=GREY, animated=True)[0]
    curve = ax.plot([], [], color=INK, animated=True)[0]
    eigen = figure.add_axes((0.61, 0.62, 0.375, 0.25), yscale="log", ylim=(FLOOR / 5, 2e3), xlim=(0, 21), xticks=[])
    eigen.set_yticks([1e-8, 1e-4, 1], ["$10^{-8}$", "$10^{-4}$", "1"])
    eigen.minorticks_off()
    eigen.set_title("eigenvalues of $K$ (× is 0)", size=11)
    kept = eigen.plot([], [], "o", ms=6, color=GREEN, animated=True)[0]
    zeros = eigen.plot([], [], "x", ms=7, mew=2, color=ORANGE, animated=True)[0]
    lam = eigen.axhline(1, color=PURPLE, ls="--", lw=1.4, animated=True)
    word = eigen.text(20.9, 1, "λ", color=PURPLE, ha="right", va="bottom", size=12, animated=True)
    dual = figure.add_axes(
        (0.61, 0.13, 0.375, 0.32), xlim=(0, 21), xticks=[1, 5, 10, 15, 20], xlabel="training point $i$"
    )
    dual.axhline(0, color=INK, lw=0.8)
    dual.set_title("dual weights $a_i$", size=11)
    bars = dual.add_collection(PolyCollection([], facecolor=GREEN, animated=True))
    return {
        "dots": dots,
        "curve": curve,
        "kept": kept,
        "zeros": zeros,
        "lam": lam,
        "word": word,
        "dual": dual,
        "bars": bars,
    }


def _singular_draw(parts, state):
    parts["dots"].set_data(state.X, state.y)
    parts["curve"].set_data(GRID, state.h)
    rows = np.arange(1, state.n + 1)
    parts["kept"].set_data(rows[: state.rank], np.maximum(state.values[: state.rank], FLOOR))
    parts["zeros"].set_data(rows[state.rank :], np.full(state.n - state.rank, FLOOR))
    parts["lam"].set_ydata([state.lam] * 2)
    parts["word"].set_y(state.lam)
    parts["bars"].set_verts(_bars(rows, state.a, 0.7))
    limit = standard(state.largest)
    if parts.get("fixed") != limit:
        parts["fixed"] = limit
        digit, power = f"{limit:.0e}".split("e")
        top = f"{limit:g}" if limit < 1e4 else (rf"{digit} \cdot " * (digit != "1")) + f"10^{{{int(power)}}}"
        parts["dual"].set(ylim=(-limit, limit))
        parts["dual"].set_yticks([-limit, 0, limit], [f"$-{top}$", "0", f"${top}$"])
    return limit


def _singular_describe(state):
    reach = "reaches every target" if state.residual < 0.01 else f"misses a target by up to {state.residual:.2f}"
    text = f"n = {state.n} points and D = {state.D} features: K has rank {state.rank}, "
    text += f"so {state.n - state.rank} eigenvalues are 0. " if state.rank < state.n else "so it is regular. "
    text += f"With λ = {state.lam:.3g} the curve {reach}, and the largest dual weight is {state.largest:.3g} in size."
    if state.moved > 0:
        text += f" Moving a by up to {state.moved:.3g} where Kv = 0 has changed no prediction."
    return text


def _singular_code(n, degree, noise, lam, shift):
    return (
        "import numpy as np\nfrom kernelkit import *\nfrom kernelkit import datasets\n\n"
        f"X, y = datasets.cubic({n}, noise={noise!r})\nX = X / 3  # into [−1, 1]\nk = Polynomial({degree})\n"
        f"a = KernelRidge(k, lam={lam!r}).fit(X, y).a_\nvalues, U = np.linalg.eigh(k(X))\n"
        "flat = U[:, : max(0, len(X) - k.feature_map().dim(1))]  # Kv = 0 for their combinations v\n"
        f"a = a + {shift!r} * flat @ (flat.T @ (-1.0) ** np.arange(len(X)))\n"
        "print(values[::-1])\nprint(a)\nprint(k(X) @ a - y)"
    )


singular = Explorer(
    title="Singular K, and λ → 0",
    controls=(
        Slider("n", "points n", 12, 2, 20, 1),
        Slider("degree", "degree p", 3, 1, 6, 1),
        Slider("noise", "noise in y", 0.3, 0.0, 0.5, 0.05),
        Slider("lam", "λ", 1.0, 1e-8, 10.0, 0.25, log=True),
        Slider("shift", "add shift · v", 0.0, 0.0, 10.0, 0.5, when=lambda v: v["n"] > v["degree"] + 1),
    ),
    compute=_singular_compute,
    build=_singular_build,
    draw=_singular_draw,
    describe=_singular_describe,
    code=_singular_code,
    scenes={
        "Blow-up": {"lam": 1e-6},
        "No noise": {"noise": 0.0, "lam": 1e-6},
        "n ≤ D: K regular": {"n": 4, "lam": 1e-6},
        "Another a, same curve": {"lam": 0.01, "shift": 10.0},
    },
    question=Question(
        "12 points, 4 features, noisy targets: K is singular. As λ → 0, what happens to the curve and to the dual "
        "weights?",
        ("both blow up", "the curve settles, the dual weights blow up", "both settle"),
        1,
        "a = (y − h)/λ: the curve settles at the least-squares cubic, whose residuals are not 0, so a grows like 1/λ. "
        "It grows where Kv = 0, which no prediction can see.",
    ),
)  # fmt: skip
