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


def lopsided(X, Z):
    """−|Σ(x − mean)³| I: below 0 only for points that are neither all equal nor mirrored around their mean."""
    skew = np.abs(((X - X.mean()) ** 3).sum())
    return -skew * np.eye(len(X), len(Z))


CANDIDATES = {  # name: the function, how many points refute it on a line (in the plane for the last but two)
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
    value, v = witness(k, every_kernel.points(k, cloud))
    K = matrix(k, every_kernel.points(k, cloud))
    assert value >= -1e-9 * np.linalg.eigvalsh(K)[-1] and not refutes(k, every_kernel.points(k, cloud))
    assert v @ K @ v == pytest.approx(value, abs=1e-12 * np.abs(K).max()) and v @ v == pytest.approx(1)


@pytest.mark.parametrize(("f", "d", "points"), CANDIDATES.values(), ids=CANDIDATES)
def test_search_refutes_what_is_no_kernel(f, d, points):
    X = search(f, d, n=19 if points is None else 4)
    value, v = witness(f, X)
    assert value < -1e-3 and v @ f(X, X) @ v == pytest.approx(value, rel=1e-9)
    assert refutes(f, X) and np.abs(X).max() <= 3 and X.shape == (19 if points is None else 4, d)
    if points is not None:
        found = fewest(f, d)
        assert len(found) == points and witness(f, found)[0] < -1e-9


@pytest.mark.parametrize("k", [Gaussian(0.7), Linear(), Linear() ** 2 + 1], ids=repr)
def test_search_finds_nothing_for_a_kernel(k):
    assert fewest(k, 1, most=4) is None and fewest(k, 2, most=3) is None
    assert witness(k, search(k, 2, 5))[0] > -1e-12
    np.testing.assert_array_equal(search(k, 1, 3), search(k, 1, 3, random_state=0))


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


def test_a_triangle_is_a_kernel_on_a_line():
    assert fewest(CANDIDATES["a triangle in the plane"][0], 1, most=6) is None


def test_witness_is_the_smallest_over_all_unit_vectors(cloud):
    f, X = CANDIDATES["exp(-|r|^3)"][0], cloud(6, 1)
    value, v = witness(f, X)
    V = cloud(6, 2000, seed=1)
    V = V / np.linalg.norm(V, axis=0)
    assert (np.einsum("ij,ij->j", V, f(X, X) @ V) >= value - 1e-12).all()
    for seed in range(8):  # of v and −v the one whose largest entry is positive
        v = witness(f, cloud(5, 1, seed=seed))[1]
        assert v[np.abs(v).argmax()] > 0


@pytest.mark.parametrize("lam", [0.01, 1.0])
def test_effective_dimension_is_the_trace_of_the_smoother(lam):
    K = Gaussian(0.5)(X := datasets.sine(40)[0])
    smoother = np.column_stack([KernelRidge(Gaussian(0.5), lam).fit(X, e).predict(X) for e in np.eye(40)])
    assert effective_dimension(K, lam) == pytest.approx(np.trace(smoother), rel=1e-9)
    np.testing.assert_allclose(effective_dimension(K, [lam, 2 * lam])[0], effective_dimension(K, lam), rtol=1e-13)
    assert 0 < effective_dimension(K, 1e9) < 1e-5 and effective_dimension(np.eye(5), 1e-9) == pytest.approx(5)


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


@pytest.mark.parametrize("how", ["clip", "flip", "shift"])
@pytest.mark.parametrize("unit", [1e-300, 1e-200, 1e200, 1e300])
def test_the_price_knows_no_units(how, unit):
    K = np.array([[0.0, 1.0], [1.0, 0.0]])
    assert repaired(unit * K, how)[1] == pytest.approx(unit * repaired(K, how)[1], rel=1e-12, abs=0)


def test_clipping_is_the_nearest_of_all(cloud):
    A = cloud(5, 5)
    K, best = A + A.T, repaired(A + A.T, "clip")[1]
    for seed in range(200):
        B = cloud(5, 5, seed=seed)
        assert np.linalg.norm(repaired(K, "clip")[0] + 0.1 * B @ B.T - K) >= best


@pytest.mark.parametrize("lam", [1e-8, 1e-14, 1e-20])
def test_rounding_adds_no_dimension(lam, cloud):
    assert effective_dimension(Linear()(cloud(40, 2)), lam) == pytest.approx(2)  # the other 38 eigenvalues are 0


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (
            lambda: witness(lambda X, Z: X - Z.T, [[0.0], [2.0]]),
            "A kernel is symmetric, but f(x, z) = -2 and f(z, x) = 2 for points 0 and 1.",
        ),
        (
            lambda: witness(lambda X, Z: X, [[0.0], [2.0]]),
            "K must be a matrix of all pairs of points, (n, n), got shape (2, 1).",
        ),
        (lambda: witness(3, [[0.0]]), "f must be a function f(X, Z) → (n, m), or a kernel, got 3."),
        (
            lambda: witness(lambda X, Z: X * np.inf * Z.T, [[1.0]]),
            "K must hold finite numbers, but input contains NaN or infinity.",
        ),
        (lambda: search(Linear(), 0), "d must be a whole number ≥ 1, got 0."),
        (lambda: search(Linear(), 1, 2.5), "n must be a whole number ≥ 1, got 2.5."),
        (lambda: repaired(np.eye(2), "mend"), "how must be 'clip', 'flip' or 'shift', got 'mend'."),
        (
            lambda: repaired(np.ones((2, 3)), "clip"),
            "K must be a matrix of all pairs of points, (n, n), got shape (2, 3).",
        ),
        (
            lambda: repaired(np.empty((0, 0)), "clip"),
            "K must be a matrix of all pairs of points, (n, n), got shape (0, 0).",
        ),
        (lambda: effective_dimension(np.eye(2), [1, 0]), "lam must hold numbers > 0, got 0."),
    ],
)
def test_bad_input_is_refused_in_one_sentence(call, sentence):
    with pytest.raises((ValueError, TypeError)) as error:
        call()
    assert str(error.value) == sentence


def smallest(X):
    return np.linalg.eigvalsh(matrix(lopsided, X))[0]


def test_a_search_starts_from_scattered_points_too(monkeypatch):
    """Evenly spaced points, and points that all lie in one place, refute nothing here."""
    monkeypatch.setattr(validity, "STEPS", 0)
    X = search(lopsided, n=4)
    assert smallest(X) < -1 and np.abs(X).max() <= validity.REACH


def test_a_search_betters_its_start_within_reach(monkeypatch):
    found = search(lopsided, n=4)
    monkeypatch.setattr(validity, "STEPS", 0)
    assert smallest(found) < 1.1 * smallest(search(lopsided, n=4))  # both are negative
    assert np.abs(found).max() <= validity.REACH


def test_the_sign_of_an_eigenvector_does_not_depend_on_the_rounding():
    K = np.roll(np.eye(4), 1, axis=0) + np.roll(np.eye(4), -1, axis=0) + np.diag([1.0, -1.0, 1.0, -1.0])
    for seed in range(6):
        E = np.random.default_rng(seed).uniform(-1, 1, (4, 4))
        _, U = validity._eigen(K + 1e-12 * (E + E.T))
        large = np.abs(U) > (1 - 1e-9) * np.abs(U).max(axis=0)
        assert (U[large.argmax(axis=0), range(4)] > 0).all()
