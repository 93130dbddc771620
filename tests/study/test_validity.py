"""Theorems about what is a kernel: refuted by points, repaired at a price, and the sizes that a spectrum gives."""

import every_kernel
import numpy as np
import pytest
from every_kernel import EXAMPLES

from kernelkit import Gaussian, KernelRidge, Linear, datasets
from kernelkit.study import validity
from kernelkit.study.validity import (
    check_symmetric,
    effective_dimension,
    fewest,
    matrix,
    refutes,
    repaired,
    search,
    witness,
)

pytestmark = pytest.mark.filterwarnings("error")


def distances(X, Z):
    return np.linalg.norm(X[:, None] - Z[None], axis=2)


# ---- points that refute -------------------------------------------------------------------------

CANDIDATES = {  # name: the function, of how many dimensions, and how many points refute it
    "tanh(xz - 1)": (lambda X, Z: np.tanh(X @ Z.T - 1), 1, 1),
    "-|x - z|": (lambda X, Z: -distances(X, Z), 1, 2),
    "max(x, z)": (lambda X, Z: np.maximum(X, Z.T), 1, 1),
    "1[|x - z| < 1]": (lambda X, Z: 1.0 * (distances(X, Z) < 1), 1, 3),
    "exp(-|r|^3)": (lambda X, Z: np.exp(-(distances(X, Z) ** 3)), 1, 3),
    "xz - 1": (lambda X, Z: X @ Z.T - 1, 1, 1),
    "sin(x + z)": (lambda X, Z: np.sin(X + Z.T), 1, 1),
    "Epanechnikov": (lambda X, Z: np.maximum(0, 1 - distances(X, Z) ** 2), 1, 3),
    "Gaussian(1) - Gaussian(2)": (lambda X, Z: Gaussian(1)(X, Z) - Gaussian(2)(X, Z), 1, 2),
    "a triangle in the plane": (lambda X, Z: np.maximum(0, 1 - distances(X, Z)), 2, None),
}


@pytest.mark.parametrize("k", EXAMPLES, ids=repr)
def test_no_points_refute_a_kernel(k, cloud):
    X = every_kernel.points(k, cloud)
    value, v = witness(k, X)
    K = matrix(k, X)
    assert value >= -1e-9 * np.linalg.eigvalsh(K)[-1] and not refutes(k, X)
    assert v @ K @ v == pytest.approx(value, abs=1e-12 * np.abs(K).max()) and v @ v == pytest.approx(1)


@pytest.mark.parametrize(("f", "d", "points"), CANDIDATES.values(), ids=CANDIDATES)
def test_search_refutes_what_is_no_kernel(f, d, points):
    n = 19 if points is None else 4
    X = search(f, d, n)
    value, v = witness(f, X)
    assert value < -1e-3 and v @ f(X, X) @ v == pytest.approx(value, rel=1e-9)
    assert refutes(f, X) and np.abs(X).max() <= 3 and X.shape == (n, d)
    if points is None:
        assert fewest(f, 1, most=6) is None  # a triangle is a kernel on a line
    else:
        found = fewest(f, d)
        assert len(found) == points and witness(f, found)[0] < -1e-9


@pytest.mark.parametrize("k", [Gaussian(0.7), Linear() ** 2 + 1], ids=repr)
def test_search_finds_nothing_for_a_kernel(k):
    assert fewest(k, 1, most=3) is None and fewest(k, 2, most=2) is None
    assert witness(k, search(k, 2, 5))[0] > -1e-12
    np.testing.assert_array_equal(search(k, 1, 3), search(k, 1, 3, random_state=0))


def lopsided(X, Z):
    """−|Σ(x − mean)³| I: below 0 only for points that are neither all equal nor mirrored around their mean."""
    skew = np.abs(((X - X.mean()) ** 3).sum())
    return -skew * np.eye(len(X), len(Z))


def test_a_search_starts_from_scattered_points_too_and_betters_its_start_within_reach(monkeypatch):
    """Evenly spaced points, and points that all lie in one place, refute nothing here."""
    found = search(lopsided, n=4)
    monkeypatch.setattr(validity, "STEPS", 0)
    start = search(lopsided, n=4)
    value, of_start = witness(lopsided, found)[0], witness(lopsided, start)[0]
    assert of_start < -1 and value < 1.1 * of_start  # both are negative
    assert max(np.abs(start).max(), np.abs(found).max()) <= validity.REACH


