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


RIGHT = [
    (kernel_perceptron.visit, visited_by_distance),
    (kernel_perceptron.visit, visited_in_place),
    (kernel_perceptron.visit, lambda w, phi, y: w + (y - (w @ phi > 0)) * phi if w @ phi else w + [-phi, phi][y]),
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
