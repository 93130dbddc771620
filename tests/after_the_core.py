"""Run the core of notebooks, then each section of Deeper directly after it: python tests/after_the_core.py NOTEBOOK ...

It prints one line for each cell that fails or prints something else than what is stored. A section runs in a fork of
the process that ran the core, so that it sees nothing of the other sections, and each notebook runs in a fork of one
process, so that scikit-learn is imported once. Panels and checks are left out, unless other code asks a panel for its
state.
"""

import ast
import contextlib
import io
import os
import re
import sys
import traceback
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import sklearn.gaussian_process
import sklearn.model_selection
import sklearn.svm  # noqa: F401  (what most notebooks import)

import kernelkit.checks
import kernelkit.course.explorers  # noqa: F401
from kernelkit.course.tools import stored


def is_interactive(cell):
    return re.search(r"\b(explore|check)\.\w+\(", cell.source)


def names_asked(notebook):
    """The names that cells without panels and checks read."""
    trees = [ast.parse(cell.source) for cell in notebook.cells if cell.cell_type == "code" and not is_interactive(cell)]
    return {node.value.id for tree in trees for node in ast.walk(tree) if is_attribute_of_a_name(node)}


def is_attribute_of_a_name(node):
    return isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)


def source_to_run(cell, asked):
    """The lines of a cell that this script runs."""
    if not is_interactive(cell):
        return cell.source
    kept = re.match(r"(\w+) = explore\.\w+\(.*\)", cell.source)
    if kept and kept[1] in asked:
        return kept[0]
    panel_or_check = re.compile(r".*\b(explore|check)\.\w+\(|\w+$")  # a name alone shows a panel
    return "\n".join(line for line in cell.source.splitlines() if not panel_or_check.match(line))


def printed(cell):
    return "".join(output.text for output in cell.outputs if output.get("name") == "stdout")


def run(cells, space, asked):
    """Execute code cells in a namespace; a line for each that does not do what is stored."""
    for cell in cells:
        if cell.cell_type != "code":
            continue
        out, source = io.StringIO(), source_to_run(cell, asked)
        try:
            with contextlib.redirect_stdout(out):
                exec(compile(source, f"<cell {cell.id}>", "exec"), space)
        except Exception as error:
            yield f"cell {cell.id} fails with {type(error).__name__}: {error}"
            continue
        if out.getvalue() != printed(cell) and not is_interactive(cell):
            yield f"cell {cell.id} prints {out.getvalue()[:200]!r}, and what is stored is {printed(cell)[:200]!r}"


def in_a_fork(work, what, *arguments):
    """Call a function in a child process; a sentence, where it does not come to its end."""
    if (child := os.fork()) == 0:
        try:
            work(what, *arguments)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    if os.waitpid(child, 0)[1]:
        print(f"{what} does not come to its end", flush=True)


def run_section(section, space, asked):
    for line in run(section.cells, space, asked):
        print(f"{section.title}: {line}", flush=True)


def run_notebook(path):
    notebook = stored.read(path)
    os.chdir(path.parent)
    found, asked = stored.sections(notebook), names_asked(notebook)
    space = {"display": lambda *_: None, "__name__": "notebook"}
    for section in found:
        if section.kind != "deeper":
            run_section(section, space, asked)
    for section in found:
        if section.kind == "deeper":
            in_a_fork(run_section, section, space, asked)


if __name__ == "__main__":
    for path in sys.argv[1:]:
        in_a_fork(run_notebook, Path(path).resolve())
