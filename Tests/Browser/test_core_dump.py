"""Section 3: projects in sections by host, their bugs, and the bugs' screenshots."""

import os
import re
from pathlib import Path

import pytest
from selenium.webdriver.common.keys import Keys

import pictures
import requests_plain as plain
from conftest import soon
from core_dump import add_bug, add_project, external_files, stored
from test_two_people import conflicts, press

LARGE = pictures.png(260, 200, noise=True)
SMALL = pictures.png(160, 90)


def edit(browser):
    browser.find("#edit").click()
    return browser


def detail(browser, text):
    button = browser.row(text).find_element("css selector", ".detail")
    browser.until("the detail button", button.is_displayed)
    button.click()
    return browser


# Projects

def test_without_projects_the_screen_explains_the_first_step(browser):
    browser.open("/").shows("ManagedGraph").tap("CoreDump").shows("Projects").has_rows([])
    assert browser.find("#empty").text == "No projects yet. Add the first one with +."


def test_plus_opens_the_modal_form_and_save_adds_the_project(browser, other):
    other.open("/CoreDump").shows("Projects").mark()
    browser.open("/CoreDump").shows("Projects").add().shows("New Project")
    assert browser.find("[data-back]").text == "Cancel"
    browser.fill("Shop", "name")
    browser.fill("https://shop.example.com/cart", "url").send_keys(Keys.RETURN)
    browser.shows("Projects").has_rows(["Shop"])
    assert browser.find(".row-subtitle").text == "https://shop.example.com/cart"
    other.has_rows(["Shop"])
    assert other.is_unreloaded


def test_cancel_leaves_nothing_behind(browser):
    browser.open("/CoreDump").shows("Projects").add().shows("New Project").fill("Shop", "name")
    browser.discard().shows("Projects").has_rows([])


def test_projects_are_in_sections_by_host_then_by_name(browser, server):
    for name, url in [
        ("Zebra", "http://b.example/x"), ("apple", "http://b.example/y"), ("Item 10", "http://a.example/"),
        ("Item 9", "http://a.example/"),
    ]:
        add_project(server, name, url)
    browser.open("/CoreDump").shows("Projects")
    assert browser.sections == [["a.example", ["Item 9", "Item 10"]], ["b.example", ["apple", "Zebra"]]]


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("http://www.example.com/a/b", "www.example.com"), ("https://example.com:8080/", "example.com:8080"),
        ("svn+ssh://me@host.example/repo", "me@host.example"), ("http://example.com", "http://example.com"),
        ("example.com/a", "example.com/a"), ("one//two/three//four/", "two"), ("http://bücher.example/ä", "bücher.example"),
        ("", "No Host"), ("file:///etc/hosts", "No Host"),
    ],
)
def test_the_host_is_the_match_of_the_expression_or_else_the_url(server, url, host):
    add_project(server, "Project", url)
    page = plain.get(server, "/CoreDump").text
    assert f"<h2>{host}</h2>" in page
    assert stored(server, "SELECT ZHOST FROM ZPROJECT") == [("" if host == "No Host" else host,)]


def test_the_detail_button_of_edit_mode_opens_the_form_on_the_rows_project(browser, other, server):
    add_project(server, "Website", "http://a.example/")
    browser.open("/CoreDump").shows("Projects")
    assert not browser.find(".detail").is_displayed()
    other.open("/CoreDump").shows("Projects").mark()
    detail(edit(browser), "Website").shows("Project")
    assert browser.find("[data-back]").text == "Cancel"
    assert browser.find("input[name=url]").get_attribute("value") == "http://a.example/"
    browser.fill("http://b.example/", "url")
    browser.save().shows("Projects")
    other.until("the other section", lambda: other.sections == [["b.example", ["Website"]]])
    assert other.is_unreloaded


def test_a_project_needs_a_name_and_typed_values_stay(browser):
    browser.open("/CoreDump/new").shows("New Project").fill("http://a.example/", "url")
    browser.save().expect_alert("Not Saved", "Enter the project’s name.").dismiss()
    assert browser.find("input[name=url]").get_attribute("value") == "http://a.example/"


def test_deleting_a_project_deletes_its_bugs_and_their_files(browser, server):
    project = add_project(server)
    add_bug(server, project, "With a large picture", screenshot=LARGE)
    bug = add_bug(server, project, "Without")
    assert len(external_files(server)) == 1
    browser.open("/CoreDump").shows("Projects").swipe("Website").press_delete("Website")
    browser.confirm("Delete the project?").has_rows([])
    assert stored(server, "SELECT count(*) FROM ZBUG") == [(0,)]
    assert soon(lambda: not external_files(server))
    assert plain.get(server, project).status == plain.get(server, bug).status == 404


