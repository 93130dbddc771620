"""Notebook 08. The tube of support vector regression."""

from dataclasses import replace
from functools import cache
from types import SimpleNamespace

import numpy as np

from kernelkit import Gaussian, KernelSVR, datasets
from kernelkit.course.panel.controls import Points, Question, Slider
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import NO_AXIS, Axes, Axis, Dots, Fill, HLine, Line, Live, Segments, Text
from kernelkit.course.panel.numbers import fixed, read_off, short
from kernelkit.course.plots import GREY, INK, PURPLE, sign_colours

GRID = np.linspace(-3.2, 3.2, 161)
RESIDUALS = np.linspace(-3, 3, 241)
LIMITS = (-2.2, 3.0)  # of the outputs
TOL = 1e-6  # of the fit, so that no count hangs on the processor
ROLES = {
    "outside": {"color": INK, "marker": "s", "size": 6.5, "edge": INK, "rim": 1},
    "edge": {"color": "white", "marker": "o", "size": 6.5, "edge": INK, "rim": 1},
    "inside": {"color": GREY, "marker": "x", "size": 5.5, "edge": GREY, "rim": 1.6},
}
WORDS = {"outside": "outside: $|a_i| = C$", "edge": "on its edge", "inside": "inside: $a_i = 0$"}


def loss_of(r, epsilon):
    return np.maximum(0, np.abs(r) - epsilon)


def compute(outlier, C, epsilon, sigma, noise):
    X, y = datasets.sine(24, noise, 2)
    (place,) = outlier
    X, y = np.vstack([X, [[place[0]]]]), np.append(y, place[1])
    model = KernelSVR(Gaussian(sigma), C, epsilon, tol=TOL).fit(X, y)
    a = model.a_
    roles = {"outside": np.abs(a) == C, "edge": (a != 0) & (np.abs(a) < C), "inside": a == 0}
    return SimpleNamespace(
        X=X[:, 0],
        y=y,
        a=a,
        roles=roles,
        r=y - model.predict(X),
        f=model.predict(GRID[:, None]),
        support=model.support_,
    )


SIDE = Axis("", -3.3, 3.3, range(-3, 4), [""] * 7)
EDGE = {"width": 1.2, "style": "--"}


def picture(s):
    low, high = s.f - s.epsilon, s.f + s.epsilon
    curve = Axes(
        "",
        SIDE,
        Axis("", *LIMITS, range(-2, 4)),
        Fill(GRID, high, "#E6E6E6", alpha=1, low=low),
        Line(GRID, low, **EDGE),
        Line(GRID, high, **EDGE),
        Line(GRID, s.f, width=2.4),
        *_points(s, s.X, s.y),
        name="axes",
        place=(0.075, 0.43, 0.555, 0.46),
    )
    pulls = s.a / s.C
    below = Axes(
        "",
        replace(SIDE, label="$x$", names=None),
        Axis("", -1.4, 1.4, (-1, 0, 1), ("$-C$", "0", "$C$"), zero=True),
        HLine(-1, width=1.4, style=":"),
        HLine(1, width=1.4, style=":"),
        Segments((s.X, 0), (s.X, pulls), sign_colours(pulls), width=2),
        *_points(s, s.X, pulls),
        name="low",
        place=(0.075, 0.135, 0.555, 0.205),
    )
    r = np.clip(s.r, -2.95, 2.95)
    loss = Axes(
        "",
        Axis("", -3, 3, range(-3, 4)),
        Axis("", -0.15, 3, range(4)),
        Line(RESIDUALS, loss_of(RESIDUALS, s.epsilon), width=2.4),
        *_points(s, r, np.minimum(loss_of(r, s.epsilon), 2.95)),
        name="shape",
        place=(0.69, 0.43, 0.295, 0.46),
    )
    page = Axes("", NO_AXIS, NO_AXIS, *_legend(), *_counts(s), place=(0, 0, 1, 1), bare=True)
    return [[page, curve, below, loss]]


def _points(s, x, y):
    """The points of each role, and a diamond around the marked one."""
    return [
        *(Dots(x[which], y[which], **ROLES[role]) for role, which in s.roles.items()),
        Dots(x[-1], y[-1], "none", marker="D", size=12, edge=PURPLE, rim=2, clip=False),
    ]


