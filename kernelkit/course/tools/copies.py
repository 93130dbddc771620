"""Copies of the notebooks for other readers, written into a folder that you name.

    kernelkit copies student   FOLDER                    every notebook, clean: the hints, no solutions
    kernelkit copies solutions FOLDER                    with solutions, and teaching notes in the sections
    kernelkit copies formulas  FOLDER                    a page of formulas for each notebook, from its recap
    kernelkit copies nbgrader  FOLDER                    assignments for nbgrader, in FOLDER/source
    kernelkit copies student   FOLDER 02-kernel-trick    only this notebook

A page of formulas is Markdown. To print it without network, open it in JupyterLab's single-document view
(`/doc/tree/…` in the address), right-click, choose "Show Markdown Preview", and print with the browser: one page.

No file is ever overwritten: where one of that name is there already and differs, nothing is written, and the last
line says so.
"""

import os
import re
from pathlib import Path

import nbformat

from kernelkit.course.tools import places
from kernelkit.course.tools.stored import as_text, clean, fingerprint, read, sections, written_beside

SOLUTION = re.compile(r"<details>\s*<summary>Solution</summary>(?:(?!<details>).)*?</details>\s*", re.S)


def create(path, text):
    """Write a new file, whole or not at all; FileExistsError where there is one."""
    with written_beside(path, text) as new:
        path.touch(exist_ok=False)
        try:
            os.chmod(new, path.stat().st_mode & 0o777)
            os.replace(new, path)
        except BaseException:
            path.unlink()
            raise


# ---- what is written: a dictionary from file name to text -------------------------------------------------------


def originals(names):
    """The notebooks of the course by file name, all or those asked for; ValueError if one is not as it was stored."""
    notebooks = {path.name: clean(read(path)) for path in places.notebooks(names)}
    for name, notebook in notebooks.items():
        if notebook.metadata.get("kernelkit", {}).get("sha256") != fingerprint(notebook):
            raise ValueError(
                f"{name} was edited or run after its outputs were stored, so a copy would not be clean: get the "
                f"original back with git checkout, or make this one the original with kernelkit refresh {name[:-6]}."
            )
    return notebooks


def relinked(text, names):
    """Links to notebooks that are not among the names become plain words."""
    link = re.compile(r"\[([^\[\]]*)\]\(([^()\s#]+\.ipynb)(?:#[^()]*)?\)")
    return link.sub(lambda found: found[0] if found[2] in names else found[1], text)


def written(notebooks):
    """The notebooks as files: outputs of their code, nothing of one run, links only among the copies."""
    for notebook in notebooks.values():
        for cell in clean(notebook).cells:
            if cell.cell_type == "markdown":
                cell.source = relinked(cell.source, notebooks)
    return {name: as_text(notebook) for name, notebook in notebooks.items()}


def student(notebooks):
    """Every notebook without its solutions; the hints stay."""
    for name, notebook in notebooks.items():
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = SOLUTION.sub("", cell.source)
                if "Solution</summary>" in cell.source:
                    raise ValueError(f"{name} has a solution that does not end: a </details> is missing.")
    return written(notebooks)


def solutions(notebooks):
    """Every notebook with its solutions, and the teaching notes: the plans first, the rest in the section it names."""
    path = places.folder() / "teaching" / "teaching-notes.md"
    notes = path.read_text(encoding="utf-8").replace("](../", "](") if path.exists() else ""  # as links from a notebook
    for name, notebook in notebooks.items():
        annotate(notebook, parts_of(notes, name))
    return written(notebooks)


def formulas(notebooks):
    """One Markdown page for each notebook whose recap has formulas."""
    pages = {Path(name).stem: recap(notebook) for name, notebook in notebooks.items()}
    return {f"{stem}-formulas.md": relinked(page, ()) for stem, page in pages.items() if "$" in page}


def recap(notebook):
    """The title and the recap of a notebook up to where it comes from, without what points to notebooks and Deeper."""
    title = next(cell.source.splitlines()[0] for cell in notebook.cells if cell.cell_type == "markdown")
    recaps = [cell for section in sections(notebook) if section.kind == "recap" for cell in section.cells]
    prose = "\n\n".join(cell.source for cell in recaps if cell.cell_type == "markdown").partition("\n")[2]
    prose = prose.partition("\n**Where this comes from")[0]
    kept = [part for part in re.split(r"\n\s*\n", prose.strip()) if not part.startswith("**") and "](#" not in part]
    return "\n\n".join([title, *kept]) + "\n"


