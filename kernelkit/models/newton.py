"""Newton's method for Σ_i loss_i(f_i) + λ/2 ‖w‖², in weights of the training points or in weights of features.

Everywhere v is the weights, (n,) or (D,), or one such row for each of several outputs; f = h(X_i) is (n,) or
(outputs, n). A loss has the methods ``total(f)``, ``residual(f)`` = −∂loss/∂f and ``curvature(f)`` = ∂²loss/∂f².
"""

from itertools import islice
from typing import NamedTuple

import numpy as np

from kernelkit.arrays import squared_length
from kernelkit.checks import CLEARLY, not_a_kernel
from kernelkit.models.equations import is_definite, warn_singular

EPS = np.finfo(float).eps
TINY = np.finfo(float).tiny
LOST = 1e-3  # where rounding of K is more than this times λ, λ decides nothing among directions that are only rounding
LENGTHS = 0.5 ** np.arange(27)  # the parts of a step that are tried: all of it, a half, a quarter, …


class Iterate(NamedTuple):
    """One iterate of a descent."""

    v: np.ndarray  # the weights
    f: np.ndarray  # the outputs at the training points
    change: float  # the largest change of an output by the last step, were it not shortened; ∞ at the start
    value: float | None = None  # the objective, where it was computed


def newton(objective, start):
    """Newton's method: every iterate, the first is the start.  A step is halved until the objective does not rise.

    It ends where no part of a step descends.
    """
    iterate = start
    while True:
        yield iterate
        step = objective.newton_step(iterate)
        for length in LENGTHS:
            candidate = objective.after(iterate, step, length)
            if candidate.value <= iterate.value * (1 + 1e-12):
                break
        else:
            return
        iterate = candidate


def last_iterate(iterates, converged, max_iter):
    """The first iterate for which converged(iterate) is true, or else the last; its number, and whether it is one."""
    for turn, iterate in enumerate(islice(iterates, max_iter + 1)):
        if converged(iterate):
            return iterate, turn, True
    return iterate, turn, False


def not_converged(turn, max_iter, tol):
    """What to say of a descent that stopped at step ``turn`` and has not converged."""
    if turn < max_iter:
        return f"stopped at step {turn}, where rounding hides every way down; scale the inputs, or raise lam."
    return f"stopped after max_iter = {max_iter} before the outputs settled to tol = {tol:g}; raise max_iter or lam."


class Objective:
    """Σ loss_i(f_i) + λ/2 ‖w‖² in the weights of a space, and what Newton's method asks of it."""

    def __init__(self, space, loss):
        self.space = space
        self.loss = loss

    def at(self, v):
        """The first ``Iterate``."""
        f = self.space.outputs(v)
        return Iterate(v, f, np.inf, self._value(v, f))

    def newton_step(self, iterate):
        """−H⁻¹∇, with the gradient ∇ and the second derivatives H, and what it changes in f.

            in points:    (λI + WK)⁻¹ (r − λa)        in features:    (λI + ΦᵀWΦ)⁻¹ (Φᵀr − λv)

        with the residuals r and W = diag(curvatures); for ``LogLoss`` these are t − s and s(1 − s).
        """
        W = self.loss.curvature(iterate.f)
        gradient = self.space.gradient(self.loss.residual(iterate.f), iterate.v)
        solve = self.space.solver(W)
        step = -solve(gradient)
        return step, self.space.outputs(step)

    def after(self, iterate, step, length):
        """The ``Iterate`` after a part of a step."""
        v_step, f_step = step
        v = iterate.v + length * v_step
        f = iterate.f + length * f_step
        return Iterate(v, f, np.abs(f_step).max(), self._value(v, f))

    def _value(self, v, f):
        return self.loss.total(f) + self.space.lam / 2 * self.space.square(v, f)


# ---- the weights ---------------------------------------------------------------------------------


