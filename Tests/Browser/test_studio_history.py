"""The section History: the timeline of a store, an object at each moment, putting it back."""

import shutil
import sqlite3

import pytest
from studio_pages import FIXTURES, all_of, ask, until, until_text


@pytest.fixture
def album(folder):
    return shutil.copy(FIXTURES / "Album.sqlite", folder / "Album.sqlite")


def transactions(store):
    with sqlite3.connect(f"file:{store}?mode=ro", uri=True) as connection:
        return connection.execute("SELECT count(*) FROM ATRANSACTION").fetchone()[0]


def test_the_timeline_lists_saves_with_author_objects_and_properties(studio, album, desk):
    driver = desk(studio(album), "/studio/album-sqlite/history")
    until(driver, "three saves", "return document.querySelectorAll('.history-save').length == 3")
    newest, middle, oldest = [save.text for save in all_of(driver, ".history-save")]
    assert "deleted" in newest and "Photo/p3" in newest
    assert middle.count("updated") == 2 and "Album/p1" in middle and "Photo/p1" in middle
    assert oldest.count("inserted") == 6
    until_text(driver, "#history-entities a", "Album").click()
    until(driver, "saves of albums", "return document.querySelectorAll('.history-save').length == 2")
    assert "entity=Album" in driver.current_url


def test_an_object_is_shown_as_it_was_at_each_moment(studio, album, desk):
    driver = desk(studio(album), "/studio/album-sqlite/history")
    until_text(driver, ".history-save button", "Photo/p1").click()
    until(driver, "two moments", "return document.querySelectorAll('.history-moment').length == 2")
    updated, inserted = [moment.text for moment in all_of(driver, ".history-moment")]
    assert "updated" in updated and "not kept" not in updated
    # The history keeps the names of the changed properties, not their former values.
    assert "inserted" in inserted and "not kept" in inserted
    assert len(all_of(driver, ".history-moment:first-child .history-changed, .history-moment .history-changed")) >= 1
    # The address is that of the object.
    driver.refresh()
    until(driver, "the same object", "return document.querySelectorAll('.history-moment').length == 2")


def test_a_deleted_object_is_inserted_again_with_its_kept_values(studio, album, desk):
    driver = desk(studio(album, write=True), "/studio/album-sqlite/history")
    before = transactions(album)
    until_text(driver, ".history-save button", "Photo/p3").click()
    until_text(driver, ".history-moment", "Blurred")
    until(driver, "the button", "return document.querySelector('.history-moment [data-restore]')").click()
    until_text(driver, "dialog", "Blurred")
    assert transactions(album) == before, "asking writes nothing"
    until(driver, "the save", "return document.querySelector('#history-restore:not(:disabled)')").click()
    until(driver, "four saves", "return document.querySelectorAll('.history-save').length == 4")
    newest = all_of(driver, ".history-save")[0].text
    assert "inserted" in newest and "studio" in newest
    until_text(driver, ".history-moment", "Blurred")
    with sqlite3.connect(album) as connection:
        assert connection.execute("SELECT count(*) FROM ZPHOTO").fetchone()[0] == 4


def test_a_read_only_store_refuses(studio, album, desk):
    driver = desk(studio(album), "/studio/album-sqlite/history")
    until_text(driver, ".history-save button", "Photo/p3").click()
    until(driver, "the button", "return document.querySelector('.history-moment [data-restore]')").click()
    until_text(driver, "dialog", "The store is read-only")
    assert not driver.execute_script("return document.querySelector('#history-restore:not(:disabled)')")
    content = open(album, "rb").read()
    uri, moment = driver.execute_script(
        "return [document.querySelector('.history-save [aria-pressed=true]').dataset.uri, document.querySelector('.history-moment').dataset.moment]"
    )
    status, answer = ask(driver, "/studio/api/album-sqlite/history/restore", "POST", {"uri": uri, "moment": moment, "saves": True})
    assert status == 403 and "--write" in answer["error"]["remedy"]
    assert open(album, "rb").read() == content


def test_a_store_without_history_teaches_how_to_keep_one(studio, folder, desk):
    store = shutil.copy(FIXTURES / "Ledger.sqlite", folder / "Ledger.sqlite")
    driver = desk(studio(store), "/studio/ledger-sqlite/history")
    until_text(driver, "#history-empty", "NSPersistentHistoryTrackingKey")
    until_text(driver, "#history-empty", "transactionAuthor")


def test_bad_requests_are_errors_with_a_remedy(studio, album, desk):
    driver = desk(studio(album, write=True), "/studio/album-sqlite/history")
    until_text(driver, ".history-save", "Photo/p3")
    for path in ("object?uri=nonsense", "object?uri=x-coredata://other/Photo/p1", "object?uri=", "object"):
        status, answer = ask(driver, f"/studio/api/album-sqlite/history/{path}")
        assert status in (400, 404), (path, status, answer)
    status, answer = ask(driver, "/studio/api/album-sqlite/history/restore", "POST", {"uri": "x"})
    assert status == 400 and "moment" in answer["error"]["message"]
