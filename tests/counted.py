"""Numbers that count the products made of them."""

import numpy as np


class Counted(float):
    """A number that counts the products made of it; with an array it is multiplied entry by entry."""

    products = 0

    def __mul__(self, other):
        if isinstance(other, np.ndarray):
            return NotImplemented
        Counted.products += 1
        return Counted(float(self) * float(other))

    __rmul__ = __mul__

    def __add__(self, other):
        return NotImplemented if isinstance(other, np.ndarray) else Counted(float(self) + float(other))

    __radd__ = __add__

    def __sub__(self, other):
        return NotImplemented if isinstance(other, np.ndarray) else Counted(float(self) - float(other))


def counted(values):
    """The same array, of numbers that count."""
    return np.array([Counted(v) for v in np.ravel(values)], dtype=object).reshape(np.shape(values))


def products_of(task, *arguments):
    """How many products a task makes."""
    Counted.products = 0
    task(*arguments)
    return Counted.products
