// The section Live: saves, statements and faults beneath a running container as they happen, and its contexts.
"use strict";

import { announce, count, element, number } from "../shell/elements.js";

const kinds = [
    ["all", "Everything"],
    ["save", "Saves"],
    ["sql", "SQL"],
    ["fault", "Faults"],
    ["warning", "Warnings"],
];
/** The most groups in the list. */
const limit = 400;
const words = /\b(SELECT|FROM|WHERE|JOIN|LEFT|ON|AND|OR|NOT|IN|AS|ORDER BY|GROUP BY|LIMIT|OFFSET|COLLATE|DESC|INSERT INTO|VALUES|UPDATE|SET|DELETE|BEGIN|IMMEDIATE|DEFERRED|COMMIT|ROLLBACK|COUNT|DISTINCT|IS|NULL)\b/;

/** A statement with its keywords marked. */
export function statement(text) {
    const code = element("code", { class: "sql" });
    for (const [place, part] of text.split(words).entries()) {
        if (place % 2) code.append(element("b", {}, part));
        else if (part) code.append(part);
    }
    return code;
}

export function milliseconds(microseconds) {
    const value = microseconds / 1000;
    return `${value.toLocaleString(navigator.languages, { maximumSignificantDigits: value < 100 ? 2 : 3 })} ms`;
}

export function bytes(value) {
    const format = (amount, unit) => new Intl.NumberFormat(navigator.languages, { style: "unit", unit, maximumFractionDigits: 1 }).format(amount);
    if (value < 1000) return format(value, "byte");
    return value < 1e6 ? format(value / 1000, "kilobyte") : format(value / 1e6, "megabyte");
}

const time = new Intl.DateTimeFormat(navigator.languages, { hour: "2-digit", minute: "2-digit", second: "2-digit", fractionalSecondDigits: 3 });

class Live {
    constructor({ main, sidebar, source, query, navigate, stream, command }) {
        Object.assign(this, { main, sidebar, source, navigate });
        this.kind = kinds.some(([name]) => name === query.get("show")) ? query.get("show") : "all";
        this.showsOwn = query.get("own") === "1";
        this.entries = [];
        this.last = 0;
        this.build();
        this.connection = stream("events", { activity: (message) => this.take(message), error: () => this.connected(false) });
        command({ id: "live clear", title: "Clear the list", kind: "Live", keys: "Mod+Backspace", run: () => this.clear() });
        command({ id: "live pause", title: "Pause or continue", kind: "Live", keys: "p", run: () => this.pause() });
        for (const [name, title] of kinds) command({ id: `live ${name}`, title: `Show ${title.toLowerCase()}`, kind: "Live", run: () => this.filter(name) });
    }

