"""Notebook 04: all its explorers, and here: which partial sums are kernels, and who votes for the value at z."""

from types import SimpleNamespace

import numpy as np
from matplotlib.patches import Circle

from kernelkit import Gaussian, Linear, datasets
from kernelkit.explorers.base import Explorer
from kernelkit.explorers.controls import Choice, Points, Question, Slider
from kernelkit.explorers.gaussian_fits import basis_or_kernel, wiggle
from kernelkit.explorers.gaussian_series import limit, series, short, typographic
from kernelkit.explorers.gaussian_shapes import COLOURS, combination, landscape
from kernelkit.plots import GREEN, GREY, INK, MARKERS, ORANGE, PURPLE

__all__ = ["basis_or_kernel", "combination", "landscape", "limit", "series", "signs", "votes", "wiggle"]

# ---- which partial sums are kernels? --------------------------------------------------------

TICKS = {-1000: "−1000", -10: "−10", -0.1: "−0.1", 0: "0", 0.1: "0.1", 10: "10", 1000: "1000"}


def exponential_sum(t, degree):
    """Σ_{j ≤ degree} t^j/j!, entry by entry."""
    term, total = np.ones_like(t), np.ones_like(t)
    for j in range(1, degree + 1):
        term = term * t / j
        total = total + term
    return total


def _signs_compute(degree, spread, count):
    X = np.linspace(-spread, spread, count)
    r, f = np.linspace(0, 4, 161), np.exp(-(X**2) / 2)
    in_r2 = exponential_sum(-((X[:, None] - X) ** 2) / 2, degree)
    split = np.outer(f, f) * exponential_sum(np.outer(X, X), degree)
    negative, positive = np.linalg.eigvalsh(in_r2), np.linalg.eigvalsh(split)
    rounding = 1e-12 * count * max(np.abs(negative).max(), 1)
    return SimpleNamespace(
        degree=degree, spread=spread, r=r, k=np.exp(-(r**2) / 2), cut=exponential_sum(-(r**2) / 2, degree),
        in_r2=np.where(np.abs(negative) > rounding, negative, 0),
        split=np.where(np.abs(positive) > rounding, positive, 0),
    )  # fmt: skip


def _signs_build(figure):
    left = figure.add_axes((0.075, 0.14, 0.42, 0.7), xlim=(0, 4), ylim=(-4, 4), xlabel=r"$r$, in units of $\sigma$")
    left.set_title("solid: $k$   dashed: the sum in $r^2$\nkernels with $k(x, x) = 1$ stay in the band", size=11)
    left.axhspan(-1, 1, color=GREEN, alpha=0.13, linewidth=0)
    left.axhline(0, color=INK, linewidth=0.8)
    r = np.linspace(0, 4, 161)
    left.plot(r, np.exp(-(r**2) / 2), color=GREEN, linewidth=3)
    cut = left.plot(r, r, "--", color=ORANGE, animated=True)[0]
    reach = left.axvline(1, color=INK, linestyle=":", linewidth=1.4, animated=True)
    name = left.text(0, 3.5, "", color=INK, animated=True)
    right = figure.add_axes((0.605, 0.14, 0.375, 0.7), xlim=(-0.6, 1.6), ylim=(-9000, 9000))
    right.set_yscale("symlog", linthresh=0.1)
    right.set_yticks(list(TICKS), list(TICKS.values()))
    right.minorticks_off()
    right.set_xticks([0, 1], ["sum in $r^2$", "right split"])
    right.set_title("eigenvalues of the matrix\n(below 0: not a kernel)", size=11)
    right.axhline(0, color=INK, linewidth=0.8)
    below = right.plot([], [], "x", color=ORANGE, ms=9, mew=2, animated=True)[0]
    above = right.plot([], [], "o", color=GREEN, ms=7, alpha=0.7, animated=True)[0]
    return {"cut": cut, "reach": reach, "name": name, "below": below, "above": above}


def _signs_draw(parts, state):
    parts["cut"].set_ydata(np.clip(state.cut, -99, 99))
    widest = 2 * state.spread
    parts["reach"].set_xdata([widest] * 2)
    parts["name"].set(
        text="widest pair",
        y=3.5 if state.degree % 2 else -3.75,  # the dashed curve leaves on the other side
        x=widest + (0.08 if widest < 2.4 else -0.08),
        ha="left" if widest < 2.4 else "right",
    )
    values = np.concatenate([state.in_r2, state.split])
    columns = np.repeat([0.0, 1.0], [len(state.in_r2), len(state.split)])
    parts["below"].set_data(columns[values < 0], values[values < 0])
    parts["above"].set_data(columns[values >= 0], values[values >= 0])


