"""What a page is told of a notebook that it opens: the language of the kernel that it is about to get."""

import asyncio
import inspect
import json
import subprocess
import sys
from functools import cache
from types import SimpleNamespace

import nbformat
import nbformat.v4 as nb
import pytest
from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager, LargeFileManager

from kernelkit.panel import opening

PYTHON = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
COURSE = PYTHON | {"kernelkit": {"code_sha256": "0"}}
OLD = {"language_info": {"name": "python", "version": "2.7.18"}}


def seen(folder, manager=LargeFileManager):
    """The files of a folder as the pages of a server with the course's extension see them."""
    server = SimpleNamespace(web_app=SimpleNamespace(settings={"contents_manager": manager(root_dir=str(folder))}))
    opening._load_jupyter_server_extension(server)
    return server.web_app.settings["contents_manager"]


def read(manager, path, **options):
    """What a handler of the server gets, from managers that answer at once and from those that are awaited."""
    model = manager.get(path, **options)

    async def awaited():
        return await model

    return asyncio.run(awaited()) if inspect.isawaitable(model) else model


def write(folder, about, name="one.ipynb"):
    nbformat.write(nb.new_notebook(metadata=about, cells=[nb.new_code_cell("1")]), folder / name)


@cache
def reported():
    """The language that ipykernel reports; asked elsewhere, because it would take over the widgets of this process."""
    ask = "import json; from ipykernel.ipkernel import IPythonKernel as K; print(json.dumps(K.language_info))"
    return json.loads(subprocess.run([sys.executable, "-c", ask], capture_output=True, check=True).stdout)


@pytest.mark.parametrize("manager", [LargeFileManager, AsyncLargeFileManager])
@pytest.mark.parametrize("about", [COURSE, COURSE | OLD], ids=["without a language", "with another"])
def test_a_notebook_of_the_course_comes_with_what_its_kernel_reports(tmp_path, manager, about):
    write(tmp_path, about)
    before = (tmp_path / "one.ipynb").read_bytes()
    model = read(seen(tmp_path, manager), "one.ipynb")
    assert model["content"]["metadata"] == about | {"language_info": reported()}
    assert (tmp_path / "one.ipynb").read_bytes() == before


@pytest.mark.parametrize("manager", [LargeFileManager, AsyncLargeFileManager])
@pytest.mark.parametrize(
    "about",
    [PYTHON, PYTHON | OLD, {}, COURSE | {"kernelspec": {"name": "ir", "display_name": "R"}} | OLD],
    ids=["not of the course", "not of the course, with a language", "without a kernel", "with a kernel of its own"],
)
def test_any_other_notebook_is_left_alone(tmp_path, manager, about):
    write(tmp_path, about)
    assert read(seen(tmp_path, manager), "one.ipynb")["content"]["metadata"] == about


@pytest.mark.parametrize("manager", [LargeFileManager, AsyncLargeFileManager])
def test_what_is_read_without_content_or_is_no_notebook_passes_through(tmp_path, manager):
    write(tmp_path, COURSE)
    plain = manager(root_dir=str(tmp_path))
    for path, options in (
        ("", {}),
        ("one.ipynb", {"content": False}),
        ("one.ipynb", {"type": "file", "content": True}),
    ):
        assert read(seen(tmp_path, manager), path, **options) == read(plain, path, **options)


def test_a_copy_is_a_copy_of_the_file(tmp_path):
    write(tmp_path, COURSE)
    seen(tmp_path).copy("one.ipynb", "two.ipynb")
    assert nbformat.read(tmp_path / "two.ipynb", as_version=4).metadata == COURSE


def test_a_notebook_that_was_declared_trusted_is_trusted(tmp_path):
    write(tmp_path, COURSE)
    files = seen(tmp_path)
    files.notary.data_dir = str(tmp_path)
    files.trust_notebook("one.ipynb")
    assert read(files, "one.ipynb")["content"].cells[0].metadata.trusted
