"""Appendix A1. A formula with a slip and the right one, along the number that is put into both."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import comb, factorial
from types import SimpleNamespace

import numpy as np
from matplotlib.ticker import MaxNLocator

from kernelkit.course.panel.controls import Choice, NoQuestion, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Dots, Line, Text, VLine
from kernelkit.course.panel.numbers import read_off, short
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE

M, LAM = 3, 1.0
LINE = np.linspace(-1.5, 1.5, 7)  # points on a line, for the partial sums
CLOUD = np.array([[1.0, 0.3], [0.6, 0.9], [-0.2, 1.0], [-1.0, -0.4], [-0.5, -1.0], [0.3, -1.0]])
LABELS = np.array([1, 1, 1, -1, -1, -1])


def _monomials(d):
    return comb(d + M - 1, d), comb(d + M - 1, M)


def _constants(c):
    return 1 + 2 * c**2 + c**2, (1 + c) ** 2


def _slope(n):
    return n / (n + LAM), n / (n + n * LAM)


def _squares(n):
    """Points (1, 0), (0, 1), (−1, 0), (0, −1), … in turn, and v = (1, …, 1)."""
    points = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])[np.arange(n) % 4]
    return (points**2).sum(), (points.sum(axis=0) ** 2).sum()


def _width(r):
    return np.exp(-(r**2)), np.exp(-(r**2) / 2)


def _updates(start, keeps):
    """How often the perceptron changes w = (start, 0) until a whole pass keeps it."""
    w, count, changed = np.array([start, 0.0]), 0, True
    while changed:
        changed = False
        for x, y in zip(CLOUD, LABELS, strict=True):
            if not keeps(y * (w @ x)):
                w, count, changed = w + y * x, count + 1, True
    return count


def _perceptron(start):
    return _updates(start, lambda margin: margin >= 0), _updates(start, lambda margin: margin > 0)


def _series(m):
    """The smallest eigenvalue of the Gram matrix of a partial sum: of e^{−s}, and of f(x) e^{xz} f(z)."""
    x, z = LINE[:, None], LINE[None]
    s, f = (x - z) ** 2 / 2, np.exp(-(LINE**2) / 2)
    written = sum((-s) ** j / factorial(j) for j in range(m + 1))
    right = np.outer(f, f) * sum((x * z) ** j / factorial(j) for j in range(m + 1))
    return tuple(np.round(np.linalg.eigvalsh(K)[0], 9) for K in (written, right))


@dataclass(frozen=True)
class Claim:
    """Both forms, f(number) → (with the slip, right); the number's control, name in words and range."""

    both: Callable
    forms: tuple
    name: str
    words: str
    places: tuple
    value: str
    key: tuple  # where the right form stands in the key, and how high both stand, in pixels
    log: bool = False
    where: str = ""  # what the letters of the forms mean, below the picture

    def line(self):
        """The two curves, (2, number of places)."""
        return np.array([self.both(place) for place in self.places], float).T


WHOLE, FINE = tuple(range(1, 9)), tuple(np.round(np.linspace(0, 4, 41), 1).tolist())
QUARTERS = tuple(np.linspace(-2, 2, 17).tolist())
CLAIMS = {
    "monomials of degree 3": Claim(
        _monomials,
        (r"$\genfrac{(}{)}{0}{0}{d+m-1}{d}$", r"$\genfrac{(}{)}{0}{0}{d+m-1}{m}$"),
        "d",
        "inputs d",
        WHOLE,
        "the count",
        (209.5, 338.66),
        log=True,
        where=", with the degree m = 3",
    ),
    "√2·c·x or √(2c)·x": Claim(
        _constants,
        (r"$\sqrt{2}\,c\,x$", r"$\sqrt{2c}\,x$"),
        "c",
        "offset c",
        FINE,
        "k(1, 1)",
        (160, 329.66),
    ),
    "λ or nλ": Claim(
        _slope,
        (r"$X^{\!\top}\!X+\lambda I$", r"$X^{\!\top}\!X+n\lambda I$"),
        "n",
        "points n",
        tuple(range(1, 21)),
        "the weight w (all x = y = 1, λ = 1)",
        (190.5, 329.66),
    ),
    "square first, or sum": Claim(
        _squares,
        (r"$\sum_j\sum_i(v_i\varphi_j(X_i))^2$", r"$\sum_j(\sum_i v_i\varphi_j(X_i))^2$"),
        "points",
        "points n",
        WHOLE,
        "vᵀKv with v = (1, …, 1)",
        (244, 346.66),
    ),
    "σ² or 2σ²": Claim(
        _width,
        (r"$\exp(-r^2/\sigma^2)$", r"$\exp(-r^2/2\sigma^2)$"),
        "r",
        "distance r",
        FINE,
        "k",
        (209, 330.66),
        where=", with σ = 1",
    ),
    "keep w at 0, or not": Claim(
        _perceptron,
        (r"keep $w$ if $y\,w^{\!\top}\!x\geq 0$", r"keep $w$ if $y\,w^{\!\top}\!x>0$"),
        "start",
        "first weight",
        QUARTERS,
        "the number of updates on six points",
        (261.5, 329.66),
    ),
    "series of the Gaussian": Claim(
        _series,
        (r"$\sum_j(-s)^j/j!$", r"$f(x)\,\sum_j(xz)^j/j!\;f(z)$"),
        "m",
        "terms to degree m",
        tuple(range(9)),
        "the smallest eigenvalue for seven points",
        (200, 346.66),
        where=", with s = (x − z)²/2, f(x) = exp(−x²/2)",
    ),
}


