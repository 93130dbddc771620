"""The panels of notebook 13, in its order."""

from kernelkit.course.explorers.finding_gold.evidence import evidence
from kernelkit.course.explorers.finding_gold.gold_rush import gold_rush
from kernelkit.course.explorers.finding_gold.posterior import posterior
from kernelkit.course.explorers.finding_gold.real_ground import real_ground

PANELS = (posterior, evidence, gold_rush, real_ground)
