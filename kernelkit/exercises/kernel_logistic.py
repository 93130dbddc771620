"""Notebook 05: the checks of its exercises, on fixed random data."""

import warnings

import numpy as np

from kernelkit.exercises.base import (
    array_like,
    ask,
    close,
    exercise,
    expect,
    expect_none_of,
    numbers,
    reached,
    summary_of,
)
from kernelkit.explorers.kernel_logistic import boundaries
from kernelkit.panel.numbers import percent


def _s(f):
    e = np.exp(-np.abs(f))
    return np.where(f >= 0, 1, e) / (1 + e)


# ---- 5.1 ------------------------------------------------------------------------------------


@exercise("Right, but never sure")
def never_sure(panel):
    """A challenge: a Gaussian model nowhere above 90 %, and wrong on at most 5.5 % of the new points."""
    state = boundaries.compute(**reached(panel, boundaries))
    sure, wrong = _s(np.abs(state.H[2]).max()), state.new[2]
    says, errs = f"somewhere it is {percent(sure, 0)} sure", f"{percent(wrong)} of the new points are wrong"
    expect(sure <= 0.9 or wrong <= 0.055, "sure_and_wrong", f"{says}, and {errs}. Choose data and λ first.")
    expect(sure <= 0.9, "still_sure", f"right often enough, but {says}: a larger λ pulls all scores to 0.")
    expect(wrong <= 0.055, "too_often_wrong", f"never more than 90 % sure, but {errs}: other data, or another σ?")


# ---- 5.2 ------------------------------------------------------------------------------------


@exercise("A safe sigmoid")
def safe_sigmoid(answer):
    f = np.array([-2.0, -0.5, 0.0, 1.0, 3.0])
    s = array_like(ask(answer, f), (5,), "s(f) of five numbers")
    expect(not close(s, _s(-f)), "falling", "a sign is wrong: yours falls where s should rise; s(f) = 1/(1 + e^{−f}).")
    expect(not close(s, np.tanh(f)), "tanh", "this is tanh, from −1 to 1; s goes from 0 to 1.")
    expect(
        not close(s, np.exp(-np.abs(f)) / (1 + np.exp(-np.abs(f)))),
        "negative_only",
        "right for f < 0 only: for f ≥ 0 the numerator is 1, not e^{−|f|}.",
    )
    expect(
        not close(s, 1 / (1 + np.exp(-np.abs(f)))),
        "positive_only",
        "right for f ≥ 0 only: for f < 0 the numerator is e^{−|f|}, not 1.",
    )
    expect(close(s, _s(f)), "wrong_values", "s(f) should be 1/(1 + e^{−f}), and it is not.")
    _judge_extremes(answer)


def _judge_extremes(answer):
    f = np.array([-1000.0, -40.0, 40.0, 1000.0])
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        s = array_like(answer(f.copy()), (4,), "s(f) of four numbers")
    at = ", ".join(f"{v:g}" for v in f[np.isnan(s)])
    expect(
        not at, "nan_at_the_ends", f"right in the middle, but at f = {at} it is nan: e^{{1000}} is inf, inf/inf is nan."
    )
    expect(np.allclose(s[2:], 1), "wrong_at_1000", f"right in the middle, but s(1000) should be 1, yours is {s[3]:g}.")
    expect(
        s[1] < 1e-16 and s[0] < 1e-16,
        "cut_off",
        "you cut f off: s(−40) should be about 4e−18. Ask exp only for numbers ≤ 0 instead.",
    )
    expect(
        np.isclose(s[1], _s(f)[1], rtol=1e-6, atol=0),
        "rounded_away",
        "s(−40) should be about 4e−18; yours was rounded away: do not subtract two numbers near 1.",
    )
    expect(
        not said,
        "overflow_on_the_way",
        "the values are right, but exp overflows on the way: a warning (np.where computes both its branches). "
        "Ask exp only for −|f|.",
    )


# ---- 5.3 ------------------------------------------------------------------------------------


