// The section Data: entities on the left, rows in the middle, the object on the right, staged changes below.
// The address holds the view: /data/ENTITY?`where`=…&sort=…&columns=…&row=…, and of=OBJECT&by=RELATIONSHIP for a
// relationship's objects.
"use strict";

import { element, note, count, number, announce } from "../shell/elements.js";
import { Grid } from "./grid.js";
import { PredicateField } from "./predicate.js";
import { Staged } from "./staged.js";
import { cellContent, makeEditor, plainText, tooLong } from "./cells.js";
import { header, chooseColumns } from "./columns.js";
import { emptyState } from "./empty.js";
import { inspect } from "./inspector.js";
import { pick } from "./picker.js";

/** The name of this tab: its staged changes survive a reload. */
export function readerName() {
    let name = sessionStorage.getItem("studio-reader");
    if (!name) {
        name = crypto.randomUUID();
        sessionStorage.setItem("studio-reader", name);
    }
    return name;
}

export async function show(context) {
    const view = new DataView(context);
    await view.begin(context.path, context.query);
    return { leave: () => view.leave(), go: ({ path, query }) => view.go(path, query) };
}

class DataView {
    constructor({ main, sidebar, inspector, source, api, stream, navigate, command }) {
        Object.assign(this, { main, sidebar, inspector, source, stream, navigate, command });
        this.reader = readerName();
        this.address = `/studio/api/${source.id}/data`;
        this.api = (path, options) => api(`${path}${path.includes("?") ? "&" : "?"}reader=${this.reader}`, options);
        this.trail = [];
        this.view = {};
        main.classList.add("data");
        this.crumbs = element("nav", { class: "crumbs", "aria-label": "Path" });
        this.sum = element("span", { class: "secondary data-sum", role: "status" });
        this.predicate = new PredicateField({ api: this.api, entity: () => this.view.entity, apply: (text) => this.change({ where: text, row: null }) });
        this.tools = element("div", { class: "data-tools" });
        this.body = element("div", { class: "data-body" });
        main.append(element("div", { class: "strip data-head" }, this.crumbs, this.tools), element("div", { class: "data-filter" }, this.predicate.host, this.sum), this.body);
        this.staged = new Staged({ api: this.api, host: main, open: (link) => this.openObject(link), changed: (state) => this.edited(state) });
        this.grid = null;
        this.keys = (event) => this.key(event);
        document.addEventListener("keydown", this.keys);
        for (const [id, title, keys, run] of [
            ["data predicate", "Filter rows", "/", () => this.predicate.input.focus()], ["data columns", "Choose columns", "", () => this.chooseColumns()],
            ["data new", "New object", "", () => this.insert()], ["data save", "Save the changes", "Ctrl-S", () => this.save()],
            ["data csv", "Copy rows as CSV", "", () => this.copy("csv")], ["data json", "Copy rows as JSON", "", () => this.copy("json")],
        ]) command({ id, title, keys, run });
    }

    async begin(path, query) {
        await this.loadEntities();
        try {
            await this.staged.load();
        } catch (error) {
            this.staged.failed(error);
        }
        for (const { name } of this.contents.entities) {
            this.command({ id: `data entity ${name}`, title: name, kind: "rows", run: () => this.change({ entity: name, where: "", sort: [], columns: [], of: null, by: null, row: null }) });
        }
        await this.go(path, query);
        this.events = this.stream("changes", { stamp: (stamp) => this.stamped(stamp) });
    }

    leave() {
        document.removeEventListener("keydown", this.keys);
        clearTimeout(this.updating);
        this.inspector.turn = null;
        this.events?.close();
        this.grid?.close();
    }

    async loadEntities() {
        this.contents = await this.api("entities");
        this.isWritable = this.contents.isWritable;
        this.stamp = this.contents.stamp;
        this.drawSidebar();
    }

    entity(name = this.view.entity) { return this.contents.entities.find((each) => each.name === name); }

    // The address

