"""The exam bank's answers to questions over 09 to 18: every number computed."""

from math import comb, degrees, exp, log, log10, pi, sqrt

import numpy as np
from exam_bank import FOUND, pair, says

from kernelkit import (
    FromFeatures,
    Gaussian,
    Intersection,
    Jaccard,
    KernelDBSCAN,
    KernelDensity,
    KernelKMeans,
    KernelPCA,
    KernelRidge,
    Kriging,
    Landmarks,
    Linear,
    MeanMap,
    Monomials,
    Normalized,
    Overlap,
    Polynomial,
    Precomputed,
    Subsequences,
    Subsets,
    Substrings,
    Totals,
    WeisfeilerLehman,
)
from kernelkit.images.filters import convolve, correlate, filter_bank, gabor
from kernelkit.images.segmentation import Pose, dice
from kernelkit.study.drilling import expected_improvement
from kernelkit.study.terms import allowed, forward, lasso
from kernelkit.study.two_samples import mmd


def test_09():
    K, v = np.array([[1, 0.9, 0], [0.9, 1, 0.9], [0, 0.9, 1]]), np.array([1, -sqrt(2), 1])
    says(44, round(v @ K @ v, 3), round(np.linalg.eigvalsh(K)[0], 3))
    Phi = Intersection().feature_map(over=[1.0, 2.0, 3.0])(np.array([[2.0], [3.0]]))
    assert np.array_equal(Phi, [[1, 1, 0], [1, 1, 1]])
    says(46, "(1, 1, 0)", f"+ 0 = {Intersection()([2.0], [3.0]):g}")
    X, v = np.array([0, 1, 2]), np.array([1, -1, 1])
    K = (abs(X[:, None] - X) <= 1).astype(int)
    says(47, round(np.sin(4) / (4 * np.pi), 3), *map(pair, K), f"v = {pair(v)}", f"= 3 - 4 = {v @ K @ v}")


def test_09_rules_that_do_not_hold():
    product = Linear()([1.0], [-1.0])
    says(45, product)
    minus = [k([1.0], [1.0]) - 2 * k([1.0], [1.0]) for k in (Linear(), Polynomial(2), Gaussian(1.0))]
    assert max(minus) < 0


def test_10():
    K, y = np.array([[1.0, 1.0], [1.0, 1.0]]), np.array([1.0, 0.0])
    model = KernelRidge(Precomputed(), lam=1.0)
    errors = model.leave_one_out(K, y, [1.0]).ravel()
    said = "the errors are {:g} and {:g}".format(*np.round(errors, 10))
    says(48, pair(model.fit(K, y).a_, 3), said)
    fits = np.array([1, 2, 3])
    says(49, (fits.mean() - 1) ** 2, round(fits.var(), 3))
    says(49, round(np.mean((fits - 1) ** 2), 3))
    says(50, f"= {12 * 10 * 5} fits", f"Therefore {12} eigendecompositions")
    assert Gaussian(1.0)([0, 0], [0.5, 500]) == 0
    squared = 0.5**2 + 500**2
    says(51, f"= {squared:,}".replace(",", " "), f"e^(-{squared / 2:,})".replace(",", " "))
    zeros = int(squared / 2 * log10(exp(1)))  # 10^(-54 286.9) begins with that many zeros after its point
    says(51, f"{zeros // 1000} 000")
    says(51, round(Gaussian(1.0)([0, 0], [1, 1]), 3))


