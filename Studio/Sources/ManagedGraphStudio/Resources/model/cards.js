// Draws the card of an entity. Used by diagram.js, and by the comparison of versions.
"use strict";

import { head, height, row, rowMiddle, width } from "./geometry.js";
import { fitted, glyph, shape } from "./shapes.js";

const sans = "system-ui, -apple-system, 'Segoe UI', Roboto, Inter, 'Helvetica Neue', Arial, sans-serif";

/** The marks at the end of an attribute's row: [text, title]. */
function marks(property) {
    const result = [];
    if (property.kind !== "attribute") return result;
    if (property.derivation) result.push(["ƒ", `derived: ${property.derivation}`]);
    if (property.isTransient) result.push(["~", "transient: not stored"]);
    if (property.isExternal) result.push(["↗", "large values in files of their own"]);
    return result;
}

/** The text at the end of a row: a relationship's destination, or an attribute's marks. */
function ending(property) {
    if (property.kind === "relationship") return property.destination || "no destination";
    if (property.kind === "fetched") return property.request?.entity ?? "";
    return "";
}

function drawRow(property, place, problems, status) {
    const y = rowMiddle(place);
    const group = shape("g", { class: `row ${property.kind} ${status ?? ""}`.trim(), "data-property": property.name, transform: `translate(0 ${y})` });
    group.append(shape("rect", { class: "row-back", x: 4, y: -row / 2, width: width - 8, height: row, rx: 4 }));
    if (!property.isOptional && property.kind !== "fetched") {
        group.append(shape("circle", { class: "required", cx: 11, cy: 0, r: 2.5 }, shape("title", {}, "required")));
    }
    const sign = glyph(property);
    sign.setAttribute("transform", "translate(19 0)");
    group.append(sign);
    let right = width - 10;
    const level = worst(problems);
    if (level) {
        group.append(mark(level, right - 6, 0, problems));
        right -= 18;
    }
    for (const [text, title] of marks(property)) {
        group.append(shape("text", { class: "mark", x: right, y: 4, "text-anchor": "end" }, text, shape("title", {}, title)));
        right -= 13;
    }
    const end = ending(property);
    const name = fitted(property.name, end ? right - 40 - 46 : right - 44, `13px ${sans}`);
    group.append(shape("text", { class: "label", x: 40, y: 4 }, name, shape("title", {}, `${property.name}: ${property.summary}`)));
    if (end) {
        const left = 40 + Math.min(right - 86, name.length * 7.2) + 8;
        group.append(shape("text", { class: "ending", x: right, y: 4, "text-anchor": "end" }, fitted(end, right - left, `12px ${sans}`)));
    }
    return group;
}

/** The worst level among problems; null if there are none above a note. */
export function worst(problems = []) {
    if (problems.some(({ level }) => level === "error")) return "error";
    return problems.some(({ level }) => level === "warning") ? "warning" : null;
}

/** A round mark with an exclamation point; its title lists the problems. */
function mark(level, x, y, problems) {
    return shape("g", { class: `problem-mark ${level}`, transform: `translate(${x} ${y})` },
        shape("circle", { r: 7 }), shape("text", { y: 4, "text-anchor": "middle" }, "!"),
        shape("title", {}, problems.map(({ reason }) => reason).join("\n")));
}

/** A description of an entity for readers of the screen. */
export function describe(entity) {
    const count = (kind) => entity.properties.filter((property) => property.kind === kind).length;
    const parts = [entity.name];
    if (entity.isAbstract) parts.push("abstract");
    if (entity.superentity) parts.push(`inherits from ${entity.superentity}`);
    parts.push(`${count("attribute")} attributes`, `${count("relationship")} relationships`);
    return parts.join(", ");
}

/**
 * The card of an entity at (0, 0).
 *
 * `problems` are the problems of the entity and its properties; `status` maps "" and names of properties to the classes
 * "added", "removed" and "changed" in comparisons.
 */
export function drawCard(entity, { hue = 0, problems = [], status = new Map() } = {}) {
    const high = height(entity);
    const group = shape("g", {
        class: `entity hue-${hue} ${entity.isAbstract ? "abstract" : ""} ${status.get("") ?? ""}`.replace(/\s+/g, " ").trim(),
        "data-entity": entity.name, role: "button", tabindex: -1, "aria-label": describe(entity),
    });
    group.append(
        shape("rect", { class: "shade", x: -4, y: -4, width: width + 8, height: high + 8, rx: 12 }),
        shape("rect", { class: "box", width, height: high, rx: 8 }),
        shape("path", { class: "stripe", d: `M0 ${head - 6}V8a8 8 0 0 1 8-8h${width - 16}a8 8 0 0 1 8 8v${head - 14}z` }),
        shape("path", { class: "hairline", d: `M0 ${head - 6}h${width}` }),
        shape("rect", { class: "frame", width, height: high, rx: 8 })
    );
    // A problem may name a property that the entity does not have.
    const rows = new Set(entity.properties.map(({ name }) => name));
    const own = problems.filter(({ place }) => !rows.has(place.property));
    const level = worst(own);
    const right = level ? width - 30 : width - 12;
    group.append(
        shape("text", { class: "name", x: 12, y: 18 }, fitted(entity.name, right - 12, `600 13px ${sans}`), shape("title", {}, entity.name)),
        shape("text", { class: "class", x: 12, y: 33 }, fitted(entity.className ?? "NSManagedObject", width - 24, `11px ${sans}`))
    );
    if (level) group.append(mark(level, width - 16, 14, own));
    for (const [place, property] of entity.properties.entries()) {
        const mine = problems.filter((problem) => problem.place.property === property.name);
        group.append(drawRow(property, place, mine, status.get(property.name)));
    }
    if (!entity.properties.length) group.append(shape("text", { class: "nothing", x: 40, y: rowMiddle(0) + 4 }, "no properties"));
    group.append(
        shape("g", { class: "connector", transform: `translate(${width} ${(head - 6) / 2})` },
            shape("circle", { r: 8 }), shape("path", { d: "M-3.500 0h7M0 -3.500v7" }),
            shape("title", {}, "Drag to another card to relate the two"))
    );
    return group;
}
