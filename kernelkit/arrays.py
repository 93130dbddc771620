"""The few array computations that are written for speed, or that no library has."""

from math import frexp, sqrt

import numpy as np

FEW = 16  # in so few dimensions differences are as fast as products
CLOSE = 1e-2  # below this part of the largest ‖u‖² + ‖v‖², a ‖u − v‖² made of products has lost digits
BEYOND = 1e300  # stands for a distance that overflows
TIED = 1e-9  # numbers that differ by less than this part of the largest are equal but for rounding
FAR = 1e8  # beyond so large a ‖x‖²/2σ² its rounding, 1e-16 of it, would show in exp


def squared_length(X):
    """‖x‖² of each row of X (n, d)."""
    return np.einsum("ij,ij->i", X, X)


def gaussian(X, Z, sigma):
    """exp(−‖x − z‖²/2σ²) between all rows of X (n, d) and Z (m, d): (n, m), exactly symmetric when Z is X."""
    with np.errstate(over="ignore", invalid="ignore"):
        shift = X.sum(axis=0) / len(X)  # the mean: a shift changes no distance but keeps the digits of far-away points
        U = (X - shift) / sigma
        V = U if Z is X else (Z - shift) / sigma
        K = U @ V.T
    half_u = (K.diagonal() if V is U else squared_length(U)) / 2  # the numbers of K itself: so k(x, x) is exactly 1
    half_v = half_u if V is U else squared_length(V) / 2
    if not (half_u.max(initial=0) < FAR and (V is U or half_v.max(initial=0) < FAR)):  # nor where one is NaN
        return _gaussian_of_differences(X, Z, sigma)
    # −‖u − v‖²/2 = uᵀv − (‖u‖²/2 + ‖v‖²/2), a few rows at a time to stay in the cache
    for block in blocks(K, 2**14):
        rows = K[block]
        rows -= half_u[block, None] + half_v
        np.exp(np.minimum(rows, 0, out=rows), out=rows)
    return K


def _gaussian_of_differences(X, Z, sigma):
    """The same point by point: slower, but right where uᵀv − (‖u‖²/2 + ‖v‖²/2) would have no digits left."""
    K = np.empty((len(X), len(Z)))
    with np.errstate(over="ignore"):
        for row, x in zip(K, X, strict=True):
            np.exp(squared_length((x - Z) / sigma) / -2, out=row)
    return K


