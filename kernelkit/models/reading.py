"""What models read: points, targets, labels, names of columns; and how they warn.

Each function says what is wrong, what is allowed and what came, before NumPy would in its own words.
"""

import sys
import warnings
from math import isfinite
from numbers import Real
from typing import NamedTuple

import numpy as np

from kernelkit.checks import ANYTHING, LARGEST, check_array, check_one_order, check_unmasked, is_missing, names_of


class Data(NamedTuple):
    """What fit was given, as it was read at the door; ``Estimator._remember`` keeps it when fit has finished."""

    X: np.ndarray | list  # the points, (n, d) or a list of n objects
    y: np.ndarray | None  # numbers (n,) or (n, outputs); ±1; or with many classes their indices
    classes: np.ndarray | None  # the labels, sorted
    names: np.ndarray | None  # of the columns of X, whatever they are, (d,)


def read_collection(reader, X):
    """X as a collection of points, (n, d) or a list, as a kernel or a feature map reads it; one point is refused."""
    X, one = reader.read(X, "X")
    if one and isinstance(X, list):
        points = "objects" if reader.points == ANYTHING else reader.points
        raise ValueError(f"Expected a list of {points}, got a single point instead: write [x] for a list of one.")
    if one:
        raise ValueError(
            "Expected 2D array, got a single point instead. Reshape your data: X[:, None] for many points "
            "on a line, X[None, :] for one point."
        )
    return X


def read_numbers(y, n):
    """Targets as (n,) or (n, outputs) finite numbers."""
    if y is None:
        raise ValueError(f"requires y to be passed, but the target y is None: call fit(X, y) with {n} targets.")
    y = check_array(y, "y")
    if y.ndim not in (1, 2) or len(y) != n or y.size == 0:
        raise ValueError(
            f"y must hold one target, or one row of targets, for each of the {n} points, got shape {y.shape}."
        )
    if not isfinite(sum_of_squares(y)):
        raise ValueError(f"y must hold numbers whose squares are finite, below some {LARGEST:g}: scale them.")
    if 0 < np.abs(y).max() < 1 / LARGEST:
        raise ValueError(f"y must hold numbers whose squares do not vanish, one above {1 / LARGEST:g}: scale them.")
    return y


def read_labels(y, n):
    """Labels as an array (n,) of whole numbers or of texts."""
    if y is None:
        raise ValueError(f"requires y to be passed, but the target y is None: call fit(X, y) with {n} labels.")
    y = flattened(_of_one_kind(y))
    if y.ndim != 1 or len(y) != n:
        raise ValueError(f"y must hold one label for each of the {n} points, got shape {y.shape}.")
    if y.dtype.kind == "f":
        if not np.isfinite(y).all():
            raise ValueError("y must hold labels, but input y contains NaN or infinity.")
        if (y != np.round(y)).any():
            raise ValueError("Unknown label type: continuous. Labels are whole numbers or text, got numbers between.")
    return y


def _of_one_kind(y):
    """y as an array, if its labels can be told apart and put in order."""
    check_unmasked(y, "y")
    try:
        array = np.asarray(y)
    except ValueError:
        raise ValueError("y must hold one label for each point, got rows of different lengths.") from None
    if array.dtype.kind in "OU":  # np.asarray(["a", 1]) would turn the number into a text
        items = np.asarray(y, dtype=object).ravel().tolist()
        if missing := sum(map(is_missing, items)):
            raise ValueError(f"y must hold labels, but input y contains NaN: {missing} of {len(items)} are missing.")
        kinds = {str if isinstance(i, str) else Real if isinstance(i, Real) else type(i) for i in items}
        if len(kinds) > 1 or not kinds <= {str, Real}:
            raise ValueError(f"Unknown label type: labels are all whole numbers or all texts, got {few(items)}.")
        array = np.array(items).reshape(array.shape) if kinds == {Real} else array
    if array.dtype.kind == "c":
        raise ValueError(f"Complex data not supported: y must hold labels, got dtype {array.dtype}.")
    if array.dtype.kind in "mMSV":  # times, bytes, records
        raise ValueError(f"Unknown label type: labels are all whole numbers or all texts, got dtype {array.dtype}.")
    return array


def flattened(y):
    """y, with a warning as a plain list if it came as a column."""
    if y.ndim != 2 or y.shape[1] != 1:
        return y
    warn("A column-vector y was passed when a 1d array was expected; y.ravel() is used.", DataConversionWarning)
    return y.ravel()


