"""The explorers of notebook 08 say what the theorem, scikit-learn and the textbook formulas say."""

import numpy as np
import pytest
from panels import axes_of, marks_of, number, readout_of, state_of as state
from sklearn.kernel_ridge import KernelRidge as SklearnKernelRidge
from sklearn.linear_model import LogisticRegression
from sklearn.svm import SVR, LinearSVC

from kernelkit import Gaussian, KernelMachine, KernelSVR, datasets
from kernelkit.course.explorers.representer_theorem import classification_losses, losses, span as span_explorer, tube
from kernelkit.course.explorers.representer_theorem.classification_losses import SHAPES, X1, X2
from kernelkit.course.explorers.representer_theorem.losses import FIXED, GRID, NAMES, loss_of
from kernelkit.course.panel.numbers import fixed
from kernelkit.models import representer

HIGH_UP = ((0.7, 3.5),)


# ---- losses of regression -------------------------------------------------------------------


def points(place):
    X, y = FIXED
    return np.vstack([X, [[place[0]]]]), np.append(y, place[1])


@pytest.mark.parametrize("sigma, lam", [(0.7, 0.1), (0.3, 1.0), (1.5, 0.01)])
def test_squared_loss_is_scikit_learns_kernel_ridge(sigma, lam):
    s = state(losses, loss="squared", sigma=sigma, lam=lam, outlier=HIGH_UP)
    X, y = points(HIGH_UP[0])
    oracle = SklearnKernelRidge(kernel="rbf", gamma=1 / (2 * sigma**2), alpha=lam)
    np.testing.assert_allclose(s.curves["squared"], oracle.fit(X, y).predict(GRID[:, None]), atol=1e-7)
    with_it = oracle.predict(GRID[:, None])
    without = oracle.fit(*FIXED).predict(GRID[:, None])
    assert number(losses.readout(s)["it moves the curve by up to"]) == pytest.approx(
        np.abs(with_it - without).max(), abs=0.0051
    )


@pytest.mark.parametrize("loss", NAMES)
@pytest.mark.parametrize("lam", [0.01, 0.5])
def test_pulls_are_minus_the_slopes_of_the_loss(loss, lam):
    s = state(losses, loss=loss, lam=lam, delta=0.2, outlier=HIGH_UP)
    if loss == "squared":
        np.testing.assert_allclose(s.pull, s.r, atol=1e-7)
    elif loss == "huber":
        np.testing.assert_allclose(s.pull, np.clip(s.r, -0.2, 0.2), atol=1e-5)
    elif loss == "absolute":
        away = np.abs(s.r) > 1e-4
        np.testing.assert_allclose(s.pull[away], np.sign(s.r[away]), atol=1e-9)
        assert np.abs(s.pull).max() <= 1
    else:
        worst = np.abs(s.r) > np.abs(s.r).max() - 1e-4
        assert not s.pull[~worst].any() and np.all(s.pull[worst] * s.r[worst] >= 0)
        assert np.abs(s.pull).sum() == pytest.approx(1)


def test_a_point_far_from_all_others_pulls_little():
    """Far from all others λ is tiny, the curve goes through the point, and its pull is λ times its output."""
    s = state(losses, loss="huber", lam=0.001, sigma=0.3, delta=0.15, outlier=((3.0, 3.4),))
    assert s.pull[-1] == pytest.approx(0.001 * 3.4, rel=0.01) and s.moved > 3
    assert losses.readout(s)["its pull λa"] == "0.003" and losses.tell["low"](s, 3.0, 0.0).endswith("λa = 0.0034")


@pytest.mark.parametrize("loss, follows", [("squared", True), ("absolute", False), ("huber", False), ("maximum", True)])
def test_a_point_that_is_far_matters_by_its_distance_or_not(loss, follows):
    near, far = (state(losses, loss=loss, outlier=((0.7, y),)).curves[loss] for y in (2.5, 3.5))
    assert (np.abs(near - far).max() > 0.1) == follows
    if not follows:
        np.testing.assert_allclose(near, far, atol=1e-5)


