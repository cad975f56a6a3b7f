// Sizes and places of cards, from the units of Xcode's editor to those of the drawing, without overlaps. Pure functions.
"use strict";

export const width = 220;
export const head = 46;
export const row = 20;
const foot = 8;
/** The least distance between two cards: room for the ends of edges. */
export const gap = 32;

/** Xcode's cards are narrower and lower. */
const scale = { x: 1.72, y: 1.4 };

export function fromFile({ x, y }) {
    return { x: Math.round(x * scale.x), y: Math.round(y * scale.y) };
}

export function toFile({ x, y }) {
    return { x: Math.round(x / scale.x), y: Math.round(y / scale.y) };
}

export function height(entity) {
    return head + Math.max(1, entity.properties.length) * row + foot;
}

/** The vertical middle of a property's row, from the top of the card. */
export function rowMiddle(place) {
    return head + (place + 0.5) * row;
}

export function overlaps(one, other, distance = 0) {
    return one.x < other.x + other.width + distance && other.x < one.x + one.width + distance
        && one.y < other.y + other.height + distance && other.y < one.y + one.height + distance;
}

/** A grid of squares that finds the boxes near a place. */
export class BoxIndex {
    static size = 256;

    constructor(boxes = []) {
        this.squares = new Map();
        this.boxes = new Map();
        for (const box of boxes) this.add(box);
    }

    *keys({ x, y, width, height }, margin) {
        const { size } = BoxIndex;
        const right = Math.floor((x + width + margin) / size);
        const bottom = Math.floor((y + height + margin) / size);
        for (let column = Math.floor((x - margin) / size); column <= right; column++) {
            for (let line = Math.floor((y - margin) / size); line <= bottom; line++) yield `${column} ${line}`;
        }
    }

    add(box) {
        this.boxes.set(box.name, box);
        for (const key of this.keys(box, 0)) {
            const list = this.squares.get(key);
            if (list) list.push(box);
            else this.squares.set(key, [box]);
        }
    }

    /** The boxes that may be nearer than a distance. */
    near(box, margin = 0) {
        const found = new Set();
        for (const key of this.keys(box, margin)) {
            for (const other of this.squares.get(key) ?? []) found.add(other);
        }
        return found;
    }

    /** The first box that is nearer than a distance, other than the one of the same name. */
    obstacle(box, distance = 0) {
        for (const other of this.near(box, distance)) {
            if (other.name !== box.name && overlaps(box, other, distance)) return other;
        }
        return null;
    }
}

/**
 * Moves boxes apart, as little as possible: boxes at their places first, each other one to the nearest free place.
 * Returns the boxes that moved. O(n log n) for boxes that hardly overlap.
 */
export function separate(boxes, fixed = []) {
    const index = new BoxIndex(fixed);
    const moved = [];
    const order = [...boxes].sort((one, other) => one.y - other.y || one.x - other.x || (one.name < other.name ? -1 : 1));
    for (const box of order) {
        if (index.obstacle(box, gap)) {
            Object.assign(box, nearestFree(box, index));
            moved.push(box);
        }
        index.add(box);
    }
    return moved;
}

/** The nearest place beside the obstacles of a box, then beside theirs. */
function nearestFree(box, index) {
    const start = { x: box.x, y: box.y };
    const seen = new Set();
    let candidates = [start];
    for (;;) {
        const next = [];
        let best = null;
        for (const place of candidates) {
            const trial = { ...box, ...place };
            const obstacle = index.obstacle(trial, gap);
            if (!obstacle) {
                const distance = Math.hypot(place.x - start.x, place.y - start.y);
                if (!best || distance < best.distance) best = { place, distance };
                continue;
            }
            for (const other of [
                { x: obstacle.x + obstacle.width + gap, y: place.y }, { x: obstacle.x - box.width - gap, y: place.y },
                { x: place.x, y: obstacle.y + obstacle.height + gap }, { x: place.x, y: obstacle.y - box.height - gap },
            ]) {
                const key = `${other.x} ${other.y}`;
                if (seen.has(key)) continue;
                seen.add(key);
                next.push(other);
            }
        }
        if (best) return best.place;
        candidates = next.sort((one, other) => Math.hypot(one.x - start.x, one.y - start.y) - Math.hypot(other.x - start.x, other.y - start.y)).slice(0, 64);
    }
}

/** The box around boxes. */
export function bounds(boxes) {
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (const box of boxes) {
        left = Math.min(left, box.x);
        top = Math.min(top, box.y);
        right = Math.max(right, box.x + box.width);
        bottom = Math.max(bottom, box.y + box.height);
    }
    return left === Infinity ? { x: 0, y: 0, width: 0, height: 0 } : { x: left, y: top, width: right - left, height: bottom - top };
}
