// A grid of any number of rows of which only those near the view are in the page, and in memory.
"use strict";

import { element } from "../shell/elements.js";

export const rowHeight = 32;
/** Browsers limit the height of elements; beyond this the scroll range is scaled. */
const greatestHeight = 12_000_000;
const pageSize = 100;
/** Pages of rows that are kept in memory. */
const keptPages = 24;
const overscan = 12;

/**
 * The grid. `source.load(offset, limit, signal)` returns {total, rows, inserted, columns}; `drawCell(cell, row, column)`
 * returns the content of a cell; `on` has header and mark, which draw, and the handlers edit, open, inspect, remove, select,
 * failed.
 */
export class Grid {
    constructor(host, { source, drawCell, on }) {
        Object.assign(this, { source, drawCell, on });
        this.columns = [];
        this.pages = new Map();
        this.loading = new Map();
        this.elements = new Map();
        this.total = 0;
        this.inserted = [];
        this.top = 0;
        this.active = { row: 0, column: 0 };
        this.anchor = null;
        this.generation = 0;
        this.header = element("div", { class: "rows-header", role: "row", "aria-rowindex": "1" });
        this.layer = element("div", { class: "rows-layer", role: "presentation" });
        this.range = element("div", { class: "rows-range", role: "presentation" }, this.layer);
        this.scroller = element("div", { class: "rows", role: "grid", tabindex: "0", "aria-label": "Rows", "aria-multiselectable": "true" }, this.header, this.range);
        this.last = 0;
        this.scroller.addEventListener("scroll", () => this.scrolled());
        this.scroller.addEventListener("keydown", (event) => this.key(event));
        this.scroller.addEventListener("mousedown", (event) => this.pointed(event));
        this.scroller.addEventListener("dblclick", (event) => {
            const cell = event.target.closest?.("[role=gridcell]");
            if (cell && !event.target.closest("button, a")) this.on.edit(this.activeRow(), this.columns[this.active.column], this.activeCell());
        });
        this.observer = new ResizeObserver(() => this.layout());
        this.observer.observe(this.scroller);
        host.append(this.scroller);
    }

    /** Ends the grid: it draws and asks for nothing any more. */
    close() {
        this.isClosed = true;
        this.observer.disconnect();
        clearTimeout(this.settling);
        clearTimeout(this.asking);
        for (const { controller } of this.loading.values()) controller.abort();
        this.scroller.remove();
    }

    /** The number of lines: new rows, then stored ones. */
    get lines() { return this.inserted.length + this.total; }

    // Content

    /** Shows a view from a row on; the columns are those of the first window. */
    async show({ columns, widths, sort, row = 0 }) {
        this.generation += 1;
        this.pages.clear();
        for (const { controller } of this.loading.values()) controller.abort();
        this.loading.clear();
        this.anchor = null;
        [this.wanted, this.widths, this.sort] = [columns, widths, sort];
        const page = Math.floor(row / pageSize);
        await this.load(page);
        this.active = { row: Math.min(row + this.inserted.length, Math.max(0, this.lines - 1)), column: Math.min(this.active.column, Math.max(0, this.columns.length - 1)) };
        this.layout();
        this.reveal(this.active.row, row > 0);
    }

    /** Reads the visible rows again, as after a save; the view keeps its place. */
    async refresh() {
        this.generation += 1;
        for (const { controller } of this.loading.values()) controller.abort();
        this.loading.clear();
        const stale = this.pages;
        this.pages = new Map();
        const [first, end] = this.visible();
        const pages = this.pagesOf(first, end);
        // The old rows stay visible until the new ones are there.
        this.stale = stale;
        await Promise.all((pages.length ? pages : [0]).map((page) => this.load(page)));
        this.stale = null;
        this.layout();
    }

