"""Notebook 05: the checks of its exercises, on fixed random data."""

import warnings
from unittest import mock

import numpy as np

from kernelkit.course.exercises.base import (
    Mistake,
    array_like,
    challenge,
    close,
    exercise,
    expect,
    fixed,
    numbers,
    summary_of,
)
from kernelkit.course.explorers.kernel_logistic import boundaries, descents, one_point
from kernelkit.course.panel.numbers import percent


def _s(f):
    """s(f) = 1/(1 + e^{−f}), with exp of numbers ≤ 0 only."""
    e = np.exp(-np.abs(f))
    return np.where(f >= 0, 1, e) / (1 + e)


# ---- Right, but never sure -----------------------------------------------------------------------


@challenge("Right, but never sure", boundaries)
def never_sure(panel):
    """A challenge: a Gaussian model nowhere above 90 %, and wrong on at most 5.5 % of the new points."""
    state = boundaries.compute(**panel.values)
    sure = _s(np.abs(state.H[2]).max())
    wrong = state.new[2]
    says = f"somewhere it is {percent(sure)} sure"
    errs = f"{percent(wrong)} of the new points are wrong"
    if sure > 0.9 and wrong > 0.055:
        raise Mistake("sure_and_wrong", f"{says}, and {errs}. Choose data and λ first.")
    expect(sure <= 0.9, "still_sure", f"right often enough, but {says}: a larger λ pulls all scores to 0.")
    expect(wrong <= 0.055, "too_often_wrong", f"never more than 90 % sure, but {errs}: other data, or another σ?")


never_sure.right = {"data": "crossing", "lam": 1.0}
never_sure.wrong = {
    "sure_and_wrong": {"data": "mixture"},
    "still_sure": [{"data": "rings", "lam": 1.0, "sigma": 0.5}, {"data": "half_planes", "lam": 1.0, "n": 120}],
    "too_often_wrong": {"lam": 1.0},
}
never_sure.scenes = {
    "still_sure": (boundaries, "A large λ"),
}


# ---- A safe sigmoid ------------------------------------------------------------------------------


@exercise("A safe sigmoid")
def safe_sigmoid(trial):
    """s(f) = 1/(1 + e^{−f}), computed as e^{−|f|}/(1 + e^{−|f|}) for f < 0 and as 1/(1 + e^{−|f|}) for f ≥ 0."""
    f = trial.changed(np.array([-2.0, -0.5, 0.0, 1.0, 3.0]))
    s = array_like(trial.ask(f), (5,), "s(f) of five numbers")
    trial.expect_none_of(
        s,
        close,
        falling=(_s(-f), "a sign is wrong: yours falls where s should rise; s(f) = 1/(1 + e^{−f})."),
        tanh=(np.tanh(f), "this is tanh, from −1 to 1; s goes from 0 to 1."),
        negative_only=(
            np.exp(-np.abs(f)) / (1 + np.exp(-np.abs(f))),
            "right for f < 0 only: for f ≥ 0 the numerator is 1, not e^{−|f|}.",
        ),
        positive_only=(
            1 / (1 + np.exp(-np.abs(f))),
            "right for f ≥ 0 only: for f < 0 the numerator is e^{−|f|}, not 1.",
        ),
    )
    expect(close(s, _s(f)), "wrong_values", "s(f) should be 1/(1 + e^{−f}), and it is not.")
    _judge_extremes(trial.answer)


def _judge_extremes(answer):
    f = np.array([-1000.0, -40.0, 40.0, 1000.0])
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        s = array_like(answer(f.copy()), (4,), "s(f) of four numbers")
    at = ", ".join(f"{v:g}" for v in f[np.isnan(s)])
    sentence = f"right in the middle, but at f = {at} it is nan: e^{{1000}} is inf, inf/inf is nan."
    expect(not np.isnan(s).any(), "nan_at_the_ends", sentence)
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
        not warned,
        "overflow_on_the_way",
        "the values are right, but exp overflows on the way: a warning (np.where computes both its branches). "
        "Ask exp only for −|f|.",
    )
    largest = _largest_exponent(answer)
    expect(
        largest <= 0,
        "positive_exponent",
        f"the values are right, but np.exp is asked for e^{{{largest:g}}}: hiding the warning or cutting f off does "
        "not help. Ask it only for −|f|.",
    )


