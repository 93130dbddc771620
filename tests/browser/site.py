"""The site of the course, built for a test, and what a reader without Python does with it."""

import contextlib
import functools
import http.server
import subprocess
import sys
import threading
from pathlib import Path

from browser.lab import NOTEBOOKS, Page
from panels import compute

from kernelkit.course.panel.scenes import RESET
from kernelkit.course.tools import films, site as website
from kernelkit.course.tools.stored import read

SECTION = ".kernelkit-film"
SHOWN = "([section, shot]) => section.dataset.shown === String(shot)"
SEEN = """section => ({ say: section.querySelector('.kernelkit-words').textContent,
    set: section.querySelector('.kernelkit-set').textContent, alt: section.querySelector('img').alt,
    source: section.querySelector('img').src,
    width: section.querySelector('img').naturalWidth,
    texts: [...section.querySelectorAll('output')].map(output => output.textContent),
    spoken: [...section.querySelectorAll('input[type=range]')].map(input => input.getAttribute('aria-valuetext')) })"""


def build(folder, *names):
    """Build the site of these notebooks, or of all; gives what the command says."""
    command = [sys.executable, "-m", "kernelkit.course.command", "site", folder, *names]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    assert "WARNING" not in done.stderr, done.stderr
    return done.stdout


@contextlib.contextmanager
def web_server(folder):
    """The address of a plain web server, and the sizes of what it sent, {path: bytes}."""
    sent = {}

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *arguments):
            pass

        def copyfile(self, source, outputfile):
            sent[self.path] = Path(source.name).stat().st_size
            super().copyfile(source, outputfile)

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", sent
    finally:
        server.shutdown()


class SitePage(Page):
    """One page of the site; every request to anyone but its own place is refused and remembered."""

    def __init__(self, page, base, name):
        super().__init__(page, base)
        page.route(lambda url: not url.startswith((base, "data:", "blob:")), lambda route: route.abort())
        page.goto(f"{base}/{name}.html")
        page.wait_for_function("() => !window.MathJax?.startup || MathJax.startup.promise.then(() => true)")
        self.name = name

    def asks_no_more(self, sent):
        """Wait until the page has asked its web server for nothing more for half a second."""
        before = None
        while before != len(sent):
            before = len(sent)
            self.page.wait_for_timeout(500)

    def quiet(self):
        """Nothing went wrong, and nobody was asked for anything."""
        assert self.complaints == []
        assert self.strangers == [], "the page needs the network"

    def films(self):
        """[(Film of the explorer, whether it asks, section)] of every panel of the page."""
        panels = website.panels_of(read(NOTEBOOKS / f"{self.name}.ipynb"), self.name).values()
        sections = self.page.query_selector_all(SECTION)
        assert len(sections) == len(panels)
        shots = [films.shots_of(films.explorer_of(panel.room, panel.name), **panel.start) for panel in panels]
        return [(film, panel.ask, section) for film, panel, section in zip(shots, panels, sections, strict=True)]

    def wake(self, section):
        """Scroll to a panel and wait for its film."""
        section.scroll_into_view_if_needed()
        self.page.wait_for_function("section => 'ready' in section.dataset", arg=section)

    def arrives(self, section, film, number):
        """The picture of this shot is shown, and all that is said fits it."""
        self.page.wait_for_function(SHOWN, arg=[section, number])
        seen, words = section.evaluate(SEEN), said(film, number)
        assert seen["say"] == words and seen["alt"] == film.explorer.alternative(words)
        assert seen["source"].endswith(f"/{number}.webp")
        assert seen["width"] == round(films.RATIO * 100 * film.explorer.size[0])
        assert seen["texts"] == seen["spoken"]
        assert seen["set"] == changed(film, number)
        return seen


def changed(film, number):
    """What is said of the settings of a shot, and of the sliders that give them up."""
    settings = films.settings(film.explorer, film.shots[number].values, film.first)
    others = [track for track in film.tracks if number not in track.shots]
    moving = "Moving or playing" if any(track.plays for track in others) else "Moving"
    undone = f" {moving} {' or '.join(f'“{track.label}”' for track in others)} undoes this." if others else ""
    return f"Changed from the start: {settings}.{undone}" if settings else ""


def said(film, number):
    """The words below a shot, of what is computed anew."""
    shot, explorer = film.shots[number], film.explorer
    more = {"visited": shot.visited} if shot.visited else {}
    state = compute(explorer, shot.values | more | ({"played": shot.played} if explorer.play else {}))
    scene = next((scene for scene, other in film.scenes.items() if other == number), None)
    return explorer.words(state, scene, shot.hidden)


def move_everything(page, film, ask, section):
    """Press every button, walk along every slider by the keyboard, and see the answer of the question."""
    page.wake(section)
    first = film.covered if ask and film.covered is not None else 0
    page.arrives(section, film, first)
    for button in section.query_selector_all("button[data-shot]"):
        name, number = button.inner_text(), int(button.get_attribute("data-shot"))
        assert number == ({RESET: 0} | film.scenes | film.acts)[name]
        button.click()
        page.arrives(section, film, number)
        assert button.get_attribute("aria-pressed") == (None if name == RESET else "true")
    for i, track in enumerate(film.tracks):
        slider = section.query_selector_all("input[type=range]")[i]
        slider.press("End")  # for a slider that is at its first place already does not move there
        for place, (number, text) in enumerate(zip(track.shots, track.texts, strict=True)):
            page.page.keyboard.press("ArrowRight" if place else "Home")
            assert page.arrives(section, film, number)["texts"][i] == text
    if ask:
        see_it(page, film, section)


def see_it(page, film, section):
    """Answer the question, wrongly if that is possible, and read what is right and why."""
    see, why, question = (
        section.query_selector(".kernelkit-see"),
        section.query_selector(".kernelkit-why"),
        film.explorer.question,
    )
    if see is None:
        return
    options = section.query_selector_all("input[type=radio]")
    assert not why.is_visible() and see.is_visible() == (not options)
    if options:
        options[question.answer - 1].click()
    see.click()
    page.arrives(section, film, film.scenes[question.scene])
    assert why.is_visible() and question.why in why.inner_text() and not see.is_visible()
    assert not options or "✗ Not quite" in why.inner_text()
