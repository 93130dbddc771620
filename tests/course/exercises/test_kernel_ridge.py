"""Every typical mistake of the exercises of notebook 03 meets its own message."""

import numpy as np
import pytest
import scipy.linalg
from course.exercises.answers import (
    accepted,
    fixed,
    hard_coded,
    judged,
    refused,
    refuses_others,
    unanswered,
    unmet_by_scenes,
)

from kernelkit import Monomials
from kernelkit.course.exercises import kernel_ridge as check
from kernelkit.course.explorers.kernel_ridge import singular

solve, eye = np.linalg.solve, np.eye


def fitted(k, X, y, lam):
    return solve(k(X) + lam * eye(len(X)), y)


def centred(X, y, Z, lam, mean_x=None, shift=None, back=True):
    """Centred ridge with one thing done wrong: the mean taken from X, the shift of Z, or the way back."""
    mean_x = X.mean(axis=0) if mean_x is None else mean_x
    A = X - mean_x
    w = solve(A.T @ A + lam * eye(X.shape[1]), A.T @ (y - y.mean()))
    return (Z - (mean_x if shift is None else shift)) @ w + (y.mean() if back else 0)


def dual(K, y, lam):
    return solve(K + lam * eye(len(y)), y)


def by_dual(X, y, Z, lam):
    A, B = X - X.mean(axis=0), Z - X.mean(axis=0)
    return B @ A.T @ solve(A @ A.T + lam * eye(len(y)), y - y.mean()) + y.mean()


