"""The command ``kernelkit``; a wheel in a fresh environment is tried in ``tests/browser/test_full_command.py``."""

import re
import tomllib
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest
import website
from packaging.requirements import Requirement

from kernelkit import command

ROOT = Path(__file__).parents[1]
NOTEBOOKS = ROOT / "notebooks"


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """An empty folder to stand in, the notebooks in a clone elsewhere, and the list of what would have been started."""
    started = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(command, "INSIDE", tmp_path / "nowhere")
    monkeypatch.setattr(command, "BESIDE", NOTEBOOKS)
    monkeypatch.setattr(command.subprocess, "run", lambda line, check: started.append(line[1:]))
    return started


@pytest.fixture
def lab(clone, monkeypatch):
    """The same with the notebooks in an installed package."""
    monkeypatch.setattr(command, "INSIDE", NOTEBOOKS)
    return clone


def test_a_clone_opens_its_own_notebooks(clone, capsys):
    """Where the README's line opens them, too."""
    command.main(["open", "07"])
    assert clone == [["-m", "jupyterlab", str(NOTEBOOKS / "07-support-vector-machine.ipynb")]]
    assert not Path("kernel-course").exists() and str(NOTEBOOKS) in capsys.readouterr().out


def test_a_duplicate_that_a_learner_made_is_not_what_opens(clone, tmp_path, monkeypatch):
    for name in ("07-support-vector-machine.ipynb", "07-support-vector-machine-Copy1.ipynb"):
        (tmp_path / name).write_text("{}")
    monkeypatch.setattr(command, "BESIDE", tmp_path)
    command.main(["open", "07"])
    assert clone == [["-m", "jupyterlab", str(tmp_path / "07-support-vector-machine.ipynb")]]


def test_in_the_folder_of_the_copies_they_open_where_they_are(lab, monkeypatch):
    command.main([])
    monkeypatch.chdir("kernel-course")
    Path("07-support-vector-machine.ipynb").write_text("mine")
    command.main(["open", "07"])
    assert lab[-1] == ["-m", "jupyterlab", "07-support-vector-machine.ipynb"] and not Path("kernel-course").exists()
    assert Path("07-support-vector-machine.ipynb").read_text() == "mine"


def test_the_first_notebook_opens_from_a_copy_of_all(lab):
    command.main([])
    assert lab == [["-m", "jupyterlab", str(Path("kernel-course", "00-start-here.ipynb"))]]
    copies = {path.name: path.read_bytes() for path in Path("kernel-course").iterdir()}
    assert copies == {path.name: path.read_bytes() for path in NOTEBOOKS.glob("*.ipynb")}


def test_what_a_learner_has_changed_stays(lab, capsys):
    command.main([])
    mine = Path("kernel-course", "07-support-vector-machine.ipynb")
    mine.write_text("mine")
    Path("kernel-course", "02-kernel-trick.ipynb").unlink()
    command.main(["open", "07"])
    assert lab[-1][-1] == str(mine) and mine.read_text() == "mine"
    assert Path("kernel-course", "02-kernel-trick.ipynb").exists()
    assert "stayed as they are: 07-support-vector-machine.ipynb." in capsys.readouterr().out


@pytest.mark.parametrize("words, says", [
    (["open", "77"], "No notebook begins with '77'. There are 00, 01"),
    (["open", "/"], "No notebook begins with '/'. There are 00, 01"),
    (["open", "*"], "No notebook begins with '*'. There are 00, 01"),
    (["fly"], "kernelkit check"),
    (["site"], "kernelkit site FOLDER"),
], ids=["number", "slash", "star", "word", "folder"])  # fmt: skip
def test_what_cannot_be_done_is_said(lab, words, says):
    with pytest.raises(SystemExit, match=re.escape(says)):
        command.main(words)
    assert lab == []


def test_small_letters_will_do(lab):
    command.main(["open", "a1"])
    assert lab[-1][-1].endswith("A1-slips-in-the-lectures.ipynb")


