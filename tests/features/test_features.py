"""Theorems about feature maps: what they compute, how many columns, under which names, what a cut series lacks."""

import copy
import dataclasses
import math
import re
import tracemalloc
from fractions import Fraction

import every_kernel
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.preprocessing import PolynomialFeatures

import kernelkit
from kernelkit import features
from kernelkit.features import (
    Centres,
    Circle,
    Compose,
    Concatenate,
    ExponentialSeries,
    Function,
    GaussianSeries,
    Identity,
    Kronecker,
    Landmarks,
    LinearMap,
    MixtureScore,
    Monomials,
    Ones,
    OrderedMonomials,
    Scale,
    Steps,
    Waves,
    Weighted,
)
from kernelkit.features.base import Binary, Unary
from kernelkit.kernels import Bell, Conjugate, Exp, Gaussian, Linear, Polynomial, Pullback

pytestmark = pytest.mark.filterwarnings("error")
EPS = np.finfo(float).eps


def first(X):
    return np.asarray(X)[..., 0]


def steep(X):
    return 2 + 3 * first(X) ** 2


def squares(X):
    return np.square(X)


MAPS = [  # all on ℝ³
    Identity(),
    Ones(2.0),
    LinearMap([[1, 2, 0], [-1, 0, 3]]),
    Centres([[0, 0, 0], [1, 0, 2]], 0.8),
    Circle(2.5),
    Circle(),
    Steps([0.5, 1, 3]),
    Waves([[1, 2, 0], [-1, 0.5, 3]], [0, 1]),
    Landmarks(Gaussian(1.5), [[0, 0, 0], [1, 0, 2], [1, 0, 2], [0, -1, 1]]),
    Landmarks(2 * Linear() ** 2 + 1, [[0, 0, 0], [1, 0, 2]]),
    MixtureScore([0.3, 0.7], [[0, 0, 0], [1, 1, 0]], 0.8),
    Monomials(3),
    Monomials(2, offset=0),
    Monomials(2, offset=0.5),
    Monomials(0),
    OrderedMonomials(1),
    OrderedMonomials(3),
    ExponentialSeries(4),
    GaussianSeries(1.0, 4),
    GaussianSeries(2.0, 3),
    Function(squares),
    Concatenate(Identity(), Monomials(2)),
    Kronecker(Monomials(1), LinearMap([[1, 1, 0], [0, 0, 1]])),
    Scale(3, Monomials(2)),
    Scale(0, Identity()),
    Weighted(first, Monomials(2)),
    Weighted(Bell(2.0), Identity()),
    Compose(Monomials(2, offset=0), Concatenate(Identity(), Ones(4))),
    Compose(ExponentialSeries(3), Scale(0.25, Identity())),
]
ALL = pytest.mark.parametrize("phi", MAPS, ids=repr)


@ALL
def test_dimension_and_names_tell_the_columns(phi, cloud):
    for n in (1, 5):
        assert phi(cloud(n, 3)).shape == (n, phi.dim(3))
    assert len(phi.names(3)) == phi.dim(3)


@ALL
def test_one_point_gives_one_row(phi, cloud):
    X = cloud(5, 3)
    assert phi(X[2]).shape == (phi.dim(3),)
    np.testing.assert_allclose([phi(x) for x in X], phi(X), rtol=1e-14)


@ALL
def test_features_are_a_new_array(phi, cloud):
    X = cloud(5, 3)
    Phi = phi(X)
    assert not np.shares_memory(Phi, X)
    before = Phi.copy()
    Phi += 1  # it can be written into, and the next call does not notice
    np.testing.assert_array_equal(phi(X), before)


@ALL
def test_repr_can_be_pasted_back(phi):
    names = vars(features) | {"Bell": Bell, "Gaussian": Gaussian, "Linear": Linear, "first": first, "squares": squares}
    assert eval(repr(phi), names.copy()) == phi


