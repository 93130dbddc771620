"""The panels of notebook 17, in its order."""

from kernelkit.course.explorers.segmentation.penalties import penalties
from kernelkit.course.explorers.segmentation.selection import selection
from kernelkit.course.explorers.segmentation.tumour import tumour

PANELS = (tumour, selection, penalties)
