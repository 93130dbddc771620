"""The explorers of notebook 05 say what scikit-learn and the textbook formulas say."""

import re
from itertools import product

import numpy as np
import pytest
from course.explorers.weighted_monomials import features
from panels import said_by as sentence, state_of as state
from scipy.special import expit, softmax as scipy_softmax
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier

from kernelkit import Polynomial, PrimalLogistic, datasets
from kernelkit.course.explorers.drawing.shades import COLOURS, PALE, class_shades, probability_shades
from kernelkit.course.explorers.kernel_logistic import boundaries, costs, softmax
from kernelkit.course.explorers.kernel_logistic.costs import FIXED, TESTS, sgd_in_w

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


def test_the_cheapest_form_is_named_with_its_reason():
    seen = set()
    for task, grow, degree, d, n, j in product(("gd", "sgd"), "jnD", (2, 3, 4), *(FIXED[name] for name in "dnj")):
        values = {"task": task, "grow": grow, "degree": degree, "d": d, "n": n, "j": j}
        s, said = state(costs, **values), sentence(costs, **values)
        n, d, D, j = s.size
        step = {"primal": n * D, "kernel": n * n} if task == "gd" else {"primal": D, "kernel": n}
        total = {"primal": step["primal"] * j, "kernel": n * n * d + step["kernel"] * j}
        best = min(total, key=total.get)
        assert f"The {best} form needs the fewest" in said
        assert (" steps pay for K" in said) == (best == "kernel") and ("do not pay" in said) == (
            best == "primal" and step["kernel"] < step["primal"]
        )
        assert ("D is not more than n" in said) == (step["primal"] <= step["kernel"])
        seen.add(said.split("fewest, ")[1][:10])
    assert seen == {"because n ", "because D ", "although n"}


def test_recovering_w_pays_at_the_crossing():
    s = state(costs, **costs.scenes["Recover w"])
    n, d, D, _ = s.size
    assert 1 / n + 1 / s.even == pytest.approx(d / D)
    found = re.search(r"cross at t = ([\d.]+), so by this count w pays from (\d+) ", text := costs.describe(s))
    stay, build = (np.array(s.seconds[form][1]) for form in ("stay with k", "build w once"))
    assert f", by the markers from {TESTS[1 + np.flatnonzero(build >= stay)[-1]]} on" in text
    crossing, said = found.groups()
    assert float(crossing) == pytest.approx(s.even, abs=0.051) and f"cross at {crossing}" in s.rules[1][1]
    said = int(said)
    assert said * n * d > n * D + said * D and (said - 1) * n * d <= n * D + (said - 1) * D
    assert "Here w never pays" in sentence(costs, task="test", d=10, degree=4, n=100)


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
        assert s.new[i] == pytest.approx(new)
        told = f"(p = {p}) {100 * new:.1f}\u00a0%" if i else f"the linear model gets {100 * new:.1f}\u00a0% wrong"
        assert told in boundaries.describe(s)


def test_boundaries_name_the_best_on_new_points_and_who_gets_the_training_points_right():
    seen = set()
    for data, n, sigma in product(("half_planes", "rings", "crossing", "moons", "mixture"), (20, 60), (0.2, 1.0)):
        s, said = state(boundaries, data=data, n=n, sigma=sigma), sentence(boundaries, data=data, n=n, sigma=sigma)
        shares = np.round(1000 * np.array(s.new), 6)
        (best, *others) = np.flatnonzero(shares == shares.min())
        kinds = [name.split(",")[0] for name in s.names]
        seen |= {"equally" in said, "although" in said}
        assert ("equally well" in said) == bool(others)
        if not others:
            assert f"so on them the {kinds[best]} one does best" in said
            assert ("fewer training points wrong" in said) == (min(s.wrong) < s.wrong[best])
    assert seen == {True, False}


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
    assert f"class {p.argmax()} wins" in said
    assert f"{wrong or 'None'} of the {len(y)} points {'is' if wrong == 1 else 'are'} on" in said


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


