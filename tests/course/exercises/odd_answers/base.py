"""What the tables of odd answers share: each notebook has a module with RIGHT, rows (check, an unusual right answer).

The answer to a challenge is how its panel is moved.
"""


class Moved:
    """A panel that is moved in steps: the name of a scene that is pressed, or what the controls are set to."""

    def __init__(self, explorer, *steps):
        self.explorer, self.steps = explorer, steps

    def move(self, panel):
        """Move a panel of this explorer so, from its start; gives the panel."""
        panel.set(**panel.first)
        for step in self.steps:
            panel.set(**(panel.first | self.explorer.scenes[step] if isinstance(step, str) else step))
        return panel
