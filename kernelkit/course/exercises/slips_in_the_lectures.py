"""The exercises of appendix A1: three rounds of bets on statements, and a setting where a slip cannot be seen."""

from string import whitespace

from kernelkit.course.exercises.base import (
    Mistake,
    Unsolved,
    challenge,
    cut,
    exercise,
    expect,
    summary_of,
)
from kernelkit.course.explorers.slips_in_the_lectures.two_formulas import CLAIMS, compute, two_formulas

RIGHT = "right"
WRONG = "wrong"


def _read(bet):
    """A bet as it is compared; None for none."""
    if isinstance(bet, str):
        return bet.strip(whitespace + ".!?").lower() or None
    return None if bet is Ellipsis else bet


def settled(trial, truth):
    """Judge bets {letter: "right" or "wrong"} by truth {letter: (verdict, what to try)}."""
    given = trial.ask()
    expect(isinstance(given, dict), "no_table", 'keep the form bets = {"a": "right", "b": "wrong", …}.')
    given = {key.strip(whitespace + "().:").lower() if isinstance(key, str) else key: bet for key, bet in given.items()}
    unknown = sorted(map(str, given.keys() - truth.keys()))
    letters = f"the letters are a to {max(truth)}"
    expect(not unknown, "unknown_letter", f"there is no statement {cut(', '.join(unknown), 60)} here; {letters}.")
    read_bets = {letter: _read(given.get(letter)) for letter in truth}
    if all(bet is None for bet in read_bets.values()):
        raise Unsolved
    for letter, bet in read_bets.items():
        expect(bet is not None, "open_bet", f"no bet on {letter} yet; a guess is fine.")
        fine = isinstance(bet, str) and bet in (RIGHT, WRONG)
        expect(fine, "no_bet", f'a bet is "right" or "wrong"; the one on {letter} is neither.')
    lost = [letter for letter, bet in read_bets.items() if bet != truth[letter][0]]
    won = len(truth) - len(lost)
    if lost:
        first = lost[0]
        name = f"lost_{first}"
        sentence = f"{won} of {len(truth)} won. Look again at {first}: {truth[first][1]}"
        raise Mistake(name, sentence)


COUNTS = {
    "a": (
        RIGHT,
        "take the constant 1 as a fifth variable, and each monomial has degree 3. How many are there?",
    ),
    "b": (WRONG, "fix d = 1 and count the powers of x to degree m. How does this count grow with m?"),
    "c": (
        RIGHT,
        "how many orders do x₁, x₁ and x₂ have? The factor is the root of this number.",
    ),
    "d": (WRONG, "the pairs of two different variables are ten. Which monomials of degree 2 are not among them?"),
    "e": (RIGHT, "count the multiplications in xᵀz first. How many more does its square take?"),
}

KERNELS = {
    "a": (RIGHT, "all feature vectors have length 1. How large can the inner product of two such vectors be?"),
    "b": (WRONG, "take twice the first kernel for the second. What is the difference at two equal points?"),
    "c": (WRONG, "take two points, with 1 on the diagonal and 2 next to it, and v = (1, −1). What is vᵀKv?"),
    "d": (RIGHT, "scikit-learn multiplies r² by gamma, and this course divides it by 2σ². When are the two the same?"),
    "e": (RIGHT, "which sign do the coefficients 1/j! have, and what does the rule for polynomials of a kernel say?"),
    "f": (WRONG, "put the vector (1, −1) on both sides. A squared length cannot be what comes out."),
    "g": (WRONG, "think of the function that is 1 for equal points and 0 otherwise. What is its Gram matrix?"),
}

