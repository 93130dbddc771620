"""The panels of notebook 18, in its order."""

from kernelkit.explorers.scaling_up.landmarks import landmarks
from kernelkit.explorers.scaling_up.waves import waves

PANELS = (landmarks, waves)
