"""Bad input: every public call refuses it with one line that says what is wrong, what is allowed and what came.

The calls are written as a learner would write them; X is (3, 2), y is (3,).
"""

import warnings

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from sklearn.exceptions import NotFittedError

import kernelkit
from kernelkit import FromFeatures, Gaussian, KernelRidge, Linear, Pullback, datasets
from kernelkit.checks import check_flag
from kernelkit.images import descriptors, filters, phantom, segmentation
from kernelkit.study import drilling, formula, landmarks, mercer, selection, terms, two_samples, validity
from kernelkit.study.folds import splits

X = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]])
y = np.array([0.0, 1.0, 2.0])
X.setflags(write=False)
y.setflags(write=False)
BRIGHT = segmentation.GROUPS[:1]
PERSON = phantom.patient(0, size=32)


def lengths(words):
    """(n, 2): a feature map of strings."""
    return np.array([[len(word), word.count("a")] for word in words], float)


MODULES = drilling, formula, landmarks, mercer, selection, terms, two_samples, validity
MODULES += descriptors, filters, phantom, segmentation
SCOPE = {name: value for module in MODULES for name, value in vars(module).items() if not name.startswith("_")}
SCOPE |= {name: getattr(kernelkit, name) for name in kernelkit.__all__} | {
    "np": np,
    "pd": pd,
    "datasets": datasets,
    "splits": splits,
    "X": X,
    "y": y,
    "k": Linear(),
    "fitted": KernelRidge().fit(X, y),
    "sparse": scipy.sparse.csr_matrix(X),
    "words": FromFeatures(lengths),
    "lengths": lengths,
    "draw": lambda seed: (X, y),
    "truth": lambda X: X[:, 0],
    "table": pd.DataFrame(X, columns=["a", "b"]),
    "turned": pd.DataFrame(X[:, ::-1], columns=["b", "a"]),  # the same, so that only the order is wrong
    "reversed_y": pd.Series(y, [2, 1, 0]),
    "hidden": np.ma.masked_greater(X, 3),
    "far": np.ma.masked_greater(y, 1),
    "labels": np.ma.masked_array([0, 1, 1], mask=[0, 0, 1]),
    "flat": np.ones((9, 9)),
    "rgb": np.ones((9, 9, 3)),
    "bytes": np.full((4, 8, 8), 255, np.uint8),
    "scan": segmentation.pixel_features(PERSON.channels, BRIGHT),
    "person": PERSON,
    "BRIGHT": BRIGHT,
}

MASKED = [
    ("k(hidden)", ValueError, ["X has masked entries", ".filled(…)"]),
    ("k(X, list(hidden))", ValueError, ["Z has masked entries"]),
    ("words([hidden, X])", ValueError, ["X has masked entries"]),
    ("Monomials(2)(hidden)", ValueError, ["X has masked entries"]),
    ("KernelRidge().fit(hidden, y)", ValueError, ["X has masked entries"]),
    ("KernelRidge().fit(X, far)", ValueError, ["y has masked entries"]),
    ("KernelSVM(k).fit(X, labels)", ValueError, ["y has masked entries"]),
    ("fitted.predict(hidden)", ValueError, ["X has masked entries"]),
    ("cross_validate(KernelRidge(), X, far, 3)", ValueError, ["y has masked entries"]),
    ("cross_validate(KernelRidge(), X, ['a', 'b', 'c'], 3)", TypeError, ["y must hold numbers", "'a'"]),
    ("permutation_test(k, hidden, X)", ValueError, ["X has masked entries"]),
]

TABLES = [  # two tables meet
    ("k(table, turned)", ValueError, ["columns of X and Z", "in one order"]),
    ("Gaussian(1).feature_map(4).remainder(table, turned)", ValueError, ["columns of X and Z", "in one order"]),
    ("next(forward(table, y, held_out=(turned, y)))", ValueError, ["columns of X and Z", "in one order"]),
    ("Landmarks(k, table)(turned)", ValueError, ["columns of C and X", "in one order"]),
    ("trace_error(k, turned, Landmarks(k, table))", ValueError, ["columns of C and X", "in one order"]),
    ("eigenfunctions(k, table, x=turned)", ValueError, ["columns of X and x", "in one order"]),
    ("permutation_test(k, table, turned)", ValueError, ["columns of X and Z", "in one order"]),
    ("variogram(table, reversed_y, [0, 9])", ValueError, ["rows of X and y", "in different orders"]),
    ("lasso(table, reversed_y)", ValueError, ["rows of X and y", "in different orders"]),
    ("cross_validate(KernelRidge(), table, reversed_y, 3)", ValueError, ["rows of X and y", "in different orders"]),
    ("sum(Totals.of(Monomials(2), t, y) for t in (table, X, turned))", ValueError, ["totals", "in one order"]),
    ("sum(Totals.of(Monomials(2), t, y) for t in (table, table.add_suffix('2')))", ValueError, ["same names"]),
]

