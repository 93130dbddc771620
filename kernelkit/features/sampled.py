"""Feature maps that come near a kernel with few features, drawn at random."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kernelkit import latex
from kernelkit.checks import check_array, check_columns, check_rows
from kernelkit.features.base import FeatureMap


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

    def names_from(self, symbols):
        size, x = rf"\sqrt{{2/{len(self.phases)}}}", latex.vector(symbols)
        return [rf"{size}\,\cos(\omega_{{{j}}}^\top {x} + b_{{{j}}})" for j in range(1, len(self.phases) + 1)]

    def latex(self, x):
        D = len(self.phases)
        return rf"\sqrt{{2/{D}}}\;\big(\cos(\omega_j^\top {latex.single(x)} + b_j)\big)_{{j = 1 \dots {D}}}"
