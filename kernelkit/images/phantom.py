"""A synthetic scan of a head with a tumour, as four pictures; a new patient for every seed (lecture E).

A head is drawn in its own coordinates, u to the right and v upwards, in which it is an ellipse of half-axes 0.8 and 1;
each patient's head is a little bent, turned, shifted and scaled, and scanned with noise under uneven light.
Healthy structures look exactly as a tumour does: one on the midline, always at the same place of the head, and a
mirrored pair, at another place in every patient.
"""

from dataclasses import dataclass

import numpy as np

from kernelkit.checks import check_whole
from kernelkit.images.filters import convolve, gaussian

CHANNELS = ("T1", "T1 with contrast", "T2", "FLAIR")
# ---- what a pixel is, and how bright it is in each of the channels
OUTSIDE, SCALP, SKULL, FLUID, GREY, WHITE, OEDEMA, CORE = range(8)
TISSUES = ("outside", "scalp", "skull", "fluid", "grey matter", "white matter", "oedema", "core")
BRIGHTNESS = np.array([
    [0.03, 0.90, 0.10, 0.15, 0.50, 0.75, 0.56, 0.50],
    [0.03, 0.90, 0.10, 0.15, 0.52, 0.77, 0.60, 0.86],
    [0.03, 0.50, 0.06, 0.95, 0.60, 0.45, 0.74, 0.72],
    [0.03, 0.50, 0.06, 0.12, 0.60, 0.47, 0.78, 0.72],
])  # fmt: skip
UNIT = 52 / 128  # of the picture's size: what 1 is in the head's coordinates
NOISE = 0.09  # standard deviation of the noise,
LIGHT = 0.03  # of the light over the picture,
GAIN = 0.02  # and of the light of a channel
TUMOUR = (0.14, 0.20)  # smallest and largest radius of a tumour's core; with oedema × 1.7
MIDLINE = (0.11, 0.125)  # the same of the structure on the midline
PAIR = (0.05, 0.06)  # and of the mirrored pair
LOOK_ALIKES = ("midline", "pair")


@dataclass(frozen=True, eq=False)
class Patient:
    """One scan.  channels : (4, size, size), in the order of ``CHANNELS``.  tissue : (size, size), what each pixel is.

    tumour : (size, size) True in oedema and core of the tumour.  look_alike : (size, size) True in the healthy
    structures that look the same.
    """

    channels: np.ndarray
    tissue: np.ndarray
    tumour: np.ndarray
    look_alike: np.ndarray


def patient(seed, size=128, look_alikes=LOOK_ALIKES):
    """The ``Patient`` of a seed.  look_alikes : the healthy structures there are; the rest does not depend on it."""
    check_whole(size, "size", at_least=32)
    for name in look_alikes:
        if name not in LOOK_ALIKES:
            raise ValueError(f"look_alikes must hold 'midline' or 'pair' or both, got {name!r}.")
    rng = np.random.default_rng([check_whole(seed, "seed"), 17])
    u, v = _head(size, rng)
    tissue = _healthy(u, v, rng)
    brain = np.isin(tissue, (WHITE, GREY, FLUID))
    tumour = _lesion(tissue, brain, u, v, _tumour(rng))
    alike = np.zeros_like(tumour)
    for name, shapes in zip(LOOK_ALIKES, (_midline(rng), _pair(rng)), strict=True):
        for shape in shapes if name in look_alikes else ():
            alike |= _lesion(tissue, brain & ~tumour, u, v, shape)
    return Patient(_scan(tissue, rng), tissue, tumour, alike)


def _head(size, rng):
    """The head's coordinates (u, v) of each pixel: turned, shifted, scaled and a little bent."""
    angle = rng.uniform(-0.6, 0.6)
    scale = rng.uniform(0.85, 1.0)
    shift_x, shift_y = rng.uniform(-0.2, 0.2, 2)
    up, left = (size / 2 - 0.5 - np.mgrid[:size, :size]) / (UNIT * size * scale)
    x = -left - shift_x
    y = up - shift_y
    c = np.cos(angle)
    s = np.sin(angle)
    u = c * x + s * y + 0.025 * _smooth(size, 6, rng)
    v = c * y - s * x + 0.025 * _smooth(size, 6, rng)
    return u, v


def _smooth(size, knots, rng):
    """Smooth noise, about ±1, through so many random numbers each way."""
    from scipy.ndimage import zoom

    z = zoom(rng.standard_normal((knots, knots)), size / knots, order=3)
    return (z - z.mean()) / z.std()


def _healthy(u, v, rng):
    """Scalp, skull, fluid, folded grey matter around white matter; nuclei and ventricles, one on each side."""
    r = np.hypot(u / 0.8, v)
    phi = np.arctan2(u, v)
    folds = 0.70 + 0.05 * np.cos(13 * np.abs(phi) + rng.uniform(0, 6)) + 0.03 * np.cos(7 * phi + rng.uniform(0, 6))
    tissue = np.select([r > 1, r > 0.93, r > 0.88, r > 0.84, r > folds], [OUTSIDE, SCALP, SKULL, FLUID, GREY], WHITE)
    tissue[np.hypot((np.abs(u) - 0.24) / 0.09, (v + 0.02) / 0.16) < 1] = GREY
    horn = np.abs(u) - 0.09 - 0.15 * np.abs(v - 0.3)
    tissue[np.hypot(horn / 0.05, (v - 0.3) / rng.uniform(0.18, 0.24)) < 1] = FLUID
    return tissue


def _tumour(rng):
    """(u, v, radius of the core, how wavy): somewhere on one side."""
    side = rng.choice([-1, 1])
    core = rng.uniform(*TUMOUR)
    u = side * rng.uniform(0.25, 0.48)
    v = rng.uniform(-0.6, 0.4)
    wavy = rng.uniform(0, 6)
    return u, v, core, wavy


def _midline(rng):
    """The structure on the midline, always at about the same place."""
    return [(0.0, -0.1, rng.uniform(*MIDLINE), rng.uniform(0, 6))]


def _pair(rng):
    """Two mirrored structures, small, anywhere."""
    u = rng.uniform(0.25, 0.5)
    v = rng.uniform(-0.6, 0.4)
    core = rng.uniform(*PAIR)
    wavy = rng.uniform(0, 6)
    return [(side * u, v, core, wavy) for side in (-1, 1)]


def _lesion(tissue, inside, u, v, shape):
    """Draw oedema with a core into the tissue, where the brain is; returns where."""
    u0, v0, core, wavy = shape
    side = np.sign(u0) or 1.0
    phi = np.arctan2(v - v0, side * (u - u0))
    r = np.hypot(u - u0, v - v0) / (1 + 0.12 * np.cos(3 * phi + wavy) + 0.06 * np.cos(5 * phi - wavy))
    where = inside & (r < 1.7 * core)
    tissue[where] = np.where(r[where] < core, CORE, OEDEMA)
    return where


def _scan(tissue, rng):
    """The four channels: brightness of the tissue, blurred by the scanner, under uneven light, with noise."""
    gain = 1 + GAIN * rng.standard_normal(4)
    light = 1 + LIGHT * np.array([_smooth(len(tissue), 4, rng) for _ in range(4)])
    clean = np.stack([convolve(x, gaussian(0.6)) for x in BRIGHTNESS[:, tissue]])
    return gain[:, None, None] * light * clean + NOISE * rng.standard_normal(clean.shape)
