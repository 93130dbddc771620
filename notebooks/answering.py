"""The process in which the answers of a class run: it gets cells and arguments, and gives back what the answers return.

``report.py --rerun`` starts it, as a rule in a box without files and network. It knows no check and no verdict, so
whatever an answer changes here, it can only return something else. What crosses between the two processes is written
in JSON, which can carry values but no code: what is neither a number, a text, an array, a table nor a kernel stays
where it is, and the other side gets a handle by which it can be called.
"""

import base64
import contextlib
import dataclasses
import importlib
import inspect
import json
import os
import struct
import sys
import warnings
from numbers import Real

LARGEST = 50_000_000  # bytes of one message
SMALL = 1_000_000  # bytes of a file in the box
PROGRAM = 0x7FFF0000  # what seccomp answers to a call that is allowed
DENIED = 0x00050001  # … and to one that is not: “operation not permitted”


WARNINGS = {kind.__name__: kind for kind in (RuntimeWarning, UserWarning, DeprecationWarning, FutureWarning)}


class Broken(Exception):
    """The other side said something that is no message."""


# ---- what crosses --------------------------------------------------------------------------------


class Away:
    """A handle of something that stayed on the other side."""

    def __init__(self, ask, number):
        self.__ask, self.__number = ask, number

    def __call__(self, *given, **named):
        return self.__ask("call", self.__number, [given, named])


class AwayIterator(Away):
    """A handle of something that is iterated over on the other side."""

    def __iter__(self):
        self._Away__ask("iter", self._Away__number, None)
        return self

    def __next__(self):
        there, value = self._Away__ask("next", self._Away__number, None)
        if not there:
            raise StopIteration
        return value


class Opaque:
    """What cannot cross: only the name of its type is known."""


