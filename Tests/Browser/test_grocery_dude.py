"""Section 5: Grocery Dude's screens and rules."""

import re
import sqlite3

import requests_plain as plain
from groceries import (add_item, add_name, choices, choose, chosen, field, has_field, press, settled, styled, type_in)

UNKNOWN = "Unknown Location"


# Prepare

def test_plus_inserts_an_item_with_its_permanent_id_and_opens_it(browser):
    browser.open("/GroceryDude").shows("Prepare").has_rows([])
    browser.add().shows("Item")
    assert re.fullmatch(r"/GroceryDude/item/Item-p\d+", browser.path), browser.path
    assert field(browser, "name") == "New Item" and field(browser, "quantity") == "1"
    assert chosen(browser, "unit") == "None"
    assert chosen(browser, "locationAtHome") == UNKNOWN and chosen(browser, "locationAtShop") == UNKNOWN
    type_in(browser, "quantity", "2")
    browser.back().shows("Prepare").has_rows(["New Item"])
    assert browser.sections == [[UNKNOWN, ["New Item"]]]


def test_items_are_in_sections_by_home_location_then_by_name(browser):
    add_item(browser, "Milk", home="Fridge")
    add_item(browser, "Rice", home="Pantry")
    add_item(browser, "Butter", home="Fridge")
    add_item(browser, "Something")
    assert browser.sections == [[UNKNOWN, ["Something"]], ["Fridge", ["Butter", "Milk"]], ["Pantry", ["Rice"]]]


def test_a_tap_lists_an_item_in_orange_and_another_unlists_it_without_leaving(browser, other):
    add_item(browser, "Milk")
    add_item(browser, "Rice")
    other.open("/GroceryDude").shows("Prepare").has_rows(["Milk", "Rice"]).mark()
    browser.mark()
    browser.tap("Milk")
    browser.until("orange", lambda: styled(browser, "highlighted") == ["Milk"])
    other.until("orange there too", lambda: styled(other, "highlighted") == ["Milk"])
    assert "on the list" in browser.cell("Milk").get_attribute("textContent")
    browser.tap("Milk")
    browser.until("plain", lambda: styled(browser, "highlighted") == [])
    other.until("plain there too", lambda: styled(other, "highlighted") == [])
    assert browser.is_unreloaded and other.is_unreloaded


def test_quick_taps_on_many_rows_all_count(browser):
    names = [f"Item {number}" for number in range(6)]
    for name in names:
        plain_item(browser.server, name)
    browser.open("/GroceryDude").shows("Prepare").has_rows(names)
    browser.driver.execute_script("for (const cell of document.querySelectorAll('button.cell')) cell.click()")
    browser.until("all orange", lambda: styled(browser, "highlighted") == names)


def test_clear_asks_and_unlists_all_items(browser):
    add_item(browser, "Milk", listed=True)
    add_item(browser, "Rice", listed=True)
    press(browser, "button[value=clear]")
    browser.until("the question", lambda: browser.alert)
    assert browser.alert["title"] == "Clear the list?"
    browser.find("dialog button").click()
    browser.until("no question", lambda: not browser.alert)
    assert styled(browser, "highlighted") == ["Milk", "Rice"]
    press(browser, "button[value=clear]")
    press(browser, "dialog button.destructive")
    browser.until("nothing listed", lambda: styled(browser, "highlighted") == [])
    browser.has_rows(["Milk", "Rice"])


def test_a_swipe_deletes_and_the_accessory_opens_the_item(browser):
    add_item(browser, "Milk")
    add_item(browser, "Rice")
    browser.swipe("Rice").press_delete("Rice").has_rows(["Milk"])
    press(browser, ".detail")
    browser.shows("Item")
    assert field(browser, "name") == "Milk"
    browser.back().shows("Prepare")


# Shop