WRONG = [
    (check.dual_weights, lambda K, y, lam: solve(K, y), "you forgot λ"),
    (check.dual_weights, lambda K, y, lam: K @ solve(K + lam * eye(6), y), "predictions Ka"),
    (check.dual_weights, lambda K, y, lam: (K + lam * eye(6)) @ y, "multiplied y"),
    (check.dual_weights, lambda K, y, lam: solve(K + lam, y), "every entry of K"),
    (check.dual_weights, lambda K, y, lam: solve(K - lam * eye(6), y), "sign of λ"),
    (check.dual_weights, lambda K, y, lam: solve(K + 6 * lam * eye(6), y), "nλ"),
    (check.dual_weights, lambda K, y, lam: solve(K.T @ K + lam * eye(6), K.T @ y), "K is already ΦΦᵀ"),
    (check.dual_weights, lambda K, y, lam: solve(K + 2 * lam * eye(6), y), "should give back y"),
    (check.dual_weights, lambda K, y, lam: np.linalg.inv(K + lam * eye(6)), "shape (6,)"),
    (check.predict, lambda k, X, y, Z, lam: fitted(k, X, y, lam), "dual weights a; multiply"),
    (check.predict, lambda k, X, y, Z, lam: k(Z, X) @ solve(k(X), y), "you forgot λ"),
    (check.predict, lambda k, X, y, Z, lam: k(Z, X) @ solve(k(X) + lam, y), "every entry of K"),
    (check.predict, lambda k, X, y, Z, lam: k(X, Z) @ fitted(k, X, y, lam), "you transposed K̃"),
    (check.predict, lambda k, X, y, Z, lam: k(X) @ fitted(k, X, y, lam), "K of the training points again"),
    (check.predict, lambda k, X, y, Z, lam: k(Z) @ fitted(k, X, y, lam), "test points with test points"),
    (check.predict, lambda k, X, y, Z, lam: (k(Z, X) + lam * eye(5)) @ fitted(k, X, y, lam), "added λ to K̃"),
    (check.predict, lambda k, X, y, Z, lam: k(Z, X) @ y, "used y where"),
    (check.predict, lambda k, X, y, Z, lam: np.ones(len(Z)), "should be K̃a"),
    (
        check.predict,
        lambda k, X, y, Z, lam: (k(Z, X) @ fitted(k, X, y, lam)) * (1 if len(Z) == 5 else 2),
        "wrong for 3",
    ),
    (
        check.predict,
        lambda k, X, y, Z, lam: ((Z @ X.T + 1) ** 2) @ solve((X @ X.T + 1) ** 2 + lam * eye(len(X)), y),
        "use the k you get",
    ),
    (check.recover, lambda phi, X, a: X.T @ a, "the points X_i themselves"),
    (check.recover, lambda phi, X, a: phi(X) @ a, "forgot to transpose"),
    (check.recover, lambda phi, X, a: phi(X).T @ a / len(X), "took the mean"),
    (check.recover, lambda phi, X, a: np.linalg.lstsq(phi(X), a)[0], "solved Φw = a"),
    (check.recover, lambda phi, X, a: phi(X) @ phi(X).T @ a, "this is Ka"),
    (check.recover, lambda phi, X, a: phi(X)[:, ::-1].T @ a, "should be Σ aᵢ Φ(Xᵢ), and it is not"),
    (check.recover, lambda phi, X, a: phi(X).T @ a * (1 if len(X) == 6 else 2), "wrong for 4"),
    (check.break_even, lambda n, d, D: D / d, "rule of thumb"),
    (check.break_even, lambda n, d, D: D / (n * d - D), "costs n·D, not D"),
    (check.break_even, lambda n, d, D: n * D / (n * d + D), "a sign"),
    (check.break_even, lambda n, d, D: n * D / (n - D), "n·d with the kernel"),
    (check.break_even, lambda n, d, D: 7.0, "both ways cost the same at t = 12.61"),
    (check.break_even, lambda n, d, D: n * D / (n * d - D), "a negative number"),
    (check.break_even, lambda n, d, D: abs(n * D / (n * d - D)), "so the answer is np.inf"),
    (check.break_even, lambda n, d, D: np.inf if n * d < D else n * D / (n * d - D), "n·d = D exactly"),
    (check.break_even, lambda n, d, D: np.inf if D >= n and n == 10 else n * D / (n * d - D), "pays from t = 10"),
    (check.break_even, lambda n, d, D: np.array([1.0, 2.0]), "one number"),
    (check.another, lambda K, a: a, "this is a itself"),
    (check.another, lambda K, a: np.linalg.eigh(K)[1][:, 0], "return a + v"),
    (check.another, lambda K, a: 2 * a, "a prediction changes by"),
    (check.another, lambda K, a: a + np.linalg.eigh(K)[1][:, -1], "an eigenvalue of 0"),
    (check.another, lambda K, a: a + np.linalg.eigh(K)[1][0], "needs Kv = 0"),
    (check.another, lambda K, a: a[:3], "shape (8,)"),
    (check.predict_centred, lambda X, y, Z, lam: centred(X[:, :2], y, Z[:, :2], lam), "wrong for 3"),
    (check.predict_centred, lambda X, y, Z, lam: centred(X, y, Z, lam, shift=Z.mean(axis=0)), "with their own mean"),
    (check.predict_centred, lambda X, y, Z, lam: centred(X, y, Z, lam, shift=0), "did not centre the test points"),
    (check.predict_centred, lambda X, y, Z, lam: centred(X, y, Z, lam, back=False), "mean of y back"),
    (check.predict_centred, lambda X, y, Z, lam: centred(X, y, Z, 0), "you forgot λ"),
    (check.predict_centred, lambda X, y, Z, lam: Z @ solve(X.T @ X + lam * eye(2), X.T @ y), "nothing is centred"),
    (check.predict_centred, lambda X, y, Z, lam: centred(X, y, Z, lam, mean_x=X.mean()), "one mean over all entries"),
    (check.predict_centred, lambda X, y, Z, lam: centred(X, y, Z, 9 * lam), "and they are not"),
    (check.predict_centred, lambda X, y, Z, lam: X, "should have shape (4,)"),
    (
        check.dual_weights,
        lambda K, y, lam: solve(K + lam * eye(6), y),
        "with K of shape (4, 4), y of shape (4,), lam = 2",
    ),
    (check.dual_weights, fixed(dual, 2, 0.7), "wrong for 4 points and λ = 2"),
    (check.dual_weights, hard_coded(dual), "with 4 training points, a should have shape (4,)"),
    (check.dual_weights, lambda K, y, lam: dual(K, y, lam)[:, None], ".ravel() makes it flat"),
    (check.dual_weights, lambda K, y, lam: [dual(K, y, lam)], "yours has (1, 6). One number for each is a flat array"),
    (check.predict, lambda k, X, y, Z, lam: k(Z, X) @ fitted(k, X, y, -lam), "the sign of λ"),
    (check.predict, lambda k, X, y, Z, lam: k(Z, X) @ fitted(k, X, y, lam * len(X)), "you added nλ"),
    (
        check.predict,
        fixed(lambda k, X, y, Z, lam: k(Z, X) @ fitted(k, X, y, lam), 4, 0.7),
        "wrong for 3 inputs and λ = 3",
    ),
    (check.another, lambda K, a: a * np.nan, "entries that are not numbers"),
    (check.another, lambda K, a: a + np.linalg.eigh(K)[1][0], "a v needs Kv = 0"),
    (check.recover, fixed(lambda phi, X, a: phi(X).T @ a, 0, Monomials(2)), "use the phi you get"),
    (check.predict_centred, fixed(centred, 3, 0.8), "wrong for λ = 2.5"),
    (check.break_even, lambda n, d, D: n * D / np.maximum(n * d - D, 1e-9), "the answer is np.inf"),
    (
        check.break_even,
        lambda n, d, D: n * D / (n * d - D) if n * d > D else None,
        "D = 100 your function returns nothing",
    ),
]


