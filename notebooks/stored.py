"""What a stored notebook is, and how a file gets to its place: whole or not at all."""

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path

import nbformat

from kernelkit.panel.saving import VIEW


def code_hash(notebook):
    """A fingerprint of the code cells, which the stored outputs must belong to."""
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    return hashlib.sha256("\0".join(code).encode()).hexdigest()


def clean(notebook):
    """Drop what belongs to one run only: widget state and views, timings, the interpreter's version."""
    notebook.metadata.pop("widgets", None)
    notebook.metadata["language_info"] = {"name": "python"}
    notebook.metadata["kernelspec"] = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            if len(output.get("data", {})) > 1:  # a widget's view ends with its kernel; what else is shown stays
                output.data.pop(VIEW, None)
    return notebook


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
