"""The section Data edits objects: staged, validated, undone, saved together; deletions listed first; two people."""

import shutil
import sqlite3

import pytest
from conftest import is_fault, soon
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from studio_data import FIXTURES, Data, harbour, rows_of

VESSELS = "/studio/harbour-sqlite/data/Vessel"


@pytest.fixture
def second_desk(second_driver):
    """The desk of a second person."""

    def open_studio(studio, path, width=1280, height=800):
        second_driver.set_window_size(width, height)
        separator = "&" if "?" in path else "?"
        second_driver.get(f"{studio.address}{path}{separator}key={studio.key}")
        return second_driver

    yield open_studio
    second_driver.get("about:blank")
    errors = [entry for entry in second_driver.get_log("browser") if is_fault(entry)]
    assert not errors, f"the browser's console has errors: {errors}"


def test_edits_are_staged_survive_a_reload_and_are_saved_together(studio, desk, folder):
    store = harbour(folder)
    running = studio(store, write=True)
    page = Data(desk(running, VESSELS)).ready()
    page.edit("name", 0, "Skiff II")
    page.until_strip("1 change")
    page.edit("crew", 1, "14")
    page.until_strip("2 changed")
    assert rows_of(store, "SELECT ZNAME, ZCREW FROM ZVESSEL WHERE Z_PK < 3") == [("Skiff", 1), ("Île d’Or", 12)]
    page.driver.refresh()
    page.ready().until_texts("name", ["Skiff II", "Île d’Or", "Ox", "Punt"])
    page.until_strip("2 changed")
    page.click("#staged-toggle")
    page.until_strip("Skiff\n→\nSkiff II")
    page.chord(Keys.CONTROL, "s")
    page.until_saved()
    assert rows_of(store, "SELECT ZNAME, ZCREW FROM ZVESSEL WHERE Z_PK < 3") == [("Skiff II", 1), ("Île d’Or", 14)]


def test_edits_are_undone_redone_and_discarded(studio, desk, folder):
    store = harbour(folder)
    running = studio(store, write=True)
    page = Data(desk(running, VESSELS + "?columns=name,crew")).ready()
    page.edit("name", 0, "A")
    page.until_texts("name", ["A", "Île d’Or", "Ox", "Punt"])
    page.edit("name", 2, "B")
    page.until_texts("name", ["A", "Île d’Or", "B", "Punt"])
    page.chord(Keys.CONTROL, "z")
    page.until_texts("name", ["A", "Île d’Or", "Ox", "Punt"])
    page.chord(Keys.CONTROL, "z")
    page.until_texts("name", ["Skiff", "Île d’Or", "Ox", "Punt"])
    page.chord(Keys.CONTROL, Keys.SHIFT, "z")
    page.until_texts("name", ["A", "Île d’Or", "Ox", "Punt"])
    page.click_text("Discard", ".staged button")
    page.dialog()
    page.click_text("Discard", "dialog button")
    page.until_texts("name", ["Skiff", "Île d’Or", "Ox", "Punt"])
    assert rows_of(store, "SELECT ZNAME FROM ZVESSEL WHERE Z_PK = 1") == [("Skiff",)]


def test_escape_leaves_a_cell_as_it_was_and_a_wrong_value_names_the_form(studio, desk, folder):
    running = studio(harbour(folder), write=True)
    page = Data(desk(running, VESSELS + "?columns=name,crew")).ready()
    page.choose("name", 0)
    page.keys(Keys.ENTER)
    page.wait("an editor", "return document.querySelector('.cell-editor')")
    page.keys("nonsense", Keys.ESCAPE)
    page.wait("no editor", "return !document.querySelector('.cell-editor')")
    assert page.strip() == "" and page.texts("name")[0] == "Skiff"
    page.edit("crew", 0, "40000")
    page.until_strip("crew was not changed: 40000 is out of the range of")
    page.until_strip("such as 42")
    assert page.texts("crew")[0] == "1"


