"""Notebook 08: the checks of its exercises, on fixed random data."""

import numpy as np

from kernelkit import Gaussian, KernelMachine, datasets
from kernelkit.course.exercises.base import (
    Mistake,
    array_like,
    challenge,
    close,
    exercise,
    expect,
    fixed,
    hard_coded,
    numbers,
    shape_of,
    summary_of,
)
from kernelkit.course.explorers.representer_theorem import classification_losses, losses, span
from kernelkit.course.panel.numbers import fixed as rounded

# ---- A loss that follows -------------------------------------------------------------------------


@challenge("A loss that follows", losses)
def follows(panel):
    """The panel of the losses: with the absolute loss the ringed point moves the curve by 2 or more."""
    values = panel.values
    expect(
        values["loss"] == "absolute",
        "another_loss",
        "stay with the absolute loss: that others can be pulled far is no surprise.",
    )
    moved = _moved(values)
    if moved >= 2:
        return
    ((x, _),) = values["outlier"]
    X, _ = datasets.sine(16, 0.1, 2)
    near = int(np.sum(np.abs(X[:, 0] - x) < values["sigma"]))
    said = f"because of the ringed point the curve moves by {rounded(moved)}"
    expect(
        near < 3,
        "among_neighbours",
        f"{said}. {near} neighbours stand within σ of it and outvote it: take it where it has fewer, "
        "or make σ smaller.",
    )
    expect(
        values["lam"] <= 0.1,
        "large_penalty",
        f"{said}. It stands alone, but the penalty holds the curve back: make λ smaller.",
    )
    raise Mistake("too_near", f"{said}. It stands alone, but not far enough from where the curve would be.")


def _moved(values):
    """max |h − h without the ringed point| along the axis."""
    X, y = datasets.sine(16, 0.1, 2)
    ((x, height),) = values["outlier"]
    Z = np.linspace(-3.2, 3.2, 161)[:, None]
    model = KernelMachine(Gaussian(values["sigma"]), "absolute", values["lam"])
    without = model.fit(X, y).predict(Z)
    X = np.append(X, [[x]], axis=0)
    y = np.append(y, height)
    return np.abs(model.fit(X, y).predict(Z) - without).max()


_END = {"outlier": ((3.0, 3.4),)}
follows.right = _END
follows.wrong = {
    "another_loss": _END | {"loss": "squared"},
    "among_neighbours": [{"outlier": ((0.7, 3.4),)}, {"outlier": ((-2.3, 1.0),), "sigma": 0.6}],
    "large_penalty": _END | {"lam": 1.0},
    "too_near": {"outlier": ((3.0, 0.5),)},
}


# ---- Dual weights from outputs -------------------------------------------------------------------


@exercise("Dual weights from outputs")
def dual_weights(trial):
    """a = −ℓ′(f)/λ = 2y max(0, 1 − y f)/λ for the squared hinge loss ℓ(f) = max(0, 1 − y f)²."""
    y = np.array([1.0, 1.0, -1.0, -1.0, 1.0, -1.0, -1.0])
    f = trial.changed(np.array([0.3, 1.6, -0.2, 0.7, -0.5, 1.4, -1.3]))
    lam = trial.changed(0.4)
    a = array_like(trial.ask(y, f, lam), (7,), "a, one dual weight per point,")
    short = np.maximum(0, 1 - y * f)
    right = 2 * y * short / lam
    trial.expect_none_of(
        a,
        close,
        sign_turned=(-right, "the sign is wrong: a = −ℓ′(f)/λ, and ℓ′ itself is negative where y = +1."),
        no_lam=(2 * y * short, "you forgot to divide by λ."),
        times_lam=(right * lam**2, "you multiplied by λ; the gradient is zero where λ a = −ℓ′(f), so divide."),
        no_two=(y * short / lam, "the 2 of the square is missing: the derivative of u² is 2u."),
        no_inner_derivative=(2 * short / lam, "the inner derivative is missing: that of 1 − y f in f is −y."),
        not_flat=(2 * y * (1 - y * f) / lam, "beyond the margin, y f > 1, the loss is flat: a must be 0 there."),
        hinge=(y * (short > 0) / lam, "this is the hinge loss; here it is squared."),
        loss_for_derivative=(short**2 / lam, "you used the loss ℓ(f); the dual weights need its derivative."),
        condition_on_f=(2 * (y - f) * (f < 1) / lam, "you ask for f < 1; the loss is flat where y f ≥ 1."),
        condition_on_size=(2 * (y - f) * (np.abs(f) < 1) / lam, "you ask for |f| < 1; the loss is flat where y f ≥ 1."),
    )
    expect(close(a, right), "wrong_weights", "Φᵀℓ′(f) + λΦᵀa should be zero, and it is not.")
    y = np.array([-1.0, 1.0, -1.0, 1.0])
    f = np.array([0.1, 0.9, -2.0, -1.5])
    again = array_like(trial.ask(y, f, 2.5), (4,), "for 4 points a")
    sentence = "right for 7 points and λ = 0.4, wrong for 4 points and λ = 2.5: use what comes in."
    expect(close(again, 2 * y * np.maximum(0, 1 - y * f) / 2.5), "other_numbers", sentence)


