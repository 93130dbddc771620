"""What a class handed in: whose each notebook is, and what its stored outputs say of the exercises. Nothing is run.

Where a cell with an answer ended in an error, the exercise counts as wrong. Where the verdicts were stripped from the
metadata of the outputs, the text of the outputs is read instead.

The files come from strangers: whatever they hold, a file either counts or is set aside with the reason.
"""

import hashlib
import json
import os
import re
import unicodedata
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from kernelkit.course.panel.saving import MARK
from kernelkit.course.tools import copies, places

LARGEST = 50_000_000  # bytes; a notebook of the course with all its pictures has 1.5 million
VERDICTS = ("open", "wrong", "right")  # the later one counts
UNNAMED = "unnamed"
ADDED = re.compile(r"_(\d+_assignsubmission_([a-z]+_?)?|(late_)?\d+_\d+_)", re.I)  # to a name, by Moodle or Canvas
LESSON = re.compile(  # nobody's name
    r"(week|homework|hw|assignment|sheet|session|lecture|unit|exercises?|lab|task|problem set|tutorial|notebook|"
    r"submissions?|übung|abgabe|blatt|woche)[ \d]*|\d{4} \d\d \d\d",
    re.I,
)
LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]+\.ipynb[^()\s]*\)")  # which a copy has as words, if its aim was not copied
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
    texts: set = field(default_factory=set)  # files whose verdicts were read from the text of the outputs
    contents: dict = field(default_factory=lambda: defaultdict(list))  # digest of all cells: [(student, file)]
    files: dict = field(default_factory=lambda: defaultdict(list))  # (student, whose checks it calls): files


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
        for output in outputs_of(cell):
            said = inner(output, "metadata", MARK)
            exercise, verdict = string(inner(said, "exercise")), string(inner(said, "verdict"))
            if exercise in course and verdict in VERDICTS:
                line = text_of(inner(output, "data", "text/plain"))
                yield exercise, result(verdict, string(inner(said, "mistake")), line)


def outputs_of(cell):
    """The outputs of a cell; none where it has no list of them."""
    outputs = cell.get("outputs")
    return outputs if isinstance(outputs, list) else []


SIGNS = {"✓": "right", "✗": "wrong", "○": "open"}
CHECKED = re.compile(r"^check\.(\w+)\(\w", re.M)


def results_in_text(cells, course):
    """(exercise, Result) of checks whose output has no metadata: by the sign at the start of the line."""
    for cell, exercise in checked(cells, course):
        for output in outputs_of(cell):
            text = text_of(inner(output, "data", "text/plain")) or text_of(inner(output, "text"))
            for line in text.splitlines():
                if line[:2].rstrip() in SIGNS and not inner(output, "metadata", MARK):
                    yield exercise, result(SIGNS[line[0]], "", line)


def stopped(cells, course):
    """(exercise, Result) of cells that ended in an error before their check could say anything, as a SyntaxError."""
    for cell, exercise in checked(cells, course):
        for output in outputs_of(cell):
            if inner(output, "output_type") == "error":
                name, text = string(inner(output, "ename")), string(inner(output, "evalue"))
                sentence = plain(f"your code stopped with {plain(name, 40)}: {plain(text, 90)}")
                yield exercise, Result("wrong", "stopped", sentence)


def checked(cells, course):
    """(cell, exercise) of every cell that calls one check of the course."""
    module = module_of(cells)
    for cell in cells if module else ():
        names = CHECKED.findall(text_of(cell.get("source")))
        if len(names) == 1 and f"{module}.{names[0]}" in course:
            yield cell, f"{module}.{names[0]}"


def module_of(cells):
    """Whose checks a notebook calls, such as support_vector_machine; "" where it does not say."""
    text = "\n".join(text_of(cell.get("source")) for cell in cells)
    found = re.search(r"^from kernelkit\.(?:course\.)?exercises import (\w+) as check$", text, re.M)
    return found[1] if found else ""


def digest(cells):
    """What two notebooks have in common if all their cells have the same text, but for links to other notebooks."""
    text = "\0".join(" ".join(text_of(cell.get("source")).split()) for cell in cells)
    text = LINK.sub(r"\1", text)
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()


