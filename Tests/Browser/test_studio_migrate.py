"""The section Migrate: the plan, the rehearsal on a copy, the migration with progress and a backup."""

import shutil
import sqlite3
from pathlib import Path

import pytest
from studio_pages import FIXTURES, all_of, ask, until, until_text

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


def test_rows_that_do_not_fit_are_named(studio, folder, desk):
    store, model = folder / "Misfit.sqlite", folder / "Harbour.xcdatamodeld"
    shutil.copy(FIXTURES / "Harbour1.sqlite", store)
    shutil.copytree(FIXTURES / "Harbour.xcdatamodeld", model)
    # The next version requires a value that a row lacks.
    current = model / ".xccurrentversion"
    assert current.exists()
    versions = sorted(path.name for path in model.iterdir() if path.suffix == ".xcdatamodel")
    driver = desk(studio(store, model), "/studio/misfit-sqlite/migrate")
    until(driver, "a verdict", "return document.querySelector('#migrate-plan .note')")
    status, plan = ask(driver, "/studio/api/misfit-sqlite/migrate/plan", "POST", {"model": "harbour-xcdatamodeld"})
    assert status == 200 and versions, plan
    shown = driver.execute_script("return document.querySelector('#migrate-plan').innerText")
    for step in plan["steps"]:
        assert f"{step['from']} → {step['to']}" in shown
        for misfit in step["misfits"]:
            assert misfit["reason"] in shown
        for entity in step["entities"]:
            if entity["kind"] != "unchanged":
                assert (entity.get("destination") or entity["source"]) in shown


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


def test_a_backup_never_leaves_the_folder_or_replaces_a_file(studio, cards, desk):
    (cards[0].parent / "Taken.sqlite").write_text("mine")
    driver = desk(studio(*cards, write=True), "/studio/cards-sqlite/migrate")
    until(driver, "the button", "return document.querySelector('#migrate-run:not(:disabled)')")
    run = "/studio/api/cards-sqlite/migrate/run"
    for name in ("../Out.sqlite", "/tmp/Out.sqlite", "", ".hidden"):
        status, answer = ask(driver, run, "POST", {"model": "flashcards-xcdatamodeld", "backup": name})
        assert status == 400 and "no name of a file" in answer["error"]["message"]
    status, _ = ask(driver, run, "POST", {"model": "flashcards-xcdatamodeld", "backup": "Taken.sqlite"})
    assert status == 200
    until_job = lambda: ask(driver, "/studio/api/cards-sqlite/migrate/job")[1]
    from conftest import soon

    job = soon(lambda: (report := until_job())["phase"] != "running" and report)
    assert job["phase"] == "failed" and job["error"]["message"]
    assert (cards[0].parent / "Taken.sqlite").read_text() == "mine" and "ZGUESS" not in columns(cards[0])


def test_without_a_model_the_page_says_how_to_give_one(studio, cards, desk):
    driver = desk(studio(cards[0]), "/studio/cards-sqlite/migrate")
    until_text(driver, "#migrate-empty", "managedgraph-studio Shop.sqlite Shop.xcdatamodeld")