    async go(path, query) {
        const name = path[0] ?? [...this.contents.entities].sort((one, other) => (other.total ?? 0) - (one.total ?? 0))[0]?.name;
        if (!name) return this.empty("No entities", "The model has no entities, so there are no rows.");
        // The address names the entity, so that it can be sent to a colleague.
        if (!path[0]) this.navigate([name], query, { replace: true });
        const old = this.view;
        this.view = {
            entity: name, where: query.get("where") ?? "", sort: list(query.get("sort")), columns: list(query.get("columns")),
            of: query.get("of"), by: query.get("by"), row: query.get("row"), widths: old.entity === name ? old.widths : widthsOf(this.source.id, name),
        };
        if (!this.entity()) return this.empty(`No entity ${name}`, "The model has no entity of this name. Choose one on the left.");
        this.drawSidebar();
        this.follow();
        this.predicate.value = this.view.where;
        this.drawTools();
        const keys = ["entity", "where", "of", "by"];
        const isSame = this.grid && keys.every((key) => old[key] === this.view[key]) && String(old.sort) === String(this.view.sort) && String(old.columns) === String(this.view.columns);
        if (!isSame) await this.showRows();
        if (this.view.row && this.view.row !== this.shownRow) this.inspect(this.view.row);
        else if (!this.view.row) this.closeInspector();
    }

    /** Changes a part of the view, and the address with it. */
    change(parts, { replace = false } = {}) {
        const next = { ...this.view, ...parts };
        if (parts.widths) {
            localStorage.setItem(`studio-widths ${this.source.id} ${next.entity}`, JSON.stringify(parts.widths));
            this.view.widths = parts.widths;
            if (Object.keys(parts).length === 1) return;
        }
        const query = new URLSearchParams();
        for (const key of ["where", "of", "by", "row"]) if (next[key]) query.set(key, next[key]);
        for (const key of ["sort", "columns"]) if (next[key]?.length) query.set(key, next[key].join(","));
        this.navigate([next.entity], query, { replace });
        return this.go([next.entity], query);
    }

    /** The breadcrumbs: views that led here. */
    follow() {
        const address = location.pathname + location.search;
        const label = this.view.of ? `${this.ofTitle ?? this.view.of} › ${this.view.by}` : this.view.entity;
        const key = [this.view.entity, this.view.of, this.view.by].join(" ");
        const place = this.trail.findIndex((crumb) => crumb.key === key);
        if (place >= 0) this.trail = this.trail.slice(0, place + 1);
        else this.trail.push({ key });
        Object.assign(this.trail.at(-1), { address, label });
        if (this.trail.length > 8) this.trail.shift();
        const step = (title, mark, run) => {
            const button = element("button", { type: "button", class: "icon-button", "aria-label": title, title }, mark);
            button.addEventListener("click", run);
            return button;
        };
        const parts = [step("Back", "‹", () => history.back()), step("Forward", "›", () => history.forward())];
        this.trail.forEach((crumb, index) => {
            if (index) parts.push(element("span", { class: "count", "aria-hidden": "true" }, "/"));
            parts.push(element("a", { href: crumb.address, "aria-current": index === this.trail.length - 1 ? "page" : null }, crumb.label));
        });
        this.crumbs.replaceChildren(...parts);
    }

    drawSidebar() {
        const tree = element("ul", { class: "list", "aria-label": "Entities" });
        const children = new Map();
        for (const entity of this.contents.entities) children.set(entity.parent ?? "", [...(children.get(entity.parent ?? "") ?? []), entity]);
        const add = (entity, depth) => {
            const link = element("a", { href: `/studio/${this.source.id}/data/${encodeURIComponent(entity.name)}`, class: entity.isAbstract ? "abstract" : "" });
            link.style.paddingInlineStart = `${8 + depth * 16}px`;
            link.append(element("span", { class: "name" }, entity.name), element("span", { class: "count" }, entity.total === null || entity.total === undefined ? "–" : number(entity.total)));
            if (entity.name === this.view.entity) link.setAttribute("aria-current", "true");
            tree.append(element("li", {}, link));
            for (const child of children.get(entity.name) ?? []) add(child, depth + 1);
        };
        for (const entity of children.get("") ?? []) add(entity, 0);
        const kind = this.source.kind === "container" ? "running" : this.isWritable ? "can be changed" : "read-only";
        this.sidebar.replaceChildren(element("p", { class: "list-title" }, "Entities"), tree, element("p", { class: "data-origin count" }, `${this.source.path || this.source.title} (${kind}). Model: ${{ cache: "the store's own", program: "the program's" }[this.contents.modelSource] ?? this.contents.modelSource}.`));
    }