def _margin(y, f):
    """How much each point lacks of the margin."""
    return np.maximum(0, 1 - y * f)


def _squared_hinge(y, f, lam):
    return 2 * y * _margin(y, f) / lam


dual_weights.right = _squared_hinge
dual_weights.wrong = {
    "sign_turned": lambda y, f, lam: -2 * y * _margin(y, f) / lam,
    "no_lam": lambda y, f, lam: 2 * y * _margin(y, f),
    "times_lam": lambda y, f, lam: 2 * y * _margin(y, f) * lam,
    "no_two": lambda y, f, lam: y * _margin(y, f) / lam,
    "no_inner_derivative": lambda y, f, lam: 2 * _margin(y, f) / lam,
    "not_flat": lambda y, f, lam: 2 * y * (1 - y * f) / lam,
    "hinge": lambda y, f, lam: y * (y * f < 1) / lam,
    "loss_for_derivative": lambda y, f, lam: _margin(y, f) ** 2 / lam,
    "condition_on_f": lambda y, f, lam: 2 * (y - f) * (f < 1) / lam,
    "condition_on_size": lambda y, f, lam: 2 * (y - f) * (abs(f) < 1) / lam,
    "wrong_weights": lambda y, f, lam: 3 * y * _margin(y, f) / lam,
    "other_numbers": fixed(_squared_hinge, 2, 0.4),
}
dual_weights.scenes = {
    "not_flat": (classification_losses, "Squared hinge"),
    "hinge": (classification_losses, "Hinge"),
}


# ---- Split w -------------------------------------------------------------------------------------


@exercise("Split w")
def split(trial):
    """w∥ = Φᵀa with (ΦΦᵀ)a = Φw, and w⊥ = w − w∥."""
    rng = trial.draws(2)
    Phi = rng.standard_normal((3, 5))
    w = rng.standard_normal(5)
    inside, outside = _two_parts(trial.ask(Phi, w))
    a = np.linalg.solve(Phi @ Phi.T, Phi @ w)
    right = Phi.T @ a
    expect(
        inside.shape != (3,),
        "weights_for_part",
        "the first part should be w∥ = Φᵀa, with 5 entries; yours has 3, as a has.",
    )
    for part in (inside, outside):
        array_like(part, (5,), "each part")
    expect(
        not (close(inside, w - right) and close(outside, right)),
        "swapped",
        "the parts are right, but in the other order.",
    )
    expect(
        not close(inside, Phi.T @ (Phi @ w)),
        "no_inverse",
        "ΦᵀΦw is in the span, but is no projection: (ΦΦᵀ)⁻¹ is missing.",
    )
    expect(np.allclose(inside + outside, w), "no_sum", "the two parts should add up to w.")
    expect(
        np.allclose(Phi @ outside, 0, atol=1e-6),
        "not_orthogonal",
        "Φ w⊥ should be 0: no output may notice the second part.",
    )
    expect(close(inside, right), "outside_the_span", "the first part is not a combination of the rows of Φ.")
    _judge_singular(trial, Phi[[0, 1, 2, 0]], w, right)
    Phi = rng.standard_normal((2, 4))
    w = rng.standard_normal(4)
    inside, outside = _two_parts(trial.ask(Phi, w))
    right = Phi.T @ np.linalg.solve(Phi @ Phi.T, Phi @ w)
    sentence = "right for 3 points with 5 features, wrong for 2 points with 4: use what comes in."
    expect(close(inside, right) and close(outside, w - right), "other_numbers", sentence)


def _two_parts(value):
    if not isinstance(value, tuple | list) or len(value) != 2:
        expect((shape_of(value) or ())[:1] == (2,), "not_a_pair", "return two parts: w∥, w⊥.")
    return numbers(value[0], "each part"), numbers(value[1], "each part")


