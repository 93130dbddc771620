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


def run(code):
    """What the code prints in a fresh interpreter, word by word."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


WITHOUT_SKLEARN = """
import sys
import kernelkit

heavy = {"scipy", "matplotlib", "ipywidgets", "anywidget", "sklearn", "pandas", "IPython", "PIL", "dask", "distributed"}
assert not heavy & {name.partition(".")[0] for name in sys.modules}, "an import loads NumPy and nothing heavier"
from kernelkit import DualRidge, Gaussian, KernelRidge, Monomials, PrimalRidge, datasets

X, y = datasets.sine(30)
KernelRidge().fit(X, y).score(X, y)
assert "sklearn" not in sys.modules, "fitting does not need it where it is installed either"

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == "sklearn":
            raise ModuleNotFoundError("scikit-learn is absent here")

sys.meta_path.insert(0, Absent())
import numpy as np
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


def test_an_import_is_light_and_everything_works_where_scikit_learn_is_absent():
    assert run(WITHOUT_SKLEARN) == ["fine"]


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


@pytest.mark.parametrize(("data", "extra"), [
    ("iris()", "course"), ("picture('flower')", "course"), ("ground()", "panels"), ("picture('hopper')", "panels"),
])  # fmt: skip
def test_data_that_come_inside_another_package_say_which_extra_brings_it(data, extra, monkeypatch):
    for name in ("sklearn.datasets", "matplotlib.cbook"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ModuleNotFoundError, match=rf"kernelkit\[{extra}\]"):
        eval(f"kernelkit.datasets.{data}", {"kernelkit": kernelkit})


def test_every_public_name_exists_and_is_documented():
    assert kernelkit.__all__ == sorted(set(kernelkit.__all__))
    for name in kernelkit.__all__:
        assert name in dir(kernelkit) and getattr(kernelkit, name).__name__ == name
        assert getattr(kernelkit, name).__doc__
    names = {}
    exec("from kernelkit import *", names)
    assert set(names) - {"__builtins__"} == set(kernelkit.__all__)


# ---- each half needs what pyproject.toml declares for it, and nothing else -----------------------

HALVES = """
import importlib, pkgutil, sys
from importlib.machinery import PathFinder

class Declared(PathFinder):
    @classmethod
    def find_spec(cls, name, path=None, target=None):
        return None if name.partition(".")[0] in absent else super().find_spec(name, path, target)

sys.meta_path = [Declared if finder is PathFinder else finder for finder in sys.meta_path]
for rooms, others, absent in STAGES:
    import kernelkit
    names = [info.name for info in pkgutil.walk_packages(kernelkit.__path__, "kernelkit.", onerror=lambda name: None)]
    names = [name for name in names if name.startswith(rooms) and not name.startswith(others)]
    for name in names:
        importlib.import_module(name)
    print(len(names))
"""
COURSE = "kernelkit.course"
PANELS = (f"{COURSE}.plots", f"{COURSE}.panel", f"{COURSE}.explorers", f"{COURSE}.exercises")
STAGES = {  # an extra: the modules that it brings to life, those of them that need more, and how many there are
    "": (("kernelkit.",), (COURSE,), 50),
    "panels": (PANELS, ("none",), 150),
    "course": ((f"{COURSE}.tools", f"{COURSE}.command"), (f"{COURSE}.tools.site",), 8),
    "site": ((f"{COURSE}.tools.site",), ("none",), 1),
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


def test_every_module_of_a_half_imports_with_what_is_declared_for_it():
    """One process, to which each half brings what it declares besides."""
    assert declared("") == {"kernelkit", "numpy", "scipy"}
    known = {module: {*map(canonicalize_name, names)} for module, names in packages_distributions().items()}
    extras, there, stages = [e for e in STAGES if e != "site" or importlib.util.find_spec("sphinx")], set(), []
    for extra in extras:
        assert there <= declared(extra)
        there = declared(extra)
        rooms, others, _ = STAGES[extra]
        stages.append((rooms, others, {module for module, names in known.items() if not names & there}))
    counts = map(int, run(f"STAGES = {stages!r}\n{HALVES}"))
    assert all(n >= STAGES[extra][2] for extra, n in zip(extras, counts, strict=True))
