"""Strings of few letters: Φ and w are small enough to be written down and looked at, and every letter has its vote."""

import numpy as np

from kernelkit import KernelSVM, Precomputed
from kernelkit.course.explorers.drawing.shades import DIVERGING
from kernelkit.course.panel.marks import Boxes, Text

HIDDEN = "\0"  # stands for a letter that matches none


def amounts(strings, length, decay, letters):
    """Φ (n, letters^length): how much of each word is in each string, as in ``Subsequences(length, decay)``.

    decay None : only words without gaps, counted, as in ``Substrings(length)``. ``spelled`` tells which word is where.
    """
    s, grows, stays = len(letters), decay or 1.0, decay or 0.0
    places = numbers(strings, letters)
    begun = [np.ones((len(strings), 1)), *(np.zeros((len(strings), s**q)) for q in range(1, length + 1))]
    Phi = begun[length]  # begun[q]: words of q letters, each span up to the letter read last; the ends are Φ
    for place in places.T:
        rows = np.flatnonzero(place < s)
        for q in range(length, 0, -1):  # the word u with the letter c behind it has the number c s^(q − 1) + that of u
            if q < length:
                begun[q] *= stays
            begun[q].reshape(len(strings), s, -1)[rows, place[rows]] += grows * begun[q - 1][rows]
    return Phi


def numbers(strings, letters):
    """The number of each letter, (n, longest); what is none of them, or behind the end, has the last: len(letters)."""
    number = {c: i for i, c in enumerate(letters)}
    places = np.full((len(strings), max(map(len, strings), default=0)), len(letters))
    for row, x in zip(places, strings, strict=True):
        row[: len(x)] = [number.get(c, len(letters)) for c in x]
    return places


def spelled(j, length, letters):
    """The word of column j of ``amounts``."""
    return "".join(letters[j // len(letters) ** q % len(letters)] for q in range(length))


def sizes(Phi):
    """‖Φ(x)‖ of each row, (n, 1); ∞ where that is 0, so that what is divided by it is 0."""
    size = np.sqrt(np.einsum("ij,ij->i", Phi, Phi))[:, None]
    return np.where(size > 0, size, np.inf)


def machine(K, y, C):
    """A support vector machine on a Gram matrix, so exact that every processor finds the same words first."""
    return KernelSVM(Precomputed(), C, tol=1e-6).fit(K, y)


def votes(x, w, length, decay, letters):
    """How much each letter of x adds to wᵀΦ(x)/‖Φ(x)‖, (|x|,): together all of it.

    What is lost when a letter is hidden belongs to the readings that use it; each of them uses ``length`` letters.
    """
    Phi = amounts(each_hidden(x), length, decay, letters)
    f = Phi @ w / sizes(Phi[:1])[0]
    return (f[0] - f[1:]) / length


def each_hidden(x):
    """x, and x with each of its letters hidden."""
    return [x, *(x[:i] + HIDDEN + x[i + 1 :] for i in range(len(x)))]


def in_units(most, size):
    """A dress for axes in which letters that are all as wide take one unit each: there is room for so many."""

    def dress(ax):
        text = ax.text(0, 0, "m" * most, family="monospace", size=size)
        ax.set_xlim(0, most * ax.bbox.width / text.get_window_extent().width)
        text.remove()

    return dress


def voted(x, votes, half, size):
    """The letters of x on tiles, orange for a vote for class +1, blue for −1, the paler the less; half : of a height.

    Each letter takes one unit in axes that wear ``in_units``.
    """
    most = max(np.abs(votes).max(initial=0), 1e-9)
    tiles = [(i, -half, 1, 2 * half) for i in range(len(x))]
    colours = DIVERGING(0.5 + 0.375 * np.asarray(votes) / most)
    return Boxes(tiles, colours), Text(0, 0, x, up="center", size=size, family="monospace")
