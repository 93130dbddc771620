// What ipywidgets leaves out of a panel: names for what has none, and that arrow keys stay in the control they move.
const CONTROLS = "select, input, .noUi-handle, .widget-play i";

function tend(panel) {
  for (const control of panel?.querySelectorAll(CONTROLS) ?? []) {
    control.dataset.lmSuppressShortcuts = "true";
    if (control.matches(".noUi-handle"))
      control.ariaLabel = control.closest(".widget-slider").querySelector(".widget-label").textContent;
    if (control.matches(".widget-play i"))
      control.parentElement.ariaLabel = control.matches(".fa-stop") ? "stop" : "play or pause";
  }
  const menu = panel?.querySelector(".kernelkit-scenes select");
  if (menu) menu.ariaLabel = "more scenes";
  panel?.querySelector(".kernelkit-why")?.setAttribute("role", "status");
  const options = panel?.querySelector(".kernelkit-options .widget-radio-box");
  if (options) {
    options.setAttribute("role", "radiogroup");
    options.ariaLabel = panel.querySelector(".kernelkit-prompt").textContent;
  }
  const source = panel?.querySelector(".kernelkit-source"), code = source?.querySelector(".widget-html-content");
  if (code) { code.tabIndex = 0; code.setAttribute("role", "region"); code.ariaLabel = "code"; }  // it may have to scroll
  if (code && !source.querySelector("button")) source.append(copying(code));
}

// A button that copies a text: by selecting it, which also works in a frame and without https.
function copying(text) {
  const button = document.createElement("button");
  button.className = "jupyter-button"; button.textContent = "Copy"; button.ariaLabel = "Copy the code";
  button.onclick = () => {
    getSelection().selectAllChildren(text);
    if (document.execCommand("copy")) button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 1500);
  };
  return button;
}

// Tend the panel around el now and after every change in it, and call touched() when a hand is on it; gives the function
// that ends the tending.
function tendAlways(el, touched) {
  const change = new MutationObserver(() => tend(el.closest(".kernelkit-panel")));
  const arrival = new ResizeObserver(() => {
    const panel = el.closest(".kernelkit-panel");
    tend(panel);
    for (const hand of ["pointerdown", "keydown"]) panel?.addEventListener(hand, touched, true);
    change.observe(panel ?? el, { childList: true, subtree: true });
  });
  arrival.observe(el);
  return () => { arrival.disconnect(); change.disconnect(); };
}
