"""The modeller as seen by a person: cards, lines, fields, and the file that is saved. Used by the tests test_studio_model_*."""

import shutil
import time
from pathlib import Path

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from screens import TIMEOUT

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "Tests" / "Fixtures"
SHARED = ROOT.parent / "shared"

MODEL = """<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="14460.32" systemVersion="17G65" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
    <entity name="Item" representedClassName="Item" isAbstract="YES" syncable="YES" codeGenerationType="class">
        <attribute name="title" attributeType="String" minValueString="1" syncable="YES"/>
        <attribute name="made" optional="YES" attributeType="Date" usesScalarValueType="NO" syncable="YES"/>
    </entity>
    <entity name="Task" representedClassName="Task" parentEntity="Item" syncable="YES" codeGenerationType="class">
        <!-- A comment that must survive. -->
        <attribute name="priority" attributeType="Integer 16" defaultValueString="0" usesScalarValueType="YES" syncable="YES"/>
        <attribute name="photo" optional="YES" attributeType="Binary" allowsExternalBinaryDataStorage="YES" syncable="YES"/>
        <relationship name="list" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="List" inverseName="tasks" inverseEntity="List" syncable="YES"/>
        <userInfo>
            <entry key="group" value="work"/>
        </userInfo>
    </entity>
    <entity name="List" representedClassName="List" syncable="YES" codeGenerationType="class">
        <attribute name="name" attributeType="String" syncable="YES"/>
        <relationship name="tasks" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Task" inverseName="list" inverseEntity="Task" syncable="YES"/>
    </entity>
    <entity name="Tag" representedClassName="Tag" syncable="YES" codeGenerationType="class">
        <attribute name="word" optional="YES" attributeType="String" syncable="YES"/>
    </entity>
    <fetchRequest name="Urgent" entity="Task" predicateString="priority &gt; $least"/>
    <configuration name="Cloud">
        <memberEntity name="List"/>
    </configuration>
    <elements>
        <element name="Item" positionX="-63" positionY="-18" width="128" height="75"/>
        <element name="Task" positionX="160" positionY="20" width="128" height="140"/>
        <element name="List" positionX="360" positionY="-9" width="128" height="74"/>
        <element name="Tag" positionX="360" positionY="160" width="128" height="59"/>
    </elements>
</model>
"""

CARDS = """
return [...document.querySelectorAll('.model-drawing .entity')].map((card) => {
    const box = card.querySelector('.box').getBoundingClientRect();
    return {name: card.dataset.entity, x: box.x, y: box.y, right: box.right, bottom: box.bottom};
});
"""

# The points of each line in the window, taken every few pixels, with the names of its cards.
LINES = """
return [...document.querySelectorAll('.model-drawing .edge')].map((edge) => {
    const path = edge.querySelector('.line'), matrix = path.getScreenCTM(), length = path.getTotalLength(), points = [];
    for (let at = 0; at <= length; at += 6) {
        const point = path.getPointAtLength(at).matrixTransform(matrix);
        points.push([point.x, point.y]);
    }
    return {id: edge.dataset.edge, points};
});
"""


def write_model(folder, text=MODEL, name="Shop", versions=("Shop",)):
    """A new .xcdatamodeld with one or several equal versions."""
    model = Path(folder) / f"{name}.xcdatamodeld"
    for version in versions:
        path = model / f"{version}.xcdatamodel" / "contents"
        path.parent.mkdir(parents=True)
        path.write_text(text)
    (model / ".xccurrentversion").write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict><key>_XCCurrentVersionName</key>'
        f"<string>{versions[-1]}.xcdatamodel</string></dict></plist>\n"
    )
    return model


