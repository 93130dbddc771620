"""Plant small faults in a copy of the package, one at a time, and tell which of them no test notices.

    python tests/faults.py --seed 1 --count 300 --jobs 2 --out build/faults.json

A fault changes one token of the code: a number is doubled or moves by one, a sign flips, < becomes <=, + becomes −, an
index shifts, a call f(x) becomes x, a guard is left out. Messages, docstrings, annotations and tables of example points
are left alone. The same seed plants the same faults in the same tree.

Each fault first meets the doctests of its module and the tests of its room that carry its name or import what it
defines, the fastest first. If it survives these, it meets all tests of the room, those of the room next to it, and the
claims of the notebooks. The results are kept in the file as they come, so that a run that was stopped goes on where it
was. After a new test, ``--survivors`` tries those again that have survived, and ``--under kernelkit/models/svm`` plants
faults only there.
"""

import argparse
import ast
import hashlib
import importlib
import json
import math
import os
import random
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from contextlib import suppress
from dataclasses import asdict, dataclass
from itertools import islice, pairwise
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("features", "kernels", "models", "study", "images", "course/exercises")
NEXT_TO = {"features": ["kernels"], "kernels": ["features"], "models": ["study"], "study": ["models"]}
COPIED = ("kernelkit", "tests", "notebooks", "figures", "pyproject.toml", "requirements.txt", "README.md")
PASSED = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)  # a module may have no doctests
PATIENCE = 10  # how many times the seconds it computes a run may take: on a busy machine it has to wait
MEMORY = 8 << 30  # bytes that a run of tests may take: a fault can ask for any number of rows

# ---- where a fault can be planted, and what it changes -------------------------------------------------

OPERATORS = {
    ast.Add: ("+", ["-"]),
    ast.Sub: ("-", ["+"]),
    ast.Mult: ("*", ["/"]),
    ast.Div: ("/", ["*"]),
    ast.FloorDiv: ("//", ["/"]),
    ast.Mod: ("%", ["//"]),
    ast.Pow: ("**", ["*"]),
    ast.And: ("and", ["or"]),
    ast.Or: ("or", ["and"]),
    ast.Lt: ("<", ["<=", ">"]),
    ast.LtE: ("<=", ["<", ">="]),
    ast.Gt: (">", [">=", "<"]),
    ast.GtE: (">=", [">", "<="]),
    ast.Eq: ("==", ["!="]),
    ast.NotEq: ("!=", ["=="]),
    ast.Is: ("is", ["is not"]),
    ast.IsNot: ("is not", ["is"]),
    ast.In: ("in", ["not in"]),
    ast.NotIn: ("not in", ["in"]),
    ast.BitAnd: ("&", ["|"]),
    ast.BitOr: ("|", ["&"]),
}
PAIRS = "max min|maximum minimum|argmax argmin|any all|floor ceil|sin cos|zeros ones|cumsum cumprod|triu tril|sum mean"
OTHER_NAME = {a: b for pair in PAIRS.split("|") for a, b in (pair.split(), pair.split()[::-1])}
NO_CHANGE = {"super", "list", "tuple", "float", "asarray", "iter", "print"}  # without the call nothing, or all, changes


@dataclass(frozen=True)
class Fault:
    """One change of the text: bytes from ``start`` to ``end`` of the file become ``new``."""

    file: str
    line: int
    kind: str
    start: int
    end: int
    new: str
    shown: str  # the line before and after

    @property
    def key(self):
        return f"{self.file} {self.start}-{self.end} {self.shown}"

    def planted(self, source):
        return source[: self.start] + self.new.encode() + source[self.end :]


