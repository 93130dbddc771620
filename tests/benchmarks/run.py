"""How fast kernelkit is, beside its peers: python tests/benchmarks/run.py [--short] [--json FILE]

Ours and the peer's code run in turn within one run, on one BLAS thread. The table has the medians of their processor
times and the median of the ratios of neighbours. "≥ 3" asks for three times the speed of the peer; "≤" bounds a cost.
What has no peer is compared with the drawing of a plain figure, so that no time depends on the machine. What misses
its goal by a factor of two is an error (exit status 1).
"""

import os

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"  # before numpy is imported

import argparse
import json
import subprocess
import sys
import time
import warnings
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from statistics import median

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

import panels
from claims import claims_of_the_notebooks
from distances import distances
from grams import gaussian_gram, gram_memory, grams_of_other_kernels, polynomial_gram
from large import large, workers
from objects import growth_of_objects, kernels_of_objects
from rows import Row, faster, in_figures, in_turn, milliseconds
from scipy.spatial.distance import pdist
from sklearn.datasets import load_digits, load_iris, load_wine
from sklearn.decomposition import KernelPCA as SklearnKernelPCA
from sklearn.exceptions import ConvergenceWarning
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF
from sklearn.kernel_ridge import KernelRidge as SklearnKernelRidge
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KernelDensity as SklearnKernelDensity
from sklearn.svm import SVC
from vector_machines import svm_fit, svm_memory, svm_of_a_bad_scale, svm_sweep, svr_fit

from kernelkit import (
    Gaussian,
    KernelDensity,
    KernelLogistic,
    KernelPCA,
    KernelRidge,
    KernelSoftmax,
    KernelSVM,
    Kriging,
    Polynomial,
    PrimalRidge,
    datasets,
)
from kernelkit.study.selection import grid

rng = np.random.default_rng(0)
FEWER = 5
SLOW = {"strings.language_map": 14}  # the kernel of all sentences, which is computed anew
warnings.simplefilter("ignore", ConvergenceWarning)  # a peer that is stopped on purpose


# ---- the tasks; each yields rows ----------------------------------------------------------------


def imports(seconds, sizes):
    keeping = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}  # as a learner's Python, which compiles only once

    def fresh(code):
        return lambda: subprocess.run([sys.executable, "-c", code], check=True, env=keeping)

    a, b, ratio = in_turn(fresh("import kernelkit"), fresh("import numpy"), 2 * seconds, time.perf_counter)
    yield Row("import kernelkit | import numpy", a, b, ratio, 1.4, at_least=False)


def ridge_fit(seconds, sizes):
    for n in sizes:
        X = rng.standard_normal((n, 10))
        y = np.sin(X[:, 0])
        ours, peer = KernelRidge(Gaussian(3.0), 0.1), SklearnKernelRidge(alpha=0.1, kernel="rbf", gamma=1 / 18)
        task = f"KernelRidge.fit, n={n} d=10 | scikit-learn"
        yield faster(task, lambda m=ours, X=X, y=y: m.fit(X, y), lambda m=peer, X=X, y=y: m.fit(X, y), 1.2, seconds)


def kriging(seconds, sizes):
    """Fit, then mean and standard deviation at as many new points."""
    for n in (500,) if len(sizes) == 2 else (500, 2000):
        X, Z = rng.standard_normal((2, n, 5))
        y = np.sin(X[:, 0])
        ours, peer = Kriging(Gaussian(2.0), 0.1), GaussianProcessRegressor(RBF(2.0), alpha=0.1, optimizer=None)
        yield faster(
            f"Kriging fit + predict with std, n={n} d=5 | scikit-learn",
            lambda m=ours, X=X, y=y, Z=Z: m.fit(X, y).predict(Z, return_std=True),
            lambda m=peer, X=X, y=y, Z=Z: m.fit(X, y).predict(Z, return_std=True),
            1.2,
            seconds,
        )


def leave_one_out(seconds, sizes):
    """All 200 points left out in turn against 5 folds: the cheapest search scikit-learn has for the same grid."""
    if len(sizes) == 2:  # a map over λ and σ, see below, is much the same
        return
    X = rng.standard_normal((200, 2))
    y = np.sin(X[:, 0])
    lams, sigmas = np.logspace(-4, 2, 30), np.logspace(-1, 1, 20)
    peer = search_of_the_peer(lams, sigmas)

    def ours():
        return [(KernelRidge(Gaussian(s)).leave_one_out(X, y, lams) ** 2).mean(axis=1) for s in sigmas]

    ours()
    a, b = median(milliseconds(ours) for _ in range(5)), FEWER * milliseconds(lambda: peer.fit(X, y))
    yield Row("leave-one-out, n=200, 30 λ × 20 σ | 5-fold GridSearchCV", a, b, b / a, 50)