def _largest_exponent(answer):
    """The largest number that np.exp sees on the way."""
    seen = [-np.inf]
    exp = np.exp

    def watched(x, *more, where=True, **others):
        seen.append(np.max(np.real(x), where=where, initial=-np.inf))
        return exp(x, *more, where=where, **others)

    with mock.patch.object(np, "exp", watched):
        for f in ([-1000.0, 1000.0], [-2.0, 3.0]):
            answer(np.array(f))
    return max(seen)


def _plain(f):
    """s(f) as it is written down."""
    return 1 / (1 + np.exp(-f))


def _both_branches(f):
    return np.where(f >= 0, 1 / (1 + np.exp(-f)), np.exp(f) / (1 + np.exp(f)))


safe_sigmoid.right = _s
safe_sigmoid.wrong = {
    "falling": lambda f: _plain(-f),
    "tanh": np.tanh,
    "negative_only": lambda f: np.exp(-np.abs(f)) / (1 + np.exp(-np.abs(f))),
    "positive_only": lambda f: _plain(np.abs(f)),
    "wrong_values": lambda f: _plain(2 * f),
    "nan_at_the_ends": lambda f: np.exp(f) / (1 + np.exp(f)),
    "wrong_at_1000": lambda f: np.where(f < 100, _plain(np.minimum(f, 100)), 0),
    "cut_off": [
        lambda f: _plain(np.clip(f, -30, 30)),
        lambda f: np.where(f < -50, 0, np.maximum(_plain(np.clip(f, -50, 50)), 1e-16)),
    ],
    "rounded_away": lambda f: 1 - _s(-f),
    "overflow_on_the_way": [_plain, _both_branches],
    "positive_exponent": lambda f: _plain(np.clip(f, -700, 700)),
}


# ---- One step in a -------------------------------------------------------------------------------


@exercise("One step in a")
def dual_step(trial):
    """a + ε(y − s(Ka) − λa)."""
    rng = trial.draws(2)
    Phi = rng.standard_normal((5, 3))
    a = rng.standard_normal(5)
    y = np.array([0.0, 1.0, 1.0, 0.0, 1.0])
    K = Phi @ Phi.T
    step = 0.3
    lam = 0.7
    rest = y - _s(K @ a)
    right = a + step * (rest - lam * a)
    new = array_like(trial.ask(K, y, a, step, lam), (5,), "the new a, one per point,")
    trial.expect_none_of(
        new,
        close,
        no_lam=(a + step * rest, "you forgot λ: without −λa the weights are never pulled back."),
        labels_plus_minus_one=(
            a + step * (2 * y - 1 - _s(K @ a) - lam * a),
            "you used y = ±1; in y − s the label is 0 or 1, as y comes here.",
        ),
        gradient_in_a=(
            a + step * K @ (rest - lam * a),
            "you multiplied by K: that is the gradient in a, but not the step that w takes. Leave K out.",
        ),
        residual_times_gram=(a + step * (K @ rest - lam * a), "you multiplied y − s(Ka) by K; K is only inside s."),
        penalty_times_gram=(a + step * (rest - lam * K @ a), "the penalty pulls at a itself: λa, not λKa."),
        minus_step=(a - step * (rest - lam * a), "you walked uphill: a + ε(…), not a − ε(…)."),
        plus_lam=(a + step * (rest + lam * a), "the sign of λ is wrong: −λa pulls towards 0."),
        no_sigmoid=(a + step * (y - K @ a - lam * a), "you forgot the sigmoid: y − s(Ka), not y − Ka."),
        sigmoid_of_a=(a + step * (y - _s(a) - lam * a), "s needs the outputs Ka at the points, not a."),
        step_not_on_penalty=(a + step * rest - lam * a, "ε belongs to both: ε(y − s(Ka) − λa)."),
        change_only=(step * (rest - lam * a), "this is the change of a; add it to a."),
    )
    expect(close(new, right), "wrong_step", "the new a should be a + ε(y − s(Ka) − λa), and it is not.")
    Phi = rng.standard_normal((3, 2))
    K = Phi @ Phi.T
    y = np.array([1.0, 0.0, 0.0])
    a = rng.standard_normal(3)
    new = array_like(trial.ask(K, y, a, 0.1, 2.0), (3,), "with 3 points, the new a")
    right = a + 0.1 * (y - _s(K @ a) - 2 * a)
    sentence = "right for 5 points, ε = 0.3, λ = 0.7, wrong for 3 points, ε = 0.1, λ = 2: use what comes in."
    expect(close(new, right), "other_numbers", sentence)


