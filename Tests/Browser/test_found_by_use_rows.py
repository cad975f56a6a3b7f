"""Rows that say more, and bars with one purpose each."""

import re

import pytest

import requests_plain as plain
from core_dump import add_bug, add_project
from groceries import add_item
from pictures import png, post
from screens import add_task


def test_tasks_show_priority_and_location_and_follow_their_changes(browser, server):
    for text, priority in [("Calm", None), ("Low", "Low"), ("Urgent", "High")]:
        add_task(browser, text, priority=priority, location="Office" if text == "Urgent" else None)
    browser.open("/Tasks").shows("Tasks").has_rows(["Calm", "Low", "Urgent"])
    parts = lambda text, selector: [part.text for part in browser.row(text).find_elements("css selector", selector)]
    assert [parts(text, ".mark-text") for text in ["Calm", "Low", "Urgent"]] == [[""], ["!"], ["!!!"]]
    assert [parts(text, ".row-subtitle") for text in ["Calm", "Low", "Urgent"]] == [[], [], ["Office"]]
    cut = "const day = arguments[0].querySelector('.row-value'); return day.scrollWidth > day.clientWidth"
    assert not any(browser.driver.execute_script(cut, row) for row in browser.all("li.row"))
    assert "High priority: " in browser.cell("Urgent").get_attribute("textContent")
    assert browser.cell("Calm").get_attribute("textContent").startswith("Calm")
    address = browser.cell("Urgent").get_attribute("href")[len(server.address):]
    location = plain.reference(plain.get(server, address + "/location").text, "Office")
    assert plain.post(server, f"{address}/location/{location}", {"action": "save", "value": "Desk"}).status == 303
    browser.wait("the new name", "[...document.querySelectorAll('.row-subtitle')].some((one) => one.textContent === 'Desk')")
    assert plain.post(server, address + "/priority", {"action": "choose", "value": "2"}).status == 303
    browser.wait("the new mark", "[...document.querySelectorAll('.mark-text')].some((one) => one.textContent === '!!')")


def test_a_bug_has_a_thumbnail_that_follows_its_picture(browser, server):
    project = add_project(server)
    bug = add_bug(server, project, "Crash", screenshot=png(320, 200))
    add_bug(server, project, "No picture")
    browser.open(project).shows("Website").has_rows(["Crash", "No picture"])
    width = "document.querySelector('li.row .thumbnail img')?.naturalWidth"
    browser.wait("the thumbnail", width + " === 320")
    assert len(browser.all(".thumbnail")) == 1
    assert post(server, bug, {"title": "Crash", "details": "", "isClosed": "0"}, {"screenshot": ("b.png", png(64, 64))}).status == 303
    browser.wait("the other picture", width + " === 64")
    assert post(server, bug, {"title": "Crash", "details": "", "isClosed": "0", "remove.screenshot": "1"}).status == 303
    browser.wait("no thumbnail", "!document.querySelector('.thumbnail')")


def test_the_history_has_a_bar_for_each_score(browser, server):
    server.begin_with("FlashCards", "FlashCards-1.sqlite")
    browser.open("/FlashCards/history").shows("History")
    bars = browser.all("li.row .meter")
    assert [float(bar.get_attribute("value")) for bar in bars] == [50, 75]
    assert all(bar.size["width"] > 40 and bar.size["height"] >= 6 for bar in bars)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_each_application_has_its_colour_inside_with_enough_contrast(browser, scheme):
    browser.scheme(scheme)
    colours = {}
    for name in ["TaskList", "Tasks", "CoreDump", "FlashCards", "GroceryDude"]:
        browser.open(f"/{name}")
        colours[name], contrast = browser.driver.execute_script(
            "const rgb = (name) => { const probe = document.body.appendChild(document.createElement('i'));"
            "  probe.style.color = `var(${name})`; const text = getComputedStyle(probe).color; probe.remove();"
            "  return text.match(/[\\d.]+/g).slice(0, 3).map(Number) };"
            "const light = (colour) => colour.map((one) => one / 255).map((one) =>"
            "  one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4)"
            "  .reduce((sum, one, place) => sum + one * [0.2126, 0.7152, 0.0722][place], 0);"
            "const contrast = (one, other) => { const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);"
            "  return (bright + 0.05) / (dark + 0.05) };"
            "return [rgb('--tint').join(), Math.min(contrast(rgb('--tint'), rgb('--card')), contrast(rgb('--tint'), rgb('--background')))]"
        )
        assert contrast >= 4.5, (name, contrast)
    browser.scheme("light")
    assert len(set(colours.values())) == 5, colours


