"""What a check shows and keeps, how a notebook's checks are summed up, and that every mistake has a name of its own."""

import ast
import importlib
import inspect
import re
import sys
from operator import eq
from pathlib import Path

import numpy as np
import pytest
from IPython.core.displaypub import CapturingDisplayPublisher
from IPython.core.interactiveshell import InteractiveShell

from kernelkit.course.exercises import base
from kernelkit.course.exercises.base import (
    Exercise,
    Mistake,
    ask,
    exercise,
    expect,
    expect_none_of,
    number,
    reached,
    summary_of,
    summed_up,
)
from kernelkit.course.exercises.scenes import SCENES
from kernelkit.course.explorers.kernel_ridge import agreement
from kernelkit.course.tools import stored

OTHERS = ("__init__", "base", "scenes")
FILES = sorted(path for path in Path(base.__file__).parent.glob("*.py") if path.stem not in OTHERS)
MODULES = [importlib.import_module(f"kernelkit.course.exercises.{path.stem}") for path in FILES]
EXERCISES = [check for module in MODULES for check in vars(module).values() if isinstance(check, Exercise)]
BASE_TREE = ast.parse(inspect.getsource(base))
every_module = pytest.mark.parametrize("module", MODULES, ids=lambda m: m.__name__.rpartition(".")[2])


@exercise("Twice")
def twice(answer):
    value = number(ask(answer, 3.0))
    expect(value != 9, "squared", "you squared.\nTwice is a sum.")
    expect(value == 6, "wrong_value", f"it should be 6, yours is {value:g}.")


@exercise("Thrice")
def thrice(answer):
    expect(number(ask(answer, 3.0)) == 9, "wrong_value", "it should be 9.")


@exercise("Many points")
def many_points(panel):
    expect(reached(panel)["n"] >= 40, "too_few", "fewer than 40.")


# ---- the result of a check ---------------------------------------------------------------------


ANSWERS = [
    (lambda x: 2 * x, "right", None, "✓ Twice: right."),
    (lambda x: ..., "open", None, "○ Twice: not solved yet"),
    (lambda x: x**2, "wrong", "squared", "✗ Twice: you squared. Twice is a sum."),
    (lambda x: 7, "wrong", "wrong_value", "✗ Twice: it should be 6, yours is 7."),
    (lambda x: [x, x], "wrong", "not_one_number", "✗ Twice: the answer is one number"),
    (lambda x: [[x], [x, x]], "wrong", "not_one_number", "✗ Twice: the answer is one number; yours is a list of"),
    (lambda x: "6", "wrong", "text", "✗ Twice: the answer is a number, not the text '6'."),
    (lambda x: 6j, "wrong", "complex", "✗ Twice: the answer is a real number"),
    (lambda x: 6 + 0j, "right", None, "✓ Twice: right."),
    (lambda x: {}, "wrong", "not_a_number", "✗ Twice: the answer is one real number, not dict."),
    (lambda x: int("x" * 999), "wrong", "stopped", "✗ Twice: your code stopped with ValueError: invalid literal"),
    (lambda x: x.nothing, "wrong", "stopped", "✗ Twice: your code stopped with AttributeError"),
    (lambda: 6, "wrong", "stopped", "✗ Twice: your code stopped with TypeError"),
]


@pytest.mark.parametrize(("answer", "verdict", "mistake", "line"), ANSWERS)
def test_one_line_is_shown_with_the_verdict_beside_it(answer, verdict, mistake, line, capsys):
    twice(answer)
    result, shown = twice.result, capsys.readouterr().out
    assert shown.startswith(line) and shown == f"{result.line}\n", "one line, and the same outside of notebooks"
    data, metadata = result._repr_mimebundle_()
    assert data == {"text/plain": result.line}
    assert metadata == {"kernelkit": {"exercise": "test_base.twice", "verdict": verdict, "mistake": mistake}}


@exercise("Two sizes")
def two_sizes(answer):
    for n in (4, 3):
        expect(ask(answer, np.ones((n, 2)), 0.5, {1, 2}) is not None, "nothing", "nothing.")


def test_an_error_says_for_which_shapes_and_numbers_it_came():
    two_sizes(lambda X, lam, kinds: np.ones(4) @ X * lam)
    assert two_sizes.result.mistake == "stopped"
    assert two_sizes.result.line.endswith(", with X of shape (3, 2), lam = 0.5")
    two_sizes(lambda *values: values[3])
    assert two_sizes.result.line == "✗ Two sizes: your code stopped with IndexError: tuple index out of range"


