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
FILES = [f"{name}.ipynb" for name in places.NAMES]
START, TRICK, RIDGE, MACHINE = (FILES[number] for number in (0, 2, 3, 7))
COPIES = Path("kernel-course")
OLD = "from kernelkit.explorers import kernel_trick as explore"


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """An empty folder to stand in, a course of short texts in a clone, and the list of what would have been started."""
    started, here, notebooks = [], tmp_path / "here", tmp_path / "clone" / "notebooks"
    here.mkdir()
    notebooks.mkdir(parents=True)
    for name in FILES:
        (notebooks / name).write_text(f"the course's {name}")
    monkeypatch.chdir(here)
    monkeypatch.setattr(places, "INSIDE", tmp_path / "nowhere")
    monkeypatch.setattr(places, "BESIDE", notebooks)
    monkeypatch.setattr(opening.subprocess, "run", lambda line, check: started.append(line[1:]))
    return started


@pytest.fixture
def lab(clone, monkeypatch):
    """The same with the notebooks in an installed package."""
    monkeypatch.setattr(places, "INSIDE", places.BESIDE)
    return clone


def opened(place):
    """What is started to open it."""
    return ["-m", "jupyterlab", str(place)]


def test_a_clone_opens_its_own_notebooks_and_not_what_a_learner_put_beside_them(clone, capsys):
    for name in ("07-homework.ipynb", "07-support-vector-machine-Copy1.ipynb"):
        (places.BESIDE / name).write_text("mine")
    command.main(["open", "07"])
    assert clone == [opened(places.BESIDE / MACHINE)]
    assert not COPIES.exists() and str(places.BESIDE) in capsys.readouterr().out


@pytest.mark.parametrize("word", ["open", "check", "copies student x", "refresh"])
def test_a_clone_that_was_copied_with_its_environment_is_not_served_from_the_first(clone, word):
    Path("kernelkit").mkdir()
    Path("notebooks").mkdir()
    Path("notebooks", START).write_text("{}")
    first = re.escape(str(places.BESIDE.parent))
    with pytest.raises(SystemExit, match=f"belongs to the clone {first}, and you are in another one"):
        command.main(word.split())
    assert not clone and not Path("x").exists()


def test_an_installed_package_copies_its_notebooks_and_what_a_learner_has_changed_stays(lab, monkeypatch, capsys):
    command.main([])
    assert {path.name: path.read_text() for path in COPIES.iterdir()} == {n: f"the course's {n}" for n in FILES}
    (COPIES / MACHINE).write_text("mine")
    (COPIES / TRICK).unlink()
    capsys.readouterr()
    command.main(["open", "07"])
    assert f"stayed as they are: {MACHINE}." in capsys.readouterr().out
    monkeypatch.chdir(COPIES)  # in the folder of the copies they open where they are
    Path(RIDGE).unlink()
    command.main(["open", "a1"])
    assert lab == [opened(COPIES / START), opened(COPIES / MACHINE), opened("A1-slips-in-the-lectures.ipynb")]
    assert Path(MACHINE).read_text() == "mine" and {path.name for path in Path().iterdir()} == {*FILES}


def test_an_installed_package_opens_the_notebooks_of_the_clone_it_is_asked_in(lab):
    Path("notebooks").mkdir()
    Path("notebooks", MACHINE).write_text("mine")
    command.main(["open", "07"])
    assert lab == [opened(Path("notebooks", MACHINE))] and not COPIES.exists()


@pytest.mark.parametrize("begins", ["77", "/", "*"])
def test_what_no_notebook_begins_with_is_said_with_those_that_there_are(lab, begins):
    with pytest.raises(SystemExit, match=re.escape(f"No notebook begins with {begins!r}. There are 00, 01")):
        command.main(["open", begins])
    assert lab == []


@pytest.mark.parametrize("place", [COPIES, COPIES / START / "inside"], ids=str)
def test_where_something_is_in_the_way_one_sentence_says_so(lab, place):
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("mine")
    with pytest.raises(SystemExit, match=r"^The notebooks cannot be copied to .*kernel-course: [^\n]*\.$"):
        command.main([])
    assert lab == [] and place.read_text() == "mine"


