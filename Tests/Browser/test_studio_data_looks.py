"""Data and Console at every width, in both colour schemes, checked by axe-core; damaged and open stores; running programs."""

import http.client
import json
import shutil
import sqlite3
from urllib.parse import quote

import pytest
from conftest import Server
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from studio_data import FIXTURES, Data, harbour
from studio_pages import all_of, emulate, faults, overflow, until, until_text

VESSELS = "/studio/harbour-sqlite/data/Vessel"
GROUPS = "/studio/harbour-sqlite/console?fetch=" + quote(json.dumps({
    "entity": "Vessel", "predicate": "length > 1", "groupBy": ["berth.label"], "aggregates": [{"function": "max", "key": "length"}],
}))


@pytest.mark.parametrize("width", [390, 900, 1280, 1920, 2560])
def test_nothing_is_wider_than_the_page(studio, desk, folder, width):
    running = studio(harbour(folder), write=True)
    for path in (VESSELS, VESSELS + "?row=Ferry/p2", VESSELS + "?where=name%20%3D%3D%20%22x%22", GROUPS):
        driver = desk(running, path, width, 844)
        until(driver, "the section", "return document.querySelector('.rows .row:not(.loading), .data-body .empty, #console-rows')")
        assert not overflow(driver), f"{path} at {width} px"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(studio, desk, folder, scheme):
    running = studio(harbour(folder), write=True)
    found = []
    driver = desk(running, "/studio")
    emulate(driver, scheme)
    try:
        page = Data(desk(running, VESSELS + "?row=Ferry/p2")).ready()
        page.until_inspected("Ferry/p2")
        found += faults(driver)
        page.edit("name", 0, "Skiff II")
        page.until_strip("1 change")
        page.click("#staged-toggle")
        found += faults(driver)
        page.choose("name", 2)
        page.keys(Keys.DELETE)
        page.dialog()
        found += faults(driver)
        page.click_text("Cancel", "dialog button")
        page.keys("/")
        page.keys("na")
        page.wait("completions", "return document.querySelector('.predicate-list:not([hidden]) li')")
        found += faults(driver)
        driver = desk(running, GROUPS)
        until(driver, "groups", "return document.querySelector('#console-rows')")
        found += faults(driver)
        driver = desk(running, "/studio/harbour-sqlite/data/Vessel?where=name%20%3D%3D%20%22ski%22")
        until(driver, "the empty state", "return document.querySelector('.data-body .empty')")
        found += faults(driver)
    finally:
        emulate(driver, "light")
    assert not found, "\n".join(found)


def test_a_damaged_store_says_so(studio, desk, folder):
    data = (FIXTURES / "Album.sqlite").read_bytes()
    (folder / "Damaged.sqlite").write_bytes(data[:4096] + b"\x17" * (len(data) - 4096))
    running = studio(folder / "Damaged.sqlite")
    for section in ("data", "console"):
        driver = desk(running, f"/studio/damaged-sqlite/{section}")
        until_text(driver, "#section .note.bad", "Damaged.sqlite")


def test_a_store_that_is_open_elsewhere_is_not_disturbed(studio, desk, folder):
    for name in ("HarbourLogged.sqlite", "HarbourLogged.sqlite-wal"):
        shutil.copy(FIXTURES / name, folder / name)
    shutil.copytree(FIXTURES / "Harbour.xcdatamodeld", folder / "Harbour.xcdatamodeld")

    def files():
        return {path.name: path.read_bytes() for path in folder.iterdir() if path.name.startswith("HarbourLogged")}

    before = files()
    running = studio(folder / "HarbourLogged.sqlite")
    page = Data(desk(running, "/studio/harbourlogged-sqlite/data/Vessel")).ready()
    page.wait("rows", "return document.querySelector('.rows .row:not(.loading)')")
    driver = desk(running, "/studio/harbourlogged-sqlite/console?fetch=" + quote('{"entity":"Vessel"}'))
    until(driver, "results", "return document.querySelector('#console-rows tbody tr')")
    assert files() == before, "a file was written, or made"


def test_a_store_without_a_model_is_read_with_one_that_the_studio_shows(studio, desk, folder):
    store = harbour(folder)
    with sqlite3.connect(store) as connection:
        connection.execute("DELETE FROM Z_MODELCACHE")
    connection.close()
    driver = desk(studio(store), VESSELS)
    until_text(driver, "#section .note.bad", "managedgraph-studio MODEL.xcdatamodeld Harbour.sqlite")
    page = Data(desk(studio(store, FIXTURES / "Harbour.xcdatamodeld"), VESSELS + "?columns=name")).ready()
    page.until_texts("name", ["Skiff", "Île d’Or", "Ox", "Punt"])
    assert "Harbour.xcdatamodel" in page.driver.find_element(By.ID, "sidebar").text


