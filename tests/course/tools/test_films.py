"""Which pictures the site shows of a panel, and what it says of them; ``tests/browser/test_site.py`` moves them."""

import re

import numpy as np
import panels
import pytest
from matplotlib.text import Text
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from panels import compute
from PIL import Image

from kernelkit.course.panel.controls import Slider, Stepper
from kernelkit.course.tools import films, places, site as website
from kernelkit.course.tools.stored import read

EXPLORERS = panels.explorers()
NOTEBOOKS = places.notebooks()
every_film = pytest.mark.parametrize("explorer", EXPLORERS.values(), ids=EXPLORERS.keys())
every_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


@every_film
def test_a_film_has_every_scene_and_moves_what_its_explorer_names(explorer):
    film = films.shots_of(explorer)
    assert film.shots[0].values == explorer.start()
    assert {name: film.shots[i].values for name, i in film.scenes.items()} == {
        name: explorer.start() | scene for name, scene in explorer.scenes.items()
    }
    assert [track.name for track in film.tracks if track.name] == list(explorer.film)


@every_film
def test_a_slider_of_a_film_moves_alone_over_its_whole_range(explorer):
    film = films.shots_of(explorer)
    for track in (track for track in film.tracks if track.name):
        control = next(control for control in explorer.controls if control.name == track.name)
        values = [film.shots[number].values for number in track.shots]
        assert all(v | {track.name: None} == explorer.start() | {track.name: None} for v in values)
        places = [v[track.name] for v in values]
        assert places == sorted(set(places)) and control.start in places
        assert len(track.texts) == len(set(track.texts)), "each position says another value"
        if isinstance(control, Slider):
            assert places[0] == pytest.approx(control.low) and places[-1] == pytest.approx(control.high)
            grid = round(
                (np.log10(control.high / control.low) if control.log else control.high - control.low) / control.step
            )
            assert len(places) >= min(15, grid + 1)
        assert len(places) <= films.MANY + len(explorer.scenes)


@pytest.mark.parametrize("slider", [
    Slider("few", "n", 3, 1, 5, 1),
    Slider("many", "x", 0.5, 0.0, 1.0, 0.01),
    Slider("log", "σ", 0.7, 0.05, 10.0, 0.05, log=True),
    Slider("whole", "n", 20, 5, 500, 5),
], ids=lambda slider: slider.name)  # fmt: skip
def test_positions_are_values_that_the_slider_has(slider):
    positions = films.positions_of(slider, passed=(slider.start,))
    assert slider.start in positions
    assert all(value == pytest.approx(slider.nearest(value), rel=0.03) for value in positions)
    assert len(positions) == 5 if slider.name == "few" else 15 <= len(positions) <= films.MANY


def test_steps_end_where_the_run_ends():
    explorer = EXPLORERS["kernel_perceptron.stepper"]
    film = films.shots_of(explorer)
    (track,) = film.tracks
    (stepper,) = (control for control in explorer.controls if isinstance(control, Stepper))
    last = compute(explorer, explorer.start()).last_step
    assert last < stepper.last, "or choose another panel for this test"
    assert track.texts == [str(step) for step in range(last + 1)] and track.plays


def test_a_run_that_ends_before_the_step_a_panel_starts_with_is_a_film_all_the_same():
    explorer = EXPLORERS["kernel_perceptron.stepper"]
    (stepper,) = (control for control in explorer.controls if isinstance(control, Stepper))
    (track,) = films.shots_of(explorer, **{stepper.name: stepper.last}).tracks
    last = compute(explorer, explorer.start()).last_step
    assert track.texts == [str(step) for step in range(last + 1)]


def test_the_motion_of_a_picture_and_a_game_are_films_with_steps():
    raising, sigma = films.shots_of(EXPLORERS["start_here.paint"]).tracks
    assert raising.plays and len(raising.shots) == films.RUN and not sigma.plays
    rush = films.shots_of(EXPLORERS["finding_gold.gold_rush"])
    (game,) = rush.tracks
    holes = [len(rush.shots[number].values["holes"].partition(":")[2].split()) for number in game.shots]
    assert holes == list(range(21)) and rush.shots[game.shots[-1]].values["fog"] == 0


