"""Predict, see it, explain: a question with its options; once it was seen, in their place, what was right and why."""

from html import escape

import ipywidgets
from ipywidgets import HTML, Layout

from kernelkit.panel.controls import NoQuestion
from kernelkit.panel.scenes import button

ANSWERS = {}  # what was answered in this kernel, {title of the panel: the option}
SEE = "See it"


class QuestionBox(ipywidgets.VBox):
    """What stands above a picture; its height never changes.

    title : under which the answer is kept.  question : a ``Question`` or ``NoQuestion``.
    see() : is called when the learner wants to see it; whoever then shows the scene calls ``explain``.
    """

    def __init__(self, title, question, see):
        self.title, self.question = title, question
        super().__init__()
        self.asks = not isinstance(question, NoQuestion)
        if self.asks:
            self._build(see)
            self.add_class("kernelkit-question")

    def _build(self, see):
        question = self.question
        prompt = HTML(f"<b>Predict.</b> {escape(question.prompt)}")
        prompt.add_class("kernelkit-prompt")
        self.options = ipywidgets.RadioButtons(
            options=list(question.options), value=ANSWERS.get(self.title), layout=Layout(width="auto")
        )
        self.options.add_class("kernelkit-options")
        self.why = HTML(layout=Layout(display="none"))
        self.why.add_class("kernelkit-why")
        self.see = button(SEE, see, f"show the scene “{question.scene}”, and what is right")
        self.see.add_class("kernelkit-see")
        self._invite()
        self.options.observe(lambda change: self.answer(change.new), "value")
        below = ipywidgets.HBox([self.options, self.why, self.see])
        below.add_class("kernelkit-below")
        self.children = [prompt, below]

    def answered(self):
        """The option that was chosen, None before."""
        return ANSWERS.get(self.title)

    def answer(self, option):
        """Keep what was chosen; it can be changed until it was seen."""
        ANSWERS[self.title] = self.options.value = option
        self._invite()

    def _invite(self):
        """The button keeps its place, also while there is nothing to see yet."""
        self.see.layout.visibility = "visible" if self.answered() else "hidden"

    def explain(self):
        """The scene that was asked about is shown now: the verdict takes the place of the options."""
        said, question = self.answered(), self.question
        verdict = "✓ Yes" if said == question.options[question.answer] else "✗ Not quite"
        self.why.value = (
            f"<b>{verdict}</b>, you said “{escape(said)}”. {escape(question.why)} "
            f"<span class='kernelkit-at'>(Scene “{escape(question.scene)}”.)</span>"
        )
        self.options.layout.display, self.why.layout.display = "none", None
