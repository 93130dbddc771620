"""Checks at the door: every public call reads its input here, so that no formula has to.

What is called ``check_…`` or ``read_…`` raises TypeError for the wrong kind of thing and ValueError for a wrong value;
each message says what is wrong, what is allowed and what came.
"""

import sys
from dataclasses import MISSING, fields
from math import log10
from numbers import Integral, Number, Real

import numpy as np

MAX_BYTES = 4 * 2**30  # larger matrices are refused
LARGEST = 1e150  # a factor of sums, so that their squares and products are finite
CLEARLY = 1e-6  # of the largest number: by more than this a Gram matrix is wrong, and not only rounded
MAX_NAMES = 1_000_000  # and longer lists of their names
ANYTHING = "anything"  # what a kernel or a feature map takes that leaves it to others to say what a point is
GRAM_ROWS = "rows of a Gram matrix"  # what a kernel takes that is a table of numbers
NO_NUMBERS = (str, bytes, np.datetime64, np.timedelta64, np.complexfloating)  # though float(x) may exist


def check_number(value, name, *, at_least=None, above=None):
    """A finite real number of Python or NumPy, as a plain Python int or float."""
    bound = f" ≥ {at_least}" if at_least is not None else f" > {above}" if above is not None else ""
    no_number = isinstance(value, (bool, np.timedelta64))
    if no_number or not isinstance(value, (int, float, np.integer, np.floating)):
        written = ": write float(…)" if isinstance(value, Real) and not no_number else ""
        raise TypeError(f"{name} must be a number{bound}, got {value!r}{written}.")
    value = int(value) if isinstance(value, Integral) else float(value)
    finite = abs(value) <= sys.float_info.max  # also refuses NaN and whole numbers beyond any float
    if not finite or (at_least is not None and value < at_least) or (above is not None and value <= above):
        raise ValueError(f"{name} must be a finite number{bound}, got {value!r}.")
    return value


def check_scale(value, name, *, zero=False):
    """A number > 0 that sums can be multiplied and divided by; with ``zero`` ≥ 0, and only what is added to sums."""
    smallest = 0 if zero else 1 / LARGEST
    number = check_number(value, name, at_least=0) if zero else check_number(value, name, above=0)
    if not smallest <= number <= LARGEST:
        raise ValueError(f"{name} must be between {smallest:g} and {LARGEST:g}, or sums overflow, got {value!r}.")
    return number


def check_flag(value, name):
    """True or False, as a plain Python bool: the text "False" counts as true in Python, and 0 is a number."""
    if not isinstance(value, (bool, np.bool_)):
        raise TypeError(f"{name} must be True or False, got {value!r}.")
    return bool(value)


def check_whole(value, name, *, at_least=0):
    """A whole number, as a plain Python int."""
    if isinstance(value, (bool, np.bool_, np.timedelta64)) or not isinstance(value, Real):
        raise TypeError(f"{name} must be a whole number ≥ {at_least}, got {value!r}.")
    if not isinstance(value, Integral) or value < at_least:
        raise ValueError(f"{name} must be a whole number ≥ {at_least}, got {value!r}.")
    return int(value)


def check_array(X, name):
    """X as a finite float64 array of any shape."""
    if X is None:
        raise TypeError(f"{name} must hold numbers, got None.")
    if hasattr(X, "toarray"):
        raise TypeError(f"{name} is a sparse matrix, but a dense array is needed: call .toarray().")
    check_unmasked(X, name)
    rows = X if isinstance(X, list | tuple) else []
    named = (row.index for row in rows if hasattr(row, "to_numpy") and hasattr(row, "index"))  # columns of a table
    check_one_order(named, f"The coordinates of {name}")
    try:
        raw = np.asarray(X)
    except ValueError:
        raise ValueError(f"{name} must be a rectangular array of numbers, got rows of different lengths.") from None
    if raw.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: {name} must hold real numbers, got dtype {raw.dtype}.")
    if raw.dtype.kind == "O":
        raw = np.array([_number(x, name) for x in raw.flat]).reshape(raw.shape)
    elif raw.dtype.kind not in "fiub":
        raise _no_number(X, name)
    array = raw.astype(np.float64, copy=False)
    if not np.isfinite(array).all():
        raise ValueError(f"{name} must hold finite numbers, but input contains NaN or infinity.")
    return array


