"""A load test: many event streams on loopback, which check every event while changes are saved.

`run` returns the figures. `make load` prints them; test_load.py asserts those that do not depend on the machine. The
browsers are sockets that read server-sent events as screens.js does: versions without a gap, or a refresh.
"""

import heapq
import http.client
import json
import os
import re
import selectors
import socket
import statistics
import sys
import threading
import time
import urllib.parse
from pathlib import Path

MARKER = re.compile(rb"load-(\d+)\.")
# The number of saves by which a browser may be behind. It is half of the events that the server keeps for a browser,
# so that on a busy machine the saves wait for the browsers, which run in the same process.
LAG = 32


class Stream:
    """One browser's event stream."""

    def __init__(self, port, path, version="", is_slow=False):
        self.port = port
        self.path = path
        self.version = version
        self.is_slow = is_slow
        self.changes = 0
        self.refreshes = 0
        self.faults = []
        self.seen = set()
        self.newest = -1
        self.connect()

    def connect(self):
        self.socket = socket.socket()
        if self.is_slow:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.connect(("127.0.0.1", self.port))
        head = f"GET {self.path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\nAccept: text/event-stream\r\n"
        if self.version:
            head += f"Last-Event-ID: {self.version}\r\n"
        self.socket.sendall((head + "\r\n").encode())
        self.socket.setblocking(False)
        self.raw = b""
        self.text = b""
        self.has_head = False

    def close(self):
        self.socket.close()

    def read(self, now, latencies, sent):
        """Reads available data; returns False if the stream has ended."""
        try:
            data = self.socket.recv(1 << 18)
        except BlockingIOError:
            return True
        except OSError:
            return False
        if not data:
            return False
        for number in MARKER.findall(data):
            number = int(number)
            if number not in self.seen:
                self.seen.add(number)
                self.newest = max(self.newest, number)
                latencies.append(now - sent[number])
        self.raw += data
        refreshes = self.refreshes
        self.decode()
        if self.refreshes > refreshes:
            self.newest = max(self.newest, len(sent) - 1)
        return True

    def decode(self):
        if not self.has_head:
            head, mark, rest = self.raw.partition(b"\r\n\r\n")
            if not mark:
                return
            if b" 200 " not in head.split(b"\r\n")[0]:
                self.faults.append(head.split(b"\r\n")[0].decode())
            self.raw, self.has_head = rest, True
        while True:
            size, mark, rest = self.raw.partition(b"\r\n")
            if not mark or len(rest) < int(size, 16) + 2:
                break
            self.text += rest[: int(size, 16)]
            self.raw = rest[int(size, 16) + 2 :]
        *events, self.text = self.text.split(b"\n\n")
        for event in events:
            fields = dict(line.split(b": ", 1) for line in event.split(b"\n") if b": " in line)
            # Events without a version report on a job, not on rows.
            if b"event" in fields and b"id" in fields:
                self.take(fields)

    def take(self, fields):
        version, kind = fields[b"id"].decode(), fields[b"event"]
        if kind == b"change":
            self.changes += 1
            change = json.loads(fields[b"data"])
            token, number = version.split(".")
            if self.version and self.version.split(".")[0] == token and int(self.version.split(".")[1]) != change["from"]:
                self.faults.append(f"a gap: at {self.version}, got {change['from']} to {change['to']}")
        else:
            self.refreshes += 1
        self.version = version


class Panel:
    """The event stream of a browser's open panel “Under the Hood”, or of the studio's section Live."""

    def __init__(self, port, path="/Tasks/-activity", cookie=""):
        self.socket = socket.socket()
        self.socket.connect(("127.0.0.1", port))
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {cookie}\r\n\r\n".encode())
        self.socket.setblocking(False)
        self.faults = []
        self.messages = 0
        self.bytes = 0

    def read(self, now, latencies, sent):
        """Reads available data; returns False if the stream has ended."""
        try:
            data = self.socket.recv(1 << 18)
        except BlockingIOError:
            return True
        self.messages += data.count(b"event: activity")
        self.bytes += len(data)
        return bool(data)


def studio(port):
    """The stream of the studio's section Live, attached to the Tasks application."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", "/")
    key = re.search(r"/studio\?key=(\w+)", connection.getresponse().read().decode()).group(1)
    return Panel(port, "/studio/api/tasks/live/events", f"studio-{port}={key}")


def post(connection, path, **fields):
    connection.request(
        "POST",
        path,
        urllib.parse.urlencode(fields),
        {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"},
    )
    answer = connection.getresponse()
    text = answer.read().decode()
    assert answer.status == 200, (path, answer.status, text)
    return json.loads(text)["go"]


def memory(process):
    """The memory that is the process's own, in MB: the system takes pages of files away and gives them back as it likes."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(re.search(r"RssAnon:\s+(\d+)", status).group(1)) / 1024


