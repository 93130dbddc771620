"""The panels of notebook 06, in its order."""

from kernelkit.course.explorers.kernel_perceptron.digits_pair import digits_pair
from kernelkit.course.explorers.kernel_perceptron.stepper import stepper
from kernelkit.course.explorers.kernel_perceptron.two_runs import two_runs

PANELS = (stepper, two_runs, digits_pair)
