// Orthogonal lines between cards that cross no card. Simple shapes first, a search of the free space if all are taken.
// Pure functions on boxes; used by edges.js.
"use strict";

/** The straight part of a line at a card, which has room for the crow's foot. */
const stub = 16;
/** The least distance of a line from the cards that it passes. */
const clear = 8;
const turnCost = 40;

/** Whether the straight line between two points keeps its distance from all cards. */
function isFree(from, to, index, margin = clear) {
    const box = { name: null, x: Math.min(from.x, to.x), y: Math.min(from.y, to.y), width: Math.abs(to.x - from.x), height: Math.abs(to.y - from.y) };
    for (const other of index.near(box, margin)) {
        if (box.x < other.x + other.width + margin && other.x - margin < box.x + box.width
            && box.y < other.y + other.height + margin && other.y - margin < box.y + box.height) return false;
    }
    return true;
}

function isFreePath(points, index) {
    for (let place = 1; place < points.length; place++) if (!isFree(points[place - 1], points[place], index)) return false;
    return true;
}

/** Removes points on straight parts. */
function simplified(points) {
    const result = [];
    for (const point of points) {
        const last = result.at(-1);
        if (last && last.x === point.x && last.y === point.y) continue;
        const before = result.at(-2);
        if (before && ((before.x === last.x && last.x === point.x) || (before.y === last.y && last.y === point.y))) result.pop();
        result.push(point);
    }
    return result;
}

function plainCost(points) {
    let sum = 0;
    for (let place = 1; place < points.length; place++) {
        const [from, to] = [points[place - 1], points[place]];
        sum += Math.abs(from.x - to.x) + Math.abs(from.y - to.y) + turnCost;
    }
    return sum;
}

/** The length, the turns, and the length on top of other lines. */
function cost(points, used) {
    let sum = plainCost(points);
    for (let place = 1; place < points.length; place++) sum += used.shared(points[place - 1], points[place]) * 2;
    return sum;
}

/** The lines that are drawn, so that another one avoids running on top of them. */
export class UsedLines {
    constructor() {
        this.lines = new Map();
    }

    static parts(points) {
        return points.slice(1).map((to, place) => {
            const from = points[place];
            const isVertical = from.x === to.x;
            const range = isVertical ? [from.y, to.y] : [from.x, to.x];
            return { key: isVertical ? `x${from.x}` : `y${from.y}`, from: Math.min(...range), to: Math.max(...range) };
        });
    }

    add(id, points) {
        for (const part of UsedLines.parts(points)) {
            if (!this.lines.has(part.key)) this.lines.set(part.key, []);
            this.lines.get(part.key).push({ ...part, id });
        }
    }

    remove(id, points) {
        for (const { key } of UsedLines.parts(points)) {
            const rest = this.lines.get(key)?.filter((line) => line.id !== id) ?? [];
            if (rest.length) this.lines.set(key, rest);
            else this.lines.delete(key);
        }
    }

    /** The length on which a line runs on top of others. */
    shared(from, to) {
        let sum = 0;
        for (const part of UsedLines.parts([from, to])) {
            for (const line of this.lines.get(part.key) ?? []) sum += Math.max(0, Math.min(part.to, line.to) - Math.max(part.from, line.from));
        }
        return sum;
    }
}

/** The ends that a line may have at a card: {x, y, side} with side -1 for left and 1 for right. */
function ends(box, y) {
    return [-1, 1].map((side) => {
        const x = side < 0 ? box.x : box.x + box.width;
        return { x, y: box.y + y, side, out: { x: x + side * stub, y: box.y + y } };
    });
}

/** Shapes with one vertical part, or with two and a horizontal one between them. */
function* shapes(start, end, between) {
    const [from, to] = [start.out, end.out];
    const suits = (x) => (x - from.x) * start.side >= 0 && (x - to.x) * end.side >= 0;
    if (from.y === to.y && (to.x - from.x) * start.side >= 0 && (from.x - to.x) * end.side >= 0) yield [from, to];
    const middle = Math.round((from.x + to.x) / 2);
    for (const x of new Set([middle, from.x, to.x, ...[8, -8, 16, -16, 24, -24].map((step) => middle + step), ...between.xs])) {
        if (suits(x)) yield [from, { x, y: from.y }, { x, y: to.y }, to];
    }
    for (const y of between.ys) {
        yield [from, { x: from.x, y }, { x: to.x, y }, to];
    }
}

/** Coordinates of corridors beside the cards between two points. */
function corridors(start, end, index) {
    const [from, to] = [start.out, end.out];
    const area = { x: Math.min(from.x, to.x), y: Math.min(from.y, to.y), width: Math.abs(to.x - from.x), height: Math.abs(to.y - from.y) };
    const xs = new Set();
    const ys = new Set();
    let count = 0;
    for (const box of index.near(area, 64)) {
        if (count++ > 24) break;
        for (const step of [16, 24]) {
            xs.add(box.x - step);
            xs.add(box.x + box.width + step);
            ys.add(box.y - step);
            ys.add(box.y + box.height + step);
        }
    }
    return { xs, ys };
}

/**
 * The points of a line between two cards.
 *
 * `from` and `to` are {box, y}: the card and the height of the end from the card's top. `isQuick` leaves the search of
 * the free space out, for lines that follow a card while it is dragged.
 */
