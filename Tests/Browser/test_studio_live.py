"""The studio beside the running applications: links to it, and the section Live."""

import core_dump
import load
import pytest
from conftest import Server, forget, prepared, soon
from screens import add_task
from selenium.webdriver.common.by import By
from studio_pages import all_of, ask, emulate, faults, overflow, until, until_text


@pytest.fixture
def samples(folder):
    server = Server(folder / "Data", samples=True).start()
    yield server
    status, output = server.stop()
    assert status == 0 and "all is saved" in output


@pytest.fixture
def page(first_driver, samples):
    """The home page on a desktop; fails if the console has errors at the end."""
    forget(first_driver)
    first_driver.set_window_size(1280, 800)
    first_driver.get(samples.address)
    yield first_driver
    first_driver.get("about:blank")
    errors = [entry for entry in first_driver.get_log("browser") if entry["level"] == "SEVERE" and "Failed to load" not in entry["message"]]
    assert not errors, errors


@pytest.fixture
def person(second_driver, samples):
    """A second reader, who uses the applications in another window."""
    yield prepared(second_driver, samples)
    second_driver.get("about:blank")


def card(driver, title):
    return next(each for each in all_of(driver, "li.app") if each.find_element(By.CSS_SELECTOR, ".row-title").text == title)


def open_live(driver, title):
    next(link for link in card(driver, title).find_elements(By.CSS_SELECTOR, ".app-links a") if link.text == "SQL").click()
    until_text(driver, "#live-state", "live")


def lines(driver, kind):
    return driver.execute_script("return [...document.querySelectorAll(`.live-log [data-kind=${arguments[0]}]`)].map((line) => line.innerText)", kind)


def choose(driver, kind, text):
    script = "return [...document.querySelectorAll(`.live-log [data-kind=${arguments[0]}]`)].find((line) => line.innerText.includes(arguments[1]))"
    until(driver, f"{kind}: {text}", script, kind, text)
    # The list is drawn again by every message.
    driver.execute_script(script + ".click()", kind, text)


def rename(person, text, other):
    person.tap(text).shows("Task Detail").tap("Text").shows("Text").fill(other)
    person.save().shows("Task Detail")


# Links


def test_the_home_page_has_the_studio_as_its_sixth_tile(page):
    tiles = [each.text for each in all_of(page, "li.app .row-title")]
    assert tiles[5] == "Studio" and len(tiles) == 7
    card(page, "Studio").find_element(By.CSS_SELECTOR, "a").click()
    until(page, "five applications", "return document.querySelectorAll('#section .card').length == 5")
    assert all("running" in each.text for each in all_of(page, "#section .card"))
    until_text(page, ".bar a", "Applications").click()
    until(page, "the home page", "return location.pathname == '/'")


def test_one_click_leads_from_an_application_to_its_part_of_the_studio(page, samples):
    open_live(page, "Tasks")
    assert page.current_url == f"{samples.address}/studio/tasks/live"
    page.get(f"{samples.address}/CoreDump")
    page.execute_script("document.getElementById('hood-button').click()")
    until_text(page, ".hood-guest a", "SQL").click()
    until_text(page, ".bar-source .name", "CoreDump")
    assert page.current_url == f"{samples.address}/studio/coredump/live"
    page.add_cookie({"name": "hood", "value": ""})


def test_each_link_of_a_card_shows_that_application(page, samples):
    titles = [link.text for link in card(page, "FlashCards").find_elements(By.CSS_SELECTOR, ".app-links a")]
    assert titles[0] == "Model" and titles[-1] == "SQL"
    for title in titles:
        page.get(samples.address)
        next(link for link in card(page, "FlashCards").find_elements(By.CSS_SELECTOR, ".app-links a") if link.text == title).click()
        until_text(page, ".bar-source .name", "FlashCards")
        until(page, "the section", "return document.querySelector('#section').children.length")
        assert not all_of(page, "#section .note.bad")


def test_the_applications_are_not_reached_with_another_key(page, samples):
    status, answer = ask(page, "/studio/api/tasks/about")
    assert status == 403 and "key" in answer["error"]["remedy"]


# Live


def test_a_save_shows_author_context_objects_and_values_before_and_after(page, person):
    open_live(page, "Tasks")
    add_task(person, "Buy a compass")
    choose(page, "save", "1 inserted")
    detail = until_text(page, ".live-detail", "dueDate").text
    assert "inserted" in detail and "Task/p" in detail and "Before" in detail and "Context" in detail
    choose(page, "save", "1 updated")
    until_text(page, ".live-detail .live-after", "Buy a compass")
    page.execute_script("document.getElementById('live-clear').click()")
    rename(person, "Buy a compass", "Buy two compasses")
    choose(page, "save", "1 updated")
    until_text(page, ".live-detail .live-after", "Buy two compasses")
    assert page.find_element(By.CSS_SELECTOR, ".live-detail .live-before").text == "Buy a compass"