MACHINES = {
    "a": (RIGHT, "set the gradient to zero. Both of its terms have the same factor 2, and only one has 1/n."),
    "b": (WRONG, "a part of w that is perpendicular to all training points never changes. Does any a reach it?"),
    "c": (WRONG, "try the numbers U = V = 1 with λ = −1. What is in the brackets?"),
    "d": (WRONG, "what is the sum at w = 0, and what is it at a w that separates the classes?"),
    "e": (WRONG, "write down the shapes for 5 points with 3 features each. How large is ΦᵀΦ, and how large must K be?"),
    "f": (RIGHT, "y h = 0.5 is less than 1, so the point pays. Which multiplier do such points have?"),
}


def _won(truth):
    """A table where each bet is won."""
    return {letter: verdict for letter, (verdict, _) in truth.items()}


@exercise("Bets on counts")
def counts(trial):
    """Statements a to e of exercise A1.1."""
    settled(trial, COUNTS)


counts.right = _won(COUNTS)
counts.wrong = {
    "no_table": "rwrwr",
    "unknown_letter": [_won(COUNTS) | {"f": WRONG}, dict(enumerate(_won(COUNTS).values()))],
    "open_bet": {"a": WRONG},
    "no_bet": _won(COUNTS) | {"e": "right, but only once the inner product is known"},
}


@exercise("Bets on kernels")
def kernels(trial):
    """Statements a to g of exercise A1.2."""
    settled(trial, KERNELS)


kernels.right = _won(KERNELS)
kernels.wrong = {
    "no_table": tuple(_won(KERNELS).values()),
    "unknown_letter": {bet: letter for letter, bet in _won(KERNELS).items()},
    "open_bet": [_won(KERNELS) | {"d": ...}, _won(KERNELS) | {"d": " "}],
    "no_bet": [{letter: bet == RIGHT for letter, bet in _won(KERNELS).items()}, _won(KERNELS) | {"f": "not right"}],
}


@exercise("Bets on methods")
def machines(trial):
    """Statements a to f of exercise A1.3."""
    settled(trial, MACHINES)


machines.right = _won(MACHINES)
machines.wrong = {
    "no_table": {*_won(MACHINES).items()},
    "unknown_letter": {letter * 2: bet for letter, bet in _won(MACHINES).items()},
    "open_bet": _won(MACHINES) | {"f": None},
    "no_bet": {letter: [bet] for letter, bet in _won(MACHINES).items()},
}


@challenge("An accident", two_formulas)
def accident(panel):
    """A setting of the panel where both forms agree: not of the count, and at no end of its slider."""
    values = panel.values
    state = compute(**values)
    chosen = CLAIMS[values["claim"]]
    ends = chosen.places[0], chosen.places[-1]
    inside = [place for place in state.same if place not in ends]
    near = any(abs(state.number - place) <= 0.5 for place in inside)
    way = f"Move {chosen.words}, or" if inside else "Inside its slider they never meet, so"
    shown = "the text has already shown the accident of the count at d = 3. Find one of another formula."
    expect(values["claim"] != next(iter(CLAIMS)), "the_count", shown)
    if not state.agree:
        expect(near, "they_differ", f"the two forms differ here. {way} take another formula.")
        raise Mistake("nearly", "the two forms differ here, but they meet nearby, so move on.")
    at_an_end = "they agree, but this is an end of the slider, where a special case is not a surprise. Find one inside."
    expect(state.number not in ends, "at_an_end", at_an_end)


accident.right = {"claim": "√2·c·x or √(2c)·x", "c": 1.0}
accident.wrong = {
    "the_count": [{"claim": "monomials of degree 3", "d": 3}, {"claim": "monomials of degree 3", "d": 4}],
    "they_differ": [{"claim": "λ or nλ", "n": 9}, {"claim": "series of the Gaussian", "m": 8}],
    "nearly": [{"claim": "√2·c·x or √(2c)·x", "c": 1.1}, {"claim": "keep w at 0, or not"}],
    "at_an_end": [
        {"claim": "√2·c·x or √(2c)·x", "c": 0.0},
        {"claim": "λ or nλ", "n": 1},
        {"claim": "σ² or 2σ²", "r": 0.0},
    ],
}


summary = summary_of(counts, kernels, machines, accident)
