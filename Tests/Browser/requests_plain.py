"""Requests without a browser, each on its own connection."""

import html
import http.client
import re
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


def reference(page, text):
    """The object behind a row or a choice with a title, by the page's HTML."""
    pattern = r'value="(?:\w+ )?([A-Z]\w*-p\d+)"[^>]*>(?:\s*<[^>]*>)*\s*' + re.escape(html.escape(text)) + r"\s*<"
    match = re.search(pattern, page)
    assert match, f"{text} is not on the page"
    return match[1]


def add_task(server, text=None, priority=None, day=None, location=None):
    """Adds a task; returns the address of its detail screen."""
    address = post(server, "/Tasks", {"action": "insert"}).headers["location"]

    def change(screen, action, value):
        answer = post(server, f"{address}/{screen}", {"action": action, "value": value})
        assert answer.status == 303, answer.text

    if text is not None:
        change("text", "save", text)
    if priority is not None:
        change("priority", "choose", ["None", "Low", "Medium", "High"].index(priority))
    if day is not None:
        change("due-date", "save", day)
    if location is not None:
        if html.escape(location) not in get(server, address + "/location").text:
            change("location/new", "save", location)
        change("location", "choose", reference(get(server, address + "/location").text, location))
    return address
