"""Checks of the exercises of notebook 13."""

import numpy as np

from kernelkit import Gaussian, Linear, datasets
from kernelkit.course.exercises.base import (
    Mistake,
    array_like,
    challenge,
    close,
    exercise,
    expect,
    first_wrong,
    fixed,
    hard_coded,
    number,
    numbers,
    shape_of,
    summary_of,
)
from kernelkit.course.explorers.data.gold import PLACES, SIDE, model_of, truth_of
from kernelkit.course.explorers.finding_gold import evidence as evidence_curve, posterior
from kernelkit.course.explorers.finding_gold.gold_rush import gold_rush, read_holes
from kernelkit.study.drilling import expected_improvement, upper_confidence_bound


def _two(value, names):
    """The answer as two values."""
    try:
        first, second = value
    except (TypeError, ValueError):
        raise Mistake("not_two", f"return two things: {names}.") from None
    return first, second


@exercise("Mean and deviation")
def predict(trial):
    """K̃ G⁻¹ y and the root of k(z, z) − k̃ᵀ G⁻¹ k̃, with G = K + noise·I."""
    n = trial.size(7, least=5)
    X, y = datasets.sine(n, 0.2, random_state=trial.seeded(3))
    k = 1.7 * Gaussian(0.9) + 0.05 * Linear()  # k(z, z) differs from place to place
    noise = trial.changed(0.3)
    Z = trial.changed(np.array([[-3.5], [0.1], [2.0]]))
    K = k(X)
    C = k(Z, X)
    prior = k.diag(Z)
    G = np.linalg.inv(K + noise * np.eye(n))
    mean = C @ G @ y
    gain = np.einsum("ij,jk,ik->i", C, G, C)
    std = np.sqrt(prior - gain)
    first, second = _two(trial.ask(K, C, prior, y, noise), "the mean and the standard deviation, (m,) each")
    m = array_like(first, (3,), "the mean")
    s = numbers(second, "the deviation") if shape_of(second) == (3, 3) else array_like(second, (3,), "the deviation")
    bare = C @ np.linalg.inv(K) @ y
    expect(
        not (np.allclose(m, std) and s.shape == (3,) and np.allclose(s, mean)),
        "swapped",
        "the mean comes first, then the deviation.",
    )
    expect(not np.allclose(m, bare, rtol=1e-3), "no_noise", "the noise is missing: G = K + noise·I.")
    trial.expect_none_of(
        m,
        np.allclose,
        no_inverse=(C @ y, "K̃ y lets every point speak as if it were alone. The mean is K̃ G⁻¹ y."),
        noise_squared=(
            C @ np.linalg.inv(K + noise**2 * np.eye(n)) @ y,
            "the noise is a variance already: add it to the diagonal as it is.",
        ),
        noise_everywhere=(
            C @ np.linalg.inv(K + noise) @ y,
            "you added the noise to every entry of K, but it belongs on the diagonal only.",
        ),
    )
    i, nth = first_wrong(m, mean, 1e-5)
    expect(np.allclose(m, mean), "wrong_mean", f"the {nth} mean should be {mean[i]:.4f} here, yours is {m[i]:.4f}.")
    expect(
        s.shape == (3,),
        "whole_matrix",
        "this is a matrix, but the exercise asks for the deviation at each point, which comes from its diagonal.",
    )
    expect(not np.isnan(s).any(), "root_of_negative", "this is the root of a negative number: what is minus what?")
    trial.expect_none_of(
        s,
        np.allclose,
        variance=(std**2, "this is the variance; the deviation is its root."),
        prior=(np.sqrt(prior), "this is the prior's deviation: the measurements take something away."),
        only_gain=(np.sqrt(gain), gain, "this is what the measurements take away; subtract it from k(z, z)."),
        noise_added=(
            np.sqrt(prior - gain + noise),
            "with the noise added this is the deviation of a new measurement. The exercise asks for that of f itself.",
        ),
        plus=(np.sqrt(prior + gain), "measuring makes nobody less sure: minus, not plus."),
        one_for_prior=(
            np.sqrt(np.maximum(1 - gain, 0)),
            "k(z, z) is 1 for a Gaussian kernel alone, not for every kernel: use what is handed in.",
        ),
        prior_of_another_place=(
            np.sqrt(K[0, 0] - gain),
            np.sqrt(K.diagonal().mean() - gain),
            np.sqrt(K.diagonal()[:3] - gain),
            np.sqrt(prior[0] - gain),
            np.sqrt(prior.mean() - gain),
            "you use the prior variance of another place. Each new place z has a k(z, z) of its own, which is what is "
            "handed in as the prior.",
        ),
    )
    without = np.maximum(prior - np.einsum("ij,jk,ik->i", C, np.linalg.inv(K), C), 0)
    expect(not np.allclose(s, np.sqrt(without), atol=1e-6), "no_noise_in_std", "the noise is missing in the deviation.")
    i, nth = first_wrong(s, std, 1e-5)
    expect(np.allclose(s, std), "wrong_std", f"the {nth} deviation should be {std[i]:.4f} here, yours is {s[i]:.4f}.")
    k = 0.6 * Gaussian(0.4)
    Z = np.array([[-1.0], [0.4], [1.1], [3.0]])
    G = k(X[:5]) + 0.05 * np.eye(5)
    C = k(Z, X[:5])
    first, second = _two(trial.ask(k(X[:5]), C, k.diag(Z), y[:5], 0.05), "the mean and the deviation")
    m = array_like(first, (4,), "for 4 new points the mean")
    s = array_like(second, (4,), "for 4 new points the deviation")
    variance = k.diag(Z) - (C * np.linalg.solve(G, C.T).T).sum(axis=1)
    sentence = "right for 7 measurements and noise 0.3, wrong for 5 and noise 0.05: use what comes in."
    right = np.allclose(m, C @ np.linalg.solve(G, y[:5])) and np.allclose(s, np.sqrt(variance))
    expect(right, "other_numbers", sentence)


