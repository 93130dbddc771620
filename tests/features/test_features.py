"""Theorems about feature maps: what they compute, how many columns, under which names, what a cut series lacks."""

import copy
import dataclasses
import math
import re
import tracemalloc

import every_kernel
import numpy as np
import pytest
from features.functions import first, squares
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.preprocessing import PolynomialFeatures

import kernelkit
from kernelkit import MeanMap, Polynomial, Substrings, checks, features
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
from kernelkit.kernels import Bell, Gaussian, Linear, Quadratic

pytestmark = pytest.mark.filterwarnings("error")

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
        assert phi(every_kernel.taken(phi, cloud(n, 3))).shape == (n, phi.dim(3))
    assert len(phi.names(3)) == phi.dim(3)


@ALL
def test_one_point_gives_one_row(phi, cloud):
    X = every_kernel.taken(phi, cloud(5, 3))
    assert phi(X[2]).shape == (phi.dim(3),)
    np.testing.assert_allclose([phi(x) for x in X], phi(X), rtol=1e-14)


@ALL
def test_features_are_a_new_array(phi, cloud):
    X = every_kernel.taken(phi, cloud(5, 3))
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
    assert Compose(Function(squares), Function(squares)).names(1) == [r"\mathrm{squares}(\mathrm{squares}(x)_{1})_{1}"]
    assert Kronecker(LinearMap([[1, 1]]), LinearMap([[1, -1]])).names(2) == [r"(x_1 + x_2) \cdot (x_1 - x_2)"]
    assert Scale(2, LinearMap([[1, 1]])).names(2) == [r"\sqrt{2}\,(x_1 + x_2)"]
    with pytest.raises(ValueError, match=r"^R has 2 columns, but X has 3 features\.$"):
        LinearMap([[1, 1]]).names(3)


def test_names_show_no_rounding():
    assert LinearMap([[1 - 1e-15, 4e-16, -1 - 1e-15], [0, 0, 0]]).names(3) == ["x_1 - x_3", "0"]
    assert LinearMap([[1e-20, 2e-20, 0]]).names(3) == [r"1e-20\,x_1 + 2e-20\,x_2"]  # small, but not beside others
    assert Quadratic(np.ones((3, 3))).feature_map().names(3) in (["x_1 + x_2 + x_3"], ["-x_1 - x_2 - x_3"])


def test_what_a_map_does_not_know_is_refused(cloud):
    X = cloud(3, 2)
    with pytest.raises(ValueError, match=r"^Waves has no remainder: how far Φ\(x\)ᵀΦ\(z\) is from k\(x, z\) is random"):
        Gaussian(1.0).waves(10, 2).remainder(X, X)
    with pytest.raises(NotImplementedError, match=r"^LinearMap has no slope\(t\)\.$"):
        Compose(LinearMap([[1.0, 1.0, 1.0]]), ExponentialSeries(1)).remainder(X, X)


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


def test_maps_of_objects_that_do_not_fit_say_so_too(monkeypatch):
    monkeypatch.setattr(checks, "MAX_BYTES", 10**6)
    words, means = Substrings(4).feature_map(over="acgt"), MeanMap(Polynomial(5)).feature_map()
    for phi, X, D in [
        (Kronecker(words, words), 10 * ["acgt"], "65,536"),
        (means, [np.ones((50, 10))], "3,003"),
        (means, 100 * [np.ones((1, 10))], "3,003"),
    ]:
        with pytest.raises(ValueError, match=rf"^Φ has D = {D} features here: for \d+ points that is .* none of them"):
            phi(X)
        assert phi(X[:1] if len(X) > 1 else [X[0][:3]]).shape == (1, int(D.replace(",", "")))


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
    known = {type(phi) for phi in MAPS} | of_objects
    assert maps == known == written(features.FeatureMap) - {Unary, Binary}, (
        "MAPS needs an example of each map, and features/__init__.py its name"
    )
    assert {Centres, Concatenate, GaussianSeries, Kronecker, Monomials, OrderedMonomials, Scale} <= {
        getattr(kernelkit, name) for name in kernelkit.__all__
    }


def test_a_degree_that_no_monomial_reaches_is_refused_at_once():
    beyond = r"^The degree of monomials must be at most 10,000 to write them down, got 1,000,000,000,000,000,000\.$"
    with pytest.raises(ValueError, match=beyond):
        OrderedMonomials(10**18)
    phi = Monomials(10**18, 0)  # of one coordinate it is one feature
    assert phi.dim(1) == 1 and phi.dim(2) == 10**18 + 1
    for use in (lambda: phi([2.0]), lambda: phi.names(1)):
        with pytest.raises(ValueError, match=beyond):
            use()
    assert OrderedMonomials(10_000)([1.0]) == Monomials(10_000, 0)([1.0]) == 1


def test_a_function_that_is_not_defined_at_zero_has_a_dimension():
    """dim asks it at (1, …, 1), as the sentence says where it fails."""
    assert Function(np.log).dim(3) == 3
    assert Function(lambda X: 1 / X).dim(2) == 2
    with pytest.raises(ValueError, match=r"no dimension D for x ∈ ℝ\^2: g fails at the point \(1, …, 1\)"):
        Function(lambda X: [len(x.children) for x in X]).dim(2)


def test_weights_of_monomials_that_overflow_are_refused_in_one_sentence():
    for phi in (Monomials(2, 1e160), Monomials(1100)):
        for use in (lambda phi=phi: phi([2.0]), lambda phi=phi: phi.names(1)):
            with pytest.raises(
                ValueError, match=r"^The weights of Monomials\(.*\) overflow: \(1 \+ offset\)\^degree is"
            ):
                use()
    assert Monomials(5000, 0.0)([1.0]) == 1
