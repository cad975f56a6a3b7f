// Elements of SVG, glyphs of types, and texts that fit. Used by everything that draws.
"use strict";

/** Makes an SVG element with attributes and children. */
export function shape(name, attributes = {}, ...children) {
    const result = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) {
        if (value !== null && value !== undefined && value !== false) result.setAttribute(key, value);
    }
    result.append(...children.filter((child) => child !== null && child !== undefined));
    return result;
}

const measure = document.createElement("canvas").getContext("2d");
const widths = new Map();

/** The text, shortened with an ellipsis to a width in a font. */
export function fitted(text, width, font) {
    const wide = (part) => {
        const key = `${font}\n${part}`;
        if (!widths.has(key)) {
            if (widths.size > 20_000) widths.clear();
            measure.font = font;
            widths.set(key, measure.measureText(part).width);
        }
        return widths.get(key);
    };
    if (wide(text) <= width) return text;
    let [low, high] = [0, text.length];
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (wide(`${text.slice(0, middle)}…`) <= width) low = middle;
        else high = middle - 1;
    }
    return `${text.slice(0, low)}…`;
}

/** The glyph of each type of attribute: a short text, or a path in 14 × 14. */
const glyphs = {
    "Integer 16": "12", "Integer 32": "12", "Integer 64": "12", Decimal: "1.0", Double: "1.5", Float: "1.5", String: "Aa",
    Boolean: { path: "M4.5 3.5h5a3.5 3.5 0 0 1 0 7h-5a3.5 3.5 0 0 1 0-7zM9.5 5.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z" },
    Date: { path: "M2.5 3.5h9v8h-9zM2.5 6h9M5 2v2.5M9 2v2.5" },
    "Binary Data": { path: "M3.5 2h4.5l3 3v7h-7.5zM8 2v3h3" },
    UUID: { path: "M3 5h8.5M2.5 9h8.5M6 2.5l-1.5 9M9.5 2.5l-1.5 9" },
    URI: { path: "M6 8l2.5-2.5M6.5 4.5l1.5-1.5a2 2 0 0 1 3 3l-1.5 1.5M7.500 9.500l-1.500 1.500a2 2 0 0 1-3-3l1.500-1.500" },
    Transformable: { path: "M2 5h9l-2.500-2.500M12 9h-9l2.500 2.500" },
    Composite: { path: "M2 2h6v6h-6zM6 10v2h6v-6h-2" },
    Undefined: "?",
};

/** The glyph of a property, 18 wide and centred on y = 0, with a title. */
export function glyph(property) {
    const group = shape("g", { class: "glyph" });
    if (property.kind === "relationship") {
        group.append(shape("title", {}, property.isToMany ? (property.isOrdered ? "to-many, ordered" : "to-many") : "to-one"));
        group.append(shape("path", { d: property.isToMany ? "M2 0h5M7 0l6-4M7 0h6M7 0l6 4" : "M2 0h11M10 -4v8" }));
        return group;
    }
    if (property.kind === "fetched") {
        group.append(shape("title", {}, "fetched property"), shape("path", { d: "M2 -4.500h11l-4 5v4l-3-1.500v-2.500z" }));
        return group;
    }
    const sign = glyphs[property.type] ?? "?";
    group.append(shape("title", {}, property.type ?? "Undefined"));
    if (typeof sign === "string") group.append(shape("text", { x: 8, y: 4, "text-anchor": "middle" }, sign));
    else group.append(shape("path", { d: sign.path, transform: "translate(1 -7)" }));
    return group;
}
