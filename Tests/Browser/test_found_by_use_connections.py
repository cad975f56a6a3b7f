"""Connections that are lost and come back."""

import requests_plain as plain


def lost(browser):
    return [note.text for note in browser.all(".lost")]


def test_a_lost_connection_is_shown_until_it_is_back(browser, server):
    address = plain.add_task(server, "Task")
    browser.open("/Tasks").shows("Tasks").has_rows(["Task"])
    server.stop()
    browser.until("the note", lambda: lost(browser) == ["Reconnecting…"])
    server.start()
    browser.until("no note", lambda: not lost(browser))
    assert plain.post(server, address + "/text", {"action": "save", "value": "Changed"}).status == 303
    browser.has_rows(["Changed"])
