"""Section 2: every row of the table of the Tasks application."""

from datetime import date, datetime, timedelta

from screens import add_task, add_task_on_screen

INVALID = "Invalid Due Date"
PAST = "Due date must be today or later"
HIGH = "Hi-pri tasks must have a due date within two days of today"


def day(ahead):
    return (date.today() + timedelta(days=ahead)).isoformat()


def long(ahead):
    moment = date.today() + timedelta(days=ahead)
    return f"{moment:%B} {moment.day}, {moment.year}"


def make_overdue(server, text):
    server.stop()
    past = datetime.now().timestamp() - 978_307_200 - 86_400
    server.edit_store("UPDATE ZTASK SET ZDUEDATE = ? WHERE ZTEXT = ?", past, text)
    server.start()


# Tasks

def test_plus_inserts_a_task_due_in_three_days_and_opens_its_detail(browser):
    browser.open("/Tasks").shows("Tasks").has_rows([])
    browser.add().shows("Task Detail")
    assert browser.texts == ["Text", "Priority", "Due Date", "Location", "High-Priority Tasks", "Tasks Due Sooner"]
    browser.has_value("Priority", "None").has_value("Due Date", long(3)).has_value("Location", "Not Set")
    browser.tap("Priority").shows("Priority").tap("Low").shows("Task Detail")
    browser.back().shows("Tasks").has_rows(["Untitled"])


def test_a_task_is_made_through_the_screens(browser):
    add_task_on_screen(browser, "Paint", "High", day(1), "Home")
    browser.has_rows(["Paint"]).tap("Paint").shows("Task Detail")
    browser.has_value("Priority", "High").has_value("Due Date", long(1)).has_value("Location", "Home")


def test_tasks_are_listed_by_text_ascending_and_dsc_and_asc_replace_the_order(browser):
    for text in ["Bread", "Apples", "Carrots"]:
        add_task(browser, text)
    browser.has_rows(["Apples", "Bread", "Carrots"])
    browser.tool("Z–A").has_rows(["Carrots", "Bread", "Apples"])
    assert browser.find(".choices a[aria-label$=descending]").get_attribute("aria-current") == "true"
    browser.tool("A–Z").has_rows(["Apples", "Bread", "Carrots"])


def test_hi_pri_shows_the_tasks_of_priority_3_and_all_clears_it(browser):
    add_task(browser, "Later")
    add_task(browser, "Urgent", priority="High")
    add_task(browser, "Also urgent", priority="High")
    browser.tool("High Priority").has_rows(["Also urgent", "Urgent"])
    browser.tool("Z–A").has_rows(["Urgent", "Also urgent"])
    browser.tool("All").has_rows(["Urgent", "Later", "Also urgent"])


def test_a_task_enters_and_leaves_the_hi_pri_list_of_another_browser(browser, other):
    add_task(browser, "Urgent", priority="High")
    other.open("/Tasks?show=hi-pri").shows("Tasks").has_rows(["Urgent"]).mark()
    browser.tap("Urgent").shows("Task Detail").tap("Priority").shows("Priority").tap("Low").shows("Task Detail")
    other.has_rows([])
    browser.tap("Priority").shows("Priority").tap("High").shows("Task Detail")
    other.has_rows(["Urgent"])
    assert other.is_unreloaded


def test_overdue_tasks_are_red(browser, server):
    add_task(browser, "Old")
    add_task(browser, "New")
    make_overdue(server, "Old")
    browser.open("/Tasks").shows("Tasks").has_rows(["New", "Old"])
    assert browser.red == ["Old"]
    browser.open("/Tasks/locations").shows("Tasks by Location")
    assert browser.red == ["Old"]


def test_a_task_is_deleted_by_swipe(browser):
    add_task(browser, "Keep")
    add_task(browser, "Throw away")
    browser.swipe("Throw away").press_delete("Throw away").has_rows(["Keep"])


# Task Detail and its editors

def test_the_text_is_edited(browser):
    add_task(browser, "Before")
    browser.tap("Before").shows("Task Detail").tap("Text").shows("Text")
    assert browser.find("input[name=value]").get_attribute("value") == "Before"
    browser.fill("After")
    browser.save().shows("Task Detail").has_value("Text", "After")
    browser.back().shows("Tasks").has_rows(["After"])


