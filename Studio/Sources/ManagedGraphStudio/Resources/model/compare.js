// Two versions side by side with their differences coloured, and the differences as a list down to each setting. Used by
// model.js.
"use strict";

import { element, note } from "../shell/elements.js";
import { Diagram } from "./diagram.js";
import { Groups } from "./groups.js";
import { place } from "./layout.js";
import { queryText } from "./queries.js";

const words = { added: "added", removed: "removed", changed: "changed", renamed: "renamed", moved: "moved" };

function change({ field, before, after, isHashed }) {
    return element("li", { class: "change" }, element("span", { class: "field-name" }, field), " ",
        element("del", {}, before ?? "none"), " → ", element("ins", {}, after ?? "none"),
        isHashed ? element("span", { class: "badge warns", title: "Stores of the older version are not compatible" }, "hash") : null);
}

/** The differences as a list; also for the dialog when a file changed on the disk. */
export function differenceList({ entities, changes, isEqual }) {
    if (isEqual) return element("p", { class: "secondary" }, "The versions mean the same.");
    const list = element("ul", { class: "differences" });
    for (const item of entities) {
        const head = element("div", { class: "spread" }, element("strong", {}, item.name), element("span", { class: `badge ${style(item.kind)}` }, words[item.kind]));
        if (item.formerName) head.append(element("span", { class: "secondary" }, `was ${item.formerName}`));
        if (item.isHashChanged) head.append(element("span", { class: "badge" }, "hash changed"));
        const inner = element("ul", {}, ...item.changes.map(change));
        for (const property of item.properties) {
            const line = element("li", { class: `difference ${property.kind}` }, element("span", { class: "property-name" }, property.name), " ",
                element("span", { class: `badge ${style(property.kind)}` }, words[property.kind]),
                property.formerName ? element("span", { class: "secondary" }, ` was ${property.formerName}`) : null,
                property.formerEntity ? element("span", { class: "secondary" }, ` from ${property.formerEntity}`) : null);
            if (property.changes.length) line.append(element("ul", {}, ...property.changes.map(change)));
            else line.append(element("span", { class: "secondary" }, ` ${property.summary}`));
            inner.append(line);
        }
        list.append(element("li", { class: `difference ${item.kind}` }, head, inner));
    }
    for (const item of changes) list.append(change(item));
    return list;
}

function style(kind) {
    return { added: "good", removed: "bad" }[kind] ?? "warns";
}

/** The classes of cards and rows on one side: {entity: Map("" or property → class)}. */
function statuses(comparison, isOld) {
    const result = new Map();
    for (const item of comparison.entities) {
        const name = isOld ? item.formerName ?? item.name : item.name;
        if (item.kind === (isOld ? "added" : "removed")) continue;
        const status = new Map([["", item.kind === "added" || item.kind === "removed" ? item.kind : "changed"]]);
        for (const property of item.properties) {
            if (property.kind === (isOld ? "added" : "removed")) continue;
            const kind = property.kind === "added" || property.kind === "removed" ? property.kind : "changed";
            status.set(isOld ? property.formerName ?? property.name : property.name, kind);
        }
        result.set(name, status);
    }
    return result;
}

/** Shows two versions; returns {leave()}. */
export async function showComparison(root, { api, versions, from, to, choose, close }) {
    const diagrams = [];
    const bar = element("div", { class: "strip compare-bar" });
    const menu = (label, value, run) => {
        const select = element("select", { class: "input", "aria-label": label }, ...versions.map(({ name, error }) => element("option", { value: name, selected: name === value, disabled: Boolean(error) }, name)));
        select.addEventListener("change", () => run(select.value));
        return select;
    };
    const done = element("button", { type: "button", class: "button push" }, "Close the comparison");
    done.addEventListener("click", close);
    bar.append(element("strong", {}, "Compare"), menu("Older version", from, (name) => choose(name, to)), element("span", {}, "with"), menu("Newer version", to, (name) => choose(from, name)), done);
    const panes = element("div", { class: "halves compare-panes" });
    const list = element("div", { class: "compare-list", tabindex: 0, role: "region", "aria-label": "Differences" });
    root.replaceChildren(bar, panes, list);
    try {
        const [comparison, old, current] = await Promise.all([
            api(`compare?${queryText({ from, to })}`), api(`version?${queryText({ name: from })}`), api(`version?${queryText({ name: to })}`),
        ]);
        list.append(element("h2", {}, `${comparison.entities.length} of ${new Set([...old.entities, ...current.entities].map(({ name }) => name)).size} entities differ`), differenceList(comparison));
        for (const [content, name, isOld] of [[old, from, true], [current, to, false]]) {
            const pane = element("div", { class: "compare-pane", role: "group", "aria-label": name });
            pane.append(element("h2", {}, name));
            panes.append(pane);
            const diagram = new Diagram({ select: (entity, property) => diagrams.forEach((each) => each.select(entity, property, { reveal: true })), open() {}, moved() {}, connect() {}, remove() {} }, { isReadOnly: true });
            diagrams.push(diagram);
            pane.append(diagram.root);
            const groups = new Groups(content.entities);
            const marks = statuses(comparison, isOld);
            const boxes = await place(content.entities, content.positions);
            diagram.draw(content.entities, boxes, { hue: (entity) => groups.hue(entity), problems: () => [], status: (entity) => marks.get(entity.name) ?? new Map() });
            diagram.fit();
        }
    } catch (error) {
        list.append(note(error));
    }
    return { leave: () => diagrams.forEach((diagram) => diagram.close()) };
}
