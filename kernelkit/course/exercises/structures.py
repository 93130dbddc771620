"""Checks of the exercises of notebook 15."""

from collections import Counter
from itertools import combinations, combinations_with_replacement, permutations
from math import comb, prod
from operator import eq

import numpy as np

from kernelkit import Polynomial
from kernelkit.course.exercises.base import (
    Mistake,
    Unsolved,
    array_like,
    challenge,
    close,
    cut,
    exercise,
    expect,
    number,
    summary_of,
)
from kernelkit.course.explorers.data.some_graphs import read_graph
from kernelkit.course.explorers.structures import alignment, baskets, common_parts, refinement


@exercise("Common pairs")
def common_pairs(trial):
    """m(m − 1)/2 for m = |A ∩ B|."""
    A = _others(trial, {*"abcdefghz"})
    B = _others(trial, {*"bcdefghijk"})
    m = len(A & B)
    right = _pairs(A & B)
    mine = number(trial.ask(set(A), set(B)))
    trial.expect_none_of(
        mine,
        np.isclose,
        elements=(m, "this is |A ∩ B|, the common elements; count pairs of them."),
        subsets=(2**m, "these are the common sets of any size, 2^|A ∩ B|; a pair has two elements."),
        squared=(m * m, "this is |A ∩ B|²: it counts {a, b} and {b, a} as two, and each element with itself."),
        ordered=(m * (m - 1), "you count each pair twice: {a, b} is {b, a}."),
        with_itself=(m * (m + 1) / 2, "you count each element with itself: a pair has two elements."),
        product=(_pairs(A) * _pairs(B), "this multiplies how many pairs each set has; a pair must be in both."),
        across=(
            len(A) * len(B),
            len(A) * len(B) - m,
            "this pairs an element of A with one of B; both must be in both.",
        ),
        union=(_pairs(A | B), "these are the pairs of the union; a pair must be in both sets."),
        one_set=(_pairs(A), _pairs(B), "these are the pairs of one set; a pair must be in both."),
    )
    upwards = range(0, 24, 8)  # Python goes through the sets of these two in opposite orders
    of_three = [number(trial.ask({*upwards}, {*order})) for order in (upwards, upwards[::-1])]
    if mine != 0 and of_three == [3, 0]:
        sentence = "(a, b) and (b, a) are one pair, and a set has no order: sort its elements first."
        raise Mistake("ordered_pairs", sentence)
    expect(np.isclose(mine, right), "wrong_count", f"it should be {right} here, yours is {mine:g}.")
    for P, Q in (({"a"}, {"a", "b"}), (set(), {"a"}), ({1, 2, 3, 4, 5}, {1, 2, 3, 4, 5})):
        right = _pairs(P & Q)
        again = number(trial.ask(set(P), set(Q)))
        sentence = f"for sets of {len(P)} and {len(Q)} elements it should be {right}, yours is {again:g}."
        expect(np.isclose(again, right), "other_sets", sentence)


def _others(trial, letters):
    """The letters that are shown, or, hidden, fewer and then more of the first twelve."""
    rng = trial.draws(len(letters))
    return (
        {*rng.choice([*"abcdefghijkl"], trial.size(len(letters)), replace=False).tolist()} if trial.round else letters
    )


def _pairs(elements):
    """m(m − 1)/2 pairs of m elements."""
    return len(elements) * (len(elements) - 1) // 2


common_pairs.right = lambda A, B: _pairs(A & B)
common_pairs.wrong = {
    "elements": lambda A, B: len(A & B),
    "subsets": lambda A, B: 2 ** len(A & B),
    "squared": lambda A, B: len(A & B) ** 2,
    "ordered": lambda A, B: len(A & B) * (len(A & B) - 1),
    "with_itself": lambda A, B: sum(range(len(A & B) + 1)),
    "product": lambda A, B: _pairs(A) * _pairs(B),
    "across": [lambda A, B: len(A) * len(B), lambda A, B: sum(a != b for a in A for b in B)],
    "union": lambda A, B: _pairs(A | B),
    "one_set": [lambda A, B: _pairs(A), lambda A, B: _pairs(B)],
    "ordered_pairs": lambda A, B: len({*combinations(A, 2)} & {*combinations(B, 2)}),
    "wrong_count": [
        lambda A, B: comb(len(A & B), 3),
        lambda A, B: len(A ^ B),  # 0 for two equal sets, like ordered pairs
    ],
    "other_sets": lambda A, B: 21,
}
common_pairs.scenes = {
    "elements": (baskets, "One more in common"),
    "subsets": (baskets, "One more in common"),
}


