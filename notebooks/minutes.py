"""How long a first reading takes: python notebooks/minutes.py [--write] [NOTEBOOK …]

One rule for every notebook: 100 words a minute outside what is folded, 45 seconds for each displayed row of a formula,
8 for each line of code, 6 minutes for a panel, 9 for an exercise; it was fitted to a careful first reading of four of
them. --write puts the minutes into the opening, the headings of the sections and the table of topics in 00.
"""

import os
import re
import sys
from pathlib import Path

from stored import as_text, read, written_beside

WORDS, ROW, LINE, PANEL, EXERCISE = 1 / 100, 45 / 60, 8 / 60, 6.0, 9.0  # minutes for one of each
NOTEBOOKS = Path(__file__).parent
HEADING = re.compile(r"^## (?P<clock>\d+:\d\d) – (?P<deeper>\*Deeper:\* )?", re.M)
TIME = re.compile(
    r"\*\*Time\*\* (?P<core>\d+) minutes"
    r"(, and (?P<deeper>\d+) more for the sections marked \*Deeper\*)?\."
)


class Section:
    """From one heading of the second level to the next; the opening belongs to the first section."""

    def __init__(self, heading):
        self.clock, self.deeper = heading["clock"], bool(heading["deeper"])
        self.reading = self.exercises = 0.0  # minutes

    @property
    def minutes(self):
        return self.reading + self.exercises


def sections(notebook):
    """The sections of a notebook, in their order."""
    found, before = [], 0.0
    for cell in notebook.cells:
        heading = HEADING.search(cell.source) if cell.cell_type == "markdown" else None
        if heading:
            found.append(Section(heading))
        if found:
            found[-1].reading += reading(cell)
            found[-1].exercises += exercises(cell)
        else:
            before += reading(cell)
    found[0].reading += before
    return found


def reading(cell):
    """Minutes for a cell, exercises not counted."""
    if cell.cell_type == "code":
        lines = [line for line in cell.source.splitlines() if line.strip()]
        return LINE * len(lines) + PANEL * len(re.findall(r"\bexplore\.\w+\(", cell.source))
    text = re.sub(r"<details>.*?</details>", "", cell.source, flags=re.S)
    rows = sum(1 + formula.count(r"\\") for formula in re.findall(r"\$\$.*?\$\$", text, re.S))
    return WORDS * len(re.sub(r"\$\$.*?\$\$", "", text, flags=re.S).split()) + ROW * rows


def exercises(cell):
    return EXERCISE * len(re.findall(r"^### Exercise", cell.source, re.M)) if cell.cell_type == "markdown" else 0.0


def total(found, deeper=False):
    """Minutes of the core path, or of all that is marked Deeper."""
    return sum(section.minutes for section in found if section.deeper == deeper)


def clocks(found):
    """When each section starts for one who reads all of them, "1:05"."""
    times = [round(sum(section.minutes for section in found[:i])) for i in range(len(found))]
    return [f"{time // 60}:{time % 60:02d}" for time in times]


def opening(found):
    """The sentence that says how long it takes."""
    core, more = round(total(found)), round(total(found, deeper=True))
    return f"**Time** {core} minutes" + (f", and {more} more for the sections marked *Deeper*." if more else ".")


def timed(notebook):
    """{clock that stood in a heading: the clock by the rule}, after writing the new ones into the notebook."""
    found = sections(notebook)
    new = iter(clocks(found))
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            cell.source = TIME.sub(opening(found), cell.source)
            cell.source = HEADING.sub(lambda m: f"## {next(new)} – {m['deeper'] or ''}", cell.source)
    return dict(zip([section.clock for section in found], clocks(found), strict=True))


def moved(notebook, name, new):
    """The table of topics in 00, with the new clocks of one notebook."""
    row = re.compile(rf"(\({name}\) \| )([\d:, ]+?)( \|)")
    for cell in notebook.cells:
        cell.source = row.sub(lambda m: m[1] + ", ".join(new.get(t, t) for t in m[2].split(", ")) + m[3], cell.source)


def write(path):
    """Put the clocks into a notebook and the table of 00; nothing else changes."""
    notebook = read(path)
    new = timed(notebook)
    store(path, notebook)
    start = NOTEBOOKS / "00-start-here.ipynb"
    table = read(start)
    moved(table, path.name, new)
    store(start, table)


def store(path, notebook):
    with written_beside(path, as_text(notebook)) as new:
        os.chmod(new, path.stat().st_mode & 0o777)
        os.replace(new, path)


if __name__ == "__main__":
    named = [Path(name) for name in sys.argv[1:] if name != "--write"]
    for path in named or sorted(NOTEBOOKS.glob("[0-9A]*.ipynb")):
        if "--write" in sys.argv:
            write(path)
        found = sections(read(path))
        print(f"{path.stem}: {total(found):.0f} minutes and {total(found, deeper=True):.0f} of Deeper")
        for clock, section in zip(clocks(found), found, strict=True):
            print(f"   {clock}  {section.reading:4.1f} + {section.exercises:2.0f}{'  Deeper' * section.deeper}")
