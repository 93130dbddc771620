"""A site of one notebook, read in a real browser from a disk and from a web server, without network and Python."""

import contextlib
import re
import statistics

import pytest
from browser.lab import chromium
from browser.site import SECTION, SitePage, build, move_everything, web_server

NAME = "02-kernel-trick"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
FIRST_VIEW = 3e6  # bytes
ANSWER = 100  # milliseconds from a key to the picture
# The height of each formula of the text, and between its ends the middle of the mark that follows it.
MIDDLES = """() => [...document.querySelectorAll('article span.math')]
    .filter(formula => /^[.,;:?!)]/.test(formula.nextSibling?.data ?? '') && formula.checkVisibility())
    .map(formula => { const range = document.createRange(), { top, bottom } = formula.getBoundingClientRect();
        range.setStart(formula.nextSibling, 0);
        range.setEnd(formula.nextSibling, 1);
        const mark = range.getBoundingClientRect();
        return [top, (mark.top + mark.bottom) / 2, bottom]; })"""
SIDEWAYS = "document.documentElement.scrollWidth"
# What is wider than its place: a reader would have to know that it can be moved sideways.
CUT = """() => [...document.querySelectorAll(
        '.cell_input pre, .cell_output pre, article div.math mjx-container, article table')]
    .filter(e => e.checkVisibility() && e.scrollWidth > e.clientWidth + 2).map(e => e.innerText.slice(0, 80))"""
# How wide each displayed formula is, in widths of its place.
SHARES = """() => [...document.querySelectorAll('article div.math mjx-container')].filter(e => e.checkVisibility())
    .map(e => e.scrollWidth / e.clientWidth)"""
# The outputs, each with the number of lines in which it stands on the page.
LINES = """() => [...document.querySelectorAll('article .cell_output pre')].map(output => {
    const range = document.createRange();
    range.selectNodeContents(output);
    return [output.textContent, new Set([...range.getClientRects()].map(line => Math.round(line.top))).size]; })"""
NOTICE = """() => { const notice = document.querySelector('.kernelkit-run p');
    return notice.getBoundingClientRect().height / parseFloat(getComputedStyle(notice).lineHeight); }"""
ENTRY = "[...document.querySelectorAll('#pst-page-toc-nav a.active')].pop()?.innerText.trim()"
# A new picture counts when the frame that shows it was painted.
LISTEN = """section => { window.waits = []; let pressed = 0;
    const image = section.querySelector('img'), channel = new MessageChannel();
    channel.port1.onmessage = () => window.waits.push(performance.now() - pressed);
    section.addEventListener('keydown', () => { pressed = performance.now(); }, true);
    new MutationObserver(() => requestAnimationFrame(() => channel.port2.postMessage(0)))
        .observe(image, { attributes: true, attributeFilter: ['src'] }); }"""


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("course") / "site"
    build(folder, NAME)
    return folder


@contextlib.contextmanager
def opened(site, stem, **options):
    """A page from the disk, which has not complained of anything when it is closed."""
    with chromium(**options) as tab:
        page = SitePage(tab, site.as_uri(), stem)
        tab.wait_for_timeout(300)  # formulas that are too wide are made smaller
        yield page
        page.quiet()


@pytest.fixture(scope="module")
def laptop(site):
    """One page for all tests that do not mind what others have moved in it."""
    with opened(site, NAME, viewport={"width": 1280, "height": 800}) as page:
        yield page


@pytest.fixture(scope="module")
def phone(site):
    """The same, on a phone."""
    with opened(site, NAME, **PHONE) as page:
        yield page


def test_every_button_and_slider_shows_what_the_explorer_gives(site):
    with opened(site, NAME) as page:
        for film, ask, section in page.films():
            move_everything(page, film, ask, section)


@pytest.mark.parametrize("stem", ["index", "run", "search", NAME])
def test_a_page_from_a_server_is_small_and_needs_nothing_else(site, stem):
    with web_server(site) as (base, sent), chromium() as tab:
        page = SitePage(tab, base, stem)
        page.asks_no_more(sent)
        assert sum(sent.values()) < FIRST_VIEW, sorted(sent.items(), key=lambda item: -item[1])[:8]
        assert tab.query_selector_all("mjx-merror") == [] and "$$" not in tab.inner_text("main")
        assert tab.query_selector_all("img[alt^='_images']") == [], "a picture has the name of its file for a text"
        page.quiet()


