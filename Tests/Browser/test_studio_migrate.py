"""The section Migrate: the plan, the rehearsal on a copy, the migration with progress and a backup."""

import shutil
import sqlite3
from pathlib import Path

import pytest
from conftest import soon
from studio_pages import all_of, ask, until, until_text

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def cards(folder):
    """A store of version 1, and the model with version 2."""
    shutil.copytree(ROOT / "Examples/Sources/FlashCards/FlashCards.xcdatamodeld", folder / "FlashCards.xcdatamodeld")
    shutil.copy(Path(__file__).parent / "stores" / "FlashCards-1.sqlite", folder / "Cards.sqlite")
    return folder / "Cards.sqlite", folder / "FlashCards.xcdatamodeld"


def columns(store):
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as connection:
        return [row[1] for row in connection.execute("PRAGMA table_info(ZCARDRESULT)")]


def test_the_plan_lists_steps_entities_and_sql_and_writes_nothing(studio, cards, desk):
    content = cards[0].read_bytes()
    driver = desk(studio(*cards), "/studio/cards-sqlite/migrate")
    until_text(driver, "#migrate-plan .note.good", "FlashCards → FlashCards 2: possible in 1 step")
    step = all_of(driver, ".migrate-step")[0].text
    assert "CardResult" in step and "changed" in step and "guess" in step and "added" in step
    assert "ALTER TABLE ZCARDRESULT ADD COLUMN ZGUESS" in driver.execute_script("return document.querySelector('.migrate-step pre').textContent")
    assert cards[0].read_bytes() == content
    select = driver.find_element("css selector", "#migrate-version")
    driver.execute_script("arguments[0].value = 'FlashCards'; arguments[0].dispatchEvent(new Event('change'))", select)
    until_text(driver, "#migrate-plan", "already has the version FlashCards")
    assert "version=FlashCards" in driver.current_url
    # A plan that comes after the plan of a newer choice is dropped.
    driver.execute_script("""
        const send = window.fetch;
        window.fetch = (url, options) => {
            if (!String(url).endsWith('/plan')) return send(url, options);
            window.fetch = send;
            return new Promise((resolve) => {
                window.release = async () => {
                    resolve(await send(url, options));
                    await (await send('/studio/api/cards-sqlite/migrate/job')).text();
                };
            });
        };
        const select = document.querySelector('#migrate-version');
        select.value = 'FlashCards 2';
        select.dispatchEvent(new Event('change'));
    """)
    until(driver, "a plan that is asked for", "return window.release && document.querySelector('#migrate-plan').innerText === 'Planning…'")
    driver.execute_script("const select = document.querySelector('#migrate-version'); select.value = 'FlashCards'; select.dispatchEvent(new Event('change'))")
    until_text(driver, "#migrate-plan", "already has the version FlashCards")
    driver.execute_async_script("window.release().then(arguments[0])")
    assert "already has the version FlashCards" in driver.find_element("css selector", "#migrate-plan").text


def add_version(model, name, change):
    """Adds a version to a model, made of its second one, and makes it current."""
    old, new = model / "FlashCards 2.xcdatamodel", model / f"{name}.xcdatamodel"
    shutil.copytree(old, new)
    contents = (new / "contents").read_text()
    assert change(contents) != contents
    (new / "contents").write_text(change(contents))
    current = model / ".xccurrentversion"
    current.write_text(current.read_text().replace("FlashCards 2.xcdatamodel", f"{name}.xcdatamodel"))


def test_rows_that_do_not_fit_are_named_and_disable_the_run(studio, cards, desk):
    unique = "<uniquenessConstraints><uniquenessConstraint><constraint value=\"cardName\"/></uniquenessConstraint></uniquenessConstraints></entity>"
    add_version(cards[1], "Strict", lambda text: text.replace("</entity>", unique, 1))
    with sqlite3.connect(cards[0]) as connection:
        connection.execute("UPDATE ZCARDRESULT SET ZCARDNAME = 'Same' WHERE Z_PK IN (2, 3)")
    driver = desk(studio(*cards, write=True), "/studio/cards-sqlite/migrate")
    until_text(driver, "#migrate-plan .note.bad", "FlashCards → Strict: not possible yet")
    misfit = until_text(driver, ".migrate-misfit", "CardResult").text
    assert "the migration fails" in misfit and "CardResult/p" in misfit
    assert driver.execute_script("return document.querySelector('#migrate-run').disabled")


