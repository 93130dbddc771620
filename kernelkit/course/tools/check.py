"""What the course needs, what of it is missing here, and the line that installs it."""

import importlib.util
import os
import shlex
import sys
from importlib.metadata import PackageNotFoundError, requires, version


def check():
    """Say of each package whether it is there in a version that the course allows, and try the package itself."""
    refuse_bare("The course")
    course = needs("course")
    missing = lacking(course, print)
    import kernelkit

    print(f"✓ kernelkit is here, and k(x, z) = {kernelkit.Polynomial(2)([1, 2], [3, 4])}")
    print("Only kernelkit site needs these:")
    known = {one.name for one in course}
    if for_site := lacking([one for one in needs("site") if one.name not in known], print):
        print(installed_by(for_site))
    if missing:
        raise ValueError(f"Something is missing. {installed_by(missing)}")


def needs(extra):
    """What an installation with an extra of the package requires."""
    from packaging.requirements import Requirement

    lines, asked, wanted = [Requirement(one) for one in requires("kernelkit")], [extra], []
    for name in asked:  # grows: an extra may be made of others
        mine = [one for one in lines if one.marker is None or one.marker.evaluate({"extra": name})]
        asked += [more for one in mine if one.name == "kernelkit" for more in one.extras if more not in asked]
        wanted += [one for one in mine if one.name != "kernelkit" and one not in wanted]
    return wanted


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
    extras = [f"[{','.join(sorted(wanted.extras))}]" if wanted.extras else "" for wanted in missing]
    return line(*(f"{wanted.name}{extra}{wanted.specifier}" for wanted, extra in zip(missing, extras, strict=True)))


def line(*names):
    """The line for a terminal that installs these into the Python that runs this."""
    python = shlex.quote(sys.executable)
    pip = f"{'& ' * (os.name == 'nt')}{python} -m pip install"
    uv = f"uv pip install --python {python}"
    quoted = " ".join(f"'{name}'" for name in names)
    return f"This line installs what is missing:\n{pip if importlib.util.find_spec('pip') else uv} {quoted}"


def refuse_bare(what):
    """ValueError where the library alone is installed, so that nothing can read which versions are wanted."""
    if importlib.util.find_spec("packaging") is None:
        lines = [one.partition(";") for one in requires("kernelkit") if not one.startswith("kernelkit")]
        names = dict.fromkeys(name.strip() for name, _, extra in lines if "panels" in extra or "course" in extra)
        raise ValueError(f"{what} needs more than the library. {line(*names)}")


def refuse_without(extra, what):
    """ValueError if something is missing that an extra brings."""
    refuse_bare(what)
    if missing := lacking(needs(extra)):
        names = ", ".join(wanted.name for wanted in missing)
        raise ValueError(f"{what} needs {names}, missing here or of another version. {installed_by(missing)}")
