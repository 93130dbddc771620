// After Run All a notebook of the course stays where it was: JupyterLab would go to its last cell, and the outputs
// that are drawn anew would move what the learner is reading. The first key, wheel or pointer of the learner ends it.
{
  const SETTLED = 2000; // milliseconds without a change of height, once the last cell has run
  const HANDS = ["keydown", "pointerdown", "touchstart", "wheel"];

  /** The cell at the top of the view, how far below it the cell begins, and the active cell. */
  const placeOf = (notebook) => {
    const top = notebook.outerNode.getBoundingClientRect().top;
    const cell = notebook.widgets.find((widget) => {
      const box = widget.node.getBoundingClientRect();
      return box.height > 0 && box.bottom > top + 1;
    });
    return cell && { cell, below: cell.node.getBoundingClientRect().top - top, active: notebook.activeCellIndex };
  };

  /** Keep the place until the learner moves, or until all has run and the page is at rest; gives what to call then. */
  const hold = (notebook, { cell, below }) => {
    const outer = notebook.outerNode;
    const anchoring = outer.style.overflowAnchor;
    let frame, rest, ran;

    // JupyterLab may keep only the cells in view in the page. Where the others end it estimates from their outputs.
    const list = notebook.viewModel;
    const index = notebook.widgets.indexOf(cell);
    const spot = () => (list.windowingActive ? list.getSpan(index, index)[0] + list.paddingTop - below : 0);
    let last = spot();

    const keep = () => {
      if (notebook.isDisposed || cell.isDisposed) return release();
      const box = cell.node.getBoundingClientRect();
      const moved = box.top - outer.getBoundingClientRect().top - below;
      if (box.height === 0) notebook.scrollTo(spot());
      else if (Math.abs(moved) > 0.5) outer.scrollTop += moved;
    };
    const everyFrame = () => {
      frame = requestAnimationFrame(everyFrame); // always before JupyterLab's own, which it asks for later
      const now = spot();
      if (now === last) return keep();
      notebook.scrollTo(list.scrollOffset + now - last);
      last = now;
    };
    const rests = () => {
      clearTimeout(rest);
      if (ran && frame) rest = setTimeout(release, SETTLED);
    };
    const resized = () => {
      keep();
      rests();
    };
    const observer = new ResizeObserver(resized); // called between layout and paint, so that nothing is seen to move
    const release = () => {
      cancelAnimationFrame(frame);
      frame = null;
      clearTimeout(rest);
      observer.disconnect();
      outer.style.overflowAnchor = anchoring;
      for (const hand of HANDS) removeEventListener(hand, release, true);
    };

    // Not passive: else the browser scrolls first and tells of the wheel later, and the page would be pulled back.
    for (const hand of HANDS) addEventListener(hand, release, { capture: true, passive: false });
    outer.style.overflowAnchor = "none"; // the browser would hold another place
    observer.observe(notebook.viewportNode);
    everyFrame();
    const finish = () => {
      ran = true;
      rests();
    };
    return { release, finish };
  };

  const stay = ({ NotebookActions }) => {
    const passes = new WeakMap(); // of each notebook, the cells that are being scheduled in one go
    const holds = new WeakMap();

    // Run All schedules its cells one after the other, and only then goes to the last cell, all before any paint.
    NotebookActions.executionScheduled.connect((_, { notebook, cell }) => {
      if (!passes.has(notebook) && notebook.model?.getMetadata("kernelkit")) {
        const place = placeOf(notebook);
        const left = new Set(notebook.widgets.filter((widget) => widget.model.type === "code"));
        passes.set(notebook, left);
        notebook.scrollToItem = function (...where) {
          return left.size ? Object.getPrototypeOf(this).scrollToItem.apply(this, where) : Promise.resolve();
        };
        queueMicrotask(() => {
          passes.delete(notebook);
          delete notebook.scrollToItem;
          if (left.size || !place) return;
          holds.get(notebook)?.release();
          notebook.activeCellIndex = place.active;
          holds.set(notebook, hold(notebook, place));
        });
      }
      passes.get(notebook)?.delete(cell);
    });
    NotebookActions.selectionExecuted.connect((_, { notebook }) => holds.get(notebook)?.finish());
  };

  let shared;
  (window._JUPYTERLAB ??= {}).kernelkit = {
    init: (scope) => (shared = scope),
    get: async () => () => ({
      __esModule: true,
      default: {
        id: "kernelkit:stay",
        description: "After Run All a notebook of the course stays where it was.",
        autoStart: true,
        activate: (app) => {
          app.restored
            .then(() => Object.values(shared["@jupyterlab/notebook"])[0].get())
            .then((module) => stay(module()))
            .catch((reason) => console.debug("kernelkit:stay does nothing here.", reason));
        },
      },
    }),
  };
}