def _right_step(K, y, a, step, lam):
    return a + step * (y - _s(K @ a) - lam * a)


dual_step.right = _right_step
dual_step.wrong = {
    "no_lam": lambda K, y, a, step, lam: a + step * (y - _s(K @ a)),
    "labels_plus_minus_one": lambda K, y, a, step, lam: a + step * (2 * y - 1 - _s(K @ a) - lam * a),
    "gradient_in_a": lambda K, y, a, step, lam: a + step * K @ (y - _s(K @ a) - lam * a),
    "residual_times_gram": lambda K, y, a, step, lam: a + step * (K @ (y - _s(K @ a)) - lam * a),
    "penalty_times_gram": lambda K, y, a, step, lam: a + step * (y - _s(K @ a) - lam * K @ a),
    "minus_step": lambda K, y, a, step, lam: a - step * (y - _s(K @ a) - lam * a),
    "plus_lam": lambda K, y, a, step, lam: a + step * (y - _s(K @ a) + lam * a),
    "no_sigmoid": lambda K, y, a, step, lam: a + step * (y - K @ a - lam * a),
    "sigmoid_of_a": lambda K, y, a, step, lam: a + step * (y - _s(a) - lam * a),
    "step_not_on_penalty": lambda K, y, a, step, lam: a + step * (y - _s(K @ a)) - lam * a,
    "change_only": lambda K, y, a, step, lam: step * (y - _s(K @ a) - lam * a),
    "wrong_step": lambda K, y, a, step, lam: a + 2 * step * (y - _s(K @ a) - lam * a),
    "other_numbers": [fixed(_right_step, 3, 0.3), fixed(_right_step, 4, 0.7)],
}
dual_step.scenes = {
    "no_lam": (descents, "λ pulls it back"),
}


# ---- Out of reach --------------------------------------------------------------------------------


@exercise("Out of reach")
def unreachable(trial):
    """u = (1 − ελ)^t (w − Φᵀa) for the a whose Φᵀa is nearest to w, that is ΦΦᵀa = Φw."""
    rng = trial.draws(3)
    step = 0.2
    lam = 0.5
    t = 5
    Phi = rng.standard_normal((3, 5))
    w = rng.standard_normal(5)
    a = np.linalg.solve(Phi @ Phi.T, Phi @ w)
    start = w - Phi.T @ a  # what no Φᵀa reaches
    shrink = 1 - step * lam  # of each step
    u = numbers(trial.ask(Phi, w, step, lam, t), "u")

    def shrunk_or_not(u, v):
        return close(u, v) or close(u, shrink**t * v)

    expect(
        not shrunk_or_not(u, a),
        "dual_weights_returned",
        "these are dual weights a. The exercise asks what they leave of w.",
    )
    u = array_like(u, (5,), "u, one number per feature,")
    trial.expect_none_of(
        u,
        shrunk_or_not,
        reachable_part=(Phi.T @ a, "this is the part that some Φᵀa has; return what is left of w."),
        sign_turned=(-start, "a sign is wrong, because what is left is w − Φᵀa."),
        not_orthonormal=(
            w - Phi.T @ (Phi @ w),
            "ΦᵀΦ is a projection only if the rows of Φ are orthonormal; find the a with Φᵀa nearest to w.",
        ),
    )
    expect(
        np.abs(Phi @ u).max() < 1e-6,
        "reachable_part_left",
        "what is left must give 0 at every training point, Φu = 0; yours does not.",
    )
    _judge_fading(trial, u, start, step, lam, t)
    right = shrink**t * start
    Phi = np.vstack([Phi, Phi[:1]])  # one point twice: the span and the rest are the same
    try:
        u = numbers(trial.ask(Phi, w, step, lam, t), "u")
    except np.linalg.LinAlgError:
        u = np.full(5, np.inf)
    expect(
        np.allclose(u, right, atol=1e-6),
        "singular",
        "right for three different points; with one point twice ΦΦᵀ is singular: use np.linalg.lstsq.",
    )
    Phi = rng.standard_normal((2, 4))
    w = rng.standard_normal(4)
    right = (1 - 0.1 * 1.5) ** 8 * (w - Phi.T @ np.linalg.solve(Phi @ Phi.T, Phi @ w))
    u = array_like(trial.ask(Phi, w, 0.1, 1.5, 8), (4,), "with 4 features, u")
    sentence = "right for ε = 0.2, λ = 0.5 and 5 steps, wrong for ε = 0.1, λ = 1.5 and 8 steps: use what comes in."
    expect(close(u, right), "other_numbers", sentence)