def test_where_a_slider_came_by_leaves_its_mark():
    explorer = EXPLORERS["choosing_a_kernel.validation"]
    film = films.shots_of(explorer)
    (track,) = film.tracks
    begin = track.shots.index(0)
    visited = [len(film.shots[number].visited) for number in track.shots]
    assert visited[begin + 2] == 3 and visited[0] == begin + 1


@pytest.mark.parametrize("name", ["kernel_trick.identity", "finding_gold.posterior", "choosing_a_kernel.learning"])
def test_pictures_and_words_are_those_of_the_explorer(name, tmp_path):
    room, panel = name.split(".")
    explorer, film = EXPLORERS[name], films.shots_of(EXPLORERS[name])
    shot = films.shoot(room, panel, {}, tmp_path / "film")
    assert len(list((tmp_path / "film").iterdir())) == len(film.shots) == len(shot["shots"])
    canvas = films.still(explorer)
    for number, (here, words) in enumerate(zip(film.shots, shot["shots"], strict=True)):
        state = compute(explorer, here.values | ({"visited": here.visited} if here.visited else {}))
        assert words["say"] == explorer.words(state, hidden=here.hidden)
        assert words["code"] == explorer.code(**here.values)
        drawn = canvas.frame(state, hidden=explorer.question.hides if here.hidden else ())[..., :3]
        stored = np.asarray(Image.open(tmp_path / "film" / f"{number}.webp").convert("RGB"))
        assert np.abs(stored.astype(float) - drawn).mean() < 2.5, "not this picture"


@every_film
def test_no_text_in_a_picture_asks_for_a_hand(explorer):
    canvas = films.still(explorer)
    canvas.frame(compute(explorer, films.shots_of(explorer).first))
    texts = [text.get_text() for text in canvas.figure.findobj(Text)]
    assert not [text for text in texts if re.search(r"\b(drag|click|drop)", text)]


def test_only_what_changed_is_drawn_again_and_it_says_how_far_it_is(tmp_path, capsys):
    panels = {("kernel_trick", "identity"): ("identity", {}), ("kernel_trick", "weights"): ("weights", {})}
    folders = tmp_path / "frames", tmp_path / "films"
    first, drawn = films.shoot_all(panels, *folders, jobs=1)
    assert drawn == 2 and re.findall(r"notebook \d of \d", capsys.readouterr().out) == ["notebook 1 of 1"] * 2
    again, drawn = films.shoot_all(panels, *folders, jobs=1)
    assert drawn == 0 and again == first and not capsys.readouterr().out
    (tmp_path / "frames" / "kernel_trick" / "weights" / "3.webp").unlink()
    assert films.shoot_all(panels, *folders, jobs=1) == (first, 1)
    other = films.fingerprint("kernel_trick", "identity", {}), films.fingerprint("kernel_trick", "weights", {})
    assert len({*other, films.fingerprint("kernel_trick", "identity", {"degree": 3})}) == 3


# ---- the pages ---------------------------------------------------------------------------------------------------


@every_notebook
def test_every_panel_of_a_notebook_is_found(path):
    notebook = read(path)
    found = website.panels_of(notebook, path.stem)
    called = [number for number, cell in enumerate(notebook.cells) if re.search(r"\bexplore\.\w+\(", cell.source)]
    shown = [number for number in called if notebook.cells[number].cell_type == "code"]
    assert list(found) == shown
    assert all(f"{panel.room}.{panel.name}" in EXPLORERS for panel in found.values())


@every_notebook
def test_no_displayed_formula_stands_inside_a_paragraph(path):
    """There the page would read it as two dollars."""
    for cell in read(path).cells:
        if cell.cell_type == "markdown":
            text = re.sub(r"```.*?```|`[^`\n]*`", "", website.apart(cell.source), flags=re.S)
            for formula in re.finditer(r"\$\$.*?\$\$", text, re.S):
                before, after = text[: formula.start()], text[formula.end() :]
                assert not before.strip() or re.search(r"\n[ \t>]*\n[ \t>]*$", before), formula[0]
                assert not after.strip() or re.match(r"[ \t]*[.,;]?[ \t]*\n[ \t>]*\n", after), formula[0]


