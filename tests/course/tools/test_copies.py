"""Copies for other readers: clean, without solutions, or only the formulas; and never over a file that is there."""

import errno
import os
import re
import subprocess
import sys

import nbformat
import pytest
from notebook_cells import TAUGHT

from kernelkit.course import command
from kernelkit.course.tools import copies, places

FOLDER = places.folder()
every_notebook = pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ipynb")), ids=lambda p: p.stem)
every_taught = pytest.mark.parametrize("path", TAUGHT, ids=lambda p: p.stem)
HELP = """<details><summary>Hint</summary>\n\nA hint.\n</details>\n
<details><summary>Solution</summary>\n\n```python\nx = 42\n```\n</details>
<details><summary>Another way</summary>\n\nA thought.\n</details>"""
RECAP = "## Recap\n\n$$a = b$$\n\n* $c$ is in [two](two.ipynb).\n\n**Next:** [two](two.ipynb), $not this$."


def prose(path):
    return [
        c.source
        for c in nbformat.reads(path.read_text(encoding="utf-8"), as_version=4).cells
        if c.cell_type == "markdown"
    ]


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A course of two small notebooks, stored as they should be."""
    folder, v4 = tmp_path / "course", nbformat.v4
    folder.mkdir()
    for name, *texts in (("one", "# One", HELP, RECAP), ("two", "# Two\n\n[one](one.ipynb#part)", "## Recap\n\nNone.")):
        notebook = v4.new_notebook(cells=[v4.new_code_cell("1 + 1"), *map(v4.new_markdown_cell, texts)])
        data = {"text/plain": "a panel"}
        notebook.cells[0].update(execution_count=1, outputs=[v4.new_output("display_data", data)])
        notebook.metadata["kernelkit"] = {"sha256": copies.fingerprint(copies.clean(notebook))}
        (folder / f"{name}.ipynb").write_text(copies.as_text(notebook), encoding="utf-8")
    monkeypatch.setattr(places, "INSIDE", folder)
    monkeypatch.setattr(places, "NAMES", ("one", "two"))
    return folder


def refused(*arguments):
    """The one sentence with which the command gives up."""
    with pytest.raises(SystemExit) as stopped:
        command.main(["copies", *map(str, arguments)])
    assert isinstance(stopped.value.code, str) and len(stopped.value.code.splitlines()) == 1
    return stopped.value.code


# ---- what the copies of the whole course hold --------------------------------------------------------------------


def test_the_solutions_are_the_course_with_every_teaching_note_in_one_place(tmp_path):
    command.main(["copies", "solutions", str(tmp_path)])
    notes = (FOLDER / "teaching" / "teaching-notes.md").read_text(encoding="utf-8").replace("](../", "](")
    for path in FOLDER.glob("*.ipynb"):
        first, second = copies.read(path), copies.read(tmp_path / path.name)
        added = [cell for cell in second.cells if cell.id.startswith("teacher-")]
        second.cells = [cell for cell in second.cells if cell not in added]
        assert second == copies.clean(first), "without the notes it is the course"
        assert all(cell.metadata.slideshow.slide_type == "notes" for cell in added)
        text = "\n\n".join(re.sub("^> ?", "", cell.source, flags=re.M) for cell in added)
        parts = copies.parts_of(notes, path.name)
        told = re.search(rf"^## .*\]\({path.name}\)\n(.*?)(?=^## |\Z)", notes, re.M | re.S)
        words = " ".join([*parts, *(point for part in parts.values() for point in part)]).split()
        assert not told or sorted([*re.sub("^### ", "", told[1], flags=re.M).split(), "Aim"]) == sorted(words)
        assert all(f"**{head}**" in text for head in parts)
        points = [copies.relinked(point, names(FOLDER)) for part in parts.values() for point in part]
        for point in points:
            assert f"{text}\n".count(f"{point}\n") == points.count(point), point


@every_taught
def test_a_note_stands_in_the_section_whose_panel_it_speaks_of(path, tmp_path):
    command.main(["copies", "solutions", str(tmp_path), path.name])
    section, sections, notes = "", {"": ""}, []
    for cell in copies.read(tmp_path / path.name).cells:
        if cell.id.startswith("teacher-"):
            notes += [(section, part) for part in cell.source.split("\n>\n> **Misconceptions**")[1:]]
        elif cell.cell_type == "markdown" and cell.source.startswith("## "):
            section = cell.source.splitlines()[0]
            sections[section] = section
        else:
            marks = [output.get("metadata", {}).get("kernelkit", {}) for output in cell.get("outputs", [])]
            sections[section] += "".join(f"**{mark.get('panel')}**" for mark in marks)
    assert notes
    for section, text in notes:
        for point in text.split("\n> - ")[1:]:
            named = [title for title in re.findall(r"\*\*.+?\*\*", point) if title in "".join(sections.values())]
            assert not named or named[0] in sections[section], point


@every_notebook
def test_a_students_copy_has_no_solution_and_all_else(path, tmp_path):
    command.main(["copies", "student", str(tmp_path), path.name])
    before, after = "\n".join(prose(path)), "\n".join(prose(tmp_path / path.name))
    helps = [text for text in prose(path) if "<summary>Solution" in text]
    assert len(helps) == before.count("### Exercise")
    for text in helps:
        answer = re.search(r"```python\n(.*?)```", text.partition("<summary>Solution")[2], re.S)[1]
        assert answer.strip() in before and answer.strip() not in after
    assert "Solution" not in after and "```python" not in after
    for kept in ("<summary>Hint", "<summary>Bigger hint", "### Exercise", "## ", "$$"):
        assert after.count(kept) == before.count(kept)
    assert after.count("<details>") == after.count("</details>") == before.count("<details>") - len(helps)
    first, second = copies.clean(copies.read(path)), copies.read(tmp_path / path.name)
    assert [c for c in first.cells if c.cell_type == "code"] == [c for c in second.cells if c.cell_type == "code"]
    assert len(first.cells) == len(second.cells)


@every_taught
def test_a_page_of_formulas_has_every_formula_of_the_recap(path, tmp_path):
    text = "\n\n".join(prose(path))
    recap = re.split(r"^## .*Recap$", text, flags=re.M)[1]
    recap = re.split(r"^\*\*(?:In the lectures|Where this (?:stands|comes from))", recap, flags=re.M)[0]
    formulas = re.findall(r"\$\$.*?\$\$|\$[^$]+\$", recap, re.S)
    if not formulas:
        assert "no formulas" in refused("formulas", tmp_path, path.name)
        return
    command.main(["copies", "formulas", str(tmp_path), path.name])
    page = (tmp_path / f"{path.stem}-formulas.md").read_text(encoding="utf-8")
    assert page.startswith(text.splitlines()[0] + "\n") and len(page) < 4000, "one printed page"
    assert re.findall(r"\$\$.*?\$\$|\$[^$]+\$", page, re.S) == formulas
    assert "](" not in page and "Next" not in page


# ---- links, and what is in a copy, on a small course ----------------------------------------------------------------


@pytest.mark.parametrize("kind", ["student", "solutions", "formulas"])
@pytest.mark.parametrize("chosen", [(), ("one",), ("course/one.ipynb", "two")])
def test_every_link_of_a_copy_resolves(course, tmp_path, kind, chosen, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command.main(["copies", kind, str(tmp_path / "new" / "deep"), *chosen])
    text = {path: path.read_text(encoding="utf-8") for path in (tmp_path / "new" / "deep").iterdir()}
    assert len(text) == (1 if kind == "formulas" or chosen == ("one",) else 2)
    for path, content in text.items():
        for target in re.findall(r"\]\(([^)#]+)", content):
            assert (path.parent / target).exists(), target
        assert "two" in content.lower()
    linked = "".join(text.values()).count(".ipynb")
    assert linked == (0 if len(text) == 1 else 3)


def test_only_the_solution_is_cut_out(course, tmp_path):
    command.main(["copies", "student", str(tmp_path), "one"])
    help_text = prose(tmp_path / "one.ipynb")[1]
    assert help_text == re.sub(r"<details><summary>Solution.*42\n```\n</details>\n", "", HELP, flags=re.S)
    assert "A hint" in help_text and "A thought" in help_text


def test_a_copy_of_a_notebook_with_what_belongs_to_a_run_is_clean(course, tmp_path):
    notebook = copies.read(course / "two.ipynb")
    text = copies.as_text(notebook)
    notebook.cells[0].outputs[0].data["application/vnd.jupyter.widget-view+json"] = {"model_id": "1"}
    notebook.cells[0].metadata["execution"] = {"iopub.execute_input": "now"}
    notebook.metadata["widgets"] = {"state": {}}
    (course / "two.ipynb").write_text(nbformat.writes(notebook), encoding="utf-8")
    command.main(["copies", "student", str(tmp_path / "new")])
    assert (tmp_path / "new" / "two.ipynb").read_text(encoding="utf-8") == text


# ---- nothing is lost -------------------------------------------------------------------------------------------------


def test_a_file_that_differs_is_left_alone_and_nothing_else_is_written(course, tmp_path):
    edited = tmp_path / "two.ipynb"
    edited.write_text("mine")
    said = refused("student", tmp_path)
    assert "two.ipynb is already there and differs from the copy; nothing was written" in said
    assert edited.read_text() == "mine" and names(tmp_path) == ["course", "two.ipynb"]


def test_the_same_copy_again_changes_nothing(course, tmp_path, capsys):
    new = tmp_path / "new"
    command.main(["copies", "student", str(new), "one"])
    before = [(path.read_bytes(), path.stat().st_mtime_ns) for path in new.iterdir()]
    command.main(["copies", "student", str(new), "one"])
    assert before == [(path.read_bytes(), path.stat().st_mtime_ns) for path in new.iterdir()]
    assert capsys.readouterr().out.endswith("one.ipynb was there already\n")
    assert (new / "one.ipynb").stat().st_mode & 0o444 == (course / "one.ipynb").stat().st_mode & 0o444


@pytest.mark.parametrize("later", [["two"], ["one", "two"]])
@pytest.mark.parametrize("first", [["two"], ["one", "two"]])
def test_a_copy_that_was_made_with_other_notebooks_stays(course, tmp_path, first, later, capsys):
    command.main(["copies", "student", str(tmp_path / "new"), *first])
    before = (tmp_path / "new" / "two.ipynb").read_bytes()
    command.main(["copies", "student", str(tmp_path / "new"), *later])
    assert capsys.readouterr().out.endswith("two.ipynb was there already\n")
    assert (tmp_path / "new" / "two.ipynb").read_bytes() == before


def test_a_copy_over_the_course_itself_is_refused(course):
    before = [(course / name).read_bytes() for name in names(course)]
    assert "differs from the copy" in refused("student", course)
    assert before == [(course / name).read_bytes() for name in names(course)]


def test_a_file_that_appears_meanwhile_is_left_alone(course, tmp_path, monkeypatch):
    def appear(handle):
        (tmp_path / "two.ipynb").write_text("mine")

    monkeypatch.setattr(os, "fsync", appear)
    assert "two.ipynb" in refused("student", tmp_path, "two")
    assert (tmp_path / "two.ipynb").read_text() == "mine" and names(tmp_path) == ["course", "two.ipynb"]


@pytest.mark.parametrize("call", ["fsync", "chmod", "replace"])
def test_a_full_disk_leaves_no_half_file(course, tmp_path, monkeypatch, call):
    def fail(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, call, fail)
    assert "Not everything could be written" in refused("student", tmp_path)
    assert names(tmp_path) == ["course"]


# ---- what cannot be done is said in one sentence ---------------------------------------------------------------------


def test_bad_names_and_places_are_named(course, tmp_path):
    assert "No such notebook: 99-nothing.ipynb" in refused("student", tmp_path / "new", "one", "99-nothing")
    assert "no formulas" in refused("formulas", tmp_path / "new", "two")
    (tmp_path / "file").write_text("")
    assert "Not everything could be written" in refused("student", tmp_path / "file")
    (course / "one.ipynb").write_text("{}")
    assert refused("student", tmp_path / "new") == "one.ipynb does not hold a notebook."
    assert names(tmp_path) == ["course", "file"]


def test_an_edited_notebook_gives_no_clean_copy(course, tmp_path):
    path = course / "one.ipynb"
    path.write_text(path.read_text(encoding="utf-8").replace("1 + 1", "2 + 2"), encoding="utf-8")
    assert "one.ipynb was edited" in refused("student", tmp_path / "new")
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("kind", ["student", "solutions", "nbgrader"])
@pytest.mark.parametrize("change", [{"execution_count": 7}, {"outputs": []}, "✓"], ids=str)
def test_a_notebook_that_was_run_gives_no_clean_copy(course, tmp_path, kind, change):
    notebook = copies.read(course / "one.ipynb")
    if change == "✓":  # a challenge is solved by moving its panel, and the code stays as it is
        change = {"outputs": [nbformat.v4.new_output("display_data", {"text/plain": "✓ solved"})]}
    notebook.cells[0].update(change)
    (course / "one.ipynb").write_text(copies.as_text(notebook), encoding="utf-8")
    said = refused(kind, tmp_path / "new")
    assert "one.ipynb was edited or run" in said and "git checkout" in said and "kernelkit refresh one" in said
    assert not (tmp_path / "new").exists()


def test_a_solution_without_an_end_gives_no_copy(course, tmp_path):
    path = course / "one.ipynb"
    before, _, after = path.read_text(encoding="utf-8").rpartition("</details>\\n")
    path.write_text(before + after, encoding="utf-8")
    assert "one.ipynb has a solution that does not end" in refused("student", tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_the_command_ends_with_an_exit_code_and_one_line(tmp_path):
    line = [sys.executable, "-m", "kernelkit.course.command", "copies", "student", str(tmp_path), "99-nothing"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60)
    said = "No such notebook: 99-nothing.ipynb. Nothing was done.\n"
    assert done.returncode == 1 and done.stderr == said and not done.stdout
