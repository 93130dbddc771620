"""A formula in x and z, as a learner types it, read by a small parser of its own: nothing of it is ever run as Python.

    numbers, x, z, pi, + − * / ** @, < <= > >=, x[0], exp sin cos tanh abs sqrt max min, dot(x, z), norm(x − z)

Points on a line have numbers x and z. In more dimensions they are vectors: x + z, x[0] and exp(x) go coordinate by
coordinate, dot and norm (or x @ z) make a number of them, and a number is what the whole must be.
"""

import ast
import operator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from kernelkit.checks import check_memory, check_same_width, read_points

LONGEST = 200  # characters
HIGHEST = 100.0  # a written power beyond this is a slip of the finger
SIGNS = str.maketrans(
    {  # as people write, and as Python does
        "−": "-",
        "·": "*",
        "×": "*",
        "^": "**",
        "²": "**2",
        "³": "**3",
        "⁴": "**4",
        "π": "pi",
        "₁": "[0]",
        "₂": "[1]",
        "ᵀ": "@",
        "√": "sqrt",
        "≤": "<=",
        "≥": ">=",
    }
)


def dot(x, z):
    return (x * z).sum(axis=-1, keepdims=True)


def norm(x):
    return np.sqrt(dot(x, x))


FUNCTIONS = {  # the numbers of arguments that each takes
    "exp": (np.exp, (1,)),
    "sin": (np.sin, (1,)),
    "cos": (np.cos, (1,)),
    "tanh": (np.tanh, (1,)),
    "abs": (np.abs, (1,)),
    "sqrt": (np.sqrt, (1,)),
    "norm": (norm, (1,)),
    "dot": (dot, (2,)),
    "max": (np.maximum, (2,)),
    "min": (np.minimum, (2,)),
}
OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.MatMult: dot,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
ALLOWED = f"allowed are numbers, x, z, pi, + - * / ** @ < >, x[0], and {', '.join(FUNCTIONS)}"


@dataclass(frozen=True)
class Formula:
    """f(X, Z) → (n, m) from the text of a formula in x and z; a comparison is 1 where it holds and 0 elsewhere.

    Raises ValueError, in one sentence, for a text that is no such formula, and when called for values that are not
    finite or not one number for each pair.

    >>> Formula("max(0, 1 - abs(x - z))")([[0.0], [2.0]], [[0.5]]).tolist()
    [[0.5], [0.0]]
    >>> Formula("dot(x, z)^2")([[1.0, 2.0]], [[3.0, 4.0]]).tolist()
    [[121.0]]
    """

    text: str

    def __post_init__(self):
        _check(self._tree)

    @cached_property
    def _tree(self):
        if not isinstance(self.text, str):
            raise TypeError(f"A formula is a text such as 'exp(-abs(x - z))', got {self.text!r}.")
        text = self.text.strip()
        if not 1 <= len(text) <= LONGEST:
            raise ValueError(f"A formula has 1 to {LONGEST} characters, got {len(text)}.")
        try:
            return ast.parse(text.translate(SIGNS), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            hint = "is a bracket or a sign missing?"
            if set(text) & set("‖|"):
                hint = "write norm(x) for ‖x‖ and abs(x) for |x|."
            raise ValueError(f"{_short(self.text)} is not a formula: {hint}") from None

    def __call__(self, X, Z=None):
        X, _ = read_points(X, "X")
        Z, _ = read_points(X if Z is None else Z, "Z")
        check_same_width(X, Z)
        check_memory(len(X) * len(Z), X.shape[1], f"All pairs of {len(X):,} and {len(Z):,} points are", "use fewer")
        points = {"x": X[:, None, :], "z": Z[None, :, :], "pi": np.array([np.pi])}
        with np.errstate(all="ignore"):
            value = np.asarray(_value(self._tree, points), dtype=float)
        if value.shape[-1] != 1:
            raise ValueError(
                f"{_cut(self.text)} is a vector of {value.shape[-1]} numbers for each pair, not one number: use "
                "dot(x, z), norm(x - z) or x[0]."
            )
        if not np.isfinite(value).all():
            raise ValueError(f"{_cut(self.text)} is not a finite number at all of these points.")
        return np.broadcast_to(value[..., 0], (len(X), len(Z))).copy()


def _cut(text):
    return text if len(text) <= 40 else text[:39] + "…"


def _short(text):
    return repr(_cut(text))


def _refused(node):
    part = _short(ast.unparse(node))
    return ValueError(f"{part} cannot stand in a formula: {ALLOWED}.")


def _check(node):
    """Refuse whatever is not on the list, before anything is computed."""
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            if abs(number) > 1e100:
                raise ValueError(f"{_short(ast.unparse(node))} is too large a number for a formula.")
        case ast.Name(id="x" | "z" | "pi"):
            pass
        case ast.UnaryOp(op=op, operand=operand) if type(op) in OPERATORS:
            _check(operand)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in OPERATORS:
            _check(left)
            _check(right)
            if isinstance(op, ast.Pow):
                _check_power(right)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if type(op) in OPERATORS:
            _check(left)
            _check(right)
        case ast.Subscript(value=ast.Name(id="x" | "z"), slice=ast.Constant(value=int() as i)) if (
            type(i) is int and i >= 0
        ):
            pass
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]) if name in FUNCTIONS:
            _check_call(name, arguments)
        case _:
            raise _refused(node)


def _check_power(exponent):
    """A power is a written number, not too high: x ** z and 9 ** 9 ** 9 are refused."""
    if isinstance(exponent, ast.UnaryOp):
        exponent = exponent.operand
    if not isinstance(exponent, ast.Constant) or abs(exponent.value) > HIGHEST:
        raise ValueError(
            f"The power {_short(ast.unparse(exponent))} is refused: a power is a number up to {HIGHEST:g}; "
            "exp takes everything else."
        )


def _check_call(name, arguments):
    if len(arguments) not in FUNCTIONS[name][1]:
        wanted = " or ".join(map(str, FUNCTIONS[name][1]))
        raise ValueError(f"{name} takes {wanted} argument{'s' * (wanted != '1')}, got {len(arguments)}.")
    for argument in arguments:
        _check(argument)


def _value(node, points):
    """The value of a checked part, an array (…, d) of vectors or (…, 1) of numbers."""
    match node:
        case ast.Constant(value=number):
            return np.array([float(number)])
        case ast.Name(id=name):
            return points[name]
        case ast.UnaryOp(op=op, operand=operand):
            return OPERATORS[type(op)](_value(operand, points))
        case ast.BinOp(left=left, op=op, right=right) | ast.Compare(left=left, ops=[op], comparators=[right]):
            return 1.0 * OPERATORS[type(op)](_value(left, points), _value(right, points))
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=i)):
            if i >= points[name].shape[-1]:
                d = points[name].shape[-1]
                there = "one coordinate, x[0]" if d == 1 else f"{d} coordinates, from x[0] on"
                raise ValueError(f"{name}[{i}] does not exist: the points have {there}.")
            return points[name][..., i : i + 1]
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return FUNCTIONS[name][0](*(_value(argument, points) for argument in arguments))
