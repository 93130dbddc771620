"""The panels of notebook 03, in its order."""

from kernelkit.course.explorers.kernel_ridge.agreement import agreement
from kernelkit.course.explorers.kernel_ridge.centring import centring
from kernelkit.course.explorers.kernel_ridge.recovery import recovery
from kernelkit.course.explorers.kernel_ridge.singular import singular
from kernelkit.course.explorers.kernel_ridge.times import times

PANELS = (agreement, times, singular, recovery, centring)
