"""What the panels show of objects: the features that two have in common, and how an object is drawn."""

import re
from dataclasses import dataclass

NODES = 24  # words of one picture


@dataclass(frozen=True)
class Term:
    """A feature u that two objects have: its name, Φ_u(x) Φ_u(z), and which nodes of either drawing it is made of.

    entries : of Φ that it stands for, where several have one bar.
    """

    name: str
    value: float
    in_x: frozenset = frozenset()
    in_z: frozenset = frozenset()
    entries: int = 1


@dataclass(frozen=True)
class Drawing:
    """places : (x, y) in [0, 1]² of the nodes.  texts : of each, "" for a dot.  links : pairs of node numbers.

    notes : (x, y, text), what stands beside.
    """

    places: tuple
    texts: tuple
    links: tuple = ()
    notes: tuple = ()


NOTHING = Drawing((), ())


def width(text):
    """How wide the box of a word is, in widths of its picture."""
    return 0.036 + 0.029 * len(text)


def words(text):
    """The words of a line, between blanks, commas and semicolons."""
    return [word for word in re.split(r"[\s,;]+", text.strip()) if word]


def checked_words(text, most, longest, kind):
    """At most so many words of letters and digits, none longer than allowed."""
    found = words(text)
    for word in found:
        if not re.fullmatch(rf"[^\W_]{{1,{longest}}}", word):
            raise ValueError(f"“{cut(word, 14)}” is not a {kind}: write letters and digits, at most {longest} of them.")
    if len(found) > most:
        raise ValueError(f"These are {len(found)}; at most {most} are drawn here.")
    return found


def numbers(text, most, low, high):
    """At most so many numbers between low and high."""
    found = []
    for word in words(text.replace("−", "-")):
        if not re.fullmatch(r"-?(\d{1,3}(\.\d{0,4})?|\.\d{1,4})", word) or not low <= float(word) <= high:
            said = cut(word, 14).replace("-", "−")
            raise ValueError(f"“{said}” is not a number from {low:g} to {high:g}.".replace("-", "−"))
        found.append(float(word))
    if not 1 <= len(found) <= most:
        raise ValueError(f"These are {len(found)} numbers; write 1 to {most} of them.")
    return tuple(found)


def cut(text, longest):
    """A text that fits into so many letters."""
    return text if len(text) <= longest else f"{text[: longest - 1]}…"
