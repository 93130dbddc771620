"""Checks of the exercises of notebook 11."""

import numpy as np

from kernelkit import Gaussian, KernelDBSCAN, Polynomial
from kernelkit.course.exercises.base import (
    Mistake,
    challenge,
    close,
    cut,
    exercise,
    expect,
    hard_coded,
    number,
    summary_of,
)
from kernelkit.course.explorers.distances_and_clusters import bought_also as bought_together, groups, k_means
from kernelkit.course.explorers.distances_and_clusters.groups import sample as points_of
from kernelkit.course.explorers.distances_and_clusters.k_means import agreement, run, sample


@exercise("The distance to a mean")
def to_the_mean(trial):
    """k(z, z) − 2 mean_i k(z, X_i) + mean_ij k(X_i, X_j)."""
    k = Polynomial(2)
    X = trial.changed(np.array([[1.0, 0.5], [-0.4, 1.0], [0.3, -1.2], [2.0, 0.1]]))
    z = trial.changed(np.array([0.5, 1.5]))
    K = k(X)
    k_z = k(z, X)
    k_zz = k(z, z)
    right = k_zz - 2 * k_z.mean() + K.mean()
    mine = number(trial.ask(K, k_z, k_zz))
    trial.expect_none_of(
        mine,
        close,
        root=(np.sqrt(right), "this is the distance; return its square."),
        no_last_term=(k_zz - 2 * k_z.mean(), "‖μ‖² is missing: the average of all k(X_i, X_j)."),
        mean_of_distances=(
            k_zz - 2 * k_z.mean() + np.diag(K).mean(),
            "this is the mean of the squared distances to the points; ‖μ‖² is the average of all of K, not of its "
            "diagonal.",
        ),
        sums=(k_zz - 2 * k_z.sum() + K.sum(), "these are sums; a mean divides them by n and by n²."),
        divided_once=(k_zz - 2 * k_z.mean() + K.sum() / 4, "the sum over i and j is divided by n²."),
        no_two=(k_zz - k_z.mean() + K.mean(), "the middle term counts twice: −2 Φ(z)ᵀμ."),
        plus=(k_zz + 2 * k_z.mean() + K.mean(), "the middle term is subtracted."),
        one_for_k_zz=(1 - 2 * k_z.mean() + K.mean(), "k(z, z) is 1 for a Gaussian, not for every kernel: use k_zz."),
        without_diagonal=(
            k_zz - 2 * k_z.mean() + (K.sum() - np.trace(K)) / 12,
            "‖μ‖² is the average over all i and j, and i = j is among them.",
        ),
        no_first_term=(-2 * k_z.mean() + K.mean(), "k(z, z) is missing."),
    )
    expect(close(mine, right), "wrong_distance", f"it should be {right:.4f} here, yours is {mine:.4f}.")
    k = Gaussian(1.0)
    again = number(trial.ask(k(X[:3]), k(z, X[:3]), 1.0))
    right = 1 - 2 * k(z, X[:3]).mean() + k(X[:3]).mean()
    expect(
        close(again, right),
        "arguments_ignored",
        f"with three points and a Gaussian it should be {right:.4f}, yours is {again:.4f}.",
    )


to_the_mean.right = lambda K, k_z, k_zz: k_zz - 2 * k_z.mean() + K.mean()
to_the_mean.wrong = {
    "root": lambda K, k_z, k_zz: np.sqrt(k_zz - 2 * k_z.mean() + K.mean()),
    "no_last_term": lambda K, k_z, k_zz: k_zz - 2 * k_z.mean(),
    "mean_of_distances": lambda K, k_z, k_zz: np.mean(k_zz - 2 * k_z + np.diag(K)),
    "sums": lambda K, k_z, k_zz: k_zz - 2 * k_z.sum() + K.sum(),
    "divided_once": lambda K, k_z, k_zz: k_zz - 2 * k_z.mean() + K.sum() / len(K),
    "no_two": lambda K, k_z, k_zz: k_zz - k_z.mean() + K.mean(),
    "plus": lambda K, k_z, k_zz: k_zz + 2 * k_z.mean() + K.mean(),
    "one_for_k_zz": lambda K, k_z, k_zz: 1 - 2 * k_z.mean() + K.mean(),
    "without_diagonal": lambda K, k_z, k_zz: k_zz - 2 * k_z.mean() + K[~np.eye(len(K), dtype=bool)].mean(),
    "no_first_term": lambda K, k_z, k_zz: -2 * k_z.mean() + K.mean(),
    "wrong_distance": [lambda K, k_z, k_zz: 0.0, 3.0],
    "arguments_ignored": [
        lambda K, k_z, k_zz: k_zz - 2 * k_z.sum() / 4 + K.sum() / 16,
        hard_coded(lambda K, k_z, k_zz: k_zz - 2 * k_z.mean() + K.mean()),
    ],
}


