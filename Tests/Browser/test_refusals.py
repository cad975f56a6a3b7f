"""Requests that the server refuses, and text that it escapes."""

import pytest

import requests_plain as plain
from screens import add_task

ODD = """<script>alert(1)</script>"'&amp;<img src=x onerror=alert(2)> {{title}} </li> \u202eabc \U0001f600"""


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1:1"},
        {"Origin": "http://127.0.0.1:1"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Host": "evil.example"},
    ],
)
def test_a_change_asked_for_by_another_origin_is_refused(server, headers):
    headers = {name: value.format(port=server.port) for name, value in headers.items()}
    answer = plain.post(server, "/Tasks", {"action": "insert"}, headers)
    assert answer.status == 403
    assert plain.get(server, "/Tasks").text.count('class="row') == 0


# A proxy that ends TLS passes the host on for which the browser asked.
@pytest.mark.parametrize("scheme", ["http", "https"])
def test_a_change_from_the_same_origin_is_taken(server, scheme):
    headers = {"Origin": f"{scheme}://127.0.0.1:{server.port}", "Sec-Fetch-Site": "same-origin"}
    assert plain.post(server, "/Tasks", {"action": "insert"}, headers).status == 303


def test_a_foreign_host_name_is_refused_for_reading_too(server):
    assert plain.get(server, "/Tasks", Host="evil.example:80").status == 403
    assert plain.get(server, "/Tasks", Host=f"localhost:{server.port}").status == 200


@pytest.mark.parametrize(
    "path",
    [
        "/nothing", "/Tasks/nothing", "/Tasks/task/Task-p999", "/Tasks/task/Task-p0", "/Tasks/task/Task-p-1",
        "/Tasks/task/Task-p99999999999999999999", "/Tasks/task/Nothing-p1", "/Tasks/task/Task", "/Tasks/task/p1",
        "/Tasks/task/Location-p1", "/Tasks/task/%00", "/Tasks/task/..%2f..", "/Tasks/task/%ff", "/Tasks/task/Task-p1%0a",
        "/Tasks/task/Task-t1", "/assets/nothing.css", "/assets/../Package.swift", "/Tasks/task/%F0%9F%98%80-p1",
    ],
)
def test_unknown_objects_and_malformed_addresses_are_a_404_page(server, path):
    answer = plain.get(server, path)
    assert answer.status == 404, answer.text
    assert "There is nothing at this address" in answer.text and "data-back" in answer.text


def test_a_deleted_object_is_a_404_for_each_of_its_screens(server):
    address = plain.add_task(server, "gone")
    assert plain.post(server, "/Tasks", {"action": "delete", "value": address.split("/")[-1]}).status == 303
    for screen in ["", "/text", "/priority", "/due-date", "/location", "/location/new"]:
        assert plain.get(server, address + screen).status == 404
        assert plain.post(server, address + screen, {"action": "save", "value": "1"}).status == 404


@pytest.mark.parametrize(
    ("screen", "fields"),
    [
        ("/priority", {"action": "choose", "value": "4"}),
        ("/priority", {"action": "choose", "value": "-1"}),
        ("/priority", {"action": "choose", "value": "99999999999999999999"}),
        ("/priority", {"action": "choose", "value": "high"}),
        ("/priority", {"action": "choose"}),
        ("/priority", {"action": "nonsense", "value": "1"}),
        ("/priority", {}),
        ("/due-date", {"action": "save", "value": "yesterday"}),
        ("/due-date", {"action": "save", "value": "2026-02-30"}),
        ("/due-date", {"action": "save", "value": "0000-00-00"}),
        ("/due-date", {"action": "save", "value": "99999-01-01"}),
        ("/due-date", {"action": "save", "value": ""}),
        ("/due-date", {"action": "save"}),
        ("/text", {"action": "save", "value": "x" * 1001}),
        ("/text", {"action": "save"}),
        ("/text", {"action": "delete"}),
        ("/location/new", {"action": "save", "value": "  "}),
        ("", {"action": "save", "value": "x"}),
    ],
)
def test_malformed_input_is_an_alert_and_changes_nothing(server, screen, fields):
    address = plain.add_task(server, "Task")
    before = plain.get(server, address).text
    answer = plain.post(server, address + screen, fields)
    assert answer.status == 400, answer.text
    assert "<dialog open" in answer.text and "alertdialog" in answer.text

    def rows(text):
        return text.split('data-state="')[1].split('<section')[1]

    assert rows(plain.get(server, address).text) == rows(before)


def test_a_form_that_is_none_or_too_large_is_refused_and_the_server_lives(server):
    address = plain.add_task(server, "Task")
    kind = {"Content-Type": "application/json"}
    assert plain.send(server, "POST", address + "/text", "{}", kind).status == 400
    assert plain.post(server, address + "/text", {"action": "save", "value": "x" * 5_000_000}).status == 413
    assert plain.send(server, "DELETE", address).status == 405
    assert plain.get(server, address).status == 200


def test_rows_asked_for_beyond_reason_are_refused(server):
    json = {"Accept": "application/json"}
    for asked in ["0,100000", "-5,10", "a,b", "5", "0,0"]:
        assert plain.get(server, f"/Tasks?-rows={asked}", **json).status == 400, asked
    assert plain.get(server, "/Tasks?-rows=999999999,50", **json).status == 200
    assert plain.get(server, "/Tasks?-from=99999999999999999999").status == 200


def test_typed_text_is_shown_unchanged(browser, other):
    other.open("/Tasks").shows("Tasks").mark()
    add_task(browser, "Task", location="<b>Home</b>")
    browser.tap("Task").shows("Task Detail").tap("Text").shows("Text")
    browser.driver.execute_script("document.querySelector('input[name=value]').value = arguments[0]", ODD)
    browser.save().shows("Task Detail").has_value("Text", ODD).has_value("Location", "<b>Home</b>")
    other.has_rows([ODD])
    other.open("/Tasks").shows("Tasks").has_rows([ODD])
    other.open("/Tasks/locations").shows("Tasks by Location")
    assert other.sections == [["<b>Home</b>", [ODD]]]
    browser.tap("Text").shows("Text")
    assert browser.find("input[name=value]").get_attribute("value") == ODD
    for one in [browser, other]:
        assert one.driver.execute_script("return document.querySelectorAll('main script, main img, main b').length") == 0


def test_pages_forbid_foreign_content(server):
    policy = plain.get(server, "/Tasks").headers["content-security-policy"]
    assert "default-src 'none'" in policy and "script-src 'self'" in policy and "frame-ancestors 'self'" in policy
