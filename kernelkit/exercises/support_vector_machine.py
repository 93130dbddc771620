"""Checks of the exercises of notebook 07."""

import numpy as np

from kernelkit import Linear
from kernelkit.exercises.base import ask, exercise, expect, number, summary_of


@exercise("The price of a line")
def price(answer):
    """½‖w‖² + C Σ max(0, 1 − y_i h(X_i))."""
    X = np.array([[2.0, 1.0], [0.5, 0.0], [0.25, 0.0], [-0.5, -0.5], [9.0, 0.0]])
    y, w, b, C = np.array([1, 1, -1, -1, 1]), np.array([1.0, -0.5]), 0.3, 3.0
    mine = number(ask(answer, w, b, X, y, C))
    slack = 1 - y * (X @ w + b)
    size, hinge = w @ w / 2, np.maximum(0, slack).sum()
    bare = np.maximum(0, 1 - y * (X @ w)).sum()
    expect(not np.isclose(mine, size + C * slack.sum()), "no_max",
           "max(0, …) is missing: a point far on its side pays nothing.")  # fmt: skip
    expect(not np.isclose(mine, 2 * size + C * hinge), "no_half", "½ is missing: the first term is ½‖w‖².")
    expect(not np.isclose(mine, np.sqrt(2 * size) / 2 + C * hinge), "length_not_squared",
           "you took ‖w‖/2; the first term is ½‖w‖², squared.")  # fmt: skip
    expect(not np.isclose(mine, size + hinge), "no_C", "the price C is missing in front of the sum.")
    expect(not np.isclose(mine, size + C * hinge / len(y)), "mean_for_sum",
           "that is the mean of the hinges; here they are summed.")  # fmt: skip
    expect(not np.isclose(mine, size + C * bare), "no_offset", "h(x) = wᵀx + b: your h lacks the offset b.")
    expect(not np.isclose(mine, size + b**2 / 2 + C * hinge), "offset_penalised",
           "the offset b is not penalised, only w is.")  # fmt: skip
    zero_one = C * np.sum(slack > 1)
    expect(not np.isclose(mine, size + zero_one), "mistakes_counted",
           "you counted mistakes; the hinge also charges points near the line.")  # fmt: skip
    expect(not np.isclose(mine, size + C * np.maximum(0, slack - 1).sum()), "perceptron_loss",
           "max(0, −y h) is the perceptron's loss; the hinge starts at the margin, y h = 1.")  # fmt: skip
    expect(np.isclose(mine, size + C * hinge), "wrong_price",
           f"the price should be {size + C * hinge:.4f} here, yours is {mine:.4f}.")  # fmt: skip


@exercise("Recover the offset")
def offset(answer):
    """b = mean of y_i − (Ka)_i over the points on the margin, 0 < a_i y_i < C."""
    B, y = np.random.default_rng(2).standard_normal((7, 3)), np.array([1, 1, -1, -1, 1, -1, -1])
    K, a, C = B @ B.T, np.array([0.4, 1.3, -0.9, -1.7, 0.0, -0.5, -1.4]), 1.7
    mine = number(ask(answer, K, y, a, C))
    r, multipliers = y - K @ a, a * y
    free = (multipliers > 0) & (multipliers < C)
    expect(not np.isclose(mine, r.mean()), "all_points",
           "you took the mean over all points; only those with 0 < λ < C have y h = 1.")  # fmt: skip
    expect(not np.isclose(mine, r[multipliers > 0].mean()), "all_support_vectors",
           "you took all support vectors; those with λ = C stand inside the margin, where y h is not 1.")  # fmt: skip
    expect(not np.isclose(mine, -r[free].mean()), "sign_turned",
           "the sign is turned: y_i = (Ka)_i + b gives b = y_i − (Ka)_i.")  # fmt: skip
    expect(not np.isclose(mine, y[free].mean()), "outputs_not_subtracted", "you did not subtract (Ka)_i.")
    expect(not np.isclose(mine, (1 - K @ a)[free].mean()), "one_for_label",
           "y h = 1 means h = 1/y = y; you wrote 1 for every class.")  # fmt: skip
    expect(np.isclose(mine, r[free].mean(), atol=1e-5), "wrong_b",
           f"b should be {r[free].mean():.4f}, yours is {mine:.4f}.")  # fmt: skip


