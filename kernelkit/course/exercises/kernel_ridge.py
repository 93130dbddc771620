"""Notebook 03: the checks of its exercises, on fixed random data."""

import numpy as np

from kernelkit import Gaussian, KernelRidge, Monomials, Polynomial, datasets
from kernelkit.course.exercises.base import (
    Mistake,
    array_like,
    challenge,
    close,
    exercise,
    expect,
    fixed,
    number,
    numbers,
    summary_of,
)
from kernelkit.course.explorers.kernel_ridge import centring, recovery, singular

# ---- The dual weights ----------------------------------------------------------------------------


@exercise("The dual weights")
def dual_weights(trial):
    """a = (K + λI)⁻¹ y."""
    rng = trial.draws(1)
    n = trial.size(6)
    Phi = rng.standard_normal((n, n + 3))
    y = rng.standard_normal(n)
    lam = trial.changed(0.7)
    K = Phi @ Phi.T
    eye = np.eye(n)
    right = np.linalg.solve(K + lam * eye, y)
    a = array_like(trial.ask(K, y, lam), (n,), "a, one dual weight per training point,")
    trial.expect_none_of(
        a,
        close,
        no_lam=(np.linalg.solve(K, y), "you forgot λ: this solves Ka = y, which a singular K does not allow."),
        predictions_returned=(K @ right, "these are the predictions Ka; return a itself."),
        multiplied_not_solved=(
            (K + lam * eye) @ y,
            "you multiplied y by K + λI; a is what K + λI turns into y: solve.",
        ),
        lam_on_every_entry=(
            np.linalg.solve(K + lam, y),
            "you added λ to every entry of K; it belongs on the diagonal.",
        ),
        minus_lam=(np.linalg.solve(K - lam * eye, y), "the sign of λ is wrong: it is K + λI."),
        n_times_lam=(
            np.linalg.solve(K + n * lam * eye, y),
            "you added nλ; here the squared errors are summed, so it is λ.",
        ),
        ridge_on_the_gram_matrix=(
            np.linalg.solve(K @ K + lam * eye, K @ y),
            "this is ridge with K in place of Φ, (KᵀK + λI)⁻¹Kᵀy; K is already ΦΦᵀ, so it is (K + λI)⁻¹y.",
        ),
    )
    expect(close(a, right), "wrong_weights", "(K + λI) a should give back y, and it does not.")
    Phi = rng.standard_normal((4, 2))  # a singular K
    y = rng.standard_normal(4)
    K = Phi @ Phi.T
    a = array_like(trial.ask(K, y, 2.0), (4,), "with 4 training points, a")
    right = np.linalg.solve(K + 2 * np.eye(4), y)
    sentence = "right for 6 points and λ = 0.7, wrong for 4 points and λ = 2: use the K, the y and the λ that come in."
    expect(close(a, right), "other_numbers", sentence)


def _dual(K, y, lam):
    return np.linalg.solve(K + lam * np.eye(len(y)), y)


dual_weights.right = _dual
dual_weights.wrong = {
    "no_lam": lambda K, y, lam: np.linalg.solve(K, y),
    "predictions_returned": lambda K, y, lam: K @ _dual(K, y, lam),
    "multiplied_not_solved": lambda K, y, lam: (K + lam * np.eye(len(y))) @ y,
    "lam_on_every_entry": lambda K, y, lam: np.linalg.solve(K + lam, y),
    "minus_lam": lambda K, y, lam: _dual(K, y, -lam),
    "n_times_lam": lambda K, y, lam: _dual(K, y, len(y) * lam),
    "ridge_on_the_gram_matrix": lambda K, y, lam: _dual(K.T @ K, K.T @ y, lam),
    "wrong_weights": lambda K, y, lam: _dual(K, y, 2 * lam),
    "other_numbers": fixed(_dual, 2, 0.7),
}
dual_weights.scenes = {
    "no_lam": (singular, "λ near 0"),
}


# ---- Predict without a feature -------------------------------------------------------------------


