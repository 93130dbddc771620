"""What notebook 09 teaches, as theorems: about the code of its own cells, and about what it stands for."""

import json
from pathlib import Path

import numpy as np
import pytest
from notebook_cells import defined_by, space_of

from kernelkit import Exp, Gaussian, KernelRidge, Laplace, Linear, Matern, datasets
from kernelkit.study.validity import effective_dimension, repaired, witness

NAME = "09-valid-kernels.ipynb"
NOTEBOOK = Path(__file__).parents[2] / "notebooks" / NAME


def test_every_rule_has_the_features_that_prove_it():
    space = defined_by(NAME, "cell-11")
    assert len(space["rules"]) == 7
    for k in space["rules"].values():
        phi, X = k.feature_map(), space["X"]
        np.testing.assert_allclose(phi(X) @ phi(X).T, k(X), atol=1e-9)


def test_the_four_steps_are_their_formulas_and_end_at_the_gaussian():
    space = defined_by(NAME, "cell-11", "cell-20")
    X = datasets.moons(40)[0]
    G, square = X @ X.T, ((X[:, None] - X) ** 2).sum(axis=2)
    by_hand = {"k1": G, "k2": G / 4, "k3": np.exp(G / 4), "k": np.exp(-square / 8)}
    for name, K in by_hand.items():
        np.testing.assert_allclose(space[name](X), K, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(space["k"](X), Gaussian(2.0)(X), rtol=1e-9)


def test_a_function_is_bounded_by_its_norm():
    space = defined_by(NAME, "cell-23")
    k, P, a, inner = (space[name] for name in ("k", "P", "a", "inner"))
    Z = np.linspace(-5, 5, 101)[:, None]
    h = np.array([inner(P, a, z[None], np.ones(1)) for z in Z])
    np.testing.assert_allclose(h, k(Z, P) @ a)
    assert (np.abs(h) <= np.sqrt(inner(P, a, P, a))).all()


@pytest.mark.parametrize("gap", [0.3, 0.5, 0.9, 2.0])
def test_the_smallest_of_the_notebook_is_the_witness_of_the_package(gap):
    space = defined_by(NAME, "cell-33")
    X = gap * np.array([[-1.0], [0.0], [1.0]])
    value, v = space["smallest"](space["close"], X)
    theirs, u = witness(space["close"], X)
    assert value == pytest.approx(theirs) and v @ space["close"](X, X) @ v == pytest.approx(theirs)
    if gap < 2:  # then the smallest eigenvalue has one vector, up to its sign
        assert abs(u @ v) == pytest.approx(1)


def test_the_clipped_matrix_of_the_notebook_is_the_repaired_one():
    space = space_of(NAME, "cell-43")
    A = np.random.default_rng(0).standard_normal((6, 6))
    for K in (space["K"], A + A.T):
        np.testing.assert_allclose(space["clip"](K), repaired(K, "clip")[0], atol=1e-12)


def test_every_candidate_is_refuted_at_the_points_that_are_shown():
    cells = ("".join(cell["source"]) for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"])
    (source,) = (source for source in cells if "\ntried = {" in source)
    names = {"np": np, "Gaussian": Gaussian}
    exec(source.partition("\nfor name")[0], names)
    assert len(names["tried"]) == len(names["places"]) == 7
    for f, row in zip(names["tried"].values(), names["places"], strict=True):
        assert witness(f, np.array(row, float)[:, None])[0] < -0.05


@pytest.mark.parametrize(("p", "omega", "negative"), [(3, 5.0, True), (3, 1.0, False), (4, 4.0, True), (2, 4.0, False)])
def test_a_wave_refutes_exactly_where_the_spectrum_is_negative(p, omega, negative):
    r, P = np.arange(4000) * 0.01, np.linspace(-10, 10, 201)
    spectrum = 0.01 / np.pi * np.cos(omega * r) @ (np.exp(-(r**p)) * np.where(r == 0, 0.5, 1.0))
    v = np.cos(omega * P)
    form = v @ np.exp(-(abs(P[:, None] - P) ** p)) @ v
    assert (spectrum < -0.01) == (form < -1) == negative


def test_the_exponential_of_a_kernel_has_the_features_of_its_series():
    X, _ = datasets.moons(40)
    phi = Exp(Linear()).feature_map(degree=30)
    np.testing.assert_allclose(phi(X) @ phi(X).T, np.exp(X @ X.T), rtol=1e-12)
    assert phi.dim(2) == 496
    short = Exp(Linear()).feature_map(degree=3)
    assert np.abs(short(X) @ short(X).T - np.exp(X @ X.T)).max() > 0.1


def test_what_ridge_keeps_of_each_eigenvector_is_its_prediction():
    space = defined_by(NAME, "cell-29")
    k, lam, X, y = (space[name] for name in ("k", "lam", "X", "y"))
    np.testing.assert_allclose(space["shrunk"], KernelRidge(k, lam).fit(X, y).predict(X), atol=1e-9)
    assert space["kept"].sum() == pytest.approx(effective_dimension(k(X), lam))
    first = space["kept"][::-1]
    assert first[0] > 0.98 and first[11] < 0.5 and first[13] < 0.2


@pytest.mark.parametrize("k", [Gaussian(1.0), Laplace(1.0), Matern(1.0, 1.5)], ids=repr)
def test_the_integral_gives_the_spectrum_that_the_formula_knows(k):
    space = defined_by(NAME, "cell-46")
    r, w = space["r"], space["w"]
    values = k(r[:, None], [0.0]) * np.where(r == 0, 0.5, 1.0)
    np.testing.assert_allclose(0.01 / np.pi * np.cos(np.outer(w, r)) @ values, k.spectral(w), atol=1e-5)
    if repr(k) == repr(space["k"]):  # the last one of the cell
        np.testing.assert_allclose(space["ours"], k.spectral(w), atol=1e-5)


def test_forty_nodes_of_a_quadrature_meet_the_exact_eigenfunctions():
    space = defined_by(NAME, "cell-52")
    exact, phi = space["hermite"](space["nodes"], sigma=1.0)
    found, functions = space["eigenfunctions"](space["k"], space["nodes"], space["weights"], like=phi)
    np.testing.assert_allclose(found, exact, atol=1e-8)
    np.testing.assert_allclose(functions, phi, atol=1e-4 * np.abs(phi).max())


def test_sums_and_laplace_are_scikit_learn_s():
    space = defined_by(NAME, "cell-11", "cell-56")
    X = space["X"]
    np.testing.assert_allclose(space["ours"](X), space["theirs"](X), rtol=1e-9)
    np.testing.assert_allclose(space["Laplace"](0.7)(X), space["their_laplace"], rtol=1e-9)
