"""Right answers of notebook 11 in several ways, and typical wrong ones, each with the message it meets."""

import numpy as np
from course.exercises.answers import accepted, hard_coded, judged, refused, unanswered, unmet_by_scenes

from kernelkit.course.exercises import distances_and_clusters as check
from kernelkit.course.explorers import distances_and_clusters as explore


def cosine(X, i):
    return X @ X[i] / np.sqrt(X.sum(axis=1) * X[i].sum())


def without(values, i, out=-np.inf):
    return np.where(np.arange(len(values)) == i, out, values)


def by_loops(K, k_z, k_zz):
    n = len(K)
    return k_zz - 2 / n * sum(k_z) + sum(K[i][j] for i in range(n) for j in range(n)) / n**2


def by_weights(K, k_z, k_zz):
    a = np.ones(len(K)) / len(K)
    return np.array(k_zz - 2 * a @ k_z + a @ K @ a)


RIGHT = [
    (check.to_the_mean, lambda K, k_z, k_zz: k_zz - 2 * k_z.mean() + K.mean()),
    (check.to_the_mean, by_loops),
    (check.to_the_mean, by_weights),
    (check.to_the_mean, lambda K, k_z, k_zz: float(k_zz + np.mean(K - 2 * k_z))),
    (check.bought_also, lambda X, i: without(cosine(X, i), i).argmax()),
    (check.bought_also, lambda X, i: int(np.argsort(cosine(X, i))[::-1][1])),
    (check.bought_also, lambda X, i: max((j for j in range(len(X)) if j != i), key=lambda j: cosine(X, i)[j])),
    (check.bought_also, lambda X, i: float(without(cosine(X, i) ** 2, i).argmax())),
    (check.bought_also, lambda X, i: without((X @ X[i]) / np.linalg.norm(X, axis=1), i).argmax()),  # √|A| is common
]
WRONG = [
    (check.to_the_mean, lambda K, k_z, k_zz: np.sqrt(k_zz - 2 * k_z.mean() + K.mean()), "return its square"),
    (check.to_the_mean, lambda K, k_z, k_zz: k_zz - 2 * k_z.mean(), "‖μ‖² is missing"),
    (check.to_the_mean, lambda K, k_z, k_zz: np.mean(k_zz - 2 * k_z + np.diag(K)), "not of its diagonal"),
    (check.to_the_mean, lambda K, k_z, k_zz: k_zz - 2 * k_z.sum() + K.sum(), "these are sums"),
    (check.to_the_mean, lambda K, k_z, k_zz: k_zz - 2 * k_z.mean() + K.sum() / len(K), "divided by n²"),
    (check.to_the_mean, lambda K, k_z, k_zz: k_zz - k_z.mean() + K.mean(), "counts twice"),
    (check.to_the_mean, lambda K, k_z, k_zz: k_zz + 2 * k_z.mean() + K.mean(), "is subtracted"),
    (check.to_the_mean, lambda K, k_z, k_zz: -2 * k_z.mean() + K.mean(), "k(z, z) is missing"),
    (check.to_the_mean, lambda K, k_z, k_zz: 1 - 2 * k_z.mean() + K.mean(), "not for every kernel"),
    (check.to_the_mean, lambda K, k_z, k_zz: k_zz - 2 * k_z.mean() + K[~np.eye(len(K), dtype=bool)].mean(), "i = j"),
    (check.to_the_mean, lambda K, k_z, k_zz: k_zz - 2 * k_z + K.mean(), "one number"),
    (check.to_the_mean, lambda K, k_z, k_zz: 0.0, "it should be"),
    (check.to_the_mean, lambda K, k_z, k_zz: "near", "not the text"),
    (check.to_the_mean, lambda K, k_z, k_zz: k_zz - 2 * k_z.sum() / 4 + K.sum() / 16, "with three points"),
    (check.to_the_mean, lambda K, k_z: 1.0, "stopped with TypeError"),
    (check.to_the_mean, 3.0, "it should be"),
    (check.bought_also, lambda X, i: cosine(X, i).argmax(), "its own cosine"),
    (check.bought_also, lambda X, i: without(X @ X[i], i).argmax(), "bought by nearly everybody"),
    (check.bought_also, lambda X, i: without(cosine(X, i), i).max(), "return the number of the product"),
    (check.bought_also, lambda X, i: without(X @ X[i] / X.sum(axis=1), i).argmax(), "not by its root"),
    (check.bought_also, lambda X, i: cosine(X, i).argmin(), "argmax"),
    (check.bought_also, lambda X, i: without(-((X - X[i]) ** 2).sum(axis=1), i).argmax(), "fewest buyers"),
    (check.bought_also, lambda X, i: without(X @ X[i] / np.maximum(X, X[i]).sum(axis=1), i).argmax(), "Jaccard"),
    (check.bought_also, lambda X, i: np.delete(cosine(X, i), i).argmax(), "move down by one"),
    (check.bought_also, lambda X, i: without(cosine(X, i), i).argmax() + 1, "the first product has the number 0"),
    (check.bought_also, lambda X, i: 4, "another matrix"),
    (check.bought_also, lambda X, i: 17, "yours is 17"),
    (check.bought_also, lambda X, i: np.argsort(-cosine(X, i)), "one number"),
    (check.bought_also, lambda X, i: X[4], "one number"),
    (check.bought_also, lambda X, i: "coffee", "not the text"),
    (check.bought_also, lambda X: 4, "stopped with TypeError"),
    (
        check.bought_also,
        lambda X, i: without(X @ X[0] / np.linalg.norm(X, axis=1), i).argmax(),
        "for i = 1 it should be",
    ),
    (
        check.bought_also,
        lambda X, i: without(X @ X[i] / np.sqrt(X.sum(axis=1) + X[i].sum()), i).argmax(),
        "by √(|A| |B|)",
    ),
    (check.to_the_mean, hard_coded(lambda K, k_z, k_zz: k_zz - 2 * k_z.mean() + K.mean()), "with three points"),
]
A, B, GUEST = explore.k_means.start()["places"]
GUESTS = [
    ({"places": (A, B, (1.2, -1.2))}, "✓", "right"),
    ({"places": (A, B, (1.5, 1.5))}, "✓", "right"),
    ({"places": (A, B, (-2.0, 2.0))}, "✗", "still ends with 78 % of the points in the right group"),
    ({"step": 12}, "✗", "the guest is where it was"),
    ({"places": ((-1.7, 0.0), (1.7, 0.0), GUEST)}, "✗", "more than the guest"),
    ({"places": (A, B, (1.2, -1.2)), "sigma": 0.6}, "✗", "more than the guest"),
    ({"data": "two blobs"}, "✗", "more than the guest"),
]


