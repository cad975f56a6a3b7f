"""The server shuts down cleanly, and acknowledged changes survive when it is killed."""

import http.client
import random
import signal
import socket
import threading
import time
from urllib.parse import urlencode

import pytest

import requests_plain as plain
from conftest import soon


@pytest.mark.parametrize("sign", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_streams_saves_and_frees_the_port(browser, server, sign):
    plain.add_task(server, "Kept")
    browser.open("/Tasks").shows("Tasks").has_rows(["Kept"])
    begin = time.monotonic()
    status, output = server.stop(sign)
    assert status == 0, server.log()
    assert "Stopped" in output
    assert time.monotonic() - begin < 5
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        probe.bind(("127.0.0.1", server.port))
    server.start()
    browser.open("/Tasks").shows("Tasks").has_rows(["Kept"])


def test_a_port_in_use_is_reported_with_the_remedy(server, folder):
    import os
    import subprocess

    result = subprocess.run(
        [os.environ["EXAMPLES_BINARY"], "--port", str(server.port), "--data", str(folder / "Other")],
        capture_output=True,
        text=True,
        timeout=20,
    )
    assert result.returncode != 0
    assert f"port {server.port} is in use" in result.stderr and "PORT=" in result.stderr


def test_every_acknowledged_save_survives_kill_9(server):
    acknowledged = {}
    deleted = set()
    stop = threading.Event()
    lock = threading.Lock()

    def save(worker):
        """Adds, renames and deletes tasks until the server is gone; records only acknowledged changes."""
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=10)
        kind = {"Content-Type": "application/x-www-form-urlencoded"}

        def post(path, fields):
            connection.request("POST", path, urlencode(fields), kind)
            response = connection.getresponse()
            response.read()
            assert response.status == 303, response.status
            return response.getheader("location")

        number = 0
        try:
            while not stop.is_set():
                number += 1
                text = f"worker {worker} task {number}"
                address = post("/Tasks", {"action": "insert"})
                with lock:
                    acknowledged[address] = "Untitled"
                with lock:
                    acknowledged[address] = ("Untitled", text)
                post(address + "/text", {"action": "save", "value": text})
                with lock:
                    acknowledged[address] = text
                if number % 5 == 0:
                    with lock:
                        acknowledged[address] = None
                    post("/Tasks", {"action": "delete", "value": address.split("/")[-1]})
                    with lock:
                        deleted.add(address)
        except (OSError, http.client.HTTPException):
            pass

    for round_ in range(3):
        stop.clear()
        workers = [threading.Thread(target=save, args=(f"{round_}-{n}",)) for n in range(6)]
        for worker in workers:
            worker.start()
        enough = 20 * (round_ + 1)
        assert soon(lambda: len(acknowledged) > enough, 60), "the server saves nothing"
        time.sleep(random.random())
        server.kill()
        stop.set()
        for worker in workers:
            worker.join()
        server.start()
        for address, text in acknowledged.items():
            answer = plain.get(server, address)
            if address in deleted:
                assert answer.status == 404, address
            elif text is not None:
                assert answer.status == 200, (address, text)
                allowed = [text] if isinstance(text, str) else list(text)
                assert any(f">{option}<" in answer.text for option in allowed), (address, text)


def test_a_stream_ends_when_its_browser_leaves_and_its_table_is_let_go(server):
    """Many browsers connect and leave; the server keeps responding at once."""
    plain.add_task(server, "Task")
    for _ in range(100):
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            connection.sendall(
                f"GET /Tasks HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAccept: text/event-stream\r\n\r\n".encode()
            )
            assert b"200 OK" in connection.recv(4096)
    begin = time.monotonic()
    assert plain.get(server, "/Tasks").status == 200
    assert time.monotonic() - begin < 1

    def files():
        import os

        return len(os.listdir(f"/proc/{server.process.pid}/fd"))

    assert soon(lambda: files() < 60), files()
