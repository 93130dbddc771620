"""What a Jupyter server saves of an explorer: its picture and sentence, not the live panel.

A panel ends with its kernel. A page that finds a panel's number in a file looks for it in vain and shows an error where
the picture could be.
"""

VIEW = "application/vnd.jupyter.widget-view+json"
MARK = "kernelkit"  # in the metadata of an output: what else it stores stands for the live panel, or for a link


def drop_views(notebook):
    """Take the live view out of every panel of the course, and of nothing else; the notebook is changed in place."""
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            if "panel" in output.get("metadata", {}).get(MARK, {}):
                output["data"].pop(VIEW, None)


def before_saving(model, **_):
    """The hook of the server: model["content"] is about to be written. With their state stored, views are kept."""
    if model["type"] == "notebook" and "widgets" not in model["content"]["metadata"]:
        drop_views(model["content"])


def _jupyter_server_extension_points():
    return [{"module": "kernelkit.course.panel.saving"}]


def _load_jupyter_server_extension(server):
    server.contents_manager.register_pre_save_hook(before_saving)
