"""What a class handed in: whose each notebook is, and what its stored outputs say of the exercises. Nothing is run.

The files come from strangers: whatever they hold, a file either counts or is set aside with the reason.
"""

import json
import os
import re
import unicodedata
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from kernelkit.panel.saving import MARK

COURSE = Path(__file__).parent
LARGEST = 50_000_000  # bytes; a notebook of the course with all its pictures has 1.5 million
VERDICTS = ("open", "wrong", "right")  # the later one counts
UNNAMED = "unnamed"
COPY = re.compile(r"[-_ ]*(copy\d*|\(\d+\))$", re.I)  # what file managers and Jupyter add to a second file


@dataclass(frozen=True)
class Result:
    """What one check said: its verdict, the name of the mistake, and the sentence."""

    verdict: str
    mistake: str = ""
    sentence: str = ""


@dataclass
class Class:
    """Everything that was found."""

    results: dict = field(default_factory=lambda: defaultdict(dict))  # student: {exercise: Result}
    handed_in: set = field(default_factory=set)  # students of whom there is a file
    set_aside: dict = field(default_factory=dict)  # file: why it does not count


# ---- text from strangers -------------------------------------------------------------------------


def plain(text, most=160):
    """A text that can be printed: one line, no control characters, not too long."""
    text = "".join(c if c.isprintable() else " " if c.isspace() else "�" for c in text[: 4 * most])
    text = " ".join(text.split())
    return text if len(text) <= most else f"{text[: most - 1]}…"


def words(name):
    """A name as its words, whatever the spelling of accents, the case and the separators."""
    return tuple(re.findall(r"\w+", unicodedata.normalize("NFC", name).casefold().replace("_", " ")))


# ---- one notebook --------------------------------------------------------------------------------


def read_cells(path):
    """The cells of a notebook; ValueError says in words why there are none."""
    if path.suffix.lower() != ".ipynb":
        raise ValueError("no notebook")
    if not path.is_file():
        raise ValueError("no file")
    if (size := path.stat().st_size) > LARGEST:
        raise ValueError(f"too large, {size / 1e6:.0f} MB")
    try:
        notebook = json.loads(path.read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError, MemoryError):
        raise ValueError("broken: it cannot be read as a notebook") from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise ValueError("no notebook of today's format: it has no cells")
    return [cell for cell in cells if isinstance(cell, dict)]


def inner(value, *keys):
    """value[key][key]…, or None where something on the way is no dictionary or has no such key."""
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def string(value):
    """A text; anything else is empty."""
    return value if isinstance(value, str) else ""


def text_of(value):
    """A text as notebooks store it, in one piece or in lines; anything else is empty."""
    return "".join(map(string, value)) if isinstance(value, list) else string(value)


def results(cells, course):
    """(exercise, Result) of every check that was run, in the order of the notebook."""
    for cell in cells:
        outputs = cell.get("outputs")
        for output in outputs if isinstance(outputs, list) else ():
            said = inner(output, "metadata", MARK)
            exercise, verdict = string(inner(said, "exercise")), string(inner(said, "verdict"))
            if exercise in course and verdict in VERDICTS:
                yield (
                    exercise,
                    result(verdict, string(inner(said, "mistake")), text_of(inner(output, "data", "text/plain"))),
                )


def result(verdict, mistake, line):
    """A Result; only a wrong one has a mistake, and what is no name is called unnamed."""
    if verdict != "wrong":
        return Result(verdict)
    name = mistake if re.fullmatch(r"\w{1,60}", mistake) else UNNAMED
    return Result(verdict, name, plain(line.partition(": ")[2]))


def of_the_course(cells):
    """Whether a notebook without any result is one of the course, or was."""
    return any("kernelkit.exercises" in text_of(cell.get("source")) for cell in cells)


# ---- the course and the class --------------------------------------------------------------------


def exercises():
    """{notebook.function: its heading, "07.2 – Recover the offset"} in the order of the course."""
    found = {}
    for path in sorted(COURSE.glob("*.ipynb")):
        cells = read_cells(path)
        text = "\n\n".join(text_of(cell.get("source")) for cell in cells)
        module = re.search(r"^from kernelkit\.exercises import (\w+) as check$", text, re.M)
        for heading, check in re.findall(r"^### Exercise (.*)$(?:(?!^### )[\s\S])*?^check\.(\w+)\(\w", text, re.M):
            found[f"{module[1]}.{check}"] = heading
    return found


def student_of(relative, listed):
    """Whose a file is, by its place and name; the name of the list, where one fits, else as the file has it."""
    everything = {*words(str(relative))}
    fitting = [name for name in listed if {*words(name)} <= everything]
    if fitting:
        return max(fitting, key=lambda name: len(words(name)))
    label = relative.parts[0] if len(relative.parts) > 1 else COPY.sub("", relative.stem)
    for path in COURSE.glob("*.ipynb"):
        label = re.sub(re.escape(path.stem), " ", label, flags=re.I)
    return " ".join(words(label)) or "(no name)"


def names_in(path):
    """The names of a class list, one a line; ValueError if it cannot be read."""
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise ValueError(f"The class list {path} cannot be read as text.") from None
    return [name for line in text.splitlines() if (name := plain(line)) and words(name)]


def files_below(folder):
    """Every file, in alphabetical order; hidden files and folders are none of the students'."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        yield from (Path(place, name) for name in sorted(names) if not name.startswith("."))


def collect(folder, course, listed=()):
    """Read all there is below a folder."""
    found = Class()
    for path in sorted(files_below(folder)):
        relative = path.relative_to(folder)
        try:
            add(found, student_of(relative, listed), read_cells(path), course)
        except (ValueError, OSError) as error:
            found.set_aside[str(relative)] = error.strerror if isinstance(error, OSError) else str(error)
    return found


def add(found, student, cells, course):
    """One notebook of one student."""
    new = list(results(cells, course))
    if not new and not of_the_course(cells):
        raise ValueError("not from this course, or without exercises")
    found.handed_in.add(student)
    for exercise, now in new:
        before = found.results[student].get(exercise, now)
        if VERDICTS.index(now.verdict) >= VERDICTS.index(before.verdict):
            found.results[student][exercise] = now
