"""The course as a site that needs neither Python nor a network: python notebooks/website.py FOLDER [NOTEBOOK …]

    python notebooks/website.py build/site                     all notebooks
    python notebooks/website.py build/site 02-kernel-trick     only this one

The pages work on any web server and from a disk or a stick. Their panels show pictures that are computed here, beforehand
(``films.py``), and ``player/`` moves them. Only what has changed is built again: what is needed for that is kept
in a folder beside the site, FOLDER-work, which is not part of it.

It needs the packages of notebooks/website-requirements.txt.
"""

import ast
import json
import re
import shutil
import sys
import time
from html import escape
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path

from films import explorer_of, shoot_all
from nbformat.v4 import new_output
from stored import as_text, read

from kernelkit.panel.controls import Items, NoQuestion, Points, Question, Samples
from kernelkit.panel.question import SEE
from kernelkit.panel.saving import MARK
from kernelkit.plots import DPI

HERE = Path(__file__).parent
ROOT = HERE.parent
PLAYER = HERE / "player"
OPEN = "python -m jupyterlab notebooks/{}.ipynb"
MATHJAX = (
    "tex-chtml.js",
    "output/chtml/",
    "a11y/",
    "sre/mathmaps/en.json",
    "sre/mathmaps/base.json",
    "input/tex/extensions/",
)
TITLE = "The kernel trick you can touch"
SPHINX = {
    "project": TITLE,
    "html_title": TITLE,
    "extensions": ["myst_nb"],
    "html_theme": "sphinx_book_theme",
    "html_theme_options": {
        "use_download_button": False,
        "use_fullscreen_button": False,
        "show_toc_level": 1,
        "home_page_in_toc": True,
        "logo": {"text": TITLE},
        "navbar_start": [],
        "navbar_center": [],
        "navbar_end": [],
        "navbar_persistent": [],
    },
    "html_context": {"default_mode": "auto"},
    "html_static_path": ["player", "mathjax"],
    "html_css_files": ["player.css"],
    "html_js_files": [["player.js", {"defer": "defer"}]],
    "html_copy_source": False,
    "html_show_sourcelink": False,
    "html_show_sphinx": False,
    "html_show_copyright": False,
    "html_show_search_summary": False,  # it would fetch the pages, which a browser forbids on a disk
    "html_last_updated_fmt": None,
    "mathjax_path": "mathjax/tex-chtml.js",
    "mathjax3_config": {"chtml": {"scale": 0.95}},
    "nb_execution_mode": "off",
    "myst_enable_extensions": ["dollarmath", "amsmath"],
    "myst_heading_anchors": 3,
    "myst_heading_slug_func": "website.anchor",
    "suppress_warnings": ["mystnb.unknown_mime_type"],
}


# ---- from a notebook to the source of its page -------------------------------------------------------------------


def anchor(heading):
    """What JupyterLab calls a heading in an address, as the links of the notebooks do."""
    return heading.replace(" ", "-")


def calls(notebook, name):
    """{number of a cell: (room, panel, values at the start, whether it asks)} of the cells that show a panel."""
    room, found = name.partition("-")[2].replace("-", "_"), {}
    for number, cell in enumerate(notebook.cells):
        if any("panel" in output.get("metadata", {}).get(MARK, {}) for output in cell.get("outputs", [])):
            call = next(node for node in ast.walk(ast.parse(cell.source)) if _explores(node))
            given = {word.arg: ast.literal_eval(word.value) for word in call.keywords}
            ask = given.pop("ask", True)
            found[number] = room, call.func.attr, given, ask
    return found


def _explores(node):
    function = getattr(node, "func", None)
    return isinstance(function, ast.Attribute) and getattr(function.value, "id", "") == "explore"


def film_name(panel, start):
    """The folder of a film: the name of the panel and of what it starts with."""
    return "-".join([panel, *(f"{value}" for value in start.values())])


def page_of(notebook, name, films):
    """The notebook with players in place of its panels, and with what a reader without Python has to know."""
    panels = calls(notebook, name)
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown":
            cell.source = apart(cell.source)
        elif number in panels:
            room, panel, start, ask = panels[number]
            film = films[room, panel, film_name(panel, start)]
            place = f"{room}/{film_name(panel, start)}"
            cell.outputs = [_html(player(explorer_of(room, panel), film, place, f"{place}-{number}", ask, name))]
        else:
            cell.outputs = [_in_python(output, name) for output in cell.get("outputs", [])]
    opening = next(cell for cell in notebook.cells if cell.cell_type == "markdown")
    title, _, rest = opening.source.partition("\n")
    opening.source = f"{title}\n\n{_run_it(name)}\n{rest}"
    return notebook