    drawTools() {
        const button = (title, run, attributes = {}) => {
            const result = element("button", { type: "button", class: "button small", ...attributes }, title);
            result.addEventListener("click", run);
            return result;
        };
        const menu = element("select", { class: "input export", "aria-label": "Copy and export" });
        for (const [value, title] of [["", "Copy, export…"], ["copy csv", "Copy as CSV"], ["copy json", "Copy as JSON"], ["export csv", "Export all as CSV"], ["export json", "Export all as JSON"]]) menu.append(element("option", { value }, title));
        menu.addEventListener("change", () => {
            const [verb, form] = menu.value.split(" ");
            menu.value = "";
            if (verb === "copy") this.copy(form);
            else this.export(form);
        });
        this.tools.replaceChildren(
            button("New", () => this.insert(), { id: "data-new" }), button("Duplicate", () => this.duplicate()), button("Delete", () => this.remove(this.grid?.selection() ?? [0, 0])),
            button("Columns", () => this.chooseColumns(), { id: "data-columns" }), menu,
        );
    }

    // Rows

    request(offset, limit) {
        const { entity, where, sort, columns, of, by } = this.view;
        const request = { entity, sort, columns, offset, limit, includesSubentities: true };
        if (where) request.predicate = where;
        if (of) request.owner = { id: of, relationship: by };
        return request;
    }

    async load(offset, limit, signal) {
        const window = await this.api("rows", { body: this.request(offset, limit), signal });
        this.windowed(window);
        return window;
    }

    windowed({ total, inserted, suggestion }) {
        const staged = inserted.length ? `, ${number(inserted.length)} new` : "";
        this.sum.textContent = `${count(total, "row")}${staged}`;
        this.suggestion = suggestion;
        const isEmpty = !total && !inserted.length;
        if (isEmpty) this.showEmpty();
        else if (this.emptied) {
            this.emptied.remove();
            this.emptied = null;
            if (this.grid) this.grid.scroller.hidden = false;
        }
    }

    async showRows() {
        this.grid?.close();
        this.hasFailed = false;
        this.emptied = null;
        this.body.replaceChildren();
        this.grid = new Grid(this.body, {
            source: { load: (...parts) => this.load(...parts) },
            drawCell: (cell, row, column) => this.drawCell(cell, row, column),
            on: {
                header: (column, place, grid) => header(column, place, grid, { sort: this.view.sort, change: (parts) => this.change({ ...parts, ...(parts.sort ? { row: null } : {}) }) }),
                mark: (row) => this.mark(row),
                edit: (row, column, cell) => this.edit(row, column, cell),
                open: (row, column, place) => this.openCell(row, column, place),
                inspect: (row) => this.select(row.id),
                remove: (selection) => this.remove(selection),
                select: (row) => this.inspector.childElementCount && row && this.select(row.id),
                failed: (error) => this.failed(error),
            },
        });
        let row = 0;
        if (this.view.row) {
            try {
                row = (await this.api("place", { body: { id: this.view.row, request: this.request(0, 1) } })).place ?? 0;
            } catch {
                row = 0;
            }
        }
        await this.grid.show({ columns: this.view.columns, widths: this.view.widths, sort: this.view.sort, row });
        this.body.dataset.ready = String(Number(this.body.dataset.ready ?? 0) + 1);
    }

    /** Shows why there are no rows; they are read again when the view or the store changes, or the stream connects again. */
    failed(error) {
        this.grid?.close();
        this.grid = null;
        this.hasFailed = true;
        this.sum.textContent = "";
        if (error.place !== undefined && error.place !== null) this.predicate.mark({ message: error.message, remedy: error.remedy, place: error.place, length: 0 });
        this.body.replaceChildren(element("div", { class: "page" }, note(error)));
    }

