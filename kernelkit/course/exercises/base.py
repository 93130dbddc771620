"""An exercise: its check, which shows one line and never stops the notebook, and the answers that are known to it.

    @exercise("Twice")
    def twice(trial):
        x = trial.changed(3.0)
        mine = number(trial.ask(x))
        trial.expect_none_of(mine, np.isclose, squared=(x**2, "you squared; twice is a sum."))
        expect(np.isclose(mine, 2 * x), "wrong_value", f"it should be {2 * x:g}, yours is {mine:g}.")

    twice.right = lambda x: 2 * x
    twice.wrong = {"squared": lambda x: x**2, "wrong_value": lambda x: 7.0}
    twice.scenes = {"squared": (parabola, "At x = 3")}

The name of a mistake stays when its sentence is reworded: it is what a class is counted by. Each has a wrong answer
here, written as a learner would write it and not by what the check compares it with, and the tests give it to the
check. A scene of a panel may show the mistake.

A check that draws its examples with the ``draws`` and ``size`` of its trial calls an answer on the example shown, and
then on hidden ones of other sizes and values, from the smallest on. Only the first names known mistakes.
"""

from dataclasses import dataclass
from functools import update_wrapper
from inspect import signature

import numpy as np
from IPython.display import display

from kernelkit.course.panel.saving import MARK


class Unsolved(Exception):
    """The answer is still the empty one; a text says what else is to be done than to write it."""


EMPTY = "not solved yet, or nothing is returned. Write your answer above and run the cell again."


class Mistake(Exception):
    """The answer is wrong in a way that has a name and a sentence."""

    def __init__(self, name, sentence):
        super().__init__(sentence)
        self.name = name


class Trial:
    """One answer on the examples that are shown (round 0), or on hidden ones (1, 2, …), which another seed changes.

    drawn : whether the check has hidden examples at all.  returned : whether the answer has returned something.
    last : the arguments that it got last.
    """

    LARGER = (-3, 2)  # how much larger than the shown example the hidden ones are

    def __init__(self, answer, round=0, seed=0, returned=False):
        self.answer, self.round, self.seed = answer, round, seed
        self.drawn, self.returned, self.last = False, returned, ()

    def ask(self, *arguments):
        """What the learner's function gives; nothing, or ``...``, means it is not solved yet."""
        self.last, answer = arguments, self.answer
        copies = [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]  # an answer may work in place
        try:
            value = answer(*copies) if callable(answer) else answer
        except Exception as error:
            error.add_note(given(answer, arguments))  # NumPy's own words are easier to read next to the shapes
            raise
        if value is None or value is Ellipsis:
            where = given(answer, arguments) or "for some inputs"
            sentence = f"{where} your function returns nothing, otherwise it does: is a return missing?"
            expect(not self.returned, "nothing_returned", sentence)
            raise Unsolved
        self.returned = True
        return value

    def expect_none_of(self, mine, same, /, **mistakes):
        """Refuse what known mistakes give; the first that fits is named.

            trial.expect_none_of(
                mine,
                np.isclose,
                no_half=(w @ w, "½ is missing: the penalty is ½‖w‖²."),
                no_square=(np.sqrt(w @ w), abs(w).sum(), "this is a length of w; the penalty has its square."),
            )

        mistakes : name=(what it gives, …, the sentence).  same(mine, given) : whether the answer is what it gives.
        On hidden examples nothing is named, because a small one may make a mistake look right.
        """
        if self.round:
            return
        for name, (*given, sentence) in mistakes.items():
            expect(not any(same(mine, wrong) for wrong in given), name, sentence)

    # ---- examples: as they are shown, or hidden ones -----------------------------------------

    def draws(self, number):
        """A generator of random numbers."""
        self.drawn = True
        return np.random.default_rng([self.seed, self.round, number] if self.round else number)

    def size(self, shown, least=2):
        """The size of an example: the one that is shown, or a hidden one, which is first smaller and then larger."""
        self.drawn = True
        return max(least, shown + self.LARGER[self.round - 1]) if self.round else shown

    def changed(self, shown):
        """Numbers of an example that is written out: the shown ones, or hidden ones of the same size and signs."""
        values = np.asarray(shown, dtype=float)
        other = values * self.draws(values.size).uniform(0.6, 1.4, values.shape) if self.round else values
        self.drawn = True
        return other.tolist() if isinstance(shown, list) else float(other) if np.ndim(shown) == 0 else other

    def reordered(self, shown, number=0):
        """Rows of an example as they are shown, or, hidden, in another order."""
        order = self.draws(number).permutation(len(shown))
        return shown[order] if self.round else shown

    def seeded(self, shown):
        """The random_state of an example that a function makes: the shown one, or a hidden one."""
        number = int(self.draws(shown).integers(2**31))
        return number if self.round else shown


