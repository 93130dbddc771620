"""Points of a class, and gradebooks as Canvas, Moodle and Gradescope export and import them.

Each system names the files of its students in its own way. Download the list of the class there first: it holds the
numbers by which files are matched, and the points are written into a copy of it.

    Canvas       Grades → Export            lovelaceada_LATE_1234_5678_03-kernel-ridge.ipynb   (1234 is the column ID)
    Moodle       Download grading worksheet Ada Lovelace_1234_assignsubmission_file_/…         (Participant 1234)
    Gradescope   Download grades            submission_1234/…                                  (the Submission ID)
"""

import csv
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from handed_in import plain, words

NUMBERS = {"canvas": "ID", "moodle": "Identifier", "gradescope": "Submission ID"}  # the column with a file's number
TEST = ("student, test", "test student")  # Canvas has one in each course
POSSIBLE = "points possible"


@dataclass
class Person:
    """One row of a gradebook: how the report calls the student, and by what the files can be recognised."""

    label: str
    row: dict
    number: str = ""
    squeezed: set = field(default_factory=set)  # the name in one word, as Canvas writes it


@dataclass
class Gradebook:
    """A gradebook as it was downloaded."""

    system: str
    header: list
    rows: list
    people: list

    def whose(self, relative):
        """The label of the student whose file this is, or None."""
        text = relative.as_posix()
        for person in self.people:
            if person.number and re.search(NUMBERED[self.system].format(re.escape(person.number)), text):
                return person.label
        squeezed = relative.parts[0].partition("_")[0].casefold()
        by_name = [p for p in self.people if squeezed in p.squeezed]
        by_name = by_name or longest([p for p in self.people if {*words(name_of(p.row))} <= {*words(text)}])
        return by_name[0].label if len(by_name) == 1 else None

    def write(self, path, points, most, title):
        """The same table with the points; those of whom there is nothing get 0."""
        column = {"canvas": title, "moodle": "Grade", "gradescope": "Total Score"}[self.system]
        header = self.header if column in self.header else [*self.header, column]
        labels = {id(person.row): person.label for person in self.people}
        with open(path, "w", encoding="utf-8-sig" if self.system == "moodle" else "utf-8", newline="") as file:
            writer = csv.DictWriter(file, header, extrasaction="ignore", restval="")
            writer.writeheader()
            for row in self.rows:
                mine = {**row}
                if id(row) in labels:
                    mine[column] = number(points.get(labels[id(row)], 0))
                    mine |= {"Maximum Grade": number(most)} if "Maximum Grade" in header else {}
                    mine |= {"Max Points": number(most)} if "Max Points" in header else {}
                elif name_of(row).casefold().strip() == POSSIBLE:
                    mine[column] = number(most)
                writer.writerow(mine)


NUMBERED = {
    "canvas": r"(?:^|/)[^/_]+_(?:late_|LATE_)?{}_\d+_",
    "moodle": r"_{}_assignsubmission_",
    "gradescope": r"(?:^|/)submission_{}(?:/|\.|_|$)",
}


def longest(people):
    """Of those whose names fit, the ones with the most words: Ada Lovelace before Ada."""
    most = max((len(words(name_of(p.row))) for p in people), default=0)
    return [p for p in people if len(words(name_of(p.row))) == most]


def name_of(row):
    """The name in a row: in one column or in two."""
    both = " ".join(filter(None, (row.get("First Name"), row.get("Last Name"))))
    return (row.get("Student") or row.get("Full name") or row.get("Name") or both or "").strip()


def number(value):
    """3, not 3.0."""
    return f"{value:g}"


