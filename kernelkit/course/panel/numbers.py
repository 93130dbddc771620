"""Numbers as people write them: 12 500, −0.3, 3·10⁻⁷, 22.5 %, 20 µs."""

import re
import textwrap

import numpy as np

THIN = "\u2009"  # the one separator of thousands
NO_BREAK = "\u00a0"
NEXT_LINE = "\n    "  # of a list in code
CODE_WIDTH = 72  # letters of a line in the list of points of a code, before which more may stand
UNITS = (  # name, seconds, and up to how many seconds it is used
    ("ns", 1e-9, 1e-6),
    ("µs", 1e-6, 1e-3),
    ("ms", 1e-3, 1),
    ("s", 1, 120),
    ("min", 60, 7200),
    ("h", 3600, 172800),
    ("days", 86400, 7e7),
    ("years", 31557600, np.inf),
)


def short(number, digits=3):
    """A number as people write it, to so many digits: 1000, 12 500, 0.05, −2, 3·10⁻⁷; never 1e+03 and never −0."""
    number = float(f"{number:.{digits}g}") + 0.0
    if number and not 1e-4 <= abs(number) < 1e12:
        mantissa, exponent = f"{number:.{digits - 1}e}".split("e")
        mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
        return typographic(tens(exponent) if mantissa == "1" else f"{mantissa}·{tens(exponent)}")
    decimals = max(0, digits - 1 - (int(np.floor(np.log10(abs(number)))) if number else 0))
    text = f"{number:.{decimals}f}"
    return typographic(thousands(text.rstrip("0").rstrip(".") if "." in text else text))


def tens(power):
    """10⁻⁴."""
    return "10" + str(int(power)).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def fixed(number, decimals=2, sign=""):
    """A number with so many decimals, a real minus and no −0.00; sign="+" writes the plus too."""
    return typographic(f"{round(number, decimals) + 0.0:{sign}.{decimals}f}")


def read_off(number):
    """A number as one reads it off a picture: three decimals at most, so that what is tiny is 0."""
    return short(round(float(number), 3))


def thousands(number):
    """12 500 with a thin space; numbers below 10 000 stay whole. Takes a whole number or digits that are written."""
    sign, whole, rest = re.fullmatch(r"([-−]?)(\d+)(\.\d+)?", str(number)).groups()
    grouped = f"{int(whole):,}".replace(",", THIN) if len(whole) > 4 else whole
    return sign + grouped + (rest or "")


def percent(fraction, decimals=1):
    """22.5 %, whose two parts never stand on two lines."""
    return f"{100 * fraction:.{decimals}f}{NO_BREAK}%"


def amount(number, decimals=3):
    """A distance to so many decimals: 0.361, and "less than 0.001" instead of 0.000."""
    least = 10.0**-decimals
    return f"{number:.{decimals}f}" if number >= least / 2 else f"less than {least:.{decimals}f}"


def at_most(number, decimals=3):
    """A bound, rounded up so that it holds: "at most 0.362" of 0.3614, and "less than 0.001" instead of 0.000."""
    steps = np.ceil(float(f"{number * 10**decimals:.9g}"))  # without the dust of the product
    return f"at most {steps / 10**decimals:.{decimals}f}" if steps > 1 else f"less than {10.0**-decimals:.{decimals}f}"


def listed(names):
    """One; one and two; one, two and three."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def written(readout):
    """{label: value} in a line, "σ 0.30 · support vectors 34 of 200", which ends after a dot or a comma."""
    items = (f"{label} {value}".replace(" ", NO_BREAK) for label, value in readout.items() if value is not None)
    return f"{NO_BREAK}· ".join(item.replace(f",{NO_BREAK}", ", ") for item in items)


def duration(seconds):
    """How long, as people say it: 260 ns, 20 µs, 3.4 ms, 12 s, 40 min, 3.5 h, 120 days, 32 years."""
    # 0.99999 s is read as 1 s
    unit, size = next((unit, size) for unit, size, end in UNITS if seconds < end * 0.9995)
    return f"{short(seconds / size, 2)}{NO_BREAK}{unit}"


def typed(value):
    """The value of a control, or a list of values, as it is written in code: four digits are enough."""
    return bracketed(map(typed, value)) if isinstance(value, (tuple, list)) else repr(float(f"{value:.4g}"))


def bracketed(words):
    """A list in code, several of its words on a line and none on two."""
    whole = ", ".join(word.replace(" ", NO_BREAK) for word in words)
    lines = textwrap.wrap(whole, CODE_WIDTH, break_long_words=False, break_on_hyphens=False)
    return f"[{NEXT_LINE.join(lines)}]".replace(NO_BREAK, " ")


def typographic(sentence):
    """A real minus sign instead of the hyphen that numbers are printed with."""
    return re.sub(r"-(?=\d)", "−", sentence)
