"""Theorems about the data: shapes, seeds, and what the docstrings promise."""

import inspect

import numpy as np
import pytest
from scipy.optimize import linprog

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
def test_as_many_points_as_asked_for(name):
    n = inspect.signature(PUBLIC[name]).parameters["n"].default
    for size, data in ((n, PUBLIC[name]()), (1, PUBLIC[name](1)), (17, PUBLIC[name](n=17))):
        assert [len(part) for part in data] == [size, size]


@pytest.mark.parametrize("name", SAMPLED)
def test_same_seed_same_data(name):
    for seed in (0, 5):
        for a, b in zip(PUBLIC[name](random_state=seed), PUBLIC[name](random_state=seed), strict=True):
            np.testing.assert_array_equal(a, b)
    assert not np.array_equal(PUBLIC[name](random_state=1)[0], PUBLIC[name](random_state=2)[0])


@pytest.mark.parametrize("name", [*SAMPLED, *FIXED, *OBJECTS, "languages"])
def test_data_leave_the_global_generator_alone(name):
    np.random.seed(3)  # noqa: NPY002
    expected = np.random.random()  # noqa: NPY002
    np.random.seed(3)  # noqa: NPY002
    PUBLIC[name]()
    assert np.random.random() == expected  # noqa: NPY002


@pytest.mark.parametrize(
    ("name", "parameter"),
    [(f, p) for f in (*SAMPLED, *OBJECTS) for p in inspect.signature(PUBLIC[f]).parameters if p in ("n", "noise")],
)
@pytest.mark.parametrize("value", [-1, "many", np.nan])
def test_bad_sizes_are_refused(name, parameter, value):
    words = rf"{parameter} must be a (finite |whole )?number ≥ \d, got {value!r}"
    with pytest.raises((ValueError, TypeError), match=words):
        PUBLIC[name](**{parameter: value})


@pytest.mark.parametrize("name", [*SAMPLED, *OBJECTS, "baskets", "languages", "textures"])
@pytest.mark.parametrize("seed", [-1, "now", 1.5])
def test_what_is_no_seed_is_refused(name, seed):
    with pytest.raises((ValueError, TypeError), match=rf"^random_state must be a whole number ≥ 0, got {seed!r}"):
        PUBLIC[name](random_state=seed)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: datasets.textures(0), "n must be a whole number ≥ 1, got 0"),
        (lambda: datasets.textures(2, 1), "size must be 2 … 52, or the patches of the trees do not fit, got 1"),
        (lambda: datasets.textures(2, 53), "size must be 2 … 52, .* got 53"),
        (lambda: datasets.textures(2, 24.5), "size must be a whole number"),
        (lambda: datasets.digits(3, 3), "first and second must be two of the digits 0 … 9, got 3 and 3"),
        (lambda: datasets.digits(3, 10), "first and second must be two of the digits 0 … 9, got 3 and 10"),
        (lambda: datasets.mixture_bayes(np.zeros((4, 1))), r"X must hold points of the plane, \(n, 2\), got \(4, 1\)"),
        (lambda: datasets.mixture_bayes([0.0, 0.0]), r"X must hold points of the plane, \(n, 2\), got \(2,\)"),
        (lambda: datasets.mixture_bayes_error(-1), "step must be a finite number > 0, got -1"),
    ],
)
def test_what_is_no_data_set_is_refused(call, words):
    with pytest.raises(ValueError, match=words):
        call()


@pytest.mark.parametrize("name", CURVES)
def test_curves_are_their_formula_without_noise(name):
    X, y = PUBLIC[name](n=200, noise=0)
    np.testing.assert_array_equal(y, CURVES[name](X[:, 0]))
    assert X.min() >= -3 and X.max() <= 3 and (np.diff(X[:, 0]) >= 0).all()


@pytest.mark.parametrize("name", CURVES)
def test_noise_has_its_standard_deviation(name):
    X, y = PUBLIC[name](n=4000, noise=0.3)
    assert np.std(y - CURVES[name](X[:, 0])) == pytest.approx(0.3, rel=0.05)


def test_cubic_is_a_polynomial_of_degree_3_and_sine_is_not():
    for name, exact in (("cubic", True), ("sine", False), ("step", False)):
        X, y = PUBLIC[name](n=100, noise=0)
        assert (PrimalRidge(Monomials(3), 0).fit(X, y).score(X, y) > 1 - 1e-12) == exact


def separable(Phi, y):
    """Whether some w has y Φ(x)ᵀw ≥ 1 at every point."""
    return linprog(np.zeros(Phi.shape[1]), -y[:, None] * Phi, -np.ones(len(y)), bounds=(None, None)).status == 0


