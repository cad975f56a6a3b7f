"""Consequences of changes, versions of a model, and files that change elsewhere."""

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import WebDriverWait

from modeller import FIXTURES, MODEL, Modeller, contents, copied, write_model
from studio_pages import ask


@pytest.fixture
def model(folder):
    return write_model(folder)


@pytest.fixture
def shop(studio, desk, model):
    return Modeller(desk, studio(model), width=1280, height=800)


def outcomes(page):
    return page.driver.execute_script("return [...document.querySelectorAll('.forecast')].map((part) => part.dataset.outcome)")


def test_the_forecast_follows_each_change(shop):
    shop.select("Tag.word")
    shop.driver.find_element(By.CSS_SELECTOR, '[data-tab="versions"]').click()
    shop.until("an unchanged model opens", lambda: outcomes(shop) == ["opens"])
    assert len(shop.texts(".hashes tbody tr")) == 4
    shop.changing(lambda: shop.press("a"))
    shop.driver.find_element(By.CSS_SELECTOR, '[data-tab="versions"]').click()
    shop.until("a new attribute migrates", lambda: outcomes(shop) == ["migrates"])
    assert shop.texts(".hashes tr.changed td:first-child") == ["Tag"]
    shop.driver.find_element(By.CSS_SELECTOR, '[data-tab="inspect"]').click()
    shop.check("Optional")
    shop.driver.find_element(By.CSS_SELECTOR, '[data-tab="versions"]').click()
    shop.until("a required one without a default does not", lambda: outcomes(shop) == ["refuses"])
    assert "default value" in shop.wait(".forecast .problem-row").text


def test_class_and_tables_follow_each_change(shop):
    shop.select("Tag")
    shop.driver.find_element(By.CSS_SELECTOR, '[data-tab="class"]').click()
    shop.until("the class", lambda: any("@NSManaged public var word: String?" in text for text in shop.texts(".source pre")))
    shop.driver.find_element(By.CSS_SELECTOR, '[data-tab="sql"]').click()
    shop.until("the table", lambda: any("CREATE TABLE ZTAG" in text and "ZWORD VARCHAR" in text for text in shop.texts(".source pre")))
    shop.changing(lambda: shop.press("a"))
    shop.driver.find_element(By.CSS_SELECTOR, '[data-tab="sql"]').click()
    shop.until("the new column", lambda: any("ZATTRIBUTE VARCHAR" in text for text in shop.texts(".source pre")))
    # The address shows the same to a colleague.
    assert "show=sql" in shop.driver.current_url


def test_a_new_version_is_made_compared_and_saved(shop, model):
    shop.button("New version…").click()
    dialog = shop.wait("dialog.sheet[open]")
    shop.changing(lambda: dialog.find_element(By.CSS_SELECTOR, ".primary").click())
    assert shop.wait(".model-strip select").get_attribute("value") == "Shop 2"
    shop.select("Task.priority")
    shop.set("Name", "rank")
    shop.set("Renaming ID", "priority")
    shop.select("Tag.word")
    shop.set("Type", "Date")
    shop.button("Compare…").click()
    shop.until("both sides", lambda: len(shop.all(".compare-pane .diagram")) == 2)
    sides = lambda selector: shop.driver.execute_script(
        "return [...document.querySelectorAll('.compare-pane')].map((pane) => [...pane.querySelectorAll(arguments[0])].map((row) => row.dataset.property))", selector)
    shop.until("coloured rows", lambda: sides(".row.changed") == [["priority", "word"], ["rank", "word"]])
    text = shop.wait(".compare-list").text
    assert "rank" in text and "was priority" in text and "Date" in text and "String" in text
    shop.button("Close the comparison").click()
    shop.save()
    assert contents(model) == MODEL
    assert 'name="rank"' in contents(model, "Shop 2") and 'elementID="priority"' in contents(model, "Shop 2")
    assert "Shop 2.xcdatamodel" in (model / ".xccurrentversion").read_text()
    # The first version can be shown, and made current again.
    shop.changing(lambda: shop.driver.execute_script(
        "const menu = document.querySelector('.model-strip select'); menu.value = 'Shop'; menu.dispatchEvent(new Event('change'))"))
    assert "priority" in shop.rows("Task")
    shop.changing(shop.button("Make current").click)
    shop.save()
    assert "<string>Shop.xcdatamodel</string>" in (model / ".xccurrentversion").read_text()


