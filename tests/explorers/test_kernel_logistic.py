"""The explorers of notebook 05 say what scikit-learn and the textbook formulas say."""

import numpy as np
import pytest
from scipy.special import expit, softmax as scipy_softmax
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.preprocessing import PolynomialFeatures

from kernelkit import Polynomial, PrimalLogistic, datasets
from kernelkit.explorers.kernel_logistic import boundaries, costs, descents, one_point, softmax, step_size
from kernelkit.explorers.kernel_logistic.costs import sgd_in_w
from kernelkit.explorers.shared.shades import COLOURS, PALE, class_shades, probability_shades
from kernelkit.explorers.shared.two_descents import GX, planes, run


def state(explorer, **values):
    return explorer.compute(**explorer.start() | values)


def sentence(explorer, **values):
    return explorer.describe(state(explorer, **values))


def features(X, degree):
    """√weight times every monomial of degree ≤ p in two inputs, in any order."""
    from math import factorial as f

    columns = []
    for i, j in PolynomialFeatures(degree).fit(X).powers_:
        weight = f(degree) / (f(i) * f(j) * f(degree - i - j))
        columns.append(np.sqrt(weight) * X[:, 0] ** i * X[:, 1] ** j)
    return np.column_stack(columns)


# ---- the two descents -----------------------------------------------------------------------

DESCENTS = [
    ("mixture", 16, 3, 0.01, 1.0),
    ("rings", 24, 1, 0.1, 3.0),
    ("moons", 8, 5, 1.0, 4.0),
    ("crossing", 30, 2, 0.001, 0.25),
]


def points(data, n):
    X, y = getattr(datasets, data)(n)
    X = X - X.mean(axis=0)
    return X / np.abs(X).max(), y


@pytest.mark.parametrize("data, n, degree, lam, multiple", DESCENTS)
def test_gradient_descent_is_the_textbook_walk(data, n, degree, lam, multiple):
    r = run(data, n, degree, lam, "gd", multiple, "inside")
    X, y = points(data, n)
    Phi = features(X, degree)
    step = multiple / (np.linalg.eigvalsh(Phi @ Phi.T)[-1] / 4 + lam)
    a = r.A[0]
    f = Phi @ Phi.T @ a
    w = Phi.T @ a
    for t in range(101):
        loss = (np.log1p(np.exp(-y * f)).sum() + lam / 2 * w @ w) / n
        np.testing.assert_allclose(r.loss[:, t], loss, rtol=1e-8)
        np.testing.assert_allclose(r.f[t], f, rtol=1e-7, atol=1e-7)
        w = w + step * (Phi.T @ ((y + 1) / 2 - expit(f)) - lam * w)
        f = Phi @ w


@pytest.mark.parametrize("solver", ["gd", "sgd"])
@pytest.mark.parametrize("start", ["zero", "inside"])
@pytest.mark.parametrize("data, n, degree, lam, multiple", DESCENTS)
def test_every_iterate_agrees_from_a_start_in_the_span(data, n, degree, lam, multiple, start, solver):
    r = run(data, n, degree, lam, solver, multiple, start)
    np.testing.assert_allclose(r.apart, 0, atol=1e-8)
    for t in (0, 20, 100):
        np.testing.assert_allclose(*planes(r, t, data, n, degree), atol=1e-6)
    assert r.W.shape[0] == r.A.shape[0] == 101
    assert bool(np.any(r.W[0])) == (start == "inside")


@pytest.mark.parametrize("values", [{}, {"start": "inside", "degree": 5}, {"n": 30, "lam": 1.0, "t": 100}])
def test_descents_says_that_both_are_one(values):
    s = state(descents, **values)
    assert "w = Φᵀa" in descents.describe(s) and "in w and in a" in descents.describe(s)
    assert s.gap.max() < 1e-6


