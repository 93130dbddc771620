"""The command ``kernelkit``, which comes with the package: open the course, check what it needs, build its site.

    kernelkit                     copy the notebooks into ./kernel-course and open the first one
    kernelkit open 07             open the notebook whose name begins with 07
    kernelkit check               say whether everything is there that the notebooks need
    kernelkit site FOLDER         build the pages that need no Python

A notebook that is in ./kernel-course already is never overwritten.
"""

import importlib.util
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

PLACE = Path("kernel-course")
ALL = "pip install 'kernelkit[course]'"


def course():
    """The folder of the notebooks: within an installed package, or beside the package in the repository."""
    here = Path(__file__).parent
    inside = here / "course" / "notebooks"
    return inside if inside.exists() else here.parent / "notebooks"


def copy(folder=PLACE):
    """Copy every notebook that is not there yet, whole or not; gives the names of those that are there and differ."""
    folder.mkdir(exist_ok=True)
    different = []
    for source in sorted(course().glob("*.ipynb")):
        target = folder / source.name
        if not target.exists():
            new = target.with_suffix(".new")
            shutil.copyfile(source, new)
            new.replace(target)
        elif target.read_bytes() != source.read_bytes():
            different.append(source.name)
    return different


def open_course(begins="00"):
    """Copy the notebooks and open one in JupyterLab."""
    found = [path for path in sorted(course().glob("*.ipynb")) if path.name.lower().startswith(begins.lower())]
    if not found:
        raise ValueError(f"No notebook begins with {begins!r}. There are {', '.join(_numbers())}.")
    if importlib.util.find_spec("jupyterlab") is None:
        raise ValueError(f"JupyterLab is missing. What the course needs comes with {ALL}.")
    try:
        different = copy()
    except OSError as error:
        raise ValueError(f"The notebooks cannot be copied to {PLACE.absolute()}: {error}.") from None
    print(f"The notebooks are in {PLACE.resolve()}.")
    if different:
        print(f"These differ from the course, so they stayed as they are: {', '.join(different)}.")
    subprocess.run([sys.executable, "-m", "jupyterlab", str(PLACE / found[0].name)], check=False)


def _numbers():
    return [path.name.partition("-")[0] for path in sorted(course().glob("*.ipynb"))]


def check():
    """Say of each package whether it is there in a version that the course allows, and try the package itself."""
    from packaging.requirements import Requirement

    fine = True
    for line in requires("kernelkit"):
        wanted = Requirement(line)
        if wanted.marker is None or wanted.marker.evaluate({"extra": "course"}):
            fine = _there(wanted) and fine
    import kernelkit

    print(f"✓ kernelkit is here, and k(x, z) = {kernelkit.Polynomial(2)([1, 2], [3, 4])}")
    if not fine:
        raise ValueError(f"Something is missing. It comes with {ALL}.")


def _there(wanted):
    """Whether a package is there as it is wanted; this is also printed."""
    try:
        found = version(wanted.name)
    except PackageNotFoundError:
        print(f"✗ {wanted.name} is missing")
        return False
    right = found in wanted.specifier
    print(f"✓ {wanted.name} {found}" if right else f"✗ {wanted.name} {found}: the course needs {wanted.specifier}")
    return right


def site(folder):
    """Build the site of the course."""
    subprocess.run([sys.executable, str(course() / "website.py"), folder], check=True)


def main(arguments=None):
    """Do what the command line asks for."""
    name, *rest = (sys.argv[1:] if arguments is None else arguments) or ["open"]
    does = {"open": (open_course, 0, 1), "check": (check, 0, 0), "site": (site, 1, 1)}
    if name not in does or not does[name][1] <= len(rest) <= does[name][2]:
        sys.exit(__doc__.partition("\n\n")[2].strip("\n"))
    try:
        does[name][0](*rest)
    except ValueError as error:
        sys.exit(str(error))
    except subprocess.CalledProcessError:
        sys.exit("The site was not built; the reason is above.")


if __name__ == "__main__":
    main()