def test_a_copy_that_was_interrupted_is_made_again(lab, monkeypatch):
    def half(source, target):
        Path(target).write_bytes(source.read_bytes()[:9])
        raise OSError("No space left on device")

    with monkeypatch.context() as full, pytest.raises(SystemExit, match="No space left"):
        full.setattr(opening.shutil, "copyfile", half)
        command.main([])
    assert not list(COPIES.glob("*.ipynb"))
    command.main([])
    assert {path.name for path in COPIES.iterdir()} == {*FILES}


def test_a_copy_with_the_imports_of_an_earlier_course_is_named_and_a_fresh_folder_offered(lab, capsys):
    command.main([])
    (COPIES / TRICK).write_text(OLD)
    (COPIES / RIDGE).write_text("mine")
    capsys.readouterr()
    command.main([])
    said = capsys.readouterr().out
    assert f"stayed as they are: {RIDGE}." in said and "earlier kernelkit" in said
    assert f"{TRICK}. They stayed" in said and "kernelkit open --folder kernel-course-2" in said
    command.main(["open", "02", "--folder", "kernel-course-2"])
    assert lab[-1] == opened(Path("kernel-course-2", TRICK)) and (COPIES / TRICK).read_text() == OLD
    Path("kernel-course-2").rename("kernel-course-3")
    assert opening.fresh(COPIES) == "kernel-course-2"
    with pytest.MonkeyPatch.context() as there:
        there.chdir(COPIES)
        assert opening.fresh(Path()).endswith("kernel-course-2'")


def test_the_bare_package_says_what_is_missing(lab, monkeypatch):
    monkeypatch.setattr(check.importlib.util, "find_spec", lambda name: None)
    says = r"^The course needs more than the library\. [^\n]*\n.*install .*'jupyterlab[^\n]* 'matplotlib[^\n]*$"
    with pytest.raises(SystemExit, match=says) as end:
        command.main([])
    assert end.value.code.count("'matplotlib") == 1 and "sphinx" not in end.value.code and not COPIES.exists()
    monkeypatch.setattr(check.sys, "executable", "/a folder/python")
    line = check.installed_by([Requirement("numpy>=99")])
    assert line.endswith("uv pip install --python '/a folder/python' 'numpy>=99'"), "there is no pip either"


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


def test_what_only_the_site_lacks_is_said_by_check_and_no_site_is_begun(clone, monkeypatch, capsys):
    def version(name):
        if name == "sphinx":
            raise PackageNotFoundError(name)
        return found(name)

    found = check.version
    monkeypatch.setattr(check, "version", version)
    command.main(["check"])
    said = capsys.readouterr().out
    assert said.count("jupyterlab") == 1
    assert re.search("site.*✗ sphinx is missing.*install [^\n]*'sphinx[<>]", said, re.S)
    with pytest.raises(SystemExit, match=r"needs [^\n]*sphinx[^\n]*\n.*install [^\n]*'sphinx[<>][^\n]*$"):
        command.main(["site", "pages"])
    assert not Path("pages").exists()


def test_the_course_needs_the_same_wherever_it_is_written():
    """requirements.txt has what the tests need besides."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    needed = {*project["dependencies"], *extras["panels"], *extras["course"]} - {"kernelkit[panels]"}
    assert needed <= {*(ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()}


@pytest.mark.parametrize("word", command.HELP)
def test_each_word_gives_an_example_that_can_be_read(word, capsys):
    with pytest.raises(SystemExit) as end:
        command.main([word, "--help"])
    _, example = command.HELP[word]
    assert end.value.code == 0 and f"example: {example}" in capsys.readouterr().out
    assert command.parser().parse_args(example.split()[1:]).do


@pytest.mark.parametrize("word", [["minutes"], ["refresh"], ["copies", "student", "mine"]], ids=" ".join)
@pytest.mark.parametrize(("name", "says"), [
    ("kernel-course/03-kernel-ridge.ipynb", "Say the name of a notebook of the course"),  # another one would be meant
    ("99-nothing", "No such notebook"),
], ids=["a path", "no notebook"])  # fmt: skip
def test_a_notebook_is_named_and_not_found_by_a_path(word, name, says, clone):
    with pytest.raises(SystemExit, match=says):
        command.main([*word, name])
    assert not list(Path().iterdir())
