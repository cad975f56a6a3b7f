"""Section 4: FlashCards."""

import html
import re
import sqlite3

import requests_plain as plain
from selenium.webdriver.common.keys import Keys

CAPITALS = dict(
    pair.split("=")
    for pair in (
        "Alabama=Montgomery,Alaska=Juneau,Arizona=Phoenix,Arkansas=Little Rock,California=Sacramento,Colorado=Denver,"
        "Connecticut=Hartford,Delaware=Dover,Florida=Tallahassee,Georgia=Atlanta,Hawaii=Honolulu,Idaho=Boise,"
        "Illinois=Springfield,Indiana=Indianapolis,Iowa=Des Moines,Kansas=Topeka,Kentucky=Frankfort,"
        "Louisiana=Baton Rouge,Maine=Augusta,Maryland=Annapolis,Massachusetts=Boston,Michigan=Lansing,"
        "Minnesota=St. Paul,Mississippi=Jackson,Missouri=Jefferson City,Montana=Helena,Nebraska=Lincoln,"
        "Nevada=Carson City,New Hampshire=Concord,New Jersey=Trenton,New Mexico=Santa Fe,New York=Albany,"
        "North Carolina=Raleigh,North Dakota=Bismarck,Ohio=Columbus,Oklahoma=Oklahoma City,Oregon=Salem,"
        "Pennsylvania=Harrisburg,Rhode Island=Providence,South Carolina=Columbia,South Dakota=Pierre,"
        "Tennessee=Nashville,Texas=Austin,Utah=Salt Lake City,Vermont=Montpelier,Virginia=Richmond,"
        "Washington=Olympia,West Virginia=Charleston,Wisconsin=Madison,Wyoming=Cheyenne"
    ).split(",")
)
STATES = {capital: state for state, capital in CAPITALS.items()} | {"Saint Paul": "Minnesota"}


def answer(browser):
    """The right answer to the current card."""
    words = browser.find(".prompt .words").text
    if match := re.fullmatch(r"What is the capital of (.+)\?", words):
        return match.group(1), CAPITALS[match.group(1)]
    match = re.fullmatch(r"Which state has the capital (.+)\?", words)
    return match.group(1), STATES[match.group(1)]


def on_card(browser, number):
    caption = f"Card {number} of 10"
    browser.until(caption, lambda: browser.find(".prompt .caption").text == caption and browser.is_ready)


def play(browser, title, wrong=()):
    """Plays a whole game; answers the cards whose numbers are in `wrong` wrongly. Returns the cards' names."""
    browser.open("/FlashCards").shows("FlashCards").tap(title).shows(title)
    names = []
    for number in range(1, 11):
        on_card(browser, number)
        name, right = answer(browser)
        names.append(name)
        browser.fill("Gotham" if number in wrong else right.upper(), "guess").send_keys(Keys.RETURN)
    score = f"{(10 - len(wrong)) * 10}%"
    browser.shows(score)
    return names


def test_the_home_screen_leads_to_states_capitals_and_history(browser):
    browser.open("/FlashCards").shows("FlashCards").has_rows(["States", "Capitals", "History"])
    assert browser.values["History"] == "No games"
    for title in ["States", "Capitals", "History"]:
        browser.tap(title).shows(title).back().shows("FlashCards")


def test_a_game_shows_one_card_at_a_time_and_whether_the_answer_was_right(browser):
    browser.open("/FlashCards").shows("FlashCards").tap("Capitals").shows("Capitals")
    on_card(browser, 1)
    assert not browser.all(".notice")
    assert browser.driver.execute_script("return document.activeElement.name") == "guess"
    state, capital = answer(browser)
    browser.fill(capital, "guess").send_keys(Keys.RETURN)
    on_card(browser, 2)
    assert browser.find(".notice.success").text.endswith(f"Right: {state} – {CAPITALS[state].replace('St.', 'Saint')}.")
    state, capital = answer(browser)
    browser.fill("Gotham", "guess")
    browser.save()
    on_card(browser, 3)
    told = browser.find(".notice.failure").text
    assert told.endswith(f"Wrong: {state} – {CAPITALS[state].replace('St.', 'Saint')}, not “Gotham”."), told
    assert browser.find(".notice").get_attribute("role") == "status"


