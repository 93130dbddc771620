"""Times that were measured once and are kept with the course, for the pictures of a page where nothing runs.

They stand in ``measured.json``: for each panel the machine, the date and one row for each setting. The command
``measure_times.py [PANEL…]`` writes it.
"""

import json
from functools import lru_cache
from pathlib import Path

FILE = Path(__file__).with_name("measured.json")


@lru_cache(maxsize=1)
def everything():
    """What the file holds: {panel: {"machine": …, "date": …, "rows": {setting: measurements}}}."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def key(**setting):
    """A setting as it is written in the file: "d=5 degree=3"."""
    return " ".join(f"{name}={value}" for name, value in sorted(setting.items()))


def committed(name, **setting):
    """(what ``measure`` of this panel said at this setting, where and when); (None, "") where nobody measured.

    name : notebook and panel, "kernel_ridge.times".  setting : the values that the times depend on, no others.
    """
    panel = everything().get(name, {"rows": {}})
    rows = panel["rows"].get(key(**setting))
    return (None, "") if rows is None else (rows, f"{panel['machine']}, {panel['date']}")


def shown(measured, name, **setting):
    """(measurements, whose): those of this machine where its button was pressed, else the committed ones."""
    return committed(name, **setting) if measured is None else (measured, "this machine")