def test_rows_that_break_a_new_rule_are_named_and_migrated(studio, cards, desk):
    name = '<attribute name="cardName" optional="YES"'
    add_version(cards[1], "Short", lambda text: text.replace(name, name + ' maxValueString="2"'))
    with sqlite3.connect(cards[0]) as connection:
        connection.execute("UPDATE ZCARDRESULT SET ZCARDNAME = substr(ZCARDNAME, 1, 1) WHERE Z_PK NOT IN (2, 3)")
    driver = desk(studio(*cards, write=True), "/studio/cards-sqlite/migrate")
    misfit = until_text(driver, ".migrate-misfit", "CardResult.cardName").text
    assert "2 objects" in misfit and "CardResult/p2, CardResult/p3" in misfit and "fail validation" in misfit
    assert not driver.execute_script("return document.querySelector('#migrate-run').disabled")


def test_a_version_without_a_way_is_explained(studio, cards, desk):
    required = '<attribute name="level" attributeType="String"/></entity>'
    add_version(cards[1], "Levels", lambda text: text.replace("</entity>", required, 1))
    driver = desk(studio(*cards, write=True), "/studio/cards-sqlite/migrate")
    until_text(driver, "#migrate-plan .note.bad", "There is no way from FlashCards to Levels")
    until_text(driver, "#migrate-plan .note.bad", "CardResult.level")
    assert not all_of(driver, "#migrate-run, #migrate-rehearse")


def test_the_rehearsal_lists_values_before_and_after(studio, cards, desk):
    default = '<attribute name="level" attributeType="String" defaultValueString="easy"/></entity>'
    add_version(cards[1], "Levels", lambda text: text.replace("</entity>", default, 1))
    driver = desk(studio(*cards), "/studio/cards-sqlite/migrate")
    until(driver, "the button", "return document.querySelector('#migrate-rehearse')").click()
    until_text(driver, "#migrate-rehearsed", "The copy was migrated")
    first = until_text(driver, ".migrate-differences .card", "level").text
    assert "CardResult/p" in first and "easy" in first
    assert len(all_of(driver, ".migrate-differences .card")) == 6


def test_the_rehearsal_compares_each_object_on_a_copy(studio, cards, desk):
    content = cards[0].read_bytes()
    driver = desk(studio(*cards), "/studio/cards-sqlite/migrate")
    until(driver, "the button", "return document.querySelector('#migrate-rehearse')").click()
    until_text(driver, "#migrate-rehearsed", "The copy was migrated")
    rows = driver.execute_script("return [...document.querySelectorAll('#migrate-job tbody tr')].map((row) => row.innerText)")
    assert any("CardResult" in row and "6" in row for row in rows)
    assert cards[0].read_bytes() == content, "the store is only read"
    assert sorted(path.name for path in cards[0].parent.glob("Cards*")) == ["Cards.sqlite"]


def test_a_read_only_store_is_not_migrated(studio, cards, desk):
    driver = desk(studio(*cards), "/studio/cards-sqlite/migrate")
    until_text(driver, "#migrate-plan", "--write")
    assert driver.execute_script("return document.querySelector('#migrate-run').disabled")
    status, answer = ask(driver, "/studio/api/cards-sqlite/migrate/run", "POST", {"model": "flashcards-xcdatamodeld"})
    assert status == 403 and "--write" in answer["error"]["remedy"] and "ZGUESS" not in columns(cards[0])


