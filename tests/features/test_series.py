"""Theorems about cut series: what is missing is never more than they say."""

import math
from fractions import Fraction

import numpy as np
import pytest
from every_kernel import first
from hypothesis import given, settings, strategies as st
from kernels.random_kernels import EPS

from kernelkit.features import (
    Compose,
    GaussianSeries,
    Identity,
    Kronecker,
    Monomials,
)
from kernelkit.kernels import Bell, Conjugate, Exp, Gaussian, Linear, Polynomial, Pullback

pytestmark = pytest.mark.filterwarnings("error")


def tail(t, m):
    """Σ_{p > m} t^p/p!, exactly."""
    t, p = Fraction(t), m + 1
    term = total = t**p / math.factorial(p)
    while abs(term) > abs(total) / 10**20:
        p += 1
        term *= t / p
        total += term
    return total


@pytest.mark.parametrize("t", [-40.0, -3.0, -0.1, 1e-3, 1.0, 3.0, 12.0, 40.0])
@pytest.mark.parametrize("m", [0, 1, 5, 20, 60])
def test_remainder_is_between_the_exact_tail_and_lagrange_s_bound(t, m):
    x = 1.5 * math.sqrt(abs(t))  # two points on a line with xz = 1.5² t, so that xz/σ² = t for σ = 1.5
    bell = math.exp(-abs(t))
    remainder = GaussianSeries(1.5, m).remainder([x], [math.copysign(x, t)])
    lagrange = abs(t) ** (m + 1) / math.factorial(m + 1) * max(1, math.exp(t))
    assert (1 - 1e-11) * bell * abs(float(tail(t, m))) <= remainder <= (1 + 1e-11) * bell * lagrange


def test_remainder_is_small_far_out_where_the_degree_is_high():
    assert GaussianSeries(1.0, 800).remainder([20.0], [20.0]) < 1e-60
    assert GaussianSeries(1.0, 400).remainder([20.0], [20.0]) <= 1  # half of the series is missing


CASES = {  # |x|/σ up to so much, then d and m
    1: [(1, 0), (1, 1), (1, 6), (1, 30), (2, 4), (2, 20), (3, 8)],
    3: [(1, 5), (1, 60), (2, 50), (3, 25)],
    8: [(1, 200), (2, 150)],
    20: [(1, 30), (1, 800)],
}


@pytest.mark.parametrize("k", [Gaussian(0.6), Gaussian(0.6).derivation], ids=["direct", "derived"])
@pytest.mark.parametrize(("reach", "d", "m"), [(reach, d, m) for reach, cases in CASES.items() for d, m in cases])
def test_error_of_a_cut_gaussian_is_at_most_its_remainder(k, reach, d, m, cloud):
    X = cloud(40, d)
    X = 0.6 * reach * X / np.linalg.norm(X, axis=1).max()
    phi = k.feature_map(degree=m)
    # exp(−‖x‖²/2σ²) turns the rounding of its exponent into a relative one: nothing to speak of for |x| ≤ σ
    rounding = 8 * EPS * max(1, reach**2)
    error = np.abs(phi(X) @ phi(X).T - k(X))
    assert (error <= phi.remainder(X, X) + rounding).all()


@pytest.mark.parametrize(("reach", "m"), [(1, 20), (3, 60), (8, 250), (20, 800)])
def test_high_degrees_stay_right(reach, m):
    x = 0.6 * reach * np.linspace(-1, 1, 41)[:, None]
    phi = GaussianSeries(0.6, m)
    Phi = phi(x)
    np.testing.assert_allclose(Phi @ Phi.T, Gaussian(0.6)(x), atol=2 * EPS * (4 + reach**2))
    np.testing.assert_allclose((Phi**2).sum(axis=1), 1, rtol=2 * EPS * (4 + reach**2))