POINTS = [
    ("k([1, np.nan])", ValueError, ["X must hold finite numbers", "NaN or infinity"]),
    ("k(X, [np.inf, 0])", ValueError, ["Z must hold finite numbers", "NaN or infinity"]),
    ("k([1, None])", ValueError, ["X must hold finite numbers", "NaN"]),
    ("k([[1, 2], [3]])", ValueError, ["X must be a rectangular array", "rows of different lengths"]),
    ("k(np.zeros((2, 2, 2)))", ValueError, ["(d,)", "(n, d)", "shape (2, 2, 2)"]),
    ("k(X, X[:, :1])", ValueError, ["same number of features", "2 and 1"]),
    ("k([1, 2, 3], [1, 2])", ValueError, ["same number of features", "3 and 2"]),
    ("k.squared_distance(X, X[:, :1])", ValueError, ["same number of features", "2 and 1"]),
    ("k([])", ValueError, ["0 feature(s)", "minimum of 1"]),
    ("k(np.zeros((0, 2)))", ValueError, ["no point", "(0, 2)", "at least one"]),
    ("k('abc')", TypeError, ["X must hold numbers", "'abc'"]),
    ("k(['a', 'b'])", TypeError, ["X must hold numbers", "['a', 'b']"]),
    ("k(np.array(['1', '2']))", TypeError, ["X must hold numbers", "'1', '2'"]),
    ("k(np.array(['2020-01-01'], 'M8[D]'))", TypeError, ["X must hold numbers", "2020-01-01"]),
    ("k([1.0, np.datetime64('2020-01-01')])", TypeError, ["X must hold numbers", "no string or date", "'2020-01-01'"]),
    ("k([[1.0], [np.timedelta64(3, 'D')]])", TypeError, ["X must hold numbers", "no string or date", "(3,'D')"]),
    ("k(pd.DataFrame({'a': [1.0], 't': [pd.Timestamp(0)]}))", TypeError, ["no string or date", "got Timestamp('1970"]),
    ("k(np.array([1.0, '2'], object))", TypeError, ["X must hold numbers", "got '2'."]),
    ("k(np.array([1.0, np.complex128(2)], object))", TypeError, ["X must hold numbers", "2+0j"]),
    ("k([1.0, np.datetime64('NaT')])", ValueError, ["X must hold finite numbers", "NaN"]),
    ("k([1.0, pd.NaT])", ValueError, ["X must hold finite numbers", "NaN"]),
    ("k([1.0, pd.NA])", ValueError, ["X must hold finite numbers", "NaN"]),
    ("k(table, table.add_suffix('2'))", ValueError, ["same names", "'a2'"]),
    ("Landmarks(k, table)(table.add_suffix('2'))", ValueError, ["columns of C and X", "same names"]),
    ("k(pd.DataFrame({'a': pd.array([1, None]), 'b': [0.5, 1]}))", ValueError, ["X must hold finite numbers", "NaN"]),
    ("k({1: 2})", TypeError, ["X must hold numbers", "{1: 2}"]),
    ("k([1j])", ValueError, ["Complex data not supported", "real numbers", "complex128"]),
    ("k(X, X * 1j)", ValueError, ["Complex data not supported", "Z must hold real numbers", "complex128"]),
    ("k(None)", TypeError, ["X must hold numbers, got None"]),
    ("k.squared_distance(None)", TypeError, ["X must hold numbers, got None"]),
    ("k([10**400])", ValueError, ["X must hold finite numbers", "larger than any float"]),
    ("Gaussian(1.0)('abc')", TypeError, ["X must hold numbers", "'abc'"]),
    ("(k + 1)(['a', 'b'])", TypeError, ["X must hold numbers", "['a', 'b']"]),
    ("(1 + k)(None)", TypeError, ["X must hold numbers, got None"]),
    ("Constant(1)(None)", TypeError, ["X must hold numbers, got None"]),
    ("Constant(1)(sparse)", TypeError, ["sparse", "dense", ".toarray()"]),
    ("Constant(1)([])", ValueError, ["0 feature(s)", "minimum of 1"]),
    ("Constant(1)(X * 1j)", ValueError, ["Complex data not supported", "complex128"]),
    ("Constant(1)([1, None])", ValueError, ["X must hold finite numbers", "NaN"]),
    ("words(None)", TypeError, ["X must hold numbers, got None"]),
    ("words(X * np.nan)", ValueError, ["X must hold finite numbers", "NaN"]),
    ("k(sparse)", TypeError, ["sparse", "dense", ".toarray()"]),
    ("Monomials(2)('abc')", TypeError, ["X must hold numbers", "'abc'"]),
    ("Monomials(2)(None)", TypeError, ["X must hold numbers, got None"]),
    ("Monomials(2)([1j])", ValueError, ["Complex data not supported", "complex128"]),
    ("Monomials(2).remainder(X, 'abc')", TypeError, ["Z must hold numbers", "'abc'"]),
    ("Kronecker(Monomials(2), Monomials(2))(None)", TypeError, ["X must hold numbers, got None"]),
    ("Concatenate(words.feature_map(), Monomials(2))('abc')", TypeError, ["X must hold numbers", "'abc'"]),
    ("Monomials(2)([np.nan])", ValueError, ["finite numbers", "NaN"]),
    ("Monomials(2).remainder(X, X[:, :1])", ValueError, ["same number of features", "2 and 1"]),
]

NUMBERS = [
    ("Gaussian(0)", ValueError, ["sigma must be", "> 0", "got 0"]),
    ("Gaussian(-1.5)", ValueError, ["sigma must be", "> 0", "got -1.5"]),
    ("Gaussian(np.nan)", ValueError, ["sigma must be a finite number", "nan"]),
    ("Gaussian(np.inf)", ValueError, ["sigma must be a finite number", "inf"]),
    ("Gaussian(10**400)", ValueError, ["sigma must be a finite number", "got 1000"]),
    ("Gaussian('wide')", TypeError, ["sigma must be a number > 0", "'wide'"]),
    ("Gaussian(None)", TypeError, ["sigma must be a number > 0", "None"]),
    ("Gaussian(True)", TypeError, ["sigma must be a number > 0", "True"]),
    ("Gaussian(1j)", TypeError, ["sigma must be a number > 0", "1j"]),
    ("Gaussian([1.0])", TypeError, ["sigma must be a number > 0", "[1.0]"]),
    ("Gaussian(np.timedelta64(3, 'D'))", TypeError, ["sigma must be a number > 0", "(3,'D')."]),
    ("Polynomial(np.timedelta64(3, 'D'))", TypeError, ["degree must be a whole number", "(3,'D')."]),
    ("Polynomial(0.5)", ValueError, ["degree must be a whole number", "0.5"]),
    ("Polynomial(-1)", ValueError, ["degree must be a whole number", "≥ 0", "-1"]),
    ("Polynomial('2')", TypeError, ["degree must be a whole number", "'2'"]),
    ("Polynomial(2, -1)", ValueError, ["offset must be", "≥ 0", "-1"]),
    ("Constant(-1)", ValueError, ["c must be", "≥ 0", "-1"]),
    ("Monomials(0.5)", ValueError, ["degree must be a whole number", "0.5"]),
    ("Monomials(2, -1)", ValueError, ["offset must be", "≥ 0", "-1"]),
    ("OrderedMonomials(0)", ValueError, ["degree must be a whole number ≥ 1", "0"]),
    ("GaussianSeries(0, 2)", ValueError, ["sigma must be", "> 0", "0"]),
    ("GaussianSeries(1, 0.5)", ValueError, ["degree must be a whole number", "0.5"]),
    ("Centres([[1, 2]], 0)", ValueError, ["sigma must be", "> 0", "0"]),
    ("Scale(-1, Monomials(2))", ValueError, ["c must be", "≥ 0", "-1"]),
    ("Linear().dim(0)", ValueError, ["d must be a whole number ≥ 1", "0"]),
    ("Monomials(2).names(1.5)", ValueError, ["d must be a whole number ≥ 1", "1.5"]),
]

