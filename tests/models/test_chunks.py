"""Models of many chunks: the same as of all points at once, whatever becomes of a worker."""

import pickle
import tracemalloc
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
import pytest
from models.pieces import PHI, Together, cut

import kernelkit.models.chunks as machinery
from kernelkit import Gaussian, KernelLogistic, Landmarks, Linear, PrimalLogistic, PrimalRidge, Substrings
from kernelkit.models.logistic_chunks import LossSums, SummedObjective
from kernelkit.models.newton import last_iterate, newton

pytestmark = pytest.mark.filterwarnings("error")
CLIENTS = pytest.mark.parametrize("client", [None, Together()], ids=["alone", "client"])


class Flaky:
    """A chunk that fails the first times it is loaded."""

    def __init__(self, chunk, failures):
        self.chunk, self.failures = chunk, failures

    def __call__(self):
        if self.failures:
            self.failures -= 1
            raise OSError("the disk is busy")
        return self.chunk


@CLIENTS
@pytest.mark.parametrize("places", [(), (1,), (100, 200), tuple(range(20, 300, 20))], ids=len)
def test_ridge_of_chunks_is_ridge_of_all_points(places, client, data):
    model = PrimalRidge(PHI, 0.1).fit(*data)
    chunks = cut(*data, *places)
    for some in (chunks, iter(chunks), [partial(list, c) for c in chunks], [Flaky(c, 1) for c in chunks]):
        same = PrimalRidge(PHI, 0.1).fit_chunks(some, client)
        np.testing.assert_allclose(same.w_, model.w_, rtol=1e-8)
        assert same.n_features_in_ == 2 and len(same.X_) == 0
        np.testing.assert_allclose(same.predict(data[0]), model.predict(data[0]), rtol=1e-8)


def test_what_is_no_vector_comes_in_chunks_too():
    words, y = ["banana", "anna", "nab", "bandana", "cab", "ban"], [1.0, 2, 3, 4, 5, 6]
    phi = Landmarks(Substrings(2), words[:4])
    model = PrimalRidge(phi, 0.1).fit(words, y)
    np.testing.assert_allclose(PrimalRidge(phi, 0.1).fit_chunks(cut(words, y, 2, 5)).w_, model.w_, rtol=1e-8)


@CLIENTS
@pytest.mark.parametrize("labels", [(-1, 1), ("down", "up")], ids=str)
def test_logistic_of_chunks_is_logistic_of_all_points(labels, client, labelled):
    X, y = labelled
    order = np.argsort(y)  # so that most chunks hold one class
    X, y = X[order], np.where(y[order] > 0, labels[1], labels[0])
    model = PrimalLogistic(PHI, 0.5).fit_chunks(cut(X, y, 10, 90, 100, 200), client)
    peer = KernelLogistic(Linear(), 0.5, tol=1e-12).fit(PHI(X), y)
    np.testing.assert_allclose(model.w_, PHI(X).T @ peer.a_, rtol=1e-8)
    assert model.converged_ and model.classes_.tolist() == [*labels]
    np.testing.assert_array_equal(model.predict(X), peer.predict(PHI(X)))


def test_steps_of_newton_are_halved_where_whole_ones_lead_away():
    def sums_at(w, step):  # log cosh(w − 3), from where Newton's whole steps run away
        u, move = (0 if w is None else w[0]) - 3, np.inf if step is None else abs(step[0])
        return LossSums(np.log(np.cosh(u)), np.array([-np.tanh(u)]), np.array([[np.cosh(u) ** -2]]), move)

    objective = SummedObjective(sums_at, 1e-12)
    walk = newton(objective, objective.at_zero())
    end, turn, settled = last_iterate(walk, lambda here: here.change <= 1e-9, 100)
    assert settled and turn < 30 and end.w == pytest.approx([3.0], abs=1e-8)


def test_steps_over_chunks_are_counted_from_one(labelled):
    model = PrimalLogistic(PHI, 0.1).fit_chunks([labelled])
    needed = model.n_iter_
    assert model.converged_ and PrimalLogistic(PHI, 0.1, max_iter=needed).fit_chunks([labelled]).n_iter_ == needed
    for steps in (1, needed - 1):
        with pytest.warns(UserWarning, match=f"stopped after max_iter = {steps} before the outputs settled"):
            fewer = PrimalLogistic(PHI, 0.1, max_iter=steps).fit_chunks([labelled])
        assert fewer.n_iter_ == steps and np.abs(fewer.w_).max() > 0  # a step was made


