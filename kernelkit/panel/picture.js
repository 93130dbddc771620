// The picture: PNG and sentence in, the pointer out.
// A data address is read within the page; a blob's would ask the browser's other processes, 10 ms a picture.
const base64 = (bytes) => bytes.toBase64?.() ?? btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(""));
const part = (name, kind, parent) => {
  const element = document.createElement(kind);
  element.className = `kernelkit-${name}`;
  return parent.appendChild(element);
};

export default { render({ model, el }) {
  el.classList.add("kernelkit-picture");
  const card = part("card", "div", el), sentence = part("sentence", "p", el);
  const image = card.appendChild(new Image()), told = part("told", "span", card);
  image.decoding = "sync"; image.draggable = false;
  sentence.setAttribute("role", "status");

  const show = () => {  // the old picture stays until the new one is there
    const { buffer, byteOffset, byteLength } = model.get("png");
    image.src = "data:image/png;base64," + base64(new Uint8Array(buffer, byteOffset, byteLength));
  };
  const tell = () => {  // apart, for the sentence may change where the picture does not
    image.alt = sentence.textContent = model.get("alt");
  };
  const place = (event) => {  // as fractions of the picture, from its upper left corner
    const box = image.getBoundingClientRect();
    return { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height };
  };
  const send = (name, value) => { model.set(name, value); model.save_changes(); };

  let gesture = null, count = 0, at = null, asked = false;
  const drag = (event, done) => {
    const { x, y } = place(event);
    gesture = gesture ?? { id: ++count, x0: x, y0: y };
    send("pointer", { ...gesture, x, y, done });
    if (done) gesture = null;
  };
  const hover = (event) => {  // at most once a frame
    at = place(event);
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => { asked = false; if (at) send("hover", at); });
  };
  const leave = () => { at = null; told.textContent = ""; send("hover", {}); };
  const say = () => {
    const { text = "", x = 0, y = 0 } = model.get("told");
    told.textContent = at || gesture ? text : "";
    told.style.left = `${100 * x}%`; told.style.top = `${100 * y}%`;
    told.classList.toggle("kernelkit-left", x > 0.6);
    told.classList.toggle("kernelkit-below", y < 0.15);
  };
  if (model.get("touchable")) {
    card.classList.add("kernelkit-touchable");
    image.onpointerdown = (e) => { image.setPointerCapture(e.pointerId); drag(e, false); };
    image.onpointerup = image.onpointercancel = (e) => { if (gesture) drag(e, true); };
  }
  image.onpointermove = (e) => { if (gesture) drag(e, false); else if (model.get("telling")) hover(e); };
  image.onpointerleave = leave;

  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  const measure = () => {
    model.set({ ratio: window.devicePixelRatio || 1, calm: still.matches });
    model.save_changes();
  };
  model.on("change:png", show); model.on("change:alt", tell); model.on("change:told", say);
  window.addEventListener("resize", measure);
  const rest = tendAlways(el);
  measure(); show(); tell();
  return () => { window.removeEventListener("resize", measure); rest(); };
} };
