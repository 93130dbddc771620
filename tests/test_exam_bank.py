"""The exam bank: eighty numbered questions, each with its answer, and every number of an answer computed."""

import re
from math import comb, degrees, log, sqrt
from pathlib import Path

import numpy as np

from kernelkit import (
    FromFeatures,
    Gaussian,
    GaussianSeries,
    Intersection,
    Jaccard,
    KernelDBSCAN,
    KernelDensity,
    KernelKMeans,
    KernelMachine,
    KernelPCA,
    KernelPerceptron,
    KernelRidge,
    KernelSVM,
    Kriging,
    Landmarks,
    Linear,
    MeanMap,
    Monomials,
    Normalized,
    Overlap,
    Polynomial,
    Precomputed,
    PrimalRidge,
    Subsequences,
    Subsets,
    Substrings,
    Totals,
    WeisfeilerLehman,
)
from kernelkit.images.filters import convolve, correlate, filter_bank
from kernelkit.images.segmentation import Pose, dice
from kernelkit.study.drilling import expected_improvement
from kernelkit.study.terms import allowed, forward
from kernelkit.study.two_samples import mmd

TEXT = (Path(__file__).parents[1] / "notebooks" / "exam-bank.md").read_text(encoding="utf-8")
QUESTION = re.compile(r"^\*\*(\d+)\*\* \((\d\d), (\d+) points\) (.*?)\n\*Answer\.\* (.*?)(?=\n\n|\Z)", re.M | re.S)
FOUND = {int(m[1]): m for m in QUESTION.finditer(TEXT)}


def answer(number):
    """The answer with one sign for minus and plain spaces."""
    return " ".join(FOUND[number][5].replace("−", "-").split())


def says(number, *values):
    """The answer holds each value, a text or a number as it would be written."""
    for value in values:
        text = value if isinstance(value, str) else f"{value:.10g}"
        assert re.search(rf"(?<![\d.]){re.escape(text)}(?!\.?\d)", answer(number)), f"{number}: {text}"


def pair(v, digits=10):
    """A vector as it is written in an answer."""
    return "(" + ", ".join(f"{round(float(x), digits) + 0.0:.10g}" for x in v) + ")"


# ---- the form ------------------------------------------------------------------------------------------


def test_eighty_questions_in_order_over_these_notebooks():
    assert list(FOUND) == list(range(1, 81)) and TEXT.count("*Answer.*") == 80
    notebooks = [m[2] for m in FOUND.values()]
    assert notebooks == sorted(notebooks) and set(notebooks) == {f"{i:02}" for i in range(19)}
    for m in FOUND.values():
        assert re.findall(r"^## (\d\d)", TEXT[: m.start()], re.M)[-1] == m[2], (
            "a question stands under another notebook"
        )


# ---- the numbers ---------------------------------------------------------------------------------------


def test_00():
    A = np.array([3.0, 4.0])
    w = A * 10 / (A @ A)
    says(1, pair(w), (2 * w / A)[0])
    says(2, *np.linalg.eigvalsh([[2, 3], [3, 2]]))


def test_01():
    says(3, comb(7, 3), comb(6, 3))
    assert Monomials(3).dim(4) == 35 and Monomials(3, 0).dim(4) == 20
    angle = np.linspace(0, 6, 9)
    x1, x2 = 3 * np.cos(angle), np.sin(angle)
    assert np.allclose(np.column_stack([x1**2, sqrt(2) * x1 * x2, x2**2]) @ [1 / 9, 0, 1], 1)
    says(4, "(1/9, 0, 1)")
    says(6, f"{comb(1003, 3):,}".replace(",", " "), round(8e-9 * comb(1003, 3), 2))


def test_01_exclusive_or():
    X = np.array([[1, 1], [-1, -1], [1, -1], [-1, 1]])
    assert np.array_equal(np.column_stack([np.ones(4), X, X.prod(axis=1)]) @ [0, 0, 0, 1], [1, 1, -1, -1])
    says(5, "(0, 0, 0, 1)")


