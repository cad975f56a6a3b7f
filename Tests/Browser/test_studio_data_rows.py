"""The section Data shows rows: windows of any number of them, columns, predicates, relations, addresses, live changes."""

import sqlite3
import time

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from studio_data import Data, album, figures, harbour, resident


def test_an_entity_shows_its_rows_with_relations_and_dates(studio, desk, folder):
    running = studio(harbour(folder))
    page = Data(desk(running, "/studio/harbour-sqlite/data/Vessel")).ready()
    page.until_texts("name", ["Skiff", "Île d’Or", "Ox", "Punt"])
    assert page.columns() == ["name", "crew", "launched", "length", "registration", "berth", "pilots"]
    assert page.texts("berth")[0] == "North quay" and page.texts("pilots")[0].isdigit()
    date = page.driver.execute_script("return document.querySelector('.rows time').dateTime")
    assert date == "1998-06-05T04:03:02.500Z"
    assert page.sum() == "4 rows"
    sidebar = page.driver.find_element(By.ID, "sidebar").text
    assert "Vessel\n4" in sidebar and "read-only" in sidebar


def test_a_click_sorts_and_the_address_holds_the_view(studio, desk, folder):
    running = studio(harbour(folder))
    page = Data(desk(running, "/studio/harbour-sqlite/data/Vessel")).ready()
    page.click("[data-column=length] .column-title")
    page.until_texts("name", ["Punt", "Skiff", "Ox", "Île d’Or"])
    page.click("[data-column=length] .column-title")
    page.until_texts("name", ["Île d’Or", "Ox", "Skiff", "Punt"])
    page.filter("length > 4")
    page.until_texts("name", ["Île d’Or", "Ox", "Skiff"])
    address = page.driver.current_url
    assert "sort=-length" in address and "where=length" in address
    page.driver.get(address)
    page.ready().until_texts("name", ["Île d’Or", "Ox", "Skiff"])
    assert page.driver.find_element(By.CSS_SELECTOR, ".predicate input").get_attribute("value") == "length > 4"


# Requests of rows fail, as if the server were gone, until failsRows is false.
FAILING = """
const usual = window.fetch;
window.failsRows = true;
window.rowRequests = 0;
window.fetch = (address, options) => {
    if (!String(address).includes('/data/rows')) return usual(address, options);
    window.rowRequests += 1;
    return window.failsRows ? new Promise((_, reject) => setTimeout(() => reject(new TypeError('gone')), 5)) : usual(address, options);
};
"""


def test_rows_that_cannot_be_read_are_asked_for_once_and_shown_later(studio, desk, folder):
    running = studio(harbour(folder, vessels=5000))
    page = Data(desk(running, "/studio/harbour-sqlite/data/Vessel")).ready()
    page.until_sum("5,004 rows")
    page.driver.execute_script(FAILING)
    page.driver.execute_script("document.querySelector('.rows').scrollTop = 100000")
    page.wait("the error", "return document.querySelector('.data-body .note')")
    time.sleep(0.5)
    assert page.driver.execute_script("return window.rowRequests") <= 3
    page.driver.execute_script("window.failsRows = false")
    page.driver.find_element(By.CSS_SELECTOR, "#sidebar a[aria-current]").click()
    page.until_sum("5,004 rows")
    page.wait("the rows", "return document.querySelectorAll('.data-body .rows .row').length > 4")


def test_columns_are_chosen_moved_and_resized(studio, desk, folder):
    running = studio(harbour(folder))
    page = Data(desk(running, "/studio/harbour-sqlite/data/Vessel?columns=name,crew,length")).ready()
    assert page.columns() == ["name", "crew", "length"]
    title = page.driver.find_element(By.CSS_SELECTOR, "[data-column=name] .column-title")
    title.send_keys(Keys.ALT, Keys.ARROW_RIGHT)
    page.wait("the moved column", "return document.querySelectorAll('.rows-header [data-column]')[1]?.dataset.column === 'name'")
    assert page.columns() == ["crew", "name", "length"] and "columns=crew%2Cname%2Clength" in page.driver.current_url
    width = "return document.querySelector('[data-column=name]').offsetWidth"
    before = page.driver.execute_script(width)
    page.driver.find_element(By.CSS_SELECTOR, "[data-column=name] .column-title").send_keys(Keys.SHIFT, Keys.ARROW_RIGHT)
    assert page.driver.execute_script(width) == before + 16
    page.click("#data-columns")
    page.dialog()
    page.driver.find_element(By.CSS_SELECTOR, "dialog input[value=crew]").click()
    page.driver.find_element(By.CSS_SELECTOR, "dialog input[value='berth.label']").click()
    page.click_text("Show")
    page.wait("the chosen columns", "return document.querySelector('[data-column=\"berth.label\"]')")
    assert page.columns() == ["name", "length", "berth.label"]
    page.until_texts("berth.label", ["North quay", "North quay", "North quay", "–"])


