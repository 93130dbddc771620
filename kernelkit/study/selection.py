"""Which σ, which λ, which kernel: errors on points that a model has not seen, bias against variance, and honest ends.

An error is here what is wrong: the mean squared residual of a regressor, the fraction of wrong labels of a classifier.
Folds are those of scikit-learn: consecutive ones, or shuffled by ``random_state``, and each with all classes in their
proportions where the model is a classifier.
"""

import copy
import inspect
import warnings
from dataclasses import dataclass
from itertools import product
from math import prod
from typing import NamedTuple

import numpy as np

from kernelkit.arrays import pair_distances
from kernelkit.checks import check_array, check_function, check_memory, check_output, check_whole, read_points
from kernelkit.models.reading import check_same_rows, read_collection, read_labels
from kernelkit.study.folds import all_but_one, shuffler, splits

LARGEST = 1e150  # targets, whose residuals are squared and added


def median_distance(X):
    """The median of ‖X_i − X_j‖ over all pairs: a first guess for σ.  X : n ≥ 2 points, (n, d)."""
    X, _ = read_points(X)
    if len(X) < 2:
        raise ValueError(f"The distances of one point to others need 2 points or more, got {len(X)}.")
    check_memory(len(X), len(X) / 2, f"The distances of {len(X):,} points are", "take some of the points at random")
    return float(np.median(pair_distances(X)))


# ---- any model, ours or scikit-learn's ----------------------------------------------------------


def check_model(model):
    """A model, and not its class."""
    if isinstance(model, type) or not (hasattr(model, "fit") and hasattr(model, "predict")):
        raise TypeError(f"model must be a model such as KernelRidge(), got {model!r}.")
    return model


def predicts_labels(model):
    """Whether the model is a classifier."""
    kind = getattr(model, "_estimator_type", None)
    return (kind or model.__sklearn_tags__().estimator_type) == "classifier"


def read_data(model, X, y):
    """X as the model reads it, where it is one of ours, and y as an array: labels, targets or rows of targets."""
    check_same_rows(X, y)
    if hasattr(check_model(model), "_reader"):
        X = read_collection(model._reader(), X)
    n = X.shape[0] if hasattr(X, "shape") else len(X)
    if predicts_labels(model):
        return X, read_labels(y, n)
    y = check_array(y, "y")
    if y.ndim not in (1, 2) or len(y) != n or not y.size:
        wanted = f"y must hold one target, or one row of targets, for each of the {n} points"
        raise ValueError(f"{wanted}, got shape {y.shape}.")
    if not np.abs(y).max() < LARGEST:
        raise ValueError(f"y must hold numbers below {LARGEST:g}, because the squares of larger residuals overflow.")
    return X, y


def draw_sample(model, sample, seed):
    """X and y of one sample, as ``read_data`` reads them: one target for each point."""
    pair = sample(seed)
    if not isinstance(pair, (tuple, list)) or len(pair) != 2:
        raise TypeError(f"sample must be a function seed → X, y, but sample({seed}) gives {type(pair).__name__}.")
    X, y = read_data(model, *pair)
    if y.ndim != 1:
        raise ValueError(f"sample must draw one target for each point, y of shape ({len(y)},), got {y.shape}.")
    return X, y


def train_and_test(model, X, train, test):
    """The points of X to fit to and those to predict; of a Gram matrix both have the columns of those to fit to."""
    if getattr(model, "_pairwise", bool)():
        return X[np.ix_(train, train)], X[np.ix_(test, train)]
    if isinstance(X, list):
        return [X[i] for i in train], [X[i] for i in test]
    rows = X.iloc if hasattr(X, "iloc") else X
    return rows[train], rows[test]


# ---- fits and errors ----------------------------------------------------------------------------


def cross_validate(model, X, y, folds=5, random_state=None):
    """The error on each fold of a model that was fitted to the others: (folds,).

    X : n points, (n, d) or a list.  y : (n,) targets or labels, or (n, outputs).  folds, random_state : ``splits``.
    ``model`` stays as it is. scikit-learn: −cross_val_score(scoring="neg_mean_squared_error"), or 1 − accuracy.
    """
    return grid(model, X, y, folds, random_state).errors


