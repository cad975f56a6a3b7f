// One object as a whole: all values with controls that edit them, relationships, objects that refer to it.
"use strict";

import { element, note, number } from "../shell/elements.js";
import { cellContent, hexLines, makeEditor, plainText, tooLong } from "./cells.js";

/** Shows an object; `on` has open(link), follow(object, relationship), referrers(entity, …), set, relate, close. */
export async function inspect({ host, api, id, reader, isWritable, on }) {
    // Answers about an object that was shown before may come late.
    const turn = (host.turn = {});
    let details;
    try {
        details = await api(`object?id=${encodeURIComponent(id)}`);
    } catch (error) {
        if (host.turn === turn) host.replaceChildren(element("div", { class: "inspected" }, note(error)));
        return;
    }
    if (host.turn !== turn) return;
    const { link, state, fields, referrers, uri } = details;
    const close = element("button", { type: "button", class: "icon-button push", "aria-label": "Close the inspector", title: "Close (Esc)" }, "✕");
    close.addEventListener("click", on.close);
    const head = element("div", { class: "spread" }, element("h2", {}, link.title), state ? element("span", { class: "badge accent" }, { inserted: "new", updated: "changed", deleted: "deleted" }[state] ?? state) : null, close);
    const box = element("div", { class: "inspected", "data-id": link.id }, head, element("p", { class: "secondary mono" }, link.id));
    const list = element("dl", { class: "inspected-fields" });
    for (const { property, cell, isChanged } of fields) {
        list.append(element("dt", { class: isChanged ? "changed" : "" }, property.name, element("span", { class: "count" }, ` ${property.kind === "attribute" ? property.type : `→ ${property.type}`}${property.isOptional ? "" : ", required"}`)));
        list.append(element("dd", { "data-property": property.name }, ...field({ api, id: link.id, reader, property, cell, isWritable: isWritable && state !== "deleted", on })));
    }
    box.append(list);
    const shown = referrers.filter(({ count }) => count);
    if (shown.length) {
        box.append(element("h3", {}, "Referred to by"));
        for (const { entity, relationship, count } of shown) {
            const open = element("button", { type: "button", class: "relation" }, `${number(count)} ${entity}`);
            open.addEventListener("click", () => on.referrers(link.id, link.title, entity, relationship));
            box.append(element("p", {}, open, ` by ${relationship}`));
        }
    }
    box.append(element("p", { class: "count mono wrap" }, uri));
    show(host, box);
}

/** Shows the box of an object; if it is the object that was shown, the focus and the text that is being typed stay. */
function show(host, box) {
    const isSame = host.querySelector(".inspected")?.dataset.id === box.dataset.id;
    const old = isSame && host.contains(document.activeElement) ? document.activeElement : null;
    const name = old?.closest("[data-property]")?.dataset.property;
    const top = host.scrollTop;
    if (old) old.isReplaced = true;
    host.replaceChildren(box);
    host.scrollTop = isSame ? top : 0;
    if (!name) return;
    const part = box.querySelector(`[data-property="${CSS.escape(name)}"]`);
    const control = part?.querySelector(old.localName) ?? part?.querySelector("input, textarea, select, button");
    if (!control) return;
    const isUnsent = old.shown !== undefined && old.value !== old.shown && old.value !== old.sent && !old.validity.badInput;
    if (isUnsent && control.send) {
        control.value = old.value;
        // Leaving a control whose text a program has set does not count as a change in the browser.
        control.addEventListener("blur", control.send);
    }
    control.focus({ preventScroll: true });
    if (typeof old.selectionStart === "number" && control.localName === old.localName) control.setSelectionRange(old.selectionStart, old.selectionEnd);
}

function field({ api, id, reader, property, cell, isWritable, on }) {
    if (property.kind !== "attribute") {
        const parts = cellContent(cell, { open: (target) => (target ? on.open(target) : on.follow(id, property)) });
        if (isWritable) {
            const change = element("button", { type: "button", class: "button small plain" }, "Choose…");
            change.addEventListener("click", () => on.relate(id, property));
            parts.push(change);
        }
        return parts;
    }
    if (property.cell === "binary") return binary({ api, id, reader, property, cell, isWritable, on });
    const refusal = property.refusal ?? (cell.isTruncated ? `The text is too long to be edited here. ${tooLong}` : null);
    if (!isWritable || refusal) {
        const value = element("span", { class: `value ${cell.kind}` }, ...cellContent(cell));
        if (cell.text?.includes("\n")) value.replaceChildren(element("pre", { class: "text" }, cell.text + (cell.isTruncated ? "…" : "")));
        return refusal && isWritable ? [value, element("p", { class: "count" }, refusal)] : [value];
    }
    const { control, value } = makeEditor(property, cell);
    control.shown = control.value;
    control.send = () => {
        const text = value();
        if (text === undefined || control.value === control.sent || control.isReplaced) return;
        control.sent = control.value;
        on.set(id, property, text);
    };
    control.addEventListener("change", control.send);
    if (cell.kind === "null" || !property.isOptional) return [control];
    const clear = element("button", { type: "button", class: "button small plain", title: "Remove the value" }, "No value");
    clear.addEventListener("click", () => on.set(id, property, null));
    return [control, clear];
}

function binary({ id, reader, property, cell, isWritable, on }) {
    const address = `${on.address}/binary?id=${encodeURIComponent(id)}&property=${encodeURIComponent(property.name)}&reader=${reader}`;
    const parts = [];
    if (cell.kind === "binary") {
        parts.push(element("p", {}, plainText(cell)));
        if (cell.mediaType) parts.push(element("img", { src: address, alt: `${property.name}, ${cell.form}`, class: "picture" }));
        else {
            const lines = element("pre", { class: "hex" }, "…");
            fetch(`${address}&limit=512`).then(async (response) => {
                lines.textContent = hexLines(new Uint8Array(await response.arrayBuffer())) + (cell.count > 512 ? "\n…" : "");
            });
            parts.push(lines);
        }
        parts.push(element("a", { class: "button small", href: address, download: `${property.name}` }, "Save as a file"));
    } else {
        parts.push(element("span", { class: "none" }, "no value"));
    }
    if (isWritable && !property.refusal) {
        const file = element("input", { type: "file", class: "hidden", "aria-label": `File for ${property.name}` });
        const choose = element("button", { type: "button", class: "button small" }, "Choose a file…");
        choose.addEventListener("click", () => file.click());
        file.addEventListener("change", async () => {
            const bytes = new Uint8Array(await file.files[0].arrayBuffer());
            let text = "";
            for (let start = 0; start < bytes.length; start += 0x8000) text += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
            on.set(id, property, btoa(text));
        });
        parts.push(file, choose);
        if (cell.kind === "binary" && property.isOptional) {
            const clear = element("button", { type: "button", class: "button small plain" }, "No value");
            clear.addEventListener("click", () => on.set(id, property, null));
            parts.push(clear);
        }
    }
    return parts;
}