def _judge_singular(trial, Phi, w, right):
    message = "right, but not if two points are equal: then K is singular, so use lstsq or pinv."
    try:
        inside, outside = _two_parts(trial.ask(Phi, w))
    except np.linalg.LinAlgError:
        inside = outside = np.full(5, np.nan)
    expect(np.allclose(inside, right, atol=1e-6) and np.allclose(outside, w - right, atol=1e-6), "singular", message)


_pinv = np.linalg.pinv


def _inside(Phi, w):
    return _pinv(Phi) @ (Phi @ w)


def _solved(Phi, w):
    part = Phi.T @ np.linalg.solve(Phi @ Phi.T, Phi @ w)
    return part, w - part


split.right = lambda Phi, w: (_inside(Phi, w), w - _inside(Phi, w))
split.wrong = {
    "not_a_pair": lambda Phi, w: _inside(Phi, w),
    "weights_for_part": lambda Phi, w: (Phi @ w, w),
    "swapped": lambda Phi, w: (w - _inside(Phi, w), _inside(Phi, w)),
    "no_inverse": lambda Phi, w: (Phi.T @ Phi @ w, w - Phi.T @ Phi @ w),
    "no_sum": lambda Phi, w: (_inside(Phi, w), w),
    "not_orthogonal": lambda Phi, w: (w / 2, w / 2),
    "outside_the_span": lambda Phi, w: (w, 0 * w),
    "singular": _solved,
    "other_numbers": hard_coded(split.right),
}


# ---- Huber's slope -------------------------------------------------------------------------------


@exercise("Huber's slope")
def huber_slope(trial):
    """ℓ′(f) = f − y, cut off at −δ and at δ."""
    y = np.array([0.0, 0.0, 1.0, -1.0, 2.0])
    f = trial.changed(np.array([0.3, 2.0, 0.5, -3.0, 1.9]))
    delta = trial.changed(0.4)
    slope = array_like(trial.ask(y, f, delta), (5,), "the slopes, one per point,")
    r = f - y
    right = np.clip(r, -delta, delta)
    loss = np.where(np.abs(r) <= delta, r**2 / 2, delta * (np.abs(r) - delta / 2))
    trial.expect_none_of(
        slope,
        close,
        sign_turned=(-right, "the sign is wrong: the derivative of ½(y − f)² in f is f − y."),
        squared_loss=(r, "this is the squared loss: beyond δ the slope stays at ±δ."),
        absolute_loss=(np.sign(r), "this is the absolute loss: within δ the slope is f − y."),
        loss_for_derivative=(loss, "this is the loss itself; its derivative in f is needed."),
        cut_at_one=(np.clip(r, -1, 1), "you cut at ±1; the border is δ."),
        jump=(np.where(np.abs(r) <= delta, r, np.sign(r)), "beyond δ the slope is ±δ, not ±1: it must not jump."),
        positive_only=(np.where(np.abs(r) <= delta, r, delta), "below −δ the slope is −δ, not +δ."),
        zero_beyond=(np.where(np.abs(r) <= delta, r, 0), "beyond δ the slope is ±δ; 0 would forget outliers."),
    )
    expect(close(slope, right), "wrong_slopes", "the slopes should be f − y, cut off at −δ and δ, and they are not.")
    again = array_like(trial.ask(y[1:], f[1:] + 0.3, 2.1), (4,), "for 4 points the slopes")
    sentence = "right for δ = 0.4, wrong for δ = 2.1: use the y, the f and the δ that come in."
    expect(close(again, np.clip(f[1:] + 0.3 - y[1:], -2.1, 2.1)), "other_delta", sentence)


huber_slope.right = lambda y, f, delta: np.clip(f - y, -delta, delta)
huber_slope.wrong = {
    "sign_turned": lambda y, f, delta: np.clip(y - f, -delta, delta),
    "squared_loss": lambda y, f, delta: f - y,
    "absolute_loss": lambda y, f, delta: np.sign(f - y),
    "loss_for_derivative": lambda y, f, delta: np.where(
        abs(y - f) <= delta, (y - f) ** 2 / 2, delta * (abs(y - f) - delta / 2)
    ),
    "cut_at_one": lambda y, f, delta: np.clip(f - y, -1, 1),
    "jump": lambda y, f, delta: np.where(abs(y - f) <= delta, f - y, np.sign(f - y)),
    "positive_only": lambda y, f, delta: np.where(abs(y - f) <= delta, f - y, delta),
    "zero_beyond": lambda y, f, delta: np.where(abs(y - f) <= delta, f - y, 0),
    "wrong_slopes": lambda y, f, delta: 2 * np.clip(f - y, -delta, delta),
    "other_delta": fixed(huber_slope.right, 2, 0.4),
}
huber_slope.scenes = {
    "squared_loss": (losses, "Squared, far up"),
    "absolute_loss": (losses, "Absolute, far up"),
    "zero_beyond": (losses, "Huber, far up"),
}