@dataclass(frozen=True, eq=False)
class Grid:
    """What ``grid`` found: for each combination of the values the error on each fold.

    values : {parameter: list of its values}.  errors : (values of the first, values of the second, …, folds).
    """

    values: dict
    errors: np.ndarray

    @property
    def mean(self):
        """The mean error over the folds, with an axis for each parameter."""
        return self.errors.mean(axis=-1)

    @property
    def best(self):
        """The parameters of the smallest mean error, the first of equals, as a dictionary for ``set_params``."""
        place = np.argwhere(self.mean <= self.mean.min() * (1 + 1e-9))[0]  # equal ones may be rounded apart
        return {name: values[i] for (name, values), i in zip(self.values.items(), place, strict=True)}


def grid(model, X, y, folds=5, random_state=None, progress=None, **values):
    """The error on every fold for every combination of the values of parameters: a ``Grid``.

        grid(KernelRidge(Gaussian(1.0)), X, y, "leave-one-out", kernel__sigma=sigmas, lam=lams).mean

    X, y, folds, random_state : as for ``cross_validate``.  progress : called with the fraction that is done.
    K is computed once for each kernel, not for each fold; leave-one-out of all λ comes from one eigen-decomposition
    where the model has ``leave_one_out``; and a model whose ``fit`` takes a ``start`` gets the solution of the value
    before, along the last of the parameters, and of the kernel before. ``model`` stays as it is.
    """
    model = copy.deepcopy(check_model(model))
    values = {name: _list(name, value) for name, value in values.items()}
    model.set_params(**{name: first for name, (first, *_) in values.items()})  # which refuses unknown names
    X, y = read_data(model, X, y)
    pairs = splits(y, folds, random_state, predicts_labels(model))
    found = {}
    shape = [len(v) for v in values.values()]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="K is almost I")  # at the ends of a map that is to be seen
        for cells in _rows(model, X, y, pairs, values):
            found |= cells
            if progress is not None:
                progress(len(found) / prod(shape))
    errors = np.array([found[place] for place in np.ndindex(*shape)])
    return Grid(values, errors.reshape(*shape, len(pairs)))


def _rows(model, X, y, pairs, values):
    """For each setting of the kernel, {place in the grid: errors (folds,)} of all settings of the rest."""
    firsts = {}
    names = list(values)
    of_kernel = [name for name in names if name.split("__")[0] == "kernel"]
    rest = [name for name in names if name not in of_kernel]
    for chosen in product(*(enumerate(values[name]) for name in of_kernel)):
        model.set_params(**dict(zip(of_kernel, (value for _, value in chosen), strict=True)))
        cells = _leave_one_out(model, X, y, pairs, rest, values) or _by_folds(model, X, y, pairs, rest, values, firsts)
        fixed = dict(zip(of_kernel, (i for i, _ in chosen), strict=True))
        yield {
            tuple((fixed | dict(zip(rest, place, strict=True)))[name] for name in names): errors
            for place, errors in cells.items()
        }


def _leave_one_out(model, X, y, pairs, rest, values):
    """The errors (n,) for each λ in closed form, by place; nothing where the model, or the folds, do not allow it."""
    lams = values["lam"] if rest == ["lam"] else [getattr(model, "lam", 0)]
    knows = hasattr(model, "leave_one_out") and not model.center and rest in ([], ["lam"]) and 0 not in lams
    if not knows or not all(all_but_one(train, test, len(y)) for train, test in pairs):
        return {}
    squares = np.square(model.leave_one_out(X, y, lams)).reshape(len(lams), len(y), -1).mean(axis=2)
    squares = squares[:, [test[0] for _, test in pairs]]
    return {(i,) if rest else (): errors for i, errors in enumerate(squares)}


