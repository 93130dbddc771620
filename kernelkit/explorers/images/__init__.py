"""The panels of notebook 16, in its order."""

from kernelkit.explorers.images.bank import bank
from kernelkit.explorers.images.filter_lab import filter_lab
from kernelkit.explorers.images.orientations import orientations

PANELS = (filter_lab, bank, orientations)
