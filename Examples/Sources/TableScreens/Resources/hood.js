// The panel “Under the Hood”: statements, faults, saves and changes of results controllers beneath this screen, live, and
// one object in detail. It has an event stream of its own while it is open. Text is only ever set as text.
"use strict";

/** Makes an element with a class, a text and children. */
function hoodElement(name, className = "", text = "", ...children) {
    const element = document.createElement(name);
    if (className) element.className = className;
    if (text) element.textContent = text;
    element.append(...children);
    return element;
}

/** Colours the keywords of a statement. */
function hoodStatement(text) {
    const code = hoodElement("code");
    const words = /\b(SELECT|FROM|WHERE|JOIN|LEFT|ON|AND|OR|NOT|IN|AS|ORDER BY|GROUP BY|LIMIT|OFFSET|COLLATE|DESC|INSERT INTO|VALUES|UPDATE|SET|DELETE|BEGIN|IMMEDIATE|DEFERRED|COMMIT|ROLLBACK|COUNT|DISTINCT|IS|NULL)\b/;
    for (const [place, part] of text.split(words).entries()) {
        if (place % 2) code.append(hoodElement("b", "", part));
        else if (part) code.append(part);
    }
    return code;
}

class Hood {
    /** The most groups in the log. */
    static limit = 120;
    /** The most objects of the screen to choose from. */
    static objectLimit = 40;
    static reference = /^[A-Za-z_]\w*-p\d+$/;

    constructor(button, panel) {
        this.button = button;
        this.panel = panel;
        this.application = panel.dataset.application;
        this.log = document.getElementById("hood-log");
        this.quiet = document.getElementById("hood-quiet");
        this.chooser = document.getElementById("hood-objects");
        this.detail = document.getElementById("hood-object");
        this.number = 0;
        button.addEventListener("click", () => (this.isOpen ? this.close() : this.open()));
        document.getElementById("hood-close").addEventListener("click", () => this.close());
        document.getElementById("hood-clear").addEventListener("click", () => this.clear());
        panel.addEventListener("keydown", (event) => {
            if (event.key !== "Escape") return;
            event.preventDefault();
            this.close();
        });
        document.addEventListener("click", (event) => this.follow(event), true);
        addEventListener("pagehide", () => this.disconnect());
        addEventListener("pageshow", (event) => event.persisted && this.isOpen && this.connect());
        document.addEventListener("visibilitychange", () => {
            clearTimeout(this.hiding);
            if (document.hidden) this.hiding = setTimeout(() => this.disconnect(), 5000);
            else if (this.isOpen) this.connect();
        });
        addEventListener("pane", () => {
            if (!this.isOpen) return;
            this.list();
            const last = this.references.pop();
            if (last) this.inspect(last);
        });
        const table = document.getElementById("table");
        if (table) {
            new MutationObserver(() => {
                clearTimeout(this.listing);
                this.listing = setTimeout(() => this.isOpen && this.list(), 100);
            }).observe(table, { childList: true, subtree: true });
        }
        if (this.isOpen) this.start();
    }

    get isOpen() {
        return !this.panel.hidden;
    }

    // Opening

    open() {
        this.show(true);
        this.start();
        document.getElementById("hood-title").focus({ preventScroll: true });
    }

    close() {
        this.show(false);
        this.disconnect();
        this.button.focus();
    }

    show(isOpen) {
        this.panel.hidden = !isOpen;
        document.body.classList.toggle("hood-open", isOpen);
        this.button.setAttribute("aria-expanded", String(isOpen));
        document.cookie = `hood=${isOpen ? "open" : ""}; path=/; max-age=${isOpen ? 31536000 : 0}; SameSite=Strict`;
        dispatchEvent(new Event("resize"));
    }

    start() {
        this.list();
        const last = this.references.pop();
        const chosen = last ?? sessionStorage.getItem("hood object");
        if (chosen && this.choices.has(chosen)) this.inspect(chosen);
        this.connect();
    }

