"""Descending Σ_i loss_i(f_i) + λ/2 ‖w‖², by gradient or by Newton's steps, in the weights of points or of features.

Everywhere v is (n,) or (D,), or one such row for each of several outputs, and f = h(X_i) is (n,) or (outputs, n).
"""

import numpy as np

from kernelkit.models.equations import check_finite, weighted_rows

EPS = np.finfo(float).eps
LOST = 1e-3  # where rounding of K is more than this times λ, λ decides nothing among directions that are only rounding
NEARLY = 0.5  # conjugate gradients end when a round gains less than this part of what the rounds gain on average
ROUNDS = 100  # or after so many rounds
FLATTEST = 1e-280  # curvatures below are raised to this, so that their roots can be divided by


def descent(uphill, outputs, v, step):
    """Gradient descent: every v, with its f = outputs(v)."""
    while True:
        f = outputs(v)
        yield v, f
        v = v + step * uphill(v, f)


def newton(space, loss, direction, v):
    """Newton's method: every v, its f and objective, and whether the step to it was whole and not halved.

    loss(f) : Σ loss_i.  direction(v, f) : Newton's step, or nearly.  It ends where no part of a step descends.
    """
    f, whole = space.outputs(v), True
    value = loss(f) + space.lam / 2 * space.square(v, f)
    while True:
        yield v, f, value, whole
        step, length = direction(v, f), 1.0
        f_step = space.outputs(step)
        while True:
            new_v, new_f = v + length * step, f + length * f_step
            new = loss(new_f) + space.lam / 2 * space.square(new_v, new_f)
            if new <= value * (1 + 1e-12):
                break
            length /= 2
            if length < 1e-8:
                return
        v, f, value, whole = new_v, new_f, new, length == 1.0


def conjugate_gradients(space, bend, begin, gradient, first=None):
    """Newton's step HΔ = g, nearly, for an H = λ + bend that can be applied but not inverted.

    bend(f) : the second derivatives of Σ loss_i times f.  begin(g) : H⁻¹g, roughly, by another H that can be inverted.
    first : the size gᵀ begin(g) of the walk's first step; the smaller it has become, the more exact is Δ.
    Also returned: the number of rounds, and gᵀ begin(g).
    """
    step, r, p, f_p, before, fall = np.zeros_like(gradient), gradient, 0.0, 0.0, np.inf, 0.0
    for rounds in range(1, ROUNDS + 1):
        z = begin(r)
        f_z = space.outputs(z)
        rho = space.inner(r, z, f_z)
        if rounds == 1:
            size = rho
            nearly = min(NEARLY, (size / (first or size or 1)) ** 0.2)
        if not rho > 0:  # only rounding is left
            break
        p, f_p = z + rho / before * p, f_z + rho / before * f_p
        bent = -space.uphill(-bend(f_p), p)
        length = rho / space.inner(bent, p, f_p)
        step, r, before = step + length * p, r - length * bent, rho
        fall += length * rho
        if length * rho <= nearly * fall / rounds:
            break
    return step, rounds, size


class InPoints:
    """Weights a of the n training points: f = Ka, ‖w‖² = aᵀKa."""

    def __init__(self, K, lam):
        self.K, self.lam, self.size = K, lam, len(K)

    def outputs(self, a):
        return a @ self.K

    def square(self, a, f):
        """‖w‖² = aᵀKa."""
        return np.vdot(a, f)

    def inner(self, a, b, f_b):
        """⟨w_a, w_b⟩ = aᵀKb."""
        return np.vdot(a, f_b)

    def uphill(self, pull, a):
        """Steepest ascent of the negative objective, for pull_i = −∂loss_i/∂f_i."""
        return pull - self.lam * a

    def steepest(self, weights):
        """The largest eigenvalue of √c K √c."""
        return largest_eigenvalue(weighted_rows(weights, weighted_rows(weights, self.K).T))

    def solver(self, bend):
        """g ↦ (λI + DK)⁻¹ g = D^½ (λI + D^½ K D^½)⁻¹ D^−½ g, for the curvatures D = ∂²loss_i/∂f_i² (n,)."""
        root = np.sqrt(np.maximum(bend, FLATTEST))
        B = root[:, None] * self.K
        B *= root
        B.flat[:: len(B) + 1] += self.lam
        solve = _cholesky(B)
        return lambda g: root * solve(g / root)

    def of_points(self, a):
        """The weights of the points, as a copy."""
        return a.copy()

    def from_points(self, a):
        """Weights of the points as a start."""
        return a