def _judge_fading(trial, u, start, step, lam, t):
    shrink = 1 - step * lam
    right = shrink**t * start
    trial.expect_none_of(
        u,
        close,
        start_returned=(start, "this is what is out of reach at the start; λ pulls at it in each of the t steps."),
        one_step_only=(shrink * start, "this is u after one step; there are t of them."),
        steps_added=(
            (1 - t * step * lam) * start,
            "t steps multiply: each takes ελ of what the one before has left, not of the start.",
        ),
        share_of_penalty=(
            (1 - step * lam / 3) ** t * start,
            "a batch step pays the whole penalty: the factor is 1 − ελ, without 1/n.",
        ),
        u_grows=((1 + step * lam) ** t * start, start / shrink**t, "your u grows; the penalty pulls it towards 0."),
    )
    expect(
        close(u, right),
        "wrong_rest",
        "u should be (1 − ελ)^t times what the nearest Φᵀa leaves of w, and it is not.",
    )


def _nearest(Phi, w):
    """The a of the Φᵀa that is nearest to w."""
    return np.linalg.solve(Phi @ Phi.T, Phi @ w)


def _left(Phi, w, step=0.0, lam=0.0, t=0):
    """What the nearest Φᵀa leaves of w."""
    return w - Phi.T @ np.linalg.lstsq(Phi.T, w, rcond=None)[0]


def _faded(Phi, w, step, lam, t):
    return (1 - step * lam) ** t * _left(Phi, w)


def _through_qr(Phi, w, step, lam, t):
    Q = np.linalg.qr(Phi.T)[0]
    return (1 - step * lam) ** t * (w - Q @ Q.T @ w)


unreachable.right = _faded
unreachable.wrong = {
    "dual_weights_returned": lambda Phi, w, *_: _nearest(Phi, w),
    "reachable_part": [
        lambda Phi, w, *_: Phi.T @ _nearest(Phi, w),
        lambda Phi, w, e, lam, t: (1 - e * lam) ** t * (w - _left(Phi, w)),
    ],
    "sign_turned": [lambda *v: -_left(*v), lambda *v: -_faded(*v)],
    "not_orthonormal": lambda Phi, w, *_: w - Phi.T @ Phi @ w,
    "reachable_part_left": [lambda Phi, w, *_: w, lambda Phi, w, e, lam, t: (1 - e * lam) ** t * w],
    "start_returned": _left,
    "one_step_only": lambda Phi, w, e, lam, t: (1 - e * lam) * _left(Phi, w),
    "steps_added": lambda Phi, w, e, lam, t: (1 - t * e * lam) * _left(Phi, w),
    "share_of_penalty": lambda Phi, w, e, lam, t: (1 - e * lam / len(Phi)) ** t * _left(Phi, w),
    "u_grows": [
        lambda Phi, w, e, lam, t: (1 + e * lam) ** t * _left(Phi, w),
        lambda Phi, w, e, lam, t: _left(Phi, w) / (1 - e * lam) ** t,
    ],
    "wrong_rest": [
        lambda Phi, w, e, lam, t: np.exp(-e * lam * t) * _left(Phi, w),
        lambda Phi, w, e, lam, t: (1 - lam) ** t * _left(Phi, w),
        lambda Phi, w, *_: 0 * w,
    ],
    "singular": [lambda *v: _faded(*v) if len(v[0]) == 3 else v[1], _through_qr],
    "other_numbers": [fixed(_faded, 2, 0.2), fixed(_faded, 3, 0.5), fixed(_faded, 4, 5)],
}
unreachable.scenes = {
    "reachable_part": (descents, "Out of reach"),
}


