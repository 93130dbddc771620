"""The verdicts of a class, computed anew: an answer runs in one process, and this one asks it and judges the result.

Of a notebook only the cells with answers are executed, and the imports, functions and values of other cells that they
use. The process of the answers lives in a box (bubblewrap, with namespaces of Linux) without network, home and files
to write, and with limits on time, memory and output. See ``answering.py`` for what runs in there.
"""

import ast
import contextlib
import importlib
import json
import os
import re
import secrets
import select
import shutil
import signal
import struct
import subprocess
import symtable
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from math import ceil
from pathlib import Path

from answering import LARGEST, Broken, Crossing
from handed_in import MARK, Result, inner, plain, read_cells, text_of

import kernelkit
from kernelkit.exercises.base import Mistake, reached

INSIDE = Path(__file__).with_name("answering.py")
PACKAGE = Path(kernelkit.__file__).parent
CALL = re.compile(r"^(\w+)\.(\w+)\(", re.M)
CPU = getattr(signal, "SIGXCPU", None)  # what ends a process that has used up its time
WAIT = 3  # times as long as an answer may compute, it may take on a busy machine
SCRATCH = 8_000_000  # bytes of /tmp in the box, which is gone with it; Matplotlib does not work without one
ATTEMPTS = 5  # of one exercise in one notebook; the last ones count
NO_BOX = (
    "--rerun needs bubblewrap (on Debian and Ubuntu: apt-get install bubblewrap) and a Linux that lets it make "
    "namespaces; here {why}. With --unprotected the answers run without a box, as you yourself: do this only on a "
    "machine that can be lost."
)


@dataclass(frozen=True)
class Limits:
    """What one answer may use: seconds, bytes of memory, bytes printed; and whether it runs in a box."""

    protected: bool = True
    seconds: float = 10
    memory: int = 2_000_000_000
    printed: int = 1_000_000


# ---- the box -------------------------------------------------------------------------------------


def boxed(command):
    """The command in a box: it sees Python and the package, but no check, no network, no home, and nothing to write."""
    seen = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/alternatives"]
    seen += [sys.prefix, os.path.realpath(sys.prefix), sys.base_prefix, *installed()]
    box = ["bwrap", "--unshare-all", "--unshare-user", "--uid", "65534", "--gid", "65534", "--cap-drop", "ALL"]
    box += ["--new-session", "--die-with-parent", "--clearenv", "--hostname", "box"]
    for place in dict.fromkeys(seen):
        if os.path.islink(place) and place in ("/bin", "/sbin", "/lib", "/lib32", "/lib64"):
            box += ["--symlink", os.readlink(place), place]
        elif os.path.exists(place):
            box += ["--ro-bind", os.path.realpath(place), place]
    box += ["--ro-bind", str(PACKAGE), "/course/kernelkit", "--tmpfs", "/course/kernelkit/exercises"]
    box += ["--ro-bind", str(INSIDE), "/course/answering.py", "--dev", "/dev"]
    box += ["--size", str(SCRATCH), "--tmpfs", "/tmp"] if sized() else []
    for place in ("/course/kernelkit/exercises", "/dev", "/"):
        box += ["--remount-ro", place]
    for name, value in environment().items():
        box += ["--setenv", name, value]
    return [*box, "--chdir", "/", *command]


@cache
def sized():
    """Whether this bubblewrap can limit the size of a folder in memory; older ones get no /tmp."""
    done = subprocess.run(["bwrap", "--help"], capture_output=True, text=True, timeout=60)
    return "--size" in done.stdout + done.stderr


def installed():
    """Where the packages are that lie outside of Python's own folders."""
    places = [os.path.realpath(p) for p in sys.path if p and Path(p).name in ("site-packages", "dist-packages")]
    return [p for p in places if not p.startswith((os.path.realpath(sys.prefix), "/usr"))]


def search_path(protected):
    """Where an answer's Python looks for modules."""
    here = "/course" if protected else str(PACKAGE.parent)
    return [here, *(p for p in sys.path if Path(p).name in ("site-packages", "dist-packages"))]


def environment():
    """One thread, the same order of sets each time, and no writing."""
    return {
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "MPLCONFIGDIR": "/tmp",
        "MPLBACKEND": "agg",
        "HOME": "/nowhere",
        "PATH": "/usr/bin:/bin",
    }


