"""The report of a class: exact counts of what the checks said, whatever else lies among the files; nothing is run."""

import csv
import json
import os
import re
import shutil
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from notebook_cells import FOLDER

from kernelkit.course import command
from kernelkit.course.exercises import kernel_ridge, support_vector_machine
from kernelkit.course.exercises.base import Challenge, Exercise
from kernelkit.course.tools import copies, handed_in, report

COURSE = handed_in.exercises()
OFFSET = "support_vector_machine.offset"
PRICE = "support_vector_machine.price"
NAME = "07-support-vector-machine.ipynb"
MODULES = {"03-kernel-ridge": kernel_ridge, "07-support-vector-machine": support_vector_machine}


def output(exercise=OFFSET, verdict="right", mistake=None, line="✓ Recover the offset: right."):
    said = {"exercise": exercise, "verdict": verdict, "mistake": mistake}
    return {"output_type": "display_data", "data": {"text/plain": line}, "metadata": {"kernelkit": said}}


def wrong(mistake, sentence="you erred."):
    return output(verdict="wrong", mistake=mistake, line=f"✗ Recover the offset: {sentence}")


OPEN = output(verdict="open", line="○ Recover the offset: not solved yet.")
SOURCE = "from kernelkit.course.exercises import support_vector_machine as check"


def write(path, *outputs, source=SOURCE):
    path.parent.mkdir(parents=True, exist_ok=True)
    cell = {"cell_type": "code", "source": source, "metadata": {}, "execution_count": 1, "outputs": list(outputs)}
    path.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [cell]}))


def row(found, exercise=OFFSET):
    return next(row for row in report.table(found, COURSE) if row.exercise == exercise)


def counts(found, exercise=OFFSET):
    """Right, open, and {mistake: count}."""
    one = row(found, exercise)
    return one.right, one.open, {name: count for name, count, _ in one.mistakes}


def said(folder, *more, capsys):
    command.main(["report", str(folder), "--picture", str(folder.parent / "picture.png"), *map(str, more)])
    return capsys.readouterr().out


# ---- a class of two hundred ------------------------------------------------------------------------


def shown(check, answer, capsys):
    """The output that a notebook would store of this check."""
    check(answer)
    capsys.readouterr()
    data, metadata = check.result._repr_mimebundle_()
    return {"output_type": "display_data", "data": data, "metadata": metadata}


def templates(capsys):
    """Of two notebooks: its text with a gap for the outputs of each exercise, and all outputs these can have."""
    for stem, module in MODULES.items():
        notebook = json.loads((FOLDER / f"{stem}.ipynb").read_text(encoding="utf-8"))
        possible = {}
        for cell in notebook["cells"]:
            for check in [c for c in vars(module).values() if isinstance(c, Exercise)]:
                if f"check.{check.__name__}(" in "".join(cell["source"]):
                    cell["outputs"] = f"<{check.name}>"
                    wrong = () if isinstance(check, Challenge) else (*check.wrong.values(), check.right)
                    answers = [
                        one for several in wrong for one in (several if isinstance(several, list) else [several])
                    ]
                    possible[check.name] = [shown(check, answer, capsys) for answer in answers]
                    possible[check.name] += [shown(check, lambda *_: None, capsys), output(check.name), None]
        yield stem, json.dumps(notebook), possible


@pytest.fixture
def two_hundred(tmp_path, capsys):
    """A folder of 200 notebooks with seeded answers, and how often each (exercise, verdict, name) is there."""
    rng, truth = np.random.default_rng(0), Counter()
    both, folder = list(templates(capsys)), tmp_path / "handed-in"
    for number in range(200):
        stem, text, possible = both[number % 2]
        picks = {name: outputs[rng.integers(len(outputs))] for name, outputs in possible.items()}
        for name, pick in picks.items():
            mark = pick["metadata"]["kernelkit"] if pick else {"verdict": "open", "mistake": None}
            truth[name, mark["verdict"], mark["mistake"]] += any(picks.values())
            text = text.replace(json.dumps(f"<{name}>"), json.dumps([pick] if pick else []))
        path = folder / (f"student {number}/{stem}.ipynb" if number % 3 else f"{stem}-student_{number}.ipynb")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    yield folder, +truth
    shutil.rmtree(folder)


