"""Theorems about the panels of notebook 11, and what its text says on the data it uses."""

import numpy as np
import pytest
from panels import axes_of, marks_of, number, readout_of, state_of as state
from scipy.spatial.distance import cdist
from sklearn.metrics.pairwise import cosine_similarity, polynomial_kernel
from sklearn.svm import OneClassSVM

from kernelkit import (
    Gaussian,
    KernelDBSCAN,
    KernelKMeans,
    KernelLinkage,
    KernelOneClass,
    KernelOutliers,
    Linear,
    Normalized,
    Overlap,
    Periodic,
    Polynomial,
    datasets,
)
from kernelkit.course.explorers.distances_and_clusters import bought_also, groups, k_means, neighbours, outliers
from kernelkit.course.explorers.distances_and_clusters.k_means import agreement
from kernelkit.course.panel.marks import Dots
from kernelkit.course.plots import contour_lines

# ---- neighbours -----------------------------------------------------------------------------------

PLACES = [(x, y) for x in (-2.2, -0.7, 0.0, 1.1, 2.2) for y in (-2.2, -0.2, 0.9, 2.2)]


def on_the_edge(shown):
    """Places on the border of the ball as it is drawn."""
    return line_of(neighbours, shown, "edge")


def line_of(explorer, shown, name):
    """Places on a level line of this name."""
    (mark,) = marks_of(explorer, shown, name)
    return np.vstack(*contour_lines(mark.x, mark.y, mark.H, mark.levels))


def dots_of(explorer, shown, name):
    """The dots in the axes of this name."""
    return [mark for mark in axes_of(explorer, shown)[name].marks if isinstance(mark, Dots)]


@pytest.mark.parametrize("family", neighbours.controls[1].ends())
@pytest.mark.parametrize("z", PLACES[::3])
def test_the_ball_holds_the_neighbours_and_nobody_else(family, z):
    for count in (1, 5, 12):
        shown = state(neighbours, family=family, count=count, query=(z,))
        far = shown.k.diag(shown.X) - 2 * shown.k(z, shown.X) + shown.k(z, z)
        assert len(shown.near) == count and (far[shown.near] <= shown.radius**2 + 1e-9).all()
        assert set(np.flatnonzero(far < shown.radius**2 - 1e-9)) <= set(shown.near)


@pytest.mark.parametrize("data", neighbours.controls[0].options)
@pytest.mark.parametrize("sigma", [0.4, 1.0, 3.0])
def test_with_a_gaussian_nobodys_neighbours_change(data, sigma):
    for z in PLACES:
        shown = state(neighbours, data=data, family="gaussian", sigma=sigma, count=15, query=(z,))
        assert set(shown.near) == set(np.argsort(np.linalg.norm(shown.X - z, axis=1))[:15]) and shown.others == 0


@pytest.mark.parametrize("sigma", [0.4, 1.0, 3.0])
def test_the_ball_of_a_gaussian_is_the_dashed_disc(sigma):
    shown = state(neighbours, family="gaussian", sigma=sigma)
    radii = np.linalg.norm(on_the_edge(shown) - shown.z, axis=1)
    assert len(radii) > 20
    np.testing.assert_allclose(radii, shown.plain_radius, rtol=2e-3)


@pytest.mark.parametrize("length", [0.3, 1.0, 1.9])
def test_the_ball_of_the_cosine_is_a_wedge_and_the_same_for_every_z_of_a_ray(length):
    z = length * np.array([0.6, -0.8])
    shown = state(neighbours, family="cosine", query=(tuple(z),))
    edge = on_the_edge(shown)
    edge = edge[np.linalg.norm(edge, axis=1) > 0.5]  # near its tip the grid is too coarse
    cosine = edge @ z / np.linalg.norm(edge, axis=1) / length
    np.testing.assert_allclose(np.sqrt(2 - 2 * cosine), shown.radius, atol=0.01)
    assert set(shown.near) == set(state(neighbours, family="cosine", query=((0.6, -0.8),)).near)


