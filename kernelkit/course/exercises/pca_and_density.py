"""Checks of the exercises of notebook 12."""

from numbers import Real

import numpy as np

from kernelkit import Gaussian, KernelPCA
from kernelkit.course.exercises.base import (
    Mistake,
    array_like,
    challenge,
    close,
    exercise,
    expect,
    first_wrong,
    fixed,
    shape_of,
    summary_of,
)
from kernelkit.course.explorers.pca_and_density import density, digits_along
from kernelkit.course.explorers.pca_and_density.two_samples import TIMES, kernel_of, samples, two_samples
from kernelkit.study.two_samples import permutation_test


@exercise("Centre new points")
def centre(trial):
    """k(z, X_i) − mean_j k(z, X_j) − mean_j k(X_j, X_i) + mean of K."""
    rng = trial.draws(3)
    X = rng.standard_normal((5, 2))
    Z = rng.standard_normal((3, 2)) + 0.7
    K = Gaussian(1.0)(X)
    N = Gaussian(1.0)(Z, X)
    rows = N.mean(axis=1, keepdims=True)
    columns = K.mean(axis=0)
    right = N - rows - columns + K.mean()
    value = trial.ask(K, N)
    expect(shape_of(value) != (5, 3), "transposed", "one row for each new point, one column for each training point.")
    mine = array_like(value, (3, 5), "the centred matrix")
    C_5, C_3 = np.eye(5) - 1 / 5, np.eye(3) - 1 / 3
    trial.expect_none_of(
        mine,
        close,
        own_mean=(C_3 @ N @ C_5, "you took away the mean of the new points; take the training points' own, from K."),
        not_centred=(N, "this is the matrix as it was handed in."),
        one_side=(N - columns + K.mean(), "Φ(Xᵢ) is centred too: the mean of each row of K_new."),
        columns_missing=(N - rows, "Φ(z) must lose the mean too: subtract the column means of K."),
        mean_missing=(
            N - rows - columns,
            "the product of the two means is subtracted twice: add the mean of all of K.",
        ),
        mean_sign=(N - rows - columns - K.mean(), "the mean of K comes back with a plus."),
        mean_only=(N - K.mean(), "one number for all is not enough: use rows and columns."),
        new_mean=(N - rows - columns + N.mean(), "the last term is the mean of K, not of K_new."),
        sum_for_mean=(N - rows - columns + K.sum(), "the last term needs means, not sums: take mean() of K."),
        sign_turned=(-right, "all signs are turned."),
    )
    i, j = np.unravel_index(np.argmin(np.isclose(mine, right, rtol=1e-6)), mine.shape)
    which = f"entry [{i}, {j}]" if i or j else "the first entry"
    expect(close(mine, right), "wrong_entries", f"{which} should be {right[i, j]:.4f}, yours is {mine[i, j]:.4f}.")
    K = K[:4, :4] + 1
    N = N[:2, :4] - 0.5
    again = array_like(trial.ask(K, N), (2, 4), "for 2 new points and 4 training points the matrix")
    right = N - N.mean(axis=1, keepdims=True) - K.mean(axis=0) + K.mean()
    expect(close(again, right), "other_numbers", "right for the first matrices, wrong for others: use what comes in.")


def _centred(K, N):
    return N - N.mean(axis=1, keepdims=True) - K.mean(axis=0) + K.mean()


def _with_own_mean(K, N):
    G, H = np.eye(len(N)) - 1 / len(N), np.eye(len(K)) - 1 / len(K)
    return G @ N @ H


centre.right = _centred
centre.wrong = {
    "transposed": lambda K, N: _centred(K, N).T,
    "own_mean": _with_own_mean,
    "not_centred": lambda K, N: N,
    "one_side": lambda K, N: N - K.mean(axis=0) + K.mean(),
    "columns_missing": lambda K, N: N - N.mean(axis=1, keepdims=True),
    "mean_missing": lambda K, N: N - N.mean(axis=1, keepdims=True) - K.mean(axis=0),
    "mean_sign": lambda K, N: _centred(K, N) - 2 * K.mean(),
    "mean_only": lambda K, N: N - K.mean(),
    "new_mean": lambda K, N: _centred(K, N) - K.mean() + N.mean(),
    "sum_for_mean": lambda K, N: _centred(K, N) - K.mean() + K.sum(),
    "sign_turned": lambda K, N: -_centred(K, N),
    "wrong_entries": [lambda K, N: _centred(K, N) + np.eye(3, 5, 1), lambda K, N: 0 * N],
    "other_numbers": lambda K, N: N - N.mean(axis=1)[:, None] - K.sum(axis=0) / 5 + K.mean(),
}


