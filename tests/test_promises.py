"""What the index promises: where each topic is, what each symbol means."""

import re
import unicodedata
from itertools import pairwise

import pytest
from notebook_cells import INDEX, LESSONS, START, cell_of, cells, every_lesson, every_notebook

from kernelkit.course.tools import stored

# ---- where each topic of the lectures is taught: the table in A2 ---------------------------------


TOPIC = re.compile(
    r"^\| (?P<number>\d+\.\d+) \| .+ \| [A-E ]+ \| \[\d\d\]\((?P<file>.+?)\) \| (?P<sections>\[.+?\)) "
    r"\| (?P<words>.+) \| (?P<explorers>.*) \|$",
    re.M,
)


TOPICS = [m.groupdict() for m in TOPIC.finditer(cell_of(INDEX, "lists every topic of these lectures"))]


def texts(path):
    """{the end of a link to a section: all that stands in it, without emphasis}."""
    found = {}
    for section in stored.sections(stored.read(path)):
        heading = f"Deeper: {section.title}" if section.kind == "deeper" else section.title
        anchor = heading.replace(" ", "-").replace("(", "%28").replace(")", "%29")
        found[anchor] = " ".join(" ".join(cell.source.replace("*", "").split()) for cell in section.cells)
    return found


def test_every_row_of_the_topics_can_be_read():
    rows = [
        line for line in cell_of(INDEX, "lists every topic of these lectures").splitlines() if line.startswith("| ")
    ]
    assert len(TOPICS) == len(rows) - 1 >= 39, "a row of the table has another form than the others"
    numbers = [tuple(map(int, topic["number"].split("."))) for topic in TOPICS]
    assert numbers == sorted(set(numbers))
    chapters = [int(path.stem[:2]) for path in LESSONS]
    for (a, b), (c, d) in pairwise(numbers):
        after = min(chapter for chapter in chapters if chapter > a) if (c, d) != (a, b + 1) else a
        assert (c, d) in ((a, b + 1), (after, 1)), f"between {a}.{b} and {c}.{d} a topic is missing"


@pytest.mark.parametrize("topic", TOPICS, ids=lambda t: t["number"])
def test_topic_is_taught_where_the_table_says(topic):
    found, links = texts(START.parent / topic["file"]), re.findall(r"\]\(([^)#]+)#([^)]+)\)", topic["sections"])
    assert links and {file for file, _ in links} == {topic["file"]}
    text = " ".join(found[anchor] for _, anchor in links)
    for words in topic["words"].split("; "):
        assert words in text, f"{topic['file']} does not say {words!r} there"
    for name in re.findall(r"`(\w+)`", topic["explorers"]):
        assert f"explore.{name}(" in text, f"{topic['file']} does not show {name} there"


@every_lesson
def test_lesson_is_in_the_table_of_topics(path):
    assert path.name in {topic["file"] for topic in TOPICS}


# ---- what each symbol means: the tables in A2 ----------------------------------------------------


FORMULA = re.compile(r"\$\$.*?\$\$|\$[^$]*?\$", re.S)
ACCENTS = r"tilde|hat|bar|vec|mathcal|mathbb|mathbf|boldsymbol"
GREEK = {unicodedata.name(chr(c), "").split()[-1].lower().replace("lamda", "lambda") for c in range(0x3B1, 0x3CA)}
TABLES = ("| meaning | here |", "next table are used everywhere", "belong to one notebook only")


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


def symbols_of(path):
    prose = [c.source for c in cells(path, "markdown")]
    return set().union(*(symbols(text) for text in prose if path != INDEX or not any(t in text for t in TABLES)))


def symbols_everywhere():
    """The columns *here* of the two tables that hold for the whole course."""
    rows = re.findall(r"^\| [^|]+ \| ([^|]+) \|", cell_of(INDEX, TABLES[0]), re.M)
    rows += re.findall(r"^\| ([^|]+) \|", cell_of(INDEX, TABLES[1]), re.M)
    return set().union(*map(symbols, rows))


def symbols_of_one(path):
    """What the last table lists for this notebook."""
    row = re.search(rf"^\| \[\w+\]\({path.name}\) \| (.*) \|$", cell_of(INDEX, TABLES[2]), re.M)
    return symbols(row.group(1)) if row else set()


def test_symbols_are_found():
    text = r"$\tilde K_{ij} = \varphi_i^\top x \\ \text{no}$, σ̂ and Φ, but not `z` or $$\operatorname{sign} \ell$$"
    assert symbols(text) == {"tilde K", "i", "j", "phi", "x", "hat sigma", "Phi", "ell"}


@every_notebook
def test_every_symbol_has_a_meaning_in_the_index(path):
    unknown = symbols_of(path) - symbols_everywhere() - symbols_of_one(path)
    assert not unknown, f"not in the tables of A2: {sorted(unknown)}"


@every_notebook
def test_no_symbol_is_listed_for_a_notebook_that_does_not_use_it(path):
    unused = symbols_of_one(path) - symbols_of(path) - symbols_everywhere()
    assert not unused, f"A2 lists them for {path.stem}: {sorted(unused)}"


@pytest.mark.parametrize("letter, word", [("H", "predictions"), ("kappa", "eigenvalue")])
def test_a_letter_that_keeps_one_meaning_is_listed_with_no_other(letter, word):
    rows = re.findall(r"^\| \[\w+\]\(\S+\) \| (.*) \|$", cell_of(INDEX, TABLES[2]), re.M)
    entries = [entry for row in rows for entry in row.split(";") if letter in symbols(entry)]
    assert entries and all(word in entry for entry in entries), entries
