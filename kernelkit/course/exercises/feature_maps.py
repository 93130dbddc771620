"""Checks of the exercises of notebook 01."""

from math import comb

import numpy as np

from kernelkit import Monomials, OrderedMonomials, PrimalRidge, datasets
from kernelkit.course.exercises.base import (
    Mistake,
    challenge,
    exercise,
    expect,
    hard_coded,
    number,
    numbers,
    summary_of,
)
from kernelkit.course.explorers.feature_maps import fit, growth
from kernelkit.course.panel.numbers import short

NAMES = ("1", "x1", "x2", "x1²", "x1·x2", "x2²")


def _same(a, b):
    return np.shape(a) == np.shape(b) and np.allclose(a, b)


@challenge("Tame it", fit)
def tamed(panel):
    """The panel of the fit: a high degree, few noisy points, and at most 0.22 from the true curve."""
    values = panel.values
    degree, lam, n, noise = (values[name] for name in ("degree", "lam", "n", "noise"))
    expect(values["data"] == "cubic", "other_data", "stay with the data “cubic”, as in the scene Too wild.")
    expect(degree >= 12, "low_degree", f"degree {degree} needs no taming; keep degree 12, as in the scene Too wild.")
    expect(n <= 13, "more_points", f"{n} points: more points tame the curve too, but here λ shall do it. Keep 13.")
    expect(noise >= 0.3, "less_noise", f"with the noise {noise:g} there is less to tame. Keep 0.3.")
    X, y = datasets.cubic(n, noise)
    new, truth = datasets.cubic(300, 0.0, random_state=1)

    def missed(lam):
        h = PrimalRidge(Monomials(degree), lam).fit(X / 3, y).predict(new / 3)
        return float(np.sqrt(np.mean((h - truth) ** 2)))

    if missed(lam) <= 0.22:
        return
    far = f"{missed(lam):.2f}"
    if far == "0.22":  # a little more than 0.22
        far = f"{missed(lam):.4f}"
    said = f"λ = {short(lam, 2)} leaves the curve {far} from the true one"
    best = min(np.logspace(-6, 1, 29), key=missed)
    expect(lam > best, "too_wild", f"{said}: it still turns on the noise. Raise the price of the weights.")
    sentence = f"{said}: the penalty on the weights is so high that the curve is ironed flat. Lower λ."
    raise Mistake("too_flat", sentence)


_WILD = {"degree": 12, "n": 13}
tamed.right = _WILD | {"lam": 0.5}
tamed.wrong = {
    "other_data": _WILD | {"data": "sine", "lam": 0.5},
    "low_degree": {"degree": 3, "n": 13},
    "more_points": {"degree": 12, "n": 60},
    "less_noise": [_WILD | {"noise": 0.05}, _WILD | {"noise": 0.2, "lam": 0.5}],
    "too_wild": [_WILD, _WILD | {"lam": 0.01}, _WILD | {"noise": 0.4, "lam": 0.5}],
    "too_flat": _WILD | {"lam": 10.0},
}
tamed.scenes = {
    "too_wild": (fit, "Too wild"),
}


