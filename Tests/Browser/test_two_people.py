"""Two people edit one object: the second sees both values and chooses, and no input is lost."""

import html
import re

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import requests_plain as plain
from screens import add_task
from test_tasks import day, long


def opened(browser, other, text="Bread", screen="Text"):
    """Both open the same form of one task."""
    add_task(browser, text)
    browser.tap(text).shows("Task Detail")
    detail = browser.path
    browser.tap(screen).shows(screen)
    other.open(browser.path).shows(screen)
    return detail


def conflicts(browser):
    """The choices in the dialog, by field: mine and theirs."""
    return browser.driver.execute_script(
        "return Object.fromEntries([...document.querySelectorAll('dialog.conflicts:modal fieldset')].map((field) =>"
        " [field.querySelector('legend').textContent,"
        "  [...field.querySelectorAll('.conflict-value')].map((value) => value.textContent)]))"
    )


def choose(browser, whose):
    for label in browser.all("dialog.conflicts label"):
        if label.find_element(By.CSS_SELECTOR, ".conflict-whose").text == whose:
            label.click()
    return browser


def press(browser, words):
    for button in browser.all("dialog.conflicts button"):
        if button.text == words:
            button.click()
            return browser
    raise AssertionError(words)


def value(browser):
    return browser.find("[name=value]").get_attribute("value")


def collide(browser, other):
    browser.fill("White bread")
    other.fill("Rye bread")
    other.save().shows("Task Detail")
    browser.save()
    browser.until("the dialog", lambda: conflicts(browser))


def test_the_second_person_sees_both_values_and_keeps_her_own(browser, other):
    opened(browser, other)
    collide(browser, other)
    assert conflicts(browser) == {"Text": ["White bread", "Rye bread"]}
    other.has_value("Text", "Rye bread")
    press(browser, "Save").shows("Task Detail").has_value("Text", "White bread")
    other.has_value("Text", "White bread")


def test_the_second_person_takes_the_firsts_value(browser, other):
    opened(browser, other)
    collide(browser, other)
    choose(browser, "Theirs")
    press(browser, "Save").shows("Task Detail").has_value("Text", "Rye bread")


def test_going_back_to_the_form_keeps_typed_values_and_saving_asks_again(browser, other):
    detail = opened(browser, other)
    collide(browser, other)
    browser.keys(Keys.ESCAPE)
    browser.until("no dialog", lambda: not browser.all("dialog"))
    assert value(browser) == "White bread"
    browser.save()
    browser.until("the dialog again", lambda: conflicts(browser))
    press(browser, "Back to the Form")
    browser.until("no dialog", lambda: not browser.all("dialog"))
    browser.fill("Brown bread")
    browser.save()
    assert browser.until("the dialog", lambda: conflicts(browser)) == {"Text": ["Brown bread", "Rye bread"]}
    other.open(detail).has_value("Text", "Rye bread")


def test_the_dialog_is_used_with_the_keyboard(browser, other):
    opened(browser, other)
    collide(browser, other)
    dialog = browser.find("dialog.conflicts")
    assert dialog.get_attribute("role") == "alertdialog" and dialog.get_attribute("aria-labelledby") == "alert-title"
    browser.keys(Keys.ARROW_DOWN, Keys.RETURN)
    browser.shows("Task Detail").has_value("Text", "Rye bread")


def test_a_third_value_saved_while_the_dialog_is_open_is_reported_too(browser, other):
    opened(browser, other)
    collide(browser, other)
    other.tap("Text").shows("Text").fill("No bread")
    other.save().shows("Task Detail")
    press(browser, "Save")
    told = lambda: conflicts(browser) == {"Text": ["White bread", "No bread"]}
    browser.until("the dialog with the third value", told)


def test_an_unchanged_field_keeps_the_value_that_the_other_reader_saved(browser, other):
    opened(browser, other)
    other.fill("Rye bread")
    other.save().shows("Task Detail")
    browser.save().shows("Task Detail").has_value("Text", "Rye bread")


def test_the_same_change_by_both_is_not_a_conflict(browser, other):
    opened(browser, other)
    for one in [other, browser]:
        one.fill("Rye bread")
        one.save().shows("Task Detail").has_value("Text", "Rye bread")


