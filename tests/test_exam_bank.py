"""The exam bank: eighty-four numbered questions over 00 to 18, and every number of their answers, computed."""

import re
from math import comb, degrees, exp, hypot, log, log10, pi, sqrt
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
from kernelkit.images.filters import convolve, correlate, filter_bank, gabor
from kernelkit.images.segmentation import Pose, dice
from kernelkit.study.drilling import expected_improvement
from kernelkit.study.terms import allowed, forward, lasso
from kernelkit.study.two_samples import mmd

PAGE = Path(__file__).parents[1] / "notebooks" / "teaching" / "exam-bank.md"
TEXT = PAGE.read_text(encoding="utf-8").replace("−", "-")
QUESTION = re.compile(r"^\*\*(\d+)\*\* \((\d\d)\b.*?\) (.*?)\n\*[^*\n]+\* (.*?)(?=\n\n|\Z)", re.M | re.S)
FOUND = {int(m[1]): m for m in QUESTION.finditer(TEXT)}


def says(number, *values):
    """The answer to a question holds each value: a number, with a space in thousands, or a text of numbers."""
    answer = " ".join(FOUND[number][4].split())
    for value in values:
        text = value if isinstance(value, str) else f"{value:.10g}"
        if re.fullmatch(r"\d{5,}", text):
            text = f"{int(text):,}".replace(",", " ")
        assert re.search(rf"(?<![\d.]){re.escape(text)}(?!\.?\d)", answer), f"{number}: {text}"


def pair(v, digits=10):
    """A vector as it is written in an answer."""
    return "(" + ", ".join(f"{round(float(x), digits) + 0.0:.10g}" for x in v) + ")"


def s(f):
    return 1 / (1 + np.exp(-np.asarray(f, float)))


def test_eighty_four_questions_are_in_the_order_of_the_notebooks_and_refer_to_earlier_ones_of_the_same():
    assert list(FOUND) == list(range(1, 85))
    notebooks = [m[2] for m in FOUND.values()]
    assert notebooks == sorted(notebooks) and {*notebooks} == {f"{i:02}" for i in range(19)}
    for n, m in FOUND.items():
        assert re.findall(r"^## (\d\d)", TEXT[: m.start()], re.M)[-1] == m[2], f"{n} stands under another notebook"
        for k in map(int, re.findall(r"\bquestion\s(\d+)", m[0])):
            assert k < n and FOUND[k][2] == m[2], f"{n} refers to {k}"


def test_00():
    A = np.array([3.0, 4.0])
    w = A * 10 / (A @ A)
    says(1, pair(w), (2 * w / A)[0])
    says(2, *np.linalg.eigvalsh([[2, 3], [3, 2]]))


def test_01():
    says(3, Monomials(3).dim(4), Monomials(3, 0).dim(4))
    angle = np.linspace(0, 6, 9)
    x1, x2 = 3 * np.cos(angle), np.sin(angle)
    assert np.allclose(np.column_stack([x1**2, sqrt(2) * x1 * x2, x2**2]) @ [1 / 9, 0, 1], 1)
    says(4, "(1/9, 0, 1)")
    X = np.array([[1, 1], [-1, -1], [1, -1], [-1, 1]])
    assert np.array_equal(np.column_stack([np.ones(4), X, X.prod(axis=1)]) @ [0, 0, 0, 1], [1, 1, -1, -1])
    says(5, "(0, 0, 0, 1)")
    says(6, comb(1003, 3), round(8e-9 * comb(1003, 3), 2))


def test_02():
    x, z, r = np.array([1.0, 2.0]), np.array([3.0, -1.0]), sqrt(2)
    Phi_x, Phi_z = np.array([1, r, 2 * r, 1, 2 * r, 4]), np.array([1, 3 * r, -r, 9, -3 * r, 1])
    assert np.allclose(sorted(Phi_x), sorted(Polynomial(2).feature_map()(x)))
    says(7, ", ".join(f"{v:.0f}" for v in Phi_x * Phi_z), Polynomial(2)(x, z))
    phi = Polynomial(3, 0).feature_map()
    assert np.allclose(sorted(phi([2.0, 3.0])), sorted([8, sqrt(3) * 12, sqrt(3) * 18, 27])) and phi.dim(2) == 4
    four = np.array([[1.0, 0], [0, 1], [1, 1], [1, -1]])
    says(8, *map(pair, four), np.linalg.matrix_rank(Polynomial(3, 0)(four)))
    assert np.isclose(np.array([2, 2 * 0.7, 0.49]) @ np.array([2, -2 * 1.1, 1.21]), Polynomial(2, 2.0)([0.7], [-1.1]))
    k, x, z = Polynomial(2), np.array([1.0, 0.0]), np.array([0.0, 1.0])
    cosine = k(x, z) / sqrt(k(x, x) * k(z, z))
    says(10, f"{degrees(np.arccos(cosine)):.1f}°", round(sqrt(k.squared_distance(x[None], z[None]).item()), 3))
    says(11, round(np.linalg.det([[1, 1], [1, 0]])))
    says(12, (3 * Linear() + Polynomial(2)).feature_map().dim(2), (Linear() * Polynomial(2)).feature_map().dim(2))