def test_two_hundred_notebooks_are_counted_exactly(two_hundred, tmp_path, capsys):
    folder, truth = two_hundred
    files = ["--picture", str(tmp_path / "a.png"), "--csv", str(tmp_path / "a.csv")]
    command.main(["report", str(folder), *files])
    found = handed_in.collect(folder, COURSE)
    assert len(found.handed_in) == 200 and not found.set_aside
    rows = report.table(found, COURSE)
    told = Counter({(one.exercise, "right", None): one.right for one in rows})
    told += Counter({(one.exercise, "open", None): one.open for one in rows})
    told += Counter({(one.exercise, "wrong", name): n for one in rows for name, n, _ in one.mistakes})
    assert told == truth and len([key for key in truth if key[1] == "wrong"]) > 70
    with open(tmp_path / "a.csv", encoding="utf-8-sig") as file:
        lines = Counter((one["exercise"], one["verdict"], one["mistake"] or None) for one in csv.DictReader(file))
    assert lines == truth
    printed = capsys.readouterr().out
    n = truth[OFFSET, "wrong", "all_support_vectors"]
    assert f"  {n:4d}  all_support_vectors: you took all support vectors; those with α = C" in printed
    assert f"07.3 – Recover the offset: {truth[OFFSET, 'right', None]} right" in printed


# ---- who, and what counts --------------------------------------------------------------------------


def test_one_student_counts_once_and_the_best_answer_counts(tmp_path):
    ada, bob = tmp_path / "in" / "Ada", tmp_path / "in" / "bob"
    write(ada / "1.ipynb", wrong("all_points"))
    write(ada / "again" / "2.ipynb", output(), OPEN)
    write(ada / "3.ipynb", wrong("sign_turned"))
    write(bob / "07-support-vector-machine.ipynb", OPEN, wrong("all_points"), wrong("sign_turned"), OPEN)
    write(tmp_path / "in" / "07-support-vector-machine-BOB-Copy1.ipynb", wrong("one_for_label"))
    found = handed_in.collect(tmp_path / "in", COURSE)
    assert found.handed_in == {"ada", "bob"} and counts(found) == (1, 0, {"sign_turned": 1})


@pytest.mark.parametrize(
    ("place", "student"),
    [
        ("Ada Lovelace/07-support-vector-machine.ipynb", "ada lovelace"),
        ("Ada/week 2/07.ipynb", "ada"),
        ("ada_07-support-vector-machine.ipynb", "ada"),
        ("07-support-vector-machine ada (2).ipynb", "ada"),
        ("ada.ipynb", "ada"),
        ("07-support-vector-machine/ada.ipynb", "ada"),
        ("07/ada.ipynb", "ada"),
        ("07-support-vector-machine/ada (1).ipynb", "ada"),
        ("ada (1)/07-support-vector-machine.ipynb", "ada"),
        ("week 2/Ada/07.ipynb", "ada"),
        ("hw3/ada_07-support-vector-machine.ipynb", "ada"),
        ("Ada Lovelace_4711_assignsubmission_file/07.ipynb", "ada lovelace"),
        ("Ada Lovelace_4712_assignsubmission_file_/07.ipynb", "ada lovelace"),
        ("Ada Lovelace_4713_assignsubmission_file_07-support-vector-machine.ipynb", "ada lovelace"),
        ("lovelaceada_101_9002_07-support-vector-machine.ipynb", "lovelaceada"),
        ("lovelaceada_LATE_102_9003_03-kernel-ridge.ipynb", "lovelaceada"),
        ("Exercise 07/ada-07-support-vector-machine.ipynb", "ada"),
        ("2026-11-20/Problem Set 2/Ada/07.ipynb", "ada"),
        ("Wee Kim/07.ipynb", "wee kim"),
        ("4711/07.ipynb", "4711"),
    ],
)
def test_place_and_name_say_whose_a_notebook_is(place, student):
    assert handed_in.student_of(Path(place), ()) == student


