"""Checks of the exercises of notebook 18."""

from functools import reduce

import numpy as np

from kernelkit import Gaussian, Landmarks, Monomials, Totals
from kernelkit.exercises.base import array_like, ask, exercise, expect, reached, shape_of, summary_of, worst_place
from kernelkit.explorers.scaling_up.landmarks import landmarks, landmarks_of, points
from kernelkit.study.landmarks import trace_error

FEW = 13  # landmarks that are allowed


def _near(mine, other):
    return np.shape(mine) == np.shape(other) and np.allclose(mine, other, rtol=1e-6, atol=1e-8)


@exercise("Nyström in four lines")
def nystrom(answer):
    """K_XC K_CC⁻¹ K_CX = ΦΦᵀ for Φ = K_XC K_CC^(−1/2), or with any other root."""
    rng = np.random.default_rng(0)
    X, k = rng.standard_normal((7, 2)), Gaussian(1.0)
    K_XC, K_CC = k(X, X[:3]), k(X[:3])
    right = K_XC @ np.linalg.solve(K_CC, K_XC.T)
    value = ask(answer, K_XC, K_CC)
    expect(shape_of(value) != (3, 7), "transposed", "one row for each point, one column for each landmark.")
    expect(shape_of(value) != (7, 7), "not_features", "this has the shape of K; return the features, (n, m).")
    mine = array_like(value, (7, 3), "Φ")
    values, U = np.linalg.eigh(K_CC)
    expect(not _near(mine, K_XC), "no_root", "this is k(x, C) itself: it must still be multiplied by a root of K_CC⁻¹.")
    expect(
        not _near(mine @ mine.T, K_XC @ K_CC @ K_XC.T),
        "root_not_inverted",
        "this multiplies by the root of K_CC; wanted is that of its inverse: 1/√ of each eigenvalue.",
    )
    expect(
        not _near(mine @ mine.T, K_XC @ (U / values**2) @ U.T @ K_XC.T),
        "inverse",
        "this has K_CC⁻¹ itself; take its root, 1/√ of each eigenvalue, so that ΦΦᵀ has it once.",
    )
    by_entry = (K_XC / np.sqrt(K_CC.sum(axis=1)), K_XC @ (1 / np.sqrt(K_CC)), K_XC @ np.linalg.inv(np.sqrt(K_CC)))
    expect(
        not any(_near(mine, other) for other in by_entry),
        "entry_by_entry",
        "a root of a matrix is not the root of its entries: take eigenvalues.",
    )
    turned = [
        K_XC @ (U / np.sqrt(values)).T,
        K_XC @ np.linalg.inv(np.linalg.cholesky(K_CC)),
        K_XC @ np.linalg.cholesky(np.linalg.inv(K_CC)).T,
    ]
    expect(
        not any(_near(np.abs(mine), np.abs(other)) for other in turned),
        "root_transposed",
        "the root stands the wrong way round: K_CC⁻¹ is RRᵀ, yours has RᵀR.",
    )
    products = mine @ mine.T
    i, j = worst_place(products, right)
    expect(
        np.allclose(products, right, rtol=1e-4, atol=1e-5),
        "wrong_products",  # 1e-6 on the diagonal is right
        f"ΦΦᵀ should be K_XC K_CC⁻¹ K_CX: [{i}, {j}] is {right[i, j]:.4f}, yours {products[i, j]:.4f}.",
    )


