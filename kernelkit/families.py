"""Seeded data that are no vectors, always ``X, y``: X a list of n objects, y ±1 for two classes or numbers.

They are asked for as ``datasets.languages()``, ``datasets.recipes()``, …; n is the number of objects, and the same
random_state gives the same data.
"""

from importlib import resources

import numpy as np

from kernelkit.checks import check_number, check_whole, generator


def languages(stray=0.0, random_state=0):
    """Strings: 73 sentences in English, class −1, and the same in French, class +1, of at most 60 letters and spaces.

    stray : how often a letter is followed by a random one that was typed in by mistake, in [0, 1].
    """
    if check_number(stray, "stray", at_least=0) > 1:
        raise ValueError(f"stray must be a number in [0, 1], got {stray!r}.")
    rng = _generator(1, random_state)
    lines = resources.files("kernelkit").joinpath("sentences.txt").read_text(encoding="ascii").splitlines()
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
    return "".join(noise(size) + part for size, part in zip(before, planted, strict=True)) + noise(free - before.sum())


_BASES = ("rice", "beans", "chicken", "fish", "eggs", "potatoes")
_SPICES = ("saffron", "coriander", "thyme", "ginger", "basil", "mint")
_OTHERS = ("salt", "oil", "butter", "onion", "garlic", "lemon", "pepper", "flour", "milk", "honey")


def _generator(n, random_state, noise=0):
    check_whole(n, "n", at_least=1)
    check_number(noise, "noise", at_least=0)
    return generator(random_state) or np.random.default_rng()


def recipes(n=120, random_state=0):
    """Sets of ingredients from two kitchens, −1 and +1, with the same ingredients equally often in both.

    Each recipe has three bases and the spice that the kitchen puts to each, in the other one another spice; and one to
    three other things. No single ingredient tells the kitchen, a pair does.
    """
    rng = _generator(n, random_state)
    X, y = [], np.where(np.arange(n) < n // 2, -1, 1)
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
    X, y = [], np.where(np.arange(n) < n // 2, -1, 1)
    for c in y:
        who, verb, thing, tool = (words[rng.integers(5)] for words in (_NAMES, _VERBS, _THINGS, _TOOLS))
        verb, thing, tool = ("V", verb), ("NP", thing), ("PP", ("P", "with"), ("NP", tool))
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
