"""Theorems about the data: shapes, seeds, and what the docstrings promise."""

import inspect

import numpy as np
import pytest
from scipy.optimize import linprog
from scipy.stats import multivariate_normal

from kernelkit import Monomials, PrimalRidge, datasets

PUBLIC = {
    name: f
    for name, f in inspect.getmembers(datasets, inspect.isfunction)
    if not name.startswith("_") and f.__module__ == datasets.__name__
}
CURVES = {"sine": lambda x: np.sin(2 * x), "cubic": lambda x: (x**3 - 4 * x) / 5, "step": np.sign}
CLASSES = ["interval", "half_planes", "rings", "crossing", "moons", "circles", "bullseye", "mixture"]
THREE = ["arms", "blobs"]  # classes 0, 1, 2
FIXED = ["sixteen", "digits", "iris", "petals", "breast_cancer", "ground"]
SAMPLED = [*CURVES, *CLASSES, *THREE]
OBJECTS = ["motifs", "recipes", "bags", "molecules", "parses", "gestures", "writings", "rankings"]
INPUTS = {"One input": 1, "Two inputs": 2, "64 inputs": 64, "30 measures": 30, "four lengths": 4}


# ---- all data sets ------------------------------------------------------------------------------


def test_every_data_set_is_tested():
    others = {"baskets", "mixture_bayes", "mixture_bayes_error", "picture", "textures", "languages"}
    assert set(PUBLIC) == {*SAMPLED, *FIXED, *OBJECTS} | others


@pytest.mark.parametrize("name", [*SAMPLED, *FIXED])
def test_data_have_the_documented_form(name):
    X, y = PUBLIC[name]()
    assert X.ndim == 2 and X.dtype == np.float64 and y.shape == (len(X),)
    assert np.isfinite(X).all() and np.isfinite(y).all()
    assert any(words in PUBLIC[name].__doc__ and X.shape[1] == d for words, d in INPUTS.items())
    if name not in CURVES and name != "ground":
        assert set(y.tolist()) == ({0, 1, 2} if name in (*THREE, "iris", "petals") else {-1, 1})


@pytest.mark.parametrize("name", [*SAMPLED, *OBJECTS])
def test_there_are_as_many_points_as_asked_for_and_the_same_for_the_same_seed(name):
    make = PUBLIC[name]
    n = inspect.signature(make).parameters["n"].default
    for size, data in ((n, make()), (1, make(1)), (17, make(n=17))):
        assert [len(part) for part in data] == [size, size]
    (X, y), (again, labels), (other, _) = make(), make(random_state=0), make(random_state=1)
    assert repr(list(X)) == repr(list(again)) != repr(list(other)) and y.tolist() == labels.tolist()
    if name in (*CLASSES[1:], *OBJECTS) and name not in ("crossing", "half_planes", "bags"):
        assert sorted({*y.tolist()}) == [-1, 1] and abs(y.sum()) <= 1  # as many of both classes


@pytest.mark.parametrize("name", [*SAMPLED, *FIXED, *OBJECTS, "languages"])
def test_data_leave_the_global_generator_alone(name):
    np.random.seed(3)  # noqa: NPY002
    expected = np.random.random()  # noqa: NPY002
    np.random.seed(3)  # noqa: NPY002
    PUBLIC[name]()
    assert np.random.random() == expected  # noqa: NPY002


@pytest.mark.parametrize("name", [*SAMPLED, *OBJECTS, "baskets", "languages", "textures"])
def test_bad_sizes_and_seeds_are_refused(name):
    bad = {"n": (-1, "many", np.nan), "noise": (-1, "many", np.nan), "random_state": (-1, "now", 1.5)}
    for parameter in inspect.signature(PUBLIC[name]).parameters.keys() & bad.keys():
        for value in bad[parameter]:
            words = rf"^{parameter} must be a (finite |whole )?number ≥ \d, got {value!r}"
            with pytest.raises((ValueError, TypeError), match=words):
                PUBLIC[name](**{parameter: value})


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: datasets.textures(0), "n must be a whole number ≥ 1, got 0"),
        (lambda: datasets.textures(2, 1), "size must be 2 … 52, or the patches of the trees do not fit, got 1"),
        (lambda: datasets.textures(2, 53), "size must be 2 … 52, .* got 53"),
        (lambda: datasets.textures(2, 24.5), "size must be a whole number"),
        (lambda: datasets.digits(3, 3), "two of the digits 0 … 9, got 3 and 3"),
        (lambda: datasets.digits(3, 10), "two of the digits 0 … 9, got 3 and 10"),
        (lambda: datasets.mixture_bayes(np.zeros((4, 1))), r"points of the plane, \(n, 2\), got \(4, 1\)"),
        (lambda: datasets.mixture_bayes([0.0, 0.0]), r"points of the plane, \(n, 2\), got \(2,\)"),
        (lambda: datasets.mixture_bayes_error(-1), "step must be a finite number > 0, got -1"),
        (lambda: datasets.baskets(popular=-1), "popular must be a finite number ≥ 0, got -1"),
        (lambda: datasets.picture("lena"), "'china', 'flower', 'hopper' or 'brain', got 'lena'"),
        (lambda: datasets.languages(-0.1), "stray must be a finite number ≥ 0, got -0.1"),
        (lambda: datasets.languages(1.5), r"stray must be a number in \[0, 1\], got 1.5"),
        (lambda: datasets.motifs(gap=3), "gap must be 0, 1 or 2, .* got 3"),
    ],
)
def test_what_is_no_data_set_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()