def compute(claim, **numbers):
    chosen = CLAIMS[claim]
    number = numbers[chosen.name]
    written, right = (float(value) for value in chosen.both(number))
    lines = chosen.line()
    same = [p for p, a, b in zip(chosen.places, *lines, strict=True) if np.isclose(a, b, rtol=1e-9, atol=1e-9)]
    return SimpleNamespace(
        chosen=chosen,
        number=number,
        written=written,
        right=right,
        lines=lines,
        same=same,
        agree=bool(np.isclose(written, right, rtol=1e-9, atol=1e-9)),
    )


LOOKS = {"slip": (PURPLE, "--", "s"), "right": (GREEN, "-", "o")}


def picture(s):
    places, (written, right) = s.chosen.places, s.lines
    curves = Axes(
        "",
        *_both_axes(s.claim),
        *_drawn(places, written, "slip", len(places) <= 20),
        *_drawn(places, right, "right", len(places) <= 20),
        VLine(s.number, GREY, width=1.2),
        Dots([s.number] * 2, [s.written, s.right], "none", size=12, edge=INK, rim=1.5),
        name="ax",
        place=(0.125, 0.15, 0.85, 0.7),
    )
    key = Axes("", Axis("", 0, 595), Axis("", 0, 380), *_key(s.claim), place=(0.125, 0, 0.85, 1), bare=True)
    return [[curves, key]]


def _drawn(x, y, which, dotted):
    """A curve, and a marker at each of its places where there are few."""
    colour, style, marker = LOOKS[which]
    dots = Dots(x, y, colour, marker=marker, size=5, edge=colour, rim=1) if dotted else None
    return Line(x, y, colour, style=style), dots


@cache
def _both_axes(claim):
    chosen, lines = CLAIMS[claim], CLAIMS[claim].line()
    (first, *_, last), low, high = chosen.places, lines.min(), lines.max()
    x = _axis(chosen.words + chosen.where, first, last, 0.04, 9, whole=True)
    if chosen.log:
        return x, Axis(chosen.value, 0.8, 2 * high, (1, 10, 100), ("1", "10", "100"), log=True)
    return x, _axis(chosen.value, low, high, 0.08, 5, whole=chosen.both is _perceptron)


def _axis(label, first, last, room, most, whole):
    """From a little before the first to a little behind the last, with at most so many steps between its ticks."""
    low, high = first - room * (last - first), last + room * (last - first)
    ticks = [tick for tick in MaxNLocator(most, integer=whole).tick_values(low, high) if low <= tick <= high]
    return Axis(label, low, high, ticks, map(short, ticks))


@cache
def _key(claim):
    """What the curves are, in pixels."""
    chosen = CLAIMS[claim]
    (second, low), marks = chosen.key, []
    for x, which, form in zip((0, second), LOOKS, chosen.forms, strict=True):
        line, _ = _drawn([x, x + 44.8], [low + 4.9] * 2, which, False)
        _, dot = _drawn([x + 22.4], [low + 4.9], which, len(chosen.places) <= 20)
        marks += [line, dot, Text(x + 51.8, low, f"{which}: {form}", LOOKS[which][0], size=13)]
    return marks


def readout(state):
    """At how many places both say the same; not at which, for an exercise asks to find one."""
    return {
        state.chosen.words: short(state.number),
        "computed": state.chosen.value,
        "with the slip": short(state.written),
        "right": short(state.right),
        "places where both agree": f"{len(state.same)} of {len(state.chosen.places)}",
    }