def given(answer, arguments, written_out=0):
    """What a function got: “with X of shape (4, 2), lam = 0.5”; only what is short is said.

    written_out : arrays up to this many entries are shown with their numbers.
    """
    try:
        names = [p.name for p in signature(answer).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD]
    except (TypeError, ValueError):  # some functions written in C do not tell
        names = []
    said = []
    for name, argument in zip(names, arguments, strict=False):
        if isinstance(argument, np.ndarray) and argument.size <= written_out and argument.dtype.kind in "if":
            said.append(f"{name} = {np.round(argument, 2).tolist()}")
        elif isinstance(argument, np.ndarray):
            said.append(f"{name} of shape {argument.shape}")
        elif isinstance(argument, int | float):
            said.append(f"{name} = {argument:g}")
        elif written_out and isinstance(argument, str | list | tuple):
            said.append(f"{name} = {cut(repr(argument), 40)}")
    return f"with {', '.join(said)}" if said else ""


def expect(condition, name, sentence):
    """Go on if the condition holds, else tell the learner what is likely wrong."""
    if not condition:
        raise Mistake(name, sentence)


def close(value, truth):
    """Whether a number or an array has the shape and, up to rounding, the numbers of the truth."""
    return np.shape(value) == np.shape(truth) and np.allclose(value, truth, rtol=1e-6, atol=1e-8)


def shape_of(value):
    """The shape of an answer, or None where its parts have different lengths."""
    try:
        return np.shape(value)
    except ValueError:
        return None


def worst_place(value, truth):
    """Where an array is no number, or farthest from the truth."""
    off = np.nan_to_num(np.abs(value - truth), nan=np.inf)
    return tuple(int(i) for i in np.unravel_index(off.argmax(), off.shape))


def first_wrong(value, truth, rtol=1e-6, atol=1e-8):
    """The index of the first of a few numbers that is not right, and which one that is, in words."""
    i = int(np.argmin(np.isclose(value, truth, rtol=rtol, atol=atol)))
    return i, ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")[i]


def numbers(value, what="the answer", wanted="an array of numbers"):
    """The answer as an array of real numbers, whatever its shape, else a mistake that says what was expected."""
    different = f"{what} should be {wanted}; the parts of yours have different lengths."
    expect(shape_of(value) is not None, "ragged", different)
    if np.iscomplexobj(value):
        sentence = (
            f"{what} should be real numbers. Even for a symmetric matrix eig may give complex ones (eigh does not), "
            "and so does a root of a negative number."
        )
        expect(np.allclose(np.imag(value), 0), "complex_entries", sentence)
        value = np.real(value)
    try:
        text = np.asarray(value).dtype.kind in "US"  # "1.5" would be read as 1.5
        value = None if text else np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        value = None
    expect(value is not None, "not_numbers", f"{what} should be {wanted}, yours is not.")
    return value


def array_like(value, shape, what):
    """The answer as an array of this shape, else a mistake that says what was expected."""
    value = numbers(value, what, f"an array of numbers of shape {shape}")
    lies_flat = len(shape) == 1 and value.shape in ((*shape, 1), (1, *shape))
    flatten = " One number for each is a flat array; .ravel() makes it flat." if lies_flat else ""
    sentence = f"{what} should have shape {shape}, yours has {value.shape}.{flatten}"
    expect(value.shape == shape, "wrong_shape", sentence)
    return value


def number(value):
    """The answer as one number, else a mistake that says what came."""
    shape = shape_of(value)
    came = "is a list of lists" if shape is None else f"has shape {shape}"
    expect(shape == (), "not_one_number", f"the answer is one number; yours {came}.")
    expect(not isinstance(value, str), "text", f"the answer is a number, not the text {cut(repr(value))}.")
    if np.iscomplexobj(value):
        expect(np.imag(value) == 0, "complex", "the answer is a real number: is it the root of a negative one?")
        value = np.real(value)
    try:
        return float(value)
    except (TypeError, ValueError):
        raise Mistake("not_a_number", f"the answer is one real number, not {type(value).__name__}.") from None