    connect() {
        if (this.source && this.source.readyState !== EventSource.CLOSED) return;
        this.source = new EventSource(`${this.application}/-activity`);
        this.source.addEventListener("activity", (event) => this.take(JSON.parse(event.data)));
        this.source.addEventListener("error", () => {
            if (this.source.readyState !== EventSource.CLOSED) return;
            clearTimeout(this.retry);
            this.retry = setTimeout(() => this.isOpen && this.connect(), 1000);
        });
    }

    disconnect() {
        clearTimeout(this.retry);
        this.source?.close();
        this.isLive = false;
    }

    // Messages

    take({ next, figures, entries }) {
        this.isLive = true;
        if (this.token !== figures.token) {
            this.token = figures.token;
            const [token, number] = (sessionStorage.getItem(this.clearedKey) ?? "").split(".");
            this.number = token === figures.token ? Number(number) : 0;
            this.log.replaceChildren();
        }
        this.showFigures(figures);
        for (const [number, entry] of entries) {
            if (number <= this.number) continue;
            if (this.number && number > this.number + 1 && this.log.firstChild) this.skip(number - this.number - 1);
            this.number = number;
            this.add(entry);
        }
        this.number = Math.max(this.number, next - 1);
        while (this.log.childElementCount > Hood.limit) this.log.lastChild.remove();
        this.quiet.hidden = this.log.childElementCount > 0;
        if (entries.length && this.chosen) {
            clearTimeout(this.looking);
            this.looking = setTimeout(() => this.look(), 50);
        }
    }

    get clearedKey() {
        return `hood cleared ${this.application}`;
    }

    clear() {
        this.log.replaceChildren();
        this.quiet.hidden = false;
        sessionStorage.setItem(this.clearedKey, `${this.token}.${this.number}`);
        document.getElementById("announcements").textContent = "Cleared";
    }

    showFigures({ statements, faults, registered, transactions, file, main, log }) {
        for (const [name, value] of Object.entries({ statements, faults, registered, transactions })) {
            const element = document.getElementById(`hood-${name}`);
            const text = numberFormat.format(value);
            if (element.textContent === text) continue;
            const isFirst = element.textContent === "–";
            element.textContent = text;
            const isStill = isFirst || matchMedia("(prefers-reduced-motion: reduce)").matches;
            if (!isStill) element.animate([{ color: "var(--tint)" }, {}], { duration: 900 });
        }
        const name = file.split("/").pop();
        const text = [hoodElement("b", "", name), ` ${this.bytes(main)}`];
        if (log) text.push(` and ${this.bytes(log)} in ${name}-wal`);
        const element = document.getElementById("hood-file");
        element.title = file;
        element.replaceChildren(...text);
    }

    bytes(count) {
        const format = (value, unit) =>
            new Intl.NumberFormat(navigator.languages, { style: "unit", unit, maximumFractionDigits: 1 }).format(value);
        if (count < 1000) return format(count, "byte");
        return count < 1e6 ? format(count / 1000, "kilobyte") : format(count / 1e6, "megabyte");
    }

    time(microseconds) {
        const milliseconds = microseconds / 1000;
        return `${milliseconds.toLocaleString(navigator.languages, { maximumSignificantDigits: 2 })} ms`;
    }

    // The log

    skip(count) {
        this.log.prepend(hoodElement("li", "hood-skipped", `${numberFormat.format(count)} more, not shown`));
        this.group = null;
    }

    add(entry) {
        if (entry.kind === "sql") this.addStatement(entry);
        else if (entry.kind === "fault") this.addFault(entry);
        else if (entry.kind === "save") this.addSave(entry);
        else if (entry.kind === "controller") this.addChanges(entry);
    }

    /** The group at the top, if it has the same key; otherwise a new one. */
    into(key, kind, title, context) {
        if (this.group?.key === key && this.group.element === this.log.firstChild) return this.group;
        const head = hoodElement("div", "hood-head", "", hoodElement("span", "hood-title", title));
        if (context) head.append(hoodElement("span", "hood-context", context));
        const list = hoodElement("ul");
        const element = hoodElement("li", `hood-group ${kind}`, "", head, list);
        this.log.prepend(element);
        this.group = { key, element, list, title: head.firstChild, count: 0 };
        return this.group;
    }

