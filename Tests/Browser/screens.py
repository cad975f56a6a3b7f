"""Table screens as seen by a person: rows, bars and alerts, with their contents and gestures."""

import os
import time

from selenium.common.exceptions import (JavascriptException, NoSuchElementException, NoSuchWindowException,
                                        StaleElementReferenceException, TimeoutException, WebDriverException)
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import requests_plain as plain

# The timeout in seconds for an element to appear; a short one makes failures quick to see.
TIMEOUT = float(os.environ.get("BROWSER_TIMEOUT", "30"))


# Resolves with the value of CONDITION as soon as it is true, or with null after a second.
WAIT = """
const a = [...arguments], done = a.pop(), end = performance.now() + 1000;
const look = () => {
    let value;
    try { value = CONDITION; } catch { value = null; }
    if (value) done(value);
    else if (performance.now() > end) done(null);
    else setTimeout(look, 15);
};
look();
"""

# Functions of the page as expressions: the rows' titles, the row with a title, and the values of rows.
TEXTS = "[...document.querySelectorAll('li.row .row-title')].map((row) => row.textContent)"
ROW = "[...document.querySelectorAll('li.row')].find((row) => row.querySelector('.row-title')?.textContent === a[0])"
VALUES = (
    "Object.fromEntries([...document.querySelectorAll('li.row')].map((row) =>"
    " [row.querySelector('.row-title').textContent, row.querySelector('.row-value')?.textContent ?? '']))"
)
ALERT = (
    "((alert) => alert && {title: alert.querySelector('h2').textContent,"
    " message: alert.querySelector('p')?.textContent ?? '',"
    " items: [...alert.querySelectorAll('li')].map((item) => item.textContent)})"
    "(document.querySelector('dialog.alert[open]:modal'))"
)


