"""Words of p letters met in the middle: k, w and the votes of letters without ever writing down letters^p features.

Every reading of a word has a middle letter, some letters before it and some behind. So at each place of a string stand
two short vectors, how much of each beginning ends before it and how much of each end follows; the product of the two,
place by place, is all that Φ(x) says: k(x, z) = Σ_{i, j: x_i = z_j} bᵢᵀb_j · eᵢᵀe_j.
"""

from dataclasses import dataclass

import numpy as np

from kernelkit.course.explorers.data.letters import numbers


@dataclass(frozen=True, eq=False)
class Middles:
    """The places of n strings, those of one letter together: for each of s letters, where m places have it,

    owner : (n, m), 1 where the place is in the string.  before : (m, s^⌊(p−1)/2⌋).  behind : (m, s^⌊p/2⌋).
    """

    owner: list
    before: list
    behind: list

    @classmethod
    def of(cls, strings, length, decay, letters):
        """decay None : words without gaps, counted, as in ``Substrings(length)``; else ``Subsequences``."""
        places, s = numbers(strings, letters), len(letters)
        before = around(places[:, ::-1], (length - 1) // 2, decay, s)[:, ::-1] * (decay or 1.0)
        behind = around(places, length // 2, decay, s)
        at, row = [places == c for c in range(s)], np.arange(len(places))[:, None]
        owner = [(row == where.nonzero()[0]).astype(float) for where in at]
        return cls(owner, [before[where] for where in at], [behind[where] for where in at])

    def gram(self, other):
        """k between all strings and the others, (n, m)."""
        K = 0.0
        for (own, before, behind), (others, B, E) in zip(self.letters(), other.letters(), strict=True):
            meet = before @ B.T
            meet *= behind @ E.T
            K = K + own @ meet @ others.T
        return K

    def weights(self, a):
        """w = Σ a_i Φ(X_i) for a (n,), as a matrix (beginnings, ends) for each middle letter."""
        return [(a @ own * before.T) @ behind for own, before, behind in self.letters()]

    def outputs(self, w):
        """wᵀΦ of each string, (n,)."""
        each = zip(self.letters(), w, strict=True)
        return sum(own @ np.einsum("ij,ij->i", before @ W, behind) for (own, before, behind), W in each)

    def letters(self):
        """Owner, before and behind of each letter."""
        return zip(self.owner, self.before, self.behind, strict=True)


def around(places, length, decay, s):
    """How much of each word of so many letters follows each place, (n, longest, s^length)."""
    n, longest = places.shape
    grows, stays = decay or 1.0, decay or 0.0
    found = [np.zeros((n, longest, s**q)) for q in range(length + 1)]
    found[0][:] = 1.0
    for i in range(longest - 2, -1, -1):
        rows = np.flatnonzero(places[:, i + 1] < s)
        for q in range(1, length + 1):
            here = found[q][:, i]
            here += stays * found[q][:, i + 1]
            here.reshape(n, s, -1)[rows, places[rows, i + 1]] += grows * found[q - 1][rows, i + 1]
    return found[length]
