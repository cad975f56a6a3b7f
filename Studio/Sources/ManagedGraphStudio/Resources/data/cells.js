// Values as they are shown and entered: dates in the reader's zone, numbers as written, related objects with their title.
"use strict";

import { element, number } from "../shell/elements.js";

const dates = new Intl.DateTimeFormat(navigator.languages, { year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", second: "2-digit" });
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;

export { zone };

/** The remedy for a text of which the page has the beginning only; an editor would save that as the whole. */
export const tooLong = "Export the rows to a file to read it, and change it with a program.";

export function dateText(iso) {
    const date = new Date(iso);
    return Number.isNaN(date.getTime()) ? iso : dates.format(date);
}

/** The text of a cell without marks, for titles and lists. */
export function plainText(cell) {
    if (!cell) return "";
    switch (cell.kind) {
        case "null": return "no value";
        case "absent": return "";
        case "date": return dateText(cell.text);
        case "toOne": return cell.object?.title ?? "";
        case "toMany": return number(cell.count ?? 0);
        case "binary": return `${cell.form}, ${cell.text}`;
        default: return cell.text ?? "";
    }
}

/** The content of a cell in a grid; `open` follows a relationship. */
export function cellContent(cell, { open, picture } = {}) {
    if (!cell || cell.kind === "absent") return [element("span", { class: "none" }, "")];
    switch (cell.kind) {
        case "null": return [element("span", { class: "none" }, "–")];
        case "boolean": return [element("span", { class: `truth ${cell.text}` }, cell.text === "true" ? "yes" : "no")];
        case "date": return [element("time", { datetime: cell.text, title: `${cell.text} (shown in ${zone})` }, dateText(cell.text))];
        case "toOne": {
            const link = element("button", { type: "button", class: "relation", tabindex: "-1", title: `Open ${cell.object.id}` }, cell.object.title);
            link.addEventListener("click", () => open?.(cell.object));
            return [link];
        }
        case "toMany": {
            const link = element("button", { type: "button", class: `relation many${cell.count ? "" : " zero"}`, tabindex: "-1", title: "Open the related objects" }, number(cell.count ?? 0));
            link.addEventListener("click", () => open?.(null));
            return [link];
        }
        case "binary": {
            const parts = [];
            if (cell.mediaType && picture) parts.push(element("img", { src: picture, alt: "", loading: "lazy", class: "thumbnail" }));
            parts.push(element("span", { class: "secondary" }, `${cell.form} ${cell.text}`));
            return parts;
        }
        default: return [document.createTextNode((cell.text ?? "").replaceAll("\n", " ⏎ ") + (cell.isTruncated ? "…" : ""))];
    }
}

/** A local date and time for an input of the type datetime-local. */
function localInput(iso) {
    const date = new Date(iso);
    if (Number.isNaN(date.getTime())) return "";
    const pad = (value, digits = 2) => String(value).padStart(digits, "0");
    const fraction = date.getMilliseconds() ? `.${pad(date.getMilliseconds(), 3)}` : "";
    return `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}T${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}${fraction}`;
}

/**
 * The control that edits an attribute. `value()` returns its text, null for no value, and undefined if it is unchanged.
 */
export function makeEditor(column, cell) {
    const none = !cell || cell.kind === "null" || cell.kind === "absent";
    const old = none ? "" : cell.text ?? "";
    const label = `${column.name}, ${column.type}`;
    if (column.cell === "boolean") {
        const control = element("select", { class: "input", "aria-label": label });
        for (const [value, title] of [["true", "yes"], ["false", "no"], ["", "no value"]]) control.append(element("option", { value }, title));
        control.value = none ? "" : cell.text;
        return { control, value: () => (control.value === (none ? "" : cell.text) ? undefined : control.value || null) };
    }
    if (column.cell === "date") {
        const control = element("input", { class: "input", type: "datetime-local", step: "0.001", "aria-label": `${label}, in ${zone}` });
        control.value = none ? "" : localInput(cell.text);
        // A control stays empty for dates before the year 1 of the reader's zone, such as Date.distantPast west of Greenwich.
        const shown = control.value;
        return { control, value: () => (control.value === shown ? undefined : control.value ? new Date(control.value).toISOString() : null) };
    }
    if (column.cell === "text") {
        const control = element("textarea", { class: "input", rows: "1", "aria-label": label, spellcheck: "false" });
        control.value = old;
        // A control has other line ends than the text may have.
        const shown = control.value;
        const rows = shown.split("\n").length;
        control.rows = Math.min(8, rows + (rows > 1 ? 1 : 0));
        return { control, value: () => (control.value === shown ? undefined : control.value) };
    }
    const control = element("input", { class: "input", type: "text", inputmode: column.cell === "number" ? "decimal" : "text", "aria-label": label, spellcheck: "false", autocomplete: "off" });
    control.value = old;
    // A control of one line has no line ends.
    const shown = control.value;
    return { control, value: () => (control.value === shown ? undefined : control.value === "" ? null : control.value) };
}

/** Bytes as lines of hexadecimal digits and letters. */
export function hexLines(bytes) {
    const lines = [];
    for (let start = 0; start < bytes.length; start += 16) {
        const part = [...bytes.subarray(start, start + 16)];
        const digits = part.map((byte) => byte.toString(16).padStart(2, "0")).join(" ");
        const letters = part.map((byte) => (byte >= 32 && byte < 127 ? String.fromCharCode(byte) : ".")).join("");
        lines.push(`${start.toString(16).padStart(6, "0")}  ${digits.padEnd(47)}  ${letters}`);
    }
    return lines.join("\n");
}
