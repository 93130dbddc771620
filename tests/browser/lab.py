"""A real JupyterLab and a real Chromium: what the browser tests and the latency benchmark stand on."""

import atexit
import contextlib
import functools
import importlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from dataclasses import replace
from pathlib import Path

from kernelkit.course.panel.controls import NoQuestion

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--no-sandbox",
    "--headless=new",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
LAPTOP = {"width": 1366, "height": 768}  # JupyterLab with its file browser leaves 934 pixels for an output
DESKTOP = {"width": 1920, "height": 1080}
PATIENCE = 120_000  # milliseconds for whatever is waited for: the machine may be slow, or busy
PROJECTOR = {"width": 1280, "height": 720}  # for the single-document view
SETTINGS = {
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False, "doNotDisturbMode": True},
    "docmanager-extension/plugin": {"autosave": False},
}
OPEN = ("--allow-root", "--ServerApp.port_retries=0", "--IdentityProvider.token=", "--ServerApp.password=")
UNBUILT = "--ServerApp.tornado_settings={'page_config_data': {'buildCheck': False}}"  # Node's, seconds for each page
LAB = ("jupyterlab", *OPEN, UNBUILT, "--LabApp.expose_app_in_browser=True", "--LabApp.news_url=None")


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


@contextlib.contextmanager
def lab_server(folder, settings=SETTINGS, app=LAB):
    """The address of a JupyterLab, or another app, that serves a folder, with empty settings of its own."""
    with tempfile.TemporaryDirectory(prefix="kernelkit-lab-") as home:
        for name, values in settings.items():
            path = Path(home, "settings", "@jupyterlab", f"{name}.jupyterlab-settings")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(values))
        places = ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "JUPYTERLAB_WORKSPACES_DIR", "IPYTHONDIR")
        env = os.environ | {name: str(Path(home, name)) for name in places}
        env["JUPYTERLAB_SETTINGS_DIR"] = str(Path(home, "settings"))
        port = free_port()
        command = [sys.executable, "-m", *app, "--no-browser", f"--port={port}"]
        with open(Path(home, "log"), "w+") as log:
            server = subprocess.Popen(command, env=env, cwd=folder, stdout=log, stderr=subprocess.STDOUT)
            try:
                wait_for(f"http://127.0.0.1:{port}/", server, log)
                yield f"http://127.0.0.1:{port}"
            finally:
                server.terminate()
                server.wait(20)


def wait_for(url, server, log=None, seconds=60):
    """Until something answers there; if nothing does, the end of the log is said."""
    end = time.time() + seconds
    while time.time() < end and server.poll() is None:
        with contextlib.suppress(OSError):
            urllib.request.urlopen(url, timeout=2).read()
            return
        time.sleep(0.1)
    if log:
        log.seek(0)
    raise RuntimeError(f"Nothing answers at {url}:\n{log.read()[-2000:] if log else ''}")


@functools.cache
def browser():
    """One Chromium for all pages of this process, which ends with it."""
    from playwright.sync_api import sync_playwright

    if CHROMIUM is None:
        raise RuntimeError("No Chromium found; on Debian: apt-get install chromium.")
    playwright = sync_playwright().start()
    atexit.register(playwright.stop)
    return playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)


@contextlib.contextmanager
def chromium(**options):
    """A page of a fresh profile: it shares no storage, permission, or cache with another."""
    context = browser().new_context(**({"viewport": LAPTOP} | options))
    context.set_default_timeout(PATIENCE)
    try:
        yield context.new_page()
    finally:
        context.close()


class Page:
    """A page that remembers its console errors, and its requests to anyone but its own server."""

    def __init__(self, page, base):
        self.page, self.base, self.complaints, self.strangers = page, base, [], []
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._request)

    def _console(self, message):
        if message.type == "error":
            self.complaints.append(message.text[:300])

    def _request(self, request):
        if not request.url.startswith((self.base, self.base.replace("http", "ws"), "data:", "blob:")):
            self.strangers.append(request.url)


class Notebook(Page):
    """One notebook open in JupyterLab, and what a learner does with it."""

    def __init__(self, page, base, name, view="lab/workspaces/test/tree/{}?reset"):
        super().__init__(page, base)
        page.goto(f"{base}/{view.format(name)}", wait_until="domcontentloaded")
        page.wait_for_selector(".jp-NotebookPanel .jp-Cell")
        page.wait_for_selector("#jupyterlab-splash", state="detached")
        page.wait_for_function(f"() => {IDLE}")

    def run_all(self, seconds=180):
        """Run All Cells; gives the seconds it took. How many it may take is a matter of ``latency.py``."""
        start = time.time()
        self.page.evaluate("() => { window.jupyterapp.commands.execute('notebook:run-all-cells'); }")
        self.page.wait_for_function(f"() => {ALL_DONE}", timeout=1000 * seconds)
        return time.time() - start

    def present(self):
        """Go over to the single-document view, on a projector."""
        self.page.set_viewport_size(PROJECTOR)
        self.page.evaluate(SINGLE)

    def errors(self):
        """Error outputs, from the model: cells out of view are not in the page."""
        return self.page.evaluate(ERRORS)

    def explorer_cells(self):
        """The numbers of the cells that call an explorer."""
        return self.page.evaluate(EXPLORERS)

    def source(self, cell):
        """The code of a cell."""
        return self.page.evaluate(f"(i) => {CURRENT}.content.model.cells.get(i).sharedModel.getSource()", cell).strip()

    def explorer(self, cell):
        """The explorer a cell calls, without its question where that is not asked."""
        source, above = self.source(cell), self.page.evaluate(ABOVE, cell)
        *_, module = re.findall(r"^from kernelkit\.course\.explorers import (\w+) as explore$", above, re.M)
        name = re.match(r"(?:\w+ = )?explore\.(\w+)", source).group(1)
        explorer = getattr(importlib.import_module(f"kernelkit.course.explorers.{module}"), name)
        return replace(explorer, question=NoQuestion("asked before")) if "ask=False" in source else explorer

    def cell(self, number):
        """The element of a cell, scrolled into view."""
        self.page.evaluate(SCROLL, number)
        return self.page.evaluate_handle(f"() => {CURRENT}.content.widgets[{number}].node").as_element()

    def panel(self, cell):
        """The output of a cell, scrolled into view, with its picture loaded."""
        area = self.cell(cell)
        area.wait_for_selector(".kernelkit-picture img")
        self.page.wait_for_function("el => el.querySelector('.kernelkit-picture img')?.naturalWidth > 0", arg=area)
        return Panel(self.page, area)


