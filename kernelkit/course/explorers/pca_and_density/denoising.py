"""Notebook 12. A noisy digit, and what linear and kernel PCA leave of it."""

from types import SimpleNamespace

import numpy as np

from kernelkit.course.explorers.data.some_digits import fitted, shuffled
from kernelkit.course.explorers.drawing.shades import whole_frame
from kernelkit.course.panel.controls import Choice, Question, Slider, Switch
from kernelkit.course.panel.explorer import Explorer
from kernelkit.course.panel.numbers import fixed, typed
from kernelkit.course.panel.parts import key, reframed
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
        count=count,
        along=along,
        errors=(error(straight[:-1], clean), error(curved[:-1], clean)),
        noise=error(noisy, clean),
        here=(error(straight[-1], clean), error(curved[-1], clean)),
    )


def build(figure):
    parts, names = {}, ("clean", "noisy", "straight", "curved")
    for i, (name, title) in enumerate(zip(names, ("clean", "noisy", "linear PCA", "kernel PCA"), strict=True)):
        ax = figure.add_axes((0.012 + 0.225 * (i % 2), 0.5 - 0.485 * (i // 2), 0.215, 0.396))
        whole_frame(ax)
        ax.set_title(title, color=(INK, INK, PURPLE, GREEN)[i], pad=4)
        parts[name] = ax.imshow(np.zeros((8, 8)), cmap="gray_r", vmin=0, vmax=1, animated=True)
    return parts | _errors(figure.add_axes((0.56, 0.13, 0.43, 0.77)))


def _errors(ax):
    ax.set(xscale="log", xlim=(1.7, 240), xlabel="number of components", ylabel="mean squared error")
    ax.set_xticks([2, 8, 32, 128], ["2", "8", "32", "128"])
    ax.set_xticks([], minor=True)
    look = {"animated": True}
    lines = [ax.plot([], [], mark, color=colour, ms=6, **look)[0] for mark, colour in (("s-", PURPLE), ("o-", GREEN))]
    noise = ax.axhline(0, color=GREY, linestyle=":", **look)
    key(ax, {"linear": lines[0], "kernel": lines[1], "noisy": noise}, left=0.02, spacing=0.6)
    marks = [ax.plot([], [], m, color=c, ms=9, mec=INK, zorder=4, **look)[0] for m, c in (("s", PURPLE), ("o", GREEN))]
    return {"errors": ax, "lines": lines, "noise": noise, "marks": marks}


def draw(parts, state):
    for name in ("clean", "noisy", "straight", "curved"):
        parts[name].set_data(getattr(state, name).reshape(8, 8))
    for line, mark, errors, here in zip(parts["lines"], parts["marks"], state.errors, state.here, strict=True):
        line.set_data(COUNTS[: len(errors)], errors)
        mark.set_data([min(state.count, 64) if mark is parts["marks"][0] else state.count], [here])
    parts["noise"].set_ydata([state.noise] * 2)
    most = 0.13 if max(state.noise, *state.here, *state.errors[0], *state.errors[1]) < 0.13 else 0.3
    if reframed(parts["errors"], most):
        parts["errors"].set_ylim(0, most)


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


denoising = Explorer(
    title="Noise that no component wants",
    controls=(
        Slider("picture", "picture", 5, 1, 60, 1, more=True),
        Slider("noise", "noise", 0.25, 0.0, 0.5, 0.05, more=True),
        Choice("count", "components", 16, COUNTS),
        Slider("sigma", "width σ", 1.5, 0.5, 10.0, 0.1),
        Switch("along", "the errors of every number", False),
    ),
    compute=compute,
    build=build,
    draw=draw,
    readout=readout,
    shows="Four pictures of one digit: clean, noisy, and what linear PCA and kernel PCA leave of the noisy one. On the "
    "right the mean squared error over the number of components, with purple squares for linear PCA, which has at most "
    "64, green circles for kernel PCA, and a dotted line at the error of the noisy picture.",
    code=code,
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
