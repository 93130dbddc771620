"""Numbers that notebook 01 says and no cell prints, each computed once."""

import re
from itertools import product
from math import comb

import numpy as np
import pytest
from panels import state_of

from kernelkit import Monomials, OrderedMonomials, datasets
from kernelkit.course.explorers.feature_maps import separate


def test_the_stopping_distance_bends_and_an_interaction_is_a_product():
    """The line through the first two measurements is 35 m short at 100 km/h; one second more is 9 m and 30 m more."""
    line = np.polynomial.Polynomial.fit([3.0, 5.0], [18.0, 40.0], 1)
    assert (line.deriv()(0), 130 - line(10)) == pytest.approx((11, 35))
    Phi = Monomials(2)(np.array([[3.0, 1], [3, 2], [10, 1], [10, 2]])) / Monomials(2)(np.ones(2))
    assert np.diff(Phi @ [0, 0, 0, 1, 3, 0])[[0, 2]] == pytest.approx([9, 30])
    corners, signs = np.array([[2.0, 3], [2, 5], [7, 3], [7, 5]]), [1, -1, -1, 1]
    assert not (signs @ np.hstack([corners**q for q in range(6)])).any(), "powers of single inputs cancel"
    assert signs @ corners.prod(axis=1) == 10


# ---- how many features ---------------------------------------------------------------------------------


def test_four_stars_and_two_bars_stand_in_fifteen_rows_one_for_each_monomial():
    rows = {row for row in product("*|", repeat=6) if row.count("|") == 2}
    exponents = {tuple(map(len, "".join(row).split("|")[1:])) for row in rows}
    assert exponents == {(i, j) for i in range(5) for j in range(5 - i)}
    assert len(rows) == len(exponents) == comb(6, 4) == Monomials(4).dim(2) == 15


def test_the_35_features_of_four_inputs_are_of_seven_kinds():
    kinds = [tuple(sorted(filter(None, e))) for e in product(range(4), repeat=4) if sum(e) <= 3]
    found = {kind: kinds.count(kind) for kind in kinds}
    assert found == {(): 1, (1,): 4, (2,): 4, (1, 1): 6, (3,): 4, (1, 2): 12, (1, 1, 1): 4}
    assert len(kinds) == Monomials(3).dim(4) == 35


@pytest.mark.parametrize("p", [2, 3, 4])
def test_one_degree_more_and_twice_the_inputs_multiply_the_features(p):
    assert comb(100 + p, p) * p == (100 + p) * comb(99 + p, p - 1)
    assert comb(20_000 + p, p) / comb(10_000 + p, p) == pytest.approx(2**p, rel=2e-3)


def test_the_counts_that_are_quoted():
    assert Monomials(4).dim(100) == 4_598_126 and round(8 * Monomials(4).dim(100) ** 2 / 1e12) == 169  # TB
    assert Monomials(5, offset=0).dim(100) == 91_962_520 == Monomials(5).dim(100) - Monomials(4).dim(100)
    assert OrderedMonomials(2).dim(10_000) == 10**8
    assert 1 + sum(OrderedMonomials(m).dim(3) for m in (1, 2)) == 13 and Monomials(2).dim(3) == 10


# ---- a change of basis -------------------------------------------------------------------------------------


@pytest.mark.parametrize("r", [0.5, 1.0, 2.0])
def test_the_lift_takes_a_circle_to_a_round_circle_in_a_plane(r):
    angle = np.linspace(0, 6, 25)
    Z = Monomials(2, offset=0)(r * np.column_stack([np.cos(angle), np.sin(angle)]))
    np.testing.assert_allclose(Z[:, 0] + Z[:, 2], r**2)
    np.testing.assert_allclose(Z[:, 1] ** 2, 2 * Z[:, 0] * Z[:, 2], atol=1e-12)
    away = [np.linalg.norm(z - [r**2 / 2, 0, r**2 / 2], axis=1) for z in (Z, Z / [1, np.sqrt(2), 1])]
    np.testing.assert_allclose(away[0], r**2 / np.sqrt(2))
    assert np.ptp(away[1]) > 0.1 * r**2, "without the root of 2 it is not round"


def test_three_points_lifted_by_hand():
    Z = Monomials(2, offset=0)(np.array([[1.0, 0], [0.6, 0.8], [0.3, 0.4]]))
    np.testing.assert_allclose(Z[:2].round(2), [[1, 0, 0], [0.36, 0.68, 0.64]])
    np.testing.assert_allclose(Z[:, 0] + Z[:, 2], [1, 1, 0.25])


# ---- which degree separates which data ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "degree", "long"),
    [("interval", 2, {"1", "x^2"}), ("crossing", 2, {"x_1x_2"}), ("moons", 3, {"x_1", "x_2", "x_1^3", "x_1x_2^2"})],
)
def test_which_bars_are_long(data, degree, long):
    state = state_of(separate, data=data, degree=degree)
    plain = [re.sub(r"\\sqrt\{\d+\}\\,", "", of) for of in state.names]
    sizes = dict(zip(plain, np.abs(state.w), strict=True))
    assert min(sizes[of] for of in long) > 2 * max(size for of, size in sizes.items() if of not in long)


def test_one_in_eight_new_points_of_the_interval_is_wrong_and_lies_between_the_classes():
    state = state_of(separate, "An interval")
    new, label = datasets.interval(n=1000, noise=separate.start()["noise"], random_state=1)
    wrong = np.sign(state.h(new)) != label
    assert state.errors == 0 and wrong.mean() == pytest.approx(1 / 8, abs=0.005)
    inner, outer = (np.abs(state.X[state.y == side]) for side in (1, -1))
    assert inner.max() < np.abs(new[wrong]).min() and np.abs(new[wrong]).max() < outer.min()
