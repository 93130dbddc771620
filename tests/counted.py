"""Numbers that count the products made of them."""


class Counted(float):
    """A number that counts the products made of it."""

    products = 0

    def __mul__(self, other):
        Counted.products += 1
        return Counted(float(self) * float(other))

    def __add__(self, other):
        return Counted(float(self) + float(other))

    def __sub__(self, other):
        return Counted(float(self) - float(other))


def products_of(task, *arguments):
    Counted.products = 0
    task(*arguments)
    return Counted.products
