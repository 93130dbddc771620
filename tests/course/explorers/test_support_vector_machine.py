"""What notebook 07's explorers say, against scikit-learn and against the formulas in plain numpy."""

import numpy as np
import pytest
from panels import axes_of, corners, drag, marks_of, number, readout_of, state_of
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.multiclass import OneVsRestClassifier
from sklearn.svm import SVC

from kernelkit import KernelSVM, Linear, datasets
from kernelkit.course.explorers.data.mixture import ACROSS, LOW, UP
from kernelkit.course.explorers.support_vector_machine import PANELS, boundary, classes, smo, strip, three_kernels
from kernelkit.course.explorers.support_vector_machine.boundary import MINE
from kernelkit.course.explorers.support_vector_machine.classes import LENGTHS, WIDTHS
from kernelkit.course.explorers.support_vector_machine.strip import SIGMAS
from kernelkit.course.explorers.support_vector_machine.three_kernels import SIDE, UPWARD
from kernelkit.course.panel.controls import Question
from kernelkit.course.panel.numbers import percent
from kernelkit.course.panel.scenes import between


def svc(sigma=1.0, C=1.0, **changes):
    return SVC(**{"kernel": "rbf", "gamma": 1 / (2 * sigma**2), "C": C, "tol": 1e-5} | changes)


def test_the_row_of_own_points_is_always_there():
    """A row that comes and goes would push the picture away from under the pointer."""
    box = boundary().inputs["mine"]
    rows = (box.chosen, *box.coordinates, box.add_button, box.remove_button)
    for press in (None, box.add_button, box.remove_button, box.remove_button):
        if press:
            press.click()
        assert all(row.layout.display is None for row in rows)
    assert [point[2:] for point in box.value] == [(0, "mixture", 199)], "the last of the data, after the added one"


def marked(axes, name):
    """The places of the marks of this name, in any order."""
    marks = [mark for mark in axes.marks if mark is not None and mark.name == name]
    return sorted(place for mark in marks for place in zip(mark.x, mark.y, strict=True))


@pytest.mark.parametrize("explorer", [three_kernels, boundary, smo])
def test_in_every_panel_support_vectors_are_ringed_and_all_others_pale(explorer):
    state = state_of(explorer)
    axes = axes_of(explorer, state)
    if explorer is three_kernels:
        shown = [(axes[f"plane {i}"], m.support, m.on_margin) for i, m in enumerate(state.machines)]
    elif explorer is smo:
        shown = [(axes["plane"], np.flatnonzero(state.alpha > 1e-9), state.inside)]
    else:
        shown = [(axes["axes"], state.support, state.on_margin)]
    for plane, support, on_margin in shown:
        others = np.setdiff1d(np.arange(len(state.y)), support)
        for name, those in (("rings", support), ("filled", on_margin), ("idle", others)):
            assert marked(plane, name) == sorted(map(tuple, state.X[those]))
        assert 0 < len(support)


def test_every_panel_asks_and_shows_the_answer_in_a_scene_alone():
    for explorer in PANELS:
        question = explorer.question
        assert isinstance(question, Question), explorer.title
        start = explorer.start()
        assert start | explorer.scenes[question.scene] != start, "the start would show the answer"


# ---- boundary --------------------------------------------------------------------------------


@pytest.mark.parametrize(("sigma", "C"), [(0.1, 10.0), (0.501187, 1.0), (1.0, 0.01), (1.0, 100.0), (10.0, 1.0)])
def test_boundary_says_what_scikit_learn_finds_on_the_mixture(sigma, C):
    X, y = datasets.mixture(200)
    theirs = svc(sigma, C).fit(X, y)
    inside = np.abs(theirs.dual_coef_) < C * (1 - 1e-6)
    test = datasets.mixture(2000, random_state=26)
    read = readout_of(boundary, sigma=sigma, C=C)
    support, free = number(read["support vectors"]), number(read["exactly on the margin"])
    # both solvers stop at a tolerance, so a point at the edge may fall to either side
    assert read["support vectors"].endswith(" of 200") and abs(support - len(theirs.support_)) <= 1
    assert abs(free - inside.sum()) <= 1
    assert number(read["training error"]) == pytest.approx(1 - theirs.score(X, y), abs=0.00051)
    assert number(read["test error"]) == pytest.approx(1 - theirs.score(*test), abs=0.0011)


