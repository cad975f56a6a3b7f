"""Section 1: Task List."""

import re
import sqlite3
from datetime import datetime

from selenium.webdriver.common.keys import Keys


def enter(browser, text):
    browser.add().shows("New Task")
    browser.fill(text, "taskText").send_keys(Keys.RETURN)
    browser.shows("Task List")


def test_a_task_is_entered_on_a_modal_screen_and_return_saves_and_closes(browser):
    browser.open("/TaskList").shows("Task List")
    assert browser.find("#empty").is_displayed()
    browser.add().shows("New Task")
    assert browser.find("label").text == "Task:"
    assert "modal" in browser.find("body").get_attribute("class")
    assert browser.driver.execute_script("return document.activeElement.name") == "taskText"
    browser.fill("Write the plan", "taskText").send_keys(Keys.RETURN)
    browser.shows("Task List").has_rows(["Write the plan"])
    assert not browser.find("#empty").is_displayed()


def test_the_list_is_newest_first_with_the_time_beneath(browser):
    browser.open("/TaskList").shows("Task List")
    for text in ["first", "second", "third"]:
        enter(browser, text)
    browser.has_rows(["third", "second", "first"])
    time = browser.find("li.row .row-subtitle time")
    moment = datetime.fromisoformat(time.get_attribute("datetime").replace("Z", "+00:00"))
    assert abs(moment.timestamp() - datetime.now().timestamp()) < 60
    assert re.match(r"[A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d{2}:\d{2}", time.text), time.text


def test_cancel_leaves_nothing_behind(browser):
    browser.open("/TaskList").shows("Task List").add().shows("New Task")
    browser.fill("not this", "taskText")
    browser.back().shows("Task List").has_rows([])


def test_an_empty_task_is_an_alert_and_the_screen_stays(browser):
    browser.open("/TaskList/new").shows("New Task")
    browser.fill("   ", "taskText").send_keys(Keys.RETURN)
    browser.expect_alert("Not Saved", "Enter what there is to do.").dismiss(Keys.ESCAPE)
    assert browser.title == "New Task"


def test_tasks_are_deleted_by_swipe_and_in_edit_mode_and_stay_deleted_after_a_restart(browser, server):
    browser.open("/TaskList").shows("Task List")
    for text in ["one", "two", "three"]:
        enter(browser, text)
    browser.swipe("two").press_delete("two").has_rows(["three", "one"])
    browser.find("#edit").click()
    browser.find("#edit[aria-pressed=true]")
    browser.row("three").find_element("css selector", ".minus").click()
    browser.press_delete("three").has_rows(["one"])
    server.restart()
    browser.open("/TaskList").shows("Task List").has_rows(["one"])


def test_another_browser_sees_tasks_come_and_go_without_reloading(browser, other):
    other.open("/TaskList").shows("Task List").mark()
    browser.open("/TaskList").shows("Task List")
    enter(browser, "seen by both")
    other.has_rows(["seen by both"])
    browser.swipe("seen by both").press_delete("seen by both")
    other.has_rows([])
    assert other.find("#empty").is_displayed()
    assert other.is_unreloaded


def test_a_version_1_store_is_refused_with_134100_and_left_as_it_was(browser, server):
    server.stop()
    store = server.store("TaskList")
    # A store of another model: the entity hashes in its metadata are not ours.
    connection = sqlite3.connect(store)
    import plistlib

    (blob,) = connection.execute("SELECT Z_PLIST FROM Z_METADATA").fetchone()
    metadata = plistlib.loads(blob)
    metadata["NSStoreModelVersionHashes"] = {"Event": b"\x00" * 32}
    with connection:
        connection.execute("UPDATE Z_METADATA SET Z_PLIST = ?", (plistlib.dumps(metadata, fmt=plistlib.FMT_BINARY),))
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    before = store.read_bytes()
    server.start()
    browser.open("/").shows("ManagedGraph")
    assert "Task List Cannot Open" in browser.find("main").text
    browser.open("/TaskList").shows("Task List Cannot Open")
    text = browser.find("main").text
    assert "The model used to open the store is incompatible with the one used to create the store" in text
    assert "134100" in text
    browser.open("/Tasks").shows("Tasks")
    server.stop()
    assert store.read_bytes() == before
