"""The command ``kernelkit``; a wheel in a fresh environment is tried in ``tests/browser/test_full_command.py``."""

import re
import tomllib
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from kernelkit.course import command
from kernelkit.course.tools import check, open as opening, places

ROOT = Path(__file__).parents[2]
NOTEBOOKS = ROOT / "notebooks"


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """An empty folder to stand in, the notebooks in a clone elsewhere, and the list of what would have been started."""
    started = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(places, "INSIDE", tmp_path / "nowhere")
    monkeypatch.setattr(places, "BESIDE", NOTEBOOKS)
    monkeypatch.setattr(opening.subprocess, "run", lambda line, check: started.append(line[1:]))
    return started


@pytest.fixture
def lab(clone, monkeypatch):
    """The same with the notebooks in an installed package."""
    monkeypatch.setattr(places, "INSIDE", NOTEBOOKS)
    return clone


def test_a_clone_opens_its_own_notebooks(clone, capsys):
    """Where the README's line opens them, too."""
    command.main(["open", "07"])
    assert clone == [["-m", "jupyterlab", str(NOTEBOOKS / "07-support-vector-machine.ipynb")]]
    assert not Path("kernel-course").exists() and str(NOTEBOOKS) in capsys.readouterr().out


@pytest.mark.parametrize("word", ["open", "check", "copies student x", "refresh"])
def test_a_clone_that_was_copied_with_its_environment_is_not_served_from_the_first(clone, tmp_path, word):
    (tmp_path / "kernelkit").mkdir()
    (tmp_path / "notebooks").mkdir()
    (tmp_path / "notebooks" / "00-start-here.ipynb").write_text("{}")
    with pytest.raises(SystemExit, match=f"belongs to the clone {re.escape(str(ROOT))}, and you are in another one"):
        command.main(word.split())
    assert not clone and not (tmp_path / "x").exists()


def test_what_a_learner_put_beside_the_notebooks_is_not_what_opens(clone, tmp_path, monkeypatch):
    others = ("07-homework.ipynb", "07-support-vector-machine-Copy1.ipynb")
    for name in ("07-support-vector-machine.ipynb", *others):
        (tmp_path / name).write_text("{}")
    monkeypatch.setattr(places, "BESIDE", tmp_path)
    command.main(["open", "07"])
    assert clone == [["-m", "jupyterlab", str(tmp_path / "07-support-vector-machine.ipynb")]]


def test_in_the_folder_of_the_copies_they_open_where_they_are(lab, monkeypatch):
    command.main([])
    monkeypatch.chdir("kernel-course")
    Path("07-support-vector-machine.ipynb").write_text("mine")
    Path("08-representer-theorem.ipynb").unlink()
    for begins, opened in (("07", "07-support-vector-machine.ipynb"), ("08", "08-representer-theorem.ipynb")):
        command.main(["open", begins])
        assert lab[-1] == ["-m", "jupyterlab", opened] and not Path("kernel-course").exists()
    assert Path("07-support-vector-machine.ipynb").read_text() == "mine"


def test_an_installed_package_opens_the_notebooks_of_the_clone_it_is_asked_in(lab):
    Path("notebooks").mkdir()
    Path("notebooks", "07-support-vector-machine.ipynb").write_text("mine")
    command.main(["open", "07"])
    assert lab == [["-m", "jupyterlab", str(Path("notebooks", "07-support-vector-machine.ipynb"))]]
    assert not Path("kernel-course").exists()


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
], ids=["number", "slash", "star"])  # fmt: skip
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
        full.setattr(opening.shutil, "copyfile", half)
        command.main([])
    assert not list(Path("kernel-course").glob("*.ipynb"))
    command.main([])
    assert len(list(Path("kernel-course").iterdir())) == len(list(NOTEBOOKS.glob("*.ipynb")))


def test_the_bare_package_says_what_is_missing(lab, monkeypatch):
    monkeypatch.setattr(check.importlib.util, "find_spec", lambda name: None)
    says = r"^The course needs more than the library\. [^\n]*\n.*install .*'jupyterlab[^\n]* 'matplotlib[^\n]*$"
    with pytest.raises(SystemExit, match=says) as end:
        command.main([])
    assert end.value.code.count("'matplotlib") == 1 and "sphinx" not in end.value.code
    assert not Path("kernel-course").exists()


