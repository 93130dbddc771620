"""Notebook 04. RBF basis or RBF kernel?."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection

from kernelkit import Centres, FromFeatures, Gaussian, KernelRidge, PrimalRidge, datasets
from kernelkit.explorers.shared.curves import CURVES, GRID, INSIDE, curve_axes, draw_curves, rms, true_curve
from kernelkit.panel.controls import Choice, Question, Slider, Switch
from kernelkit.panel.explorer import Explorer
from kernelkit.panel.parts import typed
from kernelkit.plots import GREEN, INK, ORANGE, PURPLE

LAMS = np.logspace(-5, 2, 29)
KAPPA = np.logspace(-5, 2, 141)


def _own_lam(kernel, X, y):
    """The λ with the smallest leave-one-out error."""
    return float(LAMS[np.square(KernelRidge(kernel).leave_one_out(X, y, LAMS)).mean(axis=1).argmin()])


def compute(data, sigma, lam, own, n, noise, sample):
    X, y = getattr(datasets, data)(n, noise, sample)
    k, basis = Gaussian(sigma), Centres(X, sigma)
    lam_basis, lam_kernel = (_own_lam(FromFeatures(basis), X, y), _own_lam(k, X, y)) if own else (lam, lam)
    h_basis = PrimalRidge(basis, lam_basis).fit(X, y).predict(GRID)
    h_kernel = KernelRidge(k, lam_kernel).fit(X, y).predict(GRID)
    truth = true_curve(data)
    return SimpleNamespace(
        X=X, y=y, truth=truth, sigma=sigma, own=own, lam_basis=lam_basis, lam_kernel=lam_kernel,
        h_basis=h_basis, h_kernel=h_kernel, eigenvalues=np.linalg.eigvalsh(k(X)),
        kept_basis=KAPPA**2 / (KAPPA**2 + lam_basis), kept_kernel=KAPPA / (KAPPA + lam_kernel),
        gap=float(np.abs(h_basis - h_kernel)[INSIDE].max()),
        error_basis=rms((h_basis - truth)[INSIDE]), error_kernel=rms((h_kernel - truth)[INSIDE]),
    )  # fmt: skip


def build(figure):
    parts = curve_axes(
        figure,
        (0.065, 0.13, 0.52, 0.72),
        "solid green: kernel · dashed purple: basis\ndotted: the truth · points: the data",
    )
    right = figure.add_axes((0.675, 0.13, 0.305, 0.72), xscale="log", xlim=(1e-5, 1e2), ylim=(-0.09, 1.05))
    right.set(xlabel=r"eigenvalue $\kappa$ of $K$", xticks=[1e-4, 1e-2, 1, 1e2], yticks=[0, 0.5, 1])
    right.set_title("how much of $y$ is kept\n(ticks: this $K$'s eigenvalues)", size=11)
    right.minorticks_off()
    right.axhline(0, color=INK, linewidth=0.8)
    parts["kept_basis"] = right.plot(KAPPA, KAPPA, "--", color=PURPLE, animated=True)[0]
    parts["kept_kernel"] = right.plot(KAPPA, KAPPA, color=GREEN, linewidth=2.6, animated=True)[0]
    parts["eigenvalues"] = right.add_collection(LineCollection([], color=ORANGE, linewidth=1.5, animated=True))
    return parts


def draw(parts, state):
    parts["kept_basis"].set_ydata(state.kept_basis)
    parts["kept_kernel"].set_ydata(state.kept_kernel)
    parts["eigenvalues"].set_segments([[(v, -0.075), (v, -0.015)] for v in state.eigenvalues if v > 1e-5])
    return draw_curves(parts, state, state.h_basis, state.h_kernel)


def describe(state):
    lams = (
        f"each with its own λ (kernel {state.lam_kernel:.2g}, basis {state.lam_basis:.2g})"
        if state.own
        else f"λ = {state.lam_kernel:.3g} for both"
    )
    return (
        f"σ = {state.sigma:.2f}, {lams}: between −3 and 3 basis and kernel differ by up to {state.gap:.3f}. "
        f"Error against the true curve: kernel {state.error_kernel:.3f}, basis {state.error_basis:.3f}."
    )


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
        Switch("own", "each its own λ, by leave-one-out", False),
        Slider("lam", "λ for both", 0.1, 1e-4, 100.0, 0.1, log=True, when=lambda v: not v["own"]),
        Slider("n", "points n", 40, 8, 60, 1),
        Slider("noise", "noise", 0.2, 0.0, 0.6, 0.05),
        Slider("sample", "another sample", 0, 0, 9, 1),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    scenes={
        "Same large λ": {"lam": 10.0},
        "Same small λ": {"lam": 0.001},
        "Each its own λ": {"own": True},
        "A step, own λ": {"data": "step", "own": True, "sigma": 0.4},
    },
    question=Question(
        "Both get the same λ = 10, a strong penalty. Which of the two stays closer to the data?",
        ("the kernel", "the basis", "they stay the same"),
        1,
        "The basis keeps κ²/(κ² + λ) of a direction, the kernel κ/(κ + λ): where κ > 1, squaring "
        "makes the basis shrink less.",
    ),
    size=(7.2, 4.2),
)  # fmt: skip