@cache
def why_no_box():
    """Why there can be no box here, in words; "" if there can be one."""
    if not shutil.which("bwrap"):
        return "it is not installed"
    test = "import json, sys; sys.path[:0] = json.loads(sys.argv[1]); import numpy, scipy, kernelkit.kernels"
    command = boxed([sys.executable, "-c", test, json.dumps(search_path(protected=True))])
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"it does not start ({error})"
    return "" if done.returncode == 0 else f"it says: {plain(done.stderr or 'nothing')}"


class Asking(Crossing):
    """The end of a connection at which one judges: an answer that breaks the rules of the connection is stopped."""

    def __init__(self, answers):
        super().__init__(answers.send, answers.receive)
        self.answers = answers

    def hear(self):
        try:
            message = super().hear()
        except Broken:
            message = ["broken"]
        if message[0] == "ready":  # for the next exercise, although this one is not done
            self.answers.slow() if message[1:] == [CPU] else self.answers.gone()
        if {"value": 3, "error": 3, "call": 3, "iter": 3, "next": 3}.get(message[0]) != len(message):
            self.broken()
        return message

    def decoded(self, code):
        try:
            return super().decoded(code)
        except Broken:
            self.broken()

    def failure(self, name="Error", text=""):
        return super().failure(name, plain(str(text), 300))

    def broken(self):
        self.answers.stop("broken_off", "what came was no value: your code wrote into files that it did not open.")


class Answers:
    """The process of one notebook's answers; it is started when it is needed, and again when it was ended."""

    def __init__(self, limits):
        self.limits, self.process = limits, None

    def start(self):
        if self.process is None:
            limits = self.limits
            path = search_path(limits.protected)
            script = "/course/answering.py" if limits.protected else str(INSIDE)
            command = [
                sys.executable,
                "-B",
                script,
                json.dumps(path),
                str(limits.memory),
                str(ceil(limits.seconds)),
            ]
            command = boxed(command) if limits.protected else command
            pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
            self.process = subprocess.Popen(command, bufsize=0, env=os.environ | environment(), **pipes)
            for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
                os.set_blocking(pipe.fileno(), False)
            self.buffer, self.printed, self.deadline = bytearray(), 0, time.monotonic() + 60
            self.await_ready()

    def await_ready(self):
        if json.loads(self.receive())[:1] != ["ready"]:
            raise Broken("not ready")

    def begin(self, sources, alias, check):
        """Run the cells of one exercise; the answer, or the handle of a function, comes back."""
        self.start()
        self.send_frame(b'"next"')
        self.printed, self.deadline = 0, time.monotonic() + WAIT * self.limits.seconds
        self.crossing = Asking(self)
        self.crossing.say("cells", sources, alias, check)
        kind, *rest = self.crossing.hear()
        if kind == "error":
            raise self.crossing.failure(*rest[:2])
        return self.crossing.decoded(rest[0])

    def done(self):
        """The exercise is judged: its process ends, and the next one may begin."""
        if self.process:
            try:
                self.deadline = time.monotonic() + 2
                self.crossing.say("done")
                self.await_ready()
            except (Mistake, Broken, ValueError, OSError):
                self.end()

    def end(self):
        if self.process:
            self.process.kill()
            self.process.wait()
            for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
                pipe.close()
            self.process = None

    # -- bytes, in time

    def send_frame(self, text):
        self.send(struct.pack(">I", len(text)) + text)

    def send(self, data):
        view = memoryview(data)
        while view:
            if self.wait(write=True):
                try:
                    view = view[os.write(self.process.stdin.fileno(), view[: 1 << 16]) :]
                except BrokenPipeError:
                    self.gone()

    def receive(self):
        size = struct.unpack(">I", self.exactly(4))[0]
        if size > LARGEST:
            self.stop("too_large", "the answer returned more than 50 MB.")
        return self.exactly(size)

    def exactly(self, n):
        while len(self.buffer) < n:
            if self.wait():
                more = os.read(self.process.stdout.fileno(), 1 << 20)
                if not more:
                    self.gone()
                self.buffer += more
        data = bytes(self.buffer[:n])
        del self.buffer[:n]
        return data

    def wait(self, write=False):
        """Whether one can go on; what the answer prints is read and only counted."""
        if self.process is None:
            raise Mistake("ended", "the answer was stopped before.")
        out, error, into = (p.fileno() for p in (self.process.stdout, self.process.stderr, self.process.stdin))
        left = self.deadline - time.monotonic()
        if left <= 0:
            self.slow()
        listening = [error] if write else [out, error]
        readable, writable, _ = select.select(listening, [into] if write else [], [], left)
        if error in readable:
            data = os.read(error, 1 << 16)
            self.printed += len(data)
            self.said = data[-300:] or getattr(self, "said", b"")
            if self.printed > self.limits.printed:
                self.stop("too_much_output", f"your code printed more than {self.limits.printed:,} characters.")
            if not data and out not in readable:
                self.gone()
        return bool(writable) if write else out in readable

    def slow(self):
        self.stop("too_slow", f"your code was stopped after {self.limits.seconds:g} seconds.")

    def gone(self):
        self.stop("died", "the process of your code ended: too much memory, or it ended itself.")

    def stop(self, name, sentence):
        self.end()
        raise Mistake(name, sentence)


