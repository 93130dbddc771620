"""The whole site, every page of it, and what it weighs; ``benchmarks/whole_site.py`` times how it is built."""

import pytest
from browser.lab import NOTEBOOKS, chromium
from browser.site import SHOWN, SitePage, build, move_everything, web_server
from browser.test_full_accessibility import axe  # noqa: F401
from browser.test_site import CUT, FIRST_VIEW, PHONE

WHOLE, PICTURES = 90e6, 60e6  # bytes
RUN_AXE = """async () => (await axe.run('article', {resultTypes: ['violations'], preload: false})).violations
    .filter(v => ['serious', 'critical'].includes(v.impact))
    .flatMap(v => v.nodes.map(n => `${v.id}: ${n.html.slice(0, 150)} | ${n.any[0]?.message ?? ''}`))"""
SIZES = "e => [e.clientWidth, e.clientHeight, e.naturalWidth, e.naturalHeight]"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("course") / "site"
    build(folder)
    return folder


def size(folder):
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


def test_the_site_is_whole_and_small(site):
    assert size(site) < WHOLE and size(site / "frames") < PICTURES
    assert {path.stem for path in NOTEBOOKS.glob("[0-9A]*.ipynb")} <= {path.stem for path in site.glob("*.html")}


def test_every_panel_of_a_page_moves(site, name):
    with chromium() as tab:
        page = SitePage(tab, site.as_uri(), name.removesuffix(".ipynb"))
        for film, ask, section in page.films():
            move_everything(page, film, ask, section)
        page.quiet()


def test_a_picture_plays_and_stands_still_where_motion_is_not_wanted(site):
    with chromium() as tab:
        page = SitePage(tab, site.as_uri(), "00-start-here")
        film, _, section = next(found for found in page.films() if found[0].explorer.play)
        page.wake(section)
        play = section.query_selector(".kernelkit-play")
        play.click()
        tab.wait_for_function(SHOWN, arg=[section, film.tracks[0].shots[9]], polling=20)
        page.arrives(section, film, film.tracks[0].shots[-1])
        tab.emulate_media(reduced_motion="reduce")
        assert not play.is_visible()


def test_a_page_from_a_server_is_small_and_fits_a_phone(site, name):
    with web_server(site) as (base, sent), chromium(**PHONE) as tab:
        page = SitePage(tab, base, name.removesuffix(".ipynb"))
        page.asks_no_more(sent)
        assert sum(sent.values()) < FIRST_VIEW
        assert tab.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
        for figure in tab.query_selector_all("main img[loading=lazy]"):
            figure.scroll_into_view_if_needed()
            figure.evaluate("e => e.decode()")
            width, height, *natural = figure.evaluate(SIZES)
            assert abs(height / width - natural[1] / natural[0]) < 0.02, "a figure has lost its shape"
        assert tab.query_selector_all("mjx-merror") == [] and "$$" not in tab.inner_text("main")
        page.quiet()


def test_nothing_of_a_page_is_cut_on_a_laptop(site, name):
    with chromium(viewport={"width": 1280, "height": 800}) as tab:
        SitePage(tab, site.as_uri(), name.removesuffix(".ipynb"))
        tab.wait_for_timeout(300)
        assert tab.evaluate(CUT) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_a_page(site, name, scheme, axe):  # noqa: F811
    with chromium(color_scheme=scheme) as tab:
        page = SitePage(tab, site.as_uri(), name.removesuffix(".ipynb"))
        tab.evaluate(axe)
        assert tab.evaluate(RUN_AXE) == []
        page.quiet()


def test_a_second_build_changes_nothing(site):
    before = {path: path.stat().st_mtime_ns for path in site.rglob("*.*")}
    assert " 0 of them drawn" in build(site)
    kept = {path: path.stat().st_mtime_ns for path in site.rglob("*.*")}
    changed = {path.name for path in before if before[path] != kept[path]}
    assert len(kept) == len(before) and changed <= {"searchindex.js", "genindex.html", "search.html"}
