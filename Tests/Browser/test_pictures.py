"""Picture fields: choosing by a tap, preview before saving, safe serving, and rejected files."""

import base64
import html
import os
import re
import threading
import time

import pytest
from selenium.webdriver.common.keys import Keys

import pictures
import requests_plain as plain
from core_dump import add_bug, add_project, external_files, stored
from test_two_people import choose, conflicts, form_of, press

SMALL = pictures.png(160, 90)
OTHER = pictures.png(160, 90, (20, 120, 200))
PNG_TYPES = "image/png,image/jpeg,image/gif,image/webp"


def picture(browser):
    """The contents of the frame: nothing, the saved picture's address, or the preview's label."""
    return browser.driver.execute_script(
        "const shown = document.querySelector('.picture-frame img, .picture-frame canvas');"
        "return shown && (shown.getAttribute('src') ?? shown.getAttribute('aria-label'))"
    )


def attach(browser, path):
    browser.find("input[type=file]").send_keys(path)
    return browser


def source(server, bug):
    found = re.search(r'<img src="([^"]+)"', plain.get(server, bug).text)
    return found and html.unescape(found[1])


# Choosing

def test_a_picture_is_shown_before_it_is_saved_and_afterwards(browser, server, folder):
    project = add_project(server)
    browser.open(project + "/new").shows("New Bug")
    assert browser.find("input[type=file]").get_attribute("accept") == PNG_TYPES
    assert "Choose a Picture" in browser.find(".picture-frame").text
    browser.fill("Crash", "title")
    attach(browser, pictures.write(folder, "shot.png", SMALL))
    browser.until("the preview", lambda: picture(browser) == "Preview of shot.png")
    assert "Choose Another Picture" in browser.find(".picture-frame").text
    assert stored(server, "SELECT count(*) FROM ZBUG") == [(0,)]
    browser.save().shows("Website").tap("Crash").shows("Bug")
    width = "return document.querySelector('.picture-frame img')?.naturalWidth"
    browser.until("the saved picture", lambda: browser.driver.execute_script(width) == 160)
    assert stored(server, "SELECT ZSCREENSHOT FROM ZBUG") == [(b"\x01" + SMALL,)]


def test_a_tap_on_the_frame_opens_the_files(browser, server):
    browser.open(add_project(server) + "/new").shows("New Bug")
    browser.driver.execute_script(
        "document.querySelector('input[type=file]').addEventListener('click', (event) => {"
        " event.preventDefault(); window.isAsked = true; })"
    )
    browser.find(".picture-frame").click()
    assert browser.driver.execute_script("return window.isAsked")


def test_a_picture_is_removed_and_that_is_taken_back_by_cancel(browser, server):
    project = add_project(server)
    bug = add_bug(server, project, screenshot=SMALL)
    browser.open(project).shows("Website").tap("Crash").shows("Bug")
    browser.find("button.picture-remove").click()
    assert picture(browser) is None and not browser.find("button.picture-remove").is_displayed()
    browser.discard().shows("Website")
    browser.open(bug).shows("Bug")
    assert picture(browser)
    browser.find("button.picture-remove").click()
    browser.save().shows("Website")
    assert stored(server, "SELECT ZSCREENSHOT FROM ZBUG") == [(None,)]


def test_the_field_is_used_with_the_keyboard_and_has_names(browser, server, folder):
    bug = add_bug(server, add_project(server), screenshot=SMALL)
    browser.open(bug).shows("Bug")
    field = browser.find("input[type=file]")
    assert browser.driver.execute_script("return [...arguments[0].labels].some((one) => one.textContent === 'Screenshot')", field)
    browser.driver.execute_script("document.querySelector('textarea').focus()")
    browser.keys(Keys.TAB)
    assert browser.driver.execute_script("return document.activeElement.type") == "file"
    outline = "return getComputedStyle(document.querySelector('.picture-frame')).outlineStyle"
    assert browser.driver.execute_script(outline) == "solid"
    browser.keys(Keys.TAB)
    assert browser.focus == "Open in Full Size"
    browser.keys(Keys.TAB)
    assert browser.focus == "Remove Screenshot"
    browser.keys(Keys.SPACE)
    assert picture(browser) is None
    assert "removed" in browser.find("#announcements").get_attribute("textContent")