def test_11():
    k = Polynomial(2)
    far = k.squared_distance([[0.0]], [[1.0]]).item()
    says(52, round(sqrt(far), 3), f"{degrees(np.arccos(k([0.0], [1.0]) / sqrt(k([1.0], [1.0])))):.0f}°")
    says(53, f"+ 0.8 = {1 - 2 * np.mean([0.8, 0.4]) + np.mean([1, 0.6, 0.6, 1]):g}")
    K = np.array([[1, 0.8, 0.1], [0.8, 1, 0.2], [0.1, 0.2, 1]])
    says(54, *(round(2 - K[np.ix_(g, g)].sum() / 2, 10) for g in ([0, 1], [1, 2])))
    assert np.isclose(KernelKMeans(Precomputed()).fit(K).inertia_, 0.2)
    X = np.array([[0.0], [1], [2], [3.5], [10]])
    found = KernelDBSCAN(Linear(), eps=1.5, min_samples=3).fit(X)
    assert found.labels_.tolist() == [0, 0, 0, 0, -1] and np.flatnonzero(found.core_).tolist() == [1, 2]
    says(55, f"√(2 - 2e^(-{1.5**2 / 2:g}/σ²))", f"√2 = {sqrt(2):.3f}")
    for sigma in (0.5, 1.0, 3.0):
        eps = sqrt(2 - 2 * np.exp(-(1.5**2) / 2 / sigma**2)) + 1e-9
        same = KernelDBSCAN(Gaussian(sigma), eps=eps, min_samples=3).fit(X)
        assert np.array_equal(same.labels_, found.labels_) and np.array_equal(same.core_, found.core_)
        kept = KernelDBSCAN(Gaussian(sigma), eps=1.5, min_samples=3).fit(X)
        assert kept.labels_.tolist() == [0] * 5 and kept.core_.all()


def test_12():
    model = KernelPCA(Precomputed(), n_components=1).fit(2 * np.eye(2))
    says(56, f"κ = {model.eigenvalues_[0]:g}", f"κ/n = {model.eigenvalues_[0] / 2:g}")
    assert np.allclose(np.sort(model.transform(2 * np.eye(2))[:, 0]), [-1, 1])
    bumps = KernelDensity(1.0).fit([[0.0], [2.0]])
    says(57, *np.round(np.exp(bumps.log_density([[0.0], [1.0]])), 3))
    left = KernelDensity().leave_one_out(np.array([[0.0], [1.0], [10.0]]), [1.0])
    says(58, round(left[0, 2], 2))
    points, widths = np.array([[0.0], [1.0], [10.0]]), 2.0 ** np.arange(5, -9, -1)
    own = np.array([KernelDensity(sigma).fit(points).log_density(points) for sigma in widths])
    assert (np.exp(own) >= 1 / (3 * widths[:, None] * sqrt(2 * pi)) - 1e-12).all()
    assert (np.diff(own.sum(axis=1)) > 0).all()  # here each smaller width even beats the one before it
    X, Z = np.array([[0.0], [2.0]]), np.array([[1.0], [1.0]])
    says(59, f"xz it is {mmd(Linear(), X, Z):g}", f"7 - 10 + 4 = {mmd(Polynomial(2), X, Z):g}")
    within, between, other = (Polynomial(2)(A, B).mean() for A, B in ((X, X), (X, Z), (Z, Z)))
    says(59, f"(1 + 1 + 1 + 25)/4 = {within:g}, (1 + 9)/2 = {between:g} and {other:g}")


def test_13():
    model = Kriging(Gaussian(1.0), noise=0.25).fit([[0.0]], [2.0])
    (mean,), (std,) = model.predict([[1.0]], return_std=True)
    says(60, f"{mean:.3f}", round(std**2, 3), f"{std:.3f}")
    double = Kriging(Gaussian(1.0), noise=0.25).fit([[0.0]], [4.0]).predict([[1.0]], return_std=True)
    assert np.allclose(np.ravel(double), [2 * mean, std])
    evidence = Kriging(Gaussian(1.0), noise=1.0).fit([[0.0]], [1.0]).log_marginal_likelihood_
    says(62, -0.25, round(-log(2) / 2, 3), round(-log(2 * np.pi) / 2, 3), round(evidence, 3))
    gains = expected_improvement(np.array([1, 1.9]), np.array([1, 0.1]), best=2.0)
    assert np.isclose(gains[0], 10 * gains[1])
    says(63, f"+ 0.242 = {gains[0]:.3f}", f"{gains[0]:.3f}")