    async load(page) {
        if (this.pages.has(page)) return this.pages.get(page);
        if (this.loading.has(page)) return this.loading.get(page).promise;
        const controller = new AbortController();
        const { generation } = this;
        const promise = (async () => {
            try {
                const window = await this.source.load(page * pageSize, pageSize, controller.signal);
                if (generation !== this.generation) return null;
                this.pages.set(page, window.rows);
                while (this.pages.size > keptPages) this.pages.delete(this.pages.keys().next().value);
                const changed = window.total !== this.total || window.inserted.length !== this.inserted.length;
                [this.total, this.inserted] = [window.total, window.inserted];
                if (!sameColumns(this.columns, window.columns)) {
                    this.columns = window.columns;
                    this.drawHeader();
                }
                if (changed) this.layout();
                return window.rows;
            } catch (error) {
                if (error.name !== "AbortError" && generation === this.generation && !this.isClosed) this.on.failed?.(error);
                return null;
            } finally {
                if (this.loading.get(page)?.controller === controller) this.loading.delete(page);
            }
        })();
        this.loading.set(page, { promise, controller });
        return promise;
    }

    /** The row of a line, or null while it is loading. */
    row(line) {
        if (line < this.inserted.length) return this.inserted[line] ?? null;
        const place = line - this.inserted.length;
        const page = Math.floor(place / pageSize);
        const rows = this.pages.get(page) ?? this.stale?.get(page);
        return rows?.[place % pageSize] ?? null;
    }

    activeRow() { return this.row(this.active.row); }
    activeCell() { return this.elements.get(this.active.row)?.children[this.active.column + 1] ?? null; }

    pagesOf(first, end) {
        const from = Math.max(0, first - this.inserted.length);
        const to = Math.max(0, end - this.inserted.length);
        const pages = [];
        for (let page = Math.floor(from / pageSize); page * pageSize < Math.min(to, this.total); page += 1) pages.push(page);
        return pages;
    }

    // Place

    get viewHeight() { return Math.max(rowHeight, this.scroller.clientHeight - rowHeight); }
    get fullHeight() { return this.lines * rowHeight; }
    get rangeHeight() { return Math.min(this.fullHeight, greatestHeight); }
    get greatestTop() { return Math.max(0, this.fullHeight - this.viewHeight); }

    visible() {
        const first = Math.max(0, Math.floor(this.top / rowHeight));
        return [first, Math.min(this.lines, Math.ceil((this.top + this.viewHeight) / rowHeight))];
    }

    layout() {
        this.range.style.height = `${this.rangeHeight}px`;
        this.scroller.setAttribute("aria-rowcount", String(this.lines + 1));
        this.scroller.setAttribute("aria-colcount", String(this.columns.length + 1));
        this.top = Math.min(this.top, this.greatestTop);
        this.settle();
        this.draw();
    }

    scrolled() {
        const place = this.scroller.scrollTop;
        if (place === this.last) return this.draw();
        const moved = place - this.last;
        this.last = place;
        const span = Math.max(1, this.rangeHeight - this.viewHeight);
        if (this.rangeHeight === this.fullHeight) {
            this.top = place;
        } else if (place <= 0) {
            this.top = 0;
        } else if (place >= span - 1) {
            this.top = this.greatestTop;
        } else if (Math.abs(moved) < this.viewHeight * 2) {
            // A short way moves by as many rows as it would without the scale.
            this.top = Math.min(this.greatestTop, Math.max(0, this.top + moved));
            clearTimeout(this.settling);
            this.settling = setTimeout(() => this.settle(), 150);
        } else {
            this.top = (place / span) * this.greatestTop;
        }
        this.top = Math.min(this.top, this.greatestTop);
        this.draw();
    }

    /** Moves the scroll bar to the place that belongs to the rows. */
    settle() {
        const span = Math.max(1, this.rangeHeight - this.viewHeight);
        const place = this.rangeHeight === this.fullHeight ? this.top : Math.round((this.top / Math.max(1, this.greatestTop)) * span);
        if (Math.abs(this.scroller.scrollTop - place) >= 1) this.scroller.scrollTop = place;
        this.last = this.scroller.scrollTop;
        this.draw();
    }