@exercise("One step in a")
def dual_step(answer):
    rng = np.random.default_rng(2)
    Phi, a, y = rng.standard_normal((5, 3)), rng.standard_normal(5), np.array([0.0, 1.0, 1.0, 0.0, 1.0])
    K, step, lam = Phi @ Phi.T, 0.3, 0.7
    new = array_like(ask(answer, K, y, a, step, lam), (5,), "the new a, one per point,")
    rest = y - _s(K @ a)
    expect(not close(new, a + step * rest), "no_lam", "you forgot λ: without −λa the weights are never pulled back.")
    expect(
        not close(new, a + step * (2 * y - 1 - _s(K @ a) - lam * a)),
        "labels_plus_minus_one",
        "you used y = ±1; in y − s the label is 0 or 1, as y comes here.",
    )
    expect(
        not close(new, a + step * K @ (rest - lam * a)),
        "gradient_in_a",
        "you multiplied by K: that is the gradient in a, but not the step that w takes. Leave K out.",
    )
    expect(
        not close(new, a + step * (K @ rest - lam * a)),
        "residual_times_gram",
        "you multiplied y − s(Ka) by K; K is only inside s.",
    )
    expect(
        not close(new, a + step * (rest - lam * K @ a)),
        "penalty_times_gram",
        "the penalty pulls at a itself: λa, not λKa.",
    )
    expect(not close(new, a - step * (rest - lam * a)), "minus_step", "you walked uphill: a + ε(…), not a − ε(…).")
    expect(not close(new, a + step * (rest + lam * a)), "plus_lam", "the sign of λ is wrong: −λa pulls towards 0.")
    expect(
        not close(new, a + step * (y - K @ a - lam * a)), "no_sigmoid", "you forgot the sigmoid: y − s(Ka), not y − Ka."
    )
    expect(
        not close(new, a + step * (y - _s(a) - lam * a)), "sigmoid_of_a", "s needs the outputs Ka at the points, not a."
    )
    expect(not close(new, a + step * rest - lam * a), "step_not_on_penalty", "ε belongs to both: ε(y − s(Ka) − λa).")
    expect(not close(new, step * (rest - lam * a)), "change_only", "this is the change of a; add it to a.")
    expect(
        close(new, a + step * (rest - lam * a)),
        "wrong_step",
        "the new a should be a + ε(y − s(Ka) − λa), and it is not.",
    )


# ---- 5.4 ------------------------------------------------------------------------------------


@exercise("Out of reach")
def unreachable(answer):
    rng, (step, lam, t) = np.random.default_rng(3), (0.2, 0.5, 5)
    Phi, w = rng.standard_normal((3, 5)), rng.standard_normal(5)
    a = np.linalg.solve(Phi @ Phi.T, Phi @ w)
    start, shrink = w - Phi.T @ a, 1 - step * lam
    u = numbers(ask(answer, Phi, w, step, lam, t), "u")

    def gives(v):
        return any(close(u, scale * v) for scale in (1, shrink**t))

    expect(not gives(a), "dual_weights_returned", "these are dual weights a; what they leave of w is asked for.")
    u = array_like(u, (5,), "u, one number per feature,")
    expect(not gives(Phi.T @ a), "reachable_part", "this is the part that some Φᵀa has; return what is left of w.")
    expect(not gives(-start), "sign_turned", "a sign: it is w − Φᵀa.")
    expect(
        not gives(w - Phi.T @ (Phi @ w)),
        "not_orthonormal",
        "ΦᵀΦ is a projection only if the rows of Φ are orthonormal; find the a with Φᵀa nearest to w.",
    )
    expect(
        np.abs(Phi @ u).max() < 1e-6,
        "reachable_part_left",
        "what is left must give 0 at every training point, Φu = 0; yours does not.",
    )
    _judge_fading(u, start, step, lam, t)
    Phi, right = np.vstack([Phi, Phi[:1]]), u  # one point twice: the span and the rest are the same
    try:
        u = numbers(ask(answer, Phi, w, step, lam, t), "u")
    except np.linalg.LinAlgError:
        u = np.full(5, np.inf)
    expect(
        np.allclose(u, right, atol=1e-6),
        "singular",
        "right for three different points; with one point twice ΦΦᵀ is singular: use np.linalg.lstsq.",
    )


