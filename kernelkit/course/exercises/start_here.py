"""Checks of notebook 00."""

import numpy as np

from kernelkit.course.exercises.base import (
    close,
    exercise,
    expect,
    hard_coded,
    number,
    summary_of,
)

POINTS = np.array([[1.0, 2.0], [3.0, 0.5], [-1.0, 1.5]])


@exercise("Without the features")
def short_form(trial):
    """k(x, z) = (xᵀz)², the kernel of Φ(x) = (x1², √2·x1·x2, x2²)."""
    X = np.array(trial.changed(POINTS))
    pairs = [(x, z) for x in X for z in X]
    mine = np.array([number(trial.ask(x, z)) for x, z in pairs])
    lines = np.array([x @ z for x, z in pairs])
    squares = np.array([x**2 @ z**2 for x, z in pairs])
    cross = np.array([x.prod() * z.prod() for x, z in pairs])
    trial.expect_none_of(
        mine,
        close,
        not_squared=(lines, "this is xᵀz, and its square has the three terms of Φ(x)ᵀΦ(z)."),
        offset=(
            (lines + 1) ** 2,
            "with + 1 there are six features, but this Φ has no constant and no linear ones.",
        ),
        no_cross_term=(squares, "the product of the two middle features is missing, 2·x1·x2·z1·z2."),
        cross_once=(squares + cross, "√2 times √2 is 2, so the middle product counts twice."),
    )
    expect(
        close(mine, lines**2),
        "wrong_value",
        "this is not Φ(x)ᵀΦ(z). Of what is its sum of three terms the square?",
    )


def _phi(x):
    return np.array([x[0] ** 2, np.sqrt(2) * x[0] * x[1], x[1] ** 2])


short_form.right = lambda x, z: _phi(x) @ _phi(z)
short_form.wrong = {
    "not_squared": lambda x, z: x @ z,
    "offset": lambda x, z: (x @ z + 1) ** 2,
    "no_cross_term": lambda x, z: x**2 @ z**2,
    "cross_once": lambda x, z: x**2 @ z**2 + x.prod() * z.prod(),
    "wrong_value": [lambda x, z: (x @ z) ** 3, hard_coded(lambda x, z: (x @ z) ** 2)],
}


summary = summary_of(short_form)
