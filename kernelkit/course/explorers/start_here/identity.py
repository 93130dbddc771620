"""Notebook 00. The identity of notebook 02, with the degree alone to move."""

from kernelkit.course.explorers.kernel_trick import identity as whole
from kernelkit.course.panel.explorer import fewer

identity = fewer(
    whole,
    keep=("degree",),
    scenes=("Perpendicular", "Opposite signs", "Without the offset"),
    title="The identity: many products, one number",
)
