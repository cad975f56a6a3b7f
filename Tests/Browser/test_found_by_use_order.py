"""The order of names: as people read them, not as bytes."""

import re

import requests_plain as plain


def titles(server, path):
    return re.findall(r'<span class="row-title">([^<]*)</span>', plain.get(server, path).text)


def headers(server, path):
    return re.findall(r"<h2>([^<]*)</h2>", plain.get(server, path).text)


def test_tasks_and_locations_are_in_the_order_of_a_dictionary(server):
    for text, location in [("Zebra", "Åre"), ("apple", "berlin"), ("no. 29", "Zurich"), ("no. 3", "Aachen")]:
        address = plain.add_task(server, text)
        assert plain.post(server, address + "/location/new", {"action": "save", "value": location}).status == 303
        page = plain.get(server, address + "/location").text
        reference = re.search(rf'id="(Location-p\d+)" data-name="{location}"', page)[1]
        assert plain.post(server, address + "/location", {"action": "choose", "value": reference}).status == 303
    assert titles(server, "/Tasks") == ["apple", "no. 3", "no. 29", "Zebra"]
    assert titles(server, "/Tasks?order=dsc") == ["Zebra", "no. 29", "no. 3", "apple"]
    assert headers(server, "/Tasks/locations") == ["Aachen", "Åre", "berlin", "Zurich"]
    assert titles(server, address + "/location") == ["Aachen", "Åre", "berlin", "Zurich"]


def test_items_and_their_locations_are_in_the_order_of_a_dictionary(server):
    for name, home in [("Rice no. 29", "pantry"), ("rice no. 3", "pantry"), ("Zebra", "Attic"), ("apple", "Attic")]:
        item = plain.post(server, "/GroceryDude", {"action": "insert"}).headers["location"]
        plain.post(server, f"{item}/home-locations/new", {"action": "save", "name": home})
        page = plain.get(server, item).text
        reference = re.search(rf'<option value="(LocationAtHome-p\d+)"[^>]*>{home}<', page)[1]
        fields = {"action": "save", "name": name, "locationAtHome": reference}
        assert plain.post(server, item, fields).status == 303
    assert titles(server, "/GroceryDude") == ["apple", "Zebra", "rice no. 3", "Rice no. 29"]
    assert headers(server, "/GroceryDude") == ["Attic", "pantry"]
    choices = re.findall(r'<option value="LocationAtHome[^>]*>([^<]*)<', plain.get(server, item).text)
    assert choices == ["Unknown Location", "Attic", "Attic", "pantry", "pantry"]
