// Rows kept current by an event stream, of which the page contains only those near the view. Uses screens.js (moments,
// alerts, posting), which starts it.
"use strict";

class LiveTable {
    static limit = 300;
    static margin = 40;

    constructor(element) {
        this.element = element;
        this.address = element.dataset.address;
        this.announced = this.searched;
        this.before = document.getElementById("before");
        this.after = document.getElementById("after");
        this.empty = document.getElementById("empty");
        this.announcements = document.getElementById("announcements");
        const { version, sections, start } = JSON.parse(element.dataset.state);
        this.version = version;
        this.sections = sections;
        this.start = start;
        this.rows = [...element.querySelectorAll("li.row")].map((row) => ({ id: row.id, html: null, element: row }));
        this.render(false);
        this.restoreScroll();
        let isQueued = false;
        const look = () => {
            if (isQueued) return;
            isQueued = true;
            requestAnimationFrame(() => {
                isQueued = false;
                this.fillView();
            });
        };
        addEventListener("scroll", look, { passive: true });
        addEventListener("resize", () => {
            this.place();
            look();
        });
        this.fillView();
        this.connect();
        setInterval(() => this.markWarnings(), 1000);
        addEventListener("pagehide", () => {
            this.saveScroll();
            this.disconnect();
        });
        addEventListener("pageshow", (event) => {
            if (event.persisted) this.connect();
        });
        // A browser has few connections per server, so a hidden window releases its own.
        document.addEventListener("visibilitychange", () => {
            clearTimeout(this.hiding);
            if (document.hidden) this.hiding = setTimeout(() => this.disconnect(), 5000);
            else this.connect();
        });
    }

    // Geometry: all rows have one height, all headers another.

    get total() {
        return this.sections.reduce((sum, [, count]) => sum + count, 0);
    }

    measure() {
        const style = getComputedStyle(this.element);
        const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
        this.rowHeight = parseFloat(style.getPropertyValue("--row")) * rem;
        this.headerHeight = parseFloat(style.getPropertyValue("--header")) * rem;
    }

    header(title) {
        return title ? this.headerHeight : 0;
    }

    /** The top of a row within the table. */
    top(place) {
        let top = 0;
        let first = 0;
        for (const [title, count] of this.sections) {
            top += this.header(title);
            if (place < first + count) return top + (place - first) * this.rowHeight;
            top += count * this.rowHeight;
            first += count;
        }
        return top;
    }

    /** The row at a distance from the table's top. */
    placeAt(distance) {
        let top = 0;
        let first = 0;
        for (const [title, count] of this.sections) {
            const bottom = top + this.header(title) + count * this.rowHeight;
            if (distance < bottom) {
                const within = Math.floor((distance - top - this.header(title)) / this.rowHeight);
                return first + Math.max(0, Math.min(count - 1, within));
            }
            top = bottom;
            first += count;
        }
        return Math.max(0, first - 1);
    }

    get view() {
        const offset = -this.element.getBoundingClientRect().top;
        return [this.placeAt(offset), this.placeAt(offset + innerHeight) + 1];
    }

    // Rows near the view

    fillView() {
        const [first, last] = this.view;
        const near = LiveTable.margin / 4;
        const end = this.start + this.rows.length;
        const isCovered =
            this.start <= Math.max(0, first - near) && end >= Math.min(this.total, last + near) &&
            this.rows.length <= LiveTable.limit;
        if (!isCovered) this.read();
    }

