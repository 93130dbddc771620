"""What notebook 06 says of falling and constant rates and no cell shows."""

import numpy as np
from notebook_cells import defined_by


def mistakes(Phi, y, rate, passes=50):
    """The mistakes of the notebook's own loop, in w; rate(t) counts visits."""
    Phi = np.array(Phi, float)
    return defined_by("06-kernel-perceptron.ipynb", "by-visits")["by_visits"](Phi, Phi, np.array(y), rate, passes)


def test_rounding_can_part_two_constant_rates_where_an_output_is_exactly_zero():
    """The features 1 and 3: after four mistakes w = 1 − 3 + 1 + 1 = 0, but 0.1 − 0.3 + 0.1 + 0.1 is positive."""
    one, quarter, tenth = (mistakes([[1], [3]], [1, -1], lambda t, eta=eta: eta) for eta in (1, 0.25, 0.1))
    assert one == quarter and one[:4] == tenth[:4] == [0, 1, 0, 0] and one != tenth


def test_a_rate_that_falls_like_one_over_the_square_never_repairs_the_second_of_two_points():
    """Features (2, 0) and (1, 1), labels +1 and −1: the output of the second stays above 0.7."""

    def made(power, passes):
        done = []  # the rate counts mistakes: it is asked for at a mistake only
        falling = lambda t: (len(done) + 1.0) ** -power * (done.append(t) is None)  # noqa: E731
        return mistakes([[2, 0], [1, 1]], [1, -1], falling, passes)

    assert made(1, 50) == [0, 1, 1, 1] and made(2, 50) == [0] + [1] * 50
    assert 2 - 2 * (np.pi**2 / 6 - 1) > 0.7 and np.pi**2 / 6 - 1 < 0.65
