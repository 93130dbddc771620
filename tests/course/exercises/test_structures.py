"""The exercises of notebook 15: what no law of all exercises says."""

import re

from kernelkit.course.exercises import structures as check
from kernelkit.course.explorers.data.some_graphs import counts, read_graph, refine


def test_no_round_tells_the_twins_apart():
    graphs = [read_graph(check.twins.right[side]) for side in "xz"]
    for colours, meanings in refine(graphs, 6):
        one, other = counts(colours, len(meanings))
        assert (one == other).all()


def test_an_error_that_overwrites_nothing_keeps_its_own_words():
    result = check.one_round.of(lambda A, colours: A.neighbours)
    assert result.mistake == "stopped" and "AttributeError" in result.line


def test_two_stars_that_get_the_same_colour_are_the_first_of_their_kind():
    named = [re.findall(r"colour (\d+) with neighbours ([\d, ]+),", result.line) for result in alike()]
    assert named == [[("0", "1, 5, 5"), ("0", "2, 2, 7")], [("1", "12"), ("1", "22")], [("5", "0"), ("6", "0")]]


def alike():
    """What meets those who do not keep the sum and the product, what is above 9, and the own colour above 5."""
    return map(check.one_round.of, check.one_round.wrong["two_stars_alike"])