    addStatement({ cause, about, context, text, time, rows, bindings, bound }) {
        const group = this.into(`${cause} ${about} ${context}`, cause, about, context);
        const figures = [this.time(time)];
        if (rows) figures.push(`${numberFormat.format(rows)} ${rows === 1 ? "row" : "rows"}`);
        const summary = hoodElement("summary", "", "", hoodStatement(text), hoodElement("span", "hood-time", figures.join(" · ")));
        const details = hoodElement("details", "", "", summary);
        const values = bindings ? bindings.join(", ") : bound ? `${bound} values` : "";
        if (values) details.append(hoodElement("p", "hood-bindings", `Bound: ${values}`));
        group.list.append(hoodElement("li", "hood-statement", "", details));
    }

    addFault({ object, context }) {
        const group = this.into(`fault fired ${context}`, "fault", "", context);
        group.count += 1;
        group.title.textContent = group.count === 1 ? "1 fault fired" : `${group.count} faults fired`;
        group.list.classList.add("hood-inline");
        group.list.append(hoodElement("li", "", "", this.link(object)));
    }

    addSave({ context, time, toParent, inserted, updated, deleted, counts }) {
        const words = ["inserted", "updated", "deleted"].flatMap((word, place) => (counts[place] ? `${counts[place]} ${word}` : []));
        const title = `saved ${words.join(", ") || "nothing"}${toParent ? " to the parent context" : ""}`;
        this.group = null;
        const group = this.into("", "save done", title, context);
        group.element.firstChild.append(hoodElement("span", "hood-time", this.time(time)));
        for (const [word, objects] of [["inserted", inserted], ["updated", updated], ["deleted", deleted]]) {
            for (const [object, properties] of objects) {
                const line = hoodElement("li", "", `${word} `, this.link(object));
                if (properties.length) line.append(hoodElement("span", "hood-properties", `: ${properties.join(", ")}`));
                group.list.append(line);
            }
        }
        this.group = null;
    }

    addChanges({ entity, count, changes }) {
        this.group = null;
        const title = `results controller of ${entity}: ${numberFormat.format(count)} ${count === 1 ? "change" : "changes"}`;
        const group = this.into("", "controller", title, "");
        for (const [kind, object, old, now] of changes) {
            const paths = [old, now].filter((path) => path.length).map((path) => `[${path.join(", ")}]`);
            if (paths[0] === paths[1]) paths.pop();
            group.list.append(hoodElement("li", "", `${kind} `, this.link(object), ` at ${paths.join(" → ")}`));
        }
        this.group = null;
    }

    /** A button that shows an object. */
    link(reference) {
        const button = hoodElement("button", "hood-link", reference.replace(/-(?=p\d+$)/, "/"));
        button.type = "button";
        button.addEventListener("click", () => {
            this.inspect(reference);
            this.detail.scrollIntoView({ block: "nearest" });
        });
        return button;
    }

    // Objects

    /** The objects that the address names, those of the screen beside the list included. */
    get references() {
        const parts = `${location.pathname}/${location.hash.slice(1).split("?")[0]}`.split("/").map(decodeURIComponent);
        return parts.filter((part) => Hood.reference.test(part));
    }

