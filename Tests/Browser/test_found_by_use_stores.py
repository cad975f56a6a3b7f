"""Stores that cannot open: the page with the code, the reason and the path is read from top to bottom."""

import shutil
from pathlib import Path

import pytest


def put(server, content):
    server.stop()
    store = server.store("TaskList")
    for leftover in store.parent.iterdir():
        leftover.unlink()
    if content is None:
        shutil.copy(Path(__file__).parent / "stores" / "TaskList-1.sqlite", store)
    else:
        store.write_bytes(content)


@pytest.mark.parametrize(
    ("content", "code"), [(b"no store at all" * 500, "134080"), (None, "134100")], ids=["garbage", "another model"]
)
def test_the_notes_of_a_store_that_cannot_open_stand_one_below_the_other(browser, server, content, code):
    put(server, content)
    server.start("--no-migration")
    browser.open("/TaskList").shows("Task List Cannot Open")
    for width in [390, 1280]:
        browser.size(width, 844)
        boxes, texts = browser.driver.execute_script(
            "const parts = [...document.querySelectorAll('.message p')], frame = document.querySelector('.message');"
            "const box = (one) => { const {left, right, top, bottom} = one.getBoundingClientRect(); return [left, right, top, bottom] };"
            "return [[box(frame), ...parts.map(box)], parts.map((part) => part.innerText)]"
        )
        frame, *parts = boxes
        assert len(parts) >= 3 and all(texts), texts
        assert any(code in text for text in texts), texts
        assert str(server.data) in texts[-1]
        for above, below in zip(parts, parts[1:]):
            assert below[2] >= above[3], (width, texts, boxes)
        assert all(part[0] == parts[0][0] and part[1] <= frame[1] and part[3] <= frame[3] for part in parts), boxes