@ALL
def test_map_is_frozen(phi):
    assert hash(phi) == hash(copy.deepcopy(phi)) and copy.deepcopy(phi) == phi
    with pytest.raises(dataclasses.FrozenInstanceError):
        phi.new = 1


# ---- names ------------------------------------------------------------------------------------


def value_of(name, x):
    """The number that the LaTeX of a feature stands for at the point x."""
    text = name.replace(r"\|x\|", "norm").replace(r"\mathrm{first}(x)", "x[1]")
    text = text.replace(r"\,", "*").replace(r"\cdot", "*")
    text = text.replace(r"\frac{", "(").replace("}{", ")/(").replace(r"\sqrt", "sqrt").replace("^", "**")
    text = re.sub(r"x_(\d)|x_\{(\d+)\}", lambda m: f"x[{m[1] or m[2]}]", text).replace("{", "(").replace("}", ")")
    text = re.sub(r"(?<=[\])\d])(?=\(|x\[)", "*", text)  # what stands side by side is multiplied
    for f in ("cos", "sin", "pi"):
        text = text.replace(rf"\{f}", f)
    return eval(text, vars(math) | {"x": [None, *x], "norm": math.hypot(*x)})


LETTERS = (Centres, Function, Landmarks, MixtureScore, Steps, Waves)  # whose names use letters for other things
SPELLED = [phi for phi in MAPS if not isinstance(phi, LETTERS)]


@pytest.mark.parametrize("phi", SPELLED, ids=repr)
def test_names_say_what_the_features_are(phi, cloud):
    x = cloud(1, 3)[0]
    np.testing.assert_allclose([value_of(name, x) for name in phi.names(3)], phi(x), rtol=1e-5)


def test_names_of_many_variables(cloud):
    x = cloud(1, 12)[0]
    np.testing.assert_allclose([value_of(name, x) for name in Monomials(2).names(12)], Monomials(2)(x), rtol=1e-5)


def test_names_are_the_lecture_s():
    assert Monomials(2).names(2) == ["1", r"\sqrt{2}\,x_1", r"\sqrt{2}\,x_2", "x_1^2", r"\sqrt{2}\,x_1x_2", "x_2^2"]
    assert OrderedMonomials(2).names(2) == ["x_1x_1", "x_1x_2", "x_2x_1", "x_2x_2"]
    monomials = ["", r"\,x_1", r"\,\frac{x_1^2}{\sqrt{2}}"]
    assert GaussianSeries(1, 2).names(1) == [r"e^{-\|x\|^2 / 2}" + monomial for monomial in monomials]
    assert Circle().names(1) == [r"\cos(2\,\pi\,x_1)", r"\sin(2\,\pi\,x_1)"]  # a period of 1 is not written
    assert Function(squares).names(2) == [r"\mathrm{squares}(x)_{1}", r"\mathrm{squares}(x)_{2}"]
    assert Compose(Function(squares), Function(squares)).names(1) == [
        r"\mathrm{squares}(\mathrm{squares}(x)_{1})_{1}"
    ]
    assert Kronecker(LinearMap([[1, 1]]), LinearMap([[1, -1]])).names(2) == [r"(x_1 + x_2) \cdot (x_1 - x_2)"]
    assert Scale(2, LinearMap([[1, 1]])).names(2) == [r"\sqrt{2}\,(x_1 + x_2)"]


# ---- what the maps compute --------------------------------------------------------------------


@pytest.mark.parametrize("d", [1, 2, 5])
@pytest.mark.parametrize("p", range(6))
@pytest.mark.parametrize("c", [0, 1, 0.5])
def test_monomials_are_the_features_of_the_polynomial_kernel(d, p, c, cloud):
    X, Z = cloud(6, d), cloud(4, d, seed=1)
    phi = Monomials(p, c)
    np.testing.assert_allclose(phi(X) @ phi(Z).T, (X @ Z.T + c) ** p, rtol=1e-9, atol=1e-9)
    assert phi.dim(d) == (math.comb(d + p, p) if c else math.comb(d + p - 1, p))


