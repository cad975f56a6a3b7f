// Fields of the inspector. Each takes its value, and a function that commits another one and may refuse it: the reason is
// then shown beneath the field, which keeps the text. Used by inspector.js.
"use strict";

import { element, StudioError } from "../shell/elements.js";

let count = 0;

/** A field with its label, and a place for the reason of a refusal. */
function field(label, control, key, { hint = null, inline = true } = {}) {
    count += 1;
    control.id = `model-field-${count}`;
    control.dataset.field = key;
    const box = element("div", { class: inline ? "field inline" : "field" }, element("label", { for: control.id }, label), control);
    if (hint) box.append(element("span", { class: "hint" }, hint));
    return box;
}

/** Commits a value; shows the reason if it is refused. */
async function commit(box, control, run) {
    box.querySelector(".problem")?.remove();
    control.removeAttribute("aria-invalid");
    try {
        await run();
    } catch (error) {
        control.setAttribute("aria-invalid", "true");
        box.append(element("span", { class: "problem", role: "alert" }, `${error.message} ${error.remedy ?? ""}`));
    }
}

/** A line of text, or several; empty is null. */
export function textField(label, key, value, save, { hint, placeholder, list, isMono, lines = 1, isReadOnly, check } = {}) {
    const control = lines > 1 ? element("textarea", { rows: lines, spellcheck: "false" }) : element("input", { type: "text", autocomplete: "off", spellcheck: "false" });
    control.value = value ?? "";
    if (placeholder) control.placeholder = placeholder;
    if (isMono) control.classList.add("mono");
    control.readOnly = Boolean(isReadOnly);
    control.shown = control.value;
    const box = field(label, control, key, { hint, inline: lines === 1 });
    if (list) {
        const options = element("datalist", { id: `${control.id}-list` }, ...list.map((item) => element("option", { value: item })));
        control.setAttribute("list", options.id);
        box.append(options);
    }
    const send = () => {
        if (control.value === (value ?? "")) return;
        return commit(box, control, () => save(control.value === "" ? null : control.value));
    };
    control.addEventListener("change", send);
    control.addEventListener("keydown", (event) => {
        if (event.key === "Enter" && lines === 1) send();
        if (event.key === "Escape" && control.value !== (value ?? "")) {
            event.stopPropagation();
            control.value = value ?? "";
        }
    });
    if (check) {
        let turn = 0;
        const answer = element("span", { class: "check-answer", role: "status" });
        box.append(answer);
        const run = async () => {
            const number = ++turn;
            await new Promise((resolve) => setTimeout(resolve, 150));
            if (number !== turn) return;
            const result = control.value.trim() ? await check(control.value).catch((error) => ({ isValid: false, message: error.message })) : null;
            if (number !== turn) return;
            answer.className = `check-answer ${result ? (result.isValid ? "good" : "problem") : ""}`;
            const at = result?.position === undefined ? "" : ` (at character ${result.position + 1}: “${control.value.slice(result.position, result.position + 12)}”)`;
            answer.textContent = result ? (result.isValid ? "The predicate fits the entity." : `${at ? result.message.replace(/\.$/, "") : result.message}${at}`) : "";
            control.toggleAttribute("aria-invalid", Boolean(result && !result.isValid));
            if (result && !result.isValid) control.setAttribute("aria-invalid", "true");
        };
        control.addEventListener("input", run);
        run();
    }
    return box;
}

/** A whole number from 0. */
export function numberField(label, key, value, save, { hint, isReadOnly } = {}) {
    const control = element("input", { type: "number", min: "0", step: "1" });
    control.value = String(value ?? 0);
    control.shown = control.value;
    control.readOnly = Boolean(isReadOnly);
    const box = field(label, control, key, { hint });
    control.addEventListener("change", () => commit(box, control, () => save(Number(control.value))));
    return box;
}

/** A choice; options are texts or [value, title]. */
export function choiceField(label, key, value, options, save, { hint, isReadOnly } = {}) {
    const control = element("select");
    const pairs = options.map((option) => (Array.isArray(option) ? option : [option, option]));
    if (!pairs.some(([item]) => item === (value ?? ""))) pairs.push([value ?? "", value || "None"]);
    control.append(...pairs.map(([item, title]) => element("option", { value: item, selected: item === (value ?? "") }, title)));
    control.disabled = Boolean(isReadOnly);
    const box = field(label, control, key, { hint });
    control.addEventListener("change", () => commit(box, control, () => save(control.value === "" ? null : control.value)));
    return box;
}

/** A box to check. */
export function checkField(label, key, value, save, { isReadOnly, hint } = {}) {
    const control = element("input", { type: "checkbox" });
    control.checked = Boolean(value);
    control.disabled = Boolean(isReadOnly);
    control.dataset.field = key;
    const box = element("div", {}, element("label", { class: "check", title: hint ?? null }, control, label));
    control.addEventListener("change", () => commit(box, control, () => save(control.checked)));
    return box;
}

