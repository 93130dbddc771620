"""The panels of notebook 11, in its order."""

from kernelkit.course.explorers.distances_and_clusters.bought_also import bought_also
from kernelkit.course.explorers.distances_and_clusters.groups import groups
from kernelkit.course.explorers.distances_and_clusters.k_means import k_means
from kernelkit.course.explorers.distances_and_clusters.neighbours import neighbours
from kernelkit.course.explorers.distances_and_clusters.outliers import outliers

PANELS = (neighbours, k_means, groups, bought_also, outliers)