def test_02_features():
    x, z, r = np.array([1.0, 2.0]), np.array([3.0, -1.0]), sqrt(2)
    Phi_x, Phi_z = np.array([1, r, 2 * r, 1, 2 * r, 4]), np.array([1, 3 * r, -r, 9, -3 * r, 1])
    assert np.allclose(sorted(Phi_x), sorted(Polynomial(2).feature_map()(x)))
    says(7, ", ".join(f"{v:.0f}" for v in Phi_x * Phi_z), Polynomial(2)(x, z))
    phi = lambda v: np.array([v[0] ** 3, sqrt(3) * v[0] ** 2 * v[1], sqrt(3) * v[0] * v[1] ** 2, v[1] ** 3])  # noqa: E731
    assert np.isclose(phi(x) @ phi(z), Polynomial(3, 0)(x, z)) and Polynomial(3, 0).feature_map().dim(2) == 4
    assert np.isclose(np.array([2, 2 * 0.7, 0.49]) @ np.array([2, -2 * 1.1, 1.21]), Polynomial(2, 2.0)([0.7], [-1.1]))


def test_02_geometry():
    k, x, z = Polynomial(2), np.array([1.0, 0.0]), np.array([0.0, 1.0])
    cosine = k(x, z) / sqrt(k(x, x) * k(z, z))
    assert cosine == 1 / 4
    says(10, f"{degrees(np.arccos(cosine)):.1f}°", round(sqrt(k.squared_distance(x[None], z[None]).item()), 3))
    says(11, round(np.linalg.det([[1, 1], [1, 0]])))
    says(12, (3 * Linear() + Polynomial(2)).feature_map().dim(2), (Linear() * Polynomial(2)).feature_map().dim(2))


def test_03():
    X, y = np.array([[1.0], [2.0]]), np.array([1.0, 1.0])
    model = KernelRidge(Linear(), lam=1.0).fit(X, y)
    says(13, pair(model.a_), PrimalRidge(Linear().feature_map(), lam=1.0).fit(X, y).w_[0])
    says(14, pair(model.predict(X)), pair(y - model.predict(X)))
    L = np.linalg.inv(X @ X.T + np.eye(2))
    error = y - [KernelRidge(Linear(), lam=1.0).fit(X[[j]], y[[j]]).predict(X[[i]])[0] for i, j in ((0, 1), (1, 0))]
    assert np.allclose(L.diagonal(), [5 / 6, 1 / 3]) and np.allclose(error, model.a_ / L.diagonal())
    says(16, "5/6, 1/3", f"{error[0]:.10g} and {abs(error[1].round(10)):.10g}", f"= {y[0] - error[0]:.10g}")
    rank = np.linalg.matrix_rank(Polynomial(2)(np.linspace(-2, 3, 10)[:, None]))
    says(17, int(rank), int(10 - rank))


def test_04():
    says(18, round(Gaussian(0.5)([0.0], [1.0]), 3), round(0.5 * sqrt(2 * log(2)), 3))
    assert np.isclose(Gaussian(0.5)([0.0], [0.5 * sqrt(2 * log(2))]), 0.5)
    says(19, round(sqrt(2), 3))
    votes = Gaussian(1.0)(np.array([[0.4]]), np.array([[0.0], [1.0], [3.0]]))[0]
    says(20, *np.round(votes, 3), f"+{votes @ [1, -1, -1] / votes.sum():.3f}")
    Phi = GaussianSeries(1.0, 2)(np.array([[1.0]]))[0]
    says(21, pair(Phi, 3), f"{Phi @ Phi:.3f}")


def test_05():
    s = lambda f: 1 / (1 + np.exp(-f))  # noqa: E731
    says(23, round(s(log(3)), 10), round(s(-log(3)), 10))
    K, y = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([1.0, 0.0])
    a = 0.5 * (y - s(np.zeros(2)))
    says(24, pair(a))
    assert np.array_equal(K @ a, a) and np.allclose(np.linalg.eigvalsh(K), [1, 3])
    says(25, pair(np.array([3, 1]) - np.array([1, 1]) * 2), pair([2, 2]))
    says(26, 2 / (3 / 4 + 0.25))


def test_06():
    X, y = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([1, -1])
    model = KernelPerceptron(Linear()).fit(X, y)
    says(27, pair(model.a_), pair(X.T @ model.a_), f"{model.counts_.sum():.0f} mistakes", f"{model.n_passes_} passes")
    gamma = (y * (X @ [1, -1])).min() / sqrt(2)
    says(28, (X**2).sum(axis=1).max(), round((X**2).sum(axis=1).max() / gamma**2))
    assert np.isclose(gamma, 1 / sqrt(2))


