"""Kernels of distributions: of samples, of Gaussians and their mixtures, and of points through a mixture."""

from dataclasses import dataclass
from math import hypot, log, pi, sqrt

import numpy as np

from kernelkit import features as phi, latex
from kernelkit.arrays import of_each_pair, squared_distance
from kernelkit.checks import check_array, check_one_order, check_same_width, check_width, names_of, short
from kernelkit.kernels.base import InnerProduct, Kernel, Unary, cosines_of_logs, of_both
from kernelkit.objects import check_one_width, check_probabilities, joined, read_bags, read_objects


@dataclass(frozen=True, repr=False)
class MeanMap(Unary):
    """k(x, z) = the mean of k(a, b) over all points a of the bag x and b of z, with the mean of Φ as features.

    A bag is a sample of a distribution, a collection of points of k, such as an array (size, d); a collection of bags
    is a list. Its distance ``squared_distance`` is the maximum mean discrepancy of two samples (Gretton et al. 2012).

    >>> from kernelkit import Linear
    >>> MeanMap(Linear())([[1.0], [3.0]], [[2.0], [4.0], [6.0]])  # the product of the means 2 and 4
    8.0
    """

    k: Kernel
    latex_binds = latex.PRODUCT

    @property
    def points(self):
        return f"bags of {self.k.points}"

    def read(self, X, name="X"):
        return read_bags(self.k, X, name, self.points)

    def gram(self, X, Z):
        if not len(X) or not len(Z):
            return np.zeros((len(X), len(Z)))
        sizes = np.array([len(z) for z in Z])
        starts = np.cumsum(sizes) - sizes
        everything = joined(Z)
        check_same_width(X[0], everything)
        sums = [np.add.reduceat(self.k.gram(x, everything).mean(axis=0), starts) for x in X]
        K = np.array(sums) / sizes
        return (K + K.T) / 2 if Z is X else K

    def feature_map(self, degree=None, over=None):
        return phi.Mean(self.k.feature_map(degree, over))

    def latex(self, x, z):
        k = latex.bracketed(self.k, "a", "b", latex.PRODUCT)
        return rf"\frac{{1}}{{|{x}|\,|{z}|}} \sum_{{a \in {x},\, b \in {z}}} {k}"


@dataclass(frozen=True, repr=False)
class Bhattacharyya(Kernel):
    """k(p, q) = ∫ √(p(t) q(t)) dt of two Gaussians, given as tuples (mean (d,), covariance (d, d)); k(p, p) = 1.

    With C = (C_p + C_q)/2 it is exp(−Δᵀ C⁻¹ Δ/8) · |C_p|^¼ |C_q|^¼/|C|^½ for the difference Δ of the means. Its feature
    is the function √p itself, of length ∫ p = 1.

    >>> round(Bhattacharyya()((0.0, 1.0), (2.0, 1.0)), 4)
    0.6065
    """

    points = "Gaussians"
    latex_binds = latex.PRODUCT

    def read(self, X, name="X"):
        example = "([0, 0], [[1, 0], [0, 1]])"
        gaussians, one = read_objects(X, name, "a Gaussian (mean, covariance)", example, read_gaussian)
        check_one_width([C for _, C in gaussians], name)
        return gaussians, one

    def gram(self, X, Z):
        if not len(X) or not len(Z):
            return np.zeros((len(X), len(Z)))
        check_same_width(X[0][1], Z[0][1])
        means = np.array([mean for mean, _ in Z])
        C = np.array([covariance for _, covariance in Z])
        sizes = np.linalg.slogdet(C)[1]
        return np.array([_affinity(x, means, C, sizes) for x in X])

    def diagonal(self, X):
        return np.ones(len(X))

    def latex(self, x, z):
        return rf"\int \sqrt{{p_{{{x}}}(t)\,p_{{{z}}}(t)}}\,dt"


def _affinity(x, means, covariances, sizes):
    """∫ √(p q) of the Gaussian x and each of m others with log |C_q| = sizes (m,): (m,)."""
    C = (x[1] + covariances) / 2
    delta = means - x[0]
    square = np.einsum("ij,ij->i", delta, np.linalg.solve(C, delta[:, :, None])[:, :, 0])
    size = np.linalg.slogdet(C)[1]
    return np.exp((np.linalg.slogdet(x[1])[1] + sizes) / 4 - size / 2 - square / 8)