def _judge_fading(u, start, step, lam, t):
    shrink = 1 - step * lam
    expect(
        not close(u, start),
        "start_returned",
        "this is what is out of reach at the start; λ pulls at it in each of the t steps.",
    )
    expect(not close(u, shrink * start), "one_step_only", "this is u after one step; there are t of them.")
    expect(
        not close(u, (1 - t * step * lam) * start),
        "steps_added",
        "t steps multiply: each takes ελ of what the one before has left, not of the start.",
    )
    expect(
        not close(u, (1 - step * lam / 3) ** t * start),
        "share_of_penalty",
        "a batch step pays the whole penalty: the factor is 1 − ελ, without 1/n.",
    )
    expect(
        not (close(u, (1 + step * lam) ** t * start) or close(u, start / shrink**t)),
        "u_grows",
        "your u grows; the penalty pulls it towards 0.",
    )
    expect(
        close(u, shrink**t * start),
        "wrong_rest",
        "u should be (1 − ελ)^t times what the nearest Φᵀa leaves of w, and it is not.",
    )


# ---- 5.5 ------------------------------------------------------------------------------------


@exercise("A few points at once")
def sgd_step(answer):
    rng = np.random.default_rng(4)
    Phi, a, y = rng.standard_normal((5, 3)), rng.standard_normal(5), np.array([0.0, 1.0, 1.0, 0.0, 1.0])
    K, step, lam = Phi @ Phi.T, 0.4, 0.6
    for batch in (np.array([2, 0]), np.array([4, 1, 3])):
        pair = ask(answer, K, y, a, K @ a, batch, step, lam)
        expect(isinstance(pair, tuple | list | np.ndarray) and len(pair) == 2, "not_a_pair", "return both, a and q.")
        new_a, new_q = array_like(pair[0], (5,), "the new a"), array_like(pair[1], (5,), "the new q")
        expect(not close(new_a, K @ new_q), "swapped", "you return them the other way round: a first, then q.")
        _judge_a(new_a, K, a, y, batch, step, lam)
        _judge_q(new_q, K, a, y, batch, step, lam)
    _judge_work(answer, K, a, y, batch, step, lam)


def _judge_work(answer, K, a, y, batch, step, lam):
    """With a q that is not Ka, and a K with no numbers where no point of the batch is concerned: what is read?"""
    stale, chosen = np.array([1.0, -1.0, 0.5, 2.0, -0.5]), np.isin(np.arange(5), batch)
    shrunk = (1 - step * lam * len(batch) / len(y)) * stale
    _, q = ask(answer, K, y, a, stale, batch, step, lam)
    expect(
        not close(np.asarray(q), shrunk + K[:, batch] @ (step * (y - _s(K @ a)))[batch]),
        "output_computed_anew",
        "the numbers are right, but (Ka)_i is computed anew: q_i is that number already.",
    )
    right = shrunk + K[:, batch] @ (step * (y - _s(stale)))[batch]
    expect(
        close(np.asarray(q), right),
        "gram_product_anew",
        "the numbers are right, but Ka is computed anew, in O(n²). Change q by the batch's columns.",
    )
    _, q = ask(answer, np.where(chosen | chosen[:, None], K, np.nan), y, a, stale, batch, step, lam)
    expect(
        close(np.asarray(q), right),
        "whole_gram",
        "the numbers are right, but all of K is multiplied, with zeros for the other points: "
        "the batch's columns will do.",
    )


def _judge_a(new, K, a, y, batch, step, lam):
    q, chosen, m, n = K @ a, np.isin(np.arange(5), batch), len(batch), len(y)
    shrink, change = 1 - step * lam * m / n, step * (y - _s(q)) * chosen
    expect_none_of(
        new,
        {
            "a_no_lam": (a + change, "a: you forgot λ; all of a shrinks first."),
            "a_one_share": (
                (1 - step * lam / n) * a + change,
                "a: each of the m points carries 1/n of the penalty: 1 − ελm/n.",
            ),
            "a_whole_penalty": (
                (1 - step * lam) * a + change,
                "a: the batch carries m/n of the penalty, not all of it: 1 − ελm/n.",
            ),
            "a_shrinks_in_turn": (
                (1 - step * lam / n) ** m * a + change,
                "a: that shrinks once for each point; in one step the shares add up: 1 − ελm/n.",
            ),
            "a_shrinks_the_step": (shrink * (a + change), "a: shrink first, then add; you shrink the new part too."),
            "a_shrinks_batch_only": (
                np.where(chosen, shrink * a + change, a),
                "a: the penalty shrinks every a_j, not only those of the batch.",
            ),
        },
        close,
    )
    _judge_gain(new - shrink * a, a, q, y, chosen, step, shrink)
    in_turn = [_one_after_the_other(K, a, y, batch, step, lam, at_once) for at_once in (False, True)]
    expect(
        not any(close(new, other) for other in in_turn),
        "a_one_after_the_other",
        "a: you visit one point after the other; here all slopes are taken at the q before the step.",
    )
    expect(
        close(new, shrink * a + change),
        "a_wrong",
        "a should shrink by 1 − ελm/n, then each a_i of the batch gains ε(y_i − s(q_i)).",
    )


