"""The panels of notebook 10, in its order."""

from kernelkit.course.explorers.choosing_a_kernel.bias_variance import bias_variance
from kernelkit.course.explorers.choosing_a_kernel.hidden_test import hidden_test
from kernelkit.course.explorers.choosing_a_kernel.learning import learning
from kernelkit.course.explorers.choosing_a_kernel.networks import networks
from kernelkit.course.explorers.choosing_a_kernel.sigma_lambda import sigma_lambda
from kernelkit.course.explorers.choosing_a_kernel.validation import validation

PANELS = (validation, sigma_lambda, bias_variance, learning, networks, hidden_test)
