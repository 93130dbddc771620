"""Descriptors of patches: which way brightness rises, counted in cells, so that light and turning matter little.

In the manner of SIFT (lecture E; Lowe 2004): find places that stand out at their own scale, turn the patch to its main
direction, count the directions of the gradient in 4 × 4 cells, and normalise. Places are (row, column) in pixels;
angles are in degrees, 0 to the right and counter-clockwise as in ``filters``.
"""

import numpy as np

from kernelkit.arrays import first_largest
from kernelkit.checks import check_array, check_number, check_whole, read_points
from kernelkit.images.filters import convolve, derivative, direction, gaussian, laplacian_of_gaussian, read_picture

CELLS = 4  # a descriptor has 4 × 4 cells …
BINS = 8  # … of 8 directions each
SAMPLES = 4  # gradients looked at in each cell, each way
CELL_WIDTH = 3.0  # in units of the point's scale
CUT = 0.2  # no number of a descriptor of length 1 counts more: one strong edge must not decide alone
ROUNDING = 1e-9  # of the largest brightness: what does not answer by more than this is flat
CIRCLE = 36  # bins of the histogram that gives a patch its main direction


def gradient(x, sigma=1.0):
    """The slopes to the right and upwards of a picture blurred by σ: two pictures."""
    x = read_picture(x)
    if x.ndim != 2:
        raise ValueError(f"x must be a picture of one channel, (rows, columns), got shape {x.shape}.")
    blurred = convolve(x, gaussian(sigma))
    return convolve(blurred, derivative(0)), convolve(blurred, derivative(90))


def votes(right, up, bins=BINS):
    """Each gradient's length, shared between the two nearest of ``bins`` directions 0, 360/bins, …: (…, bins)."""
    check_whole(bins, "bins", at_least=2)
    place = np.arctan2(up, right)[..., None] * bins / (2 * np.pi)
    off = np.abs((place - np.arange(bins) + bins / 2) % bins - bins / 2)  # in bins, around the circle
    return np.hypot(right, up)[..., None] * np.maximum(0, 1 - off)


def keypoints(x, sigmas=(1.6, 2.3, 3.2, 4.5, 6.4), count=100, inside=0):
    """Dots that stand out at their scale: the largest local maxima of |LoG_σ * x| over places and scales.

    sigmas : the scales, rising; the first and the last are only compared with.  inside : keep off the border by so many
    times σ.  Returns (≤ count, 3): row, column, σ, the strongest first.
    """
    from scipy.ndimage import maximum_filter

    x = read_picture(x)
    sigmas = check_array(sigmas, "sigmas")
    if x.ndim != 2 or sigmas.ndim != 1 or len(sigmas) < 3:
        raise ValueError(f"keypoints needs one channel and three scales or more, got {x.shape} and {sigmas.shape}.")
    if (np.diff(sigmas) <= 0).any():
        raise ValueError(f"sigmas must rise, got {sigmas.tolist()}.")
    z = np.abs([convolve(x, laplacian_of_gaussian(s)) for s in sigmas])
    s, i, k = np.nonzero((z == maximum_filter(z, 3)) & (z > ROUNDING * np.abs(x).max()))
    off = np.minimum.reduce([i, k, x.shape[0] - 1 - i, x.shape[1] - 1 - k])  # the nearest border
    far = off >= check_number(inside, "inside", at_least=0) * sigmas[s]
    kept = (s > 0) & (s < len(sigmas) - 1) & far
    strength = z[s, i, k][kept]
    order = np.argsort(-strength, kind="stable")[: check_whole(count, "count", at_least=1)]
    return np.column_stack([i, k, sigmas[s]])[kept][order]


def direction_histogram(slopes, place, sigma):
    """How long the gradients around a place are in each of 36 directions, weighted by a Gaussian of 1.5 σ: (36,).

    slopes : what ``gradient`` gives.  place : (row, column).  Neighbouring bins are averaged, twice.
    """
    t = np.arange(-9, 10) / 2.0  # ±4.5 σ
    near = np.exp(-np.add.outer(t**2, t**2) / (2 * 1.5**2))
    h = np.einsum("ij,ijo->o", near, votes(*_sampled(slopes, place, t * sigma, 0.0), CIRCLE))
    for _ in range(2):
        h = (np.roll(h, 1) + h + np.roll(h, -1)) / 3
    return h