def processor(process):
    """Seconds that a process has used of a processor."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def percentiles(values):
    if not values:
        return None
    top = heapq.nlargest(max(1, len(values) // 100), values)
    return {"median": statistics.median(values) * 1000, "p99": top[-1] * 1000, "max": top[0] * 1000}


def run(server, browsers=200, rate=50, seconds=10, tasks=50, slow=2, reconnecting=10, panels=0, studios=0):
    """Saves up to `rate` changes a second while `browsers` streams are open; returns figures, with times in ms.

    `panels` of the browsers have the panel “Under the Hood” open, `studios` the studio's section Live.
    """
    connection = http.client.HTTPConnection("127.0.0.1", server.port)
    paths = []
    for number in range(tasks):
        path = post(connection, "/Tasks", action="insert")
        post(connection, path + "/text", action="save", value=f"Task {number:03}")
        paths.append(path)
    sent = {}
    latencies, answers, pages = [], [], []
    streams = [Stream(server.port, "/Tasks") for _ in range(browsers)]
    slows = [Stream(server.port, "/Tasks", is_slow=True) for _ in range(slow)]
    selector = selectors.DefaultSelector()
    hoods = [Panel(server.port) for _ in range(panels)] + [studio(server.port) for _ in range(studios)]
    for stream in streams + hoods:
        selector.register(stream.socket, selectors.EVENT_READ, stream)
    total = rate * seconds
    failures = []

    def save():
        own = http.client.HTTPConnection("127.0.0.1", server.port)
        start = time.monotonic() + 0.2
        try:
            for number in range(total):
                wait = start + number / rate - time.monotonic()
                if wait > 0:
                    time.sleep(wait)
                end = time.monotonic() + 20
                while number > LAG + min(stream.newest for stream in streams) and time.monotonic() < end:
                    time.sleep(0.005)
                sent[number] = time.monotonic()
                post(own, paths[number % tasks] + "/text", action="save", value=f"load-{number}.")
                answers.append(time.monotonic() - sent[number])
        except Exception as error:  # noqa: BLE001 — reported by the caller
            failures.append(repr(error))

    def look():
        own = http.client.HTTPConnection("127.0.0.1", server.port)
        while writer.is_alive():
            begin = time.monotonic()
            own.request("GET", "/Tasks", headers={"Accept": "text/html"})
            own.getresponse().read()
            pages.append(time.monotonic() - begin)
            time.sleep(0.25)

    def listen(until):
        for key, _ in selector.select(max(0, min(0.05, until - time.monotonic()))):
            stream = key.data
            if not stream.read(time.monotonic(), latencies, sent):
                selector.unregister(stream.socket)
                stream.faults.append("the server ended the stream")

    # All streams must be connected before the first change.
    end = time.monotonic() + 10
    while any(not stream.version for stream in streams) and time.monotonic() < end:
        listen(end)
    before = memory(server.process.pid)
    peak = before
    used = processor(server.process.pid)
    began = time.monotonic()
    writer, reader = threading.Thread(target=save), threading.Thread(target=look)
    writer.start()
    reader.start()
    next_break = time.monotonic() + 1
    turn = 0
    while writer.is_alive():
        listen(time.monotonic() + 0.05)
        if time.monotonic() > next_break:
            next_break += 1
            peak = max(peak, memory(server.process.pid))
            for _ in range(reconnecting):
                stream = streams[turn % browsers]
                turn += 1
                if stream.socket in {key.fileobj for key in selector.get_map().values()}:
                    selector.unregister(stream.socket)
                stream.close()
                stream.connect()
                selector.register(stream.socket, selectors.EVENT_READ, stream)
    reader.join()
    used = processor(server.process.pid) - used
    end = time.monotonic() + 10
    latest = None
    while time.monotonic() < end:
        listen(end)
        latest = max((stream.version.split(".")[1] for stream in streams), key=int)
        if all(stream.version.endswith("." + latest) for stream in streams):
            break
    took = time.monotonic() - began
    after = memory(server.process.pid)
    # A browser that did not read in the meantime receives the missed events.
    caught_up = 0
    for stream in slows:
        end = time.monotonic() + 10
        while not stream.version.endswith("." + latest) and time.monotonic() < end:
            if not stream.read(time.monotonic(), [], sent):
                break
            time.sleep(0.001)
        caught_up += stream.version.endswith("." + latest)
    figures = {
        "browsers": browsers,
        "changes": len(answers),
        "seconds": took,
        "deliveries": len(latencies),
        "reconnections": turn,
        "refreshes": sum(stream.refreshes for stream in streams) - browsers,
        "missing": sum(not stream.version.endswith("." + latest) for stream in streams),
        "faults": [fault for stream in streams for fault in stream.faults],
        "failures": failures,
        "slow browsers that caught up": caught_up,
        "another browser sees a change after": percentiles(latencies),
        "a save is answered after": percentiles(answers),
        "a page is served after": percentiles(pages),
        "processor seconds of the server": used,
        "panels": panels,
        "studios": studios,
        "messages of a panel": min((hood.messages for hood in hoods), default=0),
        "kB of a panel": sum(hood.bytes for hood in hoods) / 1000 / max(1, len(hoods)),
        "faults of panels": [fault for hood in hoods for fault in hood.faults],
        "memory in MB": {"before": before, "peak": peak, "after": after},
    }
    for stream in streams + slows:
        stream.close()
    for hood in hoods:
        hood.socket.close()
    return figures


def main(seconds, panels, studios):
    import tempfile

    from conftest import Server

    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "Data").start()
        try:
            print(json.dumps(run(server, seconds=seconds, panels=panels, studios=studios), indent=2, ensure_ascii=False))
        finally:
            server.stop()


if __name__ == "__main__":
    numbers = [int(argument) for argument in sys.argv[1:]]
    main(*(numbers + [60, 0, 0][len(numbers) :]))
