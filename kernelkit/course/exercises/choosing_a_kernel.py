"""Checks of the exercises of notebook 10."""

import numpy as np

from kernelkit import Gaussian, KernelRidge, KernelSVM, datasets
from kernelkit.course.exercises.base import (
    Mistake,
    Unsolved,
    array_like,
    challenge,
    close,
    exercise,
    expect,
    fixed,
    hard_coded,
    number,
    shape_of,
    summary_of,
)
from kernelkit.course.explorers.choosing_a_kernel import bias_variance, hidden_test, validation
from kernelkit.course.panel.numbers import short


def _errors(sigmas, X, y, Z, t, lam, of=np.square):
    """The mean squared error on Z of a fit to X, for each σ, or the mean of something else than squares."""
    return np.array([np.mean(of(t - KernelRidge(Gaussian(s), lam).fit(X, y).predict(Z))) for s in sigmas])


def _of(sigmas, value):
    """The value, or the σ that it is but for rounding."""
    return next((sigma for sigma in sigmas if np.isclose(sigma, value)), value)


def _two_samples(trial, number):
    """Points to fit to and points to compare on: X, y, V, v."""
    X, y = datasets.sine(16, 0.4, random_state=trial.seeded(number))
    V, v = datasets.sine(10, 0.4, random_state=trial.seeded(number + 1))
    return X, y, V, v


@exercise("Choose σ")
def choose_sigma(trial):
    """The σ whose fit to X, y has the smallest mean squared error on V, v."""
    sigmas = np.array([2.5, 0.1, 1.2, 0.4, 6.5, 0.7, 1.7, 0.25])  # each mistake below has a σ of its own
    lam = 0.02
    # one σ alone would not tell which mistake it was
    samples = [_two_samples(trial, number) for number in (726, 774, 800)]
    mine = np.array([_of(sigmas, number(trial.ask(sigmas, *sample, lam))) for sample in samples])
    held_out = np.array([_errors(sigmas, X, y, V, v, lam) for X, y, V, v in samples])
    training = np.array([_errors(sigmas, X, y, X, y, lam) for X, y, _, _ in samples])
    swapped = np.array([_errors(sigmas, V, v, X, y, lam) for X, y, V, v in samples])
    other_lam = np.array([_errors(sigmas, X, y, V, v, 1.0) for X, y, V, v in samples])
    signed = np.array([_errors(sigmas, X, y, V, v, lam, of=np.positive) for X, y, V, v in samples])
    absolute = np.array([_errors(sigmas, X, y, V, v, lam, of=np.abs) for X, y, V, v in samples])
    right = sigmas[held_out.argmin(axis=1)]
    trial.expect_none_of(
        mine,
        np.allclose,
        training_error=(
            sigmas[training.argmin(axis=1)],
            "this σ has the smallest error on the points it was fitted to. Fit to X, y and compare h(V) with v.",
        ),
        largest_error=(
            sigmas[held_out.argmax(axis=1)],
            "this σ has the largest error, so you need argmin, not argmax.",
        ),
        place_for_sigma=(
            held_out.argmin(axis=1),
            "this is the position of the best σ in the list, so you still have to return the σ.",
        ),
        error_for_sigma=(held_out.min(axis=1), "this is the smallest error, and you should return its σ."),
        samples_swapped=(
            sigmas[swapped.argmin(axis=1)],
            "you fitted to V and compared on X, but it should be the other way round.",
        ),
        lam_ignored=(
            sigmas[other_lam.argmin(axis=1)],
            f"this σ would be best with another λ. Here lam is {lam:g}, so hand it to KernelRidge.",
        ),
        not_squared=(
            sigmas[signed.argmin(axis=1)],
            "this σ has the smallest mean of the differences themselves. Square them, or too high and too low cancel.",
        ),
        absolute_error=(
            sigmas[absolute.argmin(axis=1)],
            "this σ has the smallest mean absolute error, but the exercise asks for the squared one.",
        ),
    )
    expect(mine[0] == right[0], "wrong_sigma", f"σ should be {right[0]:g} here, yours is {mine[0]:g}.")
    easy = np.array([0.2, 0.8])
    again = _of(easy, number(trial.ask(easy, *samples[0], 2.0)))
    other = easy[_errors(easy, *samples[0], 2.0).argmin()]
    other_error = again in easy and (mine != right).any()  # than the mean of the squares, which only sometimes shows
    expect(
        again == other or other_error,
        "arguments_ignored",
        f"for sigmas = {easy.tolist()} and lam = 2 it should be {other:g}, yours is {again:g}. "
        "Use the sigmas and the lam that are handed in.",
    )
    for wanted, given in zip(right, mine, strict=True):
        expect(
            wanted == given,
            "other_sample",
            f"right for the first points, but for others σ should be {wanted:g}, and yours is {given:g}. "
            "Compare the mean of (h(V) − v)².",
        )


