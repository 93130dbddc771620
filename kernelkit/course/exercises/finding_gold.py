"""Checks of the exercises of notebook 13."""

import numpy as np

from kernelkit import Gaussian, Linear, datasets
from kernelkit.course.exercises.base import (
    Mistake,
    array_like,
    ask,
    changed,
    close,
    exercise,
    expect,
    expect_none_of,
    first_wrong,
    number,
    numbers,
    reached,
    seeded,
    shape_of,
    size,
    summary_of,
)
from kernelkit.course.explorers.data.gold import PLACES, SIDE, model_of, truth_of
from kernelkit.study.drilling import expected_improvement, upper_confidence_bound


def _two(value, names):
    """The answer as two values."""
    try:
        first, second = value
    except (TypeError, ValueError):
        raise Mistake("not_two", f"return two things: {names}.") from None
    return first, second


@exercise("Mean and deviation")
def predict(answer):
    """K̃ G⁻¹ y and the root of k(z, z) − k̃ᵀ G⁻¹ k̃, with G = K + noise·I."""
    n = size(7, least=5)
    X, y = datasets.sine(n, 0.2, random_state=seeded(3))
    k = 1.7 * Gaussian(0.9) + 0.05 * Linear()  # k(z, z) differs from place to place
    noise = changed(0.3)
    Z = changed(np.array([[-3.5], [0.1], [2.0]]))
    K = k(X)
    C = k(Z, X)
    prior = k.diag(Z)
    G = np.linalg.inv(K + noise * np.eye(n))
    mean = C @ G @ y
    gain = np.einsum("ij,jk,ik->i", C, G, C)
    std = np.sqrt(prior - gain)
    first, second = _two(ask(answer, K, C, prior, y, noise), "the mean and the standard deviation, (m,) each")
    m = array_like(first, (3,), "the mean")
    s = numbers(second, "the deviation") if shape_of(second) == (3, 3) else array_like(second, (3,), "the deviation")
    bare = C @ np.linalg.inv(K) @ y
    expect(
        not (np.allclose(m, std) and s.shape == (3,) and np.allclose(s, mean)),
        "swapped",
        "the mean comes first, then the deviation.",
    )
    expect(not np.allclose(m, bare, rtol=1e-3), "no_noise", "the noise is missing: G = K + noise·I.")
    expect_none_of(
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
    expect_none_of(
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
    first, second = _two(ask(answer, k(X[:5]), C, k.diag(Z), y[:5], 0.05), "the mean and the deviation")
    m = array_like(first, (4,), "for 4 new points the mean")
    s = array_like(second, (4,), "for 4 new points the deviation")
    variance = k.diag(Z) - (C * np.linalg.solve(G, C.T).T).sum(axis=1)
    sentence = "right for 7 measurements and noise 0.3, wrong for 5 and noise 0.05: use what comes in."
    right = np.allclose(m, C @ np.linalg.solve(G, y[:5])) and np.allclose(s, np.sqrt(variance))
    expect(right, "other_numbers", sentence)


@exercise("The evidence")
def evidence(answer):
    """−½ yᵀG⁻¹y − ½ log det G − n/2 log 2π."""
    n = size(9)
    X, y = datasets.sine(n, 0.2, random_state=seeded(4))
    y = 2 * y
    K = Gaussian(0.6)(X)
    noise = changed(0.4)
    G = K + noise * np.eye(n)
    squared = K + noise**2 * np.eye(n)
    fit = y @ np.linalg.solve(G, y)
    log_det = np.linalg.slogdet(G)[1]
    constant = n * np.log(2 * np.pi)
    right = -(fit + log_det + constant) / 2
    mine = number(ask(answer, K, y, noise))
    expect_none_of(
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
    again = number(ask(answer, K, y[:5], 0.1))
    sentence = f"for 5 measurements and noise 0.1 it should be {right:.4f}, yours is {again:.4f}."
    expect(
        np.isclose(again, right, rtol=1e-6), "other_numbers", f"right for 9 measurements and noise 0.4, but {sentence}"
    )


@exercise("The expected gain")
def gain(answer):
    """(mean − best) P(t ≤ u) + std φ(u) with u = (mean − best)/std."""
    from scipy.stats import norm

    mean = changed(np.array([0.2, 1.5, -1.0, 0.9]))
    std = changed(np.array([0.7, 0.2, 1.6, 0.5]))
    best = changed(1.1)
    ahead = mean - best
    u = ahead / std
    right = expected_improvement(mean, std, best)
    mine = array_like(ask(answer, mean, std, best), (4,), "the gain")
    expect_none_of(
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
    again = array_like(ask(answer, mean, std, -0.4), (3,), "for 3 places the gain")
    sentence = "right for best = 1.1, wrong for other places and best = −0.4: use what comes in."
    expect(np.allclose(again, expected_improvement(mean, std, -0.4), atol=1e-3), "other_numbers", sentence)


NEAR = 0.1  # of the richest place
FEW = 10  # holes
UNSURE = 0.5  # the deviation of the second challenge


def _places(panel):
    """The values of the gold rush and the places of its holes."""
    from kernelkit.course.explorers.finding_gold.gold_rush import gold_rush, read_holes

    values = reached(panel, gold_rush)
    places, strange = read_holes(values["holes"], values["ground"], values["number"])
    expect(not strange, "no_place", f"“{'' if not strange else strange[0][:20]}” is not a place of the map.")
    expect(places, "no_hole", "there is no hole yet: click into the map.")
    return values, places


@exercise("Gold within ten holes")
def find_gold(panel):
    """Ten holes at most, one of them within 0.1 of the richest place."""
    values, places = _places(panel)
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


@exercise("Five holes for the whole map")
def five_holes(panel):
    """Five holes in smooth ground, whose σ is half the side, and the largest standard deviation below 0.5."""
    values, places = _places(panel)
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


summary = summary_of(predict, evidence, gain, deeper=(find_gold, five_holes))