# ---- assignments for nbgrader --------------------------------------------------------------------------------------

CONFIG = """# Made by copies.py nbgrader. Run nbgrader in this folder: nbgrader generate_assignment 03-kernel-ridge
c = get_config()  # noqa: F821
c.CourseDirectory.course_id = "kernelkit"
c.ClearSolutions.code_stub = {"python": ""}  # the empty answers of the course stay as they are
c.ExecutePreprocessor.timeout = 120
"""
TEST = """# The points for exercise {number}.
### BEGIN HIDDEN TESTS
import importlib, sys

# answers can change the modules that are loaded
[sys.modules.pop(name) for name in [*sys.modules] if name.startswith("kernelkit.course.exercises")]
judged = importlib.import_module("kernelkit.course.exercises.{module}").{check}.of({answer})
assert judged.verdict == "right", judged.line
### END HIDDEN TESTS"""


def nbgrader(notebooks):
    """An assignment of each notebook with exercises: its solutions, and hidden tests that ask its checks.

    nbgrader takes solutions and hidden tests out of what it releases, and puts the tests back before it grades. A
    hidden test loads the checks anew, so that an answer that has changed them earns nothing.
    Challenges give no points, because nbgrader runs a notebook anew, and then every panel is as it was at first.
    """
    for notebook in notebooks.values():
        solutions, cells, number, module = [], [], "", ""
        for cell in clean(notebook).cells:
            cells.append(cell)
            if cell.cell_type == "markdown":
                number = (re.findall(r"^### Exercise (\w\w\.\d+)", cell.source, re.M) or [number])[-1]
            elif found := re.search(r"^from kernelkit\.course\.exercises import (\w+) as check$", cell.source, re.M):
                module = found[1]
                grading(cell, "checks", locked=True)
            elif found := re.search(r"^check\.(\w+)\((\w+)\)$", cell.source, re.M):
                solutions.append((cell, number))
                if not re.search(rf"^{found[2]}\b.* = |^def {found[2]}\(", cell.source, re.M):
                    continue  # a challenge
                source = TEST.format(number=number, module=module, check=found[1], answer=found[2])
                test = nbformat.v4.new_code_cell(source)
                test.id = id_of("points", number)
                cells.append(grading(test, test.id, grade=True, locked=True, points=1))
        solved, ids = answers(notebook), {cell.id for cell in cells}
        for cell, number in solutions:
            if number in solved and id_of("points", number) in ids:
                before, _, call = cell.source.rpartition("\n\n")
                block = f"### BEGIN SOLUTION\n{solved[number]}\n### END SOLUTION"
                cell.source = f"{before.rstrip()}\n\n{block}\n\n{call.strip()}"
                grading(cell, id_of("answer", number), solution=True)
        notebook.cells = cells
    with_points = {name: notebook for name, notebook in notebooks.items() if "### BEGIN HIDDEN" in as_text(notebook)}
    if not with_points:
        return {}
    texts = student(with_points)
    return {"nbgrader_config.py": CONFIG} | {f"source/{Path(n).stem}/{n}": text for n, text in texts.items()}


def id_of(what, number):
    """points-03-1"""
    return f"{what}-{number.replace('.', '-')}"


def grading(cell, name, grade=False, solution=False, locked=False, points=0):
    """Mark a cell as nbgrader does."""
    cell.metadata["nbgrader"] = {
        "grade_id": name,
        "cell_type": "code",
        "schema_version": 3,
        "grade": grade,
        "solution": solution,
        "locked": locked,
        "task": False,
    } | ({"points": points} if grade else {})
    return cell


def answers(notebook):
    """{number of an exercise: the code of its solution}."""
    text = "\n\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    pieces = re.split(r"^### Exercise (\w\w\.\d+)", text, flags=re.M)[1:]
    found = {}
    for number, piece in zip(pieces[::2], pieces[1::2], strict=True):
        code = re.search(
            r"```python\n(.*?)```", piece.partition("<summary>Solution")[2].partition("</details>")[0], re.S
        )
        if code:
            found[number] = code[1].strip()
    return found