@exercise("All bags at once")
def of_bags(trial):
    """AᵀKA with A_ib = [i is in bag b]/size of b."""
    X = trial.changed(np.array([[0.5], [2.0], [-1.0], [1.5], [3.0], [0.2]]))
    bag = trial.reordered(np.array([1, 0, 2, 1, 1, 0]))
    K = Polynomial(2)(X)
    inside = (bag[:, None] == np.arange(3)).astype(float)
    sizes = inside.sum(axis=0)
    A = inside / sizes
    right = A.T @ K @ A
    mine = array_like(trial.ask(K, bag), (3, 3), "the matrix")
    sums = inside.T @ K @ inside
    lengths = np.sqrt(sums.diagonal())
    squares = right.diagonal()
    pairs = "of two bags there are |x|·|z| pairs."
    trial.expect_none_of(
        mine,
        close,
        sums=(sums, "these are sums over all pairs; a mean divides by how many pairs there are."),
        one_size=(sums / sizes, sums / sizes[:, None], f"you divided by the size of one bag only: {pairs}"),
        all_pairs=(sums / len(K) ** 2, f"you divided by n²; {pairs}"),
        all_points=(sums / len(K), f"you divided by n; {pairs}"),
        cosine=(sums / np.outer(lengths, lengths), "this is the cosine, not the mean."),
        distance=(
            np.add.outer(squares, squares) - 2 * right,
            "this is the squared distance of the means, but the exercise asks for their inner product.",
        ),
    )
    own = inside.T @ K.diagonal()  # the sums of k(x, x) in each bag
    expect(
        not close(mine.diagonal(), own / sizes),
        "own_points",
        "on the diagonal you pair each number with itself only; all pairs inside a bag count.",
    )
    others = sums.diagonal() - own
    expect(
        not close(mine.diagonal()[:2], others[:2] / (sizes * (sizes - 1))[:2]),
        "never_itself",
        "inside a bag each number meets itself, too: all |x|² pairs count.",
    )
    wrong = np.argwhere(~np.isclose(mine, right, rtol=1e-6))
    if len(wrong):
        i, j = wrong[0]
        raise Mistake("wrong_mean", f"of bags {i} and {j} it should be {right[i, j]:.4f}, yours is {mine[i, j]:.4f}.")
    A = np.array([[0.5, 0], [0, 1], [0.5, 0]])
    right = A.T @ K[:3, :3] @ A
    again = array_like(trial.ask(K[:3, :3], np.array([0, 1, 0])), (2, 2), "for two bags the matrix")
    expect(close(again, right), "arguments_ignored", "with two bags it should be another one.")


def _inside(bag):
    return (bag[:, None] == np.arange(bag.max() + 1)).astype(float)


def _sums(K, bag):
    return _inside(bag).T @ K @ _inside(bag)


def _means(K, bag, sizes=np.bincount):
    """The sums over the products of these sizes."""
    return _sums(K, bag) / np.outer(sizes(bag), sizes(bag))


def _never_itself(K, bag):
    """Inside a bag no number meets itself."""
    n = np.maximum(np.bincount(bag), 2)
    means = _means(K, bag)
    np.fill_diagonal(means, (_sums(K, bag).diagonal() - _inside(bag).T @ K.diagonal()) / (n * (n - 1)))
    return means


def _distances(K, bag):
    means = _means(K, bag)
    return np.add.outer(means.diagonal(), means.diagonal()) - 2 * means


of_bags.right = _means
of_bags.wrong = {
    "sums": _sums,
    "one_size": [
        lambda K, bag: _sums(K, bag) / np.bincount(bag),
        lambda K, bag: _sums(K, bag) / np.bincount(bag)[:, None],
    ],
    "all_pairs": lambda K, bag: _sums(K, bag) / len(K) ** 2,
    "all_points": lambda K, bag: _sums(K, bag) / len(K),
    "cosine": lambda K, bag: _means(K, bag, lambda bag: np.sqrt(_sums(K, bag).diagonal())),
    "distance": _distances,
    "own_points": lambda K, bag: np.diag([np.diag(K)[bag == b].mean() for b in range(bag.max() + 1)]),
    "never_itself": _never_itself,
    "wrong_mean": lambda K, bag: _means(K, bag, lambda bag: np.sqrt(np.bincount(bag))),
    "arguments_ignored": lambda K, bag: _means(K, bag, lambda bag: [2, 3, 1][: bag.max() + 1]),
}
of_bags.scenes = {
    "sums": (common_parts, "Bags"),
}