@exercise("Few landmarks, small error")
def few_landmarks(panel):
    """At most FEW landmarks that leave out less than 1 % of the trace, on the seven groups, with σ as it was."""
    values = reached(panel, landmarks)
    sigma = landmarks.start()["sigma"]
    expect(values["data"] == "groups", "other_points", "choose “seven groups” as the points.")
    expect(
        abs(values["sigma"] - sigma) < 0.01,
        "other_sigma",
        f"a wider σ needs fewer landmarks, but it is another kernel: leave σ at {sigma:.2f}.",
    )
    expect(values["m"] <= FEW, "too_many", f"{values['m']} landmarks are too many; {FEW} are enough.")
    C = landmarks_of(values["data"], values["way"], values["m"], values["sigma"], values["seed"])
    error = trace_error(Gaussian(values["sigma"]), points("groups"), Landmarks(Gaussian(values["sigma"]), C))
    said = f"{100 * error:.1f} % is left out"
    expect(error < 0.01 or values["way"] != "random", "at_random", f"{said}: chance seldom meets a small group.")
    expect(error < 0.01 or values["way"] != "greedy", "greedy", f"{said}: greedy has one draw, and it is not the best.")
    expect(error < 0.01 or values["m"] >= 11, "too_few", f"{said}: {values['m']} landmarks are too few.")
    expect(error < 0.01, "unlucky_draw", f"{said}: not every draw is lucky, try another one.")


@exercise("Waves in four lines")
def waves(answer):
    """√(2/D) cos(XWᵀ + b)."""
    rng = np.random.default_rng(1)
    X, W, b = rng.standard_normal((4, 3)), rng.standard_normal((5, 3)), rng.uniform(0, 2 * np.pi, 5)
    angle = X @ W.T + b
    right = np.sqrt(2 / 5) * np.cos(angle)
    value = ask(answer, X, W, b)
    expect(shape_of(value) != (5, 4), "transposed", "one row for each point, one column for each wave.")
    mine = array_like(value, (4, 5), "Φ")
    expect(not _near(mine, np.cos(angle)), "no_factor", "the factor √(2/D) is missing: the products would grow with D.")
    expect(
        not _near(mine, 2 / 5 * np.cos(angle)),
        "factor_not_rooted",
        "the factor stands in both Φ(x) and Φ(z): in each its root, √(2/D).",
    )
    expect(
        not _near(mine, np.sqrt(1 / 5) * np.cos(angle)),
        "no_two",
        "the square of a cosine is ½ on average: the factor is √(2/D).",
    )
    expect(not _near(mine, np.sqrt(2) / 5 * np.cos(angle)), "half_rooted", "D stands under the root too: √(2/D).")
    expect(
        not _near(mine, np.sqrt(2 / 3) * np.cos(angle)) and not _near(mine, np.sqrt(2 / 4) * np.cos(angle)),
        "other_count",
        "D is the number of waves, the length of b.",
    )
    expect(
        not _near(mine, np.sqrt(2 / 5) * np.cos(X @ W.T)),
        "no_phase",
        "without phases Φ(x)ᵀΦ(z) keeps a cos(ωᵀ(x + z)): add b before the cosine.",
    )
    outside = (np.sqrt(2 / 5) * np.cos(X @ W.T) + b, np.sqrt(2 / 5) * (np.cos(X @ W.T) + b), np.cos(X @ W.T) + b)
    expect(not any(_near(mine, other) for other in outside), "phase_outside", "the phase is added inside the cosine.")
    also = [turn(X @ W.T + sign * b) for turn in (np.cos, np.sin) for sign in (1, -1)]  # −b is as uniform as b
    if any(_near(np.abs(mine), np.sqrt(2 / 5) * np.abs(wave)) and np.ptp(np.sign(mine * wave)) == 0 for wave in also):
        return
    factor = mine[0, 0] / np.cos(angle[0, 0])
    expect(
        not _near(mine, factor * np.cos(angle)),
        "other_factor",
        f"the waves are right, but their factor is {factor:.4f}, not √(2/D) = {np.sqrt(2 / 5):.4f}.",
    )
    expect(
        _near(mine, right), "wrong_entries", f"the first entry should be {right[0, 0]:.4f}, yours is {mine[0, 0]:.4f}."
    )


class Once:
    """Chunks that come only once; who asks for them again after the last is told so."""

    def __init__(self, chunks):
        self.chunks, self.gone = iter(chunks), False

    def __iter__(self):
        sentence = "the chunks come only once, a second loop finds none: take both sums in one."
        expect(not self.gone, "second_pass", sentence)
        return self

    def __next__(self):
        try:
            return next(self.chunks)
        except StopIteration:
            self.gone = True
            raise


