"""The panels of notebook 02, in its order."""

from kernelkit.course.explorers.kernel_trick.clock import clock
from kernelkit.course.explorers.kernel_trick.identity import identity
from kernelkit.course.explorers.kernel_trick.weights import weights

PANELS = (identity, clock, weights)
