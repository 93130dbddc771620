"""The panels of notebook 00, in its order."""

from kernelkit.course.explorers.start_here.agreement import agreement
from kernelkit.course.explorers.start_here.boundary import boundary
from kernelkit.course.explorers.start_here.bumps import bumps
from kernelkit.course.explorers.start_here.identity import identity
from kernelkit.course.explorers.start_here.paint import paint

PANELS = (paint, identity, agreement, bumps, boundary)
