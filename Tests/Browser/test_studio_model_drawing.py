"""The drawing of a model: every model without overlaps, its cards and lines, the view of it, and its export."""

import os
import random
import time

import pytest
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from modeller import FIXTURES, SHARED, Modeller, large_model, write_model


@pytest.fixture
def shop(studio, desk, folder):
    model = write_model(folder)
    return Modeller(desk, studio(model), width=1280, height=800)


def draw_all(studio, desk, models):
    """Opens each model in one studio; returns the number of entities and the problems."""
    running = studio(*models)
    driver = desk(running)
    sources = driver.execute_script("return JSON.parse(document.getElementById('state').textContent).sources")
    entities, problems, unreadable = 0, [], 0
    for source in sources:
        driver.get(f"{running.address}/studio/{source['id']}/model")
        end = time.monotonic() + 30
        while not driver.find_elements(By.CSS_SELECTOR, ".canvas[data-revision], #section .note.bad"):
            assert time.monotonic() < end, f"{source['path']} is not drawn"
            time.sleep(0.02)
        if not driver.find_elements(By.CSS_SELECTOR, ".canvas[data-revision]"):
            unreadable += 1
            continue
        page = Modeller.__new__(Modeller)
        page.driver = driver
        entities += len(page.cards())
        problems += [f"{source['path']}: {problem}" for problem in page.problems_of_drawing()]
    return entities, problems, unreadable


def test_every_fixture_is_drawn_without_overlaps(studio, desk):
    models = sorted(path for kind in ("xcdatamodeld", "xcdatamodel", "momd", "mom") for path in FIXTURES.glob(f"*.{kind}"))
    entities, problems, unreadable = draw_all(studio, desk, models)
    assert entities >= 20 and unreadable == 0
    assert not problems, "\n".join(problems[:20])


