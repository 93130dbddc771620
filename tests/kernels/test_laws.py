"""The laws of ``Kernel``, held against every kernel, alone and inside every rule, and against random compositions."""

import copy
import dataclasses
import pickle

import every_kernel
import numpy as np
import pytest
from every_kernel import EXAMPLES, FORMULAS, points
from hypothesis import given, settings
from kernels.random_kernels import NAMES, agree, finite_with_points, scale

import kernelkit
from kernelkit import features, kernels
from kernelkit.kernels import Conjugate, Constant, Exp, FromFeatures, Gaussian, Kernel, Linear, Normalized, Pullback

pytestmark = pytest.mark.filterwarnings("error")
EVERY = pytest.mark.parametrize("k", EXAMPLES, ids=repr)
ALONE = [k for k in EXAMPLES if not k.pairwise]  # of which two points alone have a value


# ---- each kernel against its formula, written out -------------------------------------------------


@pytest.mark.parametrize(("k", "formula"), FORMULAS, ids=[repr(k) for k, _ in FORMULAS])
def test_every_kernel_is_its_formula(k, formula, cloud):
    X, tol = points(k, cloud), 1e-12 if k.points in every_kernel.COLLECTIONS else 1e-13
    expected = np.array([[formula(x, z) for z in X] for x in X])
    agree(k(X), expected, scale(k, X), tol)
    agree(k.diag(X), expected.diagonal(), k.diag(X), tol)


def test_every_kernel_is_public_and_has_an_example():
    bases = {"Binary", "Graphs", "InnerProduct", "Permutations", "Sets", "Stationary", "Strings", "Unary"}
    every = {c.__name__ for c in every_kernel.written_below(Kernel)} - bases
    assert every == {type(k).__name__ for k in EXAMPLES}, (
        "tests/every_kernel.py needs one example of each, and kernels/__init__.py its name"
    )
    others = {"Bell", "Damped", "InverseLength", "Kernel"}
    assert every == {*kernels.__all__} - others, "kernels/__init__.py needs each name"
    assert every <= {*kernelkit.__all__}, "kernelkit/__init__.py needs each name"


# ---- every kernel inside every rule ---------------------------------------------------------------


def halves(X):
    return np.full(len(X), -0.5)


def constants(X):
    return np.full((len(X), 2), 0.7)


RULES = {  # and what each makes of K
    "k": (lambda k: k, lambda K: K),
    "k + 1": (lambda k: k + 1, lambda K: K + 1),
    "2 * k": (lambda k: 2 * k, lambda K: 2 * K),
    "k * k": (lambda k: k * k, lambda K: K * K),
    "k ** 2": (lambda k: k**2, lambda K: K * K),
    "exp(k / 1000)": (lambda k: Exp(1e-3 * k), lambda K: np.exp(1e-3 * K)),
    "f k f": (lambda k: Conjugate(halves, k), lambda K: K / 4),
    "g + k": (lambda k: FromFeatures(constants) + k, lambda K: 0.98 + K),
    "k * g": (lambda k: k * Pullback(Linear(), constants), lambda K: K * 0.98),
}
NO_FEATURES = "{} has no known finite features; k(x, z) itself needs none."
NO_SERIES = (
    "{} has infinitely many features and no series of them to cut: k.waves(D, d) draws D random features for x ∈ ℝ^d, "
    "and k(x, z) itself needs none."
)


def refusal(call):
    """The sentence with which a kernel refuses, None if it does not."""
    try:
        call()
    except (ValueError, NotImplementedError) as error:
        assert "\n" not in str(error) and str(error).endswith(".")
        return str(error)