# Bars

def test_filter_order_and_navigation_are_apart_and_in_words(browser, server):
    add_task(browser, "Bread", priority="High")
    add_task(browser, "Apples")
    browser.open("/Tasks").shows("Tasks")
    assert browser.all(".toolbar") == []
    groups = browser.driver.execute_script(
        "return Object.fromEntries([...document.querySelectorAll('.choices nav, .tabs')].map((nav) =>"
        " [nav.getAttribute('aria-label'), [...nav.querySelectorAll('a')].map((link) => link.innerText.trim())]))"
    )
    assert groups == {"Filter": ["All", "High Priority"], "Order": ["A–Z", "Z–A"], "Tabs": ["Tasks", "By Location"]}
    browser.tool("Z–A").has_rows(["Bread", "Apples"]).tool("High Priority").has_rows(["Bread"])
    assert [link.text for link in browser.all(".choices [aria-current]")] == ["High Priority", "Z–A"]
    browser.tool("All").has_rows(["Bread", "Apples"]).tool("A–Z").has_rows(["Apples", "Bread"])
    browser.tool("By Location").shows("Tasks by Location").tool("Tasks").shows("Tasks")
    assert "dsc" not in browser.find("body").text.lower()


# Sections

def test_two_sections_of_one_title_stay_two(browser, server):
    """The location of one item is deleted; that of the other was never known."""
    item = add_item(browser, "Bread", home="Box")
    add_item(browser, "Apples")
    add_item(browser, "Cheese", home="Fridge")
    places = item + "/home-locations"
    box = re.search(r'id="(LocationAtHome-p\d+)" data-name="Box"', plain.get(server, places).text)[1]
    assert plain.post(server, places, {"action": "delete", "value": box}).status == 303
    sections = [["Unknown Location", ["Bread"]], ["Unknown Location", ["Apples"]], ["Fridge", ["Cheese"]]]
    browser.open("/GroceryDude").shows("Prepare")
    assert browser.sections == sections
    for action in ["list", "unlist", "list"]:
        assert plain.post(server, "/GroceryDude", {"perform": f"{action} {item.rsplit('/', 1)[1]}"}).status == 303
        shows = "document.querySelectorAll('li.row.highlighted').length === a[0]"
        browser.wait(action, shows, 1 if action == "list" else 0)
        assert browser.sections == sections


def test_the_index_follows_the_sections(browser, server):
    for letter in "BCDEFGHI":
        for number in range(4):
            add_project(server, f"{letter}{number}", f"http://{letter.lower()}.example/")
    browser.open("/CoreDump").shows("Projects")
    letters = "[...document.querySelectorAll('.index a')].map((link) => link.textContent).join('') === a[0]"
    browser.wait("the index", letters, "BCDEFGHI")
    for number in range(12):
        add_project(server, f"A{number}", "http://a.example/")
    browser.wait("the new section", letters, "ABCDEFGHI")
    for number in range(12, 24):
        add_project(server, f"A{number}", "http://a.example/")
    browser.wait("all rows", "liveTable.total === 56")
    browser.driver.execute_script("[...document.querySelectorAll('.index a')].find((one) => one.textContent === 'C').click()")
    top = "[...document.querySelectorAll('.group h2')].find((one) => one.textContent === 'c.example')?.getBoundingClientRect().top"
    browser.wait("the section beneath the bar", f"{top} >= 0 && {top} < 120")
