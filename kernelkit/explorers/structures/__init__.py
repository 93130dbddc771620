"""The panels of notebook 15, in its order."""

from kernelkit.explorers.structures.alignment import alignment
from kernelkit.explorers.structures.baskets import baskets
from kernelkit.explorers.structures.common_parts import common_parts
from kernelkit.explorers.structures.refinement import refinement

PANELS = (baskets, refinement, alignment, common_parts)