class Places(ast.NodeVisitor):
    """All places of a module where a fault can be planted: ``found`` has [(kind, start, end, [new texts])]."""

    def __init__(self, source):
        self.source = source
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))
        self.found = []
        self.visit(ast.parse(source))

    def span(self, node):
        """From which to which byte a node stands."""
        start = self.starts[node.lineno - 1] + node.col_offset
        return start, self.starts[node.end_lineno - 1] + node.end_col_offset

    def text(self, node):
        start, end = self.span(node)
        return self.source[start:end].decode()

    def add(self, kind, start, end, texts):
        self.found.append((kind, start, end, texts))

    def add_operator(self, kind, operator, left, right):
        """The operator that stands between the end of one node and the start of the next."""
        if type(operator) not in OPERATORS:
            return
        word, others = OPERATORS[type(operator)]
        start, end = self.span(left)[1], self.span(right)[0]
        between = re.sub(rb"#[^\n]*", lambda m: b" " * len(m[0]), self.source[start:end])
        place = re.search(rb"\s+".join(re.escape(part.encode()) for part in word.split()), between)
        self.add(kind, start + place.start(), start + place.end(), others)

    # What is text for people, or a type, has no faults.

    def visit_JoinedStr(self, node):
        pass

    def visit_Raise(self, node):
        pass

    def visit_Import(self, node):
        pass

    def visit_AnnAssign(self, node):
        if node.value is not None:
            self.visit(node.value)

    def visit_arg(self, node):
        pass

    def visit_FunctionDef(self, node):
        for part in (*node.decorator_list, node.args, *node.body):
            self.visit(part)

    # What has faults.

    def visit_Constant(self, node):
        value = node.value
        if isinstance(value, bool):
            self.add("truth", *self.span(node), [str(not value)])
        elif isinstance(value, int):
            others = dict.fromkeys([value + 1, value - 1, 2 * value] if value else [1])
            self.add("number", *self.span(node), [str(other) if other >= 0 else f"({other})" for other in others])
        elif isinstance(value, float):
            self.add("number", *self.span(node), [repr(2 * value), repr(value / 2)] if value else ["1.0"])

    def visit_UnaryOp(self, node):
        start = self.span(node)[0]
        if isinstance(node.op, ast.USub):
            self.add("sign", start, start + 1, [""])
        elif isinstance(node.op, ast.Not):
            self.add("not", start, start + 3, [""])
        elif isinstance(node.op, ast.Invert):
            self.add("not", start, start + 1, [""])
        self.visit(node.operand)

    def visit_BinOp(self, node):
        self.add_operator("arithmetic", node.op, node.left, node.right)
        self.generic_visit(node)

    def visit_AugAssign(self, node):
        self.add_operator("arithmetic", node.op, node.target, node.value)
        self.generic_visit(node)

    def visit_BoolOp(self, node):
        for left, right in pairwise(node.values):
            self.add_operator("and, or", node.op, left, right)
        self.generic_visit(node)

    def visit_Compare(self, node):
        sides = [node.left, *node.comparators]
        for operator, (left, right) in zip(node.ops, pairwise(sides), strict=True):
            self.add_operator("comparison", operator, left, right)
        self.generic_visit(node)

    def visit_Subscript(self, node):
        if isinstance(node.slice, ast.Name):
            self.add("index", *self.span(node.slice), [f"{node.slice.id} - 1"])
        self.generic_visit(node)

    def visit_Attribute(self, node):
        end = self.span(node)[1]
        if node.attr in OTHER_NAME:
            self.add("name", end - len(node.attr), end, [OTHER_NAME[node.attr]])
        elif node.attr == "inf":
            self.add("sign", *self.span(node), [f"(-{self.text(node)})"])
        self.visit(node.value)

    def visit_Expr(self, node):
        call = node.value
        if isinstance(call, ast.Call):
            self.add("call", *self.span(call), ["pass"])  # a guard, or something done
            self.visit_inside(call)
        elif not isinstance(call, ast.Constant):
            self.visit(call)

    def visit_Call(self, node):
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        positional = [arg for arg in node.args if not isinstance(arg, ast.Starred)]
        reads = name.startswith(("check_", "read_")) and positional
        if name == "array" and positional and is_table(positional[0]):
            return
        if name in NO_CHANGE:
            pass
        elif name == "range" and len(positional) == 1:
            self.add("index", *self.span(positional[0]), [f"({self.text(positional[0])}) - 1"])
        elif reads or (len(node.args) == len(positional) == 1 and not node.keywords):
            self.add("call", *self.span(node), [f"({self.text(positional[0])})"])
        elif not node.args and not node.keywords and isinstance(node.func, ast.Attribute):
            self.add("call", *self.span(node), [self.text(node.func.value)])
        if isinstance(node.func, ast.Name) and name in {"max", "min", "any", "all"}:
            self.add("name", *self.span(node.func), [OTHER_NAME[name]])
        self.visit_inside(node)

    def visit_inside(self, call):
        """What a call is given, without the sentences of ``expect`` and of warnings."""
        name = getattr(call.func, "id", getattr(call.func, "attr", ""))
        first = {"expect": 1, "Mistake": 0, "warn": 0}.get(name, len(call.args))
        for part in (call.func, *call.args[:first], *(k.value for k in call.keywords if first)):
            self.visit(part)


