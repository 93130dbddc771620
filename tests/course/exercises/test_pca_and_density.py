"""Notebook 12: right answers written in several ways, and wrong ones, each with the message it meets."""

import numpy as np
from course.exercises.answers import accepted, fixed, hard_coded, judged, refused, unanswered, unmet_by_scenes
from scipy.special import logsumexp

from kernelkit import Gaussian
from kernelkit.course.exercises import pca_and_density as check
from kernelkit.course.explorers import pca_and_density as explore


def centred(K, N):
    return N - N.mean(axis=1, keepdims=True) - K.mean(axis=0) + K.mean()


def by_matrices(K, N):
    n = len(K)
    H = np.eye(n) - np.ones((n, n)) / n
    return (N - np.ones((len(N), n)) @ K / n) @ H


def by_loops(K, N):
    out = np.empty(N.shape)
    for i in range(len(N)):
        for j in range(len(K)):
            out[i, j] = N[i, j] - sum(N[i]) / len(K) - sum(K[j]) / len(K) + sum(map(sum, K)) / len(K) ** 2
    return out.tolist()


def in_place(K, N):
    N -= N.mean(axis=1)[:, None]
    N -= K.mean(axis=0) - K.mean()
    return N


def with_own_mean(K, N):
    G, H = np.eye(len(N)) - 1 / len(N), np.eye(len(K)) - 1 / len(K)
    return G @ N @ H


def weights(g, X, z, sigma):
    return g * np.exp(-((X - z) ** 2).sum(axis=1) / (2 * sigma**2))


def stepped(g, X, z, sigma):
    u = weights(g, X, z, sigma)
    return u @ X / u.sum()


def by_shift(g, X, z, sigma):  # z and the mean of the ways to the pictures
    u = weights(g, X, z, sigma)
    return z + (u[:, None] * (X - z)).sum(axis=0) / u.sum()


def log_left(K, sigma, d, n=None, own=1.0, volume=None):
    n = len(K) - 1 if n is None else n
    return np.log((K.sum(axis=1) - own) / n / ((2 * np.pi * sigma**2) ** (d / 2) if volume is None else volume))


def by_deleting(K, sigma, d):
    rows = [np.delete(K[i], i).mean() for i in range(len(K))]
    return [np.log(r) - d * np.log(sigma * np.sqrt(2 * np.pi)) for r in rows]


def by_infinity(K, sigma, d):
    L = np.log(K)
    L[np.diag_indices(len(K))] = -np.inf
    return logsumexp(L, axis=1) - np.log(len(K) - 1) - d / 2 * np.log(2 * np.pi * sigma**2)


def volume(power):
    return lambda K, sigma, d: log_left(K, sigma, d, volume=power(sigma, d))


