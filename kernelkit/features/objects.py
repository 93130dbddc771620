"""Feature maps of what is not a vector: how much of each part of a small given world is in it."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kernelkit.checks import formula_repr, short
from kernelkit.features.base import FeatureMap


@dataclass(frozen=True, repr=False)
class Parts(FeatureMap):
    """Φ_u(x) = how much of the part u is in the object x, for each u of a given world.

    of : what knows the objects, a kernel: it reads them, gives the features of one that are not 0 as a dictionary
    {u: how much} by ``parts(x, elements)``, and writes one in LaTeX by ``named(u, elements)``.
    world : the parts u, each once.  elements : what an object may be made of, such as letters; ValueError for one that
    is made of others. Without elements other parts are not counted: Φ(x)ᵀΦ(z) is exact if those of x or of z all are.
    """

    of: object
    world: tuple
    elements: tuple | None = None

    __repr__ = formula_repr

    def __post_init__(self):
        object.__setattr__(self, "world", tuple(dict.fromkeys(self.world)))

    @property
    def points(self):
        return self.of.points

    def read(self, X, name="X"):
        return self.of.read(X, name)

    @cached_property
    def _columns(self):
        return {u: j for j, u in enumerate(self.world)}

    def matrix(self, X):
        self._check_memory(len(X), 1)
        Phi = np.zeros((len(X), len(self.world)))
        for row, x in zip(Phi, X, strict=True):
            self._check_elements(x)
            for u, amount in self.of.parts(x, self.elements).items():
                if u in self._columns:
                    row[self._columns[u]] = amount
        return Phi

    def _check_elements(self, x):
        unknown = [e for e in x if e not in self.elements] if self.elements is not None else []
        if unknown:
            raise ValueError(f"{unknown[0]!r} in {short(x)} is not in the world over={short(self.elements)}.")

    def dim(self, d=1):
        return len(self.world)

    def names_from(self, symbols):
        return [self.of.named(u, self.elements) for u in self.world]

    def error(self, X, Z):
        """What the parts outside the world would add; zero where one of the two has none."""
        there = {u for x in [*X, *Z] for u in self.of.parts(x, self.elements)}
        outside = Parts(self.of, tuple(there - self._columns.keys()), self.elements)
        return np.abs(outside.matrix(X) @ outside.matrix(Z).T)

    def latex(self, x):
        return rf"\big(|{x}|_u\big)_{{u = 1 \dots {len(self.world)}}}"
