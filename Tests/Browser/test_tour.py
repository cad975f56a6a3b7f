"""The home page as a tour, the sample data, and the page "Try to Break It"."""

import re
import signal
import sqlite3
import subprocess
from pathlib import Path

import pytest
import requests_plain as plain
from conftest import Server, prepared, soon
from groceries import press
from selenium.webdriver.common.keys import Keys

COUNTS = {
    "TaskList": {"ZTASK": 5}, "Tasks": {"ZTASK": 9, "ZLOCATION": 4}, "CoreDump": {"ZPROJECT": 4, "ZBUG": 7},
    "FlashCards": {"ZGAMERESULT": 2, "ZCARDRESULT": 20}, "GroceryDude": {"ZITEM": 40},
}
REPORT = "[...document.querySelectorAll(`#${a[0]} .report li`)].map((line) => [line.className, line.innerText])"


@pytest.fixture
def filled(folder):
    """A server that begins with the sample data."""
    server = Server(folder / "Filled", samples=True).start()
    yield server
    if server.process is not None:
        server.stop()


def count(server, application, table):
    """The rows of a table, read beside the running server."""
    with sqlite3.connect(f"file:{server.store(application)}?mode=ro", uri=True) as connection:
        return connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]


def counts(server):
    return {name: {table: count(server, name, table) for table in tables} for name, tables in COUNTS.items()}


EMPTY = {name: {table: 0 for table in tables} for name, tables in COUNTS.items()}


# Sample data

def test_each_application_begins_with_a_small_world(filled, first_driver):
    assert counts(filled) == COUNTS
    browser = prepared(first_driver, filled)
    browser.open("/Tasks").shows("Tasks")
    assert len(browser.texts) == 9 and browser.red == ["Return the library books"]
    browser.open("/FlashCards/history").shows("History")
    assert len(browser.texts) == 2
    assert [line.text for line in browser.all(".row-subtitle")] == ["1:11, 90%", "1:34, 80%"]
    browser.open("/GroceryDude/shop").shows("Shop")
    assert [title for title, _ in browser.sections][:3] == ["1 Fruit and Vegetables", "2 Bakery", "3 Dairy"]
    assert browser.checked == ["Apples", "Bananas", "Lettuce", "Eggs"]


def test_a_sample_bug_has_a_screenshot_in_a_file_beside_the_store(filled, first_driver):
    browser = prepared(first_driver, filled)
    browser.open("/CoreDump").shows("Projects").tap("Trail Maps").shows("Trail Maps")
    browser.tap("A row is missing after a restart").shows("Bug")
    size = "((image) => image?.complete && image.naturalWidth && [image.naturalWidth, image.naturalHeight])"
    assert browser.wait("the picture", f"{size}(document.querySelector('.picture-frame img'))") == [390, 640]
    files = list((filled.data / "CoreDump" / ".CoreDump_SUPPORT" / "_EXTERNAL_DATA").iterdir())
    assert len(files) == 1 and files[0].read_bytes().startswith(b"\x89PNG")


def test_only_a_new_store_is_filled(filled):
    assert plain.post(filled, "/", {"action": "empty", "confirmed": "yes"}).status == 303
    filled.restart()
    assert counts(filled) == EMPTY


def test_without_samples_everything_is_empty(server):
    assert counts(server) == EMPTY


def test_the_menu_empties_and_starts_over_in_every_window(filled, first_driver, second_driver):
    browser, other = prepared(first_driver, filled), prepared(second_driver, filled)
    other.open("/Tasks").shows("Tasks").mark()
    choose(browser, filled, "Empty", "Empty everything?")
    assert browser.find("[role=status].notice").text == "All applications are empty."
    other.has_rows([])
    assert counts(filled) == EMPTY
    choose(browser, filled, "Start Over", "Start over?")
    other.wait("the tasks", "document.querySelectorAll('li.row').length === 9")
    assert other.is_unreloaded and other.red == ["Return the library books"]
    assert counts(filled) == COUNTS
    files = list((filled.data / "CoreDump" / ".CoreDump_SUPPORT" / "_EXTERNAL_DATA").iterdir())
    assert len(files) == 1


def choose(browser, server, title, question):
    browser.open("/").shows("ManagedGraph").tab_to("Menu", limit=5).keys(Keys.RETURN, Keys.TAB)
    if browser.focus != title:
        browser.keys(Keys.TAB)
    assert browser.focus == title
    browser.keys(Keys.RETURN)
    assert browser.until("the question", lambda: browser.alert)["title"] == question
    press(browser, "dialog.alert button.destructive")
    browser.wait("the note", "document.querySelector('.tour-lead .notice')")


def test_without_scripts_the_menu_s_entries_ask_first(server):
    plain.add_task(server, "Task")
    asked = plain.post(server, "/", {"action": "empty"})
    assert asked.status == 200 and "Empty everything?" in asked.text and count(server, "Tasks", "ZTASK") == 1
    assert plain.post(server, "/", {"action": "empty", "confirmed": "yes"}).headers["location"] == "/?done=empty"
    assert count(server, "Tasks", "ZTASK") == 0
    refused = plain.post(server, "/", {"action": "empty", "confirmed": "yes"}, {"Origin": "http://evil.example"})
    assert refused.status == 403


