"""The sections Data and Console as tests of the browser use them: stores, the grid, its cells, dialogs."""

import json
import shutil
import sqlite3
from pathlib import Path

from conftest import soon
from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

FIXTURES = Path(__file__).resolve().parents[1] / "Fixtures"


def harbour(folder, vessels=0):
    """A copy of the harbour, optionally with more vessels."""
    store = Path(folder) / "Harbour.sqlite"
    shutil.copy(FIXTURES / "Harbour1.sqlite", store)
    if vessels:
        with sqlite3.connect(store) as connection:
            connection.execute(
                "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
                "INSERT INTO ZVESSEL (Z_PK, Z_ENT, Z_OPT, ZCREW, ZLENGTH, ZNAME) "
                "SELECT 100 + i, 4, 1, i % 50, i / 4.0, printf('V%07d', i) FROM n", (vessels,),
            )
            connection.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_NAME = 'Vessel'", (100 + vessels,))
        connection.close()
    return store


def album(folder):
    """A copy of the album, whose photos have pictures."""
    store = Path(folder) / "Album.sqlite"
    shutil.copy(FIXTURES / "Album.sqlite", store)
    support = FIXTURES / ".Album_SUPPORT"
    if support.exists():
        shutil.copytree(support, Path(folder) / ".Album_SUPPORT")
    return store


class Data:
    """A page of the section Data."""

    def __init__(self, driver):
        self.driver = driver

    def wait(self, what, script, *arguments, timeout=15):
        result = soon(lambda: self.driver.execute_script(script, *arguments), timeout)
        assert result, f"{what}, not: {self.driver.execute_script('return document.body.innerText')[:3000]}"
        return result

    def ready(self):
        self.wait("rows or an empty state", "return document.querySelector('.data-body[data-ready], .data-body .empty, .data-body .note')")
        return self

    def texts(self, column):
        """The texts of a column in the rows of the page, from the top."""
        return self.driver.execute_script(
            """
            const place = [...document.querySelectorAll('.rows-header [role=columnheader]')].findIndex((each) => each.dataset.column === arguments[0]);
            return [...document.querySelectorAll('.rows .row')].sort((one, other) => one.line - other.line)
                .map((row) => row.children[place]?.innerText ?? '…');
            """, column)

    def until_texts(self, column, expected):
        self.wait(f"{expected} in {column}, not {self.texts(column)}", """
            const [column, expected] = arguments;
            const place = [...document.querySelectorAll('.rows-header [role=columnheader]')].findIndex((each) => each.dataset.column === column);
            const texts = [...document.querySelectorAll('.rows .row')].sort((one, other) => one.line - other.line).map((row) => row.children[place]?.innerText ?? '…');
            return JSON.stringify(texts) === JSON.stringify(expected);
            """, column, expected)

    def columns(self):
        return self.driver.execute_script("return [...document.querySelectorAll('.rows-header [data-column]')].map((each) => each.dataset.column)")

    def cell(self, column, line):
        return self.driver.execute_script(
            """
            const place = [...document.querySelectorAll('.rows-header [role=columnheader]')].findIndex((each) => each.dataset.column === arguments[0]);
            return [...document.querySelectorAll('.rows .row')].find((row) => row.line === arguments[1])?.children[place];
            """, column, line)

    def click(self, selector):
        self.wait(f"{selector}", "return document.querySelector(arguments[0])", selector)
        self.driver.find_element(By.CSS_SELECTOR, selector).click()

    def click_text(self, text, selector="button, a, summary, option"):
        found = self.wait(f"a control “{text}”", """
            return [...document.querySelectorAll(arguments[1])].reverse().find((each) => each.checkVisibility() && each.innerText.trim() === arguments[0]);
            """, text, selector)
        found.click()

    def keys(self, *keys):
        ActionChains(self.driver).send_keys(*keys).perform()

    def chord(self, *keys):
        """Presses the last key while the others are held."""
        chain = ActionChains(self.driver)
        for key in keys[:-1]:
            chain.key_down(key)
        chain.send_keys(keys[-1])
        for key in reversed(keys[:-1]):
            chain.key_up(key)
        chain.perform()

    def filter(self, text):
        field = self.driver.find_element(By.CSS_SELECTOR, ".predicate input")
        field.send_keys(Keys.CONTROL, "a")
        field.send_keys(Keys.DELETE)
        field.send_keys(text, Keys.ENTER) if text else field.send_keys(Keys.ENTER)

    def choose(self, column, line):
        """Clicks a cell, which may be drawn again meanwhile."""
        def click():
            try:
                self.cell(column, line).click()
                return True
            except (AttributeError, StaleElementReferenceException):
                return False

        assert soon(click), f"the cell {column} of line {line} can be clicked"

    def edit(self, column, line, text):
        """Enters a text into a cell as a person does."""
        self.choose(column, line)
        self.keys(Keys.ENTER)
        self.wait("an editor", "return document.querySelector('.cell-editor')")
        self.chord(Keys.CONTROL, "a")
        self.keys(text, Keys.ENTER)

    def sum(self):
        return self.driver.execute_script("return document.querySelector('.data-sum').textContent")

    def until_sum(self, text):
        self.wait(f"the sum {text}", "return document.querySelector('.data-sum').textContent === arguments[0]", text)

    def strip(self):
        return self.driver.execute_script("return document.querySelector('.staged:not([hidden])')?.innerText ?? ''")

    def until_strip(self, text):
        self.wait(f"“{text}” in the strip", "return (document.querySelector('.staged:not([hidden])')?.innerText ?? '').includes(arguments[0])", text)

    def until_saved(self):
        self.wait("no staged changes", "return document.querySelector('.staged').hidden || document.querySelector('.staged').innerText.startsWith('No changes')")

    def dialog(self):
        return self.wait("a dialog", "return document.querySelector('dialog.sheet[open]')")

    def until_inspected(self, text):
        self.wait(f"“{text}” in the inspector", "return document.querySelector('#inspector').innerText.includes(arguments[0])", text)


def rows_of(store, sql):
    """What the store contains, read beside the studio."""
    connection = sqlite3.connect(f"file:{store}?mode=ro", uri=True)
    try:
        return connection.execute(sql).fetchall()
    finally:
        connection.close()


def resident(process):
    """The memory of a process in MB."""
    for line in Path(f"/proc/{process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) / 1024
    return 0


def figures(name, values):
    print(f"\n{name}: " + json.dumps(values))