    /** Reads the rows around the view, which replace all current rows. */
    async read() {
        if (this.isReading) {
            this.mustReadAgain = true;
            return;
        }
        this.isReading = true;
        this.mustReadAgain = false;
        const address = this.address;
        const [first, last] = this.view;
        const from = Math.max(0, first - LiveTable.margin);
        const count = Math.min(400, last - first + 2 * LiveTable.margin);
        try {
            const response = await fetch(this.with("-rows", `${from},${count}`), { headers: { Accept: "application/json" } });
            if (response.status === 404) return this.gone();
            if (!response.ok) throw new Error(response.statusText);
            const answer = await response.json();
            if (address !== this.address || this.isOlder(answer.version)) {
                this.mustReadAgain = true;
            } else {
                const isSame = answer.version === this.version;
                this.version = answer.version;
                this.sections = answer.sections;
                this.start = answer.start;
                this.take(answer.rows.map(([id, html]) => ({ id, html })), isSame);
                this.render(false);
                this.announceResults();
                // Another address has another stream.
                if (!this.source && !document.hidden) this.connect();
            }
        } catch {
            setTimeout(() => this.read(), 1000);
            return;
        } finally {
            this.isReading = false;
        }
        if (this.mustReadAgain) this.read();
        else this.fillView();
    }

    /** Replaces the rows with those at another address: the same table with another filter. */
    show(address) {
        if (address === this.address) return;
        this.disconnect();
        this.source = null;
        this.address = address;
        this.version = "";
        scrollTo(0, 0);
        return this.read();
    }

    /** The current search text, or the empty text. */
    get searched() {
        const key = document.getElementById("search")?.dataset.key;
        return key ? new URL(this.address, location).searchParams.get(key)?.trim() ?? "" : "";
    }

    /** Announces the result of a search to screen readers, once per search. */
    announceResults() {
        const text = this.searched;
        this.empty.textContent = text ? `No results for “${text}”.` : this.empty.dataset.text;
        if (text && text !== this.announced) {
            this.announcements.textContent = this.total ? `${this.total} found` : this.empty.textContent;
        }
        this.announced = text;
    }

    /** Keeps the elements of unchanged rows, and those rendered with the page if the version is the same. */
    take(rows, isSame) {
        const known = new Map(this.rows.map((row) => [row.id, row]));
        this.rows = rows.map((row) => {
            const old = known.get(row.id);
            if (old && old.html === null && isSame) old.html = row.html;
            return old && old.html === row.html ? old : row;
        });
    }

    with(key, value) {
        return `${this.address}${this.address.includes("?") ? "&" : "?"}${key}=${encodeURIComponent(value)}`;
    }

    isOlder(version) {
        const [token, number] = version.split(".");
        const [ownToken, ownNumber] = this.version.split(".");
        return token === ownToken && Number(number) < Number(ownNumber);
    }

    // Events

    connect() {
        if (this.source && this.source.readyState !== EventSource.CLOSED) return;
        const source = LiveSource.open(this.address, this.version);
        this.source = source;
        source.addEventListener("open", () => showLost(false));
        source.addEventListener("change", (event) => this.change(event.lastEventId, JSON.parse(event.data)));
        source.addEventListener("refresh", (event) => {
            if (event.lastEventId !== this.version && !this.isOlder(event.lastEventId)) this.read();
        });
        source.addEventListener("gone", () => this.gone());
        followJob(source);
        LiveSource.retry(source, this);
    }

    disconnect() {
        clearTimeout(this.retry);
        this.source?.close();
    }

    change(version, { from, to, sections, changes }) {
        const [token, number] = this.version.split(".");
        if (version.split(".")[0] === token && to <= Number(number)) return;
        if (version.split(".")[0] !== token || from !== Number(number)) {
            this.read();
            return;
        }
        const removed = [];
        const inserted = [];
        const words = [];
        for (const [kind, ...values] of changes) {
            if (kind === "delete") removed.push([values[0], true]);
            if (kind === "insert") inserted.push([values[0], { id: values[1], html: values[2] }, true]);
            if (kind === "move") {
                removed.push([values[0], false]);
                inserted.push([values[1], { id: values[2], html: values[3] }, false]);
            }
            if (kind === "update") {
                const place = this.rows.findIndex((row) => row.id === values[0]);
                if (place >= 0) this.rows[place] = { id: values[0], html: values[1] };
            }
        }
        const name = (row) => row.element?.dataset.name ?? "";
        for (const [place, isDeleted] of removed.sort((one, other) => other[0] - one[0])) {
            if (place < this.start) {
                this.start -= 1;
            } else if (place < this.start + this.rows.length) {
                const [row] = this.rows.splice(place - this.start, 1);
                if (isDeleted) words.push(`Deleted ${name(row)}`);
            }
        }
        const added = [];
        for (const [place, row, isNew] of inserted.sort((one, other) => one[0] - other[0])) {
            if (place < this.start) {
                this.start += 1;
            } else if (place <= this.start + this.rows.length) {
                this.rows.splice(place - this.start, 0, row);
                if (isNew) added.push(row);
            }
        }
        this.version = version;
        this.sections = sections;
        this.render(true);
        for (const row of added) words.push(`Added ${name(row)}`);
        if (words.length && words.length <= 3) this.announcements.textContent = words.join(". ");
        this.fillView();
    }

