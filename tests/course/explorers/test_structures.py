"""Theorems about the panels of notebook 15."""

from collections import Counter
from itertools import combinations, count, product
from math import comb

import numpy as np
import pytest
from panels import axes_of, drag, number, readout_of, state_of as state

from kernelkit import (
    Alignments,
    Gaussian,
    Normalized,
    WeisfeilerLehman,
)
from kernelkit.course.explorers.data.some_graphs import layout, read_graph, refine
from kernelkit.course.explorers.drawing.parts_of_objects import width
from kernelkit.course.explorers.structures import alignment, baskets, common_parts, refinement
from kernelkit.course.explorers.structures.alignment import log_k_0, shares
from kernelkit.course.explorers.structures.baskets import LOOKS, PLACES, place_at, spots
from kernelkit.course.explorers.structures.common_parts import KINDS, SETTINGS
from kernelkit.course.explorers.structures.refinement import ASIDE, DISC, NEWS, news, places
from kernelkit.course.panel.question import ANSWERS
from kernelkit.course.plots import GREEN

# ---- a kernel for each structure -----------------------------------------------------------------

OBJECTS = {
    "histograms": ["0", "1 3 5 2 0 1", "0 2 3", "6 6 6 6 6 6 6 6"],
    "bags": ["0", "-1 2 3", "-4 4", "0.5 0.5 1"],
    "trees": ["(S (NP she) (VP ran))", "(S (NP she) (VP (V saw) (NP him)))", "(NP she)", "(S (S (S a) a) a)"],
    "rankings": ["a b c d", "d c b a", "b a d c"],
    "chains": ["0.9 0.2", "1 0", "0 1", "0.5 0.5"],
}
GESTURES = count(1)
SETTINGS_OF = {"trees": [0.3, 1.0]}


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_shown_adds_up_to_the_kernel(kind):
    for setting in SETTINGS_OF.get(kind, [None]):
        own = {SETTINGS[kind]: setting} if kind in SETTINGS else {}
        for a in OBJECTS[kind]:
            for b in OBJECTS[kind]:
                shown = state(common_parts, kind=kind, **own, **{f"{kind}_x": a, f"{kind}_z": b})
                assert not shown.trouble, shown.trouble
                assert sum(term.value for term in shown.terms) == pytest.approx(shown.k, rel=1e-12, abs=1e-12)
                assert len(shown.terms) <= 11


ENTRIES = [
    ("histograms", "1 3", "0 2 3", "4 for x, 5 for z, 2 for both"),
    ("bags", "0", "1", "1 for x, 3 for z, 1 for both"),
    ("bags", "-1 0.3 0.7", "2", "2 for x, 3 for z, 2 for both"),
    ("chains", "1 0", "0.5 0.5", "2 for x, 8 for z, 2 for both"),
]


@pytest.mark.parametrize(("kind", "x", "z", "counts"), ENTRIES)
def test_every_entry_of_phi_that_is_not_0_is_counted(kind, x, z, counts):
    read = readout_of(common_parts, kind=kind, **{f"{kind}_x": x, f"{kind}_z": z})
    assert read["non-zero entries of Φ"] == counts


def lit(state, side):
    """The numbers of the nodes that are green in the object of this side (0: x, 1: z)."""
    return set().union(*state.parts[side])


def test_lit_nodes_are_what_both_have():
    bars = state(common_parts, kind="histograms", histograms_x="3", histograms_z="2")
    assert lit(bars, 0) == lit(bars, 1) == {0, 1} and bars.k == 2
    tree = state(common_parts, kind="trees", trees_x="(S (NP she) (VP ran))", trees_z="(S (NP he) (VP ran))")
    assert [tree.drawings[0].texts[i] for i in sorted(lit(tree, 0))] == ["S", "NP", "VP", "ran"]


def test_an_edge_is_green_only_inside_of_one_common_part():
    """Both trees hold NP and N, but x has no other way from one to the other than a rule that z lacks."""
    x, z = "(S (NP (N dog)) (VP ran))", "(S (NP (D the) (N dog)) (VP ran))"
    shown = state(common_parts, kind="trees", trees_x=x, trees_z=z)
    drawing = shown.drawings[0]
    named = dict(zip(drawing.places, drawing.texts, strict=True))
    marks = [mark for mark in axes_of(common_parts, shown)["x"].marks if mark is not None and mark.name == "links"]
    links = [mark for mark in marks if mark.color == GREEN]
    green = {tuple(named[place] for place in link) for mark in links for link in mark.paths}
    assert {"NP", "N"} <= {drawing.texts[i] for i in lit(shown, 0)}
    assert green == {("S", "NP"), ("S", "VP"), ("VP", "ran"), ("N", "dog")}


