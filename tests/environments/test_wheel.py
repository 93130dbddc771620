"""What a wheel and a source distribution carry, built in a clone in which somebody has worked."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from kernelkit.course.tools import places

ROOT = Path(__file__).parents[2]
COURSE = "kernelkit/course/notebooks/"
WORK = (  # what a clone collects
    "grades.csv",
    "kernel-course/00-start-here.ipynb",
    "kernelkit/.ipynb_checkpoints/checks-checkpoint.py",
    "notebooks/.ipynb_checkpoints/07-support-vector-machine-checkpoint.ipynb",
    "notebooks/07-support-vector-machine-Copy1.ipynb",
    "notebooks/my-class/07-support-vector-machine.ipynb",
    "kernelkit/course/tools/player/.ipynb_checkpoints/run-checkpoint.md",
)


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """The folder with the wheel and the source distribution."""
    clone, folder = tmp_path_factory.mktemp("used"), tmp_path_factory.mktemp("built")
    for name in ("kernelkit", "notebooks"):
        shutil.copytree(ROOT / name, clone / name, ignore=shutil.ignore_patterns("*.pyc.*"))  # they come and go
    for name in (".gitignore", "LICENSE", "README.md", "pyproject.toml"):
        shutil.copy(ROOT / name, clone)
    for name in WORK:
        (clone / name).parent.mkdir(exist_ok=True)
        (clone / name).write_text("mine")
    run("-m", "hatchling", "build", "-d", folder, cwd=clone)
    return folder


def run(*words, **options):
    return subprocess.run([sys.executable, *words], capture_output=True, text=True, check=True, **options)


@pytest.fixture(scope="module")
def wheel(built):
    (path,) = built.glob("*.whl")
    with zipfile.ZipFile(path) as file:
        file.extractall(built / "wheel")
        return file.namelist()


@pytest.fixture(scope="module")
def source(built):
    (path,) = built.glob("*.tar.gz")
    with tarfile.open(path) as file:
        return [name.partition("/")[2] for name in file.getnames()]


def test_neither_has_the_answers_of_teachers_or_the_work_of_a_learner(wheel, source):
    pages = {path.name for path in (ROOT / "notebooks" / "teaching").iterdir()}
    for name in (*wheel, *source):
        assert not pages & {*Path(name).parts} and name.replace(COURSE, "notebooks/") not in WORK


def test_no_page_of_the_course_leads_to_one_that_is_not_there(wheel, built):
    for name in (name for name in wheel if name.startswith(COURSE) and name.endswith((".ipynb", ".md"))):
        text = (built / "wheel" / name).read_text(encoding="utf-8")
        for page in re.findall(r"\]\(([\w-]+\.(?:ipynb|md))[)#]", text):
            assert f"{COURSE}{page}" in wheel or page == "run.md", f"{name} leads to {page}"


def test_both_have_every_notebook_and_every_module(wheel, source):
    named = re.findall(r"\(notebooks/([^/]+\.ipynb)\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert {f"{name}.ipynb" for name in places.NAMES} == {*named}
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "kernelkit").rglob("*.py")}
    assert {name.removeprefix(COURSE) for name in wheel if name.endswith(".ipynb")} == {*named}
    assert {name.removeprefix("notebooks/") for name in source if name.endswith(".ipynb")} == {*named}
    assert modules <= {*wheel} and modules <= {*source}


def test_the_site_can_be_built_from_a_wheel(wheel, built):
    """All that it imports or lays out a page with is there."""
    folder = built / "wheel"
    env = os.environ | {"PYTHONPATH": str(folder)}
    code = "from kernelkit.course.tools import site; print(site.__file__, site.run_page())"
    said = run("-c", code, cwd=folder, env=env).stdout
    assert str(folder) in said and "PowerShell" in said
    player = "kernelkit/course/tools/player"
    assert {f"{player}/{path.name}" for path in (ROOT / player).glob("*.*")} <= {*wheel}
