"""Notebook 12. A noisy digit, and what linear and kernel PCA leave of it."""

from types import SimpleNamespace

import numpy as np

from kernelkit.course.explorers.data.some_digits import fitted, shuffled
from kernelkit.course.explorers.drawing.shades import digit
from kernelkit.course.panel.controls import Choice, Question, Slider, Switch
from kernelkit.course.panel.explorer import panel
from kernelkit.course.panel.marks import Axes, Axis, Dots, HLine, Line, Text
from kernelkit.course.panel.numbers import fixed, typed
from kernelkit.course.plots import GREEN, GREY, INK, PURPLE

TRAIN, FIRST = 200, 1000  # pictures to learn from; the first of those to clean
ALL = tuple(range(10))
COUNTS = (2, 4, 8, 16, 32, 64, 128, 199)
LINEAR = COUNTS[:6]  # 64 inputs have no more components


def error(Z, x):
    return ((Z - x) ** 2).mean(axis=-1)


def cleaned(model, noisy, counts):
    """The pre-image of the noisy picture from so many components, one row for each count."""
    Y = np.repeat(model.transform(noisy[None]), len(counts), axis=0)
    Y[np.arange(Y.shape[1]) >= np.array(counts)[:, None]] = 0
    return model.inverse_transform(Y)


def compute(picture, noise, count, sigma, along):
    X, y = shuffled()
    clean, name = X[FIRST + picture - 1], int(y[FIRST + picture - 1])
    noisy = clean + noise * np.random.default_rng(picture).standard_normal(64)
    straight = cleaned(fitted(ALL, TRAIN, None, 64), noisy, [*LINEAR * along, min(count, 64)])
    curved = cleaned(fitted(ALL, TRAIN, sigma, COUNTS[-1]), noisy, [*COUNTS * along, count])
    return SimpleNamespace(
        clean=clean,
        noisy=noisy,
        straight=straight[-1],
        curved=curved[-1],
        name=name,
        errors=(error(straight[:-1], clean), error(curved[:-1], clean)),
        noise=error(noisy, clean),
        here=(error(straight[-1], clean), error(curved[-1], clean)),
    )


def picture(s):
    digits = [
        digit("clean", s.clean, _place(0, 0), INK),
        digit("noisy", s.noisy, _place(0, 1), INK),
        digit("linear PCA", s.straight, _place(1, 0), PURPLE),
        digit("kernel PCA", s.curved, _place(1, 1), GREEN),
    ]
    return [[*digits, _errors(s), KEY]]


def _place(row, column):
    return 0.012 + 0.225 * column, 0.5 - 0.485 * row, 0.215, 0.396


def _errors(s):
    """The errors over the number of components, and large markers at those of the pictures."""
    linear, kernel = s.errors
    most = 0.13 if max(s.noise, *s.here, *linear, *kernel) < 0.13 else 0.3
    return Axes(
        "",
        Axis("number of components", 1.7, 240, (2, 8, 32, 128), ("2", "8", "32", "128"), log=True),
        Axis("mean squared error", 0, most),
        *_curve(COUNTS[: len(linear)], linear, PURPLE, "s"),
        *_curve(COUNTS[: len(kernel)], kernel, GREEN, "o"),
        HLine(s.noise, GREY, width=2.0, style=":"),
        Dots(min(s.count, 64), s.here[0], PURPLE, marker="s", size=9, edge=INK, rim=1.0),
        Dots(s.count, s.here[1], GREEN, size=9, edge=INK, rim=1.0),
        name="errors",
        place=(0.56, 0.13, 0.43, 0.77),
    )


def _curve(x, y, colour, marker):
    return Line(x, y, colour), Dots(x, y, colour, marker=marker, size=6, edge=colour, rim=1.0)


def _named(x, words, colour, marker):
    """A piece of a curve, in pixels, and its name."""
    dot = Dots(x + 11.9, 10.826, colour, marker=marker, size=6, edge=colour, rim=1.0)
    return Line([x, x + 23.8], 10.826, colour), dot, Text(x + 30.8, 5.926, words, colour)