def test_03():
    X, y = np.array([[1.0], [2.0]]), np.array([1.0, 1.0])
    model = KernelRidge(Linear(), lam=1.0).fit(X, y)
    says(13, pair(model.a_), X[:, 0] @ model.a_, PrimalRidge(Linear().feature_map(), lam=1.0).fit(X, y).w_[0])
    says(14, pair(model.predict(X)), pair(y - model.predict(X)))
    L = np.linalg.inv(X @ X.T + np.eye(2))
    errors = KernelRidge(Linear()).leave_one_out(X, y, [1.0])[0]
    assert np.allclose(L.diagonal(), [5 / 6, 1 / 3]) and np.allclose(errors, model.a_ / L.diagonal())
    says(16, "(5/6, 1/3)", errors[0], abs(errors[1].round(10)), y[0] - errors[0])
    rank = np.linalg.matrix_rank(Polynomial(2)(np.linspace(-2, 3, 10)[:, None]))
    says(17, rank, 10 - rank)
    n, D = 1000, [Monomials(3).dim(d) for d in (10, 100)]
    counts = [c for d, D in zip((10, 100), D, strict=True) for c in (D**3 / 3 + D**2 * n, n**3 / 3 + n**2 * d)]
    says(18, D[0], "176 851", 90, 343, 1.9, 433)
    assert D[1] == 176_851 and np.allclose(counts, [90e6, 343e6, 1.9e15, 433e6], rtol=0.02)


def test_04():
    half = 0.5 * sqrt(2 * log(2))
    says(19, round(Gaussian(0.5)([0.0], [1.0]), 3), round(half, 3))
    assert np.isclose(Gaussian(0.5)([0.0], [half]), 0.5)
    says(20, round(sqrt(2), 3))
    votes = Gaussian(1.0)(np.array([[0.4]]), np.array([[0.0], [1.0], [3.0]]))[0]
    says(21, *votes.round(3), f"{votes @ [1, -1, -1] / votes.sum():.3f}", f"{votes[1:].sum():.3f}")
    Phi = GaussianSeries(1.0, 2)(np.array([[1.0]]))[0]
    says(22, pair(Phi, 3), f"{Phi @ Phi:.3f}")
    rng, t = np.random.default_rng(0), 1e4
    X, a, v = rng.standard_normal((5, 2)), rng.standard_normal(5), rng.standard_normal(2)
    assert np.isclose(Polynomial(3)(t * v[None], X)[0] @ a / t**3, a @ (X @ v) ** 3, rtol=1e-2)
    X, v = np.array([[1.0, 0.0], [-1.0, 0.0]]), np.array([1.0, 0.0])
    assert np.isclose(Polynomial(3)(t * v[None], X)[0].sum() / t**2, 6)  # the cubes cancel, a lower power is left


def test_05():
    says(24, round(float(s(log(3))), 10), round(float(s(-log(3))), 10))
    K, y = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([1.0, 0.0])
    a = 0.5 * (y - s(np.zeros(2)))
    assert np.array_equal(K @ a, a) and np.allclose(np.linalg.eigvalsh(K), [1, 3])
    says(25, pair(a))
    start, phi = np.array([3, 1]), np.array([1, 1])
    along = phi * (start @ phi) / (phi @ phi)
    assert (start - along) @ along == 0
    says(26, pair(along), pair(start - along))
    a, q = np.zeros(2), np.zeros(2)
    for i in (0, 1):
        change = 0.5 * (y[i] - s(q[i]))
        a[i] += change
        q += change * K[i]
        assert np.allclose(q, K @ a)
        says(28, pair(a, 3), pair(q, 3))
    says(28, f"{change:.3f}")
    scores = np.log([1, 2, 3])
    assert np.allclose(np.exp(scores) / np.exp(scores).sum(), [1 / 6, 1 / 3, 1 / 2])
    assert np.allclose(s(scores), [1 / 2, 2 / 3, 3 / 4])
    says(29, "1/6", "1/3", "1/2", "2/3", "3/4", round(s(scores).sum(), 3))