def test_the_sections_are_cached_under_the_name_master(browser, server):
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    file = caches / "ManagedGraph" / "Examples" / "FetchedResults" / "Master.sections"
    file.unlink(missing_ok=True)
    add_project(server)
    browser.open("/CoreDump").shows("Projects").has_rows(["Website"])
    assert soon(file.exists)
    server.restart()
    browser.open("/CoreDump").shows("Projects").has_rows(["Website"])
    assert browser.sections == [["www.example.com", ["Website"]]]


# Bugs

def test_a_project_opens_its_bugs_under_its_name(browser, server):
    project = add_project(server)
    browser.open("/CoreDump").shows("Projects").tap("Website").shows("Website").has_rows([])
    assert browser.find("#empty").text == "No bugs. Report the first one with +."
    for title in ["Zoom fails", "About box is empty", "menu 10", "menu 9"]:
        add_bug(server, project, title)
    browser.has_rows(["About box is empty", "menu 9", "menu 10", "Zoom fails"])
    browser.back().shows("Projects")


def test_plus_opens_the_bug_form_and_save_adds_the_bug_to_the_project(browser, other, server):
    project = add_project(server)
    add_project(server, "Another")
    other.open(project).shows("Website").mark()
    browser.open(project).shows("Website").add().shows("New Bug")
    assert [label.text for label in browser.all(".field > label")] == ["Title", "Details", "Screenshot"]
    browser.fill("Crash on start", "title")
    browser.find("textarea").send_keys("First line", Keys.RETURN, "second line")
    browser.save().shows("Website").has_rows(["Crash on start"])
    other.has_rows(["Crash on start"])
    assert other.is_unreloaded
    assert stored(server, "SELECT ZDETAILS FROM ZBUG") == [("First line\nsecond line",)]
    browser.open("/CoreDump").shows("Projects").tap("Another").shows("Another").has_rows([])


def test_the_row_and_its_detail_button_open_the_form_on_the_bug(browser, server):
    project = add_project(server)
    add_bug(server, project, "Crash", "It crashes.")
    browser.open(project).shows("Website").tap("Crash").shows("Bug")
    assert browser.find("textarea").get_attribute("value") == "It crashes."
    browser.back().shows("Website")
    detail(edit(browser), "Crash").shows("Bug").fill("Crash at night", "title")
    browser.save().shows("Website").has_rows(["Crash at night"])


def test_a_bug_is_closed_and_opened_again(browser, other, server):
    project = add_project(server)
    for title in ["A", "B", "C"]:
        add_bug(server, project, title)
    other.open(project).shows("Website").mark()
    browser.open(project).shows("Website").tap("A").shows("Bug")
    switch = browser.find("input[type=checkbox]")
    assert switch.get_attribute("role") == "switch" and not switch.is_selected()
    switch.click()
    browser.save().shows("Website")
    other.until("the closed bug below", lambda: other.sections == [["", ["B", "C"]], ["Closed", ["A"]]])
    assert "closed" in other.row("A").get_attribute("textContent")
    browser.tap("A").shows("Bug")
    browser.find("input[type=checkbox]").click()
    browser.save().shows("Website")
    other.until("no closed bugs", lambda: other.sections == [["", ["A", "B", "C"]]])
    assert other.is_unreloaded


def test_a_bug_is_deleted_with_its_file(browser, server):
    project = add_project(server)
    add_bug(server, project, "Keep", screenshot=LARGE)
    add_bug(server, project, "Delete", screenshot=pictures.png(261, 200, noise=True))
    assert len(external_files(server)) == 2
    browser.open(project).shows("Website").swipe("Delete").press_delete("Delete").has_rows(["Keep"])
    assert soon(lambda: [file.read_bytes() for file in external_files(server)] == [LARGE])


def test_a_bug_of_a_project_deleted_meanwhile_is_reported_and_kept_in_the_form(browser, other, server):
    project = add_project(server)
    browser.open(project).shows("Website").add().shows("New Bug").fill("Crash", "title")
    other.open("/CoreDump").shows("Projects").swipe("Website").press_delete("Website").has_rows([])
    browser.expect_alert("Deleted").dismiss()
    browser.save().expect_alert("Deleted").dismiss()
    assert browser.find("input[name=title]").get_attribute("value") == "Crash"


