"""The panels of notebook 08, in its order."""

from kernelkit.course.explorers.representer_theorem.classification_losses import classification_losses
from kernelkit.course.explorers.representer_theorem.losses import losses
from kernelkit.course.explorers.representer_theorem.span import span
from kernelkit.course.explorers.representer_theorem.tube import tube

PANELS = (losses, classification_losses, tube, span)