def test_dates_conflict_in_the_readers_form(browser, other):
    opened(browser, other, screen="Due Date")
    browser.fill_day(day(6))
    other.fill_day(day(5))
    other.save().shows("Task Detail")
    browser.save()
    told = browser.until("the dialog", lambda: conflicts(browser))
    assert told == {"Due Date": [long(6), long(5)]}
    choose(browser, "Theirs")
    press(browser, "Save").shows("Task Detail").has_value("Due Date", long(5))


def test_an_object_deleted_meanwhile_is_reported_and_typed_values_stay(browser, other):
    opened(browser, other)
    other.open("/Tasks").shows("Tasks").swipe("Bread").press_delete("Bread").has_rows([])
    browser.expect_alert("Deleted").dismiss()
    browser.fill("White bread")
    browser.save().expect_alert("Deleted").dismiss()
    assert value(browser) == "White bread"


# Without scripts

def form_of(page):
    """The fields of a page's form, as sent by a browser without scripts."""
    fields = {}
    form = page.split('<form id="form"')[1].split("</form>")[0]
    for tag in re.findall(r"<input [^>]*>", form):
        attribute = lambda name: html.unescape((re.search(rf' {name}="([^"]*)"', tag) or [None, ""])[1])
        kind = attribute("type")
        if kind != "file" and (kind not in ["radio", "checkbox"] or " checked" in tag):
            fields[attribute("name")] = attribute("value")
    for name, text in re.findall(r'<textarea [^>]*name="([^"]*)"[^>]*>\n([^<]*)</textarea>', form):
        fields[name] = html.unescape(text)
    return fields


def collided(server):
    address = plain.add_task(server, "Bread")
    mine = form_of(plain.get(server, address + "/text").text)
    assert mine["was.value"] == mine["value"] == "Bread"
    assert plain.post(server, address + "/text", {"action": "save", "value": "Rye <bread>"}).status == 303
    answer = plain.post(server, address + "/text", {**mine, "value": "White bread"})
    return address, answer


def test_without_scripts_the_form_comes_back_with_both_values(server):
    address, answer = collided(server)
    assert answer.status == 409
    assert "<dialog open" in answer.text and "Changed Meanwhile" in answer.text
    assert "Rye &lt;bread&gt;" in answer.text and 'name="choice.value" value="theirs"' in answer.text
    again = form_of(answer.text)
    assert (again["value"], again["was.value"], again["choice.value"]) == ("White bread", "Rye <bread>", "mine")
    assert "Rye &lt;bread&gt;" in plain.get(server, address).text


def test_without_scripts_either_value_can_be_kept(server):
    for choice, kept in [("mine", "White bread"), ("theirs", "Rye &lt;bread&gt;")]:
        address, answer = collided(server)
        again = {**form_of(answer.text), "choice.value": choice}
        assert plain.post(server, address + "/text", again).status == 303
        assert kept in plain.get(server, address).text


def test_without_scripts_a_deleted_object_is_reported_with_the_typed_values(server):
    address = plain.add_task(server, "Bread")
    mine = form_of(plain.get(server, address + "/text").text)
    assert plain.post(server, "/Tasks", {"action": "delete", "value": address.split("/")[-1]}).status == 303
    answer = plain.post(server, address + "/text", {**mine, "value": "White <bread>"})
    assert answer.status == 404
    assert "Another person has deleted this item" in answer.text and "White &lt;bread&gt;" in answer.text


def test_a_form_refused_by_a_rule_still_has_the_values_when_it_was_opened(server):
    """The refused form returns the date as it was opened, not as it is now, so that the merge still works."""
    address = plain.add_task(server, "Bread")
    mine = form_of(plain.get(server, address + "/due-date").text)
    assert plain.post(server, address + "/due-date", {"action": "save", "value": day(5)}).status == 303
    answer = plain.post(server, address + "/due-date", {**mine, "value": day(-3)})
    assert answer.status == 409
    again = {**form_of(answer.text)}
    answer = plain.post(server, address + "/due-date", again)
    assert answer.status == 422 and form_of(answer.text)["was.value"] == day(5)
