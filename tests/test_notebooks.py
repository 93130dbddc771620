"""What holds for every notebook: it is stored ready to read, and its exercises can be solved."""

import base64
import errno
import io
import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import nbformat
import numpy as np
import pictures
import pytest
from PIL import Image

from kernelkit.course import command, plots
from kernelkit.course.tools import places, refresh

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
posix = pytest.mark.skipif(os.name == "nt", reason="limits and signals are those of POSIX")
every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
EXPLORER = r"explore\.\w+\(.*\)|(\w+) = explore\.\w+\(.*\)\n\1"  # the second is the panel of a challenge


def read(path):
    return nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)


def code_cells(notebook):
    return [c for c in notebook.cells if c.cell_type == "code"]


# ---- stored outputs --------------------------------------------------------------------------


@every_notebook
def test_outputs_belong_to_the_code(path):
    notebook = read(path)
    assert notebook.metadata.kernelkit.sha256 == refresh.fingerprint(notebook), f"run kernelkit refresh {path.stem}"
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
        if re.fullmatch(EXPLORER, cell.source.strip()):
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
    space, code = {}, [c.source for c in cells[:i] if c.cell_type == "code"]
    for source in code[:2] + [s for s in code if re.match(r"\w+ = explore\.", s)]:  # the panels of challenges
        exec(source, space)
    exec(task.source, space)
    assert capsys.readouterr().out.startswith("○"), "as given, an exercise says that it is not solved"
    exec(solution, space)
    exec(task.source.strip().splitlines()[-1], space)
    assert capsys.readouterr().out.startswith("✓")


@every_notebook
def test_there_are_exercises(path):
    count = sum(c.source.startswith("### Exercise") for c in read(path).cells)
    assert count >= 3 or path.stem.startswith(("00", "A1", "A2"))


# ---- refresh ---------------------------------------------------------------------------------


@pytest.fixture
def small(tmp_path, monkeypatch):
    """small(source, …) writes a notebook of these code cells; refresh_all(["small"]) would refresh it."""
    monkeypatch.setattr(places, "INSIDE", tmp_path)

    def write(*sources):
        cells = [nbformat.v4.new_code_cell(source) for source in sources]
        (tmp_path / "small.ipynb").write_text(nbformat.writes(nbformat.v4.new_notebook(cells=cells)))
        return tmp_path / "small.ipynb"

    return write


def files(path):
    return sorted(p.name for p in path.parent.iterdir())


def start(path):
    """Refresh a notebook in a process of its own."""
    code = (
        "import pathlib; from kernelkit.course import command; from kernelkit.course.tools import places;"
        f"places.INSIDE = pathlib.Path({str(path.parent)!r}); command.main(['refresh', 'small'])"
    )
    return subprocess.Popen([sys.executable, "-c", code], text=True, stderr=subprocess.PIPE)


def refused(path, why):
    """Refresh says in its last line, and as its exit code, that it left a notebook alone; and so it did."""
    before, there = path.read_bytes(), files(path)
    everything = (SystemExit, KeyboardInterrupt)  # one that escapes would end the tests
    with pytest.raises(everything, match=r"small\.ipynb was not refreshed and stays as it was: .*" + why) as stopped:
        command.main(["refresh", "small"])
    assert path.read_bytes() == before and files(path) == there
    return str(stopped.value)


def test_refresh_stores_outputs_and_their_hash(small):
    path = small("print(1 + 1)")
    refresh.refresh(path)
    notebook = read(path)
    assert notebook.cells[0].outputs[0].text == "2\n"
    assert notebook.metadata.kernelkit.sha256 == refresh.fingerprint(notebook)
    assert notebook.metadata.language_info == {"name": "python"}, "no version of the interpreter"
    first = path.read_bytes()
    refresh.refresh(path)
    assert path.read_bytes() == first, "the same code gives the same file"


def test_refresh_stores_pictures_in_fewer_bytes_and_changes_no_pixel(small):
    path = small("from kernelkit.course import plots\nplots.Sheet('S.', height=1)")
    refresh.refresh(path)
    stored = base64.b64decode(read(path).cells[0].outputs[0].data["image/png"])
    shown = plots.Sheet("S.", height=1)._repr_mimebundle_()[0]["image/png"]
    assert len(stored) < len(shown)
    np.testing.assert_array_equal(*(np.asarray(Image.open(io.BytesIO(png))) for png in (stored, shown)))


@pytest.mark.skipif(
    pictures.HERE != pictures.STORED_WITH,
    reason=f"the pictures in the notebooks, drawn by {pictures.STORED_WITH}, are compared with no others",
)
def test_a_picture_fails_that_is_further_from_the_stored_one_than_rounding_moves_it(small):
    """Of four red squares the second and the third are changed, and the fourth is given another blue."""
    path = small(*[f"from PIL import Image\nImage.new('RGB', (20, 20), (200, 0, {i}))" for i in range(4)])
    refresh.refresh(path)
    changed = path.read_text().replace("200, 0, 1", "213, 0, 1").replace("200, 0, 2", "214, 0, 2")
    path.write_text(changed.replace("0, 3)", "0, 90)"))
    command = [sys.executable, "-m", "pytest", "-v", "-p", "pictures", "-p", "no:cacheprovider", "-c", "pyproject.toml"]
    settings = {**os.environ, "PYTHONPATH": "tests"}
    said = subprocess.run([*command, path], cwd=ROOT, env=settings, text=True, capture_output=True).stdout
    assert re.findall(r"::Cell \d (PASSED|FAILED)", said) == ["PASSED", "PASSED", "FAILED", "FAILED"]
    assert "is 14 of 255 from the stored one" in said and "is 87 of 255" in said


