"""The times that are kept with the course: a picture shows them where its learner has not measured."""

import importlib
import json
import re

import panels
import pytest

from kernelkit.course.explorers.data import measure_times as measure, measured

every_panel = pytest.mark.parametrize("name", measure.PANELS)


@every_panel
def test_every_setting_of_a_panel_is_measured_and_no_other(name):
    settings = importlib.import_module(f"kernelkit.course.explorers.{name}").SETTINGS
    rows = measured.everything()[name]["rows"]
    assert {measured.key(**setting) for setting in settings} == set(rows)
    for setting in settings:
        found, where = measured.committed(name, **setting)
        assert found and re.fullmatch(r".+, \d{4}-\d\d-\d\d", where)


@every_panel
def test_the_first_picture_and_each_scene_show_times(name):
    explorer = panels.explorers()[name]
    canvas = explorer.canvas()
    for scene in ({}, *explorer.scenes.values()):
        state = explorer.compute(**explorer.start() | scene, measured=None)
        canvas.frame(state)
        texts = [text.get_text() for text in canvas.figure.findobj(lambda part: hasattr(part, "get_text"))]
        where = measured.everything()[name]["machine"]
        assert any(where in text for text in texts), scene
        assert where not in explorer.words(state) and "econd" not in explorer.words(state)


def test_own_times_replace_the_kept_ones_and_what_nobody_measured_is_none():
    assert measured.shown({"primal": 1}, "kernel_ridge.times") == ({"primal": 1}, "this machine")
    assert measured.committed("kernel_ridge.times", degree=17) == measured.committed("no.panel") == (None, "")


def test_a_setting_is_the_same_in_any_order():
    assert measured.key(b=2, a="x") == measured.key(a="x", b=2) == "a=x b=2"


def test_the_shorter_of_two_runs_is_kept():
    runs = [measure.plain({"w": ((10, 1771), (0.12345, 5.5))}), measure.plain({"w": ((10, 1771), (0.2, 4.5))})]
    assert measure.shorter(measure.shorter(None, runs[0]), runs[1]) == {"w": [[10, 1771], [0.123, 4.5]]}


def test_the_script_writes_the_file_as_it_stands():
    text = measured.FILE.read_text(encoding="utf-8")
    assert measure.written(json.loads(text)) == text
    assert not re.search(r"/\w+/", text), "a path of the machine"
