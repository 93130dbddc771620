"""What is shown of a feature map: the formulas of whole maps. Its names are read back in ``test_features``."""

import re

import pytest
from every_kernel import first
from kernels.random_kernels import NAMES

from kernelkit.features import (
    Compose,
    Concatenate,
    Function,
    Identity,
    LinearMap,
    Monomials,
    Ones,
    OrderedMonomials,
    Scale,
)


@pytest.mark.parametrize(
    ("phi", "formula"),
    [
        ("Monomials(2, offset=0)", r"\Big(\sqrt{\tfrac{2!}{\alpha!}}\;x^\alpha\Big)_{|\alpha| = 2}"),
        ("Monomials(2)", r"\Big(\sqrt{\tbinom{2}{|\alpha|}\tfrac{|\alpha|!}{\alpha!}}\;x^\alpha\Big)_{|\alpha| \le 2}"),
        (
            "Monomials(3, 0.5)",
            r"\Big(\sqrt{\tbinom{3}{|\alpha|}\,0.5^{3-|\alpha|}\tfrac{|\alpha|!}{\alpha!}}"
            r"\;x^\alpha\Big)_{|\alpha| \le 3}",
        ),
        (
            "GaussianSeries(0.5, 4)",
            r"e^{-\|x\|^2 / (2 \cdot 0.5^2)}\,\Big(\tfrac{1}{\sqrt{\alpha!}}\;(x/0.5)^\alpha\Big)_{|\alpha| \le 4}",
        ),
        ("GaussianSeries(1, 4)", r"e^{-\|x\|^2 / 2}\,\Big(\tfrac{1}{\sqrt{\alpha!}}\;x^\alpha\Big)_{|\alpha| \le 4}"),
        ("OrderedMonomials(3)", r"x\otimes x\otimes x"),
        ("OrderedMonomials(1)", "x"),
        ("LinearMap([[1, 2]])", r"R\,x"),
        ("Ones()", "1"),
        ("Ones(2.0)", r"\sqrt{2}"),
        ("Centres([[0], [1]], 0.5)", r"\big(e^{-\|x - c_j\|^2 / 2\sigma^2}\big)_{j = 1 \dots 2}"),
        (
            "Waves([[1, 2], [3, 4], [0, 1]], [0, 1, 2])",
            r"\sqrt{2/3}\;\big(\cos(\omega_j^\top x + b_j)\big)_{j = 1 \dots 3}",
        ),
        ("Landmarks(Linear(), [[0, 1], [1, 0]])", r"K_{CC}^{-1/2}\,\big(c_j^\top x\big)_{j = 1 \dots 2}"),
        ("Concatenate(Identity(), Ones(4))", r"\big(x,\; 2\big)"),
        ("Kronecker(Identity(), LinearMap([[1]]))", r"\big(x \otimes R\,x\big)"),
        ("Scale(2, Identity())", r"\sqrt{2}\,x"),
        ("Scale(1, Identity())", "x"),
        ("Weighted(first, Identity())", r"\mathrm{first}(x)\,x"),
        ("Weighted(Bell(1.0), Identity())", r"e^{-\|x\|^2 / 2}\,x"),
        ("Function(first)", r"\mathrm{first}(x)"),
    ],
)
def test_formula_is_the_lecture_s(phi, formula):
    phi = eval(phi, NAMES.copy())
    assert phi._repr_latex_() == rf"$\Phi(x) = {formula}$"
    assert phi.latex("z") == re.sub(r"(?<![\\a-z])x", "z", formula)


@pytest.mark.parametrize("outer", [Monomials(2), Monomials(3, 0), OrderedMonomials(2), LinearMap([[1, 1]])], ids=repr)
@pytest.mark.parametrize("inner", [Concatenate(Identity(), Ones(4)), Function(first), Scale(2, Identity())], ids=repr)
def test_formula_of_features_of_features_puts_the_inner_ones_in_place_of_x(outer, inner):
    assert Compose(outer, inner).latex("x") == outer.latex(rf"\big[{inner.latex('x')}\big]")
    assert Compose(outer, Identity()).latex("z") == outer.latex("z")  # x itself needs no brackets
    assert Compose(Identity(), inner).latex("x") == rf"\big[{inner.latex('x')}\big]"
