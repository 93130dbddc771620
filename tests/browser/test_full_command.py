"""A wheel built from this tree, in a fresh environment, far from the repository: one command opens the course."""

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest
from browser.lab import Notebook, chromium, free_port, wait_for

ROOT = Path(__file__).parents[2]
PANELS = ("matplotlib", "pillow", "ipywidgets", "anywidget", "ipython")
COURSE = ("jupyterlab", "scikit-learn", "dask", "distributed", "nbclient")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, ROOT)
    return next(folder.glob("*.whl"))


def fresh(folder, *wanted):
    """The folder of the commands of a new environment with these packages."""
    venv.create(folder, with_pip=True)
    commands = folder / ("Scripts" if os.name == "nt" else "bin")
    run(commands / "python", "-m", "pip", "install", "--quiet", *wanted)
    return commands


def run(*command, **options):
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


def test_the_course_opens_and_runs(wheel, tmp_path):
    commands, desk, settings = fresh(tmp_path / "env", f"{wheel}[course]"), tmp_path / "desk", tmp_path / "settings"
    desk.mkdir()
    settings.mkdir()
    said, _, for_site = run(commands / "kernelkit", "check", cwd=desk).partition("Only kernelkit site")
    assert "✗ sphinx is missing" in for_site
    assert "✗" not in said and "✓ kernelkit is here" in said
    port = free_port()
    quiet = {"open_browser": False, "allow_root": True, "port": port, "port_retries": 0}
    (settings / "jupyter_server_config.json").write_text(
        json.dumps({"ServerApp": quiet, "IdentityProvider": {"token": ""}, "LabApp": {"expose_app_in_browser": True}})
    )
    env = os.environ | {"JUPYTER_CONFIG_DIR": str(settings)}
    env.pop("PYTHONPATH", None)
    course = subprocess.Popen([commands / "kernelkit"], cwd=desk, env=env, start_new_session=True)
    try:
        wait_for(f"http://127.0.0.1:{port}/", course)
        with chromium() as page:
            notebook = Notebook(page, f"http://127.0.0.1:{port}", "00-start-here.ipynb")
            notebook.run_all()
            assert notebook.errors() == []
            page.wait_for_selector(".kernelkit-picture img")
    finally:
        os.killpg(course.pid, 15)
        course.wait(20)


def test_the_bare_package_says_what_is_missing(wheel, tmp_path):
    commands = fresh(tmp_path / "env", wheel)
    installed = run(commands / "python", "-m", "pip", "list")
    assert not [name for name in (*PANELS, *COURSE) if f"{name} " in installed]
    done = subprocess.run([commands / "kernelkit"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and "needs more than the library" in done.stderr and "'jupyterlab" in done.stderr


def test_panels_need_no_jupyterlab(wheel, tmp_path):
    commands = fresh(tmp_path / "env", f"{wheel}[panels]")
    installed = run(commands / "python", "-m", "pip", "list")
    assert not [name for name in COURSE if f"{name} " in installed]
    code = "from kernelkit.course.explorers import support_vector_machine as explore; print(explore.boundary())"
    assert "boundary" in run(commands / "python", "-c", code, cwd=tmp_path).lower()
