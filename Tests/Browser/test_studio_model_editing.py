"""Editing a model in the studio: fields, drags, the keyboard, undo, and the file that is saved."""

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from modeller import MODEL, Modeller, contents, write_model


@pytest.fixture
def model(folder):
    return write_model(folder)


@pytest.fixture
def shop(studio, desk, model):
    return Modeller(desk, studio(model), width=1280, height=800)


def test_a_field_is_written_when_saved(shop, model):
    shop.select("Task.priority")
    shop.set("Maximum", "9")
    assert contents(model) == MODEL
    assert not shop.is_saved()
    shop.save()
    assert contents(model) == MODEL.replace(
        'attributeType="Integer 16" defaultValueString="0"', 'attributeType="Integer 16" maxValueString="9" defaultValueString="0"'
    )


def test_a_refused_value_shows_the_reason_and_stays(shop, model):
    shop.select("Task.priority")
    control = shop.field("Default")
    control.send_keys(Keys.CONTROL, "a")
    control.send_keys("high", Keys.TAB)
    problem = shop.wait("#model-panel .problem").text
    assert "whole number" in problem
    assert shop.field("Default").get_attribute("value") == "high"
    assert shop.is_saved()


def test_entries_of_user_info_keep_their_values(shop, model):
    def inputs():
        return shop.all("#model-panel .entry input")

    shop.select("Tag")
    shop.button("Add an entry").click()
    # The value may come before the key.
    inputs()[1].send_keys("red")
    shop.changing(lambda: inputs()[0].send_keys("colour", Keys.TAB))
    shop.button("Add an entry").click()
    inputs()[2].send_keys("colour", Keys.TAB)
    inputs()[3].send_keys("blue", Keys.TAB)
    assert "another entry with the key colour" in shop.wait("#model-panel .problem").text
    control = inputs()[2]
    control.send_keys(Keys.CONTROL, "a")
    shop.changing(lambda: control.send_keys("paint", Keys.TAB))
    shop.save()
    saved = contents(model)
    assert '<entry key="colour" value="red"/>' in saved and '<entry key="paint" value="blue"/>' in saved


def test_cards_are_dragged_and_their_places_saved(shop, model):
    before = shop.cards()
    shop.changing(lambda: shop.drag(shop.card("Tag").find_element(By.CSS_SELECTOR, ".stripe"), -120, 40))
    after = shop.cards()
    assert after["Tag"]["x"] < before["Tag"]["x"] - 60
    assert after["List"] == before["List"]
    shop.save()
    saved = contents(model)
    changed = [line for line in saved.splitlines() if line not in MODEL.splitlines()]
    assert len(changed) == 1 and 'name="Tag"' in changed[0] and "positionX" in changed[0]


def test_a_drag_from_card_to_card_relates_them(shop, model):
    shop.select("List")
    handle = shop.card("List").find_element(By.CSS_SELECTOR, ".connector circle")
    target = shop.card("Tag").find_element(By.CSS_SELECTOR, ".name")
    shop.changing(lambda: ActionChains(shop.driver).click_and_hold(handle).move_to_element(target).release().perform())
    assert "tags" in shop.rows("List") and "list" in shop.rows("Tag")
    assert "List.tags" in shop.lines()
    # The name of the new relationship can be typed at once.
    shop.until("the name has the focus", lambda: shop.driver.switch_to.active_element.get_attribute("value") == "tags")
    shop.save()
    assert 'inverseName="list" inverseEntity="Tag"' in contents(model)


def test_undo_and_redo_to_any_depth(shop, model):
    shop.select("Tag.word")
    shop.check("Optional")
    shop.set("Name", "text")
    shop.set("Type", "Date")
    assert shop.rows("Tag") == ["text"]
    for _ in range(3):
        shop.changing(lambda: shop.press(Keys.CONTROL, "z"))
    assert shop.rows("Tag") == ["word"] and shop.is_saved()
    for _ in range(3):
        shop.changing(lambda: shop.press(Keys.CONTROL, Keys.SHIFT, "z"))
    assert shop.rows("Tag") == ["text"]
    shop.save()
    assert '<attribute name="text" attributeType="Date"' in contents(model)


def test_undo_works_in_a_field_that_has_nothing_to_undo(shop):
    shop.select("Tag")
    shop.set("Name", "Label")
    control = shop.field("Name")
    shop.changing(lambda: shop.press(Keys.CONTROL, "z", on=control))
    assert "Tag" in shop.cards()
    # Text that is being typed is the field's own.
    control = shop.field("Name")
    control.send_keys("x")
    revision = shop.revision()
    control.send_keys(Keys.CONTROL, "z")
    assert shop.field("Name").get_attribute("value") == "Tag" and shop.revision() == revision


def test_edits_survive_a_reload_of_the_page(shop, model):
    shop.select("Tag")
    shop.set("Name", "Label")
    shop.driver.refresh()
    shop.wait(".canvas[data-revision]")
    assert "Label" in shop.cards()
    # The address names the selected entity.
    shop.until("the selection", lambda: shop.texts("#model-panel h2") == ["Label"])
    assert contents(model) == MODEL
    shop.changing(lambda: shop.press(Keys.CONTROL, "z"))
    assert "Tag" in shop.cards()


