"""Theorems about kernels of what is not a vector: the laws, Φ, models on lists of objects, and what is refused."""

import inspect

import every_kernel
import numpy as np
import pytest
from every_kernel import COLLECTIONS, OBJECTS
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score

import kernelkit
from kernelkit import KernelRidge, KernelSVM, Normalized, Subsequences, kernels
from kernelkit.kernels import Conjugate, InverseLength

pytestmark = pytest.mark.filterwarnings("error")
ALL = pytest.mark.parametrize("k", OBJECTS, ids=repr)
MODELS = [
    Model for Model in (getattr(kernelkit, name) for name in kernelkit.__all__)
    if hasattr(Model, "fit") and "kernel" in inspect.signature(Model).parameters
]  # fmt: skip


def taken(objects, indices):
    """Some of the objects, a list or an array as they are."""
    return objects[list(indices)] if isinstance(objects, np.ndarray) else [objects[i] for i in indices]


@ALL
def test_gram_matrix_is_symmetric_and_positive_semidefinite(k):
    X = COLLECTIONS[k.points]
    twice = taken(X, [0, 1, 2, 3, 4, 4, 0])
    K = k(twice)
    np.testing.assert_array_equal(K, K.T)
    np.testing.assert_allclose(K[:5, :5], K[[6, 1, 2, 3, 5]][:, [6, 1, 2, 3, 5]], rtol=1e-12)
    assert np.linalg.eigvalsh(K)[0] >= -1e-12 * np.trace(K)
    np.testing.assert_allclose(K.diagonal(), k.diag(k.read(twice)[0]), rtol=1e-12)


@ALL
def test_number_vector_and_matrix_agree(k):
    X = COLLECTIONS[k.points]
    K = k(X)
    for i in range(5):
        np.testing.assert_allclose(k(X[i], X), K[i], rtol=1e-12, atol=1e-15)
        np.testing.assert_allclose(k(X, X[i]), K[i], rtol=1e-12, atol=1e-15)
        assert type(k(X[i], X[0])) is float and k(X[i], X[0]) == pytest.approx(K[i, 0], rel=1e-12)
    part = k(taken(X, [3, 1]), taken(X, [0, 4, 2]))
    np.testing.assert_allclose(part, K[[3, 1]][:, [0, 4, 2]], rtol=1e-12, atol=1e-15)
    D = k.squared_distance(X)
    np.testing.assert_allclose(D, np.add.outer(k.diag(k.read(X)[0]), k.diag(k.read(X)[0])) - 2 * K, atol=1e-10)


