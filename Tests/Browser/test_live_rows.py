"""Two browsers on the same screen show the same rows without a reload."""

from screens import add_task


def test_inserts_updates_moves_and_deletes_arrive_in_another_browser(browser, other):
    other.open("/Tasks").shows("Tasks").mark()
    add_task(browser, "Beans")
    add_task(browser, "Apples")
    other.has_rows(["Apples", "Beans"])
    browser.tap("Apples").shows("Task Detail").tap("Text").shows("Text").fill("Zucchini")
    browser.save().shows("Task Detail")
    other.has_rows(["Beans", "Zucchini"])
    browser.back().shows("Tasks").swipe("Beans").press_delete("Beans").has_rows(["Zucchini"])
    other.has_rows(["Zucchini"])
    assert other.is_unreloaded
    words = other.find("#announcements").get_attribute("textContent")
    assert words == "Deleted Beans", words


def test_rows_that_did_not_change_keep_their_elements(browser, other):
    add_task(browser, "Apples")
    add_task(browser, "Carrots")
    other.open("/Tasks").shows("Tasks").has_rows(["Apples", "Carrots"])
    other.driver.execute_script("for (const row of document.querySelectorAll('li.row')) row.kept = true")
    add_task(browser, "Beans")
    other.has_rows(["Apples", "Beans", "Carrots"])
    kept = other.driver.execute_script("return [...document.querySelectorAll('li.row')].map((row) => !!row.kept)")
    assert kept == [True, False, True]


def test_a_detail_screen_changes_in_another_browser(browser, other):
    add_task(browser, "Write", location="Office")
    browser.tap("Write").shows("Task Detail")
    other.open(browser.path).shows("Task Detail").mark()
    browser.tap("Priority").shows("Priority")
    other.open(browser.path).shows("Priority").mark()
    browser.tap("Medium").shows("Task Detail")
    other.until("the check mark moves", lambda: other.checked == ["Medium"])
    assert other.is_unreloaded
    other.open(browser.path).shows("Task Detail").mark()
    browser.tap("Text").shows("Text").fill("Rewrite")
    browser.save().shows("Task Detail")
    other.has_value("Text", "Rewrite")
    browser.tap("Location").shows("Location").swipe("Office").press_delete("Office")
    other.has_value("Location", "Not Set")
    assert other.is_unreloaded


def test_a_deleted_task_is_reported_in_the_browser_that_shows_it(browser, other):
    add_task(browser, "Short lived")
    browser.tap("Short lived").shows("Task Detail")
    other.open(browser.path).shows("Task Detail")
    browser.back().shows("Tasks").swipe("Short lived").press_delete("Short lived")
    other.expect_alert("Deleted").dismiss()
    other.shows("Tasks").has_rows([])


def test_a_browser_catches_up_when_the_server_comes_back(browser, other, server):
    add_task(browser, "Before")
    other.open("/Tasks").shows("Tasks").has_rows(["Before"]).mark()
    server.restart()
    add_task(browser, "After")
    other.has_rows(["After", "Before"])
    assert other.is_unreloaded


def test_a_form_keeps_typed_values_while_the_server_is_away(browser, server):
    add_task(browser, "Task")
    browser.tap("Task").shows("Task Detail").tap("Text").shows("Text").fill("Typed in vain?")
    server.stop()
    browser.save().expect_alert("Server Not Reached").dismiss()
    assert browser.find("input[name=value]").get_attribute("value") == "Typed in vain?"
    server.start()
    browser.save().shows("Task Detail").has_value("Text", "Typed in vain?")


def test_a_red_row_turns_red_when_its_time_comes(browser, server):
    from datetime import datetime

    add_task(browser, "Soon late")
    server.stop()
    server.edit_store("UPDATE ZTASK SET ZDUEDATE = ?", datetime.now().timestamp() - 978_307_200 + 5)
    server.start()
    browser.open("/Tasks").shows("Tasks").has_rows(["Soon late"])
    assert browser.red == []
    browser.until("the row in red", lambda: browser.red == ["Soon late"])
