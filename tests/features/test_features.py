"""Theorems about feature maps: what they compute, how many columns, under which names, and what does not fit."""

import copy
import dataclasses
import math
import re
import tracemalloc

import every_kernel
import numpy as np
import pytest
from every_kernel import first
from kernels.random_kernels import NAMES
from sklearn.metrics.pairwise import rbf_kernel

import kernelkit
from kernelkit import MeanMap, Polynomial, Substrings, Subtrees, checks, features
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
from kernelkit.kernels import Bell, ChainProduct, Gaussian, Linear, Quadratic, Subsequences, WeisfeilerLehman

pytestmark = pytest.mark.filterwarnings("error")


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


@pytest.mark.parametrize("phi", MAPS, ids=repr)
def test_every_feature_map_keeps_the_contract(phi, cloud):
    X = every_kernel.taken(phi, cloud(5, 3))
    Phi = phi(X)
    assert Phi.shape == (5, phi.dim(3)) and len(phi.names(3)) == phi.dim(3)
    for x in (X[:1], X[2]):
        assert phi(x).shape[-1] == phi.dim(3) and phi(x).ndim == x.ndim
    np.testing.assert_allclose([phi(x) for x in X], Phi, rtol=1e-14)
    assert not np.shares_memory(Phi, X)
    before = Phi.copy()
    Phi += 1  # it can be written into, and the next call does not notice
    np.testing.assert_array_equal(phi(X), before)
    assert eval(repr(phi), NAMES | {"squares": squares}) == copy.deepcopy(phi) == phi
    assert hash(phi) == hash(copy.deepcopy(phi))
    with pytest.raises(dataclasses.FrozenInstanceError):
        phi.new = 1


def test_the_laws_cover_every_map():
    maps = {getattr(features, name) for name in features.__all__} - {features.FeatureMap}
    of_objects = {type(k.feature_map(**every_kernel.world(k))) for k in every_kernel.WITH_FEATURES}  # the contract's
    known = {type(phi) for phi in MAPS} | of_objects
    assert maps == known == every_kernel.written_below(features.FeatureMap) - {Unary, Binary}, (
        "MAPS needs an example of each map, and features/__init__.py its name"
    )
    assert {Centres, Concatenate, GaussianSeries, Kronecker, Monomials, OrderedMonomials, Scale} <= {
        getattr(kernelkit, name) for name in kernelkit.__all__
    }


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
SPELLED = [(phi, 3) for phi in MAPS if not isinstance(phi, LETTERS)]


@pytest.mark.parametrize(("phi", "d"), [*SPELLED, (Monomials(2), 12)], ids=repr)
def test_names_say_what_the_features_are(phi, d, cloud):
    x = cloud(1, d)[0]
    np.testing.assert_allclose([value_of(name, x) for name in phi.names(d)], phi(x), rtol=1e-5)


@pytest.mark.parametrize(
    ("phi", "d", "names"),
    [
        (Monomials(2), 2, ["1", r"\sqrt{2}\,x_1", r"\sqrt{2}\,x_2", "x_1^2", r"\sqrt{2}\,x_1x_2", "x_2^2"]),
        (OrderedMonomials(2), 2, ["x_1x_1", "x_1x_2", "x_2x_1", "x_2x_2"]),
        (GaussianSeries(1, 1), 1, [r"e^{-\|x\|^2 / 2}", r"e^{-\|x\|^2 / 2}\,x_1"]),
        (ExponentialSeries(2), 1, ["1", "x_1", r"\frac{x_1^2}{\sqrt{2}}"]),
        (Circle(), 1, [r"\cos(2\,\pi\,x_1)", r"\sin(2\,\pi\,x_1)"]),  # a period of 1 is not written
        (Function(squares), 2, [r"\mathrm{squares}(x)_{1}", r"\mathrm{squares}(x)_{2}"]),
        (Compose(Function(squares), Function(squares)), 1, [r"\mathrm{squares}(\mathrm{squares}(x)_{1})_{1}"]),
        (Kronecker(LinearMap([[1, 1]]), LinearMap([[1, -1]])), 2, [r"(x_1 + x_2) \cdot (x_1 - x_2)"]),
        (Scale(2, LinearMap([[1, 1]])), 2, [r"\sqrt{2}\,(x_1 + x_2)"]),
        (LinearMap([[1 - 1e-15, 4e-16, -1 - 1e-15], [0, 0, 0]]), 3, ["x_1 - x_3", "0"]),  # no rounding is shown
        (LinearMap([[1e-20, 2e-20, 0]]), 3, [r"1e-20\,x_1 + 2e-20\,x_2"]),  # small, but not beside others
        (Steps([1, 4]), 1, [r"[x_1 \geq 1]", r"\sqrt{3}\,[x_1 \geq 4]"]),
        (MeanMap(Polynomial(1)).feature_map(), 1, [r"\overline{1}", r"\overline{x_1}"]),
        (Substrings(1).feature_map(over="a "), 1, [r"|x|_{\mathrm{a}}", r"|x|_{\mathrm{\ }}"]),
        (Subsequences(1).feature_map(over="a"), 1, [r"\varphi_{\mathrm{a}}(x)"]),  # 0.5 for each a: not |x|_a
        (Subtrees(0.5).feature_map(over=[("NP", "she")]), 1, [r"0.5^{1/2}\,|x|_{\mathrm{NP(she)}}"]),
        (ChainProduct(2).feature_map(over="H"), 1, [r"p(\mathrm{H}, \mathrm{H})"]),
        (
            WeisfeilerLehman(1).feature_map(over=[(every_kernel.PATH, "COC")]),
            1,
            [rf"|x|_{{\mathrm{{{colour}}}}}" for colour in ("C", "O", "C(O)", "O(CC)")],
        ),
    ],
    ids=repr,
)
def test_names_are_the_lecture_s(phi, d, names):
    assert phi.names(d) == names