def test_an_answer_that_wants_to_end_python_is_wrong_and_the_notebook_goes_on():
    check = next(check for check in EXERCISES if check.name == "kernel_ridge.dual_weights")
    check(lambda *given: sys.exit())
    assert check.result.verdict == "wrong" and check.result.mistake == "stopped"
    assert "your code stopped with SystemExit" in check.result.line


def test_an_answer_that_returns_something_now_and_then_is_no_open_one():
    two_sizes(lambda X, lam, kinds: 1 if len(X) == 4 else None)
    assert two_sizes.result.mistake == "nothing_returned"
    assert "with X of shape (3, 2), lam = 0.5 your function returns nothing" in two_sizes.result.line
    two_sizes(lambda *given: None)
    assert two_sizes.result.verdict == "open", "what another answer has returned does not count"
    two_sizes(lambda *given: 1 if len(given[0]) == 4 else ...)
    assert "for some inputs your function returns nothing" in two_sizes.result.line


def test_a_challenge_is_open_until_its_panel_was_moved_and_right_in_many_states(capsys):
    panel = agreement(degree=2)
    for values, verdict in (
        ({}, "open"),
        ({"n": 20}, "open"),
        ({"n": 30}, "wrong"),
        ({"n": 40}, "right"),
        ({"n": 80, "lam": 100.0}, "right"),
        (panel.first, "open"),
    ):
        panel.set(**values)
        many_points(panel)
        assert many_points.result.verdict == verdict
    assert capsys.readouterr().out.startswith("○ Many points: not tried yet. Move the panel")
    many_points(lambda: 40)
    assert many_points.result.mistake == "no_panel"


def test_a_notebook_stores_the_verdict_in_the_metadata_of_the_output(monkeypatch):
    shell = InteractiveShell()
    publisher = CapturingDisplayPublisher()
    monkeypatch.setattr(shell, "display_pub", publisher)
    monkeypatch.setattr(InteractiveShell, "_instance", shell)
    twice(lambda x: x**2)
    (output,) = publisher.outputs
    assert output["data"] == {"text/plain": "✗ Twice: you squared. Twice is a sum."}
    assert output["metadata"]["kernelkit"] == {"exercise": "test_base.twice", "verdict": "wrong", "mistake": "squared"}


def test_a_check_keeps_its_last_result():
    fresh = Exercise("Twice", twice.judge)
    assert fresh.result is None
    for answer, verdict in ((lambda x: x**2, "wrong"), (lambda x: 2 * x, "right"), (lambda x: None, "open")):
        fresh(answer)
        assert fresh.result.verdict == verdict


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


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("check", EXERCISES, ids=lambda check: check.name)
def test_what_is_no_array_of_numbers_meets_a_sentence_and_not_an_error_of_numpy(check, odd, capsys):
    check(lambda *_: ODD[odd])
    line = capsys.readouterr().out
    assert not line.startswith("✓ ") and "your code stopped" not in line, line


def no_numbers(value):
    """The answer with nan for each number, or nan where it holds none."""
    try:
        if isinstance(value, tuple | list) and any(np.ndim(part) for part in value):
            return [no_numbers(part) for part in value]
        return np.asarray(value, float) * np.nan
    except (TypeError, ValueError):
        return np.nan


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@every_module
def test_right_answers_with_nan_for_each_number_are_wrong_and_stop_no_check(module, capsys):
    tests = importlib.import_module(f"course.exercises.test_{module.__name__.rpartition('.')[2]}")
    for check, answer in getattr(tests, "RIGHT", []):
        if callable(answer):
            check(lambda *given, right=answer: no_numbers(right(*given)))
            line = capsys.readouterr().out
            assert line.startswith("✗ ") and "your code stopped" not in line, line


def test_of_the_known_mistakes_the_first_that_fits_is_named():
    table = {"half": (3, "half of it."), "signs": (-6, 36, "a sign."), "minus": (-6, "also a sign.")}
    for value, name in ((3, "half"), (-6, "signs"), (36, "signs")):
        with pytest.raises(Mistake) as told:
            expect_none_of(value, eq, **table)
        assert (told.value.name, str(told.value)) == (name, table[name][-1])
    expect_none_of(6, eq, **table)


# ---- the summary -------------------------------------------------------------------------------


def test_summary_counts_right_wrong_and_open(capsys):
    first, second = Exercise("Twice", twice.judge), Exercise("Thrice", thrice.judge)
    summary = summary_of(first, second)
    said = []
    for check, factor in ((None, 0), (first, 3), (first, 2), (second, 3)):
        if check:
            check(lambda x, factor=factor: factor * x)
        capsys.readouterr()
        summary()
        said.append(capsys.readouterr().out)
    assert said == [
        "0 of 2 right, 2 open (Twice; Thrice).\n",
        "0 of 2 right, 1 wrong (Twice), 1 open (Thrice).\n",
        "1 of 2 right, 1 open (Thrice).\n",
        "2 of 2 right.\n",
    ]