def test_the_cosine_wins_where_the_class_is_a_direction_and_guesses_where_it_is_a_length():
    corners, ring = state(neighbours, "Cosine"), state(neighbours, "Cosine, disc in a ring")
    assert corners.wrong < corners.plain_wrong and ring.wrong > 0.4 > 0.05 > ring.plain_wrong


def test_at_the_start_the_plain_distance_is_wrong_and_the_cosine_is_right():
    assert np.prod(state(neighbours).z) < 0  # where the class is −1
    assert state(neighbours).winner == 1 and state(neighbours, family="cosine").winner == -1


def test_the_right_picture_has_both_distances_of_each_point():
    shown = state(neighbours, "Polynomial: an egg")
    drawn = np.vstack([np.column_stack([mark.x, mark.y]) for mark in dots_of(neighbours, shown, "right")])
    phi = shown.k.feature_map()
    far = np.column_stack([np.hypot(*(shown.X - shown.z).T), np.linalg.norm(phi(shown.X) - phi(shown.z), axis=1)])
    np.testing.assert_allclose(sorted(map(tuple, drawn)), sorted(map(tuple, far)), atol=1e-8)


# ---- k-means --------------------------------------------------------------------------------------


def test_the_first_picture_gives_nothing_away():
    start = state(k_means)
    assert start.step == 0 and (start.labels == -1).all() and len(start.X) == 61


@pytest.mark.parametrize("scene", k_means.scenes)
def test_the_inertia_falls_to_an_end_where_nothing_moves(scene):
    run = state(k_means, scene)
    assert (np.diff(run.costs) <= 1e-9).all() and run.step == run.last_step < 12 and run.moved == 0


def test_the_start_in_the_disc_ends_in_a_local_optimum_and_the_one_on_the_ring_does_not():
    bad, good = state(k_means, "To the end"), state(k_means, "Opposite sides")
    assert bad.match < 0.8 and bad.costs[-1] > bad.true * 1.05
    assert good.match == 1 and good.costs[-1] == pytest.approx(good.true)


@pytest.mark.parametrize("scene", ["Plain distance", "Too wide"])
def test_where_the_inertia_itself_prefers_other_groups(scene):
    end = state(k_means, scene)
    assert end.match < 0.95 and end.costs[-1] < end.true


def test_two_moons_defeat_every_width():
    """No width from 0.1 to 3 and none of these starts parts them."""
    X, y = datasets.moons(60)
    for sigma in (0.1, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0, 2.0, 3.0):
        model = KernelKMeans(Gaussian(sigma), n_init=10).fit(X)
        assert agreement(model.labels_, y > 0) < 0.95
    assert state(k_means, "Two moons").match < 0.8


@pytest.mark.parametrize("step", [0, 1, 4])
def test_the_line_is_where_both_means_are_equally_near(step):
    """After an assignment the line shown is the one it was made by."""
    shown = state(k_means, step=step)
    labels = state(k_means, step=max(step, 1)).labels
    at = np.array([shown.H[np.abs(shown.y - z[1]).argmin(), np.abs(shown.x - z[0]).argmin()] for z in shown.X])
    clear = np.abs(at) > 0.1
    assert clear.sum() > 20 and (np.where(at > 0, 0, 1) == labels)[clear].all()


def test_a_first_mean_is_the_point_nearest_to_its_place():
    shown = state(k_means, places=((5.0, 5.0), (5.0, 5.0), (0.0, 0.0)))
    assert len(set(shown.start)) == 2 and 60 not in shown.start  # the guest is no mean


# ---- density and trees ----------------------------------------------------------------------------


@pytest.mark.parametrize("data", groups.controls[0].options)
@pytest.mark.parametrize("level", [0.1, 0.3, 0.5, 0.8, 1.3])
def test_with_one_point_dense_enough_dbscan_is_the_tree_of_nearest_pairs(data, level):
    line = ((0.5, level),)
    dense = state(groups, data=data, method="dbscan", min_samples=1, line=line)
    tree = state(groups, data=data, method="single", line=line)
    np.testing.assert_array_equal(dense.labels, tree.labels)
    assert dense.noise == 0 and dense.core.all()


