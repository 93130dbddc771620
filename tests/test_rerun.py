"""Answers run in a box and are judged outside of it: whatever a class hands in, its marks are as planted."""

import json
import os
import re
import subprocess
import sys
import threading
from enum import IntEnum, StrEnum
from fractions import Fraction
from pathlib import Path

import handed_in
import numpy as np
import planted_class
import pytest
import report
import rerun
from answering import Crossing
from exercises import test_base

COURSE = handed_in.exercises()
boxed = pytest.mark.skipif(bool(rerun.why_no_box()), reason=f"no box here: {rerun.why_no_box()}")


def run(folder, *more, capsys):
    report.main([str(folder), "--picture", str(folder.parent / "picture.png"), *map(str, more)])
    return capsys.readouterr().out


def graded(path):
    """{student: {exercise's number: points}} of what --grades writes."""
    header, *rows = [line.split(",") for line in Path(path).read_text(encoding="utf-8-sig").splitlines()]
    return {row[0]: dict(zip(header[1:], map(float, row[1:]), strict=True)) for row in rows}


# ---- a class ---------------------------------------------------------------------------------------


def said_of(student, text):
    """The lines of a report about a student."""
    return [line for line in text.splitlines() if student in line]


def judged_class(folder, planted, text, grades):
    """Every mark is as planted, and every case is named."""
    for student, (kind, marks) in planted.items():
        own = grades[student]
        wanted = {COURSE[e].partition(" ")[0]: float(verdict == "right") for e, verdict in marks.items()}
        assert {number: own[number] for number in wanted} == wanted, (student, kind, said_of(student, text))
        assert own["sum"] == sum(wanted.values()), (student, kind)
        if kind in planted_class.HOSTILE:
            check, _, _, word = planted_class.HOSTILE[kind]
            number = COURSE[f"kernel_ridge.{check}"].partition(" ")[0]
            line = re.search(rf"^  {student}, {number}: stored right, actual wrong.*$", text, re.M)
            assert line and re.search(word, line[0]), (kind, line and line[0])
        if kind == "forged":
            assert re.search(rf"^  {student}, 03\.1: stored right, actual open", text, re.M)
        if kind == "copied" and {marks[f"kernel_ridge.{check}"] for check in planted_class.ANSWERS} != {"open"}:
            assert re.search(rf"{student} \({student}/03-kernel-ridge.ipynb\)", text.partition("The same text")[2])
        if kind == "stripped":
            assert f"{student}/03-kernel-ridge.ipynb: the metadata of its outputs are gone" in text
        if kind == "broken":
            assert f"{student}/03-kernel-ridge.ipynb: broken" in text
        if kind == "missing":
            assert re.search(rf"Handed in nothing that counts \(\d+\):\n(  .*\n)*  {student}\n", text)


@boxed
def test_every_mark_is_as_planted_and_nothing_outside_changes(tmp_path, capsys, monkeypatch):
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    for place in (home, tmp_path):
        (place / "witness").write_text("here")
    folder, names = tmp_path / "in", tmp_path / "names.txt"
    planted = planted_class.write(folder, len(planted_class.HOSTILE) + 6, 0, tmp_path / "witness", home)
    names.write_text("\n".join(planted))
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    text = run(folder, "--rerun", "--seconds", 2, "--class", names, "--grades", tmp_path / "g.csv", capsys=capsys)
    after = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert {path: after.get(path) for path in before} == before
    assert {path.name for path in after.keys() - before.keys()} == {"g.csv", "picture.png"}
    judged_class(folder, planted, text, graded(tmp_path / "g.csv"))


def one(folder, **bodies):
    """The notebook of one student with these answers, none of them run."""
    notebook = planted_class.original()
    cells = planted_class.cells_of(notebook)
    for check, body in bodies.items():
        planted_class.written(cells[check], body, check, None)
    path = folder / "ada" / "03-kernel-ridge.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(notebook), encoding="utf-8")
    return path, notebook


RIGHT = {check: right[0] for check, (right, _) in planted_class.ANSWERS.items()}


def test_without_bubblewrap_it_refuses_and_says_what_to_install(tmp_path, monkeypatch):
    one(tmp_path / "in")
    monkeypatch.setenv("PATH", str(tmp_path))
    rerun.why_no_box.cache_clear()
    with pytest.raises(SystemExit) as stopped:
        report.main([str(tmp_path / "in"), "--rerun"])
    rerun.why_no_box.cache_clear()
    assert "needs bubblewrap" in stopped.value.code and "--unprotected" in stopped.value.code