@pytest.mark.parametrize("loss", NAMES)
def test_only_the_maximum_has_zero_dual_weights(loss):
    s = state(losses, loss=loss, outlier=HIGH_UP, lam=0.01)
    zeros = int(np.sum(s.pull == 0))
    assert (zeros > 10) == (loss == "maximum") and (zeros == 0) == (loss != "maximum")
    assert losses.readout(s)["zero dual weights"] == f"{zeros} of 17"


@pytest.mark.parametrize("loss", NAMES)
@pytest.mark.parametrize("delta", [0.2, 2.0])
def test_loss_drawn_is_the_loss_that_is_minimised(loss, delta):
    for r in (-3.0, -0.1, 0.0, 1.0):
        value = representer.losses(delta)[loss].total(np.array([r]), np.zeros(1))
        assert loss_of(loss, r, delta) == pytest.approx(value)


def test_absolute_loss_leaves_the_curve_where_it_is_however_far_the_point():
    before, after = (state(losses, **values) for values in ({}, losses.scenes["Absolute, far up"]))
    np.testing.assert_allclose(before.curves["absolute"], after.curves["absolute"], atol=1e-5)
    assert after.r[-1] > before.r[-1] + 1


def test_residual_and_pull_have_the_sign_of_their_side():
    X, y = points((0.7, -2.0))
    h = SklearnKernelRidge(kernel="rbf", gamma=1 / (2 * 0.49), alpha=0.1).fit(X, y).predict([[0.7]])[0]
    read = readout_of(losses, loss="squared", outlier=((0.7, -2.0),))
    assert number(read["ringed point minus curve"]) == pytest.approx(-2 - h, abs=0.0051)
    assert number(read["its pull λa"]) == pytest.approx(-2 - h, abs=0.0051) and "bound of a pull" not in read


def test_no_loss_forgives_a_point_without_neighbours():
    assert abs(state(losses, loss="absolute", outlier=((3.0, 3.0),)).r[-1]) < 1e-4
    for loss in NAMES:
        assert state(losses, loss=loss, outlier=((3.0, 3.0),)).moved > 2


# ---- losses of classification ---------------------------------------------------------------


def features(X, sigma):
    """Exact features of the Gaussian kernel at the training points: K = ΦΦᵀ."""
    K = np.exp(-np.sum((X[:, None] - X) ** 2, axis=-1) / (2 * sigma**2))
    values, vectors = np.linalg.eigh(K)
    return vectors * np.sqrt(np.maximum(values, 0))


@pytest.mark.parametrize("lam, sigma", [(1.0, 0.8), (10.0, 1.5), (0.1, 0.8)])
@pytest.mark.parametrize("loss", SHAPES)
def test_margins_are_scikit_learns(loss, lam, sigma):
    s = state(classification_losses, loss=loss, lam=lam, sigma=sigma)
    X, y = datasets.moons(100, 0.25, 1)
    Phi = features(X, sigma)
    if loss == "logistic":
        model = LogisticRegression(C=1 / lam, fit_intercept=False, tol=1e-10, max_iter=10_000)
    else:
        model = LinearSVC(
            loss=loss, C=1 / lam, fit_intercept=False, tol=1e-9, max_iter=10**6, random_state=0, dual=True
        )
    margins = y * model.fit(Phi, y).decision_function(Phi)
    np.testing.assert_allclose(s.margins, margins, atol=2e-3)
    assert classification_losses.readout(s)["points on the wrong side"] == np.sum(margins <= 0)


@pytest.mark.parametrize("lam", [0.01, 1.0, 100.0])
def test_dual_weights_are_zero_where_the_loss_is_flat(lam):
    for loss in SHAPES:
        s = state(classification_losses, loss=loss, lam=lam)
        flat = np.zeros(100, bool) if loss == "logistic" else s.margins > 1 + 1e-5
        kept = np.zeros(100, bool)
        kept[s.kept] = True
        assert not kept[flat].any() and kept[s.margins < 1 - 1e-5].all()
        assert classification_losses.readout(s)["dual weights not 0"] == f"{kept.sum()} of 100"


def test_losses_drawn_are_their_formulas():
    m = -1.0
    assert SHAPES["hinge"][1](m) == pytest.approx(1 - m)
    assert SHAPES["squared_hinge"][1](m) == pytest.approx((1 - m) ** 2)
    assert SHAPES["logistic"][1](m) == pytest.approx(np.log(1 + np.exp(-m)))


