"""Notebook 05. Two descents: steps in w, steps in a."""

from kernelkit.explorers.shared.two_descents import explorer
from kernelkit.panel.controls import Question

descents = explorer(
    "Two descents: steps in w, steps in a",
    Question(
        "Now w starts with a part that no Φᵀa has, and a starts as near as it can. Where do both forms still say "
        "the same?",
        ("nowhere", "at the training points only", "everywhere"),
        1,
        "That part u has Φu = 0: it changes no output at a training point, so the data cannot see it. Elsewhere it "
        "counts.",
    ),
    {
        "Another start": {"start": "inside"},
        "Out of reach": {"start": "outside", "n": 8, "t": 100, "lam": 0.001},
        "λ pulls it back": {"start": "outside", "n": 8, "t": 100, "lam": 1.0},
        "No outside": {"start": "outside", "n": 30, "degree": 2},
    },
)
