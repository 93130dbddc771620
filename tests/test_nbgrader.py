"""What ``copies.py nbgrader`` writes: assignments that nbgrader itself releases, validates and grades as planted.

The test with nbgrader itself runs where nbgrader is installed (tests/requirements-nbgrader.txt), else it is skipped.
"""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import copies
import nbformat
import planted_class
import pytest
from notebook_cells import LESSONS

installed = pytest.mark.skipif(
    importlib.util.find_spec("nbgrader") is None, reason="needs tests/requirements-nbgrader.txt, which is not installed"
)


@pytest.fixture(scope="module")
def assignments(tmp_path_factory):
    folder = tmp_path_factory.mktemp("nbgrader")
    copies.main(["nbgrader", str(folder)])
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


def test_a_hidden_test_gives_the_verdict_of_the_check(assignments):
    notebook = copies.read(assignments / "source" / "03-kernel-ridge" / "03-kernel-ridge.ipynb")
    points, answers = marked(notebook, "points"), marked(notebook, "answer")
    space = {}
    exec("import numpy as np\nfrom kernelkit.exercises import kernel_ridge as check", space)
    for number, cell in answers.items():
        exec(cell.source, space)
        exec(points[number].source, space)
    empty = cell.source.partition("### BEGIN")[0]
    exec(empty, space)
    with pytest.raises(AssertionError, match="not solved yet"):
        exec(points[number].source, space)


def nbgrader(folder, *arguments):
    command = [sys.executable, "-m", "nbgrader", *arguments]
    env = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}  # it calls programs
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300, env=env)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@installed
def test_nbgrader_releases_validates_and_gives_the_planted_marks(tmp_path):
    name = "03-kernel-ridge"
    copies.main(["nbgrader", str(tmp_path), name])
    nbgrader(tmp_path, "generate_assignment", name)
    assert "Success" in nbgrader(tmp_path, "validate", f"source/{name}/{name}.ipynb")
    released = copies.read(tmp_path / "release" / name / f"{name}.ipynb")
    text = "".join(cell.source for cell in released.cells)
    assert "### BEGIN" not in text and "def dual_weights" in text
    planted = {"ada": ("dual_weights", "predict", "another", "recover"), "bob": ("break_even", "predict_centred")}
    for student, solved in planted.items():
        notebook = copies.read(tmp_path / "release" / name / f"{name}.ipynb")
        cells = planted_class.cells_of(notebook)
        for check, (right, wrong) in planted_class.ANSWERS.items():
            body = right[0] if check in solved else wrong[0]
            planted_class.written(cells[check], f"import numpy as np\n    {body}", check, None)
        path = tmp_path / "submitted" / student / name / f"{name}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(copies.as_text(notebook), encoding="utf-8")
    nbgrader(tmp_path, "autograde", name)
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{Path(tmp_path)}/gradebook.db") as book:
        marks = {student: book.find_submission(name, student) for student in planted}
        assert {student: (one.score, one.max_score) for student, one in marks.items()} == {"ada": (4, 6), "bob": (2, 6)}
