"""Totals add: over chunks, in any order, on many workers; the models they give are those of all points at once."""

import tracemalloc

import numpy as np
import pytest
from models.pieces import PHI, cut

from kernelkit import Linear, Monomials, PrimalRidge, Totals
from kernelkit.models import totals

pytestmark = pytest.mark.filterwarnings("error")


def test_totals_are_what_they_are_called_and_add_in_any_order(data):
    X, y = data
    Phi, parts = PHI(X), [Totals.of(PHI, *chunk) for chunk in cut(*data, 1, 50, 170)]
    for t in (Totals.of(PHI, X, y), sum(parts), sum(parts[::-1]), sum([parts[2], sum(parts[:2]), parts[3]])):
        np.testing.assert_allclose(t.gram, Phi.T @ Phi, rtol=1e-12, atol=1e-9)
        np.testing.assert_allclose(t.moment, Phi.T @ y, rtol=1e-12, atol=1e-9)
        assert t.n == 300 and t.square == pytest.approx(y @ y) and t.solve(0.1).shape == (10,)


@pytest.mark.parametrize("rows", [1, 7, 299, 300, 301])
def test_how_many_rows_are_in_memory_changes_nothing(rows, data, monkeypatch):
    expected = Totals.of(PHI, *data).solve(0.1)
    monkeypatch.setattr(totals, "ROWS", rows)
    np.testing.assert_allclose(Totals.of(PHI, *data).solve(0.1), expected, rtol=1e-9)
    np.testing.assert_allclose(PrimalRidge(PHI, 0.1).fit(*data).w_, expected, rtol=1e-9)


def test_features_of_many_points_are_never_in_memory_together():
    X, phi = np.linspace(-1, 1, 200_000)[:, None], Monomials(20)
    PrimalRidge(phi, 1.0).fit(X[:10], X[:10, 0])  # SciPy is imported
    tracemalloc.start()
    PrimalRidge(phi, 1.0).fit(X, X[:, 0])
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 8e6  # Φ has 34 MB


ONE = Totals.of(PHI, [[1.0]], [1])
REFUSED = {
    "other features": (lambda: ONE + Totals.of(Monomials(2), [[1.0]], [1]), ValueError, r"\(4,\) and \(3,\)"),
    "other outputs": (lambda: ONE + Totals.of(PHI, [[1.0]], [[1]]), ValueError, "the same features and outputs"),
    "a number": (lambda: ONE + 1, TypeError, "unsupported operand"),
    "a kernel": (lambda: Totals.of(Linear(), [[1.0]], [1]), TypeError, "feature_map must be a feature map"),
    "one point": (lambda: Totals.of(PHI, [1.0], [1]), ValueError, "a single point"),
    "targets": (lambda: Totals.of(PHI, [[1.0]], [1, 2]), ValueError, "one row of targets, for each of the 1"),
    "lam": (lambda: ONE.solve(-1), ValueError, "lam must be a finite number ≥ 0"),
}


@pytest.mark.parametrize(("call", "error", "sentence"), REFUSED.values(), ids=REFUSED)
def test_bad_totals_meet_a_sentence(call, error, sentence):
    with pytest.raises(error, match=sentence):
        call()
