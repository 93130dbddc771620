"""Pixels told apart by features: brightness, neighbourhood, place in an aligned head, the other side (lecture E)."""

from dataclasses import dataclass
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from kernelkit.checks import check_array, check_number, check_whole, generator
from kernelkit.features import Landmarks, Monomials
from kernelkit.images.filters import bank_responses, convolve, filter_bank, gaussian, laplacian_of_gaussian
from kernelkit.images.phantom import CHANNELS, GREY, OUTSIDE, SCALP, SKULL
from kernelkit.models.logistic import LogLoss, sigmoid
from kernelkit.models.logistic_chunks import LossSums, SummedObjective
from kernelkit.models.newton import last_iterate, newton
from kernelkit.study.landmarks import choose

GROUPS = ("intensities", "neighbourhood", "coordinates", "alignment", "symmetry")
MORE = ("gabor", "sides", "atlas")  # further groups, which are made only if they are asked for
BANK = ("neighbourhood", *MORE)  # 72 features, all of them at three widths
SCALES = (1.0, 2.0, 4.0)  # σ of the neighbourhoods, in pixels
AIR = 0.17  # of brightness, between that of the air and of a head
GLARE = 5.0  # no brightness that is meant to be from 0 to 1
BLOCK = 2**18  # numbers of Φ that are made at a time: they stay in the fast memory
FARTHEST = 5.0  # standard deviations: a feature farther out counts as this far
SIDE = 96  # pixels of the template each way
REACH = 1.15  # it shows u and v from −1.15 to 1.15


# ---- where a head lies --------------------------------------------------------------------------


@dataclass(frozen=True)
class Pose:
    """How a head lies in a picture: its middle (row, column), its angle in radians, and the pixels that are 1 in it."""

    row: float
    column: float
    angle: float
    unit: float

    def to_head(self, row, column):
        """The head's own coordinates, u to its right and v upwards, of places of the picture."""
        x = (column - self.column) / self.unit
        y = (self.row - row) / self.unit
        c = np.cos(self.angle)
        s = np.sin(self.angle)
        return c * x + s * y, c * y - s * x

    def to_picture(self, u, v):
        """The places (row, column) of the head's coordinates."""
        c = np.cos(self.angle)
        s = np.sin(self.angle)
        return self.row - self.unit * (s * u + c * v), self.column + self.unit * (c * u - s * v)


def head_mask(channels):
    """True in the head, (rows, columns): where the blurred mean of the channels is brighter than air, without holes.

    channels : (channels, rows, columns), brightness from about 0 (air) to about 1.
    """
    from scipy.ndimage import binary_fill_holes

    channels = check_array(channels, "channels")
    if channels.max(initial=0) > GLARE:
        raise ValueError(
            f"channels must hold a brightness from about 0 to about 1, got up to {channels.max():g}: divide by the "
            "brightness that is full, which is 255 for numbers of 8 bits."
        )
    return binary_fill_holes(convolve(channels.mean(axis=0), gaussian(1.5)) > AIR)


def find_pose(mask):
    """The ``Pose`` that fits a mask's moments: its middle, long axis (under 90° from upright) and area, 0.8 π unit²."""
    row, column = np.nonzero(mask)
    if len(row) < 2:
        raise ValueError("There is no head in this picture: nothing is brighter than air.")
    x = column - column.mean()
    y = row.mean() - row
    angle = np.arctan2(-2 * np.mean(x * y), np.mean(y * y) - np.mean(x * x)) / 2
    return Pose(row.mean(), column.mean(), angle, np.sqrt(len(row) / (0.8 * np.pi)))