def _case(wanted_first):
    """A pair in a box, with a free step or one that is clipped at i or at j."""
    K = Linear()(np.array([[1.0, 0.5], [0.0, 2.0], [1.5, -1.5]]))
    lower, upper = np.array([0.0, -1.0, -1.0]), np.array([1.0, 0.0, 0.0])
    a = {"free": [0.1, -0.9, -0.2], "i": [0.9, -0.9, -0.2], "j": [0.1, -0.9, -0.97]}.get(wanted_first)
    r = np.array([1.0, 0.0, 0.4])
    if wanted_first == "other":
        a, lower, upper = [-0.1, -0.9, 0.05], np.array([-1.5, -1.5, 0.0]), np.array([0.0, 0.0, 1.5])
    return K, r, np.array(a), lower, upper, 0, 2


@exercise("The clip")
def smo_step(answer):
    """min of (r_i − r_j)/η, what i may still grow, what j may still shrink."""
    for kind in ("free", "i", "j", "other"):
        K, r, a, lower, upper, i, j = _case(kind)
        mine = number(ask(answer, K, r, a, lower, upper, i, j))
        eta, gap = K[i, i] + K[j, j] - 2 * K[i, j], r[i] - r[j]
        grow, shrink = upper[i] - a[i], a[j] - lower[j]
        right = min(gap / eta, grow, shrink)
        if kind == "free":
            plus = K[i, i] + K[j, j] + 2 * K[i, j]
            expect(not np.isclose(mine, gap / plus), "plus_in_eta",
                   "η = k_ii + k_jj − 2k_ij, with a minus: i grows while j shrinks.")  # fmt: skip
            expect(not np.isclose(mine, gap / (K[i, i] + K[j, j])), "no_cross_term_in_eta",
                   "η lacks −2k_ij: the points pull on each other.")  # fmt: skip
            expect(not np.isclose(mine, gap / (eta + K[i, j])), "half_cross_term_in_eta",
                   "η = k_ii + k_jj − 2k_ij; you subtracted k_ij once.")  # fmt: skip
            expect(not np.isclose(mine, min(gap, grow, shrink)), "no_eta", "you did not divide by the curvature η.")
            expect(not np.isclose(mine, min(grow, shrink)), "room_only",
                   "this is only the room; the step itself is (r_i − r_j)/η.")  # fmt: skip
            expect(not np.isclose(mine, gap / (2 * eta)), "half_step",
                   "half a step too short: the maximum of s·g − ½ηs² is at g/η.")  # fmt: skip
            expect(not np.isclose(mine, -right), "sign_turned",
                   "the sign is turned: r_i − r_j, because a_i grows and a_j shrinks.")  # fmt: skip
        else:
            at_i = kind == "i"
            room, name = (grow, "a_i leaves its box above") if at_i else (shrink, "a_j falls below its box")
            expect(not np.isclose(mine, gap / eta), "not_clipped",
                   f"not clipped: with this step {name}; take the smaller of the two.")  # fmt: skip
            other = min(gap / eta, shrink if at_i else grow)
            expect(not np.isclose(mine, other), "one_clip_missing", f"one clip is missing: with this step {name}.")
            bound = upper[i] if at_i else lower[j]
            expect(not np.isclose(mine, min(gap / eta, bound)), "clipped_at_the_bound",
                   f"clip at what is left to the bound, here {room:.2f}.")  # fmt: skip
            expect(not np.isclose(mine, -room), "room_turned", "the room is turned: a_j may shrink by a_j − lower_j.")
        expect(np.isclose(mine, right), "wrong_step",
               f"for a = {a.tolist()} the step should be {right:.4f}, yours is {mine:.4f}.")  # fmt: skip


@exercise("Count the products")
def prediction_products(answer):
    """t · m · (d + 1) with m the number of weights that are not 0."""
    a, d, t = np.array([0.0, 0.5, 0.0, -1.0, 0.0, 0.5, 0.0, -1.0, 0.0, 0.0]), 4, 10
    mine = number(ask(answer, a, d, t))
    m = 4
    expect(mine != t * len(a) * (d + 1), "all_n_points",
           "you counted all n points; a point with a_i = 0 needs no kernel value.")  # fmt: skip
    expect(mine != t * 2 * (d + 1), "positive_only",
           "you counted a > 0 only; the support vectors of class −1 have a < 0.")  # fmt: skip
    expect(mine != t * m * d, "no_final_products",
           "d products for each kernel value, and one more for a_i · k(X_i, z).")  # fmt: skip
    expect(mine != m * (d + 1), "one_test_point", "that is for one test point; there are t of them.")
    expect(mine != t * m, "kernel_values_only",
           "that is the number of kernel values; each takes d products, and one more for a_i.")  # fmt: skip
    expect(mine == t * m * (d + 1), "wrong_count",
           f"for 10 weights, d = 4, t = 10 it should be {t * m * (d + 1)}, not {mine:g}.")  # fmt: skip


summary = summary_of(price, offset, smo_step, prediction_products)
