"""Data in pieces, and a client as Dask's that computes in this process."""

from itertools import count

from kernelkit import Monomials

PHI = Monomials(3)


def cut(X, y, *places):
    """The data in chunks that end at these places."""
    return [(X[i:j], y[i:j]) for i, j in zip((0, *places), (*places, len(X)), strict=True)]


class Later:
    """A future that has come; its key is its number among those of its client."""

    def __init__(self, value, key):
        self.value = value
        self.key = key


class Together:
    """A client as Dask's, in this process."""

    def __init__(self):
        self.keys = count()

    def map(self, f, *columns):
        rows = zip(*columns, strict=True)
        return [Later(f(*(a.value if isinstance(a, Later) else a for a in row)), next(self.keys)) for row in rows]

    def gather(self, futures):
        return [future.value for future in futures]