@pytest.mark.parametrize("name", [name for name in CLASSES if name != "mixture"])
def test_classes_are_separated_as_promised(name):
    X, y = PUBLIC[name](n=300, noise=0)
    one = np.ones((len(X), 1))
    by = {
        "interval": np.hstack([one, X**2]),
        "half_planes": np.hstack([one, X]),
        "rings": np.hstack([one, (X**2).sum(axis=1, keepdims=True)]),
        "bullseye": np.hstack([one, (X**2).sum(axis=1, keepdims=True)]),
        "circles": np.hstack([one, (X**2).sum(axis=1, keepdims=True)]),
        "crossing": X[:, :1] * X[:, 1:],
        "moons": Monomials(3)(X),
    }[name]
    assert separable(by, y)
    assert separable(np.hstack([one, X]), y) == (name == "half_planes")  # a line does only there


def test_interval_is_where_it_says():
    X, y = datasets.interval(n=1000)
    assert np.abs(X).max() <= 2.1
    np.testing.assert_array_equal(y == 1, np.abs(X[:, 0]) <= 1)


def test_rings_are_a_disc_and_a_ring():
    X, y = datasets.rings(n=1000, noise=0)
    radius = np.hypot(*X.T)
    assert radius[y == -1].max() <= 0.8 and radius[y == 1].min() >= 1.4 and (y == 1).sum() == 500


def test_a_bullseye_is_a_small_disc_and_a_far_ring():
    X, y = datasets.bullseye(n=1000, noise=0)
    radius = np.hypot(*X.T)
    assert radius[y == -1].max() <= 0.4 and np.allclose(radius[y == 1], 1.7) and (y == 1).sum() == 500


def test_baskets_hold_five_groups_and_two_bestsellers():
    X, group = datasets.baskets(n=2000, popular=0.6)
    assert X.shape == (40, 2000) and set(np.unique(X)) == {0, 1} and len(set(datasets.PRODUCTS)) == 40
    assert np.bincount(group).tolist() == [8] * 5
    np.testing.assert_array_equal(X, datasets.baskets(n=2000, popular=0.6)[0])
    with pytest.raises(ValueError, match=r"^popular must be a finite number ≥ 0, got -1\.$"):
        datasets.baskets(popular=-1)
    best = np.argsort(-X.sum(axis=1))[:2]
    assert {datasets.PRODUCTS[i] for i in best} == {"batteries", "tape"}
    assert X[best].mean() == pytest.approx(0.6, abs=0.03)
    together, others = np.corrcoef(X), ~np.isin(np.arange(40), best)
    same = (group[:, None] == group) & ~np.eye(40, dtype=bool) & others & others[:, None]
    apart = (group[:, None] != group) & others & others[:, None]
    assert together[same].min() > together[apart].max()


def test_circles_have_their_radii():
    X, y = datasets.circles(n=100, noise=0)
    np.testing.assert_allclose(np.hypot(*X.T), np.where(y < 0, 0.7, 1.6), rtol=1e-12)


def test_no_line_separates_the_sixteen_points():
    X, y = datasets.sixteen()
    assert not separable(np.hstack([np.ones((16, 1)), X]), y) and separable(Monomials(5)(X), y)
    assert (y == 1).sum() == (y == -1).sum() == 8


def test_bayes_rule_of_the_mixture_has_the_least_error():
    X, y = datasets.mixture(n=20000, random_state=1)
    bayes, ratio = datasets.mixture_bayes_error(), datasets.mixture_bayes(X)
    error = (np.sign(ratio) != y).mean()
    assert error == pytest.approx(bayes, abs=3 * np.sqrt(bayes / 20000))
    assert all((np.sign(ratio + shift) != y).mean() > error for shift in (-2, 2))
    # log p(x | +1)/p(x | −1) at a few points, by the densities written out
    for x, value in zip(X[:5], ratio, strict=False):
        plus, minus = (np.exp(-2.5 * ((x - m) ** 2).sum(axis=1)).sum() for m in datasets._MEANS[::-1])
        assert value == pytest.approx(np.log(plus / minus), rel=1e-9)


def test_real_data_are_scaled_as_they_say():
    X, _ = datasets.digits(1, 7)
    assert X.min() == 0 and X.max() == 1
    for make in (datasets.iris, datasets.breast_cancer):
        X, _ = make()
        np.testing.assert_allclose(X.mean(axis=0), 0, atol=1e-12)
        np.testing.assert_allclose(X.var(axis=0), 1, rtol=1e-12)


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


def test_an_unknown_picture_is_refused_by_name():
    with pytest.raises(ValueError, match="'china', 'flower', 'hopper' or 'brain', got 'lena'"):
        datasets.picture("lena")


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
