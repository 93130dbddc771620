"""Checks of the exercises of notebook 17."""

import numpy as np

from kernelkit.course.exercises.base import (
    Mistake,
    array_like,
    challenge,
    close,
    exercise,
    expect,
    fixed,
    hard_coded,
    number,
    shape_of,
    summary_of,
    worst_place,
)
from kernelkit.course.explorers.data.hospital import run_of
from kernelkit.course.explorers.segmentation.selection import selection

ENOUGH = 0.85  # Dice
MOST = 12  # terms


@exercise("Dice")
def dice(trial):
    """2 |A ∩ B| / (|A| + |B|), on two pictures, and 1 for a set and itself."""
    rng = trial.draws(10)
    found = rng.random((7, 9)) < 0.4
    true = rng.random((7, 9)) < 0.3
    both = (found & true).sum()
    either = (found | true).sum()
    total = found.sum() + true.sum()
    right = 2 * both / total
    mine = number(trial.ask(found, true))
    smaller, larger = (both / of(found.sum(), true.sum()) for of in (min, max))
    if not trial.round and np.isclose(mine, [smaller, larger]).any():
        turned = number(trial.ask(true, found))  # sensitivity and precision change places
        sentence = "this divides by the size of one of the two sets; Dice divides by |A| + |B|, and doubles the top."
        expect(not np.isclose(mine, turned), "smaller_or_larger", sentence)
    trial.expect_none_of(
        mine,
        np.isclose,
        no_two=(both / total, "a set and itself should give 1, yours gives ½: the 2 is missing."),
        union=(both / either, "this divides by the union, |A ∪ B|; Dice divides by |A| + |B|, and doubles the top."),
        union_below=(2 * both / either, "this divides by the union, |A ∪ B|; Dice divides by |A| + |B|."),
        accuracy=(np.mean(found == true), "this counts pixels that are healthy in both too, and most are."),
        sensitivity=(both / true.sum(), "this is the part of the tumour that is found; false alarms cost nothing."),
        precision=(both / found.sum(), "this is the part of what is found that is tumour; misses cost nothing."),
        distance=(1 - right, "this is 0 for a set and itself: it is 1 − Dice, the part in which they differ."),
        union_above=(2 * either / total, "the numerator is what both have in common, not what either has."),
        no_division=(both, "this counts common pixels; divide by the sizes of both sets."),
        doubled_no_division=(2 * both, "this counts common pixels; divide by the sizes of both sets."),
        all_pixels=(
            2 * both / (2 * found.size),
            "this divides by all pixels there are; a set's size is how many are True: its sum.",
        ),
        rows=(2 * both / (2 * len(found)), "len counts the rows of a picture; a set's size is its sum."),
        no_brackets=(
            2 * both / found.sum() + true.sum(),
            "brackets are missing, because all of |A| + |B| belongs below.",
        ),
        percent=(100 * right, "this is right in percent; Dice is between 0 and 1."),
    )
    expect(
        np.isclose(mine, right, rtol=0, atol=1e-4),
        "wrong_number",
        f"two sets of {found.sum()} and {true.sum()} pixels with {both} in "
        f"common have Dice {right:.4f}, yours says {mine:.4f}.",
    )
    again = number(trial.ask(true[:5], found[2:]))
    right = 2 * (true[:5] & found[2:]).sum() / (true[:5].sum() + found[2:].sum())
    sentence = f"right for one pair of pictures, but for another it should be {right:.4f}, yours is {again:.4f}."
    expect(np.isclose(again, right, rtol=0, atol=1e-4), "other_pictures", sentence)


def _dice(found, true):
    return 2 * (found & true).sum() / (found.sum() + true.sum())


