"""Kernels of strings: the words that two have in common, contiguous or with gaps."""

from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations, product
from math import comb

import numpy as np

from kernelkit import features as phi
from kernelkit.arrays import a_few_at_a_time, of_pairs, shared
from kernelkit.checks import check_many, check_whole, short
from kernelkit.kernels.base import Kernel, cosines, of_both
from kernelkit.latex import SUM, spelled
from kernelkit.objects import check_decay, check_elements, check_made_of, read_objects

CELLS = 48_000  # numbers that a step of the dynamic program works on, to stay in the cache
BLOCK = 32  # letters whose sums are one product of matrices


class Strings(Kernel):
    """A kernel of strings: one point is a string, also an empty one; a collection is a list or an array of strings.

    Each writes ``parts``, how much of each word of its length is in a string: Φ, by counting.
    """

    points = "strings"
    latex_binds = SUM

    def read(self, X, name="X"):
        return read_objects(X, name, "a string", "'cat'", lambda x, _: str(x) if isinstance(x, str) else None)

    def feature_map(self, degree=None, over=None):
        letters = check_elements(over, self, "'act'")
        if not all(isinstance(letter, str) and len(letter) == 1 for letter in letters):
            raise TypeError(f"over must hold letters, such as 'act', got {short(over)}.")
        check_many(len(letters) ** self.length)
        return phi.Parts(self, tuple(map("".join, product(letters, repeat=self.length))), letters)

    def named(self, word, over):
        return rf"|x|_{{{spelled(word)}}}"


@dataclass(frozen=True, repr=False)
class Substrings(Strings):
    """k(x, z) = Σ_u |x|_u |z|_u over all words u of one length: how often each is a contiguous part of x and of z.

    Also called the spectrum kernel (Leslie et al. 2002).  length : p ≥ 1.
    ``feature_map(over=letters)`` has one feature for each of the words of these letters.

    >>> Substrings(2)("cat", "catcat")
    4.0
    """

    length: int

    def __post_init__(self):
        object.__setattr__(self, "length", check_whole(self.length, "length", at_least=1))

    def gram(self, X, Z):
        counts = [self.parts(x) for x in X]
        return shared(counts, counts if Z is X else [self.parts(z) for z in Z])

    def diagonal(self, X):
        return np.array([sum(count**2 for count in self.parts(x).values()) for x in X], float)

    def parts(self, x, over=None):
        """{u: |x|_u} for the words u in x."""
        return Counter(x[i : i + self.length] for i in range(len(check_made_of(x, over)) - self.length + 1))

    def latex(self, x, z):
        return rf"\sum_{{|u| = {self.length}}} |{x}|_u\,|{z}|_u"


