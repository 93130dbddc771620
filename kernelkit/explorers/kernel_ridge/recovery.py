"""Notebook 03. Recover w, or stay with the kernel?"""

from types import SimpleNamespace

import numpy as np

from kernelkit import KernelRidge, Polynomial
from kernelkit.explorers.shared.count_lines import (
    build_lines as build,
    clock,
    crossing,
    draw_lines as draw,
    rate,
    tell_lines,
)
from kernelkit.explorers.shared.measured import shown
from kernelkit.panel.controls import Choice, Question, Slider
from kernelkit.panel.explorer import Explorer
from kernelkit.panel.numbers import short, thousands

TESTS = (10, 30, 100, 300, 1000, 3000, 10000)
PLACES = np.array([1, 3, *TESTS], float)  # where the counts are drawn; few tests take no time worth measuring
POINTS = (10, 20, 35, 70, 100, 200, 400, 800)
SETTINGS = [{"n": n, "d": d, "degree": degree} for n in POINTS for d in range(1, 11) for degree in (2, 3, 4)]


def break_even(n, d, D):
    """The t with t·n·d = nD + tD, infinite where recovering w never pays."""
    return n * D / (n * d - D) if n * d > D else np.inf


def compute(n, d, degree, measured=None):
    D, t = Polynomial(degree).feature_map().dim(d), PLACES
    counts = {"stay with k": t * n * d, "build w once": n * D + t * D}
    seconds, whose = shown(measured, "kernel_ridge.recovery", n=n, d=d, degree=degree)
    seconds, even = seconds or {}, break_even(n, d, D)
    meet = [(even, f"lines cross at {crossing(even)}")] if np.isfinite(even) else []
    return SimpleNamespace(
        x=t,
        counts=counts,
        seconds=seconds,
        whose=whose,
        rate=rate(counts, t, seconds),
        n=n,
        d=d,
        D=D,
        even=even,
        rule=D / d,
        rules=[(D / d, f"$D/d$ = {short(D / d)}"), *meet],
        measured_even=_crossing(measured or {}),
        ticks=(1, 10, 100, 1000, 10000),
        footer="",
        xlabel="test points $t$",
        title="Predicting $t$ points",
        notes=["stay with $k$: $t\\,n\\,d$", "build $w$ once: $nD + tD$"],
    )


def _crossing(seconds):
    """The first measured t from which building w is the faster way, None where it never is."""
    if len(seconds) < 2 or len(seconds["stay with k"][1]) < len(TESTS):
        return None
    stay, build = (np.array(seconds[form][1]) for form in ("stay with k", "build w once"))
    slower = np.flatnonzero(build >= stay)
    first = 0 if len(slower) == 0 else slower[-1] + 1
    return TESTS[first] if first < len(TESTS) else np.inf


def describe(state):
    text = (
        f"n = {state.n}, d = {state.d}, D = {state.D}: a rule of thumb asks for n and t above D/d = {state.rule:.1f}. "
    )
    if state.n <= state.rule:
        text += "Here n is not above D/d, so w never pays: one test point costs at least as much with w as with k."
    else:
        text += f"The lines cross at t = {crossing(state.even)}, so building w pays from "
        text += f"{thousands(int(state.even) + 1)} test points on."
    if state.measured_even is not None:
        at = f"from t = {state.measured_even} on" if np.isfinite(state.measured_even) else "at none of the t tried"
        text += f" Measured: w was faster {at}."
    return text


def measure(n, d, degree):
    rng, k = np.random.default_rng(0), Polynomial(degree)
    phi, X = k.feature_map(), rng.standard_normal((n, d)) / d
    model = KernelRidge(k).fit(X, X[:, 0])

    def stay(Z):
        return [model.predict(Z[i : i + 500]) for i in range(0, len(Z), 500)]

    def build(Z):
        w = model.primal_weights(phi)
        return [phi(Z[i : i + 500]) @ w for i in range(0, len(Z), 500)]

    done = {"stay with k": ([], []), "build w once": ([], [])}
    for i, t in enumerate(TESTS):
        Z = rng.standard_normal((t, d)) / d
        for form, way in (("stay with k", stay), ("build w once", build)):
            at, took = done[form]
            done = done | {form: ([*at, t], [*took, clock(lambda way=way, Z=Z: way(Z))])}
        yield (i + 1) / len(TESTS), done


def code(n, d, degree):
    return (
        "import numpy as np\nfrom kernelkit import *\n\n"
        f"k = Polynomial({degree})\nphi = k.feature_map()\n"
        f"X = np.random.default_rng(0).standard_normal(({n}, {d})) / {d}\n"
        f"Z = np.random.default_rng(1).standard_normal((1000, {d})) / {d}\n"
        "model = KernelRidge(k).fit(X, X[:, 0])\n"
        "w = model.primal_weights(phi)  # once\n"
        "print(np.abs(phi(Z) @ w - model.predict(Z)).max())"
    )


recovery = Explorer(
    title="Recover w, or stay with the kernel?",
    controls=(
        Choice("n", "points n", 20, POINTS),
        Slider("d", "inputs d", 5, 1, 10, 1),
        Slider("degree", "degree p", 3, 2, 4, 1),
    ),
    compute=compute,
    build=build,
    draw=draw,
    describe=describe,
    code=code,
    measure=measure,
    tell={"ax": tell_lines},
    scenes={
        "Degree 4": {"degree": 4},
        "Many points": {"n": 800},
        "n = t = 2D/d": {"n": 70, "d": 6, "degree": 4},
        "n below D/d": {"n": 100, "d": 10, "degree": 4},
    },
    question=Question(
        "With 800 points instead of 20, building w costs 40 times as much. From how many test points on does it pay?",
        ("from far more than 25", "from 25 on, as now", "from fewer than 25"),
        2,
        "Staying with k costs 40 times as much as well, for every single test point. The lines cross where "
        "1/n + 1/t = d/D: as n grows, t falls towards D/d. With n ≤ D/d they never cross: see Degree 4.",
        scene="Many points",
    ),
)