def test_a_mouse_and_a_finger_move_a_slider(phone):
    tab, (film, _, section) = phone.page, phone.films()[0]
    phone.wake(section)
    slider = section.query_selector("input[type=range]")
    box = slider.bounding_box()
    middle, ends = box["y"] + box["height"] / 2, (box["x"] + 9, box["x"] + box["width"] - 9)
    tab.touchscreen.tap(ends[1], middle)
    phone.arrives(section, film, film.tracks[0].shots[-1])
    tab.mouse.move(ends[1], middle)
    tab.mouse.down()
    tab.mouse.move(ends[0], middle, steps=5)
    tab.mouse.up()
    phone.arrives(section, film, film.tracks[0].shots[0])


@pytest.mark.parametrize("stem", ["index", "run"])
def test_no_page_scrolls_sideways_on_a_phone(site, stem):
    with opened(site, stem, **PHONE) as page:
        assert page.page.evaluate(SIDEWAYS) <= 390


def test_nor_does_a_page_with_many_formulas(phone):
    assert phone.page.evaluate(SIDEWAYS) <= 390


def test_nothing_is_cut_on_a_laptop(laptop):
    assert laptop.page.evaluate(CUT) == []


def test_what_needs_python_is_said_in_one_line_and_underlined(laptop):
    assert laptop.page.evaluate(NOTICE) < 1.9
    marks = laptop.page.query_selector_all("article .kernelkit-hand")
    assert {"drag", "Measure on this machine"} <= {mark.inner_text() for mark in marks}
    assert all(mark.evaluate("mark => getComputedStyle(mark).textDecorationStyle") == "dotted" for mark in marks)


def test_code_can_be_copied_and_output_has_no_button(laptop):
    tab = laptop.page
    assert not tab.query_selector_all(".cell_output .copybtn")
    for code in tab.query_selector_all("article .cell_input pre, article .kernelkit-code pre"):
        assert code.evaluate("code => code.parentElement.querySelectorAll('.copybtn').length") == 1
    code = tab.query_selector("article .cell_input:not(details .cell_input) pre")
    code.hover()
    code.evaluate_handle("code => code.parentElement.querySelector('.copybtn')").as_element().click()
    tab.wait_for_function("() => document.querySelector('.copybtn.success')")


def test_a_formula_that_is_a_little_too_wide_for_a_phone_becomes_smaller(phone):
    shares = phone.page.evaluate(SHARES)
    assert len(shares) > 10 and sum(part > 1 for part in shares) < 0.2 * len(shares)
    assert all(part <= 1.01 or part > 1.4 for part in shares), "0.7 of its size is small enough for it"


def test_the_columns_of_an_output_stay_columns_on_a_phone(phone):
    outputs = [([row for row in text.splitlines() if row], lines) for text, lines in phone.page.evaluate(LINES)]
    tables = [(rows, lines) for rows, lines in outputs if sum(bool(re.search(r"\S  +\S", row)) for row in rows) > 1]
    assert len(tables) > 2 and [(rows, lines) for rows, lines in tables if len(rows) != lines] == []


def test_the_contents_at_the_side_name_the_section_that_is_read(laptop):
    for heading in laptop.page.query_selector_all("article h2")[2:-2:3]:
        heading.evaluate("h => scrollTo(0, h.getBoundingClientRect().top + scrollY - 0.45 * innerHeight)")
        title = heading.evaluate("heading => heading.firstChild.textContent").strip()
        laptop.page.wait_for_function(f"title => {ENTRY} === title", arg=title)


def test_no_line_begins_with_the_mark_after_a_formula(phone):
    middles = phone.page.evaluate(MIDDLES)
    assert len(middles) > 100
    assert all(top < middle < bottom for top, middle, bottom in middles)


def test_a_page_that_was_never_scrolled_is_printed_with_its_pictures(site):
    with opened(site, NAME) as page:
        page.page.emulate_media(media="print")
        there = "image => image.complete && image.naturalWidth > 0 && image.checkVisibility()"
        images = page.page.query_selector_all(f"{SECTION} img")
        assert images and all(image.evaluate(there) for image in images)


def test_a_new_picture_comes_at_once(laptop):
    tracks = [(track, i, section) for film, _, section in laptop.films() for i, track in enumerate(film.tracks)]
    tab, (_, slider, section) = laptop.page, max(tracks, key=lambda one: len(one[0].shots))
    laptop.wake(section)
    section.evaluate(LISTEN)
    section.query_selector_all("input[type=range]")[slider].press("Home")
    for _ in range(2):
        for key in ["ArrowRight"] * 8 + ["ArrowLeft"] * 8:
            tab.keyboard.press(key)
            tab.wait_for_timeout(60)
    waits = tab.evaluate("window.waits")
    assert len(waits) >= 24 and statistics.median(waits) < ANSWER