@cache
def _legend():
    """What stands above the pictures and beside them, in parts of the page."""
    return [
        Line([0.075, 0.105], 0.945, width=2.4),
        _word(0.115, 0.945, "the curve $f$", INK),
        Line([0.265, 0.295], 0.945, **EDGE),
        _word(0.305, 0.945, r"the tube $f \pm \varepsilon$", INK),
        Dots(0.485, 0.945, "none", marker="D", size=8, edge=PURPLE, rim=2),
        _word(0.51, 0.945, Live("to drag", "to drag", "marked"), PURPLE),
        Text(0.69, 0.93, "loss of a residual $r$"),
        Text(0.075, 0.355, "dual weights $a_i$: none beyond $\\pm C$"),
        *(Dots(0.675, 0.3 - 0.075 * i, **look) for i, look in enumerate(ROLES.values())),
    ]


def _word(x, y, words, color):
    return Text(x, y, words, color, up="center_baseline", size=11)


def _counts(s):
    """How many points have each role, next to what these look like."""
    colors = {"outside": INK, "edge": INK, "inside": GREY}
    counts = [(f"{which.sum()} {WORDS[role]}", colors[role]) for role, which in s.roles.items()]
    return [_word(0.7, 0.3 - 0.075 * i, *count) for i, count in enumerate(counts)]


def readout(state):
    return {
        "support vectors": f"{len(state.support)} of {len(state.y)}",
        "on the edge of the tube": int(state.roles["edge"].sum()),
        "outside": int(state.roles["outside"].sum()),
        "inside": int(state.roles["inside"].sum()),
        "dual weight of the marked point": read_off(state.a[-1]),
    }


def _tell_curve(state, x, y):
    f = np.interp(x, GRID, state.f)
    tube = f"{fixed(f - state.epsilon)} to {fixed(f + state.epsilon)}"
    return f"f({read_off(x)}) = {fixed(f)}, tube {tube}" if abs(x) <= GRID[-1] else ""


def _tell_pull(state, x, y):
    i = int(np.abs(state.X - x).argmin())
    return f"x = {short(state.X[i])}: a = {read_off(state.a[i])}"


def _tell_loss(state, x, y):
    return f"r = {read_off(x)}: loss {read_off(loss_of(x, state.epsilon))}"


def code(outlier, C, epsilon, sigma, noise):
    x, y = (float(f"{v:.6g}") for v in outlier[0])
    return (
        "import numpy as np\nfrom kernelkit import Gaussian, KernelSVR, datasets\n\n"
        f"X, y = datasets.sine(24, {short(noise)}, 2)\n"
        f"X, y = np.vstack([X, [[{x}]]]), np.append(y, {y})\n"
        f"svr = KernelSVR(Gaussian({short(sigma)}), C={C:.6g}, epsilon={short(epsilon)}, tol={TOL:g}).fit(X, y)\n"
        f"inside, outside = np.sum(svr.a_ == 0), np.sum(abs(svr.a_) == {C:.6g})\n"
        "print(len(svr.support_), inside, outside)"
    )


tube = panel(
    compute,
    picture,
    readout,
    code,
    Points(
        "outlier",
        "move",
        ((0.7, 1.9),),
        (-3.0, -2.0),
        (3.0, 2.8),
        "axes",
        ("x", "y"),
        ("the marked point",),
        more=True,
    ),
    Slider("C", "price C", 1.0, 0.01, 100.0, 0.1, log=True),
    Slider("epsilon", "half-width ε", 0.3, 0.0, 2.0, 0.05),
    Slider("sigma", "width σ", 0.7, 0.3, 2.0, 0.05),
    Slider("noise", "noise", 0.2, 0.0, 0.4, 0.05, more=True),
    title="The tube",
    shows="Above on the left the points over x, the curve, and the tube as a grey band around it; squares are "
    "outside, white circles on the edge, crosses inside, and a diamond is the marked point. Below are the dual "
    "weights as stems between −C and C. On the right is the loss of a residual, with its flat part.",
    tell={"axes": _tell_curve, "low": _tell_pull, "shape": _tell_loss},
    motion=True,
    film=("epsilon",),
    scenes={
        "ε halved": {"epsilon": 0.15},
        "ε doubled": {"epsilon": 0.6},
        "All inside": {"epsilon": 1.7},
        "No tube": {"epsilon": 0.0},
        "Outlier far up": {"outlier": ((0.7, 2.8),)},
        "C too small": {"C": 0.0501187},
        "C large": {"C": 100.0},
    },
    question=Question(
        "What will the curve be like if you make the tube so tall that every point fits inside?",
        ("it keeps its waves", "flat, at the mean of all y", "flat, midway between the extremes"),
        2,
        "Inside the tube no residual costs anything, so w = 0 is best. Then all aᵢ are 0 and f = b. Every b that keeps "
        "all points inside will do, and the middle one is taken. The mean plays no role, because points inside do not "
        "pull.",
        scene="All inside",
    ),
)
