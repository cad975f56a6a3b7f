"""Every screen that links lead to, checked by axe-core: on a phone in light colours, and on a desktop in dark ones with the
panel open."""

import re
from pathlib import Path

import pytest
from conftest import Server, prepared
from screenshots import enter_frame

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text()
RUN = """
const done = arguments[arguments.length - 1];
axe.run(document, {iframes: false, resultTypes: ['violations']}).then((result) => done(result.violations.map((violation) => (
    `${violation.id}: ${violation.help}: ` + violation.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join(' | ')))));
"""
LINKS = """return [...document.querySelectorAll('a[href]')].filter((link) => link.origin === location.origin && !link.download)
    .map((link) => link.pathname + link.search);"""
NO_SCREENS = re.compile(r"/assets/|^/studio|/picture|/-events|\.(jpg|png|svg)$")


def kind(path):
    """The path without the identifiers of objects, and an item's without its list: one screen of each kind is enough."""
    return re.sub(r"-p\d+|/shop(?=/item/)", "", path.split("?")[0])


@pytest.fixture
def browser_of_samples(first_driver, folder):
    server = Server(folder / "Filled", samples=True).start()
    yield prepared(first_driver, server)
    first_driver.delete_cookie("hood")
    server.stop()


def faults(browser):
    """The violations in the current document or frame."""
    browser.until("the page", lambda: browser.is_ready)
    browser.driver.execute_script(AXE)
    place = browser.driver.execute_script("return `${location.pathname}, ${innerWidth} px: `")
    return [place + fault for fault in browser.driver.execute_async_script(RUN)]


def check_screens(browser):
    """Checks a screen of each kind, by following the links from the home page; returns their paths and the faults."""
    paths, waiting, found = {"/": "/"}, ["/"], []
    while waiting:
        path = waiting.pop(0)
        browser.open(path)
        found += faults(browser)
        for linked in browser.driver.execute_script(LINKS):
            if kind(linked) not in paths and not NO_SCREENS.search(linked):
                paths[kind(linked)] = linked
                waiting.append(linked)
    return list(paths.values()), found


def test_every_screen_is_accessible_on_a_phone_and_on_a_desktop(browser_of_samples):
    browser = browser_of_samples
    paths, found = check_screens(browser)
    assert len(paths) > 30, paths
    browser.size(1280, 800)
    browser.scheme("dark")
    browser.driver.add_cookie({"name": "hood", "value": "open"})
    lists = set()
    for path in paths:
        browser.open(path)
        enter_frame(browser)
        found += faults(browser)
        browser.driver.switch_to.default_content()
        # The list and the panel around the frame.
        if browser.path not in lists and browser.all("#pane iframe"):
            lists.add(browser.path)
            found += faults(browser)
    browser.scheme("light")
    assert lists, "no screen stands beside its list"
    assert not found, "\n".join(found)
