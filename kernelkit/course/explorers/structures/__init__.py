"""The panels of notebook 15, in its order."""

from kernelkit.course.explorers.structures.alignment import alignment
from kernelkit.course.explorers.structures.baskets import baskets
from kernelkit.course.explorers.structures.common_parts import common_parts
from kernelkit.course.explorers.structures.refinement import refinement

PANELS = (baskets, refinement, alignment, common_parts)
