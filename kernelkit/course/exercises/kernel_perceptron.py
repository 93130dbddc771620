"""Checks of notebook 06."""

from operator import eq

import numpy as np

from kernelkit import Gaussian, KernelPerceptron, Linear, Polynomial, datasets
from kernelkit.course.exercises.base import (
    Mistake,
    array_like,
    challenge,
    close,
    exercise,
    expect,
    fixed,
    hard_coded,
    number,
    numbers,
    shape_of,
    summary_of,
)
from kernelkit.course.explorers.kernel_perceptron import digits_pair, stepper
from kernelkit.course.panel.numbers import percent

WEIGHTS = np.array([1.0, -2.0, 0.5])
PHI = np.array([1.0, 1.0, 3.0])  # wᵀφ = 0.5


@exercise("One visit")
def visit(trial):
    """w + yφ if y wᵀφ ≤ 0, else w, for a label that comes as 0 or 1 and stands for y = −1 or +1."""
    w = trial.changed(1.0) * WEIGHTS
    phi = trial.changed(1.0) * PHI
    after_wrong = _new(trial, w, phi, 0)
    after_right = _new(trial, w, phi, 1)
    expect(
        not (close(after_wrong, w) and close(after_right, w - phi)),
        "classes_turned",
        "you have the classes the other way round: 0 stands for −1, 1 for +1.",
    )
    expect(
        not (close(after_wrong, w) and not close(after_right, w)),
        "condition_turned",
        "you learn from the points that are right and skip the mistakes: turn the condition round.",
    )
    expect(close(after_right, w), "right_point_moves", "a point of class +1 with wᵀφ > 0 is right: leave w as it is.")
    _judge_mistakes(trial, after_wrong, w, phi)
    zero_right = _new(trial, -w, phi, 0)
    expect(
        close(zero_right, -w),
        "right_zero_moves",
        "y = 0 with wᵀφ < 0 is right, yours moves: y·wᵀφ is 0 there whatever w is; make y = −1 of it.",
    )
    start = _new(trial, np.zeros(3), phi, 1)
    expect(
        not close(start, np.zeros(3)),
        "zero_never_moves",
        "w = 0 never moves: there wᵀφ = 0, which must count as a mistake too (≤ 0, not < 0).",
    )
    expect(
        close(start, phi),
        "wrong_first_step",
        f"from w = 0 with y = 1 the step gives φ = {phi.tolist()}, yours is {start.tolist()}.",
    )
    for w, label in ((np.zeros(3), 0), (np.array([1.0, -1.0, 0.0]), 1), (np.array([1.0, -1.0, 0.0]), 0)):
        new = _new(trial, w, phi, label)
        at = f"w = {w.tolist()}, y = {label}"
        expect(
            close(new, w + (2 * label - 1) * phi),
            "zero_sometimes_ignored",
            f"wᵀφ = 0 is a mistake whatever w and y are; yours lets it pass at {at}.",
        )
    w = -3 * PHI
    expect(
        close(_new(trial, w, PHI, 1), w + PHI),
        "until_right",
        "one visit is one step, even if the point is still wrong afterwards: the next pass visits it again.",
    )
    w = np.array([0.5, 0.0, -1.0, 2.0])
    phi = np.array([1.0, -2.0, 4.0, 0.5])  # wᵀφ = −2.5
    for label, right in ((0, w), (1, w + phi)):
        new = array_like(trial.ask(w, phi, label), (4,), "with 4 features, the new w")
        sentence = f"right for φ = {PHI.tolist()}, wrong for φ = {phi.tolist()}: use the φ that comes in."
        expect(close(new, right), "other_point", sentence)


def _new(trial, w, phi, label):
    return array_like(trial.ask(w, phi, label), (3,), "the new w")


