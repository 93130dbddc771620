"""What ridge regression needs of any number of points: sums, which add over chunks, files and machines."""

from dataclasses import dataclass, replace

import numpy as np

from kernelkit.checks import check_number, check_same_columns
from kernelkit.features.base import check_feature_map
from kernelkit.models.equations import check_fits, solve_primal
from kernelkit.models.grams import finite_features
from kernelkit.models.reading import Data, check_same_rows, read_collection, read_numbers

ROWS = 1024  # points whose features are in memory at a time: few enough to stay in the cache


@dataclass(frozen=True, eq=False)
class Totals:
    """The sums that ridge regression on D features needs of n points: they add, and n is in none of their sizes.

        t = Totals.of(phi, X, y) + Totals.of(phi, Z, u),   w = t.solve(lam) solves (ΦᵀΦ + λI) w = Φᵀy

    gram : ΦᵀΦ = Σ_i Φ(X_i) Φ(X_i)ᵀ, (D, D).  moment : Φᵀy, (D,) or (D, outputs).  square : yᵀy, the sum over outputs.
    n : the number of points.  names : of the columns of a table, or None.  Memory D², time D² a point; ValueError
    where totals of different D, or of tables with other columns, are added.

    >>> from kernelkit import Monomials
    >>> t = sum(Totals.of(Monomials(1), [[x]], [2 * x + 1]) for x in range(5))
    >>> t.n, t.solve(1e-9).round(4).tolist()
    (5, [1.0, 2.0])
    """

    gram: np.ndarray
    moment: np.ndarray
    square: float
    n: int
    names: tuple | None = None

    @classmethod
    def of(cls, feature_map, X, y):
        """The totals of n points, (n, d) or a list, with their targets y, (n,) or (n, outputs), under Φ."""
        check_feature_map(feature_map, "feature_map")
        check_same_rows(X, y)
        names = tuple(X.columns) if hasattr(X, "columns") else None
        X = read_collection(feature_map, X)
        data = Data(X, read_numbers(y, len(X)), None, None)
        return replace(cls.over(lambda X: finite_features(feature_map(X), feature_map), data), names=names)

    @classmethod
    def over(cls, features, data):
        """The totals of data that were read before, a few rows at a time."""
        total = 0
        for Phi, y in feature_blocks(features, data):
            total = total + cls(Phi.T @ Phi, Phi.T @ y, float(np.vdot(y, y)), len(y))
        return total

    def __add__(self, other):
        if not isinstance(other, Totals):
            return self if isinstance(other, int) and other == 0 else NotImplemented  # the 0 of sum(…)
        if self.moment.shape != other.moment.shape:
            shapes = f"{self.moment.shape} and {other.moment.shape}"
            raise ValueError(f"Totals of the same features and outputs add; Φᵀy has the shapes {shapes}.")
        check_same_columns(filter(None, (self.names, other.names)), "The columns of totals that are added")
        sums = self.gram + other.gram, self.moment + other.moment, self.square + other.square, self.n + other.n
        return Totals(*sums, self.names or other.names)

    __radd__ = __add__

    def solve(self, lam):
        """w = (ΦᵀΦ + λI)⁻¹ Φᵀy, (D,) or (D, outputs), for λ ≥ 0."""
        return solve_primal(self.gram.copy(), self.moment, check_number(lam, "lam", at_least=0), self.n)


def feature_blocks(features, data):
    """Φ (rows, D) and y, a few rows at a time."""
    for rows in row_blocks(data):
        Phi = features(rows.X)
        check_fits(Phi.shape[1])
        yield Phi, rows.y


def row_blocks(data):
    """The points with their targets, a few rows at a time."""
    for i in range(0, len(data.X), ROWS):
        rows = slice(i, i + ROWS)
        yield data._replace(X=data.X[rows], y=data.y[rows])