def one_each(y):
    """y as one number for each point, (n,): a column with a warning, more columns are refused."""
    y = flattened(y)
    if y.ndim != 1:
        raise ValueError(f"y must hold one number for each of the {len(y)} points, got shape {y.shape}.")
    return y


def check_same_rows(X, y):
    """Refuse tables whose rows have the same names in another order, because y_i is read as the target of X_i."""
    rows = [names[0] for names in map(names_of, (X, y)) if names]
    if len(rows) == 2 and rows[0] != rows[1] and sorted(map(hash, rows[0])) == sorted(map(hash, rows[1])):
        raise ValueError(
            "The rows of X and y have the same names in different orders, and y is read by its place: y.loc[X.index] "
            "puts them in one order, y.to_numpy() leaves them as they stand."
        )


def check_new_rows(table, known):
    """Refuse a table k(X, Z) in place of k(Z, X): its rows are named as the training points, its columns are not."""
    rows, columns = [*names_of(table), (), ()][:2]
    if known is not None and {*rows} == {*known} != {*columns}:
        raise ValueError(
            "The rows of this table are named as the training points and its columns are not: Precomputed() takes "
            f"k(Z, X), a row for each new point, so turn it with .T, got columns {few(columns)}."
        )


def read_start(start, n, what):
    """A start as n finite numbers, (n,); what : these numbers, in words."""
    start = check_array(start, "start")
    if start.shape != (n,):
        raise ValueError(f"start must hold {what}, got shape {start.shape}.")
    return start


def few(labels):
    """The first labels, to be shown in a sentence."""
    return ", ".join(repr(label) for label in labels[:4]) + (", …" if len(labels) > 4 else "")


def column_names(X):
    """The names of a table's columns, whatever they are, as an array (d,); None where X has none."""
    if not hasattr(X, "columns"):
        return None
    names = np.fromiter(X.columns, dtype=object)
    texts = [isinstance(name, str) for name in names]
    if any(texts) and not all(texts):
        raise TypeError(
            "Feature names are only supported if all input features have string names, got "
            f"{few(names.tolist())}; X.columns = X.columns.astype(str) makes them so."
        )
    return names


def feature_names(names):
    """The names of columns if they are texts, the only ones that scikit-learn knows, else None."""
    return None if names is None or not any(isinstance(name, str) for name in names) else names


def check_column_names(new, known, model):
    """Refuse a table whose columns are not those of fit, in their order; names that are no texts may be others."""
    texts, known_texts = feature_names(new), feature_names(known)
    if texts is None and known_texts is None:
        check_one_order((names for names in (new, known) if names is not None), "The columns of X in fit and now")
    elif texts is None or known_texts is None:
        has, had = ("has", "without") if known_texts is None else ("does not have valid", "with")
        warn(f"X {has} feature names, but {model} was fitted {had} feature names")
    else:
        check_feature_names(texts.tolist(), known_texts.tolist())


def check_feature_names(new, known):
    """Refuse names that are not those of fit, in their order, in scikit-learn's words."""
    if new == known:
        return
    unseen, missing = sorted({*new} - {*known}), sorted({*known} - {*new})
    lines = ["The feature names should match those that were passed during fit."]
    if unseen:
        lines += ["Feature names unseen at fit time:", *(f"- {name}" for name in unseen[:5])]
    if missing:
        lines += ["Feature names seen at fit time, yet now missing:", *(f"- {name}" for name in missing[:5])]
    if not unseen and not missing:
        lines += ["Feature names must be in the same order as they were in fit."]
    raise ValueError("\n".join(lines) + "\n")


class DataConversionWarning(UserWarning):
    """A column of labels was given where a plain list was expected."""


def warn(message, category=UserWarning):
    """A warning that points at the learner's line, not into the package."""
    depth = 2
    while (frame := sys._getframe(depth - 1)) and frame.f_globals.get("__name__", "").startswith("kernelkit"):
        depth += 1
    warnings.warn(message, category, stacklevel=depth)


def sum_of_squares(A):
    """Σ A_ij², without a warning where it overflows."""
    numbers = A.ravel(order="K")  # as they lie in memory
    return np.vdot(numbers, numbers)


def warn_unfinished(message):
    """A warning that fit stopped too early: scikit-learn's ConvergenceWarning where scikit-learn is loaded."""
    category = UserWarning
    if "sklearn" in sys.modules:
        from sklearn.exceptions import ConvergenceWarning as category
    warn(message, category)


def not_fitted(message):
    """scikit-learn's NotFittedError where scikit-learn is loaded, else the ValueError it derives from."""
    if "sklearn" in sys.modules:
        from sklearn.exceptions import NotFittedError

        return NotFittedError(message)
    return ValueError(message)