@pytest.mark.parametrize("lines, line", [
    (["numpy>=2.0", "scikit-learn>=1; extra == 'course'", "never-heard-of; extra == 'other'"], None),
    (["numpy>=99"], "'numpy>=99'"),
    (["numpy>=2.0", "never-heard-of[too]>=1; extra == 'course'"], "'never-heard-of[too]>=1'"),
], ids=["fine", "too old", "missing"])  # fmt: skip
def test_check_names_what_is_too_old_or_missing_and_the_line_that_installs_it(monkeypatch, capsys, lines, line):
    monkeypatch.setattr(check, "requires", lambda name: lines)
    if line:
        with pytest.raises(SystemExit, match=f"Something is missing.*\n.*pip install .*{re.escape(line)}$"):
            command.main(["check"])
    else:
        command.main(["check"])
    said = capsys.readouterr().out
    assert ("✗" in said) == bool(line) and "k(x, z) = 144.0" in said


def test_without_pip_the_line_is_for_uv(monkeypatch):
    monkeypatch.setattr(check.importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(check.sys, "executable", "/a folder/python")
    assert check.installed_by([Requirement("numpy>=99")]).endswith(
        "uv pip install --python '/a folder/python' 'numpy>=99'"
    )


@pytest.fixture
def without_sphinx(monkeypatch):
    def version(name):
        if name == "sphinx":
            raise PackageNotFoundError(name)
        return found(name)

    found = check.version
    monkeypatch.setattr(check, "version", version)


def test_a_site_that_lacks_a_package_is_not_begun(clone, without_sphinx):
    with pytest.raises(SystemExit, match=r"needs [^\n]*sphinx[^\n]*\n.*install [^\n]*'sphinx[<>][^\n]*$"):
        command.main(["site", "pages"])
    assert not Path("pages").exists()


def test_check_says_what_only_the_site_lacks(without_sphinx, capsys):
    command.main(["check"])
    said = capsys.readouterr().out
    assert said.count("jupyterlab") == 1
    assert re.search("site.*✗ sphinx is missing.*install [^\n]*'sphinx[<>]", said, re.S)


def test_the_course_needs_the_same_wherever_it_is_written():
    """requirements.txt has what the tests need besides."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    needed = {*project["dependencies"], *extras["panels"], *extras["course"]} - {"kernelkit[panels]"}
    assert needed <= {*(ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()}


@pytest.mark.parametrize("word", command.HELP)
def test_each_word_says_what_it_does_and_gives_an_example_that_can_be_read(word, capsys):
    with pytest.raises(SystemExit) as end:
        command.main([word, "--help"])
    _, example = command.HELP[word]
    assert end.value.code == 0 and f"example: {example}" in capsys.readouterr().out
    assert command.parser().parse_args(example.split()[1:]).do


@pytest.mark.parametrize("words", [["fly"], ["site"], ["copies", "some", "folder"], ["report"]], ids=" ".join)
def test_other_words_are_refused_with_those_that_there_are(words, capsys):
    with pytest.raises(SystemExit) as end:
        command.main(words)
    assert end.value.code == 2 and "usage: kernelkit" in capsys.readouterr().err


@pytest.mark.parametrize("word", [["minutes"], ["refresh"], ["copies", "student", "mine"]], ids=" ".join)
def test_a_notebook_is_named_and_not_found_by_a_path(word, tmp_path, monkeypatch):
    """Another notebook of that name would be meant."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="Say the name of a notebook of the course"):
        command.main([*word, "kernel-course/03-kernel-ridge.ipynb"])
    assert not list(tmp_path.iterdir())


OLD = "from kernelkit.explorers import kernel_trick as explore"


def test_a_copy_with_the_imports_of_an_earlier_course_is_named_and_a_fresh_folder_offered(lab, capsys):
    command.main([])
    mine, other = (Path("kernel-course", name) for name in ("02-kernel-trick.ipynb", "03-kernel-ridge.ipynb"))
    mine.write_text(OLD)
    other.write_text("mine")
    capsys.readouterr()
    command.main([])
    said = capsys.readouterr().out
    assert "stayed as they are: 03-kernel-ridge.ipynb." in said and "earlier kernelkit" in said
    assert "02-kernel-trick.ipynb. They stayed" in said and "kernelkit open --folder kernel-course-2" in said
    command.main(["open", "02", "--folder", "kernel-course-2"])
    assert lab[-1][-1] == str(Path("kernel-course-2", mine.name)) and mine.read_text() == OLD
    assert not opening.EARLIER.search(Path("kernel-course-2", mine.name).read_text(encoding="utf-8"))
    Path("kernel-course-2").rename("kernel-course-3")
    assert opening.fresh(Path("kernel-course")) == "kernel-course-2"
    with pytest.MonkeyPatch.context() as there:
        there.chdir("kernel-course")
        assert opening.fresh(Path()).endswith("kernel-course-2'")


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_no_notebook_of_today_looks_like_one_of_an_earlier_course(path):
    assert not opening.EARLIER.search(path.read_text(encoding="utf-8"))
