"""The modeller for everyone: screen readers, light and dark, narrow and wide windows, and models of running applications."""

import pytest
from conftest import Server
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from studio_pages import all_of, emulate, faults, overflow, until

from modeller import Modeller, write_model

PLACES = ["", "/entities/Task", "/entities/Task/priority", "/entities/Task/list", "/requests/Urgent", "/configurations/Cloud",
          "/entities/Task?show=versions", "/entities/Task?show=class", "/entities/Task?show=sql"]


@pytest.fixture
def shop(studio, desk, folder):
    model = write_model(folder, versions=("Shop", "Shop 2"))
    page = Modeller(desk, studio(model))
    yield page
    emulate(page.driver, "light")


def open_place(page, place):
    page.driver.get(f"{page.studio.address}/studio/shop-xcdatamodeld/model{place}")
    page.wait(".model-drawing .canvas[data-revision]")
    page.until("the inspector", lambda: page.all("#model-panel > *"))


def test_readers_of_the_screen_find_everything(shop):
    found = []
    for scheme in ("light", "dark"):
        emulate(shop.driver, scheme)
        for place in PLACES:
            open_place(shop, place)
            found += [f"{scheme} {fault}" for fault in faults(shop.driver)]
    assert not found, "\n".join(found)


def test_a_comparison_is_read_too(shop):
    shop.select("Task")
    shop.set("Name", "Chore")
    shop.button("Compare…").click()
    shop.until("both sides", lambda: len(shop.all(".compare-pane .diagram")) == 2)
    assert not faults(shop.driver)


def test_no_width_breaks_the_page(shop):
    found = []
    for width in (390, 900, 1280, 2560):
        shop.driver.set_window_size(width, 900)
        for place in ("", "/entities/Task", "/entities/Task/list", "/entities/Task?show=versions"):
            open_place(shop, place)
            found += [f"{width} {place}: {each}" for each in overflow(shop.driver)]
    assert not found, "\n".join(found)


def test_changes_are_announced(shop):
    shop.select("Tag")
    shop.changing(lambda: shop.press("a"))
    shop.changing(lambda: shop.press(Keys.CONTROL, "z"))
    announced = lambda: shop.driver.find_element(By.ID, "announcements").get_attribute("textContent")
    shop.until("the undone change", lambda: announced() == "Undone: Add Tag.attribute")
    shop.press(Keys.CONTROL, "s")
    shop.until("nothing to save", lambda: announced() == "All changes are saved.")


def test_the_palette_finds_entities_and_commands(shop):
    shop.press(Keys.CONTROL, "k")
    shop.driver.switch_to.active_element.send_keys("list")
    shop.until("the entity", lambda: "List" in shop.texts(".palette [role=option] .name"))
    shop.driver.switch_to.active_element.send_keys(Keys.ENTER)
    shop.until("the entity is selected", lambda: shop.texts("#model-panel h2") == ["List"])


def test_the_model_of_a_running_application(first_driver, folder):
    server = Server(folder / "Data", samples=True).start()
    try:
        first_driver.set_window_size(1280, 800)
        first_driver.get(server.address)
        links = until(first_driver, "links to models", """
            const found = [...document.querySelectorAll('a[href*="/model"]')].map((link) => link.href);
            return found.length ? found : null;""")
        assert len(links) == 5
        for link in links:
            first_driver.get(link)
            until(first_driver, "the drawing", "return document.querySelectorAll('.model-drawing .entity').length > 0")
            assert not all_of(first_driver, ".model-notes .note")
    finally:
        server.stop()