ALGEBRA = [
    ("-1 * k", ValueError, ["-1 * k is not a kernel", "k(x, x) negative", "≥ 0"]),
    ("k * -0.5", ValueError, ["-0.5 * k is not a kernel", "≥ 0"]),
    ("-k", ValueError, ["-1 * k is not a kernel", "≥ 0"]),
    ("k * np.nan", ValueError, ["nan * k", "finite number ≥ 0"]),
    ("k - Gaussian(1)", ValueError, ["Linear() - Gaussian(1) is not a kernel", "negative eigenvalues"]),
    ("k - 1", ValueError, ["Linear() - 1 is not a kernel", "negative eigenvalues"]),
    ("1 - k", ValueError, ["1 - Linear() is not a kernel", "negative eigenvalues"]),
    ("k + -1", ValueError, ["a kernel or a finite number ≥ 0", "got -1"]),
    ("k + np.int64(-1)", ValueError, ["a kernel or a finite number ≥ 0", "-1"]),
    ("k + np.inf", ValueError, ["finite number ≥ 0", "inf"]),
    ("k + 'a'", TypeError, ["a kernel or a finite number ≥ 0", "'a'"]),
    ("'a' + k", TypeError, ["a kernel or a finite number ≥ 0", "'a'"]),
    ("k + np.ones(2)", TypeError, ["a kernel or a finite number ≥ 0", "array"]),
    ("np.ones(2) + k", TypeError, ["a kernel or a finite number ≥ 0", "array"]),
    ("np.ones(2) * k", TypeError, ["factor of a kernel must be a number ≥ 0", "array"]),
    ("k * np.ones(2)", TypeError, ["factor of a kernel must be a number ≥ 0", "array"]),
    ("k * 'a'", TypeError, ["factor of a kernel must be a number ≥ 0", "'a'"]),
    ("None * k", TypeError, ["factor of a kernel must be a number ≥ 0", "None"]),
    ("k ** 0.5", ValueError, ["k ** 0.5 is not a kernel", "whole number ≥ 0", "product of kernels"]),
    ("k ** -1", ValueError, ["k ** -1 is not a kernel", "whole number ≥ 0"]),
    ("k ** 'a'", TypeError, ["the power must be a whole number", "'a'"]),
    ("k ** k", TypeError, ["the power must be a whole number", "Linear()"]),
]

PARTS = [
    ("Sum(k, 3)", TypeError, ["right must be a kernel", "3"]),
    ("Product('a', k)", TypeError, ["left must be a kernel", "'a'"]),
    ("Scaled(2, Monomials(2))", TypeError, ["k must be a kernel", "Monomials(2)"]),
    ("Power(Linear, 2)", TypeError, ["k must be a kernel", "Linear"]),
    ("Exp(3)", TypeError, ["k must be a kernel", "3"]),
    ("Conjugate(k, lengths)", TypeError, ["k must be a kernel", "lengths"]),
    ("Conjugate(k, k)", TypeError, ["f must be a function (n, d) → (n,)", "Linear()"]),
    ("Conjugate(3, k)", TypeError, ["f must be a function (n, d) → (n,)", "3"]),
    ("Pullback(np.sin, k)", TypeError, ["k must be a kernel", "sin"]),
    ("Pullback(k, k)", TypeError, ["g must be a function (n, d) → (n, e)", "Linear()"]),
    ("FromFeatures(3)", TypeError, ["phi must be a function (n, d) → (n, D), or a feature map", "3"]),
    ("FromFeatures(k)", TypeError, ["or a feature map", "Linear()"]),
    ("FromFeatures(Monomials)", TypeError, ["or a feature map", "class"]),
    ("Concatenate(Monomials(2), k)", TypeError, ["right must be a feature map", "Linear()"]),
    ("Kronecker(3, Monomials(2))", TypeError, ["left must be a feature map", "3"]),
    ("Scale(2, k)", TypeError, ["phi must be a feature map", "Linear()"]),
    ("Conjugate(np.sin, k)(X)", ValueError, ["f must map 3 points", "shape (3,)", "got (3, 2)"]),
    ("Pullback(k, np.sum)(X)", ValueError, ["g must map 3 points", "shape (3, e)", "got ()"]),
    ("FromFeatures(lambda X: X[:1])(X)", ValueError, ["g must map 3 points", "shape (3, e)", "got (1, 2)"]),
    ("FromFeatures(lambda X: X * np.nan)(X)", ValueError, ["g(X) must hold finite numbers", "NaN"]),
    ("Quadratic([[1, 2], [3, 4]])", ValueError, ["A must be a symmetric matrix", "(2, 2)", "up to 1"]),
    ("Quadratic([[1, 2]])", ValueError, ["A must be a symmetric matrix", "(1, 2)"]),
    ("Quadratic([[1, 0], [0, -1]])", ValueError, ["A must be positive semi-definite", "eigenvalue -1"]),
    ("Quadratic([1, 2])", ValueError, ["A must be a matrix", "single row", "A=[[…]]"]),
    ("Quadratic('a')", TypeError, ["A must hold numbers", "'a'"]),
    ("Quadratic([[np.nan]])", ValueError, ["A must hold finite numbers", "NaN"]),
    ("Quadratic(np.eye(2))([1, 2, 3])", ValueError, ["2 columns", "X has 3 features"]),
    ("Centres([1, 2])", ValueError, ["C must be a matrix", "single row", "C=[[…]]"]),
    ("Centres([[1, 2]])([1, 2, 3])", ValueError, ["C has 2 columns", "X has 3 features"]),
    ("words.dim(2)", ValueError, ["Function(lengths) has no dimension D for x ∈ ℝ^2", "g fails at the point"]),
    ("words.feature_map().names(3)", ValueError, ["Function(lengths) has no dimension D for x ∈ ℝ^3"]),
    ("Monomials(3).names(784)", ValueError, ["D = 80,931,145 features", "at most 1,000,000"]),
    ("(k**0 * Polynomial(20)).feature_map().names(99)", ValueError, ["features here", "too many to list"]),
    ("Polynomial(10**4).feature_map()(np.ones(10**4))", ValueError, ["D = 10^6018 features", "10^6010 GB, more than"]),
    ("Gaussian(1.0).feature_map()", ValueError, ["Gaussian(1.0) has infinitely many features", "feature_map(degree="]),
    ("Gaussian(1.0).dim(3)", ValueError, ["infinitely many features", "give a degree"]),
    ("(k + Exp(k)).feature_map()", ValueError, ["Exp(Linear()) has infinitely many features", "give a degree"]),
    ("Gaussian(1.0).feature_map(0.5)", ValueError, ["degree must be a whole number", "0.5"]),
    ("Gaussian(1.0).feature_map(-1)", ValueError, ["degree must be a whole number ≥ 0", "-1"]),
    ("Polynomial(20).feature_map()(np.ones(100))", ValueError, ["D = 29,462,227,291,176,635,718,126", "GB allowed"]),
]