def main_direction(slopes, place, sigma):
    """The direction most gradients around a place have: the peak of ``direction_histogram``."""
    h = direction_histogram(slopes, place, sigma)
    peak = int(first_largest(h))
    left = h[peak - 1]
    right = h[(peak + 1) % CIRCLE]
    bend = left - 2 * h[peak] + right
    top = (left - right) / (2 * bend) if bend else 0  # of the parabola through the three
    return 360 / CIRCLE * (peak + top)


def _sampled(slopes, place, t, angle):
    """The slopes at a grid around the place, its columns along the angle and its rows across, as seen from there."""
    from scipy.ndimage import map_coordinates

    c, s = direction(angle)
    along = t[None, :]
    up = -t[:, None]
    rows, columns = np.broadcast_arrays(place[0] - (s * along + c * up), place[1] + (c * along - s * up))
    right, upwards = slopes
    east = map_coordinates(right, [rows, columns], order=1, mode="nearest")
    north = map_coordinates(upwards, [rows, columns], order=1, mode="nearest")
    return c * east + s * north, c * north - s * east


def descriptor(slopes, place, sigma=2.0, angle=None):
    """128 numbers of a patch, 12 σ wide: in each of 4 × 4 cells how much brightness rises in each of 8 directions.

        h[a, b, o] = Σ_ij G_ij T_ia T_jb v_ijo,   then h/‖h‖, cut at 0.2, and over its length again

    slopes : what ``gradient`` gives.  angle : the patch is turned by it, its main direction if not given.
    G : a Gaussian, half the patch wide; T : how much of a sample falls to a cell; v : ``votes``.
    Brightness a x + b, a > 0, and turning the picture leave it as it is, up to the pixels' rounding.
    """
    check_number(sigma, "sigma", above=0)
    angle = main_direction(slopes, place, sigma) if angle is None else angle
    t = (np.arange(CELLS * SAMPLES) + 0.5) / SAMPLES - CELLS / 2  # in cells
    T = np.maximum(0, 1 - np.abs(t[:, None] - (np.arange(CELLS) - (CELLS - 1) / 2)))
    G = np.exp(-np.add.outer(t**2, t**2) / (2 * (CELLS / 2) ** 2))
    v = votes(*_sampled(slopes, place, t * CELL_WIDTH * sigma, angle))
    return _cut(np.einsum("ij,ia,jb,ijo->abo", G, T, T, v, optimize=True).ravel())


def _cut(h):
    h = np.minimum(h / (np.linalg.norm(h) or 1), CUT)
    return h / (np.linalg.norm(h) or 1)


def descriptors(x, points):
    """The descriptors of the points (n, 3) of ``keypoints``, each at its own scale: (n, 128)."""
    points = check_array(points, "points") if len(points) else np.zeros((0, 3))
    if points.ndim != 2 or points.shape[1] != 3:
        raise ValueError(f"points must hold rows (row, column, σ), got shape {points.shape}.")
    slopes = {sigma: gradient(x, sigma) for sigma in np.unique(points[:, 2])}
    found = [descriptor(slopes[sigma], (i, k), sigma) for i, k, sigma in points]
    return np.array(found).reshape(len(points), CELLS * CELLS * BINS)


def matches(A, B, ratio=0.8):
    """Pairs (i, j) where B_j is nearest to A_i, and nearer than ``ratio`` times the second nearest: (m, 2).

    A : (n, D).  B : at least two descriptors, (k, D).
    """
    from scipy.spatial.distance import cdist

    A, _ = read_points(A, "A")
    B, _ = read_points(B, "B")
    if len(B) < 2:
        raise ValueError(f"A nearest and a second nearest are needed: B must hold 2 descriptors or more, got {len(B)}.")
    if A.shape[1] != B.shape[1]:
        raise ValueError(f"A and B must hold descriptors of one length, got {A.shape[1]} and {B.shape[1]} numbers.")
    distances = cdist(A, B)
    first, second = np.argsort(distances, axis=1, kind="stable")[:, :2].T
    rows = np.arange(len(A))
    sure = distances[rows, first] < check_number(ratio, "ratio", above=0) * distances[rows, second]
    return np.column_stack([rows, first])[sure]
