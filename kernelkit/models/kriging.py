"""Kriging: kernel ridge whose predictions know what they do not know (lectures C and E; Rasmussen–Williams, chapter 2).

The unknown function is drawn from N(0, k) and measured with noise; given y at X it has, at new points Z,

    mean  K̃ (K + noise·I)⁻¹ y,      covariance  k(Z, Z) − K̃ (K + noise·I)⁻¹ K̃ᵀ,      K̃ = k(Z, X)

The mean is ``KernelRidge`` with λ = noise; the covariance does not need y at all.
"""

from itertools import compress
from math import log, pi

import numpy as np

from kernelkit.checks import check_not_rows, check_number, check_whole, generator
from kernelkit.kernels import Gaussian
from kernelkit.models.equations import check_semi_definite, mirrored
from kernelkit.models.estimator import KernelForm
from kernelkit.models.grams import finite_diag
from kernelkit.models.reading import few, one_each, warn_unfinished
from kernelkit.models.ridge import Centred

EPS, TINY = np.finfo(float).eps, np.finfo(float).tiny
SMALL = 1e-9  # of k(x, x): where no point is nearer than this to the span of those before, K has a clear rank
JITTER = 1e-10  # of k(z, z), added to a covariance whose root is taken: it is singular where points are close
BOUNDS = 1e-5, 1e5  # of every number that is tuned, and of its ratio to an own number outside them
TRIED, STARTS = 100, 3  # so many settings are tried, and a climb starts from the best of them and from the own
REACH = 2.0, 8.0  # how far they lie from the own, in logarithms: in turn near and far


