"""Typical wrong answers of notebook 06, each with the message it meets."""

import numpy as np
import pytest

from kernelkit import Gaussian
from kernelkit.exercises import kernel_perceptron as check
from kernelkit.explorers.kernel_perceptron import digits_pair


def passes(K, y, *, wrong=lambda m: m <= 0, step=lambda y: y, at_once=True, result="passes"):
    """The exercise with one thing done in another way."""
    a, count, mistakes = np.zeros(len(y)), 0, 0
    for _ in range(60):
        before, frozen = mistakes, a.copy()
        for i in range(len(y)):
            if wrong(y[i] * (K[i] @ (a if at_once else frozen))):
                a[i] += step(y[i])
                mistakes += 1
        count += 1
        if mistakes == before:
            break
    return {"passes": count, "dirty": count - 1, "mistakes": mistakes}[result]


def label_twice_in_place(K, y, a):
    a *= y
    return np.maximum(0, -y * (K @ a)).mean()


WRONG = [
    (check.visit, lambda w, phi, y: w + y * phi if y * (w @ phi) > 0 else w, "skip the mistakes"),
    (check.visit, lambda w, phi, y: w + phi if y * (w @ phi) <= 0 else w, "forgot the label"),
    (check.visit, lambda w, phi, y: w + y * phi if y * (w @ phi) < 0 else w, "w = 0 never moves"),
    (check.visit, lambda w, phi, y: w + y * phi if y != (1 if w @ phi > 0 else -1) else w, "a mistake whatever w"),
    (check.visit, lambda w, phi, y: w + y * phi if y * (w @ phi) < 0 or not w.any() else w, "a mistake whatever w"),
    (check.visit, lambda w, phi, y: w + y * phi, "leave w as it is"),
    (check.visit, lambda w, phi, y: w + y * phi if w @ phi <= 0 else w, "w must change"),
    (check.visit, lambda w, phi, y: w - y * phi if y * (w @ phi) <= 0 else w, "turned round"),
    (check.visit, lambda w, phi, y: w + y * phi / 2 if y * (w @ phi) <= 0 else w, "the rate is 1"),
    (check.visit, lambda w, phi, y: w + 2 * y * phi if y * (w @ phi) <= 0 else w, "your step is 2 times"),
    (check.visit, lambda w, phi, y: w + y if y * (w @ phi) <= 0 else w, "after the mistake w should be"),
    (check.visit, lambda w, phi, y: y * (w @ phi), "3 entries"),
    (check.visit, lambda w, phi, y: w + y * phi * (1 if w.any() else 2) if y * (w @ phi) <= 0 else w, "from w = 0"),
    (check.loss, lambda K, y, a: np.maximum(0, -y * (K @ a)).sum(), "the mean, with 1/n"),
    (check.loss, lambda K, y, a: np.maximum(0, y * (K @ a)).mean(), "the sign is turned"),
    (check.loss, lambda K, y, a: np.maximum(0, 1 - y * (K @ a)).mean(), "hinge loss"),
    (check.loss, lambda K, y, a: np.maximum(0, -(K @ a)).mean(), "labels y_i in front"),
    (check.loss, lambda K, y, a: np.maximum(0, -y * (K @ (a * y))).mean(), "already holds the label"),
    (check.loss, lambda K, y, a: np.mean(y * (K @ a) <= 0), "counted the mistakes"),
    (check.loss, lambda K, y, a: np.maximum(0, -y * (K @ a)), "one number"),
    (check.loss, lambda K, y, a: 0.0, "the loss is"),
    (check.predict, lambda k, X, y, alpha, z: np.sign(alpha @ k(X, z)), "+1 everywhere"),
    (check.predict, lambda k, X, y, alpha, z: alpha @ k(X, z), "needs its label"),
    (check.predict, lambda k, X, y, alpha, z: (alpha * y) @ k(X, z), "is its sign"),
    (check.predict, lambda k, X, y, alpha, z: -np.sign((alpha * y) @ k(X, z)), "turned round"),
    (check.predict, lambda k, X, y, alpha, z: np.sign(y @ k(X, z)), "weight 1"),
    (check.predict, lambda k, X, y, alpha, z: np.sign(alpha * y * k(X, z)), "add up over j"),
    (check.predict, lambda k, X, y, alpha, z: -1.0, "check the sign"),
    (check.predict, lambda k, X, y, alpha, z: np.sign(((alpha > 0) * y) @ k(X, z)), "every mistake point once"),
    (check.predict, lambda k, X, y, alpha, z: np.sign((alpha**2 * y) @ k(X, z)), "check the sign"),
    (check.predict, lambda k, X, y, alpha, z: np.sign((alpha * y) @ Gaussian(1.0)(X, z)), "check the sign"),
    (check.predict, lambda k, X, y, alpha, z: float((alpha * y) @ k(X, z) > 0), "you return 0 or 1"),
    (check.predict, lambda k, X, y, alpha, z: 0.0, "you return 0 everywhere"),
    (check.loss, label_twice_in_place, "already holds the label"),
    (check.loss, lambda K, y, a: np.maximum(0, y * abs(K @ a)).mean(), "the loss is"),
    (check.passes, lambda K, y: passes(K[:-1, :-1], y[:-1]), "passes"),
    (check.passes, lambda K, y: passes(K, y, result="dirty"), "counts too"),
    (check.passes, lambda K, y: passes(K, y, result="mistakes"), "counted the mistakes"),
    (check.passes, lambda K, y: passes(K, y, wrong=lambda m: m < 0), "a zero is a mistake"),
    (check.passes, lambda K, y: passes(K, y, step=lambda _: 1), "add y_i to a_i"),
    (check.passes, lambda K, y: passes(K, y, at_once=False), "at once"),
    (check.passes, lambda K, y: np.ones(3), "one whole number"),
    (check.passes, lambda K, y: K[99], "stopped with IndexError"),
]


