"""Which pictures the site shows of a panel, and what it says of them; ``tests/browser/test_site.py`` moves them."""

import re
from itertools import chain

import numpy as np
import panels
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from panels import compute
from PIL import Image

from kernelkit.course.panel.controls import Slider, Stepper
from kernelkit.course.panel.marks import said
from kernelkit.course.tools import films, site as website

EXPLORERS = panels.explorers()
HAND = re.compile(r"\b(drag|click|drop)")


# ---- the film of every panel -------------------------------------------------------------------------------------


@pytest.mark.parametrize("explorer", EXPLORERS.values(), ids=EXPLORERS.keys())
def test_a_film_has_every_scene_and_slider_and_the_page_says_what_is_missing(explorer):
    film, start = films.shots_of(explorer), explorer.start()
    assert film.shots[0].values == start
    scenes = {name: start | scene for name, scene in explorer.scenes.items()}
    assert {name: film.shots[number].values for name, number in film.scenes.items()} == scenes
    told = {name: bool(films.settings(explorer, values, start)) for name, values in scenes.items()}
    assert told == {name: values != start for name, values in scenes.items()}, "what a scene changes is said"
    hides = getattr(explorer.question, "hides", ())
    covered = [number for number, shot in enumerate(film.shots) if shot.hidden]
    assert covered == [film.covered] * bool(hides) and all(film.shots[number].values == start for number in covered)
    sliders = [track for track in film.tracks if track.name]
    assert [track.name for track in sliders] == list(explorer.film)
    for track in sliders:
        moves_alone_over_its_range(explorer, film, track)
    names_what_only_python_does(explorer, film)
    words = still_words(explorer.picture(explorer.state(start)))
    assert not [text for text in words if HAND.search(text)], "nothing can be dragged there"


def moves_alone_over_its_range(explorer, film, track):
    control = next(control for control in explorer.controls if control.name == track.name)
    values = [film.shots[number].values for number in track.shots]
    assert all(v | {track.name: None} == explorer.start() | {track.name: None} for v in values)
    places = [v[track.name] for v in values]
    assert places == sorted(set(places)) and len(track.texts) == len(set(track.texts)) == len(places)
    assert control.start in places and len(places) <= films.MANY + len(explorer.scenes)
    if isinstance(control, Slider):
        assert places[0] == pytest.approx(control.low) and places[-1] == pytest.approx(control.high)
        assert all(place == pytest.approx(control.nearest(place), rel=0.03) for place in places)
        way = np.log10(control.high / control.low) if control.log else control.high - control.low
        assert len(places) >= min(15, round(way / control.step) + 1)


def names_what_only_python_does(explorer, film):
    """A control that no picture has is not missed, and no button is forgotten."""
    shot = {"tracks": [vars(track) for track in film.tracks], "acts": film.acts}
    hands, missing = website.missing(explorer, shot, {})
    states = [explorer.start(), *(explorer.start() | scene for scene in explorer.scenes.values())]
    shown = {c.label for c in explorer.controls if c.when is None or any(map(c.when, states))}
    hidden = {control.label for control in explorer.controls} - shown
    assert not hidden & {*missing} and {*explorer.act} - {*film.acts} <= {*missing}
    told = website.works(explorer, shot, {}, "kernelkit open 02")
    assert all(f"“{track.label}”" in told.partition(". ")[0] for track in film.tracks)
    assert all(hand in told for hand in hands) and ("Python" in told) == bool(hands or missing)


def still_words(picture):
    """All that is written in a picture on a page where nothing can be moved."""
    for axes in chain(*picture):
        yield said(axes.title, "still")
        yield from (axes.x.label, axes.y.label, *map(str, (*(axes.x.names or ()), *(axes.y.names or ()))))
        for mark in (mark for mark in axes.marks if mark is not None):
            yield f"{mark.label} {said(getattr(mark, 'words', ''), 'still')}"


