// The command palette: everything the shell and the section offer, found by typing. Used by studio.js.
"use strict";

import { element } from "./elements.js";

const isMac = navigator.platform.startsWith("Mac");

/** How well a text fits the typed words; lower is better, null if it does not. */
function rank(text, words) {
    let result = 0;
    for (const word of words) {
        const place = text.indexOf(word);
        if (place >= 0) {
            result += place === 0 ? 0 : /[\s./]/.test(text[place - 1]) ? 1 : 3;
            continue;
        }
        let from = 0;
        for (const letter of word) {
            from = text.indexOf(letter, from) + 1;
            if (!from) return null;
        }
        result += 10;
    }
    return result;
}

export class Palette {
    static limit = 60;

    constructor(dialog) {
        this.dialog = dialog;
        this.commands = new Map();
        this.input = element("input", {
            type: "text", placeholder: "Search commands, sources, entities", role: "combobox", "aria-expanded": "true",
            "aria-controls": "palette-list", "aria-label": "Search everything", autocomplete: "off", spellcheck: "false",
        });
        this.list = element("ul", { class: "list", role: "listbox", id: "palette-list", "aria-label": "Results" });
        this.nothing = element("p", { class: "nothing", hidden: true }, "Nothing fits.");
        dialog.append(this.input, this.list, this.nothing);
        this.input.addEventListener("input", () => this.fill());
        this.input.addEventListener("keydown", (event) => this.steer(event));
        dialog.addEventListener("click", (event) => {
            if (event.target === dialog) return dialog.close();
            const option = event.target.closest("[role=option]");
            if (option) this.choose(this.found[[...this.list.children].indexOf(option)]);
        });
    }

    /** Adds or replaces a command. */
    add(command) {
        this.commands.set(command.id, command);
        if (this.dialog.open) this.fill();
    }

    clear() {
        this.commands.clear();
    }

    open() {
        if (this.dialog.open) return;
        this.input.value = "";
        this.fill();
        this.dialog.showModal();
        this.input.focus();
    }

    fill() {
        const words = this.input.value.toLowerCase().split(/\s+/).filter(Boolean);
        this.found = [...this.commands.values()]
            .map((command) => ({ command, rank: rank(`${command.title} ${command.kind ?? ""}`.toLowerCase(), words) }))
            .filter((entry) => entry.rank !== null)
            .sort((one, other) => one.rank - other.rank)
            .slice(0, Palette.limit)
            .map((entry) => entry.command);
        this.list.replaceChildren(
            ...this.found.map((command, place) => {
                const option = element("li", { role: "option", id: `palette-${place}` }, element("span", { class: "name" }, command.title));
                if (command.kind) option.append(element("span", { class: "kind" }, command.kind));
                if (command.keys) option.append(element("kbd", {}, this.shown(command.keys)));
                return option;
            })
        );
        this.nothing.hidden = this.found.length > 0;
        this.select(0);
    }

    shown(keys) {
        return keys.replace("Mod", isMac ? "⌘" : "Ctrl").replaceAll("+", " ");
    }

    select(place) {
        this.place = place;
        for (const [number, option] of [...this.list.children].entries()) {
            option.setAttribute("aria-selected", String(number === place));
            if (number === place) option.scrollIntoView({ block: "nearest" });
        }
        this.input.setAttribute("aria-activedescendant", this.found.length ? `palette-${place}` : "");
    }

    steer(event) {
        const count = this.found.length;
        if (event.key === "Enter") {
            event.preventDefault();
            if (count) this.choose(this.found[this.place]);
        } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && count) {
            event.preventDefault();
            this.select((this.place + (event.key === "ArrowDown" ? 1 : -1) + count) % count);
        }
    }

    choose(command) {
        this.dialog.close();
        command.run();
    }

    /** Opens the palette, or runs the command whose keys were pressed. */
    take(event) {
        if (event.defaultPrevented || event.isComposing) return;
        const mod = isMac ? event.metaKey : event.ctrlKey;
        if (mod && !event.shiftKey && !event.altKey && event.key.toLowerCase() === "k") {
            event.preventDefault();
            if (this.dialog.open) this.dialog.close();
            else this.open();
            return;
        }
        if (document.querySelector("dialog[open]")) return;
        const isText = event.target.closest?.("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]");
        for (const command of this.commands.values()) {
            if (!command.keys || !this.fits(command.keys, event, mod)) continue;
            // Single keys are input of a text field, and text fields undo and redo on their own.
            if (isText && (!command.keys.includes("Mod") || /\+(Z|Y|C|V|X|A)$/.test(command.keys))) continue;
            event.preventDefault();
            command.run();
            return;
        }
    }

    fits(keys, event, mod) {
        const parts = keys.split("+");
        const key = parts.pop() || "+";
        const needsShift = parts.includes("Shift");
        return (
            event.key.toLowerCase() === key.toLowerCase() && parts.includes("Mod") === mod && !event.altKey &&
            (needsShift === event.shiftKey || (key.length === 1 && !/[a-z0-9]/i.test(key) && !parts.some(Boolean)))
        );
    }
}
