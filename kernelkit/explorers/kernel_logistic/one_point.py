"""Notebook 05. One point at a time."""

from kernelkit.explorers.shared.two_descents import explorer
from kernelkit.panel.controls import Question

one_point = explorer(
    "One point at a time",
    Question(
        "The ringed point has just been visited. How many of the n outputs h(X_j) did that one step change?",
        ("only its own", "those of its class", "in general all n"),
        2,
        "a_i changed, and through column i of K it reaches every output: n additions, which is why a step costs O(n).",
    ),
    {
        "Smaller steps": {"multiple": 0.25, "t": 100},
        "Longer steps": {"multiple": 4.0, "t": 100},
        "All points at once": {"solver": "gd"},
    },
    solver="sgd", t=10,
)  # fmt: skip
