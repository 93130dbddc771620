"""What a person would write in another way, in any text that the course shows."""

import re

MISPRINT = re.compile(
    r"\de[+-]?\d|0\.0{6}|\d,\d{3}(?!\d)|(?<!\w)-\d|\d %|\b[A-Za-z]_\w"
)  # 1e+02, 0.000000, 1,000, a hyphen for a minus, a percentage that can break, X_i


def misprints(text):
    """All of them, in a text; formulas between dollar signs are set by matplotlib and are not looked at."""
    return MISPRINT.findall(re.sub(r"\$[^$]*\$", "", text))
