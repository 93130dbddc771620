"""What is shown of a feature map is what it computes: the formulas of whole maps, read back as numbers."""

import math
import re
from itertools import combinations_with_replacement

import numpy as np
import pytest

from kernelkit.features import (
    Centres,
    Compose,
    Concatenate,
    ExponentialSeries,
    Function,
    GaussianSeries,
    Identity,
    Kronecker,
    LinearMap,
    Monomials,
    Ones,
    OrderedMonomials,
    Scale,
    Weighted,
)
from kernelkit.kernels import Bell


def first(X):
    return np.asarray(X)[..., 0]


def read_back(formula, x):
    """The features that a formula  factor ( weight x^α )_{|α| ≤ m}  stands for at the point x."""
    factor, weight, base, sign, m = re.fullmatch(
        r"(.*)\\Big\((.*)\\;(.*)\^\\alpha\\Big\)_\{\|\\alpha\| (=|\\le) (\d+)\}", formula
    ).groups()
    sizes = [int(m)] if sign == "=" else range(int(m) + 1)
    point = value(base, x)
    rows = [np.array(a) for size in sizes for a in combinations_with_replacement(range(len(x)), size)]
    counts = [np.bincount(a.astype(int), minlength=len(x)) for a in rows]
    return [value(factor or "1", x) * value(weight, x, count) * math.prod(point**count) for count in counts]


def value(text, x, alpha=(0,)):
    """The number, or the vector, that a piece of LaTeX stands for."""
    text = text.replace(r"|\alpha|", "size").replace(r"\alpha!", "merged").replace("size!", "factorial(size)")
    text = re.sub(r"(\d+)!", r"factorial(\1)", text).replace(r"\|x\|", "norm").replace(r"\,", "").replace(r"\cdot", "*")
    text = re.sub(r"(?<=[}\d])\\tfrac", r" * \\tfrac", text)  # what stands side by side is multiplied
    text = re.sub(r"\\tbinom\{(.*?)\}\{(.*?)\}(?=\d)", r"\\tbinom{\1}{\2} * ", text)
    text = re.sub(r"\\tbinom\{(.*?)\}\{(.*?)\}", r"comb(\1, \2)", text)
    text = text.replace(r"\tfrac", "").replace("}{", ") / (").replace(r"\sqrt", "sqrt").replace("^", "**")
    text = text.replace("{", "(").replace("}", ")")
    scope = {"x": np.array(x), "norm": math.hypot(*x), "e": math.e, "size": sum(alpha)}
    scope |= {name: getattr(math, name) for name in ("comb", "factorial", "sqrt")}
    return eval(text, scope | {"merged": math.prod(math.factorial(e) for e in alpha)})


@pytest.mark.parametrize(
    "phi",
    [
        *(Monomials(p, c) for p in (0, 1, 2, 3, 11) for c in (0, 1, 0.5, 3)),
        *(ExponentialSeries(m) for m in (0, 1, 4)),
        *(GaussianSeries(sigma, m) for sigma in (1, 0.5, 2.0) for m in (0, 1, 3)),
    ],
    ids=repr,
)
def test_formula_of_a_series_gives_its_features(phi, cloud):
    x = cloud(1, 2)[0]
    np.testing.assert_allclose(read_back(phi.latex("x"), x), phi(x), rtol=1e-12)


@pytest.mark.parametrize(
    ("phi", "formula"),
    [
        (Monomials(2, offset=0), r"\Big(\sqrt{\tfrac{2!}{\alpha!}}\;x^\alpha\Big)_{|\alpha| = 2}"),
        (Monomials(2), r"\Big(\sqrt{\tbinom{2}{|\alpha|}\tfrac{|\alpha|!}{\alpha!}}\;x^\alpha\Big)_{|\alpha| \le 2}"),
        (GaussianSeries(1, 4), r"e^{-\|x\|^2 / 2}\,\Big(\tfrac{1}{\sqrt{\alpha!}}\;x^\alpha\Big)_{|\alpha| \le 4}"),
        (OrderedMonomials(3), r"x\otimes x\otimes x"),
        (OrderedMonomials(1), "x"),
        (LinearMap([[1, 2]]), r"R\,x"),
        (Ones(), "1"),
        (Ones(2.0), r"\sqrt{2}"),
        (Centres([[0], [1]], 0.5), r"\big(e^{-\|x - c_j\|^2 / 2\sigma^2}\big)_{j = 1 \dots 2}"),
        (Concatenate(Identity(), Ones(4)), r"\big(x,\; 2\big)"),
        (Kronecker(Identity(), LinearMap([[1]])), r"\big(x \otimes R\,x\big)"),
        (Scale(2, Identity()), r"\sqrt{2}\,x"),
        (Scale(1, Identity()), "x"),
        (Weighted(first, Identity()), r"\mathrm{first}(x)\,x"),
        (Weighted(Bell(1.0), Identity()), r"e^{-\|x\|^2 / 2}\,x"),
        (Function(first), r"\mathrm{first}(x)"),
    ],
    ids=lambda value: repr(value) if not isinstance(value, str) else "",
)
def test_formula_is_the_lecture_s(phi, formula):
    assert phi._repr_latex_() == rf"$\Phi(x) = {formula}$"
    assert phi.latex("z") == re.sub(r"(?<![\\a-z])x", "z", formula)


@pytest.mark.parametrize("outer", [Monomials(2), Monomials(3, 0), OrderedMonomials(2), LinearMap([[1, 1]])], ids=repr)
@pytest.mark.parametrize("inner", [Concatenate(Identity(), Ones(4)), Function(first), Scale(2, Identity())], ids=repr)
def test_formula_of_features_of_features_puts_the_inner_ones_in_place_of_x(outer, inner):
    assert Compose(outer, inner).latex("x") == outer.latex(rf"\big[{inner.latex('x')}\big]")
    assert Compose(outer, Identity()).latex("z") == outer.latex("z")  # x itself needs no brackets
    assert Compose(Identity(), inner).latex("x") == rf"\big[{inner.latex('x')}\big]"
