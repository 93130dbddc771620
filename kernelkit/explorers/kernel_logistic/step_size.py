"""Notebook 05. Steps that are too long."""

from kernelkit.explorers.shared.two_descents import explorer
from kernelkit.panel.controls import Question

step_size = explorer(
    "Steps that are too long",
    Question(
        "Make the step 3/L, so long that the objective jumps. What does the distance between w and Φᵀa do?",
        ("it grows: errors add up", "it stays 0", "it jumps as the objective does"),
        1,
        "The step in a is the step in w, written in other numbers. A bad step is the same bad step in both.",
    ),
    {
        "Timid": {"multiple": 0.25},
        "Just below 2/L": {"multiple": 1.75},
        "Beyond 2/L": {"multiple": 3.0},
        "Lucky": {"multiple": 4.0, "data": "crossing", "degree": 4},
    },
    data="rings", n=24, degree=1, start="inside", t=30,
)  # fmt: skip