def search_of_the_peer(lams, sigmas):
    """Every fifth σ of scikit-learn's search, which takes a fifth of its time: each pair costs the same."""
    values = {"alpha": lams, "gamma": 1 / (2 * sigmas[::FEWER] ** 2)}
    return GridSearchCV(SklearnKernelRidge(kernel="rbf"), values, cv=5, scoring="neg_mean_squared_error", refit=False)


def selection_map(seconds, sizes):
    """A map over λ and σ by leave-one-out, 30 × 30, and one over C and σ in 5 folds, 6 × 12, for n = 200."""
    X = rng.standard_normal((200, 2))
    y = np.sin(X[:, 0])
    lams, sigmas = np.logspace(-4, 2, 30), np.logspace(-1, 1, 30)
    model, peer = KernelRidge(), search_of_the_peer(lams, sigmas)

    def ours():
        return grid(model, X, y, "leave-one-out", kernel__sigma=sigmas, lam=lams)

    ours()
    a, b = median(milliseconds(ours) for _ in range(5)), FEWER * milliseconds(lambda: peer.fit(X, y))
    yield Row("grid 30 σ × 30 λ by leave-one-out | 5-fold GridSearchCV", a, b, b / a, 40)
    X, y = datasets.mixture(200)
    Cs, sigmas = np.logspace(-2, 3, 6), np.geomspace(0.1, 5, 12)
    machines = GridSearchCV(SVC(), {"C": Cs, "gamma": 1 / (2 * sigmas**2)}, cv=5, refit=False)
    task = "grid 12 σ × 6 C of KernelSVM, 5 folds | GridSearchCV"

    def machine_map():
        return grid(KernelSVM(), X, y, 5, kernel__sigma=sigmas, C=Cs)

    yield faster(task, machine_map, lambda: machines.fit(X, y), 1.3, seconds, least=1 if len(sizes) == 2 else 3)


def newton(seconds, sizes):
    X, y = datasets.moons(200, noise=0.3)
    model = KernelLogistic(Gaussian(0.5), 0.1)
    yield in_figures("KernelLogistic.fit by Newton, n=200", lambda: model.fit(X, y), 0.5, least=9)


def slopes(seconds, sizes):
    """How the cost grows: fitted slope of log time against log n, beside the theory's exponent as the goal."""
    n = np.array([500, 1000, 2000] if len(sizes) == 2 else [500, 1000, 2000, 4000])
    tasks = {
        "Gaussian Gram": (2, lambda X, y: Gaussian(0.7)(X)),
        "PrimalRidge.fit": (1, lambda X, y: PrimalRidge(Polynomial(8).feature_map(), 0.1).fit(X, y)),
        "KernelRidge.fit": (3, lambda X, y: KernelRidge(Gaussian(0.7), 0.1).fit(X, y)),
        "KernelSVM.fit": (3, lambda X, y: KernelSVM(Gaussian(0.7)).fit(X, y)),
    }
    for name, (exponent, action) in tasks.items():
        spent = []
        for size in n:
            X, y = datasets.mixture(int(size))
            spent.append(median(milliseconds(lambda X=X, y=y, f=action: f(X, y)) for _ in range(3)))
        slope = float(np.polyfit(np.log(n), np.log(spent), 1)[0])
        yield Row(f"{name}: time grows as n to the power", slope, None, slope, exponent + 0.3, at_least=False)


def logistic_fit(seconds, sizes):
    """The same minimum: features are built for the peer, the kernel needs none of them."""
    k = Polynomial(3)
    phi = k.feature_map()
    for n in (200, 500):
        X = rng.standard_normal((n, 20)) / 4  # 1771 features
        y = np.where(np.sin(3 * X[:, 0]) + X[:, 1] > 0, 1, -1)
        ours, peer = KernelLogistic(k, 1.0), LogisticRegression(C=1.0, fit_intercept=False, tol=1e-6, max_iter=5000)
        yield faster(
            f"KernelLogistic.fit, n={n}, 1771 features | scikit-learn",
            lambda m=ours, X=X, y=y: m.fit(X, y),
            lambda m=peer, X=X, y=y: m.fit(phi(X), y),
            1.3,
            seconds,
        )


