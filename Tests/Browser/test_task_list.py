"""Section 1: Task List."""

import re
import shutil
import sqlite3
from datetime import datetime
from pathlib import Path

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
    browser.discard().shows("Task List").has_rows([])


def test_an_empty_task_is_an_alert_and_the_screen_stays(browser):
    browser.open("/TaskList/new").shows("New Task")
    browser.fill("   ", "taskText").send_keys(Keys.RETURN)
    browser.expect_alert("Not Saved", "Enter a task.").dismiss(Keys.ESCAPE)
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


def put_version_1_store(server):
    """Installs a store written by the first version of the model: two events."""
    server.stop()
    store = server.store("TaskList")
    for leftover in store.parent.iterdir():
        leftover.unlink()
    shutil.copy(Path(__file__).parent / "stores" / "TaskList-1.sqlite", store)
    return store


def test_a_version_1_store_is_migrated_by_the_mapping_model_from_events_to_tasks(browser, server):
    store = put_version_1_store(server)
    server.start()
    browser.open("/TaskList").shows("Task List").has_rows(["Event", "Event"])
    enter(browser, "after the migration")
    browser.has_rows(["after the migration", "Event", "Event"])
    server.restart()
    browser.open("/TaskList").shows("Task List").has_rows(["after the migration", "Event", "Event"])
    server.stop()
    with sqlite3.connect(store) as connection:
        assert connection.execute("SELECT count(*) FROM ZTASK WHERE ZTIMESTAMP IS NOT NULL").fetchone() == (3,)
        assert not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'ZEVENT'").fetchall()


def test_without_migration_a_version_1_store_is_refused_with_134100_and_left_as_it_was(browser, server):
    store = put_version_1_store(server)
    before = store.read_bytes()
    server.start("--no-migration")
    browser.open("/").shows("ManagedGraph")
    assert "Task List Cannot Open" in browser.find("main").text
    browser.open("/TaskList").shows("Task List Cannot Open")
    text = browser.find("main").text
    assert "The model used to open the store is incompatible with the one used to create the store" in text
    assert "134100" in text
    assert "only in the model: Task; only in the store: Event" in text
    browser.open("/Tasks").shows("Tasks")
    server.stop()
    assert store.read_bytes() == before
