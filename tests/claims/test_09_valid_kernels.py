"""Rows 9.1, 9.2 and 9.4 of the lectures as notebook 09 shows them: every candidate falls at the points it shows."""

import json
from pathlib import Path

import numpy as np
import pytest

from kernelkit import Exp, Gaussian, Linear, datasets
from kernelkit.study.validity import witness

NOTEBOOK = Path(__file__).parents[2] / "notebooks" / "09-valid-kernels.ipynb"


def test_every_candidate_is_refuted_at_the_points_that_are_shown():
    cells = ("".join(cell["source"]) for cell in json.loads(NOTEBOOK.read_text(encoding="utf-8"))["cells"])
    (source,) = (source for source in cells if "\ntried = {" in source)
    names = {"np": np, "Gaussian": Gaussian, "smallest": witness}
    names["close"] = lambda X, Z: np.maximum(0, 1 - (X - Z.T) ** 2)
    exec(source.partition("\nfor name")[0], names)
    assert len(names["tried"]) == len(names["places"]) == 7
    for f, row in zip(names["tried"].values(), names["places"], strict=True):
        assert witness(f, np.array(row, float)[:, None])[0] < -0.05


@pytest.mark.parametrize(("p", "omega", "negative"), [(3, 5.0, True), (3, 1.0, False), (4, 4.0, True), (2, 4.0, False)])
def test_a_wave_refutes_exactly_where_the_spectrum_is_negative(p, omega, negative):
    r, P = np.arange(4000) * 0.01, np.linspace(-10, 10, 201)
    spectrum = 0.01 / np.pi * np.cos(omega * r) @ (np.exp(-(r**p)) * np.where(r == 0, 0.5, 1.0))
    v = np.cos(omega * P)
    form = v @ np.exp(-(abs(P[:, None] - P) ** p)) @ v
    assert (spectrum < -0.01) == (form < -1) == negative


def test_the_exponential_of_a_kernel_has_the_features_of_its_series():
    X, _ = datasets.moons(40)
    phi = Exp(Linear()).feature_map(degree=30)
    np.testing.assert_allclose(phi(X) @ phi(X).T, np.exp(X @ X.T), rtol=1e-12)
    assert phi.dim(2) == 496
    short = Exp(Linear()).feature_map(degree=3)
    assert np.abs(short(X) @ short(X).T - np.exp(X @ X.T)).max() > 0.1