def apart(text):
    """Displayed formulas with empty lines around them: inside a paragraph they would be read as two dollars."""
    parts = re.split(r"(```.*?```|`[^`\n]*`|\$\$.*?\$\$)", text, flags=re.S)
    for i in range(1, len(parts), 2):
        if parts[i].startswith("$$"):
            parts[i - 1] = re.sub(r"\n[ \t]*$", "\n\n", parts[i - 1])
            parts[i + 1] = re.sub(r"^[ \t]*\n(?!\n)", "\n\n", parts[i + 1])
    return "".join(parts)


def _run_it(name):
    return (
        "```{container} kernelkit-run\nThe pictures of this page were computed beforehand, so you can move them without "
        f"Python. To run the code, to drag points and to solve the exercises, [install the course](run.md) and open this "
        f"notebook with `{OPEN.format(name)}`.\n```\n"
    )


def _html(text):
    return new_output("display_data", {"text/html": text})


def _in_python(output, name):
    """An output as it is; below an exercise, instead of a verdict on no answer, how to try it."""
    if "exercise" not in output.get("metadata", {}).get(MARK, {}):
        return output
    return _html(
        '<p class="kernelkit-exercise">This check needs Python. To write your answer, open the notebook with '
        f"<code>{OPEN.format(name)}</code> (<a href='run.html'>how to install it</a>).</p>"
    )


# ---- a player ----------------------------------------------------------------------------------------------------


def player(explorer, film, place, key, ask, name):
    """The page's part for one panel, which works as a picture with its sentence before any script runs."""
    ident = re.sub(r"\W", "-", key)
    width, height = (round(DPI * side) for side in explorer.size)
    question = _question(explorer.question, film, ident) if ask else ""
    begin = film["covered"] if question and film["covered"] is not None else 0
    first = film["shots"][begin]
    return (
        f'<section class="kernelkit-film" data-film="frames/{place}" data-first="{begin}" aria-label="{escape(explorer.title)}">'
        f'<p class="kernelkit-title">{escape(explorer.title)}</p>{question}'
        f'<div class="kernelkit-moves">{_buttons(film)}{"".join(_track(t, film, ident, i) for i, t in enumerate(film["tracks"]))}</div>'
        f'<div class="kernelkit-card"><img class="dark-light" decoding="sync" src="frames/{place}/{begin}.webp" width="{width}" height="{height}" '
        f'alt="{escape(first["say"])}"></div>'
        f'<p class="kernelkit-sentence" role="status">{escape(first["say"])}</p>'
        '<p class="kernelkit-set"></p>'
        f'<details class="kernelkit-code"><summary>The code behind this picture</summary><pre>{escape(first["code"])}</pre></details>'
        f"{_missing(explorer, film, name)}</section>"
    )


def _buttons(film):
    """A button for the first picture, for each scene, and for each button of the panel."""
    named = [("First picture", 0, ""), *((n, i, "") for n, i in film["scenes"].items())]
    named += [(n, i, " data-act") for n, i in film["acts"].items()]
    made = [
        f'<button type="button" data-shot="{i}" aria-pressed="false"{more}>{escape(name)}</button>'
        for name, i, more in named
    ]
    return f'<div class="kernelkit-scenes" role="group" aria-label="Scenes">{"".join(made)}</div>'


def _track(track, film, ident, number):
    """A slider with its label and its value, and a button that lets it run."""
    at, text = film["shots"][0]["at"][number]
    key = f"{ident}-{number}"
    runs = '<button type="button" class="kernelkit-run-film">Play</button>' if track["plays"] else ""
    return (
        f'<div class="kernelkit-track" data-track="{number}"><label for="{key}">{escape(track["label"])}</label>'
        f'<output for="{key}">{escape(text)}</output>{runs}'
        f'<input id="{key}" type="range" min="0" max="{len(track["shots"]) - 1}" value="{at}" step="1" '
        f'aria-valuetext="{escape(text)}"></div>'
    )