def test_formulas_are_set_apart_and_code_stays_as_it_is():
    assert website.apart("so\n$$a$$\nand") == "so\n\n$$a$$\n\nand"
    assert website.apart("so\n\n$$a$$\n\nand") == "so\n\n$$a$$\n\nand"
    assert website.apart("$$a$$\n$$b$$") == "$$a$$\n\n$$b$$"
    assert website.apart("so\n`$$a$$`\n```\n$$a$$\n```") == "so\n`$$a$$`\n```\n$$a$$\n```"


def test_two_formulas_of_a_line_come_to_stand_in_a_row_of_two():
    row = "`````{container} kernelkit-row\n$$a$$\n\n$$b_{1}$$\n`````"
    assert website.apart("so\n$$a \\qquad b_{1}$$\nand") == f"so\n\n{row}\n\nand"
    assert "$$\\text{and}\\quad b$$" in website.apart("$$a \\qquad\\text{and}\\qquad b$$").replace("  ", " ")
    for whole in ("$$\\text{a \\qquad b}$$", "$$\\begin{aligned} a \\qquad b \\end{aligned}$$", "$$a$$"):
        assert website.apart(whole) == whole
    assert website.apart("* so\n\n  $$a \\qquad b$$") == "* so\n\n  $$a \\qquad b$$"


def test_a_number_keeps_its_unit_and_a_small_equation_its_sides():
    joined = website.unbroken("4 598 126 features, 9 %, λ = 0.1, κ > 0, σ → ∞ and 3 · 2 = 6").replace(
        "\N{NO-BREAK SPACE}", "_"
    )
    assert joined == "4_598_126 features, 9_%, λ_=_0.1, κ_>_0, σ_→_∞ and 3 · 2_=_6"
    for other in ("`4 598`", "$1 = 2$", "$$4 598 = 1$$", "[x](a = 1)", "```\n9 %\n```", "<b a = 1>", "in 5 days"):
        assert website.unbroken(other) == other


@every_notebook
def test_what_keeps_lines_together_changes_spaces_only_and_no_link(path):
    notebook = read(path)
    headings = {h for c in notebook.cells if c.cell_type == "markdown" for h in re.findall(r"^#+ (.*)", c.source, re.M)}
    assert all(website.anchor(website.unbroken(heading)) == website.anchor(heading) for heading in headings)
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            assert website.unbroken(cell.source).replace("\N{NO-BREAK SPACE}", " ") == cell.source.replace("\xa0", " ")


def test_a_link_to_a_notebook_that_is_not_there_becomes_words():
    text = "see [02](02-kernel-trick.ipynb#The-rules) and [03](03-kernel-ridge.ipynb)"
    assert website.linked(text, ["02-kernel-trick"]) == "see [02](02-kernel-trick.ipynb#The-rules) and 03"


