"""A long run of the sample applications, which shows whether memory, descriptors, threads and latency stay level.

200 browsers follow screens of all applications while tasks are changed, added and deleted, items are imported in the background
and deleted again, stores of an older model version are migrated, and screens are opened and left, each with a context and a
results controller of its own. `run` returns a sample per interval; `make long-run` plots them.
"""

import http.client
import json
import os
import re
import selectors
import statistics
import sys
import tempfile
import threading
import time
from collections import deque
from html import escape
from pathlib import Path

import load
import requests_plain as plain
from conftest import Server

# The screens that browsers follow, with their share of the browsers.
SCREENS = {"/Tasks": 6, "/GroceryDude": 2, "/CoreDump": 1, "/TaskList": 1}
PAGES = ["/", "/Tasks", "/GroceryDude", "/GroceryDude/shop", "/CoreDump", "/FlashCards/history", "/TaskList"]
FIGURES = {
    "memory": "Own memory, MB",
    "descriptors": "File descriptors",
    "threads": "Threads",
    "event": "Another browser sees a change after, ms",
    "save": "A save is answered after, ms",
    "page": "A page is served after, ms",
}
# The part of a short run that is left out of the slopes, as caches fill.
WARM_UP = 1 / 2
# The seconds after which the table of the 16,384 rows that were saved last is full and begins anew, as 12 rows are saved a
# second: memory rises by steps and falls. Figures of a long run are compared with those of one such time before.
PERIOD = 16_384 / 12


class Load:
    """The requests of all visitors, in threads that end with the run."""

    def __init__(self, server, browsers):
        self.server = server
        self.failures = []
        self.sent = {}
        self.times = {"event": [], "save": [], "page": []}
        self.counts = dict.fromkeys(["changes", "tasks", "visits", "imports", "deletions", "migrations", "pages"], 0)
        self.done = threading.Event()
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port)
        self.tasks = deque(self.add_task(f"Task {number:03}") for number in range(50))
        shares = [path for path, share in SCREENS.items() for _ in range(share)]
        self.streams = [load.Stream(server.port, shares[number % len(shares)]) for number in range(browsers)]
        # Ten screens of tasks that are opened and left.
        self.visits = deque()
        self.selector = selectors.DefaultSelector()
        for stream in self.streams:
            self.selector.register(stream.socket, selectors.EVENT_READ, stream)

    def add_task(self, text):
        path = load.post(self.connection, "/Tasks", action="insert")
        load.post(self.connection, path + "/text", action="save", value=text)
        return path

    def timed(self, kind, work):
        begin = time.monotonic()
        work()
        self.times[kind].append(time.monotonic() - begin)

    def repeat(self, interval, work):
        """Calls `work` at an interval, in a thread, until the run ends."""

        def loop():
            following = time.monotonic()
            while not self.done.wait(max(0, following - time.monotonic())):
                following = max(following + interval, time.monotonic())
                try:
                    work()
                except Exception as error:  # noqa: BLE001 — reported at the end
                    self.failures.append(f"{work.__name__}: {error!r}")

        thread = threading.Thread(target=loop)
        thread.start()
        return thread

    # The jobs

    def change(self):
        """Changes a task, and each tenth time replaces the oldest one."""
        number = self.counts["changes"]
        self.counts["changes"] += 1
        if number % 10 == 9:
            oldest = self.tasks.popleft()
            load.post(self.connection, "/Tasks", action="delete", value=oldest.split("/")[-1])
            self.tasks.append(self.add_task(f"Task {number:06}"))
            self.counts["tasks"] += 1
            return
        path = self.tasks[number % len(self.tasks)] + "/text"
        self.sent[number] = time.monotonic()
        self.timed("save", lambda: load.post(self.connection, path, action="save", value=f"load-{number}."))

    def read_page(self):
        path = PAGES[self.counts["pages"] % len(PAGES)]
        self.counts["pages"] += 1
        self.timed("page", lambda: expect(plain.get(self.server, path), 200))

    def import_items(self):
        """Imports 240 items in the background, and deletes them one by one."""
        expect(plain.post(self.server, "/GroceryDude/import", {"action": "save", "count": "240"}), 303)
        self.counts["imports"] += 1
        left = 240
        while left > 0 and not self.done.wait(0.5):
            for item in sorted(set(re.findall(r"\bItem-p\d+\b", plain.get(self.server, "/GroceryDude").text))):
                if self.done.is_set():
                    return
                expect(plain.post(self.server, "/GroceryDude", {"action": "delete", "value": item}), 303)
                self.counts["deletions"] += 1
                left -= 1

    def migrate(self):
        answer = plain.post(self.server, "/-break", {"action": "other-version"})
        expect(answer, 303)
        report = plain.get(self.server, answer.headers["location"].partition("#")[0]).text
        if "The store has 3 tasks" not in report:
            raise AssertionError("the migration failed")
        self.counts["migrations"] += 1

    # The browsers

    def reconnect(self, turn):
        """Disconnects and connects some browsers, and opens and leaves the screens of single tasks."""
        for number in range(turn * 5, turn * 5 + 5):
            stream = self.streams[number % len(self.streams)]
            self.forget(stream)
            stream.close()
            stream.connect()
            self.selector.register(stream.socket, selectors.EVENT_READ, stream)
        stream = load.Stream(self.server.port, self.tasks[-1])
        self.selector.register(stream.socket, selectors.EVENT_READ, stream)
        self.visits.append(stream)
        self.counts["visits"] += 1
        if len(self.visits) > 10:
            left = self.visits.popleft()
            self.forget(left)
            left.close()
            self.failures += left.faults

    def forget(self, stream):
        if stream.socket in {key.fileobj for key in self.selector.get_map().values()}:
            self.selector.unregister(stream.socket)

    def listen(self, until):
        while (wait := until - time.monotonic()) > 0:
            for key, _ in self.selector.select(wait):
                stream = key.data
                # The screen of a task begins with its text, which may be of an earlier change.
                latencies = self.times["event"] if stream.path in SCREENS else []
                if not stream.read(time.monotonic(), latencies, self.sent):
                    self.selector.unregister(stream.socket)
                    stream.faults.append("the server ended the stream")