def test_messages_are_different():
    assert len({(judge, message) for judge, _, message in WRONG}) == len(WRONG)


RIGHT = [
    (check.dual_weights, lambda K, y, lam: solve(K + lam * eye(len(K)), y)),
    (check.predict, lambda k, X, y, Z, lam: k(Z, X) @ fitted(k, X, y, lam)),
    (check.recover, lambda phi, X, a: phi(X).T @ a),
    (check.break_even, lambda n, d, D: np.inf if n * d <= D else n * D / (n * d - D)),
    (check.predict_centred, centred),
    (check.another, lambda K, a: a + np.linalg.eigh(K)[1][:, 0]),
    (check.another, lambda K, a: K @ np.linalg.pinv(K) @ a),
    (check.another, lambda K, a: a - 500 * scipy.linalg.null_space(K).sum(axis=1)),
    (check.dual_weights, lambda K, y, lam: (np.linalg.inv(K + lam * eye(len(y))) @ y).tolist()),
    (check.another, lambda K, a: np.linalg.pinv(K) @ K @ a),
    (check.another, lambda K, a: a - 3 * scipy.linalg.null_space(K, rcond=1e-9)[:, -1]),
    (check.recover, lambda phi, X, a: sum(weight * phi(x) for weight, x in zip(a, X, strict=True))),
    (check.predict_centred, lambda X, y, Z, lam: centred(X, y, Z, lam).tolist()),
    (check.dual_weights, lambda K, y, lam: scipy.linalg.cho_solve(scipy.linalg.cho_factor(K + lam * eye(len(y))), y)),
    (check.predict, lambda k, X, y, Z, lam: [k(z, X) @ fitted(k, X, y, lam) for z in Z]),
    (check.predict, lambda k, X, y, Z, lam: y @ np.linalg.inv(k(X) + lam * eye(len(y))) @ k(X, Z)),
    (check.break_even, lambda n, d, D: float("inf") if D / d >= n else 1 / (d / D - 1 / n)),
    (check.predict_centred, by_dual),
]
NOT_YET = [
    ({"lam": 1e-6}, "✗", "4 features cannot reach 12 noisy targets"),
    ({"n": 7, "degree": 6, "noise": 0.5}, "✗", "λ still holds the curve back"),
    ({"noise": 0.0, "lam": 1e-6}, "✗", "without noise"),
    ({"n": 4, "lam": 1e-6}, "✗", "Tiny eigenvalues raise"),
    ({"shift": 10.0, "lam": 1e-6}, "✗", "4 features cannot"),
]
REACHED = [
    {"n": 7, "degree": 6, "noise": 0.5, "lam": 1e-7},
    {"n": 7, "degree": 6, "noise": 0.3, "lam": 1e-8},
    {"n": 7, "degree": 6, "noise": 0.2, "lam": 1e-8},
]
STATES = [*NOT_YET, *((values, "✓", "right") for values in REACHED)]


test_right_answers_are_accepted = accepted(RIGHT)
test_wrong_answers_meet_their_messages = refused(WRONG)
test_no_answer_is_no_mistake = unanswered(*dict(RIGHT))
test_the_challenge_is_judged_by_its_panel = judged(singular, check.huge_weights, STATES)
test_no_scene_meets_the_challenge = unmet_by_scenes(singular, check.huge_weights)
test_the_challenge_wants_its_own_panel = refuses_others(check.huge_weights)


@pytest.mark.parametrize("values", REACHED)
def test_the_panel_reads_off_each_answer_of_the_challenge(values):
    panel = singular()
    panel.set(**values)
    assert singular.readout(panel.state)["largest miss"] == "0.00" and panel.state.largest >= 1000
