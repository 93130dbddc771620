"""Theorems about the kernels of series, of Markov chains and of sequences through a chain."""

import tracemalloc
from itertools import pairwise, product

import numpy as np
import pytest
from every_kernel import COLLECTIONS, FAIR, HIDDEN, SLOW, draws

from kernelkit import Alignments, ChainProduct, FisherMarkov, Gaussian, KernelSVM, Laplace, Linear, Normalized, Overlap
from kernelkit.kernels import sequences

pytestmark = pytest.mark.filterwarnings("error")
SERIES, CHAINS = COLLECTIONS["series of vectors"], COLLECTIONS["chains"]
START, TRANSITIONS = np.array([0.3, 0.7]), np.array([[0.9, 0.1], [0.2, 0.8]])


# ---- alignments ----------------------------------------------------------------------------------


def alignments(n, m):
    """Every way from (0, 0) to (n − 1, m − 1) by steps (1, 0), (0, 1), (1, 1), as lists of pairs."""
    if n == 1 and m == 1:
        return [[(0, 0)]]
    ends = [(a, b) for a, b in ((n - 1, m), (n, m - 1), (n - 1, m - 1)) if a > 0 and b > 0]
    return [[*path, (n - 1, m - 1)] for a, b in ends for path in alignments(a, b)]


def test_alignments_are_summed_by_brute_force():
    k = Gaussian(1.5)
    for x in SERIES:
        for z in SERIES:
            k_0 = k(x, z) / (2 - k(x, z))
            expected = sum(np.prod([k_0[i, j] for i, j in path]) for path in alignments(len(x), len(z)))
            assert Alignments(k)(x, z) == pytest.approx(expected, rel=1e-12)
    assert len(alignments(4, 4)) == 63  # Delannoy's number


def test_the_factor_is_what_the_proof_needs():
    """k₀/(1 + k₀) = k/2; a k₀ = k would not do: some Gram matrix has a negative eigenvalue."""
    k = Gaussian(0.5)(np.linspace(-1, 1, 9)[:, None])
    k_0 = k / (2 - k)
    np.testing.assert_allclose(k_0 / (1 + k_0), k / 2, rtol=1e-13)


def test_gram_is_positive_semidefinite_on_series_of_many_lengths():
    X = draws(*range(1, 25), seed=3)
    for k in (Gaussian(0.3), Gaussian(1.0), Laplace(3.0)):
        K = Normalized(Alignments(k))(X)
        assert np.linalg.eigvalsh(K)[0] > -1e-12 and (K.diagonal() == 1).all() and K.max() <= 1


def test_long_series_overflow_but_not_their_logarithms():
    x, z = (np.zeros((480, 1)) for _ in range(2))
    k = Alignments(Gaussian(1.0))
    assert Normalized(k)(x, z) == pytest.approx(1, rel=1e-9)
    with np.errstate(over="ignore"):
        assert k(x, z) == np.inf
        with pytest.raises(ValueError, match="k overflows"):
            KernelSVM(k).fit([x, z], [0, 1])
    far = x + 1e3
    assert Normalized(k)(x, far) == k(x, far) == 0
    assert KernelSVM(Normalized(k)).fit([x, far], [0, 1]).predict([z]).tolist() == [0]


def test_batches_do_not_matter(monkeypatch):
    expected = Alignments(Gaussian(1.0))(SERIES)
    monkeypatch.setattr(sequences, "CELLS", 1)
    np.testing.assert_allclose(Alignments(Gaussian(1.0))(SERIES), expected, rtol=1e-13)
    np.testing.assert_allclose(Alignments(Gaussian(1.0))(SERIES[:2], SERIES), expected[:2], rtol=1e-13)


@pytest.mark.parametrize("c", [1.001, 1.5, 1.999, 2, 3, 100])
def test_a_local_kernel_above_one_is_refused(c):
    with pytest.raises(ValueError, match=rf"^Alignments needs a kernel with 0 ≤ k ≤ 1, .* but .* is .* … {c:.4g} here"):
        Alignments(c * Gaussian(1.0))([[0.0], [1.0]])


@pytest.mark.parametrize("c", [0.001, 0.5, 3])
def test_a_local_kernel_below_zero_is_refused(c):
    with pytest.raises(ValueError, match=rf"^Alignments needs a kernel with 0 ≤ k ≤ 1, .* is -{c:.4g} … "):
        Alignments(Linear())([[c**0.5]], [[-(c**0.5)], [0.0]])


