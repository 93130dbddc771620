"""What a class made of the exercises, read from the outputs of the notebooks it handed in; nothing is run.

    python notebooks/report.py FOLDER                        prints the report, draws FOLDER-report.png
    python notebooks/report.py FOLDER --class names.txt      names also those of the list who handed in nothing
    python notebooks/report.py FOLDER --csv results.csv      writes a line for each student and exercise
    python notebooks/report.py FOLDER --picture report.svg   draws there

Whose a notebook is: the first folder below FOLDER names the student; a file directly in FOLDER names its student
beside the notebook's name, as ada-07-support-vector-machine.ipynb. With a list, one name a line, a notebook belongs to
the name all of whose words occur in the file's name or folders. What a student handed in several times counts once for
each exercise: right before wrong before open, and among equals the last file in alphabetical order. A check that was
not run counts as open in a notebook where others were.
"""

import argparse
import csv
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import Path

from handed_in import Result, collect, exercises, names_in, plain, words

from kernelkit.exercises.scenes import SCENES
from kernelkit.plots import GREEN, GREY, PURPLE, Sheet


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
        for name, count, sentence in row.mistakes:
            yield f"  {count:4d}  {name}: {sentence}"
            if scene := SCENES.get(f"{row.exercise}.{name}"):
                yield f"        show “{scene[0]}”, scene “{scene[1]}”"
    yield from list_of("Handed in, but no check was run", found.handed_in - found.results.keys())
    yield from list_of("Handed in nothing that counts", {*listed} - found.handed_in)
    yield from list_of("Not on the list", found.handed_in - {*listed} if listed else ())
    yield from list_of("Does not count", [f"{file}: {why}" for file, why in found.set_aside.items()])


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
        for start, count in zip(starts, counts, strict=True):
            ax.text(start + count / 2, y, count if count > students / 30 else "", color="white", ha="center", **look)
        for name, count, _ in row.mistakes[:1]:
            ax.text(1.01 * students, y, f"{count} {name.replace('_', ' ')}", color=PURPLE, **look)
    ax.set_yticks(range(len(rows)), [row.heading for row in rows], parse_math=False)
    ax.set(xlim=(0, students), ylim=(len(rows) - 0.4, -0.6), xlabel="students")
    ax.set_title("right (green), wrong, a piece for each mistake (purple), open (grey)")
    figure.savefig(path)


def write_csv(found, rows, path):
    """student, exercise, heading, verdict, mistake: a line for each student and exercise."""
    with open(path, "w", encoding="utf-8-sig", newline="") as file:  # the mark at the start is for spreadsheets
        writer = csv.writer(file)
        writer.writerow(["student", "exercise", "heading", "verdict", "mistake"])
        for student, own in sorted(found.results.items()):
            for row in rows:
                if any(name.partition(".")[0] == row.exercise.partition(".")[0] for name in own):
                    one = own.get(row.exercise, Result("open"))
                    writer.writerow([harmless(student), row.exercise, row.heading, one.verdict, one.mistake])


def harmless(name):
    """A name that no spreadsheet takes for a formula."""
    return plain(name) if words(name[:1]) else f"'{plain(name)}"


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--class", dest="names", help="a file with the names of the class, one a line")
    parser.add_argument("--csv", help="a file for the results, a line for each student and exercise")
    parser.add_argument("--picture", help="a file for the picture: .png, .svg or .pdf")
    asked = parser.parse_args(arguments)
    sys.stdout.reconfigure(errors="replace") if hasattr(sys.stdout, "reconfigure") else None
    try:
        report(asked.folder, asked.names, asked.csv, asked.picture)
    except (ValueError, OSError) as error:
        sys.exit(str(error))


def report(folder, names, csv_file, picture):
    """Collect, print, draw, write."""
    if not folder.is_dir():
        raise ValueError(f"{folder} is no folder.")
    for target in (csv_file, picture):
        if target and target.lower().endswith(".ipynb"):
            raise ValueError(f"{target} is a notebook; nothing is written over it.")
    listed, course = names_in(names) if names else [], exercises()
    found = collect(folder, course, listed)
    rows = table(found, course)
    print("\n".join(lines(found, rows, listed)))
    if rows:
        picture = picture or f"{folder.resolve().name}-report.png"
        draw(rows, picture)
        print(f"\nDrawn: {picture}")
    if csv_file:
        write_csv(found, rows, csv_file)
        print(f"Written: {csv_file}")


if __name__ == "__main__":
    main()
