"""When n is large: ridge on landmarks and on waves beside scikit-learn's, the memory of a stream, and two workers."""

import os
import time
import tracemalloc
from statistics import median

import numpy as np
from rows import Row, faster, milliseconds
from sklearn.kernel_approximation import Nystroem, RBFSampler
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline

from kernelkit import Gaussian, Landmarks, PrimalRidge

rng = np.random.default_rng(0)


def stream(chunks):
    """So many chunks of 20 000 points, made when they are asked for."""
    for _ in range(chunks):
        X = rng.standard_normal((20_000, 10))
        yield X, np.sin(X[:, 0])


def large(seconds, sizes):
    """Fits of the same size; each peer draws its landmarks or its waves within its time, as ours does."""
    n, m = (100_000, 500) if len(sizes) > 2 else (10_000, 100)
    X = rng.standard_normal((n, 10))
    y, k = np.sin(X[:, 0]) + 0.1 * rng.standard_normal(n), Gaussian(3.0)
    ours = {
        "landmarks | Nystroem": lambda: PrimalRidge(Landmarks(k, X[rng.choice(n, m, replace=False)]), 1.0),
        "waves | RBFSampler": lambda: PrimalRidge(k.waves(m, 10), 1.0),
    }
    peers = {
        "landmarks | Nystroem": lambda: make_pipeline(Nystroem(gamma=1 / 18, n_components=m), Ridge(1.0)),
        "waves | RBFSampler": lambda: make_pipeline(RBFSampler(gamma=1 / 18, n_components=m), Ridge(1.0)),
    }
    for name, make in ours.items():
        task = f"ridge, n={n} d=10, {m} {name} + Ridge"
        yield faster(task, lambda make=make: make().fit(X, y), lambda f=peers[name]: f().fit(X, y), 1.0, seconds)
    chunks = 100 if len(sizes) > 2 else 5
    tracemalloc.start()
    PrimalRidge(k.waves(300, 10)).fit_chunks(stream(chunks))
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    yield Row(f"fit_chunks, {chunks} chunks of 20 000, D=300, in MB", peak, None, peak, 500, at_least=False)


def workers(seconds, sizes):
    """One process of Dask against two, which needs two processors with nothing else to do; not in the short run."""
    if len(sizes) == 2 or (os.cpu_count() or 1) < 2:
        return
    from distributed import Client, LocalCluster

    def load(seed):
        X = np.random.default_rng(seed).standard_normal((20_000, 10))
        return X, np.sin(X[:, 0])

    model, chunks = PrimalRidge(Gaussian(3.0).waves(300, 10)), [lambda seed=seed: load(seed) for seed in range(100)]
    here = {"threads_per_worker": 1, "silence_logs": 50, "host": "127.0.0.1", "dashboard_address": "127.0.0.1:0"}
    with Client(LocalCluster(n_workers=1, **here)) as one, Client(LocalCluster(n_workers=2, **here)) as two:
        two.wait_for_workers(2, timeout=60)

        def spent(client):
            return milliseconds(lambda: model.fit_chunks(chunks, client), time.perf_counter)

        took = [(spent(one), spent(two)) for _ in range(5)][1:]  # the first run is the workers' imports
        one.shutdown(), two.shutdown()
    a, b = (median(column) for column in zip(*took, strict=True))
    yield Row("fit_chunks, 100 chunks of 20 000, D=300: two workers | one", b, a, a / b, 1.6)
