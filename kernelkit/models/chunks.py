"""Sums over chunks of data, one after the other or on many machines: what a chunk adds is small, however long it is.

A chunk is (X, y), or a function without arguments that loads one. A client is a ``dask.distributed.Client``, or
anything with its ``map`` and ``gather``.
"""

from dataclasses import dataclass
from functools import partial
from itertools import islice
from operator import add

import numpy as np

from kernelkit.checks import check_same_columns
from kernelkit.models.reading import Data, feature_names

WINDOW = 32  # so many chunks of a stream are with a client at a time; those of a list are all


@dataclass(frozen=True, eq=False)
class Part:
    """The sum over some chunks, with the number of the first and what its points look like."""

    chunk: int
    like: Data  # none of the points
    value: object

    def __add__(self, other):
        (own, which), (others, _) = _columns(self.like), _columns(other.like)
        if own != others:
            raise ValueError(f"Chunk {other.chunk} has {others} {which}, but chunk {self.chunk} has {own}.")
        named = (part.like.names for part in (self, other) if part.like.names is not None)
        check_same_columns(named, f"The columns of chunks {self.chunk} and {other.chunk}")
        try:
            value = self.value + other.value
        except ValueError as error:
            raise ValueError(f"Chunk {other.chunk} does not add to chunk {self.chunk}: {error}") from None
        return Part(self.chunk, self.like, value)


def _columns(like):
    """The names or the number of the columns, and what these are."""
    if feature_names(like.names) is not None:
        return like.names.tolist(), "as columns"
    return (like.X.shape[1], "columns") if isinstance(like.X, np.ndarray) else ("objects", "as points")


def summed(job, chunks, client, *shared):
    """The ``Part`` Σ job(X, y, *shared) over all chunks; the job gives its data as read, and a value.

    A chunk that fails is tried again; ValueError with its number if it fails twice.
    """
    total = _here(job, chunks, shared) if client is None else _there(client, job, chunks, shared)
    if total is None:
        raise ValueError("There is no chunk: the stream is empty.")
    return total


def _here(job, chunks, shared):
    total = None
    for i, chunk in _numbered(chunks):
        part = _tried(job, shared, i, chunk)
        total = part if total is None else total + part
    return total


def _there(client, job, chunks, shared):
    """The same as a tree of sums: each worker adds what it has, and one value travels back."""
    _check_open(client)
    number_of = {}  # the number of the chunk that a task of the client loads
    try:
        total, stream = None, _numbered(chunks)
        shared = client.map(tuple, [shared])  # a task, so that it too is made again where a worker dies
        while window := list(islice(stream, len(chunks) if hasattr(chunks, "__len__") else WINDOW)):
            numbers, several = zip(*window, strict=True)
            futures = client.map(partial(_tried, job), shared * len(window), numbers, several)
            number_of |= {getattr(future, "key", None): i for future, i in zip(futures, numbers, strict=True)}
            while len(futures) > 1:
                even = len(futures) // 2 * 2
                futures = [*client.map(add, futures[:even:2], futures[1:even:2]), *futures[even:]]
            [part] = client.gather(list(futures))
            total = part if total is None else total + part
        return total
    except Exception as error:
        _check_open(client)
        if type(error).__name__ != "KilledWorker":  # of Dask, which names the task that the dead workers had
            raise
        what = f"Chunk {number_of[error.task]}" if error.task in number_of else "A sum of chunks"
        raise ValueError(
            f"{what} was with a worker that died, every time it was tried. It, or a chunk that waited beside it, needs "
            f"more memory than a worker has, or ends the process: {error}"
        ) from error


def _check_open(client):
    if not (hasattr(client, "map") and hasattr(client, "gather")):
        raise TypeError(f"client must be a dask.distributed.Client, or have its map and gather; got {client!r}.")
    if getattr(client, "status", "running") in ("closing", "closed"):
        raise ValueError("The client is closed: start a new one, or stay in this process with client=None.") from None


def _stream(chunks):
    """The chunks, one after the other."""
    try:
        return iter(chunks)
    except TypeError:
        raise TypeError(
            f"chunks must be an iterable of chunks (X, y), or of functions that load one; got {chunks!r}."
        ) from None


def _numbered(chunks):
    """Each chunk with its number."""
    stream, i = _stream(chunks), 0
    while True:
        try:
            chunk = next(stream)
        except StopIteration:
            return
        except Exception as error:
            raise ValueError(f"Chunk {i} did not come, and a stream cannot be asked again: {error!r}") from error
        yield i, chunk
        i += 1


def _tried(job, shared, number, chunk):
    """The ``Part`` of one chunk, in two attempts."""
    try:
        return _part(job, shared, number, chunk)
    except Exception:
        try:
            return _part(job, shared, number, chunk)
        except Exception as error:
            last = f"{type(error).__name__}: {error}"
            raise ValueError(f"Chunk {number} failed twice, the second time with {last}") from error


def _part(job, shared, number, chunk):
    parts = chunk() if callable(chunk) else chunk
    if not isinstance(parts, (tuple, list)) or len(parts) != 2:
        raise TypeError(f"a chunk is (X, y), or a function that loads it; got {type(parts)}.")
    X, y = parts
    data, value = job(X, y, *shared)
    return Part(number, data._replace(X=data.X[:0], y=None), value)


def check_again(chunks):
    """Refuse chunks that come only once."""
    if _stream(chunks) is chunks:
        raise ValueError(
            "Several passes over the chunks are needed, but this generator gives each only once; hand in a list of "
            "functions that load them, or an object whose iter() begins again."
        )


def unfitted(model):
    """The model's parameters without what it learned: what travels."""
    return type(model)(**model.get_params(deep=False))
