// The drawing of a model: cards, lines, the view of them, dragging, and the keyboard. It shows pictures and boxes; its owner,
// model.js, changes the model.
"use strict";

import { announce, element } from "../shell/elements.js";
import { drawCard } from "./cards.js";
import { Routes, drawLine, lines } from "./edges.js";
import { bounds, head, separate, toFile, width } from "./geometry.js";
import { Minimap } from "./minimap.js";
import { shape } from "./shapes.js";

const zooms = { least: 0.08, most: 2.5 };

export class Diagram {
    /**
     * `actions` has select(entity, property), open(entity, property), moved(entity), connect(from, to),
     * remove(entity, property).
     */
    constructor(actions, { isReadOnly = false, key = null } = {}) {
        this.actions = actions;
        this.isReadOnly = isReadOnly;
        this.key = key;
        this.entities = [];
        this.boxes = new Map();
        this.cards = new Map();
        this.edges = new Map();
        this.routes = new Routes();
        this.selected = { entity: null, property: null };
        this.view = { x: 0, y: 0, zoom: 1 };
        this.edgeLayer = shape("g", { class: "edges" });
        this.cardLayer = shape("g", { class: "cards-layer" });
        this.overlay = shape("path", { class: "rubber" });
        this.world = shape("g", { class: "world" }, this.edgeLayer, this.cardLayer, this.overlay);
        this.svg = shape("svg", { class: "diagram", role: "group", "aria-label": "Diagram of the model" }, this.world);
        this.minimap = new Minimap((x, y) => this.center(x, y));
        this.root = element("div", { class: "canvas" });
        this.root.append(this.svg, this.minimap.root, this.controls());
        this.listen();
        this.observer = new ResizeObserver(() => this.applyView());
        this.observer.observe(this.root);
    }

    close() {
        this.observer.disconnect();
        cancelAnimationFrame(this.frame);
    }

    controls() {
        const box = element("div", { class: "zoom", role: "group", "aria-label": "Zoom" });
        const add = (label, text, run) => {
            const button = element("button", { type: "button", "aria-label": label, title: label }, text);
            button.addEventListener("click", run);
            box.append(button);
        };
        add("Zoom out", "−", () => this.zoomBy(1 / 1.25));
        this.zoomLabel = element("button", { type: "button", class: "zoom-value", title: "Actual size" }, "100 %");
        this.zoomLabel.addEventListener("click", () => this.zoomBy(1 / this.view.zoom));
        box.append(this.zoomLabel);
        add("Zoom in", "+", () => this.zoomBy(1.25));
        add("Show all", "Fit", () => this.fit());
        return box;
    }

    // Content

    /** Shows entities; `changed` names the cards to draw again, null for all. `hues` and `problems` are functions. */
    draw(entities, boxes, { changed = null, hue, problems, status = () => new Map() }) {
        this.entities = entities;
        this.boxes = boxes;
        const names = new Set(entities.map(({ name }) => name));
        for (const [name, card] of this.cards) {
            if (names.has(name)) continue;
            card.remove();
            this.cards.delete(name);
        }
        for (const entity of entities) {
            const { name } = entity;
            const old = this.cards.get(name);
            if (!old || !changed || changed.has(name)) {
                const card = drawCard(entity, { hue: hue(entity), problems: problems(entity), status: status(entity) });
                const hasFocus = old?.contains(document.activeElement);
                if (old) old.replaceWith(card);
                else this.cardLayer.append(card);
                this.cards.set(name, card);
                if (hasFocus) card.focus({ preventScroll: true });
            }
            this.moveCard(name);
        }
        this.lines = lines(entities);
        this.routes.update(this.lines, boxes);
        this.drawEdges();
        this.drawMap();
        this.mark();
        this.applyView();
    }

    drawMap() {
        const boxes = [...this.boxes.values()];
        this.all = bounds(boxes);
        this.minimap.draw(boxes);
    }

    drawEdges() {
        const seen = new Set();
        for (const line of this.lines) {
            const found = this.routes.get(line.id);
            if (!found) continue;
            seen.add(line.id);
            const old = this.edges.get(line.id);
            const group = drawLine(line, found, old);
            if (!old) {
                this.edgeLayer.append(group);
                this.edges.set(line.id, group);
            }
        }
        for (const [id, group] of this.edges) {
            if (seen.has(id)) continue;
            group.remove();
            this.edges.delete(id);
        }
    }