@pytest.mark.parametrize("data", ["moons", "rings", "circles"])
@pytest.mark.parametrize(
    ("kernel", "changes"),
    [
        ("linear", {"kernel": "linear"}),
        ("polynomial", {"kernel": "poly", "degree": 3, "gamma": 1, "coef0": 1}),
    ],
)
def test_boundary_says_what_scikit_learn_finds_with_other_kernels(data, kernel, changes):
    X, y = getattr(datasets, data)(200)
    theirs = svc(**changes).fit(X, y)
    assert readout_of(boundary, data=data, kernel=kernel)["training error"] == percent(1 - theirs.score(X, y))
    state = boundary.compute(**boundary.start() | {"data": data, "kernel": kernel})
    grid = np.array(np.meshgrid(ACROSS, UP)).reshape(2, -1).T
    wanted = theirs.decision_function(grid).reshape(state.H.shape)
    np.testing.assert_allclose(state.H, wanted, atol=0.02 * np.abs(wanted).max())


def test_bayes_error_is_that_of_the_true_densities():
    X, y = datasets.mixture(2000, random_state=26)
    means = datasets._MEANS
    densities = [rbf_kernel(X, m, gamma=1 / (2 * datasets._SPREAD)).mean(axis=1) for m in means]
    wrong = np.mean((densities[1] > densities[0]) != (y > 0))
    assert readout_of(strip)["Bayes error"] == percent(wrong) and state_of(boundary).bayes[1] == pytest.approx(wrong)
    assert wrong == pytest.approx(datasets.mixture_bayes_error(), abs=2e-3)


def test_own_points_are_learned_with_the_others():
    mine = ((1.5, 0.5, 1), (-1.0, 2.0, -1))
    X, y = datasets.mixture(200)
    theirs = svc(1.0, 10.0).fit(np.vstack([X, [[1.5, 0.5], [-1.0, 2.0]]]), np.append(y, [1, -1]))
    assert readout_of(boundary, sigma=1.0, C=10.0, mine=mine)["support vectors"] == f"{len(theirs.support_)} of 202"


def test_every_point_can_be_moved_and_taken_away():
    X, y = datasets.mixture(200)
    theirs = svc(1.0, 10.0).fit(np.vstack([X[:7], [[0.3, -1.5]], X[8:150], X[151:]]), np.delete(y, 150))
    mine = ((0.3, -1.5, y[7], "mixture", 7), (*X[150], 0, "mixture", 150), (0.0, 0.0, 0, "rings", 3))
    assert readout_of(boundary, sigma=1.0, C=10.0, mine=mine)["support vectors"] == f"{len(theirs.support_)} of 199"
    exec(boundary.code(**boundary.start() | {"mine": mine}), {})


THROW = "Throw away what does not matter"


def test_points_on_which_nothing_depends_can_go():
    """The first question of the notebook, answered by hand: h does not move by the width of a pixel."""
    panel = boundary(mine=((3.0, -1.0, -1), (0.3, -1.5, -1, "mixture", 7)))
    before, idle = panel.state, len(panel.state.idle)
    panel.do(panel.explorer.act[THROW])
    after = panel.state
    assert idle > 60 and len(after.y) == len(before.y) - idle == len(after.support) and after.own == []
    assert len(after.thrown) == idle and (after.thrown[:, 1] < LOW[1]).all()
    np.testing.assert_allclose(after.H, before.H, atol=1e-3)
    np.testing.assert_array_equal(after.usual, before.usual, "the shading is measured where it was")
    panel.go("Reset")
    assert len(panel.state.y) == 202 - 1


def test_points_that_fall_are_not_learned_on_their_way():
    start = boundary.start()
    end = start | boundary.act[THROW](**start)
    states = [boundary.compute(**between(boundary.controls, start, end, part)) for part in (0.2, 0.6, 0.9, 1.0)]
    for state in states[:-1]:
        np.testing.assert_array_equal(state.y, states[-1].y)
        assert len(state.thrown) == len(states[-1].thrown) and (state.thrown[:, 1] >= LOW[1]).any()
    heights = [state.thrown[:, 1].mean() for state in states]
    assert heights == sorted(heights, reverse=True)