def test_a_bar_that_grows_beyond_the_other_adds_only_the_levels_of_both():
    """What the question asks."""
    assert state(common_parts, common_parts.question.scene).k - state(common_parts).k == 3


@pytest.fixture
def panel():
    ANSWERS.clear()
    panel = common_parts()
    return panel


def click(panel, axes, place):
    x, y = panel.canvas.to_pixels(axes, [place])[0] / (100 * np.array(common_parts.size))
    drag(panel, id=next(GESTURES), x0=x, y0=y, x=x, y=y, done=True)


def place_of(panel, side, text):
    drawing = panel.state.drawings["xz".index(side)]
    return drawing.places[drawing.texts.index(text)]


def test_a_click_edits_the_objects(panel):
    click(panel, "x", (0.5 / 8, 0.64))
    assert panel.values["histograms_x"] == "4 3 5 2 0 1"
    click(panel, "x", (0.5 / 8, 0.64))
    click(panel, "z", (7.5 / 8, 0.235))
    assert panel.values["histograms_x"].startswith("3 ") and panel.values["histograms_z"] == "0 2 3 5 1 2 0 1"
    panel.set(kind="bags")
    click(panel, "x", panel.state.drawings[0].places[0])
    click(panel, "z", (0.06 + 0.11 * 5, 0.8))
    assert panel.values["bags_x"] == "1 1.5 2" and panel.values["bags_z"].split()[-1] == "1"
    panel.set(kind="rankings")
    click(panel, "z", place_of(panel, "z", "dog"))
    assert panel.values["rankings_z"] == "bee ape cat dog elk"
    panel.set(kind="chains")
    click(panel, "x", place_of(panel, "x", "T then H: 0.2"))
    assert panel.values["chains_x"] == "0.9 0.3"
    panel.set(kind="trees")
    before = panel.values
    click(panel, "x", place_of(panel, "x", "she"))
    assert panel.values == before


def test_a_click_chooses_a_feature_and_takes_it_back(panel):
    click(panel, "bars", (1.0, 1.0))
    assert panel.values["shown"] == 2
    assert common_parts.readout(panel.state)["chosen strip"] == "bar 3: min(5, 3) adds 3"
    assert {panel.state.drawings[0].places[i][0] for i in lit(panel.state, 0)} == {2.5 / 8}
    click(panel, "bars", (1.0, 1.0))
    assert panel.values["shown"] == 0


BAD = [
    ("histograms", "7", "0 to 6"),
    ("histograms", "1.5", "whole numbers"),
    ("histograms", "", "0 numbers"),
    ("bags", "two", "is not a number"),
    ("bags", "9", "from −4 to 4"),
    ("trees", "she", "begins with"),
    ("trees", "(S (NP she)", "not closed"),
    ("trees", "(S) (S)", "no children"),
    ("trees", "((S a) b)", "a label"),
    ("trees", "(S a) b", "behind the last bracket"),
    ("trees", "(S a b c d e f g h i)", "too large"),
    ("rankings", "a", "two names"),
    ("rankings", "a a", "each once"),
    ("rankings", "a b", "the same names"),
    ("trees", f"(S {'abcdefghi ' * 5})", "too wide"),
    ("trees", "(A (B (C (D (E (F a))))))", "too large"),
    ("trees", f"(S {'(a (b (c (d w)))) ' * 4} {'(x y) ' * 3})", "too wide"),
    ("chains", "0.5", "two numbers"),
    ("chains", "2 0", "from 0 to 1"),
    ("trees", "(S $x$)", "not a label"),
]


@pytest.mark.parametrize(("kind", "text", "words"), BAD)
def test_what_cannot_be_read_is_told_in_one_sentence(kind, text, words):
    shown = state(common_parts, kind=kind, **{f"{kind}_x": text})
    assert words in common_parts.message(shown) and common_parts.words(shown) == common_parts.message(shown)


LONG = {
    "rankings": " ".join(f"abcdef{c}" for c in "abcdef"),
    "trees": "(S (abcdefghi a) (abcdefghi b) (c abcdefghi))",
    "bags": " ".join(["1"] * 12),
    "histograms": "6 6 6 6 6 6 6 6",
}