dice.right = _dice
dice.wrong = {
    "smaller_or_larger": [
        lambda found, true: (found & true).sum() / min(found.sum(), true.sum()),
        lambda found, true: (found & true).sum() / max(found.sum(), true.sum()),
    ],
    "no_two": lambda found, true: _dice(found, true) / 2,
    "union": lambda found, true: (found & true).sum() / (found | true).sum(),
    "union_below": lambda found, true: 2 * (found & true).sum() / (found | true).sum(),
    "accuracy": lambda found, true: (found == true).mean(),
    "sensitivity": lambda found, true: (found & true).sum() / true.sum(),
    "precision": lambda found, true: (found & true).sum() / found.sum(),
    "distance": lambda found, true: 1 - _dice(found, true),
    "union_above": lambda found, true: 2 * (found | true).sum() / (found.sum() + true.sum()),
    "no_division": lambda found, true: (found & true).sum(),
    "doubled_no_division": lambda found, true: 2 * np.sum(found & true),
    "all_pixels": lambda found, true: 2 * (found & true).sum() / (found.size + true.size),
    "rows": lambda found, true: 2 * (found & true).sum() / (len(found) + len(true)),
    "no_brackets": lambda found, true: 2 * (found & true).sum() / found.sum() + true.sum(),
    "percent": lambda found, true: 100 * _dice(found, true),
    "wrong_number": [lambda found, true: 0.5, lambda found, true: float("nan")],
    "other_pictures": [hard_coded(_dice), lambda found, true: 2 * (found & true).sum() / 45],
}


def _across_and_along(row, column, middle, angle):
    """u and v of a place of the picture, across the head and along it."""
    c = np.cos(angle)
    s = np.sin(angle)
    x = column - middle[1]
    y = middle[0] - row
    return c * x + s * y, c * y - s * x


def _place(u, v, middle, angle):
    """The (row, column) of the place with this u and v."""
    c = np.cos(angle)
    s = np.sin(angle)
    x = c * u - s * v
    y = s * u + c * v
    return np.stack([middle[0] - y, middle[1] + x])


def _mirrored(row, column, middle, angle):
    """Where (−u, v) lies."""
    u, v = _across_and_along(row, column, middle, angle)
    return _place(-u, v, middle, angle)


@exercise("The other side")
def other_side(trial):
    """The (row, column) whose u is −u and whose v is v."""
    row = trial.changed(np.array([30.0, 71, 55]))
    column = trial.changed(np.array([40.0, 90, 66]))
    middle = (60.0, 70.0)
    angle = trial.changed(0.4)
    right = _mirrored(row, column, middle, angle)
    value = trial.ask(row, column, middle, angle)
    expect(shape_of(value) != (3, 2), "transposed", "return two arrays, the rows and the columns.")
    mine = array_like(value, (2, 3), "(row, column)")
    centre = np.array(middle)[:, None]
    u, v = _across_and_along(row, column, middle, angle)
    trial.expect_none_of(
        mine,
        close,
        swapped=(right[::-1], "row and column are exchanged."),
        same_place=(np.stack([row, column]), "this is the place itself; the sign of u must change."),
        not_turned=(
            _mirrored(row, column, middle, 0.0),
            "this mirrors the picture, but the head is turned in it: to u and v, across, and back the other way.",
        ),
        picture_mirrored=(
            np.stack([row, 127 - column]),
            "this mirrors the picture, but the head lies turned and shifted in it: go to u and v first.",
        ),
        other_angle=(
            _mirrored(row, column, middle, -angle),
            "the angle has the wrong sign, or above is measured downwards: above = middle[0] − row.",
        ),
        degrees=(
            _mirrored(row, column, middle, np.radians(angle)),
            "the angle comes in radians, as np.cos and np.sin want it: do not convert it.",
        ),
        middle_swapped=(_mirrored(row, column, middle[::-1], angle), "the middle is (row, column), in this order."),
        not_turned_back=(
            centre + np.stack([-v, -u]),
            "u and v must be turned back by the angle, too. If you mirror by one matrix, its angle is 2θ.",
        ),
        y_down=(
            np.stack([2 * middle[0] - right[0], right[1]]),
            "rows grow downwards: a row is the row of the middle minus what lies above it, not plus.",
        ),
        upside_down=(_place(u, -v, middle, angle), "this changes v; left and right are ±u."),
        half_a_turn=(_place(-u, -v, middle, angle), "this changes u and v; only u changes sign."),
        not_back=(np.stack([-u, v]), "these are −u and v; say where in the picture they lie."),
        not_back_swapped=(np.stack([v, -u]), "these are v and −u; say where in the picture they lie."),
        no_middle=(right - centre, "the middle of the head must be added again."),
    )
    if not np.allclose(mine, right, rtol=0, atol=0.01):  # pixels
        (j, *_) = worst_place(mine.T, right.T)
        raise Mistake(
            "wrong_place",
            f"({row[j]:g}, {column[j]:g}) should come to ({right[0, j]:.2f}, "
            f"{right[1, j]:.2f}), yours comes to ({mine[0, j]:.2f}, {mine[1, j]:.2f}).",
        )
    middle = (48.0, 55.0)
    again = array_like(trial.ask(row[1:], column[1:], middle, -0.7), (2, 2), "for two places (row, column)")
    right = _mirrored(row[1:], column[1:], middle, -0.7)
    sentence = "right for one head, wrong for another middle and angle: use what comes in."
    expect(np.allclose(again, right, rtol=0, atol=0.01), "other_head", sentence)


