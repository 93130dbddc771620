"""Copies for other readers: clean, without solutions, or only the formulas; and never over a file that is there."""

import errno
import os
import re
from copy import deepcopy

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from notebook_cells import NOTEBOOKS, notebook

from kernelkit.course import command
from kernelkit.course.tools import copies, places, stored

HELP = """<details><summary>Hint</summary>\n\nA hint.\n</details>\n
<details><summary>Solution</summary>\n\n```python\nx = 42\n```\n</details>
<details><summary>Another way</summary>\n\nA thought.\n</details>"""
RECAP = "## Recap\n\n$$a = b$$\n\n* $c$ is in [two](two.ipynb).\n\n**Next:** [two](two.ipynb), $not this$."
NOTES = """# Notes

## 01 – [One](../one.ipynb)

They can.

### 50 minutes
- (9 min) “Recap”.

### Ask
- What of nothing?
- What of 00.1,
  and why?
- “Recap” and **The panel**?
- **The panel** and “Recap”?
"""


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def texts(path):
    return [cell.source for cell in stored.read(path).cells if cell.cell_type == "markdown"]


def test_a_students_copy_has_no_solution_and_all_else(tmp_path):
    command.main(["copies", "student", str(tmp_path)])
    for path in NOTEBOOKS:
        before, after, solutions = notebook(path).cells, stored.read(tmp_path / path.name).cells, 0
        for one, other in zip(before, after, strict=True):
            if one.cell_type == "code":
                assert one == other
            else:
                parts = re.split(r"(?=<details>)", one.source)
                kept = [part for part in parts if "<summary>Solution</summary>" not in part]
                assert "".join(kept).split() == other.source.split() and "Solution</summary>" not in other.source
                solutions += len(parts) - len(kept)
        assert solutions == len(re.findall("^### Exercise", "\n".join(cell.source for cell in before), re.M))


@pytest.fixture
def course(tmp_path, monkeypatch):
    """A course of two small notebooks, stored as they should be, and teaching notes."""
    folder = tmp_path / "course"
    (folder / "teaching").mkdir(parents=True)
    (folder / "teaching" / "teaching-notes.md").write_text(NOTES, encoding="utf-8")
    shown = new_output("display_data", {"text/plain": "a panel"}, metadata={"kernelkit": {"panel": "The panel"}})
    for name, *parts in (
        ("one", "# One", "## Part", "### Exercise 00.1 – A", HELP, RECAP),
        ("two", "# Two\n\n[one](one.ipynb#part)", "## Part", "## Recap\n\nNone."),
    ):
        one = new_notebook(cells=[*map(new_markdown_cell, parts)])
        one.cells.insert(2, new_code_cell("1 + 1", execution_count=1, outputs=[deepcopy(shown)]))
        one.metadata["kernelkit"] = {"sha256": copies.fingerprint(copies.clean(one))}
        (folder / f"{name}.ipynb").write_text(copies.as_text(one), encoding="utf-8")
    monkeypatch.setattr(places, "INSIDE", folder)
    monkeypatch.setattr(places, "NAMES", ("one", "two"))
    monkeypatch.chdir(tmp_path)
    return folder


def copied(*arguments):
    command.main(["copies", *map(str, arguments)])


def refused(*arguments):
    """The one sentence with which the command gives up."""
    with pytest.raises(SystemExit) as stopped:
        copied(*arguments)
    assert isinstance(stopped.value.code, str) and len(stopped.value.code.splitlines()) == 1
    return stopped.value.code


@pytest.mark.parametrize("kind", ["student", "solutions", "formulas"])
@pytest.mark.parametrize("chosen", [(), ("one",), ("course/one.ipynb", "two")])
def test_every_link_of_a_copy_resolves(course, tmp_path, kind, chosen):
    copied(kind, tmp_path / "new" / "deep", *chosen)
    text = {path: path.read_text(encoding="utf-8") for path in (tmp_path / "new" / "deep").iterdir()}
    assert len(text) == (1 if kind == "formulas" or chosen == ("one",) else 2)
    for path, content in text.items():
        for target in re.findall(r"\]\(([^)#]+)", content):
            assert (path.parent / target).exists(), target
        assert "two" in content.lower()
    assert "".join(text.values()).count(".ipynb") == (0 if len(text) == 1 else 3)


def test_only_the_solution_and_what_belongs_to_a_run_are_left_out(course, tmp_path):
    one = stored.read(course / "one.ipynb")
    one.cells[2].outputs[0].data["application/vnd.jupyter.widget-view+json"] = {"model_id": "1"}
    one.cells[2].metadata["execution"] = {"iopub.execute_input": "now"}
    one.metadata["widgets"] = {"state": {}}
    (course / "one.ipynb").write_text(nbformat.writes(one), encoding="utf-8")
    copied("student", tmp_path / "new", "one")
    text = (tmp_path / "new" / "one.ipynb").read_text(encoding="utf-8")
    assert not any(word in text for word in ("widget", "iopub", "x = 42"))
    first, _, last = re.split(r"(?=<details>)", HELP)[1:]
    assert texts(tmp_path / "new" / "one.ipynb")[3] == first + last


