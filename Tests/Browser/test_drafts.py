"""Forms that edit a draft: undo and redo, reload, leaving, two people, abandoned drafts. Uses Grocery Dude's items."""

import pytest

import requests_plain as plain
from conftest import make_driver, soon
from groceries import add_item, add_name, choices, choose, chosen, field, has_field, press, settled, type_in
from screens import Browser
from selenium.webdriver.common.keys import Keys
from test_two_people import choose as decide
from test_two_people import conflicts
from test_two_people import press as answer


def saved(server, item, name="name"):
    """The saved value, as shown to a browser without a draft."""
    text = plain.get(server, item).text
    return text.split(f'id="field-{name}"')[1].split('value="')[1].split('"')[0]


def error(browser, name):
    note = browser.find(f"#error-{name}")
    return note.text if note.is_displayed() else ""


# Undo and redo

def test_each_change_is_undone_and_done_again_and_the_fields_follow(browser):
    item = add_item(browser, "Milk", unit="l")
    browser.open(item).shows("Item")
    assert not browser.find("#undo").is_enabled() and not browser.find("#redo").is_enabled()
    type_in(browser, "name", "Cream")
    settled(browser)
    type_in(browser, "quantity", "2.5")
    settled(browser)
    choose(browser, "unit", "None")
    settled(browser)
    press(browser, "#undo")
    browser.until("the unit back", lambda: chosen(browser, "unit") == "l")
    press(browser, "#undo")
    has_field(browser, "quantity", "1")
    press(browser, "#undo")
    has_field(browser, "name", "Milk")
    browser.until("nothing to undo", lambda: not browser.find("#undo").is_enabled())
    for name, value in [("name", "Cream"), ("quantity", "2.5")]:
        press(browser, "#redo")
        has_field(browser, name, value)
    press(browser, "#redo")
    browser.until("no unit again", lambda: chosen(browser, "unit") == "None")
    browser.until("nothing to redo", lambda: not browser.find("#redo").is_enabled())
    press(browser, "#undo")
    browser.until("the unit back", lambda: chosen(browser, "unit") == "l")
    browser.back().shows("Prepare").has_value("Cream", "2.5 l")


def test_ctrl_z_and_ctrl_shift_z_undo_and_redo(browser):
    item = add_item(browser, "Milk")
    browser.open(item).shows("Item")
    type_in(browser, "name", "Cream")
    for keys, name in [("z", "Milk"), (Keys.SHIFT + "z", "Cream"), ("z", "Milk"), ("y", "Cream")]:
        # send_keys of an element holds modifiers down until its last key.
        browser.driver.switch_to.active_element.send_keys(Keys.CONTROL + keys)
        has_field(browser, "name", name)


def test_a_draft_is_invisible_to_other_readers_until_it_is_left(browser, other):
    item = add_item(browser, "Milk")
    other.open(item).shows("Item")
    browser.open(item).shows("Item")
    type_in(browser, "name", "Cream")
    settled(browser)
    assert saved(browser.server, item) == "Milk" and field(other, "name") == "Milk"
    browser.back().shows("Prepare")
    assert saved(browser.server, item) == "Cream"
    has_field(other, "name", "Cream")


# Reload

def test_a_draft_survives_a_reload_with_its_undo(browser):
    item = add_item(browser, "Milk")
    browser.open(item).shows("Item")
    type_in(browser, "name", "Cream")
    settled(browser)
    type_in(browser, "quantity", "abc")
    settled(browser)
    browser.driver.refresh()
    browser.shows("Item")
    assert field(browser, "name") == "Cream" and field(browser, "quantity") == "abc"
    assert "is not a number" in error(browser, "quantity")
    assert saved(browser.server, item) == "Milk"
    press(browser, "#undo")
    has_field(browser, "name", "Milk")


def test_text_typed_at_the_moment_of_a_reload_is_kept(browser):
    item = add_item(browser, "Milk")
    browser.open(item).shows("Item")
    browser.until("the stream", lambda: browser.driver.execute_script("return liveForm.source.readyState === 1"))
    type_in(browser, "name", "Cream")
    browser.driver.refresh()
    browser.shows("Item")
    has_field(browser, "name", "Cream")


# Bad input