def test_names_and_values_are_shown_as_text(studio, desk, folder):
    shutil.copy(FIXTURES / "Ledger.sqlite", folder / "Ledger.sqlite")
    running = studio(folder / "Ledger.sqlite", write=True)
    page = Data(desk(running, "/studio/ledger-sqlite/data/Account?columns=name")).ready()
    page.edit("name", 0, "<img src=x onerror=alert(1)>")
    page.until_strip("1 change")
    page.click("#staged-toggle")
    page.until_strip("<img src=x onerror=alert(1)>")
    assert not page.driver.execute_script("return document.querySelector('img[src=x]')")


def test_a_running_program_shows_its_rows_live(folder, first_driver, second_driver):
    server = Server(folder / "Data", samples=True).start()
    try:
        driver = first_driver
        driver.set_window_size(1280, 800)
        driver.get(server.address)
        link = next(link for link in all_of(driver, ".app-links a") if "/tasks" in link.get_attribute("href") or "tasks" in link.get_attribute("href"))
        link.click()
        until(driver, "the studio", "return document.querySelector('.bar .tabs')")
        source = driver.current_url.split("/studio/")[1].split("/")[0]
        driver.get(f"{server.address}/studio/{source}/data")
        page = Data(driver).ready()
        page.wait("rows", "return document.querySelector('.rows .row:not(.loading)')")
        entity = driver.current_url
        assert "running" in driver.find_element(By.ID, "sidebar").text, entity
        # A second tab of the studio inserts an object: the first one shows it.
        before = driver.execute_script("return document.querySelector('.data-sum').textContent")
        second_driver.set_window_size(1280, 800)
        second_driver.get(server.address)
        all_of(second_driver, ".app-links a")[0].click()
        until(second_driver, "the studio", "return document.querySelector('.bar .tabs')")
        second_driver.get(f"{server.address}/studio/{source}/data")
        other = Data(second_driver).ready()
        other.wait("rows", "return document.querySelector('.rows .row:not(.loading)')")
        other.choose(other.columns()[0], 0)
        other.click_text("Duplicate", ".data-tools button")
        other.until_strip("1 new")
        other.chord(Keys.CONTROL, "s")
        other.until_saved()
        page.wait("one more row", "return document.querySelector('.data-sum').textContent !== arguments[0]", before)
        driver.get("about:blank")
        second_driver.get("about:blank")
    finally:
        status, _ = server.stop()
        assert status == 0


