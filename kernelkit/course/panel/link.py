"""A link for the screen only."""

from html import escape

import ipywidgets

from kernelkit.course.panel.saving import MARK


class Link(ipywidgets.HTML):
    """A link to an address that ends with the kernel: on a stored page only its words are left.

    otherwise : what is said where there is no address.
    """

    def __init__(self, address, words, otherwise):
        self.words = words
        link = f'<a href="{escape(address or "")}" target="_blank" rel="noopener">{escape(words)}</a>'
        super().__init__(link if address else escape(otherwise))

    def _repr_mimebundle_(self, **kwargs):
        words = {"text/plain": f"{self.words}: a link, while they run."}
        return (super()._repr_mimebundle_(**kwargs) or {}) | words, {MARK: {"panel": self.words}}
