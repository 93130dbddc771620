"""Notebook 00. The three forms of notebook 03, with the numbers of points and of features to move."""

from kernelkit.course.explorers import kernel_ridge
from kernelkit.course.panel.controls import Question
from kernelkit.course.panel.explorer import fewer

agreement = fewer(
    kernel_ridge.agreement,
    keep=("n", "degree"),
    scenes=("Many points", "More features than points", "Straight line"),
    title="Three forms, one curve",
    film=("n", "degree"),
    question=Question(
        "The 20 points become 80, so the dual and the kernel form have 80 weights. The primal form still has 4. What "
        "does the curve of the kernel form do?",
        ("it bends more often", "it stays a cubic, on top of the others", "it goes through all 80 points"),
        1,
        "h(z) = Σ aᵢ k(Xᵢ, z) is wᵀΦ(z) with w = Φᵀa. However many numbers a has, w has four: one each for 1, z, z² "
        "and z³.",
        "Many points",
    ),
)
