"""The desktop layout from 900 px on: list, detail and panel side by side."""

from contextlib import contextmanager

import pytest
import requests_plain as plain
from core_dump import add_bug, add_project
from groceries import add_item, type_in
from selenium.webdriver.common.keys import Keys
from test_under_the_hood import connected, open_panel

SPLIT = "window.split"
PANE = f"{SPLIT}?.frame?.contentDocument"


@pytest.fixture(autouse=True)
def desktop(browser):
    browser.size(1280, 800)
    yield
    browser.driver.delete_cookie("hood")
    browser.size(390, 844)


def shows(browser, detail, title):
    """Waits until the frame beside the list shows a screen, and the address names it."""
    browser.wait(
        f"{detail} beside the list",
        f"location.hash === '#' + a[0] && {PANE}?.readyState === 'complete'"
        f" && {PANE}.querySelector('#title').textContent === a[1]",
        detail,
        title,
    )


@contextmanager
def inside(browser):
    """Acts in the frame beside the list."""
    browser.driver.switch_to.frame(browser.find("#pane iframe"))
    try:
        yield
    finally:
        browser.driver.switch_to.default_content()


def address(browser):
    return browser.driver.execute_script("return location.pathname + location.search + location.hash")


def current(browser):
    return browser.driver.execute_script(
        "return [...document.querySelectorAll('li.row.current')].map((row) => row.dataset.name)"
    )


def test_a_row_opens_beside_its_list_which_stays_and_the_address_names_both(browser, server):
    for text in ["One", "Two"]:
        task = plain.add_task(server, text)
    browser.open("/Tasks?order=dsc").shows("Tasks").mark()
    assert browser.find(".pane-hint").is_displayed()
    browser.tap("Two")
    shows(browser, task, "Task Detail")
    assert browser.is_unreloaded and browser.title == "Tasks" and current(browser) == ["Two"]
    assert address(browser) == f"/Tasks?order=dsc#{task}"
    assert browser.driver.title == "Task Detail – Tasks"
    browser.tap("One")
    shows(browser, task.replace("p2", "p1"), "Task Detail")
    assert current(browser) == ["One"]
    browser.driver.back()
    shows(browser, task, "Task Detail")
    assert current(browser) == ["Two"] and browser.is_unreloaded


def test_the_columns_are_side_by_side_from_900_pixels_and_the_panel_is_third(browser, server):
    item = add_item(browser, "Milk")
    open_panel(browser.open("/GroceryDude#" + item).shows("Prepare"))
    shows(browser, item, "Item")
    for width in [900, 1280, 1920]:
        browser.size(width, 800)
        main, bar, tools, pane, hood, button = browser.driver.execute_script(
            "return ['main', '.bar', '.toolbar', '#pane iframe', '#hood', '#hood-button'].map((selector) =>"
            " document.querySelector(selector).getBoundingClientRect().toJSON())"
        )
        assert main["left"] == bar["left"] == tools["left"] == 0, width
        assert main["right"] == bar["right"] == tools["right"] <= pane["left"] <= main["right"] + 1, width
        assert pane["right"] == hood["left"] and hood["right"] == width, width
        # Screens work from 320 px on, lists from 270.
        assert main["width"] >= 270 and pane["width"] >= 320 and hood["width"] >= 300, width
        assert pane["left"] < button["left"] and button["right"] <= pane["right"], width
        with inside(browser):
            widths = browser.driver.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
            assert widths[0] <= widths[1], width


def test_a_narrow_window_shows_one_screen_as_a_phone_does(browser, server):
    task = plain.add_task(server, "Task")
    browser.open("/Tasks").shows("Tasks").tap("Task")
    shows(browser, task, "Task Detail")
    browser.size(899, 800)
    browser.shows("Task Detail")
    assert address(browser) == task and not browser.all("#pane")
    browser.back().shows("Tasks").tap("Task").shows("Task Detail")
    assert address(browser) == task
    browser.size(900, 800)
    shows(browser, task, "Task Detail")
    assert address(browser) == f"/Tasks#{task}"


@pytest.mark.parametrize("make, list_, title", [
    (lambda browser, server: plain.add_task(server, "Task") + "/text", "/Tasks", "Text"),
    (lambda browser, server: add_bug(server, add_project(server, "P", "http://e.com/"), "B"), "/CoreDump", "Bug"),
    (lambda browser, server: add_item(browser, "Milk").replace("/item/", "/shop/item/"), "/GroceryDude/shop", "Item"),
])
def test_a_detail_s_own_address_shows_its_list_too(browser, server, make, list_, title):
    detail = make(browser, server)
    browser.open(detail)
    shows(browser, detail, title)
    assert address(browser) == f"{list_}#{detail}"
    browser.driver.refresh()
    shows(browser, detail, title)