def _graph(edges, colours):
    A = np.zeros((len(colours), len(colours)), int)
    for i, j in edges:
        A[i, j] = A[j, i] = 1
    return A, tuple(colours)


GRAPH = _graph(  # every mistake parts the vertices in another way
    ((0, 6), (0, 7), (1, 7), (1, 8), (2, 9), (2, 10), (3, 6), (3, 8), (4, 6), (5, 6), (12, 13)),
    (0, 0, 0, 0, 0, 5, 1, 3, 1, 2, 2, 0, 0, 1),
)
LARGE = _graph(  # written in a row, 1 and 12 are 11 and 2, and 1 and 1 and 2
    ((0, 1), (2, 3), (4, 5), (4, 6), (7, 8), (7, 9), (7, 10)),
    (1, 12, 11, 2, 0, 1, 12, 0, 1, 1, 2),
)


def _renumbered(trial, graph):
    """The graph that is shown, or, hidden, the same with its vertices in another order."""
    A, colours = graph
    order = trial.reordered(np.arange(len(A)))
    return A[np.ix_(order, order)], tuple(colours[i] for i in order)


def _coloured_neighbours(A, colours):
    """Own colour, and the colours of the neighbours in the order of their numbers."""
    return [(colours[i], tuple(colours[j] for j in np.flatnonzero(A[i]))) for i in range(len(A))]


def classes_of(values):
    """Which vertices are alike: for each the first that has the same value."""
    values = [_hashable(v) for v in values]
    return [values.index(v) for v in values]


def _refined(A, colours):
    """Which vertices are alike after one round: the own colour and the sorted colours of the neighbours."""
    return classes_of([(own, tuple(sorted(near))) for own, near in _coloured_neighbours(A, colours)])


def _hashable(v):
    v = v.tolist() if isinstance(v, np.ndarray | np.generic) else v
    if isinstance(v, dict):
        return tuple(sorted((repr(key), _hashable(part)) for key, part in v.items()))
    return tuple(map(_hashable, v)) if isinstance(v, list | tuple) else v


def _as_list(value, n):
    """The answer as n new colours."""
    named = isinstance(value, dict | set | str)
    expect(not named and np.iterable(value), "no_list", "return a list with one new colour for each vertex.")
    value = list(value)
    sentence = f"there should be {n} new colours, one for each vertex; yours are {len(value)}."
    expect(len(value) == n, "wrong_length", sentence)
    return value


def expect_not_overwritten(kept):
    expect(
        kept,
        "overwritten",
        "you change colours that others still need: write the new ones into a list of their own.",
    )


def _classes_by(trial, A, colours):
    """Which vertices are alike by the answer, and whether it has changed the colours it was given."""
    given = list(colours)
    try:
        mine = classes_of(_as_list(trial.ask(A, given), len(A)))
    except (Unsolved, Mistake):
        raise
    except Exception:  # such as comparing a new colour with an old one
        expect_not_overwritten(given == [*colours])
        raise
    return mine, given != [*colours]