def test_refresh_changes_nothing_but_outputs(small):
    path, v4 = small(), nbformat.v4
    text = v4.new_markdown_cell("A *text*  \n", attachments={"a.png": {"image/png": "AAAA"}}, id="text")
    code = v4.new_code_cell("x = 1  \n\n\nx", metadata={"tags": ["one"], "collapsed": True}, id="code")
    edited = v4.new_notebook(cells=[text, v4.new_raw_cell("raw\n"), code], metadata={"title": "mine"})
    path.write_text(nbformat.writes(edited))
    refresh.refresh(path)
    after = read(path)
    assert after.cells[2].outputs and after.metadata.title == "mine"
    after.cells[2].update(outputs=[], execution_count=None)
    for cell in after.cells:
        assert cell.metadata.pop("slideshow"), "beside the outputs, the place in the deck"
    assert after.cells == edited.cells


def test_refresh_leaves_a_notebook_that_changed_meanwhile(small, monkeypatch):
    path = small("print(1 + 1)")
    done, edited = refresh.execute(path), path.read_bytes().replace(b"1 + 1", b"2 + 2")
    monkeypatch.setattr(refresh, "execute", lambda path: path.write_bytes(edited) and done)
    with pytest.raises(SystemExit, match=r"stays as it was: small\.ipynb changed on disk"):
        command.main(["refresh", "small"])
    assert path.read_bytes() == edited and files(path) == ["small.ipynb"]


def test_refresh_leaves_a_notebook_that_fails(small):
    message = refused(small("1 / 0"), "")
    assert "ZeroDivisionError" in message.splitlines()[-1]


def test_refresh_leaves_a_notebook_whose_kernel_dies(small):
    message = refused(small("a = 1", "import os, signal\nos.kill(os.getpid(), signal.SIGTERM)"), "in code cell 2 its")
    assert len(message.splitlines()) == 1 and "kernel died" in message


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"nbformat": 4, "cells": [{"cell_type": "code"}]}', "\0\ud800"])
def test_refresh_leaves_what_is_not_a_notebook(small, text):
    path = small()
    path.write_bytes(text.encode(errors="surrogatepass"))
    refused(path, "small.ipynb does not hold a notebook")


def test_refresh_names_a_notebook_that_is_not_there():
    with pytest.raises(SystemExit, match="No such notebook"):
        command.main(["refresh", "99-nothing"])


@pytest.mark.parametrize("call", ["fsync", "chmod", "replace"])
@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_refresh_leaves_the_notebook_when_the_disk_is_full_or_somebody_interrupts(small, monkeypatch, call, error):
    def fail(*_):
        raise error

    path = small("1")
    done = read(path)
    monkeypatch.setattr(refresh, "execute", lambda path: done)
    monkeypatch.setattr(os, call, fail)
    refused(path, "No space left" if isinstance(error, OSError) else "interrupted")


@posix
def test_refresh_leaves_the_notebook_when_no_more_can_be_written(small, monkeypatch):
    import resource

    path, limits = small("'" + "x" * 100_000 + "'"), resource.getrlimit(resource.RLIMIT_FSIZE)
    monkeypatch.setattr(refresh, "execute", read)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, limits[1]))
    try:
        refused(path, r"\[Errno 27\]")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@posix
@pytest.mark.parametrize("how", ["SIGINT", "SIGKILL"])
def test_refresh_leaves_the_notebook_when_it_is_stopped(small, how):
    path = small("1", "import time; open('started', 'w').close(); time.sleep(20)")
    before, process = path.read_bytes(), start(path)
    wait_for(path.parent / "started")
    process.send_signal(getattr(signal, how))
    said = process.communicate(timeout=60)[1]
    assert process.returncode == (1 if how != "SIGKILL" else -signal.SIGKILL)
    assert how == "SIGKILL" or "stays as it was: in code cell 2 its kernel died or was interrupted." in said
    assert path.read_bytes() == before and files(path) == ["small.ipynb", "started"]


@posix
def test_refresh_killed_while_it_writes_leaves_the_notebook(small, monkeypatch):
    path = small("1")
    before = path.read_bytes()
    monkeypatch.setattr(refresh, "execute", read)
    monkeypatch.setattr(os, "fsync", lambda handle: os.kill(os.getpid(), signal.SIGKILL))
    process = multiprocessing.get_context("fork").Process(target=command.main, args=(["refresh", "small"],))
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL and path.read_bytes() == before


def wait_for(path):
    """Wait until a file is there."""
    end = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_two_refreshes_at_once_leave_one_whole_result(small):
    meet = "import os, time, glob\nopen(f'met-{os.getpid()}', 'w').close()\nwhile len(glob.glob('met-*')) < 2:\n"
    path = small(meet + "    time.sleep(0.01)", "print(os.getpid())", "print('x' * 10_000)", "print(os.getpid())")
    both = [start(path), start(path)]
    said = [process.communicate(timeout=60)[1] for process in both]
    for process, words in zip(both, said, strict=True):
        assert process.returncode == 0 or "changed on disk while it ran" in words
    assert 0 in [process.returncode for process in both]
    first, _, last = [cell.outputs[0].text for cell in read(path).cells[1:]]
    assert first == last and not [name for name in files(path) if name.endswith(".tmp")]