def test_names_of_a_quadratic_show_no_rounding():
    assert Quadratic(np.ones((3, 3))).feature_map().names(3) in (["x_1 + x_2 + x_3"], ["-x_1 - x_2 - x_3"])


# ---- what the maps compute --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("phi", "F", "D"),
    [
        *(
            (Monomials(p, c), lambda t, p=p, c=c: (t + c) ** p, lambda d, p=p, c=c: math.comb(d + p - (c == 0), p))
            for p in range(6)
            for c in (0, 0.5, 1)
        ),
        *((OrderedMonomials(p), lambda t, p=p: t**p, lambda d, p=p: d**p) for p in (1, 2, 3, 5)),
        (ExponentialSeries(30), np.exp, lambda d: math.comb(d + 30, 30)),
    ],
    ids=lambda value: "" if type(value) is type(squares) or value is np.exp else repr(value),
)
def test_inner_product_and_slope_are_those_of_one_function(phi, F, D, cloud):
    for d in (1, 2, 5) if phi != ExponentialSeries(30) else (1, 2):
        X, Z = cloud(6, d, scale=0.6), cloud(4, d, seed=1, scale=0.6)
        np.testing.assert_allclose(phi(X) @ phi(Z).T, F(X @ Z.T), rtol=1e-10, atol=1e-11)
        assert phi.dim(d) == D(d)
    t, h = np.array([0.1, 0.7, 2.0]), 1e-5
    np.testing.assert_allclose(phi.slope(t), (F(t + h) - F(t - h)) / (2 * h), rtol=1e-8, atol=1e-10)


def test_centres_are_bells(cloud):
    X, C = cloud(6, 2), cloud(4, 2, seed=1)
    np.testing.assert_allclose(Centres(C, 0.7)(X), rbf_kernel(X, C, gamma=1 / (2 * 0.7**2)), rtol=1e-12)


@pytest.mark.parametrize(("g", "d"), [(np.log, 3), (lambda X: 1 / X, 2)], ids=["log", "1/x"])
def test_a_function_that_is_not_defined_at_zero_has_a_dimension(g, d):
    assert Function(g).dim(d) == d


@pytest.mark.parametrize("degree", [5000, 10_000])
def test_monomials_of_one_variable_may_have_a_high_degree(degree):
    assert Monomials(degree, 0)([1.0]) == OrderedMonomials(degree)([1.0]) == 1
    assert Monomials(10**18, 0).dim(1) == 1 and Monomials(10**18, 0).dim(2) == 10**18 + 1


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


WORDS, MEANS = Substrings(4).feature_map(over="acgt"), MeanMap(Polynomial(5)).feature_map()


@pytest.mark.parametrize(
    ("phi", "X", "x", "D"),
    [
        (Kronecker(WORDS, WORDS), 10 * ["acgt"], ["acgt"], 65_536),
        (MEANS, [np.ones((50, 10))], [np.ones((3, 10))], 3003),
        (MEANS, 100 * [np.ones((1, 10))], [np.ones((1, 10))], 3003),
    ],
    ids=["words", "points", "bags"],
)
def test_maps_of_objects_that_do_not_fit_say_so_too(phi, X, x, D, monkeypatch):
    monkeypatch.setattr(checks, "MAX_BYTES", 10**6)
    with pytest.raises(ValueError, match=rf"^Φ has D = {D:,} features here: for \d+ points that is .* none of them"):
        phi(X)
    assert phi(x).shape == (1, D)