@exercise("One round")
def one_round(trial):
    """Equal exactly where the own colour and the sorted colours of the neighbours are."""
    A, colours = _renumbered(trial, GRAPH)
    right = _refined(A, colours)
    mine, changed = _classes_by(trial, A, colours)
    coloured_neighbours = _coloured_neighbours(A, colours)

    def by(rule):
        return classes_of([rule(own, near) for own, near in coloured_neighbours])

    trial.expect_none_of(
        mine,
        eq,
        unchanged=(by(lambda own, near: own), "these are the old colours: add what the neighbours have."),
        own_forgotten=(
            by(lambda own, near: tuple(sorted(near))),
            "the own colour is missing, although two vertices with the same neighbours can differ themselves.",
        ),
        own_among_them=(
            by(lambda own, near: tuple(sorted([own, *near]))),
            "you throw the own colour in among those of the neighbours: keep it apart.",
        ),
        numbers=(
            classes_of([(own, *np.flatnonzero(A[i])) for i, own in enumerate(colours)]),
            "these are the numbers of the neighbours: take their colours.",
        ),
        as_sets=(
            by(lambda own, near: (own, tuple(sorted({*near})))),
            "you take the neighbours as a set: two of a colour are more than one of it. Sort a list.",
        ),
        unsorted=(
            by(lambda own, near: (own, near)),
            "the order of the neighbours depends on how the vertices are numbered: sort their colours.",
        ),
        summed=(
            by(lambda own, near: (own, sum(near))),
            "you add the colours up: 1 + 3 is 2 + 2, but other neighbours. Keep the sorted list.",
        ),
        degrees=(by(lambda own, near: (own, len(near))), "you count the neighbours; their colours matter too."),
        all_summed=(
            by(lambda own, near: own + sum(near)),
            "you add all colours up, and different neighbours may have the same sum. Keep the sorted list.",
        ),
    )
    if mine != right:
        expect_not_overwritten(not changed)
    for i in range(len(A)):
        for j in range(i):
            alike = mine[i] == mine[j]
            should = right[i] == right[j]
            sentence = f"vertices {j} and {i} {'should' if should else 'should not'} have the same new colour."
            expect(alike == should, "wrong_parts", sentence)
    again, changed = _classes_by(trial, np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]]), (0, 0, 0))
    if again != [0, 1, 0]:
        expect_not_overwritten(not changed)
        raise Mistake("other_graph", "in a graph with one edge and a vertex alone, the one alone differs.")
    if trial.round:  # the stars below are no examples that one could type in
        return
    _judge_rule(trial)
    A, colours = LARGE
    large, _ = _classes_by(trial, A, colours)
    digits = [((0, 0, b + 2), (0, 1, 2)) for b in (10, 16, 31, 32, 64, 100, 1000)]  # one number to the base b
    joined = any(_alike(trial, pair) for pair in digits)
    sentence = (
        "colours can be 10 and more: 1 next to 12, and 11 next to 2, can become one text or number. Keep a tuple."
    )
    expect(large == _refined(A, colours) and not joined, "joined", sentence)
    for stars in FAMILIES:
        alike = _alike(trial, stars)
        if alike:
            one, other = (f"colour {own} with neighbours {', '.join(map(str, around))}" for own, *around in alike)
            sentence = f"{one}, and {other}, get the same new colour. Keep the own colour and the whole sorted list."
            raise Mistake("two_stars_alike", sentence)


def _judge_rule(trial):
    """Whether different neighbours can get the same new colour, on stars (own colour, *colours around)."""
    for pair in (
        ((0, 1, 2, 4), (0, 1, 3, 4)),
        ((0, 1, 2, 3, 4), (0, 1, 2, 3, 5)),
        ((0, 1, 3, 4, 5), (0, 2, 3, 4, 5)),
    ):
        expect(
            not _alike(trial, pair),
            "some_neighbours_only",
            "your rule keeps only some of the neighbours' colours, such as the smallest and the largest, so different "
            "neighbours look alike. Keep the colours of all of them in a sorted list.",
        )
    expect(
        not _alike(trial, ((0, 1, 1, 2), (0, 1, 2, 2))),
        "multiplicity_lost",
        "neighbours 1, 1, 2 and neighbours 1, 2, 2 get the same new colour, because a set and a number do not say "
        "how often each colour appears. Keep the sorted list.",
    )
    for pair in (
        ((0, 1, 4, 4), (0, 2, 2, 5)),  # one sum, and one sum of squares
        ((0, 1, 6, 6), (0, 2, 2, 9)),  # one sum and one product
        ((0, 1, 1, 2, 3, 3), (0, 1, 2, 2, 2, 3)),  # one sum and one set
        ((0, 1, 6, 7, 17, 18, 23), (0, 2, 3, 11, 13, 21, 22)),  # one sum of each power to the fifth
        *(((0, *[1] * b, 3), (0, *[2] * (b + 1))) for b in (*range(2, 17), 32, 64, 100)),  # one sum of b^colour
        *(((0, *[3] * b, 1), (0, *[2] * (b + 1))) for b in range(2, 11)),  # one sum of b^−colour
    ):
        expect(
            not _alike(trial, pair),
            "numbers_collide",
            "different neighbours can have the same sum or product: 1, 4, 4 and 2, 2, 5 even agree in their sum of "
            "squares. Keep the sorted list instead of a number.",
        )
    for pair in (
        ((0, 1, 1, 1, 1, 2, 2, 2), (0, 1, 1, 1, 2, 2, 2, 2)),
        (_star(31, 30, 33, 30), _star(30, 33, 30, 31)),  # alike where counts are cut off at 30, and of one sum
        *(((0, *[1] * (m + 1), 2), (0, 1, *[2] * (m + 1))) for m in range(2, 13)),  # one remainder of the counts by m
    ):
        expect(
            not _alike(trial, pair),
            "counts_not_kept",
            "your rule notices that a colour repeats, but not how often it does, so some different neighbours get the "
            "same new colour. Keep the sorted list.",
        )
    expect(
        not _alike(trial, ((0, 1, 2), (1, 2, 3))),
        "differences_only",
        "you compare the neighbours' colours with the own colour, so 0 next to 1 and 2 looks like 1 next to 2 and 3. "
        "Keep the own colour itself.",
    )


