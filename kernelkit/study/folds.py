"""Folds: which points train and which test, the same as scikit-learn's for the same seed; and their parts of X."""

import numpy as np

from kernelkit.checks import check_whole
from kernelkit.models.reading import read_labels

ALONE = "leave-one-out"  # as folds: each point is a fold of its own


def splits(y, folds=5, random_state=None, stratified=False):
    """The folds of n points as pairs (train, test) of indices.

    y : (n,) targets.  folds : how many; "leave-one-out"; or the pairs themselves, which are given back.
    random_state : a seed that shuffles the points first, None keeps their order.
    stratified : y holds labels, and each fold has its share of each.
    """
    n = len(y)
    if not isinstance(folds, (str, int, np.integer)) or isinstance(folds, bool):
        return _own_pairs(folds, n)
    folds = n if folds == ALONE else check_whole(folds, "folds", at_least=2)
    if folds > n:
        raise ValueError(f"folds must be a whole number from 2 to the number of points, {n}, got {folds}.")
    test = (_folds_by_class if stratified and folds < n else _folds_in_turn)(y, folds, shuffler(random_state))
    return [(np.flatnonzero(test != i), np.flatnonzero(test == i)) for i in range(folds)]


def _own_pairs(folds, n):
    """The caller's own pairs of indices."""
    try:
        pairs = [(np.asarray(train), np.asarray(test)) for train, test in folds]
    except (TypeError, ValueError):
        raise TypeError(f"folds must be a whole number, {ALONE!r} or pairs (train, test), got {folds!r}.") from None
    if not pairs:
        raise ValueError("folds must hold at least one pair (train, test), got none.")
    for part in (part for pair in pairs for part in pair):
        if part.dtype.kind not in "iu" or part.ndim != 1 or part.size == 0 or not 0 <= part.min() <= part.max() < n:
            raise ValueError(f"Each train and test of folds must hold indices of the {n} points, from 0 to {n - 1}.")
    return pairs


def shuffler(random_state):
    """scikit-learn's way from a seed to an order, so that the same seed gives the same folds."""
    if random_state is None or isinstance(random_state, np.random.RandomState):
        return random_state
    return np.random.RandomState(check_whole(random_state, "random_state"))


def _folds_in_turn(y, folds, rng):
    """The fold of each point, (n,): the first n/folds points are fold 0, and so on."""
    n = len(y)
    order = np.arange(n)
    if rng is not None:
        rng.shuffle(order)
    test = np.empty(n, int)
    for i, part in enumerate(np.array_split(order, folds)):
        test[part] = i
    return test


def _folds_by_class(y, folds, rng):
    """The fold of each point, (n,): every class is dealt out evenly."""
    _, first, inverse = np.unique(y, return_index=True, return_inverse=True)
    label = np.argsort(np.argsort(first))[inverse]  # classes numbered in the order in which they come
    counts = np.bincount(label)
    if counts.max() < folds:
        raise ValueError(f"folds must be at most {counts.max()}, the size of the largest class, got {folds}.")
    dealt = np.array([np.bincount(np.sort(label)[i::folds], minlength=len(counts)) for i in range(folds)])
    test = np.empty(len(label), int)
    for c in range(len(counts)):
        folds_of_class = np.repeat(np.arange(folds), dealt[:, c])
        if rng is not None:
            rng.shuffle(folds_of_class)
        test[label == c] = folds_of_class
    return test


def read(model, X, y):
    """X as the model reads it, where it is one of ours, and y as an array: labels, targets or rows of targets."""
    X = model._read(X) if hasattr(check_model(model), "_read") else X
    n = X.shape[0] if hasattr(X, "shape") else len(X)
    if classifies(model):
        return X, read_labels(y, n)
    y = np.asarray(y)
    if y.ndim not in (1, 2) or len(y) != n or not y.size:
        wanted = f"y must hold one target, or one row of targets, for each of the {n} points"
        raise ValueError(f"{wanted}, got shape {y.shape}.")
    return X, y


def check_model(model):
    """A model, and not its class."""
    if isinstance(model, type) or not (hasattr(model, "fit") and hasattr(model, "predict")):
        raise TypeError(f"model must be a model such as KernelRidge(), got {model!r}.")
    return model


def classifies(model):
    """Whether the model predicts labels, ours or scikit-learn's."""
    kind = getattr(model, "_estimator_type", None)
    return (kind or model.__sklearn_tags__().estimator_type) == "classifier"


def parts(model, X, train, test):
    """The points to fit and those to predict; of a Gram matrix also the columns."""
    if getattr(model, "_pairwise", bool)():
        return X[np.ix_(train, train)], X[np.ix_(test, train)]
    if isinstance(X, list):
        return [X[i] for i in train], [X[i] for i in test]
    return (X.iloc[train], X.iloc[test]) if hasattr(X, "iloc") else (X[train], X[test])


def all_but_one(train, test, n):
    """Whether one point is left out and all others, each of them once, are fitted to."""
    return len(test) == 1 and np.array_equal(np.sort(train), np.delete(np.arange(n), test))


def drawn(model, sample, seed):
    """X and y of one sample, as ``read`` reads them: one target for each point."""
    pair = sample(seed)
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise TypeError(f"sample must be a function seed → X, y, but sample({seed}) gives {type(pair).__name__}.")
    X, y = read(model, *pair)
    if y.ndim != 1:
        raise ValueError(f"sample must draw one target for each point, y of shape ({len(y)},), got {y.shape}.")
    return X, y