@pytest.mark.parametrize(("kind", "text"), [*LONG.items(), ("trees", "(A (B (C (D (E a)))))")])
def test_long_words_stand_in_their_picture_and_none_over_another(kind, text):
    drawing = state(common_parts, kind=kind, **{f"{kind}_{side}": text for side in "xz"}).drawings[0]
    boxes = [(x, y, width(text) / 2) for (x, y), text in zip(drawing.places, drawing.texts, strict=True)]
    assert boxes and all(w - 1e-9 <= x <= 1 - w + 1e-9 and 0.06 <= y <= 0.96 for x, y, w in boxes)
    if any(drawing.texts):
        for (x, y, w), (a, b, v) in combinations(boxes, 2):
            assert abs(x - a) >= w + v - 1e-9 or abs(y - b) >= 0.15


def test_texts_read_as_what_they_were_written_from():
    for kind, structure in KINDS.items():
        for text in OBJECTS[kind]:
            x = structure.read(text)
            assert structure.read(structure.text(x)) == x


# ---- two baskets ----------------------------------------------------------------------------------


@pytest.mark.parametrize("lying", [baskets.start()["places"], *baskets.controls[0].ends(), ("A", "both", "B") * 2])
def test_the_sets_that_are_shown_are_all_subsets_of_both_baskets(lying):
    shown = state(baskets, places=lying)
    subsets_of_each = [
        {frozenset(S) for size in range(7) for S in combinations(sorted(side), size)} for side in shown.sides
    ]
    drawn = [frozenset(S) for column in shown.shared for S in column]
    assert set(drawn) == set.intersection(*subsets_of_each) and len(drawn) == len(set(drawn)) == shown.subsets
    assert [len(column) for column in shown.shared] == [comb(shown.overlap, j) for j in range(shown.overlap + 1)]


def test_half_of_the_common_sets_hold_a_common_ingredient_and_none_any_other():
    for values in (baskets.start(), *(baskets.start() | scene for scene in baskets.scenes.values())):
        for name, place in zip(LOOKS, values["places"], strict=True):
            shown = baskets.compute(**values | {"mark": name})
            assert shown.marked == (shown.subsets / 2 if place == "both" else 0)


def test_one_more_in_common_doubles_the_sets_and_one_more_in_b_lowers_jaccard_alone():
    start, alone, common = (state(baskets, scene) for scene in (None, baskets.question.scene, "One more in common"))
    assert (start.subsets, alone.subsets, common.subsets) == (8, 8, 16)
    assert start.overlap == alone.overlap == 3
    assert (start.jaccard, alone.jaccard, common.jaccard) == (3 / 5, 3 / 6, 4 / 5)


def test_each_ingredient_is_drawn_in_its_place_and_none_over_another():
    for lying in product(PLACES, repeat=6):
        where = spots(lying)
        assert len(set(where)) == 6
        assert tuple(place_at(*spot) for spot in where) == lying


def test_an_ingredient_is_dragged_into_a_basket_and_clicked_on():
    ANSWERS.clear()
    panel, size = baskets(), 100 * np.array(baskets.size)
    honey = spots(panel.values["places"])[5]
    begin, end = panel.canvas.to_pixels("plane", [honey, (165, 120)]) / size
    drag(panel, id=1, x0=begin[0], y0=begin[1], x=end[0], y=end[1], done=True)
    assert panel.values["places"][5] == "both" and panel.state.subsets == 16
    box = panel.inputs["places"]
    assert (box.chosen.value, box.place.value) == (5, "both")
    for expected, right in (("B", 0), ("shelf", 20), ("A", 50), ("both", 0)):  # on the marker, or on its word
        u, v = spots(panel.values["places"])[5]
        x, y = panel.canvas.to_pixels("plane", [(u + right, v)])[0] / size
        drag(panel, id=next(GESTURES) + 1, x0=x, y0=y, x=x, y=y, done=True)
        assert panel.values["places"][5] == expected
    box.chosen.value = 0
    assert box.place.value == "both"
    box.place.value = "A"
    assert panel.values["places"][0] == "A" and panel.state.subsets == 8


# ---- refinement -----------------------------------------------------------------------------------


@pytest.mark.parametrize("scene", [None, *refinement.scenes])
def test_the_rounds_are_those_of_the_kernel(scene):
    for step in range(5):
        shown = state(refinement, scene, step=step)
        x, z = ((graph.adjacency, graph.labels) for graph in shown.graphs)
        assert sum(shown.products) == WeisfeilerLehman(step)(x, z)
        assert shown.products[-1] == sum(a * b for *_, a, b in shown.rows)
        for side, which in ((2, 0), (3, 1)):
            counted = Counter(shown.colours[which])
            assert all(row[side] == counted[row[0]] for row in shown.rows)