def _chosen(fit=0, ask=1, pick=np.argmin, give=None, lam=None, sigmas=None, of=np.square):
    """An answer of the first exercise: fitted to one sample, compared on the other."""

    def answer(values, X, y, V, v, penalty):
        samples, values = ((X, y), (V, v)), values if sigmas is None else np.array(sigmas)
        (A, a), (B, b) = samples[fit], samples[ask]
        models = [KernelRidge(Gaussian(s), penalty if lam is None else lam).fit(A, a) for s in values]
        errors = [np.mean(of(b - model.predict(B))) for model in models]
        return values[pick(errors)] if give is None else give(errors)

    return answer


choose_sigma.right = _chosen()
choose_sigma.wrong = {
    "training_error": [_chosen(ask=0), _chosen(fit=1)],
    "largest_error": _chosen(pick=np.argmax),
    "place_for_sigma": _chosen(give=np.argmin),
    "error_for_sigma": _chosen(give=np.min),
    "samples_swapped": _chosen(fit=1, ask=0),
    "lam_ignored": _chosen(lam=1.0),
    "not_squared": _chosen(of=np.positive),
    "absolute_error": _chosen(of=np.abs),
    "wrong_sigma": [lambda *a: 2.5, lambda *a: 3.0],
    "arguments_ignored": [_chosen(lam=0.02), _chosen(sigmas=[0.7, 5.0])],
    "other_sample": _chosen(of=lambda e: np.full(e.shape, np.abs(e).max())),
}
choose_sigma.scenes = {
    "training_error": (validation, "By the training error"),
    "largest_error": (validation, "Far too wide"),
}