def _tell(state, x, y):
    places = np.asarray(state.chosen.places)
    i = np.abs(places - x).argmin()
    written, right = state.lines[:, i]
    return f"at {short(places[i])}: slip {read_off(written)}, right {read_off(right)}"


CODE = {
    "monomials of degree 3": (
        "from math import comb\n\nd, m = {number}, 3\nprint(comb(d + m - 1, d), comb(d + m - 1, m))"
    ),
    "√2·c·x or √(2c)·x": (
        "import numpy as np\n\nc = {number}  # x = z = 1\n"
        "for linear in (np.sqrt(2) * c, np.sqrt(2 * c)):\n"
        "    phi = np.array([1, linear, c])  # x², x and the constant\n    print(round(phi @ phi, 9))\n"
        "print((1 + c) ** 2)"
    ),
    "λ or nλ": (
        "import numpy as np\n\nn, lam = {number}, 1.0\nx = y = np.ones(n)\n"
        "for penalty in (lam, n * lam):\n    w = x @ y / (x @ x + penalty)\n"
        "    print(w, 'slope of J:', x @ (x * w - y) / n + lam * w)"
    ),
    "square first, or sum": (
        "import numpy as np\n\nPhi = np.array([[1, 0], [0, 1], [-1, 0], [0, -1]])[np.arange({number}) % 4]\n"
        "v = np.ones({number})\nprint(((v[:, None] * Phi) ** 2).sum(), ((v @ Phi) ** 2).sum(), v @ (Phi @ Phi.T) @ v)"
    ),
    "σ² or 2σ²": (
        "import numpy as np\n\nr, sigma = {number}, 1.0\n"
        "print(np.exp(-r**2 / sigma**2), np.exp(-r**2 / (2 * sigma**2)))"
    ),
    "keep w at 0, or not": (
        "import numpy as np\n\nX = np.array({cloud})\ny = np.array([1, 1, 1, -1, -1, -1])\n"
        "for keeps in (lambda m: m >= 0, lambda m: m > 0):\n    w, updates = np.array([{number}, 0.0]), 0\n"
        "    for i in 100 * list(range(6)):\n        if not keeps(y[i] * (w @ X[i])):\n"
        "            w, updates = w + y[i] * X[i], updates + 1\n    print(updates, w)"
    ),
    "series of the Gaussian": (
        "import numpy as np\nfrom math import factorial\n\nx = np.linspace(-1.5, 1.5, 7)\n"
        "s, f, terms = (x[:, None] - x) ** 2 / 2, np.exp(-(x**2) / 2), range({number} + 1)\n"
        "written = sum((-s) ** j / factorial(j) for j in terms)\n"
        "right = np.outer(f, f) * sum(np.outer(x, x) ** j / factorial(j) for j in terms)\n"
        "print(*(round(np.linalg.eigvalsh(K)[0], 9) + 0.0 for K in (written, right)))"
    ),
}


def code(claim, **numbers):
    return CODE[claim].format(number=numbers[CLAIMS[claim].name], cloud=CLOUD.tolist())


def _asks(claim):
    return lambda values: values["claim"] == claim


def _slider(claim, start, step):
    chosen = CLAIMS[claim]
    return Slider(chosen.name, chosen.words, start, chosen.places[0], chosen.places[-1], step, when=_asks(claim))


two_formulas = panel(
    compute,
    picture,
    readout,
    code,
    Choice("claim", "formula", "monomials of degree 3", tuple(CLAIMS)),
    _slider("monomials of degree 3", 2, 1),
    _slider("√2·c·x or √(2c)·x", 3.0, 0.1),
    _slider("λ or nλ", 10, 1),
    _slider("square first, or sum", 4, 1),
    _slider("σ² or 2σ²", 1.0, 0.1),
    _slider("keep w at 0, or not", 0.0, 0.25),
    _slider("series of the Gaussian", 1, 1),
    title="Two formulas, one right",
    shows="The value that both formulas compute, over the number that is put into them: a dashed purple line for the "
    "formula with the slip, a solid green line for the right one. A grey line and two rings are at the chosen number, "
    "and the two formulas are written in the key.",
    tell={"ax": _tell},
    film=("d",),
    scenes={
        "Tried at d = 3": {"claim": "monomials of degree 3", "d": 3},
        "λ or nλ": {"claim": "λ or nλ"},
        "One point only": {"claim": "λ or nλ", "n": 1},
        "The first step": {"claim": "keep w at 0, or not"},
        "A series": {"claim": "series of the Gaussian"},
    },
    question=NoQuestion(because="the text above it asks about a formula that the panel does not show at first"),
)
