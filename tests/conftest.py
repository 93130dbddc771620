"""What all tests share: who runs what, the hypothesis profile, and seeded data that nobody may write into."""

import gc
import itertools
import os
import sys
from zlib import crc32

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as in the notebooks: two workers with two threads each only wait

import numpy as np
import pictures
import pytest
from hypothesis import HealthCheck, settings
from xdist.scheduler import LoadFileScheduling

settings.register_profile(
    "theorems", derandomize=True, deadline=None, max_examples=100, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("theorems")


# Cells stand in order; patients, a site and an open notebook take long to make.
WHOLE = (".ipynb", "test_segmentation.py", "site.py", "test_shell.py")
SLOW = (
    ".ipynb",
    "test_every_panel.py",
    "test_notebooks.py",
    "test_notebook_form.py",
    "test_films.py",
    "test_report.py",
    "test_static_pages.py",
    "test_import.py",
    "test_segmentation.py",
)
PANELS = "test_every_panel.py"  # the tests of one panel share what they compute and draw
PARTS = 32  # of any other file: small enough to share the work, large enough that no worker waits for the next test


class NotebooksWhole(LoadFileScheduling):
    """The cells of a notebook go to one worker, in order; of most other files a few tests at a time."""

    def _split_scope(self, nodeid):
        file = super()._split_scope(nodeid)
        if file.endswith(PANELS):
            return f"{file} {nodeid.rpartition('[')[2]}"
        return file if file.endswith(WHOLE) else f"{file} {crc32(nodeid.encode()) % PARTS}"


def pytest_configure(config):
    """nbval compares what the cells of a notebook print, and this plugin what they draw."""
    config.pluginmanager.register(pictures)


def pytest_xdist_make_scheduler(config, log):
    return NotebooksWhole(config, log)


def pytest_collection_modifyitems(items):
    """What takes long is marked, so that ``-m "not slow"`` is a quick run."""
    for item in items:
        if item.nodeid.partition("::")[0].endswith(SLOW):
            item.add_marker(pytest.mark.slow)


def pytest_collection_finish():
    """What is loaded by now stays: the garbage collector need not look at it again and again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def closed_widgets():
    """ipywidgets keeps every widget alive until it is closed, and with it its figure."""
    yield
    if "ipywidgets" in sys.modules:
        sys.modules["ipywidgets"].Widget.close_all()


@pytest.fixture
def even_frames(monkeypatch):
    """A glide has as many frames as on a quiet machine, however slow this one is, and waits for nothing in between."""
    from kernelkit.course.panel import measuring, scenes

    seconds = itertools.count(step=scenes.PAUSE)
    monkeypatch.setattr(scenes, "perf_counter", lambda: next(seconds))
    monkeypatch.setattr(scenes, "PAUSE", 0)
    monkeypatch.setattr(measuring, "PAUSE", 0)


@pytest.fixture(scope="session")
def frozen():
    """frozen(A): A as a read-only array, so that writing into an input is an error."""

    def freeze(A):
        A = np.array(A)
        A.setflags(write=False)
        return A

    return freeze


@pytest.fixture(scope="session")
def cloud(frozen):
    """cloud(n, d, seed=0): n read-only normal points of ℝ^d, always the same for one seed; cloud(n) is n numbers."""
    return lambda *shape, seed=0, scale=1.0: frozen(scale * np.random.default_rng(seed).standard_normal(shape))