MODELS = [
    ("KernelRidge().fit(X, None)", ValueError, ["requires y", "3 targets"]),
    ("KernelRidge().fit(X, y[:2])", ValueError, ["one target", "each of the 3 points", "(2,)"]),
    ("KernelRidge().fit(X, np.ones((3, 2, 2)))", ValueError, ["each of the 3 points", "(3, 2, 2)"]),
    ("KernelRidge().fit(X, np.ones((3, 0)))", ValueError, ["each of the 3 points", "(3, 0)"]),
    ("KernelRidge().fit(X, 1.0)", ValueError, ["each of the 3 points", "()"]),
    ("KernelRidge().fit(X, ['a', 'b', 'c'])", TypeError, ["y must hold numbers", "['a', 'b', 'c']"]),
    ("KernelRidge().fit(X, y * np.nan)", ValueError, ["y must hold finite numbers", "NaN"]),
    ("KernelRidge().fit(X, [0, pd.NA, 1])", ValueError, ["y must hold finite numbers", "NaN"]),
    ("KernelSVM(k).fit(X, np.array([0, 1, 1], 'M8[D]'))", ValueError, ["whole numbers or all texts", "datetime64"]),
    ("KernelSVM(k).fit(X, np.array([b'a', b'b', b'b']))", ValueError, ["whole numbers or all texts", "S1"]),
    ("KernelSVM(k).fit(X, ['a', 'b', None])", ValueError, ["y must hold labels", "NaN: 1 of 3 are missing"]),
    ("KernelRidge().fit(X + np.inf, y)", ValueError, ["X must hold finite numbers", "infinity"]),
    ("KernelRidge().fit(sparse, y)", TypeError, ["sparse", ".toarray()"]),
    ("KernelRidge().fit(X[0], y)", ValueError, ["Expected 2D array", "single point", "Reshape your data"]),
    ("KernelRidge().fit([], [])", ValueError, ["0 feature(s)", "minimum of 1"]),
    ("KernelRidge().fit(np.zeros((0, 2)), [])", ValueError, ["no point", "at least one"]),
    ("KernelRidge().fit(np.zeros((3, 0)), y)", ValueError, ["0 feature(s)", "minimum of 1"]),
    ("KernelRidge(lam=-1).fit(X, y)", ValueError, ["lam must be", "≥ 0", "-1"]),
    ("PrimalRidge(lam=-1).fit(X, y)", ValueError, ["lam must be", "≥ 0", "-1"]),
    ("DualRidge(lam=np.nan).fit(X, y)", ValueError, ["lam must be a finite number", "nan"]),
    ("KernelRidge(lam='a').fit(X, y)", TypeError, ["lam must be a number ≥ 0", "'a'"]),
    ("KernelRidge(lam=None).fit(X, y)", TypeError, ["lam must be a number ≥ 0", "None"]),
    ("PrimalRidge().fit(np.ones((3, 784)), y)", ValueError, ["ΦᵀΦ of D = 308,505", "761.4 GB", "DualRidge and Kernel"]),
    ("KernelRidge(kernel='rbf').fit(X, y)", TypeError, ["kernel must be a kernel, such as Gaussian(1.0)", "'rbf'"]),
    ("KernelRidge(kernel=Gaussian).fit(X, y)", TypeError, ["kernel must be a kernel, such as", "class"]),
    ("KernelRidge(Monomials(2)).fit(X, y)", TypeError, ["kernel must be a kernel, such as", "Monomials(2)"]),
    ("PrimalRidge(k).fit(X, y)", TypeError, ["feature_map must be a feature map, such as Monomials(2)", "Linear()"]),
    ("DualRidge(np.sin).fit(X, y)", TypeError, ["feature_map must be a feature map, such as", "sin"]),
    ("KernelRidge().predict(X)", NotFittedError, ["KernelRidge is not fitted", "fit(X, y)"]),
    ("PrimalRidge().predict(X)", NotFittedError, ["PrimalRidge is not fitted", "fit(X, y)"]),
    ("DualRidge().score(X, y)", NotFittedError, ["DualRidge is not fitted", "fit(X, y)"]),
    ("KernelRidge().primal_weights(Monomials(2))", NotFittedError, ["KernelRidge is not fitted", "fit(X, y)"]),
    ("fitted.predict(X[:, :1])", ValueError, ["X has 1 features", "expecting 2 features"]),
    ("fitted.predict(X[0])", ValueError, ["Expected 2D array", "single point", "Reshape your data"]),
    ("fitted.predict('abc')", TypeError, ["X must hold numbers", "'abc'"]),
    ("fitted.predict([[1, np.nan]])", ValueError, ["finite numbers", "NaN"]),
    ("fitted.score(X, y[:2])", ValueError, ["each of the 3 points", "(2,)"]),
    ("fitted.primal_weights('a')", TypeError, ["feature_map must be", "'a'"]),
    ("fitted.primal_weights(k)", TypeError, ["feature_map must be", "Linear()"]),
    ("KernelRidge(center=True).leave_one_out(X, y, [1])", ValueError, ["center=False", "means change"]),
    ("KernelRidge().leave_one_out(X, y, [1, 0])", ValueError, ["lams must be", "> 0", "0.0"]),
    ("KernelRidge().leave_one_out(X, y, [-1])", ValueError, ["lams must be", "> 0", "-1"]),
    ("KernelRidge().leave_one_out(X, y, 1.0)", ValueError, ["lams must be a list", "1.0"]),
    ("KernelRidge().leave_one_out(X, y, 'a')", TypeError, ["lams must hold numbers", "'a'"]),
    ("KernelRidge().leave_one_out(X[0], y, [1])", ValueError, ["Expected 2D array", "Reshape your data"]),
    ("KernelRidge(words, center=True).fit(['a', 'bb', 'c'], y)", TypeError, ["center=True needs vectors", "no mean"]),
    ("KernelRidge(words).fit('abc', y)", ValueError, ["a single point"]),
    ("KernelRidge(words).fit(['a', 'bb', 'c'], y[:2])", ValueError, ["each of the 3 points", "(2,)"]),
    ("KernelRidge().fit(['a', 'bb', 'c'], y)", TypeError, ["X must hold numbers", "['a', 'bb', 'c']"]),
    ("datasets.sine(0)", ValueError, ["n must be a whole number ≥ 1", "0"]),
    ("datasets.rings(noise=-1)", ValueError, ["noise must be", "≥ 0", "-1"]),
]


