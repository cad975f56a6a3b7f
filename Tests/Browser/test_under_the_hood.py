"""Section "Under the hood": the panel that shows the SQL, faults, saves and objects beneath a screen."""

import re

import pytest
import requests_plain as plain
from core_dump import add_bug, add_project
from groceries import add_item
from selenium.webdriver.common.keys import Keys

# Functions of the page as expressions: the groups of the log, the newest first, with their kinds, titles and lines.
LOG = (
    "[...document.querySelectorAll('#hood-log .hood-group')].map((group) => ({kind: group.className,"
    " title: group.querySelector('.hood-title').textContent, context: group.querySelector('.hood-context')?.textContent,"
    " time: group.querySelector('.hood-time')?.textContent ?? '',"
    " lines: [...group.querySelectorAll('li')].map((line) => line.textContent)}))"
)
FIGURE = "Number(document.getElementById(`hood-${a[0]}`).textContent.replace(/\\D/g, '') || NaN)"
OBJECT = "document.getElementById('hood-object')"
TABLES = (
    f"Object.fromEntries([...{OBJECT}.querySelectorAll('table')].map((table) => [table.caption.textContent,"
    " Object.fromEntries([...table.tBodies[0].rows].map((row) => [row.cells[0].textContent,"
    " [...row.cells].slice(1).map((cell) => cell.textContent)]))]))"
)


@pytest.fixture(autouse=True)
def closed(browser):
    """The browser is shared by all tests, and remembers an open panel."""
    yield
    browser.driver.delete_cookie("hood")


def open_panel(browser):
    browser.wait("the button", "document.getElementById('hood-button')").click()
    return connected(browser)


def connected(browser):
    browser.wait("the figures", "!document.getElementById('hood').hidden && window.hood.isLive")
    return browser


def group(browser, what, condition):
    """Waits for a group of the log for which a condition over `group` is true."""
    return browser.wait(what, f"{LOG}.find((group) => {condition})")


def save(server, address, text):
    assert plain.post(server, address + "/text", {"action": "save", "value": text}).status == 303


def is_open(browser):
    return browser.driver.execute_script("return !document.getElementById('hood').hidden")


# Opening and closing

def test_a_button_on_every_screen_of_every_application_opens_it_and_the_browser_remembers(browser, server):
    task = plain.add_task(server, "Task", location="Office")
    bug = add_bug(server, add_project(server, "Project", "http://example.com/"), "Bug")
    item = add_item(browser, "Milk", home="Fridge")
    browser.open("/TaskList").shows("Task List")
    assert not is_open(browser)
    open_panel(browser)
    paths = [
        "/TaskList/new", "/Tasks", "/Tasks/locations", task, task + "/text", task + "/priority", task + "/due-date",
        task + "/location", "/CoreDump", "/CoreDump/new", bug, "/FlashCards", "/FlashCards/play/states",
        "/FlashCards/history",
        "/GroceryDude", "/GroceryDude/shop", item, item + "/units", "/GroceryDude/import",
    ]
    for path in paths:
        connected(browser.open(path))
        assert browser.find("#hood-button").get_attribute("aria-expanded") == "true", path
        assert browser.find("#hood-figures").is_displayed(), path
    browser.find("#hood-close").click()
    browser.open("/Tasks").shows("Tasks")
    assert not is_open(browser)
    assert browser.find("#hood-button").get_attribute("aria-expanded") == "false"


def test_it_is_a_third_column_on_a_desktop_and_a_drawer_on_a_phone(browser, server):
    add_item(browser, "Milk")
    boxes = (
        "const box = (selector) => document.querySelector(selector).getBoundingClientRect().toJSON();"
        "return [box('#hood'), box('main'), box('.toolbar'), box('li.row'), document.documentElement.scrollWidth]"
    )
    browser.size(900, 800)
    open_panel(browser.open("/GroceryDude").shows("Prepare"))
    for width in [900, 1280, 1920]:
        browser.size(width, 800)
        hood, main, toolbar, row, whole = browser.driver.execute_script(boxes)
        assert (hood["right"], hood["top"], hood["bottom"]) == (width, 0, 800), width
        assert main["right"] <= hood["left"] and toolbar["right"] <= hood["left"] and whole <= width, width
    for width in [320, 390, 899]:
        browser.size(width, 800)
        hood, main, toolbar, row, whole = browser.driver.execute_script(boxes)
        assert (hood["left"], hood["right"]) == (0, width) and whole <= width, width
        # The first rows and the toolbar stay in reach.
        assert hood["top"] > row["bottom"] and hood["bottom"] <= toolbar["top"], width
    browser.size(390, 844)


