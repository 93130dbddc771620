"""What a class made of the exercises, read from the stored outputs of the notebooks that it handed in.

    kernelkit report FOLDER                        prints the report, draws FOLDER-report.png
    kernelkit report FOLDER --class names.txt      names also those of the list who handed in nothing
    kernelkit report FOLDER --csv results.csv      writes a line for each student and exercise
    kernelkit report FOLDER --picture report.svg   draws there
    kernelkit report FOLDER --only 03.1,03.2       looks at these exercises alone

Nothing is run, and the outputs are believed, although anyone can write “right” into them. So the report shows a
teacher what to explain again, and is not for marks; for these there is ``kernelkit copies nbgrader``.

Whose a notebook is: the first folder below FOLDER names the student; a file directly in FOLDER names its student
beside the notebook's name, as ada-07-support-vector-machine.ipynb. A folder for a week or a sheet, such as "week 2"
or "Exercise 7", is nobody's name, and neither is what Moodle and Canvas add to one. With a list, one name a line, a
notebook belongs to the name all of whose words occur in the rest of the file's name or in its folders; where several
names fit, it is set aside. What a student handed in several times counts once for each exercise: right before wrong
before open, and among equals the last file in alphabetical order. A check that was not run counts as open in a notebook
where others were.
"""

import csv
from collections import Counter, defaultdict
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from kernelkit.course.plots import GREEN, GREY, PURPLE, Sheet
from kernelkit.course.tools.handed_in import Result, alike, collect, exercises, names_in, plain, several, words


@dataclass
class Row:
    """One exercise: how many were right, open, and made each mistake, with the sentence most of them met."""

    exercise: str
    heading: str
    right: int
    open: int
    mistakes: list  # (name, count, sentence), the most frequent first

    @property
    def wrong(self):
        return sum(count for _, count, _ in self.mistakes)


def table(found, course):
    """A Row for each exercise of every notebook that somebody handed in."""
    rows = []
    for exercise, heading in course.items():
        notebook = exercise.partition(".")[0]
        there = [own for own in found.results.values() if any(name.startswith(f"{notebook}.") for name in own)]
        said = [own.get(exercise, Result("open")) for own in there]
        verdicts = Counter(one.verdict for one in said)
        if said:
            rows.append(Row(exercise, heading, verdicts["right"], verdicts["open"], mistakes(said)))
    return rows


def mistakes(said):
    """(name, count, the commonest sentence) of the wrong answers, the most frequent first, then by name."""
    sentences = defaultdict(Counter)
    for one in said:
        if one.verdict == "wrong":
            sentences[one.mistake][one.sentence] += 1
    return sorted(
        ((name, c.total(), c.most_common(1)[0][0]) for name, c in sentences.items()), key=lambda row: (-row[1], row[0])
    )


# ---- what is printed, drawn and written ------------------------------------------------------------


def lines(found, rows, listed):
    """The report."""
    n = len(found.results)
    yield f"{n} student{'s' * (n != 1)} with results."
    for row in rows:
        yield f"\n{row.heading}: {row.right} right, {row.open} open, {row.wrong} wrong"
        for name, times, sentence in row.mistakes:
            yield f"  {times:4d}  {name}: {sentence}"
            if scene := scene_of(row.exercise, name):
                yield f"        show “{scene[0].title}”, scene “{scene[1]}”"
    yield from list_of("Handed in, but no check that is counted was run", found.handed_in - found.results.keys())
    yield from list_of("Handed in nothing that counts", {*listed} - found.handed_in)
    yield from list_of("Not on the list", found.handed_in - {*listed} if listed else ())
    yield from list_of("Does not count", [f"{file}: {why}" for file, why in found.set_aside.items()])
    read = [f"{file}: the metadata of its outputs are gone" for file in found.texts]
    yield from list_of("Read from the text of the outputs", read)
    more = [f"{student}: {', '.join(files)}" for student, files in several(found)]
    yield from list_of("One notebook more than once, the best counts; if by several students, give --class", more)
    groups = enumerate(alike(found), start=1)
    same = [f"group {i}: {student} ({file})" for i, files in groups for student, file in files]
    yield from list_of("The same text in every cell", same)


def scene_of(exercise, mistake):
    """(panel, scene) where one sees what is wrong with a mistake, or None."""
    notebook, _, check = exercise.partition(".")
    return vars(import_module(f"kernelkit.course.exercises.{notebook}"))[check].scenes.get(mistake)


def list_of(title, entries):
    """A heading with the number of entries, then one a line; nothing if there is none."""
    if entries:
        yield f"\n{title} ({len(entries)}):"
        yield from (f"  {plain(entry)}" for entry in sorted(entries))


