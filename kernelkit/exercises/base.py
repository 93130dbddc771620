"""A check of an exercise: it prints one line, names the likely mistake, and never stops the notebook.

    @exercise("The six features")
    def six_features(phi):
        value = ask(phi, np.array([1.0, 2.0]))
        expect(len(value) == 6, f"Φ(x) should have 6 entries, yours has {len(value)}.")
"""

from functools import wraps

import numpy as np


class Unsolved(Exception):
    """The answer is still the empty one."""


class Mistake(Exception):
    """The answer is wrong in a way that has a name."""


def ask(answer, *arguments):
    """What the learner's function gives; nothing, or ``...``, means it is not solved yet."""
    copies = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]  # an answer may work in place
    value = answer(*copies) if callable(answer) else answer
    if value is None or value is Ellipsis:
        raise Unsolved
    return value


def expect(condition, message):
    """Go on if the condition holds, else tell the learner what is likely wrong."""
    if not condition:
        raise Mistake(message)


def close(value, truth):
    """Whether an array has the shape and, up to rounding, the numbers of the truth."""
    return value.shape == np.shape(truth) and np.allclose(value, truth, rtol=1e-6, atol=1e-8)


def array_like(value, shape, what):
    """The answer as an array of this shape, else a mistake that says what was expected."""
    try:
        value = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        raise Mistake(f"{what} should be an array of numbers of shape {shape}, yours is not.") from None
    expect(value.shape == shape, f"{what} should have shape {shape}, yours has {value.shape}.")
    return value


def number(value):
    """The answer as one number, else a mistake that says what came."""
    shape = np.shape(value)
    expect(shape == (), f"the answer is one number; yours has shape {shape}.")
    expect(not isinstance(value, str), f"the answer is a number, not the text {value!r}.")
    return float(value)


def exercise(title):
    """Make a check of a function that judges an answer by ``ask`` and ``expect``."""

    def decorate(judge):
        @wraps(judge)
        def check(answer):
            print(verdict(title, judge, answer))

        return check

    return decorate


def verdict(title, judge, answer):
    """The line to print."""
    try:
        judge(answer)
    except Unsolved:
        return f"○ {title}: not solved yet, or nothing is returned. Write your answer above and run the cell again."
    except Mistake as mistake:
        return f"✗ {title}: {mistake}"
    except Exception as error:  # the learner's own code may fail in any way
        return f"✗ {title}: your code stopped with {type(error).__name__}: {error}"
    return f"✓ {title}: right."
