"""What the laws of every exercise do not say of those of notebook 08."""

import pytest

from kernelkit.course.exercises import representer_theorem as check
from kernelkit.course.explorers.representer_theorem import losses


def test_the_check_moves_the_curve_as_the_panel_does():
    for values in (check.follows.right, {"outlier": ((-2.0, 2.0),), "sigma": 0.4}):
        values = losses().first | values
        assert check._moved(values) == pytest.approx(losses.compute(**values).moved, abs=1e-6)