def _not_turned_back(row, column, middle, angle):
    u, v = _across_and_along(row, column, middle, angle)
    return middle[0] - v, middle[1] - u


def _turned_back_twice(row, column, middle, angle):
    """The way back turns by −θ, as the way there did."""
    u, v = _across_and_along(row, column, middle, angle)
    return _place(-u, v, middle, -angle)


def _upside_down(row, column, middle, angle):
    u, v = _across_and_along(row, column, middle, angle)
    return _place(u, -v, middle, angle)


other_side.right = _mirrored
other_side.wrong = {
    "transposed": lambda *a: np.transpose(_mirrored(*a)),
    "swapped": lambda *a: _mirrored(*a)[::-1],
    "same_place": lambda row, column, middle, angle: (row, column),
    "not_turned": [lambda row, column, middle, angle: (row, 2 * middle[1] - column), _turned_back_twice],
    "picture_mirrored": lambda row, column, middle, angle: (row, 127 - column),
    "other_angle": lambda row, column, middle, angle: _mirrored(row, column, middle, -angle),
    "degrees": lambda row, column, middle, angle: _mirrored(row, column, middle, np.radians(angle)),
    "middle_swapped": lambda row, column, middle, angle: _mirrored(row, column, middle[::-1], angle),
    "not_turned_back": _not_turned_back,
    "y_down": lambda row, column, middle, angle: (
        np.array([[2 * middle[0]], [0]]) + np.multiply([[-1], [1]], _mirrored(row, column, middle, angle))
    ),
    "upside_down": _upside_down,
    "half_a_turn": lambda row, column, middle, angle: (2 * middle[0] - row, 2 * middle[1] - column),
    "not_back": lambda *a: np.multiply([[-1], [1]], _across_and_along(*a)),
    "not_back_swapped": lambda *a: np.multiply([[-1], [1]], _across_and_along(*a))[::-1],
    "no_middle": lambda row, column, middle, angle: _mirrored(row, column, middle, angle) - np.reshape(middle, (2, 1)),
    "wrong_place": lambda *a: np.zeros((2, 3)),
    "other_head": [fixed(_mirrored, 2, (60.0, 70.0)), fixed(_mirrored, 3, 0.4)],
}


def _candidates(trial):
    """Columns Z, an orthonormal Q and y, for which each usual mistake chooses another column."""
    rng = trial.draws(3)
    Q = np.linalg.qr(rng.standard_normal((40, 3)))[0]
    r = rng.standard_normal(40)
    r -= Q @ (Q.T @ r)
    r /= np.linalg.norm(r)
    other = rng.standard_normal((40, 9))
    other -= Q @ (Q.T @ other)
    other -= np.outer(r, r @ other)
    other /= np.linalg.norm(other, axis=0)
    Z = np.column_stack(
        [
            10 * (0.3 * r + 0.954 * other[:, 0]),  # long: the largest zᵀr
            0.45 * r + 0.893 * other[:, 2],  # the best cosine with r of those that have nothing in Q
            0.5 * r + 0.866 * other[:, 3] - 1.5 * Q[:, 1],  # positive, where the best is negative
            12 * Q[:, 2] + 0.2 * r + 0.98 * other[:, 4],  # like y, most of which is explained already
            0.01 * other[:, 7] + 0.0005 * r,  # the worst, but with number 7 it gives all of r
            0.5 * (-0.7 * r + 0.714 * other[:, 1]) + 4 * Q[:, 0],  # the best: most of its own part lies along r
            other[:, 6] + 0.25 * r,
            other[:, 7] + 0.3 * r,  # the largest weight if all are fitted at once
            20 * (other[:, 8] + 0.1 * r),  # the longest
        ]
    )
    return Z, Q, r + 5 * Q[:, 2]