    drawCell(cell, row, column) {
        const picture = cell?.mediaType ? `${this.address}/binary?id=${encodeURIComponent(row.id)}&property=${encodeURIComponent(column.name)}&reader=${this.reader}` : null;
        return cellContent(cell, { picture, open: (link) => (link ? this.openObject(link) : this.openRelation(row, column)) });
    }

    mark(row) {
        const name = element("button", { type: "button", class: "row-name", tabindex: "-1", title: `${row.id}: show the whole object` }, isNew(row.id) ? "new" : row.id.split("/").at(-1));
        name.addEventListener("click", () => this.select(row.id));
        if (row.state) name.prepend(element("span", { class: "state", title: row.state }, { inserted: "+", updated: "●", deleted: "✕", gone: "?" }[row.state] ?? ""));
        return name;
    }

    showEmpty() {
        this.emptied?.remove();
        this.emptied = emptyState({
            entity: this.entity(), view: this.view, suggestion: this.suggestion, isWritable: this.isWritable,
            change: (parts) => this.change(parts), insert: () => this.insert(),
        });
        if (this.grid) this.grid.scroller.hidden = true;
        this.body.append(this.emptied);
    }

    empty(title, text) {
        this.grid?.close();
        this.grid = null;
        this.hasFailed = false;
        this.body.replaceChildren(element("div", { class: "empty" }, element("h2", {}, title), element("p", {}, text)));
    }

    /** A writer has saved: read the visible rows again, a few times a second at most. */
    stamped(stamp) {
        if (stamp === this.stamp && !this.hasFailed) return;
        this.stamp = stamp;
        if (this.updating) return;
        this.updating = setTimeout(async () => {
            this.updating = null;
            await this.refresh();
            if (this.view.row && this.inspector.childElementCount && !this.inspector.contains(document.activeElement)) this.inspect(this.view.row);
        }, 120);
    }

    async refresh() {
        if (this.hasFailed) await this.showRows();
        else if (!this.editor) await this.grid?.refresh();
        try {
            const contents = await this.api("entities");
            this.contents = contents;
            this.drawSidebar();
        } catch {
            // The rows show the error.
        }
    }

    // Following relations

    openObject(link) {
        this.change({ entity: link.entity, where: "", sort: [], columns: [], of: null, by: null, row: link.id });
    }

    openRelation(row, column) {
        const title = this.entity(row.entity)?.titleProperty;
        const place = this.grid.columns.findIndex(({ name }) => name === title);
        this.openMembers(row.id, column, place >= 0 ? row.cells[place]?.text : null);
    }

    openMembers(id, column, title) {
        this.ofTitle = title;
        this.change({ entity: column.destination, where: "", sort: [], columns: [], of: id, by: column.name, row: null });
    }

    /** Opens the objects that refer to one by a relationship without an inverse. */
    openReferrers(id, title, entity, relationship) {
        this.ofTitle = title;
        this.change({ entity, where: "", sort: [], columns: [], of: id, by: `${entity}.${relationship}`, row: null });
    }

    openCell(row, column, place) {
        const cell = row.cells[place];
        if (cell?.kind === "toOne") this.openObject(cell.object);
        else if (cell?.kind === "toMany") this.openRelation(row, column);
        else this.select(row.id);
    }

    select(id) {
        if (this.view.row === id && this.inspector.childElementCount) return;
        this.change({ row: id }, { replace: true });
    }

    async inspect(id) {
        this.shownRow = id;
        await inspect({
            host: this.inspector, api: this.api, id, reader: this.reader, isWritable: this.isWritable,
            on: {
                address: this.address,
                open: (link) => this.openObject(link),
                follow: (object, property) => this.openMembers(object, property, null),
                referrers: (object, title, entity, relationship) => this.openReferrers(object, title, entity, relationship),
                set: (object, property, text) => this.set(object, property, text),
                relate: (object, property) => this.relate(object, property),
                close: () => this.change({ row: null }, { replace: true }),
            },
        });
    }