def test_05_the_longest_step():
    Phi, lam, rng = np.linalg.cholesky([[2.0, 1.0], [1.0, 2.0]]), 0.25, np.random.default_rng(0)
    h = np.linspace(-9, 9, 1801)
    largest = np.linalg.eigvalsh(Phi.T @ Phi)[-1]
    B = largest * (s(h) * (1 - s(h))).max() + lam
    says(27, largest, B, 2 / B)
    J = lambda w, y: np.log1p(np.exp((1 - 2 * y) * (Phi @ w))).sum() + lam / 2 * (w @ w)  # noqa: E731
    for _ in range(300):
        w, y, step = 3 * rng.standard_normal(2), rng.integers(0, 2, 2), rng.uniform(0, 2 / B)
        g = Phi.T @ (s(Phi @ w) - y) + lam * w
        change = J(w - step * g, y) - J(w, y)
        assert change <= (-step + B * step**2 / 2) * (g @ g) + 1e-12 and change < 0


def test_06():
    X, y = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([1, -1])
    model = KernelPerceptron(Linear()).fit(X, y)
    says(30, pair(model.a_), pair(X.T @ model.a_), model.counts_.sum(), model.n_passes_)
    gamma, R2 = (y * (X @ [1, -1])).min() / sqrt(2), (X**2).sum(axis=1).max()
    assert np.isclose(gamma, 1 / sqrt(2))
    says(31, R2, round(R2 / gamma**2))


def test_07():
    X, y = np.array([[0.0], [4.0]]), np.array([-1, 1])
    model = KernelSVM(Linear(), C=np.inf, tol=1e-9).fit(X, y)
    w = (X.T @ model.a_).item()
    says(34, round(w, 6), round(model.b_, 6), round(1 / w, 6), *model.multipliers_.round(6))
    hinges = np.maximum(0, 1 - np.array([2, 1, 0.4, -0.5]))
    says(35, *hinges, hinges.sum(), 4 / 2 + 2 * hinges.sum())
    eta, gap = 2 + 2 - 2 * 1, 1.5 + 0.5
    says(36, eta, gap / eta, min(gap / eta, 1 - 0.7, 0.9 - 0))
    K, a = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([0.7, 0.9])

    def dual(a):
        y = K @ [0.7, 0.9] + [1.5, -0.5]  # Ka and the residuals
        return y @ a - a @ K @ a / 2

    for step in (-0.1, 0.3, 1.0):
        assert np.isclose(dual(a + step * np.array([1, -1])) - dual(a), step * gap - eta * step**2 / 2)
    b = np.array([1, -1]) - np.array([0.3, -1.7])
    says(37, *b.round(10), round(0.1 + b[0], 10))
    says(38, *(100 * m * 21 for m in (350, 10_000)))


def test_08():
    says(39, round((1 - 0.6) / 0.5, 10))
    says(40, *np.clip([3, -0.4], -1, 1))
    w = np.array([1.0, -1.0])
    for _ in range(200):
        w = w - 0.1 * (w.sum() - 2) * np.ones(2)
    says(41, pair(w, 6))
    x, z, y = np.array([[2.0, 1.0]]), np.array([0.0, 1.0]), np.array([1.0])
    R = np.array([[2, -1], [1, 2]]) / sqrt(5)
    assert np.allclose(x @ R, [[hypot(2, 1), 0]]) and np.allclose(z @ R, [1 / sqrt(5), 2 / sqrt(5)])
    w, turned = lasso(x, y, 0.1), lasso(x @ R, y, 0.1)
    says(42, pair(w, 3), round(w @ z, 10), pair(turned, 3), f"{turned[0]:.3f}", round(turned @ (z @ R), 3))
    ridge = [KernelRidge(Linear(), 0.1).fit(x @ M, y).predict([z @ M])[0] for M in (np.eye(2), R)]
    assert np.isclose(*ridge)
    X, y, lam = np.array([[0.0], [1.0], [1.5], [4.0], [9.0]]), np.array([-1.0, 1.0, -1.0, 1.0, 1.0]), 0.5
    squared, hinge = (KernelMachine(Linear() + 1, loss, lam).fit(X, y) for loss in ("squared", "hinge"))
    assert np.allclose(squared.a_, (y - squared.predict(X)) / lam)
    margin, pull = y * hinge.decision_function(X), y * lam * hinge.a_
    assert np.allclose(pull[margin > 1.001], 0) and np.allclose(pull[margin < 0.999], 1)
    assert (margin > 1.001).any() and (margin < 0.999).any() and ((pull > -1e-9) & (pull < 1 + 1e-9)).all()


