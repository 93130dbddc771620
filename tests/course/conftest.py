"""What the tests of the course share."""

import pytest
from panels import Undrawn

from kernelkit.course.panel.explorer import Explorer


@pytest.fixture
def undrawn(monkeypatch):
    """Panels move and say what they say, but draw nothing: most of their time goes into pictures."""
    monkeypatch.setattr(Explorer, "canvas", lambda self, *_, **__: Undrawn())
