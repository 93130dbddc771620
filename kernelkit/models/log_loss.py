"""The loss of logistic regression, log(1 + e^{−yf}), its slope and its curvature in f."""

import numpy as np


def sigmoid(f):
    """s(f) = 1/(1 + e^{−f}), without overflow for any f."""
    e = np.exp(-np.abs(f))
    return np.where(f >= 0, 1, e) / (1 + e)


def log_loss(margins, weights=1.0):
    """Σ c log(1 + e^{−m}), without overflow."""
    return float(np.sum(weights * (np.maximum(-margins, 0) + np.log1p(np.exp(-np.abs(margins))))))


class Terms:
    """The terms c_i log(1 + e^{−m_i}) of n points, m_i = ±f_i, and their derivatives in f."""

    def __init__(self, signs, weights):
        self.signs, self.y = signs, (signs + 1) / 2
        self.c = np.ones(len(signs)) if weights is None else weights

    def loss(self, f):
        return log_loss(self.signs * f, self.c)

    def pull(self, f):
        """c (y − s(f)), with all its digits where s(f) is nearly y."""
        return self.c * self.signs * sigmoid(-self.signs * f)

    def bend(self, f):
        """c s(f) (1 − s(f))."""
        return self.c * sigmoid(f) * sigmoid(-f)
