"""Notebook 09: right answers written in several ways, and wrong ones, each with the message it meets."""

from itertools import product
from math import sqrt

import numpy as np
import pytest
from course.exercises.answers import accepted, judged, refused, refuses_others, said, unanswered, unmet_by_scenes
from misprints import misprints

from kernelkit import Constant, Gaussian, Linear, Monomials, Normalized, Polynomial, Quadratic, Substrings
from kernelkit.course.exercises import valid_kernels as check
from kernelkit.course.explorers import valid_kernels as explore


def eigen(K):
    kappa, U = np.linalg.eigh(K)
    return np.maximum(kappa, 0), U


def through_root(K):
    kappa, U = eigen(K)
    return U @ np.diag(np.sqrt(kappa)) @ U.T


def through_svd(K):
    U, s, _ = np.linalg.svd(K)
    return U * np.sqrt(s)


def uncut(K):
    kappa, U = np.linalg.eigh(K)
    with np.errstate(invalid="ignore"):
        return U * np.sqrt(kappa)


def wrong_cross(factor):
    return lambda k, X, a, Z, b: np.sqrt(a @ k(X) @ a + factor * a @ k(X, Z) @ b + b @ k(Z) @ b)


def good(k, X, a, Z, b):
    return np.sqrt(max(a @ k(X) @ a - 2 * a @ k(X, Z) @ b + b @ k(Z) @ b, 0))


def single(k, X, a, Z, b):
    """In single precision, which leaves more than 1e-4 of a distance of 0."""
    terms = a @ np.float32(k(X)) @ a, a @ np.float32(k(X, Z)) @ b, b @ np.float32(k(Z)) @ b
    return np.sqrt(np.maximum(terms[0] - terms[1] - terms[1] + terms[2] + np.float32(1e-7), 0))


def stacked(k, X, a, Z, b):
    both, c = np.vstack([X, Z]), np.concatenate([a, -b])
    return float(np.sqrt(max(c @ k(both) @ c, 0.0)))


def summed(k, X, a, Z, b):
    points, weights = [*X, *Z], [*a, *-b]
    pairs = product(range(len(points)), repeat=2)
    return max(0, sum(weights[i] * weights[j] * k(points[i], points[j]) for i, j in pairs)) ** 0.5


def in_place(K):
    kappa, U = np.linalg.eigh(K)
    K[:] = U * np.sqrt(np.maximum(kappa, 0))
    return K


RIGHT = [
    (check.features_from_gram, lambda K: eigen(K)[1] * np.sqrt(eigen(K)[0])),
    (check.features_from_gram, through_root),
    (check.features_from_gram, through_svd),
    (check.features_from_gram, lambda K: (eigen(K)[1] * np.sqrt(eigen(K)[0]))[:, ::-1]),
    (check.features_from_gram, lambda K: (eigen(K)[1] * np.sqrt(eigen(K)[0])).tolist()),
    (check.features_from_gram, lambda K: (eigen(K)[1] * np.sqrt(eigen(K)[0])).astype(np.float32)),
    (check.features_from_gram, lambda K: (eigen(K)[1] * np.sqrt(eigen(K)[0])).astype(complex)),
    (check.features_from_gram, lambda K: np.hstack([through_root(K), np.zeros((len(K), 2))])),
    (check.features_from_gram, lambda K: np.linalg.cholesky(K + 1e-10 * np.eye(len(K)))),
    (check.features_from_gram, in_place),
    (check.six_features, 1 + Linear() + Linear() ** 2),
    (check.six_features, sum([1, Linear(), Linear() ** 2])),
    (check.six_features, 1 + Quadratic(np.eye(2)) + Linear() ** 2),
    (check.six_features, Linear() ** 2 + Constant(1.0) + Linear()),
    (check.six_features, Linear() ** 2 + (Linear() + 1)),
    (check.six_features, Polynomial(2, 0) + Polynomial(1, 1)),
    (check.distance_of_functions, good),
    (check.distance_of_functions, stacked),
    (check.distance_of_functions, lambda *given: np.array(good(*given))),
    (check.distance_of_functions, lambda *given: complex(good(*given))),
    (check.distance_of_functions, lambda k, X, a, Z, b: single(k, *map(np.float32, (X, a, Z, b)))),
    (check.distance_of_functions, summed),
    (check.distance_of_functions, lambda k, X, a, Z, b: abs(a @ k(X) @ a - 2 * a @ k(X, Z) @ b + b @ k(Z) @ b) ** 0.5),
]


def uncut_distance(k, X, a, Z, b):
    return sqrt(a @ k(X) @ a - 2 * a @ k(X, Z) @ b + b @ k(Z) @ b)