    moveCard(name) {
        const { x, y } = this.boxes.get(name);
        this.cards.get(name).setAttribute("transform", `translate(${x} ${y})`);
    }

    // Selection

    /** Marks an entity and a property, and brings the card into view if asked to. */
    select(entity, property = null, { reveal = false, focus = false } = {}) {
        this.selected = { entity, property };
        this.mark();
        if (reveal) this.reveal(entity);
        if (focus) this.cards.get(entity)?.focus({ preventScroll: true });
    }

    mark() {
        const { entity, property } = this.selected;
        for (const [name, card] of this.cards) {
            const isSelected = name === entity;
            card.classList.toggle("selected", isSelected);
            card.setAttribute("tabindex", isSelected || (!this.cards.has(entity) && name === this.entities[0]?.name) ? 0 : -1);
            card.setAttribute("aria-pressed", String(isSelected));
        }
        for (const line of this.cardLayer.querySelectorAll(".row.selected")) line.classList.remove("selected");
        if (property) this.cards.get(entity)?.querySelector(`.row[data-property="${CSS.escape(property)}"]`)?.classList.add("selected");
        this.svg.classList.toggle("has-selection", this.cards.has(entity));
        for (const line of this.lines ?? []) {
            const isNear = line.from === entity || line.to === entity;
            this.edges.get(line.id)?.classList.toggle("near", isNear);
        }
    }

    // The view

    size() {
        return { width: this.root.clientWidth, height: this.root.clientHeight };
    }

    applyView() {
        const { x, y, zoom } = this.view;
        this.world.setAttribute("transform", `translate(${x} ${y}) scale(${zoom})`);
        this.svg.classList.toggle("far", zoom < 0.4);
        this.zoomLabel.textContent = `${Math.round(zoom * 100)} %`;
        const { width, height } = this.size();
        const visible = { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom };
        this.minimap.mark(visible);
        // The small map is needed only if a part of the diagram is out of sight.
        const all = this.all;
        this.root.classList.toggle("shows-all", Boolean(all) && all.x >= visible.x && all.y >= visible.y && all.x + all.width <= visible.x + visible.width && all.y + all.height <= visible.y + visible.height);
        if (!this.key || !this.isRestored) return;
        const isWhole = ["x", "y", "zoom"].every((part) => this.view[part] === this.whole?.[part]);
        sessionStorage.setItem(this.key, JSON.stringify({ x, y, zoom, isWhole }));
    }

    /** Shows the part that was shown last in this window, or everything. */
    restore() {
        const text = this.key && sessionStorage.getItem(this.key);
        const view = text ? JSON.parse(text) : null;
        this.isRestored = true;
        // Everything is shown again, too, in a window that has another size now.
        if (!view || view.isWhole) return this.fit();
        this.view = { x: view.x, y: view.y, zoom: view.zoom };
        this.applyView();
    }

    fit() {
        const all = bounds([...this.boxes.values()]);
        const { width, height } = this.size();
        if (!all.width || !width) return;
        const zoom = Math.max(zooms.least, Math.min(1, (width - 64) / all.width, (height - 64) / all.height));
        this.view = { zoom, x: (width - all.width * zoom) / 2 - all.x * zoom, y: (height - all.height * zoom) / 2 - all.y * zoom };
        this.whole = { ...this.view };
        this.applyView();
    }

    zoomBy(factor, center = null) {
        const { width, height } = this.size();
        const [cx, cy] = center ?? [width / 2, height / 2];
        const zoom = Math.max(zooms.least, Math.min(zooms.most, this.view.zoom * factor));
        const ratio = zoom / this.view.zoom;
        this.view = { zoom, x: cx - (cx - this.view.x) * ratio, y: cy - (cy - this.view.y) * ratio };
        this.applyView();
    }

    center(x, y) {
        const { width, height } = this.size();
        this.view.x = width / 2 - x * this.view.zoom;
        this.view.y = height / 2 - y * this.view.zoom;
        this.applyView();
    }

