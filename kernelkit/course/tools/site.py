"""The course as a site that needs neither Python nor a network.

    kernelkit site build/site                     all notebooks
    kernelkit site build/site 02-kernel-trick     only this one

The pages work on any web server and from a disk or a stick. Their panels show pictures that are computed beforehand, by
``films.py``, and ``player/`` moves them. Only what has changed is built again: what is needed for that is kept in a
folder beside the site, FOLDER-work, which is not part of it.

It needs the extra ``site`` of the package.
"""

import ast
import filecmp
import json
import re
import shutil
import time
from dataclasses import dataclass
from importlib.metadata import files
from itertools import takewhile
from pathlib import Path

from jinja2 import Environment, FileSystemLoader
from nbformat.v4 import new_markdown_cell

from kernelkit.course.panel.controls import Items, NoQuestion, Points, Question, Samples
from kernelkit.course.panel.question import SEE
from kernelkit.course.panel.saving import MARK
from kernelkit.course.panel.scenes import RESET
from kernelkit.course.plots import DPI
from kernelkit.course.tools import places
from kernelkit.course.tools.films import explorer_of, shoot_all
from kernelkit.course.tools.stored import as_text, read

PLAYER = Path(__file__).parent / "player"
TEMPLATES = Environment(loader=FileSystemLoader(PLAYER), autoescape=lambda name: name.endswith(".html"))
START = "00-start-here"
COUNTING = "check.summary()"  # the cell that counts what a learner has solved, and here nobody has solved anything
UNITS = "%|km/h|GB|MB|TB|kB|ms|µs|metres|seconds|minutes|hours"
IN_JUPYTER = re.compile(  # what a page leaves out
    r"^Click on this text, and press \*Shift \+ Enter\*.*\n+|In JupyterLab such a link may open [^.]*\. "
    r"| To see it, call it in that notebook, [^\n]*` in 01\.",
    re.M,
)
BY_HAND = (  # a fold opens with a click here, too
    r"\b[Dd]rag(?:s|ged|ging)?\b|(?<!open with a )\b[Cc]lick(?:s|ed|ing)?\b(?! on the line)|\*\*Paint\.\*\*"
    r"|\btype(?= (?:a |two |strings|\*))"
)
MATHJAX = (
    "tex-chtml.js",
    "output/chtml/",
    "a11y/",
    "sre/mathmaps/en.json",
    "sre/mathmaps/base.json",
    "input/tex/extensions/",
)
TITLE = "The kernel trick you can touch"
BUTTONS = "download", "fullscreen", "issues", "source", "edit_page", "repository"  # of the theme, none of them wanted
SPHINX = {
    "project": TITLE,
    "html_title": TITLE,
    "extensions": ["myst_nb", "sphinx_copybutton"],
    "html_theme": "sphinx_book_theme",
    "html_theme_options": {
        "show_toc_level": 1,
        "home_page_in_toc": True,
        "back_to_top_button": False,  # it would lie over the pictures
        "logo": {"text": TITLE, "image_relative": {}},
        **{name: [] for name in ("navbar_start", "navbar_center", "navbar_end", "navbar_persistent", "icon_links")},
        "footer_content_items": [],  # the licence and the authors are on the first page
        **{f"use_{name}_button": False for name in BUTTONS},
    },
    "html_context": {"default_mode": "auto"},
    "copybutton_selector": ":not(.output) > div.highlight pre",  # code, and no output
    "html_static_path": ["static"],
    "html_css_files": [("player.css", {"priority": 800})],
    "html_js_files": [("player.js", {"defer": "defer"})],
    "html_copy_source": False,
    "html_show_sourcelink": False,
    "html_show_sphinx": False,
    "html_show_copyright": False,
    "html_show_search_summary": False,  # it would fetch the pages, which a browser forbids on a disk
    "html_permalinks_icon": "#",  # these two, and some above, as the theme leaves them: it asks for all pages anew if
    "html_sourcelink_suffix": "",  # a setting is not what it was
    "mathjax_path": "mathjax/tex-chtml.js",
    "mathjax3_config": {"chtml": {"scale": 0.92}},
    "nb_execution_mode": "off",
    "nb_code_prompt_show": "Show the {type} of the cell",
    "nb_code_prompt_hide": "Hide the {type} of the cell",
    "myst_enable_extensions": ["dollarmath", "amsmath"],
    "myst_heading_anchors": 3,
    "myst_heading_slug_func": f"{__name__}.anchor",
}


# ---- from a notebook to the source of its page -------------------------------------------------------------------