@pytest.mark.parametrize("loss", SHAPES)
def test_every_point_stands_on_its_loss_inside_the_axes(loss):
    for lam in (0.01, 1.0):
        s = state(classification_losses, loss=loss, lam=lam)
        margins, heights = np.hstack([(dots.x, dots.y) for dots in marks_of(classification_losses, s, "dots")])
        np.testing.assert_allclose(np.sort(margins), np.sort(s.margins))
        np.testing.assert_allclose(heights, SHAPES[loss][1](margins))
        axis = axes_of(classification_losses, s)["left"].x
        assert axis.low < margins.min() and margins.max() < axis.high


def test_a_pointer_hears_the_output_and_the_loss():
    s = state(classification_losses)
    model = KernelMachine(Gaussian(0.8), "hinge", 0.1).fit(*datasets.moons(100, 0.25, 1))
    place = np.array([X1[30], X2[50]])
    said = classification_losses.tell["right"](s, *place)
    assert said == f"f = {fixed(model.decision_function(place[None])[0])}"
    assert classification_losses.tell["left"](s, -1.0, 0.0) == "margin −1.00: hinge 2.00"


# ---- the tube -------------------------------------------------------------------------------


@pytest.mark.parametrize("values", [{}, {"C": 10.0, "epsilon": 0.1}, {"sigma": 1.5, "epsilon": 0.6, "noise": 0.4}])
def test_tube_is_scikit_learns(values):
    s, given = state(tube, **values), tube.start() | values
    X, y = datasets.sine(24, given["noise"], 2)
    X, y = np.vstack([X, [[0.7]]]), np.append(y, 1.9)
    peer = SVR(C=given["C"], epsilon=given["epsilon"], gamma=1 / (2 * given["sigma"] ** 2), tol=1e-6).fit(X, y)
    np.testing.assert_allclose(s.f, peer.predict(np.linspace(-3.2, 3.2, 161)[:, None]), atol=5e-3)
    assert tube.readout(s)["support vectors"] == f"{len(peer.support_)} of 25"


@pytest.mark.parametrize("epsilon", [0.0, 0.15, 0.6])
@pytest.mark.parametrize("C", [0.05, 1.0, 100.0])
def test_each_role_is_a_place_beside_the_tube(C, epsilon):
    s = state(tube, C=C, epsilon=epsilon)
    beyond = np.abs(s.r) - epsilon
    assert sum(which.astype(int) for which in s.roles.values()).tolist() == [1] * 25
    assert (beyond[s.roles["inside"]] <= 1e-5).all() and (beyond[s.roles["outside"]] >= -1e-5).all()
    assert np.abs(beyond[s.roles["edge"]]).max(initial=0) <= 1e-5
    pulls = s.a[s.roles["outside"]]
    assert (np.abs(pulls) == C).all() and (np.sign(pulls) == np.sign(s.r[s.roles["outside"]])).all()


def test_the_axis_of_the_margins_stays_so_that_the_points_are_seen_to_move():
    states = [state(classification_losses, lam=lam) for lam in (0.01, 1.0, 100.0)]
    assert len({axes_of(classification_losses, s)["left"].x for s in states}) == 1


def test_the_picture_of_all_four_says_whose_pulls_they_are_and_shows_no_pale_curve():
    four, squared = state(losses, "All four"), state(losses, "Squared, far up")
    assert "Huber" in marks_of(losses, four, "whose")[0].words and not marks_of(losses, four, "without")
    assert marks_of(losses, squared, "without"), "one curve, and the one without the point"
    assert len(marks_of(losses, four, "bounds")) == 2 and not marks_of(losses, squared, "bounds"), "there is no bound"


def test_a_tall_tube_needs_no_point_and_lies_midway():
    s = state(tube, **tube.scenes[tube.question.scene])
    assert not s.a.any() and len(s.support) == 0
    np.testing.assert_allclose(s.f, (s.y.max() + s.y.min()) / 2, atol=1e-6)
    assert abs(s.f[0] - s.y.mean()) > 0.2  # the options of the question differ
    assert tube.scenes[tube.question.scene].keys() == {"epsilon"}  # only what the question changes