DROP = """
const bytes = Uint8Array.from(atob(arguments[0]), (letter) => letter.charCodeAt(0));
const data = new DataTransfer();
data.items.add(new File([bytes], "dropped.png", { type: "image/png" }));
const event = arguments[1] === "drop" ? new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true })
    : new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
document.querySelector("#title").dispatchEvent(event);
return event.defaultPrevented;
"""


@pytest.mark.parametrize("kind", ["drop", "paste"])
def test_a_picture_is_dropped_or_pasted_anywhere(browser, server, kind):
    browser.open(add_project(server) + "/new").shows("New Bug").fill("Crash", "title")
    assert browser.driver.execute_script(DROP, base64.b64encode(SMALL).decode(), kind)
    browser.until("the preview", lambda: picture(browser) == "Preview of dropped.png")
    browser.save().shows("Website")
    assert stored(server, "SELECT ZSCREENSHOT FROM ZBUG") == [(b"\x01" + SMALL,)]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("fake.png", b"this is not a picture"), ("drawing.svg", pictures.SVG), ("page.png", b"<script>alert(1)</script>"),
        ("cut.png", SMALL[:20]), ("empty.png", b""), ("film.mp4", b"\0\0\0\x20ftypisom" + bytes(100)),
    ],
)
def test_a_file_that_is_not_a_picture_is_refused_when_it_is_chosen_and_the_former_picture_stays(browser, server, folder, name, data):
    project = add_project(server)
    browser.open(project + "/new").shows("New Bug").fill("Crash", "title")
    attach(browser, pictures.write(folder, "good.png", SMALL))
    browser.until("the preview", lambda: picture(browser) == "Preview of good.png")
    attach(browser, pictures.write(folder, name, data)).expect_alert("Not Taken")
    assert f"“{name}” is not a picture" in browser.alert["message"]
    browser.dismiss()
    assert picture(browser) == "Preview of good.png"
    browser.save().shows("Website")
    assert stored(server, "SELECT ZSCREENSHOT FROM ZBUG") == [(b"\x01" + SMALL,)]


def test_a_file_that_is_too_large_is_refused_before_it_is_sent(browser, server, folder):
    browser.open(add_project(server) + "/new").shows("New Bug").fill("Crash", "title")
    attach(browser, pictures.write(folder, "huge.png", SMALL + bytes(11 * 1024 * 1024)))
    browser.expect_alert("Not Taken", "“huge.png” is larger than 10 MB. Choose a smaller file.").dismiss()
    assert browser.find("input[name=title]").get_attribute("value") == "Crash"


def test_a_picture_survives_a_refused_form(browser, server, folder):
    project = add_project(server)
    browser.open(project + "/new").shows("New Bug")
    attach(browser, pictures.write(folder, "shot.png", SMALL))
    browser.until("the preview", lambda: picture(browser))
    browser.save().expect_alert("Not Saved").dismiss()
    assert picture(browser) == "Preview of shot.png"
    browser.fill("Crash", "title")
    browser.save().shows("Website")
    assert stored(server, "SELECT ZSCREENSHOT FROM ZBUG") == [(b"\x01" + SMALL,)]


# Sent by programs, which do not validate first

@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"this is not a picture", "The file is not a picture that can be shown"), (pictures.SVG, "The file is not a picture"),
        (b"", "The file is empty"), (SMALL[:20], "The picture is damaged"),
        (SMALL[:16] + b"\xff" * 8 + SMALL[24:], "The picture is too large"), (b"GIF89a", "The picture is damaged"),
        (b"%PDF-1.7", "The file is not a picture"), (b"\xff\xd8\xff", "The picture is damaged"),
    ],
)
def test_content_that_is_not_a_picture_is_refused_with_a_message_and_nothing_is_saved(server, data, words):
    project = add_project(server)
    answer = pictures.post(server, project + "/new", {"title": "Crash", "details": ""}, {"screenshot": ("x.png", data)})
    assert answer.status == 400
    assert words in answer.text and 'value="Crash"' in answer.text
    assert stored(server, "SELECT count(*) FROM ZBUG") == [(0,)] and external_files(server) == []


