"""The panels of notebook 14, in its order."""

from kernelkit.course.explorers.strings.language_map import language_map
from kernelkit.course.explorers.strings.motif import motif
from kernelkit.course.explorers.strings.table import table

PANELS = (table, language_map, motif)