def test_the_priority_is_chosen_in_words_with_a_check_mark_at_the_current_one(browser):
    add_task(browser, "Task")
    browser.tap("Task").shows("Task Detail")
    current = "None"
    for priority in ["Low", "Medium", "High", "None"]:
        browser.tap("Priority").shows("Priority").has_rows(["None", "Low", "Medium", "High"])
        assert browser.checked == [current]
        browser.tap(priority).shows("Task Detail").has_value("Priority", priority)
        current = priority


def test_a_high_priority_with_a_far_date_is_refused_and_rolled_back(browser, server):
    add_task(browser, "Far away", day=day(10))
    browser.tap("Far away").shows("Task Detail").tap("Priority").shows("Priority").tap("High")
    browser.expect_alert(INVALID, HIGH).dismiss()
    assert browser.checked == ["None"]
    browser.back().shows("Task Detail").has_value("Priority", "None")
    server.restart()
    browser.open("/Tasks").shows("Tasks").tap("Far away").shows("Task Detail").has_value("Priority", "None")


def test_the_due_date_starts_at_the_tasks_own_and_the_long_form_changes_with_the_picker(browser):
    add_task(browser, "Task")
    browser.tap("Task").shows("Task Detail").tap("Due Date").shows("Due Date")
    assert browser.find("input[name=value]").get_attribute("value") == day(3)
    assert browser.find(".long-date").text == long(3)
    browser.fill_day(day(1))
    assert browser.find(".long-date").text == long(1)
    browser.save().shows("Task Detail").has_value("Due Date", long(1))


def test_a_due_date_of_today_is_taken(browser):
    add_task(browser, "Task", day=day(0))
    browser.tap("Task").shows("Task Detail").has_value("Due Date", long(0))


def test_a_task_without_a_date_starts_at_today(browser, server):
    add_task(browser, "Task")
    server.stop()
    server.edit_store("UPDATE ZTASK SET ZDUEDATE = NULL")
    server.start()
    browser.open("/Tasks").shows("Tasks").tap("Task").shows("Task Detail").has_value("Due Date", "Not Set")
    browser.tap("Due Date").shows("Due Date")
    assert browser.find("input[name=value]").get_attribute("value") == day(0)


def test_a_due_date_in_the_past_is_refused_and_rolled_back_and_typed_values_stay(browser, server):
    add_task(browser, "Task")
    browser.tap("Task").shows("Task Detail").tap("Due Date").shows("Due Date").fill_day(day(-1))
    browser.save().expect_alert(INVALID, PAST).dismiss()
    assert browser.find("input[name=value]").get_attribute("value") == day(-1)
    browser.discard().shows("Task Detail").has_value("Due Date", long(3))
    server.restart()
    browser.open("/Tasks").shows("Tasks").tap("Task").shows("Task Detail").has_value("Due Date", long(3))


def test_a_far_date_for_a_task_of_high_priority_is_refused_and_rolled_back(browser):
    add_task(browser, "Task", priority="High")
    browser.tap("Task").shows("Task Detail").tap("Due Date").shows("Due Date").fill_day(day(10))
    browser.save().expect_alert(INVALID, HIGH).dismiss()
    browser.discard().shows("Task Detail").has_value("Due Date", long(3))


def test_locations_are_added_by_name_chosen_and_checked(browser):
    add_task(browser, "Task")
    browser.tap("Task").shows("Task Detail").tap("Location").shows("Location").has_rows([])
    for name in ["Office", "Home"]:
        browser.add().shows("New Location").fill(name)
        browser.save().shows("Location")
    browser.has_rows(["Home", "Office"])
    assert browser.checked == []
    browser.tap("Office").shows("Task Detail").has_value("Location", "Office")
    browser.tap("Location").shows("Location").has_rows(["Home", "Office"])
    assert browser.checked == ["Office"]