@pytest.mark.parametrize("c", [0.5e-12, 1.5e-12])
def test_a_local_kernel_may_miss_one_as_far_as_zero(c):
    def is_refused(k, x, z):
        try:
            Alignments(k)(x, z)
        except ValueError:
            return True
        return False

    above_one = is_refused((1 + c) * Gaussian(1.0), [[0.0]], [[0.0]])
    below_zero = is_refused(Linear(), [[c**0.5]], [[-(c**0.5)], [0.0]])
    assert above_one == below_zero


def test_a_local_kernel_may_miss_its_bounds_by_rounding():
    x, z = [[0.0], [1.0]], [[2.0], [0.5], [0.0]]
    assert Alignments((1 + 1e-13) * Gaussian(1.0))(x, z) == pytest.approx(Alignments(Gaussian(1.0))(x, z), rel=1e-11)


def test_series_may_be_of_anything_that_a_kernel_knows():
    days = [[{"egg"}, {"milk"}], [{"egg"}, {"egg", "milk"}, {"milk"}]]
    K = Normalized(Alignments(Normalized(Overlap())))(days)
    assert 0 < K[0, 1] < 1
    nothing = Normalized(Alignments(Normalized(Overlap())))([[set()], [{1}]])
    np.testing.assert_array_equal(nothing, [[0, 0], [0, 1]])


# ---- Markov chains -------------------------------------------------------------------------------


def written(chain, u):
    """p(u): the sum over every path of states that writes u."""
    start, T = (np.array(part) for part in chain[:2])
    E = np.array(chain[2]) if len(chain) == 3 else np.eye(len(start))
    total = 0.0
    for path in product(range(len(start)), repeat=len(u)):
        steps = np.prod([T[i, j] for i, j in pairwise(path)])
        total += start[path[0]] * steps * np.prod([E[state, letter] for state, letter in zip(path, u, strict=True)])
    return total


@pytest.mark.parametrize("length", [1, 2, 4])
def test_chains_are_multiplied_by_brute_force(length):
    sequences_written = list(product(range(2), repeat=length))
    P = np.array([[written(chain, u) for u in sequences_written] for chain in CHAINS])
    np.testing.assert_allclose(P.sum(axis=1), 1)
    k = ChainProduct(length)
    np.testing.assert_allclose(k(CHAINS), P @ P.T, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(k.feature_map(over=2)(CHAINS), P, rtol=1e-12, atol=1e-15)
    assert k.feature_map(over="HT").names(1)[0] == "p(" + ", ".join(length * [r"\mathrm{H}"]) + ")"


def test_a_chain_is_a_hidden_one_whose_letters_are_its_states():
    open_, hidden = SLOW, (*SLOW, np.eye(2))
    assert ChainProduct(5)(open_, hidden) == ChainProduct(5)(open_)
    assert ChainProduct(3)(FAIR, HIDDEN) == pytest.approx(1 / 8)  # a fair coin writes everything alike


# ---- the score of a chain ------------------------------------------------------------------------


def log_p(logits, x, s=2):
    """log p(x) for the logits of the start and of the transitions."""
    start, T = logits[:s], logits[s:].reshape(s, s)
    value = start[x[0]] - np.log(np.exp(start).sum())
    return value + sum(T[i, j] - np.log(np.exp(T[i]).sum()) for i, j in pairwise(x))


@pytest.mark.parametrize("x", COLLECTIONS["sequences"], ids=str)
def test_the_score_is_the_gradient_in_the_logits(x):
    logits = np.log(np.concatenate([START, TRANSITIONS.ravel()]))
    steps = 1e-6 * np.eye(6)
    gradient = [(log_p(logits + e, x) - log_p(logits - e, x)) / 2e-6 for e in steps]
    k = FisherMarkov(START, TRANSITIONS)
    np.testing.assert_allclose(k.feature_map()(x), gradient, atol=1e-8)
    assert k(x) == pytest.approx(np.dot(gradient, gradient), abs=1e-6) and len(k.feature_map().names(1)) == 6


def test_the_mean_score_of_what_the_chain_writes_is_zero():
    phi = FisherMarkov(START, TRANSITIONS).feature_map()
    mean = sum(written((START, TRANSITIONS), u) * phi(list(u)) for u in product(range(2), repeat=5))
    np.testing.assert_allclose(mean, 0, atol=1e-12)
    assert Linear()(np.zeros(6), mean) == pytest.approx(0)


def test_too_many_letters_are_refused_before_they_are_listed():
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=r"^Φ has D = 1,000,000,000,000 features here: too many to list"):
            ChainProduct(2).feature_map(over=10**6)
        assert tracemalloc.get_traced_memory()[1] < 1e5
    finally:
        tracemalloc.stop()