def test_a_point_brought_back_matters_once_it_crosses_its_margin():
    panel = boundary()
    panel.do(panel.explorer.act[THROW])
    before = panel.state.H
    point = next(p for p in MINE.present(panel.values) if not p[2])
    index = MINE.present(panel.values).index(point)
    label = MINE.label_of(panel.values, *point[3:])
    row, column = np.unravel_index((label * before).argmax(), before.shape)
    sure = ACROSS[column], UP[row]
    panel.set(mine=MINE.moved(panel.values, index, sure))
    assert len(panel.state.y) == 134 and (label * before).max() > 1
    np.testing.assert_allclose(panel.state.H, before, atol=1e-3)
    row, column = np.unravel_index((label * before).argmin(), before.shape)
    panel.set(mine=MINE.moved(panel.values, index, (ACROSS[column], UP[row])))
    assert np.abs(panel.state.H - before).max() > 0.5


@pytest.mark.parametrize("plane", range(3))
def test_sixteen_points_can_be_touched_in_each_plane(plane):
    panel = three_kernels()
    x, y = panel.picture.marks["places"][16 * plane + 4]
    drag(panel, id=1, x0=x, y0=y, x=x, y=y, done=True)
    assert len(panel.state.y) == 15
    support = panel.state.machines[plane].support
    assert len(support) <= 15


@pytest.mark.parametrize("mine", [(), ((0.0, 0.0, -1),), ((0.0, 0.0, 1), (1.0, 0.0, 1))])
def test_of_one_class_nothing_is_learned(mine):
    state = state_of(boundary, data="mine", mine=mine)
    assert not state.ready and boundary.readout(state)["support vectors"] is None
    exec(boundary.code(**boundary.start() | {"data": "mine", "mine": mine}), {})


def same_picture(explorer, one, other):
    """The same readout, and pixels that differ by rounding at the edge of a line at most."""
    a, b = (explorer.canvas().frame(state).astype(int) for state in (one, other))
    return explorer.readout(one) == explorer.readout(other) and (np.abs(a - b).max(axis=-1) > 3).mean() < 1e-3


SWEEPS = [
    (boundary, "sigma", [0.5, 0.2, 0.1, 0.3, 2.0, 10.0, 1.0], {"C": 100.0}),
    (boundary, "C", [1000.0, 0.01, 3.0], {"data": "rings", "kernel": "polynomial", "degree": 4}),
    (boundary, "mine", [((0.0, 0.0, 1),), ((0.0, 0.0, 1), (1.0, 1.0, -1)), ((1.0, 1.0, -1),)], {"data": "moons"}),
    (boundary, "data", ["moons", "mine", "mixture"], {"mine": ((0.0, 0.0, 1), (1.0, 1.0, -1))}),
    (boundary, "kernel", ["polynomial", "linear", "gaussian"], {"C": 10.0}),
    (strip, "C", [0.01, 100.0, 1.0], {}),
    (strip, "data", ["moons", "mixture"], {}),
    (three_kernels, "C", [100.0, 0.1, 2.0], {}),
    (three_kernels, "offset", [0.0, 1.0], {}),
]


@pytest.mark.parametrize(("explorer", "name", "path", "fixed"), SWEEPS)
def test_where_the_slider_came_from_does_not_matter(explorer, name, path, fixed):
    """A warm start only saves time: the state is the one of a cold start, up to a small tolerance."""
    state = None
    for value in path:
        state = explorer.compute(**explorer.start() | fixed | {name: value}, before=state)
    assert same_picture(explorer, state, explorer.compute(**explorer.start() | fixed | {name: path[-1]}))


def test_the_bayes_boundary_and_own_points_are_named_where_they_are():
    for data, mine in (("mixture", ()), ("moons", ((0.0, 0.0, 1),))):
        state = state_of(boundary, data=data, mine=mine)
        assert len(marks_of(boundary, state, "bayes")) == 4 * (data == "mixture")
        assert len(marks_of(boundary, state, "yours")) == 2 * len(mine)


def test_a_tiny_price_alone_keeps_all_points():
    changed = boundary.scenes["C tiny"]
    assert list(changed) == ["C"] and changed["C"] == pytest.approx(boundary.start()["C"] / 100)
    before, after = (boundary.compute(**boundary.start() | values) for values in ({}, changed))
    assert len(before.support) == 133 and len(after.support) == 200 and after.test <= before.test
    np.testing.assert_allclose(np.abs(after.a), changed["C"])


