"""Seeded data, always ``X, y``: X (n, d) or a list of n objects, y numbers for regression or ±1 for two classes.

n : number of points or objects.  noise : standard deviation added, in the units of y (or of X for classes).
random_state : the same number gives the same data.
"""

from importlib import import_module, resources

import numpy as np

from kernelkit.checks import check_array, check_number, check_whole, generator


def _generator(n, random_state, noise=0):
    check_whole(n, "n", at_least=1)
    check_number(noise, "noise", at_least=0)
    return generator(random_state) or np.random.default_rng()


def sine(n=30, noise=0.1, random_state=0):
    """One input in [−3, 3], y = sin(2x) + noise: an oscillating curve."""
    return _curve(lambda x: np.sin(2 * x), n, noise, random_state)


def cubic(n=30, noise=0.1, random_state=0):
    """One input in [−3, 3], y = (x³ − 4x)/5 + noise: exactly a polynomial of degree 3."""
    return _curve(lambda x: (x**3 - 4 * x) / 5, n, noise, random_state)


def step(n=30, noise=0.1, random_state=0):
    """One input in [−3, 3], y jumps from −1 to 1 at 0: smooth at no scale."""
    return _curve(np.sign, n, noise, random_state)


def _curve(f, n, noise, random_state):
    rng = _generator(n, random_state, noise)
    x = np.sort(rng.uniform(-3, 3, n))
    return x[:, None], f(x) + noise * rng.standard_normal(n)


def interval(n=40, noise=0.0, random_state=0):
    """One input in [−2.1, 2.1]; class +1 inside [−1, 1]: no threshold separates it, x² does."""
    rng = _generator(n, random_state, noise)
    x = rng.uniform(-2, 2, n)
    x += np.where(np.abs(x) < 1, -0.1, 0.1) * np.sign(x)  # a small gap at the two borders
    return (x + noise * rng.standard_normal(n))[:, None], np.where(np.abs(x) < 1, 1, -1)


def half_planes(n=120, noise=0.1, random_state=0):
    """Two inputs; a straight line separates the classes (up to noise)."""
    rng = _generator(n, random_state, noise)
    X = rng.uniform(-2, 2, (n, 2))
    y = np.where(X @ [1.0, 0.8] > 0.2, 1, -1)
    return X + 0.25 * y[:, None] * np.array([1.0, 0.8]) + noise * rng.standard_normal((n, 2)), y


