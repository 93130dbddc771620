"""How fast Gram matrices are computed, beside scikit-learn's and the Gaussian's, and what they need of memory."""

import tracemalloc

import numpy as np
from rows import Row, faster, in_turn
from sklearn.metrics.pairwise import polynomial_kernel, rbf_kernel

from kernelkit import Gaussian, Intersection, Laplace, Matern, Normalized, Periodic, Polynomial, RationalQuadratic

rng = np.random.default_rng(0)


def gaussian_gram(seconds, sizes):
    for d, goal in ((2, 1.0), (100, 1.0), (784, 0.9)):
        for n in sizes:
            X, sigma = rng.standard_normal((n, d)), np.sqrt(d)
            k, gamma = Gaussian(sigma), 1 / (2 * sigma**2)
            task = f"Gaussian Gram, n={n} d={d} | rbf_kernel"
            yield faster(task, lambda k=k, X=X: k(X), lambda X=X, g=gamma: rbf_kernel(X, gamma=g), goal, seconds)


def polynomial_gram(seconds, sizes):
    for p in (3, 5):
        for d in (2, 100):
            for n in sizes:
                X, k = rng.standard_normal((n, d)), Polynomial(p)
                yield faster(
                    f"Polynomial({p}) Gram, n={n} d={d} | polynomial_kernel",
                    lambda k=k, X=X: k(X),
                    lambda p=p, X=X: polynomial_kernel(X, degree=p, gamma=1, coef0=1),
                    3.0,
                    seconds,
                )


def grams_of_other_kernels(seconds, sizes):
    """Each beside the Gaussian's; beyond 16 dimensions only close pairs are computed from differences."""
    for d in (2, 10):
        X, sigma = abs(rng.standard_normal((1000, d))), np.sqrt(d)
        bell, others = Gaussian(sigma), [Laplace(sigma), Matern(sigma, 2.5), RationalQuadratic(sigma), Periodic(sigma)]
        others += [Normalized(bell)] + [Intersection()] * (d == 2)  # which needs a pass for each coordinate
        for k in others:
            a, b, ratio = in_turn(lambda k=k, X=X: k(X), lambda k=bell, X=X: k(X), seconds / 4)
            yield Row(f"{type(k).__name__} Gram, n=1000 d={d} | Gaussian", a, b, ratio, 1.5, at_least=False)


def gram_memory(seconds, sizes):
    X = rng.standard_normal((2000, 10))
    for k in (Gaussian(3.0), Polynomial(3), Polynomial(5)):
        tracemalloc.start()
        k(X)
        peak = tracemalloc.get_traced_memory()[1] / (8 * len(X) ** 2)
        tracemalloc.stop()
        yield Row(f"peak memory of {k!r} Gram in n² doubles", peak, None, peak, 2.5, at_least=False)