def test_a_predicate_is_completed_and_its_error_marked_at_the_place(studio, desk, folder):
    running = studio(harbour(folder))
    page = Data(desk(running, "/studio/harbour-sqlite/data/Vessel")).ready()
    page.keys("/")
    page.keys("ber")
    page.wait("a completion", "return [...document.querySelectorAll('.predicate-list li .name')].some((each) => each.textContent === 'berth')")
    page.keys(Keys.ARROW_DOWN, Keys.ENTER)
    field = page.driver.find_element(By.CSS_SELECTOR, ".predicate input")
    assert field.get_attribute("value").strip() == "berth"
    page.keys(Keys.BACKSPACE, ".la")
    page.wait("the key of the related object", "return document.querySelector('.predicate-list li .name')?.textContent === 'berth.label'")
    page.keys(Keys.TAB)
    page.wait("operators", "return [...document.querySelectorAll('.predicate-list li.operator .name')].some((each) => each.textContent === 'CONTAINS[cd]')")
    page.keys("== ")
    page.wait("a value of the store", "return document.querySelector('.predicate-list li .name')?.textContent === '\"North quay\"'")
    page.keys(Keys.TAB, Keys.ENTER)
    page.until_sum("3 rows")
    page.filter("length > 3 AND crw == 1")
    mark = page.wait("a mark", "return document.querySelector('.predicate-marks mark')")
    assert mark.get_attribute("textContent") == "crw" and mark.get_attribute("data-place") == "15"
    problem = page.driver.find_element(By.CSS_SELECTOR, ".predicate .problem").text
    assert "crw" in problem and "crew" in problem
    assert field.get_attribute("aria-invalid") == "true"


def test_relations_open_the_other_side_and_lead_back(studio, desk, folder):
    running = studio(harbour(folder))
    page = Data(desk(running, "/studio/harbour-sqlite/data/Berth")).ready()
    page.until_texts("vessels", ["3", "1"])
    page.cell("vessels", 0).find_element(By.TAG_NAME, "button").click()
    page.until_sum("3 rows")
    assert "North quay › vessels" in page.driver.find_element(By.CSS_SELECTOR, ".crumbs").text
    page.cell("berth", 0).find_element(By.TAG_NAME, "button").click()
    page.until_inspected("North quay")
    page.driver.back()
    page.until_sum("3 rows")
    page.driver.back()
    page.wait("the berths", "return document.querySelector('[data-column=vessels]')")
    page.driver.forward()
    page.wait("the vessels", "return document.querySelector('[data-column=pilots]')")
    page.click(".crumbs a")
    page.wait("the berths", "return document.querySelector('[data-column=vessels]')")


def test_the_inspector_shows_pictures_or_hex_and_relations(studio, desk, folder):
    store = album(folder)
    picture = bytes.fromhex("89504e470d0a1a0a0000000d4948445200000001000000010806000000 1f15c4890000000d49444154789c6360f8cf f01f0005000 1ff56c72f0d0000000049454e44ae426082".replace(" ", ""))
    with sqlite3.connect(store) as connection:
        connection.execute("UPDATE ZPHOTO SET ZIMAGE = ? WHERE ZTITLE = 'Pier'", (b"\x01" + picture,))
    connection.close()
    running = studio(store)
    page = Data(desk(running, "/studio/album-sqlite/data/Photo?row=Photo/p1")).ready()
    page.wait("the picture", "return document.querySelector('#inspector img.picture')?.naturalWidth > 0 || document.querySelector('#inspector img.picture')?.complete")
    page.cell("title", 1).click()
    page.wait("hexadecimal digits", "return /^000000  00 01 04 09/.test(document.querySelector('#inspector .hex')?.textContent ?? '')")
    page.until_inspected("data, 2.0 kB")
    assert "row=Photo%2Fp2" in page.driver.current_url


