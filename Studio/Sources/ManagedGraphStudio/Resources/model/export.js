// The drawing as a file: SVG with its styles inside, or PNG. Used by model.js.
"use strict";

import { bounds } from "./geometry.js";
import { shape } from "./shapes.js";

const kept = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "stroke-linecap", "opacity", "font-family", "font-size", "font-weight", "font-style", "text-anchor", "display", "visibility"];

/** A mixed colour as other programs read it: `rgb(r, g, b)`. */
function plainColour(text) {
    const [red, green, blue] = text.slice("color(srgb ".length).split(/[ )/]+/).map((part) => Math.round(Number(part) * 255));
    return `rgb(${red}, ${green}, ${blue})`;
}

/** Copies an element with the styles that the page gives it, as attributes. */
function copy(source) {
    const style = getComputedStyle(source);
    if (style.display === "none" || source.matches(".connector, .hit, .shade, .row-back, .rubber")) return null;
    const result = source.cloneNode(false);
    for (const name of ["class", "tabindex", "role", "aria-label", "aria-pressed", "data-entity", "data-property", "data-edge"]) result.removeAttribute(name);
    if (!(source instanceof SVGTitleElement)) {
        for (const name of kept) {
            const value = style.getPropertyValue(name);
            if (value.startsWith("color(srgb ")) result.setAttribute(name, plainColour(value));
            else if (value && value !== "normal" && !(name === "opacity" && value === "1")) result.setAttribute(name, value);
        }
    }
    for (const child of source.childNodes) {
        const part = child.nodeType === Node.ELEMENT_NODE ? copy(child) : child.cloneNode();
        if (part) result.append(part);
    }
    return result;
}

/** The whole drawing as SVG text, independent of the page. */
export function svgText(diagram, title) {
    const all = bounds([...diagram.boxes.values()]);
    const margin = 32;
    const [width, height] = [all.width + 2 * margin, all.height + 2 * margin];
    const selected = { ...diagram.selected };
    const isFar = diagram.svg.classList.contains("far");
    diagram.select(null);
    diagram.svg.classList.remove("far");
    const background = getComputedStyle(diagram.root).backgroundColor;
    const root = shape("svg", { xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `${all.x - margin} ${all.y - margin} ${width} ${height}` },
        shape("title", {}, title),
        shape("rect", { x: all.x - margin, y: all.y - margin, width, height, fill: background }),
        copy(diagram.edgeLayer), copy(diagram.cardLayer));
    diagram.svg.classList.toggle("far", isFar);
    diagram.select(selected.entity, selected.property);
    return new XMLSerializer().serializeToString(root);
}

/** The whole drawing as a PNG, twice as large as at 100 %, or as large as a canvas may be. */
export async function png(diagram, title) {
    const text = svgText(diagram, title);
    const image = new Image();
    const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
    try {
        image.src = address;
        await image.decode();
        const scale = Math.min(2, 12_000 / image.naturalWidth, 12_000 / image.naturalHeight);
        const canvas = document.createElement("canvas");
        canvas.width = Math.ceil(image.naturalWidth * scale);
        canvas.height = Math.ceil(image.naturalHeight * scale);
        canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
        return await new Promise((resolve, reject) => canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The drawing is too large for a PNG. Export it as SVG."))), "image/png"));
    } finally {
        URL.revokeObjectURL(address);
    }
}

/** Hands a file to the browser. */
export function download(name, blob) {
    const address = URL.createObjectURL(blob);
    const link = document.createElement("a");
    link.href = address;
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
