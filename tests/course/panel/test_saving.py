"""What is saved of a live panel: its picture and sentence, so that the file can be read without a kernel."""

import sys
from copy import deepcopy
from types import SimpleNamespace

import nbformat
import nbformat.v4 as nb
from ipywidgets import IntSlider
from jupyter_server.services.contents.largefilemanager import LargeFileManager

from kernelkit.course.explorers import kernel_trick
from kernelkit.course.panel import saving
from kernelkit.course.panel.link import Link


def output_of(widget):
    """What a kernel sends to the page when a cell ends with a widget."""
    bundle = widget._repr_mimebundle_()
    data, about = bundle if isinstance(bundle, tuple) else (bundle, {})
    return nb.new_output("execute_result", data, metadata=about)


def saved(folder, content):
    """The same notebook after a Jupyter server with the course's extension has written it."""
    server = SimpleNamespace(contents_manager=LargeFileManager(root_dir=str(folder)))
    saving._load_jupyter_server_extension(server)
    model = {"type": "notebook", "format": "json", "content": deepcopy(content)}
    server.contents_manager.save(model, "saved.ipynb")
    return nbformat.read(folder / "saved.ipynb", as_version=4)


def test_the_picture_is_saved_and_the_view_is_not(tmp_path):
    panel = output_of(kernel_trick.identity())
    assert saving.VIEW in panel.data
    (cell,) = saved(tmp_path, nb.new_notebook(cells=[nb.new_code_cell("", outputs=[panel])])).cells
    assert set(cell.outputs[0].data) == {"image/png", "text/plain"}
    assert cell.outputs[0].metadata["image/png"]["alt"].endswith(cell.outputs[0].data["text/plain"].splitlines()[-1])


def test_in_colab_the_output_says_what_draws_its_widgets(monkeypatch):
    """Colab itself adds this to what ``display`` shows, and not to what a cell ends with."""
    widgets, address = SimpleNamespace(_installed_url=None), "https://example.org/manager.js"
    colab = SimpleNamespace(_widgets=widgets)
    colab.enable_custom_widget_manager = lambda: setattr(widgets, "_installed_url", address)
    monkeypatch.setitem(sys.modules, "google.colab.output", colab)
    panel = output_of(kernel_trick.identity())
    assert panel.metadata[saving.VIEW] == {"colab": {"custom_widget_manager": {"url": address}}}
    assert panel.metadata["image/png"]["alt"].endswith(panel.data["text/plain"].splitlines()[-1])


def test_of_a_link_its_words_are_saved(tmp_path):
    link = output_of(Link("http://127.0.0.1:1/", "Two processes at work", "None."))
    assert saving.VIEW in link.data
    (cell,) = saved(tmp_path, nb.new_notebook(cells=[nb.new_code_cell("", outputs=[link])])).cells
    assert cell.outputs[0].data == {"text/plain": "Two processes at work: a link, while they run."}


def test_the_view_of_any_other_widget_stays(tmp_path):
    """In a notebook of the course and in anyone else's: a slider that keeps only its text would be lost."""
    slider, alone = output_of(IntSlider()), nb.new_output("display_data", {saving.VIEW: {"model_id": "1"}})
    panel = output_of(kernel_trick.identity())
    for output, about in ((slider, {}), (alone, {}), (panel, {"widgets": {"state": {}}})):
        content = nb.new_notebook(cells=[nb.new_code_cell("", outputs=[output])], metadata=about)
        assert saving.VIEW in saved(tmp_path, content).cells[0].outputs[0].data


def test_nothing_else_is_touched(tmp_path):
    cells = [
        nb.new_code_cell("1 + 1  # my own", outputs=[nb.new_output("execute_result", {"text/plain": "2"})]),
        nb.new_code_cell("print(1)", outputs=[nb.new_output("stream", text="1\n")]),
        nb.new_markdown_cell("mine"),
    ]
    content = nb.new_notebook(cells=cells)
    assert saved(tmp_path, content).cells == content.cells


def test_files_that_are_no_notebooks_pass_through():
    for kind, content in (("file", "text"), ("directory", None)):
        model = {"type": kind, "content": content}
        saving.before_saving(model, path="x", contents_manager=None)
        assert model == {"type": kind, "content": content}
