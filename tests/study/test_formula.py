"""A formula is computed as it is written, and nothing else is read, let alone run."""

import time

import numpy as np
import pytest

from kernelkit import Gaussian, Laplace, Linear
from kernelkit.study.formula import FUNCTIONS, Formula
from kernelkit.study.validity import witness

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
        ("sin(x + z) / (1 + cos(π·x) ** 2 * cos(pi*z)^2)", None),
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
    if f is None:
        f = lambda x, z: np.sin(x + z) / (1 + np.cos(np.pi * x) ** 2 * np.cos(np.pi * z) ** 2)  # noqa: E731
    np.testing.assert_allclose(K, f(X, Z.T), rtol=1e-14)


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
    assert witness(Formula(text), X)[0] > -1e-12


TEXTS = {
    "": "A formula has 1 to 200 characters, got 0.",
    "x +": "'x +' is not a formula: is a bracket or a sign missing?",
    "x" + " + x" * 60: "A formula has 1 to 200 characters, got 241.",
    "((((((((((x": "'((((((((((x' is not a formula: is a bracket or a sign missing?",
    "‖x - z‖": "'‖x - z‖' is not a formula: write norm(x) for ‖x‖ and abs(x) for |x|.",
    "x = z": "'x = z' is not a formula: is a bracket or a sign missing?",
    "9**9**9**9": "The power '9 ** 9' is refused: a power is a number up to 100; exp takes everything else.",
    "x**1000": "The power '1000' is refused: a power is a number up to 100; exp takes everything else.",
    "x**z": "The power 'z' is refused: a power is a number up to 100; exp takes everything else.",
    "exp(x, z)": "exp takes 1 argument, got 2.",
    "max(x)": "max takes 2 arguments, got 1.",
    "1e200": "'1e+200' is too large a number for a formula.",
}
EVIL = [
    "__import__('os').system('true')",
    "x.__class__",
    "open('f')",
    "exp.__globals__",
    "(lambda: 1)()",
    "[x for x in z]",
    "x if z else 1",
    "print(x)",
    "eval('1')",
    "y",
    "-y",
    "y + 1",
    "1 + y",
    "y < 1",
    "1 < y",
    "max(x, y)",
    "y ** 2",
    "'a'",
    "True",
    "None",
    "x[z]",
    "x[-1]",
    "x[0][0]",
    "exp(x=1)",
    "exp(*x)",
    "1 < x < 2",
    "x and z",
    "not x",
    "x // z",
    "x % z",
    "x << 9",
    "1j",
    "f'{x}'",
    "{x}",
    "x; z",
    "(x, z)",
    "x := 1",
    "exp",
    "...",
    "b'x'",
    "~x",
    "x == z",
    "pi[0]",
    "x[True]",
]


@pytest.mark.parametrize(("text", "sentence"), TEXTS.items(), ids=[t[:20] for t in TEXTS])
def test_what_is_no_formula_is_refused_in_one_sentence(text, sentence):
    with pytest.raises(ValueError) as error:
        Formula(text)
    assert str(error.value) == sentence


@pytest.mark.parametrize("text", EVIL)
def test_nothing_but_the_listed_is_read(text):
    with pytest.raises(ValueError, match=r"^.* (cannot stand in a formula: allowed are .*|is not a formula: .*)[.?]$"):
        Formula(text)


@pytest.mark.parametrize("text", ["-" * 199 + "1", "(" * 90 + "x" + ")" * 90, "((9**99)**99)**99", "-" * 90 + "x**9"])
def test_deep_and_huge_texts_take_no_time(text):
    start = time.process_time()
    try:
        Formula(text)([[1.0]])
    except ValueError as error:
        assert "\n" not in str(error)
    assert time.process_time() - start < 1


@pytest.mark.parametrize(
    ("text", "X", "sentence"),
    [
        ("1 / (x - z)", [[1.0], [2.0]], "1 / (x - z) is not a finite number at all of these points."),
        ("sqrt(x*z)", [[1.0], [-2.0]], "sqrt(x*z) is not a finite number at all of these points."),
        (
            "x * z",
            [[1.0, 2.0]],
            "x * z is a vector of 2 numbers for each pair, not one number: use dot(x, z), norm(x - z) or x[0].",
        ),
        ("x[2] * z[0]", [[1.0, 2.0]], "x[2] does not exist: the points have 2 coordinates, from x[0] on."),
        ("x[5]", [[1.0]], "x[5] does not exist: the points have one coordinate, x[0]."),
        (
            "1 / (x - z)" + " + 1 / (x - z)" * 13,
            [[1.0]],
            "1 / (x - z) + 1 / (x - z) + 1 / (x - z)… is not a finite number at all of these points.",
        ),
    ],
)
def test_values_that_are_no_numbers_are_refused_in_one_sentence(text, X, sentence):
    with pytest.raises(ValueError) as error:
        Formula(text)(X)
    assert str(error.value) == sentence


def test_formulas_are_values():
    assert Formula("x*z") == Formula("x*z") and repr(Formula("x*z")) == "Formula(text='x*z')"
    assert sorted(FUNCTIONS) == ["abs", "cos", "dot", "exp", "max", "min", "norm", "sin", "sqrt", "tanh"]
    with pytest.raises(TypeError, match=r"^A formula is a text such as .*, got 3\.$"):
        Formula(3)