export function route(from, to, index, used = new UsedLines(), isQuick = false) {
    let best = null;
    for (const start of ends(from.box, from.y)) {
        for (const end of ends(to.box, to.y)) {
            if (from.box === to.box && start.side !== end.side) continue;
            const between = corridors(start, end, index);
            for (const points of shapes(start, end, between)) {
                const whole = simplified([start, ...points, end].map(({ x, y }) => ({ x, y })));
                if (best && plainCost(whole) >= best.price) continue;
                const price = cost(whole, used);
                if (best && price >= best.price) continue;
                if (!isFreePath(points, index)) continue;
                best = { points: whole, price, sides: [start.side, end.side] };
            }
        }
    }
    if (best) return best;
    const [start, end] = nearestEnds(from, to);
    const points = isQuick ? null : search(start, end, index);
    const whole = simplified([start, ...(points ?? [start.out, { x: end.out.x, y: start.out.y }, end.out]), end].map(({ x, y }) => ({ x, y })));
    return { points: whole, price: cost(whole, used), sides: [start.side, end.side], isBlocked: !points };
}

function nearestEnds(from, to) {
    const [left, right] = ends(from.box, from.y);
    const [otherLeft, otherRight] = ends(to.box, to.y);
    return to.box.x + to.box.width / 2 > from.box.x + from.box.width / 2 ? [right, otherLeft] : [left, otherRight];
}

/** The cheapest way through the free space: lines beside all cards, by A*. O(n² log n) in the cards. */
function search(start, end, index) {
    const xs = new Set([start.out.x, end.out.x]);
    const ys = new Set([start.out.y, end.out.y]);
    for (const box of index.boxes.values()) {
        xs.add(box.x - stub).add(box.x + box.width + stub);
        ys.add(box.y - stub).add(box.y + box.height + stub);
    }
    const columns = [...xs].sort((one, other) => one - other);
    const lines = [...ys].sort((one, other) => one - other);
    const column = new Map(columns.map((x, place) => [x, place]));
    const line = new Map(lines.map((y, place) => [y, place]));
    const goal = column.get(end.out.x) + line.get(end.out.y) * columns.length;
    const first = column.get(start.out.x) + line.get(start.out.y) * columns.length;
    const point = (node) => ({ x: columns[node % columns.length], y: lines[Math.floor(node / columns.length)] });
    const rest = ({ x, y }) => Math.abs(x - end.out.x) + Math.abs(y - end.out.y);
    const heap = new Heap();
    // A state is a node and the direction in which it was reached.
    const price = new Map([[first * 2, 0]]);
    const origin = new Map();
    heap.push(first * 2, rest(point(first)));
    while (heap.size) {
        const state = heap.pop();
        const [node, isVertical] = [state >> 1, state & 1];
        if (node === goal) {
            const points = [];
            for (let current = state; current !== undefined; current = origin.get(current)) points.push(point(current >> 1));
            return simplified(points.reverse());
        }
        const here = point(node);
        const place = node % columns.length;
        const next = [];
        if (place > 0) next.push([node - 1, 0]);
        if (place < columns.length - 1) next.push([node + 1, 0]);
        if (node >= columns.length) next.push([node - columns.length, 1]);
        if (node < columns.length * (lines.length - 1)) next.push([node + columns.length, 1]);
        for (const [other, direction] of next) {
            const there = point(other);
            const total = price.get(state) + Math.abs(there.x - here.x) + Math.abs(there.y - here.y) + (direction === isVertical ? 0 : turnCost);
            const key = other * 2 + direction;
            if (total >= (price.get(key) ?? Infinity) || !isFree(here, there, index)) continue;
            price.set(key, total);
            origin.set(key, state);
            heap.push(key, total + rest(there));
        }
    }
    return null;
}

/** A binary heap of numbers by price. */
class Heap {
    constructor() {
        this.items = [];
    }

    get size() {
        return this.items.length;
    }

    push(value, price) {
        const { items } = this;
        items.push({ value, price });
        for (let place = items.length - 1; place > 0;) {
            const parent = (place - 1) >> 1;
            if (items[parent].price <= items[place].price) break;
            [items[parent], items[place]] = [items[place], items[parent]];
            place = parent;
        }
    }

    pop() {
        const { items } = this;
        const [first] = items;
        const last = items.pop();
        if (items.length) {
            items[0] = last;
            for (let place = 0;;) {
                let least = place;
                for (const child of [place * 2 + 1, place * 2 + 2]) {
                    if (child < items.length && items[child].price < items[least].price) least = child;
                }
                if (least === place) break;
                [items[least], items[place]] = [items[place], items[least]];
                place = least;
            }
        }
        return first.value;
    }
}

/** Whether a line crosses a card; for the ends, the card's border does not count. */
export function crosses(points, box) {
    for (let place = 1; place < points.length; place++) {
        const [from, to] = [points[place - 1], points[place]];
        if (Math.min(from.x, to.x) < box.x + box.width && Math.max(from.x, to.x) > box.x
            && Math.min(from.y, to.y) < box.y + box.height && Math.max(from.y, to.y) > box.y) return true;
    }
    return false;
}