def _inverse(K, noise):
    return np.linalg.inv(K + noise * np.eye(len(K)))


def _predicted(mean=None, std=None, order=slice(None)):
    """An answer of the first exercise with one of its two parts replaced."""

    def answer(K, C, prior, y, noise):
        G = _inverse(K, noise)
        gain = np.einsum("ij,jk,ik->i", C, G, C)
        m = C @ G @ y if mean is None else mean(K, C, y, noise)
        s = np.sqrt(prior - gain) if std is None else std(prior, gain, K, C, noise)
        return (m, s)[order]

    return answer


predict.right = _predicted()
predict.wrong = {
    "not_two": [_predicted(order=0), lambda *a: 1.0],
    "swapped": _predicted(order=slice(None, None, -1)),
    "no_noise": _predicted(mean=lambda K, C, y, n: C @ np.linalg.solve(K, y)),
    "no_inverse": _predicted(mean=lambda K, C, y, n: C @ y),
    "noise_squared": _predicted(mean=lambda K, C, y, n: C @ _inverse(K, n**2) @ y),
    "noise_everywhere": _predicted(mean=lambda K, C, y, n: C @ np.linalg.solve(K + n, y)),
    "wrong_mean": [_predicted(mean=lambda K, C, y, n: 0 * C @ y), lambda *a: _predicted()(*a)[1:] * 2],
    "whole_matrix": _predicted(std=lambda p, g, K, C, n: np.diag(p) - C @ _inverse(K, n) @ C.T),
    "root_of_negative": _predicted(std=lambda p, g, K, C, n: np.full(3, np.nan)),
    "variance": _predicted(std=lambda p, g, K, C, n: p - g),
    "prior": _predicted(std=lambda p, g, K, C, n: np.sqrt(p)),
    "only_gain": [_predicted(std=lambda p, g, K, C, n: np.sqrt(g)), _predicted(std=lambda p, g, K, C, n: g)],
    "noise_added": _predicted(std=lambda p, g, K, C, n: np.sqrt(p - g + n)),
    "plus": _predicted(std=lambda p, g, K, C, n: np.sqrt(p + g)),
    "one_for_prior": _predicted(std=lambda p, g, K, C, n: np.sqrt(np.maximum(1 - g, 0))),
    "prior_of_another_place": [
        _predicted(std=lambda p, g, K, C, n: np.sqrt(K[0, 0] - g)),
        _predicted(std=lambda p, g, K, C, n: np.sqrt(np.diag(K).mean() - g)),
        _predicted(std=lambda p, g, K, C, n: np.sqrt(np.diag(K)[: len(p)] - g)),
        _predicted(std=lambda p, g, K, C, n: np.sqrt(p[0] - g)),
        _predicted(std=lambda p, g, K, C, n: np.sqrt(p.mean() - g)),
    ],
    "no_noise_in_std": _predicted(
        std=lambda p, g, K, C, n: np.sqrt(np.maximum(p - np.einsum("ij,jk,ik->i", C, np.linalg.inv(K), C), 0))
    ),
    "wrong_std": [
        _predicted(std=lambda p, g, K, C, n: np.sqrt(np.maximum(p - g, n))),
        _predicted(std=lambda p, g, K, C, n: 0 * p),
        lambda *a: _predicted()(*a)[:1] * 2,
    ],
    "other_numbers": fixed(_predicted(), 4, 0.3),
}
predict.scenes = {
    "prior": (posterior, "The prior"),
    "noise_added": (posterior, "Noisy"),
}