def _question(question, film, ident):
    """What is asked, with its options; what is right and why waits in the page until it was seen."""
    if isinstance(question, NoQuestion):
        return ""
    scene = film["scenes"][question.scene]
    why = f'{escape(question.why)} <span class="kernelkit-at">(Scene “{escape(question.scene)}”.)</span>'
    if isinstance(question, Question):
        verdicts = [question.verdict(option, {}) for option in question.options]
        options = "".join(
            f'<label><input type="radio" name="{ident}" data-verdict="{escape(verdict)}"> {escape(option)}</label>'
            for option, verdict in zip(question.options, verdicts, strict=True)
        )
        verdict, unseen = '<span class="kernelkit-verdict"></span>', " hidden"
    else:
        options = "<p>Imagine your answer before you look. To draw it into the picture you need Python.</p>"
        verdict = unseen = ""
    return (
        f'<fieldset class="kernelkit-question" data-scene="{scene}">'
        f"<legend><b>Predict.</b> {escape(question.prompt)}</legend>"
        f'<div class="kernelkit-below"><div class="kernelkit-options">{options}</div>'
        f'<p class="kernelkit-why" tabindex="-1" hidden>{verdict}{why}</p></div>'
        f'<button type="button" class="kernelkit-see"{unseen}>{SEE}</button></fieldset>'
    )


def _missing(explorer, film, name):
    """What only Python moves, and the line that opens the notebook."""
    moved = {track["name"] for track in film["tracks"]}
    dragged = [c for c in explorer.controls if isinstance(c, Points | Samples | Items)]
    others = [c.label for c in explorer.controls if c not in dragged and c.name not in moved]
    wants = (["drag points"] if dragged else []) + ([f"set {_listed(others)}"] if others else [])
    wants += [f"press “{explorer.measuring}”"] if explorer.measure else []
    if not wants:
        return ""
    return (
        f'<p class="kernelkit-missing">To {_listed(wants)}, run this panel with Python: <code>{OPEN.format(name)}</code> '
        "(<a href='run.html'>how to install it</a>).</p>"
    )


def _listed(words):
    """“a, b and c”."""
    words = list(dict.fromkeys(escape(word) for word in words))
    return " and ".join([*([", ".join(words[:-1])] if words[:-1] else []), words[-1]])


def script_of(film):
    """What the player reads. It is a script, because a page on a disk may not fetch data."""
    data = {"shots": film["shots"], "tracks": [track["shots"] for track in film["tracks"]]}
    return f"kernelkitFilm({json.dumps(data, ensure_ascii=False, separators=(',', ':'))});\n"


# ---- the pages around the notebooks ------------------------------------------------------------------------------


