"""Notebook 07: margins, SMO step by step, what σ and C do, the primal by single points, and more than two classes."""

from kernelkit.explorers.smo_stepper import smo
from kernelkit.explorers.svm_boundary import boundary
from kernelkit.explorers.svm_classes import classes
from kernelkit.explorers.svm_panels import strip, three_kernels
from kernelkit.explorers.svm_primal import primal_or_dual

__all__ = ["boundary", "classes", "primal_or_dual", "smo", "strip", "three_kernels"]