RIGHT = [
    (check.centre, centred),
    (check.centre, by_matrices),
    (check.centre, by_loops),
    (check.centre, in_place),
    (check.centre, lambda K, N: centred(K, N).astype(np.longdouble)),
    (check.step, stepped),
    (check.step, by_shift),
    (check.step, lambda g, X, z, sigma: np.average(X, axis=0, weights=weights(g, X, z, sigma))),
    (check.step, lambda g, X, z, sigma: list(stepped(g, X, z, sigma))),
    (check.step, lambda g, X, z, sigma: stepped(7 * g, X, z, sigma)),
    (check.leave_one_out, log_left),
    (check.leave_one_out, by_deleting),
    (check.leave_one_out, by_infinity),
    (check.leave_one_out, lambda K, sigma, d: tuple(log_left(K, sigma, d))),
    (check.leave_one_out, lambda K, sigma, d: log_left(K, sigma, d).astype(np.float32)),
]
WRONG = [
    (check.centre, with_own_mean, "take the training points' own"),
    (check.centre, lambda K, N: N, "as it was handed in"),
    (check.centre, lambda K, N: N - N.mean(axis=1, keepdims=True), "subtract the column means of K"),
    (check.centre, lambda K, N: N - K.mean(axis=0) + K.mean(), "the mean of each row of K_new"),
    (check.centre, lambda K, N: N - N.mean(axis=1, keepdims=True) - K.mean(axis=0), "add the mean of all of K"),
    (check.centre, lambda K, N: centred(K, N) - 2 * K.mean(), "comes back with a plus"),
    (check.centre, lambda K, N: N - K.mean(), "one number for all"),
    (check.centre, lambda K, N: centred(K, N) - K.mean() + N.mean(), "not of K_new"),
    (check.centre, lambda K, N: centred(K, N) - K.mean() + K.sum(), "means, not sums"),
    (check.centre, lambda K, N: centred(K, N).T, "one row for each new point"),
    (check.centre, lambda K, N: centred(K, N) + np.eye(3, 5, 1), "entry [0, 1] should be"),
    (check.centre, lambda K, N: K, "shape"),
    (check.centre, lambda K, N: centred(K, N)[0], "shape"),
    (check.centre, lambda K, N: 0 * N, "first entry should be"),
    (check.centre, lambda K, N: "H K H", "array of numbers"),
    (check.centre, lambda K, N: -centred(K, N), "all signs are turned"),
    (check.centre, lambda K, N: [[1.0], [1.0, 2.0]], "array of numbers"),
    (check.centre, lambda K, N: np.nan, "shape"),
    (check.centre, lambda K, N: Gaussian(1.0), "array of numbers"),
    (check.centre, lambda K: K, "stopped with TypeError"),
    (check.centre, lambda K, N: N - K, "stopped with ValueError"),
    (check.step, lambda g, X, z, sigma: weights(g, X, z, sigma) @ X, "divide by the sum of the weights"),
    (check.step, lambda g, X, z, sigma: weights(g, X, z, sigma) @ X / g.sum() / 1.0, "divide"),
    (check.step, lambda g, X, z, sigma: weights(g, X, z, sigma) @ X / len(X), "not by n"),
    (check.step, lambda g, X, z, sigma: g @ X, "are missing"),
    (check.step, lambda g, X, z, sigma: stepped(np.ones(len(X)), X, z, sigma), "weights gᵢ"),
    (check.step, lambda g, X, z, sigma: stepped(g, X, z, sigma / np.sqrt(2)), "not by 2σ²"),
    (check.step, lambda g, X, z, sigma: stepped(g, X, z, np.sqrt(sigma)), "2σ, not by 2σ²"),
    (check.step, lambda g, X, z, sigma: stepped(np.abs(g), X, z, sigma), "keep their signs"),
    (check.step, lambda g, X, z, sigma: stepped(g, X, z, sigma) + np.eye(3)[1], "the second coordinate should be"),
    (check.step, lambda g, X, z, sigma: z + stepped(g, X, z, sigma), "add nothing"),
    (check.step, lambda g, X, z, sigma: stepped(g, X, z, sigma)[None], "one point"),
    (check.step, lambda g, X, z, sigma: Gaussian(sigma)(z, X), "shape"),
    (check.step, lambda g, X, z, sigma: z, "first coordinate should be"),
    (check.step, lambda g, X, z, sigma: X[0] + 1, "first coordinate should be"),
    (check.step, lambda g, X, z, sigma: X[weights(g, X, z, sigma).argmax()], "one of the pictures"),
    (check.step, lambda g, X, z, sigma: stepped(g, X, z, sigma) - z, "the place itself"),
    (check.step, lambda g, X, z, sigma: np.average(X, axis=0, weights=g), "are missing"),
    (check.step, lambda g, X, z, sigma: weights(g, X, z, sigma) @ X / Gaussian(sigma)(z, X).sum(), "not of k(z, Xᵢ)"),
    (check.step, lambda g, X, z, sigma: weights(g, X, z, sigma) @ X / abs(weights(g, X, z, sigma)).sum(), "negative"),
    (check.step, lambda g, X, z, sigma: (x for x in X), "array of numbers"),
    (check.step, lambda g, X, z, sigma: [[1.0], [1.0, 2.0]], "array of numbers"),
    (check.step, lambda g, X, z, sigma: Gaussian(sigma), "array of numbers"),
    (check.leave_one_out, lambda K, sigma, d: np.exp(log_left(K, sigma, d)), "return their logarithms"),
    (check.leave_one_out, lambda K, sigma, d: log_left(K, sigma, d, n=len(K), own=0), "k(Xᵢ, Xᵢ) = 1 must go"),
    (check.leave_one_out, lambda K, sigma, d: log_left(K, sigma, d, n=len(K)), "divide by n − 1"),
    (check.leave_one_out, lambda K, sigma, d: log_left(K, sigma, d, own=0), "sum n bumps"),
    (check.leave_one_out, volume(lambda s, d: 1.0), "has the volume"),
    (check.leave_one_out, volume(lambda s, d: (2 * np.pi * s**2) ** 0.5), "the root only for d = 1"),
    (check.leave_one_out, volume(lambda s, d: 2 * np.pi * s), "σ is squared"),
    (check.leave_one_out, volume(lambda s, d: (2 * np.pi * s**2) ** d), "the power is d/2"),
    (check.leave_one_out, lambda K, sigma, d: log_left(K, sigma, d, n=1), "divide by n − 1"),
    (
        check.leave_one_out,
        lambda K, sigma, d: np.log(K).sum(axis=1) / (len(K) - 1) - d / 2 * np.log(2 * np.pi * sigma**2),
        "not the mean of the logarithms",
    ),
    (check.leave_one_out, lambda K, sigma, d: log_left(K, sigma, d, own=K[:, 0]), "the second should be"),
    (check.leave_one_out, volume(lambda s, d: 2 * np.pi * s**2), "use the d that is handed in"),
    (check.leave_one_out, lambda K, sigma, d: -log_left(K, sigma, d), "sign is turned"),
    (check.leave_one_out, lambda K, sigma, d: log_left(K, sigma, d).sum(), "this is their sum"),
    (check.leave_one_out, lambda K, sigma, d: log_left(K, sigma, d).mean(), "this is their mean"),
    (check.leave_one_out, lambda K, sigma, d: log_left(K, sigma, d)[:2], "shape"),
    (check.leave_one_out, lambda K, sigma, d: K, "shape"),
    (check.leave_one_out, lambda K, sigma, d: np.zeros(len(K)), "the first should be"),
    (check.leave_one_out, lambda K, sigma, d: "log p", "array of numbers"),
    (check.leave_one_out, lambda K, sigma, d: log_left(K, sigma, d) / np.log(10), "natural logarithm"),
    (check.leave_one_out, lambda K, sigma, d: {1: 2}, "array of numbers"),
    (check.leave_one_out, lambda K, sigma, d: Gaussian(sigma), "array of numbers"),
    (check.leave_one_out, lambda K, sigma, d: [[1.0], [1.0, 2.0]], "array of numbers"),
    (check.leave_one_out, lambda K, sigma, d: np.nan, "shape"),
    (check.leave_one_out, lambda K, sigma, d: log_left(K, sigma, d)[:, None], "shape"),
    (check.leave_one_out, lambda K: K, "stopped with TypeError"),
    (check.centre, hard_coded(centred), "for 2 new points and 4 training points"),
    (check.centre, lambda K, N: N - N.mean(axis=1)[:, None] - K.sum(axis=0) / 5 + K.mean(), "use what comes in"),
    (check.step, fixed(stepped, 3, 1.3), "wrong for σ = 0.6 and 4 others"),
    (check.leave_one_out, fixed(log_left, 1, 0.8), "wrong for 4 points and σ = 1.7"),
    (check.leave_one_out, lambda K, sigma, d: log_left(K, sigma, d, n=5), "wrong for 4 points and σ = 1.7"),
]


