"""Kernels of what runs in time: series by their alignments, Markov chains, and sequences through a chain."""

from dataclasses import dataclass
from itertools import product
from math import frexp, ldexp, log

import numpy as np

from kernelkit import features as phi, latex
from kernelkit.arrays import a_few_at_a_time, of_each_pair, of_pairs
from kernelkit.checks import check_many, check_one_order, check_same_width, check_whole, names_of, short
from kernelkit.kernels.base import InnerProduct, Kernel, check_kernel, cosines_of_logs, of_both
from kernelkit.objects import SETS, check_elements, check_probabilities, joined, read_bags, read_objects

CELLS = 2**22  # numbers k₀(x_i, z_j) that are held at a time


@dataclass(frozen=True, repr=False)
class Alignments(Kernel):
    """k(x, z) = Σ over all alignments of Π k₀(x_i, z_j) over its pairs, k₀ = k/(2 − k): the global alignment kernel.

    An alignment goes from (1, 1) to (|x|, |z|) and moves on in x, in z, or in both at each step (Cuturi et al. 2007).
    A point is a series of points of k, an array (length, d) of any length; a collection is a list of series.
    k : a kernel with 0 ≤ k ≤ 1, such as a Gaussian. It is a kernel because k₀/(1 + k₀) = k/2 is one.
    From some 400 steps on the values may overflow; ``Normalized`` uses their logarithms, which do not.

    >>> from kernelkit import Gaussian
    >>> round(Alignments(Gaussian(1.0))([[0.0], [1.0]], [[0.0], [0.0], [1.0]]), 4)
    2.4953
    """

    k: Kernel
    latex_binds = latex.SUM

    def __post_init__(self):
        check_kernel(self.k, "k")

    @property
    def points(self):
        return f"series of {self.k.points}"

    def read(self, X, name="X"):
        return read_bags(self.k, X, name, self.points)

    def gram(self, X, Z):
        return np.exp(self._logs(X, Z))

    def diagonal(self, X):
        return np.exp(self._own_logs(X))

    def normalized_gram(self, X, Z):
        return cosines_of_logs(self._logs(X, Z), *of_both(self._own_logs, X, Z))

    def _logs(self, X, Z):
        """log k between two collections as ``read`` gives them: (n, m), −∞ where k = 0."""
        return of_pairs(lambda i, j: self._log(X, Z, i, j), len(X), len(Z), Z is X, self._most(X, Z))

    def _own_logs(self, X):
        """log k(x, x) of each series of a collection: (n,)."""
        i = np.arange(len(X))
        return a_few_at_a_time(lambda i, j: self._log(X, X, i, j), i, i, self._most(X, X))

    def _most(self, X, Z):
        return max(1, CELLS // max(1, max(map(len, X), default=0) * max(map(len, Z), default=0)))

    def _log(self, X, Z, i, j):
        """log k(X_i, Z_j) for arrays i, j (P,) of indices, by the sum over the last step of the alignment:

            M(s, t) = k₀(x_s, z_t) (M(s−1, t−1) + M(s−1, t) + M(s, t−1)),   M(0, 0) = 1,   k = M(|x|, |z|)

        for all (s, t) with the same s + t at once.
        """
        k_0 = self._log_k_0(X, Z, i, j)
        result = np.empty(len(i))
        (n, m, P), ends = k_0.shape, np.array([[len(X[a]), len(Z[b])] for a, b in zip(i, j, strict=True)], int)
        last, M = np.full((2, n + 1, P), -np.inf)  # M(s, ·) on the two diagonals before
        last[0] = 0
        for diagonal in range(2, n + m + 1):
            s = np.arange(max(1, diagonal - m), min(n, diagonal - 1) + 1)
            new = np.full((n + 1, P), -np.inf)
            new[s] = k_0[s - 1, diagonal - s - 1] + np.logaddexp(np.logaddexp(last[s - 1], M[s - 1]), M[s])
            done = np.flatnonzero(ends.sum(axis=1) == diagonal)
            result[done] = new[ends[done, 0], done]
            last = M
            M = new
        return result

    def _log_k_0(self, X, Z, i, j):
        """log k₀ of all pairs of points of these pairs of series: (longest, longest, P), −∞ beyond their ends."""
        rows, columns = (max((len(S[a]) for a in which), default=0) for S, which in ((X, i), (Z, j)))
        k_0 = np.full((rows, columns, len(i)), -np.inf)
        for a in np.unique(i):
            pairs = np.flatnonzero(i == a)
            others = [Z[b] for b in j[pairs]]
            check_same_width(X[a], others[0])
            values = _log_k_0(self.k.gram(X[a], joined(others)), self.k)
            ends = np.cumsum([0, *map(len, others)])
            for p, start, end in zip(pairs, ends, ends[1:], strict=False):
                k_0[: len(X[a]), : end - start, p] = values[:, start:end]
        return k_0

    def latex(self, x, z):
        k = self.k.latex(latex.indexed(x, "i"), latex.indexed(z, "j"))
        return rf"\sum_\pi \prod_{{(i, j) \in \pi}} \frac{{{k}}}{{2 - {k}}}"


def _log_k_0(K, k):
    if K.size and not (-1e-12 <= K.min() and K.max() <= 1 + 1e-12):
        raise ValueError(
            f"Alignments needs a kernel with 0 ≤ k ≤ 1, such as Gaussian(1.0), but {k!r} is {K.min():.4g} … "
            f"{K.max():.4g} here."
        )
    K = np.clip(K, 0, 1)
    with np.errstate(divide="ignore"):
        return np.log(K / (2 - K))


@dataclass(frozen=True, repr=False)
class ChainProduct(Kernel):
    """k(p, q) = Σ_u p(u) q(u) over all sequences u of one length: how likely two Markov chains write the same.

    A chain is a tuple (start (s,), transitions (s, s)), rows with the sum 1; a hidden one has emissions (s, letters)
    beside, and u is then what it writes. Summed over all paths of both at once by recursion, O(length s³):

        F_1 = (start_p start_qᵀ) ∘ E,   F_{t+1} = (T_pᵀ F_t T_q) ∘ E,   E = emissions_p emissions_qᵀ,   k = Σ F_length

    (a product of probabilities, Jebara et al. 2004).  length : whole, ≥ 1.
    ``feature_map(over=letters)`` has one feature p(u) for each u.

    >>> coin = ([0.5, 0.5], [[0.5, 0.5], [0.5, 0.5]])
    >>> ChainProduct(3)(coin, coin)
    0.125
    """

    length: int
    points = "chains"
    latex_binds = latex.SUM

    def __post_init__(self):
        object.__setattr__(self, "length", check_whole(self.length, "length", at_least=1))

    def read(self, X, name="X"):
        example = "([0.5, 0.5], [[0.9, 0.1], [0.2, 0.8]])"
        return read_objects(X, name, "a chain (start, transitions)", example, read_chain)

    def gram(self, X, Z):
        return of_each_pair(lambda x, z: ldexp(*self._product(x, z)), X, Z)

    def normalized_gram(self, X, Z):
        return cosines_of_logs(of_each_pair(self._log, X, Z), *of_both(self._own_logs, X, Z))

    def _own_logs(self, X):
        return np.array([self._log(x, x) for x in X])

    def _log(self, x, z):
        number, exponent = self._product(x, z)
        return log(number) + exponent * log(2) if number > 0 else -np.inf

    def _product(self, x, z):
        """k(x, z) as a number and the power of 2 that it is multiplied by, so that no probability vanishes."""
        (start, T, emissions), (other_start, other_T, other_emissions) = x, z
        check_letters(emissions.shape[1], other_emissions.shape[1])
        E = emissions @ other_emissions.T
        F = np.multiply.outer(start, other_start) * E
        exponent = 0
        for _ in range(self.length - 1):
            F = T.T @ F @ other_T * E
            _, size = frexp(F.max())
            F = np.ldexp(F, -size)
            exponent += size
        return F.sum(), exponent

    def feature_map(self, degree=None, over=None):
        if isinstance(over, (*SETS, dict)):
            raise TypeError(f"over must be a list, the letters in the order of the emissions, got {short(over)}.")
        letters = range(over) if isinstance(over, int) else check_elements(over, self, "range(2)")
        check_many(len(letters) ** self.length)
        return phi.Parts(self, tuple(product(letters, repeat=self.length)), tuple(letters))

    def parts(self, x, over):
        """{u: p(u)} for the sequences u, one by one."""
        start, T, emissions = x
        check_letters(emissions.shape[1], len(over))
        after = {(u,): start * emissions[:, i] for i, u in enumerate(over)}  # P(u, state)
        for _ in range(self.length - 1):
            after = {(*u, v): p @ T * emissions[:, i] for u, p in after.items() for i, v in enumerate(over)}
        return {u: p.sum() for u, p in after.items()}

    def named(self, u, over):
        return f"p({', '.join(map(latex.spelled, u))})"

    def latex(self, x, z):
        return rf"\sum_{{|u| = {self.length}}} p_{{{x}}}(u)\,p_{{{z}}}(u)"


def read_chain(chain, name):
    """(start, transitions, emissions) as arrays, of a chain that is not hidden with emissions I; None for no tuple."""
    if not isinstance(chain, tuple) or len(chain) not in (2, 3):
        return None
    rows = [axis for part in chain[::2] for axis in names_of(part)[:1]]  # of the start and of the emissions
    check_one_order([*rows, *names_of(chain[1])], f"The states of {name}")
    start = check_probabilities(chain[0], f"The start of {name}")
    T = check_probabilities(chain[1], f"The transitions of {name}", ndim=2)
    emissions = chain[2] if len(chain) == 3 else np.eye(len(start))
    emissions = check_probabilities(emissions, f"The emissions of {name}", ndim=2)
    if T.shape != 2 * start.shape or len(emissions) != len(start):
        raise ValueError(
            f"The transitions of {name} must have shape {2 * start.shape}, and its emissions {len(start)} rows, got "
            f"{T.shape} and {emissions.shape}."
        )
    return start, T, emissions


def check_letters(own, others):
    if own != others:
        raise ValueError(f"The chains must write the same letters, but one writes {own} and the other {others}.")


@dataclass(frozen=True, repr=False)
class FisherMarkov(InnerProduct):
    """k(x, z) = s(x)ᵀs(z) with the score s(x) = ∇ log p(x) of a Markov chain: how the chain should change for x and z.

    In the logits of its start and transitions, which keep Σp = 1, the score is counts minus expected counts:
    [x_1 = i] − P(i) and N_ij − N_i P(j | i) (Jaakkola and Haussler 1999; their information matrix taken as I).
    start (s,), transitions (s, s), rows with the sum 1. A point is a sequence of states 0 … s − 1 of any length.

    >>> FisherMarkov([0.5, 0.5], [[0.5, 0.5], [0.5, 0.5]])([0, 0, 1], [0, 0, 0])
    0.5
    """

    start: tuple
    transitions: tuple
    points = "sequences"

    def __post_init__(self):
        score = phi.MarkovScore(self.start, self.transitions)
        object.__setattr__(self, "start", score.start)
        object.__setattr__(self, "transitions", score.transitions)

    def read(self, X, name="X"):
        return self.feature_map().read(X, name)

    def feature_map(self, degree=None, over=None):
        return phi.MarkovScore(self.start, self.transitions)

    def latex(self, x, z):
        return rf"\nabla \log p({x})^\top \nabla \log p({z})"
