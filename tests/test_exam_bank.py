"""The exam bank: eighty-four numbered questions, with answers; here those of 00 to 08, every number computed."""

import re
from math import comb, degrees, hypot, log, sqrt

import numpy as np
from exam_bank import FOUND, TEXT, pair, says

from kernelkit import (
    Gaussian,
    GaussianSeries,
    KernelMachine,
    KernelPerceptron,
    KernelRidge,
    KernelSVM,
    Linear,
    Monomials,
    Polynomial,
    PrimalRidge,
)
from kernelkit.study.terms import lasso

# ---- the form ------------------------------------------------------------------------------------------


def test_what_a_question_refers_to_stands_earlier_under_the_same_notebook():
    refers = [(n, int(k)) for n, m in FOUND.items() for k in re.findall(r"\bquestion\s(\d+)", m[0])]
    assert refers and "any earlier question to which it refers" in " ".join(TEXT.split())
    for n, k in refers:
        assert k < n and FOUND[k][2] == FOUND[n][2], f"{n} refers to {k}"


def test_eighty_four_questions_in_order_over_these_notebooks():
    assert list(FOUND) == list(range(1, 85)) and TEXT.count("*Answer.*") == 84
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
    says(7, ", ".join(f"{v:.0f}" for v in Phi_x * Phi_z), f"² = {Polynomial(2)(x, z):g}")
    phi = lambda v: np.array([v[0] ** 3, sqrt(3) * v[0] ** 2 * v[1], sqrt(3) * v[0] * v[1] ** 2, v[1] ** 3])  # noqa: E731
    assert np.isclose(phi(x) @ phi(z), Polynomial(3, 0)(x, z)) and Polynomial(3, 0).feature_map().dim(2) == 4
    four = np.array([[1.0, 0], [0, 1], [1, 1], [1, -1]])
    rank = np.linalg.matrix_rank(Polynomial(3, 0)(four))
    says(8, *map(pair, four), rank, rank - 1)
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
    w = PrimalRidge(Linear().feature_map(), lam=1.0).fit(X, y).w_[0]
    says(13, pair(model.a_), f"+ 0·2 = {X[:, 0] @ model.a_:.10g}", f"3/(5 + 1) = {w:.10g}")
    says(14, pair(model.predict(X)), pair(y - model.predict(X)))
    L = np.linalg.inv(X @ X.T + np.eye(2))
    error = y - [KernelRidge(Linear(), lam=1.0).fit(X[[j]], y[[j]]).predict(X[[i]])[0] for i, j in ((0, 1), (1, 0))]
    assert np.allclose(L.diagonal(), [5 / 6, 1 / 3]) and np.allclose(error, model.a_ / L.diagonal())
    says(16, "(5/6, 1/3)", error[0], abs(error[1].round(10)))
    says(16, *(f"{left} = {y[0] - error[0]:.10g}" for left in ("2/(4 + 1)", "0.4·1")), error[0])
    rank = np.linalg.matrix_rank(Polynomial(2)(np.linspace(-2, 3, 10)[:, None]))
    says(17, rank, f"- {rank} = {10 - rank}")


def test_03_counts():
    for d, primal, kernel in ((10, "90 million", "343 million"), (100, "1.9·10¹⁵", "433 million")):
        n, D = 1000, Monomials(3).dim(d)
        says(18, f"{D:,}".replace(",", " "), primal, kernel)
        counts = D**3 / 3 + D**2 * n, n**3 / 3 + n**2 * d
        told = primal.replace(" million", "e6").replace("·10¹⁵", "e15"), kernel.replace(" million", "e6")
        assert np.allclose(counts, np.array(told, float), rtol=0.02)


def test_04():
    says(19, round(Gaussian(0.5)([0.0], [1.0]), 3), round(0.5 * sqrt(2 * log(2)), 3))
    assert np.isclose(Gaussian(0.5)([0.0], [0.5 * sqrt(2 * log(2))]), 0.5)
    says(20, round(sqrt(2), 3))
    votes = Gaussian(1.0)(np.array([[0.4]]), np.array([[0.0], [1.0], [3.0]]))[0]
    says(
        21, "weights are {:g}, {:g} and {:g}".format(*np.round(votes, 3)), f"= +{votes @ [1, -1, -1] / votes.sum():.3f}"
    )
    says(21, f"{votes[0]:.3f}", f"{votes[1:].sum():.3f}")
    Phi = GaussianSeries(1.0, 2)(np.array([[1.0]]))[0]
    says(22, pair(Phi, 3), f"{Phi @ Phi:.3f}")


