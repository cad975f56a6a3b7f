"""Long texts that open, locations that are renamed, and a game that is played again."""

import requests_plain as plain


def is_cut(browser, selector):
    return browser.driver.execute_script(
        "const one = document.querySelector(arguments[0]); return one.scrollWidth > one.clientWidth", selector
    )


def test_a_long_text_of_task_list_opens_and_is_changed(browser, server):
    text = "A long text " * 40 + "with its end"
    assert plain.post(server, "/TaskList/new", {"action": "save", "taskText": text}).status == 303
    browser.open("/TaskList").shows("Task List")
    assert is_cut(browser, "li.row .row-title")
    browser.tap(text).shows("Task")
    area = browser.find("textarea")
    assert area.get_attribute("value") == text
    assert browser.driver.execute_script("return arguments[0].scrollHeight <= arguments[0].clientHeight + 1", area)
    browser.driver.execute_script("arguments[0].select()", area)
    area.send_keys("Short now")
    browser.save().shows("Task List").has_rows(["Short now"])


def test_a_location_is_renamed_and_its_tasks_follow(browser, other, server):
    task = plain.add_task(server, "Dig", location="Gardn")
    other.open(task).shows("Task Detail").has_value("Location", "Gardn").mark()
    browser.open(task + "/location").shows("Location")
    browser.row("Gardn").find_element("css selector", ".detail").click()
    browser.shows("Location Name").fill("Garden")
    browser.save().shows("Location").has_rows(["Garden"])
    assert browser.checked == ["Garden"]
    other.has_value("Location", "Garden")
    assert other.is_unreloaded
    browser.row("Garden").find_element("css selector", ".detail").click()
    browser.shows("Location Name").fill("")
    browser.save().expect_alert("Not Saved", "Enter a name.").dismiss()


def test_the_result_of_a_game_is_shown_once_and_play_again_begins_another(browser, server):
    from test_flash_cards import on_card

    browser.open("/FlashCards").shows("FlashCards").tap("Capitals").shows("Capitals")
    for number in range(1, 11):
        on_card(browser, number)
        browser.fill("?", "guess").submit()
    browser.shows("0%").expect_alert("0%").dismiss()
    browser.driver.refresh()
    browser.shows("0%").wait("the rows", "document.querySelectorAll('li.row').length === 10 && window.liveTable")
    assert browser.alert is None
    browser.wait("the button", "[...document.querySelectorAll('.bar-button')].find((one) => one.textContent.trim() === 'Play Again')").click()
    browser.shows("Capitals")
    on_card(browser, 1)
    browser.back().shows("FlashCards").has_value("History", "1 game")
