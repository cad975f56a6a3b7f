"""Deletions: a cascade is announced first, and every deletion can be undone for ten seconds."""

import html
import re

import pytest

import requests_plain as plain
from core_dump import add_bug, add_project, external_files, stored
from groceries import add_item, add_name
from pictures import png
from screens import ALERT, TEXTS
from test_found_by_use_overdue import overdue


def note(browser, text):
    browser.wait(f"the note {text!r}", "document.querySelector('section.deletion p')?.textContent === a[0]", text)
    return browser


def undo(browser):
    browser.find("section.deletion button").click()
    return browser


def confirm(browser, title, message):
    alert = browser.wait(f"the question {title!r}", ALERT)
    assert (alert["title"], alert["message"]) == (title, message)
    browser.find("dialog.alert .destructive").click()
    return browser


def cancel(browser):
    browser.wait("the question", ALERT)
    browser.find("dialog.alert button").click()
    browser.wait("no question", "!" + ALERT)
    return browser


def remove(browser, text):
    return browser.swipe(text).press_delete(text)


# Cascades

def test_a_project_with_bugs_is_deleted_after_a_question_and_undo_brings_back_all_of_it(browser, server):
    project = add_project(server)
    add_bug(server, project, "Crash", "first line\nsecond", png(600, 400, noise=True))
    bug = add_bug(server, project, "Typo")
    closed = {"title": "Typo", "details": "", "isClosed": "1", "action": "save"}
    assert plain.post(server, bug, closed).status == 303
    before = stored(server, "SELECT ZTITLE, ZDETAILS, ZISCLOSED, length(ZSCREENSHOT) > 0 FROM ZBUG ORDER BY ZTITLE")
    browser.open("/CoreDump").shows("Projects")
    remove(browser, "Website")
    cancel(browser).has_rows(["Website"])
    remove(browser, "Website") if not browser.find(".delete").is_displayed() else browser.press_delete("Website")
    confirm(browser, "Delete the project?", "Its 2 bugs are deleted too.").has_rows([])
    note(browser, "Project and its 2 bugs deleted")
    assert stored(server, "SELECT count(*) FROM ZBUG") == [(0,)] and external_files(server) == []
    undo(browser).has_rows(["Website"])
    assert browser.sections == [["www.example.com", ["Website"]]]
    browser.tap("Website").shows("Website").has_rows(["Crash", "Typo"])
    assert stored(server, "SELECT ZTITLE, ZDETAILS, ZISCLOSED, length(ZSCREENSHOT) > 0 FROM ZBUG ORDER BY ZTITLE") == before
    assert len(external_files(server)) == 1
    browser.tap("Crash").shows("Bug").wait("its picture", "document.querySelector('.picture-frame img')?.naturalWidth === 600")


def test_a_project_without_bugs_is_deleted_without_a_question(browser, server):
    add_project(server)
    browser.open("/CoreDump").shows("Projects")
    remove(browser, "Website").has_rows([])
    undo(note(browser, "Project deleted")).has_rows(["Website"])


def test_a_game_says_that_its_cards_go_too(browser, server):
    server.begin_with("FlashCards", "FlashCards-1.sqlite")
    browser.open("/FlashCards/history").shows("History")
    before = [row.text for row in browser.all("li.row .row-subtitle")]
    browser.find("#edit").click()
    browser.find(".minus").click()
    browser.find(".delete").click()
    confirm(browser, "Delete the game result?", "Its 2 card results are deleted too.")
    browser.wait("one game", "document.querySelectorAll('li.row').length === 1")
    undo(note(browser, "Game result and its 2 card results deleted"))
    browser.wait("two games", "document.querySelectorAll('li.row').length === 2")
    assert [row.text for row in browser.all("li.row .row-subtitle")] == before


# Undo

def test_every_list_has_undo(browser, server):
    item = plain.post(server, "/GroceryDude", {"action": "insert"}).headers["location"]
    for word, name in [("units", "kg"), ("home-locations", "Cellar"), ("shop-locations", "Dairy")]:
        add_name(browser, item, word, name)
    plain.post(server, item, {"action": "save", "name": "Milk"})
    assert plain.post(server, "/TaskList/new", {"action": "save", "taskText": "Bread"}).status == 303
    project = add_project(server)
    add_bug(server, project, "Crash")
    for path, text, words in [
        ("/TaskList", "Bread", "Task deleted"),
        (project, "Crash", "Bug deleted"),
        ("/GroceryDude", "Milk", "Item deleted"),
        (item + "/units", "kg", "Unit deleted"),
        (item + "/home-locations", "Cellar", "Location at home deleted"),
        (item + "/shop-locations", "Dairy", "Location at shop deleted"),
    ]:
        if path.startswith(item):
            # The item has been brought back as another one.
            item_now = re.search(r"/GroceryDude/item/Item-p\d+", plain.get(server, "/GroceryDude").text)[0]
            path = path.replace(item, item_now)
        browser.open(path).wait(text, TEXTS + ".includes(a[0])", text)
        remove(browser, text).wait("no row", "!" + TEXTS + ".includes(a[0])", text)
        undo(note(browser, words)).wait("the row again", TEXTS + ".includes(a[0])", text)


