"""Objects without branches, as the panel of all structures shows them: histograms, bags, rankings, chains.

Each says how a line of text is read, which kernel compares two, which features both have, how one is drawn, and what a
click on its drawing makes of the two texts.
"""

from itertools import combinations, product
from math import comb

import numpy as np

from kernelkit import ChainProduct, Intersection, Kendall, MeanMap, Polynomial
from kernelkit.course.explorers.drawing.parts_of_objects import Drawing, Term, checked_words, numbers, width
from kernelkit.course.panel.numbers import fixed, short

LEVELS = 6  # of a histogram


class Histograms:
    """Whole heights; a feature for each bar and each level that it reaches."""

    what = "levels that both bars reach"

    def read(self, text):
        heights = numbers(text, 8, 0, LEVELS)
        if any(h != int(h) for h in heights):
            raise ValueError("The heights here are whole numbers, one step for each level.")
        return tuple(map(int, heights))

    def kernel(self, _):
        return Intersection()

    def object(self, x, z):
        longest = max(len(x), len(z))
        return [*x, *[0] * (longest - len(x))]

    def terms(self, x, z, _):
        dots, others = (list(self._dots(h)) for h in (x, z))
        both = [(j, min(a, b)) for j, (a, b) in enumerate(zip(x, z, strict=False)) if min(a, b)]
        return [
            Term(f"bar {j + 1}: min({x[j]}, {z[j]})", float(h), _low(dots, j, h), _low(others, j, h), h)
            for j, h in both
        ]

    def _dots(self, x):
        return ((j, level) for j, h in enumerate(x) for level in range(1, h + 1))

    def drawn(self, x):
        places = [((j + 0.5) / 8, _height(level)) for j, level in self._dots(x)]
        notes = tuple(((j + 0.5) / 8, 0.07, str(j + 1)) for j in range(8))
        return Drawing(tuple(places), ("",) * len(places), notes=notes)

    def clicked(self, own, other, node, place):
        """A click sets the height of a bar there; on its top it takes one away."""
        j, level = min(int(8 * place[0]), 7), round((place[1] - 0.1) / 0.135)
        heights = [*own, *[0] * (j + 1 - len(own))]
        heights[j] = level - 1 if heights[j] == level else min(level, LEVELS)
        return tuple(max(h, 0) for h in heights), other

    def text(self, x):
        return " ".join(map(str, x))


def _height(level):
    return 0.1 + 0.135 * level


def _low(dots, bar, height):
    """The numbers of the dots of a bar that are not above a height."""
    return frozenset(i for i, (j, level) in enumerate(dots) if j == bar and level <= height)


class Bags:
    """Numbers, a sample of a distribution; the features are the means of 1, √2·t and t²."""

    what = "means of 1, √2·t and t², multiplied"

    def read(self, text):
        return numbers(text, 12, -4, 4)

    def kernel(self, _):
        return MeanMap(Polynomial(2))

    def object(self, x, _):
        return [[t] for t in x]

    def terms(self, x, z, _):
        (m, s), (n, t) = ((np.mean(v), np.mean(np.square(v))) for v in (x, z))
        in_x, in_z = frozenset(range(len(x))), frozenset(range(len(z)))
        named = (
            ("1 · 1", 1.0),
            (f"2 · {fixed(m)} · {fixed(n)}", float(2 * m * n)),
            (f"{fixed(s)} · {fixed(t)}", float(s * t)),
        )
        return [Term(name, value, in_x, in_z) for name, value in named]

    def drawn(self, x):
        heaps, heights = {}, []
        for t in x:
            heaps[round(3 * t)] = heaps.get(round(3 * t), 0) + 1
            heights.append(heaps[round(3 * t)])
        step = min(0.135, 0.8 / max(heights))
        places = [(0.06 + 0.11 * (t + 4), 0.14 + step * height) for t, height in zip(x, heights, strict=True)]
        notes = tuple((0.06 + 0.11 * (t + 4), 0.09, short(t)) for t in (-4, -2, 0, 2, 4))
        return Drawing(tuple(places), ("",) * len(x), notes=notes)

    def clicked(self, own, other, node, place):
        """A click on a number takes it out; elsewhere it puts one in."""
        if node is not None and len(own) > 1:
            return own[:node] + own[node + 1 :], other
        t = min(max(round((place[0] - 0.06) / 0.11 - 4, 1), -4.0), 4.0)
        return (*own, t)[:12], other

    def text(self, x):
        return " ".join(f"{t:g}" for t in x)


