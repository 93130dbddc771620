"""Each section of Deeper runs directly after the core, without the others, and prints what is stored.

It needs no browser, but two minutes: every core runs once more. The short run only reads the names of the variables.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from notebook_cells import LESSONS

from kernelkit.course.tools import stored

SCRIPT = Path(__file__).parents[1] / "after_the_core.py"
WITH_DEEPER = [path for path in LESSONS if any(s.kind == "deeper" for s in stored.sections(stored.read(path)))]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the sections run in forks of one process")
def test_each_deeper_section_runs_directly_after_the_core():
    done = subprocess.run([sys.executable, str(SCRIPT), *map(str, WITH_DEEPER)], capture_output=True, text=True)
    assert (done.stdout.splitlines(), done.returncode) == ([], 0), done.stderr
