"""A field of 3 MB is refused in words. Examples/Tests/TableScreensTests/FormDecoderTests.swift counts its cost."""

import time

import pytest

import requests_plain as plain

SIZE = 3_000_000


@pytest.mark.parametrize("text", ["x" * SIZE, "ä€ +" * (SIZE // 24), "a\r\n" * (SIZE // 7)], ids=["plain", "escaped", "lines"])
def test_a_field_of_3_mb_is_refused_with_its_length(server, text):
    address = plain.add_task(server, "Bread")
    begin = time.monotonic()
    answer = plain.post(server, address + "/text", {"action": "save", "value": text}, {"Accept": "application/json"})
    print(f"refused after {time.monotonic() - begin:.2f} s")
    length = len(text.replace("\r\n", "\n"))
    assert answer.status == 400 and f"it has {length:,} characters" in answer.text
    page = plain.post(server, address + "/text", {"action": "save", "value": text})
    assert page.status == 400 and len(page.data) > length
