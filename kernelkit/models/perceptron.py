"""The perceptron twice: in the weights w, and in the number of mistakes at each training point (lecture D).

    if ŷ_i ≠ y_i:   w ← w + η_t y_i Φ(X_i)      or      a_i ← a_i + η_t y_i

sign(0) is a mistake: the slides' derivation keeps w where y wᵀx ≥ 0, and so would never leave w = 0.
"""

import numpy as np

from kernelkit.checks import check_scale, check_whole, generator
from kernelkit.features import Monomials
from kernelkit.kernels import Gaussian
from kernelkit.models.estimator import Classifier, KernelForm, PrimalForm, Step
from kernelkit.models.reading import warn_unfinished


class _Perceptron(Classifier):
    """What both forms share: the order of the data, the rate, and the counting. Each writes ``fit`` and ``steps``."""

    def _read_with_settings(self, X, y):
        check_whole(self.max_passes, "max_passes", at_least=1)
        if not callable(self.rate):
            check_scale(self.rate, "rate")
        generator(self.random_state)
        return self._read_data(X, y)

    def _passes(self, n):
        """The number of each pass, from 1, and the order in which it visits the points."""
        rng = generator(self.random_state)
        for turn in range(1, self.max_passes + 1):
            yield turn, rng.integers(n, size=n).tolist() if rng else range(n)

    def _eta(self, t):
        return check_scale(self.rate(t), f"rate({t})") if callable(self.rate) else self.rate

    def _counted(self, steps, n):
        """The last of the steps, and how many of them each of the n points made."""
        counts = np.zeros(n, int)
        for step in steps:
            if step.moved is not None:
                counts[step.moved] += 1
        return step, counts

    def _finish(self, data, h, turn, counts):
        """The end of fit, after the weights are set: whether they are right at all points, where their output is h."""
        converged = bool((data.y * h > 0).all())  # in random order a pass may miss a wrong point
        self.counts_ = counts
        self.converged_ = converged
        self.n_passes_ = min(turn + 1, self.max_passes) if converged else self.max_passes
        self._remember(data)
        if not converged:
            warn_unfinished(
                f"{type(self).__name__} still made mistakes after max_passes = {self.max_passes}: the classes are not "
                "separable with these features, or need more passes."
            )
        return self


class PrimalPerceptron(PrimalForm, _Perceptron):
    """The perceptron on explicit features: on a mistake at i, w ← w + η_t y_i Φ(X_i)  (lecture D).

    feature_map : Φ.  rate : η_t, a number > 0 or a function of the number t = 0, 1, … of mistakes so far.
    max_passes : passes over the data at most.  random_state : None visits the points in order, else draws them.

    Learned: ``w_`` (D,), ``counts_`` (n,) mistakes at each point, ``n_passes_``, and ``converged_``: whether no point
    is wrong any more.  Time O(D) a point.
    """

    def __init__(self, feature_map=Monomials(2), rate=1.0, max_passes=100, random_state=None):
        self.feature_map = feature_map
        self.rate = rate
        self.max_passes = max_passes
        self.random_state = random_state

    def fit(self, X, y):
        """Correct mistakes until none is left.  X : n points, (n, d) or a list.  y : (n,) labels.  Returns self."""
        data = self._read_with_settings(X, y)
        Phi = self._features(data.X)
        last, counts = self._counted(self._mistakes(Phi, data.y), len(data.y))
        self.w_ = last.iterate
        return self._finish(data, Phi @ self.w_, last.turn, counts)

    def steps(self, X, y):
        """The start, then a ``Step`` after each mistake: its point i, w, the loss −y_i h(X_i), and its pass.

        X : n points, (n, d) or a list.  y : (n,) labels.
        """
        data = self._read_with_settings(X, y)
        return self._mistakes(self._features(data.X), data.y)

    def _mistakes(self, Phi, y):
        w = np.zeros(Phi.shape[1])
        t = 0  # mistakes so far
        yield Step(None, w.copy(), 0.0, 0)
        for turn, order in self._passes(len(y)):
            before = t
            for i in order:
                h = Phi[i] @ w
                if y[i] * h <= 0:
                    eta = self._eta(t)
                    w += eta * y[i] * Phi[i]
                    t += 1
                    yield Step(i, w.copy(), -y[i] * h, turn)
            if t == before and (y * (Phi @ w) > 0).all():
                return


class KernelPerceptron(KernelForm, _Perceptron):
    """The kernel perceptron: on a mistake at i, a_i ← a_i + η_t y_i, with q = Ka kept up to date  (lecture D).

    kernel : k.  The other parameters as ``PrimalPerceptron``: the same data order makes the same mistakes.

    Learned: ``a_`` (n,), ``counts_``, ``n_passes_``, ``converged_``.  With rate 1, a_i = counts_i y_i.
    Time O(1) a point and O(n) a mistake, after O(n²d) for K.
    """

    def __init__(self, kernel=Gaussian(1.0), rate=1.0, max_passes=100, random_state=None):
        self.kernel = kernel
        self.rate = rate
        self.max_passes = max_passes
        self.random_state = random_state

    def fit(self, X, y):
        """Correct mistakes until none is left.  X : n points, (n, d) or a list.  y : (n,) labels.  Returns self."""
        data = self._read_with_settings(X, y)
        K = self._gram(data.X)
        last, counts = self._counted(self._mistakes(K, data.y), len(data.y))
        self.a_ = last.iterate
        return self._finish(data, K @ self.a_, last.turn, counts)

    def steps(self, X, y):
        """The start, then a ``Step`` after each mistake: its point i, a, the loss −y_i h(X_i), and its pass.

        X : n points, (n, d) or a list.  y : (n,) labels.
        """
        data = self._read_with_settings(X, y)
        return self._mistakes(self._gram(data.X), data.y)

    def _mistakes(self, K, y):
        a = np.zeros(len(y))
        q = np.zeros(len(y))  # Ka: q_i = Σ_j a_j k(X_j, X_i)
        t = 0  # mistakes so far
        yield Step(None, a.copy(), 0.0, 0)
        for turn, order in self._passes(len(y)):
            before = t
            for i in order:
                h = q[i]
                if y[i] * h <= 0:
                    eta = self._eta(t)
                    a[i] += eta * y[i]
                    q += eta * y[i] * K[i]
                    t += 1
                    yield Step(i, a.copy(), -y[i] * h, turn)
            if t == before and (y * q > 0).all():
                return
