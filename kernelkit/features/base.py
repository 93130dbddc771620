"""What a feature map is. Feature maps are functions Φ: array → array, and know no kernels.

Every map is a frozen object. ``phi(x)`` of one point is a vector of length D,
``phi(X)`` of n points is the matrix with rows Φ(X_i)ᵀ, ``phi.dim(d)`` is D,
``phi.names(d)`` are the features in LaTeX. So ``phi(x) @ phi(z)`` is the
Φ(x)ᵀΦ(z) of the lecture. A 1-D array is **one** point of ℝ^d, a number is a
point of ℝ¹: write ``phi(x[:, None])`` for many points on a line.
"""

import numpy as np

from kernelkit.checks import check_same_width, check_whole, formula_repr, read_points

MAX_BYTES = 4 * 2**30  # feature matrices larger than this are refused


class FeatureMap:
    """A map Φ from points to vectors; Φ(x)ᵀΦ(z) is a kernel, whatever Φ.

    Subclasses write ``matrix(X)``, (n, d) → (n, D), and ``dim`` and ``names_from``.
    """

    __repr__ = formula_repr
    called = "feature map"

    def read(self, X, name="X"):
        """The points of X as a collection, and whether X was one point."""
        return read_points(X, name)

    def __call__(self, X):
        X, one = self.read(X)
        if isinstance(X, np.ndarray):
            self._check_memory(*X.shape)
        Phi = self.matrix(X)
        return Phi[0] if one else Phi

    def _check_memory(self, n, d):
        D = self.dim(d)
        if 8 * n * D > MAX_BYTES:
            raise ValueError(
                f"Φ has D = {D:,} features here: for {n:,} points that is {8 * n * D / 1e9:,.1f} GB, "
                f"more than the {MAX_BYTES / 1e9:.1f} GB allowed; the kernel k(x, z) needs none of them."
            )

    def names(self, d):
        """The features of x ∈ ℝ^d in LaTeX, in the order of the columns of Φ."""
        d = check_whole(d, "d", at_least=1)
        return self.names_from([f"x_{{{i}}}" if i > 9 else f"x_{i}" for i in range(1, d + 1)])

    def remainder(self, X, Z):
        """A bound on |Φ(x)ᵀΦ(z) − k(x, z)| for a truncated Φ; zero for an exact one."""
        (X, one_x), (Z, one_z) = self.read(X, "X"), self.read(Z, "Z")
        check_same_width(X, Z)
        bound = self.error(X, Z)[0 if one_x else slice(None), 0 if one_z else slice(None)]
        return float(bound) if one_x and one_z else bound

    def error(self, X, Z):
        """The matrix behind ``remainder``, (n, d), (m, d) → (n, m)."""
        return np.zeros((len(X), len(Z)))

    def _repr_latex_(self):
        return rf"$\Phi(x) = {self.latex('x')}$"
