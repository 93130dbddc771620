"""Predict, see it, explain: a question with its options; once it was seen, in their place, what was right and why."""

from html import escape

import ipywidgets
from ipywidgets import HTML, Layout

from kernelkit.course.panel.controls import NoQuestion
from kernelkit.course.panel.scenes import RESET, button
from kernelkit.course.panel.sketch import AGAIN, AWAY, HOW, KEYS, UNDRAWN, Sketch

ANSWERS = {}  # what was answered in this kernel, {identity of the explorer: the option, or the handles of a sketch}
SEE = "See it"


class QuestionBox(ipywidgets.VBox):
    """What stands above a picture; its height never changes.

    identity : of the explorer, whose answer is kept.  question : a ``Question``, a ``Sketch`` or ``NoQuestion``.
    see() : is called when the learner wants to see it; whoever then shows the scene says that it is there (``arrive``).
    What is explained stays while the learner moves on from there, goes with another scene, and comes back with its own.
    drawn : the handles of a sketch that somebody has moved, until it was seen.  handles : those that can be moved: the
    drawn ones, and before that those at the start, where the panel is as it began; anywhere else they would lie over
    what the picture is about.  hidden : the keys of parts that would give the answer away, until it was seen.
    shown : the handles in the picture, None for none.
    """

    def __init__(self, identity, question, see):
        self.identity, self.question = identity, question
        super().__init__()
        self.sketched = isinstance(question, Sketch)
        self.drawn = (self.answered() or ()) if self.sketched else ()
        self.handles = (self.drawn or question.start) if self.sketched else ()
        self.hidden = question.hides if self.sketched else ()
        self.shown, self.seen = self.handles or None, False
        self.add_class("kernelkit-asking")
        if not isinstance(question, NoQuestion):
            self._build(see)
            self.add_class("kernelkit-question")

    def _build(self, see):
        question = self.question
        prompt = HTML(f"<b>Predict.</b> {escape(question.prompt)}")
        prompt.add_class("kernelkit-prompt")
        self.before = self._how() if self.sketched else self._options()
        self.why = HTML(layout=Layout(display="none"))
        self.why.add_class("kernelkit-why")
        self.see = button(SEE, see, f"show the scene “{question.scene}”, and what is right")
        self.see.add_class("kernelkit-see")
        self._invite()
        below = ipywidgets.HBox([self.before, self.why, self.see])
        below.add_class("kernelkit-below")
        self.children = [prompt, below]

    def _options(self):
        self.options = ipywidgets.RadioButtons(
            options=list(self.question.options), value=ANSWERS.get(self.identity), layout=Layout(width="auto")
        )
        self.options.add_class("kernelkit-options")
        self.options.observe(lambda change: self.answer(change.new), "value")
        return self.options

    def _how(self):
        self.how = HTML()
        self.how.add_class("kernelkit-how")
        self.say_how()
        return self.how

    def say_how(self):
        """What can be done to draw: nothing where no handles are in the picture, and then how they come back."""
        if self.sketched and not self.seen:
            self.how.value = f"{HOW[self.question.kind]}. {KEYS}" if self.handles else AWAY

    def answered(self):
        """What was chosen or drawn, None before."""
        return ANSWERS.get(self.identity)

    def answer(self, answer):
        """Keep what was chosen or drawn; it can be changed until it was seen."""
        answer = ANSWERS[self.identity] = self.question.read(answer)
        if self.sketched:
            self.drawn = self.handles = self.shown = answer
            self.say_how()
        else:
            self.options.value = answer
        self._invite()

    def _invite(self):
        """The button keeps its place, also while there is nothing to see yet; whoever will not draw sees it, too."""
        self.see.layout.visibility = "visible" if self.sketched or self.answered() else "hidden"

    def uncover(self):
        """It is about to be seen: the answer can no longer be changed, and nothing is hidden."""
        self.drawn, self.handles, self.hidden, self.seen = (), (), (), True
        if self.sketched:
            self.how.value = AGAIN if self.answered() else UNDRAWN
        elif self.children:
            self.options.disabled = True

    def stand_at(self, scene):
        """A sketch that was seen is in the picture of the scene it is about, and in no other; so is what is explained.

        Handles that nobody has moved are there only where the panel is as it began, which is after Reset.
        """
        there = self.sketched and scene == self.question.scene
        if self.sketched and not self.seen:
            self.handles = self.drawn or (self.question.start if scene == RESET else ())
        self.shown = self.handles or (self.answered() if there else None)
        if self.children and self.seen and scene not in (None, self.question.scene):
            self.before.layout.display, self.why.layout.display = None, "none"

    def arrive(self, scene, values):
        """The picture of a scene is there; if it is the one that was asked about, and may be seen, it is explained."""
        if self.children and self.seen and scene == self.question.scene:
            self.explain(values)

    def explain(self, values):
        """The scene that was asked about shows these values now: the verdict takes the place of the options."""
        said, question = self.answered(), self.question
        verdict = question.verdict(said, values) if said else ""
        self.why.value = (
            f"{verdict} {escape(question.why)} <span class='kernelkit-at'>(Scene “{escape(question.scene)}”.)</span>"
        ).strip()
        self.before.layout.display, self.why.layout.display = "none", None
