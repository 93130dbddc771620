"""Notebooks as pages and slides, made without running them: pictures with their texts, formulas, and no answers.

nbconvert's template "lab", the default, has no place for the texts of the pictures; "classic" has. The sentence of an
explorer is drawn into its picture as well. What the stored files must not hold is tested in ``test_notebook_form.py``.
"""

import re
from copy import deepcopy
from pathlib import Path

import panels
from bs4 import BeautifulSoup
from nbconvert import HTMLExporter, SlidesExporter
from nbconvert.filters import markdown2html_mistune
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from notebook_cells import FOLDER, cells, every_notebook, headings, notebook
from traitlets.config import PyFileConfigLoader

from kernelkit.course.tools import site as website, stored

EXPLORERS = panels.explorers()
TRICK = FOLDER / "02-kernel-trick.ipynb"  # with formulas among its outputs


def formulas_in(text):
    text = re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.S)
    return re.findall(r"\$\$.*?\$\$|\$[^$]*?\$", text, re.S)


@every_notebook
def test_a_page_keeps_every_formula_and_every_table(path):
    for cell in cells(path, "markdown"):
        page = BeautifulSoup(markdown2html_mistune(cell.source), "html.parser")
        lost = [formula for formula in formulas_in(cell.source) if formula not in page.get_text()]
        assert not lost, f"formulas that the export breaks: {lost}"
        assert len(page.find_all("table")) == len(re.findall(r"^\|(?: *:?-+:? *\|)+$", cell.source, re.M)), cell.source


def test_a_page_has_every_picture_with_its_text_needs_no_kernel_and_leads_to_pages():
    config = PyFileConfigLoader("nbconvert_config.py", str(Path(stored.__file__).parent)).load_config()
    exporter = HTMLExporter(config=config, template_name="classic", exclude_input=True)
    page = BeautifulSoup(exporter.from_notebook_node(deepcopy(notebook(TRICK)))[0], "html.parser")
    assert drawn(page) == pictures(TRICK) and not page.find_all("script", type=re.compile("jupyter.widget"))
    shown = [output.get("data", {}).get("text/latex", "") for cell in cells(TRICK, "code") for output in cell.outputs]
    formulas = formulas_in("\n\n".join(shown))
    assert formulas and all(formula in page.get_text() for formula in formulas)
    links = [a["href"].partition("#")[0] for a in page.find_all("a", href=True)]
    assert "01-feature-maps.html" in links and not [link for link in links if link.endswith(".ipynb")]


def pictures(path):
    """(PNG in base64, its text) of every output that has one."""
    outputs = [output for cell in cells(path, "code") for output in cell.outputs]
    found = [(output, output.get("data", {}).get("image/png", "").strip()) for output in outputs]
    return [(png, output.metadata["image/png"]["alt"]) for output, png in found if png]


def drawn(page):
    return [(image["src"].rpartition("base64,")[2].strip(), image.get("alt")) for image in page.find_all("img")]


@every_notebook
def test_the_site_finds_every_panel_and_tears_no_formula_and_no_link(path):
    """A displayed formula inside a paragraph would be read as two dollars; what keeps lines together is spaces."""
    found = website.panels_of(notebook(path), path.stem)
    calls = [n for n, cell in enumerate(notebook(path).cells) if re.search(r"\bexplore\.\w+\(", cell.source)]
    assert list(found) == [number for number in calls if notebook(path).cells[number].cell_type == "code"]
    assert all(f"{panel.room}.{panel.name}" in EXPLORERS for panel in found.values())
    for _, heading in headings(path):
        assert website.anchor(website.unbroken(heading)) == website.anchor(heading)
    for cell in cells(path, "markdown"):
        assert website.unbroken(cell.source).replace("\xa0", " ") == cell.source.replace("\xa0", " ")
        text = re.sub(r"```.*?```|`[^`\n]*`", "", website.apart(cell.source), flags=re.S)
        for formula in re.finditer(r"\$\$.*?\$\$", text, re.S):
            before, after = text[: formula.start()], text[formula.end() :]
            assert not before.strip() or re.search(r"\n[ \t>]*\n[ \t>]*$", before), formula[0]
            assert not after.strip() or re.match(r"[ \t]*[.,;]?[ \t]*\n[ \t>]*\n", after), formula[0]


def test_slides_hold_what_has_a_place_there_and_nothing_else():
    page = BeautifulSoup(
        SlidesExporter(exclude_input=True).from_notebook_node(deepcopy(notebook(TRICK)))[0], "html.parser"
    )
    assert page.find("script", string=re.compile("Reveal.initialize")), "no deck without Reveal"
    deck = page.select(".reveal > .slides > section")
    heads = [head.replace("*", "").split() for level, head in headings(TRICK) if level <= 2]
    assert [slide.find(["h1", "h2"]).get_text().rstrip("¶").split() for slide in deck] == heads
    assert [png for png, _ in drawn(page)] == [png for png, _ in pictures(TRICK)]
    for below in (below for slide in deck for below in slide.find_all("section", recursive=False)):
        assert (below.find_all("img") or below.get_text(strip=True)) and len(below.find_all("img")) <= 1
    (recap,) = (section for section in stored.sections(notebook(TRICK)) if section.kind == "recap")
    formulas = formulas_in("\n".join(c.source for c in recap.cells if "<details>" not in c.source))
    (slide,) = (slide for slide, head in zip(deck, heads, strict=True) if head == ["Recap"])
    assert formulas and not [formula for formula in formulas if formula not in slide.get_text()]
    assert "Solution" not in page.get_text()


def test_each_kind_of_cell_has_its_place_in_the_deck():
    drawn = [new_output("display_data", {"image/png": "AAAA"})]
    first, second = (new_code_cell("explore.boundary()", outputs=drawn) for _ in range(2))
    note = new_markdown_cell("> A note.", metadata={"tags": ["teaching-note"]})
    prose = [new_markdown_cell(text) for text in ("# Title", "## One", "So far.", "**Predict:** what?")]
    hint = new_markdown_cell("<details><summary>Solution</summary>")
    recap = [new_markdown_cell(text) for text in ("## Recap", "| card |")]
    deeper = [new_markdown_cell(text) for text in ("## Deeper: two", "Not on a slide.")]
    cells = [prose[0], note, new_code_cell("1"), *prose[1:], first, hint, second, *recap, new_code_cell("2")]
    kinds = "slide notes skip slide skip subslide subslide skip subslide slide subslide skip slide skip"
    assert stored.slides(new_notebook(cells=[*cells, *deeper])) == kinds.split()
