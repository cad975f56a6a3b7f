// The consequences of the model as it is: the version hashes, the forecast for existing stores, the class and the tables of
// the selected entity. Shown beside the drawing; used by model.js.
"use strict";

import { element, note } from "../shell/elements.js";
import { queryText } from "./queries.js";

const outcomes = {
    opens: ["good", "opens as it is"], migrates: ["accent", "migrates by inference"],
    refuses: ["bad", "does not migrate by itself"], unknown: ["warns", "cannot be judged"],
};

function forecast({ from, outcome, reasons, notes }, select) {
    const [style, words] = outcomes[outcome];
    const box = element("div", { class: "forecast", "data-outcome": outcome });
    box.append(element("p", {}, `A store of ${from} `, element("span", { class: `badge ${style}` }, words)));
    for (const { entity, property, reason, remedy } of reasons) {
        const button = element("button", { type: "button", class: "problem-row error" }, element("strong", {}, [entity, property].filter(Boolean).join(".")), element("span", {}, `${reason} ${remedy}`));
        button.addEventListener("click", () => select({ entity, property }, { reveal: true }));
        box.append(button);
    }
    for (const text of notes) box.append(element("p", { class: "secondary" }, text));
    return box;
}

/** The hashes and forecasts of the version. */
async function versions(api, place, select) {
    const { hashes, checksum, forecasts } = await api("analysis");
    const table = element("table", { class: "grid hashes" }, element("thead", {}, element("tr", {}, element("th", {}, "Entity"), element("th", {}, "Version hash"))));
    const body = element("tbody");
    for (const { entity, hash, isChanged } of hashes) {
        const row = element("tr", { class: isChanged ? "changed" : null, "aria-selected": entity === place.entity ? "true" : null });
        row.append(element("td", {}, entity), element("td", { class: "mono", title: hash }, `${hash.slice(0, 16)}…`, isChanged ? element("span", { class: "badge warns" }, "changed") : null));
        body.append(row);
    }
    table.append(body);
    return [
        element("h2", {}, "Existing stores"),
        ...(forecasts.length ? forecasts.map((item) => forecast(item, select)) : [element("p", { class: "secondary" }, "This is the first version, and it is not saved yet: no store exists.")]),
        element("h2", {}, "Version hashes"), element("div", { class: "scrolls" }, table),
        element("p", { class: "secondary wraps" }, "Checksum ", element("span", { class: "mono" }, checksum)),
    ];
}

function copyButton(text) {
    const button = element("button", { type: "button", class: "button small push" }, "Copy");
    button.addEventListener("click", async () => {
        await navigator.clipboard.writeText(text);
        button.textContent = "Copied";
        setTimeout(() => (button.textContent = "Copy"), 1500);
    });
    return button;
}

function source(title, text) {
    return element("div", { class: "source" }, element("div", { class: "spread" }, element("h2", {}, title), copyButton(text)), element("pre", { tabindex: 0 }, text));
}

/** The class or the tables of an entity. */
async function ofEntity(api, place, kind) {
    if (!place.entity) {
        return [element("div", { class: "empty" }, element("h2", {}, "Select an entity"), element("p", {}, kind === "class" ? "Its generated Swift class is shown here, and follows each change." : "The SQL of its tables is shown here, and follows each change."))];
    }
    const { files, statements, unavailable } = await api(`entity?${queryText({ name: place.entity })}`);
    if (unavailable) return [element("p", { class: "note warns" }, unavailable)];
    if (kind === "class") return files.map(({ name, text }) => source(name, text));
    return [source(`Tables of ${place.entity}`, statements.map((statement) => `${layOut(statement)};`).join("\n\n"))];
}

/** A statement on several lines: each column of a table on its own. */
function layOut(statement) {
    const match = /^(CREATE TABLE [^(]+\() (.*) \)$/.exec(statement);
    if (!match) return statement;
    const parts = [];
    let depth = 0;
    let from = 0;
    for (let place = 0; place < match[2].length; place++) {
        const letter = match[2][place];
        if (letter === "(") depth += 1;
        else if (letter === ")") depth -= 1;
        else if (letter === "," && !depth) {
            parts.push(match[2].slice(from, place).trim());
            from = place + 1;
        }
    }
    parts.push(match[2].slice(from).trim());
    return `${match[1]}\n    ${parts.join(",\n    ")}\n)`;
}

let turn = 0;

/** Fills an element with one of the kinds “versions”, “class” and “sql”; a later call wins over an earlier one. */
export async function showConsequences(root, kind, { api, place, select }) {
    const number = ++turn;
    let parts;
    try {
        parts = kind === "versions" ? await versions(api, place, select) : await ofEntity(api, place, kind);
    } catch (error) {
        parts = [note(error)];
    }
    if (number === turn && root.isConnected) root.replaceChildren(element("div", { class: "consequences" }, ...parts));
}