def squared_distance(X, Z, sigma=1.0, f=None):
    """f(‖x − z‖²/σ²) with all digits, also where x is near z: (n, d), (m, d) → (n, m), symmetric when Z is X.

    f works entry by entry; without one these are the squared distances.
    """
    if X.shape[1] <= FEW:
        return difference(X, Z, sigma, "sqeuclidean", f)
    width = sigma / sqrt(2)  # then ‖x − z‖²/σ² = (‖u‖² + ‖v‖²)/2 − uᵀv
    with np.errstate(over="ignore", invalid="ignore"):
        shift = X.sum(axis=0) / len(X)
        U = (X - shift) / width
        V = U if Z is X else (Z - shift) / width
        half_u = squared_length(U) / 2
        half_v = squared_length(V) / 2
        D = U @ V.T
    if not (half_u.max(initial=0) < FAR and half_v.max(initial=0) < FAR):  # nor where one is NaN
        return difference(X, Z, sigma, "sqeuclidean", f)
    smallest = CLOSE * (half_u.max(initial=0) + half_v.max(initial=0))
    for block in blocks(D):
        rows = D[block]
        np.subtract(half_u[block, None] + half_v, rows, out=rows)
        close = np.flatnonzero(rows < smallest)
        few = max(1, 2**18 // X.shape[1])
        for start in range(0, len(close), few):
            i, j = np.divmod(close[start : start + few], len(Z))
            rows[i, j] = squared_length((X[block][i] - Z[j]) / sigma)
    return in_blocks(lambda block, first: D[block, first:] if f is None else f(D[block, first:]), D, Z is X)


def difference(X, Z, sigma, metric, f=None):
    """f of distances made of differences, in units of σ: ‖x − z‖²/σ² ("sqeuclidean"), ‖x − z‖₁/σ ("cityblock").

    f works entry by entry; a distance that overflows is 1e300.  Returns (n, m); where Z is X, one half is
    computed and mirrored.
    """
    from scipy.spatial.distance import cdist

    # a power of 2 near σ costs no digits; a larger one where squares of the coordinates would overflow
    largest = max(np.abs(X).max(initial=0), np.abs(Z).max(initial=0))
    unit = 2.0 ** max(frexp(sigma)[1] - 1, frexp(largest)[1] - 500)
    scale = min(unit / sigma, 1e150) ** (2 if metric == "sqeuclidean" else 1)
    U = X / unit
    V = U if Z is X else Z / unit

    def rows(block, first):
        D = cdist(U[block], V[first:], metric)
        with np.errstate(over="ignore"):
            D *= scale
        if unit > sigma:
            np.minimum(D, BEYOND, out=D)
        return D if f is None else f(D)

    return in_blocks(rows, np.empty((len(X), len(Z))), Z is X)


def infinite_beyond(D):
    """D with ∞ where ``difference`` has 1e300 for a distance that overflows."""
    return D if D.max(initial=0) < BEYOND else np.where(D < BEYOND, D, np.inf)


def pair_distances(X):
    """‖X_i − X_j‖ of all pairs i < j, (n(n − 1)/2,), also where squares of the coordinates overflow or vanish."""
    from scipy.spatial.distance import pdist

    unit = unit_of(X)
    return unit * pdist(X / unit)


def unit_of(X):
    """A power of 2 near the largest |X_ij|: X / unit loses no digits, and its squares neither overflow nor vanish."""
    _, exponent = frexp(np.abs(X).max())
    return 2.0 ** (exponent - 1)


def in_blocks(rows, K, symmetric=False):
    """K filled with rows(block, first), those of a slice from a column on: a symmetric K from the diagonal on."""
    for block in blocks(K):
        first = block.start if symmetric else 0
        K[block, first:] = rows(block, first)
        if symmetric:
            K[block.stop :, block] = K[block, block.stop :].T
    return K


def blocks(K, size=2**15):
    """Slices of rows of K, each of about ``size`` numbers: few enough for the cache."""
    step = max(1, size // max(1, K.shape[1]))
    return [slice(i, i + step) for i in range(0, len(K), step)]


def power(K, p):
    """K^p entry by entry, by repeated squaring reusing the memory of K; np.power is several times slower."""
    if p == 0:
        return np.ones_like(K)
    result = None
    while True:
        if p & 1:
            result = (K.copy() if p > 1 else K) if result is None else np.multiply(result, K, out=result)
        p >>= 1
        if p == 0:
            return result
        np.multiply(K, K, out=K)


def kronecker(A, B):
    """Row by row, every product of an entry of A (n, p) and an entry of B (n, q): (n, p·q)."""
    return (A[:, :, None] * B[:, None, :]).reshape(len(A), -1)


def squeezed(K, one_x, one_z):
    """K (n, m) without the axes that stand for one point: a vector, or a number."""
    if one_x and one_z:
        return float(K[0, 0])
    return K[0] if one_x else K[:, 0] if one_z else K


def first_largest(values, axis=None):
    """Where the largest of the values stands, and of equal ones the first: equal but for TIED of the largest |value|.

    By symmetry several may be the largest, and their rounding, which is another on another processor, must not decide.
    −∞ stands for what is not to be taken.
    """
    size = np.abs(values).max(axis=axis, keepdims=True, initial=0, where=np.isfinite(values))
    return (values >= values.max(axis=axis, keepdims=True) - TIED * size).argmax(axis=axis)


def of_pairs(f, n, m, one, most):
    """f(i, j) of all pairs of n and m things as (…, n, m), for an f of arrays of indices (P,) → (…, P), P ≤ most.

    With one they are the same things, f is symmetric, and only the pairs i ≤ j are computed.
    """
    i, j = np.triu_indices(n) if one else map(np.ravel, np.indices((n, m)))
    values = a_few_at_a_time(f, i, j, most)
    K = np.empty((*values.shape[:-1], n, m))
    K[..., i, j] = values
    if one:
        K[..., j, i] = values
    return K


def of_each_pair(f, X, Z):
    """f(x, z) for each x of n objects and z of m: (n, m). Where Z is X, f is symmetric, and one half is mirrored."""
    K = np.empty((len(X), len(Z)))
    for i, x in enumerate(X):
        for j, z in enumerate(Z):
            K[i, j] = K[j, i] if Z is X and j < i else f(x, z)
    return K


def a_few_at_a_time(f, i, j, most):
    """f(i, j) for an f of arrays of indices (P,) → (…, P), called with at most so many."""
    starts = range(0, max(1, len(i)), max(1, most))
    return np.concatenate([f(i[s : s + most], j[s : s + most]) for s in starts], axis=-1)


def shared(A, B):
    """Σ_u a(u) b(u) for each a of A and b of B, dictionaries from parts u to numbers: (n, m)."""
    from scipy.sparse import csr_array

    columns = {}

    def matrix(amounts):
        j = [columns.setdefault(u, len(columns)) for a in amounts for u in a]
        values = [float(value) for a in amounts for value in a.values()]
        return csr_array((values, j, np.cumsum([0, *map(len, amounts)])), shape=(len(amounts), len(columns)))

    right = matrix(B)
    left = right if A is B else matrix(A)  # may know parts that no b has
    right.resize(len(B), len(columns))
    return (left @ right.T).toarray()


def eigen(A, overwrite=False):
    """All eigenvalues of a symmetric matrix, rising, and eigenvectors U (n, n), by LAPACK's divide and conquer.

    Its errors in eigenvalues of 0 are smaller than those of SciPy's default. SciPy before 1.15 refuses it one number.
    """
    from scipy.linalg import eigh

    return eigh(A, driver="evd" if len(A) > 1 else "ev", overwrite_a=overwrite, check_finite=False)