FAMILIES = (  # all stars of a kind: no rule that loses something tells all of them apart
    [(0, *around) for n in range(1, 4) for around in combinations_with_replacement(range(8), n)],
    [(0, *around) for around in combinations_with_replacement(range(4), 7)],
    [(own, *around) for own in range(16) for n in (1, 2) for around in combinations_with_replacement(range(4), n)],
    [(own, around) for own in (1, 2, 12, 22, 112, 1012) for around in (1, 2, 12, 22, 112, 1012)],
)


def _star(*counts):
    """A star of own colour 0 with so many neighbours of colour 0, 1, 2, …"""
    return (0, *np.repeat(np.arange(len(counts)), counts).tolist())


def _alike(trial, stars):
    """Two of the stars whose middles get the same new colour, or None."""
    edges = []
    colours = [middle for middle, *_ in stars]
    for i, (_, *around) in enumerate(stars):
        edges += [(i, len(colours) + j) for j in range(len(around))]
        colours += around
    classes, _ = _classes_by(trial, *_graph(edges, colours))
    return next(((stars[first], stars[i]) for i, first in enumerate(classes[: len(stars)]) if first < i), None)


def _by(rule):
    """New colours by a rule of the own colour and of those of the neighbours."""
    return lambda A, colours: [rule(own, near) for own, near in _coloured_neighbours(A, colours)]


def _by_sorted(rule, kept=lambda own, near: own):
    """New colours of the own one, as kept, and of what the rule makes of the sorted colours of the neighbours."""
    return _by(lambda own, near: (kept(own, near), rule(sorted(near))))


def _numbered(A, colours):
    names = {}
    return [names.setdefault(value, 10 * len(names)) for value in _by_sorted(tuple)(A, colours)]


def _pattern(near):
    """Which colours there are, and how often some of them appear."""
    return frozenset(near), sorted(Counter(near).values())


def _capped(most):
    return lambda near: [(c, min(n, most)) for c, n in sorted(Counter(near).items())]


def _remainders(m):
    return lambda near: (len(near), [(c, n % m) for c, n in sorted(Counter(near).items())])


def _powers(base):
    return lambda near: sum(base**c for c in near)


def _digits(near):
    """One number to the base 100, whose first digits are the number of neighbours."""
    return sum(100**p * c for p, c in enumerate([*near[::-1], len(near)]))


def _joined(*colours):
    """All in one text, nothing in between."""
    return "".join(map(str, colours))


def _one_by_one(code, in_order=sorted):
    """New colours written over the old ones, which later vertices still need; np.sort fails where they mix."""

    def answer(A, colours):
        for i in range(len(A)):
            colours[i] = code((colours[i], tuple(in_order([colours[j] for j in np.flatnonzero(A[i])]))))
        return colours

    return answer