@ALL
def test_normalised_objects_are_one_long_or_nothing(k):
    X, normal = COLLECTIONS[k.points], Normalized(k)
    K, lengths = normal(X), k.diag(k.read(X)[0]) > 0
    np.testing.assert_array_equal(K.diagonal(), lengths)
    assert np.abs(K).max() <= 1 + 1e-12 and not K[~lengths].any() and not K[:, ~lengths].any()
    np.testing.assert_allclose(K, Conjugate(InverseLength(k), k)(X), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(normal(taken(X, [1, 4]), X), K[[1, 4]], rtol=1e-12, atol=1e-15)


@ALL
def test_rules_over_objects_have_the_features_that_the_rules_say(k):
    X = COLLECTIONS[k.points]
    composed = 2 * Normalized(k) ** 2 + k * k + 1
    K, by_hand = k(X), Normalized(k)(X)
    np.testing.assert_allclose(composed(X), 2 * by_hand**2 + K**2 + 1, rtol=1e-12)
    try:
        phi = composed.feature_map(**every_kernel.world(k))
    except ValueError as error:
        assert "no known finite features" in str(error)
        return
    np.testing.assert_allclose(phi(X) @ phi(X).T, composed(X), rtol=1e-10, atol=1e-12)


@ALL
def test_repr_can_be_pasted_back(k):
    for composed in (k, 2 * k + 1, Normalized(k) ** 2):
        assert eval(repr(composed), vars(kernels).copy()) == composed


@ALL
@pytest.mark.parametrize("Model", MODELS, ids=lambda Model: Model.__name__)
def test_every_kernel_model_takes_lists_of_objects(Model, k):
    X = taken(COLLECTIONS[k.points], 5 * [0, 1, 2, 3])
    y = np.array(5 * [1, 1, 0, 0])
    kernel = Normalized(k) + 0.1
    model = clone(Model(kernel=kernel)).fit(X, y)
    if not hasattr(model, "score"):  # what learns without labels
        found = [getattr(model, name)(X) for name in ("predict", "transform") if hasattr(model, name)]
        assert {len(part) for part in (*found, getattr(model, "labels_", X))} == {20}
        return
    assert model.predict(X).shape == (20,)
    table = Model(kernel=kernels.Precomputed()).fit(kernel(X), y)
    np.testing.assert_allclose(model.predict(taken(X, [3, 0, 1])), table.predict(kernel(X)[[3, 0, 1]]), rtol=1e-5)
    assert len(cross_val_score(Model(kernel=kernel), X, y, cv=2)) == 2


def test_grids_reach_into_kernels_of_objects():
    words = ["cat", "cart", "tact", "attract", "dog", "dodge", "good", "gold"]
    y = [0, 0, 0, 0, 1, 1, 1, 1]
    search = GridSearchCV(KernelSVM(Normalized(Subsequences(2, 0.5))), {"kernel__k__decay": [0.1, 0.5, 1.0]}, cv=2)
    search.fit(words, y)
    assert search.best_score_ == 1 and search.predict(["tacit", "dog gold"]).tolist() == [0, 1]
    assert KernelRidge(2 * Subsequences(2)).set_params(kernel__k__length=3).kernel == 2 * Subsequences(3)


# ---- what is refused, in one sentence ------------------------------------------------------------

REFUSED = {
    "a number among strings": (lambda: Subsequences(2)(["cat", 3]),
        "X must hold a string at each place, such as 'cat', but X[1] is 3."),
    "no string": (lambda: kernels.Substrings(2)(3), "X must be a string, such as 'cat', or a list of them, got 3."),
    "no strings at all": (lambda: kernels.Substrings(2)([]),
        "Found array with 0 sample(s) while a minimum of 1 is required in X: the list is empty."),
    "an unknown letter": (lambda: Subsequences(2).feature_map(over="ac")(["ca", "cat"]),
        "'t' in 'cat' is not in the world over=('a', 'c')."),
    "no alphabet": (lambda: Subsequences(2, 0.5).feature_map(),
        "Subsequences(2) has its features over a given world; give it, as in k.feature_map(over='act')."),
    "too large a world": (lambda: Subsequences(9).feature_map(over="abcdefghijklmnopqrstuvwxyz"),
        "Φ has D = 5,429,503,678,976 features here: too many to list, at most 1,000,000 are; the kernel k(x, z) needs "
        "none of them."),
    "a decay of 0": (lambda: Subsequences(2, 0), "decay must be a finite number > 0, got 0."),
    "a decay above 1": (lambda: Subsequences(2, 1.5), "decay must be a number in (0, 1], got 1.5."),
    "words without letters": (lambda: kernels.Substrings(0), "length must be a whole number ≥ 1, got 0."),
    "lists instead of sets": (lambda: kernels.Overlap()([[1, 2], [2]]),
        "X must hold a set at each place, such as {1, 2}, but X[0] is [1, 2]."),
    "an unknown element": (lambda: kernels.Subsets().feature_map(over={1, 2})([{3}]),
        "3 in {3} is not in the world over=(1, 2)."),
}  # fmt: skip


@pytest.mark.parametrize(("call", "sentence"), REFUSED.values(), ids=REFUSED)
def test_bad_input_is_refused_in_one_sentence(call, sentence):
    with pytest.raises((ValueError, TypeError)) as error:
        call()
    assert str(error.value) == sentence