def _judge_mistakes(trial, after_wrong, w, phi):
    """One mistake of each class: at w, of class −1, where w became wrong, and at −w, of class +1."""
    other = _new(trial, -w, phi, 1)
    zero_right = _new(trial, -w, phi, 0)
    expect(
        not (close(after_wrong, w) and close(other, -w + phi) and close(zero_right, -w)),
        "zero_adds_nothing",
        "a point of class −1 with wᵀφ > 0 is a mistake, and w stays: y·φ adds nothing where y = 0.",
    )
    expect(
        not close(after_wrong, w), "mistake_ignored", "a point of class −1 with wᵀφ > 0 is a mistake: w must change."
    )
    expect(
        not close(other, -w - phi),
        "step_turned",
        "the step is turned round: class +1 adds φ, so that wᵀφ grows, and class −1 takes it away.",
    )
    expect(not close(after_wrong, w + phi), "no_label", "you forgot the class: for −1 the step is −φ.")
    length = (after_wrong - w) @ -phi / (phi @ phi)
    right = w - phi
    if not close(after_wrong, right):
        sentence = f"the right direction, another length: the rate is 1, and your step is {length:.2g} times φ."
        expect(not (length > 0 and close(after_wrong, w - length * phi)), "another_rate", sentence)
        raise Mistake("wrong_step", f"after the mistake w should be {right.tolist()}, yours is {after_wrong.tolist()}.")
    expect(
        close(other, -w + phi),
        "wrong_step_of_plus",
        f"after a mistake at class +1 w should be {(-w + phi).tolist()}, yours is {other.tolist()}.",
    )


def _visit(wrong=lambda m: m <= 0, step=lambda y: 2 * y - 1):
    """The exercise with one thing done in another way."""
    return lambda w, phi, y: w + step(y) * phi if wrong((2 * y - 1) * (w @ phi)) else w


def _until_right(w, phi, y):
    while (2 * y - 1) * (w @ phi) <= 0:
        w = w + (2 * y - 1) * phi
    return w


visit.right = _visit()
visit.wrong = {
    "classes_turned": lambda w, phi, y: _visit()(w, phi, 1 - y),
    "condition_turned": _visit(wrong=lambda m: m > 0),
    "right_point_moves": _visit(wrong=lambda m: True),
    "zero_adds_nothing": [lambda w, phi, y: w + y * phi if y * (w @ phi) <= 0 else w, _visit(step=lambda y: y)],
    "mistake_ignored": lambda w, phi, y: w + (2 * y - 1) * phi if w @ phi <= 0 else w,
    "step_turned": _visit(step=lambda y: 1 - 2 * y),
    "no_label": _visit(step=lambda y: 1),
    "another_rate": [_visit(step=lambda y: y - 0.5), _visit(step=lambda y: 4 * y - 2)],
    "wrong_step": lambda w, phi, y: w + 2 * y - 1 if (2 * y - 1) * (w @ phi) <= 0 else w,
    "wrong_step_of_plus": _visit(step=lambda y: 3 * y - 1),
    "right_zero_moves": lambda w, phi, y: w + (2 * y - 1) * phi if y * (w @ phi) <= 0 else w,
    "zero_never_moves": _visit(wrong=lambda m: m < 0),
    "wrong_first_step": lambda w, phi, y: _visit(step=lambda y: (2 * y - 1) * (1 if w.any() else 2))(w, phi, y),
    "zero_sometimes_ignored": [
        lambda w, phi, y: w + (2 * y - 1) * phi if y != (w @ phi > 0) else w,
        lambda w, phi, y: _visit()(w, phi, y) if w @ phi or not w.any() else w,
        lambda w, phi, y: w + (y - (w @ phi > 0)) * phi,
    ],
    "until_right": _until_right,
    "other_point": lambda w, phi, y: _visit()(w, np.resize([1.0, 1.0, 3.0], len(w)), y),
}
visit.scenes = {
    "right_point_moves": (stepper, "One repair more"),
    "zero_never_moves": (stepper, "Start"),
}


