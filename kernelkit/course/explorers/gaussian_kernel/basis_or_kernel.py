"""Notebook 04. RBF basis or RBF kernel?"""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import PolyCollection

from kernelkit import Centres, FromFeatures, Gaussian, KernelRidge, PrimalRidge, datasets
from kernelkit.course.explorers.drawing.curves import (
    CURVES,
    GRID,
    INSIDE,
    curve_axes,
    draw_curves,
    rms,
    tell_curve,
    true_curve,
)
from kernelkit.course.panel.controls import Choice, Question, Slider, Switch
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import amount, read_off, short, typed
from kernelkit.course.plots import BLUE, GREEN, GREY, INK, ORANGE, PURPLE

LAMS = np.logspace(-5, 2, 29)
KAPPA = np.logspace(-4, 2, 121)
WIDEST = 0.6  # of the difference that is drawn


def _own_lam(kernel, X, y):
    """The λ with the smallest leave-one-out error."""
    return float(LAMS[np.square(KernelRidge(kernel).leave_one_out(X, y, LAMS)).mean(axis=1).argmin()])


def kept_by_basis(kappa, lam):
    """κ²/(κ² + λ), the share of y that the basis keeps along an eigenvector of K."""
    return kappa**2 / (kappa**2 + lam)


def kept_by_kernel(kappa, lam):
    """κ/(κ + λ)."""
    return kappa / (kappa + lam)


def compute(data, sigma, lam, own, n, noise, sample):
    X, y = getattr(datasets, data)(n, noise, sample)
    k, basis = Gaussian(sigma), Centres(X, sigma)
    lam_basis, lam_kernel = (_own_lam(FromFeatures(basis), X, y), _own_lam(k, X, y)) if own else (lam, lam)
    h_basis = PrimalRidge(basis, lam_basis).fit(X, y).predict(GRID)
    h_kernel = KernelRidge(k, lam_kernel).fit(X, y).predict(GRID)
    truth, difference = true_curve(data), h_basis - h_kernel
    widest = np.abs(difference[INSIDE]).argmax()
    return SimpleNamespace(
        X=X,
        y=y,
        truth=truth,
        sigma=sigma,
        lam_basis=lam_basis,
        lam_kernel=lam_kernel,
        h_basis=h_basis,
        h_kernel=h_kernel,
        eigenvalues=np.linalg.eigvalsh(k(X)),
        difference=difference,
        widest=(float(GRID[INSIDE][widest, 0]), float(difference[INSIDE][widest])),
        gap=float(np.abs(difference[INSIDE][widest])),
        error_basis=rms((h_basis - truth)[INSIDE]),
        error_kernel=rms((h_kernel - truth)[INSIDE]),
    )


def build(figure):
    parts = curve_axes(figure.add_axes((0.072, 0.575, 0.543, 0.345)), "basis", "kernel")
    parts["axes"].set(xlabel="", xticklabels=[])
    parts |= _difference(figure.add_axes((0.072, 0.145, 0.543, 0.32)))
    return parts | _kept(figure.add_axes((0.7, 0.145, 0.285, 0.7)))


def _difference(ax):
    ax.set(xlim=(-4, 4), ylim=(-WIDEST, WIDEST), xlabel="$x$", xticks=[-4, -2, 0, 2, 4], yticks=[-0.5, 0, 0.5])
    fills = [ax.add_collection(PolyCollection([], facecolor=c, linewidth=0, animated=True)) for c in (ORANGE, BLUE)]
    ax.axhline(0, color=INK, linewidth=0.8)
    for edge in (-3, 3):
        ax.axvline(edge, color=GREY, linestyle=":", linewidth=1.2)
    largest = ax.text(-4, 1.12 * WIDEST, "", color=INK, animated=True)
    dot = ax.plot([], [], "o", color=INK, mec="white", ms=8, animated=True, zorder=4)[0]
    return {"difference": ax, "fills": fills, "dot": dot, "largest": largest}


def _kept(ax):
    ax.set(xscale="log", xlim=(1e-4, 1e2), ylim=(-0.04, 1.06), xlabel=r"eigenvalue $\kappa$ of $K$")
    ax.set_xticks([1e-3, 0.1, 10], ["0.001", "0.1", "10"])
    ax.set(yticks=[0, 0.5, 1])
    ax.minorticks_off()
    ax.set_title("share of $y$ that is kept along\neach eigenvector (dots)")
    curves = [
        ax.plot(KAPPA, KAPPA, style, color=c, linewidth=width, animated=True)[0]
        for style, c, width in (("--", PURPLE, 2.4), ("-", GREEN, 2.8))
    ]
    dots = [ax.plot([], [], "o", color=c, mec="white", mew=0.7, ms=6, animated=True)[0] for c in (PURPLE, GREEN)]
    return {"kept": ax, "kept_curves": curves, "kept_dots": dots}


