"""How fast support vector machines are fitted, beside LIBSVM at the same tolerance; sweeps, memory, bad scales."""

import tracemalloc

import numpy as np
from rows import Row, faster, in_figures
from sklearn.svm import SVC, SVR

from kernelkit import Gaussian, KernelSVM, KernelSVR, Polynomial, datasets

rng = np.random.default_rng(0)


def separable_by_a_curve(n, d):
    """Points in d dimensions whose class depends on a direction, on one square, and on noise."""
    X, w = rng.standard_normal((n, d)), rng.standard_normal(d)
    return X, np.sign(X @ w / np.sqrt(d) + 0.5 * rng.standard_normal(n) + 0.3 * (X[:, 0] ** 2 - 1))


def svm_fit(seconds, sizes):
    """Both stop at a violation of 1e-3; d = 2 is the mixture with its overlapping classes."""
    ratios = []
    for d in (2, 100, 784):
        for n in sizes:
            X, y = datasets.mixture(n) if d == 2 else separable_by_a_curve(n, d)
            sigma = 0.7 if d == 2 else np.sqrt(d)
            for C in (1.0, 10.0, 1000.0):
                ours, peer = KernelSVM(Gaussian(sigma), C), SVC(C=C, gamma=1 / (2 * sigma**2), cache_size=1000)
                row = faster(
                    f"KernelSVM.fit, n={n} d={d} C={C:g} | SVC",
                    lambda m=ours, X=X, y=y: m.fit(X, y),
                    lambda m=peer, X=X, y=y: m.fit(X, y),
                    2.0 if d == 784 and n >= 1000 else 0.6,
                    seconds / 2,
                )
                ratios.append(row.ratio)
                yield row
    yield geometric_mean("KernelSVM.fit, geometric mean of the rows above", ratios, 1.6)


def geometric_mean(task, ratios, goal):
    return Row(task, len(ratios), None, float(np.exp(np.mean(np.log(ratios)))), goal)


def svr_fit(seconds, sizes):
    """Both stop at a violation of 1e-3 of the problem with 2n weights."""
    ratios = []
    for d in (1, 10):
        for n in sizes:
            if d == 1:
                X, y = datasets.sine(n, 0.2)
                sigma = 0.7
            else:
                X, _ = separable_by_a_curve(n, d)
                y = np.sin(X[:, 0]) + 0.1 * rng.standard_normal(n)
                sigma = np.sqrt(d)
            for C in (1.0, 1000.0):
                ours, peer = KernelSVR(Gaussian(sigma), C), SVR(C=C, gamma=1 / (2 * sigma**2), cache_size=1000)
                row = faster(
                    f"KernelSVR.fit, n={n} d={d} C={C:g} | SVR",
                    lambda m=ours, X=X, y=y: m.fit(X, y),
                    lambda m=peer, X=X, y=y: m.fit(X, y),
                    0.4,
                    seconds / 2,
                )
                if d == 10:
                    ratios.append(row.ratio)
                yield row
    yield geometric_mean("KernelSVR.fit, geometric mean of the rows with d=10", ratios, 0.8)


def svm_sweep(seconds, sizes):
    """A slider of σ moved across 30 values, each fit starting from the last one."""
    X, y = datasets.mixture(200)

    def sweep():
        a = None
        for sigma in np.geomspace(0.2, 5, 30):
            a = KernelSVM(Gaussian(sigma)).fit(X, y, start=a).a_

    yield in_figures("30 of KernelSVM.fit with warm start along σ, n=200", sweep, 10, least=5)


def svm_memory(seconds, sizes):
    """Peak of one fit at n = 5000, d = 2, in MB."""
    X, y = datasets.mixture(5000)
    tracemalloc.start()
    KernelSVM(Gaussian(0.7)).fit(X, y)
    peak = tracemalloc.get_traced_memory()[1] / 1e6
    tracemalloc.stop()
    yield Row("peak memory of KernelSVM.fit, n=5000 d=2, in MB", peak, None, peak, 600, at_least=False)


def svm_of_a_bad_scale(seconds, sizes):
    X, y = datasets.mixture(200)
    ours, peer = KernelSVM(Polynomial(3), 1000.0), SVC(C=1000.0, kernel="poly", gamma=1, coef0=1, max_iter=500_000)
    task = "KernelSVM.fit, mixture n=200, cubic, C=1000 | SVC, stopped"
    yield faster(task, lambda: ours.fit(X, y), lambda: peer.fit(X, y), 5.0, seconds)
