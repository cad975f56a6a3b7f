"""Use without a mouse: keyboard, touch, screen readers and languages."""

from selenium.webdriver.common.keys import Keys

from conftest import make_driver
from screens import Browser, add_task


def test_a_task_is_added_edited_and_deleted_with_the_keyboard_alone(browser):
    browser.open("/").shows("ManagedGraph")
    browser.keys(Keys.TAB)
    assert browser.focus == "Skip to content"
    browser.tab_to("Tasks").keys(Keys.RETURN)
    browser.shows("Tasks").tab_to("New Task").keys(Keys.RETURN)
    browser.shows("Task Detail").tab_to("Text").keys(Keys.RETURN)
    browser.shows("Text").keys("By keyboard", Keys.RETURN)
    browser.shows("Task Detail").has_value("Text", "By keyboard").tab_to("Priority").keys(Keys.RETURN)
    browser.shows("Priority").tab_to("Medium").keys(Keys.SPACE)
    browser.shows("Task Detail").has_value("Priority", "Medium").tab_to("High-Priority Tasks").keys(Keys.RETURN)
    browser.expect_alert("High-Priority Tasks").dismiss(Keys.ESCAPE)
    assert browser.focus == "High-Priority Tasks"
    browser.keys(Keys.ARROW_DOWN)
    assert browser.focus == "Tasks Due Sooner"
    browser.open("/Tasks").shows("Tasks").tab_to("By keyboard").keys(Keys.DELETE)
    assert browser.focus == "Delete By keyboard"
    browser.keys(Keys.ESCAPE)
    assert browser.focus == "By keyboard"
    browser.keys(Keys.DELETE, Keys.RETURN).has_rows([])


def test_edit_mode_is_reached_with_the_keyboard(browser):
    add_task(browser, "Task")
    browser.tab_to("Edit").keys(Keys.SPACE)
    assert browser.focus == "Done"
    browser.tab_to("Delete Task").keys(Keys.SPACE)
    assert browser.focus == "Delete Task"
    browser.keys(Keys.SPACE).has_rows([])


def test_delete_buttons_are_out_of_reach_until_they_are_asked_for(browser):
    add_task(browser, "Task")
    names = []
    for _ in range(12):
        browser.keys(Keys.TAB)
        names.append(browser.focus)
    assert "Delete Task" not in names


def test_a_finger_swipes(browser):
    add_task(browser, "Task")
    browser.touch_swipe("Task").press_delete("Task").has_rows([])
    add_task(browser, "Another")
    browser.touch_swipe("Another", -300).has_rows([])


def test_a_swipe_back_hides_the_button_and_opens_nothing(browser):
    add_task(browser, "Task")
    browser.swipe("Task")
    button = browser.row("Task").find_element("css selector", ".delete")
    assert button.is_displayed()
    browser.swipe("Task", 130)
    browser.until("no button", lambda: not button.is_displayed())
    assert browser.title == "Tasks"


def test_controls_have_names_and_the_focus_is_visible(browser):
    add_task(browser, "Task", location="Office")
    for path in ["/", "/TaskList", "/TaskList/new", "/Tasks", "/Tasks/locations"]:
        browser.open(path)
        assert browser.unnamed == [], path
        assert browser.driver.execute_script("return document.documentElement.lang").startswith("en")
        assert len(browser.all("h1")) == 1 and len(browser.all("main")) == 1
    browser.open("/Tasks").shows("Tasks").tab_to("Task")
    outline = browser.driver.execute_script("return getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"


def test_dates_are_in_the_readers_language(server):
    driver = make_driver("de-DE")
    try:
        browser = Browser(driver, server)
        add_task(browser, "Aufgabe", day="2031-03-09")
        browser.tap("Aufgabe").shows("Task Detail").has_value("Due Date", "9. März 2031")
    finally:
        driver.quit()


def test_nothing_scrolls_sideways_or_overlaps(browser):
    long = "A very long name that goes on and on " * 6
    add_task(browser, long.strip(), location="W" * 300)
    for width in [320, 390, 1280]:
        browser.size(width, 844)
        for path in ["/", "/TaskList", "/TaskList/new", "/Tasks", "/Tasks/locations"]:
            browser.open(path)
            assert browser.overflow <= 0, (path, width)


def test_works_without_scripts(server):
    """Forms, deletion and alerts with plain requests, as sent by a browser without scripts."""
    import re

    import requests_plain as plain

    page = plain.get(server, "/Tasks")
    assert page.status == 200
    answer = plain.post(server, "/Tasks", {"action": "insert"})
    assert answer.status == 303
    detail = answer.headers["location"]
    assert "Not Set" in plain.get(server, detail).text
    answer = plain.post(server, detail + "/text", {"action": "save", "value": "Plain"})
    assert (answer.status, answer.headers["location"]) == (303, detail)
    answer = plain.post(server, detail + "/due-date", {"action": "save", "value": "2001-01-01"})
    assert answer.status == 422
    assert "Due date must be today or later" in answer.text and 'value="2001-01-01"' in answer.text
    assert "<dialog open" in answer.text
    reference = re.search(r"Task-p\d+", detail).group(0)
    assert plain.post(server, "/Tasks", {"action": "delete", "value": reference}).status == 303
    assert plain.get(server, detail).status == 404