@exercise("The next term")
def next_term(trial):
    """The column z with the largest (zᵀr)²/‖z − QQᵀz‖², r = y − QQᵀy."""
    Z, Q, y = _candidates(trial)
    r = y - Q @ (Q.T @ y)
    own = Z - Q @ (Q.T @ Z)
    length = np.linalg.norm(own, axis=0)
    whole = np.linalg.norm(Z, axis=0)
    gains = (r @ own) ** 2 / length**2
    right = int(np.argmax(gains))
    value = trial.ask(Z, Q, y)
    expect(
        shape_of(value) != (len(Z.T),),
        "all_gains",
        "these are numbers for all columns; return the place of the largest.",
    )
    mine = number(value)
    trial.expect_none_of(
        mine,
        np.isclose,
        long_wins=(
            np.argmax(np.abs(r @ Z)),
            "this takes the largest |zᵀr|: a long column wins. Divide by its own length.",
        ),
        like_y=(
            np.argmax((y @ Z) ** 2 / whole**2),
            "this compares with y; what the chosen columns explain already must leave y first.",
        ),
        sign=(np.argmax(r @ own / length), "a term may have a negative weight: square zᵀr, or take |zᵀr|."),
        whole_length=(
            np.argmax((r @ Z) ** 2 / whole**2),
            "this divides by all of ‖z‖², but only the part of z outside the chosen columns, z − QQᵀz, is new.",
        ),
        smallest=(
            np.argmin(gains),
            "this term lowers the loss least: is it the smallest gain, or is zᵀr not squared above ‖z − QQᵀz‖²?",
        ),
        the_gain=(gains.max(), "this is the largest gain itself; return its place: np.argmax."),
        from_one=(right + 1, "columns are counted from 0."),
    )
    expect(mine == right, "wrong_column", f"column {right} lowers the loss most, yours is {mine:g}.")
    other = number(trial.ask(Z[:, ::-1], Q, y))
    expect(other == len(Z.T) - 1 - right, "one_case_only", "right here, wrong for the columns in turned order.")


def _own(Z, Q):
    """The part of each column that is not a combination of those of Q."""
    return Z - Q @ (Q.T @ Z)


def _gains(Z, Q, y):
    return (_own(Z, Q).T @ y) ** 2 / (_own(Z, Q) ** 2).sum(axis=0)


next_term.right = lambda Z, Q, y: _gains(Z, Q, y).argmax()
next_term.wrong = {
    "all_gains": _gains,
    "long_wins": lambda Z, Q, y: np.argmax(np.abs(_own(Z, Q).T @ y)),
    "like_y": lambda Z, Q, y: np.argmax((Z.T @ y) ** 2 / (Z**2).sum(axis=0)),
    "sign": lambda Z, Q, y: np.argmax(_own(Z, Q).T @ y / np.linalg.norm(_own(Z, Q), axis=0)),
    "whole_length": lambda Z, Q, y: np.argmax((_own(Z, Q).T @ y) ** 2 / (Z**2).sum(axis=0)),
    "smallest": [
        lambda Z, Q, y: _gains(Z, Q, y).argmin(),
        lambda Z, Q, y: np.argmax(abs(_own(Z, Q).T @ y) / (_own(Z, Q) ** 2).sum(axis=0)),
    ],
    "the_gain": lambda Z, Q, y: _gains(Z, Q, y).max(),
    "from_one": lambda Z, Q, y: _gains(Z, Q, y).argmax() + 1,
    "wrong_column": lambda Z, Q, y: -1,
    "one_case_only": lambda Z, Q, y: 5,
}


@challenge("Twelve terms", selection)
def few_terms(panel):
    """A Dice above ENOUGH on held-out patients with at most MOST terms, none of them of the other side."""
    values = panel.values
    run = run_of(values["pool"], values["degree"], values["count"])
    step = min(values["step"], len(run))
    expect(step > 0, "no_terms", "there is only the constant yet: step forward.")
    found = run[step - 1].dice
    said = f"{step} {'term finds' if step == 1 else 'terms find'} {found:.3f} on held-out patients"
    expect(step <= MOST, "too_many", f"{said}, but {step} are too many; {MOST} are enough.")
    expect(values["pool"] != 4, "symmetry", f"{said}, but some of them may look at the other side: not this time.")
    if found > ENOUGH:
        return
    expect(values["pool"] != 1, "brightness_only", f"{said}: brightness alone cannot do it.")
    expect(
        values["pool"] != 2,
        "no_place",
        f"{said}: none of these features knows where in the head a pixel lies.",
    )
    if values["degree"] != 2 and values["count"] != 12:
        raise Mistake("few_patients", f"{said}: with single features four patients are not enough.")
    raise Mistake("too_few", f"{said}. It needs more than {ENOUGH}; another step or two?")


