"""No number of a kernel and no unit of its points ends in NaN, in a RuntimeWarning or in the words of NumPy."""

import dataclasses
import traceback
import warnings
from pathlib import Path

import numpy as np
import pytest
from every_kernel import EXAMPLES

import kernelkit
from kernelkit import Gaussian, Linear, Matern, Normalized, Periodic, RationalQuadratic

PACKAGE = Path(kernelkit.__file__).parent
KERNELS = [*(k for k in EXAMPLES if k.points in ("vectors", "anything")), 2.0 * Gaussian(1.0)]
NUMBERS = [1.7e308, 1e200, 1e100, 1e-100, 1e-200, 3e-308, 1e-310, 5e-324]
UNITS = [1.0, 1e200, 1e-200]


def variants(k):
    """The kernel, and it with each of its numbers replaced by an extreme one that its constructor allows."""
    found = [k]
    for field in dataclasses.fields(k):
        if type(getattr(k, field.name)) is float:
            found += [answer(dataclasses.replace, k, **{field.name: number}) for number in NUMBERS]
    return [given for given in found if given is not None]


def answer(call, *arguments, **named):
    """What is answered, or None where kernelkit refuses it in one sentence."""
    try:
        return call(*arguments, **named)
    except ValueError as error:
        *_, where = traceback.extract_tb(error.__traceback__)
        assert PACKAGE in Path(where.filename).parents, f"these are not our words: {error}"
        assert str(error).endswith(".") and "\n" not in str(error)
        return None


VALUES = [lambda k, X: k(X), lambda k, X: k(X, X[:2]), lambda k, X: k.diag(X), lambda k, X: k.squared_distance(X)]


def calls(k):
    """What can be asked of k and some points."""
    yield from VALUES
    if hasattr(k, "waves"):
        yield lambda k, X: k.waves(6, 3)
    if hasattr(type(k), "derivation"):
        yield lambda k, X: k.derivation(X)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("example", KERNELS, ids=repr)
def test_extreme_numbers_give_no_nan(example, unit, cloud):
    X = unit * np.abs(cloud(5, 3))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for k in variants(example):
            for call in calls(k):
                value = answer(call, k, X)
                assert not isinstance(value, np.ndarray) or not np.isnan(value).any(), repr(k)


@pytest.mark.parametrize("example", [k for k in EXAMPLES if hasattr(k, "sigma")], ids=repr)
def test_every_width_gives_finite_numbers(example, cloud):
    for k in variants(example):
        for d in (3,) if hasattr(k, "means") else (2, 24):  # by differences, and by products
            for call in VALUES:
                assert np.isfinite(call(k, cloud(5, d))).all(), repr(k)


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: Normalized(Linear())([[1e200], [2e200]]), r"^k overflows: scale the inputs, because Linear\(\) is "),
        (lambda: Gaussian(1e-310), r"^sigma must be at least 2\.2e-308, "),
        (lambda: Gaussian(1e-200).derivation, r"^sigma must be at least 1e-150, "),
        (lambda: Periodic(1e-200), r"^sigma must be at least 1e-150, "),
        (lambda: Periodic(1.0, 1e-310), r"^period must be at least 2\.2e-308, "),
        (lambda: RationalQuadratic(1.0, 1e-200), r"^alpha must be at least 1e-150, "),
        (lambda: Gaussian(1e-100).derivation([[1.0], [2.0]]), r"gives NaN: .* a part of it overflows\.$"),
        (lambda: Matern(3e-308).waves(4, 2), r"^The frequencies of Matern\(3e-308\) overflow"),
        (lambda: Periodic(1e-100).waves(4, 2), r"^waves needs sigma ≥ 1e-9"),
        (lambda: Periodic(1.0, 3e-308).waves(4, 2), r"^The frequencies of Periodic\(1\.0, 3e-308\) overflow"),
    ],
)
def test_what_overflows_is_refused_in_a_sentence(call, said):
    with pytest.raises(ValueError, match=said):
        call()