def test_the_migration_keeps_a_backup(studio, cards, desk):
    old = cards[0].read_bytes()
    driver = desk(studio(*cards, write=True), "/studio/cards-sqlite/migrate")
    until(driver, "the button", "return document.querySelector('#migrate-run:not(:disabled)')").click()
    name = until(driver, "the question", "return document.querySelector('#migrate-backup')")
    assert name.get_attribute("value").startswith("Cards-")
    driver.execute_script("arguments[0].value = 'Cards-before.sqlite'", name)
    driver.find_element("css selector", "#migrate-go").click()
    until_text(driver, "#migrate-done", "The store has the version FlashCards 2 now")
    until_text(driver, "#migrate-plan", "already has the version FlashCards 2")
    backup = cards[0].parent / "Cards-before.sqlite"
    assert "ZGUESS" in columns(cards[0]) and "ZGUESS" not in columns(backup) and len(old) > 0


def test_the_section_data_does_not_keep_a_store_from_being_migrated(studio, cards, desk):
    driver = desk(studio(*cards, write=True), "/studio/cards-sqlite/migrate")
    until(driver, "the button", "return document.querySelector('#migrate-run:not(:disabled)')")
    source, reader = "/studio/api/cards-sqlite", "?reader=0123456789"

    def properties():
        _, answer = ask(driver, f"{source}/data/entities{reader}")
        return [each["name"] for entity in answer["entities"] if entity["name"] == "CardResult" for each in entity["properties"]]

    assert "guess" not in properties()
    edit = {"kind": "set", "object": "CardResult/p1", "property": "cardName", "text": "Other"}
    assert ask(driver, f"{source}/data/apply{reader}", "POST", {"edits": [edit]})[0] == 200
    # Changes that are not saved would be lost.
    run = f"{source}/migrate/run", "POST", {"model": "flashcards-xcdatamodeld", "backup": "Cards-before.sqlite"}
    status, answer = ask(driver, *run)
    assert status == 409 and "not saved" in answer["error"]["message"] and "discard" in answer["error"]["remedy"]
    assert ask(driver, f"{source}/data/staged{reader}")[1]["changes"]
    assert ask(driver, f"{source}/data/discard{reader}", "POST", {})[0] == 200
    assert ask(driver, *run)[0] == 200
    job = soon(lambda: (report := ask(driver, f"{source}/migrate/job")[1])["phase"] != "running" and report)
    assert job["phase"] == "done", job
    # The store is open again, with its new version.
    assert "guess" in properties() and "ZGUESS" in columns(cards[0])
    assert ask(driver, f"{source}/data/apply{reader}", "POST", {"edits": [edit]})[0] == 200
    assert ask(driver, f"{source}/data/save{reader}", "POST", {})[1]["isSaved"]


def test_a_backup_never_leaves_the_folder_or_replaces_a_file(studio, cards, desk):
    (cards[0].parent / "Taken.sqlite").write_text("mine")
    driver = desk(studio(*cards, write=True), "/studio/cards-sqlite/migrate")
    until(driver, "the button", "return document.querySelector('#migrate-run:not(:disabled)')")
    run = "/studio/api/cards-sqlite/migrate/run"
    for name in ("../Out.sqlite", "/tmp/Out.sqlite", "", ".hidden"):
        status, answer = ask(driver, run, "POST", {"model": "flashcards-xcdatamodeld", "backup": name})
        assert status == 400 and "not a name of a file" in answer["error"]["message"]
    status, _ = ask(driver, run, "POST", {"model": "flashcards-xcdatamodeld", "backup": "Taken.sqlite"})
    assert status == 200
    job = soon(lambda: (report := ask(driver, "/studio/api/cards-sqlite/migrate/job")[1])["phase"] != "running" and report)
    assert job["phase"] == "failed" and job["error"]["message"]
    assert (cards[0].parent / "Taken.sqlite").read_text() == "mine" and "ZGUESS" not in columns(cards[0])


def test_without_a_model_the_page_says_how_to_give_one(studio, cards, desk):
    driver = desk(studio(cards[0]), "/studio/cards-sqlite/migrate")
    until_text(driver, "#migrate-empty", "managedgraph-studio Shop.sqlite Shop.xcdatamodeld")
