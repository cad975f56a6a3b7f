// Places cards off the main thread: dagre for each group of related entities, the groups in rows. Started by layout.js with
// {cards: [{name, width, height}], edges: [[name, name]], gap}; answers [{name, x, y}].
"use strict";

import "../vendor/dagre/dagre.min.js";

/** Groups of cards that edges connect. */
function components(cards, edges) {
    const parent = new Map(cards.map(({ name }) => [name, name]));
    const root = (name) => {
        while (parent.get(name) !== name) {
            parent.set(name, parent.get(parent.get(name)));
            name = parent.get(name);
        }
        return name;
    };
    for (const [one, other] of edges) parent.set(root(one), root(other));
    const groups = new Map();
    for (const card of cards) {
        const key = root(card.name);
        if (groups.has(key)) groups.get(key).push(card);
        else groups.set(key, [card]);
    }
    return [...groups.values()];
}

/** Lays one group out, from left to right. */
function layer(cards, edges, gap) {
    const graph = new self.dagre.graphlib.Graph({ multigraph: false });
    graph.setGraph({ rankdir: "LR", ranker: "tight-tree", nodesep: gap + 16, ranksep: gap * 2 + 32, marginx: 0, marginy: 0 });
    graph.setDefaultEdgeLabel(() => ({}));
    for (const { name, width, height } of cards) graph.setNode(name, { width, height });
    for (const [one, other] of edges) if (one !== other) graph.setEdge(one, other);
    self.dagre.layout(graph);
    let [width, height] = [0, 0];
    const places = cards.map(({ name, width: w, height: h }) => {
        const node = graph.node(name);
        const place = { name, x: Math.round(node.x - w / 2), y: Math.round(node.y - h / 2) };
        width = Math.max(width, place.x + w);
        height = Math.max(height, place.y + h);
        return place;
    });
    return { places, width, height };
}

/** Puts the groups into rows, the largest first, so that the whole is about 1.6 times as wide as high. */
function pack(groups, gap) {
    const space = gap * 2;
    groups.sort((one, other) => other.width * other.height - one.width * one.height);
    const area = groups.reduce((sum, { width, height }) => sum + (width + space) * (height + space), 0);
    const wide = Math.max(Math.sqrt(area * 1.6), groups[0]?.width ?? 0);
    let [x, y, line] = [0, 0, 0];
    const result = [];
    for (const { places, width, height } of groups) {
        if (x > 0 && x + width > wide) [x, y, line] = [0, y + line + space, 0];
        for (const place of places) result.push({ name: place.name, x: place.x + x, y: place.y + y });
        x += width + space;
        line = Math.max(line, height);
    }
    return result;
}

self.addEventListener("message", ({ data: { number, cards, edges, gap } }) => {
    const groups = components(cards, edges);
    const byName = new Map();
    for (const [place, group] of groups.entries()) for (const { name } of group) byName.set(name, place);
    const grouped = groups.map(() => []);
    for (const edge of edges) grouped[byName.get(edge[0])].push(edge);
    self.postMessage({ number, places: pack(groups.map((group, place) => layer(group, grouped[place], gap)), gap) });
});