def is_table(node):
    """Whether a node is a list of numbers, or a list of such lists: with other points an example is as good."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return all(is_table(part) for part in node.elts)
    if isinstance(node, ast.UnaryOp):
        return is_table(node.operand)
    return isinstance(node, ast.Constant)


def fault_at(path, kind, start, end, new):
    """The fault with its lines, or None where the module would no longer compile."""
    source = path.read_bytes()
    planted = source[:start] + new.encode() + source[end:]
    try:
        ast.parse(planted)
    except SyntaxError:
        return None
    first, last = source.rfind(b"\n", 0, start) + 1, source.find(b"\n", end)
    before = source[first:last].decode()
    after = planted[first : last + len(planted) - len(source)].decode()
    shown = " ".join(before.split()) + "  →  " + " ".join(after.split())
    file = path.relative_to(ROOT).as_posix()
    return Fault(file, source.count(b"\n", 0, start) + 1, kind, start, end, new, shown)


def chosen(seed, count, under):
    """So many faults, the same for one seed and one tree; every place is as likely as any other."""
    rng = random.Random(seed)
    paths = sorted(path for room in ROOMS for path in (ROOT / "kernelkit" / room).rglob("*.py"))
    wanted = [path for path in paths if path.relative_to(ROOT).as_posix().startswith(under)]
    places = [(path, *place) for path in wanted for place in Places(path.read_bytes()).found]
    rng.shuffle(places)
    faults = (fault_at(path, kind, start, end, rng.choice(texts)) for path, kind, start, end, texts in places)
    return list(islice((fault for fault in faults if fault is not None), count))


# ---- which tests a module meets --------------------------------------------------------------------------


def imported(path):
    """Modules of kernelkit and names from it that a file of tests imports, or a helper that it imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            if node.module.startswith("kernelkit"):
                found |= {node.module} | {alias.name for alias in node.names}
                found |= {f"{node.module}.{alias.name}" for alias in node.names}
            for folder in (path.parent, ROOT / "tests"):
                helper = folder / f"{node.module.rpartition('.')[2]}.py"
                if helper.exists() and helper != path:
                    found |= imported(helper)
    return found


def defined(path):
    """The names that a module defines for others."""
    names = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_"):
            names.add(node.name)
    return names


def room_of(file):
    """The folder below kernelkit/ in which a file lies, such as course/exercises."""
    return Path(file).parent.relative_to("kernelkit").as_posix()


def circles_of(file):
    """Files of tests of a module: {"own": …, "wider": …}."""
    path = ROOT / file
    room = room_of(file)
    module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    names = defined(path) | {module}
    in_room = sorted((ROOT / "tests" / room).glob("test_*.py"))
    own = [test for test in in_room if re.fullmatch(rf"test_{path.stem}(_.*)?", test.stem) or imported(test) & names]
    wider = [test for near in NEXT_TO.get(room, []) for test in sorted((ROOT / "tests" / near).glob("test_*.py"))]
    outside = [*sorted((ROOT / "tests").glob("test_*.py")), *sorted((ROOT / "tests" / "claims").glob("test_*.py"))]
    wider += [test for test in outside if imported(test) & names or test.stem == "test_checks"]  # bad input for all
    own = [file, *(test.relative_to(ROOT).as_posix() for test in own)]
    wider = [f"kernelkit/{room}", *(test.relative_to(ROOT).as_posix() for test in [*in_room, *wider])]
    return {"own": own, "wider": [test for test in dict.fromkeys(wider) if test not in own]}


# ---- running them ----------------------------------------------------------------------------------------


