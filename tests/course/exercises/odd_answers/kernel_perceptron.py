"""Odd answers to the exercises of notebook 06."""

import math

import numpy as np
from course.exercises.odd_answers.base import Moved

from kernelkit.course.exercises import kernel_perceptron
from kernelkit.course.explorers.kernel_perceptron import digits_pair


def visited_by_distance(w, phi, y):
    """The label is what the sign of wᵀφ should be; a mistake where the two have not the same sign."""
    label = (-1, 1)[y]
    h = math.fsum(map(math.prod, zip(w, phi, strict=True)))
    if math.copysign(1, h) == label and h != 0:
        return w
    return [v + label * f for v, f in zip(w, phi, strict=True)]


def visited_in_place(w, phi, y):
    y = 2 * y - 1
    w += y * phi * np.heaviside(-y * (phi @ w), 1)
    return w


def visited_with_whole_numbers(w, phi, y):
    y = 2 * y - 1
    return (w + y * phi).astype(int) if y * (w @ phi) <= 0 else w


def visited_on_the_first_feature(w, phi, y):
    y = 2 * y - 1
    return w + y * phi if y * (w[0] * phi[0]) <= 0 else w


def visited_until_right(w, phi, y):
    y = 2 * y - 1
    while y * (w @ phi) <= 0:
        w = w + y * phi
    return w


def loss_of_the_wrong_alone(K, y, a):
    """The mean over the mistakes only."""
    margin = y * (K @ a)
    return -margin[margin < 0].mean()


def run(K, y, most=10**6):
    """A kernel perceptron on outputs that are kept up to date; passes are cut off at some number."""
    h, count, clean = np.zeros(len(y)), 0, False
    while not clean and count < most:
        clean = True
        count += 1
        for i in range(len(y)):
            if h[i] * y[i] <= 0:
                h += y[i] * K[:, i]
                clean = False
    return count


def run_by_visits(K, y):
    """Visits until so many in a row were right: the pass in which the last mistake came, and one more."""
    a, last, visit = np.zeros(len(y)), 0, 0
    while visit - last < 2 * len(y):
        i = visit % len(y)
        visit += 1
        if np.sign(K[i] @ a) != y[i]:
            a[i] += y[i]
            last = visit
    return np.array(math.ceil(last / len(y)) + 1)


def run_until_all_are_right(K, y):
    """Counts passes until all points are right afterwards, which needs no clean pass."""
    a, count = np.zeros(len(y)), 0
    while np.any(y * (K @ a) <= 0):
        for i in range(len(y)):
            a[i] += y[i] * (y[i] * (K[i] @ a) <= 0)
        count += 1
    return count


def one_mistake_a_pass(K, y):
    """Starts again from the first point after every mistake."""
    a, count = np.zeros(len(y)), 1
    while np.any(wrong := y * (K @ a) <= 0):
        i = int(np.argmax(wrong))
        a[i] += y[i]
        count += 1
    return count


def nearest_mistake(k, X, y, alpha, z):
    return y[np.argmax((alpha > 0) * k(X, z))]


RIGHT = [
    (kernel_perceptron.visit, visited_by_distance),
    (kernel_perceptron.visit, visited_in_place),
    (kernel_perceptron.loss, lambda K, y, a: np.trace(np.diag(np.abs(y * (K @ a)) - y * (K @ a))) / 2 / len(y)),
    (
        kernel_perceptron.loss,
        lambda K, y, a: np.mean([-t * h if t * h < 0 else 0 for t, h in zip(y, a @ K, strict=True)]),
    ),
    (
        kernel_perceptron.predict,
        lambda k, X, y, alpha, z: 1.0 if (alpha * k(X, z))[y > 0].sum() > (alpha * k(X, z))[y < 0].sum() else -1.0,
    ),
    (
        kernel_perceptron.predict,
        lambda k, X, y, alpha, z: (
            2 * int(np.repeat(y, alpha.astype(int)) @ k(np.repeat(X, alpha.astype(int), axis=0), z) > 0) - 1
        ),
    ),
    (kernel_perceptron.small_album, Moved(digits_pair, "Few pictures", {"sigma": 1.1}, {"n": 200})),
    (
        kernel_perceptron.small_album,
        Moved(digits_pair, "Hard pair, linear", {"family": "gaussian", "sigma": 0.9}, {"pair": (3, 8), "n": 100}),
    ),
    (kernel_perceptron.passes, run),
    (kernel_perceptron.passes, run_by_visits),
]
WRONG = [
    (kernel_perceptron.visit, visited_with_whole_numbers),
    (kernel_perceptron.visit, visited_on_the_first_feature),
    (kernel_perceptron.visit, visited_until_right),
    (kernel_perceptron.visit, lambda w, phi, y: w + (2 * y - 1) * phi if (2 * y - 1) * (w @ phi) <= 1 else w),
    (kernel_perceptron.visit, lambda w, phi, y: w + (y - 1 / (1 + np.exp(-w @ phi))) * phi),
    (kernel_perceptron.loss, loss_of_the_wrong_alone),
    (kernel_perceptron.loss, lambda K, y, a: max(0, -(y * (K @ a)).mean())),
    (kernel_perceptron.loss, lambda K, y, a: np.maximum(0, -y * (np.diag(K) * a)).mean()),
    (kernel_perceptron.loss, lambda K, y, a: np.maximum(0, -a * (K @ y)).mean()),
    (kernel_perceptron.loss, lambda K, y, a: np.mean(np.log1p(np.exp(-y * (K @ a))))),
    (kernel_perceptron.predict, nearest_mistake),
    (kernel_perceptron.predict, lambda k, X, y, alpha, z: np.sign((alpha * y)[:-1] @ k(X, z)[:-1])),
    (kernel_perceptron.predict, lambda k, X, y, alpha, z: np.sign((alpha * y).sum())),
    (kernel_perceptron.predict, lambda k, X, y, alpha, z: np.sign((alpha * y) @ (X @ z))),
    (kernel_perceptron.predict, lambda k, X, y, alpha, z: "+1" if (alpha * y) @ k(X, z) > 0 else "-1"),
    (kernel_perceptron.small_album, Moved(digits_pair, {"sigma": 1.1, "n": 110})),
    (kernel_perceptron.small_album, Moved(digits_pair, {"sigma": 0.9, "n": 90})),
    (kernel_perceptron.small_album, Moved(digits_pair, {"sigma": 1.1, "n": 200, "pair": (3, 9)})),
    (kernel_perceptron.small_album, Moved(digits_pair, {"family": "linear", "n": 250})),
    (kernel_perceptron.passes, lambda K, y: run(K, y, most=20)),
    (kernel_perceptron.passes, lambda K, y: run(K, y, most=50)),
    (kernel_perceptron.passes, run_until_all_are_right),
    (kernel_perceptron.passes, one_mistake_a_pass),
    (kernel_perceptron.passes, lambda K, y: [*range(run(K, y))]),
]