def test_04_along_a_ray():
    rng, t = np.random.default_rng(0), 1e4
    X, a, v = rng.standard_normal((5, 2)), rng.standard_normal(5), rng.standard_normal(2)
    h = Polynomial(3)(t * v[None], X)[0] @ a
    assert np.isclose(h / t**3, a @ (X @ v) ** 3, rtol=1e-2)
    a, X, v = np.array([1.0, 1.0]), np.array([[1.0, 0.0], [-1.0, 0.0]]), np.array([1.0, 0.0])
    assert a @ (X @ v) ** 3 == 0 and np.isclose(Polynomial(3)(t * v[None], X)[0] @ a / t**2, 6)  # a lower power is left


def test_05():
    s = lambda f: 1 / (1 + np.exp(-f))  # noqa: E731
    says(24, round(s(log(3)), 10), round(s(-log(3)), 10))
    K, y = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([1.0, 0.0])
    a = 0.5 * (y - s(np.zeros(2)))
    says(25, f"(y - 1/2) = {pair(a)}", f"Ka = {pair(K @ a)}")
    assert np.array_equal(K @ a, a) and np.allclose(np.linalg.eigvalsh(K), [1, 3])
    start, phi = np.array([3, 1]), np.array([1, 1])
    along = phi * (start @ phi) / (phi @ phi)
    assert (start - along) @ along == 0
    says(26, f"(4/2)·(1, 1) = {pair(along)}", f"{pair(start)} - {pair(along)} = {pair(start - along)}")


def test_05_the_longest_step():
    s = lambda f: 1 / (1 + np.exp(-f))  # noqa: E731
    Phi, lam, rng = np.linalg.cholesky([[2.0, 1.0], [1.0, 2.0]]), 0.25, np.random.default_rng(0)
    h = np.linspace(-9, 9, 1801)
    steepest, largest = (s(h) * (1 - s(h))).max(), np.linalg.eigvalsh(Phi.T @ Phi)[-1]
    L = largest * steepest + lam
    says(27, f"eigenvalue {largest:g} of K", f"B = 3/4 + 0.25 = {L:g}", f"2/B = {2 / L:g}", f"so L = {2 / L:g}")
    J = lambda w, y: np.log1p(np.exp((1 - 2 * y) * (Phi @ w))).sum() + lam / 2 * (w @ w)  # noqa: E731
    for _ in range(300):
        w, y, step = 3 * rng.standard_normal(2), rng.integers(0, 2, 2), rng.uniform(0, 2 / L)
        g = Phi.T @ (s(Phi @ w) - y) + lam * w
        change = J(w - step * g, y) - J(w, y)
        assert change <= (-step + L * step**2 / 2) * (g @ g) + 1e-12 and change < 0


def test_05_one_point_at_a_time():
    K, y, a, q = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([1.0, 0.0]), np.zeros(2), np.zeros(2)
    for i in (0, 1):
        change = 0.5 * (y[i] - 1 / (1 + np.exp(-q[i])))
        a[i] += change
        q += change * K[i]
        assert np.allclose(q, K @ a)
        says(28, f"a = {pair(a, 3)}", f"q = {pair(q, 3)}")
    says(28, f"= {change:.3f}")


def test_05_three_classes():
    scores = np.log([1, 2, 3])
    assert np.allclose(np.exp(scores) / np.exp(scores).sum(), [1 / 6, 1 / 3, 1 / 2])
    alone = 1 / (1 + np.exp(-scores))
    assert np.allclose(alone, [1 / 2, 2 / 3, 3 / 4])
    says(29, "1/6, 1/3 and 1/2", "1/2, 2/3 and 3/4", round(alone.sum(), 3))