    /** Scrolls so that a line is in the view. */
    reveal(line, isCentred = false) {
        const place = line * rowHeight;
        if (isCentred) this.top = place - this.viewHeight / 2;
        else if (place < this.top) this.top = place;
        else if (place + rowHeight > this.top + this.viewHeight) this.top = place + rowHeight - this.viewHeight;
        this.top = Math.max(0, Math.min(this.top, this.greatestTop));
        this.settle();
    }

    // Drawing

    drawHeader() {
        this.header.replaceChildren(element("div", { class: "column row-mark", role: "columnheader", "aria-colindex": "1" }, element("span", { class: "hidden" }, "Object")));
        this.columns.forEach((column, place) => this.header.append(this.on.header(column, place, this)));
        this.applyWidths();
        for (const row of this.elements.values()) row.remove();
        this.elements.clear();
    }

    applyWidths() {
        const widths = [96, ...this.columns.map((column) => this.widths?.[column.name] ?? defaultWidth(column))];
        this.scroller.style.setProperty("--columns", widths.map((width) => `${width}px`).join(" "));
        this.scroller.style.setProperty("--width", `${widths.reduce((sum, width) => sum + width, 0)}px`);
    }

    draw() {
        if (this.isClosed) return;
        const [first, end] = this.visible();
        const from = Math.max(0, first - overscan);
        const to = Math.min(this.lines, end + overscan);
        this.layer.style.transform = `translateY(${this.scroller.scrollTop - this.top + from * rowHeight}px)`;
        for (const [line, row] of this.elements) {
            if (line >= from && line < to) continue;
            row.remove();
            this.elements.delete(line);
        }
        const missing = new Set();
        for (let line = from; line < to; line += 1) {
            const data = this.row(line);
            let row = this.elements.get(line);
            if (!row) {
                row = element("div", { class: "row", role: "row" });
                this.elements.set(line, row);
                row.data = undefined;
            }
            row.style.top = `${(line - from) * rowHeight}px`;
            if (row.parentNode !== this.layer) this.layer.append(row);
            if (!data && line >= first && line < end) missing.add(Math.floor((line - this.inserted.length) / pageSize));
            if (row.data !== data || row.line !== line) this.drawRow(row, line, data);
            const isActive = line === this.active.row;
            row.classList.toggle("active", isActive);
            row.setAttribute("aria-selected", String(this.isSelected(line)));
            if (isActive || row.activeColumn !== undefined) this.drawActive(row, isActive);
        }
        this.request(missing);
    }

    drawActive(row, isActive) {
        const place = isActive ? this.active.column : undefined;
        if (row.activeColumn !== undefined) row.children[row.activeColumn + 1]?.classList.remove("active");
        if (place !== undefined && row.children[place + 1]) {
            row.children[place + 1].classList.add("active");
            this.scroller.setAttribute("aria-activedescendant", row.children[place + 1].id);
        }
        row.activeColumn = place;
    }

    drawRow(row, line, data) {
        row.data = data;
        row.line = line;
        row.activeColumn = undefined;
        row.setAttribute("aria-rowindex", String(line + 2));
        row.className = `row${data?.state ? ` ${data.state}` : ""}${data ? "" : " loading"}`;
        if (!data) {
            row.replaceChildren(element("div", { class: "cell row-mark", role: "rowheader" }, "…"));
            return;
        }
        row.dataset.id = data.id;
        const mark = element("div", { class: "cell row-mark", role: "rowheader", "aria-colindex": "1" });
        mark.append(this.on.mark(data));
        row.replaceChildren(mark);
        this.columns.forEach((column, place) => {
            const cell = element("div", { class: `cell ${column.cell}`, role: "gridcell", id: `cell-${line}-${place}`, "aria-colindex": String(place + 2) });
            if (data.changed?.includes(place) && data.state === "updated") cell.classList.add("changed");
            cell.append(...this.drawCell(data.cells[place], data, column));
            row.append(cell);
        });
    }