def _by_folds(model, X, y, pairs, rest, values, firsts):
    """The errors (folds,) by place, each from a fit; firsts: of each fold the first solution with the kernel before."""
    kernel = getattr(model, "kernel", None)
    table = _table(model, X, rest)
    points = X
    if table is not None:
        model.kernel = table
        points = np.arange(len(y))[:, None]
    places = np.ndindex(*(len(values[name]) for name in rest))
    settings = {place: {name: values[name][i] for name, i in zip(rest, place, strict=True)} for place in places}
    found = {place: [] for place in settings}
    warm = "start" in inspect.signature(model.fit).parameters
    for fold, (train, test) in enumerate(pairs):
        Z, T = train_and_test(model, points, train, test)
        path = _path(model, Z, y[train], settings.values(), firsts.get(fold), warm)
        for place, fitted in zip(settings, path, strict=True):
            found[place].append(_error(fitted, T, y[test]))
            if not any(place):
                firsts[fold] = getattr(fitted, "a_", None)
    if table is not None:
        model.kernel = kernel
    return found


def _path(model, X, y, settings, a, warm):
    """The model fitted with each of the settings; where it takes a start, it gets the solution before, at first a."""
    C = None
    for setting in settings:
        model.set_params(**setting)
        if warm:
            start = _moved(a, C, getattr(model, "C", None))
            a = model.fit(X, y, start=start).a_
            C = getattr(model, "C", None)
        else:
            model.fit(X, y)
        yield model


def _moved(a, before, C):
    """A solution with another C as a start for this C: the weights at their bound go with it."""
    if a is None or before is None or C is None or np.inf in (before, C):
        return a
    return np.where(np.abs(a) >= before * (1 - 1e-9), np.sign(a) * C, a)


@dataclass(frozen=True, eq=False, repr=False)
class _Table:
    """The kernel k(X_i, X_j) = K_ij of points that are given by their numbers i, (n, 1)."""

    kernel: object
    K: np.ndarray

    def __repr__(self):  # what is refused or warned of is the kernel's
        return repr(self.kernel)

    def read(self, X, name="X"):
        return X, False

    def gram(self, X, Z):
        return self.K[np.ix_(X[:, 0], Z[:, 0])]

    def diagonal(self, X):
        return self.K.diagonal()[X[:, 0]]


def _table(model, X, rest):
    """The kernel of one of our models as a table, None where it needs the points for more."""
    ours = hasattr(model, "_gram") and hasattr(model, "kernel")
    if not ours or getattr(model, "center", False) or "center" in rest:
        return None
    n = len(X)
    check_memory(n, n, f"The Gram matrix of {n:,} points is", "take some of the points")
    return _Table(model.kernel, model._gram(X))


def _list(name, value):
    """The values of a parameter as a list."""
    if isinstance(value, str) or not hasattr(value, "__len__") or not len(value):
        raise TypeError(f"{name} must be a list of values to try, got {value!r}.")
    return list(value.tolist() if isinstance(value, np.ndarray) else value)


def _error(model, X, y):
    """The fraction of wrong labels, or the mean squared residual."""
    h = model.predict(X)
    return float(np.mean(h != y)) if predicts_labels(model) else float(np.mean((y - h.reshape(y.shape)) ** 2))


# ---- what changes with the sample ---------------------------------------------------------------


class BiasVariance(NamedTuple):
    """Of many fits h of one model to many samples: how far their mean h̄ is from the truth f, and they from h̄.

    bias2 + variance is the mean of (h − f)² over fits and points; with noise it is what to expect on fresh targets.
    """

    bias2: float  # the mean of (h̄ − f)² over the points
    variance: float  # the mean of (h − h̄)² over the points and the fits, divided by repeats
    noise: float  # the mean of (y − f)² over all samples
    points: np.ndarray  # (m, d)
    fits: np.ndarray  # (repeats, m), each h at the points
    truth: np.ndarray  # (m,), f at the points


