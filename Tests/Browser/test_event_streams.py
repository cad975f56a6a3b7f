"""The event streams themselves: the events that a reconnecting browser receives."""

import html
import json
import re
import socket
import time

import requests_plain as plain


def version(server, path="/Tasks"):
    state = re.search(r'data-state="([^"]*)"', plain.get(server, path).text).group(1)
    return json.loads(html.unescape(state))["version"]


def events(server, since, seconds=1.0, path="/Tasks"):
    """The events that a browser with this version receives within a timeout: (id, kind, data)."""
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.settimeout(0.1)
        connection.sendall(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAccept: text/event-stream\r\n"
            f"Last-Event-ID: {since}\r\n\r\n".encode()
        )
        received = b""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                received += connection.recv(65_536)
            except TimeoutError:
                pass
    text = received.decode("utf-8", "replace")
    return [(i, kind, json.loads(data)) for i, kind, data in re.findall(r"id: (\S+)\nevent: (\w+)\ndata: (.*)\n", text)]


def test_a_browser_that_missed_a_few_changes_receives_them(server):
    plain.add_task(server, "First")
    known = version(server)
    token, number = known.split(".")
    assert events(server, known) == []
    plain.add_task(server, "Second")
    told = events(server, known)
    assert told, "the changes since that version"
    assert int(told[-1][0].split(".")[1]) > int(number)
    assert events(server, told[-1][0]) == []
    assert all(event[0].startswith(token) for event in told)


def test_a_browser_that_missed_many_changes_or_had_another_server_must_refresh(server):
    known = version(server)
    for number in range(40):
        plain.add_task(server, f"Task {number}")
    for since in [known, "nonsense", "", "other.5", known.split(".")[0] + ".99999999", known.split(".")[0] + ".-1"]:
        told = events(server, since, 0.5)
        assert [kind for _, kind, _ in told] == ["refresh"], since
        assert told[0][0] == version(server)


def test_a_browser_that_listens_gets_single_rows(server):
    import threading

    plain.add_task(server, "B")
    heard = []
    listener = threading.Thread(target=lambda: heard.extend(events(server, version(server), 2.0)))
    listener.start()
    time.sleep(0.5)
    address = plain.add_task(server, "A")
    plain.post(server, "/Tasks", {"action": "delete", "value": address.split("/")[-1]})
    listener.join()
    kinds = [change[0] for _, kind, data in heard if kind == "change" for change in data["changes"]]
    assert [kind for _, kind, _ in heard] == ["change"] * len(heard)
    assert kinds[0] == "insert" and kinds[-1] == "delete"
    assert [data["sections"] for _, _, data in heard][-1] == [["", 1]]
    for (_, _, one), (_, _, next_) in zip(heard, heard[1:]):
        assert one["to"] == next_["from"]