def test_an_upload_of_11_mb_is_refused_with_words_and_the_other_fields_stay(server):
    project = add_project(server)
    files = {"screenshot": ("big.png", SMALL + bytes(11 * 1024 * 1024))}
    answer = pictures.post(server, project + "/new", {"title": "Crash", "details": "Typed"}, files)
    assert answer.status == 413
    assert "“big.png” is larger than 10 MB" in answer.text
    assert 'value="Crash"' in answer.text and "Typed" in answer.text


def memory(server):
    """The server's resident memory in megabytes."""
    status = open(f"/proc/{server.process.pid}/status").read()
    return int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024


def test_an_upload_of_100_mb_is_answered_and_memory_stays_bounded(server):
    import http.client

    project = add_project(server)
    head, tail = pictures.encoded({"action": "save", "title": "Crash"}, {"screenshot": ("film.png", b"@")})[0].split(b"@")
    kind = pictures.encoded({})[1]
    block = os.urandom(1024 * 1024)
    size = len(head) + 100 * len(block) + len(tail)
    before = memory(server)
    peak = [before]
    done = threading.Event()

    def watch():
        while not done.is_set():
            peak[0] = max(peak[0], memory(server))
            time.sleep(0.01)

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
        headers = {"Content-Type": kind, "Content-Length": str(size), "Accept": "application/json"}
        begin = time.monotonic()
        connection.request("POST", project + "/new", iter([head, *[block] * 100, tail]), headers)
        response = connection.getresponse()
        text = response.read().decode()
    finally:
        done.set()
        watcher.join()
    print(f"100 MB: {time.monotonic() - begin:.2f} s, {before:.0f} MB before, {peak[0]:.0f} MB at most")
    assert response.status == 413 and "larger than 10 MB" in text
    assert peak[0] - before < 60, (before, peak[0])
    assert plain.get(server, project).status == 200


def test_a_name_of_1_mb_is_refused_with_words_and_is_still_in_the_form(server):
    for name in ["x" * 1_048_576, "\U0001f41e" * 262_144, "ש" * 524_288]:
        answer = plain.post(server, "/CoreDump/new", {"action": "save", "name": name, "url": ""})
        assert answer.status == 400
        assert "The text is too long: it has" in answer.text and "1,000 fit" in answer.text
        assert name in answer.text
    assert stored(server, "SELECT count(*) FROM ZPROJECT") == [(0,)]


def test_a_form_with_files_that_breaks_off_or_is_malformed_changes_nothing(server):
    project = add_project(server)
    body, kind = pictures.encoded({"action": "save", "title": "Crash"}, {"screenshot": ("x.png", SMALL)})
    for broken in [body[:-10], body[:200], b"", b"--", body.replace(b"name=", b"nome=")]:
        answer = plain.send(server, "POST", project + "/new", broken, {"Content-Type": kind})
        assert answer.status == 400, broken[:50]
    assert stored(server, "SELECT count(*) FROM ZBUG") == [(0,)]


# Serving

def test_a_picture_is_served_under_its_own_type_and_can_do_nothing(server):
    project = add_project(server)
    for data, kind in [(SMALL, "image/png"), (pictures.GIF, "image/gif")]:
        bug = add_bug(server, project, screenshot=data)
        answer = plain.get(server, source(server, bug))
        assert (answer.status, answer.data, answer.headers["content-type"]) == (200, data, kind)
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["content-security-policy"] == "default-src 'none'; style-src 'unsafe-inline'; sandbox"


def test_a_picture_opens_in_full_size_by_itself(browser, server):
    bug = add_bug(server, add_project(server), screenshot=pictures.png(700, 500))
    browser.open(bug).shows("Bug")
    link = browser.find(".picture-open")
    assert link.get_attribute("target") == "_blank"
    browser.driver.get(link.get_attribute("href"))
    width = "return document.querySelector('img')?.naturalWidth"
    browser.until("the picture", lambda: browser.driver.execute_script(width) == 700)
    assert browser.driver.execute_script("return [document.images.length, document.scripts.length]") == [1, 0]


def test_a_picture_is_kept_by_the_browser_until_its_content_changes(server):
    bug = add_bug(server, add_project(server), screenshot=SMALL)
    address = source(server, bug)
    first = plain.get(server, address)
    assert "immutable" in first.headers["cache-control"]
    assert plain.get(server, address, If_None_Match=first.headers["etag"]).status == 304
    fields = {"title": "Crash", "details": ""}
    assert pictures.post(server, bug, fields, {"screenshot": ("x.png", OTHER)}).status == 303
    assert source(server, bug) != address
    stale = plain.get(server, address, If_None_Match=first.headers["etag"])
    assert stale.data == OTHER and stale.headers["cache-control"] == "private, no-cache"


