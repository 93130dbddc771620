"""A learner's Jupyter is the learner's: what an installed kernelkit changes about a server is one pre-save hook."""

import json
import os
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import nbformat
import nbformat.v4 as nb

from kernelkit.course.panel import saving

SERVER = """
import asyncio, json
from jupyter_core.utils import ensure_async
from jupyter_server.serverapp import ServerApp

server = ServerApp.instance()
server.initialize(["--ServerApp.root_dir=.", "--ServerApp.allow_root=True"], new_httpserver=False)
settings = server.web_app.settings
kinds = {name: value if isinstance(value, type) else type(value) for name, value in settings.items()}
stock = type(server).contents_manager_class.default_value(root_dir=".")

async def read_and_saved(files):
    read = [(await ensure_async(files.get(name)))["content"] for name in ("foreign.ipynb", "course.ipynb")]
    await ensure_async(files.save({"type": "notebook", "format": "json", "content": read[0]}, "saved.ipynb"))
    return read, open("saved.ipynb", encoding="utf-8").read()

print(json.dumps({
    "here": asyncio.run(read_and_saved(settings["contents_manager"])),
    "stock": asyncio.run(read_and_saved(stock)),
    "kinds": {name: kind.__module__ for name, kind in kinds.items()},
    "hooks": [f"{hook.__module__}.{hook.__name__}" for hook in server.contents_manager._pre_save_hooks],
}))
"""


def test_an_installed_course_changes_one_hook_of_a_server_and_nothing_else(tmp_path):
    slider = {"text/plain": "IntSlider(value=0)", saving.VIEW: {"model_id": "1", "version_major": 2}}
    outputs = [nb.new_output("display_data", slider, metadata={"mine": 1}), nb.new_output("stream", text="1\n")]
    cells = [nb.new_code_cell("slider", outputs=outputs), nb.new_markdown_cell("mine"), nb.new_raw_cell("x")]
    about = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    for name, more in (("foreign", {}), ("course", {saving.MARK: {"sha256": "0"}})):
        nbformat.write(nb.new_notebook(cells=cells, metadata=about | more), tmp_path / f"{name}.ipynb")
    own = {f"JUPYTER_{name}_DIR": str(tmp_path) for name in ("CONFIG", "DATA", "RUNTIME")}
    command = [sys.executable, "-c", SERVER]
    done = subprocess.run(command, cwd=tmp_path, env=os.environ | own, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    server = json.loads(done.stdout.splitlines()[-1])
    ours = [name for name, module in server["kinds"].items() if module.startswith("kernelkit")]
    assert not ours, "a class of the server was replaced"
    assert server["here"] == server["stock"], "a notebook is read, and one of another course saved, as ever"
    hooks = [hook for hook in server["hooks"] if hook.startswith("kernelkit")]
    assert hooks == ["kernelkit.course.panel.saving.before_saving"]


def test_the_one_file_of_the_course_where_a_server_or_a_page_looks_names_the_hook():
    (told,) = [path for path in metadata.files("kernelkit") if {"etc", "share"} & {*path.parts}]
    assert told.as_posix().lstrip("./") == "etc/jupyter/jupyter_server_config.d/kernelkit.json"
    named = json.loads(Path(told.locate()).read_text(encoding="utf-8"))
    assert named == {"ServerApp": {"jpserver_extensions": {saving.__name__: True}}}, "pip install it again"