def _as_number(value):
    """The answer as a number, nan if it is none."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return np.nan


@exercise("Leave one out, without leaving")
def leave_one_out(trial):
    """e_i = a_i / (G⁻¹)_ii with G = K + λI."""
    n = trial.size(8)
    X, y = datasets.sine(n, 0.2, random_state=trial.seeded(1))
    K = Gaussian(0.4)(X)
    lam = trial.changed(0.3)
    G = K + lam * np.eye(n)
    inverse = np.linalg.inv(G)
    a = inverse @ y
    right = a / np.diag(inverse)
    value = trial.ask(K, y, lam)
    expect(
        not np.isclose(_as_number(value), np.mean(right**2)),
        "mean_of_squares",
        "this is the mean of the squares, but the n errors themselves are asked for.",
    )
    mine = array_like(value, (n,), "the answer")
    whole = np.linalg.inv(K + lam)
    many = np.linalg.inv(K + n * lam * np.eye(n))
    entrywise = 1 / G
    trial.expect_none_of(
        mine,
        close,
        training_residuals=(
            y - K @ a,
            "these are the residuals of the fit with all points used, but point i has to be hidden.",
        ),
        not_divided=(a, "these are the dual weights a, and you still have to divide each by the entry (G⁻¹)_ii."),
        diagonal_of_G=(a / np.diag(G), "you divided by G_ii, but you need the diagonal of the inverse of G."),
        multiplied=(a * np.diag(inverse), "you multiplied by (G⁻¹)_ii, but a_i = (G⁻¹)_ii e_i, so divide."),
        sign_turned=(-right, "the sign is turned, because e_i is y_i minus the prediction without i."),
        squares=(right**2, "these are the squares, but the errors themselves are asked for."),
        absolute=(np.abs(right), "the signs are lost, but e_i is negative where the fit without i lies above y_i."),
        predictions=(y - right, "these are the predictions without i, and the errors are y_i minus them."),
        lam_everywhere=(
            whole @ y / np.diag(whole),
            a / np.diag(whole),
            "you added λ to every entry of K, but it belongs on the diagonal only.",
        ),
        n_lam=(many @ y / np.diag(many), "you took nλ, but here the penalty is λ alone."),
        entries_inverted=(
            entrywise @ y / np.diag(entrywise),
            "you inverted every entry of G, but np.linalg.inv(G) inverts the matrix.",
        ),
    )
    without = np.linalg.inv(K)
    bare = without @ y / np.diag(without)
    expect(not np.allclose(mine, bare, rtol=1e-2), "no_lam", "λ is missing, because G is K + λI.")
    i = int(np.argmax(~np.isclose(mine, right, rtol=1e-6)))
    yours = short(mine[i], 4) if np.isfinite(mine[i]) else mine[i]
    expect(
        close(mine, right),
        "wrong_residuals",
        f"residual {i}, counted from 0, should be {right[i]:.4f}, but yours is {yours}.",
    )
    K = K[:5, :5]
    again = array_like(trial.ask(K, y[:5], 1.5), (5,), "for 5 points the answer")
    inverse = np.linalg.inv(K + 1.5 * np.eye(5))
    sentence = "right for 8 points and λ = 0.3, wrong for 5 points and λ = 1.5: use what comes in."
    expect(close(again, inverse @ y[:5] / np.diag(inverse)), "other_numbers", sentence)


def _inverse(K, lam):
    return np.linalg.inv(K + lam * np.eye(len(K)))


def _entrywise(K, lam):
    return (K + lam * np.eye(len(K))) ** -1


def _by_hat(K, y, lam):
    """The residuals of the fit with all points, each divided by 1 − H_ii."""
    H = K @ _inverse(K, lam)
    return (y - H @ y) / (1 - np.diag(H))


leave_one_out.right = lambda K, y, lam: _inverse(K, lam) @ y / np.diag(_inverse(K, lam))
leave_one_out.wrong = {
    "mean_of_squares": lambda K, y, lam: np.mean(_by_hat(K, y, lam) ** 2),
    "training_residuals": lambda K, y, lam: y - K @ _inverse(K, lam) @ y,
    "not_divided": lambda K, y, lam: _inverse(K, lam) @ y,
    "diagonal_of_G": lambda K, y, lam: _inverse(K, lam) @ y / (1 + lam),
    "multiplied": lambda K, y, lam: _inverse(K, lam) @ y * np.diag(_inverse(K, lam)),
    "sign_turned": lambda K, y, lam: -_by_hat(K, y, lam),
    "squares": lambda K, y, lam: _by_hat(K, y, lam) ** 2,
    "absolute": lambda K, y, lam: abs(np.array(_by_hat(K, y, lam))),
    "predictions": lambda K, y, lam: y - _by_hat(K, y, lam),
    "lam_everywhere": [
        lambda K, y, lam: np.linalg.inv(K + lam) @ y / np.diag(np.linalg.inv(K + lam)),
        lambda K, y, lam: _inverse(K, lam) @ y / np.diag(np.linalg.inv(K + lam)),
    ],
    "n_lam": lambda K, y, lam: _by_hat(K, y, len(y) * lam),
    "entries_inverted": lambda K, y, lam: _entrywise(K, lam) @ y / np.diag(_entrywise(K, lam)),
    "no_lam": lambda K, y, lam: _inverse(K, 0) @ y / np.diag(_inverse(K, 0)),
    "wrong_residuals": [lambda K, y, lam: 0 * y, lambda K, y, lam: 1e30 * y, lambda K, y, lam: np.nan * y],
    "other_numbers": fixed(_by_hat, 2, 0.3),
}


def _judge_bias(trial, b, h, f):
    mean = h.mean(axis=0)
    bias2 = np.mean((mean - f) ** 2)
    trial.expect_none_of(
        b,
        np.isclose,
        whole_error=(
            np.mean((h - f) ** 2),
            "your first number is the whole error, the mean of (h − f)². For bias² you first need the mean fit.",
        ),
        mean_before_square=(
            np.mean(mean - f) ** 2,
            "square (h̄ − f) at each point before you take the mean, or points above and below cancel.",
        ),
        not_squared=(
            np.mean(np.abs(mean - f)),
            np.mean(mean - f),
            np.mean(f - mean),
            "square the bias, that is, take (h̄ − f)².",
        ),
        root_of_bias=(np.sqrt(bias2), "this is the root of bias², so leave the square."),
        sum_for_mean=(np.sum((mean - f) ** 2), "take the mean over the points, not the sum."),
        wrong_axis=(
            np.mean((h.mean(axis=1, keepdims=True) - f) ** 2),
            "h̄ is the mean over the fits, which are the rows: axis=0.",
        ),
        one_mean=(
            np.mean((h.mean() - f) ** 2),
            "each place has its own mean of the fits: h.mean(axis=0), not the mean of all.",
        ),
    )
    expect(np.isclose(b, bias2), "wrong_bias", f"bias² should be {bias2:.4f} here, yours is {b:.4f}.")


def _judge_variance(trial, v, h, f):
    mean = h.mean(axis=0)
    variance = h.var(axis=0).mean()
    trial.expect_none_of(
        v,
        np.isclose,
        about_the_truth=(
            np.mean((h - f) ** 2),
            "you measured from the truth, but the variance is measured from the mean of the fits.",
        ),
        one_less=(
            h.var(axis=0, ddof=1).mean(),
            "divide by the number of fits, not by one less, so that bias² + variance is the whole error.",
        ),
        standard_deviation=(h.std(axis=0).mean(), np.sqrt(variance), "this is a standard deviation, so square it."),
        sum_of_squares=(
            np.sum((h - mean) ** 2),
            h.var(axis=0).sum(),
            "take the mean over fits and points, not the sum.",
        ),
        one_mean_for_all=(h.var(), "each point has its own mean of the fits, h.mean(axis=0)."),
        along_the_curve=(
            h.var(axis=1).mean(),
            "this is how much each curve varies along x, but here it is the fits that vary, so you need axis=0.",
        ),
    )
    expect(np.isclose(v, variance), "wrong_variance", f"the variance should be {variance:.4f}, yours is {v:.4f}.")


@exercise("Bias² and variance")
def decompose(trial):
    """bias² = mean (h̄ − f)² and variance = mean (h − h̄)², with h̄ the mean of the fits."""
    rng = trial.draws(5)
    f = np.array([0.5, -1.0, 2.0, 0.3])
    h = f + np.array([0.6, 0.9, -0.5, 0.1]) + 0.7 * rng.standard_normal((3, 4))
    mean = h.mean(axis=0)
    bias2 = np.mean((mean - f) ** 2)
    variance = np.mean((h - mean) ** 2)
    value = trial.ask(h, f)
    try:
        first, second = value
    except (TypeError, ValueError):
        raise Mistake("not_two", "return two numbers: bias² and variance.") from None
    if all(part is None or part is Ellipsis for part in (first, second)):
        raise Unsolved
    first = first if shape_of(first) == () else array_like(first, (), "bias²")
    b = number(first)
    v = number(second)
    expect(not (np.isclose(b, variance) and np.isclose(v, bias2)), "swapped", "bias² comes first, then the variance.")
    _judge_bias(trial, b, h, f)
    _judge_variance(trial, v, h, f)
    f = np.array([1.0, 0.0])
    h = f + rng.standard_normal((5, 2))
    b, v = (number(part) for part in trial.ask(h, f))
    mean = h.mean(axis=0)
    sentence = "right for 3 fits at 4 places, wrong for 5 fits at 2: use the h and the f that come in."
    right = np.isclose(b, np.mean((mean - f) ** 2)) and np.isclose(v, np.mean((h - mean) ** 2))
    expect(right, "other_numbers", sentence)


def _terms(bias, variance):
    """An answer of these two terms, each made of h, its mean at each point, and f."""
    return lambda h, f: (bias(h, h.mean(axis=0), f), variance(h, h.mean(axis=0), f))


def _bias(h, m, f):
    return np.mean((m - f) ** 2)


def _variance(h, m, f):
    return np.mean((h - m) ** 2)


decompose.right = _terms(_bias, _variance)
decompose.wrong = {
    "not_two": [lambda h, f: 1.0, lambda h, f: (1, 2, 3)],
    "swapped": lambda h, f: _terms(_bias, _variance)(h, f)[::-1],
    "whole_error": _terms(lambda h, m, f: np.mean((h - f) ** 2), _variance),
    "mean_before_square": _terms(lambda h, m, f: np.mean(m - f) ** 2, _variance),
    "not_squared": [
        _terms(lambda h, m, f: np.mean(np.abs(m - f)), _variance),
        _terms(lambda h, m, f: np.mean(m - f), _variance),
        _terms(lambda h, m, f: np.mean(f - m), _variance),
    ],
    "root_of_bias": _terms(lambda h, m, f: np.sqrt(_bias(h, m, f)), _variance),
    "sum_for_mean": _terms(lambda h, m, f: np.sum((m - f) ** 2), _variance),
    "wrong_axis": _terms(lambda h, m, f: np.mean((h.mean(axis=1)[:, None] - f) ** 2), _variance),
    "one_mean": _terms(lambda h, m, f: np.mean((h.mean() - f) ** 2), _variance),
    "wrong_bias": _terms(lambda h, m, f: 0.5, _variance),
    "about_the_truth": _terms(_bias, lambda h, m, f: np.mean((h - f) ** 2)),
    "one_less": _terms(_bias, lambda h, m, f: h.var(axis=0, ddof=1).mean()),
    "standard_deviation": [
        _terms(_bias, lambda h, m, f: np.sqrt(_variance(h, m, f))),
        _terms(_bias, lambda h, m, f: h.std(axis=0).mean()),
    ],
    "sum_of_squares": [
        _terms(_bias, lambda h, m, f: h.size * _variance(h, m, f)),
        _terms(_bias, lambda h, m, f: h.var(axis=0).sum()),
    ],
    "one_mean_for_all": _terms(_bias, lambda h, m, f: h.var()),
    "along_the_curve": _terms(_bias, lambda h, m, f: h.var(axis=1).mean()),
    "wrong_variance": _terms(_bias, lambda h, m, f: 9.0),
    "other_numbers": [
        hard_coded(_terms(_bias, _variance)),
        _terms(lambda h, m, f: ((m - f) ** 2).sum() / 4, _variance),
        _terms(_bias, lambda h, m, f: np.mean((h - h.sum(axis=0) / 3) ** 2)),
    ],
}
decompose.scenes = {
    "whole_error": (bias_variance, "Between"),
    "about_the_truth": (bias_variance, "Narrow bumps"),
}


NEAR = 0.025  # how far from Bayes' error is near enough


@challenge("Choose without looking", hidden_test)
def near_bayes(panel):
    """A σ and a C whose test error is within 2.5 points of Bayes'."""
    values = panel.values
    Z, t = datasets.mixture(2000, random_state=26)
    model = KernelSVM(Gaussian(values["sigma"]), values["C"]).fit(*datasets.mixture(200))
    test = np.mean(model.predict(Z) != t)
    bayes = np.mean(np.sign(datasets.mixture_bayes(Z)) != t)
    if test <= bayes + NEAR:
        return
    said = f"the test error is {100 * test:.1f} %, Bayes' is {100 * bayes:.1f} %"
    expect(
        values["sigma"] >= 0.25,
        "too_narrow",
        f"{said}. There are still islands around single points, so try a wider σ.",
    )
    expect(values["sigma"] <= 1.2, "too_wide", f"{said}. The boundary is too stiff, so try a narrower σ.")
    raise Mistake("price_too_high", f"{said}. σ is good, but does another C have a smaller validation error?")


near_bayes.right = {"sigma": 0.501187, "C": 0.1}
near_bayes.wrong = {
    "too_narrow": [{"sigma": 0.0501187}, {"sigma": 0.199526, "C": 0.1}],
    "too_wide": [{"sigma": 10.0}, {"sigma": 1.99526, "C": 0.01}],
    "price_too_high": [{"sigma": 0.501187}, {"sigma": 0.501187, "C": 10.0}],
}


summary = summary_of(choose_sigma, leave_one_out, decompose, deeper=(near_bayes,))