def test_07():
    X, y = np.array([[0.0], [4.0]]), np.array([-1, 1])
    model = KernelSVM(Linear(), C=np.inf, tol=1e-9).fit(X, y)
    w = (X.T @ model.a_).item()
    says(31, round(w, 6), round(model.b_, 6), round(1 / w, 6), *np.round(model.multipliers_, 6))
    hinges = np.maximum(0, 1 - np.array([2, 1, 0.4, -0.5]))
    says(32, ", ".join(f"{v:g}" for v in hinges), 4 / 2 + 2 * hinges.sum())
    eta, gap = 2 + 2 - 2 * 1, 1.5 + 0.5
    says(33, eta, gap / eta, round(min(gap / eta, 1 - 0.7, 0.9 - 0), 10))
    b = np.array([1, -1]) - np.array([0.3, -1.7])
    assert np.allclose(b, 0.7)
    says(34, 0.7, round(0.1 + 0.7, 10))
    says(35, *(f"{100 * m * 21:,}".replace(",", " ") for m in (350, 10_000)))


def test_08():
    says(36, round((1 - 0.6) / 0.5, 10))
    says(37, *np.clip([3, -0.4], -1, 1))
    w = np.array([1.0, -1.0])
    for _ in range(200):
        w = w - 0.1 * (w.sum() - 2) * np.ones(2)
    says(38, pair(w, 6))


def test_08_dual_weights():
    X, y, lam = np.array([[0.0], [1.0], [1.5], [4.0], [9.0]]), np.array([-1.0, 1.0, -1.0, 1.0, 1.0]), 0.5
    squared = KernelMachine(Linear() + 1, "squared", lam).fit(X, y)
    assert np.allclose(squared.a_, (y - squared.predict(X)) / lam)
    hinge = KernelMachine(Linear() + 1, "hinge", lam).fit(X, y)
    margin, pull = y * hinge.decision_function(X), y * lam * hinge.a_
    assert np.allclose(pull[margin > 1.001], 0) and np.allclose(pull[margin < 0.999], 1)
    assert (margin > 1.001).any() and (margin < 0.999).any() and ((pull > -1e-9) & (pull < 1 + 1e-9)).all()


def test_09():
    K, v = np.array([[1, 0.9, 0], [0.9, 1, 0.9], [0, 0.9, 1]]), np.array([1, -sqrt(2), 1])
    says(41, round(v @ K @ v, 3), round(np.linalg.eigvalsh(K)[0], 3))
    Phi = Intersection().feature_map(over=[1.0, 2.0, 3.0])(np.array([[2.0], [3.0]]))
    assert np.array_equal(Phi, [[1, 1, 0], [1, 1, 1]])
    says(43, "(1, 1, 0)", Intersection()([2.0], [3.0]))
    says(44, round(2 * np.sin(4) / 4, 3))


def test_10():
    K, y = np.array([[1.0, 1.0], [1.0, 1.0]]), np.array([1.0, 0.0])
    model = KernelRidge(Precomputed(), lam=1.0)
    errors = model.leave_one_out(K, y, [1.0]).ravel()
    said = "the errors are {:g} and {:g}".format(*np.round(errors, 10))
    says(45, pair(model.fit(K, y).a_, 3), said)
    fits = np.array([1, 2, 3])
    says(46, f"the squared bias is {(fits.mean() - 1) ** 2:g}", round(fits.var(), 3))
    says(46, round(np.mean((fits - 1) ** 2), 3))
    says(47, 12 * 10 * 5, 12)
    assert Gaussian(1.0)([0, 0], [0.5, 500]) == 0
    says(48, round(Gaussian(1.0)([0, 0], [1, 1]), 3))


def test_11():
    k = Polynomial(2)
    far = k.squared_distance([[0.0]], [[1.0]]).item()
    says(49, round(sqrt(far), 3), f"{degrees(np.arccos(k([0.0], [1.0]) / sqrt(k([1.0], [1.0])))):.0f}°")
    says(50, round(1 - 2 * np.mean([0.8, 0.4]) + np.mean([1, 0.6, 0.6, 1]), 10))
    K = np.array([[1, 0.8, 0.1], [0.8, 1, 0.2], [0.1, 0.2, 1]])
    says(51, *(round(2 - K[np.ix_(g, g)].sum() / 2, 10) for g in ([0, 1], [1, 2])))
    assert np.isclose(KernelKMeans(Precomputed()).fit(K).inertia_, 0.2)
    X = np.array([[0.0], [1], [2], [3.5], [10]])
    found = KernelDBSCAN(Linear(), eps=1.5, min_samples=3).fit(X)
    assert found.labels_.tolist() == [0, 0, 0, 0, -1] and np.flatnonzero(found.core_).tolist() == [1, 2]
    same = KernelDBSCAN(Gaussian(1.0), eps=sqrt(2 - 2 * np.exp(-(1.5**2) / 2)) + 1e-9, min_samples=3).fit(X)
    assert np.array_equal(same.labels_, found.labels_)


