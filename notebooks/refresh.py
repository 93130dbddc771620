"""Run notebooks and store them ready to commit: fresh outputs, no widget state, no timings.

    python notebooks/refresh.py                     all notebooks of this folder
    python notebooks/refresh.py 02-kernel-trick     this one

The result goes to a temporary file that replaces the notebook only when everything went well and nobody
changed the notebook meanwhile; otherwise the notebook stays as it was, and the last line says why.
"""

import hashlib
import os
import sys
import tempfile
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError

FOLDER = Path(__file__).parent
VIEW = "application/vnd.jupyter.widget-view+json"
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def code_hash(notebook):
    """A fingerprint of the code cells, which the stored outputs must belong to."""
    code = [cell.source for cell in notebook.cells if cell.cell_type == "code"]
    return hashlib.sha256("\0".join(code).encode()).hexdigest()


def execute(path):
    """The notebook with fresh outputs; raises CellExecutionError where a cell fails."""
    notebook = nbformat.reads(path.read_text(encoding="utf-8"), as_version=4)
    client = NotebookClient(
        notebook, timeout=300, kernel_name="python3", resources={"metadata": {"path": str(path.parent)}},
        record_timing=False, store_widget_state=False,
        coalesce_streams=True, extra_arguments=["--Application.log_level=ERROR"],
    )  # fmt: skip
    client.execute()
    return clean(notebook)


def clean(notebook):
    """Drop what belongs to one run only: widget state and views, timings, the interpreter's version."""
    notebook.metadata.pop("widgets", None)
    notebook.metadata["language_info"] = {"name": "python"}
    notebook.metadata["kernelspec"] = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
    notebook.metadata["kernelkit"] = {"code_sha256": code_hash(notebook)}
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if VIEW in data and len(data) > 1:
                del data[VIEW]
    return notebook


def replace(path, notebook, before):
    """Write beside the notebook, then swap, unless the notebook is no longer what was executed."""
    text = nbformat.writes(notebook, version=4).rstrip("\n") + "\n"
    handle, name = tempfile.mkstemp(prefix=f".{path.stem}-", suffix=".tmp", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        if path.read_bytes() != before:
            raise RuntimeError(f"{path.name} changed on disk while it ran; it was left as it is. Run refresh again.")
        os.chmod(name, path.stat().st_mode & 0o777)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def refresh(path):
    """Execute one notebook and store the result."""
    before = path.read_bytes()
    replace(path, execute(path), before)


def main(names):
    paths = [FOLDER / f"{Path(name).stem}.ipynb" for name in names] or sorted(FOLDER.glob("*.ipynb"))
    missing = [path.name for path in paths if not path.exists()]
    if missing:
        sys.exit(f"No such notebook: {', '.join(missing)}. Nothing was done.")
    for path in paths:
        try:
            refresh(path)
        except (CellExecutionError, RuntimeError, OSError) as error:
            sys.exit(f"{path.name} was not refreshed and stays as it was: {error}")
        print(f"{path.name} refreshed")


if __name__ == "__main__":
    main(sys.argv[1:])
