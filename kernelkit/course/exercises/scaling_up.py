"""Checks of the exercises of notebook 18."""

from operator import eq

import numpy as np

from kernelkit import Gaussian, Landmarks, Monomials, Totals
from kernelkit.course.exercises.base import (
    Mistake,
    array_like,
    challenge,
    close,
    exercise,
    expect,
    fixed,
    shape_of,
    summary_of,
    worst_place,
)
from kernelkit.course.explorers.scaling_up.landmarks import landmarks, landmarks_of, points
from kernelkit.study.landmarks import trace_error

FEW = 13  # landmarks that are allowed


@exercise("Nyström in four lines")
def nystrom(trial):
    """K_XC K_CC⁻¹ K_CX = ΦΦᵀ for Φ = K_XC K_CC^(−1/2), or with any other root."""
    rng = trial.draws(0)
    X = rng.standard_normal((7, 2))
    k = Gaussian(1.0)
    K_XC = k(X, X[:3])
    K_CC = k(X[:3])
    right = K_XC @ np.linalg.solve(K_CC, K_XC.T)
    value = trial.ask(K_XC, K_CC)
    trial.expect_none_of(
        shape_of(value),
        eq,
        transposed=((3, 7), "the features need one row for each point and one column for each landmark."),
        not_features=((7, 7), "this has the shape of K. Return the features, of shape (n, m)."),
    )
    mine = array_like(value, (7, 3), "Φ")
    values, U = np.linalg.eigh(K_CC)
    trial.expect_none_of(
        mine,
        close,
        no_root=(K_XC, "this is k(x, C) itself, which must still be multiplied by a root of K_CC⁻¹."),
        entry_by_entry=(
            K_XC / np.sqrt(K_CC.sum(axis=1)),
            K_XC @ (1 / np.sqrt(K_CC)),
            K_XC @ np.linalg.inv(np.sqrt(K_CC)),
            "the root of a matrix is not the root of its entries, so take eigenvalues.",
        ),
    )
    products = mine @ mine.T
    trial.expect_none_of(
        products,
        close,
        root_not_inverted=(
            K_XC @ K_CC @ K_XC.T,
            "this multiplies by the root of K_CC. You need the root of its inverse, with 1/√ of each eigenvalue.",
        ),
        inverse=(
            K_XC @ (U / values**2) @ U.T @ K_XC.T,
            "this has K_CC⁻¹ itself. Take its root, with 1/√ of each eigenvalue, so that ΦΦᵀ has it once.",
        ),
    )
    turned = [
        K_XC @ (U / np.sqrt(values)).T,
        K_XC @ np.linalg.inv(np.linalg.cholesky(K_CC)),
        K_XC @ np.linalg.cholesky(np.linalg.inv(K_CC)).T,
    ]
    expect(
        not any(close(np.abs(mine), np.abs(other)) for other in turned),
        "root_transposed",
        "the root is the wrong way round: K_CC⁻¹ is RRᵀ, but yours has RᵀR.",
    )
    i, j = worst_place(products, right)
    expect(
        np.allclose(products, right, rtol=1e-4, atol=1e-5),  # 1e-6 on the diagonal of K_CC is right
        "wrong_products",
        f"ΦΦᵀ should be K_XC K_CC⁻¹ K_CX: [{i}, {j}] is {right[i, j]:.4f}, yours {products[i, j]:.4f}.",
    )
    K_XC = Gaussian(0.7)(X[:5], X[3:5])
    K_CC = Gaussian(0.7)(X[3:5])
    again = array_like(trial.ask(K_XC, K_CC), (5, 2), "for 5 points and 2 landmarks Φ")
    right = K_XC @ np.linalg.solve(K_CC, K_XC.T)
    sentence = "right for 3 landmarks, wrong for 2 others: use the matrices that come in."
    expect(np.allclose(again @ again.T, right, rtol=1e-4, atol=1e-5), "other_numbers", sentence)


def _rooted(K_XC, K_CC, power=-0.5):
    values, U = np.linalg.eigh(K_CC)
    return K_XC @ (U * values**power) @ U.T


