"""The panels of notebook 14, in its order."""

from kernelkit.explorers.strings.language_map import language_map
from kernelkit.explorers.strings.motif import motif
from kernelkit.explorers.strings.table import table

PANELS = (table, language_map, motif)
