"""Folds: which points train and which test, the same as scikit-learn's for the same seed."""

import numpy as np

from kernelkit.checks import check_whole

LEAVE_ONE_OUT = "leave-one-out"  # as folds: each point is a fold of its own


def splits(y, folds=5, random_state=None, stratified=False):
    """The folds of n points as pairs (train, test) of indices.

    y : (n,) targets.  folds : how many; "leave-one-out"; or the pairs themselves, which are given back.
    random_state : a seed that shuffles the points first, None keeps their order.
    stratified : y holds labels, and each fold has its share of each.
    """
    n = len(y)
    if not isinstance(folds, (str, int, np.integer)) or isinstance(folds, bool):
        return _own_pairs(folds, n)
    folds = n if folds == LEAVE_ONE_OUT else check_whole(folds, "folds", at_least=2)
    if folds > n:
        raise ValueError(f"folds must be a whole number from 2 to the number of points, {n}, got {folds}.")
    deal = _folds_by_class if stratified and folds < n else _folds_in_turn
    test = deal(y, folds, shuffler(random_state))
    return [(np.flatnonzero(test != i), np.flatnonzero(test == i)) for i in range(folds)]


def _own_pairs(folds, n):
    """The caller's own pairs of indices."""
    try:
        pairs = [(np.asarray(train), np.asarray(test)) for train, test in folds]
    except (TypeError, ValueError):
        wanted = f"folds must be a whole number, {LEAVE_ONE_OUT!r} or pairs (train, test)"
        raise TypeError(f"{wanted}, got {folds!r}.") from None
    if not pairs:
        raise ValueError("folds must hold at least one pair (train, test), got none.")
    if not all(_are_indices(train, n) and _are_indices(test, n) for train, test in pairs):
        raise ValueError(f"Each train and test of folds must hold indices of the {n} points, from 0 to {n - 1}.")
    return pairs


def _are_indices(array, n):
    return array.dtype.kind in "iu" and array.ndim == 1 and array.size > 0 and 0 <= array.min() <= array.max() < n


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
    for i, points in enumerate(np.array_split(order, folds)):
        test[points] = i
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


def all_but_one(train, test, n):
    """Whether one point is left out and all others, each of them once, are fitted to."""
    return len(test) == 1 and np.array_equal(np.sort(train), np.delete(np.arange(n), test))
