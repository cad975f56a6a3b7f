"""The studio around its sections: safety, the list of sources, the bar, the palette, widths, colours, damaged files."""

import http.client
import os
import re
import shutil
import socket
import subprocess
import time

import pytest
from studio_pages import CONTROL, DOWN, ENTER, ESCAPE, FIXTURES, all_of, ask, emulate, faults, overflow, press, until, until_text


def request(studio, path, method="GET", **headers):
    """A request from outside of any browser: status, headers, text."""
    connection = http.client.HTTPConnection("127.0.0.1", studio.port, timeout=10)
    connection.request(method, path, headers=headers)
    response = connection.getresponse()
    result = response.status, dict(response.getheaders()), response.read().decode()
    connection.close()
    return result


@pytest.fixture
def files(folder):
    """A store with a history, one without, a model, and a damaged store."""
    for name in ("Album.sqlite", "Harbour1.sqlite"):
        shutil.copy(FIXTURES / name, folder / name)
    shutil.copytree(FIXTURES / "Harbour.xcdatamodeld", folder / "Harbour.xcdatamodeld")
    damaged = (FIXTURES / "Album.sqlite").read_bytes()
    (folder / "Damaged.sqlite").write_bytes(damaged[:4096] + b"\x17" * (len(damaged) - 4096))
    return [folder / name for name in ("Album.sqlite", "Harbour1.sqlite", "Harbour.xcdatamodeld", "Damaged.sqlite")]


# Safety


def test_no_page_is_shown_without_the_key(studio, files):
    running = studio(*files)
    for path in ("/studio", "/studio/album-sqlite/history", "/studio?key=0", f"/studio?key={running.key[:-1]}", "/studio?key="):
        status, _, text = request(running, path)
        assert status == 403 and "Open the address that the studio printed" in text and "Album" not in text
    status, _, text = request(running, "/studio/api/album-sqlite/history/transactions")
    assert status == 403 and '"remedy":"Open the address' in text
    status, _, _ = request(running, "/studio/api/album-sqlite/history/transactions", Cookie=f"studio-{running.port}={running.key}")
    assert status == 200


def test_the_address_with_the_key_admits_a_browser_and_disappears(studio, files, desk):
    running = studio(*files)
    driver = desk(running, "/studio/album-sqlite/history?entity=Photo")
    until_text(driver, "#section", "deleted")
    assert driver.current_url == f"{running.address}/studio/album-sqlite/history?entity=Photo"
    assert running.key not in driver.page_source
    cookie = driver.get_cookie(f"studio-{running.port}")
    assert cookie["httpOnly"] and cookie["sameSite"] == "Strict" and cookie["path"] == "/studio"
    driver.refresh()
    until_text(driver, "#section", "deleted")


def test_other_hosts_and_origins_are_refused(studio, files):
    running = studio(*files, write=True)
    cookie = {"Cookie": f"studio-{running.port}={running.key}"}
    status, _, text = request(running, f"/studio?key={running.key}", Host="evil.example")
    assert status == 403 and "answers only under" in text
    path = "/studio/api/album-sqlite/history/restore"
    for headers in ({"Origin": "http://evil.example"}, {"Sec-Fetch-Site": "cross-site"}, {"Origin": "http://127.0.0.1:1"}):
        status, _, text = request(running, path, "POST", **cookie, **headers)
        assert status == 403 and "nothing was changed" in text


def test_only_this_machine_reaches_it_by_default(studio, files):
    running = studio(*files)
    listening = [line.split()[1] for line in open("/proc/net/tcp") if line.split()[3] == "0A"]
    assert f"0100007F:{running.port:04X}" in listening and f"00000000:{running.port:04X}" not in listening
    with socket.socket(socket.AF_INET6) as other:
        assert other.connect_ex(("::1", running.port)) != 0