_GOOD = {"pool": 3, "degree": 2, "count": 12, "step": 12}
few_terms.right = _GOOD
few_terms.wrong = {
    "no_terms": _GOOD | {"step": 0},
    "too_many": _GOOD | {"step": 13},
    "symmetry": _GOOD | {"pool": 4},
    "brightness_only": _GOOD | {"pool": 1},
    "no_place": [_GOOD | {"pool": 2}, _GOOD | {"pool": 2, "step": 1}],
    "few_patients": _GOOD | {"count": 4, "degree": 1},
    "too_few": [_GOOD | {"step": 3}, _GOOD | {"step": 5}],
}


@exercise("Shrink")
def shrink(trial):
    """sign(t) max(|t| − λ, 0), for arrays and numbers."""
    t = trial.changed(np.array([3.0, -2.5, 0.4, -0.7, 0.0]))
    lam = trial.changed(1.0)
    right = np.sign(t) * np.maximum(np.abs(t) - lam, 0)
    value = trial.ask(t, lam)
    mine = array_like(value, (5,), "the shrunk t")
    trial.expect_none_of(
        mine,
        close,
        not_moved=(np.where(np.abs(t) > lam, t, 0), "what is kept must move towards 0 by λ too."),
        below_zero=(t - lam, "this takes λ from negative t as well; they move up."),
        negative_lost=(np.maximum(t - lam, 0), "a negative t beyond −λ does not become 0."),
        no_sign=(np.maximum(np.abs(t) - lam, 0), "the sign of t is lost."),
        overshoots=(
            t - lam * np.sign(t),
            "a t nearer to 0 than λ should end there; yours goes through to the other side.",
        ),
        middle_moved=(np.where(t > lam, t - lam, t + lam), "between −λ and λ everything becomes 0."),
        outwards=(np.sign(t) * (np.abs(t) + lam), "this moves away from 0, but the size should lose λ."),
        ridge=(t / (1 + lam), "this is what an L2 penalty does: it scales, and nothing becomes exactly 0."),
        clipped=(np.clip(t, -lam, lam), "this cuts t at ±λ: it is what t loses, not what is left."),
        unchanged=(t, "nothing has moved; each t goes towards 0 by λ."),
    )
    if not close(mine, right):
        (j,) = worst_place(mine, right)
        wanted = f"λ = 1: {t[j]:g} should shrink to {right[j] + 0:g}"
        raise Mistake("wrong_numbers", f"{wanted}, yours to {mine[j] + 0:.8g}.")
    other = trial.ask(-2 * t, 0.5)
    expect(
        close(array_like(other, (5,), "the shrunk t"), -np.sign(t) * np.maximum(np.abs(2 * t) - 0.5, 0)),
        "lam_fixed",
        "with another λ it must move by that: λ is lam, not 1.",
    )


def _shrunk(t, lam):
    return np.sign(t) * np.maximum(np.abs(t) - lam, 0)


shrink.right = _shrunk
shrink.wrong = {
    "not_moved": lambda t, lam: np.where(abs(t) > lam, t, 0),
    "below_zero": lambda t, lam: t - lam,
    "negative_lost": lambda t, lam: np.maximum(t - lam, 0),
    "no_sign": lambda t, lam: np.maximum(abs(t) - lam, 0),
    "overshoots": lambda t, lam: t - lam * np.sign(t),
    "middle_moved": lambda t, lam: np.where(t > lam, t - lam, t + lam),
    "outwards": lambda t, lam: np.sign(t) * (abs(t) + lam),
    "ridge": lambda t, lam: t / (1 + lam),
    "clipped": lambda t, lam: np.clip(t, -lam, lam),
    "unchanged": lambda t, lam: t,
    "wrong_numbers": [
        lambda t, lam: _shrunk(t, lam).astype(int),
        lambda t, lam: _shrunk(t, lam) * (1 + 5e-6),
        lambda t, lam: _shrunk(t, 2 * lam),
    ],
    "lam_fixed": lambda t, lam: _shrunk(t, 1.0),
}


summary = summary_of(dice, other_side, deeper=(next_term, few_terms, shrink))