class Kriging(Centred, KernelForm):
    """Gaussian process regression, for geologists kriging: y = f(X) + e, with f ~ N(0, k) and e ~ N(0, noise·I).

    kernel : k, which says what ground is to be expected.  noise : the variance of e ≥ 0, the geologists' nugget.
    center : subtract the means of X and y first; ``X_mean_`` and ``y_mean_`` keep them.
    ValueError where noise = 0 and K is singular: it names points that coincide, or the rank of K.

    Learned: ``a_`` (n,) = (K + noise·I)⁻¹ y, and ``log_marginal_likelihood_``, the evidence log N(y; 0, K + noise·I).
    Time O(n³); a prediction with its deviation O(n²).
    scikit-learn: GaussianProcessRegressor(kernel, alpha=noise, optimizer=None).

    >>> gp = Kriging(Gaussian(1.0), noise=0.01).fit([[0.0], [1.0]], [0.0, 1.0])
    >>> mean, std = gp.predict([[1.0], [9.0]], return_std=True)
    >>> mean.round(3).tolist(), std.round(3).tolist()
    ([0.985, 0.0], [0.099, 1.0])
    """

    _may_be_infinite = ("log_marginal_likelihood_",)

    def __init__(self, kernel=Gaussian(1.0), noise=0.1, center=False):
        self.kernel = kernel
        self.noise = noise
        self.center = center

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = False
        return tags

    def _read_targets(self, y, n):
        y, classes = super()._read_targets(y, n)
        return one_each(y), classes

    def fit(self, X, y):
        """Solve for a.  X : n points, (n, d) or a list.  y : (n,).  Returns self."""
        check_number(self.noise, "noise", at_least=0)
        data, means = self._read_centred(X, y)
        L = factor(self._gram(data.X), self.noise)
        self.a_, self.L_ = _twice_solved(L, data.y), L
        self.log_marginal_likelihood_ = evidence(L, data.y, self.a_)
        return self._remember_centred(data, means)

    def predict(self, Z, return_std=False):
        """The mean at each of the m points Z, (m,); with return_std also the standard deviation of f there, (m,)."""
        if not return_std:
            return self._outputs(Z)
        Z, K = self._towards(Z)
        mean = K @ self.a_ + self.b_
        V = _solved(self.L_, K.T)  # in place of K
        return mean, np.sqrt(np.maximum(finite_diag(self.kernel, Z) - np.einsum("ij,ij->j", V, V), 0))

    def posterior(self, Z):
        """The mean (m,) and the covariance (m, m) of f at the m points Z."""
        Z, K = self._towards(Z)
        mean = K @ self.a_ + self.b_
        V = _solved(self.L_, K.T)  # in place of K
        return mean, self._gram(Z, Z) - V.T @ V

    def sample(self, Z, n=1, random_state=None):
        """n functions drawn from the posterior, at the m points Z: (n, m).  random_state : a seed, or a generator."""
        rng, n = generator(random_state) or np.random.default_rng(), check_whole(n, "n", at_least=1)
        mean, covariance = self.posterior(Z)
        return mean + rng.standard_normal((n, len(mean))) @ root(covariance).T

    def tuned(self, X, y, fixed=()):
        """A new Kriging, fitted to X, y, with the kernel's numbers and the noise that maximise the evidence.

        Whole numbers (a degree, a power) and zeros stay, and what ``fixed`` names, such as ["noise"]. The evidence has
        several maxima, so many settings are tried first and the climb starts from the best of them. Each number is
        looked for between 1e-5 and 1e5; where the model's own lies outside, also as far beyond it, to own · 1e±5. A
        warning names what ends at a bound, but for a noise of 1e-5, and that of which the evidence is flat.
        """
        params = self.get_params()
        if unknown := {*fixed} - {*params}:
            raise ValueError(f"fixed names no parameters of {self!r}: {few(sorted(map(str, unknown)))}.")
        names = [n for n, value in params.items() if n not in fixed and self._may_vary(n, value)]
        logs = self._climbed(names, X, y) if names else []
        return self._at(names, logs).fit(X, y)

    def _climbed(self, names, X, y):
        """The logarithms of these numbers at the top of the evidence."""
        objective = self._objective(names, X, y)
        params = self.get_params()
        own = np.log([params[n] for n in names])
        bottom, top = bounds(own)
        away = np.random.default_rng(0).uniform(-1, 1, (TRIED, len(names))) * np.resize(REACH, (TRIED, 1))
        tried = sorted(np.clip(own + away, bottom, top), key=lambda t: objective(t, slopes=False))
        ends = [descend(objective, t, bottom, top) for t in (own, *tried[:STARTS])]
        best = min(ends, key=lambda end: end.fun).x
        _, slopes = objective(best)
        stuck = (best == top) | ((best == bottom) & (np.array(names) != "noise")) | (slopes == 0)
        if stuck.any():
            warn_unfinished(
                f"The evidence says nothing of {few(list(compress(names, stuck)))}: it is flat there, or rises up to a "
                "bound of the range. Give X and y in other units, begin nearer, or hold the number by fixed=[…]."
            )
        return best

    # ---- what the formulas are made of ----------------------------------------------------------

    def _towards(self, Z):
        """The points Z as they are read, and k(Z, X), (m, n)."""
        Z = self._read_new(Z)
        check_not_rows(self.kernel)
        return Z, self._gram(Z, self.X_)

    def _at(self, names, logs):
        """A new model with these numbers."""
        values = dict(zip(names, np.exp(logs).tolist(), strict=True))
        return type(self)(self.kernel, self.noise, self.center).set_params(**values)

    def _may_vary(self, name, value):
        """Whether a parameter is a number > 0 and its neighbours are allowed too."""
        if isinstance(value, bool) or not isinstance(value, (int, float)) or value <= 0:
            return False
        try:
            self._at([name], [log(value) + 1e-3])
        except (TypeError, ValueError):
            return False
        return True

    def _objective(self, names, X, y):
        """−evidence, ∞ where it cannot be computed, and its slopes: a function of the logarithms of these numbers."""
        check_number(self.noise, "noise", at_least=0)
        data, _ = self._read_centred(X, y)

        def objective(logs, slopes=True):
            try:
                model = self._at(names, logs)
                L = factor(model._gram(data.X, data.X), model.noise)
                a = _twice_solved(L, data.y)
                value = -evidence(L, data.y, a)
                if not slopes:
                    return value
                G = _twice_solved(L, np.eye(len(a)))
                return value, -np.array([self._slope(names, logs, i, data.X, a, G) for i in range(len(names))])
            except ValueError:  # singular, overflowing, or no such kernel: nothing to climb here
                return (np.inf, np.zeros(len(names))) if slopes else np.inf

        return objective

    def _slope(self, names, logs, i, X, a, G):
        """d evidence/dt = ½ aᵀ(dK)a − ½ tr(G dK), with G = (K + noise·I)⁻¹ and dK by a central difference."""
        if names[i] == "noise":
            return np.exp(logs[i]) * (a @ a - np.trace(G)) / 2
        step = 1e-4 * np.eye(len(logs))[i]
        up, down = (self._at(names, logs + s)._gram(X, X) for s in (step, -step))
        dK = (up - down) / 2e-4
        return (a @ dK @ a - np.einsum("ij,ij->", G, dK)) / 2


