"""Mercer's theorem, computed: the eigenfunctions of a kernel under a density p,

    ∫ k(x, z) φ_j(z) p(z) dz = κ_j φ_j(x),   ∫ φ_i φ_j p = [i = j],   k(x, z) = Σ_j κ_j φ_j(x) φ_j(z)

and the case with a closed form, the Gaussian kernel under a Gaussian density on a line: Hermite functions, and
eigenvalues that fall geometrically (Zhu, Williams, Rohwer and Morciniec 1998).
"""

from math import sqrt

import numpy as np

from kernelkit.checks import (
    check_array,
    check_memory,
    check_number,
    check_same_columns,
    check_same_width,
    check_whole,
    names_of_coordinates,
)
from kernelkit.kernels.base import check_kernel
from kernelkit.models.grams import finite_gram

ROUNDING = 1e-12  # eigenvalues below this part of the largest, and their functions, are rounding
WIDEST = 1e150  # times sigma: the square of spread/sigma is a float


def hermite(x, sigma, spread=1.0, count=5):
    """Eigenvalues κ_j and eigenfunctions φ_j(x) of the Gaussian kernel of width σ under N(0, spread²), j < count.

        κ_j = √(2a/A) (b/A)^j,   φ_j(x) = (c/a)^¼ (2^j j!)^(−½) exp(−(c − a)x²) H_j(√(2c) x)
        a = 1/(4 spread²),  b = 1/(2σ²),  c = √(a² + 2ab),  A = a + b + c

    x : m numbers, or an array (m, 1).  Returns κ (count,) and φ (m, count).
    """
    spread = check_number(spread, "spread", above=0)
    sigma = check_number(sigma, "sigma", above=0)
    if not 1 / WIDEST <= spread / sigma <= WIDEST:
        raise ValueError(f"spread/sigma must be between {1 / WIDEST:g} and {WIDEST:g}, got {spread / sigma:g}.")
    x = check_array(x, "x").reshape(-1) / spread
    count = check_whole(count, "count", at_least=1)
    check_memory(len(x), count, f"{count:,} functions at {len(x):,} points are", "take fewer of them")
    a = 1 / 4  # in units of spread
    b = (spread / sigma) ** 2 / 2
    c = sqrt(a**2 + 2 * a * b)
    A = a + b + c
    # with h_j = H_j/√(2^j j!): h_j = √(2/j) t h_{j−1} − √((j − 1)/j) h_{j−2}, which never overflows
    t = sqrt(2 * c) * x
    phi = np.empty((len(x), count))
    phi[:, 0] = (c / a) ** 0.25 * np.exp(-(c - a) * x**2)
    if count > 1:
        phi[:, 1] = sqrt(2) * t * phi[:, 0]
    for j in range(2, count):
        phi[:, j] = sqrt(2 / j) * t * phi[:, j - 1] - sqrt((j - 1) / j) * phi[:, j - 2]
    kappa = sqrt(2 * a / A) * (b / A) ** np.arange(count)
    return kappa, phi


MAX_NODES = 10_000


def quadrature(n, spread=1.0):
    """n nodes and weights with Σ_i w_i g(X_i) ≈ ∫ g p for the density p of N(0, spread²) (Gauss and Hermite).

    Returns X (n, 1) and w (n,), which sum to 1.
    """
    spread = check_number(spread, "spread", above=0)
    from scipy.special import roots_hermitenorm

    if check_whole(n, "n", at_least=1) > MAX_NODES:
        raise ValueError(
            f"n must be at most {MAX_NODES:,} nodes, got {n:,}: their weights at the ends are 0 long before."
        )
    nodes, weights = roots_hermitenorm(n)
    return spread * nodes[:, None], weights / weights.sum()


def eigenfunctions(k, X, weights=None, count=5, x=None, like=None):
    """Eigenvalues κ_j and eigenfunctions φ_j of the kernel k, computed from K, j < count: as many as are no rounding.

    X : n points, (n, d) or a list.  weights : (n,), of a quadrature; None for points drawn from the density, 1/n each.
    x : where the functions are wanted, m points; None for X:   φ_j(x) = Σ_i w_i k(x, X_i) φ_j(X_i) / κ_j
    like : (n, count) functions at X whose signs these should have.  Returns κ (count,) and φ (m, count).
    """
    check_kernel(k, "k")
    given = X, X if x is None else x
    X, _ = k.read(X)
    n = len(X)
    x, one = (X, False) if x is None else k.read(x, "x")
    check_same_columns(names_of_coordinates(given, (False, one)), "The columns of X and x")
    check_same_width(X, x)
    w = np.full(n, 1 / n) if weights is None else check_array(weights, "weights")
    if w.shape != (n,) or w.min() < 0:
        raise ValueError(f"weights must hold {n} numbers ≥ 0, one for each point, got shape {w.shape}.")
    count = check_whole(count, "count", at_least=1)
    root = np.sqrt(w)
    values, U = np.linalg.eigh(root[:, None] * finite_gram(k, X, X) * root)
    count = min(count, int(np.sum(values > ROUNDING * values[-1])))
    values = values[::-1][:count]
    U = U[:, ::-1][:, :count]
    if like is not None:
        like = check_array(like, "like")
        if like.ndim != 2 or len(like) != n or like.shape[1] < count:
            raise ValueError(f"like must hold {count} functions at the {n} points, ({n}, {count}), got {like.shape}.")
        U = U * np.where((root[:, None] * like[:, :count] * U).sum(axis=0) < 0, -1, 1)
    return values, finite_gram(k, x, X) @ (root[:, None] * U) / values
