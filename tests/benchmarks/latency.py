"""How fast the pictures follow, in a real browser: python tests/benchmarks/latency.py [NOTEBOOK…] [--json FILE]

For each notebook the seconds of *Run All*. For each explorer the median milliseconds over 20 key presses on its first
slider with room, and, where points can be dragged, how many pictures a second follow the pointer.

    python tests/benchmarks/latency.py --run-all [NOTEBOOK…]

measures *Run All* only.

    python tests/benchmarks/latency.py --drags [--busy] [--runs 5]

drags in four panels with 60 pointer events a second instead, and gives the medians of the runs: pictures a second, for
how many frames at most the marker was not under the pointer, and how long after the release the last picture came. Last
comes the floor: the same with a picture that is not drawn but only sent. --busy keeps the other core busy meanwhile.

The page drags by itself while nobody listens: a driver that listens is sent a copy of every picture, which takes half
of two cores and halves the rate.
"""

import argparse
import contextlib
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parents[1]))

import nbformat
import nbformat.v4 as nb
import numpy as np
from browser.lab import CHROMIUM, FLAGS, LAPTOP, NOTEBOOKS, Notebook, chromium, free_port, lab_server, wait_for
from playwright.sync_api import sync_playwright

from kernelkit.course.panel.controls import Points, Samples
from kernelkit.course.panel.picture import DPI

PRESS = """([area, handle, keys, n]) => new Promise(async (done) => {
  const src = () => { const i = area.querySelector('.kernelkit-picture img'); return i && i.complete ? i.src : null; };
  const times = []; handle.focus();
  for (let k = 0; k < n; k++) {
    const before = src(), start = performance.now();
    handle.dispatchEvent(new KeyboardEvent('keydown', {key: keys[k % 2], bubbles: true, cancelable: true}));
    while (performance.now() - start < 2000) {
      await new Promise(requestAnimationFrame);
      if (src() && src() !== before) { times.push(performance.now() - start); break; }
    }
    await new Promise(r => setTimeout(r, 120));
  }
  done(times);
})"""
WATCH = """(area) => { const w = window.watched = { pictures: 0, events: 0, behind: 0, began: performance.now() };
  const image = () => area.querySelector('.kernelkit-picture img'), marker = area.querySelector('.kernelkit-held g');
  let last = image().src, at = null, missed = 0;
  const moved = (e) => { w.events++; at = [e.clientX, e.clientY]; };
  area.addEventListener('pointermove', moved);
  area.addEventListener('pointerup', () => { w.released = performance.now(); }, { once: true });
  const frame = () => {
    if (image().src !== last) { last = image().src; w.pictures++; w.changed = performance.now(); }
    if (at && marker.parentNode.style.display !== 'none' && !w.released) {
      const box = marker.getBoundingClientRect();
      const off = Math.hypot(box.left + box.width / 2 - at[0], box.top + box.height / 2 - at[1]);
      missed = off > 3 ? missed + 1 : 0; w.behind = Math.max(w.behind, missed);
    }
    if (window.watched === w) requestAnimationFrame(frame); else area.removeEventListener('pointermove', moved);
  };
  frame(); }"""
SEEN = """() => { const w = window.watched, seconds = ((w.released ?? performance.now()) - w.began) / 1000;
  return { pictures: w.pictures / seconds, events: w.events / seconds, behind: w.behind,
    rest: Math.max(0, (w.changed ?? 0) - (w.released ?? Infinity)) }; }"""
