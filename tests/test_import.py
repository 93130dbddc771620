"""What an import costs, what it offers, and what works where scikit-learn is not installed."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import kernelkit

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
    assert {alias.name: node.module for node in block.body for alias in node.names} == later


def test_fitting_needs_no_scikit_learn():
    loaded = run(
        "import sys; from kernelkit import KernelRidge, datasets; X, y = datasets.sine();"
        "KernelRidge().fit(X, y).score(X, y); print(*sys.modules)"
    )
    assert "sklearn" not in loaded


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