@pytest.mark.parametrize(("exercise", "answer", "message"), WRONG)
def test_wrong_answer_meets_its_message(exercise, answer, message, capsys):
    exercise(answer)
    said = capsys.readouterr().out
    assert said.startswith("✗") and message in said and said.count("\n") == 1


@pytest.mark.parametrize("exercise", list(dict.fromkeys(w[0] for w in WRONG)), ids=lambda e: e.__name__)
def test_no_answer_is_not_an_error(exercise, capsys):
    exercise(lambda *_: None)
    assert capsys.readouterr().out.startswith("○")


def loss_in_place(K, y, a):
    K *= y[:, None]
    return np.maximum(0, -K @ a).mean()


def predict_in_place(k, X, y, alpha, z):
    alpha *= y
    return np.sign(alpha @ k(X, z))


@pytest.mark.parametrize(("exercise", "answer"), [(check.loss, loss_in_place), (check.predict, predict_in_place)])
def test_an_answer_may_work_in_place(exercise, answer, capsys):
    exercise(answer)
    assert capsys.readouterr().out.startswith("✓")


NOT_YET = [
    ({"pair": (0, 6)}, "another_pair"),
    ({"n": 250}, "large_and_wrong"),
    ({"sigma": 1.0, "n": 250}, "too_many_kept"),
    ({"sigma": 1.1, "n": 100}, "too_often_wrong"),
    *((scene, None) for scene in digits_pair.scenes.values()),  # a scene is no answer
]


@pytest.mark.parametrize(("values", "mistake"), NOT_YET)
def test_a_panel_that_is_not_there_yet_says_why(values, mistake):
    panel = digits_pair()
    panel.set(**values)
    check.small_album(panel)
    result = check.small_album.result
    assert result.verdict == "wrong" and mistake in (None, result.mistake)


@pytest.mark.parametrize("values", [{"sigma": 1.1, "n": 200}, {"sigma": 1.1, "n": 150}, {"sigma": 0.9, "n": 100}])
def test_the_challenge_has_several_answers(values):
    panel = digits_pair()
    check.small_album(panel)
    assert check.small_album.result.verdict == "open"
    panel.set(**values)
    check.small_album(panel)
    assert check.small_album.result.verdict == "right", check.small_album.result