STUDY = [
    ("drill(Kriging(), X, y, 'luck')", ValueError, ["'luck'", "largest uncertainty", "regular grid"]),
    ("scores('random', Kriging().fit(X, y), X, 1.0)", ValueError, ["'random'", "that look at a model", "Thompson"]),
    ("drill(Kriging(), X, y, 'random', 4)", ValueError, ["3 places need a truth", "at most as many holes"]),
    ("drill(Kriging(), X, y[:2], 'random', 2)", ValueError, ["3 places need a truth of that length", "(2,)"]),
    ("drill(Kriging(), X, y, 'random', 0)", ValueError, ["holes must be a whole number ≥ 1", "0"]),
    ("drill(Kriging(), X, y, 'random', 3, tune_every='often')", TypeError, ["tune_every must be", "≥ 0", "'often'"]),
    ("drill(KernelRidge(), X, y, 'Thompson', 3)", TypeError, ["model must be a Kriging", "KernelRidge()"]),
    ("drill(Kriging(), X[:, :1], y, 'regular grid', 2)", ValueError, ["A regular grid", "(m, 2)", "(3, 1)"]),
    ("variogram(X, y[:2], [0, 9])", ValueError, ["one number for each of the 3 points", "(2,)"]),
    ("variogram(X, y[:, None], [0, 9])", ValueError, ["one number for each of the 3 points", "(3, 1)"]),
    ("variogram(X, y, [1])", ValueError, ["two or more increasing distances", "[1.0]"]),
    ("variogram(X, y, [0, 1, 1])", ValueError, ["two or more increasing distances", "[0.0, 1.0, 1.0]"]),
    ("variogram(X, y, [[0, 1], [2, 3]])", ValueError, ["two or more increasing distances"]),
    ("variogram(X, 1e200 * y, [0, 9])", ValueError, ["squared differences of y overflow", "scale"]),
    ("Formula(3)", TypeError, ["A formula is a text", "got 3"]),
    ("Formula('1 / (x - z)')([[1], [2]])", ValueError, ["1 / (x - z) is not a finite number at all of these points"]),
    ("Formula('sqrt(x*z)')([[1], [-2]])", ValueError, ["sqrt(x*z) is not a finite number at all of these points"]),
    ("Formula('1/(x - z)' + 9 * ' + 1/(x - z)')([[1]])", ValueError, ["+ 1/(x - z) + 1/(… is not"]),
    ("Formula('dot(x, z)')(X, X[:, :1])", ValueError, ["same number of features", "2 and 1"]),
    ("Formula('x * z')(X)", ValueError, ["x * z is a vector of 2 numbers for each pair", "dot(x, z)"]),
    ("Formula('x[2] * z[0]')(X)", ValueError, ["x[2] does not exist", "2 coordinates, from x[0] on"]),
    ("Formula('x[1]')([[1]])", ValueError, ["x[1] does not exist", "one coordinate, x[0]"]),
    ("Formula('x * z')(np.zeros((10**5, 1)))", ValueError, ["pairs of 100,000 and 100,000 points", "GB", "use fewer"]),
    ("choose(k, X, 4)", ValueError, ["m = 4 landmarks for 3 points"]),
    ("choose(k, X[0], 1)", ValueError, ["X must be a collection of points"]),
    ("choose(k, X, 0)", ValueError, ["m must be a whole number ≥ 1", "0"]),
    ("choose(k, X, 1, 'kmeans')", ValueError, ["by must be one of 'random', 'k-means'", "'kmeans'"]),
    ("choose(k, 1e200 * X, 1)", ValueError, ["k overflows: scale the inputs"]),
    ("choose('gauss', X, 1)", TypeError, ["kernel must be a kernel", "'gauss'"]),
    ("choose(words, ['a', 'ba'], 1, 'k-means')", TypeError, ["by='k-means' needs vectors", "no mean"]),
    ("hermite([0], 0)", ValueError, ["sigma must be", "> 0", "got 0"]),
    ("hermite([0], 1, -1)", ValueError, ["spread must be", "> 0", "got -1"]),
    ("hermite([0], 1e-200)", ValueError, ["spread/sigma must be between 1e-150 and 1e+150", "1e+200"]),
    ("hermite([0], 1, 5e-324)", ValueError, ["spread/sigma must be between 1e-150 and 1e+150", "e-324"]),
    ("hermite([0], 1, count=10**9)", ValueError, ["1,000,000,000 functions at 1 points are 8.0 GB"]),
    ("quadrature(3, -1)", ValueError, ["spread must be", "> 0", "got -1"]),
    ("quadrature(10_001)", ValueError, ["n must be at most 10,000 nodes", "got 10,001"]),
    ("eigenfunctions(3, X)", TypeError, ["k must be a kernel", "3"]),
    ("eigenfunctions(k, 1e200 * X)", ValueError, ["k overflows: scale the inputs"]),
    ("eigenfunctions(k, X, [1, 1])", ValueError, ["weights must hold 3 numbers ≥ 0", "(2,)"]),
    ("eigenfunctions(k, X, count=0)", ValueError, ["count must be a whole number ≥ 1", "0"]),
    ("eigenfunctions(k, X, [1, 1, -1])", ValueError, ["weights must hold 3 numbers ≥ 0"]),
    ("eigenfunctions(k, X, x=X[:, :1])", ValueError, ["same number of features", "2 and 1"]),
    ("eigenfunctions(Gaussian(1), X, like=[[1]] * 3)", ValueError, ["like must hold 3 functions", "(3, 3)", "(3, 1)"]),
    ("list(forward(X, y, most=0))", ValueError, ["most must be a whole number ≥ 1", "0"]),
    ("list(forward(X, y, degree=0))", ValueError, ["degree must be a whole number ≥ 1", "0"]),
    ("list(forward(X, y[:, None]))", ValueError, ["one number for each row of X, (3,)", "(3, 1)"]),
    ("list(forward(X, y, held_out=(X[:, :1], y)))", ValueError, ["same number of features", "2 and 1"]),
    ("list(forward(1e200 * X, y))", ValueError, ["squares of X overflow: scale"]),
    ("list(forward(1e100 * X, y))", ValueError, ["squares of the products of columns overflow: scale"]),
    ("lasso(X, y[:2])", ValueError, ["one number for each row of Phi, (3,)", "(2,)"]),
    ("lasso(1e200 * X, y)", ValueError, ["squares of Phi overflow: scale"]),
    ("lasso(X, 1e200 * y)", ValueError, ["squares of y overflow: scale"]),
    ("lasso(X, y, -1)", ValueError, ["lam must be", "≥ 0", "-1"]),
    ("lasso(X, y, tol=0)", ValueError, ["tol must be", "> 0", "0"]),
    ("lasso(X, y, max_iter=0)", ValueError, ["max_iter must be", "≥ 1", "0"]),
    ("lasso(X, y, start=[0])", ValueError, ["one weight for each of the 2 columns", "(1,)"]),
    ("mmd(k, [0, 1], X)", ValueError, ["X must be a sample of points", "X[:, None]"]),
    ("mmd(words, 'abab', ['ab'])", ValueError, ["X must be a sample of points"]),
    ("mmd(len, X, X)", TypeError, ["kernel must be a kernel", "len"]),
    ("mmd(k, X, X[:, :1])", ValueError, ["same number of features", "2 and 1"]),
    ("mmd(k, [[1e200]], [[-1e200]])", ValueError, ["k overflows: scale the inputs"]),
    ("mmd(Intersection(), -X, X)", ValueError, ["coordinates ≥ 0", "-5"]),
    ("permutation_test(Polynomial(50), 1e10 * X, X)", ValueError, ["k overflows: scale the inputs"]),
    ("permutation_test(k, X, X, 0)", ValueError, ["times must be a whole number ≥ 1", "0"]),
    ("permutation_test(k, X, X, times=10**12)", ValueError, ["GB, more than the", "take fewer times"]),
    ("witness(lambda X, Z: X - Z.T, [[0], [2]])", ValueError, ["= -2 and f(z, x) = 2 for points 0 and 1"]),
    ("witness(lambda X, Z: X, [[0], [2]])", ValueError, ["a matrix of all pairs of points", "(2, 1)"]),
    ("witness(lambda X, Z: X * np.inf, [[1]])", ValueError, ["K must hold finite numbers"]),
    ("witness(3, [[0]])", TypeError, ["f must be a function f(X, Z) → (n, m), or a kernel", "3"]),
    ("search(k, 0)", ValueError, ["d must be a whole number ≥ 1", "0"]),
    ("search(k, 1, 2.5)", ValueError, ["n must be a whole number ≥ 1", "2.5"]),
    ("repaired(np.eye(2), 'mend')", ValueError, ["'clip', 'flip' or 'shift'", "'mend'"]),
    ("repaired(np.ones((2, 3)), 'clip')", ValueError, ["a matrix of all pairs of points", "(2, 3)"]),
    ("repaired(np.empty((0, 0)), 'clip')", ValueError, ["a matrix of all pairs of points", "(0, 0)"]),
    ("effective_dimension(np.eye(2), [1, 0])", ValueError, ["lam must hold numbers > 0", "0"]),
]