@pytest.mark.parametrize("min_samples", [1, 4, 9])
def test_core_points_are_those_below_the_line(min_samples):
    shown = state(groups, method="dbscan", min_samples=min_samples)
    np.testing.assert_array_equal(shown.heights <= shown.level, shown.core[shown.order])


def test_the_circle_is_eps_in_the_plane():
    shown = state(groups, "DBSCAN")
    plain = np.sqrt(Linear().squared_distance(shown.X))
    radius = 1.0 * np.sqrt(-2 * np.log(1 - 0.5**2 / 2))
    np.testing.assert_array_equal(plain <= radius, shown.D <= 0.5)
    assert number(readout_of(groups, "DBSCAN")["eps in the plane"]) == pytest.approx(radius, abs=0.0005)
    assert "eps in the plane" not in readout_of(groups, method="dbscan", line=((0.1, 1.42),)), "it has no end"


def test_from_two_on_single_points_are_noise():
    one, two = (state(groups, method="dbscan", min_samples=m) for m in (1, 2))
    single = np.bincount(one.labels)[one.labels] == 1
    np.testing.assert_array_equal(single, two.labels < 0)
    assert single.sum() == 5


def test_no_eps_suits_two_densities():
    """What parts the two dense clouds leaves much of the thin one alone; what keeps that joins all."""
    for eps in np.arange(0.05, 1.4, 0.02):
        shown = state(groups, "Two densities", line=((0.1, float(eps)),))
        parted = shown.labels[:25].min() >= 0 and shown.labels[0] != shown.labels[-1] >= 0
        assert not parted or np.mean(shown.labels[25:60] < 0) > 0.2


def test_a_border_point_is_hollow_and_a_core_point_is_not():
    shown = state(groups, "DBSCAN")
    drawn = [mark for mark in dots_of(groups, shown, "plane") if mark.marker != "x"]
    hollow, filled = (
        {place for mark in drawn if (mark.color == "white") == inside for place in zip(mark.x, mark.y, strict=True)}
        for inside in (True, False)
    )
    border = shown.X[(shown.labels >= 0) & ~shown.core]
    assert hollow == {tuple(place) for place in border.tolist()} and len(border)
    assert not hollow & filled and len(filled) == shown.core.sum()


def test_a_bridge_chains_and_farthest_pairs_do_not():
    assert state(groups, "A bridge").groups == 1
    two = state(groups, data="a bridge", method="complete", line=((0.1, 1.39),)).labels
    assert set(two[:26]) != set(two[26:52])


def test_the_largest_group_has_the_first_hue():
    for scene in groups.scenes:
        labels = state(groups, scene).labels
        sizes = np.bincount(labels[labels >= 0])
        assert (np.diff(sizes) <= 0).all()


def test_the_tree_has_the_heights_of_its_merges():
    shown = state(groups, method="average")
    model = KernelLinkage(Gaussian(1.0)).fit(shown.X)
    np.testing.assert_allclose(np.sort(shown.corners[:, 1, 1]), np.sort(model.merges_[:, 2]))
    assert sorted(shown.order) == list(range(len(shown.X)))


# ---- recommendation -------------------------------------------------------------------------------


def test_counting_recommends_the_bestsellers_to_everybody_and_the_cosine_does_not():
    count, cosine = state(bought_also), state(bought_also, "Cosine")
    assert count.bestseller == 40 and cosine.bestseller <= 12
    assert count.right < 0.7 and cosine.right > 0.9
    assert datasets.PRODUCTS.index("batteries") in count.list[:3]
    assert datasets.PRODUCTS.index("batteries") not in cosine.list


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("popular", [0.4, 0.6, 0.8])
def test_the_cosine_finds_more_of_the_groups_whoever_buys(seed, popular):
    X, group = datasets.baskets(popular=popular, random_state=seed)
    right = []
    for k in (Linear(), Normalized(Linear())):
        K = k(X) - 1e9 * np.eye(40)
        right.append(np.mean(group[np.argsort(-K, axis=1, kind="stable")[:, :5]] == group[:, None]))
    assert right[1] > right[0] + 0.1