nystrom.right = _rooted
nystrom.wrong = {
    "transposed": lambda K_XC, K_CC: _rooted(K_XC, K_CC).T,
    "not_features": lambda K_XC, K_CC: K_XC @ np.linalg.inv(K_CC) @ K_XC.T,
    "no_root": lambda K_XC, K_CC: K_XC,
    "entry_by_entry": [
        lambda K_XC, K_CC: K_XC / np.sqrt(K_CC.sum(axis=1)),
        lambda K_XC, K_CC: K_XC @ (1 / np.sqrt(K_CC)),
        lambda K_XC, K_CC: K_XC @ np.linalg.inv(np.sqrt(K_CC)),
    ],
    "root_not_inverted": lambda K_XC, K_CC: _rooted(K_XC, K_CC, 0.5),
    "inverse": lambda K_XC, K_CC: _rooted(K_XC, K_CC, -1),
    "root_transposed": [
        lambda K_XC, K_CC: K_XC @ np.linalg.inv(np.linalg.cholesky(K_CC)),
        lambda K_XC, K_CC: K_XC @ np.linalg.cholesky(np.linalg.inv(K_CC)).T,
    ],
    "wrong_products": [
        lambda K_XC, K_CC: _rooted(K_XC, K_CC + 1e-3 * np.eye(len(K_CC))),
        lambda K_XC, K_CC: 0 * K_XC,
        Gaussian(1.0),
    ],
    "other_numbers": lambda K_XC, K_CC: _rooted(K_XC, K_CC) * np.sqrt(len(K_CC) / 3),
}


@challenge("Few landmarks, small error", landmarks)
def few_landmarks(panel):
    """At most FEW landmarks that leave out less than 1 % of the trace, on the seven groups, with σ as it was."""
    values = panel.values
    sigma = landmarks.start()["sigma"]
    expect(values["data"] == "groups", "other_points", "choose “seven groups” as the points.")
    expect(
        abs(values["sigma"] - sigma) < 0.01,
        "other_sigma",
        f"with another σ it is another kernel, and a wider one needs fewer landmarks, so leave σ at {sigma:.2f}.",
    )
    expect(values["m"] <= FEW, "too_many", f"{values['m']} landmarks are too many, because {FEW} are enough.")
    C = landmarks_of(values["data"], values["way"], values["m"], values["sigma"], values["seed"])
    error = trace_error(Gaussian(values["sigma"]), points("groups"), Landmarks(Gaussian(values["sigma"]), C))
    if error < 0.01:
        return
    said = f"{100 * error:.1f} % is left out"
    expect(values["way"] != "random", "at_random", f"{said}, because chance seldom meets a small group.")
    expect(values["way"] != "greedy", "greedy", f"{said}, and greedy pivots have no other draw to try.")
    expect(values["m"] >= 11, "too_few", f"{said}, because {values['m']} landmarks are too few.")
    raise Mistake("unlucky_draw", f"{said}. Not every draw is lucky, so try another one.")


_GOOD = {"data": "groups", "way": "pivots", "m": 13, "seed": 1}
few_landmarks.right = _GOOD
few_landmarks.wrong = {
    "other_points": _GOOD | {"data": "ring"},
    "other_sigma": [_GOOD | {"sigma": 2.8}, _GOOD | {"sigma": 0.7}],
    "too_many": _GOOD | {"m": 30},
    "at_random": _GOOD | {"way": "random"},
    "greedy": _GOOD | {"way": "greedy"},
    "too_few": _GOOD | {"m": 7},
    "unlucky_draw": _GOOD | {"seed": 0},
}
few_landmarks.scenes = {
    "at_random": (landmarks, "Seven groups"),
    "greedy": (landmarks, "Groups by pivots"),
}