@pytest.mark.parametrize("scene", [None, *refinement.scenes])
def test_vertices_have_one_colour_exactly_when_they_had_one_and_were_told_the_same(scene):
    for step in range(1, 5):
        shown, before = state(refinement, scene, step=step), state(refinement, scene, step=step - 1)
        assert shown.before == before.colours
        told = [
            (own[i], tuple(sorted(own[j] for j in np.flatnonzero(graph.adjacency[i]))))
            for graph, own in zip(shown.graphs, before.colours, strict=True)
            for i in range(len(graph.names))
        ]
        now = [c for own in shown.colours for c in own]
        assert len(set(zip(told, now, strict=True))) == len(set(told)) == len(set(now)) == len(shown.rows)
        assert set(zip(now, told, strict=True)) == {(c, (own, tuple(near))) for c, (own, near), *_ in shown.rows}
        assert {own for own, _ in told} <= set(now), "one of the colours that a colour becomes keeps its letter"


def test_what_is_told_goes_along_each_edge_from_beside_its_teller_to_beside_its_neighbour():
    graph = read_graph("1-2-3-4 2-5")
    P, radius = places(graph), np.hypot(DISC + NEWS, 2 * ASIDE)
    for part, other in ((0.0, False), (1.0, True)):
        where, tellers = news(graph, part)
        near = np.linalg.norm(where[:, None] - P[None], axis=2).argmin(axis=1)
        pairs = {(int(i), int(j)) for i, j in zip(tellers, near, strict=True)}
        ways = {way for edge in graph.edges for way in (edge, edge[::-1])}
        assert pairs == (ways if other else {(i, i) for i in tellers})
        gaps = np.linalg.norm(where - P[near], axis=1)
        assert len(where) == 2 * len(graph.edges) and (gaps >= DISC + NEWS).all() and (gaps <= radius + 1).all()


def test_the_graphs_differ_at_the_start_and_rings_never():
    start, end = state(refinement), state(refinement, "One ring, two rings")
    assert start.told == 1 == start.round and any(a != b for *_, a, b in start.rows)
    assert end.told is None and not end.apart
    for x, z in (("C-N", "C-O"), ("1-2-3", "1-2")):
        assert readout_of(refinement, x=x, z=z)["graphs told apart"] == "since round 0"
    assert state(refinement, "A path and a star").told == 1
    assert state(refinement, "Other neighbours").told == 1
    assert state(refinement, "Two trees").told == 2


def test_a_click_gives_a_vertex_the_next_label():
    ANSWERS.clear()
    panel, labels = refinement(), []
    for _ in range(4):
        x, y = panel.canvas.to_pixels("z", [places(panel.state.graphs[1])[0]])[0] / (100 * np.array(refinement.size))
        drag(panel, id=next(GESTURES), x0=x, y0=y, x=x, y=y, done=True)
        labels.append(panel.state.graphs[1].labels[0])
        assert len(panel.state.graphs[1].edges) == 4 and panel.values["x"] == refinement.start()["x"]
    assert labels == ["C", "N", "O", "•"]


def test_a_layout_keeps_neighbours_near_and_others_apart():
    more = ("1-4-2-5-3-6-1 1-5 2-6 3-4", "C1-C2-C3-C4 C2-N C2-O", "C")
    for text in ("1-2-3-4-5-6-1", "1-2-3-1 4-5-6-4", "1-2 1-3 1-4 1-5", *more):
        graph = read_graph(text)
        P = layout(graph)
        gaps = np.linalg.norm(P[:, None] - P[None], axis=2) + 9 * np.eye(len(P))
        assert gaps.min() > 0.35 and np.abs(P).max() <= 1 + 1e-9


def test_colours_are_numbered_alike_in_both_graphs():
    (colours, meanings), *_ = refine([read_graph("C1-O1"), read_graph("O1-C1")], 1)
    assert colours == [[0, 1], [1, 0]] and meanings == ["C", "O"]


# ---- alignments -----------------------------------------------------------------------------------


@pytest.mark.parametrize("scene", alignment.scenes)
def test_shares_and_cosine_are_those_of_the_kernel(scene):
    values = alignment.start() | alignment.scenes[scene]
    shown = alignment.compute(**values)
    k = Normalized(Alignments(Gaussian(values["sigma"])))
    assert shown.cosine == pytest.approx(k(shown.x[:, None], shown.z[:, None]), rel=1e-9)
    assert shown.P[0, 0] == pytest.approx(1) and shown.P[-1, -1] == pytest.approx(1)
    assert (shown.P.sum(axis=1) >= 1 - 1e-9).all() and (shown.P.sum(axis=0) >= 1 - 1e-9).all()  # no step is left out


