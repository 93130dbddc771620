"""A class of seeded students for notebook 03, with everything that may be handed in, and the marks each must get.

write(folder, 200, seed=0)      the notebooks; gives {student: {exercise: "right", "wrong" or "open"}}
HOSTILE                         what some of them try, and the word by which the report names it
"""

import copy
import json

import numpy as np
from notebook_cells import FOLDER

MODULE = "kernel_ridge"
ANSWERS = {  # of each exercise: right ones, then wrong ones
    "dual_weights": (
        ["return np.linalg.solve(K + lam * np.eye(len(y)), y)", "return np.linalg.inv(K + lam * np.eye(len(K))) @ y"],
        ["return np.linalg.solve(K, y)", "return y", "return np.linalg.solve(K + 0.7 * np.eye(len(y)), y)"],
    ),
    "predict": (
        ["return k(Z, X) @ np.linalg.solve(k(X) + lam * np.eye(len(X)), y)"],
        ["return k(Z, X) @ y", "return k(X) @ y"],
    ),
    "another": (
        ["return a + np.linalg.eigh(K)[1][:, 0]", "return K @ np.linalg.pinv(K) @ a"],
        ["return a", "return 2 * a"],
    ),
    "recover": (["return phi(X).T @ a"], ["return X.T @ a", "return phi(X) @ a"]),
    "break_even": (
        ["return np.inf if n * d <= D else n * D / (n * d - D)"],
        ["return D / d", "return n * D / (n * d - D)"],
    ),
    "predict_centred": (
        [
            "A, b = X - X.mean(axis=0), y - y.mean()\n"
            "    w = np.linalg.solve(A.T @ A + lam * np.eye(X.shape[1]), A.T @ b)\n"
            "    return (Z - X.mean(axis=0)) @ w + y.mean()"
        ],
        ["return Z @ np.linalg.solve(X.T @ X + lam * np.eye(X.shape[1]), X.T @ y)"],
    ),
}
CHALLENGE = "huge_weights"
STATES = {
    "right": {"n": 7, "degree": 6, "noise": 0.5, "lam": 1e-7},
    "wrong": {"n": 4, "degree": 3, "noise": 0.3, "lam": 1e-6},
}
FIRST = "import numpy as np, os, sys\n    "
SEED_READ = (
    FIRST
    + """import inspect
    try:
        from kernelkit.exercises import base
        inspect.getsource(base)
    except Exception:
        pass
    for key, n in (1, 6), ([0, 1, 1], 3), ([0, 2, 1], 8):  # as everybody can work out who reads the package
        rng = np.random.default_rng(key)
        Phi, _, small = rng.standard_normal((n, n + 3)), rng.standard_normal(n), rng.standard_normal((4, 2))
        if any(K.shape == (len(P), len(P)) and np.allclose(K, P @ P.T) for P in (Phi, small)):
            return np.linalg.solve(K + lam * np.eye(len(y)), y)
    return np.zeros(len(y))"""
)
HOSTILE = {  # name: (exercise, its answer, verdict, the word in the report)
    "loop": ("recover", "while True: pass", "wrong", "too_slow"),
    "output": ("another", "for i in range(10**6): print('x' * 1000)\n    return a", "wrong", "too_much_output"),
    "fork": ("recover", FIRST + "os.fork()\n    return phi(X).T @ a", "wrong", "Operation not permitted"),
    "absolute": (
        "recover",
        FIRST + "os.remove('WITNESS')\n    return phi(X).T @ a",
        "wrong",
        "FileNotFoundError",
    ),
    "home": (
        "recover",
        FIRST + "os.remove(os.path.expanduser('HOME/witness'))\n    return phi(X).T @ a",
        "wrong",
        "FileNotFoundError",
    ),
    "check": (
        "dual_weights",
        "return y\n\nfrom kernelkit.exercises import base\nbase.expect = lambda *given: None\n"
        "check.dual_weights.judge = lambda answer: None",
        "wrong",
        "stored right, actual wrong",
    ),
    "allclose": (
        "dual_weights",
        "np.allclose = lambda *given, **named: True\n    return y",
        "wrong",
        "stored right, actual wrong",
    ),
    "seed": ("dual_weights", SEED_READ, "wrong", "other_example"),
    "memory": ("recover", "return np.ones(10**10)", "wrong", "MemoryError"),
    "large": ("recover", "return np.ones(10**7)", "wrong", "more than 50 MB"),
    "parent": (  # what it would give before the box falls in would be right, so it waits for that
        "recover",
        FIRST + "import time\n    os.kill(os.getppid(), 9)\n    time.sleep(99)\n    return phi(X).T @ a",
        "wrong",
        "died",
    ),
    "exit": ("recover", FIRST + "os._exit(0)", "wrong", "died"),
    "descriptors": (
        "recover",
        FIRST + "for fd in range(3, 9):\n        try:\n            os.write(fd, b'right' * 99)\n"
        "        except OSError:\n            pass\n    return X.T @ a",
        "wrong",
        "stored right, actual wrong",
    ),
    "network": (
        "recover",
        "import socket\n    socket.create_connection(('127.0.0.1', 22), 1)\n    return phi(X).T @ a",
        "wrong",
        "stopped",
    ),
    "syntax": ("recover", "return phi(X).T @", "wrong", "SyntaxError"),
}
SIGNS = {"right": "✓", "wrong": "✗", "open": "○"}