def read_gradebook(system, path):
    """The gradebook of a system; ValueError says what is missing."""
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file)
            rows, header = list(reader), list(reader.fieldnames or ())
    except (OSError, UnicodeDecodeError, csv.Error):
        raise ValueError(f"The gradebook {path} cannot be read as a table.") from None
    wanted = NUMBERS[system]
    if wanted not in header:
        raise ValueError(f"The gradebook {path} is not one of {system}: it has no column {wanted!r}.")
    people, seen = [], Counter()
    for row in rows:
        name = plain(name_of(row))
        if not name or name.casefold() in (*TEST, POSSIBLE):
            continue
        digits = re.sub(r"\D", "", row.get(wanted) or "")
        seen[name] += 1
        label = name if seen[name] == 1 else f"{name} ({digits or seen[name]})"
        people.append(Person(label, row, digits, squeezed(name)))
    return Gradebook(system, header, rows, people)


def squeezed(name):
    """lovelaceada for “Lovelace, Ada” and for “Ada Lovelace”."""
    ascii_name = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    parts = re.findall(r"\w+", ascii_name.casefold())
    return {"".join(parts), "".join(parts[-1:] + parts[:-1])}


# ---- points ----------------------------------------------------------------------------------------


LINE = re.compile(r'\s*"?(\w{1,2}\.\d+)"?\s*(?:[;\t ]\s*"?(?=\d+(?:,\d+)?\b)|,\s*"?(?!\d+,\d))(\d+(?:[.,]\d+)?)"?\s*')


def chosen(course, only):
    """The exercises of the course with these numbers, such as 03.1; all without any. ValueError for unknown ones."""
    if not only:
        return course
    asked = [part.strip() for part in only.split(",") if part.strip()] or [only]
    numbers = {heading.partition(" ")[0]: exercise for exercise, heading in course.items()}
    if unknown := [one for one in asked if one not in numbers]:
        raise ValueError(f"There is no exercise {', '.join(map(plain, unknown))}; say 03.1,03.2 as the notebooks do.")
    return {numbers[one]: course[numbers[one]] for one in numbers if one in asked}


def read_points(path, course, reported=None):
    """{exercise: points} of a table with two columns, 03.1 and 2; one point for each without a table.

    The table of the teaching notes, which has several exercises in a line, as 03.1: 2, can be read as well.

    reported : the exercises that are looked at, all of the course without it; the table may hold others as well.
    """
    reported = course if reported is None else reported
    if not path:
        return dict.fromkeys(reported, 1.0)
    numbers = {heading.partition(" ")[0]: exercise for exercise, heading in course.items()}
    points = dict.fromkeys(course, 0.0)
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError):
        raise ValueError(f"The table of points {path} cannot be read as text.") from None
    rows = [line for line in text.splitlines() if line.startswith("|")]  # of the teaching notes; the rest is prose
    if pairs := re.findall(r"\b(\w\w\.\d+): (\d+(?:[.,]\d+)?)", "\n".join(rows)):
        points |= {
            numbers[exercise]: float(worth.replace(",", ".")) for exercise, worth in pairs if exercise in numbers
        }
    read = set()  # besides a table of the notes stand sentences, and any may begin with a number
    for line in text.splitlines():
        found = LINE.fullmatch(line)
        if found and found[1] in numbers and found[1] not in read:
            read.add(found[1])
            points[numbers[found[1]]] = float(found[2].replace(",", "."))
        elif found and found[1] in read:
            raise ValueError(f"The table of points {path} has two lines for {found[1]}.")
        elif found:
            raise ValueError(f"The table of points {path} has the line {plain(line)!r}, but no exercise is {found[1]}.")
        elif not pairs and re.match(r'\s*"?(\w\w\.\d|\w\.\d+"?\s*[,;\t])', line) and len(line.split()) < 6:
            raise ValueError(f"The table of points {path} has the line {plain(line)!r}; a line is 03.1,2.")
    points = {exercise: points[exercise] for exercise in reported}
    if not any(points.values()):
        raise ValueError(f"The table of points {path} gives no points to what is reported; a line is 03.1,2.")
    return points


def totals(found, points):
    """{student: points} of everybody with results."""
    return {
        student: sum(points.get(exercise, 0) for exercise, one in own.items() if one.verdict == "right")
        for student, own in found.results.items()
    }