@exercise("Waves in four lines")
def waves(trial):
    """√(2/D) cos(XWᵀ + b)."""
    rng = trial.draws(1)
    X = rng.standard_normal((4, 3))
    W = rng.standard_normal((5, 3))
    b = rng.uniform(0, 2 * np.pi, 5)
    angle = X @ W.T + b
    right = np.sqrt(2 / 5) * np.cos(angle)
    value = trial.ask(X, W, b)
    expect(
        shape_of(value) != (5, 4),
        "transposed",
        "the features need one row for each point and one column for each wave.",
    )
    mine = array_like(value, (4, 5), "Φ")
    bare = np.cos(X @ W.T)
    trial.expect_none_of(
        mine,
        close,
        no_factor=(np.cos(angle), "the factor √(2/D) is missing, so the products would grow with D."),
        factor_not_rooted=(
            2 / 5 * np.cos(angle),
            "the factor 2/D is shared by Φ(x) and Φ(z), so each has its root, √(2/D).",
        ),
        no_two=(np.sqrt(1 / 5) * np.cos(angle), "the square of a cosine is ½ on average, so the factor is √(2/D)."),
        half_rooted=(np.sqrt(2) / 5 * np.cos(angle), "D belongs under the root too, as in √(2/D)."),
        other_count=(
            np.sqrt(2 / 3) * np.cos(angle),
            np.sqrt(2 / 4) * np.cos(angle),
            "D is the number of waves, the length of b.",
        ),
        no_phase=(
            np.sqrt(2 / 5) * bare,
            "without phases Φ(x)ᵀΦ(z) keeps a cos(ωᵀ(x + z)), so add b before you take the cosine.",
        ),
        phase_outside=(
            np.sqrt(2 / 5) * bare + b,
            np.sqrt(2 / 5) * (bare + b),
            bare + b,
            "the phase is added inside the cosine.",
        ),
    )
    if not _are_waves(mine, X, W, b):
        factor = mine[0, 0] / np.cos(angle[0, 0])
        expect(
            not close(mine, factor * np.cos(angle)),
            "other_factor",
            f"the waves are right, but their factor is {factor:.4f}, not √(2/D) = {np.sqrt(2 / 5):.4f}.",
        )
        i, j = worst_place(mine, right)
        sentence = f"Φ[{i}, {j}] should be {right[i, j]:.4f}, yours is {mine[i, j]:.4f}."
        raise Mistake("wrong_entries", sentence)
    X = rng.standard_normal((3, 2))
    W = rng.standard_normal((7, 2))
    b = rng.uniform(0, 2 * np.pi, 7)
    again = array_like(trial.ask(X, W, b), (3, 7), "for 3 points and 7 waves Φ")
    sentence = "right for 5 waves, wrong for 7 others: use the points, frequencies and phases that come in."
    expect(_are_waves(again, X, W, b), "other_numbers", sentence)


def _are_waves(mine, X, W, b):
    """√(2/D) cos(XWᵀ + b); −b is as uniform as b, sines are as good as cosines, and all signs may be turned."""
    also = [turn(X @ W.T + sign * b) for turn in (np.cos, np.sin) for sign in (1, -1)]
    factor = np.sqrt(2 / len(b))
    return any(close(np.abs(mine), factor * np.abs(wave)) and np.ptp(np.sign(mine * wave)) == 0 for wave in also)


def _waves(X, W, b, factor=None):
    """An answer with the root of another factor than 2/D."""
    return np.sqrt(2 / len(b) if factor is None else factor) * np.cos(X @ W.T + b)


waves.right = _waves
waves.wrong = {
    "transposed": lambda X, W, b: _waves(X, W, b).T,
    "no_factor": lambda X, W, b: _waves(X, W, b, factor=1),
    "factor_not_rooted": lambda X, W, b: _waves(X, W, b, factor=(2 / 5) ** 2),
    "no_two": lambda X, W, b: _waves(X, W, b, factor=1 / 5),
    "half_rooted": lambda X, W, b: _waves(X, W, b, factor=2 / 25),
    "other_count": [lambda X, W, b: _waves(X, W, b, factor=2 / 3), lambda X, W, b: _waves(X, W, b, factor=2 / len(X))],
    "no_phase": lambda X, W, b: _waves(X, W, 0 * b),
    "phase_outside": [
        lambda X, W, b: np.sqrt(2 / 5) * np.cos(X @ W.T) + b,
        lambda X, W, b: np.sqrt(2 / 5) * (np.cos(X @ W.T) + b),
        lambda X, W, b: np.cos(X @ W.T) + b,
    ],
    "other_factor": lambda X, W, b: _waves(X, W, b, factor=2),
    "wrong_entries": [lambda X, W, b: _waves(X, W, 2 * b), lambda X, W, b: abs(_waves(X, W, b))],
    "other_numbers": lambda X, W, b: _waves(X, W, b, factor=2 / 5),
}


class Once:
    """Chunks that come only once; who asks for them again after the last is told so."""

    def __init__(self, chunks):
        self.chunks = iter(chunks)
        self.gone = False

    def __iter__(self):
        sentence = "the chunks come only once, so a second loop finds none. Add to both sums in one loop."
        expect(not self.gone, "second_pass", sentence)
        return self

    def __next__(self):
        try:
            return next(self.chunks)
        except StopIteration:
            self.gone = True
            raise