@pytest.mark.parametrize(("rule", "made"), RULES.values(), ids=RULES)
@pytest.mark.parametrize("example", EXAMPLES, ids=repr)
def test_every_kernel_keeps_the_contract(example, rule, made, cloud):
    k, raw = rule(example), points(example, cloud)
    X, one = k.read(raw, "X")
    n = len(raw)
    assert len(X) == n and one is False and k.points == example.points

    K = k.gram(X, X)
    assert K.shape == (n, n) and K.dtype == np.float64
    assert not isinstance(X, np.ndarray) or not np.shares_memory(K, X)
    np.testing.assert_array_equal(K, K.T)
    np.testing.assert_array_equal(k(raw), K)
    np.testing.assert_allclose(K, made(example.gram(X, X)), rtol=1e-12)
    assert np.linalg.eigvalsh(K)[0] >= -1e-12 * np.trace(K)
    assert k.gram(X[:2], X).shape == (2, n)

    diagonal = k.diagonal(X)
    assert diagonal.shape == (n,) and not (isinstance(X, np.ndarray) and np.shares_memory(diagonal, X))
    np.testing.assert_allclose(diagonal, K.diagonal(), rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(k.diag(raw), diagonal)
    np.testing.assert_array_equal(k.diag(X), diagonal)  # what was read may be read again

    cosines = k.normalized_gram(X, X)
    size = np.sqrt(np.where(diagonal > 0, diagonal, np.inf))
    np.testing.assert_allclose(cosines, K / np.outer(size, size), rtol=1e-12, atol=1e-12)
    np.testing.assert_array_equal(cosines, cosines.T)
    np.testing.assert_array_equal(cosines.diagonal(), diagonal > 0)

    D, size = k.squared_distance(raw), np.add.outer(diagonal, diagonal)
    np.testing.assert_array_equal(D, D.T)
    assert not D.diagonal().any() and D.min() >= 0
    assert (np.abs(D - (size - 2 * K)) <= 1e-13 * size).all()

    if not k.pairwise:  # of a table only the rows of all points together can be compared
        for i in (0, n - 1):  # one point is read as one, and k(x, Z), k(X, z) and k(x, z) are parts of k(X, Z)
            x, one = k.read(raw[i], "X")
            assert len(x) == 1 and one is True
            assert type(k(raw[i], raw[0])) is type(k.diag(raw[i])) is float
            numbers = [k(raw[i], raw[0]), *k(raw[i], raw), *k(raw, raw[i]), k.diag(raw[i])]
            agree(numbers, [K[i, 0], *K[i], *K[:, i], K[i, i]], np.sqrt(diagonal[i] * diagonal.max()), 1e-12)
        np.testing.assert_allclose(k.gram(X[:2], X), K[:2], rtol=1e-12, atol=1e-15)
        np.testing.assert_allclose(k.normalized_gram(X[:2], X), cosines[:2], rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(k.squared_distance(raw[:2], raw), D[:2], rtol=1e-12, atol=1e-13 * size.max())
        for empty in (k.gram(X, X[:0]), k.squared_distance_matrix(X, X[:0])):  # as of a model without support
            assert empty.shape == (n, 0)

    world = every_kernel.world(k)
    if said := refusal(lambda: k.feature_map(**world)):
        assert said == refusal(lambda: example.feature_map(**world)) == refusal(lambda: k.dim(3, **world))
        assert said in (NO_FEATURES.format(repr(example)), NO_SERIES.format(repr(example)))
        return
    phi, d = k.feature_map(**world), every_kernel.width(k, X)
    Phi, left = phi(raw), phi.remainder(X, X)
    assert Phi.shape == (n, phi.dim(d)) and len(phi.names(d)) == phi.dim(d) and phi.points == k.points
    assert k.dim(3, **world) == phi.dim(3)
    assert (np.abs(Phi @ Phi.T - K) <= left + 1e-9 * np.sqrt(np.outer(diagonal, diagonal))).all()
    np.testing.assert_allclose(phi.remainder(X[:2], X[1:]), left[:2, 1:], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(phi.remainder(raw[1], raw), left[1], rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(phi.remainder(raw, raw[1]), left[:, 1], rtol=1e-9, atol=1e-12)
    assert type(phi.remainder(raw[1], raw[0])) is float


@pytest.mark.parametrize(
    "k",
    [*(k for k in EXAMPLES if hasattr(type(k), "derivation")), *map(Normalized, ALONE)],
    ids=repr,
)
def test_a_derivation_is_the_same_kernel_built_from_the_rules(k, cloud):
    raw, derived, world = points(k, cloud), k.derivation, every_kernel.world(k)
    X, K = k.read(raw)[0], k(raw)
    agree(derived(raw), K, scale(k, raw), 1e-12)
    assert eval(repr(derived), NAMES.copy()) == derived
    if isinstance(k, Normalized):  # exactly of length 1, or 0
        np.testing.assert_array_equal(k.diag(raw), K.diagonal())
    if isinstance(derived, Conjugate):  # its factor takes one point, many or none
        factors = derived.f(raw)
        assert np.shape(factors) == (5,) and np.ndim(derived.f(raw[0])) == 0
        np.testing.assert_allclose([derived.f(x) for x in raw], factors, rtol=1e-12)
        assert derived.gram(X, X[:0]).shape == (5, 0)
    if refusal(lambda: k.feature_map(**world)) is None:
        phi, psi = k.feature_map(**world), derived.feature_map(**world)
        assert phi.dim(3) == psi.dim(3)
        agree(psi(raw) @ psi(raw).T, phi(raw) @ phi(raw).T, scale(k, raw), 1e-12)


@EVERY
def test_what_is_shown_can_be_pasted_back(k, cloud):
    X = points(k, cloud)
    for composed in (k, 2 * k + 1, k * k, Normalized(k) ** 2):
        shown = [composed]
        if refusal(lambda composed=composed: composed.feature_map(**every_kernel.world(k))) is None:
            shown.append(composed.feature_map(**every_kernel.world(k)))
        if not k.pairwise:
            shown.append(features.Landmarks(composed, X[:3]))
        for one in shown:
            again = eval(repr(one), NAMES.copy())
            assert again == one and repr(again) == repr(one) and hash(again) == hash(one)
            assert one is composed or (again(X) == one(X)).all()


@EVERY
def test_a_kernel_survives_copies_and_is_frozen(k):
    assert copy.deepcopy(k) == k and pickle.loads(pickle.dumps(k)) == k
    assert hash(copy.deepcopy(k)) == hash(k) and len({k, copy.deepcopy(k)}) == 1
    assert "=" not in repr(k)  # arguments stand in their order, without names
    for name in [*(field.name for field in dataclasses.fields(k)), "new"]:
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(k, name, 1)


@pytest.mark.parametrize("order", ["C", "F", "reversed", "strided"])
@pytest.mark.parametrize("k", [k for k in ALONE if k.points in ("vectors", "anything")], ids=repr)
def test_gram_is_exactly_symmetric_and_new_in_every_memory_layout(k, order, cloud):
    X = cloud(150, 3)  # more than two blocks of 64 rows
    X = {"C": X, "F": np.asfortranarray(X), "reversed": X[::-1, ::-1], "strided": cloud(300, 6)[::2, ::2]}[order]
    X = every_kernel.taken(k, X)
    K = k(X)
    np.testing.assert_array_equal(K, K.T)
    assert np.linalg.eigvalsh(K)[0] >= -1e-13 * np.trace(K)
    before = K.copy()
    K += 1
    np.testing.assert_array_equal(k(X), before)


# ---- at zero --------------------------------------------------------------------------------------


def assert_finite_at_zero(k, X):
    """k(0, x), k(0, 0) and Φ(0) are finite, and equal in every call; or k refuses 0 in one sentence."""
    zeros = np.zeros((2, X.shape[1]))
    both = np.vstack([X, zeros])
    if said := refusal(lambda: k(zeros)):
        assert "gives NaN" not in said, f"{k!r} is NaN at 0"
        assert said == refusal(lambda: k(zeros, both)) or "in Z" in refusal(lambda: k(X, both))
        return
    K = k(both)
    for finite in (K, k(zeros[0], X), k(zeros[0]), k(zeros), k.diag(zeros), k.squared_distance(both)):
        assert np.isfinite(finite).all(), f"{k!r} is {finite} at 0"
    alike = np.allclose(k(zeros), k(zeros[0], zeros[0]), rtol=1e-12, atol=0)
    assert alike, f"{k!r} of two points that are both 0 is {k(zeros).tolist()}, but k(0, 0) is one number"
    np.testing.assert_array_equal(K, K.T)
    np.testing.assert_allclose(k(zeros[0], X), K[-1, : len(X)], rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(k.diag(zeros), K.diagonal()[-2:], rtol=1e-12)
    if refusal(lambda: k.feature_map(**every_kernel.world(k))) is None:
        assert np.isfinite(k.feature_map(**every_kernel.world(k))(both)).all()


@pytest.mark.parametrize("rule", [*(rule for rule, _ in RULES.values()), Normalized], ids=[*RULES, "normalised"])
@pytest.mark.parametrize("k", [k for k in ALONE if k.points in ("vectors", "anything", "permutations")], ids=repr)
def test_every_kernel_is_finite_at_zero_or_refuses_it(k, rule, cloud):
    assert_finite_at_zero(rule(k), np.asarray(k.read(points(k, cloud))[0]))


@given(finite_with_points())
def test_every_composition_is_finite_at_zero(case):
    assert_finite_at_zero(*case[:2])


# ---- random compositions --------------------------------------------------------------------------


@settings(max_examples=200)
@given(finite_with_points())
def test_every_composition_is_the_inner_product_of_its_features(case):
    k, X, Z = case
    phi, d, size = k.feature_map(), X.shape[1], scale(k, X, Z)
    assert phi(X).shape == (len(X), phi.dim(d)) and len(phi.names(d)) == phi.dim(d) == k.dim(d)
    agree(phi(X) @ phi(Z).T, k(X, Z), size, 1e-10)
    agree(phi(X[0]) @ phi(Z[0]), k(X[0], Z[0]), size[0, 0], 1e-10)
    D = ((phi(X)[:, None] - phi(Z)[None]) ** 2).sum(axis=-1)
    agree(k.squared_distance(X, Z), D, np.add.outer(k.diag(X), k.diag(Z)), 1e-10)


@given(finite_with_points())
def test_every_composition_has_one_symmetric_positive_semidefinite_matrix_however_it_is_asked(case):
    k, X, Z = case
    K, between, size = k(X), k(X, Z), scale(k, X, Z)
    np.testing.assert_array_equal(K, K.T)
    np.testing.assert_array_equal(K, k(X, X))
    assert np.linalg.eigvalsh(K)[0] >= -1e-13 * np.trace(K)
    agree(K.diagonal(), k.diag(X), k.diag(X), 1e-12)
    assert {type(k(X[0], Z[0])), type(k(X[0])), type(k.squared_distance(X[0], Z[0]))} == {float}
    agree(k(X[0], Z[0]), between[0, 0], size[0, 0], 1e-12)
    agree(k(X[0], Z), between[0], size[0], 1e-12)
    agree(k(X, Z[0]), between[:, 0], size[:, 0], 1e-12)
    agree(k(Z, X), between.T, size.T, 1e-12)
    agree([k(X[0]), k.squared_distance(X[0])], [k.diag(X)[0], 0], k.diag(X)[0], 1e-12)
    np.testing.assert_array_equal(k.squared_distance(X).T, k.squared_distance(X))


@pytest.mark.parametrize("k", [Normalized(kernels.Polynomial(3)), Gaussian(0.8)], ids=repr)
def test_a_collection_beside_itself_is_read_once_and_at_distance_0_from_itself(k, cloud):
    X = cloud(40, 20, scale=30.0).tolist()
    D = k.squared_distance(X, X)
    np.testing.assert_array_equal(D, k.squared_distance(X))
    np.testing.assert_array_equal(D, D.T)
    assert not D.diagonal().any()


# ---- what a rule reads, where only one side knows the points --------------------------------------


@pytest.mark.parametrize(
    ("k", "raw"),
    [
        (kernels.Substrings(1), np.array(["abc", "aab", "c"])),
        (kernels.Substrings(1), np.array(["abc", "aab", "c"], object)),
        (kernels.Subtrees(), [("S", "she"), ("ran", "far"), ("S", "ran")]),  # of one shape
        (kernels.Subtrees(), [("S",), ("ran",), ("far",)]),
        (kernels.Alignments(Gaussian(1.0)), every_kernel.draws(3, 3, 3)),
        (kernels.Alignments(Gaussian(1.0)), np.array(every_kernel.draws(3, 3, 3))),
    ],
    ids=range(6),
)
def test_objects_that_look_like_a_matrix_are_many(k, raw):
    expected = [[k(x, z) for z in raw] for x in raw]
    for rule, made in RULES.values():
        np.testing.assert_allclose(rule(k)(raw), made(np.array(expected)), rtol=1e-12)


def test_without_a_part_that_knows_an_object_is_a_point_and_a_list_many():
    k = Constant(1)
    assert k("abc") == k(("S", ("NP", "she"))) == k({1, 2}) == k({"a": 1}) == k(np.str_("abc")) == 1.0
    assert k(["abc"]).shape == k([("S", "she")]).shape == k([{1}]).shape == k(np.array(["a"])).shape == (1, 1)
    assert k([np.ones(3), np.ones(2)]).shape == k([[1, 2], [3]]).shape == (2, 2)  # ragged
    assert k([1, 2, 3]) == k((1, 2, 3)) == k(5) == k(True) == 1.0  # numbers are still vectors
    assert k([[1, 2, 3], [4, 5, 6]]).shape == k(((1, 2, 3), (4, 5, 6))).shape == (2, 2)
    assert k(np.array([[1.0], [2.0]], object)).shape == (2, 2)
    deep = "leaf"
    for _ in range(200):
        deep = ("S", deep)
    assert k(deep) == 1.0 and k([deep, deep]).shape == (2, 2)


def test_lists_numbers_and_arrays_are_read_alike():
    assert Linear()([1, 2], [3, 4]) == Linear()(np.array([1.0, 2.0]), (3, 4)) == 11.0
    assert Linear()(3, 4) == Linear()([3], [4]) == 12.0  # a number is a point of ℝ¹
    assert Linear()([1, 2, 3]) == 14.0  # a 1-D array is one point
    assert Linear()(np.arange(6, dtype=np.int8).reshape(3, 2)).dtype == np.float64
    assert Linear()(np.array([[True, False]]), [[1, 1]]).tolist() == [[1.0]]


# ---- what is not written --------------------------------------------------------------------------


class Unfinished(Kernel):
    """A kernel of which nothing is written yet."""

    def __repr__(self):
        return "Unfinished()"


class UnfinishedMap(features.FeatureMap):
    """A feature map of which nothing is written yet."""


@pytest.mark.parametrize("rule", [rule for rule, _ in RULES.values()], ids=RULES)
def test_what_a_kernel_does_not_have_is_refused_in_one_sentence(rule, cloud):
    k, X = rule(Unfinished()), cloud(3, 2)
    for call in (k, k.diag, k.diagonal, k.squared_distance, lambda X: k.gram(X, X), lambda X: k.normalized_gram(X, X)):
        assert refusal(lambda call=call: call(X)) == "Unfinished has no gram(X, Z)."
    assert refusal(lambda: k.latex("x", "z")) == "Unfinished has no latex(x, z)."
    assert refusal(lambda: k.feature_map(degree=2)) == NO_FEATURES.format("Unfinished()")
    assert k.read(X)[0].shape == (3, 2)


@pytest.mark.parametrize(
    "phi",
    [
        UnfinishedMap(),
        features.Scale(2, UnfinishedMap()),
        features.Weighted(halves, UnfinishedMap()),
        features.Concatenate(UnfinishedMap(), features.Ones()),
        features.Kronecker(features.Identity(), UnfinishedMap()),
        features.Compose(features.Monomials(2), UnfinishedMap()),
    ],
    ids=lambda phi: type(phi).__name__,
)
def test_what_a_feature_map_does_not_have_is_refused_in_one_sentence(phi, cloud):
    X = cloud(3, 2)
    assert refusal(lambda: phi(X)) == refusal(lambda: phi.dim(2)) == "UnfinishedMap has no dim(d)."
    assert refusal(lambda: phi.matrix(list(X))) == "UnfinishedMap has no matrix(X)."
    assert "UnfinishedMap has no" in refusal(lambda: phi.names_from(["x"]))
    assert refusal(lambda: phi.latex("x")) == "UnfinishedMap has no latex(x)."
    assert phi.points == "vectors" and phi.read(X)[0].shape == (3, 2)
