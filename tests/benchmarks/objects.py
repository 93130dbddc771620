"""Kernels of what is not a vector, as rows of the benchmark: how long a Gram matrix takes, and how that grows."""

import tracemalloc
from statistics import median

import numpy as np
from rows import Row, in_figures, milliseconds

from kernelkit import Alignments, Gaussian, Subsequences, Subtrees, Walks, WeisfeilerLehman, datasets

LETTERS = np.array([*"abcdefghijklmnopqrst"])


def strings(rng, n, length):
    return ["".join(rng.choice(LETTERS, length)) for _ in range(n)]


def graphs(rng, n, size):
    """Graphs of so many vertices with some two edges each, and three labels."""
    for _ in range(n):
        A = np.triu(rng.random((size, size)) < 2.2 / size, 1)
        yield 1.0 * (A + A.T), "".join(rng.choice([*"CNO"], size))


def series(rng, n, length):
    return [rng.standard_normal((length, 1)) for _ in range(n)]


def kernels_of_objects(seconds, sizes):
    rng = np.random.default_rng(0)
    words, sentences = strings(rng, 500, 30), strings(rng, 120, 60)
    molecules, waves, parses = [*graphs(rng, 200, 20)], series(rng, 60, 40), datasets.parses(200)[0]
    tasks = {
        "Subsequences(3) Gram of 500 strings of 30": (250, lambda: Subsequences(3)(words)),
        "Subsequences, 120 sentences of 60, lengths 1 to 4": (130, lambda: Subsequences(4).grams(sentences)),
        "WeisfeilerLehman(3) Gram of 200 graphs of 20": (170, lambda: WeisfeilerLehman(3)(molecules)),
        "Alignments Gram of 60 series of 40": (330, lambda: Alignments(Gaussian(1.0))(waves)),
        "Walks Gram of 40 graphs of 20": (330, lambda: Walks(0.005)(molecules[:40])),
        "Subtrees Gram of 200 trees": (170, lambda: Subtrees()(parses)),
    }
    for task, (goal, action) in tasks.items():
        yield in_figures(task, action, goal, least=1 if len(sizes) == 2 else 3)
    tracemalloc.start()
    Subsequences(3)(words)
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    yield Row("peak memory of Subsequences(3), 500 strings, in MB", peak, None, peak, 300, at_least=False)


def growth_of_objects(seconds, sizes):
    """Fitted slope of log time against log length, beside the theory's exponent as the goal."""
    rng = np.random.default_rng(0)
    lengths = np.array([40, 80, 160] if len(sizes) == 2 else [40, 80, 160, 320])
    tasks = {
        "Subsequences: time grows as the length to the power": (
            2,
            lambda length: strings(rng, 40, length),
            lambda X: Subsequences(3)(X),
        ),
        "Alignments: time grows as the length to the power": (
            2,
            lambda length: series(rng, 20, length),
            lambda X: Alignments(Gaussian(1.0))(X),
        ),
        "WeisfeilerLehman: time grows as the vertices to the power": (
            1,
            lambda size: [*graphs(rng, 40, size)],
            lambda X: WeisfeilerLehman(3)(X),
        ),
    }
    for task, (exponent, make, action) in tasks.items():
        spent = []
        for length in lengths:
            X = make(int(length))
            spent.append(median(milliseconds(lambda X=X, f=action: f(X)) for _ in range(3)))
        slope = float(np.polyfit(np.log(lengths), np.log(spent), 1)[0])
        yield Row(task, slope, None, slope, exponent + 0.3, at_least=False)
