"""The report of a class: exact counts of what the checks said, whatever else lies among the files; nothing is run."""

import csv
import json
import os
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest
from notebook_cells import FOLDER

from kernelkit.course import command
from kernelkit.course.exercises import kernel_ridge, support_vector_machine
from kernelkit.course.exercises.base import Exercise
from kernelkit.course.tools import copies, handed_in, places, report

COURSE = handed_in.exercises()
OFFSET = "support_vector_machine.offset"
PRICE = "support_vector_machine.price"
NAME = "07-support-vector-machine.ipynb"
MODULES = {"03-kernel-ridge": kernel_ridge, "07-support-vector-machine": support_vector_machine}
SOURCE = "from kernelkit.course.exercises import support_vector_machine as check"


def output(exercise=OFFSET, verdict="right", mistake=None, line="✓ Recover the offset: right."):
    said = {"exercise": exercise, "verdict": verdict, "mistake": mistake}
    return {"output_type": "display_data", "data": {"text/plain": line}, "metadata": {"kernelkit": said}}


def wrong(mistake, sentence="you erred."):
    return output(verdict="wrong", mistake=mistake, line=f"✗ Recover the offset: {sentence}")


OPEN = output(verdict="open", line="○ Recover the offset: not solved yet.")


def cell(source, *outputs):
    return {"cell_type": "code", "source": source, "metadata": {}, "execution_count": 1, "outputs": list(outputs)}


def write(path, *outputs, source=SOURCE, cells=()):
    """A notebook that somebody handed in: its first cell has the import and these outputs."""
    path.parent.mkdir(parents=True, exist_ok=True)
    every = [cell(source, *outputs), *cells]
    path.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": every}))