@pytest.mark.parametrize("lam", [0.001, 1.0])
def test_outside_the_span_only_lambda_pulls_back(lam):
    s = state(descents, start="outside", n=8, degree=3, lam=lam, t=100)
    factors = (1 - s.r.step * lam) ** np.arange(101)
    np.testing.assert_allclose(s.r.apart, 1.5 * factors, rtol=1e-8, atol=1e-14)  # w and Φᵀa are rounded near 1
    np.testing.assert_allclose(s.r.f, s.r.q, atol=1e-8)  # the training points cannot see it
    start = state(descents, start="outside", n=8, degree=3, lam=lam, t=0)
    assert np.abs(start.in_w - start.in_a).max() > 0.1  # other points can
    apart = f"{1.5 * factors[-1]:.4f} apart" if factors[-1] > 1e-4 else "w = Φᵀa"
    assert apart in descents.describe(s) and "1.5000 apart" in descents.describe(start)


def test_scene_of_the_question_differs_everywhere_but_at_the_training_points():
    s = state(descents, **descents.scenes[descents.question.scene])
    w, a, k = s.r.W[s.t], s.r.A[s.t], Polynomial(3)
    Z = np.array([(x, y) for x in GX[::10] for y in GX[::10]])
    of_w, of_a = expit(k.feature_map()(Z) @ w), expit(k(Z, s.r.X) @ a)
    assert s.gap[::10, ::10].T.ravel() == pytest.approx(np.abs(of_w - of_a), abs=1e-10)
    assert np.abs(of_w - of_a).max() > 0.2 and np.abs(s.r.f[s.t] - s.r.q[s.t]).max() < 1e-9


def test_there_is_no_outside_when_the_features_are_few():
    s = state(descents, start="outside", n=30, degree=2)
    np.testing.assert_allclose(s.r.apart, 0, atol=1e-10)
    assert "n = 30 points and D = 6 features every w is some Φᵀa" in descents.describe(s)


@pytest.mark.parametrize("multiple", [0.25, 1.0, 2.0])
@pytest.mark.parametrize("data", ["rings", "mixture"])
def test_no_step_below_two_over_l_goes_uphill(data, multiple):
    s = state(step_size, data=data, multiple=multiple, t=40)
    assert np.all(np.diff(s.r.loss[0]) <= 1e-12) and s.rises == 0
    assert "cannot rise" in step_size.describe(s)


def test_beyond_two_over_l_rings_go_uphill():
    s = state(step_size, **step_size.scenes["Beyond 2/L"])
    rises = int((np.diff(s.r.loss[0][: s.t + 1]) > 1e-9).sum())
    assert rises > 5 and f"it rose {rises} times so far" in step_size.describe(s)
    assert "so far it did not" in sentence(step_size, **step_size.scenes["Lucky"])
    np.testing.assert_allclose(s.r.apart, 0, atol=1e-9)
    assert "w = Φᵀa" in step_size.describe(s)


@pytest.mark.parametrize("data, degree, multiple", [("rings", 1, 3.0), ("moons", 3, 1.0), ("mixture", 5, 0.5)])
@pytest.mark.parametrize("t", [0, 3, 20])
def test_next_step_lands_where_the_run_goes_and_under_the_promise(data, degree, multiple, t):
    s = state(step_size, data=data, degree=degree, multiple=multiple, t=t)
    step, square = s.r.step, np.sum((s.r.W[t + 1] - s.r.W[t]) ** 2) / s.r.step**2
    unit = square * step / multiple / 24  # ‖∇J‖²/L, per point
    change = (s.r.loss[0][t + 1] - s.r.loss[0][t]) / unit
    assert s.lands == pytest.approx(change, abs=1e-12 / unit + 1e-6)
    sizes = np.linspace(0, 4.25, len(s.along))
    assert np.all(s.along <= sizes**2 / 2 - sizes + 1e-6)  # the promise of L
    assert np.all(s.along >= -sizes - 1e-6)  # and J lies above its tangent