/** Keys with their texts. */
export function entriesField(key, entries, save, { isReadOnly } = {}) {
    const box = element("div", { class: "entries" });
    const rows = element("div", { class: "entry-rows" });
    const send = (focused) => commit(box, focused, () => {
        const result = [...rows.children].map((line) => [...line.querySelectorAll("input")].map(({ value }) => value)).filter(([name]) => name);
        const names = result.map(([name]) => name);
        const repeated = names.find((name, place) => names.indexOf(name) !== place);
        // An object has one value for each key: the first entry would be lost.
        if (repeated) throw new StudioError({ message: `There is another entry with the key ${repeated}.`, remedy: "Choose another key." });
        return save(Object.fromEntries(result));
    });
    const add = (name = "", text = "", place = rows.children.length) => {
        const fields = [name, text].map((value, column) => {
            const control = element("input", { type: "text", class: "input", "aria-label": column ? `Value of ${name || "the new key"}` : "Key", placeholder: column ? "value" : "key", autocomplete: "off" });
            control.value = value;
            control.readOnly = Boolean(isReadOnly);
            control.dataset.field = `${key} ${place} ${column}`;
            control.addEventListener("change", () => {
                // A new entry is complete when it has a key, and its value was typed.
                if (name || (fields[0].value && (column || fields[1].value))) send(control);
            });
            return control;
        });
        const line = element("div", { class: "entry" }, ...fields);
        if (!isReadOnly) {
            const remove = element("button", { type: "button", class: "icon-button", "aria-label": `Remove ${name || "the entry"}`, title: "Remove" }, "×");
            remove.addEventListener("click", () => {
                line.remove();
                send(fields[0]);
            });
            line.append(remove);
        }
        rows.append(line);
        return fields[0];
    };
    for (const [name, text] of Object.entries(entries).sort(([one], [other]) => (one < other ? -1 : 1))) add(name, text);
    box.append(rows);
    if (!isReadOnly) box.append(adder("Add an entry", () => add().focus()));
    return box;
}

/** Lists of names, each as a line with commas. */
export function listsField(key, lists, names, save, { isReadOnly, noun } = {}) {
    const box = element("div", { class: "entries" });
    const rows = element("div", { class: "entry-rows" });
    const options = element("datalist", { id: `model-names-${++count}` }, ...names.map((name) => element("option", { value: name })));
    const send = (focused) => {
        const result = [...rows.querySelectorAll("input")].map(({ value }) => value.split(",").map((name) => name.trim()).filter(Boolean)).filter(({ length }) => length);
        return commit(box, focused, () => save(result));
    };
    const add = (list, place = rows.children.length) => {
        const control = element("input", { type: "text", class: "input", "aria-label": noun, placeholder: "attribute, attribute", list: options.id, autocomplete: "off" });
        control.value = list.join(", ");
        control.readOnly = Boolean(isReadOnly);
        control.dataset.field = `${key} ${place}`;
        control.addEventListener("change", () => send(control));
        const line = element("div", { class: "entry" }, control);
        if (!isReadOnly) {
            const remove = element("button", { type: "button", class: "icon-button", "aria-label": `Remove the ${noun}`, title: "Remove" }, "×");
            remove.addEventListener("click", () => {
                line.remove();
                send(control);
            });
            line.append(remove);
        }
        rows.append(line);
        return control;
    };
    lists.forEach((list) => add(list));
    box.append(rows, options);
    if (!isReadOnly) box.append(adder(`Add a ${noun}`, () => add([]).focus()));
    return box;
}

/** A small button that adds something. */
export function adder(title, run) {
    const button = element("button", { type: "button", class: "button small" }, title);
    button.addEventListener("click", run);
    return button;
}

/** A group of fields under a title, which can be closed. */
export function section(title, ...fields) {
    const box = element("details", { class: "form-section", open: true }, element("summary", {}, title));
    box.append(element("div", { class: "form-fields" }, ...fields.filter(Boolean)));
    return box;
}

/** Asks a question; returns the values of its fields, or null. `fields` are [name, label, value]. */
export function ask({ title, text, fields = [], choices }) {
    return new Promise((resolve) => {
        const form = element("form", { method: "dialog" }, element("h2", {}, title));
        if (text) form.append(...[text].flat().map((part) => (part instanceof Node ? part : element("p", {}, part))));
        const controls = new Map();
        for (const [name, label, value] of fields) {
            const control = element("input", { type: "text", autocomplete: "off", "aria-label": label });
            control.value = value;
            controls.set(name, control);
            form.append(element("div", { class: "field" }, element("span", { class: "label" }, label), control));
        }
        const dialog = element("dialog", { class: "sheet", "aria-label": title }, form);
        const finish = (choice) => {
            dialog.close();
            dialog.remove();
            resolve(choice ? { choice, ...Object.fromEntries([...controls].map(([name, control]) => [name, control.value])) } : null);
        };
        const cancel = element("button", { type: "button", class: "button" }, "Cancel");
        cancel.addEventListener("click", () => finish(null));
        const buttons = choices.map(([name, label, style]) => {
            const button = element("button", { type: "submit", value: name, class: `button ${style ?? ""}` }, label);
            button.addEventListener("click", (event) => {
                event.preventDefault();
                finish(name);
            });
            return button;
        });
        form.append(element("div", { class: "buttons" }, cancel, ...buttons));
        dialog.addEventListener("cancel", (event) => {
            event.preventDefault();
            finish(null);
        });
        document.body.append(dialog);
        dialog.showModal();
        (controls.values().next().value ?? buttons.at(-1) ?? cancel).focus();
    });
}
