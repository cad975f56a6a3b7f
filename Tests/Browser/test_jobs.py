"""Background work: Grocery Dude's import of a large list, with its progress in all open browsers."""

import re
import time

import requests_plain as plain
from groceries import add_item, choices, field, press, styled, type_in


def job(browser):
    """The visible progress: its state, words and value; None if there is none."""
    return browser.driver.execute_script(
        "const job = document.getElementById('job'); if (!job || job.hidden) return null;"
        "return {phase: job.className.replace('job', '').trim(), title: job.querySelector('.job-title').textContent,"
        " words: job.querySelector('.job-words').textContent, value: job.querySelector('progress').value,"
        " role: job.querySelector('progress').getAttribute('role')}"
    )


def total(browser):
    return browser.driver.execute_script("return liveTable.total")


def start(browser, count):
    browser.open("/GroceryDude").shows("Prepare").tool("Import a List").shows("Import a List")
    browser.find("#field-count").clear()
    browser.find("#field-count").send_keys(str(count))
    browser.save().shows("Prepare")
    return browser


def test_thousands_of_items_are_imported_while_tables_stay_live(browser, other, server):
    add_item(browser, "Milk", home="Cellar")
    other.open("/GroceryDude").shows("Prepare").has_rows(["Milk"]).mark()
    start(browser, 4_000)
    begin = time.monotonic()
    other.until("the progress there too", lambda: (job(other) or {}).get("value", 0) > 0)
    assert job(other)["title"] == "Importing items" and job(other)["role"] == "progressbar"
    values, latencies = [], []
    while job(other)["phase"] == "running":
        values.append(job(other)["value"])
        sent = time.monotonic()
        assert plain.get(server, "/GroceryDude/shop").status == 200
        latencies.append(time.monotonic() - sent)
        assert time.monotonic() - begin < 120
    latencies.sort()
    print(f"imported in {time.monotonic() - begin:.1f} s; pages meanwhile: median {latencies[len(latencies) // 2]:.3f} s, "
          f"longest {latencies[-1]:.3f} s of {len(latencies)}")
    assert values == sorted(values) and len(set(values)) > 3
    # A table that waits for the whole import would exceed this by far.
    assert latencies[len(latencies) // 2] < 1.0
    for one in [browser, other]:
        one.until("the end", lambda: job(one)["phase"] == "done")
        assert job(one)["words"] == "4000 items are imported."
        one.until("all rows", lambda: total(one) == 4_001)
    assert other.is_unreloaded
    press(other, "#job button")
    other.until("no job", lambda: job(other) is None)
    browser.until("no job here either", lambda: job(browser) is None)


def test_a_row_is_listed_while_items_are_imported(browser, other):
    add_item(browser, "Aa first", home="Aa first place")
    other.open("/GroceryDude").shows("Prepare").has_rows(["Aa first"])
    start(browser, 5_000)
    other.until("the progress", lambda: (job(other) or {}).get("value", 0) > 5)
    other.tap("Aa first")
    other.until("orange", lambda: styled(other, "highlighted") == ["Aa first"])
    browser.until("orange there too", lambda: styled(browser, "highlighted") == ["Aa first"])
    press(browser, "#job button")
    browser.until("the end", lambda: job(browser)["phase"] in ("cancelled", "done"))


def test_an_import_is_cancelled_and_a_reload_shows_the_running_one(browser, other):
    start(browser, 50_000)
    browser.until("the progress", lambda: (job(browser) or {}).get("value", 0) > 0)
    browser.driver.refresh()
    browser.shows("Prepare")
    assert job(browser)["phase"] == "running"
    other.open("/GroceryDude/import").shows("Import a List").save()
    other.expect_alert("Not Saved", "“Importing items” is still running. Wait for its end, or cancel it.").dismiss()
    press(browser, "#job button")
    browser.until("cancelled", lambda: job(browser)["phase"] == "cancelled")
    assert job(browser)["words"] == "Cancelled. What was done so far stays."
    browser.until("some rows", lambda: 0 < total(browser) < 50_000)
    press(browser, "#job button")
    browser.until("no job", lambda: job(browser) is None)
    browser.driver.refresh()
    browser.shows("Prepare")
    assert job(browser) is None


def test_an_open_form_stays_as_it_is_while_items_are_imported(browser, other):
    item = add_item(browser, "Milk")
    other.open(item).shows("Item")
    type_in(other, "name", "Half typed")
    start(browser, 2_000)
    other.until("the end", lambda: (job(other) or {}).get("phase") == "done")
    assert field(other, "name") == "Half typed"
    other.until("the new units", lambda: "kg" in choices(other, "unit"))


def test_a_number_of_items_that_is_none_is_refused(server):
    for text in ["0", "-5", "1e9", "many", "200000"]:
        assert plain.post(server, "/GroceryDude/import", {"action": "save", "count": text}).status == 400, text
    assert 'class="job" aria-label' in plain.get(server, "/GroceryDude").text


def test_a_server_that_stops_ends_the_import_and_keeps_its_batches(server):
    assert plain.post(server, "/GroceryDude/import", {"action": "save", "count": "100000"}).status == 303
    time.sleep(1)
    server.restart()
    assert plain.get(server, "/GroceryDude").text.count('<li class="row') > 0


def test_items_are_deleted_while_others_are_imported(server):
    """Both save new versions of the locations that the items share: neither fails."""
    assert plain.post(server, "/GroceryDude/import", {"action": "save", "count": "50000"}).status == 303
    statuses = []
    while len(statuses) < 400:
        page = plain.get(server, "/GroceryDude").text
        assert "job running" in page
        for item in sorted(set(re.findall(r"\bItem-p\d+\b", page))):
            statuses.append(plain.post(server, "/GroceryDude", {"action": "delete", "value": item}).status)
    assert set(statuses) == {303}