def test_sgd_visits_the_ringed_point():
    r = run("mixture", 16, 3, 0.1, "sgd")
    for t, i in enumerate(r.visited):
        rate = r.step / (1 + r.step * 0.1 / 16 * t)
        a = (1 - rate * 0.1 / 16) * r.A[t]
        a[i] += rate * ((r.y[i] + 1) / 2 - expit(r.q[t][i]))
        np.testing.assert_allclose(r.A[t + 1], a, atol=1e-12)
    s = state(one_point)
    canvas = one_point.canvas()
    canvas.frame(s)
    np.testing.assert_allclose(canvas.parts["ring"].get_xydata()[0], s.r.X[s.r.visited[s.t - 1]])
    assert f"looked at point {s.r.visited[s.t - 1] + 1} alone" in one_point.describe(s)


def test_one_step_changes_one_weight_and_every_output():
    s = state(one_point, **one_point.scenes[one_point.question.scene])
    i = s.r.visited[s.t - 1]
    others = np.arange(s.n) != i
    assert np.abs(s.da[others]).max() < 0.01 * abs(s.da[i])  # only λ moves them
    K = (s.r.X @ s.r.X.T + 1) ** 3
    np.testing.assert_allclose(s.dq, K @ s.da, atol=1e-12)
    assert "All 16 outputs moved" in one_point.describe(s) and "outputs" not in sentence(one_point)


def test_a_step_of_one_point_may_raise_the_objective_and_one_of_all_may_not():
    rises = [state(one_point, t=t, multiple=4.0).rise > 0 for t in range(1, 101)]
    assert 10 < sum(rises) < 90 and "rose" in sentence(one_point, t=1 + rises.index(True), multiple=4.0)
    assert not any(state(one_point, t=t, solver="gd").rise > 0 for t in range(1, 101))


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
    key = values["grow"]
    assert f"Predicted slopes in {key}: {slopes}." in sentence(costs, **values)


def test_recovering_w_pays_at_the_crossing():
    s = state(costs, **costs.scenes["Recover w"])
    n, d, D, _ = s.size
    assert 1 / n + 1 / s.even == pytest.approx(d / D)
    assert f"w pays from t = {s.even:.0f} on" in costs.describe(s)
    assert "here w never pays" in sentence(costs, task="test", d=10, degree=4, n=100)


MEASURED = [{"grow": "D", "n": 50, "j": 50}, {"task": "sgd", "n": 50}, {"task": "test", "n": 50}]


@pytest.mark.parametrize("values", MEASURED)
def test_measuring_goes_on_to_the_end_and_is_told(values):
    values = costs.start() | {"degree": 2} | values
    *_, (fraction, measured) = costs.measure(**values)
    s = costs.compute(**values, measured=measured)
    assert fraction == 1 and "Measured" in costs.describe(s) and "Measured" not in sentence(costs, **values)
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
    s = state(boundaries, data=data, degree=degree, lam=lam)
    noise = {"rings": {"noise": 0.25}, "mixture": {}, "half_planes": {"noise": 0.4}}[data]
    (X, y), (Z, z) = getattr(datasets, data)(60, **noise), getattr(datasets, data)(400, random_state=1, **noise)
    grid = np.array([(u, v) for v in (-3.6, 3.6) for u in (-3.6, 3.6)])
    for i, p in ((0, 1), (1, degree)):
        oracle = LogisticRegression(C=1 / lam, fit_intercept=False, solver="newton-cholesky", tol=1e-10)
        oracle.fit(features(X - X.mean(axis=0), p), y)
        corners = s.H[i][[0, 0, -1, -1], [0, -1, 0, -1]]
        np.testing.assert_allclose(corners, oracle.decision_function(features(grid, p)), rtol=1e-4, atol=1e-4)
        new = 1 - oracle.score(features(Z - X.mean(axis=0), p), z)
        assert s.new[i] == pytest.approx(new) and f"{100 * new:.1f}\u00a0% ({s.names[i]})" in boundaries.describe(s)


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
    said = softmax.describe(s)
    assert f"class {p.argmax()} wins" in said and f"{wrong} of the {len(y)} points" in said


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
