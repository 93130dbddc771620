"""Kernel PCA is PCA of Φ(X), new points are centred with the training mean, and pre-images take noise away."""

import numpy as np
import pytest
from scipy.sparse.linalg import ArpackNoConvergence
from sklearn.decomposition import PCA, KernelPCA as SklearnKernelPCA

from kernelkit import Gaussian, KernelPCA, Laplace, Linear, Normalized, Polynomial, Precomputed, Substrings

KERNELS = [Gaussian(1.5), Polynomial(3), Linear() + Gaussian(0.7), Laplace(2.0), Normalized(Polynomial(2))]


def up_to_sign(ours, theirs):
    """ours, each column with the sign of theirs."""
    return ours * np.sign((ours * theirs).sum(axis=0))


def near(ours, theirs):
    np.testing.assert_allclose(up_to_sign(ours, theirs), theirs, rtol=0, atol=1e-8 * np.abs(theirs).max())


# ---- the same as others, and as PCA of Φ ----------------------------------------------------------


@pytest.mark.parametrize("n", [40, 260], ids=["dense", "iterated"])
@pytest.mark.parametrize("k", KERNELS, ids=repr)
def test_components_and_coordinates_are_scikit_learn_s(k, n, cloud):
    X, Z = cloud(n, 3), cloud(15, 3, seed=1)
    ours = KernelPCA(k, 4).fit(X)
    theirs = SklearnKernelPCA(4, kernel="precomputed", eigen_solver="dense").fit(k(X))
    np.testing.assert_allclose(ours.eigenvalues_, theirs.eigenvalues_, rtol=1e-8)
    near(ours.transform(Z), theirs.transform(k(Z, X)))
    near(KernelPCA(k, 4).fit_transform(X), theirs.transform(k(X)))


@pytest.mark.filterwarnings("error")
def test_as_many_components_as_points_hold_all_that_is_centred(cloud):
    X = cloud(30, 2)
    K = Laplace(1.0)(X)
    C = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
    model = KernelPCA(Laplace(1.0), 30).fit(X)
    np.testing.assert_allclose(model.eigenvalues_, np.linalg.eigvalsh(C)[::-1], atol=1e-10)
    np.testing.assert_allclose(model.transform(X) @ model.transform(X).T, C, atol=1e-10)
    assert model.eigenvalues_.sum() == pytest.approx(model.total_, rel=1e-10)
    assert model.eigenvalues_[-1] == 0 and not model.a_[:, -1].any()  # the mean was taken away


@pytest.mark.parametrize("n", [3, 10, 100, 300])
@pytest.mark.parametrize("far", [1e4, 1e6, 1e7])
def test_points_on_a_line_far_from_0_have_one_component(far, n):
    """K_ij ≈ far² loses what is below far²·EPS, and centring brings that to the light: the second κ is 0 in truth."""
    X = far + np.random.default_rng(n).standard_normal((n, 1))
    model = KernelPCA(Linear(), 2).fit(X)
    assert model.eigenvalues_[1] == 0 and not model.a_[:, 1].any()
    assert model.eigenvalues_[0] == pytest.approx(n * X.var(), rel=0.02)


def test_what_rounding_has_swallowed_is_no_component():
    with pytest.warns(UserWarning, match=r"^Most distances between these points .* subtract their mean first\.$"):
        model = KernelPCA(Polynomial(1), 2).fit([[1e8], [1e8 + 1], [1e8 + 3]])
    assert model.eigenvalues_.tolist() == [0, 0]  # 4, 4 by rounding


def test_strings_have_components_too():
    words = ["abab", "baba", "abba", "acac", "caca", "acca"]
    Phi = Substrings(2).feature_map(over="abc")(words)
    model = KernelPCA(Substrings(2), 1).fit(words)
    near(model.transform(words), PCA(1).fit(Phi).transform(Phi))
    assert model.transform(["abab"]) == pytest.approx(model.transform(words)[:1])


@pytest.mark.parametrize("n", [25, 260], ids=["dense", "iterated"])
def test_signs_are_always_the_same(n, cloud):
    X = np.array(cloud(n, 2))
    once, again = (KernelPCA(Gaussian(1.0), 3).fit(X).a_ for _ in range(2))
    np.testing.assert_array_equal(once, again)
    large = np.abs(once) > 0.9 * np.abs(once).max(axis=0)
    assert all(once[large[:, c].argmax(), c] > 0 for c in range(3))


def test_where_the_iteration_fails_all_are_found(monkeypatch, cloud):
    def fails(*_, **__):
        raise ArpackNoConvergence("No convergence", [], [])

    expected = KernelPCA(Gaussian(1.0), 3).fit(cloud(260, 2))
    monkeypatch.setattr("scipy.sparse.linalg.eigsh", fails)
    whole = KernelPCA(Gaussian(1.0), 3).fit(cloud(260, 2))
    np.testing.assert_allclose(whole.eigenvalues_, expected.eigenvalues_, rtol=1e-10)