def test_published_models_are_drawn_without_overlaps(studio, desk):
    """One published model in eight, other ones in each run; ALL_FILES=1 takes all of them."""
    models = sorted((SHARED / "corpus" / "models").rglob("*.xcdatamodel")) if (SHARED / "corpus").exists() else []
    if not models:
        pytest.skip("the published models of ../shared/corpus are not there")
    step = 1 if "ALL_FILES" in os.environ else 8
    models = models[random.randrange(step)::step]
    entities, problems, unreadable = draw_all(studio, desk, models)
    print(f"{len(models)} models with {entities} entities drawn, {unreadable} unreadable")
    assert unreadable <= 3
    # Models differ in size: half of the sample's share.
    assert entities > (600 if step == 1 else 600 // step // 2)
    assert not problems, "\n".join(problems[:20])


def test_two_hundred_entities_are_laid_out(studio, desk, folder):
    model = write_model(folder, large_model(200), name="Large", versions=("Large",))
    running = studio(model)
    desk(running, width=1920, height=1080)
    page = Modeller(desk, running, "large-xcdatamodeld", width=1920, height=1080)
    times = page.driver.execute_script(
        "const find = (name) => performance.getEntriesByName(name).at(-1)?.duration;"
        "return {layout: find('model layout'), drawing: find('model drawing')}")
    print(f"200 entities: laid out in {times['layout']:.0f} ms, drawn in {times['drawing']:.0f} ms")
    assert len(page.cards()) == 200
    assert len(page.lines()) == 199
    assert page.problems_of_drawing() == []
    # A frame of a drag draws the card and its lines only: few of the 200 cards and 199 lines change.
    card = page.card("Entity5").find_element(By.CSS_SELECTOR, ".stripe")
    page.driver.execute_script("""
        window.changedParts = new Set();
        window.frames_ = [];
        new MutationObserver((list) => list.forEach(({target}) => changedParts.add(target.closest('.entity, .edge, .world'))))
            .observe(document.querySelector('.world'), {subtree: true, attributes: true, attributeFilter: ['d', 'transform']});
        let last = performance.now();
        const tick = (now) => { frames_.push(now - last); last = now; requestAnimationFrame(tick); };
        requestAnimationFrame(tick);
    """)
    chain = ActionChains(page.driver, duration=16).click_and_hold(card)
    for _ in range(30):
        chain.move_by_offset(3, 2)
    chain.perform()
    parts, frames = page.driver.execute_script("return [changedParts.size, frames_.slice(5)]")
    frames.sort()
    print(f"frames of a drag: median {frames[len(frames) // 2]:.1f} ms, 95th percentile {frames[len(frames) * 95 // 100]:.1f} ms")
    assert 2 <= parts <= 40
    page.changing(lambda: ActionChains(page.driver).release().perform())
    assert page.problems_of_drawing() == []


def test_cards_show_types_and_marks(shop):
    assert set(shop.cards()) == {"Item", "Task", "List", "Tag"}
    assert shop.rows("Task") == ["priority", "photo", "list"]
    task = shop.card("Task")
    titles = [title.get_attribute("textContent") for title in task.find_elements(By.TAG_NAME, "title")]
    assert "Integer 16" in titles and "Binary Data" in titles and "required" in titles
    assert "large values in files of their own" in titles
    assert "abstract" in shop.card("Item").get_attribute("class")
    assert shop.card("Item").find_element(By.CSS_SELECTOR, ".class").text == "Item"
    # The group of the user info, and the tree of the abstract entity, have different hues.
    hues = [next(part for part in shop.card(name).get_attribute("class").split() if part.startswith("hue")) for name in ("Task", "Item", "Tag")]
    assert len(set(hues)) == 3 and hues[2] == "hue-0"
    # One line for a relationship with its inverse, one for the inheritance.
    assert set(shop.lines()) == {"Task.list", "^Task"}


def test_the_view_is_zoomed_moved_and_kept(shop):
    driver = shop.driver
    value = lambda: driver.find_element(By.CSS_SELECTOR, ".zoom-value").text
    shop.press("0")
    fitted = value()
    shop.press("+")
    assert value() != fitted
    shop.press("0")
    assert value() == fitted
    assert not shop.wait(".minimap").is_displayed()
    for card in shop.cards().values():
        assert card["x"] > 240 and card["right"] < 960 + 240 and card["y"] > 48
    # Dragging the background moves everything.
    before = shop.cards()["Tag"]["x"]
    canvas = shop.wait(".diagram")
    ActionChains(driver).move_to_element_with_offset(canvas, -300, 250).click_and_hold().move_by_offset(60, 10).release().perform()
    assert abs(shop.cards()["Tag"]["x"] - before - 60) < 2
    # So does a click in the small map, which is there if a part is out of sight.
    for _ in range(4):
        shop.press("+")
    before = shop.cards()["Tag"]["x"]
    ActionChains(driver).move_to_element_with_offset(shop.wait(".minimap"), 60, 40).click().perform()
    moved = shop.cards()["Tag"]["x"]
    assert abs(moved - before) > 5
    driver.refresh()
    shop.wait(".canvas[data-revision]")
    shop.until("the same view", lambda: abs(shop.cards()["Tag"]["x"] - moved) < 2)


def test_the_whole_diagram_is_shown_again_in_a_window_of_another_size(shop):
    driver = shop.driver
    zoom = lambda: driver.find_element(By.CSS_SELECTOR, ".zoom-value").text
    shop.press("0")
    large = zoom()
    for width in [1100, 1280]:
        driver.set_window_size(width, 800)
        driver.refresh()
        shop.wait(".canvas[data-revision]")
        shop.until("all cards", lambda: driver.find_elements(By.CSS_SELECTOR, ".shows-all") and (zoom() == large) == (width == 1280))


def test_search_finds_entities_and_properties(shop):
    shop.press("/")
    search = shop.driver.switch_to.active_element
    search.send_keys("prio")
    assert shop.texts("#sidebar [data-place] .name")[:2] == ["Task", "priority"]
    search.send_keys(Keys.ARROW_DOWN, Keys.NULL)
    shop.until("the first result has the focus", lambda: shop.driver.switch_to.active_element.text.startswith("Task"))
    ActionChains(shop.driver).send_keys(Keys.ARROW_DOWN, Keys.ENTER).perform()
    shop.until("the property is shown", lambda: shop.texts("#model-panel h2") == ["priority"])
    assert "/model/entities/Task/priority" in shop.driver.current_url
    assert "selected" in shop.card("Task").get_attribute("class")


def test_the_drawing_is_exported(shop):
    texts = shop.driver.execute_async_script("""
        const done = arguments[0];
        const names = [], files = [];
        const make = URL.createObjectURL;
        URL.createObjectURL = (blob) => { files.push(blob); return make.call(URL, blob); };
        HTMLAnchorElement.prototype.click = function () { names.push(this.download); };
        const run = (title) => {
            document.querySelector('.bar-search').click();
            const input = document.querySelector('.palette input');
            input.value = title;
            input.dispatchEvent(new Event('input'));
            input.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true, cancelable: true}));
        };
        (async () => {
            run('export the diagram as svg');
            await new Promise((resolve) => setTimeout(resolve, 300));
            run('export the diagram as png');
            for (let count = 0; names.length < 2 && count < 100; count++) await new Promise((resolve) => setTimeout(resolve, 50));
            const png = new Uint8Array(await files.at(-1).arrayBuffer());
            done([names, await files[0].text(), [...png.slice(1, 4)], png.length]);
        })();
    """)
    names, svg, sign, length = texts
    assert names == ["Shop.xcdatamodeld.svg".replace(".xcdatamodeld", ""), "Shop.png"]
    assert svg.startswith("<svg") and "priority" in svg and "class=" not in svg and "fill=\"rgb(" in svg
    assert "color(" not in svg and "var(" not in svg
    assert bytes(sign) == b"PNG" and length > 2000