def bounds(own):
    """The smallest and the largest logarithm of each number that is tuned, for the logarithms of the own ones."""
    bottom, top = np.log(BOUNDS)
    return np.where(own < bottom, own + bottom, bottom), np.where(own > top, own + top, top)


def descend(objective, start, bottom, top):
    """The end of a descent from the start, between bottom and top: SciPy's result, with its ``x`` and ``fun``.

    A step to where the objective is ∞ must be refused, and a shorter one tried. From a start of value F, to which the
    step promises to bring F − s, and a value F + R, the next is 1/(3 + 6R/s) of it. So with R = ∞ the descent would
    stand still, and here R = |F|: worse than the start, but of its size.
    """
    from scipy.optimize import minimize

    F = objective(start, slopes=False)

    def finite(t):
        value, slopes = objective(t)
        return (value if value < np.inf else F + abs(F)), slopes

    return minimize(finite, start, jac=True, method="L-BFGS-B", bounds=[*zip(bottom, top, strict=True)])


def factor(K, noise):
    """The Cholesky factor L of K + noise·I = LLᵀ, in place of K; its upper triangle means nothing."""
    from scipy.linalg.lapack import dpotrf

    diagonal = K.diagonal().copy()
    K.flat[:: len(K) + 1] += noise
    largest = K.diagonal().max()
    # K is symmetric, so its transpose is itself in Fortran order: factorised in place
    L, failed = dpotrf(K.T, lower=1, overwrite_a=1, clean=0)
    if failed or L.diagonal().min() ** 2 <= len(L) * EPS * largest:
        K = mirrored(K, diagonal)
        check_semi_definite(K)
        said = f"K + noise·I is singular to rounding with noise = {noise:g}"
        raise ValueError(f"{said}: {_why_singular(K)}. A larger noise makes it solvable.")
    return L


def _why_singular(K):
    """The first pairs i < j of points that k cannot tell apart, or that K has a small rank, or that points are near."""
    from scipy.linalg.lapack import dpstrf

    rounding = len(K) * EPS * K.diagonal().max()
    both = np.add.outer(K.diagonal(), K.diagonal())
    D = both - 2 * K  # ‖Φ(x) − Φ(z)‖²
    D[np.tril_indices(len(K))] = np.inf
    if (twins := np.argwhere(D <= 8 * EPS * both)[:3]).size:
        return "; ".join(f"points {i} and {j} coincide" for i, j in twins)
    L, _, rank, _ = dpstrf(K, tol=rounding, lower=1)
    pivots = L.diagonal()[:rank] ** 2
    if D.min() > 4 * rounding and pivots.min(initial=np.inf) > SMALL * K.diagonal().max():  # the next is only rounding
        return f"K has rank {rank} and not {len(K)}, so k has too few features for these points"
    return "some points are too near to others"


def _solved(L, B):
    """L⁻¹B, in place of B where that is in Fortran order."""
    from scipy.linalg import solve_triangular

    return solve_triangular(L, B, lower=True, overwrite_b=True, check_finite=False)


def _twice_solved(L, B):
    """(LLᵀ)⁻¹B."""
    from scipy.linalg import cho_solve

    return cho_solve((L, True), B, check_finite=False)


def evidence(L, y, a):
    """log N(y; 0, LLᵀ) = −½ yᵀa − Σ log L_ii − n/2 log 2π: fit, restraint and a constant."""
    return float(-y @ a / 2 - np.log(L.diagonal()).sum() - len(y) / 2 * log(2 * pi))


def root(covariance):
    """A lower triangular R with RRᵀ = covariance, up to a jitter on its diagonal."""
    from scipy.linalg import LinAlgError, cholesky

    jitter = JITTER * max(np.abs(covariance).max(), TINY)
    while True:
        try:
            return cholesky(covariance + jitter * np.eye(len(covariance)), lower=True, check_finite=False)
        except LinAlgError:  # its rounding is larger
            jitter *= 10