def anchor(heading):
    """What JupyterLab calls a heading in an address, as the links of the notebooks do."""
    return heading.replace(" ", "-").replace("\N{NO-BREAK SPACE}", "-")


@dataclass(frozen=True)
class Panel:
    """A panel as a cell of a notebook shows it.

    room, name : of its explorer.  start : the values it starts with, where they are not its own.
    ask : whether it asks its question.  film : the name of the folder with its pictures.
    """

    room: str
    name: str
    start: dict
    ask: bool

    @property
    def film(self):
        return "-".join([self.name, *map(str, self.start.values())])


def panels_of(notebook, name):
    """{number of a cell: Panel} of the cells of a notebook that show one."""
    room, found = name.partition("-")[2].replace("-", "_"), {}
    for number, cell in enumerate(notebook.cells):
        shows = any("panel" in output.get("metadata", {}).get(MARK, {}) for output in cell.get("outputs", []))
        call = next((node for node in ast.walk(ast.parse(cell.source)) if _explores(node)), None) if shows else None
        if call:
            given = {word.arg: ast.literal_eval(word.value) for word in call.keywords}
            ask = given.pop("ask", True)
            found[number] = Panel(room, call.func.attr, given, ask)
    return found


def _explores(node):
    """Whether this is a call explore.…(…)."""
    function = getattr(node, "func", None)
    return isinstance(function, ast.Attribute) and getattr(function.value, "id", "") == "explore"


def page_of(notebook, name, films):
    """The notebook with players in place of its panels, and with what a reader without Python has to know."""
    panels, imports, cells = panels_of(notebook, name), imports_of(notebook), []
    names = dead(panels.values(), films)
    for number, cell in enumerate(notebook.cells):
        if cell.source == COUNTING:
            continue
        cells.append(cell)
        if cell.cell_type == "markdown":
            cell.source = marked(unbroken(apart(IN_JUPYTER.sub("", cell.source))), names)
        elif number in panels:
            panel = panels[number]
            cell.outputs = []
            if only_shows(cell):  # the code that matters is in the panel
                cell.metadata["tags"] = [*cell.metadata.get("tags", []), "remove-input"]
            cells.append(html_cell(player(panel, films[panel.room, panel.film], f"film-{number}", name), number))
        elif any("exercise" in output.get("metadata", {}).get(MARK, {}) for output in cell.outputs):
            cell.outputs = []
            cells.append(html_cell(TEMPLATES.get_template("exercise.html").render(command=opening(name)), number))
        elif texts := [
            output.metadata["image/png"]["alt"] for output in cell.outputs if "image/png" in output.get("data", {})
        ]:
            cell.metadata["mystnb"] = {"image": {"alt": " ".join(texts)}}  # the text of the picture for screen readers
    notebook.cells = folded(imports, cells)
    first = first_text(notebook)
    dotted = any("kernelkit-hand" in cell.source for cell in cells)
    title, _, rest = first.source.partition("\n")
    number = name.partition("-")[0]
    first.source = f"# {number} {title.removeprefix('# ')}\n\n{_run_it(name, dotted)}\n{rest}"
    return notebook


def imports_of(notebook):
    """The code cells before the first section that import something, show nothing and define nothing."""
    before = takewhile(lambda cell: not cell.source.startswith("## "), notebook.cells)
    cells = [cell for cell in before if cell.cell_type == "code" and not cell.outputs and "def " not in cell.source]
    return [cell for cell in cells if re.search("^(?:import|from) ", cell.source, flags=re.MULTILINE)]


def folded(imports, cells):
    """The cells of a page with its imports, of which nobody reads, together in one cell that is folded."""
    if not imports:
        return cells
    first, *others = imports
    first.source = "\n".join(cell.source for cell in imports)
    first.metadata["tags"] = [*first.metadata.get("tags", []), "hide-input"]
    first.metadata["mystnb"] = {"code_prompt_show": "Show the imports", "code_prompt_hide": "Hide the imports"}
    return [cell for cell in cells if not any(cell is other for other in others)]


def only_shows(cell):
    """Whether a cell does nothing but show its panel, under a name or not."""
    return re.fullmatch(r"(?:(\w+) = )?explore\.\w+\(.*\)(?:\n\1)?", cell.source) is not None


def html_cell(text, number):
    """A cell of HTML as it is, below the cell with this number."""
    return new_markdown_cell(raw(text), id=f"below-{number}")


def raw(text):
    """HTML in Markdown."""
    return f"``````{{raw}} html\n{text}\n``````"


def opening(name):
    """The command that opens a notebook."""
    return f"kernelkit open {name.partition('-')[0]}"