# The tour

def test_the_home_page_describes_the_framework_and_each_application(browser):
    browser.open("/").shows("ManagedGraph")
    assert browser.find(".tour-words").text.startswith("Core Data on Linux")
    proves = [text.text for text in browser.all(".app-proves")]
    assert len(proves) == 5
    for part, text in zip(["live", "Validation", "Large pictures", "version 1", "child contexts"], proves):
        assert part in text
    for title, first in [("Task List", "Task List"), ("Tasks", "Tasks"), ("CoreDump", "Projects"),
                         ("FlashCards", "FlashCards"), ("Grocery Dude", "Prepare")]:
        browser.open("/").shows("ManagedGraph").tap(title).shows(first)


def test_each_model_is_drawn_with_its_properties_and_crow_s_feet(browser):
    browser.size(1280, 900)
    browser.open("/").shows("ManagedGraph")
    drawn = browser.driver.execute_script(
        "return [...document.querySelectorAll('svg.model')].map((svg) => ({label: svg.getAttribute('aria-label'),"
        " names: [...svg.querySelectorAll('.m-name')].map((text) => text.textContent),"
        " attributes: [...svg.querySelectorAll('.m-attribute')].map((text) => text.textContent),"
        " lines: [...svg.querySelectorAll('.m-line:not(.m-inherits)')].map((line) => line.getAttribute('d')),"
        " parents: svg.querySelectorAll('.m-inherits').length,"
        " fits: svg.getBoundingClientRect().right <= svg.parentElement.getBoundingClientRect().right}))"
    )
    assert [sorted(one["names"]) for one in drawn] == [
        ["Task"], ["Location", "Task"], ["Bug", "Project"], ["CardResult", "GameResult"],
        ["Item", "Location", "LocationAtHome", "LocationAtShop", "Unit"],
    ]
    assert [len(one["lines"]) for one in drawn] == [0, 1, 1, 1, 3] and [one["parents"] for one in drawn] == [0, 0, 0, 0, 2]
    assert {"dueDate", "isOverdue", "priority", "text", "name"} == set(drawn[1]["attributes"])
    assert "Task (dueDate, isOverdue, priority, text, location, highPriTasks)" in drawn[1]["label"]
    # One end of each line has three toes, the other a bar.
    for line in drawn[1]["lines"] + drawn[4]["lines"]:
        assert len(re.findall(r"M[\d. -]+L[\d. -]+L", line)) == 1 and len(re.findall(r"v12", line)) == 1
    assert all(one["fits"] for one in drawn)


def test_an_application_opens_in_two_windows(browser):
    browser.size(1280, 900)
    browser.open("/").shows("ManagedGraph")
    first = browser.driver.current_window_handle
    browser.find("[aria-label='Open Tasks in two windows']").click()
    browser.shows("Tasks")
    second = browser.until("the second window", lambda: [
        handle for handle in browser.driver.window_handles if handle != first])[0]
    try:
        browser.driver.switch_to.window(second)
        browser.shows("Tasks")
        plain.add_task(browser.server, "Seen in both")
        browser.has_rows(["Seen in both"])
    finally:
        browser.driver.close()
        browser.driver.switch_to.window(first)
    browser.has_rows(["Seen in both"])


def test_nothing_of_the_tour_scrolls_sideways_and_controls_have_names(browser):
    for path in ["/", "/-break"]:
        for width in [320, 390, 899, 900, 1280, 1920]:
            browser.size(width, 900)
            browser.open(path)
            assert browser.driver.execute_script("return document.documentElement.scrollWidth") <= width, (path, width)
        unnamed = browser.driver.execute_script(
            "return [...document.querySelectorAll('a, button, summary, [tabindex=\"0\"]')].filter((control) =>"
            " !(control.getAttribute('aria-label') || control.textContent.trim())).map((control) => control.outerHTML)"
        )
        assert unnamed == []


# Try to break it

def run(browser, name):
    browser.open("/").shows("ManagedGraph").tap("Try to Break It").shows("Try to Break It")
    browser.find(f"#{name} .experiment-button").click()
    return browser.wait("the report", f"{REPORT}.length && {REPORT}", name)


def test_two_people_on_one_object_get_a_conflict_and_a_merge_value_by_value(browser, server):
    lines = run(browser, "two-people")
    assert lines[2][0] == "bad" and "133020" in lines[2][1]
    assert "read “Who wins?”, version 1" in lines[3][1] and "the store has “Who wins? Ana”" in lines[3][1], lines
    assert lines[5][0] == "good" and "“Who wins? Ben”" in lines[5][1] and "Medium, Ana’s" in lines[5][1]
    # Again, on the same task.
    assert run(browser, "two-people")[5][0] == "good"
    browser.open("/Tasks").shows("Tasks").has_rows(["Who wins? Ben"])


