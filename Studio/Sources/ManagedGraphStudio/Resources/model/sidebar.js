// The sidebar: entities by group, fetch requests, configurations, with a search. Used by model.js.
"use strict";

import { element } from "../shell/elements.js";
import { worst } from "./cards.js";

export class Sidebar {
    constructor(root, model) {
        this.root = root;
        this.model = model;
        this.input = element("input", { type: "search", class: "input", placeholder: "Search the model  /", "aria-label": "Search the model", autocomplete: "off" });
        this.input.addEventListener("input", () => this.draw());
        this.input.addEventListener("keydown", (event) => {
            if (event.key === "Escape" && this.input.value) {
                event.stopPropagation();
                this.input.value = "";
                this.draw();
            } else if (event.key === "Enter" || event.key === "ArrowDown") {
                event.preventDefault();
                const first = this.content.querySelector("button[data-place]");
                if (event.key === "Enter") first?.click();
                else first?.focus();
            }
        });
        this.content = element("div");
        this.content.addEventListener("keydown", (event) => {
            if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
            const buttons = [...this.content.querySelectorAll("button[data-place]")];
            const place = buttons.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
            event.preventDefault();
            (buttons[place] ?? this.input).focus();
        });
        root.append(element("div", { class: "sidebar-search" }, this.input), this.content);
    }

    focus() {
        this.input.focus();
        this.input.select();
    }

    draw() {
        const { picture, groups } = this.model;
        const words = this.input.value.trim().toLowerCase();
        const active = this.content.contains(document.activeElement) ? document.activeElement.dataset.place : null;
        const parts = [];
        const fits = (text) => text.toLowerCase().includes(words);
        const byGroup = new Map([...groups.names, ""].map((name) => [name, []]));
        for (const entity of [...this.model.entities].sort((one, other) => one.name.localeCompare(other.name))) {
            const properties = words ? entity.properties.filter(({ name }) => fits(name)) : [];
            if (!words || fits(entity.name) || properties.length) byGroup.get(groups.of(entity)).push([entity, properties]);
        }
        const hasGroups = groups.names.length > 0;
        for (const [group, list] of byGroup) {
            if (!list.length) continue;
            const title = hasGroups ? group || "No group" : "Entities";
            parts.push(this.list(title, list.length, list.flatMap(([entity, properties]) => [
                this.item({ entity: entity.name }, entity.name, entity.properties.length, { hue: groups.hue(entity), problems: this.model.problemsOf(entity), isAbstract: entity.isAbstract }),
                ...properties.map(({ name, summary }) => this.item({ entity: entity.name, property: name }, name, null, { isInner: true, title: summary })),
            ]), () => this.model.addEntity()));
        }
        if (!this.model.entities.length) parts.push(this.list("Entities", 0, [], () => this.model.addEntity()));
        const requests = picture.requests.filter(({ name }) => fits(name));
        parts.push(this.list("Fetch requests", requests.length, requests.map(({ name, entity }) => this.item({ request: name }, name, entity, { problems: this.model.problemsAt({ request: name }) })), () => this.model.addRequest()));
        const configurations = picture.configurations.filter(({ name }) => fits(name));
        parts.push(this.list("Configurations", configurations.length, configurations.map(({ name, entities }) => this.item({ configuration: name }, name, entities.length)), () => this.model.addConfiguration()));
        this.content.replaceChildren(...parts);
        if (active) this.content.querySelector(`[data-place="${CSS.escape(active)}"]`)?.focus();
        this.mark();
    }

    list(title, count, items, add) {
        const head = element("div", { class: "list-title spread" }, element("span", {}, title), element("span", { class: "count" }, String(count)));
        if (!this.model.picture.readOnlyReason) {
            const noun = { "Fetch requests": "fetch request", Configurations: "configuration" }[title] ?? "entity";
            const button = element("button", { type: "button", class: "icon-button push", "aria-label": `Add a ${noun}`.replace("a entity", "an entity"), title: `Add a ${noun}`.replace("a entity", "an entity") }, "+");
            button.addEventListener("click", add);
            head.append(button);
        }
        return element("section", {}, head, element("ul", { class: "list" }, ...items.map((item) => element("li", {}, item))));
    }

    item(place, title, count, { hue = 0, problems = [], isInner = false, isAbstract = false, title: hint } = {}) {
        const button = element("button", { type: "button", "data-place": JSON.stringify(place), title: hint, class: isInner ? "inner" : null });
        if (place.entity && !isInner) button.append(element("span", { class: `swatch hue-${hue}` }));
        button.append(element("span", { class: `name ${isAbstract ? "is-abstract" : ""}` }, title));
        const level = worst(problems);
        if (level) button.append(element("span", { class: `badge ${level === "error" ? "bad" : "warns"}`, title: problems.map(({ reason }) => reason).join("\n") }, String(problems.length)));
        if (count !== null) button.append(element("span", { class: "count" }, String(count)));
        button.addEventListener("click", () => this.model.select(place, { reveal: true }));
        return button;
    }

    mark() {
        const { place } = this.model;
        const keys = [place, { entity: place.entity }].map((item) => JSON.stringify(Object.fromEntries(Object.entries(item).filter(([, value]) => value))));
        for (const button of this.content.querySelectorAll("button[data-place]")) {
            if (keys.includes(button.dataset.place)) button.setAttribute("aria-current", "true");
            else button.removeAttribute("aria-current");
        }
    }
}
