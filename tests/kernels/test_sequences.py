"""Theorems about the kernels of series and of Markov chains; their sums are written out in ``every_kernel``."""

from itertools import product

import numpy as np
import pytest
from every_kernel import COLLECTIONS, FAIR, HIDDEN, SLOW, chain_score, draws, written

from kernelkit import Alignments, ChainProduct, FisherMarkov, Gaussian, KernelSVM, Laplace, Linear, Normalized, Overlap
from kernelkit.kernels import sequences

pytestmark = pytest.mark.filterwarnings("error")
SERIES, CHAINS = COLLECTIONS["series of vectors"], COLLECTIONS["chains"]


# ---- alignments ----------------------------------------------------------------------------------


@pytest.mark.parametrize("local", [Gaussian(0.3), Gaussian(1.0), Laplace(3.0)], ids=repr)
def test_gram_is_positive_semidefinite_on_series_of_many_lengths(local):
    K = Normalized(Alignments(local))(draws(*range(1, 25), seed=3))
    assert np.linalg.eigvalsh(K)[0] > -1e-12 and (K.diagonal() == 1).all() and K.max() <= 1


def test_models_take_long_series_normalised_and_refuse_what_overflows():
    x, k = np.zeros((480, 1)), Alignments(Gaussian(1.0))
    with np.errstate(over="ignore"):
        assert k(x, x) == np.inf
        with pytest.raises(ValueError, match="k overflows"):
            KernelSVM(k).fit([x, x], [0, 1])
    assert KernelSVM(Normalized(k)).fit([x, x + 1e3], [0, 1]).predict([x]).tolist() == [0]


def test_batches_do_not_matter(monkeypatch):
    expected = Alignments(Gaussian(1.0))(SERIES)
    monkeypatch.setattr(sequences, "CELLS", 1)
    np.testing.assert_allclose(Alignments(Gaussian(1.0))(SERIES), expected, rtol=1e-13)
    np.testing.assert_allclose(Alignments(Gaussian(1.0))(SERIES[:2], SERIES), expected[:2], rtol=1e-13)


@pytest.mark.parametrize(
    ("c", "above", "below"),
    [
        *((c, True, True) for c in (1.001, 1.999, 100, 1 + 1.5e-12)),
        *((c, False, True) for c in (0.001, 0.5, 1 + 0.5e-12, 1.5e-12)),
        (0.5e-12, False, False),
    ],
)
def test_a_local_kernel_may_miss_0_and_1_by_rounding_alone(c, above, below):
    for refused, k, x, z in (
        (above, c * Gaussian(1.0), [[0.0], [1.0]], [[0.0], [1.0]]),
        (below, Linear(), [[c**0.5]], [[-(c**0.5)], [0.0]]),
    ):
        if refused:
            with pytest.raises(ValueError, match=r"^Alignments needs a kernel with 0 ≤ k ≤ 1, .* here\.$"):
                Alignments(k)(x, z)
        else:
            assert 0 <= Alignments(k)(x, z) < 99


def test_series_may_be_of_anything_that_a_kernel_knows():
    days = [[{"egg"}, {"milk"}], [{"egg"}, {"egg", "milk"}, {"milk"}]]
    K = Normalized(Alignments(Normalized(Overlap())))(days)
    assert 0 < K[0, 1] < 1
    nothing = Normalized(Alignments(Normalized(Overlap())))([[set()], [{1}]])
    np.testing.assert_array_equal(nothing, [[0, 0], [0, 1]])


# ---- Markov chains -------------------------------------------------------------------------------


@pytest.mark.parametrize("length", [1, 4])
def test_chains_are_multiplied_by_brute_force(length):
    P = np.array([[written(chain, u) for u in product(range(2), repeat=length)] for chain in CHAINS])
    np.testing.assert_allclose(P.sum(axis=1), 1)
    k = ChainProduct(length)
    np.testing.assert_allclose(k(CHAINS), P @ P.T, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(k.feature_map(over=2)(CHAINS), P, rtol=1e-12, atol=1e-15)


def test_a_chain_is_a_hidden_one_whose_letters_are_its_states():
    assert ChainProduct(5)(SLOW, (*SLOW, np.eye(2))) == ChainProduct(5)(SLOW)
    assert ChainProduct(3)(FAIR, HIDDEN) == pytest.approx(1 / 8)  # a fair coin writes everything alike


@pytest.mark.parametrize("x", COLLECTIONS["sequences"], ids=str)
def test_the_score_is_the_gradient_in_the_logits(x):
    np.testing.assert_allclose(FisherMarkov(*SLOW).feature_map()(x), chain_score(x, *SLOW), atol=1e-13)
