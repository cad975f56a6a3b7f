"""The section Console: fetches with their SQL, values and plan; groups; saved queries."""

import json
import sqlite3
from urllib.parse import quote

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from studio_data import Data, harbour


def console(fetch):
    return f"/studio/harbour-sqlite/console?fetch={quote(json.dumps(fetch))}"


def rows(page):
    return [row.text for row in page.driver.find_elements(By.CSS_SELECTOR, "#console-rows tbody tr")]


def test_a_fetch_shows_its_sql_values_and_plan_in_words(studio, desk, folder):
    running = studio(harbour(folder))
    page = Data(desk(running, "/studio/harbour-sqlite/console"))
    page.wait("the page that teaches", "return document.querySelector('.empty')?.innerText.includes('Run a fetch')")
    page.driver.find_element(By.CSS_SELECTOR, "#console-entity option[value=Vessel]").click()
    page.keys("/")
    page.driver.find_element(By.ID, "console-predicate").send_keys("length > 10")
    page.chord(Keys.CONTROL, Keys.ENTER)
    page.wait("two rows", "return document.querySelectorAll('#console-rows tbody tr').length === 2")
    assert "ZLENGTH" in page.driver.find_element(By.ID, "console-sql").text
    assert page.driver.find_element(By.ID, "console-bindings").text.startswith("10")
    plan = page.driver.find_element(By.CSS_SELECTOR, ".console-plan").text
    assert "reads all rows of ZVESSEL" in plan and "Read from end to end" in plan and "ms" in plan
    assert 'NSPredicate(format: "length > 10")' in plan
    assert "fetch=" in page.driver.current_url
    page.driver.refresh()
    page.wait("two rows again", "return document.querySelectorAll('#console-rows tbody tr').length === 2")


def test_the_plan_names_the_index(studio, desk, folder):
    store = harbour(folder)
    running = studio(store)
    page = Data(desk(running, console({"entity": "Vessel", "predicate": "registration == \"SK-7\""})))
    page.wait("the row", "return document.querySelectorAll('#console-rows tbody tr').length === 1")
    with sqlite3.connect(store) as connection:
        indexes = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'index' AND sql LIKE '%ZREGISTRATION%'")]
    connection.close()
    facts = page.driver.find_element(By.CSS_SELECTOR, ".console-plan .facts").text
    assert indexes and any(index in facts for index in indexes), facts


def test_groups_have_functions(studio, desk, folder):
    running = studio(harbour(folder))
    page = Data(desk(running, console({"entity": "Vessel"})))
    page.wait("all rows", "return document.querySelectorAll('#console-rows tbody tr').length === 4")
    page.driver.find_element(By.ID, "console-groups").send_keys("berth.label")
    page.click("#console-aggregate")
    page.click("#console-aggregate")
    page.driver.find_elements(By.CSS_SELECTOR, ".aggregate select")[1].send_keys("max")
    page.driver.find_elements(By.CSS_SELECTOR, ".aggregate input")[1].send_keys("length")
    page.driver.find_element(By.ID, "console-sort").send_keys("berth.label")
    page.click_text("Run")
    page.wait("two groups", "return document.querySelectorAll('#console-rows tbody tr').length === 2")
    assert rows(page) == ["– 1 3.0", "North quay 3 81.5"]
    assert "GROUP BY" in page.driver.find_element(By.ID, "console-sql").text
    page.driver.find_element(By.ID, "console-having").send_keys("count > 1")
    page.click_text("Run")
    page.wait("one group", "return document.querySelectorAll('#console-rows tbody tr').length === 1")


def test_an_error_is_marked_at_its_place(studio, desk, folder):
    running = studio(harbour(folder))
    page = Data(desk(running, console({"entity": "Vessel", "predicate": "length >> "})))
    page.wait("a note", "return document.querySelector('.console-result .note')")
    page.wait("a mark", "return document.querySelector('.predicate-marks mark')")
    field = page.driver.find_element(By.ID, "console-predicate")
    assert field.get_attribute("aria-invalid") == "true"


def test_a_result_opens_its_object(studio, desk, folder):
    running = studio(harbour(folder))
    page = Data(desk(running, console({"entity": "Vessel", "predicate": "name == \"Punt\""})))
    page.wait("the row", "return document.querySelectorAll('#console-rows tbody tr').length === 1")
    page.click("#console-rows td button")
    page.until_inspected("Punt")
    assert "/data/Tug?row=Tug%2Fp5" in page.driver.current_url


def test_queries_are_saved_beside_the_model(studio, desk, folder):
    running = studio(harbour(folder))
    page = Data(desk(running, console({"entity": "Vessel", "predicate": "length > 10", "sort": ["name"]})))
    page.wait("two rows", "return document.querySelectorAll('#console-rows tbody tr').length === 2")
    page.click_text("Save…")
    page.dialog()
    page.driver.find_element(By.ID, "query-name").send_keys("Long ones", Keys.ENTER)
    page.wait("the query", "return document.querySelector('#console-queries .name')?.textContent === 'Long ones'")
    file = folder / "Harbour.queries.json"
    assert json.loads(file.read_text()) == [{"name": "Long ones", "request": {"entity": "Vessel", "predicate": "length > 10", "sort": ["name"]}}]
    page.driver.get(f"{running.address}/studio/harbour-sqlite/console")
    page.wait("the page that teaches", "return document.querySelector('.empty')?.innerText.includes('Run a fetch')")
    page.click_text("Long ones\nVessel", "#console-queries button")
    page.wait("two rows", "return document.querySelectorAll('#console-rows tbody tr').length === 2")
    page.click("#console-queries .icon-button")
    page.dialog()
    page.click_text("Remove", "dialog button")
    page.wait("no query", "return !document.querySelector('#console-queries .name')")
    assert json.loads(file.read_text()) == []
