"""What a stored notebook is, and how a file gets to its place: whole or not at all."""

import contextlib
import hashlib
import json
import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

import nbformat

from kernelkit.course.panel.saving import VIEW

HEADING = re.compile(r"## (?P<deeper>Deeper: )?(?P<title>.*)")


@dataclass(frozen=True)
class Section:
    """The cells from one heading of the second level to the next.

    kind : "opening" for what stands before the first of these headings, "core", "recap", or "deeper".
    title : the heading, without the word Deeper.
    """

    kind: str
    title: str
    cells: list


def sections(notebook):
    """The sections of a notebook in their order, of which every tool and test asks where core, recap and Deeper are."""
    found = [Section("opening", "", [])]
    for cell in notebook.cells:
        heading = HEADING.match(cell.source) if cell.cell_type == "markdown" else None
        if heading:
            kind = "deeper" if heading["deeper"] else "recap" if heading["title"] == "Recap" else "core"
            found.append(Section(kind, heading["title"], []))
        found[-1].cells.append(cell)
    return found


def fingerprint(notebook):
    """A fingerprint of the code cells and of what they show, in a clean notebook."""
    code = [[c.source, c.execution_count, c.outputs] for c in notebook.cells if c.cell_type == "code"]
    return hashlib.sha256(json.dumps(code, sort_keys=True).encode()).hexdigest()


def clean(notebook):
    """Drop what belongs to one run only (widgets' state and views, timings, a version number), and mark the slides."""
    notebook.metadata.pop("widgets", None)
    notebook.metadata["language_info"] = {"name": "python"}
    notebook.metadata["kernelspec"] = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    for cell, kind in zip(notebook.cells, slides(notebook), strict=True):
        cell.metadata["slideshow"] = {"slide_type": kind}
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            if len(output.get("data", {})) > 1:  # a widget's view ends with its kernel; what else is shown stays
                output.data.pop(VIEW, None)
    return notebook


def slides(notebook):
    """For each cell its place in the deck of nbconvert: "notes" for a teacher, else as ``section_slides`` says."""
    return [kind for section in sections(notebook) for kind in section_slides(section)]


def section_slides(section):
    """A heading starts a slide; below it come the pictures, what announces them, and the recap, and nothing else."""
    cells = section.cells
    pictures = [any("image/png" in output.get("data", {}) for output in cell.get("outputs", [])) for cell in cells]
    for cell, picture, next_picture in zip(cells, pictures, [*pictures[1:], False], strict=True):
        prose = cell.source if cell.cell_type == "markdown" and "<details>" not in cell.source else ""
        if "teaching-note" in cell.metadata.get("tags", []):
            yield "notes"
        elif cell.cell_type == "markdown" and re.match("##? ", cell.source):
            yield "slide"
        else:
            yield "subslide" if picture or (prose and (next_picture or section.kind == "recap")) else "skip"


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