    /** Brings a card into view, as near as possible. */
    reveal(name) {
        const box = this.boxes.get(name);
        if (!box) return;
        if (this.view.zoom < 0.5) this.view.zoom = 0.8;
        const { zoom } = this.view;
        const { width, height } = this.size();
        const [left, top] = [box.x * zoom + this.view.x, box.y * zoom + this.view.y];
        const isVisible = left >= 0 && top >= 0 && left + box.width * zoom <= width && top + Math.min(box.height * zoom, height) <= height;
        if (isVisible) this.applyView();
        else this.center(box.x + box.width / 2, box.y + Math.min(box.height, height / zoom) / 2);
    }

    /** The place in the diagram of a place in the window. */
    place(event) {
        const box = this.svg.getBoundingClientRect();
        return { x: (event.clientX - box.left - this.view.x) / this.view.zoom, y: (event.clientY - box.top - this.view.y) / this.view.zoom };
    }

    /** The middle of the visible part. */
    middle() {
        const { width, height } = this.size();
        return { x: (width / 2 - this.view.x) / this.view.zoom, y: (height / 2 - this.view.y) / this.view.zoom };
    }

    // The pointer

    listen() {
        this.svg.addEventListener("wheel", (event) => {
            event.preventDefault();
            const box = this.svg.getBoundingClientRect();
            if (event.ctrlKey || event.metaKey) return this.zoomBy(Math.exp(-event.deltaY / 300), [event.clientX - box.left, event.clientY - box.top]);
            const isSideways = event.shiftKey && !event.deltaX;
            this.view.x -= isSideways ? event.deltaY : event.deltaX;
            this.view.y -= isSideways ? 0 : event.deltaY;
            this.applyView();
        }, { passive: false });
        this.svg.addEventListener("pointerdown", (event) => this.press(event));
        this.svg.addEventListener("pointermove", (event) => this.drag?.move(event));
        this.svg.addEventListener("pointerup", (event) => this.release(event, true));
        this.svg.addEventListener("pointercancel", (event) => this.release(event, false));
        this.svg.addEventListener("dblclick", (event) => {
            const card = event.target.closest(".entity");
            if (card) this.actions.open(card.dataset.entity, event.target.closest(".row")?.dataset.property ?? null);
        });
        this.svg.addEventListener("keydown", (event) => this.steer(event));
        this.svg.addEventListener("focusin", (event) => {
            const card = event.target.closest(".entity");
            if (card && card.dataset.entity !== this.selected.entity && !this.drag) this.actions.select(card.dataset.entity, null);
        });
    }

    press(event) {
        if (event.button !== 0 || this.drag) return;
        this.svg.setPointerCapture(event.pointerId);
        const card = event.target.closest(".entity");
        const edge = event.target.closest(".edge");
        if (card && !this.isReadOnly && (event.altKey || event.target.closest(".connector"))) this.drag = this.connecting(card.dataset.entity);
        else if (card) this.drag = this.movingCard(card.dataset.entity, event.target.closest(".row")?.dataset.property ?? null, event);
        else this.drag = this.panning(event, edge?.dataset.edge ?? null);
    }

    release(event, isDone) {
        const { drag } = this;
        this.drag = null;
        if (drag) (isDone ? drag.end : drag.cancel ?? drag.end)(event);
    }