def apart(text):
    """Displayed formulas with empty lines around them: inside a paragraph they would be read as two dollars.

    Two formulas in one line come to stand in two boxes, so that a narrow page has them one below the other.
    """
    parts = re.split(r"(```.*?```|`[^`\n]*`|\$\$.*?\$\$)", text, flags=re.S)
    for i in range(1, len(parts), 2):
        if parts[i].startswith("$$"):
            parts[i - 1] = re.sub(r"(?<!\n)\n([ \t]*)\Z", r"\n\n\1", parts[i - 1])
            parts[i + 1] = re.sub(r"^[ \t]*\n(?!\n)", "\n\n", parts[i + 1])
            if not parts[i - 1] or parts[i - 1].endswith("\n"):  # not in a list
                parts[i] = in_a_row(parts[i])
    return "".join(parts)


def in_a_row(formula):
    """``$$A \\qquad B$$`` as a row of formulas, each of which is whole; with an environment in it it stays as it is."""
    # “and” stays with what follows
    joined = re.sub(r"\\qquad\s*(\\text\{[^{}]*\})\s*\\qquad", r"\\qquad \1\\quad ", formula.strip("$"))
    pieces = [piece.strip() for piece in re.split(r"(?:\\qquad\s*)+", joined)]
    whole = all(piece and piece.count("{") == piece.count("}") for piece in pieces)
    if len(pieces) == 1 or "\\begin" in formula or re.search(r"\\left(?![a-z])", formula) or not whole:
        return formula
    rows = "\n\n".join(f"$${piece}$$" for piece in pieces)
    return f"`````{{container}} kernelkit-row\n{rows}\n`````"


def unbroken(text):
    """Numbers with their units, long numbers and small equations are not torn at the end of a line."""
    parts = re.split(r"(```.*?```|`[^`\n]*`|\$\$.*?\$\$|\$[^$\n]+\$|\]\([^)\n]*\)|<[^>\n]+>)", text, flags=re.S)
    space = "\N{NO-BREAK SPACE}"
    for i in range(0, len(parts), 2):
        for pattern in (
            r"(?<=\d) (?=\d{3}(?!\d))",
            rf"(?<=\d) (?=(?:{UNITS})(?!\w))",
            r"(?<=[\w²³)]) (?=[=≈≤≥] [−\d√|])",
            r"(?<=[=≈≤≥]) (?=[−\d√|])",
            r"(?<=\b\w) (?=[<>→] [−\d∞])",
            rf"(?<=\b\w{space}[<>→]) (?=[−\d∞])",
        ):
            parts[i] = re.sub(pattern, space, parts[i])
    return "".join(parts)


def marked(text, names):
    """The text with dots under what needs Python: to drag, to click, to type, and controls of these names."""
    said = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    # “a **kernel**” and “The **loss**” define a word
    hands = re.compile(rf"(?<!\ba )(?<!\bThe )(?<!\*)(\*{{1,2}})(?:{said})\1|{BY_HAND}" if names else BY_HAND)
    parts = re.split(
        r"(```.*?```|`[^`\n]*`|\$\$.*?\$\$|\$[^$\n]+\$|\]\([^)\n]*\)|<[^>\n]+>|^#[^\n]*)", text, flags=re.S | re.M
    )
    for i in range(0, len(parts), 2):
        parts[i] = hands.sub(r'<span class="kernelkit-hand" title="needs Python">\g<0></span>', parts[i])
    return "".join(parts)


def _run_it(name, dotted):
    """What a page says first: what needs Python, and how to get it."""
    what = "What is underlined with dots needs" if dotted else "The code needs"
    return f"```{{container}} kernelkit-run\n{what} [Python](run.md) and `{opening(name)}`.\n```\n"


# ---- a player ----------------------------------------------------------------------------------------------------


def player(panel, film, ident, name):
    """The part of a page for a panel, as ``player/film.html`` lays it out; ident : what the page alone calls it."""
    explorer = explorer_of(panel.room, panel.name)
    question = explorer.question if panel.ask and not isinstance(explorer.question, NoQuestion) else None
    options = question.options if isinstance(question, Question) else ()
    return TEMPLATES.get_template("film.html").render(
        explorer=explorer,
        film=film,
        place=f"{panel.room}/{panel.film}",
        id=ident,
        question=question,
        options=[(option, question.verdict(option, {})) for option in options],
        see=SEE,
        reset=RESET,
        begin=film["covered"] if question and film["covered"] is not None else 0,
        width=round(DPI * explorer.size[0]),
        height=round(DPI * explorer.size[1]),
        works=works(explorer, film, panel.start, opening(name)),
    )