@exercise("One step to the pre-image")
def step(trial):
    """z ← Σ g_i k(z, X_i) X_i / Σ g_i k(z, X_i)."""
    rng = trial.draws(4)
    X = rng.standard_normal((6, 3))
    z = np.array([0.3, -0.2, 0.5])
    sigma = 1.3
    model = KernelPCA(Gaussian(sigma), 2).fit(X)
    g = model.combination([[0.4, -0.3]])[0]
    weights = g * Gaussian(sigma)(z, X)
    right = weights @ X / weights.sum()
    value = trial.ask(g, X, z, sigma)
    expect(shape_of(value) != (1, 3), "a_row", "return one point, an array of shape (3,), not a row of a matrix.")
    mine = array_like(value, (3,), "the next z")
    k = Gaussian(sigma)(z, X)
    narrow = g * Gaussian(sigma / np.sqrt(2))(z, X)
    plain = g * Gaussian(np.sqrt(sigma))(z, X)
    absolute = np.abs(weights)
    trial.expect_none_of(
        mine,
        close,
        not_divided=(weights @ X, "divide by the sum of the weights gᵢ k(z, Xᵢ)."),
        divided_by_n=(weights @ X / len(X), "divide by the sum of gᵢ k(z, Xᵢ), not by n."),
        no_kernel=(g @ X, "the k(z, Xᵢ) are missing: points far from z have no say."),
        no_g=(k @ X / k.sum(), "the weights gᵢ of the combination are missing."),
        sigma_squared=(narrow @ X / narrow.sum(), "you divided by σ², not by 2σ²."),
        sigma_not_squared=(plain @ X / plain.sum(), "you divided by 2σ, not by 2σ²."),
        weights_without_sign=(absolute @ X / absolute.sum(), "some gᵢ are negative: keep their signs."),
        added=(z + right, z - right, "the mean is the next z; add nothing."),
        absolute_weights=(
            weights @ X / absolute.sum(),
            "divide by the sum of the weights as they are; some are negative.",
        ),
        divided_by_k=(weights @ X / k.sum(), "divide by the sum of gᵢ k(z, Xᵢ), not of k(z, Xᵢ)."),
        only_the_way=(right - z, "this is the way from z to the next z; return the place itself."),
        one_picture=(X[weights.argmax()], "this is one of the pictures; take the mean of all."),
    )
    i, nth = first_wrong(mine, right)
    expect(close(mine, right), "wrong_step", f"the {nth} coordinate should be {right[i]:.4f}, yours is {mine[i]:.4f}.")
    X = X[:4, :2]
    weights = g[:4] * Gaussian(0.6)(X[1], X)
    again = array_like(trial.ask(g[:4], X, X[1], 0.6), (2,), "for pictures of 2 pixels the next z")
    sentence = "right for σ = 1.3 and 6 pictures, wrong for σ = 0.6 and 4 others: use what comes in."
    expect(close(again, weights @ X / weights.sum()), "other_numbers", sentence)


def _weights(g, X, z, sigma):
    return g * np.exp(-((X - z) ** 2).sum(axis=1) / (2 * sigma**2))


def _stepped(g, X, z, sigma):
    u = _weights(g, X, z, sigma)
    return u @ X / u.sum()


step.right = _stepped
step.wrong = {
    "a_row": lambda g, X, z, sigma: _stepped(g, X, z, sigma)[None],
    "not_divided": [
        lambda g, X, z, sigma: _weights(g, X, z, sigma) @ X,
        lambda g, X, z, sigma: _weights(g, X, z, sigma) @ X / g.sum(),  # which is 1
    ],
    "divided_by_n": lambda g, X, z, sigma: _weights(g, X, z, sigma) @ X / len(X),
    "no_kernel": [lambda g, X, z, sigma: g @ X, lambda g, X, z, sigma: np.average(X, axis=0, weights=g)],
    "no_g": lambda g, X, z, sigma: _stepped(np.ones(len(X)), X, z, sigma),
    "sigma_squared": lambda g, X, z, sigma: _stepped(g, X, z, sigma / np.sqrt(2)),
    "sigma_not_squared": lambda g, X, z, sigma: _stepped(g, X, z, np.sqrt(sigma)),
    "weights_without_sign": lambda g, X, z, sigma: _stepped(np.abs(g), X, z, sigma),
    "added": [
        lambda g, X, z, sigma: z + _stepped(g, X, z, sigma),
        lambda g, X, z, sigma: z - _stepped(g, X, z, sigma),
    ],
    "absolute_weights": lambda g, X, z, sigma: _weights(g, X, z, sigma) @ X / abs(_weights(g, X, z, sigma)).sum(),
    "divided_by_k": lambda g, X, z, sigma: _weights(g, X, z, sigma) @ X / Gaussian(sigma)(z, X).sum(),
    "only_the_way": lambda g, X, z, sigma: _stepped(g, X, z, sigma) - z,
    "one_picture": lambda g, X, z, sigma: X[_weights(g, X, z, sigma).argmax()],
    "wrong_step": [
        lambda g, X, z, sigma: _stepped(g, X, z, sigma) + np.eye(3)[1],
        lambda g, X, z, sigma: z,
        lambda g, X, z, sigma: X[0] + 1,
    ],
    "other_numbers": fixed(_stepped, 3, 1.3),
}
step.scenes = {
    "no_kernel": (digits_along, "Wide, in the middle"),
}


