"""The panels of notebook 05, in its order."""

from kernelkit.course.explorers.kernel_logistic.boundaries import boundaries
from kernelkit.course.explorers.kernel_logistic.costs import costs
from kernelkit.course.explorers.kernel_logistic.descents import descents
from kernelkit.course.explorers.kernel_logistic.one_point import one_point
from kernelkit.course.explorers.kernel_logistic.softmax import softmax
from kernelkit.course.explorers.kernel_logistic.step_size import step_size

PANELS = (boundaries, descents, one_point, step_size, costs, softmax)