@exercise("Write Φ")
def six_columns(trial):
    """Φ = (1, x1, x2, x1², x1·x2, x2²), one row for each point."""
    X = trial.changed(np.array([[2.0, 3.0], [-1.0, 0.5], [0.3, -0.7], [1.5, -2.0]]))
    x1, x2 = X.T
    right = np.column_stack([np.ones(4), x1, x2, x1**2, x1 * x2, x2**2])
    mine = numbers(trial.ask(X), "Φ")
    expect(
        mine.ndim == 2,
        "no_matrix",
        f"Φ should be a matrix with one row for each point, yours has the shape {mine.shape}.",
    )
    expect(
        mine.shape != (6, 4),
        "features_as_rows",
        "your features are rows; each feature is a column, as np.column_stack puts them.",
    )
    expect(len(mine) == 4, "wrong_rows", f"Φ should have one row for each of the 4 points, yours has {len(mine)} rows.")
    trial.expect_none_of(
        mine,
        _same,
        no_constant=(right[:, 1:], "the constant 1 is missing; without it h(0) would always be 0."),
        no_cross_term=(np.delete(right, 4, 1), "x1·x2 is missing, the only feature that mixes the two inputs."),
    )
    twice = mine.shape[1] == 7 and sum(_same(c, x1 * x2) for c in mine.T) == 2
    expect(
        not twice,
        "cross_term_twice",
        "there are 7 columns, because x1·x2 and x2·x1 are the same monomial. Keep one of them.",
    )
    expect(mine.shape[1] == 6, "wrong_columns", f"Φ should have 6 columns, yours has {mine.shape[1]}.")
    trial.expect_none_of(
        mine,
        _same,
        weights_of_the_kernel=(
            Monomials(2)(X),
            "your columns carry the constants √2, but this exercise asks for the plain monomials.",
        ),
        cross_term_last=(right[:, [0, 1, 2, 3, 5, 4]], "x1·x2 comes before x2² here, yours comes last."),
    )
    expect(not _same(mine[:, 1:3], np.abs(X)), "signs_lost", "the columns of x1 and x2 lost their signs.")
    for j, name in enumerate(NAMES):
        expect(_same(mine[:, j], right[:, j]), "wrong_column", f"column {j + 1} should be {name}.")
    few = numbers(trial.ask(X[:3]), "Φ")
    expect(_same(few, right[:3]), "fixed_length", "right for 4 points, wrong for 3: the ones need len(X).")


def _columns(*functions):
    """An answer whose features are these functions of x1 and x2."""
    return lambda X: np.column_stack([f(*X.T) * np.ones(len(X)) for f in functions])


_ONE, _X1, _X2 = (lambda a, b: 1.0), (lambda a, b: a), (lambda a, b: b)
_SQUARE1, _MIXED, _SQUARE2 = (lambda a, b: a * a), (lambda a, b: a * b), (lambda a, b: b * b)
_ALL = (_ONE, _X1, _X2, _SQUARE1, _MIXED, _SQUARE2)


def _with_room_for_four(X):
    Phi = np.ones((4, 6))
    for row, x in zip(Phi, X, strict=False):
        row[:] = _columns(*_ALL)(x[None])
    return Phi


six_columns.right = _columns(*_ALL)
six_columns.wrong = {
    "no_matrix": [lambda X: X[:, 0], lambda X: [_columns(*_ALL)(X)]],
    "features_as_rows": lambda X: _columns(*_ALL)(X).T,
    "wrong_rows": lambda X: _columns(*_ALL)(X[:2]),
    "no_constant": _columns(*_ALL[1:]),
    "no_cross_term": _columns(_ONE, _X1, _X2, _SQUARE1, _SQUARE2),
    "cross_term_twice": [
        _columns(_ONE, _X1, _X2, _SQUARE1, _MIXED, _MIXED, _SQUARE2),
        lambda X: np.column_stack([np.ones(len(X)), X, OrderedMonomials(2)(X)]),
    ],
    "wrong_columns": [_columns(_ONE, _X1, _X2), _columns(*_ALL, _ONE)],
    "weights_of_the_kernel": Monomials(2),
    "cross_term_last": _columns(_ONE, _X1, _X2, _SQUARE1, _SQUARE2, _MIXED),
    "signs_lost": lambda X: _columns(*_ALL)(np.abs(X)),
    "wrong_column": _columns(_ONE, _X1, _X2, _X1, _MIXED, _SQUARE2),
    "fixed_length": _with_room_for_four,
}


