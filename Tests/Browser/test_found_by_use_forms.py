"""Open forms: they follow the saves of others, and what was entered is not dropped without a question."""

import requests_plain as plain
from core_dump import add_bug, add_project
from groceries import add_item, field, has_field, press, settled, type_in
from pictures import png
from screens import ALERT
from selenium.webdriver.common.keys import Keys

DISCARD = "Discard what you entered?"


def value(browser, name="value"):
    return browser.find(f"[name={name}]:not([type=hidden])").get_attribute("value")


def shows_value(browser, text, name="value"):
    browser.wait(f"{name}: {text}", "document.getElementById('field-' + a[0]).value === a[1]", name, text)


def asks_before_unload(browser):
    """Whether the page asks before it is reloaded or closed."""
    return browser.driver.execute_script(
        "const event = new Event('beforeunload', {cancelable: true}); dispatchEvent(event); return event.defaultPrevented"
    )


def answer(browser, words):
    browser.wait(f"the question {DISCARD}", ALERT + "?.title === a[0]", DISCARD)
    for button in browser.all("dialog.alert button"):
        if button.text == words:
            button.click()
            return browser
    raise AssertionError(words)


# Saves and deletions of others

def test_an_open_text_follows_the_save_of_another_window(browser, server):
    address = plain.add_task(server, "Bread")
    browser.open(address + "/text").shows("Text")
    assert plain.post(server, address + "/text", {"action": "save", "value": "Rye bread"}).status == 303
    shows_value(browser, "Rye bread")
    assert not asks_before_unload(browser)
    browser.save().shows("Task Detail").has_value("Text", "Rye bread")


def test_a_field_that_is_being_typed_in_stays_while_the_others_follow(browser, server):
    project = add_project(server, "Website", "http://one.example/")
    browser.open(project + "/edit").shows("Project").fill("My website", "name")
    assert plain.post(server, project + "/edit", {"action": "save", "name": "Site", "url": "http://two.example/"}).status == 303
    shows_value(browser, "http://two.example/", "url")
    assert value(browser, "name") == "My website"


def test_a_switch_a_long_text_and_a_picture_follow_too(browser, server):
    project = add_project(server)
    bug = add_bug(server, project, "Crash", "before")
    browser.open(bug).shows("Bug")
    from pictures import post

    fields = {"title": "Crash", "details": "after", "isClosed": "1"}
    assert post(server, bug, fields, {"screenshot": ("shot.png", png())}).status == 303
    shows_value(browser, "after", "details")
    browser.wait("the switch", "document.getElementById('field-isClosed').checked")
    browser.wait("the picture", "document.querySelector('.picture-frame img')?.naturalWidth === 320")
    assert not asks_before_unload(browser)


def test_a_due_date_follows_in_both_of_its_forms(browser, server):
    from test_tasks import day, long

    address = plain.add_task(server, "Bread")
    browser.open(address + "/due-date").shows("Due Date")
    assert plain.post(server, address + "/due-date", {"action": "save", "value": day(5)}).status == 303
    shows_value(browser, day(5))
    assert browser.find(".long-date").text == long(5)


def test_an_open_form_reports_immediately_that_its_object_is_deleted(browser, server):
    address = plain.add_task(server, "Bread")
    browser.open(address + "/text").shows("Text").fill("Rye bread")
    assert plain.post(server, "/Tasks", {"action": "delete", "value": address.split("/")[-1]}).status == 303
    browser.expect_alert("Deleted").dismiss()
    assert value(browser) == "Rye bread"


def test_an_open_project_reports_that_it_is_deleted(browser, server):
    project = add_project(server)
    browser.open(project + "/edit").shows("Project")
    fields = {"action": "delete", "value": project.split("/")[-1], "confirmed": "yes"}
    assert plain.post(server, "/CoreDump", fields).status == 303
    browser.expect_alert("Deleted").dismiss()


# Input that is not saved

def test_cancel_asks_before_it_drops_typed_values(browser):
    browser.open("/TaskList").shows("Task List").add().shows("New Task")
    assert not asks_before_unload(browser)
    browser.fill("half a task", "taskText")
    assert asks_before_unload(browser)
    browser.back()
    answer(browser, "Keep Editing")
    assert browser.title == "New Task" and value(browser, "taskText") == "half a task"
    browser.back()
    answer(browser, "Discard").shows("Task List").has_rows([])


def test_nothing_is_asked_after_a_save_or_without_input(browser, server):
    address = plain.add_task(server, "Bread")
    browser.open(address).shows("Task Detail").tap("Text").shows("Text").fill("Rye bread")
    browser.save().shows("Task Detail").has_value("Text", "Rye bread")
    browser.tap("Text").shows("Text").back().shows("Task Detail")
    browser.tap("Text").shows("Text").fill("Other")
    browser.fill("Rye bread")
    assert not asks_before_unload(browser)
    browser.back().shows("Task Detail")


def test_escape_closes_a_modal_form_and_asks_if_something_was_typed(browser):
    browser.open("/TaskList").shows("Task List").add().shows("New Task").keys(Keys.ESCAPE)
    browser.shows("Task List").add().shows("New Task").fill("half", "taskText")
    browser.keys(Keys.ESCAPE)
    browser.wait("the question", ALERT + "?.title === a[0]", DISCARD)
    browser.keys(Keys.ESCAPE).wait("no question", "!" + ALERT)
    assert browser.title == "New Task"
    browser.keys(Keys.ESCAPE)
    answer(browser, "Discard").shows("Task List")


# Drafts

def test_a_number_typed_again_in_another_form_is_not_a_step_to_undo(browser):
    item = add_item(browser, "Milk", quantity="3")
    browser.open(item).shows("Item")
    for text in ["3.0", "3,00", "03"]:
        type_in(browser, "quantity", text)
        settled(browser)
        assert not browser.find("#undo").is_enabled(), text
    type_in(browser, "name", "Milk ")
    settled(browser)
    assert not browser.find("#undo").is_enabled()
    type_in(browser, "quantity", "4")
    settled(browser)
    press(browser, "#undo")
    has_field(browser, "quantity", "3")
    browser.until("one step", lambda: not browser.find("#undo").is_enabled())


def test_a_number_on_its_way_is_not_rewritten_under_the_fingers(browser):
    item = add_item(browser, "Milk", quantity="3")
    browser.open(item).shows("Item")
    type_in(browser, "quantity", "3.0")
    settled(browser)
    assert field(browser, "quantity") == "3.0"
    browser.keys("5")
    settled(browser)
    assert field(browser, "quantity") == "3.05"
    browser.back().shows("Prepare").has_value("Milk", "3.05")
