"""The perceptron twice: in the weights w, and in the number of mistakes at each training point (lecture D).

    if ŷ_i ≠ y_i:   w ← w + η_t y_i Φ(X_i)      or      a_i ← a_i + η_t y_i

sign(0) is a mistake: the slides' derivation keeps w where y wᵀx ≥ 0, and so would never leave w = 0.
"""

from collections import deque

import numpy as np

from kernelkit.checks import check_number, check_whole
from kernelkit.features import Monomials
from kernelkit.kernels import Gaussian
from kernelkit.models.estimator import Classifier, KernelForm, PrimalForm
from kernelkit.models.reading import generator, warn_unfinished


class _Perceptron(Classifier):
    """What both forms share: the order of the data, the counting, and when to stop."""

    def steps(self, X, y):
        """The iterates, w or a, as copies: the start, then one after each mistake."""
        data = self._prepare(X, y)
        for v, _ in self._mistakes(self._design(data.X), data.y):
            yield v.copy()

    def _prepare(self, X, y):
        check_whole(self.max_passes, "max_passes", at_least=1)
        if not callable(self.rate):
            check_number(self.rate, "rate", above=0)
        return self._read_data(X, y)

    def _mistakes(self, design, y):
        """Pairs (v, i): the weights after a mistake at point i; first (0, None)."""
        self.counts_, self.n_passes_, self.converged_ = np.zeros(len(y), int), 0, False
        rng = generator(self.random_state)
        state, t = self._zero(design), 0
        yield state[0], None
        while self.n_passes_ < self.max_passes and not self.converged_:
            before = self.counts_.sum()
            for i in rng.integers(len(y), size=len(y)).tolist() if rng else range(len(y)):
                if y[i] * self._output(design, state, i) <= 0:
                    self._learn(design, state, i, self._eta(t) * y[i])
                    self.counts_[i] += 1
                    t += 1
                    yield state[0], i
            self.n_passes_ += 1
            if self.counts_.sum() == before:  # random order may have missed a point: look at all of them
                self.converged_ = all(y[i] * self._output(design, state, i) > 0 for i in range(len(y)))

    def _eta(self, t):
        return check_number(self.rate(t), f"rate({t})", above=0) if callable(self.rate) else self.rate

    def fit(self, X, y):
        data = self._prepare(X, y)
        [(v, _)] = deque(self._mistakes(self._design(data.X), data.y), maxlen=1)  # run to the end
        if not self.converged_:
            warn_unfinished(
                f"{type(self).__name__} still made mistakes after max_passes = {self.max_passes}: the classes are not "
                "separable with these features, or need more passes."
            )
        self._store(v)
        return self._remember(data)


class PrimalPerceptron(PrimalForm, _Perceptron):
    """The perceptron on explicit features: on a mistake at i, w ← w + η_t y_i Φ(X_i)  (lecture D).

    feature_map : Φ.  rate : η_t, a number > 0 or a function of the number t = 0, 1, … of mistakes so far.
    max_passes : passes over the data at most.  random_state : None visits the points in order, else draws them.

    Learned: ``w_`` (D,), ``counts_`` (n,) mistakes at each point, ``n_passes_``, and ``converged_``: whether it
    stopped because no point was wrong any more.  Time O(D) a point.
    """


    def __init__(self, feature_map=Monomials(2), rate=1.0, max_passes=100, random_state=None):
        self.feature_map = feature_map
        self.rate = rate
        self.max_passes = max_passes
        self.random_state = random_state

    def _design(self, X):
        return self._features(X)

    def _zero(self, Phi):
        return [np.zeros(Phi.shape[1])]

    def _output(self, Phi, state, i):
        return Phi[i] @ state[0]  # wᵀΦ(X_i)

    def _learn(self, Phi, state, i, change):
        state[0] = state[0] + change * Phi[i]

    def _store(self, w):
        self.w_ = w


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

    def _design(self, X):
        return self._gram(X)

    def _zero(self, K):
        return [np.zeros(len(K)), np.zeros(len(K))]

    def _output(self, K, state, i):
        return state[1][i]  # q_i = Σ_j a_j k(X_j, X_i)

    def _learn(self, K, state, i, change):
        a, q = state
        a = a.copy()
        a[i] += change
        state[:] = a, q + change * K[i]

    def _store(self, a):
        self.a_ = a
