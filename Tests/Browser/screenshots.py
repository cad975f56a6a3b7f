"""Pictures of every screen, on a phone and two desktops, light and dark, for review.

Called by Scripts/screenshots.sh, which sets SCREENSHOTS to a folder; `make test` does not collect this file.
"""

import os
from datetime import datetime
from pathlib import Path

import pictures
import requests_plain as plain
import test_flash_cards
from conftest import Server, prepared
from core_dump import add_bug, add_project
from groceries import add_item, press, settled, type_in
from screens import add_task
from test_tasks import day

SIZES = {"phone": (390, 844), "desktop": (1280, 800), "wide": (1920, 1080)}

# Lets the next address be opened without a question about unsaved texts, which the driver cannot answer.
LEAVE = "addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), {capture: true})"


def take(browser, screens):
    """Takes pictures of screens, given their names, their addresses and the steps before each picture."""
    folder = Path(os.environ["SCREENSHOTS"])
    folder.mkdir(parents=True, exist_ok=True)
    try:
        for size, (width, height) in SIZES.items():
            browser.size(width, height)
            for scheme in ["light", "dark"]:
                browser.scheme(scheme)
                for name, path, prepare in screens:
                    browser.open(path)
                    browser.until("the page", lambda: browser.is_ready)
                    enter_frame(browser)
                    browser.driver.execute_script(LEAVE)
                    if prepare:
                        prepare()
                    assert_fits(browser, f"{name}, {size}, {scheme}")
                    browser.driver.switch_to.default_content()
                    assert_fits(browser, f"{name}, {size}, {scheme}, with its list")
                    browser.driver.save_screenshot(str(folder / f"{name}-{size}-{scheme}.png"))
    finally:
        browser.scheme("light")


def enter_frame(browser):
    """Continues in the frame beside the list, if there is one."""
    is_alone = "document.readyState === 'complete' && !(document.body.dataset.list && innerWidth >= 900)"
    browser.wait("the columns", f"{is_alone} && (!location.hash.startsWith('#/') || window.split?.shown)")
    frames = browser.all("#pane iframe")
    if frames:
        browser.driver.switch_to.frame(frames[0])


def assert_fits(browser, what):
    """Checks that nothing scrolls sideways."""
    widths = browser.driver.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
    assert widths[0] <= widths[1], f"{what} scrolls sideways: {widths}"


def test_pictures_of_the_tasks_applications(browser, server):
    for text in ["Buy stamps", "Call the plumber", "Water the plants"]:
        browser.open("/TaskList/new").shows("New Task").fill(text, "taskText")
        browser.save().shows("Task List")
    add_task(browser, "Book the train to Lisbon", priority="High", day=day(1), location="Home")
    add_task(browser, "Prepare the quarterly review", priority="High", day=day(2), location="Office")
    add_task(browser, "Order a new bicycle chain", priority="Low", day=day(12), location="Workshop")
    add_task(browser, "Return the library books", day=day(0))
    add_task(browser, "Plant the tulip bulbs", priority="Medium", day=day(6), location="Garden")
    add_task(browser, "Renew the passport", day=day(3), location="Home")
    add_task(browser, "Write to Ana", location="Home")
    server.stop()
    past = datetime.now().timestamp() - 978_307_200 - 86_400
    server.edit_store("UPDATE ZTASK SET ZDUEDATE = ? WHERE ZTEXT LIKE '%library%'", past)
    server.start()
    browser.open("/Tasks").shows("Tasks").tap("Prepare the quarterly review").shows("Task Detail")
    task = browser.path

    def swiped():
        browser.swipe("Plant the tulip bulbs")

    def editing():
        browser.find("#edit").click()

    def alert():
        browser.tap("High-Priority Tasks").expect_alert("High-Priority Tasks")

    def refused():
        browser.fill_day(day(10))
        browser.save().expect_alert("Invalid Due Date")

    screens = [
        ("home", "/", None), ("task-list", "/TaskList", None), ("task-list-new", "/TaskList/new", None),
        ("tasks", "/Tasks", None), ("tasks-swiped", "/Tasks", swiped), ("tasks-editing", "/Tasks", editing),
        ("tasks-by-location", "/Tasks/locations", None), ("task-detail", task, None), ("task-alert", task, alert),
        ("edit-text", task + "/text", None), ("edit-priority", task + "/priority", None),
        ("edit-date", task + "/due-date", None), ("edit-date-refused", task + "/due-date", refused),
        ("edit-location", task + "/location", None), ("not-found", "/Tasks/task/Task-p999", None),
    ]
    take(browser, screens)