def _number(x, name):
    """An entry of an array of objects as a float, NaN where it is missing."""
    if is_missing(x):
        return np.nan
    if isinstance(x, NO_NUMBERS) or getattr(x, "ndim", 0):
        raise _no_number(x, name)
    try:
        return float(x)
    except OverflowError:
        raise ValueError(f"{name} must hold finite numbers, but one is larger than any float.") from None
    except (TypeError, ValueError):
        raise _no_number(x, name) from None


def _no_number(x, name):
    return TypeError(f"{name} must hold numbers: an argument must be no string or date but a number, got {short(x)}.")


def is_missing(x):
    """Whether x is None, NaN, NaT, pd.NA or masked: what, but for None, is not equal to itself."""
    same = x == x
    return x is None or (not same if isinstance(same, (bool, np.bool_)) else same is x)


def check_unmasked(X, name):
    """Refuse an array with masked entries, or a list of such arrays: NumPy would go on with what is under the mask."""
    parts = X if isinstance(X, list | tuple) else [X]
    if any(isinstance(part, np.ma.MaskedArray) and np.ma.is_masked(part) for part in parts):
        raise ValueError(f"{name} has masked entries: leave out these points, or fill in numbers with .filled(…).")


def read_points(X, name="X"):
    """X as an (n, d) array, and whether it was one point: a 1-D array is one, a number is one of ℝ¹."""
    array = check_array(X, name)
    if array.ndim > 2:
        raise ValueError(f"{name} must be one point (d,) or a collection (n, d), got shape {array.shape}.")
    one = array.ndim < 2
    array = array.reshape(1, -1) if one else array
    if len(array) == 0:
        raise ValueError(f"{name} holds no point, but at least one is needed; its shape is {array.shape}.")
    if array.shape[1] == 0:  # in scikit-learn's words, which check_estimator looks for
        raise ValueError(
            f"Found array with 0 feature(s) (shape={array.shape}) while a minimum of 1 is required in {name}."
        )
    return array, one


def read_anything(X, name="X"):
    """Numbers as ``read_points`` reads them; of other things one object is a point, a list or an array is many."""
    if X is None or hasattr(X, "toarray") or _are_numbers(X):
        return read_points(X, name)
    check_unmasked(X, name)
    if isinstance(X, list):
        return list(X), False
    return ([X], True) if getattr(X, "ndim", 0) == 0 else (list(np.asarray(X)), False)


def _are_numbers(X):
    """Whether X is a number, a point or a collection of points, and not strings, trees, sets, series, …"""
    try:
        array = np.asarray(X)
    except ValueError:  # rows of different lengths
        return False
    return array.size == 0 or (array.ndim <= 2 and isinstance(array.flat[0], (Number, np.bool_, type(None))))


def check_same_width(X, Z):
    """Refuse collections of points from spaces of different dimension."""
    if isinstance(X, np.ndarray) and isinstance(Z, np.ndarray) and X.shape[1] != Z.shape[1]:
        raise ValueError(f"X and Z must have the same number of features, got {X.shape[1]} and {Z.shape[1]}.")


def names_of(table):
    """The names of the rows of a table or of a column of one, then those of its columns; none of other things."""
    axes = (getattr(table, axis, None) for axis in ("index", "columns"))
    return [tuple(axis) for axis in axes if axis is not None] if hasattr(table, "to_numpy") else []


def names_of_coordinates(given, single):
    """The names of the numbers of a point: the columns of a table, and of a column of one that is a single point."""
    for table, one in zip(given, single, strict=True):
        if hasattr(table, "columns") or (one and hasattr(table, "to_numpy") and hasattr(table, "index")):
            yield table.columns if hasattr(table, "columns") else table.index


def check_one_order(orders, name):
    """Refuse lists of the same names in different orders, because what has them is read by its place."""
    orders = {tuple(order) for order in orders}
    if len(orders) > len({frozenset(order) for order in orders}):
        raise ValueError(f"{name} must be in one order, got {short(sorted(orders, key=repr))}.")