def test_a_matrix_in_which_nothing_stands_out_is_solved_whole():
    model = KernelPCA(Precomputed(), 3)
    with pytest.warns(UserWarning, match="K is almost I"):
        model.fit(np.eye(300))
    np.testing.assert_allclose(model.eigenvalues_, 1, rtol=1e-12)
    np.testing.assert_allclose(model.a_.T @ model.a_, np.eye(3), atol=1e-12)


# ---- pre-images -----------------------------------------------------------------------------------


def test_with_the_linear_kernel_the_way_back_is_pca_s(cloud):
    X = cloud(40, 5)
    ours, theirs = KernelPCA(Linear(), 2).fit(X), PCA(2).fit(X)
    near(ours.fit_transform(X), theirs.transform(X))
    back = theirs.inverse_transform(theirs.transform(X))
    np.testing.assert_allclose(ours.inverse_transform(ours.transform(X)), back, atol=1e-10)


def test_a_combination_is_the_mean_and_the_way_along_the_components(cloud):
    k, X, Y = Polynomial(2), cloud(20, 2), cloud(3, 4, seed=1)
    model, Phi = KernelPCA(k, 4).fit(X), k.feature_map()(X)
    V = (Phi - Phi.mean(axis=0)).T @ model.a_
    np.testing.assert_allclose(model.combination(Y) @ Phi, Phi.mean(axis=0) + Y @ V.T, atol=1e-10)
    np.testing.assert_allclose(model.combination(Y).sum(axis=1), 1, atol=1e-10)


def test_with_all_components_each_point_is_its_own_pre_image(cloud):
    X = cloud(30, 3)
    model = KernelPCA(Gaussian(1.0), 30).fit(X)
    np.testing.assert_allclose(model.inverse_transform(model.transform(X)), X, atol=1e-5)


def test_each_step_to_a_pre_image_comes_nearer_and_the_last_is_flat(cloud):
    k, X = Gaussian(1.2), cloud(60, 2)
    model = KernelPCA(k, 3).fit(X)
    noisy = X[:8] + 0.3 * cloud(8, 2, seed=1)
    g = model.combination(model.transform(noisy))

    def miss(Z):  # ‖Φ(z) − Σ g_i Φ(X_i)‖², less what does not depend on z
        return 1 - 2 * (g * k(Z, X)).sum(axis=1)

    Z, values = noisy, [miss(noisy)]
    for _ in range(20):
        Z = model._step(g, Z)
        values.append(miss(Z))
    assert (np.diff(values, axis=0) <= 1e-12).all()
    best = model.inverse_transform(model.transform(noisy), start=noisy)
    for e in 1e-4 * np.eye(2):
        np.testing.assert_allclose((miss(best + e) - miss(best - e)) / 2e-4, 0, atol=1e-5)


def test_the_search_for_a_pre_image_ends_where_it_stands_still(cloud, monkeypatch):
    X, steps, step = cloud(60, 2), [], KernelPCA._step
    monkeypatch.setattr(KernelPCA, "_step", lambda self, g, Z: steps.append(Z) or step(self, g, Z))
    model = KernelPCA(Gaussian(1.2), 3).fit(X)
    Y = model.transform(X[:8])
    g, end = model.combination(Y), model.inverse_transform(Y)
    miss = 1 - 2 * g @ Gaussian(1.2)(X)  # ‖Φ(X_j) − Σ g_i Φ(X_i)‖², less what does not depend on j
    np.testing.assert_array_equal(steps[0], X[miss.argmin(axis=1)])
    assert 10 < len(steps) < 100
    assert np.abs(step(model, g, end) - end).max() < 1.2e-7
    assert model.inverse_transform(Y[:0]).shape == (0, 2)


def test_a_search_that_leaves_all_points_stays_where_it_is(cloud):
    model = KernelPCA(Gaussian(0.1), 2).fit(np.linspace(0, 1, 20)[:, None])
    np.testing.assert_array_equal(model.inverse_transform([[0.1, 0.1]], start=[[50.0]]), [[50.0]])


# ---- what is refused ------------------------------------------------------------------------------

X4 = np.arange(8.0).reshape(4, 2)
REFUSED = {
    "more components than points": (
        lambda: KernelPCA(n_components=5).fit(X4),
        "n_components must be at most .*got 5 for n_samples = 4",
    ),
    "no component": (lambda: KernelPCA(n_components=0).fit(X4), "n_components must be a whole number ≥ 1"),
    "a text": (lambda: KernelPCA(n_components="all").fit(X4), "n_components must be a whole number"),
    "a kernel without way back": (
        lambda: KernelPCA(Polynomial(2)).fit(X4).inverse_transform([[0, 0]]),
        "A pre-image is known for the kernels Gaussian and Linear",
    ),
    "coordinates": (
        lambda: KernelPCA().fit(X4).inverse_transform([[0.0]]),
        "Y must have shape .m, 2., .*got .1, 1.",
    ),
    "start": (
        lambda: KernelPCA().fit(X4).inverse_transform([[0, 0]], start=[[1]]),
        "start must have shape .1, 2.",
    ),
}


@pytest.mark.parametrize(("call", "sentence"), REFUSED.values(), ids=REFUSED)
def test_bad_input_is_told_in_one_sentence(call, sentence):
    with pytest.raises((ValueError, TypeError), match=rf"^{sentence}[^\n]*$"):
        call()