# ---- Weights from the tube -----------------------------------------------------------------------


@exercise("Weights from the tube")
def tube_weights(trial):
    """a = C sign(y − f) outside the tube, |y − f| > ε, and 0 inside."""
    y = np.array([1.0, 1.0, 1.0, -1.0, 2.0, 0.2, -3.0, 0.0])
    C = trial.changed(3.0)
    epsilon = trial.changed(0.4)
    f = trial.changed(np.array([0.9, 0.1, 1.9, -1.3, -2.0, 0.5, -1.0, 0.35]))
    a = array_like(trial.ask(y, f, C, epsilon), (8,), "a, one dual weight per point,")
    r = y - f
    outside = np.abs(r) > epsilon
    right = C * np.sign(r) * outside
    beyond = np.maximum(0, np.abs(r) - epsilon)
    trial.expect_none_of(
        a,
        close,
        sign_turned=(-right, "the sign is wrong: a point above the curve, y > f, pulls it up, so a > 0."),
        no_C=(right / C, "the price C is missing: a = −C ℓ′(f), so outside the tube |a| = C."),
        divided_by_C=(right / C**2, "you divided by C; C is 1/λ, so multiply."),
        absolute_loss=(C * np.sign(r), "this is the absolute loss: inside the tube a must be 0."),
        inside_out=(
            C * np.sign(r) * ~outside,
            "you kept the points inside the tube; those are the ones without a weight.",
        ),
        no_sign=(C * outside, "points below the curve pull it down: there a = −C."),
        above_only=(C * (r > epsilon), "points below the tube are forgotten: there a = −C."),
        loss_for_derivative=(
            C * beyond,
            "you used the loss ℓ; the dual weights need its derivative, which outside is ±1.",
        ),
        pull_by_distance=(
            C * r * outside,
            C * np.sign(r) * beyond,
            "outside the tube the slope is ±1, however far the point is: how far does not count.",
        ),
        clipped=(
            np.clip(C * r, -C, C) * outside,
            np.clip(r, -C, C),
            "nothing is to be clipped: outside the tube a is C or −C, inside 0.",
        ),
    )
    expect(close(a, right), "wrong_weights", "a should be C above the tube, −C below and 0 inside, and it is not.")
    again = array_like(trial.ask(np.zeros(4), np.array([-0.3, 0.2, 0.05, -0.07]), 0.5, 0.1), (4,), "for 4 points a")
    sentence = "right for C = 3 and ε = 0.4, wrong for C = 0.5 and ε = 0.1: use what comes in."
    expect(close(again, [0.5, -0.5, 0, 0]), "other_numbers", sentence)


def _tube(y, f, C, e):
    return C * np.sign(y - f) * (abs(y - f) > e)


tube_weights.right = _tube
tube_weights.wrong = {
    "sign_turned": lambda y, f, C, e: C * np.sign(f - y) * (abs(y - f) > e),
    "no_C": lambda y, f, C, e: np.sign(y - f) * (abs(y - f) > e),
    "divided_by_C": lambda y, f, C, e: np.sign(y - f) * (abs(y - f) > e) / C,
    "absolute_loss": lambda y, f, C, e: C * np.sign(y - f),
    "inside_out": lambda y, f, C, e: C * np.sign(y - f) * (abs(y - f) < e),
    "no_sign": lambda y, f, C, e: C * (abs(y - f) > e),
    "above_only": lambda y, f, C, e: C * (y - f > e),
    "loss_for_derivative": lambda y, f, C, e: C * np.maximum(0, abs(y - f) - e),
    "pull_by_distance": [
        lambda y, f, C, e: C * (y - f) * (abs(y - f) > e),
        lambda y, f, C, e: C * np.sign(y - f) * np.maximum(0, abs(y - f) - e),
    ],
    "clipped": [
        lambda y, f, C, e: np.clip(C * (y - f), -C, C) * (abs(y - f) > e),
        lambda y, f, C, e: np.clip(y - f, -C, C),
    ],
    "wrong_weights": lambda y, f, C, e: 0 * y,
    "other_numbers": [fixed(_tube, 2, 3.0), fixed(_tube, 3, 0.5)],
}