def rings(n=120, noise=0.08, random_state=0):
    """Two inputs; class −1 is a disc and class +1 a ring around it: x1² + x2² separates them."""
    rng = _generator(n, random_state, noise)
    y = np.where(np.arange(n) < n // 2, -1, 1)
    radius = np.where(y < 0, 0.8 * np.sqrt(rng.uniform(0, 1, n)), rng.uniform(1.4, 1.8, n))
    angle = rng.uniform(0, 2 * np.pi, n)
    X = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return X + noise * rng.standard_normal((n, 2)), y


def bullseye(n=120, noise=0.08, random_state=0):
    """Two inputs; class −1 is a small disc and class +1 a far ring around it: groups without a mean between them."""
    rng = _generator(n, random_state, noise)
    y = np.where(np.arange(n) < n // 2, -1, 1)
    radius = np.where(y < 0, 0.4 * np.sqrt(rng.uniform(0, 1, n)), 1.7)
    angle = rng.uniform(0, 2 * np.pi, n)
    X = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return X + noise * rng.standard_normal((n, 2)), y


def crossing(n=120, noise=0.1, random_state=0):
    """Two inputs; the class is the sign of x1·x2: the product of the inputs separates them."""
    rng = _generator(n, random_state, noise)
    X = rng.uniform(-2, 2, (n, 2))
    X += 0.2 * np.sign(X)
    return X + noise * rng.standard_normal((n, 2)), np.where(X[:, 0] * X[:, 1] > 0, 1, -1)


def moons(n=120, noise=0.12, random_state=0):
    """Two inputs; two half moons around each other: a curve of degree 3 separates them."""
    rng = _generator(n, random_state, noise)
    y = np.where(np.arange(n) < n // 2, -1, 1)
    angle = rng.uniform(0, np.pi, n)
    upper = np.column_stack([np.cos(angle) - 0.5, np.sin(angle) - 0.25])
    X = np.where(y[:, None] < 0, upper, -upper)
    return 1.3 * X + noise * rng.standard_normal((n, 2)), y


def circles(n=120, noise=0.08, random_state=0):
    """Two inputs; class −1 on a circle of radius 0.7 and class +1 on one of radius 1.6."""
    rng = _generator(n, random_state, noise)
    y = np.where(np.arange(n) < n // 2, -1, 1)
    angle = rng.uniform(0, 2 * np.pi, n)
    X = np.where(y < 0, 0.7, 1.6)[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return X + noise * rng.standard_normal((n, 2)), y


def sixteen():
    """Two inputs, 8 points a class, always the same: no line separates them (in the manner of lecture C)."""
    minus = [(-1.9, 0.6), (-1.4, -0.7), (-1.1, 1.3), (-0.6, 0.2), (-0.3, -1.2), (0.3, 0.8), (0.7, 1.6), (1.5, -0.4)]
    plus = [(-1.6, -1.8), (-0.9, -1.5), (0.2, -0.5), (0.6, -1.6), (1.0, 0.5), (1.4, -1.2), (1.7, 1.1), (2.1, 0.2)]
    return np.array(minus + plus), np.repeat([-1, 1], 8)


# Ten means a class, drawn once: around (1, 0) for class −1 and around (0, 1) for class +1
_MEANS = np.array([[1.0, 0.0], [0.0, 1.0]])[:, None] + np.random.default_rng(12).standard_normal((2, 10, 2))
_SPREAD = 1 / 5  # variance of the points around their mean


def mixture(n=200, random_state=0):
    """Two inputs, two classes, each a mixture of ten Gaussians N(m_k, I/5): the data of lecture A's figure (ESL, 2.3).

    The means are drawn once from N((1, 0), I) and N((0, 1), I). ``mixture_bayes`` is the best rule there is.
    """
    rng = _generator(n, random_state)
    y = np.where(np.arange(n) < n // 2, -1, 1)
    centre = _MEANS[(y > 0).astype(int), rng.integers(0, 10, n)]
    return centre + np.sqrt(_SPREAD) * rng.standard_normal((n, 2)), y


def mixture_bayes(X):
    """log p(x | +1)/p(x | −1) of the mixture at each row of X (n, 2): the Bayes rule is its sign."""
    X = check_array(X, "X")
    if X.ndim != 2 or X.shape[1] != 2:
        raise ValueError(f"X must hold points of the plane, (n, 2), got {X.shape}.")
    squares = np.sum((X[:, None, None] - _MEANS) ** 2, axis=-1) / (2 * _SPREAD)
    nearest = squares.min(axis=-1, keepdims=True)
    log_density = np.log(np.exp(nearest - squares).sum(axis=-1)) - nearest[..., 0]
    return log_density[:, 1] - log_density[:, 0]


def mixture_bayes_error(step=0.02):
    """The error of the Bayes rule, ½ ∫ min(p(x | −1), p(x | +1)) dx, by a sum over a grid of that step."""
    low = _MEANS.min(axis=(0, 1)) - 2.5
    high = _MEANS.max(axis=(0, 1)) + 2.5
    axes = [np.arange(a, b, check_number(step, "step", above=0)) for a, b in zip(low, high, strict=True)]
    density = np.zeros((2, len(axes[0]), len(axes[1])))
    for c in (0, 1):
        for m in _MEANS[c]:  # each Gaussian of the plane is a product of two on a line
            u, v = (np.exp(-((t - k) ** 2) / (2 * _SPREAD)) for t, k in zip(axes, m, strict=True))
            density[c] += np.multiply.outer(u, v) / (10 * 2 * np.pi * _SPREAD)
    return float(density.min(axis=0).sum() * step**2 / 2)


def arms(n=90, random_state=0):
    """Two inputs; classes 0, 1, 2 are three arms of a spiral."""
    rng = _generator(n, random_state)
    y = np.arange(n) % 3
    radius = rng.uniform(0.25, 2.2, n)
    angle = 2 * np.pi * y / 3 + 1.2 * radius + 0.2 * rng.standard_normal(n)
    return radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]), y


def blobs(n=90, random_state=0):
    """Two inputs; classes 0, 1, 2 are three round clouds in a row, so that the middle one has no side of its own."""
    rng = _generator(n, random_state)
    y = np.arange(n) % 3
    return np.column_stack([1.3 * (y - 1), 0.6 * (y - 1)]) + 0.42 * rng.standard_normal((n, 2)), y


PRODUCTS = (
    "coffee",
    "filters",
    "mug",
    "kettle",
    "grinder",
    "teapot",
    "toaster",
    "tray",
    "seeds",
    "spade",
    "hose",
    "gloves",
    "flowerpot",
    "rake",
    "soil",
    "shears",
    "bell",
    "pump",
    "tube",
    "bike lamp",
    "lock",
    "helmet",
    "chain",
    "batteries",
    "pen",
    "paper",
    "stapler",
    "folder",
    "ruler",
    "eraser",
    "ink",
    "tape",
    "towel",
    "sunscreen",
    "float",
    "cooler",
    "hat",
    "goggles",
    "parasol",
    "sandals",
)
_BESTSELLERS = [PRODUCTS.index("batteries"), PRODUCTS.index("tape")]


def baskets(n=200, popular=0.6, random_state=0):
    """40 products (``PRODUCTS``) as rows of n buyers, 1 for each who bought it; groups 0, …, 4 of eight products each.

    Every buyer has one group at heart, some of a second, and little of the rest; and whatever the group, a fraction
    ``popular`` of all buyers takes the two bestsellers, batteries and tape.
    """
    check_number(popular, "popular", at_least=0)
    rng = _generator(n, random_state)
    group, (first, second) = np.arange(40) // 8, rng.integers(0, 5, (2, n))
    appeal = np.where(group[:, None] == first, 0.55, np.where(group[:, None] == second, 0.15, 0.03))
    appeal = appeal * rng.uniform(0.6, 1.4, (40, 1))  # of each product
    appeal[_BESTSELLERS] = np.maximum(appeal[_BESTSELLERS], popular)
    return (rng.uniform(size=(40, n)) < appeal).astype(float), group


def _package(module):
    """A module that real data come with, which the library does without; ModuleNotFoundError says what brings it."""
    try:
        return import_module(module)
    except ModuleNotFoundError:
        name, extra = ("scikit-learn", "course") if module.startswith("sklearn") else ("matplotlib", "panels")
        raise ModuleNotFoundError(
            f"These data come inside {name}, which is not installed here. The extra kernelkit[{extra}] has it."
        ) from None


def digits(first=3, second=8):
    """8 × 8 pictures of two handwritten digits as 64 inputs in [0, 1]; class −1 is the first, +1 the second."""
    X, y = _package("sklearn.datasets").load_digits(return_X_y=True)
    kept = (y == first) | (y == second)
    if len(np.unique(y[kept])) < 2:
        raise ValueError(f"first and second must be two of the digits 0 … 9, got {first!r} and {second!r}.")
    return X[kept] / 16, np.where(y[kept] == first, -1, 1)


def iris():
    """Three kinds of iris, 0, 1, 2, by four lengths, each scaled to mean 0 and variance 1."""
    X, y = _package("sklearn.datasets").load_iris(return_X_y=True)
    return (X - X.mean(axis=0)) / X.std(axis=0), y


def petals():
    """Two inputs, the scaled length and width of the petals of three kinds of iris; every second flower."""
    X, y = iris()
    return X[::2, 2:], y[::2]


def breast_cancer():
    """Tumours, malignant −1 and benign +1, by 30 measures, each scaled to mean 0 and variance 1."""
    X, y = _package("sklearn.datasets").load_breast_cancer(return_X_y=True)
    return (X - X.mean(axis=0)) / X.std(axis=0), np.where(y == 0, -1, 1)


def ground(step=4):
    """Two inputs, real ground: kilometres east and north of a corner, row by row; y is the height there in metres.

    step : every step-th point each way of an elevation model of 30 km × 32 km around Jacksboro, Tennessee, whose points
    are 74 m × 93 m apart. It comes inside matplotlib.
    """
    with _package("matplotlib.cbook").get_sample_data("jacksboro_fault_dem.npz") as file:
        y = file["elevation"][::-1][:: check_whole(step, "step", at_least=1), ::step].astype(float)
        dx = step * 111.32 * np.cos(np.radians(36.59)) * file["dx"]
        dy = step * 111.0 * file["dy"]
    north, east = np.mgrid[: y.shape[0], : y.shape[1]]
    return np.column_stack([east.ravel() * dx, north.ravel() * dy]), y.ravel()


def picture(name="china", grey=False):
    """A photograph or a scan as brightness in [0, 1], not points: (rows, columns, 3), or grey (rows, columns).

    name : "china" (a temple, 427 × 640) and "flower", which come inside scikit-learn; "hopper" (Grace Hopper, 600 ×
    512) and "brain" (a scan, 256 × 256, always grey), which come inside matplotlib.  grey : the mean of the
    three colours.
    """
    x = _picture(name) / 255
    return x.mean(axis=2) if grey and x.ndim == 3 else x


def _picture(name):
    """Brightness from 0 to 255 as it comes out of the package."""
    if name in ("china", "flower"):
        return _package("sklearn.datasets").load_sample_image(f"{name}.jpg").astype(float)
    if name not in ("hopper", "brain"):
        raise ValueError(f"name must be 'china', 'flower', 'hopper' or 'brain', got {name!r}.")
    get_sample_data = _package("matplotlib.cbook").get_sample_data
    if name == "hopper":
        with get_sample_data("grace_hopper.jpg") as file:
            return _package("matplotlib.image").imread(file, format="jpg").astype(float)
    with get_sample_data("s1045.ima.gz") as file:
        x = np.frombuffer(file.read(), np.uint16).reshape(256, 256).astype(float)
    return 255 * x / x.max()


HALVES = {  # of the photograph: (top, bottom, left, right) of what is learned from, and of what is tested on
    "temple": ((130, 335, 118, 220), (130, 335, 220, 322)),
    "trees": ((352, 426, 20, 200), (335, 426, 390, 570)),
}


def textures(n=100, size=24, test=False, random_state=0):
    """Patches of the photograph "china", not points: n of its temple (−1), n of its trees (+1), (2n, size, size) and y.

    Each lies anywhere in its region and is turned by any angle; its brightness has mean 0 and variance 1, so that only
    the texture tells which it is.  test : from the right half of the temple and the trees on the right, not the left.
    """
    from scipy.ndimage import map_coordinates

    if not 2 <= check_whole(size, "size") <= 52:
        raise ValueError(f"size must be 2 … 52, or the patches of the trees do not fit, got {size}.")
    rng = _generator(n, random_state)
    x = picture("china", grey=True)
    t = np.arange(size) - (size - 1) / 2
    reach = size / np.sqrt(2)
    patches = []
    for top, bottom, left, right in (halves[int(test)] for halves in HALVES.values()):
        for _ in range(n):
            i = rng.uniform(top + reach, bottom - reach)
            k = rng.uniform(left + reach, right - reach)
            angle = rng.uniform(0, 2 * np.pi)
            c = np.cos(angle)
            s = np.sin(angle)
            rows = i - s * t[None] + c * t[:, None]
            columns = k + c * t[None] + s * t[:, None]
            patches.append(map_coordinates(x, [rows, columns], order=1))
    X = np.array(patches)
    X = X - X.mean(axis=(1, 2), keepdims=True)
    return X / X.std(axis=(1, 2), keepdims=True), np.repeat([-1, 1], n)


# ---- what is not a vector: X is a list of n objects ----------------------------------------------


def languages(stray=0.0, random_state=0):
    """Strings: 73 sentences in English, class −1, and the same in French, class +1, of at most 60 letters and spaces.

    stray : how often a letter is followed by a random one that was typed in by mistake, in [0, 1].
    """
    if check_number(stray, "stray", at_least=0) > 1:
        raise ValueError(f"stray must be a number in [0, 1], got {stray!r}.")
    rng = _generator(1, random_state)
    lines = resources.files("kernelkit").joinpath("english-and-french.txt").read_text(encoding="ascii").splitlines()
    X = lines[::2] + lines[1::2]
    if stray > 0:
        X = ["".join(c + (_LETTERS[rng.integers(26)] if rng.random() < stray else "") for c in x) for x in X]
    return X, np.repeat([-1, 1], len(lines) // 2)


_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def motifs(n=80, gap=2, random_state=0):
    """Strings of 40 letters a, c, g, t, as of DNA, with a motif three times: gatc in class +1, ctag in class −1.

    After each letter of a motif stand none to ``gap`` others, 0, 1 or 2, and in between all is random.
    """
    rng = _generator(n, random_state)
    y = np.where(np.arange(n) < n // 2, -1, 1)
    if check_whole(gap, "gap") > 2:
        raise ValueError(f"gap must be 0, 1 or 2, so that three motifs fit in 40 letters, got {gap!r}.")
    return [_with_motif(rng, "ctag" if c < 0 else "gatc", gap) for c in y], y


def _with_motif(rng, motif, gap):
    def noise(length):
        return "".join(rng.choice([*"acgt"], length))

    planted = ["".join(letter + noise(rng.integers(gap + 1)) for letter in motif) for _ in range(3)]
    free = 40 - sum(map(len, planted))
    before = np.diff(np.sort(rng.integers(0, free + 1, 3)), prepend=0)  # each of them
    return "".join(noise(size) + word for size, word in zip(before, planted, strict=True)) + noise(free - before.sum())


_BASES = ("rice", "beans", "chicken", "fish", "eggs", "potatoes")
_SPICES = ("saffron", "coriander", "thyme", "ginger", "basil", "mint")
_OTHERS = ("salt", "oil", "butter", "onion", "garlic", "lemon", "pepper", "flour", "milk", "honey")


def recipes(n=120, random_state=0):
    """Sets of ingredients from two kitchens, −1 and +1, with the same ingredients equally often in both.

    Each recipe has three bases and the spice that the kitchen puts to each, in the other one another spice; and one to
    three other things. No single ingredient tells the kitchen, a pair does.
    """
    rng = _generator(n, random_state)
    X = []
    y = np.where(np.arange(n) < n // 2, -1, 1)
    for kitchen in (y > 0).astype(int):
        chosen = rng.choice(6, 3, replace=False)
        others = rng.choice(_OTHERS, rng.integers(1, 4), replace=False).tolist()
        X.append({_BASES[i] for i in chosen} | {_SPICES[(i + kitchen) % 6] for i in chosen} | {*others})
    return X, y


def bags(n=60, random_state=0):
    """Bags of 20 to 60 numbers, arrays (size, 1), each drawn from a distribution with its own place, shape and width.

    y is the width, the standard deviation of the distribution, in [0.3, 2]; its place is in [−1, 1], its shape a
    Gaussian, an interval or two points.
    """
    rng = _generator(n, random_state)
    width = rng.uniform(0.3, 2, n)
    X = []
    for w in width:
        size = rng.integers(20, 61)
        shapes = rng.standard_normal(size), rng.uniform(-1, 1, size) * np.sqrt(3), rng.choice([-1.0, 1.0], size)
        X.append((rng.uniform(-1, 1) + w * shapes[rng.integers(3)])[:, None])
    return X, width


def molecules(n=60, random_state=0):
    """Labelled graphs (adjacency, labels): trees of 10 atoms C, on which two N and two O are hung as leaves.

    In class +1 each O hangs beside an N, on the same C; in class −1 every leaf has a C of its own. So all graphs have
    the same numbers of atoms of each kind and of bonds; only who is beside whom tells the class.
    """
    rng = _generator(n, random_state)
    y = np.where(np.arange(n) < n // 2, -1, 1)
    return [_molecule(rng, beside=c > 0) for c in y], y


def _molecule(rng, beside):
    bonds = [(i, rng.integers(max(0, i - 3), i)) for i in range(1, 10)]
    places = np.repeat(rng.choice(10, 2, replace=False), 2) if beside else rng.choice(10, 4, replace=False)
    bonds += [(10 + leaf, place) for leaf, place in enumerate(places)]
    A = np.zeros((14, 14))
    for i, j in bonds:
        A[i, j] = A[j, i] = 1
    order = rng.permutation(14)
    return A[np.ix_(order, order)], "".join(np.array([*10 * "C", *"NONO"])[order])


_NAMES, _VERBS = ("she", "he", "the child", "a thief", "the queen"), ("saw", "met", "drew", "painted", "followed")
_THINGS = ("the man", "a boy", "the dog", "the clown", "a girl")
_TOOLS = ("the telescope", "a brush", "the camera", "a stick", "the mirror")


def parses(n=60, random_state=0):
    """Trees of sentences such as she saw (the man with the telescope), class −1, or (saw the man) with it, class +1.

    The words come from the same lists in both classes: only the tree tells who has the telescope.
    """
    rng = _generator(n, random_state)
    X = []
    y = np.where(np.arange(n) < n // 2, -1, 1)
    for c in y:
        who, verb, thing, tool = (words[rng.integers(5)] for words in (_NAMES, _VERBS, _THINGS, _TOOLS))
        verb = ("V", verb)
        thing = ("NP", thing)
        tool = ("PP", ("P", "with"), ("NP", tool))
        phrase = ("VP", verb, ("NP", thing, tool)) if c < 0 else ("VP", ("VP", verb, thing), tool)
        X.append(("S", ("NP", who), phrase))
    return X, y


def gestures(n=60, noise=0.1, random_state=0):
    """Series (length, 1) of 36 to 41 steps with four bumps: up, down, up, down in class −1, up, up, down, down in +1.

    The bumps come in this order, but each at a time of its own; the length does not depend on the class.
    """
    rng = _generator(n, random_state, noise)
    y = np.where(np.arange(n) < n // 2, -1, 1)
    return [_gesture(rng, [1, -1, 1, -1] if c < 0 else [1, 1, -1, -1], noise) for c in y], y


def _gesture(rng, bumps, noise):
    t = np.linspace(0, 1, rng.integers(36, 42))[:, None]
    times = np.cumsum(0.09 + 0.55 * rng.dirichlet(np.ones(5)))[:4]  # at least 0.09 apart, and from both ends
    x = np.exp(-((t - times) ** 2) / (2 * 0.025**2)) @ bumps + noise * rng.standard_normal(len(t))
    return x[:, None]


WRITERS = tuple(  # (start, transitions) of two Markov chains on 4 states, each state equally often in the long run
    (np.full(4, 0.25), 0.4 * np.roll(np.eye(4), turn, axis=1) + 0.15) for turn in (1, 3)
)


def writings(n=60, random_state=0):
    """Sequences of 15 to 40 of the states 0 … 3, from the chain WRITERS[0], class −1, or WRITERS[1], class +1.

    Both write every state equally often; one often goes on to the next state, the other to the one before.
    """
    rng = _generator(n, random_state)
    y = np.where(np.arange(n) < n // 2, -1, 1)
    X = []
    for start, T in (WRITERS[int(c > 0)] for c in y):
        x = [rng.choice(4, p=start)]
        for _ in range(rng.integers(14, 40)):
            x.append(rng.choice(4, p=T[x[-1]]))
        X.append([int(state) for state in x])
    return X, y


def rankings(n=80, random_state=0):
    """Rankings of ten films, (n, 10) ranks 1 … 10, by two groups of voters, −1 and +1.

    Each group has one favourite order, and half of its voters love just what the others hate: the mean rank of every
    film is the same in both groups. Voters differ by swaps of neighbours.
    """
    rng = _generator(n, random_state)
    y = np.where(np.arange(n) < n // 2, -1, 1)
    orders = np.arange(10), np.array([4, 9, 1, 6, 3, 8, 0, 5, 2, 7])
    X = []
    for c in y:
        order = orders[int(c > 0)][:: rng.choice([-1, 1])].copy()
        for i in rng.integers(0, 9, 12):  # twelve swaps of neighbours
            order[[i, i + 1]] = order[[i + 1, i]]
        X.append(np.argsort(order) + 1)
    return np.array(X), y
