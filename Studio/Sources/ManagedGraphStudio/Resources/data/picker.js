// Chooses the objects of a relationship, with a search.
"use strict";

import { element, note, count } from "../shell/elements.js";

/**
 * Lets the reader choose the objects of a relationship; resolves to their names, or to null if nothing was decided.
 * `members` are the present objects.
 */
export function pick({ api, column, title, members, isIncomplete }) {
    const isMany = column.kind === "toMany";
    const chosen = new Map(members.map((link) => [link.id, link]));
    const before = new Set(chosen.keys());
    const dialog = element("dialog", { class: "sheet picker", "aria-label": title });
    const search = element("input", { class: "input", type: "search", placeholder: `Search ${column.destination}`, "aria-label": `Search ${column.destination}`, autocomplete: "off" });
    const list = element("ul", { class: "list picker-list", role: "listbox", "aria-multiselectable": String(isMany), tabindex: "-1" });
    const sum = element("p", { class: "secondary" });
    const done = element("button", { type: "submit", class: "button primary", value: "yes" }, "Set");
    const cancel = element("button", { type: "button", class: "button" }, "Cancel");
    cancel.addEventListener("click", () => dialog.close("no"));
    const none = element("button", { type: "button", class: "button" }, isMany ? "Remove all" : "No value");
    dialog.append(element("form", { method: "dialog" }, element("h2", {}, title), search, list, sum,
        isIncomplete ? element("p", { class: "secondary" }, "Only the first objects are listed; those that are not listed stay as they are.") : null,
        element("div", { class: "buttons" }, none, cancel, done)));
    let candidates = [];
    let active = 0;
    const draw = () => {
        const shown = search.value ? candidates : [...members, ...candidates.filter(({ id }) => !before.has(id))];
        list.replaceChildren(...shown.map((link, place) => {
            const item = element("li", { role: "option", "aria-selected": String(chosen.has(link.id)), class: place === active ? "active" : "" },
                element("span", { class: "tick", "aria-hidden": "true" }, chosen.has(link.id) ? "✓" : ""), element("span", { class: "name" }, link.title), element("span", { class: "count" }, link.id));
            item.addEventListener("click", () => toggle(link));
            return item;
        }));
        if (!shown.length) list.append(element("li", { class: "nothing secondary" }, `No ${column.destination} fits.`));
        list.children[active]?.scrollIntoView({ block: "nearest" });
        const added = [...chosen.keys()].filter((id) => !before.has(id)).length;
        const removed = [...before].filter((id) => !chosen.has(id)).length;
        sum.textContent = isMany ? `${count(chosen.size, "object")}${added ? `, ${added} added` : ""}${removed ? `, ${removed} removed` : ""}` : [...chosen.values()].map((link) => link.title).join("") || "No value";
        list.shown = shown;
    };
    const toggle = (link) => {
        if (chosen.has(link.id)) chosen.delete(link.id);
        else {
            if (!isMany) chosen.clear();
            chosen.set(link.id, link);
        }
        draw();
    };
    let turn = 0;
    const load = async () => {
        const number = (turn += 1);
        try {
            const found = await api(`candidates?entity=${encodeURIComponent(column.destination)}&search=${encodeURIComponent(search.value)}`);
            if (number !== turn) return;
            [candidates, active] = [found, 0];
            draw();
        } catch (error) {
            list.replaceChildren(element("li", {}, note(error)));
        }
    };
    let waiting;
    search.addEventListener("input", () => {
        clearTimeout(waiting);
        waiting = setTimeout(load, 120);
    });
    search.addEventListener("keydown", (event) => {
        if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            event.preventDefault();
            active = Math.max(0, Math.min((list.shown?.length ?? 1) - 1, active + (event.key === "ArrowDown" ? 1 : -1)));
            draw();
        } else if (event.key === "Enter" && !event.ctrlKey) {
            event.preventDefault();
            const link = list.shown?.[active];
            if (!link) return;
            if (isMany) toggle(link);
            else {
                chosen.clear();
                chosen.set(link.id, link);
                dialog.close("yes");
            }
        } else if (event.key === "Enter") {
            event.preventDefault();
            dialog.close("yes");
        }
    });
    none.addEventListener("click", () => {
        chosen.clear();
        if (isMany) draw();
        else dialog.close("yes");
    });
    document.body.append(dialog);
    dialog.showModal();
    search.focus();
    load();
    return new Promise((resolve) => {
        dialog.addEventListener("close", () => {
            const added = [...chosen.keys()].filter((id) => !before.has(id));
            const removed = [...before].filter((id) => !chosen.has(id));
            resolve(dialog.returnValue === "yes" && (added.length || removed.length) ? { chosen: [...chosen.keys()], added, removed } : null);
            dialog.remove();
        });
    });
}