def test_requests_for_missing_pictures_are_answered_with_404(server):
    project = add_project(server)
    bug = add_bug(server, project)
    assert source(server, bug) is None
    for query in ["-picture=screenshot", "-picture=title", "-picture=nothing", "-kept=nothing", "-picture="]:
        assert plain.get(server, f"{bug}?{query}").status == 404, query
        assert plain.get(server, f"{project}?{query}").status == 404, query


# Two people, and no scripts

def test_two_people_change_one_picture_and_the_second_sees_both(browser, other, server, folder):
    project = add_project(server)
    bug = add_bug(server, project, screenshot=SMALL)
    for one in [browser, other]:
        one.open(bug).shows("Bug")
    attach(browser, pictures.write(folder, "mine.png", pictures.png(90, 90, (0, 99, 0))))
    browser.until("the preview", lambda: picture(browser) == "Preview of mine.png")
    browser.fill("Crash at night", "title")
    attach(other, pictures.write(folder, "other.png", OTHER))
    other.until("the preview", lambda: picture(other) == "Preview of other.png")
    other.save().shows("Website")
    browser.save()
    assert browser.until("the dialog", lambda: conflicts(browser)) == {"Screenshot": ["mine.png", "Another picture"]}
    assert len(browser.all("dialog .conflict-value canvas")) == len(browser.all("dialog .conflict-value img")) == 1
    choose(browser, "Theirs")
    press(browser, "Save").shows("Website").has_rows(["Crash at night"])
    assert stored(server, "SELECT ZSCREENSHOT FROM ZBUG") == [(b"\x01" + OTHER,)]


def test_without_scripts_a_picture_survives_a_refused_form(server):
    project = add_project(server)
    answer = pictures.post(server, project + "/new", {"title": "", "details": "Typed"}, {"screenshot": ("x.png", SMALL)})
    assert answer.status == 400
    again = form_of(answer.text)
    shown = html.unescape(re.search(r'<img src="([^"]+)"', answer.text)[1])
    assert plain.get(server, shown).data == SMALL
    assert again["kept.screenshot"]
    assert pictures.post(server, project + "/new", {**again, "title": "Crash"}).status == 303
    assert stored(server, "SELECT ZSCREENSHOT FROM ZBUG") == [(b"\x01" + SMALL,)]


def test_without_scripts_a_removal_can_be_taken_back_in_a_refused_form(server):
    bug = add_bug(server, add_project(server), screenshot=SMALL)
    refused = pictures.post(server, bug, {"title": "", "details": "", "remove.screenshot": "1"})
    assert refused.status == 400
    removals = re.findall(r'<input type="(\w+)" name="remove.screenshot" value="(.?)"( checked)?>', refused.text)
    assert removals == [("hidden", "", ""), ("checkbox", "1", " checked")]
    # A browser sends no checkbox that is not checked.
    assert pictures.post(server, bug, {"title": "Crash", "details": "", "remove.screenshot": removals[0][1]}).status == 303
    assert stored(server, "SELECT ZSCREENSHOT FROM ZBUG") == [(b"\x01" + SMALL,)]


def test_without_scripts_a_picture_conflict_is_decided_without_sending_it_again(server):
    for choice, kept in [("mine", OTHER), ("theirs", pictures.GIF)]:
        bug = add_bug(server, add_project(server), screenshot=SMALL)
        mine = form_of(plain.get(server, bug).text)
        fields = {"title": "Crash", "details": ""}
        assert pictures.post(server, bug, fields, {"screenshot": ("theirs.gif", pictures.GIF)}).status == 303
        answer = pictures.post(server, bug, mine, {"screenshot": ("mine.png", OTHER)})
        assert answer.status == 409 and "mine.png" in answer.text
        again = {**form_of(answer.text), "choice.screenshot": choice}
        assert pictures.post(server, bug, again).status == 303
        assert stored(server, "SELECT ZSCREENSHOT FROM ZBUG ORDER BY Z_PK DESC")[0] == (b"\x01" + kept,)
