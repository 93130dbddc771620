"""Notebook 04. h is a sum of Gaussian bumps."""

from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection

from kernelkit import Gaussian
from kernelkit.explorers.shared.signed_bumps import COLOURS, round_limit, sign_of
from kernelkit.panel.controls import Points, Question, Slider
from kernelkit.panel.explorer import Explorer
from kernelkit.panel.parts import typed, typographic
from kernelkit.plots import INK, MARKERS, PURPLE

LINE = np.linspace(-4, 4, 241)[:, None]


def compute(points, sigma, z):
    X, a = np.array(points)[:, :1], np.array(points)[:, 1]
    k = Gaussian(sigma)
    bumps = k(LINE, X) * a
    votes = k([z], X) * a
    return SimpleNamespace(
        X=X, a=a, sigma=sigma, z=z, bumps=bumps, h=bumps.sum(axis=1), votes=votes, h_z=float(votes.sum())
    )


def build(figure):
    ax = figure.add_axes((0.075, 0.13, 0.905, 0.75), xlim=(-4, 4), ylim=(-2.6, 2.6), xlabel="$z$")
    ax.set_title("drag a centre: sideways moves it, up and down changes its weight", size=12)
    ax.axhline(0, color=INK, linewidth=0.8)
    bumps = [ax.plot(LINE[:, 0], 0 * LINE[:, 0], linewidth=1.6, animated=True)[0] for _ in range(4)]
    h = ax.plot(LINE[:, 0], 0 * LINE[:, 0], color=INK, linewidth=3.2, animated=True, zorder=4)[0]
    stems = ax.add_collection(LineCollection([], color=INK, linewidth=1, animated=True))
    tips = {
        s: ax.plot([], [], MARKERS[s], color=COLOURS[s], ms=12, mec="white", zorder=5, animated=True)[0]
        for s in COLOURS
    }
    at_z = ax.axvline(0, color=PURPLE, linestyle="--", linewidth=1.4, animated=True)
    dot = ax.plot([], [], "D", color=PURPLE, ms=9, zorder=6, animated=True)[0]
    name = ax.text(0, 0, "", color=PURPLE, va="bottom", animated=True, zorder=7)
    return {"axes": ax, "bumps": bumps, "h": h, "stems": stems, "tips": tips, "at_z": at_z, "dot": dot, "name": name}


def draw(parts, state):
    for line, bump, a in zip(parts["bumps"], state.bumps.T, state.a, strict=True):
        line.set(ydata=bump, color=COLOURS[sign_of(a)], linestyle="-." if a >= 0 else ":")
    parts["h"].set_ydata(state.h)
    parts["stems"].set_segments([[(x, 0), (x, a)] for x, a in zip(state.X[:, 0], state.a, strict=True)])
    for sign, tip in parts["tips"].items():
        chosen = [sign_of(a) == sign for a in state.a]
        tip.set_data(state.X[chosen, 0], state.a[chosen])
    parts["at_z"].set_xdata([state.z] * 2)
    parts["dot"].set_data([state.z], [state.h_z])
    limit = round_limit(max(np.abs(state.h).max(), 2.4), (2.6, 4.4, 8.4))
    parts["name"].set(text=typographic(f"$h(z)$ = {state.h_z:.2f}"), ha="right" if state.z > 2 else "left")
    parts["name"].set_position((state.z + (-0.12 if state.z > 2 else 0.12), -0.95 * limit))
    parts["axes"].set_ylim(-limit, limit)
    return limit


def describe(state):
    terms = " ".join(
        ("− " if v < 0 else "" if i == 0 else "+ ") + f"{abs(v):.2f}"
        for i, v in enumerate(np.round(state.votes, 2) + 0.0)
    )
    near = int((np.abs(state.X[:, 0] - state.z) <= 3 * state.sigma).sum())
    return typographic(
        f"σ = {state.sigma:.2f}, {int((state.a >= 0).sum())} positive and {int((state.a < 0).sum())} negative weights. "
        f"At z = {state.z:.2f}: h(z) = {terms} = {state.h_z:.2f}; {near} of the 4 centres lie within 3σ of z."
    )


def code(points, sigma, z):
    return (
        "import numpy as np\nfrom kernelkit import Gaussian\n\n"
        f"X = np.array({typed([[x] for x, _ in points])})\na = np.array({typed([a for _, a in points])})\n"
        f"k = Gaussian({typed(sigma)})\nz = {typed(z)}\nprint(k(z, X) * a)     # the four bumps at z\n"
        "print(k(z, X) @ a)     # h(z)"
    )


combination = Explorer(
    title="h is a sum of Gaussian bumps",
    controls=(
        Points("points", "centre", ((-2.5, 1.2), (-0.9, -1.0), (0.9, 1.6), (2.6, -0.7)), (-3.8, -2.0), (3.8, 2.0),
               "axes", ("place X_j", "weight a_j"), ("X₁", "X₂", "X₃", "X₄")),
        Slider("sigma", "width σ", 0.5, 0.1, 3.0, 0.05),
        Slider("z", "read h at z", 0.0, -4.0, 4.0, 0.1),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    scenes={
        "Narrow: four spikes": {"sigma": 0.15},
        "Wide: a rolling hill": {"sigma": 1.2},
        "Very wide": {"sigma": 3.0},
        "Two that cancel": {"points": ((-2.5, 1.2), (0.8, -1.5), (0.9, 1.5), (2.6, -0.7))},
    },
    question=Question(
        "You pull the weight of one centre from positive to negative. Where does h change noticeably?",
        ("at that centre only", "within about 3σ of that centre", "everywhere alike"),
        1,
        "3σ away a bump is down to 1 % of its height. A polynomial coefficient, in contrast, changes h everywhere.",
    ),
    size=(7.2, 4.2),
)  # fmt: skip