def works(explorer, film, start, command):
    """The sentences above a panel: what moves it on this page, and what it would do with Python."""
    sliders = [f"“{track['label']}”" for track in film["tracks"]]
    hands, names = missing(explorer, film, start)
    wants = [*hands, *["use another control"] * bool(names)]
    needs = f" To {listed(wants, 'or')} you need Python: {command}." if wants else ""
    return f"Here {listed(['the buttons', *sliders])} work.{needs}"


def missing(explorer, film, start):
    """What of a panel, at its start and in its scenes, only Python does: gestures, and names of controls."""
    moved, first = {track["name"] for track in film["tracks"]}, explorer.start() | start
    states = [first, *(first | scene for scene in explorer.scenes.values())]
    shown = [control for control in explorer.controls if control.when is None or any(map(control.when, states))]
    dragged = [control for control in shown if isinstance(control, Points | Samples | Items)]
    others = [control.label for control in shown if control not in dragged and control.name not in moved]
    samples = [control for control in dragged if isinstance(control, Samples)]
    painted = any(control.spray for control in samples)
    hands = ["paint points" if painted else "drag, add or remove points" if samples else "drag points"] * bool(dragged)
    hands += ["click into the picture"] if explorer.click else []
    buttons = [name for name in explorer.act if name not in film["acts"]]
    buttons += [explorer.measuring] if explorer.measure else []
    return hands, [*others, *buttons]


def dead(panels, films):
    """The names of controls and buttons that no panel of a page can do anything with."""
    shown = [(explorer_of(panel.room, panel.name), films[panel.room, panel.film], panel.start) for panel in panels]
    alive = {track["label"] for _, film, _ in shown for track in film["tracks"]}
    return {name for panel in shown for name in missing(*panel)[1]} - alive


def listed(words, joined="and"):
    """“a, b and c”."""
    *words, last = dict.fromkeys(words)
    return f" {joined} ".join([*([", ".join(words)] if words else []), last])


def script_of(film):
    """What the player reads. It is a script, because a page on a disk may not fetch data."""
    data = {"shots": film["shots"], "tracks": [track["shots"] for track in film["tracks"]]}
    return f"kernelkitFilm({json.dumps(data, ensure_ascii=False, separators=(',', ':'))});\n"


# ---- the pages around the notebooks ------------------------------------------------------------------------------


def section_of_readme(heading):
    """The text below a heading of the README, with links as they are in the site; ValueError if there is none."""
    text = (places.folder().parent / "README.md").read_text(encoding="utf-8")
    part = re.split(r"^## ", text, flags=re.M)
    found = next((p for p in part if p.startswith(heading)), None)
    if found is None:
        raise ValueError(f"README.md has no section “{heading}”, which the site shows.")
    return re.sub(r"<!--.*?-->\n?", "", found.partition("\n")[2]).replace("](notebooks/", "](").strip()


def index_page(names, films):
    """The first page: what the course is, its first picture, and its notebooks."""
    rows = [row for row in section_of_readme("The notebooks").splitlines() if _kept(row, names)]
    hero = None
    if START in names:
        panel = next(iter(panels_of(read(places.folder() / f"{START}.ipynb"), START).values()))
        hero = raw(player(panel, films[panel.room, panel.film], "film", START))
    return TEMPLATES.get_template("index.md").render(
        hero=hero, rows=rows, pages=[(name, f"{name.partition('-')[0]} {title_of(name)}") for name in names]
    )


def _kept(row, names):
    link = re.search(r"\]\(([^)]+)\.ipynb\)", row)
    return link is None or link[1] in names


def run_page():
    """How to install the course."""
    return TEMPLATES.get_template("run.md").render()


def title_of(name):
    """The title of a notebook."""
    return first_text(read(places.folder() / f"{name}.ipynb")).source.partition("\n")[0].removeprefix("# ")


def first_text(notebook):
    """The cell with the title of a notebook."""
    return next(cell for cell in notebook.cells if cell.cell_type == "markdown")


# ---- the command -------------------------------------------------------------------------------------------------


def build(folder, names=(), jobs=None):
    """Build the site of these notebooks, or of all."""
    folder = Path(folder).resolve()
    names = [path.stem for path in places.notebooks(names)]
    if folder.exists() and not is_ours(folder):
        raise ValueError(f"{folder} holds something else: name a new folder, or one with an earlier site.")
    work = folder.with_name(folder.name + "-work")
    notebooks = {name: read(places.folder() / f"{name}.ipynb") for name in names}
    panels = {
        (panel.room, panel.film): (panel.name, panel.start)
        for name, notebook in notebooks.items()
        for panel in panels_of(notebook, name).values()
    }
    start = time.time()
    films, drawn = shoot_all(panels, work / "frames", work / "films", jobs)
    print(f"{len(films)} panels, {drawn} of them drawn now: {time.time() - start:.0f} s")
    print(f"laying out {len(names) + 2} pages", flush=True)
    _write_source(work / "source", notebooks, films, names)
    _run_sphinx(work)
    _write_words(work / "frames", films)
    sweep(work / "html", names)
    publish(work, films, folder)
    print(f"{folder}: {_size(folder):.1f} MB, of which {_size(folder / 'frames'):.1f} MB are pictures of panels")


