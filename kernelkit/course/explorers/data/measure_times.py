"""Measure the times that pictures of panels show.

    python -m kernelkit.course.explorers.data.measure_times [PANEL…]

Each panel is measured at all of its ``SETTINGS``, ``PASSES`` times, and the shortest times are kept, with the machine
and the date, in ``measured.json`` of this folder. It takes about half an hour, in which
nothing else should run.
"""

import datetime
import importlib
import json
import os
import platform
import re
import sys
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

from kernelkit.course.explorers.data import measured

PANELS = (
    "feature_maps.growth",
    "kernel_logistic.costs",
    "kernel_ridge.recovery",
    "kernel_ridge.times",
    "kernel_trick.clock",
    "scaling_up.race",
    "scaling_up.wall",
)
PASSES = 4  # over all settings: what else the machine does is another thing each time


def measurements(name):
    """The record of one panel, measured now."""
    module = importlib.import_module(f"kernelkit.course.explorers.{name}")
    panel = getattr(module, name.partition(".")[2])
    rows = {}
    for setting in PASSES * list(module.SETTINGS):
        *_, (_, found) = panel.measure(**panel.start() | setting)
        row = measured.key(**setting)
        rows[row] = shorter(rows.get(row), plain(found))
    return {"machine": machine(), "date": datetime.date.today().isoformat(), "rows": rows}


def plain(found):
    """What a panel measured, as JSON holds it: sizes as they are, three digits of each time."""
    if isinstance(found, dict):
        return {name: plain(part) for name, part in found.items()}
    if np.ndim(found):
        return [plain(part) for part in found]
    return int(found) if float(found).is_integer() else float(f"{found:.3g}")


def shorter(one, other):
    """The shorter time of each two."""
    if isinstance(other, dict):
        return {name: shorter(one and one[name], part) for name, part in other.items()}
    if isinstance(other, list):
        return [shorter(one and one[i], part) for i, part in enumerate(other)]
    return other if one is None else min(one, other)


def machine():
    """The processor, in a few words."""
    said = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    name = re.search(r"model name\s*: (.+)", said)
    words = re.sub(r"\(\w+\)|@|CPU|Processor", " ", name[1] if name else platform.processor() or platform.machine())
    return " ".join(words.split())


def written(panels):
    """The file's text: one setting a line."""
    parts = []
    for name, panel in sorted(panels.items()):
        rows = ",\n".join(f"{json.dumps(key)}: {json.dumps(row)}" for key, row in sorted(panel["rows"].items()))
        head = ", ".join(f"{json.dumps(word)}: {json.dumps(panel[word])}" for word in ("machine", "date"))
        parts.append(f'{json.dumps(name)}: {{{head}, "rows": {{\n{rows}\n}}}}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def main(names):
    unknown = set(names) - set(PANELS)
    if unknown:
        sys.exit(f"No such panel: {', '.join(sorted(unknown))}. There are: {', '.join(PANELS)}.")
    panels = dict(measured.everything()) if measured.FILE.exists() else {}
    for name in names or PANELS:
        panels[name] = measurements(name)
        measured.FILE.write_text(written(panels), encoding="utf-8")
        print(name, len(panels[name]["rows"]), "settings")


if __name__ == "__main__":
    main(sys.argv[1:])