@exercise("Totals that add")
def one_pass(trial):
    """w from Σ ΦᵀΦ and Σ Φᵀy over chunks, each seen once."""
    rng = trial.draws(2)
    phi = Monomials(2)
    lam = 0.3
    X = rng.standard_normal((12, 2))
    chunks = [(X[i:j], X[i:j, 0] ** 2 + 0.1 * rng.standard_normal(j - i)) for i, j in ((0, 3), (3, 8), (8, 12))]
    totals = sum(Totals.of(phi, *chunk) for chunk in chunks)
    right = totals.solve(lam)
    D = 6
    value = trial.ask(Once(chunks), phi, lam)
    mine = array_like(value, (D,), "w")
    each = [Totals.of(phi, *chunk).solve(lam) for chunk in chunks]
    last = Totals.of(phi, *chunks[-1])
    ridge = lam * np.eye(D)
    trial.expect_none_of(
        mine,
        close,
        last_chunk=(
            each[-1],
            "this is the w of the last chunk. Add to the sums instead of replacing them.",
        ),
        first_chunk=(each[0], "this is the w of the first chunk. Solve after the loop."),
        models_added=(
            np.sum(each, axis=0),
            np.mean(each, axis=0),
            np.average(each, axis=0, weights=[len(y) for _, y in chunks]),
            "the w of chunks do not add, but ΦᵀΦ and Φᵀy do. Solve for one w at the end.",
        ),
        half_replaced=(
            np.linalg.solve(totals.gram + ridge, last.moment),
            np.linalg.solve(last.gram + ridge, totals.moment),
            "one of your two sums holds the last chunk alone, so add to both.",
        ),
        lam_everywhere=(
            np.linalg.solve(totals.gram + lam, totals.moment),
            "λ is added to the diagonal only, as in ΦᵀΦ + λI.",
        ),
        lam_thrice=(totals.solve(3 * lam), "λI is added once, not for each chunk and not to a mean over the chunks."),
        means=(
            totals.solve(12 * lam),
            "these are means over the points. Take the sums, because λ is weighed against them.",
        ),
        no_lam=(totals.solve(0), "λ is missing in ΦᵀΦ + λI."),
        not_solved=(totals.moment, "this is Φᵀy. Solve (ΦᵀΦ + λI) w = Φᵀy."),
    )
    (j,) = worst_place(mine, right)
    expect(close(mine, right), "wrong_weights", f"w[{j}] should be {right[j]:.4f}, yours is {mine[j]:.4f}.")
    phi = Monomials(1)
    right = sum(Totals.of(phi, *chunk) for chunk in chunks[1:]).solve(2.0)
    again = array_like(trial.ask(Once(chunks[1:]), phi, 2.0), (3,), "for two chunks and 3 features w")
    sentence = (
        f"right for {Monomials(2)}, 3 chunks and λ = 0.3, wrong for {phi}, 2 chunks and λ = 2: use what comes in."
    )
    expect(close(again, right), "other_numbers", sentence)


def _plain(chunks, phi, lam):
    A, v = 0, 0
    for X, y in chunks:
        A, v = A + phi(X).T @ phi(X), v + phi(X).T @ y
    return np.linalg.solve(A + lam * np.eye(len(A)), v)


def _of_the_last(which):
    """One of the two sums is replaced by each chunk."""

    def answer(chunks, phi, lam):
        A, v = 0, 0
        for X, y in chunks:
            parts = phi(X).T @ phi(X), phi(X).T @ y
            A, v = (parts[0], v + parts[1]) if which == "gram" else (A + parts[0], parts[1])
        return np.linalg.solve(A + lam * np.eye(len(A)), v)

    return answer


def _lam_everywhere(chunks, phi, lam):
    totals = sum(Totals.of(phi, *chunk) for chunk in chunks)
    return np.linalg.solve(totals.gram + lam, totals.moment)


def _each(chunks, phi, lam):
    """The w of each chunk alone."""
    return [Totals.of(phi, X, y).solve(lam) for X, y in chunks]