@pytest.mark.parametrize(
    ("place", "student"),
    [
        ("Lovelace_Ada_12345_assignsubmission_file_/07.ipynb", "Ada Lovelace"),
        ("group 1/07-support-vector-machine-ada.ipynb", "Ada"),
        ("group 1/Jo\u0308rg/07.ipynb", "J\u00f6rg"),
        ("Nobody/07.ipynb", "nobody"),
    ],
)
def test_a_class_list_knows_its_names_wherever_they_stand(place, student):
    assert handed_in.student_of(Path(place), ["Ada", "Ada Lovelace", "J\u00f6rg"]) == student


@pytest.mark.parametrize(
    "place", ["Zoe-13-finding-gold.ipynb", "Zoe/13-finding-gold.ipynb", "13_Finding_Gold zoe.ipynb"]
)
def test_the_name_of_a_notebook_names_no_student(place):
    assert handed_in.student_of(Path(place), ["Ada", "Gold", "Zoe"]) == "Zoe"
    assert handed_in.student_of(Path(place), ()) == "zoe"


def test_a_notebook_of_which_nothing_says_whose_it_is_is_set_aside(tmp_path):
    write(tmp_path / "07-support-vector-machine (1).ipynb", output())
    write(tmp_path / "07.ipynb", output())
    found = handed_in.collect(tmp_path, COURSE)
    assert not found.handed_in and len(found.set_aside) == 2


def test_a_file_that_several_names_of_the_list_fit_is_set_aside(tmp_path):
    write(tmp_path / "Ada and Bob" / "07.ipynb", output())
    found = handed_in.collect(tmp_path, COURSE, ["Ada", "Bob", "Cyd"])
    assert not found.handed_in and ["Ada, Bob" in why for why in found.set_aside.values()] == [True]


def test_two_notebooks_of_one_name_in_one_student_s_folder_are_said(tmp_path, capsys):
    for place in "Tuesday/ada.ipynb", "Tuesday/Bob/07.ipynb", "Eve/07.ipynb":
        write(tmp_path / "in" / place, output())
    text = said(tmp_path / "in", capsys=capsys)
    assert "tuesday: Tuesday/Bob/07.ipynb, Tuesday/ada.ipynb" in text and "\n  eve" not in text


def test_who_handed_in_nothing_is_named(tmp_path, capsys):
    folder, names = tmp_path / "in", tmp_path / "names.txt"
    names.write_text("\ufeffAda\n\nBob\nCyd\n  Dee \n", encoding="utf-8")
    write(folder / "ada" / "a.ipynb", output())
    write(folder / "bob" / "b.ipynb")
    write(folder / "eve" / "e.ipynb", output())
    text = said(folder, "--class", names, capsys=capsys)
    assert "2 students with results." in text
    assert "Handed in, but no check that is counted was run (1):\n  Bob\n" in text
    assert "Handed in nothing that counts (2):\n  Cyd\n  Dee\n" in text and "Not on the list (1):\n  eve\n" in text


def test_a_check_that_was_not_run_is_open_where_others_were(tmp_path):
    write(tmp_path / "ada" / "a.ipynb", output())
    found = handed_in.collect(tmp_path, COURSE)
    assert counts(found) == (1, 0, {}) and counts(found, PRICE) == (0, 1, {})
    assert {one.exercise.partition(".")[0] for one in report.table(found, COURSE)} == {"support_vector_machine"}