def test_09():
    K, v = np.array([[1, 0.9, 0], [0.9, 1, 0.9], [0, 0.9, 1]]), np.array([1, -sqrt(2), 1])
    says(44, round(v @ K @ v, 3), round(np.linalg.eigvalsh(K)[0], 3))
    says(45, Linear()([1.0], [-1.0]))
    assert all(k([1.0], [1.0]) - 2 * k([1.0], [1.0]) < 0 for k in (Linear(), Polynomial(2), Gaussian(1.0)))
    Phi = Intersection().feature_map(over=[1.0, 2.0, 3.0])(np.array([[2.0], [3.0]]))
    assert np.array_equal(Phi[1], [1, 1, 1])
    says(46, pair(Phi[0]), Intersection()([2.0], [3.0]))
    X, v = np.array([0, 1, 2]), np.array([1, -1, 1])
    K = (abs(X[:, None] - X) <= 1).astype(int)
    says(47, round(np.sin(4) / (4 * pi), 3), *map(pair, K), pair(v), v @ K @ v)


def test_10():
    K, y = np.array([[1.0, 1.0], [1.0, 1.0]]), np.array([1.0, 0.0])
    model = KernelRidge(Precomputed(), lam=1.0)
    says(48, pair(model.fit(K, y).a_, 3), *model.leave_one_out(K, y, [1.0]).ravel().round(10))
    fits = np.array([1, 2, 3])
    says(49, (fits.mean() - 1) ** 2, round(fits.var(), 3), round(np.mean((fits - 1) ** 2), 3))
    says(50, 12 * 10 * 5, 12)
    squared = 0.5**2 + 500**2
    zeros = int(squared / 2 * log10(exp(1)))  # 10^(-54 286.9) begins with that many zeros after its point
    says(51, "250 000.25", "125 000.125", f"{zeros // 1000} 000", round(Gaussian(1.0)([0, 0], [1, 1]), 3))
    assert squared == 250_000.25 and Gaussian(1.0)([0, 0], [0.5, 500]) == 0


def test_11():
    k = Polynomial(2)
    far = k.squared_distance([[0.0]], [[1.0]]).item()
    says(52, round(sqrt(far), 3), f"{degrees(np.arccos(k([0.0], [1.0]) / sqrt(k([1.0], [1.0])))):.0f}°")
    says(53, round(1 - 2 * np.mean([0.8, 0.4]) + np.mean([1, 0.6, 0.6, 1]), 10))
    K = np.array([[1, 0.8, 0.1], [0.8, 1, 0.2], [0.1, 0.2, 1]])
    says(54, *(round(2 - K[np.ix_(g, g)].sum() / 2, 10) for g in ([0, 1], [1, 2])))
    assert np.isclose(KernelKMeans(Precomputed()).fit(K).inertia_, 0.2)
    X = np.array([[0.0], [1], [2], [3.5], [10]])
    found = KernelDBSCAN(Linear(), eps=1.5, min_samples=3).fit(X)
    assert found.labels_.tolist() == [0, 0, 0, 0, -1] and np.flatnonzero(found.core_).tolist() == [1, 2]
    says(55, f"√(2 - 2e^(-{1.5**2 / 2:g}/σ²))", f"{sqrt(2):.3f}")
    for sigma in (0.5, 1.0, 3.0):
        eps = sqrt(2 - 2 * np.exp(-(1.5**2) / 2 / sigma**2)) + 1e-9
        same = KernelDBSCAN(Gaussian(sigma), eps=eps, min_samples=3).fit(X)
        assert np.array_equal(same.labels_, found.labels_) and np.array_equal(same.core_, found.core_)
        kept = KernelDBSCAN(Gaussian(sigma), eps=1.5, min_samples=3).fit(X)
        assert kept.labels_.tolist() == [0] * 5 and kept.core_.all()


