"""Settings for nbconvert's pages: jupyter nbconvert --config notebooks/nbconvert_config.py --to html …

Links from one notebook to another lead to its page.
"""

import re

from nbconvert.preprocessors import Preprocessor

LINK = re.compile(r"(\]\([^()\s#]+)\.ipynb(?=[#)])")


class LinksToPages(Preprocessor):
    """[03](03-kernel-ridge.ipynb#…) becomes [03](03-kernel-ridge.html#…)."""

    def preprocess_cell(self, cell, resources, index):
        if cell.cell_type == "markdown":
            cell.source = LINK.sub(r"\1.html", cell.source)
        return cell, resources


if "get_config" in globals():  # nbconvert reads this file
    get_config().HTMLExporter.preprocessors = [LinksToPages]  # noqa: F821