@pytest.mark.parametrize("place", ["kernel-course", "kernel-course/00-start-here.ipynb/inside"])
def test_where_something_is_in_the_way_one_sentence_says_so(lab, place):
    Path(place).parent.mkdir(parents=True, exist_ok=True)
    Path(place).write_text("mine")
    with pytest.raises(SystemExit, match=r"^The notebooks cannot be copied to .*kernel-course: [^\n]*\.$"):
        command.main([])
    assert lab == [] and Path(place).read_text() == "mine"


def test_a_copy_that_was_interrupted_is_made_again(lab, monkeypatch):
    def half(source, target):
        Path(target).write_bytes(source.read_bytes()[:9])
        raise OSError("No space left on device")

    with monkeypatch.context() as full, pytest.raises(SystemExit, match="No space left"):
        full.setattr(command.shutil, "copyfile", half)
        command.main([])
    assert not list(Path("kernel-course").glob("*.ipynb"))
    command.main([])
    assert len(list(Path("kernel-course").iterdir())) == len(list(NOTEBOOKS.glob("*.ipynb")))


def test_the_bare_package_says_what_is_missing(lab, monkeypatch):
    monkeypatch.setattr(command.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(SystemExit, match="JupyterLab is missing"):
        command.main([])
    assert not Path("kernel-course").exists()


@pytest.mark.parametrize("lines, line", [
    (["numpy>=2.0", "scikit-learn>=1; extra == 'course'", "never-heard-of; extra == 'other'"], None),
    (["numpy>=99"], "pip install 'numpy>=99'"),
    (["numpy>=2.0", "never-heard-of[too]>=1; extra == 'course'"], "pip install 'never-heard-of[too]>=1'"),
], ids=["fine", "too old", "missing"])  # fmt: skip
def test_check_names_what_is_too_old_or_missing_and_the_line_that_installs_it(monkeypatch, capsys, lines, line):
    monkeypatch.setattr(command, "requires", lambda name: lines)
    monkeypatch.setattr(command, "needs_of_site", lambda: [])
    if line:
        with pytest.raises(SystemExit, match=f"Something is missing.*\n.*{re.escape(line)}$"):
            command.main(["check"])
    else:
        command.main(["check"])
    said = capsys.readouterr().out
    assert ("✗" in said) == bool(line) and "k(x, z) = 144.0" in said


def test_without_pip_the_line_is_for_uv(monkeypatch):
    monkeypatch.setattr(command.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(command.sys, "executable", "/a folder/python")
    assert command.installed_by([Requirement("numpy>=99")]).endswith(
        "uv pip install --python '/a folder/python' 'numpy>=99'"
    )


@pytest.fixture
def without_sphinx(monkeypatch):
    def version(name):
        if name == "sphinx":
            raise PackageNotFoundError(name)
        return found(name)

    found = command.version
    monkeypatch.setattr(command, "version", version)


def test_a_site_that_lacks_a_package_is_not_begun(clone, without_sphinx):
    with pytest.raises(SystemExit, match=r"needs sphinx[^\n]*\n.*install 'sphinx[^\n]*$"):
        command.main(["site", "pages"])
    assert clone == []


def test_a_script_for_a_site_that_lacks_a_package_draws_nothing(without_sphinx, tmp_path):
    with pytest.raises(SystemExit, match="install 'sphinx"):
        website.main([str(tmp_path / "pages")])
    assert not list(tmp_path.iterdir())


def test_check_says_what_only_the_site_lacks(without_sphinx, capsys):
    command.main(["check"])
    assert re.search("site.*✗ sphinx is missing.*install 'sphinx", capsys.readouterr().out, re.S)


def test_the_course_needs_the_same_wherever_it_is_written():
    """requirements.txt has what the tests need besides."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    assert {*project["dependencies"], *project["optional-dependencies"]["course"]} <= set(lines)
