"""The panels of notebook 09, in its order."""

from kernelkit.course.explorers.valid_kernels.algebra import algebra
from kernelkit.course.explorers.valid_kernels.break_it import break_it
from kernelkit.course.explorers.valid_kernels.four_views import four_views
from kernelkit.course.explorers.valid_kernels.spectra import spectra

PANELS = (break_it, algebra, spectra, four_views)
