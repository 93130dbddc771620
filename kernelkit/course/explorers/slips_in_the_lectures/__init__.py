"""The panel of appendix A1."""

from kernelkit.course.explorers.slips_in_the_lectures.two_formulas import two_formulas

PANELS = (two_formulas,)
