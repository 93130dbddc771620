"""The data that are no vectors have the form that they promise; what each is made to show is in notebooks 14 and 15."""

import re
from collections import Counter

import numpy as np
import pytest

from kernelkit import datasets


def test_sentences_are_plain_and_as_many_and_as_long_in_both_languages():
    X, y = datasets.languages()
    assert (y == 1).sum() == (y == -1).sum() >= 60 and len({*X}) == len(X)
    assert all(re.fullmatch(r"[a-z]+( [a-z]+)*", x) and len(x) <= 60 for x in X)
    lengths = np.array([len(x) for x in X])
    assert abs(lengths[y == 1].mean() - lengths[y == -1].mean()) < 5  # the length does not tell the language


def test_stray_letters_follow_letters():
    X, _ = datasets.languages()
    typed, _ = datasets.languages(stray=0.3, random_state=1)
    added = sum(map(len, typed)) / sum(map(len, X)) - 1
    assert added == pytest.approx(0.3, abs=0.02) and typed != datasets.languages(0.3)[0]
    for x, z in zip(X, typed, strict=True):
        rest = iter(z)
        assert all(c in rest for c in x)  # x is a subsequence of z


def test_strings_have_forty_letters_and_their_motif_three_times():
    for gap in (0, 1, 2):
        X, y = datasets.motifs(gap=gap)
        assert {len(x) for x in X} == {40} and {*"".join(X)} == {*"acgt"}
        for x, c in zip(X, y, strict=True):
            motif = f".{{0,{gap}}}".join("gatc" if c > 0 else "ctag")
            assert re.search(".*".join([motif] * 3), x)


def test_in_recipes_each_ingredient_is_as_frequent_in_both_kitchens_and_pairs_tell_the_kitchen():
    X, y = datasets.recipes()
    items = sorted(set().union(*X))
    members = np.array([[item in x for item in items] for x in X], float)
    for c in (-1, 1):
        assert np.abs(members[y == c].mean(axis=0) - members.mean(axis=0)).max() < 0.12
    for base in ("rice", "beans", "chicken", "fish", "eggs", "potatoes"):  # each kitchen has its own spice for it
        with_it = [[x for x, c in zip(X, y, strict=True) if c == kitchen and base in x] for kitchen in (-1, 1)]
        one, other = (set.intersection(*x) for x in with_it)
        assert len(one) == len(other) == 2 and one & other == {base}
    assert {len(x) for x in X} == {7, 8, 9}


def test_a_bag_has_twenty_to_sixty_numbers_of_its_width():
    X, y = datasets.bags()
    assert 0.3 <= y.min() < y.max() <= 2
    for x, width in zip(X, y, strict=True):
        assert x.ndim == 2 and 20 <= len(x) <= 60 and x.std() == pytest.approx(width, rel=0.5)


def test_molecules_have_the_same_atoms_and_bonds_but_others_are_neighbours():
    X, y = datasets.molecules()
    for (A, labels), c in zip(X, y, strict=True):
        assert Counter(labels) == {"C": 10, "N": 2, "O": 2} and A.sum() == 26 and (A == A.T).all()
        beside = {atom: sorted(A[i].argmax() for i, label in enumerate(labels) if label == atom) for atom in "NO"}
        assert all(A[i].sum() == 1 for i, label in enumerate(labels) if label != "C")  # a leaf
        assert beside["N"] == beside["O"] if c > 0 else len({*beside["N"], *beside["O"]}) == 4


def test_sentences_with_the_same_words_differ_by_where_the_tool_hangs():
    X, y = datasets.parses()
    words = {-1: set(), 1: set()}
    for (_, who, phrase), c in zip(X, y, strict=True):
        if c < 0:
            _, verb, (_, thing, tool) = phrase  # she saw (the man with the telescope)
        else:
            _, (_, verb, thing), tool = phrase  # she (saw the man) with the telescope
        assert [part[0] for part in (who, verb, thing, tool)] == ["NP", "V", "NP", "PP"]
        words[c] |= {who, verb, thing, tool}
    assert words[-1] == words[1] and len(words[1]) == 20


def test_gestures_have_four_bumps_in_the_order_of_their_class_and_lengths_that_do_not_tell_it():
    X, y = datasets.gestures(noise=0)
    lengths = np.array([len(x) for x in X])
    assert {*lengths} == {*range(36, 42)} and abs(lengths[y == 1].mean() - lengths[y == -1].mean()) < 1
    for x, c in zip(X, y, strict=True):
        signs = np.sign(x[np.abs(x) > 0.3])
        assert signs[0] == 1 and signs[-1] == -1 and np.count_nonzero(np.diff(signs)) == (1 if c > 0 else 3)


def test_one_writer_goes_on_to_the_next_state_and_the_other_back_and_both_write_all_equally_often():
    X, y = datasets.writings()
    assert all(15 <= len(x) <= 40 and {*x} <= {0, 1, 2, 3} for x in X)
    for c, turn, (start, T) in zip((-1, 1), (1, 3), datasets.WRITERS, strict=True):
        np.testing.assert_allclose(start @ T, start)
        steps = np.concatenate([np.diff(x) % 4 for x, d in zip(X, y, strict=True) if d == c])
        assert np.mean(steps == turn) == pytest.approx(0.55, abs=0.05)


def test_voters_rank_ten_films_and_in_each_group_half_love_what_the_others_hate():
    X, y = datasets.rankings()
    alike, same = np.corrcoef(X), y[:, None] == y
    assert (np.sort(X, axis=1) == range(1, 11)).all()
    assert np.abs(alike[same]).mean() > 0.5 > 0.3 > np.abs(alike[~same]).mean()
    for c in (-1, 1):
        assert np.abs(X[y == c].mean(axis=0) - 5.5).max() < 1.5
        assert 0.3 < np.mean(alike[y == c][0, y == c] > 0) < 0.7