def test_steps_end_where_the_run_ends_also_where_the_panel_starts_beyond():
    explorer = EXPLORERS["kernel_perceptron.stepper"]
    (stepper,) = (control for control in explorer.controls if isinstance(control, Stepper))
    last = compute(explorer, explorer.start()).last_step
    assert last < stepper.last, "or choose another panel for this test"
    for start in ({}, {stepper.name: stepper.last}):
        (track,) = films.shots_of(explorer, **start).tracks
        assert track.texts == [str(step) for step in range(last + 1)] and track.plays


def test_a_motion_and_a_game_are_films_with_steps_and_a_slider_leaves_marks_where_it_came_by():
    raising, sigma = films.shots_of(EXPLORERS["start_here.paint"]).tracks
    assert raising.plays and len(raising.shots) == films.RUN and not sigma.plays
    rush = films.shots_of(EXPLORERS["finding_gold.gold_rush"])
    (game,) = rush.tracks
    holes = [len(rush.shots[number].values["holes"].partition(":")[2].split()) for number in game.shots]
    assert holes == list(range(21)) and rush.shots[game.shots[-1]].values["fog"] == 0
    film = films.shots_of(EXPLORERS["choosing_a_kernel.validation"])
    (track,) = film.tracks
    begin, visited = track.shots.index(0), [len(film.shots[number].visited) for number in track.shots]
    assert visited[begin + 2] == 3 and visited[0] == begin + 1


def test_pictures_and_words_are_those_of_the_explorer_and_only_what_changed_is_drawn_again(tmp_path, capsys):
    panels = {("choosing_a_kernel", "learning"): ("learning", {}), ("kernel_trick", "weights"): ("weights", {})}
    folders = tmp_path / "frames", tmp_path / "films"
    first, drawn = films.shoot_all(panels, *folders, jobs=1)
    assert drawn == 2 and "notebook 1 of 2" in (told := capsys.readouterr().out) and "notebook 2 of 2" in told

    explorer, frames = EXPLORERS["choosing_a_kernel.learning"], folders[0] / "choosing_a_kernel" / "learning"
    film, canvas = films.shots_of(explorer), films.still(explorer)
    words = first["choosing_a_kernel", "learning"]["shots"]
    assert len(list(frames.iterdir())) == len(film.shots) == len(words)
    for number, shot in [*enumerate(film.shots)][::4]:
        state = compute(explorer, shot.values | ({"visited": shot.visited} if shot.visited else {}))
        scene = next((scene for scene, other in film.scenes.items() if other == number), None)
        assert words[number]["say"] == explorer.words(state, scene)
        assert words[number]["code"] == explorer.code(**shot.values)
        stored = np.asarray(Image.open(frames / f"{number}.webp").convert("RGB")).astype(float)
        assert np.abs(stored - canvas.frame(state)[..., :3]).mean() < 2.5, "not this picture"

    assert films.shoot_all(panels, *folders, jobs=1) == (first, 0) and not capsys.readouterr().out
    (folders[0] / "kernel_trick" / "weights" / "3.webp").unlink()
    assert films.shoot_all(panels, *folders, jobs=1) == (first, 1)
    others = ("identity", {}), ("weights", {}), ("weights", {"p": 3})
    assert len({films.fingerprint("kernel_trick", *other) for other in others}) == 3


# ---- the text of a page ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("formula", "pieces"), [
    ("$$a \\qquad b_{1}$$", ["$$a$$", "$$b_{1}$$"]),
    ("$$a \\qquad\\text{and}\\qquad b$$", ["$$a$$", "$$\\text{and}\\quad  b$$"]),
    ("$$\\text{a \\qquad b}$$", None),
    ("$$\\begin{aligned} a \\qquad b \\end{aligned}$$", None),
])  # fmt: skip
def test_formulas_of_one_line_stand_in_a_row_if_each_is_whole_and_they_are_in_no_list(formula, pieces):
    row = "\n".join(["`````{container} kernelkit-row", "\n\n".join(pieces or ()), "`````"]) if pieces else formula
    assert website.apart(f"so\n{formula}\nand `$$a$$`") == f"so\n\n{row}\n\nand `$$a$$`"
    assert website.apart(f"* so\n\n  {formula}") == f"* so\n\n  {formula}"