def test_other_interfaces_are_served_on_request_and_still_need_the_key(folder):
    store = shutil.copy(FIXTURES / "Album.sqlite", folder / "Album.sqlite")
    command = [os.environ["STUDIO_BINARY"], "--host", "0.0.0.0", "--port", "0", str(store)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        match = re.search(r":(\d+)/studio\?key=(\w+)", process.stdout.readline())
        port, key = int(match.group(1)), match.group(2)
        listening = [line.split()[1] for line in open("/proc/net/tcp") if line.split()[3] == "0A"]
        assert f"00000000:{port:04X}" in listening
        for cookie, status in ((f"studio-{port}={key}", 200), (f"studio-{port}=0", 403)):
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
            connection.request("GET", "/studio", headers={"Host": f"colleague.example:{port}", "Cookie": cookie})
            assert connection.getresponse().status == status
            connection.close()
    finally:
        process.terminate()
        assert process.wait(10) == 0


def test_pages_load_nothing_from_elsewhere_and_run_nothing_inline(studio, files):
    running = studio(*files)
    status, headers, text = request(running, "/studio", Cookie=f"studio-{running.port}={running.key}")
    policy = headers["Content-Security-Policy"]
    assert status == 200 and "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'self'" in policy
    assert not re.search(r"<script(?! type=\"application/json\"| type=\"module\" src)", text) and " style=" not in text


def test_names_are_shown_as_text(studio, folder, desk):
    name = "<img src=x onerror=document.title=1>.sqlite"
    shutil.copy(FIXTURES / "Album.sqlite", folder / name)
    driver = desk(studio(folder / name), "/studio")
    until_text(driver, ".card", name)
    assert not all_of(driver, "#section img")
    all_of(driver, ".card")[0].click()
    until_text(driver, ".bar-source .name", name)
    assert not all_of(driver, "#section img, .bar-source img") and driver.title.startswith(name)


# Files


def test_a_damaged_file_shows_its_error_and_the_others_work(studio, files, desk):
    driver = desk(studio(*files), "/studio/damaged-sqlite/history")
    until_text(driver, "#section .note.bad", "Damaged.sqlite")
    until(driver, "the menu", "return document.querySelector('.bar-source button')").click()
    until_text(driver, ".menu a", "Album.sqlite").click()
    until_text(driver, ".history-save", "Photo/p3")


def test_a_store_that_is_open_elsewhere_is_not_disturbed(studio, folder, desk):
    for name in ("HarbourLogged.sqlite", "HarbourLogged.sqlite-wal"):
        shutil.copy(FIXTURES / name, folder / name)
    shutil.copytree(FIXTURES / "Harbour.xcdatamodeld", folder / "Harbour.xcdatamodeld")
    before = {path.name: path.read_bytes() for path in folder.iterdir() if path.name.startswith("HarbourLogged")}
    running = studio(folder / "HarbourLogged.sqlite", folder / "Harbour.xcdatamodeld")
    driver = desk(running, "/studio/harbourlogged-sqlite/history")
    until(driver, "the lesson", "return document.querySelector('#history-empty')")
    status, about = ask(driver, "/studio/api/harbourlogged-sqlite/about")
    assert status == 200 and "Vessel" in about["entities"]
    status, _ = ask(driver, "/studio/api/harbourlogged-sqlite/migrate/plan", "POST", {"model": "harbour-xcdatamodeld"})
    assert status == 200
    after = {path.name: path.read_bytes() for path in folder.iterdir() if path.name.startswith("HarbourLogged")}
    assert after == before, "a file was written, or made"


def test_the_command_names_missing_files_and_asks_for_one(folder):
    binary = os.environ["STUDIO_BINARY"]
    for arguments, words in (([], "No file is given"), ([str(folder / "None.sqlite")], "There is no file")):
        ended = subprocess.run([binary, *arguments], capture_output=True, text=True, timeout=10)
        assert ended.returncode != 0 and words in ended.stderr


# The bar and the palette


def test_the_list_shows_every_source_with_its_kind(studio, files, desk):
    driver = desk(studio(*files), "/studio")
    until(driver, "four cards", "return document.querySelectorAll('.cards .card').length == 4")
    texts = [card.text for card in all_of(driver, ".cards .card")]
    assert "store, read-only" in texts[0] and "model" in texts[2] and str(files[0]) in texts[0]
    all_of(driver, ".card")[0].click()
    until(driver, "the tabs", "return document.querySelector('.tabs [aria-current]')")


def visit_migrate(driver):
    """Chooses the section Migrate in the palette, and goes back to History at once."""
    press(driver, CONTROL, "k")
    press(driver, "migrate")
    press(driver, ENTER)
    # A test that counts the requests leaves the section after it has asked for its content.
    until(
        driver, "the section",
        "return location.pathname == '/studio/album-sqlite/migrate' && (window.requests ?? 1) > 0",
    )
    driver.back()
    until_text(driver, ".history-save", "Photo/p3")


def test_the_palette_finds_sections_sources_and_commands(studio, files, desk):
    driver = desk(studio(*files), "/studio/album-sqlite/history")
    until_text(driver, ".history-save", "Photo/p3")
    press(driver, CONTROL, "k")
    until(driver, "the palette", "return document.querySelector('#palette').open")
    press(driver, "harb")
    until_text(driver, "#palette [aria-selected=true]", "Harbour1.sqlite")
    press(driver, DOWN)
    until_text(driver, "#palette [aria-selected=true]", "Harbour.xcdatamodeld")
    press(driver, ESCAPE)
    until(driver, "no palette", "return !document.querySelector('#palette').open")
    visit_migrate(driver)
    press(driver, CONTROL, "k")
    press(driver, "no such thing")
    until_text(driver, "#palette .nothing", "Nothing fits")
    press(driver, ESCAPE)


def test_a_section_that_answers_late_does_not_draw_over_the_next_one(studio, files, desk):
    driver = desk(studio(*files), "/studio/album-sqlite/history")
    until_text(driver, ".history-save", "Photo/p3")
    driver.execute_script(
        """
        const original = window.fetch;
        window.requests = window.answers = 0;
        window.fetch = async (url, options) => {
            if (!String(url).includes("/migrate/")) return original(url, options);
            const answer = original(url, options);
            window.requests += 1;
            try {
                return await answer;
            } finally {
                await new Promise((resolve) => setTimeout(resolve, 700));
                window.answers += 1;
            }
        };
        """
    )
    visit_migrate(driver)
    until(driver, "the late answer", "return window.answers > 0")
    time.sleep(0.3)
    text = driver.execute_script("return document.body.innerText")
    assert "Photo/p3" in text and "Rehearse on a copy" not in text


def test_the_keyboard_chooses_a_source(studio, files, desk):
    driver = desk(studio(*files), "/studio/album-sqlite/history")
    button = until(driver, "the menu", "return document.querySelector('.bar-source button')")
    driver.execute_script("arguments[0].focus()", button)
    press(driver, DOWN)
    press(driver, DOWN)
    press(driver, ENTER)
    until_text(driver, ".bar-source .name", "Harbour1.sqlite")
    press(driver, ESCAPE)


def test_unknown_addresses_say_where_to_go(studio, files, desk):
    running = studio(*files)
    for path, words in (("/studio/nothing", "No such source"), ("/studio/album-sqlite/nothing", "No such section")):
        driver = desk(running, path)
        until_text(driver, "main", words)


# Beauty


@pytest.mark.parametrize("width", [390, 900, 1280, 1920, 2560])
def test_nothing_is_wider_than_the_page(studio, files, desk, width):
    running = studio(*files)
    for path in ("/studio", "/studio/album-sqlite/history", "/studio/harbour1-sqlite/migrate", "/studio/harbour1-sqlite/history"):
        driver = desk(running, path, width, 844)
        until(driver, "the section", "return document.querySelector('#section').children.length")
        assert not overflow(driver), f"{path} at {width} px"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(studio, files, desk, scheme):
    running = studio(*files)
    found = []
    driver = desk(running, "/studio")
    emulate(driver, scheme)
    try:
        for path in ("/studio", "/studio/album-sqlite/history", "/studio/harbour1-sqlite/migrate", "/studio/harbour1-sqlite/history"):
            driver = desk(running, path)
            until(driver, "the section", "return document.querySelector('#section').children.length")
            if "history" in path and "album" in path:
                until_text(driver, ".history-save button", "Photo/p1").click()
                until(driver, "the moments", "return document.querySelectorAll('.history-moment').length")
            found += faults(driver)
    finally:
        emulate(driver, "light")
    assert not found, "\n".join(found)
