"""The explorers of notebook 05 that walk say what the textbook's steps say."""

import numpy as np
import pytest
from course.explorers.weighted_monomials import features
from panels import marks_of, number, readout_of, state_of as state
from scipy.special import expit

from kernelkit import Polynomial, datasets
from kernelkit.course.explorers.drawing.two_descents import planes, run
from kernelkit.course.explorers.kernel_logistic import descents, one_point, step_size

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


def shown(canvas, s):
    """The colours of the plane as it is drawn, in columns from left to right, and where the wiper is in it."""
    box = canvas.axes("plane").bbox.extents.round().astype(int)
    pixels = canvas.frame(s)[::-1][box[1] + 2 : box[3] - 1, box[0] + 2 : box[2] - 1, :3].astype(int)
    wiper = canvas.axes("plane").transData.transform(s.ring)[0] - box[0] - 2
    return pixels, round(wiper)


@pytest.mark.parametrize("x", [-0.8, 0.1, 0.9])
def test_left_of_the_wiper_is_the_picture_in_w_and_right_of_it_the_one_in_a(x):
    canvas = descents.canvas()
    s = state(descents, wiper=((x, 1.1),), degree=5)
    pixels, at = shown(canvas, s)
    swap = state(descents, wiper=((x, 1.1),), degree=5)
    for half, other in (("w", "a"), ("a", "w")):
        both = getattr(s, f"in_{half}")
        swap.in_w, swap.in_a = both, both
        whole, _ = shown(canvas, swap)
        here, there = slice(0, at - 50), slice(at + 50, None)  # beside the wiper, which is up to 50 pixels wide
        same, different = (here, there) if half == "w" else (there, here)
        assert (pixels[:, same] == whole[:, same]).all(), f"the picture in {half}"
        assert (pixels[:, different] != whole[:, different]).any(), f"not the one in {other}"


@pytest.mark.parametrize(
    "values",
    [{"start": "zero"}, {"start": "inside", "degree": 5}, {"start": "zero", "n": 30, "lam": 1.0, "t": 100}],
)
def test_from_a_start_in_the_span_there_is_no_seam_wherever_one_wipes(values):
    canvas = descents.canvas()
    pictures = []
    for x in (-1.0, 0.0, 1.0):
        s = state(descents, **values, wiper=((x, 1.1),))
        assert s.seam.max() < 1e-6 and s.at_ring[0] == pytest.approx(s.at_ring[1], abs=1e-6)
        pixels, at = shown(canvas, s)
        pictures.append(np.delete(pixels, np.s_[at - 40 : at + 40], axis=1) if x == 0 else pixels)
        assert number(descents.readout(s)["‖w − Φᵀa‖"]) == 0
    left, right = (np.abs(pictures[0] - pictures[2])[:, part] for part in (np.s_[80:-80], np.s_[90:-90]))
    assert left.max() <= 3 and right.max() <= 3, "all of it in a, and all of it in w"


@pytest.mark.parametrize("lam", [0.001, 1.0])
def test_outside_the_span_only_lambda_pulls_back(lam):
    s = state(descents, start="outside", n=8, degree=3, lam=lam, t=100)
    factors = (1 - s.r.step * lam) ** np.arange(101)
    np.testing.assert_allclose(s.r.apart, 1.5 * factors, rtol=1e-8, atol=1e-14)  # w and Φᵀa are rounded near 1
    np.testing.assert_allclose(s.r.f, s.r.q, atol=1e-8)  # the training points cannot see it
    start = state(descents, start="outside", n=8, degree=3, lam=lam, t=0)
    assert np.abs(start.in_w - start.in_a).max() > 0.1  # other points can
    assert number(descents.readout(s)["‖w − Φᵀa‖"]) == pytest.approx(1.5 * factors[-1], abs=0.000051)


@pytest.mark.parametrize("degree", [3, 4, 5])
def test_the_wiper_is_as_thick_as_the_two_differ_and_thin_on_training_points(degree):
    for x, y in state(descents, degree=degree).r.X:
        s = state(descents, degree=degree, wiper=((float(x), float(y)),))
        w, a, k = s.r.W[s.t], s.r.A[s.t], Polynomial(degree)
        Z = np.column_stack([np.full(5, x), [-1.15, -0.5, 0.0, 0.5, 1.15]])
        truth = np.abs(expit(k.feature_map()(Z) @ w) - expit(k(Z, s.r.X) @ a))
        along = np.linspace(-1.15, 1.15, len(s.seam))
        np.testing.assert_allclose(np.interp(Z[:, 1], along, s.seam), truth, atol=0.004)
        assert s.at_ring[0] == pytest.approx(s.at_ring[1], abs=1e-9)
        assert np.interp(y, along, s.seam) < 0.02


def test_scene_of_the_question_agrees_at_the_ring_and_not_along_the_wiper():
    s = state(descents, descents.question.scene)
    assert np.linalg.norm(s.r.X - s.ring, axis=1).min() < 0.001
    assert s.seam.max() > 0.4
    start = state(descents)
    assert abs(start.at_ring[0] - start.at_ring[1]) > 0.1, "the first picture shows a seam"


def test_a_click_brings_the_wiper_and_stays_in_its_box():
    s = state(descents)
    assert descents.click["plane"](s, 0.3, -0.2) == {"wiper": ((0.3, -0.2),)}
    assert descents.click["plane"](s, 1.14, -1.15) == {"wiper": ((1.1, -1.1),)}


