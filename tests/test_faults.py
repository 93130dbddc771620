"""The planter of faults changes one place of the code, and nothing that is written for people."""

import faults
import pytest


def planted(line):
    """All that a line can become."""
    source = line.encode()
    found = faults.Places(source).found
    return {(source[:start] + new.encode() + source[end:]).decode() for _, start, end, texts in found for new in texts}


LINES = {
    "a < b": {"a <= b", "a > b"},
    "a not in b": {"a in b"},
    "(a) + (b)": {"(a) - (b)"},
    "c = a and b or c": {"c = a or b or c", "c = a and b and c"},
    "σ = -λ": {"σ = λ"},
    "x = f(y)": {"x = (y)"},
    "x = y.copy()": {"x = y"},
    "check(y, z)": {"pass"},
    "x = np.max(y, axis=i)": {"x = np.min(y, axis=i)"},
    "x[i]": {"x[i - 1]"},
    "x = 3": {"x = 4", "x = 2", "x = 6"},
    "x = True": {"x = False"},
    "f(a, b, c=not d)": {"pass", "f(a, b, c= d)"},
    "expect(a == b, 'name', say(1))": {"pass", "expect(a != b, 'name', say(1))"},
    '"""Two times 2."""': set(),
    "raise ValueError(f'{x + 1}')": set(),
    "def f(x: Array[2]) -> 3: ...": set(),
    "from x import y": set(),
    "text = f'{a + b}'": set(),
    "X = np.array([[1.0, -2.0], [3.0, 4.0]])": set(),
}


@pytest.mark.parametrize("line", LINES)
def test_a_line_becomes_these_and_what_is_for_people_and_tables_stay(line):
    assert planted(line) == LINES[line]


def test_a_seed_always_plants_the_same_and_each_fault_changes_one_place():
    chosen = faults.chosen(3, 50, "kernelkit/images/")
    assert chosen == faults.chosen(3, 50, "kernelkit/images/") != faults.chosen(4, 50, "kernelkit/images/")
    assert len({fault.key for fault in chosen}) == 50
    for fault in chosen:
        before = (faults.ROOT / fault.file).read_bytes()
        after = fault.planted(before)
        compile(after, fault.file, "exec")
        assert after != before and before.count(b"\n", 0, fault.start) == fault.line - 1
        assert after.startswith(before[: fault.start]) and after.endswith(before[fault.end :])


def test_every_module_meets_the_tests_of_its_name():
    circles = faults.circles_of("kernelkit/models/ridge.py")
    assert {"kernelkit/models/ridge.py", "tests/models/test_ridge.py"} <= set(circles["own"])
    assert "kernelkit/models" in circles["wider"] and not set(circles["own"]) & set(circles["wider"])