def dbscan(eps, min_samples, **others):
    return {"method": "dbscan", "min_samples": min_samples, "line": ((0.3, eps),)} | others


ISOLATED = [
    (dbscan(0.7, 6), "✓", "right"),
    (dbscan(0.86, 11), "✓", "right"),
    (dbscan(0.7, 4), "✗", "these are 2 groups and 4 points of noise. The moons are joined"),
    (dbscan(1.3, 4), "✗", "these are 1 group and 0 points of noise"),
    (dbscan(0.5, 4), "✗", "A larger eps leaves fewer alone"),
    (dbscan(0.3, 1), "✗", "A larger eps joins them"),
    (dbscan(0.78, 7), "✗", "leaves more alone"),
    (dbscan(0.7, 6, method="single"), "✗", "choose DBSCAN"),
    (dbscan(0.7, 6, data="a bridge"), "✗", "take the data 'moons and isolated points'"),
]
test_right_answers_are_accepted = accepted(RIGHT)
test_wrong_answers_meet_their_messages = refused(WRONG)
test_no_answer_is_no_mistake = unanswered(*dict(RIGHT))
test_the_guest_is_judged_by_its_panel = judged(explore.k_means, check.one_point_decides, GUESTS)
test_the_isolated_points_are_judged_by_their_panel = judged(explore.groups, check.three_and_four, ISOLATED)
test_no_scene_moves_the_guest = unmet_by_scenes(explore.k_means, check.one_point_decides)
test_no_scene_finds_the_isolated_points = unmet_by_scenes(explore.groups, check.three_and_four)


def test_each_challenge_wants_its_panel(capsys):
    guest, strays = explore.k_means(), explore.groups()
    guest.set(step=3), strays.set(method="dbscan")
    for challenge, wrong in ((check.one_point_decides, strays), (check.three_and_four, guest)):
        for odd in (wrong, 3.0, "panel", {"step": 1}):
            challenge(odd)
            assert capsys.readouterr().out.startswith("✗")