def counts(found, exercise=OFFSET):
    """Right, open, and {mistake: count}."""
    one = next(row for row in report.table(found, COURSE) if row.exercise == exercise)
    return one.right, one.open, {name: count for name, count, _ in one.mistakes}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where a class hands in, of a course of two notebooks; the picture of the report goes beside it."""
    course = tmp_path / "course"
    course.mkdir()
    for stem in MODULES:
        shutil.copy(FOLDER / f"{stem}.ipynb", course)
    monkeypatch.setattr(places, "INSIDE", course)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "in").mkdir()
    return tmp_path / "in"


def said(folder, *more, capsys):
    command.main(["report", str(folder), *map(str, more)])
    return capsys.readouterr().out


def rows_of(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        return [*csv.DictReader(file)]


def shown(check, answer):
    """The output that a notebook stores of this check."""
    check(answer)
    data, metadata = check.result._repr_mimebundle_()
    return {"output_type": "display_data", "data": data, "metadata": metadata}


def test_every_verdict_and_mistake_of_a_class_is_counted_exactly(folder, capsys):
    real, truth = support_vector_machine.offset, Counter()
    for stem, module in MODULES.items():
        checks = {check: [*check.wrong] for check in vars(module).values() if isinstance(check, Exercise)}
        for number in range(2 + max(map(len, checks.values()))):
            own = []
            for check, mistakes in checks.items():
                verdicts = [("right", None), ("open", None), *(("wrong", name) for name in mistakes)]
                verdict, name = verdicts[number % len(verdicts)]
                truth[check.name, verdict, name] += 1
                line = output(check.name, verdict, name, f"✗ {check.title}: no.")
                if (check, name) == (real, "all_support_vectors"):
                    line = shown(check, check.wrong[name])
                ran = verdict != "open" or number == 1  # where others were run, this is open as well
                own.append(cell(f"check.{check.__name__}(mine)", *[line] * ran))
            name = f"student {number}/{stem}.ipynb" if number % 3 else f"{stem}-student_{number}.ipynb"
            write(folder / name, source=SOURCE.replace("support_vector_machine", stem[3:].replace("-", "_")), cells=own)
    printed = said(folder, "--csv", "a.csv", capsys=capsys)
    rows = report.table(handed_in.collect(folder, COURSE), COURSE)
    told = Counter({(one.exercise, "right", None): one.right for one in rows})
    told += Counter({(one.exercise, "open", None): one.open for one in rows})
    told += Counter({(one.exercise, "wrong", name): n for one in rows for name, n, _ in one.mistakes})
    assert told == truth and len([key for key in told if key[1] == "wrong"]) > 70
    assert Counter((one["exercise"], one["verdict"], one["mistake"] or None) for one in rows_of("a.csv")) == told
    (panel, scene), right = real.scenes["all_support_vectors"], told[OFFSET, "right", None]
    assert f"  {told[OFFSET, 'wrong', 'all_support_vectors']:4d}  all_support_vectors: you took all" in printed
    assert f"show “{panel.title}”, scene “{scene}”" in printed and f"{COURSE[OFFSET]}: {right} right" in printed


def test_one_student_counts_once_the_best_answer_counts_and_what_was_not_run_is_open(folder):
    write(folder / "Ada" / "1.ipynb", wrong("all_points"))
    write(folder / "Ada" / "again" / "2.ipynb", output(), OPEN)
    write(folder / "Ada" / "3.ipynb", wrong("sign_turned"))
    write(folder / "bob" / NAME, OPEN, wrong("all_points"), wrong("sign_turned"), OPEN)
    write(folder / "07-support-vector-machine-BOB-Copy1.ipynb", wrong("one_for_label"))
    found = handed_in.collect(folder, COURSE)
    assert found.handed_in == {"ada", "bob"} and counts(found) == (1, 0, {"sign_turned": 1})
    assert counts(found, PRICE) == (0, 2, {})
    assert {one.exercise.partition(".")[0] for one in report.table(found, COURSE)} == {"support_vector_machine"}


CLASS = ["Ada", "Ada Lovelace", "Jörg"]
WHOSE = [  # place, the list of the class, and whose it is
    ("Ada Lovelace/07-support-vector-machine.ipynb", (), "ada lovelace"),
    ("Ada/week 2/07.ipynb", (), "ada"),
    ("ada_07-support-vector-machine.ipynb", (), "ada"),
    ("07-support-vector-machine ada (2).ipynb", (), "ada"),
    ("ada.ipynb", (), "ada"),
    ("07-support-vector-machine/ada.ipynb", (), "ada"),
    ("07/ada.ipynb", (), "ada"),
    ("07-support-vector-machine/ada (1).ipynb", (), "ada"),
    ("ada (1)/07-support-vector-machine.ipynb", (), "ada"),
    ("week 2/Ada/07.ipynb", (), "ada"),
    ("hw3/ada_07-support-vector-machine.ipynb", (), "ada"),
    ("Ada Lovelace_4711_assignsubmission_file/07.ipynb", (), "ada lovelace"),
    ("Ada Lovelace_4712_assignsubmission_file_/07.ipynb", (), "ada lovelace"),
    ("Ada Lovelace_4713_assignsubmission_file_07-support-vector-machine.ipynb", (), "ada lovelace"),
    ("lovelaceada_101_9002_07-support-vector-machine.ipynb", (), "lovelaceada"),
    ("lovelaceada_LATE_102_9003_03-kernel-ridge.ipynb", (), "lovelaceada"),
    ("Exercise 07/ada-07-support-vector-machine.ipynb", (), "ada"),
    ("2026-11-20/Problem Set 2/Ada/07.ipynb", (), "ada"),
    ("Wee Kim/07.ipynb", (), "wee kim"),
    ("4711/07.ipynb", (), "4711"),
    ("Zoe-13-finding-gold.ipynb", (), "zoe"),
    ("Zoe/13-finding-gold.ipynb", (), "zoe"),
    ("13_Finding_Gold zoe.ipynb", (), "zoe"),
    ("Lovelace_Ada_12345_assignsubmission_file_/07.ipynb", CLASS, "Ada Lovelace"),
    ("group 1/07-support-vector-machine-ada.ipynb", CLASS, "Ada"),
    ("group 1/Jo\u0308rg/07.ipynb", CLASS, "Jörg"),
    ("Nobody/07.ipynb", CLASS, "nobody"),
    ("Zoe-13-finding-gold.ipynb", ["Ada", "Gold", "Zoe"], "Zoe"),
    ("Zoe/13-finding-gold.ipynb", ["Ada", "Gold", "Zoe"], "Zoe"),
    ("13_Finding_Gold zoe.ipynb", ["Ada", "Gold", "Zoe"], "Zoe"),
]


@pytest.mark.parametrize(("place", "listed", "student"), WHOSE)
def test_place_name_and_the_list_of_the_class_say_whose_a_notebook_is(place, listed, student):
    assert handed_in.student_of(Path(place), listed) == student


@pytest.mark.parametrize("place", ["07-support-vector-machine (1).ipynb", "07.ipynb", "Ada and Jörg/07.ipynb"])
def test_a_notebook_of_which_nothing_says_whose_it_is_or_too_much_is_nobodys(place):
    with pytest.raises(ValueError, match=r"whose it is|fit: Ada, Jörg"):
        handed_in.student_of(Path(place), CLASS)


def test_who_handed_in_nothing_is_named_and_only_what_was_set_is_reported(folder, capsys):
    Path("names.txt").write_text("\ufeffAda\n\nBob\nCyd\n  Dee \n", encoding="utf-8")
    write(folder / "ada" / "a.ipynb", output(), output(PRICE))
    write(folder / "bob" / "b.ipynb")
    write(folder / "eve" / "e.ipynb", output())
    text = said(folder, "--class", "names.txt", "--only", "07.3, 07.2", "--csv", "c.csv", capsys=capsys)
    assert "2 students with results." in text and "07.3 – " in text and "07.1 – " not in text
    assert "Handed in, but no check that is counted was run (1):\n  Bob\n" in text
    assert "Handed in nothing that counts (2):\n  Cyd\n  Dee\n" in text and "Not on the list (1):\n  eve\n" in text
    verdicts = {"Ada": ("open", "right"), "Bob": ("no check that is counted was run",) * 2, "eve": ("open", "right")}
    verdicts |= {name: ("nothing handed in",) * 2 for name in ("Cyd", "Dee")}
    rows = [(row["student"], row["heading"][:4], row["verdict"]) for row in rows_of("c.csv")]
    every = [(name, *row) for name, own in verdicts.items() for row in zip(("07.2", "07.3"), own, strict=True)]
    assert sorted(rows) == sorted(every)


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


def test_broken_foreign_and_huge_files_are_listed_and_the_rest_counts(folder, capsys):
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


ODD = [None, 3, "right", [], {}, {"exercise": 3}, {"exercise": [OFFSET]}, {"exercise": OFFSET, "verdict": ["right"]}]
ODD += [{"exercise": OFFSET, "verdict": verdict} for verdict in ({}, "excellent")]
ODD += [{"exercise": exercise, "verdict": "right"} for exercise in ("no.such", {"a": 1})]
NO_NAMES = [None, 3, ["all_points"], {}, "", "two words", "x" * 1000, "\x1b[31m", "$a$"]
LINES = [None, 3, [3, "✗ T: a"], {"a": 1}, "", "\x1b[2J\x07\r\nx", "\ud800", "x" * 10**6, "\u202e"]


def test_marks_of_another_form_count_nothing_and_a_mistake_without_a_name_is_unnamed(folder):
    odd = [output() | {"metadata": one} for mark in ODD for one in (mark, {"kernelkit": mark})]
    write(folder / "ada" / "a.ipynb", *odd, {"output_type": "stream", "text": 3}, wrong("all_points"))
    for i, name in enumerate(NO_NAMES):
        write(folder / f"student {i}" / "a.ipynb", wrong(name))
    assert counts(handed_in.collect(folder, COURSE)) == (0, 0, {"all_points": 1, "unnamed": len(NO_NAMES)})


def test_text_of_strangers_is_printed_as_harmless_lines(folder, capsys):
    for i, line in enumerate(LINES):
        write(folder / f"ada\x1b[31m${i}$" / "a.ipynb", wrong(f"m{i}") | {"data": {"text/plain": line}})
    write(folder / "=1+1" / "a.ipynb", wrong("m0"))
    write(folder / "b\x1b[31m" / "a.ipynb", source="")
    text = said(folder, "--csv", "a.csv", capsys=capsys)
    assert all(c.isprintable() or c == "\n" for c in text) and max(map(len, text.splitlines())) < 300
    assert "     2  m0: " in text and all(f"     1  m{i}: " in text for i in range(1, len(LINES)))
    assert all(row["student"].startswith(("ada", "1")) for row in rows_of("a.csv"))
    for name in ("=1+1", "+1", "-1", "@a", "", "\tx"):
        assert handed_in.plain(name) in report.harmless(name) and report.harmless(name)[0] == "'", "no formula"


def test_where_marks_are_gone_text_and_errors_count_and_the_report_says_so(folder, capsys):
    """Also in a notebook with the imports of an earlier course; a SyntaxError is wrong, and not open."""
    stripped = output() | {"metadata": {}}
    printed = {"output_type": "stream", "name": "stdout", "text": ["✗ The price of a line: no.\n"]}
    gone = cell("check.offset(offset)", stripped), cell("check.price(price)", printed)
    error = {"output_type": "error", "ename": "SyntaxError", "evalue": "invalid syntax (1.py, line 2)", "traceback": []}
    write(folder / "ada" / "a.ipynb", cells=gone)
    write(folder / "bob" / "b.ipynb", cells=gone, source=SOURCE.replace(".course", ""))
    write(folder / "cyd" / "c.ipynb", cells=[cell("def offset(K:\n\ncheck.offset(offset)", error)])
    text = said(folder, capsys=capsys)
    assert f"{COURSE[OFFSET]}: 2 right, 0 open, 1 wrong" in text
    assert f"{COURSE[PRICE]}: 0 right, 1 open, 2 wrong" in text
    assert "     1  stopped: your code stopped with SyntaxError: invalid syntax" in text
    assert "Read from the text of the outputs (2):\n  ada/a.ipynb: the metadata of its outputs are gone" in text


def test_the_same_text_of_two_students_is_listed_and_the_untouched_notebook_is_not(folder, capsys):
    """And two notebooks under one name are said."""
    (copied,) = copies.student(copies.originals([NAME])).values()
    other = "from kernelkit.course.exercises import other as check"
    for name in ("ada", "bob", "cyd"):
        write(folder / name / "mine.ipynb", output(), source=other if name == "cyd" else SOURCE)
        shutil.copy(FOLDER / NAME, folder / name)
        (folder / name / "copied.ipynb").write_text(copied, encoding="utf-8")
    for place in ("Tuesday/eve.ipynb", "Tuesday/Fay/07.ipynb", "Gil/07.ipynb"):
        write(folder / place, output(), source=f"{SOURCE}\n# {place}")
    text = said(folder, capsys=capsys)
    listed = "The same text in every cell (2):\n  group 1: ada (ada/mine.ipynb)\n  group 1: bob (bob/mine.ipynb)\n"
    assert listed in text
    assert "tuesday: Tuesday/Fay/07.ipynb, Tuesday/eve.ipynb" in text and "\n  gil" not in text


REFUSED = [
    (["none"], "is not a folder"),
    (["in", "--class", "none.txt"], "cannot be read"),
    (["in", "--csv", "in/ada/a.ipynb"], "is a notebook"),
    (["in", "--picture", "a.xyz"], "'xyz'"),
    (["in", "--csv", "none/a.csv"], "none/a.csv cannot be written: its folder is missing."),
    (["in", "--csv", "."], ". cannot be written: it is a folder."),
    (["in", "--only", "07.1,99.9"], "no exercise 99.9"),
    (["in", "--only", ","], "There is no exercise ,;"),
    (["in", "--class", "names.txt", "--csv", "./names.txt"], "names.txt is read for this report"),
    (["in", "--csv", "new.svg", "--picture", "new.svg"], "new.svg is named twice"),
]


@pytest.mark.parametrize(("asked", "says"), REFUSED, ids=lambda part: part[-1] if isinstance(part, list) else None)
def test_what_cannot_be_done_is_said_in_one_line_before_anything_is_written(asked, says, folder):
    write(folder / "ada" / "a.ipynb", output())
    Path("names.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(SystemExit, match=rf"^[^\n]*{re.escape(says)}[^\n]*$"):
        command.main(["report", *asked])
    assert {path.name: path.read_text() for path in Path().iterdir() if path.is_file()} == {"names.txt": "mine"}


def test_the_picture_is_drawn_or_can_go_elsewhere_and_an_empty_folder_has_none(folder, capsys, monkeypatch):
    assert said("in", capsys=capsys) == "0 students with results.\n" and not [*Path().glob("*.png")]
    write(folder / "ada" / "a.ipynb", output())
    said("in", capsys=capsys)
    assert Path("in-report.png").read_bytes()[:4] == b"\x89PNG"

    def draw(rows, path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(report, "draw", draw)
    with pytest.raises(SystemExit, match=r"in-report\.png: Permission denied\. --picture FILE draws elsewhere\."):
        command.main(["report", "in"])
