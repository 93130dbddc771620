"""What the laws of every exercise do not say of those of notebook 03."""

import pytest

from kernelkit.course.exercises import kernel_ridge as check
from kernelkit.course.explorers.kernel_ridge import singular


@pytest.mark.parametrize("values", [{}, {"noise": 0.3, "lam": 1e-8}, {"noise": 0.2, "lam": 1e-8}])
def test_the_panel_reads_off_each_answer_of_the_challenge(values):
    panel = singular()
    panel.set(**check.huge_weights.right | values)
    assert check.huge_weights.of(panel).verdict == "right"
    assert singular.readout(panel.state)["largest miss"] == "0.00" and panel.state.largest >= 1000
