"""Notebook 04. RBF basis or RBF kernel?"""

from types import SimpleNamespace

import numpy as np

from kernelkit import Centres, FromFeatures, Gaussian, KernelRidge, PrimalRidge, datasets
from kernelkit.course.explorers.drawing.curves import CURVES, GRID, INSIDE, fits, heights, rms, tell_curve, true_curve
from kernelkit.course.panel.controls import Choice, Question, Slider, Switch
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Dots, Fill, Line, Text, VLine
from kernelkit.course.panel.numbers import amount, read_off, short, typed
from kernelkit.course.plots import BLUE, GREEN, GREY, INK, ORANGE, PURPLE

LAMS = np.logspace(-5, 2, 29)
KAPPA = np.logspace(-4, 2, 121)
TICKS = (-4, -2, 0, 2, 4)
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


def picture(s):
    curves = Axes(
        "",
        Axis("", -4, 4, TICKS, [""] * 5),
        heights(s),
        *fits(s, basis=s.h_basis, kernel=s.h_kernel),
        name="axes",
        place=(0.072, 0.575, 0.543, 0.345),
    )
    return [[curves, _difference(s), _kept(s)]]


def _difference(s):
    place, height = s.widest
    return Axes(
        "",
        Axis("$x$", -4, 4, TICKS),
        Axis("", -WIDEST, WIDEST, (-0.5, 0, 0.5), zero=True),
        VLine(-3, GREY, width=1.2, style=":"),
        VLine(3, GREY, width=1.2, style=":"),
        Fill(GRID[:, 0], np.clip(s.difference, 0, 9), ORANGE, alpha=1, name="above"),
        Fill(GRID[:, 0], np.clip(s.difference, -9, 0), BLUE, alpha=1, name="below"),
        Text(-4, 1.12 * WIDEST, f"basis − kernel: at most {s.gap:.3f} between −3 and 3", INK, name="largest"),
        Dots(place, np.clip(height, -WIDEST, WIDEST), size=8, rim=1),
        name="difference",
        place=(0.072, 0.145, 0.543, 0.32),
    )


def _kept(s):
    shown = s.eigenvalues[s.eigenvalues > KAPPA[0]]
    return Axes(
        "share of $y$ that is kept along\neach eigenvector (dots)",
        Axis(r"eigenvalue $\kappa$ of $K$", 1e-4, 1e2, (1e-3, 0.1, 10), ("0.001", "0.1", "10"), log=True),
        Axis("", -0.04, 1.06, (0, 0.5, 1)),
        Line(KAPPA, kept_by_basis(KAPPA, s.lam_basis), PURPLE, width=2.4, style="--"),
        Line(KAPPA, kept_by_kernel(KAPPA, s.lam_kernel), GREEN, width=2.8),
        Dots(shown, kept_by_basis(shown, s.lam_basis), PURPLE, size=6),
        Dots(shown, kept_by_kernel(shown, s.lam_kernel), GREEN, size=6),
        name="kept",
        place=(0.7, 0.145, 0.285, 0.7),
    )


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


basis_or_kernel = panel(
    compute,
    picture,
    readout,
    code,
    Choice("data", "true curve", "sine", CURVES),
    Slider("sigma", "width σ", 0.5, 0.1, 2.0, 0.05),
    Switch("own", "each its own λ (leave-one-out)", False),
    Slider("lam", "λ for both", 0.1, 1e-4, 100.0, 0.1, log=True, when=lambda v: not v["own"]),
    Slider("n", "points n", 40, 8, 60, 1, more=True),
    Slider("noise", "noise", 0.2, 0.0, 0.6, 0.05, more=True),
    Slider("sample", "new sample", 0, 0, 9, 1, more=True),
    title="RBF basis or RBF kernel?",
    shows="On the left, above, the data over x, the dotted true curve, the basis dashed in purple and the kernel in "
    "green; below, basis minus kernel, orange where it is positive and blue where it is negative. On the right the "
    "share of y that each of them keeps along an eigenvector of K, over its eigenvalue. Differences and distances, "
    "which are root mean squares, are taken between −3 and 3.",
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