@exercise("The evidence")
def evidence(trial):
    """−½ yᵀG⁻¹y − ½ log det G − n/2 log 2π."""
    n = trial.size(9)
    X, y = datasets.sine(n, 0.2, random_state=trial.seeded(4))
    y = 2 * y
    K = Gaussian(0.6)(X)
    noise = trial.changed(0.4)
    G = K + noise * np.eye(n)
    squared = K + noise**2 * np.eye(n)
    fit = y @ np.linalg.solve(G, y)
    log_det = np.linalg.slogdet(G)[1]
    constant = n * np.log(2 * np.pi)
    right = -(fit + log_det + constant) / 2
    mine = number(trial.ask(K, y, noise))
    trial.expect_none_of(
        mine,
        close,
        sign_turned=(-right, "the sign is turned: the evidence is the logarithm, with its three minus signs."),
        no_half=(2 * right, "the half is missing: all three terms have the factor ½."),
        half_of_fit=(right - fit / 2, "the half before yᵀG⁻¹y is missing."),
        half_of_log_det=(right - log_det / 2, "the half before log det G is missing; Σ log L_ii is half already."),
        half_of_constant=(right - constant / 2, "the half before n log 2π is missing."),
        half_of_half=(right + log_det / 4, "Σ log L_ii is ½ log det G already: no half before it."),
        plus_log_det=(right + log_det, "the restraint has a minus sign too: − ½ log det G."),
        no_constant=(right + constant / 2, "the constant is missing: − n/2 · log 2π."),
        one_constant=(
            right + (n - 1) / 2 * np.log(2 * np.pi),
            "there are n measurements: the constant is n/2 times log 2π.",
        ),
        no_complexity=(right + log_det / 2, "the restraint, − ½ log det G, is missing."),
        only_fit=(-fit / 2, "this is the fit alone; two terms are missing."),
        plain_det=(-(fit + np.exp(log_det) + constant) / 2, "take the logarithm of the determinant."),
        probability=(np.exp(right), "this is p(y) itself; return its logarithm."),
        density_per_point=(right / n, "this is the mean for one point; return the whole."),
        noise_squared=(
            right + (fit + log_det - y @ np.linalg.solve(squared, y) - np.linalg.slogdet(squared)[1]) / 2,
            "the noise is a variance already: add it to the diagonal as it is.",
        ),
    )
    bare = -(y @ np.linalg.solve(K, y) + np.linalg.slogdet(K)[1] + constant) / 2
    expect(not np.isclose(mine, bare, rtol=1e-3), "no_noise", "the noise is missing: G = K + noise·I.")
    expect(np.isclose(mine, right, rtol=1e-6), "wrong_evidence", f"it should be {right:.4f} here, yours is {mine:.4f}.")
    K = Gaussian(1.5)(X[:5])
    G = K + 0.1 * np.eye(5)
    right = -(y[:5] @ np.linalg.solve(G, y[:5]) + np.linalg.slogdet(G)[1] + 5 * np.log(2 * np.pi)) / 2
    again = number(trial.ask(K, y[:5], 0.1))
    sentence = f"for 5 measurements and noise 0.1 it should be {right:.4f}, yours is {again:.4f}."
    expect(
        np.isclose(again, right, rtol=1e-6), "other_numbers", f"right for 9 measurements and noise 0.4, but {sentence}"
    )


