"""A seeded class of two hundred, judged anew: are all marks as planted, and how long does it take?

    python tests/benchmarks/class_of_200.py [students] [seed]

It needs bubblewrap, as ``notebooks/report.py --rerun`` does.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"
TOP = Path(__file__).parents[2]
sys.path[:0] = [str(TOP), str(TOP / "tests"), str(TOP / "notebooks")]

import planted_class  # noqa: E402
from test_rerun import graded, judged_class  # noqa: E402


def main(students=200, seed=0):
    with tempfile.TemporaryDirectory() as place:
        place = Path(place)
        (place / "witness").write_text("here")
        planted = planted_class.write(place / "in", students, seed, place / "witness", place)
        (place / "names.txt").write_text("\n".join(planted))
        command = [
            sys.executable,
            TOP / "notebooks" / "report.py",
            place / "in",
            "--rerun",
            "--class",
            place / "names.txt",
        ]
        command += ["--grades", place / "grades.csv", "--picture", place / "report.png"]
        start = time.perf_counter()
        done = subprocess.run(list(map(str, command)), capture_output=True, text=True, cwd=place, check=True)
        seconds = time.perf_counter() - start
        judged_class(place / "in", planted, done.stdout, graded(place / "grades.csv"))
        assert (place / "witness").read_text() == "here"
    kinds = [kind for kind, _ in planted.values()]
    hostile = sum(kind in planted_class.HOSTILE for kind in kinds)
    print(
        f"{students} students, {hostile} of them hostile: all marks as planted, {seconds:.0f} s, {os.cpu_count()} cores"
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