    async gone() {
        if (this.isGone) return;
        this.isGone = true;
        this.disconnect();
        await showAlert({ title: "Deleted", message: "This item does not exist any more." });
        const back = document.querySelector("[data-back]");
        location.replace(back ? back.href : "/");
    }

    // Drawing

    render(isAnimated) {
        const moves = isAnimated && !matchMedia("(prefers-reduced-motion: reduce)").matches;
        const tops = new Map();
        let anchor = null;
        for (const element of this.element.querySelectorAll("li.row")) {
            const box = element.getBoundingClientRect();
            tops.set(element.id, box.top);
            if (!anchor && box.bottom > 60) anchor = element;
        }
        const isScrolled = this.element.getBoundingClientRect().top < 0;
        const focused = document.activeElement?.closest?.("li.row");
        const focusedPart = focused && [...focused.children].indexOf(document.activeElement);
        this.drawGroups();
        this.drawIndex();
        this.place();
        if (focused && focusedPart >= 0 && document.activeElement !== focused.children[focusedPart]) {
            const now = document.getElementById(focused.id) ?? this.neighbour(tops.get(focused.id));
            now?.children[now === focused || now?.id === focused.id ? focusedPart : 1]?.focus({ preventScroll: true });
        }
        if (isScrolled && anchor?.isConnected) {
            const shift = anchor.getBoundingClientRect().top - tops.get(anchor.id);
            if (shift) scrollBy(0, shift);
        }
        if (moves) {
            for (const { element } of this.rows) {
                const old = tops.get(element.id);
                const shift = old === undefined ? 0 : old - element.getBoundingClientRect().top;
                const options = { duration: 220, easing: "ease-out" };
                if (old === undefined) element.animate([{ opacity: 0 }, { opacity: 1 }], options);
                else if (Math.abs(shift) > 1 && Math.abs(shift) < innerHeight) {
                    element.animate([{ transform: `translateY(${shift}px)` }, { transform: "none" }], options);
                }
            }
        }
    }

    drawGroups() {
        // Sections can have equal titles, so each title has a list of groups, in their order.
        const groups = new Map();
        for (const group of this.element.querySelectorAll(".group")) {
            if (!groups.has(group.dataset.key)) groups.set(group.dataset.key, []);
            groups.get(group.dataset.key).push(group);
        }
        const maker = document.createElement("template");
        let cursor = this.before.nextElementSibling;
        let first = 0;
        for (const [title, count] of this.sections) {
            const from = Math.max(first, this.start);
            const to = Math.min(first + count, this.start + this.rows.length);
            if (from < to) {
                const group = groups.get(title)?.shift() ?? this.makeGroup(title);
                const isContinued = from > first;
                group.classList.toggle("continued", isContinued);
                group.classList.toggle("continues", to < first + count);
                const heading = group.querySelector("h2");
                if (heading) heading.hidden = isContinued;
                this.drawRows(group.querySelector("ul"), this.rows.slice(from - this.start, to - this.start), maker);
                if (group !== cursor) this.element.insertBefore(group, cursor);
                else cursor = cursor.nextElementSibling;
            }
            first += count;
        }
        for (const group of [...groups.values()].flat()) group.remove();
        this.empty.hidden = first > 0;
    }

