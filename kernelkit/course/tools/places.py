"""Where the notebooks of the course are: in a clone beside the package, in an installed package inside it."""

from pathlib import Path

INSIDE = Path(__file__).parents[1] / "notebooks"  # of an installed package
BESIDE = Path(__file__).parents[3] / "notebooks"  # in a clone


def folder():
    """The folder of the notebooks."""
    return INSIDE if INSIDE.exists() else BESIDE


def notebooks(names=()):
    """The notebooks in their order, or those that are named, with or without .ipynb; ValueError for unknown ones.

    In a clone somebody may have worked: a copy, 07-…-Copy1, comes after its original, and Untitled is no notebook.
    """
    paths = [folder() / f"{Path(name).stem}.ipynb" for name in names]
    if missing := [path.name for path in paths if not path.exists()]:
        raise ValueError(f"No such notebook: {', '.join(missing)}. Nothing was done.")
    found = (path for path in folder().glob("*.ipynb") if not path.stem.startswith("Untitled"))
    return paths or sorted(found, key=lambda path: path.stem)