# ---- A few points at once ------------------------------------------------------------------------


@exercise("A few points at once")
def sgd_step(trial):
    """a shrinks by 1 − ελm/n, then a_i gains ε(y_i − s(q_i)) for the m points i of the batch; q = Ka follows."""
    rng = trial.draws(4)
    Phi = rng.standard_normal((5, 3))
    a = rng.standard_normal(5)
    y = np.array([0.0, 1.0, 1.0, 0.0, 1.0])
    K = Phi @ Phi.T
    step = 0.4
    lam = 0.6
    for batch in (np.array([2, 0]), np.array([4, 1, 3])):
        pair = trial.ask(K, y, a, K @ a, batch, step, lam)
        expect(isinstance(pair, tuple | list | np.ndarray) and len(pair) == 2, "not_a_pair", "return both, a and q.")
        new_a = array_like(pair[0], (5,), "the new a")
        new_q = array_like(pair[1], (5,), "the new q")
        expect(not close(new_a, K @ new_q), "swapped", "you return them the other way round: a first, then q.")
        _judge_a(trial, new_a, K, a, y, batch, step, lam)
        _judge_q(trial, new_q, K, a, y, batch, step, lam)
    _judge_work(trial, K, a, y, batch, step, lam)
    Phi = rng.standard_normal((7, 4))
    K = Phi @ Phi.T
    a = rng.standard_normal(7)
    y = np.array([1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0])
    batch = np.array([6, 3, 0])
    change = 0.2 * (y - _s(K @ a)) * np.isin(np.arange(7), batch)
    right = (1 - 0.2 * 1.5 * 3 / 7) * a + change
    new_a, new_q = trial.ask(K, y, a, K @ a, batch, 0.2, 1.5)
    sentence = "right for 5 points, ε = 0.4, λ = 0.6, wrong for 7 points, ε = 0.2, λ = 1.5: use what comes in."
    expect(close(new_a, right) and close(new_q, K @ right), "other_numbers", sentence)


def _judge_work(trial, K, a, y, batch, step, lam):
    """With a q that is not Ka, and a K with no numbers where no point of the batch is concerned: what is read?"""
    stale = np.array([1.0, -1.0, 0.5, 2.0, -0.5])
    chosen = np.isin(np.arange(5), batch)
    shrunk = (1 - step * lam * len(batch) / len(y)) * stale
    right = shrunk + K[:, batch] @ (step * (y - _s(stale)))[batch]
    anew = shrunk + K[:, batch] @ (step * (y - _s(K @ a)))[batch]
    _, q = trial.ask(K, y, a, stale, batch, step, lam)
    expect(
        not close(np.asarray(q), anew),
        "output_computed_anew",
        "the numbers are right, but (Ka)_i is computed anew: q_i is that number already.",
    )
    expect(
        close(np.asarray(q), right),
        "gram_product_anew",
        "the numbers are right, but Ka is computed anew, in O(n²). Change q by the batch's columns.",
    )
    only_the_batch = np.where(chosen | chosen[:, None], K, np.nan)
    _, q = trial.ask(only_the_batch, y, a, stale, batch, step, lam)
    expect(
        close(np.asarray(q), right),
        "whole_gram",
        "the numbers are right, but all of K is multiplied, with zeros for the other points: "
        "the batch's columns will do.",
    )


