"""The README's pictures, taken from the running applications with their sample data: one of them moves.

Called by Scripts/readme-pictures.sh, which sets PICTURES to a folder; `make test` does not collect this file.
"""

import base64
import json
import os
import struct
import zlib
from pathlib import Path
from urllib.parse import quote

import pytest
from conftest import Server, make_driver, prepared
from test_two_people import conflicts

PHONE = (390, 700)
DESKTOP = (1280, 700)


@pytest.fixture
def filled(folder):
    server = Server(folder / "Filled", samples=True).start()
    yield server
    server.stop()


@pytest.fixture
def phone(first_driver, filled):
    browser = prepared(first_driver, filled)
    browser.size(*PHONE)
    yield browser


@pytest.fixture
def desktop(second_driver, filled):
    browser = prepared(second_driver, filled)
    browser.size(*DESKTOP)
    yield browser
    second_driver.delete_cookie("hood")


@pytest.fixture
def board():
    """A browser that shows several pictures beside each other."""
    driver = make_driver()
    yield driver
    driver.quit()


def keep(name, data):
    folder = Path(os.environ["PICTURES"])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(data)


def shot(browser):
    """The browser's window as PNG."""
    return browser.driver.get_screenshot_as_png()


def beside(board, columns, width, height):
    """Windows beside each other, each with a title, as PNG. `columns` has a title, a PNG and a width for each."""
    figures = "".join(
        f'<figure style="width:{shown}px"><figcaption>{title}</figcaption>'
        f'<img style="width:100%" src="data:image/png;base64,{base64.b64encode(data).decode()}"></figure>'
        for title, data, shown in columns
    )
    style = (
        "body { margin: 0; padding: 14px; display: flex; gap: 16px; background: #dfe3ea; font: 600 14px sans-serif; color: #333 }"
        "figure { margin: 0 } figcaption { padding: 0 0 8px 4px }"
        "img { display: block; border-radius: 10px; box-shadow: 0 2px 10px rgb(0 0 0 / .25) }"
    )
    board.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
    )
    frame = board.execute_cdp_cmd("Page.getFrameTree", {})["frameTree"]["frame"]["id"]
    board.execute_cdp_cmd("Page.setDocumentContent", {"frameId": frame, "html": f"<style>{style}</style>{figures}"})
    board.execute_async_script(
        "const done = arguments[0]; Promise.all([...document.images].map((image) => image.decode())).then(() => done())"
    )
    return board.get_screenshot_as_png()


def chunks(data):
    """The chunks of a PNG as (type, content)."""
    place = 8
    while place < len(data):
        size, kind = struct.unpack(">I4s", data[place:place + 8])
        yield kind, data[place + 8:place + 8 + size]
        place += 12 + size


def chunk(kind, content):
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def moving(frames):
    """An animated PNG of frames of one size, each a PNG and its milliseconds. Viewers without animation show the first."""
    head = next(content for kind, content in chunks(frames[0][0]) if kind == b"IHDR")
    width, height = struct.unpack(">II", head[:8])
    result = [b"\x89PNG\r\n\x1a\n", chunk(b"IHDR", head), chunk(b"acTL", struct.pack(">II", len(frames), 0))]
    number = 0
    for index, (data, milliseconds) in enumerate(frames):
        assert next(content for kind, content in chunks(data) if kind == b"IHDR") == head, "the frames have one size"
        control = struct.pack(">IIIIIHHBB", number, width, height, 0, 0, milliseconds, 1000, 0, 0)
        result.append(chunk(b"fcTL", control))
        number += 1
        for content in (content for kind, content in chunks(data) if kind == b"IDAT"):
            if index == 0:
                result.append(chunk(b"IDAT", content))
            else:
                result.append(chunk(b"fdAT", struct.pack(">I", number) + content))
                number += 1
    return b"".join([*result, chunk(b"IEND", b"")])


def test_two_windows_beside_the_sql(phone, desktop, board):
    desktop.open("/Tasks")
    desktop.driver.add_cookie({"name": "hood", "value": "open"})
    desktop.open("/Tasks").shows("Tasks")
    desktop.wait("the panel", "window.hood?.isLive")
    phone.open("/Tasks").shows("Tasks")
    frames = []

    def frame(milliseconds):
        columns = [("Window 1, a phone", shot(phone), 300), ("Window 2, a desktop, with the SQL beneath it", shot(desktop), 984)]
        frames.append((beside(board, columns, 1328, 590), milliseconds))

    frame(1500)
    phone.tap("Book the train to Lisbon").shows("Task Detail").tap("Text").shows("Text")
    for words in ["Book the boat", "Book the boat to Lisbon"]:
        phone.fill(words)
        frame(700)
    text = "Book the boat to Lisbon"
    phone.save().shows("Task Detail").has_value("Text", text)
    desktop.until("the row", lambda: text in desktop.texts)
    desktop.wait("the save", "[...document.querySelectorAll('.hood-title')].some((title) => title.textContent.startsWith('saved'))")
    frame(2500)
    phone.tap("Priority").shows("Priority").tap("Low").shows("Task Detail").has_value("Priority", "Low")
    desktop.until("the mark", lambda: "!!!" not in desktop.row(text).text)
    frame(2500)
    phone.back().shows("Tasks").swipe("Renew the passport")
    frame(1200)
    phone.press_delete("Renew the passport")
    desktop.until("the row is gone", lambda: "Renew the passport" not in desktop.texts)
    frame(3000)
    keep("two-windows.png", moving(frames))