def test_12():
    model = KernelPCA(Precomputed(), n_components=1).fit(2 * np.eye(2))
    says(53, f"κ = {model.eigenvalues_[0]:g}", f"κ/n = {model.eigenvalues_[0] / 2:g}")
    assert np.allclose(np.sort(model.transform(2 * np.eye(2))[:, 0]), [-1, 1])
    bumps = KernelDensity(1.0).fit([[0.0], [2.0]])
    says(54, *np.round(np.exp(bumps.log_density([[0.0], [1.0]])), 3))
    left = KernelDensity().leave_one_out(np.array([[0.0], [1.0], [10.0]]), [1.0])
    says(55, round(left[0, 2], 2))
    X, Z = np.array([[0.0], [2.0]]), np.array([[1.0], [1.0]])
    says(56, mmd(Linear(), X, Z), f"7 - 10 + 4 = {mmd(Polynomial(2), X, Z):g}")


def test_13():
    model = Kriging(Gaussian(1.0), noise=0.25).fit([[0.0]], [2.0])
    (mean,), (std,) = model.predict([[1.0]], return_std=True)
    says(57, f"{mean:.3f}", round(std**2, 3), f"{std:.3f}")
    double = Kriging(Gaussian(1.0), noise=0.25).fit([[0.0]], [4.0]).predict([[1.0]], return_std=True)
    assert np.allclose(np.ravel(double), [2 * mean, std])
    evidence = Kriging(Gaussian(1.0), noise=1.0).fit([[0.0]], [1.0]).log_marginal_likelihood_
    says(59, -0.25, round(-log(2) / 2, 3), round(-log(2 * np.pi) / 2, 3), round(evidence, 3))
    gains = expected_improvement(np.array([1, 1.9]), np.array([1, 0.1]), best=2.0)
    assert np.isclose(gains[0], 10 * gains[1])
    says(60, round(gains[0], 3))


def test_14():
    k, x, z = Subsequences(2, 0.5), "abc", "acb"
    assert k.parts(x) == {"ab": 2**-2, "ac": 2**-3, "bc": 2**-2} and k(x, x) == k(z, z)
    says(61, k(x, z), k(x, x), round(Normalized(k)(x, z), 3))
    k, x, z = Substrings(2), "banana", "ananas"
    counts = ["; ".join(", ".join(f"{u} {n:g}" for u, n in k.parts(v).items()) for v in (x, z))]
    says(62, *counts, f"= {k(x, z):g}", round(Normalized(k)(x, z), 3), 26**2)
    first = 0.25 + 0.5 * 0.5
    says(63, pair([first, 0.5 + 0.5 * 0.2 + 0.5 * first - 0.25 * 0.5]), 0.25 * 0.5)
    says(64, *(f"{v:,}".replace(",", " ") for n in (60, 120) for v in (comb(n, 4), 4 * n * n)))
    says(64, f"about {comb(120, 4) / comb(60, 4):.0f} times")


def test_15():
    A, B = {*"abcd"}, {*"bcdef"}
    m = Overlap()(A, B)
    says(65, f"{m:g}, {comb(int(m), 2)} and 2³ = {Subsets()(A, B):g}", Jaccard()(A, B))
    says(65, round(Normalized(Subsets())(A, B), 3))
    x, z = [4.0, 0.0, 2.0], [1.0, 3.0, 2.0]
    far = Intersection().squared_distance([x], [z]).item()
    assert far == np.abs(np.subtract(x, z)).sum() and Intersection()(x, x) == Intersection()(z, z) == 6
    says(66, f"k(x, z) = {Intersection()(x, z):g}", f"= {far:g}")
    X, Z = [[0.0], [2.0]], [[1.0], [1.0], [4.0]]
    says(67, f"so {MeanMap(Linear())(X, Z):g}", f"= {MeanMap(Polynomial(2))(X, Z):g}")
    path, triangle = ([[0, 1, 0], [1, 0, 1], [0, 1, 0]], "CCC"), ([[0, 1, 1], [1, 0, 1], [1, 1, 0]], "CCC")
    k = WeisfeilerLehman(1)
    says(68, f"= {k(path, triangle):g}", f"{k(path, path):g} + {k(triangle, triangle):g}")
    says(68, f"= {k.squared_distance(path, triangle):g}")