def _judge_a(trial, new, K, a, y, batch, step, lam):
    q = K @ a
    chosen = np.isin(np.arange(5), batch)
    m = len(batch)
    n = len(y)
    shrink = 1 - step * lam * m / n
    change = step * (y - _s(q)) * chosen
    right = shrink * a + change
    trial.expect_none_of(
        new,
        close,
        a_no_lam=(a + change, "a: you forgot λ; all of a shrinks first."),
        a_one_share=(
            (1 - step * lam / n) * a + change,
            "a: each of the m points carries 1/n of the penalty: 1 − ελm/n.",
        ),
        a_whole_penalty=(
            (1 - step * lam) * a + change,
            "a: the batch carries m/n of the penalty, not all of it: 1 − ελm/n.",
        ),
        a_shrinks_in_turn=(
            (1 - step * lam / n) ** m * a + change,
            "a: that shrinks once for each point; in one step the shares add up: 1 − ελm/n.",
        ),
        a_shrinks_the_step=(shrink * (a + change), "a: shrink first, then add; you shrink the new part too."),
        a_shrinks_batch_only=(
            np.where(chosen, shrink * a + change, a),
            "a: the penalty shrinks every a_j, not only those of the batch.",
        ),
    )
    _judge_gain(trial, new - shrink * a, a, q, y, chosen, step, shrink)
    in_turn = [_one_after_the_other(K, a, y, batch, step, lam, at_once) for at_once in (False, True)]
    expect(
        not any(close(new, other) for other in in_turn),
        "a_one_after_the_other",
        "a: you visit one point after the other; here all slopes are taken at the q before the step.",
    )
    expect(
        close(new, right),
        "a_wrong",
        "a should shrink by 1 − ελm/n, then each a_i of the batch gains ε(y_i − s(q_i)).",
    )


def _judge_gain(trial, gain, a, q, y, chosen, step, shrink):
    """What is right about a but for what the batch gains."""
    change = step * (y - _s(q)) * chosen
    trial.expect_none_of(
        gain,
        close,
        a_all_points=(step * (y - _s(q)), "a: these are all points; only the a_i of the batch gain something."),
        a_mean=(
            change / chosen.sum(),
            "a: you took the mean of the batch; each of its points gains its own ε(y_i − s(q_i)).",
        ),
        a_sign_turned=(-change, "a: a sign is wrong; a_i moves by +ε(y_i − s(q_i))."),
        a_no_step=(change / step, "a: what the batch gains lacks the step size ε."),
        a_no_sigmoid=(step * (y - q) * chosen, "a: you forgot the sigmoid: y_i − s(q_i), not y_i − q_i."),
        a_labels_plus_minus_one=(
            step * (2 * y - 1 - _s(q)) * chosen,
            "a: you used y = ±1; in y_i − s(q_i) the label is 0 or 1, as y comes here.",
        ),
        a_sigmoid_of_a=(step * (y - _s(a)) * chosen, "a: s needs the outputs q_i, not a_i."),
        a_shrunk_outputs=(
            step * (y - _s(shrink * q)) * chosen,
            "a: s needs the outputs before the step; you let q shrink first.",
        ),
        wrong_for_label_zero=(
            step * (1 - _s(q)) * chosen,
            step * y * (1 - _s(q)) * chosen,
            "a: right for y_i = 1, wrong for y_i = 0: there a_i moves by −ε s(q_i).",
        ),
    )


def _one_after_the_other(K, a, y, batch, step, lam, at_once):
    """The new a where each point moves q before the next is visited, and a shrinks at once or at each visit."""
    q = K @ a
    share = step * lam / len(y)
    first = 1 - share * len(batch) if at_once else 1
    each = 1 if at_once else 1 - share
    a = first * a
    q = first * q
    for i in batch:
        change = step * (y[i] - _s(q[i]))
        a = each * a + change * np.eye(len(y))[i]
        q = each * q + change * K[i]
    return a