def test_witness_is_the_smallest_over_all_unit_vectors(cloud):
    f, X = CANDIDATES["exp(-|r|^3)"][0], cloud(6, 1)
    value, v = witness(f, X)
    V = cloud(6, 2000, seed=1)
    V = V / np.linalg.norm(V, axis=0)
    assert (np.einsum("ij,ij->j", V, f(X, X) @ V) >= value - 1e-12).all()
    for seed in range(8):  # of v and −v the one whose largest entry is positive
        v = witness(f, cloud(5, 1, seed=seed))[1]
        assert v[np.abs(v).argmax()] > 0


def test_the_sign_of_an_eigenvector_does_not_depend_on_the_rounding():
    K = np.roll(np.eye(4), 1, axis=0) + np.roll(np.eye(4), -1, axis=0) + np.diag([1.0, -1.0, 1.0, -1.0])
    for seed in range(6):
        E = np.random.default_rng(seed).uniform(-1, 1, (4, 4))
        _, U = validity._eigen(K + 1e-12 * (E + E.T))
        large = np.abs(U) > (1 - 1e-9) * np.abs(U).max(axis=0)
        assert (U[large.argmax(axis=0), range(4)] > 0).all()


@pytest.mark.parametrize("unit", [1e-290, 1.0, -1.0, 1e308])
def test_up_to_a_billionth_of_the_largest_entry_an_asymmetry_is_rounding(unit):
    K = unit * np.array([[0.1, 0.5], [0.5, 1.0]])
    just_within, just_outside = K.copy(), K.copy()
    just_within[1, 0] += 0.99e-9 * unit
    just_outside[1, 0] += 1.01e-9 * unit
    found = check_symmetric(just_within)
    np.testing.assert_array_equal(found, found.T)
    np.testing.assert_allclose(found, K, rtol=1e-9)
    with pytest.raises(ValueError, match=r"^A kernel is symmetric, but f\(x, z\) = .* for points 0 and 1\.$"):
        check_symmetric(just_outside)


# ---- what repairs a matrix ----------------------------------------------------------------------


@pytest.mark.parametrize("how", ["clip", "flip", "shift"])
def test_repaired_has_no_negative_eigenvalue_at_the_told_price(how, cloud):
    A = cloud(8, 8)
    K = A + A.T
    values = np.linalg.eigvalsh(K)
    better, cost = repaired(K, how)
    assert np.linalg.eigvalsh(better)[0] >= -1e-12 and cost == pytest.approx(np.linalg.norm(better - K))
    np.testing.assert_array_equal(better, better.T)
    clip = np.sqrt((values[values < 0] ** 2).sum())
    assert cost == pytest.approx({"clip": clip, "flip": 2 * clip, "shift": np.sqrt(8) * -values[0]}[how])
    again, nothing = repaired(better + 1e-9 * np.eye(8), how)  # what is a kernel matrix stays
    assert nothing < 1e-12
    np.testing.assert_allclose(again, better, atol=1e-8)
    swap = np.array([[0.0, 1.0], [1.0, 0.0]])
    for unit in (1e-300, 1e-200, 1e200, 1e300):  # the price knows no units
        assert repaired(unit * swap, how)[1] == pytest.approx(unit * repaired(swap, how)[1], rel=1e-12, abs=0)


def test_clipping_is_the_nearest_of_all(cloud):
    A = cloud(5, 5)
    K = A + A.T
    better, best = repaired(K, "clip")
    for seed in range(200):
        B = cloud(5, 5, seed=seed)
        assert np.linalg.norm(better + 0.1 * B @ B.T - K) >= best


# ---- the effective dimension --------------------------------------------------------------------


@pytest.mark.parametrize("lam", [0.01, 1.0])
def test_effective_dimension_is_the_trace_of_the_smoother(lam):
    K = Gaussian(0.5)(X := datasets.sine(40)[0])
    smoother = np.column_stack([KernelRidge(Gaussian(0.5), lam).fit(X, e).predict(X) for e in np.eye(40)])
    assert effective_dimension(K, lam) == pytest.approx(np.trace(smoother), rel=1e-9)
    np.testing.assert_allclose(effective_dimension(K, [lam, 2 * lam])[0], effective_dimension(K, lam), rtol=1e-13)
    assert 0 < effective_dimension(K, 1e9) < 1e-5 and effective_dimension(np.eye(5), 1e-9) == pytest.approx(5)


@pytest.mark.parametrize("lam", [1e-8, 1e-14, 1e-20])
def test_rounding_adds_no_dimension(lam, cloud):
    assert effective_dimension(Linear()(cloud(40, 2)), lam) == pytest.approx(2)  # the other 38 eigenvalues are 0