one_pass.right = _plain
one_pass.wrong = {
    "last_chunk": lambda chunks, phi, lam: _each(chunks, phi, lam)[-1],
    "first_chunk": lambda chunks, phi, lam: _each(chunks, phi, lam)[0],
    "models_added": [
        lambda chunks, phi, lam: np.mean(_each(chunks, phi, lam), axis=0),
        lambda chunks, phi, lam: sum(_each(chunks, phi, lam)),
        lambda *given: np.average(_each(*given), axis=0, weights=(3, 5, 4)),
    ],
    "half_replaced": [_of_the_last("gram"), _of_the_last("moment")],
    "lam_everywhere": _lam_everywhere,
    "lam_thrice": lambda chunks, phi, lam: _plain(chunks, phi, 3 * lam),
    "means": lambda chunks, phi, lam: _plain(chunks, phi, 12 * lam),
    "no_lam": lambda chunks, phi, lam: _plain(chunks, phi, 0),
    "not_solved": lambda chunks, phi, lam: sum(phi(X).T @ y for X, y in chunks),
    "wrong_weights": lambda chunks, phi, lam: 2 * _plain(chunks, phi, lam),
    "other_numbers": fixed(_plain, 2, 0.3),
}


def _newton(Phi, y, lam, w):
    """w + (∇²J)⁻¹g with g = Φᵀ(y − s) − λw and ∇²J = Φᵀ diag(s (1 − s)) Φ + λI."""
    s = 1 / (1 + np.exp(-Phi @ w))
    g = Phi.T @ (y - s) - lam * w
    bend = (Phi.T * (s * (1 - s))) @ Phi + lam * np.eye(len(w))
    return w + np.linalg.solve(bend, g)


@exercise("One Newton step from sums")
def newton_step(trial):
    """w + (Σ s (1 − s) ΦΦᵀ + λI)⁻¹ (Σ (y − s) Φ − λw), all at the same w."""
    rng = trial.draws(3)
    phi = Monomials(1)
    lam = 0.4
    X = rng.standard_normal((12, 2))
    w = np.array([0.5, -1.0, 0.8])
    y = (X[:, 0] + rng.standard_normal(12) > 0).astype(int)
    chunks = [(X[i:j], y[i:j]) for i, j in ((0, 3), (3, 8), (8, 12))]

    Phi = phi(X)
    s = 1 / (1 + np.exp(-Phi @ w))
    right = _newton(Phi, y, lam, w)
    mine = array_like(trial.ask([(X.copy(), y.copy()) for X, y in chunks], phi, lam, w.copy()), (3,), "w")

    def step(residual=y - s, weight=s * (1 - s), slope=1, ridge=1):  # with 1 as the factors of λ, the right one
        bend = (Phi.T * weight) @ Phi + ridge * lam * np.eye(3)
        return np.linalg.solve(bend, Phi.T @ residual - slope * lam * w)

    walked = w
    for X_c, y_c in chunks:
        walked = _newton(phi(X_c), y_c, lam, walked)
    alone = [_newton(phi(X_c), y_c, lam, w) for X_c, y_c in chunks]
    gradient = Phi.T @ (y - s) - lam * w
    trial.expect_none_of(
        mine,
        close,
        not_moved=(w, "this is w as it was. Add the step to it."),
        only_the_step=(step(), "this is the step alone, and the new w is w + step."),
        downhill_sign=(
            w - step(),
            "the sign is turned. The sum g = Σ(y − s)Φ − λw leads downhill, so the step is w + (∇²J)⁻¹g.",
        ),
        no_ridge=(w + step(ridge=0), "λI is missing in ∇²J, because the penalty bends J too."),
        no_pull=(w + step(slope=0), "−λw is missing in g, because the penalty has a slope too."),
        pull_sign=(w + step(slope=-1), "the penalty pulls w back to 0, so it is −λw in g."),
        no_penalty=(w + step(slope=0, ridge=0), "λ is missing. It gives −λw in g and λI in ∇²J."),
        lam_thrice=(
            w + step(slope=3, ridge=3),
            w + step(ridge=3),
            w + step(slope=3),
            "λ counts once, not for each chunk, so −λw in g and λI in ∇²J belong outside the loop.",
        ),
        no_weights=(
            w + step(weight=np.ones(12)),
            "each ΦΦᵀ has its weight s(1 − s), which says how much the cost of this point bends.",
        ),
        half_weights=(w + step(weight=s), "the weights in ∇²J are s(1 − s), not s."),
        signs=(w + step(2 * y - 1 - s), "the labels come as 0 and 1, and y − s takes them as they come."),
        s_flipped=(
            w + step(y - (1 - s)),
            "s is the probability of the label 1, which is 1/(1 + exp(−f)), so mind the sign.",
        ),
        residual_sign=(w + step(s - y), "the residuals in g are y − s, yours are s − y."),
        gradient=(w + gradient, gradient, "this is a step along g, but Newton's step is (∇²J)⁻¹g."),
        moved_between=(walked, "all sums belong to the same w, so step once, after the last chunk."),
        step_of_a_chunk=(
            np.mean(alone, axis=0),
            np.sum(alone, axis=0) - 2 * w,
            alone[0],
            alone[-1],
            "g and ∇²J are sums over all chunks, because the steps of single chunks do not add.",
        ),
    )
    (j,) = worst_place(mine, right)
    expect(close(mine, right), "wrong_step", f"w[{j}] should be {right[j]:.4f}, yours is {mine[j]:.4f}.")
    phi = Monomials(2)
    w = np.array([0.1, 0.4, -0.2, 0.3, -0.6, 0.2])
    right = _newton(phi(X[3:]), y[3:], 1.5, w)
    again = array_like(trial.ask([(X.copy(), y.copy()) for X, y in chunks[1:]], phi, 1.5, w), (6,), "for 6 features w")
    sentence = (
        f"right for {Monomials(1)}, 3 chunks and λ = 0.4, wrong for {phi}, 2 chunks and λ = 1.5: use what comes in."
    )
    expect(close(again, right), "other_numbers", sentence)