def draw(rows, path):
    """A bar for each exercise: right, each mistake, open; the commonest mistake by name."""
    figure = Sheet("", 12, 1.2 + 0.5 * len(rows))
    ax = figure.subplots()
    students = max(row.right + row.wrong + row.open for row in rows)
    look = {"fontsize": 11, "va": "center", "parse_math": False}
    for y, row in enumerate(rows):
        counts = [row.right, *(count for _, count, _ in row.mistakes), row.open]
        colours = [GREEN, *[PURPLE] * len(row.mistakes), GREY]
        starts = [sum(counts[:i]) for i in range(len(counts))]
        ax.barh([y] * len(counts), counts, left=starts, color=colours, edgecolor="white", linewidth=1.5)
        for start, n in zip(starts, counts, strict=True):
            ax.text(start + n / 2, y, n if n > students / 30 else "", color="white", ha="center", **look)
        for name, times, _ in row.mistakes[:1]:
            ax.text(1.01 * students, y, f"{times} {name.replace('_', ' ')}", color=PURPLE, **look)
    ax.set_yticks(range(len(rows)), [row.heading for row in rows], parse_math=False)
    ax.xaxis.get_major_locator().set_params(integer=True)
    ax.set(xlim=(0, students), ylim=(len(rows) - 0.4, -0.6), xlabel="students")
    ax.set_title("right (green), wrong, a piece for each mistake (purple), open (grey)")
    figure.savefig(path)


def write_csv(found, rows, listed, path):
    """student, exercise, heading, verdict, mistake: a line for each student and exercise."""
    with open(path, "w", encoding="utf-8-sig", newline="") as file:  # the mark at the start is for spreadsheets
        writer = csv.writer(file)
        writer.writerow(["student", "exercise", "heading", "verdict", "mistake"])
        for student, own in sorted(found.results.items()):
            for row in rows:
                if any(name.partition(".")[0] == row.exercise.partition(".")[0] for name in own):
                    one = own.get(row.exercise, Result("open"))
                    writer.writerow([harmless(student), row.exercise, row.heading, one.verdict, one.mistake])
        for student in sorted((found.handed_in | {*listed}) - found.results.keys()):
            why = "no check that is counted was run" if student in found.handed_in else "nothing handed in"
            for row in rows:
                writer.writerow([harmless(student), row.exercise, row.heading, why, ""])


def harmless(name):
    """A name that no spreadsheet takes for a formula."""
    return plain(name) if words(name[:1]) else f"'{plain(name)}"


def report(folder, names=None, csv=None, picture=None, only=None):
    """Collect, print, draw, write: what ``kernelkit report`` does; all are names of files, only is of exercises."""
    folder = Path(folder)
    if not folder.is_dir():
        raise ValueError(f"{folder} is not a folder.")
    check_targets([target for target in (csv, picture) if target], names)
    course = chosen(exercises(), only)
    listed = names_in(names) if names else []
    found = collect(folder, course, listed)
    rows = table(found, course)
    print("\n".join(lines(found, rows, listed)))
    if rows:
        picture = picture or f"{folder.resolve().name}-report.png"
        try:
            draw(rows, picture)
        except OSError as error:
            sentence = (
                f"The picture could not be written to {picture}: {error.strerror}. --picture FILE draws elsewhere."
            )
            raise ValueError(sentence) from None
        print(f"\nDrawn: {picture}")
    if csv:
        write_csv(found, rows, listed, csv)
        print(f"Written: {csv}")


def chosen(course, only):
    """The exercises of the course with these numbers, such as 03.1; all without any. ValueError for unknown ones."""
    if not only:
        return course
    asked = [part.strip() for part in only.split(",") if part.strip()] or [only]
    numbers = {heading.partition(" ")[0]: exercise for exercise, heading in course.items()}
    if unknown := [one for one in asked if one not in numbers]:
        raise ValueError(f"There is no exercise {', '.join(map(plain, unknown))}; say 03.1,03.2 as the notebooks do.")
    return {numbers[one]: course[numbers[one]] for one in numbers if one in asked}


def check_targets(targets, names):
    """Refuse files that cannot be written, or that hold what the report is made of, before any work is done."""
    taken = {Path(names).resolve(): "is read for this report"} if names else {}
    for target in targets:
        place = Path(target).resolve()
        if target.lower().endswith(".ipynb"):
            raise ValueError(f"{target} is a notebook; nothing is written over it.")
        if place in taken:
            raise ValueError(f"{target} {taken[place]}; nothing is written over it. Name another file.")
        if place.is_dir() or not place.parent.is_dir():
            raise ValueError(
                f"{target} cannot be written: {'it is a folder' if place.is_dir() else 'its folder is missing'}."
            )
        taken[place] = "is named twice"