def test_the_bugs_of_a_project_deleted_meanwhile_are_left(browser, other, server):
    project = add_project(server)
    add_bug(server, project)
    browser.open(project).shows("Website").has_rows(["Crash"])
    other.open("/CoreDump").shows("Projects").swipe("Website").press_delete("Website")
    other.confirm("Delete the project?").has_rows([])
    browser.expect_alert("Deleted").dismiss().shows("Projects").has_rows([])


def test_an_unchanged_text_of_several_lines_is_not_a_conflict(browser, other, server):
    project = add_project(server)
    lines = "first\n\n  second\n\tthird &amp; <b>"
    bug = add_bug(server, project, "Crash", lines)
    for one in [browser, other]:
        one.open(bug).shows("Bug")
    assert browser.find("textarea").get_attribute("value") == lines
    other.fill("Crash at night", "title")
    other.save().shows("Website")
    browser.find("input[type=checkbox]").click()
    browser.save().shows("Website")
    assert stored(server, "SELECT ZTITLE, ZDETAILS, ZISCLOSED FROM ZBUG") == [("Crash at night", lines, 1)]


def test_two_people_change_the_same_lines_and_see_both(browser, other, server):
    project = add_project(server)
    bug = add_bug(server, project, "Crash", "one\ntwo")
    for one in [browser, other]:
        one.open(bug).shows("Bug")
    for one, text in [(browser, " mine"), (other, " theirs")]:
        one.find("textarea").send_keys(text)
    other.save().shows("Website")
    browser.save()
    assert browser.until("the dialog", lambda: conflicts(browser)) == {"Details": ["one\ntwo mine", "one\ntwo theirs"]}
    press(browser, "Save").shows("Website")
    assert stored(server, "SELECT ZDETAILS FROM ZBUG") == [("one\ntwo mine",)]


def test_two_people_change_different_fields_of_one_bug(browser, other, server):
    project = add_project(server)
    bug = add_bug(server, project, "Crash", "It crashes.", SMALL)
    for one in [browser, other]:
        one.open(project).shows("Website").tap("Crash").shows("Bug")
    other.fill("Crash at night", "title")
    other.find("input[type=checkbox]").click()
    other.save().shows("Website")
    browser.find("textarea").send_keys(" Always.")
    browser.save().shows("Website")
    browser.open(bug).shows("Bug")
    assert browser.find("input[name=title]").get_attribute("value") == "Crash at night"
    assert browser.find("textarea").get_attribute("value") == "It crashes. Always."
    assert browser.find("input[type=checkbox]").is_selected()
    assert stored(server, "SELECT length(ZSCREENSHOT) FROM ZBUG") == [(len(SMALL) + 1,)]


def test_everything_is_there_after_a_restart(browser, server):
    project = add_project(server)
    bug = add_bug(server, project, "Crash", "Details \u202eabc \U0001f41e עברית", LARGE)
    server.restart()
    browser.open("/CoreDump").shows("Projects").tap("Website").shows("Website").tap("Crash").shows("Bug")
    assert browser.find("textarea").get_attribute("value") == "Details \u202eabc \U0001f41e עברית"
    address = re.search(r'<img src="([^"]+)"', plain.get(server, bug).text)[1].replace("&amp;", "&")
    assert plain.get(server, address).data == LARGE


def test_the_details_field_grows_with_its_text(browser, server):
    bug = add_bug(server, add_project(server))
    browser.open(bug).shows("Bug")
    field = browser.find("textarea")
    before = field.size["height"]
    field.send_keys("\n".join(str(number) for number in range(12)))
    assert field.size["height"] > before + 100
    assert browser.driver.execute_script("return arguments[0].scrollHeight - arguments[0].clientHeight", field) <= 1


def test_a_name_of_1_mb_is_refused_and_stays_in_the_field(browser, server):
    browser.open("/CoreDump/new").shows("New Project")
    browser.driver.execute_script("document.querySelector('input[name=name]').value = 'x'.repeat(1048576)")
    browser.save().expect_alert("Not Saved")
    assert browser.alert["message"].startswith("The text is too long: it has 1,048,576 characters, and 1,000 fit.")
    browser.dismiss()
    assert browser.driver.execute_script("return document.querySelector('input[name=name]').value.length") == 1048576


ODD = ["\u05e9\u05dc\u05d5\u05dd \U0001f41e", "\u202eesrever", "<b>bold</b> & \"quotes\"", "W" * 900, "\U0001f469\u200d\U0001f4bb" * 200]