@exercise("Totals that add")
def one_pass(answer):
    """w from Σ ΦᵀΦ and Σ Φᵀy over chunks, each seen once."""
    rng, phi, lam = np.random.default_rng(2), Monomials(2), 0.3
    X = rng.standard_normal((12, 2))
    chunks = [(X[i:j], X[i:j, 0] ** 2 + 0.1 * rng.standard_normal(j - i)) for i, j in ((0, 3), (3, 8), (8, 12))]
    totals = sum(Totals.of(phi, *chunk) for chunk in chunks)
    right, D = totals.solve(lam), 6
    value = ask(answer, Once(chunks), phi, lam)
    mine = array_like(value, (D,), "w")
    expect(
        not _near(mine, Totals.of(phi, *chunks[-1]).solve(lam)),
        "last_chunk",
        "this is the w of the last chunk: add to the sums, do not replace them.",
    )
    expect(
        not _near(mine, Totals.of(phi, *chunks[0]).solve(lam)),
        "first_chunk",
        "this is the w of the first chunk: solve after the loop.",
    )
    each = [Totals.of(phi, *chunk).solve(lam) for chunk in chunks]
    added = np.sum(each, axis=0), np.mean(each, axis=0), np.average(each, axis=0, weights=[len(y) for _, y in chunks])
    expect(
        not any(_near(mine, other) for other in added),
        "models_added",
        "the w of chunks do not add; ΦᵀΦ and Φᵀy do, and one w is solved for at the end.",
    )
    last, ridge = Totals.of(phi, *chunks[-1]), lam * np.eye(D)
    halves = ((totals.gram + ridge, last.moment), (last.gram + ridge, totals.moment))
    expect(
        not any(_near(mine, np.linalg.solve(*half)) for half in halves),
        "half_replaced",
        "one of your two sums holds the last chunk alone: add to both.",
    )
    expect(
        not _near(mine, np.linalg.solve(totals.gram + lam, totals.moment)),
        "lam_everywhere",
        "λ is added to the diagonal only: ΦᵀΦ + λI.",
    )
    expect(
        not _near(mine, totals.solve(3 * lam)),
        "lam_thrice",
        "λI is added once: not for each chunk, and not to a mean over the chunks.",
    )
    expect(
        not _near(mine, totals.solve(12 * lam)),
        "means",
        "these are means over the points; take the sums, beside which λ has its weight.",
    )
    expect(not _near(mine, totals.solve(0)), "no_lam", "λ is missing: ΦᵀΦ + λI.")
    expect(not _near(mine, totals.moment), "not_solved", "this is Φᵀy; solve (ΦᵀΦ + λI) w = Φᵀy.")
    expect(_near(mine, right), "wrong_weights", f"the first should be {right[0]:.4f}, yours is {mine[0]:.4f}.")


def _sums(chunks, phi, w, labels=lambda y: y, weight=lambda s: s * (1 - s)):
    """Σ Φᵀ(y − s), and Σ Φᵀ diag(s (1 − s)) Φ, or with other labels and weights."""
    parts = [(phi(X), labels(y)) for X, y in chunks]
    slopes = [(Phi, y, 1 / (1 + np.exp(-Phi @ w))) for Phi, y in parts]
    return sum(Phi.T @ (y - s) for Phi, y, s in slopes), sum((Phi.T * weight(s)) @ Phi for Phi, _, s in slopes)


def _after(chunk, phi, lam, w):
    """w after the step that one chunk alone would make."""
    g, H = _sums([chunk], phi, w)
    return w + np.linalg.solve(H + lam * np.eye(3), g - lam * w)