    /** Asks for the pages of visible rows; while the view moves fast, only for those that it stops at. */
    request(missing) {
        clearTimeout(this.asking);
        if (!missing.size) return;
        const isQuiet = this.loading.size === 0;
        const ask = () => {
            for (const [page, { controller }] of this.loading) if (!missing.has(page)) controller.abort();
            Promise.all([...missing].map((page) => this.load(page))).then(() => this.draw());
        };
        if (isQuiet) ask();
        else this.asking = setTimeout(ask, 40);
    }

    // Selection

    isSelected(line) {
        if (this.anchor === null) return line === this.active.row;
        const [low, high] = [Math.min(this.anchor, this.active.row), Math.max(this.anchor, this.active.row)];
        return line >= low && line <= high;
    }

    /** The selected lines: [first, end). */
    selection() {
        const other = this.anchor ?? this.active.row;
        return [Math.min(other, this.active.row), Math.max(other, this.active.row) + 1];
    }

    activate(row, column = this.active.column, { extends: isExtending = false } = {}) {
        if (!this.lines) return;
        if (isExtending) this.anchor ??= this.active.row;
        else this.anchor = null;
        this.active = {
            row: Math.max(0, Math.min(row, this.lines - 1)), column: Math.max(0, Math.min(column, this.columns.length - 1)),
        };
        this.reveal(this.active.row);
        this.revealColumn();
        this.on.select(this.activeRow(), this.active);
    }

    revealColumn() {
        const cell = this.header.children[this.active.column + 1];
        if (!cell) return;
        const [left, right] = [cell.offsetLeft - 96, cell.offsetLeft + cell.offsetWidth];
        const { scroller } = this;
        if (left < scroller.scrollLeft) scroller.scrollLeft = left;
        else if (right > scroller.scrollLeft + scroller.clientWidth) scroller.scrollLeft = right - scroller.clientWidth;
    }

    pointed(event) {
        const cell = event.target.closest?.("[role=gridcell], [role=rowheader]");
        if (!cell || event.button) return;
        const row = cell.closest(".row");
        const place = [...row.children].indexOf(cell) - 1;
        if (event.target.closest("input, select, textarea")) return;
        this.activate(row.line, place < 0 ? this.active.column : place, { extends: event.shiftKey });
    }

    key(event) {
        if (event.target !== this.scroller) return;
        const { row, column } = this.active;
        const page = Math.max(1, Math.floor(this.viewHeight / rowHeight) - 1);
        const isExtending = event.shiftKey;
        const moves = {
            ArrowDown: [row + 1, column], ArrowUp: [row - 1, column], ArrowRight: [row, column + 1], ArrowLeft: [row, column - 1],
            PageDown: [row + page, column], PageUp: [row - page, column],
            Home: event.ctrlKey ? [0, column] : [row, 0], End: event.ctrlKey ? [this.lines - 1, column] : [row, this.columns.length - 1],
        };
        if (moves[event.key] && !event.altKey) {
            event.preventDefault();
            this.activate(...moves[event.key], { extends: isExtending && /Down|Up|Home|End/.test(event.key) });
            return;
        }
        if (event.ctrlKey || event.metaKey) return;
        const data = this.activeRow();
        if (!data) return;
        if (event.key === "Enter" || event.key === "F2") {
            event.preventDefault();
            this.on.edit(data, this.columns[column], this.activeCell());
        } else if (event.key === "Delete" || event.key === "Backspace") {
            event.preventDefault();
            this.on.remove(this.selection());
        } else if (event.key === "o" && !event.altKey) {
            event.preventDefault();
            this.on.open(data, this.columns[column], column);
        } else if (event.key === " ") {
            event.preventDefault();
            this.on.inspect(data);
        }
    }
}

function sameColumns(one, other) {
    return one.length === other.length && one.every((column, place) => column.name === other[place].name && column.type === other[place].type);
}

export function defaultWidth(column) {
    return { number: 104, boolean: 88, date: 184, uuid: 280, text: 200, toOne: 176, toMany: 112, binary: 136 }[column.cell] ?? 168;
}