class InPoints:
    """Weights a of the n training points: f = Ka, ‖w‖² = aᵀKa.  Inner products are those of w, ⟨w_a, w_b⟩ = aᵀKb."""

    def __init__(self, K, lam):
        self.K = K
        self.lam = lam
        self.size = len(K)

    def outputs(self, a):
        return a @ self.K

    def square(self, a, f):
        """‖w‖² = aᵀKa."""
        return np.vdot(a, f)

    def gradient(self, residual, a):
        """Of the objective: λa − r is the gradient in w as a combination of the Φ(X_i)."""
        return self.lam * a - residual

    def solver(self, curvature):
        """g ↦ (λI + WK)⁻¹ g = W^½ (λI + W^½ K W^½)⁻¹ W^−½ g, for the curvatures W = diag(∂²loss_i/∂f_i²), (n,)."""
        root = np.sqrt(np.maximum(curvature, TINY))  # it is divided by
        B = root[:, None] * self.K
        B *= root
        np.fill_diagonal(B, B.diagonal() + self.lam)
        solve = _cholesky(B)
        return lambda g: root * solve(g / root)

    def to_points(self, a):
        """The weights of the points, as a copy."""
        return a.copy()

    def from_points(self, a):
        """Weights of the points as a start."""
        return a

    # ---- what conjugate gradients need, for many classes at once ----

    def inner(self, a, b, f_b):
        """⟨w_a, w_b⟩ = aᵀKb."""
        return np.vdot(a, f_b)

    def preconditioner(self, curvature):
        """g ↦ z = (λI + WK)⁻¹ g and its outputs Kz = (g − λz)/W, for which K is not needed again.

        W is raised a little where it is next to nothing, or rounding would be divided by it: W ≥ λ/trace K.
        """
        W = np.maximum(curvature, self.lam / self.K.trace())
        solve = self.solver(W)

        def precondition(g):
            z = solve(g)
            return z, (g - self.lam * z) / W

        return precondition


class InRoot:
    """Weights v of the features Φ = L of the n points, K = LLᵀ: Cholesky's, stopped where only rounding is left of K.

    f = Lv, ‖w‖² = ‖v‖². Its r pivots, each the point farthest from those before, span all others, so they alone carry
    weights a.
    """

    def __init__(self, K, lam):
        from scipy.linalg import lapack

        L, order, rank, _ = lapack.dpstrf(K, tol=_rounding(K), lower=1)
        self.pivots = order[:rank] - 1
        self.L = np.tril(L[:rank, :rank])
        self.Phi = np.empty((len(K), rank))
        self.Phi[order - 1] = np.tril(L)[:, :rank]
        left = K.diagonal() - squared_length(self.Phi)  # the squared distances from the span of the pivots
        if left.min() < -CLEARLY * K.diagonal().max():
            raise not_a_kernel()
        if lam <= len(K) * _rounding(K) and not is_definite(K, lam):  # for a larger λ Cholesky's cannot fail
            warn_singular(len(K), rank, lam)
        self.lam = lam
        self.size = rank

    def outputs(self, v):
        return v @ self.Phi.T

    def square(self, v, f):
        """‖w‖²."""
        return np.vdot(v, v)

    def gradient(self, residual, v):
        """Of the objective: λv − Φᵀr."""
        return self.lam * v - residual @ self.Phi

    def solver(self, curvature):
        """g ↦ (λI + ΦᵀWΦ)⁻¹ g, for the curvatures W = diag(∂²loss_i/∂f_i²), (n,)."""
        H = (self.Phi.T * curvature) @ self.Phi
        np.fill_diagonal(H, H.diagonal() + self.lam)
        return _cholesky(H)

    def to_points(self, v):
        """The a on the pivots with Ka = Lv."""
        from scipy.linalg import solve_triangular

        a = np.zeros((*v.shape[:-1], len(self.Phi)))
        a[..., self.pivots] = solve_triangular(self.L, v.T, trans="T", lower=True, check_finite=False).T
        return a

    def from_points(self, a):
        """v = Lᵀa."""
        return a @ self.Phi

    # ---- what conjugate gradients need, for many classes at once ----

    def inner(self, v, u, f_u):
        """⟨v, u⟩."""
        return np.vdot(v, u)

    def preconditioner(self, curvature):
        """g ↦ z = (λI + ΦᵀWΦ)⁻¹ g and its outputs Φz."""
        solve = self.solver(curvature)

        def precondition(g):
            z = solve(g)
            return z, self.outputs(z)

        return precondition


def space_of(K, lam):
    """The weights of the points, or where rounding hides λ those of K's own features."""
    return InPoints(K, lam) if _rounding(K) < LOST * lam else InRoot(K, lam)


def has_full_rank(K):
    """Whether all eigenvalues of K are more than rounding: then K less this rounding still has a Cholesky factor."""
    return is_definite(K, -_rounding(K))


def _rounding(K):
    return len(K) * EPS * K.diagonal().max()


def _cholesky(A):
    """g ↦ A⁻¹g for a symmetric A ≻ 0, which is overwritten; g is (n,) or has one row for each output."""
    from scipy.linalg.lapack import dpotrf, dpotrs

    if not len(A):  # of no features there is nothing to learn
        return lambda g: g
    factor, failed = dpotrf(A.T, lower=1, overwrite_a=1, clean=0)
    if failed:
        raise not_a_kernel()

    def solve(g):
        x, _ = dpotrs(factor, g.T, lower=1)
        return x.T

    return solve