def test_14():
    k, x, z = Subsequences(2, 0.5), "abc", "acb"
    assert k.parts(x) == {"ab": 2**-2, "ac": 2**-3, "bc": 2**-2} and k(x, x) == k(z, z)
    says(64, f"2γ⁵ = {k(x, z):g}", f"γ⁶ = {k(x, x):.10g}", round(Normalized(k)(x, z), 3))
    k, x, z = Substrings(2), "banana", "ananas"
    counts = ["{}, {} and {}".format(*(f"{n:g} for “{u}”" for u, n in k.parts(v).items())) for v in (x, z)]
    says(
        65,
        f"For “{x}” the entries are {counts[0]}",
        f"For “{z}” they are {counts[1]}",
        f"+ 2·2 = {k(x, z):g}",
        round(Normalized(k)(x, z), 3),
        f"Φ has {26**2}",
    )
    M, gamma = 0.5**2 * np.ones((2, 2)), 0.5  # "aa" and "aa": each letter matches each, with the value γ²
    S = np.array(
        [[sum(gamma ** (i - a + j - b) * M[a, b] for a, b in np.ndindex(i + 1, j + 1)) for j in (0, 1)] for i in (0, 1)]
    )
    question = FOUND[66][4].replace("\n", " ")
    assert f"S(i − 1, ·) is {pair(S[0])}" in question and f"M(i, ·) is {pair(M[1])}" in question
    says(66, f"0.25 + 0.5·0.25 = {S[1, 0]:g}", pair(S[1]), f"0.25·0.25 = {gamma**2 * S[0, 0]:g}")
    says(66, f"0.25 + 0.5·{S[0, 1]:g} + 0.5·{S[1, 0]:g} - {gamma**2 * S[0, 0]:g}")
    says(67, *(f"{v:,}".replace(",", " ") for n in (60, 120) for v in (comb(n, 4), 4 * n * n)))
    says(67, f"about {comb(120, 4) / comb(60, 4):.0f} times")


def test_15():
    A, B = {*"abcd"}, {*"bcdef"}
    m = Overlap()(A, B)
    says(68, f"{m:g}, {comb(int(m), 2)} and 2³ = {Subsets()(A, B):g}", Jaccard()(A, B))
    says(68, round(Normalized(Subsets())(A, B), 3))
    x, z = [4.0, 0.0, 2.0], [1.0, 3.0, 2.0]
    far = Intersection().squared_distance([x], [z]).item()
    assert far == np.abs(np.subtract(x, z)).sum() and Intersection()(x, x) == Intersection()(z, z) == 6
    says(69, f"k(x, z) = {Intersection()(x, z):g}", f"k(z, z) = {Intersection()(z, z):g}", f"- 2·3 = {far:g}")
    X, Z = [[0.0], [2.0]], [[1.0], [1.0], [4.0]]
    says(70, MeanMap(Linear())(X, Z), f"= {MeanMap(Polynomial(2))(X, Z):g}")
    path, triangle = ([[0, 1, 0], [1, 0, 1], [0, 1, 0]], "CCC"), ([[0, 1, 1], [1, 0, 1], [1, 1, 0]], "CCC")
    k = WeisfeilerLehman(1)
    says(71, f"= {k(path, triangle):g}", f"{k(path, path):g} + {k(triangle, triangle):g}")
    says(71, f"= {k.squared_distance(path, triangle):g}")


def test_16():
    row, w = np.array([[2, 2, 2, 6, 6, 6]]), np.array([[1, 2, -3]])
    at_step = [pair(z[0, 2:4])[1:-1].replace(", ", " and ") for z in (convolve(row, w), correlate(row, w))]
    says(72, *at_step)
    says(73, pair(np.convolve([1, -1], [1, 1, 1, 1])), pair(np.convolve([1, -1], [1, -1])))
    bank = filter_bank(12, scales=(1.0, 2.0, 4.0, 8.0))
    says(
        74,
        f"2 + 2·4·12 = {sum(len(group.filters) for group in bank)}",
        f"{len(bank)} responses",
        f"{180 / 12:g}°",
        f"angles {180 / 12 / 2:g}°, {180 / 12 * 3 / 2:g}° and so on",
    )
    rng = np.random.default_rng(0)
    x, w = rng.standard_normal((2, 8, 8)), rng.standard_normal((3, 3))
    w -= w.mean()
    sums = [convolve(picture, w, "wrap").sum() for picture in x]
    assert np.allclose(sums, 0) and np.isclose(convolve(x[0], w + 1, "wrap").sum(), 9 * x[0].sum())
    v, A = rng.standard_normal(64), np.array([convolve(e, w).ravel() for e in np.eye(64).reshape(64, 8, 8)]).T
    assert np.isclose(v @ convolve(x[0], w).ravel(), (A.T @ v) @ x[0].ravel())