@dataclass(frozen=True, eq=False)
class Template:
    """The mean head.  channels : (4, SIDE, SIDE) mean brightness.

    grey, brain : (SIDE, SIDE) how often it is grey matter, and how often any part of the brain.
    """

    channels: np.ndarray
    grey: np.ndarray
    brain: np.ndarray

    @classmethod
    def of(cls, patients):
        """The mean of these patients' heads, each moved, turned and scaled to the same pose."""
        if not len(patients):
            raise ValueError("A template is a mean over patients; there are none.")
        v, u = np.mgrid[REACH : -REACH : SIDE * 1j, -REACH : REACH : SIDE * 1j]
        poses = [find_pose(head_mask(p.channels)) for p in patients]
        moved = [
            np.stack([_looked_up(x, *pose.to_picture(u, v)) for x in (*p.channels, p.tissue == GREY, _in_brain(p))])
            for p, pose in zip(patients, poses, strict=True)
        ]
        *channels, grey, brain = np.mean(moved, axis=0)
        return cls(np.stack(channels), grey, brain)

    def at(self, u, v):
        """The mean brightness in each channel and the part that is grey matter, at places of the head: (5, n)."""
        return self.pictures_at(u, v)[:-1]

    def pictures_at(self, u, v):
        """All that the template knows at places of the head: four channels, grey matter, brain.  (6, …), as u and v."""
        row = (REACH - v) * (SIDE - 1) / (2 * REACH)
        column = (u + REACH) * (SIDE - 1) / (2 * REACH)
        return np.stack([_looked_up(x, row, column) for x in (*self.channels, self.grey, self.brain)])


def _in_brain(patient):
    """True where a patient's brain is: inside the skull, a tumour included."""
    return ~np.isin(patient.tissue, (OUTSIDE, SCALP, SKULL))


def _looked_up(x, row, column):
    """x between its pixels."""
    from scipy.ndimage import map_coordinates

    return map_coordinates(np.asarray(x, float), [row, column], order=1, mode="nearest")


# ---- features of pixels -------------------------------------------------------------------------


class Pixels(NamedTuple):
    """The pixels of a head.  mask : where they are.  X : (n, d) their features.  names, groups : of each feature."""

    mask: np.ndarray
    X: np.ndarray
    names: list
    groups: list

    def of(self, groups, pixels=slice(None)):
        """The features of these groups only, (n, …), of all pixels or of some."""
        missing = [group for group in groups if group not in self.groups]
        if missing:
            raise ValueError(f"These pixels have no features of the group {missing[0]!r}.")
        return self.X[pixels][:, [group in groups for group in self.groups]]

    def joined(self, other):
        """The same pixels with the features of another ``Pixels`` as well."""
        if not np.array_equal(self.mask, other.mask):
            raise ValueError("Only features of the same pixels can be joined; these have different masks.")
        return Pixels(self.mask, np.hstack([self.X, other.X]), self.names + other.names, self.groups + other.groups)


def pixel_features(channels, groups=GROUPS, template=None):
    """The features of every pixel in the head, ``Pixels``, group by group.

    intensities : of the pixel in each channel.  neighbourhood : Gaussian and Laplacian of Gaussian of three scales.
    coordinates : row and column in the picture.  alignment : u and v in the head, the distance from its middle, the
    template's brightness and grey matter there.  symmetry : the difference from the same place on the other side.

    Further groups, at three widths each:  gabor : the largest response of sine and of cosine Gabor filters over six
    orientations.  sides : the differences of the two sides.  atlas : the template's T1 and T2 and its probabilities of
    grey matter and of brain, blurred.
    """
    known = (*GROUPS, *MORE)
    unknown = [group for group in groups if group not in known]
    if unknown:
        raise ValueError(f"groups must be among {', '.join(known)}, got {unknown[0]!r}.")
    if not groups:
        raise ValueError(f"groups must be among {', '.join(known)}, got none.")
    aligned = [group for group in ("alignment", "atlas") if group in groups]
    if aligned and template is None:
        raise ValueError(f"The group {aligned[0]!r} needs a template, such as Template.of(patients).")
    channels = check_array(channels, "channels")
    if channels.ndim != 3 or len(channels) != len(CHANNELS):
        raise ValueError(f"channels must be four pictures, (4, rows, columns), got {channels.shape}.")
    scan = _Scan(channels, head_mask(channels), template)
    found = [(name, x, group) for group in known if group in groups for name, x in getattr(scan, group)()]
    names, columns, of = map(list, zip(*found, strict=True))
    X = np.stack(columns).T  # one feature after the other in memory, because they are chosen by groups
    return Pixels(scan.mask, X, names, of)