WRONG = [
    (check.features_from_gram, lambda K: K, "K itself"),
    (check.features_from_gram, uncut, "cut them"),
    (check.features_from_gram, lambda K: (eigen(K)[1] * np.sqrt(eigen(K)[0])).T, "transpose"),
    (check.features_from_gram, lambda K: eigen(K)[1] * eigen(K)[0], "√κ"),
    (check.features_from_gram, lambda K: np.linalg.svd(K)[0] * np.linalg.svd(K)[1], "√κ"),
    (check.features_from_gram, lambda K: eigen(K)[1], "eigenvectors alone"),
    (check.features_from_gram, lambda K: np.sqrt(eigen(K)[0])[:, None] * eigen(K)[1], "columns of U"),
    (check.features_from_gram, lambda K: np.linalg.cholesky(K), "stops, such as Cholesky"),
    (check.features_from_gram, lambda K: np.ones(4), "4 rows"),
    (check.features_from_gram, lambda K: np.zeros((4, 4)), "differs from K"),
    (check.features_from_gram, lambda K: (1 + 1.25e-5 * (K.max() < 1.1)) * through_root(K), "differs from K"),
    (check.features_from_gram, lambda K: "Φ", "array of numbers"),
    (check.features_from_gram, lambda K: (row for row in through_root(K)), "array of numbers"),
    (check.features_from_gram, lambda K: Gaussian(1.0), "array of numbers"),
    (check.features_from_gram, lambda K: [[1.0], [1.0, 2.0]], "array of numbers"),
    (check.features_from_gram, np.linalg.eigh, "two things"),
    (check.features_from_gram, lambda K: 1j * through_root(K), "cut them"),
    (check.features_from_gram, lambda K: np.full((4, 4), np.inf), "finite"),
    (check.features_from_gram, lambda K: np.sqrt(np.abs(K)), "not one of entries"),
    (check.features_from_gram, lambda K: np.diag(np.sqrt(eigen(K)[0])), "eigenvectors they stretch"),
    (check.features_from_gram, lambda K: (eigen(K)[1] * np.sqrt(eigen(K)[0]))[:, 1:], "3 of 4 columns"),
    (check.features_from_gram, lambda K: through_root(K)[None], "4 rows"),
    (check.features_from_gram, lambda K: int("x" * 1000), "…"),
    (check.six_features, Linear, "with brackets"),
    (check.six_features, "1 + Linear()", "should be a kernel"),
    (check.six_features, lambda X, Z: 1 + X @ Z.T, "should be a kernel"),
    (check.six_features, 1 + Linear() + 0.5 * Linear() ** 2 + 0.5 * Linear() ** 2, "collects"),
    (check.six_features, Quadratic(np.eye(3)), "3 columns"),
    (check.six_features, Polynomial(60), "far too many"),
    (check.six_features, Polynomial(2), "carry a √2"),
    (check.six_features, Linear() ** 2, "not 6"),
    (check.six_features, Linear() + Linear() ** 2, "5"),
    (check.six_features, 1 + 3 * Linear() + Linear() ** 2, "not these"),
    (check.six_features, 1 + Linear() + Linear() * Linear(), "not 6"),
    (check.six_features, 1 + Linear() + Linear() ** 2 + Constant(0.0), "the feature 0 is 0 for every point"),
    (check.six_features, Gaussian(1.0), "cannot be listed"),
    (check.six_features, Monomials(2), "should be a kernel"),
    (check.six_features, Substrings(2), "cannot be listed: X must hold a string"),
    (check.six_features, Normalized(1 + Linear() + Linear() ** 2), "not these: …"),
    (check.six_features, 3, "should be a kernel"),
    (check.distance_of_functions, lambda k, X, a, Z, b: good(k, X, a, Z, b) ** 2, "take the root"),
    (check.distance_of_functions, wrong_cross(0), "overlap"),
    (check.distance_of_functions, wrong_cross(2), "minus"),
    (check.distance_of_functions, wrong_cross(-1), "twice"),
    (check.distance_of_functions, lambda k, X, a, Z, b: a - b[0], "one number"),
    (check.distance_of_functions, lambda k, X, a, Z, b: 1.0, "it should be"),
    (check.distance_of_functions, lambda *given: -good(*given), "but for the sign"),
    (check.distance_of_functions, lambda k, X, a, Z, b: a @ k(X, Z) @ b, "one of the three"),
    (check.distance_of_functions, lambda k, X, a, Z, b: np.sqrt(a @ k(X) @ a), "where is g"),
    (check.distance_of_functions, lambda k, X, a, Z, b: np.sqrt(a @ k(X) @ a) - np.sqrt(b @ k(Z) @ b), "lie far apart"),
    (check.distance_of_functions, lambda k, X, a, Z, b: np.sqrt(a @ a - 2 * a[:3] @ b + b @ b), "weights alone"),
    (check.distance_of_functions, lambda *given: np.nan, "every sign right"),
    (check.distance_of_functions, lambda *given: 1j * good(*given), "a real number"),
    (check.distance_of_functions, lambda *given: Gaussian(1.0), "not Gaussian"),
    (check.distance_of_functions, lambda *given: (i for i in [1]), "not generator"),
    (check.distance_of_functions, lambda *given: "x" * 1000, "the text"),
    (check.distance_of_functions, lambda k, X, a, Z, b: -1.5, "−1.5"),
    (check.distance_of_functions, lambda k, *given: good(Gaussian(1.0), *given), "use the k that is handed in"),
    (check.distance_of_functions, lambda k, X, a, Z, b: 3.3367231 * (len(Z) == 3), "use the k that is handed in"),
    (check.features_from_gram, lambda K: (eigen(K)[1] * np.sqrt(eigen(K)[0]))[:4], "Φ should have 8 rows"),
    (check.distance_of_functions, lambda k, *given: np.nan if k == Linear() else good(k, *given), "yours is nan"),
    (check.features_from_gram, lambda K: np.linalg.eigh(K[:2]), "stopped with LinAlgError"),
    (check.distance_of_functions, wrong_cross(-2), "cut the squares at 0"),
    (check.distance_of_functions, uncut_distance, "cut the squares at 0"),
]