def test_shop_shows_the_listed_items_in_sections_by_aisle(browser):
    add_item(browser, "Milk", shop="Dairy", listed=True)
    add_item(browser, "Rice", shop="Aisle 3", listed=True)
    add_item(browser, "Salt", shop="Aisle 3")
    browser.find(".tabs a[href='/GroceryDude/shop']").click()
    browser.shows("Shop")
    assert browser.sections == [["Aisle 3", ["Rice"]], ["Dairy", ["Milk"]]]
    assert browser.find(".tabs a[aria-current=page]").text == "Shop"


def test_a_tap_collects_with_a_check_mark_and_clear_removes_the_collected_from_the_list(browser, other):
    add_item(browser, "Milk", listed=True)
    add_item(browser, "Rice", listed=True)
    other.open("/GroceryDude").shows("Prepare").mark()
    browser.open("/GroceryDude/shop").shows("Shop").tap("Milk")
    browser.until("greyed", lambda: styled(browser, "dimmed") == ["Milk"])
    assert browser.checked == ["Milk"]
    assert "collected" in browser.cell("Milk").get_attribute("textContent")
    assert styled(other, "highlighted") == ["Milk", "Rice"]
    press(browser, "button[value=clear]")
    browser.has_rows(["Rice"])
    other.until("Milk unlisted", lambda: styled(other, "highlighted") == ["Rice"])
    browser.tap("Rice")
    browser.until("greyed", lambda: styled(browser, "dimmed") == ["Rice"])
    browser.tap("Rice")
    browser.until("plain", lambda: styled(browser, "dimmed") == [])
    press(browser, ".detail")
    browser.shows("Item")
    assert browser.find(".tabs a[aria-current=page]").text == "Shop"
    browser.back().shows("Shop").has_rows(["Rice"])


def test_an_item_listed_elsewhere_appears_in_the_shop_and_leaves_it(browser, other):
    add_item(browser, "Milk", listed=True)
    other.open("/GroceryDude/shop").shows("Shop").has_rows(["Milk"]).mark()
    browser.tap("Milk")
    other.has_rows([])
    browser.until("plain", lambda: styled(browser, "highlighted") == [])
    browser.tap("Milk")
    other.has_rows(["Milk"])
    assert other.is_unreloaded


# Item

def test_leaving_saves_and_an_empty_name_becomes_new_item(browser, server):
    add_item(browser, "Milk", quantity="1.5", unit="l", home="Fridge", shop="Dairy")
    browser.has_value("Milk", "1.5 l")
    press(browser, ".detail")
    browser.shows("Item")
    type_in(browser, "name", "  ")
    browser.back().shows("Prepare").has_rows(["New Item"])
    server.restart()
    browser.open("/GroceryDude").shows("Prepare").has_value("New Item", "1.5 l")
    assert browser.sections == [["Fridge", ["New Item"]]]


def test_every_way_out_of_the_item_saves_it(browser, other):
    item = add_item(browser, "Milk")
    other.open("/GroceryDude").shows("Prepare").has_rows(["Milk"]).mark()
    browser.open(item).shows("Item")
    type_in(browser, "name", "By tab")
    browser.find(".tabs a[href='/GroceryDude/shop']").click()
    browser.shows("Shop")
    other.has_rows(["By tab"])
    browser.open(item).shows("Item")
    type_in(browser, "name", "By the picker's table")
    browser.find("a[href$='/units']").click()
    browser.shows("Units")
    other.has_rows(["By the picker's table"])
    browser.back().shows("Item")
    type_in(browser, "name", "By the browser's own button")
    browser.driver.back()
    other.has_rows(["By the browser's own button"])
    assert other.is_unreloaded


def test_a_location_that_was_deleted_is_unknown_again_when_the_item_is_entered(browser):
    item = add_item(browser, "Milk", home="Fridge")
    browser.open(f"{item}/home-locations").shows("Home Locations").has_rows([UNKNOWN, "Fridge"])
    browser.swipe("Fridge").press_delete("Fridge").has_rows([UNKNOWN])
    browser.back().shows("Item")
    assert chosen(browser, "locationAtHome") == UNKNOWN
    browser.open(f"{item}/home-locations").shows("Home Locations")
    browser.swipe(UNKNOWN).press_delete(UNKNOWN).has_rows([])
    browser.back().shows("Item")
    assert choices(browser, "locationAtHome") == [UNKNOWN], "made again where it does not exist"


