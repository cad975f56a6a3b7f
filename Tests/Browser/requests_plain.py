"""Requests without a browser, each on its own connection."""

import http.client
from urllib.parse import urlencode


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = {name.lower(): value for name, value in response.getheaders()}
        self.data = response.read()

    @property
    def text(self):
        return self.data.decode("utf-8", "replace")


def send(server, method, path, body=None, headers=None):
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
    try:
        connection.request(method, path, body, headers or {})
        return Answer(connection.getresponse())
    finally:
        connection.close()


def get(server, path, **headers):
    return send(server, "GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})


def post(server, path, fields, headers=None):
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    return send(server, "POST", path, urlencode(fields), {**kind, **(headers or {})})


def add_task(server, text=None):
    """Adds a task; returns the address of its detail screen."""
    address = post(server, "/Tasks", {"action": "insert"}).headers["location"]
    if text is not None:
        assert post(server, address + "/text", {"action": "save", "value": text}).status == 303
    return address