def test_the_conflict_dialog(phone, desktop, board):
    desktop.size(*PHONE)
    address = "/Tasks/task/Task-p3/text"
    phone.open(address).shows("Text")
    desktop.open(address).shows("Text")
    phone.fill("Plant the tulip bulbs by the gate")
    desktop.fill("Plant the tulips and the crocuses")
    phone.save().shows("Task Detail")
    desktop.save()
    desktop.until("the dialog", lambda: conflicts(desktop))
    columns = [("Window 1 saved first", shot(phone), 390), ("Window 2 decides value by value", shot(desktop), 390)]
    keep("conflict.png", beside(board, columns, 824, 762))


def test_the_model(desktop):
    desktop.size(1280, 1400)
    desktop.open("/").until("the page", lambda: desktop.is_ready)
    model = desktop.find("[aria-label='The model of GroceryDude'], [aria-label='The model of Grocery Dude']")
    desktop.driver.execute_script("arguments[0].scrollIntoView()", model)
    keep("model.png", model.screenshot_as_png)


def test_the_panel(desktop):
    desktop.size(1440, 860)
    desktop.open("/Tasks")
    desktop.driver.add_cookie({"name": "hood", "value": "open"})
    desktop.open("/Tasks").shows("Tasks")
    desktop.wait("the panel", "window.hood?.isLive")
    desktop.tap("Prepare the quarterly review")
    desktop.wait("the detail", "window.split?.shown")
    desktop.driver.execute_script("[...document.querySelectorAll('.hood-choice')].find((choice) => choice.textContent.includes('quarterly')).click()")
    desktop.wait("the object", "document.getElementById('hood-object').querySelector('.hood-action')")
    keep("panel.png", shot(desktop))


def in_the_studio(desktop, application, path, what, condition):
    """Opens a part of the studio, admitted by the key in the home page's link."""
    desktop.size(1280, 760)
    desktop.open("/").until("the page", lambda: desktop.is_ready)
    key = desktop.find("a[href*='/studio?key=']").get_attribute("href").split("?")[1]
    desktop.driver.get(f"{desktop.server.address}/studio/{application}/{path}{'&' if '?' in path else '?'}{key}")
    desktop.wait(what, condition)
    # Lines are drawn after the cards, and lists after their first rows.
    desktop.driver.execute_async_script("setTimeout(arguments[0], 600)")


def test_the_studios_model(desktop):
    in_the_studio(desktop, "grocery-dude", "model/Item", "the cards", "document.querySelectorAll('.cards-layer > *').length >= 5")
    keep("studio-model.png", shot(desktop))


def test_the_studios_data(desktop):
    predicate = quote("quantity > 1 AND locationAtShop.aisle != nil")
    condition = "document.querySelectorAll('[role=grid] [role=row]').length > 5"
    in_the_studio(desktop, "grocery-dude", f"data/Item?where={predicate}&sort=-quantity", "the rows", condition)
    keep("studio-data.png", shot(desktop))


def test_the_studios_console(desktop):
    fetch = {
        "entity": "Item", "predicate": "quantity > 1", "groupBy": ["locationAtShop.aisle"],
        "aggregates": [{"function": "count"}, {"function": "max", "key": "quantity"}],
    }
    condition = "document.querySelectorAll('#console-rows tbody tr').length > 2"
    in_the_studio(desktop, "grocery-dude", f"console?fetch={quote(json.dumps(fetch))}", "the groups", condition)
    keep("studio-console.png", shot(desktop))


def test_the_studios_live_section(phone, desktop):
    in_the_studio(desktop, "tasks", "live", "the section", "document.querySelector('#section').children.length > 0")
    phone.open("/Tasks").shows("Tasks").tap("Book the train to Lisbon").shows("Task Detail").tap("Text").shows("Text")
    phone.fill("Book the boat to Lisbon")
    phone.save().shows("Task Detail").tap("Priority").shows("Priority").tap("Low").shows("Task Detail")
    saves = "[...document.querySelectorAll('#live-log button')].filter((row) => /Task/.test(row.textContent) && /save/i.test(row.textContent))"
    desktop.wait("two saves", f"{saves}.length >= 2")
    # The older one, of the text.
    desktop.driver.execute_script(f"{saves}.at(-1).click()")
    desktop.wait("the values", "document.querySelector('.live-detail').innerText.includes('Book the boat')")
    keep("studio-live.png", shot(desktop))
