"""What notebook 09 teaches, as theorems: about the code of its own cells, and about what it stands for."""

import json
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from notebook_cells import defined_by, space_of
from panels import state_of

from kernelkit import (
    Conjugate,
    Exp,
    Gaussian,
    KernelRidge,
    Laplace,
    Linear,
    Matern,
    Polynomial,
    Pullback,
    datasets,
)
from kernelkit.course.explorers import valid_kernels as explore
from kernelkit.course.explorers.valid_kernels.algebra import SIDE, wave
from kernelkit.study.mercer import hermite
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


def test_the_smallest_eigenvalues_of_the_cell(capsys):
    """Rank 3 of 5; xxᵀ − 11ᵀ with x at a right angle to 1; the identity and a path of five points."""
    space_of(NAME, "cell-04")
    rows = capsys.readouterr().out.splitlines()[-3:]
    assert all("symmetric: True" in row for row in rows)
    smallest = [float(row.split()[-1]) for row in rows]
    np.testing.assert_allclose(smallest, [0, -5, 1 + 2 * np.cos(5 * np.pi / 6)], atol=0.0051)


def test_scenes_say_what_their_functions_do():
    square, silent = (state_of(explore.algebra, scene) for scene in ("A square of a sum", "Bumps with silent places"))
    assert square.rank == 3 and np.abs(np.diff(square.functions, 3, axis=0)).max() < 1e-4
    assert np.abs(wave(np.array([[-np.pi / 4], [np.pi / 4]]))).max() < 1e-12
    assert silent.more == "f k f" != square.more
    one = state_of(explore.algebra, "A singular").functions.reshape(len(SIDE), -1)
    assert np.abs(one[1:, :-1] - one[:-1, 1:]).max() < 1e-4 < np.ptp(one)
    cubic = state_of(explore.four_views, "A cubic: rank 4")
    assert cubic.kappa[4] < 1e-9 * cubic.kappa[0] < cubic.kappa[3] and np.abs(cubic.part).max() < 1e-6
    kernel = state_of(explore.break_it, "A true kernel")
    assert not kernel.refuted and kernel.smallest > 0


def test_a_function_is_bounded_by_its_norm():
    space = defined_by(NAME, "cell-02", "cell-23")
    k, X, a, inner = (space[name] for name in ("k", "X", "a", "inner"))
    Z = np.linspace(-5, 5, 101)[:, None]
    h = np.array([inner(X, a, z[None], np.ones(1)) for z in Z])
    np.testing.assert_allclose(h, k(Z, X) @ a)
    assert (np.abs(h) <= np.sqrt(inner(X, a, X, a))).all()


def test_the_inner_product_does_not_depend_on_how_a_function_is_written():
    """Σ a_i b_j k(X_i, Z_j) = Σ b_j h(Z_j): only the values of h count."""
    k = Polynomial(3)
    rng = np.random.default_rng(0)
    X, Z = rng.standard_normal((30, 2)), rng.standard_normal((5, 2))
    a, b = rng.standard_normal(30), rng.standard_normal(5)
    other = rng.standard_normal((30, 2))
    same = np.linalg.lstsq(k(other).T, k(other, X) @ a, rcond=None)[0]  # the same function, of other points
    np.testing.assert_allclose(k(Z, other) @ same, k(Z, X) @ a)
    assert a @ k(X, Z) @ b == pytest.approx(same @ k(other, Z) @ b) == pytest.approx(b @ (k(Z, X) @ a))
    line = Linear()
    assert 2 * line([1.0], [3.0]) == line([2.0], [3.0]) == 6


@pytest.mark.parametrize("gap", [0.1, 3.0])
def test_a_fall_costs_what_the_distance_of_its_ends_says(gap):
    """|h(x) − h(z)| ≤ ‖h‖ ‖Φ(x) − Φ(z)‖, and the two bumps of the picture reach it."""
    k, Z = Gaussian(1.0), np.array([[0.0], [gap]])
    b = np.linalg.solve(k(Z), [1.0, -1.0])
    least = 2 / np.sqrt(2 - 2 * k(Z)[0, 1])
    assert np.sqrt(b @ k(Z) @ b) == pytest.approx(least) == pytest.approx({0.1: 20.0, 3.0: 1.4}[gap], abs=0.05)


