"""Which features are worth their weight: terms chosen one by one, and a penalty that leaves weights at 0 (lecture E).

A term is a product of columns of X, written as their indices in order: (2,) is x_2, (0, 2) is x_0 x_2, (1, 1) is x_1²,
and () is the constant 1.
"""

from dataclasses import dataclass

import numpy as np

from kernelkit.arrays import first_largest
from kernelkit.checks import (
    check_array,
    check_number,
    check_one_order,
    check_same_width,
    check_whole,
    names_of_coordinates,
    read_points,
)
from kernelkit.models.reading import check_same_rows, warn_unfinished

NEAR = 1e-2  # of the objective of the lasso: what is farther above the minimum has not converged
SAME = 1e-9  # a column that keeps less than this of its length beside those chosen is one of their sums


def _pair(X, y, name, name_y):
    """Points (n, d) and one number for each, (n,)."""
    check_same_rows(X, y)
    X, _ = read_points(X, name)
    y = check_array(y, name_y)
    if y.shape != (len(X),):
        raise ValueError(f"{name_y} must hold one number for each row of {name}, ({len(X)},), got shape {y.shape}.")
    return _with_finite_squares(X, name), _with_finite_squares(y, name_y)


def _with_finite_squares(A, name):
    """A, if the sum of its squares is a float."""
    with np.errstate(over="ignore", invalid="ignore"):
        finite = np.isfinite(np.vdot(A, A))
    if not finite:
        raise ValueError(f"The squares of {name} overflow: scale the inputs.")
    return A


def columns(X, terms):
    """The products that the terms stand for: (n, terms)."""
    with np.errstate(over="ignore"):
        Phi = np.column_stack([np.prod(X[:, list(term)], axis=1) for term in terms])
    return _with_finite_squares(Phi, "the products of columns")


def allowed(chosen, d, degree=2):
    """The terms that may come next, in order: of at most this degree, whose parts with one factor less are chosen.

    So x_0 x_1 waits until x_0 and x_1 are chosen, and x_0 x_1 x_2 for all three products of two of them.

    >>> allowed([(), (0,), (2,)], d=3)
    [(1,), (0, 0), (0, 2), (2, 2)]
    """
    chosen = set(chosen)
    longer = {tuple(sorted((*term, j))) for term in chosen if len(term) < degree for j in range(d)} - chosen
    next_ones = [term for term in longer if chosen.issuperset(_divisors(term))]
    return sorted(next_ones, key=lambda term: (len(term), term))


def _divisors(term):
    """The term without one of its factors, for each of them."""
    return [term[:i] + term[i + 1 :] for i in range(len(term))]


@dataclass(frozen=True, eq=False)
class Choice:
    """One step of ``forward``.  term : what was added.  terms : all so far, () first.  w : their weights.

    loss : mean squared residual.  held_out : the same on points held out, or None.  tried : terms compared.
    """

    term: tuple
    terms: tuple
    w: np.ndarray
    loss: float
    held_out: float | None
    tried: int


def forward(X, y, most=12, degree=2, held_out=None):
    """Hierarchical forward selection for least squares: a ``Choice`` for each term, the best of those ``allowed``.

    Each is the term that lowers ‖y − Φw‖² most when all weights are fitted anew. With an orthonormal basis Q of the
    columns chosen and r = y − QQᵀy, a column z lowers it by (zᵀr)²/‖z − QQᵀz‖².
    X : n points, (n, d).  y : (n,).  most : terms beside the constant.  held_out : (Z, y of Z) to be watched.
    It ends early where no term that is left would add anything.
    """
    if held_out is not None:
        check_one_order(names_of_coordinates((X, held_out[0]), (False, False)), "The columns of X and Z")
    X, y = _pair(X, y, "X", "y")
    check_whole(most, "most", at_least=1)
    check_whole(degree, "degree", at_least=1)
    terms = [()]
    Q = np.full((len(X), 1), len(X) ** -0.5)
    while len(terms) <= most:
        candidates = allowed(terms, X.shape[1], degree)
        if not candidates:
            return
        Z = columns(X, candidates)
        across = Z - Q @ (Q.T @ Z)
        across -= Q @ (Q.T @ across)  # once more, for the digits that the first time lost
        length = np.linalg.norm(across, axis=0)
        new = length > SAME * np.linalg.norm(Z, axis=0)
        r = y - Q @ (Q.T @ y)
        gain = np.divide(r @ across, length, out=np.zeros(len(length)), where=new) ** 2
        best = int(first_largest(gain))
        if not gain[best] > SAME**2 * (y @ y):
            return
        terms.append(candidates[best])
        Q = np.column_stack([Q, across[:, best] / length[best]])
        yield _choice(X, y, terms, held_out, len(candidates))