one_round.right = _numbered
one_round.wrong = {
    "no_list": [lambda A, colours: dict(enumerate(_numbered(A, colours))), lambda A, colours: A @ colours @ colours],
    "wrong_length": lambda A, colours: _numbered(A, colours)[:-1],
    "unchanged": lambda A, colours: colours,
    "own_forgotten": _by(lambda own, near: sorted(near)),
    "own_among_them": _by(lambda own, near: sorted([own, *near])),
    "numbers": lambda A, colours: [(own, *np.flatnonzero(A[i])) for i, own in enumerate(colours)],
    "as_sets": _by(lambda own, near: (own, sorted({*near}))),
    "unsorted": _by(lambda own, near: (own, near)),
    "summed": _by(lambda own, near: (own, sum(near))),
    "degrees": lambda A, colours: [*zip(colours, A.sum(axis=0), strict=True)],
    "all_summed": lambda A, colours: A @ colours + colours,
    "overwritten": [_one_by_one(lambda pair: pair), _one_by_one(hash), _one_by_one(tuple, np.sort)],
    "wrong_parts": [lambda A, colours: range(len(A)), lambda A, colours: [0] * len(A)],
    "other_graph": lambda A, colours: _numbered(*GRAPH)[: len(A)],
    "some_neighbours_only": [
        _by_sorted(lambda near: (len(near), near[:1], near[-1:])),
        _by_sorted(lambda near: (len(near), near[-1:])),
        _by_sorted(lambda near: (len(near), near[:3])),
        _by_sorted(lambda near: (len(near), near[-3:])),
    ],
    "multiplicity_lost": [_by_sorted(lambda near: ({*near}, len(near))), _by_sorted(_pattern)],
    "numbers_collide": [
        _by_sorted(lambda near: (len(near), prod(near))),
        _by_sorted(lambda near: (len(near), sum(near), prod(near))),
        _by_sorted(lambda near: ({*near}, sum(near), len(near))),
        _by_sorted(lambda near: [sum(c**p for c in near) for p in range(3)]),
        _by_sorted(lambda near: [sum(c**p for c in near) for p in range(6)]),
        *[_by_sorted(_powers(base)) for base in (2, 10, 32, 64, 100, 0.25)],
    ],
    "counts_not_kept": [
        _by_sorted(_capped(3)),
        _by_sorted(lambda near: (_capped(9)(near), sum(near))),
        _by_sorted(_remainders(2)),
        _by_sorted(_remainders(10)),
    ],
    "differences_only": _by_sorted(len, kept=lambda own, near: sorted(c - own for c in near)),
    "joined": [
        _by(lambda own, near: _joined(own, *sorted(near))),
        _by(lambda own, near: _joined(*sorted(near), own)),
        _by(lambda own, near: (own, _joined(*sorted(near)))),
        _by_sorted(_digits),
    ],
    "two_stars_alike": [
        _by_sorted(lambda near: (len(near), sum(near), prod(c + 1 for c in near))),
        _by_sorted(lambda near: [min(c, 9) for c in near]),
        _by_sorted(tuple, kept=lambda own, near: min(own, 5)),
    ],
}
one_round.scenes = {
    "as_sets": (refinement, "A path and a star"),
}


@challenge("Twins that nobody can tell apart", refinement)
def twins(panel):
    """Two different graphs of six vertices with three neighbours each."""
    values = panel.values
    try:
        graphs = [read_graph(values[side]) for side in "xz"]
    except ValueError as error:
        raise Mistake("unreadable", str(error)) from None
    for side, graph in zip("xz", graphs, strict=True):
        n = len(graph.names)
        degrees = graph.adjacency.sum(axis=0)
        expect(n == 6, "not_six", f"{side} has {n} vertices; take six.")
        expect({*graph.labels} == {"•"}, "labels", f"{side} has letters as labels; take numbers only.")
        odd = int((degrees != 3).argmax())
        beside = "1 neighbour" if degrees[odd] == 1 else f"{degrees[odd]} neighbours"
        sentence = f"in {side} vertex {graph.names[odd]} has {beside}; each should have 3."
        expect((degrees == 3).all(), "not_three", sentence)
    A, B = (graph.adjacency for graph in graphs)
    same = any((A[np.ix_(order, order)] == B).all() for order in map(list, permutations(range(6))))
    expect(not same, "same_graph", "these are one graph, numbered in two ways: count their triangles.")


_PRISM, _ACROSS = "1-2-3-1 4-5-6-4 1-4 2-5 3-6", "1-4-2-5-3-6-1 1-5 2-6 3-4"
twins.right = {"x": _PRISM, "z": _ACROSS}
twins.wrong = {
    "unreadable": {"x": "one"},
    "not_six": {"x": "1-2-3-4-1 1-3 2-4"},
    "labels": {"x": _PRISM.replace("1", "C1"), "z": _ACROSS},
    "not_three": [{"x": _PRISM, "z": "1-2-3-1 4-5-6-4"}, {"x": "1-2-3-4-1 1-3 2-4 5-6"}],
    "same_graph": [{"x": _PRISM, "z": _PRISM}, {"x": _PRISM, "z": "1-3-5-1 2-4-6-2 1-2 3-4 5-6"}],
}


