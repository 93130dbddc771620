"""The panels of notebook 03, in its order."""

from kernelkit.explorers.kernel_ridge.agreement import agreement
from kernelkit.explorers.kernel_ridge.centring import centring
from kernelkit.explorers.kernel_ridge.recovery import recovery
from kernelkit.explorers.kernel_ridge.singular import singular
from kernelkit.explorers.kernel_ridge.times import times

PANELS = (agreement, times, singular, recovery, centring)
