"""The exercises of appendix A1: three rounds of bets on statements, and a setting where a slip cannot be seen."""

from kernelkit.exercises.base import Mistake, Unsolved, ask, cut, exercise, expect, reached, summary_of
from kernelkit.explorers.slips_in_the_lectures.two_formulas import CLAIMS, compute, two_formulas

RIGHT = "right"
WRONG = "wrong"


def _read(bet):
    """A bet as it is compared; None for none."""
    if isinstance(bet, str):
        return bet.strip(" .!?").lower() or None
    return None if bet is Ellipsis else bet


def settled(bets, truth):
    """Judge bets {letter: "right" or "wrong"} by truth {letter: (verdict, what to try)}."""
    given = ask(bets)
    expect(isinstance(given, dict), "no_table", 'keep the form bets = {"a": "right", "b": "wrong", …}.')
    given = {key.strip(" ()").lower() if isinstance(key, str) else key: bet for key, bet in given.items()}
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
    "a": (RIGHT, "count the monomials of degree 2 in three inputs by hand: x₁², x₁x₂, …"),
    "b": (RIGHT, "duplicates do no harm: x₁x₂ and x₂x₁ in turn add as much as √2 x₁x₂ alone."),
    "c": (WRONG, "the linear part of (xᵀz + c)² is 2c·xᵀz. Which number times itself is 2c?"),
    "d": (WRONG, "write the list out for p = 2, and count it. And which letter runs in the sum?"),
    "e": (WRONG, "nobody hands you the features: how many products make √2 x₁x₂ from x₁ and x₂?"),
}

KERNELS = {
    "a": (WRONG, "try the simplest kernel of all, xᵀz, at two vectors that point apart."),
    "b": (RIGHT, "with A = RᵀR it is an inner product of Rx and Rz, whatever the rank of A."),
    "c": (WRONG, "take the polynomial g(k) = −k. What happens to vᵀKv?"),
    "d": (WRONG, "try two equal points with v = (1, −1): vᵀKv must be 0. What does the other sum give?"),
    "e": (WRONG, "the partial sum to degree 1 is 1 − s. Put two points far apart into it."),
    "f": (WRONG, "put σ/2 in place of σ into the second, and compare them at r = σ."),
    "g": (WRONG, "which of the two theorems needs a continuous kernel and eigenfunctions?"),
}

MACHINES = {
    "a": (WRONG, "set the gradient of J to zero, and keep the 1/n of its first term."),
    "b": (RIGHT, "the mean of y is 0, and so is the mean of every column of X: what is the gradient in b at b = 0?"),
    "c": (WRONG, "the means of X are 0, but what is the mean of x²?"),
    "d": (WRONG, "does the sum depend on the point you ask about?"),
    "e": (WRONG, "the gradient of ‖Ka − y‖² is 2K(Ka − y). Where K is singular, this may be 0 although Ka − y is not."),
    "f": (WRONG, "the reason is upside down: which of the two ways loses digits where K is nearly singular?"),
    "g": (WRONG, "start at w = 0, as everybody does. Which point will ever change it?"),
    "h": (RIGHT, "above 0 the point has no room to spare, below C nothing is paid for it. What is yᵢ h(xᵢ) then?"),
    "i": (RIGHT, "look up what coef0 is when nothing is said."),
}


@exercise("Bets on counts")
def counts(bets):
    """Statements a to e of the first section."""
    settled(bets, COUNTS)


@exercise("Bets on kernels")
def kernels(bets):
    """Statements a to g of the second section."""
    settled(bets, KERNELS)


@exercise("Bets on machines")
def machines(bets):
    """Statements a to i of the third section."""
    settled(bets, MACHINES)


@exercise("An accident")
def accident(panel):
    """A setting of the panel where both forms agree: not of the count, and at no end of its slider."""
    values = reached(panel, two_formulas)
    state = compute(**values)
    chosen = CLAIMS[values["claim"]]
    ends = chosen.places[0], chosen.places[-1]
    inside = [place for place in state.same if place not in ends]
    near = any(abs(state.number - place) <= 0.5 for place in inside)
    way = f"Move {chosen.words}, or" if inside else "Inside its slider they never meet:"
    shown = "the count and its accident at d = 3 are shown already. Find one of another formula."
    expect(values["claim"] != next(iter(CLAIMS)), "the_count", shown)
    if not state.agree:
        expect(near, "they_differ", f"the two forms differ here. {way} take another one.")
        raise Mistake("nearly", "the two forms differ here, but they meet nearby: move on.")
    at_an_end = "they agree, but at an end of the slider, where a special case is no surprise. Find one inside."
    expect(state.number not in ends, "at_an_end", at_an_end)


summary = summary_of(counts, kernels, machines, accident)
