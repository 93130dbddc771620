"""Train a kernel and a small neural network on many samples.

    python -m kernelkit.course.explorers.data.train_networks

What is found goes to ``networks.json``, next to the panel of notebook 10 that shows it. It takes some minutes.
"""

import json
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from kernelkit.course.explorers.choosing_a_kernel.networks import DATA, FILE, SAMPLES, SIZES, trial

FOUND = ("kernel", "network", "scatter", "unfinished")


def errors(data, n):
    """What was found of each sample."""
    return [[*trial(data, n, seed)][-1][1] for seed in range(SAMPLES)]


def rows(data):
    """{"kernel": a list for each sample with an error for each size, …}."""
    found = [errors(data, n) for n in SIZES]
    print(data)
    return {
        name: [[round(found[i][seed][name], 4) for i in range(len(SIZES))] for seed in range(SAMPLES)] for name in FOUND
    }


def written(kept):
    """The file's text: one sample a line."""
    sets = []
    for data, models in kept.items():
        lines = {name: ",\n".join(json.dumps(row) for row in found) for name, found in models.items()}
        inside = ",\n".join(f"{json.dumps(name)}: [\n{text}]" for name, text in lines.items())
        sets.append(f"{json.dumps(data)}: {{\n{inside}}}")
    return "{\n" + ",\n".join(sets) + "\n}\n"


if __name__ == "__main__":
    FILE.write_text(written({data: rows(data) for data in DATA.values()}), encoding="utf-8")