class Rankings:
    """Words, the best first; a feature for each pair: which of the two stands first."""

    what = "pairs in the same order, less those in the other"

    def read(self, text):
        items = checked_words(text, 6, 7, "name")
        if len(items) < 2 or len({*items}) < len(items):
            raise ValueError("Rank two names or more, each once, the best first.")
        return tuple(items)

    def kernel(self, _):
        return Kendall()

    def object(self, x, z):
        if {*x} != {*z}:
            raise ValueError("Both must rank the same names.")
        return [1 + x.index(name) for name in sorted(x)]

    def terms(self, x, z, _):
        pairs = comb(len(x), 2)
        found = []
        for a, b in combinations(x, 2):  # a stands before b in x
            sign = 1 if z.index(a) < z.index(b) else -1
            ends = [frozenset((order.index(a), order.index(b))) for order in (x, z)]
            found.append(Term(f"{a}, {b}", sign / pairs, *ends))
        return sorted(found, key=lambda term: -term.value)

    def drawn(self, x):
        apart = 0.0 if max(map(width, x)) < 1 / len(x) else 0.1  # long names stand by turns up and down
        places = [
            (float(np.clip((i + 0.5) / len(x), width(name) / 2, 1 - width(name) / 2)), 0.5 + apart * (-1) ** i)
            for i, name in enumerate(x)
        ]
        notes = ((max(0.5 / len(x), 0.07), 0.28 - apart, "first"), (min(1 - 0.5 / len(x), 0.93), 0.28 - apart, "last"))
        return Drawing(tuple(places), x, notes=notes)

    def clicked(self, own, other, node, place):
        """A click on a name moves it one place to the front."""
        order = [*own]
        if node:
            order[node - 1], order[node] = order[node], order[node - 1]
        return tuple(order), other

    def text(self, x):
        return " ".join(x)


class Chains:
    """P(H after H) and P(H after T) of a chain that starts with either as likely; a feature for each word of three."""

    what = "P(word) under x times P(word) under z"
    steps = ("HH", "HT", "TH", "TT")

    def read(self, text):
        found = numbers(text, 2, 0, 1)
        if len(found) < 2:
            raise ValueError("Write two numbers: how likely H is after H, and after T.")
        return found

    def kernel(self, _):
        return ChainProduct(3)

    def object(self, x, _):
        return [0.5, 0.5], [[x[0], 1 - x[0]], [x[1], 1 - x[1]]]

    def terms(self, x, z, _):
        P, Q = (dict(zip(self.steps, (v[0], 1 - v[0], v[1], 1 - v[1]), strict=True)) for v in (x, z))
        found = []
        for word in map("".join, product("HT", repeat=3)):
            steps = word[:2], word[1:]
            p, q = (0.5 * T[steps[0]] * T[steps[1]] for T in (P, Q))
            both = frozenset(map(self.steps.index, steps))
            found.append(Term(word, p * q, both, both))
        return [term for term in found if term.value]

    def drawn(self, x):
        P = (x[0], 1 - x[0], x[1], 1 - x[1])
        texts = tuple(f"{a} then {b}: {short(p, 2)}" for (a, b), p in zip(self.steps, P, strict=True))
        return Drawing(((0.26, 0.72), (0.74, 0.72), (0.26, 0.3), (0.74, 0.3)), texts)

    def clicked(self, own, other, node, place):
        """A click on a step makes it more likely by a tenth."""
        if node is None:
            return own, other
        more = [*own]
        more[node // 2] = round(min(max(own[node // 2] + (0.1 if node % 2 == 0 else -0.1), 0.0), 1.0), 2)
        return tuple(more), other

    def text(self, x):
        return " ".join(f"{p:g}" for p in x)