def test_k_means_finds_the_groups_of_products_that_are_only_sets():
    X, group = datasets.baskets()
    buyers = [set(np.flatnonzero(row).tolist()) for row in X]
    usual = ~np.isin(datasets.PRODUCTS, ["batteries", "tape"])
    kernels = Overlap(), Normalized(Overlap())
    count, cosine = (KernelKMeans(k, 5, n_init=20).fit(buyers).labels_[usual] for k in kernels)
    assert len({*cosine}) == len({*zip(cosine, group[usual], strict=True)}) == 5 > len({*count})
    np.testing.assert_array_equal(Overlap()(buyers), Linear()(X))


def test_jaccard_finds_no_fewer():
    jaccard = state(bought_also, kernel="jaccard")
    assert jaccard.right > 0.9 and jaccard.bestseller < 12


def test_without_bestsellers_both_do():
    assert state(bought_also, "Nobody sells best").right > 0.97
    assert state(bought_also, "Nobody sells best", kernel="cosine").right > 0.97


def test_a_click_on_a_row_chooses_its_product():
    shown = state(bought_also)
    for y, product in ((0.2, 0), (22.8, 23), (39.4, 39), (-0.4, 0)):
        assert bought_also.click["matrix"](shown, 3.0, y) == {"product": product}
    assert bought_also.tell["matrix"](shown, 1.0, 0.0) == "coffee, filters: 7"


# ---- outliers -------------------------------------------------------------------------------------


def test_a_guest_beside_the_dense_cloud_is_found_only_beside_its_neighbours():
    beside, alone = state(outliers), state(outliers, "Mean distance")
    assert beside.outside[-3:].tolist() == [True, True, False] and beside.outside.sum() == 2
    assert alone.outside[-3:].tolist() == [False, True, False] and alone.outside.sum() == 1
    thin = alone.scores[24:60]
    assert (thin >= alone.scores[-3]).sum() > 10  # many of the thin cloud have as large an r


@pytest.mark.parametrize("nu", [0.02, 0.1, 0.3, 0.5, 0.9])
@pytest.mark.parametrize("sigma", [0.3, 1.0, 3.0])
def test_nu_is_between_the_outsiders_and_the_supports(nu, sigma):
    shown = state(outliers, method="machine", nu=nu, sigma=sigma)
    assert shown.outside.sum() <= nu * 63 <= shown.support + 1e-9


@pytest.mark.parametrize(("sigma", "nu"), [(0.5, 0.3), (1.0, 0.3)])
def test_outside_the_machine_are_those_that_scikit_learn_puts_beyond_its_border(sigma, nu):
    """The score ρ/f(x) is 1 on the border itself, where points stand by rounding: they are not compared."""
    shown = state(outliers, method="machine", nu=nu, sigma=sigma)
    theirs = OneClassSVM(gamma=1 / (2 * sigma**2), nu=nu, tol=1e-8).fit(shown.X)
    h = theirs.decision_function(shown.X) / theirs.offset_[0]
    clear = np.abs(h) > 1e-3
    np.testing.assert_array_equal(shown.outside[clear], h[clear] < 0)
    assert (h < -1e-3).any() and [mark.y for mark in marks_of(outliers, shown, "limit")] == [1.0]
    border = theirs.decision_function(line_of(outliers, shown, "border")) / theirs.offset_[0]
    np.testing.assert_allclose(border, 0, atol=0.01)


def test_three_together_protect_each_other_from_two_neighbours():
    assert not state(outliers, "Three together").outside.any()
    assert state(outliers, "Three together", n_neighbors=12).outside[-3:].all()


