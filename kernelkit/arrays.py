"""The few array computations that are written for speed."""

import numpy as np


def squared_length(X):
    """‖x‖² of each row of X (n, d)."""
    return np.einsum("ij,ij->i", X, X)


def gaussian(X, Z, sigma):
    """exp(−‖x − z‖²/2σ²) between all rows of X (n, d) and Z (m, d); exactly symmetric when Z is X."""
    shift = X.mean(axis=0)  # a shift changes no distance but keeps the digits of far-away points
    U = (X - shift) / sigma
    V = U if Z is X else (Z - shift) / sigma
    K = U @ V.T
    # −‖u − v‖²/2 = uᵀv − (‖u‖²/2 + ‖v‖²/2), a few rows at a time to stay in the cache
    half_u, half_v = (K.diagonal() / 2,) * 2 if V is U else (squared_length(U) / 2, squared_length(V) / 2)
    for i in range(0, len(K), 64):
        rows = K[i : i + 64]
        rows -= half_u[i : i + 64, None] + half_v
        np.exp(np.minimum(rows, 0, out=rows), out=rows)
    return K


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
