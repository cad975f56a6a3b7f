"""Shorthands for Grocery Dude."""

import html

from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

import requests_plain as plain


def settled(browser):
    """Waits until the form has sent all input."""
    browser.until("all sent", lambda: browser.driver.execute_script("return liveForm.dirty.size === 0"))
    return browser


def field(browser, name):
    return browser.find(f"#field-{name}").get_attribute("value")


def has_field(browser, name, value):
    browser.until(f"{name}: {value}", lambda: field(browser, name) == value)
    return browser


def chosen(browser, name):
    return Select(browser.find(f"#field-{name}")).first_selected_option.text


def choices(browser, name):
    return browser.driver.execute_script(
        "return [...document.getElementById(arguments[0]).options].map((option) => option.text)", f"field-{name}"
    )


def choose(browser, name, text):
    browser.until(f"the choice {text}", lambda: text in choices(browser, name))
    Select(browser.find(f"#field-{name}")).select_by_visible_text(text)
    return browser


def type_in(browser, name, text):
    """Replaces the text of a field by typing (Selenium's `clear` would be a separate change)."""
    browser.find(f"#field-{name}").send_keys(Keys.CONTROL + "a" + Keys.NULL + (text or Keys.DELETE))
    return browser


def press(browser, selector):
    browser.until(f"{selector} to press", lambda: browser.find(selector).is_enabled())
    browser.find(selector).click()
    return browser


def add_name(browser, item, word, name):
    """Adds a unit or a location with plain requests."""
    answer = plain.post(browser.server, f"{item}/{word}/new", {"action": "save", "name": name})
    assert answer.status == 303, answer.text


def add_item(browser, name, quantity=None, unit=None, home=None, shop=None, listed=False):
    """Adds an item with plain requests, and shows it in Prepare; returns its address."""
    server = browser.server
    item = plain.post(server, "/GroceryDude", {"action": "insert"}).headers["location"]
    fields = {"action": "save", "name": name}
    if quantity is not None:
        fields["quantity"] = quantity
    for word, key, value in [("units", "unit", unit), ("home-locations", "locationAtHome", home),
                             ("shop-locations", "locationAtShop", shop)]:
        if value is None:
            continue
        if f">{html.escape(value)}</option>" not in plain.get(server, item).text:
            add_name(browser, item, word, value)
        fields[key] = plain.reference(plain.get(server, item).text.split(f'id="field-{key}"')[1], value)
    answer = plain.post(server, item, fields)
    assert answer.status == 303, answer.text
    if listed:
        answer = plain.post(server, "/GroceryDude", {"perform": "list " + item.rsplit("/", 1)[1]})
        assert answer.status == 303, answer.text
    browser.show_list("/GroceryDude", "Prepare", name)
    if listed:
        browser.until(f"{name} listed", lambda: styled(browser, "highlighted").count(name))
    return item


def styled(browser, style):
    """The rows with a style."""
    return browser.driver.execute_script(
        "return [...document.querySelectorAll(`li.row.${arguments[0]} .row-title`)].map((row) => row.textContent)", style
    )