def test_summary_of_five():
    verdicts = ["right", "wrong", "right", "open", "right"]
    said = summed_up([(title, verdict) for title, verdict in zip("ABCDE", verdicts, strict=True)])
    assert said == "3 of 5 right, 1 wrong (B), 1 open (D)."


def test_summary_counts_core_and_deeper_apart(capsys):
    @exercise("Twice")
    def twice(answer):
        expect(ask(answer) == 2, "not_two", "it should be 2.")

    @exercise("Thrice")
    def thrice(answer):
        expect(ask(answer) == 3, "not_three", "it should be 3.")

    twice(2)
    capsys.readouterr()
    summary_of(twice, deeper=(thrice,))()
    assert capsys.readouterr().out == "Core: 1 of 1 right.\nDeeper: 0 of 1 right, 1 open (Thrice).\n"


@every_module
def test_summary_has_every_exercise_in_the_order_of_the_notebook(module, capsys):
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
    assert {*everything} == {check for check in EXERCISES if check.__module__ == module.__name__}
    for check in everything:
        check.result = None
    module.summary()
    said = capsys.readouterr().out
    assert said == cell.outputs[0].text
    core = summed_up([(check.title, "open") for check in used["core"]])
    deeper = summed_up([(check.title, "open") for check in used["deeper"]])
    assert said == (f"Core: {core}\nDeeper: {deeper}\n" if used["deeper"] else f"{core}\n")


# ---- the names of the mistakes -----------------------------------------------------------------


def called(tree):
    """The plain names that are called somewhere in a piece of code."""
    return [n.func.id for n in ast.walk(tree) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]


def named(tree):
    """The names of mistakes in a piece of code: those of expect and Mistake, and the keywords of a table of them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "expect_none_of":
                yield from (keyword.arg for keyword in node.keywords)
            elif node.func.id in ("expect", "Mistake"):
                name = node.args[node.func.id == "expect"]
                if not isinstance(name, ast.Name):  # passed on by the one who gives it
                    yield name.value


def mistakes(check):
    """Every name of a mistake that an exercise can meet, each as often as it stands in the code."""
    functions = {}
    for tree in (BASE_TREE, ast.parse(Path(inspect.getsourcefile(check.judge)).read_text(encoding="utf-8"))):
        functions |= {f.name: f for f in tree.body if isinstance(f, ast.FunctionDef)}
    reached, waiting = set(), [check.__name__]
    while waiting:
        if (name := waiting.pop()) in functions and name not in reached:
            reached.add(name)
            waiting += called(functions[name])
    return [mistake for name in sorted(reached) for mistake in named(functions[name])]


def test_there_are_as_many_names_as_there_are_sentences():
    assert sorted(mistakes(twice)) == [
        "complex",
        "not_a_number",
        "not_one_number",
        "nothing_returned",
        "squared",
        "text",
        "wrong_value",
    ]
    assert len(EXERCISES) >= 33 and all(len(mistakes(check)) >= 4 for check in EXERCISES)


@pytest.mark.parametrize("check", EXERCISES, ids=lambda check: check.name)
def test_names_of_mistakes_are_unique_within_an_exercise(check):
    names = mistakes(check)
    assert not [name for name in names if not re.fullmatch(r"[a-zA-Z][a-zA-Z0-9]*(_[a-zA-Z0-9]+)*", name)]
    assert sorted(names) == sorted({*names, "stopped"} - {"stopped"}), "two mistakes of one exercise have one name"


def test_exercises_have_names_of_their_own():
    assert len({check.name for check in EXERCISES}) == len(EXERCISES)


@every_module
def test_no_message_leans_on_a_lecture(module):
    assert not re.search(r"\blectures?\b|\bthe slides\b", inspect.getsource(module), re.I)


# ---- the scenes that show a mistake --------------------------------------------------------------


@pytest.mark.parametrize("key", SCENES)
def test_a_scene_that_shows_a_mistake_exists_and_so_does_the_mistake(key):
    exercise, _, mistake = key.rpartition(".")
    (check,) = [check for check in EXERCISES if check.name == exercise]
    assert mistake in mistakes(check)
    panels = importlib.import_module(f"kernelkit.course.explorers.{exercise.partition('.')[0]}").PANELS
    title, scene = SCENES[key]
    assert scene in {panel.title: panel.scenes for panel in panels}[title]