def result(verdict, mistake, line):
    """A Result; only a wrong one has a mistake, and what is no name is called unnamed."""
    if verdict != "wrong":
        return Result(verdict)
    name = mistake if re.fullmatch(r"\w{1,60}", mistake) else UNNAMED
    return Result(verdict, name, plain(line.partition(": ")[2]))


def of_the_course(cells):
    """Whether a notebook without any result is one of the course, or was."""
    return any(re.search(r"kernelkit\.(course\.)?exercises", text_of(cell.get("source"))) for cell in cells)


# ---- the course and the class --------------------------------------------------------------------


def exercises():
    """{notebook.function: its heading, "07.2 – Recover the offset"} in the order of the course."""
    found = {}
    for path in places.notebooks():
        cells = read_cells(path)
        text = "\n\n".join(text_of(cell.get("source")) for cell in cells)
        module = re.search(r"^from kernelkit\.course\.exercises import (\w+) as check$", text, re.M)
        for heading, check in re.findall(r"^### Exercise (.*)$(?:(?!^### )[\s\S])*?^check\.(\w+)\(\w", text, re.M):
            found[f"{module[1]}.{check}"] = heading
    return found


def student_of(relative, listed):
    """Whose a file is, by its place and name; the name of the list, where one fits, else as the file has it.

    ValueError where nobody's name is left, or where several names of the list fit and none of them has all the words of
    the others.
    """
    given = {*own_words(str(relative))}
    fitting = {name: {*words(name)} for name in listed if {*words(name)} <= given}
    fullest = [name for name, own in fitting.items() if not any(own < other for other in fitting.values())]
    if len(fullest) > 1:
        raise ValueError(f"several names of the class list fit: {', '.join(fullest)}")
    if fullest:
        return fullest[0]
    *folders, stem = *relative.parts[:-1], relative.stem
    named = [" ".join(own_words(COPY.sub("", ADDED.sub(" ", part)))) for part in (*folders, stem)]
    numbers = {path.stem.partition("-")[0].casefold() for path in places.notebooks()}
    if student := next((name for name in named if name and name not in numbers and not LESSON.fullmatch(name)), None):
        return student
    raise ValueError("neither its name nor its folder says whose it is")


def own_words(text):
    """The words of a place, without those of the course's notebooks."""
    text = " ".join(words(text))
    for path in places.notebooks():
        text = text.replace(" ".join(words(path.stem)), " ")
    return text.split()


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
            student = student_of(relative, listed)
            cells = read_cells(path)
            add(found, student, cells, course, str(relative))
            found.contents[digest(cells)].append((student, str(relative)))
            found.files[student, module_of(cells)].append(str(relative))
        except (ValueError, OSError) as error:
            found.set_aside[str(relative)] = error.strerror if isinstance(error, OSError) else str(error)
    return found


def add(found, student, cells, course, place=""):
    """One notebook of one student."""
    new = list(results(cells, course))
    if not new and not of_the_course(cells):
        raise ValueError("not from this course, or without exercises")
    known = {exercise for exercise, _ in new}
    from_text = [(exercise, one) for exercise, one in results_in_text(cells, course) if exercise not in known]
    if from_text:
        found.texts.add(place)
    known |= {exercise for exercise, _ in from_text}
    errors = [(exercise, one) for exercise, one in stopped(cells, course) if exercise not in known]
    found.handed_in.add(student)
    for exercise, now in [*new, *from_text, *errors]:
        count(found.results[student], exercise, now)


def count(own, exercise, now):
    """Of several results of one exercise the best counts, and among equals the last."""
    before = own.get(exercise, now)
    if VERDICTS.index(now.verdict) >= VERDICTS.index(before.verdict):
        own[exercise] = now


def several(found):
    """(student, files) of everybody under whose name one notebook is there more than once."""
    return [(student, files) for (student, module), files in sorted(found.files.items()) if module and len(files) > 1]


def alike(found):
    """[[(student, file), …]] of different students whose notebooks have the same text in every cell.

    A notebook of the course as it was handed out, by itself or by ``kernelkit copies student``, is nobody's copy.
    """
    untouched = {digest(read_cells(path)) for path in places.notebooks()}
    with suppress(ValueError):  # a course that somebody works in gives no copies
        untouched |= {digest(json.loads(text)["cells"]) for text in copies.student(copies.originals(())).values()}
    groups = [files for key, files in found.contents.items() if key not in untouched]
    return [files for files in groups if len({student for student, _ in files}) > 1]