def warm_up():
    """Import once what tests need of other packages: a child that is forked from here has them already."""
    sys.path[:] = [place for place in sys.path if Path(place).resolve() not in (ROOT, ROOT / "tests")]
    names = set()
    for path in [*(ROOT / "tests").rglob("*.py"), *(ROOT / "kernelkit").rglob("*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                names.add(node.module)
            elif isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
    for name in sorted(names):
        if name.partition(".")[0] not in ("kernelkit", "dask", "distributed"):  # Dask may start threads
            with suppress(ImportError):
                importlib.import_module(name)
    assert "kernelkit" not in sys.modules, "a child has to import its own copy"


class Slot:
    """A copy of the course, in which one fault at a time is planted, and the run of tests that goes on there."""

    def __init__(self, number, folder):
        self.folder = Path(folder) / f"copy-{number}"
        for name in COPIED:
            place = self.folder / name
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, place, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, place)
        self.log = self.folder / "log.txt"
        self.fault = None
        self.pid = None

    def start(self, tests, limit, fault=None, circle=None, options=("-x",), keep_bytecode=False):
        """Fork, and run these files of tests in the child, with the fault or without one."""
        self.tests, self.fault, self.began, self.limit = tests, fault, time.monotonic(), limit
        if fault is not None:
            place = self.folder / fault.file
            self.source, self.times = place.read_bytes(), place.stat()
            place.write_bytes(fault.planted(self.source))
        self.pid = os.fork()
        if self.pid == 0:
            os.setsid()
            code = pytest.ExitCode.INTERNAL_ERROR
            try:
                code = self._run(tests, options, keep_bytecode)
            except BaseException:
                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(int(code))

    def _run(self, tests, options, keep_bytecode):
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        os.chdir(self.folder)
        output = os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(output, 1)
        os.dup2(output, 2)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(self.limit), math.ceil(self.limit)))
        sys.dont_write_bytecode = not keep_bytecode
        os.environ["PYTHONDONTWRITEBYTECODE"] = "" if keep_bytecode else "1"
        os.environ["PYTHONPATH"] = str(self.folder)
        sys.path.insert(0, str(self.folder))
        spec = importlib.util.find_spec("kernelkit")
        assert Path(spec.origin).is_relative_to(self.folder), spec.origin
        return pytest.main(["-q", "--tb=no", "-p", "no:cacheprovider", "-r", "fE", *options, *tests])

    def stop(self):
        """End the tests, and whatever they have started."""
        if self.pid is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)

    def ended(self):
        """None while the tests run, then (the exit code, a word on what failed, seconds)."""
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        seconds = time.monotonic() - self.began
        late = seconds > PATIENCE * self.limit
        if not pid and not late:
            return None
        self.stop()
        if not pid:
            os.waitpid(self.pid, 0)
        if self.fault is not None:
            (self.folder / self.fault.file).write_bytes(self.source)
            os.utime(self.folder / self.fault.file, ns=(self.times.st_atime_ns, self.times.st_mtime_ns))
        failed = re.findall(r"^(?:FAILED|ERROR) (\S+)", self.log.read_text(errors="replace"), re.M)
        code = 1 if late else os.waitstatus_to_exitcode(status)
        word = "timeout" if late or code == -signal.SIGKILL else failed[0] if failed else f"exit code {code}"
        return code, word, round(seconds, 2)


def run(jobs, slots, on_end):
    """Run jobs, [(arguments of ``start``)], each in the next free slot; ``on_end(job, result)`` may give a next job."""
    waiting, busy = list(jobs)[::-1], {}
    while waiting or busy:
        for slot in slots:
            if slot in busy:
                result = slot.ended()
                if result is not None:
                    following = on_end(busy.pop(slot), result)
                    if following is not None:
                        waiting.append(following)
            if slot not in busy and waiting:
                busy[slot] = waiting.pop()
                slot.start(**busy[slot])
        time.sleep(0.02)


class Results:
    """What is known so far, in a file: of each file of tests its seconds without a fault, of each fault its verdict."""

    def __init__(self, path):
        self.path = path
        self.tests, self.faults = {}, {}
        if path.exists():
            before = json.loads(path.read_text(encoding="utf-8"))
            self.tests, self.faults = before["tests"], before["faults"]
        files = sorted((ROOT / "kernelkit").rglob("*.py"))
        self.package = hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()
        path.parent.mkdir(parents=True, exist_ok=True)

    def keep(self):
        part = self.path.with_suffix(".part")
        text = json.dumps({"tests": self.tests, "faults": self.faults}, indent=1, ensure_ascii=False)
        part.write_text(text, encoding="utf-8")
        part.replace(self.path)

    def state(self, test):
        """What the seconds of a file of tests are measured of: the package, and the file itself."""
        own = (ROOT / test).read_bytes() if test.startswith("tests/") else b""
        return hashlib.sha256(self.package.encode() + own).hexdigest()[:16]

    def seconds(self, test):
        """None for tests that fail without a fault."""
        return self.tests[test]["seconds"]


