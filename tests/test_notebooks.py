"""What is done with a notebook: its exercises are solved, it is refreshed, and its pictures are compared."""

import base64
import errno
import io
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import time
from contextlib import suppress
from types import SimpleNamespace

import nbformat
import numpy as np
import pictures
import pytest
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, DeadKernelError
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_raw_cell
from notebook_cells import every_taught, notebook
from PIL import Image

from kernelkit.course import command
from kernelkit.course.tools import places, refresh, stored

posix = pytest.mark.skipif(os.name == "nt", reason="signals are those of POSIX")


@every_taught
def test_every_exercise_is_unsolved_as_given_and_its_solution_passes(path, capsys):
    cells, known, panels = notebook(path).cells, {}, {}
    for cell in [cell for cell in cells if cell.cell_type == "code"][:2]:
        exec(cell.source, known)
    for i, cell in enumerate(cells):
        if panel := re.match(r"(\w+) = explore\.", cell.source):  # of a challenge, which moves it
            panels[panel[1]] = cell.source
        if exercise := re.search(r"^### Exercise (.*)", cell.source, re.M):
            name, task, help_text = exercise[1], cells[i + 1], cells[i + 2].source
            assert task.cell_type == "code" and help_text.count("<summary>") == 3, f"{name}: two hints and a solution"
            solution = re.search(r"```python\n(.*?)```", help_text.split("<summary>Solution</summary>")[1], re.S)[1]
            own = dict(known)
            for panel in {*panels} & {*re.findall(r"\w+", task.source)}:
                exec(panels[panel], own)
            capsys.readouterr()
            exec(task.source, own)
            assert capsys.readouterr().out.startswith("○"), f"{name} says, as given, that it is not solved"
            exec(solution, own)
            exec(task.source.strip().splitlines()[-1], own)
            assert capsys.readouterr().out.startswith("✓"), name


@pytest.fixture
def small(tmp_path, monkeypatch):
    """small(cell, …) writes a notebook of these cells; ``kernelkit refresh small`` would refresh it."""
    monkeypatch.setattr(places, "INSIDE", tmp_path)

    def write(*cells):
        path = tmp_path / "small.ipynb"
        path.write_text(nbformat.writes(new_notebook(cells=[*cells], metadata={"title": "mine"})))
        return path

    return write


def test_refresh_stores_outputs_and_their_hash_and_changes_nothing_else(small):
    """A picture takes fewer bytes and has the same pixels, and the same code gives the same file again."""
    text = new_markdown_cell("A *text*  \n", attachments={"a.png": {"image/png": "AAAA"}}, id="text")
    code = new_code_cell("print(1 + 1)  \n\n\n", metadata={"tags": ["one"], "collapsed": True}, id="code")
    picture = new_code_cell("from PIL import Image\nImage.linear_gradient('L')")
    path = small(text, new_raw_cell("raw\n"), code, picture)
    edited = stored.read(path)
    refresh.refresh(path)
    first, after = path.read_bytes(), stored.read(path)
    assert after.metadata.kernelkit.sha256 == refresh.fingerprint(after) and after.metadata.title == "mine"
    assert after.metadata.language_info == {"name": "python"}, "no version of the interpreter"
    printed, drawn = (cell.outputs[0] for cell in after.cells[2:])
    packed, shown = base64.b64decode(drawn.data["image/png"]), Image.linear_gradient("L")
    assert printed.text == "2\n" and len(packed) < len(shown._repr_png_())
    np.testing.assert_array_equal(np.asarray(Image.open(io.BytesIO(packed))), np.asarray(shown))
    for cell in after.cells:
        assert cell.metadata.pop("slideshow"), "beside the outputs, the place in the deck"
        if cell.cell_type == "code":
            cell.update(outputs=[], execution_count=None)
    assert after.cells == edited.cells
    refresh.refresh(path)
    assert path.read_bytes() == first


FULL = OSError(errno.ENOSPC, "No space left on device")
STOPS = {
    "a cell fails": (NotebookClient, "execute", CellExecutionError("", "ZeroDivisionError", "by zero"), "ZeroDivision"),
    "its kernel dies": (NotebookClient, "execute", DeadKernelError(), "in code cell 0 its kernel died"),
    "Ctrl-C while it runs": (NotebookClient, "execute", KeyboardInterrupt(), "interrupted"),
    "a full disk": (os, "fsync", FULL, "No space left"),
    "Ctrl-C while it is written": (os, "fsync", KeyboardInterrupt(), "interrupted"),
    "no right to change it": (os, "chmod", PermissionError(errno.EPERM, "Not permitted"), "Not permitted"),
    "Ctrl-C before the swap": (os, "replace", KeyboardInterrupt(), "interrupted"),
    "a swap that fails": (os, "replace", FULL, "No space left"),
}