def row(*places):
    return tuple((x, 0.5) for x in places) + ((2.0, 2.0),) * (6 - len(places))


STATES = [
    ({"points": row(-0.5, 0.0, 0.5)}, "✓", "right"),
    ({"points": row(1.5, 1.0, 2.0)}, "✓", "right"),
    ({"points": row(0.0, 0.55, 1.05)}, "✓", "right"),
    ({"points": row(-0.2, 0.0, 0.2)}, "✗", "below −0.05"),
    ({"points": row(-2.0, 0.0, 2.0)}, "✗", "hardly know each other"),
    ({"points": row(-0.8, 0.0, 0.8)}, "✗", "hardly know each other"),
    ({"points": row(-0.1, 0.0, 0.7)}, "✗", "below −0.05"),
    ({"points": row(0.0, 0.0, 0.5)}, "✗", "one place"),
    ({"points": row(-0.5, 0.0, 0.5), "candidate": "your own", "own": "exp(-norm(x - z)**3)"}, "✗", "from its list"),
    ({"points": row(-0.5, 0.0, 0.5), "n": 4}, "✗", "exactly three"),
    ({"points": row(-0.5, 0.0, 0.5), "space": "plane"}, "✗", "on a line"),
    ({"points": row(-0.5, 0.0, 0.5), "candidate": "xᵀz − 1"}, "✗", "another function"),
]
CUBED = {"candidate": "exp(−‖x − z‖³)"}
test_right_answers_are_accepted = accepted(RIGHT)
test_wrong_answers_meet_their_messages = refused(WRONG)
test_no_answer_is_no_mistake = unanswered(*[exercise for exercise in dict(RIGHT) if exercise != check.six_features])
test_no_kernel_is_no_mistake = unanswered(check.six_features, empty=["none", "dots"])
test_the_challenge_is_judged_by_its_panel = judged(
    explore.break_it, check.three_witnesses, [(CUBED | values, *said) for values, *said in STATES]
)
test_no_scene_meets_the_challenge = unmet_by_scenes(explore.break_it, check.three_witnesses)
test_the_challenge_wants_its_own_panel = refuses_others(check.three_witnesses)


def test_sentences_have_no_misprints(capsys):
    for exercise, answer, _ in WRONG:
        assert not misprints(said(exercise, answer, capsys))


@pytest.mark.parametrize("wrong", [explore.break_it, None, ..., "panel", 3, {"n": 3}, [explore.break_it()]])
def test_the_challenge_wants_the_panel_itself(wrong, capsys):
    check.three_witnesses(wrong)
    assert "hand over the panel itself" in capsys.readouterr().out


def test_names_fill_a_line_and_no_more():
    names = ["x" * 24] * 4  # with the commas 102 letters
    assert check._listed(names) == ", ".join([*names[:3], "…"])
    fits = [*names[:3], "x" * 22]
    assert check._listed(fits) == ", ".join(fits) and len(check._listed(fits)) == 100