# ---- curves and classes -------------------------------------------------------------------------


@pytest.mark.parametrize("name", CURVES)
def test_curves_are_their_formula_and_noise_of_its_standard_deviation(name):
    X, y = PUBLIC[name](n=200, noise=0)
    np.testing.assert_array_equal(y, CURVES[name](X[:, 0]))
    assert X.min() >= -3 and X.max() <= 3 and (np.diff(X[:, 0]) >= 0).all()
    cubic = PrimalRidge(Monomials(3), 0).fit(X, y).score(X, y) > 1 - 1e-12
    assert cubic == (name == "cubic")  # exactly a polynomial of degree 3
    X, y = PUBLIC[name](n=4000, noise=0.3)
    assert np.std(y - CURVES[name](X[:, 0])) == pytest.approx(0.3, rel=0.05)


def separable(Phi, y):
    """Whether some w has y Φ(x)ᵀw ≥ 1 at every point."""
    return linprog(np.zeros(Phi.shape[1]), -y[:, None] * Phi, -np.ones(len(y)), bounds=(None, None)).status == 0


@pytest.mark.parametrize("name", [*(name for name in CLASSES if name != "mixture"), "sixteen"])
def test_classes_are_separated_as_promised(name):
    X, y = PUBLIC[name]() if name == "sixteen" else PUBLIC[name](n=300, noise=0)
    line = Monomials(1)(X)
    by = {
        "half_planes": line,
        "crossing": X[:, :1] * X[:, 1:],
        "moons": Monomials(3)(X),
        "sixteen": Monomials(3)(X),
    }.get(name, np.column_stack([np.ones(len(X)), (X**2).sum(axis=1)]))
    assert separable(by, y)
    assert separable(line, y) == (name == "half_planes")  # a line does only there


def test_classes_lie_where_they_are_said_to():
    X, y = datasets.interval(n=1000)
    assert np.abs(X).max() <= 2.1
    np.testing.assert_array_equal(y == 1, np.abs(X[:, 0]) <= 1)
    bounds = {"rings": (0, 0.8, 1.4, 1.8), "bullseye": (0, 0.4, 1.7, 1.7), "circles": (0.7, 0.7, 1.6, 1.6)}
    for name, (low, high, inner, outer) in bounds.items():
        X, y = PUBLIC[name](n=1000, noise=0)
        minus, plus = (np.hypot(*X[y == label].T) for label in (-1, 1))
        assert minus.min() >= low - 1e-12 and minus.max() <= high + 1e-12, name
        assert plus.min() >= inner - 1e-12 and plus.max() <= outer + 1e-12, name
    X, y = datasets.sixteen()
    assert X.shape == (16, 2) and y.tolist() == [-1] * 8 + [1] * 8 and len(np.unique(X, axis=0)) == 16


# ---- the mixture and its best rule --------------------------------------------------------------


def densities(X):
    return [np.mean([multivariate_normal(m, np.eye(2) / 5).pdf(X) for m in means], axis=0) for means in datasets._MEANS]


def test_bayes_rule_of_the_mixture_is_the_log_ratio_of_the_densities_and_has_the_least_error(cloud):
    X = cloud(200, 2, scale=2.0)
    minus, plus = densities(X)
    np.testing.assert_allclose(datasets.mixture_bayes(X), np.log(plus / minus), rtol=1e-9, atol=1e-9)
    assert np.isfinite(datasets.mixture_bayes(1e3 * X)).all()  # where both densities are 0 in doubles
    t = np.arange(-6, 6, 0.05)
    bayes = datasets.mixture_bayes_error()
    assert bayes == pytest.approx(np.minimum(*densities(np.dstack(np.meshgrid(t, t)))).sum() * 0.05**2 / 2, rel=1e-3)
    assert datasets.mixture_bayes_error(0.05) == pytest.approx(bayes, rel=1e-4)
    X, y = datasets.mixture(n=20_000, random_state=1)
    ratio = datasets.mixture_bayes(X)
    error = (np.sign(ratio) != y).mean()
    assert error == pytest.approx(bayes, abs=3 * np.sqrt(bayes / 20_000))
    assert all((np.sign(ratio + shift) != y).mean() > error for shift in (-2, 2))


