"""Feature maps that come near a kernel with few features: from some of its points, or drawn at random."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kernelkit import latex
from kernelkit.arrays import eigen
from kernelkit.checks import (
    check_array,
    check_columns,
    check_eigenvalues,
    check_not_rows,
    check_rows,
    check_same_columns,
    names_of_coordinates,
)
from kernelkit.features.base import FeatureMap
from kernelkit.objects import frozen, sorted_repr

EPS = np.finfo(float).eps


@dataclass(frozen=True, repr=False)
class Landmarks(FeatureMap):
    """Nyström's features: Φ(x) = K_CC^(−1/2) k(C, x), so that Φ(x)ᵀΦ(z) = k(x, C) K_CC⁻¹ k(C, z).

    kernel : k, any.  C : the m landmarks, (m, d) or a list of objects.
    Φ(x)ᵀΦ(z) is the inner product of what is left of Φ_k(x) and Φ_k(z) in the space that the Φ_k(C_j) span: exact for x
    in C, and never more than k in ‖Φ(x)‖². Directions that are only rounding in K_CC count as none, so landmarks may
    repeat.  O(m³) once, then O(m(d + m)) a point.  scikit-learn: Nystroem.

    >>> from kernelkit import Gaussian
    >>> phi, k = Landmarks(Gaussian(1.0), [[0.0], [1.0]]), Gaussian(1.0)
    >>> round(float(phi([0.0]) @ phi([1.0])), 4), round(k([0.0], [1.0]), 4)
    (0.6065, 0.6065)
    """

    kernel: object
    C: tuple

    def __post_init__(self):
        if isinstance(self.kernel, type) or not hasattr(self.kernel, "gram"):
            raise TypeError(f"kernel must be a kernel, such as Gaussian(1.0); got {self.kernel!r}.")
        C, one = self.kernel.read(list(self.C) if isinstance(self.C, tuple) else self.C, "C")
        if one:
            raise ValueError("C must be a collection of landmarks, got a single point; write C=[…].")
        object.__setattr__(self, "_columns", list(names_of_coordinates([self.C], [False])))
        object.__setattr__(self, "C", frozen(C))

    @property
    def points(self):
        return self.kernel.points

    def read(self, X, name="X"):
        points, one = self.kernel.read(X, name)
        check_same_columns([*self._columns, *names_of_coordinates([X], [one])], f"The columns of C and {name}")
        return points, one

    def __repr__(self):
        numbers = isinstance(self._C, np.ndarray)
        C = repr(self._C.tolist()) if numbers else f"[{', '.join(map(sorted_repr, self.C))}]"
        return f"Landmarks({self.kernel!r}, {C})"

    @cached_property
    def _C(self):
        return self.kernel.read(list(self.C), "C")[0]

    @cached_property
    def _root(self):
        """K_CC^(−1/2), (m, m), with 0 in place of 1/√v for every eigenvalue v that is only rounding."""
        values, U = eigen(self.kernel.gram(self._C, self._C))
        check_eigenvalues(values)
        keep = values > 4 * len(values) * EPS * values[-1]
        return (U[:, keep] / np.sqrt(values[keep])) @ U[:, keep].T

    def matrix(self, X):
        C = check_columns(self._C, "C", X) if isinstance(X, np.ndarray) else self._C
        return self.kernel.gram(X, C) @ self._root

    def dim(self, d=None):
        return len(self.C)

    def error(self, X, Z):
        """√(r(x) r(z)) for r(x) = k(x, x) − ‖Φ(x)‖²: what the landmarks leave of k is a kernel, with Cauchy–Schwarz."""
        check_not_rows(self.kernel)
        x, z = (np.maximum(self.kernel.diagonal(A) - np.square(self.matrix(A)).sum(axis=1), 0) for A in (X, Z))
        return np.sqrt(np.multiply.outer(x, z))

    def names_from(self, symbols):
        term = self.kernel.latex("c_i", latex.vector(symbols))
        m = len(self.C)
        return [rf"\sum_i (K_{{CC}}^{{-1/2}})_{{{j}i}}\,{latex.summand(term)}" for j in range(1, m + 1)]

    def latex(self, x):
        return rf"K_{{CC}}^{{-1/2}}\,\big({self.kernel.latex('c_j', x)}\big)_{{j = 1 \dots {len(self.C)}}}"


@dataclass(frozen=True, repr=False)
class Waves(FeatureMap):
    """Random Fourier features: Φ_j(x) = √(2/D) cos(ω_jᵀx + b_j) for D frequencies ω_j and phases b_j.

    frequencies : (D, d), drawn from the spectral density of a kernel of x − z.  phases : (D,), uniform on [0, 2π].
    ``k.waves(D, d)`` of such a kernel draws both; then Φ(x)ᵀΦ(z) is k(x, z) on average, and misses it by about 1/√D.

    >>> Waves([[0.0], [3.0]], [0.0, 0.0])([0.0]).tolist()
    [1.0, 1.0]
    """

    frequencies: tuple
    phases: tuple

    def __post_init__(self):
        object.__setattr__(self, "frequencies", check_rows(self.frequencies, "frequencies"))
        phases = check_array(self.phases, "phases")
        if phases.shape != (len(self.frequencies),):
            wanted = f"phases must hold one number for each of the {len(self.frequencies)} frequencies"
            raise ValueError(f"{wanted}, got shape {phases.shape}.")
        object.__setattr__(self, "phases", tuple(phases.tolist()))

    @cached_property
    def _W(self):
        return np.array(self.frequencies)

    def matrix(self, X):
        Phi = X @ check_columns(self._W, "frequencies", X).T
        Phi += self.phases
        np.cos(Phi, out=Phi)
        Phi *= np.sqrt(2 / len(self.phases))
        return Phi

    def dim(self, d):
        return len(self.frequencies)

    def error(self, X, Z):
        """Refused: no bound is certain."""
        raise ValueError("Waves has no remainder: how far Φ(x)ᵀΦ(z) is from k(x, z) is random, about 1/√D.")

    def names_from(self, symbols):
        size = rf"\sqrt{{2/{len(self.phases)}}}"
        x = latex.vector(symbols)
        return [rf"{size}\,\cos(\omega_{{{j}}}^\top {x} + b_{{{j}}})" for j in range(1, len(self.phases) + 1)]

    def latex(self, x):
        D = len(self.phases)
        return rf"\sqrt{{2/{D}}}\;\big(\cos(\omega_j^\top {latex.single(x)} + b_j)\big)_{{j = 1 \dots {D}}}"
