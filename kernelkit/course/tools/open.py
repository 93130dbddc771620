"""The notebooks in JupyterLab: of a clone themselves, of an installed package copies in a learner's own folder."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

from kernelkit.course.tools import places

PLACE = "kernel-course"
CLONE = Path("notebooks")  # of a clone in which an installed package is asked, as uvx does
EARLIER = re.compile(r"from kernelkit\.(explorers|exercises|panel)\b|from kernelkit import [\w, ]*\bplots\b")


def open_course(begins="00", name=PLACE):
    """Open the notebook whose name begins so; name is the folder of the copies that an installed package makes."""
    found = [path for path in places.notebooks() if path.name.lower().startswith(begins.lower())]
    if not found:
        raise ValueError(f"No notebook begins with {begins!r}. There are {', '.join(_numbers())}.")
    folder = places.folder()
    if folder == places.INSIDE:
        folder = CLONE if (CLONE / found[0].name).exists() else own(Path(name))
    print(f"The notebooks are in {folder.resolve()}.")
    subprocess.run([sys.executable, "-m", "jupyterlab", str(folder / found[0].name)], check=False)


def own(folder):
    """The learner's folder, where every notebook is by now; says which of them differ from the course."""
    if Path.cwd().name == folder.name and any(Path(path.name).exists() for path in places.notebooks()):
        folder = Path()
    try:
        different = copy(folder)
    except OSError as error:
        raise ValueError(f"The notebooks cannot be copied to {folder.absolute()}: {error}.") from None
    earlier = [path.name for path in different if EARLIER.search(path.read_text(encoding="utf-8", errors="replace"))]
    changed = [path.name for path in different if path.name not in earlier]
    if changed:
        print(f"These differ from the course, so they stayed as they are: {', '.join(changed)}.")
    if earlier:
        print(
            f"These were made for an earlier kernelkit and stop at an import: {', '.join(earlier)}. They stayed as "
            f"they are. To have the course of today beside them:\nkernelkit open --folder {fresh(folder)}"
        )
    return folder


def copy(folder):
    """Copy every notebook that is not there yet, whole or not; gives those that are there and differ."""
    folder.mkdir(exist_ok=True)
    different = []
    for source in places.notebooks():
        target = folder / source.name
        if not target.exists():
            new = target.with_suffix(".new")
            shutil.copyfile(source, new)
            new.replace(target)
        elif target.read_bytes() != source.read_bytes():
            different.append(target)
    return different


def fresh(folder):
    """A folder beside this one that is not there yet."""
    folder = folder.absolute()
    taken = {path.name for path in folder.parent.iterdir()}
    number = next(n for n in range(2, len(taken) + 3) if f"{folder.name}-{n}" not in taken)
    found = folder.with_name(f"{folder.name}-{number}")
    return found.name if found.parent == Path.cwd() else f"'{found}'"


def _numbers():
    return list(dict.fromkeys(path.name.partition("-")[0] for path in places.notebooks()))