@exercise("The loss in a")
def loss(trial):
    """(1/n) Σ max(0, −y_i (Ka)_i)."""
    X, y = datasets.crossing(12)
    K = Polynomial(2)(X)
    a = np.round(trial.draws(6).normal(size=12), 2)
    value = numbers(trial.ask(K, y, a), "the loss", "one number")
    expect(
        value.shape == (),
        "not_one_number",
        f"the loss is one number; yours has shape {value.shape}. Take the mean at the end.",
    )
    margin = y * (K @ a)
    right = np.maximum(0, -margin).mean()
    trial.expect_none_of(
        value,
        np.isclose,
        sum_for_mean=(right * 12, "you added up; the objective is the mean, with 1/n."),
        sign_turned=(np.maximum(0, margin).mean(), "the sign is turned: a wrong point has y·h < 0."),
        hinge=(
            np.maximum(0, 1 - margin).mean(),
            "this is the hinge loss of the support vector machine, max(0, 1 − y·h); the perceptron has no 1.",
        ),
        no_labels=(np.maximum(0, -(K @ a)).mean(), "the labels y_i in front of h are missing."),
        labels_twice=(
            np.maximum(0, -y * (K @ (a * y))).mean(),
            "you multiplied a by y again: a_j = α_j·y_j already holds the label.",
        ),
        mistakes_counted=(np.mean(margin <= 0), "you counted the mistakes; the loss says how wrong they are."),
    )
    expect(
        np.isclose(value, right),
        "wrong_loss",
        f"for our K, y and a the loss is {right:.4f}, yours is {float(value):.4f}.",
    )
    K = Gaussian(1.0)(X[:5])
    again = numbers(trial.ask(K, -y[:5], a[:5]), "the loss", "one number")
    right = np.maximum(0, y[:5] * (K @ a[:5])).mean()
    sentence = f"right for 12 points, but for 5 others the loss is {right:.4f}, and yours is not."
    expect(close(again, right), "other_numbers", sentence)


def _label_twice_in_place(K, y, a):
    a *= y
    return np.maximum(0, -y * (K @ a)).mean()


loss.right = lambda K, y, a: np.maximum(0, -y * (K @ a)).mean()
loss.wrong = {
    "not_one_number": lambda K, y, a: np.maximum(0, -y * (K @ a)),
    "sum_for_mean": lambda K, y, a: np.maximum(0, -y * (K @ a)).sum(),
    "sign_turned": lambda K, y, a: np.maximum(0, y * (K @ a)).mean(),
    "hinge": lambda K, y, a: np.maximum(0, 1 - y * (K @ a)).mean(),
    "no_labels": lambda K, y, a: np.maximum(0, -(K @ a)).mean(),
    "labels_twice": [lambda K, y, a: np.maximum(0, -y * (K @ (a * y))).mean(), _label_twice_in_place],
    "mistakes_counted": lambda K, y, a: np.mean(y * (K @ a) <= 0),
    "wrong_loss": [lambda K, y, a: 0.0, lambda K, y, a: np.maximum(0, y * abs(K @ a)).mean()],
    "other_numbers": [
        hard_coded(loss.right),
        lambda K, y, a: np.maximum(0, -y * (K @ a)).sum() / 12,
    ],
}


