"""fit_chunks with a Client of Dask: two processes give the weights of one, and lose nothing when one of them dies."""

import os
import signal
from pathlib import Path

import numpy as np
import pytest

import kernelkit.models.chunks as machinery
from kernelkit import Gaussian, Landmarks, PrimalLogistic, PrimalRidge

distributed = pytest.importorskip("distributed")
PHI = Landmarks(Gaussian(1.0), np.random.default_rng(9).standard_normal((20, 3)))


@pytest.fixture(scope="module")
def cluster():
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None
    ) as cluster:
        cluster.wait_for_workers(2, timeout=60)  # without workers a fit would wait for ever
        yield cluster


@pytest.fixture
def client(cluster):
    with distributed.Client(cluster) as client:
        yield client


def loader(seed):
    """A chunk of 500 points that is made where it is needed; pickled by value, as no worker knows this file."""

    def load():
        X = np.random.default_rng(seed).standard_normal((500, 3))
        return X, np.sign(np.sin(2 * X[:, 0]) + X[:, 1])

    return load


CHUNKS = [loader(seed) for seed in range(7)]


def whole():
    return [np.concatenate(parts) for parts in zip(*(load() for load in CHUNKS), strict=True)]


def test_two_processes_give_the_weights_of_one(client):
    ridge = PrimalRidge(PHI, 0.1)
    w = ridge.fit(*whole()).w_
    np.testing.assert_allclose(ridge.fit_chunks(CHUNKS, client).w_, w, rtol=1e-8)
    np.testing.assert_allclose(ridge.fit_chunks((load() for load in CHUNKS), client).w_, w, rtol=1e-8)
    logistic = PrimalLogistic(PHI, 0.5)
    w = logistic.fit_chunks([whole()]).w_
    np.testing.assert_allclose(logistic.fit_chunks(CHUNKS, client).w_, w, rtol=1e-8)


def first_time(folder, name):
    """Whether nobody was here before, in whichever process."""
    path = Path(folder) / name
    return not path.exists() and not path.write_text("")


def test_a_worker_killed_in_mid_fit_loses_nothing(client, tmp_path):
    folder, here, good = str(tmp_path), os.getpid(), CHUNKS[3]

    def deadly():
        if first_time(folder, "killed") and os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)
        return good()

    chunks = [*CHUNKS[:3], deadly, *CHUNKS[4:]]
    np.testing.assert_allclose(
        PrimalRidge(PHI, 0.1).fit_chunks(chunks, client).w_, PrimalRidge(PHI, 0.1).fit(*whole()).w_, rtol=1e-8
    )
    assert (tmp_path / "killed").exists()


def test_a_chunk_that_kills_its_worker_every_time_is_named(client, monkeypatch):
    monkeypatch.setattr(machinery, "WINDOW", 1)  # nothing else waits where the worker dies
    here = os.getpid()

    def deadly():
        if os.getpid() != here:
            os.kill(os.getpid(), signal.SIGKILL)

    with pytest.raises(ValueError, match=r"^Chunk 2 was with a worker that died, every time it was tried\."):
        PrimalRidge(PHI).fit_chunks(iter([*CHUNKS[:2], deadly]), client)
    client.wait_for_workers(2, timeout=60)  # a cluster that closes while one of them starts again fails