def test_a_save_includes_the_text_that_is_being_typed(studio, desk, folder):
    store = harbour(folder)
    page = Data(desk(studio(store, write=True), VESSELS)).ready()
    page.choose("crew", 1)
    page.keys(Keys.ENTER)
    page.wait("an editor", "return document.querySelector('.cell-editor')")
    page.chord(Keys.CONTROL, "a")
    page.keys("14")
    page.chord(Keys.CONTROL, "s")
    assert soon(lambda: rows_of(store, "SELECT ZCREW FROM ZVESSEL WHERE Z_PK = 2") == [(14,)])
    page.until_saved()
    page.choose("name", 0)
    page.keys(Keys.SPACE)
    # The inspector may be drawn again after the save; it keeps the focus.
    page.wait("the field", "document.querySelector('#inspector [data-property=name] textarea')?.focus(); return document.activeElement.localName === 'textarea'")
    page.chord(Keys.CONTROL, "a")
    page.keys("Skiff II")
    page.chord(Keys.CONTROL, "s")
    assert soon(lambda: rows_of(store, "SELECT ZNAME FROM ZVESSEL WHERE Z_PK = 1") == [("Skiff II",)])
    # A refused value keeps the others from being saved until its reason was read.
    page.edit("crew", 2, "5")
    page.until_strip("1 changed")
    page.choose("crew", 3)
    page.keys(Keys.ENTER)
    page.wait("an editor", "return document.querySelector('.cell-editor')")
    page.chord(Keys.CONTROL, "a")
    page.keys("many")
    page.chord(Keys.CONTROL, "s")
    page.wait("the reason", "return document.querySelector('.staged .note.bad')")
    page.until_strip("1 changed")


def test_a_date_that_the_control_cannot_show_is_kept(studio, desk, folder):
    store = harbour(folder)
    with sqlite3.connect(store) as connection:
        # Date.distantPast.
        connection.execute("UPDATE ZVESSEL SET ZLAUNCHED = -63114076800 WHERE Z_PK = 1")
    connection.close()
    running = studio(store, write=True)
    driver = desk(running)
    driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": "America/New_York"})
    try:
        driver.get(f"{running.address}{VESSELS}")
        page = Data(driver).ready()
        page.choose("launched", 0)
        page.keys(Keys.ENTER)
        page.wait("an editor", "return document.querySelector('.cell-editor')")
        page.keys(Keys.ENTER)
        page.wait("no editor", "return !document.querySelector('.cell-editor')")
        # The edits are in order: one of the date would be staged before this one.
        page.edit("crew", 0, "5")
        page.until_strip("1 changed")
        page.click("#staged-toggle")
        page.until_strip("crew")
        assert "launched" not in page.strip()
    finally:
        driver.execute_cdp_cmd("Emulation.setTimezoneOverride", {"timezoneId": ""})


def test_a_new_object_shows_the_rules_that_it_violates_and_keeps_the_rest(studio, desk, folder):
    store = harbour(folder)
    running = studio(store, write=True)
    page = Data(desk(running, VESSELS + "?columns=name,crew,length")).ready()
    page.click("#data-new")
    page.until_strip("1 new")
    page.until_strip("1 rule violated")
    # A selection with the new row: the stored ones of it are copied.
    page.choose("name", 0)
    page.chord(Keys.SHIFT, Keys.ARROW_DOWN)
    page.wait("two selected rows", "return document.querySelectorAll('.rows .row[aria-selected=true]').length === 2")
    page.driver.execute_script("navigator.clipboard.writeText = async (text) => { window.copied = text; };")
    page.driver.execute_script("""
        const menu = document.querySelector('select.export');
        menu.value = 'copy csv';
        menu.dispatchEvent(new Event('change'));
    """)
    page.wait("the copy", "return window.copied === 'id,name,crew,length\\nVessel/p1,Skiff,1,4.25\\n'")
    page.edit("crew", 1, "3")
    page.until_strip("1 changed")
    page.click_text("Save", ".staged button")
    page.until_strip("Vessel.name is required")
    assert rows_of(store, "SELECT COUNT(*) FROM ZVESSEL") == [(4,)]
    page.edit("name", 0, "Dinghy")
    page.wait("no violated rule", "return !document.querySelector('.staged').innerText.includes('rule violated')")
    page.click_text("Save", ".staged button")
    page.until_saved()
    assert rows_of(store, "SELECT ZNAME, ZCREW FROM ZVESSEL WHERE Z_PK = 1 OR Z_PK > 5") == [("Skiff", 3), ("Dinghy", 2)]
    page.until_texts("name", ["Skiff", "Île d’Or", "Ox", "Punt", "Dinghy"])


