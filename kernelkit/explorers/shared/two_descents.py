"""The same descent twice, in w and in a: the picture of three panels of notebook 05."""

from functools import lru_cache
from itertools import islice
from types import SimpleNamespace

import numpy as np
from matplotlib.collections import LineCollection

from kernelkit import KernelLogistic, Polynomial, PrimalLogistic, datasets
from kernelkit.explorers.shared.boundary import grid
from kernelkit.explorers.shared.shades import build_shading, probability_shades
from kernelkit.panel.controls import Choice, Slider, Stepper
from kernelkit.panel.explorer import Explorer
from kernelkit.panel.parts import standard
from kernelkit.plots import BLUE, GREEN, GREY, INK, MARKERS, ORANGE, contour_lines

LAST = 100
LOW, HIGH = (-1.15, -1.15), (1.15, 1.15)
GX, GY = grid(LOW, HIGH, 50)
PLANE = np.array(np.meshgrid(GX, GY)).reshape(2, -1).T
INSIDE, OUTSIDE = 2.0, 1.5  # lengths of the two parts of a start


def sample(data, n):
    """The points of a data set, moved and shrunk into [−1, 1]²."""
    X, y = getattr(datasets, data)(n)
    X = X - X.mean(axis=0)
    return X / np.abs(X).max(), y


def starts(Phi, start):
    """(w, a): both 0; w = Φᵀa for some a; or that w and one more part that no Φᵀa has, if there is one."""
    rng = np.random.default_rng(3)
    a = rng.standard_normal(len(Phi))
    if start == "zero":
        return np.zeros(Phi.shape[1]), 0 * a
    a *= INSIDE / np.linalg.norm(Phi.T @ a)
    rows = np.linalg.svd(Phi, full_matrices=True)[2]
    beyond = rows[np.linalg.matrix_rank(Phi) :]
    if start == "inside" or len(beyond) == 0:
        return Phi.T @ a, a
    u = beyond.T @ rng.standard_normal(len(beyond))
    return Phi.T @ a + OUTSIDE * u / np.linalg.norm(u), a


def step_length(K, lam, solver, multiple):
    """multiple/L, with L the largest curvature the objective (or one term of it) can have."""
    L = np.linalg.norm(K, 2) / 4 + lam if solver == "gd" else K.diagonal().max() / 4 + lam / len(K)
    return multiple / L