class Crossing:
    """Both directions of one connection: send(message) and receive() of bytes, and what is kept for the other side."""

    def __init__(self, send, receive):
        self.write, self.read, self.kept, self.failing = send, receive, [], None

    # -- values

    def coded(self, value):
        """A value as JSON."""
        import numpy as np

        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return str.__str__(value)  # the plain text, whatever a class of its own would say
        if value is Ellipsis:
            return ["dots"]
        if isinstance(value, np.generic):
            return ["scalar", self.coded(np.asarray(value))]
        if isinstance(value, int | float):
            return value.real
        if isinstance(value, Real):  # a fraction
            return float(value)
        if isinstance(value, complex):
            return ["complex", value.real, value.imag]
        if isinstance(value, range):
            value = list(value)
        if isinstance(value, list | tuple | set | frozenset):
            kind = next(k.__name__ for k in (list, tuple, set, frozenset) if isinstance(value, k))
            return [kind, [self.coded(part) for part in value]]
        if isinstance(value, dict):
            return ["dict", [[self.coded(key), self.coded(part)] for key, part in value.items()]]
        if isinstance(value, np.ndarray) or (hasattr(value, "__array__") and not self.of_the_course(value)):
            array = np.asarray(value)
            if array.dtype.kind in "biufcUS":
                content = base64.b64encode(np.ascontiguousarray(array).tobytes()).decode()
                return ["array", array.dtype.str, list(array.shape), content]
            return ["objects", list(array.shape), [self.coded(part) for part in array.ravel().tolist()]]
        if self.of_the_course(value) and dataclasses.is_dataclass(value) and not isinstance(value, type):
            fields = {
                field.name: self.coded(getattr(value, field.name)) for field in dataclasses.fields(value) if field.init
            }
            return ["made", type(value).__module__, type(value).__qualname__, fields]
        if isinstance(value, type) and value.__module__.startswith("kernelkit."):
            return ["class", value.__module__, value.__qualname__]
        if callable(value) or hasattr(value, "__next__") or hasattr(value, "__iter__"):
            self.kept.append(value)
            return ["away", len(self.kept) - 1, callable(value), type(value).__name__, names_of(value)]
        return ["opaque", type(value).__name__]

    @staticmethod
    def of_the_course(value):
        module = type(value).__module__
        return module.startswith("kernelkit.") and not module.startswith("kernelkit.exercises")

    def decoded(self, code):
        """The value again; Broken if it is none."""
        try:
            return self._decoded(code)
        except (ValueError, TypeError, KeyError, IndexError, AttributeError, ImportError, RecursionError) as error:
            raise Broken(f"{type(error).__name__}: {error}") from None

    def _decoded(self, code):
        import numpy as np

        if not isinstance(code, list):
            return code
        kind, *rest = code
        if kind == "dots":
            return ...
        if kind == "complex":
            return complex(*rest)
        if kind == "scalar":
            return self._decoded(rest[0])[()]
        if kind in ("list", "tuple", "set", "frozenset"):
            return {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}[kind](map(self._decoded, rest[0]))
        if kind == "dict":
            return {self._decoded(key): self._decoded(part) for key, part in rest[0]}
        if kind == "array":
            dtype, shape, content = np.dtype(rest[0]), rest[1], base64.b64decode(rest[2])
            if dtype.kind not in "biufcUS":
                raise ValueError(f"an array of {dtype}")
            return np.frombuffer(content, dtype).reshape(shape).copy()
        if kind == "objects":
            array = np.empty(len(rest[1]), dtype=object)
            array[:] = [self._decoded(part) for part in rest[1]] or array
            return array.reshape(rest[0])
        if kind in ("made", "class"):
            if not rest[0].startswith(("kernelkit.kernels.", "kernelkit.features.")):
                return self._shell(rest[1])
            found = importlib.import_module(rest[0])
            for name in rest[1].split("."):
                found = getattr(found, name)
            if not isinstance(found, type):
                raise ValueError(f"{rest[1]} is no class")
            if kind == "class":
                return found
            if not dataclasses.is_dataclass(found):
                raise ValueError(f"{rest[1]} has no fields")
            return found(**{name: self._decoded(part) for name, part in rest[2].items()})
        if kind == "away":
            return self._handle(*rest)
        if kind == "opaque":
            return self._shell(rest[0])
        raise ValueError(f"{kind!r} is no kind of value")

    @staticmethod
    def _shell(name):
        return type(name if str(name).isidentifier() else "object", (Opaque,), {})()

    def _handle(self, number, is_callable, name, names):
        if not is_callable:
            return AwayIterator(self.ask, number)

        def away(*given, **named):
            return self.ask("call", number, [given, named])

        away.__name__ = away.__qualname__ = str(name)
        if names is not None:
            kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
            away.__signature__ = inspect.Signature([inspect.Parameter(one, kind) for one in names])
        return away

    # -- messages

    def say(self, *message):
        text = json.dumps(message).encode()
        if len(text) > LARGEST:
            raise ValueError("the answer returned more than 50 MB")
        self.write(struct.pack(">I", len(text)) + text)

    def hear(self):
        try:
            message = json.loads(self.read())
        except (ValueError, RecursionError):
            raise Broken("not a message") from None
        if not isinstance(message, list) or not message or not isinstance(message[0], str):
            raise Broken("not a message")
        return message

    def ask(self, what, number, given):
        """Let the other side call, or go on with, something that stayed there; meanwhile it may ask back."""
        self.say(what, number, self.coded(given))
        while True:
            kind, *rest = self.hear()
            if kind == "value":
                for name, text in rest[1]:
                    warnings.warn(str(text), WARNINGS.get(name, UserWarning), stacklevel=2)
                return self.decoded(rest[0])
            if kind == "error":
                raise self.failure(*rest[:2])
            if kind not in ("call", "iter", "next"):
                raise Broken(f"{kind!r} is no answer")
            self.answer(kind, *rest)

    def answer(self, kind, number, given):
        """Do what the other side asks for, and tell it the value or the error."""
        try:
            with warnings.catch_warnings(record=True) as warned:
                warnings.simplefilter("always")
                code = self.coded(self.done(kind, self.kept[number], number, given))
            self.say("value", code, [[one.category.__name__, str(one.message)[:100]] for one in warned[:3]])
        except Broken:
            raise
        except Exception as error:
            self.failed(error)

    def done(self, kind, thing, number, given):
        """The value of a call, or of the next step of an iteration."""
        if kind == "call":
            positional, named = self.decoded(given)
            return thing(*positional, **named)
        if kind == "iter":
            self.kept[number] = iter(thing)
            return None
        try:
            return True, next(thing)
        except StopIteration:
            return False, None

    def failed(self, error):
        """Tell the other side of an error."""
        self.failing = error
        self.say("error", type(error).__name__, str(error)[:300])

    def failure(self, name, text):
        """The error of the other side, of the same name; the checks ask for some of them by their type."""
        import builtins

        import numpy as np

        if type(self.failing).__name__ == name and str(self.failing)[:300].split() == text.split():  # it only came back
            return self.failing
        kind = np.linalg.LinAlgError if name == "LinAlgError" else getattr(builtins, str(name), None)
        if not (isinstance(kind, type) and issubclass(kind, Exception)):
            kind = type(name if str(name).isidentifier() else "Error", (Exception,), {})
        try:
            return kind(text)
        except TypeError:  # UnicodeDecodeError and its like want more than a text
            return type(str(name), (Exception,), {})(text)


def names_of(function):
    """The names of a function's parameters, for sentences; None if it does not tell."""
    try:
        found = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    return [p.name for p in found if p.kind is p.POSITIONAL_OR_KEYWORD]