@exercise("Predict from a list of mistakes")
def predict(trial):
    """sign(Σ_j α_j y_j k(X_j, z)), with α_j the mistake count of X_j."""
    X, y = datasets.rings(20)
    k = Gaussian(0.5)
    alpha = np.zeros(20)
    alpha[[1, 4, 12, 15]] = 2, 1, 1, 3
    far = [[0.3, 0.4], [-0.5, 0.1], [1.6, 0.2], [-1.2, 1.1], [0.0, -1.6]]
    telling = [[0.1, 1.1], [0.2, 0.9], [0.4, -0.7]]  # here counts, not only signs, and the width decide
    points = trial.changed(np.array([*far, *telling, *X[[1, 4, 12, 15]]]))
    labels = [numbers(trial.ask(k, X, y, alpha, z), "a prediction", "−1 or +1") for z in points]
    expect(
        all(label.shape == () for label in labels),
        "not_one_number_each",
        "the prediction for one point is one number, −1 or +1: add up over j.",
    )
    labels = np.array(labels)
    expect((labels != 0).any(), "all_zero", "you return 0 everywhere; the labels are −1 and +1.")
    expect(set(labels) != {0.0, 1.0}, "zero_and_one", "you return 0 or 1 (True, False); the labels are −1 and +1.")
    K = k(points, X)
    h = K @ (alpha * y)
    right = np.sign(h)
    trial.expect_none_of(
        labels,
        np.allclose,
        all_plus=(1, "you predict +1 everywhere: each count needs its label, α_j·y_j."),
        no_labels=(K @ alpha, "each count needs its label, α_j·y_j; then take the sign."),
        no_sign=(h, "this is h(z); the prediction is its sign, −1 or +1."),
        sign_turned=(-right, "every label is turned round: +1 belongs to h(z) > 0."),
        counts_ignored=(
            np.sign(K @ y),
            "you used every point with weight 1; the weight of a point is its mistake count α_j.",
        ),
        each_mistake_once=(
            np.sign(K @ ((alpha > 0) * y)),
            "you used every mistake point once; its weight is its mistake count α_j.",
        ),
    )
    worst = np.argmax(np.abs(labels - right))
    z = ", ".join(f"{v:.2f}" for v in points[worst])
    expect(
        (labels == right).all(),
        "wrong_label",
        f"for z = ({z}) h is {h[worst]:.4f}; check the sign of Σ α_j y_j k(X_j, z).",
    )
    X, y = datasets.moons(9)
    k = Polynomial(3)
    alpha = np.array([3, 0, 3, 2, 0, 0, 0, 0, 2])  # each of them decides somewhere, the first and the last too
    right = np.sign(k(X) @ (alpha * y))
    again = [number(trial.ask(k, X, y, alpha, z)) for z in X]
    sentence = f"right for 20 points with {Gaussian(0.5)}, wrong for 9 points with {k}: use what comes in."
    expect((again == right).all(), "other_numbers", sentence)


def _predict(k, X, y, alpha, z):
    return np.sign((alpha * y) @ k(X, z))


predict.right = _predict
predict.wrong = {
    "not_one_number_each": lambda k, X, y, alpha, z: np.sign(alpha * y * k(X, z)),
    "all_zero": lambda k, X, y, alpha, z: 0.0,
    "zero_and_one": lambda k, X, y, alpha, z: float((alpha * y) @ k(X, z) > 0),
    "all_plus": lambda k, X, y, alpha, z: np.sign(alpha @ k(X, z)),
    "no_labels": lambda k, X, y, alpha, z: alpha @ k(X, z),
    "no_sign": lambda k, X, y, alpha, z: (alpha * y) @ k(X, z),
    "sign_turned": lambda k, X, y, alpha, z: -np.sign((alpha * y) @ k(X, z)),
    "counts_ignored": lambda k, X, y, alpha, z: np.sign(y @ k(X, z)),
    "each_mistake_once": lambda k, X, y, alpha, z: np.sign(((alpha > 0) * y) @ k(X, z)),
    "wrong_label": [
        lambda k, X, y, alpha, z: -1.0,
        lambda k, X, y, alpha, z: np.sign((alpha**2 * y) @ k(X, z)),
        lambda k, X, y, alpha, z: np.sign((alpha * y) @ Gaussian(1.0)(X, z)),
    ],
    "other_numbers": fixed(_predict, 0, Gaussian(0.5)),
}


