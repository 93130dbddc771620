"""What the laws of every exercise do not say of those of notebook 10."""

import pytest

from kernelkit.course.exercises import choosing_a_kernel as check


@pytest.mark.parametrize("nothing", [None, ...], ids=["none", "dots"])
def test_two_terms_that_are_not_written_are_no_mistake(nothing):
    assert check.decompose.of(lambda h, f: (nothing, nothing)).verdict == "open"