def test_the_keyboard_opens_and_closes_it_and_the_focus_returns(browser, server):
    plain.add_task(server, "Task")
    browser.open("/Tasks").shows("Tasks").tab_to("Under the Hood").keys(Keys.RETURN)
    connected(browser)
    assert browser.focus == "Under the Hood" and browser.focus_is("#hood-title")
    browser.keys(Keys.TAB)
    assert browser.focus == "Clear"
    browser.tab_to("Task/p1 Task", limit=5).keys(Keys.RETURN)
    browser.wait("the object", f"{OBJECT}.querySelector('h4')?.textContent === 'Task/p1'")
    browser.keys(Keys.ESCAPE)
    assert not is_open(browser)
    assert browser.focus_is("#hood-button")


def test_each_part_has_a_name_for_screen_readers(browser, server):
    plain.add_task(server, "Task")
    open_panel(browser.open("/Tasks").shows("Tasks"))
    browser.find(".hood-choice").click()
    browser.wait("the object", f"{OBJECT}.querySelector('table')")
    tree = browser.driver.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    named = {(node["role"]["value"], node.get("name", {}).get("value", "")) for node in tree if not node["ignored"]}
    for role, name in [
        ("complementary", "Under the Hood"), ("button", "Under the Hood"), ("button", "Clear"),
        ("button", "Close Under the Hood"), ("group", "Activity beneath this screen"), ("button", "Task/p1 Task"),
        ("heading", "Activity"), ("table", "Its row in ZTASK"), ("rowheader", "ZTEXT"),
    ]:
        assert (role, name) in named, (role, name)


# Activity

def test_statements_appear_live_with_their_time_and_their_cause(browser, server):
    task = plain.add_task(server, "Task")
    open_panel(browser.open("/Tasks").shows("Tasks")).mark()
    save(server, task, "Changed")
    found = group(browser, "the save", "group.kind.includes('save') && group.title.startsWith('save 0 inserted, 1 updated')")
    assert found["context"] == "application"
    begin, update, commit = found["lines"]
    assert re.match(r"BEGIN IMMEDIATE[\d.,]+ ms", begin) and re.match(r"COMMIT[\d.,]+ ms", commit)
    assert re.match(r"UPDATE ZTASK SET ZTEXT = \?.*[\d.,]+ ms.*Bound: .*'Changed'", update), update
    assert browser.is_unreloaded


def test_the_page_s_own_fetches_are_shown_on_the_page(browser, server):
    plain.add_task(server, "Task")
    open_panel(browser.open("/TaskList").shows("Task List"))
    connected(browser.open("/Tasks/locations").shows("Tasks by Location"))
    found = group(browser, "the fetch", "group.kind.includes('fetch') && group.title.startsWith('fetch Task')")
    assert any("SELECT" in line and "FROM ZTASK" in line and "1 row" in line for line in found["lines"]), found


def test_a_save_names_its_objects_and_their_changed_properties(browser, server):
    task = plain.add_task(server, "Task")
    open_panel(browser.open("/Tasks").shows("Tasks"))
    save(server, task, "Changed")
    found = group(browser, "the save", "group.title === 'saved 1 updated'")
    assert found["lines"] == ["updated Task/p1: text"] and re.fullmatch(r"[\d.,]+ ms", found["time"])
    assert plain.post(server, "/Tasks", {"action": "delete", "value": "Task-p1"}).status == 303
    assert group(browser, "the deletion", "group.title === 'saved 1 deleted'")["lines"] == ["deleted Task/p1"]
    plain.add_task(server)
    found = group(browser, "the insertion", "group.title === 'saved 1 inserted'")
    assert found["lines"][0].startswith("inserted Task/p2: dueDate")


def test_a_results_controller_s_changes_are_shown_with_their_index_paths(browser, server):
    first = plain.add_task(server, "b")
    plain.add_task(server, "c")
    open_panel(browser.open("/Tasks").shows("Tasks"))
    save(server, first, "d")
    change = "group.kind.includes('controller') && group.title === 'results controller of Task: 1 change'"
    found = group(browser, "the move", f"{change} && group.lines[0].startsWith('move')")
    assert found["lines"] == ["move Task/p1 at [0, 0] → [0, 1]"]
    assert plain.post(server, "/Tasks", {"action": "delete", "value": "Task-p2"}).status == 303
    assert group(browser, "the deletion", f"{change} && group.lines[0].startsWith('delete')")["lines"] == [
        "delete Task/p2 at [0, 0]"
    ]


def test_an_object_is_turned_into_a_fault_and_a_fired_fault_is_counted_and_shown(browser, server):
    task = plain.add_task(server, "Task")
    open_panel(browser.open(task).shows("Task Detail"))
    browser.wait("the object", f"{OBJECT}.querySelector('.hood-action')?.textContent === 'Turn into a fault'")
    fired = browser.driver.execute_script(f"const a = ['faults']; return {FIGURE}")
    # The screen shows the object, so it reads a fault again at once.
    browser.find(".hood-action").click()
    found = group(browser, "the fault", "group.title.endsWith('fired')")
    assert found["kind"] == "hood-group fault" and "Task/p1" in found["lines"]
    read = group(browser, "the read", "group.title === 'fault Task/p1'")
    assert any("FROM ZTASK" in line and "Z_PK = ?" in line for line in read["lines"]), read
    browser.wait("the figure", f"{FIGURE} > a[1]", "faults", fired)