def _signs_describe(state):
    low, n = float(state.in_r2.min()), len(state.in_r2)
    start = (
        f"{n} points from −{state.spread:.2f} to {state.spread:.2f}, σ = 1, series up to degree {state.degree}. In r² "
    )
    if low < 0:
        start += f"the smallest eigenvalue is −{-low:.4g}: not a kernel. "
    elif state.degree == 0:
        start += "only the constant 1 is left: a kernel. "
    else:
        start += "no eigenvalue is negative for these points: pull them apart. "
    return start + "Of the right split f(x)·Σ(xz)ʲ/j!·f(z) none is ever negative: each of its terms is a kernel."


def _signs_code(degree, spread, count):
    return (
        "import numpy as np\nfrom math import factorial\nfrom kernelkit import Gaussian\n\n"
        f"X = np.linspace(-{short(spread)}, {short(spread)}, {count})[:, None]\ns = (X - X.T) ** 2 / 2\n"
        f"in_r2 = sum((-s) ** j / factorial(j) for j in range({degree} + 1))\n"
        f"Phi = Gaussian(1.0).feature_map(degree={degree})(X)\n"
        "print(np.linalg.eigvalsh(in_r2)[0])\nprint(np.linalg.eigvalsh(Phi @ Phi.T)[0])     # 0 up to rounding"
    )


signs = Explorer(
    title="Which partial sums are kernels?",
    controls=(
        Slider("degree", "up to degree m", 0, 0, 7, 1),
        Slider("spread", "points reach to ±", 1.0, 0.2, 2.0, 0.05),
        Slider("count", "number of points", 5, 2, 9, 1),
    ),
    compute=_signs_compute,
    build=_signs_build,
    draw=_signs_draw,
    describe=_signs_describe,
    code=_signs_code,
    scenes={
        "Linear term": {"degree": 1},
        "Two points far apart": {"degree": 2, "spread": 1.5, "count": 2},
        "Looks fine": {"degree": 6, "spread": 0.5, "count": 3},
        "…pulled apart": {"degree": 6, "spread": 2.0, "count": 3},
    },
    question=Question(
        "Cut the series in r² after the linear term, 1 − r²/2σ². Which points give its matrix a negative "
        "eigenvalue?",
        ("none: it is a kernel", "two points more than 2σ apart, or any three on a line", "only very many points"),
        1,
        "Beyond r = 2σ the entry is below −1, too much for two unit vectors; and on three points of a line "
        "it fails at any distance.",
    ),
    size=(7.2, 4.2),
)  # fmt: skip

# ---- who votes? -----------------------------------------------------------------------------

CLOUDS = {"two half planes": "half_planes", "crossing": "crossing", "moons": "moons", "a ring": "rings"}


def _votes_compute(points, data, sigma, neighbours):
    z = np.array(points)[0]
    X, y = getattr(datasets, data)(30)
    near, along = Gaussian(sigma)(X, z), Linear()(X, z)
    distance = np.hypot(*(X - z).T)
    order = np.argsort(distance)
    return SimpleNamespace(
        z=z, X=X, y=y, sigma=sigma, neighbours=neighbours, near=near, along=along, distance=distance,
        share=float(near[order[:neighbours]].sum() / near.sum()), soft=float(near @ y / near.sum()),
        nearest=float(y[order[:neighbours]].mean()), reach=float(distance[order[neighbours - 1]]),
        linear=float(along @ y), loudest=int(np.abs(along).argmax()),
    )  # fmt: skip


def _vote_axes(figure, left, title):
    ax = figure.add_axes(
        (left, 0.125, 0.45, 0.715), aspect="equal", xlim=(-3, 3), ylim=(-3, 3), xticks=[-2, 0, 2], yticks=[-2, 0, 2]
    )
    ax.set_title(title, size=11)
    voices = {
        s: ax.scatter([], [], marker=MARKERS[s], edgecolors=COLOURS[s], linewidths=1.3, animated=True) for s in COLOURS
    }
    star = ax.plot([], [], "*", color=GREEN, mec=INK, ms=17, zorder=5, animated=True)[0]
    return ax, voices, star