def check_same_columns(orders, name):
    """Refuse names of columns in different orders, and other names where all of them are texts."""
    orders = [tuple(order) for order in orders]
    check_one_order(orders, name)
    texts = {order for order in orders if order and all(isinstance(one, str) for one in order)}
    if len(texts) > 1:
        raise ValueError(f"{name} must have the same names, got {short(sorted(texts))}.")


def check_same_points(left, right):
    """What a rule of two takes: what both do, or the one that does not take anything."""
    if left.points != right.points and ANYTHING not in (left.points, right.points):
        raise TypeError(f"{left!r} takes {left.points}, but {right!r} takes {right.points}: no point suits both.")
    return right.points if left.points == ANYTHING else left.points


def read_as_both(left, right, X, name="X"):
    """X as both sides of a rule read it; a side that takes anything leaves it to the other to say what a point is."""
    if right.points == ANYTHING:
        return left.read(X, name)
    if left.points != ANYTHING:
        left.read(X, name)
    return right.read(X, name)


def check_rows(A, name):
    """A matrix as nested tuples of plain floats, so that a frozen object can hold it."""
    A, one = read_points(A, name)
    if one:
        raise ValueError(f"{name} must be a matrix, got a single row; write {name}=[[…]].")
    return tuple(tuple(row) for row in A.tolist())


def check_columns(A, name, X):
    """A, if its columns fit the features of X."""
    if A.shape[1] != X.shape[1]:
        raise ValueError(f"{name} has {A.shape[1]} columns, but X has {X.shape[1]} features.")
    return A


def check_width(value, name, *, smallest=sys.float_info.min):
    """A width or a period, a number > 0 that points are divided by, and so large that this does not overflow."""
    width = check_number(value, name, above=0)
    if width < smallest:
        raise ValueError(
            f"{name} must be at least {smallest:.2g}, because numbers divided by it overflow, got {width!r}."
        )
    return width


def check_function(f, name, shapes, but_no=()):
    """A function of the caller's, not a class and nothing that only looks like a function."""
    if not callable(f) or isinstance(f, (type, but_no)):
        raise TypeError(f"{name} must be a function {shapes}, got {f!r}.")


def check_output(f, name, X, ndim):
    """f(X) for the caller's own function, which must take (n, d) to (n,) or to (n, e)."""
    if ndim == 1 and not len(X):
        return np.zeros(0)
    if isinstance(X, np.ndarray) and not len(X):  # not every function takes no points
        return check_output(f, name, np.ones((1, *X.shape[1:])), ndim)[:0]
    value = check_array(f(X), f"{name}(X)")
    if value.ndim != ndim or len(value) != len(X):
        wanted = f"({len(X)},)" if ndim == 1 else f"({len(X)}, e)"
        raise ValueError(f"{name} must map {len(X)} points to an array of shape {wanted}, got {value.shape}.")
    return value


def check_factor(c):
    """The c of c * k, as a plain Python number ≥ 0."""
    try:
        return check_number(c, "the factor of a kernel", at_least=0)
    except ValueError:
        raise ValueError(
            f"{c!r} * k is not a kernel: a negative factor makes k(x, x) negative, so the factor must be "
            "a finite number ≥ 0."
        ) from None


def check_power(p):
    """The p of k ** p, as a plain Python int ≥ 0."""
    try:
        return check_whole(p, "the power")
    except ValueError:
        raise ValueError(
            f"k ** {p!r} is not a kernel in general: the power must be a whole number ≥ 0, "
            "because only then is it a product of kernels."
        ) from None


def difference_error(left, right):
    """The error for k1 - k2."""
    return ValueError(
        f"{left!r} - {right!r} is not a kernel in general: a difference of positive semi-definite functions "
        "can have negative eigenvalues; sums, products and factors ≥ 0 always keep the property."
    )


def not_a_kernel(why="its Gram matrix has a negative eigenvalue"):
    """The error for a matrix that has no features Φ with Φ(x)ᵀΦ(z) as its entries, by more than rounding."""
    return ValueError(
        f"k is not a kernel on these points: {why}; a matrix of distances D is not one either, but for Euclidean D "
        "exp(−D²/2σ²) is."
    )