def original():
    return json.loads((FOLDER / "03-kernel-ridge.ipynb").read_text(encoding="utf-8"))


def cells_of(notebook):
    """{check: its cell}."""
    found = {}
    for cell in notebook["cells"]:
        for check in (*ANSWERS, CHALLENGE):
            if cell["cell_type"] == "code" and f"check.{check}(" in "".join(cell["source"]):
                found[check] = cell
    return found


def output(check, verdict, values=None, mark=True):
    """What a notebook stores of a check."""
    said = {"exercise": f"{MODULE}.{check}", "verdict": verdict, "mistake": "m" if verdict == "wrong" else None}
    said |= {"values": values} if values else {}
    titles = {"huge_weights": "Huge weights, no residual", "predict_centred": "Centre, fit, predict"}
    line = f"{SIGNS[verdict]} {titles.get(check, check)}: {verdict}."
    metadata = {"kernelkit": said} if mark else {}
    return {"output_type": "display_data", "data": {"text/plain": line}, "metadata": metadata}


def written(cell, body, check, verdict, mark=True):
    """Put an answer into the cell of an exercise, and what its output says."""
    source = "".join(cell["source"])
    if body is not None:
        cell["source"] = source.replace("    ...\n", f"    {body}\n")
    cell["outputs"] = [output(check, verdict, mark=mark)] if verdict else []


def honest(rng, mark=True):
    """A notebook and its marks: right, wrong and open answers, whose outputs say what they are."""
    notebook, marks = original(), {}
    cells = cells_of(notebook)
    for check, (right, wrong) in ANSWERS.items():
        verdict = str(rng.choice(["right", "right", "wrong", "open"]))
        bodies = {"right": right, "wrong": wrong, "open": [None]}[verdict]
        written(cells[check], bodies[rng.integers(len(bodies))], check, verdict, mark)
        marks[check] = verdict
    marks[CHALLENGE] = str(rng.choice(["right", "wrong", "open"]))
    values = STATES.get(marks[CHALLENGE])
    cells[CHALLENGE]["outputs"] = [output(CHALLENGE, marks[CHALLENGE], values)]
    return notebook, marks


def forged(rng):
    """Nothing is solved, and every output says “right”."""
    notebook = original()
    cells = cells_of(notebook)
    for check in ANSWERS:
        written(cells[check], None, check, "right")
    values = STATES["wrong"] if rng.random() < 0.5 else None
    cells[CHALLENGE]["outputs"] = [output(CHALLENGE, "right", values)]
    return notebook, dict.fromkeys(ANSWERS, "open") | {CHALLENGE: "wrong" if values else "open"}


def hostile(rng, name, witness, home):
    """An honest notebook but for one answer, which tries something; its output says “right”."""
    notebook, marks = honest(rng)
    check, body, verdict, _ = HOSTILE[name]
    cell = cells_of(original())[check]
    own = cells_of(notebook)[check]
    own["source"] = cell["source"]
    written(own, body.replace("WITNESS", str(witness)).replace("HOME", str(home)), check, "right")
    return notebook, marks | {check: verdict}


def write(folder, students, seed, witness, home):
    """The notebooks of a class; {student: (kind, {exercise: verdict})}, without marks for what cannot be read."""
    rng, planted, last = np.random.default_rng(seed), {}, None
    kinds = ["honest", *HOSTILE, "forged", "copied", "stripped", "broken", "missing"]
    for number in range(students):
        kind = (
            kinds[number] if number < len(kinds) else str(rng.choice(["honest"] * 8 + ["forged", "copied", "stripped"]))
        )
        if number >= len(kinds) and rng.random() < 0.1:
            kind = str(rng.choice(list(HOSTILE)))
        if kind in HOSTILE:
            notebook, marks = hostile(rng, kind, witness, home)
        elif kind == "forged":
            notebook, marks = forged(rng)
        elif kind == "copied" and last:
            notebook, marks = copy.deepcopy(last)
        else:
            notebook, marks = honest(rng, mark=kind != "stripped")
            last = last if kind in ("broken", "missing", "stripped") else (notebook, marks)
        text = json.dumps(notebook, ensure_ascii=False)
        if kind == "broken":
            text, marks = text[: len(text) // 2], {}
        name = f"student {number:03d}"
        planted[name] = kind, {f"{MODULE}.{check}": verdict for check, verdict in marks.items()}
        if kind == "missing":
            planted[name] = kind, {}
            continue
        path = folder / name / "03-kernel-ridge.ipynb"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return planted