def _judge_q(trial, new, K, a, y, batch, step, lam):
    q = K @ a
    shrink = 1 - step * lam * len(batch) / len(y)
    chosen = np.isin(np.arange(5), batch)
    change = step * (y - _s(q)) * chosen
    right = shrink * q + K @ change
    trial.expect_none_of(
        new,
        close,
        q_unchanged=(q, "q: it is still the old one; when a moves, q = Ka moves with it."),
        q_not_shrunk=(q + K @ change, "q: a shrank, so q = Ka must shrink by the same factor."),
        q_batch_only=(shrink * q + change, "q: each a_i touches every output, through column i of K."),
        q_no_columns=(shrink * q, "q: it shrank, but what the batch gains, times its columns of K, is missing."),
        q_shrinks_the_step=(shrink * (q + K @ change), "q: shrink first, then add; you shrink the new part too."),
        q_gains_all_of_a=(
            shrink * q + K @ (chosen * (shrink * a + change)),
            "q: its columns of K carry what the batch gains, not all of its new a_i.",
        ),
        q_of_shrunk_outputs=(
            shrink * q + K @ (step * (y - _s(shrink * q)) * chosen),
            "q: it gains what a gained, through K; yours asks s again, of a q that has shrunk.",
        ),
    )
    expect(
        close(new, right),
        "q_wrong",
        "q should be Ka for the new a: it shrinks as a does, then gains through K what a gained.",
    )


def _visit(K, y, a, q, batch, step, lam, shrink_a=None, shrink_q=None, change=None, columns=None):
    """One step of a mini-batch with one thing done wrong."""
    shrink = 1 - step * lam * len(batch) / len(a)
    change = step * (y[batch] - _s(q[batch])) if change is None else change
    a = (shrink if shrink_a is None else shrink_a) * a
    a[batch] += change
    return a, (shrink if shrink_q is None else shrink_q) * q + (K if columns is None else columns)[:, batch] @ change


def _gains(change):
    """A step in which the batch gains what this function of (labels, outputs, dual weights, step) says."""
    return lambda K, y, a, q, B, step, lam: _visit(K, y, a, q, B, step, lam, change=change(y[B], q[B], a[B], step))


def _only_the_batch_shrinks(K, y, a, q, batch, step, lam):
    new, q_new = _visit(K, y, a, q, batch, step, lam)
    return np.where(np.isin(np.arange(len(a)), batch), new, a), q_new


def _shrinks_after(K, y, a, q, batch, step, lam):
    shrink = 1 - step * lam * len(batch) / len(a)
    return _visit(K, y, a, q, batch, step, lam, change=shrink * step * (y[batch] - _s(q[batch])))


def _all_points(K, y, a, q, batch, step, lam):
    return (1 - step * lam * len(batch) / len(a)) * a + step * (y - _s(q)), q


def _in_turn(K, y, a, q, batch, step, lam):
    for i in batch:
        a, q = _visit(K, y, a, q, [i], step, lam)
    return a, q


def _shrinks_in_turn(K, y, a, q, batch, step, lam):
    return _visit(K, y, a, q, batch, step, lam, shrink_a=(1 - step * lam / len(a)) ** len(batch))


def _anew(K, y, a, q, batch, step, lam):
    a, _ = _visit(K, y, a, q, batch, step, lam)
    return a, K @ a


def _outputs_anew(K, y, a, q, batch, step, lam):
    return _visit(K, y, a, q, batch, step, lam, change=step * (y[batch] - _s(K[batch] @ a)))


def _late(K, y, a, q, batch, step, lam):
    new, _ = _visit(K, y, a, q, batch, step, lam)
    q = (1 - step * lam * len(batch) / len(a)) * q
    return new, q + K[:, batch] @ (step * (y[batch] - _s(q[batch])))


def _shrunk_outputs(K, y, a, q, batch, step, lam):
    q = (1 - step * lam * len(batch) / len(a)) * q
    new, _ = _visit(K, y, a, q, batch, step, lam)
    return new, q + K[:, batch] @ (step * (y[batch] - _s(q[batch])))


