"""What an import costs, what it offers, and what works where scikit-learn is not installed."""

import ast
import importlib.util
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, packages_distributions, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import kernelkit
import kernelkit.datasets

WITHOUT_SKLEARN = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "sklearn":
            raise ModuleNotFoundError("scikit-learn is absent here")

sys.meta_path.insert(0, Absent())
import numpy as np
import kernelkit
from kernelkit import DualRidge, Gaussian, KernelRidge, Monomials, PrimalRidge, datasets

X, y = datasets.sine(30)
for name in kernelkit.__all__:
    Model = getattr(kernelkit, name)
    if hasattr(Model, "fit"):
        Model().get_params(), repr(Model().set_params())
for model in (PrimalRidge(), DualRidge(), KernelRidge(Gaussian(0.5), 0.01)):
    try:
        model.predict(X)
    except ValueError as error:
        assert type(error) is ValueError and "not fitted" in str(error), error
    else:
        raise SystemExit("predicted before fit")
    assert np.isfinite(model.fit(X, y).predict(X)).all()
assert model.score(X, y) > 0.9
assert model.leave_one_out(X, y, [0.1, 1.0]).shape == (2, 30)
assert model.set_params(kernel__sigma=2.0).kernel == Gaussian(2.0)
print("fine")
"""


def run(code):
    """What the code prints in a fresh interpreter, word by word."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_import_loads_numpy_and_nothing_heavier():
    loaded = set(run("import sys, kernelkit; print(*sys.modules)"))
    heavy = {"scipy", "matplotlib", "ipywidgets", "anywidget", "sklearn", "pandas", "IPython", "PIL"}
    heavy |= {"dask", "distributed"}
    assert "numpy" in loaded and not {name.split(".")[0] for name in loaded} & heavy


@pytest.mark.parametrize("package", [kernelkit, kernelkit.kernels], ids=lambda package: package.__name__)
def test_editors_find_what_is_loaded_later(package):
    """Under TYPE_CHECKING stands an import of each name that the others leave, from the file that has it."""
    body = ast.parse(Path(package.__file__).read_text(encoding="utf-8")).body
    [block] = [node for node in body if isinstance(node, ast.If)]
    there = {alias.name for node in body if isinstance(node, ast.ImportFrom) for alias in node.names}
    later = {name: getattr(package, name).__module__ for name in package.__all__ if name not in there}
    assert {alias.name: node.module for node in block.body for alias in node.names} == later, (
        "TYPE_CHECKING and the tables of names must name the same"
    )


def test_fitting_needs_no_scikit_learn():
    loaded = run(
        "import sys; from kernelkit import KernelRidge, datasets; X, y = datasets.sine();"
        "KernelRidge().fit(X, y).score(X, y); print(*sys.modules)"
    )
    assert "sklearn" not in loaded


@pytest.mark.parametrize(("data", "extra"), [
    ("iris()", "course"), ("picture('flower')", "course"), ("ground()", "panels"), ("picture('hopper')", "panels"),
])  # fmt: skip
def test_data_that_come_inside_another_package_say_which_extra_brings_it(data, extra, monkeypatch):
    for name in ("sklearn.datasets", "matplotlib.cbook"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ModuleNotFoundError, match=rf"kernelkit\[{extra}\]"):
        eval(f"kernelkit.datasets.{data}", {"kernelkit": kernelkit})


def test_everything_works_where_scikit_learn_is_absent():
    assert run(WITHOUT_SKLEARN) == ["fine"]


def test_every_public_name_exists_and_is_documented():
    assert kernelkit.__all__ == sorted(set(kernelkit.__all__))
    for name in kernelkit.__all__:
        assert name in dir(kernelkit) and getattr(kernelkit, name).__name__ == name
        assert getattr(kernelkit, name).__doc__


def test_star_import_gives_the_public_names():
    names = {}
    exec("from kernelkit import *", names)
    assert set(names) - {"__builtins__"} == set(kernelkit.__all__)


# ---- each half needs what pyproject.toml declares for it, and nothing else -----------------------

ONLY = """
import importlib, pkgutil, sys
from importlib.machinery import PathFinder

class Declared(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] in ABSENT else super().find_spec(name, path, target)

sys.meta_path = [Declared if finder is PathFinder else finder for finder in sys.meta_path]
import kernelkit
for info in pkgutil.walk_packages(kernelkit.__path__, "kernelkit.", onerror=lambda name: None):
    if info.name.startswith(ROOMS) and not info.name.startswith(OTHERS):
        importlib.import_module(info.name)
        print(info.name)
"""
COURSE = "kernelkit.course"
PANELS = (f"{COURSE}.plots", f"{COURSE}.panel", f"{COURSE}.explorers", f"{COURSE}.exercises")
HALVES = {  # an extra: the modules that it brings to life, and those of them that need more
    "": (("kernelkit.",), (COURSE,)),
    "panels": (PANELS, ("none",)),
    "course": ((f"{COURSE}.tools", f"{COURSE}.command"), (f"{COURSE}.tools.site",)),
    "site": ((f"{COURSE}.tools.site",), ("none",)),
}


def declared(extra):
    """The names of all distributions that an installation with this extra has."""
    found, asked = {"kernelkit"}, [("kernelkit", extra)]
    for name, own in asked:  # grows
        try:
            lines = requires(name) or []
        except PackageNotFoundError:  # needed on another system only
            continue
        for one in map(Requirement, lines):
            if one.marker is None or one.marker.evaluate({"extra": own}):
                found.add(canonicalize_name(one.name))
                asked += [pair for more in ("", *one.extras) if (pair := (one.name, more)) not in asked]
    return found


@pytest.mark.parametrize("extra", HALVES)
def test_every_module_of_a_half_imports_with_what_is_declared_for_it(extra):
    there, (rooms, others) = declared(extra), HALVES[extra]
    if extra == "":
        assert there == {"kernelkit", "numpy", "scipy"}
    if extra == "site" and importlib.util.find_spec("sphinx") is None:
        pytest.skip("the packages of the site are not installed")
    absent = {m for m, names in packages_distributions().items() if not {*map(canonicalize_name, names)} & there}
    imported = run(f"ABSENT, ROOMS, OTHERS = {absent!r}, {rooms!r}, {others!r}\n{ONLY}")
    assert len(imported) >= {"": 50, "panels": 150, "course": 8, "site": 1}[extra]