def test_empty_states_teach(studio, desk, folder):
    store = harbour(folder)
    with sqlite3.connect(store) as connection:
        connection.execute("DELETE FROM ZBUOY")
    connection.close()
    running = studio(store)
    page = Data(desk(running, "/studio/harbour-sqlite/data/Vessel?where=name%20%3D%3D%20%22ski%22")).ready()
    page.wait("the empty state", "return document.querySelector('.empty')?.innerText.includes('No Vessel fits')")
    assert page.driver.find_element(By.ID, "suggestion").text == 'name CONTAINS[cd] "ski"'
    page.click("#suggestion")
    page.until_texts("name", ["Skiff"])
    page.driver.find_element(By.CSS_SELECTOR, "#sidebar a[href$='/Buoy']").click()
    page.wait("the empty state", "return document.querySelector('.empty')?.innerText.includes('No Buoy yet')")
    assert "--write" in page.driver.find_element(By.CSS_SELECTOR, ".empty").text


def test_rows_follow_another_writer(studio, desk, folder):
    store = harbour(folder)
    running = studio(store)
    page = Data(desk(running, "/studio/harbour-sqlite/data/Vessel?columns=name")).ready()
    page.until_sum("4 rows")
    with sqlite3.connect(store) as connection:
        connection.execute("INSERT INTO ZVESSEL (Z_PK, Z_ENT, Z_OPT, ZCREW, ZLENGTH, ZNAME) VALUES (8, 4, 1, 3, 9.0, 'Yawl')")
        connection.execute("UPDATE ZVESSEL SET ZNAME = 'Skiff II', Z_OPT = 2 WHERE ZNAME = 'Skiff'")
    connection.close()
    page.until_texts("name", ["Skiff II", "Île d’Or", "Ox", "Punt", "Yawl"])
    page.until_sum("5 rows")


def test_rows_are_copied_and_exported_as_shown(studio, desk, folder):
    running = studio(harbour(folder))
    page = Data(desk(running, "/studio/harbour-sqlite/data/Vessel?columns=name,length&sort=-length&where=length%20%3E%204%20AND%20name%20!%3D%20%22%2522%22")).ready()
    page.until_sum("3 rows")
    script = """
        const [form, done] = arguments;
        const link = HTMLAnchorElement.prototype.click;
        HTMLAnchorElement.prototype.click = function () {
            HTMLAnchorElement.prototype.click = link;
            fetch(this.href).then((response) => response.text()).then(done);
        };
        const menu = document.querySelector('select.export');
        menu.value = `export ${form}`;
        menu.dispatchEvent(new Event('change'));
    """
    assert page.driver.execute_async_script(script, "csv") == "id,name,length\nFerry/p2,Île d’Or,81.5\nTug/p3,Ox,21.0\nVessel/p1,Skiff,4.25\n"
    assert '{"id":"Tug/p3","name":"Ox","length":21.0}' in page.driver.execute_async_script(script, "json")


def test_the_keyboard_reaches_every_cell(studio, desk, folder):
    running = studio(harbour(folder))
    page = Data(desk(running, "/studio/harbour-sqlite/data/Vessel")).ready()
    page.cell("name", 0).click()
    page.keys(Keys.ARROW_DOWN, Keys.ARROW_RIGHT)
    active = "return document.querySelector('.rows').getAttribute('aria-activedescendant')"
    assert page.driver.execute_script(active) == "cell-1-1"
    page.chord(Keys.CONTROL, Keys.END)
    assert page.driver.execute_script(active) == "cell-3-1"
    page.keys(Keys.HOME)
    assert page.driver.execute_script(active) == "cell-3-0"
    page.keys(Keys.END)
    shown = "const cell = document.getElementById('cell-3-6'), box = cell.getBoundingClientRect(); return document.elementFromPoint(box.right - 4, box.top + 16).closest('.cell') === cell"
    page.wait("the last column in the view", shown)
    page.keys(Keys.HOME)
    page.keys(" ")
    page.until_inspected("Punt")
    page.keys(Keys.ESCAPE)
    page.wait("a closed inspector", "return !document.querySelector('#inspector').childElementCount")
    page.keys(Keys.ENTER)
    page.until_strip("--write")