CHOOSING = [
    ("cross_validate(KernelRidge(), X, y, 1)", ValueError, ["folds must be a whole number ≥ 2", "1"]),
    ("cross_validate(KernelRidge(), X, y, 4)", ValueError, ["from 2 to the number of points, 3", "4"]),
    ("cross_validate(KernelRidge(), X, y, 'loo')", TypeError, ["folds must be a whole number ≥ 2", "'loo'"]),
    ("cross_validate(KernelRidge(), X, y, 2.5)", TypeError, ["folds must be", "pairs (train, test)", "2.5"]),
    ("cross_validate(KernelRidge(), X, y, [])", ValueError, ["at least one pair (train, test)"]),
    ("cross_validate(KernelRidge(), X, y, [([0, 1], [3])])", ValueError, ["indices of the 3 points, from 0 to 2"]),
    ("cross_validate(KernelRidge(), X, y, [([0, 1], [-1])])", ValueError, ["indices of the 3 points, from 0 to 2"]),
    ("cross_validate(KernelRidge(), X, y, [([0, 1], [0.5])])", ValueError, ["indices of the 3 points"]),
    ("cross_validate(KernelRidge(), X, y, [([[0], [1]], [2])])", ValueError, ["indices of the 3 points"]),
    ("cross_validate(KernelRidge(), X, y, [([0], np.array([], int))])", ValueError, ["indices of the 3 points"]),
    ("splits([0, 1, 1, 2], 3, stratified=True)", ValueError, ["at most 2, the size of the largest class", "3"]),
    ("cross_validate(KernelRidge(), X, y, 3, -1)", ValueError, ["random_state must be a whole number ≥ 0", "-1"]),
    ("cross_validate(KernelRidge(), X, y[:2])", ValueError, ["one target", "each of the 3 points", "(2,)"]),
    ("cross_validate(KernelRidge(), X, 1e200 * y, 3)", ValueError, ["y must hold numbers below 1e+150", "squares"]),
    ("cross_validate(KernelSVM(), X, np.c_[y, y], 3)", ValueError, ["one label for each of the 3 points"]),
    ("median_distance([[1]])", ValueError, ["2 points or more", "1"]),
    ("median_distance(np.zeros((50_000, 1)))", ValueError, ["distances of 50,000 points", "GB", "at random"]),
    ("grid(None, X, y, lam=[1])", TypeError, ["a model such as KernelRidge()", "None"]),
    ("grid(KernelRidge(), X, y, lam=1)", TypeError, ["lam must be a list of values to try", "1"]),
    ("grid(KernelRidge(), X, y, lam=[])", TypeError, ["lam must be a list of values to try", "[]"]),
    ("grid(KernelRidge(), X, y, 'leave-one-out', lam=[None])", ValueError, ["lams must hold finite numbers"]),
    ("grid(KernelRidge(), X, y, gamma=[1])", ValueError, ["parameter 'gamma'", "KernelRidge()", "'lam'"]),
    ("grid(KernelRidge(), X, y, kernel__width=[1])", ValueError, ["parameter 'kernel__width'"]),
    ("grid(KernelSVM(k), 1e200 * np.eye(4), [0, 0, 1, 1], 2)", ValueError, ["k overflows: scale", "Linear()"]),
    ("grid(KernelSVM(Polynomial(2, 0)), 1e-80 * np.eye(4), [0, 0, 1, 1], 2)", ValueError, ["k vanishes: scale"]),
    ("learning_curve(KernelRidge(), X, y, [1, 3], 3)", ValueError, ["at most 2, the points of a training fold", "3"]),
    ("learning_curve(KernelRidge(), X, y, [0, 1], 3)", ValueError, ["sizes must be a whole number ≥ 1", "0"]),
    ("bias_variance(KernelRidge, draw, truth)", TypeError, ["a model such as KernelRidge()", "class"]),
    ("bias_variance(KernelSVM(), draw, truth)", TypeError, ["model must be a regressor", "KernelSVM()"]),
    ("bias_variance(KernelRidge(), 3, truth)", TypeError, ["sample must be a function seed → X, y", "3"]),
    ("bias_variance(KernelRidge(), lambda seed: 3, truth)", TypeError, ["seed → X, y", "sample(40) gives int"]),
    ("bias_variance(KernelRidge(), lambda seed: (X, y[:, None]), truth)", ValueError, ["one target for", "(3, 1)"]),
    ("bias_variance(KernelRidge(), draw, 3)", TypeError, ["truth must be a function (n, d) → (n,)", "3"]),
    ("bias_variance(KernelRidge(), draw, np.sin, points=X)", ValueError, ["truth must map 3 points", "(3, 2)"]),
    ("bias_variance(KernelRidge(), draw, truth, 0)", ValueError, ["repeats must be a whole number ≥ 1", "0"]),
]