@challenge("One point decides", k_means)
def one_point_decides(panel):
    """Another place for the guest, and the same start ends with disc and ring."""
    values = panel.values
    first = panel.first
    fixed = all(values[name] == first[name] for name in ("data", "family", "sigma"))
    fixed = fixed and values["places"][:2] == first["places"][:2]
    expect(
        fixed, "more_than_the_guest", "more than the guest is changed: Reset, then move the guest only (and the steps)."
    )
    expect(values["places"][2] != first["places"][2], "guest_at_home", "the guest is where it was: move it.")
    *_, end = run(values["data"], Gaussian(values["sigma"]), values["places"])[3]
    match = agreement(end.iterate[:-1], sample(values["data"])[1])
    expect(
        match == 1,
        "same_end",
        f"from there the run still ends with {100 * match:.0f} % of the points in the right group.",
    )


_A, _B, _GUEST = k_means.start()["places"]
one_point_decides.right = {"places": (_A, _B, (1.2, -1.2))}
one_point_decides.wrong = {
    "more_than_the_guest": [
        {"places": ((-1.7, 0.0), (1.7, 0.0), _GUEST)},
        {"places": (_A, _B, (1.2, -1.2)), "sigma": 0.6},
        {"data": "two blobs"},
    ],
    "guest_at_home": {"step": 12},
    "same_end": {"places": (_A, _B, (-2.0, 2.0))},
}
one_point_decides.scenes = {
    "same_end": (k_means, "To the end"),
}


def _many(number, what):
    return f"{number} {what}{'' if number == 1 else 's'}"


@challenge("Three groups, four isolated points", groups)
def three_and_four(panel):
    """DBSCAN with three groups and four points of noise."""
    values = panel.values
    expect(values["method"] == "dbscan", "not_dbscan", "choose DBSCAN as the method.")
    expect(values["data"] == panel.first["data"], "other_data", f"take the data {panel.first['data']!r}.")
    eps = values["line"][0][1]
    labels = KernelDBSCAN(Gaussian(values["sigma"]), eps, values["min_samples"]).fit_predict(points_of(values["data"]))
    found = labels.max() + 1
    noise = np.sum(labels < 0)
    said = f"these are {_many(found, 'group')} and {_many(noise, 'point')} of noise"
    if noise > 4 and found <= 3:
        raise Mistake("too_much_noise", f"{said}. A larger eps leaves fewer alone.")
    expect(found <= 3, "too_many_groups", f"{said}. A larger eps joins them.")
    expect(found == 3, "joined", f"{said}. The moons are joined: a larger min_samples, or a smaller eps.")
    expect(noise == 4, "too_little_noise", f"{said}. A smaller eps, or a larger min_samples, leaves more alone.")


def _dbscan(eps, min_samples, **others):
    return {"method": "dbscan", "min_samples": min_samples, "line": ((0.3, eps),)} | others


three_and_four.right = _dbscan(0.7, 6)
three_and_four.wrong = {
    "not_dbscan": _dbscan(0.7, 6, method="single"),
    "other_data": _dbscan(0.7, 6, data="a bridge"),
    "too_much_noise": _dbscan(0.5, 4),
    "too_many_groups": _dbscan(0.3, 1),
    "joined": [_dbscan(0.7, 4), _dbscan(1.3, 4)],
    "too_little_noise": _dbscan(0.78, 7),
}
three_and_four.scenes = {
    "not_dbscan": (groups, "DBSCAN"),
}


