// The state of a grid without rows: the reason, and a way on.
"use strict";

import { element } from "../shell/elements.js";

/** Describes why a view has no rows. `change` changes the view, `insert` makes an object. */
export function emptyState({ entity, view, suggestion, isWritable, change, insert }) {
    const box = element("div", { class: "empty" });
    const add = (...parts) => box.append(...parts);
    const button = (title, run, attributes) => {
        const result = element("button", { type: "button", class: "button", ...attributes }, title);
        result.addEventListener("click", run);
        return result;
    };
    if (view.where) {
        add(element("h2", {}, `No ${entity.name} fits`), element("p", { class: "mono" }, view.where));
        if (suggestion) {
            add(element("p", {}, "This predicate would:"), button(suggestion, () => change({ where: suggestion }), { class: "button mono", id: "suggestion" }));
        }
        add(button("Show all rows", () => change({ where: "" }), { class: "button plain" }));
    } else if (view.of) {
        add(element("h2", {}, "No related objects"), element("p", {}, `${view.of} has no ${view.by}. ${isWritable ? "Choose some in its cell, or in the inspector." : ""}`));
    } else {
        add(element("h2", {}, `No ${entity.name} yet`));
        const hope = "Objects appear here as soon as any writer saves them.";
        if (entity.isAbstract) add(element("p", {}, `${entity.name} is abstract: rows are those of its subentities.`));
        else if (isWritable) add(element("p", {}, hope), button(`New ${entity.name}`, insert, { class: "button primary" }));
        else add(element("p", {}, `${hope} The store is read-only here; start the studio with --write to add some.`));
    }
    return box;
}
