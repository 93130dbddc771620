"""Points of a class, as Canvas, Moodle and Gradescope import them; zeros for whoever handed in nothing."""

import csv
import json
from pathlib import PureWindowsPath

import gradebooks
import pytest
import report
from handed_in import exercises
from test_report import COURSE, OFFSET, OPEN, output, refused, said, write, wrong

PRICE = "support_vector_machine.price"
NAME = "07-support-vector-machine.ipynb"
CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,Old (99)
    Points Possible,,,,,10
"Lovelace, Ada",1001,s1,ada,A,7
"Bo, Bob",1002,s2,bob,A,
"Müller, Eva",1003,s3,eva,A,
"Student, Test",1009,,x,A,
"""
MOODLE = """Identifier,Full name,Email address,Status,Grade,Maximum Grade,Grade can be changed
Participant 1001,Ada Lovelace,a@x.org,,,100.00,Yes
Participant 1002,Bob Bo,b@x.org,,,100.00,Yes
Participant 1003,Eva Müller,e@x.org,,,100.00,Yes
"""
GRADESCOPE = """First Name,Last Name,SID,Email,Total Score,Max Points,Status,Submission ID
Ada,Lovelace,1,a@x.org,,,Submitted,1001
Bob,Bo,2,b@x.org,,,Submitted,1002
Eva,Müller,3,e@x.org,,,Missing,
"""
FILES = {  # Ada has both exercises right, Bob one, and Eva handed in nothing
    "canvas": ("lovelaceada_LATE_1001_55_" + NAME, "bobob_1002_56_" + NAME, CANVAS, "kernelkit"),
    "moodle": (f"Ada L_1001_assignsubmission_file_/{NAME}", f"B_1002_assignsubmission_file_/{NAME}", MOODLE, "Grade"),
    "gradescope": (f"submission_1001/{NAME}", f"submission_1002/{NAME}", GRADESCOPE, "Total Score"),
}


def rows_of(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def points(tmp_path):
    path = tmp_path / "points.csv"
    path.write_text("exercise,points\n07.3,2\n07.1;1,5\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("system", FILES)
def test_a_gradebook_gets_the_points_of_the_right_students(system, tmp_path, points, capsys):
    ada, bob, table, column = FILES[system]
    write(tmp_path / "in" / ada, output(), output(PRICE))
    write(tmp_path / "in" / bob, output(), wrong("all_points"), OPEN)
    (tmp_path / "book.csv").write_text(table, encoding="utf-8")
    more = ["--points", points, "--gradebook", system, tmp_path / "book.csv", tmp_path / "new.csv"]
    text = said(tmp_path / "in", *more, capsys=capsys)
    assert "Handed in nothing that counts (1):" in text and "Not on the list" not in text
    before, after = rows_of(tmp_path / "book.csv"), rows_of(tmp_path / "new.csv")
    assert len(before) == len(after)
    for old, new in zip(before, after, strict=True):
        changed = {key for key in new if new[key] != old.get(key)}
        assert changed <= {column, "Maximum Grade", "Max Points"}
    people = [row for row in after if row.get("Student") not in ("    Points Possible", "Student, Test")]
    assert [row[column] for row in people] == ["3.5", "2", "0"]
    if system == "canvas":
        assert [after[0][column], after[-1][column]] == ["3.5", ""], "what is possible; the test student has no points"
    else:
        assert {row.get("Maximum Grade", row.get("Max Points")) for row in people} == {"3.5"}


def test_of_two_students_with_one_name_the_number_decides(tmp_path, capsys):
    table = MOODLE.replace("Bob Bo", "Ada Lovelace")
    (tmp_path / "book.csv").write_text(table, encoding="utf-8")
    book = gradebooks.read_gradebook("moodle", tmp_path / "book.csv")
    assert [person.label for person in book.people] == ["Ada Lovelace", "Ada Lovelace (1002)", "Eva Müller"]
    write(tmp_path / "in" / f"Ada Lovelace_1002_assignsubmission_file_/{NAME}", output())
    said(tmp_path / "in", "--gradebook", "moodle", tmp_path / "book.csv", tmp_path / "new.csv", capsys=capsys)
    assert [row["Grade"] for row in rows_of(tmp_path / "new.csv")] == ["0", "1", "0"]


@pytest.mark.parametrize("place", ["lovelaceada_07.ipynb", "Ada Lovelace/07.ipynb", "lovelaceada_LATE_77_78_07.ipynb"])
def test_where_a_number_does_not_help_the_name_does(place, tmp_path):
    (tmp_path / "book.csv").write_text(CANVAS, encoding="utf-8")
    book = gradebooks.read_gradebook("canvas", tmp_path / "book.csv")
    assert book.whose(gradebooks.Path(place)) == "Lovelace, Ada"
    assert book.whose(gradebooks.Path("nobody_1_2_07.ipynb")) is None


@pytest.mark.parametrize("system", FILES)
def test_windows_writes_the_places_of_files_in_another_way(system, tmp_path):
    ada, bob, table, _ = FILES[system]
    (tmp_path / "book.csv").write_text(table, encoding="utf-8")
    book = gradebooks.read_gradebook(system, tmp_path / "book.csv")
    places = [PureWindowsPath("handed_in", *place.split("/")) for place in (ada, bob)]
    assert [book.whose(place) for place in places] == [person.label for person in book.people[:2]]


def test_only_what_was_set_is_reported_and_grades_have_a_row_of_zeros(tmp_path, capsys):
    write(tmp_path / "in" / "ada" / "a.ipynb", output(), output(PRICE))
    write(tmp_path / "in" / "cyd" / "a.ipynb")
    (tmp_path / "names.txt").write_text("Ada\nBob\nCyd\n")
    more = ["--only", "07.3, 07.2", "--class", tmp_path / "names.txt", "--grades", tmp_path / "g.csv"]
    text = said(tmp_path / "in", *more, "--csv", tmp_path / "c.csv", capsys=capsys)
    assert "07.3 – " in text and "07.1 – " not in text
    assert rows_of(tmp_path / "g.csv") == [
        {"student": "Ada", "07.2": "0", "07.3": "1", "sum": "1"},
        {"student": "Bob", "07.2": "0", "07.3": "0", "sum": "0"},
        {"student": "Cyd", "07.2": "0", "07.3": "0", "sum": "0"},
    ]
    assert [(row["student"], row["verdict"], row["points"]) for row in rows_of(tmp_path / "c.csv")] == [
        ("Ada", "open", "0"),
        ("Ada", "right", "1"),
        ("Bob", "nothing handed in", "0"),
        ("Bob", "nothing handed in", "0"),
        ("Cyd", "no check was run", "0"),
        ("Cyd", "no check was run", "0"),
    ]


def test_the_teaching_notes_say_what_the_exercises_are_worth():
    points = gradebooks.read_points(report.Path(report.__file__).with_name("teaching-notes.md"), COURSE)
    assert points["kernel_ridge.predict"] == 3 and points[PRICE] == 2
    assert sum(map(bool, points.values())) == len(COURSE) - 4, "those of A1 are not in the table"


def test_bad_tables_and_numbers_are_named(tmp_path):
    folder, book = tmp_path / "in", tmp_path / "book.csv"
    write(folder / "ada" / "a.ipynb", output())
    book.write_text("a,b\n1,2\n")
    assert "no exercise 99.9" in refused(folder, "--only", "07.1,99.9")
    assert "not one of canvas" in refused(folder, "--gradebook", "canvas", book, tmp_path / "new.csv")
    assert "knows canvas, moodle, gradescope" in refused(
        folder, "--gradebook", "blackboard", book, tmp_path / "new.csv"
    )
    assert "gives no points" in refused(folder, "--points", book)
    book.write_text("07.1,many\n")
    assert "has the line" in refused(folder, "--points", book)
    assert "cannot be read" in refused(folder, "--points", tmp_path / "none.csv")


# ---- what the outputs say where they say it in another way ------------------------------------------


def cell(source, *outputs):
    return {"cell_type": "code", "source": source, "metadata": {}, "execution_count": 1, "outputs": list(outputs)}


def written(path, *cells):
    path.parent.mkdir(parents=True, exist_ok=True)
    first = cell("from kernelkit.exercises import support_vector_machine as check")
    path.write_text(json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [first, *cells]}))


def test_a_syntax_error_is_wrong_and_not_open(tmp_path, capsys):
    error = {"output_type": "error", "ename": "SyntaxError", "evalue": "invalid syntax (1.py, line 2)", "traceback": []}
    written(tmp_path / "in" / "ada" / "a.ipynb", cell("def offset(K:\n\ncheck.offset(offset)", error))
    text = said(tmp_path / "in", capsys=capsys)
    assert f"{COURSE[OFFSET]}: 0 right, 0 open, 1 wrong" in text
    assert "     1  stopped: your code stopped with SyntaxError: invalid syntax" in text


def test_where_metadata_are_gone_the_text_counts_and_the_report_says_so(tmp_path, capsys):
    stripped = output() | {"metadata": {}}
    printed = {"output_type": "stream", "name": "stdout", "text": ["✗ The price of a line: no.\n"]}
    cells = cell("check.offset(offset)", stripped), cell("check.price(price)", printed)
    written(tmp_path / "in" / "ada" / "a.ipynb", *cells)
    text = said(tmp_path / "in", capsys=capsys)
    assert (
        f"{COURSE[OFFSET]}: 1 right, 0 open, 0 wrong" in text and f"{COURSE[PRICE]}: 0 right, 0 open, 1 wrong" in text
    )
    assert "Read from the text of the outputs (1):\n  ada/a.ipynb: the metadata of its outputs are gone" in text


def test_the_same_text_of_two_students_is_listed_and_the_untouched_notebook_is_not(tmp_path, capsys):
    original = (report.Path(report.__file__).parent / NAME).read_text(encoding="utf-8")
    for name in ("ada", "bob", "cyd"):
        write(tmp_path / "in" / name / "mine.ipynb", output())
        path = tmp_path / "in" / name / NAME
        path.write_text(original, encoding="utf-8")
    write(tmp_path / "in" / "cyd" / "mine.ipynb", output(), source="from kernelkit.exercises import other as check")
    text = said(tmp_path / "in", capsys=capsys)
    listed = "The same text in every cell (2):\n  group 1: ada (ada/mine.ipynb)\n  group 1: bob (bob/mine.ipynb)\n"
    assert listed in text


BAD_POINTS = {
    "7.1,2": "no exercise is 7.1",  # as a spreadsheet writes 07.1
    "99.1,2": "no exercise is 99.1",
    "07.1,2,5": "a line is 03.1,2",  # 2 or 2.5?
    "07.1,-2": "a line is 03.1,2",
    "07.1,2\n07.1,3": "two lines for 07.1",
}


@pytest.mark.parametrize("lines", BAD_POINTS)
def test_no_line_of_points_is_passed_over(lines, tmp_path):
    table = tmp_path / "points.csv"
    table.write_text(f"exercise,points\n10.1,2\n{lines}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=BAD_POINTS[lines]):
        gradebooks.read_points(table, exercises())


def test_lines_below_the_table_of_the_notes_count_and_its_sentences_do_not(tmp_path):
    table = tmp_path / "notes.md"
    table.write_text(
        "| 03 | 03.1: 2, 03.2: 1.5 | 3.5 |\n\nA wide bump misses only\n27.8 %.\n\n07.1,3\n", encoding="utf-8"
    )
    points = gradebooks.read_points(table, exercises())
    numbers = {heading.partition(" ")[0]: exercise for exercise, heading in exercises().items()}
    assert [points[numbers[n]] for n in ("03.1", "03.2", "07.1", "04.1")] == [2, 1.5, 3, 0]


def test_points_of_other_exercises_may_be_in_the_table(tmp_path):
    table = tmp_path / "points.csv"
    table.write_bytes('\ufeff07.1,2\r\n"03.1";"2,5"\r\n'.encode())
    only = gradebooks.chosen(exercises(), "03.1")
    assert gradebooks.read_points(table, exercises(), only) == {"kernel_ridge.dual_weights": 2.5}


def test_a_list_without_numbers_is_no_list_of_exercises():
    with pytest.raises(ValueError, match="There is no exercise ,;"):
        gradebooks.chosen(exercises(), ",")