@pytest.mark.parametrize("gap", [0.3, 0.5, 0.9, 2.0])
def test_the_smallest_of_the_notebook_is_the_witness_of_the_package(gap):
    space = defined_by(NAME, "cell-33")
    X = gap * np.array([[-1.0], [0.0], [1.0]])
    value, v = space["smallest"](space["close"], X)
    theirs, u = witness(space["close"], X)
    assert value == pytest.approx(theirs) and v @ space["close"](X, X) @ v == pytest.approx(theirs)
    if gap < 2:  # then the smallest eigenvalue has one vector, up to its sign
        assert abs(u @ v) == pytest.approx(1)


def test_the_larger_of_two_numbers_is_refuted_by_any_two_points():
    rng = np.random.default_rng(0)
    for x, z in rng.uniform(0, 9, (20, 2)):
        K = np.maximum.outer([x, z], [x, z])
        assert np.array([1, -1]) @ K @ [1, -1] == pytest.approx(-abs(x - z))


def test_three_customers_refute_the_box_but_not_the_triangle():
    ages = np.array([30.0, 39.0, 48.0])
    r = np.abs(ages[:, None] - ages) / 10
    box, v = 1.0 * (r < 1), np.array([1, -np.sqrt(2), 1]) / 2
    np.testing.assert_array_equal(box, defined_by(NAME, "cell-02", "cell-41")["K"])
    np.testing.assert_allclose(np.linalg.eigvalsh(box), [1 - np.sqrt(2), 1, 1 + np.sqrt(2)])
    np.testing.assert_allclose(box @ v, (1 - np.sqrt(2)) * v, atol=1e-12)
    assert np.array([1, -1, 1]) @ box @ [1, -1, 1] == -1
    triangle = np.maximum(0, 1 - r)
    assert np.linalg.eigvalsh(triangle).min() > 0.8
    starts = np.arange(20, 60, 0.01)  # pieces of the line, and whether each lies in the interval of a customer
    Phi = np.sqrt(0.01 / 10) * (np.abs(starts + 0.005 - ages[:, None]) < 5)
    np.testing.assert_allclose(Phi @ Phi.T, triangle, atol=1e-9)


def test_ridge_breaks_where_an_eigenvalue_and_the_penalty_cancel():
    space = defined_by(NAME, "cell-02", "cell-41")
    np.testing.assert_allclose(space["a"], [-60, 85, -60], rtol=1e-9)
    np.testing.assert_allclose(space["K"] @ space["a"], [25, -35, 25], rtol=1e-9)
    assert space["along"] == pytest.approx([1.9142, 37.78, 2241.8], rel=1e-3)


def test_the_spectra_of_the_core_are_their_integrals_and_the_wave_refutes_the_box_only():
    space = defined_by(NAME, "cell-02", "spectrum-cell")
    box, bell = (line.get_ydata() for line in space["ax"].get_lines()[1:])
    w, r = space["w"], (np.arange(100_000) + 0.5) * 1e-4
    for found, k in ((box, 1.0 * (r < 1)), (bell, np.exp(-(r**2) / 2))):
        np.testing.assert_allclose(found[::20], 2e-4 * np.cos(np.outer(w[::20], r)) @ k, atol=1e-5)
    assert box.min() < -0.4 and bell.min() >= 0
    v, r = space["v"], space["r"]
    assert v @ (r < 1) @ v < -20 and v @ np.exp(-(r**2) / 2) @ v > 0


def test_a_power_series_has_the_roots_of_its_coefficients_in_its_features():
    x, z = np.random.default_rng(0).uniform(-0.7, 0.7, (2, 20))
    geometric = sum(x**p * z**p for p in range(100))
    np.testing.assert_allclose(geometric, 1 / (1 - x * z))
    assert sum(0.5 ** (2 * p) for p in range(60)) == pytest.approx(4 / 3)
    assert np.sin(2 * 2) < -0.75, "the sine has negative coefficients, and one point refutes it"