def test_a_score_without_limit_is_said():
    """Two guests at one place have r = 0, so a third one next to them is infinitely many times as far away."""
    guests = ((2.6, 2.2), (2.6, 2.2), (2.3, 2.0))
    shown = state(outliers, n_neighbors=1, guests=guests)
    assert np.isinf(shown.scores[-1])
    assert readout_of(outliers, n_neighbors=1, guests=guests)["largest score"] == "more than 1000"
    assert outliers.tell["plane"](shown, 2.3, 2.0) == "guest C: more than 1000"


@pytest.mark.parametrize(("scene", "n_neighbors"), [(None, 5), ("Three together", 2)])
def test_the_largest_score_is_r_over_the_mean_r_of_the_neighbours(scene, n_neighbors):
    shown = state(outliers, scene)
    model = KernelOutliers(Gaussian(1.0), n_neighbors).fit(shown.X)
    near = np.argsort(model.kernel.squared_distance(shown.X), axis=1)[:, 1 : n_neighbors + 1]
    worst = shown.scores.argmax()
    assert shown.scores[worst] == pytest.approx(model.distances_[worst] / model.distances_[near[worst]].mean())


@pytest.mark.parametrize("eps", [0.05, 0.2, 0.5, 0.9, 1.42])
@pytest.mark.parametrize("min_samples", [1, 4, 12])
def test_noise_has_no_core_point_in_its_circle_and_the_others_have_one(eps, min_samples):
    shown = state(groups, method="dbscan", min_samples=min_samples, line=((0.1, eps),))
    alone = ~((shown.D <= eps) & shown.core).any(axis=1)
    np.testing.assert_array_equal(alone, shown.labels < 0)
    border = len(alone) - alone.sum() - shown.core.sum()
    readout = readout_of(groups, method="dbscan", min_samples=min_samples, line=((0.1, eps),))
    assert readout["core, border, noise"] == f"{shown.core.sum()}, {border}, {alone.sum()} points"


@pytest.mark.parametrize("level", [0.2, 0.5, 1.0])
def test_what_a_cut_says_of_the_pairs(level):
    """Farthest: all within a group are at most the cut apart. Nearest: all of two groups are farther apart."""
    for method in ("single", "complete"):
        shown = state(groups, method=method, line=((0.1, level),))
        same = np.equal.outer(shown.labels, shown.labels)
        assert shown.D[same].max() <= level if method == "complete" else shown.D[~same].min() > level


@pytest.mark.parametrize("data", k_means.controls[0].ends())
@pytest.mark.parametrize("sigma", [0.3, 0.5, 1.0, 3.0])
def test_whoever_changes_its_group_lowers_the_inertia(data, sigma):
    end = state(k_means, data=data, sigma=sigma, step=12)
    for step in range(2, end.last_step + 1):
        shown = state(k_means, data=data, sigma=sigma, step=step)
        assert not shown.moved or shown.costs[step - 1] < shown.costs[step - 2] - 1e-12


# ---- what the text says ---------------------------------------------------------------------------


def test_the_nearer_mean_in_feature_space_parts_the_moons():
    (X, y), (Z, t) = datasets.moons(120), datasets.moons(400, random_state=1)
    errors = []
    for k in (Linear(), Gaussian(0.5)):
        far = [k(A).mean() - 2 * k(Z, A).mean(axis=1) for A in (X[y < 0], X[y > 0])]
        errors.append(np.mean((far[0] > far[1]) != (t > 0)))
    assert errors[0] > 0.2 and errors[1] < 0.03


def test_most_but_not_all_starts_find_disc_and_ring():
    X, y = state(k_means).X, datasets.bullseye(60)[1]  # with the guest
    rng, found = np.random.default_rng(0), []
    for _ in range(40):
        model = KernelKMeans(Gaussian(0.5)).fit(X, start=rng.choice(60, 2, replace=False))
        found.append(agreement(model.labels_[:-1], y > 0) == 1)
    assert 0.6 < np.mean(found) < 0.95


def test_dbscan_parts_the_moons():
    X, y = datasets.moons(80, noise=0.05)
    labels = KernelDBSCAN(Gaussian(0.6), 0.7, 4).fit_predict(X)
    assert len({*zip(labels, y, strict=True)}) == 2 and labels.min() == 0


