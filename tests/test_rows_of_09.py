"""Row 9.4 of the lectures, held by the code of notebook 09 itself: every candidate falls at the points it shows."""

import json
from pathlib import Path

import numpy as np

from kernelkit import Gaussian
from kernelkit.study.validity import witness

NOTEBOOK = Path(__file__).parents[1] / "notebooks" / "09-valid-kernels.ipynb"


def test_every_candidate_is_refuted_at_the_points_that_are_shown():
    cells = ("".join(cell["source"]) for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"])
    (source,) = (source for source in cells if "\ntried = {" in source)
    names = {"np": np, "Gaussian": Gaussian, "close": lambda X, Z: 1.0 * (abs(X - Z.T) < 1), "smallest": witness}
    exec(source.partition("\nfor name")[0], names)
    assert len(names["tried"]) == len(names["places"]) == 8
    for f, row in zip(names["tried"].values(), names["places"], strict=True):
        assert witness(f, np.array(row, float)[:, None])[0] < -0.05
