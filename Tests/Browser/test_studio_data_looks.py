"""Data and Console at every width, in both colour schemes, checked by axe-core; damaged and open stores; running programs."""

import json
import shutil
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
