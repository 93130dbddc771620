// The picture: PNG and words in, the pointer out.
// A data address is read within the page; a blob's would ask the browser's other processes, 10 ms a picture.
const base64 = (bytes) => bytes.toBase64?.() ?? btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(""));
const part = (name, kind, parent) => {
  const element = document.createElement(kind);
  element.className = `kernelkit-${name}`;
  return parent.appendChild(element);
};

// What can be dragged. The one that is held is drawn here, at once and in its box; the picture from the kernel follows.
function heldBy(card, model) {
  const svg = (kind, parent) => parent.appendChild(document.createElementNS("http://www.w3.org/2000/svg", kind));
  const sheets = [svg("svg", card), svg("svg", card)], [below, above] = sheets;
  const halo = svg("circle", below), marker = svg("g", above);  // the sheet above moves as a whole: nothing is drawn anew
  for (const sheet of sheets) {
    sheet.setAttribute("class", "kernelkit-held"); sheet.setAttribute("aria-hidden", "true");
    sheet.setAttribute("viewBox", `0 0 ${model.get("size").join(" ")}`);
  }
  halo.setAttribute("class", "kernelkit-halo"); halo.setAttribute("r", 14);
  let taken = null, box = null, start = null, rest = null, late = 0;  // box: of what is taken, wherever that stands in the
  // marks by then; rest: where it was left, until the picture shows it there
  const marks = () => model.get("marks"), size = () => model.get("size");
  const pixels = ([x, y]) => { const [w, h] = size(); return [x * w, y * h]; };
  const apart = (a, b) => { const [x, y] = pixels(a), [u, v] = pixels(b); return Math.hypot(x - u, y - v); };
  const put = (element, place) => element.setAttribute("transform", `translate(${pixels(place)})`);
  const show = (element, shown) => { element.style.display = shown ? "" : "none"; };
  const nearest = (x, y) => {
    const { places = [], reach } = marks();
    const gaps = places.map((place) => apart(place, [x, y])), least = Math.min(...gaps);
    return least <= reach ? gaps.indexOf(least) : null;
  };
  const inside = (x, y) => {
    const [left, top, right, bottom] = box, between = (v, a, b) => Math.min(Math.max(v, a), b);
    return [between(x, left, right), between(y, top, bottom)];
  };
  const clear = () => { clearTimeout(late); rest = null; if (taken === null) show(above, false); };
  const point = (x, y) => {  // a halo around what a press would take
    const over = x === undefined ? null : nearest(x, y);
    if (over !== null) put(halo, marks().places[over]);
    show(halo, over !== null);
    return over !== null;
  };
  const take = (x, y) => {
    clear();
    taken = nearest(x, y); box = taken === null ? null : marks().boxes[marks().box[taken]]; start = [x, y];
    show(halo, false);
    marker.replaceChildren();
    const { shapes, of } = model.get("looks");
    for (const values of taken === null ? [] : shapes[of[taken]]) {
      const path = svg("path", marker);
      ["d", "fill", "stroke", "stroke-width"].forEach((name, i) => path.setAttribute(name, values[i]));
    }
  };
  const move = (x, y) => {
    if (taken === null || (above.style.display && apart(start, [x, y]) <= 3)) return;  // no further is a click
    rest = inside(x, y);
    above.style.transform = `translate(${100 * rest[0]}%, ${100 * rest[1]}%)`;
    show(above, true);
  };
  const arrived = () => {
    const there = rest && taken === null && marks().places?.some((place) => apart(place, rest) < 2);
    if (there) clear();
  };
  const drop = () => { taken = null; late = setTimeout(clear, marks().snaps ? 80 : 1500); arrived(); };  // what snaps rests elsewhere
  model.on("change:marks", arrived);
  arrived(); show(halo, false); show(above, false);
  return { point, take, move, drop };
}

// The handles of a sketch for the keyboard: Tab reaches each of them, and the arrows move it; a page key moves it far.
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1], PageUp: [0, -5], PageDown: [0, 5] };
function handlesOf(card, model, pull) {
  const sheet = card.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "svg"));
  const [w, h] = model.get("size");
  sheet.setAttribute("class", "kernelkit-handles"); sheet.setAttribute("viewBox", `0 0 ${w} ${h}`);
  let typed = 0;  // when a key was pressed last: what comes from the kernel soon after may be older
  const put = (ring, [x, y]) => {
    ring.place = [x, y];
    ring.setAttribute("transform", `translate(${x * w},${y * h})`);
  };
  const press = (ring, i) => (event) => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault(); event.stopPropagation();
    const { boxes, box } = model.get("marks"), [left, top, right, bottom] = boxes[box[i]], [x, y] = ring.place;
    const to = [Math.min(Math.max(x + 5 * step[0] / w, left), right), Math.min(Math.max(y + 5 * step[1] / h, top), bottom)];
    if (to[0] === x && to[1] === y) return;
    typed = performance.now();
    put(ring, to);
    pull([x, y], to);
  };
  const show = () => {
    const { handles = [], places = [] } = model.get("marks");
    while (sheet.children.length > handles.length) sheet.lastChild.remove();
    handles.forEach(([name, text], i) => {
      let ring = sheet.children[i];
      if (!ring) {
        ring = sheet.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "circle"));
        ring.setAttribute("r", 13); ring.setAttribute("role", "slider"); ring.setAttribute("tabindex", 0);
        ring.dataset.lmSuppressShortcuts = "true";
        ring.onkeydown = press(ring, i);
      }
      ring.ariaLabel = name; ring.ariaValueText = text; ring.ariaValueNow = text.split(" ").pop().replace("−", "-");
      if (performance.now() - typed > 300) put(ring, places[i]);
    });
  };
  model.on("change:marks", show);
  show();
}