@pytest.mark.parametrize(
    "text", ["1e999", "nan", "inf", "abc", "-1", "1.2.3", "", "0x10", "9" * 60, "1000001", "--5", "１e5", "½"]
)
def test_a_quantity_that_is_none_is_refused_in_words_and_stays(server, text):
    item = plain.post(server, "/GroceryDude", {"action": "insert"}).headers["location"]
    answer = plain.post(server, item, {"action": "save", "name": "Cream", "quantity": text})
    assert answer.status == 400, answer.text
    assert "<dialog open" in answer.text and 'value="Cream"' in answer.text and f'value="{text}"' in answer.text
    assert (saved(server, item), saved(server, item, "quantity")) == ("New Item", "1")


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("1.5", "en", "1.5"), ("1,5", "en", "1.5"), ("1,5", "de", "1,5"), ("1.5", "de", "1,5"), ("1,500", "en", "1500"),
        ("1.500", "de", "1500"), ("1.234,5", "de", "1234,5"), ("1,234.5", "en", "1234.5"), ("0,125", "en", "0.125"),
        (".5", "en", "0.5"), ("2.", "en", "2"), ("٢٫٥", "ar", None), ("１２", "en", "12"), ("1 000", "fr", "1000"),
        ("1,125", "fr", "1,125"), ("1.125", "fr", "1,125"), ("2,500", "ru", "2,5"), ("1,125", "de-CH", "1.125"),
        ("123,456.5", "sv", "123456,5"), ("۱٫۱۲۵", "fa", "۱٫۱۲۵"),
    ],
)
def test_a_quantity_is_read_as_its_reader_writes_it(server, text, language, value):
    item = plain.post(server, "/GroceryDude", {"action": "insert"}).headers["location"]
    headers = {"Accept-Language": language}
    answer = plain.post(server, item, {"action": "save", "quantity": text}, headers)
    assert answer.status == 303, answer.text
    shown = plain.get(server, item, **headers).text.split('id="field-quantity"')[1].split('value="')[1].split('"')[0]
    assert value is None or shown == value
    # The displayed text is accepted unchanged.
    assert plain.post(server, item, {"action": "save", "quantity": shown}, headers).status == 303
    assert plain.get(server, item, **headers).text.split('id="field-quantity"')[1].split('value="')[1].startswith(shown)


def test_a_bad_quantity_is_reported_beside_the_field_and_the_screen_stays_open(browser):
    item = add_item(browser, "Milk")
    browser.open(item).shows("Item")
    type_in(browser, "quantity", "1e999")
    settled(browser)
    assert "is not a number" in error(browser, "quantity")
    assert browser.find("#field-quantity").get_attribute("aria-invalid") == "true"
    type_in(browser, "name", "Cream")
    browser.find("[data-back]").click()
    browser.expect_alert("Not Saved").dismiss()
    assert browser.title == "Item" and field(browser, "quantity") == "1e999" and field(browser, "name") == "Cream"
    type_in(browser, "quantity", "2")
    settled(browser)
    assert error(browser, "quantity") == ""
    browser.back().shows("Prepare").has_value("Cream", "2")


def test_numbers_in_rows_are_written_as_their_reader_writes_them(server):
    driver = make_driver("de-DE")
    try:
        browser = Browser(driver, server)
        browser.size(390, 844)
        add_item(browser, "Mehl", quantity="1234,5", unit="g")
        browser.has_value("Mehl", "1.234,5 g")
        press(browser, ".detail")
        browser.shows("Item")
        assert field(browser, "quantity") == "1234,5"
    finally:
        driver.quit()


# Pickers

def test_a_unit_that_another_reader_adds_appears_in_the_open_form_and_nothing_typed_is_lost(browser, other):
    item = add_item(browser, "Milk", unit="l")
    other.open(item).shows("Item").mark()
    type_in(other, "name", "Half typed")
    add_name(browser, item, "units", "bottle")
    other.until("the new unit", lambda: choices(other, "unit") == ["None", "bottle", "l"])
    assert chosen(other, "unit") == "l" and field(other, "name") == "Half typed"
    assert other.is_unreloaded
    choose(other, "unit", "bottle")
    other.back().shows("Prepare").has_value("Half typed", "1 bottle")


def test_a_chosen_unit_that_another_reader_deletes_is_no_longer_chosen(browser, other):
    item = add_item(browser, "Milk", unit="l")
    other.open(item).shows("Item")
    choose(other, "unit", "l")
    browser.open(f"{item}/units").shows("Units").swipe("l").press_delete("l").has_rows([])
    other.until("no unit", lambda: chosen(other, "unit") == "None" and choices(other, "unit") == ["None"])
    other.back().shows("Prepare").has_value("Milk", "1")


# Two people

def test_saves_of_another_browser_show_in_untouched_fields(browser, other):
    item = add_item(browser, "Milk")
    browser.open(item).shows("Item")
    other.open(item).shows("Item").mark()
    type_in(other, "quantity", "3")
    settled(other)
    type_in(browser, "name", "Cream")
    browser.back().shows("Prepare")
    has_field(other, "name", "Cream")
    assert field(other, "quantity") == "3" and other.is_unreloaded
    other.back().shows("Prepare").has_value("Cream", "3")