def write(folder, **texts):
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def files(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_what_the_site_no_longer_shows_is_taken_away_and_what_somebody_put_there_stays(tmp_path):
    work, site = tmp_path / "work", tmp_path / "site"
    pages = {"02-a.html": '<img src="_images/new.png">', "03-b.html": "", "_static/player.js": ""}
    write(work / "html", **pages, **{"_images/new.png": "", "_images/old.png": ""})
    write(work / "frames" / "r", **{"film/0.webp": "", "other/0.webp": ""})
    mine = {"404.html": "mine", "2026-plan.html": "mine", "_images/me.jpg": "mine", "frames/r/.DS_Store": "mine"}
    website.publish(work, [("r", "film"), ("r", "other")], site)
    write(site, **mine)
    website.sweep(work / "html", ["02-a"])
    website.publish(work, [("r", "film")], site)
    kept = {"02-a.html", "_static/player.js", "_images/new.png", "frames/r/film/0.webp", "_static/written.json"}
    assert files(site) == kept | {*mine} and files(work / "html") < kept


def test_a_section_that_the_readme_lacks_is_named():
    with pytest.raises(ValueError, match=r"README\.md has no section “No such heading”"):
        website.section_of_readme("No such heading")


def test_what_is_missing_without_python_is_listed():
    assert website.listed(["a"]) == "a" and website.listed(["a", "b", "c"], "or") == "a, b or c"


@every_film
def test_a_control_that_no_picture_has_is_not_missed_and_no_button_is_forgotten(explorer):
    first, film = explorer.start(), films.shots_of(explorer)
    shot = {"tracks": [vars(track) for track in film.tracks], "acts": film.acts}
    hands, missing = website.missing(explorer, shot, {})
    states = [first, *(first | scene for scene in explorer.scenes.values())]
    shown = {c.label for c in explorer.controls if c.when is None or any(c.when(state) for state in states)}
    hidden = {control.label for control in explorer.controls} - shown
    assert not hidden & {*missing} and {*explorer.act} - {*film.acts} <= {*missing}
    said = website.works(explorer, shot, {}, "kernelkit open 02")
    assert all(f"“{track.label}”" in said.partition(". ")[0] for track in film.tracks)
    assert all(hand in said for hand in hands) and ("Python" in said) == bool(hands or missing)


def test_words_that_ask_for_a_hand_or_for_a_control_that_is_not_there_have_dots():
    names = {"penalty λ", "c (of k)", "kernel"}
    text = (
        "# Drag\nDrag *z*, **click** `click`, type a word.\nSet **kernel**, *c (of k)* $drag$: a **kernel** <b drag>."
    )
    dotted = re.findall(r'<span class="kernelkit-hand"[^>]*>(.*?)</span>', website.marked(text, names))
    assert dotted == ["Drag", "click", "type", "**kernel**", "*c (of k)*"]
    assert re.sub("</?span[^>]*>", "", website.marked(text, names)) == text
    for works in ("an answer that you open with a click", "a click on the line with the triangle", "| Type |", "λ"):
        assert website.marked(works, names) == website.marked(works, set()) == works


def test_a_control_that_moves_in_one_panel_of_a_page_is_not_dead():
    kinds = ("penalty", "penalty λ"), ("sigma", "width σ")
    tracks = [{"tracks": [{"name": name, "label": label}], "acts": {}} for name, label in kinds]
    panels = [website.Panel("feature_maps", "fit", {}, True), website.Panel("feature_maps", "fit", {"degree": 2}, True)]
    films = {(panel.room, panel.film): film for panel, film in zip(panels, tracks, strict=True)}
    assert "penalty λ" not in website.dead(panels, films) and "noise" in website.dead(panels, films)


def test_a_page_does_not_count_exercises():
    cells = [new_markdown_cell("# A title"), new_code_cell("1 + 1"), new_code_cell("check.summary()")]
    page = website.page_of(new_notebook(cells=cells), "02-kernel-trick", {})
    assert [cell.source for cell in page.cells[1:]] == ["1 + 1"]
    assert "kernelkit open 02" in page.cells[0].source and "pictures" not in page.cells[0].source


def test_the_imports_of_a_page_are_one_fold():
    cells = [
        new_markdown_cell("# A title"),
        new_code_cell("import a"),
        new_code_cell("import b"),
        new_markdown_cell("## A"),
    ]
    page = website.page_of(new_notebook(cells=[*cells, new_code_cell("import c")]), "02-kernel-trick", {})
    sources = {cell.source: cell.metadata.get("tags") for cell in page.cells if cell.cell_type == "code"}
    assert sources == {"import a\nimport b": ["hide-input"], "import c": None}


def test_a_page_tells_nobody_to_run_its_cells():
    opening = read(places.folder() / "00-start-here.ipynb").cells[0].source
    assert "Shift + Enter" in opening and "Shift + Enter" not in website.IN_JUPYTER.sub("", opening)


def test_a_site_is_not_built_over_anything_else(tmp_path):
    mine = tmp_path / "2026.html"
    mine.write_text("mine")
    for place in (tmp_path, mine):
        with pytest.raises(ValueError, match="holds something else"):
            website.build(place)
    assert mine.read_text() == "mine" and list(tmp_path.iterdir()) == [mine]


def test_a_site_may_be_built_again(tmp_path):
    assert website.is_ours(tmp_path)
    (tmp_path / "_static").mkdir()
    (tmp_path / "_static" / "player.js").touch()
    assert website.is_ours(tmp_path)
