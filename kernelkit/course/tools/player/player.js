// The players of the site. Each <section class="kernelkit-film"> is a picture with its readout until its film, a script
// with all words, is here; then its buttons and sliders show other pictures, which were drawn beforehand.
"use strict";
(() => {
  const PAUSE = 220;  // milliseconds between two pictures of a run
  const SMALLEST = 0.7;  // how small a formula may become beside the text
  const films = {}, waiting = {};  // by their folder: the films that are here, and what is to be done with those on their way

  window.kernelkitFilm = (film) => {
    const { place } = document.currentScript.dataset;
    films[place] = film;
    waiting[place].forEach((begin) => begin(film));
  };

  // Two panels of a page may show the same film, which is fetched once.
  const load = (place, begin) => {
    if (films[place]) { begin(films[place]); return; }
    if (waiting[place]) { waiting[place].push(begin); return; }
    waiting[place] = [begin];
    const script = document.createElement("script");
    script.src = `${place}/film.js`;
    script.dataset.place = place;
    document.head.append(script);
  };

  function player(section) {
    const place = section.dataset.film;
    const one = (selector) => section.querySelector(selector), all = (selector) => [...section.querySelectorAll(selector)];
    const image = one("img"), words = one(".kernelkit-words"), set = one(".kernelkit-set"), code = one(".kernelkit-code pre");
    const tracks = all(".kernelkit-track").map((part) => ({
      label: part.querySelector("label").textContent, slider: part.querySelector("input"),
      output: part.querySelector("output"), run: part.querySelector(".kernelkit-play"), shots: [],
    }));
    const scenes = all("button[data-shot]");
    let film = null, wanted = Number(section.dataset.first), running = 0;
    const kept = new Map();  // pictures that were fetched: they stay in memory while the page is open

    const fetched = (shot) => {
      if (!kept.has(shot)) {
        const picture = new Image();
        picture.src = `${place}/${shot}.webp`;
        kept.set(shot, picture.decode().then(() => picture));
      }
      return kept.get(shot);
    };

    // The old picture stays until the new one can be shown with its words; what was overtaken is never shown.
    const show = (shot, moved = null) => {
      wanted = shot;
      const { at } = film.shots[shot];
      tracks.forEach((track, i) => {
        const [position, text] = at[i];
        if (track !== moved) track.slider.value = position;
        track.output.textContent = text;
        track.slider.setAttribute("aria-valuetext", text);
      });
      fetched(shot).then((picture) => { if (wanted === shot) put(shot, picture); });
    };
    const put = (shot, picture) => {
      const { say, set: changed, code: lines } = film.shots[shot];
      image.src = picture.src;
      words.textContent = say;
      image.alt = `${section.dataset.about} ${say}`;
      set.textContent = changed ? `Changed from the start: ${changed}.${undone(shot)}` : "";
      code.textContent = lines;
      section.dataset.shown = shot;
      const pressed = scenes.filter((button) => button.hasAttribute("aria-pressed"));  // all but Reset
      pressed.forEach((button) => button.setAttribute("aria-pressed", Number(button.dataset.shot) === shot));
    };
    // A slider moves the picture of the start, whatever a scene has changed; whoever moves it should know.
    const undone = (shot) => {
      const others = tracks.filter((track) => !track.shots.includes(shot));
      const names = others.map((track) => `“${track.label}”`).join(" or ");
      const moving = others.some((track) => track.run?.offsetParent) ? "Moving or playing" : "Moving";
      return names ? ` ${moving} ${names} undoes this.` : "";
    };
    const near = (track) => {
      const i = Number(track.slider.value);
      [i + 1, i - 1, i + 2, i - 2].forEach((j) => { if (track.shots[j] !== undefined) fetched(track.shots[j]); });
    };

    const stop = () => {
      clearTimeout(running);
      running = 0;
      tracks.forEach(({ run }) => { if (run) run.textContent = "Play"; });
    };
    const run = (track) => {
      const step = () => {
        const i = Number(track.slider.value) + 1;
        if (i >= track.shots.length) { stop(); return; }
        track.slider.value = i;
        show(track.shots[i], track);
        near(track);
        running = setTimeout(step, PAUSE);
      };
      track.run.textContent = "Pause";
      if (Number(track.slider.value) >= track.shots.length - 1) track.slider.value = -1;
      step();
    };

    const begin = (found) => {
      film = found;
      tracks.forEach((track, i) => {
        track.shots = film.tracks[i];
        track.slider.addEventListener("input", () => { stop(); show(track.shots[Number(track.slider.value)], track); near(track); });
        track.slider.addEventListener("pointerdown", () => track.shots.forEach(fetched));
        track.slider.addEventListener("focus", () => near(track));
        track.run?.addEventListener("click", () => { if (running) stop(); else run(track); });
      });
      scenes.forEach((button) => button.addEventListener("click", () => { stop(); show(Number(button.dataset.shot)); }));
      scenes.forEach((button) => button.addEventListener("pointerenter", () => fetched(Number(button.dataset.shot))));
      const larger = one(".kernelkit-larger");
      larger.addEventListener("click", () => {
        larger.setAttribute("aria-pressed", section.classList.toggle("kernelkit-large"));
      });
      asks();
      tracks.forEach(near);
      section.dataset.ready = "";
      section.dataset.shown = wanted;
    };

    // Predict, see it, explain: the verdict comes with the scene that was asked about, in place of the options.
    const asks = () => {
      const question = one(".kernelkit-question");
      if (!question) return;
      const see = question.querySelector(".kernelkit-see"), why = question.querySelector(".kernelkit-why");
      question.addEventListener("change", () => { see.hidden = false; });
      see.addEventListener("click", () => {
        const chosen = question.querySelector("input:checked");
        if (chosen) why.querySelector(".kernelkit-verdict").innerHTML = chosen.dataset.verdict;
        question.querySelector(".kernelkit-options").hidden = true;
        why.hidden = false;
        why.focus({ preventScroll: true });
        stop();
        show(Number(question.dataset.scene));
      });
    };

    load(place, begin);
  }

  // A formula keeps the full stop or the comma that follows it: between the two a browser may end a line.
  document.querySelectorAll("article span.math").forEach((formula) => {
    const next = formula.nextSibling, mark = next?.nodeType === Node.TEXT_NODE && /^[.,;:?!)]+/.exec(next.data);
    if (!mark) return;
    const whole = document.createElement("span");
    whole.className = "kernelkit-whole";
    formula.before(whole);
    next.data = next.data.slice(mark[0].length);
    whole.append(formula, mark[0]);
  });

  // A fold of an output is called what stands on it.
  document.querySelectorAll("details.hide > summary").forEach((line) => line.removeAttribute("aria-label"));

  // A displayed formula that is a little too wide for the page is made smaller. One that is much too wide, as on a phone,
  // keeps its size, and the reader moves it sideways.
  const fit = () => {
    document.querySelectorAll("article div.math").forEach((box) => {
      const formula = box.querySelector("mjx-container");
      box.style.fontSize = "";
      const part = formula ? formula.clientWidth / formula.scrollWidth : 1;
      if (part < 1 && part > SMALLEST) box.style.fontSize = `${99 * part}%`;
    });
  };
  window.addEventListener("load", () => window.MathJax?.startup?.promise.then(fit));
  window.addEventListener("resize", fit);

  // An output in columns keeps its lines whole on a phone, where other lines go on below.
  document.querySelectorAll("article .cell_output pre").forEach((output) => {
    const rows = output.textContent.split("\n").filter((line) => /\S {2,}\S/.test(line));
    output.classList.toggle("kernelkit-columns", rows.length > 1);
  });

  // A figure opens as large as it was drawn.
  document.querySelectorAll("article div.cell_output img").forEach((image) => {
    const link = document.createElement("a");
    link.className = "kernelkit-figure";
    link.href = image.src;
    image.before(link);
    link.append(image);
  });

  // The contents at the side follow the reader: the last heading above the middle of the window is the one that is read.
  const contents = document.getElementById("pst-page-toc-nav"), lit = new Set();
  const entries = [...document.querySelectorAll("#pst-page-toc-nav a.nav-link")].map((link) => ({
    link, heading: document.getElementById(decodeURIComponent(link.hash.slice(1))),
  })).filter(({ heading }) => heading);
  let here = null, asked = false;
  const mark = () => entries.forEach(({ link }) => {
    link.classList.toggle("active", lit.has(link));
    if (link !== here?.link) link.removeAttribute("aria-current");
    else if (!link.hasAttribute("aria-current")) link.setAttribute("aria-current", "true");
  });
  const follow = () => {
    asked = false;
    const read = entries.filter(({ heading }) => heading.getBoundingClientRect().top < window.innerHeight / 2).pop();
    if (read === here) return;
    here = read;
    lit.clear();
    for (let item = here?.link.closest("li"); item; item = item.parentElement.closest("li")) {
      lit.add(item.querySelector("a.nav-link"));
    }
    mark();
    const list = here?.link.closest(".bd-sidebar-secondary");
    if (!list) return;
    const [entry, frame] = [here.link, list].map((element) => element.getBoundingClientRect());
    if (entry.top < frame.top || entry.bottom > frame.bottom) list.scrollTop += entry.top - (frame.top + frame.bottom) / 2;
  };
  // The theme marks an entry by a rule of its own, which loses its place when the page jumps: what it changes is put back.
  const theme = new MutationObserver(mark);
  if (contents) theme.observe(contents, { subtree: true, attributes: true, attributeFilter: ["class", "aria-current"] });
  const later = () => { if (!asked) { asked = true; requestAnimationFrame(follow); } };
  window.addEventListener("scroll", later, { passive: true });
  window.addEventListener("load", later);

  // A panel wakes up when it comes near the screen.
  const near = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (isIntersecting) { near.unobserve(target); player(target); }
    }
  }, { rootMargin: "600px" });
  document.querySelectorAll(".kernelkit-film").forEach((section) => near.observe(section));
})();