    closeInspector() {
        this.shownRow = null;
        this.inspector.turn = null;
        this.inspector.replaceChildren();
    }

    // Editing

    refuse(reason, remedy) {
        this.staged.failed({ message: reason, remedy });
    }

    /** Saves the changes, with the text that is being typed in the inspector. */
    save() {
        document.activeElement?.send?.();
        return this.staged.save();
    }

    get refusal() { return ["The store is read-only here.", "Start the studio with --write, and open the store again."]; }

    async set(object, property, text) {
        const edit = { kind: "set", object, property: property.name };
        if (text !== null) edit.text = text;
        await this.staged.apply([edit]);
    }

    /** The cell of an attribute with its whole value: cells of the grid hold the beginning of a long text. */
    async wholeCell(row, column) {
        const cell = row.cells[this.grid.columns.indexOf(column)];
        if (!cell?.isTruncated) return cell;
        const { fields } = await this.api(`object?id=${encodeURIComponent(row.id)}`);
        return fields.find(({ property }) => property.name === column.name)?.cell ?? cell;
    }

    /** Shows the control that edits a cell. */
    async edit(row, column, host) {
        if (!row || !column || !host) return;
        if (!this.isWritable) return this.refuse(...this.refusal);
        if (row.state === "deleted" || row.state === "gone") return this.refuse("The object is deleted.", "Undo the deletion to edit it.");
        if (column.kind !== "attribute") return column.name.includes(".") ? this.refuse(`${column.name} belongs to another object.`, column.refusal) : this.relate(row.id, column);
        if (column.refusal) return this.refuse(`${column.name} cannot be edited.`, column.refusal);
        if (column.cell === "binary") return this.select(row.id);
        let cell = row.cells[this.grid.columns.indexOf(column)];
        if (cell?.isTruncated) {
            const { grid } = this;
            try {
                cell = await this.wholeCell(row, column);
            } catch (error) {
                return this.staged.failed(error);
            }
            // The reader may have gone to another cell, or opened this one twice.
            if (this.grid !== grid || this.editor || grid.activeRow()?.id !== row.id || grid.columns[grid.active.column] !== column) return;
            if (cell.isTruncated) return this.refuse(`${column.name} is too long to be edited here.`, tooLong);
            host = grid.activeCell() ?? host;
        }
        const { control, value } = makeEditor(column, cell);
        const box = element("div", { class: "cell-editor" }, control);
        const rectangle = host.getBoundingClientRect();
        const frame = this.body.getBoundingClientRect();
        box.style.left = `${Math.max(0, rectangle.left - frame.left)}px`;
        box.style.top = `${rectangle.top - frame.top}px`;
        box.style.minWidth = `${Math.min(rectangle.width, frame.width)}px`;
        this.body.append(box);
        this.editor = box;
        control.focus();
        control.select?.();
        let isDone = false;
        const finish = async (isKept, step = 0) => {
            if (isDone) return;
            isDone = true;
            const text = isKept ? value() : undefined;
            box.remove();
            this.editor = null;
            this.grid?.scroller.focus({ preventScroll: true });
            if (text !== undefined) await this.set(row.id, column, text);
            if (step && this.grid) this.grid.activate(this.grid.active.row, this.grid.active.column + step);
        };
        control.addEventListener("keydown", (event) => {
            event.stopPropagation();
            if (event.key === "Escape") {
                event.preventDefault();
                finish(false);
            } else if (event.key === "Enter" && !event.shiftKey) {
                event.preventDefault();
                finish(true);
            } else if (event.key === "Tab") {
                event.preventDefault();
                finish(true, event.shiftKey ? -1 : 1);
            } else if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
                event.preventDefault();
                finish(true);
                this.staged.save();
            }
        });
        control.addEventListener("focusout", () => finish(true));
    }

    async relate(id, property) {
        if (!this.isWritable) return this.refuse(...this.refusal);
        let members = [];
        let isIncomplete = false;
        try {
            const details = await this.api(`object?id=${encodeURIComponent(id)}`);
            const cell = details.fields.find((field) => field.property.name === property.name)?.cell;
            if (property.kind === "toOne") members = cell?.object ? [cell.object] : [];
            else if (cell?.count) {
                const destination = this.entity(property.destination);
                const title = destination?.titleProperty;
                const window = await this.api("rows", { body: { entity: property.destination, sort: [], columns: title ? [title] : [], offset: 0, limit: 200, includesSubentities: true, owner: { id, relationship: property.name } } });
                members = window.rows.map((row) => ({ id: row.id, entity: row.entity, title: (title && plainText(row.cells[0])) || row.id }));
                isIncomplete = window.total > members.length;
            }
        } catch (error) {
            return this.staged.failed(error);
        }
        const result = await pick({ api: this.api, column: property, title: `${property.name} of ${id}`, members, isIncomplete });
        this.grid?.scroller.focus({ preventScroll: true });
        if (!result) return;
        const edits = [];
        if (property.kind === "toOne") edits.push({ kind: "replace", object: id, property: property.name, members: result.chosen });
        else {
            if (result.removed.length) edits.push({ kind: "remove", object: id, property: property.name, members: result.removed });
            if (result.added.length) edits.push({ kind: "add", object: id, property: property.name, members: result.added });
        }
        await this.staged.apply(edits);
    }

    async insert() {
        if (!this.isWritable) return this.refuse(...this.refusal);
        let { entity } = this.view;
        if (this.entity().isAbstract) entity = this.contents.entities.find((each) => each.parent === entity && !each.isAbstract)?.name ?? entity;
        const edits = [{ kind: "insert", entity }];
        const state = await this.staged.apply(edits);
        if (!state) return;
        const { of, by } = this.view;
        if (of && by.includes(".")) await this.staged.apply([{ kind: "add", object: state.created[0], property: by.split(".")[1], members: [of] }]);
        else if (of) await this.staged.apply([{ kind: this.isToOne(of, by) ? "replace" : "add", object: of, property: by, members: state.created }]);
        this.grid?.reveal(0);
        this.grid?.activate(0, 0);
        this.select(state.created[0]);
    }

    isToOne(of, by) { return this.entity(of.split("/").at(-2))?.properties.find(({ name }) => name === by)?.kind === "toOne"; }

    async duplicate() {
        const row = this.grid?.activeRow();
        if (!row) return;
        if (!this.isWritable) return this.refuse(...this.refusal);
        const state = await this.staged.apply([{ kind: "duplicate", object: row.id }]);
        if (!state) return;
        this.grid?.activate(0);
        this.select(state.created[0]);
    }

    async remove([first, end]) {
        if (!this.isWritable) return this.refuse(...this.refusal);
        const rows = [];
        for (let line = first; line < end; line += 1) {
            const row = this.grid.row(line);
            if (!row) return this.refuse("Not all of the selected rows are loaded.", "Select fewer rows.");
            if (row.state !== "deleted") rows.push(row.id);
        }
        if (rows.length) await this.staged.remove(rows);
        this.grid?.scroller.focus({ preventScroll: true });
    }

    /** The staged changes have changed. */
    async edited(state) {
        if (state.isSaved) await this.refresh();
        else await this.grid?.refresh();
        if (!this.view.row) return;
        const isGone = isNew(this.view.row) && !state.changes.some(({ link }) => link.id === this.view.row);
        if (isGone) this.change({ row: null }, { replace: true });
        else if (this.inspector.childElementCount) await this.inspect(this.view.row);
    }

    // Columns, copies

    async chooseColumns() {
        const shown = this.grid?.columns.map(({ name }) => name) ?? [];
        const columns = await chooseColumns(this.entity(), shown, this.contents.entities);
        if (columns?.length) this.change({ columns });
    }

    exportAddress(form, offset, limit) {
        const request = { ...this.request(offset, limit), columns: this.grid.columns.map(({ name }) => name) };
        return `${this.address}/export?form=${form}&request=${encodeURIComponent(JSON.stringify(request))}&reader=${this.reader}`;
    }

    /** Copies the selected rows, or those that were read if a single one is selected. */
    async copy(form) {
        if (!this.grid) return;
        const [first, end] = this.grid.selection();
        // New rows are above the stored ones, and have nothing to be copied yet.
        const [start, stop] = [first, end].map((line) => Math.max(0, line - this.grid.inserted.length));
        const isOne = end - first === 1;
        if (!isOne && start === stop) return this.refuse("None of the selected rows is stored.", "Save the new objects first, or select others.");
        try {
            const response = await fetch(this.exportAddress(form, isOne ? 0 : start, isOne ? 1000 : stop - start));
            const text = await response.text();
            if (!response.ok) throw new Error(JSON.parse(text).error?.message ?? text);
            await navigator.clipboard.writeText(text);
            announce(`Copied as ${form.toUpperCase()}`);
            this.sum.textContent = `Copied ${isOne ? count(Math.min(1000, this.grid.total), "row") : count(stop - start, "row")} as ${form.toUpperCase()}`;
        } catch (error) {
            this.staged.failed({ message: "The rows were not copied.", reason: error.message, remedy: "Export them to a file." });
        }
    }

    /** Copies the whole value of the active cell. */
    async copyCell() {
        const row = this.grid.activeRow();
        try {
            const cell = row && (await this.wholeCell(row, this.grid.columns[this.grid.active.column]));
            if (cell?.isTruncated) return this.refuse("The value is too long to be copied here.", "Export the rows to a file.");
            await navigator.clipboard.writeText(cell?.text ?? cell?.object?.id ?? String(cell?.count ?? ""));
            announce("Copied");
        } catch (error) {
            this.staged.failed({ message: "The value was not copied.", reason: error.message, remedy: "Export the rows to a file." });
        }
    }

    export(form) {
        if (!this.grid) return;
        const link = element("a", { href: this.exportAddress(form, 0, 0), download: `${this.view.entity}.${form}` });
        document.body.append(link);
        link.click();
        link.remove();
    }

    // Keys

    key(event) {
        if (document.querySelector("dialog[open]")) return;
        const isTyping = event.target.matches?.("input, textarea, select");
        const isCommand = event.ctrlKey || event.metaKey;
        if (isCommand && event.key.toLowerCase() === "s") {
            event.preventDefault();
            this.save();
        } else if (isCommand && event.key.toLowerCase() === "z" && !isTyping) {
            event.preventDefault();
            if (event.shiftKey) this.staged.redo();
            else this.staged.undo();
        } else if (isCommand && event.key.toLowerCase() === "c" && !isTyping && event.target === this.grid?.scroller && !String(getSelection())) {
            const [first, end] = this.grid.selection();
            if (end - first > 1) return this.copy("csv");
            this.copyCell();
        } else if (event.key === "/" && !isTyping && !isCommand) {
            event.preventDefault();
            this.predicate.input.focus();
            this.predicate.input.select();
        } else if (event.key === "Escape" && !event.defaultPrevented) {
            if (isTyping && this.grid) this.grid.scroller.focus();
            else if (this.inspector.childElementCount) this.change({ row: null }, { replace: true });
            else if (this.trail.length > 1) this.navigateBack();
        }
    }

    navigateBack() {
        const crumb = this.trail.at(-2);
        const url = new URL(crumb.address, location.href);
        const path = url.pathname.split("/").slice(4).map(decodeURIComponent).filter(Boolean);
        this.navigate(path, url.searchParams);
        this.go(path, url.searchParams);
    }
}

/** Whether an object is not saved yet: its name is ENTITY/t…, and STORE/ENTITY/p… of one in one of several stores. */
function isNew(id) { return /\/t[^/]*$/.test(id); }

function list(text) { return text ? text.split(",").filter(Boolean) : []; }

function widthsOf(source, entity) {
    try {
        return JSON.parse(localStorage.getItem(`studio-widths ${source} ${entity}`)) ?? {};
    } catch {
        return {};
    }
}