@pytest.mark.parametrize("whose", ["Mine", "Theirs"])
def test_the_second_to_save_sees_both_values_and_chooses(browser, other, whose):
    item = add_item(browser, "Milk")
    browser.open(item).shows("Item")
    other.open(item).shows("Item")
    type_in(other, "name", "Cream")
    settled(other)
    type_in(browser, "name", "Yoghurt")
    browser.back().shows("Prepare").has_rows(["Yoghurt"])
    other.find("[data-back]").click()
    other.until("the dialog", lambda: conflicts(other))
    assert conflicts(other) == {"Name": ["Cream", "Yoghurt"]}
    decide(other, whose)
    answer(other, "Save").shows("Prepare").has_rows(["Cream" if whose == "Mine" else "Yoghurt"])
    browser.has_rows(["Cream" if whose == "Mine" else "Yoghurt"])


def test_the_second_to_leave_with_the_browsers_own_button_sees_an_alert_and_the_form_again(browser, other):
    item = add_item(browser, "Milk")
    browser.open(item).shows("Item")
    other.open("/GroceryDude").shows("Prepare").open(item).shows("Item")
    type_in(other, "name", "Cream")
    settled(other)
    type_in(browser, "name", "Yoghurt")
    browser.back().shows("Prepare").has_rows(["Yoghurt"])
    other.driver.back()
    other.expect_alert("Changed Meanwhile").dismiss().shows("Item")
    assert saved(other.server, item) == "Yoghurt" and field(other, "name") == "Cream"
    other.find("[data-back]").click()
    other.until("the dialog", lambda: conflicts(other))
    assert conflicts(other) == {"Name": ["Cream", "Yoghurt"]}
    decide(other, "Theirs")
    answer(other, "Save").shows("Prepare").has_rows(["Yoghurt"])


def test_the_second_to_save_without_scripts_is_asked_too(server):
    item = plain.post(server, "/GroceryDude", {"action": "insert"}).headers["location"]
    assert plain.post(server, item, {"action": "save", "name": "Yoghurt"}).status == 303
    asked = plain.post(server, item, {"action": "save", "name": "Cream", "was.name": "New Item"})
    assert asked.status == 409 and "Changed meanwhile" in asked.text and "Yoghurt" in asked.text
    assert saved(server, item) == "Yoghurt"


def test_an_item_that_another_reader_deletes_is_reported_and_typed_values_stay(browser, other):
    item = add_item(browser, "Milk")
    other.open(item).shows("Item")
    type_in(other, "name", "Typed in vain")
    browser.swipe("Milk").press_delete("Milk").has_rows([])
    other.expect_alert("Deleted").dismiss()
    assert field(other, "name") == "Typed in vain"
    other.back().shows("Prepare").has_rows([])


# Abandoned drafts, and a server that stops

def test_a_draft_is_saved_when_the_server_stops(browser, server):
    item = add_item(browser, "Milk")
    browser.open(item).shows("Item")
    type_in(browser, "name", "Cream")
    settled(browser)
    server.restart()
    assert saved(server, item) == "Cream"


def test_a_draft_that_cannot_be_saved_when_the_server_stops_is_dropped_with_a_line_in_the_log(browser, server):
    item = add_item(browser, "Milk")
    browser.open(item).shows("Item")
    type_in(browser, "quantity", "abc")
    settled(browser)
    server.restart()
    assert saved(server, item, "quantity") == "1"
    assert "could not be saved, and is dropped" in server.log() and item in server.log()
    # The browser still has the typed text, also once it is connected again and has read the form.
    assert field(browser, "quantity") == "abc"
    browser.until("connected", lambda: browser.driver.execute_script("return liveForm.source.readyState === 1"))
    settled(browser)
    browser.driver.execute_async_script("liveForm.read().then(arguments[0])")
    assert field(browser, "quantity") == "abc"


def test_typing_goes_on_when_the_server_comes_back(browser, server):
    item = add_item(browser, "Milk")
    browser.open(item).shows("Item")
    server.stop()
    type_in(browser, "name", "Cream")
    browser.find("[data-back]").click()
    browser.expect_alert("Server Not Reached").dismiss()
    assert field(browser, "name") == "Cream"
    server.start()
    browser.back().shows("Prepare").has_rows(["Cream"])


def test_a_forgotten_draft_is_saved_after_a_while(browser, server):
    item = add_item(browser, "Milk")
    browser.open(item).shows("Item")
    type_in(browser, "name", "Cream")
    settled(browser)
    browser.driver.get("about:blank")
    assert saved(server, item) == "Milk"
    assert soon(lambda: saved(server, item) == "Cream", 90)
