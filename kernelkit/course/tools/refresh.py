"""Run notebooks and store them ready to commit: fresh outputs, no widget state, no timings.

    kernelkit refresh                     all notebooks of the course
    kernelkit refresh 02-kernel-trick     this one

It changes outputs only, never a source. The result goes to a temporary file that replaces the notebook only when
everything went well and nobody changed the notebook meanwhile; otherwise the notebook stays as it was, and the last
line says why.
"""

import base64
import io
import os

from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, DeadKernelError
from PIL import Image

from kernelkit.course.tools import places
from kernelkit.course.tools.stored import as_text, clean, fingerprint, read, written_beside

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def execute(path):
    """The notebook with fresh outputs; raises CellExecutionError where a cell fails."""
    notebook = read(path)
    client = NotebookClient(
        notebook,
        timeout=300,
        kernel_name="python3",
        resources={"metadata": {"path": str(path.parent)}},
        record_timing=False,
        store_widget_state=False,
        coalesce_streams=True,
        extra_arguments=["--Application.log_level=ERROR"],
    )
    try:
        client.execute()
    except (DeadKernelError, AssertionError):  # on Ctrl-C nbclient ends the kernel, then stumbles over its absence
        raise RuntimeError(f"in code cell {client.code_cells_executed} its kernel died or was interrupted.") from None
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if "image/png" in output.get("data", {}):
                output.data["image/png"] = packed(output.data["image/png"])
    notebook.metadata["kernelkit"] = {"sha256": fingerprint(clean(notebook))}
    return notebook


def packed(png):
    """The same picture, pixel for pixel, in the fewest bytes: a search that nobody should wait for in a lesson."""
    image = Image.open(io.BytesIO(base64.b64decode(png)))
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True, dpi=image.info.get("dpi"))
    return base64.b64encode(file.getvalue()).decode()


def replace(path, notebook, before):
    """Write beside the notebook, then swap, unless the notebook is no longer what was executed."""
    with written_beside(path, as_text(notebook)) as new:
        if path.read_bytes() != before:
            raise RuntimeError(f"{path.name} changed on disk while it ran. Run refresh again.")
        os.chmod(new, path.stat().st_mode & 0o777)
        os.replace(new, path)


def refresh(path):
    """Execute one notebook and store the result."""
    before = path.read_bytes()
    replace(path, execute(path), before)


def refresh_all(names=()):
    """Refresh these notebooks, or all; RuntimeError with the first that stays as it was, and why."""
    for path in places.notebooks(names):
        try:
            refresh(path)
        except KeyboardInterrupt:
            raise RuntimeError(f"{path.name} was not refreshed and stays as it was: interrupted.") from None
        except (CellExecutionError, RuntimeError, OSError, ValueError) as error:
            raise RuntimeError(f"{path.name} was not refreshed and stays as it was: {error}") from None
        print(f"{path} refreshed")