GOOD = {"kernel": "gaussian", "sigma": 0.5, "shift": 0.0, "humps": 2.0, "spread": 0.45, "half": 50}
STATES = [
    (GOOD, "✓", "right"),
    (GOOD | {"sigma": 0.2, "humps": 3.0, "spread": 0.3, "half": 30}, "✓", "right"),  # a ratio of 0.9 to the last digit
    (GOOD | {"sigma": 0.2, "humps": 2.5, "spread": 0.35, "half": 30}, "✗", "the variances are 1.00 and 0.89"),
    (GOOD | {"shift": 0.05}, "✓", "right"),
    (GOOD | {"number": 4}, "✓", "right"),
    (GOOD | {"shift": 0.5}, "✗", "the means differ by 0.50"),
    (GOOD | {"spread": 1.0}, "✗", "the variances are 1.00 and 5.00"),
    (GOOD | {"humps": 0.0, "spread": 1.0}, "✗", "nothing is left that differs"),
    (GOOD | {"kernel": "linear"}, "✗", "sees only means"),
    (GOOD | {"kernel": "polynomial"}, "✗", "sees only means"),
    (GOOD | {"sigma": 5.0}, "✗", "wider than the humps"),
    (GOOD | {"humps": 1.0, "spread": 0.7}, "✗", "humps farther apart"),
    (GOOD | {"half": 8}, "✗", "more points"),
]
test_right_answers_are_accepted = accepted(RIGHT)
test_wrong_answers_meet_their_messages = refused(WRONG)
test_no_answer_is_no_mistake = unanswered(*dict(RIGHT))
test_the_challenge_is_judged_by_its_panel = judged(explore.two_samples, check.same_moments, STATES)
test_no_scene_meets_the_challenge = unmet_by_scenes(explore.two_samples, check.same_moments)


def test_the_challenge_wants_its_panel(capsys):
    other = explore.density()
    other.set(sigma=2.0)
    for wrong in (other, 0.05, "panel", GOOD):
        check.same_moments(wrong)
        assert capsys.readouterr().out.startswith("✗")
