// The lines of a diagram: which there are, their routes, and how they are drawn. Used by diagram.js.
"use strict";

import { BoxIndex, head, rowMiddle } from "./geometry.js";
import { UsedLines, crosses, route } from "./router.js";
import { shape } from "./shapes.js";

/** The height at which lines reach the head of a card. */
const headMiddle = (head - 6) / 2;

/**
 * The lines between entities: {id, kind, from, to, fromPlace, toPlace, …} with places as properties' indices, or -1 for the
 * head. A relationship and its inverse are one line.
 */
export function lines(entities) {
    const byName = new Map(entities.map((entity) => [entity.name, entity]));
    const result = [];
    const done = new Set();
    for (const entity of entities) {
        if (entity.superentity && byName.has(entity.superentity)) {
            result.push({ id: `^${entity.name}`, kind: "inherits", from: entity.name, to: entity.superentity, fromPlace: -1, toPlace: -1 });
        }
        for (const [place, property] of entity.properties.entries()) {
            const other = property.kind === "relationship" ? byName.get(property.destination) : null;
            if (!other || done.has(`${entity.name}.${property.name}`)) continue;
            const back = other.properties.findIndex((candidate) =>
                candidate.kind === "relationship" && candidate.name === property.inverse && candidate.inverse === property.name
                && candidate.destination === entity.name);
            const inverse = other.properties[back];
            const isOwn = inverse && other === entity && back === place;
            if (inverse) done.add(`${other.name}.${inverse.name}`);
            done.add(`${entity.name}.${property.name}`);
            result.push({
                id: `${entity.name}.${property.name}`, kind: "relates", from: entity.name, to: other.name,
                property: property.name, inverse: inverse?.name ?? null, fromPlace: place, toPlace: isOwn ? -1 : back,
                isToMany: property.isToMany, isInverseToMany: inverse?.isToMany ?? false,
                isOneWay: !property.inverse,
            });
        }
    }
    return result;
}

const heightAt = (place) => (place < 0 ? headMiddle : rowMiddle(place));

/** Keeps the routes of all lines, and computes only those that a change affects. */
export class Routes {
    constructor() {
        this.known = new Map();
        this.used = new UsedLines();
        this.index = new BoxIndex();
    }

    /** Routes all lines again that changed, or that a card is now in the way of; returns their identifiers. */
    update(list, boxes) {
        this.index = new BoxIndex(boxes.values());
        this.boxes = boxes;
        this.lines = new Map(list.map((line) => [line.id, line]));
        const changed = new Set();
        for (const [id, entry] of this.known) {
            const line = this.lines.get(id);
            if (!line || this.signature(line) !== entry.signature || this.isCrossed(entry.points)) {
                this.used.remove(id, entry.points);
                this.known.delete(id);
            }
        }
        for (const line of list) {
            if (this.known.has(line.id) || !boxes.has(line.from) || !boxes.has(line.to)) continue;
            this.set(line, false);
            changed.add(line.id);
        }
        return changed;
    }

    signature(line) {
        const place = (box) => `${box?.x} ${box?.y}`;
        return `${place(this.boxes.get(line.from))} ${line.fromPlace} ${place(this.boxes.get(line.to))} ${line.toPlace}`;
    }

    isCrossed(points) {
        for (let place = 1; place < points.length; place++) {
            const [from, to] = [points[place - 1], points[place]];
            const area = { x: Math.min(from.x, to.x), y: Math.min(from.y, to.y), width: Math.abs(from.x - to.x), height: Math.abs(from.y - to.y) };
            for (const box of this.index.near(area)) if (crosses([from, to], box)) return true;
        }
        return false;
    }

    set(line, isQuick) {
        const found = route(
            { box: this.boxes.get(line.from), y: heightAt(line.fromPlace) }, { box: this.boxes.get(line.to), y: heightAt(line.toPlace) },
            this.index, this.used, isQuick
        );
        this.known.set(line.id, { ...found, signature: this.signature(line) });
        this.used.add(line.id, found.points);
        return found;
    }

    /** Routes the lines of one card while it is dragged; the others keep theirs. */
    follow(name) {
        const changed = [];
        this.index = new BoxIndex(this.boxes.values());
        for (const line of this.lines.values()) {
            if (line.from !== name && line.to !== name) continue;
            const old = this.known.get(line.id);
            if (old) this.used.remove(line.id, old.points);
            this.set(line, true);
            changed.push(line.id);
        }
        return changed;
    }

    get(id) {
        return this.known.get(id);
    }
}

/** A path with rounded corners. */
function rounded(points) {
    let text = `M${points[0].x} ${points[0].y}`;
    for (let place = 1; place < points.length - 1; place++) {
        const [before, at, after] = [points[place - 1], points[place], points[place + 1]];
        const radius = Math.min(6, (Math.abs(at.x - before.x) + Math.abs(at.y - before.y)) / 2, (Math.abs(after.x - at.x) + Math.abs(after.y - at.y)) / 2);
        const toward = (to) => `${at.x + Math.sign(to.x - at.x) * radius} ${at.y + Math.sign(to.y - at.y) * radius}`;
        text += `L${toward(before)}Q${at.x} ${at.y} ${toward(after)}`;
    }
    const last = points.at(-1);
    return `${text}L${last.x} ${last.y}`;
}

/** The end of a line: three toes for many objects, a bar for one. */
function foot({ x, y }, side, isMany) {
    if (!isMany) return `M${x + side * 9} ${y - 5}v10`;
    return `M${x} ${y - 6}L${x + side * 12} ${y}L${x} ${y + 6}`;
}

/** Draws a line, or draws it again in its element. */
export function drawLine(line, { points, sides }, old = null) {
    const group = old ?? shape("g", { class: `edge ${line.kind}`, "data-edge": line.id },
        shape("title"), shape("path", { class: "hit" }), shape("path", { class: "line" }), shape("path", { class: "ends" }));
    const [title, hit, path, ends] = group.children;
    const text = rounded(points);
    hit.setAttribute("d", text);
    path.setAttribute("d", text);
    const [start, end] = [points[0], points.at(-1)];
    group.classList.toggle("one-way", Boolean(line.isOneWay));
    if (line.kind === "inherits") {
        title.textContent = `${line.from} inherits from ${line.to}`;
        ends.setAttribute("d", `M${end.x} ${end.y}l${sides[1] * 13} -7v14z`);
    } else {
        title.textContent = `${line.from}.${line.property} – ${line.to}${line.inverse ? `.${line.inverse}` : ""}`;
        ends.setAttribute("d", foot(end, sides[1], line.isToMany) + (line.isOneWay ? "" : foot(start, sides[0], line.isInverseToMany)));
    }
    return group;
}