def test_the_templates_object_is_made_once(browser, server):
    for name in ["Milk", "Rice", "Salt"]:
        add_item(browser, name)
    server.stop()
    connection = sqlite3.connect(server.store("GroceryDude"))
    names = connection.execute("SELECT ZSTOREDIN, ZAISLE FROM ZLOCATION ORDER BY Z_PK").fetchall()
    connection.close()
    server.start()
    assert sorted(names, key=str) == [("..Unknown Location..", None), (None, "..Unknown Location..")] or len(names) == 2


def test_units_and_locations_are_added_renamed_and_deleted(browser, other):
    item = add_item(browser, "Milk")
    other.open(item).shows("Item")
    for word, title, key in [("units", "Unit", "unit"), ("home-locations", "Home Location", "locationAtHome"),
                             ("shop-locations", "Shop Location", "locationAtShop")]:
        browser.open(item).shows("Item").find(f"a[href$='/{word}']").click()
        browser.shows(title + "s").add().shows(f"New {title}").fill("First", "name")
        browser.save().shows(title + "s")
        other.until("the choice", lambda: "First" in choices(other, key))
        browser.tap("First").shows(title).fill("Second", "name")
        browser.save().shows(title + "s")
        other.until("the choice renamed", lambda: "Second" in choices(other, key) and "First" not in choices(other, key))
        browser.swipe("Second").press_delete("Second")
        other.until("the choice gone", lambda: "Second" not in choices(other, key))


def test_a_unit_without_a_name_is_refused(browser):
    item = add_item(browser, "Milk")
    browser.open(f"{item}/units/new").shows("New Unit").fill("  ", "name")
    browser.save().expect_alert("Not Saved", "Enter a name.").dismiss()


def test_a_renamed_unit_and_location_show_in_the_list(browser, other):
    item = add_item(browser, "Milk", unit="l", home="Fridge")
    other.open("/GroceryDude").shows("Prepare").has_value("Milk", "1 l").mark()
    browser.open(f"{item}/units").shows("Units").tap("l").shows("Unit").fill("litres", "name")
    browser.save().shows("Units")
    other.has_value("Milk", "1 litres")
    browser.open(f"{item}/home-locations").shows("Home Locations").tap("Fridge").shows("Home Location")
    browser.fill("Cellar", "name")
    browser.save().shows("Home Locations")
    other.until("the section renamed", lambda: other.sections == [["Cellar", ["Milk"]]])
    assert other.is_unreloaded


def test_nothing_scrolls_sideways_or_overlaps_and_the_title_stays_when_one_edits(browser):
    name = ("A very long name that goes on and on " * 4).strip()
    item = add_item(browser, name, unit="W" * 60, home="W" * 90, listed=True)
    for width in [320, 390, 1280]:
        browser.size(width, 700)
        for path in ["/GroceryDude", "/GroceryDude/shop", "/GroceryDude/import", item, item + "/units"]:
            browser.open(path)
            assert browser.overflow <= 0, (path, width)
            boxes = browser.driver.execute_script(
                "return [...document.querySelectorAll('.bar .back, .bar h1, .bar .end .bar-button:not(.hood-button)')]"
                ".map((part) => part.getBoundingClientRect()).filter((box) => box.width).map((box) => [box.left, box.right])"
            )
            for (_, right), (left, _) in zip(boxes, boxes[1:]):
                assert left >= right - 9, (path, width, boxes)
            assert boxes[-1][1] <= width
        browser.open("/GroceryDude").shows("Prepare")
        place = "return document.getElementById('title').getBoundingClientRect().left"
        before = browser.driver.execute_script(place)
        browser.find("#edit").click()
        assert browser.driver.execute_script(place) == before


# Bad input

