"""The panels of notebook 12, in its order."""

from kernelkit.course.explorers.pca_and_density.components import components
from kernelkit.course.explorers.pca_and_density.denoising import denoising
from kernelkit.course.explorers.pca_and_density.density import density
from kernelkit.course.explorers.pca_and_density.digits_along import digits_along
from kernelkit.course.explorers.pca_and_density.two_samples import two_samples

PANELS = (components, denoising, density, two_samples, digits_along)
