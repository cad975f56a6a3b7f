// The section Console: a fetch of objects, columns or groups, its SQL and plan, and saved queries.
// The address holds the fetch: /console?fetch=JSON.
"use strict";

import { element, note, count, number, announce } from "../shell/elements.js";
import { PredicateField } from "../data/predicate.js";
import { cellContent } from "../data/cells.js";
import { ask } from "../data/staged.js";

const functions = ["count", "sum", "average", "min", "max", "median", "mode", "stddev"];

export async function show(context) {
    const view = new ConsoleView(context);
    await view.begin(context.query);
    return { leave: () => view.leave(), go: ({ query }) => view.go(query) };
}

class ConsoleView {
    constructor({ main, sidebar, source, api, navigate, command }) {
        Object.assign(this, { main, sidebar, source, api, navigate });
        main.classList.add("console");
        this.keys = (event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && !document.querySelector("dialog[open]")) {
                event.preventDefault();
                this.run();
            } else if (event.key === "/" && !event.target.matches?.("input, textarea, select")) {
                event.preventDefault();
                this.predicate.input.focus();
            }
        };
        document.addEventListener("keydown", this.keys);
        command({ id: "console run", title: "Run the fetch", keys: "Ctrl-Enter", run: () => this.run() });
        command({ id: "console save", title: "Save the query", run: () => this.save() });
    }

    leave() { document.removeEventListener("keydown", this.keys); }

    async begin(query) {
        this.contents = await this.api("entities");
        this.drawForm();
        try {
            this.showQueries(await this.api("queries"));
        } catch (error) {
            this.sidebar.replaceChildren(element("p", { class: "list-title" }, "Saved queries"), note(error));
        }
        await this.go(query);
    }

    async go(query) {
        const text = query.get("fetch");
        let fetch = null;
        try {
            fetch = text ? JSON.parse(text) : null;
        } catch {
            fetch = null;
        }
        if (!fetch) return this.teach();
        if (text === this.shown) return;
        this.fill(fetch);
        await this.run();
    }

    entity() { return this.contents.entities.find(({ name }) => name === this.entities.value); }

    drawForm() {
        const field = (title, control, hint) => element("div", { class: "field" }, element("label", { for: control.id }, title), control, hint ? element("p", { class: "hint" }, hint) : null);
        const input = (id, placeholder) => {
            const control = element("input", { id, class: "input mono", type: "text", placeholder, spellcheck: "false", autocomplete: "off", list: "console-keys" });
            return control;
        };
        this.entities = element("select", { id: "console-entity", class: "input" });
        for (const { name, total } of this.contents.entities) this.entities.append(element("option", { value: name }, `${name} (${number(total ?? 0)})`));
        this.keyList = element("datalist", { id: "console-keys" });
        this.entities.addEventListener("change", () => this.drawKeys());
        this.predicate = new PredicateField({ api: this.api, entity: () => this.entities.value, apply: () => this.run() });
        this.predicate.input.id = "console-predicate";
        this.sort = input("console-sort", "name, -date");
        this.columns = input("console-columns", "all");
        this.groups = input("console-groups", "none");
        this.having = input("console-having", "count > 1");
        this.limit = element("input", { id: "console-limit", class: "input", type: "number", min: "1", max: "5000", placeholder: "500" });
        this.distinct = element("input", { id: "console-distinct", type: "checkbox" });
        this.aggregates = element("div", { class: "aggregates" });
        const add = element("button", { type: "button", class: "button small", id: "console-aggregate" }, "Add a function");
        add.addEventListener("click", () => this.addAggregate("count", ""));
        const run = element("button", { type: "submit", class: "button primary", title: "Ctrl-Enter" }, "Run");
        const save = element("button", { type: "button", class: "button" }, "Save…");
        save.addEventListener("click", () => this.save());
        const form = element("form", { class: "console-form" },
            element("div", { class: "console-first" }, field("Entity", this.entities), element("div", { class: "field" }, element("label", { for: "console-predicate" }, "Predicate"), this.predicate.host)),
            element("div", { class: "console-second" }, field("Sort by", this.sort), field("Columns", this.columns), field("Group by", this.groups), field("Groups with", this.having), field("At most", this.limit)),
            element("div", { class: "spread console-third" }, element("span", { class: "secondary" }, "Functions"), this.aggregates, add, element("label", { class: "check" }, this.distinct, "Distinct"), element("span", { class: "push" }), save, run),
            this.keyList);
        form.addEventListener("submit", (event) => {
            event.preventDefault();
            this.run();
        });
        this.result = element("div", { class: "console-result" });
        this.main.append(form, this.result);
        this.drawKeys();
    }

    drawKeys() {
        const keys = this.keyPaths(this.entity());
        this.keyList.replaceChildren(...keys.map((value) => element("option", { value })));
    }

    keyPaths(entity) {
        const own = (entity?.properties ?? []).filter(({ subentity }) => !subentity);
        const further = own.filter(({ kind }) => kind === "toOne").flatMap((property) =>
            (this.contents.entities.find(({ name }) => name === property.destination)?.properties ?? []).filter(({ kind, subentity }) => kind === "attribute" && !subentity).map(({ name }) => `${property.name}.${name}`));
        return [...own.filter(({ kind }) => kind !== "toMany").map(({ name }) => name), ...further];
    }

    addAggregate(name, key) {
        const kind = element("select", { class: "input", "aria-label": "Function" });
        for (const each of functions) kind.append(element("option", { value: each }, each));
        kind.value = name;
        const path = element("input", { class: "input mono", type: "text", value: key, placeholder: "rows", list: "console-keys", "aria-label": "Key of the function", spellcheck: "false" });
        const remove = element("button", { type: "button", class: "icon-button", "aria-label": "Remove the function" }, "✕");
        const box = element("span", { class: "aggregate" }, kind, path, remove);
        remove.addEventListener("click", () => box.remove());
        this.aggregates.append(box);
    }

    /** The fetch that the form describes. */
    read() {
        const list = (control) => control.value.split(",").map((text) => text.trim()).filter(Boolean);
        const fetch = { entity: this.entities.value };
        if (this.predicate.value.trim()) fetch.predicate = this.predicate.value.trim();
        for (const [name, control] of [["sort", this.sort], ["columns", this.columns], ["groupBy", this.groups]]) if (list(control).length) fetch[name] = list(control);
        const aggregates = [...this.aggregates.children].map((box) => {
            const [kind, path] = box.querySelectorAll("select, input");
            return path.value.trim() ? { function: kind.value, key: path.value.trim() } : { function: kind.value };
        });
        if (aggregates.length) fetch.aggregates = aggregates;
        if (this.having.value.trim() && fetch.groupBy) fetch.having = this.having.value.trim();
        if (this.distinct.checked) fetch.isDistinct = true;
        if (this.limit.value) fetch.limit = Number(this.limit.value);
        return fetch;
    }

    fill(fetch) {
        this.entities.value = fetch.entity;
        this.drawKeys();
        this.predicate.value = fetch.predicate ?? "";
        this.sort.value = (fetch.sort ?? []).join(", ");
        this.columns.value = (fetch.columns ?? []).join(", ");
        this.groups.value = (fetch.groupBy ?? []).join(", ");
        this.having.value = fetch.having ?? "";
        this.limit.value = fetch.limit ?? "";
        this.distinct.checked = fetch.isDistinct ?? false;
        this.aggregates.replaceChildren();
        for (const { function: name, key } of fetch.aggregates ?? []) this.addAggregate(name, key ?? "");
    }

    teach() {
        this.shown = null;
        this.result.replaceChildren(element("div", { class: "empty" }, element("h2", {}, "Run a fetch"),
            element("p", {}, "Choose an entity, and enter a predicate as a program would. The result comes with its SQL, the bound values, and how the store found the rows."),
            element("p", {}, "With Group by and functions, each row is a group: the number of tasks by owner, the greatest price by category."),
            element("p", {}, element("kbd", {}, "Ctrl"), " ", element("kbd", {}, "Enter"), " runs it.")));
    }

    async run() {
        const fetch = this.read();
        const text = JSON.stringify(fetch);
        this.shown = text;
        this.navigate([], { fetch: text });
        this.result.setAttribute("aria-busy", "true");
        try {
            const result = await this.api("run", { body: fetch });
            if (this.shown !== text) return;
            this.predicate.mark(null);
            this.draw(fetch, result);
            announce(count(result.rows.length, "result"));
        } catch (error) {
            if (this.shown !== text) return;
            if (error.place !== undefined && error.place !== null && !error.message.startsWith("In the condition")) this.predicate.mark({ message: error.message, remedy: error.remedy, place: error.place, length: 0 });
            this.result.replaceChildren(element("div", { class: "page" }, note(error)));
        } finally {
            this.result.removeAttribute("aria-busy");
        }
    }

    draw(fetch, { columns, rows, isLimited, plan, seconds, swift }) {
        const table = element("table", { class: "grid", id: "console-rows" });
        table.append(element("thead", {}, element("tr", {}, ...columns.map(({ name, isNumber }) => element("th", { scope: "col", class: isNumber ? "number" : "" }, name)))));
        const body = element("tbody", {});
        for (const row of rows) {
            body.append(element("tr", {}, ...row.map((cell, place) =>
                element("td", { class: columns[place].isNumber ? "number" : "" }, ...cellContent(cell, {
                    open: (link) => link && this.navigate([link.entity], { row: link.id }, { section: "data" }),
                })))));
        }
        table.append(body);
        const milliseconds = (value) => `${(value * 1000).toFixed(1)} ms`;
        const head = element("div", { class: "strip" }, element("strong", {}, `${isLimited ? "First " : ""}${count(rows.length, fetch.groupBy ? "group" : "result")}`), element("span", { class: "secondary" }, `in ${milliseconds(seconds)}`));
        const left = element("div", { class: "console-rows" }, head, rows.length ? element("div", { class: "scrolls" }, table) : element("div", { class: "empty" }, element("h2", {}, `No ${fetch.entity} fits`), element("p", {}, "The SQL beside shows which rows were asked for.")));
        const facts = element("dl", { class: "facts" });
        const fact = (title, value) => facts.append(element("dt", {}, title), element("dd", {}, value));
        fact("Rows", number(plan.rows));
        fact("Read from end to end", `${number(plan.rowsScanned)} ${plan.rowsScanned === 1 ? "row" : "rows"}`);
        fact("Index used", plan.indexes.join(", ") || "none");
        fact("Sorted", plan.isSorted ? "after the rows were found" : "no sorting was needed");
        fact("Time of the statement", milliseconds(plan.seconds));
        const copy = element("button", { type: "button", class: "button small push" }, "Copy SQL");
        copy.addEventListener("click", () => navigator.clipboard.writeText(plan.sql).then(() => announce("Copied")));
        const steps = element("ol", { class: "plan" });
        for (const step of plan.steps) {
            const item = element("li", {}, step.trim());
            item.style.marginInlineStart = `${(step.length - step.trimStart().length) * 8}px`;
            steps.append(item);
        }
        const right = element("section", { class: "console-plan", "aria-label": "SQL and plan" });
        if (plan.sql) right.append(element("div", { class: "spread" }, element("h2", {}, "SQL"), copy), element("pre", { class: "sql", id: "console-sql" }, plan.sql));
        if (plan.bindings.length) {
            const values = element("ol", { class: "bindings mono", id: "console-bindings" });
            for (const value of plan.bindings) values.append(element("li", {}, value));
            right.append(element("h2", {}, "Bound values"), values);
        }
        right.append(element("h2", {}, "How the store finds the rows"), steps);
        if (plan.advice) right.append(element("div", { class: "note warns" }, plan.advice));
        if (plan.sql) right.append(facts);
        right.append(element("h2", {}, "In Swift"), element("pre", { class: "swift" }, swift));
        this.result.replaceChildren(element("div", { class: "halves" }, left, right));
    }

    // Saved queries

    showQueries({ file, queries }) {
        const list = element("ul", { class: "list", id: "console-queries" });
        for (const { name, request } of queries) {
            const open = element("button", { type: "button" }, element("span", { class: "name" }, name), element("span", { class: "count" }, request.entity));
            open.addEventListener("click", () => {
                this.fill(request);
                this.name = name;
                this.run();
            });
            const remove = element("button", { type: "button", class: "icon-button", "aria-label": `Remove ${name}`, title: "Remove" }, "✕");
            remove.addEventListener("click", async () => {
                if (!(await ask({ title: `Remove “${name}”?`, text: "The query is removed from its file.", confirm: "Remove", isDanger: true }))) return;
                await this.change(() => this.api(`queries?name=${encodeURIComponent(name)}`, { method: "DELETE" }));
            });
            list.append(element("li", { class: "saved-query" }, open, remove));
        }
        const parts = [element("p", { class: "list-title" }, "Saved queries"), list];
        if (!queries.length) parts.push(element("p", { class: "data-origin" }, "Save a query to find it here again. Queries are kept in a file beside the model, for everyone who works with it."));
        parts.push(element("p", { class: "data-origin" }, file));
        this.sidebar.replaceChildren(...parts);
    }

    async change(action) {
        try {
            this.showQueries(await action());
        } catch (error) {
            this.result.prepend(note(error));
        }
    }

    async save() {
        const name = element("input", { class: "input", type: "text", "aria-label": "Name", value: this.name ?? "", required: true, id: "query-name" });
        if (!(await ask({ title: "Save the query", content: element("div", { class: "field" }, element("label", { for: "query-name" }, "Name"), name), confirm: "Save" }))) return;
        this.name = name.value.trim();
        await this.change(() => this.api("queries", { body: { name: this.name, request: this.read() } }));
    }
}
