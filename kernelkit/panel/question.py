"""Predict, move, explain: one foldable line that asks, and the explanation that waits until something has moved."""

from html import escape

import ipywidgets
from ipywidgets import HTML, Layout

from kernelkit.panel.controls import NoQuestion
from kernelkit.panel.scenes import button

ANSWERS = {}  # what was answered in this kernel, {title of the panel: the option, or SKIPPED}
SKIPPED = None
PREDICT_FIRST = "answer the question first, or skip it"


class QuestionBox(ipywidgets.VBox):
    """The line above a panel. ``why`` is the widget of verdict and explanation, for the panel to place.

    title : under which the answer is kept.  question : a ``Question`` or ``NoQuestion``.  freed() is called when the
    controls may be used.
    """

    def __init__(self, title, question, freed):
        self.title, self.question, self.freed = title, question, freed
        self.why = HTML(layout=Layout(display="none"))
        self.why.add_class("kernelkit-why")
        super().__init__()
        if isinstance(question, NoQuestion):
            return
        self.options = ipywidgets.RadioButtons(options=list(question.options), value=None, layout=Layout(width="auto"))
        self.options.add_class("kernelkit-options")
        self.fold = button("▾", self._toggle, "fold or unfold the question")
        self.fold.add_class("kernelkit-fold")
        self.skip = button("Skip the question", lambda: self.answer(SKIPPED))
        self.explain = button("Explain", self.moved, "verdict and explanation, without moving anything")
        prompt = HTML(f"<div title='{escape(question.prompt)}'><b>Predict.</b> {escape(question.prompt)}</div>")
        prompt.add_class("kernelkit-prompt")
        line = ipywidgets.HBox([self.fold, prompt, self.skip, self.explain])
        line.add_class("kernelkit-ask")
        self.children = [line, self.options]
        if title in ANSWERS:
            self.options.value = ANSWERS[title]
        self.options.observe(lambda change: self.answer(change.new), "value")
        self._arrange(folded=not self.awaits_prediction())

    def awaits_prediction(self):
        """Whether the controls still wait for an answer."""
        return not isinstance(self.question, NoQuestion) and self.title not in ANSWERS

    def answered(self):
        """Whether an option was chosen; a question that was skipped has no verdict."""
        return ANSWERS.get(self.title, SKIPPED) is not SKIPPED

    def answer(self, choice):
        """Keep the option that was chosen (``SKIPPED`` skips), fold the question, free the controls.

        The first choice stays, also where a second panel of the same explorer asks again.
        """
        if not self.answered():
            ANSWERS[self.title] = choice
        self._arrange(folded=True)
        self.freed()

    def moved(self):
        """Something was moved after the answer, or an explanation was asked for: now it is said."""
        if not self.answered():
            return
        said, right = ANSWERS[self.title], self.question.options[self.question.answer]
        verdict = "✓ Yes." if said == right else "✗ Not quite."
        self.why.value = f"You said “{escape(said)}”. <b>{verdict}</b> {escape(self.question.why)}"
        self.why.layout.display = None
        self.explain.layout.display = "none"

    def _toggle(self):
        self._arrange(folded=self.options.layout.display is None)

    def _arrange(self, folded):
        self.options.layout.display = "none" if folded else None
        self.options.disabled = self.answered()
        self.fold.description = "▸" if folded else "▾"
        (self.fold.remove_class if folded else self.fold.add_class)("kernelkit-open")
        self.skip.layout.display = None if self.awaits_prediction() else "none"
        explained = self.why.layout.display is None
        self.explain.layout.display = None if self.answered() and not explained else "none"