def test_what_only_compares_distances_is_left_by_a_gaussian_and_by_no_other():
    X, _ = datasets.moons(80, noise=0.05)

    def groupings(k):
        eps = np.sqrt(np.quantile(k.squared_distance(X), 0.1))
        trees = [KernelLinkage(k, 4, m).fit_predict(X) for m in ("single", "complete", "average")]
        return [KernelDBSCAN(k, eps).fit_predict(X), *trees]

    plain = groupings(Linear())
    same = [
        [np.array_equal(a, b) for a, b in zip(groupings(k), plain, strict=True)]
        for k in (Gaussian(0.5), Polynomial(2), Normalized(Linear()), Periodic(1.0, period=1.5))
    ]
    assert same[0] == [True, True, True, False]
    assert not np.any(same[1:])


def test_the_point_between_disc_and_ring_is_the_farthest_out():
    X = np.vstack([datasets.bullseye(80)[0], [[0.9, 0.0]]])
    assert KernelOutliers(Gaussian(0.6)).fit(X).scores_.argmax() == 80
    for nu in (0.05, 0.2, 0.5):
        model = KernelOneClass(Gaussian(0.6), nu=nu).fit(X)
        outside = np.mean(model.decision_function(X) < -0.01 * model.offset_)
        assert outside <= nu <= len(model.support_) / len(X)


@pytest.mark.parametrize("count", [1, 2, 5])
@pytest.mark.parametrize(
    ("family", "z"),
    [
        ("polynomial", (0.0, 0.0)),
        ("polynomial", (0.0, 0.1)),
        ("polynomial", (-0.4, 0.3)),
        ("cosine", (-0.4, 0.3)),
        ("cosine", (-1.6, 1.2)),
    ],
)
def test_so_many_neighbours_differ_and_at_the_origin_a_polynomial_changes_none(family, z, count):
    """By scikit-learn's kernels, in which ‖Φ(x) − Φ(z)‖² = k(x, x) − 2k(x, z) + k(z, z)."""
    shown, Z = state(neighbours, family=family, degree=2, count=count, query=(z,)), np.array([z])
    k = cosine_similarity if family == "cosine" else lambda A, B: polynomial_kernel(A, B, 2, 1, 1)
    far = np.diag(k(shown.X, shown.X)) - 2 * k(shown.X, Z)[:, 0]
    plain = ((shown.X - z) ** 2).sum(axis=1)
    others = len({*far.argsort()[:count]} - {*plain.argsort()[:count]})
    readout = readout_of(neighbours, family=family, degree=2, count=count, query=(z,))
    assert readout["neighbours that change"] == f"{others} of {count}"
    assert any(z) or (far.argsort() == plain.argsort()).all()


@pytest.mark.parametrize(
    ("n_neighbors", "guests"),
    [
        (5, None),
        (1, ((2.2, 1.6),) * 3),
        (1, ((2.6, 2.2), (2.6, 2.2), (2.3, 2.0))),
        (2, ((0.75, 0.2),) * 3),
    ],
)
def test_a_point_is_as_far_from_its_neighbours_as_they_are_from_theirs_or_farther_or_endlessly(n_neighbors, guests):
    values = {"n_neighbors": n_neighbors, "guests": guests or outliers.start()["guests"]}
    shown = state(outliers, **values)
    far = np.sqrt(2 - 2 * np.exp(-(cdist(shown.X, shown.X) ** 2) / 2))  # σ = 1
    np.fill_diagonal(far, np.inf)
    near = far.argsort(axis=1, kind="stable")[:, :n_neighbors]
    r = np.take_along_axis(far, near, axis=1).mean(axis=1)
    around = r[near].mean(axis=1)
    if ((around == 0) & (r > 0)).any():
        assert readout_of(outliers, **values)["largest score"] == "more than 1000"
    else:
        outside = int((r > 1.5 * around).sum())
        assert readout_of(outliers, **values)["outside"] == f"{outside} of {len(r)} points"
