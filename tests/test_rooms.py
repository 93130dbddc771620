"""The house: who may import whom, and that each panel is one file."""

import ast
from pathlib import Path

import panels
import pytest

import kernelkit
from kernelkit.course.panel.explorer import Explorer

PACKAGE = Path(kernelkit.__file__).parent
ROOMS = (  # those of the library, then those of the course
    "arrays checks objects latex datasets",
    "features: base rules vectors series sampled objects",
    "kernels: base rules vectors stationary normalized sets strings sequences trees permutations graphs distributions",
    "models: parameters reading equations grams estimator unsupervised chunks totals ridge newton logistic_chunks "
    "logistic softmax perceptron active_set smo svm svr one_class multiclass representer kriging distances neighbors "
    "clustering pca density",
    "study: formula validity mercer folds selection two_samples drilling terms landmarks",
    "images: filters descriptors phantom segmentation",
    "course/plots",
    "course/panel: numbers parts layout stretched marks editors controls lettering sketch picture canvas spray pointer "
    "scenes question measuring saving link explorer",
    "course/explorers",
    "course/exercises",
    "course/tools: places stored check open copies handed_in report refresh minutes films site nbconvert_config",
    "course/command",
)
FOR_SEVERAL = ("data", "drawing")
FILES = sorted(path.relative_to(PACKAGE) for path in PACKAGE.rglob("*.py") if len(path.relative_to(PACKAGE).parts) > 1)


def place(name):
    """Where a module stands, as (row, number within its row); a room itself stands after all of its files."""
    _, *parts = name.replace("kernelkit.course.", "kernelkit.course/").split(".")
    for row, line in enumerate(ROOMS):
        room, _, files = line.partition(":")
        if parts and parts[0] == room:
            order = files.split()
            assert not order or {*parts[1:2]} <= {*order}, f"ROOMS has no place for the file {parts[1]}.py of {room}/"
            return row, order.index(parts[1]) if order and len(parts) > 1 else len(order)
        if parts and row == 0 and parts[0] in room.split():
            return 0, room.split().index(parts[0])
    return len(ROOMS), 0  # kernelkit and kernelkit.course themselves


def imported(path):
    """The modules of kernelkit that a file imports, wherever in the file."""
    for node in ast.walk(ast.parse((PACKAGE / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("kernelkit"):
            for alias in node.names:
                inner = PACKAGE.joinpath(*node.module.split(".")[1:], alias.name)
                is_module = inner.is_dir() or inner.with_suffix(".py").exists()
                yield f"{node.module}.{alias.name}" if is_module else node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.startswith("kernelkit"))


def module_name(path):
    return ".".join(("kernelkit", *path.with_suffix("").parts)).removesuffix(".__init__")


@pytest.mark.parametrize("path", FILES, ids=str)
def test_imports_go_one_way(path):
    """And a panel leans on no other panel, unless it is that panel of another notebook, with fewer controls."""
    own, panel = place(module_name(path)), path.parts[:2] == ("course", "explorers") and len(path.parts) == 4
    for name in imported(path):
        if name == "kernelkit":  # the public names
            assert own[0] > 3, f"{path} imports the front door, which stands above it"
        elif own[0] != place(name)[0]:
            assert place(name) < own, f"{path} imports {name}, which stands above it"
        elif not ROOMS[own[0]].endswith(("explorers", "exercises")) and path.name != "__init__.py":
            assert place(name) < own, f"{path} imports {name}, which does not stand before it in its room"
        elif panel and name.count(".") > 2 and path.name not in ("__init__.py", "train_networks.py"):
            _, _, _, folder, *inner = name.split(".")
            assert folder in FOR_SEVERAL or not inner, f"{path} imports {name}; what two panels need stands in data/"


@pytest.mark.parametrize("name", panels.notebooks())
def test_each_file_is_one_panel_and_all_are_listed_in_the_order_of_their_notebook(name):
    files, folder = panels.files(name), panels.notebooks()[name]
    for panel, module in files.items():
        assert [v for v in vars(module).values() if isinstance(v, Explorer)] == [getattr(module, panel)], panel
    own = {f"kernelkit.course.explorers.{name}.{panel}" for panel in files}
    assert {*imported(Path("course", "explorers", name, "__init__.py"))} == own
    listed = [next(n for n, v in vars(folder).items() if v is explorer) for explorer in folder.PANELS]
    assert sorted(listed) == sorted(files)
    (notebook,) = (PACKAGE.parent / "notebooks").glob(f"??-{name.replace('_', '-')}.ipynb")
    text = notebook.read_text(encoding="utf-8")
    places = [text.find(f"explore.{panel}(") for panel in listed]
    assert -1 not in places and places == sorted(places), dict(zip(listed, places, strict=True))