@pytest.mark.parametrize("d", [1, 2])
def test_beyond_37_sigma_the_series_refuses(d):
    x = np.zeros(d)
    x[-1] = 0.5 * 36.9
    assert np.isfinite(GaussianSeries(0.5, 3)(x)).all()
    x[-1] = 0.5 * 37.1
    for phi in (GaussianSeries(0.5, 3), (Linear() + Gaussian(0.5)).feature_map(3), (Gaussian(0.5) ** 2).feature_map(3)):
        for refused in (lambda phi=phi: phi(x), lambda phi=phi: phi.remainder(x, x)):
            with pytest.raises(ValueError, match=r"‖x‖ ≤ 37σ, got ‖x‖ = 37\.1σ.*use the kernel"):
                refused()
    with pytest.raises(ValueError, match=r"got ‖x‖ = 37\.1σ"):
        GaussianSeries(0.5, 3)([0 * x, x, 0 * x])  # one far point among near ones
    for far in ([1e200], [1e-3, 1e200]):
        with pytest.raises(ValueError, match="‖x‖ ≤ 37σ"):
            GaussianSeries(1.0, 3).remainder(far, far)


def test_remainder_vanishes_with_the_degree_and_for_exact_maps(cloud):
    X = cloud(5, 2, scale=0.5)
    bounds = [GaussianSeries(1.0, m).remainder(X, X).max() for m in range(25)]
    assert bounds == sorted(bounds, reverse=True) and bounds[-1] < 1e-15
    for phi in (Monomials(2), Kronecker(Identity(), Monomials(2)), Compose(Monomials(2), Identity())):
        np.testing.assert_array_equal(phi.remainder(X, X), np.zeros((5, 5)))


def steep(X):
    return 2 + 3 * first(X) ** 2


@st.composite
def infinite(draw, depth=2):
    """A kernel on ℝ² with infinitely many features somewhere inside."""
    kind = draw(st.sampled_from(["leaf", "+", "*", "c*", "**", "conjugate", "exp", "pullback"] if depth else ["leaf"]))
    if kind == "leaf":
        return draw(st.sampled_from([Gaussian(0.8), Gaussian(2.0), Exp(Linear()), Exp(0.3 * Polynomial(2))]))
    k = draw(infinite(depth - 1))
    finite = st.sampled_from([Linear(), Polynomial(2), 2 * Linear() + 1])
    return {
        "+": lambda: draw(infinite(depth - 1) | finite) + k,
        "*": lambda: k * draw(infinite(0) | finite),
        "c*": lambda: draw(st.sampled_from([0, 0.5, 3])) * k,
        "**": lambda: k ** draw(st.integers(0, 2)),
        "conjugate": lambda: Conjugate(draw(st.sampled_from([first, steep, Bell(1.0)])), k),
        "exp": lambda: Exp(0.2 * k),
        "pullback": lambda: Pullback(k, np.sin),
    }[kind]()


coordinate = st.floats(-1.2, 1.2).map(lambda v: round(v, 2))
plane = st.lists(st.tuples(coordinate, coordinate), min_size=1, max_size=4)


@settings(max_examples=200)
@given(infinite(), plane, plane, st.integers(0, 4))
def test_error_of_composed_cut_series_is_at_most_the_remainder(k, X, Z, m):
    phi = k.feature_map(degree=m)
    while phi.dim(2) > 4000:
        m -= 1
        phi = k.feature_map(degree=m)
    error, remainder = np.abs(phi(X) @ phi(Z).T - k(X, Z)), phi.remainder(X, Z)
    # A feature is a product of at most some 50 factors, a kernel value an exponential of at most e⁵, each with
    # its rounding; and a cut series is never longer than the whole one, ‖Φ(x)‖² ≤ k(x, x).
    size = np.sqrt(np.outer(k.diag(np.array(X)), k.diag(np.array(Z))))
    assert (error <= (1 + 1e-12) * remainder + 200 * EPS * size).all()
    assert ((phi(X) ** 2).sum(axis=1) <= (1 + 200 * EPS) * k.diag(np.array(X))).all()