def measure(tests, slots, results):
    """Run each file of tests without a fault, and note how long it takes, or name it as one that fails."""

    def on_end(job, result):
        code, word, seconds = result
        (test,) = job["tests"]
        passed = code in PASSED
        results.tests[test] = {"of": results.state(test), "seconds": seconds if passed else None}
        results.keep()
        if not passed:
            print(f"fails without any fault, so it is left out: {test} ({word})", flush=True)

    unknown = [test for test in tests if results.tests.get(test, {}).get("of") != results.state(test)]
    run([{"tests": [test], "limit": 900} for test in unknown], slots, on_end)


def plant(faults, slots, results):
    """Plant each fault and run its module's own tests, and where it survives them, those of the wider circle."""
    circles = {file: circles_of(file) for file in {fault.file for fault in faults}}
    needed = sorted({test for circle in circles.values() for tests in circle.values() for test in tests})
    for slot in slots:  # every file is compiled once, before any is changed
        slot.start(needed, 900, options=("--collect-only",), keep_bytecode=True)
        while slot.ended() is None:
            time.sleep(0.1)
    measure(needed, slots, results)

    def job(fault, circle):
        tests = [test for test in circles[fault.file][circle] if results.seconds(test) is not None]
        if not tests:
            sys.exit(f"No test of {fault.file} passes without a fault.")
        tests.sort(key=results.seconds)
        limit = 60 + 5 * sum(map(results.seconds, tests))
        return {"tests": tests, "limit": limit, "fault": fault, "circle": circle}

    def on_end(done, result):
        fault, circle = done["fault"], done["circle"]
        code, word, seconds = result
        survived = code in PASSED
        if survived and circle == "own":
            return job(fault, "wider")
        verdict = {"survived": survived, "by": None if survived else word, "circle": circle, "seconds": seconds}
        results.faults[fault.key] = asdict(fault) | verdict
        results.keep()
        print("S" if survived else ".", end="", flush=True)
        return None

    run([job(fault, "own") for fault in faults], slots, on_end)
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "faults.json")
    parser.add_argument("--under", default="kernelkit/", help="plant only in files whose names begin so")
    parser.add_argument("--survivors", action="store_true", help="try those again that have survived")
    parser.add_argument("--list", action="store_true", help="only list the faults")
    arguments = parser.parse_args()

    planted = chosen(arguments.seed, arguments.count, arguments.under)
    if arguments.list:
        for fault in planted:
            print(f"{fault.file}:{fault.line} ({fault.kind})  {fault.shown}")
        return

    results = Results(arguments.out)
    known = [fault.key for fault in planted if fault.key in results.faults]
    if arguments.survivors:
        known = [key for key in known if not results.faults[key]["survived"]]
    faults = [fault for fault in planted if fault.key not in known]
    if faults:
        warm_up()
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
        with tempfile.TemporaryDirectory(prefix="faults-") as folder:
            slots = [Slot(number, folder) for number in range(arguments.jobs)]
            try:
                plant(faults, slots, results)
            finally:
                for slot in slots:
                    slot.stop()
    report(planted, results.faults)


def report(planted, results):
    """Print the survivors, and how many faults each room had and has survived."""
    survivors = [fault for fault in planted if results[fault.key]["survived"]]
    for fault in sorted(survivors, key=lambda fault: (fault.file, fault.line)):
        print(f"{fault.file}:{fault.line} ({fault.kind})\n    {fault.shown}")
    rooms, left = (Counter(room_of(fault.file) for fault in some) for some in (planted, survivors))
    for room in ROOMS:
        if rooms[room]:
            print(f"{room:16} {rooms[room]:4} planted, {left[room]:3} survived")
    print(f"{'together':16} {len(planted):4} planted, {len(survivors):3} survived")


if __name__ == "__main__":
    main()