# ---- teaching notes, each beside what it is about ----------------------------------------------------------------


def parts_of(notes, name):
    """{heading: its points} of what the teaching notes say of one notebook; {} if they say nothing.

    What comes before the first heading is called Aim, because it says what the class should be able to do.
    """
    found = [section for section in re.split(r"^## ", notes, flags=re.M) if f"]({name})" in section.partition("\n")[0]]
    aim, *pieces = re.split(r"^### ", found[0].partition("\n")[2], flags=re.M) if found else [""]
    heads = [("Aim", "", aim)] * bool(aim.strip()) + [piece.partition("\n") for piece in pieces]
    return {head: re.split(r"\n(?=- )", text.strip()) for head, _, text in heads}


def annotate(notebook, parts):
    """Write the points into a notebook: below the heading of the section they name, or else below its opening."""
    known = below(notebook)
    notes = {}
    for head, points in parts.items():
        for point in points:
            whole = head == "Aim" or head.endswith("minutes")  # the aim and a plan stay in one piece
            place = known[""] if whole else place_of(point, known)
            notes.setdefault(place, {}).setdefault(head, []).append(point)
    for place in sorted(notes, reverse=True):  # from the last one, so that the others stay where they are
        look = {"id": f"teacher-{place}", "metadata": {"tags": ["teaching-note"]}}
        notebook.cells.insert(place + 1, nbformat.v4.new_markdown_cell(noted(notes[place]), **look))


def noted(parts):
    """The text of a note, as a quotation."""
    text = "\n\n".join(f"**{head}**\n\n" + "\n".join(points) for head, points in parts.items())
    return "\n".join(f"> {line}".rstrip() for line in f"*For the teacher.*\n\n{text}".splitlines())


def below(notebook):
    """{“section”, **panel** or exercise: the number of the cell below which its notes go}; "" is the opening."""
    found, numbers = {}, {cell.id: i for i, cell in enumerate(notebook.cells)}
    for section in sections(notebook):
        heading = next(numbers[cell.id] for cell in section.cells if cell.cell_type == "markdown")
        found[f"“{section.title}”" if section.title else ""] = heading
        for cell in section.cells:
            exercise = re.search(r"^### Exercise (\w\w\.\d)", cell.source, re.M)
            if exercise and cell.cell_type == "markdown":
                found[exercise[1]] = numbers[cell.id]
            for output in cell.get("outputs", []):
                if "panel" in output.get("metadata", {}).get("kernelkit", {}):
                    found[f"**{output.metadata.kernelkit.panel}**"] = heading
    return found


def place_of(point, known):
    """Where a point goes: to the section, panel or exercise that it mentions first, or else to the opening."""
    words = " ".join(point.split())
    return min(
        ((words.index(name), place) for name, place in known.items() if name and name in words), default=(0, known[""])
    )[1]


# ---- the command ---------------------------------------------------------------------------------------------------


def write_all(folder, texts):
    """Write every file that is not there yet; ValueError before the first if one is there and differs.

    A copy that was made with more notebooks, or with fewer, has other links, and stays as it is.
    """
    folder.mkdir(parents=True, exist_ok=True)
    there = {name for name, text in texts.items() if (folder / name).exists()}
    for name in sorted(there):
        own = (folder / name).read_bytes().decode(errors="replace")
        if own != texts[name] and relinked(own, ()) != relinked(texts[name], ()):
            raise ValueError(
                f"{folder / name} is already there and differs from the copy; nothing was written. "
                "Move it away, or name another folder."
            )
    for name, text in texts.items():
        if name not in there:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            create(folder / name, text)
        print(f"{folder / name} {'was there already' if name in there else 'written'}")


def write(kind, folder, names=()):
    """Write copies of a kind: student, solutions, formulas or nbgrader."""
    kinds = {"student": student, "solutions": solutions, "formulas": formulas, "nbgrader": nbgrader}
    texts = kinds[kind](originals(names))
    if not texts:
        what = {"formulas": "formulas in the recap", "nbgrader": "exercises"}.get(kind, "text")
        raise ValueError(f"There are no {what} of what you named.")
    try:
        write_all(Path(folder), texts)
    except OSError as error:
        raise ValueError(f"Not everything could be written to {folder}: {error}. What is there is whole.") from None