def test_a_small_sigma_learns_the_sample_by_heart():
    before, after = (boundary.compute(**boundary.start() | v) for v in ({}, boundary.scenes["Too small σ"]))
    assert after.train < before.train and after.test > before.test


# ---- small multiples, three kernels, three classes -------------------------------------------


@pytest.mark.parametrize("C", [0.1, 1.0, 10.0])
def test_strip_says_the_errors_of_scikit_learn(C):
    X, y = datasets.mixture(200)
    Z, t = datasets.mixture(2000, random_state=26)
    models = [svc(sigma, C).fit(X, y) for sigma in SIGMAS]
    shown = state_of(strip, C=C)
    np.testing.assert_allclose(shown.train, [1 - m.score(X, y) for m in models], atol=0.0005)
    right = [m.score(Z, t) for m in models]
    np.testing.assert_allclose(shown.test, 1 - np.array(right), atol=0.0011)


@pytest.mark.parametrize(
    ("C", "degree", "offset", "gamma", "sigma"),
    [
        (1.0, 3, 1.0, 1.0, 1.0),
        (1.0, 3, 0.0, 1.0, 0.5),
        (10.0, 2, 1.0, 1.0, 2.0),
        (1.0, 3, 0.0, 2.0, 1.0),
        (1.0, 2, 1.0, 0.5, 1.0),
    ],
)
def test_three_kernels_says_what_scikit_learn_finds(C, degree, offset, gamma, sigma):
    X, y = datasets.sixteen()
    poly = {"kernel": "poly", "degree": degree, "gamma": gamma, "coef0": offset}
    models = [svc(C=C, **c).fit(X, y) for c in ({"kernel": "linear"}, poly, {"gamma": 1 / (2 * sigma**2)})]
    read = readout_of(three_kernels, C=C, degree=degree, offset=offset, gamma=gamma, sigma=sigma)
    for name, model in zip(("linear", "polynomial", "Gaussian"), models, strict=True):
        wrong = (model.predict(X) != y).sum()
        assert read[name] == f"{len(model.support_)} support vectors, {wrong} of 16 wrong"


@pytest.mark.parametrize("values", [{}, {"offset": 0.0, "degree": 2}, {"C": 100.0}])
def test_crosses_of_three_kernels_are_the_points_on_the_other_side(values):
    state = state_of(three_kernels, **values)
    poly = {"kernel": "poly", "degree": 3, "gamma": 1, "coef0": 1.0}
    poly |= {"degree": values.get("degree", 3), "coef0": values.get("offset", 1.0)}
    for i, given in enumerate(({"kernel": "linear"}, poly, {"gamma": 0.5})):
        theirs = SVC(C=values.get("C", 1.0), tol=1e-8, **given).fit(state.X, state.y)
        wrong = state.X[state.y * theirs.decision_function(state.X) <= 1e-5]
        assert marked(axes_of(three_kernels, state)[f"plane {i}"], "missed") == sorted(map(tuple, wrong))


def test_the_scene_poly_is_scikit_learns_call_with_gamma_2():
    """SVC(kernel="poly", gamma=2) fits (2xᵀz)³: coef0 is 0."""
    X, y = datasets.sixteen()
    theirs = SVC(kernel="poly", gamma=2, tol=1e-8).fit(X, y)
    state = three_kernels.compute(**three_kernels.start() | three_kernels.scenes["γ = 2, c = 0"])
    wanted = theirs.decision_function(np.array(np.meshgrid(SIDE, UPWARD)).reshape(2, -1).T)
    np.testing.assert_allclose(state.machines[1].H.ravel(), wanted, atol=1e-4 * np.abs(wanted).max())
    assert marks_of(three_kernels, state, "kernel")[1].words == "(2xᵀz)³"


def test_a_point_on_the_line_is_wrong_on_every_processor():
    """At some prices a point lies on the line but for rounding: whichever sign it gets, it is not right."""
    X, y = datasets.sixteen()
    for C in 10 ** np.arange(-1, 2.01, 0.1):
        state = three_kernels.compute(**three_kernels.start() | {"C": float(C)})
        h = KernelSVM(Linear(), C, tol=1e-9).fit(X, y).decision_function(X)
        assert state.machines[0].wrong == np.sum(y * h < 1e-4)


