"""The panels of notebook 07, in its order."""

from kernelkit.course.explorers.support_vector_machine.boundary import boundary
from kernelkit.course.explorers.support_vector_machine.classes import classes
from kernelkit.course.explorers.support_vector_machine.primal_or_dual import primal_or_dual
from kernelkit.course.explorers.support_vector_machine.smo import smo
from kernelkit.course.explorers.support_vector_machine.strip import strip
from kernelkit.course.explorers.support_vector_machine.three_kernels import three_kernels

PANELS = (three_kernels, boundary, smo, strip, primal_or_dual, classes)
