"""Words that a native reader stops at, on every page.

Only patterns that are rarely right are listed here. Whether a page reads well, a reader decides.
"""

import re
from pathlib import Path

import pytest
from notebook_cells import NOTEBOOKS, cells

ROOT = Path(__file__).parents[1]
RARELY_RIGHT = [  # a pattern, a sentence that it finds, and one that says it better and is left alone
    (r"\bis no kernel\b", "The box is no kernel.", "The box is not a kernel."),
    (r"\bare no (coordinates|vectors|kernels|features)\b", "They are no vectors.", "They are not vectors."),
    (r"\bexactly if\b", "It is one exactly if κ ≥ 0.", "It is one exactly when κ ≥ 0."),
    (
        r", for (the|a|an|it|there|they|its|each|no|then)( \w+)? (is|are|was|has|have|does|can)\b",
        "It has one minimum, for the bowl is convex.",
        "It has one minimum, because the bowl is convex.",
    ),
    (r"\bminimi[sz]e \S+ under\b", "We minimise J under g = 0.", "We minimise J subject to g = 0."),
    (r"\bdifference to\b", "The difference to the truth is small.", "The difference from the truth is small."),
    (r"\banother \w+ than\b", "It needs another Python than yours.", "It needs a different Python from yours."),
    (r"\bless (the|its|their) mean\b", "Take X less its mean.", "Take X minus its mean."),
    (r"\bbeside\b", "Beside it is the curve.", "Next to it is the curve."),
    (r"\bstands? (in|on|at|here|there)\b", "Row i stands in the table.", "Row i appears in the table."),
    (r"\bpackaged (one|ones|version)\b", "The packaged one agrees.", "kernelkit's version agrees."),
    (r"\bdear(er|est)?\b", "Weights become dear.", "Weights become expensive."),
    (r"\bby heart\b", "It learns the points by heart.", "It memorises the points."),
    (r"\bstrays\b", "Random pivots hear the strays.", "Random pivots hear the isolated points."),
    (r"\bprice of a weight\b", "λ is the price of a weight.", "λ is the penalty on a weight."),
    (
        r"(?:^|[.] )Who (expects|wants|likes)\b",
        "Who expects all, learns nothing.",
        "If you expect all, you learn nothing.",
    ),
    (r"\bdoes not care for\b", "It does not care for order.", "It does not care about order."),
    (r"\bleaves? behind\b", "See what it leaves behind.", "See what you take away."),
    (r"\bcommon slip\b", "A common slip is to forget λ.", "Watch out: λ belongs on the diagonal."),
]


def pages():
    """{name: the prose of the page}, without code, formulas and links' targets."""
    found = {path.stem: "\n\n".join(cell.source for cell in cells(path, "markdown")) for path in NOTEBOOKS}
    for path in (*ROOT.glob("*.md"), *ROOT.glob("[!.]*/*.md"), *ROOT.glob(".github/*.md")):
        found[path.relative_to(ROOT).as_posix()] = path.read_text(encoding="utf-8")
    cut = re.compile(r"```.*?```|\$\$.*?\$\$|\$[^$\n]*\$|`[^`\n]*`|\]\([^)]*\)", re.S)
    return {name: cut.sub("…", text) for name, text in found.items()}


PAGES = pages()


@pytest.mark.parametrize("name", sorted(PAGES))
def test_a_page_uses_none_of_these_words(name):
    found = [(hit[0], better) for old, _, better in RARELY_RIGHT for hit in re.finditer(old, PAGES[name], re.M | re.I)]
    assert not found


@pytest.mark.parametrize(("pattern", "wrong", "right"), RARELY_RIGHT)
def test_a_pattern_finds_the_old_way_and_leaves_the_new_one(pattern, wrong, right):
    assert re.search(pattern, wrong, re.M | re.I) and not re.search(pattern, right, re.M | re.I)
