"""Models of many chunks: the same as of all points at once, whatever becomes of a worker."""

import pickle
import tracemalloc
from functools import partial

import numpy as np
import pytest
from models.pieces import PHI, Together, cut

import kernelkit.models.chunks as machinery
from kernelkit import (
    Gaussian,
    KernelLogistic,
    Landmarks,
    Linear,
    PrimalLogistic,
    PrimalRidge,
    Substrings,
)
from kernelkit.models.logistic_chunks import LossSums, SummedObjective
from kernelkit.models.newton import last_iterate, newton

pytestmark = pytest.mark.filterwarnings("error")
CLIENTS = pytest.mark.parametrize("client", [None, Together()], ids=["alone", "client"])


@CLIENTS
@pytest.mark.parametrize("places", [(), (1,), (100, 200), tuple(range(20, 300, 20))], ids=len)
def test_ridge_of_chunks_is_ridge_of_all_points(places, client, data):
    model = PrimalRidge(PHI, 0.1).fit(*data)
    for chunks in (cut(*data, *places), iter(cut(*data, *places)), [partial(list, c) for c in cut(*data, *places)]):
        same = PrimalRidge(PHI, 0.1).fit_chunks(chunks, client)
        np.testing.assert_allclose(same.w_, model.w_, rtol=1e-8)
        assert same.n_features_in_ == 2 and len(same.X_) == 0
        np.testing.assert_allclose(same.predict(data[0]), model.predict(data[0]), rtol=1e-8)


@CLIENTS
def test_logistic_of_chunks_is_logistic_of_all_points(client, labelled):
    X, y = labelled
    order = np.argsort(y)  # so that most chunks hold one class
    chunks = cut(X[order], y[order], 10, 90, 100, 200)
    model = PrimalLogistic(PHI, 0.5).fit_chunks(chunks, client)
    peer = KernelLogistic(Linear(), 0.5, tol=1e-12).fit(PHI(X), y)
    np.testing.assert_allclose(model.w_, PHI(X).T @ (peer.a_), rtol=1e-8)
    assert model.converged_ and model.classes_.tolist() == [-1, 1]
    assert (model.predict(X) == peer.predict(PHI(X))).mean() == 1


def test_labels_may_be_texts(labelled):
    X, y = labelled
    names = np.where(y > 0, "up", "down")
    model = PrimalLogistic(PHI, 0.5).fit_chunks(cut(X, names, 100))
    np.testing.assert_array_equal(
        model.predict(X), np.where(PrimalLogistic(PHI, 0.5).fit_chunks(cut(X, y, 100)).predict(X) > 0, "up", "down")
    )


def test_steps_of_newton_are_halved_where_whole_ones_lead_away():
    def sums_at(w, step):  # log cosh(w − 3), from where Newton's whole steps run away
        u, move = (0 if w is None else w[0]) - 3, np.inf if step is None else abs(step[0])
        return LossSums(np.log(np.cosh(u)), np.array([-np.tanh(u)]), np.array([[np.cosh(u) ** -2]]), move)

    objective = SummedObjective(sums_at, 1e-12)
    walk = newton(objective, objective.at_zero())
    end, turn, settled = last_iterate(walk, lambda here: here.change <= 1e-9, 100)
    assert settled and turn < 30 and end.w == pytest.approx([3.0], abs=1e-8)


def test_what_is_no_vector_comes_in_chunks_too():
    words, y = ["banana", "anna", "nab", "bandana", "cab", "ban"], [1.0, 2, 3, 4, 5, 6]
    phi = Landmarks(Substrings(2), words[:4])
    model = PrimalRidge(phi, 0.1).fit(words, y)
    np.testing.assert_allclose(PrimalRidge(phi, 0.1).fit_chunks(cut(words, y, 2, 5)).w_, model.w_, rtol=1e-8)


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
def test_a_chunk_that_fails_once_is_tried_again_and_one_that_always_fails_is_named(client, data):
    chunks, w = cut(*data, 100, 200), PrimalRidge(PHI).fit(*data).w_
    once = [chunks[0], Flaky(chunks[1], 1), chunks[2]]
    np.testing.assert_allclose(PrimalRidge(PHI).fit_chunks(once, client).w_, w, rtol=1e-8)
    with pytest.raises(ValueError, match="Chunk 2 failed twice, the second time with OSError: the disk is busy"):
        PrimalRidge(PHI).fit_chunks([*chunks[:2], Flaky(chunks[2], 2)], client)


