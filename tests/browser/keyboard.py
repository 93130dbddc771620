"""Every control of a panel, tried by the keyboard alone."""

import contextlib

import panels
from browser.lab import IDLE
from playwright.sync_api import TimeoutError

from kernelkit.course.panel.explorer import LESS, MORE
from kernelkit.course.panel.question import SEE
from kernelkit.course.panel.scenes import RESET

BUTTONS = ".widget-toggle-button, .widget-play button, .widget-button"
PARTS = f".noUi-handle, select, input[type=checkbox], .widget-text input, {BUTTONS}"
DESCRIBE = """e => {
    const box = e.closest(
        '.widget-slider, .widget-dropdown, .widget-checkbox, .widget-text, .widget-toggle-buttons, .widget-play');
    const part = e.type === 'checkbox' ? box : box?.querySelector('.widget-label');
    const label = part?.textContent.replace('\\u200b', '').trim() ?? '';
    const own = e.matches('button') ? e.textContent.trim() || e.title || e.querySelector('i').className : '';
    const kind = ['noUi-handle', 'widget-toggle-button', 'widget-button'].find(c => e.classList.contains(c));
    return [kind ?? (box.matches('.widget-play') ? 'play' : e.type), [label, own].filter(Boolean).join(': ')]; }"""
SHOWN = """el => JSON.stringify(
    [...el.querySelectorAll('.kernelkit-picture img, .widget-readout, .widget-slider, .widget-dropdown, pre')]
    .map(e => [e.src, e.alt, e.matches('.widget-readout, pre') && e.textContent, e.checkVisibility()]))"""
PICTURE = "el => el.querySelector('.kernelkit-picture img').src"
MEASURING = {explorer.measuring for explorer in panels.explorers().values()}
OF_SCENES = "e => !!e.closest('.kernelkit-scenes')"
STEPS = ("first step", "one back", "one forward", "last step")


class Control:
    """One visible control of a panel: its element, its kind and its name."""

    def __init__(self, panel, element):
        self.panel, self.page, self.element = panel, panel.page, element
        self.kind, self.name = element.evaluate(DESCRIBE)

    def press(self, key, picture=False, must=True, seconds=3):
        """Press a key on it; what is shown, or the picture itself, has to change."""
        settle(self.panel)
        look = PICTURE if picture else SHOWN
        before, height = self.panel.area.evaluate(look), self.panel.height()
        self.element.focus()
        self.page.keyboard.press(key)
        changed = self._changed(look, before, seconds) if must else True
        settle(self.panel)
        assert changed, f"{key} on {self.kind} {self.name!r} changes nothing"
        assert self.panel.height() == height, f"{key} on {self.kind} {self.name!r} changes the height of the panel"

    def _changed(self, look, before, seconds):
        """Whether it changes within these seconds, or when a kernel that is still busy has done its work."""
        with contextlib.suppress(TimeoutError):
            self.page.wait_for_function(
                f"([el, before]) => ({look})(el) !== before", arg=[self.panel.area, before], timeout=1000 * seconds
            )
            return True
        settle(self.panel)
        return self.panel.area.evaluate(look) != before

    def slide(self):
        """Whether a key gives a new picture: an arrow, or the way to an end where one step is finer than a pixel."""
        for key in ("ArrowRight", "ArrowLeft", "End", "Home"):
            with contextlib.suppress(AssertionError):
                self.press(key, picture=True)
                return True
        return False

    def retype(self):
        """The last letter is taken away and written again, or one is written and taken away where there is none.

        Both change what is shown, at once or on Enter.
        """
        value = self.element.input_value()
        for key in ("Backspace", value[-1]) if value else ("a", "Backspace"):
            settle(self.panel)
            before = self.panel.area.evaluate(SHOWN)
            self.element.focus()
            self.page.keyboard.press("End")
            self.page.keyboard.press(key) if key == "Backspace" else self.page.keyboard.insert_text(key)
            self.press("Enter", must=not self._changed(SHOWN, before, 1))

    def choose(self, option):
        """The option of a list with this number."""
        for key in ("Home", *["ArrowDown"] * option):
            self.press(key, must=False)

    def toggle(self):
        self.press("Space", must=False)
        assert "mod-active" in self.element.get_attribute("class"), f"{self.name!r} cannot be chosen"


def settle(panel):
    """Wait until the kernel has answered and the answer is on the screen."""
    panel.page.wait_for_timeout(60)
    if panel.page.evaluate("() => 'jupyterapp' in window"):
        panel.page.wait_for_function(f"() => {IDLE}")
    panel.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def controls(panel):
    """The visible controls that are free to use."""
    elements = panel.area.query_selector_all(PARTS)
    found = [Control(panel, e) for e in elements if e.is_visible() and e.is_enabled()]
    return [c for c in found if c.name not in (SEE, LESS) and not c.element.evaluate(OF_SCENES)]