    panning(start, edge) {
        const view = { ...this.view };
        let isMoved = false;
        this.svg.classList.add("panning");
        return {
            move: (event) => {
                isMoved ||= Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY) > 3;
                this.view.x = view.x + event.clientX - start.clientX;
                this.view.y = view.y + event.clientY - start.clientY;
                this.applyView();
            },
            end: () => {
                this.svg.classList.remove("panning");
                if (isMoved) return;
                const line = this.lines.find(({ id }) => id === edge);
                if (line) this.actions.select(line.from, line.property ?? null);
                else this.actions.select(null, null);
            },
        };
    }

    /** Moves a card: only it and its lines are drawn again, once a frame. */
    movingCard(name, property, start) {
        const box = this.boxes.get(name);
        const origin = { x: box.x, y: box.y };
        const from = this.place(start);
        let isMoved = false;
        let target = null;
        const card = this.cards.get(name);
        const step = () => {
            this.frame = 0;
            Object.assign(box, target);
            this.moveCard(name);
            for (const id of this.routes.follow(name)) drawLine(this.routes.lines.get(id), this.routes.get(id), this.edges.get(id));
        };
        return {
            move: (event) => {
                if (this.isReadOnly) return;
                const to = this.place(event);
                if (!isMoved && Math.hypot(to.x - from.x, to.y - from.y) * this.view.zoom < 4) return;
                if (!isMoved) {
                    isMoved = true;
                    this.cardLayer.append(card);
                    card.classList.add("dragged");
                }
                target = { x: Math.round((origin.x + to.x - from.x) / 4) * 4, y: Math.round((origin.y + to.y - from.y) / 4) * 4 };
                this.frame ||= requestAnimationFrame(step);
            },
            end: () => {
                cancelAnimationFrame(this.frame);
                this.frame = 0;
                card.classList.remove("dragged");
                if (!isMoved) return this.actions.select(name, property);
                if (target) step();
                this.drop(name);
            },
            cancel: () => {
                target = origin;
                step();
                card.classList.remove("dragged");
            },
        };
    }

    /** Finds a free place for a card that was moved, and reports its place. */
    drop(name) {
        const box = this.boxes.get(name);
        separate([box], [...this.boxes.values()].filter((other) => other !== box));
        this.moveCard(name);
        this.routes.update(this.lines, this.boxes);
        this.drawEdges();
        this.drawMap();
        this.applyView();
        this.actions.moved(name);
    }

    connecting(name) {
        const box = this.boxes.get(name);
        const start = { x: box.x + width, y: box.y + (head - 6) / 2 };
        let over = null;
        this.svg.classList.add("connecting");
        const target = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest?.(".entity")?.dataset.entity ?? null;
        const finish = () => {
            this.svg.classList.remove("connecting");
            this.overlay.removeAttribute("d");
            this.cards.get(over)?.classList.remove("target");
        };
        return {
            move: (event) => {
                const to = this.place(event);
                this.overlay.setAttribute("d", `M${start.x} ${start.y}L${to.x} ${to.y}`);
                const next = target(event);
                if (next === over) return;
                this.cards.get(over)?.classList.remove("target");
                this.cards.get(next)?.classList.add("target");
                over = next;
            },
            end: (event) => {
                over = target(event);
                finish();
                if (over) this.actions.connect(name, over);
            },
            cancel: finish,
        };
    }

    // The keyboard

    steer(event) {
        const card = event.target.closest?.(".entity");
        if (!card || event.ctrlKey || event.metaKey) return;
        const name = card.dataset.entity;
        const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
        const step = steps[event.key];
        const property = this.selected.entity === name ? this.selected.property : null;
        if (step && event.altKey) this.nudge(name, step);
        else if (step && step[1] && property) this.goInside(name, property, step[1]);
        else if (step) this.go(name, step);
        else if (event.key === "Enter" || event.key === " ") this.actions.open(name, property);
        else if (event.key === "Delete" || event.key === "Backspace") this.actions.remove(name, property);
        else if (event.key === "Escape") this.actions.select(property ? name : null, null);
        else return;
        event.preventDefault();
    }

    nudge(name, [x, y]) {
        if (this.isReadOnly) return;
        const box = this.boxes.get(name);
        box.x += x * 16;
        box.y += y * 16;
        this.drop(name);
    }

    /** Goes to the next property of a card; above the first one is the card itself. */
    goInside(name, property, step) {
        const { properties } = this.entities.find((entity) => entity.name === name);
        const place = properties.findIndex((each) => each.name === property) + step;
        if (place < properties.length) this.actions.select(name, properties[place]?.name ?? null);
    }

    /** Goes to the nearest card in a direction. */
    go(name, [dx, dy]) {
        const middle = (box) => [box.x + box.width / 2, box.y + box.height / 2];
        const [x, y] = middle(this.boxes.get(name));
        let best = null;
        for (const box of this.boxes.values()) {
            if (box.name === name) continue;
            const [ox, oy] = middle(box);
            const along = (ox - x) * dx + (oy - y) * dy;
            const aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
            if (along <= 0) continue;
            const price = along + aside * 2;
            if (!best || price < best.price) best = { name: box.name, price };
        }
        if (!best) return announce("There is no card in this direction.");
        this.actions.select(best.name, null);
        this.select(best.name, null, { reveal: true, focus: true });
    }

    /** The place of a card in the units of the file. */
    filePlace(name) {
        return toFile(this.boxes.get(name));
    }
}