def test_unprotected_answers_are_judged_all_the_same(tmp_path):
    path, _ = one(tmp_path, dual_weights=RIGHT["dual_weights"], recover="return X.T @ a", another="return a[")
    found = dict(rerun.verdicts(path, COURSE, rerun.Limits(protected=False), 3))
    said = {name.partition(".")[2]: (result.verdict, result.mistake) for name, result in found.items()}
    assert said["dual_weights"] == ("right", "") and said["recover"] == ("wrong", "points_for_features")
    assert said["another"] == ("wrong", "stopped") and said["predict"] == ("open", "")
    assert said["huge_weights"] == ("open", "")


def test_whoever_knows_the_seed_is_right_and_nobody_else_knows_it(tmp_path):
    path, _ = one(tmp_path, dual_weights=planted_class.SEED_READ)
    limits = rerun.Limits(protected=False)
    said = [dict(rerun.verdicts(path, COURSE, limits, seed))["kernel_ridge.dual_weights"] for seed in (0, 12345)]
    assert [result.mistake for result in said] == ["", "other_example"]


def test_a_stored_result_without_an_answer_is_a_difference(tmp_path):
    """Whoever writes “right” into the outputs, and has no cell that calls the check, is named, too."""
    name = "kernel_ridge.predict"
    stored, found = handed_in.Class(), handed_in.Class()
    stored.results["ada"] = {name: handed_in.Result("right"), "kernel_ridge.recover": handed_in.Result("open")}
    said = [f"ada, {COURSE[name].partition(' ')[0]}: stored right, actual open"]
    assert list(report.differences(stored, found, COURSE)) == said
    found.results["ada"] = {"kernel_ridge.recover": handed_in.Result("open")}
    assert list(report.differences(stored, found, COURSE)) == said


def test_only_what_an_answer_uses_is_taken_from_other_cells():
    sources = [
        "import numpy as np\nimport os as system\nraise SystemExit",
        "def helper(x):\n    return np.sum(x) + offset\n\noffset = 1\nsystem.remove('x')",
        "%matplotlib inline\nbroken(",
        "def answer(x):\n    y = helper(x)\n    return y\n\ncheck.it(answer)",
        "offset = 2",
    ]
    taken = rerun.needed([rerun.source_of({"source": source}) for source in sources], 3, "check")
    assert taken == ["import numpy as np", "def helper(x):\n    return np.sum(x) + offset", "offset = 1"]


def test_a_challenge_is_judged_by_the_state_it_stores_and_no_other(tmp_path):
    notebook = planted_class.original()
    cell, said = planted_class.cells_of(notebook)["huge_weights"], []
    for values in (None, planted_class.STATES["right"], planted_class.STATES["wrong"], {"n": 10**9}, {"lam": "x"}):
        cell["outputs"] = [planted_class.output("huge_weights", "right", values)]
        said.append(rerun.of_states("kernel_ridge.huge_weights", notebook["cells"]).verdict)
    assert said == ["open", "right", "wrong", "wrong", "wrong"]


def test_a_check_of_a_challenge_stores_the_state_of_its_panel():
    check = rerun.check_of("kernel_ridge.huge_weights")
    panel = rerun.explorer_of(check)()
    assert "values" not in check.of(panel)._repr_mimebundle_()[1]["kernelkit"], "as it was at first it is no answer"
    panel.set(**planted_class.STATES["right"])
    said = check.of(panel)._repr_mimebundle_()[1]["kernelkit"]
    assert json.loads(json.dumps(said)) == said and said["values"] == json.loads(json.dumps(panel.values))
    challenges = [check for check in test_base.EXERCISES if rerun.explorer_of(check)]
    assert len(challenges) == 20


# ---- what crosses from one process to the other ------------------------------------------------------


def connected():
    """The two ends of a connection."""
    first, second = os.pipe(), os.pipe()

    def end(inward, outward):
        def exactly(n):
            data = b""
            while len(data) < n:
                data += os.read(inward, n - len(data))
            return data

        def send(data):
            while data:
                data = data[os.write(outward, data) :]

        return Crossing(send, lambda: exactly(int.from_bytes(exactly(4), "big")))

    return end(first[0], second[1]), end(second[0], first[1])


