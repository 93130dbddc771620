"""The HTML export of every notebook, made without running it: pictures with their texts, formulas, and no widget.

nbconvert's template "lab", the default, leaves out the texts of the pictures; "classic" keeps them. The sentence of an
explorer is drawn into its picture as well. What the stored files must not hold is tested in ``test_notebooks.py``.
"""

import re
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbconvert import HTMLExporter

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))
every_page = pytest.mark.parametrize("template", ["lab", "classic"])
every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)


def read(path):
    return nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)


def export(notebook, template):
    """The page as a tree that can be searched."""
    exporter = HTMLExporter(template_name=template)
    return BeautifulSoup(exporter.from_notebook_node(notebook)[0], "html.parser")


def stored_pictures(notebook):
    """(PNG in base64, its text) of every output that has one."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):
                yield output.data["image/png"].strip(), output.metadata["image/png"]["alt"]


def formulas(notebook):
    """The source of every formula, in prose and in outputs; code in prose does not count."""
    prose = "\n\n".join(c.source for c in notebook.cells if c.cell_type == "markdown")
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", prose, flags=re.S)
    shown = [o.get("data", {}).get("text/latex", "") for c in notebook.cells for o in c.get("outputs", [])]
    return re.findall(r"\$\$.*?\$\$|\$[^$]*?\$", prose + "\n\n".join(shown), re.S)


def tables(notebook):
    """How many tables the prose has, also those inside <details>."""
    prose = "\n".join(c.source for c in notebook.cells if c.cell_type == "markdown")
    return len(re.findall(r"^\|(?: *:?-+:? *\|)+$", prose, re.M))


@every_notebook
@every_page
def test_page_shows_all_and_needs_no_kernel(path, template):
    notebook = read(path)
    page = export(notebook, template)
    images = {img["src"].partition("base64,")[2].strip(): img.get("alt") for img in page.find_all("img")}
    pictures = dict(stored_pictures(notebook))
    assert pictures and pictures.keys() <= images.keys(), "a picture is missing on the page"
    if template == "classic":
        assert {png: images[png] for png in pictures} == pictures, "a picture lost its text"
    text = page.get_text()
    lost = [f for f in formulas(notebook) if f not in text]
    assert not lost, f"formulas that the export breaks: {lost}"
    assert len(page.find_all("table")) == tables(notebook)
    assert not page.find_all("script", type=re.compile("jupyter.widget"))
    assert not [o for c in notebook.cells for o in c.get("outputs", []) if o.get("name") == "stderr"], "a warning"