PICTURES = [
    ("gradient(rgb)", ValueError, ["one channel", "(9, 9, 3)"]),
    ("votes(1.0, 1.0, 1)", ValueError, ["bins must be a whole number ≥ 2", "1"]),
    ("keypoints(flat, count=0)", ValueError, ["count must be a whole number ≥ 1", "0"]),
    ("keypoints(flat, inside=-1)", ValueError, ["inside must be", "≥ 0", "-1"]),
    ("keypoints(rgb)", ValueError, ["one channel and three scales or more", "(9, 9, 3)"]),
    ("keypoints(flat, (1, 2))", ValueError, ["one channel and three scales or more", "(2,)"]),
    ("keypoints(flat, (2, 4, 3))", ValueError, ["sigmas must rise", "[2.0, 4.0, 3.0]"]),
    ("keypoints(flat, (2, 2, 3))", ValueError, ["sigmas must rise", "[2.0, 2.0, 3.0]"]),
    ("descriptor(gradient(flat), (4, 4), 0)", ValueError, ["sigma must be", "> 0", "0"]),
    ("descriptors(flat, [[4, 4, 0]])", ValueError, ["sigma must be", "> 0", "0"]),
    ("descriptors(flat, [4, 4, 1])", ValueError, ["rows (row, column, σ)", "(3,)"]),
    ("descriptors(flat, [[4, 4]])", ValueError, ["rows (row, column, σ)", "(1, 2)"]),
    ("descriptors(flat, [[4, np.nan, 1]])", ValueError, ["points must hold finite numbers"]),
    ("matches(X, X, ratio=0)", ValueError, ["ratio must be", "> 0", "0"]),
    ("matches(X, X[:1])", ValueError, ["2 descriptors or more", "1"]),
    ("matches(X, X[:, :1])", ValueError, ["descriptors of one length", "2 and 1"]),
    ("convolve(y, flat)", ValueError, ["x must be a picture", "(3,)"]),
    ("convolve(X[:, :0], flat)", ValueError, ["x must be a picture", "(3, 0)"]),
    ("convolve([[np.nan]], flat)", ValueError, ["x must hold finite numbers", "NaN"]),
    ("convolve(flat, y)", ValueError, ["w must be a filter", "(3,)", "[[…]]"]),
    ("convolve(flat, flat, 'reflect')", ValueError, ["border must be one of 'zero'", "'reflect'"]),
    ("convolve(flat, rgb)", ValueError, ["needs a picture with channels", "(9, 9)"]),
    ("convolve(rgb, rgb[..., :2])", ValueError, ["3 channels, but the filter has 2"]),
    ("correlate(flat, np.ones((2, 3)))", ValueError, ["a filter with a middle", "(2, 3)"]),
    ("correlate(flat, y)", ValueError, ["w must be a filter", "(3,)"]),
    ("average(0)", ValueError, ["size must be a whole number ≥ 1", "0"]),
    ("gaussian(0)", ValueError, ["sigma must be", "> 0", "0"]),
    ("gaussian(1, 4)", ValueError, ["size must be odd", "4"]),
    ("gaussian(1e9)", ValueError, ["6,000,000,001 pixels each way", "GB", "take a smaller σ or size"]),
    ("gabor(-1.0)", ValueError, ["sigma must be", "> 0", "-1.0"]),
    ("gabor(wavelength=0)", ValueError, ["wavelength must be", "> 0", "0"]),
    ("gabor(stretch=0)", ValueError, ["stretch must be", "> 0", "0"]),
    ("gabor(wave='square')", ValueError, ["'cosine' or 'sine'", "'square'"]),
    ("integral(3, 45)", ValueError, ["0 or 90", "45"]),
    ("integral(0)", ValueError, ["length must be a whole number ≥ 1", "0"]),
    ("corner(4)", ValueError, ["size must be odd", "4"]),
    ("layers()", ValueError, ["odd height and width", "[]"]),
    ("layers(np.ones((2, 3)))", ValueError, ["odd height and width", "(2, 3)"]),
    ("filter_bank(0)", ValueError, ["orientations must be", "≥ 1", "0"]),
    ("filter_bank(6, ())", ValueError, ["at least one σ"]),
    ("bank_responses(rgb)", ValueError, ["one channel", "(9, 9, 3)"]),
] + [
    (call, ValueError, ["Nothing of this filter is left on whole pixels", "larger σ"])
    for call in (  # too narrow, too small, or a wave that is 0 or 1 at each of them
        "corner(1)",
        "laplacian_of_gaussian(0.1)",
        "laplacian_of_gaussian(2.0, size=1)",
        "gabor(0.1, 20)",
        "gabor(0.3, 20, stretch=0.2)",
        "gabor(2.0, 0, wavelength=2, wave='sine')",
        "gabor(2.0, 90, wavelength=1)",
        "derivative(30, sigma=0.01)",
        "filter_bank(scales=(0.05, 1.0))",
    )
]