def test_an_added_object_opens_beside_the_list_and_a_saved_form_changes_its_row(browser):
    browser.open("/Tasks").shows("Tasks").add()
    shows(browser, "/Tasks/task/Task-p1", "Task Detail")
    with inside(browser):
        assert not browser.find("[data-back]").is_displayed()
        browser.tap("Text").shows("Text").fill("Written beside the list")
        browser.save().shows("Task Detail")
    browser.has_rows(["Written beside the list"])
    assert address(browser) == "/Tasks#/Tasks/task/Task-p1" and current(browser) == ["Written beside the list"]


@pytest.mark.parametrize("leave", ["another row", "another tab"])
@pytest.mark.parametrize("name", ["Milk", None])
def test_a_new_item_beside_the_list_stays_only_if_it_was_filled_in(browser, leave, name):
    bread = add_item(browser, "Bread")
    browser.open("/GroceryDude").shows("Prepare").add()
    shows(browser, "/GroceryDude/item/Item-p2", "Item")
    if name:
        with inside(browser):
            type_in(browser, "name", name)
    if leave == "another row":
        browser.row("Bread").find_element("css selector", "a.detail").click()
        shows(browser, bread, "Item")
    else:
        browser.tool("Shop").shows("Shop")
        browser.tool("Prepare").shows("Prepare")
    browser.has_rows(["Bread", name] if name else ["Bread"])


@pytest.mark.parametrize("again", ["a reload", "a narrow window"])
def test_a_new_task_beside_the_list_stays_while_it_is_shown(browser, server, again):
    browser.open("/Tasks").shows("Tasks").add()
    shows(browser, "/Tasks/task/Task-p1", "Task Detail")
    if again == "a reload":
        browser.driver.refresh()
    else:
        browser.size(500, 800)
        browser.shows("Task Detail")
        browser.size(1280, 800)
    shows(browser, "/Tasks/task/Task-p1", "Task Detail")
    # A second task proves that the first would have gone by now.
    plain.add_task(server, "Zebra")
    browser.has_rows(["Untitled", "Zebra"])


def test_a_search_keeps_the_screen_beside_the_list(browser, server):
    project = add_project(server, "Website")
    browser.open("/CoreDump#" + project).shows("Projects")
    shows(browser, project, "Website")
    browser.find("#search-field").send_keys("web")
    browser.wait("the search", "location.search === '?search=web'")
    shows(browser, project, "Website")
    assert address(browser) == f"/CoreDump?search=web#{project}"


def test_there_is_one_note_after_a_deletion_in_either_column(browser, server):
    project = add_project(server, "Website")
    add_bug(server, project, "Crash")
    add_project(server, "Other", "http://other.example/")
    browser.open("/CoreDump").shows("Projects").swipe("Other").press_delete("Other").has_rows(["Website"])
    note = "document.querySelector('section.deletion p')?.textContent === a[0]"
    browser.wait("the note", note, "Project deleted")
    browser.tap("Website")
    shows(browser, project, "Website")
    with inside(browser):
        assert not browser.all("section.deletion")
        browser.swipe("Crash").press_delete("Crash").has_rows([])
        assert not browser.all("section.deletion")
    browser.wait("the note", note, "Bug deleted")
    with inside(browser):
        browser.driver.execute_script("document.querySelector('#content').focus()")
        browser.driver.switch_to.active_element.send_keys(Keys.CONTROL + "z")
        browser.has_rows(["Crash"])
    browser.wait("the note", note, "Project deleted")
    browser.find("section.deletion button").click()
    browser.has_rows(["Other", "Website"])


def test_a_form_that_returns_to_its_list_closes_the_column(browser):
    browser.open("/CoreDump").shows("Projects").add()
    shows(browser, "/CoreDump/new", "New Project")
    with inside(browser):
        browser.fill("Beside", "name")
        browser.save()
    browser.has_rows(["Beside"])
    browser.wait("no frame", f"!{SPLIT}.frame && !location.hash")
    assert browser.find(".pane-hint").is_displayed()