@pytest.mark.parametrize(("place", "call", "error", "says"), STOPS.values(), ids=STOPS)
def test_whatever_stops_a_refresh_the_notebook_stays_and_one_line_says_why(
    small, monkeypatch, place, call, error, says
):
    def fail(*_):
        raise error

    path = small(new_code_cell("1"))
    before = path.read_bytes()
    monkeypatch.setattr(NotebookClient, "execute", lambda client: None)
    monkeypatch.setattr(place, call, fail)
    with pytest.raises(SystemExit, match=rf"^small\.ipynb was not refreshed and stays as it was: [^\n]*{says}[^\n]*$"):
        command.main(["refresh", "small"])
    assert path.read_bytes() == before and [*path.parent.iterdir()] == [path]


def test_a_refresh_leaves_a_notebook_that_changed_meanwhile(small, monkeypatch):
    path = small(new_code_cell("1 + 1"))
    monkeypatch.setattr(NotebookClient, "execute", lambda client: path.write_text("mine"))
    with pytest.raises(SystemExit, match=r"stays as it was: small\.ipynb changed on disk"):
        command.main(["refresh", "small"])
    assert path.read_text() == "mine" and [*path.parent.iterdir()] == [path]


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"nbformat": 4, "cells": [{"cell_type": "code"}]}', "\0\ud800"])
def test_a_refresh_leaves_what_is_not_a_notebook(small, text):
    path = small()
    path.write_bytes(text.encode(errors="surrogatepass"))
    with pytest.raises(SystemExit, match=r"stays as it was: small\.ipynb does not hold a notebook"):
        command.main(["refresh", "small"])
    assert path.read_bytes() == text.encode(errors="surrogatepass")


@posix
def test_a_refresh_that_is_stopped_by_the_keyboard_ends_its_kernel_and_leaves_the_notebook(small):
    path = small(new_code_cell("1"), new_code_cell("import time; open('started', 'w').close(); time.sleep(20)"))
    before, place = path.read_bytes(), f"places.INSIDE = pathlib.Path({str(path.parent)!r})"
    imports = "import pathlib; from kernelkit.course.tools import places, refresh"
    code = f"{imports}; {place}; refresh.refresh_all(['small'])"
    process = subprocess.Popen([sys.executable, "-c", code], text=True, stderr=subprocess.PIPE)
    end = time.monotonic() + 60
    while not (path.parent / "started").exists() and time.monotonic() < end:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    said = process.communicate(timeout=60)[1]
    assert process.returncode == 1 and "in code cell 2 its kernel died or was interrupted." in said
    assert path.read_bytes() == before and {p.name for p in path.parent.iterdir()} == {path.name, "started"}


@posix
def test_a_refresh_that_is_killed_while_it_writes_leaves_the_notebook(small, monkeypatch):
    path = small(new_code_cell("1"))
    before = path.read_bytes()
    monkeypatch.setattr(NotebookClient, "execute", lambda client: None)
    monkeypatch.setattr(os, "fsync", lambda handle: os.kill(os.getpid(), signal.SIGKILL))
    process = multiprocessing.get_context("fork").Process(target=command.main, args=(["refresh", "small"],))
    process.start()
    process.join(60)
    assert process.exitcode == -signal.SIGKILL and path.read_bytes() == before


class Cell:
    """What nbval hands over of a cell with a red square: its outputs as stored, and as it has just drawn them."""

    def __init__(self, stored, drawn):
        self.cell, self.test_outputs = SimpleNamespace(outputs=square(*stored)), square(*drawn)

    def raise_cell_error(self, message):
        raise ValueError(message)


def square(red, side=20):
    file = io.BytesIO()
    Image.new("RGB", (side, side), (red, 0, 0)).save(file, "PNG")
    return [{"data": {"image/png": base64.b64encode(file.getvalue()).decode()}}, {"text": "no picture"}]


@pytest.mark.parametrize(("drawn", "gap"), [((213,), 0), ((214,), 14), ((186,), 14), ((200, 21), 255)])
def test_a_picture_fails_that_is_further_from_the_stored_one_than_rounding_moves_it(drawn, gap, monkeypatch, request):
    monkeypatch.setattr(pictures, "IPyNbCell", Cell)
    monkeypatch.setattr(pictures, "HERE", pictures.STORED_WITH)
    hook = pictures.pytest_runtest_call(Cell((200,), drawn))
    next(hook)
    with pytest.raises(ValueError, match=f"is {gap} of 255 from the stored one") if gap else suppress(StopIteration):
        hook.send(None)
    assert request.config.pluginmanager.is_registered(pictures)