# ---- the cells -----------------------------------------------------------------------------------


class Checks:
    """What stands for the checks here: whatever is called on it, or imported from it, only notes what it was handed."""

    def __init__(self, handed, name=""):
        self._handed, self._name = handed, name

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Checks(self._handed, name)

    def __call__(self, answer=None, *_, **__):
        self._handed[self._name] = answer


def executed(sources, alias):
    """What the cells of an exercise hand to each check; the last cell may stop after its check."""
    handed = {}
    checks = Checks(handed)
    sys.modules["kernelkit.exercises"] = checks
    space = {"__name__": "__main__", "display": lambda *_, **__: None}
    for i, source in enumerate(sources):
        space[alias] = checks
        try:
            exec(compile(source, f"<cell {i}>", "exec"), space)
        except Exception:
            if i == len(sources) - 1 and not handed:
                raise
    return handed


def serve(crossing):
    """One exercise: run its cells, hand over the answer, and do what the other side asks for, until it has done."""
    _, sources, alias, check = crossing.hear()
    try:
        handed = executed(sources, alias)
        crossing.say("value", crossing.coded(handed.get(check, None)), [])
    except Exception as error:
        crossing.failed(error)
    while True:
        kind, *rest = crossing.hear()
        if kind == "done":
            return
        crossing.answer(kind, *rest)


# ---- limits --------------------------------------------------------------------------------------


def limit(memory, seconds):
    """Small files, no new processes, so much memory and time; what this system does not know is left out."""
    try:
        import resource
    except ImportError:
        return
    most = {"AS": (memory, memory), "CPU": (seconds, seconds + 1), "FSIZE": (SMALL, SMALL), "CORE": (0, 0)}
    for name, limits in most.items():
        with contextlib.suppress(ValueError, OSError, AttributeError):
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), limits)
    forbid_processes()


def forbid_processes():
    """Ask Linux (seccomp) to refuse fork, vfork and clone, but for threads; True if it does."""
    import ctypes
    import platform

    numbers = {"x86_64": (0xC000003E, 56, 435, (57, 58)), "aarch64": (0xC00000B7, 220, 435, ())}
    if sys.platform != "linux" or platform.machine() not in numbers:
        return False
    arch, clone, clone3, forks = numbers[platform.machine()]
    load, equal, some, answer = 0x20, 0x15, 0x45, 0x06  # BPF: load a word, jump if equal, jump if any bit, return
    program = [(load, 0, 0, 4), (equal, 1, 0, arch), (answer, 0, 0, DENIED), (load, 0, 0, 0)]
    for number in forks:
        program += [(equal, 0, 1, number), (answer, 0, 0, DENIED)]
    program += [(equal, 0, 1, clone3), (answer, 0, 0, 0x00050026)]  # not known: then clone is tried
    program += [(equal, 0, 3, clone), (load, 0, 0, 16), (some, 1, 0, 0x00010000), (answer, 0, 0, DENIED)]
    program += [(answer, 0, 0, PROGRAM)]
    code = b"".join(struct.pack("=HBBI", *line) for line in program)
    buffer = ctypes.create_string_buffer(code)
    text = struct.pack("@HP", len(program), ctypes.addressof(buffer))
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(38, 1, 0, 0, 0)
    return libc.prctl(22, 2, ctypes.c_char_p(text), 0, 0) == 0


# ---- the process ---------------------------------------------------------------------------------


def exactly(descriptor, n):
    parts = bytearray()
    while len(parts) < n:
        more = os.read(descriptor, min(n - len(parts), 1 << 20))
        if not more:  # the other side is gone
            os._exit(0)
        parts += more
    return bytes(parts)


def main(path, memory, seconds):
    sys.path[:0] = json.loads(path)
    asked, told = os.dup(0), os.dup(1)
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.dup2(2, 1)  # what an answer prints goes where errors go
    importlib.import_module("kernelkit.kernels")  # before the first answer is forked off

    def send(data):
        view = memoryview(data)
        while view:
            view = view[os.write(told, view) :]

    def receive():
        return exactly(asked, struct.unpack(">I", exactly(asked, 4))[0])

    ended = 0  # the signal that ended the last answer
    while True:
        Crossing(send, receive).say("ready", ended)
        if receive() != b'"next"':
            return
        child = os.fork() if hasattr(os, "fork") else 0
        if child:
            status = os.waitpid(child, 0)[1]
            ended = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
            continue
        limit(int(memory), int(seconds))
        with contextlib.suppress(SystemExit, KeyboardInterrupt):
            serve(Crossing(send, receive))
        sys.stdout.flush()
        if hasattr(os, "fork"):
            os._exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