def large_model(count):
    """The text of a model of many entities without positions, each related to some before it."""
    lines = ['<?xml version="1.0" encoding="UTF-8" standalone="yes"?>',
             '<model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">']
    inverses = {number: [] for number in range(count)}
    for number in range(1, count):
        inverses[max(0, number - 1 - number * 7 % 11) if number % 3 else number // 2].append(number)
    for number in range(count):
        lines.append(f'    <entity name="Entity{number}" representedClassName="Entity{number}">')
        for attribute in range(2 + number % 9):
            lines.append(f'        <attribute name="attribute{attribute}" optional="YES" attributeType="String"/>')
        for other in inverses[number]:
            lines.append(f'        <relationship name="to{other}" optional="YES" toMany="YES" destinationEntity="Entity{other}" '
                         f'inverseName="from{number}" inverseEntity="Entity{other}"/>')
        for owner in [owner for owner, others in inverses.items() if number in others]:
            lines.append(f'        <relationship name="from{owner}" optional="YES" maxCount="1" destinationEntity="Entity{owner}" '
                         f'inverseName="to{number}" inverseEntity="Entity{owner}"/>')
        lines.append("    </entity>")
    return "\n".join(lines + ["</model>", ""])


def contents(model, version=None):
    return (model / f"{version or model.stem}.xcdatamodel" / "contents").read_text()


class Modeller:
    """The section Model of a source in a browser."""

    def __init__(self, desk, studio, source="shop-xcdatamodeld", path="", **size):
        self.studio, self.source = studio, source
        self.driver = desk(studio, f"/studio/{source}/model{path}", **size)
        self.driver.execute_script("sessionStorage.clear()")
        self.wait(".model-drawing .canvas[data-revision]")

    # Looking

    def until(self, what, check):
        end = time.monotonic() + TIMEOUT
        while True:
            try:
                value = check()
            except Exception as error:  # The page is being drawn again.
                value, problem = None, error
            else:
                problem = None
            if value:
                return value
            assert time.monotonic() < end, f"{what} does not come true: {problem or value}"
            time.sleep(0.05)

    def wait(self, selector):
        return self.until(selector, lambda: self.driver.find_element(By.CSS_SELECTOR, selector))

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def texts(self, selector):
        return self.driver.execute_script(
            "return [...document.querySelectorAll(arguments[0])].map((part) => part.textContent.trim())", selector)

    def card(self, name):
        return self.wait(f'.model-drawing .entity[data-entity="{name}"]')

    def cards(self):
        return {card["name"]: card for card in self.driver.execute_script(CARDS)}

    def lines(self):
        return {line["id"]: line["points"] for line in self.driver.execute_script(LINES)}

    def rows(self, entity):
        return self.driver.execute_script(
            "return [...document.querySelectorAll('.model-drawing .entity')].filter((card) => card.dataset.entity === arguments[0])"
            ".flatMap((card) => [...card.querySelectorAll('.row')].map((row) => row.dataset.property))", entity)

    def button(self, text):
        return self.until(f"a button {text}", lambda: next(
            (button for button in self.all("button") if button.is_displayed() and button.text.strip() == text), None))

    def is_saved(self):
        return not self.button("Save").is_enabled()

    def problems_of_drawing(self):
        """Cards that overlap, and lines that cross a card."""
        cards = list(self.cards().values())
        found = []
        for place, one in enumerate(cards):
            for other in cards[:place]:
                if (one["x"] < other["right"] and other["x"] < one["right"]
                        and one["y"] < other["bottom"] and other["y"] < one["bottom"]):
                    found.append(f"{one['name']} overlaps {other['name']}")
        for line, points in self.lines().items():
            for card in cards:
                if any(card["x"] + 2 < x < card["right"] - 2 and card["y"] + 2 < y < card["bottom"] - 2 for x, y in points):
                    found.append(f"the line {line} crosses {card['name']}")
        return found

    # Acting

    def select(self, place):
        """Selects `Entity` or `Entity.property` in the drawing."""
        entity, _, name = place.partition(".")
        part = self.card(entity)
        if name:
            part = part.find_element(By.CSS_SELECTOR, f'.row[data-property="{name}"] .label')
        else:
            part = part.find_element(By.CSS_SELECTOR, ".name")
        ActionChains(self.driver).move_to_element(part).click().perform()
        self.until(f"the inspector of {place}", lambda: self.texts("#model-panel h2") == [name or entity])

    def field(self, label):
        return self.until(f"the field {label}", lambda: next(
            (self.driver.find_element(By.ID, found.get_attribute("for")) for found in self.all("#model-panel .field > label")
             if found.text == label and found.is_displayed()), None))

    def check(self, label):
        box = self.until(f"the box {label}", lambda: next(
            (found for found in self.all("#model-panel label.check") if found.text == label), None))
        self.changing(box.click)

    def set(self, label, text):
        control = self.field(label)
        if control.tag_name == "select":
            def choose():
                self.driver.execute_script(
                    "const option = [...arguments[0].options].find((option) => option.text === arguments[1]);"
                    "arguments[0].value = option.value; arguments[0].dispatchEvent(new Event('change'))", control, text)
        else:
            def choose():
                control.send_keys(Keys.CONTROL, "a")
                control.send_keys(Keys.BACKSPACE)
                control.send_keys(text, Keys.TAB)
        self.changing(choose)

    def revision(self):
        return self.driver.execute_script("return document.querySelector('.canvas[data-revision]').dataset.revision")

    def changing(self, act):
        """Acts and waits until the drawing shows the change."""
        before = self.revision()
        act()
        self.until("a change", lambda: self.revision() != before)

    def press(self, *keys, on=None):
        """Presses keys together, such as Keys.CONTROL, "z"."""
        chain = ActionChains(self.driver)
        if on is not None:
            self.driver.execute_script("arguments[0].focus()", on)
        else:
            self.driver.execute_script("document.activeElement.blur()")
        for key in keys[:-1]:
            chain.key_down(key)
        chain.send_keys(keys[-1])
        for key in reversed(keys[:-1]):
            chain.key_up(key)
        chain.perform()

    def drag(self, part, x, y):
        ActionChains(self.driver).click_and_hold(part).move_by_offset(x // 2, y // 2).move_by_offset(x - x // 2, y - y // 2).release().perform()

    def save(self):
        self.changing(lambda: self.press(Keys.CONTROL, "s"))
        self.until("the file is saved", self.is_saved)


def copied(model, folder):
    """A copy of a model that a test may change."""
    copy = Path(folder) / model.name
    shutil.copytree(model, copy)
    return copy