def test_an_object_deleted_elsewhere_closes_the_column(browser, server):
    task = plain.add_task(server, "Task")
    browser.open("/Tasks#" + task).shows("Tasks")
    shows(browser, task, "Task Detail")
    assert plain.post(server, "/Tasks", {"action": "delete", "value": "Task-p1"}).status == 303
    with inside(browser):
        browser.expect_alert("Deleted").dismiss()
    browser.wait("no frame", f"!{SPLIT}.frame && !location.hash")
    browser.has_rows([])


def test_the_keyboard_goes_from_column_to_column(browser, server):
    first, second = [plain.add_task(server, text) for text in ["One", "Two"]]
    open_panel(browser.open("/Tasks").shows("Tasks"))
    browser.keys(Keys.F6)
    assert browser.focus == "One"
    browser.keys(Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
    shows(browser, second, "Task Detail")
    focused = f"{PANE}.hasFocus() && {PANE}.activeElement.querySelector('.row-title')?.textContent"
    assert browser.wait("the focus beside the list", focused) == "Text"
    browser.keys(Keys.ARROW_DOWN)
    assert browser.wait("the next row", f"{focused} === 'Priority' && 'Priority'")
    browser.keys(Keys.ARROW_LEFT)
    assert browser.focus == "Two"
    browser.keys(Keys.F6)
    browser.wait("the focus beside the list", focused)
    browser.keys(Keys.F6)
    browser.wait("the focus in the panel", "document.activeElement.id === 'hood-title'")
    browser.keys(Keys.F6)
    assert browser.focus == "Two"
    browser.keys(Keys.ARROW_UP, Keys.RETURN)
    shows(browser, first, "Task Detail")
    browser.keys(Keys.ARROW_RIGHT)
    browser.wait("the focus beside the list", focused)
    browser.keys(Keys.ESCAPE)
    assert browser.focus == "One"


def test_a_task_beside_its_location_has_no_button_that_leads_to_the_other_tab(browser, server):
    task = plain.add_task(server, "Task")
    browser.open("/Tasks/locations").shows("Tasks by Location").tap("Task")
    shows(browser, task, "Task Detail")
    with inside(browser):
        assert not browser.find("[data-back]").is_displayed()
        browser.tap("Text").shows("Text").back().shows("Task Detail")
    assert address(browser) == f"/Tasks/locations#{task}"


def test_the_link_that_skips_the_bar_leaves_the_column_open(browser, server):
    task = plain.add_task(server, "Task")
    browser.open("/Tasks#" + task).shows("Tasks")
    shows(browser, task, "Task Detail")
    browser.find(".skip").send_keys(Keys.RETURN)
    browser.wait("the focus", "document.activeElement.id === 'content'")
    shows(browser, task, "Task Detail")
    assert address(browser) == f"/Tasks#{task}"


def test_the_panel_shows_the_object_beside_the_list_and_its_activity(browser, server):
    for text in ["One", "Two"]:
        task = plain.add_task(server, text)
    open_panel(browser.open("/Tasks").shows("Tasks"))
    browser.tap("Two")
    shows(browser, task, "Task Detail")
    browser.wait("the object", "document.querySelector('#hood-object h4')?.textContent === 'Task/p2'")
    choices = "[...document.querySelectorAll('.hood-choice')].map((choice) => choice.textContent)"
    assert sorted(browser.driver.execute_script("return " + choices)) == ["Task/p1 One", "Task/p2 Two"]
    with inside(browser):
        assert not browser.all("#hood") and not browser.all("#hood-button")
        browser.tap("Priority").shows("Priority").tap("High").shows("Task Detail")
    browser.wait("the save", "[...document.querySelectorAll('#hood-log .hood-group')].some((group) =>"
                 " group.textContent.includes('updated Task/p2: priority'))")
    connected(browser)


def test_the_frame_shows_screens_of_the_application_alone(browser, server):
    plain.add_task(server, "Task")
    for detail in ["https://example.com/", "//example.com/", "javascript:alert(1)", "/CoreDump", "/Tasks", "content"]:
        browser.driver.get("about:blank")
        browser.open("/Tasks#" + detail).shows("Tasks")
        assert browser.driver.execute_script(f"return {SPLIT} && !{SPLIT}.frame"), detail


def test_pages_of_other_sites_cannot_frame_a_screen(server):
    policy = plain.get(server, "/Tasks").headers["content-security-policy"]
    assert "frame-ancestors 'self'" in policy and "frame-src 'self'" in policy