def _shrunk_and_in_turn(K, y, a, q, batch, step, lam):
    shrink = 1 - step * lam * len(batch) / len(a)
    a, q = shrink * a, shrink * q
    for i in batch:
        a, q = _visit(K, y, a, q, [i], step, 0)
    return a, q


def _with_zeros_for_the_others(K, y, a, q, batch, step, lam):
    change, shrink = np.zeros(len(y)), 1 - step * lam * len(batch) / len(a)
    change[batch] = step * (y[batch] - _s(q[batch]))
    return shrink * a + change, shrink * q + K @ change


def _new_a_through_the_columns(K, y, a, q, batch, step, lam):
    new, _ = _visit(K, y, a, q, batch, step, lam)
    return new, (1 - step * lam * len(batch) / len(a)) * q + K[:, batch] @ new[batch]


sgd_step.right = _visit
sgd_step.wrong = {
    "not_a_pair": lambda K, y, a, q, batch, step, lam: a,
    "swapped": lambda *v: _visit(*v)[::-1],
    "a_no_lam": lambda *v: _visit(*v, shrink_a=1),
    "a_one_share": lambda *v: _visit(*v, shrink_a=1 - v[5] * v[6] / 5),
    "a_whole_penalty": lambda *v: _visit(*v, shrink_a=1 - v[5] * v[6]),
    "a_shrinks_in_turn": _shrinks_in_turn,
    "a_shrinks_the_step": _shrinks_after,
    "a_shrinks_batch_only": _only_the_batch_shrinks,
    "a_all_points": _all_points,
    "a_mean": _gains(lambda y, q, a, e: e * (y - _s(q)) / len(y)),
    "a_sign_turned": _gains(lambda y, q, a, e: -e * (y - _s(q))),
    "a_no_step": _gains(lambda y, q, a, e: y - _s(q)),
    "a_no_sigmoid": _gains(lambda y, q, a, e: e * (y - q)),
    "a_labels_plus_minus_one": _gains(lambda y, q, a, e: e * (2 * y - 1 - _s(q))),
    "a_sigmoid_of_a": _gains(lambda y, q, a, e: e * (y - _s(a))),
    "a_shrunk_outputs": _shrunk_outputs,
    "wrong_for_label_zero": [
        _gains(lambda y, q, a, e: e * (1 - _s(q))),
        _gains(lambda y, q, a, e: e * y * (1 - _s(q))),
    ],
    "a_one_after_the_other": [_in_turn, _shrunk_and_in_turn],
    "a_wrong": [
        _gains(lambda y, q, a, e: 0 * y + 0.9),
        _gains(lambda y, q, a, e: 0 * y + np.sum(e * (y - _s(q)))),
    ],
    "q_unchanged": lambda *v: (_visit(*v)[0], v[3]),
    "q_not_shrunk": lambda *v: _visit(*v, shrink_q=1),
    "q_batch_only": lambda *v: _visit(*v, columns=np.eye(5)),
    "q_no_columns": lambda *v: _visit(*v, columns=np.zeros((5, 5))),
    "q_shrinks_the_step": lambda *v: (_visit(*v)[0], _shrinks_after(*v)[1]),
    "q_gains_all_of_a": _new_a_through_the_columns,
    "q_of_shrunk_outputs": _late,
    "q_wrong": lambda *v: (_visit(*v)[0], 2 * v[3]),
    "output_computed_anew": _outputs_anew,
    "gram_product_anew": _anew,
    "whole_gram": _with_zeros_for_the_others,
    "other_numbers": [
        fixed(_visit, 5, 0.4),
        fixed(_visit, 6, 0.6),
        lambda *v: _visit(*v, shrink_a=1 - v[5] * v[6] * len(v[4]) / 5),
    ],
}
sgd_step.scenes = {
    "a_all_points": (one_point, "All points at once"),
}


summary = summary_of(never_sure, safe_sigmoid, dual_step, deeper=(sgd_step, unreachable))
