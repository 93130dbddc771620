"""What a stored notebook is, and how a file gets to its place: whole or not at all."""

import contextlib
import hashlib
import os
import re
import tempfile
from pathlib import Path

import nbformat

from kernelkit.panel.saving import VIEW


def code_hash(notebook):
    """A fingerprint of the code cells, which the stored outputs must belong to."""
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    return hashlib.sha256("\0".join(code).encode()).hexdigest()


def clean(notebook):
    """Drop what belongs to one run only (widgets' state and views, timings, a version number), and mark the slides."""
    notebook.metadata.pop("widgets", None)
    notebook.metadata["language_info"] = {"name": "python"}
    notebook.metadata["kernelspec"] = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    for cell, kind in zip(notebook.cells, slides(notebook.cells), strict=True):
        cell.metadata["slideshow"] = {"slide_type": kind}
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            if len(output.get("data", {})) > 1:  # a widget's view ends with its kernel; what else is shown stays
                output.data.pop(VIEW, None)
    return notebook


def slides(cells):
    """For each cell its place in the deck of nbconvert: "notes" for a teacher, the others as ``lesson_slides`` says."""
    notes = ["teaching-note" in cell.metadata.get("tags", []) for cell in cells]
    lesson = iter(lesson_slides([cell for cell, note in zip(cells, notes, strict=True) if not note]))
    return ["notes" if note else next(lesson) for note in notes]


def lesson_slides(cells):
    """Each heading starts a slide; below it the pictures, what announces them, and the recap; nothing else."""
    pictures = [any("image/png" in output.get("data", {}) for output in cell.get("outputs", [])) for cell in cells]
    recap = False
    for cell, picture, next_picture in zip(cells, pictures, [*pictures[1:], False], strict=True):
        prose = cell.source if cell.cell_type == "markdown" and "<details>" not in cell.source else ""
        recap = recap or bool(re.match(r"## .*\bRecap\b", prose))
        if re.match("##? ", prose):
            yield "slide"
        else:
            yield "subslide" if picture or (prose and (next_picture or recap)) else "skip"


def read(path):
    """The notebook in a file; ValueError if it holds none."""
    try:
        return nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)
    except (ValueError, TypeError, AttributeError, nbformat.ValidationError):  # so many ways has nbformat to say no
        raise ValueError(f"{path.name} does not hold a notebook.") from None


def as_text(notebook):
    """The notebook as it is stored."""
    return nbformat.writes(notebook, version=4).rstrip("\n") + "\n"


@contextlib.contextmanager
def written_beside(path, text):
    """A complete temporary file in the folder of a path, gone afterwards unless it was moved to its place."""
    handle, name = tempfile.mkstemp(prefix=f".{path.stem}-", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())  # a full disk may show only here
        yield name
    finally:
        Path(name).unlink(missing_ok=True)