@pytest.mark.parametrize(
    ("values", "best", "more"),
    [
        ({"data": "half_planes", "n": 30, "lam": 0.1, "degree": 6, "sigma": 2.8}, 3, 0),
        ({"data": "half_planes", "n": 40, "lam": 1.0, "degree": 2, "sigma": 0.2}, 2, 1),
        ({"data": "half_planes", "n": 40, "lam": 0.1, "degree": 2, "sigma": 1.0}, 2, 0),
        ({"data": "rings", "n": 60, "lam": 1.0, "degree": 3, "sigma": 0.5}, 2, 0),
        ({"data": "half_planes", "n": 20, "lam": 10.0, "degree": 2, "sigma": 0.2}, 1, 0),
        ({"data": "half_planes", "n": 40, "lam": 0.1, "degree": 3, "sigma": 0.2}, 1, 1),
        ({"data": "rings", "n": 20, "lam": 10.0, "degree": 3, "sigma": 0.5}, 1, 1),
        ({"data": "mixture", "n": 60, "lam": 10.0, "degree": 2, "sigma": 0.2}, 1, 2),
    ],
)
def test_models_with_as_few_mistakes_are_level_and_a_single_best_is_compared_on_the_training_points(values, best, more):
    """Both kinds of mistakes are counted in whole points; best and more are how many models the sentence is about."""
    s, said = state(boundaries, **values), sentence(boundaries, **values)
    new, training = ([round(share * n) for share in shares] for shares, n in ((s.new, 400), (s.wrong, len(s.y))))
    kinds = "linear", "polynomial", "Gaussian"
    first = [i for i in range(3) if new[i] == min(new)]
    better = [i for i in range(3) if training[i] < training[first[0]]]
    assert len(first) == best and (best > 1 or len(better) == more), "the setting is what it is here for"
    (level,) = re.findall(r", so (.*?)(?: do equally well|one does best)", said)
    if best == 3:
        assert level == "all three"
    else:
        assert [kind for kind in kinds if kind in level] == [kinds[i] for i in first]
    assert ("equally well" in said) is (best > 1)
    although = re.findall(r"although (.*) (gets?) fewer training points wrong", said)
    if best > 1 or not better:
        assert not although
    elif more == 1:
        assert although == [(f"the {kinds[better[0]]} one", "gets")]
    else:
        assert although == [("both others", "get")]


@pytest.mark.parametrize(
    ("values", "level"),
    [
        ({"sigma": 0.3, "points": ((-2.4, 2.4),)}, 3),
        ({"sigma": 0.1, "lam": 0.01, "points": ((-1.5, -1.0),)}, 3),
        ({"sigma": 0.3, "points": ((-2.4, 2.4),), "model": "rest"}, 3),
        ({"sigma": 0.3, "lam": 0.1, "points": ((-1.0, 0.75),)}, 2),
        ({"sigma": 0.6, "lam": 10.0, "points": ((0.0, -1.25),)}, 2),
        ({"sigma": 0.6, "lam": 10.0, "points": ((1.25, 1.0),)}, 2),
        ({"sigma": 0.1, "lam": 0.01, "points": ((-2.0, 1.0),)}, 1),
        ({}, 1),
    ],
)
def test_two_classes_of_the_same_written_probability_are_level_and_of_three_alike_none_stands_out(values, level):
    """Probabilities in whole hundredths, those of three alike at most two of them apart."""
    p, said = state(softmax, **values).p, sentence(softmax, **values)
    hundredths = [int(100 * v + 0.5) for v in p]
    if max(p) - min(p) <= 0.02:
        first, words = [0, 1, 2], "no class stands out"
    else:
        first = [c for c in range(3) if hundredths[c] == max(hundredths)]
        words = f"class {first[0]} wins" if len(first) == 1 else f"classes {first[0]} and {first[-1]} are level"
    assert len(first) == level, "the setting is what it is here for"
    assert f") {words}: the three probabilities" in said