def expect(answer, status):
    if answer.status != status:
        body = re.sub(r"<[^>]*>", " ", answer.text.partition("<body")[2] or answer.text)
        raise AssertionError(f"the answer has the status {answer.status}: {' '.join(body.split())[:1000]}")


def sample(process, times, seconds):
    """The figures of an interval; latencies are medians in ms."""
    status = Path(f"/proc/{process}/status").read_text()
    figures = {
        "seconds": round(seconds, 1),
        "memory": load.memory(process),
        "descriptors": len(os.listdir(f"/proc/{process}/fd")),
        "threads": int(re.search(r"Threads:\s+(\d+)", status).group(1)),
    }
    for kind, values in times.items():
        taken, times[kind][:] = values[:], []
        figures[kind] = statistics.median(taken) * 1000 if taken else None
    return figures


def run(server, seconds, browsers=200, interval=10, say=lambda sample: None):
    """Returns the samples, the counts and the failures of a run."""
    work = Load(server, browsers)
    begin = time.monotonic()
    threads = [
        work.repeat(0.1, work.change), work.repeat(0.5, work.read_page),
        work.repeat(20, work.import_items), work.repeat(10, work.migrate),
    ]
    samples = []
    try:
        for turn in range(int(seconds)):
            work.listen(begin + turn + 1)
            work.reconnect(turn)
            if (turn + 1) % interval == 0:
                samples.append(sample(server.process.pid, work.times, time.monotonic() - begin))
                say(samples[-1])
    finally:
        work.done.set()
        for thread in threads:
            thread.join()
    for stream in [*work.streams, *work.visits]:
        work.failures += stream.faults
        stream.close()
    return samples, work.counts, work.failures