def test_12():
    model = KernelPCA(Precomputed(), n_components=1).fit(2 * np.eye(2))
    says(56, model.eigenvalues_[0], model.eigenvalues_[0] / 2)
    assert np.allclose(np.sort(model.transform(2 * np.eye(2))[:, 0]), [-1, 1])
    says(57, *np.exp(KernelDensity(1.0).fit([[0.0], [2.0]]).log_density([[0.0], [1.0]])).round(3))
    points, widths = np.array([[0.0], [1.0], [10.0]]), 2.0 ** np.arange(5, -9, -1)
    says(58, round(KernelDensity().leave_one_out(points, [1.0])[0, 2], 2))
    own = np.array([KernelDensity(sigma).fit(points).log_density(points) for sigma in widths])
    assert (np.exp(own) >= 1 / (3 * widths[:, None] * sqrt(2 * pi)) - 1e-12).all()
    assert (np.diff(own.sum(axis=1)) > 0).all()  # here each smaller width even beats the one before it
    X, Z = np.array([[0.0], [2.0]]), np.array([[1.0], [1.0]])
    means = [Polynomial(2)(A, B).mean() for A, B in ((X, X), (X, Z), (Z, Z))]
    says(59, mmd(Linear(), X, Z), mmd(Polynomial(2), X, Z), *means)


def test_13():
    (mean,), (std,) = Kriging(Gaussian(1.0), noise=0.25).fit([[0.0]], [2.0]).predict([[1.0]], return_std=True)
    says(60, f"{mean:.3f}", round(std**2, 3), f"{std:.3f}")
    double = Kriging(Gaussian(1.0), noise=0.25).fit([[0.0]], [4.0]).predict([[1.0]], return_std=True)
    assert np.allclose(np.ravel(double), [2 * mean, std])
    evidence = Kriging(Gaussian(1.0), noise=1.0).fit([[0.0]], [1.0]).log_marginal_likelihood_
    says(62, -0.25, round(-log(2) / 2, 3), round(-log(2 * pi) / 2, 3), round(evidence, 3))
    gains = expected_improvement(np.array([1, 1.9]), np.array([1, 0.1]), best=2.0)
    assert np.isclose(gains[0], 10 * gains[1])
    says(63, round(gains[0], 3))


def test_14():
    k, x, z = Subsequences(2, 0.5), "abc", "acb"
    assert k.parts(x) == {"ab": 2**-2, "ac": 2**-3, "bc": 2**-2} and k(x, x) == k(z, z)
    says(64, k(x, z), k(x, x), round(Normalized(k)(x, z), 3))
    k, x, z = Substrings(2), "banana", "ananas"
    assert k.parts(x) == {"ba": 1, "an": 2, "na": 2} and k.parts(z) == {"an": 2, "na": 2, "as": 1}
    says(65, k(x, z), round(Normalized(k)(x, z), 3), 26**2)
    M, gamma = 0.5**2 * np.ones((2, 2)), 0.5  # "aa" and "aa": each letter matches each, with the value γ²
    S = np.array(
        [[sum(gamma ** (i - a + j - b) * M[a, b] for a, b in np.ndindex(i + 1, j + 1)) for j in (0, 1)] for i in (0, 1)]
    )
    assert pair(S[0]) in FOUND[66][3] and pair(M[1]) in FOUND[66][3]
    says(66, S[1, 0], pair(S[1]), gamma**2 * S[0, 0])
    assert np.isclose(S[1, 1], 0.25 + gamma * (S[0, 1] + S[1, 0]) - gamma**2 * S[0, 0])
    says(67, *(v for n in (60, 120) for v in (comb(n, 4), 4 * n * n)), round(comb(120, 4) / comb(60, 4)))