    /** Lists the objects of the screen: those of its rows and of its address. */
    list() {
        const choices = new Map();
        for (const part of this.references) choices.set(part, document.title.split(" – ")[0]);
        for (const row of document.querySelectorAll("li.row")) {
            if (choices.size >= Hood.objectLimit) break;
            if (Hood.reference.test(row.id)) choices.set(row.id, row.dataset.name);
        }
        const isSame =
            this.choices?.size === choices.size && [...choices].every(([id, name]) => this.choices.get(id) === name);
        this.choices = choices;
        document.getElementById("hood-objects-section").hidden = choices.size === 0 && !this.chosen;
        if (isSame) return;
        const focused = document.activeElement?.dataset?.object;
        this.chooser.replaceChildren(
            ...[...choices].map(([reference, name]) => {
                const button = this.link(reference);
                button.className = "hood-choice";
                button.dataset.object = reference;
                button.append(hoodElement("span", "", ` ${name}`));
                button.setAttribute("aria-pressed", String(reference === this.chosen));
                return hoodElement("li", "", "", button);
            })
        );
        if (focused) this.chooser.querySelector(`[data-object="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    }

    /** Shows the object of a row that is clicked, on this screen and on the next one. */
    follow(event) {
        const row = event.target.closest?.("li.row");
        if (!row || !this.isOpen || !Hood.reference.test(row.id)) return;
        this.inspect(row.id);
    }

    inspect(reference) {
        this.chosen = reference;
        sessionStorage.setItem("hood object", reference);
        for (const button of this.chooser.querySelectorAll("button")) {
            button.setAttribute("aria-pressed", String(button.dataset.object === reference));
        }
        return this.look();
    }

    /** Reads the chosen object again, and with an action changes whether it is a fault. */
    async look(action) {
        const reference = this.chosen;
        const fields = new URLSearchParams({ id: reference, ...(action && { action }) });
        const address = `${this.application}/-object`;
        try {
            const response = action
                ? await fetch(address, { method: "POST", headers: { Accept: "application/json" }, body: fields })
                : await fetch(`${address}?${fields}`, { headers: { Accept: "application/json" } });
            const object = response.ok ? await response.json() : null;
            if (reference === this.chosen) this.showObject(object);
        } catch {
            // The page was left, or the connection is lost; the next message asks again.
        }
    }

    showObject(object) {
        document.getElementById("hood-objects-section").hidden = !object && !this.choices.size;
        const text = JSON.stringify(object);
        if (text === this.shown) return;
        this.shown = text;
        this.detail.hidden = !object;
        if (!object) return;
        const hadFocus = this.detail.contains(document.activeElement);
        const { reference, uri, states, row, problem } = object;
        const parts = [
            hoodElement("h4", "", reference.replace(/-(?=p\d+$)/, "/")),
            hoodElement("p", "hood-uri", uri),
        ];
        for (const state of states) parts.push(...this.stateParts(state));
        if (row) {
            const columns = row.columns.map(([name, value]) =>
                hoodElement("tr", "", "", this.head(name), hoodElement("td", "", value))
            );
            parts.push(this.table(`Its row in ${row.table}`, columns));
        } else {
            parts.push(hoodElement("p", "hood-problem", problem));
        }
        this.detail.replaceChildren(...parts);
        if (hadFocus) this.detail.querySelector("button")?.focus({ preventScroll: true });
    }

    stateParts({ context, isFault, hasChanges, values }) {
        const words = isFault ? "a fault: no values in memory" : hasChanges ? "unsaved changes" : "values in memory";
        const line = hoodElement("p", "hood-state", "", hoodElement("span", "hood-context", context));
        line.append(hoodElement("span", isFault ? "hood-is-fault" : hasChanges ? "hood-is-changed" : "", words));
        if (context === "application" && !hasChanges) {
            const button = hoodElement("button", "hood-action", isFault ? "Fire the fault" : "Turn into a fault");
            button.type = "button";
            button.addEventListener("click", () => this.look(isFault ? "fire" : "refault"));
            line.append(button);
        }
        if (isFault) return [line];
        const rows = values.map(([key, committed, ...changed]) =>
            hoodElement(
                "tr", changed.length ? "hood-changed" : "", "", this.head(key), hoodElement("td", "", committed),
                ...(hasChanges ? [hoodElement("td", "", changed[0] ?? "")] : [])
            )
        );
        return [line, this.table("Values", rows, hasChanges ? ["Property", "Committed", "Changed"] : null)];
    }

    head(text) {
        const element = hoodElement("th", "", text);
        element.scope = "row";
        return element;
    }

    table(caption, rows, titles) {
        const table = hoodElement("table", "", "", hoodElement("caption", "", caption));
        if (titles) {
            const row = hoodElement("tr");
            for (const title of titles) {
                const cell = hoodElement("th", "", title);
                cell.scope = "col";
                row.append(cell);
            }
            table.append(hoodElement("thead", "", "", row));
        }
        table.append(hoodElement("tbody", "", "", ...rows));
        return table;
    }
}

const hoodButton = document.getElementById("hood-button");
if (hoodButton) window.hood = new Hood(hoodButton, document.getElementById("hood"));