def test_pictures_of_the_tour_and_of_the_panel(first_driver, folder):
    server = Server(folder / "Filled", samples=True).start()
    try:
        browser = prepared(first_driver, server)
        for name in ["two-people", "other-version"]:
            browser.open("/-break").find(f"#{name} .experiment-button").click()
            browser.wait("the report", "document.querySelector('.report')")
            take(browser, [(f"break-{name}", browser.path, None)])
        take(browser, [("tour", "/", None)])
        browser.driver.add_cookie({"name": "hood", "value": "open"})

        def active():
            browser.driver.switch_to.default_content()
            browser.wait("the panel", "window.hood?.isLive")
            text = f"Plant the tulip bulbs, {next(rounds)} of them"
            assert plain.post(server, "/Tasks/task/Task-p3/text", {"action": "save", "value": text}).status == 303
            browser.wait("the save", "[...document.querySelectorAll('.hood-title')].some((title) => title.textContent === 'saved 1 updated')")

        rounds = iter(range(100, 200))
        take(browser, [("hood", "/Tasks", active), ("hood-detail", "/Tasks/task/Task-p3", active)])
    finally:
        first_driver.delete_cookie("hood")
        server.stop()


def test_pictures_of_flash_cards(browser):
    names = test_flash_cards.play(browser, "Capitals", wrong={2, 7})
    browser.dismiss()
    result = browser.path
    browser.tap(names[1]).shows(names[1])
    card = browser.path
    test_flash_cards.play(browser, "States", wrong={1, 4, 5})
    browser.dismiss()

    def answered(text):
        test_flash_cards.on_card(browser, 1)
        browser.fill(text or test_flash_cards.answer(browser)[1], "guess")
        browser.save()
        test_flash_cards.on_card(browser, 2)

    take(
        browser,
        [
            ("flash-cards", "/FlashCards", None), ("flash-cards-first", "/FlashCards/play/capitals", None),
            ("flash-cards-right", "/FlashCards/play/capitals", lambda: answered(None)),
            ("flash-cards-wrong", "/FlashCards/play/capitals", lambda: answered("Gotham")),
            ("flash-cards-result", result, None), ("flash-cards-game", result.split("?")[0], None),
            ("flash-cards-card", card, None), ("flash-cards-history", "/FlashCards/history", None),
        ],
    )


