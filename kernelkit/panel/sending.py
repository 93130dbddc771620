"""What a Jupyter server sends to a page, it sends at once.

A slider that moved is answered by three messages: the kernel is busy, the slider's value back, the picture. As TCP is
set by default, each waits on the server until the browser has acknowledged the one before, which may take it 40 ms.
"""


def prompt(connection):
    """This class of connections between a kernel and a page, with messages that do not wait for each other."""

    class Prompt(connection):
        def connect(self):
            self.websocket_handler.set_nodelay(True)
            return super().connect()

    return Prompt


def _jupyter_server_extension_points():
    return [{"module": "kernelkit.panel.sending"}]


def _load_jupyter_server_extension(server):
    settings = server.web_app.settings
    settings["kernel_websocket_connection_class"] = prompt(settings["kernel_websocket_connection_class"])