def plain_item(server, name):
    address = plain.post(server, "/GroceryDude", {"action": "insert"}).headers["location"]
    assert plain.post(server, address, {"action": "save", "name": name}).status == 303
    return address


def test_an_item_works_without_scripts(server):
    address = plain_item(server, "Plain")
    page = plain.get(server, address)
    assert 'value="Plain"' in page.text and "<noscript>" in page.text
    answer = plain.post(server, address, {"action": "save", "name": "Milk", "quantity": "2,5"})
    assert (answer.status, answer.headers["location"]) == (303, "/GroceryDude")
    assert "Milk" in plain.get(server, "/GroceryDude").text
    assert 'value="2.5"' in plain.get(server, address).text
    reference = address.split("/")[-1]
    assert plain.post(server, "/GroceryDude", {"perform": f"list {reference}"}).status == 303
    assert "Milk" in plain.get(server, "/GroceryDude/shop").text
    asked = plain.post(server, "/GroceryDude", {"action": "clear"})
    assert asked.status == 200 and "Clear the list?" in asked.text
    assert "Milk" in plain.get(server, "/GroceryDude/shop").text
    assert plain.post(server, "/GroceryDude", {"action": "clear", "confirmed": "yes"}).status == 303
    assert "Milk" not in plain.get(server, "/GroceryDude/shop").text


def test_odd_texts_are_shown_as_they_were_typed(browser):
    for name in ["\u05d7\u05dc\u05d1 3%", "\U0001f9c0 cheese \U0001f468\u200d\U0001f469\u200d\U0001f467", "<b>&amp;\"'"]:
        address = plain_item(browser.server, name)
        browser.open("/GroceryDude").shows("Prepare")
        browser.until(name, lambda: name in browser.texts)
        browser.open(address).shows("Item")
        assert field(browser, "name") == name
        browser.back().shows("Prepare")


def test_a_name_of_a_megabyte_is_refused_and_nothing_is_lost(browser):
    item = add_item(browser, "Milk")
    answer = plain.post(browser.server, item, {"action": "save", "name": "x" * 1_000_000})
    assert answer.status == 400 and "too long" in answer.text
    browser.open("/GroceryDude").shows("Prepare").has_rows(["Milk"])


def test_a_table_of_places_deletes_no_other_object(browser, server):
    item = add_item(browser, "Milk", unit="l")
    unit = plain.reference(plain.get(server, item).text, "l")
    for screen, value in [("units", item.rsplit("/", 1)[1]), ("home-locations", unit)]:
        assert plain.post(server, f"{item}/{screen}", {"action": "delete", "value": value}).status == 404
    browser.open("/GroceryDude").shows("Prepare").has_value("Milk", "1 l")


def test_a_table_of_an_item_that_is_deleted_elsewhere_is_left(browser, server):
    item = add_item(browser, "Milk", unit="l")
    browser.open(item + "/units").shows("Units").has_rows(["l"])
    browser.wait("the stream", "liveTable.source.readyState === 1")
    fields = {"action": "delete", "value": item.rsplit("/", 1)[1]}
    assert plain.post(server, "/GroceryDude", fields).status == 303
    browser.expect_alert("Deleted")


def test_a_unit_is_not_a_location_and_unknown_words_are_refused(server):
    item = plain_item(server, "Milk")
    assert plain.post(server, f"{item}/units/new", {"action": "save", "name": "kg"}).status == 303
    unit = re.search(r"Unit-p\d+", plain.get(server, f"{item}/units").text).group(0)
    assert plain.get(server, f"{item}/home-locations/{unit}").status == 404
    assert plain.post(server, item, {"action": "save", "locationAtHome": unit}).status == 400
    assert plain.post(server, item, {"action": "save", "unit": "Unit-p999"}).status == 400
    assert plain.post(server, item, {"action": "nonsense"}).status == 400
    assert plain.post(server, "/GroceryDude", {"perform": "list"}).status == 400
    assert plain.post(server, "/GroceryDude", {"perform": "list Item-p999"}).status == 404