@exercise("Predict without a feature")
def predict(trial):
    """h = K̃a with a = (K + λI)⁻¹ y, K = k(X, X) and K̃ = k(Z, X)."""
    rng = trial.draws(2)
    n = min(trial.size(5), 6)  # no more than k has features, so that K has an inverse
    X = rng.standard_normal((n, 2))
    y = rng.standard_normal(n)
    lam = trial.changed(0.7)
    k = Polynomial(2)
    Z = rng.standard_normal((n, 2))  # as many as training points, so that a wrong K̃ still has a fitting shape
    h = array_like(trial.ask(k, X, y, Z, lam), (n,), "the predictions, one per test point,")
    _judge_predictions(trial, h, k, X, y, Z, lam)
    Z = rng.standard_normal((3, 2))
    h = array_like(trial.ask(k, X, y, Z, lam), (3,), "with 3 test points, the predictions")
    right = k(Z, X) @ _dual_weights(k, X, y, lam)
    expect(
        close(h, right),
        "length_n_for_t",
        "right for 5 test points, wrong for 3: is something of length n where t is meant?",
    )
    k = Gaussian(1.0)
    X = X[:4]
    y = y[:4]
    h = array_like(trial.ask(k, X, y, Z, lam), (3,), "the predictions, one per test point,")
    right = k(Z, X) @ _dual_weights(k, X, y, lam)
    expect(
        close(h, right),
        "one_kernel_only",
        f"right for {Polynomial(2)}, wrong for {k}: use the k you get.",
    )
    X = rng.standard_normal((7, 3))
    y = rng.standard_normal(7)
    Z = rng.standard_normal((2, 3))
    h = array_like(trial.ask(k, X, y, Z, 3.0), (2,), "with 2 test points, the predictions")
    sentence = "right for 2 inputs and λ = 0.7, wrong for 3 inputs and λ = 3: use the points and the λ that come in."
    expect(close(h, k(Z, X) @ _dual_weights(k, X, y, 3.0)), "other_numbers", sentence)


def _dual_weights(k, X, y, lam):
    """a = (K + λI)⁻¹ y."""
    return np.linalg.solve(k(X) + lam * np.eye(len(X)), y)


def _judge_predictions(trial, h, k, X, y, Z, lam):
    a = _dual_weights(k, X, y, lam)
    right = k(Z, X) @ a
    trial.expect_none_of(
        h,
        close,
        dual_weights_returned=(a, "these are the dual weights a; multiply them by K̃ to predict."),
        no_lam=(k(Z, X) @ np.linalg.solve(k(X), y), "you forgot λ when solving for a."),
        minus_lam=(k(Z, X) @ _dual_weights(k, X, y, -lam), "the sign of λ is wrong: it is K + λI."),
        n_times_lam=(
            k(Z, X) @ _dual_weights(k, X, y, len(X) * lam),
            "you added nλ; here the squared errors are summed, so it is λ.",
        ),
        lam_everywhere=(
            k(Z, X) @ np.linalg.solve(k(X) + lam, y),
            "you added λ to every entry of K; λI has it on the diagonal only.",
        ),
        transposed=(k(X, Z) @ a, "you transposed K̃: its rows are test points, so it is k(Z, X), not k(X, Z)."),
        training_gram=(k(X) @ a, "you used K of the training points again; test points need K̃ = k(Z, X)."),
        test_gram=(k(Z) @ a, "you compared test points with test points; a belongs to the training points: k(Z, X)."),
        lam_on_the_test_gram=(
            (k(Z, X) + lam * np.eye(len(X))) @ a,
            "you added λ to K̃; it belongs to K only, when a is found.",
        ),
        labels_for_weights=(k(Z, X) @ y, "you used y where the dual weights a are needed: solve (K + λI) a = y first."),
    )
    expect(
        close(h, right),
        "wrong_predictions",
        "the predictions should be K̃a with (K + λI) a = y, and they are not.",
    )