def test_filled_points_stand_at_plus_and_minus_one():
    state = three_kernels.compute(**three_kernels.start())
    for model in state.machines:
        for i in model.on_margin:
            x, up = np.searchsorted(SIDE, state.X[i, 0]), np.searchsorted(UPWARD, state.X[i, 1])
            around = model.H[up - 1 : up + 1, x - 1 : x + 1]
            assert around.min() - 0.02 <= state.y[i] <= around.max() + 0.02


@pytest.mark.parametrize("level", [1.0, 0.5])
def test_the_dashed_lines_of_three_kernels_are_where_scikit_learn_says_the_chosen_level(level):
    state = state_of(three_kernels, level=level)
    kernels = {"kernel": "linear"}, {"kernel": "poly", "degree": 3, "gamma": 1, "coef0": 1.0}, {"gamma": 0.5}
    for lines, kernel in zip(marks_of(three_kernels, state, "boundary"), kernels, strict=True):
        theirs = SVC(C=1.0, tol=1e-8, **kernel).fit(state.X, state.y)
        assert lines.levels == (-level, 0.0, level) and lines.style == ("--", "-", "--")
        for h in lines.levels:
            np.testing.assert_allclose(theirs.decision_function(corners(lines, h)), h, atol=0.02)


def test_even_homogeneous_kernel_is_symmetric():
    state = three_kernels.compute(**three_kernels.start() | {"degree": 2, "offset": 0.0})
    np.testing.assert_allclose(state.machines[1].H, state.machines[1].H[::-1, ::-1], atol=1e-9)


def test_classes_says_what_scikit_learn_finds():
    X, y = datasets.iris()
    for sigma in (0.3, 1.0, 2.0):
        theirs = OneVsRestClassifier(svc(sigma)).fit(X[:, 2:], y)
        wrong = int((theirs.predict(X[:, 2:]) != y).sum())
        read = readout_of(classes, sigma=sigma)
        assert read["training irises wrong"] == f"{wrong} of 150"
        grid = np.array(np.meshgrid(LENGTHS, WIDTHS)).reshape(2, -1).T
        claims = np.sum([one.decision_function(grid) > 0 for one in theirs.estimators_], axis=0)
        assert number(read["no model says yes"]) == pytest.approx(np.mean(claims == 0), abs=0.0011)
        assert number(read["more than one says yes"]) == pytest.approx(np.mean(claims > 1), abs=0.0011)


def test_a_line_cannot_say_versicolor():
    """The middle class is balanced by the two others, so its best line is w = 0, b = −1."""
    X, y = datasets.iris()
    X, y = X[:, 2:], np.where(y == 1, 1, -1)
    exact = KernelSVM(Linear(), tol=1e-9).fit(X, y)
    np.testing.assert_allclose(exact.decision_function(X), -1.0, atol=1e-6)
    state = classes.compute(**classes.start() | {"kernel": "linear"})
    np.testing.assert_allclose(state.H[1], -1.0, atol=1e-4)
    assert (state.H.argmax(axis=0) == 1).any()


@pytest.mark.parametrize("C", [0.1, 1.0, 10.0, 100.0])
def test_what_a_line_says_does_not_depend_on_the_order_of_the_irises(C, monkeypatch):
    """Order changes every rounding, as another processor does, and how coinciding irises share their weight."""
    values = classes.start() | {"kernel": "linear", "C": C}
    state = classes.compute(**values)
    X, y = datasets.iris()
    order = np.random.default_rng(0).permutation(len(y))
    monkeypatch.setattr(datasets, "iris", lambda: (X[order], y[order]))
    other = classes.compute(**values)
    assert classes.readout(other) == classes.readout(state) and (other.inside == state.inside).all()


def test_two_machines_claim_grey_and_nobody_white():
    state = classes.compute(**classes.start() | {"sigma": 0.5, "C": 0.2})
    rgb = np.stack(axes_of(classes, state)["axes"].marks[0].fields, axis=-1)
    claims = (state.H > 0).sum(axis=0)
    assert (rgb[claims == 0] == 1).all() and (rgb[claims == 1].min(axis=-1) < 1).all()