def unfold(panel):
    """Bring all controls to light, by the keyboard; nothing else moves."""
    if folded := [c for c in controls(panel) if c.name == MORE]:
        seen = panel.seen()
        folded[0].press("Enter", must=False)
        assert panel.seen() == seen and not any(c.name == MORE for c in controls(panel))


def scene_names(panel):
    """The scenes of a panel that have a button, and those in its menu."""
    row = panel.area.query_selector(".kernelkit-scenes")
    buttons = [b.inner_text().strip() for b in row.query_selector_all("button")]
    options = [o.inner_text().strip().replace("\xa0", " ") for o in row.query_selector_all("option")]
    return [name for name in buttons if name != RESET], options[1:]


def named(panel, name):
    return next(c for c in controls(panel) if c.name == name)


def tab_stops(panel):
    """Go through the panel by Tab alone; gives the names of the controls it misses."""
    free = controls(panel)
    free[0].element.focus()
    for _ in range(3 * len(free)):
        panel.page.evaluate("() => { document.activeElement.reached = true; }")
        panel.page.keyboard.press("Tab")
    return [c.name for c in free if not c.element.evaluate("e => !!e.reached")]


def try_values(panel, done):
    """Every slider, list, box, text and class, also what another control brings to light; ``done`` gets their names.

    A slider may have nothing to move in one state, as at the first step of a run, and is then tried in the next.
    """
    for control in controls(panel):
        if control.name in done or not control.element.is_visible():
            continue
        if control.kind == "noUi-handle":
            done.update([control.name] if control.slide() else [])
        elif control.kind == "widget-toggle-button":
            done.add(control.name)
            control.toggle()
        elif control.kind == "text":
            done.add(control.name)
            control.retype()
        elif control.kind == "select-one":
            done.add(control.name)
            try_options(panel, control, done)
        elif control.kind == "checkbox":
            done.add(control.name)
            for _ in range(2):
                control.press("Space")
                try_values(panel, done)


LONG = 30  # options of a list that are tried
CHOOSER = "e => !!e.closest('.widget-dropdown').nextElementSibling?.matches('.widget-toggle-buttons')"


def try_options(panel, control, done):
    """Each option of a list, from the first to the last; where it only chooses what buttons move, little is shown.

    Of a long list of points only the first ones: far down, two that are closer than a slider's step look the same.
    """
    control.press("Home", must=False)
    try_values(panel, done)
    must = not control.element.evaluate(CHOOSER)
    for _ in range(min(control.element.evaluate("e => e.options.length"), LONG) - 1):
        control.press("ArrowDown", must=must)
        try_values(panel, done)


def try_steppers(panel):
    """First, forward, last, back and play of every stepper; where the run has ended, back comes first."""
    if not any(c.name == STEPS[0] for c in controls(panel)):
        return
    named(panel, "first step").press("Space", must=False)
    for name in ("one forward", "last step", "one back", "first step"):
        named(panel, name).press("Enter")
    play = next(c for c in controls(panel) if c.kind == "play")
    play.press("Enter")
    play.press("Enter", must=False)


def try_samples(panel, done):
    """A point is added, moved and removed again."""
    if any(c.name == "Add" for c in controls(panel)):
        named(panel, "Add").press("Enter")
        try_values(panel, done)
        named(panel, "Remove").press("Enter")


def go(panel, scene):
    """Go to a scene, which may glide, by the keyboard alone, and wait for its picture: it stays as it is."""
    _, menu = scene_names(panel)
    row = panel.area.query_selector(".kernelkit-scenes")
    if scene in menu:
        row.query_selector("select").focus()
        panel.page.keyboard.press("Home")
        at_rest(panel)
        for _ in range(1 + menu.index(scene)):
            panel.page.keyboard.press("ArrowDown")
            settle(panel)
    else:
        row.query_selector(f"button:text-is('{scene}')").focus()
        panel.page.keyboard.press("Enter")
    return at_rest(panel)


def at_rest(panel):
    """The picture and its text once nothing moves any more."""
    before = None
    while (now := panel.seen()) != before:
        before = now
        panel.page.wait_for_timeout(450)
        settle(panel)
    return now


def try_scenes(panel):
    """Every named scene gives another picture; Reset comes back to the first one."""
    first, text = go(panel, RESET)
    buttons, menu = scene_names(panel)
    pictures = [first] + [go(panel, scene)[0] for scene in (*buttons, *menu)]
    assert len(set(pictures)) >= len(pictures) - 1, "two scenes of a panel show the same picture"
    assert go(panel, RESET)[1] == text, "Reset does not come back to what was read off first"


def try_extras(panel):
    """The measurement, where there is one, and the code."""
    for control in controls(panel):
        if control.name in MEASURING:
            control.press("Enter", seconds=60)  # the first of what is measured may take long
    named(panel, "Show code").press("Enter")
    code = panel.area.wait_for_selector("pre")  # a measurement that goes on may be what has changed first
    assert code.inner_text().strip()
    named(panel, "Hide code").press("Enter")
