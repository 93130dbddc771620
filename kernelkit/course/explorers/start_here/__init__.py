"""The panels of notebook 00, in its order."""

from kernelkit.course.explorers.start_here.bumps import bumps
from kernelkit.course.explorers.start_here.paint import paint

PANELS = (paint, bumps)