class Panel:
    """One explorer on the screen."""

    def __init__(self, page, area):
        self.page, self.area = page, area

    def height(self):
        """How high the panel is, in whole pixels."""
        return self.area.evaluate("el => Math.round(el.querySelector('.kernelkit-panel').offsetHeight)")

    def seen(self):
        """The picture, as its data address, and its text, which has all that is read off."""
        image = self.area.query_selector(".kernelkit-picture img")
        return image.get_attribute("src"), image.get_attribute("alt")

    def sliders(self):
        handles = self.area.query_selector_all(".widget-slider .noUi-handle")
        return [h for h in handles if h.is_visible()]

    def press(self, slider, seconds=20):
        """Press a key on a slider until the picture changes: the arrow to the right, or to the left at its end."""
        now, most = (float(slider.get_attribute(f"aria-value{end}")) for end in ("text", "max"))
        before = self.seen()
        slider.focus()
        self.page.keyboard.press("ArrowRight" if now < most - 1e-4 else "ArrowLeft")
        self.wait_for_change(before, seconds)
        return before, self.seen()

    def press_any(self):
        """Press a key on one slider after the other until the picture changes: in a scene some may not matter."""
        from playwright.sync_api import TimeoutError

        *others, last = self.sliders()
        for slider in others:
            with contextlib.suppress(TimeoutError):
                self.press(slider, seconds=3)
                return
        self.press(last)

    def press_end(self, slider, key):
        """Press a key that leads to an end of a slider; gives the new text, or after 1.5 seconds the old one."""
        text = self.seen()[1]
        slider.focus()
        self.page.keyboard.press(key)
        return self.area.evaluate(NEXT_TEXT, text)

    def wait_for_change(self, before, seconds=20):
        """Until there is a new picture; a busy machine may take long over it."""
        self.page.wait_for_function(
            "([el, src]) => { const i = el.querySelector('.kernelkit-picture img');"
            " return i && i.complete && i.naturalWidth > 0 && i.src !== src; }",
            arg=[self.area, before[0]],
            timeout=1000 * seconds,
        )

    def button(self, text):
        return self.area.query_selector(f"button:has-text('{text}')")

    def drag(self, start, end):
        """Drag in the picture, from and to fractions of its width and height."""
        picture = self.area.query_selector(".kernelkit-picture img")
        picture.scroll_into_view_if_needed()  # below a question its lower part may be out of sight
        box = picture.bounding_box()
        place = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in (start, end)]
        self.page.mouse.move(*place[0])
        self.page.mouse.down()
        self.page.mouse.move(*place[1], steps=8)
        self.page.mouse.up()


CURRENT = "window.jupyterapp.shell.currentWidget"
SINGLE = "() => { const { shell } = window.jupyterapp; shell.mode = 'single-document'; shell.collapseLeft(); }"
IDLE = f"""(() => {{ const s = {CURRENT} && {CURRENT}.sessionContext;
    return !!(s && s.isReady && s.session && s.session.kernel && s.session.kernel.status === 'idle'); }})()"""
ALL_DONE = f"""(() => {{ let left = 0;
    for (const c of {CURRENT}.content.model.cells)
        if (c.type === 'code' && c.sharedModel.getSource().trim())
            if (c.executionCount === null || (c.executionState ?? 'idle') !== 'idle') left++;
    return left === 0 && {IDLE}; }})()"""
ERRORS = f"""() => {{ const found = [];
    for (const c of {CURRENT}.content.model.cells) if (c.type === 'code')
        for (let i = 0; i < c.outputs.length; i++)
            if (c.outputs.get(i).type === 'error') found.push(c.sharedModel.getSource());
    return found; }}"""
ABOVE = f"""(i) => [...{CURRENT}.content.model.cells].slice(0, i)
    .map(cell => cell.sharedModel.getSource()).join('\\n')"""
EXPLORERS = f"""() => {{ const found = []; let i = 0;
    for (const c of {CURRENT}.content.model.cells) {{
        if (c.type === 'code' && /^(\\w+ = )?explore\\.\\w+\\(/.test(c.sharedModel.getSource().trim())) found.push(i);
        i++; }}
    return found; }}"""
NEXT_TEXT = """(el, text) => new Promise((done) => { const start = performance.now();
    const look = () => { const now = el.querySelector('.kernelkit-picture img').alt;
        if (now !== text || performance.now() - start > 1500) done(now); else requestAnimationFrame(look); };
    look(); })"""
SCROLL = f"""async (i) => {{ const nb = {CURRENT}.content;
    nb.activeCellIndex = i; await nb.scrollToItem(i, 'start');
    let top = null, rest = 0;  // until it has stood still for six frames
    while (rest < 6) {{
        await new Promise(requestAnimationFrame);
        const now = nb.widgets[i].node.getBoundingClientRect().top;
        rest = now === top ? rest + 1 : 0; top = now; }} }}"""
