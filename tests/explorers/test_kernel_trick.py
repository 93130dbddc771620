"""The sentences of notebook 02's explorers, against numbers computed another way."""

from itertools import combinations_with_replacement
from math import comb

import numpy as np
import pytest
from sklearn.kernel_ridge import KernelRidge
from sklearn.linear_model import Ridge

from kernelkit import datasets
from kernelkit.explorers.kernel_trick import clock, identity, weights
from kernelkit.explorers.kernel_trick.clock import multiplications
from kernelkit.panel.numbers import amount, thousands


@pytest.mark.parametrize("which", ["merged", "ordered"])
@pytest.mark.parametrize(("degree", "offset"), [(1, 0.0), (2, 1.0), (3, 0.25), (4, 2.0)])
def test_identity_says_the_value_of_the_polynomial(which, degree, offset):
    values = identity.start() | {"degree": degree, "offset": offset, "which": which}
    state = identity.compute(**values)
    (x1, x2), (z1, z2) = values["points"]
    wanted = (x1 * z1 + x2 * z2 + offset) ** degree
    assert f"add up to {wanted:.4f}, and the kernel gives {wanted:.4f}" in identity.describe(state)
    D = comb(2 + degree, degree) if offset else degree + 1
    assert len(state.terms) == (D if which == "merged" else (2 + (offset > 0)) ** degree)


def test_identity_says_what_the_cut_gaussian_misses():
    values = identity.start() | {"family": "gaussian", "degree": 3, "sigma": 0.8}
    (x1, x2), (z1, z2) = values["points"]
    whole = np.exp(-((x1 - z1) ** 2 + (x2 - z2) ** 2) / (2 * 0.8**2))
    t = (x1 * z1 + x2 * z2) / 0.8**2
    cut = np.exp(-(x1**2 + x2**2 + z1**2 + z2**2) / (2 * 0.8**2)) * (1 + t + t**2 / 2 + t**3 / 6)
    said = identity.describe(identity.compute(**values))
    assert f"{cut:.4f}; the kernel" in said and f"gives {whole:.4f}: {whole - cut:.4f} is missing" in said


def test_perpendicular_points_end_at_one():
    (x1, x2), (z1, z2) = identity.start()["points"]
    (u1, u2), (v1, v2) = identity.scenes["Perpendicular"]["points"]
    assert (u1, u2) == (x1, x2) and u1 * v1 + u2 * v2 == 0
    assert np.hypot(v1, v2) == pytest.approx(np.hypot(z1, z2), rel=0.01), "z only turns"
    state = identity.compute(**identity.start() | identity.scenes["Perpendicular"])
    assert "the kernel gives 1.0000" in identity.describe(state) and state.values == ("xᵀz = 0.00", "k(x, z) = 1.00")


def test_identity_tells_each_product():
    state = identity.compute(**identity.start())
    assert identity.tell["bars"](state, 0.0, 1.4) == "√2·x₁: 2.5"  # 2 · 1 · 1.25
    assert identity.tell["bars"](state, 0.0, 3.3) == "x₁²: 1.56"  # (1 · 1.25)²


def test_composed_kernels_say_their_value():
    (x1, x2), (z1, z2) = identity.start()["points"]
    t = x1 * z1 + x2 * z2
    for family, wanted in (("sum", 2 * t + (t + 1) ** 2), ("product", t * (t + 1) ** 2)):
        said = identity.describe(identity.compute(**identity.start() | {"family": family}))
        assert f"the kernel gives {wanted:.4f}" in said


class Counted(float):
    products = 0

    def __mul__(self, other):
        Counted.products += 1
        return Counted(float(self) * float(other))


@pytest.mark.parametrize(("d", "p"), [(1, 1), (1, 4), (2, 2), (3, 3), (5, 2)])
def test_multiplications_are_those_of_a_run_that_counts(d, p):
    """Merged monomials built from their parents, weighted, and multiplied together, one counted product at a time."""

    def phi(x):
        x, built = [Counted(v) for v in x], {}
        for j in range(p + 1):
            for alpha in combinations_with_replacement(range(d), j):
                built[alpha] = Counted(1) if j == 0 else x[alpha[0]] if j == 1 else built[alpha[:-1]] * x[alpha[-1]]
        plain = {()} | {(i,) * p for i in range(d)}
        return [value if alpha in plain else Counted(1.5) * value for alpha, value in built.items()]

    Counted.products = 0
    a, b = phi(range(1, d + 1)), phi(range(2, d + 2))
    assert len([s * t for s, t in zip(a, b, strict=True)]) == comb(d + p, p)
    assert Counted.products == multiplications(d, p)[0]
    assert multiplications(d, p)[2] == d + p - 1


def test_clock_says_the_number_of_features_of_the_headline():
    said = clock.describe(clock.compute(d=100, p=4))
    assert f"{thousands(4_598_126)} features" in said and "takes 103." in said


@pytest.mark.parametrize("p", range(1, 7))
def test_clock_shows_kept_times_until_it_measures(p):
    state = clock.compute(d=10, p=p)
    d, explicit, kernel = state.seconds.T
    assert [comb(int(v) + p, p) for v in d] == sorted(comb(int(v) + p, p) for v in d) and min(explicit / kernel) > 1
    assert not state.own and "machine" not in clock.describe(state)
    mine = clock.compute(d=10, p=p, measured=np.array([[7, 0.5, 1e-5]]))
    assert "On this machine, at d = 7: 500\u00a0ms against 10\u00a0µs." in clock.describe(mine)
    assert clock.tell["seconds"](mine, 3.0, 1.0) == "d = 7: Φ 500\u00a0ms, kernel 10\u00a0µs"


def test_the_kernel_pays_two_products_for_two_degrees():
    kernels = [clock.compute(d=10, p=p).now["kernel"] for p in (2, 4)]
    assert kernels[1] - kernels[0] == 2 and clock.scenes["Degree 4"] == {"p": 4}


@pytest.mark.parametrize("lam", [1e-3, 1.0, 50.0])
@pytest.mark.parametrize("p", [1, 4, 7])
def test_weights_says_how_far_the_curves_are_apart(p, lam):
    X, y = datasets.sine(30, 0.15, random_state=1)
    X, grid = X / 3, np.linspace(-1, 1, 161)[:, None]
    weighted = KernelRidge(alpha=lam, kernel="poly", degree=p, gamma=1, coef0=1).fit(X, y).predict(grid)
    plain = Ridge(alpha=lam, fit_intercept=False).fit(X ** np.arange(p + 1), y).predict(grid ** np.arange(p + 1))
    said = weights.describe(weights.compute(data="sine", p=p, lam=lam))
    assert f"between the two curves is {amount(np.abs(weighted - plain).max())}." in said


def test_a_tiny_penalty_lets_the_constants_choose_nothing():
    assert "is less than 0.001" in weights.describe(weights.compute(data="sine", p=5, lam=1e-6))
    start = weights.compute(**weights.start())
    assert weights.tell["bars"](start, 2.2, 0.0) == "√10 ≈ 3.16"
    assert np.abs(start.weighted - start.plain).max() > 0.3, "the first picture shows two curves"
