"""How features and kernels are written: the lecture's LaTeX, and the parentheses of both LaTeX and repr."""

import re
from collections import Counter
from math import factorial, isqrt

SUM, PRODUCT, POWER, ATOM = range(4)  # how tightly a formula binds


def pasted(k, minimum, strict=False):
    """repr of a kernel, in parentheses where it binds less tightly than its surroundings."""
    return f"({k!r})" if k.binds < minimum or (strict and k.binds == minimum) else repr(k)


def bracketed(k, x, z, minimum):
    """k(x, z) in LaTeX, in parentheses where it binds less tightly than its surroundings."""
    text = k.latex(x, z)
    return rf"\left({text}\right)" if k.latex_binds < minimum else text


def times(coefficient, name):
    """coefficient · name, without a needless 1."""
    if not coefficient:
        return name
    return coefficient if name == "1" else rf"{coefficient}\,{summand(name)}"


def _outside(text):
    """What stands outside all brackets."""
    depth = 0
    kept = ""
    for character in text:
        depth -= character in ")}"
        kept += character if depth == 0 else ""
        depth += character in "({"
    return kept


def summand(name):
    """The name, in parentheses where it is a sum, to stand in a product."""
    return rf"({name})" if re.search(r"^-| [+-] ", _outside(name)) else name


def single(name):
    """The name, in parentheses where it is a sum, a product or a list, to stand under a power or a transpose."""
    return rf"({name})" if re.search(r"^-| |\\,|,", _outside(name)) else name


def indexed(name, index):
    """The coordinate of this index, x_i: TeX refuses a second index on what has one."""
    name = single(name)
    return rf"({name})_{index}" if "_" in _outside(name) else rf"{name}_{index}"


def transposed(name):
    r"""xᵀ: TeX refuses a second superscript on what has one."""
    name = single(name)
    return rf"({name})^\top" if "^" in _outside(name) else rf"{name}^\top"


def root(value):
    """√value; empty for 1."""
    if value == int(value) and isqrt(int(value)) ** 2 == value:
        return "" if value == 1 else str(isqrt(int(value)))
    return rf"\sqrt{{{value:.6g}}}"


def over_root(name, value):
    """name / √value."""
    return name if value == 1 else rf"\frac{{{name}}}{{{root(value)}}}"


def multinomial(alpha):
    """|α|!/α! of a tuple of indices, the number of orders in which the product can be written."""
    count = factorial(len(alpha))
    for exponent in Counter(alpha).values():
        count //= factorial(exponent)
    return count


def factor(symbol):
    """The symbol, in parentheses where it is more than a letter with an index."""
    return symbol if re.fullmatch(r"[^\W\d](_\{?\d+\}?)?", symbol) else rf"({symbol})"


def monomial(alpha, symbols):
    """x^α for a tuple of indices into symbols."""
    powers = [(symbols[i], e) for i, e in Counter(alpha).items() if symbols[i] != "1"]
    if len(powers) == 1 and powers[0][1] == 1:
        return powers[0][0]
    return "".join(factor(s) if e == 1 else rf"{factor(s)}^{e if e < 10 else f'{{{e}}}'}" for s, e in powers) or "1"


def vector(symbols):
    """The vector whose coordinates these are: x for x_1, x_2, …"""
    return "x" if symbols[0] == "x_1" else ",".join(symbols)


def linear(row, symbols):
    """Σ_i row_i x_i, each row_i to four digits, without those that are rounding beside the largest."""
    rounding = 1e-12 * max(map(abs, row))
    terms = [_term(f"{c:.4g}", symbol) for c, symbol in zip(row, symbols, strict=True) if abs(c) > rounding]
    return " + ".join(terms).replace("+ -", "- ") or "0"


def _term(coefficient, symbol):
    """2 x, x and -x: a 1 is not written."""
    if coefficient == "1":
        return summand(symbol)
    if coefficient == "-1":
        return "-" + summand(symbol)
    return times(coefficient, symbol)


def call(f, fallback, x):
    """f(x), by the function's own LaTeX, its name, or a letter for a lambda."""
    if hasattr(f, "latex"):
        return f.latex(x)
    name = getattr(f, "__name__", fallback)
    if not name.isalpha() or len(name) == 1:
        return f"{name if name.isalpha() else fallback}({x})"
    return rf"\mathrm{{{name}}}({x})"


def squared(r):
    """The square of a length or of a length over a number."""
    return rf"{r}^2" if "/" not in r else rf"({r})^2"


def bell(x, sigma):
    """exp(−‖x‖²/2σ²)."""
    return rf"e^{{-\|{x}\|^2 / {two_sigma_squared(sigma)}}}"


def two_sigma_squared(sigma):
    return "2" if sigma == 1 else rf"(2 \cdot {sigma:g}^2)"


def spelled(element):
    """A letter, a word or a number, upright: what an object is made of."""
    escaped = re.sub(r"([\\{}$%&#_^~])", "?", str(element))  # no command of LaTeX
    return rf"\mathrm{{{escaped}}}".replace(" ", r"\ ")


_LOW = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_HIGH = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def plain(name):
    """A feature's LaTeX name as plain text, for labels that must be drawn fast: √2·x₁x₂."""
    name = re.sub(r"\\frac\{(.*)\}\{(.*)\}$", r"\1/\2", name)
    name = re.sub(r"\\sqrt\{([^}]*)\}", r"√\1", name).replace(r"\,", "·").replace(r" \cdot ", "·")
    name = re.sub(r"_\{?(\d+)\}?", lambda m: m[1].translate(_LOW), name)
    return re.sub(r"\^\{?(\d+)\}?", lambda m: m[1].translate(_HIGH), name)