def softmax_fit(seconds, sizes):
    """The same minimum, to 1e-8 of the objective: the peer gets the Cholesky factor of K, its time included.

    The last cell has a narrow kernel, for which the peer needs few steps, and asks ours for its own default tol.
    """
    for name, (X, y) in standardised(1300 if len(sizes) > 2 else 500):
        k = Gaussian(np.median(pdist(X)))
        for lam, tol in ((1.0, 1e-6), (0.1, 1e-7), (0.01, 1e-7)):
            yield softmax_row(name, KernelSoftmax(k, lam, tol=1e-2), X, y, tol, seconds)
    X, y = load_digits(return_X_y=True)
    yield softmax_row("raw digits n=500, σ=20", KernelSoftmax(Gaussian(20.0), 0.1), X[:500], y[:500], 1e-7, seconds)


def softmax_row(name, ours, X, y, tol, seconds):
    peer = LogisticRegression(C=1 / ours.lam, fit_intercept=False, tol=tol, max_iter=5000)

    def fit_peer():
        K = ours.kernel(X)
        peer.fit(np.linalg.cholesky(K + 1e-12 * np.eye(len(X))), y)

    task = f"KernelSoftmax.fit, {name}, λ={ours.lam:g} | scikit-learn"
    return faster(task, lambda: ours.fit(X, y), fit_peer, 0.8, seconds)


def components(seconds, sizes):
    for n in (500, 2000) if seconds > 1 else (500,):
        X = rng.standard_normal((n, 10))
        ours, peer = KernelPCA(Gaussian(3.0), 10), SklearnKernelPCA(10, kernel="rbf", gamma=1 / 18)
        task = f"KernelPCA of 10 components, n={n} d=10 | scikit-learn"
        yield faster(task, lambda m=ours, X=X: m.fit_transform(X), lambda m=peer, X=X: m.fit_transform(X), 1.2, seconds)


def density(seconds, sizes):
    for n in (500, 2000) if seconds > 1 else (500,):
        X = rng.standard_normal((n, 2))
        ours, peer = KernelDensity(0.5).fit(X), SklearnKernelDensity(bandwidth=0.5).fit(X)
        task = f"KernelDensity at its points, n={n} d=2 | scikit-learn"
        yield faster(task, lambda m=ours, X=X: m.log_density(X), lambda m=peer, X=X: m.score_samples(X), 1.0, seconds)


def standardised(n_digits):
    """Real data of more than two classes, inputs in units of their standard deviation."""
    for name, load in (("iris", load_iris), ("wine", load_wine), ("digits", load_digits)):
        X, y = (part[:n_digits] for part in load(return_X_y=True))
        yield f"{name} n={len(X)}", ((X - X.mean(axis=0)) / np.maximum(X.std(axis=0), 1e-12), y)


def explorers(seconds, sizes):
    """Compute and draw, over random states of the controls: every panel, or in the short run every sixth."""
    states, every = (50, 1) if seconds > 1 else (7, 6)
    for name, explorer in islice(panels.explorers().items(), 0, None, every):
        canvas = explorer.canvas()
        values = iter([explorer.start(), *({c.name: c.random(rng) for c in explorer.controls} for _ in range(states))])

        def picture(canvas=canvas, explorer=explorer, values=values):
            canvas.frame(panels.compute(explorer, next(values)))

        yield in_figures(f"one picture of {name}", picture, SLOW.get(name, 7), least=states)


TASKS = (
    imports,
    gaussian_gram,
    polynomial_gram,
    ridge_fit,
    kriging,
    leave_one_out,
    selection_map,
    grams_of_other_kernels,
    svm_fit,
    svr_fit,
    svm_sweep,
    svm_memory,
    newton,
    slopes,
    claims_of_the_notebooks,
    svm_of_a_bad_scale,
    logistic_fit,
    softmax_fit,
    components,
    density,
    distances,
    gram_memory,
    large,
    workers,
    kernels_of_objects,
    growth_of_objects,
    explorers,
)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--short", action="store_true", help="fewer sizes, repetitions and panels: about a minute")
    parser.add_argument("--json", metavar="FILE", help="write the table for machines")
    options = parser.parse_args()
    seconds, sizes = (0.25, (200, 1000)) if options.short else (2.0, (200, 1000, 3000))

    print(f"{'task | peer':<58}{'ours':>10}{'peer':>10}{'ratio':>8}   goal")
    rows = []
    for task in TASKS:
        for row in task(seconds, sizes):
            print(row, flush=True)
            rows.append(row)
    if options.json:
        with open(options.json, "w") as file:
            json.dump([asdict(row) | {"mark": row.mark} for row in rows], file, indent=1)
    failed = [row.task for row in rows if row.mark == "FAILED"]
    sys.exit(f"Missed by a factor of two: {'; '.join(failed)}." if failed else 0)


if __name__ == "__main__":
    main()
