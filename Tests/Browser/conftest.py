"""The server and browsers of the browser tests.

EXAMPLES_BINARY is the path of the server (set by Scripts/browser-tests.sh).
Each test starts its own server with an empty data folder; all tests share the two browsers.
"""

import os
import re
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import time
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from screens import Browser


class Server:
    """The sample applications' server, started and stopped as a user would."""

    def __init__(self, data, samples=False):
        self.data = Path(data)
        self.samples = samples
        self.port = 0
        self.process = None
        self.lines = []

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self, *arguments):
        binary = os.environ["EXAMPLES_BINARY"]
        samples = "--samples" if self.samples else "--no-samples"
        self.process = subprocess.Popen(
            [binary, "--port", str(self.port), "--data", str(self.data), samples, *arguments],
            stdout=subprocess.PIPE,
            stderr=open(self.data.parent / "server.log", "ab"),
            text=True,
        )
        line = self.process.stdout.readline()
        match = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        assert match, f"the server prints its address, not: {line!r}\n{self.log()}"
        self.port = int(match.group(1))
        return self

    def log(self):
        path = self.data.parent / "server.log"
        return path.read_text() if path.exists() else ""

    def stop(self, sign=signal.SIGTERM, timeout=10):
        """Sends a signal and waits; returns the exit status and the remaining output."""
        if self.process is None:
            return None
        self.process.send_signal(sign)
        output, _ = self.process.communicate(timeout=timeout)
        status = self.process.returncode
        self.process = None
        return status, output

    def kill(self):
        self.stop(signal.SIGKILL)

    def restart(self, *arguments):
        self.stop()
        return self.start(*arguments)

    def store(self, application="Tasks"):
        return self.data / application / f"{application}.sqlite"

    def begin_with(self, application, name):
        """Starts again with a store of the folder `stores` in place of the application's."""
        self.stop()
        store = self.store(application)
        for leftover in store.parent.iterdir():
            leftover.unlink()
        shutil.copy(Path(__file__).parent / "stores" / name, store)
        return self.start()

    def edit_store(self, sql, *values):
        """Changes the store outside of the application; only while the server is stopped."""
        assert self.process is None
        connection = sqlite3.connect(self.store())
        with connection:
            connection.execute(sql, values)
        connection.close()


@pytest.fixture
def folder():
    path = Path(tempfile.mkdtemp(prefix="managedgraph-browser-"))
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture
def server(folder):
    server = Server(folder / "Data").start()
    yield server
    if server.process is not None:
        if server.process.poll() is not None:
            raise AssertionError(f"the server ended by itself with {server.process.returncode}\n{server.log()}")
        try:
            server.stop()
        except subprocess.TimeoutExpired:
            server.process.kill()
            raise


def make_driver(language="en-US", width=390, height=844):
    options = Options()
    # The headless shell is the same engine without a window system: it needs less of the processor. It speaks
    # English alone. The command of its name is a script, which would leave the browser running at the end.
    shell = "/usr/lib/chromium/chromium-headless-shell"
    usual = shell if language == "en-US" and os.path.exists(shell) else "/usr/bin/chromium"
    options.binary_location = os.environ.get("CHROMIUM", usual)
    for argument in [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--force-prefers-reduced-motion",
        "--hide-scrollbars",
        f"--lang={language}",
        f"--window-size={width},{height}",
    ]:
        options.add_argument(argument)
    options.add_experimental_option("prefs", {"intl.accept_languages": language})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = Service(os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver"))
    return webdriver.Chrome(options=options, service=service)


@pytest.fixture(scope="session")
def first_driver():
    driver = make_driver()
    yield driver
    driver.quit()


@pytest.fixture(scope="session")
def second_driver():
    driver = make_driver()
    yield driver
    driver.quit()


def prepared(driver, server):
    browser = Browser(driver, server)
    browser.size(390, 844)
    return browser


@pytest.fixture
def browser(first_driver, server):
    yield prepared(first_driver, server)
    first_driver.get("about:blank")
    errors = [entry for entry in first_driver.get_log("browser") if is_fault(entry)]
    assert not errors, f"the browser's console has errors: {errors}"


@pytest.fixture
def other(second_driver, server):
    yield prepared(second_driver, server)
    second_driver.get("about:blank")


def is_fault(entry):
    """Script errors and blocked content, but not responses such as 404 and 422, which tests provoke."""
    return entry["level"] == "SEVERE" and "Failed to load resource" not in entry["message"]


def soon(check, timeout=10.0):
    """Waits until `check` returns a true value, and returns it."""
    end = time.monotonic() + timeout
    while True:
        result = check()
        if result or time.monotonic() > end:
            return result
        time.sleep(0.03)