def test_16_which_rotations_change_the_responses():
    angles = np.arange(0.0, 15.1, 2.5)
    for wave in ("sine", "cosine"):
        unit = lambda angle, wave=wave: (w := gabor(4.0, angle, None, wave, 2.0, size=81)) / np.linalg.norm(w)  # noqa: E731
        filters = [unit(15 * j) for j in range(12)]
        fit = [max(abs((w * unit(angle)).sum()) for w in filters) for angle in angles]
        assert np.allclose([fit[0], fit[-1]], 1) and max(fit[1:-1]) < 0.999
        assert angles[np.argmin(fit)] == 180 / 12 / 2


def test_17():
    pixels = np.arange(8000)
    found, true = pixels < 250, (pixels >= 50) & (pixels < 350)
    says(
        76,
        round(dice(found, true), 3),
        f"{(found & ~true).sum()} + {(true & ~found).sum()} = {(found != true).sum()} pixels",
        round(np.mean(found == true), 3),
        f"a Dice score of {dice(found & False, true):g}",
        np.mean(~true),
    )
    for angle in (0.0, np.pi / 2):
        pose = Pose(60.0, 70.0, angle, 50.0)
        u, v = pose.to_head(40.0, 90.0)
        says(77, pair([u, v]), "row {:.0f}, column {:.0f}".format(*pose.to_picture(-u, v)))
    Z, y = np.array([[3, 10], [1, 0], [0, 0], [0, 0]], float), np.array([1.0, 1, -1, -1])
    own = Z - Z.mean(axis=0)
    gains = (y @ own) ** 2 / (own**2).sum(axis=0)
    (step,) = forward(Z, y, most=1, degree=1)
    says(
        78,
        *map(pair, own.T),
        "{:g} and {:g}".format(*(y @ own)),
        "{:g} and {:g}".format(*(own**2).sum(axis=0)),
        "16/6 = {:.3f} and by 100/75 = {:.3f}".format(*gains),
        f"from 4 to {4 * step.loss:.3f}",
    )
    assert step.term == (0,) and np.isclose(4 * step.loss, 4 - gains[0])
    both = np.column_stack([np.ones(4), Z[:, 0]])  # the constant is fitted again, too
    assert np.isclose(((y - both @ np.linalg.lstsq(both, y)[0]) ** 2).sum(), 4 * step.loss)
    weights = [Monomials(degree).dim(46) for degree in (1, 2, 3)]
    says(79, f"has {weights[0]}", f"= {weights[1]}", f"= {weights[2]:,}".replace(",", " "))
    says(79, f"44 + 3 = {len(allowed([(), (0,), (3,)], d=46))}", f"{weights[1]} - 3 = {weights[1] - 1 - 2}")


def test_17_weights_of_0():
    Phi, y = np.array([[2.0], [0.0]]), np.array([3.0, 1.0])
    assert (Phi**2).sum() == 4 and (Phi.T @ y).item() == 6
    says(80, *(f"w = {abs(lasso(Phi, y, lam).item()):.10g}" for lam in (3, 8)))
    short = (KernelRidge(Linear(), lam).fit(Phi, y).a_ @ Phi[:, 0] for lam in (3, 8))
    says(80, "{:.3f} for λ = 3 and {:g} for λ = 8".format(*short))


def test_18():
    says(81, 8 * 20_000**2 / 1e9, "63 245")
    assert int(sqrt(32e9 / 8)) == 63245
    k = FromFeatures(lambda X: X)
    c, x = np.array([1.0, 0, 0]), np.array([0.6, 0.8, 0])
    phi = Landmarks(k, [c])
    says(82, round(0.6 * 0.5, 10), round((phi(x) ** 2).sum(), 10), round(1 - (phi(x) ** 2).sum(), 10))
    says(83, round(100 * (0.1 / 0.02) ** 2))
    chunks = ([[1.0], [2.0]], [1.0, 1.0]), ([[3.0]], [2.0])
    totals = [Totals.of(Linear().feature_map(), X, y) for X, y in chunks]
    alone = [part.solve(1.0).item() for part in totals]
    says(
        84,
        f"5 + 9 = {sum(totals).gram.item():g}",
        f"3 + 6 = {sum(totals).moment.item():g}",
        f"w = 9/(14 + 1) = {sum(totals).solve(1.0).item():.10g}",
        "3/(5 + 1) = {:.10g} and the second gives 6/(9 + 1) = {:.10g}".format(*alone),
        round(np.mean(alone), 10),
    )
