// What table screens do in the browser: rows kept current by an event stream, only those near the view in the page,
// deletion by swipe, key and Edit mode, forms that lose nothing, moments in the reader's own form. Row HTML comes from
// the server, escaped; text is only ever set as text.
"use strict";

// MARK: Moments

const forms = {
    date: { dateStyle: "long" },
    day: { month: "short", day: "numeric" },
    moment: { dateStyle: "medium", timeStyle: "medium" },
};

function formatted(date, form) {
    return new Intl.DateTimeFormat(navigator.languages, forms[form]).format(date);
}

function localise(scope) {
    for (const time of scope.querySelectorAll("time[data-form]")) {
        time.textContent = formatted(new Date(time.dateTime), time.dataset.form);
    }
    for (const data of scope.querySelectorAll("data")) data.textContent = numberFormat.format(data.value);
}

/** A day as a date field has it, in the reader's zone. */
function fieldText(date) {
    const two = (number) => String(number).padStart(2, "0");
    return `${String(date.getFullYear()).padStart(4, "0")}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function startDateField(input) {
    if (input.dataset.datetime) {
        input.value = fieldText(new Date(input.dataset.datetime));
        const opened = input.form?.elements[`was.${input.name}`];
        if (opened) opened.value = input.value;
    }
    const time = document.getElementById(input.dataset.long).querySelector("time");
    const show = () => {
        if (!input.value) return;
        const date = new Date(`${input.value}T12:00:00`);
        time.dateTime = date.toISOString();
        time.textContent = formatted(date, "date");
    };
    input.addEventListener("input", show);
    show();
}

/** Numbers, as their reader writes them. */
const numberFormat = new Intl.NumberFormat(navigator.languages, { maximumSignificantDigits: 15 });

// MARK: Alerts

/** Shows an alert that waits for OK, or a question for its answer; resolves when it is closed, with whether it was confirmed. */
function showAlert({ title, message = "", items = [], confirm = "" }) {
    document.querySelector("dialog.alert")?.remove();
    const dialog = document.createElement("dialog");
    dialog.className = "alert";
    dialog.setAttribute("role", "alertdialog");
    dialog.setAttribute("aria-labelledby", "alert-title");
    dialog.setAttribute("aria-describedby", "alert-message");
    const make = (name, text, parent) => {
        const element = parent.appendChild(document.createElement(name));
        element.textContent = text;
        return element;
    };
    make("h2", title, dialog).id = "alert-title";
    const body = make("div", "", dialog);
    body.id = "alert-message";
    if (message) make("p", message, body);
    if (items.length) {
        const list = make("ul", "", body);
        for (const item of items) make("li", item, list);
    }
    const form = make("form", "", dialog);
    form.method = "dialog";
    if (confirm) {
        make("button", "Cancel", form);
        const button = make("button", confirm, form);
        button.value = "confirmed";
        button.className = "destructive";
    } else {
        make("button", "OK", form);
    }
    document.body.append(dialog);
    return openAlert(dialog);
}

function openAlert(dialog) {
    const opener = document.activeElement;
    // Not close(): its event would come after the alert is open again, and take it away.
    dialog.open = false;
    return new Promise((resolve) => {
        dialog.addEventListener("close", () => {
            dialog.remove();
            if (opener?.isConnected) opener.focus();
            resolve(dialog.returnValue === "confirmed");
        });
        dialog.showModal();
        dialog.querySelector("button").focus();
    });
}

// MARK: Forms and navigation

const unreachable = {
    title: "Server Not Reached",
    message: "Nothing was changed, and nothing you typed is lost. Try again in a moment.",
};
let isPosting = false;
let lastPost = Promise.resolve();

/** Posts fields; gives the answer with the address to go to or a conflict, or null after an alert. */
async function send(address, fields) {
    try {
        const response = await fetch(address, {
            method: "POST",
            headers: { Accept: "application/json" },
            // Only files need the longer form.
            body: [...fields.values()].some((value) => value instanceof File) ? fields : new URLSearchParams(fields),
        });
        const answer = await response.json();
        if (answer.go || answer.conflict) return answer;
        await showAlert(answer.alert);
    } catch {
        await showAlert(unreachable);
    }
    return null;
}

/** A form is sent once, however often its button is pressed. */
async function post(address, fields) {
    if (isPosting) return null;
    isPosting = true;
    try {
        return await send(address, fields);
    } finally {
        isPosting = false;
    }
}

/** Taps on rows are quick and many: each is sent after the one before. */
function postInTurn(address, fields) {
    lastPost = lastPost.then(() => send(address, fields));
    return lastPost;
}

/** Goes back where the history has the address, so that it does not grow with each visit. */
function returnTo(address, anyQuery) {
    const target = new URL(address, location);
    const here = window.navigation?.currentEntry?.index ?? 0;
    const previous = here > 0 ? new URL(navigation.entries()[here - 1].url) : null;
    const isSame = previous && previous.pathname === target.pathname && (anyQuery || previous.search === target.search);
    if (isSame) history.back();
    else location.replace(target);
}

document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (form.getAttribute("method") !== "post") return;
    event.preventDefault();
    if ("draft" in form.dataset) {
        // Return in a field: the change is sent, and the screen stays.
        window.liveForm?.flush();
        return;
    }
    const fields = new FormData(form, event.submitter);
    const { question, message, confirm } = event.submitter?.dataset ?? {};
    if (question) {
        if (!(await showAlert({ title: question, message, confirm }))) return;
        fields.set("confirmed", "yes");
    }
    // Not `form.action`: the field of that name hides it.
    const target = form.getAttribute("action");
    const answer = await (form.id === "perform" ? postInTurn(target, fields) : post(target, fields));
    if (answer?.conflict && (await settle(form, answer.conflict))) form.requestSubmit(event.submitter);
    const address = answer?.go;
    if (!address || address === target) return;
    if (new URL(address, location).href === location.href) return;
    if (form.id === "act" || form.id === "perform") location.assign(address);
    else if (form.id !== "deletion") returnTo(address, false);
});

document.addEventListener("click", async (event) => {
    const link = event.target.closest("a");
    if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
    if (window.liveForm?.isDraft && !link.getAttribute("href").startsWith("#")) {
        event.preventDefault();
        if (!(await window.liveForm.leave())) return;
        if ("back" in link.dataset) returnTo(link.href, true);
        else location.assign(link.href);
    } else if ("back" in link.dataset) {
        event.preventDefault();
        returnTo(link.href, true);
    } else if ("alert" in link.dataset) {
        event.preventDefault();
        try {
            const response = await fetch(link.href, { headers: { Accept: "application/json" } });
            const answer = await response.json();
            if (answer.alert) showAlert(answer.alert);
        } catch {
            showAlert({ ...unreachable, message: "Try again in a moment." });
        }
    }
});

let losing;

/** Says that the server is away, after a moment. */
function showLost(isLost) {
    clearTimeout(losing);
    if (!isLost) {
        document.querySelector(".lost")?.remove();
    } else if (!document.querySelector(".lost")) {
        losing = setTimeout(() => {
            const note = document.body.appendChild(document.createElement("p"));
            note.className = "lost";
            note.setAttribute("role", "status");
            note.textContent = "Reconnecting…";
        }, 1500);
    }
}

// MARK: Tables

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
        this.startIndex();
        this.connect();
        setInterval(() => this.markWarnings(), 1000);
        addEventListener("pagehide", () => {
            this.saveScroll();
            this.disconnect();
        });
        addEventListener("pageshow", (event) => {
            if (event.persisted) this.connect();
        });
        // A browser has few connections to one server: a window that nobody sees gives its own back.
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

    /** Reads the rows around the view; the answer takes the place of all there is. */
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

    /** Shows the rows at another address in place of these: the same rows, otherwise filtered. */
    show(address) {
        if (address === this.address) return;
        this.disconnect();
        this.source = null;
        this.address = address;
        this.version = "";
        scrollTo(0, 0);
        return this.read();
    }

    /** What is searched for here, or the empty text. */
    get searched() {
        const key = document.getElementById("search")?.dataset.key;
        return key ? new URL(this.address, location).searchParams.get(key)?.trim() ?? "" : "";
    }

    /** Tells a screen reader what a search came to, once for each. */
    announceResults() {
        const text = this.searched;
        if (text !== this.announced) this.startIndex();
        this.empty.textContent = text ? `No results for “${text}”.` : this.empty.dataset.text;
        if (text && text !== this.announced) {
            this.announcements.textContent = this.total ? `${this.total} found` : this.empty.textContent;
        }
        this.announced = text;
    }

    /** Keeps the elements of rows that are the same; those that came with the page are, if the version is. */
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
        const source = new EventSource(this.with("-since", this.version));
        this.source = source;
        source.addEventListener("open", () => showLost(false));
        source.addEventListener("change", (event) => this.change(event.lastEventId, JSON.parse(event.data)));
        source.addEventListener("refresh", (event) => {
            if (event.lastEventId !== this.version && !this.isOlder(event.lastEventId)) this.read();
        });
        source.addEventListener("gone", () => this.gone());
        followJob(source);
        source.addEventListener("error", () => {
            showLost(true);
            if (source.readyState === EventSource.CLOSED) {
                clearTimeout(this.retry);
                this.retry = setTimeout(() => this.connect(), 1000);
            }
        });
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
        const groups = new Map([...this.element.querySelectorAll(".group")].map((group) => [group.dataset.key, group]));
        const maker = document.createElement("template");
        let cursor = this.before.nextElementSibling;
        let first = 0;
        for (const [title, count] of this.sections) {
            const from = Math.max(first, this.start);
            const to = Math.min(first + count, this.start + this.rows.length);
            if (from < to) {
                const group = groups.get(title) ?? this.makeGroup(title);
                groups.delete(title);
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
        for (const group of groups.values()) group.remove();
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

    /** Gives the spacers the heights of the rows that are not in the page. */
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

    /** The height of the header above a row that begins a section. */
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

    /** Letters at the side that lead to sections, where there are many. */
    startIndex() {
        document.querySelector(".index")?.remove();
        if (this.sections.length < 8) return;
        const index = document.body.appendChild(document.createElement("nav"));
        index.className = "index";
        index.setAttribute("aria-label", "Sections");
        const seen = new Set();
        let first = 0;
        for (const [title, count] of this.sections) {
            const letter = (title.match(/\p{L}|\p{N}/u)?.[0] ?? "•").toUpperCase();
            const place = first;
            first += count;
            if (seen.has(letter)) continue;
            seen.add(letter);
            const link = index.appendChild(document.createElement("a"));
            link.href = "#content";
            link.textContent = letter;
            link.setAttribute("aria-label", title);
            link.addEventListener("click", (event) => {
                event.preventDefault();
                const top = this.element.getBoundingClientRect().top + scrollY;
                scrollTo(0, top + this.top(place) - this.headerHeight - 52);
            });
        }
    }
}

// MARK: Deleting

class RowGestures {
    constructor(element) {
        this.element = element;
        element.addEventListener("keydown", (event) => this.key(event));
        element.addEventListener("dragstart", (event) => event.preventDefault());
        const edit = document.getElementById("edit");
        if (!edit) return;
        edit.hidden = element.classList.contains("searching");
        edit.addEventListener("click", () => this.setEditing(!element.classList.contains("editing")));
        if (!element.classList.contains("deletable")) return;
        element.addEventListener("click", (event) => this.click(event), true);
        element.addEventListener("pointerdown", (event) => this.down(event));
        element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
        document.addEventListener("pointerdown", (event) => {
            if (!event.target.closest(".revealed")) this.reveal(null);
        });
    }

    setEditing(isEditing) {
        const edit = document.getElementById("edit");
        this.element.classList.toggle("editing", isEditing);
        edit.textContent = isEditing ? "Done" : "Edit";
        edit.setAttribute("aria-pressed", String(isEditing));
        this.reveal(null);
    }

    /** Nothing is edited while a search is on. */
    setSearching(isSearching) {
        this.element.classList.toggle("searching", isSearching);
        const edit = document.getElementById("edit");
        if (!edit) return;
        edit.hidden = isSearching;
        if (isSearching) this.setEditing(false);
    }

    /** Whether rows can be deleted now; not while a search is on. */
    get isDeletable() {
        return this.element.classList.contains("deletable") && !this.element.classList.contains("searching");
    }

    reveal(row) {
        for (const other of this.element.querySelectorAll(".revealed")) {
            if (other !== row) other.classList.remove("revealed");
        }
        row?.classList.add("revealed");
    }

    key(event) {
        const row = event.target.closest("li.row");
        if (!row) return;
        if ((event.key === "Delete" || event.key === "Backspace") && this.isDeletable) {
            event.preventDefault();
            this.reveal(row);
            row.querySelector(".delete").focus();
        } else if (event.key === "Escape" && row.classList.contains("revealed")) {
            this.reveal(null);
            row.querySelector(".cell").focus();
        } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            const cells = [...this.element.querySelectorAll(".cell")];
            const step = event.key === "ArrowDown" ? 1 : -1;
            const next = cells[cells.indexOf(row.querySelector(".cell")) + step];
            if (next) {
                event.preventDefault();
                next.focus();
            }
        }
    }

    click(event) {
        const row = event.target.closest("li.row");
        if (event.target.closest(".cell") && (this.hasSwiped || row.classList.contains("revealed"))) {
            event.preventDefault();
            event.stopPropagation();
            if (!this.hasSwiped) this.reveal(null);
            this.hasSwiped = false;
        } else if (event.target.closest(".minus")) {
            this.reveal(row);
            row.querySelector(".delete").focus();
        }
    }

    down(event) {
        this.hasSwiped = false;
        const cell = event.target.closest(".cell");
        if (!cell || event.button || !this.isDeletable) return;
        const row = cell.parentElement;
        const width = row.offsetWidth;
        const origin = row.classList.contains("revealed") ? -row.querySelector(".delete").offsetWidth : 0;
        let shift = origin;
        let isSwiping = false;
        const move = (next) => {
            const across = next.clientX - event.clientX;
            const along = next.clientY - event.clientY;
            if (!isSwiping && Math.abs(across) > 8 && Math.abs(across) > Math.abs(along)) {
                isSwiping = true;
                cell.setPointerCapture(event.pointerId);
                this.reveal(row.classList.contains("revealed") ? row : null);
                row.classList.add("swiping");
            }
            if (isSwiping) {
                shift = Math.min(0, origin + across);
                row.style.setProperty("--shift", `${shift}px`);
                row.querySelector(".delete").style.width = shift < origin ? `${Math.max(88, -shift)}px` : "";
            }
        };
        const end = (last) => {
            cell.removeEventListener("pointermove", move);
            cell.removeEventListener("pointerup", end);
            cell.removeEventListener("pointercancel", end);
            if (!isSwiping) return;
            this.hasSwiped = last.type === "pointerup";
            setTimeout(() => (this.hasSwiped = false), 50);
            row.classList.remove("swiping");
            row.style.removeProperty("--shift");
            row.querySelector(".delete").style.width = "";
            if (-shift > width * 0.6) row.querySelector(".delete").click();
            else if (-shift > 40) this.reveal(row);
            else row.classList.remove("revealed");
        };
        cell.addEventListener("pointermove", move);
        cell.addEventListener("pointerup", end);
        cell.addEventListener("pointercancel", end);
    }

    /** Two fingers on a trackpad. */
    wheel(event) {
        if (Math.abs(event.deltaX) <= Math.abs(event.deltaY)) return;
        const row = event.target.closest("li.row");
        if (!row || !this.isDeletable) return;
        event.preventDefault();
        if (row !== this.wheelRow) this.wheelSum = 0;
        this.wheelRow = row;
        this.wheelSum += event.deltaX;
        clearTimeout(this.wheelEnd);
        this.wheelEnd = setTimeout(() => (this.wheelSum = 0), 200);
        if (this.wheelSum > 40) this.reveal(row);
        else if (this.wheelSum < -40) this.reveal(null);
    }
}

// MARK: Searching

/** A field that filters the table while one types; the address follows, so that a reload shows the same. */
class SearchField {
    constructor(form, table, gestures) {
        this.form = form;
        this.table = table;
        this.gestures = gestures;
        this.input = form.querySelector("input[type=search]");
        this.input.addEventListener("input", (event) => {
            if (event.isComposing) return;
            clearTimeout(this.timer);
            this.timer = setTimeout(() => this.search(), 60);
        });
        this.input.addEventListener("compositionend", () => this.search());
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            this.search();
        });
        form.querySelector(".search-clear").addEventListener("click", (event) => {
            event.preventDefault();
            this.input.value = "";
            this.input.focus();
            this.search();
        });
    }

    search() {
        clearTimeout(this.timer);
        const text = this.input.value.trim();
        const target = new URL(this.form.getAttribute("action"), location);
        if (text) target.searchParams.set(this.form.dataset.key, text);
        const address = target.pathname + target.search;
        if (address === this.table.address) return;
        history.replaceState(history.state, "", address);
        // What is done to a row leads back here.
        for (const form of document.querySelectorAll("form[method=post]")) form.setAttribute("action", address);
        this.gestures.setSearching(text !== "");
        this.table.show(address);
    }
}

// MARK: Start

const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
document.cookie = `zone=${encodeURIComponent(zone)}; path=/; max-age=31536000; SameSite=Strict`;
for (const field of document.querySelectorAll("input[name=zone]")) field.value = zone;
localise(document);
for (const field of document.querySelectorAll("input[data-long]")) startDateField(field);
startForm();
const table = document.getElementById("table");
if (table) {
    window.liveTable = new LiveTable(table);
    const gestures = new RowGestures(table);
    const search = document.getElementById("search");
    if (search) new SearchField(search, window.liveTable, gestures);
}
const opened = document.querySelector("dialog.alert[open]");
if (opened) openAlert(opened);
document.querySelector("[autofocus]:not(dialog *)")?.focus();
document.querySelector("input[type=text][autofocus]")?.select();