def test_sentence_and_scene_stand_beside_the_count(tmp_path, capsys):
    for number in range(41):
        write(tmp_path / "in" / f"s{number}" / "a.ipynb", wrong("all_support_vectors", "you took all."))
    text = said(tmp_path / "in", capsys=capsys)
    panel, scene = support_vector_machine.offset.scenes["all_support_vectors"]
    assert f"    41  all_support_vectors: you took all.\n        show “{panel.title}”, scene “{scene}”" in text


# ---- whatever the files hold -------------------------------------------------------------------------


BROKEN = {
    "empty.ipynb": b"",
    "half.ipynb": b'{"cells": [',
    "binary.ipynb": bytes(range(256)),
    "list.ipynb": b"[1, 2]",
    "number.ipynb": b"3",
    "deep.ipynb": b"[" * 100_000,
    "digits.ipynb": b'{"cells": ' + b"9" * 10_000 + b"}",
    "old.ipynb": b'{"nbformat": 3, "worksheets": []}',
    "cells.ipynb": b'{"cells": {"a": 1}}',
    "odd.ipynb": b'{"cells": [1, null, [], "x", {"outputs": 3}, {"source": 4, "outputs": [null, {"metadata": []}]}]}',
    "foreign.ipynb": b'{"cells": [{"cell_type": "code", "source": ["print(1)"], "outputs": []}]}',
    "notes.pdf": b"%PDF",
    "archive.zip": b"PK",
}


def test_broken_foreign_and_huge_files_are_listed_and_the_rest_counts(tmp_path, capsys):
    folder = tmp_path / "in"
    write(folder / "ada" / "a.ipynb", output())
    write(folder / "ada" / ".ipynb_checkpoints" / "a-checkpoint.ipynb", wrong("all_points"))
    for name, content in BROKEN.items():
        (folder / name).write_bytes(content)
    (folder / "folder.ipynb").mkdir()
    write(folder / "huge.ipynb", output())
    os.truncate(folder / "huge.ipynb", handed_in.LARGEST + 1)
    listed = [*BROKEN, "huge.ipynb"]
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "pipe.ipynb")
        (folder / "nowhere.ipynb").symlink_to("missing")
        listed += ["pipe.ipynb", "nowhere.ipynb"]
    text = said(folder, capsys=capsys)
    assert "1 student with results." in text and f"Does not count ({len(listed)}):" in text
    assert all(f"\n  {name}: " in text for name in listed) and "huge.ipynb: too large" in text
    assert counts(handed_in.collect(folder, COURSE)) == (1, 0, {})


ODD = [
    None,
    3,
    "right",
    [],
    {},
    {"exercise": 3},
    {"exercise": [OFFSET]},
    {"exercise": OFFSET, "verdict": ["right"]},
    {"exercise": OFFSET, "verdict": {}},
    {"exercise": OFFSET, "verdict": "excellent"},
    {"exercise": "no.such", "verdict": "right"},
    {"exercise": {"a": 1}, "verdict": "right"},
]


@pytest.mark.parametrize("mark", ODD, ids=str)
@pytest.mark.parametrize("where", ["kernelkit", "metadata"])
def test_metadata_of_another_form_count_nothing(tmp_path, mark, where):
    one = output() | {"metadata": {"kernelkit": mark} if where == "kernelkit" else mark}
    write(tmp_path / "ada" / "a.ipynb", one, {"output_type": "stream", "text": 3}, wrong("all_points"))
    assert counts(handed_in.collect(tmp_path, COURSE)) == (0, 0, {"all_points": 1})


@pytest.mark.parametrize("mistake", [None, 3, ["all_points"], {}, "", "two words", "x" * 1000, "\x1b[31m", "$a$"])
def test_a_mistake_whose_name_is_none_is_counted_as_unnamed(tmp_path, mistake):
    write(tmp_path / "ada" / "a.ipynb", wrong(mistake))
    assert counts(handed_in.collect(tmp_path, COURSE)) == (0, 0, {"unnamed": 1})


