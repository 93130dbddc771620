"""Notebook 00. The identity of notebook 02, with the degree alone to move."""

from kernelkit.course.explorers import kernel_trick
from kernelkit.course.panel.controls import Question
from kernelkit.course.panel.explorer import fewer

identity = fewer(
    kernel_trick.identity,
    keep=("degree",),
    scenes=("Perpendicular", "Opposite signs", "Without the offset"),
    title="The identity: many products, one number",
    question=Question(
        "Each bar begins where the one above it ends. Now z turns until it is perpendicular to x, so xᵀz = 0. Where "
        "does the last bar end?",
        ("at 0, like xᵀz", "at 1", "it depends on the lengths of x and z"),
        1,
        "The kernel is (xᵀz + 1)², which is (0 + 1)² = 1, whatever the lengths. All bars but that of the constant "
        "cancel.",
        "Perpendicular",
    ),
)