def across(answer):
    """The same answer, seen through a connection, and what ends it."""
    here, there = connected()

    def serve():
        there.say("value", there.coded(answer), [])
        while (message := there.hear())[0] != "done":
            there.answer(*message)

    threading.Thread(target=serve, daemon=True).start()
    return here.decoded(here.hear()[1]), lambda: here.say("done")


@test_base.every_module
def test_every_right_answer_is_right_through_the_connection(module):
    tests = __import__(f"exercises.test_{module.__name__.rpartition('.')[2]}", fromlist=["RIGHT"])
    for check, answer in dict(getattr(tests, "RIGHT", [])).items():
        there, done = across(answer)
        result = check.of(there)
        done()
        assert result.verdict == "right", result.line


class Word(str):
    def __str__(self):
        return "another"


class Shout(Word):
    pass


class Colour(StrEnum):
    RED = "red"


class Real(float):
    pass


class Row(list):
    pass


@pytest.mark.parametrize(
    ("answer", "plain"),
    [
        (Word("red"), "red"),
        (Shout("red"), "red"),
        (Colour.RED, "red"),
        (np.str_("red"), "red"),
        (Real(0.5), 0.5),
        (IntEnum("Few", ["ONE"]).ONE, 1),
        (Fraction(1, 2), 0.5),
        (Row([Shout("red"), Real(2.0)]), ["red", 2.0]),
        ({Shout("red"): Row()}, {"red": []}),
        (range(3), [0, 1, 2]),
    ],
)
def test_a_value_of_a_class_of_its_own_crosses_as_the_plain_value(answer, plain):
    there, done = across(answer)
    done()
    assert there == plain and type(there) is type(plain)
    assert list(map(type, there)) == list(map(type, plain)) if isinstance(plain, list) else True


@pytest.mark.parametrize(
    "code",
    [
        ["made", "os", "system", {}],
        ["made", "kernelkit.kernels.base", "np.random.Generator", {}],
        ["made", "kernelkit.kernels.base", "read_points", {}],
        ["class", "subprocess", "Popen"],
        ["array", "O", [1], ""],
        ["array", "<f8", [10**9], "AAAA"],
        ["nothing"],
        [],
        ["scalar"],
        ["dict", [[["list", []], 1]]],
    ],
)
def test_no_message_of_strangers_makes_anything_but_values(code):
    here, _ = connected()
    try:
        value = here.decoded(code)
    except rerun.Broken:
        return
    assert type(value).__mro__[1].__name__ == "Opaque"


@boxed
def test_an_answer_may_use_what_is_installed(tmp_path):
    body = "import matplotlib.pyplot as plt, scipy.linalg, sklearn.svm\n    plt.plot(a)\n    return phi(X).T @ a"
    path, _ = one(tmp_path, recover=body)
    found = dict(rerun.verdicts(path, COURSE, rerun.Limits(seconds=60), 3))
    assert found["kernel_ridge.recover"].verdict == "right", found["kernel_ridge.recover"]


def test_a_judge_that_is_interrupted_costs_the_one_exercise_alone(tmp_path, monkeypatch):
    path, _ = one(tmp_path, dual_weights=RIGHT["dual_weights"], recover=RIGHT["recover"])
    check, judged = rerun.check_of("kernel_ridge.dual_weights"), rerun.of_answer

    def slow(one, *given):
        while one is check:
            pass
        return judged(one, *given)

    monkeypatch.setattr(rerun, "of_answer", slow)
    found = dict(rerun.verdicts(path, COURSE, rerun.Limits(protected=False, seconds=0.5), 3))
    assert found["kernel_ridge.dual_weights"].mistake == "too_slow"
    assert found["kernel_ridge.recover"].verdict == "right"


@boxed
def test_in_the_box_there_is_no_home_no_network_and_nothing_to_write():
    code = (
        "import os, socket\nfound = [p for p in ('/proc/1', FILE) if os.path.exists(p)]\n".replace(
            "FILE", repr(__file__)
        )
        + "for place in ('/x', '/dev/shm/x', '/course/x', '/course/kernelkit/exercises/x'):\n"
        "    try:\n        open(place, 'w'); found.append(place)\n    except OSError: pass\n"
        "try:\n    socket.create_connection(('192.0.2.1', 80), 1); found.append('network')\nexcept OSError: pass\n"
        "print(found, os.listdir('/course/kernelkit/exercises'))"
    )
    done = subprocess.run(rerun.boxed([sys.executable, "-c", code]), capture_output=True, text=True, timeout=60)
    assert done.stdout == "[] []\n", done.stdout + done.stderr