def test_statements_show_their_cause_time_and_bound_values(page, person):
    open_live(page, "CoreDump")
    person.open("/CoreDump")
    choose(page, "sql", "fetch Project")
    detail = until_text(page, ".live-detail", "SELECT").text
    assert "ZPROJECT" in detail and "ms" in detail and "row" in detail and "application" in detail
    page.execute_script("document.getElementById('live-save').click()")
    until(page, "no statement", "return !document.querySelector('.live-log [data-kind=sql]')")
    assert "show=save" in page.current_url
    page.execute_script("document.getElementById('live-sql').click()")
    until(page, "statements", "return document.querySelector('.live-log [data-kind=sql]')")


def test_fired_faults_name_their_objects(page, person):
    open_live(page, "CoreDump")
    person.open("/CoreDump")
    first = person.driver.execute_script("return document.querySelector('li.row a').href")
    person.driver.get(first)
    choose(page, "fault", "fired")
    until_text(page, ".live-detail", "/p")


def test_rows_that_the_studio_reads_are_hidden_as_its_own(page):
    open_live(page, "Tasks")
    source = page.current_url.split("/studio/")[1].split("/")[0]
    assert ask(page, f"/studio/api/{source}/data/entities?reader=0123456789")[0] == 200
    found = "return [...document.querySelectorAll('.live-log .live-context')].some((each) => each.innerText.includes('studio rows'))"
    page.execute_script("document.querySelector('#live-own').click()")
    until(page, "the studio's own statements", found)
    page.execute_script("document.querySelector('#live-own').click()")
    assert not page.execute_script(found)


def test_contexts_objects_and_memory_are_shown(page, person):
    open_live(page, "Tasks")
    person.open("/Tasks")
    until_text(page, "#live-contexts", "application")
    until_text(page, "#live-contexts", "private queue")
    until(page, "objects", "return [...document.querySelectorAll('#live-contexts .count')].some((each) => Number(each.innerText) > 0)")
    figures = until_text(page, "#live-figures", "Memory").text
    assert "MB" in figures and "Statements" in figures and "Log (-wal)" in figures


def test_the_list_is_paused_and_cleared(page, person):
    open_live(page, "Tasks")
    person.open("/Tasks")
    until(page, "statements", "return document.querySelector('.live-log [data-kind=sql]')")
    page.execute_script("document.getElementById('live-pause').click(); document.getElementById('live-clear').click()")
    until(page, "an empty list", "return !document.querySelector('#live-empty').hidden && document.querySelector('#live-state').innerText == 'paused'")
    person.open("/Tasks?filter=none")
    person.open("/Tasks")
    page.execute_script("document.getElementById('live-pause').click()")
    until(page, "what happened meanwhile", "return document.querySelector('#live-empty').hidden")


def test_observed_saves_are_put_back_from_the_history(page, person, samples):
    open_live(page, "Tasks")
    add_task(person, "Read a map")
    choose(page, "save", "1 updated")
    page.execute_script("document.getElementById('live-clear').click()")
    rename(person, "Read a map", "Burn a map")
    choose(page, "save", "1 updated")
    until_text(page, ".live-detail .live-after", "Burn a map")
    until_text(page, ".bar .tabs a", "History").click()
    until(page, "two saves", "return document.querySelectorAll('.history-save').length >= 2")
    all_of(page, ".history-save button")[0].click()
    until(page, "its moments", "return document.querySelectorAll('.history-moment').length >= 2")
    buttons = all_of(page, ".history-moment [data-restore]")
    assert buttons, "a moment with another text"
    buttons[0].click()
    until_text(page, "dialog", "Read a map")
    page.find_element(By.CSS_SELECTOR, "#history-restore").click()
    until(page, "no dialog", "return !document.querySelector('dialog.sheet')")
    person.open("/Tasks")
    person.until("the former text", lambda: "Read a map" in person.texts and "Burn a map" not in person.texts)


def test_the_server_stops_while_the_section_is_open(folder):
    server = Server(folder / "Other").start()
    stream = load.studio(server.port)
    assert soon(lambda: stream.read(0, [], {}) and stream.messages)
    assert server.stop()[0] == 0


def test_the_history_of_an_application_is_that_of_its_store(page, person, samples):
    open_live(page, "CoreDump")
    until_text(page, ".bar .tabs a", "History").click()
    until_text(page, "#section .strip", "of the store’s history")
    until_text(page, ".history-save", "inserted")
    saves = len(all_of(page, ".history-save"))
    core_dump.add_project(samples)
    page.execute_script("document.getElementById('history-reload').click()")
    until(page, "another save", f"return document.querySelectorAll('.history-save').length == {saves + 1}")
    newest = all_of(page, ".history-save")[0].text
    assert "inserted" in newest and "Project/p" in newest and "application" in newest


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(page, person, scheme):
    emulate(page, scheme)
    try:
        open_live(page, "CoreDump")
        person.open("/CoreDump")
        choose(page, "sql", "fetch Project")
        until_text(page, ".live-detail", "SELECT")
        found = faults(page)
        for width in (390, 1920):
            page.set_window_size(width, 844)
            found += faults(page) + overflow(page)
    finally:
        emulate(page, "light")
    assert not found, "\n".join(found)