@lru_cache(maxsize=32)
def run(data, n, degree, lam, solver, multiple, start):
    """Both runs, all their steps."""
    X, y = sample(data, n)
    k = Polynomial(degree)
    Phi, K = k.feature_map()(X), k(X)
    w, a = starts(Phi, start)
    step = step_length(K, lam, solver, multiple)
    passes = LAST if solver == "gd" else -(-LAST // n)
    settings = {"lam": lam, "solver": solver, "step": step, "max_iter": passes, "random_state": 0}
    primal, dual = PrimalLogistic(k.feature_map(), **settings), KernelLogistic(k, **settings)
    W = np.array(list(islice(primal.steps(X, y, w), LAST + 1)))
    A = np.array(list(islice(dual.steps(X, y, a), LAST + 1)))
    f, q = W @ Phi.T, A @ K
    return SimpleNamespace(
        X=X, y=y, W=W, A=A, f=f, q=q, step=step, apart=np.linalg.norm(W - A @ Phi, axis=1), D=Phi.shape[1],
        beyond=Phi.shape[1] - int(np.linalg.matrix_rank(Phi)),
        visited=list(islice(dual._order(n), LAST)) if solver == "sgd" else [],
        loss=np.array([objective(f, y, (W**2).sum(axis=1), lam), objective(q, y, (A * q).sum(axis=1), lam)]),
    )  # fmt: skip


def objective(f, y, length, lam):
    """Σ log(1 + e^{−yf}) + λ/2 ‖w‖² of every step, per point."""
    return (np.logaddexp(0, -f * y).sum(axis=1) + lam / 2 * length) / len(y)


@lru_cache(maxsize=32)
def on_grid(data, n, degree):
    k = Polynomial(degree)
    return k.feature_map()(PLANE), k(PLANE, sample(data, n)[0])


def descents_compute(data, n, degree, lam, solver, multiple, start, t):
    r = run(data, n, degree, lam, solver, multiple, start)
    Phi, K = on_grid(data, n, degree)
    shape = len(GY), len(GX)
    return SimpleNamespace(
        r=r, t=t, n=n, lam=lam, solver=solver, multiple=multiple, start=start,
        H=(Phi @ r.W[t]).reshape(shape), H_kernel=(K @ r.A[t]).reshape(shape),
        rises=int(np.sum(np.diff(r.loss[0][: t + 1]) > 1e-9)),
    )  # fmt: skip


def descents_build(figure):
    plane = figure.add_axes((0.062, 0.08, 0.467, 0.8), xlim=(LOW[0], HIGH[0]), ylim=(LOW[1], HIGH[1]))
    plane.set(xticks=[-1, 0, 1], yticks=[-1, 0, 1])
    figure.text(0.062, 0.93, "primal, wide", color=INK)
    figure.text(0.25, 0.93, "kernel, dashed", color=GREEN)
    looks = {"linewidths": 8, "colors": INK, "alpha": 0.3}, {"linewidths": 2.4, "colors": GREEN, "linestyles": "--"}
    parts = {
        "shades": build_shading(plane, LOW, HIGH),
        "lines": [plane.add_collection(LineCollection([], animated=True, zorder=2, **look)) for look in looks],
        "ring": plane.plot([], [], "o", color="none", mec=INK, mew=2, ms=15, animated=True, zorder=3)[0],
    }
    for label, colour in ((-1, BLUE), (1, ORANGE)):
        style = {"color": colour, "mec": "white", "mew": 0.7, "ms": 7.5, "animated": True, "zorder": 4}
        parts[label] = plane.plot([], [], MARKERS[label], **style)[0]
    for name, bottom, words in (
        ("loss", 0.585, "objective per point"),
        ("apart", 0.13, r"distance of $w_t$ and $\Phi^\top a_t$"),
    ):
        ax = figure.add_axes((0.615, bottom, 0.36, 0.295), xlim=(-2, LAST + 2))
        ax.set(xticks=[0, 50, 100])
        figure.text(0.615, bottom + 0.345, words)
        parts[name] = ax
    parts["loss"].tick_params(labelbottom=False)
    parts["apart"].set_xlabel("step $t$", labelpad=0)
    wide, dashed = {"lw": 7, "alpha": 0.3, "color": INK}, {"lw": 2, "ls": "--", "color": GREEN}
    parts["curves"] = [parts["loss"].plot([], [], animated=True, **look)[0] for look in (wide, dashed)]
    parts["curves"] += [parts["apart"].plot([], [], "-", color=GREY, animated=True)[0]]
    parts["now"] = [parts[name].plot([], [], "o", color=INK, ms=7, animated=True)[0] for name in ("loss", "apart")]
    parts["number"] = parts["apart"].text(0.97, 0.86, "", ha="right", transform=parts["apart"].transAxes, animated=True)
    return parts


def descents_draw(parts, state):
    r, t = state.r, state.t
    parts["shades"].set_data(probability_shades(state.H_kernel))
    for lines, H in zip(parts["lines"], (state.H, state.H_kernel), strict=True):
        lines.set_segments(contour_lines(GX, GY, H, (0.0,))[0] if np.ptp(H) > 1e-9 else [])
    parts["ring"].set_data(*(r.X[r.visited[t - 1]][:, None] if r.visited and t else ([], [])))
    for label in (-1, 1):
        parts[label].set_data(*r.X[r.y == label].T)
    so_far = np.arange(t + 1)
    for curve, values in zip(parts["curves"], (*r.loss, r.apart), strict=True):
        curve.set_data(so_far, values[: t + 1])
    for mark, values in zip(parts["now"], (r.loss[0], r.apart), strict=True):
        mark.set_data([t], [values[t]])
    parts["number"].set_text(f"{r.apart[t]:.4f}")
    limits = standard(1.04 * r.loss.max()), standard(max(0.3, 1.04 * r.apart.max()))
    if parts.get("fixed") != limits:
        parts["fixed"] = limits
        for name, limit in zip(("loss", "apart"), limits, strict=True):
            parts[name].set_ylim(-0.04 * limit, limit)
            parts[name].set_yticks([0, limit / 2, limit], [f"{v:g}" for v in (0, limit / 2, limit)])
    return limits


def descents_describe(state):
    r, t = state.r, state.t
    kind = "gradient descent" if state.solver == "gd" else "stochastic gradient descent"
    text = f"After {t} step{'s' * (t != 1)} of {kind} the objective per point is {r.loss[0][t]:.4f} in w and "
    text += f"{r.loss[1][t]:.4f} in a; w and Φᵀa are {r.apart[t]:.4f} apart. "
    if state.start == "outside" and r.beyond:
        text += f"w began with a part of length {r.apart[0]:.2f} that no Φᵀa has; the data cannot see it, only λ "
        text += f"shrinks it: on the {state.n} points both forms say the same, elsewhere they may not. "
    elif state.start == "outside":
        text += f"With n = {state.n} points and D = {r.D} features every w is some Φᵀa: there is no outside. "
    text += f"The step is {state.multiple:g}/L"
    if state.solver == "sgd":
        return text + ", L the largest bend of one term, and it shrinks as λ allows."
    if state.multiple <= 2:
        return text + ": at most 2/L, so the objective cannot rise."
    how = f"it rose {state.rises} time{'s' * (state.rises != 1)} so far" if state.rises else "so far it did not"
    return text + f", beyond 2/L: the objective may rise; {how}."


def descents_code(data, n, degree, lam, solver, multiple, start, t):
    r = run(data, n, degree, lam, solver, multiple, start)
    w0, a0 = ([round(float(v), 6) for v in values] for values in (r.W[0], r.A[0]))
    return (
        "from itertools import islice\nimport numpy as np\nfrom kernelkit import *\nfrom kernelkit import datasets\n\n"
        f"X, y = datasets.{data}({n})\nX = X - X.mean(axis=0)\nX = X / np.abs(X).max()\nk = Polynomial({degree})\n"
        f'same = {{"lam": {lam!r}, "solver": "{solver}", "step": {r.step:.6g}, "random_state": 0}}\n'
        f"primal, dual = PrimalLogistic(k.feature_map(), **same), KernelLogistic(k, **same)\n"
        f"w0, a0 = {w0 if start != 'zero' else None}, {a0 if start != 'zero' else None}\n"
        f"w = next(islice(primal.steps(X, y, w0), {t}, None))\na = next(islice(dual.steps(X, y, a0), {t}, None))\n"
        "print(np.linalg.norm(w - k.feature_map()(X).T @ a))"
    )


DATA = {"mixture": "mixture", "moons": "moons", "rings": "rings", "crossing": "crossing"}
STARTS = {"w = 0, a = 0": "zero", "w = Φᵀa": "inside", "w not in the span": "outside"}


def explorer(title, question, scenes, **first):
    """One of three explorers of the same picture, each with its own start and question."""
    values = {
        "t": 20, "data": "mixture", "n": 16, "degree": 3, "solver": "gd", "multiple": 1.0, "lam": 0.01, "start": "zero"
    } | first  # fmt: skip
    return Explorer(
        title=title,
        controls=(
            Stepper("t", "step t", LAST, values["t"]),
            Choice("data", "data", values["data"], DATA),
            Slider("n", "points n", values["n"], 6, 30, 2),
            Slider("degree", "degree p", values["degree"], 1, 5, 1),
            Choice("solver", "steps", values["solver"], {"gradient descent": "gd", "one point: SGD": "sgd"}),
            Slider("multiple", "step size × L", values["multiple"], 0.25, 4.0, 0.25),
            Slider("lam", "λ", values["lam"], 1e-3, 1.0, 0.25, log=True),
            Choice("start", "start", values["start"], STARTS),
        ),
        compute=descents_compute,
        build=descents_build,
        draw=descents_draw,
        describe=descents_describe,
        code=descents_code,
        scenes=scenes,
        question=question,
    )