def test_16():
    row, w = np.array([[2, 2, 2, 6, 6, 6]]), np.array([[1, 2, -3]])
    at_step = [pair(z[0, 2:4])[1:-1].replace(", ", " and ") for z in (convolve(row, w), correlate(row, w))]
    says(69, *at_step)
    says(70, pair(np.convolve([1, -1], [1, 1, 1, 1])), pair(np.convolve([1, -1], [1, -1])))
    bank = filter_bank(12, scales=(1.0, 2.0, 4.0, 8.0))
    says(71, f"2 + 2·4·12 = {sum(len(group.filters) for group in bank)}", f"{len(bank)} responses", f"{180 / 12:g}°",
         f"{180 / 12 / 2:g}°")  # fmt: skip
    rng = np.random.default_rng(0)
    x, w = rng.standard_normal((2, 8, 8)), rng.standard_normal((3, 3))
    w -= w.mean()
    sums = [convolve(picture, w, "wrap").sum() for picture in x]
    assert np.allclose(sums, 0) and np.isclose(convolve(x[0], w + 1, "wrap").sum(), 9 * x[0].sum())
    v, A = rng.standard_normal(64), np.array([convolve(e, w).ravel() for e in np.eye(64).reshape(64, 8, 8)]).T
    assert np.isclose(v @ convolve(x[0], w).ravel(), (A.T @ v) @ x[0].ravel())


def test_17():
    pixels = np.arange(8000)
    found, true = pixels < 250, (pixels >= 50) & (pixels < 350)
    says(73, round(dice(found, true), 3), f"{(found & ~true).sum()} + {(true & ~found).sum()} pixels",
         round(np.mean(found == true), 3), f"Dice {dice(found & False, true):g}", np.mean(~true))  # fmt: skip
    for angle in (0.0, np.pi / 2):
        pose = Pose(60.0, 70.0, angle, 50.0)
        u, v = pose.to_head(40.0, 90.0)
        says(74, pair([u, v]), "row {:.0f}, column {:.0f}".format(*pose.to_picture(-u, v)))
    Z, y = np.array([[3, 10], [1, 0], [0, 0], [0, 0]], float), np.array([1.0, 1, -1, -1])
    own = Z - Z.mean(axis=0)
    gains = (y @ own) ** 2 / (own**2).sum(axis=0)
    (step,) = forward(Z, y, most=1, degree=1)
    says(75, *map(pair, own.T), "{:g} and {:g}".format(*(y @ own)), "{:g} and {:g}".format(*(own**2).sum(axis=0)),
         *np.round(gains, 3), f"from 4 to {4 * step.loss:.3f}")  # fmt: skip
    assert step.term == (0,) and np.isclose(4 * step.loss, 4 - gains[0])
    weights = [Monomials(degree).dim(46) for degree in (1, 2, 3)]
    says(76, *weights[:2], f"{weights[2]:,}".replace(",", " "), len(allowed([(), (0,), (3,)], d=46)), 1128 - 1 - 2)


def test_18():
    says(77, 8 * 20_000**2 / 1e9, "63 245")
    assert int(sqrt(32e9 / 8)) == 63245
    k = FromFeatures(lambda X: X)
    c, x = np.array([1.0, 0, 0]), np.array([0.6, 0.8, 0])
    phi = Landmarks(k, [c])
    says(78, round(0.6 * 0.5, 10), round((phi(x) ** 2).sum(), 10), round(1 - (phi(x) ** 2).sum(), 10))
    says(79, round(100 * (0.1 / 0.02) ** 2))
    chunks = ([[1.0], [2.0]], [1.0, 1.0]), ([[3.0]], [2.0])
    totals = [Totals.of(Linear().feature_map(), X, y) for X, y in chunks]
    alone = [part.solve(1.0).item() for part in totals]
    says(80, sum(totals).gram.item(), sum(totals).moment.item(), round(sum(totals).solve(1.0).item(), 10),
         *np.round(alone, 10), round(np.mean(alone), 10))  # fmt: skip
