"""Typical wrong answers of notebook 00, each with the message it meets."""

import numpy as np
from course.exercises.answers import accepted, hard_coded, refused, unanswered

from kernelkit.course.exercises import start_here as check


def phi(x):
    return np.array([x[0] ** 2, np.sqrt(2) * x[0] * x[1], x[1] ** 2])


WRONG = [
    (check.short_form, lambda x, z: x @ z, "this is xᵀz"),
    (check.short_form, lambda x, z: (x @ z + 1) ** 2, "six features"),
    (check.short_form, lambda x, z: x**2 @ z**2, "middle features is missing"),
    (check.short_form, lambda x, z: x**2 @ z**2 + x.prod() * z.prod(), "counts twice"),
    (check.short_form, lambda x, z: (x @ z) ** 3, "square"),
    (check.short_form, lambda x, z: x * z, "one number"),
    (check.short_form, hard_coded(lambda x, z: (x @ z) ** 2), "square"),
]
RIGHT = [(check.short_form, lambda x, z: phi(x) @ phi(z)), (check.short_form, lambda x, z: np.square(np.dot(x, z)))]

test_wrong_answers_meet_their_message = refused(WRONG)
test_right_answers_of_another_form_are_accepted = accepted(RIGHT)
test_what_is_not_solved_is_said_to_be_open = unanswered(check.short_form)
