"""The exercises of notebook 09: what no law of all exercises says."""

import numpy as np
import pytest
from misprints import misprints

from kernelkit.course.exercises import valid_kernels as check


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("exercise", [check.features_from_gram, check.six_features, check.distance_of_functions])
def test_sentences_have_no_misprints(exercise):
    for answers in exercise.wrong.values():
        for answer in answers if isinstance(answers, list) else [answers]:
            assert not misprints(exercise.of(answer).line)


def test_names_fill_a_line_and_no_more():
    names = ["x" * 24] * 4  # with the commas 102 letters
    assert check._listed(names) == ", ".join([*names[:3], "…"])
    fits = [*names[:3], "x" * 22]
    assert check._listed(fits) == ", ".join(fits) and len(check._listed(fits)) == 100


def test_what_stops_where_no_eigenvalue_is_0_keeps_its_own_words():
    result = check.features_from_gram.of(lambda K: np.linalg.eigh(K[:2]))
    assert result.mistake == "stopped" and "LinAlgError" in result.line