WAITS = "each may wait while the other goes on."


@exercise("All alignments")
def all_alignments(trial):
    """M(s, t) = k₀(s, t) (M(s−1, t) + M(s, t−1) + M(s−1, t−1)) adds the product of k₀ over all alignments."""
    k_0 = trial.changed(np.array([[0.9, 0.4, 0.2, 0.3], [0.5, 0.8, 0.3, 0.1], [0.2, 0.6, 0.7, 0.85]]))
    right = _total(k_0)
    mine = number(trial.ask(k_0))
    trial.expect_none_of(
        mine,
        close,
        no_diagonal=(_wrong_total(k_0, diagonal=False), "the step in both series at once is missing."),
        best_only=(_wrong_total(k_0, join=max), "this is the best alignment alone; the kernel adds all of them up."),
        counted=(_total(np.ones_like(k_0)), "this counts the alignments; each has the product of its k₀."),
        without_first=(right / k_0[0, 0], "the first pair's k₀ is missing: every alignment begins there."),
        without_last=(right / k_0[-1, -1], "the last pair's k₀ is missing: every alignment ends there."),
        diagonal_only=(k_0.diagonal().prod(), "this is the diagonal alone: series may also wait."),
        summed=(k_0.sum(), "this adds all k₀; along an alignment they are multiplied."),
    )
    if close(mine, 0):
        square = number(trial.ask(k_0[:, :3].copy()))
        expect(square == 0, "never_waits", f"of 3 steps with 4 you find none: {WAITS}")
    trial.expect_none_of(
        mine,
        close,
        only_one_waits=(_wrong_total(k_0, z_waits=False), f"here only one of the two series waits: {WAITS}"),
        no_beginning=(0, "no alignment begins: the place before both series holds 1, and from there both move on."),
        whole_table=(
            _table(k_0).sum(),
            _table(k_0)[1:, 1:].sum(),
            "this is the sum of the table; its last entry alone belongs to whole alignments.",
        ),
        one_short=(_total(k_0[:-1, :-1]), "this entry of the table is one before the last."),
        before_one_only=(
            _wrong_total(k_0, before=1.0),
            "only the place before both series holds 1, and the places before only one of them hold 0.",
        ),
        no_waiting_at_first=(
            _wrong_total(k_0, wait=False),
            "an alignment may wait at the first step of a series, too: fill the first row and column of M.",
        ),
        first_row_not_multiplied=(
            _not_multiplied(k_0),
            "in the first row and column of M the k₀ are multiplied, too.",
        ),
        logarithm=(np.log(right), "this is the logarithm of the sum."),
    )
    sentence = f"it should be {right:.6f} here, yours is {cut(f'{mine:.6f}', 20)}."
    expect(close(mine, right), "wrong_sum", sentence)
    for other in (k_0.T, k_0[:1], k_0[1:, :2]):
        again = number(trial.ask(other.copy()))
        right = _total(other)
        sentence = f"for k₀ of shape {other.shape} it should be {right:.6f}, yours is {cut(f'{again:.6f}', 20)}."
        expect(close(again, right), "other_shapes", sentence)


def _table(k_0):
    """M(s, t) = k₀(s, t) (M(s−1, t) + M(s, t−1) + M(s−1, t−1)) from M(0, 0) = 1, and 0 before one series alone."""
    M = np.zeros((k_0.shape[0] + 1, k_0.shape[1] + 1))
    M[0, 0] = 1
    for s, t in np.ndindex(k_0.shape):  # k₀(s, t) is k_0[s − 1, t − 1] in Python
        M[s + 1, t + 1] = k_0[s, t] * (M[s, t + 1] + M[s + 1, t] + M[s, t])
    return M


def _total(k_0):
    """M(n, m), the last entry of the table."""
    return _table(k_0)[-1, -1]


