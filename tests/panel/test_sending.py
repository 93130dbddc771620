"""What a Jupyter server sends to a page does not wait for the browser to acknowledge what came before."""

import asyncio
from socket import IPPROTO_TCP, TCP_NODELAY
from types import SimpleNamespace

import pytest
from jupyter_server.serverapp import ServerApp
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection
from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port
from tornado.web import Application
from tornado.websocket import WebSocketHandler, websocket_connect

from kernelkit.panel import sending


class Connection:
    """What a server has for each page: told of the handler when it is made, asked to connect when that is open."""

    def __init__(self, websocket_handler):
        self.websocket_handler = websocket_handler

    def connect(self):
        socket = self.websocket_handler.ws_connection.stream.socket
        return f"TCP_NODELAY is {socket.getsockopt(IPPROTO_TCP, TCP_NODELAY) != 0}"


async def said(connection):
    """What such a connection says of its socket, over the socket."""

    class Handler(WebSocketHandler):
        async def open(self):
            await self.write_message(connection(self).connect())

    server, (socket, port) = HTTPServer(Application([("/", Handler)])), bind_unused_port()
    server.add_socket(socket)
    page = await websocket_connect(f"ws://127.0.0.1:{port}/")
    message = await page.read_message()
    page.close()
    server.stop()
    return message


@pytest.mark.parametrize(("connection", "at_once"), [(Connection, False), (sending.prompt(Connection), True)])
def test_messages_go_out_at_once(connection, at_once):
    """Without the extension they do not: when servers come to do it by themselves, it has done its work."""
    assert asyncio.run(said(connection)) == f"TCP_NODELAY is {at_once}"


def test_a_server_takes_it_over():
    server = SimpleNamespace(
        web_app=SimpleNamespace(settings={"kernel_websocket_connection_class": ZMQChannelsWebsocketConnection})
    )
    sending._load_jupyter_server_extension(server)
    (new,) = server.web_app.settings.values()
    assert issubclass(new, ZMQChannelsWebsocketConnection) and new is not ZMQChannelsWebsocketConnection


def test_real_servers_keep_the_class_there(monkeypatch, tmp_path):
    """A server where it is elsewhere would only write a line into its log, and be as slow as before."""
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    server = ServerApp(open_browser=False, port=0)
    server.init_configurables()
    server.init_webapp()
    assert server.web_app.settings["kernel_websocket_connection_class"] is ZMQChannelsWebsocketConnection