def test_06():
    X, y = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([1, -1])
    model = KernelPerceptron(Linear()).fit(X, y)
    says(30, f"a = {pair(model.a_)}", f"w = {pair(X.T @ model.a_)}")
    says(30, f"{model.counts_.sum():.0f} mistakes", f"{model.n_passes_} passes")
    gamma = (y * (X @ [1, -1])).min() / sqrt(2)
    R2 = (X**2).sum(axis=1).max()
    says(31, f"R² = {R2:g}", f"at most {round(R2 / gamma**2)} mistakes")
    assert np.isclose(gamma, 1 / sqrt(2))


def test_07():
    X, y = np.array([[0.0], [4.0]]), np.array([-1, 1])
    model = KernelSVM(Linear(), C=np.inf, tol=1e-9).fit(X, y)
    w = (X.T @ model.a_).item()
    says(34, f"w = {round(w, 6):g}", f"b = {round(model.b_, 6):g}", f"1/|w| = {round(1 / w, 6):g}")
    says(34, *(f"1/8 = {alpha:g}" for alpha in np.round(model.multipliers_, 6)))
    hinges = np.maximum(0, 1 - np.array([2, 1, 0.4, -0.5]))
    says(35, *hinges, hinges.sum(), f"= {4 / 2 + 2 * hinges.sum():g}")
    eta, gap = 2 + 2 - 2 * 1, 1.5 + 0.5
    says(36, f"2Kᵢⱼ = {eta}", f"/ρ² = 2/2 = {gap / eta:g}", f"s = {min(gap / eta, 1 - 0.7, 0.9 - 0):g}")
    K, a = np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([0.7, 0.9])
    dual = lambda a: (K @ [0.7, 0.9] + [1.5, -0.5]) @ a - a @ K @ a / 2  # noqa: E731  # y is Ka and the residuals
    for s in (-0.1, 0.3, 1.0):
        assert np.isclose(dual(np.array([0.7 + s, 0.9 - s])) - dual(a), s * gap - eta * s**2 / 2)
    b = np.array([1, -1]) - np.array([0.3, -1.7])
    assert np.allclose(b, 0.7)
    says(37, f"1 - 0.3 = {b[0]:g}", f"-1 + 1.7 = {b[1]:g}", f"= {0.1 + b[0]:g}")
    says(38, *(f"{100 * m * 21:,}".replace(",", " ") for m in (350, 10_000)))


def test_08():
    says(39, round((1 - 0.6) / 0.5, 10))
    says(40, *np.clip([3, -0.4], -1, 1))
    w = np.array([1.0, -1.0])
    for _ in range(200):
        w = w - 0.1 * (w.sum() - 2) * np.ones(2)
    says(41, pair(w, 6))


def test_08_a_rotation_changes_the_lasso():
    x, z, y = np.array([[2.0, 1.0]]), np.array([0.0, 1.0]), np.array([1.0])
    R = np.array([[2, -1], [1, 2]]) / sqrt(5)
    assert np.allclose(x @ R, [[hypot(2, 1), 0]]) and np.allclose(R @ R.T, np.eye(2))
    w, turned = lasso(x, y, 0.1), lasso(x @ R, y, 0.1)
    assert np.allclose(z @ R, [1 / sqrt(5), 2 / sqrt(5)])
    says(42, f"w = {pair(w, 3)}, so it predicts {w @ z:g} at (0, 1)")
    says(42, f"w = {pair(turned, 3)}", f"{turned[0]:.3f}/√5 = {turned @ (z @ R):.3f}")
    ridge = [KernelRidge(Linear(), 0.1).fit(x @ M, y).predict([z @ M])[0] for M in (np.eye(2), R)]
    assert np.isclose(*ridge)


def test_08_dual_weights():
    X, y, lam = np.array([[0.0], [1.0], [1.5], [4.0], [9.0]]), np.array([-1.0, 1.0, -1.0, 1.0, 1.0]), 0.5
    squared = KernelMachine(Linear() + 1, "squared", lam).fit(X, y)
    assert np.allclose(squared.a_, (y - squared.predict(X)) / lam)
    hinge = KernelMachine(Linear() + 1, "hinge", lam).fit(X, y)
    margin, pull = y * hinge.decision_function(X), y * lam * hinge.a_
    assert np.allclose(pull[margin > 1.001], 0) and np.allclose(pull[margin < 0.999], 1)
    assert (margin > 1.001).any() and (margin < 0.999).any() and ((pull > -1e-9) & (pull < 1 + 1e-9)).all()