@exercise("Bought also")
def bought_also(trial):
    """The other product with the largest cosine."""
    # 0 is asked for; 1 sells best, 2 is rarest, 4 is right, 6 differs in the fewest buyers, and 7 is least like it
    X = np.zeros((9, 24))
    X[0, :6] = X[1, [*range(1, 9), *range(11, 24)]] = X[2, 5] = X[4, 2:9] = X[6, 4:6] = X[7, [5, 19, 20, 21, 22]] = 1
    X[3, [0, 9, 10]] = X[5, [3, 12]] = X[8, [4, 14, 15, 16]] = 1  # 3 and 5 for numbers that are one off
    mine = number(trial.ask(X, 0))
    sizes = X.sum(axis=1)
    both = X @ X[0]
    cosine = both / np.sqrt(sizes * sizes[0])
    trial.expect_none_of(
        mine,
        np.isclose,
        itself=(0, "this is the product itself: its own cosine, 1, must be left out."),
        value=(cosine[4], "this is the largest cosine; return the number of the product."),
        count=(1, "this product is bought by nearly everybody: divide by √(|A| |B|)."),
        divided_by_all=(
            2,
            "you divided by |B|, not by its root, or by the smaller of |A| and |B|: now the rarest product wins.",
        ),
        numbers_moved=(3, "this is the one before: if product i is taken out, the numbers behind it move down by one."),
        counted_from_one=(5, "this is the one after: the first product has the number 0."),
        distance=(
            6,
            "this product differs in the fewest buyers, where all who bought neither count as alike, as they do in a "
            "correlation. Take the cosine.",
        ),
        smallest=(7, "this has the smallest cosine: argmax, not argmin."),
    )
    expect(mine == 4, "wrong_product", f"it should be product 4, yours is {cut(f'{mine:g}', 20)}.")
    Y = X[[4, 1, 0, 6]]
    again = number(trial.ask(Y, 2))
    expect(again == 0, "arguments_ignored", f"for another matrix and i = 2 it should be product 0, yours is {again:g}.")
    W = np.zeros((3, 13))  # 1 holds all four buyers of 0 and nine more, 2 holds two of them and two more
    W[0, :4] = W[1] = W[2, 2:6] = 1
    expect(
        number(trial.ask(W, 0)) == 1,
        "jaccard",
        "right, but not for every matrix: divide by √(|A| |B|); |A ∪ B|, for one, is Jaccard's.",
    )
    Y = (trial.draws(13).random((7, 24)) < np.linspace(0.15, 0.8, 7)[:, None]).astype(float)
    shared = Y @ Y.T
    cosines = shared / np.sqrt(np.outer(Y.sum(axis=1), Y.sum(axis=1))) - 2 * np.eye(7)
    best = np.sort(cosines)[:, -2:]
    for i in np.flatnonzero(best[:, 1] - best[:, 0] > 1e-6):  # where no two are equally near
        i, right = int(i), int(cosines[i].argmax())
        again = number(trial.ask(Y, i))
        sentence = f"for i = {i} it should be product {right}, yours is {again:g}: divide |A ∩ B| by √(|A| |B|)."
        expect(again == right, "other_products", f"right so far, but not for 7 other products: {sentence}")


def _cosine(X, i):
    """How like product i each product is."""
    return X @ X[i] / np.sqrt(X.sum(axis=1) * X[i].sum())


def _without(values, i):
    return np.where(np.arange(len(values)) == i, -np.inf, values)


bought_also.right = lambda X, i: _without(_cosine(X, i), i).argmax()
bought_also.wrong = {
    "itself": lambda X, i: _cosine(X, i).argmax(),
    "value": lambda X, i: _without(_cosine(X, i), i).max(),
    "count": lambda X, i: _without(X @ X[i], i).argmax(),
    "divided_by_all": lambda X, i: _without(X @ X[i] / X.sum(axis=1), i).argmax(),
    "numbers_moved": lambda X, i: np.delete(_cosine(X, i), i).argmax(),
    "counted_from_one": lambda X, i: _without(_cosine(X, i), i).argmax() + 1,
    "distance": lambda X, i: _without(-((X - X[i]) ** 2).sum(axis=1), i).argmax(),
    "smallest": lambda X, i: _cosine(X, i).argmin(),
    "wrong_product": lambda X, i: 17,
    "arguments_ignored": lambda X, i: 4,
    "jaccard": lambda X, i: _without(X @ X[i] / np.maximum(X, X[i]).sum(axis=1), i).argmax(),
    "other_products": [
        lambda X, i: _without(X @ X[0] / np.linalg.norm(X, axis=1), i).argmax(),
        lambda X, i: _without(X @ X[i] / np.sqrt(X.sum(axis=1) + X[i].sum()), i).argmax(),
    ],
}
bought_also.scenes = {
    "count": (bought_together, "Cosine"),
}


summary = summary_of(to_the_mean, bought_also, deeper=(one_point_decides, three_and_four))
