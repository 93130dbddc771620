"""What kernels and feature maps show: the lecture's formulas, in TeX that every renderer sets."""

import every_kernel
import pytest
from every_kernel import EXAMPLES, first, sines
from hypothesis import given, settings
from kernels.random_kernels import NAMES, assert_balanced, assert_single_scripts, assert_typesets, finite_with_points

from kernelkit.features import Circle, LinearMap, Monomials, Orders, Steps
from kernelkit.kernels import Alignments, Bell, Conjugate, Exp, MeanMap, Normalized, Periodic, Pullback

pytestmark = pytest.mark.filterwarnings("error")


@pytest.mark.parametrize(
    "text",
    [
        "3 * Linear()**2 + 2 * Linear() + 1",
        "(Linear() + 1) * Linear()",
        "(2 * Linear())**2",
        "Linear() + (Linear() + Linear())",
        "Linear() * (Linear() * Linear())",
        "(Linear()**2)**3",
        "Quadratic([[1.0, 0.0], [0.0, 1.0]])",
        "0.1 * Gaussian(0.5)",
        "Conjugate(first, Linear())",
        "Matern(1.0)",
        "Matern(1, 0.5)",
        "Steps([1.0, 2.0])",
    ],
)
def test_repr_reads_like_the_formula(text):
    assert repr(eval(text, NAMES.copy())) == text


@pytest.mark.parametrize(
    ("k", "formula"),
    [
        ("Linear()", r"x^\top z"),
        ("Polynomial(3)", r"(x^\top z + 1)^{3}"),
        ("Gaussian(1.0)", r"\exp\left(-\frac{\|x - z\|^2}{2}\right)"),
        ("Gaussian(0.5)", r"\exp\left(-\frac{\|x - z\|^2}{2 \cdot 0.5^2}\right)"),
        ("(Linear() + 1) ** 2", r"\left(x^\top z + 1\right)^{2}"),
        ("(Linear() + 1) * Linear()", r"\left(x^\top z + 1\right) \cdot x^\top z"),
        ("FromFeatures(sines) ** 2", r"\left(\Phi(x)^\top \Phi(z)\right)^{2}"),
        ("2 * (3 * Linear())", r"2\cdot 3\,x^\top z"),
        ("2 * Constant(3)", r"2\cdot 3"),
        ("3 * Linear() ** 2", r"3\,\left(x^\top z\right)^{2}"),
        ("Pullback(Linear(), sines) ** 2", r"\left(\mathrm{sines}(x)^\top \mathrm{sines}(z)\right)^{2}"),
        ("Pullback(Linear(), Bell(1.0))", r"(e^{-\|x\|^2 / 2})^\top e^{-\|z\|^2 / 2}"),
        ("Laplace(1.0)", r"\exp\left(-\|x - z\|_1\right)"),
        ("Laplace(0.5)", r"\exp\left(-\|x - z\|_1/0.5\right)"),
        ("Matern(2, 0.5)", r"\exp\left(-\|x - z\|/2\right)"),
        ("Matern(1)", r"\left(1 + \sqrt{3}\,\|x - z\|\right) \exp\left(-\sqrt{3}\,\|x - z\|\right)"),
        ("RationalQuadratic(1, 0.5)", r"\left(1 + \frac{\|x - z\|^2}{2 \cdot 0.5}\right)^{-0.5}"),
        ("Periodic(1.0)", r"\exp\left(-2 \sum_j \sin^2\left(\pi(x_j - z_j)\right)\right)"),
        ("Periodic(0.5, 3)", r"\exp\left(-\frac{2}{0.5^2} \sum_j \sin^2\left(\pi(x_j - z_j)/3\right)\right)"),
        ("Normalized(Linear())", r"\frac{x^\top z}{\sqrt{x^\top x \cdot z^\top z}}"),
        ("Substrings(3)", r"\sum_{|u| = 3} |x|_u\,|z|_u"),
        ("Subsequences(2, 0.5)", r"\sum_{|u| = 2} \sum_{x[i] = u} \sum_{z[j] = u} 0.5^{l(i) + l(j)}"),
    ],
)
def test_formula_is_the_lecture_s(k, formula):
    assert eval(k, NAMES.copy())._repr_latex_() == f"$k(x, z) = {formula}$"


# ---- what TeX refuses -----------------------------------------------------------------------------

RULES = (lambda k: k * k, Normalized, lambda k: Conjugate(Bell(1.0), k), Exp)
MAPS = [
    Circle(1.0),
    Circle(2.0),
    Steps([1, 2]),
    Monomials(2),
    LinearMap([[1, 0, 2], [0, 1, 1]]),
    Orders(),
    sines,
    first,
]


def compositions(k):
    """The kernel, and where it takes vectors pulled back, twice too, and inside kernels of objects."""
    yield k
    if k.points == "vectors":
        yield from (Pullback(k, g) for g in (*MAPS, Bell(1.0)))
        yield from (Pullback(Pullback(k, Circle(1.0)), g) for g in MAPS)
        yield from (Alignments(k), MeanMap(k), Alignments(Pullback(k, Circle(1.0))))


def shown(k, d=3, most=20):
    """All that k and its features show, of many features the first."""
    yield k._repr_latex_()
    try:
        phi = k.feature_map(**every_kernel.world(k))
    except ValueError:  # no finite features
        return
    yield phi._repr_latex_()
    try:
        names = phi.names(d)[:most] if phi.dim(d) <= 300 else []
    except ValueError:  # a matrix or a function that does not take the coordinates that it would get
        return
    yield from (f"${name}$" for name in names)


@pytest.mark.parametrize("example", EXAMPLES, ids=repr)
def test_no_symbol_has_two_subscripts_or_two_superscripts(example):
    for k in [*compositions(example), *compositions(2 * example**2 + example + 1), *(r(example) for r in RULES)]:
        for text in shown(k):
            assert_balanced(text)
            assert_single_scripts(text)


@given(finite_with_points())
def test_what_is_shown_of_a_composition_is_balanced_and_can_be_pasted_back(case):
    k, X, _ = case
    for text in shown(k, X.shape[1]):
        assert_balanced(text)
        assert_single_scripts(text)
    for one in (k, k.feature_map()):
        again = eval(repr(one), NAMES.copy())
        assert again == one and repr(again) == repr(one) and hash(again) == hash(one)


@settings(max_examples=30)
@given(finite_with_points())
def test_formulas_of_compositions_can_be_typeset(case):
    for text in shown(case[0], case[1].shape[1], most=5):
        assert_typesets(text)


@pytest.mark.parametrize("k", [*EXAMPLES, Pullback(Periodic(1.0), Circle(1.0))], ids=repr)
def test_formula_of_every_kernel_can_be_typeset(k):
    assert_balanced(k._repr_latex_())
    assert_typesets(k._repr_latex_())


def test_the_checker_knows_what_tex_refuses():
    for fine in (r"x_1^2", r"{x_1}_2", r"(x_i)_j", r"\frac{x_1}{x_2}_3^4", r"x_{i_j}", r"\big(x_i\big)_j^\top"):
        assert_single_scripts(fine)
    for refused in (r"x_i_j", r"x^2^\top", r"x_{i}_{j}", r"\big(x\big)_j_j", r"\alpha_1^2_3", r"{x}_1_2"):
        with pytest.raises(AssertionError):
            assert_single_scripts(refused)