    build() {
        this.tabs = element("div", { class: "tabs", role: "tablist", "aria-label": "Show" });
        for (const [name, title] of kinds) {
            const tab = element("button", { type: "button", role: "tab", id: `live-${name}`, "aria-controls": "live-log", "aria-selected": String(name === this.kind) }, title);
            tab.addEventListener("click", () => this.filter(name));
            this.tabs.append(tab);
        }
        this.tabs.addEventListener("keydown", (event) => {
            if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
            const all = [...this.tabs.children];
            const next = all[(all.indexOf(document.activeElement) + (event.key === "ArrowRight" ? 1 : -1) + all.length) % all.length];
            next.focus();
            next.click();
        });
        this.state = element("span", { class: "badge", id: "live-state" }, "connecting");
        this.pauser = element("button", { type: "button", class: "button small", id: "live-pause", "aria-pressed": "false" }, "Pause");
        this.pauser.addEventListener("click", () => this.pause());
        const clear = element("button", { type: "button", class: "button small", id: "live-clear" }, "Clear");
        clear.addEventListener("click", () => this.clear());
        const own = element("label", { class: "check secondary" }, element("input", { type: "checkbox", id: "live-own", checked: this.showsOwn }), "Studio’s own");
        own.firstChild.addEventListener("change", (event) => {
            this.showsOwn = event.target.checked;
            this.address();
            this.draw();
        });
        this.list = element("ol", { class: "live-log", id: "live-log", "aria-label": "Activity" });
        this.empty = element(
            "div", { class: "empty", id: "live-empty" }, element("h2", {}, "Nothing yet"),
            element("p", {}, `Use ${this.source.title}, and its saves, statements and faults appear here as they happen.`)
        );
        this.detail = element("section", { class: "live-detail", "aria-label": "Chosen entry", tabindex: "0" });
        this.detail.append(element("div", { class: "empty" }, element("p", {}, "Choose an entry to see its statement, its bound values, or the values before and after.")));
        this.main.append(
            element("div", { class: "strip live-strip" }, this.tabs, element("span", { class: "push" }), this.state, own, this.pauser, clear),
            element("div", { class: "halves" }, element("section", { class: "live-left", "aria-label": "Activity" }, this.empty, this.list), this.detail)
        );
        this.list.addEventListener("click", (event) => {
            const row = event.target.closest("button[data-place]");
            if (row) this.choose(Number(row.dataset.place));
        });
        this.list.addEventListener("keydown", (event) => {
            if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
            event.preventDefault();
            const rows = [...this.list.querySelectorAll("button[data-place]")];
            const next = rows[rows.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1)];
            next?.focus();
            if (next) this.choose(Number(next.dataset.place));
        });
    }

    // Messages

    connected(isConnected) {
        this.state.textContent = this.isPaused ? "paused" : isConnected ? "live" : "connecting";
        this.state.className = `badge ${isConnected && !this.isPaused ? "good" : "warns"}`;
    }

    take({ next, figures, entries }) {
        this.isConnected = true;
        this.connected(true);
        if (this.token !== figures.token) {
            this.token = figures.token;
            this.last = 0;
        }
        this.showFigures(figures);
        for (const [place, entry] of entries) {
            if (place <= this.last) continue;
            if (this.last && place > this.last + 1) this.add({ kind: "skipped", count: place - this.last - 1 });
            this.last = place;
            this.add(entry);
        }
        this.last = Math.max(this.last, next - 1);
        if (entries.length && !this.isPaused) this.draw();
    }

    add(entry) {
        const newest = this.entries.at(-1);
        if (entry.kind === "warning") {
            const known = this.entries.findLast((other) => other.kind === "warning" && other.key === entry.key && entry.at - other.at < 10000);
            if (known) return Object.assign(known, entry);
            announce(entry.message);
        }
        // Faults in a row, and statements of one cause, are one line.
        if (entry.kind === "fault" && newest?.kind === "fault" && newest.context === entry.context) {
            newest.objects.push(entry.object);
            return;
        }
        if (entry.kind === "fault") entry.objects = [entry.object];
        if (entry.kind === "sql") {
            if (newest?.kind === "sql" && newest.about === entry.about && newest.context === entry.context) {
                newest.statements.push(entry);
                return;
            }
            entry = { ...entry, statements: [entry] };
        }
        entry.place = ++this.places || (this.places = 1);
        this.entries.push(entry);
        if (this.entries.length > limit) this.entries.splice(0, this.entries.length - limit);
    }

    // The list

    fits(entry) {
        if (entry.own && !this.showsOwn) return false;
        if (this.kind === "all") return entry.kind !== "sql" || entry.cause !== "snapshot";
        return entry.kind === this.kind;
    }

    draw() {
        const focused = document.activeElement?.dataset?.place;
        const shown = this.entries.filter((entry) => this.fits(entry)).reverse();
        this.empty.hidden = shown.length > 0;
        this.list.replaceChildren(...shown.map((entry) => this.line(entry)));
        if (focused) this.list.querySelector(`[data-place="${focused}"]`)?.focus({ preventScroll: true });
    }

    line(entry) {
        if (entry.kind === "skipped") return element("li", { class: "secondary live-skipped" }, `${count(entry.count, "entry", "entries")} more, not shown`);
        const [title, figures] = this.summary(entry);
        const kind = entry.kind === "sql" ? entry.cause : entry.kind;
        const button = element("button", { type: "button", "data-place": entry.place, "data-kind": entry.kind, "aria-pressed": String(entry.place === this.chosen) });
        button.append(
            element("span", { class: "live-dot", "aria-hidden": "true" }), element("span", { class: "live-title" }, title),
            element("span", { class: "live-figures" }, figures), element("time", { class: "live-time" }, time.format(entry.at))
        );
        if (entry.kind === "warning") button.append(element("span", { class: "live-cure" }, entry.cure));
        if (entry.context || entry.author) button.append(element("span", { class: "live-context" }, [entry.context, entry.author].filter(Boolean).join(" · ")));
        return element("li", { class: `live-${kind}` }, button);
    }

    summary(entry) {
        if (entry.kind === "save") {
            const parts = ["inserted", "updated", "deleted"].flatMap((word, place) => (entry.counts[place] ? `${number(entry.counts[place])} ${word}` : []));
            const names = entry.objects.slice(0, 2).map(({ object }) => object).join(", ");
            return [`Saved ${parts.join(", ") || "nothing"}${entry.toParent ? " to the parent context" : ""}${names ? `: ${names}${entry.objects.length > 2 ? ", …" : ""}` : ""}`, milliseconds(entry.time)];
        }
        if (entry.kind === "fault") return [`${count(entry.objects.length, "fault")} fired: ${entry.objects.slice(0, 3).join(", ")}${entry.objects.length > 3 ? ", …" : ""}`, ""];
        if (entry.kind === "warning") return [entry.message, milliseconds(entry.time)];
        const sum = entry.statements.reduce((total, each) => total + each.time, 0);
        const rows = entry.statements.reduce((total, each) => total + each.rows, 0);
        const many = entry.statements.length > 1 ? `${number(entry.statements.length)} × ` : "";
        return [`${many}${entry.about}`, `${rows ? `${count(rows, "row")} · ` : ""}${milliseconds(sum)}`];
    }

    filter(name) {
        this.kind = name;
        for (const tab of this.tabs.children) tab.setAttribute("aria-selected", String(tab.id === `live-${name}`));
        this.address();
        this.draw();
    }

    address() {
        const query = {};
        if (this.kind !== "all") query.show = this.kind;
        if (this.showsOwn) query.own = "1";
        this.navigate([], query, { replace: true });
    }

    clear() {
        this.entries = [];
        this.draw();
        announce("Cleared");
    }

    pause() {
        this.isPaused = !this.isPaused;
        this.pauser.setAttribute("aria-pressed", String(this.isPaused));
        this.pauser.textContent = this.isPaused ? "Continue" : "Pause";
        this.connected(this.isConnected);
        if (!this.isPaused) this.draw();
    }

    // Details

    choose(place) {
        const entry = this.entries.find((each) => each.place === place);
        if (!entry) return;
        this.chosen = place;
        for (const row of this.list.querySelectorAll("button[data-place]")) row.setAttribute("aria-pressed", String(Number(row.dataset.place) === place));
        const parts = { sql: () => this.statements(entry), save: () => this.save(entry), fault: () => this.faults(entry), warning: () => this.warning(entry) }[entry.kind]();
        this.detail.replaceChildren(...parts);
    }

    heading(title, entry) {
        const facts = element("dl", { class: "facts" });
        for (const [name, value] of [["Context", entry.context || "without a name"], ["Author", entry.author], ["Time", time.format(entry.at)]]) {
            if (value) facts.append(element("dt", {}, name), element("dd", {}, value));
        }
        return [element("h2", {}, title), facts];
    }

    statements(entry) {
        const parts = this.heading(entry.about, entry);
        for (const each of entry.statements) {
            const bound = each.bindings.length ? element("p", { class: "live-bound" }, "Bound: ", element("code", {}, each.bindings.join(", ")), each.bound > each.bindings.length ? `, … (${number(each.bound)})` : "") : null;
            parts.push(element("div", { class: "card" }, statement(each.text), bound, element("p", { class: "secondary" }, `${count(each.rows, "row")} · ${milliseconds(each.time)}`)));
        }
        return parts;
    }

    save(entry) {
        const parts = this.heading(this.summary(entry)[0].split(":")[0], entry);
        for (const object of entry.objects) {
            const table = element("table", { class: "grid live-changes" }, element("caption", { class: "hidden" }, object.object));
            const head = element("tr", {}, element("th", { scope: "col" }, "Property"), element("th", { scope: "col" }, "Before"), element("th", { scope: "col" }, "After"));
            table.append(element("thead", {}, head));
            const body = element("tbody");
            for (const change of object.changes) {
                const row = element("tr", {}, element("th", { scope: "row" }, change.name));
                if (change.unrecorded) row.append(element("td", { colspan: "2", class: "secondary" }, "changed"));
                else row.append(this.value(change.before, "live-before"), this.value(change.after, "live-after"));
                body.append(row);
            }
            table.append(body);
            const badge = { inserted: "good", updated: "accent", deleted: "bad" }[object.kind];
            parts.push(element("div", { class: "card" }, element("div", { class: "spread" }, element("h3", {}, object.object), element("span", { class: `badge push ${badge}` }, object.kind)), object.changes.length ? table : null));
        }
        const sum = entry.counts.reduce((total, each) => total + each, 0);
        if (sum > entry.objects.length) parts.push(element("p", { class: "secondary" }, `${count(sum - entry.objects.length, "object")} more`));
        return parts;
    }

    value(text, name) {
        return text === undefined ? element("td", { class: "secondary" }, "–") : element("td", { class: name }, text);
    }

    faults(entry) {
        const list = element("ul", { class: "list" });
        for (const object of entry.objects) list.append(element("li", { class: "live-object" }, object));
        return [...this.heading(count(entry.objects.length, "fault fired", "faults fired"), entry), list];
    }

    warning(entry) {
        const note = element("div", { class: "note warns" }, element("strong", {}, entry.message), element("p", { class: "remedy" }, entry.cure));
        const parts = this.heading("Read one by one", entry);
        parts.push(note, element("p", {}, `${number(entry.count)} statements took ${milliseconds(entry.time)}; with the cure they are one.`));
        if (entry.path) {
            parts.push(element("pre", {}, `let request = NSFetchRequest<NSManagedObject>(entityName: "${entry.fetched}")\nrequest.relationshipKeyPathsForPrefetching = ["${entry.path}"]`));
        }
        return parts;
    }

    // Figures and contexts

    showFigures(figures) {
        if (!this.figures) {
            this.figures = element("dl", { class: "facts live-facts", id: "live-figures" });
            this.contexts = element("ul", { class: "list", id: "live-contexts" });
            this.sidebar.append(element("h2", { class: "list-title" }, "Process"), this.figures, element("h2", { class: "list-title" }, "Contexts"), this.contexts);
        }
        const store = figures.stores[0];
        const facts = [
            ["Statements", number(figures.statements)], ["Transactions", number(figures.transactions)], ["Rows read", number(figures.rows)],
            ["Rows written", number(figures.written)], ["Objects", number(figures.contexts.reduce((sum, each) => sum + each.registered, 0))],
            ["Memory", bytes(figures.memory)],
        ];
        if (store) facts.push(["Store", bytes(store.main)]);
        if (store?.log) facts.push(["Log (-wal)", bytes(store.log)]);
        this.figures.replaceChildren(...facts.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
        this.contexts.replaceChildren(
            ...figures.contexts.map((each) => {
                const row = element("li", { class: "live-context-row" }, element("span", { class: "name" }, each.name || "without a name"), element("span", { class: "count", title: "Registered objects" }, number(each.registered)));
                row.append(element("span", { class: "where" }, [each.kind, each.author, each.unsaved ? `${number(each.unsaved)} unsaved` : "", each.faults ? count(each.faults, "fault fired", "faults fired") : ""].filter(Boolean).join(" · ")));
                return row;
            })
        );
    }

    leave() {
        this.connection.close();
    }
}

export async function show(shell) {
    return new Live(shell);
}