@exercise("Count before you build")
def how_many(trial):
    """C(d + p − 1, p − 1) monomials contain x1: they are x1 times any of degree at most p − 1."""
    cases = ((trial.size(3), 2), (2, trial.size(5)), (trial.size(4), 3), (trial.size(100), 4))
    mine = [number(trial.ask(d, p)) for d, p in cases]

    def gives(mine, formula):
        return np.allclose(mine, [formula(d, p) for d, p in cases])

    trial.expect_none_of(
        mine,
        gives,
        all_of_them=(
            lambda d, p: comb(d + p, p),
            "these are all monomials to degree p; count only those that contain x1.",
        ),
        those_without=(lambda d, p: comb(d + p - 1, p), "that many do not contain x1; the others are asked for."),
        place_kept=(
            lambda d, p: comb(d + p, p - 1),
            "one star is fixed in the box of x1: it needs no place of its own any more.",
        ),
        ordered_products=(
            lambda d, p: d**p,
            lambda d, p: d ** (p - 1),
            lambda d, p: d**p - (d - 1) ** p,
            "that counts ordered products of exactly p factors, but x1·x2 = x2·x1.",
        ),
        every_order=(
            lambda d, p: (d + 1) ** p,
            lambda d, p: (d + 1) ** (p - 1),
            "a power of d + 1 counts every order of the factors; a monomial counts once.",
        ),
        no_powers=(
            lambda d, p: comb(d, p),
            lambda d, p: comb(d - 1, p - 1),
            "that takes p different inputs: it forgets the powers and the lower degrees.",
        ),
        degree_exactly_p=(
            lambda d, p: comb(d + p - 2, p - 1),
            "that counts degree exactly p; lower degrees count too, down to x1 itself.",
        ),
        x1_not_counted=(
            lambda d, p: comb(d + p - 1, p - 1) - 1,
            "one too few: x1 itself counts too, it is x1 times the constant 1.",
        ),
        constant_counted=(lambda d, p: comb(d + p - 1, p - 1) + 1, "one too many: the constant 1 does not contain x1."),
        powers_alone=(lambda d, p: p, "p counts the powers of x1 alone; x1·x2 and the like contain x1 too."),
    )
    for m, (d, p) in zip(mine, cases, strict=True):
        right = comb(d + p - 1, p - 1)
        expect(
            abs(m - right) < 0.01,
            "wrong_count",
            f"for d = {d}, p = {p} there are {right:,} with x1 in them, you have {m:,g}.",
        )


how_many.right = lambda d, p: comb(d + p - 1, p - 1)
how_many.wrong = {
    "all_of_them": lambda d, p: comb(d + p, p),
    "those_without": lambda d, p: comb(d + p - 1, p),
    "place_kept": lambda d, p: comb(d + p, p - 1),
    "ordered_products": [lambda d, p: d**p, lambda d, p: d ** (p - 1), lambda d, p: d**p - (d - 1) ** p],
    "every_order": [lambda d, p: (d + 1) ** p, lambda d, p: (d + 1) ** (p - 1)],
    "no_powers": [lambda d, p: comb(d, p), lambda d, p: comb(d - 1, p - 1)],
    "degree_exactly_p": lambda d, p: comb(d + p - 2, p - 1),
    "x1_not_counted": lambda d, p: comb(d + p - 1, d) - 1,
    "constant_counted": lambda d, p: comb(d + p - 1, d) + 1,
    "powers_alone": lambda d, p: p,
    "wrong_count": [
        lambda d, p: d * p,
        lambda d, p: comb(d + p, p) / d,
        hard_coded(lambda d, p: comb(d + p - 1, p - 1)),
    ],
}
how_many.scenes = {
    "ordered_products": (growth, "10 000 inputs, in pairs"),
}


@exercise("The plane of an ellipse")
def ellipse_plane(trial):
    """w = (1/4, 0, 1): wᵀΦ(x) = 1 is the ellipse x1²/4 + x2² = 1 for Φ(x) = (x1², √2·x1·x2, x2²)."""
    w = numbers(trial.ask(), "w")
    expect(
        w.shape == (3,),
        "wrong_length",
        f"w should hold 3 numbers, one for each feature, yours has the shape {w.shape}.",
    )
    expect(np.isclose(w[1], 0), "cross_term_used", "the ellipse has no x1·x2, so the middle weight must be 0.")
    trial.expect_none_of(
        w,
        np.allclose,
        squared_twice=([1 / 16, 0, 1], "you squared twice: the feature is x1² already, its weight is 1/4."),
        half_for_a_quarter=([1 / 2, 0, 1], "x1²/4 has the weight 1/4; 1/2 would belong to x1²/2."),
        inverted=([4, 0, 1], "the weight of x1² is 1/4, not 4: the ellipse is wide in x1."),
        swapped=([1, 0, 1 / 4], "the weights are swapped: the first feature, x1², is divided by 4."),
        circle=([1, 0, 1], "z1 + z3 = 1 is the plane of the circle of radius 1."),
    )
    ratio = w[2]
    expect(
        not (ratio not in (0, 1) and np.allclose(w, ratio * np.array([0.25, 0, 1]))),
        "not_scaled",
        f"the direction is right, but wᵀΦ(x) is {ratio:g} on the ellipse; scale w so that it is 1.",
    )
    angle = np.linspace(0, 6, 13)
    z1 = (2 * np.cos(angle)) ** 2
    z3 = np.sin(angle) ** 2
    expect(
        np.allclose(w[0] * z1 + w[2] * z3, 1),
        "not_the_ellipse",
        "wᵀΦ(x) is not 1 everywhere on the ellipse; compare term by term.",
    )


