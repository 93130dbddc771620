"""A formula is computed as it is written, and nothing else is read, let alone run."""

import re
import time

import numpy as np
import pytest

from kernelkit import Gaussian, Laplace, Linear
from kernelkit.study.formula import Formula

pytestmark = pytest.mark.filterwarnings("error")


@pytest.mark.parametrize(
    ("text", "f"),
    [
        ("x * z", lambda x, z: x * z),
        ("exp(-abs(x - z)**3)", lambda x, z: np.exp(-(abs(x - z) ** 3))),
        ("tanh(x*z - 1)", lambda x, z: np.tanh(x * z - 1)),
        ("max(0, 1 - (x − z)²)", lambda x, z: np.maximum(0, 1 - (x - z) ** 2)),
        ("min(x, z) + 2^-1", lambda x, z: np.minimum(x, z) + 0.5),
        ("abs(x - z) < 1", lambda x, z: 1.0 * (abs(x - z) < 1)),
        ("sin(x + z) / (2 + cos(π·x) * cos(pi*z)³)", lambda x, z: np.sin(x + z) / (2 + cos_pi(x) * cos_pi(z) ** 3)),
        ("sqrt(x**2 * z**2)", lambda x, z: abs(x * z)),
        ("-norm(x - z)", lambda x, z: -abs(x - z)),
        ("dot(x, z) + x @ z", lambda x, z: 2 * x * z),
        ("xᵀz - 1 + x₁² * z₁^2 + √(x⁴ + z⁴)", lambda x, z: x * z - 1 + x**2 * z**2 + np.sqrt(x**4 + z**4)),
        (" " * 300 + "x·z", lambda x, z: x * z),
        ("+3", lambda x, z: 3 + 0 * x * z),
        ("x[0] * z[0] >= 1e-3", lambda x, z: 1.0 * (x * z >= 1e-3)),
    ],
)
def test_on_a_line_a_formula_is_what_is_written(text, f, cloud):
    X, Z = cloud(5, 1), cloud(4, 1, seed=1)
    K = Formula(text)(X, Z)
    assert K.shape == (5, 4) and K.dtype == float
    np.testing.assert_allclose(K, f(X, Z.T), rtol=1e-14)


def cos_pi(x):
    return np.cos(np.pi * x)


@pytest.mark.parametrize(
    ("text", "k"),
    [
        ("dot(x, z)", Linear()),
        ("(x @ z + 1)^2", (Linear() + 1) ** 2),
        ("exp(-norm(x - z)^2 / 2)", Gaussian(1.0)),
        ("exp(-abs(x[0] - z[0])) * exp(-abs(x[1] - z[1]))", Laplace(1.0)),
    ],
)
def test_in_the_plane_vectors_become_numbers(text, k, cloud):
    X, Z = cloud(5, 2), cloud(4, 2, seed=1)
    np.testing.assert_allclose(Formula(text)(X, Z), k(X, Z), rtol=1e-13)


TEXTS = {
    "": "1 to 200 characters, got 0.",
    "x +": "'x +' is not a formula: is a bracket or a sign missing?",
    "x" + " + x" * 60: "1 to 200 characters, got 241.",
    "((((((((((x": "is a bracket or a sign missing?",
    "‖x - z‖": "write norm(x) for ‖x‖ and abs(x) for |x|.",
    "x = z": "is a bracket or a sign missing?",
    "9**9**9**9": "The power '9 ** 9' is refused: a power is a number up to 100",
    "x**101": "The power '101' is refused",
    "x**z": "The power 'z' is refused",
    "exp(x, z)": "exp takes 1 argument, got 2.",
    "max(x)": "max takes 2 arguments, got 1.",
    "1e200": "'1e+200' is too large a number",
}
FOREIGN = """
    __import__('os').system('true')   x.__class__   open('f')   exp.__globals__   (lambda: 1)()   [x for x in z]
    x if z else 1   print(x)   eval('1')   y   -y   y + 1   1 + y   y < 1   1 < y   max(x, y)   y ** 2   'a'   True
    None   x[z]   x[-1]   x[0][0]   exp(x=1)   exp(*x)   1 < x < 2   x and z   not x   x // z   x % z   x << 9   1j
    f'{x}'   {x}   x; z   (x, z)   x := 1   exp   ...   b'x'   ~x   x == z   pi[0]   x[True]
"""
WORDS = r"(cannot stand in a formula: allowed are|is not a formula:) "


@pytest.mark.parametrize(
    ("text", "words"),
    [(text, re.escape(words)) for text, words in TEXTS.items()]
    + [(text, WORDS) for text in re.split(r"\s{2,}", FOREIGN.strip())],
)
def test_nothing_but_a_formula_is_read(text, words):
    with pytest.raises(ValueError, match=words) as error:
        Formula(text)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("text", ["-" * 199 + "1", "(" * 90 + "x" + ")" * 90, "((9**99)**99)**99", "-" * 90 + "x**9"])
def test_deep_and_huge_texts_take_no_time(text):
    start = time.process_time()
    try:
        Formula(text)([[1.0]])
    except ValueError as error:
        assert "\n" not in str(error)
    assert time.process_time() - start < 1


def test_formulas_are_values():
    assert {Formula("x*z"), Formula("x*z")} == {Formula("x*z")} and repr(Formula("x*z")) == "Formula(text='x*z')"
