"""The panels of notebook 01, in its order."""

from kernelkit.course.explorers.feature_maps.fit import fit
from kernelkit.course.explorers.feature_maps.growth import growth
from kernelkit.course.explorers.feature_maps.lift import lift
from kernelkit.course.explorers.feature_maps.separate import separate

PANELS = (fit, growth, lift, separate)