class _Scan:
    """A scan whose features are asked for: each group gives pairs of a name and an array (n,)."""

    def __init__(self, channels, mask, template):
        self.channels = channels
        self.mask = mask
        self.template = template
        self.row, self.column = np.nonzero(mask)
        self.pose = find_pose(mask)
        self.blurred = {}

    def blur(self, c, sigma):
        if (c, sigma) not in self.blurred:
            self.blurred[c, sigma] = convolve(self.channels[c], gaussian(sigma))
        return self.blurred[c, sigma]

    def intensities(self):
        return [(name, x[self.mask]) for name, x in zip(CHANNELS, self.channels, strict=True)]

    def neighbourhood(self):
        for c, name in enumerate(CHANNELS):
            for s in SCALES:
                yield f"{name}, mean of σ = {s:g}", self.blur(c, s)[self.mask]
                yield f"{name}, dot of σ = {s:g}", convolve(self.channels[c], laplacian_of_gaussian(s))[self.mask]

    def coordinates(self):
        return [("row", self.row / len(self.mask)), ("column", self.column / self.mask.shape[1])]

    def alignment(self):
        u, v = self.pose.to_head(self.row, self.column)
        names = [f"template's {name}" for name in CHANNELS] + ["prior of grey matter"]
        return [("u", u), ("v", v), ("distance", np.hypot(u, v)), *zip(names, self.template.at(u, v), strict=True)]

    def symmetry(self):
        return self.side_minus_side(SCALES[1:])

    def side_minus_side(self, scales):
        u, v = self.pose.to_head(self.row, self.column)
        other = self.pose.to_picture(-u, v)
        for c, name in enumerate(CHANNELS):
            for s in scales:
                x = self.blur(c, s)
                yield f"{name}, side minus side of σ = {s:g}", x[self.mask] - _looked_up(x, *other)

    def sides(self):
        return self.side_minus_side(SCALES)

    def gabor(self):
        bank = _edges_and_bars()
        for name, x in zip(CHANNELS, self.channels, strict=True):
            for group, z in zip(bank, bank_responses(x, bank), strict=True):
                yield f"{name}, {group.name.replace(', ', ' of ')}", z[self.mask]

    def atlas(self):
        places = self.pose.to_head(*np.indices(self.mask.shape))
        t1, _, t2, _, grey, brain = self.template.pictures_at(*places)
        pictures = {"template's T1": t1, "template's T2": t2, "prior of grey matter": grey, "prior of brain": brain}
        for name, x in pictures.items():
            for s in SCALES:
                yield f"{name}, mean of σ = {s:g}", convolve(x, gaussian(s))[self.mask]


@cache
def _edges_and_bars():
    """The groups of a filter bank that hold Gabor filters: sine and cosine, of each scale."""
    return [group for group in filter_bank(scales=SCALES) if len(group.filters) > 1]


# ---- a classifier of pixels ---------------------------------------------------------------------


def dice(found, true):
    """2 |A ∩ B| / (|A| + |B|) of two sets of pixels: 1 where they are the same, 0 where they share none."""
    found = _true_or_false(found)
    true = _true_or_false(true)
    if found.shape != true.shape:
        raise ValueError(f"Two sets of the same pixels are compared, got the shapes {found.shape} and {true.shape}.")
    total = found.sum() + true.sum()
    return 2 * float((found & true).sum()) / float(total) if total else 1.0


def _true_or_false(pixels):
    pixels = np.asarray(pixels)
    if not np.isin(pixels, (0, 1)).all():
        raise ValueError("A set of pixels holds True and False, or 1 and 0; of probabilities take p > 0.5.")
    return pixels.astype(bool)