def _terms(fit=0.5, det=0.5, constant=0.5, wrap=lambda v: v, root=lambda d: d):
    """An answer of the second exercise: the weights of its three terms."""

    def answer(K, y, noise):
        G = K + noise * np.eye(len(y))
        parts = y @ np.linalg.solve(G, y), root(np.linalg.slogdet(G)[1]), len(y) * np.log(2 * np.pi)
        return wrap(-(fit * parts[0] + det * parts[1] + constant * parts[2]))

    return answer


evidence.right = _terms()
evidence.wrong = {
    "sign_turned": _terms(wrap=lambda v: -v),
    "no_half": _terms(1, 1, 1),
    "half_of_fit": _terms(1),
    "half_of_log_det": _terms(0.5, 1),
    "half_of_constant": _terms(constant=1),
    "half_of_half": _terms(0.5, 0.25),
    "plus_log_det": _terms(0.5, -0.5),
    "no_constant": _terms(constant=0),
    "one_constant": _terms(constant=0.5 / 9),
    "no_complexity": _terms(det=0),
    "only_fit": _terms(0.5, 0, 0),
    "plain_det": _terms(root=np.exp),
    "probability": _terms(wrap=np.exp),
    "density_per_point": _terms(wrap=lambda v: v / 9),
    "noise_squared": lambda K, y, noise: _terms()(K, y, noise**2),
    "no_noise": lambda K, y, noise: _terms()(K, y, 1e-12),
    "wrong_evidence": lambda K, y, noise: 0.0,
    "other_numbers": [fixed(_terms(), 2, 0.4), hard_coded(_terms())],
}
evidence.scenes = {
    "no_complexity": (evidence_curve, "Narrow bumps"),
    "only_fit": (evidence_curve, "Narrow bumps"),
}


@exercise("The expected gain")
def gain(trial):
    """(mean − best) P(t ≤ u) + std φ(u) with u = (mean − best)/std."""
    from scipy.stats import norm

    mean = trial.changed(np.array([0.2, 1.5, -1.0, 0.9]))
    std = trial.changed(np.array([0.7, 0.2, 1.6, 0.5]))
    best = trial.changed(1.1)
    ahead = mean - best
    u = ahead / std
    right = expected_improvement(mean, std, best)
    mine = array_like(trial.ask(mean, std, best), (4,), "the gain")
    trial.expect_none_of(
        mine,
        close,
        probability=(
            norm.cdf(u),
            "this is the probability of a gain. The exercise asks how large the gain is on average.",
        ),
        sure_gain=(np.maximum(ahead, 0), "this counts the mean alone: a place may be richer than its mean."),
        no_std=(ahead * norm.cdf(u) + norm.pdf(u), "the density φ(u) needs the factor std."),
        first_term=(ahead * norm.cdf(u), "the second term, std · φ(u), is missing."),
        second_term=(std * norm.pdf(u), "the first term, (mean − best) P(t ≤ u), is missing."),
        turned=(
            expected_improvement(-mean, std, -best),
            "this is turned over, because a gain is what lies above best.",
        ),
        not_scaled=(ahead * norm.cdf(ahead) + std * norm.pdf(ahead), "divide by std: u = (mean − best)/std."),
        variance=(expected_improvement(mean, std**2, best), "this std is a deviation already, do not square it."),
        root=(expected_improvement(mean, np.sqrt(std), best), "this std is a deviation already: no root."),
        swapped=(ahead * norm.pdf(u) + std * norm.cdf(u), "the two are swapped: P(t ≤ u) goes with mean − best."),
        in_deviations=(right / std, "this counts the gain in standard deviations: multiply by std."),
        best_not_taken_away=(right + best, "this is the mean of the better of f and best: subtract best."),
        loss_counted=(
            2 * right - ahead,
            "this is the mean of |f − best|: where f lies below best, the gain is 0.",
        ),
        best_of_means=(
            expected_improvement(mean, std, mean.max()),
            "you measure from the largest mean: use the best that is handed in.",
        ),
        bound=(upper_confidence_bound(mean, std), "this is the upper confidence bound, another strategy."),
    )
    i, nth = first_wrong(mine, right, 1e-5, 1e-3)
    expect(
        np.allclose(mine, right, atol=1e-3),
        "wrong_gain",
        f"the {nth} gain should be {right[i]:.4f} here, yours is {mine[i]:.4f}.",
    )
    mean = np.array([0.3, -1.0, 0.6])
    std = np.array([1.1, 0.4, 0.2])
    again = array_like(trial.ask(mean, std, -0.4), (3,), "for 3 places the gain")
    sentence = "right for best = 1.1, wrong for other places and best = −0.4: use what comes in."
    expect(np.allclose(again, expected_improvement(mean, std, -0.4), atol=1e-3), "other_numbers", sentence)