def test_a_relationship_is_edited_with_a_picker(studio, desk, folder):
    store = harbour(folder)
    running = studio(store, write=True)
    page = Data(desk(running, VESSELS + "?columns=name,berth,pilots")).ready()
    page.choose("berth", 0)
    page.keys(Keys.ENTER)
    page.dialog()
    page.wait("the berths", "return document.querySelectorAll('.picker-list [role=option]').length === 2")
    page.click_text("No value", "dialog button")
    page.until_strip("changed")
    page.until_texts("berth", ["–", "North quay", "North quay", "Berth/p2"])
    page.choose("pilots", 2)
    page.keys(Keys.ENTER)
    page.dialog()
    page.keys("bo")
    page.wait("the search", "return [...document.querySelectorAll('.picker-list .name')].map((each) => each.textContent).join() === 'Bo'")
    page.keys(Keys.ENTER)
    page.wait("the choice", "return document.querySelector('.picker-list [aria-selected=true]')")
    page.click_text("Set", "dialog button")
    page.wait("the number", "return [...document.querySelectorAll('.rows .row')].find((row) => row.line === 2).children[3].innerText === '1'")
    page.chord(Keys.CONTROL, "s")
    page.until_saved()
    assert rows_of(store, "SELECT ZBERTH FROM ZVESSEL WHERE Z_PK = 1") == [(None,)]
    page.until_texts("pilots", ["1", "2", "1", "0"])


def test_a_deletion_lists_everything_that_goes_along(studio, desk, folder):
    store = folder / "Ledger.sqlite"
    shutil.copy(FIXTURES / "Ledger.sqlite", store)
    running = studio(store, write=True)
    page = Data(desk(running, "/studio/ledger-sqlite/data/Account")).ready()
    page.choose("name", 0)
    page.keys(Keys.DELETE)
    text = page.dialog().text
    assert "Delete Cash?" in text and "2 Entry" in text and "1 Transfer" in text and "Account.entries" in text
    page.click_text("Cancel", "dialog button")
    assert page.strip() == ""
    page.choose("name", 0)
    page.keys(Keys.DELETE)
    page.dialog()
    page.click_text("Delete 4 objects", "dialog button")
    page.until_strip("4 deleted")
    assert rows_of(store, "SELECT COUNT(*) FROM ZENTRY") == [(4,)]
    page.click_text("Save", ".staged button")
    page.until_saved()
    assert rows_of(store, "SELECT COUNT(*) FROM ZENTRY") == [(1,)]
    page.until_texts("name", ['Bank <&> "Co"'])


