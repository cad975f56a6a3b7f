"""What tests of the studio do with a page: waiting, requests from inside the page, the palette, checks by axe-core."""

import json
from pathlib import Path

from conftest import soon
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys
from test_accessibility import AXE, RUN

FIXTURES = Path(__file__).resolve().parents[1] / "Fixtures"


def all_of(driver, selector):
    return driver.find_elements("css selector", selector)


def until(driver, what, script, *arguments, timeout=10.0):
    """Waits until a script returns a true value, and returns it."""
    result = soon(lambda: driver.execute_script(script, *arguments), timeout)
    assert result, f"{what}, not: {driver.execute_script('return document.body.innerText')[:2000]}"
    return result


def until_text(driver, selector, text):
    script = "const found = [...document.querySelectorAll(arguments[0])].find((each) => each.innerText.includes(arguments[1])); return found;"
    return until(driver, f"“{text}” in {selector}", script, selector, text)


def press(driver, *keys):
    """Presses keys, modifiers among them held to the end, for the element that has the focus at each of them."""
    actions = ActionChains(driver)
    held = [key for key in keys if key in (Keys.CONTROL, Keys.SHIFT, Keys.ALT)]
    for key in held:
        actions.key_down(key)
    actions.send_keys(*[key for key in keys if key not in held])
    for key in held:
        actions.key_up(key)
    actions.perform()


def ask(driver, path, method="GET", body=None):
    """A request of the page itself: status and JSON."""
    script = """
    const [path, method, body, done] = arguments;
    fetch(path, {method, body: body ?? undefined, headers: body ? {'Content-Type': 'application/json'} : {}})
        .then(async (response) => done([response.status, await response.text()]));
    """
    status, text = driver.execute_async_script(script, path, method, body and json.dumps(body))
    return status, json.loads(text) if text.startswith(("{", "[")) else text


def emulate(driver, scheme):
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})


def faults(driver):
    """The violations that axe-core finds in the current page."""
    driver.execute_script(AXE)
    place = driver.execute_script("return `${location.pathname}, ${innerWidth} px: `")
    return [place + fault for fault in driver.execute_async_script(RUN)]


def overflow(driver):
    """Elements that are wider than the page, unless a part that scrolls contains them."""
    return driver.execute_script("""
        const width = document.documentElement.clientWidth;
        const scrolls = (each) => each && (['auto', 'scroll', 'hidden'].includes(getComputedStyle(each).overflowX) || scrolls(each.parentElement));
        return [...document.body.querySelectorAll('*')].filter((each) => {
            const box = each.getBoundingClientRect();
            return box.width && box.right > width + 1 && !each.closest('.skip, .hidden') && !scrolls(each.parentElement);
        }).map((each) => each.outerHTML.slice(0, 120));
    """)


ESCAPE, ENTER, DOWN, CONTROL = Keys.ESCAPE, Keys.ENTER, Keys.ARROW_DOWN, Keys.CONTROL
