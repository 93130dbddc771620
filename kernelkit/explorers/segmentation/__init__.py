"""The panels of notebook 17, in its order."""

from kernelkit.explorers.segmentation.penalties import penalties
from kernelkit.explorers.segmentation.selection import selection
from kernelkit.explorers.segmentation.tumour import tumour

PANELS = (tumour, selection, penalties)
