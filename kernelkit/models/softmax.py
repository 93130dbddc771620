"""Softmax regression: the probabilities of many classes at once (lecture E).

Inside, f (classes, n) holds h_c(X_i), one row a class, and y_i is the number of a point's own class.
"""

import numpy as np

from kernelkit.checks import check_number, check_scale, check_whole
from kernelkit.kernels import Gaussian
from kernelkit.models.estimator import Classifier, KernelForm
from kernelkit.models.newton import InPoints, InRoot, Objective, has_full_rank, last_iterate, newton, not_converged
from kernelkit.models.reading import warn_unfinished

NEARLY = 0.5  # conjugate gradients end when a round gains less than this part of what the rounds gain on average
ROUNDS = 100  # or after so many rounds
MANY = 8  # rounds of conjugate gradients after which a new factorisation is worth its time
SURE = 1e-6  # the objective ends at most this much above its minimum, as a part of itself


def softmax(h):
    """exp(h_c)/Σ exp(h) along each row, without overflow."""
    e = np.exp(h - h.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def log_softmax(h):
    """h_c − log Σ exp(h) along each row, without underflow; with all its digits where a probability is nearly 1."""
    h = h - h.max(axis=1, keepdims=True)
    e = np.exp(h)
    np.put_along_axis(e, h.argmax(axis=1)[:, None], 0, axis=1)  # this one is exp(0) = 1: log1p adds it
    return h - np.log1p(e.sum(axis=1, keepdims=True))


class SoftmaxLoss:
    """The loss −Σ log P_i(y_i) of n points, and its derivatives in f."""

    def __init__(self, y, classes):
        self.own = (y, np.arange(len(y)))
        self.others = np.arange(classes)[:, None] != y

    def total(self, f):
        return float(-np.sum(log_softmax(f.T).T[self.own]))

    def sides(self, f):
        """P and 1 − P, (classes, n); for its own class a point adds up the others, or rounding would hide them."""
        P = softmax(f.T).T
        rest = 1 - P
        rest[self.own] = np.sum(P * self.others, axis=0)
        return P, rest

    def residual(self, f):
        """T − P, with T = 1 for the point's own class, else 0."""
        P, rest = self.sides(f)
        return np.where(self.others, -P, rest)

    def curvature(self, f):
        """u ↦ Wu, (classes, n): P (u − Pᵀu) at each point, with u seen from its own class."""
        P = softmax(f.T).T

        def W(u):
            u = u - u[self.own]
            return P * (u - np.sum(P * u, axis=0))

        return W

    def mean_curvature(self, f):
        """Σ P(1 − P)/(classes − 1), (n,): the mean over the directions in which P can change."""
        P, rest = self.sides(f)
        return np.sum(P * rest, axis=0) / (len(P) - 1)


class CoupledObjective(Objective):
    """The objective of softmax regression, with Newton's step Δ found by conjugate gradients.

        (λ + WK) Δ = c(T − P) − λa,   where W_i = c_i (diag(P_i) − P_iP_iᵀ) couples the classes

    Without the coupling each class would need (λ + DK)⁻¹; here one D, the mean over the classes, is the preconditioner
    for all of them. Its factorisation is kept as long as conjugate gradients need few rounds.
    """

    def __init__(self, space, loss):
        super().__init__(space, loss)
        self.rounds = np.inf
        self.first = None

    def newton_step(self, here):
        if self.rounds > MANY:
            self.precondition = self.space.preconditioner(self.loss.mean_curvature(here.f))
        descent = -self.space.gradient(self.loss.residual(here.f), here.v)
        W = self.loss.curvature(here.f)
        step, self.rounds, size = conjugate_gradients(self.space, W, self.precondition, descent, self.first)
        self.first = self.first or size
        return step, self.space.outputs(step)

    def gap(self, here):
        """‖∇‖²/2λ, and no objective with λ/2 ‖w‖² is farther from its minimum: it is also its duality gap."""
        gradient = self.space.gradient(self.loss.residual(here.f), here.v)
        return abs(self.space.inner(gradient, gradient, self.space.outputs(gradient))) / (2 * self.space.lam)


def conjugate_gradients(space, W, precondition, g, first=None):
    """HΔ = g, nearly, for the second derivatives H, which can be applied but not inverted.

    W(f) : the second derivatives of the loss times f.  precondition(r) : z, roughly H⁻¹r, and its outputs.
    first : the size gᵀz in the first step of Newton; the smaller it has become, the more exact is Δ.
    Also returned: the number of rounds, and gᵀz.
    """
    step = np.zeros_like(g)
    r = g
    z, f_z = precondition(r)
    p = z  # the direction
    f_p = f_z
    rho = space.inner(r, z, f_z)
    size = rho
    nearly = min(NEARLY, (size / (first or size or 1)) ** 0.16)
    gained = 0.0
    for rounds in range(1, ROUNDS + 1):
        Hp = space.gradient(-W(f_p), p)
        bend = space.inner(Hp, p, f_p)
        if not (rho > 0 and bend > 0):  # only rounding is left
            break
        length = rho / bend
        step = step + length * p
        gained += length * rho
        if length * rho <= nearly * gained / rounds:
            break
        r = r - length * Hp
        z, f_z = precondition(r)
        before = rho
        rho = space.inner(r, z, f_z)
        p = z + rho / before * p
        f_p = f_z + rho / before * f_p
    return step, rounds, size


class KernelSoftmax(KernelForm, Classifier):
    """Softmax regression with a kernel: P(class c | z) ∝ exp(h_c(z)), h_c(z) = Σ_i a_ic k(X_i, z)  (lecture E).

    Minimises −Σ_i log P(y_i | X_i) + λ/2 Σ_c ‖w_c‖² by Newton steps on all classes at once.

    kernel : k.  lam : λ > 0.  max_iter : Newton steps at most.  tol : the largest change of any h that still counts.

    Learned: ``a_`` (n, classes), ``n_iter_``, ``converged_``: the last step moved no h(X_i) by more than tol, and the
    objective is at most a millionth above its minimum.  Time O(n³) for a few factorisations, O(classes · n²) for each
    round of conjugate gradients.
    scikit-learn: LogisticRegression(C=1/λ, fit_intercept=False) on explicit features.
    """

    _multi_class = True

    def __init__(self, kernel=Gaussian(1.0), lam=1.0, max_iter=100, tol=1e-6):
        self.kernel = kernel
        self.lam = lam
        self.max_iter = max_iter
        self.tol = tol

    def fit(self, X, y):
        """Descend until no h(X_i) moves by more than tol in a step, and the minimum is near.  Returns self.

        X : n points, (n, d) or a list.  y : (n,) labels.
        """
        check_scale(self.lam, "lam")
        check_number(self.tol, "tol", above=0)
        check_whole(self.max_iter, "max_iter", at_least=1)
        data = self._read_data(X, y)
        K = self._gram(data.X)
        space = InPoints(K, self.lam) if has_full_rank(K) else InRoot(K, self.lam)
        # in the weights of points, those that K does not see would grow until their rounding hides the others
        objective = CoupledObjective(space, SoftmaxLoss(data.y, len(data.classes)))

        def converged(here):
            return here.change <= self.tol and objective.gap(here) <= SURE * here.value

        iterates = newton(objective, objective.at(np.zeros((len(data.classes), space.size))))
        end, turn, finished = last_iterate(iterates, converged, self.max_iter)
        self.a_ = space.to_points(end.v).T
        self.n_iter_ = turn
        self.converged_ = finished
        self._remember(data)
        if not finished:
            warn_unfinished(f"KernelSoftmax {not_converged(turn, self.max_iter, self.tol)}")
        return self

    def decision_function(self, Z):
        """h of each class, one column a class; with two classes the difference h_1 − h_0."""
        h = self._outputs(Z)
        return h[:, 1] - h[:, 0] if h.shape[1] == 2 else h

    def predict_proba(self, Z):
        """P(class | z) of each of the m points Z, one column a class: (m, classes)."""
        return softmax(self._outputs(Z))

    def predict_log_proba(self, Z):
        """The logarithms of ``predict_proba``, (m, classes), without underflow."""
        return log_softmax(self._outputs(Z))
