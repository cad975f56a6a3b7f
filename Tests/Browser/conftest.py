"""The server and browsers of the browser tests.

EXAMPLES_BINARY is the path of the applications' server, STUDIO_BINARY that of the studio (set by Scripts/test.py).
Each test starts its own server with a copy of the empty stores that a first server made; all tests share the two browsers. With EXAMPLES_STORE=postgresql
the stores are in a PostgreSQL server that the tests start, in a database for each test.
"""

import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

from elements import Element
from screens import Browser

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "Scripts"))
import cluster  # noqa: E402


def printed(process, pattern, log):
    """The match of the first line that a program prints; ends the program if it prints another one."""
    line = process.stdout.readline()
    match = re.search(pattern, line)
    if not match:
        process.kill()
        process.communicate()
        raise AssertionError(f"the program prints its address, not: {line!r}\n{log()}")
    return match


class Server:
    """The sample applications' server, started and stopped as a user would."""

    def __init__(self, data, samples=False, store=None, environment=None):
        """`store` is the address of a database in place of files."""
        self.data = Path(data)
        self.database = store
        self.environment = environment
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
            [binary, "--port", str(self.port), "--data", str(self.data), samples,
             *(["--store", self.database] if self.database else []), *arguments],
            stdout=subprocess.PIPE,
            stderr=open(self.data.parent / "server.log", "ab"),
            text=True,
            env={**os.environ, **(self.environment or {})},
        )
        match = printed(self.process, r"http://127\.0\.0\.1:(\d+)/", self.log)
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
        if self.database:
            pytest.skip("the test opens a SQLite file")
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


class Studio:
    """managedgraph-studio for some files, started and stopped as a user would."""

    def __init__(self, files, folder, environment=None):
        self.environment = environment
        self.files = [str(file) for file in files]
        self.folder = Path(folder)
        self.port = 0
        self.key = ""
        self.process = None

    @property
    def address(self):
        return f"http://127.0.0.1:{self.port}"

    def start(self, *arguments):
        self.process = subprocess.Popen(
            [os.environ["STUDIO_BINARY"], "--port", str(self.port), *arguments, *self.files],
            stdout=subprocess.PIPE, stderr=open(self.folder / "studio.log", "ab"), text=True,
            env={**os.environ, **(self.environment or {})},
        )
        match = printed(self.process, r"http://127\.0\.0\.1:(\d+)/studio\?key=(\w+)", self.log)
        self.port, self.key = int(match.group(1)), match.group(2)
        return self

    def log(self):
        return (self.folder / "studio.log").read_text()

    def stop(self, timeout=10):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        status, self.process = self.process.returncode, None
        return status


@pytest.fixture
def studio(folder):
    """Starts the studio on files: `studio(file, …, write=False)`; ends it with the test."""
    started = []

    def start(*files, write=False, environment=None):
        started.append(Studio(files, folder, environment).start(*(["--write"] if write else [])))
        return started[-1]

    yield start
    for each in started:
        if each.process is None:
            continue
        if each.process.poll() is not None:
            raise AssertionError(f"the studio ended by itself with {each.process.returncode}\n{each.log()}")
        assert each.stop() == 0, each.log()


@pytest.fixture
def desk(first_driver):
    """Opens addresses of a studio at the size of a desktop: `desk(studio, "/studio/shop/model")` returns the driver."""

    def open_studio(studio, path="/studio", width=1280, height=800):
        forget(first_driver)
        first_driver.set_window_size(width, height)
        separator = "&" if "?" in path else "?"
        first_driver.get(f"{studio.address}{path}{separator}key={studio.key}")
        return first_driver

    yield open_studio
    first_driver.get("about:blank")
    errors = [entry for entry in first_driver.get_log("browser") if is_fault(entry)]
    assert not errors, f"the browser's console has errors: {errors}"


@pytest.fixture
def folder():
    path = Path(tempfile.mkdtemp(prefix="managedgraph-browser-"))
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture(scope="session")
def postgresql():
    """A PostgreSQL server of the tests, whose databases need a password."""
    place = Path(tempfile.mkdtemp(prefix="managedgraph-pg-"))
    place.chmod(0o755)
    running = cluster.Server(place / "server", is_durable=False)
    try:
        yield running.start()
    finally:
        running.stop(signal.SIGQUIT)
        shutil.rmtree(place, ignore_errors=True)


class Database:
    """An empty database, and the environment in which its password is known."""

    made = 0

    def __init__(self, postgresql, template="template0"):
        Database.made += 1
        self.server, self.name = postgresql, f"d{os.getpid()}_{Database.made}"
        postgresql.make_database(self.name, template)
        self.address = postgresql.address(self.name)
        self.environment = {"PGPASSFILE": str(postgresql.pass_file)}

    def query(self, sql):
        return self.server.query(sql, self.name)


@pytest.fixture
def database(postgresql):
    return Database(postgresql)


@pytest.fixture(scope="session")
def applications_template(postgresql):
    """The name of a database with the empty stores of the applications, which copies have at once."""
    made = Database(postgresql)
    with tempfile.TemporaryDirectory() as place:
        server = Server(Path(place) / "Data", store=made.address, environment=made.environment).start()
        assert server.stop()[0] == 0, server.log()
    return made.name


@pytest.fixture
def applications_database(postgresql, applications_template):
    return Database(postgresql, applications_template)


@pytest.fixture(scope="session")
def empty_stores():
    """A folder with the empty stores of the applications: a server starts with a copy in two thirds of the time."""
    with tempfile.TemporaryDirectory(prefix="managedgraph-browser-") as place:
        server = Server(Path(place) / "Data").start()
        assert server.stop()[0] == 0, server.log()
        yield server.data


@pytest.fixture
def server(folder, request):
    if os.environ.get("EXAMPLES_STORE") == "postgresql":
        place = request.getfixturevalue("applications_database")
        server = Server(folder / "Data", store=place.address, environment=place.environment).start()
    else:
        shutil.copytree(request.getfixturevalue("empty_stores"), folder / "Data")
        server = Server(folder / "Data").start()
    yield server
    if server.process is not None:
        if server.process.poll() is not None:
            raise AssertionError(f"the server ended by itself with {server.process.returncode}\n{server.log()}")
        try:
            status, _ = server.stop()
        except subprocess.TimeoutExpired:
            server.process.kill()
            raise
        assert status == 0, f"the server ended with {status}\n{server.log()}"


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
        # One process shows all pages: each test's address would begin a new one.
        "--renderer-process-limit=1",
        "--force-prefers-reduced-motion",
        "--hide-scrollbars",
        f"--lang={language}",
        f"--window-size={width},{height}",
    ]:
        options.add_argument(argument)
    options.add_experimental_option("prefs", {"intl.accept_languages": language})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = Service(os.environ.get("CHROMEDRIVER", "/usr/bin/chromedriver"))
    driver = webdriver.Chrome(options=options, service=service)
    driver._web_element_cls = Element
    return driver


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


def forget(driver):
    """Undoes the settings that another test left in the browser."""
    driver.execute_cdp_cmd("Network.clearBrowserCookies", {})
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def prepared(driver, server):
    forget(driver)
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
    pause = 0.03
    while True:
        result = check()
        if result or time.monotonic() > end:
            return result
        # Looks less often the longer it takes, at most once in fifty times of the limit.
        time.sleep(pause)
        pause = min(pause * 1.5, max(0.2, timeout / 50))