def _votes_build(figure):
    near, near_voices, near_star = _vote_axes(
        figure, 0.045, "Gaussian kernel: near points vote\n(dashed: σ, dotted: m nearest)"
    )
    along, along_voices, along_star = _vote_axes(
        figure, 0.54, "linear kernel: points in its direction\n(hollow: votes against its own class)"
    )
    near.set_xlabel("drag the star")
    along.plot(0, 0, "+", color=INK, ms=12)
    circles = [near.add_patch(Circle((0, 0), 1, fill=False, color=c, linestyle=s, linewidth=1.5, animated=True))
               for c, s in ((INK, "--"), (PURPLE, ":"))]  # fmt: skip
    arrow = along.plot([], [], "-", color=GREEN, animated=True)[0]
    silent = along.plot([], [], "--", color=GREY, linewidth=1.5, animated=True)[0]
    return {"near": near, "voices": (near_voices, along_voices), "stars": (near_star, along_star), "circles": circles,
            "arrow": arrow, "silent": silent}  # fmt: skip


def _votes_draw(parts, state):
    loudest = max(np.abs(state.along).max(), 1e-12)
    for voices, weights in zip(parts["voices"], (state.near, state.along / loudest), strict=True):
        for sign, dots in voices.items():
            w = weights[state.y == sign]
            dots.set_offsets(state.X[state.y == sign])
            dots.set_sizes(6 + 320 * np.abs(w))
            dots.set_facecolor([COLOURS[sign] if v >= 0 else "white" for v in w])
    for star in parts["stars"]:
        star.set_data([state.z[0]], [state.z[1]])
    for circle, radius in zip(parts["circles"], (state.sigma, state.reach), strict=True):
        circle.set(center=tuple(state.z), radius=radius)
    parts["arrow"].set_data([0, state.z[0]], [0, state.z[1]])
    across = 9 * np.array([-state.z[1], state.z[0]]) / max(np.hypot(*state.z), 1e-12)
    parts["silent"].set_data([-across[0], across[0]], [-across[1], across[1]])


def _votes_describe(state):
    start = (
        f"z = ({state.z[0]:.2f}, {state.z[1]:.2f}), σ = {state.sigma:.2f}: the {state.neighbours} nearest of "
        f"{len(state.y)} points hold {100 * state.share:.0f} % of the Gaussian votes; the soft vote is "
        f"{state.soft:+.2f}, the vote of those {state.neighbours} alone {state.nearest:+.2f}. "
    )
    if not state.along.any():
        return typographic(start + "The linear kernel is silent: from the origin z has no direction.")
    return typographic(
        start + f"For the linear kernel the loudest point is {state.distance[state.loudest]:.1f} away, and the votes "
        f"add up to {state.linear:+.1f}."
    )


def _votes_code(points, data, sigma, neighbours):
    return (
        "import numpy as np\nfrom kernelkit import Gaussian, Linear, datasets\n\n"
        f"X, y = datasets.{data}(30)\nz = {short(points[0])}\n"
        f"votes = Gaussian({short(sigma)})(X, z)\nprint(votes @ y / votes.sum())     # soft vote\n"
        f"nearest = np.argsort(-votes)[:{neighbours}]\nprint(y[nearest].mean())            # m nearest neighbours\n"
        "print(Linear()(X, z) @ y)         # linear kernel"
    )


votes = Explorer(
    title="Who votes for the value at z?",
    controls=(
        Points("points", "query", ((1.0, 0.6),), (-2.8, -2.8), (2.8, 2.8), "near", ("coordinate 1", "coordinate 2"),
               ("z",)),
        Choice("data", "data", "half_planes", CLOUDS),
        Slider("sigma", "width σ", 0.6, 0.2, 3.0, 0.05),
        Slider("neighbours", "m nearest", 5, 1, 15, 1),
    ),
    compute=_votes_compute,
    build=_votes_build,
    draw=_votes_draw,
    describe=_votes_describe,
    code=_votes_code,
    scenes={
        "Almost one neighbour": {"sigma": 0.2, "neighbours": 1},
        "Everybody votes": {"sigma": 3.0},
        "Far from all": {"points": ((2.8, -2.8),)},
        "Crossing": {"data": "crossing", "points": ((1.2, 1.0),)},
    },
    question=Question(
        "Move z straight away from the origin, to twice its distance. Whose votes change their proportions?",
        ("only the Gaussian kernel's", "only the linear kernel's", "both"),
        0,
        "Xᵢᵀz simply doubles for every i, so only the direction of z counts. For the Gaussian, other points are "
        "near now.",
    ),
    size=(7.2, 4.2),
)  # fmt: skip
