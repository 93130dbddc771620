"""Notebook 00. The boundary of notebook 07, with σ and C alone to move."""

from kernelkit.course.explorers import support_vector_machine
from kernelkit.course.panel.controls import Question
from kernelkit.course.panel.explorer import fewer

boundary = fewer(
    support_vector_machine.boundary,
    keep=("sigma", "C"),
    scenes=("Too small σ", "Too large σ", "C tiny", "C huge"),
    title="The boundary: what σ and C do",
    question=Question(
        "σ shrinks to a tenth, from 0.71 to 0.07. Of the 200 points in the picture only 2.5 % are then wrong, instead "
        "of 22.5 %. What happens to the test error, on 2000 new points?",
        ("it falls as well, to about 5 %", "it stays at about 24 %", "it rises to about 35 %"),
        2,
        "Each point now gets its own way, and so does the noise in it. New points have other noise. So the boundary is "
        "nearly perfect on the points that it has seen, and much worse on all others.",
        "Too small σ",
    ),
)
