"""What the cells of a notebook draw is what is stored, as nbval asks of what they print: a plugin of pytest."""

import base64
import io

import pytest
from matplotlib import __version_info__, ft2font
from nbval.plugin import IPyNbCell
from PIL import Image, ImageChops

STORED_WITH = "Matplotlib 3.11 and FreeType 2.14.3"  # who refreshes all notebooks with others writes them here
HERE = f"Matplotlib {__version_info__.major}.{__version_info__.minor} and FreeType {ft2font.__freetype_version__}"
ROOM = 13  # of 255: the last digits of a number move the edge of a curve by so much


def pictures(outputs):
    """The pictures among the outputs of a cell."""
    pngs = [output["data"]["image/png"] for output in outputs if "image/png" in output.get("data", {})]
    return [Image.open(io.BytesIO(base64.b64decode(png))).convert("RGB") for png in pngs]


def difference(stored, drawn):
    """The largest difference in a pixel of the stored and the drawn outputs of a cell, of 255 that are possible."""
    before, after = pictures(stored), pictures(drawn)
    if [picture.size for picture in before] != [picture.size for picture in after]:
        return 255
    gaps = [ImageChops.difference(old, new).getextrema() for old, new in zip(before, after, strict=True)]
    return max((most for gap in gaps for _, most in gap), default=0)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item):
    result = yield
    if isinstance(item, IPyNbCell) and HERE == STORED_WITH:
        gap = difference(item.cell.outputs, item.test_outputs)
        if gap > ROOM:
            item.raise_cell_error(f"a picture is {gap} of 255 from the stored one, where {ROOM} are allowed")
    return result