@pytest.mark.parametrize(
    "line", [None, 3, [3, "✗ T: a"], {"a": 1}, "", "\x1b[2J\x07\r\nx", "\ud800", "x" * 10**6, "\u202e"]
)
def test_text_of_strangers_is_printed_as_one_harmless_line(tmp_path, line, capsys):
    one = wrong("all_points")
    one["data"] = {"text/plain": line}
    write(tmp_path / "in" / "ada\x1b[31m$x$" / "a.ipynb", one)
    write(tmp_path / "in" / "=1+1" / "a.ipynb", one)
    write(tmp_path / "in" / "b\x1b[31m" / "a.ipynb", source="")
    text = said(tmp_path / "in", "--csv", tmp_path / "a.csv", capsys=capsys)
    assert all(c.isprintable() or c == "\n" for c in text) and max(map(len, text.splitlines())) < 300
    assert "     2  all_points: " in text
    assert (tmp_path / "a.csv").read_text(encoding="utf-8-sig").splitlines()[1].startswith(("ada", "1"))


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@a", "", "\tx"])
def test_no_name_is_a_formula_of_a_spreadsheet(name):
    assert handed_in.plain(name) in report.harmless(name) and report.harmless(name)[0] == "'"


# ---- what the outputs say where they say it in another way ------------------------------------------


def cell(source, *outputs):
    return {"cell_type": "code", "source": source, "metadata": {}, "execution_count": 1, "outputs": list(outputs)}


def written(path, *cells, source=SOURCE):
    path.parent.mkdir(parents=True, exist_ok=True)
    first = cell(source)
    path.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [first, *cells]}))


def test_a_syntax_error_is_wrong_and_not_open(tmp_path, capsys):
    error = {"output_type": "error", "ename": "SyntaxError", "evalue": "invalid syntax (1.py, line 2)", "traceback": []}
    written(tmp_path / "in" / "ada" / "a.ipynb", cell("def offset(K:\n\ncheck.offset(offset)", error))
    text = said(tmp_path / "in", capsys=capsys)
    assert f"{COURSE[OFFSET]}: 0 right, 0 open, 1 wrong" in text
    assert "     1  stopped: your code stopped with SyntaxError: invalid syntax" in text


@pytest.mark.parametrize("source", [SOURCE, SOURCE.replace(".course", "")], ids=["today", "earlier"])
def test_where_metadata_are_gone_the_text_counts_and_the_report_says_so(source, tmp_path, capsys):
    """Also in a notebook with the imports of an earlier course."""
    stripped = output() | {"metadata": {}}
    printed = {"output_type": "stream", "name": "stdout", "text": ["✗ The price of a line: no.\n"]}
    cells = cell("check.offset(offset)", stripped), cell("check.price(price)", printed)
    written(tmp_path / "in" / "ada" / "a.ipynb", *cells, source=source)
    text = said(tmp_path / "in", capsys=capsys)
    assert (
        f"{COURSE[OFFSET]}: 1 right, 0 open, 0 wrong" in text and f"{COURSE[PRICE]}: 0 right, 0 open, 1 wrong" in text
    )
    assert "Read from the text of the outputs (1):\n  ada/a.ipynb: the metadata of its outputs are gone" in text


def test_the_same_text_of_two_students_is_listed_and_the_untouched_notebook_is_not(tmp_path, capsys):
    original = (FOLDER / NAME).read_text(encoding="utf-8")
    for name in ("ada", "bob", "cyd"):
        write(tmp_path / "in" / name / "mine.ipynb", output())
        path = tmp_path / "in" / name / NAME
        path.write_text(original, encoding="utf-8")
        (copied,) = copies.student(copies.originals([NAME])).values()
        (path.parent / "copied.ipynb").write_text(copied, encoding="utf-8")
    write(
        tmp_path / "in" / "cyd" / "mine.ipynb", output(), source="from kernelkit.course.exercises import other as check"
    )
    text = said(tmp_path / "in", capsys=capsys)
    listed = "The same text in every cell (2):\n  group 1: ada (ada/mine.ipynb)\n  group 1: bob (bob/mine.ipynb)\n"
    assert listed in text