@pytest.mark.parametrize("c", [1, 0.5])
@pytest.mark.parametrize("p", [1, 2, 3, 4])
def test_monomials_are_scikit_learn_s_with_root_weights(p, c, cloud):
    X = cloud(5, 3)
    plain = PolynomialFeatures(p).fit(X)  # the same monomials in the same order
    weight = [
        math.comb(p, sum(a)) * c ** (p - sum(a)) * math.factorial(sum(a)) / math.prod(math.factorial(e) for e in a)
        for a in plain.powers_.tolist()
    ]
    np.testing.assert_allclose(Monomials(p, c)(X), np.sqrt(weight) * plain.transform(X), rtol=1e-13)


@pytest.mark.parametrize("p", [1, 2, 3])
def test_merging_ordered_products_gives_monomials(p, cloud):
    X, Z = cloud(6, 3), cloud(4, 3, seed=1)
    phi = OrderedMonomials(p)
    np.testing.assert_allclose(phi(X) @ phi(Z).T, (X @ Z.T) ** p, rtol=1e-10, atol=1e-12)
    assert phi.dim(3) == 3**p and Monomials(p, 0).dim(3) == math.comb(p + 2, p)
    merged = {}
    for name, column in zip(phi.names(3), phi(X).T, strict=True):
        merged.setdefault("".join(sorted(name.split("x"))), []).append(column)
    # the m equal products x^α become one feature √m · x^α
    np.testing.assert_allclose(
        sorted(np.sqrt(len(columns)) * columns[0][0] for columns in merged.values()), sorted(Monomials(p, 0)(X)[0])
    )


def test_sum_concatenates_and_product_multiplies_features(cloud):
    X = cloud(5, 3)
    A, B = Monomials(2), LinearMap([[1, 2, 0], [-1, 0, 3]])
    np.testing.assert_array_equal(Concatenate(A, B)(X), np.hstack([A(X), B(X)]))
    np.testing.assert_array_equal(Kronecker(A, B)(X), [np.kron(A(x), B(x)) for x in X])
    np.testing.assert_array_equal(Scale(9, A)(X), 3 * A(X))
    np.testing.assert_array_equal(Weighted(first, A)(X), X[:, :1] * A(X))
    np.testing.assert_array_equal(Compose(A, B)(X), A(B(X)))
    np.testing.assert_array_equal(B(X), X @ [[1, -1], [2, 0], [0, 3]])


def test_centres_are_bells(cloud):
    X, C = cloud(6, 2), cloud(4, 2, seed=1)
    np.testing.assert_allclose(Centres(C, 0.7)(X), rbf_kernel(X, C, gamma=1 / (2 * 0.7**2)), rtol=1e-12)


# ---- cut series -------------------------------------------------------------------------------


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


@pytest.mark.parametrize("k", [Gaussian(0.6), Gaussian(0.6).derivation], ids=["direct", "derived"])
@pytest.mark.parametrize(
    ("d", "reach", "m"),
    [(1, 1, 0), (1, 1, 1), (1, 1, 6), (1, 1, 30), (2, 1, 4), (2, 1, 20), (3, 1, 8), (1, 3, 5), (1, 3, 60), (2, 3, 50),
     (3, 3, 25), (1, 8, 200), (2, 8, 150), (1, 20, 30), (1, 20, 800)],
)  # fmt: skip
def test_error_of_a_cut_gaussian_is_at_most_its_remainder(k, d, reach, m, cloud):
    X = cloud(40, d)
    X = 0.6 * reach * X / np.linalg.norm(X, axis=1).max()  # |x|/σ up to reach
    phi = k.feature_map(degree=m)
    # exp(−‖x‖²/2σ²) turns the rounding of its exponent into a relative one: nothing to speak of for |x| ≤ σ
    rounding = 8 * EPS * max(1, reach**2)
    error = np.abs(phi(X) @ phi(X).T - k(X))
    assert (error <= phi.remainder(X, X) + rounding).all()
    assert phi.dim(d) == math.comb(d + m, m)


