"""Notebook 04: fits with the Gaussian kernel beside fits with polynomials and with the RBF basis."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection

from kernelkit import Centres, FromFeatures, Gaussian, KernelRidge, Linear, PrimalRidge, datasets
from kernelkit.explorers.base import Explorer
from kernelkit.explorers.controls import Choice, Question, Slider, Switch
from kernelkit.explorers.gaussian_series import short
from kernelkit.plots import GREEN, GREY, INK, ORANGE, PURPLE

CURVES = {"sin(2x)": "sine", "a cubic": "cubic", "a step": "step"}
GRID = np.linspace(-4, 4, 241)[:, None]
INSIDE = np.abs(GRID[:, 0]) <= 3  # where the data are


def _truth(data):
    return {"sine": np.sin(2 * GRID), "cubic": (GRID**3 - 4 * GRID) / 5, "step": np.sign(GRID)}[data][:, 0]


def _rms(v):
    return float(np.sqrt(np.mean(np.square(v))))


def _curve_axes(figure, place, title, ylim=2.6):
    ax = figure.add_axes(place, xlim=(-4, 4), ylim=(-ylim, ylim), xlabel="$x$", xticks=[-4, -2, 0, 2, 4])
    ax.set_title(title, size=11)
    truth = ax.plot(GRID[:, 0], 0 * GRID[:, 0], ":", color=GREY, linewidth=2.4, animated=True)[0]
    first = ax.plot(GRID[:, 0], 0 * GRID[:, 0], "--", color=PURPLE, linewidth=2.2, animated=True)[0]
    second = ax.plot(GRID[:, 0], 0 * GRID[:, 0], color=GREEN, linewidth=2.6, animated=True)[0]
    dots = ax.plot([], [], "o", color=INK, ms=5, animated=True, zorder=4)[0]
    return {"axes": ax, "truth": truth, "first": first, "second": second, "dots": dots}


def _draw_curves(parts, state, first, second):
    parts["truth"].set_ydata(state.truth)
    parts["first"].set_ydata(np.clip(first, -99, 99))
    parts["second"].set_ydata(second)
    parts["dots"].set_data(state.X[:, 0], state.y)
    limit = 3.7 if np.abs(state.truth[INSIDE]).max() > 2 else 2.6
    parts["axes"].set_ylim(-limit, limit)
    return limit


# ---- polynomial against Gaussian ------------------------------------------------------------


def scaled_polynomial(degree):
    """(xz/9 + 1)^p: the polynomial kernel of inputs scaled from [−3, 3] to [−1, 1]."""
    return (1 / 9 * Linear() + 1) ** degree


def _path(h):
    """How far a curve travels up and down between −3 and 3."""
    return float(np.abs(np.diff(h[INSIDE])).sum())


def _wiggle_compute(data, degree, sigma, n, noise, lam, sample):
    X, y = getattr(datasets, data)(n, noise, sample)
    truth, fits = _truth(data), {}
    for name, k in (("polynomial", scaled_polynomial(degree)), ("gaussian", Gaussian(sigma))):
        model = KernelRidge(k, lam).fit(X, y)
        h = model.predict(GRID)
        fits[name] = SimpleNamespace(
            h=h, error=_rms((h - truth)[INSIDE]), path=_path(h), left_out=_rms(model.leave_one_out(X, y, [lam]))
        )
    return SimpleNamespace(X=X, y=y, truth=truth, true_path=_path(truth), degree=degree, sigma=sigma, n=n, **fits)


def _wiggle_build(figure):
    lines = "solid green: Gaussian kernel · dashed purple: polynomial kernel"
    return _curve_axes(figure, (0.065, 0.12, 0.915, 0.74), lines + "\ndotted: the truth · points: the data")


def _wiggle_draw(parts, state):
    return _draw_curves(parts, state, state.polynomial.h, state.gaussian.h)


def _wiggle_describe(state):
    def say(fit):
        return f"goes {fit.path:.1f} up and down, error {fit.error:.3f}, leave-one-out error {fit.left_out:.3f}"

    return (
        f"{state.n} points. Between −3 and 3 the true curve goes {state.true_path:.1f} up and down. The polynomial of "
        f"degree {state.degree} {say(state.polynomial)}; the Gaussian with σ = {state.sigma:.2f} {say(state.gaussian)}."
    )


def _wiggle_code(data, degree, sigma, n, noise, lam, sample):
    return (
        "import numpy as np\nfrom kernelkit import Gaussian, KernelRidge, Linear, datasets\n\n"
        f"X, y = datasets.{data}({n}, {short(noise)}, {sample})\n"
        f"for k in ((1 / 9 * Linear() + 1) ** {degree}, Gaussian({short(sigma)})):\n"
        f"    model = KernelRidge(k, lam={short(lam)}).fit(X, y)\n"
        f"    left_out = model.leave_one_out(X, y, [{short(lam)}])\n"
        "    print(k, model.predict([[0.5], [4.0]]), np.sqrt(np.mean(left_out**2)))"
    )


wiggle = Explorer(
    title="Polynomial against Gaussian kernel",
    controls=(
        Choice("data", "true curve", "sine", CURVES),
        Slider("degree", "degree p", 4, 1, 20, 1),
        Slider("sigma", "width σ", 0.8, 0.1, 3.0, 0.05),
        Slider("n", "points n", 25, 8, 60, 1),
        Slider("noise", "noise", 0.2, 0.0, 0.6, 0.05),
        Slider("lam", "λ", 0.01, 1e-4, 1.0, 0.1, log=True),
        Slider("sample", "another sample", 0, 0, 9, 1),
    ),
    compute=_wiggle_compute,
    build=_wiggle_build,
    draw=_wiggle_draw,
    describe=_wiggle_describe,
    code=_wiggle_code,
    scenes={
        "Degree 14": {"degree": 14},
        "A step, degree 16": {"data": "step", "degree": 16, "lam": 0.001, "noise": 0.05, "sigma": 1.0},
        "σ too narrow": {"sigma": 0.1, "degree": 12},
        "σ too wide": {"sigma": 3.0, "degree": 12, "lam": 0.1},
        "A true cubic": {"data": "cubic", "degree": 3},
    },
    question=Question(
        "σ shrinks from 0.8 to 0.1. Does the Gaussian fit then oscillate less or more?",
        ("less: narrower bumps are smaller", "more: each clump of points has its own bump", "as much: the data decide"),
        1,
        "Between the points h falls back to 0 and rises again. 'Oscillates less than polynomials' holds as long as σ "
        "is not much smaller than the gaps in the data.",
    ),
    size=(7.2, 4.2),
)  # fmt: skip

# ---- RBF basis or RBF kernel? ---------------------------------------------------------------

LAMS = np.logspace(-5, 2, 29)
KAPPA = np.logspace(-5, 2, 141)


def _own_lam(kernel, X, y):
    """The λ with the smallest leave-one-out error."""
    return float(LAMS[np.square(KernelRidge(kernel).leave_one_out(X, y, LAMS)).mean(axis=1).argmin()])


def _basis_or_kernel_compute(data, sigma, lam, own, n, noise, sample):
    X, y = getattr(datasets, data)(n, noise, sample)
    k, basis = Gaussian(sigma), Centres(X, sigma)
    lam_basis, lam_kernel = (_own_lam(FromFeatures(basis), X, y), _own_lam(k, X, y)) if own else (lam, lam)
    h_basis = PrimalRidge(basis, lam_basis).fit(X, y).predict(GRID)
    h_kernel = KernelRidge(k, lam_kernel).fit(X, y).predict(GRID)
    truth = _truth(data)
    return SimpleNamespace(
        X=X, y=y, truth=truth, sigma=sigma, own=own, lam_basis=lam_basis, lam_kernel=lam_kernel,
        h_basis=h_basis, h_kernel=h_kernel, eigenvalues=np.linalg.eigvalsh(k(X)),
        kept_basis=KAPPA**2 / (KAPPA**2 + lam_basis), kept_kernel=KAPPA / (KAPPA + lam_kernel),
        gap=float(np.abs(h_basis - h_kernel)[INSIDE].max()),
        error_basis=_rms((h_basis - truth)[INSIDE]), error_kernel=_rms((h_kernel - truth)[INSIDE]),
    )  # fmt: skip


def _basis_or_kernel_build(figure):
    parts = _curve_axes(
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


def _basis_or_kernel_draw(parts, state):
    parts["kept_basis"].set_ydata(state.kept_basis)
    parts["kept_kernel"].set_ydata(state.kept_kernel)
    parts["eigenvalues"].set_segments([[(v, -0.075), (v, -0.015)] for v in state.eigenvalues if v > 1e-5])
    return _draw_curves(parts, state, state.h_basis, state.h_kernel)


def _basis_or_kernel_describe(state):
    lams = (
        f"each with its own λ (kernel {state.lam_kernel:.2g}, basis {state.lam_basis:.2g})"
        if state.own
        else f"λ = {state.lam_kernel:.3g} for both"
    )
    return (
        f"σ = {state.sigma:.2f}, {lams}: between −3 and 3 basis and kernel differ by up to {state.gap:.3f}. "
        f"Error against the true curve: kernel {state.error_kernel:.3f}, basis {state.error_basis:.3f}."
    )


def _basis_or_kernel_code(data, sigma, lam, own, n, noise, sample):
    state = _basis_or_kernel_compute(data, sigma, lam, own, n, noise, sample)
    return (
        "from kernelkit import Centres, Gaussian, KernelRidge, PrimalRidge, datasets\n\n"
        f"X, y = datasets.{data}({n}, {short(noise)}, {sample})\n"
        f"basis = PrimalRidge(Centres(X, {short(sigma)}), lam={short(state.lam_basis)}).fit(X, y)\n"
        f"kernel = KernelRidge(Gaussian({short(sigma)}), lam={short(state.lam_kernel)}).fit(X, y)\n"
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
    compute=_basis_or_kernel_compute,
    build=_basis_or_kernel_build,
    draw=_basis_or_kernel_draw,
    describe=_basis_or_kernel_describe,
    code=_basis_or_kernel_code,
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