@pytest.mark.parametrize(
    ("k", "features"),
    [
        (3 * Linear(), lambda x: [np.sqrt(3) * x]),
        (Linear() + (Linear() + 1), lambda x: [x, x, 1]),
        (Linear() * (Linear() + 1), lambda x: [x**2, x]),
        (2 * Linear() ** 2 + Linear() + 1, lambda x: [np.sqrt(2) * x**2, x, 1]),
        (Conjugate(lambda X: X[..., 0] ** 2, Linear()), lambda x: [x**3]),
        (Pullback(Linear(), np.cos), lambda x: [np.cos(x)]),
    ],
    ids=["factor", "sum", "product", "polynomial", "factors of the points", "other inputs"],
)
def test_each_small_case_of_the_table_has_the_features_it_says(k, features):
    for x, z in np.random.default_rng(0).uniform(-2, 2, (10, 2)):
        assert k([x], [z]) == pytest.approx(np.dot(features(x), features(z)))
        assert k.feature_map().dim(1) == len(features(x))


def test_a_stretched_product_has_the_two_features_of_its_eigenvectors():
    A = np.array([[2.0, 1.0], [1.0, 2.0]])
    R = np.array([[np.sqrt(1.5), np.sqrt(1.5)], [np.sqrt(0.5), -np.sqrt(0.5)]])
    np.testing.assert_allclose(R.T @ R, A)


def test_the_clipped_matrix_of_the_notebook_is_the_repaired_one():
    space = defined_by(NAME, "cell-41", "cell-43")
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


DENSITIES = {  # of the frequencies w: normal, Cauchy's, Student's with three degrees of freedom
    Gaussian(1.0): scipy.stats.norm.pdf,
    Laplace(1.0): scipy.stats.cauchy.pdf,
    Matern(1.0, 1.5): scipy.stats.t(3).pdf,
}


@pytest.mark.parametrize("k", DENSITIES, ids=repr)
def test_the_integral_gives_the_spectrum_that_the_formula_knows(k):
    space = defined_by(NAME, "cell-46")
    r, w = space["r"], space["w"]
    exact = DENSITIES[k](w)
    values = k(r[:, None], [0.0]) * np.where(r == 0, 0.5, 1.0)
    np.testing.assert_allclose(0.01 / np.pi * np.cos(np.outer(w, r)) @ values, exact, atol=1e-5)
    if repr(k) == repr(space["k"]):  # the last one of the cell
        np.testing.assert_allclose(space["ours"], exact, atol=1e-5)


@pytest.mark.parametrize("sigma", [0.7, 1.0, 2.0])
def test_the_eigenvalues_of_the_gaussian_are_the_short_formula(sigma):
    beta = np.sqrt(1 + 4 / sigma**2)
    q = 2 / (2 + sigma**2 + sigma**2 * beta)
    exact, _ = hermite(np.linspace(-1, 1, 3)[:, None], sigma=sigma)
    np.testing.assert_allclose(sigma * np.sqrt(q) * q ** np.arange(len(exact)), exact)


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


def test_the_root_of_a_kernel_need_not_be_a_kernel():
    X = np.array([0, 0.5, 1, 1.5])
    triangle = np.maximum(0, 1 - np.abs(X[:, None] - X))
    assert np.linalg.eigvalsh(triangle)[0] > 0
    assert np.linalg.eigvalsh(np.sqrt(triangle))[0] == pytest.approx(-0.144, abs=5e-4)


@pytest.mark.parametrize("near", np.linspace(0, 1, 6))
@pytest.mark.parametrize("far", [0.0, 0.3, 0.9])
def test_three_points_at_equal_gaps_refute_exactly_when_neighbours_are_similar_enough(near, far):
    K = np.array([[1, near, far], [near, 1, near], [far, near, 1]])
    assert (np.linalg.eigvalsh(K)[0] < 0) == (2 * near**2 > 1 + far)


def test_no_repair_is_cheaper_than_clipping():
    K = defined_by(NAME, "cell-02", "cell-41")["K"]
    _, price = repaired(K, "clip")
    assert price == pytest.approx(np.sqrt(2) - 1)
    for root in np.random.default_rng(0).standard_normal((200, 3, 3)):
        other = root @ root.T  # a matrix without negative eigenvalues
        assert np.linalg.norm(other - K) >= price


@pytest.mark.parametrize(("lam", "predictions"), [(0.42, [-61, 87, -61]), (1.0, [-0.5, 1, -0.5])])
def test_a_penalty_just_above_the_negative_eigenvalue_does_not_help(lam, predictions):
    K = defined_by(NAME, "cell-02", "cell-41")["K"]
    found = K @ np.linalg.solve(K + lam * np.eye(3), [1, -1, 1])
    np.testing.assert_allclose(found, predictions, atol=0.5 if lam < 1 else 1e-9)