def test_words_that_ask_for_a_hand_or_for_a_control_that_is_not_there_have_dots():
    names = {"penalty λ", "c (of k)", "kernel"}
    text = "# Drag\nDrag *z*, **click** `click`, type a word.\n"
    text += "Set **kernel**, *c (of k)* $drag$: a **kernel** <b drag>."
    dotted = re.findall(r'<span class="kernelkit-hand"[^>]*>(.*?)</span>', website.marked(text, names))
    assert dotted == ["Drag", "click", "type", "**kernel**", "*c (of k)*"]
    assert re.sub("</?span[^>]*>", "", website.marked(text, names)) == text
    for works in ("an answer that you open with a click", "a click on the line with the triangle", "| Type |", "λ"):
        assert website.marked(works, names) == website.marked(works, set()) == works


def test_a_page_counts_no_exercises_and_folds_its_imports():
    """A link to a notebook that the site does not have becomes words."""
    sources = "import a", "import b", "1 + 1", "check.summary()"
    cells = [new_markdown_cell("# A title"), *map(new_code_cell, sources), new_markdown_cell("## A")]
    page = website.page_of(new_notebook(cells=[*cells, new_code_cell("import c")]), "02-kernel-trick", {})
    tags = {cell.source: cell.metadata.get("tags") for cell in page.cells if cell.cell_type == "code"}
    assert tags == {"import a\nimport b": ["hide-input"], "1 + 1": None, "import c": None}
    assert "kernelkit open 02" in page.cells[0].source and "underlined" not in page.cells[0].source
    text = "see [02](02-kernel-trick.ipynb#The-rules) and [03](03-kernel-ridge.ipynb)"
    assert website.linked(text, ["02-kernel-trick"]) == "see [02](02-kernel-trick.ipynb#The-rules) and 03"
    assert website.listed(["a"]) == "a" and website.listed(["a", "b", "c"], "or") == "a, b or c"
    with pytest.raises(ValueError, match=r"README\.md has no section “No such heading”"):
        website.section_of_readme("No such heading")


# ---- the folder of a site ----------------------------------------------------------------------------------------


def write(folder, texts):
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def files(folder):
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def test_what_the_site_no_longer_shows_is_taken_away_and_what_somebody_put_there_stays(tmp_path):
    work, site = tmp_path / "work", tmp_path / "site"
    pages = {"02-a.html": '<img src="_images/new.png">', "03-b.html": "", "_static/player.js": ""}
    write(work / "html", pages | {"_images/new.png": "", "_images/old.png": ""})
    write(work / "frames" / "r", {"film/0.webp": "", "other/0.webp": ""})
    mine = {"404.html": "mine", "2026-plan.html": "mine", "_images/me.jpg": "mine", "frames/r/.DS_Store": "mine"}
    website.publish(work, [("r", "film"), ("r", "other")], site)
    write(site, mine)
    website.sweep(work / "html", ["02-a"])
    website.publish(work, [("r", "film")], site)
    kept = {"02-a.html", "_static/player.js", "_images/new.png", "frames/r/film/0.webp", "_static/written.json"}
    assert files(site) == kept | {*mine} and files(work / "html") < kept
    assert website.is_ours(site), "it may be built again"


def test_a_site_is_built_in_a_new_folder_and_not_over_anything_else(tmp_path):
    assert website.is_ours(tmp_path)
    mine = tmp_path / "2026.html"
    mine.write_text("mine")
    for place in (tmp_path, mine):
        with pytest.raises(ValueError, match="holds something else"):
            website.build(place)
    assert mine.read_text() == "mine" and list(tmp_path.iterdir()) == [mine]