@dataclass(frozen=True, repr=False)
class Subsequences(Strings):
    """k(x, z) = Σ_u Σ_{i: x[i] = u} Σ_{j: z[j] = u} γ^(l(i) + l(j)): common words of one length, with gaps.

    Each time that the word u can be read in x, at places i_1 < … < i_p, counts γ^l(i) with the span
    l(i) = i_p − i_1 + 1, and so in z (Lodhi et al. 2002).  length : p ≥ 1.  decay : γ in (0, 1].
    Computed by dynamic programming, O(p |x| |z|) for a pair; ``grams`` gives all lengths to p in the same pass.

    >>> Subsequences(2, 0.5)("cat", "cart")
    0.1015625
    """

    length: int
    decay: float = 0.5

    def __post_init__(self):
        object.__setattr__(self, "length", check_whole(self.length, "length", at_least=1))
        object.__setattr__(self, "decay", check_decay(self.decay))

    def grams(self, X, Z=None):
        """k of every length 1 … p between two collections: (p, n, m)."""
        Z = None if Z is X else Z
        X, _ = self.read(X, "X")
        by_gaps = self._all(X, X if Z is None else self.read(Z, "Z")[0], shortest=1)
        return np.array([self.decay ** (2 * q) * K for q, K in enumerate(by_gaps, start=1)])

    def gram(self, X, Z):
        return self.decay ** (2 * self.length) * self._all(X, Z, shortest=self.length)[0]

    def _all(self, X, Z, shortest):
        f, most = self._of(X, Z, shortest)
        return of_pairs(f, len(X), len(Z), Z is X, most)

    def diagonal(self, X):
        return self.decay ** (2 * self.length) * self._own(X)

    def normalized_gram(self, X, Z):  # a word without gaps counts 1 here, so that no power of γ vanishes
        return cosines(self._all(X, Z, shortest=self.length)[0], *of_both(self._own, X, Z), self)

    def _own(self, X):
        f, most = self._of(X, X, self.length)
        return a_few_at_a_time(f, np.arange(len(X)), np.arange(len(X)), most)[0]

    def _of(self, X, Z, shortest):
        """k/γ^2q of pairs (i, j), all lengths q from the shortest, and how many of them stay in the cache."""
        # the letters of the padding match no other, nor each other
        x = _letters(X, padding=-1)
        z = _letters(Z, padding=-2)
        most = max(1, CELLS // (self.length * max(1, z.shape[1])))
        return lambda i, j: common_subsequences(x[i], z[j], self.length, self.decay, shortest), most

    def parts(self, x, over=None):
        """{u: Σ_{i: x[i] = u} γ^l(i)} for the words u that can be read in x: every choice of places, one by one."""
        choices = f"A string of {len(x):,} letters has {{}} choices of {self.length} places: too many to go through"
        check_many(comb(len(x), self.length), choices)
        amounts = defaultdict(float)
        for i in combinations(range(len(check_made_of(x, over))), self.length):
            amounts["".join(x[j] for j in i)] += self.decay ** (i[-1] - i[0] + 1)
        return amounts

    def named(self, word, over):
        return rf"\varphi_{{{spelled(word)}}}(x)"

    def latex(self, x, z):
        return rf"\sum_{{|u| = {self.length}}} \sum_{{{x}[i] = u}} \sum_{{{z}[j] = u}} {self.decay:g}^{{l(i) + l(j)}}"


def common_subsequences(x, z, length, decay, shortest=1):
    """Σ over common words of q letters of γ^(both spans − 2q), for q = shortest … length: (lengths, P) for P pairs.

    x (P, |x|), z (P, |z|) : letters as numbers. A span minus q counts the letters left
    out, and only these have a γ here. For each q, with the sum Σ_{i,j} M_q(i, j):

        M_q(i, j) = [x_i = z_j] R_{q−1}(i−1, j−1)              the words that end with these two letters
        R_q(i, j) = Σ_{i'≤i, j'≤j} γ^(i−i'+j−j') M_q(i', j')   the words that may go on after them; R_0 = 1
    """
    P, m = z.shape
    K = np.zeros((length + 1 - shortest, P))
    ones = np.ones(m)
    powers = _powers(decay)
    match, ended = np.empty((2, P, m))  # [x_i = z_j], and M_q
    column, R = np.zeros((2, length - 1, P, m))  # R_q before the sum over j'; R_q(i − 1, j − 1) at j
    for letters in x.T:
        np.equal(letters[:, None], z, out=match)
        for q in range(1, length + 1):
            M = match if q == 1 else np.multiply(R[q - 2], match, out=ended)
            if q >= shortest:
                K[q - shortest] += M @ ones
            if q < length:
                column[q - 1] *= decay
                column[q - 1] += M
        for j in range(0, m, BLOCK):  # so many sums over j' at a time, and what came before them
            block = column[:, :, j : j + BLOCK]
            here = R[:, :, j : j + BLOCK]
            end = block.shape[2]
            np.matmul(block, powers[:end, :end], out=here)
            if j:
                before = decay * R[:, :, j - 1] + column[:, :, j - 1]
                here += before[:, :, None] * decay ** np.arange(end)
    return K


def _powers(decay):
    """γ^(j − 1 − j') for j' < j, else 0: for at most BLOCK letters."""
    steps = np.subtract.outer(np.arange(BLOCK), np.arange(BLOCK)).T
    return np.where(steps > 0, float(decay) ** np.maximum(steps - 1, 0), 0)


def _letters(X, padding):
    """The letters of each string as numbers, (n, longest), filled up with what is no letter."""
    letters = np.full((len(X), max(map(len, X), default=0)), padding, np.int32)
    for row, x in zip(letters, X, strict=True):
        row[: len(x)] = np.frombuffer(x.encode("utf-32-le", "surrogatepass"), np.int32)
    return letters
