"""Theorems about the data: shapes, seeds, and what the docstrings promise."""

import inspect

import numpy as np
import pytest
from scipy.optimize import linprog

from kernelkit import Monomials, PrimalRidge, datasets

PUBLIC = [
    f for name, f in inspect.getmembers(datasets, inspect.isfunction)
    if not name.startswith("_") and f.__module__ == datasets.__name__
]  # fmt: skip
ALL = pytest.mark.parametrize("make", PUBLIC, ids=lambda f: f.__name__)
CURVES = {"sine": lambda x: np.sin(2 * x), "cubic": lambda x: (x**3 - 4 * x) / 5, "step": np.sign}
CLASSES = ["interval", "half_planes", "rings", "crossing", "moons"]


@ALL
def test_data_have_the_documented_form(make):
    X, y = make()
    n = inspect.signature(make).parameters["n"].default
    d = {"One": 1, "Two": 2, "Three": 3}[make.__doc__.split()[0]]  # … inputs
    assert (X.shape, X.dtype, y.shape) == ((n, d), np.float64, (n,))
    assert np.isfinite(X).all() and np.isfinite(y).all()
    for size in (1, 17):
        assert [len(part) for part in make(n=size)] == [size, size]
    if make.__name__ in CLASSES:
        assert set(make(n=50)[1].tolist()) == {-1, 1}


@ALL
def test_same_seed_same_data(make):
    for seed in (0, 5):
        for a, b in zip(make(random_state=seed), make(random_state=seed), strict=True):
            np.testing.assert_array_equal(a, b)
    assert not np.array_equal(make(random_state=1)[0], make(random_state=2)[0])


@ALL
def test_data_leave_the_global_generator_alone(make):
    np.random.seed(3)  # noqa: NPY002
    expected = np.random.random()  # noqa: NPY002
    np.random.seed(3)  # noqa: NPY002
    make()
    assert np.random.random() == expected  # noqa: NPY002


@ALL
@pytest.mark.parametrize("name", ["n", "noise"])
@pytest.mark.parametrize("value", [-1, "many", np.nan])
def test_bad_sizes_are_refused(make, name, value):
    with pytest.raises((ValueError, TypeError), match=rf"{name} must be a (finite |whole )?number ≥ \d, got {value!r}"):
        make(**{name: value})


@pytest.mark.parametrize("name", CURVES)
def test_curves_are_their_formula_without_noise(name):
    X, y = getattr(datasets, name)(n=200, noise=0)
    np.testing.assert_array_equal(y, CURVES[name](X[:, 0]))
    assert X.min() >= -3 and X.max() <= 3 and (np.diff(X[:, 0]) >= 0).all()


@pytest.mark.parametrize("name", CURVES)
def test_noise_has_its_standard_deviation(name):
    X, y = getattr(datasets, name)(n=4000, noise=0.3)
    assert np.std(y - CURVES[name](X[:, 0])) == pytest.approx(0.3, rel=0.05)


def test_cubic_is_a_polynomial_of_degree_3_and_sine_is_not():
    for name, exact in (("cubic", True), ("sine", False), ("step", False)):
        X, y = getattr(datasets, name)(n=100, noise=0)
        assert (PrimalRidge(Monomials(3), 0).fit(X, y).score(X, y) > 1 - 1e-12) == exact


def separable(Phi, y):
    """Whether some w has y Φ(x)ᵀw ≥ 1 at every point."""
    return linprog(np.zeros(Phi.shape[1]), -y[:, None] * Phi, -np.ones(len(y)), bounds=(None, None)).status == 0


@pytest.mark.parametrize("name", CLASSES)
def test_classes_are_separated_as_promised(name):
    X, y = getattr(datasets, name)(n=300, noise=0)
    one = np.ones((len(X), 1))
    by = {
        "interval": np.hstack([one, X**2]),
        "half_planes": np.hstack([one, X]),
        "rings": np.hstack([one, (X**2).sum(axis=1, keepdims=True)]),
        "crossing": X[:, :1] * X[:, 1:],
        "moons": Monomials(3)(X),
    }[name]
    assert separable(by, y)
    assert separable(np.hstack([one, X]), y) == (name == "half_planes")  # a line does only there


def test_interval_is_where_it_says():
    X, y = datasets.interval(n=1000)
    assert np.abs(X).max() <= 2.1
    np.testing.assert_array_equal(y == 1, np.abs(X[:, 0]) <= 1)


def test_rings_are_a_disc_and_a_ring():
    X, y = datasets.rings(n=1000, noise=0)
    radius = np.hypot(*X.T)
    assert radius[y == -1].max() <= 0.8 and radius[y == 1].min() >= 1.4 and (y == 1).sum() == 500
