"""How long a first reading takes: kernelkit minutes [--write] [NOTEBOOK …]

One rule serves every notebook: 150 words a minute outside what is folded, 45 seconds for each displayed row of a
formula, 6 seconds for each line of code, 6 minutes for a panel and 10 for an exercise. --write puts the time,
rounded to quarters of an hour, into the openings.
"""

import os
import re

from kernelkit.course.tools import places
from kernelkit.course.tools.stored import as_text, read, sections, written_beside

WORD, ROW, LINE, PANEL, EXERCISE = 1 / 150, 45 / 60, 6 / 60, 6.0, 10.0  # minutes for one of each
TIME = re.compile(
    r"^\*\*Time\*\* About (?P<core>[\d¼½¾]+) hours?(, and another (?P<deeper>[\d¼½¾]+) hours? for \*Deeper\*)?\.$", re.M
)
QUARTERS = ("", "¼", "½", "¾")


def reading(cell):
    """Minutes for a cell."""
    if cell.cell_type == "code":
        lines = [line for line in cell.source.splitlines() if line.strip()]
        return LINE * len(lines) + PANEL * len(re.findall(r"\bexplore\.\w+\(", cell.source))
    text = re.sub(r"<details>.*?</details>", "", cell.source, flags=re.S)
    formulas = re.findall(r"\$\$.*?\$\$", text, re.S)
    rows = sum(1 + formula.count(r"\\") for formula in formulas)
    words = re.sub(r"\$\$.*?\$\$", "", text, flags=re.S).split()
    exercises = re.findall(r"^### Exercise", text, re.M)
    return WORD * len(words) + ROW * rows + EXERCISE * len(exercises)


def total(notebook, deeper=False):
    """Minutes for the core, recap included, or for all of Deeper."""
    chosen = [section for section in sections(notebook) if (section.kind == "deeper") == deeper]
    return sum(reading(cell) for section in chosen for cell in section.cells)


def hours(minutes):
    """Minutes as quarters of an hour in words: 1½ hours, ¾ hour."""
    quarters = max(1, round(minutes / 15))
    return f"{quarters // 4 or ''}{QUARTERS[quarters % 4]} hour{'s' if quarters > 4 else ''}"


def time_sentence(notebook):
    """The sentence of the opening."""
    deeper = total(notebook, deeper=True)
    more = f", and another {hours(deeper)} for *Deeper*" if deeper else ""
    return f"**Time** About {hours(total(notebook))}{more}."


def write(path):
    """Put the time into the opening of a notebook; nothing else changes."""
    notebook = read(path)
    opening = next(cell for cell in notebook.cells if cell.cell_type == "markdown")
    opening.source = TIME.sub(time_sentence(notebook), opening.source)
    with written_beside(path, as_text(notebook)) as new:
        os.chmod(new, path.stat().st_mode & 0o777)
        os.replace(new, path)


def tell(names=(), into=False):
    """Print the times of notebooks and of their sections; into : put them into the openings, too."""
    for path in places.notebooks(names):
        if into:
            write(path)
        print(f"{path.stem}: {time_sentence(read(path))}")
        for section in sections(read(path)):
            print(f"   {section.kind:8} {sum(map(reading, section.cells)):5.1f}  {section.title}")
