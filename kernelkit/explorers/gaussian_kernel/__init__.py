"""The panels of notebook 04, in its order."""

from kernelkit.explorers.gaussian_kernel.basis_or_kernel import basis_or_kernel
from kernelkit.explorers.gaussian_kernel.combination import combination
from kernelkit.explorers.gaussian_kernel.landscape import landscape
from kernelkit.explorers.gaussian_kernel.limit import limit
from kernelkit.explorers.gaussian_kernel.series import series
from kernelkit.explorers.gaussian_kernel.signs import signs
from kernelkit.explorers.gaussian_kernel.votes import votes
from kernelkit.explorers.gaussian_kernel.wiggle import wiggle

PANELS = (combination, series, votes, wiggle, landscape, limit, signs, basis_or_kernel)