class Browser:
    def __init__(self, driver, server):
        self.driver = driver
        self.server = server

    # Looking

    def until(self, what, check):
        """Waits until `check` returns a true value; `what` describes it in the failure."""
        end = time.monotonic() + TIMEOUT
        seen, pause = None, 0.03
        while time.monotonic() < end:
            try:
                seen = check()
                if seen:
                    return seen
            except (StaleElementReferenceException, NoSuchElementException):
                pass
            except WebDriverException as error:
                # Another page was loaded while the element was inspected.
                if "does not belong to the document" not in str(error):
                    raise
            # Each look costs the browser as much as a small page: look less often the longer it takes.
            time.sleep(pause)
            pause = min(pause * 1.5, 0.2)
        raise AssertionError(f"expected {what}; title {self.title!r}, rows {self.texts[:20]}, last {seen!r}")

    def wait(self, what, condition, *arguments):
        """Waits within the page until a JavaScript expression over `a`, the arguments, is true; returns its value.

        A wait in the page needs a hundredth of the processor time of repeated questions from outside.
        """
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            try:
                value = self.driver.execute_async_script(WAIT.replace("CONDITION", condition), *arguments)
                if value is not None:
                    return value
            except (JavascriptException, NoSuchWindowException, StaleElementReferenceException, TimeoutException):
                # Another page was loaded meanwhile.
                time.sleep(0.02)
        raise AssertionError(f"expected {what}; title {self.title!r}, rows {self.texts[:20]}, values {self.values!r}")

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    @property
    def title(self):
        return self.driver.execute_script("return document.querySelector('#title')?.textContent ?? ''")

    @property
    def path(self):
        return self.driver.execute_script("return location.pathname + location.search")

    @property
    def texts(self):
        """The first lines of the rows."""
        return self.driver.execute_script("return " + TEXTS)

    @property
    def values(self):
        """The first lines of the rows with the values at their ends."""
        return self.driver.execute_script("return " + VALUES)

    @property
    def sections(self):
        """The titles of the sections with the first lines of their rows."""
        return self.driver.execute_script(
            "return [...document.querySelectorAll('.group')].map((group) =>"
            " [group.querySelector('h2')?.textContent ?? '',"
            "  [...group.querySelectorAll('.row-title')].map((row) => row.textContent)])"
        )

    @property
    def red(self):
        """The rows shown in red."""
        return self.driver.execute_script(
            "const warning = document.createElement('p'); warning.style.color = 'var(--warning)';"
            "document.body.append(warning); const red = getComputedStyle(warning).color; warning.remove();"
            "return [...document.querySelectorAll('li.row .row-title')]"
            ".filter((row) => getComputedStyle(row).color === red).map((row) => row.textContent)"
        )

    @property
    def checked(self):
        """The rows with a check mark."""
        return self.driver.execute_script(
            "return [...document.querySelectorAll('li.row')].filter((row) => row.querySelector('.check'))"
            ".map((row) => row.querySelector('.row-title').textContent)"
        )

    @property
    def is_ready(self):
        return self.driver.execute_script("return document.readyState === 'complete'")

    @property
    def is_unreloaded(self):
        """Whether the page is still the one marked by `mark`."""
        return self.driver.execute_script("return window.marker === 'here'")

    def mark(self):
        self.driver.execute_script("window.marker = 'here'")

    def row(self, text):
        row = self.driver.execute_script(f"const a = arguments; return {ROW}", text)
        if row is None:
            raise NoSuchElementException(text)
        return row

    def cell(self, text):
        cell = self.driver.execute_script(f"const a = arguments; return {ROW}?.querySelector('.cell')", text)
        if cell is None:
            raise NoSuchElementException(text)
        return cell

    def shows(self, title):
        condition = "document.readyState === 'complete' && document.querySelector('#title')?.textContent === a[0]"
        self.wait(f"the screen {title!r}", condition, title)
        return self

    def show_list(self, path, title, text):
        """Shows a list, unless it is on the screen already, with a row."""
        if self.driver.current_url != self.server.address + path or self.title != title:
            self.open(path).shows(title)
        self.wait(f"the row {text!r}", f"!!{ROW}", text)
        return self

    def has_rows(self, texts):
        self.wait(f"the rows {texts}", f"JSON.stringify({TEXTS}) === JSON.stringify(a[0])", texts)
        return self

    def has_value(self, text, value):
        self.wait(f"{text}: {value}", f"{VALUES}[a[0]] === a[1]", text, value)
        return self

    # Acting

    def size(self, width, height):
        self.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )

    def scheme(self, name):
        self.driver.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {
                "features": [
                    {"name": "prefers-color-scheme", "value": name},
                    {"name": "prefers-reduced-motion", "value": "reduce"},
                ]
            },
        )

    def open(self, path):
        self.driver.get(self.server.address + path)
        return self

    def tap(self, text):
        self.wait(f"the row {text!r}", f"{ROW}?.querySelector('.cell')", text).click()
        return self

    def back(self):
        self.find("[data-back]").click()
        return self

    def add(self):
        self.find(".add").click()
        return self

    def tool(self, title):
        links = "[...document.querySelectorAll('.toolbar a, .choices a, .tabs a')]"
        self.wait(f"the tool {title!r}", links + ".find((link) => link.innerText.trim() === a[0])", title).click()
        return self

    def fill(self, text, name="value"):
        field = self.wait("the field", "document.querySelector(`input[name=${a[0]}]`)", name)
        field.clear()
        field.send_keys(text)
        return field

    def fill_day(self, day, name="value"):
        """Sets a date field as its picker would."""
        field = self.wait("the field", "document.querySelector(`input[name=${a[0]}]`)", name)
        self.driver.execute_script(
            "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input', {bubbles: true}))",
            field,
            day,
        )
        return field

    def save(self):
        self.find(".bar-button.strong").click()
        return self

    def discard(self):
        """Leaves a form in spite of the input in it."""
        return self.back().confirm("Discard what you entered?")

    def confirm(self, title):
        """Confirms a question."""
        self.wait(f"the question {title!r}", ALERT + "?.title === a[0]", title)
        self.find("dialog.alert .destructive").click()
        return self

    # Layout and names

    @property
    def overflow(self):
        """The number of pixels by which the page is wider than the window."""
        return self.driver.execute_script("return document.documentElement.scrollWidth - innerWidth")

    @property
    def unnamed(self):
        """The controls and images without a name, as HTML."""
        return self.driver.execute_script(
            "return [...document.querySelectorAll('a, button, input:not([type=hidden]), textarea, img')].filter((control) =>"
            " !(control.getAttribute('aria-label') || control.alt || control.matches('img[alt=\"\"]') || control.textContent.trim() || control.labels?.length))"
            ".map((control) => control.outerHTML)"
        )

    # Alerts

    @property
    def alert(self):
        """The open alert's title, message and list, or None."""
        return self.driver.execute_script("return " + ALERT)

    def expect_alert(self, title, message=None, items=None):
        alert = self.wait(f"the alert {title!r}", ALERT)
        assert alert["title"] == title, alert
        if message is not None:
            assert alert["message"] == message, alert
        if items is not None:
            assert alert["items"] == items, alert
        dialog = self.find("dialog.alert")
        assert dialog.get_attribute("role") == "alertdialog"
        assert self.driver.execute_script("return document.activeElement.textContent") == "OK"
        return self

    def dismiss(self, key=None):
        if key:
            self.driver.switch_to.active_element.send_keys(key)
        else:
            self.find("dialog.alert button").click()
        self.wait("no alert", f"!{ALERT}")
        return self

    # Deleting

    def swipe(self, text, distance=-130):
        cell = self.wait(f"the row {text!r}", f"{ROW}?.querySelector('.cell')", text)
        chain = ActionChains(self.driver, duration=20)
        chain.move_to_element(cell).click_and_hold()
        for _ in range(5):
            chain.move_by_offset(distance // 5, 0)
        chain.release().perform()
        return self

    def touch_swipe(self, text, distance=-130):
        """A swipe of one finger, as touch events."""
        box = self.wait(f"the row {text!r}", f"{ROW}?.querySelector('.cell')", text).rect
        x, y = box["x"] + box["width"] * 0.8, box["y"] + box["height"] / 2
        y -= self.driver.execute_script("return scrollY")

        def send(kind, points):
            self.driver.execute_cdp_cmd("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        send("touchStart", [{"x": x, "y": y}])
        for step in range(1, 9):
            send("touchMove", [{"x": x + distance * step / 8, "y": y}])
        send("touchEnd", [])
        return self

    def press_delete(self, text):
        button = self.row(text).find_element(By.CSS_SELECTOR, ".delete")
        self.until("the Delete button", lambda: button.is_displayed())
        button.click()
        return self

    def keys(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()
        return self

    @property
    def focus(self):
        """The label or text of the focused element."""
        return self.driver.execute_script(
            "const focused = document.activeElement;"
            "return focused.getAttribute('aria-label') ?? focused.labels?.[0]?.textContent"
            " ?? focused.querySelector('.row-title')?.textContent ?? focused.textContent.trim()"
        )

    def focus_is(self, selector):
        return self.driver.execute_script("return document.activeElement.matches(arguments[0])", selector)

    def tab_to(self, name, limit=60):
        """Presses Tab until the named element has the focus, which proves that it needs no mouse."""
        for _ in range(limit):
            self.keys(Keys.TAB)
            if self.focus == name:
                return self
        raise AssertionError(f"Tab does not reach {name!r}")


# Shorthands for the Tasks application

def add_task(browser, text, priority=None, day=None, location=None):
    """Adds a task with plain requests, and shows it in the list."""
    plain.add_task(browser.server, text, priority, day, location)
    return browser.show_list("/Tasks", "Tasks", text)


def add_task_on_screen(browser, text, priority, day, location):
    """Adds a task through the screens and returns to the list."""
    browser.open("/Tasks").shows("Tasks").add().shows("Task Detail")
    browser.tap("Text").shows("Text").fill(text)
    browser.save().shows("Task Detail").has_value("Text", text)
    browser.tap("Priority").shows("Priority").tap(priority).shows("Task Detail").has_value("Priority", priority)
    browser.tap("Due Date").shows("Due Date").fill_day(day)
    browser.save().shows("Task Detail")
    browser.tap("Location").shows("Location").add().shows("New Location").fill(location)
    browser.save().shows("Location").tap(location).shows("Task Detail").has_value("Location", location)
    return browser.back().shows("Tasks")