def _judge_gain(gain, a, q, y, chosen, step, shrink):
    """What is right about a but for what the batch gains."""
    change = step * (y - _s(q)) * chosen
    expect_none_of(
        gain,
        {
            "a_all_points": (step * (y - _s(q)), "a: these are all points; only the a_i of the batch gain something."),
            "a_mean": (
                change / chosen.sum(),
                "a: you took the mean of the batch; each of its points gains its own ε(y_i − s(q_i)).",
            ),
            "a_sign_turned": (-change, "a: a sign is wrong; a_i moves by +ε(y_i − s(q_i))."),
            "a_no_step": (change / step, "a: what the batch gains lacks the step size ε."),
            "a_no_sigmoid": (step * (y - q) * chosen, "a: you forgot the sigmoid: y_i − s(q_i), not y_i − q_i."),
            "a_labels_plus_minus_one": (
                step * (2 * y - 1 - _s(q)) * chosen,
                "a: you used y = ±1; in y_i − s(q_i) the label is 0 or 1, as y comes here.",
            ),
            "a_sigmoid_of_a": (step * (y - _s(a)) * chosen, "a: s needs the outputs q_i, not a_i."),
            "a_shrunk_outputs": (
                step * (y - _s(shrink * q)) * chosen,
                "a: s needs the outputs before the step; you let q shrink first.",
            ),
        },
        close,
    )
    ones = (step * (1 - _s(q)) * chosen, step * y * (1 - _s(q)) * chosen)
    expect(
        not any(close(gain, one) for one in ones),
        "wrong_for_label_zero",
        "a: right for y_i = 1, wrong for y_i = 0: there a_i moves by −ε s(q_i).",
    )


def _one_after_the_other(K, a, y, batch, step, lam, at_once):
    """The new a where each point moves q before the next is visited, and a shrinks at once or at each visit."""
    q, share = K @ a, step * lam / len(y)
    first, each = (1 - share * len(batch), 1) if at_once else (1, 1 - share)
    a, q = first * a, first * q
    for i in batch:
        change = step * (y[i] - _s(q[i]))
        a, q = each * a + change * np.eye(len(y))[i], each * q + change * K[i]
    return a


def _judge_q(new, K, a, y, batch, step, lam):
    q, shrink, chosen = K @ a, 1 - step * lam * len(batch) / len(y), np.isin(np.arange(5), batch)
    change = step * (y - _s(q)) * chosen
    expect_none_of(
        new,
        {
            "q_unchanged": (q, "q: it is still the old one; when a moves, q = Ka moves with it."),
            "q_not_shrunk": (q + K @ change, "q: a shrank, so q = Ka must shrink by the same factor."),
            "q_batch_only": (shrink * q + change, "q: each a_i touches every output, through column i of K."),
            "q_no_columns": (shrink * q, "q: it shrank, but what the batch gains, times its columns of K, is missing."),
            "q_shrinks_the_step": (
                shrink * (q + K @ change),
                "q: shrink first, then add; you shrink the new part too.",
            ),
            "q_gains_all_of_a": (
                shrink * q + K @ (chosen * (shrink * a + change)),
                "q: its columns of K carry what the batch gains, not all of its new a_i.",
            ),
            "q_of_shrunk_outputs": (
                shrink * q + K @ (step * (y - _s(shrink * q)) * chosen),
                "q: it gains what a gained, through K; yours asks s again, of a q that has shrunk.",
            ),
        },
        close,
    )
    expect(
        close(new, shrink * q + K @ change),
        "q_wrong",
        "q should be Ka for the new a: it shrinks as a does, then gains through K what a gained.",
    )


summary = summary_of(never_sure, safe_sigmoid, dual_step, unreachable, sgd_step)