def test_a_sum_of_what_is_above_0_is_never_said_to_be_0():
    far = tuple((t, v) for v in (2.6, -2.6) for t in (0.1, 0.3, 0.5, 0.7, 0.9))
    assert readout_of(alignment, knots=far, sigma=0.1)["cosine"] == "below 10⁻³⁰⁰"


def test_shares_are_counted_over_all_alignments():
    x, z = np.array([0.0, 1.0, 0.5]), np.array([0.2, 0.9, 0.4, 0.0])
    k_0 = log_k_0(x, z, 0.7)

    def paths(s, t):
        if (s, t) == (2, 3):
            return [[(s, t)]]
        steps = [(a, b) for a, b in ((s + 1, t), (s, t + 1), (s + 1, t + 1)) if a < 3 and b < 4]
        return [[(s, t), *rest] for a, b in steps for rest in paths(a, b)]

    weights = [(path, np.exp(sum(k_0[p] for p in path))) for path in paths(0, 0)]
    P, log_k = shares(k_0)
    assert log_k == pytest.approx(np.log(sum(w for _, w in weights)))
    for s, t in np.ndindex(3, 4):
        assert P[s, t] == pytest.approx(sum(w for path, w in weights if (s, t) in path) / np.exp(log_k), rel=1e-9)


def off_the_diagonal(shown):
    """How far from equal times a pair is, on average over the shares."""
    s, t = (np.linspace(0, 1, size) for size in shown.P.shape)
    return float((shown.P * np.abs(np.subtract.outer(s, t))).sum() / shown.P.sum())


def test_a_peak_that_comes_later_bends_the_band_and_costs_little():
    start, later = state(alignment), state(alignment, "z comes later")
    assert off_the_diagonal(later) > 2 * off_the_diagonal(start)
    assert later.aligned < 0.4 * later.at_once


def test_another_order_cannot_be_aligned_unless_sigma_is_too_wide():
    other, wide = state(alignment, "Another order"), state(alignment, "Too wide")
    assert other.cosine < 0.2 < 0.8 < wide.cosine


LATER, ORDER, SLOW = (alignment.scenes[scene] for scene in ("z comes later", "Another order", "z is slower"))
APART = {"knots": tuple((t, v) for v in (2.6, -2.0) for t in (0.0, 0.25, 0.5, 0.75, 1.0)), "n": 8, "m": 8}
STEEP = {"knots": tuple((i / 4, sign * v) for sign in (1, -1) for i, v in enumerate((2.6, 2.0, 1.5, 2.0, 2.6)))}
FEW = {"n": 8, "m": 8}


@pytest.mark.parametrize(
    "values",
    [
        {},
        FEW | {"sigma": 0.1},
        STEEP | {"n": 8, "m": 9, "sigma": 0.15},
        APART,
        LATER,
        LATER | {"sigma": 2.0},
        ORDER,
        SLOW | FEW | {"sigma": 1.0},
    ],
)
def test_how_much_paired_values_differ_and_how_much_at_equal_times(values):
    """With weights e^(εc) of a pair, the derivative of log k at ε = 0 is the mean sum of c along an alignment."""
    shown = state(alignment, **values)
    gaps = np.abs(np.subtract.outer(shown.x, shown.z))
    k = np.exp(-(gaps**2) / (2 * (alignment.start() | values)["sigma"] ** 2))

    def mean_of(c):
        """By two tables of the sum over all alignments, cell by cell."""
        found = []
        for step in (-1e-4, 1e-4):
            M = np.zeros(np.add(c.shape, 1))
            M[0, 0] = 1e250
            for s, t in np.ndindex(c.shape):
                M[s + 1, t + 1] = (k / (2 - k) * np.exp(step * c))[s, t] * (M[s, t] + M[s, t + 1] + M[s + 1, t])
            found.append(np.log(M[-1, -1]))
        return (found[1] - found[0]) / 2e-4

    t, ends = np.linspace(0, 1, 100), [np.linspace(0, 1, size) for size in gaps.shape]
    at_once = np.abs(np.interp(t, ends[0], shown.x) - np.interp(t, ends[1], shown.z)).mean()
    _, paired, equal = map(number, readout_of(alignment, **values).values())
    assert paired == pytest.approx(mean_of(gaps) / mean_of(np.ones(gaps.shape)), abs=0.0051)
    assert equal == pytest.approx(at_once, abs=0.0051)
