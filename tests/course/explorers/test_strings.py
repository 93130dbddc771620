"""Theorems about the panels of notebook 14, and what its text says on the data it uses."""

from itertools import combinations

import numpy as np
import pytest
from panels import marks_of, number, readout_of
from sklearn.svm import SVC

from kernelkit import KernelSVM, Normalized, Precomputed, Subsequences, Substrings, datasets
from kernelkit.course.explorers.data.letters import amounts, sizes, spelled, votes
from kernelkit.course.explorers.data.meeting import Middles
from kernelkit.course.explorers.strings import language_map, motif, table
from kernelkit.course.explorers.strings.language_map import (
    COLOURS,
    LETTERS,
    NEAREST,
    cleaned as cleaned_sentence,
    sample,
)
from kernelkit.course.explorers.strings.table import cleaned, common, tables, tightest


def state(explorer, scene=None, **values):
    return explorer.compute(**explorer.start() | (explorer.scenes[scene] if scene else {}) | values)


# ---- the table ------------------------------------------------------------------------------------


@pytest.mark.parametrize("decay", [0.05, 0.5, 1.0])
@pytest.mark.parametrize(("x", "z"), [("cat", "cart"), ("banana", "ananas"), ("aaaa", "aa"), ("", "cat"), ("a", "a")])
def test_the_table_adds_up_to_the_kernel_and_so_do_the_bars(x, z, decay):
    M = tables(x, z, 4, decay)
    assert M.shape == (4, len(x), len(z))
    for p in range(1, 5):
        k = Subsequences(p, decay)(x, z)
        assert M[p - 1].sum() == pytest.approx(k, rel=1e-12)
        assert sum(a * b for _, a, b in common(x, z, [p], decay)) == pytest.approx(k, rel=1e-12)


def test_a_cell_holds_the_words_that_end_there():
    x, z, g = "attic", "tact", 0.5
    M = np.zeros((5, 4))
    for i in combinations(range(5), 2):
        for j in combinations(range(4), 2):
            if [x[a] for a in i] == [z[a] for a in j]:
                M[i[-1], j[-1]] += g ** (i[-1] - i[0] + 1 + j[-1] - j[0] + 1)
    np.testing.assert_allclose(tables(x, z, 2, g)[1], M, rtol=1e-12)


def test_the_amounts_differ_at_one_half_and_are_the_same_where_gaps_are_free():
    start, free = state(table), state(table, "Gaps are free")
    assert [(u, a * b) for u, a, b in start.words] == [("ca", 0.5**4), ("at", 0.5**5), ("ct", 0.5**7)]
    assert [(u, a * b) for u, a, b in free.words] == [("ca", 1), ("at", 1), ("ct", 1)]


def test_one_to_three_letters_are_the_sum_of_the_text():
    both = state(table, "One to three")
    assert both.k == 0.859375 and len(both.words) == 7
    for g in (0.2, 0.5, 0.9):
        assert state(table, "One to three", decay=g).k == pytest.approx(3 * g**2 + g**4 + g**5 + 2 * g**7, rel=1e-12)


def test_anagrams_share_all_single_letters_and_little_else():
    assert state(table, "Anagrams").cosine == pytest.approx(1, abs=1e-12)
    assert state(table, "Anagrams", length=2).cosine < 0.5


def test_hardly_any_gap_leaves_substrings_and_free_gaps_count_readings():
    plain = Normalized(Substrings(2))("cat", "cart")
    assert state(table, "Hardly any gap").cosine == pytest.approx(plain, abs=0.05)  # γ itself
    assert state(table, "Gaps are free").k == 3


@pytest.mark.parametrize("scene", [None, *table.scenes])
@pytest.mark.parametrize("word", [1, 4, 7])
def test_the_marked_letters_spell_the_chosen_word(scene, word):
    shown = state(table, scene, word=word)
    for text, places in zip((shown.x, shown.z), shown.places, strict=True):
        assert "".join(text[i] for i in places) == shown.words[shown.chosen][0]
    assert shown.chosen == min(word, len(shown.words), 7) - 1