def test_a_page_of_formulas_is_the_title_and_the_recap_without_what_it_leads_to(course, tmp_path):
    copied("formulas", tmp_path / "new")
    assert names(tmp_path / "new") == ["one-formulas.md"], "only one has formulas"
    page = (tmp_path / "new" / "one-formulas.md").read_text(encoding="utf-8")
    assert page == "# One\n\n$$a = b$$\n\n* $c$ is in two.\n"


def test_a_note_stands_once_below_the_section_panel_or_exercise_that_it_names_first(course, tmp_path):
    copied("solutions", tmp_path / "new", "one")
    shown = [re.sub(r"^> ?", "", text, flags=re.M) for text in texts(tmp_path / "new" / "one.ipynb")]
    head = "*For the teacher.*\n\n"
    plan = "**Aim**\n\nThey can.\n\n**50 minutes**\n\n- (9 min) “Recap”.\n\n"
    assert shown[:-2] == [
        "# One",
        f"{head}{plan}**Ask**\n\n- What of nothing?",
        "## Part",
        f"{head}**Ask**\n\n- **The panel** and “Recap”?",
        "### Exercise 00.1 – A",
        f"{head}**Ask**\n\n- What of 00.1,\n  and why?",
        HELP,
    ]
    assert shown[-2].startswith("## Recap") and shown[-1] == f"{head}**Ask**\n\n- “Recap” and **The panel**?"


def test_a_file_that_differs_is_left_alone_and_nothing_else_is_written(course, tmp_path):
    """In another folder, and in that of the course itself."""
    (tmp_path / "two.ipynb").write_text("mine")
    for folder in (tmp_path, course):
        before = [(path, path.read_bytes()) for path in sorted(folder.glob("*.ipynb"))]
        assert "already there and differs from the copy; nothing was written" in refused("student", folder)
        assert before == [(path, path.read_bytes()) for path in sorted(folder.glob("*.ipynb"))]
    assert names(tmp_path) == ["course", "two.ipynb"]


@pytest.mark.parametrize("later", [["two"], ["one", "two"]])
@pytest.mark.parametrize("first", [["two"], ["one", "two"]])
def test_a_copy_that_is_there_stays_whatever_it_was_made_with(course, tmp_path, first, later, capsys):
    copied("student", tmp_path / "new", *first)
    two = tmp_path / "new" / "two.ipynb"
    before = two.read_bytes(), two.stat().st_mtime_ns
    copied("student", tmp_path / "new", *later)
    assert capsys.readouterr().out.endswith("two.ipynb was there already\n")
    assert before == (two.read_bytes(), two.stat().st_mtime_ns)
    assert two.stat().st_mode & 0o444 == (course / "two.ipynb").stat().st_mode & 0o444


def test_a_file_that_appears_meanwhile_is_left_alone(course, tmp_path, monkeypatch):
    monkeypatch.setattr(os, "fsync", lambda handle: (tmp_path / "two.ipynb").write_text("mine"))
    assert "two.ipynb" in refused("student", tmp_path, "two")
    assert (tmp_path / "two.ipynb").read_text() == "mine" and names(tmp_path) == ["course", "two.ipynb"]


@pytest.mark.parametrize("call", ["fsync", "chmod", "replace"])
def test_a_full_disk_leaves_no_half_file(course, tmp_path, monkeypatch, call):
    def fail(*_):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, call, fail)
    assert "Not everything could be written" in refused("student", tmp_path)
    assert names(tmp_path) == ["course"]


def test_bad_names_and_places_are_named(course, tmp_path):
    assert "No such notebook: 99-nothing.ipynb" in refused("student", tmp_path / "new", "one", "99-nothing")
    assert "no formulas" in refused("formulas", tmp_path / "new", "two")
    (tmp_path / "file").write_text("")
    before, _, after = (course / "one.ipynb").read_text(encoding="utf-8").rpartition("</details>\\n")
    without_an_end = before + after
    assert "Not everything could be written" in refused("student", tmp_path / "file")
    (course / "one.ipynb").write_text("{}")
    assert refused("student", tmp_path / "new") == "one.ipynb does not hold a notebook."
    (course / "one.ipynb").write_text(without_an_end, encoding="utf-8")
    assert "one.ipynb has a solution that does not end" in refused("student", tmp_path / "new")
    assert names(tmp_path) == ["course", "file"]


SOLVED = [new_output("display_data", {"text/plain": "✓ solved"})]  # as a challenge is, whose code stays as it is


@pytest.mark.parametrize("kind", ["student", "solutions", "nbgrader"])
@pytest.mark.parametrize("change", [{"source": "2 + 2"}, {"execution_count": 7}, {"outputs": []}, {"outputs": SOLVED}])
def test_a_notebook_that_was_edited_or_run_gives_no_copy(course, tmp_path, kind, change):
    one = stored.read(course / "one.ipynb")
    one.cells[2].update(change)
    (course / "one.ipynb").write_text(copies.as_text(one), encoding="utf-8")
    said = refused(kind, tmp_path / "new")
    assert "one.ipynb was edited or run" in said and "git checkout" in said and "kernelkit refresh one" in said
    assert not (tmp_path / "new").exists()
