"""The pictures of ``figures/``: they are what ``make.py`` draws today, and one of the READMEs shows each of them."""

import importlib.util
import re
from pathlib import Path

import matplotlib
import numpy as np
import pytest
from matplotlib.image import imread
from PIL import Image

ROOT = Path(__file__).parents[1]
BLOCK = 20  # pixels; 10 of the shown size
TOLERANCE = 0.004  # another rendering of the text changes 0.0015 of the blocks, one tenth more of σ 0.03
LATER = tuple(map(int, matplotlib.__version__.split(".")[:2])) >= (3, 11)
BELOW_A_WIDE_TITLE = pytest.mark.xfail(not LATER, strict=True, reason="Matplotlib 3.10 places such axes farther apart")


def load_make():
    spec = importlib.util.spec_from_file_location("make", ROOT / "figures" / "make.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


make = load_make()


def means(pixels):
    """Mean colours of square blocks, which do not care how the edge of a letter is smoothed."""
    rows, columns = pixels.shape[0] // BLOCK, pixels.shape[1] // BLOCK
    whole = pixels[: rows * BLOCK, : columns * BLOCK, :3].astype(float)
    return whole.reshape(rows, BLOCK, columns, BLOCK, 3).mean(axis=(1, 3))


def difference(old, new):
    """The share of blocks in which a colour differs by more than 30 of 255."""
    assert old.shape[:2] == new.shape[:2], "the pictures differ in size"
    return (np.abs(means(old) - means(new)).max(axis=2) > 30).mean()


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=BELOW_A_WIDE_TITLE) if n == "ridge-times" else n for n in make.FIGURES]
)
def test_figure_is_what_make_draws_and_not_what_a_model_near_by_would_give(name):
    stored = 255 * imread(ROOT / "figures" / f"{name}.png")
    assert difference(stored, make.pixels(name)) < TOLERANCE, f"run figures/make.py {name}"
    if name == "svm-mixture":
        explorer, values = make.FIGURES[name]
        state = explorer.compute(**explorer.start() | values | {"sigma": 1.1 * values["sigma"]})
        assert difference(stored, explorer.canvas(ratio=2.0).frame(state)) > 2 * TOLERANCE


def test_the_film_is_small_and_what_make_draws(monkeypatch):
    path, chosen = ROOT / "figures" / f"{make.FILM}.webp", (0, 8, 24)
    film, last = Image.open(path), len(make.SIGMAS) - 1
    assert path.stat().st_size < 1_000_000 and film.n_frames == 2 * last
    monkeypatch.setattr(make, "SIGMAS", make.SIGMAS[[*chosen]])
    for i, frame in zip((*chosen, 2 * last - 8), make.film_frames(), strict=True):  # there, and back again
        film.seek(i)
        assert difference(np.array(film.convert("RGB")), frame) < 3 * TOLERANCE, f"run figures/make.py {make.FILM}"


PAGES = ("README.md", "notebooks/README.md", "kernelkit/README.md", "tests/README.md", "tests/benchmarks/README.md")


def test_the_readmes_show_every_figure_and_no_other():
    text = "\n".join((ROOT / page).read_text(encoding="utf-8") for page in PAGES[:2])
    shown = set(re.findall(r"!\[[^\]]+\]\((?:\.\./)?figures/([\w-]+)\.(?:png|webp)\)", text))
    files = {path.stem for path in (ROOT / "figures").iterdir() if path.suffix in (".png", ".webp")}
    assert shown == files == {*make.FIGURES, make.FILM}


@pytest.mark.parametrize("page", [*PAGES, ".github/CONTRIBUTING.md"])
def test_links_of_a_readme_resolve(page):
    path = ROOT / page
    for target in re.findall(r"\]\(([^)]+)\)", path.read_text(encoding="utf-8")):
        if not target.startswith("http"):
            name, _, place = target.partition("#")
            there = path.parent / name if name else path
            assert there.exists(), target
            assert not place or place in places(there), target


def places(page):
    """What a repository's viewer calls the headings of a page in an address."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