def test_a_million_rows_scroll_from_end_to_end(studio, desk, folder):
    running = studio(harbour(folder, vessels=1_000_000))
    began = time.monotonic()
    page = Data(desk(running, "/studio/harbour-sqlite/data/Vessel?columns=name,crew,length,berth"))
    page.wait("the first rows", "return document.querySelector('.rows .row:not(.loading)')", timeout=30)
    paint = time.monotonic() - began
    page.until_sum("1,000,004 rows")
    # Warm up: the keys of all rows are read once.
    page.driver.execute_script("document.querySelector('.rows').scrollTop = 1000000")
    page.wait("rows in the middle", "return document.querySelectorAll('.rows .row').length && !document.querySelector('.rows .row.loading')", timeout=30)
    before = resident(running.process)
    memory = page.driver.execute_script("return performance.memory.usedJSHeapSize / 1e6")
    measure = """
        const [steps, done] = arguments;
        const rows = document.querySelector('.rows');
        const times = [], seen = [];
        let step = 0, most = 0;
        const next = () => {
            if (step > steps) return done({ times, most, first: seen[0], last: seen.at(-1), top: rows.scrollTop, end: rows.scrollHeight });
            const began = performance.now();
            rows.scrollTop = (rows.scrollHeight - rows.clientHeight) * step / steps;
            step += 1;
            const look = () => {
                const shown = rows.querySelectorAll('.row');
                most = Math.max(most, shown.length);
                // Rows beyond the view may still load.
                const box = rows.getBoundingClientRect();
                const visible = [...shown].filter((row) => { const own = row.getBoundingClientRect(); return own.bottom > box.top + 32 && own.top < box.bottom; });
                if (visible.length && visible.every((row) => !row.classList.contains('loading'))) {
                    times.push(performance.now() - began);
                    const names = visible.sort((one, other) => one.line - other.line).map((row) => row.children[1].innerText);
                    seen.push(step === 1 ? names[0] : names.at(-1));
                    next();
                } else requestAnimationFrame(look);
            };
            requestAnimationFrame(look);
        };
        next();
    """
    page.driver.set_script_timeout(120)
    result = page.driver.execute_async_script(measure, 200)
    times = sorted(result["times"])
    after = resident(running.process)
    heap = page.driver.execute_script("return performance.memory.usedJSHeapSize / 1e6")
    figures("1,000,004 rows scrolled end to end in 200 steps", {
        "first paint s": round(paint, 2), "median ms": round(times[100]), "99th percentile ms": round(times[198]),
        "server MB before": round(before), "server MB after": round(after), "page MB before": round(memory, 1), "page MB after": round(heap, 1),
        "rows in the page": result["most"],
    })
    assert result["first"] == "Skiff" and result["last"] == "V1000000"
    assert result["most"] < 80
    assert after - before < 60 and heap - memory < 30
    assert times[198] < 1000
    # An address leads to a row in the middle.
    page.driver.get(f"{running.address}/studio/harbour-sqlite/data/Vessel?columns=name&row=Vessel/p500100")
    page.ready()
    page.wait("the row of the address in the view", """
        const cell = document.querySelector('.rows .row.active [role=gridcell]'), box = cell?.getBoundingClientRect();
        return cell?.innerText === 'V0500000' && document.elementFromPoint(box.left + 20, box.top + 16)?.closest('.cell') === cell;
        """, timeout=30)


def test_the_palette_leads_to_the_rows_of_an_entity(studio, desk, folder):
    running = studio(harbour(folder))
    page = Data(desk(running, "/studio/harbour-sqlite/data")).ready()
    page.wait("the entity in the address", "return location.pathname.endsWith('/data/Vessel')")
    page.chord(Keys.CONTROL, "k")
    page.wait("the palette", "return document.querySelector('dialog.palette[open]')")
    page.keys("pilot", Keys.ENTER)
    page.wait("the pilots", "return location.pathname.endsWith('/data/Pilot') && document.querySelector('[data-column=licence]')")