def test_a_game_asks_no_card_twice_and_ends_with_the_result_which_is_saved(browser, server):
    names = play(browser, "States", wrong={2, 5})
    assert len(set(names)) == 10
    browser.expect_alert("80%")
    assert re.fullmatch(r"8 of 10 right in \d+:\d\d", browser.alert["message"])
    browser.dismiss()
    assert browser.texts == sorted(names)
    assert sorted(browser.red) == sorted([names[1], names[4]])
    browser.back().shows("FlashCards").has_value("History", "1 game")
    server.stop()
    with sqlite3.connect(server.store("FlashCards")) as connection:
        assert connection.execute("SELECT count(*), sum(ZWASCORRECT) FROM ZCARDRESULT").fetchone() == (10, 8)
        assert connection.execute("SELECT ZGUESS FROM ZCARDRESULT WHERE NOT ZWASCORRECT").fetchall() == [("Gotham",)] * 2
    server.start()
    browser.open("/FlashCards").shows("FlashCards").has_value("History", "1 game")


def test_history_is_newest_first_with_the_length_and_the_score_beneath_and_done_goes_home(browser):
    play(browser, "Capitals", wrong={1, 2, 3})
    play(browser, "Capitals")
    browser.open("/FlashCards/history").shows("History")
    beneath = [row.text for row in browser.all("li.row .row-subtitle")]
    assert [text.split(", ")[1] for text in beneath] == ["100%", "70%"], beneath
    assert all(re.match(r"\d+:\d\d, ", text) for text in beneath), beneath
    moments = [time.get_attribute("datetime") for time in browser.all("li.row .row-title time")]
    assert moments == sorted(moments, reverse=True) and len(moments) == 2
    assert browser.find("[data-back]").text == "Done"
    browser.back().shows("FlashCards")


def test_a_card_of_a_game_opens_the_guess(browser):
    names = play(browser, "Capitals", wrong={4})
    browser.dismiss()
    browser.tap(names[3]).shows(names[3])
    assert browser.values == {"Card": names[3], "Guess": "Gotham", "Answer": CAPITALS[names[3]].replace("St.", "Saint")}
    assert browser.red == ["Guess"]
    browser.back().shows("90%")


def test_deleting_a_game_deletes_its_cards(browser, other, server):
    play(browser, "Capitals")
    other.open("/FlashCards/history").shows("History").mark()
    browser.open("/FlashCards/history").shows("History")
    browser.find("#edit").click()
    browser.find(".minus").click()
    browser.find(".delete").click()
    browser.confirm("Delete the game result?").has_rows([])
    other.has_rows([])
    assert other.is_unreloaded
    server.stop()
    with sqlite3.connect(server.store("FlashCards")) as connection:
        assert connection.execute("SELECT count(*) FROM ZCARDRESULT").fetchone() == (0,)


def test_a_game_goes_on_after_a_reload_and_a_restart_of_the_server(browser, server):
    browser.open("/FlashCards").shows("FlashCards").tap("States").shows("States")
    on_card(browser, 1)
    browser.fill(answer(browser)[1], "guess").send_keys(Keys.RETURN)
    on_card(browser, 2)
    card = answer(browser)
    server.restart()
    browser.driver.refresh()
    on_card(browser, 2)
    assert answer(browser) == card
    browser.fill(card[1], "guess").send_keys(Keys.RETURN)
    on_card(browser, 3)


