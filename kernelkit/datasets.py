"""Seeded data, always ``X, y``: X (n, d), y numbers for regression or ±1 for two classes.

n : number of points.  noise : standard deviation added, in the units of y (or of X for classes).
random_state : the same number gives the same data.
"""

import numpy as np


def sine(n=30, noise=0.1, random_state=0):
    """One input in [−3, 3], y = sin(2x) + noise: an oscillating curve."""
    return _curve(lambda x: np.sin(2 * x), n, noise, random_state)


def cubic(n=30, noise=0.1, random_state=0):
    """One input in [−3, 3], y = (x³ − 4x)/5 + noise: exactly a polynomial of degree 3."""
    return _curve(lambda x: (x**3 - 4 * x) / 5, n, noise, random_state)


def step(n=30, noise=0.1, random_state=0):
    """One input in [−3, 3], y jumps from −1 to 1 at 0: smooth at no scale."""
    return _curve(np.sign, n, noise, random_state)


def _curve(f, n, noise, random_state):
    rng = np.random.default_rng(random_state)
    x = np.sort(rng.uniform(-3, 3, n))
    return x[:, None], f(x) + noise * rng.standard_normal(n)


def interval(n=40, noise=0.0, random_state=0):
    """One input in [−2, 2]; class +1 inside [−1, 1]: no threshold separates it, x² does."""
    rng = np.random.default_rng(random_state)
    x = rng.uniform(-2, 2, n)
    x += np.where(np.abs(x) < 1, -0.1, 0.1) * np.sign(x)  # a small gap at the two borders
    return (x + noise * rng.standard_normal(n))[:, None], np.where(np.abs(x) < 1, 1, -1)


def half_planes(n=120, noise=0.1, random_state=0):
    """Two inputs; a straight line separates the classes (up to noise)."""
    rng = np.random.default_rng(random_state)
    X = rng.uniform(-2, 2, (n, 2))
    y = np.where(X @ [1.0, 0.8] > 0.2, 1, -1)
    return X + 0.25 * y[:, None] * np.array([1.0, 0.8]) + noise * rng.standard_normal((n, 2)), y


def rings(n=120, noise=0.08, random_state=0):
    """Two inputs; class −1 is a disc and class +1 a ring around it: x1² + x2² separates them."""
    rng = np.random.default_rng(random_state)
    y = np.where(np.arange(n) < n // 2, -1, 1)
    radius = np.where(y < 0, 0.8 * np.sqrt(rng.uniform(0, 1, n)), rng.uniform(1.4, 1.8, n))
    angle = rng.uniform(0, 2 * np.pi, n)
    X = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return X + noise * rng.standard_normal((n, 2)), y


def crossing(n=120, noise=0.1, random_state=0):
    """Two inputs; the class is the sign of x1·x2: the product of the inputs separates them."""
    rng = np.random.default_rng(random_state)
    X = rng.uniform(-2, 2, (n, 2))
    X += 0.2 * np.sign(X)
    return X + noise * rng.standard_normal((n, 2)), np.where(X[:, 0] * X[:, 1] > 0, 1, -1)


def moons(n=120, noise=0.12, random_state=0):
    """Two inputs; two half moons around each other: a curve of degree 3 separates them."""
    rng = np.random.default_rng(random_state)
    y = np.where(np.arange(n) < n // 2, -1, 1)
    angle = rng.uniform(0, np.pi, n)
    upper = np.column_stack([np.cos(angle) - 0.5, np.sin(angle) - 0.25])
    X = np.where(y[:, None] < 0, upper, -upper)
    return 1.3 * X + noise * rng.standard_normal((n, 2)), y