DRAGS = """([area, [fx, fy], events, seconds, runs, wait]) => {
  const image = area.querySelector('.kernelkit-picture img'), pause = (ms) => new Promise((r) => setTimeout(r, ms));
  const fire = (kind, t) => {  // t: which of the places around a small circle; the circle begins where the point is
    const box = image.getBoundingClientRect(), x = box.left + fx * box.width, y = box.top + fy * box.height;
    const place = { clientX: x + 25 * Math.sin(t / 8), clientY: y + 25 * Math.sin(t / 11) };
    image.dispatchEvent(new PointerEvent(kind, { ...place, pointerId: 1, isPrimary: true, bubbles: true }));
  };
  const moves = () => new Promise((done) => {
    const began = performance.now();
    let sent = 0;
    const beat = setInterval(() => {
      const due = Math.min((performance.now() - began) / 1000, seconds) * events;
      if (sent + 1 <= due) fire('pointermove', sent = Math.floor(due));  // of those that are due, as a browser does
      if (due === seconds * events) { clearInterval(beat); done(sent); }
    }, 4);
  });
  const run = async () => {
    fire('pointerdown', 0); (WATCH)(area);
    const end = await moves();
    fire('pointerup', end);
    await pause(700);
    const seen = (SEEN)();
    window.watched = null;
    fire('pointerdown', end); fire('pointermove', 0); fire('pointerup', 0);  // back to where it began
    await pause(700);
    return seen;
  };
  window.drags = (async () => {
    await pause(wait);
    const all = [];
    for (let i = 0; i < runs; i++) all.push(await run());
    return all;
  })();
}""".replace("WATCH", WATCH).replace("SEEN", SEEN)
DRAGGED = "() => window.drags"
FOUR = {"07": "boundary", "04": "landscape", "01": "lift", "02": "identity"}
EVENTS = 60  # a second
RUN_ALL = 10  # seconds, on a quiet machine
BARE = """from kernelkit.course.panel.picture import Picture, png_bytes
import numpy as np
rng = np.random.default_rng(0)
ready = [png_bytes(np.repeat(rng.integers(0, 255, (380, 70, 4), np.uint8), 10, axis=1) // 16 * 16, 1) for _ in range(2)]
bare = Picture(png=ready[0], touchable=True)
bare.on_msg(lambda *gesture: setattr(bare, "png", ready[bare.png == ready[0]]))
bare"""


def measure(page, panel, explorer):
    """Median milliseconds of a key press, and pictures a second while dragging."""
    times = next(
        (
            t
            for handle in panel.sliders()[:4]
            if len(t := page.evaluate(PRESS, [panel.area, handle, ["ArrowRight", "ArrowLeft"], 20])) >= 10
        ),
        [],
    )
    return statistics.median(times) if times else None, pictures_per_second(page, panel, explorer)


def pictures_per_second(page, panel, explorer):
    start = hold(page, panel, explorer)
    if start is None or not explorer_points(explorer):
        return None
    drag(page, panel, start)
    return page.evaluate(DRAGGED)[0]["pictures"]


def explorer_points(explorer):
    return next((c for c in explorer.controls if isinstance(c, Points | Samples)), None)


def hold(page, panel, explorer):
    """Where in the picture something can be dragged, as fractions of it, at the start; None if nothing can."""
    control = explorer_points(explorer)
    if control is None and not explorer.turn:
        return None
    if (see := panel.area.query_selector("text=See it")) and see.is_visible() and see.is_enabled():
        see.click()  # a sketch that was seen is no longer in the way
    panel.button("Reset").click()
    page.wait_for_timeout(600)
    start = (0.3, 0.5)
    if control is not None:
        canvas, size = explorer.canvas(), np.array(explorer.size) * DPI
        canvas.frame(explorer.compute(**explorer.start()))
        present = control.present(explorer.start())
        places = [point[:2] for point in present] or [np.add(control.low, control.high) / 2]
        start = canvas.to_pixels(control.planes[0], places)[0] / size
    if control is not None and not present:
        box = panel.area.query_selector(".kernelkit-picture img").bounding_box()
        page.mouse.click(box["x"] + start[0] * box["width"], box["y"] + start[1] * box["height"])
        page.wait_for_timeout(400)
    return tuple(map(float, start))


def drag(page, panel, start, runs=1, seconds=1.5, wait=0.0):
    """Begin to drag around a small circle; ``page.evaluate(DRAGGED)`` waits for what WATCH saw of each run."""
    panel.area.query_selector(".kernelkit-picture img").hover()
    page.evaluate(DRAGS, [panel.area, start, EVENTS, seconds, runs, 1000 * wait])