def test_bad_requests_are_errors_with_a_message(studio, folder):
    running = studio(harbour(folder), write=True)
    reader = "reader=0123456789"

    def ask(section, path, body=None, method=None):
        connection = http.client.HTTPConnection("127.0.0.1", running.port, timeout=20)
        headers = {"Cookie": f"studio-{running.port}={running.key}", "Content-Type": "application/json"}
        connection.request(method or ("GET" if body is None else "POST"), f"/studio/api/harbour-sqlite/{section}/{path}", None if body is None else json.dumps(body), headers)
        response = connection.getresponse()
        status, text = response.status, response.read().decode(errors="replace")
        connection.close()
        return status, text

    def row(**parts):
        return {"entity": "Vessel", "sort": [], "columns": [], "offset": 0, "limit": 10, "includesSubentities": True, **parts}

    bad = [
        ("data", f"rows?{reader}", row(entity="Ghost")), ("data", f"rows?{reader}", row(sort=["pilots.name"])), ("data", f"rows?{reader}", row(sort=["-ghost"])),
        ("data", f"rows?{reader}", row(sort=["berth"])), ("data", f"rows?{reader}", row(columns=["ghost"])), ("data", f"rows?{reader}", row(columns=["pilots.name"])),
        ("data", f"rows?{reader}", row(columns=["berth.vessels.name"])), ("data", f"rows?{reader}", row(predicate="length >")), ("data", f"rows?{reader}", row(predicate="ghost == 1")),
        ("data", f"rows?{reader}", row(predicate="length == $x")), ("data", f"rows?{reader}", row(predicate="name == %@")), ("data", f"rows?{reader}", row(predicate="(" * 400)),
        ("data", f"rows?{reader}", row(predicate="FETCH(1, 2, NO) == 3")), ("data", f"rows?{reader}", row(owner={"id": "Berth/p1", "relationship": "ghost"})),
        ("data", f"rows?{reader}", row(owner={"id": "Berth/p1/2/3", "relationship": "vessels"})), ("data", f"rows?{reader}", row(owner={"id": "", "relationship": "vessels"})),
        ("data", f"rows?{reader}", row(owner={"id": "Berth/p1", "relationship": "Ghost.vessels"})), ("data", f"rows?{reader}", row(owner={"id": "Berth/p1", "relationship": "."})),
        ("data", f"rows?{reader}", {"entity": 1}), ("data", "rows", row()), ("data", f"object?id=Vessel/p99999&{reader}", None), ("data", f"object?id=Ghost/p1&{reader}", None),
        ("data", f"object?id=Vessel/t1&{reader}", None), ("data", f"object?id=Vessel/p-1&{reader}", None), ("data", f"object?id=Vessel/p99999999999999999999&{reader}", None), ("data", f"object?{reader}", None),
        ("data", f"binary?id=Vessel/p1&property=name&{reader}", None), ("data", f"binary?id=Vessel/p1&property=ghost&{reader}", None), ("data", f"candidates?entity=Ghost&search=&{reader}", None),
        ("data", "export?form=xml&request=%7B%7D", None), ("data", f"export?form=csv&request={quote(json.dumps(row(predicate='x')))}", None),
        ("data", f"apply?{reader}", {"edits": [{"kind": "set", "object": "Vessel/p1", "property": "crew", "text": "x"}]}), ("data", f"apply?{reader}", {"edits": [{"kind": "set", "object": "Vessel/p1", "property": "ghost", "text": "x"}]}),
        ("data", f"apply?{reader}", {"edits": [{"kind": "set", "object": "Vessel/p1", "property": "berth", "text": "x"}]}), ("data", f"apply?{reader}", {"edits": [{"kind": "add", "object": "Vessel/p1", "property": "name", "members": ["Pilot/p1"]}]}),
        ("data", f"apply?{reader}", {"edits": [{"kind": "add", "object": "Vessel/p1", "property": "pilots", "members": ["Berth/p1"]}]}), ("data", f"apply?{reader}", {"edits": [{"kind": "insert", "entity": "Ghost"}]}),
        ("data", f"apply?{reader}", {"edits": [{"kind": "insert"}]}), ("data", f"apply?{reader}", {"edits": [{"kind": "delete", "object": "Vessel/p777"}]}), ("data", f"apply?{reader}", {"edits": [{"kind": "explode"}]}),
        ("data", f"forecast?{reader}", {"ids": ["Vessel/p777"]}), ("console", "run", {"entity": "Ghost"}), ("console", "run", {"entity": "Vessel", "sort": ["ghost"]}), ("console", "run", {"entity": "Vessel", "columns": ["ghost"]}),
        ("console", "run", {"entity": "Vessel", "groupBy": ["crew"], "columns": ["name"]}), ("console", "run", {"entity": "Vessel", "groupBy": ["crew"], "having": "count >"}),
        ("console", "run", {"entity": "Vessel", "groupBy": ["crew"], "having": "ghost > 1"}), ("console", "run", {"entity": "Vessel", "aggregates": [{"function": "sum", "key": "ghost"}]}),
        ("console", "run", {"entity": "Vessel", "aggregates": [{"function": "explode"}]}), ("console", "run", {"entity": "Vessel", "columns": ["pilots.@ghost"]}),
        ("console", "queries", {"name": " ", "request": {"entity": "Vessel"}}), ("console", "check", {"entity": "Ghost", "format": ""}), ("console", "complete", {"entity": "Ghost", "format": ""}),
    ]
    for section, path, body in bad:
        status, text = ask(section, path, body)
        assert 400 <= status < 500 and json.loads(text)["error"]["message"], f"{section}/{path} {body}: {status} {text[:300]}"
    # Requests that look odd and are answered.
    good = [
        ("data", f"rows?{reader}", row(predicate="FUNCTION(name, 'description') == 'a'")),
        ("data", f"rows?{reader}", row(limit=-5, offset=-3)), ("data", f"rows?{reader}", row(limit=10**9, offset=10**9)), ("data", f"rows?{reader}", row(limit=2**63 - 1, offset=2**63 - 1)), ("data", f"export?form=json&request={quote(json.dumps(row(limit=2**63 - 1, offset=2**63 - 1)))}", None), ("data", f"rows?{reader}", row(predicate="   ")),
        ("data", f"rows?{reader}", row(predicate="name MATCHES \"[\"")), ("data", f"rows?{reader}", row(predicate="SELF IN {}")),
        ("console", "complete", {"entity": "Vessel", "format": "((([[[}}}$$$ \"", "position": 3}), ("console", "complete", {"entity": "Vessel", "format": "a", "position": -7}), ("console", "complete", {"entity": "Vessel", "format": "🚢 'x", "position": 99}),
        ("console", "run", {"entity": "Vessel", "limit": -1, "offset": -1}), ("console", "run", {"entity": "Vessel", "limit": 2**63 - 1, "offset": 2**63 - 1}), ("console", "run", {"entity": "Vessel", "columns": ["name", "name"], "isDistinct": True}), ("data", f"apply?{reader}", {"edits": []}), ("data", f"resolve?{reader}", {"choices": [{"object": "x", "side": "mine"}]}),
    ]
    for section, path, body in good:
        status, text = ask(section, path, body)
        assert status < 500 and json.loads(text) is not None, f"{section}/{path} {body}: {status} {text[:300]}"
    assert ask("data", f"staged?{reader}")[0] == 200
    assert json.loads(ask("data", f"staged?{reader}")[1])["changes"] == []
