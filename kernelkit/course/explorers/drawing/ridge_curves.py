"""The grid of the curves of kernel ridge regression."""

import numpy as np

GRID = np.linspace(-1, 1, 161)
