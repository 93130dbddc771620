"""The panels of notebook 16, in its order."""

from kernelkit.course.explorers.images.bank import bank
from kernelkit.course.explorers.images.filter_lab import filter_lab
from kernelkit.course.explorers.images.orientations import orientations

PANELS = (filter_lab, bank, orientations)