def section_of_readme(heading):
    """The text below a heading of the README, with links as they are in the site."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    part = re.split(r"^## ", text, flags=re.M)
    found = next(p for p in part if p.startswith(heading))
    return re.sub(r"<!--.*?-->\n?", "", found.partition("\n")[2]).replace("](notebooks/", "](").strip()


def index_page(names):
    """The first page: what the course is, and its notebooks."""
    opening = (PLAYER / "index.md").read_text(encoding="utf-8")
    rows = [row for row in section_of_readme("The notebooks").splitlines() if _kept(row, names)]
    listed = "\n".join(f"{name.partition('-')[0]} {title_of(name)} <{name}>" for name in names)
    return (
        f"{opening}\n" + "\n".join(rows) + "\n\n"
        f"```{{toctree}}\n:hidden:\n:caption: The notebooks\n\n{listed}\n```\n\n"
        "```{toctree}\n:hidden:\n:caption: With Python\n\nrun\n```\n"
    )


def _kept(row, names):
    link = re.search(r"\]\(([^)]+)\.ipynb\)", row)
    return link is None or link[1] in names


def run_page():
    """How to install the course."""
    return f"# Run it for real\n\n{section_of_readme('Install and open the course')}\n"


def title_of(name):
    """The title of a notebook."""
    notebook = read(HERE / f"{name}.ipynb")
    opening = next(cell for cell in notebook.cells if cell.cell_type == "markdown")
    return opening.source.partition("\n")[0].removeprefix("# ")


# ---- the command -------------------------------------------------------------------------------------------------


def build(folder, names=(), jobs=None):
    """Build the site of these notebooks, or of all."""
    names = list(names) or sorted(path.stem for path in HERE.glob("[0-9A]*.ipynb"))
    missing = [name for name in names if not (HERE / f"{name}.ipynb").exists()]
    if missing:
        raise ValueError(f"No such notebook: {', '.join(missing)}.")
    work = folder.with_name(folder.name + "-work")
    notebooks = {name: read(HERE / f"{name}.ipynb") for name in names}
    panels = {
        (room, panel, film_name(panel, start)): start
        for name, notebook in notebooks.items()
        for room, panel, start, _ in calls(notebook, name).values()
    }
    start = time.time()
    films, drawn = shoot_all(panels, work / "frames", work / "films", jobs)
    print(f"{len(films)} panels, {drawn} of them drawn now: {time.time() - start:.0f} s")
    source = work / "source"
    _write_source(source, notebooks, films, names)
    _run_sphinx(source, folder, work)
    _copy_frames(work / "frames", folder / "frames", films)
    print(f"{folder}: {_size(folder):.1f} MB, of which {_size(folder / 'frames'):.1f} MB are pictures of panels")


def _write_source(source, notebooks, films, names):
    """All that Sphinx reads; a file that is as it was stays untouched, so that its page does, too."""
    texts = {f"{name}.ipynb": as_text(page_of(notebook, name, films)) for name, notebook in notebooks.items()}
    texts |= {"index.md": index_page(names), "run.md": run_page()}
    source.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        text = _linked(text, names)
        if not (source / name).exists() or (source / name).read_text(encoding="utf-8") != text:
            (source / name).write_text(text, encoding="utf-8")
    for path in source.iterdir():
        if path.suffix in (".ipynb", ".md") and path.name not in texts:
            path.unlink()
    shutil.copytree(PLAYER, source / "player", dirs_exist_ok=True)
    shutil.copytree(ROOT / "figures", source / "figures", dirs_exist_ok=True, ignore=shutil.ignore_patterns("*.py"))
    if not (source / "mathjax" / "mathjax").exists():
        _copy_mathjax(source / "mathjax" / "mathjax")


def _linked(text, names):
    """Links to notebooks that the site does not have become plain words."""
    link = re.compile(r"\[([^\[\]]*)\]\(([^()\s#]+)\.ipynb(?:#[^\s)]*)?\)")
    return link.sub(lambda found: found[0] if found[2] in names else found[1], text)


def _copy_mathjax(folder):
    """MathJax from the package that carries it, so that formulas need no network."""
    for file in files("sphinx-mathjax-offline"):
        inside = str(file).replace("\\", "/").partition("static/mathjax/")[2]
        if inside.startswith(MATHJAX):
            target = folder / inside
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file.locate(), target)


def _run_sphinx(source, folder, work):
    from sphinx.application import Sphinx

    sys.path.insert(0, str(HERE))  # where Sphinx finds ``anchor``
    app = Sphinx(
        source, None, folder, work / "doctrees", "html", confoverrides=SPHINX, status=None, warningiserror=False
    )
    app.build()
    if app.statuscode:
        raise RuntimeError("Sphinx did not finish; what it says is above.")


def _copy_frames(source, target, films):
    """The pictures that are new, and the words of every film."""
    kept = {target / room / name for room, _, name in films}
    for path in target.glob("*/*"):
        if path not in kept:
            shutil.rmtree(path)
    for (room, _, name), film in films.items():
        there, here = target / room / name, source / room / name
        mark = there / "film.js"
        text = script_of(film)
        stamp = f"// {film['fingerprint']}\n"
        if mark.exists() and mark.read_text(encoding="utf-8") == stamp + text:
            continue
        shutil.rmtree(there, ignore_errors=True)
        shutil.copytree(here, there)
        mark.write_text(stamp + text, encoding="utf-8")


def _size(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def main(arguments):
    if not arguments or arguments[0].startswith("-"):
        sys.exit("Say where: python notebooks/website.py FOLDER [NOTEBOOK …]")
    try:
        build(Path(arguments[0]).resolve(), [Path(name).stem for name in arguments[1:]])
    except (ImportError, PackageNotFoundError) as error:
        sys.exit(f"{error}. Install what the site needs: pip install -r notebooks/website-requirements.txt")
    except (ValueError, RuntimeError, OSError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main(sys.argv[1:])