def draw(parts, state):
    for line, dots, kept, lam in zip(
        parts["kept_curves"],
        parts["kept_dots"],
        (kept_by_basis, kept_by_kernel),
        (state.lam_basis, state.lam_kernel),
        strict=True,
    ):
        line.set_ydata(kept(KAPPA, lam))
        shown = state.eigenvalues[state.eigenvalues > KAPPA[0]]
        dots.set_data(shown, kept(shown, lam))
    for fill, part in zip(
        parts["fills"], (np.maximum(state.difference, 0), np.minimum(state.difference, 0)), strict=True
    ):
        fill.set_verts([[(-4, 0), *zip(GRID[:, 0], np.clip(part, -9, 9), strict=True), (4, 0)]])
    x, height = state.widest
    parts["dot"].set_data([x], [np.clip(height, -WIDEST, WIDEST)])
    parts["largest"].set_text(f"basis − kernel: at most {state.gap:.3f} between −3 and 3")
    draw_curves(parts, state, state.h_basis, state.h_kernel)


def readout(state):
    return {
        "λ of the basis": short(state.lam_basis, 2),
        "λ of the kernel": short(state.lam_kernel, 2),
        "largest difference": amount(state.gap),
        "basis from the true curve": f"{state.error_basis:.3f}",
        "kernel from the true curve": f"{state.error_kernel:.3f}",
    }


def tell_fits(state, x, y):
    return tell_curve(x, basis=state.h_basis, kernel=state.h_kernel)


def tell_difference(state, x, y):
    return tell_curve(x, difference=state.difference)


def tell_kept(state, x, y):
    kept = kept_by_basis(x, state.lam_basis), kept_by_kernel(x, state.lam_kernel)
    return f"κ = {short(x, 2)}: basis {read_off(kept[0])}, kernel {read_off(kept[1])}"


def code(data, sigma, lam, own, n, noise, sample):
    state = compute(data, sigma, lam, own, n, noise, sample)
    return (
        "from kernelkit import Centres, Gaussian, KernelRidge, PrimalRidge, datasets\n\n"
        f"X, y = datasets.{data}({n}, {typed(noise)}, {sample})\n"
        f"basis = PrimalRidge(Centres(X, {typed(sigma)}), lam={typed(state.lam_basis)}).fit(X, y)\n"
        f"kernel = KernelRidge(Gaussian({typed(sigma)}), lam={typed(state.lam_kernel)}).fit(X, y)\n"
        "Z = [[-2.0], [0.0], [2.0]]\nprint(basis.predict(Z))\nprint(kernel.predict(Z))"
    )


basis_or_kernel = Explorer(
    title="RBF basis or RBF kernel?",
    controls=(
        Choice("data", "true curve", "sine", CURVES),
        Slider("sigma", "width σ", 0.5, 0.1, 2.0, 0.05),
        Switch("own", "each its own λ (leave-one-out)", False),
        Slider("lam", "λ for both", 0.1, 1e-4, 100.0, 0.1, log=True, when=lambda v: not v["own"]),
        Slider("n", "points n", 40, 8, 60, 1, more=True),
        Slider("noise", "noise", 0.2, 0.0, 0.6, 0.05, more=True),
        Slider("sample", "new sample", 0, 0, 9, 1, more=True),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="On the left, above, the data over x, the dotted true curve, the basis dashed in purple and the kernel in "
    "green; below, basis minus kernel, orange where it is positive and blue where it is negative. On the right the "
    "share of y that each of them keeps along an eigenvector of K, over its eigenvalue. Differences and distances, "
    "which are root mean squares, are taken between −3 and 3.",
    code=code,
    tell={"axes": tell_fits, "difference": tell_difference, "kept": tell_kept},
    motion=True,
    film=("sigma",),
    scenes={
        "Same large λ": {"lam": 10.0},
        "Same small λ": {"lam": 0.001},
        "Each its own λ": {"own": True},
        "A step, own λ": {"data": "step", "own": True, "sigma": 0.4},
    },
    question=Question(
        "λ for both grows from 0.1 to 10. Which of the two fits then stays closer to the data?",
        ("the basis", "the kernel", "both stay equally close"),
        0,
        "The sine belongs to the largest eigenvalues, between about 3 and 10. There the basis keeps κ²/(κ² + 10), "
        "which is more than the κ/(κ + 10) of the kernel.",
        scene="Same large λ",
    ),
)