PATIENTS = [
    ("patient(0, size=31)", ValueError, ["size must be a whole number ≥ 32", "31"]),
    ("patient(-1)", ValueError, ["seed must be a whole number ≥ 0", "-1"]),
    ("patient(0, look_alikes=('left',))", ValueError, ["'midline' or 'pair' or both", "'left'"]),
    ("head_mask(bytes)", ValueError, ["from about 0 to about 1", "up to 255", "divide"]),
    ("find_pose(head_mask(np.zeros((4, 64, 64))))", ValueError, ["no head in this picture"]),
    ("find_pose(np.ones((1, 1), bool))", ValueError, ["no head in this picture"]),
    ("Template.of([])", ValueError, ["there are none"]),
    ("pixel_features(bytes, BRIGHT)", ValueError, ["from about 0 to about 1", "up to 255", "divide"]),
    ("pixel_features(person.channels[:3], BRIGHT)", ValueError, ["four pictures, (4, rows, columns)", "(3, 32, 32)"]),
    ("pixel_features(person.channels[0], BRIGHT)", ValueError, ["four pictures, (4, rows, columns)", "(32, 32)"]),
    ("pixel_features(person.channels, ['colour'])", ValueError, ["groups must be among intensities", "'colour'"]),
    ("pixel_features(person.channels, [])", ValueError, ["groups must be among intensities", "got none"]),
    ("pixel_features(person.channels, ['alignment'])", ValueError, ["'alignment' needs a template"]),
    ("pixel_features(person.channels, ['atlas'])", ValueError, ["'atlas' needs a template"]),
    ("scan.of(['neighbourhood'])", ValueError, ["no features of the group 'neighbourhood'"]),
    ("scan.joined(scan._replace(mask=~scan.mask))", ValueError, ["different masks"]),
    ("some_pixels([], [])", ValueError, ["there are none"]),
    ("Segmenter(BRIGHT, lam=0).fit([scan], [person.tumour])", ValueError, ["lam must be", "> 0", "0"]),
    ("Segmenter(BRIGHT, degree=0).fit([scan], [person.tumour])", ValueError, ["degree must be", "≥ 1", "0"]),
    ("Segmenter(BRIGHT, pixels=0).fit([scan], [person.tumour])", ValueError, ["pixels must be", "≥ 1", "0"]),
    ("Segmenter(BRIGHT).fit([scan, scan], [person.tumour])", ValueError, ["2 scans and 1 tumours"]),
    ("Segmenter(BRIGHT).fit([scan], [person.tumour[:9]])", ValueError, ["(9, 32) and (32, 32)"]),
    ("Segmenter(BRIGHT).fit([scan], [person.tissue])", ValueError, ["A set of pixels holds True and False"]),
    ("dice([0.2, 0.9], [0, 1])", ValueError, ["A set of pixels holds True and False", "p > 0.5"]),
    ("dice([0, 1], [1])", ValueError, ["sets of the same pixels", "(2,) and (1,)"]),
    ("dice([0, 1], [[0], [1]])", ValueError, ["sets of the same pixels", "(2,) and (2, 1)"]),
]

EVERY = [*MASKED, *TABLES, *POINTS, *NUMBERS, *ALGEBRA, *PARTS, *MODELS, *STUDY, *CHOOSING, *PICTURES, *PATIENTS]


@pytest.mark.parametrize(("call", "error", "fragments"), EVERY)
def test_bad_input_is_refused_in_words(call, error, fragments):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises((ValueError, TypeError)) as caught:
            eval(call, SCOPE.copy())
    message = str(caught.value)
    assert caught.type is error, message
    for fragment in fragments:
        assert fragment in message
    assert "\n" not in message and len(message) < 700


def test_a_mask_that_hides_nothing_is_no_reason_to_refuse():
    assert (Linear()(np.ma.masked_array(X, mask=False), X) == Linear()(X, X)).all()


def test_numbers_are_kept_as_plain_numbers():
    assert type(Gaussian(np.float32(2)).sigma) is float and type(Gaussian(np.int8(2)).sigma) is int
    assert Gaussian(1).sigma == 1


# ---- points that are not vectors --------------------------------------------------------------

WORDS = ["a", "bb", "abc", "aaaa", "cab"]


@pytest.mark.parametrize(
    "k",
    [
        FromFeatures(lengths),
        FromFeatures(lengths) + 1,
        2 * FromFeatures(lengths) ** 2,
        Pullback(Gaussian(10.0), lengths),
        FromFeatures(lengths) * Pullback(Linear(), lengths),
        kernelkit.Conjugate(lambda words: lengths(words)[:, 0], Pullback(Linear(), lengths)),
    ],
    ids=repr,
)
def test_strings_are_points_like_any_other(k):
    K = k(WORDS)
    assert K.shape == (5, 5) and (K == K.T).all()
    assert type(k("abc", "bb")) is float  # one object is one point
    np.testing.assert_allclose(k("abc", WORDS), K[2], rtol=1e-13)
    np.testing.assert_allclose(k.diag(WORDS), K.diagonal(), rtol=1e-13)
    phi = k.feature_map(degree=20)
    np.testing.assert_allclose(phi(WORDS) @ phi(WORDS).T, K, rtol=1e-12, atol=1e-12)

    model = KernelRidge(k, lam=0.1).fit(WORDS, range(5))
    np.testing.assert_allclose(model.predict(WORDS), K @ np.linalg.solve(K + 0.1 * np.eye(5), range(5)), rtol=1e-8)
    assert model.predict(["dddd"]).shape == (1,)
    assert model.score(WORDS, range(5)) <= 1
    assert model.leave_one_out(WORDS, range(5), [0.1]).shape == (1, 5)


def test_a_matrix_of_kernel_values_that_does_not_fit_is_refused_before_it_is_made():
    X = np.zeros((100_000, 1))
    for call in (lambda: Linear()(X), lambda: Linear().squared_distance(X)):
        with pytest.raises(ValueError, match=r"^The Gram matrix of 100,000 points is 80\.0 GB, more than the 4\.3"):
            call()
    with pytest.raises(ValueError, match=r"^The matrix k\(X, Z\) of 100,000 and 50,000 points is 40\.0 GB"):
        Linear()(X, X[:50_000])


def test_a_flag_is_true_or_false():
    assert check_flag(True, "center") is True and check_flag(np.False_, "center") is False
    for other in ("False", 0, 1.0, None, [True]):
        with pytest.raises(TypeError, match=r"^center must be True or False, got "):
            check_flag(other, "center")