@pytest.mark.parametrize("values", [{}, *descents.scenes.values()], ids=["start", *descents.scenes])
def test_the_title_says_thick_only_where_the_wiper_is(values):
    canvas, s = descents.canvas(), state(descents, **values)
    (seam,), (wiper,), (name,) = (marks_of(descents, s, what) for what in ("seam", "wiper", "seam name"))
    pixels = np.ptp(canvas.axes("plane").transData.transform(seam.corners[0])[:, 0])
    assert ("thick" in name.words) == (pixels > wiper.width)


@pytest.mark.parametrize("lam", [0.01, 1.0])
def test_the_curve_that_is_still_to_come_is_the_runs(lam):
    s = state(descents, t=10, lam=lam)
    (coming,) = marks_of(descents, s, "coming")
    np.testing.assert_allclose(coming.y, s.r.apart)


def test_there_is_no_outside_when_the_features_are_few():
    s = state(descents, start="outside", n=30, degree=2)
    np.testing.assert_allclose(s.r.apart, 0, atol=1e-10)
    np.testing.assert_allclose(state(descents, "No outside").r.apart, 0, atol=1e-10)


@pytest.mark.parametrize("multiple", [0.25, 1.0, 2.0])
@pytest.mark.parametrize("data", ["rings", "mixture"])
def test_no_step_below_two_over_l_goes_uphill(data, multiple):
    s = state(step_size, data=data, multiple=multiple, t=40)
    assert np.all(np.diff(s.r.loss[0]) <= 1e-12) and s.rises == 0
    assert s.lands <= 1e-9


def test_beyond_two_over_l_rings_go_uphill():
    s = state(step_size, **step_size.scenes["Beyond 2/L"])
    rises = int((np.diff(s.r.loss[0][: s.t + 1]) > 1e-9).sum())
    assert rises > 5 and step_size.readout(s)["steps that raised it"] == f"{rises} of {s.t}"
    long = step_size.scenes[step_size.question.scene]
    assert long["multiple"] == 4.0 and state(step_size, **long).rises == 0
    assert state(step_size, **long).r.loss[0][20] < state(step_size, **long | {"multiple": 1.0}).r.loss[0][20]
    np.testing.assert_allclose(s.r.apart, 0, atol=1e-9)


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
    (ring,) = marks_of(one_point, s, "ring")
    np.testing.assert_allclose([*ring.x, *ring.y], s.r.X[s.r.visited[s.t - 1]])
    assert one_point.readout(s)["point visited"] == s.r.visited[s.t - 1] + 1


def test_one_step_changes_one_weight_and_every_output():
    s = state(one_point, **one_point.scenes[one_point.question.scene])
    i = s.r.visited[s.t - 1]
    others = np.arange(s.n) != i
    assert np.abs(s.da[others]).max() < 0.01 * abs(s.da[i])  # only λ moves them
    K = (s.r.X @ s.r.X.T + 1) ** 3
    np.testing.assert_allclose(s.dq, K @ s.da, atol=1e-12)
    distance, most = np.linalg.norm(s.r.X - s.r.X[i], axis=1), np.abs(s.dq).argmax()
    assert most not in distance.argsort()[:2], "neither itself nor its nearest neighbour, as the question says"
    assert np.linalg.norm(s.r.X[most]) > 2 * np.linalg.norm(s.r.X[i])
    (other,), (bars,) = (marks_of(one_point, s, name) for name in ("other", "dq bars"))
    np.testing.assert_allclose([*other.x, *other.y], s.r.X[most])
    colours = bars.color
    assert colours.count(colours[i]) == colours.count(colours[most]) == 1 < len(set(colours)), "both bars stand out"
    assert number(one_point.readout(s)["largest change of an output"]) == pytest.approx(abs(s.dq[most]), rel=0.01)


def test_a_step_of_one_point_may_raise_the_objective_and_one_of_all_may_not():
    rises = [state(one_point, t=t, multiple=4.0).rise > 0 for t in range(1, 101)]
    assert 10 < sum(rises) < 90
    assert not any(state(one_point, t=t, solver="gd").rise > 0 for t in range(1, 101))
    assert state(one_point, t=0).r.q[0].max() == 0


@pytest.mark.parametrize("multiple", [1.75, 2.0, 2.25, 4.0])
def test_the_objective_that_is_read_off_is_that_of_the_walk_in_w(multiple):
    """The walk in w, with L from the largest eigenvalue."""
    X, y = points("mixture", 6)
    Phi, lam, t = features(X, 3), 0.01, 100
    L = np.linalg.eigvalsh(Phi.T @ Phi)[-1] / 4 + lam

    def walk(length, steps, w):
        for _ in range(steps):
            w = w - length * (lam * w - Phi.T @ (y * expit(-y * (Phi @ w))))
        return w

    def objective(w):
        return (np.logaddexp(0, -y * (Phi @ w)).sum() + lam / 2 * w @ w) / 6

    w = walk(multiple / L, t - 1, np.zeros(Phi.shape[1]))
    after = walk(multiple / L, 1, w)
    read = readout_of(one_point, solver="gd", multiple=multiple, n=6, t=t)
    assert number(read["objective per point"]) == pytest.approx(objective(after), abs=0.000051)
    assert number(read["objective changed by"]) == pytest.approx(objective(after) - objective(w), abs=0.000051)