@pytest.mark.parametrize("C", [0.01, 0.0251189, 0.158489, 1.0, 100.0])
@pytest.mark.parametrize("epsilon", [0.3, 1.1])
def test_without_the_points_inside_the_curve_stays_or_moves_up_or_down(C, epsilon):
    """The points inside have no part in w; where no point is on the edge, they bound b."""
    found = state(tube, C=C, epsilon=epsilon)
    kept = ~found.roles["inside"]
    rest = KernelSVR(Gaussian(0.7), C, epsilon, tol=1e-6).fit(found.X[kept, None], found.y[kept])
    moved = rest.predict(np.linspace(-3.2, 3.2, 161)[:, None]) - found.f
    assert np.ptp(moved) < 0.01
    if found.roles["edge"].any():
        assert np.abs(moved).max() < 0.005


def test_a_point_outside_the_tube_pulls_no_harder_from_afar_and_one_inside_not_at_all():
    near, far = state(tube), state(tube, **tube.scenes["Outlier far up"])
    np.testing.assert_allclose(near.f, far.f, atol=1e-4)
    assert far.r[-1] > near.r[-1] + 0.5 and near.a[-1] == far.a[-1] == 1.0
    inside = state(tube, outlier=((0.7, 1.0),))
    without = state(tube, outlier=((0.7, 1.05),))
    assert inside.a[-1] == 0 and tube.readout(far)["dual weight of the marked point"] == "1"
    np.testing.assert_allclose(inside.f, without.f, atol=1e-4)


def test_pointer_over_the_tube_hears_its_edges_and_pulls():
    s = state(tube)
    f = np.interp(0.5, np.linspace(-3.2, 3.2, 161), s.f)
    assert tube.tell["axes"](s, 0.5, 0.0) == f"f(0.5) = {fixed(f)}, tube {fixed(f - 0.3)} to {fixed(f + 0.3)}"
    assert tube.tell["low"](s, 0.71, 0.0) == "x = 0.7: a = 1"
    assert tube.tell["shape"](s, -1.0, 0.0) == "r = −1: loss 0.7" and tube.tell["shape"](s, 0.2, 0.0).endswith("loss 0")


# ---- gradient descent and the span ----------------------------------------------------------


@pytest.mark.parametrize("first", [(1.2, 0.6), (-0.3, 2.0), (0.05, -0.1)])
@pytest.mark.parametrize("rate", [0.1, 1.0, 1.8])
def test_part_outside_the_span_stays_for_ever(first, rate):
    s = state(span_explorer, places=((-1.4, 1.6), first), rate=rate, step=60)
    normal = np.array([-first[1], first[0]]) / np.hypot(*first)
    outside = normal @ [-1.4, 1.6]
    np.testing.assert_allclose(s.path @ normal, outside, atol=1e-10)
    read = span_explorer.readout(s)
    assert read["length outside"] == read["length outside at the start"] == f"{abs(outside):.2f}"


def test_descent_ends_at_the_perfect_fit_nearest_to_the_start():
    s = state(span_explorer, rate=1.0, step=60)
    x, start = np.array([1.2, 0.6]), np.array([-1.4, 1.6])
    np.testing.assert_allclose(s.path[-1], start + x * (1 - x @ start) / (x @ x), atol=1e-10)


@pytest.mark.parametrize("start", [(0.0, 0.0), (-2.0, -1.0)])
def test_start_in_the_span_ends_at_the_shortest_solution(start):
    s = state(span_explorer, places=(start, (1.2, 0.6)), rate=1.0, step=60)
    np.testing.assert_allclose(s.path[-1], np.array([1.2, 0.6]) / 1.8, atol=1e-10)
    np.testing.assert_allclose(s.shortest, s.path[-1], atol=1e-10)


def test_penalty_shrinks_the_part_outside_by_the_same_factor_each_step():
    s = state(span_explorer, lam=0.2, rate=0.5, step=30)
    factor = 1 - 0.5 / (1.8 + 0.2) * 0.2
    before = np.linalg.norm(s.outside[0])
    np.testing.assert_allclose(np.linalg.norm(s.outside, axis=1), before * factor ** np.arange(61), rtol=1e-9)
    read = span_explorer.readout(s)
    assert read["length outside at the start"] == f"{before:.2f}"
    assert read["length outside"] == f"{before * factor**30:.2f}"