def _cdf(u):
    """P(t ≤ u) for a standard normal t."""
    from scipy.special import ndtr

    return ndtr(u)


def _pdf(u):
    return np.exp(-(u**2) / 2) / np.sqrt(2 * np.pi)


def _expected(change=lambda m, s, b: (m, s, b), value=None):
    """An answer of the third exercise, of other numbers, or of another value(mean, std, best, u)."""

    def answer(mean, std, best):
        m, s, b = change(mean, std, best)
        u = (m - b) / s
        return (m - b) * _cdf(u) + s * _pdf(u) if value is None else value(m, s, b, u)

    return answer


gain.right = _expected()
gain.wrong = {
    "probability": _expected(value=lambda m, s, b, u: _cdf(u)),
    "sure_gain": _expected(value=lambda m, s, b, u: np.maximum(m - b, 0)),
    "no_std": _expected(value=lambda m, s, b, u: (m - b) * _cdf(u) + _pdf(u)),
    "first_term": _expected(value=lambda m, s, b, u: (m - b) * _cdf(u)),
    "second_term": _expected(value=lambda m, s, b, u: s * _pdf(u)),
    "turned": _expected(lambda m, s, b: (-m, s, -b)),
    "not_scaled": _expected(value=lambda m, s, b, u: (m - b) * _cdf(m - b) + s * _pdf(m - b)),
    "variance": _expected(lambda m, s, b: (m, s**2, b)),
    "root": _expected(lambda m, s, b: (m, s**0.5, b)),
    "swapped": _expected(value=lambda m, s, b, u: (m - b) * _pdf(u) + s * _cdf(u)),
    "in_deviations": _expected(lambda m, s, b: (m / s, s / s, b / s)),
    "best_not_taken_away": lambda m, s, b: _expected()(m, s, b) + b,
    "loss_counted": lambda m, s, b: _expected()(m, s, b) + _expected()(-m, s, -b),
    "best_of_means": _expected(lambda m, s, b: (m, s, m.max())),
    "bound": _expected(value=lambda m, s, b, u: m + 2 * s),
    "wrong_gain": [lambda m, s, b: _expected()(m, s, b) * (m > -1), _expected(value=lambda m, s, b, u: 0 * m)],
    "other_numbers": fixed(_expected(), 2, 1.1),
}
gain.scenes = {
    "sure_gain": (gold_rush, "A greedy game"),
}


NEAR = 0.1  # of the richest place
FEW = 10  # holes
UNSURE = 0.5  # the deviation of the second challenge


def _places(values):
    """The places of the holes in the gold rush."""
    places, strange = read_holes(values["holes"], values["ground"], values["number"])
    expect(not strange, "no_place", f"“{'' if not strange else strange[0][:20]}” is not a place of the map.")
    expect(places, "no_hole", "there is no hole yet: click into the map.")
    return places