predict.right = lambda k, X, y, Z, lam: k(Z, X) @ _dual_weights(k, X, y, lam)
predict.wrong = {
    "dual_weights_returned": lambda k, X, y, Z, lam: _dual_weights(k, X, y, lam),
    "no_lam": lambda k, X, y, Z, lam: k(Z, X) @ _dual_weights(k, X, y, 0),
    "minus_lam": lambda k, X, y, Z, lam: k(Z, X) @ _dual_weights(k, X, y, -lam),
    "n_times_lam": lambda k, X, y, Z, lam: k(Z, X) @ _dual_weights(k, X, y, lam * len(X)),
    "lam_everywhere": lambda k, X, y, Z, lam: k(Z, X) @ np.linalg.solve(k(X) + lam, y),
    "transposed": lambda k, X, y, Z, lam: k(X, Z) @ _dual_weights(k, X, y, lam),
    "training_gram": lambda k, X, y, Z, lam: k(X) @ _dual_weights(k, X, y, lam),
    "test_gram": lambda k, X, y, Z, lam: k(Z) @ _dual_weights(k, X, y, lam),
    "lam_on_the_test_gram": lambda k, X, y, Z, lam: (k(Z, X) + lam * np.eye(5)) @ _dual_weights(k, X, y, lam),
    "labels_for_weights": lambda k, X, y, Z, lam: k(Z, X) @ y,
    "wrong_predictions": lambda k, X, y, Z, lam: np.ones(len(Z)),
    "length_n_for_t": lambda k, X, y, Z, lam: (k(Z, X) @ _dual_weights(k, X, y, lam)) * (1 if len(Z) == 5 else 2),
    "one_kernel_only": lambda k, X, y, Z, lam: (Z @ X.T + 1) ** 2 @ _dual((X @ X.T + 1) ** 2, y, lam),
    "other_numbers": fixed(predict.right, 4, 0.7),
}
predict.scenes = {
    "no_lam": (singular, "λ near 0"),
}


# ---- Recover w -----------------------------------------------------------------------------------


@exercise("Recover w")
def recover(trial):
    """w = Σ aᵢ Φ(Xᵢ) = Φᵀa."""
    rng = trial.draws(3)
    phi = Monomials(2)
    X = rng.standard_normal((6, 2))
    a = rng.standard_normal(6)
    Phi = phi(X)  # 6 × 6, so that a forgotten transpose still has a fitting shape
    right = Phi.T @ a
    w = numbers(trial.ask(phi, X, a))
    expect(
        not close(w, X.T @ a),
        "points_for_features",
        "you combined the points X_i themselves; combine their features Φ(X_i).",
    )
    w = array_like(w, (6,), "w, one weight per feature,")
    trial.expect_none_of(
        w,
        close,
        not_transposed=(Phi @ a, "you forgot to transpose: Φa takes a for primal weights; w = Φᵀa."),
        mean_for_sum=(right / len(X), "you took the mean; w is the sum Σ aᵢ Φ(Xᵢ)."),
        solved_for_a=(
            np.linalg.solve(Phi, a),
            "you solved Φw = a; a holds weights of points, not predictions: w = Φᵀa.",
        ),
        predictions_returned=(Phi @ Phi.T @ a, "this is Ka, the predictions at the training points; w = Φᵀa."),
    )
    expect(close(w, right), "wrong_w", "w should be Σ aᵢ Φ(Xᵢ), and it is not.")
    X = rng.standard_normal((4, 2))
    a = rng.standard_normal(4)
    right = phi(X).T @ a
    w = array_like(trial.ask(phi, X, a), (6,), "with 4 points and 6 features, w")
    expect(close(w, right), "square_only", "right for 6 points, wrong for 4: w should be Σ aᵢ Φ(Xᵢ).")
    phi = Monomials(3)
    w = numbers(trial.ask(phi, X, a))
    sentence = f"right for the {Monomials(2)}, wrong for the {phi}: use the phi you get."
    expect(close(w, phi(X).T @ a), "one_map_only", sentence)


