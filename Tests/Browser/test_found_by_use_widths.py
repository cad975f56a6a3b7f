"""Texts that fit, titles beside their dates, and a note that covers nothing."""

import requests_plain as plain
from groceries import add_item

RIGHT_TO_LEFT = "אבגדה"


def box(browser, selector):
    """The edges of the text in an element: left, right."""
    return browser.driver.execute_script(
        "const range = document.createRange(); range.selectNodeContents(document.querySelector(arguments[0]));"
        "const {left, right} = range.getBoundingClientRect(); return [left, right]", selector
    )


def test_an_unknown_location_is_not_cut_on_a_phone(browser):
    item = add_item(browser, "Milk")
    for width in [320, 390, 430]:
        browser.size(width, 844)
        browser.open(item).shows("Item")
        needed, given = browser.driver.execute_script(
            "const select = document.getElementById('field-locationAtHome'); const style = getComputedStyle(select);"
            "const probe = document.body.appendChild(document.createElement('span')); probe.style.font = style.font;"
            "probe.textContent = select.selectedOptions[0].text; const needed = probe.getBoundingClientRect().width; probe.remove();"
            "return [needed, select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)]"
        )
        assert needed > 80 and given >= needed, (width, needed, given)


def test_a_long_section_title_ends_with_an_ellipsis_above_its_rows(browser):
    add_item(browser, "Milk", home="Shelf " * 20 + "above the stairs")
    browser.open("/GroceryDude").shows("Prepare")
    title, rows, text = browser.driver.execute_script(
        "const title = document.querySelector('.group h2'); const style = getComputedStyle(title);"
        "const range = document.createRange(); range.selectNodeContents(title);"
        "return [[style.display, style.textOverflow, title.scrollWidth > title.clientWidth, title.offsetHeight],"
        " title.nextElementSibling.getBoundingClientRect().top, range.getBoundingClientRect().bottom]"
    )
    # The text of a flexible box is a child of it, for which there is no ellipsis.
    assert title == ["block", "ellipsis", True, 48]
    assert 4 <= rows - text <= 10


def test_a_title_from_right_to_left_is_beside_its_date(browser, server):
    assert plain.post(server, "/TaskList/new", {"action": "save", "taskText": RIGHT_TO_LEFT}).status == 303
    for width in [390, 1280]:
        browser.size(width, 844)
        browser.open("/TaskList").shows("Task List").has_rows([RIGHT_TO_LEFT])
        title, date = box(browser, "li.row .row-title"), box(browser, "li.row .row-subtitle")
        assert abs(title[0] - date[0]) < 3, (title, date)


def test_the_result_of_an_import_goes_by_itself_and_covers_no_form(browser, server):
    item = add_item(browser, "Milk")
    assert plain.post(server, "/GroceryDude/import", {"action": "save", "count": "5"}).status == 303
    browser.open("/GroceryDude").shows("Prepare").wait("the result", "document.querySelector('#job.done')")
    browser.open(item).shows("Item")
    assert not browser.find("#job").is_displayed()
    browser.open("/GroceryDude").shows("Prepare").wait("no result", "document.getElementById('job').hidden")