// Gestures on their way to the kernel. The next one leaves so that it arrives when the kernel is done with the last: it
// never waits there, where it would grow old, nor does the kernel wait for it. What has not left is overtaken by what the
// same gesture does next.
const FRAME = 16;
function sender(model) {
  const waiting = [];
  let away = false, took = 0;  // took: how long the kernel worked on the last one
  const go = () => {
    if (away || !waiting.length) return;
    const sent = performance.now();
    let begun = 0, followed = false;
    away = true;
    const next = () => { if (!followed) { followed = true; away = false; go(); } };
    model.send(waiting.shift(), { iopub: { status: ({ content }) => {
      const now = performance.now();
      if (content.execution_state === "busy") {
        begun = now;
        setTimeout(next, Math.max(0, took - (now - sent) - FRAME));
      } else { took = now - begun; next(); }
    } } });
  };
  return (gesture) => {
    if (waiting.at(-1)?.id === gesture.id) waiting.pop();
    waiting.push(gesture);
    go();
  };
}

// Asks the kernel whether it listens, and says so where it is silent: it may have other cells to run.
const BUSY = "Python is still running other cells.";
function asker(model, status) {
  let asked = false;
  return () => {
    if (asked) return;
    asked = true;
    const late = setTimeout(() => { status.textContent = BUSY; }, 400);
    const heard = () => { clearTimeout(late); asked = false; status.textContent = ""; };
    model.send({}, { iopub: { status: heard } });
  };
}

export default { render({ model, el }) {
  el.classList.add("kernelkit-picture");
  const card = part("card", "div", el), words = part("words", "p", el);
  const image = card.appendChild(new Image()), told = part("told", "span", card), busy = part("busy", "p", card);
  image.decoding = "sync"; image.draggable = false;
  image.style.aspectRatio = model.get("size").join(" / ");  // its place is there before it is
  words.setAttribute("role", "status"); busy.setAttribute("role", "status");

  const show = () => {  // the old picture stays until the new one is there
    const { buffer, byteOffset, byteLength } = model.get("png");
    image.src = "data:image/png;base64," + base64(new Uint8Array(buffer, byteOffset, byteLength));
    told.textContent = "";  // that was of the old one
  };
  const tell = () => {  // apart, for the words may change where the picture does not
    image.alt = model.get("alt"); words.textContent = model.get("words");
  };
  const place = (event) => {  // as fractions of the picture, from its upper left corner
    const box = image.getBoundingClientRect();
    return { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height };
  };
  const send = (name, value) => { model.set(name, value); model.save_changes(); };

  const held = heldBy(card, model);
  let gesture = null, count = 0, at = null, asked = false;
  const post = sender(model);
  handlesOf(card, model, ([x0, y0], [x, y]) => post({ id: ++count, x0, y0, x, y, done: true, key: true }));
  const drag = (event, done) => {
    const { x, y } = place(event);
    gesture = gesture ?? { id: ++count, x0: x, y0: y };
    at = null; told.textContent = "";
    if (event.type === "pointerdown") held.take(x, y); else held.move(x, y);
    post({ ...gesture, x, y, done });
    if (done) { gesture = null; held.drop(); }
  };
  const hover = (event) => {  // at most once a frame
    at = place(event);
    if (asked || !model.get("telling")) return;
    asked = true;
    requestAnimationFrame(() => { asked = false; if (at) send("hover", at); });
  };
  const leave = () => { at = null; held.point(); told.textContent = ""; send("hover", {}); };
  const say = () => {
    const { text = "", x = 0, y = 0 } = model.get("told");
    told.textContent = at ? text : "";
    told.style.left = `${100 * x}%`; told.style.top = `${100 * y}%`;
    told.classList.toggle("kernelkit-left", x > 0.6);
    told.classList.toggle("kernelkit-below", y < 0.15);
  };
  if (model.get("touchable")) {
    card.classList.add("kernelkit-touchable");
    image.onpointerdown = (e) => { image.setPointerCapture(e.pointerId); drag(e, false); };
    image.onpointerup = image.onpointercancel = (e) => { if (gesture) drag(e, true); };
  }
  image.onpointermove = (e) => {
    if (gesture) return drag(e, false);
    const { x, y } = place(e);
    image.classList.toggle("kernelkit-over", held.point(x, y));
    hover(e);
  };
  image.onpointerleave = leave;

  const still = window.matchMedia("(prefers-reduced-motion: reduce)");
  let fitting = 0;
  const fit = () => {  // drawn for the pixels of this screen, once the window is at rest
    clearTimeout(fitting);
    fitting = setTimeout(() => {
      if (!image.clientWidth) return;  // out of sight
      const ratio = (window.devicePixelRatio || 1) * image.clientWidth / model.get("size")[0];
      send("ratio", Math.min(Math.max(ratio, 1), 3));
    }, 100);
  };
  const room = new ResizeObserver(fit);
  model.on("change:png", show); model.on("change:alt", tell); model.on("change:words", tell); model.on("change:told", say);
  window.addEventListener("resize", fit);  // zoom changes the pixels, and not always the room
  room.observe(image);
  const rest = tendAlways(el, asker(model, busy));
  const appears = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) { appears.disconnect(); send("seen", true); }
  }, { threshold: 0.5 });
  send("calm", still.matches); show(); tell();
  if (model.get("plays") && !model.get("seen")) appears.observe(card);
  return () => { window.removeEventListener("resize", fit); room.disconnect(); appears.disconnect(); rest(); };
} };
