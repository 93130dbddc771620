"""The panels of notebook 18, in its order."""

from kernelkit.course.explorers.scaling_up.landmarks import landmarks
from kernelkit.course.explorers.scaling_up.race import race
from kernelkit.course.explorers.scaling_up.totals import totals
from kernelkit.course.explorers.scaling_up.wall import wall
from kernelkit.course.explorers.scaling_up.waves import waves

PANELS = (wall, landmarks, waves, race, totals)