def test_two_people_s_form_opens_in_two_windows(browser):
    run(browser, "two-people")
    address = browser.find("#two-people [data-windows]").get_attribute("data-windows")
    browser.open(address).shows("Text")
    assert browser.find("input[name=value]").get_attribute("value") == "Who wins? Ben"


def test_a_store_of_another_version_gives_error_134100_and_is_migrated(browser, server):
    lines = run(browser, "other-version")
    words = "The model used to open the store is incompatible with the one used to create the store"
    assert lines[2] == ["bad", f"Error 134100: {words}"]
    assert any("only in the model: Task; only in the store: Event" in text for _, text in lines)
    assert any("entity Event with the version hash" in text for _, text in lines)
    good = [text for kind, text in lines if kind == "good"]
    assert len(good) == 1 and "The store has 3 tasks" in good[0]
    assert len([text for kind, text in lines if kind == "aside" and text.startswith("“Event” of 20")]) == 3
    # The application's own store is not touched.
    assert count(server, "TaskList", "ZTASK") == 0


def test_ten_thousand_items_are_imported_while_the_list_is_used(browser, server):
    browser.open("/-break").shows("Try to Break It")
    browser.find("#import .experiment-button").click()
    browser.shows("Prepare")
    browser.wait("the import", "Number(document.querySelector('#job progress')?.value) > 0 && liveTable.total > 100")
    before = browser.driver.execute_script("return liveTable.total")
    browser.driver.execute_script("scrollTo(0, document.body.scrollHeight / 2)")
    browser.wait("more rows", "liveTable.total > a[0] && document.querySelectorAll('li.row').length > 20", before)
    assert plain.post(server, "/GroceryDude/-job", {"action": "cancel"}).status == 303


def test_a_second_import_is_refused_with_an_alert_and_its_button_stays_usable(browser, server):
    assert plain.post(server, "/GroceryDude/import", {"action": "save", "count": "100000"}).status == 303
    browser.open("/-break").shows("Try to Break It")
    button = browser.find("#import .experiment-button")
    button.click()
    assert "still running" in browser.until("the alert", lambda: browser.alert)["message"]
    browser.dismiss()
    browser.until("the button", button.is_enabled)
    assert plain.post(server, "/GroceryDude/-job", {"action": "cancel"}).status == 303


def test_a_server_killed_in_a_save_has_all_of_it_or_nothing_after_the_restart(browser, server):
    plain.add_task(server, "Cut off the dead branches")
    browser.open("/-break").shows("Try to Break It")
    browser.find("#kill .experiment-button").click()
    browser.wait("the wait", "document.querySelector('#kill .experiment-waiting')")
    server.process.wait(timeout=30)
    assert server.process.returncode == -signal.SIGKILL
    server.process = None
    server.start()
    lines = browser.wait("the report", f"{REPORT}.length && {REPORT}", "kill")
    assert [kind for kind, _ in lines] == ["step", "good", "good"], lines
    assert re.search(r"(0|3,000) of 3,000 tasks", lines[2][1])
    with sqlite3.connect(server.store()) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    # The experiment leaves nothing behind, and deletes no task of a reader.
    browser.open("/Tasks").shows("Tasks").has_rows(["Cut off the dead branches"])


def test_make_run_starts_a_killed_server_again_and_ends_with_it(folder):
    """The loop of Scripts/run.sh, without its build."""
    binary, out = folder / "server", folder / "out"
    binary.write_text(f'#!/bin/sh\necho "$*" >> {out}\n[ $(wc -l < {out}) -gt 1 ] && exit 3\nkill -9 $$\n')
    binary.chmod(0o755)
    assert supervised(folder, binary, "0") == 3
    assert out.read_text().splitlines() == ["--port 8080 --data /tmp/x --no-samples"] * 2
    out.unlink()
    binary.write_text(f'#!/bin/sh\ntrap "echo ended >> {out}; exit 0" TERM\necho "$*" >> {out}\nwhile :; do sleep 0.02; done\n')
    # A test that runs in the background has inherited that Ctrl-C is ignored.
    default = lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
    process = subprocess.Popen([str(supervisor(folder, binary)), "8080", "/tmp/x"], preexec_fn=default)
    assert soon(out.exists)
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=10) == 0
    assert out.read_text().splitlines() == ["--port 8080 --data /tmp/x --samples", "ended"]


def supervisor(folder, binary):
    script = (Path(__file__).parents[2] / "Scripts" / "run.sh").read_text()
    script = re.sub(r"(?m)^(cd|Scripts/|mkdir).*$", "", script).replace(".build-all/debug/Examples", str(binary))
    path = folder / "run.sh"
    path.write_text(script)
    path.chmod(0o755)
    return path


def supervised(folder, binary, samples):
    return subprocess.run([str(supervisor(folder, binary)), "8080", "/tmp/x", samples], timeout=20).returncode
