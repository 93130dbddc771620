"""Key press to new picture, in a real browser: python tests/benchmarks/latency.py [NOTEBOOK…] [--json FILE]

For each explorer the median milliseconds over 20 key presses on its first slider with room, and, where points can be
dragged, how many pictures a second follow the pointer.
"""

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
from browser.lab import NOTEBOOKS, Notebook, chromium, lab_server

from kernelkit.panel.controls import Points, Samples
from kernelkit.panel.picture import DPI

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
WATCH = """(area) => { let last = null; window.shown = 0; window.watching = performance.now();
  (async () => { while (window.watching) { await new Promise(requestAnimationFrame);
    const i = area.querySelector('.kernelkit-picture img');
    if (i && i.src !== last) { last = i.src; window.shown++; } } })(); }"""


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
    control = next((c for c in explorer.controls if isinstance(c, Points | Samples)), None)
    if control is None:
        return None
    panel.button("Reset").click()
    page.wait_for_timeout(500)
    canvas, size = explorer.canvas(), np.array(explorer.size) * DPI
    canvas.frame(explorer.compute(**explorer.start()))
    places = [p[:2] for p in control.start] or [np.add(control.low, control.high) / 2]
    start = canvas.to_pixels(control.axes, places)[0] / size
    box = panel.area.query_selector(".kernelkit-picture img").bounding_box()
    x, y = box["x"] + start[0] * box["width"], box["y"] + start[1] * box["height"]
    if not control.start:
        page.mouse.click(x, y)
        page.wait_for_timeout(400)
    page.mouse.move(x, y)
    page.mouse.down()
    page.evaluate(WATCH, panel.area)
    for t in range(90):  # around a small circle
        page.mouse.move(x + 25 * np.sin(t / 8), y + 25 * np.sin(t / 11))
        page.wait_for_timeout(12)
    rate = page.evaluate("() => 1000 * window.shown / (performance.now() - window.watching)")
    page.mouse.up()
    page.evaluate("() => { window.watching = 0; }")
    return rate


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("notebooks", nargs="*")
    parser.add_argument("--json")
    options = parser.parse_args()
    names = [f"{Path(n).stem}.ipynb" for n in options.notebooks] or sorted(p.name for p in NOTEBOOKS.glob("*.ipynb"))
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for path in NOTEBOOKS.glob("*.ipynb"):
            shutil.copy(path, folder)
        with lab_server(folder) as base:
            for name in names:
                with chromium() as page:
                    notebook = Notebook(page, base, name)
                    run = notebook.run_all()
                    print(f"{name}: Run All {run:.1f} s", flush=True)
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
