"""What many panels need once: numbers as people write them, and round limits for an axis."""

import re


def short(number):
    """Three digits, and 1000 rather than 1e+03."""
    return typographic(f"{float(f'{number:.3g}'):g}")


def typed(value):
    """The value of a control, or a list of values, as it is written in code: four digits are enough."""
    if isinstance(value, (tuple, list)):
        return f"[{', '.join(map(typed, value))}]"
    return repr(float(f"{value:.4g}"))


def typographic(sentence):
    """A real minus sign instead of the hyphen that numbers are printed with."""
    return re.sub(r"-(?=\d)", "−", sentence)


def standard(value):
    """The smallest of 1, 2, 5, 10, 20, … (and 0.5, 0.2, …) that is not below the value."""
    return next(s * 10.0**e for e in range(-3, 13) for s in (1, 2, 5) if s * 10.0**e >= value * 0.999)
