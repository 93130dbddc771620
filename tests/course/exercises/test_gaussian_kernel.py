"""The exercises of notebook 04: what no law of all exercises says."""

from kernelkit.course.exercises import gaussian_kernel as check


def test_an_error_that_has_nothing_to_do_with_factorials_keeps_its_words():
    result = check.first_features.of(lambda x, s, D: x.shape)
    assert result.mistake == "stopped" and "AttributeError" in result.line
