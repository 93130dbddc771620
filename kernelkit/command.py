"""The command ``kernelkit``, which comes with the package: open the course, check what it needs, build its site.

    kernelkit                     open the first notebook
    kernelkit open 07             open the notebook whose name begins with 07
    kernelkit check               say whether everything is there that the notebooks need
    kernelkit site FOLDER         build the pages that need no Python

In a clone of the repository the notebooks open where they are. Elsewhere they are first copied into ./kernel-course,
and a notebook that is there already is never overwritten.
"""

import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

PLACE = Path("kernel-course")
INSIDE = Path(__file__).parent / "course" / "notebooks"  # of an installed package
BESIDE = Path(__file__).parents[1] / "notebooks"  # in a clone


def course():
    """The folder of the notebooks."""
    return INSIDE if INSIDE.exists() else BESIDE


def notebooks():
    """The notebooks, in their order; a learner's copy of one in a clone, 07-…-Copy1, comes after it."""
    return sorted(course().glob("*.ipynb"), key=lambda path: path.stem)


def copy(folder=PLACE):
    """Copy every notebook that is not there yet, whole or not; gives the names of those that are there and differ."""
    folder.mkdir(exist_ok=True)
    different = []
    for source in notebooks():
        target = folder / source.name
        if not target.exists():
            new = target.with_suffix(".new")
            shutil.copyfile(source, new)
            new.replace(target)
        elif target.read_bytes() != source.read_bytes():
            different.append(source.name)
    return different


def open_course(begins="00"):
    """Open a notebook in JupyterLab: of a clone itself, of an installed package a copy."""
    found = [path for path in notebooks() if path.name.lower().startswith(begins.lower())]
    if not found:
        raise ValueError(f"No notebook begins with {begins!r}. There are {', '.join(_numbers())}.")
    if importlib.util.find_spec("jupyterlab") is None:
        raise ValueError(f"JupyterLab is missing. {installed_by(lacking(needs()))}")
    folder, different = course(), []
    if folder == INSIDE:
        inside = Path.cwd().name == PLACE.name and Path(found[0].name).exists()  # as in a terminal of JupyterLab's
        folder = Path() if inside else PLACE
        try:
            different = copy(folder)
        except OSError as error:
            raise ValueError(f"The notebooks cannot be copied to {folder.absolute()}: {error}.") from None
    print(f"The notebooks are in {folder.resolve()}.")
    if different:
        print(f"These differ from the course, so they stayed as they are: {', '.join(different)}.")
    subprocess.run([sys.executable, "-m", "jupyterlab", str(folder / found[0].name)], check=False)


def _numbers():
    return list(dict.fromkeys(path.name.partition("-")[0] for path in notebooks()))


def check():
    """Say of each package whether it is there in a version that the course allows, and try the package itself."""
    missing = lacking(needs(), print)
    import kernelkit

    print(f"✓ kernelkit is here, and k(x, z) = {kernelkit.Polynomial(2)([1, 2], [3, 4])}")
    print("Only kernelkit site needs these:")
    if for_site := lacking(needs_of_site(), print):
        print(installed_by(for_site))
    if missing:
        raise ValueError(f"Something is missing. {installed_by(missing)}")


def needs():
    """What the course requires."""
    from packaging.requirements import Requirement

    found = map(Requirement, requires("kernelkit"))
    return [wanted for wanted in found if wanted.marker is None or wanted.marker.evaluate({"extra": "course"})]


def needs_of_site():
    """What ``website.py`` requires besides."""
    from packaging.requirements import Requirement

    lines = (course() / "website-requirements.txt").read_text(encoding="utf-8").splitlines()
    return [Requirement(line.partition("#")[0].strip()) for line in lines if not line.startswith("#")]


def lacking(required, say=lambda line: None):
    """Those packages that are not there in a version as required; of each package a line is said."""
    missing = []
    for wanted in required:
        try:
            found = version(wanted.name)
        except PackageNotFoundError:
            found = None
        if found and found in wanted.specifier:
            say(f"✓ {wanted.name} {found}")
        else:
            missing.append(wanted)
            say(f"✗ {wanted.name} {found}: needed is {wanted.specifier}" if found else f"✗ {wanted.name} is missing")
    return missing


def installed_by(missing):
    """The line for a terminal that installs packages into the Python that runs this."""
    python = shlex.quote(sys.executable)
    pip = f"{'& ' * (os.name == 'nt')}{python} -m pip install"
    uv = f"uv pip install --python {python}"
    extras = [f"[{','.join(sorted(wanted.extras))}]" if wanted.extras else "" for wanted in missing]
    names = [f"'{wanted.name}{extra}{wanted.specifier}'" for wanted, extra in zip(missing, extras, strict=True)]
    return f"This line installs what is missing:\n{pip if importlib.util.find_spec('pip') else uv} {' '.join(names)}"


def refuse_site():
    """ValueError if something is missing that the site needs: drawing its pictures takes minutes."""
    if missing := lacking(needs_of_site()):
        names = ", ".join(wanted.name for wanted in missing)
        raise ValueError(f"The site needs {names}, missing here or of another version. {installed_by(missing)}")


def site(folder):
    """Build the site of the course."""
    refuse_site()
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
