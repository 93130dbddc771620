"""The same descent twice, in w and in a: what three panels of notebook 05 have in common."""

from functools import cache, lru_cache
from itertools import islice
from types import SimpleNamespace

import numpy as np

from kernelkit import KernelLogistic, Polynomial, PrimalLogistic, datasets
from kernelkit.course.explorers.drawing.boundary import grid
from kernelkit.course.panel.marks import Axis, Dots, Line, Text
from kernelkit.course.panel.numbers import short
from kernelkit.course.panel.parts import plane_points, standard
from kernelkit.course.plots import GREEN, INK

LAST = 100
LOW, HIGH = (-1.15, -1.15), (1.15, 1.15)
GX, GY = grid(LOW, HIGH, 60)
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
def run(data, n, degree, lam, solver="gd", multiple=1.0, start="zero"):
    """Both runs, all their steps: W, A, the outputs f = Φw and q = Ka, both objectives, and how far w is from Φᵀa."""
    X, y = sample(data, n)
    k = Polynomial(degree)
    Phi, K = k.feature_map()(X), k(X)
    w, a = starts(Phi, start)
    step = step_length(K, lam, solver, multiple)
    passes = LAST if solver == "gd" else -(-LAST // n)
    settings = {"lam": lam, "solver": solver, "step": step, "max_iter": passes, "random_state": 0}
    primal, dual = PrimalLogistic(k.feature_map(), **settings), KernelLogistic(k, **settings)
    in_w, in_a = list(islice(primal.steps(X, y, w), LAST + 1)), list(islice(dual.steps(X, y, a), LAST + 1))
    W, A = np.array(in_w), np.array(in_a)
    f, q = W @ Phi.T, A @ K
    return SimpleNamespace(
        X=X,
        y=y,
        Phi=Phi,
        W=W,
        A=A,
        f=f,
        q=q,
        step=step,
        apart=np.linalg.norm(W - A @ Phi, axis=1),
        D=Phi.shape[1],
        visited=[step.moved for step in in_a[1:]] if solver == "sgd" else [],
        loss=np.array([objective(f, y, (W**2).sum(axis=1), lam), objective(q, y, (A * q).sum(axis=1), lam)]),
    )


def objective(f, y, length, lam):
    """Σ log(1 + e^{−yf}) + λ/2 ‖w‖² of every step, per point."""
    return (np.logaddexp(0, -f * y).sum(axis=1) + lam / 2 * length) / len(y)


@lru_cache(maxsize=32)
def _on_grid(data, n, degree):
    """Φ(z) and k(z, X_i) for every place z of the plane."""
    k, plane = Polynomial(degree), plane_points(GX, GY)
    return k.feature_map()(plane), k(plane, sample(data, n)[0])


def planes(r, t, data, n, degree):
    """h over the plane at step t: from w, and from a."""
    Phi, K = _on_grid(data, n, degree)
    return [h.reshape(len(GY), len(GX)) for h in (Phi @ r.W[t], K @ r.A[t])]


# ---- what the pictures share -----------------------------------------------------------------


def objectives(r, t):
    """The objective in w, wide, and in a, dashed, up to step t, and a dot where they have got to."""
    steps, (in_w, in_a) = np.arange(t + 1), r.loss[:, : t + 1]
    return [
        *_names(),
        Line(steps, in_w, width=7, alpha=0.3, cap="butt"),
        Line(steps, in_a, GREEN, style="--"),
        Dots(steps[-1:], in_a[-1:], edge=INK, rim=1.0),
    ]


@cache
def _names():
    names = (("in $w$, wide", "#777777"), ("in $a$, dashed", GREEN))
    look = {"side": "right", "up": "top", "of": "axes"}
    return [Text(0.98, 0.98 - 0.09 * i, *name, **look) for i, name in enumerate(names)]


@cache
def steps(last=LAST):
    """A horizontal axis of all steps."""
    return Axis("step $t$", -0.02 * last, 1.02 * last, range(0, last + 1, last // 4))


def from_zero(most):
    """A vertical axis from 0 to the round number above most."""
    return _up_to(standard(1.04 * most))


@cache
def _up_to(top):
    ticks = 0, top / 2, top
    return Axis("", -0.04 * top, top, ticks, map(short, ticks))