@exercise("Count the passes")
def passes(trial):
    """Passes of the kernel perceptron until one is clean, that one included."""
    data = [
        (*datasets.rings(40), Polynomial(2)),
        (*datasets.moons(40), Polynomial(3)),
        (*datasets.moons(12), Polynomial(3)),
        (*datasets.moons(30), Polynomial(4)),  # eleven passes: ten are not enough
        (np.array([[1.0, 0.125], [2.0, 0.125]]), np.array([1.0, -1.0]), Linear()),  # more than a hundred
    ]
    orders = [trial.reordered(np.arange(len(y))) for _, y, _ in data]
    data = [(X[order], y[order], k) for order, (X, y, k) in zip(orders, data, strict=True)]
    models = [KernelPerceptron(k, max_passes=5000).fit(X, y) for X, y, k in data]
    counts = [trial.ask(k(X), y) for X, y, k in data]
    expect(all(shape_of(count) == () for count in counts), "not_one_number", "return one whole number.")
    right_counts = [model.n_passes_ for model in models]
    trial.expect_none_of(
        counts,
        eq,
        mistakes_counted=(
            [model.counts_.sum() for model in models],
            "you counted the mistakes. The exercise asks how often you went through all points.",
        ),
        last_pass_missing=([w - 1 for w in right_counts], "the last pass, the one without a mistake, counts too."),
        one_pass_only=(
            [1] * len(data),
            "one pass only: at a = 0 all outputs are 0, and a zero is a mistake (≤ 0, not < 0).",
        ),
    )
    stopped = counts[:-1] == right_counts[:-1] and counts[-1] < right_counts[-1]
    sentence = (
        f"for 2 points in almost the same direction it takes {right_counts[-1]} passes, yours says {counts[-1]}: go on "
        "until a pass makes no mistake, however many that takes."
    )
    expect(not stopped, "stopped_early", sentence)
    for (_, y, k), count, right in zip(data, counts, right_counts, strict=True):
        expect(
            count == right,
            "wrong_count",
            f"for {len(y)} points with {k} it takes {right} passes, yours says {count}. "
            "Does each mistake add y_i to a_i at once, before the next point?",
        )


def _passes(K, y, *, wrong=lambda m: m <= 0, step=lambda y: y, at_once=True, result="passes"):
    """The exercise with one thing done in another way."""
    a, count, mistakes = np.zeros(len(y)), 0, 0
    for _ in range(300):
        before, frozen = mistakes, a.copy()
        for i in range(len(y)):
            if wrong(y[i] * (K[i] @ (a if at_once else frozen))):
                a[i] += step(y[i])
                mistakes += 1
        count += 1
        if mistakes == before:
            break
    return {"passes": count, "dirty": count - 1, "mistakes": mistakes}[result]


passes.right = _passes
passes.wrong = {
    "not_one_number": lambda K, y: np.ones(3),
    "mistakes_counted": lambda K, y: _passes(K, y, result="mistakes"),
    "last_pass_missing": lambda K, y: _passes(K, y, result="dirty"),
    "one_pass_only": lambda K, y: _passes(K, y, wrong=lambda m: m < 0),
    "stopped_early": lambda K, y: min(_passes(K, y), 100),
    "wrong_count": [
        lambda K, y: _passes(K[:-1, :-1], y[:-1]),
        lambda K, y: _passes(K, y, step=lambda _: 1),
        lambda K, y: _passes(K, y, at_once=False),
        lambda K, y: _passes(K[::-1, ::-1], y[::-1]),
        lambda K, y: min(_passes(K, y), 10),
    ],
}
passes.scenes = {
    "one_pass_only": (stepper, "Start"),
}


@challenge("Read much, keep little", digits_pair)
def small_album(panel):
    """A challenge: 3 against 8 with at most 12 kept pictures and at most 1 % of the new ones wrong."""
    values = panel.values
    expect(tuple(values["pair"]) == (3, 8), "another_pair", "choose 3 against 8 again; other pairs are easier.")
    state = digits_pair.compute(**values)
    kept = len(state.kept)
    wrong = len(state.missed) / state.tests
    keeps = f"it keeps {kept} pictures"
    errs = f"gets {percent(wrong)} of the new ones wrong"
    if kept > 12 and wrong > 0.01:
        raise Mistake("large_and_wrong", f"{keeps} and {errs}: try another kernel or width.")
    expect(
        kept <= 12,
        "too_many_kept",
        f"right often enough, but {keeps}: look for a kernel that is wrong less often on the way.",
    )
    expect(
        wrong <= 0.01,
        "too_often_wrong",
        f"small enough, {keeps}, but {errs}: let it read more pictures, or change the width.",
    )


small_album.right = {"sigma": 1.1, "n": 200}
small_album.wrong = {
    "another_pair": {"pair": (0, 6)},
    "large_and_wrong": {"n": 250},
    "too_many_kept": {"sigma": 1.0, "n": 250},
    "too_often_wrong": {"sigma": 1.1, "n": 100},
}


summary = summary_of(visit, loss, predict, small_album, deeper=(passes,))
