"""An object that + has inserted and that nobody has filled in is not kept."""

import json

import requests_plain as plain
from groceries import type_in


def test_a_new_task_left_as_it_is_goes_again(browser, other):
    other.open("/Tasks").shows("Tasks").has_rows([]).mark()
    browser.open("/Tasks").shows("Tasks").add().shows("Task Detail")
    other.has_rows(["Untitled"])
    browser.tap("Text").shows("Text").back().shows("Task Detail")
    other.has_rows(["Untitled"])
    browser.back().shows("Tasks").has_rows([])
    other.has_rows([])
    assert other.is_unreloaded


def test_a_new_task_left_with_the_browsers_own_button_goes_too(browser):
    browser.open("/Tasks").shows("Tasks").add().shows("Task Detail")
    browser.driver.back()
    browser.shows("Tasks").has_rows([])


def test_a_new_task_left_for_another_application_goes_too(browser, server):
    browser.open("/Tasks").shows("Tasks").add().shows("Task Detail")
    browser.open("/TaskList").shows("Task List")
    browser.until("no task", lambda: "Untitled" not in plain.get(server, "/Tasks").text)


def test_a_new_task_with_one_change_stays(browser):
    browser.open("/Tasks").shows("Tasks").add().shows("Task Detail").tap("Priority").shows("Priority").tap("Low")
    browser.shows("Task Detail").back().shows("Tasks").has_rows(["Untitled"])
    # A second one proves that the first would have gone by now.
    browser.add().shows("Task Detail").back().shows("Tasks").has_rows(["Untitled"])


def test_a_new_task_is_known_after_a_restart_of_the_server(browser, server):
    browser.open("/Tasks").shows("Tasks").add().shows("Task Detail")
    server.restart()
    browser.back().shows("Tasks").has_rows([])


def test_a_new_item_left_as_it_is_goes_and_one_with_a_name_stays(browser):
    browser.open("/GroceryDude").shows("Prepare").add().shows("Item")
    browser.find("a[href$='/units']").click()
    browser.shows("Units").back().shows("Item").back().shows("Prepare").has_rows([])
    browser.add().shows("Item")
    type_in(browser, "name", "Milk")
    browser.back().shows("Prepare").has_rows(["Milk"])
    browser.open("/GroceryDude").shows("Prepare").has_rows(["Milk"])


def test_an_object_that_was_filled_in_is_never_deleted_by_a_late_message(browser, server):
    """The browser's message has the object's first state, which the server compares with the present one."""
    browser.open("/Tasks").shows("Tasks").add().shows("Task Detail")
    address = browser.path
    message = browser.driver.execute_script("return JSON.parse(sessionStorage.getItem('new'))")
    assert plain.post(server, address + "/text", {"action": "save", "value": "Bread"}).status == 303
    for stamp in [message["stamp"], "", "nonsense"]:
        plain.post(server, "/Tasks/-new", {"address": address, "stamp": stamp})
        assert plain.get(server, address).status == 200
    plain.post(server, "/Tasks/-new", {"address": "/Tasks/task/Nothing-p1", "stamp": ""})


def test_a_new_item_with_input_in_a_draft_is_not_deleted(server):
    headers = {"Accept": "application/json", "Cookie": "browser=one"}
    answer = json.loads(plain.post(server, "/GroceryDude", {"action": "insert"}, headers).text)
    address, stamp = answer["go"], answer["new"]
    change = {"action": "change", "field": "name", "name": "Milk", "was.name": "New Item"}
    assert plain.post(server, address, change, headers).status == 200
    # Its reader has left a copy of the page, in another window or at another width.
    plain.post(server, "/GroceryDude/-new", {"address": address, "stamp": stamp}, headers)
    assert plain.get(server, address).status == 200
    assert plain.post(server, address, {"action": "save"}, headers).status == 200
    assert "Milk" in plain.get(server, "/GroceryDude").text