def test_any_text_is_shown_as_typed_and_nothing_scrolls_sideways_or_overlaps(browser, server):
    projects = [add_project(server, text, "http://" + text.replace("/", "") + "/") for text in ODD]
    bugs = [add_bug(server, project, text, text * 5, SMALL) for project, text in zip(projects, ODD)]
    paths = ["/CoreDump", "/CoreDump/new", *(project + end for project in projects for end in ["", "/edit", "/new"]), *bugs]

    def check(path, width):
        browser.until("the width", lambda: browser.driver.execute_script("return innerWidth") == width)
        assert browser.overflow <= 0, (path, width)
        outside = browser.driver.execute_script(
            "return [...document.querySelectorAll('main *, header *')].filter((element) => element.offsetParent &&"
            " element.getBoundingClientRect().right > innerWidth + 1 && !element.closest('.delete, .hidden'))"
            ".filter((element) => { for (let one = element; one; one = one.parentElement)"
            " if (getComputedStyle(one).overflowX !== 'visible') return false; return true; }).map((one) => one.outerHTML)"
        )
        assert outside == [], (path, width, outside[:2])

    # A list and its detail side by side become one page, or one becomes two: each page is opened in either form.
    browser.size(1280, 844)
    for path in paths:
        browser.open(path)
        check(path, 1280)
    browser.driver.get("about:blank")
    browser.size(390, 844)
    for path in paths:
        browser.open(path)
        check(path, 390)
        browser.size(320, 844)
        check(path, 320)
        browser.size(390, 844)
    for project, bug, text in zip(projects, bugs, ODD):
        browser.open(project).has_rows([text])
        browser.open(bug)
        assert browser.find("input[name=title]").get_attribute("value") == text


def test_every_control_has_a_name(browser, server):
    project = add_project(server)
    bug = add_bug(server, project, screenshot=SMALL)
    for path in ["/CoreDump", "/CoreDump/new", project, project + "/edit", project + "/new", bug]:
        browser.open(path)
        assert browser.unnamed == [], path
        assert len(browser.all("h1")) == 1 and len(browser.all("main")) == 1


# The storage of pictures

def test_a_large_picture_lands_in_a_file_beside_the_store_and_a_small_one_stays_in_the_row(server):
    project = add_project(server)
    add_bug(server, project, "Small", screenshot=SMALL)
    assert external_files(server) == []
    assert stored(server, "SELECT ZSCREENSHOT FROM ZBUG") == [(b"\x01" + SMALL,)]
    assert len(LARGE) > 100 * 1024
    add_bug(server, project, "Large", screenshot=LARGE)
    (file,) = external_files(server)
    assert re.fullmatch(r"[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}", file.name)
    assert file.read_bytes() == LARGE
    row = stored(server, "SELECT ZSCREENSHOT FROM ZBUG WHERE ZTITLE = 'Large'")
    assert row == [(b"\x02" + file.name.encode() + b"\0",)]


def test_fetching_bugs_does_not_read_their_pictures(browser, server):
    """With the file moved away, lists still open, and bugs can be changed and closed; only the picture is missing."""
    project = add_project(server)
    bug = add_bug(server, project, "Crash", "It crashes.", LARGE)
    server.restart()
    (file,) = external_files(server)
    os.utime(file, (1_000_000, 1_000_000))
    assert "-picture=screenshot" in plain.get(server, project).text, "the list has a thumbnail"
    assert file.stat().st_atime == 1_000_000, "the list has read the picture"
    file.rename(file.with_suffix(".away"))
    browser.open(project).shows("Website").has_rows(["Crash"]).tap("Crash").shows("Bug")
    assert browser.find("textarea").get_attribute("value") == "It crashes."
    browser.fill("Crash at night", "title")
    browser.save().shows("Website").has_rows(["Crash at night"])
    file.with_suffix(".away").rename(file)
    browser.open(bug).shows("Bug")
    assert browser.until("the picture", lambda: browser.find(".picture-frame img")).get_attribute("alt") == "Screenshot"


def test_another_picture_takes_the_place_of_the_file_and_removing_it_leaves_none(server):
    project = add_project(server)
    bug = add_bug(server, project, screenshot=LARGE)
    (first,) = external_files(server)
    another = pictures.png(300, 200, noise=True)
    assert pictures.post(server, bug, {"title": "Crash", "details": ""}, {"screenshot": ("x.png", another)}).status == 303
    assert soon(lambda: [file.read_bytes() for file in external_files(server)] == [another])
    assert first not in external_files(server)
    assert pictures.post(server, bug, {"title": "Crash", "details": "", "remove.screenshot": "1"}).status == 303
    assert soon(lambda: external_files(server) == [])
    assert stored(server, "SELECT ZSCREENSHOT FROM ZBUG") == [(None,)]
