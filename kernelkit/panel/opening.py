"""What a Jupyter server tells a page that opens a notebook of the course: the language its kernel is about to report.

The files leave it out, because it names the version of Python, which differs from machine to machine. A page that
learns it only from the kernel writes it into the notebook, and shows a notebook that was only opened as unsaved.
"""

import inspect
import sys

from kernelkit.panel.saving import MARK

KERNEL = "python3"  # Jupyter's name for the Python of the server


def language():
    """What ipykernel reports of this Python. It is written out here because importing ipykernel takes up to 0.3 s."""
    return {
        "name": "python",
        "version": sys.version.split()[0],
        "mimetype": "text/x-python",
        "codemirror_mode": {"name": "ipython", "version": 3},
        "pygments_lexer": "ipython3",
        "nbconvert_exporter": "python",
        "file_extension": ".py",
    }


def tell_language(model):
    """Give what was read the language of its kernel, if it is a notebook of the course with its content.

    A language that the file already holds is replaced: the kernel of this Python replaces it anyway. A learner who has
    chosen another kernel keeps that kernel's.
    """
    if model["type"] == "notebook" and model.get("content") is not None:
        about = model["content"]["metadata"]
        if MARK in about and about.get("kernelspec", {}).get("name") == KERNEL:
            about["language_info"] = language()
    return model


async def told_later(reading):
    return tell_language(await reading)


class Opening:
    """A manager of files as the pages of a server see it; what it reads for itself, to copy or to sign, is the file."""

    def __init__(self, manager):
        self.manager = manager

    def __getattr__(self, name):
        return getattr(self.manager, name)

    def get(self, *args, **kwargs):
        """What the manager reads, or an awaitable of it, as the manager gives it."""
        model = self.manager.get(*args, **kwargs)
        return told_later(model) if inspect.isawaitable(model) else tell_language(model)


def _jupyter_server_extension_points():
    return [{"module": "kernelkit.panel.opening"}]


def _load_jupyter_server_extension(server):
    settings = server.web_app.settings
    settings["contents_manager"] = Opening(settings["contents_manager"])