def _wrong_total(k_0, diagonal=True, join=sum, before=0.0, wait=True, z_waits=True):
    """The last entry of a table with a mistake.

    diagonal : whether both series may move on at once.  join : what is taken of the three entries before.
    before : the entries before one series alone.  wait : whether the first step of one may be paired more than once.
    z_waits : whether z may wait while x goes on.
    """
    M = np.full((k_0.shape[0] + 1, k_0.shape[1] + 1), before)
    M[0, 0] = 1
    for s, t in np.ndindex(k_0.shape):
        at_the_border = (s == 0) != (t == 0)
        entries = [M[s + 1, t]]
        if z_waits:
            entries += [M[s, t + 1]]
        if diagonal or s == t == 0:
            entries += [M[s, t]]
        M[s + 1, t + 1] = 0 if at_the_border and not wait else k_0[s, t] * join(entries)
    return M[-1, -1]


def _not_multiplied(k_0):
    """The last entry of a table whose first row and column are those of k₀."""
    M = k_0.copy()
    for s, t in np.ndindex(k_0[1:, 1:].shape):
        M[s + 1, t + 1] *= M[s, t] + M[s, t + 1] + M[s + 1, t]
    return M[-1, -1]


def _by_moves(k_0, *moves, begin=1.0):
    """The last entry where a place is reached by some of the three moves only."""
    M = np.zeros(np.add(k_0.shape, 1))
    M[0, 0] = begin
    for s, t in np.ndindex(k_0.shape):
        M[s + 1, t + 1] = k_0[s, t] * sum(M[s + a, t + b] for a, b in moves)
    return M[-1, -1]


def _by_rows(k_0, join=sum, border=np.cumprod):
    """The last entry of a table that begins with its first row and column, each entry as join(left, above, corner)."""
    M = k_0.copy()
    M[0] = border(k_0[0])
    M[:, 0] = border(k_0[:, 0])
    for s, t in np.ndindex(k_0[1:, 1:].shape):
        M[s + 1, t + 1] *= join([M[s + 1, t], M[s, t + 1], M[s, t]])
    return M[-1, -1]


def _ones_before(k_0):
    """The last entry of a table that holds 1 before each of the series."""
    M = np.ones(np.add(k_0.shape, 1))
    for s, t in np.ndindex(k_0.shape):
        corner, above, left, _ = M[s : s + 2, t : t + 2].ravel()
        M[s + 1, t + 1] = k_0[s, t] * (corner + above + left)
    return M[-1, -1]


all_alignments.right = _total
all_alignments.wrong = {  # none by the function that names its mistake
    "no_diagonal": lambda k_0: _by_rows(k_0, join=lambda before: before[0] + before[1]),
    "best_only": lambda k_0: _by_rows(k_0, join=max),
    "counted": lambda k_0: _total(np.ones_like(k_0)),
    "without_first": lambda k_0: _total(k_0) / k_0[0, 0],
    "without_last": lambda k_0: _total(k_0) / k_0[-1, -1],
    "diagonal_only": lambda k_0: k_0.diagonal().prod(),
    "summed": lambda k_0: k_0.sum(),
    "never_waits": [lambda k_0: _by_moves(k_0, (0, 0)), lambda k_0: _by_moves(k_0, (0, 0), (0, 1))],
    "only_one_waits": lambda k_0: _by_moves(k_0, (0, 0), (1, 0)),
    "no_beginning": [
        lambda k_0: _by_moves(k_0, (0, 0), (0, 1), (1, 0), begin=0.0),
        lambda k_0: _by_moves(k_0, (0, 1), (1, 0)),
    ],
    "whole_table": [lambda k_0: _table(k_0).sum(), lambda k_0: _table(k_0)[1:, 1:].sum()],
    "one_short": lambda k_0: _total(k_0[:-1, :-1]),
    "before_one_only": _ones_before,
    "no_waiting_at_first": lambda k_0: k_0[0, 0] * _total(k_0[1:, 1:]),
    "first_row_not_multiplied": lambda k_0: _by_rows(k_0, border=np.copy),
    "logarithm": lambda k_0: np.log(_total(k_0)),
    "wrong_sum": lambda k_0: 0.5,
    "other_shapes": lambda k_0: _total(np.resize(k_0, (3, 4))),
}
all_alignments.scenes = {
    "diagonal_only": (alignment, "z comes later"),
}


summary = summary_of(common_pairs, of_bags, one_round, deeper=(twins, all_alignments))