def test_a_click_on_a_bar_chooses_it_and_elsewhere_nothing():
    shown = state(table)
    assert table.click["bars"](shown, 0.5, 1.2) == {"word": 2}
    assert table.click["bars"](shown, 0.5, 5.0) == table.click["bars"](shown, 0.5, -0.8) == {}
    assert table.tell["bars"](shown, 0.5, 0.0) == "ca: 0.25 · 0.25 = 0.0625"
    assert table.tell["table"](shown, 1.5, 1.5) == "ends with a 2, a 2: 0.0625"
    assert table.tell["table"](shown, -0.5, 1.5) == ""


def drawn(canvas, shown, axes, name):
    """The texts of this name, as Matplotlib draws them."""
    canvas.frame(shown)
    words = {mark.words for mark in marks_of(table, shown, name)} - {""}
    return [text for text in canvas.axes(axes).texts if text.get_visible() and text.get_text() in words]


def test_no_name_of_a_bar_reaches_into_the_table():
    canvas = table.canvas()
    names = drawn(canvas, state(table, x="abcdefghij", z="abcdefghij", length=4, decay=0.05), "bars", "names")
    assert names[-1].get_text() == "203 more"
    right = canvas.axes("table").transData.transform((10, 0))[0]  # of the last column
    assert all(text.get_window_extent().x0 > right for text in names)


@pytest.mark.parametrize("word", ["cat", "cart", "tatar", "tattat"])
def test_the_numbers_stay_within_the_frames_of_their_cells(word):
    canvas = table.canvas()
    for length, decay in [(1, 0.5), (2, 0.5), (3, 0.35), (3, 0.5), (2, 0.95)]:
        numbers = drawn(canvas, state(table, x=word, z=word, length=length, decay=decay), "table", "numbers")
        middle = canvas.axes("table").transData.transform
        assert numbers or (len(word), length) == (6, 3)  # 0.0018 is too long for a cell of 48 pixels
        for box, (x, y) in [(text.get_window_extent(), text.get_position()) for text in numbers]:
            assert middle((x - 0.46, y))[0] < box.x0 and box.x1 < middle((x + 0.46, y))[0]


def test_where_all_words_add_the_same_the_tightest_comes_first_and_the_marked_one_stays():
    longer = [u for u, *_ in state(table, x="listen", z="silent", length=2, decay=1.0).words]
    spans = [sum(i[-1] - i[0] for i in (tightest("listen", u), tightest("silent", u))) for u in longer]
    assert spans == sorted(spans) and longer != sorted(longer)


def test_odd_words_are_words():
    assert cleaned(" The cat's $x_1$ ") == "the cat s" and cleaned("ÉTÉ") == "été" and cleaned("🐈 42") == ""
    assert cleaned("abcdefghi jkl") == "abcdefghi"
    nothing = state(table, x="", z="")
    assert nothing.k == 0 and nothing.cosine is None
    assert readout_of(table, x="", z="") == {"shared words": "0", "k": "0"}


# ---- features that are written down ---------------------------------------------------------------


KERNELS = Substrings(1), Substrings(3), Subsequences(1, 0.5), Subsequences(3, 0.7), Subsequences(2, 1.0)


@pytest.mark.parametrize("k", KERNELS, ids=repr)
def test_amounts_are_the_features_of_the_kernel(k):
    X = ["gattaca", "tac", "", "a", "ccccc", "gtca"]
    Phi = amounts(X, k.length, getattr(k, "decay", None), "acgt")
    words = [spelled(j, k.length, "acgt") for j in range(4**k.length)]
    assert len({*words}) == len(words)
    for x, row in zip(X, Phi, strict=True):
        parts = k.parts(x)
        np.testing.assert_allclose(row, [parts.get(u, 0) for u in words], rtol=1e-12)