def drags(base, runs):
    """{panel: the runs of ``drag``} for the four panels, and for a picture that is only sent."""
    found = {}
    with lonely_chromium() as visit:
        for start, name in FOUR.items():
            with visit() as page:
                notebook = Notebook(page, base, next(path.name for path in NOTEBOOKS.glob(f"{start}-*.ipynb")))
                notebook.run_all()
                cell = next(c for c in notebook.explorer_cells() if f"explore.{name}(" in notebook.source(c))
                panel = notebook.panel(cell)
                drag(page, panel, hold(page, panel, notebook.explorer(cell)), runs, wait=3.0)
            found[f"{start} {name}"] = seen_alone(visit, runs)
        with visit() as page:
            notebook = Notebook(page, base, "bare.ipynb")
            notebook.run_all()
            drag(page, notebook.panel(0), (0.5, 0.5), runs, wait=3.0)
        found["floor: only sent"] = seen_alone(visit, runs)
    return found


def seen_alone(visit, runs):
    time.sleep(4.0 + 3.0 * runs)
    with visit() as page:
        return page.evaluate(DRAGGED)


@contextlib.contextmanager
def lonely_chromium():
    """A Chromium that goes on while no driver listens: ``with visit() as page`` does for a while."""
    port = free_port()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        size = f"--window-size={LAPTOP['width']},{LAPTOP['height']}"
        command = [CHROMIUM, *FLAGS, size, f"--remote-debugging-port={port}", f"--user-data-dir={home}", "about:blank"]
        browser = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

        @contextlib.contextmanager
        def visit():
            with sync_playwright() as playwright:
                driver = playwright.chromium.connect_over_cdp(f"http://127.0.0.1:{port}")
                yield driver.contexts[0].pages[0]
                driver.close()

        try:
            wait_for(f"http://127.0.0.1:{port}/json/version", browser)
            yield visit
        finally:
            browser.kill()
            browser.wait()


def print_drags(found):
    print(f"{'':18} pictures/s  events/s  frames behind  rest after ms")
    for name, seen in found.items():
        middle = {key: statistics.median(run[key] for run in seen) for key in seen[0]}
        numbers = f"{middle['pictures']:10.1f} {middle['events']:9.0f} {middle['behind']:14.0f} {middle['rest']:14.0f}"
        print(f"{name:18} {numbers}", flush=True)


@contextlib.contextmanager
def busy_core(wanted):
    """Another process that computes all the time."""
    other = subprocess.Popen([sys.executable, "-c", "while True: pass"]) if wanted else None
    try:
        yield
    finally:
        if other:
            other.kill()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notebooks", nargs="*")
    parser.add_argument("--json")
    parser.add_argument("--run-all", action="store_true")
    parser.add_argument("--drags", action="store_true")
    parser.add_argument("--busy", action="store_true")
    parser.add_argument("--runs", type=int, default=5)
    options = parser.parse_args()
    names = [f"{Path(n).stem}.ipynb" for n in options.notebooks] or sorted(p.name for p in NOTEBOOKS.glob("*.ipynb"))
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for path in NOTEBOOKS.glob("*.ipynb"):
            shutil.copy(path, folder)
        about = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
        bare = nb.new_notebook(cells=[nb.new_code_cell(BARE)], metadata=about)
        nbformat.write(bare, Path(folder, "bare.ipynb"))
        with lab_server(folder) as base:
            if options.drags:
                with busy_core(options.busy):
                    print_drags(drags(base, options.runs))
                return
            for name in names:
                with chromium() as page:
                    notebook = Notebook(page, base, name)
                    run = notebook.run_all()
                    print(
                        f"{name}: Run All {run:.1f} s, at most {RUN_ALL}: {'ok' if run <= RUN_ALL else 'missed'}",
                        flush=True,
                    )
                    if options.run_all:
                        continue
                    for cell in notebook.explorer_cells():
                        explorer = notebook.explorer(cell)
                        key, drag = measure(page, notebook.panel(cell), explorer)
                        rows.append({"notebook": name, "explorer": explorer.title, "key_ms": key, "drag_per_s": drag})
                        shown = "     –" if key is None else f"{key:6.0f}"
                        print(f"  {shown} ms  {'' if drag is None else f'{drag:4.0f}/s'}  {explorer.title}", flush=True)
    if options.json:
        Path(options.json).write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