# ---- what fails ---------------------------------------------------------------------------------


def broken(X, y):
    yield X, y
    raise OSError("unplugged")


TWICE = "Chunk 1 failed twice, the second time with"
BAD = {
    "fails": (PrimalRidge, lambda X, y: [(X, y), Flaky((X, y), 2)], f"{TWICE} OSError: the disk is busy"),
    "width": (PrimalRidge, lambda X, y: [(X, y), (X[:, :1], y)], "Chunk 1 has 1 columns, but chunk 0 has 2."),
    "targets": (PrimalRidge, lambda X, y: [(X, y), (X, y[:5])], f"{TWICE} ValueError: y must hold one target"),
    "NaN": (PrimalRidge, lambda X, y: [(X, y), (X * np.nan, y)], f"{TWICE} ValueError: X must hold finite numbers"),
    "no point": (PrimalRidge, lambda X, y: [(X, y), (X[:0], y[:0])], "Chunk 1 failed twice, .* X holds no point"),
    "no pair": (PrimalRidge, lambda X, y: [(X, y), X], f"{TWICE} TypeError: a chunk is .X, y., or"),
    "outputs": (
        PrimalRidge,
        lambda X, y: [(X, y), (X, np.c_[y, y])],
        "Chunk 1 does not add to chunk 0: Totals of the same features and outputs add",
    ),
    "no chunk": (PrimalRidge, lambda X, y: [], "There is no chunk: the stream is empty."),
    "one chunk alone": (PrimalLogistic, lambda X, y: (X, y), "a chunk is .X, y."),
    "no stream": (PrimalRidge, lambda X, y: 3, "chunks must be an iterable of chunks .X, y., or of .*; got 3"),
    "stream breaks": (PrimalRidge, broken, "Chunk 1 did not come, and a stream cannot be asked again: OSError"),
    "one pass": (PrimalLogistic, lambda X, y: iter([(X, y)]), "Several passes over the chunks are needed, but"),
    "one class": (PrimalLogistic, lambda X, y: [(X, y * y)] * 2, "Two classes are needed, but y holds only one class"),
    "three": (PrimalLogistic, lambda X, y: [(X, y), (X, 2 * y)], "Only binary classification is supported"),
    "two kinds": (PrimalLogistic, lambda X, y: [(X, y), (X, np.where(y > 0, "a", "b"))], "Unknown label type"),
}


@CLIENTS
@pytest.mark.parametrize(("Model", "chunks", "sentence"), BAD.values(), ids=BAD)
def test_what_is_wrong_with_a_chunk_or_a_stream_is_told(Model, chunks, sentence, client, labelled):
    model = Model(PHI)
    with pytest.raises((ValueError, TypeError), match=sentence):
        model.fit_chunks(chunks(*labelled), client)
    assert not hasattr(model, "w_")


def test_settings_that_chunks_cannot_keep_are_refused(labelled):
    with pytest.raises(ValueError, match="fit_chunks needs center=False"):
        PrimalRidge(PHI, center=True).fit_chunks([labelled])
    with pytest.raises(ValueError, match="lam must be a finite number > 0, got 0"):
        PrimalLogistic(PHI, 0).fit_chunks([labelled])
    with pytest.raises(TypeError, match=r"client must be a dask.distributed.Client, or have its map and gather"):
        PrimalLogistic(PHI).fit_chunks([labelled], client=3)
    with pytest.raises(TypeError, match="map and gather"), ThreadPoolExecutor(1) as pool:  # this has map alone
        PrimalLogistic(PHI).fit_chunks([labelled], client=pool)
    with pytest.raises(ValueError, match="max_iter must be"):
        PrimalLogistic(PHI, max_iter=0).fit_chunks([labelled])


class KilledWorker(Exception):
    """As Dask's, which names the task that the dead workers had."""