def test_a_file_that_changed_elsewhere_is_not_overwritten(shop, model):
    shop.select("Tag.word")
    shop.check("Optional")
    file = model / "Shop.xcdatamodel" / "contents"
    theirs = MODEL.replace('name="priority"', 'name="urgency"')
    file.write_text(theirs)
    shop.press(Keys.CONTROL, "s")
    dialog = shop.wait("dialog.sheet[open]")
    shop.until("the difference", lambda: "urgency" in dialog.text and "priority" in dialog.text)
    assert file.read_text() == theirs
    shop.changing(shop.button("Show their version").click)
    assert "urgency" in shop.rows("Task")
    # Undo shows ours again; saving over theirs is a choice.
    shop.changing(lambda: shop.press(Keys.CONTROL, "z"))
    assert "priority" in shop.rows("Task")
    file.write_text(theirs.replace("urgency", "weight"))
    shop.press(Keys.CONTROL, "s")
    shop.wait("dialog.sheet[open]")
    shop.changing(shop.button("Save over it").click)
    assert file.read_text() == MODEL.replace('<attribute name="word" optional="YES"', '<attribute name="word"')


def test_a_model_with_errors_is_opened_and_mended(studio, desk, folder):
    model = write_model(folder, MODEL.replace('destinationEntity="List"', 'destinationEntity="Lists"'))
    page = Modeller(desk, studio(model))
    assert page.texts(".model-strip .state") == ["1 error"]
    title = page.wait('.entity[data-entity="Task"] .row[data-property="list"] .problem-mark.error title').get_attribute("textContent")
    assert "Lists" in title
    page.select("Tag.word")
    page.check("Optional")
    page.press(Keys.CONTROL, "s")
    dialog = page.wait("dialog.sheet[open]")
    assert "Lists" in dialog.text
    page.button("Show the problems").click()
    page.until("the problems", lambda: len(page.texts("#model-panel .problem-row")) >= 1)
    page.select("Task.list")
    page.set("Destination", "List")
    page.set("Inverse", "tasks")
    page.save()
    assert 'destinationEntity="Lists"' not in contents(model)


def test_a_file_that_is_not_a_model_shows_the_reason(studio, desk, folder):
    model = write_model(folder, "<model")
    running = studio(model)
    driver = desk(running, "/studio/shop-xcdatamodeld/model")
    note = WebDriverWait(driver, 10).until(lambda each: each.find_element(By.CSS_SELECTOR, "#section .note.bad"))
    assert "XML" in note.text and str(model) in note.text
    # It is read again once it is mended.
    (model / "Shop.xcdatamodel" / "contents").write_text(MODEL)
    assert set(Modeller(desk, running).cards()) == {"Item", "Task", "List", "Tag"}


def test_a_compiled_model_is_read_only_and_converted(studio, desk, folder):
    copied(FIXTURES / "Orchard.momd", folder)
    page = Modeller(desk, studio(folder / "Orchard.momd"), "orchard-momd")
    assert "compiled" in page.wait(".model-notes .note").text
    assert not page.all('.model-strip [aria-label="Undo"]')
    page.select(next(iter(page.cards())))
    assert page.field("Name").get_attribute("readonly")
    page.button("Convert…").click()
    page.wait("dialog.sheet[open]").find_element(By.CSS_SELECTOR, ".primary").click()
    page.until("the converted model", lambda: (folder / "Orchard.xcdatamodeld").exists())
    assert "Orchard.xcdatamodeld" in page.wait(".model-notes .note.good").text


def test_nothing_is_written_without_a_change(studio, desk, folder):
    models = [copied(path, folder) for path in sorted(FIXTURES.glob("*.xcdatamodeld"))]
    before = {path: path.read_bytes() for model in models for path in model.rglob("*") if path.is_file()}
    running = studio(*models)
    for model in models:
        source = model.name.lower().replace(".", "-")
        page = Modeller(desk, running, source)
        page.press(Keys.CONTROL, "s")
        assert page.is_saved()
    assert {path: path.read_bytes() for path in before} == before


def test_an_edit_is_not_made_in_a_version_that_another_window_chose(studio, desk, folder):
    model = write_model(folder, versions=("Shop", "Shop 2"))
    page = Modeller(desk, studio(model))
    page.select("Tag")
    status, _ = ask(page.driver, "/studio/api/shop-xcdatamodeld/model/show", "POST", {"name": "Shop"})
    assert status == 200
    page.until("the box", lambda: next(label for label in page.all("#model-panel label.check") if label.text == "Abstract")).click()
    assert "another window" in page.wait(".model-notes .note.bad").text
    chosen = "return document.querySelector('.model-strip select').value"
    page.until("the other version", lambda: page.driver.execute_script(chosen) == "Shop")
    assert page.is_saved()
