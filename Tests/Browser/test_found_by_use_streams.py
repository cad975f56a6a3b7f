"""Many tabs of one browser: all of them share one event stream, because a browser opens only six connections."""

import socket
import threading

import pytest

import requests_plain as plain
from screens import TEXTS

TABS = 8


class Door:
    """A proxy in front of the server, which counts the event streams that are open at one time."""

    def __init__(self, port):
        self.target = port
        self.open = 0
        self.most = 0
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def serve(self, client):
        server = socket.create_connection(("127.0.0.1", self.target))
        threading.Thread(target=self.copy, args=(server, client), daemon=True).start()
        is_stream = False
        while data := self.receive(client):
            if not is_stream and (b"GET /-events" in data or b"text/event-stream" in data):
                is_stream = True
                self.count(1)
            server.sendall(data)
        if is_stream:
            self.count(-1)
        server.close()

    def copy(self, server, client):
        while data := self.receive(server):
            try:
                client.sendall(data)
            except OSError:
                break
        client.close()

    @staticmethod
    def receive(one):
        try:
            return one.recv(65_536)
        except OSError:
            return b""

    def count(self, step):
        with self.lock:
            self.open += step
            self.most = max(self.most, self.open)


@pytest.fixture
def tabs(browser, server):
    """The handles of several tabs of one browser, all of them through the proxy."""
    driver = browser.driver
    door = Door(server.port)
    first = driver.current_window_handle
    handles = [first]
    for _ in range(TABS - 1):
        driver.switch_to.new_window("tab")
        handles.append(driver.current_window_handle)
    yield door, handles
    for handle in handles[1:]:
        driver.switch_to.window(handle)
        driver.close()
    driver.switch_to.window(first)
    driver.get("about:blank")
    door.listener.close()


def test_eight_tabs_share_one_stream_and_all_of_them_follow(browser, server, tabs):
    door, handles = tabs
    task = plain.add_task(server, "Bread")
    paths = ["/Tasks", "/Tasks", "/Tasks/locations", task, "/Tasks?show=hi-pri", task + "/text", "/TaskList", "/GroceryDude"]
    for handle, path in zip(handles, paths):
        browser.driver.switch_to.window(handle)
        browser.driver.get(f"http://127.0.0.1:{door.port}{path}")
        browser.wait("the stream", "(window.liveTable ?? window.liveForm)?.source?.readyState === 1")
    browser.until("one stream", lambda: door.open == 1)
    # While the stream is replaced by one with more addresses, both are open.
    assert door.most <= 2, door.most
    assert plain.post(server, task + "/text", {"action": "save", "value": "Rye bread"}).status == 303
    assert plain.post(server, task + "/priority", {"action": "choose", "value": "3"}).status == 303
    for handle, path in list(zip(handles, paths))[:6]:
        browser.driver.switch_to.window(handle)
        if path.endswith("/text"):
            browser.wait("the text", "document.getElementById('field-value').value === 'Rye bread'")
        elif path == task:
            browser.has_value("Text", "Rye bread").has_value("Priority", "High")
        else:
            browser.wait(f"the row in {path}", f"JSON.stringify({TEXTS}) === JSON.stringify(['Rye bread'])")


def test_a_closed_tab_leaves_the_stream_and_the_others_go_on(browser, server, tabs):
    door, handles = tabs
    for handle in handles[:3]:
        browser.driver.switch_to.window(handle)
        browser.driver.get(f"http://127.0.0.1:{door.port}/Tasks")
        browser.wait("the stream", "window.liveTable?.source?.readyState === 1")
    for handle in handles[1:3]:
        browser.driver.switch_to.window(handle)
        browser.driver.get("about:blank")
    browser.driver.switch_to.window(handles[0])
    plain.add_task(server, "Bread")
    browser.has_rows(["Bread"])
    browser.driver.get("about:blank")
    browser.until("no stream", lambda: door.open == 0)


def test_without_shared_workers_a_page_has_its_own_stream(browser, server):
    browser.open("/Tasks").shows("Tasks")
    browser.driver.execute_script("delete document.body.dataset.worker; liveTable.disconnect(); liveTable.connect()")
    browser.wait("the stream", "liveTable.source instanceof EventSource && liveTable.source.readyState === 1")
    plain.add_task(server, "Bread")
    browser.has_rows(["Bread"])


def test_a_worker_that_cannot_run_is_replaced(browser, server):
    browser.open("/Tasks").shows("Tasks").wait("the stream", "liveTable.source.readyState === 1")
    browser.driver.execute_script("LiveSource.worker.onerror(new Event('error'))")
    browser.wait("the page's own stream", "liveTable.source.replacement?.readyState === 1")
    plain.add_task(server, "Bread")
    browser.has_rows(["Bread"])
    browser.wait("one row", "document.querySelectorAll('li.row').length === 1")


def test_a_stream_of_unknown_addresses_requests_a_read_of_each(server):
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        connection.settimeout(5)
        connection.sendall(
            f"GET /-events?at=/Tasks/task/Task-p9&since=x.1&at=/Nothing HTTP/1.1\r\n"
            f"Host: 127.0.0.1:{server.port}\r\n\r\n".encode()
        )
        text = b""
        while text.count(b"\n") < 12 and b"/Nothing\t{}\n" not in text:
            text += connection.recv(4096)
    lines = [line for line in text.decode().split("\n") if "\t" in line]
    assert lines == ["refresh\tnone.0\t/Tasks/task/Task-p9\t{}", "refresh\tnone.0\t/Nothing\t{}"]