def is_ours(folder):
    """Whether nothing but an earlier site can be lost in a folder."""
    return folder.is_dir() and ((folder / "_static" / "player.js").exists() or not any(folder.iterdir()))


def _write_source(source, notebooks, films, names):
    """All that Sphinx reads; a file that is as it was stays untouched, so that its page does, too."""
    texts = {f"{name}.ipynb": as_text(page_of(notebook, name, films)) for name, notebook in notebooks.items()}
    texts |= {"index.md": index_page(names, films), "run.md": run_page()}
    source.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
        text = linked(text, names)
        if not (source / name).exists() or (source / name).read_text(encoding="utf-8") != text:
            (source / name).write_text(text, encoding="utf-8")
    for path in source.iterdir():
        if path.suffix in (".ipynb", ".md") and path.name not in texts:
            path.unlink()
    for name in ("player.js", "player.css"):
        (source / "static").mkdir(exist_ok=True)
        shutil.copyfile(PLAYER / name, source / "static" / name)
    if not (source / "static" / "mathjax").exists():
        _copy_mathjax(source / "static" / "mathjax")


def linked(text, names):
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


def _run_sphinx(work):
    from docutils.nodes import image
    from sphinx.application import Sphinx

    settings = SPHINX | {"nb_execution_cache_path": str(work / "cache")}
    pages = work / "html"
    app = Sphinx(work / "source", None, pages, work / "doctrees", "html", confoverrides=settings, status=None)
    app.add_node(image, override=True, html=(_write_picture, lambda writer, node: None))
    app.build()
    if app.statuscode:
        raise RuntimeError("Sphinx did not finish; what it says is above.")
    for path in (pages / "_static").rglob("*.map"):
        path.unlink()
    icons = pages / "_static" / "scripts" / "fontawesome.js"
    icons.write_text("// The icons of these pages are in player.css, which needs 1.5 MB less.\n", encoding="utf-8")


def _write_picture(writer, node):
    """A picture that is fetched when a reader gets near it, with its size, so that the text does not jump then."""
    from sphinx.util.images import get_image_size

    file, name = writer.builder.srcdir / node["uri"], writer.builder.images[node["uri"]]
    width, height = get_image_size(file)
    given = {"src": f"{writer.builder.imgpath}/{name}", "alt": node.get("alt", ""), "loading": "lazy"}
    writer.body.append(writer.emptytag(node, "img", "\n", width=width, height=height, **given))


def _write_words(frames, films):
    """The script of every film, next to its pictures."""
    for (room, name), film in films.items():
        (frames / room / name / "film.js").write_text(script_of(film), encoding="utf-8")


def sweep(pages, names):
    """Take away the pages of other notebooks, and the pictures that no page shows any more, which Sphinx leaves."""
    for path in pages.glob("[0-9A]*.html"):
        if path.stem not in names:
            path.unlink()
    text = "".join(path.read_text(encoding="utf-8") for path in pages.rglob("*.html"))
    for picture in pages.glob("_images/*"):
        if picture.name not in text:
            picture.unlink()


def publish(work, films, folder):
    """Bring the site up to date. What an earlier build wrote there, and this one does not, goes, and nothing else."""
    parts = {Path(): work / "html"} | {Path("frames", *film): work / "frames" / Path(*film) for film in films}
    written = {(place / name).as_posix() for place, source in parts.items() for name in mirror(source, folder / place)}
    note = folder / "_static" / "written.json"
    earlier = set(json.loads(note.read_text(encoding="utf-8"))) if note.exists() else set()
    for name in earlier - written:
        (folder / name).unlink(missing_ok=True)
    if written != earlier:
        note.write_text(json.dumps(sorted(written)), encoding="utf-8")


def mirror(source, target):
    """Copy every file of a folder that is not there as it is; gives the names of all its files."""
    names = [path.relative_to(source) for path in source.rglob("*") if path.is_file()]
    for name in names:
        if not (target / name).exists() or not filecmp.cmp(source / name, target / name):
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source / name, target / name)
    return names


def _size(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6
