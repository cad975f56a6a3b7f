// A field for predicates: completion of keys, operators, functions and values, and errors marked at their place.
"use strict";

import { element, announce } from "../shell/elements.js";

let counter = 0;

/** `api` has the routes check and complete; `apply(text)` is called for a predicate without errors. */
export class PredicateField {
    constructor({ api, entity, label = "Predicate", placeholder = "name CONTAINS[cd] \"a\" AND …", apply }) {
        Object.assign(this, { api, entity, apply });
        const id = `predicate-${(counter += 1)}`;
        this.input = element("input", {
            class: "input mono", id, type: "text", role: "combobox", placeholder, spellcheck: "false", autocomplete: "off", autocapitalize: "off",
            "aria-label": label, "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": `${id}-list`, "aria-describedby": `${id}-problem`,
        });
        // Marks are drawn under the text by a copy of it with the same type.
        this.marks = element("div", { class: "predicate-marks mono", "aria-hidden": "true" });
        this.list = element("ul", { class: "list predicate-list", role: "listbox", id: `${id}-list`, hidden: true });
        this.problem = element("p", { class: "problem", id: `${id}-problem`, role: "status" });
        this.host = element("div", { class: "predicate" }, element("div", { class: "predicate-field" }, this.marks, this.input), this.list, this.problem);
        this.items = [];
        this.chosen = -1;
        this.input.addEventListener("input", () => this.typed());
        this.input.addEventListener("keydown", (event) => this.key(event));
        this.input.addEventListener("scroll", () => this.align());
        this.input.addEventListener("focusout", () => setTimeout(() => this.hide(), 120));
        this.list.addEventListener("mousedown", (event) => {
            const item = event.target.closest("[role=option]");
            if (!item) return;
            event.preventDefault();
            this.insert(this.items[[...this.list.children].indexOf(item)]);
        });
    }

    get value() { return this.input.value; }
    set value(text) {
        this.input.value = text ?? "";
        this.mark(null);
    }

    typed() {
        clearTimeout(this.waiting);
        this.mark(null);
        this.waiting = setTimeout(() => this.complete(), 60);
        clearTimeout(this.checking);
        this.checking = setTimeout(() => this.check({ isTyped: true }), 350);
    }

    async check({ isTyped = false } = {}) {
        const text = this.input.value;
        if (!text.trim()) {
            this.mark(null);
            return true;
        }
        try {
            const { problem } = await this.api("check", { body: { entity: this.entity(), format: text } });
            // While completions are open, a text that ends too early is not a mistake yet.
            const isUnfinished = isTyped && problem && !problem.length && document.activeElement === this.input;
            if (this.input.value === text) this.mark(isUnfinished ? null : problem ?? null);
            return !problem;
        } catch (error) {
            this.mark({ message: error.message, remedy: error.remedy, place: 0, length: 0 });
            return false;
        }
    }

    /** Shows an error at its place. */
    mark(problem) {
        const text = this.input.value;
        this.input.setAttribute("aria-invalid", problem ? "true" : "false");
        this.problem.textContent = problem ? [problem.message, problem.remedy].filter(Boolean).join(" ") : "";
        if (!problem) return this.marks.replaceChildren();
        const characters = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
        const length = Math.max(problem.length, 1);
        this.marks.replaceChildren(
            document.createTextNode(characters.slice(0, problem.place).join("")),
            element("mark", { "data-place": String(problem.place) }, characters.slice(problem.place, problem.place + length).join("") || "\u00a0"),
        );
        this.align();
    }

    align() { this.marks.style.transform = `translateX(${-this.input.scrollLeft}px)`; }

    async complete() {
        const text = this.input.value;
        const place = [...new Intl.Segmenter().segment(text.slice(0, this.input.selectionStart))].length;
        let result;
        try {
            result = await this.api("complete", { body: { entity: this.entity(), format: text, position: place } });
        } catch {
            return this.hide();
        }
        if (this.input.value !== text || document.activeElement !== this.input) return;
        this.range = result;
        this.items = result.items;
        this.chosen = -1;
        if (!this.items.length) return this.hide();
        this.list.replaceChildren(...this.items.map(({ text: item, kind, detail }, place) =>
            element("li", { role: "option", id: `${this.input.id}-${place}`, class: kind, "aria-selected": "false" }, element("span", { class: "name mono" }, item), element("span", { class: "count" }, detail))));
        this.list.hidden = false;
        this.input.setAttribute("aria-expanded", "true");
        announce(`${this.items.length} completions`);
    }

    hide() {
        this.list.hidden = true;
        this.items = [];
        this.chosen = -1;
        this.input.setAttribute("aria-expanded", "false");
        this.input.removeAttribute("aria-activedescendant");
    }

    choose(place) {
        this.list.children[this.chosen]?.setAttribute("aria-selected", "false");
        this.chosen = (place + this.items.length) % this.items.length;
        const item = this.list.children[this.chosen];
        item.setAttribute("aria-selected", "true");
        item.scrollIntoView({ block: "nearest" });
        this.input.setAttribute("aria-activedescendant", item.id);
    }

    insert(item) {
        if (!item) return;
        const characters = [...new Intl.Segmenter().segment(this.input.value)].map(({ segment }) => segment);
        const before = characters.slice(0, this.range.place).join("");
        const after = characters.slice(this.range.place + this.range.length).join("");
        const space = /[.(]$/.test(item.text) || after.startsWith(" ") ? "" : " ";
        this.input.value = before + item.text + space + after;
        const place = before.length + item.text.length + space.length;
        this.input.setSelectionRange(place, place);
        this.input.focus();
        this.typed();
    }

    async key(event) {
        const isOpen = !this.list.hidden;
        if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            event.preventDefault();
            if (!isOpen) return this.complete();
            const step = event.key === "ArrowDown" ? 1 : -1;
            this.choose(this.chosen < 0 && step < 0 ? -1 : this.chosen + step);
        } else if (event.key === "Tab" && isOpen && !event.shiftKey) {
            event.preventDefault();
            this.insert(this.items[Math.max(0, this.chosen)]);
        } else if (event.key === "Enter" && isOpen && this.chosen >= 0) {
            event.preventDefault();
            this.insert(this.items[this.chosen]);
        } else if (event.key === "Enter") {
            if (event.ctrlKey || event.metaKey) return;
            event.preventDefault();
            clearTimeout(this.waiting);
            clearTimeout(this.checking);
            this.hide();
            if (await this.check()) this.apply?.(this.input.value.trim());
        } else if (event.key === "Escape" && isOpen) {
            event.preventDefault();
            event.stopPropagation();
            this.hide();
        }
    }
}