@exercise("One Newton step from sums")
def newton_step(answer):
    """w + (Σ s (1 − s) ΦΦᵀ + λI)⁻¹ (Σ (y − s) Φ − λw), all at the same w."""
    rng, phi, lam = np.random.default_rng(3), Monomials(1), 0.4
    X, w = rng.standard_normal((12, 2)), np.array([0.5, -1.0, 0.8])
    y = (X[:, 0] + rng.standard_normal(12) > 0).astype(int)
    chunks = [(X[i:j], y[i:j]) for i, j in ((0, 3), (3, 8), (8, 12))]

    def step(slope=1, ridge=1, lengthen=1.0, **other):
        g, H = _sums(chunks, phi, w, **other)
        return lengthen * np.linalg.solve(H + ridge * lam * np.eye(3), g - slope * lam * w)

    right, g = w + step(), _sums(chunks, phi, w)[0] - lam * w
    mine = array_like(ask(answer, [(X.copy(), y.copy()) for X, y in chunks], phi, lam, w.copy()), (3,), "w")
    expect(not _near(mine, w), "not_moved", "this is w as it was; add the step to it.")
    expect(not _near(mine, step()), "only_the_step", "this is the step alone; the new w is w + step.")
    expect(not _near(mine, w - step()), "downhill_sign", "the sign: g = Σ(y − s)Φ − λw leads downhill, so w + H⁻¹g.")
    expect(not _near(mine, w + step(ridge=0)), "no_ridge", "λI is missing in H: the penalty bends J too.")
    expect(not _near(mine, w + step(slope=0)), "no_pull", "−λw is missing in g: the penalty has a slope too.")
    expect(not _near(mine, w + step(slope=-1)), "pull_sign", "the penalty pulls w back to 0: −λw in g.")
    expect(not _near(mine, w + step(slope=0, ridge=0)), "no_penalty", "λ is missing: −λw in g and λI in H.")
    thrice = (step(slope=3, ridge=3), step(ridge=3), step(slope=3))
    expect(
        not any(_near(mine, w + other) for other in thrice),
        "lam_thrice",
        "λ counts once, not for each chunk: −λw in g and λI in H stand outside the loop.",
    )
    expect(
        not _near(mine, w + step(weight=np.ones_like)),
        "no_weights",
        "each ΦΦᵀ has its weight s(1 − s): how much the cost of this point bends.",
    )
    expect(not _near(mine, w + step(weight=lambda s: s)), "half_weights", "the weights in H are s(1 − s), not s.")
    expect(
        not _near(mine, w + step(labels=lambda y: 2 * y - 1)),
        "signs",
        "the labels come as 0 and 1, and so they stand in y − s.",
    )
    flipped = step(labels=lambda y: 1 - y, slope=-1)  # s(−f) = 1 − s(f), so y − s turns into (1 − y) − s, negated
    expect(not _near(mine, w - flipped), "s_flipped", "s is the probability of 1: 1/(1 + exp(−f)), mind the sign.")
    pushed = np.linalg.solve(_sums(chunks, phi, w)[1] + lam * np.eye(3), -_sums(chunks, phi, w)[0] - lam * w)
    expect(not _near(mine, w + pushed), "residual_sign", "the residuals in g are y − s, yours are s − y.")
    expect(not _near(mine, w + g) and not _near(mine, g), "gradient", "this is a step along g; Newton's step is H⁻¹g.")
    walked = reduce(lambda v, chunk: _after(chunk, phi, lam, v), chunks, w)
    expect(not _near(mine, walked), "moved_between", "all sums belong to the same w: step once, after the last chunk.")
    alone = [_after(chunk, phi, lam, w) for chunk in chunks]
    apart = (np.mean(alone, axis=0), np.sum(alone, axis=0) - 2 * w, alone[0], alone[-1])
    expect(
        not any(_near(mine, other) for other in apart),
        "step_of_a_chunk",
        "g and H are sums over all chunks; steps of single chunks do not add.",
    )
    expect(_near(mine, right), "wrong_step", f"the first entry should be {right[0]:.4f}, yours is {mine[0]:.4f}.")


summary = summary_of(nystrom, few_landmarks, waves, one_pass, newton_step)