def test_two_directions_leave_nothing_outside():
    s = state(span_explorer, points=2, step=60, rate=1.8)
    np.testing.assert_allclose(s.outside, 0, atol=1e-12)
    np.testing.assert_allclose(s.shortest, np.linalg.solve([[1.2, 0.6], [-0.7, 0.9]], [1.0, 0.5]))


def test_point_at_zero_spans_nothing():
    s = state(span_explorer, places=((-1.4, 1.6), (0.0, 0.0)), step=5)
    assert s.rank == 0 and span_explorer.readout(s)["length in the span"] == "0.00"
    span_explorer.canvas().frame(s)


# ---- what follows ---------------------------------------------------------------------------


def test_three_points_carry_the_curve_of_the_maximum():
    s = state(losses, **losses.scenes["Maximum, far up"])
    assert losses.readout(s)["zero dual weights"] == "14 of 17"


def test_only_the_farthest_points_pull_on_the_maximum():
    s = state(losses, loss="maximum")
    assert np.abs(s.r[~s.zero]).min() == pytest.approx(np.abs(s.r).max(), abs=1e-4)


@pytest.mark.parametrize(
    ("sigma", "lam", "place", "kind"),
    [
        (0.3, 0.001, (0.0, 0.0), "through every point"),
        (0.3, 0.002, (2.9, -0.3), "through every point"),
        (0.3, 0.00501187, (2.9, -0.3), "only the farthest points pull"),  # none is farther than 0.003
        (0.35, 0.00125893, (2.9, -0.3), "all of them pull"),  # none is farther than 0.005
        (0.3, 0.01, (0.0, 0.0), "all of them pull"),
        (0.7, 0.1, (0.7, 3.4), "only the farthest points pull"),
    ],
)
def test_the_maximum_goes_through_every_point_just_where_the_pulls_for_it_add_up_to_less_than_1(
    sigma, lam, place, kind
):
    """The curve through all points has the dual weights K⁻¹y, so the pulls λK⁻¹y."""
    values = {"loss": "maximum", "sigma": sigma, "lam": lam, "outlier": (place,)}
    s = state(losses, **values)
    X, y = points(place)
    K = np.exp(-((X - X.T) ** 2) / (2 * sigma**2))
    through = lam * np.abs(np.linalg.solve(K, y)).sum() < 1
    assert (kind == "through every point") is bool(through)
    away, pulling = np.abs(y - K @ s.pull / lam), int((s.pull != 0).sum())
    if through:
        assert np.allclose(s.pull, lam * np.linalg.solve(K, y), atol=1e-6)
    else:
        assert (kind == "all of them pull") == (pulling == len(y)) == (np.ptp(away) < 1e-5)
        assert np.abs(s.pull).sum() == pytest.approx(1)


@pytest.mark.parametrize(
    ("lam", "sigma", "noise", "close"),
    [(0.01, 0.3, 0.05, True), (0.01, 0.3, 0.5, True), (3.98107, 1.95, 0.25, True), (0.1, 0.8, 0.25, False)],
)
def test_with_the_squared_hinge_each_margin_below_1_is_counted_however_close_it_is(lam, sigma, noise, close):
    """The points inside are those whose loss is a square, so that ridge on them alone leaves just them inside."""
    X, y = datasets.moons(100, noise, 1)
    K = np.exp(-((X[:, None] - X) ** 2).sum(axis=2) / (2 * sigma**2))
    inside = np.ones(100, bool)
    for _ in range(20):
        a = np.zeros(100)
        a[inside] = np.linalg.solve(K[np.ix_(inside, inside)] + lam / 2 * np.eye(inside.sum()), y[inside])
        inside, before = y * (K @ a) < 1, inside
    assert (inside == before).all() and bool(np.abs(1 - y * (K @ a)).min() < 1e-5) is close
    read = readout_of(classification_losses, loss="squared_hinge", lam=lam, sigma=sigma, noise=noise)
    assert read["points inside the margin"] == f"{inside.sum()}"