class Dead(Together):
    """A client that has lost its workers: of three chunks 1, 2 and 3 are the tasks, 0 is what they share."""

    def __init__(self, task):
        super().__init__()
        self.task = task

    def gather(self, futures):
        error = KilledWorker()
        error.task = self.task
        raise error


@pytest.mark.parametrize(("task", "what"), [(3, "Chunk 2"), (5, "A sum of chunks")])
def test_a_worker_that_died_is_told_with_its_chunk(task, what, data):
    with pytest.raises(ValueError, match=f"^{what} was with a worker that died, every time it was tried"):
        PrimalRidge(PHI).fit_chunks([data] * 3, Dead(task))


class Closing(Together):
    """A client that is closed while it computes."""

    def gather(self, futures):
        self.status = "closed"
        raise RuntimeError("cancelled")


def test_a_closed_client_gives_one_sentence(data):
    closed = Together()
    closed.status = "closed"
    for client in (closed, Closing()):
        with pytest.raises(ValueError, match="The client is closed: start a new one, or stay in this process"):
            PrimalRidge(PHI).fit_chunks([data], client)


def test_tables_with_other_columns_are_named(data):
    pandas = pytest.importorskip("pandas")
    X, y = data
    first, second = (pandas.DataFrame(X, columns=names) for names in (["a", "b"], ["b", "a"]))
    assert PrimalRidge(PHI).fit_chunks([(first, y), (first, y)]).feature_names_in_.tolist() == ["a", "b"]
    with pytest.raises(ValueError, match=r"Chunk 1 has .'b', 'a'. as columns, but chunk 0 has .'a', 'b'."):
        PrimalRidge(PHI).fit_chunks([(first, y), (second, y)])
    for model in (PrimalRidge(PHI), PrimalLogistic(PHI)):
        first, second = (pandas.DataFrame(X, columns=names) for names in ([0, 1], [1, 0]))
        model.fit_chunks([(first, y > 0), (X, y > 0), (first, y > 0)])
        with pytest.raises(ValueError, match="in one order"):
            model.fit_chunks([(first, y > 0), (second, y > 0)])
        with pytest.raises(ValueError, match="in one order"):
            model.fit_chunks([(first, y > 0)]).predict(second)


# ---- what is in memory, and what travels ----------------------------------------------------------


def test_a_stream_stays_in_the_memory_of_one_chunk():
    """2 000 000 rows and D = 300 stay under 500 MB; here a hundredth of the rows, in as many chunks of 4 MB."""
    rng, phi = np.random.default_rng(0), Gaussian(2.0).waves(100, 10)

    def stream():
        for _ in range(20):
            X = rng.standard_normal((5000, 10))
            yield X, X[:, 0]

    PrimalRidge(phi).fit(*next(stream()))  # SciPy is imported
    tracemalloc.start()
    PrimalRidge(phi).fit_chunks(stream())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 12e6  # Φ of one chunk has 4 MB, of all 80


class Watched(Together):
    """A client that notes how large a value is that travels, and of a stream how many chunks came before it."""

    def __init__(self):
        super().__init__()
        self.sizes, self.came, self.chunks = [], 0, []

    def gather(self, futures):
        self.sizes.extend(len(pickle.dumps(future.value)) for future in futures)
        self.chunks.append(self.came)
        return super().gather(futures)

    def stream(self, chunks):
        for chunk in chunks:
            self.came += 1
            yield chunk


def test_what_travels_is_as_large_for_many_points_as_for_few(data):
    def size(n):
        X, client = np.resize(data[0], (n, 2)), Watched()
        PrimalRidge(PHI).fit_chunks([partial(list, (X, X[:, 0]))] * 3, client)
        PrimalLogistic(PHI).fit_chunks([partial(list, (X, np.sign(X[:, 0])))] * 3, client)
        return max(client.sizes)

    assert size(100) < 3000 and abs(size(5000) - size(100)) < 20


def test_a_stream_is_with_a_client_a_few_chunks_at_a_time(monkeypatch, data):
    monkeypatch.setattr(machinery, "WINDOW", 4)
    client = Watched()
    PrimalRidge(PHI).fit_chunks(client.stream([data] * 10), client)
    assert client.chunks == [4, 8, 10]
