"""Logistic regression over chunks of data: the loss and its derivatives are sums, which add over chunks and machines.

A step of Newton's method needs of the points only Σ loss_i, Φᵀr and ΦᵀWΦ, with the residuals r_i = −∂loss_i/∂f_i and
W = diag(∂²loss_i/∂f_i²) at f = Φw: D² numbers, however many points there are.
"""

from collections import Counter
from dataclasses import dataclass
from functools import reduce
from operator import add

import numpy as np

from kernelkit.models.equations import check_finite, check_fits, solve
from kernelkit.models.reading import Data, check_same_rows, column_names, read_collection, read_labels
from kernelkit.models.totals import row_blocks


@dataclass(frozen=True, eq=False)
class LossSums:
    """The loss of some points at w, its derivatives in w, and how far a step changed their outputs: they add."""

    loss: float
    minus_gradient: np.ndarray  # Φᵀr, (D,)
    hessian: np.ndarray  # ΦᵀWΦ, (D, D)
    change: float  # the largest |Φ(X_i)ᵀ step|

    @classmethod
    def of(cls, Phi, loss, w, step):
        """Of n points with features Φ (n, D) and their loss.  w, and the step to it : (D,), or None for 0."""
        f = np.zeros(len(Phi)) if w is None else Phi @ w
        change = np.inf if step is None else float(np.abs(Phi @ step).max())
        with np.errstate(over="ignore", invalid="ignore"):  # ``newton_step`` refuses what is not finite
            hessian = (Phi.T * loss.curvature(f)) @ Phi
            return cls(loss.total(f), Phi.T @ loss.residual(f), hessian, change)

    def __add__(self, other):
        return LossSums(
            self.loss + other.loss,
            self.minus_gradient + other.minus_gradient,
            self.hessian + other.hessian,
            max(self.change, other.change),
        )


@dataclass(frozen=True, eq=False)
class SummedIterate:
    """One iterate, with the ``LossSums`` there."""

    w: np.ndarray
    sums: LossSums
    value: float  # the objective

    @property
    def change(self):
        return self.sums.change


class SummedObjective:
    """Σ loss + λ/2 ‖w‖² of any number of points, as a ``newton.Objective``.

    sums_at(w, step) gives their ``LossSums`` at w, to which a step has led; (None, None) stands for w = 0.
    """

    def __init__(self, sums_at, lam):
        self.sums_at = sums_at
        self.lam = lam

    def at_zero(self):
        """The first iterate."""
        sums = self.sums_at(None, None)
        return SummedIterate(np.zeros(len(sums.minus_gradient)), sums, sums.loss)

    def newton_step(self, iterate):
        """(ΦᵀWΦ + λI)⁻¹ (Φᵀr − λw)."""
        sums = iterate.sums
        check_finite(sums.hessian.trace())
        check_finite(sums.minus_gradient.sum())
        return solve(sums.hessian.copy(), sums.minus_gradient - self.lam * iterate.w, self.lam)

    def after(self, iterate, step, length):
        """The iterate after a part of a step."""
        w = iterate.w + length * step
        sums = self.sums_at(w, step)
        value = sums.loss + self.lam / 2 * w @ w
        return SummedIterate(w, sums, value)


# ---- what one chunk adds -------------------------------------------------------------------------


def label_counts(X, y, model):
    """The data of one chunk, and how many of its points have each label."""
    check_same_rows(X, y)
    points = read_collection(model._reader(), X)
    y = read_labels(y, len(points))
    return Data(points, y, None, column_names(X)), Counter(y.tolist())


def loss_sums(X, y, model, loss, classes, w, step):
    """The data of one chunk, and its ``LossSums`` at w, to which a step has led.

    loss(y) : the loss of points with y = ±1, such as ``LogLoss``.  classes : the two labels.
    """
    check_same_rows(X, y)
    points = read_collection(model._reader(), X)
    signs = np.where(read_labels(y, len(points)) == classes[1], 1.0, -1.0)
    data = Data(points, signs, classes, column_names(X))
    return data, reduce(add, (_sums_of_rows(rows, model, loss, w, step) for rows in row_blocks(data)))


def _sums_of_rows(rows, model, loss, w, step):
    Phi = model._features(rows.X)
    check_fits(Phi.shape[1])
    return LossSums.of(Phi, loss(rows.y), w, step)