recover.right = lambda phi, X, a: phi(X).T @ a
recover.wrong = {
    "points_for_features": lambda phi, X, a: X.T @ a,
    "not_transposed": lambda phi, X, a: phi(X) @ a,
    "mean_for_sum": lambda phi, X, a: phi(X).T @ a / len(X),
    "solved_for_a": lambda phi, X, a: np.linalg.lstsq(phi(X), a)[0],
    "predictions_returned": lambda phi, X, a: phi(X) @ phi(X).T @ a,
    "wrong_w": lambda phi, X, a: phi(X)[:, ::-1].T @ a,
    "square_only": lambda phi, X, a: phi(X).T @ a * (1 if len(X) == 6 else 2),
    "one_map_only": fixed(recover.right, 0, Monomials(2)),
}


# ---- The break-even ------------------------------------------------------------------------------


@exercise("The break-even")
def break_even(trial):
    """t = nD/(nd − D) if nd > D, else ∞: from there on tnd with the kernel costs no less than nD + tD with w."""
    n = trial.size(100)
    d = trial.size(5)
    D = trial.size(56)
    right = n * D / (n * d - D)
    t = number(trial.ask(n, d, D))
    trial.expect_none_of(
        t,
        np.isclose,
        d_only_rule=(
            D / d,
            "D/d is the rule of thumb, the break-even for infinitely many training points; n counts too.",
        ),
        building_costs_D=(
            D / (n * d - D),
            "building w = Φᵀa costs n·D, not D: every training point adds its features.",
        ),
        plus_for_minus=(n * D / (n * d + D), "a sign is wrong: tnd − tD is on the side of t, so it is nd − D."),
        kernel_value_costs_one=(n * D / (n - D), "one test point costs n·d with the kernel, not n."),
    )
    expect(
        np.isclose(t, right),
        "wrong_t",
        f"for n = {n}, d = {d}, D = {D} both ways cost the same at t = {right:.2f}, yours is {t:.2f}.",
    )
    t = number(trial.ask(10, 2, 100))
    expect(
        not t < 0,
        "negative_t",
        "n = 10, d = 2, D = 100: a negative number of test points; if nd ≤ D recovering w never pays.",
    )
    expect(
        np.isinf(t),
        "finite_t",
        "n = 10, d = 2, D = 100: one test point costs 20 with k and 100 with w, so the answer is np.inf.",
    )
    _judge_border(trial)
    t = number(trial.ask(10, 4, 20))
    expect(
        np.isclose(t, 10),
        "wrong_side",
        f"n = 10, d = 4, D = 20: it pays from t = 10, yours is {t:.2f}; compare n·d with D.",
    )


def _judge_border(trial):
    try:
        t = number(trial.ask(10, 2, 20))
    except ZeroDivisionError:
        t = None
    expect(
        t is not None and t == np.inf,
        "border",
        "n·d = D exactly: both cost the same per test point, so building w never pays: np.inf.",
    )


break_even.right = lambda n, d, D: np.inf if n * d <= D else n * D / (n * d - D)
break_even.wrong = {
    "d_only_rule": lambda n, d, D: D / d,
    "building_costs_D": lambda n, d, D: D / (n * d - D),
    "plus_for_minus": lambda n, d, D: n * D / (n * d + D),
    "kernel_value_costs_one": lambda n, d, D: n * D / (n - D),
    "wrong_t": lambda n, d, D: 7.0,
    "negative_t": lambda n, d, D: n * D / (n * d - D),
    "finite_t": [lambda n, d, D: abs(n * D / (n * d - D)), lambda n, d, D: n * D / np.maximum(n * d - D, 1e-9)],
    "border": lambda n, d, D: np.inf if n * d < D else n * D / (n * d - D),
    "wrong_side": lambda n, d, D: np.inf if D >= n and n == 10 else n * D / (n * d - D),
}
break_even.scenes = {
    "d_only_rule": (recovery, "n = t = 2D/d"),
    "negative_t": (recovery, "n below D/d"),
    "finite_t": (recovery, "n below D/d"),
}


# ---- Another a -----------------------------------------------------------------------------------


