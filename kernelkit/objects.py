"""Objects that are no vectors, read at the door: one of them or many, and what they are made of.

As in ``checks``, each refuses with TypeError or ValueError and one sentence.
"""

import numpy as np

from kernelkit.checks import check_array, check_number, check_one_order, is_missing, read_points, short

SETS = (set, frozenset)


def check_world(over, k, such_as):
    """The world over which the features of a kernel are listed."""
    if over is None:
        raise ValueError(f"{k!r} has its features over a given world; give it, as in k.feature_map(over={such_as}).")
    return over


def check_elements(over, k, such_as):
    """The letters or members over which the features of a kernel are listed, each once, as a tuple; a set is sorted."""
    over = check_world(over, k, such_as)
    try:
        return tuple(dict.fromkeys(sorted(over, key=sorted_repr) if isinstance(over, SETS) else over))
    except TypeError:
        raise TypeError(f"over must hold what objects are made of, such as {such_as}, got {short(over)}.") from None


def check_told_apart(values, name):
    """Labels or elements, of which one can always say whether two are equal."""
    for x in values:
        if _lacks(x):
            why = "because two missing ones are neither equal nor different"
            raise ValueError(f"{name} must not be missing, {why}, but one is {short(x)}.")
        try:
            hash(x)
        except TypeError:
            raise TypeError(f"{name} must be hashable, such as numbers and texts, but one is {short(x)}.") from None
    return values


def _lacks(x):
    """Whether x is missing, or a part of it."""
    return any(map(_lacks, x)) if isinstance(x, (tuple, frozenset)) else is_missing(x)


def check_made_of(x, over):
    """Refuse a string or a set with a letter or a member outside the world."""
    unknown = [] if over is None else [e for e in x if e not in over]
    if unknown:
        raise ValueError(f"{unknown[0]!r} in {short(x)} is not in the world over={short(over)}.")
    return x


def in_order(values):
    """A list, a tuple, a range, an array or a column of a table as a list; None for what has no order of its own."""
    values = values.to_numpy() if hasattr(values, "to_numpy") else values
    return list(values) if isinstance(values, (list, tuple, range, np.ndarray)) and getattr(values, "ndim", 1) else None


def read_many(X, name, what):
    """The objects of a collection, in their order; what : X must be, for the sentence that refuses others."""
    many = in_order(X)
    if many is None:
        raise TypeError(f"{name} must be {what}, got {short(X)}.")
    if not many:
        raise ValueError(f"{name} is an empty list, but at least one object is needed.")
    return many


def read_objects(X, name, kind, such_as, read_one):
    """A list of objects, each as ``read_one(x, name)`` gives it, and whether X was one object.

    ``read_one`` returns None for what is no such object; a list and an array hold many.  kind, such_as : for the
    sentence that refuses others: a set, {1, 2}.
    """
    try:
        one = read_one(X, name)
    except (TypeError, ValueError):
        if isinstance(X, tuple) and all(_can(read_one, x) for x in X):
            raise TypeError(f"{name} as a tuple must be {kind}, but it holds {len(X)} of them: write a list.") from None
        raise
    if one is not None:
        return [one], True
    many = read_many(X, name, f"{kind}, such as {such_as}, or a list of them")
    objects = [read_one(x, f"{name}[{i}]") for i, x in enumerate(many)]
    for i, (x, read) in enumerate(zip(many, objects, strict=True)):
        if read is None:
            raise TypeError(f"{name} must hold {kind} at each place, such as {such_as}, but {name}[{i}] is {short(x)}.")
    return objects, False


def _can(read_one, x):
    try:
        return read_one(x, "x") is not None
    except (TypeError, ValueError):
        return False


def read_histograms(X, name, needy):
    """Vectors (n, d) without negative coordinates, and whether X was one of them."""
    X, one = read_points(X, name)
    if X.min() < 0:
        raise ValueError(
            f"{needy} needs points with all coordinates ≥ 0, but {name} holds {X.min():.4g}: min(x, z) is "
            "no kernel for negative numbers, as min(−1, −1) = −1 shows."
        )
    return X, one


def sorted_repr(value):
    """repr of an object to paste back, with the elements of its sets in order: a set itself has none."""
    if isinstance(value, SETS):
        inner = ", ".join(sorted(map(sorted_repr, value)))
        return f"{type(value).__name__}({{{inner}}})" if value else repr(value)
    if isinstance(value, tuple):
        inner = ", ".join(map(sorted_repr, value))
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return repr(value)


def frozen(x):
    """An object as nested tuples and frozen sets, which can be compared, hashed and printed to be pasted back."""
    if isinstance(x, np.ndarray):
        return frozen(x.tolist())
    if isinstance(x, (list, tuple)):
        return tuple(map(frozen, x))
    return frozenset(x) if isinstance(x, set) else x


def check_decay(decay, name="decay"):
    """The factor for each further letter or node: a number in (0, 1]."""
    decay = check_number(decay, name, above=0)
    if decay > 1:
        raise ValueError(f"{name} must be a number in (0, 1], got {decay!r}.")
    return decay


def read_bags(inner, X, name, kind):
    """Collections of what ``inner``, a kernel or a feature map, takes, as a list; and whether X was one collection."""
    many = read_many(X, name, f"a list or an array of {inner.points}, or a list of these")
    first, one = inner.read(many[0], f"{name}[0]")
    if one and isinstance(first, np.ndarray) and getattr(X, "ndim", 1) == 1:
        points = [inner.read(x, f"{name}[{i}]")[0] for i, x in enumerate(many)]
        so = f"{name}[0] is a single point, so {name} is read as one collection and not as {kind}"
        check_one_width(points, name, f": {so}; numbers are written as a column, [[1.0], [2.0]]")
    tables = [] if one else many
    check_one_order((A.columns for A in tables if hasattr(A, "columns")), f"The columns of the tables of {name}")
    read = [inner.read(x, name if one else f"{name}[{i}]") for i, x in enumerate([many] if one else many)]
    if any(single for _, single in read):
        raise TypeError(f"{name} must hold {kind}: each a collection of {inner.points}, but one is a single point.")
    bags = [bag for bag, _ in read]
    check_one_width(bags, name)
    return bags, one


def check_one_width(arrays, name, why=""):
    """Refuse a collection of things that are made of points of different dimensions."""
    widths = sorted({array.shape[1] for array in arrays if isinstance(array, np.ndarray)})
    if len(widths) > 1:
        raise ValueError(f"All of {name} must have the same number of features, got {widths[0]} and {widths[-1]}{why}.")


def joined(bags):
    """Several collections as one."""
    return np.concatenate(bags) if isinstance(bags[0], np.ndarray) else [x for bag in bags for x in bag]


def check_probabilities(p, name, ndim=1):
    """Numbers ≥ 0 whose sum, or of a matrix the sum of each row, is 1."""
    p = check_array(p, name)
    if p.ndim != ndim or 0 in p.shape:
        raise ValueError(f"{name} must be {'a matrix' if ndim == 2 else 'a vector'} of numbers, got shape {p.shape}.")
    for row in np.atleast_2d(p):
        if row.min() < 0 or abs(row.sum() - 1) > 1e-8:
            rows = "rows of numbers" if ndim == 2 else "numbers"
            raise ValueError(f"{name} must hold {rows} ≥ 0 with the sum 1, got {short(row.tolist())}.")
    return p