def test_mixture_is_drawn_around_its_means():
    X, y = datasets.mixture(40_000, random_state=2)
    for c, label in enumerate((-1, 1)):
        mine, means = X[y == label], datasets._MEANS[c]
        assert len(mine) == 20_000
        np.testing.assert_allclose(mine.mean(axis=0), means.mean(axis=0), atol=0.04)
        np.testing.assert_allclose(np.cov(mine.T), np.eye(2) / 5 + np.cov(means.T, bias=True), atol=0.05)


# ---- real data, baskets and pictures ------------------------------------------------------------


def test_real_data_are_scaled_and_mean_what_they_say():
    for make, shape in ((datasets.iris, (150, 4)), (datasets.breast_cancer, (569, 30))):
        X, y = make()
        assert X.shape == shape
        np.testing.assert_allclose(X.mean(axis=0), 0, atol=1e-12)
        np.testing.assert_allclose(X.var(axis=0), 1, rtol=1e-12)
    assert (y == -1).sum() == 212 and X[y == -1, 0].mean() > X[y == 1, 0].mean()  # malignant ones are larger
    assert np.bincount(datasets.iris()[1]).tolist() == [50, 50, 50]
    X, y = datasets.digits()
    assert X.shape == (357, 64) and X.min() == 0 and X.max() == 1 and (y == -1).sum() == 183
    Z, labels = datasets.digits(8, 3)
    np.testing.assert_array_equal(X, Z)
    np.testing.assert_array_equal(y, -labels)
    X, y = datasets.digits(0, 1)
    hole = X.reshape(-1, 8, 8)[:, 3:5, 3:5].mean(axis=(1, 2))
    assert hole[y == -1].max() < hole[y == 1].mean()  # a 0 is empty in the middle, a 1 is not


def test_baskets_hold_five_groups_and_two_bestsellers():
    X, group = datasets.baskets(n=2000, popular=0.6)
    assert X.shape == (40, 2000) and set(np.unique(X)) == {0, 1} and len(set(datasets.PRODUCTS)) == 40
    assert np.bincount(group).tolist() == [8] * 5
    np.testing.assert_array_equal(X, datasets.baskets(n=2000)[0])
    best = np.argsort(-X.sum(axis=1))[:2]
    assert {datasets.PRODUCTS[i] for i in best} == {"batteries", "tape"}
    assert X[best].mean() == pytest.approx(0.6, abs=0.03)
    together, others = np.corrcoef(X), ~np.isin(np.arange(40), best)
    same = (group[:, None] == group) & ~np.eye(40, dtype=bool) & others & others[:, None]
    apart = (group[:, None] != group) & others & others[:, None]
    assert together[same].min() > together[apart].max()


def test_the_ground_is_a_map_of_kilometres_and_metres():
    X, y = datasets.ground()
    assert y.reshape(86, 101).shape == (86, 101) and 200 < y.min() < y.max() < 1100
    east, north = np.unique(X[:, 0]), np.unique(X[:, 1])
    assert (len(east), len(north)) == (101, 86) and east[0] == north[0] == 0
    np.testing.assert_allclose([east[-1], north[-1]], [29.8, 31.4], atol=0.1)
    every, all_heights = datasets.ground(1)
    place = np.flatnonzero((np.abs(every - X[5000]) < 1e-9).all(axis=1))
    assert all_heights[place] == y[5000]  # a thinner map has the heights of the same places


@pytest.mark.parametrize(
    ("name", "shape"),
    [("china", (427, 640, 3)), ("flower", (427, 640, 3)), ("hopper", (600, 512, 3)), ("brain", (256, 256))],
)
def test_pictures_are_brightness_between_0_and_1(name, shape):
    x, grey = datasets.picture(name), datasets.picture(name, grey=True)
    assert x.shape == shape and x.dtype == np.float64
    assert 0 <= x.min() < 0.1 and 0.9 < x.max() <= 1
    np.testing.assert_array_equal(grey, x.mean(axis=2) if x.ndim == 3 else x)


def test_textures_differ_in_nothing_but_texture_and_halves_share_no_pixel():
    X, y = datasets.textures(20)
    assert X.shape == (40, 24, 24) and y.tolist() == [-1] * 20 + [1] * 20
    np.testing.assert_allclose(X.mean(axis=(1, 2)), 0, atol=1e-12)
    np.testing.assert_allclose(X.std(axis=(1, 2)), 1, atol=1e-12)
    np.testing.assert_array_equal(X, datasets.textures(20)[0])
    assert np.abs(X - datasets.textures(20, test=True)[0]).max() > 1
    for (*_, right), (_, _, left, _) in datasets.HALVES.values():
        assert right <= left
    assert all(datasets.textures(2, size)[0].shape == (4, size, size) for size in (2, 52))