def test_a_fault_is_fired_by_a_button(browser, server):
    plain.add_task(server, "Task", location="Office")
    server.restart()
    # The list of tasks reads no locations.
    open_panel(browser.open("/Tasks").shows("Tasks"))
    browser.driver.execute_script("window.hood.inspect('Location-p1')")
    browser.wait("a fault", f"{OBJECT}.querySelector('.hood-is-fault')")
    assert "ZNAME" in browser.driver.execute_script(f"return {OBJECT}.textContent")
    browser.find(".hood-action").click()
    tables = browser.wait("its values", f"{TABLES}.Values && {TABLES}")
    assert tables["Values"]["name"] == ["“Office”"]
    group(browser, "the read", "group.title === 'fault Location/p1'")
    assert group(browser, "the fault", "group.title === '1 fault fired'")["lines"] == ["Location/p1"]


def test_registered_objects_statements_and_transactions_are_counted(browser, server):
    plain.add_task(server, "Task")
    open_panel(browser.open("/Tasks").shows("Tasks"))
    names = ["registered", "statements", "transactions"]
    before = {name: browser.wait(name, f"{FIGURE} >= 0 && {FIGURE}", name) for name in names[1:]}
    registered = browser.driver.execute_script(f"const a = ['registered']; return {FIGURE}")
    for number in range(5):
        plain.add_task(server, f"Task {number}")
    browser.wait("objects", f"{FIGURE} >= a[1]", "registered", registered + 5)
    # Two saves for each task: the insertion and its text.
    browser.wait("transactions", f"{FIGURE} >= a[1]", "transactions", before["transactions"] + 10)
    browser.wait("statements", f"{FIGURE} > a[1]", "statements", before["statements"] + 30)


def test_the_store_s_file_and_its_size_are_shown(browser, server):
    plain.add_task(server, "Task")
    open_panel(browser.open("/Tasks").shows("Tasks"))
    text = browser.wait("the file", "document.getElementById('hood-file').textContent")
    assert re.fullmatch(r"Tasks\.sqlite [\d.]+ kB( and [\d.]+ kB in Tasks\.sqlite-wal)?", text), text
    size = server.store().stat().st_size
    assert float(text.split()[1]) == pytest.approx(size / 1000, abs=0.06)
    assert browser.find("#hood-file").get_attribute("title") == str(server.store())


def test_clear_empties_the_log_also_for_the_next_page(browser, server):
    task = plain.add_task(server, "Task")
    open_panel(browser.open("/Tasks").shows("Tasks"))
    save(server, task, "Changed")
    group(browser, "the save", "group.title === 'saved 1 updated'")
    browser.find("#hood-clear").click()
    assert browser.find("#hood-quiet").is_displayed() and not browser.all("#hood-log li")
    connected(browser.open("/Tasks?order=dsc").shows("Tasks"))
    group(browser, "the fetch", "group.title.startsWith('fetch Task')")
    assert not [found for found in browser.driver.execute_script("return " + LOG) if "saved" in found["title"]]


# Objects

def test_a_click_on_a_row_shows_its_object_its_values_and_its_row_in_the_table(browser, server):
    plain.add_task(server, "One")
    plain.add_task(server, "Two", priority="Medium")
    open_panel(browser.open("/Tasks").shows("Tasks"))
    browser.tap("Two").shows("Task Detail")
    browser.wait("the object", f"{OBJECT}.querySelector('h4')?.textContent === 'Task/p2'")
    assert re.fullmatch(r"x-coredata://[0-9A-F-]{36}/Task/p2", browser.find(".hood-uri").text)
    assert browser.find(".hood-state").text.startswith("application\nvalues in memory")
    tables = browser.driver.execute_script("return " + TABLES)
    assert tables["Values"]["text"] == ["“Two”"] and tables["Values"]["priority"] == ["2"]
    row = tables["Its row in ZTASK"]
    assert row["Z_PK"] == ["2"] and row["ZTEXT"] == ["'Two'"] and row["ZPRIORITY"] == ["2"] and row["Z_OPT"]