def test_two_people_edit_one_object_and_are_asked_value_by_value(studio, desk, second_desk, folder):
    store = harbour(folder)
    running = studio(store, write=True)
    mine = Data(desk(running, VESSELS + "?columns=name,crew,length")).ready()
    theirs = Data(second_desk(running, VESSELS + "?columns=name,crew,length")).ready()
    mine.edit("name", 0, "Mine")
    mine.until_strip("1 change")
    mine.edit("crew", 0, "9")
    theirs.edit("name", 0, "Theirs")
    theirs.until_strip("1 change")
    theirs.edit("length", 0, "5")
    theirs.chord(Keys.CONTROL, "s")
    theirs.until_saved()
    # My view follows, and keeps my values.
    mine.until_texts("length", ["5.0", "81.5", "21.0", "3.0"])
    assert mine.texts("name")[0] == "Mine"
    mine.chord(Keys.CONTROL, "s")
    dialog = mine.dialog()
    rows = [row.text.split("\n") for row in dialog.find_elements(By.CSS_SELECTOR, "tbody tr")]
    assert [" ".join(row) for row in rows] == ["name Skiff Mine Theirs", "crew 1 9 1", "length 4.25 4.25 5.0"]
    assert rows_of(store, "SELECT ZNAME, ZCREW, ZLENGTH FROM ZVESSEL WHERE Z_PK = 1") == [("Theirs", 1, 5.0)]
    dialog.find_element(By.CSS_SELECTOR, "input[value=theirs]").click()
    mine.click_text("Save with these values", "dialog button")
    mine.until_saved()
    assert rows_of(store, "SELECT ZNAME, ZCREW, ZLENGTH FROM ZVESSEL WHERE Z_PK = 1") == [("Theirs", 9, 5.0)]
    theirs.until_texts("crew", ["9", "12", "4", "2"])


def test_an_object_that_is_inserted_again_keeps_its_related_objects(studio, desk, second_desk, folder):
    store = harbour(folder)
    running = studio(store, write=True)
    mine = Data(desk(running, VESSELS + "?columns=name,crew")).ready()
    theirs = Data(second_desk(running, VESSELS + "?columns=name,crew")).ready()
    mine.edit("name", 0, "Skiff II")
    mine.until_strip("1 change")
    theirs.choose("name", 0)
    theirs.keys(Keys.DELETE)
    theirs.dialog()
    theirs.click_text("Delete", "dialog button")
    theirs.until_strip("1 deleted")
    theirs.chord(Keys.CONTROL, "s")
    theirs.until_saved()
    assert rows_of(store, "SELECT COUNT(*) FROM ZVESSEL WHERE Z_PK = 1") == [(0,)]
    mine.chord(Keys.CONTROL, "s")
    dialog = mine.dialog()
    assert "It was deleted elsewhere." in dialog.text
    dialog.find_element(By.CSS_SELECTOR, "input[value=mine]").click()
    mine.click_text("Save with these values", "dialog button")
    mine.until_saved()
    assert rows_of(store, "SELECT ZBERTH, ZREGISTRATION FROM ZVESSEL WHERE ZNAME = 'Skiff II'") == [(1, "SK-7")]


def test_a_read_only_store_refuses_each_edit_with_the_remedy(studio, desk, folder):
    running = studio(harbour(folder))
    page = Data(desk(running, VESSELS + "?row=Vessel/p1")).ready()
    page.until_inspected("Skiff")
    assert not page.driver.find_elements(By.CSS_SELECTOR, "#inspector input, #inspector textarea, #inspector select")
    page.click("#data-new")
    page.until_strip("--write")
    page.choose("name", 0)
    page.keys(Keys.DELETE)
    page.until_strip("The store is read-only here.")