@exercise("Leave each point out")
def leave_one_out(trial):
    """log of (1/(n − 1)) Σ_{j≠i} k(X_i, X_j)/(2πσ²)^{d/2}."""
    X = trial.draws(5).standard_normal((6, 2))
    sigma = 0.8
    K = Gaussian(sigma)(X)
    n = 6
    d = 2
    volume = (2 * np.pi * sigma**2) ** (d / 2)
    others = K.sum(axis=1) - 1  # k(X_i, X_i) = 1
    right = np.log(others / (n - 1) / volume)
    value = trial.ask(K, sigma, d)
    alone = float(value) if isinstance(value, (Real, np.ndarray)) and np.ndim(value) == 0 else np.nan
    trial.expect_none_of(
        alone,
        np.isclose,
        the_sum=(right.sum(), "this is their sum; return all n numbers."),
        the_mean=(right.mean(), "this is their mean; return all n numbers."),
    )
    mine = array_like(value, (n,), "the answer")
    every = K.sum(axis=1)
    trial.expect_none_of(
        mine,
        close,
        no_logarithm=(np.exp(right), "these are the densities; return their logarithms."),
        nothing_left_out=(np.log(every / n / volume), "point i still has its own bump: k(Xᵢ, Xᵢ) = 1 must go."),
        divided_by_n=(np.log(others / n / volume), "n − 1 bumps are left: divide by n − 1."),
        own_bump=(np.log(every / (n - 1) / volume), "you divide by n − 1, but sum n bumps."),
        no_volume=(np.log(others / (n - 1)), "a bump has the volume (2πσ²)^(d/2): divide by it."),
        one_dimension=(
            np.log(others / (n - 1) / np.sqrt(2 * np.pi * sigma**2)),
            "in d dimensions the volume is (2πσ²)^(d/2), the root only for d = 1.",
        ),
        sigma_not_squared=(np.log(others / (n - 1) / (2 * np.pi * sigma) ** (d / 2)), "σ is squared in (2πσ²)^(d/2)."),
        sign_turned=(-right, "the sign is turned: the logarithms themselves."),
        whole_power=(
            np.log(others / (n - 1)) - d * np.log(2 * np.pi * sigma**2),
            "the power is d/2, because (2πσ²)^(d/2) is the d-th power of a root.",
        ),
        sum_of_bumps=(np.log(others / volume), "this is the sum of the n − 1 other bumps: divide by n − 1."),
        mean_of_logarithms=(
            (np.log(K).sum(axis=1)) / (n - 1) - np.log(volume),
            "take the logarithm of the mean, not the mean of the logarithms.",
        ),
        other_base=(right / np.log(2), right / np.log(10), "take the natural logarithm, np.log."),
    )
    i, nth = first_wrong(mine, right)
    expect(close(mine, right), "wrong_entries", f"the {nth} should be {right[i]:.4f}, yours is {mine[i]:.4f}.")
    again = array_like(trial.ask(K, sigma, 3), (n,), "the answer")
    other = np.log(others / (n - 1)) - 1.5 * np.log(2 * np.pi * sigma**2)
    expect(close(again, other), "d_ignored", "with d = 3 the volume of a bump is another: use the d that is handed in.")
    K = Gaussian(1.7)(X[:4])
    again = array_like(trial.ask(K, 1.7, d), (4,), "for 4 points the answer")
    other = np.log((K.sum(axis=1) - 1) / 3 / (2 * np.pi * 1.7**2))
    sentence = "right for 6 points and σ = 0.8, wrong for 4 points and σ = 1.7: use what comes in."
    expect(close(again, other), "other_numbers", sentence)


def _log_left(K, sigma, d, n=None, own=1.0, volume=None):
    """An answer with another n, another bump of the point itself, or another volume of a bump."""
    n = len(K) - 1 if n is None else n
    volume = (2 * np.pi * sigma**2) ** (d / 2) if volume is None else volume
    return np.log((K.sum(axis=1) - own) / n / volume)


def _volume(power):
    return lambda K, sigma, d: _log_left(K, sigma, d, volume=power(sigma, d))


