"""The laws of every exercise: what its check says of the right answer, of each mistake, and of what is no answer."""

import ast
import importlib
import inspect
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from kernelkit.course.exercises import base
from kernelkit.course.exercises.base import Challenge, Exercise, Trial
from kernelkit.course.explorers.start_here import bumps
from kernelkit.course.tools import stored
from kernelkit.kernels.base import Kernel

FILES = sorted(p for p in Path(base.__file__).parent.glob("*.py") if p.stem not in ("__init__", "base"))
MODULES = [importlib.import_module(f"kernelkit.course.exercises.{path.stem}") for path in FILES]
ALL = [check for module in MODULES for check in vars(module).values() if isinstance(check, Exercise)]
CHALLENGES = [check for check in ALL if isinstance(check, Challenge)]
EXERCISES = [check for check in ALL if not isinstance(check, Challenge)]
FUNCTIONS = [check for check in EXERCISES if callable(check.right) and inspect.isroutine(check.right)]

pytestmark = [pytest.mark.filterwarnings("ignore::RuntimeWarning"), pytest.mark.usefixtures("undrawn")]


def of_each(checks):
    return pytest.mark.parametrize("check", checks, ids=lambda check: check.name)


@cache
def opened(challenge):
    """Its panel, made once."""
    return challenge.explorer()


def judged(check, answer, seed=0):
    """The result; a challenge gets its panel, moved to these values. It is one line that fits below a cell."""
    if isinstance(check, Challenge):
        panel = opened(check)
        panel.set(**panel.first | answer)
        answer = panel
    result = check.of(answer, seed)
    assert "\n" not in result.line and len(result.line) <= 290, result.line
    return result


# ---- right answers ---------------------------------------------------------------------------------


@of_each(ALL)
def test_the_right_answer_is_right_whatever_is_hidden(check):
    for seed in (0,) if isinstance(check, Challenge) else (0, 2**63, 12345):  # a challenge hides nothing
        assert judged(check, check.right, seed).verdict == "right", judged(check, check.right, seed).line


def listed(value):
    """The same as nested lists."""
    if isinstance(value, tuple):
        return tuple(map(listed, value))
    return value.tolist() if isinstance(value, np.ndarray) else value


class AsMethod:
    """An answer that is an object with __call__, takes more arguments than it gets, and spoils what it was handed."""

    def __init__(self, answer, way):
        self.answer, self.way = answer, way

    def __call__(self, *given, more=None):
        value = self.way(self.answer(*given))
        for array in given:
            if isinstance(array, np.ndarray) and array.flags.writeable and value is not array:
                array[...] = 0
        return value


UNUSUAL = {
    "lists": listed,
    "Fortran's order": lambda value: np.array(value, order="F") if isinstance(value, np.ndarray) else value,
}


@pytest.mark.parametrize("way", UNUSUAL)
@of_each(FUNCTIONS)
def test_right_answers_of_another_form_are_right(check, way):
    result = check.of(AsMethod(check.right, UNUSUAL[way]))
    assert result.verdict == "right", result.line


# ---- mistakes --------------------------------------------------------------------------------------


def several(answers):
    return answers if isinstance(answers, list) else [answers]


@of_each(ALL)
def test_each_mistake_meets_its_own_sentence(check):
    for name, answers in check.wrong.items():
        for answer in several(answers):
            result = judged(check, answer)
            assert (result.verdict, result.mistake) == ("wrong", name), result.line


@of_each(ALL)
def test_each_mistake_that_has_a_name_has_a_wrong_answer(check):
    names = mistakes(check)
    assert sorted(names) == sorted({*names}), "two mistakes of one exercise have one name"
    assert not [name for name in names if not re.fullmatch(r"[a-zA-Z][a-zA-Z0-9]*(_[a-zA-Z0-9]+)*", name)]
    assert {*check.wrong} == {*names}


def called(tree):
    """The plain names that are called somewhere in a piece of code."""
    return [n.func.id for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]


