"""Overdue tasks: their old date is not a reason to refuse other changes."""

import requests_plain as plain
from test_tasks import INVALID, PAST, day, make_overdue


def overdue(server, text="Late"):
    """Adds an overdue task with a location; returns its address."""
    address = plain.add_task(server, text)
    assert plain.post(server, address + "/location/new", {"action": "save", "value": "Office"}).status == 303
    page = plain.get(server, address + "/location").text
    location = page.split('id="Location-')[1].split('"')[0]
    assert plain.post(server, address + "/location", {"action": "choose", "value": "Location-" + location}).status == 303
    make_overdue(server, text)
    return address, "Location-" + location


def test_an_overdue_task_is_edited_and_only_a_new_date_is_checked(browser, server):
    address, _ = overdue(server)
    browser.open(address + "/text").shows("Text").fill("Later")
    browser.save().shows("Task Detail").has_value("Text", "Later")
    browser.tap("Priority").shows("Priority").tap("High").shows("Task Detail").has_value("Priority", "High")
    browser.tap("Due Date").shows("Due Date").fill_day(day(-3))
    browser.save().expect_alert(INVALID, PAST).dismiss()
    browser.fill_day(day(1))
    browser.save().shows("Task Detail")
    assert browser.red == []


def test_the_location_of_an_overdue_task_is_deleted(server):
    address, location = overdue(server)
    assert plain.post(server, address + "/location", {"action": "delete", "value": location}).status == 303
    assert "Office" not in plain.get(server, address).text