@pytest.mark.parametrize(("length", "decay"), [(1, 0.5), (2, None), (3, None), (3, 0.7)])
def test_the_votes_of_the_letters_add_up(length, decay):
    x, w = "gattacagatt", np.random.default_rng(0).standard_normal(4**length)
    Phi = amounts([x], length, decay, "acgt")
    assert votes(x, w, length, decay, "acgt").sum() == pytest.approx((Phi @ w / sizes(Phi)[0])[0], rel=1e-10)


MET = Substrings(1), Substrings(4), Subsequences(1, 0.5)
MET += Subsequences(2, 0.3), Subsequences(3, 1.0), Subsequences(5, 0.7)


@pytest.mark.parametrize("k", MET, ids=repr)
def test_words_met_in_the_middle_are_the_kernel_its_weights_and_its_outputs(k):
    X, Z = ["gattaca", "tac", "", "a", "ccccc", "gtcatgc"], ["tagaca", "", "ggtcca"]
    a = np.array([1, -2, 3, 4, -0.5, 6])
    x, z = (Middles.of(strings, k.length, getattr(k, "decay", None), "acgt") for strings in (X, Z))
    np.testing.assert_allclose(x.gram(z), k(X, Z), rtol=1e-12, atol=0)
    np.testing.assert_allclose(x.gram(x), k(X), rtol=1e-12, atol=0)
    np.testing.assert_allclose(z.outputs(x.weights(a)), a @ k(X, Z), rtol=1e-12, atol=1e-12)