def read_gaussian(p, name):
    """(mean (d,), covariance (d, d)); numbers are a Gaussian on a line; None for what is no pair."""
    if not isinstance(p, tuple) or len(p) != 2:
        return None
    check_one_order([*names_of(p[0]), *names_of(p[1])], f"The coordinates of {name}")
    mean = np.atleast_1d(check_array(p[0], f"The mean of {name}"))
    C = np.atleast_2d(check_array(p[1], f"The covariance of {name}"))
    if mean.ndim > 1 or not len(mean):
        raise ValueError(f"The mean of {name} must be a vector (d,), got shape {mean.shape}.")
    d = len(mean)
    if C.shape != (d, d) or not np.allclose(C, C.T, atol=1e-8 * np.abs(C).max()) or np.linalg.eigvalsh(C)[0] <= 0:
        raise ValueError(
            f"The covariance of {name} must be a symmetric, positive definite ({d}, {d}) matrix, got {short(p[1])}."
        )
    return mean, (C + C.T) / 2


@dataclass(frozen=True, repr=False)
class MixtureProduct(Kernel):
    """k(p, q) = ∫ p(t) q(t) dt of two mixtures of Gaussians, given as (weights (c,), means (c, d), sigma): closed form.

        Σ_ij w_i v_j N(μ_i; ν_j, (σ² + τ²) I)   for p with w, μ, σ and q with v, ν, τ

    Its feature is the function p itself (Jebara et al. 2004 with the exponent 1). In hundreds of dimensions the values
    are beyond all floats; ``Normalized`` uses their logarithms, which are not.

    >>> round(MixtureProduct()(([1.0], [[0.0]], 1.0), ([1.0], [[0.0]], 1.0)), 4)  # 1/√(4π)
    0.2821
    """

    points = "mixtures"
    latex_binds = latex.PRODUCT

    def read(self, X, name="X"):
        example = "([1.0], [[0.0]], 1.0)"
        mixtures, one = read_objects(X, name, "a mixture (weights, means, sigma)", example, read_mixture)
        check_one_width([means for _, means, _ in mixtures], name)
        return mixtures, one

    def gram(self, X, Z):
        return np.exp(of_each_pair(_log_overlap, X, Z))

    def diagonal(self, X):
        return np.exp(_own_overlaps(X))

    def normalized_gram(self, X, Z):
        return cosines_of_logs(of_each_pair(_log_overlap, X, Z), *of_both(_own_overlaps, X, Z))

    def latex(self, x, z):
        return rf"\int p_{{{x}}}(t)\,p_{{{z}}}(t)\,dt"


def _own_overlaps(X):
    return np.array([_log_overlap(x, x) for x in X])


def _log_overlap(x, z):
    (w, means, sigma), (v, others, tau) = x, z
    check_same_width(means, others)
    width = hypot(sigma, tau)
    with np.errstate(divide="ignore"):  # log 0 = −∞
        terms = np.add.outer(np.log(w), np.log(v)) - squared_distance(means, others, width) / 2
    return np.logaddexp.reduce(terms, axis=None) - means.shape[1] * log(sqrt(2 * pi) * width)


def read_mixture(p, name):
    """(weights (c,), means (c, d), sigma); None for what is no tuple of three."""
    if not isinstance(p, tuple) or len(p) != 3:
        return None
    check_one_order([*names_of(p[0])[:1], *names_of(p[1])[:1]], f"The components of {name}")
    weights = check_probabilities(p[0], f"The weights of {name}")
    means = check_array(p[1], f"The means of {name}")
    if means.ndim != 2 or len(means) != len(weights):
        raise ValueError(f"The means of {name} must be {len(weights)} rows (c, d), got shape {means.shape}.")
    return weights, means, check_width(p[2], f"sigma of {name}")


@dataclass(frozen=True, repr=False)
class FisherMixture(InnerProduct):
    """k(x, z) = s(x)ᵀs(z) with the score s(x) = ∇ log p(x) of a mixture of Gaussians, in the logits of its weights.

    The score is P(component | x) − P(component) for each component (Jaakkola and Haussler 1999; their information
    matrix taken as I).
    weights (c,), means (c, d), sigma > 0, the deviation of each component. A point is a vector.

    >>> round(FisherMixture([0.5, 0.5], [[-9.0], [9.0]])([8.0], [10.0]), 4)
    0.5
    """

    weights: tuple
    means: tuple
    sigma: float = 1.0

    def __post_init__(self):
        score = phi.MixtureScore(self.weights, self.means, self.sigma)
        for name in ("weights", "means", "sigma"):
            object.__setattr__(self, name, getattr(score, name))

    def feature_map(self, degree=None, over=None):
        return phi.MixtureScore(self.weights, self.means, self.sigma)

    def latex(self, x, z):
        return rf"\nabla \log p({x})^\top \nabla \log p({z})"
