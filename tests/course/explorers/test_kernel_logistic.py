"""The explorers of notebook 05 say what scikit-learn and the textbook formulas say."""

import numpy as np
import pytest
from course.explorers.weighted_monomials import features
from panels import number, readout_of, state_of as state
from scipy.special import expit, softmax as scipy_softmax
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier

from kernelkit import Polynomial, PrimalLogistic, datasets
from kernelkit.course.explorers.drawing.shades import COLOURS, PALE, class_shades, probability_shades
from kernelkit.course.explorers.kernel_logistic import boundaries, costs, softmax
from kernelkit.course.explorers.kernel_logistic.costs import sgd_in_w

# ---- costs ----------------------------------------------------------------------------------


def test_counts_are_the_tables_of_lecture_a():
    n, d, D, j = 800, 6, 84, 300
    s = state(costs, grow="n", degree=3, d=d, j=j)
    assert s.size == (n, d, D, j)
    assert [y[-1] for y in s.counts.values()] == [n * D * j, n**2 * D + n**2 * j, n**2 * d + n**2 * j]
    s = state(costs, task="sgd", grow="n", degree=3, d=d, j=j)
    assert [y[-1] for y in s.counts.values()] == [D * j, n**2 * D + n * j, n**2 * d + n * j]
    s = state(costs, task="test", degree=3, d=d, n=n)
    t = s.x[-1]
    assert [y[-1] for y in s.counts.values()] == [t * n * d, n * D + t * D]


@pytest.mark.parametrize(
    "values, slopes",
    [
        ({"task": "sgd", "grow": "n"}, "primal 0.0, dual 2.0, kernel 1.9"),
        ({"grow": "n", "d": 2, "degree": 2}, "primal 1.0, dual 2.0, kernel 2.0"),
        ({"grow": "D"}, "primal 1.0, dual 0.7, kernel 0.0"),
    ],
)
def test_predicted_slopes(values, slopes):
    s = state(costs, **values)
    assert ", ".join(f"{form} {slope:.1f}" for form, slope in s.slopes.items()) == slopes


def test_recovering_w_pays_at_the_crossing():
    s = state(costs, **costs.scenes["Recover w"])
    n, d, D, _ = s.size
    assert 1 / n + 1 / s.even == pytest.approx(d / D)
    crossing = readout_of(costs, "Recover w")["lines cross at t"]
    assert float(crossing) == pytest.approx(s.even, abs=0.051) and f"cross at {crossing}" in s.rules[1][1]
    t = int(s.even)
    assert t * n * d <= n * D + t * D and (t + 1) * n * d > n * D + (t + 1) * D
    assert "lines cross at t" not in readout_of(costs, task="test", d=10, degree=4, n=100)


MEASURED = [{"grow": "D", "n": 50, "j": 50}, {"task": "sgd", "n": 50}, {"task": "test", "n": 50}]


@pytest.mark.parametrize("values", MEASURED)
def test_measuring_goes_on_to_the_end_and_is_noted(values):
    values = costs.start() | {"degree": 2} | values
    *_, (fraction, measured) = costs.measure(**values)
    s = costs.compute(**values, measured=measured)
    assert fraction == 1 and "measured" in s.notes[0] and "measured" not in state(costs, **values).notes[0]
    for form, (at, seconds) in measured.items():
        assert form in s.counts and list(at) == list(s.x) and min(seconds) > 0


def test_sgd_in_w_is_timed_without_the_features_of_points_it_does_not_visit():
    phi, seen = Polynomial(2).feature_map(), []
    X, y = datasets.moons(50)

    class Recorded:
        dim = phi.dim

        def __call__(self, x):
            seen.extend(x)
            return phi(x)

    model = PrimalLogistic(phi, solver="sgd", step=0.01, max_iter=2, random_state=0)
    steps = list(model.steps(X, y))
    for j in (7, 80):
        seen.clear()
        np.testing.assert_allclose(sgd_in_w(Recorded(), X, y, j), steps[j].iterate, atol=1e-12)
        np.testing.assert_array_equal(seen, X[[step.moved for step in steps[1 : j + 1]]])


# ---- boundaries -----------------------------------------------------------------------------