def test_the_inspector_keeps_the_focus_and_the_text_that_is_typed_during_an_edit(studio, desk, folder):
    store = harbour(folder)
    page = Data(desk(studio(store, write=True), VESSELS + "?row=Vessel/p1")).ready()
    page.until_inspected("Vessel/p1")
    page.driver.execute_script("""
        const send = window.fetch;
        window.fetch = (url, options) => {
            if (!String(url).includes('/data/apply')) return send(url, options);
            window.fetch = send;
            return new Promise((resolve) => { window.release = () => resolve(send(url, options)); });
        };
    """)
    page.click("[data-property=name] textarea")
    page.chord(Keys.CONTROL, "a")
    page.keys("Barge")
    page.click("[data-property=crew] input")
    page.wait("the edit", "return Boolean(window.release)")
    page.chord(Keys.CONTROL, "a")
    page.keys("7")
    page.driver.execute_script("window.release()")
    page.wait("the new title", "return document.querySelector('#inspector h2').textContent === 'Barge'")
    assert page.driver.execute_script("return [document.activeElement.closest('[data-property]')?.dataset.property, document.activeElement.value]") == ["crew", "7"]
    page.keys(Keys.TAB)
    page.wait("both values staged", "return document.querySelectorAll('#inspector dt.changed').length === 2")
    page.chord(Keys.CONTROL, "s")
    page.until_saved()
    assert rows_of(store, "SELECT ZNAME, ZCREW FROM ZVESSEL WHERE Z_PK = 1") == [("Barge", 7)]


def test_long_texts_are_edited_whole(studio, desk, folder):
    store = folder / "Ledger.sqlite"
    shutil.copy(FIXTURES / "Ledger.sqlite", store)
    long, longer = "x" * 1_000, "y" * 100_001
    with sqlite3.connect(store) as connection:
        connection.executemany("UPDATE ZENTRY SET ZTEXT = ? WHERE Z_PK = ?", [(long, 1), (longer, 2), ("one\r\ntwo", 3)])
    connection.close()
    running = studio(store, write=True)
    page = Data(desk(running, "/studio/ledger-sqlite/data/Entry?columns=text,amount")).ready()
    page.choose("text", 0)
    page.keys(Keys.ENTER)
    page.wait("an editor with the whole text", "return document.querySelector('.cell-editor textarea')?.value.length === 1000")
    page.chord(Keys.CONTROL, Keys.END)
    page.keys("!", Keys.ENTER)
    page.until_strip("1 change")
    page.choose("text", 1)
    page.keys(Keys.ENTER)
    page.until_strip("text is too long to be edited here.")
    assert not page.driver.find_elements(By.CSS_SELECTOR, ".cell-editor")
    page.choose("text", 2)
    page.keys(Keys.ENTER)
    page.wait("an editor with two lines", "return document.querySelector('.cell-editor textarea')?.value === 'one\\ntwo'")
    page.keys(Keys.ENTER)
    page.wait("no editor", "return !document.querySelector('.cell-editor')")
    page.chord(Keys.CONTROL, "s")
    page.until_saved()
    assert rows_of(store, "SELECT ZTEXT FROM ZENTRY WHERE Z_PK < 4 ORDER BY Z_PK") == [(long + "!",), (longer,), ("one\r\ntwo",)]


def test_values_of_all_types_are_edited(studio, desk, folder):
    store = folder / "Ledger.sqlite"
    shutil.copy(FIXTURES / "Ledger.sqlite", store)
    running = studio(store, write=True)
    page = Data(desk(running, "/studio/ledger-sqlite/data/Entry?columns=text,amount,cleared,identifier,link,large")).ready()
    for column, text in [("text", "a note"), ("amount", "-12.5"), ("identifier", "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"), ("link", "https://example.org/"), ("large", "9007199254740993")]:
        page.edit(column, 1, text)
        page.wait(f"{column} staged", """
            const place = [...document.querySelectorAll('.rows-header [role=columnheader]')].findIndex((each) => each.dataset.column === arguments[0]);
            return [...document.querySelectorAll('.rows .row')].find((row) => row.line === 1).children[place].classList.contains('changed');
            """, column)
    page.chord(Keys.CONTROL, "s")
    page.until_saved()
    assert rows_of(store, "SELECT ZTEXT, ZAMOUNT, hex(ZIDENTIFIER), ZLINK, ZLARGE FROM ZENTRY WHERE Z_PK = 2") == [
        ("a note", -12.5, "E621E1F8C36C495A93FC0C247A3E6E5F", "https://example.org/", 9007199254740993)
    ]
