// Headers of columns: sorting, moving, resizing; and the choice of columns.
"use strict";

import { element } from "../shell/elements.js";
import { ask } from "./staged.js";
import { defaultWidth } from "./grid.js";

/** The header of a column. `change({columns, widths, sort})` is called with the parts that change. */
export function header(column, place, grid, { sort, change }) {
    const key = sort.findIndex((term) => term.replace(/^-/, "") === column.name);
    const isDescending = key >= 0 && sort[key].startsWith("-");
    const title = element("button", { type: "button", class: "column-title", tabindex: place === 0 ? "0" : "-1", draggable: "true", title: `${column.name}, ${column.type}${column.isSortable ? "" : "; rows cannot be sorted by it"}` },
        element("span", { class: "name" }, column.name), key >= 0 ? element("span", { class: "order", "aria-hidden": "true" }, `${isDescending ? "↓" : "↑"}${sort.length > 1 ? key + 1 : ""}`) : null);
    const grip = element("span", { class: "grip", "aria-hidden": "true" });
    const cell = element("div", { class: `column ${column.cell}`, role: "columnheader", "aria-colindex": String(place + 2), "aria-sort": key < 0 ? "none" : isDescending ? "descending" : "ascending", "data-column": column.name }, title, grip);
    title.addEventListener("click", (event) => {
        if (!column.isSortable) return;
        const rest = event.shiftKey ? sort.filter((term) => term.replace(/^-/, "") !== column.name) : [];
        const next = key < 0 ? [column.name] : isDescending ? [] : [`-${column.name}`];
        change({ sort: [...rest, ...next] });
    });
    const names = () => grid.columns.map(({ name }) => name);
    const move = (from, to) => {
        const order = names();
        const [name] = order.splice(from, 1);
        order.splice(to, 0, name);
        change({ columns: order });
    };
    title.addEventListener("keydown", (event) => {
        const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
        if (!step) return;
        event.preventDefault();
        if (event.altKey) {
            if (place + step >= 0 && place + step < grid.columns.length) move(place, place + step);
            requestAnimationFrame(() => grid.header.children[place + step + 1]?.querySelector("button")?.focus());
        } else if (event.shiftKey) resize((grid.widths?.[column.name] ?? defaultWidth(column)) + step * 16);
        else grid.header.children[place + step + 1]?.querySelector("button")?.focus();
    });
    const resize = (width) => {
        grid.widths = { ...grid.widths, [column.name]: Math.max(56, Math.round(width)) };
        grid.applyWidths();
        change({ widths: grid.widths });
    };
    grip.addEventListener("pointerdown", (event) => {
        event.preventDefault();
        event.stopPropagation();
        grip.setPointerCapture(event.pointerId);
        const start = event.clientX - cell.offsetWidth;
        const drag = (moved) => {
            grid.widths = { ...grid.widths, [column.name]: Math.max(56, Math.round(moved.clientX - start)) };
            grid.applyWidths();
        };
        grip.addEventListener("pointermove", drag);
        grip.addEventListener("pointerup", () => {
            grip.removeEventListener("pointermove", drag);
            change({ widths: grid.widths });
        }, { once: true });
    });
    title.addEventListener("dragstart", (event) => {
        event.dataTransfer.setData("text/x-column", column.name);
        event.dataTransfer.effectAllowed = "move";
    });
    cell.addEventListener("dragover", (event) => {
        if (!event.dataTransfer.types.includes("text/x-column")) return;
        event.preventDefault();
        cell.classList.add("target");
    });
    cell.addEventListener("dragleave", () => cell.classList.remove("target"));
    cell.addEventListener("drop", (event) => {
        event.preventDefault();
        cell.classList.remove("target");
        const from = names().indexOf(event.dataTransfer.getData("text/x-column"));
        if (from >= 0 && from !== place) move(from, place);
    });
    return cell;
}

/** Lets the reader choose the columns of an entity; resolves to their names in order, or to null. */
export async function chooseColumns(entity, shown, entities) {
    const own = entity.properties.map((property) => ({ name: property.name, detail: property.subentity ? `of ${property.subentity}` : property.type }));
    // One step through relationships to one object.
    const further = entity.properties.filter(({ kind, subentity }) => kind === "toOne" && !subentity).flatMap((property) =>
        (entities.find(({ name }) => name === property.destination)?.properties ?? [])
            .filter(({ kind, subentity }) => kind === "attribute" && !subentity)
            .map((each) => ({ name: `${property.name}.${each.name}`, detail: each.type })));
    const list = element("ul", { class: "column-list" });
    const order = [...shown, ...[...own, ...further].map(({ name }) => name).filter((name) => !shown.includes(name))];
    for (const name of order) {
        const detail = [...own, ...further].find((each) => each.name === name)?.detail ?? "";
        const box = element("input", { type: "checkbox", value: name, checked: shown.includes(name) });
        list.append(element("li", {}, element("label", { class: "check" }, box, element("span", { class: "name" }, name), element("span", { class: "count" }, detail))));
    }
    const isSure = await ask({ title: `Columns of ${entity.name}`, content: list, confirm: "Show" });
    if (!isSure) return null;
    return [...list.querySelectorAll("input:checked")].map(({ value }) => value);
}
