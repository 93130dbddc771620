"""Copies of the notebooks for other readers, written into a folder that you name.

    python notebooks/copies.py learner  FOLDER                    every notebook, clean, as the course gives it out
    python notebooks/copies.py teacher  FOLDER                    the same without the solutions, hints stay
    python notebooks/copies.py formulas FOLDER                    a page of formulas for each notebook, from its recap
    python notebooks/copies.py teacher  FOLDER 02-kernel-trick    only this notebook

A page of formulas is Markdown. To print it without network, open it in JupyterLab's single-document view
(`/doc/tree/…` in the address), right-click, choose "Show Markdown Preview", and print with the browser: one page.

No file is ever overwritten: where one of that name is there already and differs, nothing is written, and the last
line says so.
"""

import os
import re
import sys
from pathlib import Path

from stored import as_text, clean, code_hash, read, written_beside

SOURCE = Path(__file__).parent
SOLUTION = re.compile(r"<details>\s*<summary>Solution</summary>(?:(?!<details>).)*?</details>\s*", re.S)
USAGE = "Say what and where: python notebooks/copies.py {learner,teacher,formulas} FOLDER [NAME…]"


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


# ---- the three copies: a dictionary from file name to text -------------------------------------------------------


def originals(names):
    """The notebooks of the course by file name, all or those asked for; ValueError if one is not as it was stored."""
    paths = [SOURCE / f"{Path(name).stem}.ipynb" for name in names] or sorted(SOURCE.glob("*.ipynb"))
    missing = [path.name for path in paths if not path.exists()]
    if missing:
        raise ValueError(f"No such notebook: {', '.join(missing)}.")
    notebooks = {path.name: read(path) for path in paths}
    for name, notebook in notebooks.items():
        if notebook.metadata.get("kernelkit", {}).get("code_sha256") != code_hash(notebook):
            raise ValueError(
                f"{name} was edited after its outputs were stored, so a copy would not be clean: "
                "get the original back, or run refresh.py."
            )
    return notebooks


def relinked(text, names):
    """Links to notebooks that are not among the names become plain words."""
    link = re.compile(r"\[([^\[\]]*)\]\(([^()\s#]+\.ipynb)(?:#[^()]*)?\)")
    return link.sub(lambda found: found[0] if found[2] in names else found[1], text)


def learner(notebooks):
    """Every notebook as stored: code unsolved, outputs there, links only among the copies."""
    for notebook in notebooks.values():
        for cell in clean(notebook).cells:
            if cell.cell_type == "markdown":
                cell.source = relinked(cell.source, notebooks)
    return {name: as_text(notebook) for name, notebook in notebooks.items()}


def teacher(notebooks):
    """The learner's copy without the solutions; the hints stay."""
    for name, notebook in notebooks.items():
        for cell in notebook.cells:
            if cell.cell_type == "markdown":
                cell.source = SOLUTION.sub("", cell.source)
                if "Solution</summary>" in cell.source:
                    raise ValueError(f"{name} has a solution that does not end: a </details> is missing.")
    return learner(notebooks)


def formulas(notebooks):
    """One Markdown page for each notebook whose recap has formulas."""
    pages = {Path(name).stem: recap(notebook) for name, notebook in notebooks.items()}
    return {f"{stem}-formulas.md": relinked(page, ()) for stem, page in pages.items() if "$" in page}


def recap(notebook):
    """The title and the recap of a notebook, without the paragraphs that point to lectures and to other notebooks."""
    prose = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    title = prose[0].splitlines()[0]
    last = "\n\n".join(prose).rpartition("\n## ")[2].partition("\n")[2]
    kept = [part for part in re.split(r"\n\s*\n", last.strip()) if not part.startswith("**")]
    return "\n\n".join([title, *kept]) + "\n"


# ---- the command ---------------------------------------------------------------------------------------------------


def write_all(folder, texts):
    """Write every file that is not there yet; ValueError before the first if one is there and differs."""
    folder.mkdir(parents=True, exist_ok=True)
    there = {name for name, text in texts.items() if (folder / name).exists()}
    for name in sorted(there):
        if (folder / name).read_bytes() != texts[name].encode():
            raise ValueError(
                f"{folder / name} is already there and differs from the copy; nothing was written. "
                "Move it away, or name another folder."
            )
    for name, text in texts.items():
        if name not in there:
            create(folder / name, text)
        print(f"{folder / name} {'was there already' if name in there else 'written'}")


def main(arguments):
    kinds = {"learner": learner, "teacher": teacher, "formulas": formulas}
    if len(arguments) < 2 or arguments[0] not in kinds:
        sys.exit(USAGE)
    kind, folder, *names = arguments
    try:
        texts = kinds[kind](originals(names))
        if not texts:
            raise ValueError("There are no formulas in the recap of what you named.")
        write_all(Path(folder), texts)
    except ValueError as error:
        sys.exit(str(error))
    except OSError as error:
        sys.exit(f"Not everything could be written to {folder}: {error}. What is there is whole.")


if __name__ == "__main__":
    main(sys.argv[1:])
