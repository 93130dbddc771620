"""What the index promises: where each topic is taught, by which words it is found, and what each symbol means."""

import re
import unicodedata

from notebook_cells import FOLDER, INDEX, LESSONS, cells, every_notebook, notebook

from kernelkit.course.tools import stored

TEXT = {cell.id: cell.source for cell in cells(INDEX, "markdown")}
LETTERS, EVERYWHERE, OF_ONE = "index-04", "index-05", "index-06"  # the cells with the tables of symbols


def rows(text):
    """The rows of the table in a cell, without its head, as lists of cells."""
    return [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")][1:]


def texts(path):
    """{the end of a link to a section: all that stands in it, without emphasis}."""
    found = {}
    for section in stored.sections(notebook(path)):
        heading = f"Deeper: {section.title}" if section.kind == "deeper" else section.title
        found[heading.replace(" ", "-")] = " ".join("\n".join(c.source.replace("*", "") for c in section.cells).split())
    return found


def test_each_topic_is_taught_in_the_section_that_the_table_links_to():
    """There its panels are shown, and its words are found: all but one, which may have been changed in one place."""
    topics, lost = rows(TEXT["index-02"]), []
    numbers = [tuple(map(int, topic[0].split("."))) for topic in topics]
    assert numbers == sorted(set(numbers)) and len(numbers) >= 39
    for number, _, _, place, sections, words, panels in ([*topic, ""][:7] for topic in topics):
        (file,), links = re.findall(r"\((.+?)\)", place), re.findall(r"\]\(([^)#]+)#([^)]+)\)", sections)
        assert links and {name for name, _ in links} == {file}, number
        text = " ".join(texts(FOLDER / file)[anchor] for _, anchor in links)
        assert all(f"explore.{panel}(" in text for panel in re.findall(r"`(\w+)`", panels)), number
        lost += [(number, some) for some in words.split("; ") if some not in text]
    assert len(lost) <= 1, lost
    assert {path.name for path in LESSONS} <= {*re.findall(r"\]\(([^)#]+)\)", TEXT["index-02"])}


FORMULA = re.compile(r"\$\$.*?\$\$|\$[^$]*?\$", re.S)
ACCENTS = r"tilde|hat|bar|vec|mathcal|mathbb|mathbf|boldsymbol"
GREEK = {unicodedata.name(chr(c), "").split()[-1].lower().replace("lamda", "lambda") for c in range(0x3B1, 0x3CA)}


def letters(formula):
    """The symbols of a formula: letters, Latin or Greek, with their accents, and ℓ."""
    formula = re.sub(r"\\(text|mathrm|operatorname|begin|end)\{[^}]*\}", "", formula.replace(r"\\", " "))
    for accent, name in re.findall(rf"(?:\\({ACCENTS})\s*\{{?\s*)?(\\[A-Za-z]+|[A-Za-z])", formula):
        name = name.removeprefix("\\var").removeprefix("\\")
        if len(name) == 1 or name.lower() in GREEK or name == "ell":
            yield f"{accent} {name}".strip()


def symbols(text):
    """The symbols of all formulas, and the Greek letters in the prose between them; code does not count."""
    text = re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.S)
    found = {symbol for formula in FORMULA.findall(text) for symbol in letters(formula)}
    for letter, hat in re.findall("([α-ωΑ-Ω])(\u0302?)", FORMULA.sub("", text).replace("Σ", "")):
        name = unicodedata.name(letter).split()[-1].replace("LAMDA", "LAMBDA")
        found.add("hat " * bool(hat) + (name.capitalize() if letter.isupper() else name.lower()))
    return found


def test_symbols_are_found():
    text = r"$\tilde K_{ij} = \varphi_i^\top x \\ \text{no}$, σ̂ and Φ, but not `z` or $$\operatorname{sign} \ell$$"
    assert symbols(text) == {"tilde K", "i", "j", "phi", "x", "hat sigma", "Phi", "ell"}


@every_notebook
def test_every_symbol_has_a_meaning_in_the_index(path):
    here = [row[1] for row in rows(TEXT[LETTERS])] + [row[0] for row in rows(TEXT[EVERYWHERE])]
    here += [row[1] for row in rows(TEXT[OF_ONE]) if f"({path.name})" in row[0]]
    tables = (LETTERS, EVERYWHERE, OF_ONE) if path == INDEX else ()
    used = set().union(*(symbols(cell.source) for cell in cells(path, "markdown") if cell.id not in tables))
    assert not used - set().union(*map(symbols, here)), "not in the tables of A2"
