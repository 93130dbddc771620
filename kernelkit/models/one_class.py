"""The support vector machine of one class: what is near to the data, and what is not.

    minimise ½‖w‖² − ρ + (1/(νn)) Σ max(0, ρ − f(X_i))   with   f(z) = wᵀΦ(z)

puts the plane f = ρ between the points and the origin of feature space, as far out as a fraction ν of them allows. Its
dual: minimise ½ aᵀKa subject to 0 ≤ a_i ≤ 1/(νn), Σ a_i = 1; an SVM's without targets.
"""

import numpy as np

from kernelkit.checks import check_number, check_scale, check_whole
from kernelkit.kernels import Gaussian
from kernelkit.models.smo import minimise
from kernelkit.models.svm import SupportForm
from kernelkit.models.unsupervised import Grouping


class KernelOneClass(SupportForm, Grouping):
    """One-class support vector machine, by the support vector machine's SMO (Schölkopf et al. 2001).

    kernel : k.  nu : 0 < ν ≤ 1; at most this fraction of the points is outside, at least this one supports.
    tol : bound on the KKT violation, in units of the largest k(x, x) times the largest weight, 1/(νn) or 1.
    max_iter : SMO pairs and Newton steps at most; a warning says if they were too few.

    Learned: ``a_`` (n,), 0 ≤ a_i ≤ 1/(νn), Σ a_i = 1; ``offset_`` = ρ = −``b_``; ``support_`` indices; ``converged_``;
    ``violation_``; ``n_iter_``.  A test point costs O(m d) with m support vectors.
    scikit-learn: OneClassSVM(nu, gamma=1/(2σ²)), whose numbers are νn times these.

    >>> model = KernelOneClass(Gaussian(1.0), nu=0.3).fit([[0.0], [0.1], [0.2], [0.3], [5.0]])
    >>> model.predict([[0.15], [5.5]]).tolist()
    [1, -1]
    """

    _estimator_type = "outlier_detector"

    def __init__(self, kernel=Gaussian(1.0), nu=0.5, tol=1e-3, max_iter=1_000_000):
        self.kernel = kernel
        self.nu = nu
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X, y=None):
        """Train.  X : n points, (n, d) or a list; y is not used.  Returns self."""
        check_number(self.tol, "tol", above=0)
        check_whole(self.max_iter, "max_iter", at_least=1)
        if check_scale(self.nu, "nu") > 1:
            raise ValueError(f"nu must be a fraction of the points, a number > 0 and ≤ 1, got {self.nu!r}.")
        data = self._read_data(X, y)
        n = len(data.X)
        bound = 1 / (self.nu * n)
        zero = np.zeros(n)
        upper = np.full(n, bound)
        start = np.clip(1 - bound * np.arange(n), 0, bound)  # the first νn points carry all
        rows = self._rows(data.X)
        unit = min(bound, 1) * (rows.diagonal.max() or 1.0)  # of Ka, with Σ a = 1
        solution = minimise(rows, zero, zero, upper, start, self.tol * unit, self.max_iter)
        self.a_ = solution.a
        self.support_ = np.flatnonzero(self.a_)
        self.offset_ = _border(-solution.r, self.a_, bound, rows.diagonal)  # f = Ka = −r
        self.b_ = -self.offset_
        self.violation_ = solution.violation / unit
        self.n_iter_ = solution.n_iter
        self.converged_ = self.violation_ <= self.tol
        self._remember(data)
        self._warn_if_unfinished()
        return self

    def fit_predict(self, X, y=None):
        """fit(X), then predict(X): +1 inside and −1 outside, (n,)."""
        return self.fit(X).predict(X)

    def score_samples(self, Z):
        """f(z) = Σ_i a_i k(X_i, z) of each of the m points Z: (m,)."""
        return self._outputs(Z) - self.b_

    def decision_function(self, Z):
        """f(z) − ρ of each of the m points Z, (m,): negative outside."""
        return self.score_samples(Z) - self.offset_

    def predict(self, Z):
        """+1 inside and −1 outside, of each of the m points Z: (m,)."""
        return np.where(self.decision_function(Z) >= 0, 1, -1)


def _border(f, a, bound, diagonal):
    """ρ: no higher than f at any point whose weight is below the bound, so that only the others can be outside.

    The f of the points on the border are equal, but not to the last digit. A ρ among them would put points outside
    by rounding alone, so it stays below them by more than the rounding of f = Σ_j a_j k(x, X_j) can be.
    """
    inside = a < bound
    if not inside.any():  # ν = 1, and no f is above ρ
        return float(f.max())
    length = np.sqrt(np.abs(diagonal))
    rounding = 1e-10 * length * (a @ length)
    return float((f - rounding)[inside].min())