def test_15():
    A, B = {*"abcd"}, {*"bcdef"}
    m = Overlap()(A, B)
    says(68, m, comb(int(m), 2), Subsets()(A, B), Jaccard()(A, B), round(Normalized(Subsets())(A, B), 3))
    x, z = [4.0, 0.0, 2.0], [1.0, 3.0, 2.0]
    far = Intersection().squared_distance([x], [z]).item()
    assert far == np.abs(np.subtract(x, z)).sum() and Intersection()(x, x) == Intersection()(z, z) == 6
    says(69, Intersection()(x, z), far)
    X, Z = [[0.0], [2.0]], [[1.0], [1.0], [4.0]]
    says(70, MeanMap(Linear())(X, Z), MeanMap(Polynomial(2))(X, Z))
    path, triangle = ([[0, 1, 0], [1, 0, 1], [0, 1, 0]], "CCC"), ([[0, 1, 1], [1, 0, 1], [1, 1, 0]], "CCC")
    k = WeisfeilerLehman(1)
    says(71, k(path, triangle), k(path, path), k(triangle, triangle), k.squared_distance(path, triangle))


def test_16():
    row, w = np.array([[2, 2, 2, 6, 6, 6]]), np.array([[1, 2, -3]])
    says(72, *convolve(row, w)[0, 2:4], *correlate(row, w)[0, 2:4])
    says(73, pair(np.convolve([1, -1], [1, 1, 1, 1])), pair(np.convolve([1, -1], [1, -1])))
    bank = filter_bank(12, scales=(1.0, 2.0, 4.0, 8.0))
    says(74, sum(len(group.filters) for group in bank), len(bank), f"{180 / 12:g}°")
    says(74, f"{180 / 12 / 2:g}°", f"{180 / 12 * 3 / 2:g}°")
    rng = np.random.default_rng(0)
    x, w = rng.standard_normal((2, 8, 8)), rng.standard_normal((3, 3))
    w -= w.mean()
    assert np.allclose([convolve(picture, w, "wrap").sum() for picture in x], 0)
    assert np.isclose(convolve(x[0], w + 1, "wrap").sum(), 9 * x[0].sum())
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
    says(76, round(dice(found, true), 3), (found & ~true).sum(), (true & ~found).sum(), (found != true).sum())
    says(76, round(np.mean(found == true), 3), dice(found & False, true), np.mean(~true))
    for angle in (0.0, pi / 2):
        pose = Pose(60.0, 70.0, angle, 50.0)
        u, v = pose.to_head(40.0, 90.0)
        says(77, pair([u, v]), *np.round(pose.to_picture(-u, v)))
    Z, y = np.array([[3, 10], [1, 0], [0, 0], [0, 0]], float), np.array([1.0, 1, -1, -1])
    own = Z - Z.mean(axis=0)
    gains = (y @ own) ** 2 / (own**2).sum(axis=0)
    (step,) = forward(Z, y, most=1, degree=1)
    says(78, *map(pair, own.T), *(y @ own), *(own**2).sum(axis=0), *gains.round(3), f"{4 * step.loss:.3f}")
    assert step.term == (0,) and np.isclose(4 * step.loss, 4 - gains[0])
    both = np.column_stack([np.ones(4), Z[:, 0]])  # the constant is fitted again, too
    assert np.isclose(((y - both @ np.linalg.lstsq(both, y)[0]) ** 2).sum(), 4 * step.loss)
    weights = [Monomials(degree).dim(46) for degree in (1, 2, 3)]
    says(79, *weights, len(allowed([(), (0,), (3,)], d=46)), weights[1] - 3)
    Phi, y = np.array([[2.0], [0.0]]), np.array([3.0, 1.0])
    says(80, *(abs(lasso(Phi, y, lam).item()) for lam in (3, 8)))
    short = [KernelRidge(Linear(), lam).fit(Phi, y).a_ @ Phi[:, 0] for lam in (3, 8)]
    says(80, round(short[0], 3), round(short[1], 10))


def test_18():
    says(81, 8 * 20_000**2 / 1e9, int(sqrt(32e9 / 8)))
    phi, x = Landmarks(FromFeatures(lambda X: X), [np.array([1.0, 0, 0])]), np.array([0.6, 0.8, 0])
    says(82, round(0.6 * 0.5, 10), round((phi(x) ** 2).sum(), 10), round(1 - (phi(x) ** 2).sum(), 10))
    says(83, round(100 * (0.1 / 0.02) ** 2))
    chunks = ([[1.0], [2.0]], [1.0, 1.0]), ([[3.0]], [2.0])
    totals = [Totals.of(Linear().feature_map(), X, y) for X, y in chunks]
    alone, whole = [part.solve(1.0).item() for part in totals], sum(totals)
    says(84, whole.gram.item(), whole.moment.item(), whole.solve(1.0).item(), *alone, round(np.mean(alone), 10))