ellipse_plane.right = lambda: np.array([0.25, 0, 1])
ellipse_plane.wrong = {
    "wrong_length": lambda: [1 / 4, 0, 1, -1],
    "cross_term_used": lambda: [1 / 4, 1, 1],
    "squared_twice": lambda: [1 / 16, 0, 1],
    "half_for_a_quarter": lambda: [1 / 2, 0, 1],
    "inverted": lambda: [4, 0, 1],
    "swapped": lambda: [1, 0, 1 / 4],
    "circle": lambda: [1, 0, 1],
    "not_scaled": [lambda: [1, 0, 4], [1 / 8, 0, 1 / 2]],
    "not_the_ellipse": [lambda: [0, 0, 0], lambda: [3, 0, 1]],
}


@exercise("The missing feature")
def exclusive_or(trial):
    """Φ = (1, x1, x2, f(x1, x2)) with any f that is no combination of the three, such as x1·x2."""
    X = trial.reordered(np.array([[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]]))
    Phi = numbers(trial.ask(X), "Φ")
    given = np.column_stack([np.ones(4), X])
    expect(
        Phi.ndim == 2 and len(Phi) == 4,
        "no_matrix",
        f"return the whole matrix, (4, 4); yours has the shape {Phi.shape}.",
    )
    expect(Phi.shape[1] != 3, "no_column_added", "there are still 3 columns; add one.")
    expect(
        Phi.shape[1] == 4,
        "several_columns_added",
        f"exactly one column should be added to the three; yours has {Phi.shape[1]} columns.",
    )
    expect(np.allclose(Phi[:, :3], given), "given_columns_changed", "keep 1, x1 and x2 as the first three columns.")
    new = Phi[:, 3]
    expect(
        np.isfinite(new).all(),
        "not_finite",
        "your new column is not a number at every point; a log or a root of a negative?",
    )
    expect(
        np.ptp(new) > 1e-9,
        "constant_again",
        "your new column is the same number at all four points, a copy of the constant.",
    )
    rank = np.linalg.matrix_rank(Phi)
    expect(
        rank == 4,
        "combination",
        "your new column is a combination of 1, x1 and x2, so it adds nothing to a linear model.",
    )
    turned = numbers(trial.ask(X[[3, 0, 2, 1]]), "Φ")
    expect(
        _same(turned, Phi[[3, 0, 2, 1]]),
        "depends_on_the_row",
        "your new column is not a function of x1 and x2, because it depends on the row.",
    )
    few = numbers(trial.ask(X[:3]), "Φ")
    expect(_same(few, Phi[:3]), "fixed_length", "right for 4 points, wrong for the first 3 of them: use len(X).")


exclusive_or.right = _columns(_ONE, _X1, _X2, _MIXED)
exclusive_or.wrong = {
    "no_matrix": lambda X: X.prod(axis=1),
    "no_column_added": _columns(_ONE, _X1, _X2),
    "several_columns_added": _columns(*_ALL),
    "given_columns_changed": _columns(_X1, _X2, _ONE, _MIXED),
    "not_finite": _columns(_ONE, _X1, _X2, lambda a, b: np.where(a < 0, np.nan, a)),
    "constant_again": _columns(_ONE, _X1, _X2, _SQUARE1),
    "combination": _columns(_ONE, _X1, _X2, lambda a, b: a + b),
    "depends_on_the_row": lambda X: np.column_stack([np.ones(4), X, [3, 0, 0, 1]]),
    "fixed_length": lambda X: _columns(_ONE, _X1, _X2, _MIXED)(np.vstack([X, X])[:4]),
}


summary = summary_of(tamed, six_columns, how_many, ellipse_plane, deeper=(exclusive_or,))