def _from_sums(
    chunks, phi, lam, w, slope=1, ridge=1, labels=lambda y: y, weight=lambda s: s * (1 - s), plus=1, turn=1, sign=1
):
    """One step with one thing done wrong."""
    g, H = -slope * lam * w, ridge * lam * np.eye(len(w))
    for X, y in chunks:
        Phi = phi(X)
        s = 1 / (1 + np.exp(-turn * Phi @ w))
        g, H = g + sign * Phi.T @ (labels(y) - s), H + (Phi.T * weight(s)) @ Phi
    return w + plus * np.linalg.solve(H, g)


def _walking(chunks, phi, lam, w):
    for chunk in chunks:
        w = _from_sums([chunk], phi, lam, w)
    return w


def _slope_alone(chunks, phi, lam, w):
    return w - lam * w + sum(phi(X).T @ (y - 1 / (1 + np.exp(-phi(X) @ w))) for X, y in chunks)


newton_step.right = _from_sums
newton_step.wrong = {
    "not_moved": lambda *given: given[3],
    "only_the_step": lambda *given: _from_sums(*given) - given[3],
    "downhill_sign": lambda *given: _from_sums(*given, plus=-1),
    "no_ridge": lambda *given: _from_sums(*given, ridge=0),
    "no_pull": lambda *given: _from_sums(*given, slope=0),
    "pull_sign": lambda *given: _from_sums(*given, slope=-1),
    "no_penalty": lambda *given: _from_sums(*given, slope=0, ridge=0),
    "lam_thrice": [
        lambda *given: _from_sums(*given, slope=3, ridge=3),
        lambda *given: _from_sums(*given, ridge=3),
        lambda *given: _from_sums(*given, slope=3),
    ],
    "no_weights": lambda *given: _from_sums(*given, weight=np.ones_like),
    "half_weights": lambda *given: _from_sums(*given, weight=lambda s: s),
    "signs": lambda *given: _from_sums(*given, labels=lambda y: 2 * y - 1),
    "s_flipped": lambda *given: _from_sums(*given, turn=-1),
    "residual_sign": lambda *given: _from_sums(*given, sign=-1),
    "gradient": [lambda *given: _slope_alone(*given) - given[3], _slope_alone],
    "moved_between": _walking,
    "step_of_a_chunk": [
        lambda c, *given: _from_sums(c[:1], *given),
        lambda c, *given: _from_sums(c[-1:], *given),
        lambda c, *given: np.mean([_from_sums([one], *given) for one in c], axis=0),
        lambda c, *given: given[-1] + sum(_from_sums([one], *given) - given[-1] for one in c),
    ],
    "wrong_step": lambda *given: 2 * _from_sums(*given),
    "other_numbers": fixed(_from_sums, 2, 0.4),
}


summary = summary_of(nystrom, few_landmarks, waves, one_pass, deeper=(newton_step,))