@pytest.mark.parametrize("data, degree, lam", [("rings", 3, 0.1), ("mixture", 2, 10.0), ("half_planes", 4, 1.0)])
def test_polynomial_panels_are_scikit_learns(data, degree, lam):
    s, read = (of(boundaries, data=data, degree=degree, lam=lam) for of in (state, readout_of))
    noise = {"rings": {"noise": 0.25}, "mixture": {}, "half_planes": {"noise": 0.4}}[data]
    (X, y), (Z, z) = getattr(datasets, data)(60, **noise), getattr(datasets, data)(400, random_state=1, **noise)
    grid = np.array([(u, v) for v in (-3.6, 3.6) for u in (-3.6, 3.6)])
    for i, p in ((0, 1), (1, degree)):
        oracle = LogisticRegression(C=1 / lam, fit_intercept=False, solver="newton-cholesky", tol=1e-10)
        oracle.fit(features(X - X.mean(axis=0), p), y)
        corners = s.H[i][[0, 0, -1, -1], [0, -1, 0, -1]]
        np.testing.assert_allclose(corners, oracle.decision_function(features(grid, p)), rtol=1e-4, atol=1e-4)
        new = 1 - oracle.score(features(Z - X.mean(axis=0), p), z)
        assert s.new[i] == pytest.approx(new)
        assert number(read[f"{('linear', 'polynomial')[i]} test error"]) == pytest.approx(new, abs=0.00051)


def test_far_away_only_the_gaussian_does_not_know():
    s = state(boundaries, data="rings", sigma=0.2, degree=2)
    corners = [np.abs(H[[0, 0, -1, -1], [0, -1, 0, -1]]) for H in s.H]
    assert corners[1].min() > 1 and corners[2].max() < 0.01


def test_shades_are_white_where_nothing_is_known():
    assert probability_shades(np.zeros((1, 1)))[0, 0].tolist() == [255] * 4
    np.testing.assert_array_equal(class_shades(np.full((1, 1, 3), 1 / 3)), np.full((1, 1, 4), 255))
    blue, orange = probability_shades(np.array([[-50.0, 50.0]]))[0]
    assert blue[2] > blue[0] and orange[0] > orange[2] and blue[0] == round(255 * (1 - PALE))


def test_shades_of_three_classes_fade_with_the_lead_of_the_best():
    sure, torn, low = class_shades(np.array([[(0.9, 0.05, 0.05), (0.48, 0.48, 0.04), (0.34, 0.03, 0.01)]]))[0]
    full = 1 - PALE * (1 - COLOURS[0])
    np.testing.assert_allclose(sure[:3], 255 * (1 - 0.85 * (1 - full)), atol=1)
    assert torn[:3].tolist() == [255] * 3
    assert (sure[:3] <= low[:3]).all() and (low[:3] <= torn[:3]).all() and (low != torn).any()


# ---- three classes --------------------------------------------------------------------------


@pytest.mark.parametrize("data", ["arms", "blobs", "petals"])
@pytest.mark.parametrize("degree, lam", [(1, 1.0), (2, 0.1)])
@pytest.mark.parametrize("model", ["softmax", "rest"])
def test_three_probabilities_are_scikit_learns(data, degree, lam, model):
    z = (0.4, -0.7)
    s = state(softmax, points=(z,), data=data, kernel="polynomial", degree=degree, lam=lam, model=model)
    X, y = getattr(datasets, data)()
    oracle = LogisticRegression(C=1 / lam, fit_intercept=False, solver="newton-cholesky", tol=1e-10)
    oracle = oracle if model == "softmax" else OneVsRestClassifier(oracle)
    h = oracle.fit(features(X, degree), y).decision_function(features(np.array([z]), degree))[0]
    p = scipy_softmax(h) if model == "softmax" else expit(h)
    np.testing.assert_allclose(s.p, p, atol=1e-4)
    wrong = int((oracle.predict(features(X, degree)) != y).sum())
    assert softmax.readout(s)["training points wrong"] == f"{wrong} of {len(y)}"


@pytest.mark.parametrize("kernel", ["gaussian", "polynomial"])
@pytest.mark.parametrize("model", ["softmax", "rest"])
def test_the_plane_shows_what_the_bars_show(kernel, model):
    corner = (-2.6, 2.6)
    s = state(softmax, points=(corner,), kernel=kernel, model=model, sigma=2.0)
    np.testing.assert_allclose(s.P[-1, 0], s.p, atol=1e-10)
    if model == "softmax":
        np.testing.assert_allclose(s.P.sum(axis=2), 1, atol=1e-12)


def test_far_away_softmax_is_a_third_and_one_against_the_rest_a_half():
    far = {"points": ((-2.5, 2.5),), "sigma": 0.2}
    np.testing.assert_allclose(state(softmax, **far).p, 1 / 3, atol=0.01)
    np.testing.assert_allclose(state(softmax, **far, model="rest").p, 1 / 2, atol=0.01)


def test_of_a_class_in_the_middle_only_softmax_is_sure():
    line = {"data": "blobs", "kernel": "polynomial", "degree": 1, "lam": 0.1, "points": ((0.0, 0.0),)}
    sure = {model: state(softmax, **line, model=model).p[1] for model in ("softmax", "rest")}
    assert sure["softmax"] > 0.9 and sure["rest"] < 0.5
