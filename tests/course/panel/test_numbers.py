"""Numbers as people write them."""

import re

import pytest
from hypothesis import given, strategies as st

from kernelkit.course.panel.numbers import amount, duration, fixed, percent, read_off, short, thousands


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1000, "1000"),
        (100.0, "100"),
        (1030, "1030"),
        (12500, "12\u2009500"),
        (4598126, "4\u2009600\u2009000"),
        (0.05, "0.05"),
        (-2, "−2"),
        (0, "0"),
        (-0.0, "0"),
        (0.7079, "0.708"),
        (3e-7, "3·10⁻⁷"),
        (1e-7, "10⁻⁷"),
        (0.0001, "0.0001"),
        (999.96, "1000"),
        (2.5e15, "2.5·10¹⁵"),
    ],
)
def test_short_writes_as_people_do(number, text):
    assert short(number) == text


def read_back(text):
    """The number that a person reads."""
    text = text.replace("−", "-").replace("\u2009", "")
    ten = re.fullmatch(r"(?:(-?[\d.]+)·)?10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", text)
    if not ten:
        return float(text)
    return float(ten[1] or 1) * 10.0 ** int(ten[2].translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")))


@given(st.floats(-1e14, 1e14))
def test_short_keeps_three_digits_and_never_writes_e(number):
    text = short(number)
    assert not re.search(r"[e,+-]", text) and not re.fullmatch(r"0\.0+", text)
    assert read_back(text) == pytest.approx(float(f"{number:.3g}"), rel=1e-9, abs=1e-300)


def test_thousands_and_percent():
    assert thousands(4598126) == "4\u2009598\u2009126" and thousands(9999) == "9999"
    assert thousands("−12345.5") == "−12\u2009345.5"
    assert percent(0.2254) == "22.5\u00a0%" and percent(1, 0) == "100\u00a0%"


def test_fixed_decimals_have_a_real_minus_and_no_minus_0():
    assert [fixed(v) for v in (-0.001, -1.0, 0.126, 0)] == ["0.00", "−1.00", "0.13", "0.00"]
    assert [fixed(v, 1, "+") for v in (-0.01, 2.0, -3.06)] == ["+0.0", "+2.0", "−3.1"]


def test_what_is_tiny_reads_off_as_0():
    assert [read_off(v) for v in (4e-12, -4e-4, -0.0126, 12.34)] == ["0", "0", "−0.013", "12.3"]


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (2.6e-7, "260 ns"),
        (1e-5, "10 µs"),
        (0.00034, "340 µs"),
        (0.0123, "12 ms"),
        (1, "1 s"),
        (90, "90 s"),
        (600, "10 min"),
        (3 * 3600, "3 h"),
        (86400 * 40, "40 days"),
        (1e9, "32 years"),
        (0.99999, "1 s"),
    ],
)
def test_a_duration_has_the_unit_that_people_say(seconds, text):
    assert duration(seconds) == text.replace(" ", "\u00a0")


def test_an_amount_that_is_rounded_away_is_less_than_something():
    assert [amount(v) for v in (0.3611, 0.0005001, 0.0004, 0)] == ["0.361", "0.001"] + 2 * ["less than 0.001"]
    assert amount(2e-5, 4) == "less than 0.0001"
