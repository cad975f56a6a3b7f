"""A search field filters the fetched objects in memory as the reader types, and the table stays live."""

import html
import re

import pytest
from selenium.webdriver.common.keys import Keys

import requests_plain as plain
from core_dump import add_project

FIELD = "#search-field"


@pytest.fixture
def projects(server):
    for name, url in [
        ("Shop", "http://shop.example/cart"), ("Website", "http://www.example/"), ("Workshop tools", "http://tools.example/a"),
        ("Zebra", "http://zoo.example/shopping"),
    ]:
        add_project(server, name, url)


ALL = ["Shop", "Workshop tools", "Website", "Zebra"]


def search(browser, text):
    browser.find(FIELD).send_keys(text)
    return browser


def test_typing_filters_by_name_and_url_as_one_section_without_a_title(browser, projects):
    browser.open("/CoreDump").shows("Projects").has_rows(ALL).mark()
    assert len(browser.sections) == 4 and browser.find("#edit").is_displayed()
    search(browser, "SHOP").has_rows(["Shop", "Workshop tools", "Zebra"])
    assert [title for title, _ in browser.sections] == [""]
    assert browser.is_unreloaded and browser.focus_is(FIELD)
    search(browser, "p").has_rows(["Zebra"])
    browser.keys(Keys.BACKSPACE).has_rows(["Shop", "Workshop tools", "Zebra"])
    assert browser.path == "/CoreDump?search=SHOP" and browser.is_unreloaded


def test_nothing_is_edited_while_a_search_is_on(browser, projects):
    browser.open("/CoreDump").shows("Projects")
    browser.find("#edit").click()
    search(browser, "shop").has_rows(["Shop", "Workshop tools", "Zebra"])
    assert not browser.find("#edit").is_displayed() and not browser.find(".minus").is_displayed()
    browser.touch_swipe("Shop")
    browser.keys(Keys.TAB, Keys.TAB, Keys.DELETE)
    assert browser.title == "Projects" and not browser.find(".delete").is_displayed()
    browser.open("/CoreDump?search=shop").shows("Projects").has_rows(["Shop", "Workshop tools", "Zebra"])
    assert not browser.find("#edit").is_displayed()
    browser.find(".search-clear").click()
    browser.has_rows(ALL)
    browser.find("#edit").click()
    assert browser.find(".minus").is_displayed()


def test_search_results_follow_changes_of_rows(browser, other, server, projects):
    browser.open("/CoreDump").shows("Projects").mark()
    search(browser, "shop").has_rows(["Shop", "Workshop tools", "Zebra"])
    add_project(server, "A new shop", "http://a.example/")
    browser.has_rows(["A new shop", "Shop", "Workshop tools", "Zebra"])
    add_project(server, "Something else", "http://a.example/")
    other.open("/CoreDump").shows("Projects").swipe("Zebra").press_delete("Zebra")
    browser.has_rows(["A new shop", "Shop", "Workshop tools"])
    for old, new, rows in [
        ("Shop", "Store", ["A new shop", "Store", "Workshop tools"]),
        ("Workshop tools", "Tools", ["A new shop", "Store"]),
        ("Website", "Webshop", ["A new shop", "Store", "Webshop"]),
    ]:
        other.open("/CoreDump").shows("Projects")
        other.find("#edit").click()
        other.row(old).find_element("css selector", ".detail").click()
        other.shows("Project").fill(new, "name")
        other.save().shows("Projects")
        browser.has_rows(rows)
    other.open("/CoreDump").shows("Projects")
    other.find("#edit").click()
    other.row("Webshop").find_element("css selector", ".detail").click()
    other.shows("Project").fill("http://aaa.example/", "url")
    other.save().shows("Projects")
    browser.has_rows(["A new shop", "Webshop", "Store"])
    assert browser.is_unreloaded


