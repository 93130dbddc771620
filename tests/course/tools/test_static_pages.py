"""The HTML export of every notebook, made without running it: pictures with their texts, formulas, and no widget.

nbconvert's template "lab", the default, has no place for the texts of the pictures; "classic" has. The sentence of an
explorer is drawn into its picture as well. What the stored files must not hold is tested in ``test_notebooks.py``.
"""

import re
from functools import cache
from pathlib import Path

import nbformat
import pytest
from bs4 import BeautifulSoup
from nbconvert import HTMLExporter, SlidesExporter
from notebook_cells import INDEX
from traitlets.config import PyFileConfigLoader

from kernelkit.course.tools import places, stored

NOTEBOOKS = places.notebooks()
PAGES = [*((path, "classic") for path in NOTEBOOKS), *((path, "lab") for path in NOTEBOOKS[::5])]
every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)


def read(path):
    return nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)


@cache
def exporter(template):
    """Made once: it reads its templates. Without the code, whose colours take most of the time."""
    return HTMLExporter(template_name=template, exclude_input=True)


@cache
def slides():
    return SlidesExporter()


def export(notebook, template):
    """The page as a tree that can be searched."""
    return BeautifulSoup(exporter(template).from_notebook_node(notebook)[0], "html.parser")


def stored_pictures(notebook):
    """(PNG in base64, its text) of every output that has one."""
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):
                yield output.data["image/png"].strip(), output.metadata["image/png"]["alt"]


def formulas(notebook):
    """The source of every formula, in prose and in outputs; code in prose does not count."""
    prose = "\n\n".join(c.source for c in notebook.cells if c.cell_type == "markdown")
    shown = [o.get("data", {}).get("text/latex", "") for c in notebook.cells for o in c.get("outputs", [])]
    return formulas_in(prose) + formulas_in("\n\n".join(shown))


def formulas_in(text):
    text = re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.S)
    return re.findall(r"\$\$.*?\$\$|\$[^$]*?\$", text, re.S)


def tables(notebook):
    """How many tables the prose has, also those inside <details>."""
    prose = "\n".join(c.source for c in notebook.cells if c.cell_type == "markdown")
    return len(re.findall(r"^\|(?: *:?-+:? *\|)+$", prose, re.M))


@pytest.mark.parametrize(("path", "template"), PAGES, ids=lambda part: getattr(part, "stem", part))
def test_page_shows_all_and_needs_no_kernel(path, template):
    notebook = read(path)
    page = export(notebook, template)
    images = {img["src"].partition("base64,")[2].strip(): img.get("alt") for img in page.find_all("img")}
    pictures = dict(stored_pictures(notebook))
    assert pictures or path == INDEX
    assert pictures.keys() <= images.keys(), "a picture is missing on the page"
    if template == "classic":
        assert {png: images[png] for png in pictures} == pictures, "a picture lost its text"
    text = page.get_text()
    lost = [f for f in formulas(notebook) if f not in text]
    assert not lost, f"formulas that the export breaks: {lost}"
    assert len(page.find_all("table")) == tables(notebook)
    assert not page.find_all("script", type=re.compile("jupyter.widget"))
    assert not [o for c in notebook.cells for o in c.get("outputs", []) if o.get("name") == "stderr"], "a warning"


def test_links_between_notebooks_lead_to_pages():
    config = PyFileConfigLoader("nbconvert_config.py", str(Path(stored.__file__).parent)).load_config()
    exporter = HTMLExporter(config=config, template_name="classic", exclude_input=True)
    page = BeautifulSoup(exporter.from_notebook_node(read(NOTEBOOKS[2]))[0], "html.parser")
    links = [a["href"].partition("#")[0] for a in page.find_all("a", href=True)]
    assert "01-feature-maps.html" in links
    assert not [link for link in links if link.endswith(".ipynb")]


# ---- the deck of slides, whose structure needs no network -------------------------------------------


@every_notebook
def test_deck_has_a_slide_for_each_section_and_below_it_its_pictures(path):
    notebook = stored.clean(read(path))
    page = BeautifulSoup(slides().from_notebook_node(notebook)[0], "html.parser")
    deck = page.select(".reveal > .slides > section")
    assert page.find("script", string=re.compile("Reveal.initialize")), "no deck without Reveal"
    prose = "\n".join(
        re.sub(r"```.*?```", "", c.source, flags=re.S) for c in notebook.cells if c.cell_type == "markdown"
    )
    heads = re.findall(r"^##? (.*)$", prose, re.M)
    assert [slide.find(["h1", "h2"]).get_text().rstrip("¶").split() for slide in deck] == [plain(h) for h in heads]
    for slide in deck:
        for below in slide.find_all("section", recursive=False):
            assert below.find_all("img") or below.get_text(strip=True), "an empty slide"
            assert len(below.find_all("img")) <= 1, "two pictures on one slide"
    pictures = [png for png, _ in stored_pictures(notebook)]
    assert [img["src"].partition("base64,")[2].strip() for img in page.find_all("img")] == pictures
    assert "Solution" not in page.get_text(), "the deck must not tell the answers"
    for slide in deck:
        if slide.find("h2") and slide.find("h2").get_text().startswith("Recap"):
            recap = "\n".join(
                c.source for s in stored.sections(notebook) if s.kind == "recap" for c in unfolded(s.cells)
            )
            assert [f for f in formulas_in(recap) if f not in slide.get_text()] == []


def unfolded(cells):
    """The cells of prose that have no fold, because a fold is not on a slide."""
    return [cell for cell in cells if cell.cell_type == "markdown" and "<details>" not in cell.source]


def plain(heading):
    """The words of a heading without emphasis."""
    return heading.replace("*", "").split()


def test_each_kind_of_cell_has_its_place_in_the_deck():
    v4 = nbformat.v4
    picture = v4.new_code_cell("explore.boundary()", outputs=[v4.new_output("display_data", {"image/png": "AAAA"})])
    note = v4.new_markdown_cell("> A note.", metadata={"tags": ["teaching-note"]})
    prose = [v4.new_markdown_cell(text) for text in ("# Title", "## One", "So far.", "**Predict:** what?")]
    hint = v4.new_markdown_cell("<details><summary>Solution</summary>")
    recap = [v4.new_markdown_cell(text) for text in ("## Recap", "| card |")]
    deeper = [v4.new_markdown_cell(text) for text in ("## Deeper: two", "Not on a slide.")]
    cells = [prose[0], note, v4.new_code_cell("1"), *prose[1:], picture, hint, picture, *recap, v4.new_code_cell("2")]
    kinds = "slide notes skip slide skip subslide subslide skip subslide slide subslide skip slide skip"
    assert stored.slides(v4.new_notebook(cells=[*cells, *deeper])) == kinds.split()


@every_notebook
def test_stored_notebook_has_the_places_of_its_cells_in_the_deck(path):
    notebook = read(path)
    stored_kinds = [cell.metadata.get("slideshow", {}).get("slide_type") for cell in notebook.cells]
    assert stored_kinds == stored.slides(notebook), f"run kernelkit refresh {path.stem}"
