"""How long the site takes to build, and what it weighs: python tests/benchmarks/whole_site.py

Builds the site of all notebooks into a folder of its own, and once more, when nothing has changed. On two processors
that do nothing else the first takes at most 6 minutes, the site weighs at most 90 MB, and its pictures of panels 60.
"""

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2] / "notebooks"))

from browser.site import build

MINUTES, WHOLE, PICTURES = 6, 90, 60  # megabytes


def weight(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def minutes(folder):
    start = time.time()
    build(folder)
    return (time.time() - start) / 60


def main():
    with tempfile.TemporaryDirectory() as home:
        folder = Path(home, "site")
        rows = [
            ("minutes to build it", minutes(folder), MINUTES),
            ("minutes to build it again", minutes(folder), MINUTES),
            ("megabytes", weight(folder), WHOLE),
            ("megabytes of pictures", weight(folder / "frames"), PICTURES),
        ]
    for name, value, most in rows:
        print(f"{name:28}{value:8.1f}   ≤ {most:<4} {'ok' if value <= most else 'missed'}")


if __name__ == "__main__":
    main()