def test_pictures_of_core_dump(browser, other, server, folder):
    shot = lambda path: (browser.open(path), browser.driver.get_screenshot_as_png())[1]
    plain.add_task(server, "Book the train to Lisbon")
    wrong, right = shot("/Tasks"), shot("/TaskList/new")
    for name, url in [
        ("Trail Maps", "https://maps.example.com/trails"), ("Night Sky", "https://maps.example.com/sky"),
        ("Recipe Box", "https://kitchen.example.org/recipes"), ("Ledger", "https://books.example.net/ledger/"),
    ]:
        project = add_project(server, name, url)
    long = "The list comes up with one row instead of two. Scrolling down and up again brings it back.\n\nSteps:\n"
    bug = add_bug(server, project, "A row is missing after the restart", long + "1. Add two tasks.\n2. Restart.", wrong)
    for title in ["Totals round to whole numbers", "Import stops at the 30th of February", "Typo in the about box"]:
        last = add_bug(server, project, title)
    assert pictures.post(server, last, {"title": "Typo in the about box", "details": "", "isClosed": "1"}).status == 303

    def typed(text):
        def type_words():
            browser.find("#search-field").send_keys(text)
            browser.until("the rows found", lambda: len(browser.sections) == 1 or not browser.texts)
            browser.until("the words", lambda: browser.path.endswith(text))

        return type_words

    def editing():
        browser.find("#edit").click()

    def attached():
        browser.fill("Totals round to whole numbers", "title")
        browser.find("input[type=file]").send_keys(pictures.write(folder, "list.png", wrong))
        browser.until("the preview", lambda: browser.all(".picture-frame canvas"))

    def refused():
        browser.find("input[type=file]").send_keys(pictures.write(folder, "notes.png", b"no picture"))
        browser.expect_alert("Not Taken")

    def scrolled():
        browser.driver.execute_script("scrollTo(0, document.body.scrollHeight)")

    rounds = iter(range(100))

    def conflict():
        number = next(rounds)
        browser.fill("One row too few", "title")
        browser.find("input[type=file]").send_keys(pictures.write(folder, "mine.png", pictures.png(300, 200)))
        browser.until("the preview", lambda: browser.all(".picture-frame canvas"))
        other.open(bug).shows("Bug").fill(f"A row is missing after restart {number}", "title")
        other.find("input[type=file]").send_keys(pictures.write(folder, "other.png", right if number % 2 else wrong))
        other.until("the preview", lambda: other.all(".picture-frame canvas"))
        other.save().shows("Ledger")
        browser.save()
        browser.until("the dialog", lambda: browser.all("dialog.conflicts:modal"))

    screens = [
        ("core-dump", "/CoreDump", None), ("core-dump-editing", "/CoreDump", editing),
        ("core-dump-search", "/CoreDump", typed("ki")), ("core-dump-no-results", "/CoreDump", typed("parrot")),
        ("core-dump-project", project + "/edit", None), ("core-dump-bugs", project, None),
        ("core-dump-new-bug", project + "/new", None), ("core-dump-attached", project + "/new", attached),
        ("core-dump-refused", project + "/new", refused), ("core-dump-bug", bug, None),
        ("core-dump-bug-below", bug, scrolled), ("core-dump-conflict", bug, conflict),
    ]
    take(browser, screens)
    for path in plain.get(server, "/CoreDump").text.split('id="Project-')[1:]:
        fields = {"action": "delete", "value": "Project-" + path.split('"')[0], "confirmed": "yes"}
        plain.post(server, "/CoreDump", fields)
    take(browser, [("core-dump-empty", "/CoreDump", None)])


def test_pictures_of_grocery_dude(browser, server):
    item = add_item(browser, "Milk", "1.5", "l", "Fridge", "Dairy", listed=True)
    for name, quantity, unit, home, shop, listed in [
        ("Butter", "250", "g", "Fridge", "Dairy", False), ("Yoghurt", "4", None, "Fridge", "Dairy", True),
        ("Rice", "2", "kg", "Pantry", "Aisle 3", False), ("Lentils", "500", "g", "Pantry", "Aisle 3", True),
        ("Olive oil", "0.75", "l", "Pantry", "Aisle 3", True), ("Soap", None, None, "Bathroom", "Household", True),
    ]:
        add_item(browser, name, quantity, unit, home, shop, listed)
    browser.open("/GroceryDude/shop").shows("Shop")
    for name in ["Lentils", "Milk"]:
        browser.tap(name)
        browser.until("collected", lambda: name in browser.checked)

    def refused():
        type_in(browser, "quantity", "1e999")
        settled(browser)

    def question():
        press(browser, "button[value=clear]")
        browser.until("the question", lambda: browser.alert)

    def importing():
        browser.open("/GroceryDude")
        assert plain.post(server, "/GroceryDude/import", {"action": "save", "count": "100000"}).status == 303
        browser.until("the progress", lambda: browser.find("#job progress").get_attribute("value") not in (None, "0"))

    def editing():
        browser.find("#edit").click()

    def changed():
        type_in(browser, "name", "Oat milk")
        settled(browser)

    take(
        browser,
        [
            ("grocery-prepare", "/GroceryDude", None), ("grocery-editing", "/GroceryDude", editing),
            ("grocery-question", "/GroceryDude", question), ("grocery-shop", "/GroceryDude/shop", None),
            ("grocery-item", item, None), ("grocery-item-changed", item, changed), ("grocery-item-refused", item, refused),
            ("grocery-units", item + "/units", None), ("grocery-new-unit", item + "/units/new", None),
            ("grocery-home-locations", item + "/home-locations", None), ("grocery-import", "/GroceryDude/import", None),
        ],
    )
    importing()
    take(browser, [("grocery-importing", "/GroceryDude", None)])
    assert plain.post(server, "/GroceryDude/-job", {"action": "cancel"}).status == 303