class Segmenter:
    """Logistic regression on features of pixels: tumour or not, each pixel by itself.

    groups : which of ``GROUPS``.  degree : of the monomials of the features.  lam : λ of ‖w‖².
    pixels : how many of each patient are learned from, drawn by ``random_state``.
    kernel : instead of monomials a kernel of the features, on so many ``landmarks``.

    Learned: ``feature_map_``, ``w_`` (D,), and the features' ``mean_`` and ``spread_`` (d,), by which they are scaled.
    """

    def __init__(self, groups=GROUPS, degree=1, lam=1.0, pixels=400, random_state=0, kernel=None, landmarks=300):
        self.groups = groups
        self.degree = degree
        self.lam = lam
        self.pixels = pixels
        self.random_state = random_state
        self.kernel = kernel
        self.landmarks = landmarks

    def fit(self, scans, tumours):
        """Learn.  scans : the ``Pixels`` of some patients.  tumours : for each True where it is one.  Returns self."""
        check_number(self.lam, "lam", above=0)
        X, y = some_pixels(scans, tumours, self.groups, self.pixels, self.random_state)
        self.mean_ = X.mean(axis=0)
        self.spread_ = np.where(np.ptp(X, axis=0) > 0, X.std(axis=0), 1)
        Z = self._scaled(X)
        if self.kernel is None:
            self.feature_map_ = Monomials(check_whole(self.degree, "degree", at_least=1))
        else:
            points = choose(self.kernel, Z, self.landmarks, "random", self.random_state)
            self.feature_map_ = Landmarks(self.kernel, points)
        self.w_ = logistic_weights(self.feature_map_(Z), y, self.lam)
        return self

    def _scaled(self, X):
        Z = X - self.mean_
        Z /= self.spread_
        return np.clip(Z, -FARTHEST, FARTHEST, out=Z)

    def probability(self, scan):
        """P(tumour) of every pixel, (rows, columns), 0 outside the head.  scan : the ``Pixels`` of a patient."""
        p = np.zeros(scan.mask.shape)
        Z = self._scaled(scan.of(self.groups))
        rows = max(1, BLOCK // len(self.w_))
        h = [self.feature_map_(Z[i : i + rows]) @ self.w_ for i in range(0, len(Z), rows)]
        p[scan.mask] = sigmoid(np.concatenate(h))
        return p

    def score(self, scans, tumours):
        """Dice of each patient, where a tumour is more likely than not: (patients,)."""
        return np.array([dice(self.probability(p) > 0.5, t) for p, t in _pairs(scans, tumours)])


def _pairs(scans, tumours):
    """Each scan and its tumour, True where it is one."""
    if len(scans) != len(tumours):
        raise ValueError(f"Each scan needs its tumour; got {len(scans)} scans and {len(tumours)} tumours.")
    for scan, tumour in zip(scans, map(_true_or_false, tumours), strict=True):
        if tumour.shape != scan.mask.shape:
            raise ValueError(f"Each tumour must be as large as its scan, got {tumour.shape} and {scan.mask.shape}.")
        yield scan, tumour


def some_pixels(scans, tumours, groups=GROUPS, count=400, random_state=0):
    """So many pixels of each patient, drawn at random: features X (n, d), and y (n,), +1 in the tumour, else −1."""
    check_whole(count, "pixels", at_least=1)
    if not len(scans):
        raise ValueError("Pixels are drawn from each scan; there are none.")
    rng = generator(random_state) or np.random.default_rng()
    X = []
    y = []
    for scan, tumour in _pairs(scans, tumours):
        chosen = rng.permutation(len(scan.X))[:count]
        X.append(scan.of(groups, chosen))
        y.append(np.where(tumour[scan.mask][chosen], 1, -1))
    return np.concatenate(X), np.concatenate(y)


def logistic_weights(Phi, y, lam, tol=1e-2):
    """The w that minimises Σ log(1 + exp(−y Φw)) + λ/2 ‖w‖², by Newton's steps until no output moves by over tol."""
    if Phi.shape[0] < Phi.shape[1]:  # w lies in the span of the n points: look for it in their own coordinates
        Q, R = np.linalg.qr(Phi.T)
        return Q @ logistic_weights(R.T, y, lam, tol)
    objective = SummedObjective(partial(LossSums.of, Phi, LogLoss(y)), lam)
    iterates = newton(objective, objective.at_zero())
    end, _, _ = last_iterate(iterates, lambda here: here.change <= tol, max_iter=100)
    return end.w