@exercise("Another a")
def another(trial):
    """Any a + v with Kv = 0, v ≠ 0."""
    rng = trial.draws(6)
    # many eigenvalues are 0, or a single one
    for n, zeros in ((trial.size(8), trial.size(8) - 3), (trial.size(6, least=4), 1)):
        Phi = rng.standard_normal((n, n - zeros))
        a = rng.standard_normal(n)
        K = Phi @ Phi.T
        other = array_like(trial.ask(K, a), (n,), "the other a, one dual weight per training point,")
        v = other - a
        scale = np.abs(K).max()
        sentence = "yours has entries that are not numbers: K is singular, so nothing can be divided by it."
        expect(np.isfinite(other).all(), "not_finite", sentence)
        expect(np.abs(v).max() > 1e-6, "the_same", "this is a itself; add a v that is not 0.")
        expect(
            np.abs(K @ other).max() > 1e-6 * scale,
            "predicts_zero",
            "this predicts 0 everywhere: v alone is not enough, return a + v.",
        )
        expect(
            np.abs(K @ v).max() <= 1e-6 * scale * np.abs(v).max(),
            "other_predictions",
            f"a prediction changes by {np.abs(K @ v).max():.2g}: a v needs Kv = 0, an eigenvalue of 0.",
        )


another.right = lambda K, a: a + np.linalg.eigh(K)[1][:, 0]
another.wrong = {
    "not_finite": lambda K, a: a * np.nan,
    "the_same": lambda K, a: a,
    "predicts_zero": lambda K, a: np.linalg.eigh(K)[1][:, 0],
    "other_predictions": [
        lambda K, a: 2 * a,
        lambda K, a: a + np.linalg.eigh(K)[1][:, -1],
        lambda K, a: a + np.linalg.eigh(K)[1][0],
    ],
}
another.scenes = {
    "other_predictions": (singular, "Another a"),
}


# ---- Huge weights, no residual -------------------------------------------------------------------


@challenge("Huge weights, no residual", singular)
def huge_weights(panel):
    """A challenge: residuals below 0.01, and a dual weight of 1000 or more."""
    settings = panel.values
    n = settings["n"]
    D = settings["degree"] + 1
    X, y = datasets.cubic(n, settings["noise"])
    model = KernelRidge(Polynomial(settings["degree"]), settings["lam"]).fit(X / 3, y)
    largest_residual = np.abs(model.predict(X / 3) - y).max()
    largest_weight = np.abs(model.a_).max()
    missed = f"a target is missed by {largest_residual:.2g}"
    if largest_residual >= 0.01 and n > D:
        raise Mistake("too_few_features", f"{missed}: {D} features cannot reach {n} noisy targets.")
    if largest_residual >= 0.01:
        raise Mistake("lam_too_large", f"{missed}; λ still holds the curve back.")
    if largest_weight < 1000 and settings["noise"] == 0:
        sentence = f"each target is reached, with weights of {largest_weight:.3g}: without noise none need be large."
        raise Mistake("no_noise", sentence)
    if largest_weight < 1000:
        sentence = f"each target is reached; the largest weight is {largest_weight:.3g}. Tiny eigenvalues raise it."
        raise Mistake("not_huge", sentence)


huge_weights.right = {"n": 7, "degree": 6, "noise": 0.5, "lam": 1e-7}
huge_weights.wrong = {
    "too_few_features": [{"lam": 1e-6}, {"shift": 10.0, "lam": 1e-6}],
    "lam_too_large": {"n": 7, "degree": 6, "noise": 0.5},
    "no_noise": {"noise": 0.0, "lam": 1e-6},
    "not_huge": {"n": 4, "lam": 1e-6},
}
huge_weights.scenes = {
    "too_few_features": (singular, "λ near 0"),
    "no_noise": (singular, "No noise"),
}


# ---- Centre, fit, predict ------------------------------------------------------------------------


