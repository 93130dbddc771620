"""The exercises of notebook 15: what no law of all exercises says."""

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