def drift(samples, figure):
    """The change of a figure over a part of the run, and its noise: twice the standard deviation around the change.

    The part is the last period of a run of two and more, compared with the one before, and the end of a shorter run.
    """
    if samples[-1]["seconds"] - samples[0]["seconds"] >= 2 * PERIOD:
        return drift_of_period(samples, figure)
    begin = samples[-1]["seconds"] * WARM_UP
    points = [(s["seconds"], s[figure]) for s in samples if s["seconds"] >= begin and s[figure] is not None]
    slope, start = statistics.linear_regression(*zip(*points))
    noise = 2 * statistics.pstdev(y - slope * x - start for x, y in points)
    return slope * (points[-1][0] - points[0][0]), noise


def drift_of_period(samples, figure):
    measured = [(s["seconds"], s[figure]) for s in samples if s[figure] is not None]
    last = [(x, y) for x, y in measured if x > measured[-1][0] - PERIOD]
    differences = [y - min(measured, key=lambda point: abs(point[0] - (x - PERIOD)))[1] for x, y in last]
    return statistics.mean(differences), 2 * statistics.pstdev(differences)


def rises(samples, figure):
    change, noise = drift(samples, figure)
    return change > noise


def plot(samples):
    """The figures over time as SVG."""
    width, height, left = 900, 90, 60
    end = samples[-1]["seconds"]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {len(FIGURES) * (height + 40) + 20}" font-size="12" '
        'font-family="system-ui, sans-serif" role="img" aria-label="The figures of the long run over time">',
        "<style>text { fill: #333 } .axis { stroke: #8888 } polyline { fill: none; stroke: #2f7de1; stroke-width: 1.2 }",
        "@media (prefers-color-scheme: dark) { text { fill: #ddd } }</style>",
    ]
    for row, (figure, title) in enumerate(FIGURES.items()):
        top = row * (height + 40) + 30
        points = [(s["seconds"], s[figure]) for s in samples if s[figure] is not None]
        most = max(y for _, y in points) * 1.1 or 1
        line = " ".join(
            f"{left + (width - left - 10) * x / end:.1f},{top + height * (1 - y / most):.1f}" for x, y in points
        )
        change, noise = drift(samples, figure)
        parts += [
            f'<text x="{left}" y="{top - 8}">{escape(title)} (drift {change:+.2f}, noise {noise:.2f})</text>',
            f'<text x="{left - 6}" y="{top + 10}" text-anchor="end">{most:.0f}</text>',
            f'<text x="{left - 6}" y="{top + height}" text-anchor="end">0</text>',
            f'<line class="axis" x1="{left}" x2="{width - 10}" y1="{top + height}" y2="{top + height}"/>',
            f'<polyline points="{line}"/>',
        ]
    bottom = len(FIGURES) * (height + 40) + 12
    parts += [
        f'<text x="{left}" y="{bottom}">0</text>',
        f'<text x="{width - 10}" y="{bottom}" text-anchor="end">{end / 60:.0f} minutes</text>', "</svg>",
    ]
    return "\n".join(parts) + "\n"


def main(seconds, picture):
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder) / "Data", samples=True).start()
        try:
            samples, counts, failures = run(server, seconds, say=lambda one: print(json.dumps(one), flush=True))
        finally:
            server.stop()
    Path(picture).write_text(plot(samples))
    print(", ".join(f"{count:,} {name}" for name, count in counts.items()))
    for figure, title in FIGURES.items():
        change, noise = drift(samples, figure)
        end = ", RISES" if rises(samples, figure) else ""
        print(f"{title}: {samples[-1][figure]:.1f}, drift {change:+.2f}, noise {noise:.2f}{end}")
    for failure in failures[:20]:
        print(failure)
    sys.exit(1 if failures or any(rises(samples, figure) for figure in FIGURES) else 0)


if __name__ == "__main__":
    main(int(sys.argv[1]), Path(__file__).parents[2] / "Documentation" / "images" / "long-run.svg")