def _choice(X, y, terms, held_out, tried):
    Phi = columns(X, terms)
    size = np.linalg.norm(Phi, axis=0)  # each column in its own unit, or the small ones would count as rounding
    w = np.linalg.lstsq(Phi / size, y, rcond=None)[0] / size
    loss = float(np.mean((y - Phi @ w) ** 2))
    loss_held_out = None
    if held_out is not None:
        Z, targets = _pair(*held_out, "Z", "y of Z")
        check_same_width(X, Z)
        loss_held_out = float(np.mean((targets - columns(Z, terms) @ w) ** 2))
    return Choice(terms[-1], tuple(terms), w, loss, loss_held_out, tried)


# ---- L1 -----------------------------------------------------------------------------------------


def shrink(t, lam):
    """The u that minimises ½(u − t)² + λ|u|: t moved towards 0 by λ, and 0 if it comes there."""
    return np.sign(t) * np.maximum(np.abs(t) - lam, 0)


def lasso_steps(Phi, y, lam=1.0, start=None):
    """Coordinate descent for ½‖y − Φw‖² + λ‖w‖₁: w after each pass over the weights, from start or from 0.

    w_j ← shrink(Φ_jᵀ(r + Φ_j w_j), λ) / ‖Φ_j‖²,   r = y − Φw kept up to date
    """
    Phi, y = _pair(Phi, y, "Phi", "y")
    check_number(lam, "lam", at_least=0)
    squares = np.sum(Phi**2, axis=0)  # ‖Φ_j‖²
    w = np.zeros(len(squares)) if start is None else check_array(start, "start").copy()
    if w.shape != squares.shape:
        raise ValueError(f"start must hold one weight for each of the {len(squares)} columns, got shape {w.shape}.")
    r = y - Phi @ w
    yield w.copy()
    while True:
        for j in np.flatnonzero(squares):
            before = w[j]
            w[j] = shrink(Phi[:, j] @ r + squares[j] * before, lam) / squares[j]
            r = r - (w[j] - before) * Phi[:, j]
        yield w.copy()


def lasso(Phi, y, lam=1.0, start=None, tol=1e-8, max_iter=10_000):
    """The end of ``lasso_steps``: no output moves by over tol times the largest |y| in a pass, or max_iter passes.

    Phi : (n, D).  y : (n,).  lam : λ ≥ 0; from max_j |Φ_jᵀy| on every weight is 0.  scikit-learn: Lasso(alpha=lam/n,
    fit_intercept=False).  Returns w (D,), with a warning if the objective may be over a hundredth above its minimum.
    """
    Phi, y = _pair(Phi, y, "Phi", "y")
    check_number(tol, "tol", above=0)
    check_whole(max_iter, "max_iter", at_least=1)
    bound = tol * np.abs(y).max(initial=0)
    before = None
    for turn, w in enumerate(lasso_steps(Phi, y, lam, start)):
        if before is not None and (np.abs(Phi @ (w - before)).max() <= bound or turn == max_iter):
            break
        before = w
    value = np.sum((y - Phi @ w) ** 2) / 2 + lam * np.abs(w).sum()
    if _lasso_gap(Phi, y, lam, w, value) > NEAR * value:
        warn_unfinished(
            f"lasso stopped after {turn} passes, where its objective of {value:.3g} can be far above the minimum; "
            "centre or scale the columns, lower tol, or raise max_iter."
        )
    return w


def _lasso_gap(Phi, y, lam, w, value):
    """How far the objective is above its minimum, at most: no yᵀv − ½‖v‖² with all |Φ_jᵀv| ≤ λ is above that."""
    r = y - Phi @ w
    if lam == 0:
        return r @ Phi @ np.linalg.lstsq(Phi, r, rcond=None)[0] / 2
    v = r * (lam / max(lam, np.abs(Phi.T @ r).max()))
    return value - (y @ v - v @ v / 2)