@CLIENTS
def test_bad_chunks_are_named(client, data):
    (X, y), model = data, PrimalRidge(PHI)
    for bad, sentence in [
        ((X[:, :1], y), "Chunk 1 has 1 columns, but chunk 0 has 2."),
        ((X, y[:5]), "Chunk 1 failed twice, the second time with ValueError: y must hold one target"),
        ((X * np.nan, y), "Chunk 1 failed twice, the second time with ValueError: X must hold finite numbers"),
        ((X[:0], y[:0]), "Chunk 1 failed twice, .* X holds no point"),
        (X, "Chunk 1 failed twice, the second time with TypeError: a chunk is .X, y., or"),
        ((X, np.c_[y, y]), "Chunk 1 does not add to chunk 0: Totals of the same features and outputs add"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            model.fit_chunks([(X, y), bad], client)
        assert not hasattr(model, "w_")


@pytest.mark.parametrize("Model", [PrimalRidge, PrimalLogistic])
def test_what_is_no_stream_is_refused(Model, labelled):
    X, y = labelled
    for chunks, error, sentence in [
        ([], ValueError, "There is no chunk: the stream is empty."),
        ((X, y), ValueError, "a chunk is .X, y."),
        (3, TypeError, "chunks must be an iterable of chunks .X, y., or of functions that load one; got 3"),
    ]:
        with pytest.raises(error, match=sentence):
            Model().fit_chunks(chunks)
    with pytest.raises(TypeError, match=r"client must be a dask.distributed.Client, or have its map and gather"):
        Model().fit_chunks([(X, y)], client=3)


def test_a_stream_that_breaks_is_named(data):
    def stream():
        yield data
        raise OSError("unplugged")

    with pytest.raises(ValueError, match="Chunk 1 did not come, and a stream cannot be asked again: OSError"):
        PrimalRidge(PHI).fit_chunks(stream())


def test_a_generator_is_enough_for_one_pass_but_not_for_several(labelled):
    X, y = labelled
    PrimalRidge(PHI).fit_chunks((X, y) for _ in range(2))
    with pytest.raises(ValueError, match="Several passes over the chunks are needed, but this generator gives each"):
        PrimalLogistic(PHI).fit_chunks((X, y) for _ in range(2))


@CLIENTS
def test_labels_of_all_chunks_are_two(client, labelled):
    X, y = labelled
    with pytest.raises(ValueError, match="Two classes are needed, but y holds only one class: 1"):
        PrimalLogistic(PHI).fit_chunks([(X, np.abs(y)), (X, np.abs(y))], client)
    with pytest.raises(ValueError, match="Only binary classification is supported"):
        PrimalLogistic(PHI).fit_chunks([(X, y), (X, 2 * y)], client)
    with pytest.raises(ValueError, match="Unknown label type"):
        PrimalLogistic(PHI).fit_chunks([(X, y), (X, np.where(y > 0, "a", "b"))], client)


def test_settings_that_chunks_cannot_keep_are_refused(labelled):
    with pytest.raises(ValueError, match="fit_chunks needs center=False"):
        PrimalRidge(PHI, center=True).fit_chunks([labelled])
    with pytest.raises(ValueError, match="lam must be a finite number > 0, got 0"):
        PrimalLogistic(PHI, 0).fit_chunks([labelled])
    with pytest.warns(UserWarning, match="stopped after max_iter = 1 before the outputs settled"):
        PrimalLogistic(PHI, 0.1, max_iter=1).fit_chunks([labelled])


def test_steps_over_chunks_are_counted_from_one(labelled):
    model = PrimalLogistic(PHI, 0.1).fit_chunks([labelled])
    needed = model.n_iter_
    assert model.converged_ and PrimalLogistic(PHI, 0.1, max_iter=needed).fit_chunks([labelled]).n_iter_ == needed
    with pytest.warns(UserWarning, match=f"stopped after max_iter = {needed - 1} before"):
        fewer = PrimalLogistic(PHI, 0.1, max_iter=needed - 1).fit_chunks([labelled])
    with pytest.warns(UserWarning):
        once = PrimalLogistic(PHI, 1.0, max_iter=1).fit_chunks([labelled])
    assert fewer.n_iter_ == needed - 1 and once.n_iter_ == 1 and np.abs(once.w_).max() > 0  # a step was made


def test_a_closed_client_gives_one_sentence(data):
    closed = Together()
    closed.status = "closed"
    with pytest.raises(ValueError, match="The client is closed: start a new one, or stay in this process"):
        PrimalRidge(PHI).fit_chunks([data], closed)


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


def test_what_travels_is_as_large_for_many_points_as_for_few(data):
    def size(n):
        class Weighing(Together):
            def gather(self, futures):
                weighed.extend(len(pickle.dumps(future.value)) for future in futures)
                return super().gather(futures)

        X = np.resize(data[0], (n, 2))
        weighed = []
        PrimalRidge(PHI).fit_chunks([partial(list, (X, X[:, 0]))] * 3, Weighing())
        PrimalLogistic(PHI).fit_chunks([partial(list, (X, np.sign(X[:, 0])))] * 3, Weighing())
        return max(weighed)

    assert size(100) < 3000 and abs(size(20_000) - size(100)) < 20


def test_a_stream_is_with_a_client_a_few_chunks_at_a_time(monkeypatch, data):
    alive, most = set(), []
    monkeypatch.setattr(machinery, "WINDOW", 4)

    class Counting(Together):
        def gather(self, futures):
            most.append(len(alive))
            alive.clear()
            return super().gather(futures)

    def stream():
        for i in range(10):
            alive.add(i)
            yield data

    PrimalRidge(PHI).fit_chunks(stream(), Counting())
    assert most == [4, 4, 2]