KEY = Axes(
    "",
    Axis("", 0, 301, ()),
    Axis("", 0, 30, ()),
    *_named(6.02, "linear", PURPLE, "s"),
    *_named(79.72, "kernel", GREEN, "o"),
    Line([156.92, 180.72], 10.826, GREY, style=":"),
    Text(187.72, 5.926, "noisy", GREY),
    place=(0.56, 0.9, 0.43, 30 / 380),
    bare=True,
)


def readout(state):
    straight, curved = (fixed(e, 3) for e in state.here)
    return {
        "digit": state.name,
        "error of the noisy picture": fixed(state.noise, 3),
        "after linear PCA": straight,
        "after kernel PCA": curved,
        "linear and kernel PCA at their best": " and ".join(map(_smallest, state.errors)) if state.along else None,
    }


def _smallest(errors):
    return f"{fixed(errors.min(), 3)} ({COUNTS[errors.argmin()]} components)"


def _tell_errors(state, x, y):
    if not state.along:
        return f"{state.count}: linear {fixed(state.here[0], 3)}, kernel {fixed(state.here[1], 3)}"
    i = np.abs(np.log(np.array(COUNTS) / x)).argmin()
    linear = f"linear {fixed(state.errors[0][i], 3)}, " if i < len(LINEAR) else ""
    return f"{COUNTS[i]}: {linear}kernel {fixed(state.errors[1][i], 3)}"


def code(picture, noise, count, sigma, along):
    return (
        "import numpy as np\nfrom kernelkit import Gaussian, KernelPCA\n"
        "from kernelkit.course.explorers.data.some_digits import shuffled\n\n"
        f"X, y = shuffled()\nclean = X[{FIRST + picture - 1}]\n"
        f"noisy = clean + {typed(noise)} * np.random.default_rng({picture}).standard_normal(64)\n"
        f"model = KernelPCA(Gaussian({typed(sigma)}), n_components={count}).fit(X[:{TRAIN}])\n"
        "again = model.inverse_transform(model.transform(noisy[None]))[0]\n"
        "print(np.mean((noisy - clean) ** 2).round(3), np.mean((again - clean) ** 2).round(3))"
    )


denoising = panel(
    compute,
    picture,
    readout,
    code,
    Slider("picture", "picture", 5, 1, 60, 1, more=True),
    Slider("noise", "noise", 0.25, 0.0, 0.5, 0.05, more=True),
    Choice("count", "components", 16, COUNTS),
    Slider("sigma", "width σ", 1.5, 0.5, 10.0, 0.1),
    Switch("along", "the errors of every number", False),
    title="Noise that no component wants",
    shows="Four pictures of one digit: clean, noisy, and what linear PCA and kernel PCA leave of the noisy one. On the "
    "right the mean squared error over the number of components, with purple squares for linear PCA, which has at most "
    "64, green circles for kernel PCA, and a dotted line at the error of the noisy picture.",
    film=("count", "sigma"),
    scenes={
        "128 components": {"count": 128},
        "Every number": {"count": 128, "along": True},
        "Narrow": {"sigma": 0.5, "count": 128, "along": True},
        "Wide": {"sigma": 10.0, "count": 128, "along": True},
        "Without noise": {"noise": 0.0, "count": 128, "along": True},
        "Much noise": {"noise": 0.5, "along": True},
    },
    question=Question(
        "σ falls to 0.5, far below the distances between the digits, and 128 components are kept. What does kernel PCA "
        "give back for a noisy digit?",
        ("the noisy digit, with its noise", "the same picture for nearly every digit", "the clean digit"),
        1,
        "Even the nearest known picture is more than 4σ away from this 4, so all kernel values are almost 0. Then the "
        "coordinates say almost nothing about the digit, and nearly every digit comes back as the same picture, which "
        "looks like a 6.",
        scene="Narrow",
    ),
    tell={"errors": _tell_errors},
)
