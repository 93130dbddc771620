"""Random kernels on ℝ^d with a feature map small enough to build, and points for them."""

import re
import warnings

import numpy as np
from every_kernel import first, sines
from hypothesis import assume, strategies as st
from matplotlib.mathtext import MathTextParser

import kernelkit
from kernelkit import kernels
from kernelkit.features import LinearMap, Monomials, OrderedMonomials
from kernelkit.kernels import (
    Bell,
    Conjugate,
    Constant,
    FromFeatures,
    Linear,
    Normalized,
    Polynomial,
    Pullback,
    Quadratic,
)

EPS = np.finfo(float).eps


numbers = st.floats(0, 3).map(lambda v: round(v, 3)) | st.sampled_from([0, 1, 2])


FUNCTIONS = {"sines": sines, "first": first}


NAMES = {name: getattr(kernels, name) for name in kernels.__all__} | vars(kernelkit.features) | FUNCTIONS


@st.composite
def matrices(draw, rows, d):
    """Small whole numbers: many of these matrices are singular, some are 0."""
    return draw(st.lists(st.lists(st.integers(-2, 2), min_size=d, max_size=d), min_size=rows, max_size=rows))


@st.composite
def leaves(draw, d):
    kind = draw(st.sampled_from(["linear", "constant", "polynomial", "quadratic", "features", "function", "cosine"]))
    if kind == "linear":
        return Linear()
    if kind == "constant":
        return Constant(draw(numbers))
    if kind == "polynomial":
        return Polynomial(draw(st.integers(0, 3)), draw(numbers))
    if kind == "quadratic":
        R = np.array(draw(matrices(draw(st.integers(1, 3)), d)))
        return Quadratic(R.T @ R)
    if kind == "function":
        return FromFeatures(sines)
    if kind == "cosine":
        return Normalized(Polynomial(draw(st.integers(0, 2)), 1))
    phi = [Monomials(2, draw(numbers)), OrderedMonomials(2), LinearMap(draw(matrices(2, d)))]
    return FromFeatures(draw(st.sampled_from(phi)))


@st.composite
def finite(draw, d, depth=2):
    """A kernel on ℝ^d with finitely many features, composed at most ``depth`` times."""
    kind = draw(st.sampled_from(["leaf", "+", "*", "c*", "**", "conjugate", "pullback"] if depth else ["leaf"]))
    if kind == "leaf":
        return draw(leaves(d))
    if kind == "pullback":
        e = draw(st.integers(1, 3))
        g, e = draw(st.sampled_from([(sines, 2), (LinearMap(draw(matrices(e, d))), e)]))
        return Pullback(draw(finite(e, depth - 1)), g)
    k = draw(finite(d, depth - 1))
    if kind == "+":
        return k + draw(finite(d, depth - 1) | numbers)
    if kind == "*":
        return k * draw(finite(d, depth - 1))
    if kind == "c*":
        return draw(numbers) * k
    if kind == "**":
        return k ** draw(st.integers(0, 3))
    return Conjugate(draw(st.sampled_from([first, Bell(2.0)])), k)


@st.composite
def points(draw, d):
    """One to five read-only points of ℝ^d, with zeros and repetitions among them."""
    coordinate = st.floats(-3, 3).map(lambda v: round(v, 2)) | st.sampled_from([0.0, 1.0, -1.0])
    X = np.array(draw(st.lists(st.lists(coordinate, min_size=d, max_size=d), min_size=1, max_size=5)))
    X.setflags(write=False)
    return X


@st.composite
def finite_with_points(draw):
    d = draw(st.integers(1, 3))
    k = draw(finite(d))
    assume(k.dim(d) <= 1500)
    return k, draw(points(d)), draw(points(d))


def scale(k, X, Z=None):
    """√(k(x,x) k(z,z)): how large k(x, z) can be, and so what its rounding is measured by."""
    return np.sqrt(np.outer(k.diag(X), k.diag(X if Z is None else Z)))


def agree(A, B, size, tol):
    np.testing.assert_array_less(np.abs(np.subtract(A, B)), tol * size + 1e-300)


def assert_balanced(text):
    depth = 0
    for character in text:
        depth += {"{": 1, "}": -1}.get(character, 0)
        assert depth >= 0, text
    assert depth == 0 and text.count("$") % 2 == 0, text
    assert text.count(r"\left") == text.count(r"\right"), text


def assert_single_scripts(text):
    """TeX refuses a second subscript or superscript on the same symbol: x_i_j, and also {…}_i_j, but not {x_i}_j."""
    outer, scripts, argument = [], set(), False
    for token in re.findall(r"\\[A-Za-z]+|\\.|\S", text):
        if token in ("_", "^"):
            assert token not in scripts and not argument, text
            scripts.add(token)
            argument = True
        elif token == "{":  # an argument leaves the scripts of its symbol as they are, any other group is a new symbol
            outer.append(scripts if argument else set())
            scripts, argument = set(), False
        elif token == "}":
            scripts = outer.pop()
        elif argument:
            argument = False
        else:
            scripts = set()


def assert_typesets(text):
    """matplotlib knows a part of LaTeX: of what is written here all but fractions in small type and big brackets."""
    known = {r"\tfrac": r"\frac", r"\tbinom": r"\binom", r"\big": "", r"\Big": "", r"\le ": r"\leq "}
    for unknown, command in known.items():
        text = text.replace(unknown, command)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # Matplotlib 3.10 calls pyparsing by its old names
        MathTextParser("agg").parse(text)
