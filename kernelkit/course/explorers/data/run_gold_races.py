"""Run the races and the trials of notebook 13.

    python -m kernelkit.course.explorers.data.run_gold_races [gold] [ground]

gold : six strategies drill fifty maps, twenty holes each, on hilly and on smooth maps that a kernel drew and on patches
of real ground; their regrets go to ``races.json`` of this folder.
ground : kernels are tuned to twenty draws of holes in real ground and tried on the rest; this goes to ``trials.json``.
Gold takes about one minute, and the ground two.
"""

import json
import os
import sys

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from kernelkit.course.explorers.data.gold import GROUNDS, HOLES, MAPS, PLACES, RACES, model_of, truth_of
from kernelkit.course.explorers.data.trials import COUNTS, DRAWS, KERNELS, TRIALS, measured, prior, trial
from kernelkit.study.drilling import STRATEGIES, drill


def race(ground, strategy):
    """The regret after each hole on each map, to two decimals."""
    runs = (
        drill(model_of(ground), PLACES, truth_of(ground, number), strategy, HOLES, number)
        for number in range(1, MAPS + 1)
    )
    return [[round(float(r), 2) for r in run.regret] for run in runs]


def gold():
    found = {}
    for ground in GROUNDS:
        found[ground] = {strategy: race(ground, strategy) for strategy in STRATEGIES}
        means = {s: round(sum(run[-1] for run in runs) / MAPS, 3) for s, runs in found[ground].items()}
        print(ground, means, flush=True)
    rows = [
        f"{json.dumps(g, ensure_ascii=False)}: {{\n"
        + ",\n".join(f"{json.dumps(s)}: {json.dumps(r, separators=(',', ':'))}" for s, r in runs.items())
        + "}"
        for g, runs in found.items()
    ]
    RACES.write_text("{" + ",\n".join(rows) + "}\n", encoding="utf-8")


def row(kernel, count, draw):
    """The tuned numbers, to four digits, and how true the model with them was."""
    places, heights, *_ = measured(count, draw)
    params = prior(kernel).tuned(places, heights).get_params()
    numbers = [float(f"{params[name]:.4g}") for name in ("kernel__c", "kernel__k__sigma", "noise")]
    found = trial(kernel, count, draw, *numbers)
    return [*numbers, *(round(v, 4) for v in (found.coverage, found.width, found.ratio))]


def ground():
    found = {f"{k} {n}": [row(k, n, i) for i in range(1, DRAWS + 1)] for k in KERNELS.values() for n in COUNTS}
    for name, rows in found.items():
        print(name, [round(sum(column) / DRAWS, 3) for column in list(zip(*rows, strict=True))[3:]])
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(rows, separators=(',', ':'))}" for name, rows in found.items())
    TRIALS.write_text(f"{{{lines}}}\n", encoding="utf-8")


if __name__ == "__main__":
    for task in sys.argv[1:] or ("gold", "ground"):
        {"gold": gold, "ground": ground}[task]()