def test_the_objects_of_the_screen_are_listed_and_the_chosen_one_follows_saves(browser, server):
    first = plain.add_task(server, "One")
    open_panel(browser.open("/Tasks").shows("Tasks"))
    choices = "[...document.querySelectorAll('.hood-choice')].map((choice) => choice.textContent)"
    browser.wait("the object", f"{choices}.join() === 'Task/p1 One'")
    browser.find(".hood-choice").click()
    browser.wait("its row", f"{TABLES}['Its row in ZTASK']?.ZTEXT?.[0] === \"'One'\"")
    plain.add_task(server, "Two")
    browser.wait("both objects", f"{choices}.join() === 'Task/p1 One,Task/p2 Two'")
    save(server, first, "Changed")
    browser.wait("the new row", f"{TABLES}['Its row in ZTASK']?.ZTEXT?.[0] === \"'Changed'\"")
    assert plain.post(server, "/Tasks", {"action": "delete", "value": "Task-p1"}).status == 303
    browser.wait("no row", f"{OBJECT}.querySelector('.hood-problem')?.textContent.includes('There is no row')")


def test_a_draft_s_changed_values_are_shown_beside_the_committed_ones(browser, server):
    item = add_item(browser, "Milk", home="Fridge")
    open_panel(browser.open(item).shows("Item"))
    browser.wait("the object", f"{OBJECT}.querySelector('table')")
    browser.fill("Oat milk", "name").send_keys(Keys.TAB)
    state = f"[...{OBJECT}.querySelectorAll('.hood-state')].map((state) => state.textContent)"
    browser.wait("the draft", f"{state}.length === 2 && {state}[1] === 'draftunsaved changes'")
    changed = f"[...({OBJECT}.querySelector('.hood-changed')?.cells ?? [])].map((cell) => cell.textContent).join('|')"
    browser.wait("the value", f"{changed} === 'name|“Milk”|“Oat milk”'")
    assert browser.driver.execute_script(f"return {TABLES}['Its row in ZITEM'].ZNAME") == ["'Milk'"]


# Costs and safety

def test_nothing_is_observed_until_a_panel_is_open_and_one_stream_is_added_then(browser, server):
    task = plain.add_task(server, "Task")
    browser.open("/Tasks").shows("Tasks")
    save(server, task, "Before")
    streams = "performance.getEntriesByType('resource').filter((entry) => entry.name.endsWith('/-activity')).length"
    assert browser.driver.execute_script("return " + streams) == 0 and not browser.driver.get_cookie("hood")
    open_panel(browser)
    save(server, task, "After")
    group(browser, "the save", "group.lines.some((line) => line.includes(\"'After'\"))")
    assert "'Before'" not in browser.driver.execute_script(f"return JSON.stringify({LOG})")
    assert browser.driver.execute_script("return window.hood.source.url").endswith("/Tasks/-activity")


def test_the_observation_ends_when_the_last_panel_is_closed(browser, server):
    task = plain.add_task(server, "Task")
    open_panel(browser.open("/Tasks").shows("Tasks"))
    save(server, task, "While it is open")
    group(browser, "the save", "group.title === 'saved 1 updated'")
    browser.find("#hood-close").click()
    # A page that is opened within four seconds continues the observation.
    browser.driver.set_script_timeout(10)
    browser.driver.execute_async_script("setTimeout(arguments[0], 4600)")
    save(server, task, "While it is closed")
    open_panel(browser)
    save(server, task, "Open again")
    group(browser, "the save", "group.lines.some((line) => line.includes(\"'Open again'\"))")
    log = browser.driver.execute_script(f"return JSON.stringify({LOG})")
    assert "'While it is closed'" not in log and log.count("saved 1 updated") == 1 + 1


def test_texts_of_objects_are_never_taken_for_html(browser, server):
    evil = "<img src=x onerror='window.evil = 1'><b>bold</b>&amp;"
    task = plain.add_task(server, evil)
    open_panel(browser.open(task).shows("Task Detail"))
    browser.wait("the object", f"{TABLES}['Its row in ZTASK']?.ZTEXT")
    assert evil in browser.driver.execute_script(f"return {TABLES}.Values.text[0]")
    save(server, task, evil + "2")
    group(browser, "the save", "group.lines.some((line) => line.includes('<b>bold</b>&amp;2'))")
    assert browser.driver.execute_script("return window.evil ?? null") is None
    assert not browser.all("#hood img")


def test_wrong_requests_for_objects_are_refused_and_change_nothing(server):
    for reference in ["", "Task", "Nothing-p1", "Task-p1'; DROP TABLE ZTASK", "../Task-p1"]:
        answer = plain.send(server, "GET", "/Tasks/-object?id=" + plain.urlencode({"": reference})[1:])
        assert answer.status == 404, reference
    assert "There is no row" in plain.get(server, "/Tasks/-object?id=Task-p999").text
    assert plain.post(server, "/Tasks/-object", {"id": "Task-p999", "action": "fire"}).status == 200
    answer = plain.post(server, "/Tasks/-object", {"id": "Task-p1"}, {"Origin": "http://evil.example"})
    assert answer.status == 403