def test_the_keyboard_reaches_everything(shop, model):
    shop.select("Task")
    shop.press(Keys.ARROW_RIGHT, on=shop.card("Task"))
    shop.until("the card at the right", lambda: shop.driver.switch_to.active_element.get_attribute("data-entity") in ("List", "Tag"))
    shop.press(Keys.ARROW_LEFT, on=shop.card("Task"))
    shop.until("the card at the left", lambda: shop.driver.switch_to.active_element.get_attribute("data-entity") == "Item")
    shop.press(Keys.ENTER, on=shop.card("Item"))
    shop.until("the name has the focus", lambda: shop.driver.switch_to.active_element.get_attribute("value") == "Item")
    # Alt with an arrow moves a card.
    shop.changing(lambda: shop.press(Keys.ALT, Keys.ARROW_DOWN, on=shop.card("Tag")))
    # Delete asks, and names the parts that are removed too.
    shop.press(Keys.DELETE, on=shop.card("List"))
    dialog = shop.wait("dialog.sheet[open]")
    assert "Task.list" in dialog.text
    shop.changing(lambda: dialog.find_element(By.CSS_SELECTOR, ".primary").click())
    assert set(shop.cards()) == {"Item", "Task", "Tag"}
    # In a card, arrows go through its properties, and Delete removes one.
    shop.select("Task.priority")
    shop.press(Keys.ARROW_DOWN, on=shop.card("Task"))
    shop.until("the next property", lambda: shop.texts("#model-panel h2") == ["photo"])
    shop.press(Keys.DELETE, on=shop.card("Task"))
    assert "Delete Task.photo?" in shop.wait("dialog.sheet[open]").text
    shop.changing(lambda: shop.wait("dialog.sheet[open] .primary").click())
    assert shop.rows("Task") == ["priority"]
    shop.changing(lambda: shop.press("n"))
    assert "Entity" in shop.cards()
    shop.changing(lambda: shop.press("a"))
    assert shop.rows("Entity") == ["attribute"]


def test_every_kind_of_part_is_added_and_inspected(shop, model):
    for noun, title in [("fetch request", "FetchRequest"), ("configuration", "Configuration")]:
        button = shop.wait(f'#sidebar button[aria-label="Add a {noun}"]')
        shop.changing(button.click)
        shop.until(title, lambda: shop.texts("#model-panel h2") == [title])
    shop.select("Task")
    shop.changing(shop.button("Fetched property").click)
    shop.set("Predicate", "priority > 3")
    shop.select("Task")
    shop.changing(shop.button("Add a fetch index").click)
    shop.set("Parent entity", "None")
    shop.save()
    saved = contents(model)
    assert '<fetchIndex name="byIndex">' in saved and 'predicateString="priority > 3"' in saved
    assert '<configuration name="Configuration"/>' in saved and '<fetchRequest name="FetchRequest" entity=' in saved
    assert "parentEntity" not in saved


def test_a_predicate_is_checked_as_it_is_typed(shop):
    shop.wait('#sidebar [data-place*="Urgent"]').click()
    shop.until("the inspector", lambda: shop.texts("#model-panel h2") == ["Urgent"])
    control = shop.field("Predicate")
    answer = lambda: shop.driver.find_element(By.CSS_SELECTOR, ".check-answer").text
    shop.until("a good predicate", lambda: "fits" in answer())
    control.send_keys(" AND")
    shop.until("a syntax error with its place", lambda: "character" in answer())
    control.send_keys(" rank > 1")
    shop.until("an unknown name", lambda: "rank" in answer())
    assert control.get_attribute("aria-invalid") == "true"
    assert shop.is_saved()


def test_a_problem_of_a_missing_property_is_at_its_entity(studio, desk, folder):
    constraint = "<uniquenessConstraints><uniquenessConstraint><constraint value=\"price\"/></uniquenessConstraint></uniquenessConstraints>"
    word = '<attribute name="word" optional="YES" attributeType="String" syncable="YES"/>'
    assert word in MODEL
    shop = Modeller(desk, studio(write_model(folder, MODEL.replace(word, word + constraint))))
    mark = shop.wait('.entity[data-entity="Tag"] > .problem-mark.error title')
    assert "uniqueness constraint" in mark.get_attribute("textContent")
    shop.wait("#model-panel .problem-row").click()
    shop.until("the inspector of the entity", lambda: shop.texts("#model-panel h2") == ["Tag"])
    assert "uniqueness constraint" in shop.wait("#model-panel .inspector-head .note.bad").text


def test_problems_are_marked_in_their_place(shop):
    shop.select("Task.list")
    shop.set("Inverse", "No inverse")
    shop.select("Task")
    shop.changing(lambda: shop.button("Fetched property").click())
    shop.set("Predicate", "rank > 1")
    mark = shop.wait('.entity[data-entity="Task"] .row.fetched .problem-mark.warning title')
    assert "rank" in mark.get_attribute("textContent")
    assert shop.texts('#sidebar [data-place*="Task"] .badge') == ["1"]
    assert "rank" in shop.wait("#model-panel .inspector-head .note").text
    shop.driver.find_element(By.CSS_SELECTOR, ".model-strip .state").click()
    shop.until("the list of problems", lambda: any("rank" in text for text in shop.texts("#model-panel .problem-row")))