# ---- which cells ---------------------------------------------------------------------------------


def source_of(cell):
    """The code of a cell as Python reads it: without the lines for IPython alone."""
    lines = text_of(cell.get("source")).splitlines()
    return "\n".join("" if re.match(r"\s*[%!]", line) else line for line in lines)


def codes(cells):
    return [source_of(cell) for cell in cells if cell.get("cell_type") == "code"]


def alias_in(sources):
    """How a notebook calls its checks, and whose they are: (check, support_vector_machine), or (check, "")."""
    text = "\n".join(sources)
    found = re.search(r"^from kernelkit\.exercises import (\w+)(?: as (\w+))?", text, re.M)
    return (found[2] or found[1], found[1]) if found else ("check", "")


def attempts(cells, course):
    """(exercise, alias, cells to run, the cell itself) of each answer, as far as Python can read it; else the error."""
    sources = codes(cells)
    alias, module = alias_in(sources)
    found = {}
    for number, source in enumerate(sources):
        for called, name in CALL.findall(source):
            exercise = f"{module}.{name}"
            if called == alias and exercise in course:
                found.setdefault(exercise, []).append(number)
    for exercise, numbers in found.items():
        for number in numbers[-ATTEMPTS:]:
            yield exercise, alias, number, sources


def needed(sources, number, alias):
    """What the cell of an answer uses of other cells: imports, functions, classes and assignments, in their order."""
    made = {}  # name: [(cell, statement, its text, names it uses)]
    for place, source in enumerate(sources):
        if place == number:
            continue
        with contextlib.suppress(SyntaxError, ValueError, RecursionError, MemoryError):
            for i, node in enumerate(ast.parse(source).body):
                for name in defined(node):
                    made.setdefault(name, []).append((place, i, ast.get_source_segment(source, node)))
    wanted, taken, waiting = {}, set(), [(number, name) for name in used(sources[number])]
    while waiting:
        place, name = waiting.pop()
        if name in taken or name == alias or name not in made:
            continue
        taken.add(name)
        before = [one for one in made[name] if one[0] < number]
        found = before[-1] if before else made[name][0]
        wanted[found[:2]] = found[2]
        waiting += [(found[0], other) for other in used(found[2])]
    return [wanted[key] for key in sorted(wanted)]


