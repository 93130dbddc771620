"""Notebook 00. The identity of notebook 02, with the degree alone to move."""

from kernelkit.course.explorers import kernel_trick
from kernelkit.course.panel.explorer import fewer

identity = fewer(
    kernel_trick.identity,
    keep=("degree",),
    scenes=("Perpendicular", "Opposite signs", "Without the offset"),
    title="The identity: many products, one number",
)