def named(tree):
    """The names of mistakes in a piece of code: those of expect and Mistake, and the keywords of a table of them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Attribute) and node.func.attr == "expect_none_of":
                yield from (keyword.arg for keyword in node.keywords)
            elif isinstance(node.func, ast.Name) and node.func.id in ("expect", "Mistake"):
                name = node.args[node.func.id == "expect"]
                if not isinstance(name, ast.Name):  # passed on by the one who gives it
                    yield name.value


def mistakes(check):
    """Every name of a mistake that the file of an exercise has for it, each as often as it stands there."""
    tree = ast.parse(Path(inspect.getsourcefile(check.judge)).read_text(encoding="utf-8"))
    functions = {f.name: f for f in tree.body if isinstance(f, ast.FunctionDef)}
    reached, waiting = set(), [check.__name__]
    while waiting:
        if (name := waiting.pop()) in functions and name not in reached:
            reached.add(name)
            waiting += called(functions[name])
    return [mistake for name in sorted(reached) for mistake in named(functions[name])]


@of_each(ALL)
def test_a_scene_that_shows_a_mistake_exists_and_so_does_the_mistake(check):
    assert check.scenes.keys() <= check.wrong.keys()
    assert all(scene in panel.scenes for panel, scene in check.scenes.values())


# ---- numbers that are not right, and typed-in ones -------------------------------------------------


def zeros(value):
    """Numbers of the right shape, all of them 0."""
    return mapped(value, np.zeros_like)


def nudged(value):
    """The right numbers, a tenth of the largest too large."""
    return mapped(value, lambda numbers: numbers + 0.1 * np.abs(numbers[np.isfinite(numbers)]).max(initial=0) + 0.3)


def no_numbers(value):
    """nan for each number."""
    return mapped(value, lambda numbers: numbers * np.nan)


def mapped(value, way):
    if isinstance(value, tuple) or (isinstance(value, list) and any(np.ndim(part) for part in value)):
        return tuple(mapped(part, way) for part in value)
    try:
        return way(np.asarray(value, float))
    except (TypeError, ValueError):
        return way(np.asarray(0.0))


FREE = {("structures.one_round", nudged)}  # other numbers for the colours are as good


@pytest.mark.parametrize("way", [zeros, nudged, no_numbers])
@of_each(FUNCTIONS)
def test_numbers_that_are_not_right_are_refused(check, way):
    if (check.name, way) not in FREE:
        result = check.of(lambda *given: way(check.right(*given)))
        assert result.verdict == "wrong" and result.mistake != "stopped", result.line


def fingerprint(value):
    """What tells two arguments apart."""
    if isinstance(value, np.ndarray):
        return value.shape, value.tobytes()
    if isinstance(value, list | tuple):
        return tuple(map(fingerprint, value))
    return repr(value) if not isinstance(value, set) else repr(sorted(value, key=repr))


def typed_in(check):
    """An answer that knows what is right for every example that is shown, and gives the first of these elsewhere."""
    table = {}

    def learn(*given):
        result = check.right(*given)
        table[tuple(map(fingerprint, given))] = result
        return result

    check.judge(Trial(learn))
    return lambda *given: table.get(tuple(map(fingerprint, given)), next(iter(table.values())))


WITH_ARGUMENTS = [check for check in FUNCTIONS if inspect.signature(check.right).parameters]


@of_each(WITH_ARGUMENTS)
def test_numbers_typed_in_for_the_shown_examples_are_refused(check):
    result = check.of(typed_in(check))
    assert result.verdict == "wrong", result.line


# ---- no answer, and what is none ---------------------------------------------------------------------


@of_each(EXERCISES)
def test_what_is_not_written_yet_is_open(check):
    is_a_kernel = isinstance(check.right, Kernel)  # and no function that returns something
    for nothing in (None, ...) if is_a_kernel else (None, ..., lambda *_: None, lambda *_: ...):
        result = judged(check, nothing)
        assert result.verdict == "open" and "not solved yet" in result.line


ODD = {
    "ragged": ([1, 2], [3]),
    "arrays": (np.ones(2), np.ones(3)),
    "one ragged": ([[1, 2], [3]], [1, 2]),
    "text": "x",
    "texts": np.array(["a", "b"]),
    "dict": {},
    "set": {1, 2},
    "complex": 1j,
}


@of_each(EXERCISES)
def test_what_is_no_answer_meets_a_sentence_and_not_an_error_of_numpy(check):
    for odd in ODD.values():
        result = judged(check, lambda *_, odd=odd: odd)
        assert result.verdict != "right" and result.mistake != "stopped", result.line


@of_each(CHALLENGES)
def test_a_challenge_wants_its_own_panel_moved_and_no_scene_meets_it(check):
    panel, other = check.explorer(), bumps()
    assert check.of(panel).verdict == "open" and "not tried yet" in check.of(panel).line
    other.set(sigma=1.0)
    for answer in (None, ..., 3.0, "panel", panel.values, [panel], check.explorer, other):
        result = check.of(answer)
        assert result.verdict == "wrong" and "hand over" in result.line, result.line
    for scene in check.explorer.scenes.values():
        panel.set(**panel.first | scene)
        assert check.of(panel).verdict != "right"


# ---- the notebook ----------------------------------------------------------------------------------


def test_exercises_have_names_of_their_own():
    assert len({check.name for check in ALL}) == len(ALL) >= 33


@pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__.rpartition(".")[2])
def test_the_summary_has_every_exercise_in_the_order_of_the_notebook(module, capsys):
    name = module.__name__.rpartition(".")[2]
    (path,) = (FILES[0].parents[3] / "notebooks").glob(f"*-{name.replace('_', '-')}.ipynb")
    used, summaries = {"core": [], "deeper": []}, []
    for section in stored.sections(stored.read(path)):
        for cell in section.cells:
            if cell.cell_type == "code":
                checks = re.findall(r"^check\.(\w+)\(\w+\)$", cell.source, re.M)
                used["deeper" if section.kind == "deeper" else "core"] += [vars(module)[check] for check in checks]
                if cell.source == "check.summary()":
                    summaries.append((section, cell))
    ((recap, cell),) = summaries
    assert recap.kind == "recap" and recap.cells[-1] is cell
    everything = used["core"] + used["deeper"]
    assert {*everything} == {check for check in ALL if check.__module__ == module.__name__}
    for check in everything:
        check.result = None
    module.summary()
    said = capsys.readouterr().out
    assert said == cell.outputs[0].text
    core = base.summed_up([(check.title, "open") for check in used["core"]])
    deeper = base.summed_up([(check.title, "open") for check in used["deeper"]])
    assert said == (f"Core: {core}\nDeeper: {deeper}\n" if used["deeper"] else f"{core}\n")
