// The places of all cards: those of the file, and a layout for the others, which a worker computes. Used by diagram.js.
"use strict";

import { bounds, fromFile, gap, height, separate, width } from "./geometry.js";

let worker = null;
let number = 0;
const waiting = new Map();

/** Asks the worker for the places of cards; O(n log n) in the cards off the main thread. */
function compute(cards, edges) {
    if (!worker) {
        worker = new Worker(new URL("./layout-worker.js", import.meta.url), { type: "module" });
        worker.addEventListener("message", ({ data }) => {
            waiting.get(data.number)?.resolve(data.places);
            waiting.delete(data.number);
        });
        worker.addEventListener("error", (event) => {
            for (const { reject } of waiting.values()) reject(new Error(`The cards cannot be placed: ${event.message}`));
            waiting.clear();
            worker = null;
        });
    }
    number += 1;
    return new Promise((resolve, reject) => {
        waiting.set(number, { resolve, reject });
        worker.postMessage({ number, cards, edges, gap });
    });
}

/** The pairs of entities between which edges are drawn; the other ends of inheritance come first. */
export function links(entities) {
    const names = new Set(entities.map(({ name }) => name));
    const result = new Map();
    for (const { name, superentity, properties } of entities) {
        if (superentity && names.has(superentity)) result.set(`${superentity}\n${name}`, [superentity, name]);
        for (const { destination } of properties) {
            if (!destination || destination === name || !names.has(destination)) continue;
            if (!result.has(`${destination}\n${name}`)) result.set(`${name}\n${destination}`, [name, destination]);
        }
    }
    return [...result.values()];
}

/**
 * The boxes of all entities by name.
 *
 * `kept` are boxes that the page has placed before, by name: they win over a new layout, and the file wins over them.
 */
export async function place(entities, positions, kept = new Map()) {
    const inFile = new Map(positions.map((position) => [position.entity, fromFile(position)]));
    const boxes = new Map();
    const missing = [];
    for (const entity of entities) {
        const { name } = entity;
        const known = kept.get(name);
        const place = inFile.get(name) ?? known;
        const box = { name, x: 0, y: 0, width, height: height(entity), isPlaced: inFile.has(name) };
        // A card that was pushed aside stays there until its place in the file changes.
        if (known?.file && place && known.file.x === place.x && known.file.y === place.y) Object.assign(box, { x: known.x, y: known.y, file: known.file });
        else if (place) Object.assign(box, { x: place.x, y: place.y, file: inFile.has(name) ? place : null });
        else missing.push(box);
        boxes.set(name, box);
    }
    if (missing.length) {
        const names = new Set(missing.map(({ name }) => name));
        performance.mark("model layout begins");
        const places = await compute(missing.map(({ name, width, height }) => ({ name, width, height })), links(entities.filter(({ name }) => names.has(name))));
        performance.measure("model layout", "model layout begins");
        const placed = [...boxes.values()].filter(({ name }) => !names.has(name));
        const around = bounds(placed);
        const top = placed.length ? around.y + around.height + gap * 2 : 0;
        for (const { name, x, y } of places) Object.assign(boxes.get(name), { x: x + around.x, y: y + top });
    }
    separate(boxes.values());
    return boxes;
}