@challenge("Gold within ten holes", gold_rush)
def find_gold(panel):
    """Ten holes at most, one of them within 0.1 of the richest place."""
    values = panel.values
    places = _places(values)
    expect(values["ground"] != "smooth", "too_smooth", "on smooth ground every hill is found: choose another ground.")
    expect(len(places) <= FEW, "too_many", f"these are {len(places)} holes, and ten are paid for. Undo some.")
    truth = truth_of(values["ground"], values["number"])
    best = truth[places].max()
    gold = truth.max()
    if gold - best <= NEAR:
        return
    said = f"the richest hole holds {best:.2f}, the map has {gold:.2f}"
    expect(len(places) == FEW, "holes_left", f"{said}. You have {FEW - len(places)} holes left.")
    gaps = np.linalg.norm(PLACES[places][:, None] - PLACES[places], axis=-1) + 9 * np.eye(len(places))
    expect(
        np.median(gaps.min(axis=1)) <= 0.2,
        "too_spread",
        f"{said}. Your holes keep apart; use some to climb from the rich ones.",
    )
    expect(
        np.ptp(PLACES[places], axis=0).max() >= 0.5,
        "too_crowded",
        f"{said}. All your holes are in one corner; look where the fog is still thick.",
    )
    raise Mistake("not_found", f"{said}. Ask the ghost, or take another map.")


find_gold.right = {"number": 25, "holes": "F12 S12 H11 J12 H9 G9 I9 J8"}
find_gold.wrong = {
    "no_place": {"holes": "gold!"},
    "no_hole": [{"number": 3}, {"holes": "map 7: F12"}],
    "too_smooth": {"ground": "smooth", "holes": "X24"},
    "too_many": {"holes": "F12 S12 H11 J12 H9 G9 I9 J8 A1 A2 A3"},
    "holes_left": {"holes": "A1"},
    "too_spread": {"holes": "A1 L1 X1 A12 L12 X12 A24 L24 X24 R18"},
    "too_crowded": {"holes": "A1 A2 A3 B1 B2 B3 C1 C2 C3 D1"},
    "not_found": {"holes": "A1 A2 A3 B1 B2 B3 C1 C2 X24 X23"},
}
find_gold.scenes = {
    "too_spread": (gold_rush, "Far apart"),
}


@challenge("Five holes for the whole map", gold_rush)
def five_holes(panel):
    """Five holes in smooth ground, whose σ is half the side, and the largest standard deviation below 0.5."""
    values = panel.values
    places = _places(values)
    expect(values["ground"] == "smooth", "other_sigma", "first choose the smooth ground, whose σ is half the side.")
    expect(len(places) == 5, "not_five", f"place exactly five holes; these are {len(places)}.")
    std = model_of("smooth").fit(PLACES[places], np.zeros(5)).predict(PLACES, return_std=True)[1]
    if std.max() < UNSURE:
        return
    worst = int(std.argmax())
    x = worst % SIDE
    y = worst // SIDE
    said = f"the largest deviation is {std.max():.2f}"
    ends = {0, 1, SIDE - 2, SIDE - 1}
    expect(not (x in ends and y in ends), "corner_left", f"{said}, at a corner: no hole is near it.")
    expect(not (x in ends or y in ends), "side_left", f"{said}, at a side of the map. Push some holes outwards.")
    raise Mistake("middle_left", f"{said}, inside the map. Your holes stand too far out, or two of them too near.")


five_holes.right = {"ground": "smooth", "holes": "E5 E20 T5 T20 M13"}
five_holes.wrong = {
    "no_place": {"ground": "smooth", "holes": "E5 E20 T5 T25"},
    "no_hole": {"ground": "smooth"},
    "other_sigma": {"holes": "E5 E20 T5 T20 M13"},
    "not_five": {"ground": "smooth", "holes": "E5 E20 T5 T20"},
    "corner_left": {"ground": "smooth", "holes": "J10 J15 O10 O15 M13"},
    "side_left": {"ground": "smooth", "holes": "A8 A17 X8 X17 L12"},
    "middle_left": {"ground": "smooth", "holes": "A1 A24 X1 X24 A12"},
}
five_holes.scenes = {
    "other_sigma": (gold_rush, "Smooth ground"),
}


summary = summary_of(predict, evidence, gain, deeper=(find_gold, five_holes))
