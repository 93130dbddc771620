"""What counts as a move of the learner's, and what does not."""

import pytest

from kernelkit.explorers import kernel_trick, start_here
from kernelkit.panel.question import ANSWERS


@pytest.fixture(autouse=True)
def fresh_kernel():
    ANSWERS.clear()


def answered(explorer):
    panel = explorer()
    panel.answer(explorer.question.options[0])
    return panel


@pytest.mark.parametrize("noise", [4e-16, -4e-16, 1e-12])
def test_the_noise_of_a_browser_is_no_move(noise):
    panel = answered(start_here.bumps)
    picture, box = panel.picture.png, panel.inputs["points"]
    box.coordinates[0].value += noise
    panel.inputs["sigma"].value += noise
    assert panel.asking.why.value == "" and panel.picture.png is picture


def test_a_step_is_a_move():
    for step in (lambda p: setattr(p.inputs["sigma"], "value", 0.55), lambda p: p.inputs["points"].move(0, (0, 0))):
        ANSWERS.clear()
        panel = answered(start_here.bumps)
        picture = panel.picture.png
        step(panel)
        assert panel.asking.why.value and panel.picture.png != picture


def test_a_control_that_comes_back_from_an_error_draws_again(monkeypatch):
    monkeypatch.delenv("KERNELKIT_STRICT", raising=False)
    panel = answered(kernel_trick.identity)
    panel.explorer = type("Broken", (), {"__getattr__": lambda _, name: getattr(kernel_trick.identity, name)})()
    panel.explorer.compute = lambda **values: 1 / 0
    panel.inputs["degree"].value = 3
    assert panel.error.value
    panel.explorer = kernel_trick.identity
    panel.inputs["degree"].value = 2
    assert not panel.error.value and panel.values["degree"] == 2
