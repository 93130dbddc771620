"""The panels of notebook 13, in its order."""

from kernelkit.explorers.finding_gold.drill import drill
from kernelkit.explorers.finding_gold.evidence import evidence
from kernelkit.explorers.finding_gold.posterior import posterior
from kernelkit.explorers.finding_gold.real_ground import real_ground

PANELS = (posterior, evidence, drill, real_ground)