def defined(node):
    """The names that a statement gives something to; none if it is of another kind."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return [node.name]
    if isinstance(node, ast.Import | ast.ImportFrom):
        return [(one.asname or one.name).partition(".")[0] for one in node.names]
    if isinstance(node, ast.Assign | ast.AnnAssign):
        return [n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)]
    return []


def used(source):
    """The names that a piece of code takes from outside."""
    found, waiting = set(), []
    with contextlib.suppress(SyntaxError, ValueError, RecursionError):
        waiting = [symtable.symtable(source, "cell", "exec")]
    while waiting:
        table = waiting.pop()
        top = table.get_type() == "module"
        found |= {s.get_name() for s in table.get_symbols() if s.is_referenced() and (top or s.is_global())}
        waiting += table.get_children()
    return found


# ---- the verdicts --------------------------------------------------------------------------------


@cache
def check_of(exercise):
    module, _, name = exercise.partition(".")
    return getattr(importlib.import_module(f"kernelkit.exercises.{module}"), name)


@cache
def explorer_of(check):
    """The explorer whose panel a challenge asks for; None if the exercise is no challenge."""
    reached.explorer = None
    check.of(None)
    return reached.explorer


def verdicts(path, course, limits, seed):
    """[(exercise, Result)] of one file, judged anew."""
    from kernelkit.exercises import base

    base.hidden.seed = seed
    cells = read_cells(path)
    answers, found = Answers(limits), []
    try:
        for exercise, alias, number, sources in attempts(cells, course):
            check = check_of(exercise)
            try:
                with alarm(2 * WAIT * limits.seconds):
                    if explorer_of(check):
                        result = of_states(exercise, cells)
                    else:
                        result = of_answer(check, answers, sources, number, alias)
            except (Mistake, Broken) as error:  # the alarm may ring anywhere
                answers.end()
                result = Result("wrong", getattr(error, "name", "broken_off"), str(error))
            found.append((exercise, result))
    finally:
        answers.end()
    return found


def of_answer(check, answers, sources, number, alias):
    """Run one answer and judge what it returns."""
    try:
        ast.parse(sources[number])
        cells = [*needed(sources, number, alias), sources[number]]
        answer = answers.begin(cells, alias, check.judge.__name__)
    except SyntaxError as error:
        return Result("wrong", "stopped", f"your code stopped with SyntaxError: {plain(str(error))}")
    except Mistake as mistake:
        return Result("wrong", mistake.name, str(mistake))
    except Exception as error:
        answers.done()
        return Result("wrong", "stopped", plain(f"your code stopped with {type(error).__name__}: {error}"))
    try:
        result = check.of(answer)
    finally:
        answers.done()
    return Result(result.verdict, result.mistake or "", plain(result.line.partition(": ")[2]))


def of_states(exercise, cells):
    """Judge a challenge by the states of the panel that its outputs store; the best counts."""
    results = [Result("open", "", "no state of the panel is stored")]
    for cell in cells:
        outputs = cell.get("outputs")
        for output in outputs if isinstance(outputs, list) else ():
            said = inner(output, "metadata", MARK)
            if inner(said, "exercise") == exercise and isinstance(inner(said, "values"), dict):
                results.append(of_state(exercise, json.dumps(said["values"])))
    return max(results, key=lambda one: ("open", "wrong", "right").index(one.verdict))


@cache
def of_state(exercise, values):
    """Judge one state of a panel; what its controls cannot show is no state."""
    check = check_of(exercise)
    panel = explorer_of(check)()
    try:
        values = json.loads(values)
        panel.set(**{name: value for name, value in values.items() if name in panel.values})
    except Exception as error:
        return Result("wrong", "no_state", plain(f"the panel cannot show what is stored: {error}"))
    result = check.of(panel)
    return Result(result.verdict, result.mistake or "", plain(result.line.partition(": ")[2]))


@contextlib.contextmanager
def alarm(seconds):
    """Interrupt a check whose arithmetic does not end, where the system has alarms."""
    if not hasattr(signal, "setitimer"):
        yield
        return

    def ring(*_):
        raise Mistake("too_slow", f"judging took more than {seconds:g} seconds.")

    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def rerun(paths, course, limits, jobs=None):
    """{path: [(exercise, Result)] or the error} of many files, several at a time; ValueError without a box."""
    if limits.protected and (why := why_no_box()):
        raise ValueError(NO_BOX.format(why=why))
    for exercise in course:
        explorer_of(check_of(exercise))  # once, before the processes part
    seed = secrets.randbits(64)
    work = partial(_quietly, course=course, limits=limits, seed=seed)
    with ProcessPoolExecutor(jobs or os.cpu_count()) as pool:
        return dict(zip(paths, pool.map(work, paths), strict=True))


def _quietly(path, **given):
    try:
        return verdicts(path, **given)
    except (ValueError, OSError, Mistake) as error:
        return str(error)