def check_eigenvalues(values):
    """The eigenvalues of a Gram matrix, rising, refused if the first is clearly negative."""
    if len(values) and values[0] < -CLEARLY * max(values[-1], -values[0]):
        raise not_a_kernel()
    return values


def check_square(a, Ka, diagonal):
    """aᵀKa, the squared length of Σ a_i Φ(X_i), refused if it is clearly negative.  diagonal : K_ii, (n,)."""
    square = a @ Ka
    if square < -CLEARLY * (np.abs(a) @ np.sqrt(np.maximum(diagonal, 0))) ** 2:
        raise not_a_kernel()
    return square


def check_not_rows(kernel):
    """Refuse a kernel of rows k(z, X) of a Gram matrix where k(z, z) is asked for, which such rows do not hold."""
    if getattr(kernel, "pairwise", False):
        raise ValueError(
            "k(z, z) of new points is needed, but rows k(z, X) of a Gram matrix do not hold it: give the kernel itself "
            "and the points in place of Precomputed() and the rows."
        )


def check_degree(degree, k):
    """The degree after which the series of a kernel with infinitely many features is cut."""
    if degree is None:
        raise ValueError(
            f"{k!r} has infinitely many features; give a degree to cut the series, as in "
            "k.feature_map(degree=8), and ask phi.remainder(X, Z) how much is missing."
        )
    return check_whole(degree, "degree")


def check_many(count, what="Φ has D = {} features here: too many to list"):
    """The number of features of a world, or of an object's parts, that are to be listed one by one."""
    if count > MAX_NAMES:
        raise ValueError(
            f"{what.format(large(count))}, at most {MAX_NAMES:,} are; the kernel k(x, z) needs none of them."
        )


def generator(random_state):
    """The random numbers of a seed, a whole number ≥ 0, or of a generator of NumPy; None for None: keep the order."""
    if random_state is None or isinstance(random_state, np.random.Generator):
        return random_state
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31, size=4))
    return np.random.default_rng(check_whole(random_state, "random_state"))


def check_memory(rows, columns, what, instead):
    """Refuse a matrix of numbers that would not fit, before it is made."""
    size = 8 * rows * columns
    if size > MAX_BYTES:
        raise ValueError(f"{what} {_gigabytes(size)} GB, more than the {_gigabytes(MAX_BYTES)} GB allowed; {instead}.")


def check_gram(X, Z):
    """Refuse a matrix k(X, Z) of two collections that would not fit, before it is made."""
    n, m = len(X), len(Z)
    if Z is X:
        check_memory(n, n, f"The Gram matrix of {n:,} points is", "Landmarks(k, C) needs fewer numbers")
    else:
        check_memory(n, m, f"The matrix k(X, Z) of {n:,} and {m:,} points is", "take fewer points at a time")


def large(count):
    """A whole number with separators, or only its power of ten where nobody would count its digits."""
    return f"{count:,}" if count < 10**60 else f"10^{int(log10(count))}"


def _gigabytes(size):
    return f"{size / 1e9:,.1f}" if size < 10**60 else large(size // 10**9)


def lacking(owner, what):
    """The error for a method of the contract that a kernel or a feature map does not have."""
    return NotImplementedError(f"{type(owner).__name__} has no {what}.")


def formula_repr(self):
    """A repr to paste back: positional, without trailing defaults, matrices as nested lists."""
    shown = list(fields(self))
    while shown and shown[-1].default is not MISSING and getattr(self, shown[-1].name) == shown[-1].default:
        shown.pop()
    return f"{type(self).__name__}({', '.join(_plain(getattr(self, f.name)) for f in shown)})"


def _plain(value):
    if isinstance(value, tuple):
        return repr([list(row) if isinstance(row, tuple) else row for row in value])
    return getattr(value, "__name__", None) or repr(value)  # a function by its name, not its address


def short(X):
    """repr(X) in one line, cut where it is long."""
    text = " ".join(repr(X).split())
    return text if len(text) <= 60 else text[:57] + "…"