@pytest.mark.parametrize(("reach", "m"), [(1, 20), (3, 60), (8, 250), (20, 800)])
def test_high_degrees_stay_right(reach, m):
    x = 0.6 * reach * np.linspace(-1, 1, 41)[:, None]
    phi = GaussianSeries(0.6, m)
    Phi = phi(x)
    np.testing.assert_allclose(Phi @ Phi.T, Gaussian(0.6)(x), atol=2 * EPS * (4 + reach**2))
    np.testing.assert_allclose((Phi**2).sum(axis=1), 1, rtol=2 * EPS * (4 + reach**2))


def test_one_feature_far_out_is_exact():
    x, p = 20.0, 400  # the features of degree about x² are the large ones
    exact = math.exp(-(x**2) / 2 + p * math.log(x) - math.lgamma(p + 1) / 2)
    assert GaussianSeries(1.0, 800)([x])[p] == pytest.approx(exact, rel=1e-11)


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


def test_remainder_has_the_shapes_of_the_kernel(cloud):
    X, Z, phi = cloud(4, 2), cloud(3, 2), GaussianSeries(1.0, 5)
    R = phi.remainder(X, Z)
    assert R.shape == (4, 3)
    assert type(phi.remainder(X[0], Z[0])) is float and phi.remainder(X[0], Z[0]) == pytest.approx(R[0, 0], rel=1e-12)
    np.testing.assert_allclose(phi.remainder(X[0], Z), R[0], rtol=1e-12)
    np.testing.assert_allclose(phi.remainder(X, Z[0]), R[:, 0], rtol=1e-12)


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


# ---- maps that would not fit ------------------------------------------------------------------

HUGE = [
    Monomials(20),
    OrderedMonomials(20),
    GaussianSeries(1.0, 30),
    Concatenate(Identity(), Monomials(20)),
    Kronecker(Monomials(6), Monomials(6)),
    Scale(2, Monomials(20)),
    Weighted(first, Monomials(20)),
    Compose(Monomials(8, 0), Monomials(4)),
    Compose(Monomials(0), Monomials(20)),
]


@pytest.mark.parametrize("phi", HUGE, ids=repr)
def test_map_that_does_not_fit_says_how_large_it_is_before_it_allocates(phi, cloud):
    X = cloud(10, 100)
    D = phi.inner.dim(100) if isinstance(phi, Compose) and phi.dim(100) == 1 else phi.dim(100)
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=rf"D = {D:,} features.*the kernel k\(x, z\) needs none of them"):
            phi(X)
        assert tracemalloc.get_traced_memory()[1] < 1e5
    finally:
        tracemalloc.stop()


def test_remainder_of_a_map_that_does_not_fit_refuses_too(cloud):
    phi = (Gaussian(1.0) * Gaussian(2.0)).feature_map(degree=60)
    with pytest.raises(ValueError, match="features here"):
        phi.remainder(cloud(3, 20), cloud(3, 20))


def written(base):
    """Every class of feature maps of the package, also one that is listed nowhere."""
    return {c for c in base.__subclasses__() if c.__module__.startswith("kernelkit.")}.union(
        *(written(c) for c in base.__subclasses__())
    )


def test_the_laws_above_cover_every_map():
    maps = {getattr(features, name) for name in features.__all__} - {features.FeatureMap}
    of_objects = {type(k.feature_map(**every_kernel.world(k))) for k in every_kernel.WITH_FEATURES}  # the contract's
    assert maps == {type(phi) for phi in MAPS} | of_objects == written(features.FeatureMap) - {Unary, Binary}
    assert {Centres, Concatenate, GaussianSeries, Kronecker, Monomials, OrderedMonomials, Scale} <= {
        getattr(kernelkit, name) for name in kernelkit.__all__
    }
