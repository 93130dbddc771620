"""The panels of notebook 04, in its order."""

from kernelkit.course.explorers.gaussian_kernel.basis_or_kernel import basis_or_kernel
from kernelkit.course.explorers.gaussian_kernel.combination import combination
from kernelkit.course.explorers.gaussian_kernel.landscape import landscape
from kernelkit.course.explorers.gaussian_kernel.limit import limit
from kernelkit.course.explorers.gaussian_kernel.series import series
from kernelkit.course.explorers.gaussian_kernel.signs import signs
from kernelkit.course.explorers.gaussian_kernel.votes import votes
from kernelkit.course.explorers.gaussian_kernel.wiggle import wiggle

PANELS = (combination, series, wiggle, landscape, votes, limit, signs, basis_or_kernel)
