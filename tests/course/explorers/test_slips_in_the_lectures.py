"""Appendix A1: both forms of its panel, against the models and kernels of the course."""

import numpy as np
import pytest
from panels import compute, files, readout_of

from kernelkit import Gaussian, KernelPerceptron, Linear, Monomials, Polynomial
from kernelkit.course.explorers.slips_in_the_lectures import two_formulas

EACH = pytest.mark.parametrize


def state(claim, **numbers):
    return compute(two_formulas, two_formulas.start() | {"claim": claim} | numbers)


@EACH("d", range(1, 9))
def test_the_count_is_that_of_the_features(d):
    assert state("monomials of degree 3", d=d).right == Monomials(3, offset=0).dim(d)


@EACH("c", [0.0, 0.5, 1.0, 3.0])
def test_the_constants_are_those_of_the_kernel(c):
    assert state("√2·c·x or √(2c)·x", c=c).right == pytest.approx(Polynomial(2, c)([[1.0]], [[1.0]])[0, 0])


@EACH("n", [1, 2, 7, 20])
def test_the_right_slope_has_no_gradient_and_the_other_has_one(n):
    def gradient(w):  # of J = 1/(2n) Σ (w − 1)² + w²/2, all x and y being 1
        return (w - 1) + w

    found = state("λ or nλ", n=n)
    assert gradient(found.right) == pytest.approx(0)
    assert (abs(gradient(found.written)) < 1e-12) == (n == 1)


@EACH("n", range(1, 9))
def test_the_sum_comes_before_the_square(n):
    X = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])[np.arange(n) % 4]
    assert state("square first, or sum", points=n).right == Linear()(X).sum()


def test_the_right_width_is_that_of_the_kernel():
    assert state("σ² or 2σ²", r=1.5).right == pytest.approx(Gaussian(1.0)([[0.0]], [[1.5]])[0, 0])
    assert state("σ² or 2σ²", r=1.5).written == pytest.approx(Gaussian(0.5**0.5)([[0.0]], [[1.5]])[0, 0])


def test_from_zero_only_one_of_the_rules_ever_moves():
    from kernelkit.course.explorers.slips_in_the_lectures.two_formulas import CLOUD, LABELS

    found = state("keep w at 0, or not", start=0.0)
    assert found.written == 0
    assert found.right == np.abs(KernelPerceptron(Linear()).fit(CLOUD, LABELS).a_).sum() > 0
    assert set(found.chosen.places) - set(found.same) == {0.0}


@EACH("m", range(9))
def test_partial_sums_of_the_split_are_kernels_and_of_the_other_series_none(m):
    found = state("series of the Gaussian", m=m)
    assert found.right >= 0 and (found.written < -0.5) == (m >= 1)


def test_the_panel_starts_with_counts_and_never_says_where_an_accident_is():
    assert two_formulas.start()["claim"] == "monomials of degree 3"
    found = state("√2·c·x or √(2c)·x", c=3.0)
    assert found.same == [0, 1]
    assert two_formulas.readout(found)["places where both agree"] == "2 of 41"


def test_a_slip_that_shows_is_seen_in_the_numbers_as_they_are_written():
    for name, claim in files("slips_in_the_lectures")["two_formulas"].CLAIMS.items():
        for place in claim.places:
            read = readout_of(two_formulas, claim=name, **{claim.name: place})
            assert (read["with the slip"] == read["right"]) == bool(
                np.isclose(*claim.both(place), rtol=1e-9, atol=1e-9)
            )
