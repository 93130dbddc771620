"""What ``copies.py nbgrader`` writes: assignments that nbgrader itself releases, validates and grades as planted.

The test with nbgrader itself runs where nbgrader is installed (tests/requirements-nbgrader.txt), else it is skipped.
"""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import nbformat
import pytest
from notebook_cells import LESSONS

import kernelkit.course.exercises
from kernelkit.course import command
from kernelkit.course.tools import copies

installed = pytest.mark.skipif(
    importlib.util.find_spec("nbgrader") is None, reason="needs tests/requirements-nbgrader.txt, which is not installed"
)
NAME = "03-kernel-ridge"
TRICKS = {  # what an answer may change, because it runs in one process with the checks
    "a patched check": "type(check.dual_weights)._judge_all = lambda check, *given: None",
    "a patched result": """from kernelkit.course.exercises import base
base.Result.verdict = property(lambda result: "right", lambda result, verdict: None)""",
    "a replaced module": """import sys
class Right:
    verdict = "right"
    of = __call__ = __getattr__ = lambda self, answer: self
check = sys.modules["kernelkit.course.exercises.kernel_ridge"] = Right()""",
}


@pytest.fixture(scope="module")
def assignments(tmp_path_factory):
    folder = tmp_path_factory.mktemp("nbgrader")
    command.main(["copies", "nbgrader", str(folder)])
    return folder


def marked(notebook, kind):
    """{number: cell} of the cells that nbgrader knows as answers or points."""
    ids = [(cell, cell.metadata.get("nbgrader", {}).get("grade_id", "")) for cell in notebook.cells]
    return {name.removeprefix(f"{kind}-"): cell for cell, name in ids if name.startswith(f"{kind}-")}


@pytest.mark.parametrize("path", LESSONS, ids=lambda path: path.stem)
def test_every_exercise_has_its_solution_and_a_hidden_test(path, assignments):
    notebook = copies.read(assignments / "source" / path.stem / path.name)
    answers, points = marked(notebook, "answer"), marked(notebook, "points")
    assert answers and answers.keys() == points.keys()
    order = [cell.id for cell in notebook.cells]
    for number, cell in answers.items():
        assert order.index(points[number].id) == order.index(cell.id) + 1
        assert cell.source.count("### BEGIN SOLUTION") == cell.source.count("### END SOLUTION") == 1
        assert "..." in cell.source.partition("### BEGIN")[0], "what is released is the empty answer of the course"
        assert cell.source.splitlines()[-1].startswith("check.")
    assert "<summary>Solution" not in "".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)
    nbformat.validate(notebook)


@pytest.fixture
def space(monkeypatch):
    """The names of a notebook in which the checks were imported; the checks of all other tests stay as they are."""
    monkeypatch.setattr(kernelkit.course, "exercises", kernelkit.course.exercises)
    with patch.dict(sys.modules):
        for name in [name for name in sys.modules if name.startswith("kernelkit.course.exercises")]:
            del sys.modules[name]
        names = {}
        exec("import numpy as np\nfrom kernelkit.course.exercises import kernel_ridge as check", names)
        yield names


def test_a_hidden_test_gives_the_verdict_of_the_check(assignments, space):
    notebook = copies.read(assignments / "source" / NAME / f"{NAME}.ipynb")
    points, answers = marked(notebook, "points"), marked(notebook, "answer")
    for number, cell in answers.items():
        exec(cell.source, space)
        exec(points[number].source, space)
    empty = cell.source.partition("### BEGIN")[0]
    exec(empty, space)
    with pytest.raises(AssertionError, match="not solved yet"):
        exec(points[number].source, space)


def wrong(check, trick=""):
    """An answer that is always 0, and what it tries besides."""
    return f"{trick}\n{check} = lambda *given: 0.0\n\ncheck.{check}({check})"


@pytest.mark.parametrize("trick", TRICKS)
def test_whoever_changes_the_checks_earns_nothing(trick, assignments, space):
    notebook = copies.read(assignments / "source" / NAME / f"{NAME}.ipynb")
    exec(wrong("dual_weights", TRICKS[trick]), space)
    assert space["check"].dual_weights.of(lambda *_: 0.0).verdict == "right", "a trick that deceives nobody"
    with pytest.raises(AssertionError, match="should have shape"):
        exec(marked(notebook, "points")["03-1"].source, space)


def nbgrader(folder, *arguments):
    command = [sys.executable, "-m", "nbgrader", *arguments]
    env = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}  # it calls programs
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, env=env)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@installed
def test_nbgrader_releases_an_assignment_and_gives_the_planted_marks(tmp_path):
    command.main(["copies", "nbgrader", str(tmp_path), NAME])
    nbgrader(tmp_path, "generate_assignment", NAME)
    text = "".join(cell.source for cell in copies.read(tmp_path / "release" / NAME / f"{NAME}.ipynb").cells)
    assert "### BEGIN" not in text and "def dual_weights" in text
    solutions = marked(copies.read(tmp_path / "source" / NAME / f"{NAME}.ipynb"), "answer")
    path = tmp_path / "submitted" / "ada" / NAME / f"{NAME}.ipynb"
    notebook, right = copies.read(tmp_path / "release" / NAME / path.name), 2  # her other answers try all tricks
    for i, (number, cell) in enumerate(marked(notebook, "answer").items()):
        (check,) = re.findall(r"^check\.(\w+)\(", cell.source, re.M)
        trick = [*TRICKS.values()][i % len(TRICKS)]
        cell.source = solutions[number].source if i < right else wrong(check, trick)
    path.parent.mkdir(parents=True)
    path.write_text(copies.as_text(notebook), encoding="utf-8")
    nbgrader(tmp_path, "autograde", NAME)
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{tmp_path}/gradebook.db") as book:
        one = book.find_submission(NAME, "ada")
        assert (one.score, one.max_score) == (right, 6)