def test_the_last_answer_given_twice_saves_one_game(browser, server):
    browser.open("/FlashCards").shows("FlashCards").tap("States").shows("States")
    for number in range(1, 10):
        on_card(browser, number)
        browser.fill("?", "guess").send_keys(Keys.RETURN)
    on_card(browser, 10)
    answers = browser.driver.execute_async_script(
        "const done = arguments[0]; const form = document.getElementById('form');"
        "const send = () => { const fields = new FormData(form); fields.set('guess', '?');"
        "  return fetch(form.getAttribute('action'), {method: 'POST', headers: {Accept: 'application/json'},"
        "  body: new URLSearchParams(fields)}).then((answer) => answer.json()).then((answer) => answer.go) };"
        "Promise.all([send(), send()]).then(done)"
    )
    assert answers[0] == answers[1] and "/game/" in answers[0], answers
    browser.open("/FlashCards").shows("FlashCards").has_value("History", "1 game")


def test_no_answer_and_a_forged_game_are_refused_in_words(browser):
    browser.open("/FlashCards").shows("FlashCards").tap("States").shows("States")
    on_card(browser, 1)
    browser.find("input[name=guess]").send_keys("  ", Keys.RETURN)
    browser.expect_alert("Not Saved", "Enter an answer; a question mark will do.").dismiss()
    on_card(browser, 1)
    browser.driver.execute_script("document.querySelector('input[name=game]').value = 'zz~zz~zz'")
    browser.fill("Ohio", "guess").send_keys(Keys.RETURN)
    browser.expect_alert("Not Saved", "This game is over. Go back and begin another.").dismiss()
    browser.open("/FlashCards/play/rivers").shows("Not Found")
    browser.open("/FlashCards/play/states?game=~~~").shows("States")
    on_card(browser, 1)


def test_a_refused_answer_to_the_first_card_keeps_the_card_without_scripts(server):
    def parts(page):
        return [html.unescape(re.search(pattern, page)[1]) for pattern in [r'class="words">([^<]*)', r'name="game" value="([^"]*)']]

    address = "/FlashCards/play/capitals"
    card = parts(plain.get(server, address).text)
    refused = plain.post(server, address, {"action": "save", "guess": "", "was.guess": "", "game": card[1]})
    assert refused.status == 400 and "<dialog open" in refused.text and parts(refused.text) == card


def test_a_game_deleted_elsewhere_leaves_its_screen(browser, server):
    server.begin_with("FlashCards", "FlashCards-1.sqlite")
    browser.open("/FlashCards/history").shows("History")
    game = browser.find("li.row")
    reference = game.get_attribute("id")
    game.find_element("css selector", ".cell").click()
    browser.wait("the cards", "document.querySelector('li.row[id^=CardResult]') && liveTable.source.readyState === 1")
    fields = {"action": "delete", "value": reference, "confirmed": "yes"}
    assert plain.post(server, "/FlashCards/history", fields).status == 303
    browser.expect_alert("Deleted").dismiss().shows("History")


def test_a_version_1_store_opens_by_lightweight_migration_and_its_cards_have_no_guess(browser, server):
    # Written by the first version of the model: two games, of four cards and of two.
    server.begin_with("FlashCards", "FlashCards-1.sqlite")
    browser.open("/FlashCards").shows("FlashCards").has_value("History", "2 games")
    browser.tap("History").shows("History")
    assert [row.text for row in browser.all("li.row .row-subtitle")] == ["2:11, 50%", "1:05, 75%"]
    browser.all("li.row .cell")[1].click()
    browser.shows("75%").has_rows(["Maine", "Ohio", "Texas", "Utah"])
    assert browser.red == ["Ohio"]
    browser.tap("Ohio").shows("Ohio")
    assert browser.values == {"Card": "Ohio", "Guess": "Not recorded", "Answer": "Columbus"}
    play(browser, "Capitals", wrong={1})
    browser.dismiss()
    browser.open("/FlashCards").shows("FlashCards").has_value("History", "3 games")
    server.stop()
    with sqlite3.connect(server.store("FlashCards")) as connection:
        assert connection.execute("SELECT count(*), count(ZGUESS) FROM ZCARDRESULT").fetchone() == (16, 10)
    server.start()
    browser.open("/FlashCards").shows("FlashCards").has_value("History", "3 games")