leave_one_out.right = _log_left
leave_one_out.wrong = {
    "the_sum": lambda K, sigma, d: _log_left(K, sigma, d).sum(),
    "the_mean": lambda K, sigma, d: _log_left(K, sigma, d).mean(),
    "no_logarithm": lambda K, sigma, d: np.exp(_log_left(K, sigma, d)),
    "nothing_left_out": lambda K, sigma, d: _log_left(K, sigma, d, n=len(K), own=0),
    "divided_by_n": lambda K, sigma, d: _log_left(K, sigma, d, n=len(K)),
    "own_bump": lambda K, sigma, d: _log_left(K, sigma, d, own=0),
    "no_volume": _volume(lambda s, d: 1.0),
    "one_dimension": _volume(lambda s, d: (2 * np.pi * s**2) ** 0.5),
    "sigma_not_squared": _volume(lambda s, d: 2 * np.pi * s),
    "sign_turned": lambda K, sigma, d: -_log_left(K, sigma, d),
    "whole_power": _volume(lambda s, d: (2 * np.pi * s**2) ** d),
    "sum_of_bumps": lambda K, sigma, d: _log_left(K, sigma, d, n=1),
    "mean_of_logarithms": lambda K, sigma, d: (
        np.log(K).sum(axis=1) / (len(K) - 1) - d / 2 * np.log(2 * np.pi * sigma**2)
    ),
    "other_base": [
        lambda K, sigma, d: _log_left(K, sigma, d) / np.log(2),
        lambda K, sigma, d: _log_left(K, sigma, d) / np.log(10),
    ],
    "wrong_entries": [lambda K, sigma, d: _log_left(K, sigma, d, own=K[:, 0]), lambda K, sigma, d: np.zeros(len(K))],
    "d_ignored": _volume(lambda s, d: 2 * np.pi * s**2),
    "other_numbers": [fixed(_log_left, 1, 0.8), lambda K, sigma, d: _log_left(K, sigma, d, n=5)],
}
leave_one_out.scenes = {
    "nothing_left_out": (density, "Narrow"),
    "own_bump": (density, "Narrow"),
}


SURE = 0.05  # chance makes as large a distance in at most so many of the shuffles


@challenge("Same mean, same variance", two_samples)
def same_moments(panel):
    """Samples with nearly equal means and variances that a Gaussian kernel tells apart."""
    values = panel.values
    one, two = samples(*(values[name] for name in ("shift", "spread", "humps", "half", "number")))
    gap = round(abs(one.mean() - two.mean()), 6)
    ratio = round(two.var() / one.var(), 6)  # a tenth is a tenth
    expect(gap <= 0.1, "means_differ", f"the means differ by {gap:.2f}; any kernel sees that. Bring them within 0.1.")
    expect(
        0.9 <= ratio <= 1.1,
        "variances_differ",
        f"the variances are 1.00 and {two.var():.2f}; bring them within a tenth of each other.",
    )
    expect(values["humps"] > 0, "no_difference", "nothing is left that differs: give sample 2 its humps.")
    expect(
        values["kernel"] == "gaussian",
        "blind_kernel",
        "this kernel sees only means, or means and variances. Which one sees more?",
    )
    p = permutation_test(kernel_of("gaussian", values["sigma"]), one[:, None], two[:, None], TIMES).p
    if p <= SURE:
        return
    expect(values["sigma"] <= 0.8, "too_wide", f"p = {p:.2g}: σ is wider than the humps. A narrower one?")
    expect(values["humps"] >= 2, "humps_too_near", f"p = {p:.2g}: humps farther apart would help.")
    raise Mistake("too_few_points", f"p = {p:.2g}: more points, or a σ as wide as the humps, would help.")


_GOOD = {"kernel": "gaussian", "sigma": 0.5, "shift": 0.0, "humps": 2.0, "spread": 0.45, "half": 50}
same_moments.right = _GOOD
same_moments.wrong = {
    "means_differ": _GOOD | {"shift": 0.5},
    "variances_differ": [_GOOD | {"sigma": 0.2, "humps": 2.5, "spread": 0.35, "half": 30}, _GOOD | {"spread": 1.0}],
    "no_difference": _GOOD | {"humps": 0.0, "spread": 1.0},
    "blind_kernel": [_GOOD | {"kernel": "linear"}, _GOOD | {"kernel": "polynomial"}],
    "too_wide": _GOOD | {"sigma": 5.0},
    "humps_too_near": _GOOD | {"humps": 1.0, "spread": 0.7},
    "too_few_points": _GOOD | {"half": 8},
}
same_moments.scenes = {
    "blind_kernel": (two_samples, "Linear"),
    "too_wide": (two_samples, "σ = 10"),
    "too_few_points": (two_samples, "A shift, few points"),
}


summary = summary_of(centre, leave_one_out, deeper=(same_moments, step))
