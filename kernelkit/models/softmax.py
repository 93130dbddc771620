"""Softmax regression: the probabilities of many classes at once (lecture E).

Inside, f (classes, n) holds h_c(X_i), one row a class, and y_i is the number of a point's own class.
"""

from itertools import islice

import numpy as np

from kernelkit.checks import check_number, check_whole
from kernelkit.kernels import Gaussian
from kernelkit.models.descent import InPoints, InRoot, conjugate_gradients, newton
from kernelkit.models.estimator import Classifier, KernelForm
from kernelkit.models.reading import warn_unfinished

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


class Terms:
    """The terms −c_i log P_i(y_i) of n points, and their derivatives in f."""

    def __init__(self, y, weights, classes):
        self.own, self.others = (y, np.arange(len(y))), np.arange(classes)[:, None] != y
        self.c = np.ones(len(y)) if weights is None else weights

    def loss(self, f):
        """−Σ c log P(y)."""
        return float(-self.c @ log_softmax(f.T).T[self.own])

    def sides(self, f):
        """P and 1 − P, (classes, n); for its own class a point adds up the others, or rounding would hide them."""
        P = softmax(f.T).T
        rest = 1 - P
        rest[self.own] = np.sum(P * self.others, axis=0)
        return P, rest

    def pull(self, f):
        """c (T − P), with T = 1 for the point's own class, else 0."""
        P, rest = self.sides(f)
        return self.c * np.where(self.others, -P, rest)

    def bend(self, f):
        """u ↦ Wu, (classes, n): c P (u − Pᵀu) at each point, with u seen from its own class."""
        P = softmax(f.T).T

        def W(u):
            u = u - u[self.own]
            return self.c * P * (u - np.sum(P * u, axis=0))

        return W

    def mean_bend(self, f):
        """c Σ P(1 − P)/(classes − 1), (n,): the mean curvature over the directions in which P can change."""
        P, rest = self.sides(f)
        return self.c * np.sum(P * rest, axis=0) / (len(P) - 1)


class KernelSoftmax(KernelForm, Classifier):
    """Softmax regression with a kernel: P(class c | z) ∝ exp(h_c(z)), h_c(z) = Σ_i a_ic k(X_i, z)  (lecture E).

    Minimises −Σ_i log P(y_i | X_i) + λ/2 Σ_c ‖w_c‖² by Newton steps on all classes at once.

    kernel : k.  lam : λ > 0.  max_iter : Newton steps at most.  tol : the largest change of any h that still counts.
    class_weight : None, "balanced" (the classes weigh the same), or a dictionary label: weight.

    Learned: ``a_`` (n, classes), ``n_iter_``, ``converged_``: the last step moved no h(X_i) by more than tol, and the
    objective is at most a millionth above its minimum.  Time O(n³) for a few factorisations, O(classes · n²) for each
    round of conjugate gradients.
    scikit-learn: LogisticRegression(C=1/λ, fit_intercept=False) on explicit features.
    """

    _multi_class = True
    _all_alike_far_away = True

    def __init__(self, kernel=Gaussian(1.0), lam=1.0, max_iter=100, tol=1e-6, class_weight=None):
        self.kernel = kernel
        self.lam = lam
        self.max_iter = max_iter
        self.tol = tol
        self.class_weight = class_weight

    def fit(self, X, y, sample_weight=None):
        """Walk until no h(X_i) moves by more than tol in a step, and the minimum is near.  Returns self.

        X : n points, (n, d) or a list.  y : (n,) labels.  sample_weight : (n,) numbers ≥ 0.
        """
        check_number(self.lam, "lam", above=0)
        check_number(self.tol, "tol", above=0)
        check_whole(self.max_iter, "max_iter", at_least=1)
        data = self._read_data(X, y, sample_weight)
        space = _space(self._gram(data.X), self.lam)
        v, turn, settled = self._walk(space, Terms(data.y, data.weights, len(data.classes)))
        self._learn(space.of_points(v).T)
        self.n_iter_, self.converged_ = turn, settled
        self._remember(data)
        if not settled:
            warn_unfinished(f"KernelSoftmax {self._stopped(turn)}")
        return self

    def _walk(self, space, terms):
        """The last weights, the number of the step, and whether it arrived."""
        start, before = np.zeros((len(terms.others), space.size)), np.inf
        walk = newton(space, terms.loss, _Direction(space, terms), start)
        for turn, (v, f, cost, whole) in enumerate(islice(walk, self.max_iter + 1)):
            still = whole and np.abs(f - before).max() <= self.tol
            if still and _gap(space, terms, v, f) <= SURE * cost:
                return v, turn, True
            before = f
        return v, turn, False

    def _stopped(self, turn):
        if turn < self.max_iter:
            return f"stopped at step {turn}, where rounding hides every way down; scale the inputs, or raise lam."
        return f"stopped after max_iter = {self.max_iter} Newton steps; raise it, or lam."

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


def _space(K, lam):
    """Where to walk: in the weights of the points, or with fewer features than points in those of the features.

    For there weights of points that K does not see would grow until their rounding hides the others.
    """
    root = InRoot(K, lam)
    return root if root.size < len(K) else InPoints(K, lam)


def _gap(space, terms, v, f):
    """‖∇‖²/2λ, and no objective with λ/2 ‖w‖² is farther from its minimum: it is also its duality gap."""
    gradient = space.uphill(terms.pull(f), v)
    return abs(space.inner(gradient, gradient, space.outputs(gradient))) / (2 * space.lam)


class _Direction:
    """Newton's step Δ, nearly: (λ + WK) Δ = c(T − P) − λa, where W_i = c_i (diag(P_i) − P_iP_iᵀ) couples the classes.

    Without the coupling each class would need (λ + DK)⁻¹; here one D, the mean over the classes, begins each round of
    conjugate gradients for all of them. Its factorisation is kept as long as they need few rounds.
    """

    def __init__(self, space, terms):
        self.space, self.terms = space, terms
        self.rounds, self.first = np.inf, None

    def __call__(self, v, f):
        if self.rounds > MANY:
            self.begin = self.space.solver(self.terms.mean_bend(f))
        gradient, bend = self.space.uphill(self.terms.pull(f), v), self.terms.bend(f)
        step, self.rounds, size = conjugate_gradients(self.space, bend, self.begin, gradient, self.first)
        self.first = self.first or size
        return step