# ---- Where does it end? --------------------------------------------------------------------------


@exercise("Where does it end?")
def limit(trial):
    """w = w0 + Φ⁺(y − Φw0), the solution of Φw = y that is nearest to w0."""
    rng = trial.draws(4)
    Phi = rng.standard_normal((2, 4))
    y = rng.standard_normal(2)
    w0 = rng.standard_normal(4)
    pinv = np.linalg.pinv(Phi)
    inside = pinv @ (Phi @ w0)  # the part of w0 in the span of the rows of Φ
    right = pinv @ y + w0 - inside
    w = array_like(trial.ask(Phi, y, w0), (4,), "the limit, one weight per feature,")
    trial.expect_none_of(
        w,
        close,
        from_zero=(pinv @ y, "this is the limit from 0; from w0 the part of w0 outside the span stays."),
        all_of_the_start=(pinv @ y + w0, "you added all of w0; only its part outside the span stays."),
        inside_of_the_start=(pinv @ y + inside, "you added the part of w0 inside the span; the other one stays."),
        no_shortest_solution=(w0 - inside, "the shortest solution is missing: this fits no target."),
        sign_turned=(pinv @ y - (w0 - inside), "a sign is wrong: the part outside the span is added."),
    )
    expect(close(Phi @ w, y), "residuals_left", "at the limit every residual is 0, and here Φw is not y.")
    expect(
        close(w, right),
        "outside_the_span",
        "this fits, but w − w0 is not in the span: no step leads there.",
    )
    if trial.round:  # a descent takes its time
        return
    Phi = np.array([[1.0, 1, 0, 0], [0, 2, 1, 0], [1, 1, 0, 0]])  # one point twice
    y = np.array([1.0, -1, 1])
    right = w0 + np.linalg.pinv(Phi) @ (y - Phi @ w0)
    try:
        twice = numbers(trial.ask(Phi, y, w0))
    except np.linalg.LinAlgError:
        twice = np.full(4, np.nan)
    expect(
        np.allclose(twice, right, atol=1e-6),
        "singular",
        "right, but not with one point twice: ΦΦᵀ is singular, so use pinv or lstsq.",
    )
    Phi = rng.standard_normal((3, 5))
    y = rng.standard_normal(3)
    w0 = rng.standard_normal(5)
    again = array_like(trial.ask(Phi, y, w0), (5,), "with 5 features, the limit")
    sentence = "right for 4 features, wrong for 5 and another start: use what comes in."
    expect(close(again, w0 + np.linalg.pinv(Phi) @ (y - Phi @ w0)), "other_numbers", sentence)


def _of_four(Phi, y, w0):
    """Four weights move, however many there are."""
    w = w0.copy()
    w[:4] += (_pinv(Phi) @ (y - Phi @ w0))[:4]
    return w


limit.right = lambda Phi, y, w0: w0 + _pinv(Phi) @ (y - Phi @ w0)
limit.wrong = {
    "from_zero": lambda Phi, y, w0: _pinv(Phi) @ y,
    "all_of_the_start": lambda Phi, y, w0: _pinv(Phi) @ y + w0,
    "inside_of_the_start": lambda Phi, y, w0: _pinv(Phi) @ y + _inside(Phi, w0),
    "no_shortest_solution": lambda Phi, y, w0: w0 - _inside(Phi, w0),
    "sign_turned": lambda Phi, y, w0: _pinv(Phi) @ y - w0 + _inside(Phi, w0),
    "residuals_left": lambda Phi, y, w0: 0 * w0,
    "outside_the_span": lambda Phi, y, w0: _pinv(Phi) @ y + 2 * (w0 - _inside(Phi, w0)),
    "singular": lambda Phi, y, w0: w0 + Phi.T @ np.linalg.solve(Phi @ Phi.T, y - Phi @ w0),
    "other_numbers": _of_four,
}
limit.scenes = {
    "from_zero": (span, "Outside"),
    "all_of_the_start": (span, "Outside"),
}


summary = summary_of(follows, dual_weights, split, deeper=(huber_slope, tube_weights, limit))
