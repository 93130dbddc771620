"""Where the notebooks of the course are: in a clone beside the package, in an installed package inside it."""

from pathlib import Path

NAMES = (
    "00-start-here",
    "01-feature-maps",
    "02-kernel-trick",
    "03-kernel-ridge",
    "04-gaussian-kernel",
    "05-kernel-logistic",
    "06-kernel-perceptron",
    "07-support-vector-machine",
    "08-representer-theorem",
    "09-valid-kernels",
    "10-choosing-a-kernel",
    "11-distances-and-clusters",
    "12-pca-and-density",
    "13-finding-gold",
    "14-strings",
    "15-structures",
    "16-images",
    "17-segmentation",
    "18-scaling-up",
    "A1-slips-in-the-lectures",
    "A2-index",
)
INSIDE = Path(__file__).parents[1] / "notebooks"  # of an installed package
BESIDE = Path(__file__).parents[3] / "notebooks"  # in a clone


def folder():
    """The folder of the notebooks."""
    return INSIDE if INSIDE.exists() else BESIDE


def refuse_elsewhere():
    """Refuse to work for a clone that was copied with its .venv, whose kernelkit is still that of the first one."""
    here = Path.cwd()
    clone = (here / "kernelkit").is_dir() and (here / "notebooks" / f"{NAMES[0]}.ipynb").exists()
    if clone and folder() == BESIDE and here.resolve() != BESIDE.parent.resolve():
        raise ValueError(
            f"This kernelkit belongs to the clone {BESIDE.parent}, and you are in another one: install that here, with "
            "python3 -m venv --clear .venv && .venv/bin/python -m pip install -r requirements.txt"
        )


def notebooks(names=()):
    """All notebooks in their order, or those that are named, with or without .ipynb; ValueError for unknown ones.

    A path is taken if it leads to one of them. What else a learner has put beside them in a clone is not one of them,
    unless it is named.
    """
    home = folder().resolve()
    if elsewhere := [str(n) for n in names if Path(n).name != str(n) and Path(n).resolve().parent != home]:
        raise ValueError(f"Say the name of a notebook of the course, such as {NAMES[2]}, not {', '.join(elsewhere)}.")
    paths = [folder() / f"{Path(name).stem}.ipynb" for name in names or NAMES]
    missing = [path.name for path in paths if not path.exists()]
    if names and missing:
        raise ValueError(f"No such notebook: {', '.join(missing)}. Nothing was done.")
    return [path for path in paths if path.exists()]
