"""How fast the models of distances are, beside scikit-learn on the same distances; the kernel's time is in both."""

import numpy as np
from rows import Row, faster, in_turn
from sklearn.cluster import DBSCAN
from sklearn.neighbors import KNeighborsClassifier

from kernelkit import Gaussian, KernelDBSCAN, KernelNeighbors, datasets
from kernelkit.models.clustering import assigned, mean_weights

k = Gaussian(0.5)


def lengths(X, Z=None):
    """‖Φ(x) − Φ(z)‖ as the peer wants it: with no number below 0."""
    return np.sqrt(k.squared_distance(X, Z))


def distances(seconds, sizes):
    for n in (500,) if len(sizes) == 2 else (500, 2000):
        X, y = datasets.moons(n)
        Z, _ = datasets.moons(n, random_state=1)
        D = np.zeros((n, n))  # what the peer's k-NN is fitted to it does not read
        yield faster(
            f"KernelDBSCAN.fit, moons n={n} | scikit-learn",
            lambda X=X: KernelDBSCAN(k, 0.3).fit(X),
            lambda X=X: DBSCAN(eps=0.3, metric="precomputed").fit(lengths(X)),
            1.2,
            seconds / 2,
        )
        yield faster(
            f"KernelNeighbors, fit and predict, moons n={n} | scikit-learn",
            lambda X=X, y=y, Z=Z: KernelNeighbors(k).fit(X, y).predict(Z),
            lambda X=X, y=y, Z=Z, D=D: KNeighborsClassifier(metric="precomputed").fit(D, y).predict(lengths(Z, X)),
            1.0,
            seconds / 2,
        )
        yield step_of_k_means(k(X), seconds)


def step_of_k_means(K, seconds, groups=8):
    n = len(K)
    a = mean_weights(np.arange(n) % groups, groups)
    ours, peer, ratio = in_turn(lambda: assigned(K, a), lambda: K @ a, seconds / 4)
    return Row(f"KernelKMeans, a step, n={n}, 8 groups | K @ a", ours, peer, ratio, 3.0, at_least=False)