def cut(text, longest=150):
    """A text that fits into a sentence."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"


@dataclass(frozen=True)
class Result:
    """What a check says of an answer: verdict "right", "wrong" or "open"; a wrong answer has the name of a mistake."""

    exercise: str
    verdict: str
    line: str
    mistake: str | None = None

    def __repr__(self):
        return self.line

    def _repr_mimebundle_(self, **_):
        said = {"exercise": self.exercise, "verdict": self.verdict, "mistake": self.mistake}
        return {"text/plain": self.line}, {MARK: said}


class Exercise:
    """A check with its title, and the answers that are known to it.

    name : notebook.function.  result : the last one, None before the first.
    right : an answer that is right.  wrong : {name of a mistake: an answer, or a list of answers, that meets it}.
    scenes : {name of a mistake: (panel, the name of its scene that shows what is wrong)}.
    """

    def __init__(self, title, judge):
        update_wrapper(self, judge)
        self.title, self.judge, self.result = title, judge, None
        self.name = f"{judge.__module__.rpartition('.')[2]}.{judge.__name__}"
        self.right, self.wrong, self.scenes = None, {}, {}

    def __call__(self, answer):
        self.result = self.of(answer)
        display(self.result)

    def of(self, answer, seed=0):
        """The result of an answer; nothing is shown or kept. Another seed hides other examples."""
        try:
            self._judge_all(answer, seed)
        except Unsolved as unsolved:
            return self._said("open", "○", str(unsolved) or EMPTY)
        except Mistake as mistake:
            return self._said("wrong", "✗", str(mistake), mistake.name)
        except (Exception, SystemExit) as error:  # the learner's own code may fail in any way
            parts = [f"your code stopped with {type(error).__name__}: {cut(str(error), 110)}"]
            parts += [cut(note, 90) for note in getattr(error, "__notes__", []) if note]
            sentence = ", ".join(parts)
            return self._said("wrong", "✗", sentence, "stopped")
        return self._said("right", "✓", "right.")

    def _judge_all(self, answer, seed):
        """Judge by the example shown, and then by the hidden ones, where the check has some."""
        shown = Trial(answer)
        self.judge(shown)
        for number in range(1, len(Trial.LARGER) + 1 if shown.drawn else 1):
            trial = Trial(answer, number, seed, shown.returned)
            try:
                self.judge(trial)
            except (Mistake, Unsolved):
                example = cut(given(answer, trial.last, written_out=9), 190) or "another example"
                sentence = f"right for the examples shown, wrong {example}: use what comes in."
                raise Mistake("other_example", sentence) from None

    def _said(self, verdict, sign, sentence, mistake=None):
        line = " ".join(f"{sign} {self.title}: {sentence}".split())
        return Result(self.name, verdict, line, mistake)


class Challenge(Exercise):
    """A panel has to be moved until it shows something; the answer is the panel.

    explorer : makes the panel.  right : {name: value} of one that is right.  wrong : {name of a mistake: such values}.
    """

    def __init__(self, title, explorer, judge):
        super().__init__(title, judge)
        self.explorer = explorer

    def _judge_all(self, panel, seed):
        """Judge by the values of the panel; as they were at first, they are no answer yet."""
        own = hasattr(panel, "values") and hasattr(panel, "first")
        expect(own, "no_panel", "hand over the panel itself, as the cell that shows it keeps it.")
        if getattr(panel, "explorer", self.explorer) is not self.explorer:
            sentence = f"this is another panel: hand over “{self.explorer.title}”, as the cell that shows it keeps it."
            raise Mistake("not_this_panel", sentence)
        if panel.values == panel.first:
            raise Unsolved("not tried yet. Move the panel, then run this cell again.")
        self.judge(panel)


def exercise(title):
    """Make a check of a function that judges a trial by ``ask`` and ``expect``."""
    return lambda judge: Exercise(title, judge)


def challenge(title, explorer):
    """Make a check of a function that judges a panel of this explorer by its ``values`` and ``expect``."""
    return lambda judge: Challenge(title, explorer, judge)


def summary_of(*core, deeper=()):
    """summary(), for the last cell of the recap: how many exercises of the core and of Deeper are right, which not."""

    def summary():
        if deeper:
            print("Core:", summed_up(verdicts_of(core)))
            print("Deeper:", summed_up(verdicts_of(deeper)))
        else:
            print(summed_up(verdicts_of(core)))

    return summary


def verdicts_of(exercises):
    """[(title, verdict), …]; an exercise that was not checked yet is open."""
    return [(e.title, e.result.verdict if e.result else "open") for e in exercises]


def summed_up(verdicts):
    """The sentence for [(title, verdict), …]: “3 of 5 right, 1 wrong (The clip), 1 open (Count the products).”"""
    right = sum(verdict == "right" for _, verdict in verdicts)
    parts = [f"{right} of {len(verdicts)} right"]
    for kind in ("wrong", "open"):
        titles = [title for title, verdict in verdicts if verdict == kind]
        parts += [f"{len(titles)} {kind} ({'; '.join(titles)})"] if titles else []
    return ", ".join(parts) + "."


# ---- what wrong answers are often made of ----------------------------------------------------------


def fixed(answer, place, value):
    """An answer that has a value of its own in the place of one argument."""
    return lambda *arguments: answer(*arguments[:place], value, *arguments[place + 1 :])


def hard_coded(answer):
    """An answer that gives for ever what is right for the first example."""
    first = []

    def typed_in(*arguments):
        first.append(answer(*arguments))
        return first[0]

    return typed_in
