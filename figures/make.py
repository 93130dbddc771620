"""Draw the figures of the lectures and the moving picture of the README: python figures/make.py [NAME…]

Each figure is the picture of an explorer at one setting, so that a page and a notebook never disagree.
Times in it are those that ``measure_times.py`` has measured.
"""

import os
import sys
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
from PIL import Image

from kernelkit.course.explorers import (
    feature_maps,
    gaussian_kernel,
    kernel_logistic,
    kernel_ridge,
    kernel_trick,
    support_vector_machine,
)
from kernelkit.course.panel.picture import png_bytes

FOLDER = Path(__file__).parent
FIGURES = {
    "four-gaussians": (gaussian_kernel.landscape, {}),
    "ring-and-lift": (feature_maps.lift, feature_maps.lift.scenes["Ring, lifted"]),
    "feature-growth": (feature_maps.growth, {"d": 16.0, "p": 4}),
    "ridge-times": (kernel_ridge.times, {"grow": "D"}),
    "identity-bars": (kernel_trick.identity, {"degree": 3}),
    "svm-mixture": (support_vector_machine.boundary, {"sigma": 1.0, "C": 10.0}),
    "svm-along-sigma": (support_vector_machine.strip, {}),
    "svm-three-kernels": (support_vector_machine.three_kernels, {}),
    "two-descents": (kernel_logistic.descents, kernel_logistic.descents.scenes["Both from 0"] | {"t": 100}),
}


FILM = "svm-moves"  # the boundary explorer, as σ grows and shrinks again
SIGMAS = np.geomspace(0.15, 2.4, 25)


def pixels(name):
    """The figure as an array, for two pixels a point on a dense screen."""
    explorer, values = FIGURES[name]
    extra = {"measured": None} if explorer.measure else {}
    state = explorer.compute(**explorer.start() | values, **extra)
    return explorer.canvas(ratio=2.0).frame(state)


def film_frames():
    """The pictures of the film, as arrays, with one pixel a point; back and forth, so that it has no end."""
    explorer = support_vector_machine.boundary
    canvas = explorer.canvas(ratio=1.0)
    there = [canvas.frame(explorer.compute(**explorer.start() | {"sigma": float(sigma)})).copy() for sigma in SIGMAS]
    return there + there[-2:0:-1]


def write_film(path):
    """An animated WebP, small enough to open with the page."""
    first, *rest = (Image.fromarray(frame[:, :, :3]) for frame in film_frames())
    first.save(path, save_all=True, append_images=rest, duration=120, loop=0, quality=55, method=6)


def main(names):
    unknown = set(names) - {*FIGURES, FILM}
    if unknown:
        sys.exit(f"No such figure: {', '.join(sorted(unknown))}. There are: {', '.join([*FIGURES, FILM])}.")
    for name in names or [*FIGURES, FILM]:
        if name == FILM:
            write_film(FOLDER / f"{name}.webp")
        else:
            (FOLDER / f"{name}.png").write_bytes(png_bytes(pixels(name), 9))
        print(name)


if __name__ == "__main__":
    main(sys.argv[1:])