def test_where_nothing_is_found_it_says_so_and_the_clear_button_brings_all_back(browser, projects):
    browser.open("/CoreDump").shows("Projects").mark()
    assert not browser.find(".search-clear").is_displayed()
    search(browser, "<b>nothing</b>").has_rows([])
    assert browser.find("#empty").text == "No results for “<b>nothing</b>”."
    told = lambda: "No results" in browser.find("#announcements").get_attribute("textContent")
    browser.until("the announcement", told)
    browser.find(".search-clear").click()
    browser.has_rows(ALL)
    assert browser.focus_is(FIELD) and browser.path == "/CoreDump" and browser.is_unreloaded
    search(browser, "zeb").has_rows(["Zebra"])
    assert browser.find("#announcements").get_attribute("textContent") == "1 found"
    browser.keys(Keys.ESCAPE).has_rows(ALL)


def test_a_row_found_opens_and_back_returns_to_the_search(browser, projects):
    browser.open("/CoreDump").shows("Projects")
    search(browser, "zebra").has_rows(["Zebra"]).tap("Zebra").shows("Zebra").back().shows("Projects").has_rows(["Zebra"])
    assert browser.find(FIELD).get_attribute("value") == "zebra"
    browser.find(".search-clear").click()
    browser.has_rows(ALL)


def test_fast_typing_ends_with_the_last_text(browser, projects):
    browser.open("/CoreDump").shows("Projects").mark()
    for text in ["s", "sh", "w", "we", "z", "ze"]:
        browser.driver.execute_script(
            "const field = document.querySelector('#search-field'); field.value = arguments[0];"
            "field.dispatchEvent(new Event('input', {bubbles: true})); field.form.requestSubmit()",
            text,
        )
    browser.has_rows(["Zebra"])
    assert browser.is_unreloaded and browser.path == "/CoreDump?search=ze"


def test_the_field_has_a_name_and_belongs_to_the_table(browser, projects):
    browser.open("/CoreDump").shows("Projects").tab_to("Search Projects")
    field = browser.find(FIELD)
    assert field.get_attribute("aria-controls") == "table"
    assert browser.find("#search").get_attribute("role") == "search"


@pytest.mark.parametrize("text", ["%", "*", "'", '"', "\\", "%@", "שלום", "\U0001f41e", "\u202e", "?", "&search=x", "x" * 5000, "\0"])
def test_any_words_can_be_searched_for(server, projects, text):
    from urllib.parse import quote

    add_project(server, f"name {text}"[:900], "")
    page = plain.get(server, "/CoreDump?search=" + quote(text))
    assert page.status == 200
    names = [html.unescape(name) for name in re.findall(r'<span class="row-title">(.*?)</span>', page.text)]
    if len(text) < 100 and text != "\0":
        assert f"name {text}" in names, names


def test_without_scripts_more_rows_are_more_of_the_search(server):
    for number in range(85):
        add_project(server, f"Shop {number:03}", "http://a.example/")
        if number < 3:
            add_project(server, f"Other {number}", "http://b.example/")
    page = plain.get(server, "/CoreDump?search=shop").text
    more = html.unescape(re.search(r'<a href="([^"]+)">More rows', page)[1])
    names = re.findall(r'<span class="row-title">(.*?)</span>', plain.get(server, more).text)
    assert len(names) == 80 and names[-1] == "Shop 084" and set(name[:4] for name in names) == {"Shop"}


def test_without_scripts_the_field_is_a_form_that_gets_the_same_screen(server, projects):
    page = plain.get(server, "/CoreDump").text
    assert '<form id="search" class="search" method="get" role="search" action="/CoreDump"' in page
    page = plain.get(server, "/CoreDump?search=zebra").text
    assert page.count('<li class="row') == 1 and "<h2>" not in page and 'value="zebra"' in page
    assert 'href="/CoreDump" aria-label="Clear the search"' in page
    assert "No results for “none”." in plain.get(server, "/CoreDump?search=none").text
    assert plain.get(server, "/CoreDump?search=").text.count("<h2>") == 4
