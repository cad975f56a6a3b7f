"""The photo of a grocery item: a picture in a form that edits a draft."""

import requests_plain as plain
from groceries import add_item, press, settled
from pictures import png, post, write


def photo(browser):
    """The width of the photo that the form shows; 0 without one."""
    return browser.driver.execute_script("return document.querySelector('.picture-frame img')?.naturalWidth ?? 0")


def has_photo(browser, width):
    browser.wait(f"a photo of {width}", "(document.querySelector('.picture-frame img')?.naturalWidth ?? 0) === a[0] || null", width)


def take(browser, folder, width):
    browser.find("#field-photoData").send_keys(write(folder, f"{width}.png", png(width, 40)))
    has_photo(browser, width)
    settled(browser)


def source(server, item):
    import html
    import re

    match = re.search(r'<img src="([^"]*)"', plain.get(server, item).text)
    return match and html.unescape(match[1])


def test_a_photo_is_taken_undone_and_saved_when_the_form_is_left(browser, server, folder):
    item = add_item(browser, "Milk")
    browser.open(item).shows("Item")
    take(browser, folder, 60)
    assert source(server, item) is None, "nobody else sees the draft"
    take(browser, folder, 80)
    press(browser, "#undo")
    has_photo(browser, 60)
    press(browser, "#undo")
    browser.wait("no photo", "!document.querySelector('.picture-frame img')")
    press(browser, "#redo")
    has_photo(browser, 60)
    browser.driver.refresh()
    has_photo(browser, 60)
    browser.back().shows("Prepare")
    server.restart()
    assert plain.get(server, source(server, item)).data == png(60, 40)
    browser.open(item).shows("Item")
    has_photo(browser, 60)
    press(browser, "button.picture-remove")
    settled(browser)
    browser.back().shows("Prepare")
    assert source(server, item) is None


def test_an_open_item_follows_the_photo_of_another_reader(browser, server):
    item = add_item(browser, "Milk")
    browser.open(item).shows("Item")
    assert post(server, item, {"name": "Milk"}, {"photoData": ("photo.png", png(70, 40))}).status == 303
    has_photo(browser, 70)


def test_a_photo_and_another_readers_photo_are_a_conflict(browser, server, folder):
    from test_two_people import choose, conflicts
    from test_two_people import press as answer

    for whose, width in [("Mine", 60), ("Theirs", 70)]:
        item = add_item(browser, f"Milk of {whose}")
        browser.open(item).shows("Item")
        take(browser, folder, 60)
        assert post(server, item, {"name": "x"}, {"photoData": ("photo.png", png(70, 40))}).status == 303
        browser.back()
        browser.until("the dialog", lambda: conflicts(browser))
        choose(browser, whose)
        answer(browser, "Save").shows("Prepare")
        assert plain.get(server, source(server, item)).data == png(width, 40), whose


def test_without_scripts_a_photo_is_saved_and_removed_with_the_form(server):
    item = plain.post(server, "/GroceryDude", {"action": "insert"}).headers["location"]
    assert post(server, item, {"name": "Milk"}, {"photoData": ("photo.png", png(60, 40))}).status == 303
    assert plain.get(server, source(server, item)).data == png(60, 40)
    assert post(server, item, {"name": "Milk"}).status == 303
    assert source(server, item)
    assert post(server, item, {"name": "Milk", "remove.photoData": "1"}).status == 303
    assert source(server, item) is None
    refused = post(server, item, {"name": "Milk"}, {"photoData": ("photo.png", b"no picture")})
    assert refused.status == 400 and "not a picture that can be shown" in refused.text