# ---- the map --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scene", "length"), [("Stray letters", 3), ("Stray letters, gaps", 3), ("Clean, gaps", 4), ("Single letters", 1)]
)
def test_the_map_is_that_of_the_packaged_kernel_and_machine(scene, length):
    values = language_map.start() | language_map.scenes[scene] | {"length": length}
    gaps = values["kind"] == "subsequences"
    k = Normalized(Subsequences(values["length"], values["decay"]) if gaps else Substrings(values["length"]))
    X, y = sample(values["stray"])
    shown = state(language_map, scene, length=length)
    k_z = k([shown.z], X[:20])[0]
    np.testing.assert_allclose(shown.k_z[:20], k_z, rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(shown.learned.K[:6, :6], k(X[:6]), rtol=1e-10, atol=1e-12)
    svm = KernelSVM(Precomputed(), tol=1e-6).fit(shown.learned.K, y)
    assert shown.h == pytest.approx(svm.decision_function(shown.k_z[None])[0], abs=1e-9)
    assert shown.votes.sum() == pytest.approx(shown.h - shown.learned.b, abs=1e-9)


@pytest.mark.parametrize("scene", [None, *language_map.scenes])
def test_the_rings_are_the_mistakes_and_the_star_has_the_colour_that_the_machine_says(scene):
    shown = state(language_map, scene)
    (rings,), (own,) = (marks_of(language_map, shown, name) for name in ("wrong", "own"))
    places = shown.low + (shown.high - shown.low) * np.column_stack([rings.x, rings.y])
    np.testing.assert_allclose(places, shown.learned.Y[shown.learned.wrong], atol=1e-12)
    assert len(places) == number(readout_of(language_map, scene)["wrong in cross-validation"])
    assert own.color == COLOURS[1 if shown.h > 0 else -1]
    np.testing.assert_allclose(shown.k, np.sort(shown.k_z)[::-1][:NEAREST], atol=1e-12)


def errors(scene=None, **values):
    return int(state(language_map, scene, **values).learned.wrong.sum())


def test_stray_letters_break_substrings_and_gaps_mend_part_of_it():
    clean, torn, mended = errors(), errors("Stray letters"), errors("Stray letters, gaps")
    assert clean == 0 and 9 <= torn <= 15 and mended <= torn / 2  # about one in ten of 120
    assert errors("Clean, gaps") == 0 and 1 <= errors("Single letters") <= 5


def test_the_decay_is_best_in_between():
    best = errors("Stray letters, gaps")
    assert all(errors("Stray letters, gaps", decay=decay) > best for decay in (0.1, 0.2, 0.8, 1.0))


def test_a_sentence_in_each_language_lands_on_its_side():
    assert state(language_map).h < -0.3 and state(language_map, "French").h > 0.3
    assert abs(state(language_map, "Italian").h) < min(-state(language_map).h, state(language_map, "French").h)


def test_nothing_typed_has_no_votes():
    for text in ("", "42 !?", "é" * 0):
        shown = state(language_map, sentence=text)
        assert not shown.found and shown.h == shown.learned.b and not shown.votes.any()


def test_words_that_no_sentence_has_are_words_all_the_same():
    for text, length in (("zzz", 3), ("xz", 2), ("a", 3)):
        assert not state(language_map, sentence=text, length=length).found


def test_what_is_typed_is_cleaned():
    assert cleaned_sentence("Où est la clé de l'Église ?") == "ou est la cle de l eglise"
    assert cleaned_sentence("Le cœur") == "le coeur"
    assert len(cleaned_sentence("ab " * 50)) <= 60 and set(cleaned_sentence("Ça $x_1$ ß ﬁ")) <= set(LETTERS)


# ---- the motif ------------------------------------------------------------------------------------


def test_gaps_find_the_motif_that_substrings_miss():
    plain, gaps = state(motif), state(motif, "Gaps allowed")
    assert plain.error > 0.2 and 0.4 < gaps.error / plain.error < 0.6  # about half of them are left
    assert plain.training == 0  # by heart
    assert (gaps.words[0], gaps.words[-1]) == ("gatc", "ctag") and (plain.words[0], plain.words[-1]) != ("gatc", "ctag")


def test_without_gaps_substrings_find_it_as_well():
    found = state(motif, "No gaps planted")
    assert found.error < 0.05 and (found.words[0], found.words[-1]) == ("gatc", "ctag")


def test_pairs_and_free_gaps_say_less():
    best = state(motif, "Gaps allowed").error
    assert state(motif, "Only pairs").error > best and state(motif, "Gaps are free").error > 1.5 * best


def test_a_motif_is_planted_with_gaps_up_to_a_number():
    X, y = datasets.motifs(20, gap=0)
    assert all(x.count("gatc" if c > 0 else "ctag") >= 3 for x, c in zip(X, y, strict=True))
    for wrong in (3, -1, 1.5, "two"):
        with pytest.raises((ValueError, TypeError), match=r"^gap must be"):
            datasets.motifs(20, gap=wrong)


def test_the_strings_that_are_shown_hold_more_of_their_own_motif():
    X, _ = datasets.motifs(80)
    for x, own, other in ((X[0], "ctag", "gatc"), (X[-1], "gatc", "ctag")):
        amount = Subsequences(4, 0.5).parts(x)
        assert amount[own] > 2 * amount[other]


def test_a_click_on_a_dot_chooses_its_string():
    shown = state(motif)
    assert motif.click["strip"](shown, shown.h[16], 1.0 if shown.t[16] > 0 else 0.0)["string"] in range(1, 201)


@pytest.mark.parametrize("string", [38, 17, 101])
def test_the_score_of_the_ringed_string(string):
    """Against scikit-learn's machine on the same Gram matrix."""
    (X, y), (Z, _) = datasets.motifs(80, 2), datasets.motifs(200, 2, random_state=1)
    k = Normalized(Subsequences(4, 0.5))
    svm = SVC(C=1.0, kernel="precomputed", tol=1e-8).fit(k(X), y)
    (h,) = svm.decision_function(k([Z[string - 1]], X))
    read = readout_of(motif, kind="subsequences", string=string)["h of the ringed string"]
    assert number(read) == pytest.approx(h, abs=0.0051)