class InFeatures:
    """Weights w of the D features Φ: f = Φw."""

    def __init__(self, Phi, lam):
        with np.errstate(over="ignore"):
            check_finite(np.vdot(Phi, Phi))  # no entry of ΦᵀΦ is larger
        self.Phi, self.lam, self.size = Phi, lam, Phi.shape[1]

    def outputs(self, w):
        return w @ self.Phi.T

    def square(self, w, f):
        """‖w‖²."""
        return np.vdot(w, w)

    def inner(self, w, v, f_v):
        """⟨w, v⟩."""
        return np.vdot(w, v)

    def uphill(self, pull, w):
        """Steepest ascent of the negative objective, for pull_i = −∂loss_i/∂f_i."""
        return pull @ self.Phi - self.lam * w

    def steepest(self, weights):
        """The largest eigenvalue of Φᵀ C Φ."""
        Phi = weighted_rows(weights, self.Phi)
        return largest_eigenvalue(Phi @ Phi.T if len(Phi) <= self.size else Phi.T @ Phi)

    def solver(self, bend):
        """g ↦ (λI + ΦᵀDΦ)⁻¹ g, for the curvatures D = ∂²loss_i/∂f_i² (n,)."""
        H = (self.Phi.T * bend) @ self.Phi
        H.flat[:: len(H) + 1] += self.lam
        return _cholesky(H)


class InRoot(InFeatures):
    """Weights of the features Φ = L of the n points, K = LLᵀ: Cholesky's, stopped where only rounding is left of K.

    Its r pivots, each the point farthest from those before, span all others, so they alone carry weights a.
    """

    def __init__(self, K, lam):
        from scipy.linalg import lapack

        L, order, rank, _ = lapack.dpstrf(K, tol=_rounding(K), lower=1)
        self.pivots, self.L = order[:rank] - 1, np.tril(L[:rank, :rank])
        Phi = np.empty((len(K), rank))
        Phi[order - 1] = np.tril(L)[:, :rank]
        super().__init__(Phi, lam)

    def of_points(self, v):
        """The a on the pivots with Ka = Lv."""
        from scipy.linalg import solve_triangular

        a = np.zeros((*v.shape[:-1], len(self.Phi)))
        a[..., self.pivots] = solve_triangular(self.L, v.T, trans="T", lower=True, check_finite=False).T
        return a

    def from_points(self, a):
        """v = Lᵀa."""
        return a @ self.Phi


def space_of(K, lam):
    """Where Newton walks: in the weights of the points, but where rounding hides λ in those of K's own features."""
    return InPoints(K, lam) if _rounding(K) < LOST * lam else InRoot(K, lam)


def _rounding(K):
    return len(K) * EPS * K.diagonal().max()


def largest_eigenvalue(A):
    """Of a symmetric matrix; the others are not computed."""
    from scipy.linalg import eigh

    last = len(A) - 1
    return float(eigh(A, eigvals_only=True, subset_by_index=[last, last], check_finite=False)[0])


def _cholesky(A):
    """g ↦ A⁻¹g for a symmetric A ≻ 0, which is overwritten; g is (n,) or has one row for each output."""
    from scipy.linalg import LinAlgError, cho_factor, cho_solve

    try:
        factor = cho_factor(A.T, overwrite_a=True, check_finite=False)
    except LinAlgError:
        raise ValueError("k is no kernel on these points: its Gram matrix has a negative eigenvalue.") from None
    return lambda g: cho_solve(factor, g.T, check_finite=False).T