@exercise("Centre, fit, predict")
def predict_centred(trial):
    """h(z) = (z − mean of X)ᵀw + mean of y, with w the ridge weights of the centred X and y."""
    rng = trial.draws(5)
    n = trial.size(9)
    t = trial.size(4)
    X = 4 + rng.standard_normal((n, 2))
    Z = 2 + rng.standard_normal((t, 2))
    y = X @ [1.0, -2.0] + 7 + rng.standard_normal(n)
    lam = trial.changed(0.8)
    mean_x = X.mean(axis=0)
    mean_y = y.mean()
    w = _ridge(X - mean_x, y - mean_y, lam)
    right = (Z - mean_x) @ w + mean_y
    h = array_like(trial.ask(X, y, Z, lam), (t,), "the predictions, one per test point,")
    trial.expect_none_of(
        h,
        close,
        own_mean=(
            (Z - Z.mean(axis=0)) @ w + mean_y,
            "you centred the test points with their own mean; use the mean of the training points.",
        ),
        test_not_centred=(Z @ w + mean_y, "you did not centre the test points: w is for x minus the training mean."),
        no_mean_of_y=((Z - mean_x) @ w, "you forgot to add the mean of y back."),
        no_lam=((Z - mean_x) @ _ridge(X - mean_x, y - mean_y, 0) + mean_y, "you forgot λ."),
        nothing_centred=(Z @ _ridge(X, y, lam), "nothing is centred: subtract the training means from X, y and Z."),
        one_mean_for_all=(
            (Z - X.mean()) @ _ridge(X - X.mean(), y - mean_y, lam) + mean_y,
            "you took one mean over all entries of X; each column has its own: X.mean(axis=0).",
        ),
    )
    expect(
        close(h, right),
        "wrong_predictions",
        "the predictions should be (Z − mean of X) w + mean of y, and they are not.",
    )
    X = rng.standard_normal((6, 3))
    Z = rng.standard_normal((2, 3))
    y = rng.standard_normal(6)
    mean_x = X.mean(axis=0)
    right = (Z - mean_x) @ _ridge(X - mean_x, y - y.mean(), lam) + y.mean()
    h = array_like(trial.ask(X, y, Z, lam), (2,), "with 3 inputs and 2 test points, the predictions")
    expect(close(h, right), "two_inputs_only", "right for 2 inputs, wrong for 3.")
    h = array_like(trial.ask(X, y, Z, 2.5), (2,), "the predictions, one per test point,")
    right = (Z - mean_x) @ _ridge(X - mean_x, y - y.mean(), 2.5) + y.mean()
    expect(close(h, right), "fixed_lam", "right for λ = 0.8, wrong for λ = 2.5: use the λ that comes in.")


def _ridge(X, y, lam):
    """w = (XᵀX + λI)⁻¹ Xᵀy."""
    return np.linalg.solve(X.T @ X + lam * np.eye(X.shape[1]), X.T @ y)


def _centred(X, y, Z, lam, mean_x=None, shift=None, back=True):
    """Centred ridge with one thing done wrong: the mean taken from X, the shift of Z, or the way back."""
    mean_x = X.mean(axis=0) if mean_x is None else mean_x
    w = _ridge(X - mean_x, y - y.mean(), lam)
    return (Z - (mean_x if shift is None else shift)) @ w + (y.mean() if back else 0)


predict_centred.right = _centred
predict_centred.wrong = {
    "own_mean": lambda X, y, Z, lam: _centred(X, y, Z, lam, shift=Z.mean(axis=0)),
    "test_not_centred": lambda X, y, Z, lam: _centred(X, y, Z, lam, shift=0),
    "no_mean_of_y": lambda X, y, Z, lam: _centred(X, y, Z, lam, back=False),
    "no_lam": lambda X, y, Z, lam: _centred(X, y, Z, 0),
    "nothing_centred": lambda X, y, Z, lam: Z @ _ridge(X, y, lam),
    "one_mean_for_all": lambda X, y, Z, lam: _centred(X, y, Z, lam, mean_x=X.mean()),
    "wrong_predictions": lambda X, y, Z, lam: _centred(X, y, Z, 9 * lam),
    "two_inputs_only": lambda X, y, Z, lam: _centred(X[:, :2], y, Z[:, :2], lam),
    "fixed_lam": fixed(_centred, 3, 0.8),
}
predict_centred.scenes = {
    "nothing_centred": (centring, "Far to the left"),
}


summary = summary_of(dual_weights, predict, another, deeper=(recover, break_even, huge_weights, predict_centred))
