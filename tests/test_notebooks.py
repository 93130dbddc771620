"""What holds for every notebook: it is stored ready to read, and its exercises can be solved."""

import importlib.util
import json
import re
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)


def load_refresh():
    spec = importlib.util.spec_from_file_location("refresh", ROOT / "notebooks" / "refresh.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


refresh = load_refresh()


def read(path):
    return nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)


def code_cells(notebook):
    return [c for c in notebook.cells if c.cell_type == "code"]


# ---- stored outputs --------------------------------------------------------------------------


@every_notebook
def test_outputs_belong_to_the_code(path):
    notebook = read(path)
    assert notebook.metadata.kernelkit.code_sha256 == refresh.code_hash(notebook), f"run refresh.py {path.stem}"
    assert any(c.outputs for c in code_cells(notebook)), "no outputs: nbval would compare nothing"
    assert all(c.execution_count for c in code_cells(notebook))


@every_notebook
def test_outputs_are_fit_to_store(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.encode()) < 1_500_000
    notebook = json.loads(text)
    assert "widgets" not in notebook["metadata"]
    for cell in notebook["cells"]:
        assert "execution" not in cell["metadata"]
        for output in cell.get("outputs", []):
            assert output["output_type"] != "error", output
            assert "application/vnd.jupyter.widget-view+json" not in output.get("data", {})
            shown = json.dumps({k: v for k, v in output.get("data", output).items() if not k.startswith("image/")})
            assert not re.search(r"/root/|/work/|/home/|/tmp/|0x[0-9a-f]{6}|Warning|https?://", shown), shown


@every_notebook
def test_every_explorer_left_a_picture(path):
    for cell in code_cells(read(path)):
        if re.fullmatch(r"explore\.\w+\(.*\)", cell.source.strip()):
            pictures = [o for o in cell.outputs if "image/png" in o.get("data", {})]
            assert len(pictures) == 1 and pictures[0].metadata["image/png"]["alt"], cell.source


# ---- exercises -------------------------------------------------------------------------------


def exercises():
    for path in NOTEBOOKS:
        cells = read(path).cells
        for i, cell in enumerate(cells):
            if cell.cell_type == "markdown" and cell.source.startswith("### Exercise"):
                yield pytest.param(cells, i, id=f"{path.stem}: {cell.source.splitlines()[0][4:]}")


@pytest.mark.parametrize(("cells", "i"), list(exercises()))
def test_exercise_is_unsolved_and_its_solution_passes(cells, i, capsys):
    task, help_text = cells[i + 1], cells[i + 2]
    assert task.cell_type == "code" and help_text.cell_type == "markdown"
    summaries = re.findall(r"<summary>(.*?)</summary>", help_text.source)
    assert summaries == ["Hint", "Bigger hint", "Solution"]
    solution = re.search(r"```python\n(.*?)```", help_text.source.split("<summary>Solution")[1], re.S).group(1)
    space = {}
    for cell in [c for c in cells if c.cell_type == "code"][:2]:
        exec(cell.source, space)
    exec(task.source, space)
    assert capsys.readouterr().out.startswith("○"), "as given, an exercise says that it is not solved"
    exec(solution, space)
    exec(task.source.strip().splitlines()[-1], space)
    assert capsys.readouterr().out.startswith("✓")


@every_notebook
def test_there_are_exercises(path):
    count = sum(c.source.startswith("### Exercise") for c in read(path).cells)
    assert count >= 3 or path.stem.startswith(("00", "A1"))


# ---- refresh ---------------------------------------------------------------------------------


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.ipynb"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("print(1 + 1)")])
    path.write_text(nbformat.writes(notebook))
    return path


def test_refresh_stores_outputs_and_their_hash(small):
    refresh.refresh(small)
    notebook = read(small)
    assert notebook.cells[0].outputs[0].text == "2\n"
    assert notebook.metadata.kernelkit.code_sha256 == refresh.code_hash(notebook)
    first = small.read_bytes()
    refresh.refresh(small)
    assert small.read_bytes() == first, "the same code gives the same file"


def test_refresh_leaves_a_notebook_that_changed_meanwhile(small):
    before = small.read_bytes()
    done = refresh.execute(small)
    small.write_text(before.decode().replace("1 + 1", "2 + 2"))
    edited = small.read_bytes()
    with pytest.raises(RuntimeError, match="changed on disk"):
        refresh.replace(small, done, before)
    assert small.read_bytes() == edited and [p.name for p in small.parent.iterdir()] == ["small.ipynb"]


def test_refresh_leaves_a_notebook_that_fails(small):
    small.write_text(small.read_text().replace("print(1 + 1)", "1 / 0"))
    before = small.read_bytes()
    with pytest.raises(refresh.CellExecutionError):
        refresh.refresh(small)
    assert small.read_bytes() == before and [p.name for p in small.parent.iterdir()] == ["small.ipynb"]


def test_refresh_names_a_notebook_that_is_not_there():
    with pytest.raises(SystemExit, match="No such notebook"):
        refresh.main(["99-nothing"])