    makeGroup(title) {
        const group = document.createElement("section");
        group.className = "group";
        group.dataset.key = title;
        if (title) {
            group.setAttribute("aria-label", title);
            group.appendChild(document.createElement("h2")).textContent = title;
        }
        group.appendChild(document.createElement("ul")).className = "rows";
        return group;
    }

    drawRows(list, rows, maker) {
        let cursor = list.firstElementChild;
        const wanted = new Set();
        for (const row of rows) {
            if (!row.element) {
                maker.innerHTML = row.html;
                row.element = maker.content.firstElementChild;
                localise(row.element);
            }
            wanted.add(row.element);
        }
        for (const { element } of rows) {
            while (cursor && !wanted.has(cursor)) {
                const next = cursor.nextElementSibling;
                cursor.remove();
                cursor = next;
            }
            if (element === cursor) cursor = cursor.nextElementSibling;
            else list.insertBefore(element, cursor);
        }
        while (cursor) {
            const next = cursor.nextElementSibling;
            cursor.remove();
            cursor = next;
        }
    }

    /** Sets the heights of the spacers to those of the rows outside of the page. */
    place() {
        this.measure();
        const end = this.start + this.rows.length;
        const group = this.element.querySelector(".group:not(.continued) h2");
        const isFirstOfSection = group && this.before.nextElementSibling === group.parentElement;
        const above = this.total ? this.top(this.start) - (isFirstOfSection ? this.headerHeight : 0) : 0;
        const below = end < this.total ? this.top(this.total) - this.top(end) : 0;
        const lastTitle = end < this.total ? this.headerBefore(end) : 0;
        this.before.style.height = `${above}px`;
        this.after.style.height = `${below + lastTitle}px`;
    }

    /** The height of the header above a section's first row. */
    headerBefore(place) {
        let first = 0;
        for (const [title, count] of this.sections) {
            if (place === first) return this.header(title);
            first += count;
        }
        return 0;
    }

    neighbour(top) {
        let best = null;
        for (const { element } of this.rows) {
            const distance = Math.abs(element.getBoundingClientRect().top - top);
            if (!best || distance < best[0]) best = [distance, element];
        }
        return best?.[1];
    }

    markWarnings() {
        for (const row of this.element.querySelectorAll("li[data-warns]:not(.warns)")) {
            if (Date.parse(row.dataset.warns) < Date.now()) row.classList.add("warns");
        }
    }

    // Scrolling

    get scrollKey() {
        return `scroll ${window.navigation?.currentEntry?.key ?? location.href}`;
    }

    saveScroll() {
        sessionStorage.setItem(this.scrollKey, String(scrollY));
    }

    restoreScroll() {
        history.scrollRestoration = "manual";
        const saved = Number(sessionStorage.getItem(this.scrollKey) ?? 0);
        if (saved) scrollTo(0, saved);
    }

    /** Letters at the side as links to sections, if there are many sections; made again when the titles change. */
    drawIndex() {
        const titles = JSON.stringify(this.sections.map(([title]) => title));
        if (titles === this.indexed) return;
        this.indexed = titles;
        document.querySelector(".index")?.remove();
        if (this.sections.length < 8) return;
        const index = document.body.appendChild(document.createElement("nav"));
        index.className = "index";
        index.setAttribute("aria-label", "Sections");
        const seen = new Set();
        for (const [number, [title]] of this.sections.entries()) {
            const letter = (title.match(/\p{L}|\p{N}/u)?.[0] ?? "•").toUpperCase();
            if (seen.has(letter)) continue;
            seen.add(letter);
            const link = index.appendChild(document.createElement("a"));
            link.href = "#content";
            link.textContent = letter;
            link.setAttribute("aria-label", title);
            link.addEventListener("click", (event) => {
                event.preventDefault();
                const top = this.element.getBoundingClientRect().top + scrollY;
                // The rows of the sections before this one may have changed.
                const place = this.sections.slice(0, number).reduce((sum, [, count]) => sum + count, 0);
                scrollTo(0, top + this.top(place) - this.headerHeight - 52);
            });
        }
    }
}