def test_only_what_was_set_is_reported(tmp_path, capsys):
    write(tmp_path / "in" / "ada" / "a.ipynb", output(), output(PRICE))
    write(tmp_path / "in" / "cyd" / "a.ipynb")
    (tmp_path / "names.txt").write_text("Ada\nBob\nCyd\n")
    more = ["--only", "07.3, 07.2", "--class", tmp_path / "names.txt", "--csv", tmp_path / "c.csv"]
    text = said(tmp_path / "in", *more, capsys=capsys)
    assert "07.3 – " in text and "07.1 – " not in text
    with open(tmp_path / "c.csv", encoding="utf-8-sig", newline="") as file:
        rows = [(row["student"], row["heading"][:4], row["verdict"]) for row in csv.DictReader(file)]
    verdicts = {
        "Ada": ["open", "right"],
        "Bob": ["nothing handed in"] * 2,
        "Cyd": ["no check that is counted was run"] * 2,
    }
    assert rows == [(name, *row) for name, own in verdicts.items() for row in zip(("07.2", "07.3"), own, strict=True)]


# ---- what cannot be done is said in one sentence ------------------------------------------------------


def refused(*arguments):
    with pytest.raises(SystemExit) as stopped:
        command.main(["report", *map(str, arguments)])
    assert isinstance(stopped.value.code, str) and len(stopped.value.code.splitlines()) == 1
    return stopped.value.code


def test_bad_places_are_named(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "in" / "ada" / "a.ipynb", output())
    assert "is not a folder" in refused(tmp_path / "none")
    assert "cannot be read" in refused(tmp_path / "in", "--class", tmp_path / "none.txt")
    assert "is a notebook" in refused(tmp_path / "in", "--csv", tmp_path / "in" / "ada" / "a.ipynb")
    assert "'xyz'" in refused(tmp_path / "in", "--picture", tmp_path / "a.xyz")
    assert "its folder is missing" in refused(tmp_path / "in", "--csv", tmp_path / "none" / "a.csv")
    assert "no exercise 99.9" in refused(tmp_path / "in", "--only", "07.1,99.9")
    assert "There is no exercise ,;" in refused(tmp_path / "in", "--only", ",")


def test_where_nothing_may_be_written_the_picture_can_go_elsewhere(tmp_path, monkeypatch):
    def draw(rows, path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(report, "draw", draw)
    write(tmp_path / "in" / "ada" / "a.ipynb", output())
    assert "in-report.png: Permission denied. --picture FILE draws elsewhere." in refused(tmp_path / "in")


def test_the_picture_is_drawn_and_an_empty_folder_has_none(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    command.main(["report", "in"])
    assert capsys.readouterr().out == "0 students with results.\n" and not list(tmp_path.glob("*.png"))
    write(tmp_path / "in" / "ada" / "a.ipynb", output())
    command.main(["report", "in"])
    assert (tmp_path / "in-report.png").read_bytes()[:4] == b"\x89PNG"


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (["--class", "names.txt", "--csv", "./names.txt"], "names.txt is read for this report"),
        (["--csv", "new.svg", "--picture", "new.svg"], "new.svg is named twice"),
        (["--csv", "nowhere/new.csv"], "nowhere/new.csv cannot be written: its folder is missing."),
        (["--csv", "."], ". cannot be written: it is a folder."),
    ],
)
def test_what_cannot_be_written_is_said_before_any_work_and_nothing_is_lost(asked, says, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "handed-in").mkdir()
    (tmp_path / "names.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(SystemExit, match=re.escape(says)):
        command.main(["report", "handed-in", *asked])
    assert {path.name: path.read_text() for path in tmp_path.iterdir() if path.is_file()} == {"names.txt": "mine"}