def bias_variance(model, sample, truth, repeats=40, points=None, progress=None):
    """Bias against variance of a regressor over many samples: a ``BiasVariance``.

    sample : a function of a seed that draws X, y, such as lambda seed: datasets.sine(30, random_state=seed).
    truth : f, a function (n, d) → (n,), of which y is f(X) and noise.  repeats : how many samples, with seeds 0, 1, …
    points : where the fits are compared, (m, d); None for the X of one more sample.  ``model`` stays as it is.
    """
    check_function(sample, "sample", "seed → X, y")
    check_function(truth, "truth", "(n, d) → (n,)")
    model = copy.deepcopy(check_model(model))
    repeats = check_whole(repeats, "repeats", at_least=1)
    if predicts_labels(model):
        raise TypeError(f"model must be a regressor, because the labels of classes have no mean, got {model!r}.")
    if points is None:
        points, _ = draw_sample(model, sample, repeats)
    points, _ = read_points(points, "points")
    f = check_output(truth, "truth", points, 1)
    fits = np.empty((repeats, len(points)))
    noises = []
    for seed in range(repeats):
        X, y = draw_sample(model, sample, seed)
        fits[seed] = model.fit(X, y).predict(points)
        noises.append(np.square(y - check_output(truth, "truth", X, 1)))
        if progress is not None:
            progress((seed + 1) / repeats)
    mean = fits.mean(axis=0)
    bias2 = np.mean((mean - f) ** 2)
    variance = np.mean((fits - mean) ** 2)
    return BiasVariance(float(bias2), float(variance), float(np.mean(np.concatenate(noises))), points, fits, f)


class LearningCurve(NamedTuple):
    """Errors of a model for growing samples, on the points it was fitted to and on those it has not seen."""

    sizes: list  # how many points each column was fitted to
    training: np.ndarray  # (len(sizes), folds)
    test: np.ndarray  # (len(sizes), folds)


def learning_curve(model, X, y, sizes, folds=5, random_state=None, progress=None):
    """The errors of fits to the first so many points of each training fold: a ``LearningCurve``.

    sizes : numbers of points, at most as many as the smallest training fold has.  Other parameters as ``grid``; with a
    random_state the points of each training fold are shuffled too (scikit-learn's learning_curve with shuffle=True).
    """
    model = copy.deepcopy(model)
    sizes = [check_whole(m, "sizes", at_least=1) for m in _list("sizes", sizes)]
    X, y = read_data(model, X, y)
    pairs = splits(y, folds, random_state, predicts_labels(model))
    rng = shuffler(random_state)
    most = min(len(train) for train, _ in pairs)
    if max(sizes) > most:
        raise ValueError(f"sizes must be at most {most}, the points of a training fold, got {max(sizes)}.")
    errors = np.empty((2, len(sizes), len(pairs)))
    for j, (train, test) in enumerate(pairs):
        train = train if rng is None else rng.permutation(train)
        for i, size in enumerate(sizes):
            Z, T = train_and_test(model, X, train[:size], test)
            model.fit(Z, y[train[:size]])
            errors[0, i, j] = _error(model, Z, y[train[:size]])
            errors[1, i, j] = _error(model, T, y[test])
            if progress is not None:
                progress((j * len(sizes) + i + 1) / (len(sizes) * len(pairs)))
    return LearningCurve(sizes, *errors)


class Nested(NamedTuple):
    """The honest error of a selection: on each outer fold, of the best that the others alone would have chosen."""

    errors: np.ndarray  # (folds,)
    chosen: list  # of the parameters that were best, as dictionaries


def nested(model, X, y, folds=5, inner=5, random_state=None, progress=None, **values):
    """The error of the whole selection: on each fold, of the model that ``grid`` chose on the others: a ``Nested``.

    inner : the folds of these grids, a number or "leave-one-out".  Other parameters as ``grid``, whose own best error
    is too good by what the choice has fitted to these folds.
    """
    model = copy.deepcopy(model)
    X, y = read_data(model, X, y)
    pairs = splits(y, folds, random_state, predicts_labels(model))
    errors = []
    chosen = []
    for i, (train, test) in enumerate(pairs):
        Z, T = train_and_test(model, X, train, test)
        best = grid(model, Z, y[train], inner, random_state, **values).best
        fitted = copy.deepcopy(model).set_params(**best).fit(Z, y[train])
        errors.append(_error(fitted, T, y[test]))
        chosen.append(best)
        if progress is not None:
            progress((i + 1) / len(pairs))
    return Nested(np.array(errors), chosen)