def test_the_tasks_of_a_deleted_location_have_it_again_unless_they_have_another(browser, server):
    one = plain.add_task(server, "Dig", location="Garden")
    two = plain.add_task(server, "Write", location="Garden")
    plain.post(server, one + "/location/new", {"action": "save", "value": "Office"})
    browser.open(one + "/location").shows("Location")
    remove(browser, "Garden").has_rows(["Office"])
    note(browser, "Location deleted")
    plain.post(server, two + "/location", {"action": "choose", "value": plain.reference(plain.get(server, two + "/location").text, "Office")})
    undo(browser).has_rows(["Garden", "Office"])
    browser.open("/Tasks/locations").shows("Tasks by Location")
    assert browser.sections == [["Garden", ["Dig"]], ["Office", ["Write"]]]


def test_two_deletions_are_undone_in_turn_and_find_each_other_again(browser, server):
    task = plain.add_task(server, "Dig", location="Garden", priority="Low")
    other = plain.add_task(server, "Other")
    browser.open("/Tasks").shows("Tasks")
    remove(browser, "Dig").has_rows(["Other"])
    browser.open(other + "/location").shows("Location")
    remove(browser, "Garden").has_rows([])
    undo(note(browser, "Location deleted")).has_rows(["Garden"])
    undo(note(browser, "Task deleted"))
    browser.open("/Tasks/locations").shows("Tasks by Location")
    browser.wait("both sections", "document.querySelectorAll('.group').length === 2")
    assert ["Garden", ["Dig"]] in browser.sections
    assert plain.get(server, task).status == 404


def test_an_overdue_task_comes_back_as_it_was(browser, server):
    overdue(server, "Late")
    browser.open("/Tasks").shows("Tasks")
    remove(browser, "Late").has_rows([])
    undo(note(browser, "Task deleted")).has_rows(["Late"])
    assert browser.red == ["Late"]


def test_the_note_goes_with_the_reader_and_ends_by_itself(browser, server):
    plain.add_task(server, "Bread")
    browser.open("/Tasks").shows("Tasks")
    remove(browser, "Bread").has_rows([])
    note(browser, "Task deleted")
    left = browser.driver.execute_script("return deletions.notes[0].until - Date.now()")
    assert 5_000 < left <= 10_000
    browser.open("/TaskList").shows("Task List")
    assert not browser.all("section.deletion")
    browser.open("/Tasks/locations").shows("Tasks by Location")
    note(browser, "Task deleted")
    browser.driver.execute_script("deletions.letGo(); deletions.notes[0].until = Date.now() + 300; deletions.show()")
    browser.wait("no note", "!document.querySelector('section.deletion')")


def test_the_keyboard_undoes_and_another_reader_sees_it(browser, other, server):
    from selenium.webdriver.common.keys import Keys

    plain.add_task(server, "Bread")
    other.open("/Tasks").shows("Tasks").has_rows(["Bread"]).mark()
    browser.open("/Tasks").shows("Tasks")
    remove(browser, "Bread").has_rows([])
    other.has_rows([])
    assert not other.all("section.deletion")
    note(browser, "Task deleted").driver.switch_to.active_element.send_keys(Keys.CONTROL + "z")
    browser.has_rows(["Bread"])
    other.has_rows(["Bread"])
    assert other.is_unreloaded


# Without scripts

def test_without_scripts_the_question_and_undo_are_pages(server):
    project = add_project(server)
    add_bug(server, project, "Crash")
    fields = {"action": "delete", "value": project.split("/")[-1]}
    asked = plain.post(server, "/CoreDump", fields)
    assert asked.status == 200 and "Its bug is deleted too." in asked.text
    assert f'name="value" value="{fields["value"]}"' in asked.text and 'name="confirmed"' in asked.text
    deleted = plain.post(server, "/CoreDump", {**fields, "confirmed": "yes"})
    assert deleted.status == 303
    page = plain.get(server, deleted.headers["location"]).text
    form = page.split("<noscript><form")[1].split("</form>")[0]
    assert "Project and its bug deleted" in form
    sent = {name: html.unescape(value) for name, value in re.findall(r'name="(\w+)" value="([^"]*)"', form)}
    again = plain.post(server, re.search(r'action="([^"]*)"', form)[1], sent)
    assert (again.status, again.headers["location"]) == (303, "/CoreDump")
    assert "Website" in plain.get(server, "/CoreDump").text


@pytest.mark.parametrize("token", ["", "nonsense"])
def test_an_unknown_deletion_is_refused_in_words(server, token):
    answer = plain.post(server, "/Tasks/-undo", {"token": token, "back": "//elsewhere.example/"})
    assert answer.status == 422 and "too long ago" in answer.text
