"""The feature map of (xᵀz + 1)^p in two inputs, from scikit-learn's powers."""

from math import factorial

import numpy as np
from sklearn.preprocessing import PolynomialFeatures


def features(X, degree):
    """√weight times every monomial of degree ≤ p in two inputs, in any order."""
    columns = []
    for i, j in PolynomialFeatures(degree).fit(X).powers_:
        weight = factorial(degree) / (factorial(i) * factorial(j) * factorial(degree - i - j))
        columns.append(np.sqrt(weight) * X[:, 0] ** i * X[:, 1] ** j)
    return np.column_stack(columns)