def test_a_location_is_deleted_by_swipe_and_its_tasks_have_none(browser):
    add_task(browser, "Task", location="Office")
    browser.tap("Task").shows("Task Detail").tap("Location").shows("Location").has_rows(["Office"])
    browser.swipe("Office").press_delete("Office").has_rows([])
    browser.back().shows("Task Detail").has_value("Location", "Not Set")


def test_hi_pri_tasks_is_an_alert_with_the_fetched_property(browser):
    add_task(browser, "Calm")
    browser.tap("Calm").shows("Task Detail").tap("High-Priority Tasks")
    browser.expect_alert("High-Priority Tasks", "No tasks of high priority.", []).dismiss()
    add_task(browser, "Urgent", priority="High")
    browser.tap("Calm").shows("Task Detail").tap("High-Priority Tasks")
    browser.expect_alert("High-Priority Tasks", "", ["Urgent"]).dismiss()
    assert browser.title == "Task Detail"


def test_tasks_due_sooner_is_an_alert_with_the_templates_results(browser):
    add_task(browser, "Today", day=day(0))
    add_task(browser, "Tomorrow", day=day(1))
    add_task(browser, "Next week", day=day(7))
    browser.tap("Next week").shows("Task Detail").tap("Tasks Due Sooner")
    browser.expect_alert("Tasks Due Sooner", "", ["Today", "Tomorrow"]).dismiss()
    browser.back().shows("Tasks").tap("Today").shows("Task Detail").tap("Tasks Due Sooner")
    browser.expect_alert("Tasks Due Sooner", "No task is due sooner.", []).dismiss()


# Tasks by Location

def test_tasks_by_location_has_a_section_for_each_and_one_for_none(browser):
    add_task(browser, "Dig", location="Garden")
    add_task(browser, "Write", location="Office")
    add_task(browser, "Call", location="Office")
    add_task(browser, "Drift")
    browser.tool("By Location").shows("Tasks by Location")
    assert sorted(browser.sections) == [
        ["Garden", ["Dig"]],
        ["No Location", ["Drift"]],
        ["Office", ["Call", "Write"]],
    ]
    browser.tap("Write").shows("Task Detail").has_value("Location", "Office")


def test_the_back_button_leads_to_the_tab_that_opened_the_task(browser):
    add_task(browser, "Write", location="Office")
    browser.tap("Write").shows("Task Detail").back().shows("Tasks").tool("By Location").shows("Tasks by Location")
    browser.tap("Write").shows("Task Detail").tap("Text").shows("Text").fill("Read")
    browser.save().shows("Task Detail").has_value("Text", "Read").tap("Priority").shows("Priority").back().shows("Task Detail")
    assert browser.find(".back-title").text == "By Location"
    browser.back().shows("Tasks by Location").has_rows(["Read"])


def test_sections_come_move_and_go_in_another_browser(browser, other):
    add_task(browser, "Write", location="Office")
    add_task(browser, "Drift")
    other.open("/Tasks/locations").shows("Tasks by Location").mark()
    other.until("two sections", lambda: sorted(other.sections) == [["No Location", ["Drift"]], ["Office", ["Write"]]])
    browser.tap("Drift").shows("Task Detail").tap("Location").shows("Location").tap("Office").shows("Task Detail")
    other.until("one section", lambda: other.sections == [["Office", ["Drift", "Write"]]])
    browser.tap("Location").shows("Location").add().shows("New Location").fill("Garden")
    browser.save().shows("Location").tap("Garden").shows("Task Detail")
    other.until("a new section", lambda: other.sections == [["Garden", ["Drift"]], ["Office", ["Write"]]])
    browser.tap("Location").shows("Location").swipe("Office").press_delete("Office").has_rows(["Garden"])
    other.until(
        "the section of none",
        lambda: sorted(other.sections) == [["Garden", ["Drift"]], ["No Location", ["Write"]]],
    )
    assert other.is_unreloaded


# Persistence

def test_everything_is_there_after_a_restart(browser, server):
    add_task(browser, "Write", priority="High", day=day(2), location="Office")
    server.restart()
    browser.open("/Tasks").shows("Tasks").tap("Write").shows("Task Detail")
    browser.has_value("Priority", "High").has_value("Due Date", long(2)).has_value("Location", "Office")
